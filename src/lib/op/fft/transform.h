/* SPDX-License-Identifier: ISC */
/* Arrays to their Fourier transforms along dimensions, and back. */
#ifndef TAF_OP_FFT_TRANSFORM_H
#define TAF_OP_FFT_TRANSFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "kernel/fft/spectral.h"
#include "kernel/fft/taper.h"
#include "op/operand/move.h"

enum taf_transform_pad { TAF_PAD_NONE, TAF_PAD_TO, TAF_PAD_FAST, TAF_PAD_POW2 };

/* What is asked for.  Zeroed but for the dimensions, it is the plain transform. */
struct taf_transform_intent {
	/* from 1; of reals, the first becomes a half */
	unsigned ndims, dim[TAF_MAX_DIM];
	bool inverse, real;
	enum taf_transform_pad pad;
	uint64_t length;		/* of TAF_PAD_TO */
	enum taf_taper taper;		/* over the points, symmetric */
	enum taf_spectral result;
	bool no_shift, origin;
	bool wide;			/* flt64 throughout, whatever comes */
};

/*
 * out becomes the array of the results: complex, or real as intent says, flt32 within
 * where in is flt32, complex or an integer of at most 16 bits and wide was not asked
 * for, else flt64. TAF_EDATA if a dimension is not there or has no points, if its grid
 * has no frequencies, and for an inverse if it has none of a transform.
 */
TAF_MUST taf_resolve taf_transform_resolve;

/*
 * Transform all lines.  Between two dimensions they are in a temporary file; so is a line
 * that does not fit the memory.
 */
TAF_MUST taf_mover taf_transform;

#endif
