/* SPDX-License-Identifier: ISC */
/* What both programs of the benchmarks measure with. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

/* Of clock id, such as CLOCK_MONOTONIC. */
static inline double
seconds(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int
rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The middle one of n numbers, which are sorted. */
static inline double
median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, rising);
	return v[n / 2];
}

#endif
