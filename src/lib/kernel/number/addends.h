/* SPDX-License-Identifier: ISC */
/* Blocks of numbers added to totals, so that nothing is lost. */
#ifndef TAF_KERNEL_NUMBER_ADDENDS_H
#define TAF_KERNEL_NUMBER_ADDENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "kernel/number/total.h"

enum {
	TAF_ADDENDS_MOST = 2048,	/* values, or rows of them, at a time */
	TAF_ADDENDS_WIDTH = 256,	/* columns */
	TAF_ADDENDS_SUMS = 8		/* for each of them, at most */
};

/* The totals that values and their squares are added to.  NULL: not wanted. */
struct taf_addends {
	uint64_t *sum, *squares;
	struct taf_total of_sum, of_squares;	/* their forms */
	size_t step;		/* words from the total of a column to that of the next */
};

/*
 * Add a line of n <= TAF_ADDENDS_MOST values to one total.  If one of them is not finite,
 * nothing is added, and the result is false.
 */
bool taf_addends_flt32(const struct taf_addends *to, const float *v, size_t n);
bool taf_addends_flt64(const struct taf_addends *to, const double *v, size_t n);

/*
 * Add n integers of a type, 1 to TAF_ADDENDS_MOST, at any address, to totals of integers
 * and of their squares; NULL for what is not wanted.  *range becomes the smallest and the
 * largest of them, those of uint64 by their bits.
 */
void taf_addends_ints(uint64_t *sum, uint64_t *squares, const void *src,
    enum taf_type type, size_t n, int64_t range[2]);

/*
 * Sums of columns that are not in the totals yet.  The caller zeroes a tile at first.  It
 * is for one set of totals, and for flt32 and flt64 alike.
 */
struct taf_addends_tile {
	size_t rows;		/* that were added since it was settled */
	unsigned way;		/* which levels the sums have, and */
	int top;		/* the power of two that no value reaches */
	uint64_t a[TAF_ADDENDS_SUMS][TAF_ADDENDS_WIDTH];
};

/*
 * The same for a matrix of at most TAF_ADDENDS_MOST rows.  Each column has a total of its
 * own.  The values may stay in the tile until taf_addends_settle.
 */
struct taf_addends_rows {
	const void *v;
	size_t width, rows;
	size_t row;		/* elements from the begin of a row to that of the next */
};
bool taf_addends_rows_flt32(const struct taf_addends *to,
    const struct taf_addends_rows *r, struct taf_addends_tile *tile);
bool taf_addends_rows_flt64(const struct taf_addends *to,
    const struct taf_addends_rows *r, struct taf_addends_tile *tile);
void taf_addends_settle(const struct taf_addends *to, size_t width,
    struct taf_addends_tile *tile);

#endif
