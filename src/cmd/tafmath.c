/* SPDX-License-Identifier: ISC */
/* tafmath - elements by an expression. */
#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "array/size.h"
#include "cli/cmd.h"
#include "kernel/expr/expr.h"
#include "op/number/evaluate.h"
#include "stream/values.h"

enum { CLIP = 256, LET };

struct intent {
	struct taf_expr *expr;
	enum taf_type type;	/* of the result, where typed */
	bool typed, clip;
	struct taf_size size;
	const char *let[TAF_EXPR_INPUTS];	/* NAME=FILE */
	unsigned nlet;
};

static const struct cmd_option options[] = {
	{ 'a', "axis", "DIM=START:STEP", "grid of a dimension, with -n",
	    SET(PARSED, size), .parse = taf_size_axis },
	{ 'n', "size", "L1,L2,...", "no input: lengths of the result", SET(PARSED, size),
	    .parse = taf_size_parse },
	{ 't', "type", "TYPE", "element type of the result", SET(ANY_TYPE, type) },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does",
	    SET(FLAG, clip) },
	{ LET, "let", "NAME=FILE", "another input, with a name of its own", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafmath", "compute elements by an expression: arithmetic",
	"[-t TYPE] [--clip] [--let NAME=FILE] [-J N] [-o FILE] EXPR [file ...]\n"
	"       tafmath -n L1[,L2...] [-a DIM=START:STEP] [-t TYPE] [-o FILE] EXPR",
	options, CMD_STREAM | CMD_JOBS | CMD_PICK | CMD_VALUES | CMD_WORD,
};

static enum taf_status
resolve(const void *intent, const struct taf_steps *s, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	const struct taf_array *a[TAF_EXPR_INPUTS];
	const struct taf_expr_over over = { .in = a, .nin = s->n, .shape = out,
	    .pair = want->typed && taf_type_is_pair(want->type), .clip = want->clip };
	struct taf_program **program = plan;
	struct taf_buf unit = { 0 };
	enum taf_type type;
	enum taf_status st;
	unsigned k;

	for (k = 0; k < s->n; k++)
		a[k] = s->now[k].a;
	taf_program_free(*program);
	*program = NULL;
	st = taf_program_make(program, want->expr, &over, e);
	if (st != TAF_OK)
		return st;
	type = taf_program_type(*program);
	if (want->typed && taf_type_is_pair(type) && !over.pair)
		return taf_fail(e, TAF_EDATA,
		    "the result is complex: -t %s takes abs, real or imag of it",
		    taf_type_name(want->type));
	if (want->typed)
		type = want->type;
	/* an expression that is an input alone keeps what marks missing elements */
	if (s->n > 0 && taf_expr_is_input(want->expr, 0) &&
	    taf_type_is_pair(type) == taf_type_is_pair(a[0]->type)) {
		st = taf_values_shape(out, type, false, e);
	} else {
		out->type = type;
		taf_array_unmap(out);
		st = taf_missing_drop(out, e);
	}
	if (st != TAF_OK)
		return st;
	st = taf_expr_unit(&unit, want->expr, &over, e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "unit", TAF_OF_ARRAY, 0, unit.data, e);
	taf_buf_free(&unit);
	return st;
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	struct taf_program *const *program = m->plan;
	const struct taf_evaluate how = { .program = *program, .in = m->each, .nin = m->n,
	    .out = m->out, .w = m->w, .clip = want->clip };

	taf_remark_grids(m, 0, 2);
	return taf_evaluate(&how, m->service, e);
}

/* Names of the operands, and behind them the inputs of --let. */
static unsigned
name_inputs(struct cmd_run *run, const struct intent *want, const char *names[])
{
	static char letters[26][2], let[TAF_EXPR_INPUTS][64];
	const unsigned n = (unsigned)run->nfiles;
	unsigned k, i;

	if (n > 26)
		cmd_usage(run, "%u files, but 26 letters: --let names more", n);
	for (k = 0; k < n; k++) {
		letters[k][0] = (char)('a' + k);
		names[k] = letters[k];
	}
	for (i = 0; i < want->nlet; i++, k++) {
		const char *equals = strchr(want->let[i], '=');
		const size_t size = equals == NULL ? 0 : (size_t)(equals - want->let[i]);
		unsigned j;

		if (k == TAF_EXPR_INPUTS)
			cmd_usage(run, "more than %d inputs", (int)TAF_EXPR_INPUTS);
		if (size < sizeof let[i])
			memcpy(let[i], want->let[i], size);
		if (size >= sizeof let[i] || !taf_expr_is_name(let[i]) || equals[1] ==
		    '\0')
			cmd_usage(run, "--let %s: not NAME=FILE with a name that is free",
			    want->let[i]);
		for (j = 0; j < k; j++)
			if (strcmp(names[j], let[i]) == 0)
				cmd_usage(run, "--let %s: there is another %s",
				    want->let[i],
				    let[i]);
		names[k] = let[i];
	}
	return k;
}

static void
parse(struct cmd_run *run, struct intent *want)
{
	const char *const text = cmd_word(run, "the expression");
	const char *names[TAF_EXPR_INPUTS];
	unsigned n, k;

	/* without a file standard input is a, and with -n there is none */
	if (run->files[0] == NULL && want->size.ndim > 0)
		run->nfiles = 0;
	if (want->size.ndim > 0 && (run->nfiles > 0 || want->nlet > 0 || run->pick != 0))
		cmd_usage(run, "-n says the lengths where there is no input");
	n = name_inputs(run, want, names);
	cmd_check(run, taf_expr_parse(&want->expr, text, names, n, &run->err));
	/* what --let names may be all there is */
	if (run->files[0] == NULL && want->nlet > 0 && !taf_expr_uses(want->expr, 0)) {
		run->nfiles = 0;
		taf_expr_free(want->expr);
		n = name_inputs(run, want, names);
		cmd_check(run, taf_expr_parse(&want->expr, text, names, n, &run->err));
	}
	for (k = 0; k < want->nlet; k++)
		run->files[run->nfiles++] = strchr(want->let[k], '=') + 1;
	for (k = 0; k < n; k++)
		if (!taf_expr_uses(want->expr, k))
			cmd_usage(run, "%s: input %s is not used in the expression",
			    taf_in_called(run->files[k]), names[k]);
}

int
main(int argc, char **argv)
{
	static struct taf_program *program;
	static struct taf_array alone;
	static const struct cmd_filter math = { .join = resolve, .move = move,
		.plan = &program, .alone = &alone };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	const char *arg;
	int status;

	while (cmd_option(run, &want, &arg) != 0) {
		if (want.nlet == TAF_EXPR_INPUTS)
			cmd_usage(run, "more than %d inputs", (int)TAF_EXPR_INPUTS);
		want.let[want.nlet++] = arg;
	}
	want.typed = cmd_has(run, 't');
	if (cmd_has(run, 'a') && want.size.ndim == 0)
		cmd_usage(run, "-a gives a grid to what -n makes");
	if (want.size.open)
		cmd_usage(run,
		    "-n: a length is left out, and there is no input it follows from");
	cmd_check(run, taf_size_check(&want.size, &run->err));
	taf_array_init(&alone);
	if (want.size.ndim > 0)
		cmd_check(run, taf_size_settle(&want.size, TAF_FLT32, 0, false, &alone,
		    &run->err));
	cmd_check(run, taf_size_grid(&want.size, &alone, &run->err));
	parse(run, &want);
	status = cmd_filter(run, &math, &want);
	taf_program_free(program);
	taf_expr_free(want.expr);
	return status;
}
