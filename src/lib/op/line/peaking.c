/* SPDX-License-Identifier: ISC */
#include "op/line/peaking.h"

#include <math.h>
#include <stdlib.h>

#include "array/region.h"
#include "base/buf.h"
#include "base/need.h"
#include "base/num.h"
#include "base/str.h"
#include "op/line/peaking_line.h"
#include "stream/lines_private.h"
#include "stream/transpose.h"
#include "stream/values.h"

enum { ROWS = 1024 };		/* of a table, written at a time */

struct job {
	const struct taf_peaking *how;
	struct taf_dim dim;
};

enum taf_status
taf_peaking_shape(struct taf_array *out, const struct taf_array *in, unsigned dim,
    uint64_t rows, struct taf_err *e)
{
	enum taf_status st;

	if (taf_type_is_pair(in->type))
		return taf_fail(e, TAF_EDATA, "complex elements have no order");
	if (taf_dim_there(in, dim, e) != TAF_OK)
		return e->code;
	if (in->dim[dim - 1].n == 0)
		return taf_fail(e, TAF_EDATA, "dimension %u has no points", dim);
	if (in->dim[dim - 1].step == 0 || !taf_is_finite(in->dim[dim - 1].step))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: the step of its grid is %s", dim,
		    taf_brief(in->dim[dim - 1].step).s);
	out->type = TAF_FLT64;
	taf_array_unmap(out);
	out->dim[dim - 1] = (struct taf_dim){ rows, 1, 1 };
	/* what is counted has neither the name nor the unit of what it counts */
	st = taf_attr_set(out, "label", TAF_OF_DIM, dim, NULL, e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "unit", TAF_OF_DIM, dim, NULL, e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "unit", TAF_OF_ARRAY, 0, NULL, e);
	return st == TAF_OK ? taf_array_insert_dim(out, 1, (struct taf_dim){ 3, 1, 1 },
	    e) : st;
}

/* Some rows of a table, from number first on. */
static void
put(const struct job *j, double *out, size_t first, size_t rows,
    const struct taf_peak *peak, size_t found)
{
	const double step = j->dim.step < 0 ? -j->dim.step : j->dim.step;
	size_t i;

	for (i = 0; i < rows; i++, out += 3) {
		const struct taf_peak *p;

		out[0] = out[1] = out[2] = (double)NAN;
		if (first + i >= found)
			continue;
		p = &peak[first + i];
		out[0] = j->dim.start + p->place * j->dim.step;
		out[1] = p->height;
		if (p->width == p->width)
			out[2] = p->width * step;
	}
}

static enum taf_status
line(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	const struct job *j = ctx;
	struct taf_peaking_line one = { .how = &j->how->peaks, .n = l->in_len,
	    .x = l->in, .scratch = l->scratch };
	const struct taf_peak *peak;
	double *out = l->out;
	size_t i, found;

	for (i = 0; i < l->lines; i++, one.x += l->in_len, out += 3 * l->out_len) {
		if (taf_peaking_line(&one, true, &peak, &found, e) != TAF_OK)
			return e->code;
		put(j, out, 0, l->out_len, peak, found);
	}
	return TAF_OK;
}

/* A table of so many rows to w or to a file. */
static enum taf_status
put_table(const struct job *j, uint64_t rows, const struct taf_peak *peak, size_t found,
    struct taf_writer *w, struct taf_out *to, struct taf_err *e)
{
	double some[3 * ROWS];
	enum taf_status st = TAF_OK;
	uint64_t at;
	size_t n;

	for (at = 0; at < rows && st == TAF_OK; at += n) {
		n = rows - at < ROWS ? (size_t)(rows - at) : ROWS;
		put(j, some, (size_t)at, n, peak, found);
		st = w != NULL ? taf_writer_put(w, some, 3 * n, e) :
		    taf_out_write(to, some, 3 * n * sizeof *some, e);
	}
	return st;
}

/*
 * Lines that are larger than the memory, one by one: to w or to tables of so many rows.
 * Where both are NULL, the greatest number of peaks goes to *most.
 */
