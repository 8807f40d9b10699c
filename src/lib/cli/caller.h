/* What a command does for work that starts processes. */
#ifndef TAF_CLI_CALLER_H
#define TAF_CLI_CALLER_H

#include "cli/cmd.h"
#include "spread/jobs.h"

/* The calls are about run, and last as long as it. */
struct taf_caller cmd_caller(struct cmd_run *run);

#endif
