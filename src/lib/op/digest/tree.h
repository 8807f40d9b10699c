/* SPDX-License-Identifier: ISC */
/*
 * Digests of all pieces of an array's data, in a file beside it: they tell where the data
 * are damaged.  A line "taf-tree 1 BYTES DIGEST" comes first: how many bytes the data
 * have, and their digest.  Behind it are the nodes of all pieces of 1 MiB, and the digest
 * of all that is before it, 32 bytes each.
 */
#ifndef TAF_OP_DIGEST_TREE_H
#define TAF_OP_DIGEST_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "kernel/digest/blake3.h"

struct taf_tree {
	uint64_t bytes;
	char data[TAF_BLAKE3_TEXT];	/* their digest */
	struct taf_buf nodes;		/* 32 bytes for each piece of the data */
};

void taf_tree_free(struct taf_tree *t);

/* Append the node of the next piece. */
TAF_MUST enum taf_status taf_tree_add(struct taf_tree *t,
    const struct taf_blake3_node *node, struct taf_err *e);

/* Write it as a file, as tafchecksum(1) says. */
TAF_MUST enum taf_status taf_tree_write(const struct taf_tree *t, const char *path,
    struct taf_err *e);

/*
 * Read such a file from memory, or from path.  TAF_EDATA where it is none, or is damaged.
 */
TAF_MUST enum taf_status taf_tree_parse(struct taf_tree *t, const void *p, size_t size,
    struct taf_err *e);
TAF_MUST enum taf_status taf_tree_read(struct taf_tree *t, const char *path,
    struct taf_err *e);

/* Is this the node of piece k? */
bool taf_tree_has(const struct taf_tree *t, uint64_t k,
    const struct taf_blake3_node *node);

/* The first byte of the first piece that differs.  Data are of the same length. */
uint64_t taf_tree_differs(const struct taf_tree *a, const struct taf_tree *b);

#endif
