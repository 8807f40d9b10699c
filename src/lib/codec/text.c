/* SPDX-License-Identifier: ISC */
#include "codec/text.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/num.h"
#include "codec/taf_foreign.h"
#include "codec/textline.h"
#include "codec/textnames.h"

enum {
	CHUNK = 256 * 1024,		/* read at a time */
	LINE_MAX_BYTES = 64 * 1024 * 1024,
	KEEP = 1024 * 1024		/* of header and footer */
};

/*
 * The steps that bring a uniform grid from the first value within the tolerance of each
 * of the others, times sign; and the lines whose values are the bounds.
 */
struct uniform {
	double first, last, sign;
	double least, most;
	uint64_t least_line, most_line;
	uint64_t bad_line;		/* no number, or no other than the first */
};

struct taf_text {
	struct taf_in *in;
	struct taf_text_how how;
	size_t esize;
	const unsigned char *ends;	/* of numbers */
	const unsigned char *looked;	/* the same, where messages are made */
	/*
	 * Between fields, some of which may be missing; 0: blanks.  It alone is a mark in
	 * own.
	 */
	char mark;
	unsigned char own[256];
	const char *cur, *end;		/* what in has given, unconsumed from base on */
	const char *base;
	bool final;			/* nothing comes behind end */
	uint64_t line;			/* number of the line last taken */
	struct taf_buf rest;		/* of a line, behind what was taken last */
	bool all;			/* all of in is taken */
	size_t columns;			/* numbers in a line */
	unsigned separator;		/* the mark between all of them, 0: blanks too */
	unsigned may_be, must_be;	/* between numbers: these or those */
	uint64_t first;			/* line of the first row */
	uint64_t rows;
	bool over;
	struct uniform uniform;
	struct taf_buf exchanged;	/* the line looked at, where commas are points */
	/* the last line of the header that is not blank, and its bytes */
	struct taf_textline above;
	uint64_t above_line;
	struct taf_buf names;
	uint64_t blank;			/* below that, the first line that is */
	size_t header;			/* bytes of the comment above the table */
	struct taf_buf comment;
	struct taf_text_notes notes;
};

struct taf_text_part {
	struct taf_buf text;		/* whole lines */
	/* but what begins there is no line: it is too long */
	bool endless;
	unsigned char *values;
	size_t room;			/* of values in bytes */
	double *grid;			/* of each row, in whose line it is */
	uint64_t *line;			/* of each row, from 1 on */
	size_t grid_room;		/* of both in rows */
	size_t rows;
	uint64_t lines;			/* up to what follows */
	uint64_t rounded, clipped;
	const char *stop;		/* the line that is no row, or NULL */
	const char *misfit;		/* in the line last counted, or NULL */
	size_t column;
};

/* Is the number over that goes on to s? */
static inline bool
is_end(const unsigned char *ends, const char *s, const char *end)
{
	return s == end || ends[(unsigned char)*s] != 0;
}

static enum taf_status
fill(struct taf_text *t, struct taf_err *e)
{
	size_t left = (size_t)(t->end - t->cur);
	size_t want = left > CHUNK / 2 ? 2 * left : CHUNK;
	const unsigned char *p;
	size_t got;

	if (taf_in_skip(t->in, (uint64_t)(t->cur - t->base), e) != TAF_OK ||
	    taf_in_peek(t->in, want, &p, &got, e) != TAF_OK)
		return e->code;
	t->base = t->cur = (const char *)p;
	t->end = t->cur + got;
	t->final = got < want;
	return TAF_OK;
}

/* The next line, without its LF, lent until the next call; TAF_END behind the last. */
static enum taf_status
take_line(struct taf_text *t, const char **s, size_t *n, struct taf_err *e)
{
	enum taf_status st;
	const char *lf;

	for (;;) {
		size_t left = (size_t)(t->end - t->cur);

		lf = left > 0 ? memchr(t->cur, '\n', left) : NULL;
		if (lf != NULL || t->final)
			break;
		if (left > LINE_MAX_BYTES)
			return taf_fail(e, TAF_EDATA, "line %llu: longer than %d bytes",
			    (unsigned long long)t->line + 1, (int)LINE_MAX_BYTES);
		if (fill(t, e) != TAF_OK)
			return e->code;
	}
	if (lf == NULL && t->cur == t->end) {
		st = taf_in_skip(t->in, (uint64_t)(t->cur - t->base), e);
		t->base = t->cur;
		return st != TAF_OK ? st : TAF_END;
	}
	*s = t->cur;
	*n = (size_t)((lf != NULL ? lf : t->end) - t->cur);
	t->cur = lf != NULL ? lf + 1 : t->end;
	t->line++;
	return TAF_OK;
}

/* Blanks and semicolons do for each other. */
static inline bool
with_commas(unsigned between)
{
	return between == TAF_BETWEEN_COMMA;
}

