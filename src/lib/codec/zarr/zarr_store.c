/* SPDX-License-Identifier: ISC */
/* link: jansson */
#include "codec/zarr/zarr.h"

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/endian.h"
#include "base/num.h"
#include "codec/jansson.h"
#include "codec/json.h"
#include "codec/taf_foreign.h"
#include "io/below.h"
#include "io/names.h"
#include "io/spool.h"
#include "io/url.h"

enum { DEPTH = 64, ENTRY = 16 };

/*
 * A zip archive, or what is no store.  A chunk whose name is damaged would be one that is
 * not there: names are compared at once, but behind a URL as members are read.
 */
static enum taf_status
open_archive(struct taf_zarr *s, bool far, struct taf_err *e)
{
	enum taf_status st;
	const unsigned char *p;
	char what[TAF_FOREIGN_TEXT];
	size_t got = 0, k;
	uint64_t at;

	if (taf_in_open(&s->in, s->path, e) != TAF_OK || taf_spool_rest(&s->in, e) !=
	    TAF_OK || taf_in_peek(s->in, TAF_FOREIGN_SEEN, &p, &got, e) != TAF_OK)
		return e->code;
	st = taf_zip_sniff(p, got) ? taf_zip_open(&s->zip, s->in, e) :
	    taf_fail(e, TAF_EDATA, taf_foreign_text(p, got, what) ?
	    "neither a folder nor a zip archive: it is %s" :
	    "neither a folder nor a zip archive", what);
	for (k = 0; k < s->zip.n && st == TAF_OK && !far; k++)
		st = taf_zip_place(&s->zip, &s->zip.member[k], &at, e);
	return st;
}

enum taf_status
taf_zarr_open(struct taf_zarr *s, const char *path, struct taf_err *e)
{
	const bool far = taf_is_url(path);
	const size_t n = far ? strcspn(path, "?#") : 0;
	struct stat sb;

	memset(s, 0, sizeof *s);
	s->path = strdup(path);
	if (s->path == NULL)
		return taf_fail_mem(e);
	if (far ? n > 4 && memcmp(path + n - 4, ".zip", 4) == 0 :
	    strcmp(path, "-") == 0 || (stat(path, &sb) == 0 && !S_ISDIR(sb.st_mode)))
		return open_archive(s, far, e);
	return far ? TAF_OK : taf_below_root(path, &s->real, e);
}

void
taf_zarr_close(struct taf_zarr *s)
{
	taf_zip_close(&s->zip);
	taf_in_close(s->in);
	free(s->path);
	free(s->real);
	memset(s, 0, sizeof *s);
}

enum taf_status
taf_zarr_path_check(const char *path, struct taf_err *e)
{
	const char *p = path;
	size_t n;

	for (;; p += n + 1) {
		n = strcspn(p, "/");
		if (n == 0 || (n == 1 && p[0] == '.') ||
		    (n == 2 && memcmp(p, "..", 2) == 0))
			return taf_fail(e, TAF_EUSAGE,
			    "%s: no path of an array in a store", path);
		if (p[n] == '\0')
			return TAF_OK;
	}
}

static enum taf_status
open_member(const struct taf_zarr *s, const char *key, uint64_t most, bool parts,
    struct taf_in **in, struct taf_err *e)
{
	const struct taf_zip_member *m = taf_zip_find(&s->zip, key);
	struct taf_buf bytes = { 0 };
	enum taf_status st;
	uint64_t at;

	if (m == NULL)
		return TAF_END;
	/* what is encrypted, or packed otherwise, is refused in any case */
	if (parts && m->method == TAF_ZIP_STORED && m->packed == m->n &&
	    m->flags % 2 == 0)
		return taf_zip_place(&s->zip, m, &at, e) == TAF_OK ?
		    taf_in_part(in, s->in, at, m->n, key, e) : e->code;
	st = taf_zip_read(&s->zip, m, most, &bytes, e);
	if (st == TAF_OK)
		st = taf_in_held(in, bytes.data, bytes.len, key, e);
	if (st != TAF_OK)
		taf_buf_free(&bytes);
	return st;
}

/* What lies behind a URL with this key below it, before what is behind its path. */
static enum taf_status
open_far(const struct taf_zarr *s, const char *key, struct taf_in **in,
    struct taf_err *e)
{
	struct taf_str url = { .err = e };
	const size_t n = strcspn(s->path, "?#");
	enum taf_status st;

