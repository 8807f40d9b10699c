/* SPDX-License-Identifier: ISC */
/* dafls - what a FilesDaf store holds. */
/* link: jansson zlib zstd blosc */
#include <string.h>

#include "cli/cmd.h"
#include "cli/crash.h"
#include "codec/daf/daf_write.h"
#include "format/daf_check.h"
#include "format/daf_elements.h"
#include "text/daf_page.h"

enum { ENTRIES = 256, CHECK };

struct intent {
	struct taf_daf_page page;
	bool look;
};

static const struct cmd_option options[] = {
	{ CHECK, "check", NULL, "print what is wrong with the store, a line each",
	    SET(FLAG, look) },
	{ ENTRIES, "entries", NULL, "print the entries too, of items those alone",
	    SET(FLAG, page.entries) },
	{ 0 },
};

static const struct cmd self = {
	"dafls", "list what a FilesDaf store holds",
	"[-j] [--entries] STORE [ITEM ...]\n"
	"       [-q] --check STORE",
	options, CMD_JSON | CMD_OPERANDS | CMD_AS_IS | CMD_UNPLANNED | CMD_MENDS,
};

static void
fault(void *ctx, struct taf_err *e)
{
	struct cmd_run *run = ctx;

	/* e is of the run */
	(void)e;
	cmd_report(run, run->files[0]);
}

/* A line of output. */
static enum taf_status
finding(void *ctx, const char *text, struct taf_err *e)
{
	struct cmd_run *run = ctx;
	struct taf_str line = { .err = e };

	if (run->status == 0)
		run->status = 1;
	taf_str_safe(&line, text, strlen(text));
	taf_str_puts(&line, "\n");
	line.st = taf_out_str(run->out, &line);
	taf_str_free(&line);
	return line.st;
}

static enum taf_status
check(struct cmd_run *run, struct taf_daf *s, struct taf_err *e)
{
	const struct taf_daf_findings to = { .s = s, .service = &run->service,
		.say = finding, .ctx = run };
	enum taf_status st = taf_daf_open(s, run->files[0], e);

	if (st != TAF_OK || cmd_out(run) == NULL)
		return st;
	return taf_daf_find_faults(&to, e);
}

static enum taf_status
list(struct cmd_run *run, struct taf_daf_page *page, struct taf_daf *s)
{
	enum taf_status st = taf_daf_open(s, run->files[0], &run->err);
	int k;

	if (st == TAF_OK)
		st = taf_daf_recover(s, &run->err);
	if (st == TAF_OK)
		cmd_say(run, "%s: a store of version [1,%u]", run->files[0], s->minor);
	page->json = run->json;
	page->out = st == TAF_OK ? cmd_out(run) : NULL;
	if (page->out != NULL && run->nfiles == 1)
		st = taf_daf_page(page, &run->err);
	for (k = 1; k < run->nfiles && st == TAF_OK && page->out != NULL; k++)
		st = taf_daf_page_item(page, run->files[k], &run->err);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_daf_item it;
	struct taf_daf s = { 0 };
	struct intent want = { .page = { .s = &s, .service = &run->service, .ctx = run,
	    .elements = taf_daf_elements, .fault = fault } };
	enum taf_status st;
	int k;

	cmd_options(run, &want);
	if (want.look && (run->json || want.page.entries || run->nfiles > 1))
		cmd_usage(run, "--check looks at a whole store, and prints lines");
	for (k = 1; k < run->nfiles; k++) {
		cmd_check(run, taf_daf_item_parse(&it, run->files[k], &run->err));
		taf_daf_item_free(&it);
	}
	cmd_guard("packed chunks", false);
	st = cmd_decode(run, run->files[0], NULL, 0, &run->err);
	if (st == TAF_OK)
		st = want.look ? check(run, &s, &run->err) : list(run, &want.page, &s);
	if (st != TAF_OK)
		cmd_report(run, run->files[0]);
	taf_daf_close(&s);
	return cmd_end(run);
}
