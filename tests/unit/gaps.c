/* SPDX-License-Identifier: ISC */
/* kernel/line/gaps against a search from each NaN, in lines of any cut. */
/* link: m */
#include "kernel/line/gaps.h"

#include <math.h>
#include <stdlib.h>

#include "unit.h"

enum { MOST = 300, BESIDE = 90 };

/* A line as its parts, doubles; whether of flt32, and how many parts an element has. */
struct line {
	enum taf_type type;
	unsigned parts;
	bool single;
	size_t n;
	double v[2 * MOST];
	unsigned char stored[16 * MOST];
};

static size_t
size_of(const struct line *l)
{
	return taf_type_size(l->type);
}

static void
store(struct line *l, size_t k, double x)
{
	const float f = (float)x;

	if (l->single)
		memcpy(l->stored + k * sizeof f, &f, sizeof f);
	else
		memcpy(l->stored + k * sizeof x, &x, sizeof x);
	l->v[k] = l->single ? (double)f : x;
}

static bool
is_nan(const struct line *l, size_t i)
{
	return isnan(l->v[i * l->parts]) || (l->parts == 2 && isnan(l->v[2 * i + 1]));
}

static void
draw_points(struct line *l)
{
	const uint32_t often = 1 + draw(12);

	for (size_t i = 0; i < l->n; i++) {
		const bool none = draw(often) == 0 ||
		    (i > 0 && draw(3) == 0 && is_nan(l, i - 1));

		/* of a pair one part is enough */
		for (size_t k = 0; k < l->parts; k++)
			store(l, i * l->parts + k, none && k == i % l->parts ? NAN :
			    draw(20) == 0 ? -0.0 : (double)draw(2001) / 8 - 125);
	}
}

static void
draw_line(struct line *l)
{
	static const enum taf_type types[] = { TAF_FLT32, TAF_FLT64, TAF_COMPLEX,
		TAF_COMPLEX128 };

	l->type = types[draw(4)];
	l->single = taf_type_facts(l->type)->bits == 32;
	l->parts = taf_type_facts(l->type)->components;
	l->n = draw(4) == 0 ? draw(4) : draw(MOST);
	draw_points(l);
}

static bool
is_in(const struct taf_part *part, size_t i)
{
	return i >= part->first && (i - part->first) % part->step == 0 &&
	    (i - part->first) / part->step < part->count;
}

/* Places of the nearest numbers on both sides of i; n for none. */
static void
neighbours(const struct line *l, size_t i, size_t *before, size_t *behind)
{
	for (*before = i; *before < l->n && is_nan(l, *before); )
		*before = *before > 0 ? *before - 1 : l->n;
	for (*behind = i; *behind < l->n && is_nan(l, *behind); )
		++*behind;
}

/*
 * Is the element at p what shall be at place i, of which before and behind are numbers?
 */
static bool
is_between(const struct line *l, const unsigned char *p, size_t i, size_t before,
    size_t behind)
{
	const double t = (double)(i - before) / (double)(behind - before);

	for (size_t k = 0; k < l->parts; k++) {
		const double a = l->v[before * l->parts + k],
		    b = l->v[behind * l->parts + k];
		double got;
		float f;

		if (l->single) {
			memcpy(&f, p + k * sizeof f, sizeof f);
			got = (double)f;
		} else {
			memcpy(&got, p + k * sizeof got, sizeof got);
		}
		if (!(fabs(got - (a + (b - a) * t)) <= (l->single ? 1e-5 : 1e-13)))
			return false;
	}
	return true;
}

/* What filled has at place i of line l is right; *left counts NaN. */
static bool
is_right(const struct line *l, const unsigned char *filled, const struct taf_gap_line *m,
    size_t i, size_t *left)
{
	const size_t size = size_of(l);
	const unsigned char *p = filled + i * size;
	size_t before, behind, from;

	if (!is_nan(l, i) || !is_in(&m->part, i))
		return memcmp(p, l->stored + i * size, size) == 0;
	neighbours(l, i, &before, &behind);
	from = m->how == TAF_GAP_PREVIOUS || behind == l->n ? before :
	    before == l->n || behind - i < i - before ? behind : before;
	*left += from == l->n;
	if (m->how == TAF_GAP_LINEAR && before < l->n && behind < l->n)
		return is_between(l, p, i, before, behind);
	return memcmp(p, l->stored + (from < l->n ? from : i) * size, size) == 0;
}

static void
lines_in_pieces(void)
{
	static const enum taf_gap_rule ways[] = { TAF_GAP_LINEAR, TAF_GAP_NEAREST,
		TAF_GAP_PREVIOUS };
	static struct line l;
	static _Alignas(16) unsigned char filled[16 * MOST];

	for (unsigned round = 0; round < 4000; round++) {
		struct taf_gap_line m;
		size_t at, part, i, found = 0, left = 0;
		bool good = true;

		draw_line(&l);
		m = (struct taf_gap_line){ .type = l.type, .how = ways[draw(3)],
			.part = { 0, 1, l.n } };
		if (draw(3) == 0)
			m.part = (struct taf_part){ draw(20), 1 + draw(4), draw(100) };
		memcpy(filled, l.stored, l.n * size_of(&l));
		for (at = 0; at < l.n; at += part) {
			part = 1 + (draw(2) == 0 ? draw(5) : draw(MOST));
			part = part < l.n - at ? part : l.n - at;
			for (i = at + part; i < l.n && is_nan(&l, i); )
				i++;
			m.behind.there = i < l.n;
			m.behind.at = i;
			if (i < l.n)
				memcpy(m.behind.element, l.stored + i * size_of(&l),
				    size_of(&l));
			found += taf_gaps_fill(&m, filled + at * size_of(&l), at, part);
		}
		for (i = 0; i < l.n; i++)
			good = is_right(&l, filled, &m, i, &left) && good;
		CHECK(good);
		CHECK_EQ(found, left);
		for (i = 0; i < l.n && is_nan(&l, i); )
			i++;
		CHECK_EQ(taf_gaps_number(l.stored, l.type, l.n), i);
	}
}

