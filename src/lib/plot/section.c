/* SPDX-License-Identifier: ISC */
/* link: m */
#include "plot/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

bool
taf_section_is(const struct taf_plot_how *how, const struct taf_array *a, unsigned x)
{
	const char *label = taf_attr_get(a, "label", TAF_OF_DIM, 1);

	return how->wiggle || (how->image && x == 0 && label != NULL &&
	    strcmp(label, "Time") == 0 &&
	    taf_attr_get(a, "segy/format", TAF_OF_ARRAY, 0) != NULL);
}

void
taf_section_exchange(struct taf_plot_axis *x, struct taf_plot_axis *y)
{
	const struct taf_plot_axis time = *x;

	*x = *y;
	*y = time;
	y->down = true;
}

enum taf_status
taf_section_turn(struct taf_plot_part *part, const struct taf_bucket *from,
    struct taf_err *e)
{
	const size_t traces = part->curves, samples = part->buckets;
	uint64_t *edge = taf_alloc(traces + 1, sizeof *edge);
	size_t i, j;

	if (edge == NULL)
		return taf_fail_mem(e);
	for (j = 0; j <= traces; j++)
		edge[j] = taf_plot_row_edge(part, j);
	for (j = 0; j < traces; j++)
		for (i = 0; i < samples; i++)
			part->bucket[i * traces + j] = *from++;
	free(part->edge);
	part->edge = edge;
	part->curves = samples;
	part->buckets = traces;
	taf_section_exchange(&part->x, &part->y);
	return TAF_OK;
}

double
taf_section_far(const struct taf_plot *p)
{
	return p->x.dim > 0 && p->x.step != 0 ? fabs(p->x.step) : 1;
}

void
taf_section_range(struct taf_plot *p)
{
	p->x.lo = fmin(p->x.start, taf_plot_grid(&p->x, p->x.n - 1)) -
	    taf_section_far(p);
	p->x.hi = p->x.lo + taf_section_far(p) * (double)(p->x.n + 1);
}

double
taf_section_base(const struct taf_plot *p, size_t trace)
{
	return taf_plot_grid(&p->x, trace);
}

void
taf_section_points(const struct taf_plot *p, size_t trace, struct taf_plot_point *to,
    size_t n)
{
	const double base = taf_section_base(p, trace), far = taf_section_far(p);
	size_t i;

	for (i = 0; i < n; i++) {
		const double v = to[i].y / p->value.hi, time = to[i].x;

		to[i].y = v == v ? time : NAN;
		to[i].x = base + far * (v < -1 ? -1 : v > 1 ? 1 : v);
	}
}
