#include "codec/daf_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/endian.h"
#include "base/utf8.h"
#include "io/temp.h"
#include "io/undo.h"

static enum taf_status
join(struct taf_buf *to, const char *folder, const char *relative, struct taf_err *e)
{
	to->len = 0;
	return taf_buf_printf(to, e, "%s/%s", folder, relative);
}

static enum taf_status
make_folder(const char *path, struct taf_err *e)
{
	struct stat sb;

	if (mkdir(path, 0777) == 0)
		return TAF_OK;
	if (errno == EEXIST && stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
		return TAF_OK;
	return taf_fail_sys(e, "%s: cannot make the folder", path);
}

/* Sync the folder that a file is in; path is cut to it. */
static enum taf_status
sync_parent(struct taf_buf *path, struct taf_err *e)
{
	char *slash = strrchr(path->data, '/');

	*slash = '\0';
	return taf_sync_folder(path->data, e);
}

/* A file of its own, whole or not there. */
static enum taf_status
put_text(const char *path, const char *text, size_t n, struct taf_err *e)
{
	struct taf_out *out;
	enum taf_status st = taf_out_create(&out, path, e);

	if (st != TAF_OK)
		return st;
	st = taf_out_write(out, text, n, e);
	if (st == TAF_OK)
		return taf_out_commit(out, e);
	taf_out_discard(out);
	return st;
}

enum taf_status
taf_daf_create(const char *path, struct taf_err *e)
{
	static const char *const folders[] = { "scalars", "axes", "vectors", "matrices" };
	struct taf_buf name = { 0 };
	struct taf_names there = { 0 };
	enum taf_status st;
	bool ours = true;
	size_t i, k;

	st = taf_names_read(&there, path, "", e);
	for (i = 0; i < there.n && st == TAF_OK; i++) {
		bool known = there.name[i][0] == '.';

		/* an empty start, left behind, is as good as none */
		for (k = 0; k < sizeof folders / sizeof folders[0]; k++)
			known = known || strcmp(there.name[i], folders[k]) == 0;
		if (strcmp(there.name[i], "daf.json") == 0) {
			taf_names_free(&there);
			return TAF_OK;
		}
		ours = ours && known;
	}
	taf_names_free(&there);
	if (st == TAF_OK && !ours)
		return taf_fail(e, TAF_EDATA, "the folder holds something else");
	if (st == TAF_OK || st == TAF_END)
		st = make_folder(path, e);
	for (k = 0; k < sizeof folders / sizeof folders[0] && st == TAF_OK; k++) {
		st = join(&name, path, folders[k], e);
		if (st == TAF_OK)
			st = make_folder(name.data, e);
	}
	if (st == TAF_OK)
		st = join(&name, path, "daf.json", e);
	if (st == TAF_OK)
		st = put_text(name.data, "{\"version\":[1,1]}\n", 18, e);
	if (st == TAF_OK)
		st = sync_parent(&name, e);
	taf_buf_free(&name);
	return st;
}

static enum taf_status recover(const struct taf_daf *s, struct taf_err *e);

enum taf_status
taf_daf_lock(const struct taf_daf *s, int *fd, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	bool unfinished;
	enum taf_status st = taf_daf_reordering(s, &unfinished, e);

	if (st == TAF_OK && unfinished)
		st = taf_fail(e, TAF_EDATA, "an interrupted reordering of its axes "
		    "(.reorder.backup) has to be undone first");
	if (st == TAF_OK)
		st = join(&path, s->real, "daf.json", e);
	if (st == TAF_OK)
		st = taf_lock_open(path.data, fd, e);
	taf_buf_free(&path);
	if (st != TAF_OK)
		return st;
	st = recover(s, e);
	if (st != TAF_OK)
		(void)close(*fd);
	return st;
}

enum taf_status
taf_daf_new_name(const char *name, bool vector, struct taf_err *e)
{
	enum taf_status st = taf_daf_name_check(name, e);
	size_t n = strlen(name), i, len;

	if (st != TAF_OK)
		return st;
	if (vector && (strcmp(name, "name") == 0 || strcmp(name, "index") == 0))
		return taf_fail(e, TAF_EUSAGE, "\"%s\" is reserved: it stands for the "
		    "axis itself", name);
	if (name[0] == ' ' || name[n - 1] == ' ')
		return taf_fail(e, TAF_EUSAGE, "\"%s\": a blank at its end", name);
	for (i = 0; i < n; i += len) {
		len = taf_utf8_length((const unsigned char *)name + i, n - i);
		if (len == 0 || (unsigned char)name[i] < 0x20 || name[i] == 0x7f ||
		    strchr("\\:,", name[i]) != NULL)
			return taf_fail(e, TAF_EUSAGE, "\"%s\": not UTF-8, or a character "
			    "that not every reader takes in a name", name);
	}
	return TAF_OK;
}

/* What others keep about the whole store: it would not be true any more. */
static enum taf_status
drop_notes(const struct taf_daf *s, struct taf_err *e)
{
	static const char *const notes[] = { "metadata.json", "metadata.zip",
		"axes/metadata.json" };
	enum taf_status st = TAF_OK;
	struct taf_buf path = { 0 };
	size_t k;

	for (k = 0; k < sizeof notes / sizeof notes[0] && st == TAF_OK; k++) {
		st = join(&path, s->real, notes[k], e);
		if (st == TAF_OK && unlink(path.data) != 0 && errno != ENOENT &&
		    errno != ENOTDIR)
			st = taf_fail_sys(e, "%s: cannot remove", notes[k]);
	}
	taf_buf_free(&path);
	return st;
}

/* To make what is missing, or only to look whether that will be possible. */
enum mode { LOOK, MAKE };

/* A folder of the store; path is overwritten. */
static enum taf_status
own_folder(const struct taf_daf *s, enum mode mode, const char *relative,
    struct taf_buf *path, struct taf_err *e)
{
	enum taf_status st = join(path, s->real, relative, e);
	struct stat sb;

	if (st != TAF_OK || (mode == MAKE && mkdir(path->data, 0777) == 0))
		return st;
	if (mode == MAKE && errno != EEXIST)
		return taf_fail_sys(e, "%s: cannot make the folder", relative);
	if (lstat(path->data, &sb) != 0)
		return mode == LOOK && (errno == ENOENT || errno == ENOTDIR) ? TAF_OK :
		    taf_fail_sys(e, "%s: cannot look at the folder", relative);
	if (S_ISLNK(sb.st_mode))
		return taf_fail(e, TAF_EDATA, "%s: a symbolic link, behind which nothing is "
		    "written", relative);
	return S_ISDIR(sb.st_mode) ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "%s: not a folder", relative);
}

