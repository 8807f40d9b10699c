/* SPDX-License-Identifier: ISC */
#include "stream/values_private.h"

#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/endian.h"
#include "kernel/number/marks.h"
#include "kernel/number/recode_private.h"
#include "stream/select.h"
#include "stream/service.h"
#include "stream/tiles.h"

enum {
	PIECE = 512 * 1024,	/* bytes that a thread has, of elements and of results */
	HANDY = 32 * 1024	/* elements that are read at a time */
};

struct taf_values {
	struct taf_reader *r;
	struct taf_select *select;	/* NULL for all that is left */
	void *elements;		/* HANDY of them, without select */
	struct taf_recode how;
	struct taf_region region;	/* what is given, for messages */
	size_t from_size, to_size;
	struct taf_convert_count count;
	uint64_t done;		/* values given so far */
	const unsigned char *pending;	/* npending elements at hand */
	size_t npending;
	void *converted;	/* memory for most values */
	size_t most;
};

enum taf_type
taf_values_type(const struct taf_array *a, bool raw)
{
	return raw || !taf_array_mapped(a) ? a->type : TAF_FLT64;
}

static enum taf_status
convertible(enum taf_type from, enum taf_type to, struct taf_err *e)
{
	if (!taf_type_known(from) || !taf_type_known(to))
		return taf_fail(e, TAF_EMISUSE, "internal: no type");
	if (taf_type_is_pair(from) != taf_type_is_pair(to))
		return taf_fail(e, TAF_EDATA, "%s elements do not convert to %s",
		    taf_type_name(from), taf_type_name(to));
	return TAF_OK;
}

enum taf_status
taf_values_shape(struct taf_array *a, enum taf_type type, bool raw, struct taf_err *e)
{
	struct taf_recode how;

	if (taf_values_plan(&how, a, type, raw, false, e) != TAF_OK)
		return e->code;
	if (taf_missing_convert(a, &how, e) != TAF_OK)
		return e->code;
	if (!raw || type != a->type)
		taf_array_unmap(a);
	a->type = type;
	return TAF_OK;
}

enum taf_status
taf_values_plan(struct taf_recode *how, const struct taf_array *a, enum taf_type type,
    bool raw, bool clip, struct taf_err *e)
{
	*how = (struct taf_recode){ .from = a->type, .to = type, .clip = clip,
	    .from_mapped = !raw && taf_array_mapped(a),
	    .from_map = { a->intercept, a->slope } };
	return convertible(a->type, type, e);
}

enum taf_status
taf_values_plan_as(struct taf_recode *how, const struct taf_array *a,
    const struct taf_array *target, bool clip, struct taf_err *e)
{
	enum taf_status st = taf_values_plan(how, a, target->type, false, clip, e);

	how->to_mapped = taf_array_mapped(target);
	how->to_map[0] = target->intercept;
	how->to_map[1] = target->slope;
	if (st == TAF_OK && how->to_mapped && target->slope == 0 &&
	    !taf_recode_same_mapping(how))
		st = taf_fail(e, TAF_EDATA, "its slope is 0: all its values are one");
	return st;
}

enum taf_status
taf_values_open(struct taf_values **result, struct taf_reader *r,
    const struct taf_array *a, const struct taf_region *region,
    const struct taf_recode *how, struct taf_err *e)
{
	struct taf_values *v;
	enum taf_status st = taf_array_sound(a, e);

	if (st == TAF_OK && (how->from != a->type || !taf_type_known(how->to) ||
	    taf_reader_left(r) > taf_array_count(a)))
		st = taf_fail(e, TAF_EMISUSE, "internal: values of another array");
	if (st != TAF_OK)
		return st;
	v = calloc(1, sizeof *v);
	if (v == NULL)
		return taf_fail_mem(e);
	v->r = r;
	v->how = *how;
	v->from_size = taf_type_size(how->from);
	v->to_size = taf_type_size(how->to);
	if (region != NULL)
		v->region = *region;
	else
		taf_region_all(&v->region, a);
	if (region != NULL)
		st = taf_select_open(&v->select, r, a, region, e);
	else
		v->done = taf_array_count(a) - taf_reader_left(r);
	if (st != TAF_OK)
		taf_values_close(v);
	else
		*result = v;
	return st;
}

