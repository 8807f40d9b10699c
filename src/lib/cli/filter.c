/* Commands that make an array of each array, and where these go. */
#include "cli/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/missing.h"
#include "cli/private.h"
#include "io/names.h"
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

/* Would header and elements be written to one file? */
static bool
one_file(const struct cmd_run *run, const struct stat *out)
{
	struct stat data, st;

	if (run->output != NULL && strcmp(run->output, run->data) == 0)
		return true;
	if (stat(run->data, &data) != 0 || !S_ISREG(data.st_mode))
		return false;
	if (run->output != NULL && stat(run->output, &st) != 0)
		return false;
	if (run->output != NULL)
		out = &st;
	return data.st_dev == out->st_dev && data.st_ino == out->st_ino;
}

/* Is it one of the files that are read? */
static bool
is_input(const struct cmd_run *run, const struct stat *inputs, const char *path)
{
	struct stat st;
	int i;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	for (i = 0; i < run->nfiles; i++)
		if (inputs[i].st_ino == st.st_ino && inputs[i].st_dev == st.st_dev &&
		    S_ISREG(inputs[i].st_mode))
			return true;
	return false;
}

/* Of several files that are written none may be one that is read. */
static void
refuse_inputs(struct cmd_run *run, const struct taf_sink *sink)
{
	const bool numbered = run->output != NULL && taf_sink_numbered(run->output);
	struct stat *inputs = NULL;
	struct taf_names there = { 0 };
	size_t k;
	int i;

	if (!numbered && sink->data == NULL)
		return;
	inputs = calloc((size_t)run->nfiles + 1, sizeof *inputs);
	if (inputs == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	for (i = 0; i < run->nfiles && inputs != NULL; i++) {
		const char *file = run->files[i];

		if (file == NULL || strcmp(file, "-") == 0 ?
		    fstat(0, &inputs[i]) != 0 : stat(file, &inputs[i]) != 0)
			inputs[i].st_mode = 0;
	}
	if (sink->data != NULL && is_input(run, inputs, sink->data))
		cmd_usage(run, "--out: %s is an input", sink->data);
	/* of a folder that may not be listed no names are known */
	if (numbered && taf_sink_there(run->output, &there, &run->err) != TAF_OK)
		taf_err_clear(&run->err);
	for (k = 0; k < there.n; k++)
		if (is_input(run, inputs, there.name[k]))
			cmd_usage(run, "-o %s: %s is an input", run->output,
			    there.name[k]);
	taf_names_free(&there);
	free(inputs);
}

void
cmd_sink(struct cmd_run *run, struct taf_sink *sink)
{
	const char *base, *name = cmd_stdout_name();
	struct stat st = { 0 };
	bool known = fstat(1, &st) == 0;

	memset(sink, 0, sizeof *sink);
	sink->path = run->output;
	sink->data = run->data;
	sink->history = run->history;
	sink->format = run->format == TAF_FORMAT_TAF ? TAF_FORMAT_TAF : TAF_FORMAT_RSF;
	if (run->output != NULL && run->format < 0) {
		base = strrchr(run->output, '/');
		if (strstr(base != NULL ? base : run->output, ".taf") != NULL)
			sink->format = TAF_FORMAT_TAF;
	}
	if (run->output == NULL && run->format < 0 && name != NULL) {
		bool taf = cmd_private_ends(name, ".taf");
		bool rsf = run->data != NULL || cmd_private_ends(name, ".rsf");

		if ((run->self->flags & CMD_TO_TAF) != 0 && (taf || !rsf))
			sink->format = TAF_FORMAT_TAF;
		else if (taf)
			cmd_usage(run, "standard output is %s: use -o or -F taf", name);
	}
	/*
	 * a TAF file has its elements in it, and Flow() adds
	 * --out to whatever stands last
	 */
	if (sink->format == TAF_FORMAT_TAF)
		sink->data = NULL;
	if (sink->data != NULL && one_file(run, &st))
		cmd_usage(run, "--out: %s is the output", run->data);
	refuse_inputs(run, sink);
	cmd_say(run, "%s: written as %s", run->output != NULL ? run->output :
	    "standard output", sink->format == TAF_FORMAT_TAF ? "TAF" : "RSF");
	if (sink->data != NULL && run->output == NULL && known &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		cmd_usage(run,
		    "--out: standard output is a pipe: its elements follow the header");
	if (sink->data == NULL && run->output == NULL && !run->force && isatty(1) == 1)
		cmd_usage(run, "binary data to a terminal: use -o, a pipe, or -f");
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
		st = cmd_settle(x->run, taf_edit_array(ed), e);
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
