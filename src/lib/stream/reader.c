#include "stream/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/endian.h"
#include "base/num.h"
#include "codec/rsf.h"
#include "io/undo.h"
#include "kernel/convert.h"
#include "kernel/strided.h"
#include "stream/spool.h"

enum {
	BLOCK = 1024 * 1024,
	SHORT_HEADER = 64 * 1024,	/* it is taken as it comes */
	PLANE = 16 * 1024,	/* bytes of one part of pairs joined at a time */
	TOKEN = 512,		/* no number in text is longer */
	TRIES = 100		/* to read a header while others change it */
};

enum mode { PLAIN, ASCII, PLANES };

struct taf_reader {
	struct taf_in *in;	/* the stream */
	struct taf_in *data;	/* where elements come from: in, or one of our own */
	struct taf_in *second;	/* PLANES: the imaginary parts */
	char *path;
	unsigned flags;
	bool named;		/* opened by path, where a change can be undone */
	bool marked;		/* the file says that a change of it is not finished */
	bool moving;		/* or it has changed while its header was read */
	bool used;		/* elements were read of the present array */
	unsigned long arrays;	/* that taf_reader_next has given */
	uint64_t streamed;	/* those of the present stream */
	bool over;		/* no array can follow the present one */
	enum taf_next next;	/* what the header of the present array says */
	bool foreign;		/* a program that writes one array has passed it on */
	bool is_taf, late;
	struct taf_source source;
	enum mode mode;
	bool swap;
	enum taf_type type;
	size_t esize;
	uint64_t left;		/* elements not read yet */
	uint64_t extra;		/* bytes behind them in a file of their own */
	uint64_t base, count;	/* of taf_reader_random: offset in data, elements */
};

enum taf_status
taf_reader_new(struct taf_reader **result, struct taf_in *in, const char *path,
    unsigned flags, struct taf_err *e)
{
	struct taf_reader *r = calloc(1, sizeof *r);

	if (r == NULL || (path != NULL && (r->path = strdup(path)) == NULL)) {
		free(r);
		taf_in_close(in);
		return taf_fail_mem(e);
	}
	r->in = r->data = in;
	r->flags = flags;
	*result = r;
	return TAF_OK;
}

enum taf_status
taf_reader_open(struct taf_reader **r, const char *path, unsigned flags, struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st;
	struct taf_in *in;
	bool undo = false;
	size_t got;

	if (path != NULL && strcmp(path, "-") == 0)
		path = NULL;
	st = taf_in_open(&in, path, e);
	if (st != TAF_OK)
		return st;
	if (path != NULL && (flags & TAF_NO_RECOVER) == 0)
		st = taf_undo_look(path, &undo, e);
	if (st == TAF_OK && undo)
		st = taf_in_peek(in, 4, &p, &got, e);
	if (st != TAF_OK) {
		taf_in_close(in);
		return st;
	}
	if (undo && taf_sniff(p, got)) {
		taf_in_close(in);
		st = taf_undo_recover(path, e);
		if (st == TAF_OK)
			st = taf_in_open(&in, path, e);
		if (st != TAF_OK)
			return st;
	}
	st = taf_reader_new(r, in, path, flags, e);
	if (st == TAF_OK)
		(*r)->named = path != NULL && (flags & TAF_NO_RECOVER) == 0;
	return st;
}

/* After a change of the file went on: it is opened anew when that has ended. */
static enum taf_status
open_again(struct taf_reader *r, struct taf_err *e)
{
	struct taf_in *in;
	enum taf_status st;

	taf_err_clear(e);
	st = taf_undo_recover(r->path, e);
	if (st == TAF_OK)
		st = taf_in_open(&in, r->path, e);
	if (st != TAF_OK)
		return st;
	taf_in_close(r->in);
	r->in = r->data = in;
	r->over = false;
	return TAF_OK;
}

static void
drop_data(struct taf_reader *r)
{
	taf_in_close(r->second);
	if (r->data != r->in)
		taf_in_close(r->data);
	r->second = NULL;
	r->data = r->in;
}

