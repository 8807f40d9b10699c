/* SPDX-License-Identifier: ISC */
/* Arrays held against the digests of an earlier run. */
#ifndef TAF_TEXT_DIGEST_CHECK_H
#define TAF_TEXT_DIGEST_CHECK_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "op/digest/checksum.h"
#include "op/operand/arrays.h"
#include "stream/service.h"
#include "text/digests.h"

/* Zeroed but for the first members. */
struct taf_digest_check {
	const struct taf_service *service;
	struct taf_arrays like;		/* how files are read */
	struct taf_checksum_want want;
	bool data;			/* digests are of the data alone */
	struct taf_digests list;	/* its in is the caller's */
	struct taf_buf name;		/* of the file that is open */
	const char *file;
	struct taf_arrays all;
};

/*
 * Take the next line of the list.  *same says whether the array has that digest.  Append
 * to *to what is said of it, as "NAME: OK" and an LF; if the digest differs, and NAME.b3
 * is a tree of digests, which elements differ first.  TAF_END behind the last line.
 */
TAF_MUST enum taf_status taf_digest_check(struct taf_digest_check *c, bool *same,
    struct taf_str *to, struct taf_err *e);

void taf_digest_check_free(struct taf_digest_check *c);

#endif
