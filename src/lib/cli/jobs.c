#include "cli/jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/crash.h"
#include "cli/private.h"

struct worker {
	pid_t pid;	/* 0: none */
	size_t number;
};

struct pool {
	struct worker *worker;
	struct cmd_job *report;	/* of each worker, in memory that all share */
	unsigned n, busy;
};

static enum taf_status
start(struct cmd_run *run, struct pool *p, size_t number,
    void (*work)(struct cmd_run *run, void *ctx, struct cmd_job *job),
    void *ctx, struct taf_err *e)
{
	pid_t parent = getpid(), pid;
	unsigned i = 0;

	while (p->worker[i].pid != 0)
		i++;
	p->report[i] = (struct cmd_job){ .number = number };
	pid = fork();
	if (pid < 0)
		return taf_fail_sys(e, "cannot start a process");
	if (pid == 0) {
#ifdef PR_SET_PDEATHSIG
		/* what kills us ends all pieces */
		(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			(void)raise(SIGTERM);
#endif
		run->progress = false;
		cmd_guard(NULL, false);
		cmd_private_tell(run, false);
		work(run, ctx, &p->report[i]);
		cmd_private_tell(run, p->report[i].status == TAF_OK);
		_exit(0);
	}
	p->worker[i].pid = pid;
	p->worker[i].number = number;
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
reap(struct pool *p, struct cmd_job *job, struct taf_err *e)
{
	struct worker *w = NULL;
	unsigned i;
	pid_t pid;
	int how;

	while (w == NULL) {
		pid = wait_second(&how);
		if (pid < 0 && errno == EINTR)
			return TAF_END;
		if (pid < 0)
			return taf_fail_sys(e, "cannot wait for a process");
		for (i = 0; i < p->n; i++)
			if (p->worker[i].pid == pid)
				w = &p->worker[i];
	}
	w->pid = 0;
	p->busy--;
	*job = p->report[w - p->worker];
	if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
		return TAF_OK;
	*job = (struct cmd_job){ .number = w->number };
	/* a crash is what a hostile file does to a library that decodes it */
	job->status = taf_fail(&job->err, WIFSIGNALED(how) && cmd_crashed(WTERMSIG(how)) ?
	    TAF_EDATA : TAF_ESYS, "its process died%s %d",
	    WIFSIGNALED(how) ? " of signal" : ", status",
	    WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
	return TAF_OK;
}

enum taf_status
cmd_jobs(struct cmd_run *run, size_t n,
    void (*work)(struct cmd_run *run, void *ctx, struct cmd_job *job),
    void (*done)(struct cmd_run *run, void *ctx, struct cmd_job *job),
    void *ctx, struct taf_err *e)
{
	struct pool p = { NULL, NULL, taf_threads(&run->service), 0 };
	struct taf_err first = { 0 };	/* run->err is that of a piece */
	enum taf_status st = TAF_OK;
	struct cmd_job job;
	size_t next = 0;
	void *shared;

	if (p.n > n)
		p.n = (unsigned)n;
	p.worker = calloc(p.n, sizeof *p.worker);
	shared = mmap(NULL, p.n * sizeof *p.report, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p.worker == NULL || shared == MAP_FAILED)
		st = taf_fail_mem(&first);
	else
		p.report = shared;
	while (p.busy > 0 || (st == TAF_OK && next < n)) {
		enum taf_status ended;

		if (st == TAF_OK && next < n && p.busy < p.n) {
			st = start(run, &p, next++, work, ctx, &first);
			continue;
		}
		ended = reap(&p, &job, &first);
		if (ended == TAF_OK || ended == TAF_END) {
			done(run, ctx, ended == TAF_OK ? &job : NULL);
			if (ended == TAF_OK)
				cmd_private_tell(run, job.status == TAF_OK);
		} else {
			st = ended;
		}
		/* nothing is left to wait for */
		if (ended == TAF_ESYS && errno == ECHILD)
			break;
	}
	free(p.worker);
	if (shared != MAP_FAILED)
		(void)munmap(shared, p.n * sizeof *p.report);
	if (st != TAF_OK)
		*e = first;
	return st;
}
