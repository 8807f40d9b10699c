/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/digest/blake3.h"

#include <string.h>

#include "base/attr.h"
#include "base/endian.h"
#include "kernel/number/fast.h"

enum {
	WORDS = TAF_BLAKE3_WORDS,
	CHUNK = 1024,
	BLOCK = 64,
	ROWS = BLOCK / 4,	/* words of a block */
	LANES = 16,		/* chunks side by side */
	CHUNKS = TAF_BLAKE3_PIECE / CHUNK
};

/* Flags: section 2.1. */
enum { CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8 };

/* Table 1: those of SHA-256. */
#define IV0 0x6a09e667U
#define IV1 0xbb67ae85U
#define IV2 0x3c6ef372U
#define IV3 0xa54ff53aU

static const uint32_t iv[WORDS] = { IV0, IV1, IV2, IV3, 0x510e527fU, 0x9b05688cU,
	0x1f83d9abU, 0x5be0cd19U };

#define ROTATE(x, n) ((x) >> (n) | (x) << (32 - (n)))

/* The quarter round of section 2.2. */
#define G(a, b, c, d, x, y) \
	a += b + (x); d ^= a; d = ROTATE(d, 16); c += d; b ^= c; b = ROTATE(b, 12); \
	a += b + (y); d ^= a; d = ROTATE(d, 8); c += d; b ^= c; b = ROTATE(b, 7);

/* A round: columns, then diagonals.  The words of the message come in this order. */
#define ROUND(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15) \
	G(v0, v4, v8, v12, M(m0), M(m1)) G(v1, v5, v9, v13, M(m2), M(m3)) \
	G(v2, v6, v10, v14, M(m4), M(m5)) G(v3, v7, v11, v15, M(m6), M(m7)) \
	G(v0, v5, v10, v15, M(m8), M(m9)) G(v1, v6, v11, v12, M(m10), M(m11)) \
	G(v2, v7, v8, v13, M(m12), M(m13)) G(v3, v4, v9, v14, M(m14), M(m15))

/* All seven, with the words permuted as table 2 says. */
#define ROUNDS \
	ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) \
	ROUND(2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8) \
	ROUND(3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1) \
	ROUND(10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6) \
	ROUND(12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4) \
	ROUND(9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7) \
	ROUND(11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13)

/* Blocks side by side: row w of m and cv is word w of all lanes. */
struct blocks {
	uint32_t *cv;		/* WORDS rows, which the result takes the place of */
	const uint32_t *m;	/* ROWS rows */
	const uint32_t *low, *high;	/* counters */
	uint32_t bytes, flags;
};

static TAF_INLINE void
compress(const struct blocks *b, size_t lanes)
{
	uint32_t *const restrict cv = b->cv;
	const uint32_t *const restrict m = b->m;
	const uint32_t *const restrict low = b->low;
	const uint32_t *const restrict high = b->high;
	const uint32_t bytes = b->bytes, flags = b->flags;

	TAF_APART
	for (size_t l = 0; l < lanes; l++) {
		uint32_t v0 = cv[l], v1 = cv[lanes + l], v2 = cv[2 * lanes + l];
		uint32_t v3 = cv[3 * lanes + l], v4 = cv[4 * lanes + l];
		uint32_t v5 = cv[5 * lanes + l], v6 = cv[6 * lanes + l];
		uint32_t v7 = cv[7 * lanes + l], v8 = IV0, v9 = IV1, v10 = IV2, v11 = IV3;
		uint32_t v12 = low[l], v13 = high[l], v14 = bytes, v15 = flags;

#define M(i) m[(i) * lanes + l]
		ROUNDS
#undef M
		cv[l] = v0 ^ v8;
		cv[lanes + l] = v1 ^ v9;
		cv[2 * lanes + l] = v2 ^ v10;
		cv[3 * lanes + l] = v3 ^ v11;
		cv[4 * lanes + l] = v4 ^ v12;
		cv[5 * lanes + l] = v5 ^ v13;
		cv[6 * lanes + l] = v6 ^ v14;
		cv[7 * lanes + l] = v7 ^ v15;
	}
}

TAF_WIDE_VOID(compress_lanes, (const struct blocks *b), (b))
{
	compress(b, LANES);
}

