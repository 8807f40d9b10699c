/* link: m */
#include "plot/plot.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/utf8.h"
#include "kernel/stats.h"
#include "stream/select.h"

/* The region that is drawn, and which dimensions are its axes (from 0; ndim: none). */
struct view {
	struct taf_region region;
	unsigned x, y;
};

/* The first two dimensions that are longer than 1 are the axes. */
static enum taf_status
find_axes(const struct taf_plot_how *how, const struct taf_array *a, struct view *v,
    struct taf_err *e)
{
	enum taf_status st = taf_bounds_resolve(&how->bounds, a, &v->region, e);
	unsigned k, found = 0;

	if (st != TAF_OK)
		return st;
	v->x = 0;
	v->y = a->ndim;
	for (k = 0; k < a->ndim; k++) {
		uint64_t n = v->region.count[k];

		if (n == 0)
			return taf_fail(e, TAF_EDATA, "dimension %u: no elements", k + 1);
		if (n == 1)
			continue;
		if (found == 2)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: %llu long, the third one: "
			    "crop it to one index, as -x %u=1", k + 1,
			    (unsigned long long)n, k + 1);
		if (found++ == 0)
			v->x = k;
		else
			v->y = k;
	}
	/* a column of one point, or an image of one row */
	if (v->y == a->ndim && v->x + 1 < a->ndim)
		v->y = v->x + 1;
	return TAF_OK;
}

static enum taf_status
look(const struct taf_plot_how *how, const struct taf_array *a, struct view *v,
    struct taf_err *e)
{
	enum taf_status st = find_axes(how, a, v, e);

	if (st != TAF_OK)
		return st;
	if (taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA, "complex elements: draw their parts: "
		    "tafread -b | tafcreate -t flt64 -n 2, makes them numbers");
	if (!how->image && v->y < a->ndim && v->region.count[v->y] > TAF_PLOT_CURVES)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %llu columns, more than %d lines: "
		    "choose some, as -x %u=1:%d, or use --image", v->y + 1,
		    (unsigned long long)v->region.count[v->y], TAF_PLOT_CURVES, v->y + 1,
		    TAF_PLOT_CURVES);
	return TAF_OK;
}

enum taf_status
taf_plot_check(const struct taf_plot_how *how, const struct taf_array *a,
    struct taf_err *e)
{
	struct view v;

	return look(how, a, &v, e);
}

void
taf_plot_text(struct taf_str *to, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t n = strlen(s), len;

	for (; n > 0; p += len, n -= len) {
		len = taf_utf8_length(p, n);
		/* C1 controls do to terminals what the others do */
		if ((len <= 1 && (*p < 0x20 || (*p >= 0x7f && *p < 0xa0))) ||
		    (len == 2 && *p == 0xc2 && p[1] < 0xa0))
			taf_str_puts(to, " ");
		else if (len > 0)
			taf_str_put(to, p, len);
		else
			taf_str_printf(to, "%c%c", 0xc0 | *p >> 6, 0x80 | (*p & 0x3f));
		len = len > 0 ? len : 1;
	}
}

/* "Label (unit)". */
static enum taf_status
put_label(struct taf_buf *b, const struct taf_array *a, enum taf_scope scope, unsigned k,
    struct taf_err *e)
{
	const char *label = taf_attr_get(a, "label", scope, k);
	const char *unit = taf_attr_get(a, "unit", scope, k);
	bool has = label != NULL && label[0] != '\0';
	struct taf_str s = { .buf = *b, .err = e };

	taf_plot_text(&s, has ? label : "");
	if (unit != NULL && unit[0] != '\0') {
		taf_str_puts(&s, has ? " (" : "");
		taf_plot_text(&s, unit);
		taf_str_puts(&s, has ? ")" : "");
	}
	*b = s.buf;
	return s.st;
}

static double
grid(const struct taf_plot_axis *x, uint64_t i)
{
	return x->start + (double)i * x->step;
}

/* lo < hi, with some room around a single value. */
static void
set_range(struct taf_plot_axis *x, double lo, double hi)
{
	const double size = fabs(lo) > fabs(hi) ? fabs(lo) : fabs(hi);
	const double half = x->dim > 0 ? fabs(x->step) / 2 : 0;
	double more = 0;

	if (x->log) {
		/* in either case less than what a pixel can show is too little */
		if (hi / lo < 1 + 1e-12) {
			lo /= 2;
			hi *= 2;
		}
	} else if (hi / 2 - lo / 2 <= size * 1e-13) {
		more = half > size * 1e-12 ? half : size > 0 ? size / 10 : 1;
	}
	x->lo = lo - more < -DBL_MAX ? -DBL_MAX : lo - more;
	x->hi = hi + more > DBL_MAX ? DBL_MAX : hi + more;
}

