/* Number, extremes and moments of values, in one pass over any amount of them. */
#ifndef TAF_KERNEL_STAT_STATS_H
#define TAF_KERNEL_STAT_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "kernel/number/exact.h"
#include "kernel/number/two.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values that are looked at together. */
enum { TAF_STATS_BLOCK = TAF_EXACT_BLOCK };

/* Of floats. */
struct taf_stats_moments {
	struct taf_two mean, m2;	/* m2: of squared deviations from the mean */
	int scale;			/* both are of the values by 2^(-600 scale) */
};

/* Start with all members 0.  Besides the first three all is over the finite values. */
struct taf_stats {
	uint64_t count, nan, inf;	/* all elements; not a number; infinite */
	double min, max;		/* say nothing where none is finite */
	uint64_t min_at, max_at;	/* elements before the first of each */
	uint64_t int_min, int_max;	/* bits of both for int64 and uint64, unmapped */
	union {
		struct taf_stats_moments moments;
		struct taf_exact exact;		/* of integers, as they are stored */
	} of;
};

/*
 * Account for n more elements in the host's byte order at any address, mapped as in
 * taf_convert where mapping is not NULL; the type and the mapping are the same at every
 * call of all functions here, and not TAF_COMPLEX.
 *
 * The sums of integers are exact.  Those of floats are not: the last bits of the mean and
 * the deviation depend on how the elements are cut into calls, but not where all pieces
 * but the last are multiples of TAF_STATS_BLOCK; they never depend on the processor.
 */
void taf_stats_add(struct taf_stats *s, const void *src, enum taf_type stype, size_t n,
    const double *mapping);

/*
 * Account for the elements of more, which were added to it alone and are those behind the
 * ones of s.
 */
void taf_stats_join(struct taf_stats *s, const struct taf_stats *more,
    enum taf_type stype, const double *mapping);

/* How many were finite. */
uint64_t taf_stats_finite(const struct taf_stats *s);

/*
 * Mean, standard deviation (divided by the number of values) and root of the mean square,
 * none of which overflows before its result does.  NaN where no value was finite.
 */
double taf_stats_mean(const struct taf_stats *s, enum taf_type stype,
    const double *mapping);
double taf_stats_std(const struct taf_stats *s, enum taf_type stype,
    const double *mapping);
double taf_stats_rms(const struct taf_stats *s, enum taf_type stype,
    const double *mapping);

/* Where the first of n values that equals x is; n if there is none. */
size_t taf_find_f64(const double *v, size_t n, double x);

#ifdef __cplusplus
}
#endif

#endif
