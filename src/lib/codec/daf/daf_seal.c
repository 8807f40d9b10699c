/* SPDX-License-Identifier: ISC */
/* Writing packed payloads of a FilesDaf store. */
/* link: zlib zstd blosc */
#include "codec/daf/daf_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/crc.h"
#include "base/endian.h"
#include "base/num.h"
#include "codec/chunk/chunk_index.h"
#include "codec/chunk/pack.h"

enum {
	CHUNK = 8192,		/* bytes, as both other writers have them */
	MOST = 8 << 20,		/* bytes of a chunk: readers take no longer one */
	LOCAL = 30, CENTRAL = 46,	/* bytes of ZIP headers without name and fields */
	LOCAL_SIZES = 20, CENTRAL_SIZES = 28,	/* of the fields with long sizes */
	END = 56, LOCATOR = 20, LAST = 22,
	NAME = 48,
	GZIP_HEAD = 10, GZIP_TAIL = 8,
	STORED = 0, DEFLATED = 8, ZSTANDARD = 93
};

/* A chunk, or the file behind them that says how they are packed. */
struct entry {
	uint32_t crc;		/* of what method gives */
	uint32_t packed;	/* bytes, as ZIP counts them */
	uint32_t plain;		/* bytes */
};

struct taf_daf_seal {
	struct taf_out *out;
	enum taf_daf_packing packing;
	struct taf_daf_payload payload;
	uint64_t chunk;		/* elements */
	uint64_t blocks;	/* chunks of a column */
	uint64_t count, done;	/* of all chunks */
	uint64_t row;		/* bytes, or strings, of the present column that came */
	uint64_t strings;	/* of the present chunk */
	struct entry *entry;
	struct taf_buf plain;	/* the present chunk */
	unsigned char *packed;
	size_t room;
};

bool
taf_daf_packs(enum taf_daf_packing packing, const struct taf_daf_payload *payload,
    struct taf_daf_part *part)
{
	uint64_t bytes;

	part->packed = packing != TAF_DAF_PLAIN &&
	    (!taf_mul(payload->rows, payload->size, &bytes) || bytes >= CHUNK);
	if (!part->packed)
		return false;
	part->chunk = CHUNK / payload->size;
	(void)snprintf(part->codec, sizeof part->codec, "%s",
	    taf_daf_packing_name(packing));
	return true;
}

static int
digits(uint64_t most)
{
	int n = 1;

	for (; most > 9; most /= 10)
		n++;
	return n;
}

/* What blosc shuffles. */
static size_t
cell_size(const struct taf_daf_seal *s)
{
	return s->payload.strings ? 1 : s->payload.size;
}

static uint16_t
method(const struct taf_daf_seal *s)
{
	return s->packing == TAF_DAF_GZIP ? DEFLATED : s->packing == TAF_DAF_ZSTD ?
	    ZSTANDARD : STORED;
}

/*
 * The name of chunk k, or behind the last one of the file about them.  All chunks have
 * names of one length.  That of a chunk of gzip is the head of its stream, where the time
 * is its number in base64.
 */
