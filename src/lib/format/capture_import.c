/* SPDX-License-Identifier: ISC */
#include "format/capture_import.h"

#include <string.h>

#include "array/missing.h"
#include "base/endian.h"
#include "base/num.h"
#include "format/to_nan.h"
#include "io/spool.h"
#include "stream/values.h"
#include "stream/writer_private.h"

enum { BLOCK = 4096 };	/* elements that change at a time */

/* A record on its way: r.array is what goes out, made of what is stored by recode. */
struct item {
	struct taf_record r;
	struct taf_recode recode;
	struct taf_array stored;	/* type and lengths of all that is stored */
	struct taf_region region;	/* what goes out of it, with bounds */
	struct taf_to_nan *nan;
};

static void
free_item(struct item *it)
{
	taf_array_fini(&it->r.array);
	taf_to_nan_free(it->nan);
	it->nan = NULL;
}

/* The part of it that goes out, as what that becomes. */
static enum taf_status
narrow(struct item *it, const struct taf_capture_how *how, struct taf_err *e)
{
	struct taf_array *const a = &it->r.array;
	struct taf_array part;

	if (how->bounds.most == 0)
		return TAF_OK;
	if (how->words != NULL && taf_words_settle(how->words, a, e) != TAF_OK)
		return e->code;
	if (taf_bounds_part(&how->bounds, a, &it->region, &part, e) == TAF_OK)
		*a = part;
	return e->code;
}

static enum taf_status
get_item(const struct taf_capture *c, uint64_t k, const struct taf_capture_how *how,
    struct item *it, struct taf_err *e)
{
	struct taf_record *const r = &it->r;

	if (taf_capture_record(c, k, r, e) != TAF_OK)
		return e->code;
	it->recode = (struct taf_recode){ .from = r->stored, .clip = how->clip,
	    .to = how->convert ? how->type : taf_record_parts(r) > 1 ?
	    taf_type_facts(r->array.type)->component : r->array.type,
	    .from_mapped = r->scaled || (how->convert && taf_array_mapped(&r->array)),
	    .from_map = { r->scaled ? r->shift : r->array.intercept,
	    r->scaled ? r->scale : r->array.slope } };
	taf_array_init(&it->stored);
	it->stored.type = r->biased ? r->array.type : r->stored;
	it->stored.ndim = r->array.ndim;
	memcpy(it->stored.dim, r->array.dim, sizeof it->stored.dim);
	if (narrow(it, how, e) != TAF_OK || (how->convert &&
	    taf_values_shape(&r->array, how->type, false, e) != TAF_OK))
		return e->code;
	return how->nan ? taf_to_nan_plan(&it->nan, &r->array,
	    TAF_MISSING_KEY "_FillValue", NULL, e) : TAF_OK;
}

/* Why two records cannot be columns of one array; NULL if they can. */
static const char *
difference(const struct taf_array *x, const struct taf_array *y)
{
	if (x->dim[0].n != y->dim[0].n)
		return "length";
	if (x->type != y->type)
		return "type";
	if (!taf_same_bits(x->intercept, y->intercept) ||
	    !taf_same_bits(x->slope, y->slope))
		return "mapping";
	if (!taf_same_bits(x->dim[0].step, y->dim[0].step))
		return "step";
	return NULL;
}

/* The array of all records side by side: a is that of the first one. */
static enum taf_status
join(const struct taf_capture *c, struct taf_array *a, struct taf_err *e)
{
	if (!taf_mul(a->dim[1].n, c->nrecords, &a->dim[1].n))
		return taf_fail(e, TAF_EDATA, "%llu records are too many",
		    (unsigned long long)c->nrecords);
	if (c->has_start)
		a->dim[0].start = c->start;
	return taf_array_check(a, e);
}

enum taf_status
taf_capture_import_check(const struct taf_capture *c, const struct taf_capture_how *how,
    struct taf_err *e)
{
	struct item first = { 0 }, it = { 0 };
	enum taf_status st = TAF_OK;
	const char *what = NULL;
	uint64_t k;

	if (c->nrecords == 0)
		return taf_fail(e, TAF_EDATA, "no records");
	for (k = 0; k < c->nrecords && st == TAF_OK; k++) {
		struct item *to = k == 0 ? &first : &it;

		free_item(to);
		st = get_item(c, k, how, to, e);
		if (st == TAF_OK && k > 0 && how->matrix &&
		    (what = difference(&first.r.array, &it.r.array)) != NULL)
			st = taf_fail(e, TAF_EDATA,
			    "record %llu differs from the first in %s: not one array",
			    (unsigned long long)k + 1, what);
	}
	if (st == TAF_OK && how->matrix)
		st = join(c, &first.r.array, e);
	free_item(&first);
	free_item(&it);
	return st;
}

