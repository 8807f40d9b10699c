/* SPDX-License-Identifier: ISC */
#include "op/move/concat.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/columns.h"
#include "io/temp.h"
#include "op/move/join.h"
#include "stream/index.h"

enum {
	PIECE = 64 * 1024,	/* elements moved at a time */
	KEPT = 64		/* so many parts stay open from a block to the next */
};

struct taf_concat {
	size_t memory;
	struct taf_index *index;
	struct taf_array first;
	struct taf_fit fit;
	const unsigned *along;
	taf_concat_look *look;
	void *ctx;
	/* struct taf_join_part of each array, as it was left, or not open */
	struct taf_store list;
	size_t nparts;
	struct taf_array *open;	/* heads of those that are open */
	/* of more than KEPT parts the only one that is open */
	struct taf_cursor cursor;
	/* the number of the only part, 0 for all; arrays so far */
	uint64_t pick, seen;
	uint64_t inner, outer;	/* elements below dim, points above it */
	bool empty;		/* the result has no elements */
	bool typed;		/* values of all become elements of target */
	struct taf_array target;	/* type and mapping of the result, and no more */
	struct taf_convert_count lost;	/* of parts that are closed */
};

enum taf_status
taf_concat_open(struct taf_concat **result, const unsigned *dim, size_t memory,
    struct taf_err *e)
{
	struct taf_concat *c = calloc(1, sizeof *c);

	if (c == NULL)
		return taf_fail_mem(e);
	if (taf_index_open(&c->index, taf_memory_share(memory, TAF_MANY), e) != TAF_OK) {
		free(c);
		return e->code;
	}
	c->along = dim;
	c->memory = memory;
	*result = c;
	return TAF_OK;
}

void
taf_concat_pick(struct taf_concat *c, uint64_t k)
{
	c->pick = k;
}

void
taf_concat_watch(struct taf_concat *c, taf_concat_look *look, void *ctx)
{
	c->look = look;
	c->ctx = ctx;
}

void
taf_concat_any_unit(struct taf_concat *c)
{
	c->fit.any_unit = true;
}

void
taf_concat_type(struct taf_concat *c, enum taf_type type)
{
	c->typed = true;
	c->target.type = type;
}

static struct taf_join_part *
parts(const struct taf_concat *c)
{
	return c->list.p;
}

struct taf_convert_count
taf_concat_lost(const struct taf_concat *c)
{
	struct taf_convert_count lost = c->lost;
	size_t i;

	for (i = 0; i < c->nparts; i++)
		if (parts(c)[i].v != NULL)
			lost.rounded += taf_values_count(parts(c)[i].v)->rounded;
	return lost;
}

void
taf_concat_close(struct taf_concat *c)
{
	size_t i;

	if (c == NULL)
		return;
	for (i = 0; i < c->nparts; i++) {
		taf_values_close(parts(c)[i].v);
		if (c->nparts <= KEPT)
			taf_reader_close(parts(c)[i].r);
	}
	for (i = 0; i < KEPT && c->open != NULL; i++)
		taf_array_fini(&c->open[i]);
	free(c->open);
	taf_reader_close(c->cursor.r);
	taf_index_close(c->index);
	taf_store_free(&c->list);
	taf_fit_fini(&c->fit);
	taf_array_fini(&c->first);
	free(c);
}

/* The first array: which dimension is it? */
static enum taf_status
begin(struct taf_concat *c, struct taf_array *a, struct taf_err *e)
{
	unsigned dim;

	taf_array_move(&c->first, a);
	if (c->look != NULL && c->look(c->ctx, &c->first, &c->first, e) != TAF_OK)
		return e->code;
	dim = *c->along != 0 ? *c->along : c->first.ndim;
	if (dim > c->first.ndim + 1 || dim > TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA, "dimension %u: the first array has %u", dim,
		    c->first.ndim);
	c->fit.dim = dim - 1;
	return TAF_OK;
}

/* An array of the index: is it wanted, and does it go with the others? */
static enum taf_status
add_part(void *ctx, struct taf_array *a, struct taf_err *e)
{
	struct taf_concat *c = ctx;
	const char *name = taf_index_name(c->index, taf_index_files(c->index) - 1);
	const uint64_t before = c->fit.n;
	struct taf_recode how;
	enum taf_status st;

	if (++c->seen != c->pick && c->pick != 0)
		return TAF_OK;
	st = taf_store_grow(&c->list, c->nparts + 1, sizeof(struct taf_join_part),
	    taf_memory_share(c->memory, TAF_MANY), e);
	if (st == TAF_OK && c->nparts == 0) {
		st = begin(c, a, e);
		a = &c->first;
	} else if (st == TAF_OK && c->look != NULL) {
		st = c->look(c->ctx, &c->first, a, e);
	}
	if (st == TAF_OK)
		st = taf_fit_add(&c->fit, a, name, e);
	if (st == TAF_OK && c->typed)
		st = taf_values_plan(&how, a, c->target.type, false, false, e);
	if (st == TAF_OK)
		parts(c)[c->nparts++] = (struct taf_join_part){
			.name = name, .run = c->fit.n - before, .rounds = c->typed };
	return st;
}

enum taf_status
taf_concat_add(struct taf_concat *c, const char *path, struct taf_err *e)
{
	return taf_index_add(c->index, path, add_part, c, e);
}

