/* SPDX-License-Identifier: ISC */
#include "kernel/stat/sort.h"

#include <string.h>

#include "base/num.h"
#include "kernel/number/convert.h"

enum {
	/* records that are faster put in their place one by one */
	FEW = 40,
	SHORT = 1000,		/* records that are not worth wide digits */
	NARROW = 8, WIDE = 11,	/* bits of a digit */
	ONCE = 3 * WIDE,	/* bits of keys that are looked at before groups are */
	BLOCK = 512		/* keys that stay in the first cache */
};

#define SIGN32 UINT32_C(0x80000000)
#define SIGN64 UINT64_C(0x8000000000000000)

struct pair {
	uint64_t key, value;
};

/* Integers: the sign, and in descending order all else, is exchanged. */
static inline uint8_t
key_8(uint8_t x, const struct taf_sort *s)
{
	return (uint8_t)(x ^ s->flip);
}

static inline uint16_t
key_16(uint16_t x, const struct taf_sort *s)
{
	return (uint16_t)(x ^ s->flip);
}

static inline uint32_t
key_32(uint32_t x, const struct taf_sort *s)
{
	return x ^ (uint32_t)s->flip;
}

static inline uint64_t
key_64(uint64_t x, const struct taf_sort *s)
{
	return (x ^ s->flip) >> s->drop;
}

/* Floats are a sign and a magnitude. */
static inline uint32_t
key_flt32(uint32_t x, const struct taf_sort *s)
{
	const uint32_t y = x == SIGN32 ? 0 : x;
	const uint32_t key = y ^ ((0 - (y >> 31)) | SIGN32) ^ (uint32_t)s->flip;

	return x << 1 > UINT32_C(0xff000000) ? UINT32_MAX : key;
}

static inline uint64_t
key_flt64(uint64_t x, const struct taf_sort *s)
{
	const uint64_t y = x == SIGN64 ? 0 : x;
	const uint64_t key = y ^ ((0 - (y >> 63)) | SIGN64) ^ s->flip;

	return x << 1 > UINT64_C(0xffe0000000000000) ? UINT64_MAX : key;
}

static inline uint64_t
key_pair(struct pair x, const struct taf_sort *s)
{
	(void)s;
	return x.key;
}

/* The number of bits up to the highest that is set. */
static unsigned
length(uint64_t x)
{
	unsigned n = 0;

	for (; x != 0; x >>= 1)
		n++;
	return n;
}

/* How keys that differ in some bits are cut into digits. */
struct digits {
	unsigned low, bits, passes;
};

static struct digits
cut(uint64_t differ, size_t n)
{
	const unsigned high = length(differ), most = n < SHORT ? NARROW : WIDE;
	struct digits d = { .low = length((differ & (0 - differ)) >> 1) };

	if (high - d.low > ONCE)
		d.low = high - ONCE;
	d.passes = (high - d.low + most - 1) / most;
	d.bits = (high - d.low + d.passes - 1) / d.passes;
	return d;
}

/* From counts to places. */
static void
add_up(uint32_t *count, size_t n)
{
	uint32_t sum = 0, c;
	size_t i;

	for (i = 0; i < n; i++) {
		c = count[i];
		count[i] = sum;
		sum += c;
	}
}

/*
 * Sort records of a type by the keys that a function gives: by one digit after the other,
 * the lowest first.  Bits that all keys have alike are left out.  Keys of more than ONCE
 * bits are sorted by their high bits, and then in groups that have these alike: of
 * numbers that were measured nearly all have groups of their own.
 */
