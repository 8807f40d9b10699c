#include "kernel/stat/stats.h"

#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/attr.h"
#include "kernel/number/convert.h"
#include "kernel/number/fast.h"
#include "kernel/stat/extremes.h"

/*
 * Sums of integers, and of their squares, are exact, and a mapping is applied to what
 * follows from them.
 *
 * Floats are gone through several times while a block is in the first-level cache: for
 * its mean first, then for the deviations from it.  They become doubles in registers,
 * each time again.  Blocks are joined as Chan, Golub and LeVeque do, with the mean and
 * the squares as sums of two doubles, since a large array has many blocks.
 *
 * Squares of very large or very small values do not fit a double.  Blocks that have
 * such go by a power of two, which loses nothing.
 */
enum {
	LANES = 64,		/* sums, each of every 64th value */
	QUAD = 4,		/* lanes in a register */
	GROUP = 4 * QUAD,	/* lanes that registers hold while a block goes by */
	WORD = 16		/* values compared at once */
};

static const double large = 0x1p400, small = 0x1p-400, down = 0x1p-600, up = 0x1p600;

/* As many lanes as n values need, a power of two: others would add 0. */
static inline size_t
lanes_for(size_t n)
{
	size_t lanes = 1;

	while (lanes < n && lanes < LANES)
		lanes *= 2;
	return lanes;
}

/* The sum of all lanes, always in the same order. */
static inline double
fold(double *lane, size_t lanes)
{
	for (size_t half = lanes / 2; half > 0; half /= 2)
		for (size_t j = 0; j < half; j++)
			lane[j] += lane[j + half];
	return lane[0];
}

/* Values are flt32 where narrow, else flt64, at any address. */
static TAF_INLINE double
value(const unsigned char *v, size_t i, bool narrow)
{
	double x;
	float y;

	if (narrow) {
		memcpy(&y, v + i * sizeof y, sizeof y);
		return (double)y;
	}
	memcpy(&x, v + i * sizeof x, sizeof x);
	return x;
}

#ifdef __GNUC__

/* GCC keeps arrays of lanes in memory, but vectors in registers. */
typedef double quad __attribute__((vector_size(QUAD * sizeof(double))));

/* Add four deviations from c, and, unless two is NULL, their squares. */
static TAF_INLINE void
add_quad(quad *one, quad *two, const unsigned char *v, size_t i, bool narrow, double c)
{
	quad d = { value(v, i, narrow), value(v, i + 1, narrow), value(v, i + 2, narrow),
		value(v, i + 3, narrow) };

	d -= (quad){ c, c, c, c };
	*one += d;
	if (two != NULL)
		*two += d * d;
}

static TAF_INLINE void
add_rows(double *one, double *two, const unsigned char *v, size_t n, bool narrow,
    double c)
{
	for (size_t g = 0; g < LANES; g += GROUP) {
		quad a = { 0 }, b = a, d = a, e = a, aa = a, bb = a, dd = a, ee = a;

		for (size_t i = g; i < n; i += LANES) {
			add_quad(&a, two != NULL ? &aa : NULL, v, i, narrow, c);
			add_quad(&b, two != NULL ? &bb : NULL, v, i + QUAD, narrow, c);
			add_quad(&d, two != NULL ? &dd : NULL, v, i + 2 * QUAD, narrow,
			    c);
			add_quad(&e, two != NULL ? &ee : NULL, v, i + 3 * QUAD, narrow,
			    c);
		}
		memcpy(one + g, &a, sizeof a);
		memcpy(one + g + QUAD, &b, sizeof b);
		memcpy(one + g + 2 * QUAD, &d, sizeof d);
		memcpy(one + g + 3 * QUAD, &e, sizeof e);
		if (two == NULL)
			continue;
		memcpy(two + g, &aa, sizeof aa);
		memcpy(two + g + QUAD, &bb, sizeof bb);
		memcpy(two + g + 2 * QUAD, &dd, sizeof dd);
		memcpy(two + g + 3 * QUAD, &ee, sizeof ee);
	}
}

#else

