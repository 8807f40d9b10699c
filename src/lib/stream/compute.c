/* SPDX-License-Identifier: ISC */
#include "stream/compute.h"

#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/buf.h"
#include "kernel/number/recode_private.h"
#include "stream/service.h"
#include "stream/tiles.h"

enum {
	PIECE = 32 * 1024,	/* values that a thread takes at a time */
	BLOCK = TAF_COMPUTE_BLOCK,
	WIDEST = 16		/* bytes of the widest type */
};

enum way { IN_ORDER, ONE_VALUE, HELD, AT_RANDOM };

/* An operand while it is computed with. */
struct source {
	struct taf_reader *r;
	struct taf_recode recode;
	enum way way;
	unsigned raw;			/* IN_ORDER: which input of the tiles it is */
	size_t esize, size;		/* as it is stored; as it is given */
	unsigned char *held;		/* all elements, or BLOCK times the only value */
	/* dimensions that go along together are one; stride 0 where values come again */
	unsigned nd;
	uint64_t n[TAF_MAX_DIM], stride[TAF_MAX_DIM];
};

/* What a thread has: its part of the scratch of a tile. */
struct slot {
	unsigned char *result;		/* BLOCK results */
	unsigned char *gathered;	/* BLOCK elements */
	unsigned char *in;		/* BLOCK values of each operand */
	struct taf_convert_count count;
};

struct job {
	const struct taf_compute *how;
	struct source *source;
	struct taf_recode recode;	/* of the results */
	size_t size, osize;		/* of a result; as it is stored */
	unsigned in_order;		/* inputs of the tiles */
	uint64_t count, taken;
	size_t piece;
	struct slot slot[TAF_THREADS_MOST];
};

/* Strides of a within out, dimensions merged where they can be. */
static void
lay_out(struct source *s, const struct taf_array *a, const struct taf_array *out)
{
	uint64_t stride = 1;
	unsigned k;

	for (k = 0; k < out->ndim; k++) {
		const uint64_t n = out->dim[k].n;
		const uint64_t own = k < a->ndim ? a->dim[k].n : 1;
		const uint64_t step = own == 1 ? 0 : stride;
		unsigned *nd = &s->nd;

		if (n == 1)
			continue;
		if (*nd > 0 && step == s->stride[*nd - 1] * s->n[*nd - 1]) {
			s->n[*nd - 1] *= n;
		} else {
			s->n[*nd] = n;
			s->stride[*nd] = step;
			++*nd;
		}
		stride *= own;
	}
}

static enum taf_status
check_fit(const struct taf_array *a, const struct taf_array *out, struct taf_err *e)
{
	unsigned k;

	for (k = 0; k < a->ndim || k < out->ndim; k++) {
		const uint64_t own = k < a->ndim ? a->dim[k].n : 1;
		const uint64_t n = k < out->ndim ? out->dim[k].n : 1;

		if (own != 1 && own != n)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: length %llu, but the result has %llu",
			    k + 1, (unsigned long long)own,
			    (unsigned long long)n);
	}
	return TAF_OK;
}

static enum taf_status
convertible(enum taf_type from, enum taf_type to, struct taf_err *e)
{
	if (!taf_type_known(from) || !taf_type_known(to))
		return taf_fail(e, TAF_EMISUSE, "internal: no type");
	return taf_type_is_pair(from) == taf_type_is_pair(to) ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "%s elements do not convert to %s",
	    taf_type_name(from), taf_type_name(to));
}

static enum taf_status
hold_one(struct source *s, struct taf_err *e)
{
	unsigned char stored[WIDEST];
	enum taf_status st = taf_reader_read(s->r, stored, 1, e);
	size_t i;

	s->held = st == TAF_OK ? taf_alloc(BLOCK, s->size) : NULL;
	if (st == TAF_OK && s->held == NULL)
		st = taf_fail_mem(e);
	if (st != TAF_OK)
		return st;
	/* no value that is given as flt64 or wider does not fit */
	if (taf_recode(&s->recode, s->held, stored, 1, NULL) < 1)
		return taf_recode_misfit(&s->recode, stored, "", e);
	for (i = 1; i < BLOCK; i++)
		memcpy(s->held + i * s->size, s->held, s->size);
	return TAF_OK;
}

