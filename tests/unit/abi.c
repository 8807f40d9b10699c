/* SPDX-License-Identifier: ISC */
/*
 * What a program has from the headers when it is compiled, by which soname 0 goes: sizes
 * and places.  Where one of these must change, the soname does (libtaf(3),
 * COMPATIBILITY).
 */
#include "taf.h"
#include "unit.h"

#define IS(n, bytes) CHECK_EQ(sizeof(struct n), bytes)
#define AT(n, member, place) CHECK_EQ(offsetof(struct n, member), place)

static void
structures(void)
{
	if (sizeof(void *) != 8 || sizeof(enum taf_type) != 4) {
		CHECK(true);
		return;
	}
	IS(taf_array, 1696);
	AT(taf_array, dim, 32);
	AT(taf_array, comment, 1568);
	AT(taf_array, attrs, 1616);
	AT(taf_array, reserved, 1632);
	IS(taf_dim, 24);
	IS(taf_attr, 32);
	IS(taf_buf, 24);
	IS(taf_err, 776);
	IS(taf_bound, 48);
	IS(taf_bounds, 3080);
	IS(taf_region, 1544);
	IS(taf_convert_count, 16);
	IS(taf_recode, 56);
	IS(taf_sink, 72);
	IS(taf_operand, 24);
	IS(taf_compute, 112);
	IS(taf_lines, 128);
	IS(taf_reorder, 80);
}

/* The members that come last, so that none was put before them. */
static void
values(void)
{
	CHECK_INT(TAF_COMPLEX128, 11);
	CHECK_INT(TAF_PAIR, 3);
	CHECK_INT(TAF_EMISUSE, 6);
	CHECK_INT(TAF_NEXT_UNKNOWN, 2);
	CHECK_INT(TAF_OF_COMPONENT, 2);
	CHECK_INT(TAF_FORMAT_TAF, 1);
	CHECK_INT(TAF_CHANGE_NARROW, 3);
	CHECK_INT(TAF_MAX_DIM, 64);
}

int
main(void)
{
	UNIT(structures);
	UNIT(values);
	return unit_end();
}
