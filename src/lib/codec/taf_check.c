/* SPDX-License-Identifier: ISC */
#include "codec/taf_check.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/endian.h"
#include "base/num.h"
#include "codec/taf_file.h"
#include "io/undo_file.h"

struct check {
	enum taf_status (*say)(void *ctx, enum taf_finding kind, const char *text,
	    struct taf_err *e);
	void *ctx;
	struct taf_err *e;
	enum taf_status st;
	enum taf_finding legacy;	/* what a legacy header is */
};

static void
finding(struct check *c, enum taf_finding kind, const char *fmt, ...) TAF_PRINTF(3, 4);

static void
finding(struct check *c, enum taf_finding kind, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	if (c->st != TAF_OK)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	c->st = c->say(c->ctx, kind, text, c->e);
}

/* The opening; false where nothing behind it can be trusted. */
static bool
check_opening(struct check *c, const unsigned char *p, unsigned char *code)
{
	char undo[TAF_UNDO_NAME];
	struct taf_form form;

	taf_field_opening(p, &form, code);
	if (form.legacy_opening)
		finding(c, c->legacy, "offset 3: legacy opening");
	if (form.legacy_opening && p[TAF_AT_CODE] != ')')
		finding(c, TAF_FINDING, "offset 6: byte %u, not the end of the opening",
		    p[TAF_AT_CODE]);
	if (p[7] != '\n')
		finding(c, TAF_FINDING, "offset 7: byte %u in place of a line feed",
		    p[7]);
	if (form.major != 1)
		finding(c, TAF_FINDING, "offset 4: version %u.%u, not 1.x", form.major,
		    form.minor);
	if (!form.synopsis)
		finding(c, TAF_REMARK, "offset 8: no synopsis");
	if (taf_undo_marked(p, TAF_UNDO_MARK, undo))
		finding(c, TAF_FINDING,
		    "offset 8: the synopsis says that a change goes on, or was interrupted, which %s undoes",
		    undo);
	if (*code > TAF_CODE_IMAGE)
		finding(c, TAF_REMARK, "offset 6: unknown type code %u", *code);
	return form.major == 1;
}

/* Is the type known? */
static bool
check_type(struct check *c, const unsigned char *p, enum taf_type *type)
{
	bool legacy, known;
	char name[9];

	known = taf_field_type(p, type, &legacy, name);
	if (!known)
		finding(c, TAF_FINDING, "offset %d: unknown element type \"%s\"",
		    (int)TAF_AT_TYPE, name);
	else if (legacy)
		finding(c, c->legacy, "offset %d: legacy element type %u",
		    (int)TAF_AT_TYPE, (unsigned)p[TAF_AT_TYPE]);
	return known;
}

static void
check_mapping(struct check *c, const struct taf_array *a, bool floats)
{
	bool intercept = taf_is_finite(a->intercept);

	if (intercept != taf_is_finite(a->slope))
		finding(c, TAF_REMARK, "offset %d: only the %s is finite: no mapping",
		    (int)TAF_AT_INTERCEPT, intercept ? "intercept" : "slope");
	if (taf_array_mapped(a) && floats)
		finding(c, TAF_REMARK, "offset %d: a mapping on floats",
		    (int)TAF_AT_INTERCEPT);
}

/* The dimensions; *bytes is the size of the data, where all is well. */
static bool
check_dims(struct check *c, const struct taf_array *a, size_t esize, uint64_t *bytes)
{
	bool fits = true, empty = false;
	uint64_t n = esize;
	unsigned k;

	for (k = 0; k < a->ndim; k++)
		empty = empty || a->dim[k].n == 0;
	for (k = 0; k < a->ndim; k++) {
		const struct taf_dim *d = &a->dim[k];

		/* as taf_array_check has it, of empty arrays too */
		if (fits && ((!empty && !taf_mul(n, d->n, &n)) || n > UINT64_C(1) << 62 ||
		    d->n > UINT64_C(1) << 62)) {
			finding(c, TAF_FINDING,
			    "dimension %u: length %llu makes the array larger than any file",
			    k + 1, (unsigned long long)d->n);
			fits = false;
		}
		if (!taf_is_finite(d->start))
			finding(c, TAF_FINDING, "dimension %u: its start is not finite",
			    k + 1);
		if (!taf_is_finite(d->step) || d->step == 0)
			finding(c, TAF_FINDING, "dimension %u: its step is %s", k + 1,
			    d->step == 0 ? "0" : "not finite");
	}
	*bytes = empty ? 0 : n;
	return fits;
}

