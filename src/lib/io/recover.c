/* SPDX-License-Identifier: ISC */
#include "io/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "io/undo_file.h"

/* Somebody holds the undo file whose change it is of, perhaps that of another file. */
static bool
in_use(int from)
{
	return flock(from, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* Is the file, which has no mark, as it was before the change, or as it is after it? */
static enum taf_status
is_known(int fd, const struct taf_undo_facts *f, bool *known, struct taf_err *e)
{
	uint64_t h = 0, size;
	struct stat sb;

	*known = false;
	if (fstat(fd, &sb) != 0)
		return taf_fail_sys(e, "cannot read");
	size = (uint64_t)sb.st_size;
	if (size < f->header)
		return TAF_OK;
	if (taf_undo_digest_file(fd, 0, f->header, &h, e) != TAF_OK)
		return e->code;
	*known = (size == f->size && h == f->digest) ||
	    (size == f->new_size && h == f->new_digest);
	return TAF_OK;
}

/* Is the file, which has this digest in its mark, in the middle of the change? */
static enum taf_status
is_between(int fd, const char *id, const struct taf_undo_facts *f, bool *between,
    struct taf_err *e)
{
	uint64_t least = f->size < f->new_size ? f->size : f->new_size;
	struct stat sb;

	if (fstat(fd, &sb) != 0)
		return taf_fail_sys(e, "cannot read");
	*between = strcmp(id, f->id) == 0 && (uint64_t)sb.st_size >= least &&
	    (uint64_t)sb.st_size <= f->size + f->new_size - least;
	return TAF_OK;
}

/* What lies beside a file in the place of its undo file. */
struct remains {
	struct taf_undo_place place;
	int from;		/* -1 if nothing lies there, and the rest is not set */
	enum taf_undo_kind kind;
	struct taf_undo_facts facts;
};

static void
close_remains(struct remains *r)
{
	if (r->from >= 0)
		(void)close(r->from);
	taf_undo_place_free(&r->place);
}

/* On failure too the caller closes r. */
static enum taf_status
open_remains(struct remains *r, const char *path, struct taf_err *e)
{
	r->from = -1;
	if (!taf_undo_place(&r->place, path))
		return taf_fail_sys(e, "cannot look for an undo file");
	r->from = open(r->place.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (r->from >= 0)
		return taf_undo_look_at(r->from, &r->kind, &r->facts, e);
	/* a name too long to exist */
	return errno == ENOENT || errno == ENAMETOOLONG ? TAF_OK :
	    taf_fail_sys(e, "cannot open %s", r->place.path);
}

/* The locked file fd is marked: a whole undo file of this change puts it back. */
static enum taf_status
undo_marked(const struct remains *r, const char *id, int fd, struct taf_err *e)
{
	bool between = false;

	if (r->kind != TAF_UNDO_WHOLE)
		return taf_fail(e, TAF_EDATA,
		    "a change of it was interrupted, and %s, which should undo it, is damaged: restore the file",
		    r->place.path);
	if (is_between(fd, id, &r->facts, &between, e) != TAF_OK)
		return e->code;
	if (!between)
		return taf_fail(e, TAF_EDATA,
		    "a change of it was interrupted, and %s is of another one: restore the file",
		    r->place.path);
	if (taf_undo_restore(r->from, fd, r->facts.size, e) != TAF_OK ||
	    taf_undo_unmark(r->from, fd, e) != TAF_OK)
		return e->code;
	return taf_undo_remove(&r->place, e);
}

/*
 * The locked file fd is whole: the undo file goes, if it is of this file or undoes
 * nothing.
 */
static enum taf_status
undo_whole(const struct remains *r, int fd, struct taf_err *e)
{
	bool known = true;

	if (r->kind == TAF_UNDO_WHOLE && is_known(fd, &r->facts, &known, e) != TAF_OK)
		return e->code;
	if (known)
		return taf_undo_remove(&r->place, e);
	return in_use(r->from) ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "%s belongs to another state of this file: remove it if this one is as it should be",
	    r->place.path);
}

/* Use what remains of a change of the locked file fd. */
static enum taf_status
roll_back(const struct remains *r, int fd, struct taf_err *e)
{
	struct taf_undo_found m;

	if (r->from >= 0 && r->kind == TAF_UNDO_STRANGE)
		return taf_fail(e, TAF_EDATA, "%s is no undo file", r->place.path);
	if (taf_undo_find_mark(fd, &m, e) != TAF_OK)
		return e->code;
	if (r->from < 0)
		return !m.marked ? TAF_OK : taf_fail(e, TAF_EDATA,
		    "a change of it was interrupted: %s, which undoes it, has to lie beside it as %s",
		    m.name, r->place.path);
	if (r->kind == TAF_UNDO_OLDER)
		return taf_fail(e, TAF_EDATA,
		    "%s is of another version of taftools: let that one use it, or remove it if this file is as it should be",
		    r->place.path);
	return m.marked ? undo_marked(r, m.id, fd, e) : undo_whole(r, fd, e);
}

/* Use the undo file beside path, which is locked as fd, if there is one. */
static enum taf_status
recover(const char *path, int fd, struct taf_err *e)
{
	struct remains r;
	enum taf_status st = open_remains(&r, path, e);

	if (st == TAF_OK)
		st = roll_back(&r, fd, e);
	close_remains(&r);
	return st;
}

/* Does path still name the file behind fd?  -1 where that cannot be told. */
static int
same_file(const char *path, const struct stat *mine)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == ENOENT ? 0 : -1;
	return st.st_dev == mine->st_dev && st.st_ino == mine->st_ino;
}

static int
wait_lock(int fd, int how)
{
	int r;

	do
		r = flock(fd, how);
	while (r != 0 && errno == EINTR);
	return r;
}

/* Open path for writing, and lock it; -1 with errno where that cannot be. */
static int
open_locked(const char *path, struct stat *sb)
{
	int fd, same, saved;

	for (;;) {
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		if (fd < 0)
			return -1;
		if (fstat(fd, sb) != 0 || wait_lock(fd, LOCK_EX) != 0 ||
		    (same = same_file(path, sb)) < 0)
			break;
		/* the one we waited for may have replaced the file */
		if (same)
			return fd;
		(void)close(fd);
	}
	saved = errno;
	(void)close(fd);
	errno = saved;
	return -1;
}

enum taf_status
taf_lock_open(const char *path, int *result, struct taf_err *e)
{
	struct stat sb = { 0 };
	int fd = open_locked(path, &sb);
	enum taf_status st;

	if (fd < 0)
		st = taf_fail_sys(e, "cannot open for change");
	else if (!S_ISREG(sb.st_mode))
		st = taf_fail(e, TAF_EDATA, "no regular file: not changed in place");
	else
		st = recover(path, fd, e);
	if (st != TAF_OK) {
		taf_err_name(e, path);
		if (fd >= 0)
			(void)close(fd);
		return st;
	}
	*result = fd;
	return TAF_OK;
}

enum taf_status
taf_undo_look(const char *path, bool *there, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct taf_undo_place p;
	struct stat sb;

	*there = taf_undo_place(&p, path) && lstat(p.path, &sb) == 0;
	/* a name too long to exist */
	if (!*there && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG) {
		st = taf_fail_sys(e, "cannot look for an undo file");
		taf_err_name(e, path);
	}
	taf_undo_place_free(&p);
	return st;
}

/* What shall be locked. */
struct wanted {
	const char *path;
	dev_t dev;
	ino_t ino;
	bool change;	/* sorted before what is only read, of one file */
};

static int
compare(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	return (int)y->change - (int)x->change;
}

/* How many sources may be locked: readers of some, and what else there is, stay open. */
static size_t
most_sources(void)
{
	enum { OTHERS = 96 };
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur <= OTHERS)
		return 0;
	return r.rlim_cur - OTHERS < INT_MAX ? (size_t)(r.rlim_cur - OTHERS) : INT_MAX;
}

