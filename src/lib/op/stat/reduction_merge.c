/* SPDX-License-Identifier: ISC */
#include "op/stat/reduction_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/buf.h"
#include "base/num.h"
#include "op/move/join.h"

enum { SOME = 1024 };		/* accumulators that are read at a time */

struct taf_merge {
	struct taf_reduction_intent want;
	const struct taf_service *service;
	struct taf_array first, whole;	/* the first piece; what all of them are of */
	struct taf_fit fit;		/* of those arrays */
	uint64_t pieces;
	struct taf_reduce reduce;
	bool joins;			/* pieces are of the same results */
	uint64_t results;
	struct taf_in *held;		/* their accumulators so far, or */
	struct taf_spool spool;		/* on the way there */
};

/* Attributes of an array of accumulators: what they are of, and of how many values. */
enum fact { VERSION, OPS, DIMS, LENGTHS, FINITE, TYPE, MAPPING, FACTS };

static const char *const keys[FACTS] = { [VERSION] = "reduce/partial",
	[OPS] = "reduce/ops", [DIMS] = "reduce/dims", [LENGTHS] = "reduce/lengths",
	[FINITE] = "reduce/finite", [TYPE] = "reduce/type",
	[MAPPING] = "reduce/mapping" };

/* Append the value of an attribute; nothing where it is not there. */
static void
put_fact(struct taf_str *s, enum fact fact, const struct taf_reduction_intent *want,
    const struct taf_array *in)
{
	unsigned k;

	switch (fact) {
	case VERSION:
		taf_str_u64(s, 1);
		break;
	case OPS:
		taf_reduction_name(s, want->op, want->nops);
		break;
	case DIMS:
	case LENGTHS:
		for (k = 0; k < in->ndim; k++)
			if (fact == LENGTHS || taf_reduction_takes(want, k)) {
				taf_str_puts(s, s->buf.len > 0 ? "," : "");
				taf_str_u64(s, fact == DIMS ? k + 1 : in->dim[k].n);
			}
		break;
	case FINITE:
		taf_str_u64(s, want->finite);
		break;
	case TYPE:
		taf_str_puts(s, taf_type_name(in->type));
		break;
	case MAPPING:
		if (taf_array_mapped(in))
			taf_str_printf(s, "%s,%s", taf_f64(in->intercept).s,
			    taf_f64(in->slope).s);
		break;
	case FACTS:
		break;
	}
}

enum taf_status
taf_partial_mark(const struct taf_reduction_intent *want, const struct taf_array *in,
    struct taf_array *out, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int k;

	for (k = 0; k < FACTS && st == TAF_OK; k++) {
		struct taf_str s = { .err = e };

		put_fact(&s, (enum fact)k, want, in);
		st = s.st;
		if (st == TAF_OK && s.buf.len > 0)
			st = taf_attr_setn(out, &(struct taf_attr_name){ keys[k],
			    TAF_OF_ARRAY, 0 }, s.buf.data, s.buf.len, e);
		taf_str_free(&s);
	}
	return st;
}

static enum taf_status
unmark(struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int k;

	for (k = 0; k < FACTS && st == TAF_OK; k++)
		st = taf_attr_set(a, keys[k], TAF_OF_ARRAY, 0, NULL, e);
	return st;
}

/* An attribute of a, "" if it is not there. */
static const char *
get(const struct taf_array *a, enum fact fact)
{
	const char *value = taf_attr_get(a, keys[fact], TAF_OF_ARRAY, 0);

	return value != NULL ? value : "";
}

/* The array that a piece has accumulators of. */
static enum taf_status
original(const struct taf_array *a, struct taf_array *of, struct taf_err *e)
{
	const char *mapping = get(a, MAPPING), *slope = strchr(mapping, ',');
	uint64_t lengths[TAF_MAX_DIM];
	enum taf_status st;
	unsigned k, n;

	if (strcmp(get(a, VERSION), "1") != 0 || a->type != TAF_UINT64 || a->ndim < 2)
		return taf_fail(e, TAF_EDATA, "no accumulators of --partial");
	st = taf_array_copy(of, a, e);
	if (st == TAF_OK)
		st = taf_array_drop_dim(of, 1, e);
	if (st == TAF_OK)
		st = unmark(of, e);
	if (st != TAF_OK)
		return st;
	if (!taf_type_parse_any(get(a, TYPE), &of->type) ||
	    !taf_list_parse(get(a, LENGTHS), lengths, TAF_MAX_DIM, &n) ||
	    n != of->ndim)
		return taf_fail(e, TAF_EDATA, "attributes of --partial are malformed");
	taf_array_unmap(of);
	if (slope != NULL && (!taf_parse_f64(mapping, (size_t)(slope - mapping),
	    &of->intercept) || !taf_parse_f64(slope + 1, strlen(slope + 1), &of->slope)))
		return taf_fail(e, TAF_EDATA, "attributes of --partial are malformed");
	for (k = 0; k < n; k++)
		of->dim[k].n = lengths[k];
	return taf_array_check(of, e);
}

