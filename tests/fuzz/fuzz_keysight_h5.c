/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
/* Keysight's captures, those in HDF5 too: our side of it. */
#include "capture.h"
#include "hdf_options.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_keysight_h5_sniff, taf_keysight_h5_decode, data, size);
	return 0;
}
