/* SPDX-License-Identifier: ISC */
/* Status codes, and the one-line account of a failure. */
#ifndef TAF_BASE_ERR_H
#define TAF_BASE_ERR_H

#include <stdarg.h>

#include "base/attr.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a function that can fail returns.  The values are pinned; 2, 3 and 4 are
 * the exit statuses of the commands, TAF_ETRUNC leaves as 3, TAF_EMISUSE aborts.
 */
enum taf_status {
	TAF_OK = 0,
	TAF_END = 1,	/* no further array: not a failure */
	TAF_EUSAGE = 2,	/* the request is wrong whatever the data */
	/* malformed or unsupported data, or a request it cannot satisfy */
	TAF_EDATA = 3,
	TAF_ESYS = 4,	/* open, read, write, memory */
	TAF_ETRUNC = 5,	/* the input ends inside a header or inside its data */
	TAF_EMISUSE = 6	/* a call that is not allowed there: the program is wrong */
};

enum { TAF_ERR_TEXT = 512, TAF_ERR_NAME = 256 };

struct taf_err {
	enum taf_status code;
	int sys;			/* errno of the failure, 0 if it had none */
	char name[TAF_ERR_NAME];	/* the file it is about, or "" */
	char text[TAF_ERR_TEXT];	/* "place: fact", no final stop */
};

/* Forget a failure, so that the next one is recorded. */
void taf_err_clear(struct taf_err *e);

/*
 * Record a failure and return its code.  Only the first is kept, so that
 * clean-up does not hide the cause.
 */
enum taf_status taf_fail(struct taf_err *e, enum taf_status code, const char *fmt, ...)
    TAF_PRINTF(3, 4);

/* The same with code TAF_ESYS and the text of errno behind it. */
enum taf_status taf_fail_sys(struct taf_err *e, const char *fmt, ...) TAF_PRINTF(2, 3);

/* Out of memory. */
enum taf_status taf_fail_mem(struct taf_err *e);

/* Name the file that a recorded failure is about, where none is named yet. */
void taf_err_name(struct taf_err *e, const char *name);

#ifdef __cplusplus
}
#endif

#endif
