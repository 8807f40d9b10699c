/* SPDX-License-Identifier: ISC */
/* Derivatives and integrals of arrays along one dimension. */
#ifndef TAF_OP_LINE_INTEGRATION_H
#define TAF_OP_LINE_INTEGRATION_H

#include <stdbool.h>

#include "base/attr.h"
#include "kernel/line/calculus.h"
#include "op/line/smoothing.h"
#include "op/operand/move.h"

struct taf_derivative {
	/* its dim; by polynomials where its by says so, else by central differences */
	struct taf_smoothing_how polynomial;
	/*
	 * ends are NaN or zero, or, where edge is neither, by the points nearest to them
	 */
	enum taf_edge edge;
	bool raw;			/* the differences of neighbours, one less */
};

/* out becomes the array of derivatives; TAF_EDATA where there are none. */
TAF_MUST taf_resolve taf_derivative_resolve;
TAF_MUST taf_mover taf_derivative;

struct taf_integral_intent {
	unsigned dim;			/* along this dimension, from 1 */
	enum taf_rule rule;
	double start;
};

/* The same of integrals. */
TAF_MUST taf_resolve taf_integral_resolve;
TAF_MUST taf_mover taf_integral;

#endif
