/* SPDX-License-Identifier: ISC */
/* tafconvert - files of instruments, and tables in text, to TAF files beside them. */
/* link: hdf5 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "format/capture_import.h"
#include "format/converter.h"
#include "format/output_names.h"
#include "format/table_import.h"
#include "io/fetcher.h"
#include "io/rights.h"
#include "io/spool.h"
#include "spread/jobs.h"
#include "stream/writer_private.h"

enum { OPT_KIND = 256, CLIP, TRAILER };

/* What the counts of a job are. */
enum { ROUNDED, CLIPPED, CUT, BROKEN, LEFT };

struct intent {
	struct cmd_run *run;
	const char *kind;	/* NULL: found from the content */
	const char *directory;
	bool made;		/* it was not there */
	bool convert, clip, trailer;
	enum taf_type type;
	struct taf_outputs *outputs;
	uint64_t done, total;		/* bytes of the sources, for the progress */
};

static const struct cmd_option options[] = {
	{ 'D', "directory", "DIR", "write into DIR, not beside the sources",
	    SET(TEXT, directory) },
	{ 'f', "force", NULL, "overwrite files that are there", .kind = CMD_SET_COMMON },
	{ OPT_KIND, "kind", "column|dig|lecroy|keysight|tektronix", "what the files are",
	    OWN },
	{ 't', "type", "TYPE", "convert values to this element type", SET(TYPE, type) },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does",
	    SET(FLAG, clip) },
	{ TRAILER, "trailer", NULL, "text may stand below a table", SET(FLAG, trailer) },
	{ 0 },
};

static const struct cmd self = {
	"tafconvert", "convert files of oscilloscopes and digitizers to TAF",
	"[--kind KIND] [-t TYPE] [--clip] [--trailer] [-D DIR] [-J N] [-f] file ...",
	options, CMD_JOBS | CMD_OPERANDS | CMD_AS_IS | CMD_UNPLANNED,
};

/* The kinds that have a decoder. */
static const struct {
	const char *kind;
	taf_capture_decode *decode;
} decoders[] = {
	{ "dig", taf_dig_decode }, { "keysight", taf_keysight_h5_decode },
	{ "lecroy", taf_lecroy_decode }, { "tektronix", taf_wfm_decode },
};

/* The kind of a file; any text that is nothing else may be a table. */
static enum taf_status
find_kind(struct taf_in *in, const char **kind, struct taf_err *e)
{
	static const char wanted[] =
	    "not a file of dig, lecroy, keysight or tektronix, nor a table";
	const struct taf_foreign *f;
	const unsigned char *p;
	size_t got;

	if (taf_in_peek(in, TAF_CONVERTER_SEEN, &p, &got, e) != TAF_OK)
		return e->code;
	f = taf_converter(p, got);
	*kind = f != NULL ? f->kind : memchr(p, '\0', got) == NULL ? "column" : NULL;
	if (*kind != NULL)
		return TAF_OK;
	if (f != NULL && f->command != NULL)
		return taf_fail(e, TAF_EDATA, "%s (use %s), %s", f->name, f->command,
		    wanted);
	return taf_fail(e, TAF_EDATA, "%s, %s",
	    f != NULL ? f->name : "binary data of no kind known here", wanted);
}

static enum taf_status
convert(const struct intent *want, struct taf_job *job,
    struct taf_in *in, struct taf_buf *path, struct taf_err *e)
{
	struct taf_capture_how how = { .convert = want->convert, .type = want->type,
		.clip = want->clip };
	const struct taf_text_how table = { .clip = want->clip,
		.type = want->convert ? want->type : TAF_FLT32,
		    .trailer = want->trailer };
	struct taf_import im = { .service = &want->run->service, .last = true };
	taf_capture_decode *decode = NULL;
	const char *kind = want->kind;
	struct taf_text_notes notes = { 0 };
	struct taf_capture c = { 0 };
	enum taf_status st = TAF_OK;
	size_t i;

	if (kind == NULL)
		st = find_kind(in, &kind, e);
	for (i = 0; st == TAF_OK && i < sizeof decoders / sizeof decoders[0]; i++)
		if (strcmp(decoders[i].kind, kind) == 0)
			decode = decoders[i].decode;
	if (decode != NULL)
		st = decode(&c, in, e);
	if (st == TAF_OK && decode != NULL)
		st = taf_capture_import_check(&c, &how, e);
	if (st == TAF_OK)
		st = taf_outputs_open(want->outputs, job->number,
		    decode != NULL ? c.nrecords : 1, path, &im.w, e);
	if (st == TAF_OK)
		st = decode != NULL ? taf_capture_import_write(&c, &how, &im, e) :
		    taf_table_import(&im, in, &table, &notes, e);
	if (st == TAF_OK)
		st = taf_in_unchanged(in, e);
	st = taf_writer_settle(im.w, st, e);
	memcpy(job->count + LEFT, c.left, sizeof c.left);
	taf_capture_fini(&c);
	job->count[ROUNDED] = how.count.rounded + notes.rounded;
	job->count[CLIPPED] = how.count.clipped + notes.clipped;
	job->count[CUT] = notes.cut;
	job->count[BROKEN] = notes.broken;
	return st;
}

