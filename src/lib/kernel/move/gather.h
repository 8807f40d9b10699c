/* SPDX-License-Identifier: ISC */
/* Elements of a line in another order, or over and over. */
#ifndef TAF_KERNEL_MOVE_GATHER_H
#define TAF_KERNEL_MOVE_GATHER_H

#include <stddef.h>
#include <stdint.h>

/*
 * to[i] = from[index[i]] for i < n.  An element is esize > 0 bytes; if that is 2, 4 or 8,
 * both are aligned to it.  to and from do not overlap, here and below.
 */
void taf_gather(void *to, const void *from, size_t esize, const size_t index[], size_t n);

/* to[i] = from[n - 1 - i]. */
void taf_gather_reverse(void *to, const void *from, size_t esize, size_t n);

/* Each of n elements so many times: to[i * times + k] = from[i] for k < times. */
void taf_gather_each(void *to, const void *from, size_t esize, size_t n, size_t times);

/* Fill p with n elements that are all like the first one, which is there. */
void taf_gather_spread(void *p, size_t esize, size_t n);

#endif
