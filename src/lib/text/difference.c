/* SPDX-License-Identifier: ISC */
#include "text/difference.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "codec/escape.h"
#include "text/describe.h"

/* Facts of headers that differ, one after the other. */
struct facts {
	struct taf_str *to;	/* NULL: they are counted alone */
	bool json;
	unsigned count;
};

/* A fact by its name, with both values for people to read unless they are NULL. */
static void
put_fact(struct facts *f, const char *name, const char *a, const char *b)
{
	if (f->count++ > 0 && f->to != NULL)
		taf_str_puts(f->to, f->json ? "," : "; ");
	if (f->to == NULL)
		return;
	if (f->json) {
		taf_str_json(f->to, name, strlen(name));
		return;
	}
	taf_str_safe(f->to, name, strlen(name));
	if (a != NULL)
		taf_str_printf(f->to, " %s and %s", a, b);
}

/* The same of numbers, where they are not the same. */
static void
put_number(struct facts *f, const char *name, double a, double b)
{
	if (!taf_same_bits(a, b) && (a == a || b == b))
		put_fact(f, name, taf_f64(a).s, taf_f64(b).s);
}

static void
put_grid(struct facts *f, const struct taf_array *a, const struct taf_array *b)
{
	char name[32];
	unsigned k;

	for (k = 0; k < a->ndim && k < b->ndim; k++) {
		(void)snprintf(name, sizeof name, "o%u", k + 1);
		put_number(f, name, a->dim[k].start, b->dim[k].start);
		(void)snprintf(name, sizeof name, "d%u", k + 1);
		put_number(f, name, a->dim[k].step, b->dim[k].step);
	}
}

/* Attributes of a that b has not, or, with the others, that have another value. */
static void
put_attributes(struct facts *f, const struct taf_array *a, const struct taf_array *b,
    bool others)
{
	struct taf_str name = { .err = f->to != NULL ? f->to->err : NULL };
	size_t i;

	for (i = 0; i < a->nattrs; i++) {
		const struct taf_attr *t = &a->attrs[i];
		const char *value = taf_attr_get(b, t->key, t->scope, t->index);

		if (value == NULL ? false : !others || strcmp(value, t->value) == 0)
			continue;
		if (f->to == NULL) {
			f->count++;
			continue;
		}
		name.buf.len = 0;
		taf_str_puts(&name, t->key);
		taf_scope_format(&name, t);
		if (name.st == TAF_OK)
			put_fact(f, name.buf.data, NULL, NULL);
	}
	if (f->to != NULL && f->to->st == TAF_OK)
		f->to->st = name.st;
	taf_str_free(&name);
}

static void
put_header(struct facts *f, const struct taf_array *a, const struct taf_array *b)
{
	const bool mapped = taf_array_mapped(a) || taf_array_mapped(b);

	if (a->type != b->type)
		put_fact(f, "type", taf_type_name(a->type), taf_type_name(b->type));
	if (mapped && taf_array_mapped(a) != taf_array_mapped(b))
		put_fact(f, "mapping", NULL, NULL);
	else if (mapped) {
		put_number(f, "intercept", a->intercept, b->intercept);
		put_number(f, "slope", a->slope, b->slope);
	}
	put_number(f, "code", a->code, b->code);
	put_number(f, "ndim", a->ndim, b->ndim);
	put_grid(f, a, b);
	if (a->comment.len != b->comment.len ||
	    (a->comment.len > 0 && memcmp(a->comment.data, b->comment.data,
	    a->comment.len) != 0))
		put_fact(f, "comment", NULL, NULL);
	put_attributes(f, a, b, true);
	put_attributes(f, b, a, false);
}

static unsigned
count_header(const struct taf_compared *c)
{
	struct facts f = { NULL, false, 0 };

	if (c->header)
		put_header(&f, c->a[0], c->a[1]);
	return f.count;
}

bool
taf_compared_equal(const struct taf_compared *c)
{
	return !c->shapes && !c->kinds && c->d->count == 0 && count_header(c) == 0;
}

/*
 * A value, which lies at p as one of the types of a struct taf_compare; single: a flt32.
 */
static void
put_value(struct taf_str *to, enum taf_type type, const unsigned char *p, bool json)
{
	double v[2];
	uint64_t bits;

	memcpy(v, p, sizeof v);
	memcpy(&bits, p, sizeof bits);
	if (type == TAF_INT64) {
		taf_str_i64(to, (int64_t)bits);
	} else if (type == TAF_UINT64) {
		taf_str_u64(to, bits);
	} else if (type == TAF_FLT64) {
		taf_describe_number(v[0], json, to);
	} else {
		taf_str_puts(to, json ? "[" : "");
		taf_describe_number(v[0], json, to);
		taf_str_puts(to, json ? "," : " ");
		taf_describe_number(v[1], json, to);
		taf_str_puts(to, json ? "]" : "");
	}
}

