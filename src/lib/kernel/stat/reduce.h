/* SPDX-License-Identifier: ISC */
/*
 * Statistics of values in accumulators that may be joined: no cut changes any bit of
 * them.
 */
#ifndef TAF_KERNEL_STAT_REDUCE_H
#define TAF_KERNEL_STAT_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "kernel/number/addends.h"

enum taf_op {
	TAF_OP_SUM, TAF_OP_MEAN, TAF_OP_STD, TAF_OP_VAR, TAF_OP_STD1, TAF_OP_VAR1,
	TAF_OP_RMS, TAF_OP_MIN, TAF_OP_MAX, TAF_OP_RANGE, TAF_OP_ABSMAX, TAF_OP_PROD,
	TAF_OP_MEDIAN, TAF_OP_QUANTILE, TAF_OP_MAD, TAF_OP_COUNT, TAF_OP_NAN,
	TAF_OP_ARGMIN, TAF_OP_ARGMAX, TAF_OP_FIRST, TAF_OP_LAST, TAF_OP_ANY, TAF_OP_ALL
};

enum { TAF_REDUCE_OPS = 32 };	/* at a time, at most */

struct taf_reduction {
	enum taf_op op;
	double p;		/* of a quantile, 0 to 1 */
};

/*
 * Parse "OP,OP,quantile=P".  *n is the number of operations, at most TAF_REDUCE_OPS.
 * TAF_EUSAGE if the text is anything else.
 */
TAF_MUST enum taf_status taf_reduction_parse(const char *text, struct taf_reduction *ops,
    unsigned *n, struct taf_err *e);

/* Append the names of operations, as taf_reduction_parse reads them. */
void taf_reduction_name(struct taf_str *text, const struct taf_reduction *ops,
    unsigned n);

/* Does it need the order of values?  Then an accumulator does not have the result. */
bool taf_op_is_order(enum taf_op op);

/* Is its result a place along a dimension? */
bool taf_op_is_place(enum taf_op op);

/* Is its result one of the elements, as it is stored? */
bool taf_op_is_element(enum taf_op op);

/* Is there such a result of pairs?  They have no order, and no product here. */
bool taf_op_is_of_pairs(enum taf_op op);

/*
 * The elements, and the layout of an accumulator of them: r->words words, in parts.  A
 * part is there only if an operation needs it.
 */
struct taf_reduce {
	enum taf_type type;		/* of the elements; pairs have no mapping */
	bool mapped;			/* values are mapping[0] + mapping[1] * element */
	bool finite;			/* NaN and infinite values are left out */
	double mapping[2];
	/* where each part begins, in words; 0 where it is not there */
	unsigned extremes, ends, nonzero, product, sum, squares;
	/* of pairs: how many have a NaN; all else is there for each of their parts */
	unsigned either;
	unsigned words;
	bool places;			/* extremes come with their places */
};

/*
 * Find the layout for some operations, of pairs only those that taf_op_is_of_pairs.  The
 * caller has set type to mapping.
 */
void taf_reduce_plan(struct taf_reduce *r, const struct taf_reduction *ops,
    unsigned nops);

/* An accumulator of nothing. */
void taf_reduce_clear(const struct taf_reduce *r, uint64_t *acc);

/*
 * A matrix of elements in memory, of rows times width.  Element (i, j) is number i *
 * along + j * across from v on.  All elements of column j go to one accumulator, which
 * begins at word j * r->words.  The place of element (i, j) there is first + i.  Elements
 * are aligned and have the host's byte order.
 */
struct taf_patch {
	const void *v;
	size_t width, rows, across, along;
	uint64_t first;
};

/* Scratch of a thread, from calloc, for free(); NULL where there is no memory. */
struct taf_reduce_scratch;
struct taf_reduce_scratch *taf_reduce_scratch(void);

/*
 * Add a matrix to its accumulators.  Sums may stay in the scratch until the same thread
 * adds to other accumulators, or settles.  Lines (along is 1) need no scratch: NULL.
 */
void taf_reduce_add(const struct taf_reduce *r, uint64_t *acc, const struct taf_patch *p,
    struct taf_reduce_scratch *scratch);
void taf_reduce_settle(const struct taf_reduce *r, struct taf_reduce_scratch *scratch);

/*
 * Words may come from a file.  Can they be an accumulator of count elements?  Only such
 * words may be joined.
 */
bool taf_reduce_is_sound(const struct taf_reduce *r, const uint64_t *acc, uint64_t count);

/* Join two accumulators.  The elements of more come behind those of acc. */
void taf_reduce_join(const struct taf_reduce *r, uint64_t *acc, const uint64_t *more);

/*
 * How many elements an accumulator has seen: all, NaN, and infinite ones.  A pair that is
 * left out counts as NaN, and else its real part is looked at.
 */
struct taf_reduce_seen {
	uint64_t all, nan, inf;
};
struct taf_reduce_seen taf_reduce_seen(const uint64_t *acc);

/* The smallest or the largest value.  There is at least one value. */
struct taf_reduce_extreme {
	double value;
	uint64_t word;		/* the same as int64 or uint64, without a mapping */
	uint64_t at;		/* its place, if r->places */
};
struct taf_reduce_extreme taf_reduce_extreme(const struct taf_reduce *r,
    const uint64_t *acc, bool greatest);

/* The type of a result.  If taf_op_is_element, it is stored under the mapping. */
enum taf_type taf_reduce_type(const struct taf_reduce *r, enum taf_op op, bool index);

/* How a place of an element is told. */
struct taf_place {
	bool index;		/* as an index from 1, 0 if there is none */
	/* else as start + (index - 1) * step, NaN if there is none */
	double start, step;
	uint64_t before;	/* elements of the line before those of the accumulator */
};

/*
 * The result of an operation, at *result, in the type of taf_reduce_type: 8 bytes at
 * most, of pairs 16.  The operation is not one of order.  TAF_EDATA where the result does
 * not fit, or where there is no element to return.
 */
TAF_MUST enum taf_status taf_reduce_result(const struct taf_reduce *r,
    const uint64_t *acc, enum taf_op op, const struct taf_place *place, void *result,
    struct taf_err *e);

/*
 * The result of an operation on values that has type flt64 and is no place.  It is
 * infinite where it is too large, and NaN where there is no value.
 */
double taf_reduce_number(const struct taf_reduce *r, const uint64_t *acc, enum taf_op op);

#endif
