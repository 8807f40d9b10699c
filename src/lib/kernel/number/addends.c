#include "kernel/number/addends.h"

#include "config.h"

#include <string.h>

#include "kernel/number/fast.h"

/*
 * Adding 1.5 2^(52+q) to a double below 2^(51+q) leaves in its bits, but for a
 * constant, how often it has 2^q.  So bits are added as integers, which loses nothing
 * in any order, and 2048 of them do not overflow.  What is below 2^q is counted by
 * another level, 2^51 times finer.
 *
 * The square of a flt32 is exact in a double.  A double is cut into pieces of 25 bits
 * before, whose products are.
 *
 * How far the values of a block reach down says how many levels it takes.  Very few
 * blocks are not served by any number of them here; their values go one by one.
 */
enum {
	STEP = 51,		/* bits from a level to the next */
	PIECE = 25,
	LEVELS = 7		/* of the products of four pieces */
};

/* No value reaches 2^top; each is a multiple of 2^low. */
struct reach {
	bool finite, zero;
	int top, low;
};

static inline uint64_t
bits(double x)
{
	uint64_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static inline uint32_t
float_bits(float x)
{
	uint32_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

/* What brings 2^q to the lowest bit. */
static double
magic(int q)
{
	const uint64_t u = (uint64_t)(1023 + 52 + q) << 52 | UINT64_C(1) << 51;
	double x;

	memcpy(&x, &u, sizeof x);
	return x;
}

/*
 * The largest magnitude, and the smallest but 0, both less 1: 0 is then the largest of
 * all.
 */
TAF_WIDE_VOID(flt32_range,
    (const float *v, size_t n, uint32_t *most, uint32_t *least), (v, n, most, least))
{
	uint32_t a = *most, b = *least;

	for (size_t i = 0; i < n; i++) {
		const uint32_t u = float_bits(v[i]) & INT32_MAX;

		a = u > a ? u : a;
		b = u - 1 < b ? u - 1 : b;
	}
	*most = a;
	*least = b;
}

TAF_WIDE_VOID(flt64_range,
    (const double *v, size_t n, int64_t *most, int64_t *least), (v, n, most, least))
{
	int64_t a = *most, b = *least;

	for (size_t i = 0; i < n; i++) {
		const int64_t u = (int64_t)(bits(v[i]) & INT64_MAX);
		const int64_t x = u == 0 ? INT64_MAX : u;

		a = u > a ? u : a;
		b = x < b ? x : b;
	}
	*most = a;
	*least = b;
}

static struct reach
flt32_reach(uint32_t most, uint32_t least)
{
	const int top = (int)(most >> 23), low = (int)((least + 1) >> 23);

	return (struct reach){ top < 255, most == 0, top - 126,
	    (low > 0 ? low : 1) - 150 };
}

static struct reach
flt64_reach(int64_t most, int64_t least)
{
	const int top = (int)(most >> 52), low = (int)(least >> 52);

	return (struct reach){ top < 2047, most == 0, top - 1022,
	    (low > 0 ? low : 1) - 1075 };
}

/* --- one total --- */

#define SUMS(type) \
TAF_WIDE_VOID(type##_sum1, (const type *v, size_t n, double m, uint64_t *sum), \
    (v, n, m, sum)) \
{ \
	uint64_t a = 0; \
\
	for (size_t i = 0; i < n; i++) \
		a += bits((double)v[i] + m); \
	*sum = a; \
}

SUMS(float)
SUMS(double)

TAF_WIDE_VOID(sum2, (const double *v, size_t n, const double *m, uint64_t *sum),
    (v, n, m, sum))
{
	const double m1 = m[0], m2 = m[1];
	uint64_t a = 0, b = 0;

	for (size_t i = 0; i < n; i++) {
		const double x = v[i], h = x + m1;

		a += bits(h);
		b += bits((x - (h - m1)) + m2);
	}
	sum[0] = a;
	sum[1] = b;
}

/* Squares that are exact, on two levels, and the values on one. */
TAF_WIDE_VOID(both, (const float *v, size_t n, const double *m, uint64_t *sum),
    (v, n, m, sum))
{
	const double m1 = m[0], m2 = m[1], m3 = m[2];
	uint64_t a = 0, b = 0, c = 0;

	for (size_t i = 0; i < n; i++) {
		const double x = v[i], p = x * x, h = p + m1;

		a += bits(h);
		b += bits((p - (h - m1)) + m2);
		c += bits(x + m3);
	}
	sum[0] = a;
	sum[1] = b;
	sum[2] = c;
}

/* The square of x in pieces of which cut has the first three; m has the levels. */
#define PRODUCTS(x, cut, m, add) \
	do { \
		const double h1 = (x) + cut[0], s1 = h1 - cut[0], r1 = (x) - s1; \
		const double h2 = r1 + cut[1], s2 = h2 - cut[1], r2 = r1 - s2; \
		const double h3 = r2 + cut[2], s3 = h3 - cut[2], s4 = r2 - s3; \
\
		add(0, s1 * s1 + m[0]); \
		add(1, 2 * s1 * s2 + m[1]); \
		add(2, (2 * s1 * s3 + s2 * s2) + m[2]); \
		add(3, 2 * (s1 * s4 + s2 * s3) + m[3]); \
		add(4, (2 * s2 * s4 + s3 * s3) + m[4]); \
		add(5, 2 * s3 * s4 + m[5]); \
		add(6, s4 * s4 + m[6]); \
	} while (0)

TAF_WIDE_VOID(squares7,
    (const double *v, size_t n, const double *cut, const double *m, uint64_t *sum),
    (v, n, cut, m, sum))
{
	uint64_t a[LEVELS] = { 0 };

#define ADD(k, x) a[k] += bits(x)
	for (size_t i = 0; i < n; i++)
		PRODUCTS(v[i], cut, m, ADD);
#undef ADD
	memcpy(sum, a, sizeof a);
}

/* --- a total for each column --- */

/*
 * Of some rows at once, row elements apart: sums in memory are not touched for each
 * value.
 */
#define FLT32_COLUMNS(some) \
TAF_WIDE_VOID(sum_columns##some, (const float *restrict v, size_t row, size_t n, \
    double m, uint64_t *restrict a), (v, row, n, m, a)) \
{ \
	for (size_t i = 0; i < n; i++) { \
		uint64_t s = 0; \
\
		for (size_t k = 0; k < some; k++) \
			s += bits((double)v[k * row + i] + m); \
		a[i] += s; \
	} \
} \
\
TAF_WIDE_VOID(both_columns##some, (const float *restrict v, size_t row, size_t n, \
    const double *m, uint64_t *restrict a, uint64_t *restrict b, uint64_t *restrict c), \
    (v, row, n, m, a, b, c)) \
{ \
	const double m1 = m[0], m2 = m[1], m3 = m[2]; \
\
	for (size_t i = 0; i < n; i++) { \
		uint64_t s = 0, t = 0, u = 0; \
\
		for (size_t k = 0; k < some; k++) { \
			const double x = v[k * row + i], p = x * x, h = p + m1; \
\
			s += bits(h); \
			t += bits((p - (h - m1)) + m2); \
			u += bits(x + m3); \
		} \
		a[i] += s; \
		b[i] += t; \
		c[i] += u; \
	} \
}

