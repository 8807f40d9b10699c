/* SPDX-License-Identifier: ISC */
#include "cli/cmd.h"
#include "cli/crash.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/need.h"
#include "base/str.h"
#include "cli/private.h"
#include "io/os.h"
#include "io/temp.h"
#include "io/undo.h"
#include "io/where.h"
#include "op/digest/guard.h"
#include "text/history.h"

enum { DEFAULT_MEMORY = 256 * 1024 * 1024 };

static void
on_signal(int sig)
{
	taf_undo_cancel();
	taf_temp_unlink_all();
	(void)signal(sig, SIG_DFL);
	(void)raise(sig);
}

/* A mapped file has become shorter: the only way to learn of it is this signal. */
static void
on_bus(int sig)
{
	static const char text[] = ": a file has shrunk while it was read\n";
	const char *name = cmd_private_name();

	(void)sig;
	taf_undo_cancel();
	taf_temp_unlink_all();
	if (write(2, name, strlen(name)) >= 0 && write(2, text, sizeof text - 1) >= 0)
		_exit(3);
	_exit(3);
}

static void
catch_signals(void)
{
	static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct sigaction act, old;
	size_t i;

	memset(&act, 0, sizeof act);
	act.sa_handler = on_signal;
	(void)sigfillset(&act.sa_mask);
	act.sa_flags = SA_NODEFER;
	for (i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
		if (sigaction(fatal[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			(void)sigaction(fatal[i], &act, NULL);
	act.sa_handler = on_bus;
	(void)sigaction(SIGBUS, &act, NULL);
	/* ignored by our parent, it would make waiting for a process fail */
	(void)signal(SIGCHLD, SIG_DFL);
	/* a limit on the size of files is then an error of write */
	(void)signal(SIGXFSZ, SIG_IGN);
}

void
cmd_private_leave(int status)
{
	cmd_guard_end();
	exit(status);
}

static void
child(void *ctx, enum taf_status (*work)(void *arg), void *arg)
{
	struct cmd_run *run = ctx;

	run->progress = false;
	/* the parent tells of a crash */
	cmd_guard(NULL, false);
	cmd_private_tell(run, false);
	cmd_private_tell(run, work(arg) == TAF_OK);
	_exit(0);
}

struct cmd_run *
cmd_begin(const struct cmd *self, int argc, char **argv)
{
	const char *verify = getenv("TAF_VERIFY");
	struct cmd_run *run;

	taf_fd_guard();
	cmd_private_set_name(self->name);
	taf_os_called(argv[0]);
	catch_signals();
	run = calloc(1, sizeof *run);
	if (run == NULL || (run->priv = calloc(1, sizeof *run->priv)) == NULL ||
	    (run->files = calloc((size_t)argc + 1, sizeof *run->files)) == NULL) {
		(void)fprintf(stderr, "%s: memory\n", self->name);
		cmd_private_leave(4);
	}
	run->self = self;
	run->format = -1;
	run->service = (struct taf_service){ .memory = DEFAULT_MEMORY, .ctx = run,
	    .remark = cmd_private_remark, .progress = cmd_private_progress,
	    .watch = cmd_private_watch };
	run->caller = (struct taf_caller){ .service = &run->service, .ctx = run,
	    .child = child, .tell = cmd_private_tell,
	    .report = cmd_private_report, .say = cmd_private_say, .due = cmd_private_due,
	    .show = cmd_private_show };
	taf_note_listen(cmd_private_heard, run);
	taf_need_listen(cmd_private_say, run);
	if (verify != NULL && strcmp(verify, "1") == 0)
		taf_reader_guard_by(taf_guard);
	run->priv->argc = argc;
	run->priv->argv = argv;
	if ((self->flags & CMD_STREAM) != 0)
		cmd_check(run, taf_history(&run->history, self->name, argc, argv,
		    &run->err));
	return run;
}

static void
show_usage(struct cmd_run *run)
{
	struct taf_str more = { .err = &run->err };

	(void)fprintf(stderr, "usage: %s %s\n", run->self->name, run->self->synopsis);
	if (run->more != NULL)
		run->more(&more);
	if (more.st == TAF_OK && more.buf.len > 0)
		(void)fprintf(stderr, "\n%.*s\n", (int)more.buf.len, more.buf.data);
	taf_str_free(&more);
}

void
cmd_usage(struct cmd_run *run, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	/* its name alone was typed: to see what it takes */
	if (run->priv->argc == 1 && isatty(0) == 1)
		show_usage(run);
	cmd_private_message(run, NULL, text);
	cmd_private_leave(2);
}

void
cmd_value(struct cmd_run *run, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (run->priv->at == NULL)
		cmd_usage(run, "%s", text);
	cmd_usage(run, "%s %s", run->priv->name, text);
}

void
cmd_check(struct cmd_run *run, enum taf_status st)
{
	if (st == TAF_OK)
		return;
	if (st == TAF_EUSAGE)
		cmd_value(run, "%s", run->err.text);
	cmd_report(run, NULL);
	cmd_private_leave(run->status);
}

const char *
cmd_word(struct cmd_run *run, const char *what)
{
	const char *word = run->files[0];

	if (word == NULL)
		cmd_usage(run, "%s is missing", what);
	/* a name with a point is no word of ours, but for numbers */
	if (strchr(word, '.') != NULL && access(word, F_OK) == 0)
		cmd_usage(run, "%s is a file: %s stands before it", word, what);
	run->nfiles--;
	memmove(run->files, run->files + 1, (size_t)run->nfiles * sizeof *run->files);
	if (run->nfiles == 0)
		run->files[run->nfiles++] = NULL;
	return word;
}

/* The command itself is wrong: no status says that, and nobody may take it for one. */
static void
die_of_misuse(void)
{
	taf_undo_cancel();
	taf_temp_unlink_all();
	(void)signal(SIGABRT, SIG_DFL);
	abort();
}

void
cmd_private_report(void *ctx, struct taf_err *e)
{
	struct cmd_run *run = ctx;
	const int status = e->code == TAF_ETRUNC ? TAF_EDATA : (int)e->code;

	if (run->plan && taf_forecast_ended(&run->priv->forecast, e))
		return;
	cmd_private_advise(run, e);
	cmd_private_message(run, e->name[0] != '\0' ? e->name : NULL, e->text);
	if (e->code == TAF_EMISUSE)
		die_of_misuse();
	if (status > run->status)
		run->status = status;
	taf_err_clear(e);
}

void
cmd_report(struct cmd_run *run, const char *file)
{
	taf_err_name(&run->err, file);
	cmd_private_report(run, &run->err);
}

void
cmd_input(struct cmd_run *run)
{
	const char *const last = run->priv->argv[run->priv->argc - 1];

	run->priv->stamp.reads = true;
	if (run->nfiles == 0 || run->files[0] != NULL || isatty(0) != 1)
		return;
	if (run->priv->argc > 1)
		show_usage(run);
	if (taf_ends(last, ".taf") && last != run->output)
		cmd_usage(run, "no file is named: %s is the value of an option", last);
	cmd_usage(run,
	    "standard input is a terminal: name a file, or - to type the input");
}

void
cmd_one_input(struct cmd_run *run, const char *const *more, int n)
{
	int i, inputs = 0;

	for (i = 0; i < run->nfiles; i++)
		inputs += taf_in_called(run->files[i]) != run->files[i];
	for (i = 0; i < n; i++)
		inputs += taf_in_called(more[i]) != more[i];
	if (inputs > 1)
		cmd_usage(run, "-: standard input is one input, not two");
}

void
cmd_named(struct cmd_run *run)
{
	int i;

	for (i = 0; i < run->nfiles; i++)
		if (strcmp(run->files[i], "-") == 0)
			cmd_usage(run,
			    "-: standard input has no name, and a file is needed by name");
}

size_t
cmd_memory(const struct cmd_run *run)
{
	const uint64_t memory = run->service.memory;

	return memory < SIZE_MAX ? (size_t)memory : SIZE_MAX;
}

int
cmd_end(struct cmd_run *run)
{
	int status;

	/* what was printed for the operands that are sound stays */
	if (run->out != NULL && run->status > 1 &&
	    (run->output != NULL || taf_out_failed(run->out)))
		taf_out_discard(run->out);
	/* and that the system fails is told once */
	else if (run->out != NULL && taf_out_commit(run->out, &run->err) != TAF_OK &&
	    run->status != 4)
		cmd_report(run, NULL);
	if (run->plan && run->status == 0 && taf_forecast_end(&run->priv->forecast,
	    run->nfiles, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	status = run->status;
	cmd_guard_end();
	cmd_private_end();
	if (status == 0 && !run->plan && !taf_words_settled(&run->words))
		die_of_misuse();
	cmd_private_tell(run, status <= 1);
	taf_note_listen(NULL, NULL);
	taf_need_listen(NULL, NULL);
	taf_buf_free(&run->heard);
	taf_buf_free(&run->remarks);
	taf_words_free(&run->words);
	taf_stamp_free(&run->priv->stamp);
	free(run->history);
	free(run->files);
	free(run->priv);
	free(run);
	return status;
}
