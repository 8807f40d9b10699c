/* SPDX-License-Identifier: ISC */
#include "op/move/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/taf_file.h"
#include "kernel/move/strided.h"
#include "kernel/number/marks.h"
#include "stream/tiles.h"

enum {
	PIECE = 64 * 1024,	/* elements moved at a time */
	SHARE = 256 * 1024,	/* bytes of each part in a block, which stays in cache */
	FOUND = 1024 * 1024,	/* the same where each may have to be found first */
	/* bytes of a run that is not brought together with others */
	LONG = 256 * 1024
};

/* --- what goes together --- */

void
taf_fit_fini(struct taf_fit *f)
{
	int fact;

	for (fact = 0; fact < TAF_FIT_FACTS; fact++)
		taf_buf_free(&f->note[fact].text);
	*f = (struct taf_fit){ 0 };
}

/* A text of dimension k, from 1, or of the values, for 0; none is empty. */
static const char *
text_of(const struct taf_array *a, const char *key, unsigned k)
{
	const char *text = taf_attr_get(a, key, k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY, k);

	return text != NULL ? text : "";
}

enum taf_status
taf_fit_shape(unsigned dim, const struct taf_array *first, const struct taf_array *a,
    struct taf_err *e)
{
	unsigned k;

	if (a->ndim != first->ndim)
		return taf_fail(e, TAF_EDATA, "%u dimensions, but the first array has %u",
		    a->ndim, first->ndim);
	if (taf_type_is_pair(a->type) != taf_type_is_pair(first->type))
		return taf_fail(e, TAF_EDATA, "%s elements, but the first array has %s",
		    taf_type_name(a->type), taf_type_name(first->type));
	for (k = 0; k < a->ndim; k++)
		if (k != dim && a->dim[k].n != first->dim[k].n)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: length %llu, but the first array has %llu",
			    k + 1, (unsigned long long)a->dim[k].n,
			    (unsigned long long)first->dim[k].n);
	return TAF_OK;
}

enum taf_status
taf_fit_units(const struct taf_array *first, const char *name, const struct taf_array *a,
    struct taf_err *e)
{
	char place[32];
	unsigned k;

	for (k = 0; k <= a->ndim; k++) {
		const char *x = text_of(a, "unit", k), *y = text_of(first, "unit", k);

		if (x[0] == '\0' || y[0] == '\0' || strcmp(x, y) == 0)
			continue;
		(void)snprintf(place, sizeof place, k > 0 ? "dimension %u" : "the values",
		    k);
		return taf_fail(e, TAF_EDATA, "%s: unit %s, but %s in %s", place, x, y,
		    name);
	}
	return TAF_OK;
}

/* Where an array would begin along the joined dimension, if it continued those before. */
static double
next_start(const struct taf_fit *f)
{
	const struct taf_dim *d = &f->first->dim[f->dim];

	return d->start + (double)f->n * d->step;
}

/* Append the values that mark missing elements; nothing where that does NaN, or none. */
static void
put_missing(struct taf_str *to, const struct taf_array *a)
{
	static const char *const key[] = { TAF_MISSING_KEY "_FillValue",
		TAF_MISSING_ZARR "_FillValue", TAF_MISSING_KEY "missing_value",
		TAF_MISSING_ZARR "missing_value" };
	const struct taf_recode how = { .from = a->type, .to = TAF_FLT64,
		.from_mapped = taf_array_mapped(a), .from_map = { a->intercept, a->slope }
	};
	size_t k;

	for (k = 0; k < 4 && to->buf.len == 0 && !taf_type_is_pair(a->type); k++) {
		const char *numbers = text_of(a, key[k], 0);

		if (!taf_missing_recode(to, numbers, &how) || to->st != TAF_OK ||
		    strcmp(to->buf.data, "nan") == 0)
			to->buf.len = 0;
	}
}

/* Does it mark others than the first array does? */
static bool
marks_others(const struct taf_array *first, const struct taf_array *a)
{
	struct taf_err ignored = { 0 };
	struct taf_str ours = { .err = &ignored }, theirs = { .err = &ignored };
	bool others;

	put_missing(&ours, a);
	put_missing(&theirs, first);
	others = ours.buf.len > 0 && (theirs.buf.len == 0 ||
	    strcmp(ours.buf.data, theirs.buf.data) != 0);
	taf_str_free(&ours);
	taf_str_free(&theirs);
	return others;
}

