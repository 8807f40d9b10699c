#include "cli/combine.h"

#include <stdlib.h>

#include "array/missing.h"
#include "base/endian.h"
#include "cli/private.h"
#include "stream/spool.h"
#include "stream/writer_private.h"

/* An operand. */
struct input {
	struct cmd_arrays all;
	bool once;			/* it has one array, which serves all steps */
	struct taf_array first;		/* that, when all has gone on to its end */
	struct taf_reader *spool;	/* the elements of that, if a pipe gave them */
	struct taf_reader *again;	/* those elements in the present step */
};

/* All operands, which advance together. */
struct inputs {
	struct cmd_run *run;
	struct input *in;
	struct taf_operand *now;	/* what a step gets */
	unsigned n;
	uint64_t step;			/* from 1 */
	bool ahead;			/* see struct cmd_arrays: some may be missing */
};

static enum taf_status
open_inputs(struct inputs *s, struct cmd_run *run, bool ahead, struct taf_err *e)
{
	cmd_one_input(run, NULL, 0);
	s->run = run;
	s->ahead = ahead;
	s->in = calloc((size_t)run->nfiles + 1, sizeof *s->in);
	s->now = calloc((size_t)run->nfiles + 1, sizeof *s->now);
	if (s->in == NULL || s->now == NULL)
		return taf_fail_mem(e);
	for (; s->n < (unsigned)run->nfiles; s->n++) {
		struct cmd_arrays *all = &s->in[s->n].all;

		*all = cmd_arrays_of(run);
		all->files = &run->files[s->n];
		all->nfiles = 1;
		all->pick = 0;
		all->late = false;
		all->ahead = ahead;
	}
	return TAF_OK;
}

static void
close_inputs(struct inputs *s)
{
	unsigned k;

	for (k = 0; k < s->n; k++) {
		taf_reader_close(s->in[k].again);
		taf_reader_close(s->in[k].spool);
		cmd_arrays_close(&s->in[k].all);
		taf_array_fini(&s->in[k].first);
	}
	free(s->in);
	free(s->now);
}

/* Some operands have ended, but not this one: tell how many each has. */
static enum taf_status
differ(struct inputs *s, struct input *longer, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	const struct input *other;

	while (st == TAF_OK)
		st = cmd_arrays_next(&longer->all, e);
	if (st != TAF_END)
		return st;
	for (other = s->in; other->once || other->all.r != NULL ||
	    other->all.number == 0 || other == longer; other++)
		;
	st = taf_fail(e, TAF_EDATA, "%llu arrays, but %s has %llu",
	    (unsigned long long)longer->all.number, cmd_arrays_name(&other->all),
	    (unsigned long long)other->all.number);
	taf_err_name(e, cmd_arrays_name(&longer->all));
	return st;
}

/* Go on to the next array of one operand; TAF_END where that is its end. */
static enum taf_status
advance(struct inputs *s, struct input *in, struct taf_err *e)
{
	enum taf_status st;

	if (s->step == 2 && in->all.number == 1) {
		in->once = cmd_arrays_more(&in->all) == TAF_NEXT_NO;
		if (in->once)
			return TAF_END;
		taf_array_move(&in->first, &in->all.a);
	}
	st = cmd_arrays_next(&in->all, e);
	if (s->step == 2)
		in->once = st == TAF_END && in->all.number == 1;
	if (st == TAF_OK) {
		taf_reader_close(in->spool);
		in->spool = NULL;
	}
	return st;
}

/* The next array of each operand that has several; TAF_END behind the last. */
static enum taf_status
next_step(struct inputs *s, struct taf_err *e)
{
	struct input *live = NULL;
	bool ended = false;
	unsigned k;

	s->step++;
	if (s->n == 0)
		return s->step == 1 ? TAF_OK : TAF_END;
	for (k = 0; k < s->n; k++) {
		struct input *in = &s->in[k];
		enum taf_status st = in->once ? TAF_END : advance(s, in, e);

		if (st == TAF_OK)
			live = in;
		else if (st != TAF_END)
			return st;
		else if (!in->once && in->all.number > 0)
			ended = true;
		s->now[k].a = in->once && in->all.r == NULL ? &in->first : &in->all.a;
		s->now[k].as = TAF_FLT64;
	}
	return live == NULL ? TAF_END : ended ? differ(s, live, e) : TAF_OK;
}

/* Does a step follow the present one? */
static enum taf_next
more_steps(const struct inputs *s)
{
	enum taf_next next = TAF_NEXT_NO;
	unsigned k;

	for (k = 0; k < s->n; k++) {
		enum taf_next more = s->in[k].once ? TAF_NEXT_NO :
		    cmd_arrays_more(&s->in[k].all);

		if (more == TAF_NEXT_YES)
			return more;
		if (more == TAF_NEXT_UNKNOWN)
			next = more;
	}
	return next;
}

