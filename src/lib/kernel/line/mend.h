/* NaN in lines of floats, and what takes their place. */
#ifndef TAF_KERNEL_LINE_MEND_H
#define TAF_KERNEL_LINE_MEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In this file elements are floats or pairs of them, in the host's byte order.  A pair is
 * NaN if a part of it is.
 */

enum taf_mend {
	/* between the numbers on both sides, at the ends the nearest */
	TAF_MEND_LINEAR,
	TAF_MEND_NEAREST,	/* the nearest number, of two the earlier */
	TAF_MEND_PREVIOUS	/* the last number before */
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
 * A line that is mended piece by piece, from its beginning.  behind is the first number
 * behind the present piece; it is asked for only if the piece ends in NaN.  before is the
 * last number before the next piece; none at first.
 */
struct taf_mended {
	enum taf_type type;
	enum taf_mend how;
	struct taf_part part;
	struct taf_number_at before, behind;
};

/*
 * Mend the NaN among the points of part, in n elements of a line from place at on.
 * Numbers of the whole line are taken.  The result is the number of NaN that are left for
 * want of a number.
 */
size_t taf_mend(struct taf_mended *line, void *p, uint64_t at, size_t n);

/* Numbers of lines side by side, and their places; TAF_MEND_NONE where none is there. */
#define TAF_MEND_NONE UINT64_MAX
struct taf_numbers_at {
	void *element;
	uint64_t *at;			/* NULL: there is none of any line */
};

/*
 * Lines side by side, from place at on: element i of line k is number i * in_step + k of
 * in, and i * out_step + k of out.
 */
struct taf_mended_beside {
	enum taf_type type;
	enum taf_mend how;
	struct taf_part part;
	const void *in;
	void *out;
	size_t lines, len, in_step, out_step;
	const bool *mended;	/* which of the lines are; NULL: all */
	uint64_t at;
	/* The last before, and the first behind, of lines that begin, or end, in NaN. */
	struct taf_numbers_at before, behind;
};

/* out becomes what in is, mended as by taf_mend. */
size_t taf_mend_beside(const struct taf_mended_beside *m);

/* The place of the first NaN among n elements from number i <= n on, or n. */
size_t taf_mend_nan(const void *p, enum taf_type type, size_t n, size_t i);

/* The place of the first number among n elements, or n. */
size_t taf_mend_number(const void *p, enum taf_type type, size_t n);

/* The NaN among n elements, every step-th, become the element. */
void taf_mend_by(void *p, enum taf_type type, size_t n, size_t step, const void *element);

#ifdef __cplusplus
}
#endif

#endif
