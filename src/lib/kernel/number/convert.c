/* SPDX-License-Identifier: ISC */
#include "kernel/number/convert_private.h"

#include "config.h"

#include "base/endian.h"
#include "kernel/number/fast.h"
#include "kernel/stat/extremes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * Integers go to integers directly, all else through a block of doubles that
 * stays in the first-level cache: each type needs one loop in and one loop out,
 * instead of one for each pair. Loops do one simple thing each, without branches,
 * because that is what compilers vectorise: a loop stores all elements and says
 * whether any did not fit; only then a second one looks for which.
 */
enum { BLOCK = 512 };

/*
 * (S)x clamped to what S and D have in common. Returns how many were changed.
 * The bounds are of type S, so that the loop compares elements in their own width.
 */
#define INT_TO_INT(S, smin, smax, D, dmin, dmax) \
TAF_FAST(uint64_t, S##_to_##D, \
    (unsigned char *restrict dst, const unsigned char *restrict src, size_t n), \
    (dst, src, n)) \
{ \
	const S##_t lo = (S##_t)((smin) > (dmin) ? (smin) : (dmin)); \
	const S##_t hi = (S##_t)((uint64_t)(smax) < (uint64_t)(dmax) \
	    ? (uint64_t)(smax) : (uint64_t)(dmax)); \
	uint64_t clipped = 0; \
	int differ = 0; \
\
	for (size_t i = 0; i < n; i++) { \
		S##_t x, c; \
		D##_t y; \
\
		memcpy(&x, src + i * sizeof x, sizeof x); \
		c = x < lo ? lo : x; \
		c = c > hi ? hi : c; \
		differ |= c != x; \
		y = (D##_t)c; \
		memcpy(dst + i * sizeof y, &y, sizeof y); \
	} \
	for (size_t i = 0; differ && i < n; i++) { \
		S##_t x; \
\
		memcpy(&x, src + i * sizeof x, sizeof x); \
		clipped += x < lo || x > hi; \
	} \
	return clipped; \
}

#define INT_TO_INTS(S, min, max) \
INT_TO_INT(S, min, max, int8, INT8_MIN, INT8_MAX) \
INT_TO_INT(S, min, max, uint8, 0, UINT8_MAX) \
INT_TO_INT(S, min, max, int16, INT16_MIN, INT16_MAX) \
INT_TO_INT(S, min, max, uint16, 0, UINT16_MAX) \
INT_TO_INT(S, min, max, int32, INT32_MIN, INT32_MAX) \
INT_TO_INT(S, min, max, uint32, 0, UINT32_MAX) \
INT_TO_INT(S, min, max, int64, INT64_MIN, INT64_MAX) \
INT_TO_INT(S, min, max, uint64, 0, UINT64_MAX)

INT_TO_INTS(int8, INT8_MIN, INT8_MAX)
INT_TO_INTS(uint8, 0, UINT8_MAX)
INT_TO_INTS(int16, INT16_MIN, INT16_MAX)
INT_TO_INTS(uint16, 0, UINT16_MAX)
INT_TO_INTS(int32, INT32_MIN, INT32_MAX)
INT_TO_INTS(uint32, 0, UINT32_MAX)
INT_TO_INTS(int64, INT64_MIN, INT64_MAX)
INT_TO_INTS(uint64, 0, UINT64_MAX)

