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
	AREA = 8192,	/* bytes of a box that has cells: as much again stays beside it */
	/* rows a multiple of so many bytes apart share a set of so many cache ways */
	ALIAS = 4096,
	WAYS = 16
};

struct dim {
	size_t n;
	size_t unit;		/* elements that an entry of the table goes along */
	ptrdiff_t d, s;		/* steps in bytes */
};

struct job;
struct table;

/* Copies a box by cells. */
typedef void copy_cells(unsigned char *d, const unsigned char *s, const struct table *t,
    const struct job *j);

/* Dimensions in rising order of the steps of dst. */
struct job {
	size_t esize;
	unsigned nd;
	struct dim dim[NDIM];
	size_t cell;		/* elements along a side; 1: no cells */
	ptrdiff_t cd, cs;	/* steps from row to row of a cell */
	copy_cells *copy;
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

/* Bytes of elements that have cells, elements along a side, and what copies these. */
struct cells {
	size_t esize, side;
	copy_cells *copy;
};

#ifdef __GNUC__

#ifdef __clang__
#define MIXED(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define MIXED(a, b, ...) __builtin_shuffle(a, b, (__typeof__(a)){ __VA_ARGS__ })
#endif

#define LOW2 0, 2
#define HIGH2 1, 3
#define LOW4 0, 4, 1, 5
#define HIGH4 2, 6, 3, 7
#define LOW8 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH8 4, 12, 5, 13, 6, 14, 7, 15
#define LOW16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

/*
 * All cells of a box, of n x n words, a row a vector.  Rows of one half and of the other
 * are brought together, element by element, until each element has met all others.
 * Without loops that remain, rows stay in registers.
 */
#define CELLS_OF(word, side) \
typedef word##_t word##x##side __attribute__((vector_size(side * sizeof(word##_t)))); \
\
static void \
copy_##word##x##side(unsigned char *d, const unsigned char *s, const struct table *t, \
    const struct job *j) \
{ \
	const ptrdiff_t cd = j->cd, cs = j->cs; \
	word##x##side r[side], q[side]; \
\
	for (size_t i = 0; i < t->n; i++) { \
		const unsigned char *from = s + t->s[i]; \
		unsigned char *to = d + t->d[i]; \
\
		_Pragma("GCC unroll 16") \
		for (int k = 0; k < side; k++) \
			memcpy(&r[k], from + k * cs, sizeof r[k]); \
		_Pragma("GCC unroll 4") \
		for (int m = 1; m < side; m *= 2) { \
			_Pragma("GCC unroll 8") \
			for (int k = 0; k < side / 2; k++) { \
				q[2 * k] = MIXED(r[k], r[k + side / 2], LOW##side); \
				q[2 * k + 1] = MIXED(r[k], r[k + side / 2], HIGH##side); \
			} \
			_Pragma("GCC unroll 16") \
			for (int k = 0; k < side; k++) \
				r[k] = q[k]; \
		} \
		_Pragma("GCC unroll 16") \
		for (int k = 0; k < side; k++) \
			memcpy(to + k * cd, &r[k], sizeof r[k]); \
	} \
}

CELLS_OF(uint8, 8)
CELLS_OF(uint8, 16)
CELLS_OF(uint16, 4)
CELLS_OF(uint16, 8)
CELLS_OF(uint32, 2)
CELLS_OF(uint32, 4)
CELLS_OF(uint64, 2)

/* Larger ones first. */
static const struct cells cells[] = {
	{ 1, 16, copy_uint8x16 }, { 1, 8, copy_uint8x8 }, { 2, 8, copy_uint16x8 },
	{ 2, 4, copy_uint16x4 }, { 4, 4, copy_uint32x4 }, { 4, 2, copy_uint32x2 },
	{ 8, 2, copy_uint64x2 },
};

#else

static const struct cells cells[] = { { 0, 0, NULL } };

#endif

/* Use cells where elements are words and both views have rows of them. */
static void
find_cells(struct job *j)
{
	const ptrdiff_t unit = (ptrdiff_t)j->esize;
	unsigned b;
	size_t k;

	j->cell = 1;
	if (j->nd < 2 || j->dim[0].d != unit)
		return;
	for (b = 1; b < j->nd && j->dim[b].s != unit; b++)
		;
	for (k = 0; k < sizeof cells / sizeof cells[0] && j->cell == 1; k++) {
		const size_t side = cells[k].side;

		if (b == j->nd || cells[k].esize != j->esize || j->dim[0].n < side ||
		    j->dim[b].n < side)
			continue;
		j->copy = cells[k].copy;
		j->cell = j->dim[0].unit = j->dim[b].unit = side;
		j->cd = j->dim[b].d;
		j->cs = j->dim[0].s;
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

/* Would more of a dimension leave the cache before it is used up? */
static bool
competes(const struct dim *v, size_t ext)
{
	return ext >= WAYS && magnitude(v->s) % ALIAS == 0;
}

/* The dimension of smallest step, in src or in dst, that may still grow; nd if none. */
static unsigned
nearest(const struct job *j, const size_t ext[], bool src)
{
	unsigned k, best = j->nd;

	for (k = 0; k < j->nd; k++) {
		if (ext[k] == longest(&j->dim[k]) || competes(&j->dim[k], ext[k]))
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
			j->copy(d + od, s + os, t, j);
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