enum taf_status
taf_merge_open(struct taf_merge **result, const struct taf_reduction_intent *want,
    const struct taf_service *service, struct taf_err *e)
{
	struct taf_merge *m = calloc(1, sizeof *m);

	if (m == NULL)
		return taf_fail_mem(e);
	m->want = *want;
	m->service = service;
	m->spool.fd = -1;
	*result = m;
	return TAF_OK;
}

void
taf_merge_close(struct taf_merge *m)
{
	if (m == NULL)
		return;
	taf_in_close(m->held);
	taf_spool_discard(&m->spool);
	taf_fit_fini(&m->fit);
	taf_array_fini(&m->first);
	taf_array_fini(&m->whole);
	free(m);
}

/* What a piece shall have that goes with the request. */
static enum taf_status
check_request(struct taf_merge *m, const struct taf_array *a, const struct taf_array *of,
    struct taf_err *e)
{
	const bool finite = strcmp(get(a, FINITE), "1") == 0;
	struct taf_array asked = { 0 };
	enum taf_status st;

	if (m->want.finite && !finite)
		return taf_fail(e, TAF_EDATA,
		    "its accumulators are not those of --finite");
	m->want.finite = finite;
	st = taf_partial_mark(&m->want, of, &asked, e);
	if (st == TAF_OK &&
	    (strcmp(get(a, OPS), get(&asked, OPS)) != 0 ||
	    strcmp(get(a, DIMS), get(&asked, DIMS)) != 0))
		st = taf_fail(e, TAF_EDATA, "accumulators of %s -d %s, not of %s -d %s",
		    get(a, OPS), get(a, DIMS),
		    get(&asked, OPS), get(&asked, DIMS));
	taf_array_fini(&asked);
	return st;
}

/* Are its accumulators of the same kind? */
static enum taf_status
check_next(const struct taf_merge *m, const struct taf_array *a, struct taf_err *e)
{
	static const enum fact same[] = { OPS, DIMS, FINITE, TYPE, MAPPING };
	size_t i;

	for (i = 0; i < sizeof same / sizeof same[0]; i++)
		if (strcmp(get(a, same[i]), get(&m->first, same[i])) != 0)
			return taf_fail(e, TAF_EDATA,
			    "%s: \"%s\", but the first has \"%s\"", keys[same[i]],
			    get(a, same[i]), get(&m->first, same[i]));
	return TAF_OK;
}

/* Does the array of a piece go with those before it? */
static enum taf_status
check_fit(struct taf_merge *m, const struct taf_array *of, struct taf_err *e)
{
	const bool first = m->pieces++ == 0;
	enum taf_status st;
	char name[40];

	(void)snprintf(name, sizeof name, "piece %llu", (unsigned long long)m->pieces);
	if (first)
		m->fit.dim = of->ndim - 1;
	st = taf_fit_add(&m->fit, of, first ? "piece 1" : name, e);
	/* a failure gets the name of its file */
	e->name[0] = '\0';
	return st;
}

/* All accumulators of a piece of n, each of `line` values, to those of before. */
static enum taf_status
add_all(struct taf_merge *m, struct taf_reader *r, uint64_t n, uint64_t line,
    struct taf_err *e)
{
	const size_t words = m->reduce.words, bytes = words * sizeof(uint64_t);
	uint64_t *more = taf_alloc(SOME, bytes), *acc = taf_alloc(SOME, bytes);
	enum taf_status st = more != NULL && acc != NULL ? TAF_OK : taf_fail_mem(e);
	size_t i, part;

	for (; n > 0 && st == TAF_OK; n -= part) {
		part = n < SOME ? (size_t)n : SOME;
		st = taf_reader_read(r, more, part * words, e);
		for (i = 0; i < part && st == TAF_OK; i++)
			if (!taf_reduce_is_sound(&m->reduce, more + i * words, line))
				st = taf_fail(e, TAF_EDATA,
				    "an accumulator that no %llu values leave",
				    (unsigned long long)line);
		if (st == TAF_OK && m->held != NULL)
			st = taf_in_read(m->held, acc, part * bytes, e);
		for (i = 0; i < part && st == TAF_OK && m->held != NULL; i++)
			taf_reduce_join(&m->reduce, acc + i * words, more + i * words);
		if (st == TAF_OK)
			st = taf_out_write(m->spool.out, m->held != NULL ? acc : more,
			    part * bytes, e);
	}
	free(more);
	free(acc);
	return st;
}