void
taf_values_close(struct taf_values *v)
{
	if (v == NULL)
		return;
	taf_select_close(v->select);
	free(v->elements);
	free(v->converted);
	free(v);
}

/* Value k, from 0, whose element is at src, is none of the type. */
static enum taf_status
misfit(const struct taf_values *v, uint64_t k, const void *src, struct taf_err *e)
{
	return taf_recode_misfit(&v->how, src, taf_region_count(&v->region) == 1 ? "" :
	    taf_region_place(&v->region, k).s, e);
}

/* Have elements at hand; none at the end. */
static enum taf_status
look(struct taf_values *v, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	const void *p = v->elements;
	uint64_t left;

	if (v->npending > 0)
		return TAF_OK;
	if (v->select != NULL) {
		st = taf_select_read(v->select, &p, &v->npending, e);
		v->pending = p;
		return st;
	}
	if (p == NULL && (p = v->elements = taf_alloc(HANDY, v->from_size)) == NULL)
		return taf_fail_mem(e);
	left = taf_reader_left(v->r);
	v->npending = left < HANDY ? (size_t)left : HANDY;
	v->pending = p;
	return taf_reader_read(v->r, v->elements, v->npending, e);
}

/* The next n of the elements at hand. */
static enum taf_status
pass(struct taf_values *v, void *to, size_t n, struct taf_err *e)
{
	const size_t good = taf_recode(&v->how, to, v->pending, n, &v->count);

	if (good < n)
		return misfit(v, v->done + good, v->pending + good * v->from_size, e);
	v->done += n;
	v->pending += n * v->from_size;
	v->npending -= n;
	return TAF_OK;
}

enum taf_status
taf_values_get(struct taf_values *v, void *to, size_t n, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned char *p = to;

	while (n > 0 && st == TAF_OK) {
		size_t part;

		st = look(v, e);
		if (st != TAF_OK)
			break;
		part = n < v->npending ? n : v->npending;
		if (part == 0)
			return taf_fail(e, TAF_EDATA, "%llu values, and more are wanted",
			    (unsigned long long)v->done);
		st = pass(v, p, part, e);
		p += part * v->to_size;
		n -= part;
	}
	return st;
}

enum taf_status
taf_values_read(struct taf_values *v, const void **p, size_t *n, struct taf_err *e)
{
	enum taf_status st = look(v, e);

	*n = v->npending;
	*p = v->pending;
	if (st != TAF_OK || *n == 0)
		return st;
	if (taf_recode_is_copy(&v->how)) {
		v->done += *n;
		v->npending = 0;
		return TAF_OK;
	}
	if (*n > v->most) {
		free(v->converted);
		v->converted = taf_alloc(*n, v->to_size);
		v->most = v->converted != NULL ? *n : 0;
		if (v->converted == NULL)
			return taf_fail_mem(e);
	}
	*p = v->converted;
	return pass(v, v->converted, *n, e);
}

struct copy {
	struct taf_values *v;
	size_t piece;			/* values at a time */
	uint64_t at, count;		/* values that are given out; all of them */
	struct taf_convert_count lost[TAF_THREADS_MOST];
};

static bool
next(void *ctx, struct taf_tile *t)
{
	struct copy *c = ctx;

	return taf_tile_piece(t, 1, &c->at, c->count, c->piece);
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct copy *c = ctx;
	const size_t good = taf_recode(&c->v->how, t->stored, t->raw[0], t->out.n,
	    &c->lost[t->slot]);

	return good == t->out.n ? TAF_OK : misfit(c->v, c->v->done + t->out.first + good,
	    t->raw[0] + good * c->v->from_size, e);
}

/* A region, piece by piece. */
static enum taf_status
copy_region(struct taf_values *v, struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st;
	const void *p;
	size_t n;

	do {
		st = taf_values_read(v, &p, &n, e);
		if (st == TAF_OK && n > 0)
			st = taf_writer_put(w, p, n, e);
	} while (st == TAF_OK && n > 0);
	return st;
}

