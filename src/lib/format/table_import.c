#include "format/table_import.h"

#include <stdlib.h>
#include <string.h>

#include "op/columns.h"
#include "stream/relay.h"

enum {
	PART = 256 * 1024,		/* bytes of text that a thread parses at a time */
	SLOT = 6 * PART			/* for it and its values */
};

struct table {
	const struct taf_service *service;
	struct taf_in *in;
	struct taf_text *t;
	size_t row;			/* in bytes */
	uint64_t total;			/* bytes of in, 0 if not known */
	struct taf_columns *c;
	struct taf_text_part *part[TAF_RELAY_MOST];
};

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct table *w = ctx;

	taf_progress(w->service, taf_in_offset(w->in), w->total);
	return taf_text_take(w->t, &w->part[slot], PART, more, e);
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	struct table *w = ctx;

	return taf_text_parse(w->t, w->part[slot], e);
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct table *w = ctx;
	const unsigned char *p = NULL;
	const void *rows = NULL;
	size_t n, room;
	enum taf_status st = taf_text_give(w->t, w->part[slot], &rows, &n, e);
	void *to;

	for (p = rows; st == TAF_OK && n > 0; p += room * w->row, n -= room) {
		st = taf_columns_room(w->c, &to, &room, e);
		if (st != TAF_OK)
			break;
		if (room > n)
			room = n;
		memcpy(to, p, room * w->row);
		taf_columns_take(w->c, room);
	}
	return st;
}

static enum taf_status
read_rows(struct table *w, struct taf_err *e)
{
	struct taf_relay relay = { w, take, work, give };
	unsigned threads = taf_text_short(w->t) ? 1 : taf_threads(w->service), k;
	enum taf_status st;

	st = taf_relay(&relay, taf_threads_some(w->service->memory, threads, 0, SLOT), e);
	for (k = 0; k < TAF_RELAY_MOST; k++)
		taf_text_part_free(w->part[k]);
	return st;
}

enum taf_status
taf_table_import(struct taf_import *im, struct taf_in *in, const struct taf_text_how *how,
    struct taf_text_notes *notes, struct taf_err *e)
{
	struct table w = { .service = im->service, .in = in };
	struct taf_array a = { 0 };
	enum taf_status st;
	bool wanted = false;

	*notes = (struct taf_text_notes){ 0 };
	if (taf_in_seekable(in))
		w.total = taf_in_offset(in) + taf_in_left(in);
	st = taf_text_open(&w.t, in, how, e);
	if (st == TAF_OK) {
		w.row = taf_text_columns(w.t) * taf_type_size(how->type);
		st = taf_columns_open(&w.c, taf_type_size(how->type),
		    taf_text_columns(w.t), im->service->memory, e);
	}
	if (st != TAF_OK || read_rows(&w, e) != TAF_OK ||
	    taf_text_array(w.t, &a, e) != TAF_OK ||
	    taf_import_begin(im, &a, TAF_NEXT_NO, &wanted, e) != TAF_OK) {
		st = e->code;
	} else if (wanted) {
		*notes = *taf_text_notes(w.t);
		st = taf_import_end(im, &a, taf_columns_write(w.c, im->w, e), e);
	}
	taf_columns_close(w.c);
	taf_text_close(w.t);
	taf_array_fini(&a);
	return st;
}
