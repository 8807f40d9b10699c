/* What a FilesDaf store holds, as a page for people and as JSON. */
#ifndef TAF_CLI_DAF_PAGE_H
#define TAF_CLI_DAF_PAGE_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "cli/cmd.h"
#include "codec/daf.h"

/*
 * Print all of a store.  A faulty property is shown as such and reported, and the others
 * follow; what is returned is a failure of the output alone.
 */
TAF_MUST enum taf_status cmd_daf_page(struct cmd_run *run, const struct taf_daf *s,
    bool entries, struct taf_err *e);

/*
 * Print one item, or the axis of that name; with entries those alone, one a line, where
 * the output is no JSON.
 */
TAF_MUST enum taf_status cmd_daf_page_item(struct cmd_run *run, const struct taf_daf *s,
    const char *item, bool entries, struct taf_err *e);

#endif
