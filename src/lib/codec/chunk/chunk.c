/* SPDX-License-Identifier: ISC */
#include "codec/chunk/chunk.h"

#include <string.h>

#include "base/crc.h"
#include "base/endian.h"
#include "codec/chunk/whole.h"

enum { SLACK = 64 * 1024, SUM = 4 };

void
taf_chunk_turn(struct taf_chunk_way *way)
{
	const struct taf_chunk_way was = *way;
	unsigned k;

	for (k = 0; k < way->n; k++)
		way->step[k] = was.step[was.n - 1 - k];
}

uint64_t
taf_chunk_longest(uint64_t bytes)
{
	return bytes + bytes / 4 + SLACK;
}

size_t
taf_chunk_room(const struct taf_chunk_way *way, size_t bytes)
{
	return way->n > 1 ? 2 * (size_t)taf_chunk_longest(bytes) : 0;
}

static void
unshuffle(unsigned char *to, const unsigned char *p, size_t n, size_t size)
{
	const size_t count = n / size;
	size_t i, k;

	for (k = 0; k < size; k++)
		for (i = 0; i < count; i++)
			to[i * size + k] = p[k * count + i];
	memcpy(to + count * size, p + count * size, n - count * size);
}

/* Little-endian or big, as bytes, whatever the machine: n words of size bytes. */
static uint64_t
load(const unsigned char *p, size_t size, bool big)
{
	return size == 1 ? p[0] : size == 2 ? taf_get16(p, big) : size == 4 ?
	    taf_get32(p, big) : taf_get64(p, big);
}

static void
store(unsigned char *p, size_t size, bool big, uint64_t v)
{
	if (size == 1)
		p[0] = (unsigned char)v;
	else if (size == 2)
		taf_put16(p, (uint16_t)v, big);
	else if (size == 4)
		taf_put32(p, (uint32_t)v, big);
	else
		taf_put64(p, v, big);
}

static void
sum_floats(unsigned char *p, size_t n, size_t size, bool big)
{
	double d, total = 0;
	float f, narrow = 0;
	uint64_t bits;
	uint32_t word;

	for (; n >= size; n -= size, p += size)
		if (size == sizeof f) {
			word = taf_get32(p, big);
			memcpy(&f, &word, sizeof f);
			narrow += f;
			memcpy(&word, &narrow, sizeof word);
			taf_put32(p, word, big);
		} else {
			bits = taf_get64(p, big);
			memcpy(&d, &bits, sizeof d);
			total += d;
			memcpy(&bits, &total, sizeof bits);
			taf_put64(p, bits, big);
		}
}

/* Sums of all that came, in the type of the differences: integers wrap around. */
static void
sum(unsigned char *p, size_t n, const struct taf_chunk_step *s)
{
	const size_t size = taf_type_size(s->type);
	uint64_t total = 0;

	if (!taf_type_is_int(s->type)) {
		sum_floats(p, n, size, s->big);
		return;
	}
	for (; n >= size; n -= size, p += size) {
		total += load(p, size, s->big);
		store(p, size, s->big, total);
	}
}

/* One step: *n bytes at p become *n at to, of which there is room. */
static const char *
undo(const struct taf_chunk_step *s, const unsigned char *p, size_t *n, unsigned char *to,
    size_t room)
{
	const char *fault;
	size_t got;

	if (s->codec == TAF_CHUNK_PACKED) {
		if (taf_unpack_all(s->packing, p, *n, to, room, &got, &fault) !=
		    TAF_ENDED)
			return fault != NULL ? fault : "";
		*n = got;
		return NULL;
	}
	if (s->codec == TAF_CHUNK_CRC32C) {
		if (*n < SUM)
			return "ends early";
		*n -= SUM;
		if (taf_crc32c(0, p, *n) != taf_get32(p + *n, false))
			return "its checksum is wrong";
	}
	if (*n > room)
		return "decodes to too many bytes";
	if (s->codec == TAF_CHUNK_SHUFFLE) {
		unshuffle(to, p, *n, s->size);
	} else {
		memcpy(to, p, *n);
		if (s->codec == TAF_CHUNK_DELTA)
			sum(to, *n, s);
	}
	return NULL;
}

const char *
taf_chunk_unpack(const struct taf_chunk_way *way, unsigned char *p, size_t n,
    unsigned char *to, size_t bytes, unsigned char *work)
{
	const size_t most = (size_t)taf_chunk_longest(bytes);
	unsigned char *from = p, *next;
	const char *fault;
	unsigned k;

	for (k = 0; k < way->n; k++) {
		/* the two halves of the work memory take turns */
		next = k + 1 == way->n ? to : work + (k % 2) * most;
		fault = undo(&way->step[k], from, &n, next, next == to ? bytes : most);
		if (fault != NULL)
			return fault;
		from = next;
	}
	if (n != bytes)
		return n < bytes ? "decodes to too few bytes" :
		    "decodes to too many bytes";
	if (way->n == 0)
		memcpy(to, p, n);
	return NULL;
}
