/* SPDX-License-Identifier: ISC */
/* FITS files, as values and as they are stored. */
#include "capture.h"
#include "codec/fits.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct taf_fits_how how = { .raw = true, .images = true };

	fuzz_capture(taf_fits_sniff, taf_fits_decode, data, size);
	fuzz_capture_by(taf_fits_sniff, taf_fits_decode, &how, data, size);
	return 0;
}