static enum taf_status
long_lines(const struct taf_peaking *how, struct taf_reader *r, const struct taf_array *a,
    struct taf_writer *w, struct taf_out *to, uint64_t *most, struct taf_err *e)
{
	const struct job j = { .how = how, .dim = how->a->dim[how->dim - 1] };
	const bool tables = w != NULL || to != NULL;
	struct taf_store peaks = { NULL, 0, false };
	struct taf_recode recode;
	struct taf_peaking_line l = { .how = &how->peaks, .r = r, .recode = &recode,
	    .n = a->dim[0].n, .memory = how->service->memory, .peaks = &peaks };
	const struct taf_peak *peak;
	const uint64_t all = taf_array_count(a);
	enum taf_status st;
	size_t found;

	if ((l.scratch = malloc(taf_peaking_piece())) == NULL)
		return taf_fail_mem(e);
	st = taf_values_plan(&recode, a, TAF_FLT64, false, false, e);
	if (st == TAF_OK)
		st = taf_reader_random(r, e);
	for (; l.base < all && st == TAF_OK; l.base += l.n) {
		st = taf_peaking_line(&l, tables, &peak, &found, e);
		if (st == TAF_OK && tables)
			st = put_table(&j, *most, peak, found, w, to, e);
		else if (found > *most)
			*most = found;
	}
	taf_store_free(&peaks);
	free(l.scratch);
	return st;
}

struct tables {
	const struct taf_peaking *how;
	uint64_t rows;
	struct taf_writer *w;
};

static enum taf_status
turned_lines(void *ctx, struct taf_reader *r, const struct taf_array *a,
    struct taf_out *to, struct taf_err *e)
{
	struct tables *t = ctx;

	return long_lines(t->how, r, a, to == NULL ? t->w : NULL, to, &t->rows, e);
}

enum taf_status
taf_peaking(const struct taf_peaking *how, uint64_t rows, struct taf_writer *w,
    struct taf_err *e)
{
	struct job j = { .how = how, .dim = how->a->dim[how->dim - 1] };
	struct tables tables = { how, rows, w };
	struct taf_array out = *how->a;
	struct taf_lines lines = { .r = how->r, .a = how->a, .dim = how->dim,
	    .as = TAF_FLT64, .out = &out, .w = w, .give = TAF_FLT64, .line = line,
	    .ctx = &j, .record = 3, .threads = taf_threads(how->service),
	    .memory = how->service->memory };
	const struct taf_along along = { how->service, how->r, how->a, how->dim, &out,
		w, false };
	const struct taf_transposed turned = { .along = &along, .record = 3,
	    .lines = turned_lines, .ctx = &tables };
	const uint64_t bytes = taf_peaking_bytes(&how->peaks,
	    how->a->dim[how->dim - 1].n);
	struct taf_need need = { 0, 0 };

	if (rows == 0)
		return TAF_OK;
	out.dim[how->dim - 1].n = rows;
	out.type = TAF_FLT64;
	taf_array_unmap(&out);
	return bytes < UINT64_MAX && taf_to_size(bytes, &need.scratch) &&
	    taf_lines_fit(&lines, &need) ?
	    taf_lines_with(&lines, &need, e) : taf_transposed(&turned, e);
}

/* A plan ends where peaks are counted: say what the tables would take then, at most. */
static void
need_tables(const struct taf_peaking *how)
{
	const uint64_t len = how->a->dim[how->dim - 1].n, memory = how->service->memory;
	const uint64_t most = memory / taf_threads(how->service);
	uint64_t each = taf_peaking_bytes(&how->peaks, len);

	/* beside the points and three numbers of each peak */
	if (each < most)
		each += (len + 3 * (len / 2 + 1)) * sizeof(double);
	taf_need_beside(each < most ? each * taf_threads(how->service) : memory);
}

enum taf_status
taf_peaking_count(const struct taf_peaking *how, uint64_t *most, struct taf_err *e)
{
	struct taf_reader *again = NULL, *turned = NULL;
	struct taf_array lines;
	enum taf_status st;

	*most = 0;
	taf_need_again(taf_array_bytes(how->a));
	need_tables(how);
	st = taf_reader_random(how->r, e);
	if (st == TAF_OK)
		st = taf_reader_again(&again, how->r, how->a, e);
	if (st == TAF_OK)
		st = taf_transpose_open(how->service, again, how->a, how->dim, &lines,
		    &turned, e);
	if (st == TAF_OK)
		st = long_lines(how, turned != NULL ? turned : again, &lines, NULL, NULL,
		    most, e);
	taf_reader_close(turned);
	taf_reader_close(again);
	return st;
}
