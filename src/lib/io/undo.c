#include "io/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/endian.h"
#include "io/at.h"
#include "io/out.h"
#include "io/temp.h"

/*
 * The file: the magic, then little-endian words: inode and size of the file it is
 * for, then records of offset, length and the bytes; a record of offset ~0, whose
 * length is the number of records, says that it is whole.  A file without it was
 * never acted upon.
 */
static const char magic[] = "TAFUNDO1";

enum { HEAD = 24, RECORD = 16, BLOCK = 64 * 1024 };

struct taf_undo {
	int fd;		/* the file to change, lent */
	char *path;	/* of the undo file */
	char *folder;	/* that it is in */
	struct taf_out *out;
	int from;	/* its descriptor, to read what was saved; out closes it */
	uint64_t size;	/* of the file as it was */
	uint64_t records;
	bool sealed;
};

/* The one that is being written, for a signal. */
static struct taf_undo *volatile present;

/* Beside the file itself, so that it is found whichever link the file is opened by. */
static char *
undo_path(const char *path)
{
	char *real = NULL, *p;
	struct stat st;
	size_t n;

	if (lstat(path, &st) != 0 ? errno != ENOENT : S_ISLNK(st.st_mode) &&
	    (real = realpath(path, NULL)) == NULL && errno != ENOENT)
		return NULL;
	if (real != NULL)
		path = real;
	n = strlen(path);
	p = malloc(n + sizeof ".undo");
	if (p != NULL) {
		memcpy(p, path, n);
		memcpy(p + n, ".undo", sizeof ".undo");
	}
	free(real);
	return p;
}

static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
}

enum taf_status
taf_undo_look(const char *path, bool *there, struct taf_err *e)
{
	char *undo = undo_path(path);
	struct stat st;

	*there = undo != NULL && lstat(undo, &st) == 0;
	/* a name too long to exist */
	if (!*there && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG) {
		(void)taf_fail_sys(e, "cannot look for an undo file");
		taf_err_name(e, path);
		free(undo);
		return TAF_ESYS;
	}
	free(undo);
	return TAF_OK;
}

/* A record of the undo file: where the bytes were, and how many they are. */
static enum taf_status
read_record(int from, uint64_t at, uint64_t *off, uint64_t *n, struct taf_err *e)
{
	unsigned char r[RECORD];
	enum taf_status st = taf_read_at(from, r, sizeof r, at, e);

	if (st == TAF_OK) {
		*off = taf_get64(r, false);
		*n = taf_get64(r + 8, false);
	}
	return st;
}

/* Is the undo file of that size whole? */
static enum taf_status
check_whole(int from, uint64_t size, bool *whole, struct taf_err *e)
{
	uint64_t at = HEAD, records = 0, off, n;

	*whole = false;
	while (size - at >= RECORD) {
		enum taf_status st = read_record(from, at, &off, &n, e);

		if (st != TAF_OK)
			return st;
		at += RECORD;
		if (off == UINT64_MAX) {
			*whole = n == records;
			break;
		}
		if (n > size - at)
			break;
		at += n;
		records++;
	}
	return TAF_OK;
}

static enum taf_status
put_back(int from, int fd, uint64_t size, struct taf_err *e)
{
	unsigned char block[BLOCK];
	enum taf_status st = TAF_OK;
	uint64_t at = HEAD, off, n;

	while (st == TAF_OK) {
		st = read_record(from, at, &off, &n, e);
		if (st != TAF_OK || off == UINT64_MAX)
			break;
		at += RECORD;
		while (n > 0 && st == TAF_OK) {
			size_t part = n < BLOCK ? (size_t)n : BLOCK;

			st = taf_read_at(from, block, part, at, e);
			if (st == TAF_OK)
				st = taf_write_at(fd, block, part, off, e);
			at += part;
			off += part;
			n -= part;
		}
	}
	if (st == TAF_OK && ftruncate(fd, (off_t)size) != 0)
		st = taf_fail_sys(e, "cannot truncate");
	if (st == TAF_OK && taf_sync(fd) != 0)
		st = taf_fail_sys(e, "cannot sync");
	return st;
}

/*
 * Use the undo file from for the locked file fd, then remove it.  Takes no memory and no
 * descriptor that it must have: it may be called because there are none, or by a signal.
 */
