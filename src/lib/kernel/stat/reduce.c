/* SPDX-License-Identifier: ISC */
#include "base/bits.h"
#include "kernel/stat/reduce_private.h"

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/type.h"
#include "base/num.h"
#include "kernel/number/convert.h"
#include "kernel/number/fast.h"
#include "kernel/number/product.h"
#include "kernel/stat/extremes.h"

enum {
	LINE = TAF_ADDENDS_MOST,	/* values that are looked at together */
	WIDTH = TAF_ADDENDS_WIDTH,
	/* columns that are better gone along one by one */
	NARROW = 8,
	ROWS = 32,			/* that stay in the cache */
	MOST_ROWS = 1 << 30		/* in a tile, about */
};

/* Parts of an accumulator, in words. */
enum { COUNT, NANS, ABOVE, BELOW, HEAD };	/* elements; NaN; infinite */
/* value, place, element */
enum { MIN, MIN_AT, MIN_AS, MAX, MAX_AT, MAX_AS, EXTREMES };
enum { FIRST, FIRST_AT, LAST, LAST_AT, ENDS };
enum { PRODUCT = sizeof(struct taf_product) / 8 };

static const uint64_t nowhere = UINT64_MAX;

/* What was found in some columns that are neighbours, and is not in accumulators yet. */
struct tile {
	uint64_t rows;			/* of the columns; 0: all else is of nothing */
	uint64_t first, last;		/* places of the first and of the last row */
	struct taf_addends_tile sums;
	/* extremes, as integers in their order, as values, and rows behind the first */
	union {
		int32_t flt32[WIDTH];
		int64_t flt64[WIDTH];
	} key[2], at[2];
	union {
		float flt32[WIDTH];
		double flt64[WIDTH];
	} value[2];
	uint64_t as[2][WIDTH];	/* under a mapping, as they are stored */
	uint64_t end[2][WIDTH];	/* elements of these rows, as they lie */
};

enum { TILES = 32 };
struct taf_reduce_scratch {
	double values[ROWS * WIDTH];
	uint64_t *acc;			/* those that tiles are of, or NULL */
	size_t width;
	size_t tiles;			/* those that are zeroed, or were in use */
	struct tile tile[TILES];
};

enum need {
	NEED_SUM = 1, NEED_SQUARES = 2, NEED_EXTREMES = 4, NEED_ENDS = 8,
	NEED_NONZERO = 16,
	NEED_PRODUCT = 32, NEED_PLACES = 64
};

/* What results are: ELEMENT as it is stored, ORDER what no accumulator finds. */
enum kind { REAL, TOTAL, ELEMENT, NUMBER, PLACE, TRUTH, ORDER };

/* How a type is gone through: what its values are held by. */
enum way { AS_FLOATS, AS_DOUBLES, AS_WORDS };

static const struct {
	const char *name;
	enum kind kind;
	unsigned needs;
} facts[] = {
	[TAF_OP_SUM] = { "sum", TOTAL, NEED_SUM },
	[TAF_OP_MEAN] = { "mean", REAL, NEED_SUM },
	[TAF_OP_STD] = { "std", REAL, NEED_SUM | NEED_SQUARES },
	[TAF_OP_VAR] = { "var", REAL, NEED_SUM | NEED_SQUARES },
	[TAF_OP_STD1] = { "std1", REAL, NEED_SUM | NEED_SQUARES },
	[TAF_OP_VAR1] = { "var1", REAL, NEED_SUM | NEED_SQUARES },
	[TAF_OP_RMS] = { "rms", REAL, NEED_SQUARES },
	[TAF_OP_MIN] = { "min", ELEMENT, NEED_EXTREMES },
	[TAF_OP_MAX] = { "max", ELEMENT, NEED_EXTREMES },
	[TAF_OP_RANGE] = { "range", REAL, NEED_EXTREMES },
	[TAF_OP_ABSMAX] = { "absmax", REAL, NEED_EXTREMES },
	[TAF_OP_PROD] = { "prod", REAL, NEED_PRODUCT },
	[TAF_OP_MEDIAN] = { "median", ORDER, 0 },
	[TAF_OP_QUANTILE] = { "quantile", ORDER, 0 },
	[TAF_OP_MAD] = { "mad", ORDER, 0 },
	[TAF_OP_COUNT] = { "count", NUMBER, 0 },
	[TAF_OP_NAN] = { "nan", NUMBER, 0 },
	[TAF_OP_ARGMIN] = { "argmin", PLACE, NEED_EXTREMES | NEED_PLACES },
	[TAF_OP_ARGMAX] = { "argmax", PLACE, NEED_EXTREMES | NEED_PLACES },
	[TAF_OP_FIRST] = { "first", ELEMENT, NEED_ENDS },
	[TAF_OP_LAST] = { "last", ELEMENT, NEED_ENDS },
	[TAF_OP_ANY] = { "any", TRUTH, NEED_NONZERO },
	[TAF_OP_ALL] = { "all", TRUTH, NEED_NONZERO },
};

static enum taf_status
unknown_operation(const char *s, size_t n, struct taf_err *e)
{
	struct taf_str known = { .err = e };
	size_t k;

	for (k = 0; k < sizeof facts / sizeof facts[0]; k++)
		taf_str_printf(&known, " %s%s", facts[k].name,
		    k == TAF_OP_QUANTILE ? "=P" : "");
	if (known.st == TAF_OK)
		known.st = taf_fail(e, TAF_EUSAGE, "%.*s: not an operation (known:%s)",
		    n < 40 ? (int)n : 40, s, known.buf.data);
	taf_str_free(&known);
	return known.st;
}

