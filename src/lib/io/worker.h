/* SPDX-License-Identifier: ISC */
/* Processes that end with ours, and one for work that may crash. */
#ifndef TAF_IO_WORKER_H
#define TAF_IO_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/attr.h"
#include "base/err.h"

/*
 * As fork, but the new process gets the signal sig when this one ends, where the system
 * can do that.  This process has one thread: after a fork among threads a child may do
 * hardly anything.
 */
TAF_MUST pid_t taf_fork_tied(int sig);

/* Is this one of the signals of a crash? */
bool taf_is_crash(int sig);

/*
 * A crash removes temporary files and then calls act, unless that is NULL, which hears
 * whether the system had no memory at that time.  If act returns the process dies of it.
 */
void taf_crash_listen(void (*act)(bool memory));

/* How a worker has ended. */
struct taf_will {
	int status;		/* as it has said, -1: of a crash */
	char file[TAF_ERR_NAME];	/* the last that taf_worker_at was told of */
	volatile bool crashed, memory;	/* it noticed it; and that there was no memory */
};

/*
 * Go on in a new process, with *ended NULL.  This one waits, hands on signals that end
 * commands, and returns with *ended when the new one has ended.  It dies of a signal that
 * the new one has died of, unless that is a crash (taf_crash_listen).  It has removed the
 * temporary files that the new one has left then.
 */
TAF_MUST enum taf_status taf_worker(const struct taf_will **ended, struct taf_err *e);

/* The worker, if this is one, begins with this file. */
void taf_worker_at(const char *file);

#endif
