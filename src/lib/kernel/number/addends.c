/* SPDX-License-Identifier: ISC */
#include "base/bits.h"
#include "kernel/number/addends.h"

#include "config.h"

#include <string.h>

#include "base/attr.h"
#include "kernel/number/fast.h"

/*
 * Adding 1.5 2^(52+q) to a double below 2^(51+q) leaves in its bits, but for a constant,
 * how often it has 2^q.  So bits are added as integers, which loses nothing in any order,
 * and 2048 of them do not overflow.  What is below 2^q is counted by another level.
 *
 * The square of a flt32 is exact in a double, and has two levels.  A double is cut into
 * pieces of 25 bits before, whose products are exact; the pieces are counted too.
 *
 * How far the values of a block reach down says how many levels or pieces it takes.
 * Where that is too far for any, values of near exponents are brought together.
 */
enum {
	STEP = 51,		/* bits from a level to the next */
	PIECE = 25,
	LANES = 32,		/* sums of a line, each of every 64th value */
	WIDTH = TAF_ADDENDS_WIDTH
};

/* No value reaches 2^top; each is a multiple of 2^low. */
struct reach {
	bool finite, zero;
	int top, low;
};

/* What brings 2^q to the lowest bit. */
static double
magic(int q)
{
	return taf_of_bits64((uint64_t)(1023 + 52 + q) << 52 | UINT64_C(1) << 51);
}

/*
 * The largest magnitude of some rows, and the smallest less 1: that of 0 is then the
 * largest of all.
 */
#define RANGE(name, type, whole, as_bits, MOST) \
TAF_WIDE_VOID(name, (const type *v, size_t row, size_t rows, size_t n, whole *most, \
    whole *least), (v, row, rows, n, most, least)) \
{ \
	whole a = 0, b = MOST; \
\
	for (size_t k = 0; k < rows; k++, v += row) \
		for (size_t i = 0; i < n; i++) { \
			const whole u = (whole)(as_bits(v[i]) & MOST); \
			const whole x = (whole)((as_bits(v[i]) - 1) & MOST); \
\
			a = u > a ? u : a; \
			b = x < b ? x : b; \
		} \
	*most = a; \
	*least = b; \
}

RANGE(flt32_range, float, int32_t, taf_bits32, INT32_MAX)
RANGE(flt64_range, double, int64_t, taf_bits64, INT64_MAX)

static struct reach
flt32_reach(const float *v, size_t row, size_t rows, size_t n)
{
	int32_t most, least;
	int top, low;

	flt32_range(v, row, rows, n, &most, &least);
	top = (int)(most >> 23);
	low = (int)(((int64_t)least + 1) >> 23);
	return (struct reach){ top < 255, most == 0, top - 126,
		(low > 0 ? low : 1) - 150 };
}

static struct reach
flt64_reach(const double *v, size_t row, size_t rows, size_t n)
{
	int64_t most, least;
	int top, low;

	flt64_range(v, row, rows, n, &most, &least);
	top = (int)(most >> 52);
	low = (int)(((uint64_t)least + 1) >> 52);
	return (struct reach){ top < 2047, most == 0, top - 1022,
		(low > 0 ? low : 1) - 1075 };
}

/* --- the loops --- */

/* Rows of n values, row apart: sums of each column on the levels m are added to a. */
typedef void adder(const void *src, size_t row, size_t n, const double *m,
    uint64_t (*a)[WIDTH]);

/* What a value adds to the sums of its levels. */
static TAF_INLINE void
one_level(double x, const double *m, uint64_t *s)
{
	s[0] += taf_bits64(x + m[0]);
}

static TAF_INLINE void
two_levels(double x, const double *m, uint64_t *s)
{
	const double h = x + m[0];

	s[0] += taf_bits64(h);
	s[1] += taf_bits64((x - (h - m[0])) + m[1]);
}

static TAF_INLINE void
exact_square(double x, const double *m, uint64_t *s)
{
	one_level(x, m, s);
	two_levels(x * x, m + 1, s + 1);
}

static TAF_INLINE void
one_piece(double x, const double *m, uint64_t *s)
{
	one_level(x, m, s);
	one_level(x * x, m + 1, s + 1);
}

static TAF_INLINE void
two_pieces(double x, const double *m, uint64_t *s)
{
	const double h = x + m[0], s1 = h - m[0], s2 = x - s1;

	s[0] += taf_bits64(h);
	s[1] += taf_bits64(s2 + m[1]);
	s[2] += taf_bits64(s1 * s1 + m[2]);
	s[3] += taf_bits64(2 * s1 * s2 + m[3]);
	s[4] += taf_bits64(s2 * s2 + m[4]);
}

