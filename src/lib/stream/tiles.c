/* SPDX-License-Identifier: ISC */
#include "stream/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf_private.h"
#include "base/need.h"
#include "io/spool.h"
#include "stream/service.h"
#include "stream/writer_private.h"

/* Memory that grows. */
struct space {
	unsigned char *data;
	size_t size;
};

/* What a thread has. */
struct slot {
	struct taf_tile tile;
	struct space *in;	/* of each input; tile.raw points there */
	struct space out, scratch;
};

/* An input that is read in order. */
struct course {
	uint64_t read;		/* elements that were read or passed over */
	uint64_t first;		/* from this one on the last slot has them */
};

struct job {
	const struct taf_tiles *how;
	bool apart;		/* threads read for themselves */
	bool output;		/* there is one */
	bool said;		/* what is needed */
	struct course *course;	/* of each input */
	const struct slot *last;	/* that was read */
	struct taf_out *target;	/* written at offsets from base on, or NULL */
	uint64_t base;
	struct taf_spool spool;	/* what target is where a pipe takes no offsets */
	struct slot slot[TAF_THREADS_MOST];
};

bool
taf_tile_piece(struct taf_tile *t, unsigned nin, uint64_t *at, uint64_t count,
    size_t piece)
{
	const uint64_t left = count - *at;
	unsigned k;

	t->out = (struct taf_runs){ .first = *at, .runs = 1,
	    .n = left < piece ? (size_t)left : piece };
	for (k = 0; k < nin; k++)
		t->in[k] = t->out;
	*at += t->out.n;
	return left > 0;
}

/* Room for n elements; what is there stays. */
static enum taf_status
grow(struct space *s, size_t n, size_t size, size_t keep, struct taf_err *e)
{
	unsigned char *data;

	if (s->data != NULL && n <= s->size / size)
		return TAF_OK;
	data = taf_alloc_far(n, size);
	if (data == NULL)
		return taf_fail_mem(e);
	if (keep > 0)
		memcpy(data, s->data, keep);
	free(s->data);
	s->data = data;
	s->size = n * size;
	return TAF_OK;
}

/* Elements that runs cover in memory. */
static size_t
covered(const struct taf_runs *r)
{
	return r->runs > 1 ? (r->runs - 1) * r->step + r->n : r->n;
}

static enum taf_status
make_room(const struct job *j, struct slot *s, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < j->how->nin && st == TAF_OK; k++) {
		/* what was read last may be here, and be wanted once more */
		st = grow(&s->in[k], covered(&s->tile.in[k]), j->how->esize[k],
		    j->last == s ? s->in[k].size : 0, e);
		s->tile.raw[k] = s->in[k].data;
	}
	return st;
}

/* Room for what a tile becomes, and for the work. */
static enum taf_status
make_stored(const struct job *j, struct slot *s, struct taf_err *e)
{
	enum taf_status st = grow(&s->scratch, s->tile.scratch_size, 1, 0, e);

	if (st == TAF_OK && j->output)
		st = grow(&s->out, covered(&s->tile.out), j->how->osize, 0, e);
	s->tile.scratch = s->scratch.data;
	s->tile.stored = s->out.data;
	return st;
}

/* The next run of input k: elements that the last tile has, too, are there. */
static enum taf_status
read_on(struct job *j, struct slot *s, unsigned k, struct taf_err *e)
{
	const struct taf_runs *in = &s->tile.in[k];
	struct course *c = &j->course[k];
	const size_t size = j->how->esize[k];
	const size_t kept = c->read > in->first ? (size_t)(c->read - in->first) : 0;
	enum taf_status st = TAF_OK;

	if (kept > 0)
		memmove(s->in[k].data, j->last->in[k].data +
		    (size_t)(in->first - c->first) * size, kept * size);
	else
		st = taf_reader_skip(j->how->r[k], in->first - c->read, e);
	if (st == TAF_OK)
		st = taf_reader_read(j->how->r[k], s->in[k].data + kept * size,
		    in->n - kept, e);
	c->read = in->first + in->n;
	c->first = in->first;
	return st;
}

