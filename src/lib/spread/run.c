/* SPDX-License-Identifier: ISC */
#include "spread/run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/num.h"
#include "io/in.h"
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

struct run {
	const struct taf_caller *caller;
	const struct taf_plan *plan;
	struct taf_engine *engine;
	struct taf_slabs first, due;	/* at the beginning, and now */
	/* of a round */
	double begun;
	uint64_t before;	/* done then */
	/* failures that could not be kept: where the disk is full nothing is */
	size_t nuntold;
	struct untold {
		uint64_t k;
		struct taf_err why;
	} untold[UNTOLD];
};

/* --- how far it is --- */

/* Bytes of the input in so many of the slabs. */
static uint64_t
input_bytes(const struct taf_plan *p, uint64_t slabs)
{
	return (uint64_t)((double)p->identity.size * (double)slabs / (double)p->slabs);
}

static void
show(void *ctx, uint64_t done, uint64_t total)
{
	const struct run *r = ctx;
	const struct taf_plan *p = r->plan;
	struct taf_err none = { 0 };
	struct taf_str s = { .err = &none };
	struct taf_counts n;
	uint64_t left;
	double seconds;

	(void)done;
	if (!r->caller->due(r->caller->ctx) || taf_engine_count(p, &n, &none) != TAF_OK)
		return;
	seconds = taf_clock() - r->begun;
	taf_str_printf(&s, "%llu of %llu done, %llu running, %llu failed",
	    (unsigned long long)n.done, (unsigned long long)total,
	    (unsigned long long)n.running, (unsigned long long)n.failed);
	if (n.done > r->before && seconds > 0) {
		if (p->directory == NULL)
			taf_str_printf(&s, ", %.0f MiB/s", (double)input_bytes(p,
			    n.done - r->before) / seconds / (1024 * 1024));
		left = (uint64_t)(seconds / (double)(n.done - r->before) *
		    (double)(total - n.done));
		taf_str_printf(&s, ", %llu:%02llu:%02llu left",
		    (unsigned long long)left / 3600, (unsigned long long)left / 60 % 60,
		    (unsigned long long)left % 60);
	}
	if (s.st == TAF_OK)
		r->caller->show(r->caller->ctx, s.buf.data);
	taf_str_free(&s);
}

/* --- in this process and its children --- */

/* Why slab k has failed, as far as that is known here alone. */
static const struct taf_err *
why(const struct run *r, uint64_t k)
{
	size_t i;

	for (i = 0; i < r->nuntold; i++)
		if (r->untold[i].k == k)
			return &r->untold[i].why;
	return NULL;
}

static void
work(void *ctx, struct taf_job *job)
{
	const struct run *r = ctx;

	job->status = taf_engine_try(r->plan, r->due.k[job->number], r->engine->retries,
	    &job->err);
}

static void
done(void *ctx, struct taf_job *job)
{
	struct run *r = ctx;
	const uint64_t k = job != NULL ? r->due.k[job->number] : 0;
	size_t i = 0;

	if (job != NULL && job->status == TAF_ESYS) {
		while (i < r->nuntold && r->untold[i].k != k)
			i++;
		if (i < UNTOLD)
			r->untold[i] = (struct untold){ k, job->err };
		if (i == r->nuntold && i < UNTOLD)
			r->nuntold++;
	}
	show(r, 0, r->plan->slabs);
}

/* --- what pipelines have said --- */

/* The lines of one slab, as remarks. */
static enum taf_status
pass_on(const struct run *r, uint64_t k, const char *path, struct taf_err *e)
{
	const struct taf_path name = taf_plan_name(r->plan, k);
	struct taf_in *in = NULL;
	const unsigned char *text;
	size_t n = 0, line;
	enum taf_status st = taf_in_open(&in, path, e);

	if (st == TAF_OK)
		st = taf_in_peek(in, MESSAGE, &text, &n, e);
	for (; st == TAF_OK && n > 0; text += line, n -= line) {
		const unsigned char *end = memchr(text, '\n', n);

		line = end != NULL ? (size_t)(end - text) : n;
		if (line > 0)
			taf_remark(r->caller->service, "%s: %.*s", name.s, (int)line,
			    (const char *)text);
		line += end != NULL ? 1 : 0;
	}
	taf_in_close(in);
	return st;
}

