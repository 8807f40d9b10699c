/* SPDX-License-Identifier: ISC */
/* Chunks of packed payloads of a FilesDaf store. */
#include "codec/daf/daf_pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/crc.h"
#include "base/endian.h"
#include "base/num.h"
#include "codec/chunk/chunk_index.h"
#include "codec/chunk/unpack.h"

enum {
	BLOCK = 64 * 1024,
	WHOLE = 8 << 20,	/* a chunk that has to be in memory is no longer */
	WINDOW = 23		/* of a frame of zstd, log2 of bytes */
};

enum { PACKINGS = 5 };

static const struct {
	const char *word, *codec;
	enum taf_packing packing;
	const char *blosc;		/* its codec */
} packings[PACKINGS] = {
	[TAF_DAF_PLAIN] = { "", "", TAF_PACKING_LZ4, NULL },
	[TAF_DAF_GZIP] = { "gzip", "gzip", TAF_PACKING_GZIP, NULL },
	[TAF_DAF_ZSTD] = { "zstd", "zstd", TAF_PACKING_ZSTD, NULL },
	[TAF_DAF_BLOSC] = { "blosc", "blosc_zstd_bitshuffle", TAF_PACKING_BLOSC, "zstd" },
	[TAF_DAF_BLOSC_LZ4] = { "", "blosc_lz4_bitshuffle", TAF_PACKING_BLOSC, "lz4" },
};

struct taf_daf_chunks {
	struct taf_in *in;
	enum taf_daf_packing packing;
	uint64_t count;		/* of all chunks */
	uint64_t number;	/* of the open one, from 1 */
	uint64_t size;		/* of the file */
	uint64_t want;		/* bytes of a decoded chunk; 0: any */
	uint64_t at, left;	/* offset, and bytes that are not in the buffer yet */
	bool absent;		/* all zeros */
	bool ended;
	const unsigned char *from;	/* in block, bytes that are not decoded yet */
	size_t have;
	unsigned char *plain;	/* a chunk of blosc, of which left bytes are to be read */
	struct taf_unpack *u;	/* NULL of blosc */
	unsigned char block[BLOCK];
};

enum taf_status
taf_daf_packing_parse(void *to, const char *word, struct taf_err *e)
{
	enum taf_daf_packing *const p = to;
	const char *missing;
	int k;

	for (k = TAF_DAF_GZIP; k <= TAF_DAF_BLOSC; k++)
		if (strcmp(word, packings[k].word) == 0) {
			*p = (enum taf_daf_packing)k;
			missing = taf_packing_missing(packings[k].packing);
			return missing == NULL ? TAF_OK : taf_fail(e, TAF_EDATA,
			    "this program was built without %s", missing);
		}
	return taf_fail(e, TAF_EUSAGE, "\"%s\" is none of blosc, zstd, gzip", word);
}

const char *
taf_daf_packing_name(enum taf_daf_packing p)
{
	return packings[p].codec;
}

/* PACKINGS where it is none of them. */
static unsigned
packing_of(const char *codec)
{
	unsigned k = TAF_DAF_GZIP;

	while (k < PACKINGS && strcmp(codec, packings[k].codec) != 0)
		k++;
	return k;
}

bool
taf_daf_packing_known(const char *codec)
{
	const unsigned k = packing_of(codec);

	/* the library may have been built without one of its own */
	return k < PACKINGS && taf_packing_missing(packings[k].packing) == NULL &&
	    (packings[k].blosc == NULL || taf_blosc_codec(packings[k].blosc) >= 0);
}

enum taf_status
taf_daf_chunk_fail(const struct taf_daf_chunks *c, const char *what, struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA, "%s: chunk %llu of %llu: %s", taf_in_name(c->in),
	    (unsigned long long)c->number, (unsigned long long)c->count, what);
}

uint64_t
taf_daf_chunks_count(const struct taf_daf_chunks *c)
{
	return c->count;
}

/* --- the index: of each chunk offset and size, then the CRC-32C of that --- */

static enum taf_status
check_sum(struct taf_daf_chunks *c, uint64_t bytes, struct taf_err *e)
{
	uint32_t crc = 0;
	unsigned char sum[4];
	uint64_t at;

	for (at = 0; at < bytes; at += BLOCK) {
		size_t n = bytes - at < BLOCK ? (size_t)(bytes - at) : BLOCK;

		if (taf_in_pread(c->in, c->block, n, at, e) != TAF_OK)
			return e->code;
		crc = taf_crc32c(crc, c->block, n);
	}
	if (taf_in_pread(c->in, sum, sizeof sum, bytes, e) != TAF_OK)
		return e->code;
	return taf_get32(sum, false) == crc ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "%s: the checksum of its index is wrong", taf_in_name(c->in));
}

