/* SPDX-License-Identifier: ISC */
#include "spread/pipeline.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array/region.h"
#include "base/buf.h"
#include "base/num.h"
#include "io/os.h"
#include "io/out.h"
#include "spread/shell.h"
#include "spread/slab.h"
#include "stream/select.h"
#include "stream/writer_private.h"

/* --- what it reads --- */

/* Slab k of the input. */
static enum taf_status
feed_slab(const struct taf_plan *p, uint64_t k, struct taf_writer *w, struct taf_err *e)
{
	struct taf_bounds all = { .most = 0 };
	struct taf_select *select = NULL;
	struct taf_region region;
	struct taf_reader *r = NULL;
	struct taf_array in = { 0 }, a = { 0 };
	uint64_t lo, hi;
	enum taf_status st;

	taf_plan_slab(p, k, &lo, &hi);
	st = taf_reader_open(&r, p->input, TAF_READ_SILENTLY, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &in, e);
	if (st == TAF_OK)
		st = taf_dim_there(&in, p->dim, e);
	if (st == TAF_OK && hi > in.dim[p->dim - 1].n)
		st = taf_plan_changed(p, e);
	if (st == TAF_OK)
		st = taf_bounds_resolve(&all, &in, &region, e);
	if (st == TAF_OK) {
		region.first[p->dim - 1] = lo;
		region.count[p->dim - 1] = hi - lo;
		st = taf_array_copy(&a, &in, e);
	}
	if (st == TAF_OK) {
		taf_region_apply(&region, &a);
		st = taf_writer_begin(w, &a, TAF_NEXT_NO, e);
	}
	if (st == TAF_OK)
		st = taf_select_open(&select, r, &in, &region, e);
	if (st == TAF_OK)
		st = taf_select_copy(select, w, e);
	if (st == TAF_OK)
		st = taf_reader_finish(r, &a, e);
	if (st == TAF_OK)
		st = taf_writer_end(w, &a, e);
	taf_select_close(select);
	taf_reader_close(r);
	taf_array_fini(&in);
	taf_array_fini(&a);
	return st;
}

/* The results in order, as a stream. */
static enum taf_status
feed_results(const struct taf_plan *p, struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct taf_array a = { 0 };
	struct taf_reader *r;
	uint64_t k;

	for (k = 0; st == TAF_OK && k < p->slabs; k++) {
		st = taf_reader_open(&r, taf_slab_part(p, k).s, TAF_READ_SILENTLY, e);
		if (st != TAF_OK)
			break;
		st = taf_reader_next(r, &a, e);
		if (st == TAF_OK)
			st = taf_writer_begin(w, &a, k + 1 < p->slabs ? TAF_NEXT_YES :
			    TAF_NEXT_NO, e);
		if (st == TAF_OK)
			st = taf_writer_copy(w, r, taf_reader_left(r), e);
		if (st == TAF_OK)
			st = taf_writer_end(w, &a, e);
		taf_reader_close(r);
	}
	taf_array_fini(&a);
	return st;
}

enum taf_status
taf_pipeline_feed(const char *state, const char *slab, const char *digest,
    struct taf_err *e)
{
	/* a task looks at its input once more when its pipeline has ended */
	const struct taf_sink sink = { .format = TAF_FORMAT_RSF, .lend = true };
	const bool all = slab == NULL || strcmp(slab, "all") == 0;
	struct taf_writer *w = NULL;
	struct taf_plan p = { 0 };
	uint64_t k = 0;
	enum taf_status st = taf_plan_obey(&p, state, digest, e);

	if (st == TAF_OK && p.directory != NULL)
		st = taf_fail(e, TAF_EUSAGE,
		    "--feed %s: is of --each, where files have no slabs", state);
	if (st == TAF_OK && !all &&
	    (!taf_parse_u64(slab, strlen(slab), &k) || k >= p.slabs))
		st = taf_fail(e, TAF_EUSAGE, "--feed %s %s: not a slab of it", state,
		    slab);
	if (st == TAF_OK)
		st = taf_writer_open(&w, &sink, e);
	if (st == TAF_OK)
		st = all ? feed_results(&p, w, e) : feed_slab(&p, k, w, e);
	st = taf_writer_settle(w, st, e);
	taf_plan_fini(&p);
	return st;
}

/* --- from its start to its end --- */

static enum taf_status
start(const struct taf_plan *p, const struct taf_pipeline *pipeline, pid_t *pid,
    int *from, struct taf_err *e)
{
	/* the pipeline is text of its own lines, so that a comment in it ends with it */
	static const char frame[] =
	    "set -o pipefail\nPATH=$1${PATH:+:$PATH}\nexport PATH\n%s{\n%s\n}\n";
	static const char feed[] = "tafspread --feed \"$2\" \"$3\" \"$4\" | ";
	const struct taf_path digest = taf_path("%llu", (unsigned long long)p->digest);
	struct taf_buf script = { 0 };
	const int in = open(pipeline->input, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int ends[2] = { -1, -1 };
	enum taf_status st;

	if (in < 0)
		return taf_fail_sys(e, "%s: cannot read", pipeline->input);
	st = taf_buf_printf(&script, e, frame, pipeline->feed ? feed : "",
	    pipeline->text);
	if (st == TAF_OK)
		st = taf_shell_pipe(ends, e);
	if (st == TAF_OK) {
		const char *const argv[] = { p->shell, "-c", script.data, "tafspread",
			p->bin, p->state, pipeline->number, digest.s, NULL };

		taf_os_grow_pipe(ends[0]);
		st = taf_shell_start(pid, argv, (int[3]){ in, ends[1], pipeline->said },
		    false, e);
		(void)close(ends[1]);
		if (st != TAF_OK)
			(void)close(ends[0]);
	}
	(void)close(in);
	*from = ends[0];
	taf_buf_free(&script);
	return st;
}

static enum taf_status
receive(const struct taf_pipeline *pipeline, int fd, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	struct taf_in *in = NULL;
	enum taf_status st = taf_in_fd(&in, fd, pipeline->name, e);

	if (st != TAF_OK)
		(void)close(fd);
	else
		st = taf_reader_new(&r, in, NULL, 0, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK)
		st = pipeline->take(pipeline->ctx, r, &a, e);
	if (st == TAF_OK)
		st = taf_reader_last(r, e);
	taf_reader_close(r);
	taf_array_fini(&a);
	return st == TAF_ETRUNC || st == TAF_END ? TAF_EDATA : st;
}

enum taf_status
taf_pipeline_run(const struct taf_plan *p, const struct taf_pipeline *pipeline,
    struct taf_err *e)
{
	struct taf_err wait = { 0 }, its = { 0 };
	enum taf_status st;
	int from = -1, how = 0;
	pid_t pid;

	if (start(p, pipeline, &pid, &from, e) != TAF_OK)
		return e->code;
	st = receive(pipeline, from, e);
	if (taf_shell_wait(pid, &how, &wait) != TAF_OK) {
		*e = wait;
		return wait.code;
	}
	/* what could write no more, since we have failed, has not failed itself */
	if (st == TAF_ESYS || (st != TAF_OK && WIFEXITED(how) &&
	    WEXITSTATUS(how) == 128 + SIGPIPE) ||
	    taf_shell_verdict(how, pipeline->said > 2 ? pipeline->said : -1, &its) ==
	    TAF_OK)
		return st;
	taf_err_clear(e);
	return taf_fail(e, its.code, "%s%s", pipeline->failed, its.text);
}
