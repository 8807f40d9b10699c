/* SPDX-License-Identifier: ISC */
#include "op/operand/taps.h"

#include "base/num.h"
#include "op/operand/tabular.h"

enum taf_status
taf_taps_read(const char *file, double **taps, size_t *n, struct taf_err *e)
{
	struct taf_tabular t;
	enum taf_status st = taf_tabular_line(file, "weights", 0, &t, e);
	size_t i;

	*taps = NULL;
	if (st != TAF_OK)
		return st;
	*n = (size_t)taf_array_count(&t.a);
	for (i = 0; i < *n && st == TAF_OK; i++)
		if (!taf_is_finite(t.v[i]))
			st = taf_fail(e, TAF_EDATA, "weight %zu is not finite", i + 1);
	if (st == TAF_OK) {
		*taps = t.v;
		t.store.p = NULL;
	}
	taf_tabular_free(&t);
	return st;
}
