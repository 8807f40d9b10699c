/* SPDX-License-Identifier: ISC */
/* tafspread - a pipeline over the slabs of an array, on one machine or many. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "io/where.h"
#include "spread/draft.h"
#include "spread/pipeline.h"
#include "spread/run.h"
#include "text/digests.h"

enum {
	BIN = 256, CHECKSUM, EACH, FEED, HOST, JOIN, RETRIES, SLABS, SSH, STATE, STATUS,
	TASK, VIA
};

enum { HOSTS = 100 };

struct intent {
	struct taf_plan plan;
	struct taf_engine engine;
	const char *host[HOSTS];
	const char *directory, *state, *bin, *status, *task, *feed;
	bool each, checksum;
};

static const struct cmd_option options[] = {
	{ 'D', "directory", "DIR", "with --each: write into DIR", SET(TEXT, directory) },
	{ BIN, "bin", "DIR", "where tasks find the programs", SET(TEXT, bin) },
	{ CHECKSUM, "checksum", NULL, "print the digest of the output",
	    SET(FLAG, checksum) },
	{ 'd', "dim", "DIM", "cut along dimension DIM, default the last",
	    SET(DIM, plan.dim) },
	{ EACH, "each", NULL, "the pipeline is for each of several files",
	    SET(FLAG, each) },
	{ FEED, "feed", "STATE", "for pipelines: a slab, or the results in order",
	    SET(TEXT, feed) },
	{ HOST, "host", "N/HOST", "with parallel: N tasks at once on HOST, by ssh", OWN },
	{ JOIN, "join", "PIPELINE", "make the output from the stream of all results",
	    OWN },
	{ RETRIES, "retries", "R", "tries more where the system fails, default 3",
	    SET(NUMBER, engine.retries), .most = 1000,
	    .wrong = "not a number up to 1000" },
	{ SLABS, "slabs", "N", "cut into N slabs, default 4 for each task at once",
	    SET(NUMBER, plan.slabs), .most = INT32_MAX,
	    .wrong = "not a number up to 2147483647" },
	{ SSH, "ssh", "COMMAND", "with parallel: its way to the hosts",
	    SET(TEXT, engine.ssh) },
	{ STATE, "state", "DIR", "folder of what is done, default OUT.spread",
	    SET(TEXT, state) },
	{ STATUS, "status", "STATE", "print how far a run is", SET(TEXT, status) },
	{ TASK, "task", "STATE", "for engines: do the slabs of a task", SET(TEXT, task) },
	{ VIA, "via", "local|parallel|slurm[:OPTIONS]", "who runs the tasks", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafspread", "run a pipeline over slabs of an array in parallel",
	"[-d DIM] [--slabs N] [--via ENGINE] [-J N] -o OUT.taf IN.taf -- PIPELINE",
	options, CMD_FILE | CMD_JOBS | CMD_JSON | CMD_TAF_FILES | CMD_UNPLANNED,
};

static void
read_options(struct cmd_run *run, struct intent *want)
{
	const char *arg;
	int c;

	while ((c = cmd_option(run, want, &arg)) != 0)
		switch (c) {
		case HOST:
			if (want->engine.nhosts == HOSTS)
				cmd_usage(run, "--host: more than %d", HOSTS);
			want->host[want->engine.nhosts++] = arg;
			break;
		case JOIN:
			free(want->plan.join);
			want->plan.join = strdup(arg);
			if (want->plan.join == NULL)
				cmd_check(run, taf_fail_mem(&run->err));
			break;
		case VIA:
			if (!taf_engine_named(arg, &want->engine))
				cmd_usage(run, "--via %s: not local, parallel or slurm",
				    arg);
			break;
		}
	if (cmd_has(run, SLABS) && want->plan.slabs == 0)
		cmd_usage(run, "--slabs 0: not a number of 1 or more");
}

static enum taf_status
task(struct cmd_run *run, const struct intent *want)
{
	bool bad = false;
	const enum taf_status st = taf_spread_task(&run->caller, want->task, run->files,
	    run->nfiles, want->engine.retries, &bad, &run->err);

	if (bad)
		run->status = TAF_ESYS;
	return st;
}

static enum taf_status
status(struct cmd_run *run, const char *state)
{
	struct taf_str s = { .err = &run->err };
	enum taf_status st = taf_spread_status(state, run->json, &s, &run->err);
	struct taf_out *out = st == TAF_OK ? cmd_out(run) : NULL;

	if (st == TAF_OK)
		st = out != NULL ? taf_out_str(out, &s) : run->err.code;
	taf_str_free(&s);
	return st;
}

/* Have standard output before the work begins, which ends with the line of the digest. */
static enum taf_status
open_line(struct cmd_run *run, const struct intent *want)
{
	if (want->each)
		cmd_usage(run, "--checksum is of one output: it goes with -o");
	if (taf_fd_is(1, run->output))
		cmd_usage(run, "--checksum: standard output is the output");
	return taf_out_fd(&run->out, 1, "standard output", &run->err);
}

