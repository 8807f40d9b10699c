/* SPDX-License-Identifier: ISC */
/* The array descriptor: everything about an array but its elements. */
#ifndef TAF_ARRAY_ARRAY_H
#define TAF_ARRAY_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TAF_MAX_DIM = 64 };

/* The type codes of TAF 1.1. */
enum { TAF_CODE_GENERIC = 0, TAF_CODE_COLUMN = 1, TAF_CODE_ROW = 2, TAF_CODE_IMAGE = 3 };

/* Dimension k: grid value of element i (from 1) is start + (i - 1) * step. */
struct taf_dim {
	uint64_t n;
	double start, step;
};

/* Does another array follow in the same stream? */
enum taf_next {
	TAF_NEXT_NO = 0,
	TAF_NEXT_YES = 1,
	TAF_NEXT_UNKNOWN = 2	/* another one, or the record that ends the stream */
};

/* What an attribute belongs to. */
enum taf_scope {
	TAF_OF_ARRAY = 0,
	TAF_OF_DIM = 1,		/* key@k */
	TAF_OF_COMPONENT = 2	/* key@ck, a component of a foreign compound element */
};

struct taf_attr {
	enum taf_scope scope;
	unsigned index;		/* of the dimension or component, from 1 */
	bool bare;		/* came without quotes, and needs none */
	char *key;
	char *value;		/* any bytes but NUL */
};

/*
 * Its members are for the caller to read and to change.  Element order is dimension 1
 * fastest.  Zero-initialise or taf_array_init; taf_array_fini frees what it owns
 * (comment, history, attrs), and a zeroed one may be finished too.  A later version may
 * have more members in the place of reserved ones, which are zeros: then as it was
 * before.
 */
struct taf_array {
	enum taf_type type;
	/* y = intercept + slope * x, if both are finite */
	double intercept, slope;
	unsigned ndim;			/* 1 to TAF_MAX_DIM */
	unsigned char code;		/* type code */
	struct taf_dim dim[TAF_MAX_DIM];
	struct taf_buf comment;		/* the user's text, byte for byte */
	struct taf_buf history;		/* lines of the RSF header, each with its LF */
	struct taf_attr *attrs;		/* in order */
	size_t nattrs;
	void *reserved[8];
};

/* An array of flt32, no mapping, no dimensions yet. */
void taf_array_init(struct taf_array *a);
void taf_array_fini(struct taf_array *a);

/* dst (finished or fresh) becomes a deep copy of src. */
TAF_MUST enum taf_status taf_array_copy(struct taf_array *dst,
    const struct taf_array *src, struct taf_err *e);

/* dst takes over what src holds; src is empty afterwards. */
void taf_array_move(struct taf_array *dst, struct taf_array *src);

/* Append a dimension of length n with start and step; the caller keeps to TAF_MAX_DIM. */
void taf_array_add_dim(struct taf_array *a, uint64_t n, double start, double step);

/* Insert a dimension as number k, from 1; later ones and their attributes move up. */
TAF_MUST enum taf_status taf_array_insert_dim(struct taf_array *a, unsigned k,
    struct taf_dim dim, struct taf_err *e);

/* Drop dimension k, from 1, with its attributes; TAF_EDATA where it is the only one. */
TAF_MUST enum taf_status taf_array_drop_dim(struct taf_array *a, unsigned k,
    struct taf_err *e);

/* Have both as many dimensions of the same lengths, trailing lengths of 1 apart? */
bool taf_array_same_shape(const struct taf_array *a, const struct taf_array *b);

/*
 * out, which is sound, gets as many dimensions as a and a's lengths where its own are 1;
 * TAF_EDATA, with both lengths, where they are neither 1 nor the same.  The grid of such
 * a dimension is a's.
 */
TAF_MUST enum taf_status taf_array_extend(struct taf_array *out,
    const struct taf_array *a, struct taf_err *e);

/* Is the mapping on (both values finite)? */
bool taf_array_mapped(const struct taf_array *a);

/* Switch the mapping off. */
void taf_array_unmap(struct taf_array *a);

/*
 * Number of elements, and of bytes: TAF_EDATA where either exceeds what a file
 * offset holds, and for pairs with a mapping; TAF_EMISUSE where the type is none.  After
 * one success on a descriptor the plain forms may be used.
 */
