/* SPDX-License-Identifier: ISC */
#include "codec/daf/daf_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/endian.h"
#include "base/str.h"
#include "base/utf8.h"
#include "codec/daf/daf_files.h"
#include "io/recover.h"
#include "io/temp.h"

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

/* The folders of a store, behind its path. */
static const char *const folders[] = { "", "/scalars", "/axes", "/vectors", "/matrices" };
enum { FOLDERS = 5 };

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
		for (k = 1; k < FOLDERS; k++)
			known = known || strcmp(there.name[i], folders[k] + 1) == 0;
		*store = *store || strcmp(there.name[i], "daf.json") == 0;
		ours = ours && known;
	}
	taf_names_free(&there);
	if (st != TAF_OK)
		return st == TAF_END ? TAF_OK : st;
	return *store || ours ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "the folder holds something else");
}

/* A file whose name is safe on disk, too. */
static enum taf_status
put_synced(char *path, const char *text, size_t n, struct taf_err *e)
{
	int folder;
	enum taf_status st = taf_folder_of(path, &folder, e);

	if (st == TAF_OK)
		st = taf_daf_put_text(path, text, n, e);
	return taf_folder_settle(folder, st, e);
}

enum taf_status
taf_daf_create(const char *path, struct taf_err *e)
{
	struct taf_str name = { .err = e };
	bool store;
	size_t k;

	if (look_for_store(path, &store, e) != TAF_OK || store)
		return e->code;
	for (k = 0; k < FOLDERS && name.st == TAF_OK; k++) {
		name.buf.len = 0;
		taf_str_printf(&name, "%s%s", path, folders[k]);
		if (name.st == TAF_OK)
			name.st = make_folder(name.buf.data, e);
	}
	name.buf.len = 0;
	taf_str_printf(&name, "%s/daf.json", path);
	if (name.st == TAF_OK)
		name.st = put_synced(name.buf.data, "{\"version\":[1,1]}\n", 18, e);
	taf_str_free(&name);
	return name.st;
}

enum taf_status
taf_daf_lock(const struct taf_daf *s, int *fd, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	struct stat sb;
	bool unfinished;
	enum taf_status st = taf_daf_look(s, TAF_DAF_REORDERING, &unfinished, &sb, e);

	if (st != TAF_OK)
		return st;
	if (unfinished)
		return taf_fail(e, TAF_EDATA,
		    "an interrupted reordering of its axes (.reorder.backup) has to be undone first");
	st = taf_buf_printf(&path, e, "%s/daf.json", s->real);
	if (st == TAF_OK)
		st = taf_lock_open(path.data, fd, e);
	taf_buf_free(&path);
	if (st != TAF_OK)
		return st;
	st = taf_daf_put_back(s, e);
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
		return taf_fail(e, TAF_EUSAGE,
		    "\"%s\" is reserved: it stands for the axis itself", name);
	if (name[0] == ' ' || name[n - 1] == ' ')
		return taf_fail(e, TAF_EUSAGE, "\"%s\": a blank at its end", name);
	for (i = 0; i < n; i += len) {
		len = taf_utf8_length((const unsigned char *)name + i, n - i);
		if (len == 0 || (unsigned char)name[i] < 0x20 || name[i] == 0x7f ||
		    strchr("\\:,", name[i]) != NULL)
			return taf_fail(e, TAF_EUSAGE,
			    "\"%s\": not UTF-8, or a character that not every reader takes in a name",
			    name);
	}
	return TAF_OK;
}

/* What others keep about the whole store goes: it would not be true any more. */
static enum taf_status
drop_notes(const struct taf_daf *s, struct taf_err *e)
{
	static const char *const notes[] = { "metadata.json", "metadata.zip",
		"axes/metadata.json" };
	struct taf_str path = { .err = e };
	size_t k;

	for (k = 0; k < sizeof notes / sizeof notes[0] && path.st == TAF_OK; k++) {
		path.buf.len = 0;
		taf_str_printf(&path, "%s/%s", s->real, notes[k]);
		if (path.st == TAF_OK && unlink(path.buf.data) != 0 && errno != ENOENT &&
		    errno != ENOTDIR)
			path.st = taf_fail_sys(e, "%s: cannot remove", notes[k]);
	}
	taf_str_free(&path);
	return path.st;
}

