/* SPDX-License-Identifier: ISC */
#include "kernel/stat/envelope.h"

#include <math.h>

#include "kernel/number/convert_private.h"
#include "kernel/stat/extremes.h"

enum { BLOCK = 2048 };		/* doubles that stay in the first-level cache */

/* Values of 0 and below become NaN.  Returns how many. */
static uint64_t
drop(double *v, size_t n)
{
	uint64_t dropped = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (v[i] <= 0) {
			v[i] = NAN;
			dropped++;
		}
	return dropped;
}

/* Values of one bucket, the first of them being element at. */
static void
add_run(struct taf_envelope *x, struct taf_bucket *b, double *v, size_t n, uint64_t at)
{
	const uint64_t dropped = x->positive ? drop(v, n) : 0;
	struct taf_range r = { 0 };

	taf_range_add(&r, v, TAF_FLT64, n);
	x->dropped += dropped;
	x->nan += r.nan - dropped;
	x->inf += r.inf;
	if (r.finite == 0)
		return;
	if (!b->any || r.min < b->min) {
		b->min = r.min;
		b->min_at = at + taf_find_flt64(v, n, r.min);
	}
	if (!b->any || r.max > b->max) {
		b->max = r.max;
		b->max_at = at + taf_find_flt64(v, n, r.max);
	}
	b->any = true;
}

/* A block of values. */
static void
add_block(struct taf_envelope *x, double *v, size_t n)
{
	size_t i, part;

	for (i = 0; i < n; i += part, x->at += part) {
		part = n - i;
		while (x->next < x->n && x->at >= x->edge[x->next + 1])
			x->next++;
		if (x->next == x->n)
			continue;
		if (x->at < x->edge[x->next]) {
			if (part > x->edge[x->next] - x->at)
				part = (size_t)(x->edge[x->next] - x->at);
			continue;
		}
		if (part > x->edge[x->next + 1] - x->at)
			part = (size_t)(x->edge[x->next + 1] - x->at);
		add_run(x, &x->bucket[x->next], v + i, part, x->at);
	}
}

void
taf_envelope_add(struct taf_envelope *x, const void *src, enum taf_type stype, size_t m,
    const double *mapping)
{
	const size_t esize = taf_type_size(stype);
	const unsigned char *p = src;
	double v[BLOCK];
	size_t part;

	for (; m > 0; m -= part, p += part * esize) {
		part = m < BLOCK ? m : BLOCK;
		(void)taf_convert(v, TAF_FLT64, p, stype, part, mapping, true, NULL);
		add_block(x, v, part);
	}
}

void
taf_envelope_again(struct taf_envelope *x, struct taf_bucket *bucket)
{
	x->bucket = bucket;
	x->next = 0;
	x->at = 0;
}