static enum taf_status
set_axis(struct taf_plot_axis *x, const struct taf_array *a, const struct view *v,
    unsigned k, struct taf_err *e)
{
	double first, last;

	x->n = v->region.count[k];
	x->dim = k + 1;
	x->step = a->dim[k].step * (double)v->region.step[k];
	x->start = a->dim[k].start + (double)v->region.first[k] * a->dim[k].step;
	first = grid(x, 0);
	last = grid(x, x->n - 1);
	if (!taf_is_finite(first) || !taf_is_finite(last))
		return taf_fail(e, TAF_EDATA, "dimension %u: a grid that is not finite",
		    k + 1);
	set_range(x, first < last ? first : last, first < last ? last : first);
	return put_label(&x->label, a, TAF_OF_DIM, k + 1, e);
}

/* The points first to first + n - 1 in at most most buckets of equal width. */
static enum taf_status
cut_evenly(struct taf_plot *p, uint64_t first, uint64_t n, uint64_t most,
    struct taf_err *e)
{
	uint64_t k, whole, rest;

	/* two points a pixel are no more than its smallest and largest value */
	if (n <= (p->image ? most : 2 * most))
		most = n;
	p->buckets = (size_t)most;
	p->edge = taf_alloc(p->buckets + 1, sizeof *p->edge);
	if (p->edge == NULL)
		return taf_fail_mem(e);
	whole = n / most;
	rest = n % most;
	for (k = 0; k <= most; k++)
		p->edge[k] = first + k * whole + k * rest / most;
	return TAF_OK;
}

/* Pixels of a logarithmic axis: each is a certain factor. */
static enum taf_status
cut_by_factor(struct taf_plot *p, uint64_t most, struct taf_err *e)
{
	struct taf_plot_axis *x = &p->x;
	uint64_t first = 0, end = x->n, k;
	double a, b, i, t;
	enum taf_status st;

	/* where the grid crosses 0, if it does, up to a rounding */
	i = -x->start / x->step;
	if (grid(x, 0) <= 0 && grid(x, x->n - 1) <= 0)
		first = end;
	else if (grid(x, x->n - 1) <= 0)
		end = i < (double)x->n ? (uint64_t)ceil(i) : x->n;
	else if (grid(x, 0) <= 0)
		first = i < (double)x->n ? (uint64_t)floor(i) : x->n;
	while (first < end && grid(x, first) <= 0)
		first++;
	while (first < end && grid(x, end - 1) <= 0)
		end--;
	if (first == end)
		return taf_fail(e, TAF_EDATA, "--log x: no grid point of dimension %u is "
		    "positive", x->dim);
	p->dropped_x = x->n - (end - first);
	a = grid(x, first);
	b = grid(x, end - 1);
	set_range(x, a < b ? a : b, a < b ? b : a);
	st = cut_evenly(p, first, end - first, most, e);
	if (st != TAF_OK || p->buckets == end - first)
		return st;
	for (k = 1; k < p->buckets; k++) {
		t = a * pow(b / a, (double)k / (double)p->buckets);
		i = ceil((t - x->start) / x->step);
		p->edge[k] = i < (double)end ? (uint64_t)i : end;
		if (p->edge[k] < p->edge[k - 1])
			p->edge[k] = p->edge[k - 1];
	}
	return TAF_OK;
}

/* Axes and buckets, before anything is read. */
static enum taf_status
lay_out(struct taf_plot *p, const struct taf_plot_how *how, const struct taf_array *a,
    const struct view *v, struct taf_err *e)
{
	enum taf_status st;

	p->image = how->image;
	p->x.log = how->log_x;
	p->value.log = how->log_y;
	p->y.n = 1;
	if (set_axis(&p->x, a, v, v->x, e) != TAF_OK ||
	    (v->y < a->ndim && set_axis(&p->y, a, v, v->y, e) != TAF_OK) ||
	    put_label(&p->value.label, a, TAF_OF_ARRAY, 0, e) != TAF_OK)
		return e->code;
	if (v->y == a->ndim)
		p->y.hi = 1;
	st = how->log_x ? cut_by_factor(p, how->columns, e) :
	    cut_evenly(p, 0, p->x.n, how->columns, e);
	if (st != TAF_OK)
		return st;
	p->curves = (size_t)(p->image && p->y.n > how->rows ? how->rows : p->y.n);
	p->bucket = calloc(p->curves, p->buckets * sizeof *p->bucket);
	return p->bucket != NULL ? TAF_OK : taf_fail_mem(e);
}

