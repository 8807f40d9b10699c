/* SPDX-License-Identifier: ISC */
#include "op/fft/correlation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "array/unit.h"
#include "base/buf.h"
#include "base/need.h"
#include "base/num.h"
#include "base/str.h"
#include "stream/relay.h"
#include "stream/transpose.h"
#include "stream/values.h"
#include "stream/windows.h"

enum {
	NORMS = 64 * 1024	/* points of both lines: of more, norms come first */
};

static uint64_t
length_of(const struct taf_array *a, unsigned k)
{
	return k <= a->ndim ? a->dim[k - 1].n : 1;
}

/* The dimension that the only line of an array runs along, or 0. */
static unsigned
only_line(const struct taf_array *a)
{
	unsigned k, dim = 1;

	for (k = 1; k <= a->ndim; k++)
		if (a->dim[k - 1].n != 1)
			dim = k;
	return taf_array_count(a) == length_of(a, dim) ? dim : 0;
}

/* Which line of b goes with one of a, and the dimension that they run along in b. */
static enum taf_status
match(const struct taf_array *const in[2], unsigned dim, bool *each, unsigned *b_dim,
    struct taf_err *e)
{
	unsigned k, other = 0;

	for (k = 1; k <= in[0]->ndim || k <= in[1]->ndim; k++)
		if (k != dim && other == 0 && length_of(in[0], k) != length_of(in[1], k))
			other = k;
	*each = other == 0 && taf_array_count(in[1]) != length_of(in[1], dim);
	*b_dim = other == 0 ? dim : only_line(in[1]);
	if (*b_dim == 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: lengths %llu and %llu, and the second has more than one line",
		    other,
		    (unsigned long long)length_of(in[0], other),
		    (unsigned long long)length_of(in[1], other));
	if (length_of(in[0], dim) == 0 || length_of(in[1], *b_dim) == 0)
		return taf_fail(e, TAF_EDATA, "dimension %u has no points",
		    length_of(in[0], dim) == 0 ? dim : *b_dim);
	return TAF_OK;
}

/* Of lines: their step, and how many steps the second starts before the first. */
struct grids {
	double step, apart;
};

static enum taf_status
compare_grids(const struct taf_array *const in[2], unsigned dim, unsigned b_dim,
    struct grids *g, struct taf_err *e)
{
	const struct taf_dim none = { 1, 0, 0 };
	const struct taf_dim *a = &in[0]->dim[dim - 1];
	const struct taf_dim *b = b_dim <= in[1]->ndim ? &in[1]->dim[b_dim - 1] : &none;
	const char *unit[2] = { taf_attr_get(in[0], "unit", TAF_OF_DIM, dim),
		taf_attr_get(in[1], "unit", TAF_OF_DIM, b_dim) };
	const double n = (double)(a->n > b->n ? a->n : b->n);
	const double off = (n - 1) * (a->step - b->step);
	double near;

	/* a single point has no step */
	g->step = a->n == 1 && b->n > 1 ? b->step : a->step;
	if (a->n > 1 && b->n > 1 && !(fabs(off) <= 1e-6 * fabs(a->step)))
		return taf_fail(e, TAF_EDATA, "dimension %u: steps of %s and %s", dim,
		    taf_brief_beside(a->step, b->step).s,
		    taf_brief_beside(b->step, a->step).s);
	if (unit[0] != NULL && unit[1] != NULL && strcmp(unit[0], unit[1]) != 0)
		return taf_fail(e, TAF_EDATA, "dimension %u: units %s and %s", dim,
		    unit[0], unit[1]);
	g->apart = (a->start - b->start) / g->step;
	if (!taf_is_finite(g->step) || g->step == 0 || !taf_is_finite(g->apart))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: a step of %s and starts of %s and %s give lags no grid",
		    dim, taf_brief(g->step).s,
		    taf_brief(a->start).s, taf_brief(b->start).s);
	/* lag 0 is to be a point of the grid, if starts are whole steps apart */
	near = rint(g->apart);
	if (fabs(g->apart - near) <= 1e-6)
		g->apart = near;
	return TAF_OK;
}

static int64_t
within(double v, int64_t least, int64_t most)
{
	return v <= (double)least ? least : v >= (double)most ? most : (int64_t)v;
}

/* The lags that there are, of those whose coordinate is within the limit. */
static enum taf_status
limit(const struct taf_correlation_intent *want, const struct grids *g, double longest,
    struct taf_correlate *c, struct taf_err *e)
{
	const double most = fabs(longest / g->step) + 1e-6;
	const int64_t first = 1 - (int64_t)c->len[1], last = (int64_t)c->len[0] - 1;
	const double low = ceil(-most - g->apart), high = floor(most - g->apart);
	int64_t end = last;

