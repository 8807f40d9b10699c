#include "stream/permute.h"

#include <pthread.h>
#include <stdlib.h>

#include "kernel/permute.h"
#include "kernel/strided.h"

enum {
	NDIM = TAF_PERMUTE_NDIM,
	/* shorter runs of the input cost more than another copy of the output */
	SHORT_RUN = 1024,
	MAX_THREADS = 64
};

/* A box of the array, by input dimension. */
struct box {
	uint64_t lo[NDIM], n[NDIM];
};

/* What each thread has. */
struct buffers {
	unsigned char *block, *tile;
};

/* What they share. */
struct job {
	const struct taf_permute_io *io;
	struct taf_permutation p;
	struct taf_permute_plan plan;
	uint64_t istep[NDIM], ostep[NDIM];	/* in the files, by input dimension */
	struct box whole;
	uint64_t blocks;

	pthread_mutex_t lock;			/* of what follows */
	pthread_cond_t turn;
	uint64_t next;				/* block to be taken */
	uint64_t written;			/* blocks, where they go out in order */
	enum taf_status status;
	struct taf_err *err;
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

/* Wait until all blocks before i are written; false if that failed. */
static bool
await_turn(struct job *j, uint64_t i)
{
	bool ok;

	pthread_mutex_lock(&j->lock);
	while (j->written != i && j->status == TAF_OK)
		pthread_cond_wait(&j->turn, &j->lock);
	ok = j->status == TAF_OK;
	pthread_mutex_unlock(&j->lock);
	return ok;
}

static void
end_turn(struct job *j)
{
	pthread_mutex_lock(&j->lock);
	j->written++;
	pthread_cond_broadcast(&j->turn);
	pthread_mutex_unlock(&j->lock);
}

/* Copy a tile of a block, laid out in in as lb says, to out, and write it. */
static enum taf_status
do_tile(struct job *j, uint64_t i, const struct box *block, const struct box *tile,
    const struct taf_permute_layout *lb, const struct buffers *m, struct taf_err *e)
{
	struct taf_permute_layout lt;
	size_t n[NDIM];
	ptrdiff_t pos = 0;
	unsigned k;

	taf_permute_lay_out(&lt, &j->p, tile->n, j->p.out);
	for (k = 0; k < j->p.nd; k++) {
		n[k] = (size_t)tile->n[k];
		pos += (ptrdiff_t)(tile->lo[k] - block->lo[k]) * lb->step[k];
	}
	taf_strided_copy(m->tile, m->block + pos, j->p.esize, j->p.nd, n, lt.step,
	    lb->step);
	if (j->io->sequential && !await_turn(j, i))
		return TAF_OK;
	return transfer(j, true, tile, &lt, m->tile, e);
}

static enum taf_status
do_block(struct job *j, uint64_t i, const struct buffers *m, struct taf_err *e)
{
	struct taf_permute_layout l;
	struct box block, tile;
	enum taf_status st;
	uint64_t t, tiles;

	find_box(j, i, j->plan.block, &j->whole, &block);
	taf_permute_lay_out(&l, &j->p, block.n, j->p.in);
	st = transfer(j, false, &block, &l, m->block, e);
	tiles = count_boxes(j, j->plan.tile, &block);
	for (t = 0; t < tiles && st == TAF_OK; t++) {
		find_box(j, t, j->plan.tile, &block, &tile);
		st = do_tile(j, i, &block, &tile, &l, m, e);
	}
	if (j->io->sequential && st == TAF_OK)
		end_turn(j);
	return st;
}

/* The next block to do; false after the last, or after a failure. */
static bool
take_block(struct job *j, uint64_t *i)
{
	bool taken;

	pthread_mutex_lock(&j->lock);
	taken = j->status == TAF_OK && j->next < j->blocks;
	if (taken)
		*i = j->next++;
	pthread_mutex_unlock(&j->lock);
	return taken;
}

static void
report(struct job *j, enum taf_status st, const struct taf_err *e)
{
	pthread_mutex_lock(&j->lock);
	if (j->status == TAF_OK) {
		j->status = st;
		*j->err = *e;
		pthread_cond_broadcast(&j->turn);
	}
	pthread_mutex_unlock(&j->lock);
}

static void *
work(void *arg)
{
	struct job *j = arg;
	struct taf_err e;
	enum taf_status st = TAF_OK;
	struct buffers m;
	uint64_t i;

	taf_err_clear(&e);
	m.block = malloc(j->plan.block_bytes);
	m.tile = malloc(j->plan.tile_bytes);
	if (m.block == NULL || m.tile == NULL)
		st = taf_fail_mem(&e);
	while (st == TAF_OK && take_block(j, &i))
		st = do_block(j, i, &m, &e);
	if (st != TAF_OK)
		report(j, st, &e);
	free(m.tile);
	free(m.block);
	return NULL;
}

/* This thread works too; one that cannot be started leaves its part to the others. */
static void
run_threads(struct job *j)
{
	pthread_t id[MAX_THREADS];
	unsigned k, n = 0;

	for (k = 1; k < j->plan.threads && k < MAX_THREADS; k++)
		if (pthread_create(&id[n], NULL, work, j) == 0)
			n++;
	work(j);
	for (k = 0; k < n; k++)
		pthread_join(id[k], NULL);
}

enum taf_status
taf_permute(const struct taf_permute_io *io, size_t esize, unsigned ndim,
    const uint64_t n[], const unsigned order[], size_t memory, unsigned threads,
    struct taf_err *e)
{
	struct job j = {
		.io = io,
		.err = e,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.turn = PTHREAD_COND_INITIALIZER
	};
	uint64_t step;
	unsigned k;

	if (!taf_permute_reduce(&j.p, esize, ndim, n, order))
		return taf_fail(e, TAF_EUSAGE,
		    "permute: no order of %u dimensions, or too large", ndim);
	if (j.p.bytes == 0)
		return TAF_OK;
	taf_permute_plan(&j.plan, &j.p, memory, threads, io->sequential);
	for (k = 0, step = esize; k < j.p.nd; step *= j.p.n[k++])
		j.istep[k] = step;
	for (k = 0, step = esize; k < j.p.nd; step *= j.p.n[j.p.out[k++]])
		j.ostep[j.p.out[k]] = step;
	for (k = 0; k < j.p.nd; k++)
		j.whole.n[k] = j.p.n[k];
	j.blocks = count_boxes(&j, j.plan.block, &j.whole);
	run_threads(&j);
	pthread_cond_destroy(&j.turn);
	pthread_mutex_destroy(&j.lock);
	return j.status;
}

bool
taf_permute_wants_random_output(size_t esize, unsigned ndim, const uint64_t n[],
    const unsigned order[], size_t memory, unsigned threads)
{
	struct taf_permutation p;
	struct taf_permute_plan q;
	struct taf_permute_layout l;

	if (!taf_permute_reduce(&p, esize, ndim, n, order) || p.bytes == 0)
		return false;
	taf_permute_plan(&q, &p, memory, threads, true);
	taf_permute_lay_out(&l, &p, q.block, p.in);
	return l.run < SHORT_RUN && l.run < p.bytes;
}
