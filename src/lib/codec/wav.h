/*
 * Sound in WAVE files, RIFF, RF64, BW64 and W64: one record.  Frames of samples are
 * columns, or with the second decoder channels are.  40 bytes tell it.
 */
#ifndef TAF_CODEC_WAV_H
#define TAF_CODEC_WAV_H

#include "codec/capture.h"

taf_capture_decode taf_wav_decode, taf_wav_split_decode;
taf_capture_sniff taf_wav_sniff;

#endif
