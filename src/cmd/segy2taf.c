/* SPDX-License-Identifier: ISC */
/* segy2taf - seismic traces of SEG-Y and SU, or their headers, as TAF or RSF. */
#include "cli/cmd.h"
#include "format/segy_convert.h"

enum { BY = 256, CLIP, CUT, FILL, HEADERS, KEYS, LENGTH, ORDER, RAW, SU, TEXT, TRACES,
    TYPE };

static struct intent {
	struct taf_segy_import im;
	const char *fill, *type;
	bool text;
} want;

static const struct cmd_option options[] = {
	{ 'g', "grid", "DIM=LO:HI", "read these grid values of a dimension alone",
	    SET(BOUNDS, im.bounds) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "read these indices of a dimension alone",
	    SET(BOUNDS, im.bounds) },
	{ BY, "by", "KEY[,KEY]", "order the traces by these keys: a cube",
	    SET(PARSED, im.by), .parse = taf_segy_keys },
	{ CLIP, "clip", NULL, "take the largest flt32 for IBM floats beyond it",
	    SET(FLAG, im.clip) },
	{ CUT, "cut", NULL, "leave out what is behind the last whole trace",
	    SET(FLAG, im.how.cut) },
	{ FILL, "fill", "V", "let V stand where --by finds no trace", SET(TEXT, fill) },
	{ HEADERS, "headers", NULL, "the words of the trace headers instead of samples",
	    SET(FLAG, im.headers) },
	{ KEYS, "keys", "KEY,...", "these words alone, in this order",
	    SET(PARSED, im.keys), .parse = taf_segy_keys },
	{ LENGTH, "length", "N", "cut and pad each trace to N samples",
	    SET(NUMBER, im.how.length), FROM_1, .wrong = "not a number of samples" },
	{ ORDER, "order", "big|little", "the order of bytes in the file",
	    SET(CHOICE, im.how.order), .value = TAF_SEGY_BIG },
	{ RAW, "raw", NULL, "whole trace headers, as bytes", SET(FLAG, im.raw) },
	{ SU, "su", NULL, "read SU: traces without the headers of a reel",
	    SET(FLAG, im.how.su) },
	{ TEXT, "text", NULL, "print the headers of the reel instead", SET(FLAG, text) },
	{ TRACES, "traces", "N", "a pipe has N traces, so it need not be kept in a file",
	    SET(NUMBER, im.how.traces), FROM_1, .wrong = "not a number of traces" },
	{ TYPE, "type", "T", "how samples are stored: 1, 5, ibm, int24, ...",
	    SET(TEXT, type) },
	{ 0 },
};

static const struct cmd self = {
	"segy2taf", "convert SEG-Y and SU to TAF",
	"[-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--by KEY[,KEY] [--fill V]]\n"
	"       [--headers [--keys KEY,...|--raw]] [--su] [--order big|little]\n"
	"       [--type T] [--cut] [--length N] [--clip] [--traces N] [-J N] [-m SIZE]\n"
	"       [-o FILE] [file]\n"
	"       segy2taf --text [file]",
	options, CMD_STREAM | CMD_TO_TAF | CMD_ONE | CMD_JOBS,
};

/* The headers of the reel. */
static enum taf_status
list(struct taf_in *in, struct taf_str *lines, struct taf_err *e)
{
	return taf_segy_list(&want.im.how, in, lines, e);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_segy_import *const im = &want.im;
	bool keys;

	cmd_options(run, &want);
	if (want.type != NULL &&
	    (im->how.format = taf_segy_format_named(want.type)) == NULL)
		cmd_usage(run, "--type %s: no way to store samples", want.type);
	keys = cmd_has(run, KEYS);
	for (; !keys && im->keys.n < TAF_SEGY_KEYS; im->keys.n++)
		im->keys.key[im->keys.n] = im->keys.n;
	if (im->by.n > 2)
		cmd_usage(run, "--by: one key or two");
	im->filled = want.fill != NULL;
	if (im->filled && !taf_value_parse(&im->fill, want.fill))
		cmd_usage(run, "--fill %s: not a number", want.fill);
	if (im->filled && im->by.n == 0)
		cmd_usage(run, "--fill needs --by");
	if ((keys || im->raw) && !im->headers)
		cmd_usage(run, "--keys and --raw need --headers");
	if (keys && im->raw)
		cmd_usage(run, "only one of --keys and --raw");
	if (want.text && im->how.su)
		cmd_usage(run, "--text: SU has no headers of a reel");
	if (want.type != NULL && im->how.su)
		cmd_usage(run, "--type: samples of SU are flt32");
	im->how.resize = cmd_has(run, LENGTH);
	im->words = &run->words;
	return want.text ? cmd_list(run, list) :
	    cmd_import(run, NULL, taf_segy_import, im);
}
