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

#ifdef __cplusplus
extern "C" {
#endif

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
 * "OP,OP,quantile=P": *n of them, TAF_REDUCE_OPS at most; TAF_EUSAGE where it is not
 * that.
 */
TAF_MUST enum taf_status taf_reduction_parse(const char *text, struct taf_reduction *ops,
    unsigned *n, struct taf_err *e);

/* Append the names again, separated by commas. */
void taf_reduction_name(struct taf_str *text, const struct taf_reduction *ops,
    unsigned n);

/* Is it found by putting values in order, and not by an accumulator? */
bool taf_op_is_order(enum taf_op op);

/* Is it a place along a dimension? */
bool taf_op_is_place(enum taf_op op);

/* Is it an element, as it is stored? */
bool taf_op_is_element(enum taf_op op);

/* Elements and what is wanted of them, and from that how an accumulator is laid out. */
struct taf_reduce {
	enum taf_type type;		/* of the elements; no pair */
	bool mapped, finite;		/* finite: all else is left out */
	double mapping[2];
	/* words before each part, 0 where it is not wanted */
	unsigned extremes, ends, nonzero, product, sum, squares;
	unsigned words;			/* of an accumulator */
	bool places;			/* of the extremes are wanted */
};

/* Lay out: the members before the parts are set. */
void taf_reduce_plan(struct taf_reduce *r, const struct taf_reduction *ops,
    unsigned nops);

/* An accumulator of nothing. */
void taf_reduce_clear(const struct taf_reduce *r, uint64_t *acc);

/*
 * Elements that lie in a rectangle, in the host's byte order and aligned: the one at
 * place j of width and i of rows is across j + along i elements from v on.  Those of j
 * belong to the accumulator at r->words j; i is first more in their order.
 */
struct taf_patch {
	const void *v;
	size_t width, rows, across, along;
	uint64_t first;
};

/* What was found in some columns that are neighbours, and is not in accumulators yet. */
struct taf_reduce_tile {
	uint64_t rows;			/* of the columns; 0: all else is of nothing */
	uint64_t first, last;		/* places of the first and of the last row */
	struct taf_addends_tile sums;
	/* extremes, as integers in their order, as values, and rows behind the first */
	union {
		int32_t flt32[TAF_ADDENDS_WIDTH];
		int64_t flt64[TAF_ADDENDS_WIDTH];
	} key[2], at[2];
	union {
		float flt32[TAF_ADDENDS_WIDTH];
		double flt64[TAF_ADDENDS_WIDTH];
	} value[2];
	uint64_t as[2][TAF_ADDENDS_WIDTH];	/* under a mapping, as they are stored */
	uint64_t end[2][TAF_ADDENDS_WIDTH];	/* elements of these rows, as they lie */
};

/* Scratch of a thread, zeroed at first. */
enum { TAF_REDUCE_TILES = 32 };
struct taf_reduce_scratch {
	double values[32 * TAF_ADDENDS_WIDTH];
	uint64_t *acc;			/* those that tiles are of, or NULL */
	size_t width;
	struct taf_reduce_tile tile[TAF_REDUCE_TILES];
};

/*
 * Account for them.  What follows for the same accumulators is faster; what was added is
 * in them when they are settled, or others were added to.
 */
void taf_reduce_add(const struct taf_reduce *r, uint64_t *acc, const struct taf_patch *p,
    struct taf_reduce_scratch *scratch);
void taf_reduce_settle(const struct taf_reduce *r, struct taf_reduce_scratch *scratch);

/* May these words, of anyone, be what count elements leave?  Others are not joined. */
bool taf_reduce_is_sound(const struct taf_reduce *r, const uint64_t *acc, uint64_t count);

/* The elements of more are those behind the ones of acc. */
void taf_reduce_join(const struct taf_reduce *r, uint64_t *acc, const uint64_t *more);

/* Elements that an accumulator has seen: all, those that are not a number, infinite. */
struct taf_reduce_seen {
	uint64_t all, nan, inf;
};
struct taf_reduce_seen taf_reduce_seen(const uint64_t *acc);

/* The least or the greatest value, and where it is; there is one. */
struct taf_reduce_extreme {
	double value;
	uint64_t word;		/* bits of an int64 or uint64 without a mapping */
	uint64_t at;		/* elements before it, where places are wanted */
};
struct taf_reduce_extreme taf_reduce_extreme(const struct taf_reduce *r,
    const uint64_t *acc, bool greatest);

/* What a result is: an element of this type, as stored where taf_op_is_element. */
enum taf_type taf_reduce_type(const struct taf_reduce *r, enum taf_op op, bool index);

/*
 * The result of an operation that is none of order, as the element that taf_reduce_type
 * says, 8 bytes at most.  A place is the index from 1 (0: none) with index, else start
 * + (index - 1) step; before are the elements in front of the first.  TAF_EDATA where
 * an integer overflows, or there is no element.
 */
struct taf_place {
	bool index;
	uint64_t before;
	double start, step;
};
TAF_MUST enum taf_status taf_reduce_result(const struct taf_reduce *r,
    const uint64_t *acc, enum taf_op op, const struct taf_place *place, void *result,
    struct taf_err *e);

/*
 * A result that is flt64 and no place, without a refusal: infinite where it is too large,
 * NaN where there is no value.
 */
double taf_reduce_number(const struct taf_reduce *r, const uint64_t *acc, enum taf_op op);

#ifdef __cplusplus
}
#endif

#endif
