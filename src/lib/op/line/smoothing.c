/* SPDX-License-Identifier: ISC */
#include "op/line/smoothing.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/endian.h"
#include "base/num.h"
#include "base/str.h"
#include "io/spool.h"
#include "kernel/line/weights.h"
#include "stream/windows.h"

/* Points of a window beyond which no memory would hold them. */
#define MOST 0x1p40

enum { ORDER = 20 };	/* of polynomials: weights of higher ones are not exact */

enum taf_status
taf_width_parse(struct taf_width *w, const char *text, size_t n, bool odd,
    struct taf_err *e)
{
	const bool at = n > 0 && text[n - 1] == '@';
	double half;

	if (!taf_amount_read(&w->size, text, n - at) || (at && w->size.text != NULL) ||
	    !taf_is_finite(w->size.value) || w->size.value <= 0)
		return taf_fail(e, TAF_EUSAGE, "%.*s: not a width above 0", (int)n, text);
	w->grid = at || w->size.text != NULL;
	half = (w->size.value - 1) / 2;
	if (odd && !w->grid && (half > MOST || half != (double)(int64_t)half))
		return taf_fail(e, TAF_EUSAGE, "%.*s: not an odd number of points",
		    (int)n, text);
	return TAF_OK;
}

/* How many points that is. */
static enum taf_status
width_points(const struct taf_width *w, const struct taf_array *a, unsigned dim,
    double *points, struct taf_err *e)
{
	const double step = a->dim[dim - 1].step < 0 ? -a->dim[dim - 1].step :
	    a->dim[dim - 1].step;

	if (taf_amount_along(&w->size, a, dim, false, points, e) != TAF_OK)
		return e->code;
	if (w->grid)
		*points /= step;
	if (w->grid && (!(step > 0) || !taf_is_finite(step)))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: a width on a grid whose step is %s", dim,
		    taf_brief(a->dim[dim - 1].step).s);
	if (*points > MOST)
		return taf_fail(e, TAF_EDATA, "dimension %u: a window of %.6g points",
		    dim,
		    *points);
	return TAF_OK;
}

/* The half of an odd width: on the grid of that whose span is next to it. */
static enum taf_status
width_half(const struct taf_width *w, const struct taf_array *a, unsigned dim,
    size_t *half, struct taf_err *e)
{
	double points;

	if (width_points(w, a, dim, &points, e) != TAF_OK)
		return e->code;
	*half = w->grid ? (size_t)(points / 2 + 0.5) : (size_t)(points / 2);
	return TAF_OK;
}

enum taf_status
taf_smoothing_polynomial(struct taf_smoothing_how *how, const char *text,
    struct taf_err *e)
{
	const char *comma = strchr(text, ',');
	uint64_t order;

	if (comma == NULL || !taf_parse_u64(text, (size_t)(comma - text), &order) ||
	    order > ORDER)
		return taf_fail(e, TAF_EUSAGE, "%s: not ORDER,N with an order up to %d",
		    text, ORDER);
	how->by = TAF_BY_POLYNOMIAL;
	how->order = (unsigned)order;
	if (taf_width_parse(&how->width, comma + 1, strlen(comma + 1), true, e) != TAF_OK)
		return e->code;
	if (!how->width.grid && how->width.size.value <= how->order)
		return taf_fail(e, TAF_EUSAGE, "%s: too few points for the order", text);
	return TAF_OK;
}

/* The half of the window, and of a bell its sigma. */
static enum taf_status
settle(const struct taf_smoothing_how *how, const struct taf_array *a, size_t *half,
    double *sigma, struct taf_err *e)
{
	if (how->by == TAF_BY_TAPS) {
		*half = how->ntaps / 2;
		return TAF_OK;
	}
	if (how->by == TAF_BY_GAUSS) {
		if (width_points(&how->width, a, how->dim, sigma, e) != TAF_OK)
			return e->code;
		*half = (size_t)(4 * *sigma + 0.5);
		return TAF_OK;
	}
	if (width_half(&how->width, a, how->dim, half, e) != TAF_OK)
		return e->code;
	if (how->by == TAF_BY_POLYNOMIAL && 2 * *half < how->order)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %zu points are too few for a polynomial of order %u",
		    how->dim, 2 * *half + 1, how->order);
	return TAF_OK;
}

enum taf_status
taf_smoothing_half(const struct taf_smoothing_how *how, const struct taf_array *a,
    size_t *half, struct taf_err *e)
{
	double sigma;

	return settle(how, a, half, &sigma, e);
}

enum taf_status
taf_smoothing_resolve(const void *intent, const struct taf_array *in,
    struct taf_array *out, void *plan, struct taf_err *e)
{
	const struct taf_smoothing_intent *want = intent;
	struct taf_smoothing_how how = want->how;
	enum taf_status st = TAF_OK;
	size_t half;
	unsigned k;

	(void)plan;
	for (k = 0; k < want->ndims && st == TAF_OK; k++) {
		how.dim = want->dim[k];
		st = taf_windows_shape(out, in, how.dim, e);
		if (st == TAF_OK && how.by == TAF_BY_MEDIAN && taf_type_is_pair(in->type))
			st = taf_fail(e, TAF_EDATA, "complex elements have no order");
		if (st == TAF_OK)
			st = taf_smoothing_half(&how, in, &half, e);
	}
	return st;
}

