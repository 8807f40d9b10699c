/* SPDX-License-Identifier: ISC */
/* The proof of a result: what its recipe makes, again. */
#ifndef TAF_UMBRELLA_VERIFY_H
#define TAF_UMBRELLA_VERIFY_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "text/pages.h"

struct cmd_verify {
	struct cmd_run *run;
	const char *self;		/* as cmd_become has it */
	const struct taf_pages *pages;
	const char *file;
	const char *inputs;		/* a folder; NULL: that of file */
};

/*
 * Do the programs in the recipe of a file again, with inputs that are found by their
 * digests.  *same says whether the file has the bits that they make; a line about it is
 * appended to said.  TAF_EDATA where there is no recipe, where it is none that --recipe
 * stores, where an input or the version of a program is not there, and where a program
 * fails.
 */
TAF_MUST enum taf_status cmd_verify(const struct cmd_verify *v, bool *same,
    struct taf_str *said, struct taf_err *e);

#endif