FLT32_COLUMNS(4)
FLT32_COLUMNS(1)

TAF_WIDE_VOID(columns2, (const double *restrict v, size_t n, const double *m,
    uint64_t *restrict a, uint64_t *restrict b), (v, n, m, a, b))
{
	const double m1 = m[0], m2 = m[1];

	for (size_t i = 0; i < n; i++) {
		const double x = v[i], h = x + m1;

		a[i] += bits(h);
		b[i] += bits((x - (h - m1)) + m2);
	}
}

TAF_WIDE_VOID(square_columns7, (const double *restrict v, size_t n, const double *cut,
    const double *m, uint64_t (*restrict a)[TAF_ADDENDS_WIDTH]), (v, n, cut, m, a))
{
#define ADD(k, x) a[k][i] += bits(x)
	for (size_t i = 0; i < n; i++)
		PRODUCTS(v[i], cut, m, ADD);
#undef ADD
}

/* --- which of them --- */

/* Levels of 2^q, and how many. */
struct levels {
	int q[LEVELS];
	double m[LEVELS], cut[3];
	unsigned n;		/* 0 where no levels serve */
};

static struct levels
down_from(int top, unsigned n)
{
	struct levels l = { .n = n };
	unsigned k;

	for (k = 0; k < n; k++) {
		l.q[k] = top - STEP * (int)(k + 1);
		l.m[k] = magic(l.q[k]);
	}
	return l;
}

