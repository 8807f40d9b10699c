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
	bool grid, clip;
	const char *cur, *end;		/* what in has given, unconsumed from base on */
	const char *base;
	bool final;			/* nothing comes behind end */
	uint64_t line;			/* number of the line last taken */
	struct taf_buf rest;		/* of a line, behind what was taken last */
	bool all;			/* all of in is taken */
	size_t columns;			/* numbers in a line */
	uint64_t rows;
	bool over;
	struct uniform uniform;
	struct taf_buf comment;
	struct taf_text_notes notes;
};

struct taf_text_part {
	char *text;			/* of n bytes: whole lines */
	size_t n, cap;
	bool endless;			/* but what begins there is no line: it is too long */
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

static inline bool
is_separator(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

/* Is the number over that goes on to s? */
static inline bool
is_end(const char *s, const char *end)
{
	return s == end || *s == '\n' || is_separator(*s);
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
		if (len == 0 || !is_end(s, end))
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
scan_integer(enum taf_type type, const char *s, const char *end, unsigned char *to,
    bool *fits, uint64_t *rounded)
{
	const bool minus = *s == '-';
	const char *digits = s + (minus || *s == '+'), *p;
	uint64_t v = 0;
	double x, rest;
	size_t n;

	for (p = digits; p < end && *p >= '0' && *p <= '9'; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	n = (size_t)(p - digits);
	if (n > 0 && is_end(p, end)) {
		/* up to 19 digits always fit 64 bits */
		*fits = (n <= 19 || taf_parse_u64(digits, n, &v)) &&
		    store(type, minus, v, to);
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
	*fits = store(type, minus, v, to);
	*rounded += *fits && rest > 0;
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
scan_element(enum taf_type type, const char *s, const char *end, unsigned char *to,
    bool *fits, uint64_t *rounded)
{
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
		n = scan_integer(type, s, end, to, fits, rounded);
	}
	return n;
}

/*
 * Store a number that did not fit as the nearest that does, NaN as 0; false where it is
 * within the range, and has more digits than can be told.
 */
static bool
store_nearest(enum taf_type type, const char *s, const char *end, unsigned char *to)
{
	uint64_t below, above, limit;
	double x;
	float f;

	(void)taf_scan_f64(s, end, &x);
	if (type == TAF_FLT32) {
		f = x < 0 ? -FLT_MAX : FLT_MAX;
		memcpy(to, &f, sizeof f);
		return true;
	}
	if (type == TAF_FLT64) {
		x = x < 0 ? -DBL_MAX : DBL_MAX;
		memcpy(to, &x, sizeof x);
		return true;
	}
	limits(type, &below, &above);
	limit = x < 0 ? below : above;
	if ((x < 0 ? -x : x) < (double)limit)
		return false;
	/* NaN is neither less nor more than 0 */
	return store(type, x < 0, x < 0 || x > 0 ? limit : 0, to);
}

static enum taf_status
fail_misfit(const struct taf_text *t, const char *s, const char *end, size_t column,
    struct taf_err *e)
{
	int n = 0;

	while (n < 40 && !is_end(s + n, end))
		n++;
	return taf_fail(e, TAF_EDATA, "line %llu, column %zu: %.*s does not fit %s",
	    (unsigned long long)t->line, column, n, s, taf_type_name(t->type));
}

static void
note_grid(struct taf_text *t, double x, uint64_t line)
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
		u->bad_line = line;
	if (t->rows == 0 || u->bad_line != 0)
		return;
	least = x / (i + tolerance);
	most = x / (i - tolerance);
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

/* The line at *s as the next row of a part; *s is then behind it, unless it is OTHER. */
static enum row
read_row(const struct taf_text *t, struct taf_text_part *part, const char **line,
    const char *end, unsigned char *to)
{
	const char *s = *line;
	uint64_t rounded = 0, clipped = 0;
	size_t k, n;
	bool fits;

	for (k = 0; ; k++) {
		while (s < end && is_separator(*s))
			s++;
		if (s == end || *s == '\n')
			break;
		if (k == t->columns)
			return OTHER;
		fits = true;
		if (t->grid && k == 0) {
			n = taf_scan_f64(s, end, &part->grid[part->rows]);
		} else {
			n = scan_element(t->type, s, end, to, &fits, &rounded);
			if (!fits && t->clip && store_nearest(t->type, s, end, to)) {
				fits = true;
				clipped++;
			}
			to += t->esize;
		}
		if (n == 0 || !is_end(s + n, end))
			return OTHER;
		if (!fits && part->misfit == NULL) {
			part->misfit = s;
			part->column = k + 1;
		}
		s += n;
	}
	if (k != 0 && k != t->columns)
		return OTHER;
	*line = s < end ? s + 1 : end;
	part->rounded += rounded;
	part->clipped += clipped;
	return k == 0 ? BLANK : ROW;
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
	const char *s = NULL;
	size_t n = 0;

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
	/* the table begins with it */
	t->line--;
	return taf_in_skip(t->in, (uint64_t)(s - t->base), e);
}

enum taf_status
taf_text_open(struct taf_text **result, struct taf_in *in, enum taf_type type, bool grid,
    bool clip, struct taf_err *e)
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
	t->clip = clip;
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
	free(t);
}

size_t
taf_text_columns(const struct taf_text *t)
{
	return t->columns - t->grid;
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
	free(part->text);
	free(part->values);
	free(part->grid);
	free(part->line);
	free(part);
}

static enum taf_status
grow(struct taf_text_part *part, size_t cap, struct taf_err *e)
{
	char *text;

	if (cap <= part->cap)
		return TAF_OK;
	text = realloc(part->text, cap);
	if (text == NULL)
		return taf_fail_mem(e);
	part->text = text;
	part->cap = cap;
	return TAF_OK;
}

/* So many bytes behind the last line feed stay for the next part. */
static enum taf_status
cut(struct taf_text *t, struct taf_text_part *part, struct taf_err *e)
{
	const char *end = part->text + part->n, *p = end;

	while (p > part->text && p[-1] != '\n')
		p--;
	part->n = (size_t)(p - part->text);
	return taf_buf_put(&t->rest, p, (size_t)(end - p), e);
}

enum taf_status
taf_text_take(struct taf_text *t, struct taf_text_part **result, size_t bytes, bool *more,
    struct taf_err *e)
{
	struct taf_text_part *part = *result;
	enum taf_status st;
	size_t from = 0, want = t->rest.len + bytes, got;

	*more = !t->all;
	if (t->all)
		return TAF_OK;
	if (part == NULL && (part = *result = calloc(1, sizeof *part)) == NULL)
		return taf_fail_mem(e);
	part->n = 0;
	for (;;) {
		st = grow(part, want, e);
		if (st != TAF_OK)
			return st;
		if (part->n == 0 && t->rest.len > 0)
			memcpy(part->text, t->rest.data, t->rest.len);
		part->n += t->rest.len;
		t->rest.len = 0;
		st = taf_in_read_part(t->in, part->text + part->n, want - part->n, &got, e);
		if (st != TAF_OK)
			return st;
		part->n += got;
		t->all = part->n < want;
		if (t->all || memchr(part->text + from, '\n', part->n - from) != NULL)
			break;
		part->endless = part->n > LINE_MAX_BYTES;
		t->all = part->endless;
		if (t->all)
			break;
		from = part->n;
		want = 2 * part->n;
	}
	*more = part->n > 0;
	return t->all ? TAF_OK : cut(t, part, e);
}

/* Room for what a part can hold: a number and what is behind it have two bytes. */
static enum taf_status
make_room(const struct taf_text *t, struct taf_text_part *part, struct taf_err *e)
{
	const size_t values = part->n / 2 + 1, rows = values / t->columns + 1;

	if (values * t->esize > part->room) {
		free(part->values);
		part->values = taf_alloc(values, t->esize);
		part->room = part->values != NULL ? values * t->esize : 0;
	}
	if (t->grid && rows > part->grid_room) {
		free(part->grid);
		free(part->line);
		part->grid = taf_alloc(rows, sizeof *part->grid);
		part->line = taf_alloc(rows, sizeof *part->line);
		part->grid_room = part->grid != NULL && part->line != NULL ? rows : 0;
	}
	if (part->room == 0 || (t->grid && part->grid_room == 0))
		return taf_fail_mem(e);
	return TAF_OK;
}

enum taf_status
taf_text_parse(const struct taf_text *t, struct taf_text_part *part, struct taf_err *e)
{
	const size_t row = taf_text_columns(t) * t->esize;
	const char *s = part->text, *end = s + part->n;
	enum taf_status st = make_room(t, part, e);

	part->rows = 0;
	part->lines = part->rounded = part->clipped = 0;
	part->stop = part->misfit = NULL;
	if (part->endless)
		return TAF_OK;
	while (st == TAF_OK && s < end && part->misfit == NULL) {
		const enum row kind = read_row(t, part, &s, end,
		    part->values + part->rows * row);

		if (kind == OTHER) {
			part->misfit = NULL;
			part->stop = s;
			break;
		}
		part->lines++;
		if (kind == ROW && t->grid)
			part->line[part->rows] = part->lines;
		part->rows += kind == ROW;
	}
	return st;
}

/* Does a line that is no row begin like one? */
static bool
begins_like_row(const char *s, const char *end)
{
	double x;

	while (s < end && is_separator(*s))
		s++;
	return taf_scan_f64(s, end, &x) > 0;
}

/* From a line of a part on, all is footer, whether there are rows in it or not. */
static enum taf_status
keep_footer(struct taf_text *t, const char *s, const char *end, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	const char *lf;
	size_t numbers;

	for (; s < end && st == TAF_OK; s = lf < end ? lf + 1 : end) {
		lf = memchr(s, '\n', (size_t)(end - s));
		if (lf == NULL)
			lf = end;
		t->line++;
		if (t->notes.broken == 0 && count_numbers(s, lf, &numbers) &&
		    numbers == t->columns)
			t->notes.broken = t->line;
		st = keep_line(t, s, (size_t)(lf - s), e);
	}
	return st;
}

enum taf_status
taf_text_give(struct taf_text *t, struct taf_text_part *part, const void **rows, size_t *n,
    struct taf_err *e)
{
	const char *end = part->text + part->n, *footer = t->over ? part->text : part->stop;
	size_t i;

	*n = 0;
	if (part->endless)
		return taf_fail(e, TAF_EDATA, "line %llu: longer than %d bytes",
		    (unsigned long long)t->line + 1, (int)LINE_MAX_BYTES);
	if (!t->over) {
		for (i = 0; t->grid && i < part->rows; i++, t->rows++)
			note_grid(t, part->grid[i], t->line + part->line[i]);
		t->rows += t->grid ? 0 : part->rows;
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
	if (!t->over && begins_like_row(footer, end))
		t->notes.broken = t->line + 1;
	t->over = true;
	return keep_footer(t, footer, end, e);
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
