/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
#include "codec/hdf/hdf_scale.h"

#include "config.h"

#ifdef HAVE_HDF5
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "codec/hdf/hdf_attr.h"
#include "codec/hdf/hdf_describe.h"
#include "codec/hdf/hdf_file.h"

enum {
	BLOCK = 4096,		/* coordinates at a time */
	LABEL = 256,		/* longer names are nobody's */
	MARKER = 64,
	MOST = 1 << 20		/* bytes of a list of scales */
};

/* Who uses a scale, as its REFERENCE_LIST has it. */
struct user {
	hobj_ref_t data;
	int dim;
};

struct users {
	struct user *u;
	size_t n;
};

static hid_t
user_type(void)
{
	hid_t t = H5Tcreate(H5T_COMPOUND, sizeof(struct user));

	if (t >= 0 && (H5Tinsert(t, "dataset", HOFFSET(struct user, data),
	    H5T_STD_REF_OBJ) < 0 || H5Tinsert(t, "dimension", HOFFSET(struct user, dim),
	    H5T_NATIVE_INT) < 0)) {
		(void)H5Tclose(t);
		t = -1;
	}
	return t;
}

/* For the caller to free; room for one more. */
static bool
get_users(hid_t scale, struct users *l)
{
	struct taf_hdf_opened a;
	const hid_t type = user_type();
	const bool some = H5Aexists(scale, "REFERENCE_LIST") > 0;
	bool done = true;

	*l = (struct users){ NULL, 0 };
	if (some) {
		done = taf_hdf_attr_open(scale, "REFERENCE_LIST", &a) && a.n >= 0 &&
		    (hsize_t)a.n <= H5Aget_storage_size(a.attr) / sizeof *l->u;
		l->n = done ? (size_t)a.n : 0;
	}
	if (done)
		l->u = taf_alloc(l->n + 1, sizeof *l->u);
	done = l->u != NULL && (!some || (type >= 0 && H5Aread(a.attr, type, l->u) >= 0));
	if (some)
		taf_hdf_attr_close(&a);
	taf_hdf_let(type);
	l->n = done ? l->n : 0;
	return done;
}

static bool
set_users(hid_t scale, const struct users *l)
{
	hid_t type = user_type();
	const struct taf_hdf_value value = { type, type, l->n, l->u, NULL };
	bool done;

	if (l->n == 0)
		done = H5Aexists(scale, "REFERENCE_LIST") <= 0 ||
		    H5Adelete(scale, "REFERENCE_LIST") >= 0;
	else
		done = type >= 0 && taf_hdf_attr_put(scale, "REFERENCE_LIST", &value);
	taf_hdf_let(type);
	return done;
}

static bool
refer(hid_t object, hobj_ref_t *r)
{
	return H5Rcreate(r, object, ".", H5R_OBJECT, -1) >= 0;
}

static hid_t
refer_back(hid_t object, hobj_ref_t *r)
{
	return H5Rdereference2(object, H5P_DEFAULT, H5R_OBJECT, r);
}

/* The length of a dimension that has no limit; 0 where it has one, or is not there. */
static uint64_t
length(hid_t object, int dim, bool *unlimited)
{
	hsize_t n[H5S_MAX_RANK], most[H5S_MAX_RANK];
	const hid_t space = object >= 0 && H5Iget_type(object) == H5I_DATASET ?
	    H5Dget_space(object) : -1;
	const bool there = space >= 0 && dim >= 0 &&
	    H5Sget_simple_extent_dims(space, n, most) > dim;

	taf_hdf_let(space);
	*unlimited = there && most[dim] == H5S_UNLIMITED;
	return *unlimited ? n[dim] : 0;
}

/* The longest that uses a scale; 0 where it has a limit. */
static uint64_t
longest(hid_t scale)
{
	struct users l;
	bool unlimited;
	uint64_t n = length(scale, 0, &unlimited), other;
	size_t i;

	if (!unlimited || !get_users(scale, &l))
		return 0;
	for (i = 0; i < l.n; i++) {
		hid_t user = refer_back(scale, &l.u[i].data);

		other = length(user, l.u[i].dim, &unlimited);
		n = other > n ? other : n;
		taf_hdf_let(user);
	}
	free(l.u);
	return n;
}