#define ROW(S) \
{ [TAF_INT8] = S##_to_int8, [TAF_UINT8] = S##_to_uint8, \
  [TAF_INT16] = S##_to_int16, [TAF_UINT16] = S##_to_uint16, \
  [TAF_INT32] = S##_to_int32, [TAF_UINT32] = S##_to_uint32, \
  [TAF_INT64] = S##_to_int64, [TAF_UINT64] = S##_to_uint64 }

static uint64_t (*const int_to_int[TAF_NTYPES][TAF_NTYPES])(unsigned char *restrict,
    const unsigned char *restrict, size_t) = {
	[TAF_INT8] = ROW(int8), [TAF_UINT8] = ROW(uint8), [TAF_INT16] = ROW(int16),
	[TAF_UINT16] = ROW(uint16), [TAF_INT32] = ROW(int32), [TAF_UINT32] = ROW(uint32),
	[TAF_INT64] = ROW(int64), [TAF_UINT64] = ROW(uint64)
};

/*
 * 64-bit integers to floats of DIG binary digits, rounded once. Those change that
 * have more than DIG digits from the first 1 to the last, which is m >> DIG >= low
 * (for m = 0, low - 1 wraps to the largest number).
 */
#define WIDE_TO_FLOAT(S, D, DIG) \
TAF_FAST_VOID(S##_to_##D, \
    (unsigned char *restrict dst, const unsigned char *restrict src, size_t n, \
    uint64_t *rounded), (dst, src, n, rounded)) \
{ \
	uint64_t changed = 0; \
\
	for (size_t i = 0; i < n; i++) { \
		S##_t x; \
		D y; \
\
		memcpy(&x, src + i * sizeof x, sizeof x); \
		y = (D)x; \
		memcpy(dst + i * sizeof y, &y, sizeof y); \
	} \
	if (!rounded) \
		return; \
	for (size_t i = 0; i < n; i++) { \
		S##_t x; \
		uint64_t m, low; \
\
		memcpy(&x, src + i * sizeof x, sizeof x); \
		m = x > 0 ? (uint64_t)x : 0 - (uint64_t)x; \
		low = m & (0 - m); \
		changed += m >> DIG > low - 1; \
	} \
	*rounded = changed; \
}

WIDE_TO_FLOAT(int64, float, FLT_MANT_DIG)
WIDE_TO_FLOAT(int64, double, DBL_MANT_DIG)
WIDE_TO_FLOAT(uint64, float, FLT_MANT_DIG)
WIDE_TO_FLOAT(uint64, double, DBL_MANT_DIG)

static void (*const wide_to_float[2][2])(unsigned char *restrict,
    const unsigned char *restrict, size_t, uint64_t *) = {
	{ int64_to_float, int64_to_double }, { uint64_to_float, uint64_to_double }
};

/* v[i] = a + b * (double)src[i]; v is unaligned, too: it may be the destination. */
#define LOAD(name, T, D) \
TAF_FAST_VOID(name, \
    (unsigned char *restrict v, const unsigned char *restrict src, size_t n, \
    double a, double b), (v, src, n, a, b)) \
{ \
	for (size_t i = 0; i < n; i++) { \
		T x; \
		D y; \
\
		memcpy(&x, src + i * sizeof x, sizeof x); \
		y = (D)(a + b * (double)x); \
		memcpy(v + i * sizeof y, &y, sizeof y); \
	} \
}

LOAD(load_int32, int32_t, double)
LOAD(load_uint32, uint32_t, double)
LOAD(load_int64, int64_t, double)
LOAD(load_uint64, uint64_t, double)
LOAD(load_flt32, float, double)
LOAD(load_flt64, double, double)
LOAD(int32_to_flt32, int32_t, float)

static void (*const load_from[TAF_NTYPES])(unsigned char *restrict,
    const unsigned char *restrict, size_t, double, double) = {
	[TAF_INT32] = load_int32, [TAF_UINT32] = load_uint32, [TAF_INT64] = load_int64,
	[TAF_UINT64] = load_uint64, [TAF_FLT32] = load_flt32, [TAF_FLT64] = load_flt64
};

#define FLOAT_TO(name, S, D) \
TAF_FAST_VOID(name, \
    (unsigned char *restrict dst, const unsigned char *restrict src, size_t n), \
    (dst, src, n)) \
{ \
	for (size_t i = 0; i < n; i++) { \
		S x; \
		D y; \
\
		memcpy(&x, src + i * sizeof x, sizeof x); \
		y = (D)x; \
		memcpy(dst + i * sizeof y, &y, sizeof y); \
	} \
}

FLOAT_TO(flt32_to_double, float, double)
FLOAT_TO(double_to_flt32, double, float)

/*
 * Small integers become int32 in scratch, which is returned: what compilers make of a
 * loop whose widths differ less is faster, two loops included.
 */
static const unsigned char *
widen(int32_t *scratch, const unsigned char *src, enum taf_type *stype, size_t n)
{
	if (load_from[*stype] != NULL)
		return src;
	(void)int_to_int[*stype][TAF_INT32]((unsigned char *)scratch, src, n);
	*stype = TAF_INT32;
	return (const unsigned char *)scratch;
}

/* n <= BLOCK elements as doubles. */
static void
load(unsigned char *v, const unsigned char *src, enum taf_type stype, size_t n,
    const double *mapping)
{
	int32_t scratch[BLOCK];

	src = widen(scratch, src, &stype, n);
	load_from[stype](v, src, n, mapping[0], mapping[1]);
}

/* -0.0 + 1.0 * x is x, -0, infinities and NaN included. */
static const double unmapped[2] = { -0.0, 1.0 };

/*
 * What doubles an integer type holds, and the values strictly between which all
 * are in range once they are rounded.
 */
static const struct {
	double min, max, below, above;
} limits[TAF_NTYPES] = {
	[TAF_INT8] = { INT8_MIN, INT8_MAX, -128.5, 127.5 },
	[TAF_UINT8] = { 0, UINT8_MAX, -0.5, 255.5 },
	[TAF_INT16] = { INT16_MIN, INT16_MAX, -32768.5, 32767.5 },
	[TAF_UINT16] = { 0, UINT16_MAX, -0.5, 65535.5 },
	[TAF_INT32] = { INT32_MIN, INT32_MAX, -2147483648.5, 2147483647.5 },
	[TAF_UINT32] = { 0, UINT32_MAX, -0.5, 4294967295.5 },
	[TAF_INT64] = { -0x1p63, 0x1.fffffffffffffp62, -0x1.0000000000001p63, 0x1p63 },
	[TAF_UINT64] = { 0, 0x1.fffffffffffffp63, -0.5, 0x1p64 }
};

/* Copy v to t with 0 for what is out of range or NaN. Returns how many are. */
TAF_FAST(uint64_t, fence,
    (double *restrict t, const unsigned char *restrict v, size_t n, double below,
    double above), (t, v, n, below, above))
{
	uint64_t out = 0;

	for (size_t i = 0; i < n; i++) {
		double x;

		memcpy(&x, v + i * sizeof x, sizeof x);
		x = x > below ? x : 0;
		t[i] = x < above ? x : 0;
	}
	for (size_t i = 0; i < n; i++) {
		double x;

		memcpy(&x, v + i * sizeof x, sizeof x);
		out += t[i] != x;
	}
	return out;
}

/* Copy v to t with min or max for what is out of range, 0 for NaN. */
TAF_FAST_VOID(saturate,
    (double *restrict t, const unsigned char *restrict v, size_t n, double min,
    double max), (t, v, n, min, max))
{
	for (size_t i = 0; i < n; i++) {
		double x;

		memcpy(&x, v + i * sizeof x, sizeof x);
		x = x < min ? min : x;
		x = x > max ? max : x;
		t[i] = x == x ? x : 0;
	}
}

/* The largest double below 1/2: adding 1/2 would take this very number to 1. */
#define HALF 0x1.fffffffffffffp-2

/* How many results are unlike their value. */
#define CHANGED(D, T) \
TAF_FAST(uint64_t, changed_##D, \
    (const unsigned char *dst, const unsigned char *v, size_t n), (dst, v, n)) \
{ \
	uint64_t changed = 0; \
\
	for (size_t i = 0; i < n; i++) { \
		double x; \
		T y; \
\
		memcpy(&x, v + i * sizeof x, sizeof x); \
		memcpy(&y, dst + i * sizeof y, sizeof y); \
		changed += (double)y != x; \
	} \
	return changed; \
}

/*
 * D from doubles that fit it, rounded to the nearest, halves away from zero; C is
 * a type that is fast to convert to.
 */
#define DOUBLE_TO(D, T, C) \
TAF_FAST_VOID(double_to_##D, \
    (unsigned char *restrict dst, double *restrict t, size_t n), (dst, t, n)) \
{ \
	for (size_t i = 0; i < n; i++) { \
		double x = t[i] + (t[i] < 0 ? -HALF : HALF); \
		T y = (T)(C)x; \
\
		memcpy(dst + i * sizeof y, &y, sizeof y); \
	} \
} \
CHANGED(D, T)

CHANGED(flt32, float)
DOUBLE_TO(int8, int8_t, int32_t)
DOUBLE_TO(uint8, uint8_t, int32_t)
DOUBLE_TO(int16, int16_t, int32_t)
DOUBLE_TO(uint16, uint16_t, int32_t)
DOUBLE_TO(int32, int32_t, int32_t)
DOUBLE_TO(uint32, uint32_t, int64_t)
DOUBLE_TO(int64, int64_t, int64_t)
DOUBLE_TO(uint64, uint64_t, uint64_t)

static const struct {
	void (*convert)(unsigned char *restrict, double *restrict, size_t);
	uint64_t (*changed)(const unsigned char *, const unsigned char *, size_t);
} double_to_int[TAF_NTYPES] = {
	[TAF_INT8] = { double_to_int8, changed_int8 },
	[TAF_UINT8] = { double_to_uint8, changed_uint8 },
	[TAF_INT16] = { double_to_int16, changed_int16 },
	[TAF_UINT16] = { double_to_uint16, changed_uint16 },
	[TAF_INT32] = { double_to_int32, changed_int32 },
	[TAF_UINT32] = { double_to_uint32, changed_uint32 },
	[TAF_INT64] = { double_to_int64, changed_int64 },
	[TAF_UINT64] = { double_to_uint64, changed_uint64 }
};

/* The largest 64-bit integer, which no double equals, for what is above all of them. */
static void
saturate64(unsigned char *dst, enum taf_type dtype, const unsigned char *v, size_t n)
{
	const uint64_t max = dtype == TAF_INT64 ? INT64_MAX : UINT64_MAX;

	for (size_t i = 0; i < n; i++) {
		double x;

		memcpy(&x, v + i * sizeof x, sizeof x);
		if (x >= limits[dtype].above)
			memcpy(dst + i * sizeof max, &max, sizeof max);
	}
}

/* Doubles to an integer type. Returns how many were clipped; rounded may be NULL. */
static uint64_t
store_int(unsigned char *dst, enum taf_type dtype, const unsigned char *v, size_t n,
    uint64_t *rounded)
{
	double t[BLOCK];
	uint64_t clipped = fence(t, v, n, limits[dtype].below, limits[dtype].above);

	if (clipped > 0)
		saturate(t, v, n, limits[dtype].min, limits[dtype].max);
	double_to_int[dtype].convert(dst, t, n);
	if (rounded)
		*rounded = double_to_int[dtype].changed(dst, v, n) - clipped;
	if (clipped > 0 && (dtype == TAF_INT64 || dtype == TAF_UINT64))
		saturate64(dst, dtype, v, n);
	return clipped;
}

/* Doubles to flt32. Returns how many were clipped; rounded may be NULL. */
static uint64_t
store_flt32(unsigned char *dst, const unsigned char *v, size_t n, uint64_t *rounded)
{
	uint64_t clipped = 0, nan = 0;

	double_to_flt32(dst, v, n);
	if (rounded)
		*rounded = changed_flt32(dst, v, n);
	if (taf_finite_flt32(dst, n))
		return 0;
	for (size_t i = 0; i < n; i++) {
		double x;
		float y;

		memcpy(&x, v + i * sizeof x, sizeof x);
		memcpy(&y, dst + i * sizeof y, sizeof y);
		nan += x != x;
		if (y - y != 0 && x - x == 0) {
			y = x < 0 ? -FLT_MAX : FLT_MAX;
			memcpy(dst + i * sizeof y, &y, sizeof y);
			clipped++;
		}
	}
	if (rounded)
		*rounded -= clipped + nan;
	return clipped;
}

static bool
fits_flt32(double v)
{
	const float y = (float)v;

	return y - y == 0;
}

/*
 * Integers that int32 holds straight to flt32, if the largest and the smallest fit, since
 * all others do then; false if not.
 */
static bool
small_to_flt32(unsigned char *dst, const unsigned char *src, enum taf_type stype,
    size_t n, const double *mapping)
{
	const double a = mapping[0], b = mapping[1];
	int32_t scratch[BLOCK];

	if (!taf_type_is_int(stype) || stype == TAF_UINT32 || taf_type_size(stype) > 4 ||
	    !fits_flt32(a + b * limits[stype].min) ||
	    !fits_flt32(a + b * limits[stype].max))
		return false;
	src = widen(scratch, src, &stype, n);
	int32_to_flt32(dst, src, n, a, b);
	return true;
}

/* Convert n <= BLOCK elements. Returns how many were clipped; rounded may be NULL. */
static uint64_t
convert_block(unsigned char *dst, enum taf_type dtype, const unsigned char *src,
    enum taf_type stype, size_t n, const double *mapping, uint64_t *rounded)
{
	double block[BLOCK];

	if (rounded)
		*rounded = 0;
	if (!mapping) {
		if (int_to_int[stype][dtype] != NULL)
			return int_to_int[stype][dtype](dst, src, n);
		if (stype == TAF_INT64 || stype == TAF_UINT64) {
			wide_to_float[stype == TAF_UINT64][dtype == TAF_FLT64](dst, src,
			    n, rounded);
			return 0;
		}
		if (stype == TAF_FLT64)
			return dtype == TAF_FLT32 ? store_flt32(dst, src, n, rounded) :
			    store_int(dst, dtype, src, n, rounded);
		if (stype == TAF_FLT32 && dtype == TAF_FLT64) {
			flt32_to_double(dst, src, n);
			return 0;
		}
		mapping = unmapped;
	}
	if (dtype == TAF_FLT32 && !rounded && small_to_flt32(dst, src, stype, n, mapping))
		return 0;
	load(dtype == TAF_FLT64 ? dst : (unsigned char *)block, src, stype, n, mapping);
	if (dtype == TAF_FLT64)
		return 0;
	if (dtype == TAF_FLT32)
		return store_flt32(dst, (unsigned char *)block, n, rounded);
	return store_int(dst, dtype, (unsigned char *)block, n, rounded);
}

/* Pairs as the real numbers that they are, up to the first that is none. */
static size_t
real_pairs(unsigned char *d, enum taf_type dtype, const unsigned char *s,
    enum taf_type stype, size_t n, bool clip, struct taf_convert_count *count)
{
	const enum taf_type component = taf_type_facts(stype)->component;
	const size_t dsize = taf_type_size(dtype), ssize = taf_type_size(stype);
	double part[2 * BLOCK], re[BLOCK];
	size_t i, k, step, good;

	for (i = 0; i < n; i += step) {
		step = n - i < BLOCK ? n - i : BLOCK;
		(void)taf_convert(part, TAF_FLT64, s + i * ssize, component, 2 * step,
		    NULL, false, NULL);
		for (k = 0; k < step && part[2 * k + 1] == 0; k++)
			re[k] = part[2 * k];
		good = taf_convert(d + i * dsize, dtype, re, TAF_FLT64, k, NULL, clip,
		    count);
		if (good < step)
			return i + good;
	}
	return n;
}

size_t
taf_convert(void *dst, enum taf_type dtype, const void *src, enum taf_type stype,
    size_t n, const double *mapping, bool clip, struct taf_convert_count *count)
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	size_t dsize = taf_type_size(dtype), ssize = taf_type_size(stype);
	size_t i, step, most = BLOCK;
	uint64_t clipped, rounded;

	if (!taf_type_known(dtype) || !taf_type_known(stype) ||
	    (taf_type_is_pair(dtype) && !taf_type_is_pair(stype)))
		return 0;
	if (dtype == stype && !mapping) {
		if (n > 0)
			memcpy(dst, src, n * ssize);
		return n;
	}
	if (taf_type_is_pair(stype) && !taf_type_is_pair(dtype))
		return real_pairs(d, dtype, s, stype, n, clip, count);
	if (taf_type_is_pair(stype))
		return taf_convert(dst, taf_type_facts(dtype)->component, src,
		    taf_type_facts(stype)->component, 2 * n, NULL, clip, count) / 2;
	for (i = 0; i < n; i += step) {
		step = n - i < most ? n - i : most;
		clipped = convert_block(d + i * dsize, dtype, s + i * ssize, stype, step,
		    mapping, count ? &rounded : NULL);
		if (clipped > 0 && !clip) {
			if (step == 1)
				break;
			/* again, one by one, up to the first that does not fit */
			most = 1;
			step = 0;
		} else if (count) {
			count->clipped += clipped;
			count->rounded += rounded;
		}
	}
	return i;
}

