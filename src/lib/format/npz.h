/* SPDX-License-Identifier: ISC */
/* NumPy's .npz: zip archives whose members are .npy files, one array each. */
#ifndef TAF_FORMAT_NPZ_H
#define TAF_FORMAT_NPZ_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "codec/zip.h"
#include "codec/zip_write.h"
#include "format/import.h"
#include "format/row_major.h"
#include "io/in.h"

/* The name of an array in its archive, without ".npy". */
#define TAF_NPZ_NAME_KEY "npy/name"

/* Files of numpy.save, or of numpy.savez, by their first bytes. */
struct taf_npz {
	struct taf_row_major format;	/* next is set by taf_npz_format */
	const char *name;		/* the one array that is wanted, or NULL */
};
void taf_npz_format(struct taf_npz *z);

/* For an input whose format is the struct taf_npz ctx: a look, and what makes arrays. */
TAF_MUST enum taf_status taf_npz_check(void *ctx, const struct taf_import *im,
    struct taf_in *in, struct taf_err *e);
TAF_MUST enum taf_status taf_npz_import(void *ctx, struct taf_import *im,
    struct taf_in **from, struct taf_err *e);

/* Append a line for each array of an archive: name, type and lengths, with tabs. */
TAF_MUST enum taf_status taf_npz_list(struct taf_in *in, struct taf_str *lines,
    struct taf_err *e);

#endif
