/* SPDX-License-Identifier: ISC */
/* link: jansson */
#include "codec/zarr/zarr.h"

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/num.h"
#include "codec/chunk/chunk_index.h"
#include "codec/jansson.h"
#include "codec/json.h"

enum { DEPTH = 64 };

enum taf_status
taf_zarr_unchanged(const struct taf_objects *s, const char *path,
    const struct taf_zarr_array *z, struct taf_err *e)
{
	struct taf_buf meta = { 0 };
	uint64_t state = 0;
	enum taf_status st;

	if (s->in != NULL)
		return taf_in_unchanged(s->in, e);
	st = taf_objects_text(s, path, z->version == 2 ? ".zarray" : "zarr.json", &meta,
	    &state, e);
	if (st == TAF_END || (st == TAF_OK && taf_digest(state, meta.data, meta.len) !=
	    z->digest))
		st = taf_fail(e, TAF_EDATA, "changed while it was read");
	taf_buf_free(&meta);
	return st;
}

/* A failure is about the metadata of a path. */
static enum taf_status
about(const char *path, const char *name, enum taf_status st, struct taf_err *e)
{
	const struct taf_err was = *e;

	if (st != TAF_EDATA || strstr(was.text, name) != NULL)
		return st;
	taf_err_clear(e);
	return taf_fail(e, st, "%s%s%s: %s", path, path[0] != '\0' ? "/" : "", name,
	    was.text);
}

enum taf_status
taf_zarr_look(const struct taf_objects *s, const char *path, struct taf_zarr_array *z,
    struct taf_err *e)
{
	static const char *const names[] = { ".zarray", "zarr.json", ".zgroup" };
	struct taf_buf meta = { 0 }, more = { 0 };
	struct taf_zarr_text attrs;
	enum taf_status st = TAF_END;
	uint64_t state = 0;
	unsigned k;

	memset(z, 0, sizeof *z);
	for (k = 0; k < 3 && st == TAF_END; k++)
		st = taf_objects_text(s, path, names[k], &meta, &state, e);
	k--;
	z->version = st != TAF_OK ? 0 : k == 1 ? 3 : 2;
	if (st == TAF_OK && k == 0)
		st = taf_objects_text(s, path, ".zattrs", &more, NULL, e);
	st = k == 0 && st == TAF_END ? TAF_OK : st;
	attrs = (struct taf_zarr_text){ more.data, more.len };
	if (st == TAF_OK && k < 2)
		st = taf_zarr_parse(z, z->version, &(struct taf_zarr_text){ meta.data,
		    meta.len }, more.data != NULL ? &attrs : NULL, e);
	z->group = z->version > 0 && (k == 2 || st == TAF_END);
	z->digest = taf_digest(state, meta.data, meta.len);
	taf_buf_free(&meta);
	taf_buf_free(&more);
	return z->group ? TAF_END : about(path, names[k < 2 ? k : 1], st, e);
}

enum taf_status
taf_zarr_find(const struct taf_objects *s, const char *path, struct taf_zarr_array *z,
    struct taf_err *e)
{
	const enum taf_status st = taf_zarr_look(s, path, z, e);

	if (z->group)
		return taf_fail(e, TAF_EDATA,
		    "/%s: a group: name one of the arrays that --list shows", path);
	return st == TAF_OK && z->refused[0] != '\0' ? taf_fail(e, TAF_EDATA, "/%s: %s",
	    path, z->refused) : st;
}

/* --- lists --- */

struct walk {
	const struct taf_objects *s;
	taf_zarr_each *each;
	void *ctx;
};

static enum taf_status walk(const struct walk *w, const char *path, unsigned depth,
    struct taf_err *e);

/* What lies below a group. */
static enum taf_status
walk_group(const struct walk *w, const char *path, unsigned depth, struct taf_err *e)
{
	struct taf_names names = { 0 };
	enum taf_status st = taf_objects_names(w->s, path, &names, e);
	size_t k;

	for (k = 0; k < names.n && st == TAF_OK; k++) {
		struct taf_str below = { .err = e };

		taf_str_printf(&below, "%s%s%s", path, path[0] != '\0' ? "/" : "",
		    names.name[k]);
		st = below.st;
		if (st == TAF_OK && names.name[k][0] != '.' && names.name[k][0] != '\0')
			st = walk(w, below.buf.data, depth + 1, e);
		taf_str_free(&below);
	}
	taf_names_free(&names);
	return st == TAF_END ? TAF_OK : st;
}

static enum taf_status
walk(const struct walk *w, const char *path, unsigned depth, struct taf_err *e)
{
	struct taf_zarr_array z;
	enum taf_status st;

	if (depth > DEPTH)
		return taf_fail(e, TAF_EDATA, "groups of more than %d levels",
		    (int)DEPTH);
	st = taf_zarr_look(w->s, path, &z, e);
	if (st == TAF_OK)
		st = w->each(w->ctx, path, &z, e);
	taf_zarr_array_free(&z);
	if (z.group)
		return walk_group(w, path, depth, e);
	if (st != TAF_END || depth > 0)
		return st == TAF_END ? TAF_OK : st;
	return taf_fail(e, TAF_EDATA,
	    "no Zarr store: neither .zarray, .zgroup nor zarr.json is there");
}

