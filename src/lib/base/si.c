/* SPDX-License-Identifier: ISC */
#include "base/si.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"

const struct taf_si_prefix taf_si_prefixes[] = {
	{ "a", -18 }, { "f", -15 }, { "p", -12 }, { "n", -9 },
	{ "u", -6 }, { "\302\265", -6 }, { "\316\274", -6 },	/* micro sign, Greek mu */
	{ "m", -3 }, { "c", -2 }, { "d", -1 }, { "", 0 }, { "h", 2 }, { "k", 3 },
	{ "M", 6 }, { "G", 9 }, { "T", 12 }, { "P", 15 }, { "E", 18 },
	{ NULL, 0 },
};

/* The base units, each with its name in a table: several spellings may have one. */
static const struct { const char *text, *name; } bases[] = {
	{ "s", "s" }, { "m", "m" }, { "g", "g" }, { "A", "A" }, { "K", "K" },
	{ "mol", "mol" }, { "cd", "cd" }, { "Hz", "Hz" }, { "N", "N" }, { "Pa", "Pa" },
	{ "J", "J" }, { "W", "W" }, { "C", "C" }, { "V", "V" }, { "F", "F" },
	{ "S", "S" }, { "Wb", "Wb" }, { "T", "T" }, { "H", "H" }, { "rad", "rad" },
	{ "sr", "sr" }, { "Bq", "Bq" }, { "Gy", "Gy" }, { "eV", "eV" }, { "bar", "bar" },
	{ "Ohm", "Ohm" }, { "ohm", "Ohm" },
	/* Greek omega, ohm sign */
	{ "\316\251", "Ohm" }, { "\342\204\246", "Ohm" },
};

const char *
taf_si_prefix(int power)
{
	const struct taf_si_prefix *p;

	for (p = taf_si_prefixes; p->name != NULL; p++)
		if (p->power == power)
			return p->name;
	return NULL;
}

static const char *
find_base(const char *s, size_t n)
{
	size_t i, k;

	for (i = 0; i < sizeof bases / sizeof bases[0]; i++)
		if (strlen(bases[i].text) == n && memcmp(bases[i].text, s, n) == 0)
			break;
	/* one pointer for all spellings, whatever the linker does with equal strings */
	for (k = 0; i < sizeof bases / sizeof bases[0]; k++)
		if (strcmp(bases[k].name, bases[i].name) == 0)
			return bases[k].name;
	return NULL;
}

bool
taf_si_parse(const char *s, size_t n, struct taf_si *u)
{
	const struct taf_si_prefix *p;
	size_t len;

	u->power = 0;
	u->base = find_base(s, n);
	for (p = taf_si_prefixes; u->base == NULL && p->name != NULL; p++) {
		len = strlen(p->name);
		if (len == 0 || len >= n || memcmp(p->name, s, len) != 0)
			continue;
		u->base = find_base(s + len, n - len);
		u->power = p->power;
	}
	return u->base != NULL;
}

size_t
taf_si_number(const char *s, size_t n)
{
	double x;

	return taf_scan_f64(s, s + n, &x);
}

bool
taf_si_scan(const char *s, size_t n, int shift, double *x)
{
	char text[TAF_SI_DIGITS + 32];
	int64_t power = 0;
	size_t end = 0;
	double v;
	int len;

	if (!taf_parse_f64(s, n, &v))
		return false;
	while (end < n && s[end] != 'e' && s[end] != 'E')
		end++;
	/* nan and inf are what they are */
	if (shift != 0 && memchr(s, 'n', n) == NULL && memchr(s, 'N', n) == NULL) {
		if (end > TAF_SI_DIGITS || (end < n &&
		    !taf_parse_i64(s + end + 1, n - end - 1, &power)))
			return false;
		len = snprintf(text, sizeof text, "%.*se%lld", (int)end, s,
		    power > 100000 || power < -100000 ? (long long)power :
		    (long long)power + shift);
		if (!taf_parse_f64(text, (size_t)len, &v))
			return false;
	}
	*x = v;
	return true;
}
