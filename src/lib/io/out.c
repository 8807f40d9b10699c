/* SPDX-License-Identifier: ISC */
#include "io/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "io/at.h"
#include "io/os.h"
#include "io/recover.h"
#include "io/temp.h"
#include "io/url.h"
#include "io/where.h"
#include "io/xattr.h"

enum {
	BUFFER = 64 * 1024,
	BLOCK = 128 * 1024,	/* of a copy through user space */
	LARGEST = 1 << 30
};

struct taf_out {
	int fd;
	char *name;
	char *target;	/* where a named file will appear, else NULL */
	char *temp;	/* where it is until then */
	char *aside;	/* where the file is meanwhile that had its name */
	bool regular, pipe, append;
	bool grown;	/* the pipe's size was asked for */
	bool lend;	/* what is in the pipe may be the pages of a file */
	bool failed;
	bool claimed;	/* nobody changes target in place */
	bool fresh;	/* nothing may have the name of target yet */
	bool taken;	/* temp is the caller's, and stays where this fails */
	bool placed;	/* it has the name of target */
	bool changes;	/* what has that name now is changed */
	int folder;	/* of target, where a change is made safe there, else -1 */
	int lock;	/* for which this is held, -1 where none is */
	mode_t special;	/* bits of its mode that a write clears */
	atomic_uint_fast64_t moved;
	unsigned char *buf;
	size_t len;
};

bool
taf_out_failed(const struct taf_out *out)
{
	return out->failed;
}

const char *
taf_out_target(const struct taf_out *out)
{
	return out->target;
}

int
taf_out_descriptor(const struct taf_out *out)
{
	return out->fd;
}

void
taf_out_fresh(struct taf_out *out)
{
	out->fresh = true;
}

bool
taf_out_seekable(const struct taf_out *out)
{
	return out->regular && !out->append;
}

void
taf_out_lend(struct taf_out *out)
{
	out->lend = true;
}

uint64_t
taf_out_moved(const struct taf_out *out)
{
	return atomic_load_explicit(&out->moved, memory_order_relaxed);
}

static void
moved(struct taf_out *out, ssize_t n)
{
	(void)atomic_fetch_add_explicit(&out->moved, (uint64_t)n, memory_order_relaxed);
}

static enum taf_status
failed(struct taf_out *out, const char *what, struct taf_err *e)
{
	enum taf_status st = taf_fail_sys(e, "%s", what);

	out->failed = true;
	taf_err_name(e, out->name);
	return st;
}

static void
release(struct taf_out *out)
{
	if (out->fd > 2)
		(void)close(out->fd);
	if (out->lock >= 0)
		(void)close(out->lock);
	if (out->folder >= 0)
		(void)close(out->folder);
	if (out->temp != NULL)
		taf_temp_forget(out->temp);
	free(out->temp);
	free(out->aside);
	free(out->target);
	free(out->buf);
	free(out->name);
	free(out);
}

enum taf_status
taf_out_fd(struct taf_out **result, int fd, const char *name, struct taf_err *e)
{
	struct taf_out *out = calloc(1, sizeof *out);
	enum taf_status status = TAF_OK;
	struct stat st;
	int flags;

	if (out == NULL)
		return taf_fail_mem(e);
	out->fd = out->lock = out->folder = -1;
	out->name = strdup(name);
	out->buf = malloc(BUFFER);
	if (out->name == NULL || out->buf == NULL)
		status = taf_fail_mem(e);
	flags = fcntl(fd, F_GETFL);
	if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
		errno = EBADF;
		flags = -1;
	}
	if (status == TAF_OK && (flags < 0 || fstat(fd, &st) != 0 ||
	    (S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) < 0)))
		status = failed(out, "cannot write", e);
	if (status != TAF_OK) {
		release(out);
		return status;
	}
	out->fd = fd;
	out->regular = S_ISREG(st.st_mode);
	out->pipe = S_ISFIFO(st.st_mode);
	out->append = (flags & O_APPEND) != 0;
	*result = out;
	return TAF_OK;
}

