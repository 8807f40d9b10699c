/* SPDX-License-Identifier: ISC */
#include "op/line/integration.h"

#include <math.h>
#include <stdlib.h>

#include "array/unit.h"
#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "kernel/line/weights.h"
#include "stream/windows.h"

struct job {
	const struct taf_derivative *how;
	const struct taf_integral *integral;
	const struct taf_along *calculus;
	struct taf_reach reach;
	double step;
	bool rough;			/* results will be flt32 */
	size_t half;			/* of a polynomial's points */
	/* for places -half to 0 of them, one behind the other */
	double *weight;
};

static enum taf_status
check_step(const struct taf_array *a, unsigned dim, struct taf_err *e)
{
	const double step = a->dim[dim - 1].step;

	return step != 0 && taf_is_finite(step) ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "dimension %u: the step of its grid is %s", dim, taf_brief(step).s);
}

enum taf_status
taf_derivative_resolve(const void *intent, const struct taf_array *in,
    struct taf_array *out, void *plan, struct taf_err *e)
{
	const struct taf_derivative *how = intent;
	const unsigned dim = how->polynomial.dim;
	const bool ends = how->edge == TAF_EDGE_NAN || how->edge == TAF_EDGE_ZERO;
	uint64_t least = how->raw ? 2 : ends ? 1 : 2;
	struct taf_dim *d = &out->dim[dim - 1];
	size_t half;

	(void)plan;
	if (taf_windows_shape(out, in, dim, e) != TAF_OK)
		return e->code;
	if (how->polynomial.by == TAF_BY_POLYNOMIAL) {
		if (taf_smoothing_half(&how->polynomial, in, &half, e) != TAF_OK)
			return e->code;
		least = ends ? 1 : 2 * (uint64_t)half + 1;
	}
	if (d->n < least)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %llu points, and %llu are needed", dim,
		    (unsigned long long)d->n, (unsigned long long)least);
	if (how->raw) {
		d->n--;
		d->start += d->step / 2;
		return TAF_OK;
	}
	if (check_step(in, dim, e) != TAF_OK)
		return e->code;
	return taf_unit_along(out, dim, -1, e);
}

/* The ends, where the differences do not reach: n results from at on. */
static void
replace_ends(const struct job *j, double *out, uint64_t at, size_t n, uint64_t margin)
{
	const double end = j->how->edge == TAF_EDGE_NAN ? (double)NAN : 0;
	size_t i;

	if (j->how->edge != TAF_EDGE_NAN && j->how->edge != TAF_EDGE_ZERO)
		return;
	for (i = 0; i < n; i++)
		if (at + i < margin || j->reach.len - 1 - (at + i) < margin)
			out[i] = end;
}

static enum taf_status
differences(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	const struct job *j = ctx;
	const struct taf_points_at points = { w->in, w->first, w->n_in, j->reach.len };

	(void)e;
	if (j->how->raw) {
		taf_differences(w->out, w->in, w->n);
	} else {
		if (j->reach.len > 1)
			taf_gradient(w->out, w->at, w->n, &points, j->step, j->rough);
		replace_ends(j, w->out, w->at, w->n, 1);
	}
	return TAF_OK;
}

/* The slope at a place near an end, of the polynomial next to the points there. */
static double
end_slope(const struct job *j, const struct taf_window *w, uint64_t place)
{
	const size_t width = 2 * j->half + 1;
	const bool front = place < j->half;
	const uint64_t from = front ? 0 : j->reach.len - width;
	const uint64_t row = front ? place : j->reach.len - 1 - place;
	const double *x = w->in + (from - w->first), *weight = j->weight + row * width;
	double sum = 0;
	size_t k;

	for (k = 0; k < width; k++)
		sum += front ? weight[k] * x[k] : -(weight[k] * x[width - 1 - k]);
	return sum;
}

