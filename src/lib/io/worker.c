/* SPDX-License-Identifier: ISC */
#include "io/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/os.h"
#include "io/temp.h"

enum { STACK = 64 * 1024 };
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

/* What the worker leaves to the process that waits for it. */
static struct taf_will *will;
static void (*on_crash)(bool memory);

bool
taf_is_crash(int sig)
{
	size_t k;

	for (k = 0; k < COUNT(crashes) && crashes[k] != sig; k++)
		continue;
	return k < COUNT(crashes);
}

static void
crash(int sig)
{
	const bool memory = errno == ENOMEM;

	if (will != NULL) {
		will->crashed = true;
		will->memory = memory;
	} else {
		taf_temp_unlink_all();
		if (on_crash != NULL)
			on_crash(memory);
	}
	/* delivered when this returns, and not handled again */
	(void)raise(sig);
}

void
taf_crash_listen(void (*act)(bool memory))
{
	/* where a recursion without end has used up the other one */
	static char stack[STACK];
	stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction how = { .sa_handler = crash,
		.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND) };
	size_t k;

	on_crash = act;
	(void)sigfillset(&how.sa_mask);
	if (sigaltstack(&alternative, NULL) == 0)
		for (k = 0; k < COUNT(crashes); k++)
			(void)sigaction(crashes[k], &how, NULL);
}

pid_t
taf_fork_tied(int sig)
{
	const pid_t parent = getpid(), pid = fork();

	if (pid == 0)
		taf_os_end_with_parent(sig);
	if (pid == 0 && getppid() != parent)
		(void)raise(sig);
	return pid;
}

static volatile pid_t worker;

static void
hand_on(int sig)
{
	const int error = errno;

	(void)kill(worker, sig);
	errno = error;
}

/* A signal that is ignored stays so, there and here. */
static void
listen_for_end(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction act = { .sa_handler = hand_on };
	struct sigaction old;
	size_t k;

	for (k = 0; k < COUNT(ending); k++)
		if (sigaction(ending[k], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			(void)sigaction(ending[k], &act, NULL);
}

/* Wait for it: how its end is that of this process, or a crash of what it has called. */
static enum taf_status
await(struct taf_err *e)
{
	int how, sig;

	while (waitpid(worker, &how, 0) < 0)
		if (errno != EINTR)
			return taf_fail_sys(e, "cannot wait for a process");
	will->status = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
	sig = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
	if (sig == 0)
		return TAF_OK;
	taf_temp_unlink_all();
	/* an abort of our own is no crash */
	if (taf_is_crash(sig) && (sig != SIGABRT || will->crashed))
		return TAF_OK;
	(void)signal(sig, SIG_DFL);
	(void)raise(sig);
	return TAF_OK;
}

enum taf_status
taf_worker(const struct taf_will **ended, struct taf_err *e)
{
	struct taf_will *w = taf_os_share(sizeof *w, e);

	*ended = NULL;
	if (w == NULL || taf_temp_share(e) != TAF_OK)
		return e->code;
	taf_signals_hold();
	worker = taf_fork_tied(SIGTERM);
	will = w;
	if (worker > 0)
		listen_for_end();
	taf_signals_let();
	if (worker < 0)
		return taf_fail_sys(e, "cannot start a process");
	*ended = worker > 0 ? will : NULL;
	return worker > 0 ? await(e) : TAF_OK;
}

void
taf_worker_at(const char *file)
{
	if (will != NULL)
		(void)snprintf(will->file, sizeof will->file, "%s", file);
}