static enum taf_status
roll_back(const char *undo, const char *folder, int from, int fd, struct taf_err *e)
{
	static const unsigned char zeros[HEAD];
	unsigned char head[HEAD] = { 0 };
	bool whole = false;
	enum taf_status st;
	struct stat mine, sb;
	size_t n;

	if (fstat(fd, &mine) != 0 || fstat(from, &sb) != 0)
		return taf_fail_sys(e, "cannot read");
	if (!S_ISREG(sb.st_mode))
		return taf_fail(e, TAF_EDATA, "%s is no undo file", undo);
	n = sb.st_size < HEAD ? (size_t)sb.st_size : HEAD;
	st = taf_read_at(from, head, n, 0, e);
	/* zeros: its bytes never reached the disk, so the file was not touched */
	if (st == TAF_OK && memcmp(head, magic, n < 8 ? n : 8) != 0 &&
	    memcmp(head, zeros, n) != 0)
		st = taf_fail(e, TAF_EDATA, "%s is no undo file", undo);
	if (st == TAF_OK && n == HEAD && head[0] != 0)
		st = check_whole(from, (uint64_t)sb.st_size, &whole, e);
	if (st == TAF_OK && whole && taf_get64(head + 8, false) != mine.st_ino)
		st = taf_fail(e, TAF_EDATA, "%s belongs to another file: "
		    "remove it if this one is as it should be", undo);
	if (st == TAF_OK && whole)
		st = put_back(from, fd, taf_get64(head + 16, false), e);
	if (st == TAF_OK && unlink(undo) != 0)
		st = taf_fail_sys(e, "cannot remove %s", undo);
	if (st == TAF_OK)
		st = taf_sync_folder(folder, e);
	return st;
}

