/* SPDX-License-Identifier: ISC */
/* link: zlib */
#include "codec/zip.h"

#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/crc.h"
#include "base/endian.h"
#include "base/num.h"

enum {
	LAST = 22,		/* bytes of the record that ends an archive */
	LOCATOR = 20,		/* of what stands in front of it with zip64 */
	LAST64 = 56,
	ENTRY = 46,		/* of an entry of the directory, without its texts */
	LOCAL = 30,		/* of the header of a member, likewise */
	COMMENT_MAX = 65535,
	DIRECTORY_MAX = 1 << 28,
	BLOCK = 64 * 1024,
	NAME_SHOWN = 200,
	RATIO = 1032,		/* deflating makes no byte out of more (zlib's text) */
	SEALED = 1		/* a flag */
};

bool
taf_zip_sniff(const unsigned char *p, size_t n)
{
	return n >= 4 && (memcmp(p, "PK\3\4", 4) == 0 || memcmp(p, "PK\5\6", 4) == 0);
}

uint32_t
taf_zip_crc(uint32_t crc, const void *p, size_t n)
{
#ifdef HAVE_ZLIB
	for (; n > UINT_MAX; n -= UINT_MAX, p = (const char *)p + UINT_MAX)
		crc = (uint32_t)crc32(crc, p, UINT_MAX);
	return n > 0 ? (uint32_t)crc32(crc, p, (uInt)n) : crc;
#else
	return taf_crc32(crc, p, n);
#endif
}

static enum taf_status
wrong(const struct taf_zip_member *m, const char *what, struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA, "member %.*s: %s", NAME_SHOWN, m->name, what);
}

/* Offset of the record that ends the archive, which has size bytes from begin on. */
static enum taf_status
find_last(const struct taf_zip *z, uint64_t size, unsigned char last[LAST], uint64_t *at,
    struct taf_err *e)
{
	const uint64_t most = LAST + COMMENT_MAX;
	const size_t n = (size_t)(size < most ? size : most);
	unsigned char *p = malloc(n > 0 ? n : 1);
	size_t i = n;

	if (p == NULL)
		return taf_fail_mem(e);
	if (taf_in_pread(z->in, p, n, z->begin + size - n, e) != TAF_OK) {
		free(p);
		return e->code;
	}
	for (i = n < LAST ? 0 : n - LAST + 1; i > 0; i--)
		if (memcmp(p + i - 1, "PK\5\6", 4) == 0 &&
		    taf_get16(p + i - 1 + 20, false) == n - (i - 1) - LAST)
			break;
	if (i > 0) {
		memcpy(last, p + i - 1, LAST);
		*at = z->begin + size - n + i - 1;
	}
	free(p);
	return i > 0 ? TAF_OK : taf_fail(e, TAF_EDATA, size < LAST ||
	    n < most ? "no directory ends this zip archive: it is cut" :
	    "no directory in the last 64 KiB of this zip archive: it is cut");
}

/* Where the directory lies, relative to begin. */
struct place {
	uint64_t off, size, count, disks;
};

/* The same of an archive with zip64, whose last record is at *at; *at is its new end. */
static enum taf_status
find_large(const struct taf_zip *z, uint64_t *at, struct place *d, struct taf_err *e)
{
	unsigned char p[LAST64];
	uint64_t off;

	if (*at - z->begin < LOCATOR)
		return TAF_OK;
	if (taf_in_pread(z->in, p, LOCATOR, *at - LOCATOR, e) != TAF_OK)
		return e->code;
	if (memcmp(p, "PK\6\7", 4) != 0)
		return TAF_OK;
	off = taf_get64(p + 8, false);
	if (off > *at - z->begin - LOCATOR || *at - z->begin - LOCATOR - off < LAST64)
		return taf_fail(e, TAF_EDATA, "zip64 record at %llu: not in the archive",
		    (unsigned long long)off);
	*at = z->begin + off;
	if (taf_in_pread(z->in, p, LAST64, *at, e) != TAF_OK)
		return e->code;
	if (memcmp(p, "PK\6\6", 4) != 0)
		return taf_fail(e, TAF_EDATA, "offset %llu: no zip64 record",
		    (unsigned long long)off);
	d->disks = taf_get32(p + 16, false) | taf_get32(p + 20, false);
	d->count = taf_get64(p + 32, false);
	d->size = taf_get64(p + 40, false);
	d->off = taf_get64(p + 48, false);
	return TAF_OK;
}

