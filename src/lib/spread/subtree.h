/* SPDX-License-Identifier: ISC */
/* The digest of a result whose pieces are digested where they are made. */
#ifndef TAF_SPREAD_SUBTREE_H
#define TAF_SPREAD_SUBTREE_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "kernel/digest/blake3.h"

/* A part of the data, as a task writes it: pieces of BLAKE3 that lie wholly in it. */
struct taf_subtree {
	struct taf_blake3 nodes;
	size_t skip, have;	/* bytes before the first piece, and of the present one */
	unsigned char *piece;
};

/* The part begins at byte at of the data. */
TAF_MUST enum taf_status taf_subtree_begin(struct taf_subtree *t, uint64_t at,
    struct taf_err *e);

/* The next n bytes; nothing of one that was not begun. */
void taf_subtree_add(struct taf_subtree *t, const unsigned char *p, size_t n);

/* Append its nodes: they say all of its whole pieces, and are few. */
TAF_MUST enum taf_status taf_subtree_put(const struct taf_subtree *t, struct taf_buf *to,
    struct taf_err *e);

void taf_subtree_fini(struct taf_subtree *t);

/* All data, bytes of them from offset at of the file fd, as parts come in order. */
struct taf_subtrees {
	struct taf_blake3 nodes;
	int fd;
	uint64_t at, bytes;
	unsigned char *piece;	/* begins as NULL */
};

/*
 * A part from byte first on, and its nodes.  Pieces that it shares with others are read
 * from the file, and so are all of a part without nodes.
 */
TAF_MUST enum taf_status taf_subtrees_add(struct taf_subtrees *t, uint64_t first,
    uint64_t bytes, const struct taf_buf *nodes, struct taf_err *e);

/* The digest of the data, when all parts have come. */
TAF_MUST enum taf_status taf_subtrees_end(struct taf_subtrees *t,
    struct taf_blake3_node *digest, struct taf_err *e);

void taf_subtrees_fini(struct taf_subtrees *t);

#endif
