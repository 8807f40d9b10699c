#include "io/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/endian.h"
#include "io/at.h"
#include "io/out.h"
#include "io/temp.h"

/*
 * The file: the magic, then little-endian words: size of the file it is for, as it was and as
 * it will be; number of bytes of its header, and the digests of these as they were and as they
 * will be.  Then records of offset, length and the bytes, the header first; a record of offset
 * ~0, whose length is the number of records, and behind it the digest of all before it.
 *
 * That digest is in the mark too, so what is written over a marked file is what was saved of
 * it.  A file without a mark is whole: nothing was begun, or all was done.
 */
static const char magic[] = "TAFUNDO2", begun[] =
    "\nBeing changed: wait, or let tafcheck --repair undo it.  Undo file: ";

enum {
	HEAD = 48,
	RECORD = 16,
	END = RECORD + 8,
	BLOCK = 64 * 1024,
	ID = 16,			/* hexadecimal digits of a digest */
	PLACE = TAF_UNDO_MARK / 2,	/* of the mark; a sector, which is written whole */
	MARK = TAF_UNDO_MARK - PLACE
};

struct taf_undo {
	int fd;		/* the file to change, lent */
	char *path;	/* of the undo file */
	char *folder;	/* that it is in */
	struct taf_out *out;
	int from;	/* its descriptor, to read what was saved; out closes it */
	uint64_t size;	/* of the file as it was */
	uint64_t records, digest;
	char mark[MARK];
	size_t nmark;
	bool sealed;	/* the mark may be there */
	bool open;	/* what the mark is for may have changed */
	bool closed;	/* the mark may be gone again */
};

/* Those that are being written, for a signal: places are used again, and never freed. */
struct place {
	struct place *next;
	struct taf_undo *_Atomic undo;
};

static struct place *_Atomic places;

/* Find a place for u, or make one, as head of the list; false without memory. */
static bool
remember(struct taf_undo *u)
{
	struct taf_undo *none = NULL;
	struct place *p;

	for (p = places; p != NULL; p = p->next, none = NULL)
		if (atomic_compare_exchange_strong(&p->undo, &none, u))
			return true;
	p = malloc(sizeof *p);
	if (p == NULL)
		return false;
	atomic_init(&p->undo, u);
	p->next = places;
	while (!atomic_compare_exchange_weak(&places, &p->next, p))
		;
	return true;
}

static void
forget(const struct taf_undo *u)
{
	struct place *p;

	for (p = places; p != NULL; p = p->next)
		if (p->undo == u)
			p->undo = NULL;
}

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

static enum taf_status
sync_file(int fd, struct taf_err *e)
{
	return taf_sync(fd) == 0 ? TAF_OK : taf_fail_sys(e, "cannot sync");
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

/* Each step can be undone, given the one word: so one word that differs makes a difference. */
static uint64_t
digest(uint64_t h, const unsigned char *p, size_t n)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	unsigned char last[8] = { 0 };

	for (; n >= 8; p += 8, n -= 8) {
		h = (h ^ taf_get64(p, false)) * odd;
		h ^= h >> 32;
	}
	if (n > 0)
		memcpy(last, p, n);
	last[7] = (unsigned char)n;
	h = (h ^ taf_get64(last, false)) * odd;
	return h ^ h >> 32;
}

/* The mark in the bytes before TAF_UNDO_MARK, NULL without one. */
static const char *
find_mark(const unsigned char *p)
{
	const size_t n = sizeof begun - 1;
	size_t at;

	for (at = PLACE; at + n <= TAF_UNDO_MARK; at++)
		if (memcmp(p + at, begun, n) == 0)
			return (const char *)p + at;
	return NULL;
}

bool
taf_undo_marked(const unsigned char *p, size_t n, char name[TAF_UNDO_NAME])
{
	const char *mark = n >= TAF_UNDO_MARK ? find_mark(p) : NULL, *end;
	size_t i, len;

	if (mark == NULL)
		return false;
	mark += sizeof begun - 1;
	end = (const char *)p + TAF_UNDO_MARK - ID - 2;
	len = end > mark ? (size_t)(end - mark) : 0;
	if (len >= TAF_UNDO_NAME)
		len = TAF_UNDO_NAME - 1;
	for (i = 0; i < len; i++)
		name[i] = mark[i];
	name[len] = '\0';
	return true;
}

