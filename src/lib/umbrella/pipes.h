/* SPDX-License-Identifier: ISC */
/* Programs whose output another one reads. */
#ifndef TAF_UMBRELLA_PIPES_H
#define TAF_UMBRELLA_PIPES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/attr.h"
#include "base/err.h"

/* A program that writes into a pipe. */
struct cmd_source {
	const char *argv[5];
	pid_t pid;
	int r;			/* the pipe's end for reading, */
	char name[24];		/* and the name by which that can be opened */
};

/* Start a source by its argv.  Nothing else inherits its pipe. */
TAF_MUST enum taf_status cmd_source_start(struct cmd_source *s, struct taf_err *e);

/*
 * Run a program that reads n sources: the first as its standard input if only so, else
 * all by the descriptors that they have here.  Then wait for all.  Signals that end us
 * are passed on.
 *
 * *how is how the program has ended, as waitpid tells it; or a source, if that failed: it
 * is the cause then.  If one fails before it gives a byte, the program is not started,
 * and the source's message is the only one.  A source that a program which is content has
 * left is no failure.
 */
TAF_MUST enum taf_status cmd_sources_read(const char *const *argv, struct cmd_source *s,
    size_t n, bool input, int *how, struct taf_err *e);

/* Close the pipes of n sources that nobody will read, and wait for those started. */
void cmd_sources_leave(struct cmd_source *s, size_t n);

#endif