static enum taf_status
hold(struct taf_merge *m, enum taf_status st, struct taf_err *e)
{
	taf_in_close(m->held);
	m->held = NULL;
	return taf_spool_end(&m->spool, st, "temporary file", &m->held, e);
}

static enum taf_status
add_piece(struct taf_merge *m, struct taf_reader *r, const struct taf_array *a,
    struct taf_array *of, struct taf_err *e)
{
	const bool begins = m->whole.ndim == 0;
	enum taf_status st = begins ? check_request(m, a, of, e) : check_next(m, a, e);
	const unsigned last = of->ndim - 1;
	uint64_t n = 1, line = 1;
	unsigned k;

	for (k = 0; k < of->ndim; k++)
		*(taf_reduction_takes(&m->want, k) ? &line : &n) *= of->dim[k].n;
	if (st == TAF_OK && !begins)
		st = check_fit(m, of, e);
	if (st == TAF_OK && begins) {
		m->reduce = taf_reduction_what(&m->want, of);
		m->joins = taf_reduction_takes(&m->want, last);
		st = taf_array_copy(&m->first, a, e);
	}
	if (st == TAF_OK && (a->dim[0].n != m->reduce.words ||
	    taf_array_count(a) != n * m->reduce.words))
		st = taf_fail(e, TAF_EDATA,
		    "its accumulators are not those of its attributes");
	if (st == TAF_OK && m->spool.out == NULL)
		st = taf_spool_begin(&m->spool, e);
	if (st == TAF_OK)
		st = add_all(m, r, n, line, e);
	if (st != TAF_OK)
		return st;
	if (begins) {
		taf_array_move(&m->whole, of);
		st = check_fit(m, &m->whole, e);
	} else if (!taf_add(m->whole.dim[last].n, of->dim[last].n,
	    &m->whole.dim[last].n)) {
		return taf_fail(e, TAF_EDATA, "dimension %u is too long", last + 1);
	}
	m->results = m->joins ? n : m->results + n;
	return m->joins && st == TAF_OK ? hold(m, TAF_OK, e) : st;
}

enum taf_status
taf_merge_add(struct taf_merge *m, struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e)
{
	struct taf_array of = { 0 };
	enum taf_status st = original(a, &of, e);

	if (st == TAF_OK)
		st = add_piece(m, r, a, &of, e);
	taf_array_fini(&of);
	return st;
}

enum taf_status
taf_merge_shape(struct taf_merge *m, struct taf_array *out, struct taf_err *e)
{
	enum taf_status st = m->joins ? TAF_OK : hold(m, TAF_OK, e);
	int fact;

	if (st == TAF_OK)
		st = taf_array_check(&m->whole, e);
	for (fact = 0; fact < TAF_FIT_FACTS && st == TAF_OK; fact++)
		taf_fit_remark(&m->fit, (enum taf_fit_fact)fact, m->service);
	if (st == TAF_OK)
		st = taf_array_copy(out, &m->whole, e);
	return st != TAF_OK ? st : taf_reduction_resolve(&m->want, &m->whole, out,
	    NULL, e);
}

enum taf_status
taf_merge_write(struct taf_merge *m, struct taf_writer *w, const struct taf_array *out,
    struct taf_err *e)
{
	struct taf_results to = { .want = &m->want, .in = &m->whole, .out = out, .w = w,
		.service = m->service };
	struct taf_result_scratch scratch = { 0 };
	const size_t bytes = m->reduce.words * sizeof(uint64_t);
	uint64_t *acc = taf_alloc(SOME, bytes);
	struct taf_result_run run = { acc, 0, 0 };
	enum taf_status st = taf_results_open(&to, e);

	if (st == TAF_OK)
		st = acc == NULL ? taf_fail_mem(e) :
		    taf_results_scratch(&to, &scratch, e);
	for (; run.first < m->results && st == TAF_OK; run.first += run.n) {
		run.n = m->results - run.first < SOME ? m->results - run.first : SOME;
		st = taf_in_read(m->held, acc, (size_t)run.n * bytes, e);
		if (st == TAF_OK)
			st = taf_results_conclude(&to, &scratch, run, e);
		if (st == TAF_OK)
			st = taf_results_put(&to, &scratch, run, e);
	}
	if (st == TAF_OK)
		st = taf_results_end(&to, e);
	if (st == TAF_OK)
		taf_results_remark(&to);
	taf_results_close(&to);
	free(scratch.recoded);
	free(scratch.result);
	free(acc);
	return st;
}
