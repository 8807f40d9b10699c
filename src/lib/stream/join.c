#include "stream/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "kernel/strided.h"
#include "stream/relay.h"

enum {
	PIECE = 64 * 1024,	/* elements moved at a time */
	SHARE = 256 * 1024,	/* bytes of each part in a block, which stays in cache */
	FOUND = 1024 * 1024,	/* the same where each may have to be found first */
	/* bytes of a run that is not brought together with others */
	LONG = 256 * 1024
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
	if (st == TAF_OK && !p->rounds && taf_values_count(p->v)->rounded > 0)
		st = taf_fail(e, TAF_EDATA,
		    "a value is not exact as %s of the first array",
		    taf_type_name(out->type));
	return st;
}

/* Rows that are put together in memory. */
struct slot {
	uint64_t from;
	size_t count;
	unsigned char *raw, *rows;	/* part after part; row after row */
};

struct job {
	const struct taf_join *how;
	size_t row, most;		/* bytes of a row of all parts; rows of a slot */
	uint64_t next;			/* the first row that is in no slot yet */
	bool alike;			/* all parts have runs of one length */
	bool *apart;			/* parts that any thread reads, at any row */
	struct taf_out *target;		/* written at offsets from base on, or NULL */
	uint64_t base;
	struct slot slot[TAF_RELAY_MOST];
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

/* The elements of a part for a slot, in the order of the part. */
static enum taf_status
fetch(const struct job *b, const struct slot *m, size_t k, unsigned char *to,
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
fetch_parts(const struct job *b, const struct slot *m, bool apart, struct taf_err *e)
{
	const size_t esize = taf_type_size(b->how->out->type);
	unsigned char *to = m->raw;
	enum taf_status st = TAF_OK;
	size_t k;

	for (k = 0; k < b->how->parts && st == TAF_OK; k++) {
		if (b->how->part[k].run > 0 && b->apart[k] == apart)
			st = fetch(b, m, k, to, e);
		to += (size_t)b->how->part[k].run * esize * m->count;
	}
	return st;
}

/* Bring count parts from number k on, whose runs have one length, into the rows. */
static void
arrange(const struct job *b, const struct slot *m, size_t at, size_t run, size_t count)
{
	const size_t esize = taf_type_size(b->how->out->type), bytes = run * esize;
	const size_t n[] = { run, count, m->count };
	const ptrdiff_t to[] = { (ptrdiff_t)esize, (ptrdiff_t)bytes, (ptrdiff_t)b->row };
	const ptrdiff_t from[] = { to[0], (ptrdiff_t)(bytes * m->count), to[1] };

	taf_strided_copy(m->rows + at, m->raw + at * m->count,
	    &(struct taf_strided){ esize, 3, n, to, from });
}

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct job *b = ctx;
	struct slot *m = &b->slot[slot];
	const uint64_t left = b->how->rows - b->next;

	*more = left > 0;
	if (!*more)
		return TAF_OK;
	m->from = b->next;
	m->count = left < b->most ? (size_t)left : b->most;
	b->next += m->count;
	return fetch_parts(b, m, false, e);
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	const struct job *b = ctx;
	const struct taf_join *j = b->how;
	const struct slot *m = &b->slot[slot];
	const size_t esize = taf_type_size(j->out->type);
	enum taf_status st = fetch_parts(b, m, true, e);
	size_t k, at = 0;

	if (st == TAF_OK && b->alike)
		arrange(b, m, 0, (size_t)j->part[0].run, j->parts);
	for (k = 0; k < j->parts && st == TAF_OK && !b->alike; k++) {
		arrange(b, m, at, (size_t)j->part[k].run, 1);
		at += (size_t)j->part[k].run * esize;
	}
	return st != TAF_OK || b->target == NULL ? st : taf_out_pwrite(b->target, m->rows,
	    m->count * b->row, b->base + m->from * b->row, e);
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	const struct job *b = ctx;
	const struct slot *m = &b->slot[slot];

	return b->target != NULL ? TAF_OK : taf_writer_put(b->how->w, m->rows,
	    m->count * (b->row / taf_type_size(b->how->out->type)), e);
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

static enum taf_status
run_slots(struct job *b, unsigned threads, struct taf_err *e)
{
	const struct taf_relay relay = { b, take, work, give };
	enum taf_status st = TAF_OK;
	bool sure = false;
	unsigned k;

	b->apart = calloc(b->how->parts, sizeof *b->apart);
	if (b->apart == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < threads && st == TAF_OK; k++) {
		b->slot[k].raw = taf_alloc(b->most, b->row);
		b->slot[k].rows = taf_alloc(b->most, b->row);
		if (b->slot[k].raw == NULL || b->slot[k].rows == NULL)
			st = taf_fail_mem(e);
	}
	if (st == TAF_OK)
		st = part_readers(b, &sure, e);
	/* at offsets they wait for each other less; but no room for what may not come */
	if (st == TAF_OK && sure && threads > 1)
		st = taf_writer_region(b->how->w, &b->target, &b->base, e);
	if (st == TAF_OK)
		st = taf_relay(&relay, threads, e);
	for (k = 0; k < threads; k++) {
		free(b->slot[k].raw);
		free(b->slot[k].rows);
	}
	free(b->apart);
	return st;
}

enum taf_status
taf_join(const struct taf_join *j, struct taf_err *e)
{
	const uint64_t share = j->find != NULL ? FOUND : SHARE;
	struct job b = { .how = j, .alike = true };
	uint64_t most = j->memory / 2, row = 0, least = UINT64_MAX;
	unsigned threads = j->threads < TAF_RELAY_MOST ? j->threads : TAF_RELAY_MOST;
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
	while (threads > 1 && (row > most / threads || j->rows / threads * row < share))
		threads--;
	most /= threads;
	if (most / share > j->parts)
		most = j->parts * share > row ? j->parts * share : row;
	b.row = (size_t)row;
	b.most = (size_t)(most / row < j->rows ? most / row : j->rows);
	return run_slots(&b, threads, e);
}
