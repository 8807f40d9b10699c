/* SPDX-License-Identifier: ISC */
#include "base/bits.h"
#include "kernel/stat/order.h"

#include "config.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "kernel/number/convert.h"
#include "kernel/number/fast.h"
#include "kernel/number/total.h"

/*
 * Keys are integers without sign in the order of the values: of 32 bits where those
 * fit, else of 64.  They are counted by their highest digit, and those that have the
 * digit of the one that is looked for by their next one; so no order of them takes
 * longer than others.
 */
enum {
	FEW = 24,		/* keys that are sorted */
	BLOCK = 1024,		/* values that stay in the first cache */
	BITS = 64,		/* of a key */
	N = 0, NANS, BINS	/* counts of a pass, those of two ranks at last */
};

static bool
is_short(const struct taf_reduce *r)
{
	return !r->mapped && taf_type_size(r->type) <= 4;
}

static bool
is_word(const struct taf_reduce *r)
{
	return !r->mapped && (r->type == TAF_INT64 || r->type == TAF_UINT64);
}

static uint64_t
key_of_f64(double x)
{
	/* -0 is no less than 0 */
	const uint64_t u = taf_bits64(x + 0.0);

	return u >> 63 != 0 ? ~u : u | UINT64_C(1) << 63;
}

static double
f64_of_key(uint64_t k)
{
	return taf_of_bits64(k >> 63 != 0 ? k & INT64_MAX : ~k);
}

/* Integers of 64 bits, whose sum is without loss: k times t, which is not above 1. */
static void
add_word(uint64_t *sum, uint64_t k, double t)
{
	const double parts[] = { (double)(k >> 32) * 0x1p32, (double)(k & UINT32_MAX) };
	size_t i;

	for (i = 0; i < 2; i++) {
		const struct taf_two p = taf_two_product(parts[i], t);

		taf_total_add_f64(sum, taf_total_flt64, p.hi);
		taf_total_add_f64(sum, taf_total_flt64, p.lo);
	}
}

/* The value at t between two keys of integers, less off: it is rounded once. */
static double
between_words(enum taf_type type, uint64_t a, uint64_t b, double t, double off)
{
	uint64_t sum[TAF_TOTAL_WORDS] = { 0 };

	add_word(sum, a, 1);
	add_word(sum, b - a, t);
	taf_total_add_f64(sum, taf_total_flt64, type == TAF_INT64 ? -0x1p63 : 0);
	taf_total_add_f64(sum, taf_total_flt64, -off);
	return taf_total_f64(sum, taf_total_flt64);
}

static double
value_of_short(const struct taf_reduce *r, uint32_t key)
{
	if (taf_type_is_int(r->type))
		return (double)key - (taf_type_is_signed(r->type) ? 0x1p31 : 0);
	return (double)taf_of_bits32(key >> 31 != 0 ? key & INT32_MAX : ~key);
}

/*
 * The keys of n values; those that are not finite left out with finite.  Returns how many
 * there are; *nan grows.
 */
static size_t
to_keys(const struct taf_reduce *r, uint64_t *key, const void *src, size_t n,
    uint64_t *nan)
{
	const unsigned char *p = src;
	double v[BLOCK];
	size_t i, part, m = 0;

	for (; n > 0; n -= part, p += part * taf_type_size(r->type)) {
		part = n < BLOCK ? n : BLOCK;
		if (is_word(r)) {
			memcpy(key + m, p, part * sizeof *key);
			for (i = 0; i < part && r->type == TAF_INT64; i++)
				key[m + i] ^= UINT64_C(1) << 63;
			m += part;
			continue;
		}
		(void)taf_convert(v, TAF_FLT64, p, r->type, part,
		    r->mapped ? r->mapping : NULL, true, NULL);
		for (i = 0; i < part; i++) {
			key[m] = key_of_f64(v[i]);
			m += !r->finite || taf_is_finite(v[i]);
			*nan += v[i] != v[i];
		}
	}
	return m;
}

