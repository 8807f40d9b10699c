/* SPDX-License-Identifier: ISC */
#include "codec/npy.h"

#include <string.h>

#include "base/decimal.h"
#include "base/endian.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/taf_foreign.h"

enum {
	MAGIC = 6,
	ALIGN = 64,
	GROWTH = 21	/* digits that numpy leaves for an axis that may grow */
};

static const unsigned char magic[MAGIC] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

/* The literal, and how far it is read. */
struct scan {
	const char *start, *at, *end;
	struct taf_ndarray *nd;
	bool old;		/* Python 2 may have written it: 3L is 3 */
	struct taf_err *e;
};

static enum taf_status
wrong(const struct scan *s, const char *wanted)
{
	return taf_fail(s->e, TAF_EDATA, "header: character %zu: %s expected",
	    (size_t)(s->at - s->start) + 1, wanted);
}

static void
blanks(struct scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || (*s->at >= '\t' && *s->at <= '\r')))
		s->at++;
}

/* Take the character c and the blanks before it, if it is there. */
static bool
take(struct scan *s, char c)
{
	blanks(s);
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static bool
take_word(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
		return false;
	s->at += n;
	return true;
}

/* A string literal without escapes. */
static enum taf_status
string(struct scan *s, const char *wanted, const char **p, size_t *n)
{
	char quote;

	blanks(s);
	if (s->at == s->end || (*s->at != '\'' && *s->at != '"'))
		return wrong(s, wanted);
	quote = *s->at++;
	*p = s->at;
	while (s->at < s->end && *s->at != quote) {
		if (*s->at == '\\' || *s->at == '\n')
			return wrong(s, "a string without escapes");
		s->at++;
	}
	if (s->at == s->end)
		return wrong(s, "the end of a string");
	*n = (size_t)(s->at++ - *p);
	return TAF_OK;
}

static enum taf_status
descr(struct scan *s)
{
	enum taf_status st;
	size_t n, order;
	const char *p;

	blanks(s);
	if (s->at < s->end && (*s->at == '[' || *s->at == '('))
		return taf_fail(s->e, TAF_EDATA,
		    "header: structured elements (descr is a list): not read");
	st = string(s, "the element type as a string", &p, &n);
	if (st != TAF_OK)
		return st;
	order = n > 0 && memchr("<>=|", *p, 4) != NULL ? 1 : 0;
	if (!taf_ndarray_named(s->nd, p + order, n - order))
		return taf_fail(s->e, TAF_EDATA, "header: element type %.*s is not read",
		    n < 32 ? (int)n : 32, p);
	/* where it says none it is, as for numpy.dtype, that of the machine that reads */
	s->nd->big = order == 1 && *p != '=' && *p != '|' ? *p == '>' : taf_host_is_big();
	return TAF_OK;
}

static enum taf_status
fortran_order(struct scan *s)
{
	blanks(s);
	s->nd->fortran = take_word(s, "True");
	return s->nd->fortran || take_word(s, "False") ? TAF_OK :
	    wrong(s, "True or False");
}

static enum taf_status
length(struct scan *s)
{
	const char *p = s->at;

	while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
		s->at++;
	if (s->at == p || (*p == '0' && s->at > p + 1)) {
		s->at = p;
		return wrong(s, "a length");
	}
	if (s->nd->ndim == TAF_MAX_DIM)
		return taf_fail(s->e, TAF_EDATA, "header: more than %d dimensions",
		    (int)TAF_MAX_DIM);
	if (!taf_parse_u64(p, (size_t)(s->at - p), &s->nd->n[s->nd->ndim++]))
		return taf_fail(s->e, TAF_EDATA, "header: length %.*s is too large",
		    s->at - p < 32 ? (int)(s->at - p) : 32, p);
	if (s->old)
		(void)take_word(s, "L");
	return TAF_OK;
}

/* (), (3,), (3, 4), (3, 4,): one in brackets without a comma is no tuple. */
static enum taf_status
shape(struct scan *s)
{
	bool comma = true;

	if (!take(s, '('))
		return wrong(s, "the shape as a tuple");
	while (!take(s, ')')) {
		enum taf_status st;

		if (!comma)
			return wrong(s, "a comma");
		st = length(s);
		if (st != TAF_OK)
			return st;
		comma = take(s, ',');
		if (s->nd->ndim == 1 && !comma)
			return wrong(s, "a comma");
	}
	return TAF_OK;
}

static enum taf_status
parse(struct scan *s)
{
	static const struct {
		const char *key;
		enum taf_status (*value)(struct scan *s);
	} keys[] = {
		{ "descr", descr }, { "fortran_order", fortran_order },
		{ "shape", shape },
	};
	enum { NKEYS = sizeof keys / sizeof keys[0] };
	bool seen[NKEYS] = { false }, comma = true;
	size_t n, i;

	if (!take(s, '{'))
		return wrong(s, "a dictionary");
	while (!take(s, '}')) {
		enum taf_status st;
		const char *p;

		if (!comma)
			return wrong(s, "a comma");
		st = string(s, "a key", &p, &n);
		if (st != TAF_OK)
			return st;
		for (i = 0; i < NKEYS; i++)
			if (n == strlen(keys[i].key) && memcmp(p, keys[i].key, n) == 0)
				break;
		if (i == NKEYS || seen[i])
			return taf_fail(s->e, TAF_EDATA, "header: key %.*s %s",
			    n < 32 ? (int)n : 32, p, i == NKEYS ? "is unknown" : "twice");
		seen[i] = true;
		if (!take(s, ':'))
			return wrong(s, "a colon");
		st = keys[i].value(s);
		if (st != TAF_OK)
			return st;
		comma = take(s, ',');
	}
	for (i = 0; i < NKEYS; i++)
		if (!seen[i])
			return taf_fail(s->e, TAF_EDATA, "header: key %s is missing",
			    keys[i].key);
	blanks(s);
	return s->at == s->end ? TAF_OK : wrong(s, "the end of the header");
}

/* Magic word, version, length of the literal. */
static enum taf_status
read_start(struct taf_in *in, unsigned *major, size_t *n, struct taf_err *e)
{
	unsigned char p[MAGIC + 2 + 4];
	const unsigned char *seen;
	enum taf_status st;
	uint32_t length;
	size_t got;

	st = taf_in_peek(in, MAGIC, &seen, &got, e);
	if (st == TAF_OK && memcmp(seen, magic, got < MAGIC ? got : MAGIC) != 0)
		st = taf_foreign_here(in, "NumPy file", e);
	if (st == TAF_OK)
		st = taf_in_read(in, p, MAGIC + 2, e);
	if (st != TAF_OK)
		return st;
	*major = p[MAGIC];
	if (*major < 1 || *major > 3 || p[MAGIC + 1] != 0)
		return taf_fail(e, TAF_EDATA, "version %u.%u, not 1.0, 2.0 or 3.0",
		    *major, p[MAGIC + 1]);
	if (taf_in_read(in, p, *major == 1 ? 2 : 4, e) != TAF_OK)
		return e->code;
	length = *major == 1 ? taf_get16(p, false) : taf_get32(p, false);
	if (length > TAF_NPY_HEADER_MAX)
		return taf_fail(e, TAF_EDATA, "a header of %lu bytes, more than %d",
		    (unsigned long)length, (int)TAF_NPY_HEADER_MAX);
	*n = length;
	return TAF_OK;
}

enum taf_status
taf_npy_read(struct taf_in *in, struct taf_ndarray *nd, uint64_t *bytes,
    struct taf_err *e)
{
	const unsigned char *p;
	const char *text;
	struct scan s;
	unsigned major;
	size_t n = 0, got;

	memset(nd, 0, sizeof *nd);
	if (read_start(in, &major, &n, e) != TAF_OK ||
	    taf_in_peek(in, n, &p, &got, e) != TAF_OK)
		return e->code;
	if (got < n)
		return taf_fail(e, TAF_ETRUNC,
		    "offset %llu: a header of %zu bytes, but %zu are there",
		    (unsigned long long)taf_in_offset(in), n, got);
	text = (const char *)p;
	s = (struct scan){ text, text, text + n, nd, major < 3, e };
	if (parse(&s) != TAF_OK || taf_in_skip(in, n, e) != TAF_OK ||
	    taf_ndarray_bytes(nd, bytes, e) != TAF_OK)
		return e->code;
	if (taf_in_seekable(in) && *bytes > taf_in_left(in))
		return taf_fail(e, TAF_ETRUNC,
		    "offset %llu: elements of %llu bytes, but %llu are there",
		    (unsigned long long)taf_in_offset(in), (unsigned long long)*bytes,
		    (unsigned long long)taf_in_left(in));
	return TAF_OK;
}

/* Is the order of C also that of Fortran?  numpy then says that it is C's. */
static bool
both_orders(const struct taf_ndarray *nd)
{
	unsigned longer = 0, k;

	for (k = 0; k < nd->ndim; k++) {
		if (nd->n[k] == 0)
			return true;
		longer += nd->n[k] > 1;
	}
	return longer <= 1;
}

/* The dictionary as Python prints it, and the room that numpy leaves behind it. */
static void
put_literal(struct taf_str *to, const struct taf_ndarray *nd)
{
	const bool fortran = nd->fortran && !both_orders(nd);
	char digits[TAF_DECIMAL_MAX];
	unsigned k;

	taf_str_printf(to, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (",
	    taf_type_size(nd->type) > 1 ? '<' : '|', taf_ndarray_name(nd),
	    fortran ? "True" : "False");
	for (k = 0; k < nd->ndim; k++)
		taf_str_printf(to, "%s%llu", k > 0 ? ", " : "",
		    (unsigned long long)nd->n[k]);
	taf_str_puts(to, nd->ndim == 1 ? ",), }" : "), }");
	if (nd->ndim > 0)
		taf_str_printf(to, "%*s", GROWTH -
		    (int)taf_print_u64(digits, nd->n[fortran ? nd->ndim - 1 : 0]), "");
}

enum taf_status
taf_npy_format(const struct taf_ndarray *nd, struct taf_buf *to, struct taf_err *e)
{
	unsigned char start[MAGIC + 4] = { 0 };
	struct taf_str literal = { .err = e }, file = { .buf = *to, .err = e };
	size_t used;

	put_literal(&literal, nd);
	used = sizeof start + literal.buf.len + 1;
	taf_str_printf(&literal, "%*s\n", (int)(ALIGN - used % ALIGN), "");
	memcpy(start, magic, MAGIC);
	start[MAGIC] = 1;
	start[MAGIC + 2] = (unsigned char)(literal.buf.len & 0xff);
	start[MAGIC + 3] = (unsigned char)(literal.buf.len >> 8);
	file.st = literal.st;
	taf_str_put(&file, start, sizeof start);
	taf_str_put(&file, literal.buf.data, literal.buf.len);
	taf_str_free(&literal);
	*to = file.buf;
	return file.st;
}