/* Of all that are done now. */
static enum taf_status
messages(const struct run *r, struct taf_err *e)
{
	struct taf_path path;
	enum taf_status st = TAF_OK;
	size_t i, said = 0;

	for (i = 0; st == TAF_OK && i < r->first.n; i++) {
		path = taf_slab_messages(r->plan, r->first.k[i]);
		if (access(path.s, F_OK) == 0 && ++said <= SHOWN)
			st = pass_on(r, r->first.k[i], path.s, e);
	}
	if (st == TAF_OK && said > SHOWN)
		taf_remark(r->caller->service, "%zu more have said something",
		    said - SHOWN);
	/* these pieces are done, whatever becomes of others */
	r->caller->tell(r->caller->ctx, true);
	return st;
}

/* --- all of it --- */

/* Of those that are due the ones that have not failed: their tasks were lost. */
static enum taf_status
lost(struct run *r, struct taf_err *e)
{
	struct taf_err failure = { 0 };
	struct taf_slabs *due = &r->due;
	enum taf_status st;
	size_t i, n = 0;

	free(due->k);
	st = taf_engine_due(r->plan, due, e);
	for (i = 0; st == TAF_OK && i < due->n; i++)
		if (r->plan->directory == NULL ||
		    taf_engine_failure(r->plan, due->k[i], &failure) == TAF_OK)
			due->k[n++] = due->k[i];
	due->n = n;
	return st;
}

/* Have slabs done, and once more what was lost, as when somebody kills a task. */
static enum taf_status
run_rounds(struct run *r, struct taf_err *e)
{
	const struct taf_plan *p = r->plan;
	const struct taf_service service = { .ctx = r, .progress = show };
	enum taf_status st = TAF_OK;
	unsigned round;

	for (round = 0; st == TAF_OK && r->due.n > 0; round++) {
		if (round > r->engine->retries)
			break;
		r->before = p->slabs - r->due.n;
		r->begun = taf_clock();
		r->caller->say(r->caller->ctx, taf_path("%s: %llu of %llu are done",
		    p->state, (unsigned long long)r->before,
		    (unsigned long long)p->slabs).s);
		st = r->engine->kind == TAF_ENGINE_LOCAL ?
		    taf_jobs(r->caller, r->due.n, work, done, r, e) :
		    taf_engine_run(p, r->engine, &r->due, &service, e);
		if (st == TAF_OK && *r->engine->stop != 0)
			break;
		if (st == TAF_OK && p->directory == NULL)
			st = taf_engine_failure(p, 0, e);
		if (st == TAF_OK)
			st = lost(r, e);
	}
	return st;
}

/* What has become of a slab that is neither done nor has a failure that was kept. */
static enum taf_status
tell_lost(const struct run *r, uint64_t k, struct taf_err *e)
{
	const struct taf_err *known = why(r, k);
	const struct taf_path name = taf_plan_name(r->plan, k);
	struct statvfs disk;

	if (known != NULL)
		return taf_fail(e, TAF_ESYS, "%s: %s%s%s", name.s, known->name,
		    known->name[0] != '\0' ? ": " : "", known->text);
	return taf_fail(e, TAF_ESYS, "%s: its tasks died%s", name.s,
	    statvfs(r->plan->state, &disk) == 0 && disk.f_bavail == 0 ?
	    ", and the disk is full" : "");
}

/* Report the failure of each file, and of what was lost. */
static enum taf_status
failures(const struct run *r, struct taf_err *e)
{
	const struct taf_caller *c = r->caller;
	const struct taf_plan *p = r->plan;
	size_t i;

	for (i = 0; p->directory != NULL && i < r->first.n; i++)
		if (taf_engine_failure(p, r->first.k[i], e) != TAF_OK)
			c->report(c->ctx, e);
	for (i = 0; p->directory != NULL && i < r->due.n; i++)
		if (tell_lost(r, r->due.k[i], e) != TAF_OK)
			c->report(c->ctx, e);
	if (p->directory != NULL || r->due.n == 0)
		return TAF_OK;
	/* of slabs one, whose reason is known if any is */
	for (i = 0; i + 1 < r->due.n && why(r, r->due.k[i]) == NULL; i++)
		continue;
	return tell_lost(r, r->due.k[i], e);
}