static enum taf_status
parse_one(const char *s, size_t n, struct taf_reduction *r, struct taf_err *e)
{
	const char *value = memchr(s, '=', n);
	const size_t len = value != NULL ? (size_t)(value - s) : n;
	size_t k;

	for (k = 0; k < sizeof facts / sizeof facts[0]; k++)
		if (strlen(facts[k].name) == len && memcmp(s, facts[k].name, len) == 0)
			break;
	if (k == sizeof facts / sizeof facts[0])
		return unknown_operation(s, len, e);
	r->op = (enum taf_op)k;
	r->p = 0;
	if (r->op != TAF_OP_QUANTILE)
		return value == NULL ? TAF_OK : taf_fail(e, TAF_EUSAGE,
		    "%s takes no value", facts[k].name);
	if (value == NULL || !taf_parse_f64(value + 1, n - len - 1, &r->p) ||
	    !(r->p >= 0 && r->p <= 1))
		return taf_fail(e, TAF_EUSAGE, "quantile=P: P is a number from 0 to 1");
	return TAF_OK;
}

enum taf_status
taf_reduction_parse(const char *text, struct taf_reduction *ops, unsigned *n,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t len;

	for (*n = 0; st == TAF_OK; text += len + 1) {
		len = strcspn(text, ",");
		if (*n == TAF_REDUCE_OPS)
			return taf_fail(e, TAF_EUSAGE, "more than %d operations",
			    (int)TAF_REDUCE_OPS);
		st = parse_one(text, len, &ops[*n], e);
		++*n;
		if (text[len] == '\0')
			break;
	}
	return st;
}

void
taf_reduction_name(struct taf_str *text, const struct taf_reduction *ops, unsigned n)
{
	unsigned k;

	for (k = 0; k < n; k++) {
		taf_str_printf(text, "%s%s", k > 0 ? "," : "", facts[ops[k].op].name);
		if (ops[k].op == TAF_OP_QUANTILE)
			taf_str_printf(text, "=%s", taf_f64(ops[k].p).s);
	}
}

bool
taf_op_is_order(enum taf_op op)
{
	return facts[op].kind == ORDER;
}

bool
taf_op_is_place(enum taf_op op)
{
	return facts[op].kind == PLACE;
}

bool
taf_op_is_element(enum taf_op op)
{
	return facts[op].kind == ELEMENT;
}

bool
taf_op_is_of_pairs(enum taf_op op)
{
	return facts[op].kind != ORDER &&
	    (facts[op].needs & ~(unsigned)(NEED_SUM | NEED_SQUARES | NEED_ENDS)) == 0;
}

/* By type, that of a part of pairs. */
static enum way
way_of(const struct taf_reduce *r)
{
	const struct taf_type_facts *t = taf_type_facts(r->type);

	if (r->mapped || t->component == TAF_FLT64)
		return AS_DOUBLES;
	if (t->component == TAF_FLT32)
		return AS_FLOATS;
	return t->bits == 64 ? AS_WORDS : t->bits == 32 ? AS_DOUBLES : AS_FLOATS;
}

static bool
is_plain_int(const struct taf_reduce *r)
{
	return !r->mapped && taf_type_is_int(r->type);
}

/* How many words the real parts of pairs have; 0 for other elements. */
static size_t
half_of(const struct taf_reduce *r)
{
	return taf_type_is_pair(r->type) ? r->words / 2 : 0;
}

static struct taf_total
form(const struct taf_reduce *r, bool squares)
{
	if (is_plain_int(r))
		return squares ? taf_total_int_squares : taf_total_int;
	if (way_of(r) == AS_FLOATS)
		return squares ? taf_total_flt32_squares : taf_total_flt32;
	return squares ? taf_total_flt64_squares : taf_total_flt64;
}

void
taf_reduce_plan(struct taf_reduce *r, const struct taf_reduction *ops, unsigned nops)
{
	unsigned needs = 0, k;

	for (k = 0; k < nops; k++)
		needs |= facts[ops[k].op].needs;
	r->words = HEAD;
	r->places = (needs & NEED_PLACES) != 0 || r->mapped;
	r->extremes = r->ends = r->nonzero = r->product = r->sum = r->squares = 0;
	r->either = 0;
	if ((needs & NEED_EXTREMES) != 0) {
		r->extremes = r->words;
		r->words += EXTREMES;
	}
	if ((needs & NEED_ENDS) != 0) {
		r->ends = r->words;
		r->words += ENDS;
	}
	if ((needs & NEED_NONZERO) != 0)
		r->nonzero = r->words++;
	if ((needs & NEED_PRODUCT) != 0) {
		r->product = r->words;
		r->words += PRODUCT;
	}
	if ((needs & NEED_SUM) != 0) {
		r->sum = r->words;
		r->words += form(r, false).words;
	}
	if ((needs & NEED_SQUARES) != 0) {
		r->squares = r->words;
		r->words += form(r, true).words;
	}
	if (taf_type_is_pair(r->type)) {
		r->either = r->words++;
		r->words *= 2;
	}
}

struct taf_reduce
taf_reduce_part(const struct taf_reduce *r)
{
	struct taf_reduce one = *r;

	one.type = taf_type_facts(r->type)->component;
	one.words -= (unsigned)half_of(r);
	return one;
}

void
taf_reduce_clear(const struct taf_reduce *r, uint64_t *acc)
{
	if (taf_type_is_pair(r->type)) {
		const struct taf_reduce one = taf_reduce_part(r);

		taf_reduce_clear(&one, acc);
		taf_reduce_clear(&one, acc + one.words);
		return;
	}
	memset(acc, 0, r->words * sizeof *acc);
	if (r->extremes > 0)
		acc[r->extremes + MIN_AT] = acc[r->extremes + MAX_AT] = nowhere;
	if (r->ends > 0)
		acc[r->ends + FIRST_AT] = acc[r->ends + LAST_AT] = nowhere;
}

/* --- words of an accumulator --- */

/* An element as a word, on machines of both byte orders the same; and back. */
static uint64_t
load(const void *v, size_t at, size_t size)
{
	const unsigned char *p = (const unsigned char *)v + at * size;
	uint64_t u8;
	uint32_t u4;
	uint16_t u2;

	switch (size) {
	case 1:
		return *p;
	case 2:
		memcpy(&u2, p, sizeof u2);
		return u2;
	case 4:
		memcpy(&u4, p, sizeof u4);
		return u4;
	default:
		memcpy(&u8, p, sizeof u8);
		return u8;
	}
}

