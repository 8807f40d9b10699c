/* SPDX-License-Identifier: ISC */
/* Copying between two strided views of the same elements. */
#ifndef TAF_KERNEL_MOVE_STRIDED_H
#define TAF_KERNEL_MOVE_STRIDED_H

#include <stddef.h>

/*
 * Elements of esize > 0 bytes, n[k] in dimension k < nd, and steps from one to the next.
 */
struct taf_strided {
	size_t esize;
	unsigned nd;
	const size_t *n;
	const ptrdiff_t *dstep, *sstep;
};

/*
 * Copy dst[sum i[k] * dstep[k]] = src[sum i[k] * sstep[k]] for every index
 * 0 <= i[k] < n[k], k < nd; dst and src are where index 0 lies.
 *
 * Steps are in bytes and may be negative; those of src may be 0.  Pointers and
 * steps need no alignment.  No two elements of dst overlap, nor does dst overlap src.  A
 * length of 0 copies nothing, nd of 0 one element.  Any order of dimensions is equally
 * good: the function sorts and merges them and goes through memory in blocks.
 */
void taf_strided_copy(void *dst, const void *src, const struct taf_strided *v);

#endif