/* Does an array differ in this along dimension k (0: of the values)? */
static bool
differs(const struct taf_fit *f, const struct taf_array *array, enum taf_fit_fact fact,
    unsigned k)
{
	static const char *const key[] = { "unit", "label" };
	const struct taf_dim *a, *b;

	if (fact == TAF_FIT_UNIT || fact == TAF_FIT_LABEL)
		return strcmp(text_of(array, key[fact], k),
		    text_of(f->first, key[fact], k)) != 0;
	if (fact == TAF_FIT_MISSING)
		return k == 0 && marks_others(f->first, array);
	if (k == 0)
		return false;
	a = &array->dim[k - 1];
	b = &f->first->dim[k - 1];
	/* a single point has no step */
	if (fact == TAF_FIT_STEP)
		return a->n > 1 && !taf_grid_near(a->step, b->step, b->step);
	if (a->n == 0 || taf_grid_near(a->start, b->start, b->step))
		return false;
	/* along dim it may continue those before it, or begin as the first one does */
	return k - 1 != f->dim || (!differs(f, array, TAF_FIT_STEP, k) &&
	    !taf_grid_near(a->start, next_start(f), b->step));
}

static void
put_value(struct taf_str *text, const struct taf_array *a, enum taf_fit_fact fact,
    unsigned k)
{
	struct taf_str marks = { .err = text->err };
	const char *word;

	if (fact == TAF_FIT_MISSING) {
		put_missing(&marks, a);
		taf_str_puts(text, marks.buf.len > 0 ? marks.buf.data : "none");
		taf_str_free(&marks);
		return;
	}
	if (fact == TAF_FIT_STEP || fact == TAF_FIT_START) {
		taf_str_f64(text, fact == TAF_FIT_STEP ? a->dim[k - 1].step :
		    a->dim[k - 1].start);
		return;
	}
	word = text_of(a, fact == TAF_FIT_UNIT ? "unit" : "label", k);
	taf_str_puts(text, word[0] != '\0' ? word : "none");
}

static void
put_difference(const struct taf_fit *f, const struct taf_array *a, const char *name,
    enum taf_fit_fact fact, unsigned k, struct taf_str *text)
{
	static const char *const fact_name[TAF_FIT_FACTS] = {
		"unit", "label", "step", "start", "missing value"
	};

	taf_str_printf(text, "%s: ", name);
	if (k > 0)
		taf_str_printf(text, "dimension %u", k);
	else
		taf_str_puts(text, "the values");
	taf_str_printf(text, ": %s ", fact_name[fact]);
	put_value(text, a, fact, k);
	taf_str_puts(text, ", but ");
	if (fact == TAF_FIT_START && k - 1 == f->dim) {
		taf_str_f64(text, next_start(f));
		taf_str_puts(text, " follows the arrays before it");
		return;
	}
	put_value(text, f->first, fact, k);
	taf_str_printf(text, " in %s", f->name);
}

/* Count an array that differs in a fact, and keep the text of the first one. */
static enum taf_status
note(struct taf_fit *f, const struct taf_array *a, const char *name,
    enum taf_fit_fact fact, struct taf_err *e)
{
	struct taf_fit_note *n = &f->note[fact];
	struct taf_str text = { .err = e };
	unsigned k;

	for (k = 0; k <= a->ndim && !differs(f, a, fact, k); k++)
		continue;
	if (k > a->ndim || n->count++ > 0)
		return TAF_OK;
	put_difference(f, a, name, fact, k, &text);
	n->text = text.buf;
	return text.st;
}

enum taf_status
taf_fit_add(struct taf_fit *f, const struct taf_array *a, const char *name,
    struct taf_err *e)
{
	enum taf_status st;
	int fact;

