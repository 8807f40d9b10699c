#include "stream/concat.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "kernel/strided.h"
#include "stream/reader.h"
#include "stream/spool.h"
#include "stream/values.h"

enum {
	PIECE = 64 * 1024,	/* elements moved at a time */
	SHARE = 1024 * 1024,	/* bytes of each part in a block, which stays in cache */
	KEPT = 64		/* so many parts stay open from a block to the next */
};

/* A part that is being read, as elements of the first array. */
struct run {
	struct taf_reader *r;
	struct taf_values *v;	/* NULL where they are so already */
};

/* Where an array is. */
struct part {
	size_t source;		/* number of its file */
	uint64_t number;	/* of the array in it, from 1 */
	struct taf_array a;	/* of all but the first no text but units */
	struct run run;		/* where it was left, or nothing */
};

struct source {
	char *path;
	struct taf_in *spool;	/* of what was no regular file */
};

struct taf_concat {
	size_t memory;
	struct source *sources;
	size_t nsources;
	struct part *parts;
	size_t nparts;
	uint64_t pick, seen;	/* the number of the only part, 0 for all; arrays so far */
	unsigned dim;		/* from 0 */
	uint64_t inner, outer;	/* elements below dim, points above it */
	bool empty;		/* the result has no elements */
	bool any_unit;
};

enum taf_status
taf_concat_open(struct taf_concat **result, size_t memory, struct taf_err *e)
{
	struct taf_concat *c = calloc(1, sizeof *c);

	if (c == NULL)
		return taf_fail_mem(e);
	c->memory = memory;
	*result = c;
	return TAF_OK;
}

