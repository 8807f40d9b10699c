/* SPDX-License-Identifier: ISC */
/* The elements of an array in order, along one dimension. */
#ifndef TAF_OP_STAT_SORTING_H
#define TAF_OP_STAT_SORTING_H

#include <stdbool.h>

#include "base/attr.h"
#include "op/operand/move.h"

struct taf_sorting {
	unsigned dim;		/* that lines run along, from 1 */
	bool descending;
	/* not the elements, but where in its line each was */
	bool index;
};

/* out becomes the array of the results.  TAF_EDATA for complex elements. */
TAF_MUST taf_resolve taf_sorting_resolve;

/*
 * Sort each line by value, as kernel/stat/sort.h has it. Lines larger than the memory
 * are sorted through temporary files.
 */
TAF_MUST taf_mover taf_sorting;

#endif
