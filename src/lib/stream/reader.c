/* SPDX-License-Identifier: ISC */
#include "stream/reader_source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/endian.h"
#include "base/need.h"
#include "codec/taf_foreign.h"
#include "io/recover.h"
#include "io/remote.h"
#include "io/spool.h"
#include "io/url.h"

enum {
	BLOCK = 1024 * 1024,
	TRIES = 100		/* to read a header while others change it */
};

void
taf_reader_remark(const struct taf_reader *r, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	if ((r->flags & TAF_READ_SILENTLY) != 0)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	taf_note_say(taf_in_name(r->in), text);
}

void
taf_reader_remark_more(const struct taf_reader *r, uint64_t more)
{
	if (more > 0)
		taf_reader_remark(r,
		    "in= names a file with %llu bytes more than the header says",
		    (unsigned long long)more);
}

/* The elements are those of the stream itself, until a header says otherwise. */
static void
set_stream(struct taf_reader *r, struct taf_in *in)
{
	r->in = r->from.in = in;
	r->from.ops = taf_elements_binary(r->from.type, taf_host_is_big());
}

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
	set_stream(r, in);
	r->flags = flags;
	taf_in_grows(in, (flags & TAF_READ_GROWING) != 0);
	*result = r;
	return TAF_OK;
}

static bool looks;

void
taf_reader_only_look(void)
{
	looks = true;
}

enum taf_status
taf_reader_open(struct taf_reader **r, const char *path, unsigned flags,
    struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st;
	struct taf_in *in;
	bool undo = false, recovers;
	size_t got;

	if (path != NULL && strcmp(path, "-") == 0)
		path = NULL;
	flags |= looks ? TAF_NO_RECOVER : 0;
	recovers = path != NULL && (flags & TAF_NO_RECOVER) == 0 && !taf_is_url(path);
	st = taf_in_open(&in, path, e);
	if (st != TAF_OK)
		return st;
	if (recovers)
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
		(*r)->named = recovers;
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
	set_stream(r, in);
	r->over = false;
	return TAF_OK;
}

