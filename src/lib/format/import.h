/* SPDX-License-Identifier: ISC */
/* Arrays of another format on their way to a writer. */
#ifndef TAF_FORMAT_IMPORT_H
#define TAF_FORMAT_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "io/in.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_import {
	const struct taf_service *service;
	struct taf_writer *w;
	const char *const *files;	/* the inputs, as taf_import_open takes them */
	int nfiles, at;			/* and which of them is read */
	/* An array of that file goes out; may be NULL. */
	void (*say)(void *ctx, const char *file, const struct taf_array *a);
	/* A file is about to be decoded, the n more ones are not open yet. */
	enum taf_status (*decode)(void *ctx, const char *file, const char *const *more,
	    int n, struct taf_err *e);
	void *ctx;
	uint64_t pick;		/* the one array that is wanted, from 1; 0: all */
	uint64_t number;	/* arrays seen, of all inputs */
	bool last;		/* no other input follows */
	bool looked;		/* a taf_import_check has seen this one */
	bool done;		/* the array that is wanted was there: read no further */
};

/* Open an input, standard input for NULL and "-"; TAF_EDATA where it is empty. */
TAF_MUST enum taf_status taf_import_open(struct taf_in **in, const char *file,
    struct taf_err *e);

/*
 * An array of the input begins; more says whether another follows it in the input.
 * Not *wanted: its elements are to be passed over.  Else they go to im->w, and
 * taf_import_end follows.
 */
TAF_MUST enum taf_status taf_import_begin(struct taf_import *im,
    const struct taf_array *a, enum taf_next more, bool *wanted, struct taf_err *e);

/* The elements of a are written, or st is what has failed: that is returned then. */
TAF_MUST enum taf_status taf_import_end(struct taf_import *im, const struct taf_array *a,
    enum taf_status st, struct taf_err *e);

/*
 * Before the first byte goes out: look at each input that can be read twice.  Behind one
 * that cannot, im->pick counts nothing.  The first failure ends it.
 */
typedef enum taf_status taf_import_check(void *ctx, const struct taf_import *im,
    struct taf_in *in, struct taf_err *e);
TAF_MUST enum taf_status taf_import_look(const struct taf_import *im,
    taf_import_check *check, void *ctx, struct taf_err *e);

/*
 * Each decodes one input from *in, which it may replace by a spooled one.  It calls
 * taf_import_begin and taf_import_end for its arrays, and stops early when im->done.  The
 * first failure ends it.  TAF_EDATA if the array that is wanted was in no input.
 */
typedef enum taf_status taf_import_each(void *ctx, struct taf_import *im,
    struct taf_in **in, struct taf_err *e);
TAF_MUST enum taf_status taf_import_all(struct taf_import *im, taf_import_each *each,
    void *ctx, struct taf_err *e);

/* Add to lines what is listed of a file, that at im->at. */
typedef enum taf_status taf_import_lister(struct taf_in *in, struct taf_str *lines,
    struct taf_err *e);
TAF_MUST enum taf_status taf_import_list(const struct taf_import *im,
    taf_import_lister *lister, struct taf_str *lines, struct taf_err *e);

#endif
