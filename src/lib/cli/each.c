/* SPDX-License-Identifier: ISC */
/* Commands that see one array after the other: those that print, and others. */
#include "cli/cmd.h"

#include "cli/loop.h"
#include "cli/private.h"

/* What a command does with an array. */
struct work {
	struct cmd_run *run;
	cmd_array_check *check;
	cmd_array_each *each;
	void *ctx;
	bool prints;		/* to run->out */
	bool closed;		/* run->out cannot be opened */
};

static enum taf_status
check(void *ctx, const struct taf_steps *s, struct taf_err *e)
{
	const struct work *x = ctx;

	return x->check != NULL ? x->check(x->ctx, s->now[0].a, e) : TAF_OK;
}

static enum taf_status
each(void *ctx, struct taf_steps *s, struct taf_err *e)
{
	struct work *x = ctx;
	struct taf_arrays *all = &s->lane[0].all;
	enum taf_status st;

	x->closed = x->prints && cmd_out(x->run) == NULL;
	if (x->closed)
		return TAF_END;
	if (x->run->plan)
		taf_forecast_each(&x->run->priv->forecast, s, x->prints);
	st = x->each(x->run, all, x->ctx, e);
	if (x->run->plan && x->prints)
		return taf_forecast_step(&x->run->priv->forecast, st, e);
	if (st == TAF_OK && x->prints && (x->run->self->flags & CMD_VALUES) != 0)
		cmd_remark_missing(x->run, &all->a);
	return st;
}

static enum taf_status
run_all(struct work *x, bool go_on, struct taf_err *e)
{
	struct cmd_loop l = { .run = x->run, .all = cmd_arrays_of(x->run), .go_on = go_on,
		.check = check, .each = each, .ctx = x };

	return cmd_loop(&l, e);
}

enum taf_status
cmd_arrays_each(struct cmd_run *run, cmd_array_check *check_array,
    cmd_array_each *each_array, void *ctx, struct taf_err *e)
{
	struct work x = { run, check_array, each_array, ctx, false, false };

	return run_all(&x, false, e);
}

int
cmd_each(struct cmd_run *run, cmd_array_each *each_array, void *ctx)
{
	struct work x = { run, NULL, each_array, ctx, true, false };

	cmd_input(run);
	if (cmd_out(run) != NULL && run_all(&x, true, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}

int
cmd_export(struct cmd_run *run, cmd_array_check *check_array, cmd_array_each *each_array,
    void (*done)(struct cmd_run *run, void *ctx), void *ctx)
{
	struct work x = { run, check_array, each_array, ctx, true, false };

	cmd_input(run);
	cmd_private_check_out(run);
	if (run_all(&x, false, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	else if (done != NULL && !x.closed && !run->plan)
		done(run, ctx);
	return cmd_end(run);
}
