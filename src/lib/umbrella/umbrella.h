/* SPDX-License-Identifier: ISC */
/* The command that runs the others. */
#ifndef TAF_UMBRELLA_H
#define TAF_UMBRELLA_H

#include "cli/cmd.h"

/*
 * The program argv[0] of taftools replaces this one: the program in the folder of
 * self, or in $PATH.  Returns, with TAF_ESYS, only where it cannot.
 */
enum taf_status cmd_become(const char *self, const char **argv, struct taf_err *e);

/* The path of that program, for free(); NULL: memory. */
char *cmd_locate(const char *self, const char *name);

/*
 * The same for a command of n words and these flags of its struct cmd, whose operands
 * may be foreign files.  Where some are, it returns when the command has ended, with its
 * exit status in run; or this process dies of the signal that the command has died of.
 */
TAF_MUST enum taf_status cmd_umbrella(struct cmd_run *run, const char *self,
    const char **argv, int n, unsigned flags, struct taf_err *e);

#endif
