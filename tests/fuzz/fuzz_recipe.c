/* SPDX-License-Identifier: ISC */
/* Lines of a recipe, and what of them is run. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "op/digest/recipe.h"
#include "target.h"
#include "umbrella/allowed.h"

static const char help[] =
    "usage: x [-x DIM=LO:HI] [--fir FILE] [file ...]\n"
    "  -i, --in-place                change\n"
    "  -o, --output FILE             output to FILE\n"
    "  -x, --index DIM=LO:HI[:STEP]  these\n"
    "      --clip                    clip\n"
    "      --datapath[=PREFIX]       there\n"
    "      --fir=FILE                weights\n"
    "      --let=NAME=FILE           another\n"
    "      --noise=FILE|D            density\n"
    "      --out=PATH                elements\n";

/* No word is a path, or may become one. */
static void
check_word(const struct taf_recipe_word *w, unsigned flags)
{
	static const char *const taken[] = {
	    "--index", "--clip", "--fir", "--let", "--noise" };
	const size_t n = strcspn(w->text, "=");
	size_t i = 0;

	if (w->input != TAF_RECIPE_NONE)
		must(w->text[0] == '\0' || w->text[strlen(w->text) - 1] == '=');
	if (w->input == TAF_RECIPE_ARRAYS || w->input == TAF_RECIPE_BYTES)
		must(strlen(w->digest) == 64 && strspn(w->digest, "0123456789abcdef") == 64);
	/* operands that are text are elsewhere */
	if (flags != 0)
		return;
	if (w->text[0] == '\0') {
		must(w->input != TAF_RECIPE_NONE);
		return;
	}
	if (strcmp(w->text, "--") == 0)
		return;
	while (i < sizeof taken / sizeof taken[0] && (strlen(taken[i]) != n ||
	    strncmp(taken[i], w->text, n) != 0))
		i++;
	must(i < sizeof taken / sizeof taken[0]);
	must((i != 2 && i != 3) || w->input != TAF_RECIPE_NONE);
	must(i > 1 || w->input == TAF_RECIPE_NONE);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned flags[] = { 0, CMD_WORD, CMD_PLACE, CMD_SETTINGS };
	struct taf_recipe_line line;
	struct taf_err e = { 0 };
	char *text = malloc(size + 1);
	size_t k, i;

	if (text == NULL)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	if (taf_recipe_parse(&line, text, &e) == TAF_OK)
		for (k = 0; k < sizeof flags / sizeof flags[0]; k++) {
			taf_err_clear(&e);
			if (cmd_recipe_allowed(&line, flags[k], help, &e) == TAF_OK)
				for (i = 0; i < line.n; i++)
					check_word(&line.word[i], flags[k]);
		}
	taf_recipe_free(&line);
	free(text);
	return 0;
}
