/* SPDX-License-Identifier: ISC */
/* link: jansson */
#include "codec/zarr/zarr.h"

#include "config.h"

#include <math.h>
#include <string.h>

#include "array/missing.h"
#include "base/base64.h"
#include "base/endian.h"
#include "base/num.h"
#include "codec/escape.h"
#include "codec/jansson.h"
#include "codec/json.h"

bool
taf_zarr_unnamed(const struct taf_zarr_array *z, const char *name)
{
	const json_t *all = json_object_get(z->attrs, TAF_ZARR_UNNAMED);
	bool is = false;
	size_t k;

	for (k = 0; k < json_array_size(all) && !is; k++) {
		const json_t *v = json_array_get(all, k);

		is = json_is_string(v) && strcmp(json_string_value(v), name) == 0;
	}
	return is;
}

/* An attribute of the array, or of dimension k where that is not 0. */
static enum taf_status
set(struct taf_array *a, unsigned k, const char *key, const char *value,
    struct taf_err *e)
{
	return taf_attr_set(a, key, k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY, k, value, e);
}

static bool
is_text(const json_t *v)
{
	return json_is_string(v) && taf_json_number(v) == NULL;
}

/* Numbers with commas between them; false where some are none. */
static bool
put_numbers(struct taf_str *s, const json_t *v)
{
	const json_t *one = v;
	size_t k, n = json_is_array(v) ? json_array_size(v) : 1;

	for (k = 0; k < n; k++) {
		one = json_is_array(v) ? json_array_get(v, k) : v;
		if (taf_json_number(one) == NULL)
			return false;
		taf_str_puts(s, k > 0 ? "," : "");
		taf_str_puts(s, taf_json_number(one));
	}
	return n > 0;
}

/* A float as xarray writes it into version 3: the base64 of a little-endian double. */
static bool
put_encoded(struct taf_str *s, const struct taf_zarr_array *z, const json_t *v)
{
	struct taf_buf bytes = { 0 };
	struct taf_err none = { 0 };
	const bool is = z->version == 3 && taf_type_facts(z->nd.type)->kind ==
	    TAF_FLOAT && is_text(v) && taf_base64_get(&bytes, json_string_value(v),
	    &none) == TAF_OK && bytes.len == 8;

	if (is)
		taf_str_f64(s, taf_getf64((const unsigned char *)bytes.data, false));
	taf_buf_free(&bytes);
	return is;
}

/* Any other attribute, of the array or of dimension k: zarr/NAME. */
static enum taf_status
put(const struct taf_zarr_array *z, struct taf_array *a, unsigned k, const char *name,
    const json_t *v, struct taf_err *e)
{
	struct taf_str key = { .err = e }, value = { .err = e };
	bool bare = taf_json_number(v) != NULL;
	enum taf_status st;

	if (taf_missing_name(name) && (put_numbers(&value, v) || put_encoded(&value, z,
	    v))) {
		bare = true;
	} else {
		taf_str_free(&value);
		if (is_text(v))
			taf_str_puts(&value, json_string_value(v));
		else
			taf_json_print(&value, v);
	}
	taf_str_printf(&key, TAF_MISSING_ZARR "%s", name);
	taf_str_put(&value, "", 0);
	st = key.st != TAF_OK ? key.st : value.st;
	if (st == TAF_OK)
		st = set(a, k, key.buf.data, value.buf.data, e);
	if (st == TAF_OK && bare)
		taf_attr_bare(a, key.buf.data, k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY, k);
	taf_str_free(&key);
	taf_str_free(&value);
	return st;
}

/*
 * What taf2zarr has called taf:KEY, of the array or of dimension k; with the array, of an
 * index where @N is behind that.  *put is false where it is none of those.  The grid of
 * an index is one where the length is still so.
 */
