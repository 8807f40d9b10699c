#include "io/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/endian.h"
#include "io/in.h"
#include "io/out.h"

/*
 * The file: the magic, then little-endian words: inode and size of the file it is
 * for, then records of offset, length and the bytes; a record of offset ~0, whose
 * length is the number of records, says that it is whole.  A file without it was
 * never acted upon.
 */
static const char magic[] = "TAFUNDO1";

enum { HEAD = 24, RECORD = 16 };

struct taf_undo {
	int fd;		/* the file to change, lent */
	char *path;	/* of the undo file */
	struct taf_out *out;
	uint64_t size;	/* of the file as it was */
	uint64_t records;
	bool sealed;
};

/* Beside the file itself, so that it is found whichever link the file is opened by. */
static char *
undo_path(const char *path)
{
	struct stat st;
	char *real = lstat(path, &st) == 0 && S_ISLNK(st.st_mode) ? realpath(path, NULL) : NULL;
	const char *name = real != NULL ? real : path;
	size_t n = strlen(name);
	char *p = malloc(n + sizeof ".undo");

	if (p != NULL) {
		memcpy(p, name, n);
		memcpy(p + n, ".undo", sizeof ".undo");
	}
	free(real);
	return p;
}

bool
taf_undo_exists(const char *path)
{
	char *undo = undo_path(path);
	struct stat st;
	bool yes = undo != NULL && lstat(undo, &st) == 0;

	free(undo);
	return yes;
}

static enum taf_status
sync_folder(const char *path, struct taf_err *e)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
	int fd;

	if (dir == NULL)
		return taf_fail_mem(e);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	/* a folder that cannot be opened for reading cannot be synced either */
	if (fd < 0)
		return TAF_OK;
	if (fsync(fd) != 0 && errno != EINVAL && errno != EROFS) {
		(void)close(fd);
		return taf_fail_sys(e, "cannot sync its folder");
	}
	(void)close(fd);
	return TAF_OK;
}

static enum taf_status
write_at(int fd, const unsigned char *p, size_t n, uint64_t off, struct taf_err *e)
{
	while (n > 0) {
		ssize_t r = pwrite(fd, p, n, (off_t)off);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return taf_fail_sys(e, "cannot write");
		p += r;
		off += (uint64_t)r;
		n -= (size_t)r;
	}
	return TAF_OK;
}

/* Is the undo file whole?  Leaves in at the first record. */
static enum taf_status
check_whole(struct taf_in *in, bool *whole, struct taf_err *e)
{
	uint64_t start = taf_in_offset(in), records = 0;
	unsigned char r[RECORD];
	enum taf_status st = TAF_OK;

	*whole = false;
	while (taf_in_left(in) >= RECORD) {
		uint64_t off, n;

		st = taf_in_read(in, r, sizeof r, e);
		if (st != TAF_OK)
			return st;
		off = taf_get64(r, false);
		n = taf_get64(r + 8, false);
		if (off == UINT64_MAX) {
			*whole = n == records;
			break;
		}
		if (n > taf_in_left(in))
			break;
		st = taf_in_skip(in, n, e);
		if (st != TAF_OK)
			return st;
		records++;
	}
	/* back to the first record: the position of a regular file is ours to set */
	taf_in_advance(in, start - taf_in_offset(in));
	return TAF_OK;
}

static enum taf_status
put_back(struct taf_in *in, int fd, uint64_t size, struct taf_err *e)
{
	enum { BLOCK = 1 << 20 };
	unsigned char r[RECORD], *block = malloc(BLOCK);
	enum taf_status st = TAF_OK;

	if (block == NULL)
		return taf_fail_mem(e);
	while (st == TAF_OK) {
		uint64_t off, n;

		st = taf_in_read(in, r, sizeof r, e);
		off = taf_get64(r, false);
		n = taf_get64(r + 8, false);
		if (st != TAF_OK || off == UINT64_MAX)
			break;
		while (n > 0 && st == TAF_OK) {
			size_t part = n < BLOCK ? (size_t)n : BLOCK;

			st = taf_in_read(in, block, part, e);
			if (st == TAF_OK)
				st = write_at(fd, block, part, off, e);
			off += part;
			n -= part;
		}
	}
	free(block);
	if (st == TAF_OK && ftruncate(fd, (off_t)size) != 0)
		st = taf_fail_sys(e, "cannot truncate");
	if (st == TAF_OK && fsync(fd) != 0)
		st = taf_fail_sys(e, "cannot sync");
	return st;
}

/* Use the undo file of the locked file fd, then remove it. */
static enum taf_status
roll_back(const char *undo, int fd, struct taf_err *e)
{
	struct taf_in *in = NULL;
	unsigned char head[HEAD];
	bool whole = false;
	enum taf_status st;
	struct stat mine;

	if (fstat(fd, &mine) != 0)
		return taf_fail_sys(e, "cannot read");
	st = taf_in_open(&in, undo, e);
	if (st == TAF_OK && taf_in_left(in) >= HEAD) {
		st = taf_in_read(in, head, sizeof head, e);
		/* zeros: its bytes never reached the disk, so the file was not touched */
		if (st == TAF_OK && memcmp(head, magic, 8) != 0 && head[0] != 0)
			st = taf_fail(e, TAF_EDATA, "%s is no undo file", undo);
		if (st == TAF_OK && head[0] != 0)
			st = check_whole(in, &whole, e);
		if (st == TAF_OK && whole && taf_get64(head + 8, false) != mine.st_ino)
			st = taf_fail(e, TAF_EDATA, "%s belongs to another file: "
			    "remove it if this one is as it should be", undo);
		if (st == TAF_OK && whole)
			st = put_back(in, fd, taf_get64(head + 16, false), e);
	}
	taf_in_close(in);
	if (st == TAF_OK && unlink(undo) != 0)
		st = taf_fail_sys(e, "cannot remove %s", undo);
	if (st == TAF_OK)
		st = sync_folder(undo, e);
	return st;
}

