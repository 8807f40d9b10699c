/* What the files of this layer share. */
#ifndef TAF_CLI_PRIVATE_H
#define TAF_CLI_PRIVATE_H

#include "cli/cmd.h"

/* The program's name for a signal handler. */
const char *cmd_private_name(void);
void cmd_private_set_name(const char *name);

/* "prog: file: text" on standard error, one line, without control bytes. */
void cmd_private_message(struct cmd_run *run, const char *file, const char *text);

/* The line that a program adds to the history of a stream; stays NULL for none. */
TAF_MUST enum taf_status cmd_private_history(char **line, const char *name, int argc,
    char **argv, struct taf_err *e);

/* End a progress display that is still on its line. */
void cmd_private_end(void);

#endif
