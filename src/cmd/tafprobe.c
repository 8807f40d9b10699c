/* tafprobe - what arrays are there, and how they are stored. */
#include "cli/cmd.h"
#include "text/describe.h"

static const struct cmd_option options[] = {
	{ 'k', "key", "KEY", "print one value alone" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafprobe", "show what TAF files and streams hold",
	"[-j] [-k KEY] [-N K] [file ...]",
	options, CMD_JSON | CMD_PICK,
};

struct intent {
	const char *key;
};

static enum taf_status
probe(struct cmd_run *run, void *ctx, const char *file, struct taf_reader *r,
    struct taf_array *a, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_str text = { .err = e };
	struct taf_describe f = { file, a, taf_reader_source(r), taf_reader_offset(r), run->json,
	    &text };
	struct taf_out *out = cmd_out(run);
	enum taf_status st;

	if (out == NULL)
		return TAF_END;
	/* of a pipe all must have come before anything is said of it */
	st = taf_reader_finish(r, a, e);
	if (st != TAF_OK)
		return st;
	if (want->key != NULL)
		taf_describe_value(&f, want->key);
	else if (run->json)
		taf_describe_json(&f);
	else
		taf_describe_page(&f);
	st = taf_out_str(out, &text);
	taf_str_free(&text);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { NULL };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		if (c == 'k')
			want.key = arg;
	run->late = true;
	return cmd_each(run, probe, &want);
}
