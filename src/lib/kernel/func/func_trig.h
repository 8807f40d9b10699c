/* What sin and its kin share: series up to pi/4. */
#ifndef TAF_KERNEL_FUNC_FUNC_TRIG_H
#define TAF_KERNEL_FUNC_FUNC_TRIG_H

#ifndef __cplusplus

#include "kernel/func/func_block.h"

/* sin r and cos r as sums of two */
static TAF_INLINE struct taf_two
taf_func_sine(struct taf_two r)
{
	const double z = r.hi * r.hi, w = z * z, c = r.hi * z;
	const double p = (0x1.111111111101ep-7 + z * -0x1.a01a019fe885fp-13) +
	    w * ((0x1.71de3a1036a14p-19 + z * -0x1.ae63f7fe3e11fp-26) +
	    w * (0x1.60e5cb144f38dp-33 + z * -0x1.8d5121e46429ap-41));

	return taf_func_sum(r.hi,
	    c * -0x1.5555555555555p-3 + (r.lo + z * (c * p - 0.5 * r.lo)));
}

static TAF_INLINE struct taf_two
taf_func_cosine(struct taf_two r)
{
	const double z = r.hi * r.hi, w = z * z;
	const double p = (0x1.5555555555555p-5 + z * -0x1.6c16c16c168ccp-10) +
	    w * ((0x1.a01a019f38afap-16 + z * -0x1.27e4fa036d38fp-22) +
	    w * (0x1.1eeb58509df39p-29 + z * -0x1.9073d444493acp-37));
	const struct taf_two s = taf_func_sum(1, -0.5 * z);

	return taf_func_sum(s.hi, s.lo + (w * p - r.hi * r.lo));
}

#endif

#endif
