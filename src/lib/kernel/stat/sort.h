/* SPDX-License-Identifier: ISC */
/*
 * Elements put in the order of their values: small ones first, equal ones as they come.
 */
#ifndef TAF_KERNEL_STAT_SORT_H
#define TAF_KERNEL_STAT_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"

/*
 * The order of values: NaN is behind all others, whatever the direction.  -0 is equal to
 * 0, and each NaN to each.  Elements are sorted as records, which are the elements
 * themselves where the order of values is that of stored elements.  Else a record is a
 * key, and what belongs to it: an element, or the number of one.
 */
struct taf_sort {
	enum taf_type type;
	bool mapped, descending, index;
	double map[2];
	enum taf_sort_form {
		TAF_SORT_ELEMENTS = 0,
		TAF_SORT_PACKED = 1,	/* 32 bits of key above 32 bits of number */
		TAF_SORT_PAIRS = 2	/* 64 bits of each */
	} form;
	size_t record;			/* bytes of a record */
	/* bits of an element that are exchanged in its key */
	uint64_t flip;
	unsigned drop;			/* bits below the key */
};

/* A bound that no record of taf_sort_records reaches. */
#define TAF_SORT_MOST UINT32_MAX

/*
 * How elements of a type, no pair, are sorted by value: mapping is NULL where they are
 * values.  With index the result is where each has come from, of len elements in all.
 */
struct taf_sort taf_sort_plan(enum taf_type type, const double *mapping, bool descending,
    bool index, uint64_t len);

/* The records of n elements, of which the first is number first (from 0). */
void taf_sort_make(const struct taf_sort *s, void *records, const void *elements,
    size_t n, uint64_t first);

/*
 * Sort n records, which are fewer than TAF_SORT_MOST and lie at an address that their
 * size divides (16: at one that 8 divides).  scratch has room for n others.
 */
void taf_sort_records(const struct taf_sort *s, void *records, void *scratch, size_t n);

/* What n records stand for: elements, or int64 numbers from 1. */
void taf_sort_give(const struct taf_sort *s, void *results, const void *records,
    size_t n);

/* The key of a record: of two the smaller one comes first. */
uint64_t taf_sort_key(const struct taf_sort *s, const void *record);

#endif