/* The same of an open file; id is the digest of the undo file in the mark, a text. */
static enum taf_status
look_for_mark(int fd, bool *marked, char name[TAF_UNDO_NAME], char id[ID + 1],
    struct taf_err *e)
{
	unsigned char p[TAF_UNDO_MARK];
	enum taf_status st;
	struct stat sb;

	*marked = false;
	if (fstat(fd, &sb) != 0)
		return taf_fail_sys(e, "cannot read");
	if (!S_ISREG(sb.st_mode) || sb.st_size < TAF_UNDO_MARK)
		return TAF_OK;
	st = taf_read_at(fd, p, sizeof p, 0, e);
	if (st == TAF_OK)
		*marked = taf_undo_marked(p, sizeof p, name);
	memcpy(id, p + TAF_UNDO_MARK - ID - 1, ID);
	id[ID] = '\0';
	return st;
}

/* What an undo file says, beyond its records. */
struct facts {
	uint64_t size, new_size;	/* of the file */
	uint64_t header;		/* bytes of it that the digests are of */
	uint64_t digest, new_digest;
	char id[ID + 1];
};

static void
format_id(uint64_t h, char id[ID + 1])
{
	(void)snprintf(id, ID + 1, "%016llx", (unsigned long long)h);
}

/* A record of the undo file: where the bytes were, and how many they are. */
static enum taf_status
read_record(int from, uint64_t at, uint64_t *off, uint64_t *n, uint64_t *h,
    struct taf_err *e)
{
	unsigned char r[RECORD];
	enum taf_status st = taf_read_at(from, r, sizeof r, at, e);

	if (st == TAF_OK) {
		*off = taf_get64(r, false);
		*n = taf_get64(r + 8, false);
		*h = digest(*h, r, sizeof r);
	}
	return st;
}

/* n bytes of a file go into the digest, in the pieces in which they were saved. */
static enum taf_status
digest_file(int fd, uint64_t at, uint64_t n, uint64_t *h, struct taf_err *e)
{
	unsigned char block[BLOCK];
	enum taf_status st = TAF_OK;

	while (n > 0 && st == TAF_OK) {
		size_t part = n < BLOCK ? (size_t)n : BLOCK;

		st = taf_read_at(fd, block, part, at, e);
		if (st == TAF_OK)
			*h = digest(*h, block, part);
		at += part;
		n -= part;
	}
	return st;
}

/* Is the undo file of that size whole, and what does it say? */
static enum taf_status
check_whole(int from, uint64_t size, struct facts *f, bool *whole, struct taf_err *e)
{
	uint64_t at = HEAD, records = 0, off, n, h;
	unsigned char head[HEAD];
	enum taf_status st;

	*whole = false;
	if (size < HEAD + END)
		return TAF_OK;
	st = taf_read_at(from, head, sizeof head, 0, e);
	h = digest(0, head, sizeof head);
	f->size = taf_get64(head + 8, false);
	f->new_size = taf_get64(head + 16, false);
	f->header = taf_get64(head + 24, false);
	f->digest = taf_get64(head + 32, false);
	f->new_digest = taf_get64(head + 40, false);
	while (st == TAF_OK && size - at >= END) {
		st = read_record(from, at, &off, &n, &h, e);
		at += RECORD;
		if (st == TAF_OK && off == UINT64_MAX && size - at >= 8) {
			st = taf_read_at(from, head, 8, at, e);
			*whole = n == records && records > 0 && taf_get64(head, false) == h;
			format_id(h, f->id);
			break;
		}
		if (st != TAF_OK || n > size - at || off > f->size || n > f->size - off ||
		    (records == 0 && (off != 0 || n != f->header || n < TAF_UNDO_MARK)))
			break;
		st = digest_file(from, at, n, &h, e);
		at += n;
		records++;
	}
	return st;
}

/* n bytes at offset at of the undo file come back to offset off of the file. */
static enum taf_status
put_back(int from, uint64_t at, int fd, uint64_t off, uint64_t n, struct taf_err *e)
{
	unsigned char block[BLOCK];
	enum taf_status st = TAF_OK;

	while (n > 0 && st == TAF_OK) {
		size_t part = n < BLOCK ? (size_t)n : BLOCK;

		st = taf_read_at(from, block, part, at, e);
		if (st == TAF_OK)
			st = taf_write_at(fd, block, part, off, e);
		at += part;
		off += part;
		n -= part;
	}
	return st;
}

