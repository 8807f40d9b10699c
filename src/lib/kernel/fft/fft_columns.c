/* SPDX-License-Identifier: ISC */
/* The steps of transforms, of flt64. */
#include "config.h"

#include "kernel/fft/fft_private.h"

#define REAL double

#include "kernel/fft/fft_steps_typed.h"

struct taf_fft_planes
taf_fft_columns(const struct taf_fft_steps *f, struct taf_fft_planes src,
    const struct taf_fft_planes to[2], size_t wide)
{
	const struct planes from = { src.re, src.im };
	const struct planes by[2] = { { to[0].re, to[0].im }, { to[1].re, to[1].im } };
	const struct planes x = columns(f, from, by, wide);

	return (struct taf_fft_planes){ x.re, x.im };
}