static void
store(void *to, uint64_t u, size_t size)
{
	const unsigned char u1 = (unsigned char)u;
	const uint16_t u2 = (uint16_t)u;
	const uint32_t u4 = (uint32_t)u;

	memcpy(to, size == 1 ? (const void *)&u1 : size == 2 ? (const void *)&u2 :
	    size == 4 ? (const void *)&u4 : (const void *)&u, size);
}

/* Integers in the order of floats, by their bits: -0 is before 0. */
static inline int64_t
key_of(uint64_t u)
{
	return (int64_t)(u ^ ((uint64_t)-(int64_t)(u >> 63) >> 1));
}

static inline int32_t
short_key(uint32_t u)
{
	return (int32_t)(u ^ ((uint32_t)-(int32_t)(u >> 31) >> 1));
}

/*
 * Is value a less than b, both as words of an accumulator?  Those of 64-bit integers are
 * as they are stored.
 */
static bool
less(const struct taf_reduce *r, uint64_t a, uint64_t b)
{
	if (way_of(r) != AS_WORDS)
		return key_of(a) < key_of(b);
	return r->type == TAF_UINT64 ? a < b : (int64_t)a < (int64_t)b;
}

/*
 * A value, where it is, and how it is stored, which is wanted where there is a mapping.
 */
struct found {
	uint64_t value, at, as;
};

static bool
is_news(const struct taf_reduce *r, const uint64_t *acc, const struct found *f, bool max)
{
	const uint64_t *x = acc + r->extremes + (max ? MAX : MIN);

	return x[1] == nowhere ||
	    (max ? less(r, x[0], f->value) : less(r, f->value, x[0]));
}

/*
 * The value of the least, where -0 is less than 0; the place of the first that is equal.
 */
static void
note(const struct taf_reduce *r, uint64_t *acc, struct found f, bool max)
{
	uint64_t *x = acc + r->extremes + (max ? MAX : MIN);

	if (!is_news(r, acc, &f, max))
		return;
	if (x[1] == nowhere || way_of(r) == AS_WORDS ||
	    taf_of_bits64(x[0]) != taf_of_bits64(f.value)) {
		/* what is not wanted shall not depend on the order either */
		x[1] = r->places ? f.at : 0;
		x[2] = r->mapped ? f.as : 0;
	}
	x[0] = f.value;
}

static void
note_end(const struct taf_reduce *r, uint64_t *acc, uint64_t at, uint64_t as)
{
	uint64_t *x = acc + r->ends;

	if (x[FIRST_AT] == nowhere) {
		x[FIRST] = as;
		x[FIRST_AT] = at;
	}
	x[LAST] = as;
	x[LAST_AT] = at;
}

static struct taf_addends
addends(const struct taf_reduce *r, uint64_t *acc)
{
	struct taf_addends to = { NULL, NULL, form(r, false), form(r, true), r->words };

	to.sum = r->sum > 0 ? acc + r->sum : NULL;
	to.squares = r->squares > 0 ? acc + r->squares : NULL;
	return to;
}

/* --- a line --- */

/* Values of a line, by which way: one of both is not NULL. */
struct values {
	const float *f;
	const double *d;
};

static double
value_at(const struct values *v, size_t i)
{
	return v->f != NULL ? (double)v->f[i] : v->d[i];
}

static bool
has(const struct values *v, size_t n, double x)
{
	return v->f != NULL ? taf_has_flt32(v->f, n, (float)x) :
	    taf_has_flt64(v->d, n, x);
}

/* The extremes of finite values, where -0 is less than 0. */
static void
find_extremes(const struct values *v, size_t n, double *min, double *max)
{
	if (v->f != NULL)
		taf_extremes_flt32(v->f, n, min, max);
	else
		taf_extremes_flt64(v->d, n, min, max);
	if (*min == 0)
		*min = has(v, n, -0.0) ? -0.0 : 0.0;
	if (*max == 0)
		*max = has(v, n, 0) ? 0.0 : -0.0;
}

/* A line on its way: n elements src, the first of which is at place first. */
struct line {
	const void *src;
	size_t n, size;
	uint64_t first;
};

static void
line_extreme(const struct taf_reduce *r, uint64_t *acc, const struct line *l,
    const struct values *v, double x, bool max)
{
	struct found f = { taf_bits64(x), l->first, 0 };
	size_t at;

	if (r->places && is_news(r, acc, &f, max)) {
		at = v->f != NULL ? taf_find_flt32(v->f, l->n, (float)x) :
		    taf_find_flt64(v->d, l->n, x);
		f.at += at;
		f.as = load(l->src, at, l->size);
	}
	note(r, acc, f, max);
}

static void
line_extremes(const struct taf_reduce *r, uint64_t *acc, const struct line *l,
    const struct values *v)
{
	double min, max;

	find_extremes(v, l->n, &min, &max);
	line_extreme(r, acc, l, v, min, false);
	line_extreme(r, acc, l, v, max, true);
}

/* What has no faster way: value by value, also those that are not finite. */
static void
careful(const struct taf_reduce *r, uint64_t *acc, const struct line *l,
    const struct values *v, bool finite)
{
	struct taf_product product;
	size_t i;

	if (r->product > 0)
		memcpy(&product, acc + r->product, sizeof product);
	for (i = 0; i < l->n; i++) {
		const double x = value_at(v, i);
		const uint64_t at = l->first + i;

		if (!taf_is_finite(x)) {
			acc[x != x ? NANS : x > 0 ? ABOVE : BELOW]++;
			if (r->finite)
				continue;
		}
		if (r->ends > 0)
			note_end(r, acc, at, load(l->src, i, l->size));
		if (r->nonzero > 0)
			acc[r->nonzero] += x != 0;
		if (r->product > 0 && taf_is_finite(x))
			taf_product_add(&product, x);
		else if (r->product > 0)
			product.negative += x < 0;
		/* of finite values they are known */
		if (r->extremes > 0 && !finite && x == x) {
			const struct found f = { taf_bits64(x), at,
			    load(l->src, i, l->size) };

			note(r, acc, f, false);
			note(r, acc, f, true);
		}
	}
	if (r->product > 0)
		memcpy(acc + r->product, &product, sizeof product);
}

