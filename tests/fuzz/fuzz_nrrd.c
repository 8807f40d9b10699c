/* SPDX-License-Identifier: ISC */
/* NRRD files. */
/* link: zlib zstd blosc */
#include "capture.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_nrrd_sniff, taf_nrrd_decode, data, size);
	return 0;
}