char *
taf_out_resolve(const char *path)
{
	char *at = strdup(path);
	int hops;

	for (hops = 0; at != NULL && hops < 40; hops++) {
		char to[PATH_MAX];
		ssize_t n = readlink(at, to, sizeof to - 1);
		const char *slash;
		char *next;
		size_t dir;

		if (n < 0 && (errno == EINVAL || errno == ENOENT))
			return at;
		if (n < 0) {
			free(at);
			return NULL;
		}
		to[n] = '\0';
		slash = strrchr(at, '/');
		dir = slash != NULL && to[0] != '/' ? (size_t)(slash - at) + 1 : 0;
		next = malloc(dir + (size_t)n + 1);
		if (next != NULL) {
			memcpy(next, at, dir);
			memcpy(next + dir, to, (size_t)n + 1);
		}
		free(at);
		at = next;
	}
	errno = at != NULL ? ELOOP : ENOMEM;
	free(at);
	return NULL;
}

/* A file that may not be written is not replaced either. */
static enum taf_status
may_replace(const char *target, struct taf_err *e)
{
	return access(target, F_OK) == 0 && access(target, W_OK) != 0 ?
	    taf_fail_sys(e, "cannot write") : TAF_OK;
}

static enum taf_status
adopt(int fd, const char *temp, const char *like, mode_t *special, struct taf_err *e)
{
	return taf_rights_copy(fd, temp, like, special, e) != TAF_OK ? TAF_ESYS :
	    taf_xattr_copy(temp, like, e);
}

/* The rights of the file that is replaced, or of one that is made there. */
static enum taf_status
adopt_place(int fd, const char *temp, const char *target, mode_t *special,
    struct taf_err *e)
{
	char *like = NULL;
	enum taf_status st;
	int made = -1;

	if (access(target, F_OK) == 0)
		return adopt(fd, temp, target, special, e);
	st = taf_temp_beside(target, TAF_TEMP_NEW, &made, &like, e);
	if (st != TAF_OK)
		return st;
	st = adopt(fd, temp, like, special, e);
	(void)close(made);
	(void)unlink(like);
	taf_temp_forget(like);
	free(like);
	return st;
}

/* A temporary file beside target, with the rights and attributes of like. */
static enum taf_status
create_beside(struct taf_out **out, const char *path, const char *target,
    const char *like, char **temp, struct taf_err *e)
{
	mode_t special = 0;
	enum taf_status st;
	struct stat old;
	int fd = -1;
	bool new = stat(like, &old) != 0;

	if (new && errno != ENOENT)
		return taf_fail_sys(e, "cannot write");
	if (may_replace(target, e) != TAF_OK)
		return TAF_ESYS;
	st = taf_temp_beside(target, new ? TAF_TEMP_NEW : TAF_TEMP_PRIVATE, &fd, temp, e);
	if (st == TAF_OK && !new)
		st = adopt(fd, *temp, like, &special, e);
	if (st == TAF_OK)
		st = taf_out_fd(out, fd, path, e);
	if (st == TAF_OK)
		(*out)->special = special;
	else if (*temp != NULL) {
		(void)unlink(*temp);
		taf_temp_forget(*temp);
		(void)close(fd);
	}
	return st;
}

/* What is no regular file is written directly. */
static enum taf_status
create_direct(struct taf_out **result, const char *path, struct taf_err *e)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	enum taf_status st;

	if (fd < 0)
		return taf_fail_sys(e, "cannot write");
	st = taf_out_fd(result, fd, path, e);
	if (st != TAF_OK)
		(void)close(fd);
	return st;
}

enum taf_status
taf_out_take(struct taf_out **result, const char *path, const char *made, int fd,
    struct taf_err *e)
{
	char *target = taf_out_resolve(path), *temp = strdup(made);
	struct taf_out *out = NULL;
	enum taf_status status = TAF_OK;
	mode_t special = 0;