/* The sums of the finite ones. */
static void
add_finite(const struct taf_reduce *r, uint64_t *acc, const struct values *v, size_t n)
{
	const struct taf_addends to = addends(r, acc);
	double d[LINE];
	float f[LINE];
	size_t i, m = 0;

	for (i = 0; i < n; i++)
		if (v->f != NULL) {
			f[m] = v->f[i];
			m += taf_is_finite((double)f[m]);
		} else {
			d[m] = v->d[i];
			m += taf_is_finite(d[m]);
		}
	if (v->f != NULL)
		(void)taf_addends_flt32(&to, f, m);
	else
		(void)taf_addends_flt64(&to, d, m);
}

static void
floats_line(const struct taf_reduce *r, uint64_t *acc, const struct line *l)
{
	const bool one_by_one = r->nonzero > 0 || r->product > 0;
	const struct taf_addends to = addends(r, acc);
	struct values v = { NULL, NULL };
	double d[LINE];
	bool finite;

	if (way_of(r) == AS_FLOATS) {
		v.f = l->src;
		finite = taf_addends_flt32(&to, v.f, l->n);
	} else {
		v.d = r->mapped ? d : l->src;
		if (r->mapped)
			(void)taf_convert(d, TAF_FLT64, l->src, r->type, l->n, r->mapping,
			    true, NULL);
		finite = taf_addends_flt64(&to, v.d, l->n);
	}
	if (!finite && (r->sum > 0 || r->squares > 0))
		add_finite(r, acc, &v, l->n);
	if (finite && r->extremes > 0)
		line_extremes(r, acc, l, &v);
	if (!finite || one_by_one) {
		careful(r, acc, l, &v, finite);
	} else if (r->ends > 0) {
		note_end(r, acc, l->first, load(l->src, 0, l->size));
		note_end(r, acc, l->first + l->n - 1, load(l->src, l->n - 1, l->size));
	}
}

/* An integer as it is held: by its bits, or as the double that it is. */
static uint64_t
held(const struct taf_reduce *r, int64_t x)
{
	return way_of(r) == AS_WORDS ? (uint64_t)x : taf_bits64((double)x);
}

static int64_t
integer_at(const struct taf_reduce *r, const struct line *l, size_t i)
{
	const uint64_t u = load(l->src, i, l->size);
	const unsigned shift = 64 - 8 * (unsigned)l->size;

	return taf_type_is_signed(r->type) ? (int64_t)(u << shift) >> shift : (int64_t)u;
}

static void
ints_line(const struct taf_reduce *r, uint64_t *acc, const struct line *l)
{
	const struct taf_addends to = addends(r, acc);
	struct taf_product product;
	int64_t range[2];
	size_t i, at;

	taf_addends_ints(to.sum, to.squares, l->src, r->type, l->n, range);
	for (i = 0; i < 2 && r->extremes > 0; i++) {
		const int64_t x = range[i];
		const struct found f = { held(r, x), l->first, 0 };

		if (!is_news(r, acc, &f, i == 1))
			continue;
		for (at = 0; r->places && integer_at(r, l, at) != x; at++)
			continue;
		note(r, acc, (struct found){ f.value, l->first + at, 0 }, i == 1);
	}
	if (r->ends > 0) {
		note_end(r, acc, l->first, load(l->src, 0, l->size));
		note_end(r, acc, l->first + l->n - 1, load(l->src, l->n - 1, l->size));
	}
	for (i = 0; i < l->n && r->nonzero > 0; i++)
		acc[r->nonzero] += load(l->src, i, l->size) != 0;
	if (r->product == 0)
		return;
	memcpy(&product, acc + r->product, sizeof product);
	for (i = 0; i < l->n; i++) {
		const int64_t x = integer_at(r, l, i);

		taf_product_add(&product, r->type == TAF_UINT64 ? (double)(uint64_t)x :
		    (double)x);
	}
	memcpy(acc + r->product, &product, sizeof product);
}

/* n elements that lie together, of one accumulator. */
static void
add_line(const struct taf_reduce *r, uint64_t *acc, const void *src, size_t n,
    uint64_t first)
{
	struct line l = { src, 0, taf_type_size(r->type), first };
	const unsigned char *p = src;

	acc[COUNT] += n;
	if (r->words == HEAD && is_plain_int(r))
		return;
	for (; n > 0; n -= l.n, p += l.n * l.size, l.first += l.n) {
		l.src = p;
		l.n = n < LINE ? n : LINE;
		if (is_plain_int(r))
			ints_line(r, acc, &l);
		else
			floats_line(r, acc, &l);
	}
}

/* --- rows --- */

/*
 * The extremes of finite values, of each column; and their places, where they are
 * wanted.
 */