	if (f->first == NULL) {
		f->first = a;
		f->name = name;
	}
	st = taf_fit_shape(f->dim, f->first, a, e);
	if (st == TAF_OK && !f->any_unit)
		st = taf_fit_units(f->first, f->name, a, e);
	for (fact = 0; fact < TAF_FIT_FACTS && st == TAF_OK && a != f->first; fact++)
		st = note(f, a, name, (enum taf_fit_fact)fact, e);
	/* stacked arrays have one point each; 2^62 is the most that an array may have */
	f->n += f->dim < a->ndim ? a->dim[f->dim].n : 1;
	if (st == TAF_OK && f->n > UINT64_C(1) << 62)
		st = taf_fail(e, TAF_EDATA, "the arrays together are too long");
	taf_err_name(e, name);
	return st;
}

void
taf_fit_remark(const struct taf_fit *f, enum taf_fit_fact fact,
    const struct taf_service *service)
{
	const struct taf_fit_note *n = &f->note[fact];

	if (n->count > 1)
		taf_remark(service, "%s (%zu arrays differ)", n->text.data, n->count);
	else if (n->count > 0)
		taf_remark(service, "%s", n->text.data);
}

enum taf_status
taf_fit_end(const struct taf_fit *f, struct taf_array *a,
    const struct taf_service *service, struct taf_err *e)
{
	struct taf_array file;
	enum taf_status st;
	int fact;

	if (f->dim == a->ndim)
		taf_array_add_dim(a, 1, 1, 1);
	a->dim[f->dim].n = f->n;
	st = taf_array_check(a, e);
	for (fact = 0; fact < TAF_FIT_FACTS && st == TAF_OK; fact++)
		taf_fit_remark(f, (enum taf_fit_fact)fact, service);
	if (st != TAF_OK || a->code == 0)
		return st;
	/* a stack of columns is no column */
	st = taf_file_shape(a, &file, e);
	if (st == TAF_OK && !taf_code_fits(a->code, taf_code_rank(&file))) {
		taf_remark(service,
		    "type code %u is dropped: it does not go with %u dimensions",
		    (unsigned)a->code, file.ndim);
		a->code = 0;
	}
	return st;
}

/* --- their elements --- */

bool
taf_join_alike(const struct taf_array *a, const struct taf_array *b)
{
	const bool mapped = taf_array_mapped(a);

	if (a->type != b->type || mapped != taf_array_mapped(b))
		return false;
	return !mapped || (taf_same_bits(a->intercept, b->intercept) &&
	    taf_same_bits(a->slope, b->slope));
}

enum taf_status
taf_join_begin(struct taf_join_part *p, const struct taf_array *out, struct taf_err *e)
{
	struct taf_recode how;

	if (p->v != NULL || taf_join_alike(out, p->a))
		return TAF_OK;
	if (taf_values_plan_as(&how, p->a, out, false, e) != TAF_OK)
		return e->code;
	return taf_values_open(&p->v, p->r, p->a, NULL, &how, e);
}

enum taf_status
taf_join_read(struct taf_join_part *p, const struct taf_array *out, void *to, size_t n,
    struct taf_err *e)
{
	enum taf_status st;

	if (p->v == NULL)
		return taf_reader_read(p->r, to, n, e);
	st = taf_values_get(p->v, to, n, e);
	if (st == TAF_OK && !p->rounds && taf_values_count(p->v)->rounded > 0)
		st = taf_fail(e, TAF_EDATA,
		    "a value is not exact as %s of the first array",
		    taf_type_name(out->type));
	return st;
}

struct job {
	const struct taf_join *how;
	size_t row, most;		/* bytes of a row of all parts; rows of a tile */
	uint64_t at;			/* elements that are in earlier tiles */
	bool alike;			/* all parts have runs of one length */
	bool *apart;			/* parts that any thread reads, at any row */
};

/* The rows of a tile, from number from on: in its scratch part after part. */
struct rows {
	uint64_t from;
	size_t count;
};

static struct rows
rows_of(const struct job *b, const struct taf_tile *t)
{
	const size_t row = b->row / taf_type_size(b->how->out->type);

	return (struct rows){ t->out.first / row, t->out.n / row };
}

static enum taf_status
enter(const struct taf_join *j, size_t k, uint64_t at, struct taf_err *e)
{
	enum taf_status st = j->find != NULL ? j->find(j->ctx, k, at, e) : TAF_OK;

	return st == TAF_OK ? taf_join_begin(&j->part[k], j->out, e) : st;
}

