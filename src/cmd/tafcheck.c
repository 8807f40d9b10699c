/* SPDX-License-Identifier: ISC */
/* tafcheck - is a TAF file sound?  A line for each finding; old headers are repaired. */
#include <string.h>

#include "cli/cmd.h"
#include "codec/taf_check.h"
#include "io/backup.h"
#include "io/recover.h"
#include "stream/edit.h"

enum { REPAIR = 256, STRICT };

struct intent {
	bool repair, strict;
};

static const struct cmd_option options[] = {
	{ REPAIR, "repair", NULL, "mend what loses nothing, after a backup",
	    SET(FLAG, repair) },
	{ STRICT, "strict", NULL, "remarks count as findings", SET(FLAG, strict) },
	{ 0 },
};

static const struct cmd self = {
	"tafcheck", "check TAF files", "[--strict] [--repair] file ...",
	options, CMD_OPERANDS | CMD_AS_IS | CMD_UNPLANNED,
};

/* What there is to say of one file. */
struct verdict {
	struct taf_out *out;
	const char *file;
	unsigned findings, remarks;
	bool legacy, undo;
	bool faulty;		/* there are findings that are no legacy */
};

/* A line of output. */
static enum taf_status
say(void *ctx, enum taf_finding kind, const char *text, struct taf_err *e)
{
	struct verdict *v = ctx;
	struct taf_str line = { .err = e };

	if (kind == TAF_REMARK)
		v->remarks++;
	else
		v->findings++;
	v->legacy = v->legacy || kind == TAF_LEGACY;
	v->faulty = v->faulty || kind == TAF_FINDING;
	taf_str_safe(&line, v->file, strlen(v->file));
	taf_str_puts(&line, kind == TAF_REMARK ? ": remark: " : ": ");
	taf_str_safe(&line, text, strlen(text));
	taf_str_puts(&line, "\n");
	line.st = taf_out_str(v->out, &line);
	taf_str_free(&line);
	return line.st;
}

/* What breaks no rule by itself must still be what every command reads. */
static enum taf_status
try_to_read(struct verdict *v, struct taf_err *e)
{
	struct taf_array a = { 0 };
	struct taf_reader *r = NULL;
	struct taf_err why = { 0 };
	enum taf_status st = taf_reader_open(&r, v->file,
	    TAF_NO_RECOVER | TAF_READ_SILENTLY, &why);

	if (st == TAF_OK)
		st = taf_reader_next(r, &a, &why);
	taf_reader_close(r);
	taf_array_fini(&a);
	if (st == TAF_ESYS || st == TAF_EMISUSE)
		*e = why;
	else if (st != TAF_OK)
		st = say(v, TAF_FINDING, why.text, e);
	return st;
}

static enum taf_status
check(struct verdict *v, struct taf_err *e)
{
	enum taf_status st;
	struct taf_in *in;

	v->findings = v->remarks = 0;
	v->legacy = v->faulty = false;
	st = taf_in_open(&in, v->file, e);
	if (st != TAF_OK)
		return st;
	if (strcmp(v->file, "-") != 0)
		st = taf_undo_look(v->file, &v->undo, e);
	if (st == TAF_OK && v->undo)
		st = say(v, TAF_FINDING,
		    "an undo file is beside it: a change was interrupted", e);
	if (st == TAF_OK)
		st = taf_check_file(in, say, v, e);
	taf_in_close(in);
	return st == TAF_OK && !v->faulty ? try_to_read(v, e) : st;
}

/* An undo file beside it that is for another state of the file, which is whole. */
static enum taf_status
open_without_undo(struct taf_edit **ed, const char *file, struct taf_err *e)
{
	struct taf_err why = { 0 };

	if (taf_undo_drop(file, &why) != TAF_OK)
		return TAF_EDATA;
	taf_err_clear(e);
	return taf_edit_open(ed, file, e);
}

/*
 * Roll an interrupted change back, write a legacy header anew; the files first copied.
 * TAF_EDATA says why that cannot be.
 */
static enum taf_status
repair(struct cmd_run *run, struct verdict *v, struct taf_err *e)
{
	struct taf_buf folder = { 0 }, undo = { 0 };
	const char *files[2] = { v->file, NULL };
	struct taf_edit *ed = NULL;
	enum taf_status st;

	st = taf_buf_printf(&undo, e, "%s.undo", v->file);
	files[1] = undo.data;
	if (st == TAF_OK)
		st = taf_backup(NULL, files, v->undo ? 2 : 1, &folder, e);
	if (st == TAF_OK)
		cmd_say(run, "%s: copied to %s", v->file, folder.data);
	/* opening it for change rolls back */
	if (st == TAF_OK)
		st = taf_edit_open(&ed, v->file, e);
	if (st == TAF_EDATA && v->undo)
		st = open_without_undo(&ed, v->file, e);
	if (st == TAF_OK && taf_edit_fits(ed, taf_edit_array(ed)))
		st = taf_edit_header(ed, taf_edit_array(ed), e);
	taf_edit_close(ed);
	taf_buf_free(&folder);
	taf_buf_free(&undo);
	return st;
}

static enum taf_status
not_mended(struct verdict *v, struct taf_err *e)
{
	struct taf_buf line = { 0 };
	struct taf_err why = *e;
	enum taf_status st;

	taf_err_clear(e);
	st = taf_buf_printf(&line, e, "not mended: %s", why.text);
	if (st == TAF_OK)
		st = say(v, TAF_FINDING, line.data, e);
	taf_buf_free(&line);
	return st;
}

static enum taf_status
one_file(struct cmd_run *run, const struct intent *want, const char *file,
    struct taf_err *e)
{
	struct verdict v = { .out = run->out, .file = file };
	enum taf_status st;

	st = check(&v, e);
	if (st == TAF_OK && want->repair && (v.undo || v.legacy)) {
		st = repair(run, &v, e);
		if (st == TAF_OK)
			st = say(&v, TAF_REMARK, "mended; what is still there:", e);
		if (st == TAF_OK)
			st = check(&v, e);
		else if (st == TAF_EDATA)
			st = not_mended(&v, e);
	}
	if (st == TAF_OK)
		cmd_say(run, "%s: %u findings, %u remarks", file, v.findings, v.remarks);
	if (st == TAF_OK && (v.findings > 0 || (want->strict && v.remarks > 0)) &&
	    run->status == 0)
		run->status = 1;
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { false, false };
	int i;

	cmd_options(run, &want);
	if (want.repair)
		cmd_named(run);
	for (i = 0; i < run->nfiles && cmd_out(run) != NULL; i++)
		if (one_file(run, &want, run->files[i], &run->err) != TAF_OK)
			cmd_report(run, run->files[i]);
	return cmd_end(run);
}
