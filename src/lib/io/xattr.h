/* SPDX-License-Identifier: ISC */
/* What a file takes over from another: its rights, and its extended attributes. */
#ifndef TAF_IO_XATTR_H
#define TAF_IO_XATTR_H

#include <sys/types.h>

#include "base/attr.h"
#include "base/err.h"

/*
 * Give the file fd called to, which is the owner's alone, the rights of file from: owner
 * and group, access control list, mode.  Where the group cannot be kept, neither that
 * group nor all others may do what not both of them might.  The bits of the mode that a
 * write clears (setuid, setgid) are not set, but put into *special as far as they may be
 * kept, unless that is NULL.  TAF_ESYS where list or mode cannot be set.
 */
TAF_MUST enum taf_status taf_rights_copy(int fd, const char *to, const char *from,
    mode_t *special, struct taf_err *e);

/*
 * Give a file the extended attributes of another one.  TAF_ESYS where one of the user
 * cannot be kept; what else the system has there, security labels say, stays its affair.
 * Does nothing where the system was not known to have them.
 */
TAF_MUST enum taf_status taf_xattr_copy(const char *to, const char *from,
    struct taf_err *e);

#endif
