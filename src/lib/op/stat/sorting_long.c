/* SPDX-License-Identifier: ISC */
#include "op/stat/sorting_long.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/need.h"
#include "base/num.h"
#include "io/spool.h"
#include "stream/service.h"
#include "stream/tiles.h"

enum {
	FAST = 256 * 1024,		/* records that are sorted in the caches */
	LOOKS = 32,			/* that find a key in a run, at most */
	LARGE = 4 * 1024 * 1024		/* records that are worth a read from a disk */
};

/*
 * A part of the result has the records of all runs from one bound to the next, and so is
 * sorted by itself.  Bounds are keys of the runs, taken at equal distances: so no part
 * has more records than a run, apart from those whose key is its bound.  These need no
 * sorting.
 */
struct slot {
	unsigned char *records, *scratch, *values;	/* of the scratch of a tile */
	uint64_t number;		/* of the run, or of the part */
	/* of a part, in each run: from, behind its bound, to */
	uint64_t *low, *mid, *high;
	size_t n;
	bool apart;			/* from low to mid goes by itself */
};

struct job {
	const struct taf_sample_sort *how;
	const struct taf_sort *sort;
	size_t esize, rsize, osize;
	bool elements;			/* records are elements, and these the results */
	unsigned threads;
	/* records of a run, of which the last may be shorter */
	uint64_t run, nruns;
	/* between two keys that are kept, and how many are */
	uint64_t step, samples;
	uint64_t *bound, bounds;
	uint64_t next;			/* run or part to be taken */
	unsigned char *held;		/* all runs; or NULL, and they are in a file: */
	struct taf_spool spool;
	struct taf_in *in;
	uint64_t base;
	struct slot slot[TAF_THREADS_MOST];
};

/* Bytes that a thread takes for each record of a run. */
static size_t
each_of(const struct job *j)
{
	return 2 * j->rsize + (j->elements ? 0 :
	    j->esize > j->osize ? j->esize : j->osize);
}

/* How long a run is, how many threads share the memory, and where the runs are kept. */
static enum taf_status
plan(struct job *j, struct taf_err *e)
{
	const size_t each = each_of(j);
	const uint64_t len = j->how->len, memory = j->how->memory;
	uint64_t most;
	size_t all;

	j->run = j->how->least > 0 ? j->how->least : FAST;
	/* the keys that are kept take no more room than a run */
	while ((double)j->run * (double)j->run * (double)j->run < 4.0 * (double)len *
	    (double)len)
		j->run *= 2;
	j->threads = taf_threads_some(memory, j->how->threads, 0, j->run * each);
	if (taf_mul(len, j->rsize, &most) &&
	    taf_add(most, j->threads * j->run * each, &most) && most <= memory &&
	    taf_to_size(len, &all)) {
		j->held = taf_alloc(all, j->rsize);
		if (j->held == NULL)
			return taf_fail_mem(e);
	} else {
		while (j->run < LARGE && j->how->least == 0 &&
		    2 * j->run * j->threads <= memory / each)
			j->run *= 2;
	}
	j->nruns = (len + j->run - 1) / j->run;
	j->step = j->run / (2 * j->nruns);
	return TAF_OK;
}

static uint64_t
run_length(const struct job *j, uint64_t k)
{
	return k + 1 < j->nruns ? j->run : j->how->len - k * j->run;
}

/* Records of a run. */
static enum taf_status
fetch(const struct job *j, uint64_t k, uint64_t first, void *to, size_t n,
    struct taf_err *e)
{
	const uint64_t at = (k * j->run + first) * j->rsize;

	if (j->held == NULL)
		return taf_in_pread(j->in, to, n * j->rsize, at, e);
	memcpy(to, j->held + at, n * j->rsize);
	return TAF_OK;
}

/* How many records of run k have a key below the given one, or, with also, up to it? */
static enum taf_status
count_below(const struct job *j, uint64_t k, uint64_t key, bool also, uint64_t *n,
    struct taf_err *e)
{
	uint64_t record[2], low = 0, high = run_length(j, k), middle, found;
	enum taf_status st = TAF_OK;

