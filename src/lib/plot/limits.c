/* SPDX-License-Identifier: ISC */
/* link: m */
#include "plot/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "kernel/stat/order.h"
#include "plot/plot.h"

enum { SOME = 1024 };

enum taf_status
taf_plot_range(void *limits, const char *text, struct taf_err *e)
{
	struct taf_plot_limits *const want = limits;
	const struct taf_amount *const r = want->range;

	if (taf_amounts_range(want->range, text, e) != TAF_OK)
		return e->code;
	if (r[0].text == NULL && r[1].text == NULL && !(r[0].value < r[1].value))
		return taf_fail(e, TAF_EUSAGE, "%s: not LO:HI with LO below HI", text);
	want->given = true;
	return TAF_OK;
}

enum taf_status
taf_plot_percentile(void *limits, const char *text, struct taf_err *e)
{
	struct taf_plot_limits *const want = limits;
	const char *colon = strchr(text, ':');
	const size_t n = colon != NULL ? (size_t)(colon - text) : 0;
	double lo, hi;

	if (!taf_parse_f64(colon != NULL ? colon + 1 : text,
	    strlen(colon != NULL ? colon + 1 : text), &hi))
		hi = NAN;
	lo = 100 - hi;
	if (colon != NULL && !taf_parse_f64(text, n, &lo))
		lo = NAN;
	if (!(lo >= 0 && lo < hi && hi <= 100))
		return taf_fail(e, TAF_EUSAGE,
		    "%s: not P above 50, nor LO:HI, of 0 to 100 percent", text);
	want->share[0] = lo / 100;
	want->share[1] = hi / 100;
	want->shares = true;
	return TAF_OK;
}

enum taf_status
taf_plot_range_of(const struct taf_plot_limits *limits, const struct taf_array *a,
    double range[2], struct taf_err *e)
{
	int i;

	for (i = 0; i < 2; i++)
		if (taf_amount_of_values(&limits->range[i], a, &range[i], e) != TAF_OK)
			return e->code;
	if (!(range[0] < range[1]) || !taf_is_finite(range[0]) ||
	    !taf_is_finite(range[1]))
		return taf_fail(e, TAF_EDATA, "--range: %.7g is not below %.7g", range[0],
		    range[1]);
	return TAF_OK;
}

/* The numbers of a bucket that are drawn; of traces magnitudes that are not 0. */
static size_t
drawn(const struct taf_plot *p, bool traces, const struct taf_bucket *b, double v[2])
{
	if (!b->any)
		return 0;
	v[0] = p->image || traces ? taf_plot_shown(p, b) : b->min;
	v[1] = b->max;
	if (!traces)
		return !p->image && b->min_at != b->max_at ? 2 : 1;
	v[0] = fabs(v[0]);
	return v[0] > 0 ? 1 : 0;
}

/* All of them, in a pass. */
static void
count_drawn(const struct taf_plot *p, bool traces, const struct taf_order *o,
    uint64_t *count)
{
	const struct taf_plot_part *part;
	double v[SOME + 2];
	size_t i, n = 0;

	for (part = p->part; part < p->part + p->parts; part++)
		for (i = 0; i < part->curves * part->buckets; i++) {
			n += drawn(p, traces, &part->bucket[i], v + n);
			if (n < SOME)
				continue;
			taf_order_add(o, count, v, n);
			n = 0;
		}
	taf_order_add(o, count, v, n);
}

/* Where share of them lie below; NaN of none. */
static enum taf_status
quantile(const struct taf_plot *p, bool traces, double share, double *v,
    struct taf_err *e)
{
	const struct taf_reduction most = { TAF_OP_QUANTILE, share };
	struct taf_reduce r = { .type = TAF_FLT64 };
	uint64_t *count = calloc(taf_order_words(TAF_ORDER_FEW), sizeof *count);
	struct taf_order o;

	if (count == NULL)
		return taf_fail_mem(e);
	taf_reduce_plan(&r, &most, 1);
	taf_order_start(&o, &r, &most, TAF_ORDER_FEW);
	do
		count_drawn(p, traces, &o, count);
	while (taf_order_pass(&o, count, v));
	free(count);
	return TAF_OK;
}

enum taf_status
taf_plot_limit(const struct taf_plot *p, const struct taf_plot_limits *limits, double *lo,
    double *hi, struct taf_err *e)
{
	const double *const share = limits->share;
	/* of traces P percent are the magnitudes up to a certain one */
	const bool traces = p->section && (!limits->shares ||
	    fabs(share[0] + share[1] - 1) < 1e-9);
	enum taf_status st = TAF_OK;

	if (limits->given) {
		*lo = p->range[0];
		*hi = p->range[1];
		return TAF_OK;
	}
	if (traces)
		st = quantile(p, true, limits->shares ? share[1] : TAF_SECTION_MOST, hi,
		    e);
	else if (limits->shares &&
	    (st = quantile(p, false, share[0], lo, e)) == TAF_OK)
		st = quantile(p, false, share[1], hi, e);
	if (traces)
		*hi = *hi > 0 ? *hi : 1;
	else if (limits->balanced)
		*hi = fmax(fabs(*lo), fabs(*hi));
	if (traces || limits->balanced)
		*lo = -*hi;
	return st;
}
