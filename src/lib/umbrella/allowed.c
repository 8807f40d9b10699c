/* SPDX-License-Identifier: ISC */
#include "umbrella/allowed.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "op/digest/stamp.h"

enum { NAME = 64 };

/*
 * The place in the help where an option's name ends, or NULL.  Lines of it are
 * "  -x, --long ARG  " or "      --long=ARG  " or "      --long[=ARG]  ".
 */
static const char *
find_option(const char *help, const char *name)
{
	const size_t n = strlen(name);
	const char *at = help;

	while ((at = strstr(at, name)) != NULL) {
		const bool begins = at >= help + 4 && (strncmp(at - 4, ", --", 4) == 0 ||
		    strncmp(at - 4, "  --", 4) == 0);

		at += n;
		if (begins && strchr(" =[\n", *at) != NULL)
			return at;
	}
	return NULL;
}

/* What its value is called there; "" where it has none. */
static void
value_of(const char *at, char value[NAME])
{
	size_t n = strcspn(at, " \n");

	/* a blank before a value is one, before a text it is more */
	if (n == 0 && at[0] == ' ' && at[1] != ' ')
		n = strcspn(++at, " \n");
	(void)snprintf(value, NAME, "%.*s", (int)n, at);
}

static bool
option(const struct taf_recipe_word *w, const char *help)
{
	const size_t n = strcspn(w->text, "=");
	const char *value = strchr(w->text, '='), *at;
	char called[NAME], own[NAME];
	size_t skip;

	if (w->text[1] != '-' || n >= sizeof own)
		return false;
	(void)snprintf(own, sizeof own, "%.*s", (int)n - 2, w->text + 2);
	if (own[0] == '\0' || cmd_is_aside(own) || (at = find_option(help, own)) == NULL)
		return false;
	value_of(at, called);
	if (value == NULL && w->input != TAF_RECIPE_NONE)
		return false;
	value = value != NULL ? value + 1 : "";
	/* nothing of a path stands before an input */
	switch (taf_recipe_value(called, value, &skip)) {
	case TAF_RECIPE_TEXT:
		return w->input == TAF_RECIPE_NONE && value[0] != '@';
	case TAF_RECIPE_FILE:
		return w->input != TAF_RECIPE_NONE && value[skip] == '\0';
	default:
		return false;
	}
}

static bool
operand(const struct taf_recipe_word *w, unsigned flags, unsigned n, bool behind)
{
	const bool text = taf_operand_is_text(cmd_texts(flags), w->text, n, behind);

	return text ? w->input == TAF_RECIPE_NONE :
	    w->input != TAF_RECIPE_NONE && w->text[0] == '\0';
}

enum taf_status
cmd_recipe_allowed(const struct taf_recipe_line *line, unsigned flags, const char *help,
    struct taf_err *e)
{
	bool behind = false, sound = true;
	unsigned n = 0;
	size_t k;

	for (k = 0; k < line->n && sound; k++) {
		const struct taf_recipe_word *const w = &line->word[k];

		if (!behind && strcmp(w->text, "--") == 0 && w->input == TAF_RECIPE_NONE)
			behind = true;
		else if (!behind && w->text[0] == '-')
			sound = option(w, help);
		else
			sound = operand(w, flags, ++n, behind);
		if (!sound)
			return taf_fail(e, TAF_EDATA,
			    "argument %zu of %s is none that --recipe stores: %s", k + 1,
			    line->program, w->text);
	}
	return TAF_OK;
}
