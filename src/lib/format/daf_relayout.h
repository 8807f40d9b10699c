/* The other layout of a matrix of a FilesDaf store. */
#ifndef TAF_FORMAT_DAF_RELAYOUT_H
#define TAF_FORMAT_DAF_RELAYOUT_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"
#include "codec/daf/daf_seal.h"
#include "stream/service.h"

/*
 * Write the layout that a parsed matrix lacks: rows by columns, or columns by rows.  With
 * force, and both there, that which it does not name is written anew.  The layout that is
 * read is not changed.  TAF_EDATA where both are there, for an axis with itself, or where
 * the item is faulty: nothing is changed then.  Strings are held in memory.
 */
TAF_MUST enum taf_status taf_daf_relayout(const char *store, struct taf_daf_item *it,
    bool force, enum taf_daf_packing packing, const struct taf_service *service,
    struct taf_err *e);

#endif
