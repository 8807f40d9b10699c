/* SPDX-License-Identifier: ISC */
#include "op/stat/reduction_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/need.h"
#include "kernel/move/strided.h"
#include "kernel/stat/order.h"
#include "stream/tiles.h"

enum {
	/* elements that are read at a time, and stay in the cache */
	CHUNK = 64 * 1024,
	FEW = 4096,	/* elements, for which threads are not worth their while */
	ROWS = 8,		/* rows, at least, of fewer than four times as many */
	/* elements between rows, so that they share no lines of a cache */
	PAD = 16,
	SHORT = 128,		/* lines that are better gone along side by side, */
	BESIDE = 16,		/* if there are so many */
	PORTIONS = 8,		/* of a result for each thread */
	SLAB = 4 * 1024 * 1024,	/* bytes of a pipe at a time, no length makes it more */
	LEAST = 4096,		/* bytes, whatever memory there is */
	MOST = 2 * TAF_MAX_DIM + 1
};

/*
 * Dimensions of the elements as they lie; neighbours of a kind are one, of length 1
 * none.
 */
struct dim {
	uint64_t n, stride;	/* in elements */
	bool reduced;
};

/*
 * Work is cut into pieces: results that are neighbours, of all kept dimensions before
 * the cut, and of `step` along the cut if it is kept.  Their elements come in chunks:
 * all of the dimensions before the cut, the same step, and `rows` along `across`, the
 * first reduced dimension that is left.
 */
struct plan {
	struct dim dim[MOST];
	unsigned nd, cut, across;	/* across is nd where none is left */
	uint64_t step, rows;
	uint64_t kept, reduced;		/* products before the cut */
	uint64_t run, pitch;		/* elements of a row, and from one to the next */
	uint64_t pieces, chunks;	/* in all, and for each piece */
	/* chunks taken together, and how many for a piece */
	uint64_t portion, portions;
	uint64_t width;			/* most results of a piece */
	bool whole;			/* lines are held, for what is found by order */
};

/* What a thread has. */
struct slot {
	unsigned char *buf, *packed;	/* in the scratch of a tile */
	uint64_t *acc;
	struct taf_reduce_scratch *scratch;
	struct taf_result_scratch at;
	uint64_t piece, portion;
};

struct job {
	struct taf_results to;
	struct taf_reader *r;
	/* of the array, and of the part that is at work */
	struct plan all, now;
	size_t esize;
	unsigned threads;
	bool order;			/* there are operations of order */
	const unsigned char *memory;	/* the elements of the part, or NULL: r is read */
	uint64_t base;			/* results before those of the part */
	uint64_t *acc;			/* of a piece, or with keep of all results */
	bool keep;			/* the part is not all of its results */
	uint64_t taken;
	uint64_t before, part;		/* elements of parts done, and of that at work */
	struct slot slot[TAF_THREADS_MOST];
};

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* --- how the work is cut --- */

/* Add a dimension behind the others, to the last one where they go on as one. */
static void
add_dim(struct plan *p, uint64_t n, uint64_t stride, bool reduced)
{
	struct dim *last = p->nd > 0 ? &p->dim[p->nd - 1] : NULL;

	if (n == 1)
		return;
	if (last != NULL && last->reduced == reduced && last->stride * last->n == stride)
		last->n *= n;
	else
		p->dim[p->nd++] = (struct dim){ n, stride, reduced };
}

/* The dimensions of the array; no length is 0. */
static void
lay_out(struct plan *p, const struct taf_reduction_intent *want,
    const struct taf_array *a)
{
	uint64_t stride = 1;
	unsigned k;

	for (k = 0; k < a->ndim; k++) {
		const uint64_t n = a->dim[k].n;
		const uint64_t m = !taf_reduction_takes(want, k) ? 1 : want->every > 0 ?
		    want->every : n;

		add_dim(p, m, stride, true);
		add_dim(p, n / m, stride * m, false);
		stride *= n;
	}
	if (p->nd == 0)
		p->dim[p->nd++] = (struct dim){ 1, 1, true };
}

static uint64_t
held(const struct job *j)
{
	return taf_memory_share(j->to.service->memory, TAF_HELD);
}

/* Bytes that each thread may take. */
static uint64_t
share(const struct job *j)
{
	return most(held(j) / j->threads, LEAST);
}

