/* SPDX-License-Identifier: ISC */
/* Places from a file: where the points of a line are, or where values are wanted. */
#ifndef TAF_OP_LINE_PLACES_H
#define TAF_OP_LINE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/temp.h"
#include "kernel/line/regrid.h"
#include "op/operand/tabular.h"

/* Zeroed there are none. */
struct taf_places {
	struct taf_regrid_table table;	/* points into the following two */
	struct taf_tabular values;
	struct taf_store nowhere;
	uint64_t n;
	const char *file;		/* lent */
};

/*
 * The values of the only array of a file, in their order.  What takes more memory than
 * bound lies in mapped files.  TAF_EDATA unless they are real, along one dimension, and,
 * if they are for points, finite, and ascend or descend strictly; of a spline, their
 * distances must not change too much.
 */
TAF_MUST enum taf_status taf_places_read(struct taf_places *p, const char *file,
    bool points, bool spline, uint64_t bound, struct taf_err *e);

/* Bytes of memory that they take. */
uint64_t taf_places_memory(const struct taf_places *p);

void taf_places_free(struct taf_places *p);

#endif
