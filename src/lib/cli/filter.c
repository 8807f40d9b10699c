/* Commands that make an array of each array. */
#include "cli/cmd.h"

#include "array/missing.h"
#include "cli/private.h"
#include "op/rearrange.h"
#include "stream/edit.h"
#include "stream/writer_private.h"

enum taf_status
cmd_rearrange(const struct cmd_move *m, struct taf_err *e)
{
	const struct taf_rearrange how = { .as = m->plan, .type = m->in->type, .r = m->r,
		.w = m->w, .memory = m->run->service.memory,
		.threads = taf_threads(&m->run->service) };

	return taf_rearrange(&how, e);
}

/* A filter at work. */
struct work {
	struct cmd_run *run;
	const struct cmd_filter *f;
	const void *intent;
	struct taf_array *out;	/* the array that goes out */
	struct taf_writer *w;
};

/* The array that goes out: a copy of in, as the filter wants it, and sound. */
static enum taf_status
resolve(const void *ctx, const struct taf_array *in, struct taf_err *e)
{
	const struct work *x = ctx;
	const struct cmd_filter *f = x->f;

	if (taf_array_copy(x->out, in, e) != TAF_OK ||
	    (f->resolve != NULL &&
	    f->resolve(x->intent, in, x->out, f->plan, e) != TAF_OK))
		return e->code;
	if ((x->run->self->flags & CMD_COMPUTES) == CMD_COMPUTES &&
	    taf_missing_drop(x->out, e) != TAF_OK)
		return e->code;
	return taf_array_check(x->out, e);
}

/* An array that is resolved. */
static enum taf_status
filter(const struct work *x, struct taf_array *in, struct taf_reader *r,
    enum taf_next next, struct taf_err *e)
{
	const struct cmd_filter *f = x->f;
	struct cmd_move m = { x->run, x->intent, f->plan, in, x->out, r, NULL };
	const bool late = taf_reader_late(r);
	enum taf_status st;

	if ((f->look != NULL && f->look(&m, x->out, e) != TAF_OK) ||
	    taf_writer_begin(x->w, x->out, next, e) != TAF_OK)
		return e->code;
	m.w = x->w;
	taf_watch(&x->run->service, x->w, NULL, taf_array_bytes(x->out));
	st = f->move != NULL ? f->move(&m, e) :
	    taf_writer_copy(x->w, r, taf_reader_left(r), e);
	taf_watch_end(&x->run->service);
	if (st != TAF_OK || taf_reader_finish(r, in, e) != TAF_OK)
		return e->code;
	/* the comment and the attributes have come behind the data */
	if (late && resolve(x, in, e) != TAF_OK)
		return e->code;
	if ((x->run->self->flags & CMD_VALUES) != 0 && taf_missing_first(x->out) == NULL)
		cmd_remark_missing(x->run, in);
	return taf_writer_end(x->w, x->out, e);
}

static enum taf_status
one_array(struct cmd_arrays *all, void *ctx, struct taf_err *e)
{
	return filter(ctx, &all->a, all->r, cmd_arrays_more(all), e);
}

/* Elements move: a new file takes the place of the old one, which is locked. */
static enum taf_status
rewrite(struct work *x, const char *file, struct taf_err *e)
{
	struct taf_sink sink = { .path = file, .format = TAF_FORMAT_TAF,
	    .in_place = true };
	struct taf_array in = { 0 };
	struct taf_reader *r = NULL;
	enum taf_status st;

	st = taf_reader_open(&r, file, TAF_NO_RECOVER, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &in, e);
	if (st == TAF_OK)
		st = taf_writer_open(&x->w, &sink, e);
	if (st == TAF_OK)
		st = filter(x, &in, r, TAF_NEXT_NO, e);
	st = taf_writer_settle(x->w, st, e);
	x->w = NULL;
	taf_reader_close(r);
	taf_array_fini(&in);
	return st;
}

static enum taf_status
in_place(struct work *x, const char *file, struct taf_err *e)
{
	const struct cmd_filter *f = x->f;
	const struct cmd_move m = { .run = x->run, .intent = x->intent, .plan = f->plan };
	struct taf_edit *ed = NULL;
	bool header = false;
	enum taf_status st;

	st = taf_edit_open(&ed, file, e);
	if (st == TAF_OK) {
		cmd_say_array(x->run, file, taf_edit_array(ed));
		st = taf_words_settle(&x->run->words, taf_edit_array(ed), e);
	}
	if (st == TAF_OK)
		st = resolve(x, taf_edit_array(ed), e);
	if (st == TAF_OK)
		header = f->move == NULL && taf_edit_fits(ed, x->out);
	if (st == TAF_OK && header && f->look != NULL)
		st = f->look(&m, x->out, e);
	if (st == TAF_OK)
		st = header ? taf_edit_header(ed, x->out, e) : rewrite(x, file, e);
	taf_err_name(e, file);
	taf_edit_close(ed);
	return st;
}

int
cmd_filter(struct cmd_run *run, const struct cmd_filter *f, const void *intent)
{
	struct taf_array out = { 0 };
	struct work x = { .run = run, .f = f, .intent = intent, .out = &out };
	struct cmd_arrays all = cmd_arrays_of(run);
	struct taf_err *e = &run->err;
	struct taf_sink sink;
	enum taf_status st;
	int i;

	for (i = 0; i < run->nfiles && run->in_place; i++) {
		st = in_place(&x, run->files[i], e);
		cmd_private_tell(run, st == TAF_OK);
		if (st != TAF_OK)
			cmd_report(run, NULL);
	}
	if (!run->in_place) {
		cmd_sink(run, &sink);
		/*
		 * the comment stands behind the elements of a TAF
		 * file, too; a look needs it before
		 */
		all.late = sink.format == TAF_FORMAT_TAF && f->look == NULL &&
		    !run->named;
		st = taf_writer_open(&x.w, &sink, e);
		if (st == TAF_OK)
			st = cmd_arrays_each(&all, resolve, one_array, &x, e);
		if (taf_writer_settle(x.w, st, e) != TAF_OK)
			cmd_report(run, NULL);
	}
	taf_array_fini(&out);
	return cmd_end(run);
}
