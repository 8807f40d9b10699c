/* SPDX-License-Identifier: ISC */
/* Numbers as the sum of two doubles. */
#include "kernel/number/two.h"

#include "unit.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The second parts are those of a fused multiplication and addition. */
static void
products_have_no_error(void)
{
	static const struct {
		double a, b, lo;
	} t[] = {
		{ 3, 5, 0 }, { 0x1.0000001p0, 0x1.0000001p0, 0x1p-56 },
		{ 0x1.fffffffffffffp0, 0x1.fffffffffffffp0, 0x1p-104 },
		{ 0x1.8000000000001p3, -0x1.4000000000001p-9,
		    0x1.ffffffffffff8p-61 },
		/* just below a power of two a half has the most bits */
		{ 0x1.fffffc776df9fp+0, 0x1.ffffffb1067f9p+0, -0x1.1e3cc94ef0ab2p-53 },
		{ 0x1.fffffe5da3c01p+0, 0x1.fffffc614b48fp+0, 0x1.4e2069a58711ep-53 },
		{ 0x1.fffffe90a8881p+0, 0x1.ffffff8f28a99p+0, 0x1.eb42f6d31f19p-56 },
		{ 0x1.ffffff8c5608bp+0, 0x1.fffffe7245f5dp+0, -0x1.89abac1d8b102p-53 },
	};
	struct taf_two p;

	for (size_t i = 0; i < COUNT(t); i++) {
		p = taf_two_product(t[i].a, t[i].b);
		CHECK(p.hi == t[i].a * t[i].b && p.lo == t[i].lo);
	}
}

int
main(void)
{
	UNIT(products_have_no_error);
	return unit_end();
}
