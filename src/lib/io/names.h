/* SPDX-License-Identifier: ISC */
/* The names in a directory. */
#ifndef TAF_IO_NAMES_H
#define TAF_IO_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

/* Zero-initialised is empty. */
struct taf_names {
	char **name;
	size_t n;
};

/*
 * Names in directory path that end in suffix, without the suffix, ordered by their bytes;
 * "." and ".." are left out, all other dot files are not.  TAF_END, and no names, where
 * there is no such directory.
 */
TAF_MUST enum taf_status taf_names_read(struct taf_names *names, const char *path,
    const char *suffix, struct taf_err *e);

/* Add a copy of a name at the end, whatever the order; the first n bytes of one. */
TAF_MUST enum taf_status taf_names_add(struct taf_names *names, const char *name,
    struct taf_err *e);
TAF_MUST enum taf_status taf_names_add_part(struct taf_names *names, const char *name,
    size_t n, struct taf_err *e);

/* Order them by their bytes. */
void taf_names_sort(struct taf_names *names);

/* Is name among them, whatever the order?  The same where they are ordered. */
bool taf_names_among(const struct taf_names *names, const char *name);
bool taf_names_has(const struct taf_names *names, const char *name);

/* Free the names; there are none then. */
void taf_names_free(struct taf_names *names);

#endif
