/* SPDX-License-Identifier: ISC */
/* Pieces of work in processes of their own, several at a time. */
#ifndef TAF_SPREAD_JOBS_H
#define TAF_SPREAD_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/attr.h"
#include "base/err.h"
#include "stream/service.h"

/* What the program does for those who start processes; ctx is passed to each call. */
struct taf_caller {
	const struct taf_service *service;
	void *ctx;
	/* In a new process: call work, tell the remarks, and end the process. */
	void (*child)(void *ctx, enum taf_status (*work)(void *arg), void *arg);
	/* Remarks wait until a piece is done: they are told if done, else dropped. */
	void (*tell)(void *ctx, bool done);
	/* Report a failure, clear it, and go on: the worst is the program's status. */
	void (*report)(void *ctx, struct taf_err *e);
	/* Words for -v. */
	void (*say)(void *ctx, const char *text);
	/* Is it time to show how far the work is (-p)?  Then text does. */
	bool (*due)(void *ctx);
	void (*show)(void *ctx, const char *text);
};

/*
 * Start a process that calls work(arg), and return its id, or less than 0 for a failure.
 * taf_fork_tied says what sig is, and what it takes.
 */
TAF_MUST pid_t taf_fork(const struct taf_caller *caller, int sig,
    enum taf_status (*work)(void *arg), void *arg, struct taf_err *e);

enum { TAF_JOB_COUNTS = 8 };

/* How a piece ended. */
struct taf_job {
	size_t number;			/* from 0 */
	enum taf_status status;
	uint64_t count[TAF_JOB_COUNTS];	/* what the work wants to have said of it */
	struct taf_err err;
};

typedef void taf_job_call(void *ctx, struct taf_job *job);

/*
 * Do n pieces, as many at a time as the service has threads.  work is called for each in
 * a process of its own and fills in status, counts and err.  Then done is called in this
 * process, in the order in which the pieces end.  A process that dies is a failure of its
 * piece.  While none ends, done is called each second with NULL.
 */
TAF_MUST enum taf_status taf_jobs(const struct taf_caller *caller, size_t n,
    taf_job_call *work, taf_job_call *done, void *ctx, struct taf_err *e);

#endif
