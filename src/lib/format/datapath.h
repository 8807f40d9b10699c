/* SPDX-License-Identifier: ISC */
/* Where Madagascar puts the binary of a header. */
#ifndef TAF_FORMAT_DATAPATH_H
#define TAF_FORMAT_DATAPATH_H

#include "base/attr.h"
#include "base/err.h"

enum { TAF_DATAPATH_MAX = 8192 };

/*
 * Name the binary of a header as a Madagascar program would (getdatapath and sf_output in
 * its api/c/file.c): prefix, then the header's name and '@' for a header in the working
 * folder, a name of its own that begins with program's elsewhere, as for a header ""
 * whose name cannot be seen.  prefix NULL: from .datapath, $DATAPATH, ~/.datapath or
 * "./".
 */
TAF_MUST enum taf_status taf_datapath(char data[TAF_DATAPATH_MAX], const char *header,
    const char *program, const char *prefix, struct taf_err *e);

#endif