static enum taf_status
leave(const struct taf_join *j, size_t k, enum taf_status st, struct taf_err *e)
{
	if (j->leave != NULL)
		st = j->leave(j->ctx, k, st, e);
	taf_err_name(e, j->part[k].name);
	return st;
}

/* A run of a part that is open, by pieces of buffer. */
static enum taf_status
pass_pieces(struct taf_join_part *p, const struct taf_array *out, struct taf_writer *w,
    unsigned char *buffer, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	uint64_t left;
	size_t n;

	if (p->v == NULL)
		return taf_writer_copy(w, p->r, p->run, e);
	for (left = p->run; left > 0 && st == TAF_OK; left -= n) {
		n = left < PIECE ? (size_t)left : PIECE;
		st = taf_join_read(p, out, buffer, n, e);
		if (st == TAF_OK)
			st = taf_writer_put(w, buffer, n, e);
	}
	return st;
}

enum taf_status
taf_join_pass(struct taf_join_part *p, const struct taf_array *out, struct taf_writer *w,
    struct taf_err *e)
{
	unsigned char *buffer = taf_alloc(PIECE, taf_type_size(out->type));
	enum taf_status st = buffer != NULL ? taf_join_begin(p, out, e) : taf_fail_mem(e);

	if (st == TAF_OK)
		st = pass_pieces(p, out, w, buffer, e);
	taf_err_name(e, p->name);
	free(buffer);
	return st;
}

/* The next run of a part. */
static enum taf_status
pass_run(const struct taf_join *j, size_t k, uint64_t at, unsigned char *buffer,
    struct taf_err *e)
{
	enum taf_status st = enter(j, k, at, e);

	if (st == TAF_OK)
		st = pass_pieces(&j->part[k], j->out, j->w, buffer, e);
	return leave(j, k, st, e);
}

/* Long runs: one after the other. */
static enum taf_status
pass_runs(const struct taf_join *j, struct taf_err *e)
{
	unsigned char *buffer = taf_alloc(PIECE, taf_type_size(j->out->type));
	enum taf_status st = buffer != NULL ? TAF_OK : taf_fail_mem(e);
	uint64_t row;
	size_t k;

	for (row = 0; row < j->rows && st == TAF_OK; row++)
		for (k = 0; k < j->parts && st == TAF_OK; k++)
			st = pass_run(j, k, row * j->part[k].run, buffer, e);
	free(buffer);
	return st;
}

/* The elements of a part for some rows, in the order of the part. */
static enum taf_status
fetch(const struct job *b, const struct rows *m, size_t k, unsigned char *to,
    struct taf_err *e)
{
	const struct taf_join *j = b->how;
	struct taf_join_part *p = &j->part[k];
	const size_t n = (size_t)p->run * m->count;
	enum taf_status st;

	if (b->apart[k]) {
		st = taf_reader_at(p->r, to, m->from * p->run, n, e);
		taf_err_name(e, p->name);
		return st;
	}
	st = enter(j, k, m->from * p->run, e);
	if (st == TAF_OK)
		st = taf_join_read(p, j->out, to, n, e);
	return leave(j, k, st, e);
}

/* Those of the parts that are read apart, or of the others. */
static enum taf_status
fetch_parts(const struct job *b, const struct taf_tile *t, bool apart, struct taf_err *e)
{
	const size_t esize = taf_type_size(b->how->out->type);
	const struct rows m = rows_of(b, t);
	unsigned char *to = t->scratch;
	enum taf_status st = TAF_OK;
	size_t k;

	for (k = 0; k < b->how->parts && st == TAF_OK; k++) {
		if (b->how->part[k].run > 0 && b->apart[k] == apart)
			st = fetch(b, &m, k, to, e);
		to += (size_t)b->how->part[k].run * esize * m.count;
	}
	return st;
}