/* How many results a piece may have. */
static uint64_t
most_results(const struct job *j, bool whole)
{
	uint64_t each = j->to.reduce.words * sizeof(uint64_t) +
	    j->to.want->nops * j->to.slot * sizeof(uint64_t), n;

	if (whole)
		each += j->to.line * j->esize;
	else if (j->order)
		each += taf_order_words(TAF_ORDER_FEW) * sizeof(uint64_t) +
		    sizeof(struct taf_order);
	n = share(j) / 2 / each;
	return n < 1 ? 1 : least(n, TAF_RESULTS_MOST);
}

/* Where the first dimensions are no more taken whole, and the steps there. */
static void
cut(const struct job *j, struct plan *p)
{
	const uint64_t width = most_results(j, p->whole);
	const uint64_t chunk = most(least(CHUNK, share(j) / 4 / j->esize), 1);
	uint64_t size = 1;
	struct dim *d;

	p->kept = p->reduced = 1;
	for (p->cut = 0; p->cut + 1 < p->nd; p->cut++) {
		d = &p->dim[p->cut];
		if (d->n > chunk / size || (!d->reduced && d->n > width / p->kept))
			break;
		*(d->reduced ? &p->reduced : &p->kept) *= d->n;
		size *= d->n;
	}
	d = &p->dim[p->cut];
	p->step = 1;
	p->across = p->cut;
	if (!d->reduced) {
		p->step = most(least(d->n, least(width / p->kept, chunk / d->stride)), 1);
		while (p->across < p->nd && !p->dim[p->across].reduced)
			p->across++;
	}
	p->width = p->kept * p->step;
	p->run = d->reduced ? d->stride : p->step * d->stride;
	p->rows = 1;
	if (p->across < p->nd) {
		p->rows = most(chunk / p->run, p->across == p->cut ? 1 :
		    least(ROWS, 4 * chunk / p->run));
		p->rows = most(least(p->rows, p->dim[p->across].n), 1);
	}
	p->pitch = p->run;
	if (p->across < p->nd && p->across != p->cut &&
	    p->dim[p->across].stride != p->run)
		p->pitch += PAD;
}

static uint64_t
parts(uint64_t n, uint64_t part)
{
	return n / part + (n % part != 0);
}

/* How many pieces and chunks that makes. */
static void
count(const struct job *j, struct plan *p)
{
	unsigned k;

	p->pieces = p->chunks = 1;
	for (k = p->cut; k < p->nd; k++)
		if (k == p->across)
			p->chunks *= parts(p->dim[k].n, p->rows);
		else if (p->dim[k].reduced)
			p->chunks *= p->dim[k].n;
		else
			p->pieces *= k == p->cut ? parts(p->dim[k].n, p->step) :
			    p->dim[k].n;
	p->portion = p->chunks;
	if (j->threads > 1 && !p->whole && p->pieces < (uint64_t)2 * j->threads)
		p->portion = most(p->chunks / (PORTIONS * j->threads), 1);
	p->portions = parts(p->chunks, p->portion);
}

static void
make_plan(const struct job *j, struct plan *p)
{
	cut(j, p);
	count(j, p);
}

/*
 * A part of the dimensions of a kind from the cut on: its first element, its place among
 * all of the kind, and how many of the dimension that is cut.  A piece is of those that
 * are kept, a chunk in it of those that are reduced.
 */
struct part {
	uint64_t at, first, n;
};

static struct part
part_of(const struct plan *p, bool reduced, uint64_t number)
{
	const unsigned cut = reduced ? p->across : p->cut;
	const uint64_t some = reduced ? p->rows : p->step;
	uint64_t stride = reduced ? p->reduced : p->kept;
	struct part x = { 0, 0, 1 };
	unsigned k;

	for (k = cut; k < p->nd; k++) {
		const struct dim *d = &p->dim[k];
		const uint64_t n = k == cut ? parts(d->n, some) : d->n;
		uint64_t i = number % n;

		if (d->reduced != reduced)
			continue;
		if (k == cut) {
			i *= some;
			x.n = least(some, d->n - i);
		}
		x.at += i * d->stride;
		x.first += i * stride;
		stride *= d->n;
		number /= n;
	}
	return x;
}

/* The results of a piece. */
static uint64_t
width_of(const struct plan *p, const struct part *piece)
{
	return p->kept * piece->n;
}

/* --- a chunk --- */

