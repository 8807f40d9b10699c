/* SPDX-License-Identifier: ISC */
/* Arrays on their way to another format. */
#ifndef TAF_FORMAT_EXPORT_H
#define TAF_FORMAT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/out.h"
#include "stream/reader.h"
#include "stream/reorder.h"
#include "stream/service.h"

/* What the format that is written has no place for, of all arrays so far. */
struct taf_dropped {
	bool comment, grid, attributes;
};

/* Has a this attribute, of the array, with this value?  It is used then, and gone. */
bool taf_export_use(struct taf_array *a, const char *key, const char *value);

/* Take note of what is dropped of a; attributes that are used are gone from it by now. */
void taf_dropped_note(struct taf_dropped *d, const struct taf_array *a);

/* One remark on all that, and on what also (or NULL) says, if there is anything. */
void taf_dropped_remark(const struct taf_service *service, const struct taf_dropped *d,
    const char *format, const char *also);

/* What physical values take, or with raw stored elements, and the type they then have. */
enum taf_change taf_export_recode(const struct taf_array *a, bool raw);
enum taf_type taf_export_type(const struct taf_array *a, bool raw);

/*
 * Are all elements of r's present array a, none of which was read, what holds says of n
 * of them?  A pipe is spooled.
 */
TAF_MUST enum taf_status taf_export_fits(struct taf_reader *r, const struct taf_array *a,
    bool (*holds)(const void *p, size_t n), bool *fits, struct taf_err *e);

/* How elements go to another format. */
struct taf_export {
	struct taf_out *out;
	enum taf_change recode;
	const unsigned *order;	/* of the dimensions, NULL for the one they have */
};

/* All elements of r's present array a. */
TAF_MUST enum taf_status taf_export_elements(const struct taf_service *service,
    const struct taf_export *to, struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e);

#endif
