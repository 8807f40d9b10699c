/* Crashes in a library that decodes foreign files. */
#ifndef TAF_CLI_CRASH_H
#define TAF_CLI_CRASH_H

#include <stdbool.h>

/*
 * From here on a crash of the process is one of a library: of its want of memory, or,
 * where it decodes a file, of that file.  Temporary files are removed, one line of message
 * names the library, and the status is 4 or 3; where the library ends the process, it is
 * 4.  Of any other crash the process dies, and where library is NULL of all: then another
 * one tells.
 */
void cmd_guard(const char *library, bool decodes);

/*
 * Whoever ends the process now is not the library, and what stdio has for standard output
 * is the library's own: it goes.
 */
void cmd_guard_end(void);

/* Is this one of the signals of a crash? */
bool cmd_crashed(int sig);

#endif
