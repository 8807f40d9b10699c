/* SPDX-License-Identifier: ISC */
/*
 * Bounds of the command line, resolved: bytes for four lengths and grids, then lines,
 * x or g and an argument.  What comes out is held against a loop over all points.  A line
 * with a or l is an axis or a list.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/naive_bound.h"
#include "base/endian.h"
#include "target.h"

enum { DIMS = 4, DIM_BYTES = 17, HEAD = DIMS * DIM_BYTES, TEXT_MAX = 200 };

static void
parse_axis(const char *text)
{
	struct taf_err e = { 0 };
	double start, step;
	unsigned dim;
	enum taf_status st = taf_axis_parse(text, &dim, &start, &step, &e);

	must(st == TAF_OK || st == TAF_EUSAGE);
	must(st == e.code);
	must(st != TAF_OK || (dim >= 1 && dim <= TAF_MAX_DIM && start - start == 0 &&
	    step - step == 0 && step != 0));
}

static void
parse_list(const char *text)
{
	uint64_t v[DIMS];
	unsigned n = 0, commas = 0;
	bool good = taf_list_parse(text, v, DIMS, &n);

	for (; *text != '\0'; text++)
		commas += *text == ',';
	must(!good || (n <= DIMS && n == commas + 1));
}

/* The same list as dimensions: none is named twice; an array has all of them, or not. */
static void
parse_dims(const char *text, const struct taf_array *a)
{
	struct taf_err e = { 0 };
	unsigned dim[TAF_MAX_DIM], n = 0, k, i;
	bool there = true;
	enum taf_status st = taf_dims_parse(text, dim, &n, &e);

	must(st == TAF_OK || st == TAF_EUSAGE);
	for (k = 0; k < n && st == TAF_OK; k++) {
		must(dim[k] >= 1 && dim[k] <= TAF_MAX_DIM);
		there = there && dim[k] <= a->ndim;
		for (i = 0; i < k; i++)
			must(dim[i] != dim[k]);
	}
	if (st == TAF_OK)
		must(taf_dims_there(a, dim, n, &e) == (there ? TAF_OK : TAF_EDATA));
}

/*
 * An argument is accepted or a wrong invocation, and never changes another dimension.  It is
 * kept in text, because the bounds are lent its names.
 */
static void
parse(struct taf_bounds *b, const struct taf_array *a, const uint8_t *p, size_t n,
    char *text)
{
	struct taf_err e = { 0 };
	enum taf_status st;

	if (n < 1 || n > TEXT_MAX || memchr(p, '\0', n) != NULL)
		return;
	memcpy(text, p + 1, n - 1);
	text[n - 1] = '\0';
	if (p[0] == 'a') {
		parse_axis(text);
		return;
	}
	if (p[0] == 'l') {
		parse_list(text);
		parse_dims(text, a);
		return;
	}
	st = p[0] == 'g' ? taf_bounds_grid(b, text, &e) : taf_bounds_index(b, text, &e);
	must(st == TAF_OK || st == TAF_EUSAGE);
	must(st == e.code);
}

static void
compare(const struct taf_bounds *b, const struct taf_array *a, const struct taf_region *r,
    enum taf_status st)
{
	static uint64_t list[NAIVE_MOST];
	bool refused = b->most > a->ndim;

	for (unsigned k = 0; k < a->ndim; k++) {
		const struct taf_bound *d = &b->dim[k];

		/* the points have no names */
		if (d->by_index && d->step == 0) {
			must(st != TAF_OK);
			return;
		}
		if (!d->by_index && !d->by_grid) {
			must(st != TAF_OK ||
			    (r->first[k] == 0 && r->count[k] == a->dim[k].n));
		} else if (a->dim[k].n <= NAIVE_MOST) {
			uint64_t count = naive_bound(d, &a->dim[k], list);

			refused = refused || count == 0;
			must(st != TAF_OK || naive_is(r, k, list, count));
		} else if (st == TAF_OK) {
			must(r->count[k] >= 1 && r->first[k] < a->dim[k].n &&
			    r->step[k] >= 1);
			must((r->count[k] - 1) <=
			    (a->dim[k].n - 1 - r->first[k]) / r->step[k]);
		}
	}
	must(!refused || st == TAF_EDATA);
}

/* The part has so many elements; the last one is where the region ends. */
static void
check_part(const struct taf_array *part, const struct taf_region *r)
{
	struct taf_err e = { 0 };
	struct taf_region all;
	char last[32];
	uint64_t count = taf_region_count(r), end;
	size_t n;

	taf_region_all(&all, part);
	for (unsigned k = 0; k < DIMS; k++)
		must(all.count[k] == r->count[k] && all.first[k] == 0 &&
		    all.step[k] == 1 && part->dim[k].n == r->count[k]);
	must(taf_region_count(&all) == count);
	if (count == 0 || taf_array_check(part, &e) != TAF_OK)
		return;
	end = r->first[0] + (r->count[0] - 1) * r->step[0] + 1;
	n = (size_t)snprintf(last, sizeof last, "[%llu,", (unsigned long long)end);
	must(strncmp(taf_region_place(r, count - 1).s, last, n) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct taf_bounds none;
	struct taf_bounds b = none;
	struct taf_err e = { 0 };
	struct taf_region r;
	struct taf_array a, part;
	enum taf_status st;
	char *text;

	if (size < HEAD || (text = malloc(size)) == NULL)
		return 0;
	taf_array_init(&a);
	for (unsigned k = 0; k < DIMS; k++) {
		const uint8_t *p = data + k * DIM_BYTES;

		/* the first byte says how long: most are short */
		taf_array_add_dim(&a,
		    p[0] < 250 ? p[0] : UINT64_C(1) << (62 - (p[0] & 7)),
		    taf_getf64(p + 1, false), taf_getf64(p + 9, false));
	}
	for (size_t at = HEAD; at < size;) {
		const uint8_t *lf = memchr(data + at, '\n', size - at);
		size_t end = lf != NULL ? (size_t)(lf - data) : size;

		parse(&b, &a, data + at, end - at, text + at);
		at = end + 1;
	}
	st = taf_bounds_part(&b, &a, &r, &part, &e);
	must(st == TAF_OK || st == TAF_EDATA || st == TAF_EUSAGE);
	compare(&b, &a, &r, st);
	if (st == TAF_OK)
		check_part(&part, &r);
	taf_array_fini(&a);
	free(text);
	return 0;
}
