/* WAVE files, frames as columns and channels as columns. */
#include "capture.h"
#include "codec/wav.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_wav_sniff, taf_wav_decode, data, size);
	fuzz_capture(taf_wav_sniff, taf_wav_split_decode, data, size);
	return 0;
}