#define EXTREMES_OF_ROWS(real, member, word, whole, key_name) \
TAF_WIDE_VOID(member##_row, (const real *restrict v, size_t n, whole *restrict lo, \
    whole *restrict hi), (v, n, lo, hi)) \
{ \
	for (size_t j = 0; j < n; j++) { \
		word u; \
		whole k; \
\
		memcpy(&u, v + j, sizeof u); \
		k = key_name(u); \
		lo[j] = k < lo[j] ? k : lo[j]; \
		hi[j] = k > hi[j] ? k : hi[j]; \
	} \
} \
\
TAF_WIDE_VOID(member##_row_at, (const real *restrict v, size_t n, whole i, \
    real *restrict lo, real *restrict hi, whole *restrict lo_at, whole *restrict hi_at), \
    (v, n, i, lo, hi, lo_at, hi_at)) \
{ \
	for (size_t j = 0; j < n; j++) { \
		const real x = v[j]; \
		const whole is_lo = x < lo[j] ? -1 : 0, is_hi = x > hi[j] ? -1 : 0; \
\
		lo[j] = x < lo[j] ? x : lo[j]; \
		hi[j] = x > hi[j] ? x : hi[j]; \
		lo_at[j] = (lo_at[j] & ~is_lo) | (i & is_lo); \
		hi_at[j] = (hi_at[j] & ~is_hi) | (i & is_hi); \
	} \
} \
\
/* the values of a patch */ \
static void \
member##_rows(const struct taf_reduce *r, struct tile *t, \
    const struct taf_addends_rows *a, const struct taf_patch *p) \
{ \
	const size_t size = taf_type_size(r->type); \
	const uint64_t before = p->first - t->first; \
	whole *lo = t->key[0].member, *hi = t->key[1].member; \
	const size_t n = a->width; \
	const real *v = a->v; \
\
	for (size_t j = 0; j < n && t->rows == 0; j++) { \
		word u; \
\
		memcpy(&u, v + j, sizeof u); \
		lo[j] = hi[j] = key_name(u); \
		t->value[0].member[j] = t->value[1].member[j] = v[j]; \
		t->at[0].member[j] = t->at[1].member[j] = 0; \
	} \
	for (size_t i = 0; i < a->rows; i++) \
		member##_row(v + i * a->row, n, lo, hi); \
	for (size_t i = 0; i < a->rows && r->places; i++) \
		member##_row_at(v + i * a->row, n, (whole)(before + i), \
		    t->value[0].member, t->value[1].member, t->at[0].member, \
		    t->at[1].member); \
	for (size_t j = 0; j < 2 * n && r->mapped; j++) { \
		const uint64_t at = (uint64_t)t->at[j / n].member[j % n]; \
\
		if (at >= before) \
			t->as[j / n][j % n] = load(p->v, j % n + \
			    (size_t)(at - before) * p->along, size); \
	} \
} \
\
static void \
member##_note(const struct taf_reduce *r, uint64_t *acc, \
    const struct tile *t, size_t j) \
{ \
	for (unsigned max = 0; max < 2; max++) { \
		const word u = (word)key_name((word)t->key[max].member[j]); \
		const size_t at = (size_t)t->at[max].member[j]; \
		struct found f = { 0, t->first + at, t->as[max][j] }; \
		real x; \
\
		memcpy(&x, &u, sizeof x); \
		f.value = taf_bits64((double)x); \
		note(r, acc, f, max != 0); \
	} \
}

EXTREMES_OF_ROWS(float, flt32, uint32_t, int32_t, short_key)
EXTREMES_OF_ROWS(double, flt64, uint64_t, int64_t, key_of)

/* What a tile has, to the accumulators. */
static void
settle(const struct taf_reduce *r, uint64_t *acc, size_t width, struct tile *t)
{
	const size_t size = taf_type_size(r->type);
	const struct taf_addends to = addends(r, acc);
	const bool floats = way_of(r) == AS_FLOATS;
	size_t j;

	if (t->rows == 0)
		return;
	taf_addends_settle(&to, width, &t->sums);
	for (j = 0; j < width; j++, acc += r->words) {
		acc[COUNT] += t->rows;
		if (r->extremes > 0 && floats)
			flt32_note(r, acc, t, j);
		else if (r->extremes > 0)
			flt64_note(r, acc, t, j);
		if (r->ends == 0)
			continue;
		note_end(r, acc, t->first, load(t->end[0], j, size));
		note_end(r, acc, t->last, load(t->end[1], j, size));
	}
	t->rows = 0;
}

/* The patch that a tile can have, as rows of what it is gone through. */
static struct taf_addends_rows
as_rows(const struct taf_reduce *r, const struct taf_patch *p, double *scratch)
{
	const size_t size = taf_type_size(r->type);
	const enum taf_type as = way_of(r) == AS_FLOATS ? TAF_FLT32 : TAF_FLT64;
	struct taf_addends_rows rows = { p->v, p->width, p->rows, p->along };
	unsigned char *values = (unsigned char *)scratch;
	const unsigned char *v = p->v;
	size_t i;

	if (r->type == as && !r->mapped)
		return rows;
	rows.v = scratch;
	rows.row = p->width;
	for (i = 0; i < p->rows; i++)
		(void)taf_convert(values + i * p->width * taf_type_size(as), as,
		    v + i * p->along * size, r->type, p->width,
		    r->mapped ? r->mapping : NULL, true, NULL);
	return rows;
}

/*
 * Rows of columns that are neighbours, WIDTH at most, all at once; false, with nothing
 * done, where that does not go.
 */
static bool
add_rows(const struct taf_reduce *r, uint64_t *acc, const struct taf_patch *p,
    struct taf_reduce_scratch *scratch, struct tile *t)
{
	const struct taf_addends to = addends(r, acc);
	const size_t size = taf_type_size(r->type), row = p->width * size;
	const unsigned char *v = p->v;
	struct taf_addends_rows rows;

	if (way_of(r) == AS_WORDS || r->product > 0 || r->nonzero > 0 || p->across != 1 ||
	    p->width < NARROW)
		return false;
	/* places in a tile are small */
	if (t->rows > 0 && p->first - t->first > MOST_ROWS)
		settle(r, acc, p->width, t);
	rows = as_rows(r, p, scratch->values);
	if (!(way_of(r) == AS_FLOATS ? taf_addends_rows_flt32(&to, &rows, &t->sums) :
	    taf_addends_rows_flt64(&to, &rows, &t->sums)))
		return false;
	if (t->rows == 0) {
		t->first = p->first;
		memcpy(t->end[0], v, row);
	}
	if (r->extremes > 0 && way_of(r) == AS_FLOATS)
		flt32_rows(r, t, &rows, p);
	else if (r->extremes > 0)
		flt64_rows(r, t, &rows, p);
	memcpy(t->end[1], v + (p->rows - 1) * p->along * size, row);
	t->last = p->first + p->rows - 1;
	t->rows += p->rows;
	return true;
}

/* Column by column, its elements brought together. */
static void
add_columns(const struct taf_reduce *r, uint64_t *acc, const struct taf_patch *p)
{
	const size_t size = taf_type_size(r->type);
	const unsigned char *v = p->v;
	double together[LINE];
	size_t i, j, k, n;

	for (j = 0; j < p->width; j++)
		for (i = 0; i < p->rows; i += n) {
			unsigned char *to = (unsigned char *)together;

			n = p->rows - i < LINE ? p->rows - i : LINE;
			for (k = 0; k < n; k++)
				memcpy(to + k * size,
				    v + (j * p->across + (i + k) * p->along) * size,
				    size);
			add_line(r, acc + j * r->words, together, n, p->first + i);
		}
}

