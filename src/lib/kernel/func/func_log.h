/* SPDX-License-Identifier: ISC */
/*
 * What log and its kin share: x is 2^k (1 + f), and 1 + f between the roots of 1/2 and 2;
 * then log x = k ln 2 + log (1 + f), the latter 2 atanh s with s = f / (2 + f).
 */
#ifndef TAF_KERNEL_FUNC_FUNC_LOG_H
#define TAF_KERNEL_FUNC_FUNC_LOG_H

#include "kernel/func/func_block.h"

struct taf_func_split {
	double k, f;
};

/* x is positive and normal. */
static TAF_INLINE struct taf_func_split
taf_func_split(double x)
{
	/* the root of 1/2 then begins a binade */
	const uint64_t root = TAF_FUNC_ROOT_BITS;
	const uint64_t bits = taf_bits64(x) + (0x3ff0000000000000u - root);
	struct taf_func_split p;

	p.k = taf_of_bits64((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023);
	p.f = taf_of_bits64((bits & 0x000fffffffffffffu) + root) - 1;
	return p;
}

/*
 * hi + lo = k ln 2 + log (1 + f + g), but for some 2^-64 of it; g is what f has lost.
 * Numbers that end in 1 have at most 26 bits, so that their products are exact.
 */
static TAF_INLINE void
taf_func_log_rows(double *hi, double *lo, const double *k, const double *f,
    const double *g, size_t n)
{
	TAF_FUNC_ROWS p1[TAF_FUNC_BLOCK], p2[TAF_FUNC_BLOCK], more[TAF_FUNC_BLOCK],
	    z1[TAF_FUNC_BLOCK], z2[TAF_FUNC_BLOCK];
	double *const s1 = hi, *const s2 = lo;
	const double *const c = taf_func_log_more_c;

	for (size_t i = 0; i < n; i++) {
		const struct taf_two d = taf_func_sum(2, f[i]);
		const double d1 = taf_func_head(d.hi), d2 = (d.hi - d1) + (d.lo + g[i]);
		const double part = 1 / d.hi, s = taf_func_head(f[i] * part);

		s1[i] = s;
		s2[i] = (((f[i] - s * d1) - s * d2) + g[i]) * part;
	}
	/* z = s^2, in which s1 s1 is exact; 2 atanh s = 2 s + s z (2/3 + more) */
	for (size_t i = 0; i < n; i++) {
		const double square = s1[i] * s1[i], head = taf_func_head(square);
		const double rest = (square - head) + s2[i] * (2 * s1[i] + s2[i]);
		const double z = head + rest, w = z * z;

		z1[i] = head;
		z2[i] = rest;
		more[i] = z * (((c[0] + z * c[1]) +
		    w * (c[2] + z * c[3])) +
		    (w * w) * ((c[4] + z * c[5]) +
		    w * (c[6] + z * c[7])));
	}
	for (size_t i = 0; i < n; i++) {
		const double c1 = taf_func_head(TAF_FUNC_TWO_THIRDS_HEAD + more[i]);
		const double c2 = ((TAF_FUNC_TWO_THIRDS_HEAD - c1) + more[i]) +
		    TAF_FUNC_TWO_THIRDS_TAIL;
		const double p = z1[i] * c1, q = z1[i] * c2 + z2[i] * (c1 + c2);

		p1[i] = taf_func_head(p + q);
		p2[i] = (p - p1[i]) + q;
	}
	for (size_t i = 0; i < n; i++) {
		const struct taf_two a = taf_func_sum(k[i] * TAF_FUNC_LN2_FIRST,
		    2 * s1[i]);
		const struct taf_two b = taf_func_sum(a.hi, s1[i] * p1[i]);
		const struct taf_two sum = taf_func_sum(b.hi, (a.lo + b.lo) +
		    ((2 * s2[i] + (s1[i] * p2[i] + s2[i] * (p1[i] + p2[i]))) +
		    k[i] * TAF_FUNC_LN2_REST));

		hi[i] = sum.hi;
		lo[i] = sum.lo;
	}
}

#endif
