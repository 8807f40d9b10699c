/* SPDX-License-Identifier: ISC */
/* The examples that the TAF report describes (section 3.1). */
#ifndef TAF_FORMAT_EXAMPLE_H
#define TAF_FORMAT_EXAMPLE_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"

/*
 * Set lengths, grid and labels of a to those of the example of 2 (101 x 3: t, its square
 * and its cube for t from 0 to 1) or 3 dimensions (101 x 3 x 2: the same, and three
 * sinusoids of t).  *in holds its elements as host-order flt64.
 */
TAF_MUST enum taf_status taf_example(int ndim, struct taf_array *a, struct taf_in **in,
    struct taf_err *e);

#endif