struct taf_reduce_scratch *
taf_reduce_scratch(void)
{
	struct taf_reduce_scratch *scratch = malloc(sizeof *scratch);

	/* much of it is never used for small arrays, of which there may be many */
	if (scratch != NULL) {
		scratch->acc = NULL;
		scratch->width = scratch->tiles = 0;
	}
	return scratch;
}

void
taf_reduce_settle(const struct taf_reduce *r, struct taf_reduce_scratch *scratch)
{
	const struct taf_reduce one = taf_reduce_part(r);
	size_t j;

	for (j = 0; j < scratch->width; j += WIDTH)
		settle(&one, scratch->acc + j * one.words,
		    scratch->width - j < WIDTH ? scratch->width - j : WIDTH,
		    &scratch->tile[j / WIDTH]);
	scratch->acc = NULL;
	scratch->width = 0;
}

/* Of so few columns that there is a tile for all of them. */
static void
add_tiles(const struct taf_reduce *r, uint64_t *acc, const struct taf_patch *p,
    struct taf_reduce_scratch *scratch)
{
	const size_t size = taf_type_size(r->type);
	const unsigned char *v = p->v;
	struct taf_patch part = *p;
	size_t i, j;

	if (scratch->acc != acc || scratch->width != p->width)
		taf_reduce_settle(r, scratch);
	scratch->acc = acc;
	scratch->width = p->width;
	for (; scratch->tiles * WIDTH < p->width; scratch->tiles++)
		memset(&scratch->tile[scratch->tiles], 0, sizeof(struct tile));
	for (i = 0; i < p->rows; i += part.rows)
		for (j = 0; j < p->width; j += part.width) {
			uint64_t *to = acc + j * r->words;
			struct tile *tile = &scratch->tile[j / WIDTH];

			part.rows = p->rows - i < ROWS ? p->rows - i : ROWS;
			part.width = p->width - j < WIDTH ? p->width - j : WIDTH;
			part.v = v + (j * p->across + i * p->along) * size;
			part.first = p->first + i;
			if (add_rows(r, to, &part, scratch, tile))
				continue;
			/* of equal extremes the first one counts */
			settle(r, to, part.width, tile);
			add_columns(r, to, &part);
		}
}

void
taf_reduce_add(const struct taf_reduce *r, uint64_t *acc, const struct taf_patch *p,
    struct taf_reduce_scratch *scratch)
{
	const size_t size = taf_type_size(r->type), most = TILES * WIDTH;
	const unsigned char *v = p->v;
	struct taf_patch part = *p;
	size_t j;

	if (taf_type_is_pair(r->type)) {
		taf_reduce_add_pairs(r, acc, p, scratch);
		return;
	}
	for (j = 0; j < p->width && p->along == 1; j++)
		add_line(r, acc + j * r->words, v + j * p->across * size, p->rows,
		    p->first);
	for (; j < p->width; j += most) {
		part.width = p->width - j < most ? p->width - j : most;
		part.v = v + j * p->across * size;
		add_tiles(r, acc + j * r->words, &part, scratch);
	}
}

void
taf_reduce_join(const struct taf_reduce *r, uint64_t *acc, const uint64_t *more)
{
	const uint64_t before = acc[COUNT];
	struct taf_product a, b;
	unsigned k;

	if (taf_type_is_pair(r->type)) {
		const struct taf_reduce one = taf_reduce_part(r);

		taf_reduce_join(&one, acc, more);
		taf_reduce_join(&one, acc + one.words, more + one.words);
		return;
	}
	for (k = 0; k < HEAD; k++)
		acc[k] += more[k];
	if (r->either > 0)
		acc[r->either] += more[r->either];
	for (k = 0; k < 2 && r->extremes > 0; k++) {
		const uint64_t *x = more + r->extremes + (k == 0 ? MIN : MAX);

		if (x[1] != nowhere)
			note(r, acc, (struct found){ x[0], before + x[1], x[2] }, k == 1);
	}
	if (r->ends > 0 && more[r->ends + FIRST_AT] != nowhere) {
		note_end(r, acc, before + more[r->ends + FIRST_AT],
		    more[r->ends + FIRST]);
		note_end(r, acc, before + more[r->ends + LAST_AT], more[r->ends + LAST]);
	}
	if (r->nonzero > 0)
		acc[r->nonzero] += more[r->nonzero];
	if (r->product > 0) {
		memcpy(&a, acc + r->product, sizeof a);
		memcpy(&b, more + r->product, sizeof b);
		taf_product_join(&a, &b);
		memcpy(acc + r->product, &a, sizeof a);
	}
	if (r->sum > 0)
		taf_total_join(acc + r->sum, more + r->sum, form(r, false).words);
	if (r->squares > 0)
		taf_total_join(acc + r->squares, more + r->squares, form(r, true).words);
}

static uint64_t
not_finite(const uint64_t *acc)
{
	return acc[NANS] + acc[ABOVE] + acc[BELOW];
}

struct taf_reduce_seen
taf_reduce_seen(const uint64_t *acc)
{
	return (struct taf_reduce_seen){ acc[COUNT], acc[NANS], acc[ABOVE] + acc[BELOW] };
}

/* May it be the value of an element? */
static bool
is_value(const struct taf_reduce *r, uint64_t word)
{
	const struct taf_type_facts *t = taf_type_facts(r->type);
	const double x = taf_of_bits64(word);

	if (way_of(r) == AS_WORDS)
		return true;
	if (r->mapped || !taf_type_is_int(r->type))
		return x == x &&
		    (r->mapped || r->type != TAF_FLT32 || x == (double)(float)x);
	return x >= (double)t->min && x <= (double)t->max && x == floor(x);
}

