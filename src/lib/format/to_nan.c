/* SPDX-License-Identifier: ISC */
#include "format/to_nan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "array/value.h"
#include "base/str.h"
#include "kernel/number/marks.h"
#include "kernel/number/recode.h"
#include "stream/values.h"

enum { BLOCK = 1024 };		/* elements at a time */

/* An element as the widest of its kind. */
union wide {
	double f;
	int64_t i;
	uint64_t u;
};

struct taf_to_nan {
	struct taf_recode how;		/* elements to floats */
	enum taf_type wide;
	union wide *mark;		/* that are missing */
	size_t nmarks;
	union wide least, most;		/* of those that are not */
	bool has_least, has_most;
};

static bool
below(const struct taf_to_nan *m, const union wide *a, const union wide *b)
{
	return m->wide == TAF_FLT64 ? a->f < b->f : m->wide == TAF_INT64 ? a->i < b->i :
	    a->u < b->u;
}

static bool
same(const struct taf_to_nan *m, const union wide *a, const union wide *b)
{
	return m->wide == TAF_FLT64 ? a->f >= b->f && a->f <= b->f : a->u == b->u;
}

/* The numbers of an attribute that are elements; the others are equal to none. */
static enum taf_status
take(struct taf_to_nan *m, const char *text, union wide **list, size_t *count,
    struct taf_err *e)
{
	const struct taf_recode widen = { .from = m->how.from, .to = m->wide };
	size_t n;

	for (;; text += n + 1) {
		struct taf_str one = { .err = e }, number = { .err = e };
		struct taf_value v;
		union wide *more = realloc(*list, (*count + 1) * sizeof **list);

		if (more == NULL)
			return taf_fail_mem(e);
		*list = more;
		n = strcspn(text, ",");
		taf_str_put(&one, text, n);
		if (one.st == TAF_OK && n > 0 && taf_missing_recode(&number, one.buf.data,
		    &widen) && number.st == TAF_OK &&
		    taf_value_parse(&v, number.buf.data) && taf_convert(&more[*count],
		    m->wide, &v.as, v.type, 1, NULL, false, NULL) == 1)
			++*count;
		taf_str_free(&one);
		taf_str_free(&number);
		if (e->code != TAF_OK || text[n] == '\0')
			return e->code;
	}
}

/* A bound, which is number k of an attribute. */
static enum taf_status
take_bound(struct taf_to_nan *m, const char *text, size_t k, union wide *bound,
    bool *there, struct taf_err *e)
{
	union wide *list = NULL;
	size_t n = 0;
	enum taf_status st = take(m, text, &list, &n, e);

	*there = st == TAF_OK && k < n;
	if (*there)
		*bound = list[k];
	free(list);
	return st;
}

static enum taf_status
take_marks(struct taf_to_nan *m, const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < a->nattrs && st == TAF_OK; i++) {
		const struct taf_attr *t = &a->attrs[i];
		const char *name = taf_missing_is(t) ? taf_missing_tail(t->key) : NULL;
		const bool range = name != NULL && strcmp(name, "valid_range") == 0;

		if (name == NULL)
			continue;
		if (range || strcmp(name, "valid_min") == 0)
			st = take_bound(m, t->value, 0, &m->least, &m->has_least, e);
		if (st == TAF_OK && (range || strcmp(name, "valid_max") == 0))
			st = take_bound(m, t->value, range, &m->most, &m->has_most, e);
		if (strncmp(name, "valid", 5) != 0)
			st = take(m, t->value, &m->mark, &m->nmarks, e);
	}
	return st;
}

/* An element that marks others. */
static enum taf_status
take_element(struct taf_to_nan *m, const void *element, struct taf_err *e)
{
	m->mark = calloc(1, sizeof *m->mark);
	if (m->mark == NULL)
		return taf_fail_mem(e);
	m->nmarks = 1;
	(void)taf_convert(m->mark, m->wide, element, m->how.from, 1, NULL, false, NULL);
	return TAF_OK;
}

/* Floats that hold all elements exactly, or their values. */
static enum taf_type
becomes(const struct taf_array *a)
{
	const struct taf_type_facts *facts = taf_type_facts(a->type);

	if (taf_array_mapped(a))
		return TAF_FLT64;
	return facts->kind == TAF_FLOAT ? a->type :
	    taf_type_size(a->type) <= 2 ? TAF_FLT32 : TAF_FLT64;
}

enum taf_status
taf_to_nan_plan(struct taf_to_nan **result, struct taf_array *a, const char *key,
    const void *fill, struct taf_err *e)
{
	struct taf_to_nan *m = calloc(1, sizeof *m);
	const enum taf_type to = becomes(a);
	enum taf_status st;

	*result = m;
	if (m == NULL)
		return taf_fail_mem(e);
	st = taf_values_plan(&m->how, a, to, false, false, e);
	m->wide = taf_type_facts(a->type)->kind == TAF_FLOAT ? TAF_FLT64 :
	    taf_type_facts(a->type)->kind == TAF_SIGNED ? TAF_INT64 : TAF_UINT64;
	if (st == TAF_OK && fill != NULL)
		st = take_element(m, fill, e);
	if (st == TAF_OK)
		st = take_marks(m, a, e);
	if (st != TAF_OK)
		return st;
	a->type = to;
	taf_array_unmap(a);
	if (taf_missing_drop(a, e) != TAF_OK || (m->nmarks == 0 && !m->has_least &&
	    !m->has_most))
		return e->code;
	return taf_missing_set(a, key, "nan", e);
}

static bool
is_missing(const struct taf_to_nan *m, const union wide *x)
{
	size_t k;

	if ((m->has_least && below(m, x, &m->least)) ||
	    (m->has_most && below(m, &m->most, x)))
		return true;
	for (k = 0; k < m->nmarks; k++)
		if (same(m, x, &m->mark[k]))
			return true;
	return false;
}

static void
set_nan(void *to, enum taf_type type, size_t k)
{
	const float narrow = NAN;
	const double value = NAN;

	if (type == TAF_FLT32)
		memcpy((float *)to + k, &narrow, sizeof narrow);
	else
		memcpy((double *)to + k, &value, sizeof value);
}

void
taf_to_nan(const struct taf_to_nan *m, void *to, void *from, size_t n,
    struct taf_convert_count *lost)
{
	const size_t size = taf_type_size(m->how.from), wide = taf_type_size(m->how.to);
	unsigned char *p = from, *q = to;
	union wide value[BLOCK];
	bool missing[BLOCK];
	size_t some, k;

	for (; n > 0; n -= some, p += some * size, q += some * wide) {
		some = n < BLOCK ? n : BLOCK;
		(void)taf_convert(value, m->wide, p, m->how.from, some, NULL, false,
		    NULL);
		/* what is missing loses nothing by it */
		for (k = 0; k < some; k++) {
			missing[k] = is_missing(m, &value[k]);
			if (missing[k])
				memset(p + k * size, 0, size);
		}
		(void)taf_recode(&m->how, q, p, some, lost);
		for (k = 0; k < some; k++)
			if (missing[k])
				set_nan(q, m->how.to, k);
	}
}

void
taf_to_nan_free(struct taf_to_nan *m)
{
	if (m != NULL)
		free(m->mark);
	free(m);
}