/* Memory of a tile.  What it wants of inputs is added to *read. */
static uint64_t
tile_bytes(const struct job *j, const struct taf_tile *t, uint64_t *read)
{
	uint64_t bytes = t->scratch_size + (j->output ? covered(&t->out) *
	    j->how->osize : 0);
	unsigned k;

	for (k = 0; k < j->how->nin; k++) {
		bytes += covered(&t->in[k]) * j->how->esize[k];
		*read += t->in[k].runs * t->in[k].n * j->how->esize[k];
	}
	return bytes;
}

/* The first tile is as large as any. */
static void
say_needs(struct job *j, const struct taf_tile *t)
{
	taf_need_say("tiles of %zu elements, threads: %u, memory of each: %llu bytes",
	    t->out.n * t->out.runs, j->how->threads,
	    (unsigned long long)tile_bytes(j, t, &(uint64_t){ 0 }));
	j->said = true;
}

/* All tiles of a plan: what a slot has at most, and what is read more than once. */
static enum taf_status
foresee(struct job *j, struct taf_err *e)
{
	uint64_t bytes, most = 0, sum = 0, elements = 0;
	unsigned k;

	while (j->how->next(j->how->ctx, &j->slot[0].tile)) {
		bytes = tile_bytes(j, &j->slot[0].tile, &sum);
		most = bytes > most ? bytes : most;
	}
	for (k = 0; k < j->how->nin; k++)
		elements += taf_reader_left(j->how->r[k]) * j->how->esize[k];
	taf_need_again(j->apart && sum > elements ? sum - elements : 0);
	return taf_need_end(most * j->how->threads, e);
}

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *s = &j->slot[slot];
	enum taf_status st = TAF_OK;
	unsigned k;

	*more = j->how->next(j->how->ctx, &s->tile);
	if (*more && !j->said)
		say_needs(j, &s->tile);
	if (!*more || j->apart)
		return TAF_OK;
	st = make_room(j, s, e);
	for (k = 0; k < j->how->nin && st == TAF_OK; k++)
		st = read_on(j, s, k, e);
	j->last = s;
	if (st != TAF_OK || j->how->pass == NULL)
		return st;
	st = make_stored(j, s, e);
	return st == TAF_OK ? j->how->pass(j->how->ctx, &s->tile, e) : st;
}

static enum taf_status
read_apart(const struct job *j, struct slot *s, struct taf_err *e)
{
	enum taf_status st = make_room(j, s, e);
	unsigned k;
	size_t i;

	for (k = 0; k < j->how->nin; k++) {
		const struct taf_runs *in = &s->tile.in[k];

		for (i = 0; i < in->runs && st == TAF_OK; i++)
			st = taf_reader_at(j->how->r[k],
			    s->in[k].data + i * in->step * j->how->esize[k],
			    in->first + i * in->pitch, in->n, e);
	}
	return st;
}

static enum taf_status
write_apart(const struct job *j, const struct slot *s, struct taf_err *e)
{
	const struct taf_runs *out = &s->tile.out;
	const size_t size = j->how->osize;
	enum taf_status st = TAF_OK;
	size_t i;

	/* neighbours are one */
	if (out->runs > 1 && out->pitch == out->n && out->step == out->n)
		return taf_out_pwrite(j->target, s->out.data, out->runs * out->n * size,
		    j->base + out->first * size, e);
	for (i = 0; i < out->runs && st == TAF_OK; i++)
		st = taf_out_pwrite(j->target, s->out.data + i * out->step * size,
		    out->n * size, j->base + (out->first + i * out->pitch) * size, e);
	return st;
}

static enum taf_status
work_on(struct job *j, struct slot *s, struct taf_err *e)
{
	enum taf_status st = make_stored(j, s, e);

	if (st == TAF_OK)
		st = j->how->work(j->how->ctx, &s->tile, e);
	return st == TAF_OK && j->target != NULL && j->how->give == NULL ?
	    write_apart(j, s, e) : st;
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *s = &j->slot[slot];
	enum taf_status st = j->apart ? read_apart(j, s, e) : TAF_OK;

	return st == TAF_OK && !j->how->in_order ? work_on(j, s, e) : st;
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *s = &j->slot[slot];
	enum taf_status st = j->how->in_order ? work_on(j, s, e) : TAF_OK;

	if (st == TAF_OK && j->how->give != NULL) {
		st = j->how->give(j->how->ctx, &s->tile, e);
		if (st == TAF_OK && j->target != NULL)
			st = write_apart(j, s, e);
	}
	return st != TAF_OK || j->target != NULL || !j->output ? st :
	    taf_writer_put(j->how->w, s->out.data, s->tile.out.n * j->how->record, e);
}

