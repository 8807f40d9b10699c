/*
 * What log and its kin share: x is 2^k (1 + f), and 1 + f between the roots of 1/2 and 2;
 * then log x = k ln 2 + log (1 + f), the latter 2 atanh s with s = f / (2 + f).
 */
#ifndef TAF_KERNEL_FUNC_LOG_H
#define TAF_KERNEL_FUNC_LOG_H

#include "kernel/func_block.h"

/* C alone: C++ did not know such constants before 2017. */
#ifndef __cplusplus

/* ln 2, the first with 42 bits: its products with k are exact */
#define TAF_FUNC_LN2_FIRST 0x1.62e42fefa38p-1
#define TAF_FUNC_LN2_REST 0x1.ef35793c7673p-45

struct taf_func_split {
	double k, f;
};

/* x is positive and normal. */
static inline struct taf_func_split
taf_func_split(double x)
{
	/* the root of 1/2 then begins a binade */
	const uint64_t bits = taf_func_bits(x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
	struct taf_func_split p;

	p.k = taf_func_double((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023);
	p.f = taf_func_double((bits & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu) - 1;
	return p;
}

/* A mask: x is positive, normal and finite. */
static inline uint64_t
taf_func_normal(double x)
{
	return taf_func_mask(x >= 0x1p-1022) & taf_func_mask(x <= 0x1.fffffffffffffp+1023);
}

/*
 * k ln 2 + log (1 + f), but for some 2^-64 of it.  Numbers that end in 1 have at most 26
 * bits, so that their products are exact.
 */
static inline struct taf_two
taf_func_log_of(double k, struct taf_two f)
{
	const struct taf_two d = taf_func_sum(2, f.hi);
	const double part = 1 / d.hi, d1 = taf_func_head(d.hi), d2 = (d.hi - d1) + (d.lo + f.lo);
	const double s1 = taf_func_head(f.hi * part);
	const double s2 = (((f.hi - s1 * d1) - s1 * d2) + f.lo) * part;
	/* z = s^2, in which s1 s1 is exact */
	const double zz = s1 * s1, z1 = taf_func_head(zz), z2 = (zz - z1) + s2 * (2 * s1 + s2);
	const double z = z1 + z2, w = z * z;
	/* 2 atanh s = 2 s + s z (2/3 + more) */
	const double more = z * (((0x1.999999999999ap-2 + z * 0x1.24924924922fep-2) +
	    w * (0x1.c71c71c74c77ap-3 + z * 0x1.745d173ce41bap-3)) +
	    (w * w) * ((0x1.3b13a9cbb9294p-3 + z * 0x1.111551154f755p-3) +
	    w * (0x1.e01971bc08f3ap-4 + z * 0x1.daa559ed8cce9p-4)));
	const double c1 = taf_func_head(0x1.555555p-1 + more);
	const double c2 = ((0x1.555555p-1 - c1) + more) + 0x1.5555555555555p-27;
	const double p = z1 * c1, q = z1 * c2 + z2 * (c1 + c2);
	const double p1 = taf_func_head(p + q), p2 = (p - p1) + q;
	const struct taf_two a = taf_func_sum(k * TAF_FUNC_LN2_FIRST, 2 * s1);
	const struct taf_two b = taf_func_sum(a.hi, s1 * p1);

	return taf_func_sum(b.hi, (a.lo + b.lo) +
	    (2 * s2 + (s1 * p2 + s2 * (p1 + p2)) + k * TAF_FUNC_LN2_REST));
}

#endif

#endif