/* The folder of vectors of an axis, or of matrices of two. */
static enum taf_status
property_folder(const struct taf_daf *s, enum taf_daf_mode mode, const char *rows,
    const char *columns, struct taf_err *e)
{
	char path[TAF_DAF_PATH];

	if (columns == NULL)
		(void)snprintf(path, sizeof path, "vectors/%s/", rows);
	else
		(void)snprintf(path, sizeof path, "matrices/%s/%s/", rows, columns);
	return taf_daf_folder(s, mode, path, e);
}

static enum taf_status
add_folders(const struct taf_daf *s, enum taf_daf_mode mode, const char *axis,
    const struct taf_names *others, struct taf_err *e)
{
	size_t k;

	if (property_folder(s, mode, axis, NULL, e) != TAF_OK ||
	    property_folder(s, mode, axis, axis, e) != TAF_OK)
		return e->code;
	for (k = 0; k < others->n; k++) {
		const char *other = others->name[k];
		struct taf_err ignored = { 0 };

		/* not a name that leads elsewhere */
		if (taf_daf_name_check(other, &ignored) == TAF_OK &&
		    (property_folder(s, mode, other, axis, e) != TAF_OK ||
		    property_folder(s, mode, axis, other, e) != TAF_OK))
			return e->code;
	}
	return TAF_OK;
}

enum taf_status
taf_daf_prepare_axis(const struct taf_daf *s, enum taf_daf_mode mode,
    const char *axis, struct taf_err *e)
{
	struct taf_names others = { 0 };
	char path[TAF_DAF_PATH];
	enum taf_status st;
	struct stat sb;
	bool there;

	(void)snprintf(path, sizeof path, "axes/%s.txt", axis);
	if (taf_daf_folder(s, mode, path, e) != TAF_OK ||
	    taf_daf_look(s, path, &there, &sb, e) != TAF_OK)
		return e->code;
	/* an output goes through a link, and this one may lead anywhere */
	if (there)
		return taf_fail(e, TAF_EDATA, "%s is there already", path);
	st = taf_daf_names(s, "axes", ".txt", &others, e);
	if (st == TAF_OK)
		st = add_folders(s, mode, axis, &others, e);
	taf_names_free(&others);
	return st;
}

enum taf_status
taf_daf_add_axis(const struct taf_daf *s, const char *axis,
    const struct taf_daf_strings *entries, struct taf_err *e)
{
	struct taf_str text = { .err = e }, path = { .err = e };
	enum taf_status st;
	size_t k;

	for (k = 0; k < entries->n; k++) {
		taf_str_put(&text, entries->bytes.data + entries->at[k],
		    entries->at[k + 1] - entries->at[k]);
		taf_str_puts(&text, "\n");
	}
	taf_str_printf(&path, "%s/axes/%s.txt", s->real, axis);
	st = text.st != TAF_OK ? text.st : path.st;
	if (st == TAF_OK)
		st = taf_daf_prepare_axis(s, TAF_DAF_LOOK, axis, e);
	if (st == TAF_OK)
		st = drop_notes(s, e);
	if (st == TAF_OK)
		st = taf_daf_prepare_axis(s, TAF_DAF_MAKE, axis, e);
	if (st == TAF_OK)
		st = put_synced(path.buf.data, text.buf.len > 0 ? text.buf.data : "",
		    text.buf.len, e);
	taf_str_free(&text);
	taf_str_free(&path);
	return st;
}

/* --- items --- */

enum { FILES = 8 };

struct taf_daf_put {
	struct taf_daf_put_how how;
	struct taf_daf_files files;
	struct taf_daf_new file[FILES];
	size_t n;
};

/* What will be replaced, or go: files, which must be some. */
static enum taf_status
check_files(struct taf_daf_put *p, bool transposed, struct taf_err *e)
{
	size_t k, n = p->files.it.kind == TAF_DAF_SCALAR ? 1 : TAF_DAF_SUFFIXES;
	struct stat sb;

	for (k = 0; k < n; k++) {
		if (lstat(taf_daf_files_path(&p->files, transposed, taf_daf_suffixes[k]),
		    &sb) != 0)
			continue;
		if (k == 0 && !p->how.force)
			return taf_fail(e, TAF_EDATA,
			    "%s is there already (-f overwrites)", p->files.relative);
		/* nor is a link one: an output goes through it, to anywhere */
		if (!S_ISREG(sb.st_mode))
			return taf_fail(e, TAF_EDATA, "%s: not a regular file",
			    p->files.relative);
	}
	return TAF_OK;
}