/* The folder kind/one/other and those above it, or as much as is not NULL. */
static enum taf_status
add_folder(const struct taf_daf *s, struct taf_err *e, enum mode mode, const char *kind,
    const char *one, const char *other)
{
	struct taf_buf path = { 0 }, relative = { 0 };
	enum taf_status st = own_folder(s, mode, kind, &path, e);

	if (st == TAF_OK && one != NULL)
		st = join(&relative, kind, one, e);
	if (st == TAF_OK && one != NULL)
		st = own_folder(s, mode, relative.data, &path, e);
	if (st == TAF_OK && other != NULL)
		st = taf_buf_printf(&relative, e, "/%s", other);
	if (st == TAF_OK && other != NULL)
		st = own_folder(s, mode, relative.data, &path, e);
	taf_buf_free(&relative);
	taf_buf_free(&path);
	return st;
}

static enum taf_status
add_folders(const struct taf_daf *s, enum mode mode, const char *axis,
    const struct taf_names *others, struct taf_err *e)
{
	enum taf_status st = add_folder(s, e, mode, "vectors", axis, NULL);
	size_t k;

	if (st == TAF_OK)
		st = add_folder(s, e, mode, "matrices", axis, axis);
	for (k = 0; k < others->n && st == TAF_OK; k++) {
		struct taf_err ignored = { 0 };

		/* not a name that leads elsewhere */
		if (taf_daf_name_check(others->name[k], &ignored) != TAF_OK)
			continue;
		st = add_folder(s, e, mode, "matrices", others->name[k], axis);
		if (st == TAF_OK)
			st = add_folder(s, e, mode, "matrices", axis, others->name[k]);
	}
	return st;
}

