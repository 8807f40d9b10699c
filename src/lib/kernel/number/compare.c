/* SPDX-License-Identifier: ISC */
#include "kernel/number/compare.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

enum { BLOCK = 512 };	/* values that are looked at as bytes first */

/* 2^64, which no uint64 is */
#define BEYOND 18446744073709551616.0

/* An integer of either type. */
struct whole {
	bool negative;
	uint64_t size;
};

static struct whole
whole_at(const void *p, enum taf_type type, size_t i)
{
	const unsigned char *at = (const unsigned char *)p + 8 * i;
	struct whole w = { false, 0 };

	memcpy(&w.size, at, sizeof w.size);
	w.negative = type == TAF_INT64 && w.size >> 63 != 0;
	if (w.negative)
		w.size = 0 - w.size;
	return w;
}

static double
to_double(struct whole w)
{
	return w.negative ? -(double)w.size : (double)w.size;
}

/* Their difference; false where that is beyond 64 bits. */
static bool
apart(struct whole a, struct whole b, uint64_t *size)
{
	if (a.negative == b.negative) {
		*size = a.size > b.size ? a.size - b.size : b.size - a.size;
		return true;
	}
	*size = a.size + b.size;
	return *size >= a.size;
}

/* How many numbers of the type lie between, one of them counted. */
static uint64_t
steps_64(double a, double b)
{
	int64_t x, y;

	memcpy(&x, &a, sizeof x);
	memcpy(&y, &b, sizeof y);
	x = x < 0 ? INT64_MIN - x : x;
	y = y < 0 ? INT64_MIN - y : y;
	return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static uint64_t
steps_32(double a, double b)
{
	const float fa = (float)a, fb = (float)b;
	int32_t x, y;

	memcpy(&x, &fa, sizeof x);
	memcpy(&y, &fb, sizeof y);
	x = x < 0 ? INT32_MIN - x : x;
	y = y < 0 ? INT32_MIN - y : y;
	return (uint64_t)(x > y ? (int64_t)x - y : (int64_t)y - x);
}

static bool
within_ulp(const struct taf_tolerance *t, double a, double b)
{
	if (!taf_is_finite(a) || !taf_is_finite(b))
		return a == b || (a != a && b != b);
	return (t->single ? steps_32(a, b) : steps_64(a, b)) <= t->ulp;
}

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

/*
 * A power of 2: times that, differences of values of this size do not overflow, and parts
 * of them keep their digits.
 */
static double
handy(double size)
{
	return size > 0x1p1000 ? 0x1p-100 : size < 0x1p-900 ? 0x1p100 : 1;
}

/* Is a difference of finite values, the larger of this size, within what is given? */
static bool
within(const struct taf_tolerance *t, double difference, double size)
{
	return (t->by_absolute && difference <= t->absolute) ||
	    (t->by_relative && difference <= t->relative * size);
}

/* The same of two doubles. */
static bool
doubles_within(const struct taf_tolerance *t, double x, double y)
{
	const double size = larger(fabs(x), fabs(y)), by = handy(size);

	return (t->by_absolute && fabs(x - y) <= t->absolute) ||
	    (t->by_relative && t->relative > 0 &&
	    fabs(x * by - y * by) <= t->relative * (size * by));
}

/* Length of a pair, the same on every machine. */
static double
length(double x, double y)
{
	const double a = fabs(x), b = fabs(y);
	const double most = larger(a, b), least = a > b ? b : a;

	if (most == 0 || !taf_is_finite(most) || least != least)
		return most + least;
	return most * sqrt(1 + least / most * (least / most));
}

/* One that differs; it has value number i of both. */
static void
note(struct taf_difference *d, const struct taf_compare *how, const void *a,
    const void *b, size_t i, uint64_t number)
{
	const size_t asize = taf_type_size(how->type[0]),
	    bsize = taf_type_size(how->type[1]);

	if (d->count++ > 0)
		return;
	d->first = number + i;
	memcpy(d->value[0], (const unsigned char *)a + i * asize, asize);
	memcpy(d->value[1], (const unsigned char *)b + i * bsize, bsize);
}

static void
measure(struct taf_difference *d, double difference, uint64_t whole)
{
	if (difference != difference)
		return;
	d->measured = true;
	if (difference > d->largest)
		d->largest = difference;
	if (whole > d->whole)
		d->whole = whole;
}

static void
compare_whole(const struct taf_compare *how, const void *a, const void *b, size_t n,
    uint64_t number, struct taf_difference *d)
{
	const struct taf_tolerance *t = &how->within;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct whole x = whole_at(a, how->type[0], i);
		const struct whole y = whole_at(b, how->type[1], i);
		uint64_t size;
		const bool fits = apart(x, y, &size);
		const double difference = fits ? (double)size : (double)x.size +
		    (double)y.size;

		if (fits && (size == 0 || (t->by_ulp && size <= t->ulp)))
			continue;
		if (within(t, difference, larger((double)x.size, (double)y.size)))
			continue;
		note(d, how, a, b, i, number);
		d->beyond = d->beyond || !fits;
		measure(d, difference, fits ? size : 0);
	}
}