/* Can the accumulators of both parts be of the same pairs? */
static bool
are_pairs(const struct taf_reduce *r, const uint64_t *acc, uint64_t count)
{
	const struct taf_reduce one = taf_reduce_part(r);
	const uint64_t *im = acc + one.words, either = acc[r->either];
	const uint64_t most = acc[NANS] > im[NANS] ? acc[NANS] : im[NANS];

	return taf_reduce_is_sound(&one, acc, count) &&
	    taf_reduce_is_sound(&one, im, count) && im[r->either] == 0 &&
	    either <= acc[NANS] + im[NANS] && (r->finite ? acc[NANS] == im[NANS] &&
	    acc[ABOVE] + acc[BELOW] + im[ABOVE] + im[BELOW] == 0 : either >= most);
}

bool
taf_reduce_is_sound(const struct taf_reduce *r, const uint64_t *acc, uint64_t count)
{
	const uint64_t *end = acc + r->ends, *x = acc + r->extremes;
	struct taf_product product = { 0 };
	uint64_t n = count;
	unsigned k;

	if (taf_type_is_pair(r->type))
		return are_pairs(r, acc, count);
	if (acc[COUNT] != count)
		return false;
	for (k = NANS; k < HEAD; n -= acc[k++])
		if (acc[k] > n || (acc[k] > 0 && is_plain_int(r)))
			return false;
	for (k = 0; k < 2 && r->ends > 0; k++, end += 2)
		if (end[1] != nowhere ? end[1] >= count : (r->finite ? n : count) > 0)
			return false;
	for (k = 0; k < 2 && r->extremes > 0; k++, x += EXTREMES / 2)
		if (x[1] != nowhere ? x[1] >= count || !is_value(r, x[0]) : n > 0)
			return false;
	if (r->product > 0)
		memcpy(&product, acc + r->product, sizeof product);
	return (r->nonzero == 0 || acc[r->nonzero] <= count) && product.zeros <= count &&
	    product.negative <= count &&
	    (r->squares == 0 || acc[r->squares + form(r, true).words - 1] >> 63 == 0);
}

/* --- results --- */

enum taf_type
taf_reduce_type(const struct taf_reduce *r, enum taf_op op, bool index)
{
	if (taf_type_is_pair(r->type) && (op == TAF_OP_SUM || op == TAF_OP_MEAN))
		return TAF_COMPLEX128;
	switch (facts[op].kind) {
	case TOTAL:
		return !is_plain_int(r) ? TAF_FLT64 :
		    taf_type_is_signed(r->type) ? TAF_INT64 : TAF_UINT64;
	case ELEMENT:
		return r->type;
	case NUMBER:
		return TAF_INT64;
	case PLACE:
		return index ? TAF_INT64 : TAF_FLT64;
	case TRUTH:
		return TAF_UINT8;
	case REAL:
	case ORDER:
		break;
	}
	return TAF_FLT64;
}

/* The sum of integers, which the result's type shall hold. */
static enum taf_status
int_sum(const struct taf_reduce *r, const uint64_t *acc, uint64_t *sum, struct taf_err *e)
{
	const uint64_t *w = acc + r->sum;
	const bool is_signed = taf_type_is_signed(r->type);

	*sum = w[0];
	if (w[1] != (is_signed && w[0] >> 63 != 0 ? UINT64_MAX : 0))
		return taf_fail(e, TAF_EDATA, "the sum, about %s, does not fit %s",
		    taf_f64(taf_total_f64(w, taf_total_int)).s,
		    taf_type_limits(is_signed ? TAF_INT64 : TAF_UINT64).s);
	return TAF_OK;
}

/*
 * What sums are where infinite values are among them: NaN where they are of both signs.
 */
static double
infinite_sum(const uint64_t *acc)
{
	return acc[ABOVE] > 0 && acc[BELOW] > 0 ? NAN : acc[ABOVE] > 0 ? INFINITY :
	    -INFINITY;
}

/* n finite values, n > 0, and no other ones. */
static double
of_sums(const struct taf_reduce *r, const uint64_t *acc, enum taf_op op, uint64_t n)
{
	const size_t half = half_of(r);
	const uint64_t minus = op == TAF_OP_STD1 || op == TAF_OP_VAR1;
	uint64_t squares[TAF_TOTAL_WORDS];
	struct taf_total_pair t = { acc + r->sum, acc + r->squares, form(r, false),
		form(r, true), half > 0 ? acc + half + r->sum : NULL };

	if (half > 0 && r->squares > 0) {
		memcpy(squares, t.squares, t.of_squares.words * sizeof *squares);
		taf_total_join(squares, t.squares + half, t.of_squares.words);
		t.squares = squares;
	}
	if (op == TAF_OP_SUM)
		return taf_total_f64(t.sum, t.of_sum);
	if (op == TAF_OP_MEAN)
		return taf_total_mean(t.sum, t.of_sum, n);
	if (op == TAF_OP_RMS)
		return taf_total_rms(t.squares, t.of_squares, n);
	if (n == minus)
		return NAN;
	return op == TAF_OP_VAR || op == TAF_OP_VAR1 ? taf_total_var(&t, n, minus) :
	    taf_total_std(&t, n, minus);
}

static double
as_value(const struct taf_reduce *r, uint64_t word)
{
	if (way_of(r) != AS_WORDS)
		return taf_of_bits64(word);
	return r->type == TAF_UINT64 ? (double)word : (double)(int64_t)word;
}

struct taf_reduce_extreme
taf_reduce_extreme(const struct taf_reduce *r, const uint64_t *acc, bool greatest)
{
	const uint64_t *x = acc + r->extremes + (greatest ? MAX : MIN);

	return (struct taf_reduce_extreme){ as_value(r, x[0]), x[0], x[1] };
}

static double
of_extremes(const struct taf_reduce *r, const uint64_t *acc, enum taf_op op)
{
	const uint64_t *x = acc + r->extremes;
	const double min = as_value(r, x[MIN]), max = as_value(r, x[MAX]);

	if (op == TAF_OP_ABSMAX)
		return fabs(min) > fabs(max) ? fabs(min) : fabs(max);
	/* of integers it is exact before it is a double */
	return way_of(r) == AS_WORDS ? (double)(x[MAX] - x[MIN]) : max - min;
}