/* Look for what is in the way of an axis, or make all its folders. */
static enum taf_status
prepare_axis(const struct taf_daf *s, enum mode mode, const char *axis, struct taf_err *e)
{
	struct taf_names others = { 0 };
	struct taf_buf path = { 0 };
	enum taf_status st;
	struct stat sb;

	st = add_folder(s, e, mode, "axes", NULL, NULL);
	if (st == TAF_OK)
		st = taf_buf_printf(&path, e, "%s/axes/%s.txt", s->real, axis);
	/* an output goes through a link, and this one may lead anywhere */
	if (st == TAF_OK && lstat(path.data, &sb) == 0)
		st = taf_fail(e, TAF_EDATA, "axes/%s.txt is there already", axis);
	if (st == TAF_OK)
		st = taf_daf_axes(s, &others, e);
	if (st == TAF_OK)
		st = add_folders(s, mode, axis, &others, e);
	taf_names_free(&others);
	taf_buf_free(&path);
	return st;
}

enum taf_status
taf_daf_look_axis(const struct taf_daf *s, const char *axis, struct taf_err *e)
{
	return prepare_axis(s, LOOK, axis, e);
}

enum taf_status
taf_daf_add_axis(const struct taf_daf *s, const char *axis,
    const struct taf_daf_strings *entries, struct taf_err *e)
{
	struct taf_buf path = { 0 }, text = { 0 };
	enum taf_status st = prepare_axis(s, LOOK, axis, e);
	size_t k;

	for (k = 0; k < entries->n && st == TAF_OK; k++) {
		st = taf_buf_put(&text, entries->bytes.data + entries->at[k],
		    entries->at[k + 1] - entries->at[k], e);
		if (st == TAF_OK)
			st = taf_buf_put(&text, "\n", 1, e);
	}
	if (st == TAF_OK)
		st = drop_notes(s, e);
	if (st == TAF_OK)
		st = prepare_axis(s, MAKE, axis, e);
	if (st == TAF_OK)
		st = taf_buf_printf(&path, e, "%s/axes/%s.txt", s->real, axis);
	if (st == TAF_OK)
		st = put_text(path.data, text.len > 0 ? text.data : "", text.len, e);
	if (st == TAF_OK)
		st = sync_parent(&path, e);
	taf_buf_free(&text);
	taf_buf_free(&path);
	return st;
}

/* --- items --- */

enum {
	FILES = 8,
	LONGEST = 1024		/* three names, a folder and a suffix */
};

struct taf_daf_put {
	const struct taf_daf *s;
	struct taf_daf_item it;		/* its strings are lent */
	struct {
		struct taf_out *out;
		bool descriptor;
	} file[FILES];
	size_t n;
	struct taf_buf path, relative, aside;	/* room for the longest: no memory, no failure */
	int layouts;			/* 2 of a matrix, but for one of an axis with itself */
};

/* The path of a file of the item, in p->path. */
static enum taf_status
item_file(struct taf_daf_put *p, bool turned, const char *suffix, struct taf_err *e)
{
	enum taf_status st;

	p->it.turned = turned;
	st = taf_daf_item_path(&p->it, suffix, &p->relative, e);
	return st == TAF_OK ? join(&p->path, p->s->real, p->relative.data, e) : st;
}

/* The folder of a layout, which git may not have kept; it must be in the store. */
static enum taf_status
check_folder(struct taf_daf_put *p, enum mode mode, bool turned, struct taf_err *e)
{
	char *const *axis = p->it.axis;

	switch (p->it.kind) {
	case TAF_DAF_SCALAR:
		return add_folder(p->s, e, mode, "scalars", NULL, NULL);
	case TAF_DAF_VECTOR:
		return add_folder(p->s, e, mode, "vectors", axis[0], NULL);
	case TAF_DAF_MATRIX:
		return add_folder(p->s, e, mode, "matrices", axis[turned], axis[!turned]);
	}
	return TAF_OK;
}