	taf_str_put(&url, s->path, n > 0 && s->path[n - 1] == '/' ? n - 1 : n);
	taf_str_puts(&url, "/");
	taf_url_path(&url, key, "-._~/!$&'()*+,;=:@");
	taf_str_puts(&url, s->path + n);
	st = url.st == TAF_OK ? taf_in_open(in, url.buf.data, e) : url.st;
	taf_str_free(&url);
	if (st == TAF_OK && taf_spool_rest(in, e) != TAF_OK) {
		taf_in_close(*in);
		return e->code;
	}
	if (st == TAF_OK || e->sys != ENOENT)
		return st;
	taf_err_clear(e);
	return TAF_END;
}

enum taf_status
taf_zarr_object(const struct taf_zarr *s, const char *key, uint64_t most, bool parts,
    struct taf_in **in, struct taf_err *e)
{
	return s->real != NULL ? taf_below_open(s->real, key, in, e) : s->in != NULL ?
	    open_member(s, key, most, parts, in, e) : open_far(s, key, in, e);
}

enum taf_status
taf_zarr_text(const struct taf_zarr *s, const char *path, const char *name,
    struct taf_buf *to, uint64_t *state, struct taf_err *e)
{
	struct taf_str key = { .err = e };
	enum taf_status st;
	struct taf_in *in;

	taf_str_printf(&key, "%s%s%s", path, path[0] != '\0' ? "/" : "", name);
	st = key.st == TAF_OK ? taf_zarr_object(s, key.buf.data, TAF_JSON_MOST, false,
	    &in, e) : key.st;
	if (st == TAF_OK && state != NULL)
		*state = s->real != NULL ? taf_in_state(in) : 0;
	if (st == TAF_OK)
		st = taf_below_read(in, TAF_JSON_MOST, to, e);
	taf_str_free(&key);
	return st;
}

