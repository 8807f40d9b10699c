#include "codec/text.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/num.h"

enum {
	CHUNK = 256 * 1024,		/* read at a time */
	LINE_MAX_BYTES = 64 * 1024 * 1024,
	KEEP = 1024 * 1024		/* of header and footer */
};

/* How far a value may lie from its place on a grid, in steps. */
static const double tolerance = 1e-6;

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
	enum taf_type type;
	size_t esize;
	bool grid;
	const char *cur, *end;		/* what in has given, unconsumed from base on */
	const char *base;
	bool final;			/* nothing comes behind end */
	uint64_t line;			/* number of the line last taken */
	const char *pending;		/* the first row, until it is read */
	size_t pending_n;
	size_t columns;			/* numbers in a line */
	uint64_t rows;
	bool over;
	struct uniform uniform;
	struct taf_buf comment;
	struct taf_text_notes notes;
};

static inline bool
is_separator(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

static enum taf_status
fill(struct taf_text *t, struct taf_err *e)
{
	size_t left = (size_t)(t->end - t->cur);
	size_t want = left > CHUNK / 2 ? 2 * left : CHUNK;
	const unsigned char *p;
	enum taf_status st;
	size_t got;

	st = taf_in_skip(t->in, (uint64_t)(t->cur - t->base), e);
	if (st == TAF_OK)
		st = taf_in_peek(t->in, want, &p, &got, e);
	if (st != TAF_OK)
		return st;
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
		st = fill(t, e);
		if (st != TAF_OK)
			return st;
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

/* Is it all numbers?  *n of them. */
static bool
count_numbers(const char *s, const char *end, size_t *n)
{
	size_t len;
	double x;

	for (*n = 0; ; (*n)++) {
		while (s < end && is_separator(*s))
			s++;
		if (s == end)
			return true;
		len = taf_scan_f64(s, end, &x);
		s += len;
		if (len == 0 || (s < end && !is_separator(*s)))
			return false;
	}
}

/* Range of an integer type: from -below to above. */
static void
limits(enum taf_type type, uint64_t *below, uint64_t *above)
{
	unsigned bits = 8 * (unsigned)taf_type_size(type);

	if (taf_type_is_signed(type)) {
		*below = UINT64_C(1) << (bits - 1);
		*above = *below - 1;
	} else {
		*below = 0;
		*above = UINT64_MAX >> (64 - bits);
	}
}

/* Store sign and magnitude as an element; false where it does not fit. */
static bool
store(enum taf_type type, bool minus, uint64_t magnitude, unsigned char *to)
{
	uint64_t below, above, bits = minus ? 0 - magnitude : magnitude;
	uint32_t u32 = (uint32_t)bits;
	uint16_t u16 = (uint16_t)bits;
	uint8_t u8 = (uint8_t)bits;

	limits(type, &below, &above);
	if (magnitude > (minus ? below : above))
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
 * A number as an integer; returns its length.  Digits alone are taken exactly, anything
 * else is rounded to the nearest, halves away from zero, below 2^53, where a double
 * tells it exactly.
 */
static size_t
scan_integer(struct taf_text *t, const char *s, const char *end, unsigned char *to,
    bool *fits)
{
	const bool minus = *s == '-';
	const char *digits = s + (minus || *s == '+'), *p;
	uint64_t v = 0;
	double x, rest;
	size_t n;

	for (p = digits; p < end && *p >= '0' && *p <= '9'; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	n = (size_t)(p - digits);
	if (n > 0 && (p == end || is_separator(*p))) {
		/* up to 19 digits always fit 64 bits */
		*fits = (n <= 19 || taf_parse_u64(digits, n, &v)) &&
		    store(t->type, minus, v, to);
		return (size_t)(p - s);
	}
	n = taf_scan_f64(s, end, &x);
	if (n == 0)
		return 0;
	x = minus ? -x : x;
	/* NaN is not below either */
	if (!(x < 9007199254740992.0)) {
		*fits = false;
		return n;
	}
	v = (uint64_t)x;
	rest = x - (double)v;
	v += rest >= 0.5;
	t->notes.rounded += rest > 0;
	*fits = store(t->type, minus, v, to);
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
scan_element(struct taf_text *t, const char *s, const char *end, unsigned char *to,
    bool *fits)
{
	size_t n;
	double d;
	float f;

	*fits = true;
	if (t->type == TAF_FLT32) {
		n = taf_scan_f32(s, end, &f);
		if (n > 0) {
			memcpy(to, &f, sizeof f);
			*fits = !overflowed(s, f > FLT_MAX || f < -FLT_MAX);
		}
	} else if (t->type == TAF_FLT64) {
		n = taf_scan_f64(s, end, &d);
		if (n > 0) {
			memcpy(to, &d, sizeof d);
			*fits = !overflowed(s, d > DBL_MAX || d < -DBL_MAX);
		}
	} else {
		n = scan_integer(t, s, end, to, fits);
	}
	return n;
}

static enum taf_status
fail_misfit(const struct taf_text *t, const char *s, const char *end, size_t column,
    struct taf_err *e)
{
	int n = 0;

	while (n < 40 && s + n < end && !is_separator(s[n]))
		n++;
	return taf_fail(e, TAF_EDATA, "line %llu, column %zu: %.*s does not fit %s",
	    (unsigned long long)t->line, column, n, s, taf_type_name(t->type));
}

static void
note_grid(struct taf_text *t, double x)
{
	struct uniform *u = &t->uniform;
	double i = (double)t->rows, least, most;

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
		u->bad_line = t->line;
	if (t->rows == 0 || u->bad_line != 0)
		return;
	least = x / (i + tolerance);
	most = x / (i - tolerance);
	if (least > u->least) {
		u->least = least;
		u->least_line = t->line;
	}
	if (most < u->most) {
		u->most = most;
		u->most_line = t->line;
	}
}

enum row { ROW, BLANK, OTHER };

/* A line as a row of the table at to; *misfit is where and which value does not fit. */
static enum row
read_row(struct taf_text *t, const char *s, const char *end, unsigned char *to,
    const char **misfit, size_t *column)
{
	double x = 0;
	size_t k, n;
	bool fits;

	*misfit = NULL;
	for (k = 0; ; k++) {
		while (s < end && is_separator(*s))
			s++;
		if (s == end)
			break;
		if (k == t->columns)
			return OTHER;
		if (t->grid && k == 0) {
			n = taf_scan_f64(s, end, &x);
			fits = true;
		} else {
			n = scan_element(t, s, end, to, &fits);
			to += t->esize;
		}
		if (n == 0 || (s + n < end && !is_separator(s[n])))
			return OTHER;
		if (!fits && *misfit == NULL) {
			*misfit = s;
			*column = k + 1;
		}
		s += n;
	}
	if (k != t->columns)
		return k == 0 ? BLANK : OTHER;
	if (t->grid)
		note_grid(t, x);
	return ROW;
}

/* Put a line of header or footer aside. */
static enum taf_status
keep_line(struct taf_text *t, const char *s, size_t n, struct taf_err *e)
{
	enum taf_status st;

	if (n > 0 && memchr(s, '\0', n) != NULL)
		return taf_fail(e, TAF_EDATA, "line %llu: no text: it holds a NUL",
		    (unsigned long long)t->line);
	if (t->notes.cut > 0 || n + 1 > KEEP - t->comment.len) {
		t->notes.cut += n + 1;
		return TAF_OK;
	}
	if (n > 0 && s[n - 1] == '\r')
		n--;
	st = taf_buf_put(&t->comment, s, n, e);
	return st != TAF_OK ? st : taf_buf_put(&t->comment, "\n", 1, e);
}

static enum taf_status
read_header(struct taf_text *t, struct taf_err *e)
{
	enum taf_status st;
	const char *s;
	size_t n;

	st = fill(t, e);
	/* the byte order mark of UTF-8 */
	if (st == TAF_OK && t->end - t->cur >= 3 &&
	    memcmp(t->cur, "\xef\xbb\xbf", 3) == 0)
		t->cur += 3;
	while (st == TAF_OK) {
		st = take_line(t, &s, &n, e);
		if (st == TAF_END)
			return taf_fail(e, TAF_EDATA,
			    "no line of numbers alone, among %llu lines",
			    (unsigned long long)t->line);
		if (st == TAF_OK && count_numbers(s, s + n, &t->columns) &&
		    t->columns > 0)
			break;
		if (st == TAF_OK)
			st = keep_line(t, s, n, e);
	}
	if (st != TAF_OK)
		return st;
	if (t->grid && t->columns == 1)
		return taf_fail(e, TAF_EDATA, "line %llu: one column: nothing is left "
		    "beside the grid", (unsigned long long)t->line);
	t->pending = s;
	t->pending_n = n;
	return TAF_OK;
}

enum taf_status
taf_text_open(struct taf_text **result, struct taf_in *in, enum taf_type type, bool grid,
    struct taf_err *e)
{
	struct taf_text *t;
	enum taf_status st;

	if (type == TAF_COMPLEX)
		return taf_fail(e, TAF_EUSAGE, "no complex numbers in text");
	t = calloc(1, sizeof *t);
	if (t == NULL)
		return taf_fail_mem(e);
	t->in = in;
	t->type = type;
	t->esize = taf_type_size(type);
	t->grid = grid;
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
	free(t);
}

size_t
taf_text_columns(const struct taf_text *t)
{
	return t->columns - t->grid;
}

/* From the line that ended the table on. */
static enum taf_status
read_footer(struct taf_text *t, const char *s, size_t n, struct taf_err *e)
{
	enum taf_status st;
	size_t blank = 0, numbers;
	double x;

	while (blank < n && is_separator(s[blank]))
		blank++;
	if (taf_scan_f64(s + blank, s + n, &x) > 0)
		t->notes.broken = t->line;
	t->over = true;
	do {
		if (t->notes.broken == 0 && count_numbers(s, s + n, &numbers) &&
		    numbers == t->columns)
			t->notes.broken = t->line;
		st = keep_line(t, s, n, e);
		if (st == TAF_OK)
			st = take_line(t, &s, &n, e);
	} while (st == TAF_OK);
	return st == TAF_END ? TAF_OK : st;
}

static enum taf_status
next_line(struct taf_text *t, const char **s, size_t *n, struct taf_err *e)
{
	if (t->pending == NULL)
		return take_line(t, s, n, e);
	*s = t->pending;
	*n = t->pending_n;
	t->pending = NULL;
	return TAF_OK;
}

enum taf_status
taf_text_read(struct taf_text *t, void *rows, size_t most, size_t *n, struct taf_err *e)
{
	unsigned char *to = rows;
	enum taf_status st;
	uint64_t rounded;
	const char *s, *misfit;
	size_t len, column = 0;
	enum row row;

	for (*n = 0; *n < most && !t->over; ) {
		st = next_line(t, &s, &len, e);
		if (st == TAF_END) {
			t->over = true;
			break;
		}
		if (st != TAF_OK)
			return st;
		rounded = t->notes.rounded;
		row = read_row(t, s, s + len, to, &misfit, &column);
		if (row == ROW && misfit != NULL)
			return fail_misfit(t, misfit, s + len, column, e);
		if (row == OTHER) {
			t->notes.rounded = rounded;
			st = read_footer(t, s, len, e);
			if (st != TAF_OK)
				return st;
		}
		if (row == ROW) {
			to += taf_text_columns(t) * t->esize;
			t->rows++;
			(*n)++;
		}
	}
	return TAF_OK;
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
		return taf_fail(e, TAF_EDATA, "line %llu, column 1: no uniform grid from "
		    "the first value to the last has this one", (unsigned long long)line);
	return TAF_OK;
}

enum taf_status
taf_text_array(const struct taf_text *t, struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	taf_array_fini(a);
	taf_array_init(a);
	a->type = t->type;
	taf_array_add_dim(a, t->rows, 1, 1);
	taf_array_add_dim(a, taf_text_columns(t), 1, 1);
	if (t->grid)
		st = make_grid(t, &a->dim[0], e);
	if (st == TAF_OK)
		st = taf_buf_put(&a->comment, t->comment.data, t->comment.len, e);
	return st;
}

const struct taf_text_notes *
taf_text_notes(const struct taf_text *t)
{
	return &t->notes;
}