static TAF_INLINE void
three_pieces(double x, const double *m, uint64_t *s)
{
	const double h1 = x + m[0], s1 = h1 - m[0], r = x - s1;
	const double h2 = r + m[1], s2 = h2 - m[1], s3 = r - s2;

	s[0] += taf_bits64(h1);
	s[1] += taf_bits64(h2);
	s[2] += taf_bits64(s3 + m[2]);
	s[3] += taf_bits64(s1 * s1 + m[3]);
	s[4] += taf_bits64(2 * s1 * s2 + m[4]);
	s[5] += taf_bits64((2 * s1 * s3 + s2 * s2) + m[5]);
	s[6] += taf_bits64(2 * s2 * s3 + m[6]);
	s[7] += taf_bits64(s3 * s3 + m[7]);
}

/* Of 4 rows at once, so that sums in memory are not touched for each value; and of 1. */
#define SOME_ROWS(name, some, type, levels, each) \
TAF_WIDE_VOID(name##some, (const void *src, size_t row, size_t n, const double *m, \
    uint64_t (*restrict a)[WIDTH]), (src, row, n, m, a)) \
{ \
	const type *restrict v = src; \
\
	for (size_t i = 0; i < n; i++) { \
		uint64_t s[levels] = { 0 }; \
\
		for (size_t k = 0; k < some; k++) \
			each((double)v[k * row + i], m, s); \
		for (size_t k = 0; k < levels; k++) \
			a[k][i] += s[k]; \
	} \
}
#define ROWS(name, type, levels, each) \
	SOME_ROWS(name, 4, type, levels, each) \
	SOME_ROWS(name, 1, type, levels, each)

ROWS(flt32_sum, float, 1, one_level)
ROWS(flt32_squares, float, 3, exact_square)
ROWS(sum1_, double, 1, one_level)
ROWS(sum2_, double, 2, two_levels)
ROWS(pieces1_, double, 2, one_piece)
ROWS(pieces2_, double, 5, two_pieces)
ROWS(pieces3_, double, 8, three_pieces)

/*
 * How values are added: levels of the sum come first, the first one a step below the top
 * of the values, and then those of the squares, the first one `down` steps below theirs.
 */
enum { OF_FLT32, OF_FLT32_SQUARES, OF_SUMS, MOST_SUMS, OF_PIECES, MORE, MOST_PIECES };
static const struct way {
	int deep, step, down;		/* deep: bits from the top to the lowest one */
	unsigned sums, squares;
	adder *four, *one;
} ways[] = {
	[OF_FLT32] = { STEP, STEP, 0, 1, 0, flt32_sum4, flt32_sum1 },
	[OF_FLT32_SQUARES] = { STEP, STEP, 1, 1, 2, flt32_squares4, flt32_squares1 },
	[OF_SUMS] = { STEP, STEP, 0, 1, 0, sum1_4, sum1_1 },
	[MOST_SUMS] = { 2 * STEP, STEP, 0, 2, 0, sum2_4, sum2_1 },
	[OF_PIECES] = { PIECE, PIECE, 2, 1, 1, pieces1_4, pieces1_1 },
	[MORE] = { 2 * PIECE, PIECE, 2, 2, 3, pieces2_4, pieces2_1 },
	[MOST_PIECES] = { 3 * PIECE, PIECE, 2, 3, 5, pieces3_4, pieces3_1 },
};

/* Level k of a way, in powers of two, and what n additions to it have left. */
static int
level(const struct way *w, int top, unsigned k)
{
	return k < w->sums ? top - w->step * (int)(k + 1) :
	    2 * top - w->step * (w->down + (int)(k - w->sums));
}

static void
find_levels(const struct way *w, int top, double m[TAF_ADDENDS_SUMS])
{
	unsigned k;

	for (k = 0; k < w->sums + w->squares; k++)
		m[k] = magic(level(w, top, k));
}

static void
settle(const struct taf_addends *to, const struct way *w, int top, const uint64_t *sum,
    size_t n)
{
	unsigned k;

	for (k = 0; k < w->sums + w->squares; k++) {
		const int q = level(w, top, k);
		const int64_t x = (int64_t)(sum[k] - n * taf_bits64(magic(q)));

		if (k >= w->sums && to->squares != NULL)
			taf_total_add(to->squares, to->of_squares, x, q);
		else if (k < w->sums && to->sum != NULL)
			taf_total_add(to->sum, to->of_sum, x, q);
	}
}

