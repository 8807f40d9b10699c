#include "stream/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "kernel/move/strided.h"
#include "kernel/number/nan.h"
#include "kernel/number/recode.h"
#include "stream/relay.h"
#include "stream/spool.h"
#include "stream/transpose.h"

enum {
	/* values that a thread takes at a time, if a line is shorter */
	BATCH = 128 * 1024,
	RUN = 16 * 1024,	/* bytes that are worth a read of their own */
	SHORT = 64 * 1024,	/* fewer bytes are not, where lines take many reads */
	/* values for a call of the function: they stay in cache */
	CALL = 32 * 1024,
	BESIDE = 4 * 1024,	/* bytes of a run of lines side by side */
	GAP = 64		/* bytes behind each */
};

/*
 * A batch is wide neighbours of inner, in tall of outer: wide times tall lines.  One that
 * covers inner comes in one read for all of tall, else in one for each point of a line.
 */
struct batch {
	uint64_t i, o;			/* its first line */
	size_t wide, tall;
	unsigned char *raw, *turned, *values, *results, *stored, *out;
	struct taf_convert_count count;
};

struct job {
	const struct taf_lines *how;
	struct taf_recode in, back;
	struct taf_cut cut;
	uint64_t inner;			/* lines that lie side by side in the arrays */
	/*
	 * Runs would be short: lines come one behind the other from a temporary file, and
	 * results go to another one.
	 */
	bool transposed;
	struct taf_in *lines;
	uint64_t out_len;
	size_t esize, vsize, gsize, osize;
	size_t record;			/* numbers of a result */
	size_t word;			/* of a real number, in and out */
	bool narrow;			/* that is flt32 */
	size_t wide, tall;
	bool random;			/* elements are read at random */
	/* lines lie apart, and come one behind the other */
	bool turns;
	/*
	 * Without a turn, runs that are read at random have a gap: steps of a power of 2
	 * meet in few places of a cache.
	 */
	bool gap;
	uint64_t i, o;			/* of the next batch */
	struct taf_out *target;		/* written at offsets from base on, or NULL */
	uint64_t base;
	struct taf_spool spool;		/* what target is where the output is a pipe */
	struct batch batch[TAF_RELAY_MOST];
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
	const uint64_t in = j->esize + (j->turns ? j->esize : 0) + j->vsize;
	const uint64_t out = j->gsize + j->osize + (j->turns ? j->osize : 0);
	uint64_t a, b, sum;

	return taf_mul(in, j->cut.len, &a) && taf_mul(out, j->out_len, &b) &&
	    taf_add(a, b, &sum) ? sum : 0;
}

/* Would lines come, or go, in runs that cost more than two more passes over all bytes? */
static bool
short_runs(const struct job *j)
{
	const size_t run = j->wide * largest(j->esize, j->osize);

	return j->random && j->wide < j->cut.inner && j->cut.len > 1 &&
	    run < (j->turns ? SHORT : BESIDE);
}

/* How the lines are cut into batches, and how many threads share the memory. */
static enum taf_status
plan(struct job *j, unsigned *threads, struct taf_err *e)
{
	const uint64_t len = largest((size_t)j->cut.len, (size_t)j->out_len * j->record);
	const uint64_t each = cost(j), memory = taf_memory_for(j->how->memory, each);
	uint64_t most, batches;

	*threads = j->how->threads < 1 ? 1 : j->how->threads > TAF_RELAY_MOST ?
	    TAF_RELAY_MOST : j->how->threads;
	if (each == 0 || each > memory)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: a line of %llu elements needs "
		    "more memory than -m allows", j->how->dim,
		    (unsigned long long)j->cut.len);
	if (*threads > memory / each)
		*threads = (unsigned)(memory / each);
	most = memory / *threads / each;
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
	if (short_runs(j)) {
		j->transposed = true;
		j->random = j->turns = false;
		j->cut = (struct taf_cut){ 1, j->cut.len, j->cut.inner * j->cut.outer };
		return plan(j, threads, e);
	}
	/* without a turn a run need not be long */
	if (j->random && !j->turns)
		j->wide = smallest(j->wide, largest(1,
		    BESIDE / largest(j->esize, j->osize)));
	if (j->tall > j->cut.outer)
		j->tall = (size_t)j->cut.outer;
	/* more of them would start for nothing */
	batches = ((j->cut.inner + j->wide - 1) / j->wide) *
	    ((j->cut.outer + j->tall - 1) / j->tall);
	if (*threads > batches)
		*threads = (unsigned)batches;
	j->gap = j->random && !j->turns && j->wide + GAP <= most &&
	    taf_recode_is_copy(&j->in) && taf_recode_is_copy(&j->back);
	return TAF_OK;
}

