/* Comment text of the command line. */
#ifndef TAF_CLI_COMMENT_H
#define TAF_CLI_COMMENT_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

/*
 * Add the text of -C to the comment of a, as taf_comment_add does: arg itself, or for
 * @FILE what the file holds, without its last LF.  64 MiB at most.
 */
TAF_MUST enum taf_status cmd_comment(struct taf_array *a, const char *arg,
    struct taf_err *e);

#endif
