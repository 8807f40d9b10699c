/* SPDX-License-Identifier: ISC */
/*
 * Sound in WAVE files, RIFF, RF64, BW64 and W64: one record.  Frames of samples are
 * columns, or with the second decoder channels are.  40 bytes tell it.
 */
#ifndef TAF_CODEC_WAV_H
#define TAF_CODEC_WAV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/capture.h"

taf_capture_decode taf_wav_decode, taf_wav_split_decode;
taf_capture_sniff taf_wav_sniff;

/* A file that is written: PCM or floats. */
struct taf_wav_form {
	bool floats;
	bool values;		/* they are values of what is stored otherwise */
	unsigned channels, bits;
	uint32_t rate;
	uint64_t frames;
};

enum { TAF_WAV_HEAD = 80 };

/* Bytes of its samples, and all that stands in front of them: the bytes of that. */
uint64_t taf_wav_bytes(const struct taf_wav_form *form);
size_t taf_wav_format(const struct taf_wav_form *form, unsigned char head[TAF_WAV_HEAD]);

#endif