/* What will be replaced, or go: files, which must be some. */
static enum taf_status
check_files(struct taf_daf_put *p, bool turned, bool force, struct taf_err *e)
{
	size_t k, n = p->it.kind == TAF_DAF_SCALAR ? 1 : TAF_DAF_SUFFIXES;
	enum taf_status st = TAF_OK;
	struct stat sb;

	for (k = 0; k < n && st == TAF_OK; k++) {
		st = item_file(p, turned, taf_daf_suffixes[k], e);
		if (st != TAF_OK || lstat(p->path.data, &sb) != 0)
			continue;
		if (k == 0 && !force)
			st = taf_fail(e, TAF_EDATA, "%s is there already (-f overwrites)",
			    p->relative.data);
		/* nor is a link one: an output goes through it, and it may lead anywhere */
		else if (!S_ISREG(sb.st_mode))
			st = taf_fail(e, TAF_EDATA, "%s: not a regular file",
			    p->relative.data);
	}
	return st;
}

static enum taf_status
new_put(struct taf_daf_put **result, const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_err *e)
{
	struct taf_daf_put *p = calloc(1, sizeof *p);
	enum taf_status st;

	if (p == NULL)
		return taf_fail_mem(e);
	p->s = s;
	p->it = *it;
	p->layouts = it->kind == TAF_DAF_MATRIX &&
	    strcmp(it->axis[0], it->axis[1]) != 0 ? 2 : 1;
	st = taf_buf_reserve(&p->relative, LONGEST, e);
	if (st == TAF_OK)
		st = taf_buf_reserve(&p->path, strlen(s->real) + LONGEST, e);
	if (st == TAF_OK)
		st = taf_buf_reserve(&p->aside, strlen(s->real) + LONGEST, e);
	if (st == TAF_OK)
		*result = p;
	else
		taf_daf_put_discard(p);
	return st;
}

static enum taf_status
begin(struct taf_daf_put **result, enum mode mode, const struct taf_daf *s,
    const struct taf_daf_item *it, bool force, struct taf_err *e)
{
	struct taf_daf_put *p = NULL;
	enum taf_status st = new_put(&p, s, it, e);
	int turned;

	if (st != TAF_OK)
		return st;
	for (turned = 0; turned < p->layouts && st == TAF_OK; turned++) {
		st = check_files(p, turned != 0, force, e);
		if (st == TAF_OK)
			st = check_folder(p, LOOK, turned != 0, e);
	}
	for (turned = 0; turned < p->layouts && st == TAF_OK && mode == MAKE; turned++)
		st = check_folder(p, MAKE, turned != 0, e);
	if (st == TAF_OK && mode == MAKE)
		*result = p;
	else
		taf_daf_put_discard(p);
	return st;
}

enum taf_status
taf_daf_put_look(const struct taf_daf *s, const struct taf_daf_item *it, bool force,
    struct taf_err *e)
{
	return begin(NULL, LOOK, s, it, force, e);
}

enum taf_status
taf_daf_put_begin(struct taf_daf_put **p, const struct taf_daf *s,
    const struct taf_daf_item *it, bool force, struct taf_err *e)
{
	return begin(p, MAKE, s, it, force, e);
}

enum taf_status
taf_daf_put_file(struct taf_daf_put *p, bool turned, const char *suffix,
    struct taf_out **out, struct taf_err *e)
{
	enum taf_status st = item_file(p, turned, suffix, e);

	if (st == TAF_OK)
		st = taf_out_create(out, p->path.data, e);
	if (st == TAF_OK) {
		p->file[p->n].out = *out;
		p->file[p->n++].descriptor = strcmp(suffix, ".json") == 0;
	}
	return st;
}

