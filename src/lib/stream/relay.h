/* SPDX-License-Identifier: ISC */
/* Pieces that several threads work on at once, taken and given one after the other. */
#ifndef TAF_STREAM_RELAY_H
#define TAF_STREAM_RELAY_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/threads.h"

/*
 * A piece is in a slot, of which there is one for each thread, counted from 0; whatever
 * a slot has is the caller's.
 */
struct taf_relay {
	void *ctx;
	/*
	 * The next piece into a slot; *more is false if there is none.  One call at a
	 * time.
	 */
	enum taf_status (*take)(void *ctx, unsigned slot, bool *more, struct taf_err *e);
	/* Called from several threads at once. */
	enum taf_status (*work)(void *ctx, unsigned slot, struct taf_err *e);
	/*
	 * One call at a time, in the order of take; NULL where nothing need wait for
	 * that.
	 */
	enum taf_status (*give)(void *ctx, unsigned slot, struct taf_err *e);
};

/*
 * All pieces, with threads of them at once (this thread is one; 64 at most).  The first
 * failure ends it: with give, that of the first piece that fails, after all before it
 * have been given, as if there were one thread.
 */
TAF_MUST enum taf_status taf_relay(const struct taf_relay *how, unsigned threads,
    struct taf_err *e);

#endif