static enum taf_status
polynomials(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	const struct job *j = ctx;
	const size_t width = 2 * j->half + 1;
	const uint64_t end = w->at + w->n, len = j->reach.len;
	const uint64_t from = w->at > j->half ? w->at : j->half;
	const uint64_t to = len - end >= j->half ? end : len > j->half ? len - j->half :
	    0;
	const bool ends = j->how->edge == TAF_EDGE_NAN || j->how->edge == TAF_EDGE_ZERO;
	uint64_t i;

	(void)e;
	if (from < to)
		taf_convolve(w->out + (from - w->at), w->in + (from - j->half - w->first),
		    (size_t)(to - from), j->weight + j->half * width, width);
	for (i = w->at; i < end && !ends; i++)
		if (i < from || i >= to)
			w->out[i - w->at] = end_slope(j, w, i);
	replace_ends(j, w->out, w->at, w->n, j->half);
	return TAF_OK;
}

/* Bytes of the weights for all places up to the middle. */
static uint64_t
bytes_of(const struct job *j)
{
	return sizeof(double) * ((uint64_t)j->half + 1) * (2 * j->half + 1);
}

/* Make the weights. */
static enum taf_status
weigh(struct job *j, const struct taf_along *c, struct taf_err *e)
{
	const size_t width = 2 * j->half + 1;
	struct taf_polynomial p = { j->how->polynomial.order, 1, 0 };
	size_t i, k;

	if (j->half >= 1 << 16 || !taf_memory_fits(c->service->memory, bytes_of(j), 4))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: polynomials next to %zu points need more memory than -m allows",
		    c->dim, width);
	j->weight = taf_alloc((j->half + 1) * width, sizeof *j->weight);
	if (j->weight == NULL)
		return taf_fail_mem(e);
	for (i = 0; i <= j->half; i++) {
		p.place = (int)i - (int)j->half;
		taf_weights_polynomial(j->weight + i * width, j->half, &p);
		for (k = 0; k < width; k++)
			j->weight[i * width + k] /= j->step;
	}
	return TAF_OK;
}

enum taf_status
taf_derivative(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_derivative *how = m->intent;
	const struct taf_along c = taf_move_parts(m, how->polynomial.dim);
	const bool polynomial = how->polynomial.by == TAF_BY_POLYNOMIAL;
	const uint64_t len = c.a->dim[c.dim - 1].n;
	struct job j = { .how = how, .step = c.a->dim[c.dim - 1].step,
	    .rough = taf_along_type(&c, c.out) == TAF_FLT32 };
	struct taf_windows windows = { .along = &c, .memory = c.service->memory,
	    .reach = &j.reach, .window = polynomial ? polynomials : differences,
	    .ctx = &j, .blocks = true, .scaling = TAF_SCALING_ONCE };
	enum taf_status st = TAF_OK;

	/* ends look at three points; differences lie between two */
	j.reach = (struct taf_reach){ len, how->raw ? 0 : 2, how->raw ? 1 : 2 };
	if (polynomial) {
		st = taf_smoothing_half(&how->polynomial, c.a, &j.half, e);
		j.reach.before = j.reach.behind = 2 * (uint64_t)j.half;
		if (st == TAF_OK)
			st = weigh(&j, &c, e);
		if (st == TAF_OK)
			windows.memory = taf_memory_for(windows.memory,
			    2 * bytes_of(&j)) - bytes_of(&j);
	}
	if (st == TAF_OK)
		st = taf_windows(&windows, e);
	free(j.weight);
	return st;
}

enum taf_status
taf_integral_resolve(const void *intent, const struct taf_array *in,
    struct taf_array *out, void *plan, struct taf_err *e)
{
	const unsigned dim = ((const struct taf_integral_intent *)intent)->dim;

	(void)plan;
	if (taf_windows_shape(out, in, dim, e) != TAF_OK ||
	    check_step(in, dim, e) != TAF_OK)
		return e->code;
	return taf_unit_along(out, dim, 1, e);
}

/* How far a line has come; after its sums overflowed, the same of smaller points. */
struct course {
	struct taf_running sum;
	bool smaller;
};

/* So many powers of 2 smaller, neither a sum nor its product with the step overflows. */
static int
bits_of(const struct job *j)
{
	double step = fabs(j->integral->step);
	int bits = 64;

	for (; step > 1; step /= 2)
		bits++;
	return bits;
}

/* What a line begins with: a number, whose imaginary part is 0. */
static double
start_of(const struct job *j, const struct taf_window *w)
{
	return taf_along_imaginary(j->calculus, w->line) ? 0 : j->integral->start;
}

