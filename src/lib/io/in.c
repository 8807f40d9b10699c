/* SPDX-License-Identifier: ISC */
#include "io/in.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/nearest.h"
#include "base/num.h"
#include "io/names.h"
#include "io/os.h"
#include "io/remote.h"
#include "io/url.h"

enum {
	BUFFER = 64 * 1024,
	FAR = 4096,		/* of a URL at a time, where no more is wanted */
	LARGEST = 1 << 30,	/* of one system call: Linux moves no more than 2 GiB */
	MANY = 64		/* fewer open descriptors are not scarce */
};

struct taf_in {
	int fd;			/* -1 where there is none, or it is not kept */
	bool own;		/* close fd at the end */
	bool seekable;
	bool ended;		/* a pipe has said so */
	bool grows;		/* a file that another program still writes */
	bool part;		/* its end is no end of a file */
	char *name;
	const unsigned char *mem;	/* the memory back end, else NULL */
	void *held;		/* to be freed at the end */
	taf_in_source *source;	/* the function back end, else NULL */
	void *ctx;
	struct taf_remote *remote;	/* the back end of URLs, else NULL */
	struct guarded *guarded;	/* what is checked, else NULL */
	/* these two are another input's */
	bool remote_lent, guard_lent;
	uint64_t size;		/* seekable: absolute offset of the end */
	/* of a file: which it is, and when it was changed last, as it was opened */
	dev_t dev;
	ino_t ino;
	struct timespec changed;
	uint64_t pos;		/* absolute offset of buf[start] */
	uint64_t expected;	/* the end of what shall come, where that is known */
	unsigned char *buf;
	size_t cap, start, end;
	void *map;
	size_t maplen;
};

/* Bytes that are checked, and the piece of them that was read last. */
struct guarded {
	struct taf_guard guard;
	uint64_t off;		/* of the first one */
	pthread_mutex_t lock;
	unsigned char *bytes;
	uint64_t k;		/* the piece that they are, if they are there */
	bool there;
};

static void
end_guard(struct guarded *g)
{
	if (g == NULL)
		return;
	g->guard.release(g->guard.ctx);
	(void)pthread_mutex_destroy(&g->lock);
	free(g->bytes);
	free(g);
}

/* One without a descriptor; NULL, told of in e, where there is no memory. */
static struct taf_in *
without_file(const char *name, struct taf_err *e)
{
	struct taf_in *in = calloc(1, sizeof *in);

	if (in == NULL || (in->name = strdup(name)) == NULL) {
		free(in);
		(void)taf_fail_mem(e);
		return NULL;
	}
	in->fd = -1;
	return in;
}

/* A failure is about this input. */
static enum taf_status
about(const struct taf_in *in, enum taf_status st, struct taf_err *e)
{
	taf_err_name(e, in->name);
	return st;
}

enum taf_status
taf_in_fd(struct taf_in **result, int fd, const char *name, struct taf_err *e)
{
	struct taf_in *in = without_file(name, e);
	struct stat st;
	off_t at = 0;
	bool good;

	if (in == NULL)
		return TAF_ESYS;
	good = fstat(fd, &st) == 0;
	if (good && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		good = false;
	}
	in->seekable = good && S_ISREG(st.st_mode);
	if (in->seekable)
		at = lseek(fd, 0, SEEK_CUR);
	if (!good || at < 0) {
		(void)about(in, taf_fail_sys(e, "cannot read"), e);
		taf_in_close(in);
		return TAF_ESYS;
	}
	in->fd = fd;
	in->own = fd > 2;
	if (in->seekable) {
		in->pos = (uint64_t)at;
		in->size = (uint64_t)st.st_size;
		in->dev = st.st_dev;
		in->ino = st.st_ino;
		in->changed = st.st_mtim;
	}
	*result = in;
	return TAF_OK;
}

/* Behind a message that there is no such file: a name in its folder that is near. */
static void
hint_name(const char *path, struct taf_err *e)
{
	const char *slash = strrchr(path, '/'), *word = slash != NULL ? slash + 1 : path;
	const size_t used = strlen(e->text);
	char *folder = slash != NULL ? strndup(path, (size_t)(word - path)) : strdup(".");
	struct taf_names names = { 0 };
	struct taf_err none = { 0 };
	struct taf_nearest near = { .word = word, .n = strlen(word) };
	size_t i;

	if (folder != NULL && taf_names_read(&names, folder, "", &none) == TAF_OK)
		for (i = 0; i < names.n; i++)
			taf_nearest_try(&near, names.name[i]);
	if (near.name != NULL)
		(void)snprintf(e->text + used, sizeof e->text - used,
		    "; did you mean %s?", near.name);
	taf_names_free(&names);
	free(folder);
}

