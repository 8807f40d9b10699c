/* SPDX-License-Identifier: ISC */
#include "stream/lines_private.h"

#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/buf.h"
#include "base/need.h"
#include "base/num.h"
#include "kernel/move/strided.h"
#include "kernel/number/nan.h"
#include "kernel/number/recode_private.h"
#include "stream/service.h"
#include "stream/tiles.h"
#include "stream/transpose.h"
#include "stream/writer_private.h"

enum {
	/* values that a thread takes at a time, if a line is shorter */
	BATCH = 128 * 1024,
	RUN = 16 * 1024,	/* bytes that are worth a read of their own */
	PLANE = 16 * 1024 * 1024,	/* bytes of lines that are transposed in memory */
	SHORT = 64 * 1024,	/* fewer bytes are not, where lines take many reads */
	/* values for a call of the function: they stay in cache */
	CALL = 32 * 1024,
	BESIDE = 4 * 1024,	/* bytes of a run of lines side by side */
	GAP = 64,		/* bytes behind each */
	ALIGN = 64		/* bytes that a part of the scratch begins with */
};

/*
 * A batch is wide neighbours of inner, in tall of outer: wide times tall lines.  One that
 * covers inner comes in one read for all of tall, else in one for each point of a line.
 */
struct batch {
	uint64_t i, o;			/* its first line */
	size_t wide, tall;
	unsigned char *raw, *lines, *values, *results, *stored, *out;
	struct taf_convert_count count;
};

struct job {
	const struct taf_lines *how;
	struct taf_recode in, back;
	struct taf_service service;
	struct taf_along along;		/* the arrays; with parts what r and w count */
	struct taf_cut cut;
	struct taf_need need;
	/*
	 * Runs would be short: lines come one behind the other from a temporary file, and
	 * results go to another one.
	 */
	bool transposed;
	struct taf_reader *r;
	struct taf_out *to;		/* where it is not NULL, results go there */
	uint64_t out_len;
	size_t esize, vsize, gsize, osize;
	size_t record;			/* numbers of a result */
	size_t word;			/* of a real number, in and out */
	bool narrow;			/* that is flt32 */
	size_t wide, tall;
	bool random;			/* elements are read at random */
	/* lines lie apart, and come one behind the other */
	bool transposes;
	/*
	 * Without a transposition, runs that are read at random have a gap: steps of a
	 * power of 2 meet in few places of a cache.
	 */
	bool gap;
	uint64_t i, o;			/* of the next batch */
	struct batch batch[TAF_THREADS_MOST];
};

