/* SPDX-License-Identifier: ISC */
/* Runs of several arrays in turn, which become one array. */
#ifndef TAF_OP_MOVE_JOIN_H
#define TAF_OP_MOVE_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/values.h"
#include "stream/writer.h"

/* What arrays may differ in from the first, with a remark. */
enum taf_fit_fact {
	TAF_FIT_UNIT,	/* of a dimension or of the values; none is one, too */
	TAF_FIT_LABEL,
	TAF_FIT_STEP,	/* by more than a millionth of it */
	/* by more than that; along dim, if none continues there */
	TAF_FIT_START,
	TAF_FIT_MISSING,	/* the value that marks missing elements, if it has one */
	TAF_FIT_FACTS
};

/*
 * The rule for arrays that become one: with which heads they may, and what their result
 * has.  Zeroed before but for dim and any_unit.
 */
struct taf_fit {
	unsigned dim;		/* they are joined along this one, from 0 */
	bool any_unit;		/* units may differ, too */
	/* the first array, and its name for messages, which are lent till the end */
	const struct taf_array *first;
	const char *name;
	uint64_t n;		/* points along dim so far */
	struct taf_fit_note {
		size_t count;		/* arrays that differ in that */
		struct taf_buf text;	/* the first of them, its place, both values */
	} note[TAF_FIT_FACTS];
};
void taf_fit_fini(struct taf_fit *f);

/*
 * The next array, whose name may be gone behind the call.  TAF_EDATA, which has the name,
 * where it does not go with the first: other lengths but along dim, other units, or
 * complex elements on one side alone.
 */
TAF_MUST enum taf_status taf_fit_add(struct taf_fit *f, const struct taf_array *a,
    const char *name, struct taf_err *e);

/* The same for dimensions, lengths and complex elements: no order of arrays matters. */
TAF_MUST enum taf_status taf_fit_shape(unsigned dim, const struct taf_array *first,
    const struct taf_array *a, struct taf_err *e);

/* The same for units of two arrays, of which the first has this name. */
TAF_MUST enum taf_status taf_fit_units(const struct taf_array *first, const char *name,
    const struct taf_array *a, struct taf_err *e);

/* Remark on the arrays that differ in a fact, if any do. */
void taf_fit_remark(const struct taf_fit *f, enum taf_fit_fact fact,
    const struct taf_service *service);

/*
 * All arrays are added: a, which is a copy of the first, becomes the descriptor of what
 * they are together, still with the first one's type and mapping.  What cannot be kept,
 * and what differs, is remarked.
 */
TAF_MUST enum taf_status taf_fit_end(const struct taf_fit *f, struct taf_array *a,
    const struct taf_service *service, struct taf_err *e);

/* An array that gives so many elements to each row of the result. */
struct taf_join_part {
	const struct taf_array *a;
	const char *name;	/* of its file, for messages */
	uint64_t run;
	bool rounds;		/* its values may be rounded */
	/* at a's first element; NULL where taf_join shall find it */
	struct taf_reader *r;
	struct taf_values *v;	/* NULL at first; closed by the caller, before r */
};

struct taf_join {
	struct taf_join_part *part;
	size_t parts;
	uint64_t rows;
	const struct taf_array *out;	/* its type and mapping are those of the result */
	struct taf_writer *w;		/* within an array of that type */
	uint64_t memory;		/* bound in bytes */
	unsigned threads;		/* 1 or more */
	/*
	 * Where readers are NULL: give part k one whose next element is number at, and
	 * later, when a run was read, be told so; it may be taken away then.
	 */
	enum taf_status (*find)(void *ctx, size_t k, uint64_t at, struct taf_err *e);
	enum taf_status (*leave)(void *ctx, size_t k, enum taf_status st,
	    struct taf_err *e);
	void *ctx;
};

/*
 * All rows to w.  Elements of another type or mapping are converted; TAF_EDATA where one
 * does not convert exactly.  A plain file whose reader is given is read by all threads.
 */
TAF_MUST enum taf_status taf_join(const struct taf_join *how, struct taf_err *e);

/* All elements of a part to w, as those of out; a failure has the part's name. */
TAF_MUST enum taf_status taf_join_pass(struct taf_join_part *p,
    const struct taf_array *out, struct taf_writer *w, struct taf_err *e);

/* Do elements of a mean the same as those of b, as they are? */
bool taf_join_alike(const struct taf_array *a, const struct taf_array *b);

/*
 * Open p's values, if its elements are not those of out as they are; r is at its element.
 */
TAF_MUST enum taf_status taf_join_begin(struct taf_join_part *p,
    const struct taf_array *out, struct taf_err *e);

/* The next n elements of a part, as they are in out. */
TAF_MUST enum taf_status taf_join_read(struct taf_join_part *p,
    const struct taf_array *out, void *to, size_t n, struct taf_err *e);

#endif
