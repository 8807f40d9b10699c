/* SPDX-License-Identifier: ISC */
/* taffilter - frequencies of arrays along a dimension. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "op/line/filtering.h"
#include "op/operand/taps.h"

enum { CAUSAL = 256, FIR, HIGH, LOW, NOTCH, ORDER, TYPE };

struct intent {
	struct taf_filtering_how how;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1", SET(DIM, how.dim) },
	{ CAUSAL, "causal", NULL, "forward alone, from rest", SET(FLAG, how.causal) },
	{ FIR, "fir", "FILE", "weights: the present point's first, then earlier ones'",
	    OWN },
	{ HIGH, "high", "F", "the highest frequency that passes", SET(AMOUNT, how.high),
	    ABOVE_0, .wrong = "not a frequency above 0" },
	{ LOW, "low", "F", "the lowest frequency that passes", SET(AMOUNT, how.low),
	    ABOVE_0, .wrong = "not a frequency above 0" },
	{ NOTCH, "notch", "F:Q", "a frequency that is stopped, and its quality", OWN },
	{ ORDER, "order", "N", "order of the filter, default 4",
	    SET(NUMBER, how.band.order), .least = 1, .most = TAF_FILTER_ORDER,
	    .wrong = "not from 1 to 12" },
	{ TYPE, "type", "butter|bessel|cheby", "kind of the filter, default butter",
	    SET(CHOICE, how.band.type) },
	{ 0 },
};

static const struct cmd self = {
	"taffilter", "filter frequencies of arrays along a dimension",
	"[--low F] [--high F] [--notch F:Q] [--order N]\n"
	"       [--type butter|bessel|cheby] [--fir FILE] [--causal]\n"
	"       [-d DIM] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

static bool
parse_above_0(const char *text, size_t n, struct taf_amount *m)
{
	return taf_amount_read(m, text, n) && m->value > 0 && taf_is_finite(m->value);
}

static void
parse_notch(struct cmd_run *run, const char *arg, struct taf_filtering_how *how)
{
	const char *colon = strchr(arg, ':');
	const size_t k = how->notches++;
	struct taf_amount q;

	if (k == TAF_FILTER_NOTCHES)
		cmd_usage(run, "more than %d notches", TAF_FILTER_NOTCHES);
	if (colon == NULL || !parse_above_0(arg, (size_t)(colon - arg),
	    &how->notch[k].f) || !parse_above_0(colon + 1, strlen(colon + 1), &q) ||
	    q.text != NULL)
		cmd_usage(run, "--notch %s: not F:Q, both above 0", arg);
	how->notch[k].q = q.value;
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter filter =
	    { .resolve = taf_filtering_resolve, .move = taf_filtering };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .how = { .dim = 1, .band = { .order = 4 } } };
	struct taf_filtering_how *const how = &want.how;
	bool shaped;
	double *taps;
	const char *arg;
	int c;

	while ((c = cmd_option(run, &want, &arg)) != 0)
		if (c == NOTCH) {
			parse_notch(run, arg, how);
		} else {
			cmd_check(run, taf_taps_read(arg, &taps, &how->ntaps, &run->err));
			how->taps = taps;
		}
	shaped = cmd_has(run, ORDER) || cmd_has(run, TYPE);
	if (how->ntaps > 0 && (shaped || how->low.value > 0 || how->high.value > 0 ||
	    how->notches > 0))
		cmd_usage(run, "--fir goes with --causal alone");
	if (how->ntaps == 0 && how->low.value == 0 && how->high.value == 0 &&
	    (how->notches == 0 || shaped))
		cmd_usage(run,
		    "no frequency that passes: say --low or --high, or a --notch alone");
	if (how->low.text == NULL && how->high.text == NULL && how->high.value > 0 &&
	    how->low.value >= how->high.value)
		cmd_usage(run, "--low %s is not below --high %s",
		    taf_amount_typed(&how->low).s, taf_amount_typed(&how->high).s);
	return cmd_filter(run, &filter, &want);
}
