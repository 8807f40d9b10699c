/* SPDX-License-Identifier: ISC */
#include "stream/select_private.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "io/remote.h"
#include "kernel/move/strided.h"

enum {
	/* read at a time: it and what is gathered stay in cache */
	BLOCK = 256 * 1024,
	/* given at a time: whoever reads a pipe is woken less often */
	OUT = 3 * BLOCK,
	GAP = 16 * 1024,	/* a smaller one is read, a larger one passed over */
	LONG = 64 * 1024	/* runs that are worth a call of the kernel each */
};

/*
 * Dimensions 0 to level - 1 are read as one box, dimension level in chunks of some of
 * its points, and the ones above point by point.
 */
struct taf_select {
	struct taf_reader *r;
	size_t esize;
	unsigned nd;
	/* of points, in elements */
	uint64_t count[TAF_MAX_DIM], pitch[TAF_MAX_DIM];
	uint64_t start;			/* of the first element */
	unsigned level;
	/* elements that a box of dimensions below level covers */
	uint64_t span;
	uint64_t chunk;			/* points of dimension level at a time */
	uint64_t at[TAF_MAX_DIM];	/* of the next box */
	/* elements of the array that the reader has passed */
	uint64_t pos;
	bool done;
	uint64_t bytes;			/* of the array: no more is ever in one place */
	unsigned char *in, *out;
};

/* Dimensions that are taken whole are one with the next. */
static void
merge(struct taf_select *s, const struct taf_array *a, const struct taf_region *region)
{
	uint64_t stride = 1;
	bool whole = false;
	unsigned k;

	for (k = 0; k < region->ndim; k++) {
		uint64_t n = a->dim[k].n, count = region->count[k],
		    step = region->step[k];

		s->start += region->first[k] * stride;
		if (whole && step == 1) {
			s->count[s->nd - 1] *= count;
		} else if (count > 1 || k == 0) {
			s->count[s->nd] = count;
			s->pitch[s->nd] = step * stride;
			s->nd++;
		}
		/*
		 * a further dimension can only join if this one leaves no gap at its end
		 */
		whole = count == n && step == 1 && s->nd > 0 &&
		    s->pitch[s->nd - 1] * s->count[s->nd - 1] == stride * n;
		stride *= n;
	}
}

static void
plan(struct taf_select *s)
{
	uint64_t most = BLOCK / s->esize;

	s->span = 1;
	for (s->level = 0; s->level < s->nd; s->level++) {
		uint64_t pitch = s->pitch[s->level], count = s->count[s->level];
		bool near = pitch - s->span <= GAP / s->esize;

		if (near && (count - 1) * pitch + s->span <= most) {
			s->span += (count - 1) * pitch;
			continue;
		}
		s->chunk = near ? (most - s->span) / pitch + 1 : 1;
		if (s->chunk > count)
			s->chunk = count;
		return;
	}
}

/* Is it a region of a? */
static enum taf_status
check(const struct taf_array *a, const struct taf_region *region, struct taf_err *e)
{
	unsigned k;

	if (taf_array_sound(a, e) != TAF_OK)
		return e->code;
	for (k = 0; k < a->ndim && region->ndim == a->ndim; k++) {
		const uint64_t n = a->dim[k].n, count = region->count[k];

		if (count > 0 && (region->first[k] >= n || (count > 1 &&
		    (region->step[k] < 1 ||
		    (n - 1 - region->first[k]) / region->step[k] < count - 1))))
			break;
	}
	return k == a->ndim ? TAF_OK :
	    taf_fail(e, TAF_EMISUSE, "internal: not a region of the array");
}

/* Tell the reader what will be read of it. */
static void
tell(const struct taf_select *s)
{
	const unsigned lines = s->pitch[0] == 1;
	struct taf_ranges ranges = { .first = s->start,
		.run = lines ? s->count[0] : 1, .levels = s->nd - lines };
	unsigned k;

	_Static_assert((int)TAF_RANGES_LEVELS >= (int)TAF_MAX_DIM, "a level a dimension");
	for (k = 0; k < ranges.levels; k++) {
		ranges.count[k] = s->count[k + lines];
		ranges.pitch[k] = s->pitch[k + lines];
	}
	taf_reader_plan(s->r, &ranges);
}

