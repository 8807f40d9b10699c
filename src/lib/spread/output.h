/* SPDX-License-Identifier: ISC */
/* A result that is whole, and the place of the output. */
#ifndef TAF_SPREAD_OUTPUT_H
#define TAF_SPREAD_OUTPUT_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "kernel/digest/blake3.h"
#include "spread/plan.h"
#include "stream/service.h"
#include "stream/writer.h"

/* TAF_ESYS where another process has taken the run over: it may have ended it, too. */
TAF_MUST enum taf_status taf_output_ours(const struct taf_plan *p, struct taf_err *e);

/*
 * The file of data is whole: it becomes the output.  It is copied where it cannot be
 * renamed: onto another file system, or into what is no regular file.
 */
TAF_MUST enum taf_status taf_output_place(const struct taf_plan *p, struct taf_err *e);

/* A writer of the output, for what is not whole in one file. */
TAF_MUST enum taf_status taf_output_open(const struct taf_plan *p, struct taf_writer **w,
    struct taf_err *e);

/* What it has written appears if st is TAF_OK; w is freed. */
TAF_MUST enum taf_status taf_output_close(const struct taf_plan *p, struct taf_writer *w,
    enum taf_status st, struct taf_err *e);

/*
 * Has a run of this plan made the output, and was ended then?  What is kept of it is
 * removed, also where the output is no longer the one that it made: then *ended is false.
 */
TAF_MUST enum taf_status taf_output_ended(const struct taf_plan *p, bool *ended,
    struct taf_err *e);

/* The checksum of the output, which is there, as tafchecksum(1) has it. */
TAF_MUST enum taf_status taf_output_checksum(const struct taf_plan *p,
    const struct taf_service *service, struct taf_blake3_node *checksum,
    struct taf_err *e);

#endif