enum taf_status
taf_concat_shape(struct taf_concat *c, struct taf_array *a,
    const struct taf_service *service, struct taf_err *e)
{
	enum taf_status st;
	unsigned k;
	size_t i;

	if (c->nparts == 0) {
		st = taf_fail(e, TAF_EDATA, "array %llu is wanted, but there are %llu%s",
		    (unsigned long long)c->pick, (unsigned long long)c->seen,
		    taf_index_files(c->index) > 1 ? " up to its end" : "");
		if (taf_index_files(c->index) > 0)
			taf_err_name(e, taf_index_name(c->index,
			    taf_index_files(c->index) - 1));
		return st;
	}
	st = taf_array_copy(a, &c->first, e);
	if (st == TAF_OK && c->typed)
		st = taf_values_shape(a, c->target.type, false, e);
	c->target.type = a->type;
	c->target.intercept = a->intercept;
	c->target.slope = a->slope;
	if (st == TAF_OK)
		st = taf_fit_end(&c->fit, a, service, e);
	if (c->fit.dim == 1)
		taf_columns_drop(a);
	c->empty = st != TAF_OK || taf_array_count(a) == 0;
	c->inner = c->outer = 1;
	for (k = 0; k < a->ndim && !c->empty; k++) {
		if (k < c->fit.dim)
			c->inner *= a->dim[k].n;
		else if (k > c->fit.dim)
			c->outer *= a->dim[k].n;
	}
	for (i = 0; i < c->nparts; i++)
		parts(c)[i].run *= c->inner;
	return st;
}

bool
taf_concat_is_last(const struct taf_concat *c)
{
	return c->fit.dim + 1 >= c->first.ndim;
}

/* Part k begins at element at, or goes on there, where its last run has ended. */
static enum taf_status
find_run(void *ctx, size_t k, uint64_t at, struct taf_err *e)
{
	struct taf_concat *c = ctx;
	const bool kept = c->nparts <= KEPT;
	struct taf_join_part *p = &parts(c)[k];
	struct taf_array *a = &c->open[kept ? k : 0];
	struct taf_cursor own = { NULL, 0 };
	struct taf_cursor *cursor = kept ? &own : &c->cursor;
	enum taf_status st;

	if (p->r != NULL)
		return TAF_OK;
	st = taf_index_seek(c->index, cursor, c->pick != 0 ? c->pick - 1 : k, a, e);
	p->a = a;
	p->r = cursor->r;
	if (st == TAF_OK && taf_array_count(a) != p->run * c->outer)
		st = taf_fail(e, TAF_EDATA,
		    "the file has changed since its header was read");
	return st == TAF_OK ? taf_reader_skip(p->r, at, e) : st;
}

/* A value cannot be an element of the first array's type under its mapping. */
static void
advise(struct taf_err *e)
{
	const size_t n = strlen(e->text);

	(void)snprintf(e->text + n, sizeof e->text - n,
	    "; with -t TYPE, as flt64, the values of all are joined as that");
}

static enum taf_status
leave_run(void *ctx, size_t k, enum taf_status st, struct taf_err *e)
{
	struct taf_concat *c = ctx;
	struct taf_join_part *p = &parts(c)[k];

	if (st == TAF_OK)
		st = taf_reader_unchanged(p->r, e);
	if (st == TAF_EDATA && p->v != NULL && !c->typed)
		advise(e);
	if (c->nparts > KEPT) {
		if (p->v != NULL)
			c->lost.rounded += taf_values_count(p->v)->rounded;
		taf_values_close(p->v);
		p->v = NULL;
		p->r = NULL;
	}
	return st;
}

enum taf_status
taf_concat_write(struct taf_concat *c, struct taf_writer *w, struct taf_err *e)
{
	const struct taf_join how = { .part = parts(c), .parts = c->nparts,
		.rows = c->outer, .out = &c->target, .w = w, .memory = c->memory,
		.threads = 1, .find = find_run, .leave = leave_run, .ctx = c };

	if (c->empty)
		return TAF_OK;
	c->open = calloc(KEPT, sizeof *c->open);
	return c->open != NULL ? taf_join(&how, e) : taf_fail_mem(e);
}

/* All elements of a part to the end of the file. */
static enum taf_status
grow_by(struct taf_concat *c, size_t k, struct taf_edit *ed, char *buffer,
    struct taf_err *e)
{
	struct taf_join_part *p = &parts(c)[k];
	uint64_t left = p->run * c->outer;
	enum taf_status st = find_run(c, k, 0, e);
	size_t n;

	if (st == TAF_OK)
		st = taf_join_begin(p, &c->target, e);
	for (; left > 0 && st == TAF_OK; left -= n) {
		n = left < PIECE ? (size_t)left : PIECE;
		st = taf_join_read(p, &c->target, buffer, n, e);
		if (st == TAF_OK)
			st = taf_edit_put(ed, buffer, n, e);
	}
	st = leave_run(c, k, st, e);
	taf_err_name(e, p->name);
	return st;
}

enum taf_status
taf_concat_grow(struct taf_concat *c, struct taf_edit *ed, struct taf_err *e)
{
	char *buffer = taf_alloc(PIECE, taf_type_size(c->target.type));
	enum taf_status st = TAF_OK;
	size_t i;

	c->open = calloc(KEPT, sizeof *c->open);
	if (buffer == NULL || c->open == NULL)
		st = taf_fail_mem(e);
	for (i = 1; i < c->nparts && st == TAF_OK && !c->empty; i++)
		st = grow_by(c, i, ed, buffer, e);
	free(buffer);
	return st;
}
