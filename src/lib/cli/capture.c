#include "cli/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/endian.h"
#include "base/num.h"
#include "stream/spool.h"
#include "stream/values.h"

enum {
	BLOCK = 1024 * 1024,	/* a multiple of every size of a sample */
	OPT_MATRIX = 256
};

const struct cmd_option cmd_capture_options[] = {
	{ OPT_MATRIX, "matrix", NULL, "records side by side as columns of one array" },
	{ 0, NULL, NULL, NULL },
};

/* The descriptor that goes out for a record alone. */
static enum taf_status
shape(struct taf_record *r, const struct cmd_capture *how, struct taf_err *e)
{
	return how->convert ? taf_values_shape(&r->array, how->type, false, e) : TAF_OK;
}

/* Why two records cannot be columns of one array; NULL if they can. */
static const char *
difference(const struct taf_record *a, const struct taf_record *b)
{
	const struct taf_array *x = &a->array, *y = &b->array;

	if (x->dim[0].n != y->dim[0].n)
		return "length";
	if (x->type != y->type)
		return "type";
	if (!taf_same_bits(x->intercept, y->intercept) || !taf_same_bits(x->slope, y->slope))
		return "mapping";
	if (!taf_same_bits(x->dim[0].step, y->dim[0].step))
		return "step";
	return NULL;
}

/* The array of all records side by side: a is that of the first one. */
static enum taf_status
join(const struct taf_capture *c, struct taf_array *a, struct taf_err *e)
{
	if (!taf_mul(a->dim[1].n, c->nrecords, &a->dim[1].n))
		return taf_fail(e, TAF_EDATA, "%llu records are too many",
		    (unsigned long long)c->nrecords);
	if (c->has_start)
		a->dim[0].start = c->start;
	return taf_array_check(a, e);
}

enum taf_status
cmd_capture_check(const struct taf_capture *c, const struct cmd_capture *how,
    struct taf_err *e)
{
	struct taf_record first = { 0 }, r = { 0 };
	enum taf_status st = TAF_OK;
	const char *what = NULL;
	uint64_t k;

	if (c->nrecords == 0)
		return taf_fail(e, TAF_EDATA, "no records");
	for (k = 0; k < c->nrecords && st == TAF_OK; k++) {
		struct taf_record *to = k == 0 ? &first : &r;

		taf_array_fini(&to->array);
		st = taf_capture_record(c, k, to, e);
		if (st == TAF_OK && k > 0 && how->matrix &&
		    (what = difference(&first, &r)) != NULL)
			st = taf_fail(e, TAF_EDATA,
			    "record %llu differs from the first in %s: not one array",
			    (unsigned long long)k + 1, what);
		if (st == TAF_OK)
			st = shape(to, how, e);
	}
	if (st == TAF_OK && how->matrix)
		st = join(c, &first.array, e);
	taf_array_fini(&first.array);
	taf_array_fini(&r.array);
	return st;
}

/* Where the samples of a record are read, and what happens to them on the way. */
struct mover {
	const struct taf_record *r;
	struct cmd_capture *how;
	struct taf_writer *w;
	bool swap, interleaved;
	double mapping[2];
	bool mapped;
	enum taf_type type;	/* of what goes out */
	uint64_t done;
	unsigned char *block, *converted;
};

/* Rows that are in the block, column j of them, moved to its start. */
static void
pick_column(struct mover *m, size_t rows, size_t columns, size_t j)
{
	size_t size = taf_type_size(m->r->stored), i;

	for (i = 0; i < rows; i++)
		memmove(m->block + i * size, m->block + (i * columns + j) * size, size);
}

static enum taf_status
put_block(struct mover *m, size_t n, struct taf_err *e)
{
	size_t good;

	if (m->swap)
		taf_swap_bytes(m->block, taf_type_word(m->r->stored), n);
	if (m->converted == NULL)
		return taf_writer_put(m->w, m->block, n, e);
	good = taf_convert(m->converted, m->type, m->block, m->r->stored, n,
	    m->mapped ? m->mapping : NULL, m->how->clip, &m->how->count);
	if (good < n)
		return taf_fail(e, TAF_EDATA, "sample %llu does not fit %s",
		    (unsigned long long)(m->done + good + 1), taf_type_name(m->type));
	m->done += n;
	return taf_writer_put(m->w, m->converted, n, e);
}