void
taf_reader_close(struct taf_reader *r)
{
	int saved = errno;

	if (r == NULL)
		return;
	drop_data(r);
	taf_in_close(r->in);
	free(r->path);
	free(r);
	errno = saved;
}

static enum taf_status
read_tail(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st;
	size_t got;

	st = taf_in_peek(r->in, 4, &p, &got, e);
	if (st == TAF_OK)
		r->source.size = r->source.comment + got;
	if (st == TAF_OK && got == 0)
		return TAF_OK;
	if (st == TAF_OK && taf_sniff(p, got))
		return taf_fail(e, TAF_EDATA,
		    "offset %llu: another TAF file follows the data: one file, one array",
		    (unsigned long long)taf_in_offset(r->in));
	if (st == TAF_OK && taf_in_left(r->in) > TAF_COMMENT_MAX)
		return taf_fail(e, TAF_EDATA, "a comment of %llu bytes, more than %d",
		    (unsigned long long)taf_in_left(r->in), (int)TAF_COMMENT_MAX);
	/* of a file all of it, of a pipe as it comes */
	while (st == TAF_OK) {
		size_t want = taf_in_seekable(r->in) ? (size_t)taf_in_left(r->in) : got * 2;

		st = taf_in_peek(r->in, want, &p, &got, e);
		if (st != TAF_OK || got < want || taf_in_seekable(r->in))
			break;
		if (got > TAF_COMMENT_MAX)
			return taf_fail(e, TAF_EDATA, "a comment of more than %d bytes",
			    (int)TAF_COMMENT_MAX);
	}
	r->source.size = r->source.comment + got;
	if (st == TAF_OK)
		st = taf_tail_parse((const char *)p, got, a, e);
	return st;
}

/* Can what a TAF file holds behind its data change its shape? */
static bool
shape_is_open(const struct taf_array *a)
{
	uint64_t last = a->dim[a->ndim - 1].n;

	return (a->ndim == 2 && last == 1) || (last == 2 && !taf_type_is_int(a->type));
}

static enum taf_status
next_taf(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	struct taf_source *s = &r->source;
	char undo[TAF_UNDO_NAME];
	const unsigned char *p;
	enum taf_status st;
	uint64_t bytes, start;
	size_t got;

	st = taf_in_peek(r->in, TAF_HEADER_MAX, &p, &got, e);
	r->marked = st == TAF_OK && taf_undo_marked(p, got, undo);
	if (r->marked)
		return taf_fail(e, TAF_EDATA, "a change of it goes on, or was interrupted: wait, "
		    "or open it where %s lies beside it", undo);
	if (st == TAF_OK)
		st = taf_header_parse(p, got, a, &s->form, e);
	if (st != TAF_OK)
		return st;
	r->is_taf = r->over = true;
	r->late = (r->flags & TAF_LATE_COMMENT) != 0 && !taf_in_seekable(r->in) &&
	    !shape_is_open(a);
	if (!taf_in_seekable(r->in) && !r->late) {
		st = taf_spool_rest(&r->in, e);
		r->data = r->in;
		if (st != TAF_OK)
			return st;
	}
	start = taf_in_offset(r->in);
	bytes = taf_array_bytes(a);
	s->data = start + s->form.header;
	s->comment = s->data + bytes;
	s->size = 0;
	st = taf_in_skip(r->in, s->form.header, e);
	if (st == TAF_OK && taf_in_seekable(r->in)) {
		if (bytes > taf_in_left(r->in))
			return taf_fail(e, TAF_EDATA,
			    "data of %llu bytes, but %llu follow the header",
			    (unsigned long long)bytes,
			    (unsigned long long)taf_in_left(r->in));
		st = taf_in_skip(r->in, bytes, e);
		if (st == TAF_OK)
			st = read_tail(r, a, e);
		/* back to the data, without what the tail left in the buffer */
		taf_in_advance(r->in, s->data - taf_in_offset(r->in));
	}
	r->mode = PLAIN;
	r->swap = taf_host_is_big() && taf_type_word(a->type) > 1;
	if (st == TAF_OK && taf_type_is_pair(a->type)) {
		r->mode = PLANES;
		st = taf_in_again(&r->second, r->in, s->data + bytes / 2, e);
	}
	return st;
}

