/* SPDX-License-Identifier: ISC */
#include "codec/daf/daf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/num.h"
#include "base/utf8.h"
#include "codec/daf/daf_pack.h"
#include "io/below.h"

enum {
	NAME_MAX_BYTES = 240,	/* with the longest suffix still a file's name */
	BLOCK = 64 * 1024
};

/* --- paths --- */

enum taf_status
taf_daf_name_check(const char *name, struct taf_err *e)
{
	if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    strchr(name, '/') != NULL)
		return taf_fail(e, TAF_EUSAGE, "\"%s\" is no name in a store", name);
	if (strlen(name) > NAME_MAX_BYTES)
		return taf_fail(e, TAF_EUSAGE, "a name of %zu bytes, at most %d can be",
		    strlen(name), (int)NAME_MAX_BYTES);
	return TAF_OK;
}

enum taf_status
taf_daf_file_open(const struct taf_daf *s, const char *relative, struct taf_in **in,
    struct taf_err *e)
{
	return taf_below_open(s->real, relative, in, e);
}

enum taf_status
taf_daf_text_read(const struct taf_daf *s, const char *relative, struct taf_buf *to,
    struct taf_err *e)
{
	return taf_below_text(s->real, relative, TAF_DAF_JSON_MAX, to, e);
}

enum taf_status
taf_daf_look(const struct taf_daf *s, const char *relative, bool *there, struct stat *sb,
    struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = taf_buf_printf(&path, e, "%s/%s", s->real, relative);
	struct stat behind;

	*there = st == TAF_OK && lstat(path.data, sb) == 0;
	if (st == TAF_OK && !*there && errno != ENOENT && errno != ENOTDIR &&
	    errno != ENAMETOOLONG)
		st = taf_fail_sys(e, "%s", relative);
	if (*there && S_ISLNK(sb->st_mode) && stat(path.data, &behind) == 0)
		*sb = behind;
	taf_buf_free(&path);
	return st;
}

/* Say which file a failure is about, in front of what it says, unless it does. */
static enum taf_status
about(const char *relative, struct taf_err *e)
{
	char text[TAF_ERR_TEXT];
	enum taf_status st = e->code;
	int sys = e->sys;

	if (strncmp(e->text, relative, strlen(relative)) == 0)
		return st;
	memcpy(text, e->text, sizeof text);
	taf_err_clear(e);
	(void)taf_fail(e, st, "%s: %s", relative, text);
	e->sys = sys;
	return st;
}

enum taf_status
taf_daf_open(struct taf_daf *s, const char *path, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	enum taf_status st;

	memset(s, 0, sizeof *s);
	s->path = strdup(path);
	if (s->path == NULL)
		return taf_fail_mem(e);
	if (taf_below_root(path, &s->real, e) != TAF_OK)
		return e->code;
	st = taf_daf_text_read(s, "daf.json", &text, e);
	if (st == TAF_END)
		st = taf_fail(e, TAF_EDATA, "not a FilesDaf store: there is no daf.json");
	else if (st == TAF_OK && taf_daf_parse_version(text.data, text.len, &s->minor,
	    e) != TAF_OK)
		st = about("daf.json", e);
	taf_buf_free(&text);
	return st;
}

void
taf_daf_close(struct taf_daf *s)
{
	free(s->path);
	free(s->real);
	s->path = s->real = NULL;
}

/* --- names --- */

enum taf_status
taf_daf_names(const struct taf_daf *s, const char *folder, const char *suffix,
    struct taf_names *names, struct taf_err *e)
{
	enum taf_status st;
	char *real;

	st = taf_below_path(s->real, folder, &real, e);
	if (st == TAF_OK) {
		st = taf_names_read(names, real, suffix, e);
		free(real);
	}
	/* git keeps no empty folders */
	return st == TAF_END ? TAF_OK : st;
}

enum taf_status
taf_daf_properties(const struct taf_daf *s, enum taf_daf_kind kind, const char *rows,
    const char *columns, struct taf_names *names, struct taf_err *e)
{
	char path[TAF_DAF_PATH] = "scalars";

	if (kind == TAF_DAF_VECTOR)
		(void)snprintf(path, sizeof path, "vectors/%s", rows);
	else if (kind == TAF_DAF_MATRIX)
		(void)snprintf(path, sizeof path, columns != NULL ? "matrices/%s/%s" :
		    "matrices/%s", rows, columns);
	return taf_daf_names(s, path,
	    kind == TAF_DAF_MATRIX && columns == NULL ? "" : ".json", names, e);
}