#define SORT(type, key_type, name) \
static void \
place_##name(type *v, size_t n, const struct taf_sort *s) \
{ \
	size_t i, j; \
\
	for (i = 1; i < n; i++) { \
		const type x = v[i]; \
		const key_type k = key_##name(x, s); \
\
		for (j = i; j > 0 && key_##name(v[j - 1], s) > k; j--) \
			v[j] = v[j - 1]; \
		v[j] = x; \
	} \
} \
\
static void \
pass_##name(type *to, const type *from, size_t n, const struct taf_sort *s, \
    unsigned low, unsigned bits) \
{ \
	const key_type mask = (key_type)((1u << bits) - 1); \
	uint32_t count[1 << WIDE]; \
	size_t i; \
\
	memset(count, 0, sizeof *count << bits); \
	for (i = 0; i < n; i++) \
		count[key_##name(from[i], s) >> low & mask]++; \
	add_up(count, (size_t)1 << bits); \
	for (i = 0; i < n; i++) \
		to[count[key_##name(from[i], s) >> low & mask]++] = from[i]; \
} \
\
static void \
sort_##name(type *v, type *scratch, size_t n, const struct taf_sort *s) \
{ \
	type *from = v, *to = scratch, *t; \
	key_type k, last, any, all; \
	bool sorted = true; \
	struct digits d; \
	unsigned p; \
	size_t i, j; \
\
	if (n <= FEW) { \
		place_##name(v, n, s); \
		return; \
	} \
	last = any = all = key_##name(v[0], s); \
	for (i = 1; i < n; i++) { \
		k = key_##name(v[i], s); \
		sorted &= k >= last; \
		any |= k; \
		all &= k; \
		last = k; \
	} \
	if (sorted) \
		return; \
	d = cut(any ^ all, n); \
	for (p = 0; p < d.passes; p++) { \
		pass_##name(to, from, n, s, d.low + p * d.bits, d.bits); \
		t = from; \
		from = to; \
		to = t; \
	} \
	if (from != v) \
		memcpy(v, from, n * sizeof *v); \
	if (((any ^ all) & (((key_type)1 << d.low) - 1)) == 0) \
		return; \
	for (i = 0; i < n; i = j) { \
		k = (key_type)(key_##name(v[i], s) >> d.low); \
		for (j = i + 1; j < n && key_##name(v[j], s) >> d.low == k; j++) \
			; \
		if (j - i > 1) \
			sort_##name(v + i, scratch, j - i, s); \
	} \
}

SORT(uint8_t, uint8_t, 8)
SORT(uint16_t, uint16_t, 16)
SORT(uint32_t, uint32_t, 32)
SORT(uint64_t, uint64_t, 64)
SORT(uint32_t, uint32_t, flt32)
SORT(uint64_t, uint64_t, flt64)
SORT(struct pair, uint64_t, pair)

/*
 * Does a mapping keep different integers of this type apart?  It does if the slope is
 * some units in the last place of all values.
 */
static bool
keeps_apart(enum taf_type type, const double *map)
{
	const struct taf_type_facts *facts = taf_type_facts(type);
	const double slope = map[1] < 0 ? -map[1] : map[1];
	const double from = map[0] < 0 ? -map[0] : map[0];
	const double most = from + slope * 4294967296.0;

	return taf_type_is_int(type) && facts->bits <= 32 && taf_is_finite(most) &&
	    slope * 1e15 > most;
}

struct taf_sort
taf_sort_plan(enum taf_type type, const double *mapping, bool descending, bool index,
    uint64_t len)
{
	struct taf_sort s = { .type = type, .descending = descending, .index = index };
	const unsigned bits = taf_type_facts(type)->bits;
	const uint64_t ones = UINT64_MAX >> (64 - bits);

	s.mapped = mapping != NULL && !keeps_apart(type, mapping);
	if (s.mapped)
		memcpy(s.map, mapping, sizeof s.map);
	else if (mapping != NULL && mapping[1] < 0)
		s.descending = !descending;
	if (s.mapped)
		s.flip = descending ? UINT64_MAX : 0;
	else if (taf_type_is_int(type))
		s.flip = (taf_type_is_signed(type) ? SIGN64 >> (64 - bits) : 0) ^
		    (s.descending ? ones : 0);
	else
		s.flip = s.descending ? ones : 0;
	if (!index && !s.mapped) {
		s.form = TAF_SORT_ELEMENTS;
		s.record = taf_type_size(type);
	} else if (index && !s.mapped && bits <= 32 && len <= UINT32_MAX) {
		s.form = TAF_SORT_PACKED;
		s.record = sizeof(uint64_t);
	} else {
		s.form = TAF_SORT_PAIRS;
		s.record = sizeof(struct pair);
	}
	return s;
}

/* The keys of n <= BLOCK elements from any address. */
static void
keys(const struct taf_sort *s, uint64_t *key, const unsigned char *elements, size_t n)
{
	const size_t size = taf_type_size(s->type);
	unsigned char wide[BLOCK * sizeof(double)];
	uint64_t x64;
	uint32_t x32;
	uint16_t x16;
	size_t i;

	if (s->mapped) {
		/* every number fits flt64 */
		(void)taf_convert(wide, TAF_FLT64, elements, s->type, n, s->map, false,
		    NULL);
		elements = wide;
	}
	for (i = 0; i < n; i++) {
		const unsigned char *p = elements + i *
		    (s->mapped ? sizeof(double) : size);

		if (s->mapped || size == 8) {
			memcpy(&x64, p, sizeof x64);
			key[i] = s->mapped || s->type == TAF_FLT64 ? key_flt64(x64, s) :
			    x64 ^ s->flip;
		} else if (size == 4) {
			memcpy(&x32, p, sizeof x32);
			key[i] = s->type == TAF_FLT32 ? key_flt32(x32, s) :
			    key_32(x32, s);
		} else if (size == 2) {
			memcpy(&x16, p, sizeof x16);
			key[i] = key_16(x16, s);
		} else {
			key[i] = key_8(*p, s);
		}
	}
}

void
taf_sort_make(const struct taf_sort *s, void *records, const void *elements, size_t n,
    uint64_t first)
{
	const size_t size = taf_type_size(s->type);
	const unsigned char *p = elements;
	uint64_t key[BLOCK], *packed = records;
	struct pair *pairs = records;
	size_t at, i, part;

	if (s->form == TAF_SORT_ELEMENTS) {
		memcpy(records, elements, n * size);
		return;
	}
	for (at = 0; at < n; at += part, p += part * size) {
		part = n - at < BLOCK ? n - at : BLOCK;
		keys(s, key, p, part);
		if (s->form == TAF_SORT_PACKED) {
			for (i = 0; i < part; i++)
				packed[at + i] = key[i] << 32 | (first + at + i);
			continue;
		}
		for (i = 0; i < part; i++) {
			pairs[at + i].key = key[i];
			pairs[at + i].value = first + at + i;
			if (!s->index)
				memcpy(&pairs[at + i].value, p + i * size, size);
		}
	}
}

void
taf_sort_records(const struct taf_sort *s, void *records, void *scratch, size_t n)
{
	struct taf_sort plain = *s;

	if (s->form == TAF_SORT_PAIRS) {
		sort_pair(records, scratch, n, s);
	} else if (s->form == TAF_SORT_PACKED) {
		plain.flip = 0;
		plain.drop = 32;
		sort_64(records, scratch, n, &plain);
	} else if (s->type == TAF_FLT32) {
		sort_flt32(records, scratch, n, s);
	} else if (s->type == TAF_FLT64) {
		sort_flt64(records, scratch, n, s);
	} else if (s->record == 8) {
		sort_64(records, scratch, n, s);
	} else if (s->record == 4) {
		sort_32(records, scratch, n, s);
	} else if (s->record == 2) {
		sort_16(records, scratch, n, s);
	} else {
		sort_8(records, scratch, n, s);
	}
}

void
taf_sort_give(const struct taf_sort *s, void *results, const void *records, size_t n)
{
	const size_t size = taf_type_size(s->type);
	const struct pair *pairs = records;
	const uint64_t *packed = records;
	unsigned char *elements = results;
	int64_t *number = results;
	size_t i;

	if (s->form == TAF_SORT_ELEMENTS)
		memcpy(results, records, n * size);
	else if (s->form == TAF_SORT_PACKED)
		for (i = 0; i < n; i++)
			number[i] = (int64_t)(packed[i] & UINT32_MAX) + 1;
	else if (s->index)
		for (i = 0; i < n; i++)
			number[i] = (int64_t)pairs[i].value + 1;
	else
		for (i = 0; i < n; i++)
			memcpy(elements + i * size, &pairs[i].value, size);
}

uint64_t
taf_sort_key(const struct taf_sort *s, const void *record)
{
	uint64_t key;

	if (s->form == TAF_SORT_ELEMENTS) {
		keys(s, &key, record, 1);
		return key;
	}
	memcpy(&key, record, sizeof key);
	return s->form == TAF_SORT_PACKED ? key >> 32 : key;
}
