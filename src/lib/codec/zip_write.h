/* SPDX-License-Identifier: ISC */
/* Zip archives, written front to back: stored members, zip64 where sizes need it. */
#ifndef TAF_CODEC_ZIP_WRITE_H
#define TAF_CODEC_ZIP_WRITE_H

#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "io/in.h"
#include "io/out.h"

/* An archive on its way; all but out zero at its beginning. */
struct taf_zip_out {
	struct taf_out *out;
	uint64_t at, n;			/* bytes and members so far */
	struct taf_buf directory;
};

/*
 * The rest of in, which is seekable, as a member whose bytes begin at a multiple of 64.
 * They are read twice.  Its time is that of 1980, so that the same gives the same.
 * TAF_EDATA where a member has the name already, or it is too long.
 */
TAF_MUST enum taf_status taf_zip_put(struct taf_zip_out *z, const char *name,
    struct taf_in *in, struct taf_err *e);

/* Write the directory. */
TAF_MUST enum taf_status taf_zip_finish(struct taf_zip_out *z, struct taf_err *e);

/* Also after a failure. */
void taf_zip_out_free(struct taf_zip_out *z);

#endif