	c->lo = first;
	if (want->limited) {
		if (low > (double)last || high < (double)first || low > high)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: no lag within %s: they go from %s to %s",
			    want->dim,
			    taf_amount_typed(&want->limit).s,
			    taf_brief(((double)first + g->apart) * g->step).s,
			    taf_brief(((double)last + g->apart) * g->step).s);
		c->lo = within(low, first, last);
		end = within(high, first, last);
	}
	c->lags = (uint64_t)(end - c->lo) + 1;
	return TAF_OK;
}

static enum taf_status
set_units(struct taf_array *out, const struct taf_array *const in[2],
    const struct taf_correlation_intent *want, struct taf_err *e)
{
	struct taf_buf unit = { 0 };
	enum taf_status st = TAF_OK;

	if (!want->normalize)
		st = taf_unit_times(&unit, taf_attr_get(in[0], "unit", TAF_OF_ARRAY, 0),
		    taf_attr_get(in[1], "unit", TAF_OF_ARRAY, 0), e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "unit", TAF_OF_ARRAY, 0,
		    unit.len > 0 ? unit.data : NULL, e);
	taf_buf_free(&unit);
	if (st == TAF_OK && taf_attr_get(out, "label", TAF_OF_DIM, want->dim) != NULL)
		st = taf_attr_set(out, "label", TAF_OF_DIM, want->dim, "lag", e);
	return st;
}

enum taf_status
taf_correlation_resolve(const void *intent, const struct taf_steps *s,
    struct taf_array *out, void *plan, struct taf_err *e)
{
	const struct taf_correlation_intent *want = intent;
	const struct taf_array *const in[2] = { s->now[0].a, s->now[1].a };
	const bool wide = taf_type_computed(in[0]->type) == TAF_FLT64 ||
	    taf_type_computed(in[1]->type) == TAF_FLT64;
	struct taf_correlation_plan *to = plan;
	struct taf_correlate *c = &to->lengths;
	struct grids g = { 0 };
	double longest;
	unsigned b_dim;

	*to = (struct taf_correlation_plan){ 0 };
	if (taf_dim_there(in[0], want->dim, e) != TAF_OK ||
	    match(in, want->dim, &to->each, &b_dim, e) != TAF_OK ||
	    compare_grids(in, want->dim, b_dim, &g, e) != TAF_OK)
		return e->code;
	c->len[0] = length_of(in[0], want->dim);
	c->len[1] = length_of(in[1], b_dim);
	if (taf_amount_along(&want->limit, in[0], want->dim, false, &longest, e) !=
	    TAF_OK || limit(want, &g, longest, c, e) != TAF_OK)
		return e->code;
	c->pairs = taf_type_is_pair(in[0]->type) || taf_type_is_pair(in[1]->type);
	c->few = taf_array_cut(in[0], want->dim).inner == 1;
	taf_correlate_plan(c);
	out->type = c->pairs ? (wide ? TAF_COMPLEX128 : TAF_COMPLEX) :
	    wide ? TAF_FLT64 : TAF_FLT32;
	taf_array_unmap(out);
	out->dim[want->dim - 1] = (struct taf_dim){ c->lags,
		(g.apart + (double)c->lo) * g.step, g.step };
	return set_units(out, in, want, e);
}

enum taf_status
taf_correlation_no_memory(const struct taf_correlation *how, struct taf_err *e)
{
	const struct taf_correlate *c = &how->plan->lengths;

	return taf_fail(e, TAF_EDATA,
	    "dimension %u: lines of %llu and %llu points, with %llu lags, need more memory than -m allows",
	    how->want->dim,
	    (unsigned long long)c->len[0], (unsigned long long)c->len[1],
	    (unsigned long long)c->lags);
}

/* A line of b, of which some are there one after the other. */
struct other {
	unsigned char *raw;
	double *x;
	struct taf_stretch p;	/* those at x */
	struct taf_spectrum s;
	struct taf_norm norm;
	uint64_t line;
	bool there;
};

struct workspace {
	struct taf_correlate_workspace c;
	struct other other;
	bool open;
};

struct job {
	const struct taf_correlation *how;
	struct taf_correlate c;
	struct taf_reader *b, *turned;	/* lines of b lie one behind the other; or NULL */
	struct taf_recode in;		/* of b */
	struct other only;
	struct taf_norm *norms;		/* of a's lines, or NULL */
	struct workspace workspace[TAF_THREADS_MOST];
};

static enum taf_status
open_other(const struct job *j, struct other *o, struct taf_err *e)
{
	const size_t n = (size_t)j->c.len[1];

	o->x = taf_alloc(n, taf_type_size(j->in.to));
	o->raw = taf_alloc(n, taf_type_size(j->in.from));
	o->s.pairs = taf_alloc(taf_correlate_pairs(&j->c), 2 * sizeof *o->s.pairs);
	o->p = (struct taf_stretch){ o->x, 0, n, taf_type_is_pair(j->in.to) };
	return o->x != NULL && o->raw != NULL && o->s.pairs != NULL ? TAF_OK :
	    taf_fail_mem(e);
}