const char *
taf_in_zarr(int folder)
{
	static const char *const marks[] = { ".zarray", ".zgroup", "zarr.json",
		".zmetadata" };
	size_t k;

	for (k = 0; k < sizeof marks / sizeof marks[0]; k++)
		if (faccessat(folder, marks[k], F_OK, 0) == 0)
			return marks[k];
	return NULL;
}

/* Is the folder a store of arrays?  Then TAF_EDATA in e, in place of what was there. */
static enum taf_status
look_at_folder(int folder, const char *path, struct taf_err *e)
{
	const char *const zarr = taf_in_zarr(folder), *what = NULL;

	if (faccessat(folder, "daf.json", F_OK, 0) == 0)
		what = "a FilesDaf store (dafls lists its items, daf2taf reads one)";
	else if (zarr != NULL)
		what = strcmp(zarr, ".zarray") == 0 ? "an array of Zarr (use zarr2taf)" :
		    "a Zarr store (zarr2taf --list shows its arrays)";
	if (what == NULL)
		return e->code;
	taf_err_clear(e);
	(void)taf_fail(e, TAF_EDATA, "%s", what);
	taf_err_name(e, path);
	return e->code;
}

/*
 * A new descriptor is the lowest that was free.  Where that is high, few are left, and a
 * file is opened for each access alone.
 */
static bool
is_scarce(int fd)
{
	const long most = sysconf(_SC_OPEN_MAX);

	return fd >= MANY && most > 0 && fd >= most / 2;
}

/* A file's descriptor, for one access; -1, told of in e, where that fails. */
static int
borrow(const struct taf_in *in, struct taf_err *e)
{
	struct stat st;
	int fd = in->fd;

	if (fd >= 0)
		return fd;
	fd = open(in->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		(void)taf_fail_sys(e, "cannot open");
	} else if (fstat(fd, &st) != 0 || st.st_dev != in->dev || st.st_ino != in->ino) {
		(void)taf_fail(e, TAF_EDATA, "changed while it was read");
		(void)close(fd);
		fd = -1;
	}
	if (fd < 0)
		(void)about(in, e->code, e);
	return fd;
}

static void
give_back(const struct taf_in *in, int fd)
{
	const int saved = errno;

	if (in->fd < 0)
		(void)close(fd);
	errno = saved;
}

const char *
taf_in_called(const char *path)
{
	return path != NULL && strcmp(path, "-") != 0 ? taf_url_shown(path) :
	    "standard input";
}

static enum taf_status
open_url(struct taf_in **result, const char *url, struct taf_err *e)
{
	struct taf_in *in = without_file(taf_url_shown(url), e);

	if (in == NULL)
		return e->code;
	if (taf_remote_open(&in->remote, url, e) != TAF_OK) {
		taf_in_close(in);
		return e->code;
	}
	in->seekable = taf_remote_seekable(in->remote);
	in->size = taf_remote_size(in->remote);
	*result = in;
	return TAF_OK;
}

enum taf_status
taf_in_open(struct taf_in **in, const char *path, struct taf_err *e)
{
	const char *name = taf_in_called(path);
	enum taf_status st;
	int fd;

	if (taf_is_url(path))
		return open_url(in, path, e);
	if (name != path)
		return taf_in_fd(in, 0, name, e);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		st = taf_fail_sys(e, "cannot open");
		taf_err_name(e, path);
		if (e->sys == ENOENT)
			hint_name(path, e);
		return st;
	}
	st = taf_in_fd(in, fd, path, e);
	if (st == TAF_OK && (*in)->seekable && is_scarce(fd)) {
		(*in)->own = false;
		(*in)->fd = -1;
	}
	if (st != TAF_OK && e->sys == EISDIR)
		st = look_at_folder(fd, path, e);
	if (st != TAF_OK || (*in)->fd < 0)
		(void)close(fd);
	return st;
}

static enum taf_status
open_memory(struct taf_in **result, const void *p, size_t n, const char *name,
    struct taf_err *e)
{
	struct taf_in *in = without_file(name, e);

	if (in == NULL)
		return e->code;
	in->seekable = true;
	/* not NULL, which would say that there is a descriptor */
	in->mem = n > 0 ? p : (const unsigned char *)"";
	in->size = n;
	*result = in;
	return TAF_OK;
}

