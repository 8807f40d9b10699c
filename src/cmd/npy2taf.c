/* SPDX-License-Identifier: ISC */
/* npy2taf - arrays of NumPy's .npy and .npz files as TAF or RSF. */
/* link: zlib */
#include "cli/cmd.h"
#include "format/npz.h"

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

int
main(int argc, char **argv)
{
	struct intent want = { .listed = false };
	struct cmd_run *run = cmd_begin(&self, argc, argv);

	taf_npz_format(&want.npz);
	cmd_options(run, &want);
	if (want.listed)
		return cmd_list(run, taf_npz_list);
	return cmd_import(run, taf_npz_check, taf_npz_import, &want.npz);
}
