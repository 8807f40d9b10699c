/* SPDX-License-Identifier: ISC */
/* The values of an array, into the buckets of a plot. */
/* link: m */
#include "plot/filling.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "kernel/stat/reduce.h"
#include "stream/select.h"

/* Which row of the image a column of the array goes to, as cut_evenly would. */
static size_t
row_of(const struct taf_plot_part *p, uint64_t j)
{
	const uint64_t whole = p->y.n / p->curves, rest = p->y.n % p->curves;
	uint64_t k = j / (whole + (rest > 0));

	while (k + 1 < p->curves && taf_plot_row_edge(p, (size_t)k + 1) <= j)
		k++;
	return (size_t)k;
}

/* n elements to an accumulator of doubles. */
static void
add_values(const struct taf_reduce *how, uint64_t *acc, const void *values,
    const struct taf_array *a, size_t n)
{
	const double mapping[] = { a->intercept, a->slope };
	const unsigned char *at = values;
	double v[2048];
	size_t i, some;

	for (i = 0; i < n; i += some) {
		some = n - i < 2048 ? n - i : 2048;
		(void)taf_convert(v, TAF_FLT64, at + i * taf_type_size(a->type), a->type,
		    some, taf_array_mapped(a) ? mapping : NULL, true, NULL);
		taf_reduce_add(how, acc, &(struct taf_patch){ v, 1, some, 1, 1, 0 },
		    NULL);
	}
}

/* Where values of the last part go, as they come. */
struct filling {
	struct taf_plot *p;
	const struct taf_plot_part *part;
	struct taf_envelope x;
	struct taf_envelope lower, upper;	/* of bands */
	uint64_t line;			/* columns of the array that are done */
	double tuple[3];		/* numbers of a point, as far as they are there */
	unsigned rows, have;		/* so many of so many */
};

/* Space for m elements of the line that is being read; a line that is full ends. */
static size_t
left_of_line(struct filling *f, size_t m)
{
	const struct taf_plot_part *part = f->part;
	size_t row;

	if (f->x.at == part->x.n) {
		f->line++;
		row = f->p->image ? row_of(part, f->line) : (size_t)f->line;
		taf_envelope_again(&f->x, part->bucket + row * part->buckets);
		if (part->banded) {
			row += part->curves;
			taf_envelope_again(&f->lower, part->bucket + row * part->buckets);
			row += part->curves;
			taf_envelope_again(&f->upper, part->bucket + row * part->buckets);
		}
	}
	return m < part->x.n - f->x.at ? m : (size_t)(part->x.n - f->x.at);
}

static void
fill(struct filling *f, const struct taf_array *a, const void *values, size_t n)
{
	const double mapping[] = { a->intercept, a->slope };
	const unsigned char *at = values;
	size_t some;

	for (; n > 0; n -= some, at += some * taf_type_size(a->type)) {
		some = left_of_line(f, n);
		taf_envelope_add(&f->x, at, a->type, some,
		    taf_array_mapped(a) ? mapping : NULL);
	}
}

enum { BLOCK = 1024 };

/* Some points whose numbers came one behind the other. */
struct points {
	double x[BLOCK], value[BLOCK], lower[BLOCK], upper[BLOCK];
	size_t n;
};

static void
fill_points(struct filling *f, const struct points *new)
{
	const struct taf_plot_part *part = f->part;
	size_t i, some;

	for (i = 0; i < new->n; i += some) {
		some = left_of_line(f, new->n - i);
		if (part->at != NULL)
			memcpy(part->at + f->line * part->x.n + f->x.at, new->x + i,
			    some * sizeof *new->x);
		taf_envelope_add(&f->x, new->value + i, TAF_FLT64, some, NULL);
		if (!part->banded)
			continue;
		taf_envelope_add(&f->lower, new->lower + i, TAF_FLT64, some, NULL);
		taf_envelope_add(&f->upper, new->upper + i, TAF_FLT64, some, NULL);
	}
}

