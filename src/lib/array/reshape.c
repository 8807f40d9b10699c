/* SPDX-License-Identifier: ISC */
#include "array/reshape.h"

#include <stdbool.h>
#include <string.h>

#include "array/region.h"
#include "base/num.h"

enum taf_status
taf_lengths_parse(struct taf_lengths *l, const char *arg, struct taf_err *e)
{
	const char *s = arg;
	size_t len;

	*l = (struct taf_lengths){ 0 };
	for (;; s += len + 1) {
		len = strcspn(s, ",");
		if (l->ndim == TAF_MAX_DIM || (len == 0 ? l->open > 0 || *arg == '\0' :
		    !taf_parse_u64(s, len, &l->n[l->ndim])))
			return taf_fail(e, TAF_EUSAGE,
			    "%s: not a list of lengths, as 3,4; the empty one of 3, is found",
			    arg);
		l->ndim++;
		if (len == 0)
			l->open = l->ndim;
		if (s[len] == '\0')
			return TAF_OK;
	}
}

/* The product of lengths but the open one; false where it does not fit. */
static bool
product(const struct taf_lengths *l, uint64_t *count)
{
	unsigned k;

	*count = 1;
	for (k = 0; k < l->ndim; k++)
		if (k + 1 != l->open && !taf_mul(*count, l->n[k], count))
			return false;
	return true;
}

enum taf_status
taf_reshape_lengths(struct taf_array *a, const struct taf_lengths *l, struct taf_err *e)
{
	const uint64_t have = taf_array_count(a);
	unsigned to[TAF_MAX_DIM] = { 0 }, k, same = 0;
	struct taf_lengths n = *l;
	uint64_t count;
	bool fits = product(l, &count);

	if (fits && l->open > 0 && count > 0 && have % count == 0)
		n.n[l->open - 1] = have / count;
	else if (!fits || l->open > 0 || count != have)
		return !fits ? taf_fail(e, TAF_EDATA,
		    "%llu elements, and -n asks for more than there can be",
		    (unsigned long long)have) : taf_fail(e, TAF_EDATA,
		    l->open > 0 ? "%llu elements, no multiple of the %llu that -n names" :
		    "%llu elements, but -n asks for %llu", (unsigned long long)have,
		    (unsigned long long)count);
	while (same < a->ndim && same < n.ndim && a->dim[same].n == n.n[same]) {
		same++;
		to[same - 1] = same;
	}
	if (same < a->ndim)
		taf_attr_renumber(a, to);
	a->ndim = same;
	for (k = same; k < n.ndim; k++)
		taf_array_add_dim(a, n.n[k], 1, 1);
	return TAF_OK;
}

enum taf_status
taf_reshape_divide(struct taf_array *a, unsigned dim, uint64_t n, struct taf_err *e)
{
	enum taf_status st = taf_dim_there(a, dim, e);
	struct taf_dim rest;

	if (st != TAF_OK)
		return st;
	rest = a->dim[dim - 1];
	if (rest.n % n != 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %llu points are no multiple of %llu",
		    dim, (unsigned long long)rest.n, (unsigned long long)n);
	rest.n /= n;
	rest.step *= (double)n;
	st = taf_array_insert_dim(a, dim + 1, rest, e);
	if (st == TAF_OK)
		a->dim[dim - 1].n = n;
	return st;
}

/* Does dimension d go on where so many points of f end? */
static bool
continues(const struct taf_dim *f, const struct taf_dim *d)
{
	return d->n == 1 || f->n == 0 ||
	    (taf_grid_near(d->start, f->start, f->step) &&
	    taf_grid_near(d->step, (double)f->n * f->step, f->step));
}

enum taf_status
taf_reshape_merge(struct taf_array *a, unsigned first, unsigned last, unsigned *lost,
    struct taf_err *e)
{
	struct taf_dim *f = &a->dim[first - 1];
	enum taf_status st = taf_dim_there(a, last, e);
	bool fits = true;

	for (; last > first && st == TAF_OK; last--) {
		const struct taf_dim d = f[1];

		fits = fits && continues(f, &d);
		if (!taf_mul(f->n, d.n, &f->n))
			return taf_fail(e, TAF_EDATA, "dimension %u would be too long",
			    first);
		st = taf_array_drop_dim(a, first + 1, e);
	}
	if (st != TAF_OK || fits)
		return st;
	f->start = f->step = 1;
	*lost = first;
	return taf_attr_set(a, "unit", TAF_OF_DIM, first, NULL, e);
}
