/* SPDX-License-Identifier: ISC */
#include "stream/edit_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "io/at.h"
#include "io/in.h"
#include "io/recover.h"
#include "io/undo.h"
#include "kernel/number/convert_private.h"
#include "stream/reader.h"

enum { BLOCK = 64 * 1024 };
_Static_assert((int)TAF_UNDO_MARK == (int)TAF_AT_TYPE,
    "a mark is the end of the synopsis");

/* Runs of elements that were saved: times of them, n elements each, step apart. */
struct saved {
	uint64_t first, n, step, times;
};

struct taf_edit {
	int fd;			/* locked */
	struct taf_held held;	/* sources of the change */
	enum { IDLE, GROWING, SAVING, SEALED, OVER } state;
	char *path;
	struct taf_array array;
	struct taf_source source;
	unsigned char header[TAF_HEADER_MAX];	/* as it is in the file */
	struct taf_undo *undo;
	/* growing */
	struct taf_array grown;
	uint64_t at;		/* offset of the next new element */
	uint64_t end;		/* and where they end */
	struct saved *saved;
	size_t nsaved, present;	/* the one that was found last */
};

/* Has what must come before been done, and nothing else? */
static enum taf_status
expect(bool yes, struct taf_err *e)
{
	return yes ? TAF_OK : taf_fail(e, TAF_EMISUSE, "internal: a change out of order");
}

static enum taf_status
write_at(const struct taf_edit *ed, const void *p, size_t n, uint64_t off,
    struct taf_err *e)
{
	enum taf_status st = taf_write_at(ed->fd, p, n, off, e);

	taf_err_name(e, ed->path);
	return st;
}

enum taf_status
taf_edit_takes(const struct taf_reader *r, struct taf_err *e)
{
	return taf_reader_source(r) != NULL ? TAF_OK : taf_fail(e, TAF_EUSAGE,
	    "not a TAF file: only those are changed in place");
}

static enum taf_status
read_header(struct taf_edit *ed, struct taf_err *e)
{
	struct taf_reader *r;
	struct taf_in *in;
	enum taf_status st;
	int copy = fcntl(ed->fd, F_DUPFD_CLOEXEC, 3);

	if (copy < 0)
		return taf_fail_sys(e, "cannot read");
	st = taf_in_fd(&in, copy, ed->path, e);
	if (st != TAF_OK) {
		(void)close(copy);
		return st;
	}
	st = taf_reader_new(&r, in, ed->path, TAF_NO_RECOVER, e);
	if (st != TAF_OK)
		return st;
	st = taf_reader_next(r, &ed->array, e);
	if (st == TAF_OK)
		st = taf_edit_takes(r, e);
	if (st == TAF_OK)
		ed->source = *taf_reader_source(r);
	if (st == TAF_OK)
		st = taf_in_pread(in, ed->header, ed->source.form.header, 0, e);
	taf_reader_close(r);
	return st;
}

enum taf_status
taf_edit_open(struct taf_edit **ed, const char *path, struct taf_err *e)
{
	return taf_edit_open_from(ed, path, NULL, 0, e);
}

enum taf_status
taf_edit_open_from(struct taf_edit **result, const char *path, const char *const *sources,
    size_t n, struct taf_err *e)
{
	struct taf_edit *ed = calloc(1, sizeof *ed);
	enum taf_status st;

	if (ed == NULL || (ed->path = strdup(path)) == NULL) {
		free(ed);
		return taf_fail_mem(e);
	}
	ed->fd = -1;
	st = taf_lock_with(path, sources, n, &ed->fd, &ed->held, e);
	if (st == TAF_OK)
		st = read_header(ed, e);
	if (st != TAF_OK) {
		taf_err_name(e, path);
		taf_edit_close(ed);
		return st;
	}
	*result = ed;
	return TAF_OK;
}

const struct taf_array *
taf_edit_array(const struct taf_edit *ed)
{
	return &ed->array;
}

const struct taf_form *
taf_edit_form(const struct taf_edit *ed)
{
	return &ed->source.form;
}

bool
taf_edit_fits(const struct taf_edit *ed, const struct taf_array *a)
{
	struct taf_err e = { 0 };
	struct taf_array file;

	return taf_file_shape(a, &file, &e) == TAF_OK &&
	    taf_header_size(file.ndim) == ed->source.form.header;
}

