/* SPDX-License-Identifier: ISC */
/* One dimension of a transform whose lines do not fit the memory. */
#ifndef TAF_OP_FFT_TRANSFORM_LONG_H
#define TAF_OP_FFT_TRANSFORM_LONG_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "kernel/fft/fft.h"
#include "kernel/fft/spectral.h"
#include "kernel/fft/taper.h"
#include "stream/transpose.h"

struct taf_transform_long {
	const struct taf_along *along;
	struct taf_out *to;		/* where results go, unless it is NULL */
	enum taf_fft_kind kind;
	/* its tables are not looked at; with narrow temporary files hold flt32 */
	struct taf_spectral_line line;
	enum taf_taper taper;
	bool origin;			/* phases are those at coordinate 0 */
	double start;			/* of the points, in steps */
};

/* The sum of the weights, or of their squares for a density. */
double taf_transform_long_weights(const struct taf_transform_long *t);

/* All lines. */
TAF_MUST enum taf_status taf_transform_long(const struct taf_transform_long *t,
    struct taf_err *e);

#endif