/* One point: what has no uncertainty has no band, and what has no x is a gap. */
static void
add_point(struct filling *f, struct points *to)
{
	const double *const t = f->tuple, half = fabs(t[f->rows - 1]) * f->p->band;
	const bool xy = f->p->xy, has = taf_is_finite(half);
	double v = t[xy];

	if (xy && f->p->x.log && t[0] <= 0) {
		f->p->dropped_x++;
		v = NAN;
	} else if (xy && !taf_is_finite(t[0])) {
		v = t[0];
	}
	to->x[to->n] = t[0];
	to->value[to->n] = v;
	to->lower[to->n] = has ? v - half : NAN;
	to->upper[to->n++] = has ? v + half : NAN;
}

/* Elements are the numbers of one point, then of the next. */
static void
fill_tuples(struct filling *f, const struct taf_array *a, const void *values, size_t n)
{
	const double mapping[] = { a->intercept, a->slope };
	const unsigned char *at = values;
	struct points new;
	double v[BLOCK];
	size_t i, some;

	for (; n > 0; n -= some, at += some * taf_type_size(a->type)) {
		some = n < BLOCK ? n : BLOCK;
		(void)taf_convert(v, TAF_FLT64, at, a->type, some,
		    taf_array_mapped(a) ? mapping : NULL, true, NULL);
		for (new.n = 0, i = 0; i < some; i++) {
			f->tuple[f->have++] = v[i];
			if (f->have == f->rows)
				add_point(f, &new);
			f->have %= f->rows;
		}
		fill_points(f, &new);
	}
}

/* The horizontal axis of x against y goes as far as what is drawn. */
static void
find_x(struct taf_plot_part *part)
{
	double lo = INFINITY, hi = -INFINITY;
	size_t i;

	for (i = 0; i < part->curves * part->buckets; i++)
		if (part->bucket[i].any) {
			lo = part->at[i] < lo ? part->at[i] : lo;
			hi = part->at[i] > hi ? part->at[i] : hi;
		}
	if (lo <= hi)
		taf_plot_set_range(&part->x, lo, hi);
	else
		part->x.lo = part->x.hi = 1;
}

enum taf_status
taf_plot_read(struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_region *region, const struct taf_service *service,
    struct taf_reader *r, const struct taf_array *a, struct taf_err *e)
{
	struct taf_plot_part *part = &p->part[p->parts - 1];
	const size_t edges = part->curves * part->buckets;
	struct filling f = { .p = p, .part = part, .x = { .edge = part->edge,
		.bucket = part->bucket, .n = part->buckets, .positive = p->value.log },
		.rows = taf_plot_rows(how) };
	struct taf_reduce mean = { .type = TAF_FLT64, .finite = true };
	uint64_t acc[TAF_TOTAL_WORDS];
	struct taf_select *s = NULL;
	enum taf_status st;

	f.lower = f.upper = f.x;
	if (part->banded) {
		f.lower.bucket += edges;
		f.upper.bucket += 2 * edges;
	}
	taf_reduce_plan(&mean, &(struct taf_reduction){ .op = TAF_OP_MEAN }, 1);
	taf_reduce_clear(&mean, acc);
	st = how->samples ? taf_samples_begin(&part->samples, a, e) : TAF_OK;
	if (st == TAF_OK)
		st = taf_select_open(&s, r, a, region, e);
	while (st == TAF_OK) {
		const void *values;
		size_t n;

		st = taf_select_read(s, &values, &n, e);
		if (st != TAF_OK || n == 0)
			break;
		if (how->samples)
			st = taf_samples_add(&part->samples, a, values, n, e);
		if (p->image)
			add_values(&mean, acc, values, a, n);
		if (f.rows > 1)
			fill_tuples(&f, a, values, n);
		else
			fill(&f, a, values, n);
		taf_progress(service,
		    taf_array_bytes(a) - taf_reader_left(r) * taf_type_size(a->type),
		    taf_array_bytes(a));
	}
	taf_select_close(s);
	p->mean = p->section ? 0 : taf_reduce_number(&mean, acc, TAF_OP_MEAN);
	p->nan += f.x.nan;
	p->inf += f.x.inf;
	p->dropped += f.x.dropped;
	if (st != TAF_OK || part->at == NULL)
		return st;
	find_x(part);
	if (p->parts == 1) {
		p->x.lo = part->x.lo;
		p->x.hi = part->x.hi;
	}
	return TAF_OK;
}
