/* Derivatives and integrals of arrays along one dimension. */
#ifndef TAF_OP_LINE_INTEGRATION_H
#define TAF_OP_LINE_INTEGRATION_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/line/calculus.h"
#include "op/line/smoothing.h"
#include "stream/service.h"

struct taf_derivative {
	/* by polynomials, where polynomial.by says so; else by central differences */
	struct taf_smoothing_how polynomial;
	/*
	 * ends are NaN or zero, or, where edge is neither, by the points nearest to them
	 */
	enum taf_edge edge;
	bool raw;			/* the differences of neighbours, one less */
};

/*
 * Make out, a copy of in, the array of its derivatives; TAF_EDATA where there are none.
 */
TAF_MUST enum taf_status taf_derivative_shape(const struct taf_derivative *how,
    struct taf_array *out, const struct taf_array *in, unsigned dim, struct taf_err *e);
TAF_MUST enum taf_status taf_derivative(const struct taf_derivative *how,
    const struct taf_along *c, struct taf_err *e);

/* The same of integrals; the step of how is that of the grid. */
TAF_MUST enum taf_status taf_integral_shape(struct taf_array *out,
    const struct taf_array *in, unsigned dim, struct taf_err *e);
TAF_MUST enum taf_status taf_integral(const struct taf_integral *how,
    const struct taf_along *c, struct taf_err *e);

#endif