/* The directory, whole in memory, is between the members and what ends the archive. */
static enum taf_status
read_directory(struct taf_zip *z, uint64_t size, struct place *d, struct taf_err *e)
{
	unsigned char last[LAST] = { 0 };
	uint64_t at = 0;

	if (find_last(z, size, last, &at, e) != TAF_OK)
		return e->code;
	d->disks = taf_get32(last + 4, false);
	d->count = taf_get16(last + 10, false);
	d->size = taf_get32(last + 12, false);
	d->off = taf_get32(last + 16, false);
	if (find_large(z, &at, d, e) != TAF_OK)
		return e->code;
	if (d->disks != 0)
		return taf_fail(e, TAF_EDATA, "a zip archive of several parts");
	if (d->off > at - z->begin || d->size != at - z->begin - d->off)
		return taf_fail(e, TAF_EDATA,
		    "a zip directory of %llu bytes at %llu does not end at %llu",
		    (unsigned long long)d->size, (unsigned long long)d->off,
		    (unsigned long long)(at - z->begin));
	if (d->count > d->size / ENTRY || d->size > DIRECTORY_MAX)
		return taf_fail(e, TAF_EDATA,
		    "a zip directory of %llu bytes for %llu members",
		    (unsigned long long)d->size, (unsigned long long)d->count);
	z->end = z->begin + d->off;
	if (taf_buf_reserve(&z->directory, (size_t)d->size, e) != TAF_OK)
		return e->code;
	z->directory.len = (size_t)d->size;
	return taf_in_pread(z->in, z->directory.data, z->directory.len, z->end, e);
}

/* What does not fit 32 bits stands in the field of zip64, in this order. */
static enum taf_status
read_large(struct taf_zip_member *m, const unsigned char *p, size_t n, struct taf_err *e)
{
	uint64_t *const field[] = { &m->n, &m->packed, &m->header };
	size_t i, len, at = 0;

	while (n >= 4 && taf_get16(p, false) != 1) {
		len = taf_get16(p + 2, false);
		if (len > n - 4)
			break;
		p += 4 + len;
		n -= 4 + len;
	}
	len = n >= 4 && taf_get16(p, false) == 1 ? taf_get16(p + 2, false) : 0;
	if (len > 0 && len > n - 4)
		return wrong(m, "its field of zip64 is cut", e);
	for (i = 0; i < 3; i++) {
		if (*field[i] != UINT32_MAX)
			continue;
		/* without the field that is its length */
		if (len == 0)
			break;
		if (len - at < 8)
			return wrong(m, "its field of zip64 is too short", e);
		*field[i] = taf_get64(p + 4 + at, false);
		at += 8;
	}
	return TAF_OK;
}

/* Member k from its entry at *at in the directory, where its name gets an end. */
static enum taf_status
read_entry(struct taf_zip *z, size_t k, size_t *at, struct taf_err *e)
{
	struct taf_zip_member *m = &z->member[k];
	unsigned char *p = (unsigned char *)z->directory.data + *at;
	const size_t left = z->directory.len - *at;
	size_t name, extra, comment;

	if (left < ENTRY || memcmp(p, "PK\1\2", 4) != 0)
		return taf_fail(e, TAF_EDATA, "zip directory: no entry %llu at byte %llu",
		    (unsigned long long)k + 1, (unsigned long long)*at);
	m->flags = taf_get16(p + 8, false);
	m->method = taf_get16(p + 10, false);
	m->crc = taf_get32(p + 16, false);
	m->packed = taf_get32(p + 20, false);
	m->n = taf_get32(p + 24, false);
	m->header = taf_get32(p + 42, false);
	name = taf_get16(p + 28, false);
	extra = taf_get16(p + 30, false);
	comment = taf_get16(p + 32, false);
	if (name + extra + comment > left - ENTRY)
		return taf_fail(e, TAF_EDATA, "zip directory: entry %llu is cut",
		    (unsigned long long)k + 1);
	*at += ENTRY + name + extra + comment;
	memmove(p, p + ENTRY, name);
	p[name] = '\0';
	m->name = (const char *)p;
	if (name == 0 || strlen(m->name) != name)
		return taf_fail(e, TAF_EDATA,
		    "zip directory: entry %llu has a name with NUL, or none",
		    (unsigned long long)k + 1);
	if (read_large(m, p + ENTRY + name, extra, e) != TAF_OK)
		return e->code;
	if (m->header > z->end - z->begin || m->packed > z->end - z->begin - m->header)
		return wrong(m, "its bytes are not in the archive", e);
	m->header += z->begin;
	return TAF_OK;
}

