/* SPDX-License-Identifier: ISC */
#include "codec/ndarray.h"

#include <string.h>

static const struct {
	const char *name;
	enum taf_type type;
	bool half, logical;
} types[] = {
	{ "i1", TAF_INT8, false, false }, { "u1", TAF_UINT8, false, false },
	{ "i2", TAF_INT16, false, false }, { "u2", TAF_UINT16, false, false },
	{ "i4", TAF_INT32, false, false }, { "u4", TAF_UINT32, false, false },
	{ "i8", TAF_INT64, false, false }, { "u8", TAF_UINT64, false, false },
	{ "f4", TAF_FLT32, false, false }, { "f8", TAF_FLT64, false, false },
	{ "c8", TAF_COMPLEX, false, false }, { "c16", TAF_COMPLEX128, false, false },
	{ "f2", TAF_FLT32, true, false }, { "b1", TAF_UINT8, false, true },
};

enum { NTYPES = sizeof types / sizeof types[0] };

bool
taf_ndarray_named(struct taf_ndarray *nd, const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < NTYPES; i++)
		if (n == strlen(types[i].name) && memcmp(name, types[i].name, n) == 0) {
			nd->type = types[i].type;
			nd->half = types[i].half;
			nd->logical = types[i].logical;
			return true;
		}
	return false;
}

const char *
taf_ndarray_name(const struct taf_ndarray *nd)
{
	size_t i = 0;

	while (types[i].type != nd->type || types[i].half != nd->half ||
	    types[i].logical != nd->logical)
		i++;
	return types[i].name;
}

enum taf_status
taf_ndarray_bytes(const struct taf_ndarray *nd, uint64_t *bytes, struct taf_err *e)
{
	struct taf_layout l;
	enum taf_status st = taf_ndarray_import(nd, false, &l, e);

	if (st == TAF_OK)
		*bytes = taf_array_bytes(&l.stored);
	return st;
}

enum taf_status
taf_ndarray_import(const struct taf_ndarray *nd, bool reverse, struct taf_layout *l,
    struct taf_err *e)
{
	unsigned at[TAF_MAX_DIM];	/* where an index is stored, 0 for the fastest */
	uint64_t n[TAF_MAX_DIM];
	unsigned ndim = nd->ndim, k;

	if (ndim > TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA, "%u dimensions, more than %d", ndim,
		    (int)TAF_MAX_DIM);
	memcpy(n, nd->n, ndim * sizeof n[0]);
	if (ndim == 0)
		n[ndim++] = 1;
	for (k = 0; k < ndim; k++)
		at[k] = nd->fortran ? k : ndim - 1 - k;
	taf_array_init(&l->stored);
	taf_array_init(&l->a);
	l->stored.type = nd->half ? TAF_UINT16 : nd->type;
	l->a.type = nd->type;
	for (k = 0; k < ndim; k++) {
		unsigned index = reverse ? ndim - 1 - k : k;

		taf_array_add_dim(&l->a, n[index], 1, 1);
		taf_array_add_dim(&l->stored, 0, 1, 1);
		l->order[k] = at[index];
	}
	for (k = 0; k < ndim; k++)
		l->stored.dim[at[k]].n = n[k];
	/* it is never smaller than what is stored */
	return taf_array_check(&l->a, e);
}

void
taf_ndarray_export(const struct taf_array *a, enum taf_type type, bool c_order,
    bool reverse, struct taf_ndarray *nd, unsigned order[TAF_MAX_DIM])
{
	unsigned k;

	memset(nd, 0, sizeof *nd);
	nd->type = type;
	nd->ndim = a->ndim;
	nd->fortran = !c_order && !reverse;
	for (k = 0; k < a->ndim; k++) {
		unsigned mirror = a->ndim - 1 - k;

		nd->n[k] = a->dim[reverse ? mirror : k].n;
		order[k] = c_order && !reverse ? mirror : k;
	}
}