/* The header that the file shall have, with what of the old one need not change. */
static enum taf_status
new_header(const struct taf_edit *ed, const struct taf_array *a,
    unsigned char p[TAF_HEADER_MAX], struct taf_err *e)
{
	const struct taf_form *f = &ed->source.form;
	struct taf_array file;
	enum taf_status st = taf_file_shape(a, &file, e);

	if (st != TAF_OK)
		return st;
	if (taf_header_format(&file, p) != f->header)
		return taf_fail(e, TAF_EMISUSE, "internal: a header of another length");
	memcpy(p + TAF_AT_SYNOPSIS, ed->header + TAF_AT_SYNOPSIS,
	    TAF_AT_TYPE - TAF_AT_SYNOPSIS);
	/* of a version that we do not know its number stays */
	if (!f->legacy_opening && f->minor > 1)
		p[TAF_AT_VERSION + 1] = f->minor;
	/* a mapping that is off because one value is not finite stays as it is */
	if (taf_same_bits(a->intercept, ed->array.intercept) &&
	    taf_same_bits(a->slope, ed->array.slope))
		memcpy(p + TAF_AT_INTERCEPT, ed->header + TAF_AT_INTERCEPT,
		    TAF_AT_NDIM - TAF_AT_INTERCEPT);
	return TAF_OK;
}

/*
 * Write what differs from the header that is there between the two offsets, in one piece.
 */
static enum taf_status
put_header(struct taf_edit *ed, const unsigned char *p, size_t first, size_t last,
    struct taf_err *e)
{
	(void)taf_undo_narrow(ed->header, p, &first, &last);
	if (first == last)
		return TAF_OK;
	return write_at(ed, p + first, last - first, first, e);
}

/* The header alone: in one write, and where that fails the old one comes back. */
static enum taf_status
change_header(struct taf_edit *ed, const unsigned char *p, struct taf_err *e)
{
	struct taf_err ignored = { 0 };
	enum taf_status st;

	taf_wait_tick(ed->fd);
	st = put_header(ed, p, 0, ed->source.form.header, e);
	if (st == TAF_OK)
		st = taf_sync_file(ed->fd, e);
	taf_err_name(e, ed->path);
	if (st != TAF_OK)
		(void)write_at(ed, ed->header, ed->source.form.header, 0, &ignored);
	return st;
}

static enum taf_status
truncate_file(const struct taf_edit *ed, uint64_t size, struct taf_err *e)
{
	enum taf_status st;

	if (ftruncate(ed->fd, (off_t)size) == 0)
		return TAF_OK;
	st = taf_fail_sys(e, "cannot truncate");
	taf_err_name(e, ed->path);
	return st;
}

/* Begin an undo file: the file shall have this header and this size. */
static enum taf_status
begin(struct taf_edit *ed, const unsigned char *header, uint64_t size, struct taf_err *e)
{
	const struct taf_undo_plan plan = { header, ed->source.form.header, size };

	return taf_undo_begin(&ed->undo, ed->path, ed->fd, &plan, e);
}

static enum taf_status
done(struct taf_edit *ed, struct taf_err *e)
{
	struct taf_undo *u = ed->undo;

	ed->undo = NULL;
	return taf_undo_done(u, e);
}

/* All but the header is written: that too, on both sides of the mark, and it is done. */
static enum taf_status
end_with_header(struct taf_edit *ed, const unsigned char *p, struct taf_err *e)
{
	if (put_header(ed, p, 0, TAF_AT_SYNOPSIS, e) != TAF_OK ||
	    put_header(ed, p, TAF_AT_TYPE, ed->source.form.header, e) != TAF_OK)
		return e->code;
	return done(ed, e);
}

/* The undo file of a change that gives the file this header and this size. */
static enum taf_status
save_tail(struct taf_edit *ed, const unsigned char *p, uint64_t size, struct taf_err *e)
{
	const struct taf_source *s = &ed->source;

	if (begin(ed, p, size, e) != TAF_OK ||
	    taf_undo_save(ed->undo, s->comment, s->size - s->comment, e) != TAF_OK)
		return e->code;
	return taf_undo_seal(ed->undo, e);
}

/* Write what stands behind the data, at off, and then the header. */
static enum taf_status
put_tail(struct taf_edit *ed, const unsigned char *p, uint64_t off,
    const struct taf_buf *tail, struct taf_err *e)
{
	if (write_at(ed, tail->data, tail->len, off, e) != TAF_OK ||
	    truncate_file(ed, off + tail->len, e) != TAF_OK)
		return e->code;
	return end_with_header(ed, p, e);
}

static enum taf_status
change_tail(struct taf_edit *ed, const unsigned char *p, const struct taf_buf *tail,
    struct taf_err *e)
{
	if (save_tail(ed, p, ed->source.comment + tail->len, e) != TAF_OK)
		return e->code;
	return put_tail(ed, p, ed->source.comment, tail, e);
}

