/* What the converters from and to the row-major formats share. */
#ifndef TAF_CLI_NDARRAY_H
#define TAF_CLI_NDARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "cli/cmd.h"
#include "codec/ndarray.h"
#include "io/in.h"
#include "stream/reorder.h"

/* An array that comes in: its description, its name, and the bytes of its elements. */
struct cmd_ndarray {
	struct taf_ndarray nd;
	struct taf_buf name;
	const char *type;	/* what the format calls its elements, or NULL */
	uint64_t bytes;
};

/* How a format is read. */
struct cmd_ndarrays {
	/* Up to the elements of the next array; TAF_END where no array follows. */
	enum taf_status (*next)(struct taf_in *in, struct cmd_ndarray *a,
	    struct taf_err *e);
	/* What stands behind the elements of a. */
	enum taf_status (*end)(struct taf_in *in, const struct cmd_ndarray *a,
	    struct taf_err *e);
	/* Attributes that a name, a type and the want of an index become, or NULL. */
	const char *name_key, *type_key, *ndim_key;
	bool reverse;		/* --reverse */
};

/* Import all arrays of all operands, regular files being checked before, and end. */
int cmd_import_ndarrays(struct cmd_run *run, const struct cmd_ndarrays *f);

/* What the format that is written has no place for, of all arrays so far. */
struct cmd_dropped {
	bool comment, grid, attributes;
};

/* Has a this attribute, of the array, with this value?  It is used then, and gone. */
bool cmd_use_attr(struct taf_array *a, const char *key, const char *value);

/* Take note of what is dropped of a; attributes that are used are gone from it by now. */
void cmd_note_dropped(struct cmd_dropped *d, const struct taf_array *a);

/* One remark on all that, and on what also (or NULL) says, if there is anything. */
void cmd_remark_dropped(struct cmd_run *run, const struct cmd_dropped *d,
    const char *format, const char *also);

/* What physical values take, or with raw stored elements, and the type they then have. */
enum taf_change cmd_export_recode(const struct taf_array *a, bool raw);
enum taf_type cmd_export_type(const struct taf_array *a, bool raw);

/*
 * Are all elements of r's present array a, none of which was read, what holds says of n
 * of them?  A pipe is spooled.
 */
TAF_MUST enum taf_status cmd_export_fits(struct taf_reader *r, const struct taf_array *a,
    bool (*holds)(const void *p, size_t n), bool *fits, struct taf_err *e);

/*
 * All elements of r's present array a to run->out, recoded, in the given order, NULL for
 * the one they have.
 */
TAF_MUST enum taf_status cmd_export_elements(struct cmd_run *run, struct taf_reader *r,
    const struct taf_array *a, enum taf_change recode, const unsigned order[],
    struct taf_err *e);

#endif
