#include "cli/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* One write, so that the reports of several do not mix. */
_Static_assert(sizeof(struct cmd_job) <= PIPE_BUF, "a report fits a pipe at once");

struct worker {
	pid_t pid;	/* 0: none */
	size_t number;
};

struct pool {
	struct worker *worker;
	unsigned n, busy;
	int from, to;	/* the pipe that reports come through */
};

static enum taf_status
start(struct cmd_run *run, struct pool *p, size_t number,
    void (*work)(struct cmd_run *run, void *ctx, struct cmd_job *job),
    void *ctx, struct taf_err *e)
{
	struct cmd_job job = { 0 };
	unsigned i = 0;
	pid_t pid;

	while (p->worker[i].pid != 0)
		i++;
	pid = fork();
	if (pid < 0)
		return taf_fail_sys(e, "cannot start a process");
	if (pid == 0) {
		run->progress = false;
		job.number = number;
		work(run, ctx, &job);
		_exit(write(p->to, &job, sizeof job) == (ssize_t)sizeof job ? 0 : 1);
	}
	p->worker[i].pid = pid;
	p->worker[i].number = number;
	p->busy++;
	return TAF_OK;
}

/* Wait for one that ends: its report, or that of another one that has ended. */
static enum taf_status
reap(struct pool *p, struct cmd_job *job, struct taf_err *e)
{
	struct worker *w = NULL;
	unsigned i;
	ssize_t r;
	pid_t pid;
	int how;

	while (w == NULL) {
		pid = waitpid(-1, &how, 0);
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return taf_fail_sys(e, "cannot wait for a process");
		for (i = 0; i < p->n; i++)
			if (p->worker[i].pid == pid)
				w = &p->worker[i];
	}
	w->pid = 0;
	p->busy--;
	if (WIFEXITED(how) && WEXITSTATUS(how) == 0) {
		do
			r = read(p->from, job, sizeof *job);
		while (r < 0 && errno == EINTR);
		return r == (ssize_t)sizeof *job ? TAF_OK :
		    taf_fail_sys(e, "cannot read a report");
	}
	*job = (struct cmd_job){ 0 };
	job->number = w->number;
	job->status = taf_fail(&job->err, TAF_ESYS, "its process died%s %d",
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
	struct pool p = { NULL, run->jobs, 0, -1, -1 };
	enum taf_status st = TAF_OK;
	struct cmd_job job;
	size_t next = 0;
	int fd[2];

	if (p.n > n)
		p.n = (unsigned)n;
	if (pipe(fd) != 0)
		return taf_fail_sys(e, "cannot make a pipe");
	p.from = fd[0];
	p.to = fd[1];
	(void)fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(fd[1], F_SETFD, FD_CLOEXEC);
	p.worker = calloc(p.n, sizeof *p.worker);
	if (p.worker == NULL)
		st = taf_fail_mem(e);
	while (p.busy > 0 || (st == TAF_OK && next < n)) {
		enum taf_status ended;

		if (st == TAF_OK && next < n && p.busy < p.n) {
			st = start(run, &p, next++, work, ctx, e);
			continue;
		}
		ended = reap(&p, &job, e);
		if (ended == TAF_OK)
			done(run, ctx, &job);
		else
			st = ended;
		/* nothing is left to wait for */
		if (ended != TAF_OK && errno == ECHILD)
			break;
	}
	free(p.worker);
	(void)close(fd[0]);
	(void)close(fd[1]);
	return st;
}
