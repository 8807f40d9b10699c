/* SPDX-License-Identifier: ISC */
/* Preloaded into a command, lets its pauses pass at once: a day of waiting takes seconds. */
#include <sched.h>
#include <time.h>

int nanosleep(const struct timespec *, struct timespec *);

int
nanosleep(const struct timespec *time, struct timespec *rest)
{
	(void)time;
	(void)rest;
	return sched_yield();
}
