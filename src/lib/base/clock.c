/* SPDX-License-Identifier: ISC */
#include "base/clock.h"

#include <time.h>

double
taf_clock(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
