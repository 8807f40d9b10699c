/* What a run over slabs was asked for, as its folder of state keeps it. */
#ifndef TAF_SPREAD_PLAN_H
#define TAF_SPREAD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "io/names.h"

/* What tells a file from a changed one. */
struct taf_identity {
	uint64_t size, seconds, nanoseconds, inode;
	uint64_t digest;	/* of its first bytes */
};

/*
 * All strings are the plan's own.  Of --each a slab is a file: then there are files and
 * the directory for what they become, and neither input, output, data nor join.
 */
struct taf_plan {
	char *input, *output, *state;	/* absolute paths; state is the folder */
	char *data;			/* in state: the result, until it is whole */
	char *directory;
	struct taf_names file;
	char *pipeline, *join;		/* join may be NULL */
	char *shell, *bin;		/* one that knows pipefail; where programs are */
	unsigned dim;			/* that slabs are cut along, from 1 */
	uint64_t points, slabs;		/* of it; no more slabs than points */
	struct taf_identity identity;	/* of the input */
	uint64_t digest;		/* of it, once it is kept */
	uint64_t made;			/* the folder was made, and goes with the run */
};

/* Frees what it has, also of a zeroed one. */
void taf_plan_fini(struct taf_plan *p);

/* Points lo to hi of slab k, from 0; hi is not in it. */
void taf_plan_slab(const struct taf_plan *p, uint64_t k, uint64_t *lo, uint64_t *hi);

/* What a message calls slab k. */
TAF_MUST enum taf_status taf_plan_name(const struct taf_plan *p, uint64_t k,
    struct taf_buf *name, struct taf_err *e);

/* The name of what file k becomes, without ".taf": the caller frees it. */
TAF_MUST enum taf_status taf_plan_becomes(const struct taf_plan *p, uint64_t k,
    struct taf_buf *name, struct taf_err *e);

/* Set data to the name that it has in state. */
TAF_MUST enum taf_status taf_plan_data(struct taf_plan *p, struct taf_err *e);

/* Begin a record of this plan, spread/fields.h. */
void taf_plan_mark(const struct taf_plan *p, struct taf_str *s);

/* The record at path, for the caller to free: TAF_EDATA where it is of another plan. */
TAF_MUST enum taf_status taf_plan_record(const struct taf_plan *p, const char *path,
    struct taf_buf *r, struct taf_err *e);

/* A file in the folder of state: its path in room, emptied before. */
TAF_MUST enum taf_status taf_plan_path(const struct taf_plan *p, const char *part,
    uint64_t k, struct taf_buf *room, struct taf_err *e);

TAF_MUST enum taf_status taf_identity_of(const char *path, struct taf_identity *id,
    struct taf_err *e);

/* As fields of a record, spread/fields.h, and back. */
void taf_identity_put(struct taf_str *s, const struct taf_identity *id);
TAF_MUST enum taf_status taf_identity_get(const struct taf_buf *r,
    struct taf_identity *id, struct taf_err *e);

bool taf_identity_same(const struct taf_identity *a, const struct taf_identity *b);

/* TAF_EDATA if the input is no longer the one that the plan was made for. */
TAF_MUST enum taf_status taf_plan_unchanged(const struct taf_plan *p, struct taf_err *e);

/*
 * TAF_END if the folder of state keeps another plan now, or none: whoever asked for this
 * one has removed it.
 */
TAF_MUST enum taf_status taf_plan_current(const struct taf_plan *p, struct taf_err *e);

/*
 * Keep a plan in its folder, which is made where it is not there.  If that holds one
 * already, *again says so, and it must be the same: else TAF_EUSAGE with what differs.
 * TAF_EUSAGE also where others may write there, or where it has files and no plan.
 */
TAF_MUST enum taf_status taf_plan_keep(struct taf_plan *p, bool *again,
    struct taf_err *e);

/* The plan that folder state keeps, to look at; TAF_EDATA where there is none. */
TAF_MUST enum taf_status taf_plan_load(struct taf_plan *p, const char *state,
    struct taf_err *e);

/*
 * The same for who does what it says: TAF_EUSAGE where others may have put it there, or
 * where it has another digest than this text has; NULL: any.
 */
TAF_MUST enum taf_status taf_plan_obey(struct taf_plan *p, const char *state,
    const char *digest, struct taf_err *e);

#endif
