/* The loop over the arrays of all operands. */
#include "cli/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/private.h"
#include "stream/edit.h"

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

void
cmd_sink(struct cmd_run *run, struct taf_sink *sink)
{
	const char *base;
	char room[4096];
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
	if (run->output == NULL && run->format < 0 && known && S_ISREG(st.st_mode)) {
		const char *name = cmd_private_stdout(room, sizeof room);
		bool taf = cmd_private_ends(name, ".taf");
		bool rsf = run->data != NULL || cmd_private_ends(name, ".rsf");

		if ((run->self->flags & CMD_TO_TAF) != 0 && (taf || !rsf))
			sink->format = TAF_FORMAT_TAF;
		else if (taf)
			cmd_usage(run, "standard output is %s: use -o or -F taf", name);
	}
	/* a TAF file has its elements in it, and Flow() adds --out to whatever stands last */
	if (sink->format == TAF_FORMAT_TAF)
		sink->data = NULL;
	if (sink->data != NULL && one_file(run, &st))
		cmd_usage(run, "--out: %s is the output", run->data);
	cmd_say(run, "%s: written as %s", run->output != NULL ? run->output :
	    "standard output", sink->format == TAF_FORMAT_TAF ? "TAF" : "RSF");
	if (sink->data != NULL && run->output == NULL && known &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		cmd_usage(run, "--out: standard output is a pipe: its elements follow the header");
	if (sink->data == NULL && run->output == NULL && !run->force && isatty(1) == 1)
		cmd_usage(run, "binary data to a terminal: use -o, a pipe, or -f");
}

unsigned
cmd_reader_flags(const struct taf_sink *sink)
{
	return sink->format == TAF_FORMAT_TAF ? TAF_LATE_COMMENT : 0;
}

/* Can an operand be read twice?  Not a pipe; what cannot be opened is told by opening it. */
static bool
read_twice(const char *file)
{
	struct stat sb;

	if (file == NULL || strcmp(file, "-") == 0)
		return fstat(0, &sb) == 0 && S_ISREG(sb.st_mode);
	return stat(file, &sb) != 0 || S_ISREG(sb.st_mode);
}

/* A copy of in, as the filter wants it, and sound. */
static enum taf_status
resolve(const struct cmd_filter *f, const void *intent, const struct taf_array *in,
    struct taf_array *out, struct taf_err *e)
{
	enum taf_status st = taf_array_copy(out, in, e);

	if (st == TAF_OK)
		st = f->resolve(intent, in, out, f->plan, e);
	if (st == TAF_OK)
		st = taf_array_check(out, e);
	return st;
}

/*
 * Look at every operand that is a regular file.  A pipe can be read once, and how many
 * arrays it has is not known: with -N nothing behind it can be counted.
 */
static enum taf_status
each_regular(struct cmd_run *run, enum taf_status (*look)(struct cmd_run *run,
    const char *file, void *ctx, struct taf_err *e), void *ctx, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int i;

	for (i = 0; i < run->nfiles && st == TAF_OK; i++) {
		const char *file = run->files[i];
		bool named = file != NULL && strcmp(file, "-") != 0;

		if (!read_twice(file)) {
			if (run->pick != 0)
				break;
			continue;
		}
		st = look(run, file, ctx, e);
		taf_err_name(e, named ? file : "standard input");
	}
	return st;
}

/* What is asked of each array that comes. */
struct array_check {
	enum taf_status (*check)(const void *ctx, const struct taf_array *a,
	    struct taf_err *e);
	const void *ctx;
	uint64_t number;	/* arrays seen */
};

static enum taf_status
check_arrays(struct cmd_run *run, const char *file, void *ctx, struct taf_err *e)
{
	struct array_check *c = ctx;
	struct taf_array a = { 0 };
	struct taf_reader *r = NULL;
	enum taf_status st = taf_reader_open(&r, file, 0, e);

	while (st == TAF_OK) {
		st = taf_reader_next(r, &a, e);
		if (st == TAF_OK && (run->pick == 0 || ++c->number == run->pick))
			st = c->check(c->ctx, &a, e);
		/* one array alone is looked at again in a moment */
		if (st == TAF_OK && run->nfiles == 1 && taf_reader_more(r) != TAF_NEXT_YES)
			break;
	}
	taf_reader_close(r);
	taf_array_fini(&a);
	return st == TAF_END ? TAF_OK : st;
}

/* A bad operand shall cost no output, wherever it stands. */
static enum taf_status
look_ahead(struct cmd_run *run, enum taf_status (*check)(const void *ctx,
    const struct taf_array *a, struct taf_err *e), const void *ctx, struct taf_err *e)
{
	struct array_check c = { check, ctx, 0 };

	return each_regular(run, check_arrays, &c, e);
}

/* What look_ahead asks of a filter. */
struct filter_check {
	const struct cmd_filter *f;
	const void *intent;
};

static enum taf_status
check_filter(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct filter_check *c = ctx;
	struct taf_array out = { 0 };
	enum taf_status st = resolve(c->f, c->intent, a, &out, e);

	taf_array_fini(&out);
	return st;
}

static enum taf_status
one_array(struct cmd_run *run, const struct cmd_filter *f, const void *intent,
    struct taf_array *in, struct taf_array *out, struct taf_reader *r,
    enum taf_next next, struct taf_writer *w, struct taf_err *e)
{
	const struct cmd_move m = { run, intent, f->plan, in, out, r, w };
	const bool late = taf_reader_late(r);
	enum taf_status st;

	st = resolve(f, intent, in, out, e);
	if (st == TAF_OK)
		st = taf_writer_begin(w, out, next, e);
	if (st == TAF_OK)
		taf_watch(&run->service, w, NULL, taf_array_bytes(out));
	if (st == TAF_OK && f->move == NULL)
		st = taf_writer_copy(w, r, taf_reader_left(r), e);
	else if (st == TAF_OK)
		st = f->move(&m, e);
	taf_watch_end(&run->service);
	if (st == TAF_OK)
		st = taf_reader_finish(r, in, e);
	/* the comment and the attributes have come behind the data */
	if (st == TAF_OK && late)
		st = resolve(f, intent, in, out, e);
	if (st == TAF_OK)
		st = taf_writer_end(w, out, e);
	return st;
}

static enum taf_status
not_there(const struct cmd_run *run, uint64_t number, struct taf_err *e)
{
	const char *last = run->files[run->nfiles - 1];
	enum taf_status st;

	st = taf_fail(e, TAF_EDATA, "array %llu is wanted, but there are %llu%s",
	    (unsigned long long)run->pick, (unsigned long long)number,
	    run->nfiles > 1 ? " up to its end" : "");
	taf_err_name(e, last != NULL && strcmp(last, "-") != 0 ? last : "standard input");
	return st;
}

/* The next array, with a remark where its file holds more than the header says. */
static enum taf_status
next_array(struct cmd_run *run, const char *file, struct taf_reader *r, struct taf_array *a,
    struct taf_err *e)
{
	enum taf_status st = taf_reader_next(r, a, e);

	if (st == TAF_OK && taf_reader_extra(r) > 0)
		cmd_remark(run, "%s: in= names a file with %llu bytes more than the header says",
		    file != NULL && strcmp(file, "-") != 0 ? file : "standard input",
		    (unsigned long long)taf_reader_extra(r));
	return st;
}

enum taf_status
cmd_only(struct cmd_run *run, struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	enum taf_status st;
	uint64_t number = 0;

	do
		st = next_array(run, run->files[0], r, a, e);
	while (st == TAF_OK && ++number < run->pick);
	return st == TAF_END ? not_there(run, number, e) : st;
}

enum taf_status
cmd_only_end(const struct cmd_run *run, struct taf_reader *r, struct taf_err *e)
{
	return run->pick != 0 ? taf_reader_unchanged(r, e) : taf_reader_last(r, e);
}

/* All arrays of all operands into one writer. */
static enum taf_status
stream(struct cmd_run *run, const struct cmd_filter *f, const void *intent,
    const struct taf_sink *sink, struct taf_writer *w, struct taf_err *e)
{
	struct taf_array in = { 0 }, out = { 0 };
	enum taf_status st = TAF_OK;
	uint64_t number = 0;
	bool picked = false;
	int i;

	for (i = 0; i < run->nfiles && st == TAF_OK && !picked; i++) {
		const char *file = run->files[i];
		struct taf_reader *r = NULL;

		st = taf_reader_open(&r, file, cmd_reader_flags(sink), e);
		while (st == TAF_OK && !picked) {
			enum taf_next next;

			st = next_array(run, file, r, &in, e);
			if (st != TAF_OK || (++number != run->pick && run->pick != 0))
				continue;
			picked = run->pick != 0;
			next = picked ? TAF_NEXT_NO : i + 1 < run->nfiles ? TAF_NEXT_YES :
			    taf_reader_more(r);
			cmd_say_array(run, file, &in);
			st = one_array(run, f, intent, &in, &out, r, next, w, e);
		}
		if (st == TAF_END)
			st = TAF_OK;
		taf_err_name(e, file != NULL && strcmp(file, "-") != 0 ? file :
		    "standard input");
		taf_reader_close(r);
	}
	if (st == TAF_OK && run->pick != 0 && !picked)
		st = not_there(run, number, e);
	taf_array_fini(&in);
	taf_array_fini(&out);
	return st;
}

/* Elements move: a new file takes the place of the old one, which is locked. */
static enum taf_status
rewrite(struct cmd_run *run, const struct cmd_filter *f, const void *intent,
    const char *file, struct taf_err *e)
{
	struct taf_sink sink = { file, TAF_FORMAT_TAF, NULL, NULL, true };
	struct taf_array in = { 0 }, out = { 0 };
	struct taf_writer *w = NULL;
	struct taf_reader *r = NULL;
	enum taf_status st;

	st = taf_reader_open(&r, file, TAF_NO_RECOVER, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &in, e);
	if (st == TAF_OK)
		st = taf_writer_open(&w, &sink, e);
	if (st == TAF_OK)
		st = one_array(run, f, intent, &in, &out, r, TAF_NEXT_NO, w, e);
	if (st == TAF_OK)
		st = taf_writer_close(w, e);
	else
		taf_writer_discard(w);
	taf_reader_close(r);
	taf_array_fini(&in);
	taf_array_fini(&out);
	return st;
}

static enum taf_status
in_place(struct cmd_run *run, const struct cmd_filter *f, const void *intent,
    const char *file, struct taf_err *e)
{
	struct taf_array out = { 0 };
	struct taf_edit *ed = NULL;
	enum taf_status st;

	st = taf_edit_open(&ed, file, e);
	if (st == TAF_OK) {
		cmd_say_array(run, file, taf_edit_array(ed));
		st = resolve(f, intent, taf_edit_array(ed), &out, e);
	}
	if (st == TAF_OK)
		st = f->move == NULL && taf_edit_fits(ed, &out) ?
		    taf_edit_header(ed, &out, e) : rewrite(run, f, intent, file, e);
	taf_err_name(e, file);
	taf_edit_close(ed);
	taf_array_fini(&out);
	return st;
}

int
cmd_filter(struct cmd_run *run, const struct cmd_filter *f, const void *intent)
{
	struct filter_check check = { f, intent };
	struct taf_writer *w = NULL;
	struct taf_sink sink;
	enum taf_status st;
	int i;

	if (run->in_place) {
		for (i = 0; i < run->nfiles; i++)
			if (in_place(run, f, intent, run->files[i], &run->err) != TAF_OK)
				cmd_report(run, NULL);
		return cmd_end(run);
	}
	cmd_sink(run, &sink);
	st = look_ahead(run, check_filter, &check, &run->err);
	if (st == TAF_OK)
		st = taf_writer_open(&w, &sink, &run->err);
	if (st == TAF_OK)
		st = stream(run, f, intent, &sink, w, &run->err);
	if (st == TAF_OK)
		st = taf_writer_close(w, &run->err);
	else
		taf_writer_discard(w);
	if (st != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}

int
cmd_each(struct cmd_run *run, enum taf_status (*each)(struct cmd_run *run, void *ctx,
    const char *file, struct taf_reader *r, struct taf_array *a, struct taf_err *e),
    void *ctx)
{
	struct taf_array a = { 0 };
	uint64_t number = 0;
	bool picked = false;
	int i;

	if (cmd_out(run) == NULL)
		return cmd_end(run);
	for (i = 0; i < run->nfiles && !picked; i++) {
		const char *file = run->files[i];
		struct taf_reader *r = NULL;
		enum taf_status st;

		if (file == NULL || strcmp(file, "-") == 0)
			file = "standard input";
		st = taf_reader_open(&r, run->files[i], run->late ? TAF_LATE_COMMENT : 0,
		    &run->err);
		while (st == TAF_OK && !picked) {
			st = next_array(run, file, r, &a, &run->err);
			if (st != TAF_OK || (++number != run->pick && run->pick != 0))
				continue;
			picked = run->pick != 0;
			cmd_say_array(run, file, &a);
			st = each(run, ctx, file, r, &a, &run->err);
			if (st == TAF_OK && run->late)
				st = taf_reader_finish(r, &a, &run->err);
			if (st == TAF_OK)
				st = taf_reader_unchanged(r, &run->err);
		}
		if (st != TAF_OK && st != TAF_END)
			cmd_report(run, file);
		taf_reader_close(r);
	}
	if (run->pick != 0 && !picked && run->status == 0) {
		(void)not_there(run, number, &run->err);
		cmd_report(run, NULL);
	}
	taf_array_fini(&a);
	return cmd_end(run);
}

static enum taf_status
check_nothing(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	(void)ctx, (void)a, (void)e;
	return TAF_OK;
}

int
cmd_export(struct cmd_run *run, enum taf_status (*check)(const void *ctx,
    const struct taf_array *a, struct taf_err *e),
    enum taf_status (*each)(struct cmd_run *run, void *ctx, struct taf_reader *r,
    struct taf_array *a, bool last, struct taf_err *e),
    void (*done)(struct cmd_run *run, const void *ctx), void *ctx)
{
	struct taf_err *e = &run->err;
	struct taf_array a = { 0 };
	uint64_t number = 0;
	bool picked = false;
	enum taf_status st;
	int i;

	st = look_ahead(run, check != NULL ? check : check_nothing, ctx, e);
	if (st == TAF_OK && cmd_out(run) == NULL)
		return cmd_end(run);
	for (i = 0; i < run->nfiles && st == TAF_OK && !picked; i++) {
		const char *file = run->files[i];
		struct taf_reader *r = NULL;

		st = taf_reader_open(&r, file, run->late ? TAF_LATE_COMMENT : 0, e);
		while (st == TAF_OK && !picked) {
			st = next_array(run, file, r, &a, e);
			if (st != TAF_OK || (++number != run->pick && run->pick != 0))
				continue;
			picked = run->pick != 0;
			cmd_say_array(run, file, &a);
			if (check != NULL)
				st = check(ctx, &a, e);
			if (st == TAF_OK)
				st = each(run, ctx, r, &a, picked || (i + 1 == run->nfiles &&
				    taf_reader_more(r) != TAF_NEXT_YES), e);
			if (st == TAF_OK && run->late)
				st = taf_reader_finish(r, &a, e);
			if (st == TAF_OK)
				st = taf_reader_unchanged(r, e);
		}
		if (st == TAF_END)
			st = TAF_OK;
		taf_err_name(e, file != NULL && strcmp(file, "-") != 0 ? file :
		    "standard input");
		taf_reader_close(r);
	}
	if (st == TAF_OK && run->pick != 0 && !picked)
		st = not_there(run, number, e);
	if (st == TAF_OK && done != NULL)
		done(run, ctx);
	if (st != TAF_OK)
		cmd_report(run, NULL);
	taf_array_fini(&a);
	return cmd_end(run);
}

enum taf_status
cmd_import_begin(struct cmd_import *im, const struct taf_array *a, enum taf_next more,
    bool *wanted, struct taf_err *e)
{
	enum taf_status st = taf_array_check(a, e);

	im->number++;
	*wanted = im->run->pick == 0 || im->run->pick == im->number;
	if (st != TAF_OK || !*wanted)
		return st;
	im->done = im->run->pick != 0;
	if (im->file != NULL)
		cmd_say_array(im->run, im->file, a);
	return taf_writer_begin(im->w, a, im->done ? TAF_NEXT_NO : !im->last_file ?
	    TAF_NEXT_YES : more, e);
}

static enum taf_status
open_import(struct taf_in **in, const char *file, struct taf_err *e)
{
	enum taf_status st = taf_in_open(in, file, e);
	const unsigned char *p;
	size_t got;

	if (st == TAF_OK)
		st = taf_in_peek(*in, 1, &p, &got, e);
	if (st == TAF_OK && got == 0)
		st = taf_fail(e, TAF_EDATA, "empty input");
	return st;
}

/* What is asked of each operand that comes. */
struct import_check {
	cmd_import_check *check;
	void *ctx;
};

static enum taf_status
check_import(struct cmd_run *run, const char *file, void *ctx, struct taf_err *e)
{
	const struct import_check *c = ctx;
	struct taf_in *in = NULL;
	enum taf_status st = open_import(&in, file, e);

	if (st == TAF_OK)
		st = c->check(run, c->ctx, in, e);
	taf_in_close(in);
	return st;
}

int
cmd_import(struct cmd_run *run, cmd_import_check *check, cmd_import_each *each, void *ctx)
{
	struct cmd_import im = { run, NULL, NULL, 0, false, false };
	struct import_check ahead = { check, ctx };
	struct taf_err *e = &run->err;
	enum taf_status st = TAF_OK;
	struct taf_sink sink;
	int i;

	cmd_sink(run, &sink);
	if (check != NULL)
		st = each_regular(run, check_import, &ahead, e);
	if (st == TAF_OK)
		st = taf_writer_open(&im.w, &sink, e);
	for (i = 0; i < run->nfiles && st == TAF_OK && !im.done; i++) {
		struct taf_in *in = NULL;

		im.file = run->files[i] != NULL ? run->files[i] : "-";
		im.last_file = i + 1 == run->nfiles;
		st = open_import(&in, run->files[i], e);
		if (st == TAF_OK)
			st = each(run, ctx, &in, &im, e);
		if (st == TAF_OK && in != NULL)
			st = taf_in_unchanged(in, e);
		if (in != NULL)
			taf_err_name(e, taf_in_name(in));
		taf_in_close(in);
	}
	if (st == TAF_OK && run->pick != 0 && !im.done)
		st = not_there(run, im.number, e);
	if (st == TAF_OK)
		st = taf_writer_close(im.w, e);
	else
		taf_writer_discard(im.w);
	if (st != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}
