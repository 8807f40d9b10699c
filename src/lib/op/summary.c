#include "op/summary.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "kernel/move/strided.h"
#include "stream/relay.h"

enum {
	PORTION = 32 * TAF_STATS_BLOCK,		/* elements read at a time */
	SLAB = 1024 * 1024,			/* elements brought into another order */
	FEW = 512,				/* elements, for results of their own */
	MOMENT = 256			/* pieces between two looks at the progress */
};

/* Elements read together, runs indices of n elements each, and results for them. */
struct piece {
	unsigned char *raw, *sorted;
	const unsigned char *values;		/* an index after the other */
	uint64_t i, runs, n;		/* i: the first index, from that of the group */
	/* its first element, and how many to read for a row */
	uint64_t at, stretch;
	uint64_t rows, row;		/* so many rows, row elements apart */
	struct taf_stats *part;
};

/*
 * The array is outer times len times inner elements, where len is the dimension.  Where
 * inner is short, some of outer are read together, so that more than a few elements of an
 * index meet.  Pieces get results of their own, which are joined in their order, unless
 * they have but a few elements of each index.  How the elements are cut into pieces and
 * joined follows from the shape alone: so do the last bits of the results.
 */
struct taf_summary {
	struct taf_reader *r;
	const struct taf_array *a;
	uint64_t inner, len, outer;
	size_t esize;
	bool mapped, random;
	double mapping[2];
	uint64_t together;		/* of outer */
	uint64_t most;			/* indices at a time */
	uint64_t first, group;		/* those at present; group 0: between two */
	uint64_t o, i, p;		/* the next element, i from first */
	uint64_t done, pieces;		/* pieces: still to be taken before a rest */
	struct taf_stats *stats;
	unsigned threads;
	bool apart;			/* pieces have results of their own */
	struct piece *piece;		/* of each thread */
};

static uint64_t
less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How the elements are cut. */
static void
plan(struct taf_summary *s, uint64_t memory)
{
	uint64_t fit = memory / sizeof *s->stats;

	s->together = 1;
	if (s->inner > 0 && s->inner < TAF_STATS_BLOCK && s->len > 0 &&
	    s->len <= SLAB / 2 / s->inner)
		s->together = less(SLAB / (s->inner * s->len),
		    TAF_STATS_BLOCK / s->inner);
	s->together = less(s->together, s->outer > 0 ? s->outer : 1);
	if (s->outer == 1)
		fit = s->inner < PORTION ? PORTION / (s->inner > 0 ? s->inner : 1) : 1;
	s->most = less(s->len, fit > 0 ? fit : 1);
	s->random = s->most < s->len && s->outer > 1;
	s->apart = (s->together > 1 ? s->together * s->inner : less(s->inner, PORTION)) >=
	    FEW;
}

static size_t
room(const struct taf_summary *s)
{
	return s->together > 1 ? (size_t)SLAB : (size_t)PORTION;
}

static enum taf_status
take_memory(struct taf_summary *s, uint64_t memory, unsigned threads, struct taf_err *e)
{
	const uint64_t each = room(s) * s->esize * (s->together > 1 ? 2 : 1);
	unsigned k;

	if (s->most > SIZE_MAX)
		return taf_fail_mem(e);
	s->stats = taf_alloc(s->most > 0 ? (size_t)s->most : 1, sizeof *s->stats);
	s->threads = (unsigned)less(threads, less(TAF_RELAY_MOST, memory / each));
	/* more would start for nothing */
	s->threads = (unsigned)less(s->threads, taf_array_count(s->a) / room(s) + 1);
	s->threads = s->threads > 0 ? s->threads : 1;
	s->piece = calloc(s->threads, sizeof *s->piece);
	if (s->stats == NULL || s->piece == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < s->threads; k++) {
		struct piece *m = &s->piece[k];

		m->raw = taf_alloc(room(s), s->esize);
		if (s->together > 1)
			m->sorted = taf_alloc(room(s), s->esize);
		if (s->apart)
			m->part = taf_alloc(room(s) / FEW, sizeof *m->part);
		if (m->raw == NULL || (s->together > 1 && m->sorted == NULL) ||
		    (s->apart && m->part == NULL))
			return taf_fail_mem(e);
	}
	return TAF_OK;
}

