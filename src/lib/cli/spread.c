#include "cli/spread.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"
#include "cli/jobs.h"
#include "cli/private.h"
#include "spread/assemble.h"
#include "spread/output.h"
#include "spread/owner.h"
#include "spread/shell.h"
#include "spread/slab.h"
#include "spread/state.h"

enum {
	SHOWN = 10,	/* slabs whose messages are shown, at most */
	MESSAGE = 4096,	/* bytes of one */
	UNTOLD = 16	/* failures remembered that could not be kept */
};

static volatile sig_atomic_t stop;

static void
on_stop(int sig)
{
	stop = sig;
}

/* Have a signal noted, unless who started us has it ignored, and tell what was before. */
static void
note(int sig, struct sigaction *old)
{
	struct sigaction act = { .sa_handler = on_stop };

	(void)sigfillset(&act.sa_mask);
	if (sigaction(sig, NULL, old) == 0 && old->sa_handler != SIG_IGN)
		(void)sigaction(sig, &act, NULL);
}

/* --- how far it is --- */

struct display {
	struct cmd_run *run;
	const struct taf_plan *plan;
	struct timespec begun;
	uint64_t before;	/* done then */
};

/* Bytes of the input in so many of the slabs. */
static uint64_t
input_bytes(const struct taf_plan *p, uint64_t slabs)
{
	return (uint64_t)((double)p->identity.size * (double)slabs / (double)p->slabs);
}

static void
show(void *ctx, uint64_t done, uint64_t total)
{
	const struct display *d = ctx;
	const struct taf_plan *p = d->plan;
	struct taf_err none = { 0 };
	struct taf_str s = { .err = &none };
	struct taf_counts n;
	struct timespec now;
	uint64_t left;
	double seconds;

	(void)done;
	if (!cmd_progress_due(d->run) || taf_engine_count(p, &n, &none) != TAF_OK)
		return;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = (double)(now.tv_sec - d->begun.tv_sec) +
	    1e-9 * (double)(now.tv_nsec - d->begun.tv_nsec);
	taf_str_printf(&s, "%llu of %llu done, %llu running, %llu failed",
	    (unsigned long long)n.done, (unsigned long long)total,
	    (unsigned long long)n.running, (unsigned long long)n.failed);
	if (n.done > d->before && seconds > 0) {
		if (p->directory == NULL)
			taf_str_printf(&s, ", %.0f MiB/s", (double)input_bytes(p,
			    n.done - d->before) / seconds / (1024 * 1024));
		left = (uint64_t)(seconds / (double)(n.done - d->before) *
		    (double)(total - n.done));
		taf_str_printf(&s, ", %llu:%02llu:%02llu left",
		    (unsigned long long)left / 3600, (unsigned long long)left / 60 % 60,
		    (unsigned long long)left % 60);
	}
	taf_str_put(&s, "", 1);
	if (s.st == TAF_OK)
		cmd_progress_text(s.buf.data);
	taf_str_free(&s);
}

/* --- in this process and its children --- */

/* Failures that could be told, but not kept: where the disk is full nothing is. */
struct untold {
	size_t n;
	struct {
		uint64_t k;
		struct taf_err why;
	} slab[UNTOLD];
};

struct local {
	const struct taf_plan *plan;
	const struct taf_engine *engine;
	const struct taf_slabs *due;
	struct untold *untold;
	struct taf_service service;
};

/* Why slab k has failed, as far as that is known here alone. */
static struct taf_err *
why(struct untold *u, uint64_t k)
{
	size_t i;

	for (i = 0; i < u->n && u->slab[i].k != k; i++)
		continue;
	return i < u->n ? &u->slab[i].why : NULL;
}

static void
remember(struct untold *u, uint64_t k, const struct taf_err *e)
{
	struct taf_err *old = why(u, k);

	if (old != NULL) {
		*old = *e;
	} else if (u->n < UNTOLD) {
		u->slab[u->n].k = k;
		u->slab[u->n++].why = *e;
	}
}

static void
work(struct cmd_run *run, void *ctx, struct cmd_job *job)
{
	const struct local *l = ctx;

	(void)run;
	job->status = taf_engine_try(l->plan, l->due->k[job->number], l->engine->retries,
	    &job->err);
}

static void
done(struct cmd_run *run, void *ctx, struct cmd_job *job)
{
	struct local *l = ctx;

	(void)run;
	if (job != NULL && job->status == TAF_ESYS)
		remember(l->untold, l->due->k[job->number], &job->err);
	taf_progress(&l->service, 0, l->plan->slabs);
}

