#include "codec/daf/daf_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

enum taf_status
taf_daf_open_parent(char *path, int *fd, struct taf_err *e)
{
	char *end = strrchr(path, '/');
	enum taf_status st;

	*end = '\0';
	st = taf_folder_open(path, fd, e);
	*end = '/';
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
taf_daf_files_path(struct taf_daf_files *f, bool turned, const char *suffix)
{
	f->it.turned = turned;
	taf_daf_item_path(&f->it, suffix, f->relative);
	(void)snprintf(f->path, f->room, "%s/%s", f->s->real, f->relative);
	return f->path;
}

enum taf_status
taf_daf_files_folder(struct taf_daf_files *f, enum taf_daf_mode mode, bool turned,
    struct taf_err *e)
{
	(void)taf_daf_files_path(f, turned, "");
	return taf_daf_folder(f->s, mode, f->relative, e);
}
