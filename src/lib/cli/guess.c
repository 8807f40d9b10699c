/* SPDX-License-Identifier: ISC */
/* What somebody may have meant whose words this command does not take. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/private.h"
#include "text/synonyms.h"

/* The option of that name; NULL where the command has none. */
static const struct cmd_option *
find(const struct cmd_option *const *o, size_t n, const char *name)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(o[i]->name, name) == 0)
			return o[i];
	return NULL;
}

void
cmd_private_advise(const struct cmd_run *run, struct taf_err *e)
{
	const struct cmd_private *p = run->priv;
	const size_t used = strlen(e->text);
	const bool missing = e->code == TAF_ESYS && e->sys == ENOENT && run->nfiles > 0;
	const bool several = run->nfiles > 1 && (run->self->flags & CMD_OPERANDS) == 0;
	const char *advice = NULL;

	if (missing)
		advice = taf_word_advice(e->name, several);
	if (advice == NULL && missing && several && find(p->opts, p->nopts, "output") !=
	    NULL && strcmp(run->files[run->nfiles - 1], e->name) == 0)
		advice = " (-o names the output)";
	else if (e->code == TAF_EDATA && strstr(e->text, "value ") != NULL &&
	    strstr(e->text, " does not fit ") != NULL &&
	    find(p->opts, p->nopts, "clip") != NULL)
		advice = find(p->opts, p->nopts, "scale") != NULL ?
		    ": --clip stores the nearest that does, --scale maps the range" :
		    ": --clip stores the nearest that does";
	if (advice != NULL)
		(void)snprintf(e->text + used, sizeof e->text - used, "%s", advice);
}

const struct cmd_option *
cmd_private_guess(const struct cmd_option *const *o, size_t n, const char *word,
    size_t len)
{
	struct taf_nearest near = { .word = word, .n = len };
	const struct cmd_option *found = NULL;
	const char *meant;
	size_t i = 0;

	while (found == NULL && (meant = taf_synonym(word, len, &i)) != NULL)
		found = find(o, n, meant);
	if (found != NULL)
		return found;
	/* one letter is near to all; what has no effect helps nobody */
	for (i = 0; i < n && len > 1; i++)
		if (strcmp(o[i]->name, "out") != 0)
			taf_nearest_try(&near, o[i]->name);
	return near.name != NULL ? find(o, n, near.name) : NULL;
}
