/* SPDX-License-Identifier: ISC */
/*
 * FilesDaf stores, versions [1,0] and [1,1]: a folder of scalars, axes, vectors and
 * matrices, a few files each (FilesDaf on-disk format; for [1,1] and what readers really
 * do, DataAxesFormats.jl 0.3).  Nothing outside of the folder is ever opened: names are
 * checked before they become paths, and symbolic links that leave it are refused.
 */
#ifndef TAF_CODEC_DAF_DAF_H
#define TAF_CODEC_DAF_DAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "codec/daf/daf_json.h"
#include "io/in.h"
#include "io/names.h"

/* A store that is open. */
struct taf_daf {
	char *path;		/* as it was given */
	char *real;		/* the same, absolute and without symbolic links */
	unsigned minor;		/* version [1,minor] */
};

/* TAF_EDATA where the folder is no store, or one of another version. */
TAF_MUST enum taf_status taf_daf_open(struct taf_daf *s, const char *path,
    struct taf_err *e);

/* Also of a zeroed one. */
void taf_daf_close(struct taf_daf *s);

/* A folder of the store while others reorder its axes, or left behind by that. */
#define TAF_DAF_REORDERING ".reorder.backup"

/* TAF_EUSAGE for what must never be part of a path. */
TAF_MUST enum taf_status taf_daf_name_check(const char *name, struct taf_err *e);

enum taf_daf_kind { TAF_DAF_SCALAR, TAF_DAF_VECTOR, TAF_DAF_MATRIX };

/* A scalar, vector or matrix. */
struct taf_daf_item {
	enum taf_daf_kind kind;
	char *axis[2];			/* of a vector, of the rows and columns */
	char *name;
	/* rows and columns; 1 where there is no such axis */
	uint64_t n[2];
	bool transposed;	/* stored is only the layout columns/rows */
	/* the reserved vector of 1 to n, which has no file */
	bool indices;
	struct taf_daf_descriptor d;	/* of a vector or matrix */
	struct taf_daf_scalar scalar;
	uint64_t state;		/* of its descriptor's file, as it was found */
};

/* NAME, AXIS/NAME or ROWS/COLUMNS/NAME; TAF_EUSAGE where a part of it is no name. */
TAF_MUST enum taf_status taf_daf_item_parse(struct taf_daf_item *it, const char *text,
    struct taf_err *e);

/* Append the item as it is written, its parts joined by '/'. */
TAF_MUST enum taf_status taf_daf_item_text(const struct taf_daf_item *it,
    struct taf_buf *to, struct taf_err *e);

/* Call a matrix by its other layout: what was stored in its own is not any more. */
void taf_daf_item_transpose(struct taf_daf_item *it);

/* How many layouts it has: 2 of a matrix, but for one of an axis with itself. */
int taf_daf_layouts(const struct taf_daf_item *it);

/* Also of a zeroed one. */
void taf_daf_item_free(struct taf_daf_item *it);

/*
 * The names of a folder below the store that end in a suffix, without it; none where
 * there is no such folder.  Names that must not be paths are among them: what they lead
 * to is refused.
 */
TAF_MUST enum taf_status taf_daf_names(const struct taf_daf *s, const char *folder,
    const char *suffix, struct taf_names *names, struct taf_err *e);

/*
 * Those of scalars, vectors of the axis rows, matrices of rows and columns.  Where
 * columns is NULL, the axes of columns for which matrices of such rows may be there.
 */
TAF_MUST enum taf_status taf_daf_properties(const struct taf_daf *s,
    enum taf_daf_kind kind, const char *rows, const char *columns,
    struct taf_names *names, struct taf_err *e);

/* Is there an axis of that name? */
bool taf_daf_has_axis(const struct taf_daf *s, const char *axis);

/* Entries of an axis: its lines, all of which end in LF. */
TAF_MUST enum taf_status taf_daf_axis_length(const struct taf_daf *s, const char *axis,
    uint64_t *n, struct taf_err *e);

