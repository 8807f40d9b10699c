/* Peaks of a line, and where it passes a level. */
#ifndef TAF_KERNEL_PEAKS_H
#define TAF_KERNEL_PEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum taf_peak_place {
	TAF_PEAK_TOP,		/* the highest point, or the middle of several */
	TAF_PEAK_PARABOLA,	/* the top of the parabola through it and its neighbours */
	TAF_PEAK_CENTROID	/* of the points around it of at least half its height */
};

enum { TAF_EDGES_RISING = 1, TAF_EDGES_FALLING = 2 };

struct taf_peaks {
	enum taf_peak_place place;
	double minimum;		/* height, or -infinity */
	double distance;	/* in points, from 0 on: of two nearer ones the higher one stays */
	uint64_t count;		/* the highest ones, 0 for all */
	unsigned edges;		/* not peaks, but passages, the first ones: TAF_EDGES_... */
	bool leveled;		/* through level; else the middle between least and greatest */
	double level;
};

/* Place and width in points, counted from 0; NaN where there is none. */
struct taf_peak {
	double place, height, width;
};

/* What taf_peaks_find takes beside the line. */
struct taf_peaks_room {
	struct taf_peak *peak;	/* n / 2 + 1 for peaks, n for passages */
	size_t *order;		/* 2 n */
};

/*
 * What there is in a line of n points, in the order of places; the result is how many.
 *
 * A peak is a point that is greater than both its neighbours, or several such that are equal.
 * Its width is that between the places where the line, drawn straight from point to point,
 * falls below half its height; a line ends it, and so does a NaN.  A passage is such a place
 * of the level, its height is the level, and its width the way to the next one back.
 */
size_t taf_peaks_find(const struct taf_peaks *how, const double *x, size_t n,
    const struct taf_peaks_room *room);

#endif
