/* TAF files beside the files that they are made from, named after them. */
#ifndef TAF_CLI_BESIDE_H
#define TAF_CLI_BESIDE_H

#include "base/buf.h"
#include "cli/cmd.h"

/* The names of what all operands become, which processes started later share. */
struct cmd_beside;

/*
 * Plan for the operands of run: each is named without its extension, in directory if
 * that is not NULL.
 */
TAF_MUST enum taf_status cmd_beside_plan(struct cmd_beside **b, const struct cmd_run *run,
    const char *directory, struct taf_err *e);

/* NULL is allowed. */
void cmd_beside_free(struct cmd_beside *b);

/*
 * Open a writer for the n arrays of an operand: to NAME.taf, or NAME-1.taf, NAME-2.taf
 * and so on, of ten or more NAME-01.taf.  What is there already is refused unless run->force, and so is an operand
 * always, and what an operand in front of this one is written to, which is waited for.
 * path is room for the name: the caller frees it after the writer.
 */
TAF_MUST enum taf_status cmd_beside_open(struct cmd_beside *b, size_t number, uint64_t n,
    struct taf_buf *path, struct taf_writer **w, struct taf_err *e);

/* The operand is over, so that nobody waits for it. */
void cmd_beside_over(struct cmd_beside *b, size_t number);

#endif
