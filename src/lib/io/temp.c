/* SPDX-License-Identifier: ISC */
#include "io/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/need.h"
#include "base/num.h"
#include "io/at.h"
#include "io/os.h"

/*
 * The one piece of state that outlives its owner: a signal handler has no other way to
 * learn of the files.  Nodes are added at the head and never unlinked from the list, so
 * that a handler can walk it at any moment; one that is free serves another path.
 */
enum state { FREE, TAKEN, LIVE };	/* only a live one is looked at by others */

struct node {
	struct node *next;
	struct node *other;	/* of those that are free, or whose paths are alike */
	atomic_int state;
	size_t size;		/* bytes of path */
	char path[];
};

static struct node *_Atomic own, *_Atomic *temps = &own;

/* Where the list is once another process has to know it. */
static struct shared {
	struct node *_Atomic temps;
	size_t used;
	_Alignas(struct node) char room[64 * 1024];
} *shared;

/* For all but a handler: free ones, and live ones by their path. */
enum { ALIKE = 4096 };
static struct node *spare, *alike[ALIKE];

/* Held where a node becomes another one's; a handler does without it. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void
lock(void)
{
	while (atomic_flag_test_and_set(&busy))
		(void)sched_yield();
}

static void
unlock(void)
{
	atomic_flag_clear(&busy);
}

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

static size_t
slot_of(const char *path)
{
	uint32_t h = 2166136261;

	for (; *path != '\0'; path++)
		h = (h ^ (unsigned char)*path) * 16777619;
	return h % ALIKE;
}

/* It can be found by its path. */
static void
enlist(struct node *t)
{
	struct node **list = &alike[slot_of(t->path)];

	lock();
	t->other = *list;
	*list = t;
	unlock();
}

/* It serves another path; the lock is held. */
static void
release(struct node *t)
{
	t->state = FREE;
	t->other = spare;
	spare = t;
}

static void
drop(struct node *t)
{
	lock();
	release(t);
	unlock();
}

enum taf_status
taf_temp_share(struct taf_err *e)
{
	struct shared *s = taf_os_share(sizeof *s, e);

	if (s == NULL)
		return e->code;
	s->temps = *temps;
	shared = s;
	temps = &s->temps;
	return TAF_OK;
}

/* A node that lasts; the lock is held. */
static struct node *
allocate(size_t n)
{
	struct node *t;

	if (shared == NULL)
		return malloc(n);
	n += -n % _Alignof(struct node);
	if (n > sizeof shared->room - shared->used)
		return NULL;
	t = (void *)(shared->room + shared->used);
	shared->used += n;
	return t;
}

/* A node for a path of n bytes, its NUL included, in the list; NULL without memory. */
static struct node *
node_of(size_t n)
{
	struct node *t, **at = &spare;

	lock();
	while (*at != NULL && (*at)->size < n)
		at = &(*at)->other;
	t = *at;
	if (t != NULL) {
		*at = t->other;
	} else {
		n = n < 256 ? 256 : n;
		t = allocate(sizeof *t + n);
		if (t != NULL) {
			atomic_init(&t->state, TAKEN);
			t->size = n;
			t->next = *temps;
			*temps = t;
		}
	}
	if (t != NULL)
		t->state = TAKEN;
	unlock();
	return t;
}

/* Six letters or digits that are hardly those of another file. */
static void
draw(char *to)
{
	static const char set[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	static atomic_uint drawn;
	struct timespec now = { 0, 0 };
	uint64_t h;
	int i;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	h = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30 ^ (uint64_t)getpid() << 32;
	h = (h + atomic_fetch_add(&drawn, 1)) * UINT64_C(0x9e3779b97f4a7c15);
	h ^= h >> 32;
	for (i = 0; i < 6; i++, h /= sizeof set - 1)
		to[i] = set[h % (sizeof set - 1)];
}

/*
 * Not mkstemp: a new file gets mode and access control list from umask and folder, and to
 * ask for the umask is to change it, for all threads.
 */
static int
make(char *path, mode_t mode)
{
	int fd, tries = 0;

	do {
		draw(path + strlen(path) - 6);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode);
	} while (fd < 0 && errno == EEXIST && ++tries < 100);
	return fd;
}

static int
make_file(char *path)
{
	return make(path, 0600);
}

static int
make_new_file(char *path)
{
	return make(path, 0666);
}

static int
make_folder(char *path)
{
	return mkdir(path, 0777);
}

/* No signal between what is made and its place in the list; -1 with errno. */
static int
create(struct node *t, int (*by)(char *path))
{
	int fd;

	taf_signals_hold();
	fd = by(t->path);
	if (fd >= 0)
		t->state = LIVE;
	taf_signals_let();
	if (fd >= 0)
		enlist(t);
	else
		drop(t);
	return fd;
}

enum taf_status
taf_temp_beside(const char *target, enum taf_temp_mode mode, int *fd, char **path,
    struct taf_err *e)
{
	const char *base = strrchr(target, '/');
	size_t dir, len;
	struct node *t;
	char *copy;
	int made;

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
	/* before the file, so that there is nothing to take back */
	copy = strdup(t->path);
	if (copy == NULL) {
		drop(t);
		return taf_fail_mem(e);
	}
	made = create(t, mode == TAF_TEMP_NEW ? make_new_file : make_file);
	if (made < 0 && errno == ENOENT && dir > 0) {
		free(copy);
		(void)taf_fail(e, TAF_ESYS, "there is no folder %.*s",
		    (int)(dir > 1 ? dir - 1 : 1), target);
		e->sys = ENOENT;
		return TAF_ESYS;
	}
	if (made < 0) {
		free(copy);
		return taf_fail_sys(e, "cannot create a file beside it");
	}
	memcpy(copy, t->path, strlen(copy));
	*fd = made;
	*path = copy;
	return TAF_OK;
}

