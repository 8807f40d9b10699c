/* SPDX-License-Identifier: ISC */
#include "spread/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/str.h"
#include "io/at.h"
#include "io/names.h"
#include "spread/shell.h"
#include "spread/slab.h"

enum {
	ARRAY = 1000,		/* tasks of an array job, where Slurm says nothing less */
	NAP = 100		/* milliseconds between two looks at an engine */
};

bool
taf_engine_named(const char *name, struct taf_engine *engine)
{
	const bool slurm = strncmp(name, "slurm", 5) == 0 &&
	    (name[5] == '\0' || name[5] == ':');

	engine->options = slurm && name[5] == ':' ? name + 6 : NULL;
	engine->kind = slurm ? TAF_ENGINE_SLURM : strcmp(name, "parallel") == 0 ?
	    TAF_ENGINE_PARALLEL : TAF_ENGINE_LOCAL;
	return engine->kind != TAF_ENGINE_LOCAL || strcmp(name, "local") == 0;
}

/* --- what is to be done, and what has failed --- */

static int
by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The names in a folder of state. */
static enum taf_status
list(const struct taf_plan *p, const char *folder, struct taf_names *names,
    struct taf_err *e)
{
	enum taf_status st;

	*names = (struct taf_names){ 0 };
	st = taf_names_read(names, taf_plan_file(p, folder).s, "", e);
	return st == TAF_END ? TAF_OK : st;
}

/* Numbers that name records in the folder "done". */
static enum taf_status
list_done(const struct taf_plan *p, struct taf_slabs *done, struct taf_err *e)
{
	struct taf_names names;
	enum taf_status st = list(p, "done", &names, e);
	uint64_t k;
	size_t i;

	*done = (struct taf_slabs){ 0 };
	if (st == TAF_OK && names.n > 0) {
		done->k = taf_alloc(names.n, sizeof *done->k);
		if (done->k == NULL)
			st = taf_fail_mem(e);
	}
	for (i = 0; st == TAF_OK && p->directory == NULL && i < names.n; i++)
		if (taf_parse_u64(names.name[i], strlen(names.name[i]), &k) &&
		    k < p->slabs)
			done->k[done->n++] = k;
	if (done->n > 1)
		qsort(done->k, done->n, sizeof *done->k, by_number);
	taf_names_free(&names);
	return st;
}

enum taf_status
taf_engine_due(const struct taf_plan *p, struct taf_slabs *due, struct taf_err *e)
{
	struct taf_slabs done;
	enum taf_status st = list_done(p, &done, e);
	uint64_t k;
	size_t i = 0;
	bool is;

	*due = (struct taf_slabs){ 0 };
	if (st == TAF_OK && p->slabs > done.n) {
		due->k = p->slabs <= SIZE_MAX ? taf_alloc((size_t)p->slabs - done.n,
		    sizeof *due->k) : NULL;
		if (due->k == NULL)
			st = taf_fail_mem(e);
	}
	for (k = 0; st == TAF_OK && k < p->slabs; k++) {
		is = i < done.n && done.k[i] == k;
		i += is ? 1 : 0;
		if (p->directory != NULL && taf_slab_done(p, k, &is, e) != TAF_OK) {
			taf_err_clear(e);
			st = taf_slab_forget(p, k, e);
			is = false;
		}
		if (!is)
			due->k[due->n++] = k;
	}
	free(done.k);
	return st;
}

/* A failure, as it is kept. */
struct failure {
	uint64_t slab, code;
	char *name, *text;
};

