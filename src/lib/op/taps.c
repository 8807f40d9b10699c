#include "op/taps.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/num.h"
#include "stream/reader.h"
#include "stream/values.h"

static enum taf_status
check(const struct taf_array *a, struct taf_err *e)
{
	const uint64_t n = taf_array_count(a);
	unsigned k;

	for (k = 0; k < a->ndim; k++)
		if (a->dim[k].n != 1 && a->dim[k].n != n)
			return taf_fail(e, TAF_EDATA, "weights along several dimensions");
	if (n == 0 || n > TAF_TAPS_MOST)
		return taf_fail(e, TAF_EDATA, "%llu weights: there may be 1 to %d",
		    (unsigned long long)n, TAF_TAPS_MOST);
	return TAF_OK;
}

static enum taf_status
read_values(struct taf_reader *r, const struct taf_array *a, double *taps,
    struct taf_err *e)
{
	const uint64_t n = taf_array_count(a);
	struct taf_values *v = NULL;
	struct taf_recode how;
	enum taf_status st;
	uint64_t i;

	st = taf_values_plan(&how, a, TAF_FLT64, false, false, e);
	if (st == TAF_OK)
		st = taf_values_open(&v, r, a, NULL, &how, e);
	if (st == TAF_OK)
		st = taf_values_get(v, taps, (size_t)n, e);
	taf_values_close(v);
	for (i = 0; i < n && st == TAF_OK; i++)
		if (!taf_is_finite(taps[i]))
			st = taf_fail(e, TAF_EDATA, "weight %llu is not finite",
			    (unsigned long long)(i + 1));
	return st;
}

enum taf_status
taf_taps_read(const char *file, double **taps, size_t *n, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_array a;
	enum taf_status st;

	taf_array_init(&a);
	*taps = NULL;
	st = taf_reader_open(&r, file, 0, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK)
		st = check(&a, e);
	if (st == TAF_OK) {
		*n = (size_t)taf_array_count(&a);
		*taps = taf_alloc(*n, sizeof **taps);
		st = *taps == NULL ? taf_fail_mem(e) : read_values(r, &a, *taps, e);
	}
	if (st == TAF_OK)
		st = taf_reader_last(r, e);
	taf_reader_close(r);
	taf_array_fini(&a);
	if (st == TAF_OK)
		return TAF_OK;
	free(*taps);
	*taps = NULL;
	return st;
}
