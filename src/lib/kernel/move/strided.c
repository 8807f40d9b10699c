/* SPDX-License-Identifier: ISC */
/*
 * The array is taken apart into boxes that are compact in both views, so that
 * each cache line of src and of dst is used up while it is there.  All boxes
 * have one shape: a table of the offsets in it serves every number and order of
 * dimensions, long or short, at the same speed.  An entry is an element, or a
 * square cell of elements that is transposed in registers.
 */

#include "kernel/move/strided.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "base/endian.h"

enum {
	/* lengths above 1 whose product fits a size_t */
	NDIM = sizeof(size_t) * CHAR_BIT,
	BOX = 1024,	/* entries, whose table stays in the first-level cache */
	SHORT = 8,	/* lengths that a box spans or leaves alone */
	AREA = 8192	/* bytes of a box that has cells: as much again stays beside it */
};

struct dim {
	size_t n;
	size_t unit;		/* elements that an entry of the table goes along */
	ptrdiff_t d, s;		/* steps in bytes */
};

/* Dimensions in rising order of the steps of dst. */
struct job {
	size_t esize;
	unsigned nd;
	struct dim dim[NDIM];
	size_t cell;		/* elements along a side; 1: no cells */
	ptrdiff_t cd, cs;	/* steps from row to row of a cell */
};

/* Offsets of the entries of a box. */
struct table {
	size_t n;
	ptrdiff_t d[BOX], s[BOX];
};

static size_t
min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t
magnitude(ptrdiff_t a)
{
	return a < 0 ? (size_t)0 - (size_t)a : (size_t)a;
}

/* Whether o continues where i, the dimension below it, ends, in both views. */
static bool
continues(const struct dim *i, const struct dim *o)
{
	ptrdiff_t n = (ptrdiff_t)i->n;

	return o->d == n * i->d && o->s == n * i->s;
}

/*
 * Drop lengths of 1, turn steps of dst positive, sort by them, merge what is
 * contiguous in both.  False if there is nothing to copy.
 */
static bool
simplify(struct job *j, unsigned char **dst, const unsigned char **src,
    const struct taf_strided *of)
{
	struct dim v;
	unsigned i, k, m;

	for (k = 0; k < of->nd; k++)
		if (of->n[k] == 0)
			return false;
	m = 0;
	for (k = 0; k < of->nd; k++) {
		if (of->n[k] == 1)
			continue;
		assert(m < NDIM);
		v = (struct dim){ of->n[k], 1, of->dstep[k], of->sstep[k] };
		if (v.d < 0) {
			*dst += (ptrdiff_t)(v.n - 1) * v.d;
			*src += (ptrdiff_t)(v.n - 1) * v.s;
			v.d = -v.d;
			v.s = -v.s;
		}
		for (i = m++; i > 0 && j->dim[i - 1].d > v.d; i--)
			j->dim[i] = j->dim[i - 1];
		j->dim[i] = v;
	}
	j->nd = 0;
	for (k = 0; k < m; k++) {
		if (j->nd > 0 && continues(&j->dim[j->nd - 1], &j->dim[k]))
			j->dim[j->nd - 1].n *= j->dim[k].n;
		else
			j->dim[j->nd++] = j->dim[k];
	}
	return true;
}

/* Make a run that is contiguous in both views the element. */
static void
widen(struct job *j)
{
	ptrdiff_t unit = (ptrdiff_t)j->esize;

	if (j->nd == 0 || j->dim[0].d != unit || j->dim[0].s != unit)
		return;
	j->esize *= j->dim[0].n;
	j->nd--;
	memmove(j->dim, j->dim + 1, j->nd * sizeof j->dim[0]);
}