enum taf_status
taf_in_mem(struct taf_in **in, const void *p, size_t n, struct taf_err *e)
{
	return open_memory(in, p, n, "memory", e);
}

enum taf_status
taf_in_held(struct taf_in **in, void *p, size_t n, const char *name, struct taf_err *e)
{
	enum taf_status st = open_memory(in, p, n, name, e);

	if (st == TAF_OK)
		(*in)->held = p;
	return st;
}

enum taf_status
taf_in_call(struct taf_in **result, taf_in_source *source, void *ctx, const char *name,
    struct taf_err *e)
{
	struct taf_in *in = without_file(name, e);

	if (in == NULL)
		return e->code;
	in->source = source;
	in->ctx = ctx;
	*result = in;
	return TAF_OK;
}

enum taf_status
taf_in_again(struct taf_in **again, const struct taf_in *in, uint64_t off,
    struct taf_err *e)
{
	struct taf_in *copy = without_file(in->name, e);

	if (copy == NULL)
		return TAF_ESYS;
	copy->fd = in->fd;
	copy->seekable = true;
	copy->mem = in->mem;
	copy->remote = in->remote;
	copy->guarded = in->guarded;
	copy->remote_lent = copy->guard_lent = true;
	copy->size = in->size;
	copy->dev = in->dev;
	copy->ino = in->ino;
	copy->changed = in->changed;
	copy->pos = off;
	*again = copy;
	return TAF_OK;
}

enum taf_status
taf_in_part(struct taf_in **part, const struct taf_in *in, uint64_t off, uint64_t n,
    const char *name, struct taf_err *e)
{
	char *called = strdup(name);

	if (called == NULL || taf_in_again(part, in, off, e) != TAF_OK) {
		free(called);
		return e->code != TAF_OK ? e->code : taf_fail_mem(e);
	}
	/* a file that is opened by its name keeps it */
	if (in->fd >= 0 || in->mem != NULL || in->remote != NULL) {
		free((*part)->name);
		(*part)->name = called;
	} else {
		free(called);
	}
	(*part)->size = off + n;
	(*part)->part = true;
	return TAF_OK;
}

void
taf_in_close(struct taf_in *in)
{
	int saved = errno;

	if (in == NULL)
		return;
	if (in->map != NULL)
		(void)munmap(in->map, in->maplen);
	if (in->own)
		(void)close(in->fd);
	if (!in->remote_lent)
		taf_remote_close(in->remote);
	if (!in->guard_lent)
		end_guard(in->guarded);
	free(in->held);
	free(in->buf);
	free(in->name);
	free(in);
	errno = saved;
}

const char *
taf_in_name(const struct taf_in *in)
{
	return in->name;
}

int
taf_in_descriptor(const struct taf_in *in)
{
	/* nobody reads past who checks */
	return in->guarded == NULL ? in->fd : -1;
}

/* The same as taf_in_unchanged, of a file; its size now is in *size. */
static enum taf_status
look_at_file(const struct taf_in *in, uint64_t *size, struct taf_err *e)
{
	enum taf_status status = TAF_OK;
	struct stat st;
	int fd = borrow(in, e);

	if (fd < 0)
		return e->code;
	if (fstat(fd, &st) != 0)
		status = taf_fail_sys(e, "cannot read");
	else if (in->grows && (st.st_nlink == 0 || (uint64_t)st.st_size < in->size))
		status = taf_fail(e, TAF_EDATA, "%s while it was read",
		    st.st_nlink == 0 ? "removed or replaced" : "shortened");
	else if (!in->grows && ((uint64_t)st.st_size != in->size ||
	    st.st_mtim.tv_sec != in->changed.tv_sec ||
	    st.st_mtim.tv_nsec != in->changed.tv_nsec))
		status = taf_fail(e, TAF_EDATA, "changed while it was read");
	else
		*size = (uint64_t)st.st_size;
	give_back(in, fd);
	return about(in, status, e);
}

enum taf_status
taf_in_unchanged(const struct taf_in *in, struct taf_err *e)
{
	uint64_t size;

	/* what is behind a URL is compared by each request */
	return in->seekable && in->mem == NULL && in->remote == NULL && !in->part ?
	    look_at_file(in, &size, e) : TAF_OK;
}

