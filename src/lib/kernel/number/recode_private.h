/* SPDX-License-Identifier: ISC */
/* What taftools alone do with recoded elements.  It is not installed. */
#ifndef TAF_KERNEL_NUMBER_RECODE_PRIVATE_H
#define TAF_KERNEL_NUMBER_RECODE_PRIVATE_H

#include "kernel/number/recode.h"

/*
 * TAF_EDATA: the element at src, of this place in its array ("": there is none to tell),
 * is a value that does not fit.
 */
enum taf_status taf_recode_misfit(const struct taf_recode *how, const void *src,
    const char *place, struct taf_err *e);

/* The same of a result that no element of this type, of floats or pairs, holds. */
enum taf_status taf_recode_overflow(enum taf_type type, const char *place,
    struct taf_err *e);

#endif
