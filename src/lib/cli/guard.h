/* Crashes in a library that decodes foreign files. */
#ifndef TAF_CLI_GUARD_H
#define TAF_CLI_GUARD_H

/*
 * From here on a crash of the process is a fault of its input: temporary files are removed,
 * one line of message names the library, and the status is 3.
 */
void cmd_guard(const char *library);

#endif
