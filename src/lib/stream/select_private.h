/* SPDX-License-Identifier: ISC */
/* What taftools alone do with selections.  It is not installed. */
#ifndef TAF_STREAM_SELECT_PRIVATE_H
#define TAF_STREAM_SELECT_PRIVATE_H

#include "stream/select.h"

/*
 * Where the next elements lie: a run of span elements from element first on of the
 * array covers them, and within it they are count[k] points, step[k] bytes apart, in
 * each of nd dimensions; total in all.
 */
struct taf_box {
	uint64_t first;
	size_t span, total;
	unsigned nd;
	size_t count[TAF_MAX_DIM];
	ptrdiff_t step[TAF_MAX_DIM];
};

/* The next box in place of taf_select_read; r may have been NULL.  False at the end. */
bool taf_select_box(struct taf_select *s, struct taf_box *box);

#endif
