#include "op/operand/taps.h"

#include "base/num.h"
#include "op/operand/tabular.h"

static enum taf_status
check(const struct taf_tabular *t, uint64_t n, struct taf_err *e)
{
	uint64_t i;
	unsigned k;

	for (k = 0; k < t->a.ndim; k++)
		if (t->a.dim[k].n != 1 && t->a.dim[k].n != n)
			return taf_fail(e, TAF_EDATA, "weights along several dimensions");
	for (i = 0; i < n; i++)
		if (!taf_is_finite(t->v[i]))
			return taf_fail(e, TAF_EDATA, "weight %llu is not finite",
			    (unsigned long long)(i + 1));
	return TAF_OK;
}

enum taf_status
taf_taps_read(const char *file, double **taps, size_t *n, struct taf_err *e)
{
	struct taf_tabular t;
	enum taf_status st = taf_tabular_read(file, "weights", &t, e);

	*taps = NULL;
	if (st != TAF_OK)
		return st;
	*n = (size_t)taf_array_count(&t.a);
	st = check(&t, *n, e);
	if (st == TAF_OK) {
		*taps = t.v;
		t.v = NULL;
	}
	taf_tabular_free(&t);
	return st;
}
