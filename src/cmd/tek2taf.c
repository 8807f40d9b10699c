/* SPDX-License-Identifier: ISC */
/* tek2taf - Tektronix's waveforms to arrays. */
#include "cli/vendor.h"

static const struct cmd self = {
	"tek2taf", "convert waveforms of Tektronix oscilloscopes to arrays",
	"[-N K] [--matrix] [-o FILE] [file ...]",
	cmd_vendor_options, CMD_VENDOR,
};

int
main(int argc, char **argv)
{
	return cmd_vendor(&self, taf_wfm_decode, argc, argv);
}