/* The difference of an integer of 64 bits and a double, exact where both are near. */
static double
mixed_difference(struct whole w, double v)
{
	struct whole other;
	uint64_t size;

	other.negative = v < 0;
	/* none is as large, though the nearest double may be */
	if (fabs(v) >= BEYOND && w.size > 0 && w.negative == other.negative)
		return (fabs(v) - BEYOND) + (double)(0 - w.size);
	if (!(fabs(v) < BEYOND) || v != floor(v))
		return fabs(to_double(w) - v);
	other.size = (uint64_t)fabs(v);
	return apart(w, other, &size) ? (double)size : fabs(to_double(w) - v);
}

static void
compare_mixed(const struct taf_compare *how, const void *a, const void *b, size_t n,
    uint64_t number, struct taf_difference *d)
{
	const bool first = how->type[1] == TAF_FLT64;	/* is the integer */
	const enum taf_type type = how->type[first ? 0 : 1];
	const struct taf_tolerance *t = &how->within;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct whole w = whole_at(first ? a : b, type, i);
		double v, difference;

		memcpy(&v, (const unsigned char *)(first ? b : a) + 8 * i, sizeof v);
		difference = mixed_difference(w, v);
		if (difference == 0 || (taf_is_finite(v) &&
		    (within(t, difference, larger((double)w.size, fabs(v))) ||
		    (t->by_ulp && within_ulp(t, to_double(w), v)))))
			continue;
		note(d, how, a, b, i, number);
		measure(d, difference, 0);
	}
}

static void
compare_floats(const struct taf_compare *how, const double *a, const double *b, size_t n,
    uint64_t number, struct taf_difference *d)
{
	const struct taf_tolerance *t = &how->within;
	size_t i;

	for (i = 0; i < n; i++) {
		const double x = a[i], y = b[i], difference = fabs(x - y);

		if (x == y || (x != x && y != y))
			continue;
		if (taf_is_finite(x) && taf_is_finite(y) &&
		    (doubles_within(t, x, y) || (t->by_ulp && within_ulp(t, x, y))))
			continue;
		note(d, how, a, b, i, number);
		measure(d, difference, 0);
	}
}

/* A part against a part: 0 for what is equal or NaN both. */
static double
part_difference(double x, double y)
{
	return x == y || (x != x && y != y) ? 0 : fabs(x - y);
}

static bool
pairs_within(const struct taf_tolerance *t, double difference, const double *x,
    const double *y)
{
	const double most = larger(larger(fabs(x[0]), fabs(x[1])),
	    larger(fabs(y[0]), fabs(y[1])));
	const double by = handy(most), a[2] = { x[0] * by, x[1] * by };
	const double b[2] = { y[0] * by, y[1] * by };
	const double scaled = length(part_difference(a[0], b[0]),
	    part_difference(a[1], b[1]));

	return taf_is_finite(scaled) && ((t->by_absolute && difference <= t->absolute) ||
	    (t->by_relative && t->relative > 0 && scaled <= t->relative *
	    larger(length(a[0], a[1]), length(b[0], b[1]))));
}

static void
compare_pairs(const struct taf_compare *how, const double *a, const double *b, size_t n,
    uint64_t number, struct taf_difference *d)
{
	const struct taf_tolerance *t = &how->within;
	size_t i;

	for (i = 0; i < n; i++) {
		const double *x = a + 2 * i, *y = b + 2 * i;
		const double difference = length(part_difference(x[0], y[0]),
		    part_difference(x[1], y[1]));

		if (difference == 0)
			continue;
		if (pairs_within(t, difference, x, y))
			continue;
		if (t->by_ulp && within_ulp(t, x[0], y[0]) && within_ulp(t, x[1], y[1]))
			continue;
		note(d, how, a, b, i, number);
		measure(d, difference, 0);
	}
}

static void
compare_block(const struct taf_compare *how, const void *a, const void *b, size_t n,
    uint64_t number, struct taf_difference *d)
{
	const enum taf_type ta = how->type[0], tb = how->type[1];

	/* what is the same to the bit agrees */
	if (ta == tb && memcmp(a, b, n * taf_type_size(ta)) == 0)
		return;
	if (taf_type_is_int(ta) && taf_type_is_int(tb))
		compare_whole(how, a, b, n, number, d);
	else if (ta != tb)
		compare_mixed(how, a, b, n, number, d);
	else if (taf_type_is_pair(ta))
		compare_pairs(how, a, b, n, number, d);
	else
		compare_floats(how, a, b, n, number, d);
}

void
taf_compare(const struct taf_compare *how, const void *a, const void *b, size_t n,
    uint64_t number, struct taf_difference *d)
{
	const size_t asize = taf_type_size(how->type[0]),
	    bsize = taf_type_size(how->type[1]);
	const unsigned char *p = a, *q = b;
	size_t at, part;

	for (at = 0; at < n; at += part) {
		part = n - at < BLOCK ? n - at : BLOCK;
		compare_block(how, p + at * asize, q + at * bsize, part, number + at, d);
	}
}

void
taf_difference_join(struct taf_difference *d, const struct taf_difference *later)
{
	const uint64_t before = d->count;

	if (later->count == 0)
		return;
	if (before == 0) {
		*d = *later;
		return;
	}
	d->count += later->count;
	d->beyond = d->beyond || later->beyond;
	if (later->measured)
		measure(d, later->largest, later->whole);
}