static const struct taf_field fields[] = {
	{ "slab", TAF_FIELD_U64, offsetof(struct failure, slab) },
	{ "code", TAF_FIELD_U64, offsetof(struct failure, code) },
	{ "name", TAF_FIELD_TEXT, offsetof(struct failure, name) },
	{ "text", TAF_FIELD_TEXT, offsetof(struct failure, text) },
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* Where a failure of slab k, for good or of the system, is kept; a file has its own. */
static struct taf_path
failure_file(const struct taf_plan *p, bool good, uint64_t k)
{
	return p->directory != NULL ? taf_plan_path(p, "failure", k) :
	    taf_plan_file(p, good ? "failed" : "trouble");
}

/* Keep a failure, unless there is one. */
static enum taf_status
keep(const struct taf_plan *p, uint64_t k, struct taf_err *why, struct taf_err *e)
{
	const bool good = why->code != TAF_ESYS;
	const struct failure f = { k, good ? TAF_EDATA : TAF_ESYS, why->name, why->text };
	const enum taf_status st = taf_record_make(failure_file(p, good, k).s, NULL,
	    fields, FIELDS, &f, e);

	return st == TAF_END ? TAF_OK : st;
}

/* A failure kept in file path; TAF_OK where there is none, or another try was better. */
static enum taf_status
tell(const struct taf_plan *p, struct taf_path path, struct taf_err *e)
{
	struct failure f = { 0 };
	struct taf_path what;
	enum taf_status st = taf_record_read(path.s, NULL, fields, FIELDS, &f, e);
	bool since = false;

	if (st == TAF_OK && f.slab >= p->slabs)
		st = taf_fail(e, TAF_EDATA, "%s: not sound", path.s);
	if (st == TAF_OK && f.code != TAF_EDATA)
		st = taf_slab_done(p, f.slab, &since, e);
	if (st == TAF_OK && !since) {
		what = taf_path("%s: ", taf_plan_name(p, f.slab).s);
		st = taf_fail(e, f.code == TAF_EDATA ? TAF_EDATA : TAF_ESYS, "%s%s%s%s",
		    f.text != NULL && strncmp(f.text, what.s, strlen(what.s)) == 0 ? "" :
		    what.s, f.name != NULL ? f.name : "", f.name != NULL ? ": " : "",
		    f.text != NULL ? f.text : "");
	}
	free(f.name);
	free(f.text);
	return st == TAF_END ? TAF_OK : st;
}

enum taf_status
taf_engine_failure(const struct taf_plan *p, uint64_t k, struct taf_err *e)
{
	enum taf_status st = tell(p, failure_file(p, true, k), e);

	return st == TAF_OK && p->directory == NULL ?
	    tell(p, failure_file(p, false, k), e) : st;
}

/* Remove a file of state that may not be there. */
static enum taf_status
drop(struct taf_path path, struct taf_err *e)
{
	return unlink(path.s) == 0 || errno == ENOENT ? TAF_OK :
	    taf_fail_sys(e, "%s: cannot remove", path.s);
}

enum taf_status
taf_engine_begin(const struct taf_plan *p, const struct taf_slabs *due,
    struct taf_err *e)
{
	struct taf_names names;
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; st == TAF_OK && i < due->n; i++) {
		if (i > 0 && p->directory == NULL)
			break;
		st = drop(failure_file(p, true, due->k[i]), e);
	}
	if (st == TAF_OK)
		st = drop(taf_plan_file(p, "trouble"), e);
	if (st != TAF_OK)
		return st;
	/* of tasks that were killed */
	st = list(p, "running", &names, e);
	for (i = 0; st == TAF_OK && i < names.n; i++)
		st = drop(taf_path("%s/running/%s", p->state, names.name[i]), e);
	taf_names_free(&names);
	return st;
}

enum taf_status
taf_engine_count(const struct taf_plan *p, struct taf_counts *n, struct taf_err *e)
{
	struct taf_names at_work = { 0 }, bad = { 0 };
	struct taf_err failure = { 0 };
	struct taf_slabs due;
	enum taf_status st = taf_engine_due(p, &due, e);

	*n = (struct taf_counts){ .done = p->slabs - due.n };
	if (st == TAF_OK)
		st = list(p, "running", &at_work, e);
	if (st == TAF_OK && p->directory != NULL)
		st = list(p, "failure", &bad, e);
	n->running = at_work.n;
	n->failed = bad.n;
	if (p->directory == NULL && taf_engine_failure(p, 0, &failure) != TAF_OK)
		n->failed = 1;
	taf_names_free(&at_work);
	taf_names_free(&bad);
	free(due.k);
	return st;
}

enum taf_status
taf_engine_try(const struct taf_plan *p, uint64_t k, unsigned retries, struct taf_err *e)
{
	struct taf_err other = { 0 };
	enum taf_status st;

	if (access(taf_plan_file(p, "failed").s, F_OK) == 0)
		return TAF_END;
	for (;; retries--) {
		taf_err_clear(e);
		st = taf_slab_do(p, k, e);
		if (st != TAF_ESYS || retries == 0)
			break;
	}
	/* a failure that nobody waits for */
	if (st != TAF_OK && taf_plan_current(p, &other) == TAF_END)
		return TAF_END;
	if (st != TAF_OK && keep(p, k, e, &other) != TAF_OK)
		return TAF_ESYS;
	return st;
}

/* --- engines --- */

/* An engine that is to run. */
struct launch {
	const struct taf_plan *plan;
	const struct taf_engine *engine;
	const struct taf_slabs *due;
	struct taf_str input;	/* of its standard input, a file of state */
	struct taf_str text;	/* the words of its command, a NUL behind each */
	size_t nwords;
};

static void
word(struct launch *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (l->text.st == TAF_OK)
		l->text.st = taf_buf_vprintf(&l->text.buf, l->text.err, fmt, ap);
	va_end(ap);
	taf_str_put(&l->text, "", 1);
	l->nwords++;
}