	if (target == NULL || temp == NULL)
		status = taf_fail_sys(e, "cannot write");
	if (status == TAF_OK)
		status = may_replace(target, e);
	if (status == TAF_OK)
		status = adopt_place(fd, temp, target, &special, e);
	if (status == TAF_OK)
		status = taf_out_fd(&out, fd, path, e);
	taf_err_name(e, path);
	if (status != TAF_OK) {
		(void)close(fd);
		free(temp);
		free(target);
		return status;
	}
	out->target = target;
	out->temp = temp;
	out->special = special;
	out->taken = true;
	*result = out;
	return TAF_OK;
}

enum taf_status
taf_out_create_like(struct taf_out **result, const char *path, const char *like,
    struct taf_err *e)
{
	char *target = taf_out_resolve(path), *temp = NULL;
	enum taf_status status;
	struct stat st;

	if (taf_is_url(path)) {
		free(target);
		return taf_fail(e, TAF_EUSAGE, "a URL is read, not written");
	}
	/* not target: a link in /proc to a pipe leads nowhere as a name */
	if (target == NULL)
		status = taf_fail_sys(e, "cannot write");
	else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		status = create_direct(result, path, e);
	else
		status = create_beside(result, path, target,
		    like != NULL ? like : target, &temp, e);
	taf_err_name(e, path);
	if (status == TAF_OK && temp != NULL) {
		(*result)->target = target;
		(*result)->temp = temp;
	} else {
		free(temp);
		free(target);
	}
	return status;
}

enum taf_status
taf_out_create(struct taf_out **out, const char *path, struct taf_err *e)
{
	return taf_out_create_like(out, path, NULL, e);
}

static enum taf_status
write_all(struct taf_out *out, const unsigned char *p, size_t n, struct taf_err *e)
{
	while (n > 0) {
		ssize_t r = write(out->fd, p, n < LARGEST ? n : LARGEST);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return failed(out, "cannot write", e);
		moved(out, r);
		p += r;
		n -= (size_t)r;
	}
	return TAF_OK;
}

enum taf_status
taf_out_flush(struct taf_out *out, struct taf_err *e)
{
	enum taf_status st;

	if (out->failed) {
		errno = EIO;
		return failed(out, "cannot write", e);
	}
	st = write_all(out, out->buf, out->len, e);
	if (st == TAF_OK)
		out->len = 0;
	return st;
}

enum taf_status
taf_out_write(struct taf_out *out, const void *p, size_t n, struct taf_err *e)
{
	enum taf_status st;

	if (out->failed || n > BUFFER - out->len) {
		st = taf_out_flush(out, e);
		if (st != TAF_OK)
			return st;
	}
	if (n >= BUFFER) {
		if (out->pipe && !out->grown)
			taf_os_grow_pipe(out->fd);
		out->grown = true;
		st = write_all(out, p, n, e);
		if (st != TAF_OK)
			return st;
	} else if (n > 0) {
		memcpy(out->buf + out->len, p, n);
		out->len += n;
	}
	return TAF_OK;
}

/* Write without the signal that says that nobody reads; EPIPE says it too. */
static ssize_t
write_quietly(int fd, const void *p, size_t n)
{
	sigset_t pipe, before, pending;
	ssize_t r;
	int saved, sig;

	(void)sigemptyset(&pipe);
	(void)sigaddset(&pipe, SIGPIPE);
	(void)sigprocmask(SIG_BLOCK, &pipe, &before);
	do
		r = write(fd, p, n);
	while (r < 0 && errno == EINTR);
	saved = errno;
	/* where it is ignored it is not pending */
	if (r < 0 && saved == EPIPE && sigpending(&pending) == 0 &&
	    sigismember(&pending, SIGPIPE) == 1)
		(void)sigwait(&pipe, &sig);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return r;
}

