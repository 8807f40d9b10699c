/* SPDX-License-Identifier: ISC */
#include "io/undo_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/endian.h"
#include "io/at.h"
#include "io/temp.h"

/*
 * The file: the magic, then little-endian words: size of the file it is for, as it was
 * and as it will be; number of bytes of its header, and the digests of these as they were
 * and as they will be.  Then records of offset, length and the bytes, the header first; a
 * record of offset ~0, whose length is the number of records, and behind it the digest of
 * all before it.
 *
 * That digest is in the mark too, so what is written over a marked file is what was saved
 * of it.  A file without a mark is whole: nothing was begun, or all was done.
 */
static const char magic[] = "TAFUNDO2", begun[] =
    "\nBeing changed: wait, or let tafcheck --repair undo it.  Undo file: ";

/* --- its place --- */

bool
taf_undo_place(struct taf_undo_place *p, const char *path)
{
	char *real = NULL;
	const char *slash;
	struct stat st;
	size_t n;

	p->path = p->folder = NULL;
	/*
	 * beside the file itself, so that it is found
	 * whichever link the file is opened by
	 */
	if (lstat(path, &st) != 0 ? errno != ENOENT : S_ISLNK(st.st_mode) &&
	    (real = realpath(path, NULL)) == NULL && errno != ENOENT)
		return false;
	if (real != NULL)
		path = real;
	n = strlen(path);
	slash = strrchr(path, '/');
	p->folder = slash == NULL ? strdup(".") :
	    strndup(path, (size_t)(slash - path) + 1);
	p->path = malloc(n + sizeof ".undo");
	if (p->path != NULL) {
		memcpy(p->path, path, n);
		memcpy(p->path + n, ".undo", sizeof ".undo");
	}
	free(real);
	if (p->path != NULL && p->folder != NULL)
		return true;
	taf_undo_place_free(p);
	errno = ENOMEM;
	return false;
}

void
taf_undo_place_free(struct taf_undo_place *p)
{
	free(p->path);
	free(p->folder);
	p->path = p->folder = NULL;
}

enum taf_status
taf_undo_remove(const struct taf_undo_place *p, struct taf_err *e)
{
	if (unlink(p->path) != 0 && errno != ENOENT)
		return taf_fail_sys(e, "cannot remove %s", p->path);
	return taf_sync_folder(p->folder, e);
}

/* --- digests --- */

/*
 * Each step can be undone, given the one word: so one word that differs makes a
 * difference.
 */
uint64_t
taf_undo_digest(uint64_t h, const unsigned char *p, size_t n)
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

enum taf_status
taf_undo_digest_file(int fd, uint64_t at, uint64_t n, uint64_t *h, struct taf_err *e)
{
	unsigned char block[TAF_UNDO_BLOCK];
	size_t part;

	for (; n > 0; at += part, n -= part) {
		part = n < sizeof block ? (size_t)n : sizeof block;
		if (taf_read_at(fd, block, part, at, e) != TAF_OK)
			return e->code;
		*h = taf_undo_digest(*h, block, part);
	}
	return TAF_OK;
}

static void
format_id(uint64_t h, char id[TAF_UNDO_ID + 1])
{
	(void)snprintf(id, TAF_UNDO_ID + 1, "%016llx", (unsigned long long)h);
}

/* --- the mark --- */

size_t
taf_undo_format_mark(const char *path, uint64_t digest, char mark[TAF_UNDO_ROOM])
{
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
	size_t i, n = sizeof begun - 1, room = TAF_UNDO_ROOM - n - TAF_UNDO_ID - 2;

	memcpy(mark, begun, n);
	/* bytes of a name that would break the line are not in it */
	for (i = 0; i < room && base[i] != '\0'; i++)
		mark[n++] = (unsigned char)base[i] < ' ' ||
		    base[i] == 0x7f ? '?' : base[i];
	mark[n++] = ' ';
	format_id(digest, mark + n);
	n += TAF_UNDO_ID;
	mark[n++] = '\n';
	return n;
}

