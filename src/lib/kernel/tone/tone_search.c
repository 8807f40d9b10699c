/* SPDX-License-Identifier: ISC */
/* The tones of some blocks: one after the other is found, and then all are fitted. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kernel/func/func.h"
#include "kernel/number/fast.h"
#include "kernel/number/nan.h"
#include "kernel/tone/tone_private.h"

enum { WIDE = TAF_TONE_LANES, ROWS = TAF_TONE_ROWS, SHORT = 64 };

/* A line that is so many bins away does not spoil the first steps. */
#define APART 4.0

/* What a lane holds. */
enum kind { NOTHING, WRONG, FLAT, OUTSIDE, LIVE };

struct search {
	const struct taf_tone_group *g;
	enum kind kind[WIDE];
	bool searching[WIDE];
	double scale[WIDE];		/* of the points: a power of 2 */
	double looked[WIDE][2];		/* bins, from and to */
	/* of the tones of the last fit that was accepted, and of the last one */
	struct taf_tone_result found[TAF_TONE_MOST][WIDE], result[TAF_TONE_MOST][WIDE];
	struct taf_tone_result failed[WIDE];	/* the last one that is none */
	/* of the last fit that was accepted and whose tones are all sound */
	struct taf_tone_result sure_found[TAF_TONE_MOST][WIDE];
	struct taf_tone_fit sure;
	struct taf_tone_fit kept;		/* the last one that was accepted */
};

/* What the points of each lane are like: the largest, NaN if one is not finite. */
struct survey {
	double *most, *bad, *differ;
	const double *rows;
	size_t n, parts, lanes;
};

static TAF_INLINE void
survey(const struct survey *s, size_t wide)
{
	const size_t lanes = taf_tone_lanes(s->lanes, wide);
	double *const restrict most = s->most;
	double *const restrict bad = s->bad;
	double *const restrict differ = s->differ;

	for (size_t i = 0; i < s->n; i++) {
		const double *const restrict x = s->rows + i * wide;
		const double *const restrict first = s->rows + i % s->parts * wide;

		TAF_APART
		for (size_t l = 0; l < lanes; l++) {
			const double size = x[l] < 0 ? -x[l] : x[l];

			most[l] = size > most[l] ? size : most[l];
			bad[l] += x[l] - x[l];
			differ[l] = x[l] != first[l] ? 1 : differ[l];
		}
	}
}
TAF_TONE_ROWS_OF(survey, survey)

/* Rows times a number of each lane. */
struct scaling {
	double *rows;
	const double *by;
	size_t n, lanes;
};

static TAF_INLINE void
scale(const struct scaling *s, size_t wide)
{
	const size_t lanes = taf_tone_lanes(s->lanes, wide);
	const double *const restrict factor = s->by;

	for (size_t i = 0; i < s->n; i++) {
		double *const restrict x = s->rows + i * wide;

		TAF_APART
		for (size_t l = 0; l < lanes; l++)
			x[l] *= factor[l];
	}
}
TAF_TONE_ROWS_OF(scale, scaling)

/* The power of 2 that points up to most are divided by. */
static int
exponent_of(double most)
{
	uint64_t bits;
	int exponent;

	memcpy(&bits, &most, sizeof bits);
	exponent = (int)(bits >> 52) - 1023;
	return exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent;
}

/* Points of the lanes go to rows, as numbers of about 1; what kind of blocks they are. */
static void
load(struct search *s, const double *const *from)
{
	const struct taf_tone_group *g = s->g;
	const struct taf_tone *t = g->t;
	const size_t lanes = g->lanes;
	double most[WIDE] = { 0 }, bad[WIDE] = { 0 }, differ[WIDE] = { 0 };
	double by[WIDE] = { 0 };
	const struct survey of = { most, bad, differ, g->y, t->rows, t->parts, lanes };
	size_t i, l;

	for (i = 0; i < t->rows; i++)
		for (l = 0; l < lanes; l++)
			g->y[i * lanes + l] = from[l][i];
	survey_lanes(&of);
	for (l = 0; l < lanes; l++) {
		const int exponent = exponent_of(most[l]);

		s->kind[l] = s->kind[l] == NOTHING ? NOTHING : bad[l] != 0 ? WRONG :
		    differ[l] == 0 ? FLAT : LIVE;
		s->scale[l] = s->kind[l] == LIVE ? taf_scale(1, exponent) : 1;
		by[l] = taf_scale(1, -exponent);
		for (i = 0; i < t->rows && s->kind[l] != LIVE; i++)
			g->y[i * lanes + l] = 0;
	}
	scale_lanes(&(struct scaling){ g->y, by, t->rows, lanes });
}