/* Does path still name the file behind fd? */
static bool
same_file(const char *path, int fd)
{
	struct stat a, b;

	return stat(path, &a) == 0 && fstat(fd, &b) == 0 && a.st_dev == b.st_dev &&
	    a.st_ino == b.st_ino;
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
	char *undo;
	int fd;

	for (;;) {
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
		if (fd < 0 || fstat(fd, &sb) != 0 || wait_lock(fd) != 0) {
			st = taf_fail_sys(e, "cannot open for change");
			break;
		}
		if (!S_ISREG(sb.st_mode)) {
			st = taf_fail(e, TAF_EDATA, "no regular file: not changed in place");
			break;
		}
		/* the one we waited for may have replaced the file */
		if (same_file(path, fd))
			break;
		(void)close(fd);
	}
	undo = undo_path(path);
	if (undo == NULL)
		st = taf_fail_mem(e);
	if (st == TAF_OK && taf_undo_exists(path))
		st = roll_back(undo, fd, e);
	free(undo);
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
	enum taf_status st = TAF_OK;
	int fd;

	if (!taf_undo_exists(path))
		return TAF_OK;
	if (access(path, W_OK) == 0) {
		st = taf_lock_open(path, &fd, e);
		if (st == TAF_OK)
			(void)close(fd);
		return st;
	}
	/* perhaps its owner is alive, and will finish */
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || wait_lock(fd) != 0)
		st = taf_fail_sys(e, "cannot open");
	else if (taf_undo_exists(path))
		st = taf_fail(e, TAF_EDATA,
		    "a change of it was interrupted, and it cannot be written to undo that");
	if (fd >= 0)
		(void)close(fd);
	taf_err_name(e, path);
	return st;
}

enum taf_status
taf_undo_begin(struct taf_undo **result, const char *path, int fd, struct taf_err *e)
{
	struct taf_undo *u = calloc(1, sizeof *u);
	unsigned char head[HEAD];
	enum taf_status st;
	struct stat sb;
	int to;

	if (u == NULL || (u->path = undo_path(path)) == NULL) {
		free(u);
		return taf_fail_mem(e);
	}
	u->fd = fd;
	if (fstat(fd, &sb) != 0) {
		st = taf_fail_sys(e, "cannot read");
		goto fail;
	}
	u->size = (uint64_t)sb.st_size;
	to = open(u->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, sb.st_mode & 0777);
	if (to < 0) {
		st = taf_fail_sys(e, "cannot create %s", u->path);
		goto fail;
	}
	st = taf_out_fd(&u->out, to, u->path, e);
	if (st != TAF_OK) {
		(void)close(to);
		(void)unlink(u->path);
		goto fail;
	}
	memcpy(head, magic, 8);
	taf_put64(head + 8, (uint64_t)sb.st_ino, false);
	taf_put64(head + 16, u->size, false);
	st = taf_out_write(u->out, head, sizeof head, e);
	if (st != TAF_OK) {
		taf_undo_rollback(u);
		return st;
	}
	*result = u;
	return TAF_OK;
fail:
	free(u->path);
	free(u);
	return st;
}

enum taf_status
taf_undo_save(struct taf_undo *u, uint64_t off, uint64_t n, struct taf_err *e)
{
	enum { BLOCK = 1 << 20 };
	unsigned char r[RECORD], *block;
	enum taf_status st;

	if (off >= u->size)
		return TAF_OK;
	if (n > u->size - off)
		n = u->size - off;
	if (n == 0)
		return TAF_OK;
	block = malloc(n < BLOCK ? (size_t)n : BLOCK);
	if (block == NULL)
		return taf_fail_mem(e);
	taf_put64(r, off, false);
	taf_put64(r + 8, n, false);
	st = taf_out_write(u->out, r, sizeof r, e);
	while (n > 0 && st == TAF_OK) {
		size_t part = n < BLOCK ? (size_t)n : BLOCK;
		ssize_t got = pread(u->fd, block, part, (off_t)off);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			st = taf_fail_sys(e, "cannot read");
		else if (got == 0)
			st = taf_fail(e, TAF_ETRUNC, "the file has shrunk");
		else
			st = taf_out_write(u->out, block, (size_t)got, e);
		if (got > 0) {
			off += (uint64_t)got;
			n -= (uint64_t)got;
		}
	}
	free(block);
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
		st = sync_folder(u->path, e);
	u->sealed = st == TAF_OK;
	return st;
}

static void
release(struct taf_undo *u)
{
	taf_out_discard(u->out);
	free(u->path);
	free(u);
}

enum taf_status
taf_undo_done(struct taf_undo *u, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (fsync(u->fd) != 0) {
		st = taf_fail_sys(e, "cannot sync");
		taf_undo_rollback(u);
		return st;
	}
	if (unlink(u->path) != 0)
		st = taf_fail_sys(e, "cannot remove %s", u->path);
	if (st == TAF_OK)
		st = sync_folder(u->path, e);
	release(u);
	return st;
}

void
taf_undo_rollback(struct taf_undo *u)
{
	struct taf_err e = { 0 };
	int saved = errno;

	if (u == NULL)
		return;
	/* where this fails the undo file stays for the next command */
	if (!u->sealed)
		(void)unlink(u->path);
	else if (roll_back(u->path, u->fd, &e) != TAF_OK)
		saved = e.sys != 0 ? e.sys : saved;
	release(u);
	errno = saved;
}
