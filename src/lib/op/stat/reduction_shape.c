/* SPDX-License-Identifier: ISC */
#include "op/stat/reduction_private.h"

#include <string.h>

#include "array/unit.h"

bool
taf_reduction_takes(const struct taf_reduction_intent *want, unsigned k)
{
	bool reduced = want->ndims == 0;
	unsigned i;

	for (i = 0; i < want->ndims; i++)
		reduced = reduced || want->dim[i] == k + 1;
	return reduced;
}

struct taf_reduce
taf_reduction_what(const struct taf_reduction_intent *want, const struct taf_array *a)
{
	static const struct taf_reduction summary[] = { { .op = TAF_OP_ARGMIN },
		{ .op = TAF_OP_STD } };
	struct taf_reduce r = { .type = a->type, .mapped = taf_array_mapped(a),
		.finite = want->finite, .mapping = { a->intercept, a->slope } };

	taf_reduce_plan(&r, want->summary ? summary : want->op,
	    want->summary ? 2 : want->nops);
	return r;
}

/* The type of a result by itself; *stored where it keeps type and mapping. */
static enum taf_type
type_of(const struct taf_reduction_intent *want, const struct taf_array *a, unsigned k,
    bool *stored)
{
	const struct taf_reduce r = taf_reduction_what(want, a);
	const enum taf_op op = want->op[k].op;
	const enum taf_type t = taf_reduce_type(&r, op, want->index);

	*stored = taf_op_is_element(op);
	if (taf_type_is_pair(t))
		return taf_type_computed_pair(a->type);
	if (*stored || t != TAF_FLT64 || taf_op_is_place(op))
		return t;
	return taf_type_computed(a->type);
}

/*
 * A type that has the values of both; of int64 and uint64 that is int64, of a pair and a
 * number a pair.
 */
static enum taf_type
widest(enum taf_type a, enum taf_type b)
{
	const struct taf_type_facts *x = taf_type_facts(a), *y = taf_type_facts(b);
	unsigned bits;

	if (a == b)
		return a;
	if (x->kind == TAF_PAIR || y->kind == TAF_PAIR)
		return taf_type_computed_pair(widest(x->component, y->component));
	if (x->kind == TAF_FLOAT || y->kind == TAF_FLOAT) {
		/* of integers, what 24 bits hold */
		const bool fits = (x->kind == TAF_FLOAT ? x->bits == 32 : x->bits <=
		    16) && (y->kind == TAF_FLOAT ? y->bits == 32 : y->bits <= 16);

		return fits ? TAF_FLT32 : TAF_FLT64;
	}
	if (x->kind == y->kind)
		return x->bits > y->bits ? a : b;
	bits = x->kind == TAF_SIGNED ? x->bits : y->bits;
	if (bits <= (x->kind == TAF_SIGNED ? y->bits : x->bits))
		bits = 2 * (x->kind == TAF_SIGNED ? y->bits : x->bits);
	return bits <= 16 ? TAF_INT16 : bits <= 32 ? TAF_INT32 : TAF_INT64;
}

/* The type of all results. */
static enum taf_status
set_type(const struct taf_reduction_intent *want, const struct taf_array *in,
    struct taf_array *out, struct taf_err *e)
{
	enum taf_type t = in->type;
	bool all = true, stored;
	unsigned k;

	for (k = 0; k < want->nops; k++) {
		(void)type_of(want, in, k, &stored);
		all = all && stored;
	}
	if (want->typed || !all)
		taf_array_unmap(out);
	for (k = 0; k < want->nops && !all; k++) {
		enum taf_type own = type_of(want, in, k, &stored);

		/* under a mapping they are values like others */
		if (stored && taf_array_mapped(in))
			own = taf_type_computed(in->type);
		t = k == 0 ? own : widest(t, own);
	}
	out->type = want->typed ? want->type : t;
	if (want->typed && taf_type_is_pair(want->type) != taf_type_is_pair(t))
		return taf_fail(e, TAF_EDATA, "results are %s, which do not become %s",
		    taf_type_name(t), taf_type_name(want->type));
	return TAF_OK;
}

/* Append the unit of a result by itself; nothing where it has none. */
static enum taf_status
unit_of(const struct taf_reduction_intent *want, const struct taf_array *in, unsigned k,
    struct taf_buf *to, struct taf_err *e)
{
	const char *unit = taf_attr_get(in, "unit", TAF_OF_ARRAY, 0);

	switch ((int)want->op[k].op) {
	case TAF_OP_VAR: case TAF_OP_VAR1:
		return taf_unit_times(to, unit, unit, e);
	case TAF_OP_ARGMIN: case TAF_OP_ARGMAX:
		unit = want->index ? NULL : taf_attr_get(in, "unit", TAF_OF_DIM,
		    want->ndims > 0 ? want->dim[0] : 1);
		break;
	case TAF_OP_PROD: case TAF_OP_COUNT: case TAF_OP_NAN:
	case TAF_OP_ANY: case TAF_OP_ALL:
		unit = NULL;
		break;
	}
	return unit == NULL ? TAF_OK : taf_buf_puts(to, unit, e);
}

/* The unit that all results have. */
static enum taf_status
set_unit(const struct taf_reduction_intent *want, const struct taf_array *in,
    struct taf_array *out, struct taf_err *e)
{
	struct taf_buf first = { 0 }, other = { 0 };
	enum taf_status st = unit_of(want, in, 0, &first, e);
	bool same = first.len > 0;
	unsigned k;

