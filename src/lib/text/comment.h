/* SPDX-License-Identifier: ISC */
/* Comment text that a user gives. */
#ifndef TAF_TEXT_COMMENT_H
#define TAF_TEXT_COMMENT_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

/*
 * Add arg to the comment of a struct taf_array, as taf_comment_add does; where it is
 * @FILE, what the file holds, without its last LF. 64 MiB at most.
 */
TAF_MUST enum taf_status taf_comment_arg(void *to, const char *arg, struct taf_err *e);

#endif
