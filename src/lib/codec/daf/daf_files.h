/* SPDX-License-Identifier: ISC */
/*
 * The files and folders of a FilesDaf store, as those see them that write there, and how
 * the new files of an item take the place of the old ones.
 */
#ifndef TAF_CODEC_DAF_DAF_FILES_H
#define TAF_CODEC_DAF_DAF_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"
#include "codec/daf/daf_write.h"
#include "io/out.h"

/* A file of its own, whole or not there. */
TAF_MUST enum taf_status taf_daf_put_text(const char *path, const char *text, size_t n,
    struct taf_err *e);

/*
 * The folders of the store that are in a path below it, up to its last slash.  TAF_EDATA
 * where something else than a folder is in their place.
 */
TAF_MUST enum taf_status taf_daf_folder(const struct taf_daf *s, enum taf_daf_mode mode,
    const char *relative, struct taf_err *e);

/* The files of one item in all its layouts. */
struct taf_daf_files {
	const struct taf_daf *s;
	struct taf_daf_item it;		/* its strings are lent */
	/* its layouts from first on: 0 is its own, 1 that as the transpose */
	int first, layouts;
	char relative[TAF_DAF_PATH];	/* the last path, below the store */
	char *path;
	size_t room;			/* of path, for the longest that can be */
};

/* The store and the item are kept. */
TAF_MUST enum taf_status taf_daf_files_init(struct taf_daf_files *f,
    const struct taf_daf *s, const struct taf_daf_item *it, struct taf_err *e);

/* Also of a zeroed one. */
void taf_daf_files_fini(struct taf_daf_files *f);

/* The path of a file, which is f->path. */
char *taf_daf_files_path(struct taf_daf_files *f, bool transposed, const char *suffix);

/* The folder of a layout, which git may not have kept; it must be in the store. */
TAF_MUST enum taf_status taf_daf_files_folder(struct taf_daf_files *f,
    enum taf_daf_mode mode, bool transposed, struct taf_err *e);

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
