/* Quantiles of arrays, in memory. */
#ifndef TAF_OP_QUANTILES_H
#define TAF_OP_QUANTILES_H

#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/stat/reduce.h"
#include "stream/reader.h"
#include "stream/service.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero-initialised there are none. */
struct taf_quantiles {
	struct taf_reduction op[TAF_REDUCE_OPS];
	unsigned n;
};

/* "P,P,...", numbers from 0 to 1, none twice; TAF_EUSAGE where it is not that. */
TAF_MUST enum taf_status taf_quantiles_parse(struct taf_quantiles *q, const char *text,
    struct taf_err *e);

/* Indices first, first + 1, ... of a dimension, n of them; dim 0: the whole, n is 1. */
struct taf_quantiles_of {
	unsigned dim;
	uint64_t first, n;
};

/*
 * Quantile k of index i, over the finite physical values, is put at to[k * n + i]; NaN
 * where there is none.  They are exact, linear between neighbours.  r's present array is
 * a, whose elements taf_reader_random has made readable; r does not move.  The memory of
 * the service bounds what is taken beside to.
 */
TAF_MUST enum taf_status taf_quantiles(const struct taf_quantiles *q,
    const struct taf_quantiles_of *of, const struct taf_reader *r,
    const struct taf_array *a, double *to, const struct taf_service *service,
    struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
