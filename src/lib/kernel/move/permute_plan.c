/* SPDX-License-Identifier: ISC */
#include "kernel/move/permute_plan.h"

#include "base/num.h"

enum {
	/*
	 * a block of this size stays in the last-level cache; so does a tile, beside it
	 */
	BLOCK = 8 << 20,
	TILE = 1 << 20,
	/*
	 * Of mapped elements: bytes of a box, and of its runs in the input.  Those of an
	 * output that takes any order are so many times as long.
	 */
	BOX = 2 << 20,
	BOX_RUN = 256,
	BOX_RATIO = 512,
	/* a mapped file of more than so many times -m may be read from the disk twice */
	MAPPED_RATIO = 2,
	/*
	 * Shorter runs cost more than a block that does not stay.  An array many
	 * times the memory that may be used is likely on a disk.
	 */
	LONG = 16 << 10,
	LONG_DISK = 256 << 10,
	DISK_RATIO = 4,
	/* runs of a tile: a few lines of the input, but many of the output */
	TILE_RATIO = 128,
	/* no thread for less than this */
	THREAD_WORK = 1 << 20,
	THREAD_MEMORY = 4 << 10,
	/* runs a multiple of PITCH apart would compete for a few lines of a cache */
	PITCH = 1024,
	PAD = 64
};

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The number of pieces of at most size that make up n > 0. */
static uint64_t
pieces(uint64_t n, uint64_t size)
{
	return (n - 1) / size + 1;
}

bool
taf_permute_is(unsigned ndim, const unsigned order[])
{
	unsigned i, k;

	for (k = 0; k < ndim; k++) {
		if (order[k] >= ndim)
			return false;
		for (i = 0; i < k; i++)
			if (order[i] == order[k])
				return false;
	}
	return true;
}

/* The dimension of the input after d that is longer than 1. */
static unsigned
following(const uint64_t n[], unsigned ndim, unsigned d)
{
	do
		d++;
	while (d < ndim && n[d] == 1);
	return d;
}

bool
taf_permute_reduce(struct taf_permutation *p, size_t esize, unsigned ndim,
    const uint64_t n[], const unsigned order[])
{
	unsigned first[TAF_PERMUTE_NDIM];	/* where a merged one begins */
	uint64_t length[TAF_PERMUTE_NDIM];
	unsigned d, i, k, next;

	*p = (struct taf_permutation){ .esize = esize, .bytes = esize };
	if (!taf_permute_is(ndim, order))
		return false;
	for (k = 0; k < ndim; k++)
		if (n[k] == 0)
			p->bytes = 0;
	for (k = 0; k < ndim; k++)
		if (!taf_mul(p->bytes, n[k], &p->bytes))
			return false;
	if (p->bytes == 0)
		return true;
	next = ndim;
	for (k = 0; k < ndim; k++) {
		d = order[k];
		if (n[d] == 1)
			continue;
		if (p->nd > 0 && d == next) {
			length[p->nd - 1] *= n[d];
		} else {
			first[p->nd] = d;
			length[p->nd++] = n[d];
		}
		next = following(n, ndim, d);
	}
	for (k = 0; k < p->nd; k++) {
		d = 0;
		for (i = 0; i < p->nd; i++)
			d += first[i] < first[k];
		p->in[k] = k;
		p->out[k] = d;
		p->n[d] = length[k];
	}
	return true;
}

/*
 * The first dimension in the order of a file that a box ext within max does
 * not span, nd if it spans all, and the elements of a run up to there.
 */
static unsigned
edge(const struct taf_permutation *p, const unsigned seq[], const uint64_t max[],
    const uint64_t ext[], uint64_t *run)
{
	unsigned k;

	*run = 1;
	for (k = 0; k < p->nd; k++) {
		*run *= ext[seq[k]];
		if (ext[seq[k]] < max[seq[k]])
			return seq[k];
	}
	return p->nd;
}

static uint64_t
volume(const struct taf_permutation *p, const uint64_t ext[])
{
	uint64_t v = 1;
	unsigned k;

	for (k = 0; k < p->nd; k++)
		v *= ext[k];
	return v;
}

/* Up to double an extent, within max, and within limit elements in all. */
static bool
widen(const struct taf_permutation *p, unsigned d, uint64_t max, uint64_t ext[],
    uint64_t limit)
{
	uint64_t w;

	w = min_u64(limit / (volume(p, ext) / ext[d]), max);
	w = min_u64(w, 2 * ext[d]);
	if (w <= ext[d])
		return false;
	ext[d] = w;
	return true;
}

