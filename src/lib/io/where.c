/* SPDX-License-Identifier: ISC */
#include "io/where.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "io/os.h"
#include "io/url.h"

bool
taf_where_of(struct taf_where *p, char *target)
{
	char *slash = strrchr(target, '/');
	struct stat st;
	bool found = stat(target, &st) == 0;

	p->name = found ? "" : slash != NULL ? slash + 1 : target;
	if (!found && slash != NULL) {
		*slash = '\0';
		found = stat(slash > target ? target : "/", &st) == 0;
		*slash = '/';
	} else if (!found) {
		found = stat(".", &st) == 0;
	}
	p->dev = found ? st.st_dev : 0;
	p->ino = found ? st.st_ino : 0;
	return found;
}

int
taf_where_compare(const struct taf_where *x, const struct taf_where *y)
{
	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* A file that is there. */
static struct taf_where
place(const struct stat *st)
{
	return (struct taf_where){ .dev = st->st_dev, .ino = st->st_ino, .name = "" };
}

static bool
same(const struct stat *x, const struct stat *y)
{
	return x->st_dev == y->st_dev && x->st_ino == y->st_ino;
}

bool
taf_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && same(&x, &y);
}

static bool
look(const char *path, struct stat *st)
{
	return (path == NULL || strcmp(path, "-") == 0 ? fstat(0, st) :
	    stat(path, st)) == 0;
}

static int
compare(const void *a, const void *b)
{
	return taf_where_compare(a, b);
}

enum taf_status
taf_files_of(struct taf_files *f, const char *const *path, size_t n, struct taf_err *e)
{
	struct stat st;
	size_t i;

	*f = (struct taf_files){ .at = taf_alloc(n > 0 ? n : 1, sizeof *f->at) };
	if (f->at == NULL)
		return taf_fail_mem(e);
	for (i = 0; i < n; i++)
		if (look(path[i], &st) && S_ISREG(st.st_mode))
			f->at[f->n++] = place(&st);
	if (f->n > 0)
		qsort(f->at, f->n, sizeof *f->at, compare);
	return TAF_OK;
}

bool
taf_files_has(const struct taf_files *f, const char *path)
{
	struct taf_where at;
	struct stat st;

	if (f->n == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	at = place(&st);
	return bsearch(&at, f->at, f->n, sizeof *f->at, compare) != NULL;
}

void
taf_files_free(struct taf_files *f)
{
	free(f->at);
	*f = (struct taf_files){ 0 };
}

bool
taf_file_twice(const char *path)
{
	const bool input = path == NULL || strcmp(path, "-") == 0;
	struct stat st;

	return !taf_is_url(path) && (look(path, &st) ? S_ISREG(st.st_mode) : !input);
}

void
taf_fd_guard(void)
{
	int fd;

	/* one that refuses the direction it stands for makes its use fail */
	for (fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

bool
taf_fd_file(int fd, struct taf_fd_name *name)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	taf_os_file_name(fd, name->s, sizeof name->s);
	return true;
}

bool
taf_fd_is(int fd, const char *path)
{
	struct stat x, y;

	return fstat(fd, &x) == 0 && stat(path, &y) == 0 && S_ISREG(y.st_mode) &&
	    same(&x, &y);
}

bool
taf_fd_leads(int fd, const char *path)
{
	struct stat x, y;

	return fstat(fd, &x) == 0 && stat(path, &y) == 0 && same(&x, &y);
}

bool
taf_fd_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* Is it the folder of this process's descriptors? */
static bool
is_descriptors(const char *folder)
{
	return taf_same_file(TAF_PROC "/self/fd", folder) ||
	    taf_same_file("/dev/fd", folder);
}

bool
taf_fd_called(int fd, const char *path)
{
	static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
	char number[16], at[PATH_MAX], to[PATH_MAX], *base;
	int hops;

	if (strlen(path) >= sizeof at)
		return false;
	(void)strcpy(at, path);
	(void)snprintf(number, sizeof number, "%d", fd);
	for (hops = 0; hops < 40; hops++) {
		ssize_t n = readlink(at, to, sizeof to);
		size_t dir;

		base = strrchr(at, '/');
		base = base != NULL ? base + 1 : at;
		dir = (size_t)(base - at);
		if (strcmp(base, number) == 0 && dir > 0) {
			*base = '\0';
			if (is_descriptors(at))
				return true;
			(void)strcpy(base, number);
		}
		if (n < 0)
			return fd >= 0 && fd <= 2 && strcmp(at, names[fd]) == 0;
		if (to[0] == '/')
			dir = 0;
		if (dir + (size_t)n >= sizeof at)
			return false;
		memcpy(at + dir, to, (size_t)n);
		at[dir + (size_t)n] = '\0';
	}
	return false;
}