/* Words of each lane into rows: bytes at p are those of a lane, apart from the next. */
static void
load(uint32_t *m, const unsigned char *p, size_t apart, size_t lanes)
{
	size_t l, w;

	for (l = 0; l < lanes; l++)
		for (w = 0; w < ROWS; w++)
			m[w * lanes + l] = taf_get32(p + l * apart + 4 * w, false);
}

static void
rows_to_nodes(struct taf_blake3_node *to, const uint32_t *cv)
{
	size_t l, w;

	for (l = 0; l < LANES; l++)
		for (w = 0; w < WORDS; w++)
			to[l].word[w] = cv[w * LANES + l];
}

/* LANES whole chunks, none of which is the root. */
static void
chunks(struct taf_blake3_node *to, const unsigned char *p, uint64_t first)
{
	uint32_t cv[WORDS * LANES], m[ROWS * LANES], low[LANES], high[LANES];
	struct blocks b = { cv, m, low, high, BLOCK, 0 };
	size_t at, l, w;

	for (l = 0; l < LANES; l++) {
		low[l] = (uint32_t)(first + l);
		high[l] = (uint32_t)((first + l) >> 32);
		for (w = 0; w < WORDS; w++)
			cv[w * LANES + l] = iv[w];
	}
	for (at = 0; at < CHUNK; at += BLOCK) {
		load(m, p + at, CHUNK, LANES);
		b.flags = at == 0 ? CHUNK_START : at == CHUNK - BLOCK ? CHUNK_END : 0;
		compress_lanes(&b);
	}
	rows_to_nodes(to, cv);
}

/* One block. */
static void
compress_one(struct taf_blake3_node *cv, const unsigned char *p, size_t n,
    uint64_t counter, uint32_t flags)
{
	unsigned char block[BLOCK] = { 0 };
	const uint32_t low = (uint32_t)counter, high = (uint32_t)(counter >> 32);
	uint32_t m[ROWS];

	if (n > 0)
		memcpy(block, p, n);
	load(m, block, 0, 1);
	compress(&(struct blocks){ cv->word, m, &low, &high, (uint32_t)n, flags }, 1);
}

/* A chunk, which may be short. */
static struct taf_blake3_node
chunk(const unsigned char *p, size_t n, uint64_t counter, uint32_t root)
{
	struct taf_blake3_node cv;
	size_t at = 0, some;

	memcpy(cv.word, iv, sizeof cv.word);
	do {
		some = n - at < BLOCK ? n - at : BLOCK;
		compress_one(&cv, p + at, some, counter, (at == 0 ? CHUNK_START : 0) |
		    (at + some == n ? CHUNK_END | root : 0));
		at += some;
	} while (at < n);
	return cv;
}

static struct taf_blake3_node
parent(const struct taf_blake3_node *left, const struct taf_blake3_node *right,
    uint32_t root)
{
	struct taf_blake3_node cv;
	unsigned char block[BLOCK];

	taf_blake3_put(block, left);
	taf_blake3_put(block + TAF_BLAKE3_BYTES, right);
	memcpy(cv.word, iv, sizeof cv.word);
	compress_one(&cv, block, BLOCK, 0, PARENT | root);
	return cv;
}

/* Of LANES pairs, none of which makes the root; to may be the first of the nodes. */
static void
parents(struct taf_blake3_node *to, const struct taf_blake3_node *node)
{
	static const uint32_t none[LANES] = { 0 };
	uint32_t cv[WORDS * LANES], m[ROWS * LANES];
	size_t l, w;

	for (l = 0; l < LANES; l++)
		for (w = 0; w < WORDS; w++) {
			cv[w * LANES + l] = iv[w];
			m[w * LANES + l] = node[2 * l].word[w];
			m[(WORDS + w) * LANES + l] = node[2 * l + 1].word[w];
		}
	compress_lanes(&(struct blocks){ cv, m, none, none, BLOCK, PARENT });
	rows_to_nodes(to, cv);
}

