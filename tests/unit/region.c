/* SPDX-License-Identifier: ISC */
/* Bounds of the command line: text to intent, and intent and shape to region. */
#include "array/region.h"

#include <math.h>
#include <stdlib.h>

#include "naive_bound.h"
#include "unit.h"

enum { SIDES = 64, LONGEST = 5, ROUNDS = 20000 };

static struct taf_array
array(uint64_t n, double start, double step)
{
	struct taf_array a;

	taf_array_init(&a);
	taf_array_add_dim(&a, n, start, step);
	return a;
}

/* One bound, by letter, of a dimension. */
static enum taf_status
parse(struct taf_bounds *b, char letter, const char *arg)
{
	struct taf_err e = { 0 };

	return letter == 'x' ? taf_bounds_index(b, arg, &e) : taf_bounds_grid(b, arg, &e);
}

static bool
agrees(const struct taf_bounds *b, const struct taf_array *a)
{
	uint64_t list[NAIVE_MOST], count = naive_bound(&b->dim[0], &a->dim[0], list);
	struct taf_err e = { 0 };
	struct taf_region r;
	enum taf_status st = taf_bounds_resolve(b, a, &r, &e);

	if (count == 0)
		return st == TAF_EDATA && e.code == TAF_EDATA && e.text[0] != '\0';
	return st == TAF_OK && r.ndim == 1 && naive_is(&r, 0, list, count);
}

/* What a side of an index bound says, and what it means. */
struct side {
	bool given;
	int64_t v;
	char text[24];
};

static unsigned
sides(struct side *s, int64_t n)
{
	static const int64_t far[] = { INT64_MIN, -INT64_MAX, -(INT64_C(1) << 62),
		INT64_MAX };
	unsigned count = 0;

	s[count++].given = false;
	s[count].given = true;
	s[count].v = 0;
	strcpy(s[count++].text, "end");
	for (int64_t v = -n - 2; v <= n + 2; v++) {
		s[count].given = true;
		s[count].v = v;
		snprintf(s[count].text, sizeof s->text, "%" PRId64, v);
		count++;
	}
	for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
		s[count].given = true;
		s[count].v = far[i];
		snprintf(s[count].text, sizeof s->text, "%" PRId64, far[i]);
		count++;
	}
	return count;
}

static void
try_index(const struct taf_array *a, const struct side *lo, const struct side *hi,
    uint64_t step)
{
	struct taf_bounds b = { 0 };
	char arg[80];

	if (step > 0)
		snprintf(arg, sizeof arg, "1=%s:%s:%" PRIu64, lo->text, hi->text, step);
	else
		snprintf(arg, sizeof arg, "1=%s:%s", lo->text, hi->text);
	if (!CHECK(parse(&b, 'x', arg) == TAF_OK))
		return;
	CHECK(b.most == 1 && b.dim[0].by_index && !b.dim[0].by_grid);
	CHECK(b.dim[0].has_lo == lo->given && b.dim[0].has_hi == hi->given);
	CHECK(!lo->given || b.dim[0].lo == lo->v);
	CHECK(!hi->given || b.dim[0].hi == hi->v);
	CHECK_EQ(b.dim[0].step, step > 0 ? step : 1);
	if (!CHECK(agrees(&b, a)))
		printf("#   -x %s of length %" PRIu64 "\n", arg, a->dim[0].n);
}

static void
all_small_index_bounds(void)
{
	static const uint64_t steps[] = { 0, 1, 2, 3, 7, UINT64_MAX };

	for (uint64_t n = 0; n <= LONGEST; n++) {
		struct side s[SIDES] = { 0 };
		unsigned count = sides(s, (int64_t)n);
		struct taf_array a = array(n, 0, 1);

		for (unsigned i = 0; i < count; i++)
			for (unsigned j = 0; j < count; j++)
				for (size_t k = 0; k < sizeof steps / sizeof steps[0];
				     k++)
					try_index(&a, &s[i], &s[j], steps[k]);
	}
}