static size_t
name(const struct taf_daf_seal *s, uint64_t k, unsigned char to[NAME])
{
	static const char sixty_four[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	int n;

	if (k == s->count)
		n = snprintf((char *)to, NAME, "codec.json");
	else if (s->packing == TAF_DAF_GZIP) {
		memcpy(to, "\037\213\010\001AAAA\002\377", GZIP_HEAD);
		for (n = 0; n < 4; n++)
			to[4 + n] = (unsigned char)sixty_four[k >> (18 - 6 * n) & 63];
		n = GZIP_HEAD;
	} else if (s->payload.matrix)
		n = snprintf((char *)to, NAME, "c/%0*llu/%0*llu",
		    digits(s->payload.columns - 1), (unsigned long long)(k / s->blocks),
		    digits(s->blocks - 1), (unsigned long long)(k % s->blocks));
	else
		n = snprintf((char *)to, NAME, "c/%0*llu", digits(s->blocks - 1),
		    (unsigned long long)k);
	return (size_t)n;
}

enum taf_status
taf_daf_seal_new(struct taf_daf_seal **result, struct taf_out *out,
    enum taf_daf_packing packing, const struct taf_daf_payload *payload,
    struct taf_err *e)
{
	struct taf_daf_part part = { 0 };
	enum taf_status st = TAF_OK;
	struct taf_daf_seal *s;
	uint64_t bytes;

	if (!taf_daf_packs(packing, payload, &part))
		return taf_fail(e, TAF_EMISUSE, "columns too short to be packed");
	s = calloc(1, sizeof *s);
	if (s == NULL)
		return taf_fail_mem(e);
	s->out = out;
	s->packing = packing;
	s->payload = *payload;
	s->chunk = part.chunk;
	s->blocks = (payload->rows - 1) / part.chunk + 1;
	if (!taf_mul(s->blocks, payload->columns, &s->count) ||
	    !taf_mul(s->count + 1, TAF_CHUNK_PLACE, &bytes) || s->count >= SIZE_MAX / 64)
		st = taf_fail_mem(e);
	if (st == TAF_OK) {
		s->entry = taf_alloc((size_t)s->count + 1, sizeof *s->entry);
		st = s->entry == NULL ? taf_fail_mem(e) :
		    taf_out_zero(out, s->count * TAF_CHUNK_PLACE + 4, e);
	}
	if (st == TAF_OK)
		*result = s;
	else
		taf_daf_seal_free(s);
	return st;
}

void
taf_daf_seal_free(struct taf_daf_seal *s)
{
	if (s == NULL)
		return;
	free(s->entry);
	taf_buf_free(&s->plain);
	free(s->packed);
	free(s);
}

/* Fields of so many bytes each, as digits say; returned is where the next one goes. */
static unsigned char *
put_fields(unsigned char *p, const char *sizes, const uint64_t *v)
{
	uint64_t left;
	int n;

	for (; *sizes != '\0'; sizes++, v++)
		for (n = *sizes - '0', left = *v; n > 0; n--, left >>= 8)
			*p++ = (unsigned char)left;
	return p;
}

/* The head of an entry in front of it, with a date of 1980. */
static enum taf_status
put_local(struct taf_daf_seal *s, uint64_t k, uint16_t how, uint64_t plain,
    struct taf_err *e)
{
	const struct entry *entry = &s->entry[k];
	const bool gzip = how == DEFLATED;
	unsigned char head[LOCAL + NAME + LOCAL_SIZES], *p = head;
	const size_t n = name(s, k, head + LOCAL);

	p = put_fields(p, "42222244422", (const uint64_t[]){ 0x04034b50, gzip ? 20 : 45,
	    0x0800, how, 0, 0x0021, entry->crc, gzip ? entry->packed : UINT32_MAX,
	    gzip ? plain : UINT32_MAX, n, gzip ? 0 : LOCAL_SIZES }) + n;
	if (!gzip)
		p = put_fields(p, "2288", (const uint64_t[]){ 1, LOCAL_SIZES - 4, plain,
		    entry->packed });
	return taf_out_write(s->out, head, (size_t)(p - head), e);
}

/* s->plain into s->packed; 0 where there is no memory for that. */
static size_t
pack(struct taf_daf_seal *s)
{
	const bool gzip = s->packing == TAF_DAF_GZIP;
	const struct taf_pack how = { .packing = gzip ? TAF_PACKING_GZIP :
	    s->packing == TAF_DAF_ZSTD ? TAF_PACKING_ZSTD : TAF_PACKING_BLOSC,
	    .level = gzip ? -1 : TAF_DAF_LEVEL, .bare = true, .codec = "zstd",
	    .size = cell_size(s) };

	return taf_pack(&how, s->plain.data, s->plain.len, s->packed);
}

static enum taf_status
make_room(struct taf_daf_seal *s, struct taf_err *e)
{
	const size_t n = taf_pack_room(s->plain.len);

	if (n <= s->room)
		return TAF_OK;
	free(s->packed);
	s->room = 0;
	s->packed = malloc(n);
	if (s->packed == NULL)
		return taf_fail_mem(e);
	s->room = n;
	return TAF_OK;
}

/* fill zeros at the end of the present chunk: whole elements, or empty strings */
static enum taf_status
fill_up(struct taf_daf_seal *s, uint64_t fill, struct taf_err *e)
{
	if (taf_buf_reserve(&s->plain, (size_t)fill, e) != TAF_OK)
		return e->code;
	memset(s->plain.data + s->plain.len, 0, (size_t)fill);
	s->plain.len += (size_t)fill;
	return TAF_OK;
}

/* The present chunk, which is full. */
static enum taf_status
put_chunk(struct taf_daf_seal *s, struct taf_err *e)
{
	const size_t n = s->plain.len;
	struct entry *entry = &s->entry[s->done];
	unsigned char tail[GZIP_TAIL];
	size_t packed;

	if (make_room(s, e) != TAF_OK)
		return e->code;
	packed = pack(s);
	if (packed == 0)
		return taf_fail_mem(e);
	entry->plain = (uint32_t)n;
	entry->packed = (uint32_t)packed;
	entry->crc = s->packing == TAF_DAF_BLOSC ? taf_crc32(0, s->packed, packed) :
	    taf_crc32(0, s->plain.data, n);
	if (put_local(s, s->done, method(s), s->packing == TAF_DAF_BLOSC ? packed : n,
	    e) != TAF_OK || taf_out_write(s->out, s->packed, packed, e) != TAF_OK)
		return e->code;
	s->plain.len = 0;
	s->done++;
	if (s->packing != TAF_DAF_GZIP)
		return TAF_OK;
	taf_put32(tail, entry->crc, false);
	taf_put32(tail + 4, (uint32_t)n, false);
	return taf_out_write(s->out, tail, sizeof tail, e);
}

enum taf_status
taf_daf_seal_write(struct taf_daf_seal *s, const void *p, size_t n, struct taf_err *e)
{
	const unsigned char *from = p;
	const size_t whole = (size_t)s->chunk * s->payload.size;
	const uint64_t column = s->payload.rows * s->payload.size;

	while (n > 0) {
		const uint64_t left = column - s->row;
		size_t part = whole - s->plain.len < n ? whole - s->plain.len : n;

		if (s->done == s->count)
			return taf_fail(e, TAF_EMISUSE, "more elements than were said");
		part = left < part ? (size_t)left : part;
		if (taf_buf_put(&s->plain, from, part, e) != TAF_OK)
			return e->code;
		s->row += part;
		from += part;
		n -= part;
		if ((s->plain.len == whole || s->row == column) &&
		    (fill_up(s, whole - s->plain.len, e) != TAF_OK ||
		    put_chunk(s, e) != TAF_OK))
			return e->code;
		if (s->row == column)
			s->row = 0;
	}
	return TAF_OK;
}

static enum taf_status
put_number(struct taf_daf_seal *s, size_t v, struct taf_err *e)
{
	unsigned char four[4];

	taf_put32(four, (uint32_t)v, false);
	return taf_buf_put(&s->plain, four, sizeof four, e);
}

enum taf_status
taf_daf_seal_string(struct taf_daf_seal *s, const char *p, size_t n, struct taf_err *e)
{
	/* what the rest of the chunk takes at least: a count, and a length for each */
	const uint64_t least = 4 * (s->chunk - s->strings) + (s->strings == 0 ? 4 : 0);

	if (s->done == s->count)
		return taf_fail(e, TAF_EMISUSE, "more strings than were said");
	if (n > MOST || s->plain.len + least + n > MOST)
		return taf_fail(e, TAF_EDATA,
		    "%llu strings of more than 8 MiB together cannot be packed",
		    (unsigned long long)s->chunk);
	/* the count in front says the filling, too */
	if ((s->strings == 0 && put_number(s, (size_t)s->chunk, e) != TAF_OK) ||
	    put_number(s, n, e) != TAF_OK || taf_buf_put(&s->plain, p, n, e) != TAF_OK)
		return e->code;
	s->strings++;
	s->row++;
	if (s->strings < s->chunk && s->row < s->payload.rows)
		return TAF_OK;
	if (fill_up(s, 4 * (s->chunk - s->strings), e) != TAF_OK)
		return e->code;
	s->strings = 0;
	if (s->row == s->payload.rows)
		s->row = 0;
	return put_chunk(s, e);
}

/* What stands in front of the bytes of an entry, and how many bytes an entry is. */
static uint64_t
head_of(const struct taf_daf_seal *s, uint64_t k)
{
	unsigned char ignored[NAME];

	return LOCAL + name(s, k, ignored) +
	    (k < s->count && s->packing == TAF_DAF_GZIP ? 0 : LOCAL_SIZES);
}

static uint64_t
length_of(const struct taf_daf_seal *s, uint64_t k)
{
	return head_of(s, k) + s->entry[k].packed +
	    (k < s->count && s->packing == TAF_DAF_GZIP ? GZIP_TAIL : 0);
}

/* How a blosc chunk came about, for readers of the archive. */
static enum taf_status
put_codec(struct taf_daf_seal *s, struct taf_err *e)
{
	struct entry *entry = &s->entry[s->count];
	char text[256];
	const int n = snprintf(text, sizeof text, "[{\"configuration\":{%s},"
	    "\"name\":\"%s\"},{\"configuration\":"
	    "{\"blocksize\":0,\"clevel\":%d,\"cname\":\"zstd\","
	    "\"shuffle\":\"bitshuffle\",\"typesize\":%zu},\"name\":\"blosc\"}]",
	    s->payload.strings ? "" : "\"endian\":\"little\"",
	    s->payload.strings ? "vlen-utf8" : "bytes", TAF_DAF_LEVEL, cell_size(s));

	entry->packed = (uint32_t)n;
	entry->crc = taf_crc32(0, text, (size_t)n);
	if (put_local(s, s->count, STORED, (uint64_t)n, e) != TAF_OK)
		return e->code;
	return taf_out_write(s->out, text, (size_t)n, e);
}

static enum taf_status
put_central(struct taf_daf_seal *s, uint64_t k, uint64_t at, uint64_t *bytes,
    struct taf_err *e)
{
	const struct entry *entry = &s->entry[k];
	const uint16_t how = k < s->count ? method(s) : STORED;
	unsigned char head[CENTRAL + NAME + CENTRAL_SIZES], *p = head;
	const size_t n = name(s, k, head + CENTRAL);

	p = put_fields(p, "42222224442222244", (const uint64_t[]){ 0x02014b50, 0x031e, 45,
	    0x0800, how, 0, 0x0021, entry->crc, UINT32_MAX, UINT32_MAX, n, CENTRAL_SIZES,
	    0, 0, 0, UINT32_C(0100644) << 16, UINT32_MAX }) + n;
	p = put_fields(p, "22888", (const uint64_t[]){ 1, CENTRAL_SIZES - 4,
	    how == STORED ? entry->packed : entry->plain, entry->packed, at });
	*bytes += (uint64_t)(p - head);
	return taf_out_write(s->out, head, (size_t)(p - head), e);
}

/* The end of the archive, by its long form alone: n entries, size bytes from at on. */
static enum taf_status
put_end(struct taf_daf_seal *s, uint64_t n, uint64_t at, uint64_t size, struct taf_err *e)
{
	const uint64_t none = UINT32_MAX;
	unsigned char end[END + LOCATOR + LAST], *p = end;

	p = put_fields(p, "4822448888", (const uint64_t[]){ 0x06064b50, END - 12, 0x031e,
	    45, 0, 0, n, n, size, at });
	p = put_fields(p, "4484", (const uint64_t[]){ 0x07064b50, 0, at + size, 1 });
	(void)put_fields(p, "42222442", (const uint64_t[]){ 0x06054b50, 0, 0, none, none,
	    none, none, 0 });
	return taf_out_write(s->out, end, sizeof end, e);
}

static enum taf_status
put_index(struct taf_daf_seal *s, struct taf_err *e)
{
	uint64_t at = s->count * TAF_CHUNK_PLACE + 4, k;
	unsigned char entry[TAF_CHUNK_PLACE];
	const uint64_t head = s->packing == TAF_DAF_GZIP ? GZIP_HEAD : 0;
	const uint64_t tail = s->packing == TAF_DAF_GZIP ? GZIP_TAIL : 0;
	uint32_t crc = 0;

	if (taf_out_seek(s->out, 0, e) != TAF_OK)
		return e->code;
	for (k = 0; k < s->count; k++) {
		taf_chunk_place_put(entry, at + head_of(s, k) - head,
		    head + s->entry[k].packed + tail);
		crc = taf_crc32c(crc, entry, TAF_CHUNK_PLACE);
		if (taf_out_write(s->out, entry, TAF_CHUNK_PLACE, e) != TAF_OK)
			return e->code;
		at += length_of(s, k);
	}
	taf_put32(entry, crc, false);
	return taf_out_write(s->out, entry, 4, e);
}

enum taf_status
taf_daf_seal_end(struct taf_daf_seal *s, struct taf_err *e)
{
	const uint64_t n = s->count + (s->packing == TAF_DAF_BLOSC);
	uint64_t at = s->count * TAF_CHUNK_PLACE + 4, bytes = 0, k;

	if (s->done != s->count)
		return taf_fail(e, TAF_EMISUSE, "fewer elements than were said");
	if (n > s->count && put_codec(s, e) != TAF_OK)
		return e->code;
	for (k = 0; k < n; k++) {
		if (put_central(s, k, at, &bytes, e) != TAF_OK)
			return e->code;
		at += length_of(s, k);
	}
	if (put_end(s, n, at, bytes, e) != TAF_OK)
		return e->code;
	return put_index(s, e);
}
