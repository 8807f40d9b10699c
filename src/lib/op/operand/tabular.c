/* SPDX-License-Identifier: ISC */
#include "op/operand/tabular.h"

#include <string.h>

#include "stream/reader.h"
#include "stream/values.h"

static enum taf_status
read_values(struct taf_reader *r, const char *what, uint64_t bound, struct taf_tabular *t,
    struct taf_err *e)
{
	const uint64_t n = taf_array_count(&t->a);
	struct taf_values *v = NULL;
	struct taf_recode how;
	enum taf_status st;

	if (n == 0 && bound > 0)
		return taf_fail(e, TAF_EDATA, "no %s", what);
	if (n == 0 || (n > TAF_TABULAR_MOST && bound == 0))
		return taf_fail(e, TAF_EDATA, "%llu %s: there may be 1 to %d",
		    (unsigned long long)n, what, TAF_TABULAR_MOST);
	st = taf_store_grow(&t->store, n, sizeof *t->v, bound > 0 ? bound : UINT64_MAX,
	    e);
	t->v = t->store.p;
	if (st == TAF_OK)
		st = taf_values_plan(&how, &t->a, TAF_FLT64, false, false, e);
	if (st == TAF_OK)
		st = taf_values_open(&v, r, &t->a, NULL, &how, e);
	if (st == TAF_OK)
		st = taf_values_get(v, t->v, (size_t)n, e);
	if (st == TAF_OK)
		t->rounded = taf_values_count(v)->rounded;
	taf_values_close(v);
	return st;
}

enum taf_status
taf_tabular_read(const char *file, const char *what, uint64_t bound,
    struct taf_tabular *t, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	enum taf_status st;

	memset(t, 0, sizeof *t);
	taf_array_init(&t->a);
	st = taf_reader_open(&r, file, 0, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &t->a, e);
	if (st == TAF_OK)
		st = read_values(r, what, bound, t, e);
	if (st == TAF_OK)
		st = taf_reader_last(r, e);
	taf_reader_close(r);
	if (st != TAF_OK)
		taf_tabular_free(t);
	return st;
}

enum taf_status
taf_tabular_line(const char *file, const char *what, uint64_t bound,
    struct taf_tabular *t, struct taf_err *e)
{
	enum taf_status st = taf_tabular_read(file, what, bound, t, e);
	unsigned k;

	for (k = 0; st == TAF_OK && k < t->a.ndim; k++)
		if (t->a.dim[k].n != 1 && t->a.dim[k].n != taf_array_count(&t->a))
			st = taf_fail(e, TAF_EDATA, "%s along several dimensions", what);
	if (st != TAF_OK)
		taf_tabular_free(t);
	return st;
}

void
taf_tabular_free(struct taf_tabular *t)
{
	if (t->v == NULL && t->a.ndim == 0)
		return;
	taf_store_free(&t->store);
	t->v = NULL;
	taf_array_fini(&t->a);
}