enum taf_status
taf_select_open(struct taf_select **result, struct taf_reader *r,
    const struct taf_array *a, const struct taf_region *region, struct taf_err *e)
{
	struct taf_select *s;
	unsigned k;

	if (check(a, region, e) != TAF_OK ||
	    (r != NULL && taf_reader_before(r, a, e) != TAF_OK))
		return e->code;
	s = calloc(1, sizeof *s);
	if (s == NULL)
		return taf_fail_mem(e);
	s->r = r;
	s->esize = taf_type_size(a->type);
	s->bytes = taf_array_bytes(a);
	for (k = 0; k < region->ndim; k++)
		s->done = s->done || region->count[k] == 0;
	if (!s->done) {
		merge(s, a, region);
		plan(s);
	}
	if (!s->done && r != NULL && taf_reader_plans(r))
		tell(s);
	*result = s;
	return TAF_OK;
}

void
taf_select_close(struct taf_select *s)
{
	if (s == NULL)
		return;
	free(s->in);
	free(s->out);
	free(s);
}

/* Go to the next box or run: dimensions below from are done with. */
static void
advance(struct taf_select *s, unsigned from, uint64_t by)
{
	unsigned k;

	for (k = from; k < s->nd; k++) {
		s->at[k] += k == from ? by : 1;
		if (s->at[k] < s->count[k])
			return;
		s->at[k] = 0;
	}
	s->done = true;
}

static enum taf_status
go_to(struct taf_select *s, struct taf_err *e)
{
	uint64_t to = s->start;
	enum taf_status st;
	unsigned k;

	for (k = 0; k < s->nd; k++)
		to += s->at[k] * s->pitch[k];
	st = taf_reader_skip(s->r, to - s->pos, e);
	s->pos = to;
	return st;
}

bool
taf_select_box(struct taf_select *s, struct taf_box *box)
{
	unsigned k;

	if (s->done)
		return false;
	box->first = s->start;
	for (k = 0; k < s->nd; k++)
		box->first += s->at[k] * s->pitch[k];
	box->nd = s->level < s->nd ? s->level + 1 : s->nd;
	box->span = (size_t)s->span;
	box->total = 1;
	for (k = 0; k < box->nd; k++) {
		uint64_t points = s->count[k];

		if (k == s->level) {
			points = s->count[k] - s->at[k];
			if (points > s->chunk)
				points = s->chunk;
			box->span += (size_t)((points - 1) * s->pitch[k]);
		}
		box->count[k] = (size_t)points;
		box->step[k] = (ptrdiff_t)(s->pitch[k] * s->esize);
		box->total *= box->count[k];
	}
	advance(s, s->level, s->chunk);
	return true;
}

/* Read a box, and gather its points at to. */
static enum taf_status
read_box(struct taf_select *s, const struct taf_box *box, unsigned char *to,
    struct taf_err *e)
{
	const bool whole = box->total == box->span;
	size_t bytes = s->esize;
	ptrdiff_t dstep[TAF_MAX_DIM];
	enum taf_status st;
	unsigned k;

	st = taf_reader_skip(s->r, box->first - s->pos, e);
	if (st == TAF_OK)
		st = taf_reader_read(s->r, whole ? to : s->in, box->span, e);
	s->pos = box->first + box->span;
	if (st != TAF_OK || whole)
		return st;
	for (k = 0; k < box->nd; k++) {
		dstep[k] = (ptrdiff_t)bytes;
		bytes *= box->count[k];
	}
	taf_strided_copy(to, s->in, &(struct taf_strided){ s->esize, box->nd,
	    box->count, dstep, box->step });
	return TAF_OK;
}

enum taf_status
taf_select_read(struct taf_select *s, const void **p, size_t *n, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct taf_box box;

	*n = 0;
	if (s->in == NULL) {
		s->in = taf_alloc(1, s->bytes < BLOCK ? (size_t)s->bytes : BLOCK);
		s->out = taf_alloc(1, s->bytes < OUT ? (size_t)s->bytes : OUT);
		if (s->in == NULL || s->out == NULL)
			return taf_fail_mem(e);
	}
	while (st == TAF_OK && *n * s->esize <= OUT - BLOCK && taf_select_box(s, &box)) {
		st = read_box(s, &box, s->out + *n * s->esize, e);
		*n += box.total;
	}
	*p = s->out;
	return st;
}

enum taf_status
taf_select_copy(struct taf_select *s, struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (!s->done && s->pitch[0] == 1 && s->at[0] == 0 &&
	    s->count[0] >= LONG / s->esize) {
		while (!s->done && st == TAF_OK) {
			st = go_to(s, e);
			if (st == TAF_OK)
				st = taf_writer_copy(w, s->r, s->count[0], e);
			s->pos += s->count[0];
			advance(s, 1, 1);
		}
		return st;
	}
	while (st == TAF_OK) {
		const void *p;
		size_t n;

		st = taf_select_read(s, &p, &n, e);
		if (st != TAF_OK || n == 0)
			break;
		st = taf_writer_put(w, p, n, e);
	}
	return st;
}
