/* SPDX-License-Identifier: ISC */
/*
 * Elementary functions of blocks of doubles.
 *
 * All are computed here from additions, multiplications, divisions and square roots, as
 * IEEE 754 rounds them, and never by libm: the bits are the same on every processor and
 * for every compiler, whatever n is and wherever in a block a value stands.
 *
 * Errors are at most 1 ULP, also of subnormal results.  Near the zeros of lgamma(x) below
 * -2, though, the error is some 2^-60 of lgamma(10 - x).  If a function has one argument
 * and that is a flt32, the result is on the right side of the middle of two flt32.  So it
 * is correctly rounded when it is converted to flt32.
 *
 * Zeros, infinities and NaN go as annex F of C has them.  A NaN among the arguments comes
 * out as it is, but quiet; that of the first goes before that of the second.  Outside of
 * its domain a function is 0x7ff8000000000000.
 */
#ifndef TAF_KERNEL_FUNC_FUNC_H
#define TAF_KERNEL_FUNC_FUNC_H

#include <stddef.h>

/* y[i] = f(x[i]) for i < n; y may be x, but not overlap it otherwise. */
void taf_func_sqrt(double *y, const double *x, size_t n);
void taf_func_cbrt(double *y, const double *x, size_t n);
void taf_func_exp(double *y, const double *x, size_t n);
void taf_func_exp2(double *y, const double *x, size_t n);
void taf_func_expm1(double *y, const double *x, size_t n);
void taf_func_log(double *y, const double *x, size_t n);
void taf_func_log2(double *y, const double *x, size_t n);
void taf_func_log10(double *y, const double *x, size_t n);
void taf_func_log1p(double *y, const double *x, size_t n);
void taf_func_sin(double *y, const double *x, size_t n);
void taf_func_cos(double *y, const double *x, size_t n);
void taf_func_tan(double *y, const double *x, size_t n);
void taf_func_asin(double *y, const double *x, size_t n);
void taf_func_acos(double *y, const double *x, size_t n);
void taf_func_atan(double *y, const double *x, size_t n);
void taf_func_sinh(double *y, const double *x, size_t n);
void taf_func_cosh(double *y, const double *x, size_t n);
void taf_func_tanh(double *y, const double *x, size_t n);
void taf_func_asinh(double *y, const double *x, size_t n);
void taf_func_acosh(double *y, const double *x, size_t n);
void taf_func_atanh(double *y, const double *x, size_t n);
void taf_func_erf(double *y, const double *x, size_t n);
void taf_func_erfc(double *y, const double *x, size_t n);
/* The gamma function, NaN at its poles, and the logarithm of its absolute value. */
void taf_func_gamma(double *y, const double *x, size_t n);
void taf_func_lgamma(double *y, const double *x, size_t n);

/* y[i] = f(a[i], b[i]) for i < n; y may be a or b, but not overlap them otherwise. */
void taf_func_pow(double *y, const double *a, const double *b, size_t n);
void taf_func_atan2(double *y, const double *a, const double *b, size_t n);
void taf_func_hypot(double *y, const double *a, const double *b, size_t n);

#endif