/* Strings one behind the other; string k are the bytes from at[k] to at[k + 1]. */
struct taf_daf_strings {
	struct taf_buf bytes;
	size_t *at;
	uint64_t n;
};
void taf_daf_strings_free(struct taf_daf_strings *t);

/* The entries of an axis, which are UTF-8, not empty, and differ. */
TAF_MUST enum taf_status taf_daf_axis_entries(const struct taf_daf *s, const char *axis,
    struct taf_daf_strings *t, struct taf_err *e);

/* The lines of a text: UTF-8 without NUL, each with its LF. */
TAF_MUST enum taf_status taf_daf_strings_read(struct taf_in *in,
    struct taf_daf_strings *t, struct taf_err *e);

/* The same for the lines of a text that is to become an axis. */
TAF_MUST enum taf_status taf_daf_entries_read(struct taf_in *in,
    struct taf_daf_strings *t, struct taf_err *e);

/*
 * Find a parsed item: its axes, its descriptor, in which every n is set then, or its
 * value; all payloads are there and have the size that they must.  TAF_EDATA where
 * there is no such item, or a faulty one.
 */
TAF_MUST enum taf_status taf_daf_find(const struct taf_daf *s, struct taf_daf_item *it,
    struct taf_err *e);

/*
 * All of a found item was opened: TAF_EDATA if others have begun to replace it meanwhile.
 * They take its descriptor away first.
 */
TAF_MUST enum taf_status taf_daf_unchanged(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_err *e);

/* Open a regular file below the store; TAF_END where there is none. */
TAF_MUST enum taf_status taf_daf_file_open(const struct taf_daf *s, const char *relative,
    struct taf_in **in, struct taf_err *e);

/* Read such a file of JSON, all of it, into an empty buffer. */
TAF_MUST enum taf_status taf_daf_text_read(const struct taf_daf *s, const char *relative,
    struct taf_buf *to, struct taf_err *e);

/* Is there anything of that name below the store?  *sb says what, behind a link too. */
TAF_MUST enum taf_status taf_daf_look(const struct taf_daf *s, const char *relative,
    bool *there, struct stat *sb, struct taf_err *e);

/*
 * The path of one of its files below the store, as it is stored; suffix has its dot.
 * There is room for three names, a folder and a suffix: taf_daf_name_check bounds the
 * names.
 */
enum { TAF_DAF_PATH = 1024 };
void taf_daf_item_path(const struct taf_daf_item *it, const char *suffix,
    char to[TAF_DAF_PATH]);

/* Is there a file of the item, as it is stored, of that suffix? */
TAF_MUST enum taf_status taf_daf_item_has(const struct taf_daf *s,
    const struct taf_daf_item *it, const char *suffix, bool *there, struct taf_err *e);

/*
 * Name the item's files in front of what a failure says of them, unless it begins so; its
 * code.
 */
enum taf_status taf_daf_about(const struct taf_daf_item *it, struct taf_err *e);

/* The suffixes of all files that an item may have, that of its descriptor first. */
enum { TAF_DAF_SUFFIXES = 13 };
extern const char *const taf_daf_suffixes[TAF_DAF_SUFFIXES];

/* The suffix of a payload's file. */
const char *taf_daf_suffix(const struct taf_daf_item *it, const struct taf_daf_part *p);

/* Open a payload of a found item. */
TAF_MUST enum taf_status taf_daf_payload(const struct taf_daf *s,
    const struct taf_daf_item *it, const struct taf_daf_part *p, struct taf_in **in,
    struct taf_err *e);

/* Is a part of it compressed in a way that cannot be read here?  Its name, or NULL. */
const char *taf_daf_foreign(const struct taf_daf_item *it);

/* What compresses the packed parts of it, that first which cannot be read; or NULL. */
const char *taf_daf_packing(const struct taf_daf_item *it);