/* Scales of a dataset, by their references: a list for each of its indices. */
struct lists {
	struct taf_hdf_opened a;
	hid_t type;
	hvl_t list[H5S_MAX_RANK];
	size_t n;
};

/* False where it has some that cannot be read; to be ended anyway. */
static bool
get_lists(hid_t data, struct lists *l)
{
	memset(l, 0, sizeof *l);
	l->type = H5Tvlen_create(H5T_STD_REF_OBJ);
	if (!taf_hdf_attr_open(data, "DIMENSION_LIST", &l->a))
		return l->type >= 0;
	if (l->type < 0 || l->a.n < 0 || l->a.n > H5S_MAX_RANK ||
	    H5Aget_storage_size(l->a.attr) > MOST ||
	    H5Aread(l->a.attr, l->type, l->list) < 0)
		return false;
	l->n = (size_t)l->a.n;
	return true;
}

static void
end_lists(struct lists *l)
{
	if (l->n > 0)
		(void)H5Dvlen_reclaim(l->type, l->a.space, H5P_DEFAULT, l->list);
	taf_hdf_attr_close(&l->a);
	taf_hdf_let(l->type);
}

enum taf_status
taf_hdf_scales_open(int64_t data, unsigned rank, int64_t scale[], struct taf_err *e)
{
	struct lists l;
	bool memory, known = get_lists(data, &l) && l.n == rank;
	unsigned k;

	for (k = 0; k < rank; k++) {
		scale[k] = known && l.list[k].len > 0 ?
		    refer_back(data, l.list[k].p) : -1;
		/* one that was removed is none */
		if (known && l.list[k].len > 0 && scale[k] < 0 &&
		    taf_hdf_troubled(&memory) && memory)
			(void)taf_fail_mem(e);
		if (scale[k] >= 0 && H5Iget_type(scale[k]) != H5I_DATASET) {
			taf_hdf_let(scale[k]);
			scale[k] = -1;
		}
	}
	end_lists(&l);
	for (k = 0; e->code != TAF_OK && k < rank; k++)
		taf_hdf_let(scale[k]);
	return e->code;
}

/* The length of the dimension of a scale, which may be known. */
static uint64_t
known_length(hid_t scale, struct taf_hdf_lengths *known, struct taf_err *e)
{
	bool memory;
	hobj_ref_t r;
	unsigned k;

	if (!refer(scale, &r))
		return 0;
	for (k = 0; k < known->used; k++)
		if (known->scale[k] == r)
			return known->n[k];
	if (k == sizeof known->n / sizeof known->n[0])
		k = known->used = 0;
	known->used++;
	known->scale[k] = r;
	known->n[k] = longest(scale);
	/* a user that was removed is none */
	(void)taf_hdf_troubled(&memory);
	if (memory)
		(void)taf_fail_mem(e);
	return known->n[k];
}

enum taf_status
taf_hdf_grow(int64_t data, unsigned rank, uint64_t n[], struct taf_hdf_lengths *known,
    struct taf_err *e)
{
	int64_t scale[H5S_MAX_RANK];
	bool unlimited, any = false;
	uint64_t longer;
	unsigned k;

	for (k = 0; k < rank; k++) {
		(void)length(data, (int)k, &unlimited);
		any = any || unlimited;
	}
	if (!any)
		return TAF_OK;
	if (taf_hdf_scales_open(data, rank, scale, e) != TAF_OK)
		return e->code;
	for (k = 0; k < rank; k++) {
		(void)length(data, (int)k, &unlimited);
		longer = 0;
		if (unlimited && (scale[k] >= 0 || (k == 0 && taf_hdf_is_scale(data, e))))
			longer = known_length(scale[k] >= 0 ? scale[k] : data, known, e);
		n[k] = longer > n[k] ? longer : n[k];
		taf_hdf_let(scale[k]);
	}
	return e->code;
}

