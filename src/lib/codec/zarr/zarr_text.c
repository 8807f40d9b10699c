/* SPDX-License-Identifier: ISC */
/* link: jansson */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "codec/escape.h"
#include "codec/jansson.h"
#include "codec/json.h"
#include "codec/zarr/zarr_put.h"

enum { LONGEST = 1 << 20 };	/* points of a dimension that has coordinates */

/* --- metadata --- */

static void
put_lengths(struct taf_str *to, const uint64_t n[], unsigned rank)
{
	unsigned k;

	taf_str_puts(to, "[");
	for (k = 0; k < rank; k++)
		taf_str_printf(to, "%s%llu", k > 0 ? "," : "", (unsigned long long)n[k]);
	taf_str_puts(to, "]");
}

/* What packs bytes: its name, and its numbers as either version has them. */
static void
put_packing(struct taf_str *to, const struct taf_pack *pack, bool three)
{
	static const char *const names[] = { [TAF_PACKING_ZLIB] = "zlib",
		[TAF_PACKING_GZIP] = "gzip", [TAF_PACKING_ZSTD] = "zstd",
		[TAF_PACKING_BLOSC] = "blosc" };
	const char *name = names[pack->packing];

	taf_str_printf(to, three ? "{\"name\":\"%s\",\"configuration\":{" :
	    "{\"id\":\"%s\",", name);
	if (pack->packing == TAF_PACKING_BLOSC)
		taf_str_printf(to, "\"cname\":\"%s\",\"clevel\":%d,\"blocksize\":0,"
		    "\"shuffle\":", pack->codec, pack->level);
	else
		taf_str_printf(to, "\"level\":%d", pack->level);
	if (pack->packing == TAF_PACKING_BLOSC && !three)
		taf_str_puts(to, "2");
	else if (pack->packing == TAF_PACKING_BLOSC)
		taf_str_printf(to, "\"bitshuffle\",\"typesize\":%zu", pack->size);
	else if (pack->packing == TAF_PACKING_ZSTD && three)
		taf_str_puts(to, ",\"checksum\":false");
	taf_str_puts(to, three ? "}}" : "}");
}

static void
format_v2(const struct taf_zarr_array *z, const struct taf_pack *pack, struct taf_str *to)
{
	taf_str_puts(to, "{\"zarr_format\":2,\"shape\":");
	put_lengths(to, z->nd.n, z->nd.ndim);
	taf_str_puts(to, ",\"chunks\":");
	put_lengths(to, z->chunk, z->nd.ndim);
	taf_str_printf(to, ",\"dtype\":\"%c%s\",\"order\":\"%c\",\"compressor\":",
	    taf_type_word(z->nd.type) > 1 ? '<' : '|', taf_ndarray_name(&z->nd),
	    z->nd.ndim > 1 && z->order[0] != 0 ? 'F' : 'C');
	if (pack != NULL)
		put_packing(to, pack, false);
	else
		taf_str_puts(to, "null");
	/* xarray would take each 0 for missing, were it the fill value */
	taf_str_puts(to, ",\"filters\":null,\"fill_value\":null}");
}

/* From an array to the bytes of a chunk. */
static void
put_codecs(struct taf_str *to, const struct taf_zarr_array *z,
    const struct taf_pack *pack)
{
	uint64_t order[TAF_MAX_DIM];
	unsigned k;

	for (k = 0; k < z->nd.ndim; k++)
		order[k] = z->order[k];
	taf_str_puts(to, "[");
	if (z->nd.ndim > 1 && order[0] != 0) {
		taf_str_puts(to, "{\"name\":\"transpose\",\"configuration\":{\"order\":");
		put_lengths(to, order, z->nd.ndim);
		taf_str_puts(to, "}},");
	}
	taf_str_puts(to, "{\"name\":\"bytes\"");
	if (taf_type_word(z->nd.type) > 1)
		taf_str_puts(to, ",\"configuration\":{\"endian\":\"little\"}");
	taf_str_puts(to, "}");
	if (pack != NULL) {
		taf_str_puts(to, ",");
		put_packing(to, pack, true);
	}
	taf_str_puts(to, "]");
}

