/* SPDX-License-Identifier: ISC */
/* link: zlib */
#include "codec/zip_write.h"

#include <string.h>

#include "base/endian.h"
#include "codec/zip.h"

enum {
	LOCAL = 30, ENTRY = 46, LAST = 22, LOCATOR = 20, LAST64 = 56,	/* as zip.c */
	FIELD = 4,		/* what begins an extra field: id and length */
	LARGE = 24,		/* bytes of the field of zip64: both sizes, the place */
	ALIGN = 64,
	PADDING = 0xd935,	/* id of a field that only aligns, of Android's tools */
	PLAIN_VERSION = 20, LARGE_VERSION = 45,
	DAY = 1 << 5 | 1,	/* the first of 1980 */
	COUNT_MOST = 0xffff,
	BLOCK = 64 * 1024
};

/* The check of all that is still in, which stays where it is. */
static enum taf_status
check_of(struct taf_in *in, uint32_t *crc, struct taf_err *e)
{
	const uint64_t from = taf_in_offset(in), n = taf_in_left(in);
	unsigned char block[BLOCK];
	uint64_t at;

	*crc = 0;
	for (at = 0; at < n; at += BLOCK) {
		const size_t some = n - at < BLOCK ? (size_t)(n - at) : BLOCK;

		if (taf_in_pread(in, block, some, from + at, e) != TAF_OK)
			return e->code;
		*crc = taf_zip_crc(*crc, block, some);
	}
	return TAF_OK;
}

static bool
is_there(const struct taf_zip_out *z, const char *name)
{
	const size_t n = strlen(name);
	size_t at = 0;

	while (at < z->directory.len) {
		const char *p = z->directory.data + at;
		const size_t len = taf_get16(p + 28, false);

		if (len == n && memcmp(p + ENTRY, name, n) == 0)
			return true;
		at += ENTRY + len + taf_get16(p + 30, false);
	}
	return false;
}

static uint32_t
small(uint64_t n, bool large)
{
	return large ? UINT32_MAX : (uint32_t)n;
}

/* What the headers of a member have in common: version to sizes, and length of name. */
static void
put_common(unsigned char *p, uint32_t crc, uint64_t n, size_t name, bool large)
{
	taf_put16(p, large ? LARGE_VERSION : PLAIN_VERSION, false);
	taf_put16(p + 8, DAY, false);
	taf_put32(p + 10, crc, false);
	taf_put32(p + 14, small(n, large), false);
	taf_put32(p + 18, small(n, large), false);
	taf_put16(p + 22, (uint16_t)name, false);
}

static enum taf_status
put_local(struct taf_zip_out *z, const char *name, uint32_t crc, uint64_t n, bool large,
    struct taf_err *e)
{
	const size_t len = strlen(name), field = large ? FIELD + 16 : 0;
	const uint64_t end = z->at + LOCAL + len + field + FIELD;
	const size_t pad = ALIGN - (size_t)(end % ALIGN);
	unsigned char p[LOCAL] = { 'P', 'K', 3, 4 };
	unsigned char extra[2 * FIELD + 16 + ALIGN] = { 1, 0, 16, 0 };

	put_common(p + 4, crc, n, len, large);
	taf_put16(p + 28, (uint16_t)(field + FIELD + pad), false);
	taf_put64(extra + FIELD, n, false);
	taf_put64(extra + FIELD + 8, n, false);
	taf_put16(extra + field, PADDING, false);
	taf_put16(extra + field + 2, (uint16_t)pad, false);
	if (!large)
		memset(extra + FIELD, 0, pad);
	z->at += LOCAL + len + field + FIELD + pad;
	if (taf_out_write(z->out, p, LOCAL, e) != TAF_OK ||
	    taf_out_write(z->out, name, len, e) != TAF_OK)
		return e->code;
	return taf_out_write(z->out, extra, field + FIELD + pad, e);
}

static enum taf_status
put_entry(struct taf_zip_out *z, const char *name, uint32_t crc, uint64_t n,
    uint64_t place, struct taf_err *e)
{
	const bool large = n >= UINT32_MAX || place >= UINT32_MAX;
	const size_t len = strlen(name);
	unsigned char p[ENTRY] = { 'P', 'K', 1, 2 };
	unsigned char extra[FIELD + LARGE] = { 1, 0, LARGE, 0 };

	taf_put16(p + 4, large ? LARGE_VERSION : PLAIN_VERSION, false);
	put_common(p + 6, crc, n, len, large);
	taf_put16(p + 30, large ? FIELD + LARGE : 0, false);
	taf_put32(p + 42, small(place, large), false);
	taf_put64(extra + FIELD, n, false);
	taf_put64(extra + FIELD + 8, n, false);
	taf_put64(extra + FIELD + 16, place, false);
	if (taf_buf_put(&z->directory, p, ENTRY, e) != TAF_OK ||
	    taf_buf_put(&z->directory, name, len, e) != TAF_OK)
		return e->code;
	return taf_buf_put(&z->directory, extra, large ? FIELD + LARGE : 0, e);
}

enum taf_status
taf_zip_put(struct taf_zip_out *z, const char *name, struct taf_in *in, struct taf_err *e)
{
	const uint64_t n = taf_in_left(in), place = z->at;
	uint32_t crc;

	if (strlen(name) > UINT16_MAX)
		return taf_fail(e, TAF_EDATA, "a name of %zu bytes", strlen(name));
	if (is_there(z, name))
		return taf_fail(e, TAF_EDATA, "two arrays would be called %.200s", name);
	if (check_of(in, &crc, e) != TAF_OK ||
	    put_local(z, name, crc, n, n >= UINT32_MAX, e) != TAF_OK ||
	    put_entry(z, name, crc, n, place, e) != TAF_OK)
		return e->code;
	z->at += n;
	z->n++;
	return taf_out_copy(z->out, in, n, e);
}

enum taf_status
taf_zip_finish(struct taf_zip_out *z, struct taf_err *e)
{
	const uint64_t size = z->directory.len;
	const bool large = z->n >= COUNT_MOST || z->at >= UINT32_MAX ||
	    size >= UINT32_MAX;
	unsigned char p[LAST64 + LOCATOR + LAST] = { 'P', 'K', 6, 6, LAST64 - 12 };
	unsigned char *q = p + LAST64, *r = q + LOCATOR;

	taf_put16(p + 12, LARGE_VERSION, false);
	taf_put16(p + 14, LARGE_VERSION, false);
	taf_put64(p + 24, z->n, false);
	taf_put64(p + 32, z->n, false);
	taf_put64(p + 40, size, false);
	taf_put64(p + 48, z->at, false);
	memcpy(q, "PK\6\7", 4);
	taf_put64(q + 8, z->at + size, false);
	taf_put32(q + 16, 1, false);
	memcpy(r, "PK\5\6", 4);
	taf_put16(r + 8, large ? COUNT_MOST : (uint16_t)z->n, false);
	taf_put16(r + 10, large ? COUNT_MOST : (uint16_t)z->n, false);
	taf_put32(r + 12, small(size, large), false);
	taf_put32(r + 16, small(z->at, large), false);
	if (size > 0 && taf_out_write(z->out, z->directory.data, (size_t)size, e) !=
	    TAF_OK)
		return e->code;
	return large ? taf_out_write(z->out, p, sizeof p, e) :
	    taf_out_write(z->out, r, LAST, e);
}

void
taf_zip_out_free(struct taf_zip_out *z)
{
	taf_buf_free(&z->directory);
}
