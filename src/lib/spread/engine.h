/* SPDX-License-Identifier: ISC */
/* Who runs the slabs of a plan: this process and its children, GNU parallel, or Slurm. */
#ifndef TAF_SPREAD_ENGINE_H
#define TAF_SPREAD_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "spread/plan.h"
#include "stream/service.h"

enum taf_engine_kind { TAF_ENGINE_LOCAL, TAF_ENGINE_PARALLEL, TAF_ENGINE_SLURM };

struct taf_engine {
	enum taf_engine_kind kind;
	unsigned jobs;			/* at once; 0: as the engine has it */
	unsigned retries;
	const char *const *host;	/* of parallel, N/NAME each */
	size_t nhosts;
	const char *ssh;		/* its way there, or NULL */
	const char *options;		/* further ones of sbatch, or NULL */
	const volatile sig_atomic_t *stop;	/* a signal that has come, or 0 */
};

/* By its name, local, parallel, slurm or slurm:OPTIONS; false if it is none. */
TAF_MUST bool taf_engine_named(const char *name, struct taf_engine *engine);

/* Numbers of slabs, from 0. */
struct taf_slabs {
	uint64_t *k;
	size_t n;
};

/* Those that are not done yet, which the caller frees. */
TAF_MUST enum taf_status taf_engine_due(const struct taf_plan *p, struct taf_slabs *due,
    struct taf_err *e);

/*
 * Do slab k, with so many tries more where the system fails.  What cannot be done is kept
 * for taf_engine_failure.  TAF_END, and nothing is done, where one has failed for good.
 */
TAF_MUST enum taf_status taf_engine_try(const struct taf_plan *p, uint64_t k,
    unsigned retries, struct taf_err *e);

/* Forget the failures of a run before. */
TAF_MUST enum taf_status taf_engine_begin(const struct taf_plan *p,
    const struct taf_slabs *due, struct taf_err *e);

/*
 * TAF_OK where nothing has failed, else the failure, with number and range of the slab:
 * of files that of file k.
 */
TAF_MUST enum taf_status taf_engine_failure(const struct taf_plan *p, uint64_t k,
    struct taf_err *e);

/*
 * Have the slabs that are due done by GNU parallel or Slurm, to their end.  The engine is
 * told to run "tafspread --task" of plan->bin.  TAF_ESYS where it is not there, or has
 * failed itself.  Where a signal stops it, what it has begun is taken back.
 */
TAF_MUST enum taf_status taf_engine_run(const struct taf_plan *p,
    const struct taf_engine *engine, const struct taf_slabs *due,
    const struct taf_service *service, struct taf_err *e);

/* Slabs; those count as running, too, whose task was killed in this run. */
struct taf_counts {
	uint64_t done, running, failed;
};

/* How far a run is: this reads folders, and of files their records. */
TAF_MUST enum taf_status taf_engine_count(const struct taf_plan *p, struct taf_counts *n,
    struct taf_err *e);

#endif