/* The file that in= names, as Madagascar looks it up, or beside the header. */
static enum taf_status
open_data(struct taf_reader *r, const struct taf_buf *name, struct taf_err *e)
{
	const char *slash = r->path != NULL ? strrchr(r->path, '/') : NULL;
	enum taf_status st;
	struct stat sb;
	char *path;
	int fd;

	fd = open(name->data, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 && errno == ENOENT && slash != NULL && name->data[0] != '/') {
		size_t dir = (size_t)(slash - r->path) + 1;

		path = malloc(dir + name->len + 1);
		if (path == NULL)
			return taf_fail_mem(e);
		memcpy(path, r->path, dir);
		memcpy(path + dir, name->data, name->len + 1);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		free(path);
	}
	if (fd < 0)
		return taf_fail_sys(e, "in=%s: cannot open", name->data);
	if (fstat(fd, &sb) != 0)
		st = taf_fail_sys(e, "in=%s: cannot read", name->data);
	else if (!S_ISREG(sb.st_mode))
		st = taf_fail(e, TAF_EDATA, "in=%s: no regular file", name->data);
	else
		st = TAF_OK;
	if (st != TAF_OK) {
		(void)close(fd);
		return st;
	}
	st = taf_in_fd(&r->data, fd, name->data, e);
	if (st != TAF_OK) {
		r->data = r->in;
		(void)close(fd);
	}
	return st;
}

/* Read a header from the stream to its terminator, or to its end. */
static enum taf_status
read_header(struct taf_reader *r, const unsigned char **p, size_t *n, bool *terminated,
    struct taf_err *e)
{
	/* what is there, or one read more: who writes a pipe may wait behind the data */
	size_t want = 1, from = 0, got = 0;
	enum taf_status st;

	for (;;) {
		const char *text;
		size_t had = got;

		st = taf_in_peek(r->in, want, p, &got, e);
		if (st != TAF_OK)
			return st;
		text = (const char *)*p;
		*terminated = taf_rsf_end(text, got, from, n);
		if (*terminated && *n <= TAF_RSF_HEADER_MAX)
			return TAF_OK;
		if (memchr(text + had, '\0', got - had) != NULL)
			return taf_fail(e, TAF_EDATA,
			    "neither TAF nor RSF, as it holds a NUL: other formats "
			    "have converters, see taf(7)");
		if (got >= TAF_RSF_HEADER_MAX + TAF_RSF_TERMINATOR)
			return taf_fail(e, TAF_EDATA, "a header of more than %d bytes",
			    (int)TAF_RSF_HEADER_MAX);
		if (got < want) {
			*n = got;
			return TAF_OK;
		}
		/* go on from the start of the last line */
		for (from = got; from > 0 && text[from - 1] != '\n'; from--)
			;
		want = got < SHORT_HEADER ? got + 1 : got <= TAF_RSF_HEADER_MAX / 2 ? got * 2 :
		    TAF_RSF_HEADER_MAX + TAF_RSF_TERMINATOR;
	}
}

/* May the input end, or another stream begin, behind the present array? */
static bool
may_end(const struct taf_reader *r)
{
	return r->next == TAF_NEXT_NO || (r->next == TAF_NEXT_UNKNOWN && r->foreign);
}

static enum taf_status
missing(const struct taf_reader *r, struct taf_err *e)
{
	return taf_fail(e, TAF_ETRUNC, "array %lu was announced, but the input ends: "
	    "the program before has failed", r->arrays + 1);
}

/* The input ends where a header could stand. */
static enum taf_status
end_of_input(const struct taf_reader *r, struct taf_err *e)
{
	if (r->arrays == 0)
		return taf_fail(e, TAF_EDATA, "empty input");
	if (may_end(r))
		return TAF_END;
	if (r->next == TAF_NEXT_YES)
		return missing(r, e);
	return taf_fail(e, TAF_ETRUNC, "the input ends behind array %lu, and no taf_end says "
	    "that it was the last: the program before has failed", r->arrays);
}

