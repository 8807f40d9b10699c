/* SPDX-License-Identifier: ISC */
/* Crashes in a library that decodes foreign files. */
#ifndef TAF_CLI_CRASH_H
#define TAF_CLI_CRASH_H

#include <stdbool.h>

/*
 * From here on a crash of the process is the library's.  Temporary files are removed, and
 * one line of message names the library.  The status is 3 where it decodes a file, which
 * is then damaged.  The status is 4 where the library lacks memory or ends the process.
 * Of any other crash the process dies.  Where library is NULL it dies of every crash, and
 * another process tells of it.
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
