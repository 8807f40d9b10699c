/* SPDX-License-Identifier: ISC */
#include "stream/writer_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/need.h"
#include "base/str.h"
#include "codec/rsf.h"
#include "codec/taf_file.h"
#include "io/numbered.h"
#include "io/spool.h"
#include "io/temp.h"
#include "kernel/move/strided.h"
#include "kernel/number/convert_private.h"

enum {
	BLOCK = 1024 * 1024,
	/*
	 * An array of so many bytes, header included, waits until it is known what
	 * follows.  What is written waits in a buffer of this size anyway; more would
	 * keep the kernel from moving the elements.
	 */
	SMALL = 64 * 1024
};

struct taf_writer {
	struct taf_sink sink;
	struct taf_out *out;		/* of the present array, or of all */
	struct taf_out *data;		/* sink.data */
	struct taf_out **done;		/* finished files of the arrays before */
	size_t ndone;
	/* TAF has all real parts first: where those of a file, or of a spool, begin */
	uint64_t real;
	struct taf_spool imaginary;	/* of what cannot be written at any offset */
	size_t split;			/* pairs in block */
	unsigned long arrays;
	bool within;			/* between begin and end */
	bool broken;			/* a call has failed: nothing may follow */
	enum taf_next next;		/* what the present array's header says */
	/* of sink.data: it goes out when that is in place */
	struct taf_buf header;
	/* the present array waits, in header and elements */
	bool held;
	struct taf_buf elements;
	enum taf_type type;
	bool parts;			/* of its pairs are counted */
	size_t esize;
	unsigned ndim;
	uint64_t count, left;		/* its elements, and those still to come */
	unsigned char *block;
};

enum taf_status
taf_writer_open(struct taf_writer **result, const struct taf_sink *sink,
    struct taf_err *e)
{
	struct taf_writer *w = calloc(1, sizeof *w);

	if (w == NULL)
		return taf_fail_mem(e);
	w->sink = *sink;
	w->imaginary.fd = -1;
	*result = w;
	return TAF_OK;
}

static bool
is_numbered(const struct taf_writer *w)
{
	return w->sink.path != NULL && !w->sink.in_place && !w->sink.literal &&
	    taf_numbered(w->sink.path);
}

static enum taf_status
open_out(struct taf_writer *w, struct taf_err *e)
{
	const char *path = w->sink.path;
	struct taf_str name = { .err = e };
	enum taf_status st;

	if (path == NULL) {
		st = taf_out_fd(&w->out, 1, "standard output", e);
		if (st == TAF_OK && w->sink.lend)
			taf_out_lend(w->out);
		return st;
	}
	if (!is_numbered(w)) {
		st = taf_out_create(&w->out, path, e);
		if (st == TAF_OK && w->sink.in_place)
			taf_out_locked(w->out);
		return st;
	}
	taf_numbered_name(w->sink.path, w->arrays + 1, &name);
	st = name.st != TAF_OK ? name.st : taf_out_create(&w->out, name.buf.data, e);
	taf_str_free(&name);
	return st;
}

static enum taf_status
begin_taf(struct taf_writer *w, const struct taf_array *a, struct taf_err *e)
{
	unsigned char header[TAF_HEADER_MAX];
	struct taf_array file;
	enum taf_status st;
	size_t n;

	st = taf_file_shape(a, &file, e);
	if (st == TAF_OK && w->out == NULL)
		st = open_out(w, e);
	if (st != TAF_OK)
		return st;
	n = taf_header_format(&file, header);
	st = taf_out_write(w->out, header, n, e);
	w->split = 0;
	if (st != TAF_OK || !taf_type_is_pair(a->type))
		return st;
	return taf_out_seekable(w->out) ?
	    taf_out_region(w->out, taf_array_bytes(a), &w->real, e) :
	    taf_spool_begin(&w->imaginary, e);
}

static enum taf_status
write_buf(struct taf_writer *w, const struct taf_buf *b, struct taf_err *e)
{
	return b->len > 0 ? taf_out_write(w->out, b->data, b->len, e) : TAF_OK;
}

/* It is known now what follows the array that was held back. */
static enum taf_status
let_go(struct taf_writer *w, enum taf_next next, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (!w->held)
		return TAF_OK;
	w->held = false;
	if (next == TAF_NEXT_YES)
		st = taf_rsf_announce(&w->header, e);
	if (st == TAF_OK)
		st = write_buf(w, &w->header, e);
	if (st == TAF_OK)
		st = write_buf(w, &w->elements, e);
	w->next = next;
	/* who reads it need not wait for what follows */
	return st == TAF_OK ? taf_out_flush(w->out, e) : st;
}