uint64_t
taf_in_state(const struct taf_in *in)
{
	const uint64_t is[] = { (uint64_t)in->dev, (uint64_t)in->ino, in->size,
		(uint64_t)in->changed.tv_sec, (uint64_t)in->changed.tv_nsec };

	return in->mem == NULL && in->remote == NULL ? taf_digest(0, is, sizeof is) : 1;
}

void
taf_in_grows(struct taf_in *in, bool grows)
{
	in->grows = grows;
}

enum taf_status
taf_in_grown(struct taf_in *in, struct taf_err *e)
{
	return look_at_file(in, &in->size, e);
}

uint64_t
taf_in_offset(const struct taf_in *in)
{
	return in->pos;
}

bool
taf_in_seekable(const struct taf_in *in)
{
	return in->seekable;
}

uint64_t
taf_in_left(const struct taf_in *in)
{
	return in->seekable && in->size > in->pos ? in->size - in->pos : 0;
}

size_t
taf_in_buffered(const struct taf_in *in)
{
	return in->end - in->start;
}

void
taf_in_advance(struct taf_in *in, uint64_t n)
{
	in->start = in->end = 0;
	in->pos += n;
}

void
taf_in_seek(struct taf_in *in, uint64_t off)
{
	taf_in_advance(in, 0);
	in->pos = off;
}

/*
 * One transfer from the source at absolute offset off (pipes ignore it); 0 at the end,
 * which a file that had its size when it was opened cannot have before.
 */
static enum taf_status
fetch_raw(const struct taf_in *in, void *buf, size_t n, uint64_t off, size_t *got,
    struct taf_err *e)
{
	ssize_t r;
	int fd;

	if (in->mem != NULL) {
		*got = off >= in->size ? 0 :
		    in->size - off < n ? (size_t)(in->size - off) : n;
		if (*got > 0)
			memcpy(buf, in->mem + off, *got);
		return TAF_OK;
	}
	if (in->source != NULL)
		return about(in, in->source(in->ctx, buf, n, got, e), e);
	if (in->remote != NULL)
		return about(in, taf_remote_read(in->remote, buf, n, off, got, e), e);
	if (n > LARGEST)
		n = LARGEST;
	fd = borrow(in, e);
	if (fd < 0)
		return e->code;
	do
		r = in->seekable ? pread(fd, buf, n, (off_t)off) : read(fd, buf, n);
	while (r < 0 && errno == EINTR);
	give_back(in, fd);
	if (r < 0)
		return about(in, taf_fail_sys(e, "cannot read"), e);
	*got = (size_t)r;
	if (r > 0 || n == 0 || !in->seekable || off >= in->size)
		return TAF_OK;
	return about(in, taf_fail(e, TAF_ETRUNC,
	    "offset %llu: shortened while it was read", (unsigned long long)off), e);
}

static enum taf_status
missing(const struct taf_in *in, uint64_t at, uint64_t n, struct taf_err *e)
{
	return about(in, taf_fail(e, TAF_ETRUNC,
	    "offset %llu: the input ends, %llu bytes missing", (unsigned long long)at,
	    (unsigned long long)n), e);
}

/* All n bytes at off, by one of the two below and above. */
static enum taf_status
fetch_all(const struct taf_in *in, enum taf_status (*fetch)(const struct taf_in *in,
    void *buf, size_t n, uint64_t off, size_t *got, struct taf_err *e), void *buf,
    size_t n, uint64_t off, struct taf_err *e)
{
	unsigned char *to = buf;
	size_t got;

	for (; n > 0; to += got, off += got, n -= got) {
		if (fetch(in, to, n, off, &got, e) != TAF_OK)
			return e->code;
		if (got == 0)
			return missing(in, off, n, e);
	}
	return TAF_OK;
}

/* Piece k of what is checked becomes the one that is there. */
static enum taf_status
fetch_piece(const struct taf_in *in, uint64_t k, size_t n, struct taf_err *e)
{
	struct guarded *g = in->guarded;
	enum taf_status st;

	g->there = false;
	st = fetch_all(in, fetch_raw, g->bytes, n, g->off + k * g->guard.piece, e);
	if (st == TAF_OK)
		st = about(in, g->guard.check(g->guard.ctx, k, g->bytes, n, e), e);
	g->k = k;
	g->there = st == TAF_OK;
	return st;
}

