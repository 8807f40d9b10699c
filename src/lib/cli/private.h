/* SPDX-License-Identifier: ISC */
/* What the files of this layer share. */
#ifndef TAF_CLI_PRIVATE_H
#define TAF_CLI_PRIVATE_H

#include <getopt.h>

#include "cli/cmd.h"
#include "op/digest/stamp.h"
#include "plan/forecast.h"

enum { CMD_OPTIONS = 64 };

struct cmd_private {
	int argc;
	char **argv;
	/* options, and the common ones from nown on; which of them were given */
	const struct cmd_option *opts[CMD_OPTIONS];
	bool seen[CMD_OPTIONS];
	size_t nopts, nown;
	struct option longs[CMD_OPTIONS + 1];
	char shorts[3 * CMD_OPTIONS + 3];
	/* the present option; NULL before the first and behind the last one */
	const struct cmd_option *at;
	char name[64];		/* of it, as it was typed: "-x" or "--by" */
	struct taf_stamp_run stamp;	/* of --recipe */
	struct taf_forecast forecast;	/* of --plan */
};

/* End the process. */
void cmd_private_leave(int status) TAF_NORETURN;

/* The program's name for a signal handler. */
const char *cmd_private_name(void);
void cmd_private_set_name(const char *name);

/* "prog: file: text" on standard error, one line, without control bytes. */
void cmd_private_message(struct cmd_run *run, const char *file, const char *text);

/*
 * What run->service, run->caller, arrays and readers call; ctx is the run.  Remarks wait
 * until the arrays are done with, so a command that fails prints its message alone.  What
 * readers find strange is printed once.
 */
void cmd_private_remark(void *ctx, const char *text);
void cmd_private_heard(void *ctx, const char *name, const char *text);
void cmd_private_tell(void *ctx, bool done);
void cmd_private_say(void *ctx, const char *text);
void cmd_private_seen(void *ctx, const char *name, const struct taf_array *a);
void cmd_private_report(void *ctx, struct taf_err *e);
bool cmd_private_due(void *ctx);
void cmd_private_show(void *ctx, const char *text);
void cmd_private_progress(void *ctx, uint64_t done, uint64_t total);
void cmd_private_watch(void *ctx, const struct taf_writer *w, const struct taf_out *out,
    uint64_t total);

/*
 * The option, of n, that a word of so many bytes may mean, without its dashes, or NULL.
 */
const struct cmd_option *cmd_private_guess(const struct cmd_option *const *o, size_t n,
    const char *word, size_t len);

/* Append to an error that is told what the user may do about it. */
void cmd_private_advise(const struct cmd_run *run, struct taf_err *e);

/* What cmd_out refuses as a wrong invocation, before anything is opened. */
void cmd_private_check_out(struct cmd_run *run);

/* --plan: nothing goes to outputs from now on.  Ends where no header tells anything. */
void cmd_private_plan(struct cmd_run *run);

/* End a progress display that is still on its line. */
void cmd_private_end(void);

#endif