struct taf_blake3_node
taf_blake3_piece(const void *p, size_t n, uint64_t k, bool whole)
{
	const unsigned char *const from = p;
	const uint32_t root = whole ? ROOT : 0;
	struct taf_blake3_node node[CHUNKS];
	size_t count = 0, at = 0, some, i;

	for (; n - at >= CHUNK * LANES; at += CHUNK * LANES, count += LANES)
		chunks(node + count, from + at, k * CHUNKS + count);
	for (; at < n || count == 0; at += some, count++) {
		some = n - at < CHUNK ? n - at : CHUNK;
		node[count] = chunk(from + at, some, k * CHUNKS + count,
		    n <= CHUNK ? root : 0);
	}
	/* one without a neighbour goes up as it is */
	for (; count > 1; count = (count + 1) / 2) {
		for (i = 0; count - 2 * i >= 2 * LANES; i += LANES)
			parents(node + i, node + 2 * i);
		for (; 2 * i < count; i++)
			node[i] = 2 * i + 1 < count ? parent(&node[2 * i],
			    &node[2 * i + 1], count == 2 ? root : 0) : node[2 * i];
	}
	return node[0];
}

/* Add the node of the next so many pieces. */
static void
join(struct taf_blake3 *b, const struct taf_blake3_node *node, uint64_t pieces)
{
	uint64_t both = 2 * b->last;

	/* halves that are whole join; the last of all waits, since one may be the root */
	for (; b->n > 1 && b->pieces % both == 0 && b->pieces - b->first >= both;
	    both *= 2) {
		b->wait[b->n - 2] = parent(&b->wait[b->n - 2], &b->wait[b->n - 1], 0);
		b->n--;
	}
	b->wait[b->n++] = *node;
	b->pieces += pieces;
	b->last = pieces;
}

void
taf_blake3_join(struct taf_blake3 *b, const struct taf_blake3_node *node)
{
	join(b, node, 1);
}

uint64_t
taf_blake3_ahead(uint64_t first, uint64_t end)
{
	uint64_t n = 1;

	/* the last piece has not joined the others */
	while (first % (2 * n) == 0 && 2 * n < end - first)
		n *= 2;
	return n;
}

void
taf_blake3_join_ahead(struct taf_blake3 *b, const struct taf_blake3_node *node,
    uint64_t end)
{
	join(b, node, taf_blake3_ahead(b->pieces, end));
}

struct taf_blake3_node
taf_blake3_end(struct taf_blake3 *b)
{
	struct taf_blake3_node node = b->wait[--b->n];

	while (b->n > 0) {
		b->n--;
		node = parent(&b->wait[b->n], &node, b->n == 0 ? ROOT : 0);
	}
	return node;
}

struct taf_blake3_node
taf_blake3(const void *p, size_t n)
{
	struct taf_blake3 b = { .n = 0 };
	/* where there is nothing, p may be NULL, from which nobody counts */
	const unsigned char *const from = n > 0 ? p : (const void *)"";
	struct taf_blake3_node node;
	size_t at = 0, some;

	do {
		some = n - at < TAF_BLAKE3_PIECE ? n - at : TAF_BLAKE3_PIECE;
		node = taf_blake3_piece(from + at, some, b.pieces, some == n);
		taf_blake3_join(&b, &node);
		at += some;
	} while (at < n);
	return taf_blake3_end(&b);
}

void
taf_blake3_put(unsigned char *bytes, const struct taf_blake3_node *node)
{
	size_t w;

	for (w = 0; w < WORDS; w++)
		taf_put32(bytes + 4 * w, node->word[w], false);
}

struct taf_blake3_node
taf_blake3_get(const unsigned char *bytes)
{
	struct taf_blake3_node node;
	size_t w;

	for (w = 0; w < WORDS; w++)
		node.word[w] = taf_get32(bytes + 4 * w, false);
	return node;
}

static const char digits[] = "0123456789abcdef";

bool
taf_blake3_is_text(const char *text)
{
	return strlen(text) == TAF_BLAKE3_TEXT - 1 &&
	    strspn(text, digits) == TAF_BLAKE3_TEXT - 1;
}

void
taf_blake3_text(const struct taf_blake3_node *digest, char text[TAF_BLAKE3_TEXT])
{
	unsigned char byte[TAF_BLAKE3_BYTES];
	size_t i;

	taf_blake3_put(byte, digest);
	for (i = 0; i < sizeof byte; i++) {
		*text++ = digits[byte[i] >> 4];
		*text++ = digits[byte[i] & 15];
	}
	*text = '\0';
}
