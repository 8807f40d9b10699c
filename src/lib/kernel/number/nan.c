/* SPDX-License-Identifier: ISC */
#include "base/bits.h"
#include "kernel/number/nan.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "config.h"
#include "kernel/number/fast.h"

/* Are the bits of a float those of no infinity and no NaN?  infinity has those of one. */
#define FLOATS(name, real, whole, magnitude, infinity) \
TAF_FAST(bool, name##_nan, (real *p, size_t n), (p, n)) \
{ \
	whole wild = 0; \
\
	for (size_t i = 0; i < n; i++) { \
		whole bits; \
\
		memcpy(&bits, &p[i], sizeof bits); \
		wild |= (bits & magnitude) >= infinity; \
		p[i] = p[i] == p[i] ? p[i] : (real)NAN; \
	} \
	return wild == 0; \
} \
\
TAF_FAST(bool, name##_finite, (const real *p, size_t n), (p, n)) \
{ \
	whole wild = 0; \
\
	for (size_t i = 0; i < n; i++) { \
		whole bits; \
\
		memcpy(&bits, &p[i], sizeof bits); \
		wild |= (bits & magnitude) >= infinity; \
	} \
	return wild == 0; \
}

FLOATS(wide, double, int64_t, INT64_MAX, INT64_C(0x7ff0000000000000))
FLOATS(narrow, float, int32_t, INT32_MAX, INT32_C(0x7f800000))

bool
taf_one_nan(void *p, size_t n, bool narrow)
{
	return narrow ? narrow_nan(p, n) : wide_nan(p, n);
}

static double
number(const void *p, size_t i, bool narrow)
{
	return narrow ? (double)((const float *)p)[i] : ((const double *)p)[i];
}

bool
taf_all_finite(const void *p, size_t n, size_t step, bool narrow)
{
	size_t i;

	if (step == 1)
		return narrow ? narrow_finite(p, n) : wide_finite(p, n);
	for (i = 0; i < n && isfinite(number(p, i * step, narrow)); i++)
		;
	return i == n;
}

double
taf_scale(double x, int bits)
{
	while (bits != 0) {
		const int some = bits > 1000 ? 1000 : bits < -1000 ? -1000 : bits;

		x *= taf_of_bits64((uint64_t)(1023 + some) << 52);
		bits -= some;
	}
	return x;
}

void
taf_scale_down(void *to, const void *from, size_t n, bool narrow, int bits)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const double x = taf_scale(number(from, i, narrow), -bits);

		if (narrow)
			((float *)to)[i] = (float)x;
		else
			((double *)to)[i] = x;
	}
}

static double
larger(double x, int bits, enum taf_scaling scaling)
{
	switch (scaling) {
	case TAF_SCALING_ONCE:
		return taf_scale(x, bits);
	case TAF_SCALING_TWICE:
		return taf_scale(x, 2 * bits);
	case TAF_SCALING_DB:
		return x + 20 * 0.30102999566398119521 * bits;
	case TAF_SCALING_UNKNOWN:
	case TAF_SCALING_NONE:
		break;
	}
	return x;
}

size_t
taf_scale_back(void *results, const void *again, size_t n, bool narrow,
    enum taf_scaling scaling, int bits)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const double small = number(again, i, narrow);
		const double x = larger(small, bits, scaling);

		if (isfinite(number(results, i, narrow)))
			continue;
		/* no signal at all, to which inf - inf is NaN */
		if (!isfinite(small) && !(scaling == TAF_SCALING_DB && small < 0))
			continue;
		if (narrow)
			((float *)results)[i] = (float)x;
		else
			((double *)results)[i] = x;
		if (isfinite(small) && !isfinite(number(results, i, narrow)))
			return i;
	}
	return n;
}

size_t
taf_infinite(const void *results, size_t n, bool narrow, enum taf_scaling scaling)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const double x = number(results, i, narrow);

		if (isinf(x) && (x > 0 || scaling != TAF_SCALING_DB))
			break;
	}
	return i;
}