enum taf_status
taf_zarr_unchanged(const struct taf_zarr *s, const char *path,
    const struct taf_zarr_array *z, struct taf_err *e)
{
	struct taf_buf meta = { 0 };
	uint64_t state = 0;
	enum taf_status st;

	if (s->in != NULL)
		return taf_in_unchanged(s->in, e);
	st = taf_zarr_text(s, path, z->version == 2 ? ".zarray" : "zarr.json", &meta,
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
taf_zarr_look(const struct taf_zarr *s, const char *path, struct taf_zarr_array *z,
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
		st = taf_zarr_text(s, path, names[k], &meta, &state, e);
	k--;
	z->version = st != TAF_OK ? 0 : k == 1 ? 3 : 2;
	if (st == TAF_OK && k == 0)
		st = taf_zarr_text(s, path, ".zattrs", &more, NULL, e);
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
taf_zarr_find(const struct taf_zarr *s, const char *path, struct taf_zarr_array *z,
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
	const struct taf_zarr *s;
	taf_zarr_each *each;
	void *ctx;
};

static enum taf_status walk(const struct walk *w, const char *path, unsigned depth,
    struct taf_err *e);

/* The names below a group of an archive. */
static enum taf_status
member_names(const struct taf_zip *zip, const char *path, struct taf_names *names,
    struct taf_err *e)
{
	const size_t n = strlen(path);
	enum taf_status st = TAF_OK;
	size_t k, len;

	for (k = 0; k < zip->n && st == TAF_OK; k++) {
		const char *p = zip->sorted[k]->name;

		if (n > 0 && (strncmp(p, path, n) != 0 || p[n] != '/'))
			continue;
		p += n > 0 ? n + 1 : 0;
		len = strcspn(p, "/");
		if (p[len] == '\0' || (names->n > 0 && strncmp(names->name[names->n - 1],
		    p, len) == 0 && names->name[names->n - 1][len] == '\0'))
			continue;
		st = taf_names_add_part(names, p, len, e);
	}
	/* "a-b/c" stands before "a/c" */
	if (names->n > 0)
		taf_names_sort(names);
	return st;
}

enum taf_status
taf_zarr_names(const struct taf_zarr *s, const char *path, struct taf_names *names,
    struct taf_err *e)
{
	char *real = NULL;
	enum taf_status st;

	if (s->real == NULL)
		return s->in != NULL ? member_names(&s->zip, path, names, e) :
		    taf_fail(e, TAF_EDATA,
		    "a group behind a URL, where consolidated metadata alone tell its arrays");
	st = taf_below_path(s->real, path[0] != '\0' ? path : ".", &real, e);
	if (st == TAF_OK)
		st = taf_names_read(names, real, "", e);
	free(real);
	return st;
}

/* What lies below a group. */
static enum taf_status
walk_group(const struct walk *w, const char *path, unsigned depth, struct taf_err *e)
{
	struct taf_names names = { 0 };
	enum taf_status st = taf_zarr_names(w->s, path, &names, e);
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

		st = taf_zarr_text(w->s, "", names[k], &text, NULL, e);
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
taf_zarr_list(const struct taf_zarr *s, taf_zarr_each *each, void *ctx,
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

static int
compare(const void *a, const void *b)
{
	const uint64_t *p = a, *q = b;

	return p[0] < q[0] ? -1 : p[0] > q[0];
}

/* Two chunks share no byte. */
static enum taf_status
check_apart(const struct taf_in *in, const struct taf_zarr_shard *s, struct taf_err *e)
{
	uint64_t *p = taf_alloc((size_t)s->n, ENTRY), end = 0, k;
	enum taf_status st = TAF_OK;

	if (p == NULL)
		return taf_fail_mem(e);
	memcpy(p, s->place, (size_t)s->n * ENTRY);
	qsort(p, (size_t)s->n, ENTRY, compare);
	for (k = 0; k < s->n && p[2 * k] != UINT64_MAX && st == TAF_OK; k++) {
		if (p[2 * k + 1] == 0)
			continue;
		if (p[2 * k] < end)
			st = taf_fail(e, TAF_EDATA,
			    "%s: chunks of the shard overlap at offset %llu",
			    taf_in_name(in), (unsigned long long)p[2 * k]);
		end = p[2 * k] + p[2 * k + 1];
	}
	free(p);
	return st;
}

/* Places of the index, which takes packed bytes of the shard. */
static enum taf_status
take_places(const struct taf_zarr_array *z, const struct taf_in *in,
    struct taf_zarr_shard *s, const unsigned char *entry, uint64_t packed,
    struct taf_err *e)
{
	const uint64_t all = taf_in_left(in);
	const uint64_t from = z->index_first ? packed : 0;
	const uint64_t to = z->index_first ? all : all - packed;
	uint64_t *p = s->place, k;

	for (k = 0; k < s->n; k++, p += 2) {
		p[0] = taf_get64(entry + ENTRY * k, z->index_big);
		p[1] = taf_get64(entry + ENTRY * k + 8, z->index_big);
		if ((p[0] & p[1]) != UINT64_MAX && (p[0] > to || p[1] > to - p[0] ||
		    p[0] < from))
			return taf_fail(e, TAF_EDATA,
			    "%s: chunk %llu of the shard at offset %llu, %llu bytes of %llu",
			    taf_in_name(in), (unsigned long long)k + 1,
			    (unsigned long long)p[0], (unsigned long long)p[1],
			    (unsigned long long)to);
	}
	return check_apart(in, s, e);
}

enum taf_status
taf_zarr_shard_read(const struct taf_zarr_array *z, const struct taf_in *in,
    struct taf_zarr_shard *s, struct taf_err *e)
{
	const uint64_t left = taf_in_left(in);
	uint64_t bytes, packed;
	unsigned char *p, *entry;
	const char *fault;
	enum taf_status st;
	unsigned k;

	taf_zarr_shard_free(s);
	for (s->n = 1, k = 0; k < z->nd.ndim; k++)
		if (!taf_mul(s->n, z->shard[k] / z->chunk[k], &s->n) ||
		    s->n > INT64_MAX / 64)
			return taf_fail(e, TAF_EDATA, "more than 2^57 chunks in a shard");
	packed = bytes = s->n * ENTRY;
	for (k = 0; k < z->index.n; k++)
		packed += z->index.step[k].codec == TAF_CHUNK_CRC32C ? 4 : 0;
	if (packed > left)
		return taf_fail(e, TAF_EDATA, "%s: %llu bytes, too short for its index",
		    taf_in_name(in), (unsigned long long)left);
	s->place = taf_alloc((size_t)s->n, ENTRY);
	p = taf_alloc((size_t)(packed + bytes) + taf_chunk_room(&z->index,
	    (size_t)bytes), 1);
	if (p == NULL || s->place == NULL) {
		free(p);
		return taf_fail_mem(e);
	}
	entry = p + packed;
	st = taf_in_pread(in, p, (size_t)packed, taf_in_offset(in) + (z->index_first ?
	    0 : left - packed), e);
	if (st == TAF_OK) {
		fault = taf_chunk_unpack(&z->index, p, (size_t)packed, entry,
		    (size_t)bytes, entry + bytes);
		st = fault == NULL ? take_places(z, in, s, entry, packed, e) :
		    fault[0] == '\0' ? taf_fail_mem(e) : taf_fail(e, TAF_EDATA,
		    "%s: index of the shard: %s", taf_in_name(in), fault);
	}
	free(p);
	return st;
}

void
taf_zarr_shard_free(struct taf_zarr_shard *s)
{
	free(s->place);
	memset(s, 0, sizeof *s);
}
