/* ten2taf - the tensors of TenBin files as TAF or RSF. */
#include "cli/cmd.h"
#include "codec/ten.h"
#include "format/row_major.h"

enum { REVERSE = 256 };

static const struct cmd_option options[] = {
	{ REVERSE, "reverse", NULL, "keep the order of bytes, reverse the dimensions" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"ten2taf", "convert TenBin to TAF",
	"[--reverse] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_TO_TAF | CMD_PICK | CMD_JOBS,
};

static enum taf_status
next(struct taf_in *in, struct taf_row_major_array *a, struct taf_err *e)
{
	struct taf_ten t;
	enum taf_status st = taf_ten_read(in, &t, e);

	if (st != TAF_OK)
		return st;
	a->nd = t.nd;
	a->bytes = t.bytes;
	a->type = t.nd.half ? "f2" : NULL;
	a->name.len = 0;
	return taf_ten_name_text(t.name, &a->name, e);
}

static enum taf_status
end(struct taf_in *in, const struct taf_row_major_array *a, struct taf_err *e)
{
	return taf_ten_pad(in, a->bytes, e);
}

int
main(int argc, char **argv)
{
	struct taf_row_major ten = { .next = next, .end = end,
		.name_key = "ten/name", .type_key = "ten/type" };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		if (c == REVERSE)
			ten.reverse = true;
	return cmd_import(run, taf_row_major_check, taf_row_major_import, &ten);
}
