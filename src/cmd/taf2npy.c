/* taf2npy - an array as numpy.save writes it. */
#include "cli/cmd.h"
#include "cli/ndarray.h"
#include "codec/npy.h"

enum { C_ORDER = 256, REVERSE };

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "stored elements, no mapping" },
	{ C_ORDER, "c-order", NULL, "elements in the order of C, not of Fortran" },
	{ REVERSE, "reverse", NULL, "keep the order of bytes, reverse the dimensions" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"taf2npy", "convert TAF to NumPy .npy",
	"[-r] [--c-order] [--reverse] [-J N] [-m SIZE] [-N K] [-o FILE] [file]",
	options, CMD_FILE | CMD_BINARY | CMD_ONE | CMD_PICK | CMD_MEMORY | CMD_JOBS,
};

struct intent {
	bool raw, c_order, reverse;
	bool done;		/* an array is written */
};

static enum taf_status
convert(struct cmd_run *run, void *ctx, struct taf_reader *r, struct taf_array *a,
    bool last, struct taf_err *e)
{
	struct cmd_dropped dropped = { 0 };
	struct taf_buf header = { 0 };
	unsigned order[TAF_MAX_DIM];
	struct intent *want = ctx;
	struct taf_ndarray nd;
	enum taf_status st;

	if (!last || want->done)
		return taf_fail(e, TAF_EDATA,
		    "several arrays: a .npy file holds one (use -N K)");
	want->done = true;
	taf_ndarray_export(a, cmd_export_type(a, want->raw), want->c_order, want->reverse,
	    &nd, order);
	st = taf_npy_format(&nd, &header, e);
	if (st == TAF_OK)
		st = taf_out_write(run->out, header.data, header.len, e);
	if (st == TAF_OK)
		st = cmd_export_elements(run, r, a, want->raw, order, e);
	taf_buf_free(&header);
	if (st == TAF_OK)
		st = taf_reader_finish(r, a, e);
	cmd_note_dropped(&dropped, a, NULL);
	if (st == TAF_OK)
		cmd_remark_dropped(run, &dropped, ".npy", NULL);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'r':
			want.raw = true;
			break;
		case C_ORDER:
			want.c_order = true;
			break;
		case REVERSE:
			want.reverse = true;
			break;
		}
	run->late = true;
	return cmd_export(run, NULL, convert, &want);
}
