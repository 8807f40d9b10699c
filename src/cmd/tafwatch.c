/* SPDX-License-Identifier: ISC */
/* tafwatch - the elements of a file that grows, as they come. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "base/si.h"
#include "cli/cmd.h"
#include "io/url.h"
#include "op/move/grow.h"
#include "stream/writer_private.h"

enum { IDLE = 256 };

static enum taf_status
parse_idle(void *to, const char *arg, struct taf_err *e)
{
	const size_t n = strlen(arg), number = taf_si_number(arg, n);
	struct taf_si unit = { .power = 0 }, second;
	double *idle = to;

	if (number == 0 || !taf_si_parse("s", 1, &second) ||
	    (number < n && (!taf_si_parse(arg + number, n - number, &unit) ||
	    unit.base != second.base)) ||
	    !taf_si_scan(arg, number, unit.power, idle) || !(*idle > 0))
		return taf_fail(e, TAF_EUSAGE, "%s: not a time, as 10s or 500ms", arg);
	return TAF_OK;
}

static const struct cmd_option options[] = {
	{ IDLE, "idle", "T", "end if nothing has come for this time, as 10s",
	    .kind = CMD_SET_PARSED, .parse = parse_idle },
	{ 0 },
};

static const struct cmd self = {
	"tafwatch", "the elements of a file that grows, as they come",
	"[--idle T] [-N K] [-o FILE] file",
	options, CMD_STREAM | CMD_PICK | CMD_ONE | CMD_OPERANDS | CMD_AS_IS |
	    CMD_NO_RECIPE | CMD_UNPLANNED,
};

/* Nobody may read the pipe any more, and nothing be written to it for long. */
static enum taf_status
look_at_output(void *ctx, struct taf_err *e)
{
	const struct cmd_run *run = ctx;
	struct pollfd out = { .fd = 1 };

	if (run->output != NULL || poll(&out, 1, 0) <= 0 || (out.revents & POLLERR) == 0)
		return TAF_OK;
	(void)raise(SIGPIPE);
	errno = EPIPE;
	(void)taf_fail_sys(e, "cannot write");
	taf_err_name(e, "standard output");
	return TAF_ESYS;
}

/* The present array; where w is NULL it is passed over. */
static enum taf_status
pass_on(struct cmd_run *run, struct taf_grow *g, const struct taf_array *a,
    struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	uint64_t n = 0;

	if (w != NULL) {
		cmd_say_array(run, g->path, a);
		st = taf_writer_begin(w, a, run->pick != 0 ? TAF_NEXT_NO :
		    taf_reader_more(g->r), e);
		taf_watch(&run->service, w, NULL, taf_array_bytes(a));
	}
	do {
		if (st == TAF_OK && w != NULL)
			st = taf_writer_flush(w, e);
		if (st == TAF_OK)
			st = taf_grow_there(g, &n, e);
		if (st == TAF_OK && n > 0)
			st = w != NULL ? taf_writer_copy(w, g->r, n, e) :
			    taf_reader_skip(g->r, n, e);
	} while (st == TAF_OK && n > 0);
	taf_watch_end(&run->service);
	return st == TAF_OK && w != NULL ? taf_writer_end(w, a, e) : st;
}

static enum taf_status
watch(struct cmd_run *run, struct taf_grow *g, struct taf_writer *w, struct taf_err *e)
{
	struct taf_array a = { 0 };
	uint64_t number = 0;
	enum taf_status st;

	do {
		st = taf_grow_next(g, &a, e);
		number += st == TAF_OK;
		if (st == TAF_OK)
			st = pass_on(run, g, &a, run->pick == 0 || number == run->pick ?
			    w : NULL, e);
	} while (st == TAF_OK && (run->pick == 0 || number < run->pick));
	if (st == TAF_END)
		st = run->pick == 0 ? TAF_OK :
		    taf_arrays_few(run->pick, number, g->path, false, e);
	taf_array_fini(&a);
	taf_err_name(e, g->path);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_grow g = { .pause = look_at_output, .ctx = run };
	struct taf_writer *w = NULL;
	struct taf_sink sink;
	enum taf_status st;

	cmd_options(run, &g.idle);
	cmd_named(run);
	if (taf_is_url(run->files[0]))
		cmd_usage(run, "a URL is no file that grows");
	cmd_sink(run, &sink);
	g.path = run->files[0];
	st = taf_writer_open(&w, &sink, &run->err);
	if (st == TAF_OK)
		st = watch(run, &g, w, &run->err);
	if (taf_writer_settle(w, st, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	taf_reader_close(g.r);
	return cmd_end(run);
}
