/* Commands that make one array of several, which come one from each operand. */
#ifndef TAF_CLI_COMBINE_H
#define TAF_CLI_COMBINE_H

#include "cli/cmd.h"
#include "stream/compute.h"

/* A step: an array of each operand, in the order of operands; w is within out. */
struct cmd_step {
	struct cmd_run *run;
	const void *intent, *plan;
	const struct taf_operand *in;	/* values are wanted as flt64 */
	unsigned nin;
	const struct taf_array *out;
	struct taf_writer *w;
};

struct cmd_combine {
	/*
	 * Pure: from intent and the arrays that come (their readers may be NULL) the one
	 * that goes out, which is the first, extended to the shape of all unless first
	 * says otherwise, when it is called, and all of *plan.  Everything is refused
	 * here.
	 */
	enum taf_status (*resolve)(const void *intent, const struct taf_operand *in,
	    unsigned nin, struct taf_array *out, void *plan, struct taf_err *e);
	enum taf_status (*move)(const struct cmd_step *s, struct taf_err *e);
	void *plan;	/* memory for what resolve finds and move needs, or NULL */
	/*
	 * Where the run has no operand (nfiles 0): the one array, before resolve sees it.
	 */
	const struct taf_array *alone;
	bool first;	/* resolve gets the first as it is: lengths need not agree */
};

/*
 * Run it over all steps (or the one that -N picks), and end.  The operands advance
 * together, array by array; one that has one array alone gives it to every step.  Other
 * counts that differ are TAF_EDATA: before any output, where it is regular files that
 * disagree.  What can be known of a step is refused before any output too.
 */
int cmd_combine(struct cmd_run *run, const struct cmd_combine *c, const void *intent);

/*
 * A remark on each input behind the first whose grid along some dimension is not that of
 * the result.  Dimension but (0: none) is passed over, and those of fewer points than
 * least.
 */
void cmd_remark_grids(const struct cmd_step *s, unsigned but, uint64_t least);

#endif
