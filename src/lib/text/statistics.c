/* SPDX-License-Identifier: ISC */
#include "text/statistics.h"

#include <string.h>

#include "base/num.h"

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
	[MIN] = { "min", 14 }, [MAX] = { "max", 14 }, [MEAN] = { "mean", 14 },
	[STD] = { "std", 14 }, [RMS] = { "rms", 14 }, [NANS] = { "nan", 6 },
	[INFS] = { "inf", 6 }, [MIN_INDEX] = { "min_index", 12 },
	[MAX_INDEX] = { "max_index", 12 }, [MIN_GRID] = { "min_grid", 16 },
	[MAX_GRID] = { "max_grid", 16 },
};

enum taf_status
taf_quantiles_parse(void *to, const char *text, struct taf_err *e)
{
	struct taf_quantiles *const q = to;
	size_t len;
	unsigned k;
	double p;

	for (q->n = 0;; text += len + 1) {
		len = strcspn(text, ",");
		if (!taf_parse_f64(text, len, &p) || !(p >= 0 && p <= 1))
			return taf_fail(e, TAF_EUSAGE,
			    "%.*s: not a number from 0 to 1 (0.5 is the median)",
			    len < 40 ? (int)len : 40, text);
		for (k = 0; k < q->n; k++)
			if (!(q->op[k].p < p) && !(q->op[k].p > p))
				return taf_fail(e, TAF_EUSAGE, "%.*s: twice the same",
				    len < 40 ? (int)len : 40, text);
		if (q->n == TAF_REDUCE_OPS)
			return taf_fail(e, TAF_EUSAGE, "%d are possible at most",
			    (int)TAF_REDUCE_OPS);
		/* no -0 */
		q->op[q->n++] = (struct taf_reduction){ TAF_OP_QUANTILE, p + 0 };
		if (text[len] == '\0')
			return TAF_OK;
	}
}

/* A number: exactly, as null where JSON has none; for people so that it is not other. */
static void
put_number(const struct taf_statistics *r, double v, double other)
{
	if (!r->json)
		taf_str_puts(r->to, taf_brief_beside(v, other).s);
	else if (taf_is_finite(v))
		taf_str_f64(r->to, v);
	else
		taf_str_puts(r->to, "null");
}

static struct taf_reduce_extreme
extreme(const struct taf_statistics *r, bool largest)
{
	return taf_reduce_extreme(r->how, r->acc, largest);
}

static bool
some_are_finite(const struct taf_statistics *r)
{
	const struct taf_reduce_seen n = taf_reduce_seen(r->acc);

	return n.all > n.nan + n.inf;
}

/* The smallest or the largest value; integers exactly. */
static void
put_extreme(const struct taf_statistics *r, bool largest)
{
	const struct taf_reduce_extreme x = extreme(r, largest);
	const bool exact = !taf_array_mapped(r->a) && taf_type_is_int(r->a->type);

	if (exact && r->a->type == TAF_UINT64)
		taf_str_u64(r->to, x.word);
	else if (exact && r->a->type == TAF_INT64)
		taf_str_i64(r->to, (int64_t)x.word);
	else if (exact)
		taf_str_f64(r->to, x.value);
	else
		put_number(r, x.value, extreme(r, !largest).value);
}

/* The index in the whole, from 0, of one of the region. */
static uint64_t
of_whole(const struct taf_statistics *r, unsigned k, uint64_t i)
{
	return r->region->first[k] + i * r->region->step[k];
}

/* Where an extreme is in the whole: the elements of an index come in their order. */
static void
find(const struct taf_statistics *r, bool largest, uint64_t where[TAF_MAX_DIM])
{
	uint64_t at = extreme(r, largest).at;
	unsigned k;

	for (k = 0; k < r->a->ndim; k++) {
		where[k] = r->index;
		if (k + 1 != r->dim) {
			where[k] = at % r->region->count[k];
			at /= r->region->count[k];
		}
		where[k] = of_whole(r, k, where[k]);
	}
}