/* --- items --- */

enum taf_status
taf_daf_item_parse(struct taf_daf_item *it, const char *text, struct taf_err *e)
{
	const char *at = text;
	size_t n = 1, k, length;
	char *copy;

	memset(it, 0, sizeof *it);
	it->n[0] = it->n[1] = 1;
	while ((at = strchr(at, '/')) != NULL) {
		n++;
		at++;
	}
	if (n > 3)
		return taf_fail(e, TAF_EUSAGE,
		    "%s: not NAME, AXIS/NAME or ROWS/COLUMNS/NAME", text);
	it->kind = (enum taf_daf_kind)(n - 1);
	for (k = 0, at = text; k < n; k++, at += length + 1) {
		length = strcspn(at, "/");
		copy = strndup(at, length);
		if (copy == NULL)
			return taf_fail_mem(e);
		*(k == n - 1 ? &it->name : &it->axis[k]) = copy;
		if (taf_daf_name_check(copy, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

void
taf_daf_item_transpose(struct taf_daf_item *it)
{
	char *axis = it->axis[0];
	uint64_t n = it->n[0];

	it->axis[0] = it->axis[1];
	it->axis[1] = axis;
	it->n[0] = it->n[1];
	it->n[1] = n;
	it->transposed = !it->transposed;
}

int
taf_daf_layouts(const struct taf_daf_item *it)
{
	return it->kind == TAF_DAF_MATRIX &&
	    strcmp(it->axis[0], it->axis[1]) != 0 ? 2 : 1;
}

void
taf_daf_item_free(struct taf_daf_item *it)
{
	free(it->axis[0]);
	free(it->axis[1]);
	free(it->name);
	taf_buf_free(&it->scalar.text);
	memset(it, 0, sizeof *it);
}

enum taf_status
taf_daf_item_text(const struct taf_daf_item *it, struct taf_buf *to, struct taf_err *e)
{
	return taf_buf_printf(to, e, "%s%s%s%s%s", it->axis[0] != NULL ? it->axis[0] : "",
	    it->axis[0] != NULL ? "/" : "", it->axis[1] != NULL ? it->axis[1] : "",
	    it->axis[1] != NULL ? "/" : "", it->name);
}

/* The reserved vector of an axis' entries. */
static bool
is_entries(const struct taf_daf_item *it)
{
	return it->kind == TAF_DAF_VECTOR && strcmp(it->name, "name") == 0;
}

void
taf_daf_item_path(const struct taf_daf_item *it, const char *suffix,
    char to[TAF_DAF_PATH])
{
	if (it->kind == TAF_DAF_SCALAR)
		(void)snprintf(to, TAF_DAF_PATH, "scalars/%s%s", it->name, suffix);
	else if (is_entries(it))
		(void)snprintf(to, TAF_DAF_PATH, "axes/%s%s", it->axis[0], suffix);
	else if (it->kind == TAF_DAF_VECTOR)
		(void)snprintf(to, TAF_DAF_PATH, "vectors/%s/%s%s", it->axis[0], it->name,
		    suffix);
	else
		(void)snprintf(to, TAF_DAF_PATH, "matrices/%s/%s/%s%s",
		    it->axis[it->transposed], it->axis[!it->transposed], it->name,
		    suffix);
}

enum taf_status
taf_daf_about(const struct taf_daf_item *it, struct taf_err *e)
{
	char path[TAF_DAF_PATH];

	taf_daf_item_path(it, "", path);
	return about(path, e);
}

const char *const taf_daf_suffixes[TAF_DAF_SUFFIXES] = {
	".json", ".txt", ".data", ".zip", ".nzind", ".nzind.zip", ".nzval", ".nzval.zip",
	".nztxt", ".colptr", ".colptr.zip", ".rowval", ".rowval.zip",
};

const char *
taf_daf_suffix(const struct taf_daf_item *it, const struct taf_daf_part *p)
{
	bool matrix = it->kind == TAF_DAF_MATRIX;

	if (p == &it->d.colptr)
		return p->packed ? ".colptr.zip" : ".colptr";
	if (p == &it->d.index)
		return p->packed ? matrix ? ".rowval.zip" : ".nzind.zip" :
		    matrix ? ".rowval" : ".nzind";
	if (it->d.sparse)
		return p->packed ? ".nzval.zip" : p->type == TAF_DAF_STRING ? ".nztxt" :
		    ".nzval";
	return p->packed ? ".zip" : p->type == TAF_DAF_STRING ? ".txt" : ".data";
}

enum taf_status
taf_daf_payload(const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_part *p, struct taf_in **in, struct taf_err *e)
{
	char path[TAF_DAF_PATH];
	enum taf_status st;

	taf_daf_item_path(it, taf_daf_suffix(it, p), path);
	st = taf_daf_file_open(s, path, in, e);
	return st == TAF_END ? taf_fail(e, TAF_EDATA, "%s: not there", path) : st;
}

/* The compression of its first packed part, foreign or not. */
static const char *
packed_by(const struct taf_daf_item *it, bool known)
{
	const struct taf_daf_part *const part[] =
	    { &it->d.value, &it->d.index, &it->d.colptr };
	size_t k;

	for (k = 0; k < 3; k++)
		if (part[k]->there && part[k]->packed &&
		    taf_daf_packing_known(part[k]->codec) == known)
			return part[k]->codec;
	return NULL;
}

const char *
taf_daf_foreign(const struct taf_daf_item *it)
{
	return packed_by(it, false);
}

const char *
taf_daf_packing(const struct taf_daf_item *it)
{
	const char *foreign = packed_by(it, false);

	return foreign != NULL ? foreign : packed_by(it, true);
}

/* Hold the size of a payload against the number of elements, or set that. */
static enum taf_status
check_size(const struct taf_daf *s, struct taf_daf_item *it, struct taf_daf_part *p,
    bool free_n, struct taf_err *e)
{
	struct taf_in *in;
	enum taf_status st = taf_daf_payload(s, it, p, &in, e);
	uint64_t size, want;

	if (st != TAF_OK)
		return st;
	size = taf_in_left(in);
	/* lines have to be counted, chunks to be decoded: that is later */
	if (!p->packed && p->type != TAF_DAF_STRING) {
		if (free_n)
			p->n = size / taf_daf_size(p->type);
		if (!taf_mul(p->n, taf_daf_size(p->type), &want) || want != size)
			st = taf_fail(e, TAF_EDATA,
			    "%s: %llu bytes, but %llu elements of %s", taf_in_name(in),
			    (unsigned long long)size, (unsigned long long)p->n,
			    taf_daf_type_name(p->type));
	}
	taf_in_close(in);
	return st;
}

enum taf_status
taf_daf_item_has(const struct taf_daf *s, const struct taf_daf_item *it,
    const char *suffix, bool *there, struct taf_err *e)
{
	char path[TAF_DAF_PATH], *real;
	enum taf_status st;

	taf_daf_item_path(it, suffix, path);
	st = taf_below_path(s->real, path, &real, e);
	*there = st == TAF_OK;
	if (*there)
		free(real);
	return st == TAF_END ? TAF_OK : st;
}

static enum taf_status
check_sizes(const struct taf_daf *s, struct taf_daf_item *it, struct taf_err *e)
{
	uint64_t all, columns = it->n[!it->transposed];
	struct taf_daf_descriptor *d = &it->d;

	if (!taf_mul(it->n[0], it->n[1], &all) || all > INT64_MAX / 8)
		return taf_fail(e, TAF_EDATA, "%llu x %llu elements are too many",
		    (unsigned long long)it->n[0], (unsigned long long)it->n[1]);
	if (!d->sparse) {
		d->value.n = all;
		return check_size(s, it, &d->value, false, e);
	}
	if (check_size(s, it, &d->index, !d->index.counted, e) != TAF_OK)
		return e->code;
	if (d->colptr.there) {
		if (!d->colptr.counted)
			d->colptr.n = columns + 1;
		if (d->colptr.n != columns + 1)
			return taf_fail(e, TAF_EDATA,
			    "%s.colptr: %llu elements, but %llu columns", it->name,
			    (unsigned long long)d->colptr.n, (unsigned long long)columns);
		if (check_size(s, it, &d->colptr, false, e) != TAF_OK)
			return e->code;
	}
	/* all true, if there is nothing that says otherwise */
	if (!d->value.counted && d->value.there && d->type == TAF_DAF_BOOL &&
	    taf_daf_item_has(s, it, ".nzval", &d->value.there, e) != TAF_OK)
		return e->code;
	d->value.n = d->index.n;
	return d->value.there ? check_size(s, it, &d->value, false, e) : TAF_OK;
}

/* What tells its descriptor from one that has come, or come back, since; 0 for none. */
static enum taf_status
state_of(const struct taf_daf *s, const struct taf_daf_item *it, uint64_t *state,
    struct taf_err *e)
{
	char path[TAF_DAF_PATH];
	struct stat sb = { 0 };
	bool there;

	taf_daf_item_path(it, ".json", path);
	if (taf_daf_look(s, path, &there, &sb, e) != TAF_OK)
		return e->code;
	*state = there ? taf_digest(0, (const uint64_t[]){ (uint64_t)sb.st_dev,
	    (uint64_t)sb.st_ino, (uint64_t)sb.st_mtim.tv_sec,
	    (uint64_t)sb.st_mtim.tv_nsec, (uint64_t)sb.st_ctim.tv_sec,
	    (uint64_t)sb.st_ctim.tv_nsec }, 6 * sizeof *state) : 0;
	return TAF_OK;
}

enum taf_status
taf_daf_unchanged(const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_err *e)
{
	uint64_t state;

	if (it->indices || is_entries(it))
		return TAF_OK;
	if (state_of(s, it, &state, e) != TAF_OK)
		return e->code;
	if (state == it->state)
		return TAF_OK;
	(void)taf_fail(e, TAF_EDATA, "changed while it was read");
	return taf_daf_about(it, e);
}

/* The descriptor in the layout that it->transposed says; TAF_END where there is none. */
static enum taf_status
descriptor(const struct taf_daf *s, struct taf_daf_item *it, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	char path[TAF_DAF_PATH];
	enum taf_status st;

	taf_daf_item_path(it, ".json", path);
	st = state_of(s, it, &it->state, e);
	if (st == TAF_OK)
		st = taf_daf_text_read(s, path, &text, e);
	if (st == TAF_OK)
		st = it->kind == TAF_DAF_SCALAR ?
		    taf_daf_parse_scalar(text.data, text.len, &it->scalar, e) :
		    taf_daf_parse_descriptor(text.data, text.len,
		    it->kind == TAF_DAF_MATRIX, &it->d, e);
	if (st != TAF_OK && st != TAF_END)
		st = about(path, e);
	taf_buf_free(&text);
	return st;
}

static enum taf_status
check_names(const struct taf_daf_item *it, struct taf_err *e)
{
	const char *const name[] = { it->name, it->axis[0], it->axis[1] };
	size_t k;

	/* here it is the store that has such a name */
	for (k = 0; k < 3; k++)
		if (name[k] != NULL && taf_daf_name_check(name[k], e) != TAF_OK)
			return e->code = TAF_EDATA;
	return TAF_OK;
}

enum taf_status
taf_daf_find(const struct taf_daf *s, struct taf_daf_item *it, struct taf_err *e)
{
	static const char *const what[] = { "scalar", "vector", "matrix" };
	enum taf_status st = check_names(it, e);
	struct taf_buf name = { 0 };
	int k;

	if (st != TAF_OK)
		return st;
	for (k = 0; k < 2 && it->axis[k] != NULL; k++)
		if (taf_daf_axis_length(s, it->axis[k], &it->n[k], e) != TAF_OK)
			return e->code;
	it->transposed = false;
	it->indices = it->kind == TAF_DAF_VECTOR && strcmp(it->name, "index") == 0;
	if (it->indices || is_entries(it)) {
		it->d.type = it->d.value.type = it->indices ? TAF_INT64 : TAF_DAF_STRING;
		it->d.value.there = it->d.value.there || !it->indices;
		it->d.value.n = it->n[0];
		return TAF_OK;
	}
	st = descriptor(s, it, e);
	if (st == TAF_END && taf_daf_layouts(it) == 2) {
		it->transposed = true;
		st = descriptor(s, it, e);
	}
	if (st == TAF_OK && it->kind != TAF_DAF_SCALAR)
		return check_sizes(s, it, e);
	if (st != TAF_END)
		return st;
	st = taf_daf_item_text(it, &name, e);
	if (st == TAF_OK)
		st = taf_fail(e, TAF_EDATA, "%s: no such %s", name.data, what[it->kind]);
	taf_buf_free(&name);
	return st;
}

enum taf_status
taf_daf_avoid_foreign(const struct taf_daf *s, struct taf_daf_item *it, struct taf_err *e)
{
	struct taf_daf_item other = *it;
	enum taf_status st;

	if (taf_daf_layouts(it) == 1 || it->transposed || taf_daf_foreign(it) == NULL)
		return TAF_OK;
	other.transposed = true;
	st = descriptor(s, &other, e);
	if (st == TAF_END)
		return TAF_OK;
	if (st == TAF_OK && taf_daf_foreign(&other) == NULL) {
		st = check_sizes(s, &other, e);
		*it = other;
	}
	return st;
}

/* --- axes --- */

static enum taf_status
axis_file(const struct taf_daf *s, const char *axis, struct taf_in **in,
    struct taf_err *e)
{
	char path[TAF_DAF_PATH];
	enum taf_status st;

	if (taf_daf_name_check(axis, e) != TAF_OK)
		return e->code = TAF_EDATA;
	(void)snprintf(path, sizeof path, "axes/%s.txt", axis);
	st = taf_daf_file_open(s, path, in, e);
	return st == TAF_END ? taf_fail(e, TAF_EDATA, "%s: no such axis", axis) : st;
}

bool
taf_daf_has_axis(const struct taf_daf *s, const char *axis)
{
	struct taf_err ignored = { 0 };
	struct taf_in *in;

	if (axis_file(s, axis, &in, &ignored) != TAF_OK)
		return false;
	taf_in_close(in);
	return true;
}

/* Lines of in; *last is its last byte. */
static enum taf_status
count_lines(struct taf_in *in, uint64_t *n, char *last, struct taf_err *e)
{
	char block[BLOCK];
	size_t got, i;

	for (*n = 0;; *last = block[got - 1]) {
		if (taf_in_read_part(in, block, sizeof block, &got, e) != TAF_OK)
			return e->code;
		if (got == 0)
			return TAF_OK;
		for (i = 0; i < got; i++)
			*n += block[i] == '\n';
	}
}

enum taf_status
taf_daf_axis_length(const struct taf_daf *s, const char *axis, uint64_t *n,
    struct taf_err *e)
{
	enum taf_status st;
	struct taf_in *in;
	char last = '\n';

	st = axis_file(s, axis, &in, e);
	if (st != TAF_OK)
		return st;
	st = count_lines(in, n, &last, e);
	taf_in_close(in);
	if (st == TAF_OK && last != '\n')
		st = taf_fail(e, TAF_EDATA, "axes/%s.txt: its last line has no end",
		    axis);
	return st;
}

void
taf_daf_strings_free(struct taf_daf_strings *t)
{
	taf_buf_free(&t->bytes);
	free(t->at);
	t->at = NULL;
	t->n = 0;
}

/* An entry, to be sorted. */
struct entry {
	const char *p;
	size_t n;
};

static int
compare(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int c = memcmp(a->p, b->p, a->n < b->n ? a->n : b->n);

	return c != 0 ? c : a->n < b->n ? -1 : a->n > b->n;
}

/* List the entries, each of them checked. */
static enum taf_status
list_entries(const struct taf_daf_strings *t, struct entry *list, struct taf_err *e)
{
	size_t k;

	for (k = 0; k < t->n; k++) {
		list[k].p = t->bytes.data + t->at[k];
		list[k].n = t->at[k + 1] - t->at[k];
		if (list[k].n == 0 || !taf_utf8_text(list[k].p, list[k].n))
			return taf_fail(e, TAF_EDATA, "line %zu: %s", k + 1,
			    list[k].n == 0 ? "an empty entry" : "not UTF-8 without NUL");
	}
	return TAF_OK;
}

static enum taf_status
check_entries(const struct taf_daf_strings *t, struct taf_err *e)
{
	struct entry *list = taf_alloc((size_t)t->n + 1, sizeof *list);
	enum taf_status st;
	size_t k;

	if (list == NULL)
		return taf_fail_mem(e);
	st = list_entries(t, list, e);
	if (st == TAF_OK) {
		qsort(list, (size_t)t->n, sizeof *list, compare);
		for (k = 1; k < t->n && compare(&list[k - 1], &list[k]) != 0; k++)
			;
		if (k < t->n)
			st = taf_fail(e, TAF_EDATA, "the entry \"%.*s\" is there twice",
			    list[k].n < 80 ? (int)list[k].n : 80, list[k].p);
	}
	free(list);
	return st;
}

/* All lines of in, without their ends; TAF_EDATA where the last one has none. */
static enum taf_status
read_lines(struct taf_in *in, struct taf_daf_strings *t, struct taf_err *e)
{
	size_t got = 1, k = 0, from, to = 0;
	char *p;

	for (; got > 0; t->bytes.len += got)
		if (taf_buf_reserve(&t->bytes, BLOCK, e) != TAF_OK ||
		    taf_in_read_part(in, t->bytes.data + t->bytes.len, BLOCK, &got, e) !=
		    TAF_OK)
			return e->code;
	for (from = 0; from < t->bytes.len; from++)
		t->n += t->bytes.data[from] == '\n';
	if (t->bytes.len > 0 && t->bytes.data[t->bytes.len - 1] != '\n')
		return taf_fail(e, TAF_EDATA, "its last line has no end");
	t->at = taf_alloc((size_t)t->n + 1, sizeof t->at[0]);
	if (t->at == NULL)
		return taf_fail_mem(e);
	/* the strings move together over the line ends */
	for (from = 0; k < t->n; from = (size_t)(p - t->bytes.data) + 1) {
		p = memchr(t->bytes.data + from, '\n', t->bytes.len - from);
		t->at[k++] = to;
		memmove(t->bytes.data + to, t->bytes.data + from,
		    (size_t)(p - t->bytes.data) - from);
		to += (size_t)(p - t->bytes.data) - from;
	}
	t->at[k] = t->bytes.len = to;
	return TAF_OK;
}

enum taf_status
taf_daf_strings_read(struct taf_in *in, struct taf_daf_strings *t, struct taf_err *e)
{
	uint64_t k;

	if (read_lines(in, t, e) != TAF_OK)
		return e->code;
	for (k = 0; k < t->n; k++)
		if (!taf_utf8_text(t->bytes.data + t->at[k], t->at[k + 1] - t->at[k]))
			return taf_fail(e, TAF_EDATA, "line %llu: not UTF-8 without NUL",
			    (unsigned long long)k + 1);
	return TAF_OK;
}

enum taf_status
taf_daf_entries_read(struct taf_in *in, struct taf_daf_strings *t, struct taf_err *e)
{
	enum taf_status st = read_lines(in, t, e);

	return st == TAF_OK ? check_entries(t, e) : st;
}

enum taf_status
taf_daf_axis_entries(const struct taf_daf *s, const char *axis, struct taf_daf_strings *t,
    struct taf_err *e)
{
	enum taf_status st;
	struct taf_in *in;

	st = axis_file(s, axis, &in, e);
	if (st != TAF_OK)
		return st;
	st = taf_daf_entries_read(in, t, e);
	if (st != TAF_OK)
		st = about(taf_in_name(in), e);
	taf_in_close(in);
	return st;
}

enum taf_status
taf_daf_lines(const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_daf_strings *t, struct taf_err *e)
{
	const struct taf_daf_part *p = &it->d.value;
	enum taf_status st;
	struct taf_in *in;

	st = taf_daf_payload(s, it, p, &in, e);
	if (st != TAF_OK)
		return st;
	st = read_lines(in, t, e);
	if (st == TAF_OK && t->n != p->n)
		st = taf_fail(e, TAF_EDATA, "%llu lines, but %llu strings",
		    (unsigned long long)t->n, (unsigned long long)p->n);
	if (st != TAF_OK)
		st = about(taf_in_name(in), e);
	taf_in_close(in);
	return st;
}