/* All rows from in; where they are interleaved column j of them alone. */
static enum taf_status
move_blocks(struct mover *m, struct taf_in *in, size_t j, struct taf_err *e)
{
	size_t size = taf_type_size(m->r->stored);
	size_t columns = m->interleaved ? (size_t)m->r->array.dim[1].n : 1;
	uint64_t rows = m->interleaved ? m->r->array.dim[0].n :
	    taf_array_count(&m->r->array);
	size_t most = BLOCK / size / columns;
	enum taf_status st = TAF_OK;

	while (rows > 0 && st == TAF_OK) {
		size_t part = rows < most ? (size_t)rows : most;

		st = taf_in_read(in, m->block, part * columns * size, e);
		if (st == TAF_OK && m->interleaved)
			pick_column(m, part, columns, j);
		if (st == TAF_OK)
			st = put_block(m, part, e);
		rows -= part;
	}
	return st;
}

static enum taf_status
move_samples(struct mover *m, struct taf_in *in, uint64_t offset, struct taf_err *e)
{
	bool plain = !m->swap && !m->interleaved && m->type == m->r->stored && !m->mapped;
	size_t j, columns = m->interleaved ? (size_t)m->r->array.dim[1].n : 1;
	struct taf_in *again = NULL;
	enum taf_status st = TAF_OK;

	if (!plain && (m->block = taf_alloc(1, BLOCK)) == NULL)
		return taf_fail_mem(e);
	if (m->type != m->r->stored || m->mapped) {
		m->converted = taf_alloc(BLOCK / taf_type_size(m->r->stored),
		    taf_type_size(m->type));
		if (m->converted == NULL)
			st = taf_fail_mem(e);
	}
	for (j = 0; j < columns && st == TAF_OK; j++) {
		st = taf_in_again(&again, in, offset, e);
		if (st != TAF_OK)
			break;
		st = plain ? taf_writer_move(m->w, again, taf_array_count(&m->r->array),
		    e) : move_blocks(m, again, j, e);
		taf_in_close(again);
	}
	free(m->block);
	free(m->converted);
	return st;
}

/* The samples of record k, to w, which is within an array of the right type. */
static enum taf_status
move_record(const struct taf_capture *c, uint64_t k,
    const struct taf_record *r, struct cmd_capture *how, struct taf_writer *w,
    struct taf_err *e)
{
	struct mover m = { 0 };
	struct taf_spool spool = { 0 };
	struct taf_in *in;
	enum taf_status st;

	m.r = r;
	m.how = how;
	m.w = w;
	m.swap = !r->packed && r->big != taf_host_is_big() &&
	    taf_type_word(r->stored) > 1;
	m.interleaved = r->interleaved && r->array.dim[1].n > 1;
	m.type = how->convert ? how->type : r->array.type;
	m.mapped = r->scaled || (how->convert && taf_array_mapped(&r->array));
	m.mapping[0] = r->scaled ? r->shift : r->array.intercept;
	m.mapping[1] = r->scaled ? r->scale : r->array.slope;
	if (!r->packed)
		return move_samples(&m, c->in, c->base + r->offset, e);
	st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = c->unpack(c, k, r, spool.out, e);
	if (st != TAF_OK) {
		taf_spool_discard(&spool);
		return st;
	}
	st = taf_spool_end(&spool, taf_in_name(c->in), &in, e);
	if (st != TAF_OK)
		return st;
	st = move_samples(&m, in, 0, e);
	taf_in_close(in);
	return st;
}

/* All records as one array. */
static enum taf_status
write_matrix(const struct taf_capture *c, struct cmd_capture *how, struct cmd_import *im,
    struct taf_err *e)
{
	struct taf_record r = { 0 };
	struct taf_array a = { 0 };
	enum taf_status st;
	uint64_t k, starts = 0;
	bool wanted = false;

