#include "op/cast.h"

#include <stdlib.h>

#include "base/buf.h"
#include "kernel/number/convert.h"
#include "stream/marks.h"
#include "stream/relay.h"
#include "stream/values.h"

enum { BLOCK = 64 * 1024 };	/* elements */

struct slot {
	void *block;
	double *values;		/* of them, under a mapping */
	uint64_t first;
	size_t n;
	struct taf_range range;
};

struct job {
	struct taf_reader *r;
	enum taf_type type;
	const double *mapping;	/* NULL for none */
	uint64_t at, count;
	struct taf_out *copy;	/* gets the elements of a pipe; NULL */
	struct slot slot[TAF_RELAY_MOST];
};

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[slot];

	*more = j->at < j->count;
	if (*more && m->block == NULL)
		m->block = taf_alloc(BLOCK, taf_type_size(j->type));
	if (*more && m->values == NULL && j->mapping != NULL)
		m->values = taf_alloc(BLOCK, sizeof *m->values);
	if (*more && (m->block == NULL || (m->values == NULL && j->mapping != NULL)))
		return taf_fail_mem(e);
	m->first = j->at;
	m->n = j->count - j->at < BLOCK ? (size_t)(j->count - j->at) : BLOCK;
	j->at += m->n;
	if (!*more || j->copy == NULL)
		return TAF_OK;
	return taf_reader_read(j->r, m->block, m->n, e);
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[slot];
	enum taf_status st = TAF_OK;

	if (j->copy == NULL)
		st = taf_reader_at(j->r, m->block, m->first, m->n, e);
	if (st != TAF_OK)
		return st;
	if (j->mapping == NULL) {
		taf_range_add(&m->range, m->block, j->type, m->n);
		return TAF_OK;
	}
	(void)taf_convert(m->values, TAF_FLT64, m->block, j->type, m->n, j->mapping,
	    false, NULL);
	taf_range_add(&m->range, m->values, TAF_FLT64, m->n);
	return TAF_OK;
}

/* In order: room for all is not asked for, because they may not come. */
static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	const struct slot *m = &j->slot[slot];

	return taf_out_write(j->copy, m->block, m->n * taf_type_size(j->type), e);
}

static enum taf_status
look(struct job *j, unsigned threads, struct taf_err *e)
{
	const struct taf_relay relay = { j, take, work, j->copy != NULL ? give : NULL };
	const uint64_t pieces = j->count / BLOCK;

	return taf_relay(&relay, threads < pieces ? threads : (unsigned)pieces, e);
}

/* Of a pipe, the elements are looked at on their way to a temporary file. */
static enum taf_status
look_and_copy(struct job *j, unsigned threads, struct taf_err *e)
{
	struct taf_spool spool;
	enum taf_status st;

	st = taf_spool_begin(&spool, e);
	j->copy = spool.out;
	if (st == TAF_OK)
		st = look(j, threads, e);
	return taf_reader_spooled(j->r, &spool, j->count, st, e);
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
	const uint64_t left = taf_reader_left(r);
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st;
	unsigned k;

	if (j == NULL)
		return taf_fail_mem(e);
	*all = (struct taf_range){ 0 };
	j->r = r;
	j->type = in->type;
	j->mapping = taf_array_mapped(in) ? mapping : NULL;
	j->count = left;
	if (!taf_reader_plain(r)) {
		st = look_and_copy(j, threads, e);
	} else {
		st = taf_reader_random(r, e);
		if (st == TAF_OK)
			st = look(j, threads, e);
	}
	for (k = 0; k < TAF_RELAY_MOST; k++) {
		taf_range_join(all, &j->slot[k].range);
		free(j->slot[k].block);
		free(j->slot[k].values);
	}
	free(j);
	return st;
}

enum taf_status
taf_scale_plan(struct taf_reader *r, const struct taf_array *in, struct taf_array *out,
    unsigned threads, struct taf_err *e)
{
	const uint64_t left = taf_reader_left(r);
	struct taf_recode how;
	struct taf_range all;
	enum taf_status st = taf_range_of(r, in, threads, &all, e);

	taf_array_unmap(out);
	if (left > 0 && st == TAF_OK && !taf_quantize_plan(&all, out->type,
	    &out->intercept, &out->slope))
		st = taf_fail(e, TAF_EDATA, all.finite == 0 ? "no value is finite" :
		    "the range of the values is too large to be scaled");
	if (st == TAF_OK)
		st = taf_values_plan_as(&how, in, out, false, e);
	return st == TAF_OK ? taf_missing_convert(out, &how, e) : st;
}

enum taf_status
taf_cast(const struct taf_cast *how, struct taf_err *e)
{
	const struct taf_convert_count *lost;
	struct taf_recode recode;
	struct taf_values *v = NULL;
	enum taf_status st;

	st = taf_values_plan_as(&recode, how->in, how->out, how->clip || how->scaled, e);
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
