/* SPDX-License-Identifier: ISC */
#include "stream/windows.h"

#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/buf.h"
#include "base/need.h"
#include "base/num.h"
#include "kernel/move/strided.h"
#include "kernel/number/nan.h"
#include "kernel/number/recode_private.h"
#include "stream/lines_private.h"
#include "stream/tiles.h"

enum {
	LONG = 128 * 1024,	/* points of a line that is worth windows */
	/* results of a window, where memory allows and few points suffice */
	WINDOW = 16 * 1024,
	ROWS = 512,		/* of each of many lines: as many as are summed at once */
	STRIP = 128 * 1024,	/* bytes of some lines that are worked on in cache */
	/* how many times as long as the overlap a window should be */
	OVERLAP = 4,
	/* results of a call, where their number is of no matter */
	BLOCK = 1024,
	ALIGN = 64		/* bytes that scratch begins with */
};

/* What a call of the function takes and gives, of a thread. */
struct workspace {
	void *values, *results;
	size_t most_in, most_out;	/* points and results that there is memory for */
};

/*
 * Results from at on, n of them in each of inner lines, and their points from first on.
 */
struct piece {
	uint64_t o, at, first;
	size_t n, points;
};

struct job {
	const struct taf_windows *how;
	struct taf_recode in, back;
	struct taf_cut cut;
	uint64_t out_len, memory;
	size_t esize, osize, inner;
	size_t vsize, rsize, record;	/* of a value and a result; numbers of a result */
	size_t word;			/* of a real number of these */
	size_t n;			/* of a window, but for the last */
	uint64_t block;			/* results of a call at most */
	uint64_t points, block_points;	/* most_points of n and of block */
	size_t strip;			/* lines that are brought together at a time */
	uint64_t o, at;			/* of the next piece */
	unsigned char *state;		/* of inner lines, or of threads */
	/* the state is brought behind a piece when it is read */
	bool passes;
	struct piece piece[TAF_THREADS_MOST];
	struct workspace workspace[TAF_THREADS_MOST];
};

/* The points that n results from at on are made of. */
static void
span_of(const struct job *j, uint64_t at, uint64_t n, uint64_t span[2])
{
	const struct taf_reach *reach = j->how->reach;
	const uint64_t end = at + n;

	if (reach == NULL) {
		j->how->span(j->how->ctx, at, n, span);
		return;
	}
	span[0] = at > reach->before ? at - reach->before : 0;
	span[1] = reach->behind < reach->len - end ? end + reach->behind : reach->len;
}

enum taf_status
taf_windows_shape(struct taf_array *out, const struct taf_array *in, unsigned dim,
    struct taf_err *e)
{
	if (taf_dim_there(in, dim, e) != TAF_OK)
		return e->code;
	if (in->dim[dim - 1].n == 0)
		return taf_fail(e, TAF_EDATA, "dimension %u has no points", dim);
	out->type = taf_type_is_pair(in->type) ? taf_type_computed_pair(in->type) :
	    taf_type_computed(in->type);
	taf_array_unmap(out);
	return TAF_OK;
}

/*
 * How many of n results from at on are made of no more than most points; one at least.
 * span becomes theirs.
 */
static size_t
some_of(const struct job *j, uint64_t at, size_t n, uint64_t most, uint64_t span[2])
{
	span_of(j, at, n, span);
	while (j->how->uneven && n > 1 && span[1] - span[0] > most) {
		n -= n / 2;
		span_of(j, at, n, span);
	}
	return n;
}

/* Points that n results in the middle of a line are made of. */
static uint64_t
points_of(const struct job *j, uint64_t n)
{
	uint64_t span[2];

	span_of(j, (j->out_len - n) / 2, n, span);
	return span[1] - span[0];
}

/*
 * How many points there is memory for if n results are made at a time.  Results that are
 * made of more come in smaller numbers, but always have room for these points.
 */
static uint64_t
most_points(const struct job *j, uint64_t n)
{
	const uint64_t points = points_of(j, n);
	uint64_t most;

	if (!j->how->uneven)
		return points + 2;
	most = (points > n ? points : n) + points_of(j, 1) + 2;
	return most < j->cut.len ? most : j->cut.len;
}

/*
 * How many results a call is for: few, where that is allowed, so that all stays in cache;
 * but their points are not to be converted again and again.
 */