	while (low < high && st == TAF_OK) {
		middle = low + (high - low) / 2;
		st = fetch(j, k, middle, record, 1, e);
		if (st != TAF_OK)
			break;
		found = taf_sort_key(j->sort, record);
		if (found < key || (also && found == key))
			low = middle + 1;
		else
			high = middle;
	}
	*n = low;
	return st;
}

/* The scratch of a tile, for a run or for a part of all runs. */
static void
lay_out(struct job *j, const struct taf_tile *t)
{
	struct slot *m = &j->slot[t->slot];
	const size_t run = (size_t)j->run * j->rsize;

	m->low = t->scratch;
	m->mid = m->low + j->nruns;
	m->high = m->mid + j->nruns;
	m->records = (unsigned char *)(m->high + j->nruns);
	m->scratch = m->records + run;
	m->values = m->scratch + run;
}

static size_t
scratch_of(const struct job *j)
{
	return (size_t)j->run * each_of(j) + 3 * (size_t)j->nruns * sizeof *j->slot->low;
}

static bool
next_run(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[t->slot];

	if (j->next == j->nruns)
		return false;
	m->number = j->next++;
	m->n = (size_t)run_length(j, m->number);
	t->out = (struct taf_runs){ .n = m->n, .runs = 1 };
	t->scratch_size = scratch_of(j);
	return true;
}

static enum taf_status
read_run(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	const struct slot *m = &j->slot[t->slot];

	lay_out(j, t);
	return taf_reader_read(j->how->r, !j->elements ? m->values : j->held == NULL ?
	    m->records : j->held + m->number * j->run * j->rsize, m->n, e);
}

static enum taf_status
sort_run(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	const struct slot *m = &j->slot[t->slot];
	const uint64_t first = m->number * j->run;
	unsigned char *records = j->held == NULL ? m->records : j->held + first *
	    j->rsize;
	uint64_t *sample = j->bound + m->number * (j->run / j->step);
	uint64_t i;

	if (!j->elements)
		taf_sort_make(j->sort, records, m->values, m->n, first);
	taf_sort_records(j->sort, records, m->scratch, m->n);
	for (i = j->step; i <= m->n; i += j->step)
		*sample++ = taf_sort_key(j->sort, records + (i - 1) * j->rsize);
	return j->held != NULL ? TAF_OK : taf_out_pwrite(j->spool.out, records,
	    m->n * j->rsize, j->base + first * j->rsize, e);
}

static enum taf_status
make_runs(struct job *j, struct taf_err *e)
{
	const struct taf_tiles tiles = { .threads = j->threads, .ctx = j,
		.next = next_run, .pass = read_run, .work = sort_run };
	enum taf_status st = TAF_OK;

	if (j->held == NULL)
		st = taf_spool_region(&j->spool, j->how->len * j->rsize, &j->base, e);
	if (st == TAF_OK)
		st = taf_tiles(&tiles, e);
	return j->held != NULL ? st :
	    taf_spool_end(&j->spool, st, "temporary file", &j->in, e);
}

/* Leave some of the keys that were kept, at equal distances, each once. */
static enum taf_status
choose_bounds(struct job *j, struct taf_err *e)
{
	const struct taf_sort plain = taf_sort_plan(TAF_UINT64, NULL, false, false, 0);
	const uint64_t every = j->run / (2 * j->step);
	uint64_t *scratch = taf_alloc((size_t)j->samples, sizeof *scratch);
	uint64_t i;

	if (scratch == NULL)
		return taf_fail_mem(e);
	taf_sort_records(&plain, j->bound, scratch, (size_t)j->samples);
	free(scratch);
	for (i = every - 1; i < j->samples; i += every)
		if (j->bounds == 0 || j->bound[i] != j->bound[j->bounds - 1])
			j->bound[j->bounds++] = j->bound[i];
	return TAF_OK;
}

static bool
next_part(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;

	if (j->next > j->bounds)
		return false;
	j->slot[t->slot].number = j->next++;
	t->out = (struct taf_runs){ .n = (size_t)j->run, .runs = 1 };
	t->scratch_size = scratch_of(j);
	return true;
}