/* By name; of one name, in the order of the directory. */
static int
by_name(const void *a, const void *b)
{
	const struct taf_zip_member *x = *(const struct taf_zip_member *const *)a;
	const struct taf_zip_member *y = *(const struct taf_zip_member *const *)b;
	const int order = strcmp(x->name, y->name);

	return order != 0 ? order : (x > y) - (x < y);
}

enum taf_status
taf_zip_open(struct taf_zip *z, const struct taf_in *in, struct taf_err *e)
{
	struct place d = { 0 };
	size_t k, at = 0;

	*z = (struct taf_zip){ .in = in, .begin = taf_in_offset(in) };
	if (read_directory(z, taf_in_left(in), &d, e) != TAF_OK)
		return e->code;
	z->member = taf_alloc((size_t)d.count + 1, sizeof *z->member);
	z->sorted = taf_alloc((size_t)d.count + 1, sizeof *z->sorted);
	if (z->member == NULL || z->sorted == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < d.count; k++) {
		if (read_entry(z, k, &at, e) != TAF_OK)
			return e->code;
		z->sorted[k] = &z->member[k];
	}
	if (at != z->directory.len)
		return taf_fail(e, TAF_EDATA,
		    "zip directory: %llu members end at byte %llu of %llu",
		    (unsigned long long)d.count, (unsigned long long)at,
		    (unsigned long long)z->directory.len);
	z->n = (size_t)d.count;
	qsort(z->sorted, z->n, sizeof *z->sorted, by_name);
	return TAF_OK;
}

void
taf_zip_close(struct taf_zip *z)
{
	free(z->member);
	free(z->sorted);
	taf_buf_free(&z->directory);
	*z = (struct taf_zip){ 0 };
}

