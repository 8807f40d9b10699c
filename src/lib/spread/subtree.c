/* SPDX-License-Identifier: ISC */
#include "spread/subtree.h"

#include <stdlib.h>
#include <string.h>

#include "io/at.h"

enum { PIECE = TAF_BLAKE3_PIECE, NODE = TAF_BLAKE3_BYTES };

/* --- of a task --- */

enum taf_status
taf_subtree_begin(struct taf_subtree *t, uint64_t at, struct taf_err *e)
{
	const uint64_t first = at / PIECE + (at % PIECE > 0);

	*t = (struct taf_subtree){ .nodes.first = first, .nodes.pieces = first,
		.skip = (size_t)(first * PIECE - at), .piece = malloc(PIECE) };
	return t->piece != NULL ? TAF_OK : taf_fail_mem(e);
}

void
taf_subtree_add(struct taf_subtree *t, const unsigned char *p, size_t n)
{
	struct taf_blake3_node node;
	size_t some;

	if (t->piece == NULL)
		return;
	some = n < t->skip ? n : t->skip;
	t->skip -= some;
	for (p += some, n -= some; n > 0; p += some, n -= some) {
		some = n < PIECE - t->have ? n : PIECE - t->have;
		memcpy(t->piece + t->have, p, some);
		t->have += some;
		if (t->have < PIECE)
			continue;
		/* one that is all of the data is not asked for */
		node = taf_blake3_piece(t->piece, PIECE, t->nodes.pieces, false);
		taf_blake3_join(&t->nodes, &node);
		t->have = 0;
	}
}

enum taf_status
taf_subtree_put(const struct taf_subtree *t, struct taf_buf *to, struct taf_err *e)
{
	unsigned char bytes[NODE];
	enum taf_status st = TAF_OK;
	unsigned i;

	for (i = 0; st == TAF_OK && i < t->nodes.n; i++) {
		taf_blake3_put(bytes, &t->nodes.wait[i]);
		st = taf_buf_put(to, bytes, NODE, e);
	}
	return st;
}

void
taf_subtree_fini(struct taf_subtree *t)
{
	free(t->piece);
	t->piece = NULL;
}

/* --- of who joins them --- */

/* The pieces before number end that nobody has digested. */
static enum taf_status
read_pieces(struct taf_subtrees *t, uint64_t end, struct taf_err *e)
{
	struct taf_blake3_node node;
	enum taf_status st = TAF_OK;
	uint64_t first;
	size_t n;

	if (t->piece == NULL && (t->piece = malloc(PIECE)) == NULL)
		return taf_fail_mem(e);
	while (st == TAF_OK && t->nodes.pieces < end) {
		first = t->nodes.pieces * PIECE;
		n = t->bytes - first < PIECE ? (size_t)(t->bytes - first) : PIECE;
		st = taf_read_at(t->fd, t->piece, n, t->at + first, e);
		if (st != TAF_OK)
			break;
		node = taf_blake3_piece(t->piece, n, t->nodes.pieces, n == t->bytes);
		taf_blake3_join(&t->nodes, &node);
	}
	return st;
}

/* Nodes of pieces from first to end. */
static size_t
count(uint64_t first, uint64_t end)
{
	size_t n = 0;

	for (; first < end; first += taf_blake3_ahead(first, end))
		n++;
	return n;
}

enum taf_status
taf_subtrees_add(struct taf_subtrees *t, uint64_t first, uint64_t bytes,
    const struct taf_buf *nodes, struct taf_err *e)
{
	const uint64_t from = first / PIECE + (first % PIECE > 0);
	const uint64_t end = (first + bytes) / PIECE;
	struct taf_blake3_node node;
	enum taf_status st;
	size_t at;

	/* an only piece is the root, which no task knows */
	if (nodes->len == 0 || t->bytes <= PIECE || nodes->len != count(from, end) * NODE)
		return TAF_OK;
	st = read_pieces(t, from, e);
	for (at = 0; st == TAF_OK && at < nodes->len; at += NODE) {
		node = taf_blake3_get((const unsigned char *)nodes->data + at);
		taf_blake3_join_ahead(&t->nodes, &node, end);
	}
	return st;
}

enum taf_status
taf_subtrees_end(struct taf_subtrees *t, struct taf_blake3_node *digest,
    struct taf_err *e)
{
	const uint64_t end = t->bytes / PIECE + (t->bytes % PIECE > 0);
	/* of no data there is a piece, too */
	const enum taf_status st = read_pieces(t, end > 0 ? end : 1, e);

	if (st == TAF_OK)
		*digest = taf_blake3_end(&t->nodes);
	return st;
}

void
taf_subtrees_fini(struct taf_subtrees *t)
{
	free(t->piece);
	t->piece = NULL;
}