/* Its dimensions as they lie in memory. */
struct box {
	struct dim dim[MOST + 1];
	unsigned nd;
	const unsigned char *v;
};

static enum taf_status
fetch(const struct job *j, struct slot *m, const struct part *piece,
    const struct part *c, struct box *b, struct taf_err *e)
{
	const struct plan *p = &j->now;
	const uint64_t stride = p->across < p->nd ? p->dim[p->across].stride : 0;
	const uint64_t run = p->across == p->cut ? p->run :
	    piece->n * p->dim[p->cut].stride;
	const uint64_t at = piece->at + c->at;
	uint64_t pitch = p->pitch, i;
	enum taf_status st = TAF_OK;
	unsigned k;

	if (j->memory != NULL) {
		b->v = j->memory + at * j->esize;
		pitch = stride;
	} else {
		b->v = m->buf;
		if (pitch == run || c->n == 1)
			st = taf_reader_at(j->r, m->buf, at, (size_t)(c->n * run), e);
		else
			for (i = 0; i < c->n && st == TAF_OK; i++)
				st = taf_reader_at(j->r, m->buf + i * pitch * j->esize,
				    at + i * stride, (size_t)run, e);
	}
	for (k = 0; k < p->cut; k++)
		b->dim[k] = p->dim[k];
	b->nd = p->cut;
	if (!p->dim[p->cut].reduced && piece->n > 1)
		b->dim[b->nd++] = (struct dim){ piece->n, p->dim[p->cut].stride, false };
	if (c->n > 1 || b->nd == 0)
		b->dim[b->nd++] = (struct dim){ c->n, pitch, true };
	return st;
}

/*
 * Bring a box into another order: values of a result one behind the other with lines,
 * else results side by side.  Returns the same as a patch.
 */
static struct taf_patch
pack(const struct job *j, const struct box *b, unsigned char *to, bool lines,
    uint64_t first)
{
	struct taf_patch p = { to, 1, 1, 1, 1, first };
	size_t n[MOST + 1], next[2];
	ptrdiff_t from_step[MOST + 1], to_step[MOST + 1];
	unsigned k;

	for (k = 0; k < b->nd; k++)
		*(b->dim[k].reduced ? &p.rows : &p.width) *= (size_t)b->dim[k].n;
	if (lines)
		p.across = p.rows;
	else
		p.along = p.width;
	next[false] = p.across;
	next[true] = p.along;
	for (k = 0; k < b->nd; k++) {
		const bool reduced = b->dim[k].reduced;

		n[k] = (size_t)b->dim[k].n;
		from_step[k] = (ptrdiff_t)(b->dim[k].stride * j->esize);
		to_step[k] = (ptrdiff_t)(next[reduced] * j->esize);
		next[reduced] *= n[k];
	}
	taf_strided_copy(to, b->v, &(struct taf_strided){ j->esize, b->nd, n, to_step,
	    from_step });
	return p;
}

/* The first dimension, and the first one of the other kind, are a patch. */
static bool
is_patch(const struct box *b, unsigned *other)
{
	const bool reduced = b->dim[0].reduced;
	uint64_t kept = 1;
	unsigned k;

	for (k = 0; k < b->nd; k++)
		kept *= b->dim[k].reduced ? 1 : b->dim[k].n;
	for (*other = 1; *other < b->nd && b->dim[*other].reduced == reduced; ++*other)
		continue;
	if (b->dim[0].stride != 1)
		return false;
	if (reduced)
		return b->dim[0].n >= SHORT || kept < BESIDE;
	return b->dim[0].n >= BESIDE || (b->nd == 1 && *other == b->nd);
}