static enum taf_status
resolve(const struct cmd_combine *c, const void *intent, const struct inputs *s,
    struct taf_array *out, struct taf_err *e)
{
	const struct taf_array *first = s->n == 0 ? c->alone : s->now[0].a;
	enum taf_status st = taf_words_settle(&s->run->words, first, e);
	unsigned k;

	if (st == TAF_OK)
		st = taf_array_copy(out, first, e);
	for (k = 1; k < s->n && st == TAF_OK && s->run->named; k++) {
		st = taf_words_agree(&s->run->words, first, s->now[k].a, e);
		taf_err_name(e, cmd_arrays_name(&s->in[k].all));
	}
	for (k = 1; k < s->n && st == TAF_OK && !c->first; k++) {
		st = taf_array_extend(out, s->now[k].a, e);
		taf_err_name(e, cmd_arrays_name(&s->in[k].all));
	}
	if (st == TAF_OK)
		st = c->resolve(intent, s->now, s->n, out, c->plan, e);
	if (st == TAF_OK && (s->run->self->flags & CMD_COMPUTES) == CMD_COMPUTES)
		st = taf_missing_drop(out, e);
	return st == TAF_OK ? taf_array_check(out, e) : st;
}

/* See all that can be seen of what follows the first step. */
static enum taf_status
look_ahead(struct cmd_run *run, const struct cmd_combine *c, const void *intent,
    struct taf_err *e)
{
	struct taf_array out = { 0 };
	struct inputs s = { 0 };
	bool whole = true;
	enum taf_status st = open_inputs(&s, run, true, e);
	unsigned k;

	while (st == TAF_OK && (st = next_step(&s, e)) == TAF_OK) {
		for (k = 0; k < s.n; k++)
			whole = whole && s.in[k].all.number > 0;
		if (whole && (run->pick == 0 || run->pick == s.step))
			st = resolve(c, intent, &s, &out, e);
	}
	close_inputs(&s);
	taf_array_fini(&out);
	return st == TAF_END ? TAF_OK : st;
}

/* The elements of a pipe, where they can be read again and again. */
static enum taf_status
spool(struct input *in, struct taf_err *e)
{
	const struct cmd_arrays *all = &in->all;
	struct taf_spool file;
	struct taf_in *from;
	enum taf_status st = taf_spool_begin(&file, e);

	if (st == TAF_OK)
		st = taf_reader_copy(all->r, file.out, taf_reader_left(all->r), e);
	st = taf_spool_end(&file, st, cmd_arrays_name(all), &from, e);
	if (st == TAF_OK)
		st = taf_reader_raw(&in->spool, from, &all->a, taf_host_is_big(), e);
	return st == TAF_OK ? taf_reader_random(in->spool, e) : st;
}

/* An operand that may have one array keeps it, where another may have several. */
static enum taf_status
keep_first(struct inputs *s, struct taf_err *e)
{
	unsigned k, several = 0;
	enum taf_status st = TAF_OK;

	for (k = 0; k < s->n; k++)
		several += cmd_arrays_more(&s->in[k].all) != TAF_NEXT_NO;
	for (k = 0; k < s->n && st == TAF_OK; k++) {
		struct input *in = &s->in[k];
		const enum taf_next more = cmd_arrays_more(&in->all);

		if (more == TAF_NEXT_YES || several == (more == TAF_NEXT_UNKNOWN))
			continue;
		if (more == TAF_NEXT_NO && taf_reader_sure(in->all.r))
			st = taf_reader_random(in->all.r, e);
		else
			st = spool(in, e);
		taf_err_name(e, cmd_arrays_name(&in->all));
	}
	return st;
}

/* A reader for each operand of the present step. */
static enum taf_status
open_step(struct inputs *s, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < s->n && st == TAF_OK; k++) {
		struct input *in = &s->in[k];
		const struct taf_reader *kept = in->spool != NULL ? in->spool :
		    in->once ? in->all.r : NULL;

		s->now[k].r = in->all.r;
		if (kept == NULL)
			continue;
		st = taf_reader_again(&in->again, kept, s->now[k].a, e);
		s->now[k].r = in->again;
	}
	return st;
}

static enum taf_status
close_step(struct inputs *s, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < s->n && st == TAF_OK; k++) {
		taf_reader_close(s->in[k].again);
		s->in[k].again = NULL;
		if (s->in[k].all.r != NULL)
			st = taf_reader_finish(s->in[k].all.r, &s->in[k].all.a, e);
		taf_err_name(e, cmd_arrays_name(&s->in[k].all));
	}
	return st;
}

