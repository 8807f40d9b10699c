#include "format/hdf_missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "base/str.h"
#include "kernel/number/convert.h"
#include "kernel/number/recode.h"
#include "stream/marks.h"
#include "stream/values.h"

enum { BLOCK = 4096 };		/* elements at a time */

/* An element as the widest of its kind. */
union wide {
	double f;
	int64_t i;
	uint64_t u;
};

struct taf_hdf_missing {
	struct taf_in *in;
	struct taf_recode how;		/* elements to floats */
	enum taf_type wide;
	union wide *mark;		/* that are missing */
	size_t nmarks;
	union wide least, most;		/* of those that are not */
	bool has_least, has_most;
	struct taf_convert_count lost;
	uint64_t left;
	unsigned char from[BLOCK * 8], to[BLOCK * 8];
	union wide value[BLOCK];
	bool missing[BLOCK];
	size_t filled, used;		/* bytes of to */
};

static bool
below(const struct taf_hdf_missing *m, const union wide *a, const union wide *b)
{
	return m->wide == TAF_FLT64 ? a->f < b->f : m->wide == TAF_INT64 ? a->i < b->i :
	    a->u < b->u;
}

static bool
same(const struct taf_hdf_missing *m, const union wide *a, const union wide *b)
{
	return m->wide == TAF_FLT64 ? a->f >= b->f && a->f <= b->f : a->u == b->u;
}

/* The numbers of an attribute that are elements; the others are equal to none. */
static enum taf_status
take(struct taf_hdf_missing *m, const char *text, union wide **list, size_t *count,
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
take_bound(struct taf_hdf_missing *m, const char *text, size_t k, union wide *bound,
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
take_marks(struct taf_hdf_missing *m, const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < a->nattrs && st == TAF_OK; i++) {
		const struct taf_attr *t = &a->attrs[i];
		const char *name = t->key + strlen(TAF_MISSING_KEY);
		const bool range = taf_missing_is(t) && strcmp(name, "valid_range") == 0;

		if (!taf_missing_is(t))
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
taf_hdf_missing_plan(struct taf_hdf_missing **result, struct taf_array *a,
    struct taf_err *e)
{
	struct taf_hdf_missing *m = calloc(1, sizeof *m);
	const enum taf_type to = becomes(a);
	enum taf_status st;

	*result = m;
	if (m == NULL)
		return taf_fail_mem(e);
	st = taf_values_plan(&m->how, a, to, false, false, e);
	m->wide = taf_type_facts(a->type)->kind == TAF_FLOAT ? TAF_FLT64 :
	    taf_type_facts(a->type)->kind == TAF_SIGNED ? TAF_INT64 : TAF_UINT64;
	if (st == TAF_OK)
		st = take_marks(m, a, e);
	if (st != TAF_OK)
		return st;
	a->type = to;
	taf_array_unmap(a);
	if (taf_missing_drop(a, e) != TAF_OK || (m->nmarks == 0 && !m->has_least &&
	    !m->has_most))
		return e->code;
	return taf_missing_set(a, TAF_MISSING_KEY "_FillValue", "nan", e);
}

static void
set_nan(struct taf_hdf_missing *m, size_t k)
{
	const float narrow = NAN;
	const double value = NAN;

	if (m->how.to == TAF_FLT32)
		memcpy(m->to + k * sizeof narrow, &narrow, sizeof narrow);
	else
		memcpy(m->to + k * sizeof value, &value, sizeof value);
}

static bool
is_missing(const struct taf_hdf_missing *m, const union wide *x)
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

static enum taf_status
fill(struct taf_hdf_missing *m, struct taf_err *e)
{
	const size_t size = taf_type_size(m->how.from), n = m->left < BLOCK ?
	    (size_t)m->left : BLOCK;
	size_t k;

	if (taf_in_read(m->in, m->from, n * size, e) != TAF_OK)
		return e->code;
	if (taf_swap_needed(m->how.from, false))
		taf_swap_elements(m->from, m->how.from, n);
	(void)taf_convert(m->value, m->wide, m->from, m->how.from, n, NULL, false, NULL);
	/* what is missing loses nothing by it */
	for (k = 0; k < n; k++) {
		m->missing[k] = is_missing(m, &m->value[k]);
		if (m->missing[k])
			memset(m->from + k * size, 0, size);
	}
	(void)taf_recode(&m->how, m->to, m->from, n, &m->lost);
	for (k = 0; k < n; k++)
		if (m->missing[k])
			set_nan(m, k);
	if (taf_swap_needed(m->how.to, false))
		taf_swap_elements(m->to, m->how.to, n);
	m->left -= n;
	m->used = 0;
	m->filled = n * taf_type_size(m->how.to);
	return TAF_OK;
}

static enum taf_status
give(void *ctx, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	struct taf_hdf_missing *m = ctx;

	*got = 0;
	if (m->used == m->filled && m->left > 0 && fill(m, e) != TAF_OK)
		return e->code;
	*got = n < m->filled - m->used ? n : m->filled - m->used;
	memcpy(buf, m->to + m->used, *got);
	m->used += *got;
	return TAF_OK;
}

enum taf_status
taf_hdf_missing_open(struct taf_hdf_missing *m, struct taf_in **in, uint64_t count,
    struct taf_err *e)
{
	m->in = *in;
	m->left = count;
	*in = NULL;
	return taf_in_call(in, give, m, taf_in_name(m->in), e);
}

const struct taf_convert_count *
taf_hdf_missing_lost(const struct taf_hdf_missing *m)
{
	return &m->lost;
}

void
taf_hdf_missing_free(struct taf_hdf_missing *m)
{
	if (m == NULL)
		return;
	taf_in_close(m->in);
	free(m->mark);
	free(m);
}
