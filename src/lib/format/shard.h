/* SPDX-License-Identifier: ISC */
/* Files of a row-major format that are members of a tar archive: WebDataset's shards. */
#ifndef TAF_FORMAT_SHARD_H
#define TAF_FORMAT_SHARD_H

#include <stdint.h>

#include "base/err.h"
#include "format/import.h"
#include "format/row_major.h"
#include "io/in.h"

struct taf_shard {
	struct taf_row_major format;	/* part_key is set, part is for the members */
	const char *glob;	/* of the last part of their names; NULL: *.ten */
	/* So many other members were passed over; may be NULL. */
	void (*passed)(void *ctx, const char *archive, uint64_t others);
	void *ctx;
};

/*
 * As taf_row_major_check and taf_row_major_import, ctx a struct taf_shard: an input that
 * is an archive gives the arrays of its members in turn, any other its own, where no glob
 * is given.  An archive without such a member is TAF_EDATA.  A link that has such a name
 * is remarked.
 */
TAF_MUST enum taf_status taf_shard_check(void *ctx, const struct taf_import *im,
    struct taf_in *in, struct taf_err *e);
TAF_MUST enum taf_status taf_shard_import(void *ctx, struct taf_import *im,
    struct taf_in **from, struct taf_err *e);

#endif