/*
 * What w does to the sums, of smaller points; results, too, where there is room for them,
 * which become as large as they are.
 */
static void
integrate_smaller(const struct job *j, const struct taf_window *w, double *points,
    struct taf_running *sum, double *out)
{
	const int bits = bits_of(j);
	const struct taf_integral how = { j->integral->rule, j->integral->step,
		taf_scale(start_of(j, w), -bits) };
	const struct taf_points_at at = { points, w->first, w->n_in, j->reach.len };
	size_t i;

	for (i = 0; i < w->n_in; i++)
		points[i] = taf_scale(w->in[i], -bits);
	if (out == NULL)
		taf_integrate_pass(how.rule, sum, w->at, w->n, &at);
	else
		taf_integrate(&how, sum, out, w->at, w->n, &at);
}

/* From the first result on that is not finite they come from smaller points. */
static enum taf_status
take_smaller(const struct job *j, const struct taf_window *w, const double *smaller,
    bool all, struct taf_err *e)
{
	const int bits = bits_of(j);
	size_t i;

	for (i = 0; i < w->n; i++) {
		all = all || !isfinite(w->out[i]);
		if (!all)
			continue;
		w->out[i] = taf_scale(smaller[i], bits);
		if (isfinite(smaller[i]) && !isfinite(w->out[i]))
			return taf_window_overflow(j->calculus, w, i, e);
	}
	return TAF_OK;
}

/* The sums before w go on behind it; ended has those that are not smaller. */
static enum taf_status
go_on_smaller(const struct job *j, const struct taf_window *w,
    const struct taf_running *ended, struct taf_err *e)
{
	struct course *const course = w->state;
	struct taf_running sum = course->sum;
	double *const points = taf_alloc(w->n_in, sizeof *points);
	double *const out = taf_alloc(w->n, sizeof *out);
	const bool results = w->out != NULL;
	enum taf_status st = points != NULL && out != NULL ? TAF_OK : taf_fail_mem(e);

	if (!course->smaller)
		taf_running_scale_down(&sum, bits_of(j));
	if (st == TAF_OK)
		integrate_smaller(j, w, points, &sum, results ? out : NULL);
	if (st == TAF_OK && results)
		st = take_smaller(j, w, out, course->smaller, e);
	course->smaller = course->smaller || !taf_running_finite(ended);
	course->sum = course->smaller ? sum : *ended;
	free(points);
	free(out);
	return st;
}

static enum taf_status
integrate(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	const struct job *j = ctx;
	const struct taf_points_at points = { w->in, w->first, w->n_in, j->reach.len };
	struct course *const course = w->state;
	struct taf_running sum = course->sum;
	struct taf_integral how = *j->integral;

	how.start = start_of(j, w);
	if (!course->smaller) {
		taf_integrate(&how, &sum, w->out, w->at, w->n, &points);
		if (taf_running_finite(&sum) && taf_all_finite(w->out, w->n, 1, false)) {
			course->sum = sum;
			return TAF_OK;
		}
	}
	return go_on_smaller(j, w, &sum, e);
}

static enum taf_status
pass(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	const struct job *j = ctx;
	const struct taf_points_at points = { w->in, w->first, w->n_in, j->reach.len };
	struct course *const course = w->state;
	struct taf_running sum = course->sum;

	if (!course->smaller) {
		taf_integrate_pass(j->integral->rule, &sum, w->at, w->n, &points);
		if (taf_running_finite(&sum)) {
			course->sum = sum;
			return TAF_OK;
		}
	}
	return go_on_smaller(j, w, &sum, e);
}

enum taf_status
taf_integral(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_integral_intent *want = m->intent;
	const struct taf_along c = taf_move_parts(m, want->dim);
	const struct taf_dim *d = &c.a->dim[want->dim - 1];
	const struct taf_integral on_grid = { want->rule, d->step, want->start };
	struct job j = { .integral = &on_grid, .calculus = &c,
	    .reach = { d->n, TAF_INTEGRAL_BEFORE, TAF_INTEGRAL_BEHIND } };
	const struct taf_windows windows = { .along = &c, .reach = &j.reach,
	    .window = integrate, .pass = pass, .state_size = sizeof(struct course),
	    .ctx = &j, .blocks = true };

	return taf_windows(&windows, e);
}