/* Use cells where elements are words and both views have rows of them. */
static void
find_cells(struct job *j)
{
	static const unsigned char side[] = { [1] = 8, [2] = 4, [4] = 4, [8] = 2 };
	ptrdiff_t unit = (ptrdiff_t)j->esize;
	size_t cell;
	unsigned b;

	j->cell = 1;
	if (j->nd < 2 || j->esize >= sizeof side || side[j->esize] == 0 ||
	    j->dim[0].d != unit)
		return;
	for (b = 1; b < j->nd && j->dim[b].s != unit; b++)
		;
	cell = side[j->esize];
	if (b == j->nd || j->dim[0].n < cell || j->dim[b].n < cell)
		return;
	j->cell = j->dim[0].unit = j->dim[b].unit = cell;
	j->cd = j->dim[b].d;
	j->cs = j->dim[0].s;
}

static inline uint64_t
row(const unsigned char *s)
{
	return taf_get64(s, false);
}

static inline void
put_row(unsigned char *d, uint64_t x)
{
	taf_put64(d, x, false);
}

/* Exchange the elements of a under mask << shift with those of b under mask. */
static inline void
exchange(uint64_t *a, uint64_t *b, unsigned shift, uint64_t mask)
{
	uint64_t t = (*a >> shift ^ *b) & mask;

	*a ^= t << shift;
	*b ^= t;
}

/*
 * Transpose a cell of 8 x 8 bytes, a row a word: exchange the off-diagonal
 * quarters of it, of its quarters, and of theirs.  Written out, because the
 * words stay in registers only where no loop is left.
 */
static inline void
cell8(unsigned char *d, const unsigned char *s, ptrdiff_t cd, ptrdiff_t cs)
{
	const uint64_t m4 = 0xffffffff, m2 = 0x0000ffff0000ffff;
	const uint64_t m1 = 0x00ff00ff00ff00ff;
	uint64_t r0 = row(s), r1 = row(s + cs);
	uint64_t r2 = row(s + 2 * cs), r3 = row(s + 3 * cs);
	uint64_t r4, r5, r6, r7;

	s += 4 * cs;
	r4 = row(s);
	r5 = row(s + cs);
	r6 = row(s + 2 * cs);
	r7 = row(s + 3 * cs);

	exchange(&r0, &r4, 32, m4);
	exchange(&r1, &r5, 32, m4);
	exchange(&r2, &r6, 32, m4);
	exchange(&r3, &r7, 32, m4);

	exchange(&r0, &r2, 16, m2);
	exchange(&r1, &r3, 16, m2);
	exchange(&r4, &r6, 16, m2);
	exchange(&r5, &r7, 16, m2);

	exchange(&r0, &r1, 8, m1);
	exchange(&r2, &r3, 8, m1);
	exchange(&r4, &r5, 8, m1);
	exchange(&r6, &r7, 8, m1);

	put_row(d, r0);
	put_row(d + cd, r1);
	put_row(d + 2 * cd, r2);
	put_row(d + 3 * cd, r3);
	d += 4 * cd;
	put_row(d, r4);
	put_row(d + cd, r5);
	put_row(d + 2 * cd, r6);
	put_row(d + 3 * cd, r7);
}

/* The same for 4 x 4 elements of two bytes. */
static inline void
cell4(unsigned char *d, const unsigned char *s, ptrdiff_t cd, ptrdiff_t cs)
{
	const uint64_t m2 = 0xffffffff, m1 = 0x0000ffff0000ffff;
	uint64_t r0 = row(s), r1 = row(s + cs);
	uint64_t r2 = row(s + 2 * cs), r3 = row(s + 3 * cs);

	exchange(&r0, &r2, 32, m2);
	exchange(&r1, &r3, 32, m2);

	exchange(&r0, &r1, 16, m1);
	exchange(&r2, &r3, 16, m1);

	put_row(d, r0);
	put_row(d + cd, r1);
	put_row(d + 2 * cd, r2);
	put_row(d + 3 * cd, r3);
}