/* --- what pipelines have said --- */

/* The lines of one slab, as remarks. */
static enum taf_status
pass_on(struct cmd_run *run, const struct taf_plan *p, uint64_t k, const char *path,
    struct taf_err *e)
{
	struct taf_buf name = { 0 };
	struct taf_in *in = NULL;
	const unsigned char *text;
	size_t n = 0, line;
	enum taf_status st = taf_plan_name(p, k, &name, e);

	if (st == TAF_OK)
		st = taf_in_open(&in, path, e);
	if (st == TAF_OK)
		st = taf_in_peek(in, MESSAGE, &text, &n, e);
	for (; st == TAF_OK && n > 0; text += line, n -= line) {
		const unsigned char *end = memchr(text, '\n', n);

		line = end != NULL ? (size_t)(end - text) : n;
		if (line > 0)
			cmd_remark(run, "%s: %.*s", name.data, (int)line,
			    (const char *)text);
		line += end != NULL ? 1 : 0;
	}
	taf_in_close(in);
	taf_buf_free(&name);
	return st;
}

/* Of all that are done now. */
static enum taf_status
messages(struct cmd_run *run, const struct taf_plan *p, const struct taf_slabs *due,
    struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = TAF_OK;
	size_t i, said = 0;

	for (i = 0; st == TAF_OK && i < due->n; i++) {
		st = taf_slab_messages(p, due->k[i], &path, e);
		if (st == TAF_OK && access(path.data, F_OK) == 0 && ++said <= SHOWN)
			st = pass_on(run, p, due->k[i], path.data, e);
	}
	if (st == TAF_OK && said > SHOWN)
		cmd_remark(run, "%zu more have said something", said - SHOWN);
	/* these pieces are done, whatever becomes of others */
	cmd_private_tell(run, true);
	taf_buf_free(&path);
	return st;
}

/* --- all of it --- */

/* Of those in due the ones that are neither done nor failed: their tasks were lost. */
static enum taf_status
lost(const struct taf_plan *p, struct taf_slabs *due, struct taf_err *e)
{
	struct taf_err failure = { 0 };
	enum taf_status st;
	size_t i, n = 0;

	free(due->k);
	st = taf_engine_due(p, due, e);
	for (i = 0; st == TAF_OK && i < due->n; i++)
		if (p->directory == NULL ||
		    taf_engine_failure(p, due->k[i], &failure) == TAF_OK)
			due->k[n++] = due->k[i];
	due->n = n;
	return st;
}

/* Have slabs done, and once more what was lost, as when somebody kills a task. */
static enum taf_status
run_rounds(struct cmd_run *run, const struct taf_plan *p, struct taf_engine *engine,
    struct taf_slabs *due, struct untold *untold, struct taf_err *e)
{
	struct display display = { .run = run, .plan = p };
	struct local l = { .plan = p, .engine = engine, .due = due, .untold = untold,
	    .service = { .ctx = &display, .progress = show } };
	enum taf_status st = TAF_OK;
	unsigned round;

	for (round = 0; st == TAF_OK && due->n > 0; round++) {
		if (round > engine->retries)
			break;
		display.before = p->slabs - due->n;
		(void)clock_gettime(CLOCK_MONOTONIC, &display.begun);
		cmd_say(run, "%s: %llu of %llu are done", p->state,
		    (unsigned long long)display.before, (unsigned long long)p->slabs);
		st = engine->kind == TAF_ENGINE_LOCAL ?
		    cmd_jobs(run, due->n, work, done, &l, e) :
		    taf_engine_run(p, engine, due, &l.service, e);
		if (st == TAF_OK && *engine->stop != 0)
			break;
		if (st == TAF_OK && p->directory == NULL)
			st = taf_engine_failure(p, 0, e);
		if (st == TAF_OK)
			st = lost(p, due, e);
	}
	return st;
}

/* What has become of a slab that is neither done nor has a failure that was kept. */
static enum taf_status
tell_lost(const struct taf_plan *p, uint64_t k, struct untold *untold, struct taf_err *e)
{
	const struct taf_err *known = why(untold, k);
	struct taf_buf name = { 0 };
	struct statvfs disk;

	if (taf_plan_name(p, k, &name, e) == TAF_OK && known != NULL)
		(void)taf_fail(e, TAF_ESYS, "%s: %s%s%s", name.data, known->name,
		    known->name[0] != '\0' ? ": " : "", known->text);
	else if (e->code == TAF_OK)
		(void)taf_fail(e, TAF_ESYS, "%s: its tasks died%s", name.data,
		    statvfs(p->state, &disk) == 0 && disk.f_bavail == 0 ?
		    ", and the disk is full" : "");
	taf_buf_free(&name);
	return e->code;
}

