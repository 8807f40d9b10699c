/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/stat/hist.h"

#include <float.h>
#include <string.h>

#include "base/num.h"
#include "kernel/number/convert.h"
#include "kernel/number/fast.h"

enum {
	BLOCK = 256,		/* values that are looked at together */
	/* counts of a bin: equal neighbours do not wait for each other */
	LANES = 4,
	FEW = 512		/* bins that have so many */
};

static bool
grow(const double *edge, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		if (!(edge[k] < edge[k + 1]))
			return false;
	return taf_is_finite(edge[0]) && taf_is_finite(edge[n]);
}

bool
taf_bins_between(double *edge, size_t n, double low, double high, bool narrow)
{
	const double step = (high - low) / (double)n;
	size_t k;

	for (k = 0; k <= n; k++)
		/* a step may be too small for a double though the span is not */
		edge[k] = (step == 0 ? (double)k / (double)n * (high - low) :
		    (double)k * step) + low;
	edge[n] = high;
	for (k = 0; k <= n && narrow; k++) {
		if (edge[k] < -FLT_MAX || edge[k] > FLT_MAX)
			return false;
		edge[k] = (double)(float)edge[k];
	}
	return grow(edge, n);
}

bool
taf_bins_multiples(double *edge, size_t n, double first, double width)
{
	size_t k;

	for (k = 0; k <= n; k++)
		edge[k] = (first + (double)k) * width;
	/* a middle and a width are wanted of them */
	return edge[n] - edge[0] <= DBL_MAX && grow(edge, n);
}

struct taf_bins
taf_bins_plan(const double *edge, size_t n, enum taf_type type, const double *mapping)
{
	struct taf_bins b = { .n = n, .edge = edge, .type = type,
	    .mapped = mapping != NULL };
	const double low = edge[0] < 0 ? -edge[0] : edge[0];
	const double high = edge[n] < 0 ? -edge[n] : edge[n];
	const double most = low > high ? low : high;

	if (b.mapped)
		memcpy(b.map, mapping, sizeof b.map);
	b.scale = (double)n / (edge[n] - edge[0]);
	/* edges may be flt32, and each has been rounded a few times */
	b.near = most * b.scale * FLT_EPSILON + (double)n * 8 * DBL_EPSILON;
	/* bins that are not found that way are looked for one by one */
	if (!(b.near < 0.25))
		b.near = 1;
	b.near_flt32 = (float)(2 * b.near + (double)(n + 3) * 4 * FLT_EPSILON);
	if (type != TAF_FLT32 || b.mapped || !(b.near_flt32 < 0x1p-11f) ||
	    b.scale < 0x1p-100 || b.scale > 0x1p100)
		b.near_flt32 = 1;
	return b;
}

/* The order of an integer and a finite number: below 0 where x is smaller. */
static int
order_int(int64_t x, double y)
{
	int64_t whole;

	if (y >= 0x1p63)
		return -1;
	if (y < -0x1p63)
		return 1;
	whole = (int64_t)y;
	if (x != whole)
		return x < whole ? -1 : 1;
	return y > (double)whole ? -1 : y < (double)whole;
}

static int
order_uint(uint64_t x, double y)
{
	uint64_t whole;

	if (y >= 0x1p64)
		return -1;
	if (y < 0)
		return 1;
	whole = (uint64_t)y;
	if (x != whole)
		return x < whole ? -1 : 1;
	return y > (double)whole ? -1 : 0;
}

/* The same of a number, or of the element at p where its type is wider than a double. */
static int
order(const struct taf_bins *b, double x, const unsigned char *p, double y)
{
	uint64_t u;
	int64_t i;

	if (b->mapped || (b->type != TAF_INT64 && b->type != TAF_UINT64))
		return x < y ? -1 : x > y;
	if (b->type == TAF_UINT64) {
		memcpy(&u, p, sizeof u);
		return order_uint(u, y);
	}
	memcpy(&i, p, sizeof i);
	return order_int(i, y);
}

/* The bin of a number that is no NaN, by halves. */
static size_t
search(const struct taf_bins *b, double x, const unsigned char *p)
{
	size_t low = 0, high = b->n + 1, k;

	/* low edges are not above it */
	while (low < high) {
		k = low + (high - low) / 2;
		if (order(b, x, p, b->edge[k]) >= 0)
			low = k + 1;
		else
			high = k;
	}
	return low > b->n && order(b, x, p, b->edge[b->n]) == 0 ? b->n : low;
}

/*
 * Bins of numbers.  What is above is half a bin behind the last bin, and NaN one
 * more; n + 3 stands for a bin that may be the next one, because the number is so near
 * to an edge.  Are there such bins?
 */
