/* SPDX-License-Identifier: ISC */
/* Keysight's binary captures. */
#include "capture.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_keysight_sniff, taf_keysight_decode, data, size);
	return 0;
}