/* Where a part lies in each run. */
static enum taf_status
find_part(const struct job *j, struct slot *m, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	uint64_t k, sum = 0;

	for (k = 0; k < j->nruns && st == TAF_OK; k++) {
		m->low[k] = m->mid[k] = 0;
		m->high[k] = run_length(j, k);
		if (m->number > 0)
			st = count_below(j, k, j->bound[m->number - 1], false, &m->low[k],
			    e);
		if (m->number > 0 && st == TAF_OK)
			st = count_below(j, k, j->bound[m->number - 1], true, &m->mid[k],
			    e);
		if (m->number < j->bounds && st == TAF_OK)
			st = count_below(j, k, j->bound[m->number], false, &m->high[k],
			    e);
		sum += m->high[k] - m->low[k];
	}
	m->apart = sum > j->run;
	return st;
}

static enum taf_status
sort_part(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[t->slot];
	enum taf_status st;
	uint64_t k;

	lay_out(j, t);
	st = find_part(j, m, e);
	m->n = 0;
	for (k = 0; k < j->nruns && st == TAF_OK; k++) {
		const uint64_t from = m->apart ? m->mid[k] : m->low[k];
		const size_t n = (size_t)(m->high[k] - from);

		if (n > 0)
			st = fetch(j, k, from, m->records + m->n * j->rsize, n, e);
		m->n += n;
	}
	if (st != TAF_OK)
		return st;
	/* equal ones stay in the order of the runs */
	taf_sort_records(j->sort, m->records, m->scratch, m->n);
	if (!j->elements && !m->apart)
		taf_sort_give(j->sort, m->values, m->records, m->n);
	return TAF_OK;
}

static enum taf_status
put(const struct job *j, const struct slot *m, const void *records, size_t n,
    struct taf_err *e)
{
	if (!j->elements)
		taf_sort_give(j->sort, m->values, records, n);
	return j->how->put(j->how->ctx, j->elements ? records : m->values, n, e);
}

static enum taf_status
give_part(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	const struct job *j = ctx;
	const struct slot *m = &j->slot[t->slot];
	enum taf_status st = TAF_OK;
	uint64_t k, at;

	if (!m->apart)
		return j->how->put(j->how->ctx, j->elements ? m->records : m->values,
		    m->n, e);
	for (k = 0; k < j->nruns; k++)
		for (at = m->low[k]; at < m->mid[k] && st == TAF_OK; at += j->run) {
			const uint64_t left = m->mid[k] - at;
			const size_t n = (size_t)(left < j->run ? left : j->run);

			st = fetch(j, k, at, m->scratch, n, e);
			if (st == TAF_OK)
				st = put(j, m, m->scratch, n, e);
		}
	return st == TAF_OK ? put(j, m, m->records, m->n, e) : st;
}

static enum taf_status
open_bounds(struct job *j, struct taf_err *e)
{
	j->samples = (j->nruns - 1) * (j->run / j->step) +
	    run_length(j, j->nruns - 1) / j->step;
	/* one more: a line may be shorter than a step */
	j->bound = taf_alloc((size_t)j->samples + 1, sizeof *j->bound);
	return j->bound != NULL ? TAF_OK : taf_fail_mem(e);
}

static void
close_job(struct job *j)
{
	free(j->bound);
	free(j->held);
	taf_spool_discard(&j->spool);
	taf_in_close(j->in);
	free(j);
}

enum taf_status
taf_sample_sort(const struct taf_sample_sort *how, struct taf_err *e)
{
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st;

	if (j == NULL)
		return taf_fail_mem(e);
	j->how = how;
	j->sort = how->sort;
	j->spool.fd = -1;
	j->esize = taf_type_size(how->sort->type);
	j->rsize = how->sort->record;
	j->osize = how->sort->index ? sizeof(int64_t) : j->esize;
	j->elements = how->sort->form == TAF_SORT_ELEMENTS;
	st = plan(j, e);
	if (st == TAF_OK)
		st = open_bounds(j, e);
	if (st == TAF_OK)
		st = make_runs(j, e);
	/* bounds are looked for in all runs */
	taf_need_again(j->held == NULL ? 6 * (j->nruns + 1) * (j->nruns + 1) * LOOKS *
	    j->rsize : 0);
	if (st == TAF_OK)
		st = choose_bounds(j, e);
	j->next = 0;
	if (st == TAF_OK)
		st = taf_tiles(&(struct taf_tiles){ .threads = j->threads, .ctx = j,
		    .next = next_part, .work = sort_part, .give = give_part }, e);
	close_job(j);
	return st;
}
