/* SPDX-License-Identifier: ISC */
#include "kernel/line/gaps.h"

#include <stdbool.h>
#include <string.h>

#include "base/attr.h"
#include "base/num.h"

enum { BLOCK = 64 };	/* words that are looked at together */

/*
 * A run of NaN, n from place at on: the numbers on both sides, NULL for none, and their
 * places in the line.
 */
struct gap {
	const void *before, *behind;
	uint64_t before_at, behind_at, at;
	size_t n;
};

/*
 * Point k of n steps from a to b.  Infinities as numpy.interp has them; finite numbers
 * never become infinite.
 */
static double
between(double a, double b, double k, double n)
{
	const double slope = (b - a) / n;
	double v = slope * k + a;

	if (!taf_is_finite(b - a) && taf_is_finite(a) && taf_is_finite(b))
		return a * ((n - k) / n) + b * (k / n);
	if (v != v)
		v = slope * (k - n) + b;
	return v != v && a == b ? a : v;
}

/* The number that is copied to place i, or NULL. */
static const void *
source(const struct gap *g, enum taf_gap_rule how, uint64_t i)
{
	if (how == TAF_GAP_PREVIOUS || g->behind == NULL)
		return g->before;
	if (g->before == NULL)
		return g->behind;
	return g->behind_at - i < i - g->before_at ? g->behind : g->before;
}

static bool
is_in(const struct taf_part *part, uint64_t i)
{
	return i >= part->first && (i - part->first) % part->step == 0 &&
	    (i - part->first) / part->step < part->count;
}

/*
 * Elements are words of so many bits, so that what is copied keeps its bits; they are
 * floats only to be computed with.
 */
