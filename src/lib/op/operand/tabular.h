/* SPDX-License-Identifier: ISC */
/* The values of an array, read as a whole. */
#ifndef TAF_OP_OPERAND_TABULAR_H
#define TAF_OP_OPERAND_TABULAR_H

#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/temp.h"

enum { TAF_TABULAR_MOST = 1 << 24 };	/* values of a small one */

/* An array of real numbers, and its values.  A zeroed one may be freed, too. */
struct taf_tabular {
	struct taf_array a;
	double *v;		/* in store */
	struct taf_store store;
	uint64_t rounded;	/* integers that a double does not hold */
};

/*
 * The only array of a file, not empty.  TAF_EDATA unless its values are real; messages
 * call them what.  If bound is 0, there may be TAF_TABULAR_MOST.  Else there may be any
 * number, and those that take more bytes than bound lie in a mapped file.
 */
TAF_MUST enum taf_status taf_tabular_read(const char *file, const char *what,
    uint64_t bound, struct taf_tabular *t, struct taf_err *e);

/* The same, and TAF_EDATA where values lie along several dimensions. */
TAF_MUST enum taf_status taf_tabular_line(const char *file, const char *what,
    uint64_t bound, struct taf_tabular *t, struct taf_err *e);
void taf_tabular_free(struct taf_tabular *t);

#endif