/* 4 x 4 elements of four bytes: two rows of four become four of two, twice. */
static inline void
cell4x4(unsigned char *d, const unsigned char *s, ptrdiff_t cd, ptrdiff_t cs)
{
	const uint64_t m = 0xffffffff;
	uint64_t r0, r1, r2, r3, q0, q1, q2, q3;

	r0 = row(s);
	q0 = row(s + 8);
	r1 = row(s + cs);
	q1 = row(s + cs + 8);
	s += 2 * cs;
	r2 = row(s);
	q2 = row(s + 8);
	r3 = row(s + cs);
	q3 = row(s + cs + 8);

	exchange(&r0, &r1, 32, m);
	exchange(&r2, &r3, 32, m);
	exchange(&q0, &q1, 32, m);
	exchange(&q2, &q3, 32, m);

	put_row(d, r0);
	put_row(d + 8, r2);
	put_row(d + cd, r1);
	put_row(d + cd + 8, r3);
	d += 2 * cd;
	put_row(d, q0);
	put_row(d + 8, q2);
	put_row(d + cd, q1);
	put_row(d + cd + 8, q3);
}

/* 2 x 2 elements of eight. */
static inline void
cell2(unsigned char *d, const unsigned char *s, ptrdiff_t cd, ptrdiff_t cs)
{
	uint64_t r0 = row(s), q0 = row(s + 8), r1 = row(s + cs), q1 = row(s + cs + 8);

	put_row(d, r0);
	put_row(d + 8, r1);
	put_row(d + cd, q0);
	put_row(d + cd + 8, q1);
}

static void
copy_cells(unsigned char *d, const unsigned char *s, const struct table *t,
    const struct job *j)
{
	size_t i;

	switch (j->esize) {
	case 1:
		for (i = 0; i < t->n; i++)
			cell8(d + t->d[i], s + t->s[i], j->cd, j->cs);
		break;
	case 2:
		for (i = 0; i < t->n; i++)
			cell4(d + t->d[i], s + t->s[i], j->cd, j->cs);
		break;
	case 4:
		for (i = 0; i < t->n; i++)
			cell4x4(d + t->d[i], s + t->s[i], j->cd, j->cs);
		break;
	default:
		for (i = 0; i < t->n; i++)
			cell2(d + t->d[i], s + t->s[i], j->cd, j->cs);
	}
}

/*
 * One element, as a word of w bytes, or as two that overlap.  Where w is a
 * constant the copies become single moves.
 */
static inline void
put(unsigned char *d, const unsigned char *s, size_t esize, size_t w)
{
	memcpy(d, s, w);
	if (esize != w)
		memcpy(d + (esize - w), s + (esize - w), w);
}

/* One box.  Inlined for each size of element. */
static inline void
copy_box(unsigned char *d, const unsigned char *s, const struct table *t, size_t esize,
    size_t w)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		put(d + t->d[i], s + t->s[i], esize, w);
}

static void
copy_elements(unsigned char *d, const unsigned char *s, const struct table *t,
    size_t esize)
{
	switch (esize) {
	case 1:
		copy_box(d, s, t, 1, 1);
		break;
	case 2:
		copy_box(d, s, t, 2, 2);
		break;
	case 4:
		copy_box(d, s, t, 4, 4);
		break;
	case 8:
		copy_box(d, s, t, 8, 8);
		break;
	case 16:
		copy_box(d, s, t, 16, 16);
		break;
	default:
		if (esize > 32)
			copy_box(d, s, t, esize, esize);
		else if (esize > 16)
			copy_box(d, s, t, esize, 16);
		else if (esize > 8)
			copy_box(d, s, t, esize, 8);
		else if (esize > 4)
			copy_box(d, s, t, esize, 4);
		else
			copy_box(d, s, t, esize, 2);
	}
}

/* Inlined for each size, and for every second element, which compilers vectorise. */
static inline void
gather(unsigned char *restrict d, const unsigned char *restrict s, size_t n,
    ptrdiff_t step, size_t esize)
{
	size_t i;

	for (i = 0; i < n; i++)
		memcpy(d + i * esize, s + (ptrdiff_t)i * step, esize);
}

