#include "cli/values.h"

#include <stdio.h>
#include <string.h>

enum taf_type
cmd_type(struct cmd_run *run, const char *arg)
{
	enum taf_type t = TAF_FLT32;

	if (!taf_type_parse(arg, &t))
		cmd_usage(run, "%s: unknown element type", arg);
	return t;
}

enum taf_type
cmd_from_type(struct cmd_run *run, const char *arg, bool *big)
{
	size_t n = strlen(arg);
	char name[16];

	*big = n > 2 && strcmp(arg + n - 2, "be") == 0;
	if (*big || (n > 2 && strcmp(arg + n - 2, "le") == 0))
		n -= 2;
	/* a name that is cut here is none of a type */
	(void)snprintf(name, sizeof name, "%.*s", n < 100 ? (int)n : 100, arg);
	return cmd_type(run, name);
}

enum taf_status
cmd_move_values(const struct cmd_move *m, bool raw, bool clip, struct taf_err *e)
{
	const enum taf_type type = m->out->type;
	struct taf_values *v = NULL;
	struct taf_recode how;
	enum taf_status st = taf_values_plan(&how, m->in, type, raw, clip, e);

	if (st == TAF_OK)
		st = taf_values_open(&v, m->r, m->in, NULL, &how, e);
	if (st == TAF_OK)
		st = taf_values_copy(v, m->w, taf_threads(&m->run->service), e);
	if (st == TAF_OK)
		taf_remark_lost(&m->run->service, taf_values_count(v), taf_array_count(m->out), type);
	taf_values_close(v);
	return st;
}