static enum taf_status
begin_rsf(struct taf_writer *w, const struct taf_array *a, enum taf_next next,
    struct taf_err *e)
{
	bool held = false;

	if (next == TAF_NEXT_UNKNOWN && taf_array_bytes(a) < SMALL) {
		if (taf_rsf_format(a, w->sink.history, TAF_NEXT_NO, NULL, &w->header,
		    e) != TAF_OK)
			return e->code;
		held = taf_array_bytes(a) + w->header.len <= SMALL;
	}
	if ((!held && taf_rsf_format(a, w->sink.history, next, w->sink.data, &w->header,
	    e) != TAF_OK) ||
	    (w->sink.data != NULL && taf_out_create(&w->data, w->sink.data, e) !=
	    TAF_OK) || (w->out == NULL && open_out(w, e) != TAF_OK) ||
	    (!held && w->data == NULL && write_buf(w, &w->header, e) != TAF_OK))
		return e->code;
	w->elements.len = 0;
	w->held = held;
	w->next = next;
	return TAF_OK;
}

/* Behind the arrays that were there before. */
static enum taf_status
begin_next(struct taf_writer *w, const struct taf_array *a, enum taf_next next,
    struct taf_err *e)
{
	enum taf_status st = let_go(w, TAF_NEXT_YES, e);

	if (st == TAF_OK && w->arrays > 0 && w->next == TAF_NEXT_NO)
		st = taf_fail(e, TAF_EDATA,
		    "an array behind the last one: has the input grown?");
	return st == TAF_OK ? begin_rsf(w, a, next, e) : st;
}

void
taf_writer_parts(struct taf_writer *w)
{
	w->parts = true;
}

/* What is counted of an element. */
static unsigned
counted(const struct taf_writer *w)
{
	return w->parts ? 2 : 1;
}

/* May *n parts, or elements, come?  *n becomes the number of elements. */
static enum taf_status
expect(const struct taf_writer *w, uint64_t *n, struct taf_err *e)
{
	if (taf_need_asked() != NULL)
		return taf_need_end(0, e);
	if (!w->within || w->broken)
		return taf_fail(e, TAF_EMISUSE, "internal: no array is begun");
	if (*n % counted(w) != 0)
		return taf_fail(e, TAF_EMISUSE, "internal: write half of a pair");
	*n /= counted(w);
	if (*n > w->left)
		return taf_fail(e, TAF_EMISUSE, "internal: write beyond the array");
	return TAF_OK;
}

/* What has failed leaves no output that could be taken for a whole one. */
static enum taf_status
settle(struct taf_writer *w, enum taf_status st)
{
	w->broken = w->broken || (st != TAF_OK && st != TAF_END);
	return st;
}

static enum taf_status
begin(struct taf_writer *w, const struct taf_array *a, enum taf_next next,
    struct taf_err *e)
{
	const bool planned = w->sink.stamp != NULL && w->sink.stamp->plan != NULL;
	bool numbered = is_numbered(w);
	bool several = next == TAF_NEXT_YES || w->arrays > 0;
	enum taf_status st;

	if (taf_array_check(a, e) != TAF_OK)
		return e->code;
	if (several && w->sink.data != NULL)
		return taf_fail(e, TAF_EDATA,
		    "several arrays: only one can have its elements in a file of their own");
	if (several && w->sink.format == TAF_FORMAT_TAF && !numbered)
		return taf_fail(e, TAF_EDATA, "%s",
		    "several arrays: a TAF file holds one (-o NAME-%d.taf writes each, tafappend joins them)");
	if (planned) {
		w->arrays++;
		return w->sink.stamp->plan(w->sink.stamp->ctx, a, next, e);
	}
	if (w->sink.format == TAF_FORMAT_TAF)
		st = begin_taf(w, a, e);
	else if (numbered || w->sink.data != NULL)
		st = begin_rsf(w, a, TAF_NEXT_NO, e);
	else
		st = begin_next(w, a, next, e);
	if (st != TAF_OK)
		return st;
	w->type = a->type;
	w->parts = false;
	w->esize = taf_type_size(a->type);
	w->ndim = a->ndim;
	w->count = w->left = taf_array_count(a);
	w->within = true;
	w->arrays++;
	return TAF_OK;
}