/*
 * Grow a box from one element to at most limit, within max: along the input while a run
 * of it, times ratio, is not longer than one of the output, else along the output.  It
 * has its size when it holds enough elements and both runs are of length elements.
 */
struct growth {
	uint64_t limit, ratio, enough, length;
};

static void
grow(const struct taf_permutation *p, const uint64_t max[], uint64_t ext[],
    const struct growth *g)
{
	uint64_t irun, orun;
	unsigned i, o, d, k;

	for (k = 0; k < p->nd; k++)
		ext[k] = 1;
	for (;;) {
		i = edge(p, p->in, max, ext, &irun);
		o = edge(p, p->out, max, ext, &orun);
		if (i == p->nd)
			break;
		if (volume(p, ext) >= g->enough && irun >= g->length && orun >= g->length)
			break;
		d = irun <= orun / g->ratio ? i : o;
		if (!widen(p, d, max[d], ext, g->limit))
			break;
	}
	/* boxes of one size instead of a thin one at the end */
	for (k = 0; k < p->nd; k++)
		ext[k] = pieces(max[k], pieces(max[k], ext[k]));
}

/* Room for the padding of taf_permute_lay_out(). */
static uint64_t
padded(uint64_t bytes)
{
	return bytes + bytes / (PITCH / PAD);
}

/* Elements that fit, with padding, into bytes; at least one. */
static uint64_t
capacity(const struct taf_permutation *p, uint64_t bytes)
{
	uint64_t n = bytes / (PITCH / PAD + 1) * (PITCH / PAD) / p->esize;

	return n > 0 ? n : 1;
}

/* Threads, and the memory of each. */
static uint64_t
share_out(struct taf_permute_plan *q, const struct taf_permutation *p, size_t memory,
    unsigned threads)
{
	threads = (unsigned)min_u64(threads, p->bytes / THREAD_WORK);
	threads = (unsigned)min_u64(threads, memory / THREAD_MEMORY);
	q->threads = threads > 0 ? threads : 1;
	return memory / q->threads;
}

bool
taf_permute_plan_mapped(struct taf_permute_plan *q, const struct taf_permutation *p,
    size_t memory, unsigned threads, bool sequential)
{
	const uint64_t share = share_out(q, p, memory, threads);
	unsigned k;

	if (p->bytes / MAPPED_RATIO > memory)
		return false;
	grow(p, p->n, q->tile, &(struct growth){ capacity(p, min_u64(share, BLOCK)),
	    sequential ? UINT64_MAX : BOX_RATIO, capacity(p, BOX),
	    BOX_RUN / p->esize });
	for (k = 0; k < p->nd; k++)
		q->block[k] = q->tile[k];
	q->tile_bytes = (size_t)padded(volume(p, q->tile) * p->esize);
	q->block_bytes = 0;
	return true;
}

void
taf_permute_plan(struct taf_permute_plan *q, const struct taf_permutation *p,
    size_t memory, unsigned threads, bool sequential)
{
	const uint64_t share = share_out(q, p, memory, threads);
	uint64_t tile, enough, length;
	unsigned k;

	if (sequential) {
		/* along the output alone; the same again for the input */
		grow(p, p->n, q->block, &(struct growth){ capacity(p, share / 2),
		    UINT64_MAX, UINT64_MAX, 0 });
		for (k = 0; k < p->nd; k++)
			q->tile[k] = q->block[k];
	} else {
		tile = min_u64(TILE, share / 4);
		enough = min_u64(BLOCK, p->bytes / q->threads / 4);
		length = p->bytes / DISK_RATIO > memory ? LONG_DISK : LONG;
		grow(p, p->n, q->block, &(struct growth){ capacity(p, share - tile), 1,
		    capacity(p, enough), length / p->esize });
		grow(p, q->block, q->tile, &(struct growth){ capacity(p, tile),
		    TILE_RATIO, UINT64_MAX, 0 });
	}
	q->block_bytes = (size_t)padded(volume(p, q->block) * p->esize);
	q->tile_bytes = (size_t)padded(volume(p, q->tile) * p->esize);
}

void
taf_permute_lay_out(struct taf_permute_layout *l, const struct taf_permutation *p,
    const uint64_t ext[], const unsigned seq[])
{
	size_t step = p->esize;
	unsigned d, k;
	bool inside = true;

	l->run = step;
	l->inner = 0;
	for (k = 0; k < p->nd; k++) {
		d = seq[k];
		l->step[d] = (ptrdiff_t)step;
		step *= (size_t)ext[d];
		if (!inside)
			continue;
		l->run = step;
		l->inner = k + 1;
		inside = ext[d] == p->n[d];
		if (!inside && step % PITCH == 0)
			step += PAD;
	}
}
