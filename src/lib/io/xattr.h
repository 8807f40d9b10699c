/* What a file has besides its mode: extended attributes, an access control list. */
#ifndef TAF_IO_XATTR_H
#define TAF_IO_XATTR_H

#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Give file to those of file from, before its mode: the bits for the group are the mask
 * of a list, and without the list they would be rights.  TAF_ESYS where the list or an
 * attribute of the user cannot be kept; what else the system has there, security labels
 * say, stays its affair.  Does nothing where the system was not known to have them.
 */
TAF_MUST enum taf_status taf_xattr_copy(const char *to, const char *from,
    struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
