/* SPDX-License-Identifier: ISC */
/* Pipelines of the user, in a shell of their own. */
#ifndef TAF_SPREAD_SHELL_H
#define TAF_SPREAD_SHELL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

/*
 * Start a program by its path, or by its name in $PATH, with fds as its standard
 * descriptors, and nothing else open that is to be closed.  If it is apart, the signals
 * of a terminal do not reach it: its parent passes them on.  TAF_ESYS, where it is not
 * there too.
 */
TAF_MUST enum taf_status taf_shell_start(pid_t *pid, const char *const argv[],
    const int fds[3], bool apart, struct taf_err *e);

/*
 * A pipe between it and us.  A program has its ends open only as one of fds.  TAF_ESYS:
 * then there is none.
 */
TAF_MUST enum taf_status taf_shell_pipe(int ends[2], struct taf_err *e);

/*
 * What a program prints, as a string for the caller to free; nothing of what it says on
 * standard error.  TAF_ESYS, where it fails or prints more than a mebibyte, too.
 */
TAF_MUST enum taf_status taf_shell_read(const char *const argv[], struct taf_buf *text,
    struct taf_err *e);

/* Wait for its end, as waitpid tells it. */
TAF_MUST enum taf_status taf_shell_wait(pid_t pid, int *how, struct taf_err *e);

/*
 * The path of a shell that can tell of every failure in a pipe: the one that wanted
 * names (may be NULL), bash, or sh.  *shell is for the caller to free.
 */
TAF_MUST enum taf_status taf_shell_find(const char *wanted, char **shell,
    struct taf_err *e);

/*
 * Take the jobserver out of $MAKEFLAGS, before any thread is there.  Pipelines are no
 * jobs of the make that has started us: where that is killed, its FIFO stays, and a make
 * that opens it waits for ever.
 */
TAF_MUST enum taf_status taf_shell_leave_make(struct taf_err *e);

/* Append text as one word of a shell, within single quotes. */
void taf_shell_quote(struct taf_str *s, const char *text);

/*
 * How a pipeline has ended, what it has said being in the file err (-1: in none): TAF_OK,
 * TAF_EDATA where another try would end the same, TAF_ESYS where it may not.
 */
TAF_MUST enum taf_status taf_shell_verdict(int how, int err, struct taf_err *e);

#endif
