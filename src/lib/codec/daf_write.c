#include "codec/daf_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/endian.h"
#include "base/str.h"
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
sync_parent(char *path, struct taf_err *e)
{
	*strrchr(path, '/') = '\0';
	return taf_sync_folder(path, e);
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

static const char *const folders[] = { "scalars", "axes", "vectors", "matrices" };
enum { FOLDERS = 4 };

/* Is a folder a store?  If it holds something else, it cannot become one. */
static enum taf_status
look_for_store(const char *path, bool *store, struct taf_err *e)
{
	struct taf_names there = { 0 };
	enum taf_status st = taf_names_read(&there, path, "", e);
	bool ours = true;
	size_t i, k;

	*store = false;
	for (i = 0; i < there.n; i++) {
		bool known = there.name[i][0] == '.';

		/* an empty start, left behind, is as good as none */
		for (k = 0; k < FOLDERS; k++)
			known = known || strcmp(there.name[i], folders[k]) == 0;
		*store = *store || strcmp(there.name[i], "daf.json") == 0;
		ours = ours && known;
	}
	taf_names_free(&there);
	if (st != TAF_OK)
		return st == TAF_END ? TAF_OK : st;
	return *store || ours ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "the folder holds something else");
}

/* An empty store; its caller frees name. */
static enum taf_status
make_store(const char *path, struct taf_buf *name, struct taf_err *e)
{
	size_t k;

	if (make_folder(path, e) != TAF_OK)
		return e->code;
	for (k = 0; k < FOLDERS; k++)
		if (join(name, path, folders[k], e) != TAF_OK ||
		    make_folder(name->data, e) != TAF_OK)
			return e->code;
	if (join(name, path, "daf.json", e) != TAF_OK ||
	    put_text(name->data, "{\"version\":[1,1]}\n", 18, e) != TAF_OK)
		return e->code;
	return sync_parent(name->data, e);
}

