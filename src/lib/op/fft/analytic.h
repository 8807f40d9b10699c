/* SPDX-License-Identifier: ISC */
/* Real signals made analytic, by their Hilbert transform, and what analytic ones say. */
#ifndef TAF_OP_FFT_ANALYTIC_H
#define TAF_OP_FFT_ANALYTIC_H

#include <stdbool.h>

#include "base/attr.h"
#include "op/operand/move.h"

enum taf_analytic {
	TAF_ANALYTIC_SIGNAL, TAF_ANALYTIC_QUADRATURE, TAF_ANALYTIC_ENVELOPE,
	TAF_ANALYTIC_PHASE, TAF_ANALYTIC_FREQUENCY
};

struct taf_analytic_intent {
	unsigned dim;			/* from 1 */
	enum taf_analytic result;
	bool unwrap;			/* phases without jumps */
};

/*
 * out becomes the array of the results.  TAF_EDATA for a signal or a
 * quadrature that is to be made of complex elements, which are analytic; for a dimension
 * that is not there or has no points; and for a frequency of fewer than two.
 */
TAF_MUST taf_resolve taf_analytic_resolve;

/*
 * All lines.  A real one that does not fit the memory goes through temporary files, and
 * complex ones pass in windows.
 */
TAF_MUST taf_mover taf_analytic;

#endif