static bool
within(int low, int lowest, int top, int highest)
{
	return low >= lowest && top <= highest;
}

static struct levels
levels_of_sum(struct reach r)
{
	const struct levels none = { .n = 0 };

	if (!within(r.top, -900, r.top, 1000) || r.low < r.top - 2 * STEP)
		return none;
	return down_from(r.top, r.low >= r.top - STEP ? 1 : 2);
}

/* Of squares that doubles hold. */
static struct levels
levels_of_exact(struct reach r)
{
	const struct levels none = { .n = 0 };

	return 2 * r.low < 2 * (r.top - STEP) ? none : down_from(2 * r.top, 2);
}

static struct levels
levels_of_pieces(struct reach r)
{
	struct levels l = { .n = 0 };
	unsigned k;

	if (!within(r.top, -400, r.top, 500) || r.low < r.top - 4 * PIECE)
		return l;
	l.n = LEVELS;
	for (k = 0; k < 3; k++)
		l.cut[k] = magic(r.top - PIECE * (int)(k + 1));
	for (k = 0; k < LEVELS; k++) {
		l.q[k] = 2 * r.top - PIECE * (int)(k + 2);
		l.m[k] = magic(l.q[k]);
	}
	return l;
}

/* What n additions to a level have left. */
static void
settle(uint64_t *w, struct taf_total f, const struct levels *l, unsigned k, uint64_t sum,
    size_t n)
{
	taf_total_add(w, f, (int64_t)(sum - n * bits(l->m[k])), l->q[k]);
}

static void
one_by_one(const struct taf_addends *to, const double *v, size_t n, bool squares)
{
	for (size_t i = 0; i < n; i++)
		if (squares)
			taf_total_add_square(to->squares, to->of_squares, v[i]);
		else
			taf_total_add_f64(to->sum, to->of_sum, v[i]);
}

static void
add_sum(const struct taf_addends *to, const double *v, size_t n, struct reach r)
{
	const struct levels l = levels_of_sum(r);
	uint64_t sum[2];
	unsigned k;

	if (l.n == 0)
		one_by_one(to, v, n, false);
	else if (l.n == 1)
		double_sum1(v, n, l.m[0], sum);
	else
		sum2(v, n, l.m, sum);
	for (k = 0; k < l.n; k++)
		settle(to->sum, to->of_sum, &l, k, sum[k], n);
}

static void
add_squares(const struct taf_addends *to, const double *v, size_t n, struct reach r)
{
	const struct levels l = levels_of_pieces(r);
	uint64_t sum[LEVELS];
	unsigned k;

	if (l.n == 0)
		one_by_one(to, v, n, true);
	else
		squares7(v, n, l.cut, l.m, sum);
	for (k = 0; k < l.n; k++)
		settle(to->squares, to->of_squares, &l, k, sum[k], n);
}

bool
taf_addends_flt64(const struct taf_addends *to, const double *v, size_t n)
{
	int64_t most = 0, least = INT64_MAX;
	struct reach r;

	flt64_range(v, n, &most, &least);
	r = flt64_reach(most, least);
	if (!r.finite || r.zero)
		return r.finite;
	if (to->sum != NULL)
		add_sum(to, v, n, r);
	if (to->squares != NULL)
		add_squares(to, v, n, r);
	return true;
}

