/* SPDX-License-Identifier: ISC */
#include "codec/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "codec/json.h"
#include "codec/taf_foreign.h"
#include "io/below.h"
#include "io/spool.h"
#include "io/url.h"

/*
 * A zip archive, or what is no store.  A chunk whose name is damaged would be one that is
 * not there: names are compared at once, but behind a URL as members are read.
 */
static enum taf_status
open_archive(struct taf_objects *s, bool far, struct taf_err *e)
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
taf_objects_open(struct taf_objects *s, const char *path, struct taf_err *e)
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
taf_objects_close(struct taf_objects *s)
{
	taf_zip_close(&s->zip);
	taf_in_close(s->in);
	free(s->path);
	free(s->real);
	memset(s, 0, sizeof *s);
}

enum taf_status
taf_objects_path_check(const char *path, struct taf_err *e)
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
open_member(const struct taf_objects *s, const char *key, uint64_t most, bool parts,
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
open_far(const struct taf_objects *s, const char *key, struct taf_in **in,
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
taf_objects_get(const struct taf_objects *s, const char *key, uint64_t most, bool parts,
    struct taf_in **in, struct taf_err *e)
{
	return s->real != NULL ? taf_below_open(s->real, key, in, e) : s->in != NULL ?
	    open_member(s, key, most, parts, in, e) : open_far(s, key, in, e);
}

enum taf_status
taf_objects_text(const struct taf_objects *s, const char *path, const char *name,
    struct taf_buf *to, uint64_t *state, struct taf_err *e)
{
	struct taf_str key = { .err = e };
	enum taf_status st;
	struct taf_in *in;

	taf_str_printf(&key, "%s%s%s", path, path[0] != '\0' ? "/" : "", name);
	st = key.st == TAF_OK ? taf_objects_get(s, key.buf.data, TAF_JSON_MOST, false,
	    &in, e) : key.st;
	if (st == TAF_OK && state != NULL)
		*state = s->real != NULL ? taf_in_state(in) : 0;
	if (st == TAF_OK)
		st = taf_below_read(in, TAF_JSON_MOST, to, e);
	taf_str_free(&key);
	return st;
}

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
taf_objects_names(const struct taf_objects *s, const char *path, struct taf_names *names,
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