static uint64_t
block(const struct job *j)
{
	uint64_t n = j->how->blocks ? BLOCK : j->out_len;

	while (n < j->out_len && points_of(j, n) < (OVERLAP + 1) * points_of(j, 1))
		n *= 2;
	return n < j->out_len ? n : j->out_len;
}

static enum taf_status
make_workspace(const struct job *j, struct workspace *d, size_t points, size_t n,
    struct taf_err *e)
{
	if (points > d->most_in && !taf_recode_is_copy(&j->in)) {
		free(d->values);
		d->values = taf_alloc(points, j->vsize);
		d->most_in = d->values == NULL ? 0 : points;
		if (d->values == NULL)
			return taf_fail_mem(e);
	}
	if (n > d->most_out && !taf_recode_is_copy(&j->back)) {
		free(d->results);
		d->results = taf_alloc(n, j->rsize);
		d->most_out = d->results == NULL ? 0 : n;
		if (d->results == NULL)
			return taf_fail_mem(e);
	}
	return TAF_OK;
}

/* Where the element is that result number i of a window becomes. */
static struct taf_place_text
place_of(const struct taf_along *l, const struct taf_window *w, size_t i)
{
	return taf_along_place(l, l->out, w->line, w->at + i);
}

enum taf_status
taf_window_overflow(const struct taf_along *l, const struct taf_window *w, size_t i,
    struct taf_err *e)
{
	return taf_recode_overflow(TAF_FLT64, place_of(l, w, i).s, e);
}

/* Of the numbers of a window the one at this place is none of its type. */
static enum taf_status
does_not_fit(const struct job *j, const struct taf_window *w, const void *results,
    size_t at, struct taf_err *e)
{
	return taf_recode_misfit(&j->back,
	    (const unsigned char *)results + at * (j->rsize / j->record),
	    place_of(j->how->along, w, at / j->record).s, e);
}

/* How many results there are before one that is finite, or is not. */
static size_t
results_to(const struct job *j, const unsigned char *results, size_t n, bool finite)
{
	size_t i = 0;

	while (i < n && taf_all_finite(results + i * j->rsize, j->rsize / j->word, 1,
	    j->how->narrow) != finite)
		i++;
	return i;
}

/* Neighbours none of which is finite; in has their points, which become smaller. */
static enum taf_status
some_again(const struct job *j, struct taf_window *w, const unsigned char *in,
    unsigned char *results, struct taf_err *e)
{
	const bool narrow = j->how->narrow;
	const size_t points = w->n_in * j->vsize / j->word, each = j->rsize / j->word;
	const size_t all = w->n * each;
	void *const smaller = taf_alloc(points, j->word);
	void *const again = taf_alloc(all, j->word);
	enum taf_status st = smaller != NULL && again != NULL ? TAF_OK : taf_fail_mem(e);
	size_t good = all;
	int bits = narrow ? TAF_SMALLER_FLT32 : TAF_SMALLER, more;

	for (; bits != 0 && good == all && st == TAF_OK; bits = more) {
		taf_scale_down(smaller, in, points, narrow, bits);
		w->in = narrow ? NULL : smaller;
		w->out = narrow ? NULL : again;
		w->in32 = narrow ? smaller : NULL;
		w->out32 = narrow ? again : NULL;
		st = j->how->window(j->how->ctx, w, e);
		if (st == TAF_OK)
			good = taf_scale_back(results, again, all, narrow,
			    j->how->scaling, bits);
		more = bits == TAF_SMALLER && !taf_all_finite(results, all, 1, false) ?
		    TAF_SMALLEST : 0;
	}
	/* too large even so */
	if (good == all && st == TAF_OK && taf_all_finite(in, points, 1, narrow))
		good = taf_infinite(results, all, narrow, j->how->scaling);
	free(smaller);
	free(again);
	if (good == all || st != TAF_OK)
		return st;
	return taf_recode_overflow(narrow ? TAF_FLT32 : TAF_FLT64,
	    place_of(j->how->along, w, good / each).s, e);
}

