#include "io/out.h"

#include "config.h"

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
#include "io/recover.h"
#include "io/temp.h"
#include "io/xattr.h"

enum {
	BUFFER = 64 * 1024,
	BLOCK = 128 * 1024,	/* of a copy through user space */
	PIPE = 1024 * 1024,	/* what Linux grants a pipe without privilege */
	LARGEST = 1 << 30
};

struct taf_out {
	int fd;
	char *name;
	char *target;	/* where a named file will appear, else NULL */
	char *temp;	/* where it is until then */
	bool regular, pipe, append;
	bool grown;	/* the pipe's size was asked for */
	bool lend;	/* what is in the pipe may be the pages of a file */
	bool failed;
	bool claimed;	/* nobody changes target in place */
	bool fresh;	/* nothing may have the name of target yet */
	bool taken;	/* temp is the caller's, and stays where this fails */
	int lock;	/* for which this is held, -1 where none is */
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

enum taf_status
taf_out_fd(struct taf_out **result, int fd, const char *name, struct taf_err *e)
{
	struct taf_out *out = calloc(1, sizeof *out);
	struct stat st;
	int flags;

	if (out == NULL || (out->name = strdup(name)) == NULL ||
	    (out->buf = malloc(BUFFER)) == NULL) {
		if (out != NULL)
			free(out->name);
		free(out);
		return taf_fail_mem(e);
	}
	out->fd = fd;
	out->lock = -1;
	flags = fcntl(fd, F_GETFL);
	if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
		errno = EBADF;
		flags = -1;
	}
	if (flags < 0 || fstat(fd, &st) != 0 ||
	    (S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) < 0)) {
		enum taf_status status = failed(out, "cannot write", e);

		free(out->buf);
		free(out->name);
		free(out);
		return status;
	}
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

static enum taf_status
adopt_mode(int fd, const char *temp, const char *target, struct taf_err *e)
{
	struct stat old, mine;

	if (stat(target, &old) != 0)
		return errno == ENOENT ? TAF_OK : taf_fail_sys(e, "cannot write");
	/* only root can give a file away: for others the new one is theirs */
	if (fstat(fd, &mine) == 0 && (mine.st_uid != old.st_uid ||
	    mine.st_gid != old.st_gid) && fchown(fd, old.st_uid, old.st_gid) != 0)
		errno = 0;
	if (taf_xattr_copy(temp, target, e) != TAF_OK)
		return TAF_ESYS;
	return fchmod(fd, old.st_mode & 07777) == 0 ? TAF_OK :
	    taf_fail_sys(e, "cannot set the mode");
}

/* A file that may not be written is not replaced either. */
static enum taf_status
may_replace(const char *target, struct taf_err *e)
{
	return access(target, F_OK) == 0 && access(target, W_OK) != 0 ?
	    taf_fail_sys(e, "cannot write") : TAF_OK;
}

/* The rights of the file that is replaced, or of one that is made there. */
static enum taf_status
adopt_place(int fd, const char *temp, const char *target, struct taf_err *e)
{
	char *like = NULL;
	enum taf_status st;
	int made = -1;

	if (access(target, F_OK) == 0)
		return adopt_mode(fd, temp, target, e);
	st = taf_temp_beside(target, &made, &like, e);
	if (st != TAF_OK)
		return st;
	st = adopt_mode(fd, temp, like, e);
	(void)close(made);
	(void)unlink(like);
	taf_temp_forget(like);
	free(like);
	return st;
}

enum taf_status
taf_out_take(struct taf_out **result, const char *path, const char *made, int fd,
    struct taf_err *e)
{
	char *target = taf_out_resolve(path), *temp = strdup(made);
	struct taf_out *out = NULL;
	enum taf_status status = TAF_OK;

	if (target == NULL || temp == NULL)
		status = taf_fail_sys(e, "cannot write");
	if (status == TAF_OK)
		status = may_replace(target, e);
	if (status == TAF_OK)
		status = adopt_place(fd, temp, target, e);
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
	out->taken = true;
	*result = out;
	return TAF_OK;
}

