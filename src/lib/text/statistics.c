#include "text/statistics.h"

#include <string.h>

enum fact {
	INDEX, GRID, COUNT, MIN, MAX, MEAN, STD, RMS, NANS, INFS, MIN_INDEX, MAX_INDEX,
	MIN_GRID, MAX_GRID
};

/* In the order of the table that -d gives; the block and JSON have COUNT to MAX_INDEX. */
static const struct {
	const char *name;
	size_t width;		/* at most as many as blanks in put_row */
} facts[] = {
	[INDEX] = { "index", 8 }, [GRID] = { "grid", 12 }, [COUNT] = { "count", 10 },
	[MIN] = { "min", 14 }, [MAX] = { "max", 14 }, [MEAN] = { "mean", 22 },
	[STD] = { "std", 22 }, [RMS] = { "rms", 22 }, [NANS] = { "nan", 6 },
	[INFS] = { "inf", 6 }, [MIN_INDEX] = { "min_index", 12 },
	[MAX_INDEX] = { "max_index", 12 }, [MIN_GRID] = { "min_grid", 16 },
	[MAX_GRID] = { "max_grid", 0 },
};

/* The smallest or the largest value; integers of 64 bits exactly. */
static void
put_extreme(const struct taf_statistics *r, bool largest)
{
	const uint64_t bits = largest ? r->stats->int_max : r->stats->int_min;
	const bool exact = !taf_array_mapped(r->a);

	if (exact && r->a->type == TAF_UINT64)
		taf_str_u64(r->to, bits);
	else if (exact && r->a->type == TAF_INT64)
		taf_str_i64(r->to, (int64_t)bits);
	else
		taf_str_f64(r->to, largest ? r->stats->max : r->stats->min);
}

/* Where it is: indices from 1, with commas between. */
static void
put_index(const struct taf_statistics *r, bool largest)
{
	const uint64_t at = largest ? r->stats->max_at : r->stats->min_at;
	uint64_t where[TAF_MAX_DIM];
	unsigned k;

	taf_summary_where(r->s, r->index, at, where);
	taf_str_puts(r->to, r->json ? "[" : "");
	for (k = 0; k < r->a->ndim; k++) {
		taf_str_puts(r->to, k > 0 ? "," : "");
		taf_str_u64(r->to, where[k] + 1);
	}
	taf_str_puts(r->to, r->json ? "]" : "");
}

static void
put_unit(const struct taf_statistics *r, enum taf_scope scope, unsigned k)
{
	const char *unit = taf_attr_get(r->a, "unit", scope, k);

	if (unit == NULL)
		return;
	taf_str_puts(r->to, " ");
	taf_str_safe(r->to, unit, strlen(unit));
}

/* Its place on the grid; units are for the block. */
static void
put_place(const struct taf_statistics *r, bool largest, bool units)
{
	const uint64_t at = largest ? r->stats->max_at : r->stats->min_at;
	uint64_t where[TAF_MAX_DIM];
	unsigned k;

	taf_summary_where(r->s, r->index, at, where);
	for (k = 0; k < r->a->ndim; k++) {
		const struct taf_dim *d = &r->a->dim[k];

		taf_str_puts(r->to, k == 0 ? "" : units ? ", " : ",");
		taf_str_f64(r->to, d->start + (double)where[k] * d->step);
		if (units)
			put_unit(r, TAF_OF_DIM, k + 1);
	}
}

static void
put_fact(const struct taf_statistics *r, enum fact fact)
{
	const struct taf_stats *t = r->stats;
	const double two[] = { r->a->intercept, r->a->slope };
	const double *mapping = taf_array_mapped(r->a) ? two : NULL;
	bool always = fact <= COUNT || fact == NANS || fact == INFS;

	if (!always && taf_stats_finite(t) == 0) {
		taf_str_puts(r->to, r->json ? "null" : "none");
		return;
	}
	switch (fact) {
	case INDEX:
		taf_str_u64(r->to, r->index + 1);
		break;
	case GRID:
		taf_str_f64(r->to, r->a->dim[r->dim - 1].start + (double)r->index *
		    r->a->dim[r->dim - 1].step);
		break;
	case COUNT:
		taf_str_u64(r->to, t->count);
		break;
	case MIN:
	case MAX:
		put_extreme(r, fact == MAX);
		break;
	case MEAN:
		taf_str_f64(r->to, taf_stats_mean(t, r->a->type, mapping));
		break;
	case STD:
		taf_str_f64(r->to, taf_stats_std(t, r->a->type, mapping));
		break;
	case RMS:
		taf_str_f64(r->to, taf_stats_rms(t, r->a->type, mapping));
		break;
	case NANS:
		taf_str_u64(r->to, t->nan);
		break;
	case INFS:
		taf_str_u64(r->to, t->inf);
		break;
	case MIN_INDEX:
	case MAX_INDEX:
		put_index(r, fact == MAX_INDEX);
		break;
	case MIN_GRID:
	case MAX_GRID:
		put_place(r, fact == MAX_GRID, false);
		break;
	}
}

static void
put_json(const struct taf_statistics *r)
{
	int i;

	for (i = COUNT; i <= MAX_INDEX; i++) {
		taf_str_printf(r->to, "%s\"%s\":", i == COUNT ? "{" : ",", facts[i].name);
		put_fact(r, (enum fact)i);
	}
	taf_str_puts(r->to, "}\n");
}

/* A line a fact; "min  -0.5 V at index 3,2, grid 1.5e-7 s, 0.5". */
static void
put_block(const struct taf_statistics *r)
{
	const bool some = taf_stats_finite(r->stats) > 0;
	int i;

	for (i = COUNT; i <= INFS; i++) {
		taf_str_printf(r->to, "%-15s", facts[i].name);
		put_fact(r, (enum fact)i);
		if (some && i >= MIN && i <= RMS)
			put_unit(r, TAF_OF_ARRAY, 0);
		if (some && (i == MIN || i == MAX)) {
			taf_str_puts(r->to, " at index ");
			put_index(r, i == MAX);
			taf_str_puts(r->to, ", grid ");
			put_place(r, i == MAX, true);
		}
		taf_str_puts(r->to, "\n");
	}
}

/* A line of the table; the names of its columns where there is no result. */
static void
put_row(const struct taf_statistics *r)
{
	static const char blanks[] = "                        ";
	const size_t last = sizeof facts / sizeof facts[0] - 1;
	size_t i, at;

	for (i = 0; i <= last; i++) {
		at = r->to->buf.len;
		if (r->stats == NULL)
			taf_str_puts(r->to, facts[i].name);
		else
			put_fact(r, (enum fact)i);
		at = r->to->buf.len - at;
		if (i < last)
			taf_str_put(r->to, blanks, at + 2 < facts[i].width ?
			    facts[i].width - at : 2);
	}
	taf_str_puts(r->to, "\n");
}

void
taf_statistics_head(const struct taf_statistics *r, const char *file)
{
	taf_str_puts(r->to, "file           ");
	taf_str_safe(r->to, file, strlen(file));
	taf_str_puts(r->to, "\n");
	if (r->dim > 0)
		put_row(r);
}

void
taf_statistics_put(const struct taf_statistics *r)
{
	if (r->json)
		put_json(r);
	else if (r->dim > 0)
		put_row(r);
	else
		put_block(r);
}
