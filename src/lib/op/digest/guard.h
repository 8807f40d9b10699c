/* SPDX-License-Identifier: ISC */
/* Files beside which a tree of digests lies are checked as they are read. */
#ifndef TAF_OP_DIGEST_GUARD_H
#define TAF_OP_DIGEST_GUARD_H

#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"

/*
 * For taf_reader_guard_by.  Where PATH.b3 is a tree of digests, each piece of the
 * elements is compared with it before it is used; TAF_EDATA where it differs, or where
 * the tree is of other data.  Elements that do not lie in one piece are all read before.
 */
TAF_MUST enum taf_status taf_guard(const struct taf_guarded *what, struct taf_err *e);

#endif
