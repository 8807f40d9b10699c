/* SPDX-License-Identifier: ISC */
/* Units with prefixes, and numbers that are shifted by powers of ten. */
#include "base/si.h"

#include "unit.h"

static void
unit(const char *text, const char *base, int power)
{
	struct taf_si u = { NULL, 0 };

	CHECK(taf_si_parse(text, strlen(text), &u));
	CHECK_STR(u.base, base);
	CHECK_INT(u.power, power);
}

static void
none(const char *text)
{
	struct taf_si u;

	CHECK(!taf_si_parse(text, strlen(text), &u));
}

static void
test_units(void)
{
	static const struct { const char *text, *base; int power; } table[] = {
		{ "s", "s", 0 }, { "ms", "s", -3 }, { "us", "s", -6 },
		{ "\302\265s", "s", -6 }, { "\316\274s", "s", -6 }, { "ns", "s", -9 },
		{ "ps", "s", -12 }, { "fs", "s", -15 }, { "Hz", "Hz", 0 },
		{ "kHz", "Hz", 3 }, { "MHz", "Hz", 6 }, { "GHz", "Hz", 9 },
		{ "THz", "Hz", 12 }, { "mHz", "Hz", -3 }, { "kg", "g", 3 },
		{ "cm", "m", -2 }, { "dm", "m", -1 }, { "km", "m", 3 }, { "mm", "m", -3 },
		{ "hPa", "Pa", 2 }, { "MV", "V", 6 }, { "mV", "V", -3 },
		{ "kOhm", "Ohm", 3 }, { "k\316\251", "Ohm", 3 }, { "mohm", "Ohm", -3 },
		/* what is a base unit itself has no prefix */
		{ "m", "m", 0 }, { "Pa", "Pa", 0 }, { "cd", "cd", 0 }, { "T", "T", 0 },
		{ "mol", "mol", 0 }, { "Gy", "Gy", 0 }, { "mmol", "mol", -3 },
	};
	struct taf_si a, b;
	size_t i;

	for (i = 0; i < sizeof table / sizeof table[0]; i++)
		unit(table[i].text, table[i].base, table[i].power);
	CHECK(taf_si_parse("kohm", 4, &a) && taf_si_parse("\342\204\246", 3, &b));
	CHECK(a.base == b.base);
	/* the n bytes alone */
	CHECK(taf_si_parse("mstuff", 2, &a));
	CHECK_INT(a.power, -3);
}

static void
test_no_units(void)
{
	static const char *const table[] = {
		"", "n", "k", "x", "nS/m", "V s", "m/s", "kk", "kkHz", "MM", "hz", "khz",
		"\302", "Secs", "1/s", "m^2", "nanos", " s", "s ",
	};
	size_t i;

	for (i = 0; i < sizeof table / sizeof table[0]; i++)
		none(table[i]);
}

static void
test_prefixes(void)
{
	const struct taf_si_prefix *p;
	unsigned n = 0;

	for (p = taf_si_prefixes; p[1].name != NULL; p++, n++)
		CHECK(p->power <= p[1].power);
	CHECK(n > 12);
	CHECK_STR(taf_si_prefix(0), "");
	CHECK_STR(taf_si_prefix(-6), "u");
	CHECK_STR(taf_si_prefix(9), "G");
	CHECK(taf_si_prefix(1) == NULL);
	CHECK(taf_si_prefix(-9 * 3) == NULL);
}

/* The compiler reads the second as our reader must: rounded once. */
static void
shifted(const char *text, int shift, double want)
{
	double x = 77;

	CHECK(taf_si_scan(text, strlen(text), shift, &x));
	CHECK(memcmp(&x, &want, sizeof x) == 0);
}

static void
test_numbers(void)
{
	double x = 77;
	char digits[500];

	shifted("50", -9, 50e-9);
	shifted("0.3", -9, 0.3e-9);
	shifted("-1.1", 6, -1.1e6);
	shifted("7e3", -15, 7e-12);
	shifted("2.5E-7", 9, 2.5e2);
	shifted(".1", -1, .1e-1);
	shifted("3.", 2, 3.e2);
	shifted("1e310", -9, 1e301);
	shifted("-0", 3, -0.0);
	shifted("41.300000000000000001", -12, 41.300000000000000001e-12);
	CHECK(taf_si_scan("-inf", 4, -9, &x) && x < 0 && x - x != 0);
	CHECK(taf_si_scan("1e999999", 8, -9, &x) && x > 0 && x - x != 0);
	CHECK(taf_si_scan("nan", 3, -9, &x) && !(x == x));
	x = 77;
	CHECK(!taf_si_scan("50n", 3, -9, &x));
	CHECK(!taf_si_scan("", 0, -9, &x));
	CHECK(!taf_si_scan("1e99999999999999999999", 22, -9, &x));
	memset(digits, '1', sizeof digits);
	CHECK(!taf_si_scan(digits, sizeof digits, -9, &x));
	CHECK(x == 77);
	CHECK_INT((int)taf_si_number("-50ns", 5), 3);
	CHECK_INT((int)taf_si_number("1e3eV", 5), 3);
	CHECK_INT((int)taf_si_number("5eV", 3), 1);
	CHECK_INT((int)taf_si_number("ns", 2), 0);
	CHECK_INT((int)taf_si_number("5", 1), 1);
}

int
main(void)
{
	UNIT(test_units);
	UNIT(test_no_units);
	UNIT(test_prefixes);
	UNIT(test_numbers);
	return unit_end();
}
