/* The values of a small array, read as a whole. */
#ifndef TAF_OP_OPERAND_TABULAR_H
#define TAF_OP_OPERAND_TABULAR_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

enum { TAF_TABULAR_MOST = 1 << 24 };	/* values */

/* An array of real numbers, and its values; of zeros for taf_tabular_free. */
struct taf_tabular {
	struct taf_array a;
	double *v;
};

/*
 * The only array of a file, not empty.  TAF_EDATA unless its values are real, and
 * TAF_TABULAR_MOST at most; messages call them what.
 */
TAF_MUST enum taf_status taf_tabular_read(const char *file, const char *what,
    struct taf_tabular *t, struct taf_err *e);
void taf_tabular_free(struct taf_tabular *t);

#endif