enum taf_status
taf_out_write_last(struct taf_out *out, const void *p, size_t n, struct taf_err *e)
{
	enum taf_status st;
	ssize_t r;

	if (!out->pipe)
		return taf_out_write(out, p, n, e);
	st = taf_out_flush(out, e);
	if (st != TAF_OK)
		return st;
	r = write_quietly(out->fd, p, n);
	if (r < 0)
		return errno == EPIPE ? TAF_OK : failed(out, "cannot write", e);
	moved(out, r);
	return write_all(out, (const unsigned char *)p + r, n - (size_t)r, e);
}

enum taf_status
taf_out_str(struct taf_out *out, struct taf_str *s)
{
	if (s->st == TAF_OK)
		s->st = taf_out_write(out, s->buf.data, s->buf.len, s->err);
	s->buf.len = 0;
	return s->st;
}

enum taf_status
taf_out_zero(struct taf_out *out, uint64_t n, struct taf_err *e)
{
	static const unsigned char zero[4096];

	enum taf_status st = TAF_OK;
	size_t r;

	for (; st == TAF_OK && n > 0; n -= r) {
		r = n < sizeof zero ? (size_t)n : sizeof zero;
		st = taf_out_write(out, zero, r, e);
	}
	return st;
}

/* One transfer inside the kernel, n bytes at most; -1 with errno where it cannot. */
static ssize_t
kernel_copy(struct taf_out *out, struct taf_in *in, uint64_t n)
{
	size_t most = n < LARGEST ? (size_t)n : LARGEST;
	off_t off = (off_t)taf_in_offset(in);
	int from = taf_in_descriptor(in);

	if (from < 0) {
		errno = EINVAL;
		return -1;
	}
	if (taf_in_seekable(in) && out->regular && !out->append)
		return taf_os_copy(from, &off, out->fd, most);
	/* from a file, the pipe would hold its pages, which others may still change */
	if (!taf_in_seekable(in) || out->lend)
		return taf_os_splice(from, taf_in_seekable(in) ? &off : NULL, out->fd,
		    most);
	errno = EINVAL;
	return -1;
}

static enum taf_status
copy_buffered(struct taf_out *out, struct taf_in *in, uint64_t n, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned char *block;

	if (n == 0)
		return TAF_OK;
	block = taf_alloc(1, n < BLOCK ? (size_t)n : BLOCK);
	if (block == NULL)
		return taf_fail_mem(e);
	while (n > 0 && st == TAF_OK) {
		size_t want = n < BLOCK ? (size_t)n : BLOCK, got;

		st = taf_in_read_part(in, block, want, &got, e);
		if (st == TAF_OK)
			st = taf_out_write(out, block, got, e);
		/* the bytes that did come are written before the end is reported */
		if (st == TAF_OK && got < want)
			st = taf_in_skip(in, n - got, e);
		n -= got;
	}
	free(block);
	return st;
}

enum taf_status
taf_out_copy(struct taf_out *out, struct taf_in *in, uint64_t n, struct taf_err *e)
{
	enum taf_status st;
	size_t have = taf_in_buffered(in);

	if (have > n)
		have = (size_t)n;
	if (have > 0) {
		const unsigned char *p;
		size_t got;

		st = taf_in_peek(in, have, &p, &got, e);
		if (st == TAF_OK)
			st = taf_out_write(out, p, have, e);
		if (st == TAF_OK)
			st = taf_in_skip(in, have, e);
		if (st != TAF_OK)
			return st;
		n -= have;
	}
	if (n < BUFFER)
		return copy_buffered(out, in, n, e);
	if (out->pipe && !out->grown)
		taf_os_grow_pipe(out->fd);
	if (!out->grown && !taf_in_seekable(in))
		taf_os_grow_pipe(taf_in_descriptor(in));
	out->grown = true;
	st = taf_out_flush(out, e);
	if (st != TAF_OK)
		return st;
	while (n > 0) {
		ssize_t r = kernel_copy(out, in, n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0 && (errno == ENOSPC || errno == EPIPE || errno == EFBIG ||
		    errno == EDQUOT))
			return failed(out, "cannot write", e);
		/*
		 * not possible between these two, the end, or a failure of one of them:
		 * the plain way tells which
		 */
		if (r <= 0)
			return copy_buffered(out, in, n, e);
		taf_in_advance(in, (uint64_t)r);
		moved(out, r);
		n -= (uint64_t)r;
	}
	return TAF_OK;
}