static void
single_index(void)
{
	for (int64_t n = 0; n <= LONGEST; n++)
		for (int64_t v = -n - 2; v <= n + 2; v++) {
			struct taf_array a = array((uint64_t)n, 0, 1);
			int64_t at = v > 0 ? v : n + v;
			struct taf_bounds b = { 0 };
			struct taf_err e = { 0 };
			struct taf_region r;
			enum taf_status st;
			char arg[40];

			snprintf(arg, sizeof arg, "1=%" PRId64, v);
			CHECK(parse(&b, 'x', arg) == TAF_OK);
			st = taf_bounds_resolve(&b, &a, &r, &e);
			if (at < 1 || at > n)
				CHECK(st == TAF_EDATA);
			else
				CHECK(st == TAF_OK && r.first[0] == (uint64_t)at - 1 &&
				    r.count[0] == 1 && r.step[0] == 1);
		}
}

static const double numbers[] = { 0, -0.0, 1, -1, 0.1, 0.3, -0.25, 1e-300, -1e-300,
	5e-324, 1e300, -1e300, 1e-9, 1e6, 123456.75 };

static double
some_number(void)
{
	return numbers[draw(sizeof numbers / sizeof numbers[0])];
}

/* A bound near a point of the grid: on it, or off by part of a step. */
static double
some_bound(const struct taf_dim *d)
{
	static const double off[] = { 0, 0, 0.5, -0.5, 9e-7, -9e-7, 1.1e-6, -1.1e-6, 1,
		-1 };
	double i = (double)draw((uint32_t)d->n + 3) - 1;

	if (draw(8) == 0)
		return some_number();
	return d->start + i * d->step + off[draw(10)] * d->step;
}

static void
grid_bounds(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct taf_array a = array(draw(12), some_number(), some_number());
		struct taf_bounds b = { 0 };
		struct taf_bound *d = &b.dim[0];
		double lo = draw(9) == 0 ? -INFINITY : some_bound(&a.dim[0]);
		double hi = draw(9) == 0 ? INFINITY : some_bound(&a.dim[0]);

		d->by_grid = true;
		d->grid_lo = lo < hi ? lo : hi;
		d->grid_hi = lo < hi ? hi : lo;
		b.most = 1;
		if (draw(3) == 0) {
			d->by_index = true;
			d->has_lo = draw(2);
			d->has_hi = draw(2);
			d->lo = (int64_t)draw(12) - 5;
			d->hi = (int64_t)draw(12) - 5;
			d->step = 1 + draw(4);
		}
		if (!CHECK(agrees(&b, &a)))
			printf("#   %.17g to %.17g of %" PRIu64
			       " from %.17g step %.17g\n",
			    lo, hi, a.dim[0].n, a.dim[0].start, a.dim[0].step);
	}
}