#define SWAP(bytes, bits) \
TAF_FAST_VOID(swap##bytes, (unsigned char *p, size_t n), (p, n)) \
{ \
	for (size_t i = 0; i < n; i++) { \
		uint##bits##_t x; \
\
		memcpy(&x, p + i * sizeof x, sizeof x); \
		x = taf_swap##bits(x); \
		memcpy(p + i * sizeof x, &x, sizeof x); \
	} \
}

SWAP(2, 16)
SWAP(4, 32)
SWAP(8, 64)

void
taf_swap_bytes(void *p, size_t word, size_t n)
{
	if (word == 2)
		swap2(p, n);
	else if (word == 4)
		swap4(p, n);
	else if (word == 8)
		swap8(p, n);
}

bool
taf_swap_needed(enum taf_type type, bool big)
{
	return big != taf_host_is_big() && taf_type_word(type) > 1;
}

void
taf_swap_elements(void *p, enum taf_type type, size_t n)
{
	taf_swap_bytes(p, taf_type_word(type), n * taf_type_facts(type)->components);
}

void
taf_range_join(struct taf_range *r, const struct taf_range *more)
{
	if (more->finite > 0 && (r->finite == 0 || more->min < r->min))
		r->min = more->min;
	if (more->finite > 0 && (r->finite == 0 || more->max > r->max))
		r->max = more->max;
	r->finite += more->finite;
	r->nan += more->nan;
	r->inf += more->inf;
}

/* Keep the finite ones of n values, and count the others. */
static size_t
keep_finite(struct taf_range *r, double *v, size_t n)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i] - v[i] == 0)
			v[m++] = v[i];
		else if (v[i] != v[i])
			r->nan++;
		else
			r->inf++;
	return m;
}