enum taf_status
taf_daf_put_descriptor(struct taf_daf_put *p, bool turned,
    const struct taf_daf_descriptor *d, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	struct taf_out *out;
	enum taf_status st;

	st = taf_daf_format_descriptor(d, p->it.kind == TAF_DAF_MATRIX, p->s->minor, &text, e);
	if (st == TAF_OK)
		st = taf_daf_put_file(p, turned, ".json", &out, e);
	if (st == TAF_OK)
		st = taf_out_write(out, text.data, text.len, e);
	taf_buf_free(&text);
	return st;
}

enum taf_status
taf_daf_put_scalar(struct taf_daf_put *p, const struct taf_daf_scalar *s, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	struct taf_out *out;
	enum taf_status st = taf_daf_format_scalar(s, &text, e);

	if (st == TAF_OK)
		st = taf_daf_put_file(p, false, ".json", &out, e);
	if (st == TAF_OK)
		st = taf_out_write(out, text.data, text.len, e);
	taf_buf_free(&text);
	return st;
}

/* n elements of size bytes in the host's order, little-endian. */
static enum taf_status
put_elements(struct taf_out *out, const unsigned char *p, size_t size, uint64_t n,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned char cell[8];
	uint64_t i;
	size_t k;

	if (!taf_host_is_big())
		return taf_out_write(out, p, (size_t)n * size, e);
	for (i = 0; i < n && st == TAF_OK; i++, p += size) {
		for (k = 0; k < size; k++)
			cell[k] = p[size - 1 - k];
		st = taf_out_write(out, cell, size, e);
	}
	return st;
}

/* n indices that count from 0, as integers of size bytes that count from 1. */
static enum taf_status
put_indices(struct taf_daf_put *p, bool turned, const char *suffix, const uint64_t *v,
    uint64_t n, size_t size, struct taf_err *e)
{
	struct taf_out *out;
	enum taf_status st = taf_daf_put_file(p, turned, suffix, &out, e);
	unsigned char cell[8];
	uint64_t i;

	for (i = 0; i < n && st == TAF_OK; i++) {
		/* the low bytes come first */
		taf_put64(cell, v[i] + 1, false);
		st = taf_out_write(out, cell, size, e);
	}
	return st;
}

/* m without what is false. */
static enum taf_status
drop_false(const struct taf_daf_sparse *m, struct taf_daf_sparse *to, struct taf_err *e)
{
	uint64_t j, k;

	*to = *m;
	to->ptr = taf_alloc((size_t)m->columns + 1, sizeof to->ptr[0]);
	to->row = taf_alloc((size_t)m->n + 1, sizeof to->row[0]);
	to->value = taf_alloc((size_t)m->n + 1, 1);
	if (to->ptr == NULL || to->row == NULL || to->value == NULL) {
		taf_daf_sparse_free(to);
		return taf_fail_mem(e);
	}
	to->n = to->ptr[0] = 0;
	for (j = 0; j < m->columns; j++) {
		for (k = m->ptr[j]; k < m->ptr[j + 1]; k++)
			if (m->value[k] != 0) {
				to->row[to->n] = m->row[k];
				to->value[to->n++] = 1;
			}
		to->ptr[j + 1] = to->n;
	}
	return TAF_OK;
}

static enum taf_status
put_layout(struct taf_daf_put *p, bool turned, const struct taf_daf_sparse *m,
    unsigned index, struct taf_err *e)
{
	bool matrix = p->it.kind == TAF_DAF_MATRIX;
	struct taf_daf_descriptor d = { .type = m->type, .sparse = true,
		.index = { .there = true, .type = index, .n = m->n },
		.colptr = { .there = matrix, .type = index, .n = m->columns + 1 },
		.value = { .there = true, .type = m->type, .n = m->n } };
	size_t size = taf_daf_size(index);
	enum taf_status st = TAF_OK;
	struct taf_out *out;

	if (m->type == TAF_DAF_BOOL && memchr(m->value, 0, (size_t)m->n) == NULL)
		d.value.there = false;
	if (matrix)
		st = put_indices(p, turned, ".colptr", m->ptr, m->columns + 1, size, e);
	if (st == TAF_OK)
		st = put_indices(p, turned, matrix ? ".rowval" : ".nzind", m->row, m->n, size,
		    e);
	if (st == TAF_OK && d.value.there) {
		st = taf_daf_put_file(p, turned, ".nzval", &out, e);
		if (st == TAF_OK)
			st = put_elements(out, m->value, taf_daf_size(m->type), m->n, e);
	}
	return st == TAF_OK ? taf_daf_put_descriptor(p, turned, &d, e) : st;
}