/* Which row of the image a column of the array goes to, as cut_evenly would. */
static size_t
row_of(const struct taf_plot *p, uint64_t j)
{
	const uint64_t whole = p->y.n / p->curves, rest = p->y.n % p->curves;
	uint64_t k = j / (whole + (rest > 0));

	while (k + 1 < p->curves && (k + 1) * whole + (k + 1) * rest / p->curves <= j)
		k++;
	return (size_t)k;
}

static enum taf_status
read_values(struct taf_plot *p, const struct view *v, const struct taf_service *service,
    struct taf_reader *r, const struct taf_array *a, struct taf_err *e)
{
	const double mapping[] = { a->intercept, a->slope };
	const double *map = taf_array_mapped(a) ? mapping : NULL;
	const size_t esize = taf_type_size(a->type);
	struct taf_envelope x = { .edge = p->edge, .bucket = p->bucket, .n = p->buckets,
		.positive = p->value.log };
	struct taf_stats all = { 0 };
	struct taf_select *s = NULL;
	enum taf_status st;
	uint64_t j = 0;

	st = taf_select_open(&s, r, a, &v->region, e);
	while (st == TAF_OK) {
		const unsigned char *at;
		const void *values;
		size_t n, part;

		st = taf_select_read(s, &values, &n, e);
		if (st != TAF_OK || n == 0)
			break;
		if (p->image)
			taf_stats_add(&all, values, a->type, n, map);
		for (at = values; n > 0; n -= part, at += part * esize) {
			if (x.at == p->x.n) {
				size_t row = p->image ? row_of(p, ++j) : (size_t)++j;

				taf_envelope_again(&x, p->bucket + row * p->buckets);
			}
			part = n < p->x.n - x.at ? n : (size_t)(p->x.n - x.at);
			taf_envelope_add(&x, at, a->type, part, map);
		}
		taf_progress(service, taf_array_bytes(a) - taf_reader_left(r) * esize,
		    taf_array_bytes(a));
	}
	taf_select_close(s);
	p->mean = taf_stats_mean(&all, a->type, map);
	p->nan = x.nan;
	p->inf = x.inf;
	p->dropped = x.dropped;
	return st;
}

static enum taf_status
set_values(struct taf_plot *p, struct taf_err *e)
{
	double lo = INFINITY, hi = -INFINITY, v;
	size_t i, j;

	for (j = 0; j < p->curves; j++)
		for (i = 0; i < p->buckets; i++) {
			const struct taf_bucket *b = &p->bucket[j * p->buckets + i];

			if (!b->any)
				continue;
			v = p->image ? taf_plot_pixel(p, i, j) : b->min;
			lo = v < lo ? v : lo;
			v = p->image ? v : b->max;
			hi = v > hi ? v : hi;
		}
	if (lo > hi)
		return taf_fail(e, TAF_EDATA,
		    "nothing to draw: %llu values are NaN, %llu "
		    "infinite, %llu not positive", (unsigned long long)p->nan,
		    (unsigned long long)p->inf, (unsigned long long)p->dropped);
	set_range(&p->value, lo, hi);
	return TAF_OK;
}

enum taf_status
taf_plot_read(struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_service *service, struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e)
{
	struct view v;
	enum taf_status st = look(how, a, &v, e);

	if (st == TAF_OK)
		st = lay_out(p, how, a, &v, e);
	if (st == TAF_OK)
		st = read_values(p, &v, service, r, a, e);
	return st != TAF_OK ? st : set_values(p, e);
}

void
taf_plot_fini(struct taf_plot *p)
{
	taf_buf_free(&p->x.label);
	taf_buf_free(&p->y.label);
	taf_buf_free(&p->value.label);
	free(p->edge);
	free(p->bucket);
}

size_t
taf_plot_points(const struct taf_plot *p, size_t c, struct taf_plot_point *to)
{
	const struct taf_bucket *b = p->bucket + c * p->buckets;
	size_t i, n = 0;

	for (i = 0; i < p->buckets; i++, b++) {
		struct taf_plot_point min = { grid(&p->x, b->min_at), b->min };
		struct taf_plot_point max = { grid(&p->x, b->max_at), b->max };
		struct taf_plot_point gap = { grid(&p->x, p->edge[i]), NAN };

		if (p->edge[i] == p->edge[i + 1])
			continue;
		if (!b->any) {
			if (n > 0 && to[n - 1].y == to[n - 1].y)
				to[n++] = gap;
			continue;
		}
		to[n++] = b->min_at <= b->max_at ? min : max;
		if (b->min_at != b->max_at)
			to[n++] = b->min_at <= b->max_at ? max : min;
	}
	return n;
}

double
taf_plot_pixel(const struct taf_plot *p, size_t column, size_t row)
{
	const struct taf_bucket *b = &p->bucket[row * p->buckets + column];

	if (!b->any)
		return NAN;
	return b->max - p->mean >= p->mean - b->min ? b->max : b->min;
}