enum taf_status
taf_out_seek(struct taf_out *out, uint64_t off, struct taf_err *e)
{
	enum taf_status st = taf_out_flush(out, e);

	if (st == TAF_OK && lseek(out->fd, (off_t)off, SEEK_SET) < 0)
		st = failed(out, "cannot seek", e);
	return st;
}

enum taf_status
taf_out_region(struct taf_out *out, uint64_t n, uint64_t *base, struct taf_err *e)
{
	enum taf_status st = taf_out_flush(out, e);
	off_t at;

	if (st != TAF_OK)
		return st;
	at = lseek(out->fd, 0, SEEK_CUR);
	if (at < 0)
		return failed(out, "cannot seek", e);
	errno = EOVERFLOW;
	if (n <= (uint64_t)(INT64_MAX - at) && lseek(out->fd, (off_t)n, SEEK_CUR) >= 0) {
		*base = (uint64_t)at;
		return TAF_OK;
	}
	if (errno != EOVERFLOW && errno != EINVAL)
		return failed(out, "cannot seek", e);
	/* a size that a header has made up: this is where it first meets the system */
	out->failed = true;
	return taf_fail(e, TAF_EDATA, "%llu bytes do not go into a file",
	    (unsigned long long)n);
}

enum taf_status
taf_out_pwrite(struct taf_out *out, const void *p, size_t n, uint64_t off,
    struct taf_err *e)
{
	enum taf_status st = taf_write_at(out->fd, p, n, off, e);

	if (st == TAF_OK)
		moved(out, (ssize_t)n);
	else
		taf_err_name(e, out->name);
	return st;
}

enum taf_status
taf_out_reserve(struct taf_out *out, uint64_t base, uint64_t n, struct taf_err *e)
{
	enum taf_status status = TAF_OK;
	struct stat st;
	int r;

	do
		r = taf_os_reserve(out->fd, (off_t)base, (off_t)n);
	while (r != 0 && errno == EINTR);
	if (r != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
		status = failed(out, "cannot write", e);
		/* give back the part that it has found */
		if (fstat(out->fd, &st) == 0 && ftruncate(out->fd, st.st_size) != 0)
			errno = 0;
	}
	return status;
}

enum taf_status
taf_out_sync(struct taf_out *out, struct taf_err *e)
{
	enum taf_status st = taf_out_flush(out, e);

	if (st == TAF_OK && taf_sync(out->fd) != 0)
		st = failed(out, "cannot sync", e);
	return st;
}

static enum taf_status
set_special(struct taf_out *out, struct taf_err *e)
{
	struct stat st;

	return fstat(out->fd, &st) == 0 &&
	    fchmod(out->fd, (st.st_mode & 0777) | out->special) == 0 ? TAF_OK :
	    failed(out, "cannot set the mode", e);
}

enum taf_status
taf_out_finish(struct taf_out *out, struct taf_err *e)
{
	enum taf_status st;
	int r;

	if (out->fd < 0)
		return TAF_OK;
	st = taf_out_flush(out, e);
	if (st == TAF_OK && out->special != 0)
		st = set_special(out, e);
	if (st == TAF_OK && out->temp != NULL)
		st = taf_out_sync(out, e);
	if (st != TAF_OK)
		return st;
	r = close(out->fd);
	out->fd = -1;
	/* a finished file may wait for many others before it appears */
	free(out->buf);
	out->buf = NULL;
	if (r != 0 && errno != EINTR)
		return failed(out, "cannot close", e);
	return TAF_OK;
}

