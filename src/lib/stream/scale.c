#include "stream/scale.h"

#include <stdlib.h>

#include "base/buf.h"
#include "kernel/convert.h"
#include "stream/relay.h"

enum { BLOCK = 64 * 1024 };	/* elements */

struct slot {
	void *block;
	uint64_t first;
	size_t n;
	struct taf_range range;
};

struct job {
	struct taf_reader *r;
	enum taf_type type;
	uint64_t at, count;
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
	if (*more && m->block == NULL)
		return taf_fail_mem(e);
	m->first = j->at;
	m->n = j->count - j->at < BLOCK ? (size_t)(j->count - j->at) : BLOCK;
	j->at += m->n;
	return TAF_OK;
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[slot];
	enum taf_status st = taf_reader_at(j->r, m->block, m->first, m->n, e);

	if (st == TAF_OK)
		taf_range_add(&m->range, m->block, j->type, m->n);
	return st;
}

enum taf_status
taf_scale_plan(struct taf_reader *r, enum taf_type from, struct taf_array *out,
    unsigned threads, struct taf_err *e)
{
	const uint64_t left = taf_reader_left(r);
	struct job *j = calloc(1, sizeof *j);
	struct taf_relay relay = { j, take, work, NULL };
	struct taf_range all = { 0 };
	enum taf_status st;
	unsigned k;

	if (j == NULL)
		return taf_fail_mem(e);
	j->r = r;
	j->type = from;
	j->count = left;
	st = taf_reader_random(r, e);
	if (st == TAF_OK)
		st = taf_relay(&relay, threads < left / BLOCK ? threads :
		    (unsigned)(left / BLOCK), e);
	for (k = 0; k < TAF_RELAY_MOST; k++) {
		taf_range_join(&all, &j->slot[k].range);
		free(j->slot[k].block);
	}
	free(j);
	if (st == TAF_OK && !taf_quantize_plan(&all, out->type, &out->intercept, &out->slope))
		st = taf_fail(e, TAF_EDATA, all.finite == 0 ? "no value is finite" :
		    "the range of the values is too large to be scaled");
	return st;
}
