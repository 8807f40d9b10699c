/* SPDX-License-Identifier: ISC */
/* Changes of a FilesDaf store: each is whole, or not there. */
#ifndef TAF_CODEC_DAF_DAF_WRITE_H
#define TAF_CODEC_DAF_DAF_WRITE_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"
#include "codec/daf/daf_pack.h"
#include "io/out.h"

/*
 * Make path a store of version [1,1]; its daf.json comes last.  A store that is there
 * already stays as it is; TAF_EDATA where the folder holds something else.
 */
TAF_MUST enum taf_status taf_daf_create(const char *path, struct taf_err *e);

/*
 * Is it free to be changed?  Waits for the lock on it, which ends with *fd, the caller's
 * to close.  TAF_EDATA where a reordering of its axes was interrupted.
 */
TAF_MUST enum taf_status taf_daf_lock(const struct taf_daf *s, int *fd,
    struct taf_err *e);

/*
 * Before a store is read: wait for a change of an item that is under way, and put back
 * the old files where one was interrupted; TAF_EDATA where that needs a right to write
 * that we do not have.  Cheap where there is none.
 */
TAF_MUST enum taf_status taf_daf_recover(const struct taf_daf *s, struct taf_err *e);

/* TAF_EUSAGE for names that readers keep for themselves or that some cannot hold. */
TAF_MUST enum taf_status taf_daf_new_name(const char *name, bool vector,
    struct taf_err *e);

/* To make what is missing, or only to look whether that will be possible. */
enum taf_daf_mode { TAF_DAF_LOOK, TAF_DAF_MAKE };

/* All folders that an axis needs.  TAF_EDATA where something is in its way. */
TAF_MUST enum taf_status taf_daf_prepare_axis(const struct taf_daf *s,
    enum taf_daf_mode mode, const char *axis, struct taf_err *e);

/* Add an axis, with the folders of all its vectors and matrices. */
TAF_MUST enum taf_status taf_daf_add_axis(const struct taf_daf *s, const char *axis,
    const struct taf_daf_strings *entries, struct taf_err *e);

/* The files of one item, until they take the place of the old ones, if any, together. */
struct taf_daf_put;

struct taf_daf_put_how {
	bool force;		/* the item may be there, in either layout */
	bool other;		/* the layout that is not its own, and that alone */
	enum taf_daf_packing packing;
};

/*
 * TAF_EDATA where the item is there, unless force, where something else than its files
 * is in their place, or where it is to be packed, which version [1,0] does not have.
 * Where p is NULL it is only looked whether that will be so.
 */
TAF_MUST enum taf_status taf_daf_put_begin(struct taf_daf_put **p,
    const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_put_how *how, struct taf_err *e);

/*
 * A new payload of the layout that transposed says, for its bytes in their order: packed
 * where it is to be, and *part, of its descriptor, says how.
 */
struct taf_daf_body;
TAF_MUST enum taf_status taf_daf_body_new(struct taf_daf_body **b, struct taf_daf_put *p,
    bool transposed, const char *suffix, const struct taf_daf_payload *payload,
    struct taf_daf_part *part, struct taf_err *e);
TAF_MUST enum taf_status taf_daf_body_write(struct taf_daf_body *b, const void *p,
    size_t n, struct taf_err *e);

/* The same of strings, one by one: UTF-8 without NUL. */
TAF_MUST enum taf_status taf_daf_body_string(struct taf_daf_body *b, const char *p,
    size_t n, struct taf_err *e);

/* All of it was given, unless st is a failure, which is returned.  Frees b. */
TAF_MUST enum taf_status taf_daf_body_end(struct taf_daf_body *b, enum taf_status st,
    struct taf_err *e);

/* Where the bytes may go without taf_daf_body_write; NULL where they are packed. */
struct taf_out *taf_daf_body_out(const struct taf_daf_body *b);

/* A new file of the layout that transposed says; *out is lent. */
TAF_MUST enum taf_status taf_daf_put_file(struct taf_daf_put *p, bool transposed,
    const char *suffix, struct taf_out **out, struct taf_err *e);

/* Its descriptor in one layout; a scalar's is its value. */
TAF_MUST enum taf_status taf_daf_put_descriptor(struct taf_daf_put *p, bool transposed,
    const struct taf_daf_descriptor *d, struct taf_err *e);
TAF_MUST enum taf_status taf_daf_put_scalar(struct taf_daf_put *p,
    const struct taf_daf_scalar *s, struct taf_err *e);

/*
 * All files of a dense item of strings in one layout, which t has column after column:
 * its own, or the other one where that is to be written alone.
 */
TAF_MUST enum taf_status taf_daf_put_strings(struct taf_daf_put *p,
    const struct taf_daf_strings *t, struct taf_err *e);

/*
 * All files of a sparse vector or matrix in all its layouts, indices being of a type.
 * Stores of version [1,0] get no stored false, and m loses them: their readers do not
 * agree on them.
 */
TAF_MUST enum taf_status taf_daf_put_sparse(struct taf_daf_put *p,
    struct taf_daf_sparse *m, unsigned index, struct taf_err *e);

/*
 * All is written: the new files take the place of the old ones, together.  Before that,
 * what others may have noted about the store as a whole is removed.  Frees p.
 */
TAF_MUST enum taf_status taf_daf_put_commit(struct taf_daf_put *p, struct taf_err *e);

/* NULL is allowed. */
void taf_daf_put_discard(struct taf_daf_put *p);

#endif
