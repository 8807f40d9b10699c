#include "stream/values.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "stream/relay.h"
#include "stream/select.h"

enum { PIECE = 128 * 1024 };	/* values that a thread converts at a time */

struct taf_values {
	struct taf_reader *r;
	struct taf_select *select;
	enum taf_type from, to;
	bool mapped, clip;
	double mapping[2];
	struct taf_convert_count count;
	uint64_t done;		/* values given so far */
	void *room;		/* for converted ones */
	size_t most;
};

enum taf_type
taf_values_type(const struct taf_array *a, bool raw)
{
	return raw || !taf_array_mapped(a) ? a->type : TAF_FLT64;
}

enum taf_status
taf_values_shape(struct taf_array *a, enum taf_type type, bool raw, struct taf_err *e)
{
	if ((a->type == TAF_COMPLEX) != (type == TAF_COMPLEX))
		return taf_fail(e, TAF_EDATA, "%s elements do not convert to %s",
		    taf_type_name(a->type), taf_type_name(type));
	if (!raw || type != a->type)
		taf_array_unmap(a);
	a->type = type;
	return TAF_OK;
}

enum taf_status
taf_values_open(struct taf_values **result, struct taf_reader *r, const struct taf_array *a,
    const struct taf_region *region, enum taf_type type, bool raw, bool clip,
    struct taf_err *e)
{
	struct taf_values *v = calloc(1, sizeof *v);
	static const struct taf_bounds all;
	struct taf_region whole;
	enum taf_status st = TAF_OK;

	if (v == NULL)
		return taf_fail_mem(e);
	v->r = r;
	v->from = a->type;
	v->to = type;
	v->clip = clip;
	v->mapped = !raw && taf_array_mapped(a);
	v->mapping[0] = a->intercept;
	v->mapping[1] = a->slope;
	if ((v->from == TAF_COMPLEX) != (type == TAF_COMPLEX))
		st = taf_fail(e, TAF_EDATA, "%s elements do not convert to %s",
		    taf_type_name(v->from), taf_type_name(type));
	if (st == TAF_OK && region == NULL) {
		st = taf_bounds_resolve(&all, a, &whole, e);
		region = &whole;
	}
	if (st == TAF_OK)
		st = taf_select_open(&v->select, r, a, region, e);
	if (st != TAF_OK) {
		free(v);
		return st;
	}
	*result = v;
	return TAF_OK;
}

void
taf_values_close(struct taf_values *v)
{
	if (v == NULL)
		return;
	taf_select_close(v->select);
	free(v->room);
	free(v);
}

static bool
as_stored(const struct taf_values *v)
{
	return v->from == v->to && !v->mapped;
}

static enum taf_status
convert(const struct taf_values *v, void *to, const void *from, size_t n, uint64_t first,
    struct taf_convert_count *count, struct taf_err *e)
{
	const size_t good = taf_convert(to, v->to, from, v->from, n,
	    v->mapped ? v->mapping : NULL, v->clip, count);

	if (good < n)
		return taf_fail(e, TAF_EDATA, "value %llu does not fit %s",
		    (unsigned long long)(first + good + 1), taf_type_name(v->to));
	return TAF_OK;
}

enum taf_status
taf_values_read(struct taf_values *v, const void **p, size_t *n, struct taf_err *e)
{
	enum taf_status st = taf_select_read(v->select, p, n, e);

	if (st != TAF_OK || *n == 0 || as_stored(v)) {
		v->done += *n;
		return st;
	}
	if (*n > v->most) {
		free(v->room);
		v->room = taf_alloc(*n, taf_type_size(v->to));
		v->most = v->room != NULL ? *n : 0;
		if (v->room == NULL)
			return taf_fail_mem(e);
	}
	st = convert(v, v->room, *p, *n, v->done, &v->count, e);
	if (st != TAF_OK)
		return st;
	v->done += *n;
	*p = v->room;
	return TAF_OK;
}

/* What a thread has. */
struct slot {
	void *in, *out;
	uint64_t first;		/* of its values */
	size_t n;
	struct taf_convert_count count;
};

struct copy {
	struct taf_values *v;
	struct taf_writer *w;
	struct taf_out *random;		/* written at offsets from base on, or NULL */
	uint64_t base;
	struct slot slot[TAF_RELAY_MOST];
};

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct copy *c = ctx;
	struct slot *m = &c->slot[slot];
	const uint64_t left = taf_reader_left(c->v->r);

	*more = left > 0;
	if (left == 0)
		return TAF_OK;
	if (m->in == NULL)
		m->in = taf_alloc(PIECE, taf_type_size(c->v->from));
	if (m->out == NULL)
		m->out = taf_alloc(PIECE, taf_type_size(c->v->to));
	if (m->in == NULL || m->out == NULL)
		return taf_fail_mem(e);
	m->first = c->v->done;
	m->n = left < PIECE ? (size_t)left : PIECE;
	c->v->done += m->n;
	return taf_reader_read(c->v->r, m->in, m->n, e);
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	struct copy *c = ctx;
	struct slot *m = &c->slot[slot];
	const size_t size = taf_type_size(c->v->to);
	enum taf_status st;

	st = convert(c->v, m->out, m->in, m->n, m->first, &m->count, e);
	if (st != TAF_OK || c->random == NULL)
		return st;
	return taf_out_pwrite(c->random, m->out, m->n * size,
	    c->base + m->first * size, e);
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct copy *c = ctx;
	const struct slot *m = &c->slot[slot];

	return c->random != NULL ? TAF_OK : taf_writer_put(c->w, m->out, m->n, e);
}

enum taf_status
taf_values_copy(struct taf_values *v, struct taf_writer *w, unsigned threads,
    struct taf_err *e)
{
	const uint64_t pieces = taf_reader_left(v->r) / PIECE;
	struct taf_relay relay = { NULL, take, work, give };
	enum taf_status st = TAF_OK;
	struct copy *c;
	unsigned k;

	if (as_stored(v))
		return taf_select_copy(v->select, w, e);
	relay.ctx = c = calloc(1, sizeof *c);
	if (c == NULL)
		return taf_fail_mem(e);
	c->v = v;
	c->w = w;
	if (threads > pieces)
		threads = (unsigned)pieces;
	/* at offsets they wait for each other less; but no room for what may not come */
	if (threads > 1 && taf_reader_sure(v->r))
		st = taf_writer_region(w, &c->random, &c->base, e);
	if (st == TAF_OK)
		st = taf_relay(&relay, threads, e);
	for (k = 0; k < TAF_RELAY_MOST; k++) {
		v->count.clipped += c->slot[k].count.clipped;
		v->count.rounded += c->slot[k].count.rounded;
		free(c->slot[k].in);
		free(c->slot[k].out);
	}
	free(c);
	return st;
}

const struct taf_convert_count *
taf_values_count(const struct taf_values *v)
{
	return &v->count;
}