struct job {
	const struct taf_smooth *smooth;
	struct taf_reach reach;
};

static enum taf_status
window(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	const struct job *j = ctx;
	const struct taf_points_at points = { w->in, w->first, w->n_in, j->reach.len };

	(void)e;
	taf_smooth(j->smooth, w->out, w->at, w->n, &points, w->scratch);
	return TAF_OK;
}

static enum taf_status
too_large(unsigned dim, size_t half, struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA,
	    "dimension %u: a window of %zu points needs more memory than -m allows",
	    dim, 2 * half + 1);
}

/* Make weights that are not given; *room is for free(). */
static enum taf_status
weigh(const struct taf_smoothing_how *how, struct taf_smooth *smooth, double sigma,
    double **room, struct taf_err *e)
{
	const struct taf_polynomial p = { how->order, 0, 0 };
	const size_t half = smooth->half;

	*room = NULL;
	smooth->weight = how->taps;
	if (how->by != TAF_BY_GAUSS && how->by != TAF_BY_POLYNOMIAL)
		return TAF_OK;
	*room = taf_alloc(2 * half + 1, sizeof **room);
	if (*room == NULL)
		return taf_fail_mem(e);
	smooth->weight = *room;
	if (how->by == TAF_BY_GAUSS)
		taf_weights_gauss(*room, half, sigma);
	else
		taf_weights_polynomial(*room, half, &p);
	return TAF_OK;
}

static enum taf_status
run(const struct taf_along *s, struct job *j, struct taf_out *to, struct taf_err *e)
{
	const size_t room = taf_smooth_scratch(j->smooth, (size_t)j->reach.len);
	const struct taf_windows windows = { .along = s, .to = to, .reach = &j->reach,
	    .memory = taf_memory_for(s->service->memory, 2 * room * sizeof(double)),
	    .need.scratch = room * sizeof(double), .window = window, .ctx = j,
	    .blocks = true, .scaling = TAF_SCALING_ONCE };

	if (room > taf_memory_share(windows.memory, TAF_HELD) / sizeof(double))
		return too_large(s->dim, j->smooth->half, e);
	return taf_windows(&windows, e);
}

/* The lines of s, to its w or, if that is not NULL, to to. */
static enum taf_status
smooth_along(const struct taf_smoothing_how *how, const struct taf_along *s,
    struct taf_out *to, struct taf_err *e)
{
	struct taf_smooth smooth = { .by = how->by == TAF_BY_MEAN ? TAF_SMOOTH_MEAN :
	    how->by == TAF_BY_TRIANGLE ? TAF_SMOOTH_TRIANGLE : how->by ==
	    TAF_BY_MEDIAN ? TAF_SMOOTH_MEDIAN : TAF_SMOOTH_WEIGHTS,
	    .edge = how->edge, .rough = taf_along_type(s, s->out) == TAF_FLT32 };
	struct job j = { .smooth = &smooth };
	double sigma, *weights = NULL;
	enum taf_status st;
	uint64_t need;

	st = settle(how, s->a, &smooth.half, &sigma, e);
	need = 16 * ((uint64_t)smooth.half + 1);
	if (st == TAF_OK && !taf_memory_fits(s->service->memory, need, 1))
		st = too_large(how->dim, smooth.half, e);
	if (st == TAF_OK)
		st = weigh(how, &smooth, sigma, &weights, e);
	if (st == TAF_OK) {
		const uint64_t reach = taf_smooth_reach(&smooth);

		j.reach = (struct taf_reach){ s->a->dim[how->dim - 1].n, reach, reach };
		st = run(s, &j, to, e);
	}
	free(weights);
	return st;
}

/* The same to a temporary file, of which *next reads. */
static enum taf_status
smooth_spooled(const struct taf_smoothing_how *how, const struct taf_along *s,
    struct taf_reader **next, struct taf_err *e)
{
	struct taf_spool spool = { NULL, -1 };
	struct taf_in *in;
	enum taf_status st = taf_spool_begin(&spool, e);

	*next = NULL;
	if (st == TAF_OK)
		st = smooth_along(how, s, spool.out, e);
	st = taf_spool_end(&spool, st, "temporary file", &in, e);
	if (st == TAF_OK)
		st = taf_reader_raw(next, in, s->out, taf_host_is_big(), e);
	if (st == TAF_OK && s->parts)
		taf_reader_parts(*next);
	return st;
}

enum taf_status
taf_smoothing(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_smoothing_intent *want = m->intent;
	struct taf_smoothing_how how = want->how;
	struct taf_along s = taf_move_parts(m, want->dim[0]);
	struct taf_reader *next;
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < want->ndims && st == TAF_OK; k++) {
		const bool last = k + 1 == want->ndims;

		how.dim = s.dim = want->dim[k];
		st = last ? smooth_along(&how, &s, NULL, e) :
		    smooth_spooled(&how, &s, &next, e);
		if (s.r != m->r)
			taf_reader_close(s.r);
		s.r = last ? NULL : next;
		s.a = m->out;
	}
	return st;
}
