/* SPDX-License-Identifier: ISC */
#include "op/number/cast.h"

#include "base/need.h"
#include "kernel/number/convert_private.h"
#include "kernel/number/marks.h"
#include "stream/tiles.h"
#include "stream/values.h"

enum { BLOCK = 64 * 1024 };	/* elements */

struct look {
	struct taf_reader *r;
	enum taf_type type;
	const double *mapping;	/* NULL for none */
	uint64_t at, count;
	struct taf_out *copy;	/* gets the elements of a pipe; NULL */
	struct taf_range range[TAF_THREADS_MOST];
};

static bool
next(void *ctx, struct taf_tile *t)
{
	struct look *l = ctx;

	t->scratch_size = l->mapping != NULL ? BLOCK * sizeof(double) : 0;
	return taf_tile_piece(t, 1, &l->at, l->count, BLOCK);
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct look *l = ctx;
	const void *values = t->raw[0];
	enum taf_type type = l->type;

	(void)e;
	if (l->mapping != NULL) {
		(void)taf_convert(t->scratch, TAF_FLT64, values, type, t->out.n,
		    l->mapping, false, NULL);
		values = t->scratch;
		type = TAF_FLT64;
	}
	taf_range_add(&l->range[t->slot], values, type, t->out.n);
	return TAF_OK;
}

/* In order: room for all is not asked for, because they may not come. */
static enum taf_status
give(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct look *l = ctx;

	return taf_out_write(l->copy, t->raw[0], t->out.n * taf_type_size(l->type), e);
}

static enum taf_status
look(struct look *l, unsigned threads, struct taf_err *e)
{
	const size_t esize = taf_type_size(l->type);
	const struct taf_tiles tiles = { .r = &l->r, .esize = &esize, .nin = 1,
		.count = l->count, .threads = taf_threads_for(threads, l->count / BLOCK),
		.ctx = l, .next = next, .work = work,
		.give = l->copy != NULL ? give : NULL,
		/* what is not copied is read again later */
		.scattered = l->copy == NULL };

	return taf_tiles(&tiles, e);
}

/* Of a pipe, the elements are looked at on their way to a temporary file. */
static enum taf_status
look_and_copy(struct look *l, unsigned threads, struct taf_err *e)
{
	struct taf_spool spool;
	enum taf_status st;

	st = taf_spool_begin(&spool, e);
	l->copy = spool.out;
	if (st == TAF_OK)
		st = look(l, threads, e);
	return taf_reader_spooled(l->r, &spool, l->count, st, e);
}

bool
taf_scale_applies(const struct taf_array *a, enum taf_type type)
{
	return taf_type_facts(taf_values_type(a, false))->kind == TAF_FLOAT &&
	    taf_type_is_int(type);
}

enum taf_status
taf_range_of(struct taf_reader *r, const struct taf_array *in, unsigned threads,
    struct taf_range *all, struct taf_err *e)
{
	const double mapping[2] = { in->intercept, in->slope };
	struct look l = { .r = r, .type = in->type, .count = taf_reader_left(r),
		.mapping = taf_array_mapped(in) ? mapping : NULL };
	enum taf_status st;
	unsigned k;

	*all = (struct taf_range){ 0 };
	st = taf_reader_plain(r) ? look(&l, threads, e) : look_and_copy(&l, threads, e);
	for (k = 0; k < TAF_THREADS_MOST; k++)
		taf_range_join(all, &l.range[k]);
	return st;
}

enum taf_status
taf_scale_plan(struct taf_reader *r, const struct taf_array *in, struct taf_array *out,
    unsigned threads, struct taf_err *e)
{
	const uint64_t left = taf_reader_left(r);
	struct taf_recode how;
	struct taf_range all;
	enum taf_status st;

	taf_need_again(taf_array_bytes(in));
	taf_need_shaped();
	st = taf_range_of(r, in, threads, &all, e);

	taf_array_unmap(out);
	if (left > 0 && st == TAF_OK && !taf_quantize_plan(&all, out->type,
	    &out->intercept, &out->slope))
		st = taf_fail(e, TAF_EDATA, all.finite == 0 ? "no value is finite" :
		    "the range of the values is too large to be scaled");
	if (st == TAF_OK)
		st = taf_values_plan_as(&how, in, out, false, e);
	return st == TAF_OK ? taf_missing_convert(out, &how, e) : st;
}

enum taf_type
taf_cast_from(const struct taf_array *a, enum taf_type type)
{
	return taf_type_is_pair(type) ? a->type : taf_type_facts(a->type)->component;
}

enum taf_status
taf_cast(const struct taf_cast *how, struct taf_err *e)
{
	struct taf_array from = *how->in;	/* it owns nothing */
	const struct taf_convert_count *lost;
	struct taf_recode recode;
	struct taf_values *v = NULL;
	enum taf_status st;

	from.type = taf_cast_from(how->in, how->out->type);
	st = taf_values_plan_as(&recode, &from, how->out, how->clip || how->scaled, e);
	recode.from = how->in->type;
	recode.rough = how->scaled;
	if (st == TAF_OK)
		st = taf_values_open(&v, how->r, how->in, NULL, &recode, e);
	if (st == TAF_OK)
		st = taf_values_copy(v, how->w, taf_threads(how->service), e);
	if (st != TAF_OK) {
		taf_values_close(v);
		return st;
	}
	lost = taf_values_count(v);
	if (!how->scaled)
		taf_remark_lost(how->service, lost, taf_array_count(how->out),
		    how->out->type);
	else if (lost->clipped > 0)
		taf_remark(how->service, "%llu values that are not finite clipped",
		    (unsigned long long)lost->clipped);
	taf_values_close(v);
	return TAF_OK;
}
