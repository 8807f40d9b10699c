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
probe(struct cmd_arrays *all, void *ctx, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_str text = { .err = e };
	const bool json = all->run->json;
	struct taf_describe f = { cmd_arrays_name(all), &all->a,
	    taf_reader_source(all->r), taf_reader_offset(all->r), json, &text };
	/* of a pipe all must have come before anything is said of it */
	enum taf_status st = taf_reader_finish(all->r, &all->a, e);

	if (st != TAF_OK)
		return st;
	if (want->key != NULL)
		taf_describe_value(&f, want->key);
	else if (json)
		taf_describe_json(&f);
	else
		taf_describe_page(&f);
	st = taf_out_str(all->run->out, &text);
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