/* The indices of element number at, from 1, or its coordinates. */
static void
put_place(struct taf_str *to, const struct taf_array *a, uint64_t at, bool grid,
    bool json)
{
	unsigned k;

	for (k = 0; k < a->ndim; k++) {
		const struct taf_dim *d = &a->dim[k];
		const uint64_t i = at % d->n;

		at /= d->n;
		taf_str_puts(to, k == 0 ? "" : grid && !json ? ", " : ",");
		if (grid)
			taf_describe_number(d->start + (double)i * d->step, json, to);
		else
			taf_str_u64(to, i + 1);
	}
}

static void
put_largest(const struct taf_compared *c, struct taf_str *to, bool json)
{
	const struct taf_difference *d = c->d;

	if (!d->measured)
		taf_str_puts(to, json ? "null" : "nan");
	else if (d->whole > 0 && !d->beyond)
		taf_str_u64(to, d->whole);
	else
		taf_describe_number(d->largest, json, to);
}

static void
put_values(const struct taf_compared *c, struct taf_str *to)
{
	const struct taf_difference *d = c->d;

	taf_str_printf(to, "%llu of %llu values differ, by ",
	    (unsigned long long)d->count, (unsigned long long)taf_array_count(c->a[0]));
	put_largest(c, to, false);
	taf_str_puts(to, " at most; the first at [");
	put_place(to, c->a[0], d->first, false, false);
	taf_str_puts(to, "], grid (");
	put_place(to, c->a[0], d->first, true, false);
	taf_str_puts(to, "): ");
	put_value(to, c->how->type[0], d->value[0], false);
	taf_str_puts(to, " and ");
	put_value(to, c->how->type[1], d->value[1], false);
}

void
taf_compared_words(const struct taf_compared *c, struct taf_str *to)
{
	struct facts f = { to, false, 0 };

	if (c->number > 0)
		taf_str_printf(to, "array %llu: ", (unsigned long long)c->number);
	if (c->shapes) {
		taf_str_puts(to, "shape ");
		taf_array_lengths(c->a[0], to);
		taf_str_puts(to, " and ");
		taf_array_lengths(c->a[1], to);
	} else if (c->kinds) {
		taf_str_printf(to, "%s and %s: real values and complex ones",
		    taf_type_name(c->a[0]->type), taf_type_name(c->a[1]->type));
	} else if (c->d->count > 0) {
		put_values(c, to);
	}
	f.count = c->shapes || c->kinds || c->d->count > 0;
	if (c->header)
		put_header(&f, c->a[0], c->a[1]);
}

void
taf_compared_json(const struct taf_compared *c, struct taf_str *to)
{
	const bool values = !c->shapes && !c->kinds, some = values && c->d->count > 0;
	struct facts f = { to, true, 0 };
	unsigned k;

	taf_str_printf(to, "{\"array\":%llu,\"equal\":%s,\"shapes\":[[",
	    (unsigned long long)(c->number > 0 ? c->number : 1),
	    taf_compared_equal(c) ? "true" : "false");
	taf_array_lengths(c->a[0], to);
	taf_str_puts(to, "],[");
	taf_array_lengths(c->a[1], to);
	taf_str_printf(to, "]],\"types\":[\"%s\",\"%s\"],\"count\":",
	    taf_type_name(c->a[0]->type), taf_type_name(c->a[1]->type));
	if (values)
		taf_str_printf(to, "%llu,\"different\":%llu",
		    (unsigned long long)taf_array_count(c->a[0]),
		    (unsigned long long)c->d->count);
	else
		taf_str_puts(to, "null,\"different\":null");
	if (some) {
		taf_str_puts(to, ",\"largest\":");
		put_largest(c, to, true);
		taf_str_puts(to, ",\"first\":[");
		put_place(to, c->a[0], c->d->first, false, true);
		taf_str_puts(to, "],\"coordinates\":[");
		put_place(to, c->a[0], c->d->first, true, true);
		taf_str_puts(to, "],\"values\":[");
		for (k = 0; k < 2; k++) {
			taf_str_puts(to, k > 0 ? "," : "");
			put_value(to, c->how->type[k], c->d->value[k], true);
		}
		taf_str_puts(to, "]");
	}
	if (c->header) {
		taf_str_puts(to, ",\"header\":[");
		put_header(&f, c->a[0], c->a[1]);
		taf_str_puts(to, "]");
	}
	taf_str_puts(to, "}");
}
