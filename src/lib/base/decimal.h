/* SPDX-License-Identifier: ISC */
/*
 * Numbers to decimal text and back, exactly, whatever the locale is.  The rounding mode
 * is taken to be to the nearest.
 */
#ifndef TAF_BASE_DECIMAL_H
#define TAF_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TAF_DECIMAL_MAX = 32	/* no printed number is longer, and so must buf be */
};

/*
 * Print the shortest digits that read back to the same double (float); of several
 * such, those nearest to x.  Returns the length; there is no NUL, and the rest of
 * buf's TAF_DECIMAL_MAX bytes may have been written over.
 *
 * The forms are nan (never signed), inf, 0, and d.ddd x 10^e as 5, 0.25, 100000
 * where -5 <= e < 17 (float: 10), as 2.5e-7, 1e22 elsewhere; with - where the sign
 * bit is set.
 */
size_t taf_print_f64(char *buf, double x);
size_t taf_print_f32(char *buf, float x);

/* The same for integers: all digits. */
size_t taf_print_u64(char *buf, uint64_t x);
size_t taf_print_i64(char *buf, int64_t x);

/*
 * How many MiB are done, and of how many with the share of them, unless total is 0.  A
 * signal handler may do that, too.
 */
enum { TAF_SHARE_SIZE = 64 };
size_t taf_print_share(char buf[TAF_SHARE_SIZE], uint64_t done, uint64_t total);

/*
 * Read the longest number at s, of the bytes before end.  Returns how many bytes it
 * has; 0, with *x untouched, where there is none.  No blanks are skipped.
 *
 * A number is an optional sign, then digits with an optional point before, among or
 * after them and an optional exponent (of "1e" and "1e+" just the "1" is read), or
 * nan, inf or infinity in any case.  There are no hexadecimal ones.
 *
 * Any number of digits is rounded once, to the nearest, ties to even.  What is too
 * large gives an infinity, what is too small a denormal or a zero of its sign, and
 * neither is an error: the return value is the same as for any number.
 */
size_t taf_scan_f64(const char *s, const char *end, double *x);
size_t taf_scan_f32(const char *s, const char *end, float *x);

/* What an integer of text was. */
enum taf_integer_kind {
	TAF_INTEGER_EXACT,
	TAF_INTEGER_ROUNDED,
	TAF_INTEGER_LARGE,	/* its magnitude does not fit 64 bits, or is infinite */
	TAF_INTEGER_NAN
};

struct taf_integer {
	enum taf_integer_kind kind;
	bool minus;
	uint64_t magnitude;	/* of the first two kinds */
};

/*
 * Read a number as taf_scan_f64 does, as an integer.  All digits count: it is rounded
 * once, to the nearest, halves away from zero.
 */
size_t taf_scan_integer(const char *s, const char *end, struct taf_integer *x);

#endif