/* What a task runs, up to its number. */
static void
put_task(struct taf_str *s, const struct taf_plan *p, unsigned retries)
{
	taf_str_puts(s, "exec ");
	taf_shell_quote(s, p->bin);
	taf_str_printf(s, "/tafspread --retries %u --task ", retries);
	taf_shell_quote(s, p->state);
	taf_str_puts(s, " ");
}

static void
put_parallel(struct launch *l)
{
	const struct taf_engine *engine = l->engine;
	struct taf_str task = { .err = l->text.err };
	size_t i;

	for (i = 0; i < l->due->n; i++)
		taf_str_printf(&l->input, "%llu\n", (unsigned long long)l->due->k[i]);
	word(l, "parallel");
	word(l, "--will-cite");
	word(l, "--retries");
	word(l, "%u", engine->retries + 1);
	word(l, "--joblog");
	word(l, "%s/joblog", l->plan->state);
	if (engine->jobs > 0) {
		word(l, "--jobs");
		word(l, "%u", engine->jobs);
	}
	if (engine->ssh != NULL) {
		word(l, "--ssh");
		word(l, "%s", engine->ssh);
	}
	for (i = 0; i < engine->nhosts; i++) {
		word(l, "-S");
		word(l, "%s", engine->host[i]);
	}
	put_task(&task, l->plan, 0);
	taf_str_printf(&task, "{} 1 %llu", (unsigned long long)l->plan->digest);
	if (task.st == TAF_OK)
		word(l, "%s", task.buf.data);
	else
		l->text.st = task.st;
	taf_str_free(&task);
}

/* The number behind a name in text, or most where it is not there, or more. */
static uint64_t
number_of(const struct taf_buf *text, const char *name, uint64_t most)
{
	const char *at = text->len > 0 ? strstr(text->data, name) : NULL;
	uint64_t n;

	if (at == NULL)
		return most;
	at += strlen(name);
	at += strspn(at, " =");
	return taf_parse_u64(at, strspn(at, "0123456789"), &n) && n > 0 && n < most ?
	    n : most;
}

/* So many tasks may an array job have here; their numbers begin with 0. */
static uint64_t
array_size(void)
{
	const char *argv[] = { "scontrol", "show", "config", NULL };
	struct taf_buf text = { 0 };
	struct taf_err none = { 0 };
	uint64_t n = ARRAY;

	if (taf_shell_read(argv, &text, &none) == TAF_OK) {
		n = number_of(&text, "MaxArraySize", n);
		n = number_of(&text, "max_array_tasks", n);
	}
	taf_buf_free(&text);
	return n;
}

/* Append the numbers of tasks, each slabs a task, that have anything to do, in ranges. */
static void
put_tasks(struct taf_str *s, const struct taf_slabs *due, uint64_t each)
{
	uint64_t first, last;
	size_t i = 0;

	while (i < due->n) {
		first = last = due->k[i] / each;
		for (; i < due->n && due->k[i] / each <= last + 1; i++)
			last = due->k[i] / each;
		taf_str_printf(s, "%s%llu", s->buf.len > 0 ? "," : "",
		    (unsigned long long)first);
		if (last > first)
			taf_str_printf(s, "-%llu", (unsigned long long)last);
	}
}

static void
put_slurm(struct launch *l)
{
	const struct taf_plan *p = l->plan;
	const uint64_t most = array_size(), each = (p->slabs + most - 1) / most;
	const char *rest = l->engine->options;
	struct taf_str tasks = { .err = l->text.err };

	taf_str_puts(&l->input, "#!/bin/sh\n");
	put_task(&l->input, p, l->engine->retries);
	taf_str_printf(&l->input, "\"$SLURM_ARRAY_TASK_ID\" %llu %llu\n",
	    (unsigned long long)each, (unsigned long long)p->digest);
	word(l, "sbatch");
	word(l, "--parsable");
	word(l, "--wait");
	word(l, "--requeue");
	word(l, "--job-name=tafspread");
	word(l, "--output=%s/message/task-%%a", p->state);
	while (rest != NULL && rest[strspn(rest, " ")] != '\0') {
		rest += strspn(rest, " ");
		word(l, "%.*s", (int)strcspn(rest, " "), rest);
		rest += strcspn(rest, " ");
	}
	put_tasks(&tasks, l->due, each);
	if (l->engine->jobs > 0)
		taf_str_printf(&tasks, "%%%u", l->engine->jobs);
	if (tasks.st == TAF_OK)
		word(l, "--array=%s", tasks.buf.data);
	else
		l->text.st = tasks.st;
	word(l, "%s/job", p->state);
	taf_str_free(&tasks);
}

