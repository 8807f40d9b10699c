/* SPDX-License-Identifier: ISC */
/* What the files func*.c share; nobody else needs it. */
#ifndef TAF_KERNEL_FUNC_FUNC_BLOCK_H
#define TAF_KERNEL_FUNC_FUNC_BLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/attr.h"
#include "base/bits.h"
#include "kernel/func/func_tables.h"
#include "kernel/number/fast.h"
#include "kernel/number/two.h"

/*
 * Most values that a loop below gets.  It passes intermediate results from one short loop
 * to the next: a processor looks ahead some hundred instructions, and sees many values of
 * a short loop, but not the end of one value in a long one.
 */
enum { TAF_FUNC_BLOCK = 256 };

/* An array of them, a workspace */
#define TAF_FUNC_ROWS _Alignas(64) double

/*
 * A function as loops without branches, which give NaN where they cannot do an argument,
 * and another one for these arguments alone.  That of one argument never sees a NaN;
 * where it is NULL, the argument is outside of the domain.
 */
typedef void taf_func_loop(double *y, const double *x, size_t n);
typedef double taf_func_rest(double x);
typedef void taf_func_loop2(double *y, const double *a, const double *b, size_t n);
typedef double taf_func_rest2(double a, double b);

void taf_func_blocks(double *y, const double *x, size_t n, const char *name,
    taf_func_loop *loop, taf_func_rest *rest);
void taf_func_blocks2(double *y, const double *a, const double *b, size_t n,
    taf_func_loop2 *loop, taf_func_rest2 *rest);

/* The function taf_func_NAME by NAME_loop. */
#define TAF_FUNC(name, rest) \
void \
taf_func_##name(double *y, const double *x, size_t n) \
{ \
	taf_func_blocks(y, x, n, #name, name##_loop, rest); \
}

#define TAF_FUNC2(name) \
void \
taf_func_##name(double *y, const double *a, const double *b, size_t n) \
{ \
	taf_func_blocks2(y, a, b, n, name##_loop, name##_rest); \
}

uint64_t taf_func_count_nan(const double *y, size_t n);

#define TAF_FUNC_LOOP(name) \
TAF_WIDE_VOID(name, \
    (double *restrict y, const double *restrict x, size_t n), (y, x, n))

#define TAF_FUNC_LOOP2(name) \
TAF_WIDE_VOID(name, (double *restrict y, const double *restrict a, \
    const double *restrict b, size_t n), (y, a, b, n))

#define TAF_FUNC_NAN taf_of_bits64(0x7ff8000000000000u)
#define TAF_FUNC_INF taf_of_bits64(0x7ff0000000000000u)

/* The sum of this and of a number has the nearest whole number in its last bits. */
#define TAF_FUNC_WHOLE 0x1.8p52

static TAF_INLINE double
taf_func_abs(double x)
{
	return taf_of_bits64(taf_bits64(x) & 0x7fffffffffffffffu);
}

/*
 * All bits where the condition holds, else none.  Compilers make branches of conditions,
 * and do not vectorise them; a choice of two constants, and operators on bits, they do.
 */
static TAF_INLINE uint64_t
taf_func_mask(int condition)
{
	return taf_bits64(condition ? taf_of_bits64(~(uint64_t)0) : 0);
}

/* a where the mask has all bits, b where it has none. */
static TAF_INLINE double
taf_func_choose(uint64_t mask, double a, double b)
{
	return taf_of_bits64((taf_bits64(a) & mask) | (taf_bits64(b) & ~mask));
}

/* A mask: x is positive, normal and finite. */
static TAF_INLINE uint64_t
taf_func_normal(double x)
{
	return taf_func_mask(x >= 0x1p-1022) & taf_func_mask(x < TAF_FUNC_INF);
}

/* x between least and most, or NaN */
static TAF_INLINE double
taf_func_clamp(double x, double least, double most)
{
	x = taf_func_choose(taf_func_mask(x < least), least, x);
	return taf_func_choose(taf_func_mask(x > most), most, x);
}

/* Of a and b the first that is NaN, and quiet. */
static TAF_INLINE double
taf_func_first_nan(double a, double b)
{
	return taf_of_bits64(taf_bits64(a != a ? a : b) | 0x0008000000000000u);
}

/* y with the sign bit set where x has it. */
static TAF_INLINE double
taf_func_sign(double y, double x)
{
	const uint64_t sign = taf_bits64(x) & 0x8000000000000000u;

	return taf_of_bits64(taf_bits64(y) | sign);
}

/* 2^k for a whole number k of -1022 to 1023. */
static TAF_INLINE double
taf_func_power(double k)
{
	return taf_of_bits64(taf_bits64(k + (TAF_FUNC_WHOLE + 1023)) << 52);
}

/* The nearest whole number. */
static TAF_INLINE double
taf_func_round(double x)
{
	return (x + TAF_FUNC_WHOLE) - TAF_FUNC_WHOLE;
}

/* The sum of a and b, exactly; |a| >= |b|, or a is 0. */
static TAF_INLINE struct taf_two
taf_func_sum(double a, double b)
{
	struct taf_two s;

	s.hi = a + b;
	s.lo = b - (s.hi - a);
	return s;
}

/* The sum of any a and b, exactly. */
static TAF_INLINE struct taf_two
taf_func_any_sum(double a, double b)
{
	struct taf_two s;
	double part;

	s.hi = a + b;
	part = s.hi - a;
	s.lo = (a - (s.hi - part)) + (b - part);
	return s;
}

/* The first 26 bits of x, whose products with others of such are exact. */
static TAF_INLINE double
taf_func_head(double x)
{
	return taf_of_bits64(taf_bits64(x) & 0xfffffffff8000000u);
}

/* a b, but for some 2^-105 of it, where it is over 2^-960. */
static TAF_INLINE struct taf_two
taf_func_product(double a, double b)
{
	const double ah = taf_func_head(a), al = a - ah;
	const double bh = taf_func_head(b), bl = b - bh;
	struct taf_two p;

	p.hi = a * b;
	p.lo = ((ah * bh - p.hi) + (ah * bl + al * bh)) + al * bl;
	return p;
}

/* a / b for b from 2^-1000 to 2^1000; the first is the quotient but for 2 ULP. */
static TAF_INLINE struct taf_two
taf_func_quotient(struct taf_two a, struct taf_two b)
{
	const double part = 1 / b.hi;
	struct taf_two p, q;

	q.hi = a.hi * part;
	p = taf_func_product(q.hi, b.hi);
	q.lo = (((a.hi - p.hi) - p.lo) + (a.lo - q.hi * b.lo)) * part;
	return q;
}

#endif