/* Rows less what a column explains that is the same for all lanes. */
struct projection {
	double *y;
	const double *column, *weight;
	size_t rows, parts, lanes;
};

static TAF_INLINE void
project(const struct projection *p, size_t wide)
{
	const size_t lanes = taf_tone_lanes(p->lanes, wide);
	double sum[WIDE] = { 0 };

	for (size_t i = 0; i < p->rows; i++) {
		const double by = p->column[i] * p->weight[i / p->parts];
		const double *const restrict y = p->y + i * wide;

		TAF_APART
		for (size_t l = 0; l < lanes; l++)
			sum[l] += y[l] * by;
	}
	for (size_t i = 0; i < p->rows; i++) {
		const double by = p->column[i];
		double *const restrict y = p->y + i * wide;

		TAF_APART
		for (size_t l = 0; l < lanes; l++)
			y[l] -= sum[l] * by;
	}
}
TAF_TONE_ROWS_OF(project, projection)

/* The highest rows between bounds, which are whole numbers. */
struct highest {
	double *best, *at;
	const double *low, *high;
	const double *power;
	double first;
	size_t n, lanes;
};

static TAF_INLINE void
highest(const struct highest *h, size_t wide)
{
	const size_t lanes = taf_tone_lanes(h->lanes, wide);
	double *const restrict best = h->best;
	double *const restrict at = h->at;
	const double *const restrict low = h->low;
	const double *const restrict high = h->high;

	for (size_t i = 0; i < h->n; i++) {
		const double *const restrict power = h->power + i * wide;
		const double k = h->first + (double)i;

		TAF_APART
		for (size_t l = 0; l < lanes; l++) {
			const double x = k >= low[l] && k <= high[l] ? power[l] : -1;

			at[l] = x > best[l] ? k : at[l];
			best[l] = x > best[l] ? x : best[l];
		}
	}
}
TAF_TONE_ROWS_OF(highest, highest)

/* The highest bins of g->power, in bins 1/T apart; NaN where none is looked at. */
static void
find(const struct search *s, double *bin)
{
	const struct taf_tone_group *g = s->g;
	const struct taf_tone *t = g->t;
	const size_t length = t->start.length, half = length / 2;
	const double per = (double)t->points / (double)length;
	double best[WIDE], low[WIDE], high[WIDE];
	struct highest h = { best, bin, low, high, g->power, 0, t->start.bins, g->lanes };
	size_t l;

	for (l = 0; l < g->lanes; l++) {
		best[l] = -1;
		bin[l] = (double)NAN;
		low[l] = taf_tone_above(s->looked[l][0] / per - 1e-9);
		high[l] = taf_tone_below(s->looked[l][1] / per + 1e-9);
	}
	if (t->parts == 2) {
		h.n = length - half;
		h.first = -(double)(length - half);
		h.power = g->power + half * g->lanes;
		highest_lanes(&h);
		h.first = 0;
		h.n = half;
		h.power = g->power;
	}
	highest_lanes(&h);
	for (l = 0; l < g->lanes; l++)
		bin[l] *= per;
}

/* Is nothing near to a new tone?  Then the first steps are quick. */
static bool
lonely(const struct taf_tone_group *g, size_t l, unsigned j)
{
	const struct taf_tone *t = g->t;
	const struct taf_tone_fit *f = g->fit;
	const double n = (double)t->points, at = f->from[j][l];
	unsigned i;
	size_t k;

	if (t->points < SHORT || fabs(at) < APART ||
	    (t->parts == 1 && n / 2 - at < APART))
		return false;
	for (k = 0; k < t->want.nknown; k++)
		if (fabs(at - t->known[k]) < APART)
			return false;
	for (i = 0; i < j; i++)
		if (fabs(at - f->bin[i][l]) < APART)
			return false;
	return true;
}

