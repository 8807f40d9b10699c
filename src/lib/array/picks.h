/* SPDX-License-Identifier: ISC */
/* Which arrays of a stream are chosen, in what order, and how often. */
#ifndef TAF_ARRAY_PICKS_H
#define TAF_ARRAY_PICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/points.h"
#include "base/attr.h"
#include "base/err.h"

/* Numbers from 1, or, where they are 0 and below, from the last one. */
struct taf_pick {
	int64_t from, to;
};

struct taf_picks {
	struct taf_pick *item;
	size_t n;
};

/* A list of numbers and ranges, as "1-3,7,-2", else TAF_EUSAGE.  p is zeroed. */
TAF_MUST enum taf_status taf_picks_parse(struct taf_picks *p, const char *list,
    struct taf_err *e);

/*
 * Can arrays be taken as they come: each later one behind, and none counted from the end?
 */
bool taf_picks_forward(const struct taf_picks *p);

/*
 * Add the arrays, from 0, that p names of count; TAF_EDATA where one is not there.  count
 * is UINT64_MAX if it is not known, and p goes forward.
 */
TAF_MUST enum taf_status taf_picks_points(const struct taf_picks *p, uint64_t count,
    struct taf_points *points, struct taf_err *e);

/* Free what it has. */
void taf_picks_free(struct taf_picks *p);

#endif
