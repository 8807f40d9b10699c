/* SPDX-License-Identifier: ISC */
#include "kernel/line/running.h"

#include <string.h>

#include "config.h"
#include "base/attr.h"
#include "base/num.h"
#include "kernel/number/fast.h"
#include "kernel/number/nan.h"

/* Runs are lines of a matrix, summed side by side: LANES of them at a time. */
enum {
	RUN = 32, LANES = 16, BLOCK = RUN * LANES,
	FEW = 192		/* points that one by one are as fast */
};

/* A sum and what is added last; the lower part means nothing beside an infinity. */
static double
total(const struct taf_two *s, double more)
{
	const double hi = s->hi + more;

	return taf_is_finite(hi) ? hi + s->lo : hi;
}

static struct taf_two
join(const struct taf_two *a, const struct taf_two *b)
{
	const double hi = a->hi + b->hi, part = hi - a->hi;
	const double lost = (a->hi - (hi - part)) + (b->hi - part);

	return (struct taf_two){ hi, a->lo + (lost + b->lo) };
}

/*
 * A run is complete.  Alone it may be infinite where the sum is not; the sum stays
 * infinite.
 */
static void
next_run(struct taf_running *s)
{
	const struct taf_two sum = join(&s->before, &s->run);

	s->before = taf_is_finite(s->run.hi) && taf_is_finite(sum.hi) &&
	    taf_is_finite(s->sum.hi) ? sum : s->sum;
	s->sum = s->before;
	s->run = (struct taf_two){ 0, 0 };
}

/* out may be NULL: then the sums alone go on. */
static void
one_by_one(struct taf_running *s, double *out, const double *x, uint64_t at, size_t n,
    bool half)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if ((at + i) % RUN == 0)
			next_run(s);
		if (half && out != NULL)
			out[i] = total(&s->sum, x[i] / 2);
		taf_two_add(&s->sum, x[i]);
		taf_two_add(&s->run, x[i]);
		if (!half && out != NULL)
			out[i] = total(&s->sum, 0);
	}
}

#ifdef __GNUC__

/* GCC keeps arrays of lanes in memory, but vectors in registers. */
typedef double quad __attribute__((vector_size(4 * sizeof(double))));
typedef double octet __attribute__((vector_size(8 * sizeof(double))));

/* The sums of all lanes, and what they have lost. */
struct lanes {
	double hi[LANES], lo[LANES];
};

/* Rows of to are columns of from; both numbers are even. */
static TAF_INLINE void
transpose(double *restrict to, const double *restrict from, size_t rows, size_t columns)
{
	for (size_t i = 0; i < rows; i += 2)
		for (size_t k = 0; k < columns; k += 2) {
			double a[2], b[2], c[2], d[2];

			memcpy(a, from + k * rows + i, sizeof a);
			memcpy(b, from + (k + 1) * rows + i, sizeof b);
			c[0] = a[0];
			c[1] = b[0];
			d[0] = a[1];
			d[1] = b[1];
			memcpy(to + i * columns + k, c, sizeof c);
			memcpy(to + (i + 1) * columns + k, d, sizeof d);
		}
}