/* See what a line is. */
static enum taf_status
look(struct taf_text *t, struct taf_textline *l, const char *s, size_t n,
    struct taf_err *e)
{
	if (t->how.comma) {
		t->exchanged.len = 0;
		if (taf_buf_put(&t->exchanged, s, n, e) != TAF_OK)
			return e->code;
		s = t->exchanged.data;
		taf_textline_exchange(t->exchanged.data, n);
	}
	taf_textline_look(l, t->looked, t->how.missing, s, n);
	return TAF_OK;
}

/* The largest magnitude of an integer type. */
static uint64_t
largest(enum taf_type type, bool minus)
{
	const struct taf_type_facts *f = taf_type_facts(type);

	return minus ? 0 - (uint64_t)f->min : f->max;
}

/* Store sign and magnitude as an element; false where it does not fit. */
static bool
store(enum taf_type type, bool minus, uint64_t magnitude, unsigned char *to)
{
	const uint64_t bits = minus ? 0 - magnitude : magnitude;
	uint32_t u32 = (uint32_t)bits;
	uint16_t u16 = (uint16_t)bits;
	uint8_t u8 = (uint8_t)bits;

	if (magnitude > largest(type, minus))
		return false;
	switch (taf_type_size(type)) {
	case 1:
		memcpy(to, &u8, sizeof u8);
		break;
	case 2:
		memcpy(to, &u16, sizeof u16);
		break;
	case 4:
		memcpy(to, &u32, sizeof u32);
		break;
	default:
		memcpy(to, &bits, sizeof bits);
		break;
	}
	return true;
}

/*
 * A number as an integer; returns its length.  All of its digits count, whatever form it
 * has.
 */
