/* Commands that read another format. */
#include "cli/cmd.h"

#include "cli/private.h"

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

/* Operands that are regular files; behind a pipe -N counts nothing. */
static enum taf_status
look_ahead(struct cmd_run *run, cmd_import_check *check, void *ctx, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int i;

	for (i = 0; i < run->nfiles && st == TAF_OK; i++) {
		struct taf_in *in = NULL;

		if (!cmd_private_twice(run->files[i])) {
			if (run->pick != 0)
				break;
			continue;
		}
		st = open_import(&in, run->files[i], e);
		if (st == TAF_OK)
			st = check(run, ctx, in, e);
		taf_err_name(e, cmd_name(run->files[i]));
		taf_in_close(in);
	}
	return st;
}

int
cmd_import(struct cmd_run *run, cmd_import_check *check, cmd_import_each *each, void *ctx)
{
	struct cmd_import im = { run, NULL, NULL, 0, false, false };
	struct taf_err *e = &run->err;
	enum taf_status st = TAF_OK;
	struct taf_sink sink;
	int i;

	cmd_sink(run, &sink);
	if (check != NULL)
		st = look_ahead(run, check, ctx, e);
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
		st = cmd_private_not_there(run, run->files[run->nfiles - 1], im.number,
		    run->nfiles > 1, e);
	if (st == TAF_OK)
		st = taf_writer_close(im.w, e);
	else
		taf_writer_discard(im.w);
	if (st != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}
