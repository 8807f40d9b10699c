/* SPDX-License-Identifier: ISC */
/* link: m */
#include "plot/plot.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/columns.h"
#include "base/num.h"
#include "io/temp.h"
#include "plot/section.h"
#include "plot/filling.h"

/* The region that is drawn, and which dimensions are its axes (from 0; ndim: none). */
struct view {
	struct taf_region region;
	unsigned x, y;
};

/* Three dimensions are too many: components of pixels are no axis, nor is the third. */
static enum taf_status
refuse_third(const struct taf_plot_how *how, const struct taf_array *a,
    const struct view *v, unsigned third, struct taf_err *e)
{
	const uint64_t n = v->region.count[v->x];
	const bool pixels = taf_dim_stands_for(a, v->x + 1, "component") ||
	    ((how->image || a->code == TAF_CODE_IMAGE) && (n == 3 || n == 4));
	const unsigned k = pixels ? v->x : third;

	return taf_fail(e, TAF_EDATA,
	    "dimension %u: %llu long, %s: crop it to one index, as -x %u=1", k + 1,
	    (unsigned long long)v->region.count[k],
	    pixels ? "components of pixels" : "the third one", k + 1);
}

unsigned
taf_plot_rows(const struct taf_plot_how *how)
{
	return 1u + how->xy + (how->band > 0);
}

/* Dimension 1 has not as many rows as it must; another one may have them. */
static enum taf_status
refuse_rows(const struct taf_plot_how *how, const struct taf_region *r, unsigned ndim,
    struct taf_err *e)
{
	const unsigned rows = taf_plot_rows(how);
	struct taf_str order = { .err = e };
	unsigned k = ndim, i;

	while (k > 0 && r->count[k - 1] != rows)
		k--;
	for (i = 1; k > 0 && i <= ndim; i++)
		if (i != k)
			taf_str_printf(&order, ",%u", i);
	if (order.st == TAF_OK)
		order.st = taf_fail(e, TAF_EDATA,
		    "--%s: dimension 1 is %llu long: it must be %u, %s%s%.0u%s%s",
		    how->xy ? "xy" : "band", (unsigned long long)r->count[0], rows,
		    how->xy && rows == 3 ? "x, y and the uncertainty of y" :
		    how->xy ? "x and y" : "a value and its uncertainty",
		    k > 0 ? " (tafpermute -d " : "", k, k > 0 ? order.buf.data : "",
		    k > 0 ? " brings them there)" : "");
	taf_str_free(&order);
	return order.st;
}

/* The first two dimensions that are longer than 1 are the axes. */
static enum taf_status
find_axes(const struct taf_plot_how *how, const struct taf_array *a, struct view *v,
    struct taf_err *e)
{
	enum taf_status st = taf_bounds_resolve(&how->bounds, a, &v->region, e);
	const unsigned rows = taf_plot_rows(how), first = rows > 1 ? 1 : 0;
	unsigned k, found = 0;

