#include "cli/check.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "array/array.h"
#include "base/endian.h"
#include "base/num.h"
#include "codec/taf.h"
#include "io/undo.h"

struct check {
	enum taf_status (*say)(void *ctx, enum cmd_finding kind, const char *text,
	    struct taf_err *e);
	void *ctx;
	struct taf_err *e;
	enum taf_status st;
	enum cmd_finding legacy;	/* what a legacy header is */
};

static void
finding(struct check *c, enum cmd_finding kind, const char *fmt, ...) TAF_PRINTF(3, 4);

static void
finding(struct check *c, enum cmd_finding kind, const char *fmt, ...)
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
check_opening(struct check *c, const unsigned char *p, unsigned *code)
{
	bool legacy = p[3] == '(';
	unsigned major = p[4], i;
	char undo[TAF_UNDO_NAME];
	bool text = false;

	*code = legacy ? 0 : p[6];
	if (legacy && major >= '0' && major <= '9')
		major -= '0';
	if (legacy)
		finding(c, c->legacy, "offset 3: legacy opening");
	if (legacy && p[6] != ')')
		finding(c, CMD_FINDING, "offset 6: byte %u, not the end of the opening", p[6]);
	if (p[7] != '\n')
		finding(c, CMD_FINDING, "offset 7: byte %u in place of a line feed", p[7]);
	if (major != 1)
		finding(c, CMD_FINDING, "offset 4: version %u.%u, not 1.x", major, p[5]);
	for (i = TAF_MAGIC_SIZE; i < TAF_DATA_HEADER; i++)
		text = text || (p[i] > ' ' && p[i] < 0x7f);
	if (!text)
		finding(c, CMD_REMARK, "offset 8: no synopsis");
	if (taf_undo_marked(p, TAF_UNDO_MARK, undo))
		finding(c, CMD_FINDING, "offset 8: the synopsis says that a change goes on, or "
		    "was interrupted, which %s undoes", undo);
	if (*code > TAF_CODE_IMAGE)
		finding(c, CMD_REMARK, "offset 6: unknown type code %u", *code);
	return major == 1;
}

/* Size of an element, 0 where the type is unknown. */
static size_t
check_type(struct check *c, const unsigned char *p, bool *integer)
{
	enum taf_type type;
	bool legacy;
	char name[9];

	if (!taf_file_type(p, &type, &legacy, name)) {
		finding(c, CMD_FINDING, "offset 1024: unknown element type \"%s\"", name);
		return 0;
	}
	if (legacy)
		finding(c, c->legacy, "offset 1024: legacy element type %u", (unsigned)p[0]);
	*integer = taf_type_is_int(type);
	return taf_type_size(type);
}

static void
check_mapping(struct check *c, const unsigned char *p, bool known, bool integer)
{
	bool a = taf_is_finite(taf_getf64(p, false)), b = taf_is_finite(taf_getf64(p + 8, false));

	if (a != b)
		finding(c, CMD_REMARK, "offset 1032: only the %s is finite: no mapping",
		    a ? "intercept" : "slope");
	if (a && b && known && !integer)
		finding(c, CMD_REMARK, "offset 1032: a mapping on floats");
}

/* The dimensions; *bytes is the size of the data, where all is well. */
static bool
check_dims(struct check *c, const unsigned char *p, uint64_t ndim, size_t esize,
    uint64_t *bytes)
{
	bool fits = true, empty = false;
	uint64_t k, n = esize != 0 ? esize : 1;

	for (k = 0; k < ndim; k++)
		empty = empty || taf_get64(p + 24 * k, false) == 0;
	for (k = 0; k < ndim; k++) {
		uint64_t length = taf_get64(p + 24 * k, false);
		double start = taf_getf64(p + 24 * k + 8, false);
		double step = taf_getf64(p + 24 * k + 16, false);

		if (fits && !empty && (!taf_mul(n, length, &n) || n > UINT64_C(1) << 62)) {
			finding(c, CMD_FINDING, "dimension %u: length %llu makes the array "
			    "larger than any file", (unsigned)k + 1,
			    (unsigned long long)length);
			fits = false;
		}
		if (!taf_is_finite(start))
			finding(c, CMD_FINDING, "dimension %u: its start is not finite",
			    (unsigned)k + 1);
		if (!taf_is_finite(step) || step == 0)
			finding(c, CMD_FINDING, "dimension %u: its step is %s",
			    (unsigned)k + 1, step == 0 ? "0" : "not finite");
	}
	*bytes = empty ? 0 : n;
	return fits && esize != 0;
}