/* All that was saved, but for the place of the mark. */
static enum taf_status
put_all_back(int from, int fd, uint64_t size, struct taf_err *e)
{
	uint64_t at = HEAD, off, n, h = 0;
	enum taf_status st = read_record(from, at, &off, &n, &h, e);

	at += RECORD;
	if (st == TAF_OK)
		st = put_back(from, at, fd, 0, PLACE, e);
	if (st == TAF_OK)
		st = put_back(from, at + TAF_UNDO_MARK, fd, TAF_UNDO_MARK, n - TAF_UNDO_MARK,
		    e);
	for (at += n; st == TAF_OK; at += n) {
		st = read_record(from, at, &off, &n, &h, e);
		if (st != TAF_OK || off == UINT64_MAX)
			break;
		at += RECORD;
		st = put_back(from, at, fd, off, n, e);
	}
	if (st == TAF_OK && ftruncate(fd, (off_t)size) != 0)
		st = taf_fail_sys(e, "cannot truncate");
	return st == TAF_OK ? sync_file(fd, e) : st;
}

/* The bytes in whose place the mark stands. */
static enum taf_status
unmark(int from, int fd, struct taf_err *e)
{
	enum taf_status st = put_back(from, HEAD + RECORD + PLACE, fd, PLACE, MARK, e);

	return st == TAF_OK ? sync_file(fd, e) : st;
}

static enum taf_status
remove_undo(const char *undo, const char *folder, struct taf_err *e)
{
	if (unlink(undo) != 0 && errno != ENOENT)
		return taf_fail_sys(e, "cannot remove %s", undo);
	return taf_sync_folder(folder, e);
}

/* What kind of file lies where an undo file would. */
enum kind {
	STRANGE,	/* none of ours */
	EMPTY,		/* not even its first bytes reached the disk: nothing was begun */
	CUT,		/* the same of those behind */
	OLDER,		/* of another version */
	WHOLE
};

static enum taf_status
look_at(int from, enum kind *kind, struct facts *f, struct taf_err *e)
{
	static const unsigned char zeros[HEAD];
	unsigned char head[HEAD] = { 0 };
	bool whole = false;
	enum taf_status st;
	struct stat sb;
	size_t n;

	*kind = STRANGE;
	if (fstat(from, &sb) != 0)
		return taf_fail_sys(e, "cannot read");
	if (!S_ISREG(sb.st_mode))
		return TAF_OK;
	n = sb.st_size < HEAD ? (size_t)sb.st_size : HEAD;
	st = taf_read_at(from, head, n, 0, e);
	if (memcmp(head, zeros, n) == 0)
		*kind = EMPTY;
	else if (memcmp(head, magic, n < 7 ? n : 7) == 0)
		*kind = n > 7 && head[7] != magic[7] ? OLDER : CUT;
	if (st == TAF_OK && *kind == CUT)
		st = check_whole(from, (uint64_t)sb.st_size, f, &whole, e);
	if (whole)
		*kind = WHOLE;
	return st;
}

