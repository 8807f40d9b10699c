/* link: jansson */
#include "codec/zarr/zarr.h"

#include "config.h"

#include <math.h>
#include <string.h>

#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

#include "array/missing.h"
#include "base/num.h"
#include "codec/json.h"

#ifdef HAVE_JANSSON

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

/* Any other attribute: zarr/NAME, or what marks missing elements as of HDF5. */
static enum taf_status
put(struct taf_array *a, const char *name, const json_t *v, struct taf_err *e)
{
	struct taf_str key = { .err = e }, value = { .err = e };
	const bool marks = taf_missing_name(name) && put_numbers(&value, v);
	const char *number = taf_json_number(v);
	enum taf_status st;

	if (!marks) {
		taf_str_free(&value);
		if (is_text(v))
			taf_str_puts(&value, json_string_value(v));
		else
			taf_json_print(&value, v);
	}
	taf_str_printf(&key, "%s%s", marks ? TAF_MISSING_KEY : "zarr/", name);
	taf_str_put(&value, "", 0);
	st = key.st != TAF_OK ? key.st : value.st;
	if (st == TAF_OK)
		st = set(a, 0, key.buf.data, value.buf.data, e);
	if (st == TAF_OK && (marks || number != NULL))
		taf_attr_bare(a, key.buf.data, TAF_OF_ARRAY, 0);
	taf_str_free(&key);
	taf_str_free(&value);
	return st;
}

/* scale_factor and add_offset apply behind what a filter has said. */
static bool
map(const struct taf_zarr_array *z, struct taf_array *a)
{
	const json_t *scale = json_object_get(z->attrs, "scale_factor");
	const json_t *offset = json_object_get(z->attrs, "add_offset");
	const bool filtered = isfinite(z->slope);
	double slope = 1, intercept = 0;

	if (filtered) {
		a->slope = z->slope;
		a->intercept = z->intercept;
	}
	if ((scale == NULL && offset == NULL) || taf_type_is_pair(a->type) ||
	    (scale != NULL && (!taf_json_real(scale, &slope) || slope == 0)) ||
	    (offset != NULL && !taf_json_real(offset, &intercept)))
		return false;
	a->slope = filtered ? slope * z->slope : slope;
	a->intercept = filtered ? slope * z->intercept + intercept : intercept;
	return true;
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

enum taf_status
taf_zarr_describe(const struct taf_zarr_array *z, bool reverse, struct taf_array *a,
    struct taf_err *e)
{
	const json_t *dims = json_object_get(z->attrs, "_ARRAY_DIMENSIONS");
	const bool mapped = map(z, a);
	enum taf_status st = put_labels(z, z->names != NULL ? z->names : dims, reverse,
	    a, e);
	const char *key;
	json_t *v;

	if (st == TAF_OK && (z->nd.logical || z->nd.half))
		st = set(a, 0, "zarr:type", z->nd.logical ? "bool" : "float16", e);
	if (st == TAF_OK && z->nd.ndim == 0)
		st = set(a, 0, "ndim", "0", e);
	taf_attr_bare(a, "ndim", TAF_OF_ARRAY, 0);
	json_object_foreach(z->attrs, key, v) {
		if (st != TAF_OK)
			break;
		if (v == dims || (mapped && (strcmp(key, "scale_factor") == 0 ||
		    strcmp(key, "add_offset") == 0)))
			continue;
		if (is_text(v) && strcmp(key, "units") == 0)
			st = set(a, 0, "unit", json_string_value(v), e);
		else if (is_text(v) && strcmp(key, "long_name") == 0)
			st = set(a, 0, "label", json_string_value(v), e);
		else
			st = put(a, key, v, e);
	}
	return st;
}

#else

enum taf_status
taf_zarr_describe(const struct taf_zarr_array *z, bool reverse, struct taf_array *a,
    struct taf_err *e)
{
	(void)z, (void)reverse, (void)a;
	return taf_fail(e, TAF_EMISUSE, "nothing to describe");
}

#endif
