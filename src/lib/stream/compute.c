#include "stream/compute.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/number/recode.h"
#include "stream/relay.h"

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
	bool apart;			/* IN_ORDER: threads read for themselves */
	size_t esize, size;		/* as it is stored; as it is given */
	unsigned char *held;		/* all elements, or BLOCK times the only value */
	/* dimensions that go along together are one; stride 0 where values come again */
	unsigned nd;
	uint64_t n[TAF_MAX_DIM], stride[TAF_MAX_DIM];
};

/* What a thread has. */
struct slot {
	unsigned char **raw;		/* of each operand that is read in order */
	unsigned char *out, *result, *stored;
	unsigned char **in;		/* BLOCK values of each operand */
	unsigned char *gathered;	/* BLOCK elements */
	uint64_t first;
	size_t n;
	struct taf_convert_count count;
};

struct job {
	const struct taf_compute *how;
	struct source *source;
	struct taf_recode recode;	/* of the results */
	size_t size, osize;		/* of a result; as it is stored */
	uint64_t count, taken;
	size_t piece;
	struct taf_out *random;		/* written at offsets from base on, or NULL */
	uint64_t base;
	struct slot slot[TAF_RELAY_MOST];
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
			    "dimension %u: length %llu, but the "
			    "result has %llu", k + 1, (unsigned long long)own,
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
		s->apart = how->threads > 1 && taf_reader_plain(o->r);
		if (s->apart)
			st = taf_reader_random(o->r, e);
	} else if (taf_array_count(o->a) == 1) {
		s->way = ONE_VALUE;
		st = hold_one(s, e);
	} else if (bytes <= how->memory / 2 / how->nin) {
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

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[slot];
	enum taf_status st = TAF_OK;
	unsigned k;

	*more = j->taken < j->count;
	m->first = j->taken;
	m->n = j->count - j->taken < j->piece ? (size_t)(j->count - j->taken) : j->piece;
	j->taken += m->n;
	for (k = 0; k < j->how->nin && *more && st == TAF_OK; k++)
		if (j->source[k].way == IN_ORDER && !j->source[k].apart)
			st = taf_reader_read(j->source[k].r, m->raw[k], m->n, e);
	return st;
}

static enum taf_status
read_apart(const struct job *j, const struct slot *m, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < j->how->nin && st == TAF_OK; k++)
		if (j->source[k].apart)
			st = taf_reader_at(j->source[k].r, m->raw[k], m->first, m->n, e);
	return st;
}

/* The n values of a block from at on, of source k; NULL on failure. */
static const void *
values_of(const struct job *j, unsigned k, struct slot *m, size_t at, size_t n,
    struct taf_err *e)
{
	const struct source *s = &j->source[k];
	const unsigned char *raw = m->gathered;
	size_t good;

	if (s->way == ONE_VALUE)
		return s->held;
	if (s->way == IN_ORDER) {
		raw = m->raw[k] + at * s->esize;
		if (taf_recode_is_copy(&s->recode))
			return raw;
	} else if (gather(s, m->gathered, m->first + at, n, e) != TAF_OK) {
		return NULL;
	}
	good = taf_recode(&s->recode, m->in[k], raw, n, NULL);
	if (good == n)
		return m->in[k];
	(void)taf_recode_misfit(&s->recode, raw + good * s->esize,
	    taf_array_place(j->how->out, m->first + at + good).s, e);
	return NULL;
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[slot];
	const struct taf_compute *how = j->how;
	const bool copy = taf_recode_is_copy(&j->recode);
	const void *in[TAF_COMPUTE_MOST];
	struct taf_block b = { in, NULL, 0, 0, slot };
	enum taf_status st = read_apart(j, m, e);
	size_t at, good;
	unsigned k;