static void
add_rows(double *one, double *two, const unsigned char *v, size_t n, bool narrow,
    double c)
{
	double unwanted[LANES];

	if (two == NULL)
		two = unwanted;
	for (size_t j = 0; j < LANES; j++)
		one[j] = two[j] = 0;
	for (size_t i = 0; i < n; i += LANES)
		for (size_t j = 0; j < LANES; j++) {
			double d = value(v, i + j, narrow) - c;

			one[j] += d;
			two[j] += d * d;
		}
}

#endif

/* The sum of the deviations from c, and, where wanted, that of their squares. */
static TAF_INLINE double
add_up(const unsigned char *v, size_t n, bool narrow, double c, double *squares)
{
	const size_t lanes = lanes_for(n), rows = n / LANES * LANES;
	double one[LANES], two[LANES];

	if (rows > 0)
		add_rows(one, squares != NULL ? two : NULL, v, rows, narrow, c);
	else
		for (size_t j = 0; j < lanes; j++)
			one[j] = two[j] = 0;
	for (size_t i = rows; i < n; i++) {
		double d = value(v, i, narrow) - c;

		one[i - rows] += d;
		if (squares != NULL)
			two[i - rows] += d * d;
	}
	if (squares != NULL)
		*squares = fold(two, lanes);
	return fold(one, lanes);
}

TAF_FAST_VOID(deviations, (const unsigned char *v, size_t n, bool narrow, double c,
    double *sum, double *squares), (v, n, narrow, c, sum, squares))
{
	*sum = narrow ? add_up(v, n, true, c, squares) : add_up(v, n, false, c, squares);
}

TAF_FAST(double, sum, (const unsigned char *v, size_t n, bool narrow), (v, n, narrow))
{
	return narrow ? add_up(v, n, true, 0, NULL) : add_up(v, n, false, 0, NULL);
}

/*
 * Sum and extremes of n > 0 values.  Only where all are finite can the sum be; the
 * extremes are then right.
 */
static double
look(const unsigned char *v, size_t n, bool narrow, double *min, double *max)
{
	if (narrow)
		taf_extremes_flt32(v, n, min, max);
	else
		taf_extremes_flt64(v, n, min, max);
	return sum(v, n, narrow);
}

TAF_FAST_VOID(scale_by, (double *v, size_t n, double factor), (v, n, factor))
{
	for (size_t i = 0; i < n; i++)
		v[i] *= factor;
}

/* The finite ones of n values, in their order.  Returns how many there are. */
static size_t
gather(double *restrict to, const unsigned char *v, size_t n, bool narrow, uint64_t *nan)
{
	size_t i, m = 0;

	for (i = 0; i < n; i++) {
		const double x = value(v, i, narrow);

		to[m] = x;
		m += x - x == 0;
		*nan += x != x;
	}
	return m;
}

static void
as_doubles(double *to, const unsigned char *v, size_t n, bool narrow)
{
	(void)taf_convert(to, TAF_FLT64, v, narrow ? TAF_FLT32 : TAF_FLT64, n, NULL, true,
	    NULL);
}

/* As many of v as are not x, in words; the maximum of rising data is at the end. */
TAF_FAST(size_t, pass, (const double *v, size_t n, double x), (v, n, x))
{
	size_t i;

	for (i = 0; i + WORD <= n; i += WORD) {
		int found = 0;

		for (size_t j = 0; j < WORD; j++)
			found |= v[i + j] == x;
		if (found)
			break;
	}
	return i;
}

size_t
taf_find_f64(const double *v, size_t n, double x)
{
	size_t i = pass(v, n, x);

	while (i < n && v[i] != x)
		i++;
	return i;
}

/* Bring mean and squares to a scale that is above theirs. */
static void
rescale(struct taf_stats_moments *s, int scale)
{
	for (; s->scale < scale; s->scale++) {
		s->mean.hi *= down;
		s->mean.lo *= down;
		s->m2.hi = s->m2.hi * down * down;
		s->m2.lo = s->m2.lo * down * down;
	}
}

