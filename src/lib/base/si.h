/* SPDX-License-Identifier: ISC */
/* Units of the SI with their prefixes, and numbers that a unit follows. */
#ifndef TAF_BASE_SI_H
#define TAF_BASE_SI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* A prefix: what is in front of a base unit, and the power of ten that it stands for. */
struct taf_si_prefix {
	const char *name;
	int power;
};

/*
 * All prefixes, by power from the smallest; an entry with name NULL ends them.  The one
 * for 10^0 is "".  Those whose power is no multiple of 3 are among them; of two spellings
 * the first one is ASCII.
 */
extern const struct taf_si_prefix taf_si_prefixes[];

/* The prefix for this power of ten, spelled in ASCII; NULL where there is none. */
const char *taf_si_prefix(int power);

/* A unit is base times 10^power: "ns" is s with -9, "kg" is g with 3. */
struct taf_si {
	/* of a table: two units of one base have the same pointer */
	const char *base;
	int power;
};

/*
 * The n bytes at s as a unit: a base unit with a prefix or without one.  What can be read
 * as a base unit is one (m, Pa, cd).  False where it is none of them.
 */
TAF_MUST bool taf_si_parse(const char *s, size_t n, struct taf_si *u);

/* Where in the n bytes at s a number ends and a unit begins; 0 where no number is. */
size_t taf_si_number(const char *s, size_t n);

/*
 * The n bytes at s, a number alone, times 10^shift: rounded once, so that 50 and -9 give
 * the double nearest to 5e-8.  False where it is no number, or one of more digits than
 * TAF_SI_DIGITS.
 */
enum { TAF_SI_DIGITS = 400 };

TAF_MUST bool taf_si_scan(const char *s, size_t n, int shift, double *x);

#endif
