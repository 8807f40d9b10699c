/* SPDX-License-Identifier: ISC */
/* kernel/number/compare against what its header says, and in any cut. */
/* link: m */
#include "kernel/number/compare.h"

#include <float.h>
#include <math.h>

#include "unit.h"

enum { MOST = 1500 };

/* Are there at most n numbers from a to b, one of them counted? */
static bool
is_near(double a, double b, uint64_t n, bool single)
{
	float f = (float)a;

	if (!isfinite(a) || !isfinite(b))
		return a == b || (isnan(a) && isnan(b));
	for (; n > 0; n--)
		if (single)
			f = nextafterf(f, (float)b);
		else
			a = nextafter(a, b);
	return single ? f == (float)b : a == b;
}

static double
draw_value(void)
{
	static const double special[] = { 0, -0.0, NAN, INFINITY, -INFINITY, 1e300,
		-1e300,
		5e-324, DBL_MAX };

	return draw(5) == 0 ? special[draw(9)] : (double)draw(41) / 4 - 5;
}

/* Near it, or elsewhere. */
static double
draw_other(double x)
{
	unsigned k;

	switch (draw(5)) {
	case 0:
		return x;
	case 1:
		return draw_value();
	case 2:
		return x * (1 + (double)draw(9) * 1e-9);
	default:
		for (k = draw(4); k > 0; k--)
			x = draw(3) == 0 ? (double)nextafterf((float)x, 9) :
			    nextafter(x, 9);
		return x;
	}
}

static struct taf_tolerance
draw_tolerance(void)
{
	struct taf_tolerance t = { .by_absolute = draw(2) == 0,
		.by_relative = draw(2) == 0,
		.by_ulp = draw(2) == 0 };

	t.absolute = draw(3) == 0 ? 0 : draw(2) == 0 ? 0.25 : 1e-12;
	t.relative = draw(2) == 0 ? 1e-9 : 0.1;
	t.ulp = draw(4);
	t.single = draw(3) == 0;
	return t;
}

static bool
agree(const struct taf_tolerance *t, double x, double y)
{
	const double off = fabs(x - y), size = fmax(fabs(x), fabs(y));

	if (x == y || (isnan(x) && isnan(y)))
		return true;
	if (!isfinite(x) || !isfinite(y))
		return false;
	return (t->by_absolute && off <= t->absolute) ||
	    (t->by_relative && off <= t->relative * size) ||
	    (t->by_ulp && is_near(x, y, t->ulp, t->single));
}

static bool
pairs_agree(const struct taf_tolerance *t, const double *x, const double *y)
{
	const double most = fmax(fmax(fabs(x[0]), fabs(x[1])), fmax(fabs(y[0]),
	    fabs(y[1])));
	/* hypot overflows where its parts do not, and tiny products have few digits */
	const double by = most > 1e300 ? 0x1p-8 : most < 1e-290 ? 0x1p100 : 1;
	double part[2], off, size, scaled;

	for (int k = 0; k < 2; k++)
		part[k] = x[k] == y[k] || (isnan(x[k]) && isnan(y[k])) ? 0 : x[k] - y[k];
	off = hypot(part[0], part[1]);
	scaled = by == 1 ? off : hypot(part[0] == 0 ? 0 : x[0] * by - y[0] * by,
	    part[1] == 0 ? 0 : x[1] * by - y[1] * by);
	size = fmax(hypot(x[0] * by, x[1] * by), hypot(y[0] * by, y[1] * by));
	if (off == 0)
		return true;
	if (isfinite(scaled) && ((t->by_absolute && off <= t->absolute) ||
	    (t->by_relative && scaled <= t->relative * size)))
		return true;
	return t->by_ulp && is_near(x[0], y[0], t->ulp, t->single) &&
	    is_near(x[1], y[1], t->ulp, t->single);
}

static bool
same(const struct taf_difference *a, const struct taf_difference *b, size_t size)
{
	return a->count == b->count && (a->count == 0 || (a->first == b->first &&
	    memcmp(a->value, b->value, sizeof a->value[0] + size) == 0)) &&
	    a->measured == b->measured && a->beyond == b->beyond &&
	    (!a->measured || (a->largest == b->largest && a->whole == b->whole));
}

/* The same in pieces that are joined. */
static bool
same_in_pieces(const struct taf_compare *how, const double *x, const double *y, size_t n,
    const struct taf_difference *whole)
{
	const size_t parts = taf_type_facts(how->type[0])->components;
	struct taf_difference all = { 0 };
	size_t at, part;

	for (at = 0; at < n; at += part) {
		struct taf_difference later = { 0 };

		part = 1 + draw((uint32_t)(n - at));
		taf_compare(how, x + at * parts, y + at * parts, part, at, &later);
		taf_difference_join(&all, &later);
	}
	return same(&all, whole, 8 * parts);
}

