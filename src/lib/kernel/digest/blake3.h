/* SPDX-License-Identifier: ISC */
/*
 * BLAKE3, as its specification of 2020 has it (J. O'Connor, J.-P. Aumasson, S. Neves,
 * Z. Wilcox-O'Hearn: "BLAKE3, one function, fast everywhere"): a tree of chunks.
 */
#ifndef TAF_KERNEL_DIGEST_BLAKE3_H
#define TAF_KERNEL_DIGEST_BLAKE3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TAF_BLAKE3_WORDS = 8,		/* of a chaining value, and of a digest */
	/* bytes of a piece of the input; the last one may be shorter */
	TAF_BLAKE3_PIECE = 1 << 20,
	TAF_BLAKE3_LEVELS = 96,		/* in the midst twice those of a tree */
	TAF_BLAKE3_BYTES = 4 * TAF_BLAKE3_WORDS,
	TAF_BLAKE3_TEXT = 65		/* a digest as hexadecimal digits, with its end */
};

/* The words of a node of the tree; the bytes of a digest are these, little-endian. */
struct taf_blake3_node {
	uint32_t word[TAF_BLAKE3_WORDS];
};

/*
 * The node of the n bytes of piece number k, from 0.  With whole there is no other piece,
 * and the node is the root, which is the digest.
 */
struct taf_blake3_node taf_blake3_piece(const void *p, size_t n, uint64_t k, bool whole);

/*
 * Nodes that wait for their other half; begins zeroed.  In the midst of the input first
 * and pieces begin as the number of the first piece.
 */
struct taf_blake3 {
	struct taf_blake3_node wait[TAF_BLAKE3_LEVELS];
	unsigned n;
	uint64_t first, pieces;	/* what they are of, the latter not included */
	uint64_t last;		/* pieces of the last one */
};

/* Add the next piece, in order.  An only one was made with whole. */
void taf_blake3_join(struct taf_blake3 *b, const struct taf_blake3_node *node);

/*
 * The same of the next node that waits in another one, of pieces to end, end not
 * included: taf_blake3_ahead says of how many pieces it is.
 */
void taf_blake3_join_ahead(struct taf_blake3 *b, const struct taf_blake3_node *node,
    uint64_t end);
uint64_t taf_blake3_ahead(uint64_t first, uint64_t end);

/* The digest of all pieces, one at least, from the first one on. */
struct taf_blake3_node taf_blake3_end(struct taf_blake3 *b);

/* The digest of n bytes in memory. */
struct taf_blake3_node taf_blake3(const void *p, size_t n);

/* A node as bytes, and back. */
void taf_blake3_put(unsigned char *bytes, const struct taf_blake3_node *node);
struct taf_blake3_node taf_blake3_get(const unsigned char *bytes);

/* Is it the text of a digest, and nothing else? */
bool taf_blake3_is_text(const char *text);

/* As 64 hexadecimal digits. */
void taf_blake3_text(const struct taf_blake3_node *digest, char text[TAF_BLAKE3_TEXT]);

#endif
