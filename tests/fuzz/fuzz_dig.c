/* SPDX-License-Identifier: ISC */
/* NTS digitizer files. */
#include "capture.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_dig_sniff, taf_dig_decode, data, size);
	return 0;
}