static enum taf_status
prepare(struct taf_daf_put *p, bool make, struct taf_err *e)
{
	struct taf_daf_files *f = &p->files;
	int transposed;

	for (transposed = f->first; transposed < f->layouts; transposed++)
		if (check_files(p, transposed != 0, e) != TAF_OK ||
		    taf_daf_files_folder(f, TAF_DAF_LOOK, transposed != 0, e) != TAF_OK)
			return e->code;
	if (p->how.packing != TAF_DAF_PLAIN && f->s->minor == 0)
		return taf_fail(e, TAF_EDATA,
		    "a store of version [1,0] has no packed items");
	for (transposed = f->first; transposed < f->layouts && make; transposed++)
		if (taf_daf_files_folder(f, TAF_DAF_MAKE, transposed != 0, e) != TAF_OK)
			return e->code;
	return TAF_OK;
}

enum taf_status
taf_daf_put_begin(struct taf_daf_put **result, const struct taf_daf *s,
    const struct taf_daf_item *it, const struct taf_daf_put_how *how, struct taf_err *e)
{
	struct taf_daf_put *p = calloc(1, sizeof *p);
	enum taf_status st;

	if (p == NULL)
		return taf_fail_mem(e);
	p->how = *how;
	st = taf_daf_files_init(&p->files, s, it, e);
	p->files.first = how->other;
	if (st == TAF_OK)
		st = prepare(p, result != NULL, e);
	if (st == TAF_OK && result != NULL)
		*result = p;
	else
		taf_daf_put_discard(p);
	return st;
}

enum taf_status
taf_daf_put_file(struct taf_daf_put *p, bool transposed, const char *suffix,
    struct taf_out **out, struct taf_err *e)
{
	if (taf_out_create(out, taf_daf_files_path(&p->files, transposed, suffix), e) !=
	    TAF_OK)
		return e->code;
	p->file[p->n].out = *out;
	p->file[p->n++].descriptor = strcmp(suffix, ".json") == 0;
	return TAF_OK;
}

struct taf_daf_body {
	struct taf_out *out;
	struct taf_daf_seal *seal;	/* NULL: not packed */
};

enum taf_status
taf_daf_body_new(struct taf_daf_body **result, struct taf_daf_put *p, bool transposed,
    const char *suffix, const struct taf_daf_payload *payload, struct taf_daf_part *part,
    struct taf_err *e)
{
	const bool packed = taf_daf_packs(p->how.packing, payload, part);
	struct taf_daf_body *b = calloc(1, sizeof *b);
	const bool dense = strcmp(suffix, ".data") == 0 || strcmp(suffix, ".txt") == 0;
	char zip[32];
	enum taf_status st;

	if (b == NULL)
		return taf_fail_mem(e);
	/* packed, the elements of a dense item, and strings, have names of their own */
	(void)snprintf(zip, sizeof zip, "%s.zip", dense ? "" :
	    strcmp(suffix, ".nztxt") == 0 ? ".nzval" : suffix);
	st = taf_daf_put_file(p, transposed, packed ? zip : suffix, &b->out, e);
	if (st == TAF_OK && packed)
		st = taf_daf_seal_new(&b->seal, b->out, p->how.packing, payload, e);
	if (st == TAF_OK)
		*result = b;
	else
		free(b);
	return st;
}

enum taf_status
taf_daf_body_write(struct taf_daf_body *b, const void *p, size_t n, struct taf_err *e)
{
	return b->seal != NULL ? taf_daf_seal_write(b->seal, p, n, e) :
	    taf_out_write(b->out, p, n, e);
}

enum taf_status
taf_daf_body_string(struct taf_daf_body *b, const char *p, size_t n, struct taf_err *e)
{
	if (!taf_utf8_text(p, n))
		return taf_fail(e, TAF_EDATA, "a string is not UTF-8 without NUL");
	if (b->seal != NULL)
		return taf_daf_seal_string(b->seal, p, n, e);
	if (memchr(p, '\n', n) != NULL)
		return taf_fail(e, TAF_EDATA,
		    "a string has a line feed, so that it has to be packed, but its column is too short, or --pack is missing");
	return taf_out_write(b->out, p, n, e) == TAF_OK ?
	    taf_out_write(b->out, "\n", 1, e) : e->code;
}