const struct taf_zip_member *
taf_zip_find(const struct taf_zip *z, const char *name)
{
	size_t low = 0, high = z->n;

	/* sorted[low] is the first name that is larger */
	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (strcmp(z->sorted[mid]->name, name) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 && strcmp(z->sorted[low - 1]->name, name) == 0 ?
	    z->sorted[low - 1] : NULL;
}

const char *
taf_zip_twice(const struct taf_zip *z)
{
	size_t k;

	for (k = 1; k < z->n; k++)
		if (strcmp(z->sorted[k - 1]->name, z->sorted[k]->name) == 0)
			return z->sorted[k]->name;
	return NULL;
}

/* A name that is damaged there would be that of another member, or of none. */
static enum taf_status
check_name(const struct taf_zip *z, const struct taf_zip_member *m, struct taf_err *e)
{
	const uint64_t at = m->header + LOCAL;
	size_t n = strlen(m->name), k, some;
	char p[256];

	for (k = 0; k < n; k += some) {
		some = n - k < sizeof p ? n - k : sizeof p;
		if (taf_in_pread(z->in, p, some, at + k, e) != TAF_OK)
			return e->code;
		if (memcmp(p, m->name + k, some) != 0)
			return wrong(m, "its header has another name", e);
	}
	return TAF_OK;
}

enum taf_status
taf_zip_place(const struct taf_zip *z, const struct taf_zip_member *m, uint64_t *off,
    struct taf_err *e)
{
	unsigned char p[LOCAL];
	uint64_t skip;

	if (z->end - m->header < LOCAL)
		return wrong(m, "its header is not in the archive", e);
	if (taf_in_pread(z->in, p, LOCAL, m->header, e) != TAF_OK)
		return e->code;
	if (memcmp(p, "PK\3\4", 4) != 0)
		return wrong(m, "no header where the directory says", e);
	if (taf_get16(p + 8, false) != m->method ||
	    taf_get16(p + 26, false) != strlen(m->name))
		return wrong(m, "its header is another's", e);
	skip = (uint64_t)LOCAL + taf_get16(p + 26, false) + taf_get16(p + 28, false);
	if (skip > z->end - m->header || m->packed > z->end - m->header - skip)
		return wrong(m, "its bytes are not in the archive", e);
	*off = m->header + skip;
	return check_name(z, m, e);
}

struct taf_zip_part {
	const struct taf_zip *z;
	const struct taf_zip_member *m;
	struct taf_in *in;
	uint64_t off, packed;	/* the next packed byte, and how many there are */
	uint64_t left;		/* bytes to give */
	uint32_t crc;		/* of those given */
#ifdef HAVE_ZLIB
	z_stream deflated;
	bool begun;
	unsigned char block[BLOCK];
#endif
};

static enum taf_status
read_packed(struct taf_zip_part *part, void *to, size_t n, struct taf_err *e)
{
	if (taf_in_pread(part->z->in, to, n, part->off, e) != TAF_OK)
		return e->code;
	part->off += n;
	part->packed -= n;
	return TAF_OK;
}

#ifdef HAVE_ZLIB
/* One to n bytes to to; *ends where the packed ones say so, then *got may be 0. */
static enum taf_status
inflate_some(struct taf_zip_part *part, unsigned char *to, size_t n, size_t *got,
    bool *ends, struct taf_err *e)
{
	z_stream *const s = &part->deflated;
	int r = Z_OK;

	s->next_out = to;
	s->avail_out = n < BLOCK ? (uInt)n : BLOCK;
	n = s->avail_out;
	while (r == Z_OK && s->avail_out == n) {
		const size_t more = part->packed < BLOCK ? (size_t)part->packed : BLOCK;

		if (s->avail_in == 0 && more > 0) {
			if (read_packed(part, part->block, more, e) != TAF_OK)
				return e->code;
			s->next_in = part->block;
			s->avail_in = (uInt)more;
		}
		r = inflate(s, Z_NO_FLUSH);
	}
	if (r == Z_MEM_ERROR)
		return taf_fail_mem(e);
	if (r != Z_OK && r != Z_STREAM_END)
		return wrong(part->m, r == Z_BUF_ERROR ? "its deflated bytes are cut" :
		    "its deflated bytes are damaged", e);
	*got = n - s->avail_out;
	*ends = r == Z_STREAM_END;
	return TAF_OK;
}

/* All bytes are given: the packed ones end there, too. */
static enum taf_status
end_deflated(struct taf_zip_part *part, bool ends, struct taf_err *e)
{
	unsigned char spare;
	size_t got = 0;

	if (!ends && inflate_some(part, &spare, 1, &got, &ends, e) != TAF_OK)
		return e->code;
	if (!ends || got > 0)
		return wrong(part->m, "it has more bytes than the directory says", e);
	if (part->packed > 0 || part->deflated.avail_in > 0)
		return wrong(part->m, "bytes stand behind its end", e);
	return TAF_OK;
}
#else
static enum taf_status
inflate_some(struct taf_zip_part *part, unsigned char *to, size_t n, size_t *got,
    bool *ends, struct taf_err *e)
{
	(void)to, (void)n, (void)got, (void)ends;
	return wrong(part->m, "this program was built without zlib", e);
}

static enum taf_status
end_deflated(struct taf_zip_part *part, bool ends, struct taf_err *e)
{
	(void)ends;
	return wrong(part->m, "this program was built without zlib", e);
}
#endif

/* The source of an input; what is wrong is told before the last byte goes out. */
static enum taf_status
read_some(void *ctx, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	struct taf_zip_part *const part = ctx;
	const bool deflated = part->m->method == TAF_ZIP_DEFLATED;
	enum taf_status st = TAF_OK;
	bool ends = false;

	*got = 0;
	if (part->left < n)
		n = (size_t)part->left;
	if (n > 0 && deflated)
		st = inflate_some(part, buf, n, got, &ends, e);
	else if (n > 0 && (st = read_packed(part, buf, n, e)) == TAF_OK)
		*got = n;
	if (st != TAF_OK)
		return st;
	part->left -= *got;
	part->crc = taf_zip_crc(part->crc, buf, *got);
	if (part->left > 0 && (ends || *got == 0))
		return wrong(part->m, "it has fewer bytes than the directory says", e);
	if (part->left > 0 || n == 0)
		return TAF_OK;
	if (deflated)
		st = end_deflated(part, ends, e);
	if (st == TAF_OK && part->crc != part->m->crc)
		st = wrong(part->m, "its CRC-32 is not that of the directory", e);
	return st;
}

/* An empty member is never read: its end is looked at before. */
static enum taf_status
check_empty(struct taf_zip_part *part, struct taf_err *e)
{
	if (part->m->crc != 0)
		return wrong(part->m, "its CRC-32 is not that of the directory", e);
	return part->m->method == TAF_ZIP_DEFLATED ? end_deflated(part, false, e) :
	    TAF_OK;
}

enum taf_status
taf_zip_begin(struct taf_zip_part **result, const struct taf_zip *z,
    const struct taf_zip_member *m, struct taf_err *e)
{
	struct taf_zip_part *part;

	if ((m->flags & SEALED) != 0)
		return wrong(m, "it is encrypted", e);
	if (m->method != TAF_ZIP_STORED && m->method != TAF_ZIP_DEFLATED)
		return taf_fail(e, TAF_EDATA,
		    "member %.*s: packed by method %u, not stored (0) or deflated (8)",
		    NAME_SHOWN, m->name, m->method);
	if (m->method == TAF_ZIP_STORED && m->packed != m->n)
		return wrong(m, "stored in another number of bytes than it has", e);
	if (m->n / RATIO > m->packed)
		return wrong(m, "so few packed bytes cannot be so many", e);
	part = calloc(1, sizeof *part);
	if (part == NULL)
		return taf_fail_mem(e);
	part->z = z;
	part->m = m;
	part->packed = m->packed;
	part->left = m->n;
#ifdef HAVE_ZLIB
	if (m->method == TAF_ZIP_DEFLATED) {
		part->begun = inflateInit2(&part->deflated, -MAX_WBITS) == Z_OK;
		if (!part->begun)
			(void)taf_fail_mem(e);
	}
#endif
	if (e->code != TAF_OK || taf_zip_place(z, m, &part->off, e) != TAF_OK ||
	    (m->n == 0 && check_empty(part, e) != TAF_OK) ||
	    taf_in_call(&part->in, read_some, part, taf_in_name(z->in), e) != TAF_OK) {
		taf_zip_end(part);
		return e->code;
	}
	*result = part;
	return TAF_OK;
}

struct taf_in *
taf_zip_in(const struct taf_zip_part *part)
{
	return part->in;
}

void
taf_zip_end(struct taf_zip_part *part)
{
	if (part == NULL)
		return;
	taf_in_close(part->in);
#ifdef HAVE_ZLIB
	if (part->begun)
		(void)inflateEnd(&part->deflated);
#endif
	free(part);
}

enum taf_status
taf_zip_read(const struct taf_zip *z, const struct taf_zip_member *m, uint64_t most,
    struct taf_buf *to, struct taf_err *e)
{
	struct taf_zip_part *part = NULL;
	enum taf_status st;
	size_t n;

	if (m->n > most || !taf_to_size(m->n, &n))
		return taf_fail(e, TAF_EDATA,
		    "member %.*s: %llu bytes, more than %llu", NAME_SHOWN, m->name,
		    (unsigned long long)m->n, (unsigned long long)most);
	st = taf_zip_begin(&part, z, m, e);
	if (st == TAF_OK)
		st = taf_buf_reserve(to, n, e);
	if (st == TAF_OK)
		st = taf_in_read(part->in, to->data + to->len, n, e);
	if (st == TAF_OK) {
		to->len += n;
		to->data[to->len] = '\0';
	}
	taf_zip_end(part);
	return st;
}