/* The record that ends a stream of count arrays: another stream may follow it. */
static enum taf_status
end_of_stream(struct taf_reader *r, uint64_t count, struct taf_err *e)
{
	if (r->next == TAF_NEXT_NO)
		return taf_fail(e, TAF_EDATA, "offset %llu: a stream ends (taf_end=%llu) "
		    "before its first array", (unsigned long long)taf_in_offset(r->in),
		    (unsigned long long)count);
	if (r->next == TAF_NEXT_YES)
		return missing(r, e);
	if (count != r->streamed)
		return taf_fail(e, TAF_EDATA, "the stream ends with %llu arrays (taf_end), but "
		    "%llu have come", (unsigned long long)count,
		    (unsigned long long)r->streamed);
	r->next = TAF_NEXT_NO;
	return TAF_OK;
}

/* An array, or (*ends) the record that ends a stream. */
static enum taf_status
next_rsf(struct taf_reader *r, struct taf_array *a, bool *ends, struct taf_err *e)
{
	struct taf_rsf rsf = { 0 };
	const unsigned char *p;
	enum taf_status st;
	bool terminated;
	uint64_t bytes;
	size_t n;

	st = read_header(r, &p, &n, &terminated, e);
	if (st == TAF_OK)
		st = taf_rsf_parse((const char *)p, n, a, &rsf, e);
	if (st == TAF_OK && rsf.here && !terminated)
		st = taf_fail(e, TAF_ETRUNC, "offset %llu: the input ends inside the header",
		    (unsigned long long)(taf_in_offset(r->in) + n));
	if (st == TAF_OK)
		st = taf_in_skip(r->in, n + (terminated ? TAF_RSF_TERMINATOR : 0), e);
	*ends = st == TAF_OK && rsf.ends;
	if (*ends)
		st = end_of_stream(r, rsf.count, e);
	if (st == TAF_OK && !rsf.here)
		st = open_data(r, &rsf.in, e);
	if (st != TAF_OK || *ends) {
		taf_rsf_fini(&rsf);
		return st;
	}
	r->streamed = may_end(r) ? 1 : r->streamed + 1;
	r->next = rsf.next;
	r->foreign = rsf.foreign;
	/* a header without an end goes to the end of the input */
	r->over = !terminated && may_end(r);
	r->mode = rsf.form == TAF_RSF_ASCII ? ASCII : PLAIN;
	r->swap = rsf.big != taf_host_is_big() && taf_type_word(a->type) > 1;
	bytes = taf_array_bytes(a);
	r->extra = rsf.here || r->mode != PLAIN || bytes > taf_in_left(r->data) ? 0 :
	    taf_in_left(r->data) - bytes;
	if (r->mode == PLAIN && taf_in_seekable(r->data) && bytes > taf_in_left(r->data))
		st = taf_fail(e, TAF_EDATA, "%s%s: data of %llu bytes, but %llu are there",
		    rsf.here ? "header" : "in=", rsf.here ? "" : rsf.in.data,
		    (unsigned long long)bytes, (unsigned long long)taf_in_left(r->data));
	/* a number takes a byte and the blank behind it */
	else if (r->mode == ASCII && taf_in_seekable(r->data) &&
	    taf_array_count(a) > taf_in_left(r->data) / 2 + 1)
		st = taf_fail(e, TAF_EDATA, "%s%s: text of %llu numbers in %llu bytes",
		    rsf.here ? "header" : "in=", rsf.here ? "" : rsf.in.data,
		    (unsigned long long)taf_array_count(a),
		    (unsigned long long)taf_in_left(r->data));
	taf_rsf_fini(&rsf);
	return st;
}

static enum taf_status
skip_blanks(struct taf_in *in, struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st;
	size_t got, n;

	do {
		st = taf_in_peek(in, 1, &p, &got, e);
		if (st != TAF_OK)
			return st;
		for (n = 0; n < got && (p[n] == ' ' || (p[n] >= '\t' && p[n] <= '\r')); n++)
			;
		if (n > 0)
			st = taf_in_skip(in, n, e);
	} while (st == TAF_OK && n > 0 && n == got);
	return st;
}

