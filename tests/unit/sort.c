/* SPDX-License-Identifier: ISC */
/* kernel/stat/sort and op/sorting_long: a comparison of values, one with the other. */
#include "kernel/stat/sort.h"

#include "feed.h"
#include "op/stat/sorting_long.h"

enum { MOST = 5000 };

static const enum taf_type types[] = { TAF_INT8, TAF_UINT8, TAF_INT16, TAF_UINT16,
    TAF_INT32,
	TAF_UINT32, TAF_INT64, TAF_UINT64, TAF_FLT32, TAF_FLT64 };

/* Apart and falling, equal for all, equal for many, none finite. */
static const double maps[][2] = { { 1.5, -0.25 }, { 3, 0 }, { 1e20, 1 }, { 1.7e9, 1e-9 },
	{ -1e308, 1e305 } };

struct value {
	double real;		/* where the value is no integer */
	uint64_t number;	/* of an integer, in the order of numbers */
	bool nan, descending;
	size_t at;
};

struct line {
	struct taf_sort sort;
	const double *map;
	size_t n;
	unsigned char in[MOST * 8], want[MOST * 8];
};

static uint64_t
draw64(void)
{
	return (uint64_t)draw(UINT32_MAX) << 32 ^ (uint64_t)draw(UINT32_MAX) << 11 ^
	    draw(UINT32_MAX);
}

/* Values that are near to one another, or any bits; some of floats are special. */
static void
draw_elements(struct line *l, enum taf_type type)
{
	static const uint32_t special32[] = { 0, 0x80000000, 0x7fc00001, 0xffc00002,
		0x7f800000, 0xff800000, 1, 0x80000001 };
	const uint64_t few = draw(2) == 0 ? 7 : 0;
	const size_t size = taf_type_size(type);
	size_t i;

	for (i = 0; i < l->n; i++) {
		uint64_t bits = few > 0 ? draw64() % few : draw64();
		uint32_t bits32 = (uint32_t)bits;
		uint16_t bits16 = (uint16_t)bits;
		uint8_t bits8 = (uint8_t)bits;
		float f = (float)(int32_t)bits32 / 1000;
		double d = (double)(int64_t)bits / 1000;

		if (type == TAF_FLT32 && draw(3) > 0)
			memcpy(&bits32, &f, sizeof f);
		if (type == TAF_FLT64 && draw(3) > 0)
			memcpy(&bits, &d, sizeof d);
		if (!taf_type_is_int(type) && draw(4) == 0) {
			bits32 = special32[draw(8)];
			bits = (uint64_t)bits32 << 32;
		}
		memcpy(l->in + i * size, size == 8 ? (void *)&bits : size == 4 ?
		    (void *)&bits32 : size == 2 ? (void *)&bits16 : (void *)&bits8, size);
	}
}

static struct value
value_of(const struct line *l, size_t i)
{
	const enum taf_type type = l->sort.type;
	const unsigned char *p = l->in + i * taf_type_size(type);
	struct value v = { .at = i };

	must(taf_convert(&v.real, TAF_FLT64, p, type, 1, l->map, false, NULL) == 1);
	v.nan = v.real != v.real;
	if (!taf_type_is_int(type) || l->map != NULL)
		return v;
	v.real = 0;
	if (taf_type_is_signed(type)) {
		int64_t x;

		must(taf_convert(&x, TAF_INT64, p, type, 1, NULL, false, NULL) == 1);
		v.number = (uint64_t)x + UINT64_C(0x8000000000000000);
	} else {
		must(taf_convert(&v.number, TAF_UINT64, p, type, 1, NULL, false, NULL) ==
		    1);
	}
	return v;
}

static int
compare(const void *pa, const void *pb)
{
	const struct value *a = pa, *b = pb;
	const int less = a->descending ? 1 : -1;

	if (a->nan != b->nan)
		return a->nan ? 1 : -1;
	if (!a->nan && a->real < b->real)
		return less;
	if (!a->nan && a->real > b->real)
		return -less;
	if (a->number != b->number)
		return a->number < b->number ? less : -less;
	return a->at < b->at ? -1 : 1;
}

