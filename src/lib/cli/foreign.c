/* SPDX-License-Identifier: ISC */
/* Commands that read another format. */
#include "cli/cmd.h"

#include "cli/crash.h"
#include "cli/private.h"

int
cmd_import(struct cmd_run *run, taf_import_check *check, taf_import_each *each, void *ctx)
{
	struct taf_import im = { .service = &run->service, .files = run->files,
		.nfiles = run->nfiles, .say = cmd_private_seen, .decode = cmd_decode,
		.ctx = run, .pick = run->pick };
	struct taf_err *e = &run->err;
	enum taf_status st;
	struct taf_sink sink;

	cmd_input(run);
	cmd_sink(run, &sink);
	st = cmd_bound(run, e);
	if (st == TAF_OK && check != NULL)
		st = taf_import_look(&im, check, ctx, e);
	if (st == TAF_OK)
		st = taf_writer_open(&im.w, &sink, e);
	if (st == TAF_OK)
		st = taf_import_all(&im, each, ctx, e);
	if (taf_writer_settle(im.w, st, e) != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}

int
cmd_list(struct cmd_run *run, taf_import_lister *lister)
{
	struct taf_import im = { .files = run->files, .nfiles = run->nfiles,
		.decode = cmd_decode, .ctx = run };
	struct taf_str lines = { .err = &run->err };
	enum taf_status st;

	cmd_input(run);
	st = cmd_bound(run, &run->err);
	for (; st == TAF_OK && cmd_out(run) != NULL && im.at < im.nfiles; im.at++) {
		st = taf_import_list(&im, lister, &lines, &run->err);
		if (st == TAF_OK)
			st = taf_out_str(run->out, &lines);
	}
	if (run->err.code != TAF_OK)
		cmd_report(run, NULL);
	taf_str_free(&lines);
	return cmd_end(run);
}
