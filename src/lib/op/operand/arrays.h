/* SPDX-License-Identifier: ISC */
/* The arrays of several files, one after the other. */
#ifndef TAF_OP_OPERAND_ARRAYS_H
#define TAF_OP_OPERAND_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "array/picks.h"
#include "array/points.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/index.h"
#include "stream/reader.h"

/*
 * Hands out all of them, the one of a number, or those of a list: a, and r at its first
 * element.  The caller sets members up to ahead, and zeroes all others.
 */
struct taf_arrays {
	const char *const *files;	/* NULL and "-" are standard input */
	int nfiles;
	/* what the user calls a file; NULL: as it is called here */
	const char *(*name)(const char *file);
	/* NULL, or hears of each array that is handed out */
	void (*seen)(void *ctx, const char *name, const struct taf_array *a);
	void *ctx;
	uint64_t pick;		/* the number of the one that is wanted next, 0 for all */
	bool late;		/* comments may come late: TAF_LATE_COMMENT */
	/*
	 * To look at headers before they are needed: silently, only at files that can be
	 * read again, and at all of their arrays, whatever is picked.
	 */
	bool ahead;
	bool lost;		/* a file was passed over: what is picked may be there */

	int opened;		/* the present file is the last that was opened */
	uint64_t number;	/* of the present array, from 1 */
	struct taf_points list;	/* those that are wanted, in order */
	uint64_t taken;		/* so many of them were */
	/* not NULL where they do not come in this order */
	struct taf_index *index;
	struct taf_reader *r;	/* NULL between files */
	struct taf_array a;
	bool picked;		/* none is wanted behind the present one */
};

/*
 * The arrays of list are wanted, in its order.  Unless it goes forward, and a file can be
 * read only once, all headers are read now, and memory bounds the notes of them.
 */
TAF_MUST enum taf_status taf_arrays_list(struct taf_arrays *all,
    const struct taf_picks *list, uint64_t memory, struct taf_err *e);

/*
 * End with the present array, and go to the next one.  TAF_END behind the last; TAF_EDATA
 * if the one that is picked is not there.  Errors name their file.
 */
TAF_MUST enum taf_status taf_arrays_next(struct taf_arrays *all, struct taf_err *e);

/* Does another one follow the present one? */
enum taf_next taf_arrays_more(const struct taf_arrays *all);

/* After the present one was read: TAF_EDATA if it is not picked, and not the only one. */
TAF_MUST enum taf_status taf_arrays_last(const struct taf_arrays *all, struct taf_err *e);

/* The present file, for messages. */
const char *taf_arrays_name(const struct taf_arrays *all);

/* Leave the present file, also after a failure: the next one comes. */
void taf_arrays_pass(struct taf_arrays *all);

/* Free what it holds. */
void taf_arrays_close(struct taf_arrays *all);

/* TAF_EDATA: up to the end of file, which is one of several or not, are number arrays. */
TAF_MUST enum taf_status taf_arrays_few(uint64_t wanted, uint64_t number,
    const char *file, bool several, struct taf_err *e);

#endif