/* The same as fetch_raw, of bytes that are checked. */
static enum taf_status
fetch_checked(const struct taf_in *in, void *buf, size_t n, uint64_t off, size_t *got,
    struct taf_err *e)
{
	struct guarded *g = in->guarded;
	const uint64_t at = off - g->off, k = at / g->guard.piece;
	const uint64_t left = g->guard.n - k * g->guard.piece;
	const size_t size = left < g->guard.piece ? (size_t)left : g->guard.piece;
	const size_t inside = (size_t)(at % g->guard.piece);
	enum taf_status st = TAF_OK;

	(void)pthread_mutex_lock(&g->lock);
	if (!g->there || g->k != k)
		st = fetch_piece(in, k, size, e);
	if (st == TAF_OK) {
		*got = n < size - inside ? n : size - inside;
		memcpy(buf, g->bytes + inside, *got);
	}
	(void)pthread_mutex_unlock(&g->lock);
	return st;
}

static enum taf_status
fetch(const struct taf_in *in, void *buf, size_t n, uint64_t off, size_t *got,
    struct taf_err *e)
{
	const struct guarded *g = in->guarded;

	if (g != NULL && n > 0 && off >= g->off && off - g->off < g->guard.n)
		return fetch_checked(in, buf, n, off, got, e);
	if (g != NULL && off < g->off && n > g->off - off)
		n = (size_t)(g->off - off);
	return fetch_raw(in, buf, n, off, got, e);
}

static enum taf_status
fetch_next(struct taf_in *in, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	*got = 0;
	if (!in->ended || in->seekable)
		st = fetch(in, buf, n, in->pos + (in->end - in->start), got, e);
	if (st == TAF_OK && *got == 0 && n > 0)
		in->ended = true;
	return st;
}

/* How much to read into the buffer, for so many bytes: what comes far is not free. */
static size_t
room(const struct taf_in *in, size_t want)
{
	const size_t left = in->cap - in->end, need = want - (in->end - in->start);

	return in->remote == NULL || left < FAR ? left : need > FAR ? need : FAR;
}

enum taf_status
taf_in_peek(struct taf_in *in, size_t want, const unsigned char **p, size_t *got,
    struct taf_err *e)
{
	if (in->cap < want || in->buf == NULL) {
		size_t cap = want > BUFFER ? want : BUFFER;
		unsigned char *buf = realloc(in->buf, cap);

		if (buf == NULL)
			return taf_fail_mem(e);
		in->buf = buf;
		in->cap = cap;
	}
	if (in->cap - in->start < want) {
		memmove(in->buf, in->buf + in->start, in->end - in->start);
		in->end -= in->start;
		in->start = 0;
	}
	while (in->end - in->start < want) {
		size_t n;
		enum taf_status st = fetch_next(in, in->buf + in->end,
		    room(in, want), &n, e);

		if (st != TAF_OK)
			return st;
		if (n == 0)
			break;
		in->end += n;
	}
	*p = in->buf + in->start;
	*got = in->end - in->start;
	return TAF_OK;
}

/* The first n bytes of the buffer were used. */
static void
consume(struct taf_in *in, size_t n)
{
	in->start += n;
	in->pos += n;
}

enum taf_status
taf_in_read_part(struct taf_in *in, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	unsigned char *to = buf;
	size_t done = in->end - in->start < n ? in->end - in->start : n;

	if (done > 0)
		memcpy(to, in->buf + in->start, done);
	consume(in, done);
	while (done < n) {
		size_t r;
		enum taf_status st;

		if (n - done < BUFFER / 4) {
			const unsigned char *p;

			st = taf_in_peek(in, n - done, &p, &r, e);
			if (st != TAF_OK)
				return st;
			if (r > n - done)
				r = n - done;
			memcpy(to + done, p, r);
			consume(in, r);
			done += r;
			break;
		}
		st = fetch_next(in, to + done, n - done, &r, e);
		if (st != TAF_OK)
			return st;
		if (r == 0)
			break;
		in->pos += r;
		done += r;
	}
	*got = done;
	return TAF_OK;
}

void
taf_in_expect(struct taf_in *in, uint64_t n)
{
	in->expected = n <= UINT64_MAX - in->pos ? in->pos + n : 0;
	if (in->remote != NULL)
		taf_in_plan(in, &(struct taf_ranges){ .run = n });
}

