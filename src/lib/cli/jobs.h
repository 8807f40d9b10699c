/* Pieces of work in processes of their own, several at a time. */
#ifndef TAF_CLI_JOBS_H
#define TAF_CLI_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "cli/cmd.h"

enum { CMD_JOB_COUNTS = 8 };

/* How a piece ended. */
struct cmd_job {
	size_t number;			/* from 0 */
	enum taf_status status;
	uint64_t count[CMD_JOB_COUNTS];	/* what the work wants to have said of it */
	struct taf_err err;
};

/*
 * Do n pieces, as many as -J says at a time: work is called for each in a process of its
 * own and fills in status, counts and err, then done in this one, in the order in which
 * they end.  A process that dies is a failure of its piece.  While none ends, done is
 * called each second with NULL.
 */
TAF_MUST enum taf_status cmd_jobs(struct cmd_run *run, size_t n,
    void (*work)(struct cmd_run *run, void *ctx, struct cmd_job *job),
    void (*done)(struct cmd_run *run, void *ctx, struct cmd_job *job),
    void *ctx, struct taf_err *e);

#endif
