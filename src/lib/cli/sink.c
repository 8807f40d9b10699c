/* SPDX-License-Identifier: ISC */
/* Where the output goes, and what is refused there before anything is opened. */
#include "cli/cmd.h"

#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"
#include "cli/private.h"
#include "codec/taf_foreign.h"
#include "io/numbered.h"
#include "io/where.h"
#include "stream/writer_private.h"

const char *
cmd_stdout_name(void)
{
	static struct taf_fd_name name;

	return taf_fd_file(1, &name) ? name.s : NULL;
}

/* Would header and elements be written to one file? */
static bool
one_file(const struct cmd_run *run)
{
	if (run->output == NULL)
		return taf_fd_is(1, run->data);
	return strcmp(run->output, run->data) == 0 ||
	    (taf_file_twice(run->data) && taf_same_file(run->output, run->data));
}

/* Of several files that are written none may be one that is read. */
static void
refuse_inputs(struct cmd_run *run, const struct taf_sink *sink)
{
	const bool numbered = run->output != NULL && taf_numbered(run->output);
	struct taf_files inputs;
	struct taf_names there = { 0 };
	size_t k;

	if (!numbered && sink->data == NULL)
		return;
	cmd_check(run, taf_files_of(&inputs, run->files, (size_t)run->nfiles, &run->err));
	if (sink->data != NULL && taf_files_has(&inputs, sink->data))
		cmd_usage(run, "--out: %s is an input", sink->data);
	/* of a folder that may not be listed no names are known */
	if (numbered && taf_numbered_there(run->output, &there, &run->err) != TAF_OK)
		taf_err_clear(&run->err);
	for (k = 0; k < there.n; k++)
		if (taf_files_has(&inputs, there.name[k]))
			cmd_usage(run, "-o %s: %s is an input", run->output,
			    there.name[k]);
	taf_names_free(&there);
	taf_files_free(&inputs);
}

/* The format: what -F says, or else the name of the output. */
static enum taf_format
format_of(struct cmd_run *run)
{
	const char *slash, *name;
	bool taf;

	if (run->format >= 0)
		return (enum taf_format)run->format;
	if (run->output != NULL) {
		slash = strrchr(run->output, '/');
		return strstr(slash != NULL ? slash : run->output, ".taf") != NULL ?
		    TAF_FORMAT_TAF : TAF_FORMAT_RSF;
	}
	name = cmd_stdout_name();
	if (name == NULL)
		return TAF_FORMAT_RSF;
	taf = taf_ends(name, ".taf");
	if ((run->self->flags & CMD_TO_TAF) != 0 &&
	    (taf || (run->data == NULL && !taf_ends(name, ".rsf"))))
		return TAF_FORMAT_TAF;
	if (taf)
		cmd_usage(run, "standard output is %s: use -o or -F taf", name);
	return TAF_FORMAT_RSF;
}

/* Nobody wants to see bytes that are no text. */
static void
refuse_terminal(struct cmd_run *run)
{
	if (run->output == NULL && !run->force && isatty(1) == 1)
		cmd_usage(run, "binary data to a terminal: use -o, a pipe, or -f");
}

/* What is written, but surely not as somebody wanted. */
static void
remark_name(struct cmd_run *run)
{
	const char *const name = run->output == NULL ? cmd_stdout_name() : run->output;
	const char *slash, *command;
	double v;

	if (name == NULL)
		return;
	slash = strrchr(name, '/');
	slash = slash != NULL ? slash + 1 : name;
	command = run->format < 0 ? taf_foreign_writer(name) : NULL;
	if (command != NULL)
		cmd_remark(run, "%s is written as RSF: %s writes such files", name,
		    command);
	else if (run->output == NULL && (run->self->flags & CMD_WORD) != 0 &&
	    (slash[0] == '=' || taf_parse_f64(slash, strlen(slash), &v)))
		cmd_remark(run,
		    "the output is a file named %s: an expression with > stands between quotes",
		    slash);
}

unsigned
cmd_texts(unsigned flags)
{
	return ((flags & CMD_WORD) != 0 ? TAF_TEXT_FIRST : 0) |
	    ((flags & CMD_PLACE) != 0 ? TAF_TEXT_SECOND : 0) |
	    ((flags & CMD_SETTINGS) != 0 ? TAF_TEXT_SETTINGS : 0);
}