void
taf_out_locked(struct taf_out *out)
{
	out->claimed = out->changes = true;
}

/* What an output replaces. */
struct place {
	struct taf_where at;
	struct taf_out *out;
};

static int
compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return taf_where_compare(&x->at, &y->at);
}

/* The places of those that will be renamed, in the order in which all lock them. */
static enum taf_status
sort_places(struct taf_out *const *outs, size_t n, struct place **result, size_t *count,
    struct taf_err *e)
{
	struct place *p = taf_alloc(n > 0 ? n : 1, sizeof *p);
	size_t i;

	*result = p;
	*count = 0;
	if (p == NULL)
		return taf_fail_mem(e);
	for (i = 0; i < n; i++) {
		p[*count].out = outs[i];
		if (outs[i]->temp != NULL && taf_where_of(&p[*count].at, outs[i]->target))
			(*count)++;
	}
	if (*count > 0)
		qsort(p, *count, sizeof *p, compare);
	return TAF_OK;
}

enum taf_status
taf_outs_apart(struct taf_out *const *outs, size_t n, struct taf_err *e)
{
	struct place *p;
	size_t count, i;
	enum taf_status st = sort_places(outs, n, &p, &count, e);

	for (i = 1; i < count && st == TAF_OK; i++)
		if (compare(&p[i - 1], &p[i]) == 0)
			st = taf_fail(e, TAF_EUSAGE, "two outputs are one file: %s, %s",
			    p[i - 1].out->name, p[i].out->name);
	free(p);
	return st;
}

static bool
claim(struct taf_out *out)
{
	if (out->temp != NULL && !out->claimed &&
	    !taf_undo_claim(out->target, &out->lock))
		return false;
	out->claimed = true;
	return true;
}

/* Has that let a file go? */
static bool
unclaim(struct taf_out *out)
{
	if (out->lock < 0)
		return false;
	(void)close(out->lock);
	out->lock = -1;
	out->claimed = false;
	return true;
}

enum taf_status
taf_outs_claim(struct taf_out *const *outs, size_t *n, struct taf_err *e)
{
	struct place *p;
	size_t count, i;
	enum taf_status st;
	const char *name;
	bool held;
	int saved;

	for (;;) {
		st = sort_places(outs, *n, &p, &count, e);
		for (i = 0; i < count && st == TAF_OK && claim(p[i].out); i++)
			;
		if (st != TAF_OK || i == count)
			break;
		saved = errno;
		name = p[i].out->name;
		for (held = false; i-- > 0;)
			held |= unclaim(p[i].out);
		/* so many cannot be open at once; if none was, fewer would not help */
		if (!held) {
			errno = saved;
			st = taf_fail_sys(e, "cannot open for change");
			taf_err_name(e, name);
			break;
		}
		free(p);
		*n /= 2;
	}
	free(p);
	return st;
}

/* Give the file its name; where that must be free, by a link, which replaces nothing. */
static enum taf_status
give_name(struct taf_out *out, struct taf_err *e)
{
	enum taf_status st;

	if (out->fresh && link(out->temp, out->target) == 0) {
		if (unlink(out->temp) == 0)
			return TAF_OK;
		st = failed(out, "cannot rename", e);
		(void)unlink(out->target);
		return st;
	}
	if (out->fresh && (errno == EEXIST || access(out->target, F_OK) == 0)) {
		st = taf_fail(e, TAF_EDATA, "another program has made it meanwhile");
		taf_err_name(e, out->name);
		return st;
	}
	/* not fresh, or a file system without links */
	return rename(out->temp, out->target) == 0 ? TAF_OK :
	    failed(out, "cannot rename", e);
}

