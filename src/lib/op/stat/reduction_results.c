/* SPDX-License-Identifier: ISC */
#include "op/stat/reduction_private.h"

#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/buf.h"
#include "kernel/number/recode_private.h"
#include "kernel/stat/order.h"
#include "stream/writer_private.h"

/* Result number `number` of the whole: its place along the only reduced dimension. */
static struct taf_place
place_of(const struct taf_results *t, uint64_t number)
{
	struct taf_place place = { .index = t->want->index };
	uint64_t n = number;
	unsigned k;

	for (k = 0; k < t->in->ndim; k++) {
		const struct taf_dim *d = &t->in->dim[k];

		if (taf_reduction_takes(t->want, k)) {
			const uint64_t every = t->want->every;
			const uint64_t before = every > 0 ? n % (d->n / every) *
			    every : 0;

			place.before = before;
			place.start = d->start;
			place.step = d->step;
			n /= every > 0 ? d->n / every : 1;
		} else {
			n /= d->n;
		}
	}
	return place;
}

/* The results of accumulators and lines; from number first on. */
enum taf_status
taf_results_conclude(const struct taf_results *t, const struct taf_result_scratch *m,
    struct taf_result_run run, struct taf_err *e)
{
	const size_t words = t->reduce.words, esize = taf_type_size(t->in->type);
	enum taf_status st = TAF_OK;
	unsigned k;
	uint64_t i;

	for (k = 0; k < t->want->nops && !t->want->partial; k++) {
		const struct taf_reduction *op = &t->want->op[k];
		uint64_t *to = m->result + k * t->slot * TAF_RESULTS_MOST;
		const size_t size = taf_type_size(taf_reduce_type(&t->reduce, op->op,
		    t->want->index));

		for (i = 0; i < run.n && st == TAF_OK; i++) {
			const struct taf_place place = taf_op_is_place(op->op) ?
			    place_of(t, run.first + i) : (struct taf_place){ 0 };
			unsigned char *at = (unsigned char *)to + i * size;

			if (taf_op_is_order(op->op)) {
				const double x = t->found != NULL ?
				    t->found[k * t->n + run.first + i] :
				    taf_order(&t->reduce, op,
				    m->lines + i * t->line * esize, (size_t)t->line,
				    m->keys);

				memcpy(at, &x, sizeof x);
			} else {
				st = taf_reduce_result(&t->reduce, run.acc + i * words,
				    op->op, &place, at, e);
			}
		}
		if (st != TAF_OK)
			return st;
	}
	return TAF_OK;
}

/* n real numbers become pairs without an imaginary part, of so many bytes each. */
static void
widen(void *numbers, size_t n, size_t bytes)
{
	unsigned char *const p = numbers;

	while (n-- > 0) {
		memmove(p + 2 * n * bytes, p + n * bytes, bytes);
		memset(p + (2 * n + 1) * bytes, 0, bytes);
	}
}

/* Results that are done, to where they go; those of one operation are in order. */
static enum taf_status
emit(struct taf_results *t, const struct taf_result_scratch *m, uint64_t first,
    uint64_t width, struct taf_err *e)
{
	const size_t osize = taf_type_size(t->out->type);
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < t->want->nops && st == TAF_OK; k++) {
		const enum taf_op op = t->want->op[k].op;
		const enum taf_type from = taf_reduce_type(&t->reduce, op,
		    t->want->index);
		const bool widens = taf_type_is_pair(t->out->type) &&
		    !taf_type_is_pair(from);
		const struct taf_recode how = { .from = from, .to = widens ?
			taf_type_facts(t->out->type)->component : t->out->type,
			.from_mapped = taf_op_is_element(op) && t->reduce.mapped,
			.from_map = { t->reduce.mapping[0], t->reduce.mapping[1] },
			.to_mapped = taf_array_mapped(t->out),
			.to_map = { t->out->intercept, t->out->slope } };
		const void *found = m->result + k * t->slot * TAF_RESULTS_MOST;
		const size_t good = taf_recode(&how, m->recoded, found, (size_t)width,
		    NULL);
		const uint64_t at = (k * t->n + first) * osize;

		if (good < width)
			return taf_recode_misfit(&how, (const unsigned char *)found +
			    good * taf_type_size(how.from),
			    taf_array_place(t->out, k * t->n + first + good).s, e);
		if (widens)
			widen(m->recoded, (size_t)width, osize / 2);
		if (t->want->nops == 1)
			st = taf_writer_put(t->w, m->recoded, (size_t)width, e);
		else if (t->planes != NULL)
			memcpy(t->planes + at, m->recoded, (size_t)width * osize);
		else
			st = taf_out_pwrite(t->spool.out, m->recoded,
			    (size_t)width * osize, t->spool_base + at, e);
	}
	return st;
}