/* Each result of a window that is not finite, of the points that it is made of alone. */
static enum taf_status
once_more(const struct job *j, const struct taf_window *all, const unsigned char *in,
    unsigned char *results, struct taf_err *e)
{
	struct taf_window w = *all;
	enum taf_status st = TAF_OK;
	uint64_t bounds[2];
	size_t at;

	for (at = 0; at < all->n && st == TAF_OK; at += w.n) {
		w.n = results_to(j, results + at * j->rsize, all->n - at, false);
		at += w.n;
		w.at = all->at + at;
		w.n = results_to(j, results + at * j->rsize, all->n - at, true);
		if (w.n == 0)
			break;
		span_of(j, w.at, w.n, bounds);
		w.first = bounds[0];
		w.n_in = (size_t)(bounds[1] - bounds[0]);
		/* of all points at once, not again for each */
		if (w.n_in == all->n_in)
			w.n = all->n - at;
		st = some_again(j, &w, in + (size_t)(w.first - all->first) * j->vsize,
		    results + at * j->rsize, e);
	}
	return st;
}

/* The results that w says, of points as they are stored. */
static enum taf_status
call(struct job *j, struct taf_window *w, const unsigned char *points, unsigned char *out,
    struct taf_err *e)
{
	struct workspace *d = &j->workspace[w->thread];
	const void *in = points;
	const size_t all = w->n * j->record;
	void *results = out;
	size_t good;
	enum taf_status st = make_workspace(j, d, w->n_in, w->n, e);

	if (st != TAF_OK)
		return st;
	if (!taf_recode_is_copy(&j->in)) {
		/* any integer and any float is the double next to it */
		(void)taf_recode(&j->in, d->values, points, w->n_in, NULL);
		in = d->values;
	}
	if (out != NULL && !taf_recode_is_copy(&j->back))
		results = d->results;
	w->in = j->how->narrow ? NULL : in;
	w->out = j->how->narrow ? NULL : results;
	w->in32 = j->how->narrow ? in : NULL;
	w->out32 = j->how->narrow ? results : NULL;
	if (out == NULL)
		return j->how->pass(j->how->ctx, w, e);
	st = j->how->window(j->how->ctx, w, e);
	if (st != TAF_OK)
		return st;
	if (!taf_one_nan(results, w->n * j->rsize / j->word, j->how->narrow) &&
	    j->how->scaling != TAF_SCALING_UNKNOWN)
		st = once_more(j, w, in, results, e);
	if (st != TAF_OK)
		return st;
	good = results == out ? all : taf_recode(&j->back, out, results, all, NULL);
	return good == all ? TAF_OK : does_not_fit(j, w, results, good, e);
}

/*
 * The results that all says, of a line whose points are stored at raw, as stored; where
 * out is NULL, what they do to the state.
 */
static enum taf_status
compute_line(struct job *j, const struct taf_window *all, const unsigned char *raw,
    unsigned char *out, struct taf_err *e)
{
	const uint64_t end = all->at + all->n;
	struct taf_window w = *all;
	enum taf_status st = TAF_OK;
	uint64_t bounds[2];

	for (; w.at < end && st == TAF_OK; w.at += w.n) {
		w.n = end - w.at < j->block ? (size_t)(end - w.at) : (size_t)j->block;
		if (all->n > j->block) {
			w.n = some_of(j, w.at, w.n, j->block_points, bounds);
			w.first = bounds[0];
			w.n_in = (size_t)(bounds[1] - bounds[0]);
		}
		st = call(j, &w, raw + (size_t)(w.first - all->first) * j->esize,
		    out != NULL ? out + (size_t)(w.at - all->at) * j->osize : NULL, e);
	}
	return st;
}

/* Whole lines. */
static enum taf_status
lines(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	struct job *j = ctx;
	struct taf_window w = { .n_in = l->in_len, .n = l->out_len, .thread = l->thread,
		.scratch = l->scratch };
	enum taf_status st = TAF_OK;
	size_t i;

	if (j->how->state_size > 0)
		w.state = j->state + l->thread * j->how->state_size;
	for (i = 0; i < l->lines && st == TAF_OK; i++) {
		w.line = l->first + i;
		if (w.state != NULL)
			memset(w.state, 0, j->how->state_size);
		st = compute_line(j, &w,
		    (const unsigned char *)l->in + i * l->in_len * j->esize,
		    (unsigned char *)l->out + i * l->out_len * j->osize, e);
	}
	return st;
}