static enum taf_status
next(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st;
	bool was_text, ends = true;
	size_t got;

	st = taf_reader_skip(r, r->left, e);
	if (st == TAF_OK)
		st = taf_reader_unchanged(r, e);
	if (st != TAF_OK)
		return st;
	was_text = r->mode == ASCII;
	drop_data(r);
	r->count = 0;
	if (r->over)
		return TAF_END;
	if (was_text) {
		st = skip_blanks(r->in, e);
		if (st != TAF_OK)
			return st;
	}
	while (st == TAF_OK && ends) {
		st = taf_in_peek(r->in, 4, &p, &got, e);
		if (st != TAF_OK)
			break;
		if (got == 0)
			return end_of_input(r, e);
		if (!taf_sniff(p, got))
			st = next_rsf(r, a, &ends, e);
		else if (r->arrays == 0)
			return next_taf(r, a, e);
		else
			st = taf_fail(e, TAF_EDATA, "offset %llu: a TAF file inside a stream",
			    (unsigned long long)taf_in_offset(r->in));
	}
	return st;
}

static void
begin(struct taf_reader *r, const struct taf_array *a)
{
	r->type = a->type;
	r->esize = taf_type_size(a->type);
	r->left = taf_array_count(a);
	r->used = false;
	r->arrays++;
}

enum taf_status
taf_reader_raw(struct taf_reader **result, struct taf_in *in, const struct taf_array *a,
    bool big, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	enum taf_status st = taf_reader_new(&r, in, NULL, 0, e);

	if (st != TAF_OK)
		return st;
	r->over = true;
	r->swap = big != taf_host_is_big() && taf_type_word(a->type) > 1;
	begin(r, a);
	if (taf_in_seekable(in) && taf_in_left(in) < taf_array_bytes(a)) {
		st = taf_fail(e, TAF_EDATA, "%llu bytes, but %llu are wanted",
		    (unsigned long long)taf_in_left(in),
		    (unsigned long long)taf_array_bytes(a));
		taf_err_name(e, taf_in_name(in));
		taf_reader_close(r);
		return st;
	}
	*result = r;
	return TAF_OK;
}

/* What comes next, if it did not change while it was looked at. */
static enum taf_status
checked_next(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = next(r, a, e), now;
	struct taf_err why = { 0 };

	r->moving = r->marked;
	if (r->marked || st == TAF_END || st == TAF_ESYS)
		return st;
	now = taf_in_unchanged(r->in, &why);
	r->moving = now == TAF_EDATA;
	if (now != TAF_OK)
		*e = why;
	return now != TAF_OK ? now : st;
}

enum taf_status
taf_reader_next(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	enum taf_status st;
	int tries;

	for (tries = 0;; tries++) {
		taf_array_fini(a);
		taf_array_init(a);
		r->is_taf = r->late = false;
		st = checked_next(r, a, e);
		if (!r->moving || !r->named || r->arrays > 0 || tries == TRIES)
			break;
		st = open_again(r, e);
		if (st != TAF_OK)
			break;
	}
	if (st != TAF_OK) {
		r->left = 0;
		r->over = true;
		if (st != TAF_END)
			taf_err_name(e, taf_in_name(r->in));
		return st;
	}
	begin(r, a);
	return TAF_OK;
}

enum taf_status
taf_reader_last(struct taf_reader *r, struct taf_err *e)
{
	struct taf_array next = { 0 };
	enum taf_status st = taf_reader_next(r, &next, e);

	taf_array_fini(&next);
	if (st == TAF_OK) {
		st = taf_fail(e, TAF_EDATA, "several arrays, where one is wanted");
		taf_err_name(e, taf_in_name(r->in));
	}
	return st == TAF_END ? TAF_OK : st;
}

