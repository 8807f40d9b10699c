/* SPDX-License-Identifier: ISC */
/* tafpad - margins around an array, or parts of it cut away. */
#include <stdlib.h>
#include <string.h>

#include "array/columns.h"
#include "array/region.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "op/move/rearrange.h"
#include "stream/values_private.h"

enum { BY = 256, CENTRE, TO, WITH };

/* Lengths and margins whose sums fit 64 bits. */
#define MOST ((int64_t)1 << 61)

enum mode { CONSTANT, EDGE, REFLECT, WRAP };

struct margins {
	struct margin {
		int how;	/* 0, BY, TO */
		int64_t before, after;
		uint64_t to;
	} dim[TAF_MAX_DIM];
	unsigned most;
};

struct intent {
	struct margins margins;
	bool centre;
	enum mode mode;
	struct taf_value value;
};

/* The dimension of DIM=..., which no word before has named. */
static enum taf_status
parse_margin(struct margins *all, int how, const char *arg, struct margin **m,
    const char **value, struct taf_err *e)
{
	unsigned dim;

	if (taf_dim_parse(arg, how == BY ? "DIM=BEFORE:AFTER" : "DIM=N", &dim, value,
	    e) != TAF_OK)
		return e->code;
	*m = &all->dim[dim - 1];
	if ((*m)->how != 0)
		return taf_fail(e, TAF_EUSAGE, "%s: dimension %u is named twice", arg,
		    dim);
	(*m)->how = how;
	if (dim > all->most)
		all->most = dim;
	return TAF_OK;
}

static enum taf_status
parse_by(void *to, const char *arg, struct taf_err *e)
{
	const char *v, *colon;
	struct margin *m;

	if (parse_margin(to, BY, arg, &m, &v, e) != TAF_OK)
		return e->code;
	colon = strchr(v, ':');
	if (colon == NULL || !taf_parse_i64(v, (size_t)(colon - v), &m->before) ||
	    !taf_parse_i64(colon + 1, strlen(colon + 1), &m->after) ||
	    llabs(m->before) > MOST || llabs(m->after) > MOST)
		return taf_fail(e, TAF_EUSAGE, "%s: not DIM=BEFORE:AFTER", arg);
	return TAF_OK;
}

static enum taf_status
parse_to(void *to, const char *arg, struct taf_err *e)
{
	struct margin *m;
	const char *v;

	if (parse_margin(to, TO, arg, &m, &v, e) != TAF_OK)
		return e->code;
	if (!taf_parse_u64(v, strlen(v), &m->to) || m->to == 0 || m->to > (uint64_t)MOST)
		return taf_fail(e, TAF_EUSAGE, "%s: not DIM=N", arg);
	return TAF_OK;
}

