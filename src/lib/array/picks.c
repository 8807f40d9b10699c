/* SPDX-License-Identifier: ISC */
#include "array/picks.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"

/* N or N-M; a sign of its own may stand before each. */
static bool
parse_one(const char *s, size_t n, struct taf_pick *p)
{
	const char *dash = n > 1 ? memchr(s + 1, '-', n - 1) : NULL;
	const size_t first = dash != NULL ? (size_t)(dash - s) : n;

	if (!taf_parse_i64(s, first, &p->from))
		return false;
	p->to = p->from;
	return dash == NULL || taf_parse_i64(dash + 1, n - first - 1, &p->to);
}

enum taf_status
taf_picks_parse(struct taf_picks *p, const char *list, struct taf_err *e)
{
	size_t most = 1, len;
	const char *s;

	for (s = list; *s != '\0'; s++)
		most += *s == ',';
	p->item = taf_alloc(most, sizeof *p->item);
	if (p->item == NULL)
		return taf_fail_mem(e);
	for (s = list; p->n < most; s += len + 1) {
		len = strcspn(s, ",");
		if (!parse_one(s, len, &p->item[p->n++]))
			return taf_fail(e, TAF_EUSAGE,
			    "%s: not a list of arrays, as 1-3,7,-2", list);
	}
	return TAF_OK;
}

bool
taf_picks_forward(const struct taf_picks *p)
{
	int64_t last = 0;
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (p->item[i].from <= last || p->item[i].to < p->item[i].from)
			return false;
		last = p->item[i].to;
	}
	return true;
}

/* The array, from 0, that a number names. */
static enum taf_status
find(int64_t number, uint64_t count, uint64_t *at, struct taf_err *e)
{
	/* 1 - number, without what is too small to be turned round */
	const uint64_t behind = UINT64_C(1) - (uint64_t)number;

	if (number > 0 ? (uint64_t)number > count : behind > count)
		return taf_fail(e, TAF_EDATA, "array %lld is wanted, but there are %llu",
		    (long long)number, (unsigned long long)count);
	*at = number > 0 ? (uint64_t)number - 1 : count - behind;
	return TAF_OK;
}

enum taf_status
taf_picks_points(const struct taf_picks *p, uint64_t count, struct taf_points *points,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	uint64_t from = 0, to = 0;
	size_t i;

	for (i = 0; i < p->n && st == TAF_OK; i++)
		if (find(p->item[i].from, count, &from, e) != TAF_OK ||
		    find(p->item[i].to, count, &to, e) != TAF_OK)
			st = e->code;
		else if (from <= to)
			st = taf_points_add(points, from, 1, to - from + 1, e);
		else
			st = taf_points_add(points, from, -1, from - to + 1, e);
	return st;
}

void
taf_picks_free(struct taf_picks *p)
{
	free(p->item);
	*p = (struct taf_picks){ 0 };
}