/* All patches of a box; step words to the accumulator of the next result. */
static void
add_patches(const struct job *j, struct slot *m, const struct box *b, unsigned other,
    uint64_t first)
{
	const size_t words = j->to.reduce.words;
	uint64_t next[2] = { 1, 1 }, to[MOST + 1], i[MOST + 1] = { 0 };
	struct taf_patch p = { b->v, 1, 1, 1, 1, first };
	uint64_t at = 0, acc = 0, place = 0;
	unsigned k;

	for (k = 0; k < b->nd; k++) {
		to[k] = next[b->dim[k].reduced];
		next[b->dim[k].reduced] *= b->dim[k].n;
	}
	for (k = 0; k < b->nd; k++) {
		if (k != 0 && k != other)
			continue;
		if (b->dim[k].reduced) {
			p.rows = (size_t)b->dim[k].n;
			p.along = (size_t)b->dim[k].stride;
		} else {
			p.width = (size_t)b->dim[k].n;
			p.across = (size_t)b->dim[k].stride;
		}
	}
	if (p.rows == 1)
		p.along = p.width;
	do {
		p.v = b->v + at * j->esize;
		p.first = first + place;
		taf_reduce_add(&j->to.reduce, m->acc + acc * words, &p, m->scratch);
		for (k = 1; k < b->nd; k++) {
			const struct dim *d = &b->dim[k];

			if (k == other)
				continue;
			at += d->stride;
			*(d->reduced ? &place : &acc) += to[k];
			if (++i[k] < d->n)
				break;
			at -= d->n * d->stride;
			*(d->reduced ? &place : &acc) -= d->n * to[k];
			i[k] = 0;
		}
	} while (k < b->nd);
}

/* The values of a chunk, to the accumulators of the slot. */
static void
add_chunk(const struct job *j, struct slot *m, const struct box *b, uint64_t first)
{
	struct taf_patch p;
	unsigned other, k;
	uint64_t width = 1;

	if (is_patch(b, &other)) {
		add_patches(j, m, b, other, first);
		return;
	}
	for (k = 0; k < b->nd; k++)
		width *= b->dim[k].reduced ? 1 : b->dim[k].n;
	p = pack(j, b, m->packed, width < BESIDE, first);
	taf_reduce_add(&j->to.reduce, m->acc, &p, m->scratch);
}

/* And to the lines, whose values are all there in the end. */
static void
add_lines(const struct job *j, struct slot *m, const struct box *b, uint64_t first)
{
	const struct taf_patch p = pack(j, b, m->packed, true, first);
	size_t i;

	for (i = 0; i < p.width; i++)
		memcpy(m->at.lines + (i * j->to.line + first) * j->esize,
		    m->packed + i * p.rows * j->esize, p.rows * j->esize);
}

/* --- the work --- */

static void
clear(const struct job *j, uint64_t *acc, uint64_t width)
{
	uint64_t i;

	for (i = 0; i < width; i++)
		taf_reduce_clear(&j->to.reduce, acc + i * j->to.reduce.words);
}

/* Room for the elements of a chunk, as they come and packed. */
static void
make_room(const struct job *j, struct taf_tile *t)
{
	const struct plan *p = &j->now;

	t->out = (struct taf_runs){ .n = (size_t)(p->rows * p->run), .runs = 1 };
	t->scratch_size = (size_t)(p->rows * (p->pitch + p->run)) * j->esize;
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[t->slot];
	const uint64_t all = j->now.pieces * j->now.portions;

	/* who writes results is watched there */
	if (j->to.each != NULL)
		taf_progress(j->to.service, (j->before + (uint64_t)((double)j->part *
		    (double)j->taken / (double)all)) * j->esize,
		    taf_array_bytes(j->to.in));
	if (j->taken == all)
		return false;
	m->piece = j->taken / j->now.portions;
	m->portion = j->taken % j->now.portions;
	j->taken++;
	make_room(j, t);
	return true;
}

static struct slot *
slot_of(struct job *j, const struct taf_tile *t)
{
	struct slot *const m = &j->slot[t->slot];

	m->buf = t->scratch;
	m->packed = m->buf + (size_t)(j->now.rows * j->now.pitch) * j->esize;
	return m;
}

/* The results of a piece, of these accumulators. */
static struct taf_result_run
results_of(const struct job *j, const uint64_t *acc, const struct part *piece)
{
	return (struct taf_result_run){ acc, j->base + piece->first,
		width_of(&j->now, piece) };
}

static enum taf_status
conclude_and_put(struct job *j, const struct slot *m, struct taf_result_run run,
    struct taf_err *e)
{
	const enum taf_status st = taf_results_conclude(&j->to, &m->at, run, e);

	return st != TAF_OK ? st : taf_results_put(&j->to, &m->at, run, e);
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	const struct plan *p = &j->now;
	struct slot *m = slot_of(j, t);
	const struct part x = part_of(p, false, m->piece);
	uint64_t i = m->portion * p->portion;
	const uint64_t end = least(i + p->portion, p->chunks);
	/* places count from the first of the portion */
	const uint64_t start = part_of(p, true, i).first;
	enum taf_status st = TAF_OK;
	struct box b;