TAF_FAST(uint32_t, float_keys, (uint32_t *restrict key, const float *restrict v,
    size_t n), (key, v, n))
{
	uint32_t most = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t u = taf_bits32(v[i] + 0.0f);

		most = (u & INT32_MAX) > most ? u & INT32_MAX : most;
		key[i] = u ^ ((uint32_t)-(int32_t)(u >> 31) | UINT32_C(1) << 31);
	}
	return most;
}

/* The same of 32 bits; key has room for twice as many. */
static size_t
to_short_keys(const struct taf_reduce *r, uint32_t *key, const void *src, size_t n,
    uint64_t *nan)
{
	const uint32_t infinite = UINT32_C(255) << 23;
	size_t i, m = 0;

	if (taf_type_is_int(r->type)) {
		const bool is_signed = taf_type_is_signed(r->type);

		(void)taf_convert(key, is_signed ? TAF_INT32 : TAF_UINT32, src, r->type,
		    n, NULL, true, NULL);
		for (i = 0; i < n && is_signed; i++)
			key[i] ^= UINT32_C(1) << 31;
		return n;
	}
	if (float_keys(key, src, n) < infinite)
		return n;
	for (i = 0; i < n; i++) {
		const uint32_t u = key[i] >> 31 != 0 ? key[i] & INT32_MAX :
		    ~key[i] & INT32_MAX;

		*nan += u > infinite;
		key[m] = key[i];
		m += !r->finite || u < infinite;
	}
	return m;
}