/* Those that are other programs. */
static const struct engine {
	const char *name, *package, *file;
	bool job;	/* it prints the number of a job, which nobody else takes back */
	void (*put)(struct launch *l);
} engines[] = {
	[TAF_ENGINE_PARALLEL] = { "GNU parallel", "parallel", "tasks", false,
	    put_parallel },
	[TAF_ENGINE_SLURM] = { "Slurm", "slurm-wlm", "job", true, put_slurm },
};

/* Take a job back that was stopped. */
static void
cancel(const char *job)
{
	const char *argv[] = { "scancel", job, NULL };
	struct taf_err none = { 0 };
	int how;
	pid_t pid;

	/* nothing is left to be done where it fails */
	if (taf_shell_start(&pid, argv, (int[3]){ 0, 1, 2 }, false, &none) == TAF_OK &&
	    taf_shell_wait(pid, &how, &none) != TAF_OK)
		return;
}

/*
 * The number that sbatch prints first.  A signal does not end the wait for it: the job
 * may be there already, and nobody else would take it back.
 */
static void
job_number(int fd, char *job, size_t size)
{
	size_t n = 0;
	ssize_t got;
	char c;

	while (n + 1 < size) {
		got = read(fd, &c, 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got != 1 || c < '0' || c > '9')
			break;
		job[n++] = c;
	}
	job[n] = '\0';
}

/* Wait for an engine, and show what is done; the signal that stops it is passed on. */
static enum taf_status
watch(const struct launch *l, pid_t pid, const struct taf_service *service,
    struct taf_err *e)
{
	bool told = false;
	pid_t over;

	while ((over = waitpid(pid, NULL, WNOHANG)) == 0 ||
	    (over < 0 && errno == EINTR)) {
		if (*l->engine->stop != 0 && !told)
			told = kill(pid, *l->engine->stop) == 0;
		taf_nap(NAP * 1e-3);
		/* who shows it asks what is done */
		taf_progress(service, 0, l->plan->slabs);
	}
	return over == pid ? TAF_OK : taf_fail_sys(e, "cannot wait for a process");
}

/* Run it: what it prints goes where ours does, but for the number of a job. */
static enum taf_status
launch(const struct launch *l, const struct engine *of, int input,
    const char *const argv[], const struct taf_service *service, struct taf_err *e)
{
	int ends[2] = { -1, 1 };
	char job[32] = "";
	enum taf_status st = of->job ? taf_shell_pipe(ends, e) : TAF_OK;
	pid_t pid;

	if (st != TAF_OK)
		return st;
	st = taf_shell_start(&pid, argv, (int[3]){ input, ends[1], 2 }, of->job, e);
	if (st != TAF_OK && e->sys == ENOENT) {
		taf_err_clear(e);
		st = taf_fail(e, TAF_ESYS, "%s is not there: install the package %s",
		    of->name, of->package);
	}
	if (of->job)
		(void)close(ends[1]);
	if (st == TAF_OK && of->job)
		job_number(ends[0], job, sizeof job);
	if (st == TAF_OK)
		st = watch(l, pid, service, e);
	if (job[0] != '\0' && *l->engine->stop != 0)
		cancel(job);
	else if (st == TAF_OK && of->job && job[0] == '\0')
		st = taf_fail(e, TAF_ESYS, "sbatch has taken no job");
	if (of->job)
		(void)close(ends[0]);
	return st;
}

enum taf_status
taf_engine_run(const struct taf_plan *p, const struct taf_engine *engine,
    const struct taf_slabs *due, const struct taf_service *service, struct taf_err *e)
{
	const struct engine *const of = &engines[engine->kind];
	const struct taf_path file = taf_plan_file(p, of->file);
	struct launch l = { .plan = p, .engine = engine, .due = due, .input.err = e,
		.text.err = e };
	const int how = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY;
	const char **argv, *at;
	enum taf_status st;
	size_t i;
	int fd = -1;

	of->put(&l);
	argv = calloc(l.nwords + 1, sizeof *argv);
	st = l.input.st != TAF_OK ? l.input.st : l.text.st;
	if (st == TAF_OK && argv == NULL)
		st = taf_fail_mem(e);
	for (i = 0, at = l.text.buf.data; st == TAF_OK && i < l.nwords; i++) {
		argv[i] = at;
		at += strlen(at) + 1;
	}
	if (st == TAF_OK)
		fd = open(file.s, how, 0600);
	if (st == TAF_OK && fd < 0)
		st = taf_fail_sys(e, "%s: cannot write", file.s);
	if (st == TAF_OK)
		st = taf_write_at(fd, l.input.buf.data, l.input.buf.len, 0, e);
	/* a signal may have come before there is anything to take back */
	if (st == TAF_OK && *engine->stop == 0)
		st = launch(&l, of, fd, argv, service, e);
	if (fd >= 0)
		(void)close(fd);
	free(argv);
	taf_str_free(&l.input);
	taf_str_free(&l.text);
	return st;
}