static void
close_run(struct run *run)
{
	taf_values_close(run->v);
	taf_reader_close(run->r);
	run->v = NULL;
	run->r = NULL;
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
taf_concat_close(struct taf_concat *c)
{
	size_t i;

	if (c == NULL)
		return;
	for (i = 0; i < c->nparts; i++) {
		close_run(&c->parts[i].run);
		taf_array_fini(&c->parts[i].a);
	}
	for (i = 0; i < c->nsources; i++) {
		taf_in_close(c->sources[i].spool);
		free(c->sources[i].path);
	}
	free(c->sources);
	free(c->parts);
	free(c);
}

static const char *
name_of(const struct source *s)
{
	return strcmp(s->path, "-") == 0 ? "standard input" : s->path;
}

/* A reader from the start of a source. */
static enum taf_status
open_source(const struct source *s, struct taf_reader **r, struct taf_err *e)
{
	struct taf_in *in;
	enum taf_status st;

	if (s->spool == NULL)
		return taf_reader_open(r, s->path, 0, e);
	st = taf_in_again(&in, s->spool, 0, e);
	return st != TAF_OK ? st : taf_reader_new(r, in, NULL, 0, e);
}

/* An array that is not the first: only its shape, its type and its units matter. */
static void
forget_text(struct taf_array *a)
{
	size_t i, kept = 0;

	taf_buf_free(&a->comment);
	taf_buf_free(&a->history);
	for (i = 0; i < a->nattrs; i++)
		if (strcmp(a->attrs[i].key, "unit") == 0) {
			a->attrs[kept++] = a->attrs[i];
		} else {
			free(a->attrs[i].key);
			free(a->attrs[i].value);
		}
	a->nattrs = kept;
}

static enum taf_status
add_part(struct taf_concat *c, uint64_t number, struct taf_array *a, struct taf_err *e)
{
	struct part *p;

	if ((c->nparts & (c->nparts - 1)) == 0) {
		p = realloc(c->parts, (c->nparts != 0 ? c->nparts * 2 : 1) * sizeof *p);
		if (p == NULL)
			return taf_fail_mem(e);
		c->parts = p;
	}
	p = &c->parts[c->nparts];
	memset(p, 0, sizeof *p);
	p->source = c->nsources - 1;
	p->number = number;
	taf_array_move(&p->a, a);
	if (c->nparts > 0)
		forget_text(&p->a);
	c->nparts++;
	return TAF_OK;
}

static enum taf_status
add_source(struct taf_concat *c, const char *path, struct taf_err *e)
{
	struct source *s = c->sources;
	struct taf_in *in;
	enum taf_status st;

	s = realloc(s, (c->nsources + 1) * sizeof *s);
	if (s == NULL)
		return taf_fail_mem(e);
	c->sources = s;
	s += c->nsources;
	s->spool = NULL;
	s->path = strdup(path != NULL ? path : "-");
	if (s->path == NULL)
		return taf_fail_mem(e);
	c->nsources++;
	st = taf_in_open(&in, s->path, e);
	if (st != TAF_OK)
		return st;
	if (!taf_in_seekable(in)) {
		st = taf_spool_rest(&in, e);
		s->spool = in;
	} else {
		taf_in_close(in);
	}
	return st;
}

enum taf_status
taf_concat_add(struct taf_concat *c, const char *path, struct taf_err *e)
{
	struct taf_array a = { 0 };
	struct taf_reader *r = NULL;
	uint64_t number = 0;
	enum taf_status st;

	st = add_source(c, path, e);
	if (st == TAF_OK)
		st = open_source(&c->sources[c->nsources - 1], &r, e);
	while (st == TAF_OK) {
		st = taf_reader_next(r, &a, e);
		if (st == TAF_OK)
			number++;
		if (st == TAF_OK && (++c->seen == c->pick || c->pick == 0))
			st = add_part(c, number, &a, e);
	}
	taf_reader_close(r);
	taf_array_fini(&a);
	if (c->nsources > 0)
		taf_err_name(e, name_of(&c->sources[c->nsources - 1]));
	return st == TAF_END ? TAF_OK : st;
}

/* Length of an array along the joined dimension: 1 where arrays are stacked. */
static uint64_t
length_of(const struct taf_concat *c, const struct taf_array *a)
{
	return c->dim < a->ndim ? a->dim[c->dim].n : 1;
}

/* The unit of dimension k, from 1, or of the values, for 0; none is empty. */
static const char *
unit_of(const struct taf_array *a, unsigned k)
{
	const char *unit = taf_attr_get(a, "unit", k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY, k);

	return unit != NULL ? unit : "";
}

/* Of two units one is there alone, or, where both are, they are not the same. */
static bool
units_differ(const struct part *p, const struct part *q, unsigned k, bool both)
{
	const char *a = unit_of(&p->a, k), *b = unit_of(&q->a, k);

	return strcmp(a, b) != 0 && (!both || (a[0] != '\0' && b[0] != '\0'));
}

static enum taf_status
check_units(const struct taf_concat *c, const struct part *p, struct taf_err *e)
{
	const struct part *first = &c->parts[0];
	enum taf_status st = TAF_OK;
	char place[32];
	unsigned k;

	for (k = 0; k <= p->a.ndim && st == TAF_OK && !c->any_unit; k++) {
		(void)snprintf(place, sizeof place, k > 0 ? "dimension %u" : "the values", k);
		if (units_differ(p, first, k, true))
			st = taf_fail(e, TAF_EDATA, "%s: unit %s, but %s in %s", place,
			    unit_of(&p->a, k), unit_of(&first->a, k),
			    name_of(&c->sources[first->source]));
	}
	return st;
}

static enum taf_status
check_part(const struct taf_concat *c, const struct part *p, struct taf_err *e)
{
	const struct taf_array *first = &c->parts[0].a, *a = &p->a;
	enum taf_status st = TAF_OK;
	unsigned k;

	if (a->ndim != first->ndim)
		st = taf_fail(e, TAF_EDATA, "%u dimensions, but the first array has %u",
		    a->ndim, first->ndim);
	else if (taf_type_is_pair(a->type) != taf_type_is_pair(first->type))
		st = taf_fail(e, TAF_EDATA, "%s elements, but the first array has %s",
		    taf_type_name(a->type), taf_type_name(first->type));
	for (k = 0; k < a->ndim && st == TAF_OK; k++)
		if (k != c->dim && a->dim[k].n != first->dim[k].n)
			st = taf_fail(e, TAF_EDATA,
			    "dimension %u: length %llu, but the first array has %llu", k + 1,
			    (unsigned long long)a->dim[k].n,
			    (unsigned long long)first->dim[k].n);
	if (st == TAF_OK)
		st = check_units(c, p, e);
	taf_err_name(e, name_of(&c->sources[p->source]));
	return st;
}

enum taf_status
taf_concat_shape(struct taf_concat *c, unsigned dim, struct taf_array *a, struct taf_err *e)
{
	const struct taf_array *first;
	enum taf_status st;
	uint64_t total = 0;
	unsigned k;
	size_t i;

	if (c->nparts == 0) {
		st = taf_fail(e, TAF_EDATA, "array %llu is wanted, but there are %llu%s",
		    (unsigned long long)c->pick, (unsigned long long)c->seen,
		    c->nsources > 1 ? " up to its end" : "");
		if (c->nsources > 0)
			taf_err_name(e, name_of(&c->sources[c->nsources - 1]));
		return st;
	}
	first = &c->parts[0].a;
	c->dim = (dim != 0 ? dim : first->ndim) - 1;
	if (c->dim > first->ndim || c->dim >= TAF_MAX_DIM) {
		st = taf_fail(e, TAF_EDATA, "dimension %u: the first array has %u", dim,
		    first->ndim);
		taf_err_name(e, name_of(&c->sources[c->parts[0].source]));
		return st;
	}
	st = taf_array_copy(a, first, e);
	if (st == TAF_OK && c->dim == a->ndim)
		taf_array_add_dim(a, 1, 1, 1);
	for (i = 0; i < c->nparts && st == TAF_OK; i++) {
		st = check_part(c, &c->parts[i], e);
		/* 2^62 is the most that an array may have: no overflow below 2^63 */
		total += length_of(c, &c->parts[i].a);
		if (total > UINT64_C(1) << 62)
			return taf_fail(e, TAF_EDATA, "the arrays together are too long");
	}
	if (st != TAF_OK)
		return st;
	a->dim[c->dim].n = total;
	st = taf_array_check(a, e);
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

/* Does a part differ in this along dimension k (0: of the values)? */
static bool
differs(const struct taf_concat *c, const struct part *p, enum taf_concat_fact fact,
    unsigned k)
{
	const struct part *first = &c->parts[0];
	const struct taf_dim *a, *b;

	if (fact == TAF_CONCAT_UNIT)
		return units_differ(p, first, k, false);
	if (k == 0)
		return false;
	a = &p->a.dim[k - 1];
	b = &first->a.dim[k - 1];
	/* a single point has no step */
	if (fact == TAF_CONCAT_STEP)
		return a->n > 1 && !taf_grid_near(a->step, b->step, b->step);
	return a->n > 0 && k - 1 != c->dim && !taf_grid_near(a->start, b->start, b->step);
}

static void
put_value(struct taf_str *text, const struct taf_array *a, enum taf_concat_fact fact,
    unsigned k)
{
	const char *unit = unit_of(a, k);

	if (fact == TAF_CONCAT_UNIT)
		taf_str_puts(text, unit[0] != '\0' ? unit : "none");
	else
		taf_str_f64(text, fact == TAF_CONCAT_STEP ? a->dim[k - 1].step :
		    a->dim[k - 1].start);
}

static void
put_difference(const struct taf_concat *c, const struct part *p,
    enum taf_concat_fact fact, unsigned k, struct taf_str *text)
{
	static const char *const name[TAF_CONCAT_FACTS] = { "unit", "step", "start" };
	const struct part *first = &c->parts[0];

	taf_str_printf(text, "%s: ", name_of(&c->sources[p->source]));
	if (k > 0)
		taf_str_printf(text, "dimension %u", k);
	else
		taf_str_puts(text, "the values");
	taf_str_printf(text, ": %s ", name[fact]);
	put_value(text, &p->a, fact, k);
	taf_str_puts(text, ", but ");
	put_value(text, &first->a, fact, k);
	taf_str_printf(text, " in %s", name_of(&c->sources[first->source]));
}

enum taf_status
taf_concat_differ(const struct taf_concat *c, enum taf_concat_fact fact, size_t *count,
    struct taf_buf *text, struct taf_err *e)
{
	struct taf_str s = { *text, e, TAF_OK };
	unsigned k;
	size_t i;

	*count = 0;
	for (i = 1; i < c->nparts; i++)
		for (k = 0; k <= c->parts[i].a.ndim; k++)
			if (differs(c, &c->parts[i], fact, k)) {
				if ((*count)++ == 0)
					put_difference(c, &c->parts[i], fact, k, &s);
				break;
			}
	*text = s.buf;
	return s.st;
}

bool
taf_concat_is_last(const struct taf_concat *c)
{
	return c->dim + 1 >= c->parts[0].a.ndim;
}

/* Do elements of a mean the same as those of the first array, as they are? */
static bool
alike(const struct taf_array *first, const struct taf_array *a)
{
	bool mapped = taf_array_mapped(first);

	if (a->type != first->type || mapped != taf_array_mapped(a))
		return false;
	return !mapped || (taf_same_bits(a->intercept, first->intercept) &&
	    taf_same_bits(a->slope, first->slope));
}

/* The array of a part, at its beginning; it must be the one that was seen. */
static enum taf_status
find_part(const struct taf_concat *c, struct part *p, struct taf_err *e)
{
	struct taf_array a = { 0 };
	enum taf_status st = open_source(&c->sources[p->source], &p->run.r, e);
	uint64_t i;

	for (i = 0; i < p->number && st == TAF_OK; i++)
		st = taf_reader_next(p->run.r, &a, e);
	if (st == TAF_END || (st == TAF_OK && (a.type != p->a.type || taf_array_count(&a) !=
	    taf_array_count(&p->a) || !taf_same_bits(a.intercept, p->a.intercept) ||
	    !taf_same_bits(a.slope, p->a.slope))))
		st = taf_fail(e, TAF_EDATA, "the file has changed since its header was read");
	taf_array_fini(&a);
	return st;
}

/* Begin at element at of a part, or go on there, where its last run has ended. */
static enum taf_status
begin_run(struct taf_concat *c, struct part *p, uint64_t at, struct taf_err *e)
{
	const struct taf_array *first = &c->parts[0].a;
	struct taf_recode how;

	if (p->run.r != NULL)
		return TAF_OK;
	if (find_part(c, p, e) != TAF_OK || taf_reader_skip(p->run.r, at, e) != TAF_OK)
		return e->code;
	if (alike(first, &p->a))
		return TAF_OK;
	if (taf_values_plan_as(&how, &p->a, first, false, e) != TAF_OK)
		return e->code;
	return taf_values_open(&p->run.v, p->run.r, &p->a, NULL, &how, e);
}

static enum taf_status
end_run(const struct taf_concat *c, struct part *p, enum taf_status st, struct taf_err *e)
{
	if (st == TAF_OK)
		st = taf_reader_unchanged(p->run.r, e);
	if (c->nparts > KEPT)
		close_run(&p->run);
	taf_err_name(e, name_of(&c->sources[p->source]));
	return st;
}

/* The next n elements, which must be exact. */
static enum taf_status
read_run(struct taf_concat *c, struct run *run, void *to, size_t n, struct taf_err *e)
{
	enum taf_status st;

	if (run->v == NULL)
		return taf_reader_read(run->r, to, n, e);
	st = taf_values_get(run->v, to, n, e);
	if (st == TAF_OK && taf_values_count(run->v)->rounded > 0)
		st = taf_fail(e, TAF_EDATA, "a value is not exact as %s of the first array",
		    taf_type_name(c->parts[0].a.type));
	return st;
}

/* Where elements go: a writer, or where that is NULL a file that grows. */
struct target {
	struct taf_writer *w;
	struct taf_edit *ed;
};

/* The next n elements of a part, by pieces. */
static enum taf_status
move_run(struct taf_concat *c, struct run *run, uint64_t n, const struct target *to,
    char *room, struct taf_err *e)
{
	size_t m;

	for (; n > 0; n -= m) {
		m = n < PIECE ? (size_t)n : PIECE;
		if (read_run(c, run, room, m, e) != TAF_OK ||
		    (to->w != NULL ? taf_writer_put(to->w, room, m, e) :
		    taf_edit_put(to->ed, room, m, e)) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* n elements of a part, from element at on, straight to the output. */
static enum taf_status
pass_run(struct taf_concat *c, struct part *p, uint64_t at, uint64_t n,
    const struct target *to, struct taf_err *e)
{
	enum taf_status st;
	char *room;

	st = begin_run(c, p, at, e);
	if (st != TAF_OK)
		return end_run(c, p, st, e);
	if (to->w != NULL && p->run.v == NULL)
		return end_run(c, p, taf_writer_copy(to->w, p->run.r, n, e), e);
	room = taf_alloc(PIECE, taf_type_size(c->parts[0].a.type));
	st = room == NULL ? taf_fail_mem(e) : move_run(c, &p->run, n, to, room, e);
	free(room);
	return end_run(c, p, st, e);
}

/* Points above the joined dimension that are put together in memory. */
struct block {
	uint64_t from;
	size_t count, row;	/* row: bytes of a point, of all parts */
	char *all, *room;	/* for all parts of them, for one */
};

/* A block, of all parts. */
static enum taf_status
write_block(struct taf_concat *c, const struct block *b, struct taf_writer *w,
    struct taf_err *e)
{
	size_t esize = taf_type_size(c->parts[0].a.type), at = 0, i;
	enum taf_status st = TAF_OK;

	for (i = 0; i < c->nparts && st == TAF_OK; i++) {
		struct part *p = &c->parts[i];
		size_t run = (size_t)(c->inner * length_of(c, &p->a));
		size_t n[2] = { run, b->count };
		ptrdiff_t dstep[2] = { (ptrdiff_t)esize, (ptrdiff_t)b->row };
		ptrdiff_t sstep[2] = { (ptrdiff_t)esize, (ptrdiff_t)(run * esize) };

		if (run == 0)
			continue;
		st = begin_run(c, p, b->from * run, e);
		if (st == TAF_OK)
			st = read_run(c, &p->run, b->room, run * b->count, e);
		if (st == TAF_OK)
			taf_strided_copy(b->all + at, b->room,
			    &(struct taf_strided){ esize, 2, n, dstep, sstep });
		at += run * esize;
		st = end_run(c, p, st, e);
	}
	return st != TAF_OK ? st : taf_writer_put(w, b->all, b->count * (b->row / esize), e);
}

enum taf_status
taf_concat_write(struct taf_concat *c, struct taf_writer *w, struct taf_err *e)
{
	const struct target to = { w, NULL };
	size_t esize = taf_type_size(c->parts[0].a.type), i;
	const size_t most = c->nparts <= KEPT && c->nparts < c->memory / 2 / SHARE ?
	    c->nparts * SHARE : c->memory / 2;
	uint64_t total = 0, row, points, o;
	enum taf_status st = TAF_OK;
	struct block b;

	if (c->empty)
		return TAF_OK;
	for (i = 0; i < c->nparts; i++)
		total += length_of(c, &c->parts[i].a);
	row = c->inner * total * esize;
	if (c->outer == 1 || row > most) {
		/* long runs: one after the other */
		for (o = 0; o < c->outer && st == TAF_OK; o++)
			for (i = 0; i < c->nparts && st == TAF_OK; i++) {
				uint64_t run = c->inner * length_of(c, &c->parts[i].a);

				st = pass_run(c, &c->parts[i], o * run, run, &to, e);
			}
		return st;
	}
	points = most / row;
	if (points > c->outer)
		points = c->outer;
	b.row = (size_t)row;
	b.all = taf_alloc((size_t)points, b.row);
	b.room = taf_alloc((size_t)points, b.row);
	if (b.all == NULL || b.room == NULL)
		st = taf_fail_mem(e);
	for (b.from = 0; b.from < c->outer && st == TAF_OK; b.from += points) {
		b.count = (size_t)(c->outer - b.from < points ? c->outer - b.from : points);
		st = write_block(c, &b, w, e);
	}
	free(b.all);
	free(b.room);
	return st;
}

enum taf_status
taf_concat_grow(struct taf_concat *c, struct taf_edit *ed, struct taf_err *e)
{
	const struct target to = { NULL, ed };
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 1; i < c->nparts && st == TAF_OK; i++)
		st = pass_run(c, &c->parts[i], 0, taf_array_count(&c->parts[i].a), &to, e);
	return st;
}