/* Bounds that the report's own examples use, with what they must give. */
static const struct {
	const char *index, *grid;
	uint64_t n;
	double start, step;
	uint64_t first, count, by;	/* count 0: refused */
} cases[] = {
	{ NULL, "1=0.1:0.3", 11, 0, 0.1, 1, 3, 1 }, /* 0.3 is not 3 * 0.1 */
	{ NULL, "1=0.3:0.1", 11, 0, 0.1, 1, 3, 1 },
	{ NULL, "1=.3:", 11, 0, 0.1, 3, 8, 1 },
	{ NULL, "1=:.3", 11, 0, 0.1, 0, 4, 1 },
	{ NULL, "1=:", 11, 0, 0.1, 0, 11, 1 },
	{ NULL, "1=-inf:inf", 11, 0, 0.1, 0, 11, 1 },
	{ NULL, "1=inf:-inf", 11, 0, 0.1, 0, 11, 1 },
	{ NULL, "1=2:1", 5, 3, -0.5, 2, 3, 1 },
	{ NULL, "1=:1", 5, 3, -0.5, 4, 1, 1 },
	{ NULL, "1=3:", 5, 3, -0.5, 0, 1, 1 },
	{ NULL, "1=3.1:9", 5, 3, -0.5, 0, 0, 1 },
	{ NULL, "1=0.11:0.19", 11, 0, 0.1, 0, 0, 1 },
	{ NULL, "1=5:5", 4, 5, 0, 0, 4, 1 }, /* no step: all points are one */
	{ NULL, "1=4:4.5", 4, 5, 0, 0, 0, 1 },
	{ NULL, "1=:", 0, 0, 1, 0, 0, 1 },
	{ NULL, "1=:", 4, NAN, 1, 0, 0, 1 },
	{ NULL, "1=:", 4, 0, NAN, 0, 0, 1 },
	{ NULL, "1=:", 4, 0, INFINITY, 0, 0, 1 },
	{ NULL, "1=inf:inf", 4, 0, 1, 0, 0, 1 },
	{ "1=2::3", "1=0:0.75", 11, 0, 0.1, 1, 3, 3 },	 /* 2 5 8 */
	{ "1=2::3", "1=0.2:0.75", 11, 0, 0.1, 4, 2, 3 }, /* the step counts from 2 */
	{ "1=2::3", "1=0.2:0.3", 11, 0, 0.1, 0, 0, 1 },
	{ "1=:::", NULL, 5, 0, 1, 0, 0, 0 },
	{ "1=-2:end", NULL, 5, 0, 1, 2, 3, 1 },
	{ "1=end", NULL, 5, 0, 1, 4, 1, 1 },
	{ "1=-99:2", NULL, 5, 0, 1, 0, 2, 1 },
	{ "1=4:99", NULL, 5, 0, 1, 3, 2, 1 },
	{ "1=6:99", NULL, 5, 0, 1, 0, 0, 1 },
	{ "1=-99:-5", NULL, 5, 0, 1, 0, 0, 1 },
	{ "1=3:2", NULL, 5, 0, 1, 0, 0, 1 },
	{ "1=0:1", NULL, 0, 0, 1, 0, 0, 1 },
	{ "1=0:1:2", NULL, 0, 0, 1, 0, 0, 1 },
	{ "1=1:end:18446744073709551615", NULL, 5, 0, 1, 0, 1, 1 },
	{ "1=1:4611686018427387904:2", NULL, UINT64_C(1) << 62, 0, 1, 0,
	    UINT64_C(1) << 61, 2 },
	{ NULL, "1=4503599627370496:", UINT64_C(1) << 53, 0, 1, UINT64_C(1) << 52,
	    UINT64_C(1) << 52, 1 },
};

static void
known_bounds(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct taf_array a = array(cases[i].n, cases[i].start, cases[i].step);
		struct taf_bounds b = { 0 };
		struct taf_err e = { 0 };
		struct taf_region r;
		enum taf_status st;

		if (cases[i].by == 0) {
			CHECK(parse(&b, 'x', cases[i].index) == TAF_EUSAGE);
			continue;
		}
		if (cases[i].index != NULL)
			CHECK(parse(&b, 'x', cases[i].index) == TAF_OK);
		if (cases[i].grid != NULL)
			CHECK(parse(&b, 'g', cases[i].grid) == TAF_OK);
		st = taf_bounds_resolve(&b, &a, &r, &e);
		if (!CHECK(st == (cases[i].count == 0 ? TAF_EDATA : TAF_OK)) ||
		    st != TAF_OK) {
			CHECK(st == TAF_OK || e.text[0] != '\0');
			continue;
		}
		CHECK_EQ(r.first[0], cases[i].first);
		CHECK_EQ(r.count[0], cases[i].count);
		CHECK_EQ(r.step[0], cases[i].by);
	}
}

static void
malformed(void)
{
	static const char *const index[] = { "", "1", "=1:2", "0=1", "65=1", "a=1",
		"1=", "1=:2:0", "1=1:2:-1", "1=1:2:3:4", "1=1:2:", "1=a:2", "1=1.5",
		"1=END:", "1=1:b", "1= 1", "1=1 ", "-1=1", "1=1=2",
		"1=9223372036854775808", "1=1:2:18446744073709551616", "+1=1", "1=--1",
		"1=_n", "1=en:endx" };
	static const char *const grid[] = { "", "1", "1=", "1=5", "0=1:2",
		"65=:", "1=nan:1", "1=1:nan", "1=a:b", "1=1:2:3", "1=1:2 ", "1= 1:2",
		"x=1:2", "1=1e:2" };
	static const struct taf_bounds none;
	struct taf_bounds b = { 0 };

	for (size_t i = 0; i < sizeof index / sizeof index[0]; i++)
		CHECK(parse(&b, 'x', index[i]) == TAF_EUSAGE);
	for (size_t i = 0; i < sizeof grid / sizeof grid[0]; i++)
		CHECK(parse(&b, 'g', grid[i]) == TAF_EUSAGE);
	/* and nothing was half taken */
	CHECK_MEM(&b, &none, sizeof b);
}