/* Bytes of a workspace; UINT64_MAX where they are too many. */
static uint64_t
workspace_bytes(const struct job *j, uint64_t n)
{
	const uint64_t least = n < j->block ? n : j->block;
	uint64_t in = 0, out = 0, sum;

	if (!taf_recode_is_copy(&j->in) && !taf_mul(most_points(j, least), j->vsize, &in))
		return UINT64_MAX;
	if (!taf_recode_is_copy(&j->back) && !taf_mul(least, j->rsize, &out))
		return UINT64_MAX;
	return taf_add(in, out, &sum) ? sum : UINT64_MAX;
}

/* Whole lines; what the workspaces leave is for them. */
static struct taf_lines
whole_lines(struct job *j, unsigned threads)
{
	const struct taf_windows *how = j->how;
	const struct taf_along *l = how->along;
	const uint64_t workspace = workspace_bytes(j, j->out_len), memory = j->memory;

	threads = taf_threads_some(memory, threads, 0, 2 * workspace);
	return (struct taf_lines){ .r = l->r, .a = l->a, .dim = l->dim,
		.as = taf_along_type(l, l->a), .stored = true, .out = l->out, .w = l->w,
		.to = how->to, .give = taf_along_type(l, l->out), .line = lines, .ctx = j,
		.record = how->record, .threads = threads,
		.memory = workspace < memory / threads ?
		    memory - workspace * threads : 0 };
}

static enum taf_status
by_lines(struct job *j, unsigned threads, struct taf_err *e)
{
	const struct taf_lines all = whole_lines(j, threads);

	if (j->how->state_size > 0) {
		j->state = calloc(all.threads, j->how->state_size);
		if (j->state == NULL)
			return taf_fail_mem(e);
	}
	return taf_lines_with(&all, &j->how->need, e);
}

/*
 * How many lines fit the cache; full lines of it are copied where lines lie side by side.
 */
static size_t
strip(const struct job *j, uint64_t n)
{
	const uint64_t in = points_of(j, n) * j->esize, out = n * j->osize;
	const uint64_t fit = STRIP / (in + out) / 16 * 16;

	if (j->inner <= 16 || fit >= j->inner)
		return j->inner;
	return fit < 16 ? 16 : (size_t)fit;
}

/* Bytes for n results of each line; UINT64_MAX where they are too many. */
static uint64_t
cost(const struct job *j, uint64_t n)
{
	const uint64_t strip_lines = j->inner > 1 ? strip(j, n) : 0;
	const uint64_t points = most_points(j, n);
	const uint64_t in = (j->inner + strip_lines) * j->esize;
	const uint64_t out = (j->inner + strip_lines) * j->osize;
	uint64_t a, b, sum;

	return taf_mul(points, in, &a) && taf_mul(n, out, &b) && taf_add(a, b, &sum) &&
	    taf_add(sum, workspace_bytes(j, n), &sum) &&
	    taf_add(sum, j->how->need.scratch, &sum) ? sum : UINT64_MAX;
}

/* How long windows are, and how many threads share the memory; false where none fits. */
static bool
plan(struct job *j, unsigned *threads)
{
	const uint64_t all = j->memory;
	const uint64_t share = WINDOW / j->inner;
	const uint64_t numbers = j->inner > 1 && share < ROWS ? ROWS : share;
	const uint64_t least = numbers > j->record ? numbers / j->record : 1;
	const unsigned given = *threads;
	uint64_t n = j->out_len < least ? j->out_len : least, state, memory;

	if (!taf_mul(j->inner, j->how->state_size, &state) ||
	    !taf_add(state, j->how->need.shared, &state) || state > all / 2)
		return false;
	memory = all - state;
	while (points_of(j, n) < (OVERLAP + 1) * points_of(j, 1) && n < j->out_len)
		n = 2 * n < j->out_len ? 2 * n : j->out_len;
	/* fewer for more threads, but not too few to be worth a call */
	while (n > (least + 3) / 4 && cost(j, n) > memory / *threads)
		n /= 2;
	while (*threads > 1 && cost(j, n) > memory / *threads)
		(*threads)--;
	while (n > 1 && cost(j, n) > memory)
		n /= 2;
	j->n = (size_t)n;
	j->points = most_points(j, n);
	j->strip = strip(j, n);
	if (cost(j, n) <= memory)
		return true;
	*threads = given;
	return false;
}