/* What adds the lines of --recipe. */
static const struct taf_stamp *
stamp(struct cmd_run *run)
{
	struct taf_stamp_run *const s = &run->priv->stamp;
	const unsigned flags = run->self->flags;

	s->service = &run->service;
	s->program = run->self->name;
	s->output = run->output;
	s->behind = run->behind;
	s->texts = cmd_texts(flags);
	s->bytes = (flags & CMD_ARRAYS) == 0 && (flags & (CMD_TO_TAF | CMD_AS_IS)) != 0;
	s->files = run->files;
	s->nfiles = run->nfiles;
	return taf_stamp_begin(s);
}

void
cmd_sink(struct cmd_run *run, struct taf_sink *sink)
{
	*sink = (struct taf_sink){ .path = run->output, .history = run->history,
		.format = format_of(run), .stamp = run->recipe ? stamp(run) : NULL };
	if (run->plan)
		sink->stamp = taf_forecast_stamp(&run->priv->forecast);
	/* a TAF file has its elements in it, and Flow() adds --out to whatever is last */
	if (sink->format != TAF_FORMAT_TAF)
		sink->data = run->data;
	if (sink->data != NULL && one_file(run))
		cmd_usage(run, "--out: %s is the output", run->data);
	refuse_inputs(run, sink);
	cmd_say(run, "%s: written as %s", run->output != NULL ? run->output :
	    "standard output", sink->format == TAF_FORMAT_TAF ? "TAF" : "RSF");
	if (sink->data != NULL && run->output == NULL && taf_fd_pipe(1))
		cmd_usage(run,
		    "--out: standard output is a pipe: its elements follow the header");
	if (sink->data == NULL)
		refuse_terminal(run);
	if (sink->format == TAF_FORMAT_RSF)
		remark_name(run);
}

void
cmd_private_plan(struct cmd_run *run)
{
	struct taf_forecast *const f = &run->priv->forecast;
	const unsigned flags = run->self->flags;
	const bool other = (flags & CMD_ARRAYS) == 0 &&
	    (flags & (CMD_TO_TAF | CMD_AS_IS)) != 0, changes = run->in_place;
	const bool several = changes ||
	    (run->output != NULL && taf_numbered(run->output));

	*f = (struct taf_forecast){ .words = (const char *const *)run->priv->argv,
		.nwords = run->priv->argc, .history = run->history, .json = run->json,
		.arrays = (flags & CMD_STREAM) != 0, .memory = run->service.memory,
		.threads = taf_threads(&run->service), .recipe = run->recipe,
		.chosen = run->pick != 0 || run->list != NULL, .changes = changes,
		.named = changes || run->output != NULL, .files = run->files,
		.nfiles = run->nfiles };
	refuse_inputs(run, &(struct taf_sink){ .data = f->arrays ? run->data : NULL });
	cmd_check(run, taf_forecast_begin(f, &run->err));
	f->taf = f->arrays && (changes || format_of(run) == TAF_FORMAT_TAF);
	f->spools = f->taf && !changes &&
	    (run->output == NULL || !taf_file_twice(run->output));
	run->format = f->taf && !several ? TAF_FORMAT_TAF : TAF_FORMAT_RSF;
	run->output = run->data = NULL;
	run->in_place = run->recipe = run->progress = false;
	run->quiet = true;
	f->blind = f->blind || (f->stage > 1 && other) ||
	    taf_stamp_option_reads(&run->priv->stamp);
	f->unknown = (flags & CMD_UNPLANNED) != 0;
	if (f->unknown || f->blind)
		cmd_private_leave(cmd_end(run));
}

void
cmd_private_check_out(struct cmd_run *run)
{
	const char *name = cmd_stdout_name();

	if (run->output != NULL && taf_ends(run->output, ".taf"))
		cmd_usage(run, "-o %s: what it writes here is no TAF", run->output);
	if (run->output == NULL && name != NULL && taf_ends(name, ".taf"))
		cmd_usage(run,
		    "standard output is %s, but this is no TAF: use -o or -F taf of a command that writes arrays",
		    name);
	if ((run->self->flags & CMD_BINARY) != 0)
		refuse_terminal(run);
}

struct taf_out *
cmd_out(struct cmd_run *run)
{
	enum taf_status st;

	if (run->out != NULL)
		return run->out;
	cmd_private_check_out(run);
	if (run->output != NULL)
		st = taf_out_create(&run->out, run->output, &run->err);
	else
		st = taf_out_fd(&run->out, 1, "standard output", &run->err);
	if (st != TAF_OK)
		cmd_report(run, NULL);
	return run->out;
}