/* Tone j of from becomes tone i of to. */
static void
copy_tone(struct taf_tone_fit *to, unsigned i, const struct taf_tone_fit *from,
    unsigned j, size_t l)
{
	to->bin[i][l] = from->bin[j][l];
	to->slope[i][l] = from->slope[j][l];
	to->re[i][l] = from->re[j][l];
	to->im[i][l] = from->im[j][l];
	to->from[i][l] = from->from[j][l];
	to->still[i][l] = from->still[j][l];
}

/* All tones of a lane, and its fixed columns. */
static void
copy_lane(const struct taf_tone_group *g, struct taf_tone_fit *to,
    const struct taf_tone_fit *from, size_t l)
{
	unsigned j;
	size_t k;

	to->tones[l] = from->tones[l];
	to->good[l] = from->good[l];
	for (j = 0; j < from->tones[l]; j++)
		copy_tone(to, j, from, j, l);
	for (k = 0; k < g->t->nfixed; k++)
		to->fixed[k][l] = from->fixed[k][l];
}

/* Tone j begins at a bin, with nothing else known. */
static void
no_tone(struct taf_tone_fit *f, unsigned j, size_t l, double bin)
{
	f->bin[j][l] = f->from[j][l] = bin;
	f->slope[j][l] = f->re[j][l] = f->im[j][l] = 0;
}

/* One more tone for each lane that is searched; false where none is. */
static bool
one_more(struct search *s, unsigned j)
{
	struct taf_tone_group g = *s->g;
	struct taf_tone_fit *f = g.fit;
	double bin[WIDE];
	bool quick[WIDE], any = false, begin = false;
	size_t l;

	taf_tone_powers(&g, &g.t->start, j == 0 ? g.y : g.r);
	find(s, bin);
	for (l = 0; l < g.lanes; l++) {
		const bool there = bin[l] == bin[l];

		s->searching[l] = s->searching[l] && there;
		f->active[l] = s->searching[l];
		no_tone(f, j, l, there ? bin[l] : 0);
		f->fresh[l] = s->searching[l];
		f->tones[l] += s->searching[l];
		quick[l] = s->searching[l] && lonely(&g, l, j);
		begin = begin || quick[l];
		any = any || s->searching[l];
	}
	if (!any)
		return false;
	if (begin)
		taf_tone_begin(&g, j, quick, j == 0 ? g.y : g.r);
	g.most = j + 1;
	taf_tone_steps(&g);
	taf_tone_results(&g, (const double (*)[2])s->looked, s->result, s->scale);
	return true;
}

/* Has tone j of what was kept come to rest, near its start, and above the noise? */
static bool
sound(const struct search *s, unsigned j, size_t l)
{
	const struct taf_tone_fit *f = &s->kept;

	return f->still[j][l] && fabs(f->bin[j][l] - f->from[j][l]) <= 1.5 &&
	    s->found[j][l].above;
}

/* The tones of one fit of a lane become those of another one. */
static void
keep(const struct taf_tone_group *g, size_t l, struct taf_tone_fit *to,
    struct taf_tone_result (*result)[WIDE], const struct taf_tone_fit *from,
    struct taf_tone_result (*found)[WIDE])
{
	unsigned j;

	copy_lane(g, to, from, l);
	for (j = 0; j < from->tones[l]; j++)
		result[j][l] = found[j][l];
}

/* Keep the fit of a lane, also as a sure one if no tone of it would be taken out. */
static void
keep_fit(struct search *s, size_t l)
{
	const struct taf_tone_group *g = s->g;
	unsigned j;

	keep(g, l, &s->kept, s->found, g->fit, s->result);
	for (j = 0; j < s->kept.tones[l]; j++)
		if (!sound(s, j, l))
			return;
	keep(g, l, &s->sure, s->sure_found, &s->kept, s->found);
}

/* Keep the fits of lanes whose new tone is above the noise. */
static void
accept(struct search *s, unsigned j)
{
	const struct taf_tone_group *g = s->g;
	size_t l;

	for (l = 0; l < g->lanes; l++) {
		if (!s->searching[l])
			continue;
		if (s->result[j][l].above && !g->fit->fresh[l]) {
			keep_fit(s, l);
		} else {
			s->searching[l] = false;
			s->failed[l] = s->result[j][l];
			copy_lane(g, g->fit, &s->kept, l);
			no_tone(g->fit, j, l, 0);
		}
	}
}

