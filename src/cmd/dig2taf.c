/* dig2taf - NTS digitizer files to arrays. */
#include "cli/capture.h"
#include "codec/dig.h"

static const struct cmd self = {
	"dig2taf", "convert NTS digitizer files to arrays",
	"[-N K] [--matrix] [-o FILE] [file ...]",
	cmd_capture_options, CMD_CAPTURE,
};

int
main(int argc, char **argv)
{
	return cmd_capture_main(&self, taf_dig_decode, argc, argv);
}