enum taf_status
taf_daf_put_sparse(struct taf_daf_put *p, const struct taf_daf_sparse *m, unsigned index,
    struct taf_err *e)
{
	struct taf_daf_sparse kept = { 0 }, turned = { 0 };
	enum taf_status st = TAF_OK;

	if (m->type == TAF_DAF_BOOL && p->s->minor == 0) {
		st = drop_false(m, &kept, e);
		m = &kept;
	}
	if (st == TAF_OK)
		st = put_layout(p, false, m, index, e);
	if (st == TAF_OK && p->layouts > 1)
		st = taf_daf_sparse_turn(m, &turned, e);
	if (st == TAF_OK && p->layouts > 1)
		st = put_layout(p, true, &turned, index, e);
	taf_daf_sparse_free(&kept);
	taf_daf_sparse_free(&turned);
	return st;
}

static enum taf_status
remove_old(struct taf_daf_put *p, bool turned, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t k;

	for (k = 0; k < TAF_DAF_SUFFIXES && st == TAF_OK; k++) {
		st = item_file(p, turned, taf_daf_suffixes[k], e);
		if (st == TAF_OK && unlink(p->path.data) != 0 && errno != ENOENT)
			st = taf_fail_sys(e, "%s: cannot remove", p->relative.data);
		if (st == TAF_OK && k == 0)
			st = sync_parent(&p->path, e);
	}
	return st;
}

static enum taf_status
remove_all(struct taf_daf_put *p, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int turned;

	for (turned = 0; turned < p->layouts && st == TAF_OK; turned++)
		st = remove_old(p, turned != 0, e);
	return st;
}

/*
 * While the files of an item are exchanged, the old ones are in a folder of the store: each
 * under the number of its layout and its suffix.  The file "item" there says of what; as
 * long as it is there, the old ones are to be put back.  The file "moved" says that all are
 * there, so that what stands in their places is new.
 */
#define ASIDE ".taf2daf.undo"

static enum taf_status
aside(struct taf_daf_put *p, const char *name, struct taf_err *e)
{
	p->aside.len = 0;
	return taf_buf_printf(&p->aside, e, "%s/" ASIDE "%s%s", p->s->real,
	    name[0] != '\0' ? "/" : "", name);
}

/* Sync the folder. */
static enum taf_status
sync_aside(struct taf_daf_put *p, struct taf_err *e)
{
	enum taf_status st = aside(p, "", e);

	return st != TAF_OK ? st : taf_sync_folder(p->aside.data, e);
}

/* Names of file k of a layout: its own in p->path, that aside in p->aside. */
static enum taf_status
both_names(struct taf_daf_put *p, bool turned, size_t k, struct taf_err *e)
{
	enum taf_status st = item_file(p, turned, taf_daf_suffixes[k], e);
	char name[32];

	(void)snprintf(name, sizeof name, "%d%s", (int)turned, taf_daf_suffixes[k]);
	return st == TAF_OK ? aside(p, name, e) : st;
}

/* Remove a file of the folder, if it is there. */
static enum taf_status
drop(struct taf_daf_put *p, const char *name, struct taf_err *e)
{
	enum taf_status st = aside(p, name, e);

	if (st == TAF_OK && unlink(p->aside.data) != 0 && errno != ENOENT && errno != ENOTDIR)
		st = taf_fail_sys(e, ASIDE "/%s: cannot remove", name);
	return st;
}

