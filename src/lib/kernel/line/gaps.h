/* SPDX-License-Identifier: ISC */
/* NaN in lines of floats, and what takes their place. */
#ifndef TAF_KERNEL_LINE_GAPS_H
#define TAF_KERNEL_LINE_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"

/*
 * In this file elements are floats or pairs of them, in the host's byte order.  A pair is
 * NaN if a part of it is.
 */

enum taf_gap_rule {
	/* between the numbers on both sides, at the ends the nearest */
	TAF_GAP_LINEAR,
	TAF_GAP_NEAREST,	/* the nearest number, of two the earlier */
	TAF_GAP_PREVIOUS	/* the last number before */
};

/* Points first, first + step, ... of a line, count of them, from 0. */
struct taf_part {
	uint64_t first, step, count;
};

/* A number of a line, at this place from 0; or none is there. */
struct taf_number_at {
	bool there;
	uint64_t at;
	unsigned char element[16];
};

/*
 * A line that is filled piece by piece, from its beginning.  behind is the first number
 * behind the present piece; it is asked for only if the piece ends in NaN.  before is the
 * last number before the next piece; none at first.
 */
struct taf_gap_line {
	enum taf_type type;
	enum taf_gap_rule how;
	struct taf_part part;
	struct taf_number_at before, behind;
};

/*
 * Fill the NaN among the points of part, in n elements of a line from place at on.
 * Numbers of the whole line are taken.  The result is the number of NaN that are left for
 * want of a number.
 */
size_t taf_gaps_fill(struct taf_gap_line *line, void *p, uint64_t at, size_t n);

/* Numbers of lines side by side, and their places; TAF_GAP_NONE where none is there. */
#define TAF_GAP_NONE UINT64_MAX
struct taf_numbers_at {
	void *element;
	uint64_t *at;			/* NULL: there is none of any line */
};

/*
 * Lines side by side, from place at on: element i of line k is number i * in_step + k of
 * in, and i * out_step + k of out.
 */
struct taf_gap_lines {
	enum taf_type type;
	enum taf_gap_rule how;
	struct taf_part part;
	const void *in;
	void *out;
	size_t lines, len, in_step, out_step;
	const bool *filled;	/* which of the lines are; NULL: all */
	uint64_t at;
	/* The last before, and the first behind, of lines that begin, or end, in NaN. */
	struct taf_numbers_at before, behind;
};

/* out becomes what in is, filled as by taf_gaps_fill. */
size_t taf_gaps_fill_beside(const struct taf_gap_lines *m);

/* The place of the first NaN among n elements from number i <= n on, or n. */
size_t taf_gaps_nan(const void *p, enum taf_type type, size_t n, size_t i);

/* The place of the first number among n elements, or n. */
size_t taf_gaps_number(const void *p, enum taf_type type, size_t n);

/* The NaN among n elements, every step-th, become the element. */
void taf_gaps_set(void *p, enum taf_type type, size_t n, size_t step,
    const void *element);

#endif
