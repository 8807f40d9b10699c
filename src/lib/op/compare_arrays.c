#include "op/compare_arrays.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/number/recode.h"
#include "stream/relay.h"
#include "stream/values.h"

enum {
	PIECE = 128 * 1024,	/* elements that a thread takes at a time */
	BLOCK = 1024,		/* values that stay in cache */
	WIDEST = 16		/* bytes of the widest type */
};

struct slot {
	unsigned char *raw[2];
	unsigned char *values[2];	/* BLOCK of them */
	uint64_t first;
	size_t n;
	struct taf_difference found;
};

struct job {
	const struct taf_compare_arrays *what;
	const struct taf_compare *how;
	struct taf_difference *d;
	struct taf_recode recode[2];
	size_t size[2];			/* of a stored element */
	bool apart[2];			/* threads read for themselves */
	/* elements of the same bytes have the same value */
	bool alike;
	uint64_t count, taken;
	size_t piece;
	struct slot slot[TAF_RELAY_MOST];
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

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[slot];
	enum taf_status st = TAF_OK;
	unsigned k;

	*more = j->taken < j->count;
	m->first = j->taken;
	m->n = j->count - j->taken < j->piece ? (size_t)(j->count - j->taken) : j->piece;
	j->taken += m->n;
	for (k = 0; k < 2 && *more && st == TAF_OK; k++)
		if (!j->apart[k])
			st = taf_reader_read(j->what->r[k], m->raw[k], m->n, e);
	return st;
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	const struct job *j = ctx;
	struct slot *m = &((struct job *)ctx)->slot[slot];
	size_t at, n;
	unsigned k;

	memset(&m->found, 0, sizeof m->found);
	for (k = 0; k < 2; k++)
		if (j->apart[k] && taf_reader_at(j->what->r[k], m->raw[k], m->first, m->n,
		    e) != TAF_OK)
			return e->code;
	if (j->alike && memcmp(m->raw[0], m->raw[1], m->n * j->size[0]) == 0)
		return TAF_OK;
	for (at = 0; at < m->n; at += n) {
		n = m->n - at < BLOCK ? m->n - at : BLOCK;
		/* every value fits: the types are the widest */
		for (k = 0; k < 2; k++)
			(void)taf_recode(&j->recode[k], m->values[k],
			    m->raw[k] + at * j->size[k], n, NULL);
		taf_compare(j->how, m->values[0], m->values[1], n, m->first + at,
		    &m->found);
	}
	return TAF_OK;
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	const struct slot *m = &j->slot[slot];

	(void)e;
	taf_difference_join(j->d, &m->found);
	taf_progress(j->what->service, (m->first + m->n) * (j->size[0] + j->size[1]),
	    j->count * (j->size[0] + j->size[1]));
	return TAF_OK;
}

static enum taf_status
open_slot(const struct job *j, struct slot *m, struct taf_err *e)
{
	unsigned k;

	for (k = 0; k < 2; k++) {
		m->raw[k] = taf_alloc(j->piece, j->size[k]);
		m->values[k] = taf_alloc(BLOCK, WIDEST);
		if (m->raw[k] == NULL || m->values[k] == NULL)
			return taf_fail_mem(e);
	}
	return TAF_OK;
}

/* How many threads take how much at a time. */
static unsigned
plan(struct job *j)
{
	const unsigned threads = taf_threads(j->what->service);
	const uint64_t room = j->what->service->memory / 2 / (threads > 0 ? threads : 1);
	uint64_t pieces;

	j->piece = PIECE;
	while (j->piece > BLOCK && (j->piece / 2 >= j->count ||
	    j->piece * (j->size[0] + j->size[1]) > room))
		j->piece /= 2;
	pieces = j->count / j->piece + 1;
	return threads < 1 ? 1 : threads > TAF_RELAY_MOST ? TAF_RELAY_MOST :
	    threads < pieces ? threads : (unsigned)pieces;
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_relay relay = { j, take, work, give };
	const unsigned threads = plan(j);
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < 2 && st == TAF_OK; k++) {
		j->apart[k] = threads > 1 && taf_reader_plain(j->what->r[k]);
		if (j->apart[k])
			st = taf_reader_random(j->what->r[k], e);
	}
	for (k = 0; k < threads && st == TAF_OK; k++)
		st = open_slot(j, &j->slot[k], e);
	if (st == TAF_OK)
		st = taf_relay(&relay, threads, e);
	for (k = 0; k < 2 && st == TAF_OK; k++)
		if (j->apart[k])
			st = taf_reader_skip(j->what->r[k], j->count, e);
	for (k = 0; k < 2 * threads; k++) {
		free(j->slot[k / 2].raw[k % 2]);
		free(j->slot[k / 2].values[k % 2]);
	}
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
