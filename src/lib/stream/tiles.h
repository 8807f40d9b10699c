/* SPDX-License-Identifier: ISC */
/*
 * The engine: tiles of an output, each made of some elements of inputs, on all threads.
 */
#ifndef TAF_STREAM_TILES_H
#define TAF_STREAM_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"
#include "stream/relay.h"
#include "stream/writer.h"

/* Elements that lie in runs: in an array, and in memory. */
struct taf_runs {
	uint64_t first;		/* number of the first element in the array, from 0 */
	size_t n;		/* elements of a run */
	size_t runs;
	/*
	 * elements from the begin of a run to that of the next, where there are several
	 */
	uint64_t pitch;		/* in the array */
	size_t step;		/* in memory */
};

struct taf_tile {
	struct taf_runs *in;		/* of each input */
	struct taf_runs out;
	size_t scratch_size;		/* bytes of scratch that the work needs */
	/* The engine's, for the work: */
	unsigned char **raw;		/* of each input, what in says */
	unsigned char *stored;		/* for what out says */
	void *scratch;
	unsigned slot;			/* which thread works, below TAF_THREADS_MOST */
};

/* An output that is made in tiles.  The shape alone says how it is cut. */
struct taf_tiles {
	/* nin inputs, whose unread elements count from 0 */
	struct taf_reader *const *r;
	const size_t *esize;		/* bytes of an element of each */
	unsigned nin;
	/*
	 * Elements of the output have osize bytes, and are record numbers of the array
	 * that w is within.  They go to to, where it is not NULL, else to w.  Where both
	 * are NULL inputs are looked at alone.
	 */
	struct taf_writer *w;
	struct taf_out *to;
	size_t osize, record;
	uint64_t count;			/* elements of the output in all */
	/*
	 * Tiles lie in several runs: they are read and written at random, and a pipe goes
	 * through a temporary file.  Else tiles follow one another in the output, and of
	 * each input they want one run, whose begin never goes back.
	 */
	bool scattered;
	/* work is called for one tile after the other, in their order */
	bool in_order;
	unsigned threads;		/* at most */
	void *ctx;
	/* Say what the next tile is; false where there is none.  One call at a time. */
	bool (*next)(void *ctx, struct taf_tile *t);
	/*
	 * NULL, or called for one tile after the other, in their order, when their
	 * elements are there, and before work.  It may read what the engine cannot read.
	 * If that may end too early, unsure is set: no room is made in the output then.
	 */
	bool unsure;
	enum taf_status (*pass)(void *ctx, struct taf_tile *t, struct taf_err *e);
	/* Make what goes to the output.  Called from several threads at once. */
	enum taf_status (*work)(void *ctx, struct taf_tile *t, struct taf_err *e);
	/*
	 * NULL, or called for one tile after the other, in their order, after work and
	 * before its elements are written.
	 */
	enum taf_status (*give)(void *ctx, struct taf_tile *t, struct taf_err *e);
};

/*
 * The next tile is so many elements of count, or what is left of them, of the output and
 * of nin inputs of its shape; *at of them are in earlier ones.  False where none is left.
 */
bool taf_tile_piece(struct taf_tile *t, unsigned nin, uint64_t *at, uint64_t count,
    size_t piece);

/*
 * All tiles.  The engine reads and writes, and has the memory of each thread.  A failure
 * is that of the first tile that fails, as if there were one thread.
 */
TAF_MUST enum taf_status taf_tiles(const struct taf_tiles *how, struct taf_err *e);

#endif
