/* SPDX-License-Identifier: ISC */
#include "stream/reader_source.h"

#include "kernel/move/strided.h"
#include "kernel/number/convert_private.h"

enum { PLANE = 16 * 1024 };	/* bytes of one part joined at a time */

static enum taf_status
read_planes(struct taf_elements *s, void *buf, size_t n, struct taf_err *e)
{
	const size_t word = taf_type_word(s->type), most = PLANE / word;
	const ptrdiff_t one[1] = { (ptrdiff_t)word }, two[1] = { 2 * one[0] };
	unsigned char re[PLANE], im[PLANE], *to = buf;

	while (n > 0) {
		const size_t count[1] = { n < most ? n : most };
		enum taf_status st = taf_in_read(s->in, re, word * count[0], e);

		if (st == TAF_OK)
			st = taf_in_read(s->second, im, word * count[0], e);
		if (st != TAF_OK)
			return st;
		taf_strided_copy(to, re, &(struct taf_strided){ word, 1, count, two,
		    one });
		taf_strided_copy(to + word, im, &(struct taf_strided){ word, 1, count,
		    two, one });
		if (taf_swap_needed(s->type, false))
			taf_swap_elements(to, s->type, count[0]);
		to += 2 * word * count[0];
		n -= count[0];
	}
	return TAF_OK;
}

static enum taf_status
skip_planes(struct taf_elements *s, uint64_t n, struct taf_err *e)
{
	enum taf_status st = taf_in_skip(s->in, n * taf_type_word(s->type), e);

	return st == TAF_OK ? taf_in_skip(s->second, n * taf_type_word(s->type), e) : st;
}

const struct taf_elements_ops taf_elements_planes = {
	true, read_planes, skip_planes, NULL, NULL, NULL
};