static void
close_other(struct other *o)
{
	free(o->raw);
	free(o->x);
	free(o->s.pairs);
}

static enum taf_status
load(const struct job *j, struct other *o, struct taf_correlate_workspace *d,
    uint64_t line, struct taf_err *e)
{
	const size_t n = o->p.n;

	if (o->there && o->line == line)
		return TAF_OK;
	if (taf_reader_at(j->b, o->raw, line * n, n, e) != TAF_OK)
		return e->code;
	/* any number is the double next to it */
	(void)taf_recode(&j->in, o->x, o->raw, n, NULL);
	taf_correlate_spectrum(&j->c, d, &o->p, 0, &o->s);
	o->norm = (struct taf_norm){ 0 };
	if (j->how->want->normalize)
		taf_norm_add(&o->norm, o->x, n * (o->p.pairs ? 2 : 1));
	o->line = line;
	o->there = true;
	return TAF_OK;
}

static void
span(const void *ctx, uint64_t at, uint64_t n, uint64_t bounds[2])
{
	const struct job *j = ctx;

	taf_correlate_span(&j->c, at, n, bounds);
	/* the norm is that of all points, unless it came first */
	if (j->how->want->normalize && j->norms == NULL) {
		bounds[0] = 0;
		bounds[1] = j->c.len[0];
	}
}

static enum taf_status
window(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	struct job *j = ctx;
	struct workspace *d = &j->workspace[w->thread];
	struct other *o = j->how->plan->each ? &d->other : &j->only;
	const struct taf_stretch a = { w->in, w->first, w->n_in,
		taf_type_is_pair(j->how->in[0]->type) };
	struct taf_correlate_block k = { &a, &o->p, &o->s, { 1, 0 } };
	struct taf_norm norm = { 0 };
	uint64_t at, end;

	if (!d->open && (taf_correlate_workspace_open(&d->c, &j->c, e) != TAF_OK ||
	    (o == &d->other && open_other(j, o, e) != TAF_OK)))
		return e->code;
	d->open = true;
	if (o == &d->other && load(j, o, &d->c, w->line, e) != TAF_OK)
		return e->code;
	if (j->norms != NULL)
		norm = j->norms[w->line];
	else if (j->how->want->normalize)
		taf_norm_add(&norm, a.x, a.n * (a.pairs ? 2 : 1));
	if (j->how->want->normalize)
		k.by = taf_norm_product(&norm, &o->norm);
	for (at = w->at; at < w->at + w->n; at = end) {
		end = (at / j->c.block + 1) * j->c.block;
		end = end < w->at + w->n ? end : w->at + w->n;
		taf_correlate_block(&j->c, &d->c, &k, at, w->out + (at - w->at) *
		    (j->c.pairs ? 2 : 1), (size_t)(end - at));
	}
	return TAF_OK;
}

/* Of long lines the norms come first, as windows do not see all of a line. */
static enum taf_status
read_norms(struct job *j, struct taf_reader *r, struct taf_err *e)
{
	const struct taf_array *a = j->how->in[0];
	const struct taf_cut cut = taf_array_cut(a, j->how->want->dim);
	const size_t parts = taf_type_is_pair(a->type) ? 2 : 1;
	struct taf_values *v = NULL;
	struct taf_recode how;
	enum taf_status st;
	uint64_t at = 0;
	const void *p;
	size_t n, i, step;

	st = taf_values_plan(&how, a, parts == 2 ? TAF_COMPLEX128 : TAF_FLT64, false,
	    false, e);
	if (st == TAF_OK)
		st = taf_values_open(&v, r, a, NULL, &how, e);
	while (st == TAF_OK && (st = taf_values_read(v, &p, &n, e)) == TAF_OK && n > 0)
		for (i = 0; i < n; i += step, at += step) {
			const uint64_t outer = at / cut.inner / cut.len;
			const uint64_t left = cut.inner > 1 ? 1 : cut.len - at % cut.len;

			step = left < n - i ? (size_t)left : n - i;
			taf_norm_add(&j->norms[outer * cut.inner + at % cut.inner],
			    (const double *)p + i * parts, step * parts);
		}
	taf_values_close(v);
	return st;
}

static enum taf_status
first_norms(struct job *j, struct taf_err *e)
{
	const struct taf_correlation *how = j->how;
	const uint64_t lines = taf_array_count(how->in[0]) / j->c.len[0];
	const uint64_t each = 4 * sizeof *j->norms;
	struct taf_reader *again = NULL;
	enum taf_status st;

	if (!taf_memory_fits(how->service->memory, lines, each))
		return taf_correlation_no_memory(how, e);
	j->norms = calloc((size_t)lines + 1, sizeof *j->norms);
	if (j->norms == NULL)
		return taf_fail_mem(e);
	st = taf_reader_random(how->r[0], e);
	if (st == TAF_OK)
		st = taf_reader_again(&again, how->r[0], how->in[0], e);
	if (st == TAF_OK)
		st = read_norms(j, again, e);
	taf_reader_close(again);
	return st;
}