	clear(j, m->acc, width_of(p, &x));
	for (; i < end; i++) {
		const struct part c = part_of(p, true, i);

		st = fetch(j, m, &x, &c, &b, e);
		if (st != TAF_OK)
			return st;
		add_chunk(j, m, &b, c.first - start);
		if (p->whole)
			add_lines(j, m, &b, c.first);
	}
	taf_reduce_settle(&j->to.reduce, m->scratch);
	return j->keep || p->portions > 1 ? TAF_OK :
	    taf_results_conclude(&j->to, &m->at, results_of(j, m->acc, &x), e);
}

static void
join(const struct job *j, uint64_t *acc, const uint64_t *more, uint64_t width)
{
	const size_t words = j->to.reduce.words;
	uint64_t i;

	for (i = 0; i < width; i++)
		taf_reduce_join(&j->to.reduce, acc + i * words, more + i * words);
}

static enum taf_status
give(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	const struct plan *p = &j->now;
	struct slot *m = &j->slot[t->slot];
	const struct part x = part_of(p, false, m->piece);
	const uint64_t width = width_of(p, &x);

	if (j->keep) {
		join(j, j->acc + x.first * j->to.reduce.words, m->acc, width);
		return TAF_OK;
	}
	if (p->portions == 1)
		return taf_results_put(&j->to, &m->at, results_of(j, m->acc, &x), e);
	if (m->portion == 0)
		clear(j, j->acc, width);
	join(j, j->acc, m->acc, width);
	return m->portion + 1 < p->portions ? TAF_OK :
	    conclude_and_put(j, m, results_of(j, j->acc, &x), e);
}

static void
close_slots(struct job *j)
{
	unsigned k;

	for (k = 0; k < j->threads; k++) {
		struct slot *m = &j->slot[k];

		free(m->at.lines);
		free(m->scratch);
		free(m->at.recoded);
		free(m->acc);
		free(m->at.keys);
		free(m->at.result);
		memset(m, 0, sizeof *m);
	}
}

/* Room for the plan of now. */
static enum taf_status
open_slots(struct job *j, struct taf_err *e)
{
	const struct plan *p = &j->now;
	const size_t held = p->whole ? (size_t)j->to.line : 0;
	bool good = true;
	unsigned k;

	for (k = 0; k < j->threads && good; k++) {
		struct slot *m = &j->slot[k];

		m->acc = taf_alloc((size_t)p->width * j->to.reduce.words, sizeof *m->acc);
		m->scratch = taf_reduce_scratch();
		m->at.lines = taf_alloc((size_t)p->width * held + 1, j->esize);
		m->at.keys = taf_alloc(2 * held + 1, sizeof *m->at.keys);
		good = m->acc != NULL && m->scratch != NULL && m->at.lines != NULL &&
		    m->at.keys != NULL &&
		    taf_results_scratch(&j->to, &m->at, e) == TAF_OK;
	}
	if (good)
		return TAF_OK;
	close_slots(j);
	return taf_fail_mem(e);
}

/* The part that is planned in now. */
static enum taf_status
run_part(struct job *j, struct taf_err *e)
{
	const struct taf_tiles tiles = { .threads = (unsigned)least(j->threads,
	    j->now.pieces * j->now.portions), .ctx = j, .next = next, .work = work,
	    .give = give };
	enum taf_status st = open_slots(j, e);

	if (st != TAF_OK)
		return st;
	if (!j->keep && j->now.portions > 1) {
		j->acc = taf_alloc((size_t)j->now.width * j->to.reduce.words,
		    sizeof *j->acc);
		if (j->acc == NULL)
			st = taf_fail_mem(e);
	}
	j->taken = 0;
	if (st == TAF_OK)
		st = taf_tiles(&tiles, e);
	if (!j->keep) {
		free(j->acc);
		j->acc = NULL;
	}
	close_slots(j);
	return st;
}

/* Results of accumulators in a row, or, where acc is NULL, of nothing. */
static enum taf_status
finish(struct job *j, uint64_t first, uint64_t n, struct taf_err *e)
{
	const uint64_t width = least(TAF_RESULTS_MOST, n);
	struct slot *m = &j->slot[0];
	enum taf_status st;
	uint64_t i;

	j->now = (struct plan){ .width = width };
	st = open_slots(j, e);
	if (st != TAF_OK)
		return st;
	clear(j, m->acc, width);
	for (i = 0; i < n && st == TAF_OK; i += width) {
		const uint64_t part = least(width, n - i);
		const uint64_t *acc = j->acc != NULL ? j->acc + i * j->to.reduce.words :
		    m->acc;

		st = conclude_and_put(j, m, (struct taf_result_run){ acc, first + i,
		    part }, e);
	}
	close_slots(j);
	return st;
}

