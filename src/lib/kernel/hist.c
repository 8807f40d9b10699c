#include "config.h"

#include "kernel/hist.h"

#include <float.h>
#include <string.h>

#include "base/num.h"
#include "kernel/convert.h"
#include "kernel/fast.h"

enum { BLOCK = 512 };		/* values that stay in the first cache */

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
	return grow(edge, n);
}

struct taf_bins
taf_bins_plan(const double *edge, size_t n, enum taf_type type, const double *mapping)
{
	struct taf_bins b = { .n = n, .edge = edge, .type = type, .mapped = mapping != NULL };
	const double low = edge[0] < 0 ? -edge[0] : edge[0];
	const double high = edge[n] < 0 ? -edge[n] : edge[n];
	const double most = low > high ? low : high;

	if (b.mapped)
		memcpy(b.map, mapping, sizeof b.map);
	b.scale = (double)n / (edge[n] - edge[0]);
	/* edges may be flt32, and each has been rounded a few times */
	b.near = most * b.scale * FLT_EPSILON + (double)n * 8 * DBL_EPSILON;
	/* places that are not found that way are looked for one by one */
	if (!(b.near < 0.25))
		b.near = 1;
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

/* The place of a number that is no NaN, by halves. */
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
 * The place of a number with what is left of it: what is above has half a place behind the
 * last bin, and NaN one more.
 */
static inline double
guess(double x, double first, double scale, double above)
{
	double t = (x - first) * scale + 1;

	t = t < 0.5 ? 0.5 : t;
	t = t > above ? above : t;
	return x != x ? above + 1 : t;
}

/* Is it so near to an edge that the place may be the next one? */
static inline bool
doubtful(double t, double near)
{
	const double off = t - (double)(int32_t)t;

	return (off < near) | (off > 1 - near);
}

/* Places of numbers: true if one of them is doubtful. */
TAF_FAST(bool, guess_all,
    (int32_t *restrict place, const double *restrict x, size_t n, const struct taf_bins *b),
    (place, x, n, b))
{
	const double first = b->edge[0], scale = b->scale, near = b->near;
	const double above = (double)b->n + 1.5;
	int32_t doubt = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		const double t = guess(x[i], first, scale, above);

		place[i] = (int32_t)t;
		doubt |= doubtful(t, near);
	}
	return doubt != 0;
}

size_t
taf_bins_patterns(enum taf_type type)
{
	const unsigned bits = taf_type_facts(type)->bits;

	return bits <= 16 ? (size_t)1 << bits : 0;
}

/* Numbers of elements, and their places. */
static void
places(const struct taf_bins *b, int32_t *place, const unsigned char *p, size_t n)
{
	const size_t size = taf_type_size(b->type);
	double x[BLOCK];
	size_t i;

	/* every number fits flt64 */
	(void)taf_convert(x, TAF_FLT64, p, b->type, n, b->mapped ? b->map : NULL, false, NULL);
	if (b->near < 1 && !guess_all(place, x, n, b))
		return;
	for (i = 0; i < n; i++)
		if (x[i] != x[i])
			place[i] = (int32_t)b->n + 2;
		else if (b->near == 1 || doubtful(guess(x[i], b->edge[0],
		    b->scale, (double)b->n + 1.5), b->near))
			place[i] = (int32_t)search(b, x[i], p + i * size);
}

void
taf_bins_table(struct taf_bins *b, uint32_t *table)
{
	const size_t n = taf_bins_patterns(b->type);
	int32_t place[BLOCK];
	uint16_t wide[BLOCK];
	uint8_t narrow[BLOCK];
	size_t at, i;

	for (at = 0; at < n; at += i) {
		for (i = 0; i < BLOCK && at + i < n; i++) {
			wide[i] = (uint16_t)(at + i);
			narrow[i] = (uint8_t)(at + i);
		}
		places(b, place, n > 256 ? (void *)wide : narrow, i);
		memcpy(table + at, place, i * sizeof *place);
	}
	b->place = table;
}

void
taf_bins_count(const struct taf_bins *b, uint64_t *count, const void *elements, size_t n)
{
	const size_t size = taf_type_size(b->type);
	const unsigned char *p = elements;
	int32_t place[BLOCK];
	uint16_t wide;
	size_t at, i, part;

	if (b->place != NULL && size == 1)
		for (i = 0; i < n; i++)
			count[b->place[p[i]]]++;
	else if (b->place != NULL)
		for (i = 0; i < n; i++) {
			memcpy(&wide, p + 2 * i, sizeof wide);
			count[b->place[wide]]++;
		}
	for (at = 0; at < n && b->place == NULL; at += part) {
		part = n - at < BLOCK ? n - at : BLOCK;
		places(b, place, p + at * size, part);
		for (i = 0; i < part; i++)
			count[place[i]]++;
	}
}
