/* How the new files of an item of a FilesDaf store take the place of the old ones. */
#ifndef TAF_CODEC_DAF_DAF_EXCHANGE_H
#define TAF_CODEC_DAF_DAF_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf_files.h"
#include "io/out.h"

/* A new file, which is written and not there yet. */
struct taf_daf_new {
	struct taf_out *out;	/* NULL when it was committed */
	bool descriptor;
};

/*
 * The store is locked.  The old files go aside, descriptors first.  Then the new ones
 * come, descriptors last.  If that fails, the old ones come back.
 */
TAF_MUST enum taf_status taf_daf_exchange(struct taf_daf_files *f,
    struct taf_daf_new *file, size_t n, struct taf_err *e);

/*
 * The same for one layout, the only one from f->first on.  Nothing is put aside, as
 * the other layout says all: interrupted, there may be files without a descriptor.
 */
TAF_MUST enum taf_status taf_daf_replace_layout(struct taf_daf_files *f,
    struct taf_daf_new *file, size_t n, struct taf_err *e);

/* Do files lie aside that are to be put back? */
TAF_MUST enum taf_status taf_daf_interrupted(const struct taf_daf *s, bool *yes,
    struct taf_err *e);

/* The store is locked.  Put back the files that lie aside, if there are some. */
TAF_MUST enum taf_status taf_daf_put_back(const struct taf_daf *s, struct taf_err *e);

#endif
