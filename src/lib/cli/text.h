/* Text that several commands print. */
#ifndef TAF_CLI_TEXT_H
#define TAF_CLI_TEXT_H

#include <stddef.h>

#include "base/str.h"

/* Append the lines of a text, each behind "# ", or "#" where it is empty. */
void cmd_put_lines(struct taf_str *s, const char *text, size_t n);

/* Append the time, UTC, or that of SOURCE_DATE_EPOCH: 2001-09-09T01:46:40Z. */
void cmd_put_time(struct taf_str *s);

#endif
