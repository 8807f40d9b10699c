/* SPDX-License-Identifier: ISC */
/* The loop over the arrays of operands, for the drivers of this layer. */
#ifndef TAF_CLI_LOOP_H
#define TAF_CLI_LOOP_H

#include "cli/cmd.h"
#include "op/operand/steps.h"

struct cmd_loop {
	struct cmd_run *run;
	struct taf_arrays all;	/* those of the operands */
	struct taf_steps steps;	/* which say whether they advance together */
	const struct taf_array *alone;	/* where there is no operand */
	bool go_on;		/* what fails costs the rest of its operand alone */
	/* NULL, or a look at a step before output begins */
	enum taf_status (*check)(void *ctx, const struct taf_steps *s, struct taf_err *e);
	/* does the step */
	enum taf_status (*each)(void *ctx, struct taf_steps *s, struct taf_err *e);
	void *ctx;
};

/*
 * Run the loop, up to the first failure or until each returns TAF_END, and close all.
 * Before the first step is done, check sees all steps that can be seen.  It sees each
 * again when it has come.
 */
TAF_MUST enum taf_status cmd_loop(struct cmd_loop *l, struct taf_err *e);

#endif
