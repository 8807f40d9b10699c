/* SPDX-License-Identifier: ISC */
/* tafconvert - files of instruments, and tables in text, to TAF files beside them. */
/* link: hdf5 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "format/capture_import.h"
#include "format/conversion.h"
#include "format/table_import.h"
#include "io/fetcher.h"
#include "io/rights.h"
#include "io/spool.h"
#include "spread/jobs.h"
#include "stream/writer_private.h"

enum { OPT_KIND = 256, CLIP, TRAILER };

_Static_assert(sizeof(struct taf_conversion_notes) <= TAF_JOB_COUNTS * sizeof(uint64_t),
    "a job tells all of them");

struct intent {
	struct cmd_run *run;
	struct taf_conversion how;
	const char *directory;
	bool made;		/* it was not there */
	uint64_t done, total;		/* bytes of the sources, for the progress */
};

static const struct cmd_option options[] = {
	{ 'D', "directory", "DIR", "write into DIR, not beside the sources",
	    SET(TEXT, directory) },
	{ 'f', "force", NULL, "overwrite files that are there", .kind = CMD_SET_COMMON },
	{ OPT_KIND, "kind", "column|dig|lecroy|keysight|tektronix", "what the files are",
	    OWN },
	{ 't', "type", "TYPE", "convert values to this element type",
	    SET(TYPE, how.type) },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does",
	    SET(FLAG, how.clip) },
	{ TRAILER, "trailer", NULL, "text may stand below a table",
	    SET(FLAG, how.trailer) },
	{ 0 },
};

static const struct cmd self = {
	"tafconvert", "convert files of oscilloscopes and digitizers to TAF",
	"[--kind KIND] [-t TYPE] [--clip] [--trailer] [-D DIR] [-J N] [-f] file ...",
	options, CMD_JOBS | CMD_OPERANDS | CMD_AS_IS | CMD_UNPLANNED,
};

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
	struct taf_conversion_notes notes;
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
		st = taf_outputs_single(want->how.outputs, job->number, &path, e);
	if (st == TAF_OK) {
		needed.output = path.data;
		cmd_say(run, "%s: rights: %s", file, taf_confine(&needed));
		st = taf_conversion(&want->how, job->number, in, &path, &notes, e);
		memcpy(job->count, &notes, sizeof notes);
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
	struct taf_conversion_notes notes;
	const char *file;
	struct stat st;

	if (job == NULL)
		return;
	file = run->files[job->number];
	taf_outputs_over(want->how.outputs, job->number);
	memcpy(&notes, job->count, sizeof notes);
	if (job->status != TAF_OK) {
		run->err = job->err;
		cmd_report(run, file);
	} else {
		taf_table_remark(&run->service, file, &notes.values,
		    taf_type_name(want->how.type));
		taf_capture_import_left(&run->service, file, notes.left);
		cmd_say(run, "%s: done", file);
	}
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
	planned = taf_outputs_plan(&want->how.outputs, run->files, (size_t)run->nfiles,
	    want->directory, run->force, &run->err);
	if (planned != TAF_OK && want->made)
		(void)rmdir(want->directory);
	cmd_check(run, planned);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .run = run,
		.how = { .service = &run->service, .type = TAF_FLT32 } };
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0) {
		want.how.kind = arg;
		(void)cmd_choice(run, arg);
	}
	want.how.convert = cmd_has(run, 't');
	plan(run, &want);
	if (taf_jobs(&run->caller, (size_t)run->nfiles, work, done, &want, &run->err) !=
	    TAF_OK)
		cmd_report(run, NULL);
	/* without a file in it, it is not wanted */
	if (want.made)
		(void)rmdir(want.directory);
	taf_outputs_free(want.how.outputs);
	return cmd_end(run);
}
