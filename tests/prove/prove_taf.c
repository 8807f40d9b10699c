/* SPDX-License-Identifier: ISC */
/*
 * TAF: every header.  Inputs fall into classes by their length and by the number of
 * dimensions that they name; each has memory for its shortest input alone.
 *
 * eva: -eva-slevel 20 -eva-slevel-function main:0 -eva-auto-loop-unroll 100
 */
#include "prove.h"

#include "array/array.c"
#include "array/type.c"
#include "base/num.c"
#include "codec/taf_file.c"

/* Parse low to high bytes, of which low are there, that name ndim dimensions. */
static void
parse(size_t low, size_t high, uint64_t ndim)
{
	static unsigned char memory[TAF_HEADER_MAX];
	unsigned char *const p = memory + sizeof memory - low;
	struct taf_array a;
	struct taf_form form;
	struct taf_err e = { 0 };

	Frama_C_make_unknown((char *)memory, sizeof memory);
	if (low >= TAF_AT_DIMS)
		memcpy(p + TAF_AT_NDIM, &ndim, sizeof ndim);
	taf_array_init(&a);
	(void)taf_header_parse(p, Frama_C_size_t_interval(low, high), &a, &form, &e);
}

int
main(void)
{
	uint64_t ndim;
	unsigned k;

	for (k = 0; k < 4; k++)
		parse(k, k, 0);
	parse(4, TAF_AT_DIMS - 1, 0);
	for (ndim = 1; ndim <= TAF_MAX_DIM; ndim++) {
		const size_t header = taf_header_size((unsigned)ndim);

		parse(TAF_AT_DIMS, header - 1, ndim);
		parse(header, SIZE_MAX, ndim);
	}
	parse(TAF_AT_DIMS, SIZE_MAX, 0);
	parse(TAF_AT_DIMS, SIZE_MAX, Frama_C_unsigned_long_interval(ndim, UINT64_MAX));
	return 0;
}