static enum taf_status
open_source(struct source *s, const struct taf_operand *o, const struct taf_compute *how,
    struct taf_err *e)
{
	const uint64_t bytes = taf_array_bytes(o->a);
	enum taf_status st = taf_reader_before(o->r, o->a, e);

	if (st == TAF_OK)
		st = check_fit(o->a, how->out, e);
	if (st == TAF_OK)
		st = convertible(o->a->type, o->as, e);
	if (st != TAF_OK)
		return st;
	s->r = o->r;
	s->recode = (struct taf_recode){ .from = o->a->type, .to = o->as,
	    .from_mapped = taf_array_mapped(o->a),
	    .from_map = { o->a->intercept, o->a->slope } };
	s->esize = taf_type_size(o->a->type);
	s->size = taf_type_size(o->as);
	lay_out(s, o->a, how->out);
	if (taf_array_count(how->out) == 0 || taf_array_same_shape(o->a, how->out)) {
		s->way = IN_ORDER;
	} else if (taf_array_count(o->a) == 1) {
		s->way = ONE_VALUE;
		st = hold_one(s, e);
	} else if (bytes <= taf_memory_share(how->memory, TAF_HELD) / how->nin) {
		s->way = HELD;
		s->held = taf_alloc(1, (size_t)bytes);
		st = s->held == NULL ? taf_fail_mem(e) :
		    taf_reader_read(o->r, s->held, (size_t)taf_array_count(o->a), e);
	} else {
		s->way = AT_RANDOM;
		st = taf_reader_random(o->r, e);
	}
	return st;
}

/* n elements of a source that is held or read at random, from number first on. */
static enum taf_status
gather(const struct source *s, unsigned char *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	while (n > 0 && st == TAF_OK) {
		uint64_t left = first, at = 0, run;
		size_t part, i;
		unsigned k;

		for (k = 0; k < s->nd; k++) {
			at += left % s->n[k] * s->stride[k];
			left /= s->n[k];
		}
		run = s->n[0] - first % s->n[0];
		part = run < n ? (size_t)run : n;
		i = s->stride[0] > 0 ? part : 1;
		if (s->way == HELD)
			memcpy(to, s->held + at * s->esize, i * s->esize);
		else
			st = taf_reader_at(s->r, to, at, i, e);
		for (; i < part && st == TAF_OK; i++)
			memcpy(to + i * s->esize, to, s->esize);
		to += part * s->esize;
		first += part;
		n -= part;
	}
	return st;
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;

	t->scratch_size = (size_t)(j->how->nin + 2) * BLOCK * WIDEST;
	return taf_tile_piece(t, j->in_order, &j->taken, j->count, j->piece);
}

/* The n values of a block, from number at of a tile on, of source k; NULL on failure. */
static const void *
values_of(const struct job *j, unsigned k, const struct taf_tile *t, size_t at, size_t n,
    struct taf_err *e)
{
	const struct source *s = &j->source[k];
	const struct slot *m = &j->slot[t->slot];
	const unsigned char *raw = m->gathered;
	unsigned char *values = m->in + (size_t)k * BLOCK * WIDEST;
	size_t good;

	if (s->way == ONE_VALUE)
		return s->held;
	if (s->way == IN_ORDER) {
		raw = t->raw[s->raw] + at * s->esize;
		if (taf_recode_is_copy(&s->recode))
			return raw;
	} else if (gather(s, m->gathered, t->out.first + at, n, e) != TAF_OK) {
		return NULL;
	}
	good = taf_recode(&s->recode, values, raw, n, NULL);
	if (good == n)
		return values;
	(void)taf_recode_misfit(&s->recode, raw + good * s->esize,
	    taf_array_place(j->how->out, t->out.first + at + good).s, e);
	return NULL;
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[t->slot];
	const struct taf_compute *how = j->how;
	const bool copy = taf_recode_is_copy(&j->recode);
	const void *in[TAF_COMPUTE_MOST];
	struct taf_block b = { in, NULL, 0, 0, t->slot };
	enum taf_status st;
	size_t at, good;
	unsigned k;

