/* SPDX-License-Identifier: ISC */
/* What a run over slabs was asked for, as its folder of state keeps it. */
#ifndef TAF_SPREAD_PLAN_H
#define TAF_SPREAD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/names.h"
#include "spread/fields.h"

/* What tells a file from a changed one. */
struct taf_identity {
	uint64_t size, seconds, nanoseconds, inode;
	uint64_t digest;	/* of its first bytes */
};

/* As fields of a structure that has it as a member. */
#define TAF_IDENTITY_FIELDS(type, member)                                        \
	{ "size", TAF_FIELD_U64, offsetof(type, member.size) },                  \
	{ "seconds", TAF_FIELD_U64, offsetof(type, member.seconds) },            \
	{ "nanoseconds", TAF_FIELD_U64, offsetof(type, member.nanoseconds) },    \
	{ "inode", TAF_FIELD_U64, offsetof(type, member.inode) },                \
	{ "first", TAF_FIELD_U64, offsetof(type, member.digest) }
enum { TAF_IDENTITY = 5 };

/*
 * All strings are the plan's own.  Of --each a slab is a file: then there are files and
 * the directory for what they become, and neither input, output nor join.
 */
struct taf_plan {
	char *input, *output, *state;	/* absolute paths; state is the folder */
	char *directory;
	struct taf_names file;
	char *pipeline, *join;		/* join may be NULL */
	char *shell, *bin;		/* one that knows pipefail; where programs are */
	unsigned dim;			/* that slabs are cut along, from 1 */
	uint64_t points, slabs;		/* of it; no more slabs than points */
	struct taf_identity identity;	/* of the input */
	uint64_t digest;		/* of it, once it is kept */
	uint64_t made;			/* the folder was made, and goes with the run */
	uint64_t checksum;		/* of the output is asked for: tasks help */
};

/* Frees what it has, also of a zeroed one. */
void taf_plan_fini(struct taf_plan *p);

/* Points lo to hi of slab k, from 0; hi is not in it. */
void taf_plan_slab(const struct taf_plan *p, uint64_t k, uint64_t *lo, uint64_t *hi);

/* What a message calls slab k. */
struct taf_path taf_plan_name(const struct taf_plan *p, uint64_t k);

/* The name of what file k becomes, without ".taf". */
struct taf_path taf_plan_becomes(const struct taf_plan *p, uint64_t k);

/*
 * A file in the folder of state, and one of slab k there.  "data" is the result, until it
 * is whole.
 */
struct taf_path taf_plan_file(const struct taf_plan *p, const char *name);
struct taf_path taf_plan_path(const struct taf_plan *p, const char *folder, uint64_t k);

TAF_MUST enum taf_status taf_identity_of(const char *path, struct taf_identity *id,
    struct taf_err *e);

bool taf_identity_same(const struct taf_identity *a, const struct taf_identity *b);

/* TAF_EDATA: the input is no longer the one that the plan was made for. */
TAF_MUST enum taf_status taf_plan_changed(const struct taf_plan *p, struct taf_err *e);

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
