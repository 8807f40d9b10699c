/* SPDX-License-Identifier: ISC */
#include "stream/reader_source.h"

#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "kernel/number/convert.h"

enum { TOKEN = 512 };	/* no number in text is longer */

static bool
is_blank(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static enum taf_status
skip_blanks(struct taf_in *in, struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st;
	size_t got, n;

	do {
		st = taf_in_peek(in, 1, &p, &got, e);
		if (st != TAF_OK)
			return st;
		for (n = 0; n < got && is_blank(p[n]); n++)
			;
		if (n > 0)
			st = taf_in_skip(in, n, e);
	} while (st == TAF_OK && n > 0 && n == got);
	return st;
}

/* Has a number in text become infinite that was not written so? */
static bool
overflows(const unsigned char *p, double x)
{
	if (*p == '-' || *p == '+')
		p++;
	return !taf_is_finite(x) && ((*p >= '0' && *p <= '9') || *p == '.');
}

/* A number at the start of text, as a part of an element; its length, 0 if it is none. */
static size_t
scan_float(const unsigned char *p, const unsigned char *end, enum taf_type type,
    unsigned char *to)
{
	double d = 0;
	float f = 0;
	size_t n;

	if (type == TAF_FLT64) {
		n = taf_scan_f64((const char *)p, (const char *)end, &d);
		memcpy(to, &d, sizeof d);
	} else {
		n = taf_scan_f32((const char *)p, (const char *)end, &f);
		memcpy(to, &f, sizeof f);
		d = (double)f;
	}
	return n > 0 && !overflows(p, d) ? n : 0;
}

/* One element that is no pair; its length, 0 if it is none. */
static size_t
scan_number(const unsigned char *p, const unsigned char *end, enum taf_type type,
    unsigned char *to)
{
	const bool is_signed = taf_type_is_signed(type);
	size_t n = 0;
	uint64_t u;
	int64_t i;

	while (p + n < end && !is_blank(p[n]))
		n++;
	if (!taf_type_is_int(type))
		return scan_float(p, p + n, type, to) == n ? n : 0;
	/* an integer of 64 bits, then what of it the type keeps, if that is all of it */
	if (is_signed ? !taf_parse_i64((const char *)p, n, &i) :
	    !taf_parse_u64((const char *)p, n, &u))
		return 0;
	return taf_convert(to, type, is_signed ? (const void *)&i : (const void *)&u,
	    is_signed ? TAF_INT64 : TAF_UINT64, 1, NULL, false, NULL) == 1 ? n : 0;
}

/* Two numbers: of RSF's own complex the second has an i behind it, of others a blank. */
static size_t
scan_pair(const unsigned char *p, const unsigned char *end, enum taf_type type,
    unsigned char *to)
{
	const enum taf_type part = taf_type_facts(type)->component;
	size_t n = scan_float(p, end, part, to), m;

	if (n == 0)
		return 0;
	/* between two numbers is a blank, or a sign: 1.02.0i is one that is damaged */
	if (p + n < end && !is_blank(p[n]) && p[n] != '+' && p[n] != '-')
		return 0;
	while (p + n < end && is_blank(p[n]))
		n++;
	m = scan_float(p + n, end, part, to + taf_type_size(part));
	n += m;
	if (m == 0)
		return 0;
	if (type == TAF_COMPLEX)
		return p + n < end && p[n] == 'i' ? n + 1 : 0;
	return p + n == end || is_blank(p[n]) ? n : 0;
}

/* The next n elements, each so far behind the one before it. */
static enum taf_status
take(struct taf_elements *s, unsigned char *to, size_t step, uint64_t n,
    struct taf_err *e)
{
	const bool pairs = taf_type_is_pair(s->type);
	uint64_t missing = s->left;

	for (; n > 0; n--, missing--, to += step) {
		const unsigned char *p;
		enum taf_status st;
		size_t got, used;

		st = skip_blanks(s->in, e);
		if (st == TAF_OK)
			st = taf_in_peek(s->in, 2 * TOKEN, &p, &got, e);
		if (st != TAF_OK)
			return st;
		if (got == 0)
			return taf_fail(e, TAF_ETRUNC,
			    "the text ends, %llu values missing",
			    (unsigned long long)missing);
		used = pairs ? scan_pair(p, p + got, s->type, to) :
		    scan_number(p, p + got, s->type, to);
		/* a longer one may go on beyond what was looked at */
		if (used == 0 || used > TOKEN)
			return taf_fail(e, TAF_EDATA, "offset %llu: no %s: %.*s",
			    (unsigned long long)taf_in_offset(s->in),
			    taf_type_name(s->type), got < 20 ? (int)got : 20,
			    (const char *)p);
		st = taf_in_skip(s->in, used, e);
		if (st != TAF_OK)
			return st;
	}
	return TAF_OK;
}

static enum taf_status
read_text(struct taf_elements *s, void *to, size_t n, struct taf_err *e)
{
	return take(s, to, s->esize, n, e);
}

static enum taf_status
skip_text(struct taf_elements *s, uint64_t n, struct taf_err *e)
{
	unsigned char one[16];

	return take(s, one, 0, n, e);
}

const struct taf_elements_ops taf_elements_text = {
	false, read_text, skip_text, NULL, NULL, skip_blanks
};
