/* Tektronix's waveform files, LLWFM too. */
#include "capture.h"
#include "codec/wfm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_wfm_decode, data, size);
	return 0;
}