enum taf_status
taf_edit_header(struct taf_edit *ed, const struct taf_array *a, struct taf_err *e)
{
	struct taf_buf tail = { 0 }, old = { 0 };
	size_t at = 0, end = ed->source.form.header;
	unsigned char p[TAF_HEADER_MAX];
	enum taf_status st;

	if (expect(ed->state == IDLE, e) != TAF_OK ||
	    taf_array_check(a, e) != TAF_OK || new_header(ed, a, p, e) != TAF_OK)
		return e->code;
	ed->state = OVER;
	st = taf_tail_format(a, &tail, e);
	if (st == TAF_OK)
		st = taf_tail_format(&ed->array, &old, e);
	if (st == TAF_OK)
		st = taf_undo_narrow(ed->header, p, &at, &end) && old.len == tail.len &&
		    (tail.len == 0 || memcmp(old.data, tail.data, tail.len) == 0) ?
		    change_header(ed, p, e) : change_tail(ed, p, &tail, e);
	taf_buf_free(&tail);
	taf_buf_free(&old);
	return st;
}

enum taf_status
taf_edit_grow(struct taf_edit *ed, const struct taf_array *a, struct taf_err *e)
{
	unsigned char p[TAF_HEADER_MAX];
	struct taf_buf tail = { 0 };
	enum taf_status st;

	if (expect(ed->state == IDLE, e) != TAF_OK || taf_array_check(a, e) != TAF_OK)
		return e->code;
	ed->at = ed->source.comment;
	ed->end = ed->source.data + taf_array_bytes(a);
	if (!taf_edit_fits(ed, a) || ed->end < ed->at)
		return taf_fail(e, TAF_EMISUSE,
		    "internal: this array does not grow in place");
	if (taf_array_copy(&ed->grown, a, e) != TAF_OK ||
	    new_header(ed, a, p, e) != TAF_OK)
		return e->code;
	st = taf_tail_format(a, &tail, e);
	if (st == TAF_OK)
		st = save_tail(ed, p, ed->end + tail.len, e);
	ed->state = st == TAF_OK ? GROWING : OVER;
	taf_buf_free(&tail);
	return st;
}

static enum taf_status
put_elements(const struct taf_edit *ed, const unsigned char *p, uint64_t off, size_t n,
    struct taf_err *e)
{
	size_t esize = taf_type_size(ed->array.type);
	unsigned char block[BLOCK];
	size_t part;

	if (!taf_swap_needed(ed->array.type, false))
		return write_at(ed, p, n * esize, off, e);
	for (; n > 0; n -= part) {
		part = n < BLOCK / esize ? n : BLOCK / esize;
		memcpy(block, p, part * esize);
		taf_swap_elements(block, ed->array.type, part);
		if (write_at(ed, block, part * esize, off, e) != TAF_OK)
			return e->code;
		p += part * esize;
		off += part * esize;
	}
	return TAF_OK;
}

enum taf_status
taf_edit_put(struct taf_edit *ed, const void *p, size_t n, struct taf_err *e)
{
	const size_t esize = taf_type_size(ed->array.type);
	enum taf_status st;

	if (expect(ed->state == GROWING, e) != TAF_OK)
		return e->code;
	if (n > (ed->end - ed->at) / esize)
		return taf_fail(e, TAF_EMISUSE, "internal: write beyond the array");
	st = put_elements(ed, p, ed->at, n, e);
	ed->at += n * esize;
	return st;
}

enum taf_status
taf_edit_grown(struct taf_edit *ed, struct taf_err *e)
{
	unsigned char p[TAF_HEADER_MAX];
	struct taf_buf tail = { 0 };
	enum taf_status st;

	if (expect(ed->state == GROWING, e) != TAF_OK)
		return e->code;
	if (ed->at != ed->end)
		return taf_fail(e, TAF_EMISUSE, "internal: %llu bytes were not written",
		    (unsigned long long)(ed->end - ed->at));
	ed->state = OVER;
	if (new_header(ed, &ed->grown, p, e) != TAF_OK)
		return e->code;
	st = taf_tail_format(&ed->grown, &tail, e);
	if (st == TAF_OK)
		st = put_tail(ed, p, ed->end, &tail, e);
	taf_buf_free(&tail);
	return st;
}

/* Runs of a region have the same length, and follow at the same distance. */
static enum taf_status
note_saved(struct taf_edit *ed, uint64_t first, uint64_t n, struct taf_err *e)
{
	struct saved *s = ed->nsaved > 0 ? &ed->saved[ed->nsaved - 1] : NULL;

	if (s != NULL && s->times == 1 && first == s->first + s->n) {
		s->n += n;
		return TAF_OK;
	}
	if (s != NULL && n == s->n && (s->times == 1 ? first > s->first :
	    first == s->first + s->step * s->times)) {
		s->step = s->times == 1 ? first - s->first : s->step;
		s->times++;
		return TAF_OK;
	}
	if ((ed->nsaved & (ed->nsaved - 1)) == 0) {
		s = realloc(ed->saved,
		    (ed->nsaved != 0 ? ed->nsaved * 2 : 1) * sizeof *s);
		if (s == NULL)
			return taf_fail_mem(e);
		ed->saved = s;
	}
	ed->saved[ed->nsaved++] = (struct saved){ first, n, 0, 1 };
	return TAF_OK;
}

