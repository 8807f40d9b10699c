/* SPDX-License-Identifier: ISC */
#include "spread/jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/os.h"
#include "io/worker.h"

struct worker {
	pid_t pid;	/* 0: none */
	size_t number;
};

struct pool {
	const struct taf_caller *caller;
	taf_job_call *work;
	void *ctx;
	struct worker *worker;
	struct taf_job *report;	/* of each worker, in memory that all share */
	struct taf_job *next;	/* of the one that starts */
	unsigned n, busy;
};

pid_t
taf_fork(const struct taf_caller *caller, int sig, enum taf_status (*work_on)(void *arg),
    void *arg, struct taf_err *e)
{
	const pid_t pid = taf_fork_tied(sig);

	if (pid < 0)
		(void)taf_fail_sys(e, "cannot start a process");
	if (pid == 0)
		caller->child(caller->ctx, work_on, arg);
	return pid;
}

static enum taf_status
work(void *arg)
{
	const struct pool *p = arg;

	p->work(p->ctx, p->next);
	return p->next->status;
}

static enum taf_status
start(struct pool *p, size_t number, struct taf_err *e)
{
	unsigned i = 0;
	pid_t pid;

	while (p->worker[i].pid != 0)
		i++;
	p->next = &p->report[i];
	*p->next = (struct taf_job){ .number = number };
	/* what kills us ends all pieces */
	pid = taf_fork(p->caller, SIGTERM, work, p, e);
	if (pid < 0)
		return TAF_ESYS;
	p->worker[i] = (struct worker){ pid, number };
	p->busy++;
	return TAF_OK;
}

static void
on_tick(int sig)
{
	(void)sig;
}

/* As waitpid, but -1 with EINTR after a second. */
static pid_t
wait_second(int *how)
{
	const struct sigaction act = { .sa_handler = on_tick };
	/* again and again, in case the first one comes before the wait */
	const struct itimerval on = { { 1, 0 }, { 1, 0 } }, off = { { 0, 0 }, { 0, 0 } };
	struct sigaction old;
	pid_t pid;
	int error;

	(void)sigaction(SIGALRM, &act, &old);
	(void)setitimer(ITIMER_REAL, &on, NULL);
	pid = waitpid(-1, how, 0);
	error = errno;
	(void)setitimer(ITIMER_REAL, &off, NULL);
	(void)sigaction(SIGALRM, &old, NULL);
	errno = error;
	return pid;
}

/* Wait for one that ends, and for its report; TAF_END where a second has passed. */
static enum taf_status
reap(struct pool *p, struct taf_job *job, struct taf_err *e)
{
	unsigned i;
	pid_t pid;
	int how;

	do {
		pid = wait_second(&how);
		if (pid < 0 && errno == EINTR)
			return TAF_END;
		if (pid < 0)
			return taf_fail_sys(e, "cannot wait for a process");
		for (i = 0; i < p->n && p->worker[i].pid != pid; i++)
			continue;
	} while (i == p->n);
	p->worker[i].pid = 0;
	p->busy--;
	*job = p->report[i];
	if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
		return TAF_OK;
	*job = (struct taf_job){ .number = p->worker[i].number };
	/* a crash is what a hostile file does to a library that decodes it */
	job->status = WIFEXITED(how) ? taf_fail(&job->err, TAF_ESYS,
	    "its process died, status %d", WEXITSTATUS(how)) :
	    taf_fail(&job->err, taf_is_crash(WTERMSIG(how)) ? TAF_EDATA : TAF_ESYS,
	    "its process died of signal %d", WTERMSIG(how));
	return TAF_OK;
}

enum taf_status
taf_jobs(const struct taf_caller *caller, size_t n, taf_job_call *work_on,
    taf_job_call *done, void *ctx, struct taf_err *e)
{
	struct pool p = { .caller = caller, .work = work_on, .ctx = ctx,
		.n = taf_threads(caller->service) };
	struct taf_err first = { 0 };	/* what done tells of is that of a piece */
	enum taf_status st = TAF_OK, ended;
	struct taf_job job;
	size_t next = 0;

	if (p.n > n)
		p.n = (unsigned)n;
	p.worker = calloc(p.n, sizeof *p.worker);
	p.report = taf_os_share(p.n * sizeof *p.report, &first);
	if (p.report == NULL)
		st = first.code;
	else if (p.worker == NULL)
		st = taf_fail_mem(&first);
	while (p.busy > 0 || (st == TAF_OK && next < n)) {
		if (st == TAF_OK && next < n && p.busy < p.n) {
			st = start(&p, next++, &first);
			continue;
		}
		ended = reap(&p, &job, &first);
		/* nothing is left to wait for */
		if (ended == TAF_ESYS) {
			st = ended;
			break;
		}
		done(ctx, ended == TAF_OK ? &job : NULL);
		if (ended == TAF_OK)
			caller->tell(caller->ctx, job.status == TAF_OK);
	}
	free(p.worker);
	taf_os_unshare(p.report, p.n * sizeof *p.report);
	if (st != TAF_OK)
		*e = first;
	return st;
}