/* Do readers of all inputs say so? */
static bool
all(const struct taf_tiles *how, bool (*says)(const struct taf_reader *r))
{
	unsigned k;

	for (k = 0; k < how->nin && says(how->r[k]); k++)
		continue;
	return k == how->nin;
}

/* Where elements come from, and where they go. */
static enum taf_status
open_ends(struct job *j, struct taf_err *e)
{
	const struct taf_tiles *how = j->how;
	const uint64_t bytes = how->count * how->osize;
	const bool in_turn = how->in_order || how->give != NULL || how->unsure;
	enum taf_status st = TAF_OK;
	unsigned k;

	/*
	 * at offsets threads wait for each other less; but what may not come has no room
	 */
	if (how->to != NULL) {
		j->target = how->to;
		st = taf_out_region(how->to, bytes, &j->base, e);
	} else if (j->output && (how->scattered ||
	    (how->threads > 1 && !in_turn && all(how, taf_reader_sure)))) {
		st = taf_writer_region(how->w, &j->target, &j->base, e);
	}
	if (st == TAF_OK && j->output && how->scattered && j->target == NULL) {
		st = taf_spool_region(&j->spool, bytes, &j->base, e);
		j->target = j->spool.out;
		taf_need_wait(true);
	}
	j->apart = how->scattered || (how->threads > 1 && how->pass == NULL &&
	    !how->in_order && all(how, taf_reader_plain));
	for (k = 0; k < how->nin && st == TAF_OK && j->apart; k++)
		st = taf_reader_random(how->r[k], e);
	return st;
}

static enum taf_status
open_slots(struct job *j, struct taf_err *e)
{
	const size_t n = (size_t)j->how->nin + 1;
	unsigned k;

	j->course = calloc(n, sizeof *j->course);
	for (k = 0; k < j->how->threads; k++) {
		struct slot *s = &j->slot[k];

		s->tile.slot = k;
		s->tile.in = calloc(n, sizeof *s->tile.in);
		s->tile.raw = calloc(n, sizeof *s->tile.raw);
		s->in = calloc(n, sizeof *s->in);
		if (s->tile.raw == NULL || s->tile.in == NULL || s->in == NULL)
			return taf_fail_mem(e);
	}
	return j->course != NULL ? TAF_OK : taf_fail_mem(e);
}

static void
close_slots(struct job *j)
{
	unsigned k, i;

	for (k = 0; k < j->how->threads; k++) {
		struct slot *s = &j->slot[k];

		for (i = 0; s->in != NULL && i < j->how->nin; i++)
			free(s->in[i].data);
		free(s->in);
		free(s->tile.in);
		free(s->tile.raw);
		free(s->out.data);
		free(s->scratch.data);
	}
	free(j->course);
}

enum taf_status
taf_tiles(const struct taf_tiles *how, struct taf_err *e)
{
	struct job *j = calloc(1, sizeof *j);
	const struct taf_relay relay = { j, take, work, give };
	enum taf_status st;

	if (j == NULL)
		return taf_fail_mem(e);
	j->how = how;
	j->output = how->w != NULL || how->to != NULL;
	j->spool.fd = -1;
	st = open_ends(j, e);
	if (st == TAF_OK)
		st = open_slots(j, e);
	if (st == TAF_OK)
		st = taf_need_asked() != NULL ? foresee(j, e) :
		    taf_relay(&relay, how->threads, e);
	if (j->spool.out != NULL)
		st = taf_writer_spool(how->w, &j->spool, st, how->count * how->record, e);
	close_slots(j);
	free(j);
	return st;
}