/* An array that is an object of consolidated metadata, whatever its attributes are. */
static enum taf_status
one(const struct walk *w, const char *path, unsigned version, json_t *meta, json_t *attrs,
    struct taf_err *e)
{
	struct taf_zarr_array z = { 0 };
	enum taf_status st = json_is_object(meta) && (attrs == NULL ||
	    json_is_object(attrs)) ? taf_zarr_take(&z, version, json_incref(meta),
	    json_incref(attrs), e) : taf_fail(e, TAF_EDATA, "JSON, but no object");

	if (st == TAF_OK)
		st = w->each(w->ctx, path, &z, e);
	taf_zarr_array_free(&z);
	return st == TAF_END ? TAF_OK : about(path, "metadata", st, e);
}

/* Version 2: "PATH/.zarray" and "PATH/.zattrs"; version 3: PATH. */
static enum taf_status
all(const struct walk *w, unsigned version, json_t *objects, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	json_t *v, *attrs = NULL;
	const char *key;

	if (!json_is_object(objects))
		return taf_fail(e, TAF_EDATA,
		    "consolidated metadata without \"metadata\"");
	json_object_foreach(objects, key, v) {
		const size_t n = strlen(key), last = version == 2 ? strlen(".zarray") : 0;
		struct taf_str path = { .err = e };

		if (last > 0 && (!taf_ends(key, ".zarray") ||
		    (n > last && key[n - last - 1] != '/')))
			continue;
		taf_str_printf(&path, "%.*s%s", (int)(n - last), key,
		    last > 0 ? ".zattrs" : "");
		if (path.st == TAF_OK && last > 0) {
			attrs = json_object_get(objects, path.buf.data);
			path.buf.data[n > last ? n - last - 1 : 0] = '\0';
		}
		st = path.st == TAF_OK ? one(w, path.buf.data, version, v, attrs, e) :
		    path.st;
		taf_str_free(&path);
		if (st != TAF_OK)
			break;
	}
	return st;
}

/* TAF_END where there are no consolidated metadata. */
static enum taf_status
consolidated(const struct walk *w, struct taf_err *e)
{
	static const char *const names[] = { ".zmetadata", "zarr.json" };
	enum taf_status st = TAF_END;
	json_t *root, *v;
	unsigned k;

	for (k = 0; k < 2 && st == TAF_END; k++) {
		struct taf_buf text = { 0 };

		st = taf_objects_text(w->s, "", names[k], &text, NULL, e);
		root = st == TAF_OK ? taf_json_load_numbers(text.data, text.len, e) :
		    NULL;
		if (st == TAF_OK && root == NULL)
			st = about("", names[k], e->code, e);
		v = k == 0 ? root : json_object_get(root, "consolidated_metadata");
		if (root != NULL)
			st = v == NULL || json_is_null(v) ? TAF_END : all(w, k + 2,
			    json_object_get(v, "metadata"), e);
		json_decref(root);
		taf_buf_free(&text);
	}
	return st;
}

enum taf_status
taf_zarr_list(const struct taf_objects *s, taf_zarr_each *each, void *ctx,
    struct taf_err *e)
{
	const struct walk w = { s, each, ctx };
	enum taf_status st = consolidated(&w, e);

	return st == TAF_END ? walk(&w, "", 0, e) : st;
}

/* --- keys and shards --- */

void
taf_zarr_key(const struct taf_zarr_array *z, const uint64_t number[], struct taf_str *key)
{
	unsigned k;

	taf_str_puts(key, z->prefixed ? "c" : z->nd.ndim == 0 ? "0" : "");
	for (k = 0; k < z->nd.ndim; k++) {
		if (k > 0 || z->prefixed)
			taf_str_put(key, &z->separator, 1);
		taf_str_u64(key, number[k]);
	}
}

enum taf_status
taf_zarr_shard_read(const struct taf_zarr_array *z, const struct taf_in *in,
    struct taf_zarr_shard *s, struct taf_err *e)
{
	unsigned k;

	taf_zarr_shard_free(s);
	for (s->n = 1, k = 0; k < z->nd.ndim; k++)
		if (!taf_mul(s->n, z->shard[k] / z->chunk[k], &s->n) ||
		    s->n > INT64_MAX / 64)
			return taf_fail(e, TAF_EDATA, "more than 2^57 chunks in a shard");
	return taf_chunk_index_read(in, &z->index, z->index_first, z->index_big, s->n,
	    &s->place, e);
}

void
taf_zarr_shard_free(struct taf_zarr_shard *s)
{
	free(s->place);
	memset(s, 0, sizeof *s);
}