/* The number of an array that has a file of its own, if it is the n-th. */
static unsigned long
number_of(const struct taf_writer *w, unsigned long n)
{
	return is_numbered(w) ? n : 0;
}

/* Attributes stand before the elements of RSF, and behind those of TAF. */
static enum taf_status
begin_stamped(struct taf_writer *w, const struct taf_array *a, enum taf_next next,
    struct taf_err *e)
{
	const struct taf_stamp *stamp = w->sink.stamp;
	struct taf_array stamped = { 0 };
	enum taf_status st = stamp->ready(stamp->ctx, e);

	if (st == TAF_OK && w->sink.format == TAF_FORMAT_TAF)
		return begin(w, a, next, e);
	if (st == TAF_OK)
		st = taf_array_copy(&stamped, a, e);
	if (st == TAF_OK)
		st = stamp->add(stamp->ctx, &stamped, number_of(w, w->arrays + 1), NULL,
		    e);
	if (st == TAF_OK)
		st = begin(w, &stamped, next, e);
	taf_array_fini(&stamped);
	return st;
}

enum taf_status
taf_writer_begin(struct taf_writer *w, const struct taf_array *a, enum taf_next next,
    struct taf_err *e)
{
	if (w->within)
		return taf_fail(e, TAF_EMISUSE, "internal: an array within an array");
	if (w->broken)
		return taf_fail(e, TAF_EMISUSE, "internal: an array behind a failure");
	if (taf_array_sound(a, e) != TAF_OK)
		return e->code;
	return settle(w, w->sink.stamp != NULL && w->sink.stamp->plan == NULL ?
	    begin_stamped(w, a, next, e) : begin(w, a, next, e));
}

static struct taf_out *
target(const struct taf_writer *w)
{
	return w->data != NULL ? w->data : w->out;
}

/* Are elements written as they are in memory? */
static bool
plain(const struct taf_writer *w)
{
	return w->sink.format == TAF_FORMAT_RSF ||
	    (!taf_type_is_pair(w->type) && !taf_swap_needed(w->type, false));
}

/* The parts of the pairs in block. */
static enum taf_status
write_split(struct taf_writer *w, struct taf_err *e)
{
	unsigned char *re = w->block, *im = w->block + BLOCK / 2;
	const size_t word = taf_type_word(w->type), n = w->split * word;
	const uint64_t at = w->real + word * (w->count - w->left - w->split);
	enum taf_status st;

	if (taf_swap_needed(w->type, false)) {
		taf_swap_bytes(re, word, w->split);
		taf_swap_bytes(im, word, w->split);
	}
	w->split = 0;
	if (w->imaginary.out != NULL) {
		st = taf_out_write(w->out, re, n, e);
		return st == TAF_OK ? taf_out_write(w->imaginary.out, im, n, e) : st;
	}
	st = taf_out_pwrite(w->out, re, n, at, e);
	return st == TAF_OK ? taf_out_pwrite(w->out, im, n, at + word * w->count, e) : st;
}

static enum taf_status
put_split(struct taf_writer *w, const unsigned char *p, size_t n, struct taf_err *e)
{
	const size_t word = taf_type_word(w->type), most = BLOCK / 2 / word;
	enum taf_status st = TAF_OK;

	while (n > 0 && st == TAF_OK) {
		const size_t room = most - w->split, part = n < room ? n : room;
		const ptrdiff_t one[1] = { (ptrdiff_t)word }, two[1] = { 2 * one[0] };
		const struct taf_strided v = { word, 1, &part, one, two };
		unsigned char *to = w->block + w->split * word;

		taf_strided_copy(to, p, &v);
		taf_strided_copy(to + BLOCK / 2, p + word, &v);
		p += 2 * word * part;
		n -= part;
		w->left -= part;
		w->split += part;
		if (w->split == most)
			st = write_split(w, e);
	}
	return st;
}

static enum taf_status
put_swapped(struct taf_writer *w, const unsigned char *p, size_t n, struct taf_err *e)
{
	size_t most = BLOCK / w->esize;
	enum taf_status st = TAF_OK;

	while (n > 0 && st == TAF_OK) {
		size_t part = n < most ? n : most;

		memcpy(w->block, p, part * w->esize);
		taf_swap_elements(w->block, w->type, part);
		st = taf_out_write(w->out, w->block, part * w->esize, e);
		p += part * w->esize;
		n -= part;
	}
	return st;
}