/* Report the failure of each file, and of what was lost. */
static enum taf_status
failures(struct cmd_run *run, const struct taf_plan *p, const struct taf_slabs *first,
    const struct taf_slabs *gone, struct untold *untold, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t i, begin = 0;

	for (i = 0; p->directory != NULL && i < first->n; i++)
		if (taf_engine_failure(p, first->k[i], e) != TAF_OK)
			cmd_report(run, NULL);
	/* of slabs one, whose reason is known if any is */
	while (p->directory == NULL && begin + 1 < gone->n &&
	    why(untold, gone->k[begin]) == NULL)
		begin++;
	for (i = begin; st == TAF_OK && i < gone->n; i++) {
		st = tell_lost(p, gone->k[i], untold, e);
		if (p->directory != NULL) {
			cmd_report(run, NULL);
			st = TAF_OK;
		}
	}
	return st;
}

/* *ours is kept where nothing was done before. */
static enum taf_status
run_all(struct cmd_run *run, const struct taf_plan *p, struct taf_engine *engine,
    bool *ours, struct taf_err *e)
{
	struct taf_slabs first = { 0 }, due = { 0 };
	struct untold untold = { .n = 0 };
	enum taf_status st = taf_engine_due(p, &first, e);

	*ours = *ours && first.n == p->slabs;
	if (st == TAF_OK)
		st = taf_engine_begin(p, &first, e);
	if (st == TAF_OK)
		st = taf_engine_due(p, &due, e);
	if (st == TAF_OK)
		st = run_rounds(run, p, engine, &due, &untold, e);
	if (st == TAF_OK && *engine->stop == 0)
		st = failures(run, p, &first, &due, &untold, e);
	if (st == TAF_OK && p->directory == NULL)
		st = messages(run, p, &first, e);
	free(first.k);
	free(due.k);
	return st;
}

/* Be the one who works on the plan. */
static enum taf_status
begin(struct taf_plan *p, bool *again, struct taf_err *e)
{
	enum taf_status st = taf_plan_keep(p, again, e);

	if (st == TAF_OK)
		st = taf_owner_take(p, e);
	return st == TAF_OK ? taf_owner_live(e) : st;
}

enum taf_status
cmd_spread(struct cmd_run *run, struct taf_plan *p, struct taf_engine *engine,
    struct taf_err *e)
{
	struct sigaction old[2];
	const bool mine = engine->kind != TAF_ENGINE_LOCAL;
	bool again = false, ended = false, ours = false;
	enum taf_status st = taf_shell_leave_make(e);

	engine->stop = &stop;
	if (st == TAF_OK)
		st = begin(p, &again, e);
	if (st != TAF_OK)
		return st;
	if (again && p->directory == NULL) {
		st = taf_output_ended(p, &ended, e);
		if (st == TAF_OK && !ended)
			st = taf_plan_current(p, e);
		/* what it had made is no longer there */
		if (st == TAF_END)
			st = begin(p, &again, e);
		if (st != TAF_OK)
			taf_owner_leave(p);
		if (st != TAF_OK || ended)
			return st;
	}
	/* an engine has to be told; children of ours end with us */
	if (mine) {
		note(SIGINT, &old[0]);
		note(SIGTERM, &old[1]);
	}
	st = taf_state_fill(p, &ours, e);
	/* tasks of an engine may have been on another machine, or live on */
	ours = ours && !again && !mine;
	if (st == TAF_OK)
		st = run_all(run, p, engine, &ours, e);
	/* this machine may have slept, while another took our place */
	ours = ours && taf_owner_is(p);
	if (mine) {
		(void)sigaction(SIGINT, &old[0], NULL);
		(void)sigaction(SIGTERM, &old[1], NULL);
	}
	if (stop != 0) {
		taf_owner_leave(p);
		(void)raise(stop);
	}
	if (st == TAF_OK && p->directory == NULL)
		st = taf_assemble(p, ours, &run->service, e);
	if (st != TAF_OK || p->directory != NULL)
		taf_owner_leave(p);
	else if (p->made && access(p->state, F_OK) == 0)
		cmd_remark(run, "%s: stays, since it has files that are not of this run",
		    p->state);
	return st;
}

