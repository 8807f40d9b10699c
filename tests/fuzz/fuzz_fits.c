/* SPDX-License-Identifier: ISC */
/* FITS files, as values and as they are stored. */
#include "capture.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_fits_sniff, taf_fits_decode, data, size);
	fuzz_capture_by(taf_fits_sniff, taf_fits_decode, true, data, size);
	return 0;
}