/* The mark in the bytes before TAF_UNDO_MARK, NULL without one. */
static const char *
find_mark(const unsigned char *p)
{
	const size_t n = sizeof begun - 1;
	size_t at;

	for (at = TAF_UNDO_PLACE; at + n <= TAF_UNDO_MARK; at++)
		if (memcmp(p + at, begun, n) == 0)
			return (const char *)p + at;
	return NULL;
}

bool
taf_undo_marked(const unsigned char *p, size_t n, char name[TAF_UNDO_NAME])
{
	const char *mark = n >= TAF_UNDO_MARK ? find_mark(p) : NULL, *end;
	size_t len;

	if (mark == NULL)
		return false;
	mark += sizeof begun - 1;
	end = (const char *)p + TAF_UNDO_MARK - TAF_UNDO_ID - 2;
	len = end > mark ? (size_t)(end - mark) : 0;
	if (len >= TAF_UNDO_NAME)
		len = TAF_UNDO_NAME - 1;
	memcpy(name, mark, len);
	name[len] = '\0';
	return true;
}

enum taf_status
taf_undo_find_mark(int fd, struct taf_undo_found *m, struct taf_err *e)
{
	unsigned char p[TAF_UNDO_MARK];
	struct stat sb;

	m->marked = false;
	if (fstat(fd, &sb) != 0)
		return taf_fail_sys(e, "cannot read");
	if (!S_ISREG(sb.st_mode) || sb.st_size < TAF_UNDO_MARK)
		return TAF_OK;
	if (taf_read_at(fd, p, sizeof p, 0, e) != TAF_OK)
		return e->code;
	m->marked = taf_undo_marked(p, sizeof p, m->name);
	memcpy(m->id, p + TAF_UNDO_MARK - TAF_UNDO_ID - 1, TAF_UNDO_ID);
	m->id[TAF_UNDO_ID] = '\0';
	return TAF_OK;
}

/* --- its contents --- */

void
taf_undo_format_head(const struct taf_undo_facts *f, unsigned char p[TAF_UNDO_HEAD])
{
	memcpy(p, magic, 8);
	taf_put64(p + 8, f->size, false);
	taf_put64(p + 16, f->new_size, false);
	taf_put64(p + 24, f->header, false);
	taf_put64(p + 32, f->digest, false);
	taf_put64(p + 40, f->new_digest, false);
}

static void
parse_head(const unsigned char p[TAF_UNDO_HEAD], struct taf_undo_facts *f)
{
	f->size = taf_get64(p + 8, false);
	f->new_size = taf_get64(p + 16, false);
	f->header = taf_get64(p + 24, false);
	f->digest = taf_get64(p + 32, false);
	f->new_digest = taf_get64(p + 40, false);
}

/*
 * A record: n bytes that were at offset off of the file are at offset at of the undo
 * file.
 */
struct record {
	uint64_t off, n, at;
};

/* The record that begins at offset at, which goes into the digest h. */
static enum taf_status
read_record(int from, uint64_t at, struct record *r, uint64_t *h, struct taf_err *e)
{
	unsigned char p[TAF_UNDO_RECORD];

	if (taf_read_at(from, p, sizeof p, at, e) != TAF_OK)
		return e->code;
	r->off = taf_get64(p, false);
	r->n = taf_get64(p + 8, false);
	r->at = at + TAF_UNDO_RECORD;
	*h = taf_undo_digest(*h, p, sizeof p);
	return TAF_OK;
}

/* Can the record number k be one, with left bytes of the undo file behind its own? */
static bool
is_record(const struct record *r, uint64_t k, uint64_t left,
    const struct taf_undo_facts *f)
{
	if (k == 0 && (r->off != 0 || r->n != f->header || r->n < TAF_UNDO_MARK))
		return false;
	return r->n <= left && r->off <= f->size && r->n <= f->size - r->off;
}

/* Is the undo file of that size whole, and what does it say? */
static enum taf_status
check_whole(int from, uint64_t size, struct taf_undo_facts *f, bool *whole,
    struct taf_err *e)
{
	uint64_t at = TAF_UNDO_HEAD, k, h;
	unsigned char head[TAF_UNDO_HEAD], last[8];
	struct record r = { 0 };