/* Of a file: does what stands behind the present array end the stream? */
static enum taf_next
look_behind(const struct taf_reader *r, uint64_t offset)
{
	struct taf_array next = { 0 };
	struct taf_reader *ahead = NULL;
	struct taf_err e = { 0 };
	enum taf_status st;
	struct taf_in *in;

	st = taf_in_again(&in, r->in, offset, &e);
	if (st == TAF_OK)
		st = taf_reader_new(&ahead, in, r->path, r->flags, &e);
	if (st != TAF_OK)
		return TAF_NEXT_UNKNOWN;
	ahead->arrays = r->arrays;
	ahead->streamed = r->streamed;
	ahead->next = r->next;
	ahead->foreign = r->foreign;
	st = taf_reader_next(ahead, &next, &e);
	taf_array_fini(&next);
	taf_reader_close(ahead);
	/* what is wrong is told by who goes there */
	return st == TAF_END ? TAF_NEXT_NO : TAF_NEXT_YES;
}

enum taf_next
taf_reader_more(const struct taf_reader *r)
{
	uint64_t unread = r->data == r->in ? r->left * r->esize : 0;

	if (r->over)
		return TAF_NEXT_NO;
	if (r->next == TAF_NEXT_YES)
		return TAF_NEXT_YES;
	if (r->mode != PLAIN || !taf_in_seekable(r->in))
		return TAF_NEXT_UNKNOWN;
	if (r->next == TAF_NEXT_UNKNOWN)
		return look_behind(r, taf_in_offset(r->in) + unread);
	return taf_in_left(r->in) > unread ? TAF_NEXT_YES : TAF_NEXT_NO;
}

const struct taf_source *
taf_reader_source(const struct taf_reader *r)
{
	return r->is_taf ? &r->source : NULL;
}

uint64_t
taf_reader_offset(const struct taf_reader *r)
{
	return taf_in_offset(r->data);
}

bool
taf_reader_late(const struct taf_reader *r)
{
	return r->late;
}

uint64_t
taf_reader_left(const struct taf_reader *r)
{
	return r->left;
}

uint64_t
taf_reader_extra(const struct taf_reader *r)
{
	return r->extra;
}

bool
taf_reader_sure(const struct taf_reader *r)
{
	return r->mode != ASCII && taf_in_seekable(r->data);
}

bool
taf_reader_plain(const struct taf_reader *r)
{
	return r->mode == PLAIN && taf_in_seekable(r->data);
}

/* Has a number in text become infinite that was not written so? */
static bool
overflows(const char *p, double x)
{
	if (*p == '-' || *p == '+')
		p++;
	return !taf_is_finite(x) && ((*p >= '0' && *p <= '9') || *p == '.');
}

/* One element from text; its length, 0 if it is none. */
static size_t
scan_element(const char *p, const char *end, enum taf_type type, unsigned char *to)
{
	size_t n = 0;
	int64_t i;
	uint64_t u;
	double d;
	float f;

	while (p + n < end && p[n] != ' ' && (p[n] < '\t' || p[n] > '\r'))
		n++;
	if (type == TAF_FLT64 || type == TAF_FLT32) {
		bool ok = type == TAF_FLT64 ? taf_scan_f64(p, p + n, &d) == n :
		    taf_scan_f32(p, p + n, &f) == n;

		if (!ok || overflows(p, type == TAF_FLT64 ? d : (double)f))
			return 0;
		if (type == TAF_FLT64)
			memcpy(to, &d, sizeof d);
		else
			memcpy(to, &f, sizeof f);
		return n;
	}
	/* an integer of 64 bits, then what of it the type keeps, if that is all of it */
	if (taf_type_is_signed(type) ? !taf_parse_i64(p, n, &i) ||
	    taf_convert(to, type, &i, TAF_INT64, 1, NULL, false, NULL) != 1 :
	    !taf_parse_u64(p, n, &u) ||
	    taf_convert(to, type, &u, TAF_UINT64, 1, NULL, false, NULL) != 1)
		return 0;
	return n;
}