#define GUESS(real) \
TAF_WIDE_VOID(guess_##real, (int32_t *restrict bin, const real *restrict x, size_t n, \
    const struct taf_bins *b, real near, bool *some), (bin, x, n, b, near, some)) \
{ \
	const real first = (real)b->edge[0], scale = (real)b->scale; \
	const real above = (real)b->n + (real)1.5, half = (real)0.5; \
	const int32_t doubt = (int32_t)b->n + 3; \
	int32_t any = 0; \
\
	for (size_t i = 0; i < n; i++) { \
		real t = (x[i] - first) * scale + 1, off; \
		int32_t k, is; \
\
		t = t < half ? half : t; \
		t = t > above ? above : t; \
		t = x[i] != x[i] ? above + 1 : t; \
		k = (int32_t)t; \
		off = t - (real)k; \
		is = ((off < near) | (off > 1 - near)) ? -1 : 0; \
		bin[i] = (k & ~is) | (doubt & is); \
		any |= is; \
	} \
	*some = any != 0; \
}

GUESS(float)
GUESS(double)

size_t
taf_bins_patterns(enum taf_type type)
{
	const unsigned bits = taf_type_facts(type)->bits;

	return bits <= 16 ? (size_t)1 << bits : 0;
}

/* The bin of the element at p: in doubles, and looked for where that leaves a doubt. */
static int32_t
found(const struct taf_bins *b, const unsigned char *p)
{
	const int32_t doubt = (int32_t)b->n + 3;
	int32_t bin = doubt;
	bool some;
	double x;

	(void)taf_convert(&x, TAF_FLT64, p, b->type, 1, b->mapped ? b->map : NULL, false,
	    NULL);
	if (b->near < 1)
		guess_double(&bin, &x, 1, b, b->near, &some);
	if (bin != doubt)
		return bin;
	return (int32_t)(x != x ? b->n + 2 : search(b, x, p));
}

/* Bins of elements, BLOCK at most. */
static void
find_bins(const struct taf_bins *b, int32_t *bin, const void *elements, size_t n)
{
	const size_t size = taf_type_size(b->type);
	const int32_t doubt = (int32_t)b->n + 3;
	const unsigned char *p = elements;
	double x[BLOCK];
	bool some = true;
	size_t i;

	if (b->near_flt32 < 1) {
		guess_float(bin, elements, n, b, b->near_flt32, &some);
	} else if (b->near < 1) {
		/* every number fits flt64 */
		(void)taf_convert(x, TAF_FLT64, p, b->type, n, b->mapped ? b->map : NULL,
		    false, NULL);
		guess_double(bin, x, n, b, b->near, &some);
	} else {
		for (i = 0; i < n; i++)
			bin[i] = doubt;
	}
	for (i = 0; i < n && some; i++)
		if (bin[i] == doubt)
			bin[i] = found(b, p + i * size);
}

void
taf_bins_table(struct taf_bins *b, uint32_t *table)
{
	const size_t n = taf_bins_patterns(b->type);
	int32_t bin[BLOCK];
	uint16_t wide[BLOCK];
	uint8_t narrow[BLOCK];
	size_t at, i;

	for (at = 0; at < n; at += i) {
		for (i = 0; i < BLOCK && at + i < n; i++) {
			wide[i] = (uint16_t)(at + i);
			narrow[i] = (uint8_t)(at + i);
		}
		find_bins(b, bin, n > 256 ? (void *)wide : narrow, i);
		memcpy(table + at, bin, i * sizeof *bin);
	}
	b->bin_of = table;
}

static void
count_in_lanes(uint64_t (*lane)[LANES], const int32_t *bin, size_t n)
{
	size_t i;

	for (i = 0; i + LANES <= n; i += LANES) {
		lane[bin[i]][0]++;
		lane[bin[i + 1]][1]++;
		lane[bin[i + 2]][2]++;
		lane[bin[i + 3]][3]++;
	}
	for (; i < n; i++)
		lane[bin[i]][0]++;
}

/* Elements whose bins are in a table. */
static void
count_table(const struct taf_bins *b, uint64_t *count, const unsigned char *p, size_t n)
{
	uint16_t wide;
	size_t i;

	for (i = 0; i < n && taf_type_size(b->type) == 1; i++)
		count[b->bin_of[p[i]]]++;
	for (; i < n; i++) {
		memcpy(&wide, p + 2 * i, sizeof wide);
		count[b->bin_of[wide]]++;
	}
}

void
taf_bins_count(const struct taf_bins *b, uint64_t *count, const void *elements, size_t n)
{
	const size_t size = taf_type_size(b->type), all = b->n + 3;
	const bool few = all <= FEW && n >= LANES * all;
	const unsigned char *p = elements;
	uint64_t lane[FEW][LANES];
	int32_t bin[BLOCK];
	size_t at, i, k, part;

	if (b->bin_of != NULL) {
		count_table(b, count, p, n);
		return;
	}
	if (few)
		memset(lane, 0, all * sizeof *lane);
	for (at = 0; at < n; at += part, p += part * size) {
		part = n - at < BLOCK ? n - at : BLOCK;
		find_bins(b, bin, p, part);
		if (few)
			count_in_lanes(lane, bin, part);
		for (i = 0; i < part && !few; i++)
			count[bin[i]]++;
	}
	for (i = 0; i < all && few; i++)
		for (k = 0; k < LANES; k++)
			count[i] += lane[i][k];
}
