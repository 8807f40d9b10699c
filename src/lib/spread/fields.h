/* Small files of fields, which appear whole, and once, on shared file systems too. */
#ifndef TAF_SPREAD_FIELDS_H
#define TAF_SPREAD_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

/* A field: any n bytes, or a number.  Each name once. */
void taf_fields_put(struct taf_str *s, const char *name, const void *p, size_t n);
void taf_fields_text(struct taf_str *s, const char *name, const char *text);
void taf_fields_u64(struct taf_str *s, const char *name, uint64_t v);

/* A field of a record that was read, lent by it.  TAF_EDATA where it is not there. */
TAF_MUST enum taf_status taf_fields_get(const struct taf_buf *r, const char *name,
    const char **p, size_t *n, struct taf_err *e);
TAF_MUST enum taf_status taf_fields_get_u64(const struct taf_buf *r, const char *name,
    uint64_t *v, struct taf_err *e);

/* The same as a string, for the caller to free; NULL where the field is empty. */
TAF_MUST enum taf_status taf_fields_get_text(const struct taf_buf *r, const char *name,
    char **text, struct taf_err *e);

/* The end of a file's name that no other process would give it now, on any machine. */
TAF_MUST enum taf_status taf_fields_here(struct taf_buf *name, struct taf_err *e);

/*
 * Make file path of the fields in s, and empty s.  Of several that do it at once the
 * first wins; TAF_END for the others.  A file that is not whole, or damaged, counts as
 * none.
 */
TAF_MUST enum taf_status taf_fields_make(const char *path, struct taf_str *s,
    struct taf_err *e);

/*
 * What another machine has just written may be seen some seconds later: wait a moment for
 * it.  False when this process has waited for long enough in all.
 */
bool taf_fields_patient(void);

/*
 * The fields of file path, for the caller to free; TAF_END where none is whole, TAF_EDATA
 * where it is damaged.  Waits for one that is there in part.
 */
TAF_MUST enum taf_status taf_fields_read(const char *path, struct taf_buf *r,
    struct taf_err *e);

#endif
