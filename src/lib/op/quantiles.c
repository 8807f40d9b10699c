#include "op/quantiles.h"

#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "op/reduction.h"

enum taf_status
taf_quantiles_parse(struct taf_quantiles *q, const char *text, struct taf_err *e)
{
	size_t len;
	unsigned k;
	double p;

	for (q->n = 0;; text += len + 1) {
		len = strcspn(text, ",");
		if (!taf_parse_f64(text, len, &p) || !(p >= 0 && p <= 1))
			return taf_fail(e, TAF_EUSAGE,
			    "%.*s: not a number from 0 to 1 (0.5 is the median)",
			    len < 40 ? (int)len : 40, text);
		for (k = 0; k < q->n; k++)
			if (!(q->op[k].p < p) && !(q->op[k].p > p))
				return taf_fail(e, TAF_EUSAGE, "%.*s: twice the same",
				    len < 40 ? (int)len : 40, text);
		if (q->n == TAF_REDUCE_OPS)
			return taf_fail(e, TAF_EUSAGE, "%d are possible at most",
			    (int)TAF_REDUCE_OPS);
		/* no -0 */
		q->op[q->n++] = (struct taf_reduction){ TAF_OP_QUANTILE, p + 0 };
		if (text[len] == '\0')
			return TAF_OK;
	}
}

/* All dimensions but one become a point; an array that has no other keeps its points. */
static void
along(struct taf_reduction_intent *want, unsigned dim, unsigned ndim)
{
	unsigned k;

	for (k = 1; dim > 0 && k <= ndim; k++)
		if (k != dim)
			want->dim[want->ndims++] = k;
	if (dim > 0 && want->ndims == 0) {
		want->dim[want->ndims++] = dim;
		want->every = 1;
	}
}

enum taf_status
taf_quantiles(const struct taf_quantiles *q, const struct taf_quantiles_of *of,
    const struct taf_reader *r, const struct taf_array *a, double *to,
    const struct taf_service *service, struct taf_err *e)
{
	struct taf_reduction_intent want = { .nops = q->n, .finite = true,
		.squeeze = true };
	struct taf_service silent = { .memory = service->memory, .jobs = service->jobs };
	struct taf_bounds all = { .most = 0 };
	struct taf_region region;
	struct taf_array part = *a;
	struct taf_reader *again = NULL;
	enum taf_status st;

	memcpy(want.op, q->op, sizeof want.op);
	along(&want, of->dim, a->ndim);
	st = taf_bounds_resolve(&all, a, &region, e);
	if (st == TAF_OK && of->dim > 0) {
		region.first[of->dim - 1] = of->first;
		region.count[of->dim - 1] = of->n;
	}
	if (st == TAF_OK)
		st = taf_reader_again(&again, r, a, e);
	if (st == TAF_OK)
		st = taf_reader_narrow(again, a, &region, e);
	if (st == TAF_OK) {
		taf_region_apply(&region, &part);
		st = taf_reduction_values(&want, again, &part, to, &silent, e);
	}
	taf_reader_close(again);
	return st;
}
