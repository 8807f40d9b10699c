/* Where Madagascar puts the binary of a header. */
#ifndef TAF_CLI_DATAPATH_H
#define TAF_CLI_DATAPATH_H

#include "cli/cmd.h"

/*
 * Set run->data as a Madagascar program would name the binary of what run writes
 * (getdatapath and sf_output in its api/c/file.c): prefix, then the header's name and
 * '@' for a header in the working folder, a name of its own elsewhere.  prefix NULL:
 * from .datapath, $DATAPATH, ~/.datapath or "./".  A pipe stays packed.
 */
void cmd_datapath(struct cmd_run *run, const char *prefix);

#endif