static inline void
gather_steps(unsigned char *d, const unsigned char *s, size_t n, ptrdiff_t step,
    size_t esize)
{
	if (step == 2 * (ptrdiff_t)esize)
		gather(d, s, n, 2 * (ptrdiff_t)esize, esize);
	else
		gather(d, s, n, step, esize);
}

/* A single dimension whose elements come to lie together needs no table; false if not. */
static bool
copy_line(unsigned char *d, const unsigned char *s, const struct job *j)
{
	const struct dim *v = &j->dim[0];

	if (j->nd != 1 || v->d != (ptrdiff_t)j->esize)
		return false;
	switch (j->esize) {
	case 1:
		gather_steps(d, s, v->n, v->s, 1);
		return true;
	case 2:
		gather_steps(d, s, v->n, v->s, 2);
		return true;
	case 4:
		gather_steps(d, s, v->n, v->s, 4);
		return true;
	case 8:
		gather_steps(d, s, v->n, v->s, 8);
		return true;
	default:
		return false;
	}
}

/* Two rows whose elements come in turn.  Inlined for each size, and vectorised. */
static inline void
zip(unsigned char *restrict d, const unsigned char *restrict s,
    const unsigned char *restrict t, size_t n, size_t esize)
{
	size_t i;

	for (i = 0; i < n; i++) {
		memcpy(d + 2 * i * esize, s + i * esize, esize);
		memcpy(d + (2 * i + 1) * esize, t + i * esize, esize);
	}
}

/* Pairs that lie together, each of an element of two rows; false if it is not that. */
static bool
copy_pairs(unsigned char *d, const unsigned char *s, const struct job *j)
{
	const struct dim *pair = &j->dim[0], *row = &j->dim[1];
	const ptrdiff_t unit = (ptrdiff_t)j->esize;

	if (j->nd != 2 || pair->n != 2 || pair->d != unit || row->d != 2 * unit ||
	    row->s != unit)
		return false;
	switch (j->esize) {
	case 1:
		zip(d, s, s + pair->s, row->n, 1);
		return true;
	case 2:
		zip(d, s, s + pair->s, row->n, 2);
		return true;
	case 4:
		zip(d, s, s + pair->s, row->n, 4);
		return true;
	case 8:
		zip(d, s, s + pair->s, row->n, 8);
		return true;
	default:
		return false;
	}
}

/* The longest extent of a box along a dimension, in whole units. */
static size_t
longest(const struct dim *v)
{
	return v->n - v->n % v->unit;
}

/* Has a the smaller step, in src or in dst? */
static bool
closer(const struct dim *a, const struct dim *b, bool src)
{
	return src ? magnitude(a->s) < magnitude(b->s) : a->d < b->d;
}

/* The dimension of smallest step, in src or in dst, not spanned yet; nd if none. */
static unsigned
nearest(const struct job *j, const size_t ext[], bool src)
{
	unsigned k, best = j->nd;

	for (k = 0; k < j->nd; k++) {
		if (ext[k] == longest(&j->dim[k]))
			continue;
		if (best == j->nd || closer(&j->dim[k], &j->dim[best], src))
			best = k;
	}
	return best;
}

/* The extents of a box that is compact in both views, of at most BOX entries. */
static void
shape(const struct job *j, size_t ext[])
{
	const size_t most = j->cell > 1 ? AREA / j->esize : BOX;	/* of elements */
	size_t total = j->cell * j->cell, wider, count;
	bool src = false;
	unsigned k;

	for (k = 0; k < j->nd; k++)
		ext[k] = j->dim[k].unit;
	for (;;) {
		k = nearest(j, ext, src);
		if (k == j->nd)
			break;
		wider = longest(&j->dim[k]);
		if (wider > SHORT)
			wider = min_size(wider, 2 * ext[k]);
		if (total / ext[k] * wider > most)
			break;
		total = total / ext[k] * wider;
		ext[k] = wider;
		src = !src;
	}
	/* boxes of one size, which overlap least at the end */
	for (k = 0; k < j->nd; k++) {
		count = (j->dim[k].n - 1) / ext[k] + 1;
		wider = (j->dim[k].n - 1) / count + 1;
		ext[k] = (wider + j->dim[k].unit - 1) / j->dim[k].unit * j->dim[k].unit;
	}
}

