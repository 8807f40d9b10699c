/* SPDX-License-Identifier: ISC */
/* The arrays of .npz files: zip archives whose members are .npy files. */
#ifndef TAF_CODEC_NPZ_MEMBER_H
#define TAF_CODEC_NPZ_MEMBER_H

#include "base/attr.h"
#include "base/err.h"
#include "codec/ndarray.h"
#include "codec/zip.h"

/* The length of what the member is called as an array; 0 where it is none. */
size_t taf_npz_name_length(const struct taf_zip_member *m);

/* What has failed, it has in this member, if the text does not say so. */
enum taf_status taf_npz_in_member(const struct taf_zip_member *m, struct taf_err *e);

/*
 * Read its description.  Its elements are all that follows *header bytes of the member;
 * header may be NULL.
 */
TAF_MUST enum taf_status taf_npz_describe(const struct taf_zip *z,
    const struct taf_zip_member *m, struct taf_ndarray *nd, uint64_t *header,
    struct taf_err *e);

#endif