/* A line of n elements, what it shall become, and how. */
static void
make_line(struct line *l, enum taf_type type, bool descending, bool index)
{
	static struct value v[MOST];
	const size_t size = taf_type_size(type);
	size_t i;

	l->map = draw(2) == 0 ? maps[draw(5)] : NULL;
	l->sort = taf_sort_plan(type, l->map, descending, index, l->n);
	draw_elements(l, type);
	for (i = 0; i < l->n; i++) {
		v[i] = value_of(l, i);
		v[i].descending = descending;
	}
	qsort(v, l->n, sizeof *v, compare);
	for (i = 0; i < l->n; i++) {
		int64_t number = (int64_t)v[i].at + 1;

		memcpy(l->want + i * (index ? sizeof number : size), index ?
		    (void *)&number : (void *)(l->in + v[i].at * size), index ?
		    sizeof number : size);
	}
}

static void
lines(void)
{
	static const size_t lengths[] = { 0, 1, 2, 3, 39, 40, 41, 200, 999, 1000, MOST };
	static uint64_t records[MOST * 2], scratch[MOST * 2];
	static unsigned char got[MOST * 8];
	struct line *l = calloc(1, sizeof *l);

	must(l != NULL);
	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (unsigned k = 0; k < 11 * 8; k++) {
			l->n = lengths[k / 8];
			make_line(l, types[t], k % 2 == 0, k / 2 % 2 == 0);
			taf_sort_make(&l->sort, records, l->in, l->n, 0);
			taf_sort_records(&l->sort, records, scratch, l->n);
			taf_sort_give(&l->sort, got, records, l->n);
			CHECK_MEM(got, l->want, l->n * (l->sort.index ? 8 :
			    taf_type_size(types[t])));
		}
	free(l);
}

struct sink {
	unsigned char got[MOST * 8];
	size_t bytes, size;
};

static enum taf_status
collect(void *ctx, const void *results, size_t n, struct taf_err *err)
{
	struct sink *to = ctx;

	(void)err;
	must(to->bytes + n * to->size <= sizeof to->got);
	memcpy(to->got + to->bytes, results, n * to->size);
	to->bytes += n * to->size;
	return TAF_OK;
}

/* Runs of a few elements, in memory and in a file. */
static void
runs(void)
{
	static const uint64_t lengths[] = { 1, 2, 63, 64, 65, 700, MOST };
	static struct sink to;
	struct line *l = calloc(1, sizeof *l);

	must(l != NULL);
	for (unsigned k = 0; k < 10 * 7 * 8; k++) {
		const enum taf_type type = types[k % 10];
		struct taf_sample_sort how = { .put = collect, .ctx = &to,
			.memory = draw(2) == 0 ? 1 : 1 << 26, .threads = 1 + draw(3),
			.least = 1 + draw(100) };
		struct taf_array a;

		l->n = (size_t)lengths[k / 10 % 7];
		a = shaped(type, 1, &lengths[k / 10 % 7]);
		make_line(l, type, draw(2) == 0, draw(2) == 0);
		to.bytes = 0;
		to.size = l->sort.index ? 8 : taf_type_size(type);
		must(taf_reader_raw(&how.r, input(BY_MEMORY, l->in,
		    l->n * taf_type_size(type)), &a, taf_host_is_big(), &e) == TAF_OK);
		how.sort = &l->sort;
		how.len = l->n;
		CHECK(taf_sample_sort(&how, &e) == TAF_OK);
		CHECK_EQ(to.bytes, l->n * to.size);
		CHECK_MEM(to.got, l->want, to.bytes);
		taf_reader_close(how.r);
		taf_array_fini(&a);
	}
	free(l);
}

int
main(void)
{
	UNIT(lines);
	UNIT(runs);
	return unit_end();
}