static void
bounded_twice(void)
{
	struct taf_bounds b = { 0 }, once;

	CHECK(parse(&b, 'x', "2=1:3") == TAF_OK);
	CHECK(parse(&b, 'g', "2=1:3") == TAF_OK);
	CHECK(parse(&b, 'x', "7=1") == TAF_OK);
	CHECK_EQ(b.most, 7);
	once = b;
	CHECK(parse(&b, 'x', "2=1:3") == TAF_EUSAGE);
	CHECK(parse(&b, 'g', "2=4:5") == TAF_EUSAGE);
	CHECK_MEM(&b, &once, sizeof b);
	CHECK(parse(&b, 'x', "64=1") == TAF_OK);
	CHECK_EQ(b.most, 64);
}

static void
missing_dimension(void)
{
	struct taf_array a = array(4, 0, 1);
	struct taf_bounds b = { 0 };
	struct taf_err e = { 0 };
	struct taf_region r;

	CHECK(parse(&b, 'x', "2=1") == TAF_OK);
	CHECK(taf_bounds_resolve(&b, &a, &r, &e) == TAF_EDATA);
}

static void
other_dimensions_stay(void)
{
	struct taf_array a = array(7, 10, 0.5), before;
	struct taf_bounds b = { 0 };
	struct taf_err e = { 0 };
	struct taf_region r;

	taf_array_add_dim(&a, 0, 1, 2);
	taf_array_add_dim(&a, 9, -3, -0.25);
	before = a;
	CHECK(taf_bounds_resolve(&b, &a, &r, &e) == TAF_OK);
	taf_region_apply(&r, &a);
	CHECK_MEM(&a, &before, sizeof a);
	CHECK(parse(&b, 'x', "3=2:9:3") == TAF_OK);
	CHECK(taf_bounds_resolve(&b, &a, &r, &e) == TAF_OK);
	taf_region_apply(&r, &a);
	CHECK_MEM(a.dim, before.dim, 2 * sizeof *a.dim);
	/* points 2, 5, 8 */
	CHECK_EQ(a.dim[2].n, 3);
	CHECK(a.dim[2].start == -3.25 && a.dim[2].step == -0.75);
}

/* Of one point the step says nothing, and the dimension keeps its own. */
static void
one_point_keeps_its_step(void)
{
	struct taf_array a = array(9, 1, 0.25);
	struct taf_bounds b = { 0 };
	struct taf_err e = { 0 };
	struct taf_region r;

	CHECK(parse(&b, 'x', "1=8:9:5") == TAF_OK);
	CHECK(taf_bounds_resolve(&b, &a, &r, &e) == TAF_OK);
	taf_region_apply(&r, &a);
	CHECK(a.dim[0].n == 1 && a.dim[0].start == 2.75 && a.dim[0].step == 0.25);
}

static void
lists(void)
{
	static const char *const wrong[] = { "", ",", "1,", ",1", "1,,2", "1, 2", "a",
		"1,2,3,4,5" };
	uint64_t v[4];
	unsigned n;

	CHECK(taf_list_parse("3,1,2", v, 4, &n) && n == 3 && v[0] == 3 && v[1] == 1 &&
	    v[2] == 2);
	CHECK(taf_list_parse("0,18446744073709551615,7,8", v, 4, &n) && n == 4 &&
	    v[1] == UINT64_MAX && v[3] == 8);
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		CHECK(!taf_list_parse(wrong[i], v, 4, &n));
}

int
main(void)
{
	UNIT(all_small_index_bounds);
	UNIT(single_index);
	UNIT(grid_bounds);
	UNIT(known_bounds);
	UNIT(malformed);
	UNIT(bounded_twice);
	UNIT(missing_dimension);
	UNIT(other_dimensions_stay);
	UNIT(one_point_keeps_its_step);
	UNIT(lists);
	return unit_end();
}
