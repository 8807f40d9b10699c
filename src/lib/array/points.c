/* SPDX-License-Identifier: ISC */
#include "array/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"

/* Does a run of n points follow on the last one, so that they are one? */
static bool
follows(const struct taf_points *p, uint64_t from, int64_t step, uint64_t n)
{
	struct taf_point_run *last = &p->run[p->runs - 1];
	const uint64_t length = p->count - last->at;
	int64_t apart;

	if (last->from == TAF_POINT_NEW || from == TAF_POINT_NEW)
		return last->from == from;
	apart = (int64_t)(from - (last->from + (length - 1) * (uint64_t)last->step));
	if (length > 1 && apart != last->step)
		return false;
	if (n > 1 && apart != step)
		return false;
	last->step = apart;
	return true;
}

enum taf_status
taf_points_add(struct taf_points *p, uint64_t from, int64_t step, uint64_t n,
    struct taf_err *e)
{
	const size_t room = p->room < 4 ? 8 : p->room * 2;
	struct taf_point_run *more;
	uint64_t count;

	if (!taf_add(p->count, n, &count) || count > INT64_MAX)
		return taf_fail(e, TAF_EDATA, "more points than a file can have");
	if (n == 0)
		return TAF_OK;
	if (p->runs > 0 && follows(p, from, step, n)) {
		p->run[p->runs].at = p->count = count;
		return TAF_OK;
	}
	if (p->runs + 2 > p->room) {
		more = room > SIZE_MAX / sizeof *more ? NULL :
		    realloc(p->run, room * sizeof *more);
		if (more == NULL)
			return taf_fail_mem(e);
		p->run = more;
		p->room = room;
	}
	p->run[p->runs++] = (struct taf_point_run){ p->count, from,
	    n > 1 && from != TAF_POINT_NEW ? step : 0 };
	p->run[p->runs] = (struct taf_point_run){ count, TAF_POINT_NEW, 0 };
	p->count = count;
	return TAF_OK;
}

size_t
taf_points_find(const struct taf_points *p, uint64_t i)
{
	size_t lo = 0, hi = p->runs;

	while (hi - lo > 1) {
		const size_t mid = lo + (hi - lo) / 2;

		if (p->run[mid].at <= i)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

enum taf_status
taf_choice_parse(void *to, const char *list, struct taf_err *e)
{
	struct taf_choice *const c = to;
	struct taf_bounds *one = calloc(1, sizeof *one);
	struct taf_err as_bound = { 0 };	/* which nobody has written */
	enum taf_status st = TAF_OK;
	size_t len, most = 1;
	char text[80];
	const char *s;

	for (s = list; *s != '\0'; s++)
		most += *s == ',';
	c->item = taf_alloc(most, sizeof *c->item);
	if (one == NULL || c->item == NULL)
		st = taf_fail_mem(e);
	for (s = list; st == TAF_OK && c->n < most; s += len + 1) {
		len = strcspn(s, ",");
		*one = (struct taf_bounds){ 0 };
		if (len == 0 || len > sizeof text - 3)
			st = taf_fail(e, TAF_EUSAGE, "%s: not a list of indices", list);
		else if (snprintf(text, sizeof text, "1=%.*s", (int)len, s) > 0 &&
		    taf_bounds_index(one, text, &as_bound) != TAF_OK)
			st = taf_fail(e, TAF_EUSAGE, "%.*s: not an index or LO:HI[:STEP]",
			    (int)len, s);
		c->item[c->n] = one->dim[0];
		if (one->dim[0].by_index && one->dim[0].step == 0)
			c->item[c->n].name = s;
		c->n++;
	}
	free(one);
	return st;
}

enum taf_status
taf_choice_points(const struct taf_choice *c, const struct taf_array *a, unsigned dim,
    struct taf_points *p, struct taf_err *e)
{
	struct taf_bounds bounds = { .most = dim };
	struct taf_region r;
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < c->n && st == TAF_OK; i++) {
		bounds.dim[dim - 1] = c->item[i];
		st = taf_bounds_resolve(&bounds, a, &r, e);
		if (st == TAF_OK)
			st = taf_points_add(p, r.first[dim - 1], (int64_t)r.step[dim - 1],
			    r.count[dim - 1], e);
	}
	return st;
}

enum taf_status
taf_points_append(struct taf_points *p, const struct taf_points *from, uint64_t n,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t k;

	for (k = 0; k < from->runs && st == TAF_OK; k++) {
		const struct taf_point_run *r = &from->run[k];
		const uint64_t length = taf_point_run_length(from, k);
		const uint64_t last = r->from + (length - 1) * (uint64_t)r->step;
		const uint64_t most = r->from > last ? r->from : last;

		if (most >= n)
			return taf_fail(e, TAF_EDATA, "point %llu: there are %llu",
			    (unsigned long long)most + 1, (unsigned long long)n);
		st = taf_points_add(p, r->from, r->step, length, e);
	}
	return st;
}

enum taf_status
taf_points_invert(struct taf_points *p, uint64_t n, struct taf_err *e)
{
	unsigned char *chosen = n < SIZE_MAX ? calloc((size_t)n + 1, 1) : NULL;
	enum taf_status st = TAF_OK;
	uint64_t i, length;
	size_t k;

	if (chosen == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < p->runs; k++)
		for (i = 0, length = taf_point_run_length(p, k); i < length; i++)
			chosen[p->run[k].from + i * (uint64_t)p->run[k].step] = 1;
	taf_points_free(p);
	for (i = 0; i < n && st == TAF_OK; i++)
		if (chosen[i] == 0)
			st = taf_points_add(p, i, 1, 1, e);
	free(chosen);
	return st;
}

void
taf_points_free(struct taf_points *p)
{
	free(p->run);
	*p = (struct taf_points){ 0 };
}
