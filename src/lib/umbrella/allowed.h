/* SPDX-License-Identifier: ISC */
/* What of a recipe, which may come from anybody, is run. */
#ifndef TAF_UMBRELLA_ALLOWED_H
#define TAF_UMBRELLA_ALLOWED_H

#include "base/attr.h"
#include "base/err.h"
#include "op/digest/recipe.h"

/*
 * Are these arguments such as --recipe stores of a command with these flags, which prints
 * help by -h?  Then it reads no file but the inputs, and writes none but what -o names.
 * TAF_EDATA where they are others.
 */
TAF_MUST enum taf_status cmd_recipe_allowed(const struct taf_recipe_line *line,
    unsigned flags, const char *help, struct taf_err *e);

#endif