/* --- values by order, of lines that the memory does not hold --- */

struct search {
	struct job *j;
	struct part piece;
	uint64_t width;				/* results of it */
	struct taf_order *order;		/* of each result of the piece */
	uint64_t *count;			/* and for each thread */
	unsigned digit;
	bool *done;
};

static uint64_t *
count_of(const struct search *s, unsigned slot, uint64_t i)
{
	return s->count +
	    (size_t)(slot * s->j->now.width + i) * taf_order_words(s->digit);
}

static bool
next_portion(void *ctx, struct taf_tile *t)
{
	struct search *s = ctx;

	if (s->j->taken == s->j->now.chunks)
		return false;
	s->j->slot[t->slot].portion = s->j->taken++;
	make_room(s->j, t);
	return true;
}

static enum taf_status
count_portion(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	const struct search *s = ctx;
	struct job *j = s->j;
	struct slot *m = slot_of(j, t);
	const struct part c = part_of(&j->now, true, m->portion);
	struct taf_patch p;
	enum taf_status st;
	struct box b;
	size_t i;

	st = fetch(j, m, &s->piece, &c, &b, e);
	if (st != TAF_OK)
		return st;
	p = pack(j, &b, m->packed, true, 0);
	for (i = 0; i < p.width; i++)
		if (!s->done[i])
			taf_order_add(&s->order[i], count_of(s, t->slot, i),
			    m->packed + i * p.rows * j->esize, p.rows);
	return TAF_OK;
}

/* Operation k of a piece: pass by pass, until all of its results are found. */
static enum taf_status
search_piece(struct search *s, unsigned k, struct taf_err *e)
{
	struct job *j = s->j;
	const struct taf_tiles tiles = { .threads = j->threads, .ctx = s,
		.next = next_portion, .work = count_portion };
	const size_t bytes = taf_order_words(s->digit) * sizeof *s->count;
	enum taf_status st = TAF_OK;
	bool more = true;
	unsigned t;
	uint64_t i;

	for (i = 0; i < s->width; i++) {
		taf_order_start(&s->order[i], &j->to.reduce, &j->to.want->op[k],
		    s->digit);
		s->done[i] = false;
	}
	memset(s->count, 0, (size_t)(j->threads * j->now.width) * bytes);
	while (more && st == TAF_OK) {
		j->taken = 0;
		st = taf_tiles(&tiles, e);
		more = false;
		for (i = 0; i < s->width && st == TAF_OK; i++) {
			for (t = 1; t < j->threads && !s->done[i]; t++) {
				taf_order_join(count_of(s, 0, i), count_of(s, t, i),
				    s->digit);
				memset(count_of(s, t, i), 0, bytes);
			}
			s->done[i] = s->done[i] ||
			    !taf_order_pass(&s->order[i], count_of(s, 0, i),
			    &j->to.found[k * j->to.n + s->piece.first + i]);
			more = more || !s->done[i];
		}
	}
	return st;
}

static enum taf_status
search_all(struct job *j, struct taf_err *e)
{
	struct search s = { .j = j };
	enum taf_status st;
	uint64_t i;
	unsigned k;

	j->now = j->all;
	j->to.found = taf_alloc((size_t)j->to.n * j->to.want->nops, sizeof *j->to.found);
	s.order = taf_alloc((size_t)j->now.width, sizeof *s.order);
	s.done = taf_alloc((size_t)j->now.width, sizeof *s.done);
	s.digit = j->now.width * j->threads > held(j) / (taf_order_words(TAF_ORDER_MANY) *
	    sizeof *s.count) ? TAF_ORDER_FEW : TAF_ORDER_MANY;
	s.count = taf_alloc((size_t)j->now.width * j->threads,
	    taf_order_words(s.digit) * sizeof *s.count);
	st = j->to.found != NULL && s.order != NULL && s.done != NULL && s.count != NULL ?
	    open_slots(j, e) : taf_fail_mem(e);
	for (i = 0; i < j->now.pieces && st == TAF_OK; i++) {
		s.piece = part_of(&j->now, false, i);
		s.width = width_of(&j->now, &s.piece);
		for (k = 0; k < j->to.want->nops && st == TAF_OK; k++)
			if (taf_op_is_order(j->to.want->op[k].op))
				st = search_piece(&s, k, e);
	}
	close_slots(j);
	free(s.order);
	free(s.done);
	free(s.count);
	return st;
}

