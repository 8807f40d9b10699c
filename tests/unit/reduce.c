/* SPDX-License-Identifier: ISC */
/*
 * kernel/number/total, addends, product, order and reduce: exact sums, and joins of any
 * cut.
 */
#include "kernel/stat/reduce.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/number/addends.h"
#include "kernel/number/product.h"
#include "kernel/stat/order.h"
#include "unit.h"

enum { MOST = 6000 };

/* Values of many kinds: near each other, far apart, sparse, integers, at the ends. */
static double
value(unsigned kind)
{
	const double u = (double)(int64_t)draw_bits() * 0x1p-63;

	switch (kind % 9) {
	case 0:
		return u;
	case 1:
		return ldexp(u, (int)(draw_bits() % 30));
	case 2:
		return ldexp(u, (int)(draw_bits() % 70) - 35);
	case 3:
		return ldexp(u, (int)(draw_bits() % 240) - 120);
	case 4:
		return draw_bits() % 3 > 0 ? 0 : u;
	case 5:
		return ldexp(u, (int)(draw_bits() % 2000) - 1000);
	case 6:
		return (double)(int32_t)draw_bits();
	case 7:
		return ldexp(u, -1060);
	default:
		return ldexp(u, 1023);
	}
}

static double
narrow(double x)
{
	const float f = (float)x;

	return isfinite(f) ? (double)f : 1;
}

/* Blocks and rows leave in the totals what single values leave there. */
static void
blocks_lose_nothing(void)
{
	static uint64_t one[20 * 128], all[20 * 128];
	static struct taf_addends_tile tile;
	static double d[MOST];
	static float f[MOST];

	for (unsigned round = 0; round < 600; round++) {
		const bool single = round % 2 != 0, line = draw_bits() % 2 != 0;
		const size_t width = line ? 1 : 1 + (size_t)draw_bits() % 20;
		const size_t rows = 1 + (size_t)draw_bits() % (line ? 2048 : 200);
		const size_t row = line ? 1 : width + (size_t)draw_bits() % 3;
		struct taf_addends to = { all, NULL,
			single ? taf_total_flt32 : taf_total_flt64,
			single ? taf_total_flt32_squares : taf_total_flt64_squares, 0 };
		struct taf_addends_rows r = { NULL, width, 0, row };
		size_t first;
		bool good;

		to.step = to.of_sum.words + to.of_squares.words;
		to.squares = all + to.of_sum.words;
		memset(one, 0, sizeof one);
		memset(all, 0, sizeof all);
		for (size_t i = 0; i < rows; i++)
			for (size_t j = 0; j < width; j++) {
				uint64_t *w = one + j * to.step;
				const bool other = i > rows / 2 && round % 5 == 0;
				double x = value(round / 2 + other);

				x = single ? narrow(x) : x;
				d[i * row + j] = x;
				f[i * row + j] = single ? (float)x : 0;
				taf_total_add_f64(w, to.of_sum, x);
				taf_total_add_square(w + to.of_sum.words, to.of_squares,
				    x);
			}
		if (line)
			good = single ? taf_addends_flt32(&to, f, rows) :
			    taf_addends_flt64(&to, d, rows);
		else
			for (first = 0, good = true; good && first < rows;
			    first += r.rows) {
				r.rows = 1 + (size_t)draw_bits() % (rows - first);
				r.v = single ? (void *)(f + first * row) :
				    (void *)(d + first * row);
				good = single ? taf_addends_rows_flt32(&to, &r, &tile) :
				    taf_addends_rows_flt64(&to, &r, &tile);
			}
		taf_addends_settle(&to, width, &tile);
		CHECK(good && memcmp(one, all, sizeof one) == 0);
		f[0] = (float)(d[0] = draw_bits() % 2 != 0 ? NAN : -INFINITY);
		good = single ? taf_addends_flt32(&to, f, 1) :
		    taf_addends_flt64(&to, d, 1);
		CHECK(!good && memcmp(one, all, sizeof one) == 0);
	}
}