/* Keep the file that has the name under another one, and if stays, under its own too. */
static enum taf_status
set_aside(struct taf_out *out, bool stays, struct taf_err *e)
{
	struct stat old;
	int fd;

	if (lstat(out->target, &old) != 0)
		return errno == ENOENT ? TAF_OK : failed(out, "cannot rename", e);
	if (taf_temp_beside(out->target, TAF_TEMP_PRIVATE, &fd, &out->aside, e) !=
	    TAF_OK) {
		taf_err_name(e, out->name);
		return e->code;
	}
	(void)close(fd);
	taf_temp_forget(out->aside);
	/* the second is for a file system without links */
	if ((stays && unlink(out->aside) == 0 && link(out->target, out->aside) == 0) ||
	    rename(out->target, out->aside) == 0)
		return TAF_OK;
	free(out->aside);
	out->aside = NULL;
	return failed(out, "cannot keep the old file", e);
}

enum taf_status
taf_out_appear(struct taf_out *out, bool keep, struct taf_err *e)
{
	struct taf_out *all[] = { out };
	size_t one = 1;
	enum taf_status st = taf_out_finish(out, e);

	if (st == TAF_OK && !out->claimed)
		st = taf_outs_claim(all, &one, e);
	if (st == TAF_OK && out->temp != NULL && out->changes)
		st = taf_folder_of(out->target, &out->folder, e);
	if (st == TAF_OK && out->temp != NULL && keep)
		st = set_aside(out, true, e);
	if (st == TAF_OK && out->temp != NULL)
		st = give_name(out, e);
	out->placed = st == TAF_OK && out->temp != NULL;
	return st;
}

/* The old file comes back.  Both names may be of one file, which rename leaves. */
static void
take_back(struct taf_out *out)
{
	if (out->aside != NULL && rename(out->aside, out->target) == 0)
		(void)unlink(out->aside);
	else if (out->aside == NULL && out->placed)
		(void)unlink(out->target);
}

/* What has the name of the header tells of nothing any more, on the disk too. */
static enum taf_status
withdraw(struct taf_out *header, struct taf_err *e)
{
	enum taf_status st;
	int folder = -1;

	/* who has opened it has emptied it */
	if (header->temp == NULL)
		return !header->regular || taf_sync(header->fd) == 0 ? TAF_OK :
		    failed(header, "cannot sync", e);
	st = taf_folder_of(header->target, &folder, e);
	if (st == TAF_OK)
		st = set_aside(header, false, e);
	return taf_folder_settle(folder, st, e);
}

enum taf_status
taf_out_appear_before(struct taf_out *data, struct taf_out *header, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int folder = -1;

	if (data->temp == NULL)
		return taf_out_appear(data, true, e);
	st = taf_folder_of(data->target, &folder, e);
	if (st == TAF_OK && access(data->target, F_OK) == 0)
		st = withdraw(header, e);
	if (st == TAF_OK)
		st = taf_out_appear(data, true, e);
	return taf_folder_settle(folder, st, e);
}

enum taf_status
taf_out_settle(struct taf_out *out, enum taf_status st, struct taf_err *e)
{
	int saved = errno;

	if (st == TAF_OK && out->aside != NULL && unlink(out->aside) != 0)
		st = failed(out, "cannot remove the old file", e);
	else if (st != TAF_OK)
		take_back(out);
	if (st == TAF_OK && out->temp != NULL)
		taf_undo_disown(out->target);
	if (st == TAF_OK)
		st = taf_folder_sync(out->folder, e);
	if (st != TAF_OK && out->temp != NULL && !out->taken)
		(void)unlink(out->temp);
	release(out);
	errno = saved;
	return st;
}

enum taf_status
taf_out_commit(struct taf_out *out, struct taf_err *e)
{
	return taf_out_settle(out, taf_out_appear(out, false, e), e);
}

void
taf_out_discard(struct taf_out *out)
{
	int saved = errno;

	if (out == NULL)
		return;
	take_back(out);
	if (out->temp != NULL && !out->taken)
		(void)unlink(out->temp);
	release(out);
	errno = saved;
}
