/* SPDX-License-Identifier: ISC */
/* keysight2taf - Keysight's captures to arrays. */
/* link: hdf5 */
#include "cli/crash.h"
#include "cli/vendor.h"

static const struct cmd self = {
	"keysight2taf", "convert captures of Keysight oscilloscopes to arrays",
	"[-N K] [--matrix] [-o FILE] [file ...]",
	cmd_vendor_options, CMD_VENDOR,
};

int
main(int argc, char **argv)
{
	cmd_guard("HDF5", true);
	return cmd_vendor(&self, taf_keysight_h5_decode, argc, argv);
}
