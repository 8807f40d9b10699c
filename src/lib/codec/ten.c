/* SPDX-License-Identifier: ISC */
#include "codec/ten.h"

#include <stdbool.h>
#include <string.h>

#include "base/endian.h"
#include "codec/taf_foreign.h"

enum {
	PREFIX = 16,	/* magic word and length */
	FIXED = 24,	/* a header without its dimensions */
	ALIGN = 64
};

static const char magic[] = "~TenBin~";
static const char null_sign[] = "\342\220\200";	/* U+2400 */

/* A field of the file that is signed there, for messages. */
static long long
as_signed(uint64_t x)
{
	return x > INT64_MAX ? -(long long)(UINT64_MAX - x) - 1 : (long long)x;
}

size_t
taf_ten_padding(uint64_t bytes)
{
	return (size_t)(-bytes % ALIGN);
}

/* The start of a chunk: the bytes of its payload, which a regular file must hold. */
static enum taf_status
read_prefix(struct taf_in *in, const char *what, uint64_t *n, struct taf_err *e)
{
	const unsigned long long off = taf_in_offset(in);
	const unsigned char *p;
	enum taf_status st;
	size_t got;

	if (taf_in_peek(in, PREFIX, &p, &got, e) != TAF_OK)
		return e->code;
	if (memcmp(p, magic, got < 8 ? got : 8) != 0)
		return taf_foreign_here(in, "TenBin chunk", e);
	if (got < PREFIX)
		return taf_fail(e, TAF_ETRUNC,
		    "offset %llu: the input ends at the start of a %s chunk: %zu bytes",
		    off, what, got);
	*n = taf_get64(p + 8, false);
	if (*n > INT64_MAX)
		return taf_fail(e, TAF_EDATA, "offset %llu: %s chunk of %lld bytes", off,
		    what, as_signed(*n));
	st = taf_in_skip(in, PREFIX, e);
	if (st == TAF_OK && taf_in_seekable(in) && *n > taf_in_left(in))
		st = taf_fail(e, TAF_ETRUNC,
		    "offset %llu: %s chunk of %llu bytes, but %llu are there", off, what,
		    (unsigned long long)*n, (unsigned long long)taf_in_left(in));
	return st;
}

/* tenbin.py strips NULs from both ends of a code. */
static enum taf_status
parse_type(const unsigned char *p, struct taf_ndarray *nd, struct taf_err *e)
{
	size_t first = 0, end = 8, i;
	char shown[9] = { 0 };

	while (first < end && p[first] == '\0')
		first++;
	while (end > first && p[end - 1] == '\0')
		end--;
	if (taf_ndarray_named(nd, (const char *)p + first, end - first) && !nd->logical &&
	    !taf_type_is_pair(nd->type))
		return TAF_OK;
	for (i = first; i < end; i++)
		shown[i - first] = p[i] >= ' ' && p[i] < 0x7f ? (char)p[i] : '?';
	return taf_fail(e, TAF_EDATA, "header: element type \"%s\" is not of TenBin",
	    shown);
}

static enum taf_status
parse_name(const unsigned char *p, char name[TAF_TEN_NAME], struct taf_err *e)
{
	unsigned i;

	for (i = 0; i < TAF_TEN_NAME; i++)
		if (p[i] > 0x7f)
			return taf_fail(e, TAF_EDATA,
			    "header: byte %u of the name is 0x%02x, not ASCII", i + 1,
			    p[i]);
	memcpy(name, p, TAF_TEN_NAME);
	return TAF_OK;
}

/* The payload of a header chunk of n bytes, and its padding. */
static enum taf_status
read_header(struct taf_in *in, uint64_t n, struct taf_ten *t, struct taf_err *e)
{
	unsigned char p[FIXED + 8 * TAF_TEN_READ_DIM];
	uint64_t ndim;
	size_t used;
	unsigned k;

	if (n < FIXED || n % 8 != 0)
		return taf_fail(e, TAF_EDATA,
		    "header: %llu bytes, not %d and 8 for each dimension",
		    (unsigned long long)n, FIXED);
	if (taf_in_read(in, p, FIXED, e) != TAF_OK ||
	    parse_type(p, &t->nd, e) != TAF_OK || parse_name(p + 8, t->name, e) != TAF_OK)
		return e->code;
	ndim = taf_get64(p + 16, false);
	if (ndim > TAF_TEN_READ_DIM)
		return taf_fail(e, TAF_EDATA, "header: %lld dimensions, not 0 to %d",
		    as_signed(ndim), (int)TAF_TEN_READ_DIM);
	used = FIXED + 8 * (size_t)ndim;
	if (n < used)
		return taf_fail(e, TAF_EDATA,
		    "header: %llu bytes, but %u dimensions take %zu",
		    (unsigned long long)n, (unsigned)ndim, used);
	if (taf_in_read(in, p + FIXED, used - FIXED, e) != TAF_OK)
		return e->code;
	t->nd.ndim = (unsigned)ndim;
	for (k = 0; k < t->nd.ndim; k++) {
		t->nd.n[k] = taf_get64(p + FIXED + 8 * k, false);
		if (t->nd.n[k] > INT64_MAX)
			return taf_fail(e, TAF_EDATA,
			    "header: length %lld of dimension %u",
			    as_signed(t->nd.n[k]), k + 1);
	}
	return taf_in_skip(in, n - used + taf_ten_padding(n), e);
}

