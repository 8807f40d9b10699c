/* SPDX-License-Identifier: ISC */
#include "spread/state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/names.h"
#include "io/temp.h"

/* What is made for each slab, in folders of their own. */
static const char *const folders[] = {
	"done", "part", "message", "running", "failure"
};

/*
 * The rest, in the order in which they go: without the plan, nobody knows whose the
 * others are, and as long as there is an owner, no other run begins.
 */
static const char *const files[] = {
	"data", "failed", "files", "job", "joblog", "layout", "tasks", "trouble",
	"checked", "plan", "owner"
};

enum {
	FOLDERS = sizeof folders / sizeof folders[0],
	FILES = sizeof files / sizeof files[0]
};

/* Is that what the name says, or one that is to become it? */
static bool
is_called(const char *name, const char *file)
{
	const size_t n = strlen(file);

	return strncmp(name, file, n) == 0 && (name[n] == '\0' || name[n] == '.');
}

enum taf_status
taf_state_trust(const char *state, struct taf_err *e)
{
	struct stat st;

	if (lstat(state, &st) != 0)
		return errno == ENOENT ? TAF_OK :
		    taf_fail_sys(e, "%s: cannot look", state);
	if (!S_ISDIR(st.st_mode))
		return taf_fail(e, TAF_EUSAGE, "%s: not a folder", state);
	if (st.st_uid != geteuid())
		return taf_fail(e, TAF_EUSAGE, "%s: belongs to another user: use --state",
		    state);
	/* the bits of the group are the mask of an access control list */
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return taf_fail(e, TAF_EUSAGE,
		    "%s: others may write there: use --state, or chmod go-w", state);
	return TAF_OK;
}

enum taf_status
taf_state_make(const char *state, bool *made, struct taf_err *e)
{
	*made = mkdir(state, 0700) == 0;
	if (!*made && errno != EEXIST)
		return taf_fail_sys(e, "%s: cannot make this folder", state);
	return taf_state_trust(state, e);
}

/*
 * What a run leaves that is ended as it makes its plan, or just after it has removed it,
 * and a task that has outlived it: files that begin like these, or have nothing, or
 * zeros, where a disk has got a size alone.
 */
static const struct {
	const char *name, *first;
} left[] = {
	{ "plan", "input " }, { "owner", "host " }, { "trouble", "slab " },
	{ "failed", "slab " }, { "layout", "plan " },
};

static bool
is_left(const char *state, const char *name)
{
	enum { LEFT = sizeof left / sizeof left[0] };
	static const char zeros[sizeof "input "];
	const char *first;
	char text[sizeof "input "] = "";
	ssize_t n = -1;
	size_t i = 0;
	int fd;

	while (i < LEFT && !is_called(name, left[i].name))
		i++;
	if (i == LEFT)
		return false;
	first = left[i].first;
	fd = open(taf_path("%s/%s", state, name).s,
	    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0) {
		n = read(fd, text, strlen(first));
		(void)close(fd);
	}
	return n >= 0 && (memcmp(text, zeros, sizeof zeros) == 0 ||
	    strcmp(text, first) == 0);
}

enum taf_status
taf_state_unused(const char *state, struct taf_err *e)
{
	struct taf_names names = { 0 };
	enum taf_status st = taf_names_read(&names, state, "", e);
	size_t i;

	for (i = 0; st == TAF_OK && i < names.n; i++)
		if (!is_left(state, names.name[i]))
			st = taf_fail(e, TAF_EUSAGE,
			    "%s: has files, and the plan of no run: use another --state",
			    state);
	taf_names_free(&names);
	return st == TAF_END ? TAF_OK : st;
}

enum taf_status
taf_state_fill(const struct taf_plan *p, bool *fresh, struct taf_err *e)
{
	const int how = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
	const struct taf_path data = taf_plan_file(p, "data");
	struct stat st;
	size_t i;
	int fd;

	*fresh = false;
	for (i = 0; i < FOLDERS; i++)
		if (mkdir(taf_plan_file(p, folders[i]).s, 0700) != 0 && errno != EEXIST)
			return taf_fail_sys(e, "%s: cannot make this folder",
			    taf_plan_file(p, folders[i]).s);
	if (p->directory != NULL)
		return TAF_OK;
	/* nobody sees of a private file what he would not have seen before */
	fd = open(data.s, how | O_CREAT | O_EXCL,
	    stat(p->output, &st) == 0 ? 0600 : 0666);
	*fresh = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open(data.s, how);
	return fd >= 0 && close(fd) == 0 ? TAF_OK :
	    taf_fail_sys(e, "%s: cannot write", data.s);
}

/* Is it the name of a slab, of one that is being made, or that of Slurm for a task? */
static bool
of_slab(const char *name)
{
	size_t n;

	if (strncmp(name, "task-", 5) == 0)
		return true;
	name += name[0] == '.' ? 1 : 0;
	n = strspn(name, "0123456789");
	return n > 0 && (name[n] == '\0' || name[n] == '.');
}

static enum taf_status
drop(const char *folder, const char *name, struct taf_err *e)
{
	const struct taf_path path = taf_path("%s/%s", folder, name);

	return unlink(path.s) == 0 || errno == ENOENT || errno == EISDIR ||
	    errno == EPERM ? TAF_OK : taf_fail_sys(e, "%s: cannot remove", path.s);
}

/* What is not of the run keeps its folder. */
static enum taf_status
drop_folder(const char *path, struct taf_err *e)
{
	return rmdir(path) == 0 || errno == ENOENT || errno == ENOTEMPTY ||
	    errno == EEXIST ? TAF_OK : taf_fail_sys(e, "%s: cannot remove", path);
}

static enum taf_status
drop_slabs(const struct taf_plan *p, const char *folder, struct taf_err *e)
{
	const struct taf_path path = taf_plan_file(p, folder);
	struct taf_names names = { 0 };
	enum taf_status st = taf_names_read(&names, path.s, "", e);
	size_t i;

	for (i = 0; st == TAF_OK && i < names.n; i++)
		if (of_slab(names.name[i]))
			st = drop(path.s, names.name[i], e);
	taf_names_free(&names);
	return st == TAF_OK ? drop_folder(path.s, e) : st == TAF_END ? TAF_OK : st;
}

enum taf_status
taf_state_remove(const struct taf_plan *p, struct taf_err *e)
{
	struct taf_names names = { 0 };
	enum taf_status st = TAF_OK;
	size_t i, k;

	for (i = 0; st == TAF_OK && i < FOLDERS; i++)
		st = drop_slabs(p, folders[i], e);
	if (st == TAF_OK)
		st = taf_names_read(&names, p->state, "", e);
	for (i = 0; st == TAF_OK && i < FILES; i++) {
		/* on the disk, too, the plan is not gone before the others */
		if (strcmp(files[i], "plan") == 0)
			st = taf_sync_folder(p->state, e);
		for (k = 0; st == TAF_OK && k < names.n; k++)
			if (is_called(names.name[k], files[i]))
				st = drop(p->state, names.name[k], e);
	}
	taf_names_free(&names);
	if (st == TAF_END)
		return TAF_OK;
	return st == TAF_OK && p->made ? drop_folder(p->state, e) : st;
}
