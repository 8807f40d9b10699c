/* SPDX-License-Identifier: ISC */
#include "op/line/places.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "kernel/line/spline.h"

/* Note which are NaN: each gets the place in front of it, or that of the first. */
static enum taf_status
fill(struct taf_places *p, uint64_t bound, struct taf_err *e)
{
	double *const v = p->values.v;
	uint64_t i = 0, first = 0;
	bool *nowhere;
	double last;

	while (i < p->n && !isnan(v[i]))
		i++;
	if (i == p->n)
		return TAF_OK;
	if (taf_store_grow(&p->nowhere, p->n, sizeof *nowhere, bound, e) != TAF_OK)
		return e->code;
	nowhere = p->nowhere.p;
	while (first < p->n && isnan(v[first]))
		first++;
	last = first < p->n ? v[first] : 0;
	for (i = 0; i < p->n; i++) {
		nowhere[i] = isnan(v[i]);
		v[i] = last = nowhere[i] ? last : v[i];
	}
	return TAF_OK;
}

static int
way(const double *v, uint64_t n)
{
	bool up = true, down = true;
	uint64_t i;

	for (i = 1; i < n; i++) {
		up = up && v[i] >= v[i - 1];
		down = down && v[i] <= v[i - 1];
	}
	return up ? 1 : down ? -1 : 0;
}

/* Each is finite, and they ascend or descend strictly. */
static enum taf_status
strict(const struct taf_places *p, struct taf_err *e)
{
	const double *v = p->values.v;
	const bool *nowhere = p->nowhere.p;
	uint64_t i;

	for (i = 0; i < p->n; i++)
		if ((nowhere != NULL && nowhere[i]) || !taf_is_finite(v[i]))
			return taf_fail(e, TAF_EDATA, "row %llu: place %s is not finite",
			    (unsigned long long)i + 1, nowhere != NULL && nowhere[i] ?
			    "nan" : taf_brief(v[i]).s);
	for (i = 1; i < p->n; i++)
		if (v[i] == v[i - 1] || (v[i] > v[i - 1]) != (v[1] > v[0]))
			return taf_fail(e, TAF_EDATA,
			    "row %llu: place %s behind %s: all must ascend, or descend",
			    (unsigned long long)i + 1, taf_brief_beside(v[i], v[i - 1]).s,
			    taf_brief_beside(v[i - 1], v[i]).s);
	return taf_is_finite(v[p->n - 1] - v[0]) ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "row %llu: place %s is too far from %s", (unsigned long long)p->n,
	    taf_brief(v[p->n - 1]).s, taf_brief(v[0]).s);
}

static enum taf_status
even_enough(const struct taf_places *p, struct taf_err *e)
{
	const uint64_t i = taf_spline_breaks(p->values.v, p->n);

	return i == p->n ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "row %llu: distances change too much there for cubic splines",
	    (unsigned long long)i + 1);
}

enum taf_status
taf_places_read(struct taf_places *p, const char *file, bool points, bool spline,
    uint64_t bound, struct taf_err *e)
{
	enum taf_status st = taf_tabular_line(file, "places", bound, &p->values, e);

	p->file = file;
	if (st == TAF_OK) {
		p->n = taf_array_count(&p->values.a);
		st = fill(p, bound / 8, e);
	}
	if (st == TAF_OK && points)
		st = strict(p, e);
	if (st == TAF_OK && spline)
		st = even_enough(p, e);
	if (st != TAF_OK) {
		taf_err_name(e, file);
		taf_places_free(p);
		return st;
	}
	p->table.at = p->values.v;
	p->table.nowhere = p->nowhere.p;
	p->table.way = way(p->values.v, p->n);
	return TAF_OK;
}

uint64_t
taf_places_memory(const struct taf_places *p)
{
	return (p->values.store.mapped ? 0 : p->values.store.size) +
	    (p->nowhere.mapped ? 0 : p->nowhere.size);
}

void
taf_places_free(struct taf_places *p)
{
	taf_tabular_free(&p->values);
	taf_store_free(&p->nowhere);
	memset(p, 0, sizeof *p);
}