enum taf_status
taf_ten_read(struct taf_in *in, struct taf_ten *t, struct taf_err *e)
{
	const unsigned char *p;
	uint64_t n;
	size_t got;

	memset(t, 0, sizeof *t);
	if (taf_in_peek(in, 1, &p, &got, e) != TAF_OK)
		return e->code;
	if (got == 0)
		return TAF_END;
	if (read_prefix(in, "header", &n, e) != TAF_OK ||
	    read_header(in, n, t, e) != TAF_OK ||
	    taf_ndarray_bytes(&t->nd, &t->bytes, e) != TAF_OK ||
	    read_prefix(in, "data", &n, e) != TAF_OK)
		return e->code;
	if (n != t->bytes)
		return taf_fail(e, TAF_EDATA,
		    "data chunk of %llu bytes, but the dimensions need %llu",
		    (unsigned long long)n, (unsigned long long)t->bytes);
	return TAF_OK;
}

enum taf_status
taf_ten_pad(struct taf_in *in, uint64_t bytes, struct taf_err *e)
{
	unsigned char pad[ALIGN];
	size_t got;

	return taf_in_read_part(in, pad, taf_ten_padding(bytes), &got, e);
}

static size_t
put_prefix(unsigned char *p, uint64_t n)
{
	memcpy(p, magic, 8);
	taf_put64(p + 8, n, false);
	return PREFIX;
}

enum taf_status
taf_ten_format(struct taf_ten *t, unsigned char p[TAF_TEN_PREFIX_MAX], size_t *n,
    struct taf_err *e)
{
	const struct taf_type_facts *type = taf_type_facts(t->nd.type);
	unsigned ndim = t->nd.ndim + type->components - 1, k;
	unsigned char *at = p;
	const char *code = taf_ndarray_name(&(struct taf_ndarray){
		.type = type->component, .half = t->nd.half });

	if (ndim > TAF_TEN_WRITE_DIM)
		return taf_fail(e, TAF_EDATA, "%u dimensions, but TenBin has %d at most",
		    ndim, (int)TAF_TEN_WRITE_DIM);
	if (taf_ndarray_bytes(&t->nd, &t->bytes, e) != TAF_OK)
		return e->code;
	memset(p, 0, TAF_TEN_PREFIX_MAX);
	at += put_prefix(at, FIXED + 8 * ndim);
	memcpy(at, code, 2);
	memcpy(at + 8, t->name, TAF_TEN_NAME);
	taf_put64(at + 16, ndim, false);
	for (k = 0; k < ndim; k++)
		taf_put64(at + FIXED + 8 * k, k < t->nd.ndim ? t->nd.n[k] : 2, false);
	at += FIXED + 8 * ndim + taf_ten_padding(FIXED + 8 * ndim);
	at += put_prefix(at, t->bytes);
	*n = (size_t)(at - p);
	return TAF_OK;
}

enum taf_status
taf_ten_name_text(const char name[TAF_TEN_NAME], struct taf_buf *to, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t n = TAF_TEN_NAME, i;

	while (n > 0 && name[n - 1] == '\0')
		n--;
	for (i = 0; i < n && st == TAF_OK; i++)
		st = name[i] != '\0' ? taf_buf_put(to, &name[i], 1, e) :
		    taf_buf_puts(to, null_sign, e);
	return st;
}

enum taf_status
taf_ten_name_parse(const char *text, char name[TAF_TEN_NAME], struct taf_err *e)
{
	char made[TAF_TEN_NAME] = { 0 };
	const char *p = text;
	size_t n;

	for (n = 0; *p != '\0'; n++) {
		bool null = strncmp(p, null_sign, sizeof null_sign - 1) == 0;

		if (n == TAF_TEN_NAME)
			return taf_fail(e, TAF_EDATA,
			    "name \"%.40s\": TenBin has %d characters at most", text,
			    (int)TAF_TEN_NAME);
		if (!null && (unsigned char)*p > 0x7f)
			return taf_fail(e, TAF_EDATA,
			    "name \"%.40s\": byte %zu is 0x%02x, not ASCII", text,
			    (size_t)(p - text) + 1, (unsigned char)*p);
		made[n] = null ? '\0' : *p;
		p += null ? sizeof null_sign - 1 : 1;
	}
	memcpy(name, made, sizeof made);
	return TAF_OK;
}