/* Take out of a lane what is not sound; true if others are left to be fitted again. */
static bool
take_out(struct search *s, size_t l)
{
	struct taf_tone_fit *f = &s->kept;
	const unsigned before = f->tones[l];
	unsigned i = 0, j;

	for (j = 0; j < before; j++) {
		if (!sound(s, j, l)) {
			s->failed[l] = s->found[j][l];
			continue;
		}
		copy_tone(f, i, f, j, l);
		s->found[i++][l] = s->found[j][l];
	}
	f->tones[l] = i;
	return i > 0 && i < before;
}

/* Fit the sound ones alone, as long as some are not. */
static void
settle(struct search *s)
{
	struct taf_tone_group g = *s->g;
	struct taf_tone_fit *f = g.fit;
	bool again[WIDE], any = true;
	unsigned j;
	size_t l;

	while (any) {
		any = false;
		g.most = 0;
		for (l = 0; l < g.lanes; l++) {
			again[l] = s->kind[l] == LIVE && take_out(s, l);
			copy_lane(&g, f, &s->kept, l);
			f->active[l] = again[l];
			f->fresh[l] = false;
			any = any || again[l];
			if (again[l] && f->tones[l] > g.most)
				g.most = f->tones[l];
		}
		if (!any)
			return;
		for (l = 0; l < g.lanes; l++) {
			f->tones[l] = again[l] ? f->tones[l] : 0;
			for (j = f->tones[l]; j < g.most; j++)
				no_tone(f, j, l, 0);
		}
		taf_tone_steps(&g);
		taf_tone_results(&g, (const double (*)[2])s->looked, s->result, s->scale);
		for (l = 0; l < g.lanes; l++)
			if (again[l])
				keep(&g, l, &s->kept, s->found, f, s->result);
	}
}

/* A tone that comes to no rest must not cost those that did so without it. */
static void
restore(struct search *s)
{
	size_t l;

	for (l = 0; l < s->g->lanes; l++)
		if (s->kept.tones[l] < s->sure.tones[l])
			keep(s->g, l, &s->kept, s->found, &s->sure, s->sure_found);
}

/* Rows that tell of the noise. */
static void
put_noise(const struct search *s, size_t l, const struct taf_tone_result *r, double *to)
{
	const struct taf_tone *t = s->g->t;
	const double d = t->duration / (double)t->points;

	to[TAF_TONE_NOISE] = r->variance * d * (t->parts == 1 ? 2 : 1) * s->scale[l] *
	    s->scale[l];
	to[TAF_TONE_RATIO] = r->ratio;
	to[TAF_TONE_MISFIT] = r->misfit;
}

/* Rows of tone j, as it is on the grid, inside the frequencies that there are. */
static void
put_tone(const struct search *s, size_t l, unsigned j, double *to)
{
	const struct taf_tone *t = s->g->t;
	const struct taf_tone_fit *f = &s->kept;
	const double n = (double)t->points, time = t->duration;
	double bin = f->bin[j][l], slope = f->slope[j][l];
	double re = f->re[j][l], im = f->im[j][l], phase;

	if (t->parts == 2 && (bin < -n / 2 || bin >= n / 2)) {
		bin += bin < 0 ? n : -n;
		re = t->points % 2 == 0 ? -re : re;
		im = t->points % 2 == 0 ? -im : im;
	} else if (t->parts == 1 && (bin < 0 || bin > n / 2)) {
		const bool high = bin > 0;

		bin = high ? n - bin : -bin;
		slope = -slope;
		im = -im;
		if (high && t->points % 2 == 0) {
			re = -re;
			im = -im;
		}
	}
	if (t->sign < 0 && t->parts == 1) {
		slope = -slope;
		im = -im;
	} else if (t->sign < 0) {
		bin = -bin;
	}
	taf_func_atan2(&phase, &im, &re, 1);
	to[TAF_TONE_FREQUENCY] = bin / time;
	to[TAF_TONE_SIGMA] = s->found[j][l].sigma[0] / time;
	to[TAF_TONE_AMPLITUDE] = sqrt(re * re + im * im) * s->scale[l];
	to[TAF_TONE_SLOPE] = slope / time / time;
	to[TAF_TONE_SLOPE_SIGMA] = s->found[j][l].sigma[1] / time / time;
	to[TAF_TONE_PHASE] = phase;
	put_noise(s, l, &s->found[j][l], to);
}

