/* SPDX-License-Identifier: ISC */
/* The display of -p: redrawn on a terminal, a line now and then elsewhere. */
#include "cli/cmd.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/decimal.h"
#include "cli/private.h"
#include "stream/writer_private.h"

enum { EVERY = 1, SELDOM = 10 };	/* seconds */

enum { SHORT = 79 };	/* a line of a terminal */

/* What a signal handler needs to know. */
static struct {
	const char *name;
	const struct taf_writer *w;
	const struct taf_out *out;	/* where w is NULL */
	uint64_t before, total;
	time_t last;
	bool terminal;
	volatile sig_atomic_t drawn;
} shown;

/*
 * A line of n bytes behind the program's name, as wide as least on a terminal: over what
 * may be left of a longer one.  Without stdio, since it may run inside a signal handler.
 */
static void
draw(const char *text, size_t n, size_t least)
{
	char line[200];
	size_t at = (size_t)(stpcpy(stpcpy(stpcpy(line, shown.terminal ? "\r" : ""),
	    shown.name), ": ") - line);

	n = n < sizeof line - at - 2 ? n : sizeof line - at - 2;
	memcpy(line + at, text, n);
	at += n;
	while (shown.terminal && at < least)
		line[at++] = ' ';
	if (!shown.terminal)
		line[at++] = '\n';
	if (write(2, line, at) >= 0)
		shown.drawn = shown.terminal;
}

static void
draw_bytes(uint64_t done, uint64_t total)
{
	char text[TAF_SHARE_SIZE];
	const size_t n = taf_print_share(text, done, total);

	draw(text, n, 0);
}

static void
start(const struct cmd_run *run)
{
	if (shown.name == NULL) {
		shown.name = run->self->name;
		shown.terminal = isatty(2) == 1;
		shown.last = time(NULL);
	}
}

bool
cmd_private_due(void *ctx)
{
	const struct cmd_run *run = ctx;
	const time_t now = time(NULL);

	if (!run->progress)
		return false;
	start(run);
	if (now - shown.last < (shown.terminal ? EVERY : SELDOM))
		return false;
	shown.last = now;
	return true;
}

void
cmd_private_show(void *ctx, const char *text)
{
	(void)ctx;
	draw(text, strlen(text), SHORT);
}

void
cmd_private_progress(void *ctx, uint64_t done, uint64_t total)
{
	if (cmd_private_due(ctx))
		draw_bytes(done, total);
}

/* Bytes that have gone out, of this array and those before. */
static uint64_t
moved(void)
{
	return shown.w != NULL ? taf_writer_moved(shown.w) :
	    shown.out != NULL ? taf_out_moved(shown.out) : 0;
}

static void
on_alarm(int sig)
{
	const uint64_t now = moved();

	(void)sig;
	if (now >= shown.before)
		draw_bytes(now - shown.before, shown.total);
}

static void
set_timer(time_t seconds)
{
	struct itimerval t;

	memset(&t, 0, sizeof t);
	t.it_interval.tv_sec = t.it_value.tv_sec = seconds;
	(void)setitimer(ITIMER_REAL, &t, NULL);
}

void
cmd_private_watch(void *ctx, const struct taf_writer *w, const struct taf_out *out,
    uint64_t total)
{
	const struct cmd_run *run = ctx;
	struct sigaction act;

	if (!run->progress)
		return;
	if (w == NULL && out == NULL)
		set_timer(0);
	shown.w = w;
	shown.out = out;
	if (w == NULL && out == NULL)
		return;
	start(run);
	shown.before = moved();
	shown.total = total;
	memset(&act, 0, sizeof act);
	act.sa_handler = on_alarm;
	act.sa_flags = SA_RESTART;
	(void)sigaction(SIGALRM, &act, NULL);
	set_timer(shown.terminal ? EVERY : SELDOM);
}

void
cmd_private_end(void)
{
	if (shown.drawn && write(2, "\n", 1) >= 0)
		shown.drawn = 0;
}
