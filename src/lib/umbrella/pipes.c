/* SPDX-License-Identifier: ISC */
#include "umbrella/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spread/shell.h"

/* What a signal is passed on to. */
static const struct cmd_source *volatile sources;
static volatile size_t nsources;
static volatile pid_t reader;
static volatile sig_atomic_t caught;

static void
pass_on(int sig)
{
	const struct cmd_source *s = sources;
	size_t i;

	caught = sig;
	if (reader > 0)
		(void)kill(reader, sig);
	for (i = 0; i < nsources; i++)
		if (s[i].pid > 0)
			(void)kill(s[i].pid, sig);
}

enum taf_status
cmd_source_start(struct cmd_source *s, struct taf_err *e)
{
	void (*old)(int);
	enum taf_status st;
	int end[2];

	if (taf_shell_pipe(end, e) != TAF_OK)
		return e->code;
	/* by it a source ends that is not read to its end, whatever our parent ignores */
	old = signal(SIGPIPE, SIG_DFL);
	st = taf_shell_start(&s->pid, s->argv, (const int[3]){ 0, end[1], 2 }, false, e);
	(void)signal(SIGPIPE, old);
	(void)close(end[1]);
	if (st != TAF_OK)
		(void)close(end[0]);
	s->r = st == TAF_OK ? end[0] : -1;
	(void)snprintf(s->name, sizeof s->name, "/dev/fd/%d", end[0]);
	return st;
}

static void
leave_pipes(struct cmd_source *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (s[i].pid > 0 && s[i].r >= 0) {
			(void)close(s[i].r);
			s[i].r = -1;
		}
}

void
cmd_sources_leave(struct cmd_source *s, size_t n)
{
	struct taf_err ignored = { 0 };
	size_t i;
	int how;

	leave_pipes(s, n);
	for (i = 0; i < n; i++)
		if (s[i].pid > 0 && taf_shell_wait(s[i].pid, &how, &ignored) != TAF_OK)
			return;
}

/*
 * Is a source's end the cause of the reader's?  Not where it has no reader any more, nor
 * where both were sent a signal, or the reader died of one.
 */
static bool
is_cause(int source, int of_reader)
{
	if (WIFSIGNALED(of_reader) && WTERMSIG(of_reader) != SIGPIPE)
		return false;
	if (WIFSIGNALED(source))
		return WTERMSIG(source) != SIGPIPE &&
		    (WTERMSIG(source) != caught || of_reader == 0);
	return WEXITSTATUS(source) != 0;
}

/* Has it failed before it gave a byte?  Then its message is all there is to say. */
static bool
fails_at_once(const struct cmd_source *s)
{
	struct pollfd p = { .fd = s->r, .events = POLLIN };
	siginfo_t end = { .si_pid = 0 };
	int got;

	do
		got = poll(&p, 1, -1);
	while (got < 0 && errno == EINTR && caught == 0);
	if (got <= 0 || (p.revents & POLLIN) != 0)
		return false;
	return waitid(P_PID, (id_t)s->pid, &end, WEXITED | WNOWAIT) == 0 &&
	    end.si_code == CLD_EXITED && end.si_status != 0;
}

/* Nobody reads the others where source i has failed: its end is that of all. */
static enum taf_status
end_early(struct cmd_source *s, size_t n, size_t i, int *how, struct taf_err *e)
{
	enum taf_status st;

	leave_pipes(s, n);
	st = taf_shell_wait(s[i].pid, how, e);
	s[i].pid = 0;
	cmd_sources_leave(s, n);
	nsources = 0;
	return st;
}

enum taf_status
cmd_sources_read(const char *const *argv, struct cmd_source *s, size_t n, bool input,
    int *how, struct taf_err *e)
{
	static const int passed[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = pass_on }, old;
	enum taf_status st;
	pid_t pid = 0;
	int one;
	size_t i;

	(void)sigemptyset(&act.sa_mask);
	sources = s;
	nsources = n;
	for (i = 0; i < sizeof passed / sizeof passed[0]; i++)
		if (sigaction(passed[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			(void)sigaction(passed[i], &act, NULL);
	for (i = 0; i < n; i++)
		if (fails_at_once(&s[i]))
			return end_early(s, n, i, how, e);
	for (i = 0; i < n && !input; i++)
		(void)fcntl(s[i].r, F_SETFD, 0);
	st = taf_shell_start(&pid, argv, (const int[3]){ input ? s[0].r : 0, 1, 2 },
	    false, e);
	reader = pid;
	if (caught != 0)
		pass_on(caught);
	leave_pipes(s, n);
	if (st != TAF_OK) {
		cmd_sources_leave(s, n);
		return st;
	}
	st = taf_shell_wait(pid, how, e);
	reader = 0;
	for (i = 0; i < n && st == TAF_OK; i++) {
		st = taf_shell_wait(s[i].pid, &one, e);
		s[i].pid = 0;
		if (st == TAF_OK && is_cause(one, *how))
			*how = one;
	}
	nsources = 0;
	return st;
}
