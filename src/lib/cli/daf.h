/* Items of FilesDaf stores, for the commands that read and write them. */
#ifndef TAF_CLI_DAF_H
#define TAF_CLI_DAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "cli/cmd.h"
#include "codec/daf.h"

/* The elements of an item that was found, zeros of a sparse one included. */
struct cmd_daf_values;

/* Not of strings, nor of chunks that cannot be decoded: TAF_EDATA. */
TAF_MUST enum taf_status cmd_daf_open(struct cmd_daf_values **v, const struct cmd_run *run,
    const struct taf_daf *s, const struct taf_daf_item *it, struct taf_err *e);

/* The next n elements, host byte order, column after column. */
TAF_MUST enum taf_status cmd_daf_read(struct cmd_daf_values *v, void *to, size_t n,
    struct taf_err *e);

/* NULL is allowed. */
void cmd_daf_close(struct cmd_daf_values *v);

/* The stored entries of a sparse item, as a matrix of its rows and columns. */
TAF_MUST enum taf_status cmd_daf_sparse(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_daf_sparse *m, struct taf_err *e);

#endif