/* From a point of lines side by side to the next, of wide lines of so many bytes each. */
static size_t
step_of(const struct job *j, size_t wide, size_t size)
{
	return wide + (j->gap ? GAP / size : 0);
}

static enum taf_status
open_batch(const struct job *j, struct batch *b, struct taf_err *e)
{
	const size_t in = step_of(j, j->wide, j->esize) * j->tall * (size_t)j->cut.len;
	const size_t out = step_of(j, j->wide, j->osize) * j->tall * (size_t)j->out_len;

	b->raw = taf_alloc_far(in, j->esize);
	b->turned = j->turns ? taf_alloc(in, j->esize) : b->raw;
	b->values = taf_recode_is_copy(&j->in) ? b->turned : taf_alloc(in, j->vsize);
	b->results = taf_alloc_far(out, j->gsize);
	b->stored = taf_recode_is_copy(&j->back) ? b->results : taf_alloc(out, j->osize);
	b->out = j->turns ? taf_alloc(out, j->osize) : b->stored;
	return b->raw != NULL && b->turned != NULL && b->values != NULL &&
	    b->results != NULL && b->stored != NULL && b->out != NULL ? TAF_OK :
	    taf_fail_mem(e);
}

static void
close_batch(struct batch *b)
{
	if (b->out != b->stored)
		free(b->out);
	if (b->stored != b->results)
		free(b->stored);
	free(b->results);
	if (b->values != b->turned)
		free(b->values);
	if (b->turned != b->raw)
		free(b->turned);
	free(b->raw);
}

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct job *j = ctx;
	struct batch *b = &j->batch[slot];
	size_t n;

	*more = j->o < j->cut.outer && j->cut.inner > 0;
	if (!*more)
		return TAF_OK;
	b->i = j->i;
	b->o = j->o;
	b->wide = j->cut.inner - j->i < j->wide ? (size_t)(j->cut.inner - j->i) : j->wide;
	b->tall = j->cut.outer - j->o < j->tall ? (size_t)(j->cut.outer - j->o) : j->tall;
	j->i += b->wide;
	if (j->i == j->cut.inner) {
		j->i = 0;
		j->o += b->tall;
	}
	n = b->wide * b->tall * (size_t)j->cut.len;
	if (j->transposed)
		return taf_in_read(j->lines, b->raw, n * j->esize, e);
	return j->random ? TAF_OK : taf_reader_read(j->how->r, b->raw, n, e);
}

/* Points of some lines, one run for each. */
static enum taf_status
read_runs(const struct job *j, const struct batch *b, struct taf_err *e)
{
	const size_t step = step_of(j, b->wide, j->esize) * j->esize;
	uint64_t at = b->o * j->cut.len * j->cut.inner + b->i;
	enum taf_status st = TAF_OK;
	uint64_t p;

	for (p = 0; p < j->cut.len && st == TAF_OK; p++, at += j->cut.inner)
		st = taf_reader_at(j->how->r, b->raw + p * step, at, b->wide, e);
	return st;
}

static enum taf_status
write_runs(const struct job *j, const struct batch *b, struct taf_err *e)
{
	const size_t run = b->wide * j->osize;
	const size_t step = step_of(j, b->wide, j->osize) * j->osize;
	uint64_t at = b->o * j->out_len * j->cut.inner + b->i;
	enum taf_status st = TAF_OK;
	uint64_t p;

	if (b->wide == j->cut.inner && step == run)
		return taf_out_pwrite(j->target, b->out,
		    run * (size_t)j->out_len * b->tall, j->base + at * j->osize, e);
	for (p = 0; p < j->out_len && st == TAF_OK; p++, at += j->cut.inner)
		st = taf_out_pwrite(j->target, b->out + p * step, run,
		    j->base + at * j->osize, e);
	return st;
}