enum taf_status
taf_summary_open(struct taf_summary **result, struct taf_reader *r,
    const struct taf_array *a, const struct taf_summary_how *how, struct taf_err *e)
{
	const unsigned dim = how->dim;
	struct taf_summary *s;
	enum taf_status st;
	unsigned k;

	if (taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA, "complex elements have no order: "
		    "tafread -b | tafcreate -t flt64 -n 2, makes their parts numbers");
	if (dim > a->ndim)
		return taf_fail(e, TAF_EDATA, "dimension %u: the array has %u", dim,
		    a->ndim);
	s = calloc(1, sizeof *s);
	if (s == NULL)
		return taf_fail_mem(e);
	s->r = r;
	s->a = a;
	s->esize = taf_type_size(a->type);
	s->mapped = taf_array_mapped(a);
	s->mapping[0] = a->intercept;
	s->mapping[1] = a->slope;
	s->inner = s->len = s->outer = 1;
	for (k = 1; k <= a->ndim; k++)
		if (dim == 0 || k < dim)
			s->inner *= a->dim[k - 1].n;
		else if (k == dim)
			s->len = a->dim[k - 1].n;
		else
			s->outer *= a->dim[k - 1].n;
	plan(s, how->memory);
	st = take_memory(s, how->memory, how->threads, e);
	/* threads that read for themselves do not wait for each other */
	s->random = s->random || (s->threads > 1 && taf_reader_plain(r));
	if (st == TAF_OK && s->random)
		st = taf_reader_random(r, e);
	if (st != TAF_OK) {
		taf_summary_close(s);
		return st;
	}
	*result = s;
	return TAF_OK;
}

void
taf_summary_close(struct taf_summary *s)
{
	unsigned k;

	if (s == NULL)
		return;
	for (k = 0; s->piece != NULL && k < s->threads; k++) {
		free(s->piece[k].raw);
		free(s->piece[k].sorted);
		free(s->piece[k].part);
	}
	free(s->piece);
	free(s->stats);
	free(s);
}

uint64_t
taf_summary_done(const struct taf_summary *s)
{
	return s->done;
}

/* Elements of an index that lie together: a part of such a run, or some runs. */
static void
take_runs(struct taf_summary *s, struct piece *m)
{
	m->at = (s->o * s->len + s->first + s->i) * s->inner + s->p;
	m->rows = 1;
	m->runs = s->inner < PORTION ? less(s->group - s->i, PORTION / s->inner) : 1;
	m->n = less(s->inner - s->p, PORTION);
	m->i = s->i;
	m->stretch = m->runs * m->n;
	s->p += m->n;
	if (s->p == s->inner) {
		s->p = 0;
		s->i += m->runs;
	}
	if (s->i == s->group) {
		s->i = 0;
		s->o++;
	}
}

/* Short runs: of some of outer. */
static void
take_slab(struct taf_summary *s, struct piece *m)
{
	const uint64_t parts = less(s->together, s->outer - s->o);

	m->at = (s->o * s->len + s->first) * s->inner;
	m->runs = s->group;
	m->n = parts * s->inner;
	m->i = 0;
	m->stretch = s->group * s->inner;
	m->rows = parts;
	m->row = s->len * s->inner;
	if (m->stretch == m->row) {
		m->stretch *= parts;
		m->rows = 1;
	}
	s->o += parts;
}

