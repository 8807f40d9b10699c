/* SPDX-License-Identifier: ISC */
#include "format/segy_index.h"

#include <stdlib.h>

#include "base/num.h"

static int
by_keys(const void *a, const void *b)
{
	const struct taf_segy_entry *x = a, *y = b;

	if (x->key[0] != y->key[0])
		return x->key[0] < y->key[0] ? -1 : 1;
	return x->key[1] < y->key[1] ? -1 : x->key[1] > y->key[1];
}

static int
by_keys_and_trace(const void *a, const void *b)
{
	const struct taf_segy_entry *x = a, *y = b;
	const int c = by_keys(a, b);

	return c != 0 ? c : x->trace < y->trace ? -1 : x->trace > y->trace;
}

static uint64_t
divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		const uint64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

/* The coarsest grid that has all values of key k. */
static void
find_grid(struct taf_segy_index *x, unsigned k)
{
	int64_t low = x->entry[0].key[k], high = low;
	uint64_t step = 0, i;

	for (i = 1; i < x->n; i++) {
		const int64_t v = x->entry[i].key[k];

		if (v == x->entry[i - 1].key[k])
			continue;
		low = v < low ? v : low;
		high = v > high ? v : high;
		step = divisor(step, (uint64_t)llabs(v - x->entry[0].key[k]));
	}
	x->low[k] = low;
	x->step[k] = step > 0 ? step : 1;
	x->count[k] = (uint64_t)(high - low) / x->step[k] + 1;
}

/* Number the traces that have the same key. */
static bool
number_alike(struct taf_segy_index *x)
{
	uint64_t i, first = 0;

	for (i = 0; i < x->n; i++) {
		if (x->entry[i].key[0] != x->entry[first].key[0])
			first = i;
		if (i - first >= INT32_MAX)
			return false;
		x->entry[i].key[1] = (int32_t)(i - first) + 1;
	}
	return true;
}

enum taf_status
taf_segy_index_sort(struct taf_segy_index *x, const char *const names[2], bool holes,
    struct taf_err *e)
{
	uint64_t all, i;

	qsort(x->entry, (size_t)x->n, sizeof *x->entry, by_keys_and_trace);
	if (x->nkeys == 1 && !number_alike(x))
		return taf_fail(e, TAF_EDATA, "%s: too many traces have one value",
		    names[0]);
	for (i = 1; i < x->n; i++)
		if (by_keys(&x->entry[i - 1], &x->entry[i]) == 0)
			return taf_fail(e, TAF_EDATA,
			    "traces %llu and %llu have the same keys, %s %ld and %s %ld",
			    (unsigned long long)x->entry[i - 1].trace + 1,
			    (unsigned long long)x->entry[i].trace + 1,
			    names[0], (long)x->entry[i].key[0],
			    names[1], (long)x->entry[i].key[1]);
	find_grid(x, 0);
	find_grid(x, 1);
	if (!taf_mul(x->count[0], x->count[1], &all))
		return taf_fail(e, TAF_EDATA, "%llu by %llu traces are too many",
		    (unsigned long long)x->count[0], (unsigned long long)x->count[1]);
	if (holes || all == x->n)
		return TAF_OK;
	if (x->nkeys == 1)
		return taf_fail(e, TAF_EDATA,
		    "%s has %llu values and up to %llu traces each: %llu of %llu are missing (--fill V stands for them)",
		    names[0], (unsigned long long)x->count[0],
		    (unsigned long long)x->count[1], (unsigned long long)(all - x->n),
		    (unsigned long long)all);
	return taf_fail(e, TAF_EDATA,
	    "%s has %llu values, %s %llu: %llu of %llu pairs are missing (--fill V stands for them)",
	    names[0], (unsigned long long)x->count[0], names[1],
	    (unsigned long long)x->count[1], (unsigned long long)(all - x->n),
	    (unsigned long long)all);
}

uint64_t
taf_segy_index_find(const struct taf_segy_index *x, uint64_t i, uint64_t j)
{
	const struct taf_segy_entry wanted = { .key = {
	    (int32_t)(x->low[0] + (int64_t)(j * x->step[0])),
	    (int32_t)(x->low[1] + (int64_t)(i * x->step[1])) } };
	const struct taf_segy_entry *at = bsearch(&wanted, x->entry, (size_t)x->n,
	    sizeof wanted, by_keys);

	return at != NULL ? at->trace : (uint64_t)TAF_SEGY_NOWHERE;
}
