#include "format/row_major.h"

#include <string.h>

#include "stream/reorder.h"
#include "stream/spool.h"

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
		if (st == TAF_OK)
			st = taf_ndarray_import(&a.nd, f->reverse, &l, e);
		if (st == TAF_OK)
			st = taf_in_skip(in, a.bytes, e);
		if (st == TAF_OK)
			st = f->end(in, &a, e);
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
	bool held = taf_in_seekable(in) || taf_reorder_moves(&l->stored, l->order), wanted;
	struct taf_in *part = in;
	enum taf_status st = TAF_OK;
	const unsigned char *p;
	size_t got = 0;

	if (held)
		st = taf_spool_part(in, a->bytes, &part, e);
	if (st != TAF_OK)
		return st;
	if (held)
		st = f->end(in, a, e);
	if (st == TAF_OK && held)
		st = taf_in_peek(in, 1, &p, &got, e);
	if (st == TAF_OK)
		st = taf_import_begin(im, &l->a, !held ? TAF_NEXT_UNKNOWN : got > 0 ?
		    TAF_NEXT_YES : TAF_NEXT_NO, &wanted, e);
	if (st == TAF_OK) {
		taf_watch(im->service, im->w, NULL, taf_array_bytes(&l->a));
		st = taf_reorder_in(&how, part, &l->stored, a->nd.big, e);
		taf_watch_end(im->service);
	}
	if (st == TAF_OK)
		st = taf_writer_end(im->w, &l->a, e);
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
	enum taf_status st;
	bool wanted;

	st = taf_import_begin(im, &l->a, TAF_NEXT_NO, &wanted, e);
	if (st == TAF_OK)
		st = taf_in_skip(in, a->bytes, e);
	if (st == TAF_OK)
		st = f->end(in, a, e);
	return st;
}

/* What the descriptor has no place for becomes attributes. */
static enum taf_status
set_attributes(const struct taf_row_major *f, const struct taf_row_major_array *from,
    struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (from->name.len > 0 && f->name_key != NULL)
		st = taf_attr_set(a, f->name_key, TAF_OF_ARRAY, 0, from->name.data, e);
	if (st == TAF_OK && from->type != NULL)
		st = taf_attr_set(a, f->type_key, TAF_OF_ARRAY, 0, from->type, e);
	if (st == TAF_OK && from->nd.ndim == 0 && f->ndim_key != NULL)
		st = taf_attr_set(a, f->ndim_key, TAF_OF_ARRAY, 0, "0", e);
	return st;
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
		st = set_attributes(f, &a, &l.a, e);
		if (st == TAF_OK && im->pick != 0 && im->pick != im->number + 1)
			st = pass_over(im, f, &a, &l, in, e);
		else if (st == TAF_OK)
			st = import_one(im, f, &a, &l, in, e);
		taf_array_fini(&l.a);
	}
	taf_buf_free(&a.name);
	return st == TAF_END ? TAF_OK : st;
}