#define FILLER(bits, real, INFINITE) \
static TAF_INLINE bool \
nan_##bits(const uint##bits##_t *p, size_t parts) \
{ \
	const uint##bits##_t sign = (uint##bits##_t)1 << (bits - 1); \
\
	return (p[0] & ~sign) > INFINITE || (parts == 2 && (p[1] & ~sign) > INFINITE); \
} \
\
/* The first NaN from element i on, or n. */ \
static size_t \
find_##bits(const uint##bits##_t *p, size_t n, size_t parts, size_t i) \
{ \
	const uint##bits##_t sign = (uint##bits##_t)1 << (bits - 1); \
	size_t k; \
\
	for (; n - i >= BLOCK; i += BLOCK / parts) { \
		unsigned some = 0; \
\
		for (k = 0; k < BLOCK; k++) \
			some |= (p[i * parts + k] & ~sign) > INFINITE; \
		if (some != 0) \
			break; \
	} \
	while (i < n && !nan_##bits(p + i * parts, parts)) \
		i++; \
	return i; \
} \
\
static void \
linear_##bits(uint##bits##_t *p, size_t parts, const struct gap *g, uint64_t i) \
{ \
	const double n = (double)(g->behind_at - g->before_at); \
	real a[2], b[2], v[2] = { 0, 0 }; \
	size_t k; \
\
	memcpy(a, g->before, parts * sizeof a[0]); \
	memcpy(b, g->behind, parts * sizeof b[0]); \
	for (k = 0; k < parts; k++) \
		v[k] = (real)between((double)a[k], (double)b[k], \
		    (double)(i - g->before_at), n); \
	memcpy(p, v, parts * sizeof v[0]); \
} \
\
/* The NaN from place g->at on, g->n of them, so many words apart. */ \
static size_t \
close_##bits(const struct taf_part *part, enum taf_gap_rule how, const struct gap *g, \
    uint##bits##_t *p, size_t parts, size_t apart) \
{ \
	size_t left = 0, i; \
	const void *from; \
\
	for (i = 0; i < g->n; i++, p += apart) { \
		if (!is_in(part, g->at + i)) \
			continue; \
		if (how == TAF_GAP_LINEAR && g->before != NULL && g->behind != NULL) \
			linear_##bits(p, parts, g, g->at + i); \
		else if ((from = source(g, how, g->at + i)) != NULL) \
			memcpy(p, from, parts * sizeof *p); \
		left += nan_##bits(p, parts); \
	} \
	return left; \
} \
\
static size_t \
fill_gaps_##bits(struct taf_gap_line *l, uint##bits##_t *p, uint64_t at, size_t n, \
    size_t parts) \
{ \
	struct gap g = { .before = l->before.there ? l->before.element : NULL, \
	    .before_at = l->before.at }; \
	size_t left = 0, i, end; \
\
	for (i = find_##bits(p, n, parts, 0); i < n; \
	    i = find_##bits(p, n, parts, end)) { \
		for (end = i; end < n && nan_##bits(p + end * parts, parts); ) \
			end++; \
		if (i > 0) { \
			g.before = p + (i - 1) * parts; \
			g.before_at = at + i - 1; \
		} \
		g.behind = end < n ? p + end * parts : \
		    l->behind.there ? (const void *)l->behind.element : NULL; \
		g.behind_at = end < n ? at + end : l->behind.at; \
		g.at = at + i; \
		g.n = end - i; \
		left += close_##bits(&l->part, l->how, &g, p + i * parts, parts, parts); \
		if (end == n) { \
			n = i; \
			break; \
		} \
	} \
	/* the last number, which what was filled is not */ \
	if (n > 0) { \
		l->before.there = true; \
		l->before.at = at + n - 1; \
		memcpy(l->before.element, p + (n - 1) * parts, parts * sizeof *p); \
	} \
	return left; \
} \
\
/* What the gap at point i of line k, which begins there, becomes. */ \
static size_t \
down_##bits(const struct taf_gap_lines *m, size_t i, size_t k, size_t parts) \
{ \
	const size_t in = m->in_step * parts, out = m->out_step * parts; \
	const uint##bits##_t *p = (const uint##bits##_t *)m->in + k * parts; \
	struct gap g = { .at = m->at + i }; \
\
	while (i + g.n < m->len && nan_##bits(p + (i + g.n) * in, parts)) \
		g.n++; \
	if (i > 0) { \
		g.before = p + (i - 1) * in; \
		g.before_at = g.at - 1; \
	} else if (m->before.at != NULL && m->before.at[k] != TAF_GAP_NONE) { \
		g.before = (uint##bits##_t *)m->before.element + k * parts; \
		g.before_at = m->before.at[k]; \
	} \
	if (i + g.n < m->len) { \
		g.behind = p + (i + g.n) * in; \
		g.behind_at = g.at + g.n; \
	} else if (m->behind.at != NULL && m->behind.at[k] != TAF_GAP_NONE) { \
		g.behind = (uint##bits##_t *)m->behind.element + k * parts; \
		g.behind_at = m->behind.at[k]; \
	} \
	return close_##bits(&m->part, m->how, &g, \
	    (uint##bits##_t *)m->out + i * out + k * parts, parts, out); \
} \
\
static size_t \
beside_##bits(const struct taf_gap_lines *m, size_t parts) \
{ \
	const size_t step = m->in_step * parts, n = m->lines; \
	const uint##bits##_t *p = m->in; \
	size_t left = 0, i, k; \
\
	for (i = 0; i < m->len; i++, p += step) \
		for (k = find_##bits(p, n, parts, 0); k < n; \
		    k = find_##bits(p, n, parts, k + 1)) \
			if ((i == 0 || !nan_##bits(p + k * parts - step, parts)) && \
			    (m->filled == NULL || m->filled[k])) \
				left += down_##bits(m, i, k, parts); \
	return left; \
} \
\
static size_t \
number_##bits(const uint##bits##_t *p, size_t n, size_t parts) \
{ \
	size_t i; \
\
	for (i = 0; i < n && nan_##bits(p + i * parts, parts); ) \
		i++; \
	return i; \
} \
\
static void \
by_##bits(uint##bits##_t *p, size_t n, size_t parts, size_t step, \
    const void *element) \
{ \
	size_t i; \
\
	for (i = step == 1 ? find_##bits(p, n, parts, 0) : 0; i < n; ) { \
		if (nan_##bits(p + i * parts, parts)) \
			memcpy(p + i * parts, element, parts * sizeof *p); \
		i = step == 1 ? find_##bits(p, n, parts, i + 1) : i + step; \
	} \
}

FILLER(32, float, UINT32_C(0x7f800000))
FILLER(64, double, UINT64_C(0x7ff0000000000000))

size_t
taf_gaps_fill(struct taf_gap_line *line, void *p, uint64_t at, size_t n)
{
	const struct taf_type_facts *f = taf_type_facts(line->type);

	return f->bits == 32 ? fill_gaps_32(line, p, at, n, f->components) :
	    fill_gaps_64(line, p, at, n, f->components);
}

size_t
taf_gaps_fill_beside(const struct taf_gap_lines *m)
{
	const struct taf_type_facts *f = taf_type_facts(m->type);
	const size_t size = taf_type_size(m->type);
	size_t i;

	for (i = 0; i < m->len; i++)
		memcpy((unsigned char *)m->out + i * m->out_step * size,
		    (const unsigned char *)m->in + i * m->in_step * size,
		    m->lines * size);
	return f->bits == 32 ? beside_32(m, f->components) : beside_64(m, f->components);
}

size_t
taf_gaps_nan(const void *p, enum taf_type type, size_t n, size_t i)
{
	const struct taf_type_facts *f = taf_type_facts(type);

	return f->bits == 32 ? find_32(p, n, f->components, i) :
	    find_64(p, n, f->components, i);
}

size_t
taf_gaps_number(const void *p, enum taf_type type, size_t n)
{
	const struct taf_type_facts *f = taf_type_facts(type);

	return f->bits == 32 ? number_32(p, n, f->components) :
	    number_64(p, n, f->components);
}

void
taf_gaps_set(void *p, enum taf_type type, size_t n, size_t step, const void *element)
{
	const struct taf_type_facts *f = taf_type_facts(type);

	if (f->bits == 32)
		by_32(p, n, f->components, step, element);
	else
		by_64(p, n, f->components, step, element);
}