static void
sums_are_rounded_once(void)
{
	const double v[] = { 0x1p53, 1, 0x1p-60, -0x1p53, 5e-324, -1, -0x1p-60 };
	uint64_t w[TAF_TOTAL_WORDS] = { 0 };

	for (size_t i = 0; i < 7; i++)
		taf_total_add_f64(w, taf_total_flt64, v[i]);
	CHECK(taf_total_f64(w, taf_total_flt64) == 5e-324);
	memset(w, 0, sizeof w);
	/* half a unit, and a little more of it */
	taf_total_add_f64(w, taf_total_flt64, 0x1p53);
	taf_total_add_f64(w, taf_total_flt64, 1);
	CHECK(taf_total_f64(w, taf_total_flt64) == 0x1p53);
	taf_total_add_f64(w, taf_total_flt64, 0x1p-1000);
	CHECK(taf_total_f64(w, taf_total_flt64) == 0x1.0000000000001p53);
	memset(w, 0, sizeof w);
	taf_total_add(w, taf_total_int, INT64_MIN, 0);
	taf_total_add(w, taf_total_int, INT64_MIN, 63);
	CHECK(taf_total_f64(w, taf_total_int) == -0x1p126);
	taf_total_add(w, taf_total_int, INT64_MAX, 63);
	taf_total_add(w, taf_total_int, 1, 63);
	CHECK_EQ(w[0], UINT64_C(1) << 63);
	CHECK_EQ(w[1], UINT64_MAX);
}

static void
products(void)
{
	struct taf_product a = { 0 }, b = { 0 };
	struct taf_two off;
	double x = 1;

	for (int i = 1; i <= 18; i++) {
		taf_product_add(i % 3 == 0 ? &a : &b, -i);
		x *= -i;
	}
	taf_product_join(&a, &b);
	CHECK(taf_product_f64(&a) == x);
	/* nothing gathers but what the reciprocal has been rounded by */
	off = taf_two_product(3e7, 1 / 3e7);
	for (int i = 0; i < 1000; i++) {
		taf_product_add(&a, 3e7);
		taf_product_add(&a, 1 / 3e7);
	}
	CHECK(fabs(taf_product_f64(&a) / x - 1 - 1000 * ((off.hi - 1) + off.lo)) < 4e-16);
	taf_product_add(&a, -0.0);
	CHECK(taf_product_f64(&a) == 0 && signbit(taf_product_f64(&a)));
}

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
order_statistics(void)
{
	static double v[MOST], sorted[MOST];
	static uint64_t keys[2 * MOST];
	static uint64_t count[2 + (2 << TAF_ORDER_MANY)];
	const struct taf_reduction median = { .op = TAF_OP_MEDIAN },
	    mad = { .op = TAF_OP_MAD };
	const struct taf_reduce r = { .type = TAF_FLT64 };

	for (unsigned round = 0; round < 90; round++) {
		const size_t n = 1 + (size_t)draw_bits() % (round % 3 == 0 ? MOST : 40);
		struct taf_order o;
		double want, away, got;

		for (size_t i = 0; i < n; i++)
			sorted[i] = v[i] = narrow(value(round));
		qsort(sorted, n, sizeof *sorted, compare);
		want = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
		CHECK(taf_order(&r, &median, v, n, keys) == want);
		for (size_t i = 0; i < n; i++)
			sorted[i] = fabs(v[i] - want);
		qsort(sorted, n, sizeof *sorted, compare);
		away = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
		CHECK(taf_order(&r, &mad, v, n, keys) == away);
		memset(count, 0, sizeof count);
		taf_order_start(&o, &r, &mad, round % 2 == 0 ? TAF_ORDER_FEW :
		    TAF_ORDER_MANY);
		do
			taf_order_add(&o, count, v, n);
		while (taf_order_pass(&o, count, &got));
		CHECK(got == away);
	}
}

static void
add(const struct taf_reduce *r, uint64_t *acc, const struct taf_patch *p)
{
	struct taf_reduce_scratch *scratch = taf_reduce_scratch();
	struct taf_patch part = *p;
	unsigned char *v = (unsigned char *)(uintptr_t)p->v;

	CHECK(scratch != NULL);
	/* the rest of them behind the first ones, whose sums are under way */
	part.rows = draw_bits() % 2 != 0 ? p->rows : (size_t)draw_bits() % p->rows + 1;
	taf_reduce_add(r, acc, &part, scratch);
	part.v = v + part.rows * p->along * taf_type_size(r->type);
	part.first += part.rows;
	part.rows = p->rows - part.rows;
	if (part.rows > 0)
		taf_reduce_add(r, acc, &part, scratch);
	taf_reduce_settle(r, scratch);
	free(scratch);
}

