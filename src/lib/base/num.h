/* SPDX-License-Identifier: ISC */
/* Checked size arithmetic and strict number parsing, independent of the locale. */
#ifndef TAF_BASE_NUM_H
#define TAF_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/attr.h"

/* x - x is 0 for finite numbers alone; isfinite() takes libm on some systems. */
static inline bool
taf_is_finite(double x)
{
	return x - x == 0;
}

/* The nearest whole number, ties to even, of what is below 2^51. */
static inline double
taf_round_even(double x)
{
	/* no fraction is left beside it */
	const double large = 0x1.8p52;

	return x + large - large;
}

/* Bit for bit: a NaN is the same as itself, and -0 is not 0. */
static inline bool
taf_same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

/* *r = a * b and *r = a + b; false, with *r untouched, where the result does not fit. */
TAF_MUST bool taf_mul(uint64_t a, uint64_t b, uint64_t *r);
TAF_MUST bool taf_add(uint64_t a, uint64_t b, uint64_t *r);

/* Does a length from a file fit a size in memory? */
TAF_MUST bool taf_to_size(uint64_t a, size_t *r);

/*
 * Parse the whole of s[0..n).  No blanks, no trailing bytes; false, with the
 * result untouched, for anything else or where the value does not fit.
 */
TAF_MUST bool taf_parse_u64(const char *s, size_t n, uint64_t *r);	/* digits alone */
TAF_MUST bool taf_parse_hex(const char *s, size_t n, uint64_t *r);	/* 1 to 16 */
/* optional sign */
TAF_MUST bool taf_parse_i64(const char *s, size_t n, int64_t *r);
/* inf, nan included */
TAF_MUST bool taf_parse_f64(const char *s, size_t n, double *r);

/* A size in bytes with an optional k, M or G (powers of 1024). */
TAF_MUST bool taf_parse_size(const char *s, uint64_t *r);

#endif
