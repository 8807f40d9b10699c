/* SPDX-License-Identifier: ISC */
/*
 * The program taf-fetch, which reads URLs for this one.  One that has read an object may
 * read the next one of the same server, over the connection that it has.
 */
#ifndef TAF_IO_FETCHER_H
#define TAF_IO_FETCHER_H

#include <stdint.h>
#include <sys/types.h>

#include "base/attr.h"
#include "base/err.h"

enum { TAF_FETCHER_SLOTS = 4 };

struct taf_fetcher {
	int fd;			/* what is said to it and by it: io/frame.h; -1: none */
	pid_t pid;
	const unsigned char *shared;	/* memory that it writes to: slots */
	uint64_t slot;		/* bytes of each */
};

/* One for an object of this URL, which waits for TAF_FRAME_OPEN. */
TAF_MUST enum taf_status taf_fetcher_take(struct taf_fetcher *f, const char *url,
    uint64_t slot, struct taf_err *e);

/* It has nothing to do, and all that it has said is read: another one may take it. */
void taf_fetcher_keep(struct taf_fetcher *f, const char *url);

/* It ends, whatever it does. */
void taf_fetcher_end(struct taf_fetcher *f);

#endif