/* Of the elements from first on, how many were saved by this? */
static uint64_t
held_by(const struct saved *s, uint64_t first)
{
	uint64_t k = 0, off;

	if (first < s->first)
		return 0;
	off = first - s->first;
	if (s->times > 1)
		k = off / s->step < s->times ? off / s->step : s->times - 1;
	off -= k * s->step;
	return off < s->n ? s->n - off : 0;
}

static bool
was_saved(struct taf_edit *ed, uint64_t first, uint64_t n)
{
	size_t tried = 0;

	while (n > 0 && tried < ed->nsaved) {
		const uint64_t held = held_by(&ed->saved[ed->present], first);
		const uint64_t part = held < n ? held : n;

		first += part;
		n -= part;
		tried = part > 0 ? 0 : tried + 1;
		if (part == 0)
			ed->present = (ed->present + 1) % ed->nsaved;
	}
	return n == 0;
}

enum taf_status
taf_edit_save(struct taf_edit *ed, uint64_t first, uint64_t n, struct taf_err *e)
{
	uint64_t esize = taf_type_size(ed->array.type);
	uint64_t count = taf_array_count(&ed->array);
	enum taf_status st = TAF_OK;

	/* the parts of a pair lie apart */
	if (expect((ed->state == IDLE || ed->state == SAVING) &&
	    !taf_type_is_pair(ed->array.type), e) != TAF_OK)
		return e->code;
	if (first > count || n > count - first)
		return taf_fail(e, TAF_EMISUSE, "internal: save beyond the array");
	if (n > 0)
		st = note_saved(ed, first, n, e);
	if (st == TAF_OK && ed->undo == NULL)
		st = begin(ed, ed->header, ed->source.size, e);
	if (st == TAF_OK)
		st = taf_undo_save(ed->undo, ed->source.data + first * esize, n * esize,
		    e);
	ed->state = st == TAF_OK ? SAVING : OVER;
	return st;
}

enum taf_status
taf_edit_read(struct taf_edit *ed, void *buf, uint64_t first, size_t n, struct taf_err *e)
{
	size_t esize = taf_type_size(ed->array.type);
	uint64_t count = taf_array_count(&ed->array);
	enum taf_status st;

	if (first > count || n > count - first || taf_type_is_pair(ed->array.type))
		return taf_fail(e, TAF_EMISUSE, "internal: read beyond the array");
	st = taf_read_at(ed->fd, buf, n * esize, ed->source.data + first * esize, e);
	taf_err_name(e, ed->path);
	if (st == TAF_OK && taf_swap_needed(ed->array.type, false))
		taf_swap_elements(buf, ed->array.type, n);
	return st;
}

enum taf_status
taf_edit_seal(struct taf_edit *ed, struct taf_err *e)
{
	enum taf_status st = expect(ed->state == IDLE || ed->state == SAVING, e);

	if (st != TAF_OK)
		return st;
	/* of no run at all there is nothing to undo */
	if (ed->undo != NULL)
		st = taf_undo_seal(ed->undo, e);
	ed->state = st == TAF_OK ? SEALED : OVER;
	return st;
}

enum taf_status
taf_edit_overwrite(struct taf_edit *ed, const void *p, uint64_t first, size_t n,
    struct taf_err *e)
{
	uint64_t esize = taf_type_size(ed->array.type);
	uint64_t count = taf_array_count(&ed->array);

	if (expect(ed->state == SEALED, e) != TAF_OK)
		return e->code;
	if (first > count || n > count - first)
		return taf_fail(e, TAF_EMISUSE, "internal: write beyond the array");
	if (!was_saved(ed, first, n))
		return taf_fail(e, TAF_EMISUSE,
		    "internal: what is overwritten was not saved");
	return put_elements(ed, p, ed->source.data + first * esize, n, e);
}

enum taf_status
taf_edit_done(struct taf_edit *ed, struct taf_err *e)
{
	if (expect(ed->state == IDLE || ed->state == SEALED, e) != TAF_OK)
		return e->code;
	ed->state = OVER;
	return ed->undo != NULL ? done(ed, e) : TAF_OK;
}

void
taf_edit_close(struct taf_edit *ed)
{
	int saved = errno;

	if (ed == NULL)
		return;
	taf_undo_rollback(ed->undo);
	if (ed->fd >= 0)
		(void)close(ed->fd);
	taf_held_free(&ed->held);
	taf_array_fini(&ed->array);
	taf_array_fini(&ed->grown);
	free(ed->saved);
	free(ed->path);
	free(ed);
	errno = saved;
}
