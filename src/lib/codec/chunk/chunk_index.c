/* SPDX-License-Identifier: ISC */
#include "codec/chunk/chunk_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/endian.h"

bool
taf_chunk_place(const unsigned char *p, bool big, uint64_t place[2])
{
	place[0] = taf_get64(p, big);
	place[1] = taf_get64(p + 8, big);
	return (place[0] & place[1]) != UINT64_MAX;
}

void
taf_chunk_place_put(unsigned char *p, uint64_t at, uint64_t n)
{
	taf_put64(p, at, false);
	taf_put64(p + 8, n, false);
}

static int
compare(const void *a, const void *b)
{
	const uint64_t *p = a, *q = b;

	return p[0] < q[0] ? -1 : p[0] > q[0];
}

/* Two chunks share no byte. */
static enum taf_status
check_apart(const struct taf_in *in, const uint64_t *place, uint64_t n, struct taf_err *e)
{
	uint64_t *p = taf_alloc((size_t)n, TAF_CHUNK_PLACE), end = 0, k;
	enum taf_status st = TAF_OK;

	if (p == NULL)
		return taf_fail_mem(e);
	memcpy(p, place, (size_t)n * TAF_CHUNK_PLACE);
	qsort(p, (size_t)n, TAF_CHUNK_PLACE, compare);
	for (k = 0; k < n && p[2 * k] != UINT64_MAX && st == TAF_OK; k++) {
		if (p[2 * k + 1] == 0)
			continue;
		if (p[2 * k] < end)
			st = taf_fail(e, TAF_EDATA,
			    "%s: chunks of the shard overlap at offset %llu",
			    taf_in_name(in), (unsigned long long)p[2 * k]);
		end = p[2 * k] + p[2 * k + 1];
	}
	free(p);
	return st;
}

/* Places of a list in the file from from to to. */
static enum taf_status
take_places(const struct taf_in *in, const unsigned char *list, bool big, uint64_t from,
    uint64_t to, uint64_t n, uint64_t *place, struct taf_err *e)
{
	uint64_t k, *p = place;

	for (k = 0; k < n; k++, p += 2)
		if (taf_chunk_place(list + k * TAF_CHUNK_PLACE, big, p) && (p[0] > to ||
		    p[1] > to - p[0] || p[0] < from))
			return taf_fail(e, TAF_EDATA,
			    "%s: chunk %llu of the shard at offset %llu, %llu bytes of %llu",
			    taf_in_name(in), (unsigned long long)k + 1,
			    (unsigned long long)p[0], (unsigned long long)p[1],
			    (unsigned long long)to);
	return check_apart(in, place, n, e);
}

enum taf_status
taf_chunk_index_read(const struct taf_in *in, const struct taf_chunk_way *way, bool first,
    bool big, uint64_t n, uint64_t **place, struct taf_err *e)
{
	const uint64_t all = taf_in_left(in), bytes = n * TAF_CHUNK_PLACE;
	uint64_t packed = bytes;
	unsigned char *p, *list;
	enum taf_status st;
	const char *fault;
	unsigned k;

	*place = NULL;
	for (k = 0; k < way->n; k++)
		packed += way->step[k].codec == TAF_CHUNK_CRC32C ? TAF_CHUNK_SUM : 0;
	if (packed > all)
		return taf_fail(e, TAF_EDATA, "%s: %llu bytes, too short for its index",
		    taf_in_name(in), (unsigned long long)all);
	*place = taf_alloc((size_t)n, TAF_CHUNK_PLACE);
	p = taf_alloc((size_t)(packed + bytes + taf_chunk_room(way, (size_t)bytes)), 1);
	if (p == NULL || *place == NULL) {
		free(p);
		return taf_fail_mem(e);
	}
	list = p + packed;
	st = taf_in_pread(in, p, (size_t)packed, taf_in_offset(in) + (first ? 0 :
	    all - packed), e);
	if (st == TAF_OK) {
		fault = taf_chunk_unpack(way, p, (size_t)packed, list, (size_t)bytes,
		    list + bytes);
		st = fault == NULL ? take_places(in, list, big, first ? packed : 0,
		    first ? all : all - packed, n, *place, e) : fault[0] == '\0' ?
		    taf_fail_mem(e) : taf_fail(e, TAF_EDATA,
		    "%s: index of the shard: %s", taf_in_name(in), fault);
	}
	free(p);
	return st;
}
