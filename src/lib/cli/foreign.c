/* Commands that read another format. */
#include "cli/cmd.h"

#include "cli/private.h"
#include "io/spool.h"
#include "io/where.h"
#include "stream/writer_private.h"

/* The operand that is read, for -v. */
struct operand {
	struct cmd_run *run;
	const char *file;
};

static void
say(void *ctx, const struct taf_array *a)
{
	const struct operand *o = ctx;

	cmd_say_array(o->run, o->file, a);
}

/* Operands that are regular files; behind a pipe -N counts nothing. */
static enum taf_status
look_ahead(struct cmd_run *run, const struct taf_import *im, cmd_import_check *check,
    void *ctx, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int i;

	for (i = 0; i < run->nfiles && st == TAF_OK; i++) {
		struct taf_in *in = NULL;

		if (!taf_file_twice(run->files[i])) {
			if (run->pick != 0)
				break;
			continue;
		}
		st = taf_import_open(&in, run->files[i], e);
		if (st == TAF_OK)
			st = check(ctx, im, in, e);
		taf_err_name(e, taf_in_called(run->files[i]));
		taf_in_close(in);
	}
	return st;
}

int
cmd_import(struct cmd_run *run, cmd_import_check *check, cmd_import_each *each, void *ctx)
{
	struct operand operand = { run, NULL };
	struct taf_import im = { .service = &run->service, .say = say, .ctx = &operand,
		.pick = run->pick, .alone = run->nfiles == 1 };
	struct taf_err *e = &run->err;
	enum taf_status st = TAF_OK;
	struct taf_sink sink;
	int i;

	cmd_input(run);
	cmd_sink(run, &sink);
	if (check != NULL)
		st = look_ahead(run, &im, check, ctx, e);
	if (st == TAF_OK)
		st = taf_writer_open(&im.w, &sink, e);
	for (i = 0; i < run->nfiles && st == TAF_OK && !im.done; i++) {
		struct taf_in *in = NULL;

		operand.file = run->files[i] != NULL ? run->files[i] : "-";
		im.last = i + 1 == run->nfiles;
		if (taf_import_open(&in, run->files[i], e) != TAF_OK ||
		    each(ctx, &im, &in, e) != TAF_OK ||
		    (in != NULL && taf_in_unchanged(in, e) != TAF_OK))
			st = e->code;
		if (in != NULL)
			taf_err_name(e, taf_in_name(in));
		taf_in_close(in);
	}
	if (st == TAF_OK && run->pick != 0 && !im.done)
		st = taf_arrays_few(run->pick, im.number, run->files[run->nfiles - 1],
		    run->nfiles > 1, e);
	if (taf_writer_settle(im.w, st, e) != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}

static enum taf_status
list_one(struct cmd_run *run, const char *file, cmd_lister *lister, struct taf_str *lines)
{
	struct taf_err *e = &run->err;
	struct taf_in *in = NULL;
	enum taf_status st = taf_import_open(&in, file, e);

	if (st == TAF_OK)
		st = taf_spool_rest(&in, e);
	if (st == TAF_OK)
		st = lister(in, lines, e);
	if (st == TAF_OK)
		st = taf_out_str(run->out, lines);
	taf_err_name(e, taf_in_called(file));
	taf_in_close(in);
	return st;
}

int
cmd_list(struct cmd_run *run, cmd_lister *lister)
{
	struct taf_str lines = { .err = &run->err };
	int i;

	cmd_input(run);
	for (i = 0; cmd_out(run) != NULL && i < run->nfiles; i++)
		if (list_one(run, run->files[i], lister, &lines) != TAF_OK)
			break;
	if (run->err.code != TAF_OK)
		cmd_report(run, NULL);
	taf_str_free(&lines);
	return cmd_end(run);
}
