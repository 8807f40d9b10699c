/* SPDX-License-Identifier: ISC */
/* Tektronix's waveform files of all kinds. */
#include "capture.h"
#include "target.h"

static bool
sniff(const unsigned char *p, size_t n)
{
	return taf_wfm_sniff(p, n) || taf_isf_sniff(p, n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(sniff, taf_wfm_decode, data, size);
	return 0;
}
