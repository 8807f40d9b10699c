/* Tables of numbers in text to arrays. */
#ifndef TAF_CLI_TABLE_H
#define TAF_CLI_TABLE_H

#include "cli/cmd.h"
#include "codec/text.h"

/*
 * Write the table that in holds, its values of a type (not complex), as an array of im;
 * with grid the first column is the grid of dimension 1, with clip what does not fit is
 * stored as the nearest that does.  *notes says what to remark on.
 */
TAF_MUST enum taf_status cmd_table(struct cmd_import *im, struct taf_in *in,
    enum taf_type type, bool grid, bool clip, struct taf_text_notes *notes,
    struct taf_err *e);

#endif
