/* dafls - what a FilesDaf store holds. */
/* link: jansson zlib */
#include "cli/cmd.h"
#include "codec/daf_write.h"
#include "format/daf_elements.h"
#include "text/daf_page.h"

enum { ENTRIES = 256 };

static const struct cmd_option options[] = {
	{ ENTRIES, "entries", NULL, "print the entries too, of items those alone" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"dafls", "list what a FilesDaf store holds",
	"[-j] [--entries] STORE [ITEM ...]",
	options, CMD_JSON | CMD_OPERANDS,
};

static void
fault(void *ctx, struct taf_err *e)
{
	struct cmd_run *run = ctx;

	/* e is of the run */
	(void)e;
	cmd_report(run, run->files[0]);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_daf_item it;
	struct taf_daf s = { 0 };
	struct taf_daf_page page = { .s = &s, .service = &run->service, .ctx = run,
		.elements = { taf_daf_elements_open, taf_daf_elements_read,
		taf_daf_elements_close }, .fault = fault };
	enum taf_status st;
	const char *arg;
	int c, k;

	while ((c = cmd_option(run, &arg)) != 0)
		if (c == ENTRIES)
			page.entries = true;
	for (k = 1; k < run->nfiles; k++) {
		cmd_check(run, taf_daf_item_parse(&it, run->files[k], &run->err));
		taf_daf_item_free(&it);
	}
	st = taf_daf_open(&s, run->files[0], &run->err);
	if (st == TAF_OK)
		st = taf_daf_recover(&s, &run->err);
	if (st == TAF_OK)
		cmd_say(run, "%s: a store of version [1,%u]", run->files[0], s.minor);
	page.json = run->json;
	page.out = st == TAF_OK ? cmd_out(run) : NULL;
	if (page.out != NULL && run->nfiles == 1)
		st = taf_daf_page(&page, &run->err);
	for (k = 1; k < run->nfiles && st == TAF_OK && page.out != NULL; k++)
		st = taf_daf_page_item(&page, run->files[k], &run->err);
	if (st != TAF_OK)
		cmd_report(run, run->files[0]);
	taf_daf_close(&s);
	return cmd_end(run);
}
