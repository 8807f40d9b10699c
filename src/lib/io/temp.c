#include "io/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/at.h"

/*
 * The one piece of state that outlives its owner: a signal handler has no other
 * way to learn of the files.  Nodes are added at the head and never unlinked
 * from the list, so that a handler can walk it at any moment; one that is not
 * live any more serves another path.
 */
struct node {
	struct node *next;
	volatile int live;
	int listed;
	size_t room;		/* bytes of path */
	char path[];
};

static struct node *volatile temps;

static _Thread_local unsigned held;
static _Thread_local sigset_t before;

void
taf_signals_hold(void)
{
	sigset_t all;

	if (held++ > 0)
		return;
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &before);
}

void
taf_signals_let(void)
{
	if (--held == 0)
		(void)sigprocmask(SIG_SETMASK, &before, NULL);
}

/* A node for a path of n bytes, its NUL included; NULL without memory. */
static struct node *
node_of(size_t n)
{
	struct node *t;

	for (t = temps; t != NULL; t = t->next)
		if (!t->live && t->room >= n)
			return t;
	n = n < 256 ? 256 : n;
	t = malloc(sizeof *t + n);
	if (t != NULL) {
		t->listed = 0;
		t->room = n;
	}
	return t;
}

static void
add(struct node *t)
{
	if (!t->listed) {
		t->listed = t->live = 1;
		t->next = temps;
		temps = t;
	}
	t->live = 1;
}

/* Nothing came of it. */
static void
drop(struct node *t)
{
	if (!t->listed)
		free(t);
}

static int
make_file(char *path)
{
	return mkostemp(path, O_CLOEXEC);
}

static int
make_folder(char *path)
{
	return mkdir(path, 0777);
}

/* No signal between what is made and its place in the list; -1 with errno. */
static int
create(struct node *t, int (*make)(char *path))
{
	int fd;

	taf_signals_hold();
	fd = make(t->path);
	if (fd >= 0)
		add(t);
	taf_signals_let();
	return fd;
}

enum taf_status
taf_temp_beside(const char *target, int *fd, char **path, struct taf_err *e)
{
	const char *base = strrchr(target, '/');
	size_t dir, len;
	struct node *t;
	char *copy;

	base = base != NULL ? base + 1 : target;
	dir = (size_t)(base - target);
	/* a long name is cut, or the temporary one would be too long for the folder */
	len = strlen(base) < 200 ? strlen(base) : 200;
	t = node_of(dir + len + sizeof "..XXXXXX");
	if (t == NULL)
		return taf_fail_mem(e);
	memcpy(t->path, target, dir);
	t->path[dir] = '.';
	memcpy(t->path + dir + 1, base, len);
	memcpy(t->path + dir + 1 + len, ".XXXXXX", sizeof ".XXXXXX");
	*fd = create(t, make_file);
	if (*fd < 0) {
		(void)taf_fail_sys(e, "cannot create a file beside it");
		drop(t);
		return TAF_ESYS;
	}
	copy = strdup(t->path);
	if (copy == NULL) {
		(void)unlink(t->path);
		t->live = 0;
		(void)close(*fd);
		return taf_fail_mem(e);
	}
	*path = copy;
	return TAF_OK;
}

enum taf_status
taf_temp_spool(int *fd, struct taf_err *e)
{
	const char *dir = getenv("TMPDIR");
	char *path;
	size_t n;

	if (dir == NULL || dir[0] == '\0')
		dir = "/tmp";
#ifdef O_TMPFILE
	*fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (*fd >= 0)
		return TAF_OK;
#endif
	n = strlen(dir) + sizeof "/tafXXXXXX";
	path = malloc(n);
	if (path == NULL)
		return taf_fail_mem(e);
	(void)snprintf(path, n, "%s/tafXXXXXX", dir);
	*fd = mkostemp(path, O_CLOEXEC);
	if (*fd < 0) {
		(void)taf_fail_sys(e, "cannot create a temporary file in %s", dir);
		free(path);
		return TAF_ESYS;
	}
	(void)unlink(path);
	free(path);
	return TAF_OK;
}

static struct node *
node_copy(const char *path)
{
	struct node *t = node_of(strlen(path) + 1);

	if (t != NULL)
		(void)strcpy(t->path, path);
	return t;
}

enum taf_status
taf_temp_add(const char *path, struct taf_err *e)
{
	struct node *t = node_copy(path);

	if (t == NULL)
		return taf_fail_mem(e);
	add(t);
	return TAF_OK;
}

int
taf_temp_mkdir(const char *path)
{
	struct node *t = node_copy(path);

	if (t == NULL)
		return -1;
	if (create(t, make_folder) < 0) {
		drop(t);
		return -1;
	}
	return 0;
}

void
taf_temp_forget(const char *path)
{
	struct node *t;

	for (t = temps; t != NULL; t = t->next)
		if (t->live && strcmp(t->path, path) == 0)
			t->live = 0;
}

void
taf_temp_unlink_all(void)
{
	struct node *t;
	int saved = errno, again;

	/* a folder goes when it is empty */
	for (again = 0; again < 2; again++)
		for (t = temps; t != NULL; t = t->next)
			if (t->live && unlink(t->path) != 0)
				(void)rmdir(t->path);
	errno = saved;
}

enum taf_status
taf_sync_folder(const char *folder, struct taf_err *e)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* a folder that cannot be opened for reading cannot be synced either */
	if (fd < 0)
		return TAF_OK;
	if (taf_sync(fd) != 0 && errno != EINVAL && errno != EROFS) {
		(void)close(fd);
		return taf_fail_sys(e, "cannot sync its folder");
	}
	(void)close(fd);
	return TAF_OK;
}
