/* SPDX-License-Identifier: ISC */
#include "format/table_import.h"

#include <stdlib.h>

#include "base/endian.h"
#include "io/spool.h"
#include "stream/relay.h"
#include "stream/reorder.h"

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
	/* so many rows, one behind the other: in memory, or in a file */
	uint64_t n;
	struct taf_buf held;
	struct taf_spool spool;
	struct taf_text_part *part[TAF_THREADS_MOST];
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

/* Bytes more of rows. */
static enum taf_status
keep(struct table *w, const void *rows, size_t bytes, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (w->spool.out == NULL && w->held.len + bytes <=
	    taf_memory_share(w->service->memory, TAF_BATCH))
		return taf_buf_put(&w->held, rows, bytes, e);
	if (w->spool.out == NULL) {
		st = taf_spool_begin(&w->spool, e);
		if (st == TAF_OK && w->held.len > 0)
			st = taf_out_write(w->spool.out, w->held.data, w->held.len, e);
		taf_buf_free(&w->held);
	}
	return st == TAF_OK ? taf_out_write(w->spool.out, rows, bytes, e) : st;
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct table *w = ctx;
	const void *rows = NULL;
	size_t n = 0;
	enum taf_status st = taf_text_give(w->t, w->part[slot], &rows, &n, e);

	w->n += n;
	return st == TAF_OK && n > 0 ? keep(w, rows, n * w->row, e) : st;
}

static enum taf_status
read_rows(struct table *w, struct taf_err *e)
{
	struct taf_relay relay = { w, take, work, give };
	unsigned threads = taf_text_short(w->t) ? 1 : taf_threads(w->service), k;
	enum taf_status st;

	st = taf_relay(&relay, taf_threads_some(w->service->memory, threads, 0, SLOT), e);
	for (k = 0; k < TAF_THREADS_MOST; k++)
		taf_text_part_free(w->part[k]);
	return st;
}

/* What came row by row goes out column by column. */
static enum taf_status
put_columns(struct table *w, enum taf_type type, struct taf_writer *to, struct taf_err *e)
{
	static const unsigned order[] = { 1, 0 };
	const uint64_t all = w->service->memory;
	const struct taf_reorder how = { .order = order, .writer = to,
	    .memory = w->held.len > 0 ? taf_memory_share(all, TAF_HELD) : all,
	    .jobs = taf_threads(w->service) };
	struct taf_reader *r = NULL;
	struct taf_array rows;
	struct taf_in *in;
	enum taf_status st;

	if (w->n == 0)
		return TAF_OK;
	taf_array_init(&rows);
	rows.type = type;
	taf_array_add_dim(&rows, taf_text_columns(w->t), 1, 1);
	taf_array_add_dim(&rows, w->n, 1, 1);
	st = w->spool.out == NULL ? taf_in_mem(&in, w->held.data, w->held.len, e) :
	    taf_spool_end(&w->spool, TAF_OK, "temporary file", &in, e);
	if (st == TAF_OK)
		st = taf_reader_raw(&r, in, &rows, taf_host_is_big(), e);
	if (st == TAF_OK)
		st = taf_reorder(&how, r, &rows, e);
	taf_reader_close(r);
	return st;
}

enum taf_status
taf_table_import(struct taf_import *im, struct taf_in *in, const struct taf_text_how *how,
    struct taf_text_notes *notes, struct taf_err *e)
{
	struct table w = { .service = im->service, .in = in, .spool = { .fd = -1 } };
	struct taf_array a = { 0 };
	enum taf_status st;
	bool wanted = false;

	*notes = (struct taf_text_notes){ 0 };
	if (taf_in_seekable(in))
		w.total = taf_in_offset(in) + taf_in_left(in);
	st = taf_text_open(&w.t, in, how, e);
	w.row = st == TAF_OK ? taf_text_columns(w.t) * taf_type_size(how->type) : 0;
	if (st != TAF_OK || read_rows(&w, e) != TAF_OK ||
	    taf_text_array(w.t, &a, e) != TAF_OK ||
	    taf_import_begin(im, &a, TAF_NEXT_NO, &wanted, e) != TAF_OK) {
		st = e->code;
	} else if (wanted) {
		*notes = *taf_text_notes(w.t);
		st = taf_import_end(im, &a, put_columns(&w, how->type, im->w, e), e);
	}
	taf_buf_free(&w.held);
	taf_spool_discard(&w.spool);
	taf_text_close(w.t);
	taf_array_fini(&a);
	return st;
}

void
taf_table_remark(const struct taf_service *service, const char *file,
    const struct taf_text_notes *notes, const char *rounded)
{
	if (notes->rounded > 0)
		taf_remark(service, "%s: %llu values were rounded to %s", file,
		    (unsigned long long)notes->rounded, rounded);
	if (notes->clipped > 0)
		taf_remark(service, "%s: %llu values were clipped", file,
		    (unsigned long long)notes->clipped);
	if (notes->broken > 0)
		taf_remark(service,
		    "%s: line %llu: what could be a row stands below the end of the table",
		    file, (unsigned long long)notes->broken);
	if (notes->cut > 0)
		taf_remark(service,
		    "%s: %llu bytes of text around the table are left out", file,
		    (unsigned long long)notes->cut);
}