/* Do lines, or planes of them, not fit the memory, but short parts of all lines do? */
static bool
better_windows(struct job *j, unsigned *threads)
{
	const uint64_t in = 2 * j->esize + j->vsize, out = 2 * j->osize + j->rsize;
	const struct taf_lines all = whole_lines(j, 1);
	const bool fit = taf_lines_fit(&all, &j->how->need);
	const unsigned given = *threads;
	uint64_t plane;

	if (fit && (j->inner == 1 || (taf_mul(j->inner, j->cut.len * in +
	    j->out_len * out, &plane) && plane <= j->memory)))
		return false;
	if (plan(j, threads) && (!fit || points_of(j, j->n) <=
	    OVERLAP * (points_of(j, j->n) - points_of(j, 1) + 1)))
		return true;
	*threads = given;
	return false;
}

/* Bytes of the scratch for the state in front of a piece, where windows pass. */
static size_t
state_bytes(const struct job *j)
{
	return j->passes ? (j->how->state_size + ALIGN - 1) / ALIGN * ALIGN : 0;
}

/* Keep the state in front of a piece of the only line, and bring it behind that. */
static enum taf_status
pass(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	const struct piece *b = &j->piece[t->slot];
	const size_t size = j->how->state_size;
	unsigned char *const scratch = t->scratch;
	const struct taf_window w = { .first = b->first, .n_in = b->points, .at = b->at,
	    .n = b->n, .line = b->o, .state = j->state, .thread = t->slot,
	    .scratch = scratch + state_bytes(j) };

	if (b->at == 0)
		memset(j->state, 0, size);
	memcpy(scratch, j->state, size);
	return compute_line(j, &w, t->raw[0], NULL, e);
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	struct piece *b = &j->piece[t->slot];
	uint64_t span[2];

	if (j->at == j->out_len) {
		j->at = 0;
		j->o++;
	}
	if (j->o == j->cut.outer)
		return false;
	b->o = j->o;
	b->at = j->at;
	b->n = j->out_len - j->at < j->n ? (size_t)(j->out_len - j->at) : j->n;
	b->n = some_of(j, b->at, b->n, j->points, span);
	j->at += b->n;
	b->first = span[0];
	b->points = (size_t)(span[1] - span[0]);
	t->in[0] = (struct taf_runs){ .first = (b->o * j->cut.len + b->first) * j->inner,
		.n = b->points * j->inner, .runs = 1 };
	t->out = (struct taf_runs){ .first = (b->o * j->out_len + b->at) * j->inner,
		.n = b->n * j->inner, .runs = 1 };
	t->scratch_size = state_bytes(j) + j->how->need.scratch + (j->inner > 1 ?
	    j->strip * (b->points * j->esize + b->n * j->osize) : 0);
	return true;
}

/* Bring lines together that lie side by side among inner ones, or put them back there. */
static void
transpose(const struct job *j, void *to, const void *from, size_t esize,
    const size_t shape[2], bool to_lines)
{
	const ptrdiff_t one = (ptrdiff_t)esize;
	const ptrdiff_t across[2] = { one, one * (ptrdiff_t)j->inner };
	const ptrdiff_t along[2] = { one * (ptrdiff_t)shape[1], one };

	taf_strided_copy(to, from, &(struct taf_strided){ esize, 2, shape,
	    to_lines ? along : across, to_lines ? across : along });
}

/* Some lines, from number i of inner ones on, from these to what is given. */
static enum taf_status
compute(struct job *j, const struct taf_tile *t, size_t i, size_t lines,
    struct taf_err *e)
{
	const struct piece *b = &j->piece[t->slot];
	const size_t in[2] = { lines, b->points }, out[2] = { lines, b->n };
	unsigned char *const scratch = (unsigned char *)t->scratch + state_bytes(j);
	unsigned char *const strip = scratch + j->how->need.scratch;
	unsigned char *const raw = j->inner > 1 ? strip : t->raw[0];
	unsigned char *const stored = j->inner > 1 ?
	    strip + b->points * j->strip * j->esize : t->stored;
	struct taf_window w = { .first = b->first, .n_in = b->points, .at = b->at,
	    .n = b->n, .thread = t->slot, .scratch = scratch };
	enum taf_status st = TAF_OK;
	size_t k;