	for (k = 1; k < want->nops && same && st == TAF_OK; k++) {
		other.len = 0;
		st = unit_of(want, in, k, &other, e);
		same = other.len == first.len &&
		    memcmp(other.data, first.data, first.len) == 0;
	}
	if (st == TAF_OK)
		st = taf_attr_set(out, "unit", TAF_OF_ARRAY, 0, same ? first.data : NULL,
		    e);
	taf_buf_free(&first);
	taf_buf_free(&other);
	return st;
}

/* The names of several operations, in the order of the last dimension. */
static enum taf_status
name_ops(const struct taf_reduction_intent *want, struct taf_array *out,
    struct taf_err *e)
{
	const struct taf_attr_name ops = { "reduce/ops", TAF_OF_ARRAY, 0 };
	struct taf_str text = { .err = e };
	enum taf_status st;

	taf_reduction_name(&text, want->op, want->nops);
	st = text.st;
	if (st == TAF_OK)
		st = taf_attr_setn(out, &ops, text.buf.data, text.buf.len, e);
	taf_str_free(&text);
	return st;
}

/* Complex elements have no order, so not all that numbers have. */
static enum taf_status
check_pairs(const struct taf_reduction_intent *want, struct taf_err *e)
{
	struct taf_str text = { .err = e };
	unsigned k;

	if (want->summary)
		return taf_fail(e, TAF_EDATA,
		    "complex elements have no smallest and no largest: take tafreduce mean,std,rms,count,nan, or tafmath 'abs(a)' before");
	for (k = 0; k < want->nops && taf_op_is_of_pairs(want->op[k].op); k++)
		continue;
	if (k == want->nops)
		return TAF_OK;
	taf_reduction_name(&text, &want->op[k], 1);
	if (text.st == TAF_OK)
		text.st = taf_fail(e, TAF_EDATA,
		    "%s: complex elements have only sum, mean, std, var, std1, var1, rms, count, nan, first and last: take tafmath 'abs(a)' before",
		    text.buf.data);
	taf_str_free(&text);
	return text.st;
}

enum taf_status
taf_reduction_check(const struct taf_reduction_intent *want, const struct taf_array *in,
    struct taf_err *e)
{
	unsigned k, dims = want->ndims > 0 ? want->ndims : in->ndim;

	if (taf_type_is_pair(in->type) && check_pairs(want, e) != TAF_OK)
		return e->code;
	if (taf_dims_there(in, want->dim, want->ndims, e) != TAF_OK)
		return e->code;
	for (k = 0; k < want->nops; k++)
		if (taf_op_is_place(want->op[k].op) && dims > 1)
			return taf_fail(e, TAF_EDATA,
			    "a place is along one dimension: of %u, -d names which",
			    dims);
	for (k = 0; k < in->ndim; k++) {
		const uint64_t n = in->dim[k].n;

		/* all would be dropped */
		if (taf_reduction_takes(want, k) && 0 < n && n < want->every)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u has %llu points, but a result takes %llu", k + 1,
			    (unsigned long long)n, (unsigned long long)want->every);
	}
	return TAF_OK;
}

/* Dimensions of length 1 that were reduced go, but one is left. */
static enum taf_status
squeeze(const struct taf_reduction_intent *want, const struct taf_array *in,
    struct taf_array *out, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = in->ndim; k-- > 0 && st == TAF_OK;)
		if (taf_reduction_takes(want, k) && out->dim[k].n == 1 && out->ndim > 1)
			st = taf_array_drop_dim(out, k + 1, e);
	return st;
}

/* Accumulators: their words are a new first dimension, grids stay for who joins them. */
static enum taf_status
partial(const struct taf_reduction_intent *want, const struct taf_array *in,
    struct taf_array *out, struct taf_err *e)
{
	const struct taf_reduce r = taf_reduction_what(want, in);
	const struct taf_dim words = { r.words, 1, 1 };
	enum taf_status st;
	unsigned k;

	if (in->ndim == TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA, "%u dimensions leave none for accumulators",
		    in->ndim);
	for (k = 0; k < in->ndim; k++)
		if (taf_reduction_takes(want, k))
			out->dim[k].n = 1;
	taf_array_unmap(out);
	out->type = TAF_UINT64;
	st = taf_array_insert_dim(out, 1, words, e);
	return st != TAF_OK ? st : taf_partial_mark(want, in, out, e);
}

enum taf_status
taf_reduction_resolve(const void *intent, const struct taf_array *in,
    struct taf_array *out, void *plan, struct taf_err *e)
{
	const struct taf_reduction_intent *want = intent;
	struct taf_dim ops = { want->nops, 1, 1 };
	enum taf_status st = taf_reduction_check(want, in, e);
	unsigned k;

	(void)plan;
	if (st != TAF_OK)
		return st;
	if (want->partial)
		return partial(want, in, out, e);
	for (k = 0; k < in->ndim; k++) {
		const uint64_t n = want->every > 0 ? want->every : in->dim[k].n;
		struct taf_dim *d = &out->dim[k];

		if (!taf_reduction_takes(want, k))
			continue;
		d->n = want->every > 0 ? d->n / want->every : 1;
		if (n > 0) {
			d->start += ((double)n - 1) / 2 * d->step;
			d->step *= (double)n;
		}
	}
	st = set_type(want, in, out, e);
	if (st == TAF_OK)
		st = set_unit(want, in, out, e);
	if (st == TAF_OK && want->squeeze)
		st = squeeze(want, in, out, e);
	if (st == TAF_OK && want->nops > 1)
		st = out->ndim == TAF_MAX_DIM ? taf_fail(e, TAF_EDATA,
		    "%u dimensions leave none for %u operations", out->ndim, want->nops) :
		    taf_array_insert_dim(out, out->ndim + 1, ops, e);
	if (st == TAF_OK && want->nops > 1)
		st = name_ops(want, out, e);
	return st;
}