	if (st != TAF_OK)
		return st;
	if (first == 1 && (a->ndim < 2 || v->region.count[0] != rows))
		return refuse_rows(how, &v->region, a->ndim, e);
	v->x = first;
	v->y = a->ndim;
	for (k = first; k < a->ndim; k++) {
		uint64_t n = v->region.count[k];

		if (n == 0)
			return taf_fail(e, TAF_EDATA, "dimension %u: no elements", k + 1);
		if (n == 1)
			continue;
		if (found == 2)
			return refuse_third(how, a, v, k, e);
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
		return taf_fail(e, TAF_EDATA,
		    "complex elements: draw their parts: tafread -b | tafcreate -t flt64 -n 2, makes them numbers");
	if (!how->image && v->y < a->ndim && v->region.count[v->y] > TAF_PLOT_CURVES)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %llu columns, more than %d lines: choose some, as -x %u=1:%d, or use --image",
		    v->y + 1,
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

double
taf_plot_grid(const struct taf_plot_axis *x, uint64_t i)
{
	return x->start + (double)i * x->step;
}

void
taf_plot_set_range(struct taf_plot_axis *x, double lo, double hi)
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

/* Keep an attribute as text. */
static enum taf_status
keep(struct taf_buf *to, const struct taf_array *a, const char *key, enum taf_scope scope,
    unsigned k, struct taf_err *e)
{
	const char *text = taf_attr_get(a, key, scope, k);

	return text == NULL || text[0] == '\0' ? TAF_OK : taf_buf_puts(to, text, e);
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
	first = taf_plot_grid(x, 0);
	last = taf_plot_grid(x, x->n - 1);
	if (!taf_is_finite(first) || !taf_is_finite(last))
		return taf_fail(e, TAF_EDATA, "dimension %u: a grid that is not finite",
		    k + 1);
	taf_plot_set_range(x, first < last ? first : last, first < last ? last : first);
	if (keep(&x->name, a, "label", TAF_OF_DIM, k + 1, e) != TAF_OK)
		return e->code;
	return keep(&x->unit, a, "unit", TAF_OF_DIM, k + 1, e);
}

/* The points first to first + n - 1 in at most most buckets of equal width. */
static enum taf_status
cut_evenly(struct taf_plot_part *p, bool image, uint64_t first, uint64_t n, uint64_t most,
    struct taf_err *e)
{
	uint64_t k, whole, rest;

	/* two points a pixel are no more than its smallest and largest value */
	if (n <= (image ? most : 2 * most))
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

/* Pixels of a logarithmic axis: each is a certain factor.  *dropped: those below it. */
static enum taf_status
cut_by_factor(struct taf_plot_part *p, uint64_t most, uint64_t *dropped,
    struct taf_err *e)
{
	struct taf_plot_axis *x = &p->x;
	uint64_t first = 0, end = x->n, k;
	double a, b, i, t;
	enum taf_status st;

	/* where the grid crosses 0, if it does, up to a rounding */
	i = -x->start / x->step;
	if (taf_plot_grid(x, 0) <= 0 && taf_plot_grid(x, x->n - 1) <= 0)
		first = end;
	else if (taf_plot_grid(x, x->n - 1) <= 0)
		end = i < (double)x->n ? (uint64_t)ceil(i) : x->n;
	else if (taf_plot_grid(x, 0) <= 0)
		first = i < (double)x->n ? (uint64_t)floor(i) : x->n;
	while (first < end && taf_plot_grid(x, first) <= 0)
		first++;
	while (first < end && taf_plot_grid(x, end - 1) <= 0)
		end--;
	if (first == end)
		return taf_fail(e, TAF_EDATA,
		    "--log x: no grid point of dimension %u is positive", x->dim);
	*dropped += x->n - (end - first);
	a = taf_plot_grid(x, first);
	b = taf_plot_grid(x, end - 1);
	taf_plot_set_range(x, a < b ? a : b, a < b ? b : a);
	st = cut_evenly(p, false, first, end - first, most, e);
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

static enum taf_status
copy_text(struct taf_buf *to, const struct taf_buf *from, struct taf_err *e)
{
	return from->data != NULL ? taf_buf_puts(to, from->data, e) : TAF_OK;
}

/* What the array calls itself: an attribute that is asked for, or as its values. */
static enum taf_status
keep_word(struct taf_plot_part *part, const struct taf_array *a, const char *key,
    struct taf_err *e)
{
	return key != NULL ? keep(&part->word, a, key, TAF_OF_ARRAY, 0, e) :
	    copy_text(&part->word, &part->value.name, e);
}

/* Values of an array are called as it says; those of columns as these, each by itself. */
static enum taf_status
name_values(struct taf_plot_part *part, const struct taf_array *a, const struct view *v,
    struct taf_err *e)
{
	const uint64_t n = a->ndim > 1 ? a->dim[1].n : 1;
	const char *list = n > 1 ? taf_columns_list(a, n) : NULL;
	const bool one = list != NULL && v->region.count[1] == 1;
	uint64_t k;

	if (list == NULL)
		return taf_array_called(a, &part->value.name, e);
	if (keep(&part->value.name, a, "label", TAF_OF_ARRAY, 0, e) != TAF_OK)
		return e->code;
	if (v->y == 1 && !one) {
		part->first_name = (double)v->region.first[1];
		part->name_step = (double)v->region.step[1];
		return taf_buf_puts(&part->names, list, e);
	}
	if (!one || part->value.name.len > 0)
		return TAF_OK;
	for (k = 0; k < v->region.first[1]; k++)
		list += strcspn(list, ",") + 1;
	return taf_buf_printf(&part->value.name, e, "%.*s", (int)strcspn(list, ","),
	    list);
}

/*
 * Several operations of tafreduce have made the last dimension: its index says which one
 * a curve is of, as long as nobody gave it another meaning.
 */
static enum taf_status
keep_ops(struct taf_plot_part *part, const struct taf_array *a, struct taf_err *e)
{
	const struct taf_plot_axis *y = &part->y;
	const char *ops = taf_attr_get(a, "reduce/ops", TAF_OF_ARRAY, 0), *p;
	const double first = y->start, last = taf_plot_grid(y, y->n - 1);
	double n = 1;

	if (ops == NULL || y->dim != a->ndim || y->name.data != NULL ||
	    y->unit.data != NULL || first != floor(first) || y->step != floor(y->step) ||
	    part->names.len > 0)
		return TAF_OK;
	for (p = ops; *p != '\0'; p++)
		n += *p == ',';
	if (first < 1 || first > n || last < 1 || last > n)
		return TAF_OK;
	part->first_name = first - 1;
	part->name_step = y->step;
	return taf_buf_puts(&part->names, ops, e);
}

/* Rows of buckets: of curves, and of the edges of their bands. */
static size_t
lines_of(const struct taf_plot_part *part)
{
	return part->curves * (part->banded ? 3 : 1);
}

static size_t
bucket_bytes(const struct taf_plot_part *part)
{
	return lines_of(part) * part->buckets * sizeof *part->bucket;
}

/* Buckets that the memory does not hold are in files. */
static enum taf_status
make_buckets(struct taf_plot *p, struct taf_plot_part *part, uint64_t memory,
    struct taf_err *e)
{
	const size_t n = bucket_bytes(part);

	part->mapped = n > taf_memory_share(memory, TAF_HELD) - p->taken;
	if (part->mapped) {
		part->bucket = taf_temp_map(n, e);
		return part->bucket != NULL ? TAF_OK : e->code;
	}
	p->taken += n;
	part->bucket = calloc(1, n);
	return part->bucket != NULL ? TAF_OK : taf_fail_mem(e);
}

static void
free_buckets(const struct taf_plot_part *part, size_t n)
{
	if (part->mapped && part->bucket != NULL)
		taf_temp_unmap(part->bucket, n);
	else
		free(part->bucket);
}

/* Of x against y all points are kept. */
static enum taf_status
lay_out_points(struct taf_plot *p, struct taf_plot_part *part, uint64_t memory,
    struct taf_err *e)
{
	const uint64_t n = part->x.n;
	uint64_t all = n * part->y.n;
	size_t i;

	for (i = 0; i + 1 < p->parts; i++)
		all += p->part[i].buckets * p->part[i].curves;
	/* columns are few, and no product overflows */
	if (n > TAF_PLOT_XY || all > TAF_PLOT_XY)
		return taf_fail(e, TAF_EDATA,
		    "--xy: %llu points, more than %d: draw some of them, as -x 2=1:end:10",
		    (unsigned long long)(n > TAF_PLOT_XY ? n : all), TAF_PLOT_XY);
	part->curves = (size_t)part->y.n;
	part->at = taf_alloc((size_t)n * part->curves, sizeof *part->at);
	if (part->at == NULL)
		return taf_fail_mem(e);
	if (cut_evenly(part, true, 0, n, n, e) != TAF_OK)
		return e->code;
	return make_buckets(p, part, memory, e);
}

/* Axes and buckets, before anything is read. */
static enum taf_status
lay_out(struct taf_plot *p, struct taf_plot_part *part, const struct taf_plot_how *how,
    const struct taf_array *a, const struct view *v, uint64_t memory, struct taf_err *e)
{
	/* pixels along dimension 1, and along the other one */
	const unsigned along = p->section ? how->rows : how->columns;
	const unsigned beside = p->section ? how->columns : how->rows;
	enum taf_status st;

	part->x.log = (how->log & TAF_LOG_X) != 0;
	part->y.n = 1;
	part->banded = how->band > 0;
	p->band = how->band;
	p->points = how->points;
	p->xy = how->xy;
	p->panels = how->panels;
	if (name_values(part, a, v, e) != TAF_OK ||
	    keep(&part->value.unit, a, "unit", TAF_OF_ARRAY, 0, e) != TAF_OK)
		return e->code;
	p->errors = how->points || how->xy;
	part->x.n = v->region.count[v->x];
	if ((!how->xy && set_axis(&part->x, a, v, v->x, e) != TAF_OK) ||
	    (v->y < a->ndim && set_axis(&part->y, a, v, v->y, e) != TAF_OK) ||
	    keep_word(part, a, how->key, e) != TAF_OK ||
	    keep_ops(part, a, e) != TAF_OK)
		return e->code;
	if (v->y == a->ndim)
		part->y.hi = 1;
	part->bars = !how->image && !how->wiggle && !p->errors &&
	    taf_attr_get(a, "hist/bins", TAF_OF_DIM, v->x + 1) != NULL;
	p->unnamed += how->key != NULL && part->word.len == 0;
	if (how->xy)
		return lay_out_points(p, part, memory, e);
	st = part->x.log ? cut_by_factor(part, along, &p->dropped_x, e) :
	    cut_evenly(part, how->image, 0, part->x.n, along, e);
	if (st != TAF_OK)
		return st;
	part->curves = (size_t)(how->image && part->y.n > beside ? beside : part->y.n);
	return make_buckets(p, part, memory, e);
}

uint64_t
taf_plot_row_edge(const struct taf_plot_part *p, size_t row)
{
	return row * (p->y.n / p->curves) + row * (p->y.n % p->curves) / p->curves;
}

/* The unit of an axis of one more array: *power turns its numbers into the first's. */
static enum taf_status
fit_unit(const struct taf_plot *p, struct taf_buf *unit, const char *more, int *power,
    const char *what, struct taf_err *e)
{
	if (!taf_scale_between(more, unit->data, power))
		return taf_fail(e, TAF_EDATA,
		    "%s in %s, %s in %s: they have no axis in common%s",
		    what, more, p->over ? "the image's axis" : "those before", unit->data,
		    p->over && unit == &p->x.unit &&
		    taf_scale_between(more, p->value.unit.data, power) ?
		    " (tafpermute -d 2,1 transposes an image)" : "");
	if (unit->data == NULL && more != NULL && more[0] != '\0')
		return taf_buf_puts(unit, more, e);
	return TAF_OK;
}

static void
scale_grid(struct taf_plot_axis *x, int power)
{
	x->start = taf_scale_power(x->start, power);
	x->step = taf_scale_power(x->step, power);
	x->lo = taf_scale_power(x->lo, power);
	x->hi = taf_scale_power(x->hi, power);
}

/* The axes of the picture begin as those of the first part. */
static enum taf_status
first_axis(struct taf_plot_axis *x, const struct taf_plot_axis *from, struct taf_err *e)
{
	const bool down = x->down;

	*x = *from;
	x->down = down;
	x->name = x->unit = x->label = (struct taf_buf){ NULL, 0, 0 };
	if (copy_text(&x->name, &from->name, e) != TAF_OK)
		return e->code;
	return copy_text(&x->unit, &from->unit, e);
}

static enum taf_status
begin_axes(struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_plot_part *part, const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = first_axis(&p->y, &part->y, e);

	/* the other axes are those of the image */
	if (st != TAF_OK || p->over)
		return st;
	p->image = how->image;
	p->wiggle = how->wiggle;
	p->y.down = how->image && (how->down || a->code == TAF_CODE_IMAGE);
	p->value.log = (how->log & TAF_LOG_Y) != 0;
	if (first_axis(&p->x, &part->x, e) != TAF_OK ||
	    copy_text(&p->value.name, &part->value.name, e) != TAF_OK)
		return e->code;
	if (how->limits.given &&
	    taf_plot_range_of(&how->limits, a, p->range, e) != TAF_OK)
		return e->code;
	return keep(&p->value.unit, a, "unit", TAF_OF_ARRAY, 0, e);
}

/* Numbers of the last part in the units of those before. */
static void
scale_part(struct taf_plot_part *part, int power_x, int power)
{
	size_t i;

	part->power = power;
	scale_grid(&part->x, power_x);
	for (i = 0; part->at != NULL && i < part->curves * part->buckets; i++)
		part->at[i] = taf_scale_power(part->at[i], power_x);
	for (i = 0; i < lines_of(part) * part->buckets && power != 0; i++) {
		part->bucket[i].min = taf_scale_power(part->bucket[i].min, power);
		part->bucket[i].max = taf_scale_power(part->bucket[i].max, power);
	}
}

/* The smallest and the largest value that is drawn. */
static void
widen(const struct taf_plot *p, const struct taf_plot_part *part, double *lo, double *hi)
{
	size_t i, j;
	double v;

	for (j = 0; j < lines_of(part); j++)
		for (i = 0; i < part->buckets; i++) {
			const struct taf_bucket *b = &part->bucket[j * part->buckets + i];

			if (!b->any)
				continue;
			v = p->image ? taf_plot_pixel(p, i, j) : b->min;
			*lo = v < *lo ? v : *lo;
			v = p->image ? v : b->max;
			*hi = v > *hi ? v : *hi;
		}
}

bool
taf_plot_ends(const struct taf_plot *p, const struct taf_plot_part *part, size_t curve,
    double *lo, double *hi)
{
	size_t i, j;

	*lo = p->base ? 0 : INFINITY;
	*hi = p->base ? 0 : -INFINITY;
	for (j = curve; j < lines_of(part); j += part->curves)
		for (i = 0; i < part->buckets; i++) {
			const struct taf_bucket *b = &part->bucket[j * part->buckets + i];

			*lo = b->any && b->min < *lo ? b->min : *lo;
			*hi = b->any && b->max > *hi ? b->max : *hi;
		}
	return *lo <= *hi;
}

/* What lies beside all before is not to be compared; beside the image it is not seen. */
static void
remark_beside(const struct taf_plot *p, const struct taf_plot_part *part,
    const struct taf_service *service)
{
	const struct taf_plot_axis *x = &p->x, *y = &p->value;
	double lo = INFINITY, hi = -INFINITY;

	if (p->over)
		widen(p, part, &lo, &hi);
	if (p->xy)
		return;
	if (part->x.lo > x->hi || part->x.hi < x->lo)
		taf_remark(service, "%s: its grid, %.7g to %.7g, %s, %.7g to %.7g",
		    part->file.data, part->x.lo, part->x.hi, p->over ?
		    "lies beside the image" : "overlaps with none before", x->lo, x->hi);
	else if (p->over && (lo > y->hi || hi < y->lo))
		taf_remark(service,
		    "%s: its values, %.7g to %.7g, lie beside the image, %.7g to %.7g",
		    part->file.data, lo, hi, y->lo, y->hi);
}

/* The last part goes over those before, or over the image. */
static enum taf_status
join(struct taf_plot *p, struct taf_plot_part *part, const struct taf_array *a,
    const struct taf_service *service, struct taf_err *e)
{
	const char *unit = taf_attr_get(a, "unit", TAF_OF_ARRAY, 0);
	const struct taf_buf *const label = &part->value.name;
	enum taf_status st;
	int power, power_x;

	st = fit_unit(p, &p->x.unit, part->x.unit.data, &power_x, "its grid is", e);
	power = 0;
	if (st == TAF_OK && !p->panels)
		st = fit_unit(p, &p->value.unit, unit, &power, "its values are", e);
	if (st != TAF_OK)
		return st;
	/* what is not the label of all is nobody's */
	if (label->len != p->value.name.len || (label->len > 0 &&
	    strcmp(label->data, p->value.name.data) != 0))
		taf_buf_free(&p->value.name);
	scale_part(part, power_x, power);
	remark_beside(p, part, service);
	if (p->over)
		return TAF_OK;
	p->x.lo = part->x.lo < p->x.lo ? part->x.lo : p->x.lo;
	p->x.hi = part->x.hi > p->x.hi ? part->x.hi : p->x.hi;
	return TAF_OK;
}

static enum taf_status
add_part(struct taf_plot *p, const struct taf_plot_how *how, const char *file,
    struct taf_err *e)
{
	struct taf_plot_part *part;

	if (p->parts > 0 && (how->image || how->wiggle))
		return taf_fail(e, TAF_EDATA,
		    "several arrays: --image and --wiggle show one: choose it with -N");
	if (p->parts == TAF_PLOT_CURVES)
		return taf_fail(e, TAF_EDATA, "more than %d arrays: choose one with -N",
		    TAF_PLOT_CURVES);
	part = realloc(p->part, (p->parts + 1) * sizeof *part);
	if (part == NULL)
		return taf_fail_mem(e);
	p->part = part;
	part += p->parts++;
	memset(part, 0, sizeof *part);
	return taf_buf_puts(&part->file, file, e);
}

void
taf_plot_edges(const struct taf_plot_axis *x, double *lo, double *hi)
{
	const double step = x->dim > 0 ? x->step : 1;
	const double a = x->start - step / 2, b = a + step * (double)x->n;

	*lo = a < b ? a : b;
	*hi = a < b ? b : a;
}

enum taf_status
taf_plot_over(struct taf_plot *over, struct taf_plot *image, struct taf_err *e)
{
	over->over = true;
	over->taken = image->taken;
	image->curves_over = over;
	if (first_axis(&over->x, &image->x, e) != TAF_OK ||
	    first_axis(&over->value, &image->y, e) != TAF_OK)
		return e->code;
	over->value.down = image->y.down;
	taf_plot_edges(&image->x, &over->x.lo, &over->x.hi);
	taf_plot_edges(&image->y, &over->value.lo, &over->value.hi);
	return TAF_OK;
}

/* Only what may be seen over the image is read, with a point more at each end. */
static void
narrow(const struct taf_plot *p, const struct taf_array *a, struct view *v)
{
	const struct taf_dim *d = &a->dim[v->x];
	double from, to, first, last;
	int power;

	if (!taf_scale_between(taf_attr_get(a, "unit", TAF_OF_DIM, v->x + 1),
	    p->x.unit.data, &power))
		return;
	from = (taf_scale_power(p->x.lo, -power) - d->start) / d->step;
	to = (taf_scale_power(p->x.hi, -power) - d->start) / d->step;
	first = fmax(floor(fmin(from, to)), 0);
	last = fmin(ceil(fmax(from, to)), (double)(d->n - 1));
	if (!(first <= last))
		return;
	v->region.first[v->x] = (uint64_t)first;
	v->region.count[v->x] = (uint64_t)(last - first) + 1;
}

/* Traces were read as lines of an image, or as curves; but time goes down. */
static enum taf_status
lay_down(struct taf_plot *p, struct taf_plot_part *part, uint64_t memory,
    struct taf_err *e)
{
	struct taf_plot_part was = *part;
	enum taf_status st = TAF_OK;

	taf_section_exchange(&p->x, &p->y);
	if (p->wiggle)
		return TAF_OK;
	st = make_buckets(p, part, memory, e);
	if (st == TAF_OK)
		st = taf_section_turn(part, was.bucket, e);
	else
		part->bucket = NULL;
	free_buckets(&was, bucket_bytes(&was));
	p->taken -= was.mapped ? 0 : bucket_bytes(&was);
	return st;
}

enum taf_status
taf_plot_add(struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_service *service, struct taf_reader *r, const struct taf_array *a,
    const char *file, struct taf_err *e)
{
	struct taf_plot_part *part;
	struct view v;

	if (look(how, a, &v, e) != TAF_OK || add_part(p, how, file, e) != TAF_OK)
		return e->code;
	part = &p->part[p->parts - 1];
	if (p->over)
		narrow(p, a, &v);
	else
		p->section = taf_section_is(how, a, v.x);
	if (lay_out(p, part, how, a, &v, service->memory, e) != TAF_OK ||
	    (p->parts == 1 && begin_axes(p, how, part, a, e) != TAF_OK) ||
	    taf_plot_read(p, how, &v.region, service, r, a, e) != TAF_OK ||
	    (p->section && lay_down(p, part, service->memory, e) != TAF_OK) ||
	    ((p->parts > 1 || p->over) && join(p, part, a, service, e) != TAF_OK))
		return e->code;
	p->curves += part->curves;
	p->buckets = part->buckets > p->buckets ? part->buckets : p->buckets;
	if (p->curves > TAF_PLOT_CURVES && !p->image)
		return taf_fail(e, TAF_EDATA, "%zu lines with those before, more than %d",
		    p->curves, TAF_PLOT_CURVES);
	return TAF_OK;
}

/* Bars reach half a bin beyond their grid, and stand on 0 where the axis has one. */
static void
make_room(struct taf_plot *p, double *lo, double *hi)
{
	size_t i;

	for (i = 0; i < p->parts && !p->over; i++) {
		const struct taf_plot_axis *x = &p->part[i].x;
		const double half = fabs(x->step) / 2;

		if (!taf_plot_bars(&p->part[i]))
			continue;
		if (!x->log || x->lo > half)
			p->x.lo = x->lo - half < p->x.lo ? x->lo - half : p->x.lo;
		p->x.hi = x->hi + half > p->x.hi ? x->hi + half : p->x.hi;
		if (!p->value.log) {
			p->base = true;
			*lo = *lo < 0 ? *lo : 0;
			*hi = *hi > 0 ? *hi : 0;
		}
	}
}

/* A long record that ends a step before a round number has an axis up to that number. */
static void
reach_tick(struct taf_plot_axis *x)
{
	const double step = fabs(x->step), hi = x->hi;
	struct taf_tick t[TAF_TICKS];
	unsigned n;

	if (x->log || x->step < 0 || !(step < (hi - x->lo) / 100))
		return;
	x->hi = hi + step * (1 + 1e-9);
	n = taf_ticks(x, 10, t);
	x->hi = n > 2 ? taf_scale_power(t[n - 1].value, x->scale.shift) : hi;
	/* not to lose it by a rounding */
	if (x->hi > hi && taf_scale_shown(&x->scale, x->hi) < t[n - 1].value)
		x->hi = nextafter(x->hi, INFINITY);
	if (!(x->hi > hi))
		x->hi = hi;
}

/* Names that are given are as many as the lines, which an image has over it. */
static enum taf_status
end_names(struct taf_plot *p, const struct taf_plot_how *how, struct taf_err *e)
{
	const char *c = how->names;
	size_t n = 1;

	if (c == NULL || p->image)
		return TAF_OK;
	for (; *c != '\0'; c++)
		n += *c == ',';
	if (n != p->curves)
		return taf_fail(e, TAF_EDATA, "--names: %zu names for %zu lines", n,
		    p->curves);
	p->names = how->names;
	return TAF_OK;
}

/* How high the axes are by their width, with their room, if a unit is as long on both. */
static enum taf_status
end_aspect(struct taf_plot *p, struct taf_err *e)
{
	const struct taf_plot_axis *const up = taf_plot_up(p);
	const double room = (up->hi - up->lo) * (p->image || p->tight ? 0 : 0.03);
	double ends[] = { p->x.lo, p->x.hi, up->lo - room, up->hi + room };
	int power;

	if (!taf_scale_between(up->unit.data, p->x.unit.data, &power))
		return taf_fail(e, TAF_EDATA,
		    "--aspect equal: %s and %s have no length in common",
		    p->x.unit.data, up->unit.data);
	if (p->image) {
		taf_plot_edges(&p->x, &ends[0], &ends[1]);
		taf_plot_edges(up, &ends[2], &ends[3]);
	} else {
		taf_plot_set_range(&p->value, ends[2], ends[3]);
		p->tight = true;
	}
	p->aspect = taf_scale_power((ends[3] - ends[2]) / (ends[1] - ends[0]), power);
	if (!(p->aspect > 1e-3 && p->aspect < 1e3))
		return taf_fail(e, TAF_EDATA,
		    "--aspect equal: an axis is %.3g times as long as the other",
		    p->aspect < 1 ? 1 / p->aspect : p->aspect);
	return TAF_OK;
}

enum taf_status
taf_plot_end(struct taf_plot *p, const struct taf_plot_how *how, struct taf_err *e)
{
	double lo = INFINITY, hi = -INFINITY;
	struct taf_plot_axis *const axes[] = { &p->y, &p->x, &p->value };
	size_t i;

	for (i = 0; i < p->parts; i++)
		widen(p, &p->part[i], &lo, &hi);
	if (lo > hi)
		return taf_fail(e, TAF_EDATA,
		    "nothing to draw: %llu values are NaN, %llu infinite, %llu not positive",
		    (unsigned long long)p->nan,
		    (unsigned long long)p->inf, (unsigned long long)p->dropped);
	make_room(p, &lo, &hi);
	if (p->over) {
		if (!how->stored)
			taf_scale_choose(&p->y.scale, p->y.unit.data, p->y.lo, p->y.hi,
			    p->y.log);
		return end_names(p, how, e);
	}
	if (taf_plot_limit(p, &how->limits, &lo, &hi, e) != TAF_OK)
		return e->code;
	taf_plot_set_range(&p->value, lo, hi);
	/* a curve of x against y has as much room at its sides as above and below */
	if (p->xy)
		taf_plot_room(&p->x, &p->x.lo, &p->x.hi);
	p->tight = how->limits.given || how->limits.shares;
	p->colours = how->colours != TAF_COLOURS_AUTO && (!p->section ||
	    how->colours != TAF_COLOURS_GREY) ? how->colours : p->section ?
	    TAF_COLOURS_TRACES : TAF_COLOURS_VIRIDIS;
	if (p->wiggle)
		taf_section_range(p);
	for (i = 0; i < sizeof axes / sizeof axes[0] && !how->stored; i++)
		taf_scale_choose(&axes[i]->scale, axes[i]->unit.data, axes[i]->lo,
		    axes[i]->hi, axes[i]->log);
	if (!p->image && !p->wiggle && !p->xy)
		reach_tick(&p->x);
	return how->equal && end_aspect(p, e) != TAF_OK ? e->code :
	    end_names(p, how, e);
}

void
taf_plot_remark(const struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_service *service)
{
	const uint64_t n[] = { p->inf, p->dropped, p->dropped_x };
	static const char *const what[] = { "infinite values",
		"values that are not positive", "grid points that are not positive" };
	char text[TAF_ERR_TEXT] = "";
	size_t i, at = 0;

	for (i = 0; i < 3; i++)
		if (n[i] > 0)
			at += (size_t)snprintf(text + at, sizeof text - at, "%s %llu %s",
			    at > 0 ? "," : "", (unsigned long long)n[i], what[i]);
	if (at > 0)
		taf_remark(service, "left out:%s", text);
	/* an image has no name: curves over it have */
	if (p->unnamed > 0 && p->curves_over == NULL)
		taf_remark(service, "--name %s: %zu of %zu arrays %s no such attribute",
		    how->key, p->unnamed, p->parts, p->parts > 1 ? "have" : "has");
	if (!how->image && !how->wiggle && !how->xy && p->parts == 1 &&
	    p->curves > TAF_PLOT_FEW)
		taf_remark(service, "%zu lines: --image may show them better", p->curves);
}

static void
free_axis(struct taf_plot_axis *x)
{
	taf_buf_free(&x->name);
	taf_buf_free(&x->unit);
	taf_buf_free(&x->label);
}

void
taf_plot_fini(struct taf_plot *p)
{
	size_t i;

	for (i = 0; i < p->parts; i++) {
		struct taf_plot_part *part = &p->part[i];

		free_axis(&part->x);
		free_axis(&part->y);
		free_axis(&part->value);
		free(part->edge);
		free(part->at);
		taf_samples_free(&part->samples);
		free_buckets(part, bucket_bytes(part));
		taf_buf_free(&part->file);
		taf_buf_free(&part->word);
		taf_buf_free(&part->names);
		taf_buf_free(&part->name);
	}
	free(p->part);
	for (i = 0; p->panel != NULL && i < p->curves; i++)
		free_axis(&p->panel[i]);
	free(p->panel);
	free_axis(&p->x);
	free_axis(&p->y);
	free_axis(&p->value);
}