static const struct cmd_option options[] = {
	{ BY, "by", "DIM=BEFORE:AFTER", "so many points; negative ones are cut",
	    SET(ALONG, margins), .parse = parse_by, .mark = '=' },
	{ CENTRE, "centre", NULL, "--to puts half of the points in front",
	    SET(FLAG, centre) },
	{ TO, "to", "DIM=N", "up or down to N points", SET(ALONG, margins),
	    .parse = parse_to, .mark = '=' },
	{ WITH, "with", "V|edge|reflect|wrap", "what the new points are; 0 unless said",
	    OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafpad", "put margins around arrays",
	"[--by DIM=BEFORE:AFTER] [--to DIM=N] [--centre] [--with V|edge|reflect|wrap]\n"
	"       [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

/*
 * n new points, those from at on of the line that goes on on both sides of length points.
 */
static enum taf_status
add_margin(struct taf_points *p, enum mode mode, int64_t at, uint64_t n, int64_t length,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	uint64_t part;

	if (mode == CONSTANT)
		return taf_points_add(p, TAF_POINT_NEW, 0, n, e);
	if (mode == EDGE || length == 1)
		return taf_points_add(p, at < 0 ? 0 : (uint64_t)length - 1, 0, n, e);
	for (; n > 0 && st == TAF_OK; n -= part, at += (int64_t)part) {
		/* a reflected line turns at each end, whose point comes once */
		const int64_t period = mode == WRAP ? length : 2 * (length - 1);
		const int64_t i = (at % period + period) % period;
		const bool back = i >= length;

		part = (uint64_t)(back ? period - i : length - i);
		part = part < n ? part : n;
		st = taf_points_add(p, (uint64_t)(back ? period - i : i), back ? -1 : 1,
		    part, e);
	}
	return st;
}

/* The points from first up to last, of which 0 to n - 1 are there. */
static enum taf_status
pad(struct taf_points *p, enum mode mode, int64_t n, int64_t first, int64_t last,
    struct taf_err *e)
{
	const int64_t left = last < 0 ? last : 0, right = first > n ? first : n;
	const int64_t lo = first > 0 ? first : 0, hi = last < n ? last : n;
	enum taf_status st = TAF_OK;

	if (first < left)
		st = add_margin(p, mode, first, (uint64_t)(left - first), n, e);
	if (st == TAF_OK && lo < hi)
		st = taf_points_add(p, (uint64_t)lo, 1, (uint64_t)(hi - lo), e);
	if (st == TAF_OK && right < last)
		st = add_margin(p, mode, right, (uint64_t)(last - right), n, e);
	return st;
}

/* Where a dimension of length n begins and ends, as a line of points from 0. */
static enum taf_status
settle(const struct intent *want, unsigned k, uint64_t n, int64_t *first, int64_t *last,
    struct taf_err *e)
{
	const struct margin *m = &want->margins.dim[k];
	int64_t more;

	if (n > (uint64_t)MOST)
		return taf_fail(e, TAF_EDATA, "dimension %u: %llu points are too many",
		    k + 1, (unsigned long long)n);
	*first = -m->before;
	*last = (int64_t)n + m->after;
	if (m->how == TO) {
		more = (int64_t)m->to - (int64_t)n;
		/* of an odd number the larger half is behind */
		*first = want->centre ? -(more / 2) : 0;
		*last = *first + (int64_t)m->to;
	}
	if (*first >= *last)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: nothing is left of %llu points", k + 1,
		    (unsigned long long)n);
	if (n == 0 && want->mode != CONSTANT)
		return taf_fail(e, TAF_EDATA, "dimension %u has no points to repeat",
		    k + 1);
	return TAF_OK;
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	struct taf_arrangement *as = plan;
	enum taf_status st = taf_dim_there(in, want->margins.most, e);
	int64_t first = 0, last = 0;
	unsigned k;

	taf_arrangement_begin(as, in);
	if (st == TAF_OK && want->mode == CONSTANT)
		st = taf_value_store(&want->value, in, as->fill, e);
	for (k = 0; k < want->margins.most && st == TAF_OK; k++) {
		struct taf_dim *d = &out->dim[k];

		if (want->margins.dim[k].how == 0)
			continue;
		st = settle(want, k, d->n, &first, &last, e);
		if (st == TAF_OK)
			st = pad(&as->points[k], want->mode, (int64_t)d->n, first, last,
			    e);
		d->n = as->points[k].count;
		d->start += (double)first * d->step;
	}
	return st == TAF_OK ? taf_columns_pick(out, in, &as->points[1], e) : st;
}

static void
parse_mode(struct cmd_run *run, const char *arg, struct intent *want)
{
	want->mode = (enum mode)cmd_choice(run, arg);
	if (want->mode == CONSTANT && !taf_value_parse(&want->value, arg))
		cmd_no_choice(run, arg);
}

int
main(int argc, char **argv)
{
	static struct taf_arrangement plan;
	static const struct cmd_filter filter =
	    { .resolve = resolve, .move = taf_rearrange_move, .plan = &plan };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .value = { .type = TAF_INT64, .text = "0" } };
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0)
		parse_mode(run, arg, &want);
	if (want.margins.most == 0)
		cmd_usage(run, "--by or --to is missing");
	return cmd_filter(run, &filter, &want);
}