/*
 * Where that is so of a found matrix, find its other layout instead, if that can be read.
 */
TAF_MUST enum taf_status taf_daf_avoid_foreign(const struct taf_daf *s,
    struct taf_daf_item *it, struct taf_err *e);

/* Take the next n elements of an item, in the host's order. */
typedef enum taf_status taf_daf_some(void *ctx, const void *p, size_t n,
    struct taf_err *e);

/* The elements of a payload, one after the other. */
struct taf_daf_flow;

/* Read in, which is taken, also on failure: columns of rows elements each. */
TAF_MUST enum taf_status taf_daf_flow_new(struct taf_daf_flow **f, struct taf_in *in,
    const struct taf_daf_part *p, uint64_t rows, uint64_t columns, struct taf_err *e);

/* Exactly n elements in the host's order; a Bool that is neither 0 nor 1 is TAF_EDATA. */
TAF_MUST enum taf_status taf_daf_flow_read(struct taf_daf_flow *f, void *to, size_t n,
    struct taf_err *e);

/* NULL is allowed. */
void taf_daf_flow_close(struct taf_daf_flow *f);

/* All elements of a payload that is not of strings, as they are stored. */
TAF_MUST enum taf_status taf_daf_flow_open(const struct taf_daf *s,
    const struct taf_daf_item *it, const struct taf_daf_part *p, struct taf_daf_flow **f,
    struct taf_err *e);

/*
 * A sparse vector or matrix in memory, columns of rows: stored entry k of column j, for
 * ptr[j] <= k < ptr[j + 1], is in row[k], which counts from 0 and grows within a column.
 */
struct taf_daf_sparse {
	uint64_t rows, columns, n;
	unsigned type;
	uint64_t *ptr, *row;
	/* n elements in the host's order; of strings, uint64_t: which one of text */
	unsigned char *value;
	const struct taf_daf_strings *text;	/* lent; NULL where they are not loaded */
	uint64_t at, column;	/* where taf_daf_sparse_fill goes on */
};
void taf_daf_sparse_free(struct taf_daf_sparse *m);

/* Read the stored entries of a sparse item in its own layout, checked. */
TAF_MUST enum taf_status taf_daf_sparse_load(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_daf_sparse *m, struct taf_err *e);

/* Is it one: ptr rises from 0 to n, rows are below m->rows and grow within a column? */
TAF_MUST enum taf_status taf_daf_sparse_check(const struct taf_daf_sparse *m,
    struct taf_err *e);

/*
 * The same of one number: ptr[column], the one before it being before; the row of stored
 * entry k, before being that of the entry before it in its column, or UINT64_MAX.
 */
TAF_MUST enum taf_status taf_daf_pointer_check(uint64_t ptr, uint64_t before, uint64_t n,
    uint64_t column, uint64_t columns, struct taf_err *e);
TAF_MUST enum taf_status taf_daf_index_check(uint64_t row, uint64_t before, uint64_t rows,
    uint64_t k, struct taf_err *e);

/* Make *to, which is empty, the transpose of m. */
TAF_MUST enum taf_status taf_daf_sparse_transpose(const struct taf_daf_sparse *m,
    struct taf_daf_sparse *to, struct taf_err *e);

/*
 * n elements of all from first on, zeros included, column after column.  Each call goes
 * on where the last one ended.
 */
void taf_daf_sparse_fill(struct taf_daf_sparse *m, uint64_t first, size_t n, void *to);

/* The lines of its value's file, as many as there must be. */
TAF_MUST enum taf_status taf_daf_lines(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_daf_strings *t, struct taf_err *e);

/* The strings in its value's file, in their order there.  Free t also on failure. */
TAF_MUST enum taf_status taf_daf_strings_stored(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_daf_strings *t, struct taf_err *e);

/* All strings of an item, empty ones included, column after column. */
TAF_MUST enum taf_status taf_daf_strings_load(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_daf_strings *t, struct taf_err *e);

#endif