/* What lies aside is not wanted any more: the old files, or an end left behind. */
static enum taf_status
drop_aside(struct taf_daf_put *p, struct taf_err *e)
{
	enum taf_status st = drop(p, "item", e);
	int turned;
	size_t k;

	if (st == TAF_OK && access(aside(p, "", e) == TAF_OK ? p->aside.data : "", F_OK) == 0)
		st = sync_aside(p, e);
	if (st == TAF_OK)
		st = drop(p, "moved", e);
	for (turned = 0; turned < 2 && st == TAF_OK; turned++)
		for (k = 0; k < TAF_DAF_SUFFIXES && st == TAF_OK; k++) {
			char name[32];

			(void)snprintf(name, sizeof name, "%d%s", turned, taf_daf_suffixes[k]);
			st = drop(p, name, e);
		}
	if (st == TAF_OK)
		st = aside(p, "", e);
	if (st == TAF_OK)
		(void)rmdir(p->aside.data);
	return st;
}

static enum taf_status
sync_layouts(struct taf_daf_put *p, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int turned;

	for (turned = 0; turned < p->layouts && st == TAF_OK; turned++) {
		st = item_file(p, turned != 0, "", e);
		if (st == TAF_OK)
			st = sync_parent(&p->path, e);
	}
	return st;
}

/* Move the old files aside, descriptors first. */
static enum taf_status
move_aside(struct taf_daf_put *p, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	enum taf_status st = drop_aside(p, e);
	int turned;
	size_t k;

	if (st == TAF_OK)
		st = aside(p, "", e);
	if (st == TAF_OK && mkdir(p->aside.data, 0777) != 0)
		st = taf_fail_sys(e, ASIDE ": cannot make the folder");
	if (st == TAF_OK)
		st = taf_daf_item_text(&p->it, &text, e);
	if (st == TAF_OK)
		st = aside(p, "item", e);
	if (st == TAF_OK)
		st = put_text(p->aside.data, text.data, text.len, e);
	if (st == TAF_OK)
		st = sync_aside(p, e);
	if (st == TAF_OK)
		st = taf_sync_folder(p->s->real, e);
	for (k = 0; k < TAF_DAF_SUFFIXES && st == TAF_OK; k++)
		for (turned = 0; turned < p->layouts && st == TAF_OK; turned++) {
			st = both_names(p, turned != 0, k, e);
			if (st == TAF_OK && rename(p->path.data, p->aside.data) != 0 &&
			    errno != ENOENT)
				st = taf_fail_sys(e, "%s: cannot move", p->relative.data);
		}
	if (st == TAF_OK)
		st = sync_layouts(p, e);
	if (st == TAF_OK)
		st = aside(p, "moved", e);
	if (st == TAF_OK)
		st = put_text(p->aside.data, "", 0, e);
	if (st == TAF_OK)
		st = sync_aside(p, e);
	taf_buf_free(&text);
	return st;
}

/* Put the old files back, descriptors last; interrupted, it begins anew. */
static enum taf_status
put_back(struct taf_daf_put *p, struct taf_err *e)
{
	enum taf_status st = aside(p, "moved", e);
	int turned;
	size_t k;

	if (st == TAF_OK && access(p->aside.data, F_OK) == 0) {
		st = remove_all(p, e);
		if (st == TAF_OK)
			st = sync_layouts(p, e);
		if (st == TAF_OK)
			st = drop(p, "moved", e);
		if (st == TAF_OK)
			st = sync_aside(p, e);
	}
	for (k = TAF_DAF_SUFFIXES; k-- > 0 && st == TAF_OK;)
		for (turned = 0; turned < p->layouts && st == TAF_OK; turned++) {
			st = both_names(p, turned != 0, k, e);
			if (st == TAF_OK && rename(p->aside.data, p->path.data) != 0 &&
			    errno != ENOENT)
				st = taf_fail_sys(e, "%s: cannot put back", p->relative.data);
		}
	if (st == TAF_OK)
		st = sync_layouts(p, e);
	return st == TAF_OK ? drop_aside(p, e) : st;
}

/* Make the new files appear that are descriptors, or those that are not. */
static enum taf_status
appear(struct taf_daf_put *p, bool descriptor, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t k;

	for (k = 0; k < p->n && st == TAF_OK; k++)
		if (p->file[k].descriptor == descriptor) {
			st = taf_out_commit(p->file[k].out, e);
			p->file[k].out = NULL;
		}
	/* no descriptor without what it describes */
	return st == TAF_OK && !descriptor && p->it.kind != TAF_DAF_SCALAR ?
	    sync_layouts(p, e) : st;
}