/* *ours is kept where nothing was done before. */
static enum taf_status
run_all(struct run *r, bool *ours, struct taf_err *e)
{
	const struct taf_plan *p = r->plan;
	enum taf_status st = taf_engine_due(p, &r->first, e);

	*ours = *ours && r->first.n == p->slabs;
	if (st == TAF_OK)
		st = taf_engine_begin(p, &r->first, e);
	if (st == TAF_OK)
		st = taf_engine_due(p, &r->due, e);
	if (st == TAF_OK)
		st = run_rounds(r, e);
	if (st == TAF_OK && *r->engine->stop == 0)
		st = failures(r, e);
	if (st == TAF_OK && p->directory == NULL)
		st = messages(r, e);
	free(r->first.k);
	free(r->due.k);
	return st;
}

/* run_all, in which a signal stops the tasks of an engine, too. */
static enum taf_status
run_stoppable(struct run *r, bool *ours, struct taf_err *e)
{
	/* an engine has to be told; children of ours end with us */
	const bool mine = r->engine->kind != TAF_ENGINE_LOCAL;
	struct sigaction old[2];
	enum taf_status st;

	if (mine) {
		note(SIGINT, &old[0]);
		note(SIGTERM, &old[1]);
	}
	st = run_all(r, ours, e);
	/* this machine may have slept, while another took our place */
	*ours = *ours && taf_owner_is(r->plan);
	if (mine) {
		(void)sigaction(SIGINT, &old[0], NULL);
		(void)sigaction(SIGTERM, &old[1], NULL);
	}
	if (stop != 0) {
		taf_owner_leave(r->plan);
		(void)raise(stop);
	}
	return st;
}

/*
 * All slabs, and the output of them.  Records may have reached the disk before a crash,
 * and what they are of not: that is done again, once.
 */
static enum taf_status
run_to_end(struct run *r, bool ours, struct taf_blake3_node *checksum, struct taf_err *e)
{
	const struct taf_service *service = r->caller->service;
	enum taf_status st = run_stoppable(r, &ours, e);

	if (st != TAF_OK || r->plan->directory != NULL)
		return st;
	st = taf_assemble(r->plan, ours, service, checksum, e);
	if (st != TAF_END)
		return st;
	taf_remark(service, "%s", e->text);
	taf_err_clear(e);
	ours = false;
	st = run_stoppable(r, &ours, e);
	if (st == TAF_OK)
		st = taf_assemble(r->plan, ours, service, checksum, e);
	if (st == TAF_END)
		st = e->code = TAF_ESYS;
	return st;
}

/* Be the one who works on the plan. */
static enum taf_status
begin(const struct taf_caller *caller, struct taf_plan *p, bool *again, struct taf_err *e)
{
	enum taf_status st = taf_plan_keep(p, again, e);

	if (st != TAF_OK)
		return st;
	st = taf_owner_take(p, e);
	if (st != TAF_OK)
		return st;
	st = taf_owner_live(caller, e);
	if (st != TAF_OK)
		taf_owner_leave(p);
	return st;
}

enum taf_status
taf_spread(const struct taf_caller *caller, struct taf_plan *p, struct taf_engine *engine,
    struct taf_blake3_node *checksum, struct taf_err *e)
{
	struct run r = { .caller = caller, .plan = p, .engine = engine };
	bool again = false, ended = false, ours = false;
	enum taf_status st = taf_shell_leave_make(e);

	engine->stop = &stop;
	if (st == TAF_OK)
		st = begin(caller, p, &again, e);
	if (st != TAF_OK)
		return st;
	if (again && p->directory == NULL) {
		st = taf_output_ended(p, &ended, e);
		if (st == TAF_OK && !ended)
			st = taf_plan_current(p, e);
		/* what it had made is no longer there */
		if (st == TAF_END)
			st = begin(caller, p, &again, e);
		if (st != TAF_OK || ended) {
			taf_owner_leave(p);
			return st == TAF_OK && p->checksum != 0 ? taf_output_checksum(p,
			    caller->service, checksum, e) : st;
		}
	}
	st = taf_state_fill(p, &ours, e);
	/* tasks of an engine may have been on another machine, or live on */
	ours = ours && !again && engine->kind == TAF_ENGINE_LOCAL;
	if (st == TAF_OK)
		st = run_to_end(&r, ours, checksum, e);
	taf_owner_leave(p);
	if (st == TAF_OK && p->directory == NULL && p->made &&
	    access(p->state, F_OK) == 0)
		taf_remark(caller->service,
		    "%s: stays, since it has files that are not of this run", p->state);
	return st;
}

