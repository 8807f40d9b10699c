/*
 * The array is taken apart into boxes that are compact in both views, so that
 * each cache line of src and of dst is used up while it is there.  All boxes
 * have one shape: a table of the offsets in it serves every number and order of
 * dimensions, long or short, at the same speed.
 */

#include "kernel/strided.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	/* lengths above 1 whose product fits a size_t */
	NDIM = sizeof(size_t) * CHAR_BIT,
	BOX = 512		/* elements; a table of them stays in the first-level cache */
};

struct dim {
	size_t n;
	ptrdiff_t d, s;		/* steps in bytes */
};

/* Dimensions in rising order of the steps of dst. */
struct job {
	size_t esize;
	unsigned nd;
	struct dim dim[NDIM];
};

/* Offsets of the elements of a small box. */
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
simplify(struct job *j, unsigned char **dst, const unsigned char **src, unsigned nd,
    const size_t n[], const ptrdiff_t dstep[], const ptrdiff_t sstep[])
{
	struct dim v;
	unsigned i, k, m;

	for (k = 0; k < nd; k++)
		if (n[k] == 0)
			return false;
	m = 0;
	for (k = 0; k < nd; k++) {
		if (n[k] == 1)
			continue;
		assert(m < NDIM);
		v = (struct dim){ n[k], dstep[k], sstep[k] };
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
copy_box_any(unsigned char *d, const unsigned char *s, const struct table *t, size_t esize)
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

/* The dimension with the smallest step, of src or dst, not spanned yet; nd if none. */
static unsigned
nearest(const struct job *j, const size_t ext[], bool src)
{
	size_t step, least = SIZE_MAX;
	unsigned k, best = j->nd;

	for (k = 0; k < j->nd; k++) {
		step = magnitude(src ? j->dim[k].s : j->dim[k].d);
		if (ext[k] < j->dim[k].n && (best == j->nd || step < least)) {
			best = k;
			least = step;
		}
	}
	return best;
}

/* The extents of a box that is compact in both views, of at most BOX elements. */
static void
shape(const struct job *j, size_t ext[])
{
	size_t total = 1, wider;
	bool src = false;
	unsigned k;

	for (k = 0; k < j->nd; k++)
		ext[k] = 1;
	for (;;) {
		k = nearest(j, ext, src);
		if (k == j->nd)
			break;
		wider = min_size(j->dim[k].n, 2 * ext[k]);
		if (total / ext[k] * wider > BOX)
			break;
		total = total / ext[k] * wider;
		ext[k] = wider;
		src = !src;
	}
	for (k = 0; k < j->nd; k++) {
		wider = (j->dim[k].n - 1) / ext[k] + 1;
		ext[k] = (j->dim[k].n - 1) / wider + 1;
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
	struct dim box[NDIM];
	size_t at[NDIM] = { 0 };
	ptrdiff_t d = 0, s = 0;
	unsigned k;

	for (k = 0; k < j->nd; k++)
		box[k] = (struct dim){ ext[k], j->dim[k].d, j->dim[k].s };
	t->n = 0;
	do {
		t->d[t->n] = d;
		t->s[t->n++] = s;
	} while (advance(at, box, j->nd, &d, &s));
}

/*
 * One box of elements after the other, all by the same table.  The last along
 * a dimension is moved back to end with it.
 */
static void
copy_boxes(const struct job *j, const size_t ext[], const struct table *t,
    unsigned char *d, const unsigned char *s)
{
	size_t at[NDIM] = { 0 };
	ptrdiff_t od, os;
	unsigned k;

	do {
		od = os = 0;
		for (k = 0; k < j->nd; k++) {
			od += (ptrdiff_t)at[k] * j->dim[k].d;
			os += (ptrdiff_t)at[k] * j->dim[k].s;
		}
		copy_box_any(d + od, s + os, t, j->esize);
		for (k = 0; k < j->nd; k++) {
			if (at[k] + ext[k] < j->dim[k].n) {
				at[k] = min_size(at[k] + ext[k], j->dim[k].n - ext[k]);
				break;
			}
			at[k] = 0;
		}
	} while (k < j->nd);
}

void
taf_strided_copy(void *dst, const void *src, size_t esize, unsigned nd, const size_t n[],
    const ptrdiff_t dstep[], const ptrdiff_t sstep[])
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	struct job j = { .esize = esize };
	struct table t;
	size_t ext[NDIM];

	if (!simplify(&j, &d, &s, nd, n, dstep, sstep))
		return;
	widen(&j);
	shape(&j, ext);
	tabulate(&j, ext, &t);
	copy_boxes(&j, ext, &t, d, s);
}
