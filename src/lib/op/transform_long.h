/* One dimension of a transform whose lines do not fit the memory. */
#ifndef TAF_OP_TRANSFORM_LONG_H
#define TAF_OP_TRANSFORM_LONG_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/out.h"
#include "kernel/fft/fft.h"
#include "kernel/fft/spectral.h"
#include "kernel/fft/taper.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_transform_long {
	const struct taf_service *service;
	struct taf_reader *r;		/* its present array in, nothing of it read */
	const struct taf_array *in, *out;
	unsigned dim;			/* from 1 */
	struct taf_writer *w;		/* results go there, within out, */
	/*
	 * or, where that is not NULL, there: little-endian, along dimension 1 as the host
	 */
	struct taf_out *to;
	enum taf_fft_kind kind;
	/*
	 * its tables are not looked at; narrow says how the lines lie in temporary files
	 */
	struct taf_spectral_line line;
	enum taf_taper taper;
	bool origin;			/* phases are those at coordinate 0 */
	double start;			/* of the points, in steps */
};

/* The sum of the weights, or of their squares for a density. */
double taf_transform_long_weights(const struct taf_transform_long *t);

/*
 * All lines.  Along another dimension than the first there are temporary files of the
 * array and of its results besides those of a line.
 */
TAF_MUST enum taf_status taf_transform_long(const struct taf_transform_long *t,
    struct taf_err *e);

#endif
