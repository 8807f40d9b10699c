/* SPDX-License-Identifier: ISC */
/* tafpeaks - the peaks of lines, or where they pass a level. */
#include <math.h>
#include <string.h>

#include "array/word.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "op/line/peaking.h"

enum { CENTROID = 256, COUNT, DISTANCE, EDGES, MINIMUM, PARABOLA };

static const char one_place[] = "one of --centroid and --parabola";

struct intent {
	struct taf_peaks peaks;
	struct taf_amount distance;	/* on the grid */
	struct taf_amount minimum, level;	/* of values */
	unsigned dim;
	bool centroid, parabola;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "of lines along this dimension, default 1", SET(DIM, dim) },
	{ CENTROID, "centroid", NULL, "places are centroids above half the height",
	    SET(FLAG, centroid), .one = one_place },
	{ COUNT, "count", "K", "the K highest of each line, default 1; 0 for all",
	    SET(NUMBER, peaks.count), .most = 1 << 30, .wrong = "not a number of peaks" },
	{ DISTANCE, "distance", "D", "no two are nearer, on the grid",
	    SET(AMOUNT, distance), .most = (double)INFINITY,
	    .wrong = "not a number of 0 or more" },
	{ EDGES, "edges", "rising|falling|level=V[,...]",
	    "not peaks, but passages of a level", OWN },
	{ MINIMUM, "minimum", "H", "the least height", SET(AMOUNT, minimum),
	    .least = -(double)INFINITY, .most = (double)INFINITY,
	    .wrong = "not a number" },
	{ PARABOLA, "parabola", NULL, "places are tops of parabolas", SET(FLAG, parabola),
	    .one = one_place },
	{ 0 },
};

static const struct cmd self = {
	"tafpeaks", "find the peaks of arrays along a dimension",
	"[--count K] [--minimum H] [--distance D] [--centroid | --parabola]\n"
	"       [--edges rising|falling|level=V[,...]] [-d DIM] [-J N] [-m SIZE]\n"
	"       [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

/* The level, of which a percentage is a part of the way, unless values are in percent. */
static enum taf_status
resolve_level(const struct intent *want, const struct taf_array *a, struct taf_peaks *p,
    struct taf_err *e)
{
	const struct taf_amount *const level = &want->level;
	const char *unit = taf_attr_get(a, "unit", TAF_OF_ARRAY, 0);
	const bool percent = level->text != NULL && level->text[level->len - 1] == '%' &&
	    level->text[level->len - 2] != '^';

	if (!percent || (unit != NULL && strcmp(unit, "%") == 0))
		return taf_amount_of_values(level, a, &p->level, e);
	if (!(level->value >= 0 && level->value <= 100))
		return taf_fail(e, TAF_EDATA, "level=%.*s: not from 0%% to 100%%",
		    (int)level->len, level->text);
	p->leveled = false;
	p->part = level->value / 100;
	return TAF_OK;
}

/* The peaks that are wanted of an array, in its units; the distance as on its grid. */
static enum taf_status
resolve_peaks(const struct intent *want, const struct taf_array *a, struct taf_peaks *p,
    struct taf_err *e)
{
	enum taf_status st;

	*p = want->peaks;
	st = taf_amount_along(&want->distance, a, want->dim, false, &p->distance, e);
	if (st == TAF_OK)
		st = taf_amount_of_values(&want->minimum, a, &p->minimum, e);
	return st == TAF_OK ? resolve_level(want, a, p, e) : st;
}

static enum taf_status
peaking(const struct taf_move *m, struct taf_peaking *p, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const double step = m->in->dim[want->dim - 1].step;
	enum taf_status st;

	*p = (struct taf_peaking){ m->service, m->r, m->in, want->dim,
		want->peaks };
	st = resolve_peaks(want, m->in, &p->peaks, e);
	p->peaks.distance /= step < 0 ? -step : step;
	return st;
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	enum taf_status st = taf_peaking_shape(out, in, want->dim, want->peaks.count, e);
	struct taf_peaks p;

	(void)plan;
	return st != TAF_OK ? st : resolve_peaks(want, in, &p, e);
}

/* All peaks: as many rows as the line with most of them needs. */
static enum taf_status
look(const struct taf_move *m, struct taf_array *out, struct taf_err *e)
{
	struct taf_peaking p;
	enum taf_status st = peaking(m, &p, e);

	return st != TAF_OK || p.peaks.count > 0 ? st :
	    taf_peaking_count(&p, &out->dim[p.dim].n, e);
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	struct taf_peaking p;
	enum taf_status st = peaking(m, &p, e);

	return st != TAF_OK ? st : taf_peaking(&p, m->out->dim[p.dim].n, m->w, e);
}

/* What edges are asked for, separated by commas. */
static void
parse_edges(struct cmd_run *run, const char *arg, struct intent *want)
{
	struct taf_peaks *p = &want->peaks;
	const char *at = arg;

	p->part = 0.5;
	for (;; at++) {
		const size_t n = strcspn(at, ",");

		if (n == 6 && memcmp(at, "rising", n) == 0)
			p->edges |= TAF_EDGES_RISING;
		else if (n == 7 && memcmp(at, "falling", n) == 0)
			p->edges |= TAF_EDGES_FALLING;
		else if (n > 6 && memcmp(at, "level=", 6) == 0 &&
		    taf_amount_read(&want->level, at + 6, n - 6) &&
		    taf_is_finite(want->level.value))
			p->leveled = true;
		else
			cmd_usage(run,
			    "--edges %s: not of rising, falling and one level=V", arg);
		at += n;
		if (*at == '\0')
			break;
	}
	if (p->edges == 0)
		p->edges = TAF_EDGES_RISING | TAF_EDGES_FALLING;
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter peaks = { .resolve = resolve, .look = look,
	    .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .dim = 1, .peaks = { .count = 1 },
		.minimum = { .value = -(double)INFINITY } };
	struct taf_peaks *p = &want.peaks;
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0)
		parse_edges(run, arg, &want);
	if (want.centroid || want.parabola)
		p->place = want.centroid ? TAF_PEAK_CENTROID : TAF_PEAK_PARABOLA;
	if (p->edges != 0 && (want.centroid || want.parabola || want.distance.value > 0 ||
	    want.minimum.value > -(double)INFINITY))
		cmd_usage(run, "--edges goes with --count alone");
	return cmd_filter(run, &peaks, &want);
}
