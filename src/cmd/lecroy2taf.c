/* lecroy2taf - LeCroy's traces to arrays. */
#include "cli/capture.h"
#include "codec/lecroy.h"

static const struct cmd self = {
	"lecroy2taf", "convert LeCroy traces to arrays",
	"[-N K] [--matrix] [-o FILE] [file ...]",
	cmd_capture_options, CMD_CAPTURE,
};

int
main(int argc, char **argv)
{
	return cmd_capture_main(&self, taf_lecroy_decode, argc, argv);
}