	st = taf_capture_record(c, 0, &r, e);
	if (st == TAF_OK)
		st = shape(&r, how, e);
	if (st == TAF_OK)
		st = taf_array_copy(&a, &r.array, e);
	if (st == TAF_OK)
		st = join(c, &a, e);
	if (st == TAF_OK)
		st = cmd_import_begin(im, &a, TAF_NEXT_NO, &wanted, e);
	cmd_progress_begin(im->run, im->w, taf_array_bytes(&a));
	for (k = 0; k < c->nrecords && st == TAF_OK && wanted; k++) {
		taf_array_fini(&r.array);
		st = taf_capture_record(c, k, &r, e);
		starts += !taf_same_bits(r.array.dim[0].start, a.dim[0].start);
		if (st == TAF_OK)
			st = move_record(c, k, &r, how, im->w, e);
	}
	cmd_progress_end(im->run);
	if (st == TAF_OK && wanted)
		st = taf_writer_end(im->w, &a, e);
	if (st == TAF_OK && starts > 0)
		cmd_remark(im->run,
		    "%s: %llu of %llu columns begin at another time than the array",
		    taf_in_name(c->in), (unsigned long long)starts,
		    (unsigned long long)c->nrecords);
	taf_array_fini(&r.array);
	taf_array_fini(&a);
	return st;
}

enum taf_status
cmd_capture_write(const struct taf_capture *c, struct cmd_capture *how,
    struct cmd_import *im, struct taf_err *e)
{
	struct taf_record r = { 0 };
	enum taf_status st = TAF_OK;
	bool wanted;
	uint64_t k;

	if (how->matrix)
		return write_matrix(c, how, im, e);
	for (k = 0; k < c->nrecords && st == TAF_OK && !im->done; k++) {
		struct taf_array out = { 0 };

		st = taf_capture_record(c, k, &r, e);
		if (st == TAF_OK)
			st = taf_array_copy(&out, &r.array, e);
		if (st == TAF_OK && how->convert)
			st = taf_values_shape(&out, how->type, false, e);
		if (st == TAF_OK)
			st = cmd_import_begin(im, &out, k + 1 < c->nrecords ? TAF_NEXT_YES :
			    TAF_NEXT_NO, &wanted, e);
		cmd_progress_begin(im->run, im->w, taf_array_bytes(&out));
		if (st == TAF_OK && wanted)
			st = move_record(c, k, &r, how, im->w, e);
		cmd_progress_end(im->run);
		if (st == TAF_OK && wanted)
			st = taf_writer_end(im->w, &out, e);
		taf_array_fini(&out);
		taf_array_fini(&r.array);
	}
	return st;
}

/* What reads an operand, and how. */
struct capture {
	taf_capture_decode *decode;
	struct cmd_capture *how;
};

static enum taf_status
check(struct cmd_run *run, void *ctx, struct taf_in *in, struct taf_err *e)
{
	const struct capture *want = ctx;
	struct taf_capture c = { 0 };
	enum taf_status st = TAF_OK;

	/* one alone is looked at in a moment */
	if (run->nfiles > 1)
		st = want->decode(&c, in, e);
	if (st == TAF_OK && run->nfiles > 1)
		st = cmd_capture_check(&c, want->how, e);
	taf_capture_fini(&c);
	return st;
}

static enum taf_status
import(struct cmd_run *run, void *ctx, struct taf_in **in, struct cmd_import *im,
    struct taf_err *e)
{
	const struct capture *want = ctx;
	struct taf_capture c = { 0 };
	enum taf_status st = taf_spool_rest(in, e);

	(void)run;
	if (st == TAF_OK)
		st = want->decode(&c, *in, e);
	if (st == TAF_OK)
		st = cmd_capture_check(&c, want->how, e);
	if (st == TAF_OK)
		st = cmd_capture_write(&c, want->how, im, e);
	taf_capture_fini(&c);
	return st;
}

int
cmd_capture_main(const struct cmd *self, taf_capture_decode *decode, int argc,
    char **argv)
{
	struct cmd_run *run = cmd_begin(self, argc, argv);
	struct cmd_capture how = { 0 };
	struct capture want = { decode, &how };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		if (c == OPT_MATRIX)
			how.matrix = true;
	return cmd_import(run, check, import, &want);
}
