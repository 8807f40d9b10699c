/* Units of an axis as people read them: with the prefix that makes numbers short. */
#ifndef TAF_PLOT_SCALE_H
#define TAF_PLOT_SCALE_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/si.h"
#include "base/str.h"

/* Numbers are shown times 10^-shift.  A zeroed one shows them as they are. */
struct taf_scale {
	int shift;
	bool letters;			/* each has a prefix of its own, as 10k */
};

/*
 * For an axis from lo to hi.  What has 1 to 3 digits before the point stays as it is, and
 * so does a unit that takes no prefixes: one that is not of the SI, or none (NULL).  A
 * logarithmic axis over more than three powers of ten has letters.
 */
void taf_scale_choose(struct taf_scale *s, const char *unit, double lo, double hi,
    bool log);

/*
 * The base unit of one that takes prefixes, and its power; *most is the largest power
 * whose prefix people say.  False where there is none.
 */
TAF_MUST bool taf_scale_base(const char *unit, struct taf_si *u, int *most);

/* v as it is shown, but for the letter. */
double taf_scale_shown(const struct taf_scale *s, double v);

/* v times 10^power, rounded once where 10^power or its inverse is exact. */
double taf_scale_power(double v, int power);

/* Append the name of the unit that goes with what is shown, as UTF-8. */
void taf_scale_unit(struct taf_str *to, const struct taf_scale *s, const char *unit);

/*
 * What turns numbers of one unit into those of another: 10^*power.  Units that nobody
 * says, and equal ones, fit with power 0.  False where the two do not fit.
 */
TAF_MUST bool taf_scale_between(const char *from, const char *to, int *power);

#endif
