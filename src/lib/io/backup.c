/* SPDX-License-Identifier: ISC */
#include "io/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/in.h"
#include "io/out.h"
#include "io/temp.h"

enum { TRIES = 100 };

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static enum taf_status
check_files(const char *const *files, int n, struct taf_err *e)
{
	int i, j;

	for (i = 0; i < n; i++) {
		struct taf_in *in;
		enum taf_status st = taf_in_open(&in, files[i], e);

		if (st != TAF_OK)
			return st;
		if (!taf_in_seekable(in))
			st = taf_fail(e, TAF_EDATA, "no regular file");
		taf_err_name(e, files[i]);
		taf_in_close(in);
		if (st != TAF_OK)
			return st;
		for (j = 0; j < i; j++)
			if (strcmp(base_name(files[i]), base_name(files[j])) == 0)
				return taf_fail(e, TAF_EUSAGE,
				    "%s and %s would have one name in the backup",
				    files[j], files[i]);
	}
	return TAF_OK;
}

/*
 * The folder of this second; if another command has it, of one that comes: of many at
 * once each gets its second.
 */
static enum taf_status
make_folder(const char *dir, struct taf_buf *name, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int tries;

	for (tries = 0; tries < TRIES && st == TAF_OK; tries++) {
		time_t now = time(NULL);
		char stamp[32];
		struct tm tm;

		if (localtime_r(&now, &tm) == NULL ||
		    strftime(stamp, sizeof stamp, "backup_%Y%m%d_%H%M%S", &tm) == 0)
			return taf_fail(e, TAF_ESYS, "no local time");
		name->len = 0;
		st = taf_buf_printf(name, e, "%s%s%s", dir != NULL ? dir : "",
		    dir != NULL ? "/" : "", stamp);
		if (st == TAF_OK && taf_temp_mkdir(name->data) == 0)
			return TAF_OK;
		if (st == TAF_OK && errno != EEXIST)
			break;
		(void)sleep(1);
	}
	if (st == TAF_OK && errno == ENOENT && dir != NULL)
		return taf_fail(e, TAF_ESYS, "there is no folder %s", dir);
	return st != TAF_OK ? st : taf_fail_sys(e, "%s: cannot make the folder",
	    name->data);
}

static enum taf_status
copy_file(const char *from, const char *to, struct taf_err *e)
{
	struct taf_out *out = NULL;
	struct taf_in *in = NULL;
	enum taf_status st;
	struct stat sb;
	struct timespec times[2];

	if (taf_in_open(&in, from, e) != TAF_OK ||
	    taf_out_create_like(&out, to, from, e) != TAF_OK ||
	    taf_out_copy(out, in, taf_in_left(in), e) != TAF_OK ||
	    taf_in_unchanged(in, e) != TAF_OK) {
		st = e->code;
		taf_out_discard(out);
	} else {
		st = taf_out_commit(out, e);
	}
	taf_in_close(in);
	if (st != TAF_OK)
		return st;
	if (stat(from, &sb) != 0)
		return taf_fail_sys(e, "%s: cannot read", from);
	times[0] = sb.st_atim;
	times[1] = sb.st_mtim;
	if (utimensat(AT_FDCWD, to, times, 0) != 0)
		return taf_fail_sys(e, "%s: cannot set its times", to);
	return TAF_OK;
}

enum taf_status
taf_backup(const char *dir, const char *const *files, int n, struct taf_buf *name,
    struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = TAF_OK;
	int i, made = 0;

	if (check_files(files, n, e) != TAF_OK || make_folder(dir, name, e) != TAF_OK)
		return e->code;
	for (i = 0; i < n && st == TAF_OK; i++) {
		path.len = 0;
		if (taf_buf_printf(&path, e, "%s/%s", name->data, base_name(files[i])) !=
		    TAF_OK || taf_temp_add(path.data, e) != TAF_OK)
			st = e->code;
		else
			st = copy_file(files[i], path.data, e);
		made = i + 1;
	}
	/* what is done to the files next relies on it */
	if (st == TAF_OK && (taf_sync_folder(name->data, e) != TAF_OK ||
	    taf_sync_folder(dir != NULL ? dir : ".", e) != TAF_OK))
		st = e->code;
	for (i = 0; i < made; i++) {
		struct taf_err ignored = { 0 };

		path.len = 0;
		if (taf_buf_printf(&path, &ignored, "%s/%s", name->data,
		    base_name(files[i])) != TAF_OK)
			continue;
		if (st != TAF_OK)
			(void)unlink(path.data);
		taf_temp_forget(path.data);
	}
	if (st != TAF_OK)
		(void)rmdir(name->data);
	taf_temp_forget(name->data);
	taf_buf_free(&path);
	return st;
}