enum taf_status
taf_daf_create(const char *path, struct taf_err *e)
{
	struct taf_buf name = { 0 };
	enum taf_status st;
	bool store;

	st = look_for_store(path, &store, e);
	if (st != TAF_OK || store)
		return st;
	st = make_store(path, &name, e);
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

	if (st != TAF_OK)
		return st;
	if (unfinished)
		return taf_fail(e, TAF_EDATA, "an interrupted reordering of its axes "
		    "(.reorder.backup) has to be undone first");
	if (join(&path, s->real, "daf.json", e) != TAF_OK)
		return e->code;
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

/* Remove a file of the store, if it is there. */
static enum taf_status
drop_note(const struct taf_daf *s, const char *relative, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	bool gone;

	if (join(&path, s->real, relative, e) != TAF_OK)
		return e->code;
	gone = unlink(path.data) == 0 || errno == ENOENT || errno == ENOTDIR;
	if (!gone)
		(void)taf_fail_sys(e, "%s: cannot remove", relative);
	taf_buf_free(&path);
	return gone ? TAF_OK : e->code;
}

/* What others keep about the whole store: it would not be true any more. */
static enum taf_status
drop_notes(const struct taf_daf *s, struct taf_err *e)
{
	if (drop_note(s, "metadata.json", e) != TAF_OK ||
	    drop_note(s, "metadata.zip", e) != TAF_OK)
		return e->code;
	return drop_note(s, "axes/metadata.json", e);
}

/* To make what is missing, or only to look whether that will be possible. */
enum mode { LOOK, MAKE };

/* A folder of the store that is at path. */
static enum taf_status
own_folder(enum mode mode, const char *path, const char *relative, struct taf_err *e)
{
	struct stat sb;

	if (mode == MAKE && mkdir(path, 0777) == 0)
		return TAF_OK;
	if (mode == MAKE && errno != EEXIST)
		return taf_fail_sys(e, "%s: cannot make the folder", relative);
	if (lstat(path, &sb) != 0)
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
	const char *const name[] = { kind, one, other };
	struct taf_str path = { .err = e };
	size_t k;

	taf_str_puts(&path, s->real);
	for (k = 0; k < 3 && name[k] != NULL && path.st == TAF_OK; k++) {
		taf_str_printf(&path, "/%s", name[k]);
		if (path.st == TAF_OK)
			path.st = own_folder(mode, path.buf.data,
			    path.buf.data + strlen(s->real) + 1, e);
	}
	taf_str_free(&path);
	return path.st;
}

static enum taf_status
add_folders(const struct taf_daf *s, enum mode mode, const char *axis,
    const struct taf_names *others, struct taf_err *e)
{
	size_t k;

	if (add_folder(s, e, mode, "vectors", axis, NULL) != TAF_OK ||
	    add_folder(s, e, mode, "matrices", axis, axis) != TAF_OK)
		return e->code;
	for (k = 0; k < others->n; k++) {
		const char *other = others->name[k];
		struct taf_err ignored = { 0 };

		/* not a name that leads elsewhere */
		if (taf_daf_name_check(other, &ignored) == TAF_OK &&
		    (add_folder(s, e, mode, "matrices", other, axis) != TAF_OK ||
		    add_folder(s, e, mode, "matrices", axis, other) != TAF_OK))
			return e->code;
	}
	return TAF_OK;
}

/* Look for what is in the way of an axis of that file, or make all its folders. */
static enum taf_status
prepare_axis(const struct taf_daf *s, enum mode mode, const char *axis, const char *path,
    struct taf_err *e)
{
	struct taf_names others = { 0 };
	enum taf_status st;
	struct stat sb;

	if (add_folder(s, e, mode, "axes", NULL, NULL) != TAF_OK)
		return e->code;
	/* an output goes through a link, and this one may lead anywhere */
	if (lstat(path, &sb) == 0)
		return taf_fail(e, TAF_EDATA, "axes/%s.txt is there already", axis);
	st = taf_daf_axes(s, &others, e);
	if (st == TAF_OK)
		st = add_folders(s, mode, axis, &others, e);
	taf_names_free(&others);
	return st;
}

static enum taf_status
axis_path(const struct taf_daf *s, const char *axis, struct taf_buf *path,
    struct taf_err *e)
{
	return taf_buf_printf(path, e, "%s/axes/%s.txt", s->real, axis);
}

enum taf_status
taf_daf_look_axis(const struct taf_daf *s, const char *axis, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = axis_path(s, axis, &path, e);

	if (st == TAF_OK)
		st = prepare_axis(s, LOOK, axis, path.data, e);
	taf_buf_free(&path);
	return st;
}

/* The file of an axis, which holds such a text; path is cut. */
static enum taf_status
make_axis(const struct taf_daf *s, const char *axis, char *path, const struct taf_buf *text,
    struct taf_err *e)
{
	if (prepare_axis(s, LOOK, axis, path, e) != TAF_OK || drop_notes(s, e) != TAF_OK ||
	    prepare_axis(s, MAKE, axis, path, e) != TAF_OK ||
	    put_text(path, text->len > 0 ? text->data : "", text->len, e) != TAF_OK)
		return e->code;
	return sync_parent(path, e);
}

enum taf_status
taf_daf_add_axis(const struct taf_daf *s, const char *axis,
    const struct taf_daf_strings *entries, struct taf_err *e)
{
	struct taf_str text = { .err = e };
	struct taf_buf path = { 0 };
	enum taf_status st;
	size_t k;

	for (k = 0; k < entries->n; k++) {
		taf_str_put(&text, entries->bytes.data + entries->at[k],
		    entries->at[k + 1] - entries->at[k]);
		taf_str_puts(&text, "\n");
	}
	st = text.st != TAF_OK ? text.st : axis_path(s, axis, &path, e);
	if (st == TAF_OK)
		st = make_axis(s, axis, path.data, &text.buf, e);
	taf_str_free(&text);
	taf_buf_free(&path);
	return st;
}

/* --- items --- */

enum { FILES = 8 };

struct taf_daf_put {
	const struct taf_daf *s;
	struct taf_daf_item it;		/* its strings are lent */
	struct {
		struct taf_out *out;
		bool descriptor;
	} file[FILES];
	size_t n;
	char relative[TAF_DAF_PATH], *path, *aside;
	size_t room;			/* of the last two, for the longest that can be */
	int layouts;			/* 2 of a matrix, but for one of an axis with itself */
};

/* The path of a file of the item, which is p->path. */
static char *
item_file(struct taf_daf_put *p, bool turned, const char *suffix)
{
	p->it.turned = turned;
	taf_daf_item_path(&p->it, suffix, p->relative);
	(void)snprintf(p->path, p->room, "%s/%s", p->s->real, p->relative);
	return p->path;
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
	struct stat sb;

	for (k = 0; k < n; k++) {
		if (lstat(item_file(p, turned, taf_daf_suffixes[k]), &sb) != 0)
			continue;
		if (k == 0 && !force)
			return taf_fail(e, TAF_EDATA, "%s is there already (-f overwrites)",
			    p->relative);
		/* nor is a link one: an output goes through it, and it may lead anywhere */
		if (!S_ISREG(sb.st_mode))
			return taf_fail(e, TAF_EDATA, "%s: not a regular file", p->relative);
	}
	return TAF_OK;
}

static enum taf_status
new_put(struct taf_daf_put **result, const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_err *e)
{
	struct taf_daf_put *p = calloc(1, sizeof *p);

	if (p == NULL)
		return taf_fail_mem(e);
	p->s = s;
	p->it = *it;
	p->layouts = it->kind == TAF_DAF_MATRIX &&
	    strcmp(it->axis[0], it->axis[1]) != 0 ? 2 : 1;
	p->room = strlen(s->real) + 1 + TAF_DAF_PATH;
	p->path = malloc(p->room);
	p->aside = malloc(p->room);
	if (p->path == NULL || p->aside == NULL) {
		taf_daf_put_discard(p);
		return taf_fail_mem(e);
	}
	*result = p;
	return TAF_OK;
}

static enum taf_status
prepare(struct taf_daf_put *p, enum mode mode, bool force, struct taf_err *e)
{
	int turned;

	for (turned = 0; turned < p->layouts; turned++)
		if (check_files(p, turned != 0, force, e) != TAF_OK ||
		    check_folder(p, LOOK, turned != 0, e) != TAF_OK)
			return e->code;
	for (turned = 0; turned < p->layouts && mode == MAKE; turned++)
		if (check_folder(p, MAKE, turned != 0, e) != TAF_OK)
			return e->code;
	return TAF_OK;
}

static enum taf_status
begin(struct taf_daf_put **result, enum mode mode, const struct taf_daf *s,
    const struct taf_daf_item *it, bool force, struct taf_err *e)
{
	struct taf_daf_put *p;
	enum taf_status st = new_put(&p, s, it, e);

	if (st != TAF_OK)
		return st;
	st = prepare(p, mode, force, e);
	if (st != TAF_OK || mode == LOOK)
		taf_daf_put_discard(p);
	else
		*result = p;
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
	if (taf_out_create(out, item_file(p, turned, suffix), e) != TAF_OK)
		return e->code;
	p->file[p->n].out = *out;
	p->file[p->n++].descriptor = strcmp(suffix, ".json") == 0;
	return TAF_OK;
}

/* The file of the item that holds such JSON. */
static enum taf_status
put_json(struct taf_daf_put *p, bool turned, const struct taf_buf *text, struct taf_err *e)
{
	struct taf_out *out;

	if (taf_daf_put_file(p, turned, ".json", &out, e) != TAF_OK)
		return e->code;
	return taf_out_write(out, text->data, text->len, e);
}

enum taf_status
taf_daf_put_descriptor(struct taf_daf_put *p, bool turned,
    const struct taf_daf_descriptor *d, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	enum taf_status st;

	st = taf_daf_format_descriptor(d, p->it.kind == TAF_DAF_MATRIX, p->s->minor, &text, e);
	if (st == TAF_OK)
		st = put_json(p, turned, &text, e);
	taf_buf_free(&text);
	return st;
}

enum taf_status
taf_daf_put_scalar(struct taf_daf_put *p, const struct taf_daf_scalar *s, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	enum taf_status st = taf_daf_format_scalar(s, &text, e);

	if (st == TAF_OK)
		st = put_json(p, false, &text, e);
	taf_buf_free(&text);
	return st;
}

/* n elements of size bytes in the host's order, little-endian. */
static enum taf_status
put_elements(struct taf_out *out, const unsigned char *p, size_t size, uint64_t n,
    struct taf_err *e)
{
	unsigned char cell[8];
	uint64_t i;
	size_t k;

	if (!taf_host_is_big())
		return taf_out_write(out, p, (size_t)n * size, e);
	for (i = 0; i < n; i++, p += size) {
		for (k = 0; k < size; k++)
			cell[k] = p[size - 1 - k];
		if (taf_out_write(out, cell, size, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* Indices that count from 0, to be written as integers of size bytes that count from 1. */
struct indices {
	const uint64_t *v;
	uint64_t n;
	size_t size;
};

static enum taf_status
put_indices(struct taf_daf_put *p, bool turned, const char *suffix, struct indices l,
    struct taf_err *e)
{
	struct taf_out *out;
	unsigned char cell[8];
	uint64_t i;

	if (taf_daf_put_file(p, turned, suffix, &out, e) != TAF_OK)
		return e->code;
	for (i = 0; i < l.n; i++) {
		/* the low bytes come first */
		taf_put64(cell, l.v[i] + 1, false);
		if (taf_out_write(out, cell, l.size, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
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
	struct taf_out *out;

	if (m->type == TAF_DAF_BOOL && memchr(m->value, 0, (size_t)m->n) == NULL)
		d.value.there = false;
	if (matrix && put_indices(p, turned, ".colptr",
	    (struct indices){ m->ptr, m->columns + 1, size }, e) != TAF_OK)
		return e->code;
	if (put_indices(p, turned, matrix ? ".rowval" : ".nzind",
	    (struct indices){ m->row, m->n, size }, e) != TAF_OK)
		return e->code;
	if (d.value.there && (taf_daf_put_file(p, turned, ".nzval", &out, e) != TAF_OK ||
	    put_elements(out, m->value, taf_daf_size(m->type), m->n, e) != TAF_OK))
		return e->code;
	return taf_daf_put_descriptor(p, turned, &d, e);
}

static enum taf_status
put_layouts(struct taf_daf_put *p, const struct taf_daf_sparse *m, unsigned index,
    struct taf_err *e)
{
	struct taf_daf_sparse turned;
	enum taf_status st = put_layout(p, false, m, index, e);

	if (st != TAF_OK || p->layouts == 1)
		return st;
	st = taf_daf_sparse_turn(m, &turned, e);
	if (st == TAF_OK)
		st = put_layout(p, true, &turned, index, e);
	taf_daf_sparse_free(&turned);
	return st;
}

enum taf_status
taf_daf_put_sparse(struct taf_daf_put *p, const struct taf_daf_sparse *m, unsigned index,
    struct taf_err *e)
{
	struct taf_daf_sparse kept;
	enum taf_status st;

	if (m->type != TAF_DAF_BOOL || p->s->minor != 0)
		return put_layouts(p, m, index, e);
	st = drop_false(m, &kept, e);
	if (st != TAF_OK)
		return st;
	st = put_layouts(p, &kept, index, e);
	taf_daf_sparse_free(&kept);
	return st;
}

static enum taf_status
remove_old(struct taf_daf_put *p, bool turned, struct taf_err *e)
{
	size_t k;

	for (k = 0; k < TAF_DAF_SUFFIXES; k++) {
		if (unlink(item_file(p, turned, taf_daf_suffixes[k])) != 0 && errno != ENOENT)
			return taf_fail_sys(e, "%s: cannot remove", p->relative);
		if (k == 0 && sync_parent(p->path, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

static enum taf_status
remove_all(struct taf_daf_put *p, struct taf_err *e)
{
	int turned;

	for (turned = 0; turned < p->layouts; turned++)
		if (remove_old(p, turned != 0, e) != TAF_OK)
			return e->code;
	return TAF_OK;
}

/*
 * While the files of an item are exchanged, the old ones are in a folder of the store: each
 * under the number of its layout and its suffix.  The file "item" there says of what; as
 * long as it is there, the old ones are to be put back.  The file "moved" says that all are
 * there, so that what stands in their places is new.
 */
#define ASIDE ".taf2daf.undo"

/* The path of a file in it, or for "" its own. */
static const char *
aside(struct taf_daf_put *p, const char *name)
{
	(void)snprintf(p->aside, p->room, "%s/" ASIDE "%s%s", p->s->real,
	    name[0] != '\0' ? "/" : "", name);
	return p->aside;
}

static enum taf_status
sync_aside(struct taf_daf_put *p, struct taf_err *e)
{
	return taf_sync_folder(aside(p, ""), e);
}

/* Where file k of a layout lies. */
static const char *
file_aside(struct taf_daf_put *p, int turned, size_t k)
{
	char name[32];

	(void)snprintf(name, sizeof name, "%d%s", turned, taf_daf_suffixes[k]);
	return aside(p, name);
}

/* Remove a file of the folder, if it is there. */
static enum taf_status
drop(const char *path, struct taf_err *e)
{
	if (unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR)
		return TAF_OK;
	return taf_fail_sys(e, ASIDE "%s: cannot remove", strrchr(path, '/'));
}

/* From here on what stands in the places counts: nothing is put back any more. */
static enum taf_status
settle(struct taf_daf_put *p, struct taf_err *e)
{
	if (drop(aside(p, "item"), e) != TAF_OK)
		return e->code;
	return access(aside(p, ""), F_OK) == 0 ? sync_aside(p, e) : TAF_OK;
}

/* Files that a killed command was writing there, under names of their own. */
static enum taf_status
drop_unfinished(struct taf_daf_put *p, struct taf_err *e)
{
	struct taf_names there = { 0 };
	enum taf_status st;
	struct stat sb;
	size_t i;

	if (lstat(aside(p, ""), &sb) != 0 || !S_ISDIR(sb.st_mode))
		return TAF_OK;
	st = taf_names_read(&there, aside(p, ""), "", e);
	for (i = 0; i < there.n && st == TAF_OK; i++)
		if (there.name[i][0] == '.')
			st = drop(aside(p, there.name[i]), e);
	taf_names_free(&there);
	return st;
}

/* What lies aside is of no use any more: the old files, or an end left behind. */
static enum taf_status
drop_aside(struct taf_daf_put *p, struct taf_err *e)
{
	int turned;
	size_t k;

	if (drop(aside(p, "moved"), e) != TAF_OK)
		return e->code;
	for (turned = 0; turned < 2; turned++)
		for (k = 0; k < TAF_DAF_SUFFIXES; k++)
			if (drop(file_aside(p, turned, k), e) != TAF_OK)
				return e->code;
	if (drop_unfinished(p, e) != TAF_OK)
		return e->code;
	return rmdir(aside(p, "")) == 0 || errno == ENOENT ? TAF_OK :
	    taf_fail_sys(e, ASIDE ": cannot remove the folder");
}

static enum taf_status
sync_layouts(struct taf_daf_put *p, struct taf_err *e)
{
	int turned;

	for (turned = 0; turned < p->layouts; turned++)
		if (sync_parent(item_file(p, turned != 0, ""), e) != TAF_OK)
			return e->code;
	return TAF_OK;
}

/* Say of what the folder is: from here on it is put back. */
static enum taf_status
note_item(struct taf_daf_put *p, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	enum taf_status st;

	st = taf_daf_item_text(&p->it, &text, e);
	if (st == TAF_OK)
		st = put_text(aside(p, "item"), text.data, text.len, e);
	taf_buf_free(&text);
	return st;
}

/* The folder, without what somebody has left there. */
static enum taf_status
make_aside(struct taf_daf_put *p, struct taf_err *e)
{
	if (drop_aside(p, e) != TAF_OK)
		return e->code;
	if (mkdir(aside(p, ""), 0777) != 0)
		return taf_fail_sys(e, ASIDE ": cannot make the folder");
	if (note_item(p, e) == TAF_OK)
		return TAF_OK;
	(void)rmdir(aside(p, ""));
	return e->code;
}

/* Move the old files aside, descriptors first. */
static enum taf_status
move_aside(struct taf_daf_put *p, struct taf_err *e)
{
	int turned;
	size_t k;

	if (sync_aside(p, e) != TAF_OK || taf_sync_folder(p->s->real, e) != TAF_OK)
		return e->code;
	for (k = 0; k < TAF_DAF_SUFFIXES; k++)
		for (turned = 0; turned < p->layouts; turned++)
			if (rename(item_file(p, turned != 0, taf_daf_suffixes[k]),
			    file_aside(p, turned, k)) != 0 && errno != ENOENT)
				return taf_fail_sys(e, "%s: cannot move", p->relative);
	if (sync_layouts(p, e) != TAF_OK || put_text(aside(p, "moved"), "", 0, e) != TAF_OK)
		return e->code;
	return sync_aside(p, e);
}

/* Put the old files back, descriptors last; interrupted, it begins anew. */
static enum taf_status
put_back(struct taf_daf_put *p, struct taf_err *e)
{
	struct taf_err ignored = { 0 };
	int turned;
	size_t k;

	if (access(aside(p, "moved"), F_OK) == 0 &&
	    (remove_all(p, e) != TAF_OK || sync_layouts(p, e) != TAF_OK ||
	    drop(aside(p, "moved"), e) != TAF_OK || sync_aside(p, e) != TAF_OK))
		return e->code;
	for (k = TAF_DAF_SUFFIXES; k-- > 0;)
		for (turned = 0; turned < p->layouts; turned++)
			if (rename(file_aside(p, turned, k), item_file(p, turned != 0,
			    taf_daf_suffixes[k])) != 0 && errno != ENOENT)
				return taf_fail_sys(e, "%s: cannot put back", p->relative);
	if (sync_layouts(p, e) != TAF_OK || settle(p, e) != TAF_OK)
		return e->code;
	(void)drop_aside(p, &ignored);
	return TAF_OK;
}

/* Make the new files appear that are descriptors, or those that are not. */
static enum taf_status
appear(struct taf_daf_put *p, bool descriptor, struct taf_err *e)
{
	size_t k;

	for (k = 0; k < p->n; k++)
		if (p->file[k].descriptor == descriptor) {
			struct taf_out *out = p->file[k].out;

			p->file[k].out = NULL;
			if (taf_out_commit(out, e) != TAF_OK)
				return e->code;
		}
	/* no descriptor without what it describes */
	return p->it.kind != TAF_DAF_SCALAR ? sync_layouts(p, e) : TAF_OK;
}

/* All is written: exchange the files, or leave the old ones. */
static enum taf_status
exchange(struct taf_daf_put *p, struct taf_err *e)
{
	bool keep = p->it.kind != TAF_DAF_SCALAR;
	struct taf_err ignored = { 0 };

	if (drop_notes(p->s, e) != TAF_OK || (keep && make_aside(p, e) != TAF_OK))
		return e->code;
	if ((keep && move_aside(p, e) != TAF_OK) || appear(p, false, e) != TAF_OK ||
	    appear(p, true, e) != TAF_OK || (keep && settle(p, e) != TAF_OK)) {
		/* so that the next command goes on where this is interrupted */
		if (keep && access(aside(p, "item"), F_OK) != 0)
			(void)note_item(p, &ignored);
		if (keep)
			(void)put_back(p, &ignored);
		return e->code;
	}
	/* the new item is whole, whatever is left; the next command tries again too */
	if (keep && drop_aside(p, &ignored) != TAF_OK)
		(void)drop_aside(p, &ignored);
	return TAF_OK;
}

enum taf_status
taf_daf_put_commit(struct taf_daf_put *p, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t k;

	for (k = 0; k < p->n && st == TAF_OK; k++)
		st = taf_out_finish(p->file[k].out, e);
	taf_signals_hold();
	if (st == TAF_OK)
		st = exchange(p, e);
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
	free(p->path);
	free(p->aside);
	free(p);
}

/* Is there something to put back?  The file that says so, for free(), or NULL in *path. */
static enum taf_status
interrupted(const struct taf_daf *s, char **path, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	struct stat sb;

	*path = NULL;
	if (join(&text, s->real, ASIDE "/item", e) != TAF_OK)
		return e->code;
	if (lstat(text.data, &sb) == 0)
		*path = text.data;
	else
		taf_buf_free(&text);
	return TAF_OK;
}

/* Put back the files of an item. */
static enum taf_status
recover_item(const struct taf_daf *s, const struct taf_daf_item *it, struct taf_err *e)
{
	struct taf_daf_put *p;
	enum taf_status st = new_put(&p, s, it, e);
	int turned;

	if (st != TAF_OK)
		return st;
	for (turned = 0; st == TAF_OK && turned < p->layouts; turned++)
		st = check_folder(p, LOOK, turned != 0, e);
	if (st == TAF_OK)
		st = put_back(p, e);
	taf_daf_put_discard(p);
	return st;
}

/* The text of a file, or its beginning. */
static enum taf_status
read_name(const char *path, char text[TAF_DAF_PATH], struct taf_err *e)
{
	struct taf_in *in;
	enum taf_status st = taf_in_open(&in, path, e);
	size_t n;

	if (st != TAF_OK)
		return st;
	n = taf_in_left(in) < TAF_DAF_PATH ? (size_t)taf_in_left(in) : TAF_DAF_PATH - 1;
	st = taf_in_read(in, text, n, e);
	text[n] = '\0';
	taf_in_close(in);
	return st;
}

/* The same with the lock held. */
static enum taf_status
recover(const struct taf_daf *s, struct taf_err *e)
{
	struct taf_daf_item it = { 0 };
	char text[TAF_DAF_PATH], *path;
	enum taf_status st = interrupted(s, &path, e);

	if (st != TAF_OK || path == NULL)
		return st;
	st = add_folder(s, e, LOOK, ASIDE, NULL, NULL);
	if (st == TAF_OK)
		st = read_name(path, text, e);
	free(path);
	if (st != TAF_OK)
		return st;
	st = taf_daf_item_parse(&it, text, e);
	if (st == TAF_OK)
		st = recover_item(s, &it, e);
	taf_daf_item_free(&it);
	return st == TAF_EUSAGE ? e->code = TAF_EDATA : st;
}

enum taf_status
taf_daf_recover(const struct taf_daf *s, struct taf_err *e)
{
	enum taf_status st;
	char *path;
	int fd;

	st = interrupted(s, &path, e);
	if (st != TAF_OK || path == NULL)
		return st;
	free(path);
	st = taf_daf_lock(s, &fd, e);
	if (st == TAF_OK) {
		(void)close(fd);
		return TAF_OK;
	}
	if (st != TAF_ESYS || (e->sys != EACCES && e->sys != EROFS))
		return st;
	taf_err_clear(e);
	return taf_fail(e, TAF_EDATA, "an interrupted change has to be undone first, but "
	    "the store cannot be written");
}
