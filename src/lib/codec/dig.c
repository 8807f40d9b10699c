/* SPDX-License-Identifier: ISC */
/*
 * There is no document of the vendor; the header is as SMASH (DIGfile) and the LANL
 * clinic's programs write it: 512 bytes of free text, then lines of which the last six
 * are numbers.
 */
#include "codec/capture.h"

#include <string.h>

#include "base/num.h"
#include "codec/taf_foreign.h"

enum {
	FREE_TEXT = 512,
	HEADER = 1024,
	USER_TEXT = 768,	/* where it ends, if there is one in front of the lines */
	NUMBERS = 6,
	KEPT = NUMBERS + 2	/* a line for the system, a time stamp, the numbers */
};

struct line {
	size_t at, n;
};

struct dig {
	unsigned char head[HEADER];
	struct line line[KEPT];	/* the last ones */
	unsigned nlines;
	double number[NUMBERS];	/* points, bits, step, start, slope, intercept */
	uint64_t points;
	enum taf_type type;
	bool big;
};

enum { POINTS, BITS, STEP, START, SLOPE, INTERCEPT };

static bool
is_blank(unsigned char c)
{
	return c == ' ' || c == '\0' || c == '\t';
}

static bool
is_end(unsigned char c)
{
	return c == '\r' || c == '\n';
}

/* The last lines of the header that are not blank; NUL counts as a blank. */
static void
find_lines(struct dig *d)
{
	size_t at = FREE_TEXT;

	d->nlines = 0;
	while (at < HEADER) {
		struct line l = { at, 0 };
		size_t end;

		while (at < HEADER && !is_end(d->head[at]))
			at++;
		for (end = at; end > l.at && is_blank(d->head[end - 1]); end--)
			continue;
		while (l.at < end && is_blank(d->head[l.at]))
			l.at++;
		l.n = end - l.at;
		at++;
		if (l.n == 0)
			continue;
		if (d->nlines == KEPT) {
			memmove(d->line, d->line + 1, (KEPT - 1) * sizeof d->line[0]);
			d->nlines--;
		}
		d->line[d->nlines++] = l;
	}
}

/* The six numbers; the index of the first line that is none, NUMBERS where all are. */
static unsigned
find_numbers(struct dig *d)
{
	unsigned i;

	find_lines(d);
	if (d->nlines < NUMBERS)
		return 0;
	for (i = 0; i < NUMBERS; i++) {
		const struct line *l = &d->line[d->nlines - NUMBERS + i];

		if (!taf_parse_f64((const char *)d->head + l->at, l->n, &d->number[i]) ||
		    !taf_is_finite(d->number[i]))
			return i;
	}
	return NUMBERS;
}

static bool
word_type(double bits, enum taf_type *t)
{
	static const enum taf_type types[] = { TAF_UINT8, TAF_UINT16, TAF_UINT32,
	    TAF_UINT64 };
	unsigned i;

	for (i = 0; i < 4; i++)
		if (bits >= (double)(8u << i) && bits <= (double)(8u << i)) {
			*t = types[i];
			return true;
		}
	return false;
}

bool
taf_dig_sniff(const unsigned char *p, size_t n)
{
	struct dig d = { 0 };

	if (n < HEADER)
		return false;
	memcpy(d.head, p, HEADER);
	return find_numbers(&d) == NUMBERS && word_type(d.number[BITS], &d.type);
}

