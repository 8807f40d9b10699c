/* SPDX-License-Identifier: ISC */
/* Arrays of files, a step at a time: one file behind the other, or all together. */
#ifndef TAF_OP_OPERAND_STEPS_H
#define TAF_OP_OPERAND_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "op/operand/arrays.h"
#include "stream/compute.h"
#include "stream/reader.h"

/* Where a step takes an array from. */
struct taf_lane {
	struct taf_arrays all;
	bool once;			/* it has one array, which serves all steps */
	/* of such a lane */
	struct taf_array first;		/* the array, when all is at its end */
	struct taf_reader *spool;	/* its elements, if they came through a pipe */
	struct taf_reader *again;	/* its elements in the present step */
};

/*
 * One lane of all files, or a lane for each.  These advance together, array by array; one
 * that has one array alone gives it to every step.  Other counts that differ are
 * TAF_EDATA.  Without a file there is one step, of nothing.  Zero-initialised but for
 * the first two.
 */
struct taf_steps {
	bool together;
	uint64_t pick;			/* of steps together: the last one, or 0 */
	struct taf_lane *lane;
	struct taf_operand *now;	/* of the step; values are wanted as flt64 */
	const char **name;		/* what messages call their files */
	unsigned n;
	uint64_t step;			/* from 1 */
};

/* Those of all, which is copied; close in any case. */
TAF_MUST enum taf_status taf_steps_open(struct taf_steps *s, const struct taf_arrays *all,
    struct taf_err *e);
void taf_steps_close(struct taf_steps *s);

/*
 * Call it in the first step, before elements are read.  If a lane may have several
 * arrays, the lanes that may have one keep it.
 */
TAF_MUST enum taf_status taf_steps_keep(struct taf_steps *s, struct taf_err *e);

/*
 * Go to the next step, whose arrays are then known; TAF_END behind the last.  They have
 * readers from taf_steps_begin to taf_steps_end, which completes those whose comment
 * comes late.
 */
TAF_MUST enum taf_status taf_steps_next(struct taf_steps *s, struct taf_err *e);
TAF_MUST enum taf_status taf_steps_begin(struct taf_steps *s, struct taf_err *e);
TAF_MUST enum taf_status taf_steps_end(struct taf_steps *s, struct taf_err *e);

/* Does another one follow? */
enum taf_next taf_steps_more(const struct taf_steps *s);

/* Behind the last step together: TAF_EDATA where the one that is picked has not come. */
TAF_MUST enum taf_status taf_steps_finish(struct taf_steps *s, struct taf_err *e);

#endif
