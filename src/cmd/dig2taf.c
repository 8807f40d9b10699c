/* SPDX-License-Identifier: ISC */
/* dig2taf - NTS digitizer files to arrays. */
#include "cli/vendor.h"

static const struct cmd self = {
	"dig2taf", "convert NTS digitizer files to arrays",
	"[-N K] [--matrix] [-o FILE] [file ...]",
	cmd_vendor_options, CMD_VENDOR,
};

int
main(int argc, char **argv)
{
	return cmd_vendor(&self, taf_dig_decode, argc, argv);
}