/* The file to change and the sources, each once, in the order of their numbers. */
static enum taf_status
list_wanted(struct wanted *list, const char *path, const char *const *sources, size_t n,
    size_t *wanted, struct taf_err *e)
{
	const size_t most = most_sources();
	size_t count = 0, i, kept = 0;
	struct stat sb;

	/* a source that is not known to be the same file would wait for itself */
	if (stat(path, &sb) != 0)
		return taf_fail_sys(e, "cannot open for change");
	list[count++] = (struct wanted){ path, sb.st_dev, sb.st_ino, true };
	for (i = 0; i < n && count <= most; i++)
		if (strcmp(sources[i], "-") != 0 && stat(sources[i], &sb) == 0 &&
		    S_ISREG(sb.st_mode))
			list[count++] = (struct wanted){ sources[i], sb.st_dev,
			    sb.st_ino, false };
	qsort(list, count, sizeof *list, compare);
	for (i = 0; i < count; i++)
		if (i == 0 || list[i].dev != list[kept - 1].dev ||
		    list[i].ino != list[kept - 1].ino)
			list[kept++] = list[i];
	*wanted = kept;
	return TAF_OK;
}

/* A shared lock on a source.  TAF_END: its name leads to another file now. */
static enum taf_status
hold(const struct wanted *w, struct taf_held *held, struct taf_err *e)
{
	int fd = open(w->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	bool undo = true;
	enum taf_status st;
	struct stat sb;

	/* who reads it will say why */
	if (fd < 0)
		return TAF_OK;
	if (wait_lock(fd, LOCK_SH) != 0)
		st = TAF_OK;
	else if (stat(w->path, &sb) == 0 && (sb.st_dev != w->dev || sb.st_ino != w->ino))
		st = TAF_END;
	else
		st = taf_undo_look(w->path, &undo, e);
	/* what a dead command has left is undone by who reads it, under its own lock */
	if (st == TAF_OK && !undo)
		held->fd[held->n++] = fd;
	else
		(void)close(fd);
	return st;
}

static enum taf_status
lock_list(const struct wanted *list, size_t count, int *fd, struct taf_held *held,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct stat sb;
	size_t i;

	for (i = 0; i < count && st == TAF_OK; i++)
		if (!list[i].change) {
			st = hold(&list[i], held, e);
		} else {
			st = taf_lock_open(list[i].path, fd, e);
			if (st == TAF_OK && (fstat(*fd, &sb) != 0 ||
			    sb.st_dev != list[i].dev || sb.st_ino != list[i].ino))
				st = TAF_END;
		}
	return st;
}

enum taf_status
taf_lock_with(const char *path, const char *const *sources, size_t n, int *fd,
    struct taf_held *held, struct taf_err *e)
{
	struct wanted *list = taf_alloc(n + 1, sizeof *list);
	enum taf_status st = TAF_END;
	size_t count = 0;

	held->fd = taf_alloc(n + 1, sizeof *held->fd);
	*fd = -1;
	if (list == NULL || held->fd == NULL)
		st = taf_fail_mem(e);
	while (st == TAF_END) {
		st = list_wanted(list, path, sources, n, &count, e);
		if (st == TAF_OK)
			st = lock_list(list, count, fd, held, e);
		while (st == TAF_END && held->n > 0)
			(void)close(held->fd[--held->n]);
		if (st != TAF_OK && *fd >= 0) {
			(void)close(*fd);
			*fd = -1;
		}
	}
	free(list);
	return st;
}

void
taf_held_free(struct taf_held *held)
{
	while (held->n > 0)
		(void)close(held->fd[--held->n]);
	free(held->fd);
	held->fd = NULL;
}

/* Has the file a mark, or an undo file beside it? */
static enum taf_status
needs_recovery(const char *path, bool *needs, struct taf_err *e)
{
	enum taf_status st = taf_undo_look(path, needs, e);
	struct taf_undo_found m;
	int fd;

	if (st != TAF_OK || *needs)
		return st;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return taf_fail_sys(e, "cannot open");
	st = taf_undo_find_mark(fd, &m, e);
	*needs = m.marked;
	(void)close(fd);
	return st;
}

enum taf_status
taf_undo_recover(const char *path, struct taf_err *e)
{
	enum taf_status st;
	bool needs;
	int fd;

	st = needs_recovery(path, &needs, e);
	if (st != TAF_OK || !needs) {
		taf_err_name(e, path);
		return st;
	}
	if (access(path, W_OK) == 0) {
		st = taf_lock_open(path, &fd, e);
		if (st == TAF_OK)
			(void)close(fd);
		return st;
	}
	if (errno != EACCES && errno != EROFS && errno != EPERM) {
		st = taf_fail_sys(e, "cannot open for change");
		taf_err_name(e, path);
		return st;
	}
	/* perhaps its owner is alive, and will finish */
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || wait_lock(fd, LOCK_EX) != 0)
		st = taf_fail_sys(e, "cannot open");
	else
		st = needs_recovery(path, &needs, e);
	if (st == TAF_OK && needs)
		st = taf_fail(e, TAF_EDATA,
		    "a change of it was interrupted, and it cannot be written to undo that");
	if (fd >= 0)
		(void)close(fd);
	taf_err_name(e, path);
	return st;
}