static enum taf_status
put(struct taf_writer *w, const void *p, size_t n, struct taf_err *e)
{
	if (w->block == NULL && !plain(w) && (w->block = taf_alloc(1, BLOCK)) == NULL)
		return taf_fail_mem(e);
	if (!plain(w) && taf_type_is_pair(w->type))
		return put_split(w, p, n, e);
	w->left -= n;
	if (w->held)
		return taf_buf_put(&w->elements, p, n * w->esize, e);
	return plain(w) ? taf_out_write(target(w), p, n * w->esize, e) :
	    put_swapped(w, p, n, e);
}

enum taf_status
taf_writer_put(struct taf_writer *w, const void *p, size_t n, struct taf_err *e)
{
	uint64_t elements = n;

	if (expect(w, &elements, e) != TAF_OK)
		return e->code;
	return settle(w, put(w, p, (size_t)elements, e));
}

/* n elements of r, or where that is NULL of in, by way of memory. */
static enum taf_status
put_blocks(struct taf_writer *w, struct taf_reader *r, struct taf_in *in, uint64_t n,
    struct taf_err *e)
{
	const size_t most = BLOCK / w->esize;
	enum taf_status st = TAF_OK;
	unsigned char *block = taf_alloc(n < most ? (size_t)n : most, w->esize);

	if (block == NULL)
		return taf_fail_mem(e);
	while (n > 0 && st == TAF_OK) {
		size_t part = n < most ? (size_t)n : most;

		st = r != NULL ? taf_reader_read(r, block, part * counted(w), e) :
		    taf_in_read(in, block, part * w->esize, e);
		if (st == TAF_OK)
			st = put(w, block, part, e);
		n -= part;
	}
	free(block);
	return st;
}

enum taf_status
taf_writer_copy(struct taf_writer *w, struct taf_reader *r, uint64_t n, struct taf_err *e)
{
	if (expect(w, &n, e) != TAF_OK)
		return e->code;
	if (w->held || !plain(w))
		return settle(w, put_blocks(w, r, NULL, n, e));
	w->left -= n;
	return settle(w, taf_reader_copy(r, target(w), n * counted(w), e));
}

enum taf_status
taf_writer_move(struct taf_writer *w, struct taf_in *in, uint64_t n, struct taf_err *e)
{
	if (expect(w, &n, e) != TAF_OK)
		return e->code;
	if (w->held || !plain(w))
		return settle(w, put_blocks(w, NULL, in, n, e));
	w->left -= n;
	return settle(w, taf_out_copy(target(w), in, n * w->esize, e));
}

enum taf_status
taf_writer_spool(struct taf_writer *w, struct taf_spool *s, enum taf_status st,
    uint64_t n, struct taf_err *e)
{
	struct taf_in *in = NULL;

	st = taf_spool_end(s, st, "temporary file", &in, e);
	if (st == TAF_OK)
		st = taf_writer_move(w, in, n, e);
	taf_in_close(in);
	return st;
}

enum taf_status
taf_writer_region(struct taf_writer *w, struct taf_out **out, uint64_t *base,
    struct taf_err *e)
{
	uint64_t none = 0;
	enum taf_status st;

	*out = NULL;
	if (taf_need_asked() != NULL || expect(w, &none, e) != TAF_OK)
		return e->code;
	if (w->held || !plain(w) || !taf_out_seekable(target(w)))
		return TAF_OK;
	st = taf_out_region(target(w), w->left * w->esize, base, e);
	if (st != TAF_OK)
		return settle(w, st);
	w->left = 0;
	*out = target(w);
	return TAF_OK;
}

enum taf_status
taf_writer_flush(struct taf_writer *w, struct taf_err *e)
{
	return w->held ? TAF_OK : settle(w, taf_out_flush(target(w), e));
}

unsigned long
taf_writer_arrays(const struct taf_writer *w)
{
	return w->arrays;
}

uint64_t
taf_writer_moved(const struct taf_writer *w)
{
	const struct taf_out *out = target(w);

	return out != NULL ? taf_out_moved(out) : 0;
}

/* What stands behind the elements of a TAF file, from here on. */
static enum taf_status
put_tail(struct taf_writer *w, const struct taf_array *a, struct taf_err *e)
{
	struct taf_buf tail = { 0 };
	enum taf_status st = taf_tail_format(a, &tail, e);

	if (st == TAF_OK)
		st = taf_out_write(w->out, tail.data, tail.len, e);
	taf_buf_free(&tail);
	return st;
}

/* The same with the stamp, which has the result from now on if there is one. */
static enum taf_status
put_stamped(struct taf_writer *w, const struct taf_array *a, const char *result,
    struct taf_err *e)
{
	const struct taf_stamp *stamp = w->sink.stamp;
	struct taf_array stamped = { 0 };
	enum taf_status st = taf_array_copy(&stamped, a, e);