static size_t
scan_integer(const struct taf_text *t, const char *s, const char *end, unsigned char *to,
    bool *fits, uint64_t *rounded)
{
	const enum taf_type type = t->how.type;
	const bool minus = *s == '-';
	const char *digits = s + (minus || *s == '+'), *p;
	struct taf_integer x;
	uint64_t v = 0;
	size_t n;

	for (p = digits; p < end && *p >= '0' && *p <= '9'; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	n = (size_t)(p - digits);
	/* up to 19 digits always fit 64 bits */
	if (n > 0 && n <= 19 && is_end(t->ends, p, end)) {
		*fits = store(type, minus, v, to);
		return (size_t)(p - s);
	}
	n = taf_scan_integer(s, end, &x);
	if (n == 0)
		return 0;
	*fits = x.kind <= TAF_INTEGER_ROUNDED && store(type, x.minus, x.magnitude, to);
	*rounded += *fits && x.kind == TAF_INTEGER_ROUNDED;
	return n;
}

/* A finite number that is too large for its type has become an infinity. */
static bool
overflowed(const char *s, bool infinite)
{
	s += *s == '-' || *s == '+';
	return infinite && (*s == '.' || (*s >= '0' && *s <= '9'));
}

/* A number as an element; returns its length, 0 if it is none. */
static inline size_t
scan_element(const struct taf_text *t, const char *s, const char *end, unsigned char *to,
    bool *fits, uint64_t *rounded)
{
	const enum taf_type type = t->how.type;
	size_t n;
	double d;
	float f;

	*fits = true;
	if (type == TAF_FLT32) {
		n = taf_scan_f32(s, end, &f);
		if (n > 0) {
			memcpy(to, &f, sizeof f);
			*fits = !overflowed(s, f > FLT_MAX || f < -FLT_MAX);
		}
	} else if (type == TAF_FLT64) {
		n = taf_scan_f64(s, end, &d);
		if (n > 0) {
			memcpy(to, &d, sizeof d);
			*fits = !overflowed(s, d > DBL_MAX || d < -DBL_MAX);
		}
	} else {
		n = scan_integer(t, s, end, to, fits, rounded);
	}
	return n;
}

/* Store a number that did not fit as the nearest that does, NaN as 0. */
static void
store_nearest(enum taf_type type, const char *s, const char *end, unsigned char *to)
{
	double x;
	float f;

	(void)taf_scan_f64(s, end, &x);
	if (type == TAF_FLT32) {
		f = x < 0 ? -FLT_MAX : FLT_MAX;
		memcpy(to, &f, sizeof f);
		return;
	}
	if (type == TAF_FLT64) {
		x = x < 0 ? -DBL_MAX : DBL_MAX;
		memcpy(to, &x, sizeof x);
		return;
	}
	/* NaN is neither less nor more than 0 */
	(void)store(type, x < 0, x < 0 || x > 0 ? largest(type, x < 0) : 0, to);
}

static enum taf_status
fail_misfit(const struct taf_text *t, const char *s, const char *end, size_t column,
    struct taf_err *e)
{
	int n = 0;

	while (n < 40 && !is_end(t->ends, s + n, end))
		n++;
	return taf_fail(e, TAF_EDATA, "line %llu, column %zu: value %.*s does not fit %s",
	    (unsigned long long)t->line, column, n, s,
	    taf_type_limits(t->how.type).s);
}

static void
note_grid(struct taf_text *t, double x, uint64_t line)
{
	struct uniform *u = &t->uniform;
	const double i = (double)t->rows, off = t->how.tolerance;
	double least, most;

	u->last = x;
	if (t->rows == 0) {
		u->first = x;
		u->least = 0;
		u->most = DBL_MAX;
	}
	x -= u->first;
	if (t->rows == 1)
		u->sign = x < 0 ? -1 : 1;
	x *= u->sign;
	if (u->bad_line == 0 && !(t->rows == 0 ? x == 0 : x > 0 && x <= DBL_MAX))
		u->bad_line = line;
	if (t->rows == 0 || u->bad_line != 0)
		return;
	least = x / (i + off);
	most = i > off ? x / (i - off) : DBL_MAX;
	if (least > u->least) {
		u->least = least;
		u->least_line = line;
	}
	if (most < u->most) {
		u->most = most;
		u->most_line = line;
	}
}

enum row { ROW, BLANK, OTHER };

/* Where a row is read to, and what is counted only if it is one. */
struct row_of {
	struct taf_text_part *part;
	unsigned char *to;
	uint64_t rounded, clipped;
};

/* The number at s as the next of a row, in column k from 0; NULL if there is none. */
static TAF_INLINE const char *
take_number(const struct taf_text *t, struct row_of *row, size_t k, const char *s,
    const char *end)
{
	bool fits = true;
	size_t n;

	if (t->how.grid && k == 0) {
		n = taf_scan_f64(s, end, &row->part->grid[row->part->rows]);
	} else {
		n = scan_element(t, s, end, row->to, &fits, &row->rounded);
		if (n > 0 && !fits && t->how.clip) {
			store_nearest(t->how.type, s, end, row->to);
			fits = true;
			row->clipped++;
		}
		row->to += t->esize;
	}
	if (n == 0 || !is_end(t->ends, s + n, end))
		return NULL;
	if (!fits && row->part->misfit == NULL) {
		row->part->misfit = s;
		row->part->column = k + 1;
	}
	return s + n;
}

/* A row is behind *line, with what it counts. */
static enum row
accept(const struct row_of *row, const char **line, const char *s, const char *end)
{
	*line = s < end ? s + 1 : end;
	row->part->rounded += row->rounded;
	row->part->clipped += row->clipped;
	return ROW;
}

/* May this stand behind the last number of a row? */
static inline bool
may_end(unsigned between, unsigned separator)
{
	between &= ~(unsigned)TAF_BETWEEN_RETURN;
	return between == 0 || between == separator || (separator == 0 &&
	    (between == TAF_BETWEEN_COMMA || between == TAF_BETWEEN_SEMICOLON));
}

/* A row without gaps, or a blank line. */
static inline enum row
read_full(const struct taf_text *t, struct taf_text_part *part, const char **line,
    const char *end, unsigned char *to)
{
	struct row_of row = { part, to, 0, 0 };
	unsigned between;
	const char *s = taf_textline_skip(t->ends, *line, end, &between);
	size_t k;

	if ((between & ~(unsigned)TAF_BETWEEN_RETURN) != 0)
		return OTHER;
	for (k = 0; s < end && *s != '\n'; k++) {
		if (k == t->columns || (k > 0 && (between | t->may_be) != t->must_be))
			return OTHER;
		s = take_number(t, &row, k, s, end);
		if (s == NULL)
			return OTHER;
		s = taf_textline_skip(t->ends, s, end, &between);
	}
	if (k == 0) {
		/* of one column, it may be a row without its number */
		if (t->how.missing && t->columns == 1)
			return OTHER;
		*line = s < end ? s + 1 : end;
		return BLANK;
	}
	if (k < t->columns || (between != 0 && !may_end(between, t->separator)))
		return OTHER;
	return accept(&row, line, s, end);
}

/* Over blanks around a field, and over what ends a line before its line feed. */
static const char *
skip_blanks(const struct taf_text *t, const char *s, const char *end)
{
	const char *p;

	while (s < end && t->own[(unsigned char)*s] == TAF_BETWEEN_BLANK)
		s++;
	for (p = s; p < end && (t->own[(unsigned char)*p] &
	    (TAF_BETWEEN_BLANK | TAF_BETWEEN_RETURN)) != 0; p++)
		continue;
	return p == end || *p == '\n' ? p : s;
}

/* A field as the next of a row: a number, or NaN; NULL if it is neither. */
static const char *
take_field(const struct taf_text *t, struct row_of *row, size_t k, const char *s,
    const char *end)
{
	static const char nan[] = "nan\n";
	const char *p = s, *number;

	while (!is_end(t->ends, p, end))
		p++;
	if (p > s && !taf_textline_missing(s, (size_t)(p - s))) {
		number = take_number(t, row, k, s, end);
		return number == p ? p : NULL;
	}
	(void)take_number(t, row, k, nan, nan + sizeof nan - 1);
	return p;
}

/* A row of which fields are missing: they are NaN. */
static TAF_SELDOM enum row
read_gaps(const struct taf_text *t, struct taf_text_part *part, const char **line,
    const char *end, unsigned char *to)
{
	struct row_of row = { part, to, 0, 0 };
	const char *s = *line;
	bool last = false;
	size_t k;

	for (k = 0; !last; k++) {
		s = skip_blanks(t, s, end);
		last = s == end || *s == '\n';
		/* behind a mark that ends the line */
		if (last && k == t->columns)
			break;
		if (k == t->columns || (last && t->mark == 0))
			return OTHER;
		s = take_field(t, &row, k, s, end);
		if (s == NULL)
			return OTHER;
		s = skip_blanks(t, s, end);
		last = s == end || *s == '\n';
		if (!last && t->mark != 0 && *s++ != t->mark)
			return OTHER;
	}
	return k < t->columns ? OTHER : accept(&row, line, s, end);
}

/* The line at *s as the next row of a part; *s is then behind it, unless it is OTHER. */
static enum row
read_row(const struct taf_text *t, struct taf_text_part *part, const char **line,
    const char *end, unsigned char *to)
{
	enum row kind = read_full(t, part, line, end, to);

	if (kind != OTHER)
		return kind;
	part->misfit = NULL;
	if (t->how.missing)
		kind = read_gaps(t, part, line, end, to);
	if (kind == OTHER)
		part->misfit = NULL;
	return kind;
}

/* A line holds a NUL. */
static enum taf_status
no_text(uint64_t line, const char *s, size_t n, struct taf_err *e)
{
	char what[TAF_FOREIGN_TEXT];

	if (line == 1 && taf_foreign_text((const unsigned char *)s, n, what))
		return taf_fail(e, TAF_EDATA, "%s, no table in text", what);
	return taf_fail(e, TAF_EDATA, "line %llu: no text: it holds a NUL",
	    (unsigned long long)line);
}

/* Put a line of header or footer aside. */
static enum taf_status
keep_line(struct taf_text *t, const char *s, size_t n, struct taf_err *e)
{
	enum taf_status st;

	if (n > 0 && memchr(s, '\0', n) != NULL)
		return no_text(t->line, s, n, e);
	if (t->notes.cut > 0 || n + 1 > KEEP - t->comment.len) {
		t->notes.cut += n + 1;
		return TAF_OK;
	}
	if (n > 0 && s[n - 1] == '\r')
		n--;
	st = taf_buf_put(&t->comment, s, n, e);
	return st != TAF_OK ? st : taf_buf_put(&t->comment, "\n", 1, e);
}

/* The way out where commas may be decimal ones. */
static const char *
advice(const struct taf_textline *l)
{
	return !with_commas(l->separator) ? "" :
	    " (txt2taf --decimal , reads decimal commas)";
}

/* What of a line of numbers alone cannot be told, or is missing. */
static enum taf_status
fail_numbers(const struct taf_text *t, const struct taf_textline *l, struct taf_err *e)
{
	const unsigned long long line = t->line;
	const char *mark = t->mark == ';' ? "semicolon" :
	    t->mark == '\t' ? "tab" : "comma";

	if (l->mixed != 0 && l->separator != TAF_BETWEEN_COMMA)
		return taf_fail(e, TAF_EDATA,
		    "line %llu, column %zu: a carriage return between numbers", line,
		    l->mixed);
	if (l->mixed != 0)
		return taf_fail(e, TAF_EDATA,
		    "line %llu, column %zu: a %s and another separator between numbers%s",
		    line, l->mixed, mark, t->mark == ';' || t->mark == '\t' ? "" :
		    advice(l));
	return taf_fail(e, TAF_EDATA, "line %llu, column %zu: no number%s", line,
	    l->missing, t->how.missing ? "" : " (txt2taf --missing nan makes it NaN)");
}

/* Fields, not columns, in a line; in whose first row they are others. */
static enum taf_status
fail_fields(uint64_t line, size_t fields, size_t columns, uint64_t first,
    struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA,
	    "line %llu, column %zu: %zu columns, not %zu as in line %llu",
	    (unsigned long long)line, (fields < columns ? fields : columns) + 1, fields,
	    columns, (unsigned long long)first);
}

