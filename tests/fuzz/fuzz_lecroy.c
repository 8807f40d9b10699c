/* SPDX-License-Identifier: ISC */
/* LeCroy's traces. */
#include "capture.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_lecroy_sniff, taf_lecroy_decode, data, size);
	return 0;
}