static void
drop_data(struct taf_reader *r)
{
	taf_elements_widen(&r->from);
	taf_in_close(r->from.second);
	if (r->from.in != r->in)
		taf_in_close(r->from.in);
	r->from.second = NULL;
	set_stream(r, r->in);
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

/* May the input end, or another stream begin, behind the present array? */
static bool
may_end(const struct taf_reader_order *o)
{
	return o->next == TAF_NEXT_NO || (o->next == TAF_NEXT_UNKNOWN && o->foreign);
}

static enum taf_status
missing(const struct taf_reader_order *o, struct taf_err *e)
{
	return taf_fail(e, TAF_ETRUNC,
	    "array %lu was announced, but the input ends: the program before has failed",
	    o->arrays + 1);
}

/* The input ends where a header could stand. */
static enum taf_status
end_of_input(const struct taf_reader_order *o, struct taf_err *e)
{
	if (o->arrays == 0)
		return taf_fail(e, TAF_EDATA, "empty input");
	if (may_end(o))
		return TAF_END;
	if (o->next == TAF_NEXT_YES)
		return missing(o, e);
	return taf_fail(e, TAF_ETRUNC,
	    "the input ends behind array %lu, and no taf_end says that it was the last: the program before has failed",
	    o->arrays);
}

/* The record that ends a stream of count arrays: another stream may follow it. */
static enum taf_status
end_of_stream(struct taf_reader_order *o, uint64_t count, uint64_t offset,
    struct taf_err *e)
{
	if (o->next == TAF_NEXT_NO)
		return taf_fail(e, TAF_EDATA,
		    "offset %llu: a stream ends (taf_end=%llu) before its first array",
		    (unsigned long long)offset,
		    (unsigned long long)count);
	if (o->next == TAF_NEXT_YES)
		return missing(o, e);
	if (count != o->streamed)
		return taf_fail(e, TAF_EDATA,
		    "the stream ends with %llu arrays (taf_end), but %llu have come",
		    (unsigned long long)count,
		    (unsigned long long)o->streamed);
	o->next = TAF_NEXT_NO;
	return TAF_OK;
}

/* An array, or (*ends) the record that ends a stream. */
static enum taf_status
next_rsf(struct taf_reader *r, struct taf_array *a, bool *ends, struct taf_err *e)
{
	struct taf_reader_order *o = &r->order;
	struct taf_rsf rsf = { 0 };
	enum taf_status st = taf_reader_rsf(r, a, &rsf, e);

	*ends = rsf.ends;
	if (st == TAF_OK && rsf.ends) {
		st = end_of_stream(o, rsf.count, taf_in_offset(r->in), e);
	} else if (st == TAF_OK) {
		o->streamed = may_end(o) ? 1 : o->streamed + 1;
		o->next = rsf.next;
		o->foreign = rsf.foreign;
		r->over = r->over && may_end(o);
	}
	taf_rsf_fini(&rsf);
	return st;
}

/* What is counted of an element. */
static unsigned
counted(const struct taf_reader *r)
{
	return r->parts ? 2 : 1;
}

void
taf_reader_parts(struct taf_reader *r)
{
	r->parts = true;
}

/* Go behind the last element of the present array. */
static enum taf_status
pass_over(struct taf_reader *r, struct taf_err *e)
{
	taf_elements_widen(&r->from);
	return taf_reader_skip(r, taf_reader_left(r), e);
}

static enum taf_status
next(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st = TAF_OK;
	bool ends = true;
	size_t got;

	if (pass_over(r, e) != TAF_OK ||
	    (!r->looked && taf_reader_unchanged(r, e) != TAF_OK) ||
	    (!r->over && r->from.ops->end != NULL &&
	    r->from.ops->end(r->in, e) != TAF_OK))
		return e->code;
	drop_data(r);
	r->count = 0;
	if (r->over)
		return TAF_END;
	r->spot = (struct taf_reader_spot){ taf_in_offset(r->in), r->order };
	while (st == TAF_OK && ends) {
		st = taf_in_peek(r->in, 4, &p, &got, e);
		if (st != TAF_OK)
			break;
		if (got == 0)
			return end_of_input(&r->order, e);
		if (!taf_sniff(p, got))
			st = next_rsf(r, a, &ends, e);
		else if (r->order.arrays == 0)
			return taf_reader_taf(r, a, e);
		else
			st = taf_fail(e, TAF_EDATA,
			    "offset %llu: a TAF file inside a stream",
			    (unsigned long long)taf_in_offset(r->in));
	}
	return st;
}

static void
begin(struct taf_reader *r, const struct taf_array *a)
{
	r->from.type = a->type;
	r->from.esize = taf_type_size(a->type);
	r->from.left = taf_array_count(a);
	taf_in_expect(r->from.in, r->from.ops->sized ? taf_array_bytes(a) : 0);
	r->used = r->parts = false;
	r->order.arrays++;
}

static enum taf_status
headless(struct taf_reader **result, struct taf_in *in, const struct taf_array *a,
    const struct taf_elements_ops *ops, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	enum taf_status st = taf_reader_new(&r, in, NULL, 0, e);

	if (st == TAF_OK && taf_array_sound(a, e) != TAF_OK) {
		taf_reader_close(r);
		return e->code;
	}
	if (st != TAF_OK)
		return st;
	r->over = true;
	r->from.ops = ops;
	begin(r, a);
	if (ops->sized && taf_in_seekable(in) && taf_in_left(in) < taf_array_bytes(a)) {
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

enum taf_status
taf_reader_raw(struct taf_reader **r, struct taf_in *in, const struct taf_array *a,
    bool big, struct taf_err *e)
{
	return headless(r, in, a, taf_elements_binary(a->type, big), e);
}

enum taf_status
taf_reader_text(struct taf_reader **r, struct taf_in *in, const struct taf_array *a,
    struct taf_err *e)
{
	return headless(r, in, a, &taf_elements_text, e);
}

enum taf_status
taf_reader_text_end(struct taf_reader *r, struct taf_err *e)
{
	const unsigned char *p;
	size_t got;

	if (taf_reader_skip(r, taf_reader_left(r), e) != TAF_OK ||
	    r->from.ops->end(r->in, e) != TAF_OK ||
	    taf_in_peek(r->in, 1, &p, &got, e) != TAF_OK || got == 0)
		return e->code;
	return taf_fail(e, TAF_EDATA, "offset %llu: more than the values that are said",
	    (unsigned long long)taf_in_offset(r->in));
}

/* What comes next, if it did not change while it was looked at. */
static enum taf_status
checked_next(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = next(r, a, e), now;
	struct taf_err why = { 0 };

	r->moving = r->marked;
	if (r->marked || st == TAF_END || st == TAF_ESYS ||
	    (st == TAF_OK && r->order.arrays > 0 && (r->flags & TAF_READ_AHEAD) != 0))
		return st;
	now = taf_in_unchanged(r->in, &why);
	r->moving = now == TAF_EDATA;
	if (now != TAF_OK)
		*e = why;
	return now != TAF_OK ? now : st;
}

static taf_reader_guard *guard;

void
taf_reader_guard_by(taf_reader_guard *by)
{
	guard = by;
}

/* Whoever guards files looks at the array that begins. */
static enum taf_status
watched(struct taf_reader *r, const struct taf_array *a, struct taf_err *e)
{
	const struct taf_elements *s = &r->from;
	const struct taf_guarded what = { .path = r->path, .a = a,
		.in = s->ops->at != NULL && taf_in_seekable(s->in) ? s->in : NULL,
		.swapped = s->ops->copy == NULL };
	enum taf_status st = TAF_OK;

	if (guard != NULL && r->path != NULL && (r->flags & TAF_READ_UNGUARDED) == 0)
		st = guard(&what, e);
	if (st != TAF_OK) {
		r->from.left = 0;
		r->over = true;
		taf_err_name(e, taf_in_name(r->in));
	}
	return st;
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
		if (!r->moving || !r->named || r->order.arrays > 0 || tries == TRIES)
			break;
		st = open_again(r, e);
		if (st != TAF_OK)
			break;
	}
	if (st != TAF_OK) {
		r->from.left = 0;
		r->over = true;
		if (st != TAF_END)
			taf_err_name(e, taf_in_name(r->in));
		return st;
	}
	begin(r, a);
	return watched(r, a, e);
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
		st = taf_reader_new(&ahead, in, r->path, r->flags | TAF_READ_SILENTLY |
		    TAF_READ_UNGUARDED, &e);
	if (st != TAF_OK)
		return TAF_NEXT_UNKNOWN;
	taf_reader_go(ahead, &(struct taf_reader_spot){ offset, r->order });
	st = taf_reader_next(ahead, &next, &e);
	taf_array_fini(&next);
	taf_reader_close(ahead);
	/* what is wrong is told by who goes there */
	return st == TAF_END ? TAF_NEXT_NO : TAF_NEXT_YES;
}

enum taf_next
taf_reader_more(const struct taf_reader *r)
{
	const struct taf_elements *s = taf_elements_all(&r->from);
	uint64_t unread = s->in == r->in ? (s->left + s->rest) * s->esize : 0;

	if (r->over)
		return TAF_NEXT_NO;
	if (r->order.next == TAF_NEXT_YES)
		return TAF_NEXT_YES;
	if (s->ops->at == NULL || !taf_in_seekable(r->in))
		return TAF_NEXT_UNKNOWN;
	if ((r->flags & TAF_READ_GROWING) != 0 && !may_end(&r->order))
		return TAF_NEXT_UNKNOWN;
	if (r->order.next == TAF_NEXT_UNKNOWN && (r->flags & TAF_READ_GROWING) == 0)
		return look_behind(r, taf_in_offset(r->in) + unread);
	return taf_in_left(r->in) > unread ? TAF_NEXT_YES : TAF_NEXT_NO;
}

struct taf_reader_spot
taf_reader_where(const struct taf_reader *r)
{
	return r->spot;
}

void
taf_reader_go(struct taf_reader *r, const struct taf_reader_spot *spot)
{
	drop_data(r);
	taf_in_seek(r->in, spot->offset);
	r->order = spot->order;
	r->from.left = 0;
	r->over = r->late = false;
}

const struct taf_source *
taf_reader_source(const struct taf_reader *r)
{
	return r->is_taf ? &r->source : NULL;
}

uint64_t
taf_reader_offset(const struct taf_reader *r)
{
	return taf_in_offset(r->from.in);
}

bool
taf_reader_place(const struct taf_reader *r, struct taf_reader_place *place)
{
	const struct taf_elements *s = taf_elements_all(&r->from);

	place->file = s->in != r->in ? taf_in_name(s->in) : r->path;
	place->offset = r->is_taf ? r->source.data : taf_in_offset(s->in);
	place->big = !r->is_taf && taf_host_is_big() != (s->ops->copy == NULL);
	return r->is_taf || s->ops->at != NULL;
}

bool
taf_reader_late(const struct taf_reader *r)
{
	return r->late;
}

uint64_t
taf_reader_left(const struct taf_reader *r)
{
	return r->from.left * counted(r);
}

bool
taf_reader_sure(const struct taf_reader *r)
{
	return r->from.ops->sized && taf_in_seekable(r->from.in) &&
	    !taf_need_piped(taf_in_descriptor(r->from.in));
}

bool
taf_reader_plain(const struct taf_reader *r)
{
	return r->from.ops->at != NULL && taf_in_seekable(r->from.in) &&
	    !taf_in_coarse(r->from.in) && !taf_need_piped(taf_in_descriptor(r->from.in));
}

enum taf_status
taf_reader_before(const struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e)
{
	if (taf_array_sound(a, e) != TAF_OK)
		return e->code;
	if (a->type != r->from.type || taf_array_count(a) != r->from.left)
		return taf_fail(e, TAF_EMISUSE,
		    "internal: not the present array, or some of it was read");
	return TAF_OK;
}

/* Are *n parts, or elements, there?  *n becomes the number of elements. */
static enum taf_status
expect(const struct taf_reader *r, uint64_t *n, const char *what, struct taf_err *e)
{
	if (*n % counted(r) != 0)
		return taf_fail(e, TAF_EMISUSE, "internal: %s half of a pair", what);
	*n /= counted(r);
	return *n <= r->from.left ? TAF_OK :
	    taf_fail(e, TAF_EMISUSE, "internal: %s beyond the array", what);
}

/* Elements are about to be read: what was asked before does not hold for them. */
static void
touch(struct taf_reader *r)
{
	r->used = true;
	r->looked = false;
}

static enum taf_status
read_elements(struct taf_reader *r, void *buf, size_t n, struct taf_err *e)
{
	struct taf_elements *s = &r->from;
	enum taf_status st;

	touch(r);
	if (taf_need_asked() != NULL)
		return taf_need_read(buf, n * s->esize, e) == TAF_OK ?
		    taf_reader_skip(r, (uint64_t)n * counted(r), e) : e->code;
	st = s->ops->read(s, buf, n, e);
	s->left -= n;
	taf_err_name(e, taf_in_name(s->in));
	return st;
}

enum taf_status
taf_reader_read(struct taf_reader *r, void *buf, size_t n, struct taf_err *e)
{
	uint64_t elements = n;

	return expect(r, &elements, "read", e) == TAF_OK ?
	    read_elements(r, buf, (size_t)elements, e) : e->code;
}

enum taf_status
taf_reader_skip(struct taf_reader *r, uint64_t n, struct taf_err *e)
{
	struct taf_elements *s = &r->from;
	enum taf_status st = expect(r, &n, "skip", e);

	if (st != TAF_OK)
		return st;
	st = s->ops->skip(s, n, e);
	s->left -= n;
	taf_err_name(e, taf_in_name(s->in));
	return st;
}

enum taf_status
taf_reader_copy(struct taf_reader *r, struct taf_out *out, uint64_t n, struct taf_err *e)
{
	struct taf_elements *s = &r->from;
	enum taf_status st = expect(r, &n, "copy", e);
	unsigned char *block;

	if (st != TAF_OK)
		return st;
	touch(r);
	if (taf_need_asked() != NULL)
		return taf_need_end(0, e);
	if (s->ops->copy != NULL) {
		s->left -= n;
		return s->ops->copy(s, out, n, e);
	}
	block = taf_alloc(n < BLOCK / s->esize ? (size_t)n : BLOCK / s->esize, s->esize);
	if (block == NULL)
		return taf_fail_mem(e);
	while (n > 0 && st == TAF_OK) {
		size_t part = n < BLOCK / s->esize ? (size_t)n : BLOCK / s->esize;

		st = read_elements(r, block, part, e);
		if (st == TAF_OK)
			st = taf_out_write(out, block, part * s->esize, e);
		n -= part;
	}
	free(block);
	return st;
}

enum taf_status
taf_reader_spooled(struct taf_reader *r, struct taf_spool *spool, uint64_t count,
    enum taf_status st, struct taf_err *e)
{
	struct taf_elements *s = &r->from;
	struct taf_in *in;

	touch(r);
	if (st == TAF_OK)
		st = pass_over(r, e);
	if (st == TAF_OK)
		st = taf_reader_unchanged(r, e);
	/* next cannot pass over what stands behind these elements any more */
	if (st == TAF_OK && s->ops->end != NULL && s->in == r->in)
		st = s->ops->end(r->in, e);
	st = taf_spool_end(spool, st, taf_in_name(s->in), &in, e);
	if (st != TAF_OK)
		return st;
	drop_data(r);
	s->in = in;
	s->left = count;
	return TAF_OK;
}

/* The unread elements go to a temporary file. */
static enum taf_status
spool_elements(struct taf_reader *r, struct taf_err *e)
{
	const uint64_t count = r->from.left;
	struct taf_spool spool;
	enum taf_status st;

	taf_need_wait(true);
	taf_need_file(count * r->from.esize);
	if (taf_need_asked() != NULL)
		return TAF_OK;
	st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = taf_reader_copy(r, spool.out, taf_reader_left(r), e);
	return taf_reader_spooled(r, &spool, count, st, e);
}

enum taf_status
taf_reader_random(struct taf_reader *r, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	touch(r);
	if (!taf_reader_plain(r))
		st = spool_elements(r, e);
	r->base = taf_in_offset(r->from.in);
	r->count = r->from.left;
	return st;
}

enum taf_status
taf_reader_at(const struct taf_reader *r, void *buf, uint64_t first, size_t n,
    struct taf_err *e)
{
	const uint64_t count = r->count * counted(r);
	struct taf_elements s = r->from;

	if (first > count || n > count - first)
		return taf_fail(e, TAF_EMISUSE, "internal: read beyond the array");
	if (n == 0)
		return TAF_OK;
	if (r->parts) {
		s.type = taf_type_facts(s.type)->component;
		s.esize = taf_type_size(s.type);
	}
	return taf_need_asked() != NULL ? taf_need_read(buf, n * s.esize, e) :
	    s.ops->at(&s, buf, n, r->base + first * s.esize, e);
}

bool
taf_reader_plans(const struct taf_reader *r)
{
	return taf_in_far(r->from.in) && r->from.ops->at != NULL && r->from.part == NULL;
}

void
taf_reader_plan(struct taf_reader *r, const struct taf_ranges *elements)
{
	const uint64_t size = r->from.esize;
	struct taf_ranges bytes = *elements;
	unsigned k;

	bytes.first *= size;
	bytes.run *= size;
	for (k = 0; k < bytes.levels; k++)
		bytes.pitch[k] *= size;
	taf_in_plan(r->from.in, &bytes);
}

const void *
taf_reader_map(struct taf_reader *r)
{
	const struct taf_elements *s = &r->from;

	return s->ops->copy != NULL ? taf_in_map(s->in, r->base, r->count * s->esize) :
	    NULL;
}

enum taf_status
taf_reader_again(struct taf_reader **again, const struct taf_reader *r,
    const struct taf_array *a, struct taf_err *e)
{
	struct taf_in *in;
	enum taf_status st = taf_in_again(&in, r->from.in, r->base, e);

	if (st == TAF_OK)
		st = taf_reader_raw(again, in, a, taf_host_is_big(), e);
	if (st == TAF_OK)
		(*again)->from.ops = r->from.ops;
	return st;
}

/* Of text the last element tells what a file of its own holds behind it. */
static enum taf_status
look_beyond(const struct taf_reader *r, struct taf_err *e)
{
	const struct taf_elements *s = &r->from;
	enum taf_status st;

	if (s->ops->end == NULL || s->in == r->in || s->left + s->rest > 0)
		return TAF_OK;
	st = s->ops->end(s->in, e);
	if (st == TAF_OK)
		taf_reader_remark_more(r, taf_in_left(s->in));
	return st;
}

enum taf_status
taf_reader_unchanged(const struct taf_reader *r, struct taf_err *e)
{
	enum taf_status st = look_beyond(r, e);

	if (st == TAF_OK && r->used)
		st = taf_in_unchanged(r->in, e);
	if (st == TAF_OK && r->used && r->from.in != r->in)
		st = taf_in_unchanged(r->from.in, e);
	return st;
}

enum taf_status
taf_reader_finish(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = pass_over(r, e);

	if (st == TAF_OK && r->late) {
		r->late = false;
		st = taf_reader_tail(r, a, e);
		taf_err_name(e, taf_in_name(r->in));
	}
	if (st == TAF_OK)
		st = taf_reader_unchanged(r, e);
	r->looked = st == TAF_OK;
	return st;
}
