/* SPDX-License-Identifier: ISC */
#include "array/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"

enum { LONGEST = 1024 * 1024 };	/* bytes of a list of names */

/* How many names it has; 0 if there is no list of them, and one is of the whole array. */
static uint64_t
count_of(const char *list)
{
	uint64_t names = 1;

	if (list == NULL)
		return 0;
	for (; *list != '\0'; list++)
		names += *list == ',';
	return names;
}

static const char *
channel(const struct taf_array *a)
{
	return taf_attr_get(a, "channel", TAF_OF_ARRAY, 0);
}

const char *
taf_columns_list(const struct taf_array *a, uint64_t n)
{
	return count_of(channel(a)) == n ? channel(a) : NULL;
}

enum taf_status
taf_columns_find(const struct taf_array *a, unsigned dim, const char *name, uint64_t *at,
    struct taf_err *e)
{
	const char *const list = dim == 2 ? taf_columns_list(a, a->dim[1].n) : NULL;
	const size_t n = strcspn(name, ",");
	const char *p = list;
	size_t len;

	if (list == NULL)
		return taf_fail(e, dim == 2 ? TAF_EDATA : TAF_EUSAGE,
		    "dimension %u: no point is called %.*s: they have no names", dim,
		    (int)n, name);
	for (*at = 0; *at < a->dim[1].n; ++*at, p += len + 1) {
		len = strcspn(p, ",");
		if (len == n && memcmp(p, name, n) == 0)
			return TAF_OK;
	}
	return taf_fail(e, TAF_EDATA,
	    "dimension %u: no point is called %.*s: there are %.200s", dim, (int)n, name,
	    list);
}

/* Of dimension 2, and of an array without one. */
static uint64_t
points(const struct taf_array *a)
{
	return a->ndim > 1 ? a->dim[1].n : 1;
}

void
taf_columns_drop(struct taf_array *a)
{
	struct taf_err none = { 0 };
	enum taf_status st = TAF_OK;

	if (count_of(channel(a)) > 1)
		st = taf_attr_set(a, "channel", TAF_OF_ARRAY, 0, NULL, &none);
	/* what is taken away cannot fail */
	(void)st;
}

void
taf_columns_settle(struct taf_array *a, const struct taf_array *from)
{
	if (points(a) != points(from) && count_of(channel(a)) != points(a))
		taf_columns_drop(a);
}

/* Where each of n names begins, and what is behind the last. */
static const char **
split(const char *list, uint64_t n)
{
	const char **at = taf_alloc((size_t)n + 1, sizeof *at);
	uint64_t k;

	if (at == NULL)
		return NULL;
	for (k = 0; k < n; k++) {
		at[k] = list;
		list += strcspn(list, ",") + 1;
	}
	at[n] = list;
	return at;
}

/* The point of the input that is point k of the result. */
static uint64_t
source(const struct taf_points *p, uint64_t k)
{
	const struct taf_point_run *r = &p->run[taf_points_find(p, k)];

	return r->from == TAF_POINT_NEW ? r->from :
	    r->from + (k - r->at) * (uint64_t)r->step;
}

enum taf_status
taf_columns_pick(struct taf_array *a, const struct taf_array *from,
    const struct taf_points *p, struct taf_err *e)
{
	const uint64_t n = points(from);
	const char *const list = channel(a);
	const char **at;
	struct taf_str to = { .err = e };
	enum taf_status st;
	bool all = true;
	uint64_t k, i;

	if (p->runs == 0 || count_of(list) < 2)
		return TAF_OK;
	if (count_of(list) != n) {
		taf_columns_drop(a);
		return TAF_OK;
	}
	at = split(list, n);
	if (at == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < p->count && all && to.st == TAF_OK; k++) {
		i = source(p, k);
		all = i != TAF_POINT_NEW && to.buf.len < LONGEST;
		if (!all)
			break;
		taf_str_puts(&to, k > 0 ? "," : "");
		taf_str_put(&to, at[i], (size_t)(at[i + 1] - at[i]) - 1);
	}
	st = to.st != TAF_OK ? to.st :
	    taf_attr_set(a, "channel", TAF_OF_ARRAY, 0, all ? to.buf.data : NULL, e);
	taf_str_free(&to);
	free(at);
	return st;
}
