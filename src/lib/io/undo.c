/* SPDX-License-Identifier: ISC */
#include "io/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/endian.h"
#include "io/at.h"
#include "io/out.h"
#include "io/temp.h"
#include "io/xattr.h"

struct taf_undo {
	int fd;		/* the file to change, lent */
	struct taf_undo_place place;
	struct taf_out *out;
	int from;	/* its descriptor, to read what was saved; out closes it */
	uint64_t size;	/* of the file as it was */
	uint64_t records, digest;
	char mark[TAF_UNDO_ROOM];
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

static void
release(struct taf_undo *u)
{
	forget(u);
	taf_out_discard(u->out);
	taf_undo_place_free(&u->place);
	free(u);
}

/* Create the file, and let signals know of it at once. */
static enum taf_status
create(struct taf_undo *u, struct taf_err *e)
{
	taf_signals_hold();
	u->from = open(u->place.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (u->from < 0) {
		(void)taf_fail_sys(e, "cannot create %s", u->place.path);
	} else if (!remember(u)) {
		(void)taf_fail_mem(e);
		(void)unlink(u->place.path);
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
	u->digest = taf_undo_digest(u->digest, p, n);
	return taf_out_write(u->out, p, n, e);
}

static enum taf_status
put_head(struct taf_undo *u, const struct taf_undo_plan *plan, struct taf_err *e)
{
	struct taf_undo_facts f = { .size = u->size, .new_size = plan->size,
	    .header = plan->n };
	unsigned char head[TAF_UNDO_HEAD];

	if (plan->n < TAF_UNDO_MARK || plan->n > TAF_UNDO_BLOCK || plan->n > u->size)
		return taf_fail(e, TAF_EMISUSE, "internal: no room for a mark");
	if (taf_undo_digest_file(u->fd, 0, plan->n, &f.digest, e) != TAF_OK)
		return e->code;
	f.new_digest = taf_undo_digest(0, plan->header, plan->n);
	taf_undo_format_head(&f, head);
	if (put(u, head, sizeof head, e) != TAF_OK)
		return e->code;
	return taf_undo_save(u, 0, plan->n, e);
}

bool
taf_undo_narrow(const unsigned char *is, const unsigned char *will, size_t *first,
    size_t *last)
{
	enum { SECTOR = 512 };

	while (*first < *last && is[*first] == will[*first])
		++*first;
	while (*last > *first && is[*last - 1] == will[*last - 1])
		--*last;
	return *first == *last || *first / SECTOR == (*last - 1) / SECTOR;
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
	if (fstat(fd, &sb) != 0 || !taf_undo_place(&u->place, path)) {
		st = taf_fail_sys(e, "cannot create an undo file");
		release(u);
		return st;
	}
	u->size = (uint64_t)sb.st_size;
	st = create(u, e);
	if (st != TAF_OK) {
		release(u);
		return st;
	}
	st = taf_out_fd(&u->out, u->from, u->place.path, e);
	if (st != TAF_OK)
		(void)close(u->from);
	/* who may write the file may have to undo this; nobody else may read it */
	if (st == TAF_OK)
		st = taf_rights_copy(u->from, u->place.path, path, NULL, e);
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
	unsigned char r[TAF_UNDO_RECORD], block[TAF_UNDO_BLOCK];
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
		size_t part = n < sizeof block ? (size_t)n : sizeof block;

		st = taf_read_at(u->fd, block, part, off, e);
		if (st == TAF_OK)
			st = put(u, block, part, e);
		off += part;
		n -= part;
	}
	u->records++;
	return st;
}

static enum taf_status
put_mark(const struct taf_undo *u, struct taf_err *e)
{
	enum taf_status st;

	taf_wait_tick(u->fd);
	st = taf_write_at(u->fd, u->mark, u->nmark, TAF_UNDO_MARK - u->nmark, e);
	return st == TAF_OK ? taf_sync_file(u->fd, e) : st;
}

enum taf_status
taf_undo_seal(struct taf_undo *u, struct taf_err *e)
{
	unsigned char r[TAF_UNDO_END];
	enum taf_status st;

	taf_put64(r, UINT64_MAX, false);
	taf_put64(r + 8, u->records, false);
	u->digest = taf_undo_digest(u->digest, r, TAF_UNDO_RECORD);
	taf_put64(r + TAF_UNDO_RECORD, u->digest, false);
	st = taf_out_write(u->out, r, sizeof r, e);
	if (st == TAF_OK)
		st = taf_out_sync(u->out, e);
	if (st == TAF_OK)
		st = taf_sync_folder(u->place.folder, e);
	if (st != TAF_OK)
		return st;
	u->nmark = taf_undo_format_mark(u->place.path, u->digest, u->mark);
	u->sealed = true;
	st = put_mark(u, e);
	u->open = st == TAF_OK;
	return st;
}

enum taf_status
taf_undo_done(struct taf_undo *u, struct taf_err *e)
{
	int folder = -1;
	enum taf_status st = taf_sync_file(u->fd, e);

	if (st == TAF_OK)
		st = taf_folder_open(u->place.folder, &folder, e);
	if (st == TAF_OK) {
		u->closed = true;
		st = taf_undo_unmark(u->from, u->fd, e);
	}
	if (st == TAF_OK && unlink(u->place.path) != 0 && errno != ENOENT)
		st = taf_fail_sys(e, "cannot remove %s", u->place.path);
	if (st == TAF_OK) {
		st = taf_folder_sync(folder, e);
		release(u);
	} else
		taf_undo_rollback(u);
	if (folder >= 0)
		(void)close(folder);
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
		(void)unlink(u->place.path);
		return TAF_OK;
	}
	if (u->closed)
		st = put_mark(u, e);
	if (st == TAF_OK && u->open)
		st = taf_undo_restore(u->from, u->fd, u->size, e);
	if (st == TAF_OK)
		st = taf_undo_unmark(u->from, u->fd, e);
	return st == TAF_OK ? taf_undo_remove(&u->place, e) : st;
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
		/* the first failure is told already, so no text is made here */
		struct taf_err e = { .code = TAF_ESYS };

		if ((u = p->undo) != NULL)
			(void)cancel(u, &e);
	}
}