enum taf_status
taf_spread_task(const struct taf_caller *caller, const char *state,
    const char *const *word, int n, unsigned retries, bool *bad, struct taf_err *e)
{
	struct taf_err kept = { 0 };
	struct taf_plan p = { 0 };
	uint64_t number, each, k, end;
	enum taf_status st;

	if (n < 2 || n > 3 || word[0] == NULL ||
	    !taf_parse_u64(word[0], strlen(word[0]), &number) ||
	    !taf_parse_u64(word[1], strlen(word[1]), &each) ||
	    !taf_mul(number, each, &k) || !taf_add(k, each, &end))
		return taf_fail(e, TAF_EUSAGE,
		    "--task is for engines: TASK EACH [DIGEST]");
	st = taf_plan_obey(&p, state, n > 2 ? word[2] : NULL, e);
	for (; st == TAF_OK && k < end && k < p.slabs; k++) {
		taf_err_clear(e);
		st = taf_engine_try(&p, k, retries, e);
		*bad = *bad || st == TAF_ESYS;
		/* who reads the records tells of it, and an engine may try again */
		if (st == TAF_ESYS && taf_engine_failure(&p, k, &kept) == TAF_OK)
			caller->report(caller->ctx, e);
		if (st == TAF_EDATA || st == TAF_ESYS)
			st = TAF_OK;
	}
	taf_plan_fini(&p);
	return st == TAF_END ? TAF_OK : st;
}

/* What a run is, and how far. */
static void
put_status(struct taf_str *s, const struct taf_plan *p, const struct taf_counts *n,
    const char *failure)
{
	const char *output = p->directory != NULL ? p->directory : p->output;

	taf_str_puts(s, "output   ");
	taf_str_safe(s, output, strlen(output));
	taf_str_printf(s,
	    "\nslabs    %llu\ndone     %llu\nrunning  %llu\nfailed   %llu\n",
	    (unsigned long long)p->slabs, (unsigned long long)n->done,
	    (unsigned long long)n->running, (unsigned long long)n->failed);
	if (failure == NULL)
		return;
	taf_str_puts(s, "failure  ");
	taf_str_safe(s, failure, strlen(failure));
	taf_str_puts(s, "\n");
}

static void
put_status_json(struct taf_str *s, const struct taf_plan *p, const struct taf_counts *n,
    const char *failure)
{
	const char *output = p->directory != NULL ? p->directory : p->output;

	taf_str_puts(s, "{\"output\":");
	taf_str_json(s, output, strlen(output));
	taf_str_printf(s,
	    ",\"slabs\":%llu,\"done\":%llu,\"running\":%llu,\"failed\":%llu,",
	    (unsigned long long)p->slabs, (unsigned long long)n->done,
	    (unsigned long long)n->running, (unsigned long long)n->failed);
	if (p->directory == NULL)
		taf_str_printf(s, "\"bytes\":%llu,\"bytes_done\":%llu,",
		    (unsigned long long)p->identity.size,
		    (unsigned long long)input_bytes(p, n->done));
	taf_str_puts(s, "\"failure\":");
	if (failure != NULL)
		taf_str_json(s, failure, strlen(failure));
	else
		taf_str_puts(s, "null");
	taf_str_puts(s, "}\n");
}

enum taf_status
taf_spread_status(const char *state, bool json, struct taf_str *s, struct taf_err *e)
{
	struct taf_err failure = { 0 };
	struct taf_plan p = { 0 };
	struct taf_counts n = { 0 };
	/* of --each it is in the folder that the user has named */
	const struct taf_path inner = taf_path("%s/.tafspread", state);
	enum taf_status st = taf_plan_load(&p, access(inner.s, F_OK) == 0 ? inner.s :
	    state, e);
	uint64_t k;

	if (st == TAF_OK)
		st = taf_engine_count(&p, &n, e);
	for (k = 0; st == TAF_OK && n.failed > 0 && k < p.slabs; k++)
		if (taf_engine_failure(&p, k, &failure) != TAF_OK)
			break;
	if (st == TAF_OK)
		(json ? put_status_json : put_status)(s, &p, &n,
		    failure.code != TAF_OK ? failure.text : NULL);
	taf_plan_fini(&p);
	return st != TAF_OK ? st : s->st;
}
