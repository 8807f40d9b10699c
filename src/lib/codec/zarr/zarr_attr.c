/* SPDX-License-Identifier: ISC */
/* link: jansson */
/* Attributes of Zarr arrays, as they are read, and as they are written. */
#include "codec/zarr/zarr.h"

#include "config.h"

#include <math.h>
#include <string.h>

#include "array/missing.h"
#include "base/base64.h"
#include "base/endian.h"
#include "codec/escape.h"
#include "codec/jansson.h"
#include "codec/json.h"
#include "codec/tag.h"

enum { LONGEST = 1 << 20 };	/* points of a dimension that has coordinates */

bool
taf_zarr_unnamed(const struct taf_zarr_array *z, const char *name)
{
	const json_t *all = json_object_get(z->attrs, TAF_ZARR_UNNAMED);
	const char *text;
	size_t k;

	for (k = 0; k < json_array_size(all); k++) {
		text = taf_json_text(json_array_get(all, k));
		if (text != NULL && strcmp(text, name) == 0)
			return true;
	}
	return false;
}

/* A float as xarray writes it into version 3: the base64 of a little-endian double. */
static bool
put_encoded(struct taf_str *s, const struct taf_zarr_array *z, const json_t *v)
{
	const char *text = taf_json_text(v);
	struct taf_buf bytes = { 0 };
	struct taf_err none = { 0 };
	const bool is = z->version == 3 && taf_type_facts(z->nd.type)->kind ==
	    TAF_FLOAT && text != NULL && taf_base64_get(&bytes, text, &none) == TAF_OK &&
	    bytes.len == 8;

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
	if (taf_missing_name(name) && (taf_json_numbers(&value, v) ||
	    put_encoded(&value, z, v)))
		(void)taf_tag_str(a, k, key.buf.data, &value, true, e);
	else
		(void)taf_json_tag(a, k, key.buf.data, v, e);
	taf_str_free(&key);
	taf_str_free(&value);
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
	const char *number, *text;
	double grid[3] = { 0 };
	size_t n = strlen(name);

	taf_scope_parse(name, &n, &of.scope, &of.index);
	if (of.scope == TAF_OF_DIM && (of.index > a->ndim || k > 0))
		return false;
	if (of.scope == TAF_OF_DIM && reverse)
		of.index = a->ndim + 1 - of.index;
	if (of.scope == TAF_OF_DIM && n == strlen(TAF_ZARR_GRID) &&
	    strncmp(name, TAF_ZARR_GRID, n) == 0) {
		struct taf_dim *d = &a->dim[of.index - 1];

		if (taf_json_reals(v, 3, grid) && (double)d->n - grid[0] == 0)
			*d = (struct taf_dim){ d->n, grid[1], grid[2] };
		return true;
	}
	if (strncmp(name, "taf:", 4) != 0 || n == 4 || !json_is_string(v))
		return false;
	if (k > 0)
		of = (struct taf_attr_name){ NULL, TAF_OF_DIM, k };
	number = taf_json_number(v);
	text = number != NULL ? number : json_string_value(v);
	(void)taf_tag_escaped(a, &of, name + 4, n - 4, text, strlen(text),
	    number != NULL, e);
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
	const char *key, *text;
	json_t *v;

	json_object_foreach(z->attrs, key, v) {
		if (e->code != TAF_OK)
			break;
		if (is_told(key, k, packed))
			continue;
		text = taf_json_text(v);
		if (text != NULL && strcmp(key, "units") == 0 && grid)
			(void)taf_tag(a, k, "unit", text, e);
		else if (text != NULL && strcmp(key, "long_name") == 0)
			(void)taf_tag(a, k, "label", k == 0 || text[0] != '\0' ? text :
			    NULL, e);
		else if (text != NULL && strcmp(key, "comment") == 0 && k == 0)
			(void)taf_tag_comment(a, text, strlen(text), e);
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
	const unsigned rank = z->nd.ndim;
	const char *label;
	unsigned k;

	/* those of version 2 are xarray's */
	for (k = 0; k < rank && json_array_size(z->names) == rank; k++) {
		label = taf_json_text(json_array_get(z->names, k));
		if (label != NULL && label[0] != '\0')
			(void)taf_tag(a, reverse ? rank - k : k + 1, "label", label, e);
	}
	if (p.mapped) {
		a->slope = p.slope;
		a->intercept = p.intercept;
	}
	if (z->nd.logical || z->nd.half)
		(void)taf_tag(a, 0, "zarr:type", z->nd.logical ? "bool" : "float16", e);
	if (rank == 0)
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
	if (json_array_size(told) == 2 && taf_json_reals(told, 2, grid))
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

/* --- writing --- */

/* A number that is marked as such is one, and so are several, as a list. */
static void
put_member(struct taf_str *to, const char *key, const struct taf_attr *t)
{
	const bool json = t->bare || strncmp(t->key, TAF_MISSING_ZARR, 5) == 0;
	struct taf_str list = { .err = to->err };
	const char *as = NULL;

	taf_str_printf(&list, "[%s]", t->value);
	to->st = to->st != TAF_OK ? to->st : list.st;
	if (to->st == TAF_OK && json && taf_json_is(to, t->value, t->bare))
		as = t->value;
	else if (to->st == TAF_OK && t->bare && taf_missing_name(key) &&
	    taf_json_is(to, list.buf.data, false))
		as = list.buf.data;
	if (as != NULL) {
		taf_str_name(to, key);
		taf_str_puts(to, as);
	} else {
		taf_str_member(to, key, t->value);
	}
	taf_str_free(&list);
}

/* The name that it has in the store by itself, or NULL. */
static const char *
own_name(const struct taf_array *a, const struct taf_attr *t)
{
	static const char *const ours[] = { "", "_ARRAY_DIMENSIONS", "units", "long_name",
		"scale_factor", "add_offset", "comment", TAF_ZARR_GRID,
		TAF_ZARR_UNNAMED };
	const char *name = t->scope == TAF_OF_COMPONENT ? NULL :
	    taf_missing_tail(t->key);
	char key[64] = TAF_MISSING_ZARR;
	size_t i;

	/* of others what tells that elements are missing, where nothing here does */
	if (name == NULL || strncmp(name, "taf:", 4) == 0 ||
	    (strncmp(t->key, TAF_MISSING_ZARR, 5) != 0 && (!t->bare ||
	    !taf_missing_name(name) ||
	    taf_attr_get(a, strcat(key, name), t->scope, t->index) != NULL)))
		return NULL;
	for (i = 0; i < sizeof ours / sizeof ours[0]; i++)
		if (strcmp(name, ours[i]) == 0)
			return NULL;
	return name;
}

/* Any other attribute: its own name, or taf:KEY, with the index of its dimension. */
static void
put_other(struct taf_str *to, const struct taf_array *a, const struct taf_attr *t,
    bool within, bool reverse)
{
	const char *name = own_name(a, t);
	struct taf_str key = { .err = to->err };
	struct taf_attr of = *t;

	if (name == NULL || (t->scope == TAF_OF_DIM && !within)) {
		if (t->scope == TAF_OF_DIM && within)
			of.scope = TAF_OF_ARRAY;
		else if (t->scope == TAF_OF_DIM && reverse)
			of.index = a->ndim + 1 - t->index;
		taf_str_puts(&key, "taf:");
		taf_key_format(&key, &of);
		name = key.st == TAF_OK ? key.buf.data : "";
		to->st = to->st != TAF_OK ? to->st : key.st;
	}
	put_member(to, name, t);
	taf_str_free(&key);
}

bool
taf_zarr_too_long(const struct taf_array *a, unsigned k)
{
	return a->dim[k - 1].n > LONGEST;
}

/* Grids that no axis tells; with the length, for what is sliced has another one. */
static void
put_grids(struct taf_str *to, const struct taf_array *a, bool reverse)
{
	unsigned k;

	for (k = 1; k <= a->ndim; k++) {
		const struct taf_dim *d = &a->dim[k - 1];

		if (taf_zarr_too_long(a, k) && !taf_dim_plain(d))
			taf_str_printf(to, "%s\"" TAF_ZARR_GRID "@%u\":[%llu,%s,%s]",
			    to->buf.len > 0 ? "," : "", reverse ? a->ndim + 1 - k : k,
			    (unsigned long long)d->n, taf_f64(d->start).s,
			    taf_f64(d->step).s);
	}
}

/* Is t one of those of the array, or of its dimension k, and not told otherwise? */
static bool
is_other(const struct taf_array *a, unsigned k, const struct taf_attr *t)
{
	const bool label = strcmp(t->key, "label") == 0;
	const bool unit = strcmp(t->key, "unit") == 0;

	if (t->scope == TAF_OF_DIM)
		return !label && strcmp(t->key, TAF_ZARR_NAME) != 0 &&
		    (k > 0 ? t->index == k && !unit :
		    t->index <= a->ndim && taf_zarr_too_long(a, t->index));
	return k == 0 && (t->scope != TAF_OF_ARRAY || !(unit || label));
}

void
taf_zarr_format_attrs(const struct taf_array *a, unsigned k, const char *name,
    bool reverse, struct taf_str *to)
{
	const enum taf_scope scope = k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY;
	const char *label = taf_attr_get(a, "label", scope, k);
	size_t i;

	taf_str_member(to, "units", taf_attr_get(a, "unit", scope, k));
	if (k == 0 || label == NULL || strcmp(label, name) != 0)
		taf_str_member(to, "long_name", k > 0 && label == NULL ? "" : label);
	if (k > 0) {
		taf_str_name(to, TAF_ZARR_GRID);
		taf_str_printf(to, "[%s,%s]", taf_f64(a->dim[k - 1].start).s,
		    taf_f64(a->dim[k - 1].step).s);
	} else {
		if (taf_array_mapped(a))
			taf_str_printf(to, "%s\"scale_factor\":%s,\"add_offset\":%s",
			    to->buf.len > 0 ? "," : "", taf_f64(a->slope).s,
			    taf_f64(a->intercept).s);
		taf_str_member(to, "comment", a->comment.len > 0 ? a->comment.data :
		    NULL);
		put_grids(to, a, reverse);
	}
	for (i = 0; i < a->nattrs; i++)
		if (is_other(a, k, &a->attrs[i]))
			put_other(to, a, &a->attrs[i], k > 0, reverse);
}
