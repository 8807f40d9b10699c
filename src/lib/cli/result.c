#include "cli/result.h"

#include <string.h>

#include "base/decimal.h"
#include "cli/text.h"

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

static enum taf_status
put(const struct cmd_result *r, const char *text)
{
	return taf_buf_puts(r->to, text, r->e);
}

static enum taf_status
put_count(const struct cmd_result *r, uint64_t n)
{
	char text[TAF_DECIMAL_MAX];

	return taf_buf_put(r->to, text, taf_print_u64(text, n), r->e);
}

/* The smallest or the largest value; integers of 64 bits exactly. */
static enum taf_status
put_extreme(const struct cmd_result *r, bool largest)
{
	const uint64_t bits = largest ? r->stats->int_max : r->stats->int_min;
	const bool exact = !taf_array_mapped(r->a);
	char text[TAF_DECIMAL_MAX];

	if (exact && r->a->type == TAF_UINT64)
		return taf_buf_put(r->to, text, taf_print_u64(text, bits), r->e);
	if (exact && r->a->type == TAF_INT64)
		return taf_buf_put(r->to, text, taf_print_i64(text, (int64_t)bits), r->e);
	return cmd_put_f64(r->to, largest ? r->stats->max : r->stats->min, r->e);
}

/* Where it is: indices from 1, with commas between. */
static enum taf_status
put_index(const struct cmd_result *r, bool largest)
{
	const uint64_t at = largest ? r->stats->max_at : r->stats->min_at;
	enum taf_status st = r->json ? put(r, "[") : TAF_OK;
	uint64_t where[TAF_MAX_DIM];
	unsigned k;

	taf_summary_where(r->s, r->index, at, where);
	for (k = 0; k < r->a->ndim && st == TAF_OK; k++) {
		st = k > 0 ? put(r, ",") : TAF_OK;
		if (st == TAF_OK)
			st = put_count(r, where[k] + 1);
	}
	return st == TAF_OK && r->json ? put(r, "]") : st;
}

static enum taf_status
put_unit(const struct cmd_result *r, enum taf_scope scope, unsigned k)
{
	const char *unit = taf_attr_get(r->a, "unit", scope, k);
	enum taf_status st;

	if (unit == NULL)
		return TAF_OK;
	st = put(r, " ");
	return st != TAF_OK ? st : cmd_put_quoted(r->to, unit, strlen(unit), r->e);
}

/* Its place on the grid; units are for the block. */
static enum taf_status
put_place(const struct cmd_result *r, bool largest, bool units)
{
	const uint64_t at = largest ? r->stats->max_at : r->stats->min_at;
	enum taf_status st = TAF_OK;
	uint64_t where[TAF_MAX_DIM];
	unsigned k;

	taf_summary_where(r->s, r->index, at, where);
	for (k = 0; k < r->a->ndim && st == TAF_OK; k++) {
		const struct taf_dim *d = &r->a->dim[k];

		if (k > 0)
			st = put(r, units ? ", " : ",");
		if (st == TAF_OK)
			st = cmd_put_f64(r->to, d->start + (double)where[k] * d->step,
			    r->e);
		if (st == TAF_OK && units)
			st = put_unit(r, TAF_OF_DIM, k + 1);
	}
	return st;
}

static enum taf_status
put_fact(const struct cmd_result *r, enum fact fact)
{
	const struct taf_stats *t = r->stats;
	bool always = fact <= COUNT || fact == NANS || fact == INFS;

	if (!always && taf_stats_finite(t) == 0)
		return put(r, r->json ? "null" : "none");
	switch (fact) {
	case INDEX:
		return put_count(r, r->index + 1);
	case GRID:
		return cmd_put_f64(r->to, r->a->dim[r->dim - 1].start + (double)r->index *
		    r->a->dim[r->dim - 1].step, r->e);
	case COUNT:
		return put_count(r, t->count);
	case MIN:
	case MAX:
		return put_extreme(r, fact == MAX);
	case MEAN:
		return cmd_put_f64(r->to, taf_stats_mean(t), r->e);
	case STD:
		return cmd_put_f64(r->to, taf_stats_std(t), r->e);
	case RMS:
		return cmd_put_f64(r->to, taf_stats_rms(t), r->e);
	case NANS:
		return put_count(r, t->nan);
	case INFS:
		return put_count(r, t->inf);
	case MIN_INDEX:
	case MAX_INDEX:
		return put_index(r, fact == MAX_INDEX);
	case MIN_GRID:
	case MAX_GRID:
		break;
	}
	return put_place(r, fact == MAX_GRID, false);
}

static enum taf_status
put_json(const struct cmd_result *r)
{
	enum taf_status st = TAF_OK;
	int i;

	for (i = COUNT; i <= MAX_INDEX && st == TAF_OK; i++) {
		st = taf_buf_printf(r->to, r->e, "%s\"%s\":", i == COUNT ? "{" : ",",
		    facts[i].name);
		if (st == TAF_OK)
			st = put_fact(r, (enum fact)i);
	}
	return st != TAF_OK ? st : put(r, "}\n");
}

/* A line a fact; "min  -0.5 V at index 3,2, grid 1.5e-7 s, 0.5". */
static enum taf_status
put_block(const struct cmd_result *r)
{
	const bool some = taf_stats_finite(r->stats) > 0;
	enum taf_status st = TAF_OK;
	int i;

	for (i = COUNT; i <= INFS && st == TAF_OK; i++) {
		st = taf_buf_printf(r->to, r->e, "%-15s", facts[i].name);
		if (st == TAF_OK)
			st = put_fact(r, (enum fact)i);
		if (st == TAF_OK && some && i >= MIN && i <= RMS)
			st = put_unit(r, TAF_OF_ARRAY, 0);
		if (st == TAF_OK && some && (i == MIN || i == MAX)) {
			st = put(r, " at index ");
			if (st == TAF_OK)
				st = put_index(r, i == MAX);
			if (st == TAF_OK)
				st = put(r, ", grid ");
			if (st == TAF_OK)
				st = put_place(r, i == MAX, true);
		}
		if (st == TAF_OK)
			st = put(r, "\n");
	}
	return st;
}

/* A line of the table; the names of its columns where there is no result. */
static enum taf_status
put_row(const struct cmd_result *r)
{
	static const char blanks[] = "                        ";
	size_t last = sizeof facts / sizeof facts[0] - 1, i, at;
	enum taf_status st = TAF_OK;

	for (i = 0; i <= last && st == TAF_OK; i++) {
		at = r->to->len;
		st = r->stats == NULL ? put(r, facts[i].name) : put_fact(r, (enum fact)i);
		at = r->to->len - at;
		if (st == TAF_OK && i < last)
			st = taf_buf_put(r->to, blanks, at + 2 < facts[i].width ?
			    facts[i].width - at : 2, r->e);
	}
	return st != TAF_OK ? st : put(r, "\n");
}

enum taf_status
cmd_result_head(const struct cmd_result *r, const char *file)
{
	enum taf_status st = put(r, "file           ");

	if (st == TAF_OK)
		st = cmd_put_quoted(r->to, file, strlen(file), r->e);
	if (st == TAF_OK)
		st = put(r, "\n");
	return st != TAF_OK || r->dim == 0 ? st : put_row(r);
}

enum taf_status
cmd_result_put(const struct cmd_result *r)
{
	return r->json ? put_json(r) : r->dim > 0 ? put_row(r) : put_block(r);
}
