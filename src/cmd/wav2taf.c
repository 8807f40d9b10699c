/* SPDX-License-Identifier: ISC */
/* wav2taf - sound in WAVE files to arrays. */
#include "cli/cmd.h"
#include "codec/wav.h"
#include "format/capture_import.h"

enum { SPLIT = 256 };

struct intent {
	struct taf_capture_import how;
	bool split;
};

static const struct cmd_option options[] = {
	{ SPLIT, "split", NULL, "dimension 1 is the time, not the channels",
	    SET(FLAG, split) },
	{ 0 },
};

static const struct cmd self = {
	"wav2taf", "convert sound in WAVE files to arrays",
	"[--split] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_TO_TAF,
};

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .split = false };

	cmd_options(run, &want);
	want.how.decode = want.split ? taf_wav_split_decode : taf_wav_decode;
	return cmd_import(run, taf_capture_look, taf_capture_import, &want.how);
}
