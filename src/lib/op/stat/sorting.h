/* The elements of an array in order, along one dimension. */
#ifndef TAF_OP_STAT_SORTING_H
#define TAF_OP_STAT_SORTING_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"

struct taf_sorting {
	/* of no pairs; its out is of a's type, or of int64 */
	const struct taf_along *along;
	bool descending;
	/* not the elements, but where in its line each was */
	bool index;
};

/*
 * Sort each line by value, as kernel/stat/sort.h has it. Lines larger than the memory
 * are sorted through temporary files.
 */
TAF_MUST enum taf_status taf_sorting(const struct taf_sorting *how, struct taf_err *e);

#endif