/* Lines of b, each in one piece. */
static enum taf_status
open_b(struct job *j, struct taf_err *e)
{
	const struct taf_correlation *how = j->how;
	struct taf_service service = *how->service;
	struct taf_array lines;
	enum taf_status st;

	service.memory /= 2;
	st = taf_values_plan(&j->in, how->in[1], taf_type_is_pair(how->in[1]->type) ?
	    TAF_COMPLEX128 : TAF_FLT64, false, false, e);
	if (st == TAF_OK && how->plan->each && how->want->dim <= how->in[1]->ndim)
		st = taf_transpose_open(&service, how->r[1], how->in[1], how->want->dim,
		    &lines, &j->turned, e);
	j->b = j->turned != NULL ? j->turned : how->r[1];
	return st == TAF_OK ? taf_reader_random(j->b, e) : st;
}

/* Bytes of a line of b. */
static uint64_t
other_need(const struct job *j)
{
	return j->c.len[1] * (taf_type_size(j->in.from) + taf_type_size(j->in.to)) +
	    taf_correlate_pairs(&j->c) * 2 * sizeof(double);
}

static enum taf_status
open_job(struct job *j, struct taf_service *service, struct taf_err *e)
{
	const bool each = j->how->plan->each;
	uint64_t need, shared;
	enum taf_status st = taf_correlate_open(&j->c, e);

	if (st == TAF_OK)
		st = open_b(j, e);
	if (st != TAF_OK)
		return st;
	need = taf_correlate_need(&j->c) + (each ? other_need(j) : 0);
	shared = each ? 0 : other_need(j);
	service->memory = taf_memory_for(service->memory, 2 * (need + shared));
	/* a batch of points takes memory, too */
	if (need + shared > service->memory -
	    taf_memory_share(service->memory, TAF_BATCH))
		return taf_correlation_no_memory(j->how, e);
	service->memory -= shared;
	service->jobs = taf_threads_some(taf_memory_share(service->memory, TAF_HELD),
	    taf_threads(service), 0, need);
	service->memory -= need * service->jobs;
	taf_need_beside(need * service->jobs + shared);
	if (!each &&
	    (taf_correlate_workspace_open(&j->workspace[0].c, &j->c, e) != TAF_OK ||
	    open_other(j, &j->only, e) != TAF_OK ||
	    load(j, &j->only, &j->workspace[0].c, 0, e) != TAF_OK))
		return e->code;
	j->workspace[0].open = !each;
	return j->how->want->normalize && j->c.len[0] + j->c.len[1] > NORMS ?
	    first_norms(j, e) : TAF_OK;
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_correlation *how = j->how;
	struct taf_service service = *how->service;
	const struct taf_along along = { &service, how->r[0], how->in[0], how->want->dim,
		how->out, how->w, false };
	const struct taf_windows windows = { .along = &along, .span = span,
	    .window = window, .ctx = j, .scaling = how->want->normalize ?
	    TAF_SCALING_UNKNOWN : TAF_SCALING_ONCE };
	enum taf_status st = open_job(j, &service, e);
	unsigned k;

	if (st == TAF_OK)
		st = taf_windows(&windows, e);
	for (k = 0; k < TAF_THREADS_MOST; k++) {
		taf_correlate_workspace_close(&j->workspace[k].c);
		close_other(&j->workspace[k].other);
	}
	close_other(&j->only);
	taf_reader_close(j->turned);
	taf_correlate_close(&j->c);
	free(j->norms);
	return st;
}

enum taf_status
taf_correlation(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_operand *in = m->each;
	const struct taf_correlation_plan *plan = m->plan;
	const struct taf_correlation how = { m->service, m->intent, plan,
		{ in[0].r, in[1].r }, { in[0].a, in[1].a }, m->out, m->w };
	struct job *j;
	enum taf_status st;

	if (plan->each)
		taf_remark_grids(m, how.want->dim, 2);
	if (taf_array_count(m->out) == 0)
		return TAF_OK;
	if (!taf_memory_fits(m->service->memory, plan->lengths.length, 32))
		return taf_correlation_no_memory(&how, e);
	if (plan->lengths.few)
		return taf_correlation_few(&how, e);
	j = calloc(1, sizeof *j);
	if (j == NULL)
		return taf_fail_mem(e);
	j->how = &how;
	j->c = plan->lengths;
	st = run(j, e);
	free(j);
	return st;
}