/*
 * Levels 0 and 1 are of exact squares, 2 is of the values; they reach down equally far.
 */
static bool
levels_of_flt32(struct reach r, struct levels *l)
{
	const struct levels sum = levels_of_sum(r);

	*l = levels_of_exact(r);
	if (l->n == 0 || sum.n != 1)
		return false;
	l->q[2] = sum.q[0];
	l->m[2] = sum.m[0];
	return true;
}

static void
settle_flt32(const struct taf_addends *to, const struct levels *l, const uint64_t *sum,
    size_t n)
{
	if (to->sum != NULL)
		settle(to->sum, to->of_sum, l, 2, sum[2], n);
	if (to->squares == NULL)
		return;
	settle(to->squares, to->of_squares, l, 0, sum[0], n);
	settle(to->squares, to->of_squares, l, 1, sum[1], n);
}

bool
taf_addends_flt32(const struct taf_addends *to, const float *v, size_t n)
{
	double wide[TAF_ADDENDS_MOST];
	uint32_t most = 0, least = UINT32_MAX;
	struct levels l;
	struct reach r;
	uint64_t sum[3];

	flt32_range(v, n, &most, &least);
	r = flt32_reach(most, least);
	if (!r.finite || r.zero || (to->sum == NULL && to->squares == NULL))
		return r.finite;
	if (!levels_of_flt32(r, &l)) {
		for (size_t i = 0; i < n; i++)
			wide[i] = v[i];
		return taf_addends_flt64(to, wide, n);
	}
	if (to->squares != NULL)
		both(v, n, l.m, sum);
	else
		float_sum1(v, n, l.m[2], &sum[2]);
	settle_flt32(to, &l, sum, n);
	return true;
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

/*
 * The levels of a tile: narrow ones are as settle_flt32 has them, wide ones those of the
 * values, and behind them those of their pieces.
 */
static struct levels
levels_of_tile(const struct taf_addends_tile *tile, struct levels *pieces)
{
	const struct reach r = { true, false, tile->top, tile->low };
	struct levels l;

	if (tile->wide) {
		*pieces = levels_of_pieces(r);
		return down_from(tile->top, 2);
	}
	(void)levels_of_flt32(r, &l);
	return l;
}

void
taf_addends_settle(const struct taf_addends *to, size_t width,
    struct taf_addends_tile *tile)
{
	struct levels pieces, l;
	unsigned k;

	if (tile->rows == 0)
		return;
	l = levels_of_tile(tile, &pieces);
	for (size_t i = 0; i < width; i++) {
		const struct taf_addends c = column(to, i);
		uint64_t sum[TAF_ADDENDS_SUMS];

		for (k = 0; k < TAF_ADDENDS_SUMS; k++)
			sum[k] = tile->a[k][i];
		if (!tile->wide)
			settle_flt32(&c, &l, sum, tile->rows);
		for (k = 0; k < l.n && tile->wide && c.sum != NULL; k++)
			settle(c.sum, c.of_sum, &l, k, sum[k], tile->rows);
		for (k = 0; k < LEVELS && tile->wide && c.squares != NULL; k++)
			settle(c.squares, c.of_squares, &pieces, k, sum[l.n + k],
			    tile->rows);
	}
	tile->rows = 0;
}

/*
 * May rows of this reach be added to the tile?  What it has is settled where they do not
 * fit; false where no levels serve.
 */
static bool
ready(const struct taf_addends *to, const struct taf_addends_rows *r, struct reach reach,
    bool wide, struct taf_addends_tile *tile)
{
	const int deep = wide ? 4 * PIECE : STEP, spare = deep - (reach.top - reach.low);

	if (tile->rows > 0 && tile->wide == wide && reach.top <= tile->top &&
	    reach.low >= tile->low && tile->rows + r->rows <= TAF_ADDENDS_MOST)
		return true;
	taf_addends_settle(to, r->width, tile);
	tile->wide = wide;
	/* those to come may reach higher, or more likely lower */
	tile->top = reach.top + spare / 4;
	tile->low = tile->top - deep;
	memset(tile->a, 0, (wide ? TAF_ADDENDS_SUMS : 3) * sizeof *tile->a);
	return spare >= 0 && (!wide || within(tile->top, -400, tile->top, 500));
}

static void
one_by_one_rows(const struct taf_addends *to, const struct taf_addends_rows *r)
{
	const double *v = r->v;

	for (size_t i = 0; i < r->rows; i++)
		for (size_t j = 0; j < r->width; j++) {
			const struct taf_addends c = column(to, j);

			if (to->sum != NULL)
				one_by_one(&c, v + i * r->row + j, 1, false);
			if (to->squares != NULL)
				one_by_one(&c, v + i * r->row + j, 1, true);
		}
}

bool
taf_addends_rows_flt64(const struct taf_addends *to, const struct taf_addends_rows *r,
    struct taf_addends_tile *tile)
{
	int64_t most = 0, least = INT64_MAX;
	struct levels sum, squares;
	const double *v = r->v;
	struct reach reach;

	for (size_t i = 0; i < r->rows; i++)
		flt64_range(v + i * r->row, r->width, &most, &least);
	reach = flt64_reach(most, least);
	if (!reach.finite || reach.zero)
		return reach.finite;
	if (!ready(to, r, reach, true, tile)) {
		one_by_one_rows(to, r);
		return true;
	}
	sum = levels_of_tile(tile, &squares);
	for (size_t i = 0; i < r->rows; i++, v += r->row) {
		if (to->sum != NULL)
			columns2(v, r->width, sum.m, tile->a[0], tile->a[1]);
		if (to->squares != NULL)
			square_columns7(v, r->width, squares.cut, squares.m,
			    tile->a + sum.n);
	}
	tile->rows += r->rows;
	return true;
}

/* Rows that doubles go through better: some at a time. */
static void
widen(const struct taf_addends *to, const struct taf_addends_rows *r,
    struct taf_addends_tile *tile)
{
	enum { SOME = 16 };
	double wide[SOME * TAF_ADDENDS_WIDTH];
	struct taf_addends_rows part = { wide, r->width, 0, r->width };
	const float *v = r->v;

	for (size_t i = 0; i < r->rows; i += part.rows) {
		part.rows = r->rows - i < SOME ? r->rows - i : SOME;
		for (size_t k = 0; k < part.rows; k++)
			for (size_t j = 0; j < r->width; j++)
				wide[k * r->width + j] = v[(i + k) * r->row + j];
		(void)taf_addends_rows_flt64(to, &part, tile);
	}
}

bool
taf_addends_rows_flt32(const struct taf_addends *to, const struct taf_addends_rows *r,
    struct taf_addends_tile *tile)
{
	const size_t width = r->width, row = r->row, four = r->rows / 4 * 4;
	uint64_t (*a)[TAF_ADDENDS_WIDTH] = tile->a;
	uint32_t most = 0, least = UINT32_MAX;
	const float *v = r->v;
	struct reach reach;
	struct levels l;
	size_t i;

	for (i = 0; i < r->rows; i++)
		flt32_range(v + i * row, width, &most, &least);
	reach = flt32_reach(most, least);
	if (!reach.finite || reach.zero || (to->sum == NULL && to->squares == NULL))
		return reach.finite;
	if (!ready(to, r, reach, false, tile)) {
		widen(to, r, tile);
		return true;
	}
	l = levels_of_tile(tile, NULL);
	for (i = 0; i < four && to->squares != NULL; i += 4)
		both_columns4(v + i * row, row, width, l.m, a[0], a[1], a[2]);
	for (; i < r->rows && to->squares != NULL; i++)
		both_columns1(v + i * row, row, width, l.m, a[0], a[1], a[2]);
	for (; i < four; i += 4)
		sum_columns4(v + i * row, row, width, l.m[2], a[2]);
	for (; i < r->rows; i++)
		sum_columns1(v + i * row, row, width, l.m[2], a[2]);
	tile->rows += r->rows;
	return true;
}
