/* SPDX-License-Identifier: ISC */
/* The values of a small array, as weights of points. */
#ifndef TAF_OP_OPERAND_TAPS_H
#define TAF_OP_OPERAND_TAPS_H

#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

/*
 * The values of the only array of a file: *taps is for free().  TAF_EDATA unless they are
 * real and finite, lie along one dimension, and are 1 to TAF_TABULAR_MOST.
 */
TAF_MUST enum taf_status taf_taps_read(const char *file, double **taps, size_t *n,
    struct taf_err *e);

#endif
