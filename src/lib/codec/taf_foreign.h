/* What an input is that is neither TAF nor RSF, by its first bytes: for messages. */
#ifndef TAF_CODEC_TAF_FOREIGN_H
#define TAF_CODEC_TAF_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "io/in.h"

struct taf_foreign {
	const char *name;	/* a noun with its article: "a Rigol capture" */
	const char *command;	/* that reads it, or NULL */
};

enum { TAF_FOREIGN_SEEN = 512, TAF_FOREIGN_TEXT = 96 };

/*
 * From the first n bytes, of which TAF_FOREIGN_SEEN are
 * looked at; NULL: they say nothing.
 */
const struct taf_foreign *taf_foreign(const unsigned char *p, size_t n);

/* TAF_EDATA: what in is at is not wanted, but something else. */
TAF_MUST enum taf_status taf_foreign_here(struct taf_in *in, const char *wanted,
    struct taf_err *e);

/* The same as words, "a LeCroy trace (use lecroy2taf)"; false where they say nothing. */
bool taf_foreign_text(const unsigned char *p, size_t n, char text[TAF_FOREIGN_TEXT]);

#endif
