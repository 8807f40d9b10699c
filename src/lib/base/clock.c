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

void
taf_nap(double seconds)
{
	const time_t whole = (time_t)seconds;
	const struct timespec t = { whole, (long)((seconds - (double)whole) * 1e9) };

	(void)nanosleep(&t, NULL);
}