/* What separates the fields of the first row, of which some may be missing. */
static enum taf_status
choose_mark(struct taf_text *t, struct taf_textline *l, const char *s, size_t n,
    struct taf_err *e)
{
	const bool comma = !t->how.comma && memchr(s, ',', n) != NULL,
	    semicolon = memchr(s, ';', n) != NULL, tab = memchr(s, '\t', n) != NULL;

	t->mark = comma ? ',' : semicolon ? ';' : tab ? '\t' : 0;
	if (comma + semicolon + tab > 1 && l->mixed == 0) {
		l->mixed = 2;
		l->separator = TAF_BETWEEN_COMMA;
	}
	if (l->mixed != 0)
		return fail_numbers(t, l, e);
	t->own['\n'] = TAF_BETWEEN_FEED;
	t->own['\r'] = TAF_BETWEEN_RETURN;
	/* a tab is no blank: fields may be missing around it */
	t->own[' '] = TAF_BETWEEN_BLANK;
	if (t->mark != 0)
		t->own[(unsigned char)t->mark] = TAF_BETWEEN_COMMA;
	t->ends = t->own;
	if (t->mark == ';' || t->mark == '\t')
		t->looked = t->own;
	if (look(t, l, s, n, e) != TAF_OK ||
	    (t->above_line != 0 &&
	    look(t, &t->above, t->names.data, t->names.len, e) != TAF_OK))
		return e->code;
	return l->mixed != 0 ? fail_numbers(t, l, e) : TAF_OK;
}