	m->result = t->scratch;
	m->gathered = m->result + BLOCK * WIDEST;
	m->in = m->gathered + BLOCK * WIDEST;
	for (at = 0; at < t->out.n; at += b.n) {
		unsigned char *stored = t->stored + at * j->osize;

		b.n = t->out.n - at < BLOCK ? t->out.n - at : BLOCK;
		b.first = t->out.first + at;
		b.out = copy ? stored : m->result;
		for (k = 0; k < how->nin; k++) {
			in[k] = values_of(j, k, t, at, b.n, e);
			if (in[k] == NULL)
				return e->code;
		}
		st = how->block(how->ctx, &b, e);
		if (st != TAF_OK)
			return st;
		good = copy ? b.n : taf_recode(&j->recode, stored, m->result, b.n,
		    how->count != NULL ? &m->count : NULL);
		if (good < b.n)
			return taf_recode_misfit(&j->recode, m->result + good * j->size,
			    taf_array_place(how->out, b.first + good).s, e);
	}
	return TAF_OK;
}

/* How many values are taken at once, and by how many threads. */
static unsigned
plan(struct job *j)
{
	const unsigned threads = taf_threads_for(j->how->threads, UINT64_MAX);
	/* the rest of the memory may be taken by operands that are held */
	const uint64_t held = taf_memory_share(j->how->memory, TAF_HELD);
	uint64_t each = j->osize;
	unsigned k;

	for (k = 0; k < j->how->nin; k++)
		each += j->source[k].esize;
	j->piece = PIECE;
	while (j->piece > BLOCK && (j->piece / 2 >= j->count ||
	    j->piece * each * threads > held))
		j->piece /= 2;
	return taf_threads_for(threads, j->count / j->piece + 1);
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_compute *how = j->how;
	struct taf_reader *r[TAF_COMPUTE_MOST];
	size_t esize[TAF_COMPUTE_MOST];
	struct taf_tiles tiles = { .r = r, .esize = esize, .w = how->w, .osize = j->osize,
	    .record = 1, .count = j->count, .ctx = j, .next = next, .work = work };
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < how->nin && st == TAF_OK; k++) {
		struct source *s = &j->source[k];

		st = open_source(s, &how->in[k], how, e);
		if (st == TAF_OK && s->way == IN_ORDER) {
			s->raw = tiles.nin++;
			r[s->raw] = s->r;
			esize[s->raw] = s->esize;
		}
	}
	if (st == TAF_OK)
		st = convertible(how->as, how->out->type, e);
	if (st != TAF_OK)
		return st;
	j->in_order = tiles.nin;
	tiles.threads = plan(j);
	st = taf_tiles(&tiles, e);
	for (k = 0; k < tiles.threads && how->count != NULL; k++) {
		how->count->clipped += j->slot[k].count.clipped;
		how->count->rounded += j->slot[k].count.rounded;
	}
	return st;
}

enum taf_status
taf_compute(const struct taf_compute *how, struct taf_err *e)
{
	struct job *j;
	enum taf_status st;
	unsigned k;

	if (taf_array_sound(how->out, e) != TAF_OK)
		return e->code;
	if (!taf_type_known(how->as) || how->block == NULL)
		return taf_fail(e, TAF_EMISUSE, "internal: no function, or no type");
	j = calloc(1, sizeof *j);
	if (how->nin > TAF_COMPUTE_MOST) {
		free(j);
		return taf_fail(e, TAF_EDATA, "%u inputs, more than %d", how->nin,
		    (int)TAF_COMPUTE_MOST);
	}
	if (j == NULL || (j->source = calloc(how->nin + 1, sizeof *j->source)) == NULL) {
		free(j);
		return taf_fail_mem(e);
	}
	j->how = how;
	j->count = taf_array_count(how->out);
	j->size = taf_type_size(how->as);
	j->osize = taf_type_size(how->out->type);
	j->recode = (struct taf_recode){ .from = how->as, .to = how->out->type,
	    .to_mapped = taf_array_mapped(how->out),
	    .to_map = { how->out->intercept, how->out->slope }, .clip = how->clip };
	st = run(j, e);
	for (k = 0; k < how->nin; k++)
		free(j->source[k].held);
	free(j->source);
	free(j);
	return st;
}