enum taf_status
taf_temp_spool(int *fd, struct taf_err *e)
{
	const char *dir = getenv("TMPDIR");
	char *path;
	size_t n;
	int made;

	if (dir == NULL || dir[0] == '\0')
		dir = "/tmp";
#ifdef O_TMPFILE
	made = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (made >= 0) {
		*fd = made;
		return TAF_OK;
	}
#endif
	n = strlen(dir) + sizeof "/tafXXXXXX";
	path = malloc(n);
	if (path == NULL)
		return taf_fail_mem(e);
	(void)snprintf(path, n, "%s/tafXXXXXX", dir);
	made = make_file(path);
	if (made < 0) {
		(void)taf_fail_sys(e, "cannot create a temporary file in %s", dir);
		free(path);
		return TAF_ESYS;
	}
	(void)unlink(path);
	free(path);
	*fd = made;
	return TAF_OK;
}

void *
taf_temp_map(size_t n, struct taf_err *e)
{
	void *p = MAP_FAILED;
	int fd, failed;

	taf_need_map(n);
	if (taf_temp_spool(&fd, e) != TAF_OK)
		return NULL;
	/* a page without space on the disk would be a signal later */
	failed = taf_need_asked() != NULL ? ftruncate(fd, (off_t)n) :
	    taf_os_allocate(fd, (off_t)n);
	if (failed == 0)
		p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	else
		errno = failed;
	if (p == MAP_FAILED)
		(void)taf_fail_sys(e, "cannot map %zu bytes of a temporary file", n);
	(void)close(fd);
	return p != MAP_FAILED ? p : NULL;
}

void
taf_temp_unmap(void *p, size_t n)
{
	(void)munmap(p, n);
}

enum { LEAST = 4096 };		/* bytes of a list */

enum taf_status
taf_store_grow(struct taf_store *s, uint64_t count, size_t each, uint64_t bound,
    struct taf_err *e)
{
	struct taf_store more = { NULL, s->size, false };
	uint64_t need;

	if (!taf_mul(count, each, &need) || need > SIZE_MAX / 2)
		return taf_fail_mem(e);
	if (need <= s->size)
		return TAF_OK;
	while (more.size < need)
		more.size = more.size < LEAST ? LEAST : more.size * 2;
	/* the double of what suffices may be beyond the bound */
	if (more.size > bound && need <= bound)
		more.size = (size_t)need;
	more.mapped = more.size > bound;
	if (!more.mapped)
		more.p = realloc(s->p, more.size);
	else
		more.p = taf_temp_map(more.size, e);
	if (more.p == NULL)
		return more.mapped ? e->code : taf_fail_mem(e);
	if (more.mapped && s->size > 0) {
		memcpy(more.p, s->p, s->size);
		taf_store_free(s);
	}
	*s = more;
	return TAF_OK;
}

void
taf_store_free(struct taf_store *s)
{
	if (s->mapped)
		taf_temp_unmap(s->p, s->size);
	else
		free(s->p);
	*s = (struct taf_store){ NULL, 0, false };
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
	t->state = LIVE;
	enlist(t);
	return TAF_OK;
}

int
taf_temp_mkdir(const char *path)
{
	struct node *t = node_copy(path);

	return t != NULL ? create(t, make_folder) : -1;
}

void
taf_temp_forget(const char *path)
{
	struct node *t, **at;

	lock();
	for (at = &alike[slot_of(path)]; *at != NULL; ) {
		t = *at;
		if (strcmp(t->path, path) == 0) {
			*at = t->other;
			release(t);
		} else {
			at = &t->other;
		}
	}
	unlock();
}

void
taf_temp_unlink_all(void)
{
	struct node *t;
	int saved = errno, again;

	/* a folder goes when it is empty */
	for (again = 0; again < 2; again++)
		for (t = *temps; t != NULL; t = t->next)
			if (t->state == LIVE && unlink(t->path) != 0)
				(void)rmdir(t->path);
	errno = saved;
}

enum taf_status
taf_folder_open(const char *folder, int *fd, struct taf_err *e)
{
	*fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *fd >= 0 || errno == EACCES ? TAF_OK :
	    taf_fail_sys(e, "cannot open its folder");
}

enum taf_status
taf_folder_of(const char *path, int *fd, struct taf_err *e)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash == NULL ? strdup(".") :
	    strndup(path, slash == path ? 1 : (size_t)(slash - path));
	enum taf_status st;

	*fd = -1;
	st = folder != NULL ? taf_folder_open(folder, fd, e) : taf_fail_mem(e);
	free(folder);
	return st;
}

enum taf_status
taf_folder_sync(int fd, struct taf_err *e)
{
	return fd < 0 || taf_sync(fd) == 0 || errno == EINVAL || errno == EROFS ? TAF_OK :
	    taf_fail_sys(e, "cannot sync its folder");
}

enum taf_status
taf_folder_settle(int fd, enum taf_status st, struct taf_err *e)
{
	if (st == TAF_OK)
		st = taf_folder_sync(fd, e);
	if (fd >= 0)
		(void)close(fd);
	return st;
}

enum taf_status
taf_sync_folder(const char *folder, struct taf_err *e)
{
	int fd;
	enum taf_status st = taf_folder_open(folder, &fd, e);

	return taf_folder_settle(fd, st, e);
}