/* --- how the elements come --- */

/* A plan: of each operation some passes over all elements, a digit of their keys each. */
static enum taf_status
foresee_search(const struct job *j)
{
	const uint64_t passes = 64 / TAF_ORDER_FEW;
	unsigned k;

	for (k = 0; k < j->to.want->nops; k++)
		if (taf_op_is_order(j->to.want->op[k].op))
			taf_need_again(passes * taf_array_bytes(j->to.in));
	taf_need_beside(held(j));
	return TAF_OK;
}

/* In any order, from a file. */
static enum taf_status
at_random(struct job *j, struct taf_err *e)
{
	enum taf_status st = taf_reader_random(j->r, e);

	if (st == TAF_OK && j->order && !j->all.whole)
		st = taf_need_asked() != NULL ? foresee_search(j) : search_all(j, e);
	j->now = j->all;
	j->part = taf_array_count(j->to.in);
	return st != TAF_OK ? st : run_part(j, e);
}

/*
 * Elements as they come, some at a time in memory: rows of dimension `along`, which has
 * none behind it, or one that counts how often all of that comes again.
 */
struct slabs {
	unsigned along;
	uint64_t rows;			/* at a time */
	unsigned char *buf;
};

/* Bytes of them that may be taken at a time. */
static uint64_t
batch(const struct job *j)
{
	return most(taf_memory_share(j->to.service->memory, TAF_BATCH), LEAST);
}

/* So many rows of `stride` elements at a time; 0 where the memory holds none. */
static uint64_t
rows_at_once(const struct job *j, uint64_t stride)
{
	const uint64_t budget = batch(j) / j->esize;

	return stride > budget ? 0 : most(least(budget, SLAB / j->esize) / stride, 1);
}

static bool
plan_slabs(const struct job *j, struct slabs *s)
{
	const uint64_t budget = batch(j);
	const struct plan *p = &j->all;
	unsigned top = p->nd, k;
	uint64_t kept = 1;

	while (top > 1 && !p->dim[top - 1].reduced)
		top--;
	top--;
	for (k = 0; k < top; k++)
		kept *= p->dim[k].reduced ? 1 : p->dim[k].n;
	if (p->nd > top + 2)
		return false;
	/* all that some results need, or the only ones */
	s->along = p->nd - 1;
	s->rows = rows_at_once(j, p->dim[s->along].stride);
	if (s->rows > 0 && (s->along > top || s->rows >= p->dim[top].n)) {
		s->rows = least(s->rows, p->dim[s->along].n);
		return !j->order || p->whole;
	}
	s->along = top;
	s->rows = least(rows_at_once(j, p->dim[top].stride), p->dim[top].n);
	return s->rows > 0 && !j->order &&
	    kept <= budget / sizeof(uint64_t) / j->to.reduce.words;
}

/* All rows; results before them are `base`, or they are kept. */
static enum taf_status
run_slabs(struct job *j, const struct slabs *s, struct taf_err *e)
{
	const struct dim *d = &j->all.dim[s->along];
	enum taf_status st = TAF_OK;
	uint64_t i, n;

	for (i = 0; i < d->n && st == TAF_OK; i += n) {
		n = least(s->rows, d->n - i);
		st = taf_reader_read(j->r, s->buf, (size_t)(n * d->stride), e);
		if (st != TAF_OK)
			break;
		j->memory = s->buf;
		j->now = j->all;
		j->now.nd = s->along + 1;
		j->now.dim[s->along].n = n;
		make_plan(j, &j->now);
		j->part = n * d->stride;
		st = run_part(j, e);
		j->before += j->part;
		if (!d->reduced)
			j->base += n * (j->to.n / d->n);
	}
	return st;
}