void
taf_range_add(struct taf_range *r, const void *src, enum taf_type stype, size_t n)
{
	const unsigned char *s = src;
	size_t step, ssize = taf_type_size(stype);
	double v[BLOCK];

	for (size_t i = 0; i < n; i += step, s += step * ssize) {
		struct taf_range more = { 0 };

		step = n - i < BLOCK ? n - i : BLOCK;
		more.finite = step;
		if (stype == TAF_FLT32 && taf_finite_flt32(s, step)) {
			taf_extremes_flt32(s, step, &more.min, &more.max);
		} else {
			load((unsigned char *)v, s, stype, step, unmapped);
			if (!taf_finite_flt64(v, step))
				more.finite = keep_finite(&more, v, step);
			if (more.finite > 0)
				taf_extremes_flt64(v, (size_t)more.finite, &more.min,
				    &more.max);
		}
		taf_range_join(r, &more);
	}
}

/*
 * Steps of slope from intercept, to doubles; are all between the limits?  The division
 * takes so long that all else costs nothing.
 */
#define TO_STEPS(S, T) \
TAF_FAST(bool, S##_to_steps, \
    (double *restrict t, const unsigned char *restrict src, size_t n, double intercept, \
    double slope, double below, double above), \
    (t, src, n, intercept, slope, below, above)) \
{ \
	uint64_t within = 1; \
\
	for (size_t i = 0; i < n; i++) { \
		T x; \
\
		memcpy(&x, src + i * sizeof x, sizeof x); \
		t[i] = ((double)x - intercept) / slope; \
		within &= (t[i] > below) & (t[i] < above); \
	} \
	return within != 0; \
}

