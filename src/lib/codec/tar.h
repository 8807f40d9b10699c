/* SPDX-License-Identifier: ISC */
/*
 * Tar archives, by libarchive: ustar, pax and GNU; read as they are or packed by gzip,
 * bzip2 or xz, written as ustar, or pax where a name is too long for it.
 */
#ifndef TAF_CODEC_TAR_H
#define TAF_CODEC_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"
#include "io/out.h"

enum { TAF_TAR_SEEN = 512 };

/* By its first n bytes, of which TAF_TAR_SEEN are looked at: is it one, maybe packed? */
bool taf_tar_sniff(const unsigned char *p, size_t n);

struct taf_tar;

/* Read the archive that in, the caller's, gives. */
TAF_MUST enum taf_status taf_tar_open(struct taf_tar **tar, struct taf_in *in,
    struct taf_err *e);

/* What is not a regular file: a folder, or what names another member or a file. */
enum taf_tar_kind { TAF_TAR_FILE, TAF_TAR_FOLDER, TAF_TAR_LINK, TAF_TAR_OTHER };

/*
 * Go to the next member, past what was not read of the present one; TAF_END where there
 * is none.  *name is lent until the next call.
 */
TAF_MUST enum taf_status taf_tar_next(struct taf_tar *tar, const char **name,
    enum taf_tar_kind *kind, struct taf_err *e);

/* The bytes of the present member, which the caller closes before the next call. */
TAF_MUST enum taf_status taf_tar_member(struct taf_tar *tar, struct taf_in **member,
    struct taf_err *e);

/* NULL is allowed. */
void taf_tar_close(struct taf_tar *tar);

struct taf_tar_out;

/* Write an archive to out, the caller's; taf_tar_end ends it. */
TAF_MUST enum taf_status taf_tar_begin(struct taf_tar_out **tar, struct taf_out *out,
    struct taf_err *e);

/* A regular file of n bytes from in; its time is 0, so that the same gives the same. */
TAF_MUST enum taf_status taf_tar_put(struct taf_tar_out *tar, const char *name,
    struct taf_in *in, uint64_t n, struct taf_err *e);

/*
 * Write the end, if st is TAF_OK; free tar, which may be NULL if it is not.  Returns st,
 * or what has failed.
 */
TAF_MUST enum taf_status taf_tar_end(struct taf_tar_out *tar, enum taf_status st,
    struct taf_err *e);

#endif