/* Rows that go on: accumulators of all that are under way. */
static enum taf_status
keep_slabs(struct job *j, const struct slabs *s, struct taf_err *e)
{
	const struct dim *d = &j->all.dim[s->along];
	const struct dim *again = s->along + 1 < j->all.nd ? d + 1 : NULL;
	const uint64_t times = again != NULL ? again->n : 1, kept = j->to.n / times;
	enum taf_status st = TAF_OK;
	uint64_t i;

	j->acc = taf_alloc((size_t)kept * j->to.reduce.words, sizeof *j->acc);
	if (j->acc == NULL)
		return taf_fail_mem(e);
	for (i = 0; i < times && st == TAF_OK; i++) {
		clear(j, j->acc, kept);
		j->keep = true;
		st = run_slabs(j, s, e);
		j->keep = false;
		if (st == TAF_OK)
			st = finish(j, i * kept, kept, e);
		if (st == TAF_OK && again != NULL)
			st = taf_reader_skip(j->r, again->stride - d->n * d->stride, e);
	}
	free(j->acc);
	j->acc = NULL;
	return st;
}

static enum taf_status
in_order(struct job *j, struct slabs *s, struct taf_err *e)
{
	const struct dim *d = &j->all.dim[s->along];
	const bool keep = d->reduced && (s->rows < d->n || s->along + 1 < j->all.nd);
	enum taf_status st;

	s->buf = taf_alloc((size_t)(s->rows * d->stride), j->esize);
	if (s->buf == NULL)
		return taf_fail_mem(e);
	st = keep ? keep_slabs(j, s, e) : run_slabs(j, s, e);
	free(s->buf);
	return st;
}

/* Is the last dimension that has several points one of those that are reduced? */
static bool
last_reduced(const struct taf_results *t)
{
	unsigned k = t->in->ndim;

	while (k > 0 && t->in->dim[k - 1].n == 1)
		k--;
	return k > 0 && taf_reduction_takes(t->want, k - 1) && t->want->every == 0;
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const uint64_t elements = taf_array_count(j->to.in);
	/* a few lie in the buffer already, where the header came from */
	const bool few = elements <= FEW && !j->to.want->again;
	struct slabs slabs;
	enum taf_status st;

	if (j->to.n == 0)
		return TAF_OK;
	if (elements == 0)
		return finish(j, 0, j->to.n, e);
	/* the first result needs the last element, or all are written at the end */
	taf_need_wait(j->to.planes != NULL || j->to.spool.out != NULL ||
	    last_reduced(&j->to));
	j->threads = (unsigned)least(j->threads, 1 + elements / CHUNK);
	lay_out(&j->all, j->to.want, j->to.in);
	j->all.whole = j->order &&
	    j->to.line <= share(j) / 2 / (j->esize + 2 * sizeof(uint64_t));
	make_plan(j, &j->all);
	st = (few || !taf_reader_plain(j->r)) && plan_slabs(j, &slabs) ?
	    in_order(j, &slabs, e) : at_random(j, e);
	return st;
}

/* Whose results go where to says. */
static enum taf_status
reduce(const struct taf_results *to, struct taf_reader *r, struct taf_err *e)
{
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st;
	unsigned k;

	if (j == NULL)
		return taf_fail_mem(e);
	j->to = *to;
	j->r = r;
	j->esize = taf_type_size(to->in->type);
	j->threads = (unsigned)least(taf_threads(to->service), TAF_THREADS_MOST);
	for (k = 0; k < to->want->nops; k++)
		j->order = j->order || taf_op_is_order(to->want->op[k].op);
	st = taf_results_open(&j->to, e);
	if (st == TAF_OK)
		st = run(j, e);
	if (st == TAF_OK)
		st = taf_results_end(&j->to, e);
	if (st == TAF_OK && j->to.each == NULL)
		taf_results_remark(&j->to);
	taf_results_close(&j->to);
	free(j);
	return st;
}

enum taf_status
taf_reduction(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_results to = { .want = m->intent, .in = m->in, .out = m->out,
		.w = m->w, .service = m->service };

	return reduce(&to, m->r, e);
}

enum taf_status
taf_reduction_each(const struct taf_reduction_intent *want, struct taf_reader *r,
    const struct taf_array *in, enum taf_status (*each)(void *ctx,
    const struct taf_reduction_found *some, struct taf_err *e), void *ctx,
    const struct taf_service *service, struct taf_err *e)
{
	const struct taf_results to = { .want = want, .in = in, .each = each, .ctx = ctx,
		.service = service };

	return taf_reduction_check(want, in, e) != TAF_OK ? e->code : reduce(&to, r, e);
}
