/* SPDX-License-Identifier: ISC */
#include "op/fft/blocks.h"

#include <string.h>

#include "array/frequency.h"
#include "array/region.h"
#include "base/num.h"

static enum taf_status
parse(struct taf_blocks *want, enum taf_blocks_by by, const char *text, struct taf_err *e)
{
	const char *comma = strchr(text, ',');
	const size_t n = comma == NULL ? strlen(text) : (size_t)(comma - text);
	struct taf_amount of[2] = { { .value = 0 } };
	struct taf_err half = { 0 };
	uint64_t u;
	bool good;

	want->by = by;
	want->skips = comma != NULL;
	good = comma == NULL ? taf_amount_read(&of[0], text, n) :
	    taf_amounts_read(of, text, ',', &half);
	if (half.code != TAF_OK && by == TAF_BLOCKS_DURATION)
		return taf_fail(e, half.code, "%s", half.text);
	good = good && of[0].value > 0 && of[0].value < 0x1p53 && of[1].value >= 0 &&
	    of[1].value < 0x1p53 && (by == TAF_BLOCKS_DURATION || of[1].text == NULL);
	want->length = of[0];
	want->skip = of[1];
	if (good && by != TAF_BLOCKS_DURATION)
		good = taf_parse_u64(text, n, &u);
	if (good && by == TAF_BLOCKS_POINTS && comma != NULL)
		good = taf_parse_u64(comma + 1, strlen(comma + 1), &u) && u > 0;
	return good ? TAF_OK : taf_fail(e, TAF_EUSAGE, "%s: not %s", text,
	    by == TAF_BLOCKS_POINTS ? "POINTS[,SKIP]" :
	    by == TAF_BLOCKS_DURATION ? "DURATION[,ADVANCE]" : "BLOCKS[,OVERLAP]");
}

enum taf_status
taf_blocks_points(void *to, const char *text, struct taf_err *e)
{
	return parse(to, TAF_BLOCKS_POINTS, text, e);
}

enum taf_status
taf_blocks_duration(void *to, const char *text, struct taf_err *e)
{
	return parse(to, TAF_BLOCKS_DURATION, text, e);
}

enum taf_status
taf_blocks_number(void *to, const char *text, struct taf_err *e)
{
	return parse(to, TAF_BLOCKS_NUMBER, text, e);
}

enum taf_status
taf_blocks_crop(void *to, const char *text, struct taf_err *e)
{
	struct taf_blocks_range *const want = to;
	const struct taf_amount *const r = want->range;

	if (taf_amounts_range(want->range, text, e) != TAF_OK)
		return e->code;
	if (r[0].value != r[0].value || r[1].value != r[1].value ||
	    (r[0].text == NULL && r[1].text == NULL && r[0].value > r[1].value))
		return taf_fail(e, TAF_EUSAGE, "%s: not LO:HI", text);
	want->crop = true;
	return TAF_OK;
}

/* The nearest whole number, and too many as that. */
static uint64_t
whole(double x)
{
	return x < 0x1p53 ? (uint64_t)(x + 0.5) : (uint64_t)1 << 53;
}

enum taf_status
taf_blocks_cut(const struct taf_blocks *want, const struct taf_array *in,
    struct taf_blocks_cut *c, struct taf_err *e)
{
	const struct taf_dim *const d = &in->dim[want->dim - 1];
	double length, skip, step;

	if (taf_dim_there(in, want->dim, e) != TAF_OK ||
	    taf_frequency_check(in, want->dim, e) != TAF_OK)
		return e->code;
	step = d->step < 0 ? -d->step : d->step;
	if (taf_amount_along(&want->length, in, want->dim, false, &length, e) != TAF_OK ||
	    taf_amount_along(&want->skip, in, want->dim, false, &skip, e) != TAF_OK)
		return e->code;
	switch (want->by) {
	case TAF_BLOCKS_DURATION:
		c->points = whole(length / step) + 1;
		c->skip = want->skips ? whole(skip / step) : c->points;
		break;
	case TAF_BLOCKS_NUMBER:
		c->skip = d->n / (uint64_t)length;
		c->points = whole((1 + skip) * (double)c->skip);
		break;
	case TAF_BLOCKS_POINTS:
	case TAF_BLOCKS_NOTHING:
		c->points = (uint64_t)length;
		c->skip = want->skips ? (uint64_t)skip : c->points;
		break;
	}
	if (c->skip == 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: blocks advance by less than one of %llu points",
		    want->dim, (unsigned long long)d->n);
	if (c->points > d->n)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u has %llu points, but a block %llu", want->dim,
		    (unsigned long long)d->n, (unsigned long long)c->points);
	c->blocks = (d->n - c->points) / c->skip + 1;
	return TAF_OK;
}

void
taf_blocks_times(const struct taf_blocks_cut *c, struct taf_dim *time)
{
	time->n = c->blocks;
	time->start += (double)(c->points - 1) / 2 * time->step;
	time->step *= (double)c->skip;
}

void
taf_blocks_span(const struct taf_blocks_cut *c, uint64_t at, uint64_t n, uint64_t to[2])
{
	to[0] = at * c->skip;
	to[1] = (at + n - 1) * c->skip + c->points;
}
