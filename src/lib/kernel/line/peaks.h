/* SPDX-License-Identifier: ISC */
/* Peaks of a line, and where it passes a level. */
#ifndef TAF_KERNEL_LINE_PEAKS_H
#define TAF_KERNEL_LINE_PEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum taf_peak_place {
	TAF_PEAK_TOP,		/* the highest point, or the middle of several */
	/* the top of the parabola through it and its neighbours */
	TAF_PEAK_PARABOLA,
	TAF_PEAK_CENTROID	/* of the points around it above half its height */
};

enum { TAF_EDGES_RISING = 1, TAF_EDGES_FALLING = 2 };

struct taf_peaks {
	enum taf_peak_place place;
	double minimum;		/* height, or -infinity */
	/* in points, from 0 on: of two nearer ones the higher one stays */
	double distance;
	uint64_t count;		/* the highest ones, 0 for all */
	/* not peaks, but passages, the first ones: TAF_EDGES_... */
	unsigned edges;
	/* through level; else that part of the way from the least to the greatest */
	bool leveled;
	double level, part;
};

/* Place and width in points, counted from 0; NaN where there is none. */
struct taf_peak {
	double place, height, width;
};

/*
 * A peak is a point that is greater than both its neighbours, or several such that are
 * equal.  Its width is that between the places where the line, drawn straight from point
 * to point, first comes down to half its height; a line ends it, and so does a NaN.
 *
 * A passage is where the line goes from one side of the level to the other.  Points at
 * the level are on neither side: the passage is in the middle of them.  Its height is the
 * level, and its width the way to the next passage if that is one back; between the two
 * a NaN may hide others.
 */

/*
 * Tops of peaks.  A line comes in pieces: x has n points more of it, from number first
 * on.  Tops that end in them go to peak, n at most.  Their place and width are their
 * first and their last point.
 */
struct taf_tops {
	bool after, up;		/* there was a point before; the last ones may be a top */
	double last;
	uint64_t from;		/* the first of these */
};
size_t taf_tops_find(struct taf_tops *t, const double *x, uint64_t first, size_t n,
    struct taf_peak *peak);

/* Is the first of the greatest of n points, a whole line, the top of a peak?  Then p. */
bool taf_peaks_greatest(const double *x, size_t n, struct taf_peak *p);

/* Of all such those that are wanted, in the order of places; order is memory for n. */
size_t taf_peaks_choose(const struct taf_peaks *how, struct taf_peak *peak, size_t n,
    const struct taf_peak **order);

/* Is p higher than q, or as high and before it? */
static inline bool
taf_peak_is_higher(const struct taf_peak *p, const struct taf_peak *q)
{
	return p->height != q->height ? p->height > q->height : p->place < q->place;
}

/*
 * Where the line is at half: between point i, the last above it, of value b, and the
 * next value, a.  With back it is behind the peak, else before it.  The line has n
 * points.
 */
double taf_peaks_side(double half, double a, double b, uint64_t i, uint64_t n, bool back);

/* p gets its place: of a parabola from the points before, at and behind it. */
void taf_peaks_parabola(struct taf_peak *p, double a, double b, double c);

/* Of a centroid from the points above half, in their order. */
struct taf_mass {
	double sum, moment;
};
bool taf_peaks_has_centroid(const struct taf_peak *p);
void taf_peaks_weigh(struct taf_mass *m, const struct taf_peak *p, const double *x,
    uint64_t first, size_t n);
void taf_peaks_centroid(struct taf_peak *p, const struct taf_mass *m);

/* Of the top itself. */
void taf_peaks_middle(struct taf_peak *p);

/*
 * Passages of a level: those in n points more, put to peak + found, and found grows; n at
 * most.  True where no more are wanted.
 */
struct taf_passages {
	bool open;		/* the last one found waits for one back */
	bool up;		/* the last one found goes up */
	int side;		/* of the level where the line was last; 0 is not known */
	bool at;		/* the points since then are at the level */
	uint64_t from;		/* the first of these */
	double level, last;
	size_t found;
};
bool taf_passages_find(struct taf_passages *s, const struct taf_peaks *how,
    const double *x, uint64_t first, size_t n, struct taf_peak *peak);

/* The least and the greatest of n numbers more, at first infinity and -infinity. */
void taf_peaks_extremes(const double *x, size_t n, double extremes[2]);

/* The level of a line with these. */
double taf_peaks_level(const struct taf_peaks *how, const double extremes[2]);

#endif
