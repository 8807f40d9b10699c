/* SPDX-License-Identifier: ISC */
/* base/crc: the values that their descriptions give for the digits 1 to 9. */
#include "base/crc.h"

#include "unit.h"

static void
test_checks(void)
{
	CHECK_INT(taf_crc32(0, "123456789", 9), 0xcbf43926);
	CHECK_INT(taf_crc32c(0, "123456789", 9), 0xe3069283);
	CHECK_INT(taf_crc32(0, "", 0), 0);
	CHECK_INT(taf_crc32(taf_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
	CHECK_INT(taf_crc32c(taf_crc32c(0, "1", 1), "23456789", 8), 0xe3069283);
}

int
main(void)
{
	UNIT(test_checks);
	return unit_end();
}
