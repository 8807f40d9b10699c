/* SPDX-License-Identifier: ISC */
/* What the files of accumulators share; for them alone. */
#ifndef TAF_KERNEL_STAT_REDUCE_PRIVATE_H
#define TAF_KERNEL_STAT_REDUCE_PRIVATE_H

#include "kernel/stat/reduce.h"

/*
 * Accumulators of pairs are two, of their real and of their imaginary parts.  This is
 * the layout of each; of other elements that of all.
 */
struct taf_reduce taf_reduce_part(const struct taf_reduce *r);

/* taf_reduce_add for pairs. */
void taf_reduce_add_pairs(const struct taf_reduce *r, uint64_t *acc,
    const struct taf_patch *p, struct taf_reduce_scratch *scratch);

#endif