enum taf_status
taf_values_copy(struct taf_values *v, struct taf_writer *w, unsigned threads,
    struct taf_err *e)
{
	/* whole pairs, where w counts their parts */
	struct copy c = { .v = v, .piece = PIECE / (v->from_size + v->to_size) / 2 * 2,
		.count = taf_reader_left(v->r) };
	const struct taf_tiles tiles = { .r = &v->r, .esize = &v->from_size, .nin = 1,
		.w = w, .osize = v->to_size, .record = 1, .count = c.count,
		.threads = taf_threads_for(threads, c.count / c.piece), .ctx = &c,
		.next = next, .work = work };
	enum taf_status st;
	unsigned k;

	if (taf_recode_is_copy(&v->how))
		return v->select != NULL ? taf_select_copy(v->select, w, e) :
		    taf_writer_copy(w, v->r, c.count, e);
	if (v->select != NULL)
		return copy_region(v, w, e);
	st = taf_tiles(&tiles, e);
	for (k = 0; k < tiles.threads; k++) {
		v->count.clipped += c.lost[k].clipped;
		v->count.rounded += c.lost[k].rounded;
	}
	v->done += c.count;
	return st == TAF_OK ? taf_reader_skip(v->r, taf_reader_left(v->r), e) : st;
}

const struct taf_convert_count *
taf_values_count(const struct taf_values *v)
{
	return &v->count;
}

enum taf_status
taf_value_open(const struct taf_value *v, struct taf_array *a, struct taf_reader **r,
    struct taf_err *e)
{
	struct taf_in *in;

	taf_array_init(a);
	a->type = v->type;
	taf_array_add_dim(a, 1, 1, 1);
	if (taf_in_mem(&in, &v->as, sizeof v->as, e) != TAF_OK)
		return e->code;
	return taf_reader_raw(r, in, a, taf_host_is_big(), e);
}

/*
 * Is the value that an element stands for v, but for what a mapping's arithmetic rounds?
 */
static bool
stands_for(const struct taf_recode *how, const void *element, const struct taf_value *v)
{
	const struct taf_recode back = { .from = how->to, .to = TAF_FLT64,
	    .from_mapped = true, .from_map = { how->to_map[0], how->to_map[1] } };
	double stored, value;

	(void)taf_recode(&back, &stored, element, 1, NULL);
	(void)taf_convert(&value, TAF_FLT64, &v->as, v->type, 1, NULL, false, NULL);
	return fabs(value - stored) <= 1e-9 * fabs(how->to_map[1]);
}

enum taf_status
taf_value_store(const struct taf_value *v, const struct taf_array *target, void *element,
    struct taf_err *e)
{
	struct taf_convert_count lost = { 0 };
	struct taf_value whole = *v;
	struct taf_recode how;
	struct taf_array from, to;
	size_t good;

	taf_array_init(&from);
	taf_array_init(&to);
	to.type = taf_type_facts(target->type)->component;
	if (taf_type_is_int(to.type) && !taf_array_mapped(target)) {
		taf_value_round(&whole);
		v = &whole;
	}
	from.type = v->type;
	to.intercept = target->intercept;
	to.slope = target->slope;
	if (taf_values_plan_as(&how, &from, &to, false, e) != TAF_OK)
		return e->code;
	memset(element, 0, taf_type_size(target->type));
	good = taf_recode(&how, element, &v->as, 1, &lost);
	if (good == 1 && ((lost.rounded == 0 && (!v->fraction || how.to_mapped)) ||
	    !taf_type_is_int(to.type) || (how.to_mapped && stands_for(&how, element, v))))
		return TAF_OK;
	if (good < 1)
		return taf_recode_misfit(&how, &v->as, "", e);
	if (how.to_mapped)
		return taf_fail(e, TAF_EDATA,
		    "%s under its mapping does not hold the value %s: convert it before, as tafcast -t flt32 does",
		    taf_type_name(target->type), v->text);
	return taf_fail(e, TAF_EDATA, "value %s does not fit %s", v->text,
	    taf_type_limits(target->type).s);
}