/* Bring count parts from number k on, whose runs have one length, into the rows. */
static void
arrange(const struct job *b, const struct taf_tile *t, size_t at, size_t run,
    size_t count)
{
	const size_t esize = taf_type_size(b->how->out->type), bytes = run * esize;
	const size_t rows = rows_of(b, t).count, n[] = { run, count, rows };
	const ptrdiff_t to[] = { (ptrdiff_t)esize, (ptrdiff_t)bytes, (ptrdiff_t)b->row };
	const ptrdiff_t from[] = { to[0], (ptrdiff_t)(bytes * rows), to[1] };

	taf_strided_copy(t->stored + at, (unsigned char *)t->scratch + at * rows,
	    &(struct taf_strided){ esize, 3, n, to, from });
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *b = ctx;
	const size_t row = b->row / taf_type_size(b->how->out->type);

	t->scratch_size = b->most * b->row;
	return taf_tile_piece(t, 0, &b->at, b->how->rows * row, b->most * row);
}

/* Parts that come in order, by one thread at a time. */
static enum taf_status
pass(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	return fetch_parts(ctx, t, false, e);
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	const struct job *b = ctx;
	const struct taf_join *j = b->how;
	const size_t esize = taf_type_size(j->out->type);
	enum taf_status st = fetch_parts(b, t, true, e);
	size_t k, at = 0;

	if (st == TAF_OK && b->alike)
		arrange(b, t, 0, (size_t)j->part[0].run, j->parts);
	for (k = 0; k < j->parts && st == TAF_OK && !b->alike; k++) {
		arrange(b, t, at, (size_t)j->part[k].run, 1);
		at += (size_t)j->part[k].run * esize;
	}
	return st;
}

/* Files that lie ready are read by the threads; the others in order, by one at a time. */
static enum taf_status
part_readers(struct job *b, bool *sure, struct taf_err *e)
{
	const struct taf_join *j = b->how;
	enum taf_status st = TAF_OK;
	size_t k;

	*sure = true;
	for (k = 0; k < j->parts && st == TAF_OK; k++) {
		struct taf_reader *r = j->part[k].r;

		b->apart[k] = j->find == NULL && taf_reader_plain(r) &&
		    taf_join_alike(j->out, j->part[k].a);
		*sure = *sure && b->apart[k] && taf_reader_sure(r);
		if (b->apart[k])
			st = taf_reader_random(r, e);
	}
	return st;
}

/* All rows, some at a time. */
static enum taf_status
join_rows(struct job *b, unsigned threads, struct taf_err *e)
{
	const size_t esize = taf_type_size(b->how->out->type);
	struct taf_tiles tiles = { .w = b->how->w, .osize = esize, .record = 1,
		.count = b->how->rows * (b->row / esize), .threads = threads, .ctx = b,
		.next = next, .pass = pass, .work = work };
	bool sure = false;
	enum taf_status st;

	b->apart = calloc(b->how->parts, sizeof *b->apart);
	if (b->apart == NULL)
		return taf_fail_mem(e);
	st = part_readers(b, &sure, e);
	tiles.unsure = !sure;
	if (st == TAF_OK)
		st = taf_tiles(&tiles, e);
	free(b->apart);
	return st;
}

enum taf_status
taf_join(const struct taf_join *j, struct taf_err *e)
{
	const uint64_t share = j->find != NULL ? FOUND : SHARE;
	uint64_t most = taf_memory_share(j->memory, TAF_HELD);
	uint64_t row = 0, least = UINT64_MAX;
	struct job b = { .how = j, .alike = true };
	unsigned threads;
	size_t k;

	for (k = 0; k < j->parts; k++) {
		const uint64_t run = j->part[k].run * taf_type_size(j->out->type);

		row += run;
		least = run < least ? run : least;
		b.alike = b.alike && j->part[k].run == j->part[0].run;
	}
	if (j->rows == 1 || least >= LONG || row > most || row / FOUND >= j->parts)
		return pass_runs(j, e);
	if (row == 0 || j->rows == 0)
		return TAF_OK;
	threads = taf_threads_some(most, taf_threads_for(j->threads,
	    j->rows * row / share), 0, row);
	most /= threads;
	if (most / share > j->parts)
		most = j->parts * share > row ? j->parts * share : row;
	b.row = (size_t)row;
	b.most = (size_t)(most / row < j->rows ? most / row : j->rows);
	return join_rows(&b, threads, e);
}