	if (st == TAF_OK)
		st = stamp->add(stamp->ctx, &stamped, number_of(w, w->arrays), result, e);
	if (st == TAF_OK)
		st = put_tail(w, &stamped, e);
	taf_array_fini(&stamped);
	return st;
}

/* A file that was begun here is read, and its tail written again with the result. */
static enum taf_status
put_result(struct taf_writer *w, const struct taf_array *a, struct taf_err *e)
{
	const struct taf_stamp *stamp = w->sink.stamp;
	const bool readable = taf_out_target(w->out) != NULL && taf_out_seekable(w->out);
	char result[TAF_STAMP_TEXT];
	uint64_t at = 0;
	enum taf_status st = readable ? taf_out_region(w->out, 0, &at, e) : TAF_OK;

	if (st == TAF_OK)
		st = put_stamped(w, a, NULL, e);
	if (st == TAF_OK && readable)
		st = taf_out_flush(w->out, e);
	if (st != TAF_OK || !readable)
		return st;
	st = stamp->digest(stamp->ctx, taf_out_descriptor(w->out), result, e);
	if (st == TAF_OK)
		st = taf_out_seek(w->out, at, e);
	return st == TAF_OK ? put_stamped(w, a, result, e) : st;
}

static enum taf_status
end_taf(struct taf_writer *w, const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = w->split > 0 ? write_split(w, e) : TAF_OK;

	if (w->imaginary.out != NULL) {
		struct taf_in *in;

		st = taf_spool_end(&w->imaginary, st, "temporary file", &in, e);
		if (st == TAF_OK) {
			st = taf_out_copy(w->out, in, taf_in_left(in), e);
			taf_in_close(in);
		}
	}
	if (st != TAF_OK)
		return st;
	return w->sink.stamp != NULL ? put_result(w, a, e) : put_tail(w, a, e);
}

/* Put a finished file away until all are. */
static enum taf_status
keep(struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = taf_out_finish(w->out, e);
	struct taf_out **grown;

	if (st != TAF_OK)
		return st;
	if ((w->ndone & (w->ndone - 1)) == 0) {
		grown = realloc(w->done, (w->ndone != 0 ? w->ndone * 2 : 1) *
		    sizeof *grown);
		if (grown == NULL)
			return taf_fail_mem(e);
		w->done = grown;
	}
	w->done[w->ndone++] = w->out;
	w->out = NULL;
	return TAF_OK;
}

enum taf_status
taf_writer_end(struct taf_writer *w, const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (taf_need_asked() != NULL)
		return taf_need_end(0, e);
	if (!w->within || w->broken || w->left > 0)
		return taf_fail(e, TAF_EMISUSE,
		    "internal: %llu elements were not written",
		    (unsigned long long)w->left);
	if (a->type != w->type || a->ndim != w->ndim || taf_array_count(a) != w->count)
		return taf_fail(e, TAF_EMISUSE, "internal: another array was begun");
	w->within = false;
	if (w->sink.format == TAF_FORMAT_TAF)
		st = end_taf(w, a, e);
	if (st == TAF_OK && is_numbered(w) && w->data == NULL)
		st = keep(w, e);
	/* nothing may come for long */
	else if (st == TAF_OK && w->next == TAF_NEXT_UNKNOWN && !w->held)
		st = taf_out_flush(w->out, e);
	return settle(w, st);
}

/* Nothing follows any more: say so, if it was not known before. */
static enum taf_status
end_stream(struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = let_go(w, TAF_NEXT_NO, e);

	if (st == TAF_OK && w->next == TAF_NEXT_UNKNOWN)
		st = taf_rsf_format_end(w->arrays, &w->header, e);
	if (st == TAF_OK && w->next == TAF_NEXT_UNKNOWN)
		st = taf_out_write_last(w->out, w->header.data, w->header.len, e);
	return st;
}

/* One name, or the first and the last of several. */
static void
put_names(const struct taf_writer *w, const char *lead, size_t from, size_t to,
    struct taf_str *s)
{
	taf_str_puts(s, lead);
	taf_numbered_name(w->sink.path, from, s);
	if (from < to) {
		taf_str_puts(s, " to ");
		taf_numbered_name(w->sink.path, to, s);
	}
}