static void
check_tail(struct check *c, struct taf_in *in, uint64_t at)
{
	const uint64_t left = taf_in_left(in);
	struct taf_err why = { 0 };
	const unsigned char *p;
	size_t n, i;

	c->st = taf_in_peek(in, left < TAF_COMMENT_MAX ? (size_t)left : TAF_COMMENT_MAX,
	    &p, &n, c->e);
	if (c->st != TAF_OK || n == 0)
		return;
	if (taf_tail_check((const char *)p, n, at, &why) != TAF_OK)
		finding(c, TAF_FINDING, "%s", why.text);
	else if (left > TAF_COMMENT_MAX)
		finding(c, TAF_FINDING, "a comment of %llu bytes, more than %d",
		    (unsigned long long)left, (int)TAF_COMMENT_MAX);
	for (i = 0; i < n && ((p[i] >= ' ' && p[i] < 0x7f) || p[i] == '\t' ||
	    p[i] == '\n'); i++)
		;
	if (i < n && why.code == TAF_OK)
		finding(c, TAF_REMARK, "offset %llu: byte %u of the comment is not text",
		    (unsigned long long)(at + i), p[i]);
}

enum taf_status
taf_check_file(struct taf_in *in, enum taf_status (*say)(void *ctx, enum taf_finding kind,
    const char *text, struct taf_err *e), void *ctx, struct taf_err *e)
{
	struct check c = { say, ctx, e, TAF_OK, TAF_LEGACY };
	uint64_t ndim, bytes, header, left;
	struct taf_array a = { 0 };
	const unsigned char *p;
	bool known;
	size_t got;

	if (!taf_in_seekable(in))
		return taf_fail(e, TAF_EDATA, "no regular file");
	c.st = taf_in_peek(in, TAF_HEADER_MAX, &p, &got, e);
	if (c.st != TAF_OK)
		return c.st;
	if (!taf_sniff(p, got)) {
		finding(&c, TAF_FINDING, "offset 0: not a TAF file");
		return c.st;
	}
	if (got < TAF_AT_DIMS) {
		finding(&c, TAF_FINDING,
		    "the file ends after %zu bytes, inside its header", got);
		return c.st;
	}
	ndim = taf_get64(p + TAF_AT_NDIM, false);
	/* a header of one dimension is never written: another does not fit there */
	if (ndim == 1)
		c.legacy = TAF_FINDING;
	if (!check_opening(&c, p, &a.code))
		return c.st;
	known = check_type(&c, p, &a.type);
	/* the mapping alone */
	taf_field_dims(p, 0, &a);
	check_mapping(&c, &a, known && !taf_type_is_int(a.type));
	if (ndim < 2 || ndim > TAF_MAX_DIM)
		finding(&c, TAF_FINDING, "offset %d: %llu dimensions, not 2 to %d",
		    (int)TAF_AT_NDIM, (unsigned long long)ndim, (int)TAF_MAX_DIM);
	if (ndim < 1 || ndim > TAF_MAX_DIM)
		return c.st;
	header = taf_header_size((unsigned)ndim);
	if (got < header) {
		finding(&c, TAF_FINDING,
		    "the file ends after %zu bytes, inside its header of %llu", got,
		    (unsigned long long)header);
		return c.st;
	}
	taf_field_dims(p, (unsigned)ndim, &a);
	if (!taf_code_fits(a.code, taf_code_rank(&a)))
		finding(&c, TAF_FINDING,
		    "offset 6: type code %u does not go with %u dimensions", a.code,
		    a.ndim);
	if (!check_dims(&c, &a, known ? taf_type_size(a.type) : 1, &bytes) || !known)
		return c.st;
	left = taf_in_left(in);
	if (bytes > left - header) {
		finding(&c, TAF_FINDING, "data of %llu bytes, but %llu follow the header",
		    (unsigned long long)bytes, (unsigned long long)(left - header));
		return c.st;
	}
	if (c.st == TAF_OK)
		c.st = taf_in_skip(in, header + bytes, e);
	if (c.st == TAF_OK)
		check_tail(&c, in, header + bytes);
	return c.st == TAF_OK ? taf_in_unchanged(in, e) : c.st;
}