/* Does the free text say that the most significant byte comes first ("BYT_OR MSB")? */
static bool
says_big(const unsigned char *p, size_t n)
{
	static const char between[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz \t:=";
	size_t i, k;

	for (i = 0; i < n; i++) {
		if (!taf_field_begins(p + i, n - i, "BYT_O"))
			continue;
		for (k = i + 5; k < n && !taf_field_begins(p + k, n - k, "MSB") &&
		    !taf_field_begins(p + k, n - k, "LSB") &&
		    memchr(between, p[k], sizeof between - 1) != NULL; k++)
			continue;
		if (k < n)
			return taf_field_begins(p + k, n - k, "MSB");
	}
	return false;
}

/* "Www Mmm dd hh:mm:ss yyyy", as C and MATLAB print a time; otherwise as it stands. */
static void
put_date(const struct dig *d, const struct line *l, struct taf_record *r)
{
	const char *p = (const char *)d->head + l->at;

	if (l->n != 24 || !taf_record_calendar(r, p + 8, p + 4, p + 20, p + 11))
		taf_record_text(r, "date", p, l->n);
}

static enum taf_status
put_attributes(const struct dig *d, struct taf_record *r, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t n;

	if (d->nlines == KEPT) {
		struct line l = d->line[0];

		/* the user's text ends in no line feed */
		if (l.at < USER_TEXT && l.at + l.n > USER_TEXT) {
			l.n = l.at + l.n - USER_TEXT;
			l.at = USER_TEXT;
		}
		taf_record_text(r, "instrument", d->head + l.at, l.n);
	}
	if (d->nlines > NUMBERS)
		put_date(d, &d->line[d->nlines - NUMBERS - 1], r);
	for (n = 0; n < FREE_TEXT && d->head[n] != '\0'; n++)
		continue;
	while (n > 0 && (is_blank(d->head[n - 1]) || is_end(d->head[n - 1])))
		n--;
	if (n > 0)
		st = taf_comment_add(&r->array, (const char *)d->head, n, e);
	taf_record_text(r, "unit", "V", 1);
	taf_record_axis(r, "s", 1);
	return st;
}

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	const struct dig *d = c->state;

	(void)k;
	taf_record_shape(r, d->type, d->points, 1, d->number[START], d->number[STEP]);
	r->array.slope = d->number[SLOPE];
	r->array.intercept = d->number[INTERCEPT];
	r->big = d->big;
	r->offset = HEADER;
	return put_attributes(d, r, e);
}

static enum taf_status
decode(struct taf_capture *c, struct dig *d, struct taf_err *e)
{
	static const char *const names[] = { "number of points", "word size", "step",
	    "start", "step of the values", "value of 0" };
	const double most = 9007199254740992.0;
	unsigned bad;
	size_t got;

	if (taf_capture_peek(c, 0, d->head, HEADER, &got, e) != TAF_OK)
		return e->code;
	bad = got < HEADER ? 0 : find_numbers(d);
	if (bad < NUMBERS && taf_foreign(d->head, got, NULL) != NULL)
		return taf_foreign_fail(c, "an NTS digitizer file", e);
	if (got < HEADER)
		return taf_capture_inside(c, 0, HEADER, "header", e);
	if (d->nlines < NUMBERS)
		return taf_fail(e, TAF_EDATA,
		    "header: %u lines, not the 6 numbers of an NTS digitizer file",
		    d->nlines);
	if (bad < NUMBERS)
		return taf_fail(e, TAF_EDATA, "header: %s: not a number", names[bad]);
	if (!word_type(d->number[BITS], &d->type))
		return taf_fail(e, TAF_EDATA,
		    "header: the word size is not 8, 16, 32 or 64");
	if (!(d->number[POINTS] >= 1 && d->number[POINTS] < most) ||
	    (double)(uint64_t)d->number[POINTS] < d->number[POINTS])
		return taf_fail(e, TAF_EDATA, "header: not a number of points");
	d->points = (uint64_t)d->number[POINTS];
	d->big = says_big(d->head, FREE_TEXT);
	c->nrecords = 1;
	/* a byte too many is none of a transfer: there is no text behind samples */
	if ((c->size - HEADER) / taf_type_size(d->type) >= d->points)
		c->left[TAF_LEFT_BYTES] = c->size - HEADER -
		    d->points * taf_type_size(d->type);
	return TAF_OK;
}

enum taf_status
taf_dig_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	struct dig *d = taf_capture_begin(c, in, sizeof *d, describe, e);

	return d != NULL ? decode(c, d, e) : TAF_ESYS;
}