enum taf_status
cmd_spread_task(struct cmd_run *run, const char *state, unsigned retries,
    struct taf_err *e)
{
	struct taf_err kept = { 0 };
	struct taf_plan p = { 0 };
	enum taf_status st;
	uint64_t task, each, k, end;

	if (run->nfiles < 2 || run->nfiles > 3 || run->files[0] == NULL ||
	    !taf_parse_u64(run->files[0], strlen(run->files[0]), &task) ||
	    !taf_parse_u64(run->files[1], strlen(run->files[1]), &each) ||
	    !taf_mul(task, each, &k) || !taf_add(k, each, &end))
		cmd_usage(run, "--task is for engines: TASK EACH [DIGEST]");
	st = taf_plan_obey(&p, state, run->nfiles > 2 ? run->files[2] : NULL, e);
	for (; st == TAF_OK && k < end && k < p.slabs; k++) {
		taf_err_clear(e);
		st = taf_engine_try(&p, k, retries, e);
		/* who reads the records tells of it, and an engine may try again */
		if (st == TAF_ESYS && taf_engine_failure(&p, k, &kept) == TAF_OK)
			cmd_report(run, NULL);
		if (st == TAF_ESYS)
			run->status = TAF_ESYS;
		if (st == TAF_EDATA || st == TAF_ESYS)
			st = TAF_OK;
	}
	taf_plan_fini(&p);
	return st == TAF_END ? TAF_OK : st;
}

enum taf_status
cmd_spread_status(struct cmd_run *run, const char *state, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	struct taf_err failure = { 0 };
	struct taf_plan p = { 0 };
	struct taf_counts n = { 0 };
	uint64_t k;
	enum taf_status st, how = TAF_OK;
	struct taf_out *out = NULL;
	struct taf_buf inner = { 0 };
	const char *output = "";

	/* of --each it is in the folder that the user has named */
	st = taf_buf_printf(&inner, e, "%s/.tafspread", state);
	if (st == TAF_OK)
		st = taf_plan_load(&p, access(inner.data, F_OK) == 0 ? inner.data :
		    state, e);
	taf_buf_free(&inner);
	if (st == TAF_OK)
		st = taf_engine_count(&p, &n, e);
	for (k = 0; st == TAF_OK && n.failed > 0 && how == TAF_OK && k < p.slabs; k++)
		how = taf_engine_failure(&p, k, &failure);
	if (st == TAF_OK && (out = cmd_out(run)) == NULL)
		st = e->code;
	if (st == TAF_OK)
		output = p.directory != NULL ? p.directory : p.output;
	if (st == TAF_OK && run->json) {
		taf_str_puts(&s, "{\"output\":");
		taf_str_json(&s, output, strlen(output));
		taf_str_printf(&s, ",\"slabs\":%llu,\"done\":%llu,\"running\":%llu,"
		    "\"failed\":%llu,", (unsigned long long)p.slabs,
		    (unsigned long long)n.done, (unsigned long long)n.running,
		    (unsigned long long)n.failed);
		if (p.directory == NULL)
			taf_str_printf(&s, "\"bytes\":%llu,\"bytes_done\":%llu,",
			    (unsigned long long)p.identity.size,
			    (unsigned long long)input_bytes(&p, n.done));
		taf_str_puts(&s, "\"failure\":");
		if (how != TAF_OK)
			taf_str_json(&s, failure.text, strlen(failure.text));
		else
			taf_str_puts(&s, "null");
		taf_str_puts(&s, "}\n");
	} else if (st == TAF_OK) {
		taf_str_puts(&s, "output   ");
		taf_str_safe(&s, output, strlen(output));
		taf_str_printf(&s, "\nslabs    %llu\ndone     %llu\nrunning  %llu\n"
		    "failed   %llu\n", (unsigned long long)p.slabs,
		    (unsigned long long)n.done, (unsigned long long)n.running,
		    (unsigned long long)n.failed);
		if (how != TAF_OK) {
			taf_str_puts(&s, "failure  ");
			taf_str_safe(&s, failure.text, strlen(failure.text));
			taf_str_puts(&s, "\n");
		}
	}
	if (st == TAF_OK)
		st = taf_out_str(out, &s);
	taf_str_free(&s);
	taf_plan_fini(&p);
	return st;
}
