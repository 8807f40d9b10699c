#include "spread/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"
#include "io/at.h"
#include "io/names.h"
#include "spread/fields.h"
#include "spread/shell.h"
#include "spread/slab.h"

enum {
	ARRAY = 1000,		/* tasks of an array job, where Slurm says nothing less */
	MOST_ARGS = 256,
	NAP = 100		/* milliseconds between two looks at an engine */
};

/* A failure for good, and one of the system. */
static const char failed[] = "failed", trouble[] = "trouble";

/* --- what is to be done, and what has failed --- */

static int
by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Numbers that name records in the folder "done". */
static enum taf_status
list_done(const struct taf_plan *p, struct taf_slabs *done, struct taf_err *e)
{
	struct taf_names names = { 0 };
	struct taf_buf path = { 0 };
	enum taf_status st = taf_buf_printf(&path, e, "%s/done", p->state);
	uint64_t k;
	size_t i;

	*done = (struct taf_slabs){ 0 };
	if (st == TAF_OK)
		st = taf_names_read(&names, path.data, "", e);
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
	taf_buf_free(&path);
	return st == TAF_END ? TAF_OK : st;
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

static enum taf_status
state_file(const struct taf_plan *p, const char *name, struct taf_buf *path,
    struct taf_err *e)
{
	path->len = 0;
	return taf_buf_printf(path, e, "%s/%s", p->state, name);
}

/* Where a failure of slab k is kept; a file has one of its own. */
static enum taf_status
failure_file(const struct taf_plan *p, const char *name, uint64_t k, struct taf_buf *path,
    struct taf_err *e)
{
	return p->directory != NULL ? taf_plan_path(p, "failure/", k, path, e) :
	    state_file(p, name, path, e);
}

/* Keep a failure, unless there is one. */
static enum taf_status
keep(const struct taf_plan *p, uint64_t k, const struct taf_err *why, struct taf_err *e)
{
	const char *name = why->code == TAF_ESYS ? trouble : failed;
	struct taf_str s = { .err = e };
	struct taf_buf path = { 0 };
	enum taf_status st = failure_file(p, name, k, &path, e);

	taf_fields_u64(&s, "slab", k);
	taf_fields_u64(&s, "code", why->code == TAF_ESYS ? TAF_ESYS : TAF_EDATA);
	taf_fields_text(&s, "name", why->name);
	taf_fields_text(&s, "text", why->text);
	if (st == TAF_OK)
		st = taf_fields_make(path.data, &s, e);
	taf_str_free(&s);
	taf_buf_free(&path);
	return st == TAF_END ? TAF_OK : st;
}

/* A failure kept in file path; TAF_OK where there is none, or another try was better. */
static enum taf_status
tell(const struct taf_plan *p, const char *path, struct taf_err *e)
{
	struct taf_buf r = { 0 }, what = { 0 };
	char *file = NULL, *text = NULL;
	uint64_t k = 0, code = 0;
	enum taf_status st = taf_fields_read(path, &r, e);
	bool since = false;

	if (st == TAF_OK && taf_fields_get_u64(&r, "slab", &k, e) == TAF_OK &&
	    taf_fields_get_u64(&r, "code", &code, e) == TAF_OK && k < p->slabs &&
	    taf_fields_get_text(&r, "name", &file, e) == TAF_OK &&
	    taf_fields_get_text(&r, "text", &text, e) == TAF_OK &&
	    taf_plan_name(p, k, &what, e) == TAF_OK &&
	    taf_buf_puts(&what, ": ", e) == TAF_OK &&
	    (code == TAF_EDATA || taf_slab_done(p, k, &since, e) == TAF_OK))
		st = since ? TAF_OK : taf_fail(e, code == TAF_EDATA ? TAF_EDATA :
		    TAF_ESYS, "%s%s%s%s", text != NULL && strncmp(text, what.data,
		    what.len) == 0 ? "" : what.data, file != NULL ? file : "",
		    file != NULL ? ": " : "", text != NULL ? text : "");
	else if (st == TAF_OK)
		st = e->code != TAF_OK ? e->code :
		    taf_fail(e, TAF_EDATA, "%s: not sound", path);
	free(file);
	free(text);
	taf_buf_free(&r);
	taf_buf_free(&what);
	return st == TAF_END ? TAF_OK : st;
}

enum taf_status
taf_engine_failure(const struct taf_plan *p, uint64_t k, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = failure_file(p, failed, k, &path, e);

	if (st == TAF_OK)
		st = tell(p, path.data, e);
	if (st == TAF_OK && p->directory == NULL) {
		st = state_file(p, trouble, &path, e);
		if (st == TAF_OK)
			st = tell(p, path.data, e);
	}
	taf_buf_free(&path);
	return st;
}

/* Remove a file of state that may not be there. */
static enum taf_status
drop(const char *path, struct taf_err *e)
{
	return unlink(path) == 0 || errno == ENOENT ? TAF_OK :
	    taf_fail_sys(e, "%s: cannot remove", path);
}

/* The names in a folder of state. */
static enum taf_status
list(const struct taf_plan *p, const char *folder, struct taf_names *names,
    struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = state_file(p, folder, &path, e);

	*names = (struct taf_names){ 0 };
	if (st == TAF_OK)
		st = taf_names_read(names, path.data, "", e);
	taf_buf_free(&path);
	return st == TAF_END ? TAF_OK : st;
}

enum taf_status
taf_engine_begin(const struct taf_plan *p, const struct taf_slabs *due,
    struct taf_err *e)
{
	struct taf_names names = { 0 };
	struct taf_buf path = { 0 };
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; st == TAF_OK && i < due->n; i++) {
		if (i > 0 && p->directory == NULL)
			break;
		st = failure_file(p, failed, due->k[i], &path, e);
		if (st == TAF_OK)
			st = drop(path.data, e);
	}
	if (st == TAF_OK)
		st = state_file(p, trouble, &path, e);
	if (st == TAF_OK)
		st = drop(path.data, e);
	/* of tasks that were killed */
	if (st == TAF_OK)
		st = list(p, "running", &names, e);
	for (i = 0; st == TAF_OK && i < names.n; i++) {
		path.len = 0;
		st = taf_buf_printf(&path, e, "%s/running/%s", p->state, names.name[i]);
		if (st == TAF_OK)
			st = drop(path.data, e);
	}
	taf_names_free(&names);
	taf_buf_free(&path);
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
	struct taf_buf path = { 0 };
	struct taf_err other = { 0 };
	enum taf_status st = state_file(p, failed, &path, e);
	bool over = st == TAF_OK && access(path.data, F_OK) == 0;

	taf_buf_free(&path);
	if (st != TAF_OK || over)
		return st != TAF_OK ? st : TAF_END;
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

/* A command of so many words, which are others' or in text. */
struct words {
	const char *word[MOST_ARGS];
	size_t n;
	bool full;
};

static void
word(struct words *w, const char *text)
{
	w->full = w->full || w->n + 1 == MOST_ARGS;
	if (!w->full)
		w->word[w->n++] = text;
}

/* For a shell: within single quotes. */
static void
put_quoted(struct taf_str *s, const char *text)
{
	taf_str_puts(s, "'");
	for (; *text != '\0'; text++)
		taf_str_put(s, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
	taf_str_puts(s, "'");
}

/* What a task runs, up to its number. */
static void
put_task(struct taf_str *s, const struct taf_plan *p, unsigned retries)
{
	taf_str_puts(s, "exec ");
	put_quoted(s, p->bin);
	taf_str_printf(s, "/tafspread --retries %u --task ", retries);
	put_quoted(s, p->state);
	taf_str_puts(s, " ");
}

/* A file of state with that text, opened for reading. */
static enum taf_status
write_file(const struct taf_plan *p, const char *name, struct taf_str *s, int *fd,
    struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = s->st != TAF_OK ? s->st : state_file(p, name, &path, e);

	*fd = st == TAF_OK ?
	    open(path.data, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600) : -1;
	if (st == TAF_OK && *fd < 0)
		st = taf_fail_sys(e, "%s: cannot write", path.data);
	if (st == TAF_OK)
		st = taf_write_at(*fd, s->buf.data, s->buf.len, 0, e);
	taf_buf_free(&path);
	return st;
}

/* Wait for an engine, and show what is done; the signal that stops it is passed on. */
static enum taf_status
watch(const struct taf_plan *p, pid_t pid, const struct taf_engine *engine,
    const struct taf_service *service, int *how, struct taf_err *e)
{
	const struct timespec nap = { 0, NAP * 1000000L };
	bool told = false;
	pid_t over;

	while ((over = waitpid(pid, how, WNOHANG)) == 0 || (over < 0 && errno == EINTR)) {
		if (*engine->stop != 0 && !told)
			told = kill(pid, *engine->stop) == 0;
		(void)nanosleep(&nap, NULL);
		/* who shows it asks what is done */
		taf_progress(service, 0, p->slabs);
	}
	return over == pid ? TAF_OK : taf_fail_sys(e, "cannot wait for a process");
}

/* The numbers of tasks, each slabs a task, that have anything to do. */
static size_t
tasks_of(const struct taf_slabs *due, uint64_t each, uint64_t *task)
{
	size_t i, n = 0;

	for (i = 0; i < due->n; i++)
		if (n == 0 || task[n - 1] != due->k[i] / each)
			task[n++] = due->k[i] / each;
	return n;
}

static enum taf_status
not_there(const char *name, const char *package, struct taf_err *e)
{
	taf_err_clear(e);
	return taf_fail(e, TAF_ESYS, "%s is not there: install the package %s", name,
	    package);
}

static enum taf_status
run_parallel(const struct taf_plan *p, const struct taf_engine *engine,
    const struct taf_slabs *due, const struct taf_service *service, struct taf_err *e)
{
	struct taf_str list = { .err = e }, task = { .err = e }, text = { .err = e };
	struct words w = { .n = 0 };
	int fds[3] = { -1, 1, 2 }, how = 0;
	enum taf_status st;
	size_t i, at[4];
	pid_t pid;

	for (i = 0; i < due->n; i++)
		taf_str_printf(&list, "%llu\n", (unsigned long long)due->k[i]);
	put_task(&task, p, 0);
	taf_str_printf(&task, "{} 1 %llu", (unsigned long long)p->digest);
	at[0] = text.buf.len;
	taf_str_printf(&text, "%u", engine->retries + 1);
	taf_str_put(&text, "", 1);
	at[1] = text.buf.len;
	taf_str_printf(&text, "%s/joblog", p->state);
	taf_str_put(&text, "", 1);
	at[2] = text.buf.len;
	taf_str_printf(&text, "%u", engine->jobs);
	taf_str_put(&text, "", 1);
	st = write_file(p, "tasks", &list, &fds[0], e);
	if (st == TAF_OK)
		st = task.st != TAF_OK ? task.st : text.st;
	if (st != TAF_OK)
		goto end;
	word(&w, "parallel");
	word(&w, "--will-cite");
	word(&w, "--retries");
	word(&w, text.buf.data + at[0]);
	word(&w, "--joblog");
	word(&w, text.buf.data + at[1]);
	if (engine->jobs > 0) {
		word(&w, "--jobs");
		word(&w, text.buf.data + at[2]);
	}
	if (engine->ssh != NULL) {
		word(&w, "--ssh");
		word(&w, engine->ssh);
	}
	for (i = 0; i < engine->nhosts; i++) {
		word(&w, "-S");
		word(&w, engine->host[i]);
	}
	word(&w, task.buf.data);
	w.word[w.n] = NULL;
	if (w.full)
		st = taf_fail(e, TAF_EUSAGE, "too many --host");
	if (st == TAF_OK && taf_shell_start(&pid, w.word, fds, e) != TAF_OK)
		st = e->sys == ENOENT ? not_there("GNU parallel", "parallel", e) :
		    e->code;
	if (st == TAF_OK)
		st = watch(p, pid, engine, service, &how, e);
end:
	if (fds[0] >= 0)
		(void)close(fds[0]);
	taf_str_free(&list);
	taf_str_free(&task);
	taf_str_free(&text);
	return st;
}

/* Take a job back that was stopped. */
static void
cancel(const char *job)
{
	const char *argv[] = { "scancel", job, NULL };
	struct taf_err none = { 0 };
	int how;
	pid_t pid;

	/* nothing is left to be done where it fails */
	if (taf_shell_start(&pid, argv, (int[3]){ 0, 1, 2 }, &none) == TAF_OK &&
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

static enum taf_status
run_slurm(const struct taf_plan *p, const struct taf_engine *engine,
    const struct taf_slabs *due, const struct taf_service *service, struct taf_err *e)
{
	const uint64_t most = array_size(), each = (p->slabs + most - 1) / most;
	struct taf_str script = { .err = e }, array = { .err = e }, quiet = { .err = e };
	char *options = engine->options != NULL ? strdup(engine->options) : NULL, *rest;
	uint64_t *task = taf_alloc(due->n, sizeof *task);
	int fds[3] = { -1, -1, 2 }, ends[2] = { -1, -1 }, how = 0;
	struct words w = { .n = 0 };
	char job[32] = "";
	enum taf_status st;
	struct taf_buf path = { 0 };
	size_t i, j, n;
	pid_t pid;

	if (task == NULL || (engine->options != NULL && options == NULL)) {
		st = taf_fail_mem(e);
		goto end;
	}
	taf_str_puts(&script, "#!/bin/sh\n");
	put_task(&script, p, engine->retries);
	taf_str_printf(&script, "\"$SLURM_ARRAY_TASK_ID\" %llu %llu\n",
	    (unsigned long long)each, (unsigned long long)p->digest);
	taf_str_puts(&array, "--array=");
	n = tasks_of(due, each, task);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && task[j] == task[j - 1] + 1; j++)
			continue;
		taf_str_printf(&array, "%s%llu", i > 0 ? "," : "",
		    (unsigned long long)task[i]);
		if (j > i + 1)
			taf_str_printf(&array, "-%llu", (unsigned long long)task[j - 1]);
	}
	if (engine->jobs > 0)
		taf_str_printf(&array, "%%%u", engine->jobs);
	taf_str_printf(&quiet, "--output=%s/message/task-%%a", p->state);
	st = write_file(p, "job", &script, &fds[0], e);
	if (st == TAF_OK)
		st = state_file(p, "job", &path, e);
	if (st == TAF_OK)
		st = array.st != TAF_OK ? array.st : quiet.st;
	if (st == TAF_OK)
		st = taf_shell_pipe(ends, e);
	if (st != TAF_OK)
		goto end;
	fds[1] = ends[1];
	word(&w, "sbatch");
	word(&w, "--parsable");
	word(&w, "--wait");
	word(&w, "--requeue");
	word(&w, "--job-name=tafspread");
	word(&w, quiet.buf.data);
	for (rest = options; rest != NULL && rest[strspn(rest, " ")] != '\0'; ) {
		rest += strspn(rest, " ");
		word(&w, rest);
		rest += strcspn(rest, " ");
		if (*rest != '\0')
			*rest++ = '\0';
	}
	word(&w, array.buf.data);
	word(&w, path.data);
	w.word[w.n] = NULL;
	if (w.full)
		st = taf_fail(e, TAF_EUSAGE, "--via slurm: too many options");
	/* a signal may have come before there is anything to take back */
	if (st != TAF_OK || *engine->stop != 0)
		goto end;
	if (taf_shell_start_apart(&pid, w.word, fds, e) != TAF_OK)
		st = e->sys == ENOENT ? not_there("Slurm", "slurm-wlm", e) : e->code;
	(void)close(ends[1]);
	ends[1] = -1;
	if (st == TAF_OK) {
		job_number(ends[0], job, sizeof job);
		st = watch(p, pid, engine, service, &how, e);
		if (*engine->stop != 0 && job[0] != '\0')
			cancel(job);
	}
	if (st == TAF_OK && job[0] == '\0')
		st = taf_fail(e, TAF_ESYS, "sbatch has taken no job");
end:
	for (i = 0; i < 2; i++)
		if (ends[i] >= 0)
			(void)close(ends[i]);
	if (fds[0] >= 0)
		(void)close(fds[0]);
	taf_str_free(&script);
	taf_str_free(&array);
	taf_str_free(&quiet);
	taf_buf_free(&path);
	free(options);
	free(task);
	return st;
}

enum taf_status
taf_engine_run(const struct taf_plan *p, const struct taf_engine *engine,
    const struct taf_slabs *due, const struct taf_service *service, struct taf_err *e)
{
	if (due->n == 0)
		return TAF_OK;
	return engine->kind == TAF_ENGINE_SLURM ? run_slurm(p, engine, due, service, e) :
	    run_parallel(p, engine, due, service, e);
}