double
taf_reduce_number(const struct taf_reduce *r, const uint64_t *acc, enum taf_op op)
{
	const uint64_t *im = acc + half_of(r);
	const uint64_t others = r->finite ? 0 : not_finite(acc) + not_finite(im);
	const uint64_t n = acc[COUNT] - (r->finite ? not_finite(acc) : 0);
	struct taf_product product;

	if (n == 0)
		return op == TAF_OP_SUM ? 0 : NAN;
	if (others > 0 && acc[NANS] + im[NANS] > 0)
		return NAN;
	switch (op) {
	case TAF_OP_RANGE:
	case TAF_OP_ABSMAX:
		return of_extremes(r, acc, op);
	case TAF_OP_PROD:
		memcpy(&product, acc + r->product, sizeof product);
		if (others > 0)
			return product.zeros > 0 ? NAN : product.negative % 2 != 0 ?
			    -INFINITY : INFINITY;
		return taf_product_f64(&product);
	default:
		if (others > 0 && op == TAF_OP_RMS)
			return INFINITY;
		if (others > 0)
			return op == TAF_OP_SUM || op == TAF_OP_MEAN ? infinite_sum(acc) :
			    NAN;
		return of_sums(r, acc, op, n);
	}
}

/* An extreme as an element: what it was, or what it is alone. */
static uint64_t
extreme(const struct taf_reduce *r, const uint64_t *x)
{
	if (r->mapped)
		return x[2];
	if (r->type == TAF_FLT32)
		return taf_bits32((float)taf_of_bits64(x[0]));
	return r->type == TAF_FLT64 || way_of(r) == AS_WORDS ? x[0] :
	    (uint64_t)(int64_t)taf_of_bits64(x[0]);
}

/* An element that was met, NaN where a NaN takes its place. */
static enum taf_status
element(const struct taf_reduce *r, const uint64_t *acc, enum taf_op op, void *result,
    struct taf_err *e)
{
	const size_t size = taf_type_size(r->type);
	const double none = NAN;
	const float none_flt32 = NAN;
	const uint64_t *x;
	bool there;

	if (op == TAF_OP_FIRST || op == TAF_OP_LAST) {
		x = acc + r->ends + (op == TAF_OP_FIRST ? FIRST : LAST);
		there = x[1] != nowhere;
		if (there)
			store(result, x[0], size);
	} else {
		x = acc + r->extremes + (op == TAF_OP_MIN ? MIN : MAX);
		there = x[1] != nowhere && (r->finite || acc[NANS] == 0);
		if (there)
			store(result, extreme(r, x), size);
	}
	if (there)
		return TAF_OK;
	if (r->type == TAF_FLT32)
		memcpy(result, &none_flt32, sizeof none_flt32);
	else if (r->type == TAF_FLT64)
		memcpy(result, &none, sizeof none);
	else
		return taf_fail(e, TAF_EDATA, "%s of nothing", facts[op].name);
	return TAF_OK;
}

static void
place_of(const struct taf_reduce *r, const uint64_t *acc, enum taf_op op,
    const struct taf_place *place, void *result)
{
	const bool nan = !r->finite && acc[NANS] > 0;
	const uint64_t at = acc[r->extremes + (op == TAF_OP_ARGMIN ? MIN_AT : MAX_AT)];
	const bool none = nan || at == nowhere;
	const int64_t index = none ? 0 : (int64_t)(place->before + at) + 1;
	const double x = none ? NAN :
	    place->start + (double)(place->before + at) * place->step;

	if (place->index)
		memcpy(result, &index, sizeof index);
	else
		memcpy(result, &x, sizeof x);
}

/* A result that is a pair, each part by itself. */
static enum taf_status
both_parts(const struct taf_reduce *r, const uint64_t *acc, enum taf_op op,
    const struct taf_place *place, void *result, struct taf_err *e)
{
	const struct taf_reduce one = taf_reduce_part(r);
	const size_t size = taf_type_size(taf_reduce_type(&one, op, false));
	const enum taf_status st = taf_reduce_result(&one, acc, op, place, result, e);

	return st != TAF_OK ? st : taf_reduce_result(&one, acc + one.words, op, place,
	    (unsigned char *)result + size, e);
}

enum taf_status
taf_reduce_result(const struct taf_reduce *r, const uint64_t *acc, enum taf_op op,
    const struct taf_place *place, void *result, struct taf_err *e)
{
	const uint64_t n = acc[COUNT] - (r->finite ? not_finite(acc) : 0);
	const uint64_t *im = acc + half_of(r);
	enum taf_status st = TAF_OK;
	unsigned char truth;
	uint64_t word;
	double x;

	if (taf_type_is_pair(taf_reduce_type(r, op, false)))
		return both_parts(r, acc, op, place, result, e);
	if (taf_op_is_element(op))
		return element(r, acc, op, result, e);
	if (taf_op_is_place(op)) {
		place_of(r, acc, op, place, result);
		memcpy(&x, result, sizeof x);
		return place->index || !isinf(x) || !taf_is_finite(place->step) ||
		    !taf_is_finite(place->start) ? TAF_OK : taf_fail(e, TAF_EDATA,
		    "the coordinate does not fit %s", taf_type_limits(TAF_FLT64).s);
	}
	if (facts[op].kind == TRUTH) {
		truth = op == TAF_OP_ANY ? acc[r->nonzero] > 0 : acc[r->nonzero] == n;
		memcpy(result, &truth, sizeof truth);
		return TAF_OK;
	}
	if (facts[op].kind == NUMBER) {
		word = op == TAF_OP_COUNT ? n : r->finite ? 0 :
		    acc[r->either > 0 ? r->either : NANS];
		memcpy(result, &word, sizeof word);
	} else if (op == TAF_OP_SUM && is_plain_int(r)) {
		st = int_sum(r, acc, &word, e);
		memcpy(result, &word, sizeof word);
	} else {
		x = taf_reduce_number(r, acc, op);
		memcpy(result, &x, sizeof x);
		if (isinf(x) && (r->finite ||
		    acc[ABOVE] + acc[BELOW] + im[ABOVE] + im[BELOW] == 0))
			st = taf_fail(e, TAF_EDATA, "%s: a result does not fit %s",
			    facts[op].name, taf_type_limits(TAF_FLT64).s);
	}
	return st;
}
