/* SPDX-License-Identifier: ISC */
/* Slips between a word and a name, and where they are too many. */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

#include "unit.h"

static const struct {
	const char *word, *name;
	size_t slips;
} table[] = {
	{ "squeeze", "squeeze", 0 },
	{ "squeze", "squeeze", 1 },
	{ "sqeueze", "squeeze", 1 },
	{ "squeezes", "squeeze", 1 },
	{ "sqveeze", "squeeze", 1 },
	{ "sqvezze", "squeeze", 2 },
	{ "squ", "squeeze", 1 },
	{ "sq", "squeeze", SIZE_MAX },
	{ "zzuzezz", "squeeze", SIZE_MAX },
	{ "lg", "log", 1 },
	{ "l", "log", SIZE_MAX },
	{ "low", "log", 1 },
	{ "raw", "log", SIZE_MAX },
	{ "", "log", SIZE_MAX },
	{ "amplitude", "magnitude", SIZE_MAX },
};

static void
test_slips(void)
{
	char big[100];
	size_t i;

	for (i = 0; i < sizeof table / sizeof table[0]; i++)
		CHECK_EQ(taf_slips(table[i].word, strlen(table[i].word), table[i].name),
		    table[i].slips);
	/* two exchanges are two slips, of seven letters as many as are allowed */
	CHECK_EQ(taf_slips("qsueeez", 7, "squeeze"), 2);
	/* only n bytes are the word */
	CHECK_EQ(taf_slips("squeeze=no", 7, "squeeze"), 0);
	memset(big, 'x', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	CHECK_EQ(taf_slips(big, sizeof big - 1, big), SIZE_MAX);
	CHECK_EQ(taf_slips("squeeze", 7, big), SIZE_MAX);
}

static void
test_nearest(void)
{
	struct taf_nearest near = { .word = "meen=3", .n = 4 };

	taf_nearest_try(&near, "median");
	CHECK(near.name == NULL);
	taf_nearest_try(&near, "mean");
	taf_nearest_try(&near, "men");
	CHECK_STR(near.name, "mean");
	taf_nearest_try(&near, "meen");
	CHECK_STR(near.name, "meen");
}

int
main(void)
{
	UNIT(test_slips);
	UNIT(test_nearest);
	return unit_end();
}
