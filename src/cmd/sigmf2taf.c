/* SPDX-License-Identifier: ISC */
/* sigmf2taf - recordings of SigMF to arrays. */
/* link: jansson */
#include <string.h>

#include "cli/cmd.h"
#include "codec/sigmf.h"
#include "format/capture_import.h"
#include "format/sigmf_export.h"

enum { CHECK = 256 };

struct intent {
	struct taf_capture_import im;
	const char *type;
	bool check;
};

static const struct cmd_option options[] = {
	{ 't', "type", "complex", "complex integers become complex numbers",
	    SET(TEXT, type) },
	{ CHECK, "check", NULL, "compare core:sha512 with the samples",
	    SET(FLAG, check) },
	{ 0 },
};

static const struct cmd self = {
	"sigmf2taf", "convert recordings of SigMF to arrays",
	"[-t complex] [--check] [-N K] [-o FILE] NAME.sigmf-meta ...",
	options, CMD_STREAM | CMD_PICK | CMD_TO_TAF | CMD_OPERANDS | CMD_BESIDE,
};

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .im.decode = taf_sigmf_decode };

	cmd_options(run, &want);
	cmd_named(run);
	if (want.type != NULL && strcmp(want.type, "complex") != 0)
		cmd_usage(run, "-t %s: complex is the type there is", want.type);
	want.im.complex = want.type != NULL;
	want.im.check = want.check ? taf_sigmf_check : NULL;
	return cmd_import(run, taf_capture_look, taf_capture_import, &want.im);
}
