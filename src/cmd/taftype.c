/* SPDX-License-Identifier: ISC */
/* taftype - print or set the type code of arrays. */
#include <string.h>

#include "base/num.h"
#include "cli/cmd.h"
#include "codec/taf_file.h"

enum { SET = 256 };

static const struct cmd_option options[] = {
	{ SET, "set", "CODE", "0 generic, 1 column, 2 row, 3 image, to 255; or a word",
	    OWN },
	{ 0 },
};

static const struct cmd self = {
	"taftype", "print or set type codes",
	"[--set CODE] [-i] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_IN_PLACE | CMD_PICK,
};

struct intent {
	bool set;
	unsigned code;
};

static unsigned
parse(struct cmd_run *run, const char *arg)
{
	static const char *const words[] = { "generic", "column", "row", "image" };
	uint64_t v;
	unsigned i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(arg, words[i]) == 0)
			return i;
	if (!taf_parse_u64(arg, strlen(arg), &v) || v > 255)
		cmd_usage(run, "--set %s: not a type code, 0 to 255", arg);
	return (unsigned)v;
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	struct taf_array file;
	enum taf_status st = taf_file_shape(in, &file, e);

	(void)plan;
	if (st == TAF_OK && !taf_code_fits(want->code, taf_code_rank(&file)))
		st = taf_fail(e, TAF_EDATA, "type code %u does not go with %u dimensions",
		    want->code, file.ndim);
	out->code = (unsigned char)want->code;
	return st;
}

static enum taf_status
print(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct taf_buf line = { 0 };
	enum taf_status st = taf_reader_finish(all->r, &all->a, e);

	(void)ctx;
	if (st == TAF_OK)
		st = taf_buf_printf(&line, e, "%d\n", all->a.code);
	if (st == TAF_OK)
		st = taf_out_write(run->out, line.data, line.len, e);
	taf_buf_free(&line);
	return st;
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter set = { .resolve = resolve };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { false, 0 };
	const char *arg;
	int c;

	while ((c = cmd_option(run, NULL, &arg)) != 0)
		if (c == SET) {
			want.set = true;
			want.code = parse(run, arg);
		}
	if (run->in_place && !want.set)
		cmd_usage(run, "-i, but nothing to set");
	run->late = true;
	return want.set ? cmd_filter(run, &set, &want) : cmd_each(run, print, NULL);
}
