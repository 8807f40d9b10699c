/* SPDX-License-Identifier: ISC */
/* The formats that are known: their first bytes, their names, and what reads them. */
#ifndef TAF_CODEC_TAF_FOREIGN_H
#define TAF_CODEC_TAF_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "io/in.h"

struct taf_foreign {
	const char *name;	/* a noun with its article: "a Rigol capture" */
	const char *command;	/* that makes arrays of it, or NULL */
	const char *kind;	/* what tafconvert calls it; NULL: it does not read it */
	const char *capture;	/* the command for those of its files that are captures */
};

/* The formats that first bytes do not tell: a look at more of the content does. */
enum taf_look { TAF_LOOK_HEADER, TAF_LOOK_DIG, TAF_LOOK_ISF, TAF_LOOK_TABLE, TAF_LOOKS };
typedef bool taf_foreign_look(const unsigned char *p, size_t n);

/* The code of samples of SEG-Y ends here. */
enum { TAF_FOREIGN_SEEN = 3226, TAF_FOREIGN_TEXT = 96 };

/*
 * The format of an input whose first n bytes are p; NULL if they say nothing.
 * TAF_FOREIGN_SEEN bytes are enough where looks is NULL: then the formats that need a
 * look are passed over.  Else it has TAF_LOOKS functions.
 */
const struct taf_foreign *taf_foreign(const unsigned char *p, size_t n,
    taf_foreign_look *const *looks);

/* The same of a folder: a Zarr store, or NULL. */
const struct taf_foreign *taf_foreign_folder(const char *path);

/*
 * The same of a file that its name alone tells, and that begins so: traces of SU, or
 * NULL.  A header of SU has zeros, and one of SEG-Y, TAF or RSF is text.
 */
const struct taf_foreign *taf_foreign_named(const char *name, const unsigned char *p,
    size_t n);

/* TAF_EDATA: what in is at is not wanted, but something else. */
TAF_MUST enum taf_status taf_foreign_here(struct taf_in *in, const char *wanted,
    struct taf_err *e);

/*
 * The format as words, "a LeCroy trace (use lecroy2taf)"; false where nothing is known.
 */
bool taf_foreign_text(const unsigned char *p, size_t n, char text[TAF_FOREIGN_TEXT]);

/* The command that writes files whose names end so; NULL where none is known. */
const char *taf_foreign_writer(const char *name);

#endif
