/* SPDX-License-Identifier: ISC */
/* Commands that make an array of each array, or one of several that come together. */
#include "cli/cmd.h"

#include "array/columns.h"
#include "array/missing.h"
#include "cli/loop.h"
#include "cli/private.h"
#include "stream/edit_private.h"
#include "stream/writer_private.h"

/* A filter at work. */
struct work {
	struct cmd_run *run;
	const struct cmd_filter *f;
	const void *intent;
	struct taf_array out;	/* the array that goes out */
	struct taf_writer *w;
};

/* The one of several, of which the first is in out. */
static enum taf_status
join(struct work *x, const struct taf_steps *s, struct taf_err *e)
{
	const struct taf_array *first = s->n > 0 ? s->now[0].a : NULL;
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 1; k < s->n && st == TAF_OK; k++) {
		st = taf_words_agree(&x->run->words, first, s->now[k].a, e);
		taf_err_name(e, taf_arrays_name(&s->lane[k].all));
	}
	for (k = 1; k < s->n && st == TAF_OK && !x->f->first; k++) {
		st = taf_array_extend(&x->out, s->now[k].a, e);
		taf_err_name(e, taf_arrays_name(&s->lane[k].all));
	}
	return st == TAF_OK ?
	    x->f->join(x->intent, s, &x->out, x->f->plan, e) : st;
}

/* The array that goes out: a copy of what comes, as the filter wants it, and sound. */
static enum taf_status
resolve(void *ctx, const struct taf_steps *s, struct taf_err *e)
{
	struct work *x = ctx;
	const struct cmd_filter *f = x->f;
	const struct taf_array *in = s->n > 0 ? s->now[0].a : f->alone;
	enum taf_status st = taf_array_copy(&x->out, in, e);
	struct taf_err aside;

	if (st == TAF_OK && f->join != NULL)
		st = join(x, s, e);
	else if (st == TAF_OK && f->resolve != NULL)
		st = f->resolve(x->intent, in, &x->out, f->plan, e);
	taf_columns_settle(&x->out, in);
	if (st == TAF_OK && (x->run->self->flags & CMD_COMPUTES) == CMD_COMPUTES)
		st = taf_missing_drop(&x->out, e);
	if (st == TAF_OK)
		st = taf_array_check(&x->out, e);
	/* grids overflow; bad ones that come in may be what is mended */
	return st == TAF_OK && taf_array_grids(in, &aside) == TAF_OK ?
	    taf_array_grids(&x->out, e) : st;
}

/* The elements of a step, whose array is begun. */
static enum taf_status
move(struct work *x, const struct taf_move *m, const struct taf_steps *s,
    struct taf_err *e)
{
	enum taf_status st;

	taf_watch(&x->run->service, x->w, NULL, taf_array_bytes(&x->out));
	st = x->f->move != NULL ? x->f->move(m, e) :
	    taf_writer_copy(x->w, m->r, taf_reader_left(m->r), e);
	taf_watch_end(&x->run->service);
	if (s->n == 1)
		taf_err_name(e, taf_arrays_name(&s->lane[0].all));
	return st;
}

/* A step that is resolved. */
static enum taf_status
filter(void *ctx, struct taf_steps *s, struct taf_err *e)
{
	struct work *x = ctx;
	const struct cmd_filter *f = x->f;
	struct taf_forecast *const fore = &x->run->priv->forecast;
	const bool plan = x->run->plan;
	struct taf_move m = { .service = &x->run->service, .intent = x->intent,
		.plan = f->plan, .out = &x->out, .in = s->now[0].a, .r = s->now[0].r,
		.each = s->now, .name = s->name, .n = s->n };
	const bool late = !plan && s->n == 1 && taf_reader_late(m.r);
	unsigned k;

	if (plan && fore->changes && taf_edit_takes(s->now[0].r, e) != TAF_OK)
		return e->code;
	if (plan)
		taf_forecast_ask(fore, s, f->look != NULL);
	if (f->look != NULL && f->look(&m, &x->out, e) != TAF_OK &&
	    !(plan && taf_forecast_vague(fore, e)))
		return e->code;
	m.w = x->w;
	if (taf_writer_begin(x->w, &x->out, s->pick != 0 ? TAF_NEXT_NO :
	    taf_steps_more(s), e) != TAF_OK)
		return plan ? taf_forecast_move(fore, f->move, &m, e) : e->code;
	if (move(x, &m, s, e) != TAF_OK || taf_steps_end(s, e) != TAF_OK)
		return e->code;
	/* the comment and the attributes have come behind the data */
	if (late && resolve(x, s, e) != TAF_OK)
		return e->code;
	for (k = 0; (x->run->self->flags & CMD_VALUES) != 0 && k < s->n &&
	    taf_missing_first(&x->out) == NULL; k++)
		cmd_remark_missing(x->run, s->now[k].a);
	return taf_writer_end(x->w, &x->out, e);
}

