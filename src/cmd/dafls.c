/* dafls - what a FilesDaf store holds. */
/* link: jansson zlib */
#include "cli/cmd.h"
#include "cli/daf_page.h"
#include "codec/daf_write.h"

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

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_daf_item it;
	struct taf_daf s = { 0 };
	bool entries = false;
	enum taf_status st;
	const char *arg;
	int c, k;

	while ((c = cmd_option(run, &arg)) != 0)
		if (c == ENTRIES)
			entries = true;
	for (k = 1; k < run->nfiles; k++) {
		cmd_check(run, taf_daf_item_parse(&it, run->files[k], &run->err));
		taf_daf_item_free(&it);
	}
	st = taf_daf_open(&s, run->files[0], &run->err);
	if (st == TAF_OK)
		st = taf_daf_recover(&s, &run->err);
	if (st == TAF_OK)
		cmd_say(run, "%s: a store of version [1,%u]", run->files[0], s.minor);
	if (st == TAF_OK && run->nfiles == 1)
		st = cmd_daf_page(run, &s, entries, &run->err);
	for (k = 1; k < run->nfiles && st == TAF_OK; k++)
		st = cmd_daf_page_item(run, &s, run->files[k], entries, &run->err);
	if (st != TAF_OK)
		cmd_report(run, run->files[0]);
	taf_daf_close(&s);
	return cmd_end(run);
}
