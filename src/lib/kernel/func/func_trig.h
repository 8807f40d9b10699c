/* SPDX-License-Identifier: ISC */
/* What sin and its kin share: series up to pi/4. */
#ifndef TAF_KERNEL_FUNC_FUNC_TRIG_H
#define TAF_KERNEL_FUNC_FUNC_TRIG_H

#include "kernel/func/func_block.h"

/* sin r and cos r as sums of two */
static TAF_INLINE struct taf_two
taf_func_sine(struct taf_two r)
{
	const double *const c = taf_func_sin_c;
	const double z = r.hi * r.hi, w = z * z, cube = r.hi * z;
	const double p = (c[1] + z * c[2]) +
	    w * ((c[3] + z * c[4]) +
	    w * (c[5] + z * c[6]));

	return taf_func_sum(r.hi, cube * c[0] + (r.lo + z * (cube * p - 0.5 * r.lo)));
}

static TAF_INLINE struct taf_two
taf_func_cosine(struct taf_two r)
{
	const double *const c = taf_func_cos_c;
	const double z = r.hi * r.hi, w = z * z;
	const double p = (c[0] + z * c[1]) +
	    w * ((c[2] + z * c[3]) +
	    w * (c[4] + z * c[5]));
	const struct taf_two s = taf_func_sum(1, -0.5 * z);

	return taf_func_sum(s.hi, s.lo + (w * p - r.hi * r.lo));
}

#endif
