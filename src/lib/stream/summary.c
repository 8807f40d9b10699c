#include "stream/summary.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "kernel/strided.h"

enum {
	PORTION = 32 * TAF_STATS_BLOCK,		/* elements read at a time */
	SLAB = 1024 * 1024			/* elements brought into another order */
};

/*
 * The array is outer times len times inner elements, where len is the dimension.  Where
 * inner is short, some of outer are read together, so that more than a few elements of an
 * index meet.  How the elements are cut into pieces follows from the shape alone: so do
 * the last bits of the results.
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
	uint64_t done;
	struct taf_stats *stats;
	unsigned char *raw, *sorted;
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
}

static enum taf_status
take_memory(struct taf_summary *s, struct taf_err *e)
{
	size_t room = s->together > 1 ? (size_t)SLAB : (size_t)PORTION;

	if (s->most > SIZE_MAX)
		return taf_fail_mem(e);
	s->stats = taf_alloc(s->most > 0 ? (size_t)s->most : 1, sizeof *s->stats);
	s->raw = taf_alloc(room, s->esize);
	if (s->together > 1)
		s->sorted = taf_alloc(room, s->esize);
	if (s->stats == NULL || s->raw == NULL || (s->together > 1 && s->sorted == NULL))
		return taf_fail_mem(e);
	return TAF_OK;
}

enum taf_status
taf_summary_open(struct taf_summary **result, struct taf_reader *r,
    const struct taf_array *a, unsigned dim, uint64_t memory, struct taf_err *e)
{
	struct taf_summary *s;
	enum taf_status st;
	unsigned k;

	if (a->type == TAF_COMPLEX)
		return taf_fail(e, TAF_EDATA, "complex elements have no order: "
		    "tafread -b | tafcreate -t flt64 -n 2, makes their parts numbers");
	if (dim > a->ndim)
		return taf_fail(e, TAF_EDATA, "dimension %u of %u", dim, a->ndim);
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
	plan(s, memory);
	st = take_memory(s, e);
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
	if (s == NULL)
		return;
	free(s->stats);
	free(s->raw);
	free(s->sorted);
	free(s);
}

uint64_t
taf_summary_done(const struct taf_summary *s)
{
	return s->done;
}

/* n elements from the next one on of part o. */
static enum taf_status
read_on(struct taf_summary *s, unsigned char *to, uint64_t o, uint64_t n,
    struct taf_err *e)
{
	s->done += n;
	if (!s->random)
		return taf_reader_read(s->r, to, (size_t)n, e);
	return taf_reader_at(s->r, to, (o * s->len + s->first + s->i) * s->inner + s->p,
	    (size_t)n, e);
}

static void
add(struct taf_summary *s, uint64_t i, const unsigned char *p, uint64_t n)
{
	taf_stats_add(&s->stats[i], p, s->a->type, (size_t)n,
	    s->mapped ? s->mapping : NULL);
}

/* Elements of an index that lie together: a part of such a run, or some runs. */
static enum taf_status
add_runs(struct taf_summary *s, struct taf_err *e)
{
	const uint64_t runs = s->inner < PORTION ?
	    less(s->group - s->i, PORTION / s->inner) : 1;
	const uint64_t n = less(s->inner - s->p, PORTION);
	enum taf_status st = read_on(s, s->raw, s->o, runs * n, e);
	uint64_t j;

	if (st != TAF_OK)
		return st;
	for (j = 0; j < runs; j++)
		add(s, s->i + j, s->raw + j * n * s->esize, n);
	s->p += n;
	if (s->p == s->inner) {
		s->p = 0;
		s->i += runs;
	}
	if (s->i == s->group) {
		s->i = 0;
		s->o++;
	}
	return TAF_OK;
}

/* Short runs: some of outer, brought into the order of the indices. */
static enum taf_status
add_slab(struct taf_summary *s, struct taf_err *e)
{
	const uint64_t parts = less(s->together, s->outer - s->o);
	const uint64_t row = s->group * s->inner, piece = parts * s->inner;
	const size_t n[] = { (size_t)s->inner, (size_t)s->group, (size_t)parts };
	const ptrdiff_t from[] = { (ptrdiff_t)s->esize, (ptrdiff_t)(s->inner * s->esize),
		(ptrdiff_t)(row * s->esize) };
	const ptrdiff_t to[] = { (ptrdiff_t)s->esize, (ptrdiff_t)(piece * s->esize),
		(ptrdiff_t)(s->inner * s->esize) };
	enum taf_status st = TAF_OK;
	uint64_t j;

	if (s->random)
		for (j = 0; j < parts && st == TAF_OK; j++)
			st = read_on(s, s->raw + j * row * s->esize, s->o + j, row, e);
	else
		st = read_on(s, s->raw, s->o, parts * row, e);
	if (st != TAF_OK)
		return st;
	taf_strided_copy(s->sorted, s->raw, s->esize, 3, n, to, from);
	for (j = 0; j < s->group; j++)
		add(s, j, s->sorted + j * piece * s->esize, piece);
	s->o += parts;
	return TAF_OK;
}

enum taf_status
taf_summary_next(struct taf_summary *s, const struct taf_stats **results, size_t *n,
    struct taf_err *e)
{
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
	if (s->o < s->outer && s->inner > 0)
		return s->together > 1 ? add_slab(s, e) : add_runs(s, e);
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
