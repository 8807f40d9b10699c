/* SPDX-License-Identifier: ISC */
/* taf2segy - arrays as traces of SEG-Y and SU. */
/* link: m */
#include "cli/cmd.h"
#include "format/segy_convert.h"

enum { FORMAT = 256, HEADERS, LIKE, ORDER, REVISION, SU, TEXT };

struct intent {
	struct taf_segy_export how;
	const char *format;
	bool done;		/* an array is written */
};

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "stored elements, no mapping", SET(FLAG, how.raw) },
	{ FORMAT, "format", "N", "how samples are stored: 1, 5, ibm, int24, ...",
	    SET(TEXT, format) },
	{ HEADERS, "headers", "FILE", "trace headers, as segy2taf --headers has them",
	    SET(TEXT, how.headers) },
	{ LIKE, "like", "FILE", "all headers of this SEG-Y file", SET(TEXT, how.like) },
	{ ORDER, "order", "big|little", "the order of bytes in the file",
	    SET(CHOICE, how.order), .value = TAF_SEGY_BIG },
	{ REVISION, "revision", "1|2", "revision of SEG-Y", SET(CHOICE, how.revision),
	    .value = 1 },
	{ SU, "su", NULL, "write SU: traces without the headers of a reel",
	    SET(FLAG, how.su) },
	{ TEXT, "text", "FILE", "lines of the text header", SET(TEXT, how.text) },
	{ 0 },
};

static const struct cmd self = {
	"taf2segy", "convert TAF to SEG-Y and SU",
	"[--format N] [--headers FILE] [--like FILE] [--text FILE]\n"
	"       [--revision 1|2] [--order big|little] [--su] [-r] [-m SIZE] [-N K]\n"
	"       [-o FILE] [file]",
	options, CMD_FILE | CMD_BINARY | CMD_ONE | CMD_PICK,
};

static enum taf_status
convert(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct intent *want = ctx;

	if (taf_arrays_more(all) == TAF_NEXT_YES || want->done)
		return taf_fail(e, TAF_EDATA,
		    "several arrays: a SEG-Y file holds one (use -N K)");
	want->done = true;
	return taf_segy_export(&want->how, &run->service, all->r, &all->a, run->out, e);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };

	cmd_options(run, &want);
	if (want.format != NULL &&
	    (want.how.format = taf_segy_format_named(want.format)) == NULL)
		cmd_usage(run, "--format %s: no way to store samples", want.format);
	if (want.how.like != NULL && (want.how.order != 0 || want.how.revision != 0))
		cmd_usage(run, "--like has an order and a revision of its own");
	if (want.how.su && (want.format != NULL || want.how.text != NULL ||
	    want.how.revision != 0))
		cmd_usage(run,
		    "SU has flt32 and no headers of a reel: no --format, --text, --revision");
	return cmd_export(run, NULL, convert, NULL, &want);
}