/* Complex in text is two numbers, the second with an i behind it. */
static size_t
scan_complex(const char *p, const char *end, unsigned char *to)
{
	float part[2];
	size_t n = taf_scan_f32(p, end, &part[0]), m;

	if (n == 0 || overflows(p, (double)part[0]))
		return 0;
	while (p + n < end && (p[n] == ' ' || (p[n] >= '\t' && p[n] <= '\r')))
		n++;
	m = taf_scan_f32(p + n, end, &part[1]);
	if (m == 0 || p + n + m >= end || p[n + m] != 'i' ||
	    overflows(p + n, (double)part[1]))
		return 0;
	memcpy(to, part, sizeof part);
	return n + m + 1;
}

static enum taf_status
read_text(struct taf_reader *r, unsigned char *to, size_t n, struct taf_err *e)
{
	enum taf_status st;

	while (n > 0) {
		const unsigned char *p;
		size_t got, used;

		st = skip_blanks(r->data, e);
		if (st == TAF_OK)
			st = taf_in_peek(r->data, 2 * TOKEN, &p, &got, e);
		if (st != TAF_OK)
			return st;
		if (got == 0)
			return taf_fail(e, TAF_ETRUNC, "the text ends, %llu values missing",
			    (unsigned long long)r->left);
		used = taf_type_is_pair(r->type) ?
		    scan_complex((const char *)p, (const char *)p + got, to) :
		    scan_element((const char *)p, (const char *)p + got, r->type, to);
		/* a longer one may go on beyond what was looked at */
		if (used == 0 || used > TOKEN)
			return taf_fail(e, TAF_EDATA, "offset %llu: no %s: %.*s",
			    (unsigned long long)taf_in_offset(r->data),
			    taf_type_name(r->type), got < 20 ? (int)got : 20, (const char *)p);
		st = taf_in_skip(r->data, used, e);
		if (st != TAF_OK)
			return st;
		to += r->esize;
		n--;
		r->left--;
	}
	return TAF_OK;
}

static enum taf_status
read_planes(struct taf_reader *r, unsigned char *to, size_t n, struct taf_err *e)
{
	const size_t word = taf_type_word(r->type), most = PLANE / word;
	unsigned char re[PLANE], im[PLANE];

	while (n > 0) {
		size_t part = n < most ? n : most;
		const size_t count[1] = { part };
		const ptrdiff_t one[1] = { (ptrdiff_t)word }, two[1] = { 2 * one[0] };
		enum taf_status st = taf_in_read(r->data, re, word * part, e);

		if (st == TAF_OK)
			st = taf_in_read(r->second, im, word * part, e);
		if (st != TAF_OK)
			return st;
		taf_strided_copy(to, re, word, 1, count, two, one);
		taf_strided_copy(to + word, im, word, 1, count, two, one);
		if (r->swap)
			taf_swap_bytes(to, word, 2 * part);
		to += 2 * word * part;
		n -= part;
		r->left -= part;
	}
	return TAF_OK;
}

enum taf_status
taf_reader_read(struct taf_reader *r, void *buf, size_t n, struct taf_err *e)
{
	enum taf_status st;

	if (n > r->left)
		return taf_fail(e, TAF_EMISUSE, "internal: read beyond the array");
	r->used = true;
	if (r->mode == ASCII) {
		st = read_text(r, buf, n, e);
	} else if (r->mode == PLANES) {
		st = read_planes(r, buf, n, e);
	} else {
		st = taf_in_read(r->data, buf, n * r->esize, e);
		if (st == TAF_OK && r->swap)
			taf_swap_bytes(buf, taf_type_word(r->type),
			    n * (r->esize / taf_type_word(r->type)));
		r->left -= n;
	}
	taf_err_name(e, taf_in_name(r->data));
	return st;
}

