/* npy2taf - arrays of NumPy's .npy and .npz files as TAF or RSF. */
/* link: zlib */
#include "cli/cmd.h"
#include "format/npz.h"
#include "io/spool.h"

enum { LIST = 256, NAME, REVERSE };

struct intent {
	struct taf_npz npz;
	bool listed;
};

static const struct cmd_option options[] = {
	{ LIST, "list", NULL, "list the arrays of .npz files instead",
	    SET(FLAG, listed) },
	{ NAME, "name", "NAME", "the array of this name of .npz files",
	    SET(TEXT, npz.name) },
	{ REVERSE, "reverse", NULL, "keep the order of bytes, reverse the dimensions",
	    SET(FLAG, npz.format.reverse) },
	{ 0 },
};

static const struct cmd self = {
	"npy2taf", "convert NumPy .npy and .npz to TAF",
	"[--name NAME] [--reverse] [-J N] [-m SIZE] [-N K] [-o FILE]\n"
	"       [file ...] | --list [file ...]",
	options, CMD_STREAM | CMD_TO_TAF | CMD_PICK | CMD_JOBS,
};

static enum taf_status
list_one(struct cmd_run *run, const char *file, struct taf_str *lines)
{
	struct taf_err *e = &run->err;
	struct taf_in *in = NULL;
	enum taf_status st = taf_in_open(&in, file, e);

	if (st == TAF_OK)
		st = taf_spool_rest(&in, e);
	if (st == TAF_OK)
		st = taf_npz_list(in, lines, e);
	if (st == TAF_OK)
		st = taf_out_str(run->out, lines);
	taf_err_name(e, taf_in_called(file));
	taf_in_close(in);
	return st;
}

static int
list(struct cmd_run *run)
{
	struct taf_str lines = { .err = &run->err };
	int i;

	cmd_input(run);
	for (i = 0; cmd_out(run) != NULL && i < run->nfiles; i++)
		if (list_one(run, run->files[i], &lines) != TAF_OK)
			break;
	if (run->err.code != TAF_OK)
		cmd_report(run, NULL);
	taf_str_free(&lines);
	return cmd_end(run);
}

int
main(int argc, char **argv)
{
	struct intent want = { .listed = false };
	struct cmd_run *run = cmd_begin(&self, argc, argv);

	taf_npz_format(&want.npz);
	cmd_options(run, &want);
	if (want.listed)
		return list(run);
	return cmd_import(run, taf_npz_check, taf_npz_import, &want.npz);
}