/* Elements that change on their way. */
static enum taf_status
copy_changed(const struct item *it, struct taf_values *v, struct taf_writer *w,
    struct taf_convert_count *lost, struct taf_err *e)
{
	const size_t size = taf_type_size(it->stored.type);
	const size_t high = taf_host_is_big() ? 0 : size - 1;
	unsigned char from[BLOCK * 8], to[BLOCK * 8];
	uint64_t left = taf_array_count(&it->r.array);
	size_t n, k;

	for (; left > 0; left -= n) {
		n = left < BLOCK ? (size_t)left : BLOCK;
		if (taf_values_get(v, from, n, e) != TAF_OK)
			return e->code;
		for (k = 0; k < n && it->r.biased; k++)
			from[k * size + high] ^= 0x80;
		if (it->nan != NULL)
			taf_to_nan(it->nan, to, from, n, lost);
		if (taf_writer_put(w, it->nan != NULL ? to : from, n, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* Samples of an item, or one column or region of them, from in to w. */
static enum taf_status
move_column(const struct item *it, struct taf_in *in, const struct taf_array *stored,
    const struct taf_region *part, struct taf_capture_how *how, struct taf_writer *w,
    struct taf_err *e)
{
	const bool changed = it->r.biased || it->nan != NULL;
	const struct taf_recode copy = { .from = stored->type, .to = stored->type };
	const bool big = it->r.packed && !it->r.ordered ? taf_host_is_big() : it->r.big;
	struct taf_values *v = NULL;
	struct taf_reader *r = NULL;
	enum taf_status st = TAF_OK;

	if ((it->r.text ? taf_reader_text(&r, in, stored, e) :
	    taf_reader_raw(&r, in, stored, big, e)) != TAF_OK ||
	    taf_values_open(&v, r, stored, part, changed ? &copy : &it->recode, e) !=
	    TAF_OK || (changed ? copy_changed(it, v, w, &how->count, e) :
	    taf_values_copy(v, w, 1, e)) != TAF_OK ||
	    (it->r.text && taf_reader_text_end(r, e) != TAF_OK))
		st = e->code;
	if (v != NULL) {
		how->count.clipped += taf_values_count(v)->clipped;
		how->count.rounded += taf_values_count(v)->rounded;
	}
	taf_values_close(v);
	taf_reader_close(r);
	return st;
}

/* One column after the other of interleaved samples, or all samples as they come. */
static enum taf_status
move_samples(const struct item *it, struct taf_in *in, uint64_t offset,
    struct taf_capture_how *how, struct taf_writer *w, struct taf_err *e)
{
	const struct taf_array *a = &it->r.array;
	const bool cut = it->r.interleaved && a->dim[1].n > 1;
	struct taf_region column = { 2, { 0, 0 }, { 1, a->dim[0].n }, { 1, 1 } };
	const uint64_t columns = cut ? a->dim[1].n : 1;
	struct taf_array stored = it->stored;
	struct taf_in *again = NULL;

	if (cut) {
		stored.dim[0] = it->stored.dim[1];
		stored.dim[1] = it->stored.dim[0];
	}
	stored.dim[cut].n *= taf_record_parts(&it->r);
	if (taf_record_parts(&it->r) > 1)
		taf_writer_parts(w);
	for (; column.first[0] < columns; column.first[0]++)
		if (taf_in_again(&again, in, offset, e) != TAF_OK ||
		    move_column(it, again, &stored, cut ? &column :
		    how->bounds.most > 0 ? &it->region : NULL, how, w, e) != TAF_OK)
			return e->code;
	return TAF_OK;
}

/* The samples of record k, to w, which is within an array of the right type. */
static enum taf_status
move_record(const struct taf_capture *c, uint64_t k, const struct item *it,
    struct taf_capture_how *how, struct taf_writer *w, struct taf_err *e)
{
	struct taf_spool spool = { 0 };
	struct taf_in *in;
	enum taf_status st;

	if (!it->r.packed)
		return move_samples(it, c->in, c->base + it->r.offset, how, w, e);
	st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = c->unpack(c, k, &it->r, spool.out, e);
	if (taf_spool_end(&spool, st, taf_in_name(c->in), &in, e) != TAF_OK)
		return e->code;
	st = move_samples(it, in, 0, how, w, e);
	taf_in_close(in);
	return st;
}

/* All records as one array. */
static enum taf_status
write_matrix(const struct taf_capture *c, struct taf_capture_how *how,
    struct taf_import *im, struct taf_err *e)
{
	struct item it = { 0 };
	struct taf_array a = { 0 };
	enum taf_status st = TAF_OK;
	uint64_t k, starts = 0;
	bool wanted = false;

	if (get_item(c, 0, how, &it, e) != TAF_OK ||
	    taf_array_copy(&a, &it.r.array, e) != TAF_OK || join(c, &a, e) != TAF_OK ||
	    taf_import_begin(im, &a, TAF_NEXT_NO, &wanted, e) != TAF_OK) {
		st = e->code;
		wanted = false;
	}
	for (k = 0; k < c->nrecords && st == TAF_OK && wanted; k++) {
		free_item(&it);
		st = get_item(c, k, how, &it, e);
		starts += !taf_same_bits(it.r.array.dim[0].start, a.dim[0].start);
		if (st == TAF_OK)
			st = move_record(c, k, &it, how, im->w, e);
	}
	if (wanted)
		st = taf_import_end(im, &a, st, e);
	if (st == TAF_OK && starts > 0)
		taf_remark(im->service,
		    "%s: %llu of %llu columns begin at another time than the array",
		    taf_in_name(c->in), (unsigned long long)starts,
		    (unsigned long long)c->nrecords);
	taf_array_fini(&a);
	free_item(&it);
	return st;
}

enum taf_status
taf_capture_import_write(const struct taf_capture *c, struct taf_capture_how *how,
    struct taf_import *im, struct taf_err *e)
{
	struct item it = { 0 };
	enum taf_status st = TAF_OK;
	uint64_t k, count = 0;
	bool wanted;

	if (how->matrix)
		return write_matrix(c, how, im, e);
	for (k = 0; k < c->nrecords && st == TAF_OK && !im->done; k++) {
		const enum taf_next more = k + 1 < c->nrecords ? TAF_NEXT_YES :
		    TAF_NEXT_NO;

		if (get_item(c, k, how, &it, e) != TAF_OK ||
		    taf_import_begin(im, &it.r.array, more, &wanted, e) != TAF_OK)
			st = e->code;
		else if (wanted)
			st = taf_import_end(im, &it.r.array,
			    move_record(c, k, &it, how, im->w, e), e);
		count += taf_array_count(&it.r.array);
		free_item(&it);
	}
	if (st == TAF_OK && how->nan)
		taf_remark_lost(im->service, &how->count, count, TAF_FLT64);
	return st;
}

void
taf_capture_import_left(const struct taf_service *service, const char *file,
    const uint64_t left[TAF_LEFT_COUNT])
{
	static const char *const what[TAF_LEFT_COUNT] = {
		"samples behind those that the header counts are left out",
		"samples that the header counts are not in its data",
		"bytes behind the last record are left out",
		"objects beside the records are left out",
	};
	unsigned i;

	for (i = 0; i < TAF_LEFT_COUNT; i++)
		if (left[i] > 0)
			taf_remark(service, "%s: %llu %s", file,
			    (unsigned long long)left[i], what[i]);
}

/* A capture that nothing has decoded yet. */
static struct taf_capture
fresh(const struct taf_capture_import *want, const struct taf_import *im)
{
	return (struct taf_capture){ .name = want->name, .memory = im->service->memory,
		.complex = want->complex, .raw = want->raw, .arrays = want->arrays };
}

static enum taf_status
decode(const struct taf_capture_import *want, struct taf_capture *c, struct taf_in *in,
    struct taf_err *e)
{
	enum taf_status st = want->decode(c, in, e);

	if (st == TAF_OK && want->check != NULL)
		st = want->check(c, e);
	return st == TAF_OK ? taf_capture_import_check(c, &want->how, e) : st;
}

enum taf_status
taf_capture_look(void *ctx, const struct taf_import *im, struct taf_in *in,
    struct taf_err *e)
{
	const struct taf_capture_import *want = ctx;
	struct taf_capture c = fresh(want, im);
	enum taf_status st;

	/* one alone is looked at in a moment */
	if (im->nfiles == 1)
		return TAF_OK;
	st = decode(want, &c, in, e);
	taf_capture_fini(&c);
	return st;
}

enum taf_status
taf_capture_import(void *ctx, struct taf_import *im, struct taf_in **in,
    struct taf_err *e)
{
	struct taf_capture_import *want = ctx;
	struct taf_capture c = fresh(want, im);
	enum taf_status st;

	if (taf_spool_rest(in, e) != TAF_OK || decode(want, &c, *in, e) != TAF_OK ||
	    taf_capture_import_write(&c, &want->how, im, e) != TAF_OK)
		st = e->code;
	else
		st = taf_in_unchanged(c.in, e);
	if (st == TAF_OK)
		taf_capture_import_left(im->service, taf_in_name(*in), c.left);
	taf_capture_fini(&c);
	return st;
}
