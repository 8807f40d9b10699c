/* SPDX-License-Identifier: ISC */
#include "array/size.h"

#include <stdlib.h>
#include <string.h>

#include "array/region.h"

enum taf_status
taf_size_parse(void *to, const char *arg, struct taf_err *e)
{
	struct taf_size *const s = to;
	size_t len = strlen(arg);
	char *copy = strdup(arg);
	bool good;

	if (copy == NULL)
		return taf_fail_mem(e);
	s->open = len > 1 && arg[len - 1] == ',';
	if (s->open)
		copy[len - 1] = '\0';
	good = taf_list_parse(copy, s->n, TAF_MAX_DIM - (s->open ? 1 : 0), &s->ndim);
	free(copy);
	if (!good)
		return taf_fail(e, TAF_EUSAGE, "%s: not 1 to %d lengths L1,L2,...", arg,
		    (int)TAF_MAX_DIM);
	s->ndim += s->open ? 1 : 0;
	return TAF_OK;
}

enum taf_status
taf_size_axis(void *to, const char *arg, struct taf_err *e)
{
	struct taf_size *const s = to;
	double start, step;
	unsigned k;
	enum taf_status st = taf_axis_parse(arg, &k, &start, &step, e);

	if (st != TAF_OK)
		return st;
	s->axis[k - 1].given = true;
	s->axis[k - 1].start = start;
	s->axis[k - 1].step = step;
	return TAF_OK;
}

enum taf_status
taf_size_check(const struct taf_size *s, struct taf_err *e)
{
	unsigned k;

	for (k = s->ndim; k < TAF_MAX_DIM; k++)
		if (s->axis[k].given)
			return taf_fail(e, TAF_EUSAGE, "-a: dimension %u: -n gives %u",
			    k + 1, s->ndim);
	return TAF_OK;
}

enum taf_status
taf_size_settle(const struct taf_size *s, enum taf_type from, uint64_t left, bool known,
    struct taf_array *a, struct taf_err *e)
{
	const enum taf_type to = a->type;
	enum taf_status st;
	uint64_t unit;
	unsigned k;

	a->ndim = 0;
	for (k = 0; k < s->ndim - (s->open ? 1 : 0); k++)
		taf_array_add_dim(a, s->n[k], 1, 1);
	/* until the end of this, the bytes as they come in */
	a->type = from;
	st = taf_array_check(a, e);
	if (st != TAF_OK)
		return st;
	unit = taf_array_bytes(a);
	a->type = to;
	if (s->open && (unit == 0 || left % unit != 0))
		return taf_fail(e, TAF_EDATA, "%llu bytes are no whole number of %llu",
		    (unsigned long long)left, (unsigned long long)unit);
	if (s->open)
		taf_array_add_dim(a, left / unit, 1, 1);
	else if (known && left != unit)
		return taf_fail(e, TAF_EDATA, "%llu bytes, but -n asks for %llu",
		    (unsigned long long)left, (unsigned long long)unit);
	return taf_array_check(a, e);
}

enum taf_status
taf_size_grid(const struct taf_size *s, struct taf_array *a, struct taf_err *e)
{
	unsigned k;

	for (k = 0; k < TAF_MAX_DIM; k++) {
		if (!s->axis[k].given)
			continue;
		if (k >= a->ndim)
			return taf_fail(e, TAF_EDATA,
			    "-a: dimension %u: the array has %u", k + 1, a->ndim);
		a->dim[k].start = s->axis[k].start;
		a->dim[k].step = s->axis[k].step;
	}
	return TAF_OK;
}