/* Of ndone files n have appeared, and then one could not: add to e which those are. */
static void
say_which(const struct taf_writer *w, size_t n, struct taf_err *e)
{
	size_t at = strlen(e->text);
	struct taf_err ignored = { 0 };
	struct taf_str s = { .err = &ignored };

	put_names(w, "; new: ", 1, n, &s);
	put_names(w, "; as before: ", n + 1, w->ndone, &s);
	if (s.st == TAF_OK)
		(void)snprintf(e->text + at, sizeof e->text - at, "%s", s.buf.data);
	taf_str_free(&s);
}

/* Write the header of elements in a file of their own. */
static enum taf_status
put_header(struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = write_buf(w, &w->header, e);

	return st == TAF_OK ? taf_out_finish(w->out, e) : st;
}

/* Every file is safe before the first appears. */
static enum taf_status
finish(struct taf_writer *w, struct taf_err *e)
{
	struct taf_out *const two[] = { w->data, w->out };

	if (w->within)
		return taf_fail(e, TAF_EMISUSE, "internal: closed within an array");
	if (w->broken)
		return taf_fail(e, TAF_EMISUSE, "internal: closed behind a failure");
	if (end_stream(w, e) != TAF_OK)
		return e->code;
	if (w->data == NULL)
		return w->out != NULL ? taf_out_finish(w->out, e) :
		    taf_outs_apart(w->done, w->ndone, e);
	if (taf_outs_apart(two, 2, e) != TAF_OK || taf_out_finish(w->data, e) != TAF_OK)
		return e->code;
	return taf_out_target(w->out) != NULL ? put_header(w, e) : TAF_OK;
}

/*
 * What there is besides numbered files appears.  A header that is written directly tells
 * of elements that are in place; where it does not get through, their old file is back.
 */
static enum taf_status
place(struct taf_writer *w, struct taf_err *e)
{
	struct taf_out *data = w->data, *out = w->out, *both[] = { out, data };
	size_t n = data != NULL ? 2 : 1;
	enum taf_status st;

	if (out == NULL)
		return TAF_OK;
	/* while signals are still taken: it may have to wait */
	st = taf_outs_claim(both, &n, e);
	if (st != TAF_OK)
		return st;
	taf_signals_hold();
	w->data = NULL;
	if (data != NULL)
		st = taf_out_appear_before(data, out, e);
	if (data != NULL && st == TAF_OK && taf_out_target(out) == NULL)
		st = put_header(w, e);
	if (st == TAF_OK) {
		w->out = NULL;
		st = taf_out_commit(out, e);
	}
	if (data != NULL)
		st = taf_out_settle(data, st, e);
	if (st != TAF_OK) {
		taf_out_discard(w->out);
		w->out = NULL;
	}
	taf_signals_let();
	return st;
}

/* Numbered files appear, as many at a time as can be locked at once. */
static enum taf_status
place_all(struct taf_writer *w, struct taf_err *e)
{
	size_t at = 0, there = 0, n;
	enum taf_status st = TAF_OK;

	while (at < w->ndone && st == TAF_OK) {
		n = w->ndone - at;
		st = taf_outs_claim(w->done + at, &n, e);
		/* between the first and the last nothing ends it */
		if (at == 0)
			taf_signals_hold();
		for (n += at; at < n && st == TAF_OK; at++) {
			st = taf_out_commit(w->done[at], e);
			w->done[at] = NULL;
			there += st == TAF_OK;
		}
	}
	if (w->ndone > 0)
		taf_signals_let();
	if (st != TAF_OK && there > 0)
		say_which(w, there, e);
	return st;
}

enum taf_status
taf_writer_close(struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = finish(w, e);

	if (st == TAF_OK)
		st = place(w, e);
	if (st == TAF_OK)
		st = place_all(w, e);
	taf_writer_discard(w);
	return st;
}

enum taf_status
taf_writer_settle(struct taf_writer *w, enum taf_status st, struct taf_err *e)
{
	if (st == TAF_OK)
		return taf_writer_close(w, e);
	taf_writer_discard(w);
	return st;
}

void
taf_writer_discard(struct taf_writer *w)
{
	int saved = errno;
	size_t i;

	if (w == NULL)
		return;
	taf_out_discard(w->out);
	taf_out_discard(w->data);
	for (i = 0; i < w->ndone; i++)
		taf_out_discard(w->done[i]);
	taf_spool_discard(&w->imaginary);
	taf_buf_free(&w->header);
	taf_buf_free(&w->elements);
	free(w->done);
	free(w->block);
	free(w);
	errno = saved;
}
