#include "kernel/order.h"

#include "config.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "kernel/convert.h"
#include "kernel/fast.h"

/*
 * Keys are integers without sign in the order of the values: of 32 bits where those
 * fit, else of 64.  They are counted by their highest digit, and those that have the
 * digit of the one that is looked for by their next one; so no order of them takes
 * longer than others.
 */
enum {
	FEW = 24,		/* keys that are sorted */
	BLOCK = 1024,		/* values that stay in the first cache */
	PASSES = 4		/* of 16 bits each */
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
	uint64_t u;

	/* -0 is no less than 0 */
	x += 0.0;
	memcpy(&u, &x, sizeof u);
	return u >> 63 != 0 ? ~u : u | UINT64_C(1) << 63;
}

static double
f64_of_key(uint64_t k)
{
	uint64_t u = k >> 63 != 0 ? k & INT64_MAX : ~k;
	double x;

	memcpy(&x, &u, sizeof x);
	return x;
}

/* The value that a key of 64 bits stands for. */
static double
value_of(const struct taf_reduce *r, uint64_t key)
{
	if (!is_word(r))
		return f64_of_key(key);
	return r->type == TAF_UINT64 ? (double)key :
	    (double)(int64_t)(key ^ UINT64_C(1) << 63);
}

static double
value_of_short(const struct taf_reduce *r, uint32_t key)
{
	uint32_t u;
	float x;

	if (taf_type_is_int(r->type))
		return (double)key - (taf_type_is_signed(r->type) ? 0x1p31 : 0);
	u = key >> 31 != 0 ? key & INT32_MAX : ~key;
	memcpy(&x, &u, sizeof x);
	return (double)x;
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
		const float x = v[i] + 0.0f;
		uint32_t u;

		memcpy(&u, &x, sizeof u);
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
select##bits(const uint##bits##_t *key, size_t n, size_t k, uint##bits##_t *room, \
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
			room[kept] = from[i]; \
			kept += (from[i] >> low & mask) == bin; \
		} \
		from = room; \
		m = kept; \
	} \
	if (from == key) \
		memcpy(room, key, n * sizeof *key); \
	if (low > 0) \
		sort##bits(room, m); \
	found[0] = found[1] = room[k - below]; \
	if (k - below + 1 < m) \
		found[1] = room[k - below + 1]; \
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

/* Of n > 0 keys; each half of keys has room for all. */
static double
of_keys(const struct taf_reduce *r, const struct taf_reduction *op, uint64_t *key,
    size_t n, bool narrow, size_t room)
{
	uint32_t *small = (uint32_t *)(void *)key, found32[2];
	uint64_t found[2];
	double part;
	const size_t k = (size_t)rank_of(op, n, &part);

	if (narrow) {
		select32(small, n, k, small + room, found32);
		return result_of(op, part, value_of_short(r, found32[0]),
		    value_of_short(r, found32[1]));
	}
	select64(key, n, k, key + room, found);
	return result_of(op, part, value_of(r, found[0]), value_of(r, found[1]));
}

double
taf_order(const struct taf_reduce *r, const struct taf_reduction *op, const void *src,
    size_t n, uint64_t *keys)
{
	static const struct taf_reduce doubles = { .type = TAF_FLT64 };
	static const struct taf_reduction median = { .op = TAF_OP_MEDIAN };
	/* distances do not have as few bits */
	const bool narrow = is_short(r) && op->op != TAF_OP_MAD;
	uint32_t *small = (uint32_t *)(void *)keys;
	uint64_t nan = 0;
	double middle;
	size_t i, m;

	m = narrow ? to_short_keys(r, small, src, n, &nan) :
	    to_keys(r, keys, src, n, &nan);
	if (m == 0 || (nan > 0 && !r->finite))
		return NAN;
	middle = of_keys(r, op, keys, m, narrow, n);
	if (op->op != TAF_OP_MAD)
		return middle;
	for (i = 0; i < m; i++) {
		const double d = fabs(value_of(r, keys[i]) - middle);

		/* of an infinity from itself */
		if (d != d)
			return NAN;
		keys[i] = key_of_f64(d);
	}
	return of_keys(&doubles, &median, keys, m, false, n);
}

/* --- in passes --- */

void
taf_order_start(struct taf_order *o, const struct taf_reduce *r,
    const struct taf_reduction *op)
{
	memset(o, 0, sizeof *o);
	o->r = r;
	o->op = *op;
}

/* The first pass counts the values, too: so the ranks are not known before its end. */
void
taf_order_add(const struct taf_order *o, struct taf_order_count *c, const void *src,
    size_t n)
{
	const unsigned low = 16 * (PASSES - 1 - o->pass);
	const unsigned char *p = src;
	uint64_t key[BLOCK], left_out = 0;
	size_t i, k, m, part;

	for (; n > 0; n -= part, p += part * taf_type_size(o->r->type)) {
		part = n < BLOCK ? n : BLOCK;
		m = to_keys(o->r, key, p, part, o->away ? &left_out : &c->nan);
		for (i = 0; i < m && o->away; i++) {
			const double d = fabs(value_of(o->r, key[i]) - o->middle);

			c->nan += d != d;
			key[i] = key_of_f64(d);
		}
		c->n += m;
		for (k = 0; k < (o->prefix[0] == o->prefix[1] ? 1 : 2); k++)
			for (i = 0; i < m; i++)
				if (o->pass == 0 || key[i] >> low >> 16 == o->prefix[k])
					c->bin[k][key[i] >> low & 0xffff]++;
	}
}

void
taf_order_join(struct taf_order_count *c, const struct taf_order_count *more)
{
	size_t i, k;

	c->n += more->n;
	c->nan += more->nan;
	for (k = 0; k < 2; k++)
		for (i = 0; i < TAF_ORDER_BINS; i++)
			c->bin[k][i] += more->bin[k][i];
}

bool
taf_order_pass(struct taf_order *o, struct taf_order_count *c, double *result)
{
	static const struct taf_reduce doubles = { .type = TAF_FLT64 };
	const struct taf_reduce *r = o->away ? &doubles : o->r;
	double part;
	size_t bin;
	unsigned k;

	if (o->prefix[0] == o->prefix[1])
		memcpy(c->bin[1], c->bin[0], sizeof c->bin[0]);
	if (o->pass == 0) {
		o->n = c->n;
		o->nan = c->nan;
		if (o->n == 0 || (o->nan > 0 && (o->away || !o->r->finite))) {
			*result = NAN;
			return false;
		}
		o->rank[0] = rank_of(&o->op, o->n, &part);
		o->rank[1] = o->rank[0] + 1 < o->n ? o->rank[0] + 1 : o->rank[0];
	}
	for (k = 0; k < 2; k++) {
		for (bin = 0; c->bin[k][bin] <= o->rank[k]; bin++)
			o->rank[k] -= c->bin[k][bin];
		o->prefix[k] = o->prefix[k] << 16 | bin;
	}
	memset(c, 0, sizeof *c);
	if (++o->pass < PASSES)
		return true;
	(void)rank_of(&o->op, o->n, &part);
	*result = result_of(&o->op, part, value_of(r, o->prefix[0]),
	    value_of(r, o->prefix[1]));
	if (o->op.op != TAF_OP_MAD || o->away)
		return false;
	o->away = true;
	o->middle = *result;
	o->pass = 0;
	o->prefix[0] = o->prefix[1] = 0;
	return true;
}
