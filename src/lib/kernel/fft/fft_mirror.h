/* SPDX-License-Identifier: ISC */
/* Pairs of a real transform and their mirrors; for fft*.c alone. */
#ifndef TAF_KERNEL_FFT_FFT_MIRROR_H
#define TAF_KERNEL_FFT_FFT_MIRROR_H

#include "base/attr.h"
#include "kernel/fft/fft_private.h"

/* Pairs k, their mirrors h - k, and exp(-2 pi i k / n): parts apart. */
struct taf_fft_mirror {
	double ar[TAF_FFT_FEW], ai[TAF_FFT_FEW], br[TAF_FFT_FEW], bi[TAF_FFT_FEW];
	double cr[TAF_FFT_FEW], ci[TAF_FFT_FEW];
};

/* Z[k] and Z[h - k] of the pairs become X[k] and X[h - k] of the numbers. */
static TAF_INLINE void
taf_fft_apart(struct taf_fft_mirror *m)
{
	for (size_t i = 0; i < TAF_FFT_FEW; i++) {
		const double sr = m->ar[i] + m->br[i], si = m->ai[i] - m->bi[i];
		const double dr = m->ar[i] - m->br[i], di = m->ai[i] + m->bi[i];
		const double tr = dr * m->cr[i] - di * m->ci[i];
		const double ti = dr * m->ci[i] + di * m->cr[i];

		m->ar[i] = 0.5 * (sr + ti);
		m->ai[i] = 0.5 * (si - tr);
		m->br[i] = 0.5 * (sr - ti);
		m->bi[i] = -0.5 * (si + tr);
	}
}

/* The other way round, without the half. */
static TAF_INLINE void
taf_fft_together(struct taf_fft_mirror *m)
{
	for (size_t i = 0; i < TAF_FFT_FEW; i++) {
		const double sr = m->ar[i] + m->br[i], si = m->ai[i] - m->bi[i];
		const double dr = m->ar[i] - m->br[i], di = m->ai[i] + m->bi[i];
		/* by the conjugate */
		const double tr = dr * m->cr[i] + di * m->ci[i];
		const double ti = di * m->cr[i] - dr * m->ci[i];

		m->ar[i] = sr - ti;
		m->ai[i] = si + tr;
		m->br[i] = sr + ti;
		m->bi[i] = tr - si;
	}
}

#endif
