/* Tables of numbers in text to arrays. */
#ifndef TAF_CLI_TABLE_H
#define TAF_CLI_TABLE_H

#include "cli/cmd.h"
#include "codec/text.h"

/* Write the table that in holds as an array of im.  *notes says what to remark on. */
TAF_MUST enum taf_status cmd_table(struct cmd_import *im, struct taf_in *in,
    const struct taf_text_how *how, struct taf_text_notes *notes, struct taf_err *e);

#endif