/* The line above the first row names its fields, or has none of what separates them. */
static enum taf_status
check_names(const struct taf_text *t, struct taf_err *e)
{
	const char *s = t->names.data;
	const size_t n = t->names.len, tabs = taf_textnames_count(s, n, '\t');
	size_t names = taf_textnames_count(s, n, t->mark != 0 ? t->mark : '\t');

	if (t->mark == 0 && t->columns == 1 && names == 1)
		names = taf_textnames_count(s, n, ';');
	if (t->mark == 0 && t->columns == 1 && names == 1 && !t->how.comma)
		names = taf_textnames_count(s, n, ',');
	if (t->mark != 0 && t->mark != '\t' && tabs > 1)
		return taf_fail(e, TAF_EDATA,
		    "line %llu: not separated by tabs, as line %llu is",
		    (unsigned long long)t->line, (unsigned long long)t->above_line);
	if (names == 1 || names == t->columns)
		return TAF_OK;
	return fail_fields(t->line, t->columns, names, t->above_line, e);
}

/*
 * Blanks separate the first row.  If tabs separate as many fields in it as in the names
 * above it, a field that has but a name lacks its number: return it, from 1, or 0.
 */
static size_t
unnumbered(const struct taf_text *t, const char *s, size_t n)
{
	const char *name = t->names.data, *names, *end = s + n;
	size_t found = 0, k;

	if (name == NULL)
		return 0;
	names = name + t->names.len;
	for (k = 1;; k++) {
		const char *field = s;
		bool named = false;

		for (; name < names && *name != '\t'; name++)
			named = named || (*name != ' ' && *name != '\r');
		while (s < end && (*s == ' ' || *s == '\r'))
			s++;
		if (named && found == 0 && (s == end || *s == '\t'))
			found = k;
		s = memchr(field, '\t', (size_t)(end - field));
		if ((s == NULL) != (name == names))
			return 0;
		if (s == NULL)
			return found;
		s++;
		name++;
	}
}

/* A table may have one column, of which a number is missing where a line is blank. */
static enum taf_status
fail_blank(uint64_t line, struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA,
	    "line %llu: blank, where a number may be missing: a field without one is NA or \"\" here",
	    (unsigned long long)line);
}

/* The first row, which says how many columns there are and what separates them. */
static enum taf_status
begin_table(struct taf_text *t, struct taf_textline *l, const char *s, size_t n,
    struct taf_err *e)
{
	if (t->how.missing) {
		if (choose_mark(t, l, s, n, e) != TAF_OK)
			return e->code;
	} else {
		if (l->mixed == 0 && l->missing == 0 && l->separator == 0)
			l->missing = unnumbered(t, s, n);
		if (l->mixed != 0 || l->missing != 0)
			return fail_numbers(t, l, e);
	}
	t->first = t->line;
	t->separator = !t->how.missing ? l->separator :
	    t->mark == ',' ? TAF_BETWEEN_COMMA :
	    t->mark == ';' ? TAF_BETWEEN_SEMICOLON : 0;
	t->may_be = t->how.missing || with_commas(l->separator) ? 0 :
	    TAF_BETWEEN_SEMICOLON;
	t->must_be = t->may_be != 0 ? t->may_be :
	    t->how.missing && t->mark == 0 ? 0 : TAF_BETWEEN_COMMA;
	t->columns = t->mark != 0 ? l->marks + 1 : l->numbers;
	if (taf_textline_like(&t->above, t->columns,
	    t->mark != 0 ? TAF_BETWEEN_COMMA : t->separator))
		return taf_fail(e, TAF_EDATA,
		    "line %llu, column %zu: no number, in a line as wide as the rows below it",
		    (unsigned long long)t->above_line, t->above.other);
	if (t->how.missing && t->above_line != 0 && check_names(t, e) != TAF_OK)
		return e->code;
	if (t->how.missing && t->columns == 1 && t->blank != 0)
		return fail_blank(t->blank, e);
	if (t->how.grid && t->columns == 1)
		return taf_fail(e, TAF_EDATA,
		    "line %llu: one column: nothing is left beside the grid",
		    (unsigned long long)t->line);
	return TAF_OK;
}

/* Is a line the first row?  One of which all fields are missing may be. */
static bool
is_row(const struct taf_text *t, const struct taf_textline *l, const char *s, size_t n)
{
	return l->other == 0 && (l->numbers > 0 || (t->how.missing && (l->marks > 0 ||
	    memchr(s, '\t', n) != NULL)));
}

