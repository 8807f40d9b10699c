/* SPDX-License-Identifier: ISC */
/* Time that passes, whatever is done to the date. */
#ifndef TAF_BASE_CLOCK_H
#define TAF_BASE_CLOCK_H

/* Seconds since some moment, the same for all that asks on this machine. */
double taf_clock(void);

/* So many seconds pass, or fewer, where a signal comes. */
void taf_nap(double seconds);

#endif
