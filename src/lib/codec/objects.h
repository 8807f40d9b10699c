/* SPDX-License-Identifier: ISC */
/*
 * Objects of a store, by key: files of a folder, members of a zip archive, or what is
 * behind a URL.
 */
#ifndef TAF_CODEC_OBJECTS_H
#define TAF_CODEC_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "codec/zip.h"
#include "io/in.h"
#include "io/names.h"

struct taf_objects {
	char *path, *real;	/* as given; of a folder, without symbolic links */
	struct taf_in *in;	/* of an archive, else NULL; else path is a URL */
	struct taf_zip zip;
};

/*
 * A folder, a zip archive, or a URL of one of them: ".zip" ends that of an archive.
 * TAF_ESYS where nothing is there.
 */
TAF_MUST enum taf_status taf_objects_open(struct taf_objects *s, const char *path,
    struct taf_err *e);
void taf_objects_close(struct taf_objects *s);

/* TAF_EUSAGE where this can be no path of an array in a store. */
TAF_MUST enum taf_status taf_objects_path_check(const char *path, struct taf_err *e);

/*
 * Open an object of the store, seekable; TAF_END where there is none.  A member of an
 * archive is read into memory, and its check compared: TAF_EDATA where it has more than
 * most bytes.  With parts it is read where it lies, if it is not deflated.
 */
TAF_MUST enum taf_status taf_objects_get(const struct taf_objects *s, const char *key,
    uint64_t most, bool parts, struct taf_in **in, struct taf_err *e);

/*
 * The text of this name below a path, "" for the store; TAF_END where there is none.  If
 * state is not NULL, it tells its file from another one with the same text.
 */
TAF_MUST enum taf_status taf_objects_text(const struct taf_objects *s, const char *path,
    const char *name, struct taf_buf *to, uint64_t *state, struct taf_err *e);

/* The names below a path, in their order. */
TAF_MUST enum taf_status taf_objects_names(const struct taf_objects *s, const char *path,
    struct taf_names *names, struct taf_err *e);

#endif
