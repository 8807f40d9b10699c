/* Text that commands print: numbers, times, lines. */
#ifndef TAF_CLI_TEXT_H
#define TAF_CLI_TEXT_H

#include <stddef.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"

/* Append the shortest decimal that reads back exactly. */
TAF_MUST enum taf_status cmd_put_f64(struct taf_buf *b, double v, struct taf_err *e);

/* Append s with control bytes escaped, for people to read. */
TAF_MUST enum taf_status cmd_put_quoted(struct taf_buf *b, const char *s, size_t n,
    struct taf_err *e);

/* Append the lines of a text, each behind "# ", or "#" where it is empty. */
TAF_MUST enum taf_status cmd_put_lines(struct taf_buf *b, const char *s, size_t n,
    struct taf_err *e);

/* Append the time, UTC, or that of SOURCE_DATE_EPOCH: 2001-09-09T01:46:40Z. */
TAF_MUST enum taf_status cmd_put_time(struct taf_buf *b, struct taf_err *e);

#endif
