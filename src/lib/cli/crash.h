/* Crashes in a library that decodes foreign files. */
#ifndef TAF_CLI_CRASH_H
#define TAF_CLI_CRASH_H

#include <stdbool.h>

/*
 * From here on a crash of the process is a fault of its input: temporary files are
 * removed, one line of message names the library, and the status is 3.  Where library is
 * NULL, the process dies of the signal then, and another one tells.
 */
void cmd_guard(const char *library);

/* Is this one of the signals of a crash? */
bool cmd_crashed(int sig);

#endif