/* Rows to the sums of columns. */
static void
add(const struct way *w, int top, const struct taf_addends_rows *r, size_t size,
    uint64_t (*a)[WIDTH])
{
	const unsigned char *v = r->v;
	double m[TAF_ADDENDS_SUMS];
	size_t i, n;

	find_levels(w, top, m);
	for (i = 0; i < r->rows; i += n, v += n * r->row * size) {
		n = r->rows - i < 4 ? 1 : 4;
		(n == 4 ? w->four : w->one)(v, r->row, r->width, m, a);
	}
}

/* What has a reach that the way serves, to one total. */
static void
add_line(const struct taf_addends *to, const struct way *w, int top, const void *v,
    size_t n, size_t size)
{
	const size_t lanes = n < LANES ? n : LANES, rest = n % lanes;
	const unsigned char *behind = (const unsigned char *)v + (n - rest) * size;
	const struct taf_addends_rows all = { v, lanes, n / lanes, lanes };
	const struct taf_addends_rows end = { behind, rest, 1, rest };
	uint64_t a[TAF_ADDENDS_SUMS][WIDTH], sum[TAF_ADDENDS_SUMS] = { 0 };
	unsigned k;

	for (k = 0; k < w->sums + w->squares; k++)
		memset(a[k], 0, lanes * sizeof *a[k]);
	add(w, top, &all, size, a);
	if (rest > 0)
		add(w, top, &end, size, a);
	for (k = 0; k < w->sums + w->squares; k++)
		for (size_t j = 0; j < lanes; j++)
			sum[k] += a[k][j];
	settle(to, w, top, sum, n);
}

/* --- which way --- */

/* Tops whose levels are neither infinite nor tiny. */
static int
highest(bool squares)
{
	return squares ? 500 : 1000;
}

static int
lowest(bool squares)
{
	return squares ? -400 : -900;
}

/* NULL where none serves. */
static const struct way *
flt64_way(struct reach r, bool squares)
{
	const struct way *w = &ways[squares ? OF_PIECES : OF_SUMS];
	const struct way *last = &ways[squares ? MOST_PIECES : MOST_SUMS];

	if (r.top > highest(squares) || r.top < lowest(squares))
		return NULL;
	while (w <= last && r.low < r.top - w->deep)
		w++;
	return w <= last ? w : NULL;
}

static const struct way *
flt32_way(struct reach r, bool squares)
{
	const struct way *w = &ways[squares ? OF_FLT32_SQUARES : OF_FLT32];

	return r.low < r.top - w->deep ? NULL : w;
}

static void
one_by_one(const struct taf_addends *to, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (to->sum != NULL)
			taf_total_add_f64(to->sum, to->of_sum, v[i]);
		if (to->squares != NULL)
			taf_total_add_square(to->squares, to->of_squares, v[i]);
	}
}

/* Values that no way serves together: those of near exponents by themselves. */
static void
add_apart(const struct taf_addends *to, const double *v, size_t n)
{
	const bool squares = to->squares != NULL;
	const struct way *w = &ways[squares ? MOST_PIECES : MOST_SUMS];
	/* so many bits of the exponent make no difference */
	const unsigned shift = squares ? 4 : 5;
	size_t end[2048 / 16 + 1] = { 0 }, first = 0;
	double near[TAF_ADDENDS_MOST];
	int k;

	for (size_t i = 0; i < n; i++)
		end[(taf_bits64(v[i]) << 1 >> (53 + shift)) + 1]++;
	for (k = 0; k < 2048 >> shift; k++)
		end[k + 1] += end[k];
	for (size_t i = 0; i < n; i++)
		near[end[taf_bits64(v[i]) << 1 >> (53 + shift)]++] = v[i];
	for (k = 0; k < 2048 >> shift; first = end[k++]) {
		const int top = ((k + 1) << shift) - 1 - 1022;

		if (end[k] - first > 2 && top <= highest(squares) &&
		    top >= lowest(squares))
			add_line(to, w, top, near + first, end[k] - first, sizeof *near);
		else
			one_by_one(to, near + first, end[k] - first);
	}
}

bool
taf_addends_flt64(const struct taf_addends *to, const double *v, size_t n)
{
	const struct reach r = flt64_reach(v, n, 1, n);
	const struct way *w = flt64_way(r, to->squares != NULL);

	if (!r.finite || r.zero || (to->sum == NULL && to->squares == NULL))
		return r.finite;
	if (w != NULL)
		add_line(to, w, r.top, v, n, sizeof *v);
	else
		add_apart(to, v, n);
	return true;
}

