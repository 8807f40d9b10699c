/* Which words of another command's line are its operands. */
#ifndef TAF_UMBRELLA_OPERANDS_H
#define TAF_UMBRELLA_OPERANDS_H

#include <stdbool.h>

struct cmd_operands {
	bool in_place, quiet;	/* -i and -q are among the words */
	int n;			/* operands */
};

/*
 * Find them among n words by what the command's -h prints; operand[k] says of each word
 * whether it is one.
 */
struct cmd_operands cmd_operands(const char *help, const char *const *words, int n,
    bool *operand);

#endif