/* A result at the scale of the values. */
static double
unscaled(const struct taf_stats_moments *s, double x)
{
	return s->scale > 0 ? x * up : s->scale < 0 ? x * down : x;
}

/* Finite values, as they are in memory. */
struct finite {
	const unsigned char *v;
	size_t n;
	bool narrow;
	double sum, most;	/* of them; the largest magnitude */
};

/* Join them to na of before. */
static void
join(struct taf_stats_moments *s, uint64_t na, const struct finite *f)
{
	const int scale = f->most > large ? 1 : f->most < small ? -1 : 0;
	const unsigned char *v = f->v;
	const size_t n = f->n;
	bool narrow = f->narrow;
	double sum = f->sum;
	double scaled[TAF_STATS_BLOCK], center, rest, squares, delta, weight, min, max;

	if (na == 0)
		s->scale = scale;
	else
		rescale(s, scale);
	if (s->scale != 0) {
		as_doubles(scaled, v, n, narrow);
		scale_by(scaled, n, s->scale > 0 ? down : up);
		v = (const unsigned char *)scaled;
		narrow = false;
		sum = look(v, n, narrow, &min, &max);
	}
	center = sum / (double)n;
	deviations(v, n, narrow, center, &rest, &squares);
	/* what the rounding of the center has left */
	rest /= (double)n;
	squares -= rest * rest * (double)n;
	delta = (center - s->mean.hi) + (rest - s->mean.lo);
	weight = (double)n / ((double)na + (double)n);
	if (na == 0) {
		s->mean.hi = center;
		s->mean.lo = rest;
		delta = 0;
	} else {
		taf_two_add(&s->mean, delta * weight);
	}
	if (squares > 0)
		taf_two_add(&s->m2, squares);
	taf_two_add(&s->m2, delta * delta * weight * (double)na);
}

/* Join the moments of b to those of a, na and nb finite values, neither of them 0. */
static void
join_moments(struct taf_stats_moments *a, uint64_t na, struct taf_stats_moments *b,
    uint64_t nb)
{
	const double weight = (double)nb / ((double)na + (double)nb);
	double delta;

	rescale(a, b->scale);
	rescale(b, a->scale);
	delta = (b->mean.hi - a->mean.hi) + (b->mean.lo - a->mean.lo);
	taf_two_add(&a->mean, delta * weight);
	taf_two_add(&a->m2, b->m2.hi);
	taf_two_add(&a->m2, b->m2.lo);
	taf_two_add(&a->m2, delta * delta * weight * (double)na);
}

/* --- integers --- */

/* Are the sums exact?  A value under a mapping could be infinite where they are not. */
static bool
is_exact(enum taf_type stype, const double *mapping)
{
	return taf_type_is_int(stype) && (mapping == NULL ||
	    isfinite(fabs(mapping[0]) + fabs(mapping[1]) * 0x1p64));
}

/* Doubles may take two of these integers for one. */
static bool
is_wide(enum taf_type stype, const double *mapping)
{
	return mapping == NULL && (stype == TAF_INT64 || stype == TAF_UINT64);
}

/* Is one integer, by its bits, less than the other? */
static bool
less(enum taf_type stype, uint64_t a, uint64_t b)
{
	return stype == TAF_UINT64 ? a < b : (int64_t)a < (int64_t)b;
}

static double
as_double(enum taf_type stype, uint64_t bits)
{
	return stype == TAF_UINT64 ? (double)bits : (double)(int64_t)bits;
}

static size_t
find_int(const unsigned char *src, size_t n, uint64_t x)
{
	size_t i;

	for (i = 0; i < n; i++) {
		uint64_t y;

		memcpy(&y, src + i * sizeof y, sizeof y);
		if (y == x)
			break;
	}
	return i;
}

static void
note_wide(struct taf_stats *s, const unsigned char *src, enum taf_type stype, size_t n,
    struct taf_exact_range range)
{
	const uint64_t min = (uint64_t)range.min, max = (uint64_t)range.max;