#define SELECT(bits) \
static void \
sort##bits(uint##bits##_t *key, size_t n) \
{ \
	size_t i, j; \
\
	for (i = 1; i < n; i++) { \
		const uint##bits##_t k = key[i]; \
\
		for (j = i; j > 0 && key[j - 1] > k; j--) \
			key[j] = key[j - 1]; \
		key[j] = k; \
	} \
} \
\
TAF_FAST(uint##bits##_t, next##bits, \
    (const uint##bits##_t *key, size_t n, uint##bits##_t k), (key, n, k)) \
{ \
	uint##bits##_t least = (uint##bits##_t)-1; \
\
	for (size_t i = 0; i < n; i++) { \
		const uint##bits##_t x = key[i] > k ? key[i] : (uint##bits##_t)-1; \
\
		least = x < least ? x : least; \
	} \
	return least; \
} \
\
/* The keys of rank k, from 0, and k + 1 (the same again behind the last). */ \
static void \
select##bits(const uint##bits##_t *key, size_t n, size_t k, uint##bits##_t *scratch, \
    uint##bits##_t found[2]) \
{ \
	const unsigned digit = n > 4096 ? 11 : 8; \
	const uint##bits##_t *from = key; \
	uint32_t count[1 << 11]; \
	size_t m = n, below = 0, i, kept; \
	unsigned low = bits; \
\
	while (m > FEW && low > 0) { \
		const unsigned width = low < digit ? low : digit; \
		const uint##bits##_t mask = ((uint##bits##_t)1 << width) - 1; \
		uint##bits##_t bin = 0; \
\
		low -= width; \
		memset(count, 0, sizeof *count << width); \
		for (i = 0; i < m; i++) \
			count[from[i] >> low & mask]++; \
		for (; below + count[bin] <= k; bin++) \
			below += count[bin]; \
		for (i = kept = 0; i < m; i++) { \
			scratch[kept] = from[i]; \
			kept += (from[i] >> low & mask) == bin; \
		} \
		from = scratch; \
		m = kept; \
	} \
	if (from == key) \
		memcpy(scratch, key, n * sizeof *key); \
	if (low > 0) \
		sort##bits(scratch, m); \
	found[0] = found[1] = scratch[k - below]; \
	if (k - below + 1 < m) \
		found[1] = scratch[k - below + 1]; \
	else if (k + 1 < n) \
		found[1] = next##bits(key, n, found[0]); \
}

SELECT(32)
SELECT(64)

/* As numpy has it: between a and b >= a, by the way t from 0 to 1. */
static double
between(double a, double b, double t)
{
	const double way = b - a;

	if (a == b)
		return a;
	if (t == 0 || !taf_is_finite(way))
		return t == 0 ? a : a * (1 - t) + b * t;
	return t < 0.5 ? a + way * t : b - way * (1 - t);
}

/* The middle one, or of two. */
static double
middle_of(double a, double b, bool two)
{
	const double sum = a + b;

	if (!two)
		return a;
	return taf_is_finite(sum) || !taf_is_finite(a) || !taf_is_finite(b) ? sum / 2 :
	    a / 2 + b / 2;
}

/* Which rank, from 0, the result is at or behind; how far to the next in *part. */
static uint64_t
rank_of(const struct taf_reduction *op, uint64_t n, double *part)
{
	double at = op->p * (double)(n - 1);
	uint64_t k;

	if (op->op != TAF_OP_QUANTILE) {
		*part = n % 2 == 0 ? 0.5 : 0;
		return (n - 1) / 2;
	}
	k = (uint64_t)at;
	k = k < n - 1 ? k : n - 1;
	*part = at - (double)k;
	return k;
}

static double
result_of(const struct taf_reduction *op, double part, double a, double b)
{
	return op->op == TAF_OP_QUANTILE ? between(a, b, part) :
	    middle_of(a, b, part > 0);
}

/* The result between two keys of 64 bits; less off where they are integers. */
static double
result_of_keys(const struct taf_reduce *r, const struct taf_reduction *op, double part,
    const uint64_t found[2], double off)
{
	return is_word(r) ? between_words(r->type, found[0], found[1], part, off) :
	    result_of(op, part, f64_of_key(found[0]), f64_of_key(found[1]));
}

/* The middle that distances are from. */
static struct taf_order_middle
middle_of_keys(const struct taf_reduce *r, double part, const uint64_t found[2])
{
	static const struct taf_reduction median = { .op = TAF_OP_MEDIAN };
	struct taf_order_middle m = { .half = false };

	if (is_word(r)) {
		m.key = part > 0 ? found[0] + (found[1] - found[0]) / 2 : found[0];
		m.half = part > 0 && (found[1] - found[0]) % 2 == 1;
	} else {
		m.value = result_of_keys(r, &median, part, found, 0);
	}
	return m;
}

/* Keys of values become those of their distances from the middle; how many are NaN. */
static uint64_t
to_distances(const struct taf_reduce *r, const struct taf_order_middle *m, uint64_t *key,
    size_t n)
{
	uint64_t nan = 0;
	size_t i;

	/* of integers, and half a unit more where the middle is between two */
	for (i = 0; i < n && is_word(r); i++)
		key[i] = key[i] > m->key ? key[i] - m->key : m->key - key[i] + m->half;
	for (i = 0; i < n && !is_word(r); i++) {
		const double d = fabs(f64_of_key(key[i]) - m->value);

		/* of an infinity from itself */
		nan += d != d;
		key[i] = key_of_f64(d);
	}
	return nan;
}

/* What keys of distances are. */
static const struct taf_reduce *
distances_of(const struct taf_reduce *r)
{
	static const struct taf_reduce doubles = { .type = TAF_FLT64 },
	    words = { .type = TAF_UINT64 };

	return is_word(r) ? &words : &doubles;
}

double
taf_order(const struct taf_reduce *r, const struct taf_reduction *op, const void *src,
    size_t n, uint64_t *keys)
{
	/* distances do not have as few bits */
	const bool away = op->op == TAF_OP_MAD, narrow = is_short(r) && !away;
	uint32_t *small = (uint32_t *)(void *)keys, found32[2];
	struct taf_order_middle middle;
	uint64_t nan = 0, found[2];
	double part;
	size_t k, m;

	m = narrow ? to_short_keys(r, small, src, n, &nan) :
	    to_keys(r, keys, src, n, &nan);
	if (m == 0 || (nan > 0 && !r->finite))
		return NAN;
	k = (size_t)rank_of(op, m, &part);
	/* each half of keys has room for all */
	if (narrow) {
		select32(small, m, k, small + n, found32);
		return result_of(op, part, value_of_short(r, found32[0]),
		    value_of_short(r, found32[1]));
	}
	select64(keys, m, k, keys + n, found);
	if (!away)
		return result_of_keys(r, op, part, found, 0);
	middle = middle_of_keys(r, part, found);
	if (to_distances(r, &middle, keys, m) > 0)
		return NAN;
	select64(keys, m, k, keys + n, found);
	return result_of_keys(distances_of(r), op, part, found, middle.half ? 0.5 : 0);
}

/* --- in passes --- */

size_t
taf_order_words(unsigned digit)
{
	return BINS + ((size_t)2 << digit);
}

/* The counts of the keys that begin as the one of rank k. */
static uint64_t *
bins_of(uint64_t *count, unsigned digit, unsigned k)
{
	return count + BINS + ((size_t)k << digit);
}

static void
begin(struct taf_order *o)
{
	o->first = true;
	o->low = BITS - o->digit;
	o->prefix[0] = o->prefix[1] = 0;
}

void
taf_order_start(struct taf_order *o, const struct taf_reduce *r,
    const struct taf_reduction *op, unsigned digit)
{
	memset(o, 0, sizeof *o);
	o->r = r;
	o->op = *op;
	o->digit = digit;
	begin(o);
}

/* The first pass counts the values, too: so the ranks are not known before its end. */
void
taf_order_add(const struct taf_order *o, uint64_t *count, const void *src, size_t n)
{
	const uint64_t mask = (UINT64_C(1) << o->digit) - 1;
	const unsigned char *p = src;
	uint64_t key[BLOCK], left_out = 0;
	size_t i, m, part;
	unsigned k;

	for (; n > 0; n -= part, p += part * taf_type_size(o->r->type)) {
		part = n < BLOCK ? n : BLOCK;
		m = to_keys(o->r, key, p, part, o->away ? &left_out : &count[NANS]);
		if (o->away)
			count[NANS] += to_distances(o->r, &o->middle, key, m);
		count[N] += m;
		for (k = 0; k < (o->prefix[0] == o->prefix[1] ? 1 : 2); k++) {
			uint64_t *const bin = bins_of(count, o->digit, k);

			for (i = 0; i < m; i++)
				if (o->first || key[i] >> o->low >> o->digit ==
				    o->prefix[k])
					bin[key[i] >> o->low & mask]++;
		}
	}
}

void
taf_order_join(uint64_t *count, const uint64_t *more, unsigned digit)
{
	size_t i, n = taf_order_words(digit);

	for (i = 0; i < n; i++)
		count[i] += more[i];
}

bool
taf_order_pass(struct taf_order *o, uint64_t *count, double *result)
{
	const struct taf_reduce *r = o->away ? distances_of(o->r) : o->r;
	const bool same = o->prefix[0] == o->prefix[1];
	double part;
	size_t bin;
	unsigned k;

	if (o->first) {
		o->n = count[N];
		o->nan = count[NANS];
		if (o->n == 0 || (o->nan > 0 && (o->away || !o->r->finite))) {
			*result = NAN;
			return false;
		}
		o->rank[0] = rank_of(&o->op, o->n, &part);
		o->rank[1] = o->rank[0] + 1 < o->n ? o->rank[0] + 1 : o->rank[0];
	}
	for (k = 0; k < 2; k++) {
		const uint64_t *const bins = bins_of(count, o->digit, same ? 0 : k);

		for (bin = 0; bins[bin] <= o->rank[k]; bin++)
			o->rank[k] -= bins[bin];
		o->prefix[k] = o->prefix[k] << o->digit | bin;
	}
	memset(count, 0, taf_order_words(o->digit) * sizeof *count);
	o->first = false;
	if (o->low > 0) {
		o->low -= o->digit;
		return true;
	}
	(void)rank_of(&o->op, o->n, &part);
	if (o->op.op != TAF_OP_MAD || o->away) {
		*result = result_of_keys(r, &o->op, part, o->prefix,
		    o->middle.half ? 0.5 : 0);
		return false;
	}
	o->middle = middle_of_keys(r, part, o->prefix);
	o->away = true;
	begin(o);
	return true;
}