bool
taf_addends_flt32(const struct taf_addends *to, const float *v, size_t n)
{
	const struct reach r = flt32_reach(v, n, 1, n);
	const struct way *w = flt32_way(r, to->squares != NULL);
	double wide[TAF_ADDENDS_MOST];

	if (!r.finite || r.zero || (to->sum == NULL && to->squares == NULL))
		return r.finite;
	if (w != NULL) {
		add_line(to, w, r.top, v, n, sizeof *v);
		return true;
	}
	for (size_t i = 0; i < n; i++)
		wide[i] = (double)v[i];
	return taf_addends_flt64(to, wide, n);
}

/* --- rows --- */

/* The totals of column i. */
static struct taf_addends
column(const struct taf_addends *to, size_t i)
{
	struct taf_addends c = *to;

	c.sum = to->sum != NULL ? to->sum + i * to->step : NULL;
	c.squares = to->squares != NULL ? to->squares + i * to->step : NULL;
	return c;
}

void
taf_addends_settle(const struct taf_addends *to, size_t width,
    struct taf_addends_tile *tile)
{
	uint64_t sum[TAF_ADDENDS_SUMS];
	unsigned k;

	for (size_t i = 0; i < width && tile->rows > 0; i++) {
		const struct taf_addends c = column(to, i);

		for (k = 0; k < TAF_ADDENDS_SUMS; k++)
			sum[k] = tile->a[k][i];
		settle(&c, &ways[tile->way], tile->top, sum, tile->rows);
	}
	tile->rows = 0;
}

/* Rows of this reach, by this way: what the tile has is settled where they do not fit. */
static void
add_rows(const struct taf_addends *to, const struct taf_addends_rows *r,
    struct reach reach, const struct way *w, size_t size, struct taf_addends_tile *tile)
{
	const struct way *now = &ways[tile->way];
	const int spare = w->deep - (reach.top - reach.low);
	unsigned k;

	if (tile->rows == 0 || (now < &ways[OF_SUMS]) != (w < &ways[OF_SUMS]) ||
	    reach.top > tile->top || reach.low < tile->top - now->deep ||
	    tile->rows + r->rows > TAF_ADDENDS_MOST) {
		taf_addends_settle(to, r->width, tile);
		tile->way = (unsigned)(w - ways);
		/* those to come may reach higher, or more likely lower */
		tile->top = reach.top + spare / 4;
		for (k = 0; k < w->sums + w->squares; k++)
			memset(tile->a[k], 0, r->width * sizeof *tile->a[k]);
	}
	add(&ways[tile->way], tile->top, r, size, tile->a);
	tile->rows += r->rows;
}

/* Where no way serves all of them. */
static void
add_columns(const struct taf_addends *to, const struct taf_addends_rows *r)
{
	double line[TAF_ADDENDS_MOST];
	const double *v = r->v;

	for (size_t j = 0; j < r->width; j++) {
		const struct taf_addends c = column(to, j);

		for (size_t i = 0; i < r->rows; i++)
			line[i] = v[i * r->row + j];
		(void)taf_addends_flt64(&c, line, r->rows);
	}
}

bool
taf_addends_rows_flt64(const struct taf_addends *to, const struct taf_addends_rows *r,
    struct taf_addends_tile *tile)
{
	const struct reach reach = flt64_reach(r->v, r->row, r->rows, r->width);
	const struct way *w = flt64_way(reach, to->squares != NULL);

	if (!reach.finite || reach.zero || (to->sum == NULL && to->squares == NULL))
		return reach.finite;
	if (w != NULL && reach.top + w->deep / 4 <= highest(to->squares != NULL))
		add_rows(to, r, reach, w, sizeof(double), tile);
	else
		add_columns(to, r);
	return true;
}

bool
taf_addends_rows_flt32(const struct taf_addends *to, const struct taf_addends_rows *r,
    struct taf_addends_tile *tile)
{
	enum { SOME = 16 };
	const struct reach reach = flt32_reach(r->v, r->row, r->rows, r->width);
	const struct way *w = flt32_way(reach, to->squares != NULL);
	double wide[SOME * WIDTH];
	struct taf_addends_rows part = { wide, r->width, 0, r->width };
	const float *v = r->v;

	if (!reach.finite || reach.zero || (to->sum == NULL && to->squares == NULL))
		return reach.finite;
	if (w != NULL) {
		add_rows(to, r, reach, w, sizeof(float), tile);
		return true;
	}
	/* rows that doubles go through better: some at a time */
	for (size_t i = 0; i < r->rows; i += part.rows) {
		part.rows = r->rows - i < SOME ? r->rows - i : SOME;
		for (size_t k = 0; k < part.rows; k++)
			for (size_t j = 0; j < r->width; j++)
				wide[k * r->width + j] = (double)v[(i + k) * r->row + j];
		(void)taf_addends_rows_flt64(to, &part, tile);
	}
	return true;
}