/* Exchange the order: with to_lines points of a line come together. */
static void
turn(const struct batch *b, void *to, const void *from, size_t esize, size_t len,
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
	const uint64_t len = back ? j->out_len : j->cut.len;

	return taf_array_place(back ? j->how->out : j->how->a,
	    (line / j->inner * len + point) * j->inner + line % j->inner);
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
		.thread = l->thread, .first = l->first };

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
		.out_len = b->out_len, .first = b->first + k, .thread = b->thread };
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
compute_beside(struct job *j, struct batch *b, unsigned slot, struct taf_err *e)
{
	struct taf_beside l = { .lines = b->wide, .in_len = (size_t)j->cut.len,
	    .out_len = (size_t)j->out_len, .in_step = step_of(j, b->wide, j->esize),
	    .out_step = step_of(j, b->wide, j->osize), .thread = slot };
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
compute(struct job *j, struct batch *b, unsigned slot, struct taf_err *e)
{
	const size_t in = (size_t)j->cut.len, out = (size_t)j->out_len;
	const size_t lines = b->wide * b->tall;
	const size_t most = in < CALL ? CALL / (in > 0 ? in : 1) : 1;
	struct taf_line l = { .in_len = in, .out_len = out, .thread = slot };
	enum taf_status st = TAF_OK;
	size_t at, good;

	for (at = 0; at < lines && st == TAF_OK; at += l.lines) {
		unsigned char *stored = b->stored + at * out * j->osize;

		l.lines = lines - at < most ? lines - at : most;
		l.first = b->o * j->cut.inner + b->i + at;
		l.in = b->values + at * in * j->vsize;
		l.out = b->results + at * out * j->gsize;
		good = b->values == b->turned ? l.lines * in : taf_recode(&j->in,
		    b->values + at * in * j->vsize, b->turned + at * in * j->esize,
		    l.lines * in, NULL);
		if (good < l.lines * in)
			return does_not_fit(j, false,
			    b->turned + (at * in + good) * j->esize,
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
work(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	struct batch *b = &j->batch[slot];
	enum taf_status st = j->random ? read_runs(j, b, e) : TAF_OK;

	if (st != TAF_OK)
		return st;
	if (j->cut.inner > 1 && !j->turns) {
		st = compute_beside(j, b, slot, e);
		return st == TAF_OK && j->target != NULL ? write_runs(j, b, e) : st;
	}
	if (b->turned != b->raw)
		turn(b, b->turned, b->raw, j->esize, (size_t)j->cut.len, true);
	st = compute(j, b, slot, e);
	if (st != TAF_OK)
		return st;
	if (b->out != b->stored)
		turn(b, b->out, b->stored, j->osize, (size_t)j->out_len, false);
	return j->target != NULL ? write_runs(j, b, e) : TAF_OK;
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	const struct batch *b = &j->batch[slot];

	return j->target != NULL ? TAF_OK : taf_writer_put(j->how->w, b->out,
	    b->wide * b->tall * (size_t)j->out_len * j->record, e);
}

/* A temporary file that results are written to. */
static enum taf_status
open_spool(struct job *j, struct taf_err *e)
{
	const enum taf_status st = taf_spool_region(&j->spool,
	    taf_array_bytes(j->how->out) * j->record, &j->base, e);

	j->target = j->spool.out;
	return st;
}

/* Where batches go. */
static enum taf_status
open_target(struct job *j, unsigned threads, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (j->transposed)
		return open_spool(j, e);
	j->target = j->how->to;
	/* at offsets threads wait for each other less; but what may not come has no room */
	if (j->target != NULL)
		st = taf_out_region(j->target, taf_array_bytes(j->how->out) * j->record,
		    &j->base, e);
	else if (j->random || (threads > 1 && taf_reader_sure(j->how->r)))
		st = taf_writer_region(j->how->w, &j->target, &j->base, e);
	if (st == TAF_OK && j->random && j->target == NULL)
		st = open_spool(j, e);
	return st == TAF_OK && j->random ? taf_reader_random(j->how->r, e) : st;
}

static enum taf_status
compute_batches(struct job *j, unsigned threads, struct taf_err *e)
{
	const struct taf_relay relay = { j, take, work, give };
	enum taf_status st = open_target(j, threads, e);
	unsigned k;

	for (k = 0; k < threads && st == TAF_OK; k++)
		st = open_batch(j, &j->batch[k], e);
	if (st == TAF_OK)
		st = taf_relay(&relay, threads, e);
	for (k = 0; k < threads; k++) {
		if (j->how->count != NULL) {
			j->how->count->clipped += j->batch[k].count.clipped;
			j->how->count->rounded += j->batch[k].count.rounded;
		}
		close_batch(&j->batch[k]);
	}
	return st;
}

/* Lines of len elements of so many bytes, as they lie side by side. */
static struct taf_transpose
transpose_of(const struct job *j, size_t size, uint64_t len)
{
	return (struct taf_transpose){ .cut = { j->inner, len, j->cut.outer / j->inner },
		.size = size, .memory = j->how->memory, .threads = j->how->threads };
}

/* What the temporary file has goes to where results are wanted. */
static enum taf_status
empty_spool(struct job *j, enum taf_status st, struct taf_err *e)
{
	const struct taf_lines *how = j->how;
	const struct taf_transpose all = transpose_of(j, j->osize, j->out_len);
	struct taf_in *in;

	if (j->spool.out == NULL)
		return st;
	st = taf_spool_end(&j->spool, st, "temporary file", &in, e);
	if (st != TAF_OK)
		return st;
	st = j->transposed ? taf_transpose_back(&all, in, j->record, how->w, how->to, e) :
	    taf_writer_move(how->w, in, taf_array_count(how->out) * j->record, e);
	taf_in_close(in);
	return st;
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	struct taf_transpose all;
	enum taf_status st;
	unsigned threads;

	st = plan(j, &threads, e);
	if (st == TAF_OK && j->transposed) {
		all = transpose_of(j, j->esize, j->cut.len);
		st = taf_transpose_lines(&all, j->how->r, &j->lines, e);
	}
	if (st == TAF_OK)
		st = compute_batches(j, threads, e);
	taf_in_close(j->lines);
	return empty_spool(j, st, e);
}

/* Sizes, and how values are converted. */
static void
prepare(struct job *j, const struct taf_lines *how)
{
	j->how = how;
	j->spool.fd = -1;
	j->cut = taf_array_cut(how->a, how->dim);
	j->inner = j->cut.inner;
	j->out_len = how->dim <= how->out->ndim ? how->out->dim[how->dim - 1].n : 1;
	j->turns = j->cut.inner > 1 && how->beside == NULL;
	j->esize = taf_type_size(how->a->type);
	j->vsize = taf_type_size(how->as);
	j->record = how->record > 0 ? how->record : 1;
	j->gsize = taf_type_size(how->give) * j->record;
	j->osize = taf_type_size(how->out->type) * j->record;
	j->narrow = how->give == TAF_FLT32 || how->give == TAF_COMPLEX;
	j->word = j->narrow ? sizeof(float) : sizeof(double);
	j->in = (struct taf_recode){ .from = how->a->type, .to = how->as,
	    .from_mapped = !how->stored && taf_array_mapped(how->a),
	    .from_map = { how->a->intercept, how->a->slope } };
	j->back = (struct taf_recode){ .from = how->give, .to = how->out->type,
	    .to_mapped = !how->stored && taf_array_mapped(how->out),
	    .to_map = { how->out->intercept, how->out->slope }, .clip = how->clip };
}

bool
taf_lines_fit(const struct taf_lines *how)
{
	struct job j = { 0 };
	uint64_t each;

	prepare(&j, how);
	each = cost(&j);
	return each > 0 && each <= how->memory;
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
	struct job *j;
	enum taf_status st = TAF_OK;

	if (check(how, e) != TAF_OK)
		return e->code;
	j = calloc(1, sizeof *j);
	if (j == NULL)
		return taf_fail_mem(e);
	prepare(j, how);
	if (taf_type_is_pair(j->in.from) != taf_type_is_pair(j->in.to) ||
	    taf_type_is_pair(j->back.from) != taf_type_is_pair(j->back.to))
		st = taf_fail(e, TAF_EDATA, "%s elements do not convert to %s",
		    taf_type_name(how->a->type), taf_type_name(how->out->type));
	if (st == TAF_OK && taf_array_count(how->out) > 0)
		st = run(j, e);
	free(j);
	return st;
}