enum taf_status
taf_daf_put_commit(struct taf_daf_put *p, struct taf_err *e)
{
	struct taf_err ignored = { 0 };
	enum taf_status st = TAF_OK;
	size_t k;

	for (k = 0; k < p->n && st == TAF_OK; k++)
		st = taf_out_finish(p->file[k].out, e);
	taf_signals_hold();
	if (st == TAF_OK)
		st = drop_notes(p->s, e);
	if (st == TAF_OK) {
		if (p->it.kind != TAF_DAF_SCALAR)
			st = move_aside(p, e);
		if (st == TAF_OK)
			st = appear(p, false, e);
		if (st == TAF_OK)
			st = appear(p, true, e);
		if (st == TAF_OK && p->it.kind != TAF_DAF_SCALAR)
			st = sync_layouts(p, e);
		if (p->it.kind != TAF_DAF_SCALAR)
			(void)(st == TAF_OK ? drop_aside(p, &ignored) : put_back(p, &ignored));
	}
	taf_signals_let();
	taf_daf_put_discard(p);
	return st;
}

void
taf_daf_put_discard(struct taf_daf_put *p)
{
	size_t k;

	if (p == NULL)
		return;
	for (k = 0; k < p->n; k++)
		taf_out_discard(p->file[k].out);
	taf_buf_free(&p->path);
	taf_buf_free(&p->relative);
	taf_buf_free(&p->aside);
	free(p);
}

/* Is there something to put back? */
static enum taf_status
interrupted(const struct taf_daf *s, struct taf_buf *path, bool *there, struct taf_err *e)
{
	enum taf_status st = join(path, s->real, ASIDE "/item", e);
	struct stat sb;

	*there = st == TAF_OK && lstat(path->data, &sb) == 0;
	return st;
}

/* The same with the lock held. */
static enum taf_status
recover(const struct taf_daf *s, struct taf_err *e)
{
	struct taf_daf_item it = { 0 };
	struct taf_daf_put *p = NULL;
	struct taf_buf path = { 0 };
	char text[LONGEST] = "";
	struct taf_in *in = NULL;
	enum taf_status st;
	bool there;
	int turned;
	size_t n;

	st = interrupted(s, &path, &there, e);
	if (st == TAF_OK && there)
		st = add_folder(s, e, LOOK, ASIDE, NULL, NULL);
	if (st == TAF_OK && there)
		st = taf_in_open(&in, path.data, e);
	taf_buf_free(&path);
	if (st != TAF_OK || !there)
		return st;
	n = taf_in_left(in) < sizeof text ? (size_t)taf_in_left(in) : sizeof text - 1;
	st = taf_in_read(in, text, n, e);
	taf_in_close(in);
	if (st == TAF_OK)
		st = taf_daf_item_parse(&it, text, e);
	if (st == TAF_OK)
		st = new_put(&p, s, &it, e);
	for (turned = 0; st == TAF_OK && turned < p->layouts; turned++)
		st = check_folder(p, LOOK, turned != 0, e);
	if (st == TAF_OK)
		st = put_back(p, e);
	taf_daf_put_discard(p);
	taf_daf_item_free(&it);
	return st == TAF_EUSAGE ? e->code = TAF_EDATA : st;
}

enum taf_status
taf_daf_recover(const struct taf_daf *s, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st;
	bool there;
	int fd;

	st = interrupted(s, &path, &there, e);
	if (st == TAF_OK && there)
		st = taf_daf_lock(s, &fd, e);
	if (st == TAF_OK && there)
		(void)close(fd);
	else if (st == TAF_ESYS && there && (e->sys == EACCES || e->sys == EROFS)) {
		taf_err_clear(e);
		st = taf_fail(e, TAF_EDATA, "an interrupted change has to be undone first, but "
		    "the store cannot be written");
	}
	taf_buf_free(&path);
	return st;
}
