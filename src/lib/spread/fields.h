/* SPDX-License-Identifier: ISC */
/* Small files of fields, which appear whole, and once, on shared file systems too. */
#ifndef TAF_SPREAD_FIELDS_H
#define TAF_SPREAD_FIELDS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

/* A path, or a name for a message.  One that was cut is too long to be opened. */
struct taf_path {
	char s[PATH_MAX + 1];
};
struct taf_path taf_path(const char *fmt, ...) TAF_PRINTF(1, 2);

/* What a member of a structure is: char * (NULL: empty), struct taf_buf, or a number. */
enum taf_field_kind {
	TAF_FIELD_TEXT,
	TAF_FIELD_BYTES,
	TAF_FIELD_U64,
	TAF_FIELD_UNSIGNED
};

/* A member, as a field of a record.  Each name occurs once. */
struct taf_field {
	const char *name;
	enum taf_field_kind kind;
	size_t at;	/* its offset */
};

/* Append n fields of the structure from. */
void taf_fields_put(struct taf_str *s, const struct taf_field *f, size_t n,
    const void *from);

/*
 * Set n members of the structure to, which was zeroed before, from the fields of r.  It
 * owns its texts and bytes also where this fails.  TAF_EDATA where a field is not there.
 */
TAF_MUST enum taf_status taf_fields_get(const struct taf_buf *r,
    const struct taf_field *f, size_t n, void *to, struct taf_err *e);

/*
 * Make file path of the fields in s, and empty s.  Of several that do it at once the
 * first wins; TAF_END for the others.  A file that is not whole, or damaged, counts as
 * none.
 */
TAF_MUST enum taf_status taf_fields_make(const char *path, struct taf_str *s,
    struct taf_err *e);

/*
 * The fields of file path, for the caller to free; TAF_END where none is whole, TAF_EDATA
 * where it is damaged.  Waits for one that is there in part.
 */
TAF_MUST enum taf_status taf_fields_read(const char *path, struct taf_buf *r,
    struct taf_err *e);

/*
 * The same four in two: a file of n fields.  If plan is not NULL, its digest is the first
 * field; TAF_EDATA where the file has another one.
 */
TAF_MUST enum taf_status taf_record_make(const char *path, const uint64_t *plan,
    const struct taf_field *f, size_t n, const void *from, struct taf_err *e);
TAF_MUST enum taf_status taf_record_read(const char *path, const uint64_t *plan,
    const struct taf_field *f, size_t n, void *to, struct taf_err *e);

/* The end of a file's name that no other process would give it now, on any machine. */
struct taf_path taf_fields_here(void);

/*
 * What another machine has just written may be seen some seconds later: wait a moment for
 * it.  False when this process has waited for long enough in all.
 */
bool taf_fields_patient(void);

#endif
