/* SPDX-License-Identifier: ISC */
/* One array from several, by a program of kernel/expr/expr. */
#ifndef TAF_OP_NUMBER_EVALUATE_H
#define TAF_OP_NUMBER_EVALUATE_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/expr/expr.h"
#include "stream/compute.h"
#include "stream/service.h"

struct taf_evaluate {
	const struct taf_program *program;
	const struct taf_operand *in;	/* its inputs; as is not looked at */
	unsigned nin;
	const struct taf_array *out;	/* w is within it */
	struct taf_writer *w;
	bool clip;
};

/* Compute all of it, as taf_compute does, and remark on what was clipped or rounded. */
TAF_MUST enum taf_status taf_evaluate(const struct taf_evaluate *how,
    const struct taf_service *service, struct taf_err *e);

#endif