/* Elements move: a new file takes the place of the old one, which is locked. */
static enum taf_status
rewrite(struct work *x, const char *file, struct taf_err *e)
{
	const struct taf_sink sink = { .path = file, .format = TAF_FORMAT_TAF,
	    .in_place = true };
	struct taf_lane lane = { .all = { .files = &file, .nfiles = 1, .picked = true } };
	struct taf_arrays *const all = &lane.all;
	struct taf_operand now = { .a = &all->a };
	struct taf_steps s = { .lane = &lane, .now = &now, .n = 1 };
	enum taf_status st;

	st = taf_reader_open(&all->r, file, TAF_NO_RECOVER, e);
	if (st == TAF_OK)
		st = taf_reader_next(all->r, &all->a, e);
	now.r = all->r;
	if (st == TAF_OK)
		st = taf_writer_open(&x->w, &sink, e);
	if (st == TAF_OK)
		st = filter(x, &s, e);
	st = taf_writer_settle(x->w, st, e);
	x->w = NULL;
	taf_arrays_close(all);
	return st;
}

static enum taf_status
in_place(struct work *x, const char *file, struct taf_err *e)
{
	const struct cmd_filter *f = x->f;
	const struct taf_move m = { .service = &x->run->service, .intent = x->intent,
		.plan = f->plan };
	struct taf_operand now = { 0 };
	const struct taf_steps s = { .now = &now, .n = 1 };
	struct taf_edit *ed = NULL;
	bool header = false;
	enum taf_status st;

	st = taf_edit_open(&ed, file, e);
	if (st == TAF_OK) {
		now.a = taf_edit_array(ed);
		cmd_say_array(x->run, file, now.a);
		st = taf_words_settle(&x->run->words, now.a, e);
	}
	if (st == TAF_OK)
		st = resolve(x, &s, e);
	if (st == TAF_OK)
		header = f->move == NULL && taf_edit_fits(ed, &x->out);
	if (st == TAF_OK && header && f->look != NULL)
		st = f->look(&m, &x->out, e);
	if (st == TAF_OK)
		st = header ? taf_edit_header(ed, &x->out, e) : rewrite(x, file, e);
	taf_err_name(e, file);
	taf_edit_close(ed);
	return st;
}

/* To the output. */
static enum taf_status
run_all(struct work *x, struct taf_err *e)
{
	struct cmd_run *run = x->run;
	struct cmd_loop l = { .run = run, .all = cmd_arrays_of(run), .check = resolve,
		.each = filter, .ctx = x, .alone = x->f->alone };
	struct taf_sink sink;
	enum taf_status st;

	cmd_sink(run, &sink);
	if (x->f->join != NULL) {
		cmd_one_input(run, NULL, 0);
		l.steps.together = true;
		l.steps.pick = run->pick;
	}
	/* the comment stands behind the elements of a TAF file, too; a look needs it */
	l.all.late = sink.format == TAF_FORMAT_TAF && x->f->look == NULL && !run->named &&
	    !run->plan;
	st = taf_writer_open(&x->w, &sink, e);
	if (st == TAF_OK)
		st = cmd_loop(&l, e);
	return taf_writer_settle(x->w, st, e);
}

int
cmd_filter(struct cmd_run *run, const struct cmd_filter *f, const void *intent)
{
	struct work x = { .run = run, .f = f, .intent = intent };
	enum taf_status st;
	int i;

	for (i = 0; i < run->nfiles && run->in_place; i++) {
		st = in_place(&x, run->files[i], &run->err);
		cmd_private_tell(run, st == TAF_OK);
		if (st != TAF_OK)
			cmd_report(run, NULL);
	}
	if (!run->in_place && run_all(&x, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	taf_array_fini(&x.out);
	return cmd_end(run);
}