/* The name that a label can be: netCDF's rules, which are narrower than HDF5's. */
static bool
is_name(const char *s)
{
	size_t n = strlen(s), i;
	unsigned char c = (unsigned char)s[0];

	if (n == 0 || n >= LABEL || s[n - 1] == ' ' || !(c == '_' || c >= 0x80 ||
	    (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')))
		return false;
	for (i = 0; i < n; i++)
		if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f || s[i] == '/')
			return false;
	return true;
}

/* Is the scale one of 32-bit floats? */
static bool
is_narrow(hid_t scale)
{
	const hid_t type = H5Dget_type(scale);
	const bool yes = type >= 0 && H5Tget_class(type) == H5T_FLOAT &&
	    H5Tget_size(type) == sizeof(float);

	taf_hdf_let(type);
	return yes;
}

/*
 * Write the coordinates, or compare them with those that are there: rounded, where they
 * are stored as flt32.
 */
static bool
each_block(hid_t scale, const struct taf_dim *d, bool write)
{
	double ours[BLOCK], theirs[BLOCK];
	const bool narrow = !write && is_narrow(scale);
	bool done = true;
	uint64_t at, n, i;

	for (at = 0; done && at < d->n; at += n) {
		n = d->n - at < BLOCK ? d->n - at : BLOCK;
		for (i = 0; i < n; i++) {
			ours[i] = d->start + (double)(at + i) * d->step;
			if (narrow)
				ours[i] = (double)(float)ours[i];
		}
		done = taf_hdf_doubles(scale, at, n, write ? ours : theirs, write) &&
		    (write || memcmp(ours, theirs, (size_t)n * sizeof ours[0]) == 0);
	}
	return done;
}

/* Are these the coordinates: as they are stored, or as hdf2taf reads them? */
static bool
same_coordinates(hid_t scale, const struct taf_dim *d, struct taf_err *e)
{
	struct taf_dim grid;

	if (taf_hdf_grid(scale, d->n, &grid, e) && taf_same_bits(grid.start, d->start) &&
	    (d->n == 1 || taf_same_bits(grid.step, d->step)))
		return true;
	return H5Aexists(scale, TAF_HDF_GRID) == 0 &&
	    H5Aexists(scale, "scale_factor") == 0 &&
	    H5Aexists(scale, "add_offset") == 0 && H5Aexists(scale, "_Unsigned") == 0 &&
	    each_block(scale, d, false);
}

/* What a scale of dimension k, from 1, will be called within it, besides its dataset. */
static void
inner_name(const struct taf_array *a, unsigned k, const char *name,
    char to[LABEL + MARKER])
{
	if (taf_dim_told(a, k, TAF_HDF_NAME_KEY))
		(void)snprintf(to, LABEL + MARKER, "%s", name);
	else
		(void)snprintf(to, LABEL + MARKER, "%s%10llu", TAF_HDF_NO_VARIABLE,
		    (unsigned long long)a->dim[k - 1].n);
}

/* Does an attribute of the scale say this?  What is not there says "". */
static bool
says(hid_t scale, const char *name, const char *what, struct taf_err *e)
{
	if (taf_hdf_says(scale, name, what, strlen(what) + 1, e))
		return true;
	return what[0] == '\0' && e->code == TAF_OK &&
	    !taf_hdf_says(scale, name, "", 0, e);
}

/* The name that the scale of dimension k is to have; NULL where nothing says one. */
static const char *
wanted_name(const struct taf_array *a, unsigned k)
{
	const char *name = taf_attr_get(a, TAF_HDF_NAME_KEY, TAF_OF_DIM, k);

	if (name == NULL || !is_name(name))
		name = taf_attr_get(a, "label", TAF_OF_DIM, k);
	return name != NULL && is_name(name) ? name : NULL;
}

/*
 * Does a scale of this name serve?  Name, coordinates and unit decide.  One that was made
 * beside another one of the name has a number behind its own, and is told by its label.
 */
static bool
is_same(hid_t scale, const struct taf_array *a, unsigned k, const char *name,
    struct taf_err *e)
{
	const struct taf_dim *d = &a->dim[k - 1];
	const char *label = taf_attr_get(a, "label", TAF_OF_DIM, k),
	    *unit = taf_attr_get(a, "unit", TAF_OF_DIM, k),
	    *wanted = wanted_name(a, k);
	const hid_t space = H5Dget_space(scale);
	uint64_t n[TAF_HDF_RANK];
	const bool same = taf_hdf_extent(space, n) == 1 && n[0] == d->n &&
	    taf_hdf_is_scale(scale, e) && wanted != NULL;

	taf_hdf_let(space);
	if (!same || (strcmp(wanted, name) != 0 && (H5Aexists(scale, TAF_HDF_GRID) <= 0 ||
	    !says(scale, "long_name", label != NULL ? label : "", e))))
		return false;
	if (taf_hdf_no_coordinates(scale, e))
		return !taf_dim_told(a, k, TAF_HDF_NAME_KEY);
	return says(scale, "units", unit != NULL ? unit : "", e) &&
	    same_coordinates(scale, d, e);
}

/* Who it is: a label that is no name is its long_name, "" that there is none. */
static enum taf_status
describe(const struct taf_hdf_user *u, hid_t scale, unsigned k, const char *name,
    struct taf_err *e)
{
	const struct taf_dim *d = &u->a->dim[k - 1];
	const double grid[2] = { d->start, d->step };
	const char *label = taf_attr_get(u->a, "label", TAF_OF_DIM, k);
	char inner[LABEL + MARKER];

	inner_name(u->a, k, name, inner);
	if (label == NULL)
		label = "";
	if (!taf_hdf_attr_text(scale, "CLASS", "DIMENSION_SCALE", 16) ||
	    !taf_hdf_attr_text(scale, "NAME", inner, strlen(inner) + 1) ||
	    !taf_hdf_attr_flt64(scale, TAF_HDF_GRID, 2, grid) ||
	    (strcmp(label, name) != 0 &&
	    !taf_hdf_attr_text(scale, "long_name", label, strlen(label))))
		return taf_hdf_drive_failed(u->f, e, name, "cannot be described");
	return taf_hdf_attrs(u->f, scale, u->a, k, e);
}

static enum taf_status
make(const struct taf_hdf_user *u, unsigned k, const char *name, hid_t *scale,
    struct taf_err *e)
{
	const struct taf_dim *d = &u->a->dim[k - 1];
	bool whole = taf_dim_told(u->a, k, TAF_HDF_NAME_KEY), made;
	hsize_t n = d->n;
	hid_t space = H5Screate_simple(1, &n, NULL), how = H5Pcreate(H5P_DATASET_CREATE);

	*scale = -1;
	if (space >= 0 && how >= 0 && taf_hdf_keep(how, false))
		*scale = H5Dcreate2(u->group, name, whole ? H5T_IEEE_F64LE :
		    H5T_IEEE_F32BE, space, H5P_DEFAULT, how, H5P_DEFAULT);
	made = *scale >= 0 && (!whole || each_block(*scale, d, true));
	taf_hdf_let(how);
	taf_hdf_let(space);
	if (!made)
		return taf_hdf_drive_failed(u->f, e, name, "cannot be made");
	return describe(u, *scale, k, name, e);
}

/* Is one of the n scales this object? */
static bool
is_taken(hid_t scale, const hobj_ref_t *used, unsigned n)
{
	hobj_ref_t own;
	unsigned i;

	if (!refer(scale, &own))
		return true;
	for (i = 0; i < n; i++)
		if (own == used[i])
			return true;
	return false;
}

/* The dataset of this name, where it can be the scale of dimension k; else -1. */
static hid_t
shared(const struct taf_hdf_user *u, unsigned k, const char *name, struct taf_err *e)
{
	hid_t o = H5Oopen(u->group, name, H5P_DEFAULT);

	if (o < 0 || (H5Iget_type(o) == H5I_DATASET && is_same(o, u->a, k, name, e)))
		return o;
	(void)H5Oclose(o);
	return -1;
}

/* A name for the scale of dimension k: the first that is free, or that may be shared. */
static enum taf_status
find(const struct taf_hdf_user *u, unsigned k, const hobj_ref_t *used, unsigned n,
    hid_t *scale, struct taf_err *e)
{
	const char *wanted = wanted_name(u->a, k);
	struct taf_str name = { .err = e };
	unsigned number;

	*scale = -1;
	for (number = 1; *scale < 0 && name.st == TAF_OK; number++) {
		htri_t there;

		name.buf.len = 0;
		if (wanted != NULL)
			taf_str_puts(&name, wanted);
		else
			taf_str_printf(&name, "%s_dim%u", u->name, k);
		if (number > 1)
			taf_str_printf(&name, "_%u", number);
		if (name.st != TAF_OK || strcmp(name.buf.data, u->name) == 0)
			continue;
		there = H5Lexists(u->group, name.buf.data, H5P_DEFAULT);
		if (there < 0)
			name.st = taf_hdf_drive_failed(u->f, e, name.buf.data,
			    "cannot be looked for");
		else if (there == 0)
			name.st = make(u, k, name.buf.data, scale, e);
		else
			*scale = shared(u, k, name.buf.data, e);
		if (e->code != TAF_OK)
			name.st = e->code;
		if (there > 0 && *scale >= 0 && is_taken(*scale, used, n)) {
			(void)H5Oclose(*scale);
			*scale = -1;
		}
	}
	taf_str_free(&name);
	return name.st;
}

/* The scale knows its user. */
static bool
attach(const struct taf_hdf_user *u, hid_t scale, int dim)
{
	struct users l;
	bool done = get_users(scale, &l) && refer(u->data, &l.u[l.n].data);

	if (done) {
		l.u[l.n++].dim = dim;
		done = set_users(scale, &l);
	}
	free(l.u);
	return done;
}

/* The user knows its scales, one a dimension. */
static bool
list_scales(hid_t data, hobj_ref_t *used, unsigned n)
{
	hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ);
	hvl_t list[TAF_MAX_DIM];
	const struct taf_hdf_value value = { type, type, n, list, NULL };
	unsigned i;
	bool done;

	for (i = 0; i < n; i++) {
		list[i].len = 1;
		list[i].p = &used[i];
	}
	done = type >= 0 && taf_hdf_attr_put(data, "DIMENSION_LIST", &value);
	taf_hdf_let(type);
	return done;
}

enum taf_status
taf_hdf_scales_add(const struct taf_hdf_user *u, struct taf_err *e)
{
	hobj_ref_t used[TAF_MAX_DIM];
	enum taf_status st = TAF_OK;
	const unsigned n = u->a->ndim;
	bool any = false;
	unsigned i, k;

	for (k = 1; k <= n; k++)
		any = any || taf_dim_told(u->a, k, TAF_HDF_NAME_KEY) ||
		    taf_attr_get(u->a, "label", TAF_OF_DIM, k) != NULL ||
		    wanted_name(u->a, k) != NULL;
	for (i = 0; any && i < n && st == TAF_OK; i++) {
		hid_t scale;

		k = u->reverse ? n - i : i + 1;
		st = find(u, k, used, i, &scale, e);
		if (st == TAF_OK && (!refer(scale, &used[i]) ||
		    !attach(u, scale, (int)i)))
			st = taf_hdf_drive_failed(u->f, e, u->name,
			    "a dimension scale cannot be attached");
		taf_hdf_let(scale);
	}
	if (any && st == TAF_OK && !list_scales(u->data, used, n))
		st = taf_hdf_drive_failed(u->f, e, u->name,
		    "dimension scales cannot be attached");
	return st;
}

/* One that we have made, and that nobody uses any more, goes; so does its name. */
static bool
forget(hid_t scale, hobj_ref_t data)
{
	char name[LABEL + MARKER];
	struct users l;
	bool done = get_users(scale, &l);
	size_t i, n = 0;

	for (i = 0; i < l.n; i++)
		if (l.u[i].data != data)
			l.u[n++] = l.u[i];
	l.n = n;
	done = done && set_users(scale, &l);
	free(l.u);
	if (done && n == 0 && H5Aexists(scale, TAF_HDF_GRID) > 0 &&
	    H5Iget_name(scale, name, sizeof name) > 0 && strlen(name) < sizeof name - 1)
		done = H5Ldelete(scale, name, H5P_DEFAULT) >= 0;
	return done;
}

enum taf_status
taf_hdf_scales_drop(const struct taf_hdf_user *u, struct taf_err *e)
{
	struct lists l;
	hobj_ref_t own;
	bool done = get_lists(u->data, &l) && refer(u->data, &own);
	size_t i, j;

	for (i = 0; done && i < l.n; i++)
		for (j = 0; done && j < l.list[i].len; j++) {
			hobj_ref_t *refs = l.list[i].p;
			const hid_t scale = refer_back(u->data, &refs[j]);

			/* one that is gone needs nothing */
			done = scale < 0 || forget(scale, own);
			taf_hdf_let(scale);
		}
	end_lists(&l);
	return done ? TAF_OK : taf_hdf_drive_failed(u->f, e, u->name,
	    "its dimension scales cannot be detached");
}

#endif