/* As tafchecksum prints it. */
static enum taf_status
print_line(struct cmd_run *run, const struct taf_blake3_node *checksum)
{
	struct taf_str s = { .err = &run->err };
	char digest[TAF_BLAKE3_TEXT];

	taf_blake3_text(checksum, digest);
	taf_digest_put(&s, digest, run->output, 1);
	taf_str_puts(&s, "\n");
	s.st = taf_out_str(run->out, &s);
	taf_str_free(&s);
	return s.st;
}

static enum taf_status
spread(struct cmd_run *run, struct intent *want)
{
	const unsigned at_once = taf_threads(&run->service);
	/* the pipeline is behind "--", or the last word, or what follows the one file */
	const int files = run->behind > 0 && run->behind < run->nfiles ? run->behind :
	    want->each ? run->nfiles - 1 : 1;
	struct taf_draft draft = { .input = run->files[0], .output = run->output,
		.state = want->state, .bin = want->bin, .named = &run->words,
		.words = run->files + files,
		.nwords = run->nfiles - files, .slabs = (uint64_t)at_once * 4 };
	struct taf_blake3_node checksum;
	enum taf_status st;

	if (run->nfiles < 2)
		cmd_usage(run, "a file and a pipeline are needed: IN.taf -- PIPELINE");
	if (files > 1 && !want->each)
		cmd_usage(run, "%s: one file is cut into slabs; --each takes several",
		    run->files[1]);
	if (want->each != (want->directory != NULL) ||
	    want->each == (run->output != NULL))
		cmd_usage(run, want->each ? "--each goes with -D and without -o" :
		    want->directory != NULL ? "-D is for --each" : "-o is missing");
	if (want->each && cmd_has(run, 'd'))
		cmd_usage(run, "--each cuts no file: -d is for one");
	if (want->engine.kind != TAF_ENGINE_PARALLEL &&
	    (want->engine.nhosts > 0 || want->engine.ssh != NULL))
		cmd_usage(run, "--host and --ssh are for --via parallel");
	want->engine.host = want->host;
	want->engine.jobs = run->service.jobs;
	want->plan.checksum = want->checksum;
	if (want->checksum && open_line(run, want) != TAF_OK)
		return run->err.code;
	if (want->each) {
		draft.file = run->files;
		draft.nfiles = (size_t)files;
		draft.directory = want->directory;
		st = taf_draft_each(&want->plan, &draft, &run->err);
	} else {
		st = taf_draft_plan(&want->plan, &draft, &run->err);
	}
	if (st == TAF_OK)
		st = taf_spread(&run->caller, &want->plan, &want->engine, &checksum,
		    &run->err);
	return st == TAF_OK && want->checksum ? print_line(run, &checksum) : st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .engine.retries = 3 };
	enum taf_status st;

	/* without its owner's rights nobody can go on with a run */
	(void)umask(umask(0) & 077);
	read_options(run, &want);
	if (run->named && (want.status != NULL || want.task != NULL || want.feed != NULL))
		cmd_usage(run, "-d is for a new run");
	if (want.status != NULL)
		st = status(run, want.status);
	else if (want.task != NULL)
		st = task(run, &want);
	else if (want.feed != NULL)
		st = taf_pipeline_feed(want.feed, run->files[0],
		    run->nfiles > 1 ? run->files[1] : NULL, &run->err);
	else
		st = spread(run, &want);
	if (st != TAF_OK)
		cmd_report(run, NULL);
	taf_plan_fini(&want.plan);
	return cmd_end(run);
}
