/* SPDX-License-Identifier: ISC */
#include "format/row_major.h"

#include "io/spool.h"
#include "stream/reorder_private.h"

enum taf_status
taf_row_major_check(void *ctx, const struct taf_import *im, struct taf_in *in,
    struct taf_err *e)
{
	const struct taf_row_major *f = ctx;
	struct taf_row_major_array a = { 0 };
	struct taf_layout l;
	enum taf_status st = TAF_OK;

	/* with -N only what comes before the wanted one is read */
	while (st == TAF_OK && im->pick == 0) {
		st = f->next(in, &a, e);
		if (st == TAF_OK && (taf_ndarray_import(&a.nd, f->reverse, &l, e) !=
		    TAF_OK || taf_in_skip(in, a.bytes, e) != TAF_OK ||
		    f->end(in, &a, e) != TAF_OK))
			st = e->code;
	}
	taf_buf_free(&a.name);
	return st == TAF_END ? TAF_OK : st;
}

/*
 * One array, up to the next.  Where it can be read at any offset in is behind it before
 * it is written, so that it is known whether another follows.
 */
static enum taf_status
import_one(struct taf_import *im, const struct taf_row_major *f,
    const struct taf_row_major_array *a, struct taf_layout *l, struct taf_in *in,
    struct taf_err *e)
{
	const struct taf_reorder how = { .order = l->order,
	    .recode = a->nd.half ? TAF_CHANGE_HALF : TAF_CHANGE_NONE,
	    .writer = im->w, .memory = im->service->memory,
	    .jobs = taf_threads(im->service) };
	bool held = taf_in_seekable(in) || taf_reorder_moves(&l->stored, l->order),
	    wanted;
	struct taf_in *part = in;
	enum taf_status st;
	const unsigned char *p;
	size_t got = 0;

	if (held && taf_spool_part(in, a->bytes, how.memory, &part, e) != TAF_OK)
		return e->code;
	if ((held && (f->end(in, a, e) != TAF_OK ||
	    taf_in_peek(in, 1, &p, &got, e) != TAF_OK)) ||
	    taf_import_begin(im, &l->a, got > 0 ? TAF_NEXT_YES : f->single ||
	    (held && f->part == NULL) ? TAF_NEXT_NO : TAF_NEXT_UNKNOWN, &wanted, e) !=
	    TAF_OK)
		st = e->code;
	else
		st = taf_import_end(im, &l->a,
		    taf_reorder_in(&how, part, &l->stored, a->nd.big, e), e);
	if (held)
		taf_in_close(part);
	else if (st == TAF_OK)
		st = f->end(in, a, e);
	return st;
}

static enum taf_status
pass_over(struct taf_import *im, const struct taf_row_major *f,
    const struct taf_row_major_array *a, const struct taf_layout *l, struct taf_in *in,
    struct taf_err *e)
{
	bool wanted;

	if (taf_import_begin(im, &l->a, TAF_NEXT_NO, &wanted, e) != TAF_OK ||
	    taf_in_skip(in, a->bytes, e) != TAF_OK)
		return e->code;
	return f->end(in, a, e);
}

/* What the descriptor has no place for becomes attributes. */
static enum taf_status
set_attributes(const struct taf_row_major *f, const struct taf_row_major_array *from,
    struct taf_array *a, struct taf_err *e)
{
	if (from->name.len > 0 && f->name_key != NULL &&
	    taf_attr_set(a, f->name_key, TAF_OF_ARRAY, 0, from->name.data, e) != TAF_OK)
		return e->code;
	if (f->part != NULL &&
	    taf_attr_set(a, f->part_key, TAF_OF_ARRAY, 0, f->part, e) != TAF_OK)
		return e->code;
	if (from->type != NULL &&
	    taf_attr_set(a, f->type_key, TAF_OF_ARRAY, 0, from->type, e) != TAF_OK)
		return e->code;
	if (from->nd.ndim == 0 && f->ndim_key != NULL)
		return taf_attr_set(a, f->ndim_key, TAF_OF_ARRAY, 0, "0", e);
	return TAF_OK;
}

enum taf_status
taf_row_major_import(void *ctx, struct taf_import *im, struct taf_in **from,
    struct taf_err *e)
{
	const struct taf_row_major *f = ctx;
	struct taf_row_major_array a = { 0 };
	struct taf_in *in = *from;
	enum taf_status st = TAF_OK;

	while (st == TAF_OK && !im->done) {
		struct taf_layout l;

		st = f->next(in, &a, e);
		if (st == TAF_OK)
			st = taf_ndarray_import(&a.nd, f->reverse, &l, e);
		if (st != TAF_OK)
			break;
		if (set_attributes(f, &a, &l.a, e) != TAF_OK)
			st = e->code;
		else if (im->pick != 0 && im->pick != im->number + 1)
			st = pass_over(im, f, &a, &l, in, e);
		else
			st = import_one(im, f, &a, &l, in, e);
		taf_array_fini(&l.a);
	}
	taf_buf_free(&a.name);
	return st == TAF_END ? TAF_OK : st;
}
