/* SPDX-License-Identifier: ISC */
/* Tektronix's preamble of text, and the curve behind it. */
#include "capture.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_isf_sniff, taf_isf_decode, data, size);
	return 0;
}
