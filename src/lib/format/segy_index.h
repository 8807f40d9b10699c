/* SPDX-License-Identifier: ISC */
/* Traces of SEG-Y by their keys: which one is where in a cube. */
#ifndef TAF_FORMAT_SEGY_INDEX_H
#define TAF_FORMAT_SEGY_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

/* A trace, and its two keys; or its key, and its number among those that have it. */
struct taf_segy_entry {
	int32_t key[2];
	uint64_t trace;
};

struct taf_segy_index {
	struct taf_segy_entry *entry;	/* of the caller: n of them, as they come */
	uint64_t n;
	unsigned nkeys;
	/* the grid of each key: its lowest value, step, and count */
	int64_t low[2];
	uint64_t step[2], count[2];
};

enum { TAF_SEGY_NOWHERE = -1 };

/*
 * Sort the entries, and find the grids.  TAF_EDATA where two traces have the same keys,
 * and without holes, where a point of the grid has no trace.  names are the keys', for
 * messages.
 */
TAF_MUST enum taf_status taf_segy_index_sort(struct taf_segy_index *x,
    const char *const names[2], bool holes, struct taf_err *e);

/* The trace at point i of key 1 and j of key 0; TAF_SEGY_NOWHERE where there is none. */
uint64_t taf_segy_index_find(const struct taf_segy_index *x, uint64_t i, uint64_t j);

#endif