static enum taf_status
put_ours(struct taf_array *a, unsigned k, const char *name, const json_t *v, bool reverse,
    bool *put, struct taf_err *e)
{
	const char *number = taf_json_number(v);
	struct taf_attr_name of = { NULL, TAF_OF_ARRAY, 0 };
	struct taf_buf key = { 0 };
	double grid[3] = { 0 };
	enum taf_status st;
	size_t n = strlen(name), i;

	taf_scope_parse(name, &n, &of.scope, &of.index);
	*put = of.scope != TAF_OF_DIM || (of.index <= a->ndim && k == 0);
	if (of.scope == TAF_OF_DIM && reverse)
		of.index = a->ndim + 1 - of.index;
	if (*put && of.scope == TAF_OF_DIM && n == strlen(TAF_ZARR_GRID) &&
	    strncmp(name, TAF_ZARR_GRID, n) == 0) {
		struct taf_dim *d = &a->dim[of.index - 1];

		for (i = 0; i < 3 && taf_json_real(json_array_get(v, i), &grid[i]); i++)
			continue;
		if (i == 3 && (double)d->n - grid[0] == 0)
			*d = (struct taf_dim){ d->n, grid[1], grid[2] };
		return TAF_OK;
	}
	*put = *put && strncmp(name, "taf:", 4) == 0 && n > 4 && json_is_string(v);
	if (!*put)
		return TAF_OK;
	if (k > 0)
		of = (struct taf_attr_name){ NULL, TAF_OF_DIM, k };
	st = taf_unescape(&key, name + 4, n - 4, true, e);
	of.key = key.data;
	if (st == TAF_OK)
		st = number != NULL ? taf_attr_setn(a, &of, number, strlen(number), e) :
		    taf_attr_setn(a, &of, json_string_value(v), json_string_length(v), e);
	if (st == TAF_OK && number != NULL)
		taf_attr_bare(a, of.key, of.scope, of.index);
	taf_buf_free(&key);
	return st;
}

/* How stored numbers become values. */
struct packing {
	bool mapped;
	bool said, odd;		/* by attributes, which may make no sense */
	double slope, intercept;
};

/* scale_factor and add_offset apply behind what a filter has said. */
static struct packing
packing(const struct taf_zarr_array *z)
{
	const json_t *scale = json_object_get(z->attrs, "scale_factor");
	const json_t *offset = json_object_get(z->attrs, "add_offset");
	struct packing p = { .mapped = isfinite(z->slope), .slope = z->slope,
		.intercept = z->intercept };
	double slope = 1, intercept = 0;

	p.odd = (scale != NULL || offset != NULL) && (taf_type_is_pair(z->nd.type) ||
	    (scale != NULL && (!taf_json_real(scale, &slope) || slope == 0)) ||
	    (offset != NULL && !taf_json_real(offset, &intercept)));
	p.said = !p.odd && (scale != NULL || offset != NULL);
	if (p.said) {
		p.slope = p.mapped ? slope * p.slope : slope;
		p.intercept = p.mapped ? slope * p.intercept + intercept : intercept;
		p.mapped = true;
	}
	return p;
}

/* Dimension names become labels: those of v2 are xarray's. */
static enum taf_status
put_labels(const struct taf_zarr_array *z, const json_t *names, bool reverse,
    struct taf_array *a, struct taf_err *e)
{
	const unsigned rank = z->nd.ndim;
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < rank && json_array_size(names) == rank && st == TAF_OK; k++) {
		const json_t *v = json_array_get(names, k);

		if (is_text(v) && json_string_length(v) > 0)
			st = set(a, reverse ? rank - k : k + 1, "label",
			    json_string_value(v), e);
	}
	return st;
}

