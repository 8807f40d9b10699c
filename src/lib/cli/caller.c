#include "cli/caller.h"

#include <unistd.h>

#include "cli/crash.h"
#include "cli/private.h"

static void
child(void *ctx, enum taf_status (*work)(void *arg), void *arg)
{
	struct cmd_run *run = ctx;

	run->progress = false;
	/* of a crash the parent tells */
	cmd_guard(NULL, false);
	cmd_private_tell(run, false);
	cmd_private_tell(run, work(arg) == TAF_OK);
	_exit(0);
}

static void
tell(void *ctx, bool done)
{
	cmd_private_tell(ctx, done);
}

static void
report(void *ctx, struct taf_err *e)
{
	struct cmd_run *run = ctx;

	/* which e may be, too */
	run->err = *e;
	cmd_report(run, NULL);
	taf_err_clear(e);
}

static void
say(void *ctx, const char *text)
{
	cmd_say(ctx, "%s", text);
}

static bool
due(void *ctx)
{
	return cmd_progress_due(ctx);
}

static void
show(void *ctx, const char *text)
{
	(void)ctx;
	cmd_progress_text(text);
}

struct taf_caller
cmd_caller(struct cmd_run *run)
{
	return (struct taf_caller){ .service = &run->service, .ctx = run, .child = child,
		.crashed = cmd_crashed, .tell = tell, .report = report, .say = say,
		.due = due, .show = show };
}