TAF_MUST enum taf_status taf_array_check(const struct taf_array *a, struct taf_err *e);
uint64_t taf_array_count(const struct taf_array *a);
uint64_t taf_array_bytes(const struct taf_array *a);

/* Value of an attribute, NULL if it is not there; lent until the list changes. */
const char *taf_attr_get(const struct taf_array *a, const char *key, enum taf_scope scope,
    unsigned index);

/*
 * Set an attribute, in its place or at the end; a NULL value removes it.  The key is not
 * empty.
 */
TAF_MUST enum taf_status taf_attr_set(struct taf_array *a, const char *key,
    enum taf_scope scope, unsigned index, const char *value, struct taf_err *e);

/* What an attribute is told by. */
struct taf_attr_name {
	const char *key;
	enum taf_scope scope;
	unsigned index;
};

/* The same with a value of n bytes; a NUL among them is TAF_EDATA. */
TAF_MUST enum taf_status taf_attr_setn(struct taf_array *a,
    const struct taf_attr_name *name, const char *value, size_t n, struct taf_err *e);

/*
 * Put the dimensions, their grids and attributes in another order: dimension k becomes
 * the one that was order[k], both counted from 0.  A column becomes a row, a row a
 * column.  Where order has not each of them once, a is left without dimensions, and
 * whatever gets it next refuses it.
 */
void taf_array_permute(struct taf_array *a, const unsigned order[]);

/*
 * Add a line to the comment, LF behind it; the text before it gets one too where it has
 * none at its end.
 */
TAF_MUST enum taf_status taf_comment_add(struct taf_array *a, const char *text, size_t n,
    struct taf_err *e);

/* --- for taftools alone: not installed --- */

/* TAF_EMISUSE where a is no descriptor: its type is none, or its dimensions are. */
TAF_MUST enum taf_status taf_array_sound(const struct taf_array *a, struct taf_err *e);

/* TAF_EDATA where a start or a step is not finite, or a step is 0. */
TAF_MUST enum taf_status taf_array_grids(const struct taf_array *a, struct taf_err *e);

/*
 * Have their dimensions k, from 1, the same grid?  No point of one is off by more than
 * tolerance of a step of the other; a dimension that is not there fits anything.
 */
bool taf_array_same_grid(const struct taf_array *a, const struct taf_array *b, unsigned k,
    double tolerance);

/*
 * An array cut at dimension k, from 1: outer times len times inner elements.  k = 0 takes
 * all as inner; a dimension behind the last has length 1.  The array is sound.
 */
struct taf_cut {
	uint64_t inner, len, outer;
};
struct taf_cut taf_array_cut(const struct taf_array *a, unsigned k);

/* Are they the same, both NaN too, but for a millionth of a step? */
bool taf_grid_near(double a, double b, double step);

/* Remove all attributes. */
void taf_attrs_clear(struct taf_array *a);

/* Mark one, if it is there, as needing no quotes: its value has no blank and no '"'. */
void taf_attr_bare(struct taf_array *a, const char *key, enum taf_scope scope,
    unsigned index);

/*
 * Dimensions have moved: to[k - 1] is the new number of dimension k, 0 if it is
 * gone (its attributes go too).
 */
void taf_attr_renumber(struct taf_array *a, const unsigned to[TAF_MAX_DIM]);

/*
 * Does dimension k, from 1, with this label only stand for something that another format
 * has no dimension for?  It then has no tag (a key with a slash in it).
 */
bool taf_dim_stands_for(const struct taf_array *a, unsigned k, const char *label);

/* Is the grid that of no grid, 1, 2, 3, ...? */
bool taf_dim_plain(const struct taf_dim *d);

/* Has dimension k, from 1, another one, or an attribute but for a label and but? */
bool taf_dim_told(const struct taf_array *a, unsigned k, const char *but);

/*
 * Append what the values are called, if anything: the label.  Of "Ch1, DC coupling,
 * 100.0mV/div, ..." the first words alone, which are the attribute channel.  A channel
 * may be a number.
 */
TAF_MUST enum taf_status taf_array_called(const struct taf_array *a, struct taf_buf *to,
    struct taf_err *e);

/* Append the lengths, with commas between them. */
struct taf_str;
void taf_array_lengths(const struct taf_array *a, struct taf_str *to);

#ifdef __cplusplus
}
#endif

#endif