static void
format_v3(const struct taf_zarr_array *z, const struct taf_pack *pack, const char *names,
    const char *attrs, struct taf_str *to)
{
	static const char *const types[TAF_NTYPES] = { "int8", "uint8", "int16", "uint16",
		"int32", "uint32", "int64", "uint64", "float32", "float64", "complex64",
		"complex128" };

	taf_str_puts(to, "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":");
	put_lengths(to, z->nd.n, z->nd.ndim);
	taf_str_printf(to, ",\"data_type\":\"%s\",\"chunk_grid\":{\"name\":\"regular\","
	    "\"configuration\":{\"chunk_shape\":", types[z->nd.type]);
	put_lengths(to, z->shard, z->nd.ndim);
	taf_str_printf(to, "}},\"chunk_key_encoding\":{\"name\":\"default\","
	    "\"configuration\":{\"separator\":\"%c\"}},\"fill_value\":%s,\"codecs\":",
	    z->separator, taf_type_is_pair(z->nd.type) ? "[0,0]" : "0");
	if (z->sharded) {
		taf_str_puts(to, "[{\"name\":\"sharding_indexed\",\"configuration\":"
		    "{\"chunk_shape\":");
		put_lengths(to, z->chunk, z->nd.ndim);
		taf_str_puts(to, ",\"codecs\":");
	}
	put_codecs(to, z, pack);
	if (z->sharded)
		taf_str_puts(to, ",\"index_codecs\":[{\"name\":\"bytes\","
		    "\"configuration\":{\"endian\":\"little\"}},{\"name\":\"crc32c\"}],"
		    "\"index_location\":\"end\"}}]");
	taf_str_printf(to, ",\"attributes\":{%s},\"dimension_names\":%s}", attrs, names);
}

void
taf_zarr_format(const struct taf_zarr_array *z, const struct taf_pack *pack,
    const char *names, const char *attrs, struct taf_str *to)
{
	if (z->version == 2)
		format_v2(z, pack, to);
	else
		format_v3(z, pack, names, attrs, to);
}

/* --- attributes --- */

/*
 * Is it JSON as zarr2taf prints it: a number, or what is neither number nor text?  to
 * fails without memory.
 */
static bool
is_json(struct taf_str *to, const char *text, bool number)
{
	struct taf_str again = { .err = to->err };
	json_t *root = taf_json_alone(to, text, true);
	const json_t *v = json_object_get(root, "");
	bool is = v != NULL && (taf_json_number(v) != NULL) == number &&
	    (number || !json_is_string(v));

	if (is)
		taf_json_print(&again, v);
	is = is && again.st == TAF_OK && strcmp(again.buf.data, text) == 0;
	to->st = to->st != TAF_OK ? to->st : again.st;
	json_decref(root);
	taf_str_free(&again);
	return is;
}

/* What stands before the value of a member. */
static void
put_key(struct taf_str *to, const char *key)
{
	taf_str_puts(to, to->buf.len > 0 ? "," : "");
	taf_str_json(to, key, strlen(key));
	taf_str_puts(to, ":");
}

static void
put_text(struct taf_str *to, const char *key, const char *value)
{
	if (value == NULL)
		return;
	put_key(to, key);
	taf_str_json(to, value, strlen(value));
}

/* A number that is marked as such is one, and so are several, as a list. */
static void
put_member(struct taf_str *to, const char *key, const struct taf_attr *t)
{
	const bool json = strncmp(t->key, TAF_MISSING_ZARR, 5) == 0 &&
	    is_json(to, t->value, false);
	struct taf_str list = { .err = to->err };

	taf_str_printf(&list, "[%s]", t->value);
	if (list.st != TAF_OK) {
		to->st = list.st;
	} else if (t->bare ? is_json(to, t->value, true) : json) {
		put_key(to, key);
		taf_str_puts(to, t->value);
	} else if (t->bare && taf_missing_name(key) &&
	    is_json(to, list.buf.data, false)) {
		put_key(to, key);
		taf_str_puts(to, list.buf.data);
	} else {
		put_text(to, key, t->value);
	}
	taf_str_free(&list);
}

/* The name that it has in the store by itself, or NULL. */
static const char *
own_name(const struct taf_array *a, const struct taf_attr *t)
{
	static const char *const ours[] = { "_ARRAY_DIMENSIONS", "units", "long_name",
		"scale_factor", "add_offset", "comment", TAF_ZARR_GRID,
		TAF_ZARR_UNNAMED };
	const char *name = NULL;
	char key[64] = TAF_MISSING_ZARR;
	size_t i;

	if (t->scope == TAF_OF_COMPONENT)
		return NULL;
	if (strncmp(t->key, TAF_MISSING_ZARR, 5) == 0)
		name = t->key + 5;
	else if (t->bare &&
	    strncmp(t->key, TAF_MISSING_KEY, strlen(TAF_MISSING_KEY)) == 0 &&
	    taf_missing_name(t->key + strlen(TAF_MISSING_KEY)))
		name = strcat(key, t->key + strlen(TAF_MISSING_KEY));
	if (name == key) {
		if (taf_attr_get(a, key, t->scope, t->index) != NULL)
			return NULL;
		name = t->key + strlen(TAF_MISSING_KEY);
	}
	for (i = 0; name != NULL && i < sizeof ours / sizeof ours[0]; i++)
		if (strcmp(name, ours[i]) == 0)
			return NULL;
	return name != NULL && name[0] != '\0' && strncmp(name, "taf:", 4) != 0 ? name :
	    NULL;
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
		to->st = key.st;
	}
	put_member(to, name, t);
	taf_str_free(&key);
}

