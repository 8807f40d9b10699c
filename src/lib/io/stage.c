/* SPDX-License-Identifier: ISC */
#include "io/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/os.h"
#include "io/temp.h"
#include "io/where.h"

static int
remove_one(const char *path, const struct stat *sb, int kind, struct FTW *walk)
{
	(void)sb, (void)kind;
	return walk->level > 0 ? remove(path) : 0;
}

/* Links are not followed. */
static enum taf_status
empty(const char *folder, struct taf_err *e)
{
	return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 ? TAF_OK :
	    taf_fail_sys(e, "%s: cannot remove what is left there", folder);
}

enum taf_status
taf_stage_take(const char *folder, int *lock, struct taf_err *e)
{
	bool made;

	for (;;) {
		*lock = -1;
		made = taf_temp_mkdir(folder) == 0;
		if (!made && errno != EEXIST)
			return taf_fail_sys(e, "%s: cannot make the folder", folder);
		*lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (*lock < 0 && errno != ENOENT) {
			(void)taf_fail_sys(e, "%s: cannot open", folder);
			if (made)
				(void)rmdir(folder);
			return e->code;
		}
		if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0 &&
		    errno == EWOULDBLOCK)
			break;
		if (*lock >= 0 && taf_fd_leads(*lock, folder))
			return made || taf_temp_add(folder, e) != TAF_OK ? e->code :
			    empty(folder, e);
		/* another one has just ended */
		if (*lock >= 0)
			(void)close(*lock);
	}
	taf_temp_forget(folder);
	(void)close(*lock);
	*lock = -1;
	return TAF_END;
}

enum taf_status
taf_stage_file(const char *path, struct taf_out **out, struct taf_err *e)
{
	enum taf_status st = taf_temp_add(path, e);
	int fd = -1;

	if (st == TAF_OK) {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		st = fd < 0 ? taf_fail_sys(e, "%s: cannot write", path) :
		    taf_out_fd(out, fd, path, e);
	}
	if (st != TAF_OK && fd >= 0)
		(void)close(fd);
	return st;
}

enum taf_status
taf_stage_settle(struct taf_out *out, enum taf_status st, struct taf_err *e)
{
	if (st == TAF_OK)
		st = taf_out_sync(out, e);
	if (st == TAF_OK)
		return taf_out_commit(out, e);
	taf_out_discard(out);
	return st;
}

static int
sync_one(const char *path, const struct stat *sb, int kind, struct FTW *walk)
{
	struct taf_err e = { 0 };

	(void)sb, (void)walk;
	return kind == FTW_D && taf_sync_folder(path, &e) != TAF_OK ? -1 : 0;
}

enum taf_status
taf_stage_sync(const char *folder, struct taf_err *e)
{
	return nftw(folder, sync_one, 16, FTW_PHYS) == 0 ? TAF_OK :
	    taf_fail_sys(e, "%s: cannot sync", folder);
}

void
taf_stage_drop(const char *folder, int lock)
{
	struct taf_err ignored = { 0 };
	bool gone = false;
	int tries;

	/* the next one that takes the folder tries again, too */
	for (tries = 0; tries < 2 && !gone; tries++)
		gone = taf_fd_leads(lock, folder) && empty(folder, &ignored) == TAF_OK &&
		    rmdir(folder) == 0;
	(void)close(lock);
}

/* --- other names --- */

enum taf_status
taf_moves_add(struct taf_moves *m, const char *from, const char *to, struct taf_err *e)
{
	if (taf_names_add(&m->from, from, e) != TAF_OK ||
	    taf_names_add(&m->to, to, e) != TAF_OK)
		return e->code;
	m->left = m->to.n;
	return TAF_OK;
}

/* The folder that gets new names, or other ones for what it has. */
static enum taf_status
sync_place(const struct taf_moves *m, struct taf_err *e)
{
	int fd;
	const enum taf_status st = taf_folder_of(m->to.name[0], &fd, e);

	return taf_folder_settle(fd, st, e);
}

static bool
give_name(const struct taf_moves *m, size_t k, bool back)
{
	const char *from = m->from.name[k], *to = m->to.name[k];

	return (k == 0 && m->exchange ? taf_os_exchange(from, to) :
	    back ? rename(to, from) : rename(from, to)) == 0;
}

enum taf_status
taf_moves_do(struct taf_moves *m, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	for (; m->left > 0 && st == TAF_OK; m->left -= st == TAF_OK) {
		/* on the disk, too, nothing that the first needs comes behind it */
		if (m->left == 1 && m->to.n > 1)
			st = sync_place(m, e);
		if (st == TAF_OK && !give_name(m, m->left - 1, false))
			st = taf_fail_sys(e, "%s: cannot rename",
			    m->to.name[m->left - 1]);
	}
	return st == TAF_OK ? sync_place(m, e) : st;
}

void
taf_moves_undo(struct taf_moves *m)
{
	for (; m->left < m->to.n; m->left++)
		(void)give_name(m, m->left, true);
}

void
taf_moves_free(struct taf_moves *m)
{
	taf_names_free(&m->from);
	taf_names_free(&m->to);
}