/* Remove what lies beside path, if it is such an undo file and nobody works with it. */
static enum taf_status
drop(const char *path, enum taf_undo_kind least, struct taf_err *e)
{
	struct remains r;
	enum taf_status st = open_remains(&r, path, e);

	if (st == TAF_OK && r.from >= 0)
		st = r.kind < least || in_use(r.from) ?
		    taf_fail(e, TAF_EDATA, "%s may be of use", r.place.path) :
		    taf_undo_remove(&r.place, e);
	close_remains(&r);
	return st;
}

enum taf_status
taf_undo_drop(const char *path, struct taf_err *e)
{
	struct taf_undo_found m;
	struct stat sb = { 0 };
	enum taf_status st;
	int fd = open_locked(path, &sb);

	if (fd < 0)
		return taf_fail_sys(e, "cannot open for change");
	st = taf_undo_find_mark(fd, &m, e);
	if (st == TAF_OK)
		st = m.marked ? taf_fail(e, TAF_EDATA, "a change of it was interrupted") :
		    drop(path, TAF_UNDO_WHOLE, e);
	(void)close(fd);
	return st;
}

bool
taf_undo_claim(const char *path, int *lock)
{
	struct taf_err ignored = { 0 };
	int saved = errno;
	struct stat sb;

	*lock = open_locked(path, &sb);
	if (*lock < 0 && (errno == EMFILE || errno == ENFILE))
		return false;
	/* what cannot be undone goes when the file does */
	if (*lock >= 0)
		(void)!recover(path, *lock, &ignored);
	errno = saved;
	return true;
}

void
taf_undo_disown(const char *path)
{
	struct taf_err ignored = { 0 };
	int saved = errno;

	(void)!drop(path, TAF_UNDO_CUT, &ignored);
	errno = saved;
}