/* All attributes but those of the packing, where that was taken, and of missing ones. */
static enum taf_status
put_all(const struct taf_zarr_array *z, struct taf_array *a, unsigned k, bool packed,
    bool grid, bool reverse, struct taf_err *e)
{
	const json_t *dims = json_object_get(z->attrs, "_ARRAY_DIMENSIONS");
	enum taf_status st = TAF_OK;
	const char *key;
	bool ours;
	json_t *v;

	json_object_foreach(z->attrs, key, v) {
		if (st != TAF_OK)
			break;
		/* netCDF's own tell how its attributes were typed */
		if (v == dims || strcmp(key, TAF_ZARR_UNNAMED) == 0 ||
		    strncmp(key, "_NCZARR_", 8) == 0 || (packed &&
		    (strcmp(key, "scale_factor") == 0 ||
		    strcmp(key, "add_offset") == 0)) || (k > 0 && (strcmp(key,
		    TAF_ZARR_GRID) == 0 || (packed && taf_missing_name(key)))))
			continue;
		ours = true;
		if (is_text(v) && strcmp(key, "units") == 0 && grid)
			st = set(a, k, "unit", json_string_value(v), e);
		else if (is_text(v) && strcmp(key, "long_name") == 0)
			st = set(a, k, "label", k == 0 || json_string_length(v) > 0 ?
			    json_string_value(v) : NULL, e);
		else if (is_text(v) && strcmp(key, "comment") == 0 && k == 0)
			st = taf_buf_put(&a->comment, json_string_value(v),
			    json_string_length(v), e);
		else
			st = put_ours(a, k, key, v, reverse, &ours, e);
		if (st == TAF_OK && !ours)
			st = put(z, a, k, key, v, e);
	}
	return st;
}

enum taf_status
taf_zarr_describe(const struct taf_zarr_array *z, bool reverse, struct taf_array *a,
    struct taf_err *e)
{
	const struct packing p = packing(z);
	enum taf_status st = put_labels(z, z->names != NULL ? z->names :
	    json_object_get(z->attrs, "_ARRAY_DIMENSIONS"), reverse, a, e);

	if (p.mapped) {
		a->slope = p.slope;
		a->intercept = p.intercept;
	}
	if (st == TAF_OK && (z->nd.logical || z->nd.half))
		st = set(a, 0, "zarr:type", z->nd.logical ? "bool" : "float16", e);
	if (st == TAF_OK && z->nd.ndim == 0)
		st = set(a, 0, "ndim", "0", e);
	taf_attr_bare(a, "ndim", TAF_OF_ARRAY, 0);
	return st == TAF_OK ? put_all(z, a, 0, p.said, true, reverse, e) : st;
}

/* A number that the attribute is; NaN where it is none. */
static double
real(const struct taf_zarr_array *z, const char *name)
{
	double x;

	return taf_json_real(json_object_get(z->attrs, name), &x) ? x : NAN;
}

bool
taf_zarr_coordinates(const struct taf_zarr_array *z, struct taf_coordinates *c,
    double grid[2])
{
	const json_t *told = json_object_get(z->attrs, TAF_ZARR_GRID);
	const struct packing p = packing(z);

	*c = (struct taf_coordinates){ .n = z->nd.n[0], .type = z->nd.type,
		.half = z->nd.half, .mapped = p.mapped, .slope = p.slope,
		.intercept = p.intercept,
		.missing = { real(z, "_FillValue"), real(z, "missing_value") } };
	if (json_array_size(told) == 2 && taf_json_real(json_array_get(told, 0),
	    &grid[0]) && taf_json_real(json_array_get(told, 1), &grid[1]))
		c->grid = grid;
	return z->refused[0] == '\0' && z->nd.ndim == 1 && !p.odd &&
	    !taf_type_is_pair(z->nd.type);
}

enum taf_status
taf_zarr_describe_dim(const struct taf_zarr_array *z, const char *name, unsigned k,
    bool grid, struct taf_array *a, struct taf_err *e)
{
	const char *label;

	if (put_all(z, a, k, grid && packing(z).said, grid, false, e) != TAF_OK)
		return e->code;
	label = taf_attr_get(a, "label", TAF_OF_DIM, k);
	return taf_zarr_unnamed(z, name) || (label != NULL && strcmp(label, name) == 0) ?
	    TAF_OK : set(a, k, TAF_ZARR_NAME, name, e);
}
