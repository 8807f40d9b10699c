/* Keysight's captures in HDF5 (*.h5), where the library was found. */
#ifndef TAF_CODEC_KEYSIGHT_H5_H
#define TAF_CODEC_KEYSIGHT_H5_H

#include "codec/capture.h"

/* Do these first bytes (8 are enough) start an HDF5 file? */
bool taf_hdf5_sniff(const unsigned char *p, size_t n);

/*
 * Decode one: a record for each segment of each source, sources in natural order of
 * their names ("Channel 2" before "Channel 10"), segments by number.  TAF_EDATA where
 * the build has no HDF5.
 */
TAF_MUST enum taf_status taf_keysight_h5_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

#endif
