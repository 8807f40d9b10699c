/* SPDX-License-Identifier: ISC */
#include "stream/permute.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/need.h"
#include "kernel/move/permute_plan.h"
#include "kernel/move/strided.h"
#include "stream/relay.h"

enum {
	NDIM = TAF_PERMUTE_NDIM,
	/* shorter runs of the input cost more than another copy of the output */
	SHORT_RUN = 1024
};

/* A box of the array, by input dimension. */
struct box {
	uint64_t lo[NDIM], n[NDIM];
};

/* What each thread has: its buffers, and the tile that is in the second. */
struct slot {
	unsigned char *block, *tile;
	uint64_t number;			/* of the block */
	struct box at;
	struct taf_permute_layout layout;
};

/* What they share. */
struct job {
	const struct taf_permute_io *io;
	struct taf_permutation p;
	struct taf_permute_plan plan;
	const unsigned char *map;			/* or NULL: blocks are read */
	uint64_t istep[NDIM], ostep[NDIM];	/* in the files, by input dimension */
	struct box whole;
	uint64_t blocks, next;			/* next: to be taken */
	struct slot *slot;
};

static uint64_t
offset(const struct job *j, const uint64_t at[], const uint64_t step[])
{
	uint64_t off = 0;
	unsigned k;

	for (k = 0; k < j->p.nd; k++)
		off += at[k] * step[k];
	return off;
}

/*
 * Read a box in the runs of the input into buf, or write one from buf in those
 * of the output; l says where they lie in buf.
 */
static enum taf_status
transfer(const struct job *j, bool out, const struct box *b,
    const struct taf_permute_layout *l, unsigned char *buf, struct taf_err *e)
{
	const struct taf_permute_io *io = j->io;
	const unsigned *seq = out ? j->p.out : j->p.in;
	const uint64_t *step = out ? j->ostep : j->istep;
	const uint64_t base = offset(j, b->lo, step);
	uint64_t at[NDIM] = { 0 };
	uint64_t off;
	enum taf_status st;
	ptrdiff_t pos;
	unsigned k;

	do {
		off = base + offset(j, at, step);
		for (pos = 0, k = 0; k < j->p.nd; k++)
			pos += (ptrdiff_t)at[k] * l->step[k];
		if (out)
			st = io->write(io->ctx, buf + pos, off, l->run, e);
		else
			st = io->read(io->ctx, buf + pos, off, l->run, e);
		if (st != TAF_OK)
			return st;
		for (k = l->inner; k < j->p.nd; k++) {
			if (++at[seq[k]] < b->n[seq[k]])
				break;
			at[seq[k]] = 0;
		}
	} while (k < j->p.nd);
	return TAF_OK;
}

/* Box number i of those of extents ext that make up whole, in the order of the output. */
static void
find_box(const struct job *j, uint64_t i, const uint64_t ext[], const struct box *whole,
    struct box *b)
{
	uint64_t count, left;
	unsigned d, k;

	for (k = 0; k < j->p.nd; k++) {
		d = j->p.out[k];
		count = (whole->n[d] - 1) / ext[d] + 1;
		b->lo[d] = i % count * ext[d];
		left = whole->n[d] - b->lo[d];
		b->n[d] = left < ext[d] ? left : ext[d];
		b->lo[d] += whole->lo[d];
		i /= count;
	}
}

static uint64_t
count_boxes(const struct job *j, const uint64_t ext[], const struct box *whole)
{
	uint64_t count = 1;
	unsigned k;

	for (k = 0; k < j->p.nd; k++)
		count *= (whole->n[k] - 1) / ext[k] + 1;
	return count;
}

static enum taf_status
take_block(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct job *j = ctx;

	(void)e;
	*more = j->next < j->blocks;
	if (*more)
		j->slot[slot].number = j->next++;
	return TAF_OK;
}

/* Copy tile t of a block, whose elements lie as step says, to the second buffer. */
static void
fill_tile(const struct job *j, struct slot *m, uint64_t t, const struct box *block,
    const unsigned char *elements, const ptrdiff_t step[])
{
	size_t n[NDIM];
	ptrdiff_t pos = 0;
	unsigned k;

	find_box(j, t, j->plan.tile, block, &m->at);
	taf_permute_lay_out(&m->layout, &j->p, m->at.n, j->p.out);
	for (k = 0; k < j->p.nd; k++) {
		n[k] = (size_t)m->at.n[k];
		pos += (ptrdiff_t)(m->at.lo[k] - block->lo[k]) * step[k];
	}
	taf_strided_copy(m->tile, elements + pos, &(struct taf_strided){ j->p.esize,
	    j->p.nd, n, m->layout.step, step });
}

static enum taf_status
write_tile(void *ctx, unsigned slot, struct taf_err *e)
{
	const struct job *j = ctx;
	const struct slot *m = &j->slot[slot];

	return transfer(j, true, &m->at, &m->layout, m->tile, e);
}