/* A line above the table; where fields may be missing, it has one line of names. */
static enum taf_status
take_header(struct taf_text *t, const struct taf_textline *l, const char *s, size_t n,
    struct taf_err *e)
{
	int k = 0;

	if (keep_line(t, s, n, e) != TAF_OK)
		return e->code;
	if (l->other == 0) {
		t->blank = t->blank == 0 ? t->line : t->blank;
		return TAF_OK;
	}
	t->blank = 0;
	if (t->how.missing && taf_textline_remark(s, n))
		return TAF_OK;
	if (t->how.missing && (t->above_line != 0 || !taf_textline_names(s, n))) {
		while (k < 40 && l->other_at + (size_t)k < n &&
		    t->looked[(unsigned char)s[l->other_at + (size_t)k]] == 0)
			k++;
		return taf_fail(e, TAF_EDATA,
		    "line %llu, column %zu: %.*s is no number, nor missing, %s",
		    (unsigned long long)t->line, l->other, k,
		    s + l->other_at, t->above_line != 0 ?
		    "and names are in one line above" : "nor a name");
	}
	t->above = *l;
	t->above_line = t->line;
	t->names.len = 0;
	return taf_buf_put(&t->names, s, n > 0 && s[n - 1] == '\r' ? n - 1 : n, e);
}

static enum taf_status
read_header(struct taf_text *t, struct taf_err *e)
{
	struct taf_textline l;
	enum taf_status st;
	const char *s = NULL;
	size_t n = 0;

	if (fill(t, e) != TAF_OK)
		return e->code;
	/* the byte order mark of UTF-8 */
	if (t->end - t->cur >= 3 && memcmp(t->cur, "\xef\xbb\xbf", 3) == 0)
		t->cur += 3;
	for (;;) {
		st = take_line(t, &s, &n, e);
		if (st == TAF_END)
			return taf_fail(e, TAF_EDATA,
			    "no line of numbers alone, among %llu lines",
			    (unsigned long long)t->line);
		if (st != TAF_OK || look(t, &l, s, n, e) != TAF_OK)
			return e->code;
		if (is_row(t, &l, s, n))
			break;
		if (take_header(t, &l, s, n, e) != TAF_OK)
			return e->code;
	}
	if (begin_table(t, &l, s, n, e) != TAF_OK)
		return e->code;
	t->header = t->notes.cut > 0 ? 0 : t->comment.len;
	/* the table begins with it */
	t->line--;
	return taf_in_skip(t->in, (uint64_t)(s - t->base), e);
}

enum taf_status
taf_text_open(struct taf_text **result, struct taf_in *in, const struct taf_text_how *how,
    struct taf_err *e)
{
	struct taf_text *t;
	enum taf_status st;

	if (taf_type_is_pair(how->type))
		return taf_fail(e, TAF_EUSAGE, "no complex numbers in text");
	t = calloc(1, sizeof *t);
	if (t == NULL)
		return taf_fail_mem(e);
	t->in = in;
	t->how = *how;
	t->esize = taf_type_size(how->type);
	t->looked = t->ends = how->comma ? taf_textline_comma_ends : taf_textline_ends;
	st = read_header(t, e);
	if (st != TAF_OK)
		taf_text_close(t);
	else
		*result = t;
	return st;
}

void
taf_text_close(struct taf_text *t)
{
	if (t == NULL)
		return;
	taf_buf_free(&t->comment);
	taf_buf_free(&t->rest);
	taf_buf_free(&t->exchanged);
	taf_buf_free(&t->names);
	free(t);
}

size_t
taf_text_columns(const struct taf_text *t)
{
	return t->columns - t->how.grid;
}

bool
taf_text_short(const struct taf_text *t)
{
	return t->final;
}

void
taf_text_part_free(struct taf_text_part *part)
{
	if (part == NULL)
		return;
	taf_buf_free(&part->text);
	free(part->values);
	free(part->grid);
	free(part->line);
	free(part);
}

/* So many bytes behind the last line feed stay for the next part. */
static enum taf_status
cut(struct taf_text *t, struct taf_text_part *part, struct taf_err *e)
{
	const char *end = part->text.data + part->text.len, *p = end;

	while (p > part->text.data && p[-1] != '\n')
		p--;
	part->text.len = (size_t)(p - part->text.data);
	return taf_buf_put(&t->rest, p, (size_t)(end - p), e);
}

enum taf_status
taf_text_take(struct taf_text *t, struct taf_text_part **result, size_t bytes, bool *more,
    struct taf_err *e)
{
	struct taf_text_part *part = *result;
	struct taf_buf *b;
	size_t from = 0, want = t->rest.len + bytes, got;