enum taf_status
taf_daf_body_end(struct taf_daf_body *b, enum taf_status st, struct taf_err *e)
{
	if (st == TAF_OK && b->seal != NULL)
		st = taf_daf_seal_end(b->seal, e);
	taf_daf_seal_free(b->seal);
	free(b);
	return st;
}

struct taf_out *
taf_daf_body_out(const struct taf_daf_body *b)
{
	return b->seal != NULL ? NULL : b->out;
}

/* The file of the item that holds such JSON, if st is good.  Frees text. */
static enum taf_status
put_json(struct taf_daf_put *p, bool transposed, struct taf_buf *text, enum taf_status st,
    struct taf_err *e)
{
	struct taf_out *out;

	if (st == TAF_OK)
		st = taf_daf_put_file(p, transposed, ".json", &out, e);
	if (st == TAF_OK)
		st = taf_out_write(out, text->data, text->len, e);
	taf_buf_free(text);
	return st;
}

enum taf_status
taf_daf_put_descriptor(struct taf_daf_put *p, bool transposed,
    const struct taf_daf_descriptor *d, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	const enum taf_status st = taf_daf_format_descriptor(d,
	    p->files.it.kind == TAF_DAF_MATRIX, p->files.s->minor, &text, e);

	return put_json(p, transposed, &text, st, e);
}

enum taf_status
taf_daf_put_scalar(struct taf_daf_put *p, const struct taf_daf_scalar *s,
    struct taf_err *e)
{
	struct taf_buf text = { 0 };
	const enum taf_status st = taf_daf_format_scalar(s, &text, e);

	return put_json(p, false, &text, st, e);
}

/* n elements of size bytes in the host's order, little-endian. */
static enum taf_status
put_elements(struct taf_daf_body *b, const unsigned char *p, size_t size, uint64_t n,
    struct taf_err *e)
{
	unsigned char cell[8];
	uint64_t i;
	size_t k;