	for (at = 0; at < m->n && st == TAF_OK; at += b.n) {
		unsigned char *stored = m->out + at * j->osize;

		b.n = m->n - at < BLOCK ? m->n - at : BLOCK;
		b.first = m->first + at;
		b.out = copy ? stored : m->result;
		for (k = 0; k < how->nin; k++) {
			in[k] = values_of(j, k, m, at, b.n, e);
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
	return st != TAF_OK || j->random == NULL ? st : taf_out_pwrite(j->random, m->out,
	    m->n * j->osize, j->base + m->first * j->osize, e);
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	const struct slot *m = &j->slot[slot];

	return j->random != NULL ? TAF_OK : taf_writer_put(j->how->w, m->out, m->n, e);
}

static enum taf_status
open_slot(const struct job *j, struct slot *m, struct taf_err *e)
{
	const unsigned nin = j->how->nin;
	unsigned k;
	bool good;

	m->raw = calloc(nin + 1, sizeof *m->raw);
	m->in = calloc(nin + 1, sizeof *m->in);
	m->out = taf_alloc(j->piece, j->osize);
	m->result = taf_alloc(BLOCK, WIDEST);
	m->gathered = taf_alloc(BLOCK, WIDEST);
	good = m->raw != NULL && m->in != NULL && m->out != NULL && m->result != NULL &&
	    m->gathered != NULL;
	for (k = 0; k < nin && good; k++) {
		m->in[k] = taf_alloc(BLOCK, WIDEST);
		good = m->in[k] != NULL;
		if (good && j->source[k].way == IN_ORDER)
			good = (m->raw[k] = taf_alloc(j->piece, j->source[k].esize)) !=
			    NULL;
	}
	return good ? TAF_OK : taf_fail_mem(e);
}

static void
close_slot(struct slot *m, unsigned nin)
{
	unsigned k;

	for (k = 0; k < nin; k++) {
		free(m->raw != NULL ? m->raw[k] : NULL);
		free(m->in != NULL ? m->in[k] : NULL);
	}
	free(m->raw);
	free(m->in);
	free(m->out);
	free(m->result);
	free(m->gathered);
}

/* Is it known that all elements of the inputs will come? */
static bool
sure(const struct taf_compute *how)
{
	bool all = true;
	unsigned k;

	for (k = 0; k < how->nin; k++)
		all = all && taf_reader_sure(how->in[k].r);
	return all;
}

/* How many values are taken at once, and by how many threads. */
static unsigned
plan(struct job *j)
{
	uint64_t each = j->osize, pieces;
	unsigned k, threads = j->how->threads;

	for (k = 0; k < j->how->nin; k++)
		each += j->source[k].esize;
	j->piece = PIECE;
	while (j->piece > BLOCK && (j->piece / 2 >= j->count ||
	    j->piece * each > j->how->memory / 2 / (threads > 0 ? threads : 1)))
		j->piece /= 2;
	pieces = j->count / j->piece + 1;
	if (threads > TAF_RELAY_MOST)
		threads = TAF_RELAY_MOST;
	return threads == 0 ? 1 : threads < pieces ? threads : (unsigned)pieces;
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_compute *how = j->how;
	const struct taf_relay relay = { j, take, work, give };
	enum taf_status st = TAF_OK;
	unsigned threads, k;

	for (k = 0; k < how->nin && st == TAF_OK; k++)
		st = open_source(&j->source[k], &how->in[k], how, e);
	if (st == TAF_OK)
		st = convertible(how->as, how->out->type, e);
	if (st != TAF_OK)
		return st;
	threads = plan(j);
	for (k = 0; k < threads && st == TAF_OK; k++)
		st = open_slot(j, &j->slot[k], e);
	/* at offsets they wait for each other less; but no room for what may not come */
	if (st == TAF_OK && threads > 1 && sure(how))
		st = taf_writer_region(how->w, &j->random, &j->base, e);
	if (st == TAF_OK)
		st = taf_relay(&relay, threads, e);
	for (k = 0; k < threads; k++) {
		if (how->count != NULL) {
			how->count->clipped += j->slot[k].count.clipped;
			how->count->rounded += j->slot[k].count.rounded;
		}
		close_slot(&j->slot[k], how->nin);
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
