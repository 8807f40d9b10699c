#include "stream/concat.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "base/num.h"
#include "base/str.h"
#include "stream/index.h"
#include "stream/join.h"

enum {
	PIECE = 64 * 1024,	/* elements moved at a time */
	KEPT = 64		/* so many parts stay open from a block to the next */
};

/* An array. */
struct part {
	uint64_t at;		/* where it is in the index */
	struct taf_array a;	/* of all but the first units and labels alone */
};

struct taf_concat {
	size_t memory;
	struct taf_index *index;
	struct part *parts;
	size_t nparts;
	struct taf_join_part *run;	/* each as it was left, or not open */
	/* of more than KEPT parts the only one that is open */
	struct taf_cursor cursor;
	/* the number of the only part, 0 for all; arrays so far */
	uint64_t pick, seen;
	unsigned dim;		/* from 0 */
	uint64_t inner, outer;	/* elements below dim, points above it */
	bool empty;		/* the result has no elements */
	bool any_unit;
	bool typed;		/* values of all become elements of target */
	struct taf_array target;	/* type and mapping of the result, and no more */
	struct taf_convert_count lost;	/* of parts that are closed */
};

enum taf_status
taf_concat_open(struct taf_concat **result, size_t memory, struct taf_err *e)
{
	struct taf_concat *c = calloc(1, sizeof *c);

	if (c == NULL)
		return taf_fail_mem(e);
	if (taf_index_open(&c->index, e) != TAF_OK) {
		free(c);
		return e->code;
	}
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
taf_concat_any_unit(struct taf_concat *c)
{
	c->any_unit = true;
}

void
taf_concat_type(struct taf_concat *c, enum taf_type type)
{
	c->typed = true;
	c->target.type = type;
}

struct taf_convert_count
taf_concat_lost(const struct taf_concat *c)
{
	struct taf_convert_count lost = c->lost;
	size_t i;

	for (i = 0; i < c->nparts && c->run != NULL; i++)
		if (c->run[i].v != NULL)
			lost.rounded += taf_values_count(c->run[i].v)->rounded;
	return lost;
}

void
taf_concat_close(struct taf_concat *c)
{
	size_t i;

	if (c == NULL)
		return;
	for (i = 0; i < c->nparts; i++) {
		if (c->run != NULL)
			taf_values_close(c->run[i].v);
		if (c->run != NULL && c->nparts <= KEPT)
			taf_reader_close(c->run[i].r);
		taf_array_fini(&c->parts[i].a);
	}
	taf_reader_close(c->cursor.r);
	taf_index_close(c->index);
	free(c->parts);
	free(c->run);
	free(c);
}

static const char *
name_of(const struct taf_concat *c, const struct part *p)
{
	return taf_index_name(c->index, taf_index_file(c->index, p->at));
}

/* An array that is not the first: of its text units and labels alone matter. */
static void
forget_text(struct taf_array *a)
{
	size_t i, kept = 0;

	taf_buf_free(&a->comment);
	taf_buf_free(&a->history);
	for (i = 0; i < a->nattrs; i++)
		if (strcmp(a->attrs[i].key, "unit") == 0 ||
		    strcmp(a->attrs[i].key, "label") == 0 ||
		    taf_missing_is(&a->attrs[i])) {
			a->attrs[kept++] = a->attrs[i];
		} else {
			free(a->attrs[i].key);
			free(a->attrs[i].value);
		}
	a->nattrs = kept;
}

/* An array of the index: is it wanted? */
static enum taf_status
add_part(void *ctx, struct taf_array *a, struct taf_err *e)
{
	struct taf_concat *c = ctx;
	struct part *p;

	if (++c->seen != c->pick && c->pick != 0)
		return TAF_OK;

	if ((c->nparts & (c->nparts - 1)) == 0) {
		p = realloc(c->parts, (c->nparts != 0 ? c->nparts * 2 : 1) * sizeof *p);
		if (p == NULL)
			return taf_fail_mem(e);
		c->parts = p;
	}
	p = &c->parts[c->nparts];
	memset(p, 0, sizeof *p);
	p->at = c->seen - 1;
	taf_array_move(&p->a, a);
	if (c->nparts > 0)
		forget_text(&p->a);
	c->nparts++;
	return TAF_OK;
}

enum taf_status
taf_concat_add(struct taf_concat *c, const char *path, struct taf_err *e)
{
	return taf_index_add(c->index, path, add_part, c, e);
}

const struct taf_array *
taf_concat_array(const struct taf_concat *c, size_t k, const char **file)
{
	if (k >= c->nparts)
		return NULL;
	*file = name_of(c, &c->parts[k]);
	return &c->parts[k].a;
}

/* Length of an array along the joined dimension: 1 where arrays are stacked. */
static uint64_t
length_of(const struct taf_concat *c, const struct taf_array *a)
{
	return c->dim < a->ndim ? a->dim[c->dim].n : 1;
}

enum taf_status
taf_concat_shape(struct taf_concat *c, unsigned dim, struct taf_array *a,
    const struct taf_service *service, struct taf_err *e)
{
	struct taf_fit fit = { .any_unit = c->any_unit };
	const struct taf_array *first;
	struct taf_recode how;
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
	first = &c->parts[0].a;
	c->dim = (dim != 0 ? dim : first->ndim) - 1;
	if (c->dim > first->ndim || c->dim >= TAF_MAX_DIM) {
		st = taf_fail(e, TAF_EDATA, "dimension %u: the first array has %u", dim,
		    first->ndim);
		taf_err_name(e, name_of(c, &c->parts[0]));
		return st;
	}
	fit.dim = c->dim;
	st = taf_array_copy(a, first, e);
	if (st == TAF_OK && c->typed)
		st = taf_values_shape(a, c->target.type, false, e);
	c->target.type = a->type;
	c->target.intercept = a->intercept;
	c->target.slope = a->slope;
	for (i = 0; i < c->nparts && st == TAF_OK; i++) {
		st = taf_fit_add(&fit, &c->parts[i].a, name_of(c, &c->parts[i]), e);
		if (st == TAF_OK && c->typed)
			st = taf_values_plan(&how, &c->parts[i].a, a->type, false, false,
			    e);
		taf_err_name(e, name_of(c, &c->parts[i]));
	}
	if (st == TAF_OK)
		st = taf_fit_end(&fit, a, service, e);
	taf_fit_fini(&fit);
	c->empty = st != TAF_OK || taf_array_count(a) == 0;
	c->inner = c->outer = 1;
	for (k = 0; k < a->ndim && !c->empty; k++) {
		if (k < c->dim)
			c->inner *= a->dim[k].n;
		else if (k > c->dim)
			c->outer *= a->dim[k].n;
	}
	return st;
}

bool
taf_concat_is_last(const struct taf_concat *c)
{
	return c->dim + 1 >= c->parts[0].a.ndim;
}

/* Room for where each part is left. */
static enum taf_status
begin_runs(struct taf_concat *c, struct taf_err *e)
{
	size_t i;

	c->run = calloc(c->nparts, sizeof *c->run);
	if (c->run == NULL)
		return taf_fail_mem(e);
	for (i = 0; i < c->nparts; i++) {
		c->run[i].a = &c->parts[i].a;
		c->run[i].name = name_of(c, &c->parts[i]);
		c->run[i].rounds = c->typed;
		c->run[i].run = c->inner * length_of(c, &c->parts[i].a);
	}
	return TAF_OK;
}

/* Part k begins at element at, or goes on there, where its last run has ended. */
static enum taf_status
find_run(void *ctx, size_t k, uint64_t at, struct taf_err *e)
{
	struct taf_concat *c = ctx;
	struct taf_cursor own = { NULL, 0 };
	struct taf_cursor *cursor = c->nparts > KEPT ? &c->cursor : &own;
	const struct part *p = &c->parts[k];
	struct taf_array a = { 0 };
	enum taf_status st;

	if (c->run[k].r != NULL)
		return TAF_OK;
	st = taf_index_seek(c->index, cursor, p->at, &a, e);
	c->run[k].r = cursor->r;
	if (st == TAF_OK && (a.type != p->a.type ||
	    taf_array_count(&a) != taf_array_count(&p->a) ||
	    !taf_same_bits(a.intercept, p->a.intercept) ||
	    !taf_same_bits(a.slope, p->a.slope)))
		st = taf_fail(e, TAF_EDATA,
		    "the file has changed since its header was read");
	taf_array_fini(&a);
	return st == TAF_OK ? taf_reader_skip(c->run[k].r, at, e) : st;
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

	if (st == TAF_OK)
		st = taf_reader_unchanged(c->run[k].r, e);
	if (st == TAF_EDATA && c->run[k].v != NULL && !c->typed)
		advise(e);
	if (c->nparts > KEPT) {
		if (c->run[k].v != NULL)
			c->lost.rounded += taf_values_count(c->run[k].v)->rounded;
		taf_values_close(c->run[k].v);
		c->run[k].v = NULL;
		c->run[k].r = NULL;
	}
	return st;
}

enum taf_status
taf_concat_write(struct taf_concat *c, struct taf_writer *w, struct taf_err *e)
{
	struct taf_join how = { .parts = c->nparts, .rows = c->outer,
		.out = &c->target, .w = w, .memory = c->memory, .threads = 1,
		.find = find_run,
		.leave = leave_run, .ctx = c };

	if (c->empty)
		return TAF_OK;
	if (begin_runs(c, e) != TAF_OK)
		return e->code;
	how.part = c->run;
	return taf_join(&how, e);
}

/* All elements of a part to the end of the file. */
static enum taf_status
grow_by(struct taf_concat *c, size_t k, struct taf_edit *ed, char *room,
    struct taf_err *e)
{
	uint64_t left = taf_array_count(&c->parts[k].a);
	enum taf_status st = find_run(c, k, 0, e);
	size_t n;

	if (st == TAF_OK)
		st = taf_join_begin(&c->run[k], &c->target, e);
	for (; left > 0 && st == TAF_OK; left -= n) {
		n = left < PIECE ? (size_t)left : PIECE;
		st = taf_join_read(&c->run[k], &c->target, room, n, e);
		if (st == TAF_OK)
			st = taf_edit_put(ed, room, n, e);
	}
	st = leave_run(c, k, st, e);
	taf_err_name(e, c->run[k].name);
	return st;
}

enum taf_status
taf_concat_grow(struct taf_concat *c, struct taf_edit *ed, struct taf_err *e)
{
	char *room = taf_alloc(PIECE, taf_type_size(c->target.type));
	enum taf_status st = room != NULL ? begin_runs(c, e) : taf_fail_mem(e);
	size_t i;

	for (i = 1; i < c->nparts && st == TAF_OK; i++)
		st = grow_by(c, i, ed, room, e);
	free(room);
	return st;
}