	if (s->count == 0 || less(stype, min, s->int_min)) {
		s->int_min = min;
		s->min = as_double(stype, min);
		s->min_at = s->count + find_int(src, n, min);
	}
	if (s->count == 0 || less(stype, s->int_max, max)) {
		s->int_max = max;
		s->max = as_double(stype, max);
		s->max_at = s->count + find_int(src, n, max);
	}
}

/* The extremes of n > 0 values, which come behind those of before. */
static void
note(struct taf_stats *s, const unsigned char *v, size_t n, bool narrow, double min,
    double max)
{
	const bool first = taf_stats_finite(s) == 0;
	double x[TAF_STATS_BLOCK];
	size_t at;

	if (!first && !(min < s->min) && !(max > s->max))
		return;
	as_doubles(x, v, n, narrow);
	if (first || min < s->min) {
		at = taf_find_f64(x, n, min);
		/* of 0 and -0 the first one */
		s->min = x[at];
		s->min_at = s->count + at;
	}
	if (first || max > s->max) {
		at = taf_find_f64(x, n, max);
		s->max = x[at];
		s->max_at = s->count + at;
	}
}

/* A block of n > 0 integers, whose results are finite. */
static void
add_ints(struct taf_stats *s, const unsigned char *src, enum taf_type stype, size_t n,
    const double *mapping)
{
	struct taf_exact_range range;
	double values[TAF_STATS_BLOCK], min, max;
	const unsigned char *v = (const unsigned char *)values;

	taf_exact_add(&s->of.exact, src, stype, n, &range);
	min = (double)range.min;
	max = (double)range.max;
	if (is_wide(stype, mapping)) {
		note_wide(s, src, stype, n, range);
	} else if (mapping != NULL || s->count == 0 || min < s->min || max > s->max) {
		(void)taf_convert(values, TAF_FLT64, src, stype, n, mapping, true, NULL);
		/* under a mapping two integers may be one value */
		if (mapping != NULL)
			(void)look(v, n, false, &min, &max);
		note(s, v, n, false, min, max);
	}
	s->count += n;
}

/* --- floats --- */

/* One block of n > 0 floats. */
static void
add_block(struct taf_stats *s, const unsigned char *v, size_t n, bool narrow)
{
	const uint64_t before = taf_stats_finite(s);
	double finite[TAF_STATS_BLOCK], min, max, sum = look(v, n, narrow, &min, &max);
	const unsigned char *w = v;
	bool as_is = true;
	uint64_t nan = 0;
	size_t m = n;

	if (sum - sum != 0) {
		m = gather(finite, v, n, narrow, &nan);
		w = (const unsigned char *)finite;
		as_is = false;
		if (m > 0)
			sum = look(w, m, false, &min, &max);
	}
	if (m > 0) {
		note(s, v, n, narrow, min, max);
		join(&s->of.moments, before, &(struct finite){ w, m, narrow && as_is, sum,
		    -min > max ? -min : max });
	}
	s->count += n;
	s->nan += nan;
	s->inf += n - m - nan;
}

void
taf_stats_add(struct taf_stats *s, const void *src, enum taf_type stype, size_t n,
    const double *mapping)
{
	const bool exact = is_exact(stype, mapping);
	const bool plain = mapping == NULL && (stype == TAF_FLT32 || stype == TAF_FLT64);
	const size_t esize = taf_type_size(stype);
	const unsigned char *p = src;
	double v[TAF_STATS_BLOCK];
	size_t part;

	for (; n > 0; n -= part, p += part * esize) {
		part = n < TAF_STATS_BLOCK ? n : TAF_STATS_BLOCK;
		if (exact) {
			add_ints(s, p, stype, part, mapping);
		} else if (plain) {
			add_block(s, p, part, stype == TAF_FLT32);
		} else {
			/* everything fits a double */
			(void)taf_convert(v, TAF_FLT64, p, stype, part, mapping, true,
			    NULL);
			add_block(s, (const unsigned char *)v, part, false);
		}
	}
}