TO_STEPS(flt32, float)
TO_STEPS(flt64, double)

/* Do doubles have fewer digits than its integers? */
static bool
is_long(enum taf_type type)
{
	return type == TAF_INT64 || type == TAF_UINT64;
}

/*
 * How many quotients are beyond the limits of integers of 64 bits, but by no more than
 * doubles are apart where their values and the intercept are.
 */
static uint64_t
at_limits(enum taf_type dtype, const double *v, size_t n, double intercept, double slope)
{
	const double min = limits[dtype].min, max = limits[dtype].above;
	const double more = fabs(intercept / slope) * 0x1p-51 + max * 0x1p-51;
	uint64_t at = 0;

	for (size_t i = 0; i < n && is_long(dtype); i++)
		at += (v[i] >= max && v[i] <= max + more) ||
		    (v[i] <= limits[dtype].below && v[i] >= min - more);
	return at;
}

size_t
taf_quantize(void *dst, enum taf_type dtype, const void *src, enum taf_type stype,
    size_t n, double intercept, double slope, uint64_t *clipped)
{
	const double below = limits[dtype].below, above = limits[dtype].above;
	unsigned char *d = dst;
	const unsigned char *s = src;
	size_t step, dsize = taf_type_size(dtype), ssize = taf_type_size(stype);
	double v[BLOCK];
	bool within;

	for (size_t i = 0; i < n; i += step, d += step * dsize, s += step * ssize) {
		step = n - i < BLOCK ? n - i : BLOCK;
		within = stype == TAF_FLT32 ?
		    flt32_to_steps(v, s, step, intercept, slope, below, above) :
		    flt64_to_steps(v, s, step, intercept, slope, below, above);
		if (within)
			double_to_int[dtype].convert(d, v, step);
		else
			*clipped += store_int(d, dtype, (unsigned char *)v, step, NULL) -
			    at_limits(dtype, v, step, intercept, slope);
	}
	return n;
}