static size_t
largest(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t
smallest(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Bytes that a line takes in all buffers of a batch; 0 where they are too many. */
static uint64_t
cost(const struct job *j)
{
	const uint64_t in = j->esize + (j->transposes ? j->esize : 0) + j->vsize;
	const uint64_t out = j->gsize + j->osize + (j->transposes ? j->osize : 0);
	uint64_t a, b, sum;

	return taf_mul(in, j->cut.len, &a) && taf_mul(out, j->out_len, &b) &&
	    taf_add(a, b, &sum) ? sum : 0;
}

/*
 * Would lines come, or go, in runs that cost more than two more passes over all bytes?
 * The memory holds most lines, and their results.
 */
static bool
short_runs(const struct job *j, uint64_t most)
{
	const uint64_t bytes = j->cut.outer * j->cut.inner * j->cut.len * j->esize;
	/* all lines fit, but not their results: mapped, they come in any order */
	const bool cheap = j->cut.inner > most && bytes <= j->how->memory;
	const size_t run = j->wide * largest(j->esize, j->osize);

	/* four copies of a large plane take as many new pages */
	if (!j->random && j->transposes && j->wide * j->cut.len * j->vsize > PLANE)
		return true;
	return j->random && j->wide < j->cut.inner && j->cut.len > 1 &&
	    run < (j->transposes || cheap ? SHORT : BESIDE);
}

/* How the lines are cut into batches, and how many threads share the memory. */
static enum taf_status
plan(struct job *j, unsigned *threads, struct taf_err *e)
{
	const uint64_t len = largest((size_t)j->cut.len, (size_t)j->out_len * j->record);
	const uint64_t each = cost(j), scratch = j->need.scratch;
	const uint64_t memory = taf_memory_for(j->how->memory,
	    each + scratch + j->need.shared);
	uint64_t most, batches;

	*threads = each == 0 ? 0 : taf_threads_within(memory, j->how->threads,
	    j->need.shared, each + scratch);
	if (*threads == 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: a line of %llu elements needs more memory than -m allows",
		    j->how->dim,
		    (unsigned long long)j->cut.len);
	most = ((memory - j->need.shared) / *threads - scratch) / each;
	if (j->cut.inner == 1) {
		j->wide = 1;
		j->tall = (size_t)(len < BATCH ? BATCH / (len > 0 ? len : 1) : 1);
		if (j->tall > most)
			j->tall = (size_t)most;
	} else if (j->cut.inner <= most) {
		j->wide = (size_t)j->cut.inner;
		j->tall = (size_t)(j->wide * len < BATCH ? BATCH / (j->wide * (len > 0 ?
		    len : 1)) : 1);
		if (j->tall > most / j->wide)
			j->tall = (size_t)(most / j->wide);
	} else {
		j->random = true;
		j->wide = (size_t)most;
		j->tall = 1;
	}
	/*
	 * few large planes are cut, so that all threads have some, if they can be read so
	 */
	if (!j->random && j->wide > 1 && j->cut.outer / j->tall < *threads &&
	    j->wide * j->esize / *threads >= RUN && taf_reader_sure(j->how->r)) {
		j->random = true;
		j->tall = 1;
		j->wide = largest(1, BATCH / (size_t)(len > 0 ? len : 1));
		j->wide = largest(j->wide, RUN / j->esize);
		j->wide = j->wide < most ? j->wide : (size_t)most;
	}
	j->transposed = short_runs(j, most);
	if (j->transposed)
		return TAF_OK;
	/* without a transposition a run need not be long */
	if (j->random && !j->transposes)
		j->wide = smallest(j->wide, largest(1,
		    BESIDE / largest(j->esize, j->osize)));
	if (j->tall > j->cut.outer)
		j->tall = (size_t)j->cut.outer;
	/* more of them would start for nothing */
	batches = ((j->cut.inner + j->wide - 1) / j->wide) *
	    ((j->cut.outer + j->tall - 1) / j->tall);
	*threads = taf_threads_for(*threads, batches);
	j->gap = j->random && !j->transposes && j->wide + GAP <= most &&
	    taf_recode_is_copy(&j->in) && taf_recode_is_copy(&j->back);
	return TAF_OK;
}

/* From a point of lines side by side to the next, of wide lines of so many bytes each. */
static size_t
step_of(const struct job *j, size_t wide, size_t size)
{
	return wide + (j->gap ? GAP / size : 0);
}

/* Bytes of a part of the scratch, so that the next one lies well. */
static size_t
part(size_t n, size_t size)
{
	return (n * size + ALIGN - 1) / ALIGN * ALIGN;
}

/* Points in memory of all lines of a batch, and results. */
static size_t
points_of(const struct job *j, const struct batch *b)
{
	return step_of(j, b->wide, j->esize) * b->tall * (size_t)j->cut.len;
}

static size_t
results_of(const struct job *j, const struct batch *b)
{
	return step_of(j, b->wide, j->osize) * b->tall * (size_t)j->out_len;
}

/* The parts of a batch's scratch. */
enum { LINES, VALUES, RESULTS, STORED, PARTS };

/*
 * Bytes of the scratch, and where its parts begin: those that are not needed have none.
 */
static size_t
scratch_of(const struct job *j, const struct batch *b, size_t at[PARTS])
{
	const size_t in = points_of(j, b), out = results_of(j, b);
	const bool same_in = taf_recode_is_copy(&j->in);
	const bool same_out = taf_recode_is_copy(&j->back);

	at[LINES] = part(j->need.scratch, 1);
	at[VALUES] = at[LINES] + (j->transposes ? part(in, j->esize) : 0);
	at[RESULTS] = at[VALUES] + (same_in ? 0 : part(in, j->vsize));
	at[STORED] = at[RESULTS] + (same_out && !j->transposes ? 0 : part(out, j->gsize));
	return at[STORED] + (!same_out && j->transposes ? part(out, j->osize) : 0);
}

static void
lay_out(const struct job *j, struct batch *b, const struct taf_tile *t)
{
	unsigned char *const base = t->scratch;
	size_t at[PARTS];

	(void)scratch_of(j, b, at);
	b->raw = t->raw[0];
	b->out = t->stored;
	b->lines = j->transposes ? base + at[LINES] : b->raw;
	b->values = taf_recode_is_copy(&j->in) ? b->lines : base + at[VALUES];
	b->results = taf_recode_is_copy(&j->back) && !j->transposes ? b->out :
	    base + at[RESULTS];
	b->stored = taf_recode_is_copy(&j->back) ? b->results : j->transposes ?
	    base + at[STORED] : b->out;
}

/* Elements of a batch in an array where lines have len points. */
static struct taf_runs
runs_of(const struct job *j, const struct batch *b, uint64_t len, size_t size)
{
	struct taf_runs all = { .first = b->o * len * j->cut.inner + b->i,
		.n = b->wide * b->tall * (size_t)len, .runs = 1 };

	if (j->random)
		all = (struct taf_runs){ all.first, b->wide, (size_t)len, j->cut.inner,
			step_of(j, b->wide, size) };
	return all;
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	struct batch *b = &j->batch[t->slot];
	size_t at[PARTS];

	if (j->o == j->cut.outer || j->cut.inner == 0)
		return false;
	b->i = j->i;
	b->o = j->o;
	b->wide = j->cut.inner - j->i < j->wide ? (size_t)(j->cut.inner - j->i) : j->wide;
	b->tall = j->cut.outer - j->o < j->tall ? (size_t)(j->cut.outer - j->o) : j->tall;
	j->i += b->wide;
	if (j->i == j->cut.inner) {
		j->i = 0;
		j->o += b->tall;
	}
	t->in[0] = runs_of(j, b, j->cut.len, j->esize);
	t->out = runs_of(j, b, j->out_len, j->osize);
	t->scratch_size = scratch_of(j, b, at);
	return true;
}

/* Exchange the order: with to_lines points of a line come together. */
static void
transpose(const struct batch *b, void *to, const void *from, size_t esize, size_t len,
    bool to_lines)
{
	const size_t n[3] = { b->wide, len, b->tall };
	const ptrdiff_t one = (ptrdiff_t)esize, wide = one * (ptrdiff_t)b->wide;
	const ptrdiff_t line = one * (ptrdiff_t)len, plane = wide * (ptrdiff_t)len;
	const ptrdiff_t across[3] = { one, wide, plane }, along[3] = { line, one, plane };

	taf_strided_copy(to, from, &(struct taf_strided){ esize, 3, n,
	    to_lines ? along : across, to_lines ? across : along });
}

/* Where a point of a line is, of those that come or, with back, of those that go. */
static struct taf_place_text
place_of(const struct job *j, bool back, uint64_t line, uint64_t point)
{
	return taf_along_place(&j->along, back ? j->how->out : j->how->a, line, point);
}

/* A value at src is none of its type: it goes in, or back, at a point of a line. */
static enum taf_status
does_not_fit(const struct job *j, bool back, const void *src, uint64_t line,
    uint64_t point, struct taf_err *e)
{
	return taf_recode_misfit(back ? &j->back : &j->in, src,
	    place_of(j, back, line, point).s, e);
}

/* One line, side by side with no other or behind no other. */
static enum taf_status
call(const struct job *j, const struct taf_line *l, struct taf_err *e)
{
	const struct taf_beside alone = { .in = l->in, .out = l->out, .lines = 1,
		.in_len = l->in_len, .out_len = l->out_len, .in_step = 1, .out_step = 1,
		.thread = l->thread, .first = l->first, .scratch = l->scratch };

	return j->how->beside != NULL && j->cut.inner > 1 ?
	    j->how->beside(j->how->ctx, &alone, e) : j->how->line(j->how->ctx, l, e);
}

/* Numbers of a line become smaller, and its results that are not finite what they say. */
static enum taf_status
again(const struct job *j, const struct taf_line *l, void *smaller, void *results,
    struct taf_err *e)
{
	const enum taf_scaling scaling = (enum taf_scaling)j->how->scaling;
	const size_t each = j->gsize / j->word, all = l->out_len * each;
	const int bits = j->narrow ? TAF_SMALLER_FLT32 : TAF_SMALLER;
	struct taf_line line = *l;
	enum taf_status st;
	size_t good;

	line.in = smaller;
	line.out = results;
	taf_scale_down(smaller, l->in, l->in_len * j->vsize / j->word, j->narrow, bits);
	st = call(j, &line, e);
	if (st != TAF_OK)
		return st;
	good = taf_scale_back(l->out, results, all, j->narrow, scaling, bits);
	/* too large even so */
	if (good == all)
		good = taf_infinite(l->out, all, j->narrow, scaling);
	return good == all ? TAF_OK : taf_recode_overflow(j->how->give,
	    place_of(j, true, l->first, good / each).s, e);
}

/* A line with results that are not finite, though all its numbers may be. */
static enum taf_status
once_more(const struct job *j, const struct taf_line *l, struct taf_err *e)
{
	void *smaller, *results;
	enum taf_status st;

	if (taf_all_finite(l->out, l->out_len * j->gsize / j->word, 1, j->narrow) ||
	    !taf_all_finite(l->in, l->in_len * j->vsize / j->word, 1, j->narrow))
		return TAF_OK;
	smaller = taf_alloc(l->in_len, j->vsize);
	results = taf_alloc(l->out_len, j->gsize);
	st = smaller != NULL && results != NULL ? again(j, l, smaller, results, e) :
	    taf_fail_mem(e);
	free(smaller);
	free(results);
	return st;
}

/* The same of each of some lines, one behind the other. */
static enum taf_status
check_lines(const struct job *j, const struct taf_line *all, struct taf_err *e)
{
	struct taf_line l = *all;
	enum taf_status st = TAF_OK;
	size_t k;

	if (j->how->scaling == TAF_SCALING_UNKNOWN || taf_one_nan(l.out, l.lines *
	    l.out_len * j->gsize / j->word, j->narrow))
		return TAF_OK;
	l.lines = 1;
	for (k = 0; k < all->lines && st == TAF_OK; k++) {
		l.first = all->first + k;
		l.in = (const char *)all->in + k * l.in_len * j->vsize;
		l.out = (char *)all->out + k * l.out_len * j->gsize;
		st = once_more(j, &l, e);
	}
	return st;
}

/* One of some lines that lie side by side comes alone and goes back. */
static enum taf_status
check_one(const struct job *j, const struct taf_beside *b, size_t k, struct taf_err *e)
{
	char *const in = taf_alloc(b->in_len, j->vsize);
	char *const out = taf_alloc(b->out_len, j->gsize);
	const struct taf_line l = { .in = in, .out = out, .lines = 1, .in_len = b->in_len,
		.out_len = b->out_len, .first = b->first + k, .thread = b->thread,
		.scratch = b->scratch };
	enum taf_status st = in != NULL && out != NULL ? TAF_OK : taf_fail_mem(e);
	size_t i;

	for (i = 0; i < b->in_len && st == TAF_OK; i++)
		memcpy(in + i * j->vsize, (const char *)b->in +
		    (i * b->in_step + k) * j->vsize, j->vsize);
	for (i = 0; i < b->out_len && st == TAF_OK; i++)
		memcpy(out + i * j->gsize, (const char *)b->out +
		    (i * b->out_step + k) * j->gsize, j->gsize);
	if (st == TAF_OK)
		st = once_more(j, &l, e);
	for (i = 0; i < b->out_len && st == TAF_OK; i++)
		memcpy((char *)b->out + (i * b->out_step + k) * j->gsize,
		    out + i * j->gsize, j->gsize);
	free(in);
	free(out);
	return st;
}

/* The same of each of some lines side by side. */
static enum taf_status
check_beside(const struct job *j, const struct taf_beside *b, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	bool finite = true;
	size_t k;

	for (k = 0; k < b->out_len && j->how->scaling != TAF_SCALING_UNKNOWN; k++)
		finite &= taf_one_nan((char *)b->out + k * b->out_step * j->gsize,
		    b->lines * j->gsize / j->word, j->narrow);
	for (k = 0; k < b->lines && !finite && st == TAF_OK; k++)
		st = check_one(j, b, k, e);
	return st;
}

/* The same of lines side by side, of which it is value number at. */
static enum taf_status
not_beside(const struct job *j, const struct batch *b, size_t at, bool back,
    struct taf_err *e)
{
	const size_t len = (size_t)(back ? j->out_len : j->cut.len);
	const size_t row = at / b->wide;
	const uint64_t line = (b->o + row / len) * j->cut.inner + b->i + at % b->wide;

	return does_not_fit(j, back, back ? b->results + at * j->gsize :
	    b->raw + at * j->esize, line, row % len, e);
}

static enum taf_status
compute_beside(struct job *j, struct batch *b, const struct taf_tile *t,
    struct taf_err *e)
{
	struct taf_beside l = { .lines = b->wide, .in_len = (size_t)j->cut.len,
	    .out_len = (size_t)j->out_len, .in_step = step_of(j, b->wide, j->esize),
	    .out_step = step_of(j, b->wide, j->osize), .thread = t->slot,
	    .scratch = j->need.scratch > 0 ? t->scratch : NULL };
	const size_t in = l.in_step * l.in_len, out = l.out_step * l.out_len;
	enum taf_status st = TAF_OK;
	size_t good = b->tall * in, k;

	if (b->values != b->raw)
		good = taf_recode(&j->in, b->values, b->raw, good, NULL);
	if (good < b->tall * in)
		return not_beside(j, b, good, false, e);
	for (k = 0; k < b->tall && st == TAF_OK; k++) {
		l.in = b->values + k * in * j->vsize;
		l.out = b->results + k * out * j->gsize;
		l.first = (b->o + k) * j->cut.inner + b->i;
		st = j->how->beside(j->how->ctx, &l, e);
		if (st == TAF_OK)
			st = check_beside(j, &l, e);
	}
	if (st != TAF_OK || b->stored == b->results)
		return st;
	good = taf_recode(&j->back, b->stored, b->results, b->tall * out,
	    j->how->count != NULL ? &b->count : NULL);
	return good < b->tall * out ? not_beside(j, b, good, true, e) : TAF_OK;
}

/* All lines of a batch through the function. */
static enum taf_status
compute(struct job *j, struct batch *b, const struct taf_tile *t, struct taf_err *e)
{
	const size_t in = (size_t)j->cut.len, out = (size_t)j->out_len;
	const size_t lines = b->wide * b->tall;
	const size_t most = in < CALL ? CALL / (in > 0 ? in : 1) : 1;
	struct taf_line l = { .in_len = in, .out_len = out, .thread = t->slot,
		.scratch = j->need.scratch > 0 ? t->scratch : NULL };
	enum taf_status st = TAF_OK;
	size_t at, good;

	for (at = 0; at < lines && st == TAF_OK; at += l.lines) {
		unsigned char *stored = b->stored + at * out * j->osize;

		l.lines = lines - at < most ? lines - at : most;
		l.first = b->o * j->cut.inner + b->i + at;
		l.in = b->values + at * in * j->vsize;
		l.out = b->results + at * out * j->gsize;
		good = b->values == b->lines ? l.lines * in : taf_recode(&j->in,
		    b->values + at * in * j->vsize, b->lines + at * in * j->esize,
		    l.lines * in, NULL);
		if (good < l.lines * in)
			return does_not_fit(j, false,
			    b->lines + (at * in + good) * j->esize,
			    l.first + good / in, good % in, e);
		st = j->how->line(j->how->ctx, &l, e);
		if (st == TAF_OK)
			st = check_lines(j, &l, e);
		if (st != TAF_OK || stored == l.out)
			continue;
		good = taf_recode(&j->back, stored, l.out, l.lines * out * j->record,
		    j->how->count != NULL ? &b->count : NULL);
		if (good < l.lines * out * j->record)
			return does_not_fit(j, true,
			    (const unsigned char *)l.out + good * (j->gsize / j->record),
			    l.first + good / j->record / out, good / j->record % out, e);
	}
	return st;
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct batch *b = &j->batch[t->slot];
	enum taf_status st;

	lay_out(j, b, t);
	if (j->cut.inner > 1 && !j->transposes)
		return compute_beside(j, b, t, e);
	if (j->transposes)
		transpose(b, b->lines, b->raw, j->esize, (size_t)j->cut.len, true);
	st = compute(j, b, t, e);
	if (st == TAF_OK && j->transposes)
		transpose(b, b->out, b->stored, j->osize, (size_t)j->out_len, false);
	return st;
}

static enum taf_status
run_batches(struct job *j, unsigned threads, struct taf_err *e)
{
	const struct taf_lines *how = j->how;
	const struct taf_tiles tiles = { .r = &j->r, .esize = &j->esize, .nin = 1,
		.w = how->w, .to = j->to, .osize = j->osize, .record = j->record,
		.count = j->cut.inner * j->out_len * j->cut.outer, .scattered = j->random,
		.threads = threads, .ctx = j, .next = next, .work = work };
	enum taf_status st;
	unsigned k;

	if (how->scaling != 0)
		taf_need_beside(cost(j) * threads);
	st = taf_tiles(&tiles, e);
	for (k = 0; k < threads && how->count != NULL; k++) {
		how->count->clipped += j->batch[k].count.clipped;
		how->count->rounded += j->batch[k].count.rounded;
	}
	return st;
}

/* Lines come one behind the other, and their results go so. */
static enum taf_status
run_transposed(void *ctx, struct taf_reader *r, const struct taf_array *a,
    struct taf_out *to, struct taf_err *e)
{
	struct job *j = ctx;
	unsigned threads;

	(void)a;
	j->r = r;
	j->to = to;
	j->transposes = j->random = false;
	j->cut = (struct taf_cut){ 1, j->cut.len, j->cut.inner * j->cut.outer };
	return plan(j, &threads, e) == TAF_OK ? run_batches(j, threads, e) : e->code;
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_lines *how = j->how;
	const struct taf_transposed transposed = { .along = &j->along,
		.record = j->record, .to = how->to, .lines = run_transposed, .ctx = j };
	unsigned threads;

	if (plan(j, &threads, e) != TAF_OK)
		return e->code;
	taf_need_wait(j->cut.outer == 1 && j->cut.len > 1);
	return j->transposed ? taf_transposed(&transposed, e) :
	    run_batches(j, threads, e);
}

/* Sizes, and how values are converted. */
static void
prepare(struct job *j, const struct taf_lines *how, const struct taf_need *need)
{
	const struct taf_along *const l = &j->along;
	enum taf_type from, to;

	j->how = how;
	j->r = how->r;
	j->to = how->to;
	if (need != NULL)
		j->need = *need;
	j->service = (struct taf_service){ .memory = how->memory,
	    .jobs = how->threads > 0 ? how->threads : 1 };
	j->along = (struct taf_along){ &j->service, how->r, how->a, how->dim, how->out,
	    how->w, taf_type_is_pair(how->a->type) && !taf_type_is_pair(how->as) };
	from = taf_along_type(l, how->a);
	to = taf_along_type(l, how->out);
	j->cut = taf_along_cut(l, how->a);
	j->out_len = taf_along_cut(l, how->out).len;
	j->transposes = j->cut.inner > 1 && how->beside == NULL;
	j->esize = taf_type_size(from);
	j->vsize = taf_type_size(how->as);
	j->record = how->record > 0 ? how->record : 1;
	j->gsize = taf_type_size(how->give) * j->record;
	j->osize = taf_type_size(to) * j->record;
	j->narrow = how->give == TAF_FLT32 || how->give == TAF_COMPLEX;
	j->word = j->narrow ? sizeof(float) : sizeof(double);
	j->in = (struct taf_recode){ .from = from, .to = how->as,
	    .from_mapped = !how->stored && taf_array_mapped(how->a),
	    .from_map = { how->a->intercept, how->a->slope } };
	j->back = (struct taf_recode){ .from = how->give, .to = to,
	    .to_mapped = !how->stored && taf_array_mapped(how->out),
	    .to_map = { how->out->intercept, how->out->slope }, .clip = how->clip };
}

bool
taf_lines_fit(const struct taf_lines *how, const struct taf_need *need)
{
	struct job j = { 0 };
	uint64_t each;

	prepare(&j, how, need);
	each = cost(&j);
	return each > 0 && taf_threads_within(how->memory, 1, j.need.shared,
	    each + j.need.scratch) > 0;
}

/* Is it a request that can be understood? */
static enum taf_status
check(const struct taf_lines *how, struct taf_err *e)
{
	unsigned k;

	if (taf_array_sound(how->out, e) != TAF_OK ||
	    taf_reader_before(how->r, how->a, e) != TAF_OK)
		return e->code;
	if (how->dim < 1 || how->dim > TAF_MAX_DIM || !taf_type_known(how->as) ||
	    !taf_type_known(how->give) || (how->line == NULL && how->beside == NULL))
		return taf_fail(e, TAF_EMISUSE, "internal: no lines");
	for (k = 0; k < how->a->ndim || k < how->out->ndim; k++)
		if (k + 1 != how->dim && (k < how->a->ndim ? how->a->dim[k].n : 1) !=
		    (k < how->out->ndim ? how->out->dim[k].n : 1))
			return taf_fail(e, TAF_EMISUSE,
			    "internal: lines of another shape");
	return TAF_OK;
}

enum taf_status
taf_lines(const struct taf_lines *how, struct taf_err *e)
{
	return taf_lines_with(how, NULL, e);
}

enum taf_status
taf_lines_with(const struct taf_lines *how, const struct taf_need *need,
    struct taf_err *e)
{
	struct job *j;
	enum taf_status st = TAF_OK;

	if (check(how, e) != TAF_OK)
		return e->code;
	j = calloc(1, sizeof *j);
	if (j == NULL)
		return taf_fail_mem(e);
	prepare(j, how, need);
	if (taf_type_is_pair(j->in.from) != taf_type_is_pair(j->in.to) ||
	    taf_type_is_pair(j->back.from) != taf_type_is_pair(j->back.to) ||
	    (j->along.parts && !taf_type_is_pair(how->out->type)))
		st = taf_fail(e, TAF_EDATA, "%s elements do not convert to %s",
		    taf_type_name(how->a->type), taf_type_name(how->out->type));
	if (st == TAF_OK && j->along.parts) {
		taf_reader_parts(how->r);
		if (how->to == NULL)
			taf_writer_parts(how->w);
	}
	if (st == TAF_OK && taf_array_count(how->out) > 0)
		st = run(j, e);
	free(j);
	return st;
}