/* As taf_code_rank, of dimensions that may be unsound. */
static unsigned
code_rank(const unsigned char *p, unsigned ndim)
{
	while (ndim > 2 && taf_get64(p + 24 * (ndim - 1), false) == 1)
		ndim--;
	return ndim;
}

static void
check_tail(struct check *c, struct taf_in *in, uint64_t at)
{
	unsigned char block[4096];
	uint64_t left;

	left = taf_in_left(in);
	if (left > TAF_COMMENT_MAX)
		finding(c, CMD_FINDING, "a comment of %llu bytes, more than %d",
		    (unsigned long long)left, (int)TAF_COMMENT_MAX);
	while (left > 0 && c->st == TAF_OK) {
		size_t n = left < sizeof block ? (size_t)left : sizeof block, i;

		c->st = taf_in_read(in, block, n, c->e);
		if (c->st == TAF_OK && taf_in_offset(in) - n == at && taf_sniff(block, n)) {
			finding(c, CMD_FINDING,
			    "offset %llu: another TAF file follows the data",
			    (unsigned long long)at);
			return;
		}
		for (i = 0; i < n && c->st == TAF_OK; i++)
			if ((block[i] < ' ' && block[i] != '\t' && block[i] != '\n') ||
			    block[i] >= 0x7f) {
				finding(c, CMD_REMARK,
				    "offset %llu: byte %u of the comment is not text",
				    (unsigned long long)(taf_in_offset(in) - n + i), block[i]);
				return;
			}
		left -= n;
	}
}

enum taf_status
cmd_check_file(struct taf_in *in, enum taf_status (*say)(void *ctx, enum cmd_finding kind,
    const char *text, struct taf_err *e), void *ctx, struct taf_err *e)
{
	struct check c = { say, ctx, e, TAF_OK, CMD_LEGACY };
	const unsigned char *p;
	uint64_t ndim, bytes, header, left;
	bool integer = true;
	unsigned code;
	size_t got, esize;

	if (!taf_in_seekable(in))
		return taf_fail(e, TAF_EDATA, "no regular file");
	c.st = taf_in_peek(in, TAF_HEADER_MAX, &p, &got, e);
	if (c.st != TAF_OK)
		return c.st;
	if (!taf_sniff(p, got)) {
		finding(&c, CMD_FINDING, "offset 0: not a TAF file");
		return c.st;
	}
	if (got < TAF_DIMS) {
		finding(&c, CMD_FINDING, "the file ends after %zu bytes, inside its header", got);
		return c.st;
	}
	ndim = taf_get64(p + 1048, false);
	/* a header of one dimension is never written: another has no room in its place */
	if (ndim == 1)
		c.legacy = CMD_FINDING;
	if (!check_opening(&c, p, &code))
		return c.st;
	esize = check_type(&c, p + TAF_DATA_HEADER, &integer);
	check_mapping(&c, p + 1032, esize != 0, integer);
	if (ndim < 2 || ndim > TAF_MAX_DIM)
		finding(&c, CMD_FINDING, "offset 1048: %llu dimensions, not 2 to %d",
		    (unsigned long long)ndim, (int)TAF_MAX_DIM);
	if (ndim < 1 || ndim > TAF_MAX_DIM)
		return c.st;
	header = TAF_DIMS + 24 * ndim;
	if (got < header) {
		finding(&c, CMD_FINDING, "the file ends after %zu bytes, inside its header of "
		    "%llu", got, (unsigned long long)header);
		return c.st;
	}
	if (!taf_code_fits(code, code_rank(p + TAF_DIMS, (unsigned)ndim)))
		finding(&c, CMD_FINDING, "offset 6: type code %u does not go with %u dimensions",
		    code, (unsigned)ndim);
	if (!check_dims(&c, p + TAF_DIMS, ndim, esize, &bytes))
		return c.st;
	left = taf_in_left(in);
	if (bytes > left - header) {
		finding(&c, CMD_FINDING, "data of %llu bytes, but %llu follow the header",
		    (unsigned long long)bytes, (unsigned long long)(left - header));
		return c.st;
	}
	if (c.st == TAF_OK)
		c.st = taf_in_skip(in, header + bytes, e);
	if (c.st == TAF_OK)
		check_tail(&c, in, header + bytes);
	return c.st == TAF_OK ? taf_in_unchanged(in, e) : c.st;
}