	if (j->inner > 1)
		transpose(j, raw, t->raw[0] + i * j->esize, j->esize, in, true);
	for (k = 0; k < lines && st == TAF_OK; k++) {
		w.line = b->o * j->inner + i + k;
		if (j->passes) {
			w.state = t->scratch;
		} else if (j->how->state_size > 0) {
			w.state = j->state + (i + k) * j->how->state_size;
			if (b->at == 0)
				memset(w.state, 0, j->how->state_size);
		}
		st = compute_line(j, &w, raw + k * b->points * j->esize,
		    stored + k * b->n * j->osize, e);
	}
	if (st == TAF_OK && j->inner > 1)
		transpose(j, t->stored + i * j->osize, stored, j->osize, out, false);
	return st;
}

/* All lines of a piece, in strips. */
static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	enum taf_status st = TAF_OK;
	size_t i, lines;

	for (i = 0; i < j->inner && st == TAF_OK; i += lines) {
		lines = j->inner - i < j->strip ? j->inner - i : j->strip;
		st = compute(j, t, i, lines, e);
	}
	return st;
}

static enum taf_status
by_windows(struct job *j, unsigned threads, struct taf_err *e)
{
	const struct taf_windows *how = j->how;
	const struct taf_along *l = how->along;
	/* one thread would do it twice */
	const bool passes = how->pass != NULL && j->inner == 1 && threads > 1;
	/* a state that does not pass is brought forward by the work itself */
	const struct taf_tiles tiles = { .r = &l->r, .esize = &j->esize, .nin = 1,
		.w = how->to != NULL ? NULL : l->w, .to = how->to, .osize = j->osize,
		.record = j->record, .count = j->cut.outer * j->out_len * j->inner,
		.threads = threads, .ctx = j, .in_order = how->state_size > 0 && !passes,
		.next = next, .pass = passes ? pass : NULL, .work = work };

	j->passes = passes;
	if (how->state_size > 0) {
		j->state = taf_alloc(j->inner, how->state_size);
		if (j->state == NULL)
			return taf_fail_mem(e);
	}
	return taf_tiles(&tiles, e);
}

/* What elements of a type are handed over as. */
static enum taf_type
handed(const struct taf_windows *how, enum taf_type t)
{
	if (taf_type_is_pair(t))
		return how->narrow ? TAF_COMPLEX : TAF_COMPLEX128;
	return how->narrow ? TAF_FLT32 : TAF_FLT64;
}

enum taf_status
taf_windows(const struct taf_windows *how, struct taf_err *e)
{
	const struct taf_along *l = how->along;
	const struct taf_array *a = l->a, *out = l->out;
	const enum taf_type from = taf_along_type(l, a), to = taf_along_type(l, out);
	unsigned threads = taf_threads(l->service);
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st;
	unsigned k;

	if (j == NULL)
		return taf_fail_mem(e);
	j->how = how;
	j->memory = how->memory > 0 ? how->memory : l->service->memory;
	j->cut = taf_along_cut(l, a);
	j->inner = (size_t)j->cut.inner;
	j->out_len = out->dim[l->dim - 1].n;
	j->esize = taf_type_size(from);
	j->record = how->record > 0 ? how->record : 1;
	j->osize = taf_type_size(to) * j->record;
	j->in = (struct taf_recode){ .from = from, .to = handed(how, from),
	    .from_mapped = taf_array_mapped(a), .from_map = { a->intercept, a->slope } };
	j->back = (struct taf_recode){ .from = handed(how, to), .to = to };
	j->vsize = taf_type_size(j->in.to);
	j->rsize = taf_type_size(j->back.from) * j->record;
	j->word = how->narrow ? sizeof(float) : sizeof(double);
	threads = threads > TAF_THREADS_MOST ? TAF_THREADS_MOST : threads;
	if (taf_array_count(out) == 0) {
		free(j);
		return TAF_OK;
	}
	j->block = block(j);
	j->block_points = most_points(j, j->block);
	taf_need_beside(threads * 2 * (j->block_points * j->vsize + j->block * j->rsize));
	if (j->cut.len > LONG || j->out_len > LONG ? plan(j, &threads) :
	    better_windows(j, &threads))
		st = by_windows(j, threads, e);
	else
		st = by_lines(j, threads, e);
	for (k = 0; k < TAF_THREADS_MOST; k++) {
		free(j->workspace[k].values);
		free(j->workspace[k].results);
	}
	free(j->state);
	free(j);
	return st;
}