/* Doubles that are equal may be of integers that are not. */
static void
join_wide(struct taf_stats *s, const struct taf_stats *more, enum taf_type stype)
{
	if (less(stype, more->int_min, s->int_min)) {
		s->int_min = more->int_min;
		s->min = more->min;
		s->min_at = s->count + more->min_at;
	}
	if (less(stype, s->int_max, more->int_max)) {
		s->int_max = more->int_max;
		s->max = more->max;
		s->max_at = s->count + more->max_at;
	}
}

void
taf_stats_join(struct taf_stats *s, const struct taf_stats *more, enum taf_type stype,
    const double *mapping)
{
	const uint64_t na = taf_stats_finite(s), nb = taf_stats_finite(more);
	struct taf_stats b = *more;

	b.min_at += s->count;
	b.max_at += s->count;
	if (na > 0 && nb > 0) {
		if (is_wide(stype, mapping))
			join_wide(s, more, stype);
		if (b.min < s->min) {
			s->min = b.min;
			s->min_at = b.min_at;
		}
		if (b.max > s->max) {
			s->max = b.max;
			s->max_at = b.max_at;
		}
		if (is_exact(stype, mapping))
			taf_exact_join(&s->of.exact, &b.of.exact);
		else
			join_moments(&s->of.moments, na, &b.of.moments, nb);
	}
	b.count += s->count;
	b.nan += s->nan;
	b.inf += s->inf;
	if (na == 0 && nb > 0)
		*s = b;
	s->count = b.count;
	s->nan = b.nan;
	s->inf = b.inf;
}

uint64_t
taf_stats_finite(const struct taf_stats *s)
{
	return s->count - s->nan - s->inf;
}

/* The mean of integers under a mapping. */
static double
mapped_mean(struct taf_two mean, const double *mapping)
{
	struct taf_two r = taf_two_product(mapping[1], mean.hi);

	/* where halves of the slope overflow, or the product is tiny */
	if (!isfinite(r.lo))
		r.lo = 0;
	r.lo += mapping[1] * mean.lo;
	taf_two_add(&r, mapping[0]);
	return r.hi + r.lo;
}

/* The root of the sum of two squares, neither of which need fit a double. */
static double
hypotenuse(double a, double b)
{
	const double most = fabs(a) > b ? fabs(a) : b;
	const double by = most > large ? down : most < small ? up : 1;

	a *= by;
	b *= by;
	return sqrt(a * a + b * b) * (most > large ? up : most < small ? down : 1);
}

double
taf_stats_mean(const struct taf_stats *s, enum taf_type stype, const double *mapping)
{
	const uint64_t n = taf_stats_finite(s);
	struct taf_two mean;

	if (n == 0)
		return NAN;
	if (!is_exact(stype, mapping))
		return unscaled(&s->of.moments,
		    s->of.moments.mean.hi + s->of.moments.mean.lo);
	mean = taf_exact_mean(&s->of.exact, n);
	return mapping != NULL ? mapped_mean(mean, mapping) : mean.hi + mean.lo;
}

double
taf_stats_std(const struct taf_stats *s, enum taf_type stype, const double *mapping)
{
	const struct taf_stats_moments *m = &s->of.moments;
	const uint64_t n = taf_stats_finite(s);

	if (n == 0)
		return NAN;
	if (!is_exact(stype, mapping))
		return unscaled(m, sqrt((m->m2.hi + m->m2.lo) / (double)n));
	return sqrt(taf_exact_variance(&s->of.exact, n)) *
	    (mapping != NULL ? fabs(mapping[1]) : 1);
}

double
taf_stats_rms(const struct taf_stats *s, enum taf_type stype, const double *mapping)
{
	const struct taf_stats_moments *m = &s->of.moments;
	const double mean = m->mean.hi + m->mean.lo;
	const uint64_t n = taf_stats_finite(s);

	if (n == 0)
		return NAN;
	if (!is_exact(stype, mapping))
		return unscaled(m, sqrt(mean * mean + (m->m2.hi + m->m2.lo) / (double)n));
	if (mapping == NULL)
		return sqrt(taf_exact_mean_square(&s->of.exact, n));
	return hypotenuse(taf_stats_mean(s, stype, mapping),
	    taf_stats_std(s, stype, mapping));
}