/* Read the place of a chunk. */
static void
place_of(struct taf_daf_chunks *c, const unsigned char entry[TAF_CHUNK_PLACE])
{
	uint64_t place[2];

	c->absent = !taf_chunk_place(entry, false, place);
	c->at = place[0];
	c->left = place[1];
}

/* Chunks lie in the file in their order, behind the index; none shares a byte. */
static enum taf_status
check_places(struct taf_daf_chunks *c, uint64_t bytes, struct taf_err *e)
{
	uint64_t end = bytes + TAF_CHUNK_SUM, at;
	size_t n, k;

	for (at = 0; at < bytes; at += n) {
		n = bytes - at < BLOCK ? (size_t)(bytes - at) : BLOCK;
		if (taf_in_pread(c->in, c->block, n, at, e) != TAF_OK)
			return e->code;
		for (k = 0; k < n; k += TAF_CHUNK_PLACE) {
			c->number++;
			place_of(c, c->block + k);
			if (c->absent)
				continue;
			if (c->at > c->size || c->left > c->size - c->at)
				return taf_daf_chunk_fail(c, "not in the file", e);
			if (c->at < end)
				return taf_daf_chunk_fail(c, c->number == 1 ?
				    "overlaps the index" : "overlaps what is before it",
				    e);
			end = c->at + c->left;
		}
	}
	c->number = 0;
	return TAF_OK;
}

static enum taf_status
check_index(struct taf_daf_chunks *c, uint64_t columns, uint64_t blocks,
    struct taf_err *e)
{
	uint64_t bytes;

	c->size = taf_in_left(c->in);
	if (!taf_mul(blocks, columns, &c->count) ||
	    !taf_mul(c->count, TAF_CHUNK_PLACE, &bytes) || c->size < 4 ||
	    bytes > c->size - 4)
		return taf_fail(e, TAF_EDATA, "%s: %llu bytes, too short for its index",
		    taf_in_name(c->in), (unsigned long long)c->size);
	return check_sum(c, bytes, e) == TAF_OK ? check_places(c, bytes, e) : e->code;
}

enum taf_status
taf_daf_chunks_new(struct taf_daf_chunks **result, struct taf_in *in,
    const struct taf_daf_part *p, uint64_t rows, uint64_t columns, struct taf_err *e)
{
	struct taf_daf_chunks *c;
	enum taf_status st;

	if (!taf_daf_packing_known(p->codec))
		return taf_fail(e, TAF_EDATA,
		    "%s: compressed with %s, which this program does not read",
		    taf_in_name(in), p->codec);
	c = calloc(1, sizeof *c);
	if (c == NULL)
		return taf_fail_mem(e);
	c->in = in;
	c->packing = (enum taf_daf_packing)packing_of(p->codec);
	if (p->type != TAF_DAF_STRING &&
	    !taf_mul(p->chunk, taf_daf_size(p->type), &c->want))
		c->want = UINT64_MAX;
	st = check_index(c, columns, rows / p->chunk + (rows % p->chunk != 0), e);
	if (st == TAF_OK)
		*result = c;
	else
		free(c);
	return st;
}

/* --- decoding --- */

static enum taf_status
blosc_decode(struct taf_daf_chunks *c, const unsigned char *p, size_t n,
    struct taf_err *e)
{
	/* the number that a chunk has for it */
	const int codec = c->packing == TAF_DAF_BLOSC_LZ4 ? 1 : 4;
	size_t plain;
	const char *fault = taf_blosc_fault(p, n, codec, &plain);
	enum taf_unpacked how;

	if (fault == NULL && (c->want != 0 ? plain != c->want : plain > WHOLE))
		fault = "decodes to another size";
	if (fault != NULL)
		return taf_daf_chunk_fail(c, fault, e);
	c->plain = malloc(plain + 1);
	if (c->plain == NULL)
		return taf_fail_mem(e);
	c->from = c->plain;
	c->have = plain;
	how = taf_blosc_unpack(p, n, c->plain, plain);
	return how == TAF_ENDED ? TAF_OK : how == TAF_NO_MEMORY ? taf_fail_mem(e) :
	    taf_daf_chunk_fail(c, "broken", e);
}

/* blosc has its chunk as a whole. */
static enum taf_status
blosc_open(struct taf_daf_chunks *c, struct taf_err *e)
{
	size_t n = (size_t)c->left;
	enum taf_status st;
	unsigned char *p;

	if (c->left > WHOLE + TAF_BLOSC_HEAD || (c->want > WHOLE && c->want != 0))
		return taf_daf_chunk_fail(c, "longer than 8 MiB", e);
	if (c->left < TAF_BLOSC_HEAD)
		return taf_daf_chunk_fail(c, "ends early", e);
	p = malloc(n);
	if (p == NULL)
		return taf_fail_mem(e);
	st = taf_in_pread(c->in, p, n, c->at, e);
	if (st == TAF_OK)
		st = blosc_decode(c, p, n, e);
	free(p);
	c->left = 0;
	return st;
}