/* A block's elements: where they are, or in the first buffer. */
static enum taf_status
get_block(const struct job *j, struct slot *m, const struct box *block,
    const unsigned char **elements, struct taf_permute_layout *l, struct taf_err *e)
{
	unsigned k;

	taf_permute_lay_out(l, &j->p, block->n, j->p.in);
	*elements = m->block;
	if (j->map == NULL)
		return transfer(j, false, block, l, m->block, e);
	*elements = j->map + offset(j, block->lo, j->istep);
	for (k = 0; k < j->p.nd; k++)
		l->step[k] = (ptrdiff_t)j->istep[k];
	return TAF_OK;
}

/* Of an output in order, a block is one tile, and is written when it is its turn. */
static enum taf_status
do_block(void *ctx, unsigned slot, struct taf_err *e)
{
	const struct job *j = ctx;
	struct slot *m = &j->slot[slot];
	const unsigned char *elements;
	struct taf_permute_layout l;
	struct box block;
	enum taf_status st;
	uint64_t t, tiles;

	if (m->block == NULL && j->map == NULL)
		m->block = taf_alloc(1, j->plan.block_bytes);
	if (m->tile == NULL)
		m->tile = taf_alloc(1, j->plan.tile_bytes);
	if ((m->block == NULL && j->map == NULL) || m->tile == NULL)
		return taf_fail_mem(e);
	find_box(j, m->number, j->plan.block, &j->whole, &block);
	st = get_block(j, m, &block, &elements, &l, e);
	tiles = count_boxes(j, j->plan.tile, &block);
	for (t = 0; t < tiles && st == TAF_OK; t++) {
		fill_tile(j, m, t, &block, elements, l.step);
		if (!j->io->sequential)
			st = write_tile(ctx, slot, e);
	}
	return st;
}

/* All blocks, in the order of the output. */
static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_relay relay = { j, take_block, do_block,
		j->io->sequential ? write_tile : NULL };
	const unsigned slots = j->plan.threads < TAF_THREADS_MOST ? j->plan.threads :
	    TAF_THREADS_MOST;
	enum taf_status st;
	unsigned k;

	/* few: zeros for all would cost a small array more than its elements do */
	j->slot = calloc(slots, sizeof *j->slot);
	if (j->slot == NULL)
		return taf_fail_mem(e);
	st = taf_relay(&relay, j->plan.threads, e);
	for (k = 0; k < slots; k++) {
		free(j->slot[k].tile);
		free(j->slot[k].block);
	}
	free(j->slot);
	return st;
}

enum taf_status
taf_permute(const struct taf_permute_io *io, const struct taf_permute_shape *s,
    size_t memory, unsigned threads, struct taf_err *e)
{
	struct job j = { .io = io };
	uint64_t step;
	unsigned k;

	if (!taf_permute_reduce(&j.p, s->esize, s->ndim, s->n, s->order))
		return taf_fail(e, TAF_EUSAGE,
		    "permute: no order of %u dimensions, or too large", s->ndim);
	if (j.p.bytes == 0)
		return TAF_OK;
	if (io->map != NULL && taf_permute_plan_mapped(&j.plan, &j.p, memory, threads,
	    io->sequential))
		j.map = io->map;
	else
		taf_permute_plan(&j.plan, &j.p, memory, threads, io->sequential);
	for (k = 0, step = s->esize; k < j.p.nd; step *= j.p.n[k++])
		j.istep[k] = step;
	for (k = 0, step = s->esize; k < j.p.nd; step *= j.p.n[j.p.out[k++]])
		j.ostep[j.p.out[k]] = step;
	for (k = 0; k < j.p.nd; k++)
		j.whole.n[k] = j.p.n[k];
	j.blocks = count_boxes(&j, j.plan.block, &j.whole);
	if (taf_need_asked() == NULL)
		return run(&j, e);
	taf_need_wait(j.p.out[j.p.nd - 1] != j.p.nd - 1);
	return taf_need_end(j.plan.threads * (j.plan.block_bytes + j.plan.tile_bytes), e);
}

bool
taf_permute_wants_random_output(const struct taf_permute_shape *s, bool mapped,
    size_t memory, unsigned threads)
{
	struct taf_permutation p;
	struct taf_permute_plan q;
	struct taf_permute_layout l;

	if (!taf_permute_reduce(&p, s->esize, s->ndim, s->n, s->order) || p.bytes == 0 ||
	    (mapped && taf_permute_plan_mapped(&q, &p, memory, threads, true)))
		return false;
	taf_permute_plan(&q, &p, memory, threads, true);
	taf_permute_lay_out(&l, &p, q.block, p.in);
	return l.run < SHORT_RUN && l.run < p.bytes;
}
