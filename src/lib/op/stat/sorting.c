/* SPDX-License-Identifier: ISC */
#include "op/stat/sorting.h"

#include <stdlib.h>
#include <string.h>

#include "array/columns.h"
#include "base/buf.h"
#include "base/need.h"
#include "base/num.h"
#include "kernel/stat/sort.h"
#include "op/stat/sorting_long.h"
#include "stream/lines.h"
#include "stream/relay.h"
#include "stream/transpose.h"

enum {
	/* elements of a line that is worth several threads */
	LONG = 512 * 1024,
	DOUBTFUL = 128 * 1024 * 1024	/* that are not believed before they have come */
};

enum taf_status
taf_sorting_resolve(const void *intent, const struct taf_array *in, struct taf_array *out,
    void *plan, struct taf_err *e)
{
	const struct taf_sorting *want = intent;
	enum taf_status st;

	(void)plan;
	if (taf_type_is_pair(in->type))
		return taf_fail(e, TAF_EDATA, "complex elements have no order");
	st = taf_dim_there(in, want->dim, e);
	if (st != TAF_OK)
		return st;
	/* what is counted has neither the name nor the unit of what it counts */
	out->dim[want->dim - 1].start = 1;
	out->dim[want->dim - 1].step = 1;
	st = taf_attr_set(out, "label", TAF_OF_DIM, want->dim, NULL, e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "unit", TAF_OF_DIM, want->dim, NULL, e);
	if (want->dim == 2)
		taf_columns_drop(out);
	if (st != TAF_OK || !want->index)
		return st;
	out->type = TAF_INT64;
	taf_array_unmap(out);
	return taf_attr_set(out, "unit", TAF_OF_ARRAY, 0, NULL, e);
}

struct job {
	const struct taf_along *along;
	struct taf_sort sort;
	struct taf_cut cut;
	size_t esize, osize;
	unsigned threads;
	unsigned char *scratch[TAF_THREADS_MOST];	/* of each: records, scratch */
};

static enum taf_status
sort_lines(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	struct job *j = ctx;
	const bool elements = j->sort.form == TAF_SORT_ELEMENTS;
	const size_t n = l->in_len, half = n * j->sort.record;
	unsigned char **records = &j->scratch[l->thread], *out = l->out;
	const unsigned char *in = l->in;
	size_t i;

	if (*records == NULL)
		*records = taf_alloc(2 * n, j->sort.record);
	if (*records == NULL)
		return taf_fail_mem(e);
	if (elements)
		memcpy(out, in, l->lines * n * j->esize);
	for (i = 0; i < l->lines; i++, in += n * j->esize, out += n * j->osize) {
		if (!elements)
			taf_sort_make(&j->sort, *records, in, n, 0);
		taf_sort_records(&j->sort, elements ? out : *records, *records + half, n);
		if (!elements)
			taf_sort_give(&j->sort, out, *records, n);
	}
	return TAF_OK;
}

/* Lines, each on one thread. */
static enum taf_status
by_lines(struct job *j, uint64_t memory, struct taf_err *e)
{
	const struct taf_along *l = j->along;
	const struct taf_lines lines = { .r = l->r, .a = l->a, .dim = l->dim,
	    .as = l->a->type, .stored = true, .out = l->out, .w = l->w,
	    .give = l->out->type, .line = sort_lines, .ctx = j,
	    .memory = memory, .threads = j->threads };
	enum taf_status st;
	unsigned k;

	taf_need_beside(2 * j->threads * j->cut.len * j->sort.record);
	st = taf_lines(&lines, e);
	for (k = 0; k < TAF_THREADS_MOST; k++)
		free(j->scratch[k]);
	return st;
}

static enum taf_status
to_writer(void *ctx, const void *results, size_t n, struct taf_err *e)
{
	return taf_writer_put(ctx, results, n, e);
}

struct file {
	struct taf_out *out;
	size_t size;
};

static enum taf_status
to_file(void *ctx, const void *results, size_t n, struct taf_err *e)
{
	const struct file *to = ctx;

	return taf_out_write(to->out, results, n * to->size, e);
}

/* Lines that lie one behind the other, each on all threads. */
static enum taf_status
sort_all(void *ctx, struct taf_reader *r, const struct taf_array *a, struct taf_out *to,
    struct taf_err *e)
{
	const struct job *j = ctx;
	const struct taf_service *service = j->along->service;
	struct file file = { to, j->osize };
	const struct taf_sample_sort line = { .r = r, .sort = &j->sort,
		.len = j->cut.len, .memory = service->memory,
		.threads = taf_threads(service),
		.put = to != NULL ? to_file : to_writer,
		.ctx = to != NULL ? (void *)&file : j->along->w };
	enum taf_status st = TAF_OK;
	uint64_t i;

	(void)a;
	if (line.len > DOUBTFUL && !taf_reader_sure(r))
		st = taf_reader_random(r, e);
	for (i = 0; i < j->cut.inner * j->cut.outer && st == TAF_OK; i++)
		st = taf_sample_sort(&line, e);
	return st;
}

/* Lines that are larger than the memory. */
static enum taf_status
by_files(struct job *j, struct taf_err *e)
{
	return taf_transposed(&(struct taf_transposed){ .along = j->along,
	    .lines = sort_all, .ctx = j }, e);
}

/*
 * Bytes that a line takes in taf_lines and in sort_lines; false where they are too many.
 */
static bool
cost(const struct job *j, uint64_t *lines, uint64_t *records)
{
	uint64_t sum;

	return taf_mul(3 * (j->esize + j->osize), j->cut.len, lines) &&
	    taf_mul(2 * j->sort.record, j->cut.len, records) &&
	    taf_add(*lines, *records, &sum);
}

enum taf_status
taf_sorting(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_sorting *want = m->intent;
	const struct taf_service *service = m->service;
	const struct taf_along along = taf_move_along(m, want->dim);
	const struct taf_array *a = m->in;
	const double map[2] = { a->intercept, a->slope };
	struct job j = { .along = &along, .cut = taf_array_cut(a, want->dim) };
	uint64_t lines, records;

	if (taf_array_count(a) == 0)
		return TAF_OK;
	j.sort = taf_sort_plan(a->type, taf_array_mapped(a) ? map : NULL,
	    want->descending, want->index, j.cut.len);
	j.esize = taf_type_size(a->type);
	j.osize = taf_type_size(m->out->type);
	if ((j.cut.inner == 1 && j.cut.len > LONG) || j.cut.len >= TAF_SORT_MOST ||
	    !cost(&j, &lines, &records) || lines + records > service->memory)
		return by_files(&j, e);
	j.threads = taf_threads_some(service->memory, taf_threads(service), 0,
	    lines + records);
	return by_lines(&j, service->memory - j.threads * records, e);
}