enum taf_status
taf_out_create(struct taf_out **result, const char *path, struct taf_err *e)
{
	char *target = taf_out_resolve(path), *temp = NULL;
	struct taf_out *out = NULL;
	enum taf_status status;
	struct stat st;
	int fd = -1;

	if (target == NULL) {
		status = taf_fail_sys(e, "cannot write");
		taf_err_name(e, path);
		return status;
	}
	/* not target: a link in /proc to a pipe leads nowhere as a name */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		if (fd < 0)
			status = taf_fail_sys(e, "cannot write");
		else
			status = taf_out_fd(result, fd, path, e);
		if (status != TAF_OK && fd >= 0)
			(void)close(fd);
		taf_err_name(e, path);
		free(target);
		return status;
	}
	status = may_replace(target, e);
	if (status == TAF_OK)
		status = taf_temp_beside(target, &fd, &temp, e);
	if (status == TAF_OK)
		status = adopt_mode(fd, temp, target, e);
	if (status == TAF_OK)
		status = taf_out_fd(&out, fd, path, e);
	taf_err_name(e, path);
	if (status != TAF_OK) {
		if (temp != NULL) {
			(void)unlink(temp);
			taf_temp_forget(temp);
			(void)close(fd);
		}
		free(temp);
		free(target);
		return status;
	}
	out->target = target;
	out->temp = temp;
	*result = out;
	return TAF_OK;
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

void
taf_pipe_grow(int fd)
{
#ifdef F_SETPIPE_SZ
	if (fcntl(fd, F_GETPIPE_SZ) < PIPE)
		(void)fcntl(fd, F_SETPIPE_SZ, PIPE);
#else
	(void)fd;
#endif
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
			taf_pipe_grow(out->fd);
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

	while (n > 0) {
		size_t r = n < sizeof zero ? (size_t)n : sizeof zero;
		enum taf_status st = taf_out_write(out, zero, r, e);

		if (st != TAF_OK)
			return st;
		n -= r;
	}
	return TAF_OK;
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
#ifdef HAVE_COPY_FILE_RANGE
	if (taf_in_seekable(in) && out->regular && !out->append)
		return copy_file_range(from, &off, out->fd, NULL, most, 0);
#endif
#ifdef SPLICE_F_MOVE
	/* from a file, the pipe would hold its pages, which others may still change */
	if (!taf_in_seekable(in) || out->lend)
		return splice(from, taf_in_seekable(in) ? &off : NULL, out->fd, NULL,
		    most, SPLICE_F_MOVE | SPLICE_F_MORE);
#endif
	(void)off;
	(void)most;
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
		taf_pipe_grow(out->fd);
	if (!out->grown && !taf_in_seekable(in))
		taf_pipe_grow(taf_in_descriptor(in));
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
#ifdef FALLOC_FL_KEEP_SIZE
	struct stat st;
	int r;

	/* the system call: the C library's posix_fallocate would write every block */
	do
		r = fallocate(out->fd, FALLOC_FL_KEEP_SIZE, (off_t)base, (off_t)n);
	while (r != 0 && errno == EINTR);
	if (r != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
		status = failed(out, "cannot write", e);
		/* give back the part that it has found */
		if (fstat(out->fd, &st) == 0 && ftruncate(out->fd, st.st_size) != 0)
			errno = 0;
	}
#else
	(void)out, (void)base, (void)n, (void)e;
#endif
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

enum taf_status
taf_out_finish(struct taf_out *out, struct taf_err *e)
{
	enum taf_status st;
	int r;

	if (out->fd < 0)
		return TAF_OK;
	st = out->temp != NULL ? taf_out_sync(out, e) : taf_out_flush(out, e);
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

static void
release(struct taf_out *out)
{
	if (out->fd > 2)
		(void)close(out->fd);
	if (out->lock >= 0)
		(void)close(out->lock);
	if (out->temp != NULL)
		taf_temp_forget(out->temp);
	free(out->temp);
	free(out->target);
	free(out->buf);
	free(out->name);
	free(out);
}

void
taf_out_locked(struct taf_out *out)
{
	out->claimed = true;
}

void
taf_out_claim(struct taf_out *out)
{
	if (out->temp != NULL && !out->claimed)
		out->lock = taf_undo_claim(out->target);
	out->claimed = true;
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

enum taf_status
taf_out_commit(struct taf_out *out, struct taf_err *e)
{
	enum taf_status st = taf_out_finish(out, e);

	if (st == TAF_OK)
		taf_out_claim(out);
	if (st == TAF_OK && out->temp != NULL)
		st = give_name(out, e);
	if (st == TAF_OK && out->temp != NULL)
		taf_undo_disown(out->target);
	if (st != TAF_OK && out->temp != NULL && !out->taken)
		(void)unlink(out->temp);
	release(out);
	return st;
}

void
taf_out_discard(struct taf_out *out)
{
	int saved = errno;

	if (out == NULL)
		return;
	if (out->temp != NULL && !out->taken)
		(void)unlink(out->temp);
	release(out);
	errno = saved;
}