/* Whether x is stored unclipped, with end as that integer, and reads back finite. */
static bool
holds(double x, enum taf_type dtype, double intercept, double slope, const uint64_t *end)
{
	const double mapping[2] = { intercept, slope };
	unsigned char stored[sizeof(uint64_t)];
	uint64_t clipped = 0;
	double back;

	taf_quantize(stored, dtype, &x, TAF_FLT64, 1, intercept, slope, &clipped);
	taf_convert(&back, TAF_FLT64, stored, dtype, 1, mapping, false, NULL);
	return clipped == 0 && back - back == 0 &&
	    (end == NULL || taf_type_load(dtype, stored) == *end);
}

/* Whether both ends of a range are, and with exact become those of the integers. */
static bool
holds_all(const struct taf_range *r, enum taf_type dtype, double intercept, double slope,
    bool exact)
{
	const struct taf_type_facts *f = taf_type_facts(dtype);
	const uint64_t min = (uint64_t)f->min, max = f->max;

	return holds(r->min, dtype, intercept, slope, exact ? &min : NULL) &&
	    holds(r->max, dtype, intercept, slope, exact ? &max : NULL);
}

/* Where codes of a slope begin: at the smallest value, or symmetric to 0. */
enum codes { FROM_MIN, CENTRED, SYMMETRIC };

