/* SPDX-License-Identifier: ISC */
#include "text/spell.h"

#include <stdlib.h>
#include <string.h>

#include "stream/relay.h"

enum { PIECE = 16384 };		/* values at a time */

struct slot {
	void *values;
	size_t n;
	uint64_t first;
	struct taf_buf b;
};

struct line {
	const struct taf_spell *how;
	struct taf_out *out;
	const unsigned char *p;		/* what read has lent, n values not yet taken */
	size_t n;
	uint64_t taken;
	struct slot slot[TAF_THREADS_MOST];
};

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct line *l = ctx;
	struct slot *s = &l->slot[slot];
	enum taf_status st = TAF_OK;
	const void *p;

	if (l->n == 0) {
		st = l->how->read(l->how->ctx, &p, &l->n, e);
		l->p = p;
	}
	*more = st == TAF_OK && l->n > 0;
	if (!*more)
		return st;
	if (s->values == NULL && (s->values = taf_alloc(PIECE, l->how->esize)) == NULL)
		return taf_fail_mem(e);
	s->n = l->n < PIECE ? l->n : PIECE;
	s->first = l->taken;
	memcpy(s->values, l->p, s->n * l->how->esize);
	l->p += s->n * l->how->esize;
	l->n -= s->n;
	l->taken += s->n;
	return TAF_OK;
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	struct line *l = ctx;
	struct slot *s = &l->slot[slot];

	s->b.len = 0;
	return l->how->put(l->how->ctx, &s->b, s->values, s->n, s->first, e);
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct line *l = ctx;
	const struct slot *s = &l->slot[slot];

	return taf_out_write(l->out, s->b.data, s->b.len, e);
}

enum taf_status
taf_spell(const struct taf_service *service, struct taf_out *out,
    const struct taf_spell *how, struct taf_err *e)
{
	struct line *l = calloc(1, sizeof *l);
	struct taf_relay relay = { l, take, work, give };
	const uint64_t pieces = how->count / PIECE;
	unsigned threads = pieces > 1 ? taf_threads(service) : 1, k;
	enum taf_status st;

	if (l == NULL)
		return taf_fail_mem(e);
	l->how = how;
	l->out = out;
	st = taf_relay(&relay, threads < pieces ? threads : (unsigned)pieces, e);
	for (k = 0; k < TAF_THREADS_MOST; k++) {
		free(l->slot[k].values);
		taf_buf_free(&l->slot[k].b);
	}
	free(l);
	return st;
}
