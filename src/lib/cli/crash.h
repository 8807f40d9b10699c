/* SPDX-License-Identifier: ISC */
/* Crashes in a library that decodes foreign files. */
#ifndef TAF_CLI_CRASH_H
#define TAF_CLI_CRASH_H

#include "cli/cmd.h"

/*
 * From here on a crash is the library's.  Where it decodes files, that is the end of a
 * worker, which cmd_decode starts.  The status is 4 where the library lacks memory or
 * ends the process.  Of any other crash it dies, of every one if library is NULL.
 */
void cmd_guard(const char *library, bool decodes);

/*
 * What is fetched from here on belongs to the operands, whatever a decoder asks for.  It
 * is said before the first one is opened.
 */
TAF_MUST enum taf_status cmd_bound(struct cmd_run *run, struct taf_err *e);

/*
 * From here on a file is decoded; the n more ones are still to be opened.  Rights that
 * are not needed for that are given up.
 * A library that decodes (cmd_guard) is left to a worker: if it crashes, this process, in
 * which the call does not return, removes temporary files and ends with a line that names
 * the file, and status 3.  TAF_ESYS where no process can be started.
 */
TAF_MUST enum taf_status cmd_decode(void *run, const char *file, const char *const *more,
    int n, struct taf_err *e);

/*
 * Whoever ends the process now is not the library, and what stdio has for standard output
 * is the library's own: it goes.
 */
void cmd_guard_end(void);

#endif