static void
floats_and_pairs(void)
{
	static double x[2 * MOST], y[2 * MOST];

	for (unsigned round = 0; round < 400; round++) {
		const enum taf_type type = draw(2) == 0 ? TAF_FLT64 : TAF_COMPLEX128;
		const struct taf_compare how = { { type, type }, draw_tolerance() };
		const size_t parts = taf_type_facts(type)->components, n = 1 + draw(MOST);
		struct taf_difference d = { 0 };
		uint64_t count = 0, first = 0;
		double largest = 0;
		bool measured = false;

		for (size_t i = 0; i < n * parts; i++) {
			x[i] = draw_value();
			y[i] = draw(3) == 0 ? draw_other(x[i]) : x[i];
		}
		for (size_t i = 0; i < n; i++) {
			const double *a = x + i * parts, *b = y + i * parts;

			if (parts == 2 ? pairs_agree(&how.within, a, b) :
			    agree(&how.within, *a, *b))
				continue;
			first = count++ > 0 ? first : i;
			if (parts == 1 && !isnan(*a - *b)) {
				measured = true;
				largest = fmax(largest, fabs(*a - *b));
			}
		}
		taf_compare(&how, x, y, n, 0, &d);
		CHECK_EQ(d.count, count);
		CHECK(count == 0 || (d.first == first &&
		    memcmp(d.value[0], x + first * parts, 8 * parts) == 0 &&
		    memcmp(d.value[1], y + first * parts, 8 * parts) == 0));
		CHECK(parts == 2 || (d.measured == measured && d.largest == largest));
		CHECK(same_in_pieces(&how, x, y, n, &d));
	}
}

/* Integers by their bits; their difference, or beyond 64 bits. */
static void
integers(void)
{
	static const struct {
		enum taf_type type[2];
		uint64_t a, b;
		bool beyond;
		uint64_t off;
	} cases[] = {
		{ { TAF_INT64, TAF_INT64 }, 5, (uint64_t)-3, false, 8 },
		{ { TAF_INT64, TAF_INT64 }, (uint64_t)INT64_MIN, INT64_MAX, false,
		    UINT64_MAX },
		{ { TAF_INT64, TAF_UINT64 }, (uint64_t)-1, UINT64_MAX, true, 0 },
		{ { TAF_UINT64, TAF_INT64 }, UINT64_MAX, (uint64_t)INT64_MIN, true, 0 },
		{ { TAF_UINT64, TAF_UINT64 }, UINT64_MAX, UINT64_MAX - 1, false, 1 },
		{ { TAF_UINT64, TAF_INT64 }, 7, 7, false, 0 },
		{ { TAF_UINT64, TAF_INT64 }, (UINT64_C(1) << 53) + 1, 1 << 20, false,
		    (UINT64_C(1) << 53) + 1 - (1 << 20) },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (uint64_t ulp = 0; ulp < 2; ulp++) {
			struct taf_compare how = { { cases[i].type[0], cases[i].type[1] },
				{ .by_ulp = true, .ulp = ulp } };
			struct taf_difference d = { 0 };
			const bool differs = cases[i].beyond || cases[i].off > ulp;

			taf_compare(&how, &cases[i].a, &cases[i].b, 1, 9, &d);
			CHECK_EQ(d.count, differs);
			if (!differs)
				continue;
			CHECK_EQ(d.first, 9);
			CHECK(d.beyond == cases[i].beyond);
			CHECK_EQ(d.whole, cases[i].off);
		}
}

/* A double that no integer is is not taken for the nearest one. */
static void
integers_and_doubles(void)
{
	static const struct {
		enum taf_type type;
		uint64_t a;
		double b, off;
	} cases[] = {
		{ TAF_INT64, (UINT64_C(1) << 53) + 1, 0x1p53, 1 },
		{ TAF_INT64, (uint64_t)-((INT64_C(1) << 53) + 1), -0x1p53, 1 },
		{ TAF_UINT64, UINT64_MAX, 0x1p64, 1 },
		{ TAF_INT64, (uint64_t)-1, -0x1p65, 0x1p65 - 1 },
		{ TAF_INT64, 0, -0x1p64, 0x1p64 },
		{ TAF_UINT64, UINT64_MAX, 0x1p64 - 2048, 2047 },
		{ TAF_INT64, INT64_MAX, 0x1p63, 1 },
		{ TAF_INT64, 3, 2.5, 0.5 },
		{ TAF_INT64, 3, 3, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (int turned = 0; turned < 2; turned++) {
			struct taf_compare how = { { turned ? TAF_FLT64 : cases[i].type,
				turned ? cases[i].type : TAF_FLT64 },
				{ .by_absolute = false } };
			struct taf_difference d = { 0 };

			taf_compare(&how, turned ? (const void *)&cases[i].b :
			    &cases[i].a, turned ? (const void *)&cases[i].a : &cases[i].b,
			    1, 0, &d);
			CHECK_EQ(d.count, cases[i].off > 0);
			CHECK(d.largest == cases[i].off);
		}
}

int
main(void)
{
	UNIT(floats_and_pairs);
	UNIT(integers);
	UNIT(integers_and_doubles);
	return unit_end();
}
