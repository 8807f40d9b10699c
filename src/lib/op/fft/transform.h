/* Arrays to their Fourier transforms along dimensions, and back. */
#ifndef TAF_OP_FFT_TRANSFORM_H
#define TAF_OP_FFT_TRANSFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/fft/spectral.h"
#include "kernel/fft/taper.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

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
 * out, a copy of in, becomes the array of the results: complex, or real as intent says,
 * flt32 within where in is flt32, complex or an integer of at most 16 bits and wide was
 * not asked for, else flt64.
 * TAF_EDATA if a dimension is not there or has no points, if its grid has no frequencies,
 * and for an inverse if it has none of a transform.
 */
TAF_MUST enum taf_status taf_transform_resolve(const struct taf_transform_intent *want,
    const struct taf_array *in, struct taf_array *out, struct taf_err *e);

struct taf_transform {
	const struct taf_service *service;
	const struct taf_transform_intent *want;
	struct taf_reader *r;		/* its present array in, nothing of it read */
	const struct taf_array *in;
	struct taf_writer *w;		/* within an array by taf_transform_resolve */
};

/*
 * Transform all lines.  Between two dimensions they are in a temporary file; so is a line
 * that does not fit the memory.
 */
TAF_MUST enum taf_status taf_transform(const struct taf_transform *t, struct taf_err *e);

#endif