/* Use the undo file beside path, which is locked as fd, if there is one. */
static enum taf_status
recover(const char *path, int fd, struct taf_err *e)
{
	char *undo = undo_path(path), *folder = undo != NULL ? folder_of(undo) : NULL;
	enum taf_status st = TAF_OK;
	int from = -1;

	if (folder == NULL)
		st = taf_fail_sys(e, "cannot look for an undo file");
	if (st == TAF_OK)
		from = open(undo, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (from >= 0)
		st = roll_back(undo, folder, from, fd, e);
	else if (st == TAF_OK && errno != ENOENT && errno != ENAMETOOLONG)
		st = taf_fail_sys(e, "cannot open %s", undo);
	if (from >= 0)
		(void)close(from);
	free(folder);
	free(undo);
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
wait_lock(int fd)
{
	int r;

	do
		r = flock(fd, LOCK_EX);
	while (r != 0 && errno == EINTR);
	return r;
}

enum taf_status
taf_lock_open(const char *path, int *result, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct stat sb;
	int fd, same;

	for (;;) {
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
		if (fd < 0 || fstat(fd, &sb) != 0 || wait_lock(fd) != 0 ||
		    (same = same_file(path, &sb)) < 0) {
			st = taf_fail_sys(e, "cannot open for change");
			break;
		}
		if (!S_ISREG(sb.st_mode)) {
			st = taf_fail(e, TAF_EDATA, "no regular file: not changed in place");
			break;
		}
		/* the one we waited for may have replaced the file */
		if (same)
			break;
		(void)close(fd);
	}
	if (st == TAF_OK)
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
taf_undo_recover(const char *path, struct taf_err *e)
{
	enum taf_status st;
	bool there;
	int fd;

	st = taf_undo_look(path, &there, e);
	if (st != TAF_OK || !there)
		return st;
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
	if (fd < 0 || wait_lock(fd) != 0)
		st = taf_fail_sys(e, "cannot open");
	else
		st = taf_undo_look(path, &there, e);
	if (st == TAF_OK && there)
		st = taf_fail(e, TAF_EDATA,
		    "a change of it was interrupted, and it cannot be written to undo that");
	if (fd >= 0)
		(void)close(fd);
	taf_err_name(e, path);
	return st;
}

static void
release(struct taf_undo *u)
{
	if (present == u)
		present = NULL;
	taf_out_discard(u->out);
	free(u->folder);
	free(u->path);
	free(u);
}

/* Create the file, and let signals know of it at once. */
static enum taf_status
create(struct taf_undo *u, mode_t mode, struct taf_err *e)
{
	taf_signals_hold();
	u->from = open(u->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (u->from >= 0)
		present = u;
	else
		(void)taf_fail_sys(e, "cannot create %s", u->path);
	taf_signals_let();
	return u->from >= 0 ? TAF_OK : TAF_ESYS;
}

enum taf_status
taf_undo_begin(struct taf_undo **result, const char *path, int fd, struct taf_err *e)
{
	struct taf_undo *u = calloc(1, sizeof *u);
	unsigned char head[HEAD];
	enum taf_status st;
	struct stat sb;

	if (u == NULL)
		return taf_fail_mem(e);
	u->fd = fd;
	if (fstat(fd, &sb) != 0 || (u->path = undo_path(path)) == NULL ||
	    (u->folder = folder_of(u->path)) == NULL) {
		st = taf_fail_sys(e, "cannot create an undo file");
		release(u);
		return st;
	}
	u->size = (uint64_t)sb.st_size;
	st = create(u, sb.st_mode & 0777, e);
	if (st != TAF_OK) {
		release(u);
		return st;
	}
	st = taf_out_fd(&u->out, u->from, u->path, e);
	if (st != TAF_OK)
		(void)close(u->from);
	memcpy(head, magic, 8);
	taf_put64(head + 8, (uint64_t)sb.st_ino, false);
	taf_put64(head + 16, u->size, false);
	if (st == TAF_OK)
		st = taf_out_write(u->out, head, sizeof head, e);
	if (st != TAF_OK) {
		taf_undo_rollback(u);
		return st;
	}
	*result = u;
	return TAF_OK;
}

enum taf_status
taf_undo_save(struct taf_undo *u, uint64_t off, uint64_t n, struct taf_err *e)
{
	unsigned char r[RECORD], block[BLOCK];
	enum taf_status st;

	if (off >= u->size)
		return TAF_OK;
	if (n > u->size - off)
		n = u->size - off;
	if (n == 0)
		return TAF_OK;
	taf_put64(r, off, false);
	taf_put64(r + 8, n, false);
	st = taf_out_write(u->out, r, sizeof r, e);
	while (n > 0 && st == TAF_OK) {
		size_t part = n < BLOCK ? (size_t)n : BLOCK;

		st = taf_read_at(u->fd, block, part, off, e);
		if (st == TAF_OK)
			st = taf_out_write(u->out, block, part, e);
		off += part;
		n -= part;
	}
	u->records++;
	return st;
}

enum taf_status
taf_undo_seal(struct taf_undo *u, struct taf_err *e)
{
	unsigned char r[RECORD];
	enum taf_status st;

	taf_put64(r, UINT64_MAX, false);
	taf_put64(r + 8, u->records, false);
	st = taf_out_write(u->out, r, sizeof r, e);
	if (st == TAF_OK)
		st = taf_out_sync(u->out, e);
	if (st == TAF_OK)
		st = taf_sync_folder(u->folder, e);
	u->sealed = st == TAF_OK;
	return st;
}

enum taf_status
taf_undo_done(struct taf_undo *u, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (taf_sync(u->fd) != 0)
		st = taf_fail_sys(e, "cannot sync");
	else if (unlink(u->path) != 0)
		st = taf_fail_sys(e, "cannot remove %s", u->path);
	if (st != TAF_OK) {
		taf_undo_rollback(u);
		return st;
	}
	st = taf_sync_folder(u->folder, e);
	release(u);
	return st;
}

/* Where this fails the undo file stays for the next command. */
static enum taf_status
cancel(struct taf_undo *u, struct taf_err *e)
{
	if (u->sealed)
		return roll_back(u->path, u->folder, u->from, u->fd, e);
	(void)unlink(u->path);
	return TAF_OK;
}

void
taf_undo_rollback(struct taf_undo *u)
{
	struct taf_err e = { 0 };
	int saved = errno;

	if (u == NULL)
		return;
	if (cancel(u, &e) != TAF_OK && e.sys != 0)
		saved = e.sys;
	release(u);
	errno = saved;
}

void
taf_undo_cancel(void)
{
	struct taf_undo *u = present;
	struct taf_err e = { 0 };

	if (u != NULL)
		(void)cancel(u, &e);
}
