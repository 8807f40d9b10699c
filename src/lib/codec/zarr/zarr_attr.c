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
#include "codec/tag.h"

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
static void
put(const struct taf_zarr_array *z, struct taf_array *a, unsigned k, const char *name,
    const json_t *v, struct taf_err *e)
{
	struct taf_str key = { .err = e }, value = { .err = e };

	taf_str_printf(&key, TAF_MISSING_ZARR "%s", name);
	if (taf_missing_name(name) && (put_numbers(&value, v) ||
	    put_encoded(&value, z, v)))
		(void)taf_tag_str(a, k, key.buf.data, &value, true, e);
	else
		(void)taf_json_tag(a, k, key.buf.data, v, e);
	taf_str_free(&key);
	taf_str_free(&value);
}

/* Text, or a number, under a name. */
static void
put_as(struct taf_array *a, const struct taf_attr_name *of, const json_t *v,
    struct taf_err *e)
{
	const char *number = taf_json_number(v);
	const size_t n = number != NULL ? strlen(number) : json_string_length(v);

	if (taf_attr_setn(a, of, number != NULL ? number : json_string_value(v), n, e) ==
	    TAF_OK && number != NULL)
		taf_attr_bare(a, of->key, of->scope, of->index);
}

/*
 * What taf2zarr has called taf:KEY, of the array or of dimension k; with the array, of an
 * index where @N is behind that.  False where it is none of those.  The grid of an index
 * is one where the length is still so.
 */
static bool
put_ours(struct taf_array *a, unsigned k, const char *name, const json_t *v, bool reverse,
    struct taf_err *e)
{
	struct taf_attr_name of = { NULL, TAF_OF_ARRAY, 0 };
	struct taf_buf key = { 0 };
	double grid[3] = { 0 };
	size_t n = strlen(name), i;

	taf_scope_parse(name, &n, &of.scope, &of.index);
	if (of.scope == TAF_OF_DIM && (of.index > a->ndim || k > 0))
		return false;
	if (of.scope == TAF_OF_DIM && reverse)
		of.index = a->ndim + 1 - of.index;
	if (of.scope == TAF_OF_DIM && n == strlen(TAF_ZARR_GRID) &&
	    strncmp(name, TAF_ZARR_GRID, n) == 0) {
		struct taf_dim *d = &a->dim[of.index - 1];

		for (i = 0; i < 3 && taf_json_real(json_array_get(v, i), &grid[i]); i++)
			continue;
		if (i == 3 && (double)d->n - grid[0] == 0)
			*d = (struct taf_dim){ d->n, grid[1], grid[2] };
		return true;
	}
	if (strncmp(name, "taf:", 4) != 0 || n == 4 || !json_is_string(v))
		return false;
	if (k > 0)
		of = (struct taf_attr_name){ NULL, TAF_OF_DIM, k };
	if (taf_unescape(&key, name + 4, n - 4, true, e) == TAF_OK) {
		of.key = key.data;
		put_as(a, &of, v, e);
	}
	taf_buf_free(&key);
	return true;
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
static void
put_labels(const struct taf_zarr_array *z, bool reverse, struct taf_array *a,
    struct taf_err *e)
{
	const unsigned rank = z->nd.ndim;
	unsigned k;

	for (k = 0; k < rank && json_array_size(z->names) == rank; k++) {
		const json_t *v = json_array_get(z->names, k);

		if (is_text(v) && json_string_length(v) > 0)
			(void)taf_tag(a, reverse ? rank - k : k + 1, "label",
			    json_string_value(v), e);
	}
}

/* Is it told otherwise?  So are the packing, if that was taken, and what is missing. */
static bool
is_told(const char *key, unsigned k, bool packed)
{
	/* netCDF's own tell how its attributes were typed */
	return strcmp(key, "_ARRAY_DIMENSIONS") == 0 ||
	    strcmp(key, TAF_ZARR_UNNAMED) == 0 || strncmp(key, "_NCZARR_", 8) == 0 ||
	    (packed && (strcmp(key, "scale_factor") == 0 ||
	    strcmp(key, "add_offset") == 0)) ||
	    (k > 0 && (strcmp(key, TAF_ZARR_GRID) == 0 ||
	    (packed && taf_missing_name(key))));
}

static enum taf_status
put_all(const struct taf_zarr_array *z, struct taf_array *a, unsigned k, bool packed,
    bool grid, bool reverse, struct taf_err *e)
{
	const char *key;
	json_t *v;

	json_object_foreach(z->attrs, key, v) {
		const char *text = is_text(v) ? json_string_value(v) : NULL;

		if (e->code != TAF_OK)
			break;
		if (is_told(key, k, packed))
			continue;
		if (text != NULL && strcmp(key, "units") == 0 && grid)
			(void)taf_tag(a, k, "unit", text, e);
		else if (text != NULL && strcmp(key, "long_name") == 0)
			(void)taf_tag(a, k, "label", k == 0 || text[0] != '\0' ? text :
			    NULL, e);
		else if (text != NULL && strcmp(key, "comment") == 0 && k == 0)
			(void)taf_tag_comment(a, text, json_string_length(v), e);
		else if (!put_ours(a, k, key, v, reverse, e))
			put(z, a, k, key, v, e);
	}
	return e->code;
}

enum taf_status
taf_zarr_describe(const struct taf_zarr_array *z, bool reverse, struct taf_array *a,
    struct taf_err *e)
{
	const struct packing p = packing(z);

	put_labels(z, reverse, a, e);
	if (p.mapped) {
		a->slope = p.slope;
		a->intercept = p.intercept;
	}
	if (z->nd.logical || z->nd.half)
		(void)taf_tag(a, 0, "zarr:type", z->nd.logical ? "bool" : "float16", e);
	if (z->nd.ndim == 0)
		(void)taf_tag_u64(a, "ndim", 0, e);
	return put_all(z, a, 0, p.said, true, reverse, e);
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
	    TAF_OK : taf_tag(a, k, TAF_ZARR_NAME, name, e);
}