/* Does it only say what a dimension is called? */
static bool
is_name(const struct taf_attr *t)
{
	return strcmp(t->key, "label") == 0 || strcmp(t->key, TAF_ZARR_NAME) == 0;
}

bool
taf_zarr_too_long(const struct taf_array *a, unsigned k)
{
	return a->dim[k - 1].n > LONGEST;
}

static bool
is_plain(const struct taf_dim *d)
{
	return d->start >= 1 && d->start <= 1 && d->step >= 1 && d->step <= 1;
}

bool
taf_zarr_has_axis(const struct taf_array *a, unsigned k)
{
	size_t i;

	for (i = 0; i < a->nattrs; i++)
		if (a->attrs[i].scope == TAF_OF_DIM && a->attrs[i].index == k &&
		    !is_name(&a->attrs[i]))
			return !taf_zarr_too_long(a, k);
	return !is_plain(&a->dim[k - 1]) && !taf_zarr_too_long(a, k);
}

/* Grids that no axis tells; with the length, for what is sliced has another one. */
static void
put_grids(struct taf_str *to, const struct taf_array *a, bool reverse)
{
	unsigned k;

	for (k = 1; k <= a->ndim; k++) {
		const struct taf_dim *d = &a->dim[k - 1];

		if (taf_zarr_too_long(a, k) && !is_plain(d))
			taf_str_printf(to, "%s\"" TAF_ZARR_GRID "@%u\":[%llu,%s,%s]",
			    to->buf.len > 0 ? "," : "", reverse ? a->ndim + 1 - k : k,
			    (unsigned long long)d->n, taf_f64(d->start).s,
			    taf_f64(d->step).s);
	}
}

void
taf_zarr_format_attrs(const struct taf_array *a, unsigned k, const char *name,
    bool reverse, struct taf_str *to)
{
	const enum taf_scope scope = k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY;
	const char *label = taf_attr_get(a, "label", scope, k);
	size_t i;

	put_text(to, "units", taf_attr_get(a, "unit", scope, k));
	if (k == 0 || label == NULL || strcmp(label, name) != 0)
		put_text(to, "long_name", k > 0 && label == NULL ? "" : label);
	if (k > 0) {
		put_key(to, TAF_ZARR_GRID);
		taf_str_printf(to, "[%s,%s]", taf_f64(a->dim[k - 1].start).s,
		    taf_f64(a->dim[k - 1].step).s);
	}
	if (k == 0 && taf_array_mapped(a)) {
		put_key(to, "scale_factor");
		taf_str_f64(to, a->slope);
		put_key(to, "add_offset");
		taf_str_f64(to, a->intercept);
	}
	if (k == 0) {
		if (a->comment.len > 0)
			put_text(to, "comment", a->comment.data);
		put_grids(to, a, reverse);
	}
	for (i = 0; i < a->nattrs; i++) {
		const struct taf_attr *t = &a->attrs[i];
		const bool dim = t->scope == TAF_OF_DIM;
		const bool ours = k > 0 ? dim && t->index == k : !dim ||
		    (t->index <= a->ndim && taf_zarr_too_long(a, t->index));

		if (ours && !(dim ? is_name(t) || (k > 0 && strcmp(t->key, "unit") == 0) :
		    t->scope == TAF_OF_ARRAY && (strcmp(t->key, "unit") == 0 ||
		    strcmp(t->key, "label") == 0)))
			put_other(to, a, t, k > 0, reverse);
	}
}