#define LANES_OF(vec) \
static TAF_INLINE void \
add_##vec(vec *hi, vec *lo, const vec *x) \
{ \
	const vec sum = *hi + *x, part = sum - *hi; \
\
	*lo += (*hi - (sum - part)) + (*x - part); \
	*hi = sum; \
} \
\
/* Two vectors of lanes at a time: they wait for each other less. */ \
static TAF_INLINE void \
totals_##vec(struct lanes *s, const double *t) \
{ \
	for (size_t l = 0; l < LANES; l += 2 * (sizeof(vec) / sizeof(double))) { \
		vec x[2], hi[2] = { { 0 }, { 0 } }, lo[2] = { { 0 }, { 0 } }; \
\
		for (size_t k = 0; k < RUN; k++) { \
			memcpy(x, t + k * LANES + l, sizeof x); \
			add_##vec(&hi[0], &lo[0], &x[0]); \
			add_##vec(&hi[1], &lo[1], &x[1]); \
		} \
		memcpy(s->hi + l, hi, sizeof hi); \
		memcpy(s->lo + l, lo, sizeof lo); \
	} \
} \
\
/* From sums before the first row to those of the last; rows become results. */ \
static TAF_INLINE void \
sums_##vec(struct lanes *s, double *t, bool half) \
{ \
	for (size_t l = 0; l < LANES; l += 2 * (sizeof(vec) / sizeof(double))) { \
		vec x[2], y[2], hi[2], lo[2]; \
\
		memcpy(hi, s->hi + l, sizeof hi); \
		memcpy(lo, s->lo + l, sizeof lo); \
		for (size_t k = 0; k < RUN; k++) { \
			memcpy(x, t + k * LANES + l, sizeof x); \
			y[0] = (hi[0] + x[0] / 2) + lo[0]; \
			y[1] = (hi[1] + x[1] / 2) + lo[1]; \
			add_##vec(&hi[0], &lo[0], &x[0]); \
			add_##vec(&hi[1], &lo[1], &x[1]); \
			x[0] = half ? y[0] : hi[0] + lo[0]; \
			x[1] = half ? y[1] : hi[1] + lo[1]; \
			memcpy(t + k * LANES + l, x, sizeof x); \
		} \
		memcpy(s->hi + l, hi, sizeof hi); \
		memcpy(s->lo + l, lo, sizeof lo); \
	} \
}

LANES_OF(quad)

TAF_FAST_VOID(totals, (struct lanes *s, const double *t), (s, t))
{
	totals_quad(s, t);
}

TAF_FAST_VOID(sums, (struct lanes *s, double *t, bool half), (s, t, half))
{
	if (half)
		sums_quad(s, t, true);
	else
		sums_quad(s, t, false);
}

#ifdef HAVE_TARGET_AVX512

LANES_OF(octet)

TAF_WIDE_VOID(wide_totals, (struct lanes *s, const double *t), (s, t))
{
	totals_octet(s, t);
}

TAF_WIDE_VOID(wide_sums, (struct lanes *s, double *t, bool half), (s, t, half))
{
	if (half)
		sums_octet(s, t, true);
	else
		sums_octet(s, t, false);
}

static bool
is_wide(void)
{
	return taf_has_avx512();
}

#else

#define wide_totals totals
#define wide_sums sums

static bool
is_wide(void)
{
	return false;
}

#endif

static bool
all_finite(const double *v)
{
	double any = 0;

	for (size_t l = 0; l < LANES; l++)
		any += v[l] - v[l];
	return any == 0;
}

/* The sum of each run, and the one before it; false if one of these is infinite. */
static bool
sum_runs(const struct taf_running *s, const double *t, struct lanes *run,
    struct taf_two before[LANES])
{
	if (is_wide())
		wide_totals(run, t);
	else
		totals(run, t);
	before[0] = join(&s->before, &s->run);
	for (size_t l = 1; l < LANES; l++)
		before[l] = join(&before[l - 1],
		    &(struct taf_two){ run->hi[l - 1], run->lo[l - 1] });
	/* what is not finite before a run is not before the next ones */
	return taf_is_finite(s->run.hi) && taf_is_finite(s->sum.hi) &&
	    all_finite(run->hi) && taf_is_finite(before[LANES - 1].hi);
}

/*
 * n <= BLOCK points from the begin of a run on.
 * False, and nothing is done, if a sum is infinite.
 */