	*whole = false;
	if (size < TAF_UNDO_HEAD + TAF_UNDO_END)
		return TAF_OK;
	if (taf_read_at(from, head, sizeof head, 0, e) != TAF_OK)
		return e->code;
	parse_head(head, f);
	h = taf_undo_digest(0, head, sizeof head);
	for (k = 0; size - at >= TAF_UNDO_END; k++, at = r.at + r.n) {
		if (read_record(from, at, &r, &h, e) != TAF_OK)
			return e->code;
		if (r.off == UINT64_MAX) {
			if (taf_read_at(from, last, sizeof last, r.at, e) != TAF_OK)
				return e->code;
			*whole = r.n == k && k > 0 && taf_get64(last, false) == h;
			format_id(h, f->id);
			break;
		}
		if (!is_record(&r, k, size - r.at, f))
			break;
		if (taf_undo_digest_file(from, r.at, r.n, &h, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

enum taf_status
taf_undo_look_at(int from, enum taf_undo_kind *kind, struct taf_undo_facts *f,
    struct taf_err *e)
{
	static const unsigned char zeros[TAF_UNDO_HEAD];
	unsigned char head[TAF_UNDO_HEAD] = { 0 };
	bool whole = false;
	struct stat sb;
	size_t n;

	*kind = TAF_UNDO_STRANGE;
	if (fstat(from, &sb) != 0)
		return taf_fail_sys(e, "cannot read");
	if (!S_ISREG(sb.st_mode))
		return TAF_OK;
	n = sb.st_size < TAF_UNDO_HEAD ? (size_t)sb.st_size : TAF_UNDO_HEAD;
	if (taf_read_at(from, head, n, 0, e) != TAF_OK)
		return e->code;
	if (memcmp(head, zeros, n) == 0)
		*kind = TAF_UNDO_EMPTY;
	else if (memcmp(head, magic, n < 7 ? n : 7) == 0)
		*kind = n > 7 && head[7] != magic[7] ? TAF_UNDO_OLDER : TAF_UNDO_CUT;
	if (*kind != TAF_UNDO_CUT)
		return TAF_OK;
	if (check_whole(from, (uint64_t)sb.st_size, f, &whole, e) != TAF_OK)
		return e->code;
	if (whole)
		*kind = TAF_UNDO_WHOLE;
	return TAF_OK;
}

/* --- its use --- */

static enum taf_status
put_back(int from, int fd, const struct record *r, struct taf_err *e)
{
	unsigned char block[TAF_UNDO_BLOCK];
	uint64_t done;
	size_t part;

	for (done = 0; done < r->n; done += part) {
		part = r->n - done < sizeof block ? (size_t)(r->n - done) : sizeof block;
		if (taf_read_at(from, block, part, r->at + done, e) != TAF_OK ||
		    taf_write_at(fd, block, part, r->off + done, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

enum taf_status
taf_undo_restore(int from, int fd, uint64_t size, struct taf_err *e)
{
	uint64_t at, h = 0;
	struct record r, before = { 0, TAF_UNDO_PLACE, TAF_UNDO_HEAD + TAF_UNDO_RECORD };

	/* the first record is the header, in which the mark stands */
	if (read_record(from, TAF_UNDO_HEAD, &r, &h, e) != TAF_OK ||
	    put_back(from, fd, &before, e) != TAF_OK)
		return e->code;
	at = r.at + r.n;
	r.off += TAF_UNDO_MARK;
	r.at += TAF_UNDO_MARK;
	r.n -= TAF_UNDO_MARK;
	for (;;) {
		if (put_back(from, fd, &r, e) != TAF_OK ||
		    read_record(from, at, &r, &h, e) != TAF_OK)
			return e->code;
		if (r.off == UINT64_MAX)
			break;
		at = r.at + r.n;
	}
	if (ftruncate(fd, (off_t)size) != 0)
		return taf_fail_sys(e, "cannot truncate");
	return taf_sync_file(fd, e);
}

enum taf_status
taf_undo_unmark(int from, int fd, struct taf_err *e)
{
	const struct record r = { TAF_UNDO_PLACE, TAF_UNDO_ROOM,
		TAF_UNDO_HEAD + TAF_UNDO_RECORD + TAF_UNDO_PLACE };

	return put_back(from, fd, &r, e) == TAF_OK ? taf_sync_file(fd, e) : e->code;
}