	*more = !t->all;
	if (t->all)
		return TAF_OK;
	if (part == NULL && (part = *result = calloc(1, sizeof *part)) == NULL)
		return taf_fail_mem(e);
	b = &part->text;
	b->len = 0;
	for (;;) {
		if (taf_buf_reserve(b, want - b->len, e) != TAF_OK)
			return e->code;
		if (b->len == 0 && t->rest.len > 0)
			memcpy(b->data, t->rest.data, t->rest.len);
		b->len += t->rest.len;
		t->rest.len = 0;
		if (taf_in_read_part(t->in, b->data + b->len, want - b->len, &got,
		    e) != TAF_OK)
			return e->code;
		b->len += got;
		t->all = b->len < want;
		if (t->all || memchr(b->data + from, '\n', b->len - from) != NULL)
			break;
		part->endless = t->all = b->len > LINE_MAX_BYTES;
		if (t->all)
			break;
		from = b->len;
		want = 2 * b->len;
	}
	*more = b->len > 0;
	return t->all ? TAF_OK : cut(t, part, e);
}

/*
 * Room for what a part can hold: a number and what is behind it have two bytes, a missing
 * one has one.
 */
static enum taf_status
make_room(const struct taf_text *t, struct taf_text_part *part, struct taf_err *e)
{
	const size_t values = (t->how.missing ? part->text.len : part->text.len / 2) + 1;
	const size_t rows = values / t->columns + 1;

	if (values * t->esize > part->room) {
		free(part->values);
		part->values = taf_alloc(values, t->esize);
		part->room = part->values != NULL ? values * t->esize : 0;
	}
	if (t->how.grid && rows > part->grid_room) {
		free(part->grid);
		free(part->line);
		part->grid = taf_alloc(rows, sizeof *part->grid);
		part->line = taf_alloc(rows, sizeof *part->line);
		part->grid_room = part->grid != NULL && part->line != NULL ? rows : 0;
	}
	if (part->room == 0 || (t->how.grid && part->grid_room == 0))
		return taf_fail_mem(e);
	return TAF_OK;
}

enum taf_status
taf_text_parse(const struct taf_text *t, struct taf_text_part *part, struct taf_err *e)
{
	const size_t row = taf_text_columns(t) * t->esize;
	const char *s = part->text.data, *end = s + part->text.len;
	enum taf_status st = make_room(t, part, e);

	part->rows = 0;
	part->lines = part->rounded = part->clipped = 0;
	part->stop = part->misfit = NULL;
	if (part->endless)
		return TAF_OK;
	if (t->how.comma)
		taf_textline_exchange(part->text.data, part->text.len);
	while (st == TAF_OK && s < end && part->misfit == NULL) {
		const enum row kind = read_row(t, part, &s, end,
		    part->values + part->rows * row);

		if (kind == OTHER) {
			part->stop = s;
			break;
		}
		part->lines++;
		if (kind == ROW && t->how.grid)
			part->line[part->rows] = part->lines;
		part->rows += kind == ROW;
	}
	if (t->how.comma)
		taf_textline_exchange(part->text.data, part->text.len);
	return st;
}

