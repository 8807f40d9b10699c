/* SPDX-License-Identifier: ISC */
/* Which points of a dimension a result has, in what order, and how often. */
#ifndef TAF_ARRAY_POINTS_H
#define TAF_ARRAY_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"

/* in place of a point: one that is not in the input */
#define TAF_POINT_NEW UINT64_MAX

/*
 * Points of the result from number at on, counted from 0: the first is point from of the
 * input, and each further one lies step points further.
 */
struct taf_point_run {
	uint64_t at, from;
	int64_t step;
};

/*
 * Runs in the order of the result, count points in all.  run[runs], which is there too,
 * has at = count.  Zeroed: every point of the input, as it is.
 */
struct taf_points {
	struct taf_point_run *run;
	size_t runs, room;
	uint64_t count;
};

/*
 * Add n points: from, from + step ...; a step of 0 takes one point n times.  from may be
 * TAF_POINT_NEW.  TAF_EDATA where there are too many for 64 bits.
 */
TAF_MUST enum taf_status taf_points_add(struct taf_points *p, uint64_t from, int64_t step,
    uint64_t n, struct taf_err *e);

/* Points of run k. */
static inline uint64_t
taf_point_run_length(const struct taf_points *p, size_t k)
{
	return p->run[k + 1].at - p->run[k].at;
}

/* The run that has point i of the result. */
size_t taf_points_find(const struct taf_points *p, uint64_t i);

/* A list of indices and ranges, as "1,3:5,end": bounds of one dimension. */
struct taf_choice {
	struct taf_bound *item;
	size_t n;
};

/* Into a struct taf_choice, which is zeroed; TAF_EUSAGE where it is not that. */
TAF_MUST enum taf_status taf_choice_parse(void *to, const char *list, struct taf_err *e);

/* Add the points of a's dimension dim that c names, in its order. */
TAF_MUST enum taf_status taf_choice_points(const struct taf_choice *c,
    const struct taf_array *a, unsigned dim, struct taf_points *p, struct taf_err *e);

/* Add those of from; TAF_EDATA if a dimension of length n has not all of them. */
TAF_MUST enum taf_status taf_points_append(struct taf_points *p,
    const struct taf_points *from, uint64_t n, struct taf_err *e);

/* All points of a dimension of length n that p has not, in order: they become p. */
TAF_MUST enum taf_status taf_points_invert(struct taf_points *p, uint64_t n,
    struct taf_err *e);

/* Free what it has; it is zeroed again. */
void taf_points_free(struct taf_points *p);

#endif