/* Somebody holds the undo file whose change it is of, perhaps that of another file. */
static bool
in_use(int from)
{
	return flock(from, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* Is the file, which has no mark, as it was before the change, or as it is after it? */
static enum taf_status
is_known(int fd, const struct facts *f, bool *known, struct taf_err *e)
{
	enum taf_status st;
	struct stat sb;
	uint64_t h = 0, size;

	*known = false;
	if (fstat(fd, &sb) != 0)
		return taf_fail_sys(e, "cannot read");
	size = (uint64_t)sb.st_size;
	if (size < f->header)
		return TAF_OK;
	st = digest_file(fd, 0, f->header, &h, e);
	*known = (size == f->size && h == f->digest) ||
	    (size == f->new_size && h == f->new_digest);
	return st;
}

/* Is the file, which has this digest in its mark, in the middle of the change? */
static enum taf_status
is_between(int fd, const char *id, const struct facts *f, bool *between, struct taf_err *e)
{
	uint64_t least = f->size < f->new_size ? f->size : f->new_size;
	struct stat sb;

	if (fstat(fd, &sb) != 0)
		return taf_fail_sys(e, "cannot read");
	*between = strcmp(id, f->id) == 0 && (uint64_t)sb.st_size >= least &&
	    (uint64_t)sb.st_size <= f->size + f->new_size - least;
	return TAF_OK;
}

/* Use the undo file from for the locked file fd, then remove it. */
static enum taf_status
roll_back(const char *undo, const char *folder, int from, int fd, struct taf_err *e)
{
	char name[TAF_UNDO_NAME], id[ID + 1];
	struct facts f = { 0 };
	bool marked = false, known = true;
	enum kind kind;
	enum taf_status st;

	st = look_at(from, &kind, &f, e);
	if (st == TAF_OK && kind == STRANGE)
		st = taf_fail(e, TAF_EDATA, "%s is no undo file", undo);
	if (st == TAF_OK)
		st = look_for_mark(fd, &marked, name, id, e);
	if (st == TAF_OK && kind == OLDER)
		st = taf_fail(e, TAF_EDATA, "%s is of another version of taftools: let that "
		    "one use it, or remove it if this file is as it should be", undo);
	if (st == TAF_OK && marked && kind != WHOLE)
		st = taf_fail(e, TAF_EDATA, "a change of it was interrupted, and %s, which "
		    "should undo it, is damaged: restore the file", undo);
	else if (st == TAF_OK && marked)
		st = is_between(fd, id, &f, &known, e);
	else if (st == TAF_OK && kind == WHOLE)
		st = is_known(fd, &f, &known, e);
	if (st == TAF_OK && marked && !known)
		st = taf_fail(e, TAF_EDATA, "a change of it was interrupted, and %s is of "
		    "another one: restore the file", undo);
	if (st == TAF_OK && marked)
		st = put_all_back(from, fd, f.size, e);
	if (st == TAF_OK && marked)
		st = unmark(from, fd, e);
	if (st == TAF_OK && !known && in_use(from))
		return TAF_OK;
	if (st == TAF_OK && !known)
		st = taf_fail(e, TAF_EDATA, "%s belongs to another state of this file: "
		    "remove it if this one is as it should be", undo);
	return st == TAF_OK ? remove_undo(undo, folder, e) : st;
}

/* Open the undo file beside path; -1 with errno where there is none. */
static int
open_undo(const char *undo)
{
	return open(undo, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/* Use the undo file beside path, which is locked as fd, if there is one. */
static enum taf_status
recover(const char *path, int fd, struct taf_err *e)
{
	char *undo = undo_path(path), *folder = undo != NULL ? folder_of(undo) : NULL;
	char name[TAF_UNDO_NAME], id[ID + 1];
	enum taf_status st = TAF_OK;
	bool marked;
	int from = -1;

	if (folder == NULL)
		st = taf_fail_sys(e, "cannot look for an undo file");
	if (st == TAF_OK)
		from = open_undo(undo);
	if (from >= 0)
		st = roll_back(undo, folder, from, fd, e);
	else if (st == TAF_OK && errno != ENOENT && errno != ENAMETOOLONG)
		st = taf_fail_sys(e, "cannot open %s", undo);
	if (from >= 0)
		(void)close(from);
	else if (st == TAF_OK) {
		st = look_for_mark(fd, &marked, name, id, e);
		if (st == TAF_OK && marked)
			st = taf_fail(e, TAF_EDATA, "a change of it was interrupted: %s, which "
			    "undoes it, has to lie beside it as %s", name, undo);
	}
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

/* Open path for writing, and lock it; -1 with errno where that cannot be. */
static int
open_locked(const char *path, struct stat *sb)
{
	int fd, same, saved;

	for (;;) {
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		if (fd < 0)
			return -1;
		if (fstat(fd, sb) != 0 || wait_lock(fd) != 0 ||
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

/* Has the file a mark, or an undo file beside it? */
static enum taf_status
needs_recovery(const char *path, bool *needs, struct taf_err *e)
{
	enum taf_status st = taf_undo_look(path, needs, e);
	char name[TAF_UNDO_NAME], id[ID + 1];
	int fd;

	if (st != TAF_OK || *needs)
		return st;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return taf_fail_sys(e, "cannot open");
	st = look_for_mark(fd, needs, name, id, e);
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
	if (fd < 0 || wait_lock(fd) != 0)
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
drop(const char *path, enum kind least, struct taf_err *e)
{
	char *undo = undo_path(path), *folder = undo != NULL ? folder_of(undo) : NULL;
	int from = folder != NULL ? open_undo(undo) : -1;
	enum taf_status st = TAF_OK;
	struct facts f = { 0 };
	enum kind kind;

	if (from >= 0) {
		st = look_at(from, &kind, &f, e);
		if (st == TAF_OK && (kind < least || in_use(from)))
			st = taf_fail(e, TAF_EDATA, "%s may be of use", undo);
		if (st == TAF_OK)
			st = remove_undo(undo, folder, e);
		(void)close(from);
	} else if (folder == NULL || errno != ENOENT) {
		st = taf_fail_sys(e, "cannot open the undo file");
	}
	free(folder);
	free(undo);
	return st;
}

enum taf_status
taf_undo_drop(const char *path, struct taf_err *e)
{
	char name[TAF_UNDO_NAME], id[ID + 1];
	enum taf_status st = TAF_OK;
	struct stat sb = { 0 };
	bool marked = false;
	int fd = open_locked(path, &sb);

	if (fd < 0)
		st = taf_fail_sys(e, "cannot open for change");
	if (st == TAF_OK)
		st = look_for_mark(fd, &marked, name, id, e);
	if (st == TAF_OK && marked)
		st = taf_fail(e, TAF_EDATA, "a change of it was interrupted");
	if (st == TAF_OK)
		st = drop(path, WHOLE, e);
	if (fd >= 0)
		(void)close(fd);
	return st;
}

int
taf_undo_claim(const char *path)
{
	struct taf_err ignored = { 0 };
	int saved = errno, fd;
	struct stat sb;

	fd = open_locked(path, &sb);
	/* what cannot be undone goes when the file does */
	if (fd >= 0)
		(void)!recover(path, fd, &ignored);
	errno = saved;
	return fd;
}

void
taf_undo_disown(const char *path)
{
	struct taf_err ignored = { 0 };
	int saved = errno;

	(void)!drop(path, CUT, &ignored);
	errno = saved;
}

void
taf_wait_tick(int fd)
{
	const struct timespec pause = { 0, 1000000 };
	struct timespec now;
	struct stat sb;
	int tries;

	/* a file system may count seconds, or have another clock: it is not waited for long */
	for (tries = 0; tries < 20 && fstat(fd, &sb) == 0; tries++) {
#ifdef CLOCK_REALTIME_COARSE
		if (clock_gettime(CLOCK_REALTIME_COARSE, &now) != 0)
			return;
#else
		if (clock_gettime(CLOCK_REALTIME, &now) != 0)
			return;
#endif
		if (now.tv_sec > sb.st_mtim.tv_sec || (now.tv_sec == sb.st_mtim.tv_sec &&
		    now.tv_nsec > sb.st_mtim.tv_nsec))
			return;
		(void)nanosleep(&pause, NULL);
	}
}

static void
release(struct taf_undo *u)
{
	forget(u);
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
	if (u->from < 0) {
		(void)taf_fail_sys(e, "cannot create %s", u->path);
	} else if (!remember(u)) {
		(void)taf_fail_mem(e);
		(void)unlink(u->path);
		(void)close(u->from);
		u->from = -1;
	}
	/* where there are no locks, nobody else can tell that it is in use */
	if (u->from >= 0)
		(void)flock(u->from, LOCK_EX | LOCK_NB);
	taf_signals_let();
	return u->from >= 0 ? TAF_OK : TAF_ESYS;
}

static enum taf_status
put(struct taf_undo *u, const unsigned char *p, size_t n, struct taf_err *e)
{
	u->digest = digest(u->digest, p, n);
	return taf_out_write(u->out, p, n, e);
}

static enum taf_status
put_head(struct taf_undo *u, const struct taf_undo_plan *plan, struct taf_err *e)
{
	unsigned char head[HEAD];
	enum taf_status st;
	uint64_t h = 0;

	if (plan->n < TAF_UNDO_MARK || plan->n > BLOCK || plan->n > u->size)
		return taf_fail(e, TAF_EMISUSE, "internal: no room for a mark");
	st = digest_file(u->fd, 0, plan->n, &h, e);
	memcpy(head, magic, 8);
	taf_put64(head + 8, u->size, false);
	taf_put64(head + 16, plan->size, false);
	taf_put64(head + 24, plan->n, false);
	taf_put64(head + 32, h, false);
	taf_put64(head + 40, digest(0, plan->header, plan->n), false);
	if (st == TAF_OK)
		st = put(u, head, sizeof head, e);
	return st == TAF_OK ? taf_undo_save(u, 0, plan->n, e) : st;
}

enum taf_status
taf_undo_begin(struct taf_undo **result, const char *path, int fd,
    const struct taf_undo_plan *plan, struct taf_err *e)
{
	struct taf_undo *u = calloc(1, sizeof *u);
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
	if (st == TAF_OK)
		st = put_head(u, plan, e);
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
	st = put(u, r, sizeof r, e);
	while (n > 0 && st == TAF_OK) {
		size_t part = n < BLOCK ? (size_t)n : BLOCK;

		st = taf_read_at(u->fd, block, part, off, e);
		if (st == TAF_OK)
			st = put(u, block, part, e);
		off += part;
		n -= part;
	}
	u->records++;
	return st;
}

/* The text of the mark; bytes of a name that would break the line are not in it. */
static void
format_mark(struct taf_undo *u)
{
	const char *base = strrchr(u->path, '/');
	size_t i, n = sizeof begun - 1, room = MARK - n - ID - 2;

	base = base != NULL ? base + 1 : u->path;
	memcpy(u->mark, begun, n);
	for (i = 0; i < room && base[i] != '\0'; i++)
		u->mark[n++] = (unsigned char)base[i] < ' ' || base[i] == 0x7f ? '?' : base[i];
	u->mark[n++] = ' ';
	format_id(u->digest, u->mark + n);
	n += ID;
	u->mark[n++] = '\n';
	u->nmark = n;
}

static enum taf_status
put_mark(const struct taf_undo *u, struct taf_err *e)
{
	enum taf_status st;

	taf_wait_tick(u->fd);
	st = taf_write_at(u->fd, u->mark, u->nmark, TAF_UNDO_MARK - u->nmark, e);
	return st == TAF_OK ? sync_file(u->fd, e) : st;
}

enum taf_status
taf_undo_seal(struct taf_undo *u, struct taf_err *e)
{
	unsigned char r[END];
	enum taf_status st;

	taf_put64(r, UINT64_MAX, false);
	taf_put64(r + 8, u->records, false);
	u->digest = digest(u->digest, r, RECORD);
	taf_put64(r + RECORD, u->digest, false);
	st = taf_out_write(u->out, r, sizeof r, e);
	if (st == TAF_OK)
		st = taf_out_sync(u->out, e);
	if (st == TAF_OK)
		st = taf_sync_folder(u->folder, e);
	if (st != TAF_OK)
		return st;
	format_mark(u);
	u->sealed = true;
	st = put_mark(u, e);
	u->open = st == TAF_OK;
	return st;
}

enum taf_status
taf_undo_done(struct taf_undo *u, struct taf_err *e)
{
	enum taf_status st = sync_file(u->fd, e);

	if (st == TAF_OK) {
		u->closed = true;
		st = unmark(u->from, u->fd, e);
	}
	if (st == TAF_OK && unlink(u->path) != 0 && errno != ENOENT)
		st = taf_fail_sys(e, "cannot remove %s", u->path);
	if (st != TAF_OK) {
		taf_undo_rollback(u);
		return st;
	}
	st = taf_sync_folder(u->folder, e);
	release(u);
	return st;
}

/*
 * Where this fails the undo file stays for the next command.  Takes no memory and no
 * descriptor that it must have: it may be called because there are none, or by a signal.
 */
static enum taf_status
cancel(struct taf_undo *u, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (!u->sealed) {
		(void)unlink(u->path);
		return TAF_OK;
	}
	if (u->closed)
		st = put_mark(u, e);
	if (st == TAF_OK && u->open)
		st = put_all_back(u->from, u->fd, u->size, e);
	if (st == TAF_OK)
		st = unmark(u->from, u->fd, e);
	return st == TAF_OK ? remove_undo(u->path, u->folder, e) : st;
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
	struct taf_undo *u;
	struct place *p;

	for (p = places; p != NULL; p = p->next) {
		struct taf_err e = { 0 };

		if ((u = p->undo) != NULL)
			(void)cancel(u, &e);
	}
}
