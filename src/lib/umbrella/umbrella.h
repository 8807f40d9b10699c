/* The command that runs the others. */
#ifndef TAF_UMBRELLA_H
#define TAF_UMBRELLA_H

#include "cli/cmd.h"

/* What another command does with an operand in a foreign format. */
enum cmd_foreign {
	CMD_FOREIGN_CONVERT,	/* reads it through its converter */
	CMD_FOREIGN_WORD,	/* too, but its first operand is no file */
	CMD_FOREIGN_FILE,	/* refuses: it needs a TAF file */
	CMD_FOREIGN_OWN		/* reads it itself */
};

/*
 * The program argv[0] of taftools takes the place of this one: the one in the folder of
 * self, or in $PATH.  Returns, with TAF_ESYS, only where it cannot.
 */
enum taf_status cmd_become(const char *self, const char **argv, struct taf_err *e);

/*
 * The same for a command of n words, whose operands may be foreign files.  Where some
 * are, it returns when the command has ended, with its exit status in run; or this
 * process dies of the signal that the command has died of.
 */
TAF_MUST enum taf_status cmd_umbrella(struct cmd_run *run, const char *self,
    const char **argv, int n, enum cmd_foreign foreign, struct taf_err *e);

#endif
