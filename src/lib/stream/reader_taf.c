/* SPDX-License-Identifier: ISC */
#include "stream/reader_source.h"

#include "io/spool.h"
#include "io/undo_file.h"

enum { BLOCK = 64 * 1024, MOST = TAF_COMMENT_MAX + 1 };

enum taf_status
taf_reader_tail(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	const bool all = taf_in_seekable(r->in);
	const uint64_t left = taf_in_left(r->in);
	const unsigned char *p;
	size_t want = !all ? BLOCK : left < MOST ? (size_t)left : MOST, got, text;

	/* of a file all of it, of a pipe as it comes; of too much, what it begins with */
	for (;; want = want < MOST / 2 ? want * 2 : MOST) {
		if (taf_in_peek(r->in, want, &p, &got, e) != TAF_OK)
			return e->code;
		if (all || got < want || want == MOST)
			break;
	}
	r->source.size = r->source.comment + got;
	if (got == 0)
		return TAF_OK;
	if (taf_tail_check((const char *)p, got, taf_in_offset(r->in), e) != TAF_OK)
		return e->code;
	if (got > TAF_COMMENT_MAX)
		return taf_fail(e, TAF_EDATA, "a comment of more than %d bytes",
		    (int)TAF_COMMENT_MAX);
	text = taf_tail_text((const char *)p, got);
	if (text < got)
		taf_reader_remark(r, "offset %llu: byte %u of the comment is not text",
		    (unsigned long long)(taf_in_offset(r->in) + text), p[text]);
	return taf_tail_parse((const char *)p, got, a, e);
}

/* Can what a TAF file holds behind its data change its shape? */
static bool
shape_is_open(const struct taf_array *a)
{
	uint64_t last = a->dim[a->ndim - 1].n;

	return (a->ndim == 2 && last == 1) || (last == 2 && !taf_type_is_int(a->type));
}

enum taf_status
taf_reader_taf(struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	struct taf_source *s = &r->source;
	char undo[TAF_UNDO_NAME];
	const unsigned char *p;
	enum taf_status st;
	uint64_t bytes, start;
	bool grows;
	size_t got;

	st = taf_in_peek(r->in, TAF_HEADER_MAX, &p, &got, e);
	r->marked = st == TAF_OK && taf_undo_marked(p, got, undo);
	if (r->marked)
		return taf_fail(e, TAF_EDATA,
		    "a change of it goes on, or was interrupted: wait, or open it where %s lies beside it",
		    undo);
	if (st != TAF_OK || taf_header_parse(p, got, a, &s->form, e) != TAF_OK)
		return e->code;
	r->is_taf = r->over = true;
	r->late = (r->flags & TAF_LATE_COMMENT) != 0 && !taf_in_seekable(r->in) &&
	    !shape_is_open(a);
	if (!taf_in_seekable(r->in) && !r->late) {
		st = taf_spool_rest(&r->in, e);
		r->from.in = r->in;
		if (st != TAF_OK)
			return st;
	}
	start = taf_in_offset(r->in);
	bytes = taf_array_bytes(a);
	s->data = start + s->form.header;
	s->comment = s->data + bytes;
	s->size = 0;
	st = taf_in_skip(r->in, s->form.header, e);
	grows = (r->flags & TAF_READ_GROWING) != 0 && taf_in_left(r->in) <= bytes;
	taf_in_grows(r->in, grows);
	if (st == TAF_OK && taf_in_seekable(r->in) && !grows) {
		if (bytes > taf_in_left(r->in))
			return taf_fail(e, TAF_EDATA,
			    "data of %llu bytes, but %llu follow the header",
			    (unsigned long long)bytes,
			    (unsigned long long)taf_in_left(r->in));
		st = taf_in_skip(r->in, bytes, e);
		if (st == TAF_OK)
			st = taf_reader_tail(r, a, e);
		/* back to the data, without what the tail left in the buffer */
		taf_in_advance(r->in, s->data - taf_in_offset(r->in));
	}
	r->from.ops = taf_elements_binary(a->type, false);
	if (st == TAF_OK && taf_type_is_pair(a->type)) {
		r->from.ops = &taf_elements_planes;
		st = taf_in_again(&r->from.second, r->in, s->data + bytes / 2, e);
	}
	return st;
}