static bool
side_by_side(struct taf_running *s, double *restrict out, const double *restrict x,
    size_t n, bool half)
{
	const size_t last = (n - 1) / RUN;
	_Alignas(64) double t[BLOCK], padded[BLOCK];
	struct taf_two before[LANES];
	struct lanes run, sum;
	size_t l;

	if (n < BLOCK) {
		/* zeros change no sum */
		memcpy(padded, x, n * sizeof *x);
		memset(padded + n, 0, (BLOCK - n) * sizeof *x);
		x = padded;
	}
	transpose(t, x, RUN, LANES);
	if (!sum_runs(s, t, &run, before))
		return false;
	for (l = 0; l < LANES; l++) {
		sum.hi[l] = before[l].hi;
		sum.lo[l] = before[l].lo;
	}
	if (is_wide())
		wide_sums(&sum, t, half);
	else
		sums(&sum, t, half);
	if (!all_finite(sum.hi))
		return false;
	s->before = before[last];
	s->run = (struct taf_two){ run.hi[last], run.lo[last] };
	s->sum = (struct taf_two){ sum.hi[last], sum.lo[last] };
	transpose(n < BLOCK ? padded : out, t, LANES, RUN);
	if (n < BLOCK)
		memcpy(out, padded, n * sizeof *out);
	return true;
}

/* Is any of n numbers so large, or infinite or NaN, that a sum of some may overflow? */
TAF_FAST(bool, any_large, (const double *x, size_t n), (x, n))
{
	int64_t any = 0;

	for (size_t i = 0; i < n; i++) {
		const int64_t large = INT64_C(0x7c00000000000000);
		int64_t bits;

		memcpy(&bits, &x[i], sizeof bits);
		any |= (bits & INT64_MAX) > large;
	}
	return any != 0;
}

/*
 * The same without results: BLOCK points.  The sum of points that are followed by another
 * run is asked for only whether it is infinite.
 */
static bool
pass_side_by_side(struct taf_running *s, const double *x)
{
	_Alignas(64) double t[BLOCK];
	struct taf_two before[LANES];
	struct lanes run;

	if (any_large(x, BLOCK) || any_large(&s->before.hi, 1) ||
	    any_large(&s->sum.hi, 1))
		return false;
	transpose(t, x, RUN, LANES);
	if (!sum_runs(s, t, &run, before))
		return false;
	s->before = before[LANES - 1];
	s->run = (struct taf_two){ run.hi[LANES - 1], run.lo[LANES - 1] };
	s->sum = join(&s->before, &s->run);
	return true;
}

#else

static bool
side_by_side(struct taf_running *s, double *restrict out, const double *restrict x,
    size_t n, bool half)
{
	(void)s, (void)out, (void)x, (void)n, (void)half;
	return false;
}

static bool
pass_side_by_side(struct taf_running *s, const double *x)
{
	(void)s, (void)x;
	return false;
}

#endif

void
taf_running(struct taf_running *s, double *restrict out, const double *restrict x,
    uint64_t at, size_t n, bool half)
{
	const size_t front = (size_t)((RUN - at % RUN) % RUN);
	size_t part = front < n ? front : n;

	one_by_one(s, out, x, at, part, half);
	for (n -= part; n > 0; n -= part) {
		at += part;
		out += part;
		x += part;
		part = n < BLOCK ? n : BLOCK;
		if (part < FEW || !side_by_side(s, out, x, part, half))
			one_by_one(s, out, x, at, part, half);
	}
}

void
taf_running_pass(struct taf_running *s, const double *x, uint64_t at, size_t n)
{
	const size_t front = (size_t)((RUN - at % RUN) % RUN);
	size_t part = front < n ? front : n;

	one_by_one(s, NULL, x, at, part, false);
	for (n -= part; n > 0; n -= part) {
		at += part;
		x += part;
		part = n < BLOCK ? n : BLOCK;
		if (part < BLOCK || !pass_side_by_side(s, x))
			one_by_one(s, NULL, x, at, part, false);
	}
}

bool
taf_running_finite(const struct taf_running *s)
{
	return taf_is_finite(s->before.hi) && taf_is_finite(s->run.hi) &&
	    taf_is_finite(s->sum.hi);
}

static struct taf_two
scale_down(struct taf_two sum, int bits)
{
	return (struct taf_two){ taf_scale(sum.hi, -bits), taf_scale(sum.lo, -bits) };
}

void
taf_running_scale_down(struct taf_running *s, int bits)
{
	s->before = scale_down(s->before, bits);
	s->run = scale_down(s->run, bits);
	s->sum = scale_down(s->sum, bits);
}
