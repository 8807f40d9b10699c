/* SPDX-License-Identifier: ISC */
#include "codec/daf/daf_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "io/out.h"
#include "io/temp.h"

enum taf_status
taf_daf_put_text(const char *path, const char *text, size_t n, struct taf_err *e)
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

/* A folder of the store that is at path. */
static enum taf_status
own_folder(enum taf_daf_mode mode, const char *path, const char *relative,
    struct taf_err *e)
{
	struct stat sb;

	if (mode == TAF_DAF_MAKE && mkdir(path, 0777) == 0)
		return TAF_OK;
	if (mode == TAF_DAF_MAKE && errno != EEXIST)
		return taf_fail_sys(e, "%s: cannot make the folder", relative);
	if (lstat(path, &sb) != 0)
		return mode == TAF_DAF_LOOK &&
		    (errno == ENOENT || errno == ENOTDIR) ? TAF_OK :
		    taf_fail_sys(e, "%s: cannot look at the folder", relative);
	if (S_ISLNK(sb.st_mode))
		return taf_fail(e, TAF_EDATA,
		    "%s: a symbolic link, behind which nothing is written", relative);
	return S_ISDIR(sb.st_mode) ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "%s: not a folder", relative);
}

enum taf_status
taf_daf_folder(const struct taf_daf *s, enum taf_daf_mode mode, const char *relative,
    struct taf_err *e)
{
	const size_t first = strlen(s->real) + 1;
	struct taf_buf path = { 0 };
	enum taf_status st = taf_buf_printf(&path, e, "%s/%s", s->real, relative);
	char *slash = path.data + first;