/* Where it is: indices from 1, with commas between. */
static void
put_index(const struct taf_statistics *r, bool largest)
{
	uint64_t where[TAF_MAX_DIM];
	unsigned k;

	find(r, largest, where);
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

static void
put_coordinate(const struct taf_statistics *r, unsigned k, uint64_t i)
{
	const struct taf_dim *d = &r->a->dim[k];

	put_number(r, d->start + (double)i * d->step,
	    d->start + ((double)i + 1) * d->step);
}

/* Its place on the grid; units are for the block. */
static void
put_place(const struct taf_statistics *r, bool largest, bool units)
{
	uint64_t where[TAF_MAX_DIM];
	unsigned k;

	find(r, largest, where);
	for (k = 0; k < r->a->ndim; k++) {
		taf_str_puts(r->to, k == 0 ? "" : units ? ", " : ",");
		put_coordinate(r, k, where[k]);
		if (units)
			put_unit(r, TAF_OF_DIM, k + 1);
	}
}

static double
number(const struct taf_statistics *r, enum taf_op op)
{
	return taf_reduce_number(r->how, r->acc, op);
}

static void
put_fact(const struct taf_statistics *r, enum fact fact)
{
	const struct taf_reduce_seen n = taf_reduce_seen(r->acc);
	const bool always = fact <= COUNT || fact == NANS || fact == INFS;

	if (!always && !some_are_finite(r)) {
		taf_str_puts(r->to, r->json ? "null" : "none");
		return;
	}
	switch (fact) {
	case INDEX:
		taf_str_u64(r->to, of_whole(r, r->dim - 1, r->index) + 1);
		break;
	case GRID:
		put_coordinate(r, r->dim - 1, of_whole(r, r->dim - 1, r->index));
		break;
	case COUNT:
		taf_str_u64(r->to, n.all);
		break;
	case MIN:
	case MAX:
		put_extreme(r, fact == MAX);
		break;
	case MEAN:
		put_number(r, number(r, TAF_OP_MEAN), extreme(r, false).value);
		break;
	case STD:
		put_number(r, number(r, TAF_OP_STD), 0);
		break;
	case RMS:
		put_number(r, number(r, TAF_OP_RMS), extreme(r, true).value);
		break;
	case NANS:
		taf_str_u64(r->to, n.nan);
		break;
	case INFS:
		taf_str_u64(r->to, n.inf);
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

static double
quantile(const struct taf_statistics *r, unsigned k)
{
	return r->quantiles[k * r->apart];
}

static void
put_json_text(const struct taf_statistics *r, const char *key, const char *text)
{
	taf_str_printf(r->to, ",\"%s\":", key);
	if (text != NULL)
		taf_str_json(r->to, text, strlen(text));
	else
		taf_str_puts(r->to, "null");
}

static void
put_json_place(const struct taf_statistics *r, const char *key, bool largest)
{
	const bool some = some_are_finite(r);

	taf_str_printf(r->to, ",\"%s\":%s", key, some ? "[" : "null");
	if (some)
		put_place(r, largest, false);
	taf_str_puts(r->to, some ? "]" : "");
}

/* What is no fact of the table. */
static void
put_json_rest(const struct taf_statistics *r)
{
	unsigned k;

	put_json_text(r, "file", r->file);
	taf_str_puts(r->to, ",\"array\":");
	taf_str_u64(r->to, r->number);
	put_json_text(r, "unit", taf_attr_get(r->a, "unit", TAF_OF_ARRAY, 0));
	put_json_place(r, "min_coordinates", false);
	put_json_place(r, "max_coordinates", true);
	taf_str_puts(r->to, ",\"quantiles\":");
	taf_str_puts(r->to, r->wanted->n == 0 ? "null" : "");
	for (k = 0; k < r->wanted->n; k++) {
		taf_str_printf(r->to, "%s\"%s\":", k == 0 ? "{" : ",",
		    taf_f64(r->wanted->op[k].p).s);
		put_number(r, quantile(r, k), 0);
	}
	taf_str_puts(r->to, k > 0 ? "}}\n" : "}\n");
}

static void
put_json(const struct taf_statistics *r)
{
	int i;

	for (i = COUNT; i <= MAX_INDEX; i++) {
		taf_str_printf(r->to, "%s\"%s\":", i == COUNT ? "{" : ",", facts[i].name);
		put_fact(r, (enum fact)i);
	}
	put_json_rest(r);
}

/* For people. */
static void
put_quantile(const struct taf_statistics *r, unsigned k)
{
	if (!some_are_finite(r))
		taf_str_puts(r->to, "none");
	else
		put_number(r, quantile(r, k), extreme(r, false).value);
}

/* A line a fact; "min  -0.5 V at index 3,2, grid 1.5e-7 s, 0.5". */
static void
put_block(const struct taf_statistics *r)
{
	const bool some = some_are_finite(r);
	unsigned k;
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
	for (k = 0; k < r->wanted->n; k++) {
		const size_t at = r->to->buf.len;

		taf_str_printf(r->to, "quantile %s ", taf_f64(r->wanted->op[k].p).s);
		while (r->to->st == TAF_OK && r->to->buf.len - at < 15)
			taf_str_puts(r->to, " ");
		put_quantile(r, k);
		if (some)
			put_unit(r, TAF_OF_ARRAY, 0);
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
		if (r->acc == NULL)
			taf_str_puts(r->to, facts[i].name);
		else
			put_fact(r, (enum fact)i);
		at = r->to->buf.len - at;
		if (i < last || r->wanted->n > 0)
			taf_str_put(r->to, blanks, at + 2 < facts[i].width ?
			    facts[i].width - at : 2);
	}
	for (i = 0; i < r->wanted->n; i++) {
		at = r->to->buf.len;
		if (r->acc == NULL)
			taf_str_printf(r->to, "quantile=%s",
			    taf_f64(r->wanted->op[i].p).s);
		else
			put_quantile(r, (unsigned)i);
		at = r->to->buf.len - at;
		if (i + 1 < r->wanted->n)
			taf_str_put(r->to, blanks, at < 12 ? 14 - at : 2);
	}
	taf_str_puts(r->to, "\n");
}

void
taf_statistics_head(const struct taf_statistics *r)
{
	taf_str_puts(r->to, "file           ");
	taf_str_safe(r->to, r->file, strlen(r->file));
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
