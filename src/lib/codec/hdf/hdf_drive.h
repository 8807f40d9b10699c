/* SPDX-License-Identifier: ISC */
/*
 * An HDF5 file, which the library reads and writes through us, so that it takes what we
 * take, and opens no other file: what an external link or a virtual dataset names fails.
 * What the system refuses is told as it says it; of a write that fails the library, which
 * some would crash, never hears.  Its ids are int64_t here, since not every build has its
 * headers.
 */
#ifndef TAF_CODEC_HDF_HDF_DRIVE_H
#define TAF_CODEC_HDF_HDF_DRIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"

/* A new file may begin behind a user block of TAF_HDF_BLOCK bytes. */
enum taf_hdf_mode { TAF_HDF_READ, TAF_HDF_CHANGE, TAF_HDF_NEW, TAF_HDF_NEW_BEHIND };
enum { TAF_HDF_BLOCK = 512 };

struct taf_hdf_drive {
	int64_t file, driver;	/* -1 where it is not open */
	const struct taf_in *in;	/* read from offset base on, or NULL: */
	uint64_t base, size;
	int fd;				/* this */
	enum taf_hdf_mode mode;
	bool open;			/* it is: there is no other one */
	struct taf_err err;	/* the first failure to read or write */
};

/*
 * Open what fd holds, which stays the caller's, and f where it is.  TAF_EDATA for what is
 * no HDF5 file, or a damaged one.
 */
TAF_MUST enum taf_status taf_hdf_drive_open(struct taf_hdf_drive *f, int fd,
    enum taf_hdf_mode mode, struct taf_err *e);

/*
 * The same for reading alone, through size bytes of an input from offset base on.  It is
 * seekable and must outlive f.
 */
TAF_MUST enum taf_status taf_hdf_drive_read(struct taf_hdf_drive *f,
    const struct taf_in *in, uint64_t base, uint64_t size, struct taf_err *e);

/* The library has failed: how the system did, or that what, a fact, is so of place. */
enum taf_status taf_hdf_drive_failed(const struct taf_hdf_drive *f, struct taf_err *e,
    const char *place, const char *what);

/*
 * What a piece of work ends in, which st says: what seemed not to be there, or damaged,
 * may be what could not be read, or had no memory.  Where st is good, and the library has
 * failed at something, it is TAF_EDATA with the words of doubt, or NULL to pass over it.
 */
enum taf_status taf_hdf_drive_settle(const struct taf_hdf_drive *f, enum taf_status st,
    const char *doubt, struct taf_err *e);

/* Close it, with all that is open of it; whatever st says, which is returned first. */
TAF_MUST enum taf_status taf_hdf_drive_close(struct taf_hdf_drive *f, enum taf_status st,
    struct taf_err *e);

/* Close what was only read, or is given up. */
void taf_hdf_drive_drop(struct taf_hdf_drive *f);

/*
 * With this list an object is made that keeps the order of its attributes, and a group
 * that of its links, which netCDF wants; but no times: the same call makes the same file.
 */
TAF_MUST bool taf_hdf_keep(int64_t list, bool group);

#endif