enum taf_status
taf_reader_skip(struct taf_reader *r, uint64_t n, struct taf_err *e)
{
	unsigned char one[8 * 512];
	enum taf_status st = TAF_OK;

	if (n > r->left)
		return taf_fail(e, TAF_EMISUSE, "internal: skip beyond the array");
	if (r->mode == ASCII) {
		while (n > 0 && st == TAF_OK) {
			size_t part = n < 512 ? (size_t)n : 512;

			st = taf_reader_read(r, one, part, e);
			n -= part;
		}
		return st;
	}
	if (r->mode == PLANES) {
		st = taf_in_skip(r->data, n * taf_type_word(r->type), e);
		if (st == TAF_OK)
			st = taf_in_skip(r->second, n * taf_type_word(r->type), e);
	} else {
		st = taf_in_skip(r->data, n * r->esize, e);
	}
	r->left -= n;
	return st;
}

enum taf_status
taf_reader_copy(struct taf_reader *r, struct taf_out *out, uint64_t n, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned char *block;

	if (n > r->left)
		return taf_fail(e, TAF_EMISUSE, "internal: copy beyond the array");
	r->used = true;
	if (r->mode == PLAIN && !r->swap) {
		st = taf_out_copy(out, r->data, n * r->esize, e);
		r->left -= n;
		return st;
	}
	block = taf_alloc(1, BLOCK);
	if (block == NULL)
		return taf_fail_mem(e);
	while (n > 0 && st == TAF_OK) {
		size_t part = n < BLOCK / r->esize ? (size_t)n : BLOCK / r->esize;

		st = taf_reader_read(r, block, part, e);
		if (st == TAF_OK)
			st = taf_out_write(out, block, part * r->esize, e);
		n -= part;
	}
	free(block);
	return st;
}

enum taf_status
taf_reader_random(struct taf_reader *r, struct taf_err *e)
{
	struct taf_spool spool;
	struct taf_in *in;
	enum taf_status st;
	uint64_t count = r->left;

	r->used = true;
	if (r->mode != PLAIN || !taf_in_seekable(r->data)) {
		st = taf_spool_begin(&spool, e);
		if (st != TAF_OK)
			return st;
		st = taf_reader_copy(r, spool.out, count, e);
		if (st == TAF_OK)
			st = taf_spool_end(&spool, taf_in_name(r->data), &in, e);
		else
			taf_spool_discard(&spool);
		if (st != TAF_OK)
			return st;
		st = taf_in_unchanged(r->data, e);
		if (st != TAF_OK) {
			taf_in_close(in);
			return st;
		}
		/* text goes on behind its last number, which next must know */
		if (r->mode == ASCII && r->data == r->in) {
			st = skip_blanks(r->in, e);
			if (st != TAF_OK) {
				taf_in_close(in);
				return st;
			}
		}
		drop_data(r);
		r->data = in;
		r->mode = PLAIN;
		r->swap = false;
		r->left = count;
	}
	r->base = taf_in_offset(r->data);
	r->count = count;
	return TAF_OK;
}

enum taf_status
taf_reader_at(const struct taf_reader *r, void *buf, uint64_t first, size_t n,
    struct taf_err *e)
{
	enum taf_status st;

	if (first > r->count || n > r->count - first)
		return taf_fail(e, TAF_EMISUSE, "internal: read beyond the array");
	st = taf_in_pread(r->data, buf, n * r->esize, r->base + first * r->esize, e);
	if (st == TAF_OK && r->swap)
		taf_swap_bytes(buf, taf_type_word(r->type),
		    n * (r->esize / taf_type_word(r->type)));
	return st;
}

const void *
taf_reader_map(struct taf_reader *r)
{
	return r->swap ? NULL : taf_in_map(r->data, r->base, r->count * r->esize);
}

enum taf_status
taf_reader_unchanged(const struct taf_reader *r, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (r->used)
		st = taf_in_unchanged(r->in, e);
	if (st == TAF_OK && r->used && r->data != r->in)
		st = taf_in_unchanged(r->data, e);
	return st;
}

enum taf_status
taf_reader_finish(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = taf_reader_skip(r, r->left, e);

	if (st == TAF_OK && r->late) {
		r->late = false;
		st = read_tail(r, a, e);
		taf_err_name(e, taf_in_name(r->in));
	}
	return st == TAF_OK ? taf_reader_unchanged(r, e) : st;
}