/* Where element i of line k is, of lines side by side: points are step elements apart. */
static size_t
place(const struct line *l, size_t i, size_t k, size_t step)
{
	return (i * step + k) * size_of(l);
}

static void
lines_side_by_side(void)
{
	static const enum taf_gap_rule ways[] = { TAF_GAP_LINEAR, TAF_GAP_NEAREST,
		TAF_GAP_PREVIOUS };
	static struct line l;
	static _Alignas(16) unsigned char in[16 * MOST * BESIDE], out[16 * MOST * BESIDE];
	static _Alignas(16) unsigned char want[BESIDE][16 * MOST];

	for (unsigned round = 0; round < 300; round++) {
		bool some[BESIDE], good = true;
		struct taf_gap_lines m = { .in = in, .out = out,
			.lines = draw(BESIDE - 1) };
		size_t left = 0;

		draw_line(&l);
		m.type = l.type;
		m.how = ways[draw(3)];
		m.len = l.n;
		m.part = (struct taf_part){ 0, 1, l.n };
		if (draw(3) == 0)
			m.part = (struct taf_part){ draw(20), 1 + draw(4), draw(100) };
		m.in_step = m.lines + draw(3);
		m.in_step = m.in_step < BESIDE ? m.in_step : BESIDE;
		m.out_step = m.lines + 1;
		m.filled = draw(2) == 0 ? some : NULL;
		for (size_t k = 0; k < m.lines; k++) {
			struct taf_gap_line line = { .type = l.type, .how = m.how,
				.part = m.part };

			some[k] = draw(2) == 0;
			draw_points(&l);
			memcpy(want[k], l.stored, l.n * size_of(&l));
			for (size_t i = 0; i < l.n; i++)
				memcpy(in + place(&l, i, k, m.in_step),
				    l.stored + i * size_of(&l), size_of(&l));
			if (m.filled == NULL || some[k])
				left += taf_gaps_fill(&line, want[k], 0, l.n);
		}
		CHECK_EQ(taf_gaps_fill_beside(&m), left);
		for (size_t k = 0; k < m.lines; k++)
			for (size_t i = 0; i < l.n; i++)
				good = good && memcmp(out + place(&l, i, k, m.out_step),
				    want[k] + i * size_of(&l), size_of(&l)) == 0;
		CHECK(good);
	}
}

/*
 * numpy.interp(range(4), [0, 3], [a, b]), but what is between finite numbers is finite.
 */
static void
infinities_are_as_numpy_has_them(void)
{
	static const double of[][4] = {
		{ INFINITY, NAN, NAN, INFINITY }, { -INFINITY, NAN, NAN, 2 },
		{ 1, NAN, NAN, INFINITY }, { 1.7e308, NAN, NAN, -1.7e308 } };
	static const double want[][2] = { { INFINITY, INFINITY },
		{ -INFINITY, -INFINITY },
		{ INFINITY, INFINITY }, { 1.7e308 / 3, -1.7e308 / 3 } };

	for (size_t i = 0; i < 4; i++) {
		struct taf_gap_line m = { .type = TAF_FLT64, .part = { 0, 1, 4 } };
		double v[4];

		memcpy(v, of[i], sizeof v);
		CHECK_EQ(taf_gaps_fill(&m, v, 0, 4), 0);
		for (size_t k = 0; k < 2; k++)
			CHECK(v[1 + k] == want[i][k] ||
			    fabs(v[1 + k] - want[i][k]) < 1e-12 * fabs(want[i][k]));
	}
}

static void
by_an_element(void)
{
	static struct line l;
	static _Alignas(16) unsigned char filled[16 * MOST];
	const unsigned char element[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

	for (unsigned round = 0; round < 1000; round++) {
		const size_t step = 1 + draw(3);
		bool good = true;

		draw_line(&l);
		memcpy(filled, l.stored, l.n * size_of(&l));
		taf_gaps_set(filled, l.type, l.n, step, element);
		for (size_t i = 0; i < l.n; i++)
			good = good && memcmp(filled + i * size_of(&l), is_nan(&l, i) &&
			    i % step == 0 ? element : l.stored + i * size_of(&l),
			    size_of(&l)) == 0;
		CHECK(good);
	}
}

int
main(void)
{
	UNIT(lines_in_pieces);
	UNIT(lines_side_by_side);
	UNIT(infinities_are_as_numpy_has_them);
	UNIT(by_an_element);
	return unit_end();
}