/* From a line of a part on, all is footer, whether there are rows in it or not. */
static enum taf_status
keep_footer(struct taf_text *t, const char *s, const char *end, struct taf_err *e)
{
	struct taf_textline l;
	const char *lf;

	for (; s < end; s = lf < end ? lf + 1 : end) {
		lf = memchr(s, '\n', (size_t)(end - s));
		if (lf == NULL)
			lf = end;
		t->line++;
		if (look(t, &l, s, (size_t)(lf - s), e) != TAF_OK)
			return e->code;
		if (l.other == 0 && l.numbers > 0 && t->rows == 1)
			return taf_fail(e, TAF_EDATA,
			    "line %llu: numbers below the text that follows a single row, line %llu: either may be the table",
			    (unsigned long long)t->line, (unsigned long long)t->first);
		if (t->notes.broken == 0 && l.other == 0 && l.numbers == t->columns)
			t->notes.broken = t->line;
		if (keep_line(t, s, (size_t)(lf - s), e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* A line that is no row: the first of the footer, or an error. */
static enum taf_status
end_table(struct taf_text *t, const char *s, const char *end, struct taf_err *e)
{
	const char *lf = memchr(s, '\n', (size_t)(end - s));
	const size_t n = (size_t)((lf != NULL ? lf : end) - s);
	const unsigned long long line = t->line + 1;
	struct taf_textline l;
	size_t fields;
	bool word;
	int k = 0;

	if (look(t, &l, s, n, e) != TAF_OK)
		return e->code;
	word = taf_textline_word(&l, s, n);
	if (word && t->how.trailer) {
		t->over = true;
		return TAF_OK;
	}
	if (memchr(s, '\0', n) != NULL)
		return no_text(line, s, n, e);
	t->line++;
	if (l.other != 0) {
		s += l.other_at;
		while (k < 40 && !is_end(t->ends, s + k, end))
			k++;
		return taf_fail(e, TAF_EDATA,
		    "line %llu, column %zu: %.*s is no number%s", line, l.other, k, s,
		    word ? " (--trailer lets text end the table)" : "");
	}
	if (t->how.missing && l.numbers == 0 && l.marks == 0)
		return fail_blank(t->line, e);
	if (l.missing == 0 && l.marked_end && l.numbers < t->columns)
		l.missing = l.columns;
	if (l.mixed != 0 || (l.missing != 0 && !t->how.missing))
		return fail_numbers(t, &l, e);
	if (t->looked != t->own && l.numbers > 1 &&
	    with_commas(l.separator) != with_commas(t->separator) &&
	    t->columns > 1)
		return taf_fail(e, TAF_EDATA,
		    "line %llu, column 2: not the separator of line %llu%s",
		    line, (unsigned long long)t->first, advice(&l));
	fields = l.missing != 0 ? l.marks + 1 : l.columns - 1;
	if (fields == t->columns)
		return taf_fail(e, TAF_EDATA, "line %llu: not separated as line %llu is",
		    line, (unsigned long long)t->first);
	return fail_fields(t->line, fields, t->columns, t->first, e);
}

enum taf_status
taf_text_give(struct taf_text *t, struct taf_text_part *part, const void **rows,
    size_t *n, struct taf_err *e)
{
	const char *end = part->text.data + part->text.len,
	    *footer = t->over ? part->text.data : part->stop;
	enum taf_status st = TAF_OK;
	size_t i;

	*n = 0;
	if (part->endless)
		return taf_fail(e, TAF_EDATA, "line %llu: longer than %d bytes",
		    (unsigned long long)t->line + 1, (int)LINE_MAX_BYTES);
	if (!t->over) {
		for (i = 0; t->how.grid && i < part->rows; i++, t->rows++)
			note_grid(t, part->grid[i], t->line + part->line[i]);
		t->rows += t->how.grid ? 0 : part->rows;
		t->line += part->lines;
		t->notes.rounded += part->rounded;
		t->notes.clipped += part->clipped;
		if (part->misfit != NULL)
			return fail_misfit(t, part->misfit, end, part->column, e);
		*rows = part->values;
		*n = part->rows;
	}
	if (footer == NULL)
		return TAF_OK;
	if (!t->over)
		st = end_table(t, footer, end, e);
	return st != TAF_OK ? st : keep_footer(t, footer, end, e);
}

static enum taf_status
make_grid(const struct taf_text *t, struct taf_dim *d, struct taf_err *e)
{
	const struct uniform *u = &t->uniform;
	double step;
	uint64_t line = u->bad_line;

	d->start = u->first;
	if (t->rows > 1 && line == 0) {
		d->step = (u->last - u->first) / (double)(t->rows - 1);
		step = d->step * u->sign;
		line = step < u->least ? u->least_line :
		    step > u->most ? u->most_line : 0;
	}
	if (line != 0)
		return taf_fail(e, TAF_EDATA,
		    "line %llu, column 1: no uniform grid from the first value to the last has this one; curves that are not uniform are read without -c",
		    (unsigned long long)line);
	return TAF_OK;
}

/*
 * The line of names: a line that says so, or the last one of the header if what stands
 * between its names cannot be in them.
 */
static enum taf_status
take_names(const struct taf_text *t, struct taf_array *a, struct taf_err *e)
{
	const size_t tag = sizeof TAF_TEXT_NAMES - 1;
	struct taf_textnames names = { .mark = ',', .columns = t->columns,
	    .grid = t->how.grid };
	const char *s = t->comment.data, *end = s + t->header, *lf;
	bool told = false;

	for (; s < end && !told; s = lf + 1) {
		lf = memchr(s, '\n', (size_t)(end - s));
		if (lf == NULL)
			break;
		if (lf == s)
			continue;
		told = (size_t)(lf - s) > tag && memcmp(s, TAF_TEXT_NAMES, tag) == 0;
		names.line = s + (told ? tag : 0);
		names.n = (size_t)(lf - names.line);
	}
	if (names.line == NULL)
		return TAF_OK;
	if (!told) {
		names.mark = t->separator == TAF_BETWEEN_COMMA ? ',' :
		    t->separator == TAF_BETWEEN_SEMICOLON ? ';' : '\t';
		for (; names.n > 0 && strchr("#% ", *names.line) != NULL; names.n--)
			names.line++;
		if (memchr(names.line, names.mark, names.n) == NULL)
			return TAF_OK;
	}
	return taf_textnames_apply(&names, a, e);
}

enum taf_status
taf_text_array(const struct taf_text *t, struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	taf_array_fini(a);
	taf_array_init(a);
	a->type = t->how.type;
	taf_array_add_dim(a, t->rows, 1, 1);
	taf_array_add_dim(a, taf_text_columns(t), 1, 1);
	if (t->how.grid)
		st = make_grid(t, &a->dim[0], e);
	if (st == TAF_OK)
		st = taf_buf_put(&a->comment, t->comment.data, t->comment.len, e);
	if (st == TAF_OK && t->header > 0)
		st = take_names(t, a, e);
	return st;
}

const struct taf_text_notes *
taf_text_notes(const struct taf_text *t)
{
	return &t->notes;
}