/* The tables of a lane: tones by their frequency, and then what is absent. */
static void
put(const struct search *s, size_t l, double *to)
{
	const unsigned count = s->g->t->want.count;
	const unsigned tones = s->kind[l] == LIVE ? s->kept.tones[l] : 0;
	unsigned i, j;

	for (i = 0; i < count * ROWS; i++)
		to[i] = (double)NAN;
	for (j = 0; j < tones; j++) {
		double row[ROWS];

		put_tone(s, l, j, row);
		for (i = j; i > 0 && to[(i - 1) * ROWS] > row[0]; i--)
			memcpy(to + i * ROWS, to + (i - 1) * ROWS, sizeof row);
		memcpy(to + i * ROWS, row, sizeof row);
	}
	for (j = tones; j < count; j++) {
		if (s->kind[l] == LIVE)
			put_noise(s, l, &s->failed[l], to + j * ROWS);
		else if (s->kind[l] == FLAT)
			to[j * ROWS + TAF_TONE_NOISE] = 0;
	}
}

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

static double
smaller(double a, double b)
{
	return a < b ? a : b;
}

/* A lane is looked at inside a region alone. */
static void
narrow(struct search *s, size_t l, const double *region)
{
	const struct taf_tone *t = s->g->t;
	const bool turned = t->parts == 2 && t->sign < 0;
	const double low = turned ? -region[1] : region[0];
	const double high = turned ? -region[0] : region[1];

	s->looked[l][0] = larger(t->low, low * t->duration);
	s->looked[l][1] = smaller(t->high, high * t->duration);
	if (!(low <= high) || !(s->looked[l][0] <= s->looked[l][1]))
		s->kind[l] = OUTSIDE;
}

/* The blocks from number b on, into lanes. */
static void
begin(struct search *s, const struct taf_tone_group *g, const struct taf_tone_part *part,
    size_t b)
{
	static const struct taf_tone_result none = { (double)NAN, (double)NAN,
		(double)NAN, { 0, 0 }, false };
	const struct taf_tone *t = g->t;
	const double *from[WIDE];
	size_t l, k;

	memset(s, 0, offsetof(struct search, sure));
	s->g = g;
	taf_tone_clear(g->fit, t->nfixed);
	taf_tone_clear(&s->kept, t->nfixed);
	taf_tone_clear(&s->sure, t->nfixed);
	for (l = 0; l < g->lanes; l++) {
		/* lanes without a block see another one, which is not looked at */
		const size_t at = b + l < part->blocks ? b + l : b;

		from[l] = part->from + at * part->skip * t->parts;
		s->kind[l] = b + l < part->blocks ? LIVE : NOTHING;
	}
	load(s, from);
	for (l = 0; l < g->lanes; l++) {
		s->failed[l] = none;
		s->looked[l][0] = t->low;
		s->looked[l][1] = t->high;
		if (part->region != NULL && (s->kind[l] == LIVE || s->kind[l] == FLAT))
			narrow(s, l, part->region + 2 * (b + l));
		s->searching[l] = s->kind[l] == LIVE;
	}
	for (k = 0; k < t->nfixed; k++) {
		const struct projection p = { g->y, t->fixed + k * t->rows, t->weight,
			t->rows, t->parts, g->lanes };

		project_lanes(&p);
	}
}

void
taf_tone_search(const struct taf_tone_group *g, const struct taf_tone_part *part,
    size_t b)
{
	const struct taf_tone *t = g->t;
	struct search s;
	unsigned j;
	size_t l;

	begin(&s, g, part, b);
	for (j = 0; j < t->want.count; j++) {
		if (!one_more(&s, j))
			break;
		accept(&s, j);
	}
	settle(&s);
	restore(&s);
	for (l = 0; l < g->lanes && b + l < part->blocks; l++) {
		put(&s, l, part->to + (b + l) * t->want.count * ROWS);
		part->count->wrong += s.kind[l] == WRONG;
		part->count->without += s.kind[l] != WRONG &&
		    (s.kind[l] != LIVE || s.kept.tones[l] == 0);
	}
}
