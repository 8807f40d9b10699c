#include "op/operand/tabular.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "stream/reader.h"
#include "stream/values.h"

static enum taf_status
read_values(struct taf_reader *r, const char *what, struct taf_tabular *t,
    struct taf_err *e)
{
	const uint64_t n = taf_array_count(&t->a);
	struct taf_values *v = NULL;
	struct taf_recode how;
	enum taf_status st;

	if (n == 0 || n > TAF_TABULAR_MOST)
		return taf_fail(e, TAF_EDATA, "%llu %s: there may be 1 to %d",
		    (unsigned long long)n, what, TAF_TABULAR_MOST);
	t->v = taf_alloc((size_t)n, sizeof *t->v);
	if (t->v == NULL)
		return taf_fail_mem(e);
	st = taf_values_plan(&how, &t->a, TAF_FLT64, false, false, e);
	if (st == TAF_OK)
		st = taf_values_open(&v, r, &t->a, NULL, &how, e);
	if (st == TAF_OK)
		st = taf_values_get(v, t->v, (size_t)n, e);
	taf_values_close(v);
	return st;
}

enum taf_status
taf_tabular_read(const char *file, const char *what, struct taf_tabular *t,
    struct taf_err *e)
{
	struct taf_reader *r = NULL;
	enum taf_status st;

	memset(t, 0, sizeof *t);
	taf_array_init(&t->a);
	st = taf_reader_open(&r, file, 0, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &t->a, e);
	if (st == TAF_OK)
		st = read_values(r, what, t, e);
	if (st == TAF_OK)
		st = taf_reader_last(r, e);
	taf_reader_close(r);
	if (st != TAF_OK)
		taf_tabular_free(t);
	return st;
}

void
taf_tabular_free(struct taf_tabular *t)
{
	if (t->v == NULL && t->a.ndim == 0)
		return;
	free(t->v);
	t->v = NULL;
	taf_array_fini(&t->a);
}
