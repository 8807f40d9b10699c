/* SPDX-License-Identifier: ISC */
/*
 * The program taf-fetch, which reads URLs for this one.  One that has read an object may
 * read the next one of the same server, over the connection that it has.
 */
#ifndef TAF_IO_FETCHER_H
#define TAF_IO_FETCHER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/attr.h"
#include "base/err.h"

enum { TAF_FETCHER_SLOTS = 4 };

struct taf_fetcher {
	int fd;			/* what is said to it and by it: io/frame.h; -1: none */
	pid_t pid;		/* 0: it is no child of this process */
	const unsigned char *shared;	/* memory that it writes to: slots */
	uint64_t slot;		/* bytes of each */
};

/* What of a URL may be fetched: it, and what lies below it; or below its folder. */
enum taf_reach { TAF_REACH_BELOW, TAF_REACH_BESIDE, TAF_REACH_SERVER };

/*
 * Whatever becomes of this process, those that it starts fetch that of the n names that
 * are URLs alone.  Where it is called again, and where no name is one, nothing changes.
 */
TAF_MUST enum taf_status taf_fetcher_bound(const char *const *names, int n,
    enum taf_reach reach, struct taf_err *e);

/*
 * If url, which may be NULL, or one of the n more names is a URL, then *far, and there is
 * one now that starts the others, so that this process needs no right to run a program.
 * It ends with this process.
 */
TAF_MUST enum taf_status taf_fetcher_serve(const char *url, const char *const *more,
    int n, bool *far, struct taf_err *e);

/* One for an object of this URL, which waits for TAF_FRAME_OPEN. */
TAF_MUST enum taf_status taf_fetcher_take(struct taf_fetcher *f, const char *url,
    uint64_t slot, struct taf_err *e);

/* It has nothing to do, and all that it has said is read: another one may take it. */
void taf_fetcher_keep(struct taf_fetcher *f, const char *url);

/* It ends, whatever it does. */
void taf_fetcher_end(struct taf_fetcher *f);

#endif
