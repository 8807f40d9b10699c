/* A run over slabs, from its plan to the file that it makes. */
#ifndef TAF_CLI_SPREAD_H
#define TAF_CLI_SPREAD_H

#include "cli/cmd.h"
#include "spread/engine.h"
#include "spread/plan.h"

/* Have all slabs of a plan done, and put the output together. */
TAF_MUST enum taf_status cmd_spread(struct cmd_run *run, struct taf_plan *p,
    struct taf_engine *engine, struct taf_err *e);

/* The slabs of one task of an engine. */
TAF_MUST enum taf_status cmd_spread_task(struct cmd_run *run, const char *state,
    unsigned retries, struct taf_err *e);

/* Print how far the run is that a folder of state belongs to. */
TAF_MUST enum taf_status cmd_spread_status(struct cmd_run *run, const char *state,
    struct taf_err *e);

#endif
