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
	/* NULL, or what is asked of a step before output begins; what is done then */
	enum taf_status (*check)(void *ctx, const struct taf_steps *s, struct taf_err *e);
	enum taf_status (*each)(void *ctx, struct taf_steps *s, struct taf_err *e);
	void *ctx;
};

/*
 * Do it, up to the first failure or until each gives TAF_END, and close.  check sees all
 * steps that can be seen before the first one is done, and each again when it has come.
 */
TAF_MUST enum taf_status cmd_loop(struct cmd_loop *l, struct taf_err *e);

#endif