	if (!taf_host_is_big())
		return taf_daf_body_write(b, p, (size_t)n * size, e);
	for (i = 0; i < n; i++, p += size) {
		for (k = 0; k < size; k++)
			cell[k] = p[size - 1 - k];
		if (taf_daf_body_write(b, cell, size, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/*
 * Indices that count from 0, to be written as integers of size bytes that count from 1.
 */
struct indices {
	const uint64_t *v;
	size_t size;
	struct taf_daf_part *part;	/* says how many */
};

static enum taf_status
put_indices(struct taf_daf_put *p, bool transposed, const char *suffix,
    const struct indices *l, struct taf_err *e)
{
	const struct taf_daf_payload payload = { l->part->n, 1, l->size, false, false };
	struct taf_daf_body *b;
	unsigned char cell[8];
	enum taf_status st;
	uint64_t i;

	st = taf_daf_body_new(&b, p, transposed, suffix, &payload, l->part, e);
	if (st != TAF_OK)
		return st;
	for (i = 0; i < l->part->n && st == TAF_OK; i++) {
		/* the low bytes come first */
		taf_put64(cell, l->v[i] + 1, false);
		st = taf_daf_body_write(b, cell, l->size, e);
	}
	return taf_daf_body_end(b, st, e);
}

static void
drop_false(struct taf_daf_sparse *m)
{
	uint64_t j, k = 0;

	for (m->n = j = 0; j < m->columns; m->ptr[++j] = m->n)
		for (; k < m->ptr[j + 1]; k++)
			if (m->value[k] != 0) {
				m->row[m->n] = m->row[k];
				m->value[m->n++] = 1;
			}
}

/* The strings of t; which says in what order, NULL in their own. */
static enum taf_status
put_strings(const struct taf_daf_put *p, struct taf_daf_body *b,
    const struct taf_daf_strings *t, const unsigned char *which, struct taf_err *e)
{
	uint64_t k, v;

	for (k = 0; k < t->n; k++) {
		v = k;
		if (which != NULL)
			memcpy(&v, which + k * sizeof v, sizeof v);
		if (taf_daf_body_string(b, t->at[v + 1] > t->at[v] ?
		    t->bytes.data + t->at[v] : "", t->at[v + 1] - t->at[v], e) != TAF_OK)
			return e->code == TAF_EDATA ? taf_daf_about(&p->files.it, e) :
			    e->code;
	}
	return TAF_OK;
}

enum taf_status
taf_daf_put_strings(struct taf_daf_put *p, const struct taf_daf_strings *t,
    struct taf_err *e)
{
	const struct taf_daf_item *it = &p->files.it;
	const bool transposed = p->how.other;
	const struct taf_daf_payload payload = { it->n[transposed], it->n[!transposed],
		TAF_DAF_STRING_SIZE, it->kind == TAF_DAF_MATRIX, true };
	struct taf_daf_descriptor d = { .type = TAF_DAF_STRING };
	struct taf_daf_body *b;

	if (taf_daf_body_new(&b, p, transposed, ".txt", &payload, &d.value, e) !=
	    TAF_OK || taf_daf_body_end(b, put_strings(p, b, t, NULL, e), e) != TAF_OK)
		return e->code;
	return taf_daf_put_descriptor(p, transposed, &d, e);
}

static enum taf_status
put_values(struct taf_daf_put *p, bool transposed, const struct taf_daf_sparse *m,
    struct taf_daf_part *part, struct taf_err *e)
{
	const bool strings = m->type == TAF_DAF_STRING;
	const struct taf_daf_payload payload = { m->n, 1, strings ? TAF_DAF_STRING_SIZE :
		taf_daf_size(m->type), false, strings };
	struct taf_daf_body *b;

	if (taf_daf_body_new(&b, p, transposed, strings ? ".nztxt" : ".nzval", &payload,
	    part, e) != TAF_OK)
		return e->code;
	return taf_daf_body_end(b, strings ? put_strings(p, b, m->text, m->value, e) :
	    put_elements(b, m->value, payload.size, m->n, e), e);
}

static enum taf_status
put_layout(struct taf_daf_put *p, bool transposed, const struct taf_daf_sparse *m,
    unsigned index, struct taf_err *e)
{
	bool matrix = p->files.it.kind == TAF_DAF_MATRIX;
	struct taf_daf_descriptor d = { .type = m->type, .sparse = true,
		.index = { .there = true, .type = index, .n = m->n },
		.colptr = { .there = matrix, .type = index, .n = m->columns + 1 },
		.value = { .there = true, .type = m->type, .n = m->n } };
	const struct indices columns = { m->ptr, taf_daf_size(index), &d.colptr };
	const struct indices rows = { m->row, taf_daf_size(index), &d.index };

	if (m->type == TAF_DAF_BOOL && memchr(m->value, 0, (size_t)m->n) == NULL)
		d.value.there = false;
	if ((matrix && put_indices(p, transposed, ".colptr", &columns, e) != TAF_OK) ||
	    put_indices(p, transposed, matrix ? ".rowval" : ".nzind", &rows, e) !=
	    TAF_OK || (d.value.there &&
	    put_values(p, transposed, m, &d.value, e) != TAF_OK))
		return e->code;
	return taf_daf_put_descriptor(p, transposed, &d, e);
}

enum taf_status
taf_daf_put_sparse(struct taf_daf_put *p, struct taf_daf_sparse *m, unsigned index,
    struct taf_err *e)
{
	struct taf_daf_sparse transposed;
	enum taf_status st = TAF_OK;

	if (m->type == TAF_DAF_BOOL && p->files.s->minor == 0)
		drop_false(m);
	if (!p->how.other)
		st = put_layout(p, false, m, index, e);
	if (st != TAF_OK || p->files.layouts == 1)
		return st;
	st = taf_daf_sparse_transpose(m, &transposed, e);
	if (st == TAF_OK)
		st = put_layout(p, true, &transposed, index, e);
	taf_daf_sparse_free(&transposed);
	return st;
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
		st = drop_notes(p->files.s, e);
	if (st == TAF_OK)
		st = (p->how.other ? taf_daf_replace_layout : taf_daf_exchange)(&p->files,
		    p->file, p->n, e);
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
	taf_daf_files_fini(&p->files);
	free(p);
}

enum taf_status
taf_daf_recover(const struct taf_daf *s, struct taf_err *e)
{
	bool interrupted;
	enum taf_status st = taf_daf_interrupted(s, &interrupted, e);
	int fd;

	if (st != TAF_OK || !interrupted)
		return st;
	st = taf_daf_lock(s, &fd, e);
	if (st == TAF_OK) {
		(void)close(fd);
		return TAF_OK;
	}
	if (st != TAF_ESYS || (e->sys != EACCES && e->sys != EROFS))
		return st;
	taf_err_clear(e);
	return taf_fail(e, TAF_EDATA,
	    "an interrupted change has to be undone first, but the store cannot be written");
}
