/* SPDX-License-Identifier: ISC */
#include "stream/reader_source.h"

#include <stdlib.h>
#include <string.h>

#include "stream/select.h"

/* The region of an array: a selection from a reader of all of it. */
struct taf_part {
	/* its elements alone, whose files are the reader's */
	struct taf_reader whole;
	struct taf_select *select;
	const unsigned char *at;	/* n elements at hand */
	size_t n;
};

/* The next n elements, to memory where to is not NULL. */
static enum taf_status
pass(struct taf_elements *s, unsigned char *to, uint64_t n, struct taf_err *e)
{
	struct taf_part *part = s->part;
	enum taf_status st = TAF_OK;
	const void *p;
	size_t now;

	while (n > 0) {
		if (part->n == 0) {
			st = taf_select_read(part->select, &p, &part->n, e);
			part->at = p;
		}
		if (st != TAF_OK)
			return st;
		now = n < part->n ? (size_t)n : part->n;
		if (to != NULL) {
			memcpy(to, part->at, now * s->esize);
			to += now * s->esize;
		}
		part->at += now * s->esize;
		part->n -= now;
		n -= now;
	}
	return TAF_OK;
}

static enum taf_status
read_part(struct taf_elements *s, void *to, size_t n, struct taf_err *e)
{
	return pass(s, to, n, e);
}

/* What is behind the last one of interest is not looked at. */
static enum taf_status
skip_part(struct taf_elements *s, uint64_t n, struct taf_err *e)
{
	return n == s->left ? TAF_OK : pass(s, NULL, n, e);
}

static const struct taf_elements_ops ops = {
	false, read_part, skip_part, NULL, NULL, NULL
};

/* Does the region lie in one piece?  Then that begins at *first. */
static bool
in_one_piece(const struct taf_array *a, const struct taf_region *region, uint64_t *first)
{
	bool over = false, one = true;
	uint64_t stride = 1;
	unsigned k;

	*first = 0;
	for (k = 0; k < region->ndim; k++) {
		const uint64_t count = region->count[k];

		one = one && (count == 1 || (!over && region->step[k] == 1));
		over = over || count < a->dim[k].n;
		*first += region->first[k] * stride;
		stride *= a->dim[k].n;
	}
	return one;
}

enum taf_status
taf_reader_narrow(struct taf_reader *r, const struct taf_array *a,
    const struct taf_region *region, struct taf_err *e)
{
	const uint64_t count = taf_region_count(region);
	struct taf_part *part;
	enum taf_status st;
	uint64_t first;

	if (count == r->from.left)
		return TAF_OK;
	if (in_one_piece(a, region, &first)) {
		st = taf_reader_skip(r, first, e);
		r->from.rest = r->from.left - count;
		r->from.left = count;
		return st;
	}
	part = calloc(1, sizeof *part);
	if (part == NULL)
		return taf_fail_mem(e);
	part->whole.from = r->from;
	st = taf_select_open(&part->select, &part->whole, a, region, e);
	if (st != TAF_OK) {
		free(part);
		return st;
	}
	r->from.part = part;
	r->from.ops = &ops;
	r->from.left = count;
	return TAF_OK;
}

const struct taf_elements *
taf_elements_all(const struct taf_elements *s)
{
	return s->part != NULL ? &s->part->whole.from : s;
}

void
taf_elements_widen(struct taf_elements *s)
{
	struct taf_part *part = s->part;

	s->left += s->rest;
	s->rest = 0;
	if (part == NULL)
		return;
	*s = part->whole.from;
	taf_select_close(part->select);
	free(part);
}