enum taf_status
taf_results_put(struct taf_results *t, const struct taf_result_scratch *m,
    struct taf_result_run run, struct taf_err *e)
{
	const size_t words = t->reduce.words;
	uint64_t i;

	if (t->each != NULL)
		return t->each(t->ctx, &(struct taf_reduction_found){ run.n, &t->reduce,
		    run.acc, (const void *)m->result, TAF_RESULTS_MOST }, e);
	for (i = 0; i < run.n && t->want->finite; i++) {
		const struct taf_reduce_seen seen = taf_reduce_seen(run.acc + i * words);

		t->left_out += seen.nan + seen.inf;
	}
	return t->want->partial ?
	    taf_writer_put(t->w, run.acc, (size_t)run.n * words, e) :
	    emit(t, m, run.first, run.n, e);
}

enum taf_status
taf_results_open(struct taf_results *t, struct taf_err *e)
{
	uint64_t bytes;
	unsigned k;

	t->reduce = taf_reduction_what(t->want, t->in);
	t->spool.fd = -1;
	t->slot = taf_type_is_pair(t->in->type) ? 2 : 1;
	t->n = t->line = 1;
	for (k = 0; k < t->in->ndim; k++) {
		const uint64_t n = t->in->dim[k].n;
		const uint64_t every = t->want->every > 0 ? t->want->every : n;

		if (!taf_reduction_takes(t->want, k)) {
			t->n *= n;
		} else {
			t->line *= every;
			t->n *= t->want->every > 0 ? n / every : 1;
		}
	}
	if (t->each != NULL || t->want->nops == 1 || t->want->partial || t->n == 0)
		return TAF_OK;
	bytes = taf_array_bytes(t->out);
	if (bytes <= taf_memory_share(t->service->memory, TAF_BATCH)) {
		t->planes = taf_alloc(1, (size_t)bytes);
		return t->planes != NULL ? TAF_OK : taf_fail_mem(e);
	}
	return taf_spool_region(&t->spool, bytes, &t->spool_base, e);
}

enum taf_status
taf_results_end(struct taf_results *t, struct taf_err *e)
{
	uint64_t n;

	if (t->planes == NULL && t->spool.out == NULL)
		return TAF_OK;
	n = taf_array_count(t->out);
	/* several operations are written when all is there */
	if (t->planes != NULL)
		return taf_writer_put(t->w, t->planes, (size_t)n, e);
	return taf_writer_spool(t->w, &t->spool, TAF_OK, n, e);
}

void
taf_results_close(struct taf_results *t)
{
	taf_spool_discard(&t->spool);
	free(t->planes);
	free(t->found);
}

enum taf_status
taf_results_scratch(const struct taf_results *t, struct taf_result_scratch *m,
    struct taf_err *e)
{
	m->recoded = taf_alloc(t->slot * TAF_RESULTS_MOST, sizeof *m->recoded);
	m->result = taf_alloc(t->want->nops * t->slot * TAF_RESULTS_MOST + 1,
	    sizeof *m->result);
	return m->recoded != NULL && m->result != NULL ? TAF_OK : taf_fail_mem(e);
}

void
taf_results_remark(const struct taf_results *t)
{
	const uint64_t every = t->want->every;
	unsigned k;

	for (k = 0; k < t->in->ndim && every > 0; k++) {
		const uint64_t n = t->in->dim[k].n;

		if (taf_reduction_takes(t->want, k) && n % every > 0)
			taf_remark(t->service,
			    "dimension %u: the last %llu of %llu are dropped", k + 1,
			    (unsigned long long)(n % every), (unsigned long long)n);
	}
	if (t->left_out > 0)
		taf_remark(t->service, "%llu values that are not finite are left out",
		    (unsigned long long)t->left_out);
}