enum taf_status
taf_in_guard(struct taf_in *in, const struct taf_guard *guard, struct taf_err *e)
{
	struct guarded *g = calloc(1, sizeof *g);

	if (g != NULL)
		g->bytes = malloc(guard->piece);
	if (g == NULL || g->bytes == NULL || pthread_mutex_init(&g->lock, NULL) != 0) {
		if (g != NULL)
			free(g->bytes);
		free(g);
		guard->release(guard->ctx);
		return taf_fail_mem(e);
	}
	g->guard = *guard;
	g->off = in->pos;
	if (!in->guard_lent)
		end_guard(in->guarded);
	in->guarded = g;
	in->guard_lent = false;
	/* what was read before was not checked */
	in->start = in->end = 0;
	return TAF_OK;
}

bool
taf_in_far(const struct taf_in *in)
{
	return in->remote != NULL;
}

bool
taf_in_coarse(const struct taf_in *in)
{
	return taf_in_far(in) || in->guarded != NULL;
}

uint64_t
taf_in_mark(const struct taf_in *in)
{
	return in->remote != NULL ? taf_remote_mark(in->remote) : 0;
}

void
taf_in_plan(struct taf_in *in, const struct taf_ranges *ranges)
{
	struct taf_ranges there;

	if (in->remote == NULL)
		return;
	there = *ranges;
	there.first += in->pos;
	/* whole pieces are read, which the ranges do not say */
	if (in->guarded != NULL)
		there.run = 0;
	taf_remote_plan(in->remote, &there);
}

static enum taf_status
truncated(const struct taf_in *in, uint64_t n, struct taf_err *e)
{
	return missing(in, in->pos, in->expected > in->pos && in->expected - in->pos > n ?
	    in->expected - in->pos : n, e);
}

enum taf_status
taf_in_read(struct taf_in *in, void *buf, size_t n, struct taf_err *e)
{
	size_t got;
	enum taf_status st = taf_in_read_part(in, buf, n, &got, e);

	if (st == TAF_OK && got < n)
		st = truncated(in, n - got, e);
	return st;
}

/* Throw away up to n bytes of a pipe inside the kernel; 0 where it cannot. */
static uint64_t
drop(int fd, int null, uint64_t n)
{
	ssize_t r;

	do
		r = taf_os_splice(fd, NULL, null, n < LARGEST ? (size_t)n : LARGEST);
	while (r < 0 && errno == EINTR);
	return r > 0 ? (uint64_t)r : 0;
}

enum taf_status
taf_in_skip(struct taf_in *in, uint64_t n, struct taf_err *e)
{
	size_t have = in->end - in->start;
	uint64_t r;
	int null;

	if (have > n)
		have = (size_t)n;
	consume(in, have);
	n -= have;
	if (n == 0)
		return TAF_OK;
	in->start = in->end = 0;
	if (in->seekable) {
		if (n > taf_in_left(in)) {
			n -= taf_in_left(in);
			in->pos = in->size;
			return truncated(in, n, e);
		}
		in->pos += n;
		return TAF_OK;
	}
	null = in->source == NULL && in->remote == NULL ?
	    open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
	while (n > 0 && null >= 0 && (r = drop(in->fd, null, n)) > 0) {
		in->pos += r;
		n -= r;
	}
	if (null >= 0)
		(void)close(null);
	while (n > 0) {
		const unsigned char *p;
		size_t got;
		enum taf_status st = taf_in_peek(in, 1, &p, &got, e);

		if (st != TAF_OK)
			return st;
		if (got == 0)
			return truncated(in, n, e);
		if (got > n)
			got = (size_t)n;
		consume(in, got);
		n -= got;
	}
	return TAF_OK;
}

enum taf_status
taf_in_pread(const struct taf_in *in, void *buf, size_t n, uint64_t off,
    struct taf_err *e)
{
	return fetch_all(in, fetch, buf, n, off, e);
}

const void *
taf_in_map(struct taf_in *in, uint64_t off, uint64_t n)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t lead = off % page;
	struct taf_err none = { 0 };
	size_t len;
	void *p;
	int fd;

	if (!in->seekable || n == 0 || off > in->size || n > in->size - off ||
	    !taf_to_size(n + lead, &len))
		return NULL;
	if (taf_in_coarse(in))
		return NULL;
	if (in->mem != NULL)
		return in->mem + off;
	fd = borrow(in, &none);
	if (fd < 0)
		return NULL;
	p = mmap(NULL, len, PROT_READ, MAP_SHARED, fd, (off_t)(off - lead));
	give_back(in, fd);
	if (p == MAP_FAILED)
		return NULL;
	if (in->map != NULL)
		(void)munmap(in->map, in->maplen);
	in->map = p;
	in->maplen = len;
	return (const unsigned char *)p + lead;
}