/*
 * Step to the next index at[] < n[] of the nd dimensions v, and the offsets
 * with it; false after the last.
 */
static bool
advance(size_t at[], const struct dim v[], unsigned nd, ptrdiff_t *d, ptrdiff_t *s)
{
	unsigned k;

	for (k = 0; k < nd; k++) {
		if (++at[k] < v[k].n) {
			*d += v[k].d;
			*s += v[k].s;
			return true;
		}
		at[k] = 0;
		*d -= (ptrdiff_t)(v[k].n - 1) * v[k].d;
		*s -= (ptrdiff_t)(v[k].n - 1) * v[k].s;
	}
	return false;
}

static void
tabulate(const struct job *j, const size_t ext[], struct table *t)
{
	struct dim v, box[NDIM];
	size_t at[NDIM] = { 0 };
	ptrdiff_t d = 0, s = 0;
	unsigned k;

	for (k = 0; k < j->nd; k++) {
		v = j->dim[k];
		box[k].n = ext[k] / v.unit;
		box[k].d = (ptrdiff_t)v.unit * v.d;
		box[k].s = (ptrdiff_t)v.unit * v.s;
	}
	t->n = 0;
	do {
		t->d[t->n] = d;
		t->s[t->n++] = s;
	} while (advance(at, box, j->nd, &d, &s));
}

/*
 * Sort the dimensions so that the boxes too come in larger and larger compact
 * groups: of those left, the one of smallest step in src and in dst in turn.
 */
static void
arrange(struct job *j, size_t ext[])
{
	struct dim v;
	size_t e;
	unsigned best, i, k;
	bool src = true;

	for (i = 0; i < j->nd; i++) {
		best = i;
		for (k = i + 1; k < j->nd; k++)
			if (closer(&j->dim[k], &j->dim[best], src))
				best = k;
		v = j->dim[i];
		j->dim[i] = j->dim[best];
		j->dim[best] = v;
		e = ext[i];
		ext[i] = ext[best];
		ext[best] = e;
		src = !src;
	}
}

/*
 * One box after the other, all by the same table.  The last along a dimension
 * is moved back to end with it.
 */
static void
copy_boxes(const struct job *j, const size_t ext[], const struct table *t,
    unsigned char *d, const unsigned char *s)
{
	size_t at[NDIM] = { 0 };
	ptrdiff_t od = 0, os = 0, move;
	size_t next;
	unsigned k;

	do {
		if (j->cell > 1)
			copy_cells(d + od, s + os, t, j);
		else
			copy_elements(d + od, s + os, t, j->esize);
		for (k = 0; k < j->nd; k++) {
			next = 0;
			if (at[k] + ext[k] < j->dim[k].n)
				next = min_size(at[k] + ext[k], j->dim[k].n - ext[k]);
			move = (ptrdiff_t)next - (ptrdiff_t)at[k];
			od += move * j->dim[k].d;
			os += move * j->dim[k].s;
			at[k] = next;
			if (next > 0)
				break;
		}
	} while (k < j->nd);
}

void
taf_strided_copy(void *dst, const void *src, const struct taf_strided *v)
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	struct job j = { .esize = v->esize };
	struct table t;
	size_t ext[NDIM];

	if (!simplify(&j, &d, &s, v))
		return;
	widen(&j);
	if (copy_line(d, s, &j) || copy_pairs(d, s, &j))
		return;
	find_cells(&j);
	shape(&j, ext);
	tabulate(&j, ext, &t);
	arrange(&j, ext);
	copy_boxes(&j, ext, &t, d, s);
}
