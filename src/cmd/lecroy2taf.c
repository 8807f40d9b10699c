/* SPDX-License-Identifier: ISC */
/* lecroy2taf - LeCroy's traces to arrays. */
#include "cli/vendor.h"

static const struct cmd self = {
	"lecroy2taf", "convert traces of LeCroy oscilloscopes to arrays",
	"[-N K] [--matrix] [-o FILE] [file ...]",
	cmd_vendor_options, CMD_VENDOR,
};

int
main(int argc, char **argv)
{
	return cmd_vendor(&self, taf_lecroy_decode, argc, argv);
}
