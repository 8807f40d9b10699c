/* SPDX-License-Identifier: ISC */
/*
 * What a program and taf-fetch, which reads URLs for it, say to each other over a
 * connection: frames, each a length of 32 bits, a kind of 8, and so many bytes.  All
 * numbers are little-endian.
 *
 * The program sends TAF_FRAME_OPEN.  taf-fetch answers with TAF_FRAME_OPENED.  If the
 * server gives parts of the object, the first bytes of it follow as TAF_FRAME_DATA
 * and TAF_FRAME_END, under the identity 0.  After that the program asks with
 * TAF_FRAME_RANGE, and says at which place of the memory that both share the bytes shall
 * be.  taf-fetch has this memory as the descriptor TAF_FRAME_MEMORY, and alone writes
 * there.  It writes at no such place any more after TAF_FRAME_END or TAF_FRAME_FAIL, one
 * of which answers each range, a cancelled one too.
 *
 * A server without parts is asked once, for all bytes from 0 on; these come in their
 * order as TAF_FRAME_DATA.  TAF_FRAME_FAIL ends what has its identity, 0 everything; but
 * if it says TAF_FRAME_ABSENT, or if all that was asked for has ended, TAF_FRAME_OPEN may
 * name another object, of the same server.
 *
 * Before all that TAF_FRAME_BELOW may say which objects the program will ask for.  One
 * without text says that this was all.  From then on no other is fetched, whoever asks.
 * TAF_FRAME_ANOTHER, in the place of TAF_FRAME_OPEN, comes with two descriptors, of a
 * connection and of memory: a process like this one serves them, and knows the same
 * bounds.
 */
#ifndef TAF_IO_FRAME_H
#define TAF_IO_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

enum taf_frame_kind {
	TAF_FRAME_OPEN = 1,	/* text: the URL */
	TAF_FRAME_RANGE,	/* id, offset, size, place */
	TAF_FRAME_CANCEL,	/* id: nobody waits for it any more */
	TAF_FRAME_OPENED,	/* size, delay, ranges; text: identity, for people */
	TAF_FRAME_DATA,		/* id, offset, and bytes */
	TAF_FRAME_END,		/* id: all of it has come */
	TAF_FRAME_FAIL,		/* id, status; text: what has failed */
	TAF_FRAME_NOTE,		/* text: what is worth a remark */
	/* id, offset, size, cached: so many bytes are at their place */
	TAF_FRAME_PLACED,
	TAF_FRAME_BELOW,	/* text: a URL that may be opened, or names below it */
	TAF_FRAME_ANOTHER,	/* two descriptors: serve them, too */
	TAF_FRAME_LAST = TAF_FRAME_ANOTHER
};

enum {
	TAF_FRAME_HEADER = 5,
	TAF_FRAME_DATA_HEADER = 12,	/* id and offset, before the bytes */
	TAF_FRAME_BYTES = 64 * 1024,	/* of data in a frame, at most */
	TAF_FRAME_MOST = 1 << 20,	/* a longer one ends the connection */
	TAF_FRAME_SHORT = 8192		/* a frame without data has no more */
};

/* The descriptor of the memory that both share. */
enum { TAF_FRAME_MEMORY = 3 };

/* In the place of status 4: there is no such object. */
enum { TAF_FRAME_ABSENT = 2 };

/* The size of what ends where it ends; all bytes of a server without parts. */
#define TAF_FRAME_UNKNOWN UINT64_MAX

struct taf_frame {
	enum taf_frame_kind kind;
	uint32_t id;
	uint64_t offset, size, place;
	uint64_t delay;		/* microseconds from a request to its answer */
	bool ranges;
	bool cached;		/* they were not fetched now */
	unsigned status;	/* 3 or 4, or TAF_FRAME_ABSENT */
	/* bytes of data, or text, which has no NUL at its end; lent */
	const void *data;
	size_t n;
};

/*
 * Write the frame to p, which has room for TAF_FRAME_SHORT bytes; of TAF_FRAME_DATA all
 * but its bytes.  Text is cut where it is too long.  The bytes written.
 */
size_t taf_frame_put(const struct taf_frame *f, unsigned char *p);

/*
 * The kind and the length of what follows, by the TAF_FRAME_HEADER bytes at p; false if
 * no frame begins so.
 */
TAF_MUST bool taf_frame_begin(const unsigned char *p, enum taf_frame_kind *kind,
    size_t *n);

/* The frame of this kind whose n bytes after its header are at p; false if it is none. */
TAF_MUST bool taf_frame_get(struct taf_frame *f, enum taf_frame_kind kind,
    const unsigned char *p, size_t n);

#endif
