/* SPDX-License-Identifier: ISC */
/* NumPy's .npy, versions 1.0 to 3.0: a header that is a Python literal, then elements. */
#ifndef TAF_CODEC_NPY_H
#define TAF_CODEC_NPY_H

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "codec/ndarray.h"
#include "io/in.h"

/* No header that describes numbers comes near it; numpy.load itself stops at 10000. */
enum { TAF_NPY_HEADER_MAX = 65535 };

/*
 * Read up to the elements, of which a regular file must hold all; *bytes is their size.
 * The literal is parsed, never evaluated: a dictionary of exactly descr, fortran_order
 * and shape.  Element types other than bool, integers, floats of 16, 32 and 64 bits and
 * complex of 64 and 128 bits are TAF_EDATA, by name.
 */
TAF_MUST enum taf_status taf_npy_read(struct taf_in *in, struct taf_ndarray *nd,
    uint64_t *bytes, struct taf_err *e);

/*
 * Append what stands in front of the elements, which the caller writes little-endian:
 * the bytes that numpy.save (since NumPy 1.23, with its room for the first axis to grow)
 * writes, version 1.0.
 */
TAF_MUST enum taf_status taf_npy_format(const struct taf_ndarray *nd, struct taf_buf *to,
    struct taf_err *e);

#endif