/* Bytes that are decoded already. */
static enum taf_unpacked
copy_some(struct taf_daf_chunks *c, unsigned char *to, size_t *n)
{
	if (*n > c->have)
		*n = c->have;
	if (*n > 0)
		memcpy(to, c->from, *n);
	c->from += *n;
	c->have -= *n;
	return c->have == 0 ? TAF_ENDED : TAF_GOING;
}

/* Decode up to *n bytes of what is in the buffer; *n is then how many they were. */
static enum taf_unpacked
decode(struct taf_daf_chunks *c, unsigned char *to, size_t *n)
{
	return c->u != NULL ? taf_unpack_some(c->u, &c->from, &c->have, to, n) :
	    copy_some(c, to, n);
}

static void
chunk_end(struct taf_daf_chunks *c)
{
	free(c->plain);
	c->plain = NULL;
}

void
taf_daf_chunks_free(struct taf_daf_chunks *c)
{
	if (c == NULL)
		return;
	chunk_end(c);
	taf_unpack_free(c->u);
	free(c);
}

/* Begin to decode. */
static enum taf_status
decoder_open(struct taf_daf_chunks *c, struct taf_err *e)
{
	if (packings[c->packing].blosc != NULL)
		return blosc_open(c, e);
	if (c->u == NULL)
		c->u = taf_unpack_new(packings[c->packing].packing);
	return c->u != NULL ? taf_unpack_begin(c->u, WINDOW, e) : taf_fail_mem(e);
}

enum taf_status
taf_daf_chunk_open(struct taf_daf_chunks *c, bool *absent, struct taf_err *e)
{
	unsigned char entry[TAF_CHUNK_PLACE];
	enum taf_status st = taf_in_pread(c->in, entry, sizeof entry,
	    c->number * TAF_CHUNK_PLACE, e);

	if (st != TAF_OK)
		return st;
	c->number++;
	place_of(c, entry);
	*absent = c->absent;
	c->have = 0;
	c->from = c->block;
	c->ended = false;
	return c->absent ? TAF_OK : decoder_open(c, e);
}

static enum taf_status
refill(struct taf_daf_chunks *c, struct taf_err *e)
{
	size_t n = c->left < BLOCK ? (size_t)c->left : BLOCK;
	enum taf_status st;

	if (n == 0)
		return taf_daf_chunk_fail(c, "ends early", e);
	st = taf_in_pread(c->in, c->block, n, c->at, e);
	c->at += n;
	c->left -= n;
	c->from = c->block;
	c->have = n;
	return st;
}

/* Decode some of it, and read on where nothing else is left to do; 0 bytes at the end. */
static enum taf_status
read_some(struct taf_daf_chunks *c, unsigned char *to, size_t room, size_t *n,
    struct taf_err *e)
{
	enum taf_unpacked how;

	for (*n = 0; *n == 0 && !c->ended;) {
		*n = room;
		how = decode(c, to, n);
		if (how == TAF_NO_MEMORY)
			return taf_fail_mem(e);
		if (how == TAF_BROKEN)
			return taf_daf_chunk_fail(c, "broken", e);
		c->ended = how == TAF_ENDED;
		if (*n == 0 && !c->ended && c->have == 0 && refill(c, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

enum taf_status
taf_daf_chunk_read(struct taf_daf_chunks *c, void *to, size_t n, struct taf_err *e)
{
	unsigned char *p = to;
	size_t got;

	if (c->absent) {
		memset(to, 0, n);
		return TAF_OK;
	}
	for (; n > 0; n -= got, p += got) {
		if (read_some(c, p, n, &got, e) != TAF_OK)
			return e->code;
		if (got == 0)
			return taf_daf_chunk_fail(c, "decodes to too few bytes", e);
	}
	return TAF_OK;
}

static enum taf_status
finish(struct taf_daf_chunks *c, uint64_t skip, struct taf_err *e)
{
	unsigned char room[4096];
	size_t n;

	for (; skip > 0; skip -= n) {
		n = skip < sizeof room ? (size_t)skip : sizeof room;
		if (taf_daf_chunk_read(c, room, n, e) != TAF_OK)
			return e->code;
	}
	/* the checksum at its end is read with no byte to come */
	if (read_some(c, room, 1, &n, e) != TAF_OK)
		return e->code;
	if (n > 0)
		return taf_daf_chunk_fail(c, "decodes to too many bytes", e);
	return c->have == 0 && c->left == 0 ? TAF_OK :
	    taf_daf_chunk_fail(c, "has bytes behind its end", e);
}

enum taf_status
taf_daf_chunk_close(struct taf_daf_chunks *c, uint64_t skip, struct taf_err *e)
{
	enum taf_status st = c->absent ? TAF_OK : finish(c, skip, e);

	chunk_end(c);
	return st;
}