/*
 * Wider than b0 by 0, e, -e, 3e, -3e, 7e ... until nothing leaves a range by rounding;
 * with exact narrower by 0, e, 2e ... until both ends are those of the integers.
 */
static bool
find_slope(const struct taf_range *r, enum taf_type dtype, enum codes codes, double b0,
    bool exact, double map[2])
{
	const double most = exact ? 0x1p-41 : 0x1p-20;
	double more;

	for (more = 0; b0 > 0 && more < most && more > -most; more = exact ?
	    more - DBL_EPSILON : more > 0 ? -more : DBL_EPSILON - 2 * more) {
		map[1] = b0 + b0 * more;
		map[0] = codes == SYMMETRIC ? 0 : codes == CENTRED ? (r->min / 2 +
		    r->max / 2) + map[1] / 2 : r->min - map[1] * limits[dtype].min;
		if (holds_all(r, dtype, map[0], map[1], exact))
			return true;
		/* its own rounding may be in the way, too */
		map[0] += exact ? map[0] * DBL_EPSILON : 0;
		if (exact && holds_all(r, dtype, map[0], map[1], true))
			return true;
		map[0] -= exact ? 2 * map[0] * DBL_EPSILON : 0;
		if (exact && holds_all(r, dtype, map[0], map[1], true))
			return true;
	}
	return false;
}

bool
taf_quantize_plan(const struct taf_range *r, enum taf_type dtype, double *intercept,
    double *slope)
{
	const double imin = limits[dtype].min, imax = limits[dtype].max;
	const double span = r->max - r->min;
	const bool wide = span > DBL_MAX;
	const enum codes codes = wide ? CENTRED : FROM_MIN;
	double b0, map[2];
	bool found;

	if (r->finite == 0 || (wide && imin == 0))
		return false;
	if (r->min == r->max) {
		*intercept = r->min;
		*slope = 1;
		return true;
	}
	b0 = wide ? r->max / (imax - imin) - r->min / (imax - imin) :
	    span / (imax - imin);
	found = find_slope(r, dtype, codes, b0, true, map) ||
	    find_slope(r, dtype, codes, b0, false, map);
	/* slope * imin would overflow otherwise */
	if (!found && wide)
		found = find_slope(r, dtype, SYMMETRIC,
		    (r->max > -r->min ? r->max : -r->min) / imax, false, map);
	if (!found) {
		/*
		 * A step is so much smaller than the spacing of doubles here that the
		 * intercept is off by many. With codes from 0 up it is exact; that takes
		 * two steps in one, and three where b0 is denormal and was rounded down.
		 */
		map[0] = r->min;
		map[1] = b0 > 0 ? 3 * b0 : DBL_TRUE_MIN;
		found = holds_all(r, dtype, map[0], map[1], false);
	}
	if (found) {
		*intercept = map[0];
		*slope = map[1];
	}
	return found;
}
