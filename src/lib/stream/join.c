#include "stream/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "kernel/strided.h"

enum {
	PIECE = 64 * 1024,	/* elements moved at a time */
	SHARE = 1024 * 1024,	/* bytes of each part in a block, which stays in cache */
	LONG = 256 * 1024	/* bytes of a run that is not brought together with others */
};

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
	if (st == TAF_OK && taf_values_count(p->v)->rounded > 0)
		st = taf_fail(e, TAF_EDATA, "a value is not exact as %s of the first array",
		    taf_type_name(out->type));
	return st;
}

/* Rows that are put together in memory. */
struct block {
	uint64_t from;
	size_t count, row;		/* row: bytes of one, of all parts */
	unsigned char *all, *room;	/* for all parts of them, for one */
	const unsigned char **map;	/* of each part, or NULL */
};

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

/* The next run of a part, by pieces. */
static enum taf_status
pass_run(const struct taf_join *j, size_t k, uint64_t at, unsigned char *room,
    struct taf_err *e)
{
	struct taf_join_part *p = &j->part[k];
	enum taf_status st = enter(j, k, at, e);
	uint64_t left;
	size_t n;

	if (st == TAF_OK && p->v == NULL)
		return leave(j, k, taf_writer_copy(j->w, p->r, p->run, e), e);
	for (left = p->run; left > 0 && st == TAF_OK; left -= n) {
		n = left < PIECE ? (size_t)left : PIECE;
		st = taf_join_read(p, j->out, room, n, e);
		if (st == TAF_OK)
			st = taf_writer_put(j->w, room, n, e);
	}
	return leave(j, k, st, e);
}

/* Long runs: one after the other. */
static enum taf_status
pass_runs(const struct taf_join *j, struct taf_err *e)
{
	unsigned char *room = taf_alloc(PIECE, taf_type_size(j->out->type));
	enum taf_status st = room != NULL ? TAF_OK : taf_fail_mem(e);
	uint64_t row;
	size_t k;

	for (row = 0; row < j->rows && st == TAF_OK; row++)
		for (k = 0; k < j->parts && st == TAF_OK; k++)
			st = pass_run(j, k, row * j->part[k].run, room, e);
	free(room);
	return st;
}

/* The elements of a part for a block. */
static enum taf_status
fill(const struct taf_join *j, const struct block *b, size_t k, unsigned char *to,
    struct taf_err *e)
{
	const size_t esize = taf_type_size(j->out->type);
	struct taf_join_part *p = &j->part[k];
	const size_t run = (size_t)p->run, n[] = { run, b->count };
	const ptrdiff_t dstep[] = { (ptrdiff_t)esize, (ptrdiff_t)b->row };
	const ptrdiff_t sstep[] = { (ptrdiff_t)esize, (ptrdiff_t)(run * esize) };
	const unsigned char *from = b->room;
	enum taf_status st = TAF_OK;

	if (b->map[k] != NULL) {
		from = b->map[k] + b->from * run * esize;
	} else {
		st = enter(j, k, b->from * run, e);
		if (st == TAF_OK)
			st = taf_join_read(p, j->out, b->room, run * b->count, e);
		st = leave(j, k, st, e);
	}
	if (st == TAF_OK)
		taf_strided_copy(to, from, &(struct taf_strided){ esize, 2, n, dstep, sstep });
	return st;
}

/* Files that lie ready are read where they are mapped. */
static enum taf_status
map_parts(const struct taf_join *j, struct block *b, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t k;

	for (k = 0; k < j->parts && st == TAF_OK; k++) {
		struct taf_reader *r = j->part[k].r;

		if (r == NULL || !taf_reader_plain(r) || !taf_reader_sure(r) ||
		    !taf_join_alike(j->out, j->part[k].a))
			continue;
		st = taf_reader_random(r, e);
		if (st == TAF_OK)
			b->map[k] = taf_reader_map(r);
	}
	return st;
}

static enum taf_status
write_blocks(const struct taf_join *j, struct block *b, size_t most, struct taf_err *e)
{
	const size_t esize = taf_type_size(j->out->type);
	enum taf_status st = map_parts(j, b, e);
	unsigned char *to;
	size_t k;

	for (; b->from < j->rows && st == TAF_OK; b->from += b->count) {
		b->count = j->rows - b->from < most ? (size_t)(j->rows - b->from) : most;
		for (k = 0, to = b->all; k < j->parts && st == TAF_OK; k++) {
			if (j->part[k].run > 0)
				st = fill(j, b, k, to, e);
			to += (size_t)j->part[k].run * esize;
		}
		if (st == TAF_OK)
			st = taf_writer_put(j->w, b->all, b->count * (b->row / esize), e);
	}
	return st;
}

enum taf_status
taf_join(const struct taf_join *j, struct taf_err *e)
{
	const size_t most = j->parts < j->memory / 2 / SHARE ? j->parts * SHARE :
	    (size_t)(j->memory / 2);
	struct block b = { 0 };
	enum taf_status st = TAF_OK;
	uint64_t row = 0, least = UINT64_MAX, rows;
	size_t k;

	for (k = 0; k < j->parts; k++) {
		const uint64_t run = j->part[k].run * taf_type_size(j->out->type);

		row += run;
		least = run < least ? run : least;
	}
	if (j->rows == 1 || row > most || least >= LONG)
		return pass_runs(j, e);
	if (row == 0 || j->rows == 0)
		return TAF_OK;
	rows = most / row < j->rows ? most / row : j->rows;
	b.row = (size_t)row;
	b.all = taf_alloc((size_t)rows, b.row);
	b.room = taf_alloc((size_t)rows, b.row);
	b.map = calloc(j->parts, sizeof *b.map);
	if (b.all == NULL || b.room == NULL || b.map == NULL)
		st = taf_fail_mem(e);
	else
		st = write_blocks(j, &b, (size_t)rows, e);
	free(b.all);
	free(b.room);
	free(b.map);
	return st;
}
