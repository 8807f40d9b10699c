/* SPDX-License-Identifier: ISC */
/* Arrays of another format as files of a tar archive, their lengths not known before. */
#ifndef TAF_FORMAT_MEMBERS_H
#define TAF_FORMAT_MEMBERS_H

#include "base/buf.h"
#include "base/err.h"
#include "codec/tar.h"
#include "io/out.h"
#include "io/spool.h"

struct taf_members {
	const char *pattern;	/* of names for those without one; from 0 */
	struct taf_spool spool;	/* the present file: arrays are written to spool.out */
	struct taf_buf name;	/* what it is called */
	bool named;		/* by the array */
	unsigned long made;	/* names so far */
	struct taf_tar_out *tar;	/* NULL before the first */
};

/*
 * An array comes, to be written to m->spool.out: to the present file if both are called
 * name, else to a new one, and the present one goes to the archive, which goes to out.
 * name may be NULL.
 */
TAF_MUST enum taf_status taf_members_next(struct taf_members *m, struct taf_out *out,
    const char *name, struct taf_err *e);

/* The last array is written: end the archive. */
TAF_MUST enum taf_status taf_members_end(struct taf_members *m, struct taf_out *out,
    struct taf_err *e);

/* Also after a failure. */
void taf_members_free(struct taf_members *m);

#endif
