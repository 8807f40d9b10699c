/* npy2taf - arrays of NumPy's .npy files as TAF or RSF. */
#include "cli/cmd.h"
#include "codec/npy.h"
#include "format/row_major.h"

enum { REVERSE = 256 };

struct intent {
	struct taf_row_major npy;
};

static const struct cmd_option options[] = {
	{ REVERSE, "reverse", NULL, "keep the order of bytes, reverse the dimensions",
	    SET(FLAG, npy.reverse) },
	{ 0 },
};

static const struct cmd self = {
	"npy2taf", "convert NumPy .npy to TAF",
	"[--reverse] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_TO_TAF | CMD_PICK | CMD_JOBS,
};

/* numpy.save may be called again for the same file: its arrays follow each other. */
static enum taf_status
next(struct taf_in *in, struct taf_row_major_array *a, struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st;
	size_t got;

	st = taf_in_peek(in, 1, &p, &got, e);
	if (st == TAF_OK && got == 0)
		return TAF_END;
	if (st == TAF_OK)
		st = taf_npy_read(in, &a->nd, &a->bytes, e);
	a->type = a->nd.half ? "float16" : a->nd.logical ? "bool" : NULL;
	return st;
}

static enum taf_status
end(struct taf_in *in, const struct taf_row_major_array *a, struct taf_err *e)
{
	(void)in, (void)a, (void)e;
	return TAF_OK;
}

int
main(int argc, char **argv)
{
	struct intent want = { { .next = next, .end = end, .type_key = "npy/type",
	    .ndim_key = "npy/ndim" } };
	struct cmd_run *run = cmd_begin(&self, argc, argv);

	cmd_options(run, &want);
	return cmd_import(run, taf_row_major_check, taf_row_major_import, &want.npy);
}