static void
work(void *ctx, struct taf_job *job)
{
	const struct intent *want = ctx;
	struct cmd_run *run = want->run;
	const char *const file = run->files[job->number];
	struct taf_confine needed = { .file = file, .right = TAF_RIGHT_READ,
		.beside = want->directory == NULL ? TAF_RIGHT_CHANGE : TAF_RIGHT_NONE,
		.folder = want->directory };
	struct taf_err *e = &job->err;
	struct taf_buf path = { 0 };
	struct taf_in *in = NULL;
	enum taf_status st;

	/* files at once make use of the processors already */
	if (run->nfiles > 1)
		run->service.jobs = 1;
	st = taf_fetcher_bound(&file, 1, TAF_REACH_BELOW, e);
	if (st == TAF_OK)
		st = taf_in_open(&in, file, e);
	if (st == TAF_OK)
		st = taf_spool_rest(&in, e);
	if (st == TAF_OK && taf_in_left(in) == 0)
		st = taf_fail(e, TAF_EDATA, "empty input");
	/* it may be a link into another folder */
	if (st == TAF_OK)
		st = taf_outputs_single(want->outputs, job->number, &path, e);
	if (st == TAF_OK) {
		needed.output = path.data;
		cmd_say(run, "%s: rights: %s", file, taf_confine(&needed));
		st = convert(want, job, in, &path, e);
	}
	taf_in_close(in);
	taf_buf_free(&path);
	job->status = st;
}

static void
done(void *ctx, struct taf_job *job)
{
	struct intent *want = ctx;
	struct cmd_run *run = want->run;
	const char *file;
	struct stat st;

	if (job == NULL)
		return;
	file = run->files[job->number];
	taf_outputs_over(want->outputs, job->number);
	if (job->status != TAF_OK) {
		run->err = job->err;
		cmd_report(run, file);
	} else if (job->count[ROUNDED] > 0) {
		cmd_remark(run, "%s: %llu values were rounded to %s", file,
		    (unsigned long long)job->count[ROUNDED], taf_type_name(want->type));
	}
	if (job->count[CLIPPED] > 0)
		cmd_remark(run, "%s: %llu values were clipped", file,
		    (unsigned long long)job->count[CLIPPED]);
	if (job->count[BROKEN] > 0)
		cmd_remark(run,
		    "%s: line %llu: what could be a row stands below the end of the table",
		    file, (unsigned long long)job->count[BROKEN]);
	if (job->count[CUT] > 0)
		cmd_remark(run, "%s: %llu bytes of text around the table are left out",
		    file, (unsigned long long)job->count[CUT]);
	if (job->status == TAF_OK)
		taf_capture_import_left(&run->service, file, job->count + LEFT);
	if (job->status == TAF_OK)
		cmd_say(run, "%s: done", file);
	if (stat(file, &st) == 0 && st.st_size > 0)
		want->done += (uint64_t)st.st_size;
	taf_progress(&run->service, want->done, want->total);
}

/* Name the outputs, in a folder that is there. */
static void
plan(struct cmd_run *run, struct intent *want)
{
	enum taf_status planned;
	struct stat st;
	int i;

	cmd_named(run);
	for (i = 0; i < run->nfiles; i++)
		if (stat(run->files[i], &st) == 0 && st.st_size > 0)
			want->total += (uint64_t)st.st_size;
	if (want->directory != NULL)
		want->made = mkdir(want->directory, 0777) == 0;
	if (want->directory != NULL && (stat(want->directory, &st) != 0 ||
	    (!S_ISDIR(st.st_mode) && (errno = ENOTDIR) != 0)))
		cmd_check(run, taf_fail_sys(&run->err, "-D %s", want->directory));
	planned = taf_outputs_plan(&want->outputs, run->files, (size_t)run->nfiles,
	    want->directory, run->force, &run->err);
	if (planned != TAF_OK && want->made)
		(void)rmdir(want->directory);
	cmd_check(run, planned);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .run = run, .type = TAF_FLT32 };
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0) {
		want.kind = arg;
		(void)cmd_choice(run, arg);
	}
	want.convert = cmd_has(run, 't');
	plan(run, &want);
	if (taf_jobs(&run->caller, (size_t)run->nfiles, work, done, &want, &run->err) !=
	    TAF_OK)
		cmd_report(run, NULL);
	/* without a file in it, it is not wanted */
	if (want.made)
		(void)rmdir(want.directory);
	taf_outputs_free(want.outputs);
	return cmd_end(run);
}