/* A patch in any orientation, and pieces that are joined, are one accumulator. */
static void
cuts_are_joined(void)
{
	static const enum taf_type types[] = { TAF_INT8, TAF_UINT8, TAF_INT16, TAF_UINT16,
		TAF_INT32, TAF_UINT32, TAF_INT64, TAF_UINT64, TAF_FLT32, TAF_FLT64 };
	static uint64_t src[MOST], turned[MOST], a[300 * 64], b[300 * 64], c[300 * 64];
	struct taf_reduction ops[TAF_REDUCE_OPS];
	struct taf_err e;
	unsigned nops;

	taf_err_clear(&e);
	CHECK(taf_reduction_parse("std,argmin,max,first,any,prod", ops, &nops, &e) ==
	    TAF_OK);
	for (unsigned round = 0; round < 400; round++) {
		struct taf_reduce r = { .type = types[round % 10],
			.finite = draw_bits() % 2 != 0,
			.mapped = draw_bits() % 4 == 0, .mapping = { 3, -0.5 } };
		const size_t size = taf_type_size(r.type),
		    width = 1 + (size_t)draw_bits() % 30;
		const size_t rows = 1 + (size_t)draw_bits() % 100,
		    cut = (size_t)draw_bits() % (rows + 1);
		struct taf_patch p = { src, width, rows, 1, width, 0 };
		unsigned char *from = (unsigned char *)src, *to = (unsigned char *)turned;

		taf_reduce_plan(&r, ops, 2 + (unsigned)(draw_bits() % (nops - 1)));
		for (size_t i = 0; i < width * rows; i++) {
			/* some have equal extremes on both sides of a NaN */
			const double x = draw_bits() % 1999 == 0 && round % 3 == 0 ? NAN :
			    round % 2 == 0 ? (double)(draw_bits() % 3) :
			    narrow(value(round));
			const float f = (float)x;
			const uint64_t u =
			    draw_bits() % (round % 2 != 0 ? 5 : UINT64_MAX);

			if (r.type == TAF_FLT32)
				memcpy(from + i * size, &f, size);
			else if (r.type == TAF_FLT64)
				memcpy(from + i * size, &x, size);
			else
				memcpy(from + i * size, &u, size);
			memcpy(to + (i % width * rows + i / width) * size,
			    from + i * size, size);
		}
		for (size_t j = 0; j < width; j++) {
			taf_reduce_clear(&r, a + j * r.words);
			taf_reduce_clear(&r, b + j * r.words);
			taf_reduce_clear(&r, c + j * r.words);
		}
		add(&r, a, &p);
		p = (struct taf_patch){ turned, width, rows, rows, 1, 0 };
		add(&r, b, &p);
		CHECK(memcmp(a, b, width * r.words * sizeof *a) == 0);
		for (size_t j = 0; j < width; j++)
			taf_reduce_clear(&r, b + j * r.words);
		p = (struct taf_patch){ src, width, cut, 1, width, 0 };
		if (cut > 0)
			add(&r, b, &p);
		p = (struct taf_patch){ from + cut * width * size, width, rows - cut, 1,
		    width, 0 };
		if (cut < rows)
			add(&r, c, &p);
		for (size_t j = 0; j < width; j++)
			taf_reduce_join(&r, b + j * r.words, c + j * r.words);
		CHECK(memcmp(a, b, width * r.words * sizeof *a) == 0);
	}
}

/* Rows with a NaN go another way than those before, which are still under way. */
static void
the_first_of_equal_extremes(void)
{
	enum { WIDTH = 8, ROWS = 64 };
	static float v[ROWS * WIDTH];
	const struct taf_patch p = { v, WIDTH, ROWS, 1, WIDTH, 0 };
	const struct taf_place place = { .index = true };
	struct taf_reduce r = { .type = TAF_FLT32, .finite = true };
	struct taf_reduction op;
	struct taf_err e = { 0 };
	uint64_t acc[WIDTH * 32];
	int64_t index = 0;
	unsigned n;

	CHECK(taf_reduction_parse("argmax", &op, &n, &e) == TAF_OK);
	taf_reduce_plan(&r, &op, n);
	for (size_t j = 0; j < WIDTH; j++)
		taf_reduce_clear(&r, acc + j * r.words);
	v[3 * WIDTH] = v[40 * WIDTH] = 1;
	v[41 * WIDTH + 5] = NAN;
	add(&r, acc, &p);
	CHECK(taf_reduce_result(&r, acc, op.op, &place, &index, &e) == TAF_OK);
	CHECK_INT(index, 4);
}