static enum taf_status
run_step(struct inputs *s, const struct cmd_combine *c, const void *intent,
    struct taf_array *out, struct taf_writer *w, struct taf_err *e)
{
	const struct cmd_step step = { s->run, intent, c->plan, s->now, s->n, out, w };
	const bool late = s->n > 0 && s->in[0].all.late &&
	    taf_reader_late(s->in[0].all.r);
	enum taf_status st;
	unsigned k;

	if (open_step(s, e) != TAF_OK || resolve(c, intent, s, out, e) != TAF_OK ||
	    taf_writer_begin(w, out, s->run->pick != 0 ? TAF_NEXT_NO : more_steps(s),
	    e) != TAF_OK)
		return e->code;
	taf_watch(&s->run->service, w, NULL, taf_array_bytes(out));
	st = c->move(&step, e);
	taf_watch_end(&s->run->service);
	if (s->n == 1)
		taf_err_name(e, cmd_arrays_name(&s->in[0].all));
	if (st != TAF_OK || close_step(s, e) != TAF_OK)
		return e->code;
	/* the comment and the attributes have come behind the data */
	if (late && resolve(c, intent, s, out, e) != TAF_OK)
		return e->code;
	for (k = 0; (s->run->self->flags & CMD_VALUES) != 0 && k < s->n &&
	    taf_missing_first(out) == NULL; k++)
		cmd_remark_missing(s->run, s->now[k].a);
	return taf_writer_end(w, out, e);
}

/* All steps are done, or the one that is wanted is not there. */
static enum taf_status
finish(struct inputs *s, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	const char *file = s->run->files[0];
	unsigned k;

	for (k = 0; k < s->n && st == TAF_OK; k++) {
		if (s->in[k].all.r != NULL)
			st = cmd_arrays_last(&s->in[k].all, e);
		if (!s->in[k].once)
			file = s->run->files[k];
		taf_err_name(e, cmd_arrays_name(&s->in[k].all));
	}
	return st != TAF_OK || s->run->pick == 0 ? st :
	    cmd_private_not_there(s->run->pick, file, s->step - 1, false, e);
}

/* All that can be refused before output begins, and the first step. */
static enum taf_status
start(struct inputs *s, const struct cmd_combine *c, const void *intent,
    const struct taf_sink *sink, struct taf_writer **w, struct taf_err *e)
{
	struct cmd_run *run = s->run;
	enum taf_status st;

	if (open_inputs(s, run, false, e) != TAF_OK ||
	    taf_writer_open(w, sink, e) != TAF_OK)
		return e->code;
	/* of several, the comment of the first would come before the others are read */
	s->in[0].all.late = s->n == 1 && sink->format == TAF_FORMAT_TAF && !run->named;
	st = next_step(s, e);
	if (st == TAF_OK && more_steps(s) != TAF_NEXT_NO)
		st = look_ahead(run, c, intent, e);
	return st == TAF_OK ? keep_first(s, e) : st;
}

void
cmd_remark_grids(const struct cmd_step *s, unsigned but, uint64_t least)
{
	unsigned i, k;

	for (i = 1; i < s->nin; i++) {
		const struct taf_array *a = s->in[i].a;

		for (k = 1; k <= a->ndim; k++)
			if (k != but && a->dim[k - 1].n >= least &&
			    !taf_array_same_grid(s->out, a, k, 1e-6))
				break;
		if (k <= a->ndim)
			cmd_remark(s->run,
			    "%s: dimension %u: its grid is not that of the result",
			    cmd_name(s->run->files[i]), k);
	}
}

int
cmd_combine(struct cmd_run *run, const struct cmd_combine *c, const void *intent)
{
	struct taf_err *e = &run->err;
	struct taf_array out = { 0 };
	struct taf_writer *w = NULL;
	struct inputs s = { .run = run };
	struct taf_sink sink;
	enum taf_status st;

	cmd_sink(run, &sink);
	st = start(&s, c, intent, &sink, &w, e);
	while (st == TAF_OK) {
		if (run->pick == 0 || run->pick == s.step)
			st = run_step(&s, c, intent, &out, w, e);
		if (st == TAF_OK && run->pick == s.step)
			break;
		if (st == TAF_OK)
			st = next_step(&s, e);
	}
	if (st == TAF_END)
		st = finish(&s, e);
	if (taf_writer_settle(w, st, e) != TAF_OK)
		cmd_report(run, NULL);
	close_inputs(&s);
	taf_array_fini(&out);
	return cmd_end(run);
}
