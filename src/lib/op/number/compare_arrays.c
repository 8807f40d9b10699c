/* SPDX-License-Identifier: ISC */
#include "op/number/compare_arrays.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/number/recode.h"
#include "stream/tiles.h"
#include "stream/values.h"

enum {
	PIECE = 128 * 1024,	/* elements that a thread takes at a time */
	BLOCK = 1024,		/* values that stay in cache */
	WIDEST = 16		/* bytes of the widest type */
};

struct job {
	const struct taf_compare_arrays *what;
	const struct taf_compare *how;
	struct taf_difference *d;
	struct taf_recode recode[2];
	size_t size[2];			/* of a stored element */
	/* elements of the same bytes have the same value */
	bool alike;
	uint64_t count, taken;
	size_t piece;
	struct taf_difference found[TAF_THREADS_MOST];
};

bool
taf_compare_refuses(const struct taf_array *a, const struct taf_array *b)
{
	return taf_type_is_pair(a->type) != taf_type_is_pair(b->type);
}

/* The type that the values of a are compared as, where those of b are the others. */
static enum taf_type
compared_as(const struct taf_array *a, const struct taf_array *b)
{
	const struct taf_type_facts *f = taf_type_facts(taf_values_type(a, false));
	const struct taf_type_facts *other = taf_type_facts(taf_values_type(b, false));
	const bool whole = other->kind == TAF_SIGNED || other->kind == TAF_UNSIGNED;

	if (f->kind == TAF_PAIR)
		return TAF_COMPLEX128;
	/* a double has all digits of shorter integers */
	if (f->kind == TAF_FLOAT || (!whole && f->bits <= 32))
		return TAF_FLT64;
	return f->kind == TAF_SIGNED || f->bits <= 32 ? TAF_INT64 : TAF_UINT64;
}

static bool
is_single(const struct taf_array *a)
{
	return taf_type_facts(a->type)->component == TAF_FLT32 && !taf_array_mapped(a);
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;

	t->scratch_size = (size_t)2 * BLOCK * WIDEST;
	return taf_tile_piece(t, 2, &j->taken, j->count, j->piece);
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct taf_difference *found = &j->found[t->slot];
	unsigned char *const values[2] = { t->scratch,
		(unsigned char *)t->scratch + BLOCK * WIDEST };
	size_t at, n;
	unsigned k;

	(void)e;
	memset(found, 0, sizeof *found);
	if (j->alike && memcmp(t->raw[0], t->raw[1], t->out.n * j->size[0]) == 0)
		return TAF_OK;
	for (at = 0; at < t->out.n; at += n) {
		n = t->out.n - at < BLOCK ? t->out.n - at : BLOCK;
		/* every value fits: the types are the widest */
		for (k = 0; k < 2; k++)
			(void)taf_recode(&j->recode[k], values[k],
			    t->raw[k] + at * j->size[k], n, NULL);
		taf_compare(j->how, values[0], values[1], n, t->out.first + at, found);
	}
	return TAF_OK;
}

static enum taf_status
give(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	const uint64_t both = j->size[0] + j->size[1];

	(void)e;
	taf_difference_join(j->d, &j->found[t->slot]);
	taf_progress(j->what->service, (t->out.first + t->out.n) * both, j->count * both);
	return TAF_OK;
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_service *service = j->what->service;
	struct taf_tiles tiles = { .r = j->what->r, .esize = j->size, .nin = 2,
		.count = j->count, .ctx = j, .next = next, .work = work, .give = give };
	const uint64_t both = j->size[0] + j->size[1];
	const unsigned threads = taf_threads_for(taf_threads(service), UINT64_MAX);
	enum taf_status st;
	unsigned k;

	j->piece = PIECE;
	while (j->piece > BLOCK && (j->piece / 2 >= j->count ||
	    j->piece * both * threads > service->memory))
		j->piece /= 2;
	tiles.threads = taf_threads_for(threads, j->count / j->piece + 1);
	st = taf_tiles(&tiles, e);
	for (k = 0; k < 2 && st == TAF_OK; k++)
		st = taf_reader_skip(j->what->r[k], taf_reader_left(j->what->r[k]), e);
	return st;
}

enum taf_status
taf_compare_arrays(const struct taf_compare_arrays *what, struct taf_compare *how,
    struct taf_difference *d, struct taf_err *e)
{
	const struct taf_array *const *a = what->a;
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st = TAF_OK;
	unsigned k;

	if (j == NULL)
		return taf_fail_mem(e);
	how->type[0] = compared_as(a[0], a[1]);
	how->type[1] = compared_as(a[1], a[0]);
	how->within = what->within;
	how->within.single = is_single(a[0]) || is_single(a[1]);
	j->what = what;
	j->how = how;
	j->d = d;
	j->count = taf_array_count(a[0]);
	for (k = 0; k < 2 && st == TAF_OK; k++) {
		j->size[k] = taf_type_size(a[k]->type);
		st = taf_values_plan(&j->recode[k], a[k], how->type[k], false, false, e);
	}
	j->alike = a[0]->type == a[1]->type && j->recode[0].from_mapped ==
	    j->recode[1].from_mapped && (!j->recode[0].from_mapped ||
	    memcmp(j->recode[0].from_map, j->recode[1].from_map,
	    sizeof j->recode[0].from_map) == 0);
	if (st == TAF_OK && j->count > 0)
		st = run(j, e);
	free(j);
	return st;
}