/* Of 0 and -0 the latter is less, in lines and in columns. */
static void
signed_zeros(void)
{
	enum { WIDTH = 16, ROWS = 100 };
	static double v[ROWS * WIDTH];
	struct taf_reduce r = { .type = TAF_FLT64 };
	struct taf_reduction op[2];
	struct taf_err e = { 0 };
	uint64_t acc[WIDTH * 32];
	double x;
	unsigned n;

	CHECK(taf_reduction_parse("min,max", op, &n, &e) == TAF_OK);
	taf_reduce_plan(&r, op, n);
	for (unsigned round = 0; round < 80; round++) {
		const bool line = round % 2 != 0, low = round % 4 >= 2;
		const size_t at = (size_t)draw_bits() % ROWS;
		const size_t off = (size_t)draw_bits() % 7;
		const struct taf_patch p = { v, line ? 1 : WIDTH, ROWS, 1,
			line ? 1 : WIDTH, 0 };

		for (size_t i = 0; i < ROWS * WIDTH; i++)
			v[i] = round % 3 == 0 ? low ? -0.0 : 0.0 : low ? -1 : 1;
		v[line ? at : at * WIDTH] = low ? 0.0 : -0.0;
		v[line ? (at + off) % ROWS : (at + off) % ROWS * WIDTH] =
		    off == 0 || !low ? v[line ? at : at * WIDTH] : -0.0;
		for (size_t j = 0; j < WIDTH; j++)
			taf_reduce_clear(&r, acc + j * r.words);
		add(&r, acc, &p);
		CHECK(taf_reduce_result(&r, acc, op[low].op, NULL, &x, &e) == TAF_OK);
		CHECK(x == 0 && (signbit(x) == 0) == low);
	}
}

/* Integers at both ends of each type: their sums against those of single ones. */
static void
integers_at_the_ends(void)
{
	static const enum taf_type types[] = { TAF_INT8, TAF_UINT8, TAF_INT16, TAF_UINT16,
		TAF_INT32, TAF_UINT32, TAF_INT64, TAF_UINT64 };
	static unsigned char v[MOST * 8];
	struct taf_reduction op;
	struct taf_err e = { 0 };
	unsigned nops;

	CHECK(taf_reduction_parse("std", &op, &nops, &e) == TAF_OK);
	for (unsigned round = 0; round < 160; round++) {
		struct taf_reduce r = { .type = types[round % 8] };
		const size_t size = taf_type_size(r.type);
		const size_t n = 1 + (size_t)draw_bits() % MOST;
		const bool is_signed = taf_type_is_signed(r.type);
		const bool down = round / 8 % 2 != 0;
		const unsigned shift = 64 - 8 * (unsigned)size;
		uint64_t acc[32], sum[2] = { 0 }, squares[3] = { 0 };

		taf_reduce_plan(&r, &op, nops);
		for (size_t i = 0; i < n; i++) {
			const uint64_t near = draw_bits() % (round % 3 == 0 ? 1 : 101);
			const uint64_t least = is_signed ? UINT64_C(1) << 63 : 0;
			/* as one of 64 bits, and its magnitude in halves */
			const uint64_t x = down ? least - 1 - (near << shift) :
			    least + (near << shift);
			const uint64_t u = is_signed ? (uint64_t)((int64_t)x >> shift) :
			    x >> shift;
			const bool minus = is_signed && u >> 63 != 0;
			const int64_t high = (int64_t)((minus ? 0 - u : u) >> 32);
			const int64_t low = (int64_t)((minus ? 0 - u : u) & UINT32_MAX);
			const uint8_t u1 = (uint8_t)u;
			const uint16_t u2 = (uint16_t)u;
			const uint32_t u4 = (uint32_t)u;

			memcpy(v + i * size, size == 1 ? (const void *)&u1 : size == 2 ?
			    (const void *)&u2 : size == 4 ? (const void *)&u4 : &u, size);
			taf_total_add(sum, taf_total_int, minus ? -high : high, 32);
			taf_total_add(sum, taf_total_int, minus ? -low : low, 0);
			/* products of halves do not fit 63 bits */
			for (int k = 0; k < 2; k++) {
				const int64_t part = k == 0 ? high : low;
				const int64_t a = part >> 16, b = part & 0xffff;

				taf_total_add(squares, taf_total_int_squares, a * a,
				    32 + 64 * (k == 0));
				taf_total_add(squares, taf_total_int_squares, a * b,
				    17 + 64 * (k == 0));
				taf_total_add(squares, taf_total_int_squares, b * b,
				    64 * (k == 0));
			}
			taf_total_add(squares, taf_total_int_squares, (high >> 16) * low,
			    49);
			taf_total_add(squares, taf_total_int_squares,
			    (high & 0xffff) * low, 33);
		}
		taf_reduce_clear(&r, acc);
		add(&r, acc, &(struct taf_patch){ v, 1, n, 1, 1, 0 });
		CHECK(memcmp(acc + r.sum, sum, sizeof sum) == 0);
		CHECK(memcmp(acc + r.squares, squares, sizeof squares) == 0);
	}
}

int
main(void)
{
	UNIT(blocks_lose_nothing);
	UNIT(sums_are_rounded_once);
	UNIT(products);
	UNIT(order_statistics);
	UNIT(cuts_are_joined);
	UNIT(the_first_of_equal_extremes);
	UNIT(signed_zeros);
	UNIT(integers_at_the_ends);
	return unit_end();
}