/* Its elements, wherever they are: safe from several threads at once. */
static enum taf_status
fetch(const struct taf_summary *s, const struct piece *m, struct taf_err *e)
{
	unsigned char *to = m->raw;
	enum taf_status st = TAF_OK;
	uint64_t j;

	for (j = 0; j < m->rows && st == TAF_OK; j++, to += m->stretch * s->esize)
		st = taf_reader_at(s->r, to, m->at + j * m->row, (size_t)m->stretch, e);
	return st;
}

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct taf_summary *s = ctx;
	struct piece *m = &s->piece[slot];

	*more = s->pieces > 0 && s->o < s->outer && s->inner > 0;
	if (!*more)
		return TAF_OK;
	s->pieces--;
	if (s->together > 1)
		take_slab(s, m);
	else
		take_runs(s, m);
	s->done += m->rows * m->stretch;
	return s->random ? TAF_OK :
	    taf_reader_read(s->r, m->raw, (size_t)(m->rows * m->stretch), e);
}

/* Bring a slab into the order of the indices. */
static void
sort(const struct taf_summary *s, const struct piece *m)
{
	const size_t n[] = { (size_t)s->inner, (size_t)m->runs,
		(size_t)(m->n / s->inner) };
	const ptrdiff_t step = (ptrdiff_t)s->esize, run = (ptrdiff_t)s->inner * step;
	const ptrdiff_t from[] = { step, run, run * (ptrdiff_t)m->runs };
	const ptrdiff_t to[] = { step, step * (ptrdiff_t)m->n, run };

	taf_strided_copy(m->sorted, m->raw, &(struct taf_strided){ s->esize, 3, n, to,
	    from });
}

static void
add(const struct taf_summary *s, struct taf_stats *to, const struct piece *m, uint64_t j)
{
	taf_stats_add(to, m->values + j * m->n * s->esize, s->a->type, (size_t)m->n,
	    s->mapped ? s->mapping : NULL);
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	static const struct taf_stats none;
	const struct taf_summary *s = ctx;
	struct piece *m = &s->piece[slot];
	enum taf_status st = s->random ? fetch(s, m, e) : TAF_OK;
	uint64_t j;

	if (st != TAF_OK)
		return st;
	m->values = m->raw;
	if (s->together > 1) {
		sort(s, m);
		m->values = m->sorted;
	}
	for (j = 0; s->apart && j < m->runs; j++) {
		m->part[j] = none;
		add(s, &m->part[j], m, j);
	}
	return TAF_OK;
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct taf_summary *s = ctx;
	const struct piece *m = &s->piece[slot];
	uint64_t j;

	(void)e;
	for (j = 0; j < m->runs; j++)
		if (s->apart)
			taf_stats_join(&s->stats[m->i + j], &m->part[j], s->a->type,
			    s->mapped ? s->mapping : NULL);
		else
			add(s, &s->stats[m->i + j], m, j);
	return TAF_OK;
}

enum taf_status
taf_summary_next(struct taf_summary *s, const struct taf_stats **results, size_t *n,
    struct taf_err *e)
{
	const struct taf_relay relay = { s, take, work, give };
	uint64_t i;

	*n = 0;
	if (s->group == 0) {
		static const struct taf_stats none;

		s->group = less(s->most, s->len - s->first);
		if (s->group == 0)
			return TAF_END;
		for (i = 0; i < s->group; i++)
			s->stats[i] = none;
		s->o = s->i = s->p = 0;
	}
	if (s->o < s->outer && s->inner > 0) {
		s->pieces = MOMENT;
		return taf_relay(&relay, s->threads, e);
	}
	*results = s->stats;
	*n = (size_t)s->group;
	s->first += s->group;
	s->group = 0;
	return TAF_OK;
}

void
taf_summary_where(const struct taf_summary *s, uint64_t index, uint64_t at,
    uint64_t where[TAF_MAX_DIM])
{
	uint64_t number = (at / s->inner * s->len + index) * s->inner + at % s->inner;
	unsigned k;

	for (k = 0; k < s->a->ndim; k++) {
		where[k] = number % s->a->dim[k].n;
		number /= s->a->dim[k].n;
	}
}
