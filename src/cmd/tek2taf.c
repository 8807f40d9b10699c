/* tek2taf - Tektronix's waveforms to arrays. */
#include "cli/capture.h"
#include "codec/tek.h"

static const struct cmd self = {
	"tek2taf", "convert Tektronix waveforms to arrays",
	"[-N K] [--matrix] [-o FILE] [file ...]",
	cmd_capture_options, CMD_CAPTURE,
};

int
main(int argc, char **argv)
{
	return cmd_capture_main(&self, taf_tek_decode, argc, argv);
}
