/* SPDX-License-Identifier: ISC */
/*
 * FITS images, by the FITS standard 4.0.  Each image with elements is a record.  The
 * first 30 bytes tell such a file.
 */
#ifndef TAF_CODEC_FITS_H
#define TAF_CODEC_FITS_H

#include <stdbool.h>

#include "codec/capture.h"

/* The options of the capture point to one.  If they are NULL, both are false. */
struct taf_fits_how {
	bool raw;	/* no mapping, and integers as they are stored */
	bool images;	/* tables are left out, not refused */
};

taf_capture_decode taf_fits_decode;
taf_capture_sniff taf_fits_sniff;

#endif
