/* -t, -r and --clip: elements as the command line wants them. */
#ifndef TAF_CLI_VALUES_H
#define TAF_CLI_VALUES_H

#include <stdbool.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "cli/cmd.h"
#include "stream/values.h"

/* Parse the type of -t or leave with status 2. */
enum taf_type cmd_type(struct cmd_run *run, const char *arg);

/* The same for -e: a type with be or le behind it; *big is whether it said be. */
enum taf_type cmd_from_type(struct cmd_run *run, const char *arg, bool *big);

/*
 * Move the elements as values of the type that goes out, as taf_values_open and
 * taf_values_copy do, with a remark on what was lost.
 */
TAF_MUST enum taf_status cmd_move_values(const struct cmd_move *m, bool raw, bool clip,
    struct taf_err *e);

#endif
