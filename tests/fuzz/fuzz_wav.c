/* SPDX-License-Identifier: ISC */
/* WAVE files, frames as columns and channels as columns. */
#include <string.h>

#include "capture.h"
#include "codec/wav.h"
#include "target.h"

/* The head of a file that is written is one that is read. */
static void
check_head(const uint8_t *data, size_t size)
{
	struct taf_wav_form form = { .channels = 1, .bits = 16, .rate = 48000 };
	unsigned char head[TAF_WAV_HEAD];
	size_t n;

	if (size >= sizeof form.frames)
		memcpy(&form.frames, data, sizeof form.frames);
	form.frames >>= 4;
	form.floats = size % 2 > 0;
	form.bits = form.floats ? 32 : 16;
	form.channels += (unsigned)(size % 3);
	n = taf_wav_format(&form, head);
	must(n <= sizeof head && taf_wav_sniff(head, n));
	fuzz_capture(taf_wav_sniff, taf_wav_decode, head, n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_head(data, size);
	fuzz_capture(taf_wav_sniff, taf_wav_decode, data, size);
	fuzz_capture(taf_wav_sniff, taf_wav_split_decode, data, size);
	return 0;
}