	for (; st == TAF_OK && (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
		*slash = '\0';
		st = own_folder(mode, path.data, path.data + first, e);
	}
	taf_buf_free(&path);
	return st;
}

enum taf_status
taf_daf_files_init(struct taf_daf_files *f, const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_err *e)
{
	f->s = s;
	f->it = *it;
	f->first = 0;
	f->layouts = taf_daf_layouts(it);
	f->room = strlen(s->real) + 1 + TAF_DAF_PATH;
	f->path = malloc(f->room);
	return f->path != NULL ? TAF_OK : taf_fail_mem(e);
}

void
taf_daf_files_fini(struct taf_daf_files *f)
{
	free(f->path);
}

char *
taf_daf_files_path(struct taf_daf_files *f, bool transposed, const char *suffix)
{
	f->it.transposed = transposed;
	taf_daf_item_path(&f->it, suffix, f->relative);
	(void)snprintf(f->path, f->room, "%s/%s", f->s->real, f->relative);
	return f->path;
}

enum taf_status
taf_daf_files_folder(struct taf_daf_files *f, enum taf_daf_mode mode, bool transposed,
    struct taf_err *e)
{
	(void)taf_daf_files_path(f, transposed, "");
	return taf_daf_folder(f->s, mode, f->relative, e);
}

/* --- new files for old ones --- */

/*
 * While the files of an item are exchanged, the old ones are in a folder of the store:
 * each under the number of its layout and its suffix.  The file "item" there says of
 * what; as long as it is there, the old ones are to be put back.  The file "moved" says
 * that all are there, so that what stands in their places is new.
 */
#define ASIDE ".taf2daf.undo"
#define ITEM ASIDE "/item"

struct exchange {
	struct taf_daf_files *f;
	char *aside;		/* a path there; it has room for f->room bytes */
	/* descriptors of the layouts' folders, and of that */
	int folder[2], aside_fd;
};

/* The place of file k of a layout. */
static char *
place(struct exchange *x, int transposed, size_t k)
{
	return taf_daf_files_path(x->f, transposed != 0, taf_daf_suffixes[k]);
}

/* The path of a file in the folder, or for "" its own. */
static const char *
aside(struct exchange *x, const char *name)
{
	(void)snprintf(x->aside, x->f->room, "%s/" ASIDE "%s%s", x->f->s->real,
	    name[0] != '\0' ? "/" : "", name);
	return x->aside;
}

/* Where file k of a layout lies in the folder. */
static const char *
file_aside(struct exchange *x, int transposed, size_t k)
{
	char name[32];

	(void)snprintf(name, sizeof name, "%d%s", transposed, taf_daf_suffixes[k]);
	return aside(x, name);
}

/*
 * All memory and descriptors that putting back needs are taken before: it may be called
 * because there are no more.  That of the folder aside comes when that is there.
 */
static enum taf_status
init(struct exchange *x, struct taf_daf_files *f, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int transposed;

	*x = (struct exchange){ .f = f, .folder = { -1, -1 }, .aside_fd = -1 };
	x->aside = malloc(f->room);
	if (x->aside == NULL)
		return taf_fail_mem(e);
	for (transposed = f->first; transposed < f->layouts && st == TAF_OK; transposed++)
		st = taf_folder_of(place(x, transposed, 0), &x->folder[transposed], e);
	return st;
}

static void
fini(struct exchange *x)
{
	const int fd[] = { x->folder[0], x->folder[1], x->aside_fd };
	size_t k;

	for (k = 0; k < sizeof fd / sizeof fd[0]; k++)
		if (fd[k] >= 0)
			(void)close(fd[k]);
	free(x->aside);
}

static enum taf_status
sync_layouts(struct exchange *x, struct taf_err *e)
{
	int transposed;

	for (transposed = x->f->first; transposed < x->f->layouts; transposed++)
		if (taf_folder_sync(x->folder[transposed], e) != TAF_OK)
			return e->code;
	return TAF_OK;
}

/* Remove the files that stand in the places, descriptors first. */
static enum taf_status
remove_all(struct exchange *x, struct taf_err *e)
{
	int transposed;
	size_t k;

	for (k = 0; k < TAF_DAF_SUFFIXES; k++) {
		for (transposed = x->f->first; transposed < x->f->layouts; transposed++)
			if (unlink(place(x, transposed, k)) != 0 && errno != ENOENT)
				return taf_fail_sys(e, "%s: cannot remove",
				    x->f->relative);
		if (k == 0 && sync_layouts(x, e) != TAF_OK)
			return e->code;
	}
	return sync_layouts(x, e);
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
settle(struct exchange *x, struct taf_err *e)
{
	if (drop(aside(x, "item"), e) != TAF_OK)
		return e->code;
	return access(aside(x, ""), F_OK) == 0 ? taf_folder_sync(x->aside_fd, e) : TAF_OK;
}

/* Files that a killed command was writing there, under names of their own. */
static enum taf_status
drop_unfinished(struct exchange *x, struct taf_err *e)
{
	struct taf_names there = { 0 };
	enum taf_status st;
	struct stat sb;
	size_t i;

	if (lstat(aside(x, ""), &sb) != 0 || !S_ISDIR(sb.st_mode))
		return TAF_OK;
	st = taf_names_read(&there, aside(x, ""), "", e);
	for (i = 0; i < there.n && st == TAF_OK; i++)
		if (there.name[i][0] == '.')
			st = drop(aside(x, there.name[i]), e);
	taf_names_free(&there);
	return st;
}

/* What lies aside is of no use any more: the old files, or an end left behind. */
static enum taf_status
drop_aside(struct exchange *x, struct taf_err *e)
{
	int transposed;
	size_t k;

	if (drop(aside(x, "moved"), e) != TAF_OK)
		return e->code;
	for (transposed = 0; transposed < 2; transposed++)
		for (k = 0; k < TAF_DAF_SUFFIXES; k++)
			if (drop(file_aside(x, transposed, k), e) != TAF_OK)
				return e->code;
	if (drop_unfinished(x, e) != TAF_OK)
		return e->code;
	return rmdir(aside(x, "")) == 0 || errno == ENOENT ? TAF_OK :
	    taf_fail_sys(e, ASIDE ": cannot remove the folder");
}

/* Say of what the folder is: from here on it is put back. */
static enum taf_status
note_item(struct exchange *x, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	enum taf_status st;

	st = taf_daf_item_text(&x->f->it, &text, e);
	if (st == TAF_OK)
		st = taf_daf_put_text(aside(x, "item"), text.data, text.len, e);
	taf_buf_free(&text);
	return st;
}

/* The folder, without what somebody has left there. */
static enum taf_status
make_aside(struct exchange *x, struct taf_err *e)
{
	if (drop_aside(x, e) != TAF_OK)
		return e->code;
	if (mkdir(aside(x, ""), 0777) != 0)
		return taf_fail_sys(e, ASIDE ": cannot make the folder");
	if (taf_folder_open(aside(x, ""), &x->aside_fd, e) == TAF_OK &&
	    note_item(x, e) == TAF_OK)
		return TAF_OK;
	(void)rmdir(aside(x, ""));
	return e->code;
}

/* Move the old files aside, descriptors first; or back, descriptors last. */
static enum taf_status
move_files(struct exchange *x, bool back, struct taf_err *e)
{
	size_t i, k;
	int transposed;

	for (i = 0; i < TAF_DAF_SUFFIXES; i++)
		for (transposed = x->f->first; transposed < x->f->layouts; transposed++) {
			const char *there, *away;

			k = back ? TAF_DAF_SUFFIXES - 1 - i : i;
			there = place(x, transposed, k);
			away = file_aside(x, transposed, k);
			if (rename(back ? away : there, back ? there : away) != 0 &&
			    errno != ENOENT)
				return taf_fail_sys(e, back ? "%s: cannot put back" :
				    "%s: cannot move", x->f->relative);
		}
	return sync_layouts(x, e);
}

static enum taf_status
move_aside(struct exchange *x, struct taf_err *e)
{
	if (taf_folder_sync(x->aside_fd, e) != TAF_OK ||
	    taf_sync_folder(x->f->s->real, e) != TAF_OK ||
	    move_files(x, false, e) != TAF_OK ||
	    taf_daf_put_text(aside(x, "moved"), "", 0, e) != TAF_OK)
		return e->code;
	return taf_folder_sync(x->aside_fd, e);
}

/* Put the old files back; interrupted, it begins anew. */
static enum taf_status
put_back(struct exchange *x, struct taf_err *e)
{
	struct taf_err ignored = { 0 };

	if (access(aside(x, "moved"), F_OK) == 0 && (remove_all(x, e) != TAF_OK ||
	    drop(aside(x, "moved"), e) != TAF_OK ||
	    taf_folder_sync(x->aside_fd, e) != TAF_OK))
		return e->code;
	if (move_files(x, true, e) != TAF_OK || settle(x, e) != TAF_OK)
		return e->code;
	(void)drop_aside(x, &ignored);
	return TAF_OK;
}

/* Make the new files appear that are descriptors, or those that are not. */
static enum taf_status
appear(struct taf_daf_new *file, size_t n, bool descriptor, struct taf_err *e)
{
	struct taf_out *out;
	size_t k;

	for (k = 0; k < n; k++) {
		if (file[k].descriptor != descriptor)
			continue;
		out = file[k].out;
		file[k].out = NULL;
		if (taf_out_commit(out, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* No descriptor comes before what it describes. */
static enum taf_status
appear_all(struct exchange *x, struct taf_daf_new *file, size_t n, struct taf_err *e)
{
	return appear(file, n, false, e) != TAF_OK || sync_layouts(x, e) != TAF_OK ||
	    appear(file, n, true, e) != TAF_OK || sync_layouts(x, e) != TAF_OK ?
	    e->code : TAF_OK;
}

/* The new files come, or the old ones come back. */
static enum taf_status
exchange(struct exchange *x, struct taf_daf_new *file, size_t n, struct taf_err *e)
{
	struct taf_err ignored = { 0 };

	if (make_aside(x, e) != TAF_OK)
		return e->code;
	if (move_aside(x, e) != TAF_OK || appear_all(x, file, n, e) != TAF_OK ||
	    settle(x, e) != TAF_OK) {
		/* so that the next command goes on where this is interrupted */
		if (access(aside(x, "item"), F_OK) != 0)
			(void)note_item(x, &ignored);
		(void)put_back(x, &ignored);
		return e->code;
	}
	/* the new item is whole, whatever is left; the next command tries again too */
	if (drop_aside(x, &ignored) != TAF_OK)
		(void)drop_aside(x, &ignored);
	return TAF_OK;
}

enum taf_status
taf_daf_exchange(struct taf_daf_files *f, struct taf_daf_new *file, size_t n,
    struct taf_err *e)
{
	struct exchange x;
	enum taf_status st;

	/* a single file takes the place of the old one by its rename */
	if (f->it.kind == TAF_DAF_SCALAR) {
		taf_out_locked(file->out);
		return appear(file, n, true, e);
	}
	st = init(&x, f, e);
	if (st == TAF_OK)
		st = exchange(&x, file, n, e);
	fini(&x);
	return st;
}

enum taf_status
taf_daf_replace_layout(struct taf_daf_files *f, struct taf_daf_new *file, size_t n,
    struct taf_err *e)
{
	struct taf_err ignored = { 0 };
	struct exchange x;
	enum taf_status st = init(&x, f, e);

	if (st == TAF_OK)
		st = remove_all(&x, e);
	if (st == TAF_OK) {
		st = appear_all(&x, file, n, e);
		if (st != TAF_OK)
			(void)remove_all(&x, &ignored);
	}
	fini(&x);
	return st;
}

enum taf_status
taf_daf_interrupted(const struct taf_daf *s, bool *yes, struct taf_err *e)
{
	struct stat sb;

	return taf_daf_look(s, ITEM, yes, &sb, e);
}

/* The item that the folder is of. */
static enum taf_status
read_item(const struct taf_daf *s, struct taf_daf_item *it, struct taf_err *e)
{
	char text[TAF_DAF_PATH];
	struct taf_in *in;
	enum taf_status st;
	size_t n;

	if (taf_daf_folder(s, TAF_DAF_LOOK, ITEM, e) != TAF_OK ||
	    taf_daf_file_open(s, ITEM, &in, e) != TAF_OK)
		return e->code;
	/* cut, it is no name of an item */
	n = taf_in_left(in) < sizeof text ? (size_t)taf_in_left(in) : sizeof text - 1;
	st = taf_in_read(in, text, n, e);
	text[n] = '\0';
	taf_in_close(in);
	return st == TAF_OK ? taf_daf_item_parse(it, text, e) : st;
}

/* Put back the files of an item. */
static enum taf_status
put_item_back(struct taf_daf_files *f, struct taf_err *e)
{
	struct exchange x = { .folder = { -1, -1 }, .aside_fd = -1 };
	enum taf_status st = TAF_OK;
	int transposed;

	for (transposed = 0; st == TAF_OK && transposed < f->layouts; transposed++)
		st = taf_daf_files_folder(f, TAF_DAF_MAKE, transposed != 0, e);
	if (st == TAF_OK)
		st = init(&x, f, e);
	if (st == TAF_OK)
		st = taf_folder_open(aside(&x, ""), &x.aside_fd, e);
	if (st == TAF_OK)
		st = put_back(&x, e);
	fini(&x);
	return st;
}

enum taf_status
taf_daf_put_back(const struct taf_daf *s, struct taf_err *e)
{
	struct taf_daf_files f = { 0 };
	struct taf_daf_item it = { 0 };
	bool interrupted;
	enum taf_status st = taf_daf_interrupted(s, &interrupted, e);

	if (st != TAF_OK || !interrupted)
		return st;
	st = read_item(s, &it, e);
	if (st == TAF_OK)
		st = taf_daf_files_init(&f, s, &it, e);
	if (st == TAF_OK)
		st = put_item_back(&f, e);
	taf_daf_files_fini(&f);
	taf_daf_item_free(&it);
	return st == TAF_EUSAGE ? e->code = TAF_EDATA : st;
}
