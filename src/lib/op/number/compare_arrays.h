/* SPDX-License-Identifier: ISC */
/* Two arrays held against each other, value by value, in bounded memory. */
#ifndef TAF_OP_NUMBER_COMPARE_ARRAYS_H
#define TAF_OP_NUMBER_COMPARE_ARRAYS_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/compare.h"
#include "stream/reader.h"
#include "stream/service.h"

/* One is real and the other complex: their values cannot be compared. */
bool taf_compare_refuses(const struct taf_array *a, const struct taf_array *b);

struct taf_compare_arrays {
	const struct taf_service *service;
	/* their present arrays a, of the same shape; nothing of them is read */
	struct taf_reader *r[2];
	const struct taf_array *a[2];
	struct taf_tolerance within;
};

/*
 * What their physical values differ by, in *d, which is 0 before; *how says the types of
 * the values there.  Integers are compared as such.
 */
TAF_MUST enum taf_status taf_compare_arrays(const struct taf_compare_arrays *what,
    struct taf_compare *how, struct taf_difference *d, struct taf_err *e);

#endif
