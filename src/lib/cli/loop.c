/* SPDX-License-Identifier: ISC */
#include "cli/loop.h"

#include "cli/private.h"

struct taf_arrays
cmd_arrays(struct cmd_run *run, const char *const *files, int nfiles)
{
	return (struct taf_arrays){ .files = files, .nfiles = nfiles, .name = cmd_given,
		.seen = cmd_private_seen, .ctx = run, .pick = run->pick };
}

struct taf_arrays
cmd_arrays_of(struct cmd_run *run)
{
	struct taf_arrays all = cmd_arrays(run, run->files, run->nfiles);

	cmd_input(run);
	all.late = run->late && !run->named;
	return all;
}

/* An error of a step of one operand is named after it. */
static void
name(const struct taf_steps *s, struct taf_err *e)
{
	if (!s->together && s->n > 0)
		taf_err_name(e, taf_arrays_name(&s->lane[0].all));
}

static enum taf_status
check(const struct cmd_loop *l, const struct taf_steps *s, struct taf_err *e)
{
	enum taf_status st = taf_words_settle(&l->run->words,
	    s->n > 0 ? s->now[0].a : l->alone, e);

	return st == TAF_OK && l->check != NULL ? l->check(l->ctx, s, e) : st;
}

/* Has each lane an array, and is it the step that is wanted? */
static bool
is_whole(const struct cmd_loop *l, const struct taf_steps *s)
{
	unsigned k = 0;

	while (k < s->n && s->lane[k].all.number > 0)
		k++;
	return k == s->n && (l->run->pick == 0 || l->run->pick == s->step);
}

/* See all that can be seen now: a bad array shall cost no output, wherever it stands. */
static enum taf_status
look_ahead(const struct cmd_loop *l, struct taf_err *e)
{
	struct taf_arrays all = cmd_arrays(l->run, l->all.files, l->all.nfiles);
	struct taf_steps s = { .together = l->steps.together };
	enum taf_status st;

	all.ahead = true;
	st = taf_steps_open(&s, &all, e);
	while (st == TAF_OK) {
		st = taf_steps_next(&s, e);
		if (st == TAF_OK && is_whole(l, &s))
			st = check(l, &s, e);
		if (st != TAF_END)
			name(&s, e);
	}
	taf_steps_close(&s);
	return st == TAF_END ? TAF_OK : st;
}

/* Go to the first step, and look at what follows: before it, if that is another file. */
static enum taf_status
first(struct cmd_loop *l, struct taf_err *e)
{
	struct cmd_run *run = l->run;
	struct taf_steps *s = &l->steps;
	struct taf_arrays *all = &s->lane[0].all;
	bool looked = l->go_on;
	enum taf_status st = TAF_OK;

	if (run->list != NULL) {
		st = taf_arrays_list(all, run->list,
		    taf_memory_share(run->service.memory, TAF_BATCH), e);
		/* an index has all headers */
		looked = all->index != NULL;
	}
	if (st == TAF_OK && !looked && !s->together && l->all.nfiles > 1) {
		st = look_ahead(l, e);
		looked = true;
	}
	if (st == TAF_OK)
		st = taf_steps_next(s, e);
	/* what is behind the array that -N picks shall be sound, too */
	if (st == TAF_OK && !looked && (s->together ? taf_steps_more(s) :
	    taf_reader_more(all->r)) != TAF_NEXT_NO)
		st = look_ahead(l, e);
	return st == TAF_OK && s->together ? taf_steps_keep(s, e) : st;
}

static enum taf_status
step(struct cmd_loop *l, struct taf_err *e)
{
	struct taf_steps *s = &l->steps;
	enum taf_status st = taf_steps_begin(s, e);

	if (st == TAF_OK)
		st = check(l, s, e);
	if (st == TAF_OK)
		st = l->each(l->ctx, s, e);
	name(s, e);
	return st;
}

/* One array of an operand is done with, or has failed: then the rest of that goes. */
static enum taf_status
go_on(struct cmd_loop *l, enum taf_status st, struct taf_err *e)
{
	struct taf_arrays *all;

	cmd_private_tell(l->run, st == TAF_OK);
	if (st == TAF_OK || l->steps.n == 0)
		return st;
	all = &l->steps.lane[0].all;
	cmd_private_report(l->run, e);
	taf_arrays_pass(all);
	all->lost = true;
	return TAF_OK;
}

enum taf_status
cmd_loop(struct cmd_loop *l, struct taf_err *e)
{
	struct taf_steps *s = &l->steps;
	enum taf_status st = taf_steps_open(s, &l->all, e);
	bool last = false;

	if (st == TAF_OK)
		st = first(l, e);
	while (st != TAF_END) {
		if (st == TAF_OK && (s->pick == 0 || s->pick == s->step))
			st = step(l, e);
		if (l->go_on)
			st = go_on(l, st, e);
		last = s->pick == s->step;
		if (st != TAF_OK || last)
			break;
		st = taf_steps_next(s, e);
	}
	if (st == TAF_END)
		st = s->together ? taf_steps_finish(s, e) : TAF_OK;
	taf_steps_close(s);
	return st;
}
