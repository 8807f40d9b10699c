/* SPDX-License-Identifier: ISC */
/* taf_strided_copy() against a loop over the elements. */
#include "kernel/move/strided.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { NDIM = 6, ROOM = 1 << 16, ROUNDS = 3000 };

struct view {
	size_t n[NDIM];
	ptrdiff_t d[NDIM], s[NDIM];
	unsigned nd;
};

static void
naive(unsigned char *dst, const unsigned char *src, size_t esize, const struct view *v)
{
	size_t at[NDIM] = { 0 };
	ptrdiff_t d, s;
	unsigned k;

	for (k = 0; k < v->nd; k++)
		if (v->n[k] == 0)
			return;
	do {
		d = s = 0;
		for (k = 0; k < v->nd; k++) {
			d += (ptrdiff_t)at[k] * v->d[k];
			s += (ptrdiff_t)at[k] * v->s[k];
		}
		memcpy(dst + d, src + s, esize);
		for (k = 0; k < v->nd; k++) {
			if (++at[k] < v->n[k])
				break;
			at[k] = 0;
		}
	} while (k < v->nd);
}

/*
 * Steps for the dimensions in a random order, with gaps now and then, so that
 * no two elements meet; returns the span in bytes.
 */
static ptrdiff_t
lay_out(const struct view *v, size_t esize, ptrdiff_t step[])
{
	ptrdiff_t span = (ptrdiff_t)esize;
	unsigned order[NDIM], i, k, t;

	for (k = 0; k < v->nd; k++)
		order[k] = k;
	for (k = v->nd; k > 1; k--) {
		i = draw(k);
		t = order[k - 1];
		order[k - 1] = order[i];
		order[i] = t;
	}
	for (k = 0; k < v->nd; k++) {
		if (draw(5) == 0)
			span += (ptrdiff_t)draw(9);
		step[order[k]] = span;
		span *= (ptrdiff_t)v->n[order[k]];
		if (draw(9) == 0)
			span += (ptrdiff_t)draw(64);
	}
	return span;
}

/* Turn some steps round; returns where index 0 then lies. */
static ptrdiff_t
turn(const struct view *v, ptrdiff_t step[])
{
	ptrdiff_t at = 0;
	unsigned k;

	for (k = 0; k < v->nd; k++) {
		if (v->n[k] == 0 || draw(5) > 0)
			continue;
		at += (ptrdiff_t)(v->n[k] - 1) * step[k];
		step[k] = -step[k];
	}
	return at;
}

static void
random_view(struct view *v, size_t esize)
{
	static const uint32_t longest[NDIM + 1] = { 1, 2000, 120, 30, 12, 8, 6 };
	size_t total = esize;
	unsigned k;

	v->nd = draw(NDIM + 1);
	for (k = 0; k < v->nd; k++) {
		v->n[k] = 1 + draw(draw(2) ? longest[v->nd] : 5);
		if (draw(8) == 0)
			v->n[k] = 1;
		if (total * v->n[k] > ROOM / 8)
			v->n[k] = 1 + draw(3);
		total *= v->n[k];
	}
	if (v->nd > 0 && draw(60) == 0)
		v->n[draw(v->nd)] = 0;
}

static void
test_random(void)
{
	static const size_t sizes[] = { 1, 2, 4, 8, 16, 3, 5, 7, 12, 24, 33, 100 };
	static unsigned char src[ROOM], want[ROOM], got[ROOM];
	ptrdiff_t dspan, sspan, d0, s0;
	struct view v;
	size_t esize, i;
	unsigned r, big = 0;

	for (i = 0; i < ROOM; i++)
		src[i] = (unsigned char)draw(256);
	for (r = 0; r < ROUNDS; r++) {
		esize = sizes[draw(sizeof sizes / sizeof *sizes)];
		random_view(&v, esize);
		dspan = lay_out(&v, esize, v.d);
		sspan = lay_out(&v, esize, v.s);
		if (dspan > ROOM - 64 || sspan > ROOM - 64)
			continue;
		big += dspan > 4096;
		d0 = (ptrdiff_t)draw(17) + turn(&v, v.d);
		s0 = (ptrdiff_t)draw(17) + turn(&v, v.s);
		memset(want, (int)(r & 255), ROOM);
		memset(got, (int)(r & 255), ROOM);
		naive(want + d0, src + s0, esize, &v);
		taf_strided_copy(got + d0, src + s0, &(struct taf_strided){ esize, v.nd,
		    v.n, v.d, v.s });
		CHECK_MEM(got, want, ROOM);
	}
	CHECK(big > ROUNDS / 20);
}

/* Planes larger than a block of the kernel, with edges that are not. */
static void
test_large(void)
{
	static const size_t sizes[] = { 1, 2, 4, 8, 3 };
	struct view v = { .nd = 2, .n = { 1100, 83 } };
	unsigned char *src, *want, *got;
	size_t bytes, i, k;

	for (k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		bytes = v.n[0] * v.n[1] * sizes[k];
		src = malloc(bytes);
		want = malloc(bytes);
		got = malloc(bytes);
		CHECK(src != NULL && want != NULL && got != NULL);
		for (i = 0; i < bytes; i++)
			src[i] = (unsigned char)draw(256);
		v.d[0] = (ptrdiff_t)sizes[k];
		v.d[1] = (ptrdiff_t)(v.n[0] * sizes[k]);
		v.s[0] = (ptrdiff_t)(v.n[1] * sizes[k]);
		v.s[1] = (ptrdiff_t)sizes[k];
		naive(want, src, sizes[k], &v);
		taf_strided_copy(got, src, &(struct taf_strided){ sizes[k], v.nd, v.n,
		    v.d, v.s });
		CHECK_MEM(got, want, bytes);
		free(src);
		free(want);
		free(got);
	}
}

/* The same source element for every index: a step of 0. */
static void
test_repeat(void)
{
	static const size_t n[] = { 3, 4 };
	static const ptrdiff_t d[] = { 2, 6 }, s[] = { 0, 2 };
	static const char src[] = "aAbBcCdD";
	char got[25] = "";

	taf_strided_copy(got, src, &(struct taf_strided){ 2, 2, n, d, s });
	CHECK(strcmp(got, "aAaAaAbBbBbBcCcCcCdDdDdD") == 0);
}

/* Every k-th element of a line, either way, at any address. */
static void
test_line(void)
{
	static unsigned char src[16 * 1024], want[16 * 1024], got[16 * 1024];
	size_t i, size, n;
	ptrdiff_t k;

	for (i = 0; i < sizeof src; i++)
		src[i] = (unsigned char)draw(256);
	for (size = 1; size <= 16; size++)
		for (n = 1; n < 150; n += n < 40 ? 1 : 37)
			for (k = -3; k <= 4; k++) {
				const ptrdiff_t d = (ptrdiff_t)size, s = k * d;
				const unsigned char *from = src + 8000 + n % 7;

				memset(want, 0, sizeof want);
				memset(got, 0, sizeof got);
				for (i = 0; i < n; i++)
					memcpy(want + 3 + i * size,
					    from + (ptrdiff_t)i * s, size);
				taf_strided_copy(got + 3, from,
				    &(struct taf_strided){ size, 1, &n, &d, &s });
				CHECK_MEM(got, want, sizeof got);
			}
}

int
main(void)
{
	UNIT(test_random);
	UNIT(test_large);
	UNIT(test_repeat);
	UNIT(test_line);
	return unit_end();
}
