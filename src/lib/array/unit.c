/* SPDX-License-Identifier: ISC */
#include "array/unit.h"

#include <stdbool.h>
#include <string.h>

#include "base/num.h"

enum { FACTORS = 16, POWER = 99 };

/* A name to a power. */
struct factor {
	const char *name;	/* lent */
	size_t len;
	int power;
	bool whole;		/* not a name, but any text */
};

/* Powers above 0 are over the line, those below under it. */
struct unit {
	struct factor f[2 * FACTORS];
	size_t n;
};

static const char *
skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '*')
		p++;
	return p;
}

/* Behind the name at p: brackets belong to it, as those of log(V/s). */
static const char *
name_end(const char *p)
{
	const char *from = p;
	unsigned depth = 0;

	for (; *p != '\0'; p++)
		if (*p == '(')
			depth++;
		else if (*p == ')' && depth > 0)
			depth--;
		else if (depth == 0 && strchr(" */^()", *p) != NULL)
			break;
	return depth > 0 ? from : p;
}

static bool
add(struct unit *u, struct factor f)
{
	size_t i;

	for (i = 0; i < u->n; i++)
		if (u->f[i].len == f.len && memcmp(u->f[i].name, f.name, f.len) == 0) {
			u->f[i].power += f.power;
			return u->f[i].power >= -POWER && u->f[i].power <= POWER;
		}
	if (u->n == sizeof u->f / sizeof u->f[0])
		return false;
	u->f[u->n++] = f;
	return true;
}

/* A name and its power, which is sign where none is said. */
static bool
parse_factor(const char **p, int sign, struct factor *f)
{
	int64_t power;
	size_t n;

	f->name = *p;
	*p = name_end(*p);
	f->len = (size_t)(*p - f->name);
	f->power = sign;
	f->whole = false;
	if (**p != '^')
		return f->len > 0;
	n = strcspn(++*p, " */)");
	if (!taf_parse_i64(*p, n, &power) || power < -POWER || power > POWER ||
	    power == 0)
		return false;
	*p += n;
	f->power = sign * (int)power;
	return f->len > 0;
}

/* Names, over the line, behind each "/" one under it, or several in brackets. */
static bool
parse(struct unit *u, const char *text)
{
	const char *p = skip_blanks(text);
	bool under = false, bracket = false;
	struct factor f;

	if (p[0] == '1' && *skip_blanks(p + 1) == '/')
		p = skip_blanks(p + 1);
	while (*p != '\0') {
		if (*p == '/' && !under) {
			under = true;
			p = skip_blanks(p + 1);
			bracket = *p == '(';
			p = skip_blanks(p + bracket);
		}
		if (!parse_factor(&p, under ? -1 : 1, &f) || !add(u, f))
			return false;
		p = skip_blanks(p);
		if (bracket && *p == ')') {
			bracket = false;
			p = skip_blanks(p + 1);
		}
		under = bracket;
	}
	return u->n > 0 && !bracket;
}

/* u times the factors of text, each to this power. */
static bool
multiply(struct unit *u, const char *text, int power)
{
	struct unit more = { .n = 0 };
	size_t i;

	if (!parse(&more, text)) {
		more.n = 1;
		more.f[0] = (struct factor){ text, strlen(text), 1, true };
	}
	for (i = 0; i < more.n; i++) {
		more.f[i].power *= power;
		if (!add(u, more.f[i]))
			return false;
	}
	return true;
}

/* Those with a power of this sign, blanks between them. */
static enum taf_status
put_side(struct taf_buf *to, const struct unit *u, int sign, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	const char *blank = "";
	size_t i;

	for (i = 0; i < u->n && st == TAF_OK; i++) {
		const struct factor *f = &u->f[i];

		if (f->power * sign <= 0)
			continue;
		st = taf_buf_printf(to, e, f->whole ? "%s(%.*s)" : "%s%.*s", blank,
		    (int)f->len, f->name);
		if (st == TAF_OK && f->power * sign > 1)
			st = taf_buf_printf(to, e, "^%d", f->power * sign);
		blank = " ";
	}
	return st;
}

static enum taf_status
put(struct taf_buf *to, const struct unit *u, struct taf_err *e)
{
	enum taf_status st;
	size_t i, over = 0, under = 0;

	for (i = 0; i < u->n; i++) {
		over += u->f[i].power > 0;
		under += u->f[i].power < 0;
	}
	st = put_side(to, u, 1, e);
	if (st != TAF_OK || under == 0)
		return st;
	st = taf_buf_puts(to, over > 0 ? "/" : "1/", e);
	if (st == TAF_OK && under > 1)
		st = taf_buf_puts(to, "(", e);
	if (st == TAF_OK)
		st = put_side(to, u, -1, e);
	return st == TAF_OK && under > 1 ? taf_buf_puts(to, ")", e) : st;
}

static bool
known(const char *unit)
{
	return unit != NULL && unit[0] != '\0';
}

static enum taf_status
combine(struct taf_buf *to, const char *a, const char *b, int power, struct taf_err *e)
{
	struct unit u = { .n = 0 };

	if (!known(a) || !known(b))
		return TAF_OK;
	if (multiply(&u, a, 1) && multiply(&u, b, power))
		return put(to, &u, e);
	return taf_buf_printf(to, e, power > 0 ? "(%s) (%s)" : "(%s)/(%s)", a, b);
}

enum taf_status
taf_unit_inverse(struct taf_buf *to, const char *unit, struct taf_err *e)
{
	static const char *const pairs[][2] = {
		{ "s", "Hz" }, { "ms", "kHz" }, { "us", "MHz" }, { "ns", "GHz" },
		{ "ps", "THz" }, { "fs", "PHz" }, { "ks", "mHz" }, { "\xc2\xb5s", "MHz" },
		{ "\xce\xbcs", "MHz" },
	};
	struct unit u = { .n = 0 };
	size_t i;

	if (!known(unit))
		return TAF_OK;
	for (i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		if (strcmp(unit, pairs[i][0]) == 0)
			return taf_buf_puts(to, pairs[i][1], e);
		if (strcmp(unit, pairs[i][1]) == 0)
			return taf_buf_puts(to, pairs[i][0], e);
	}
	if (!multiply(&u, unit, -1))
		return taf_buf_printf(to, e, "1/(%s)", unit);
	return put(to, &u, e);
}

enum taf_status
taf_unit_times(struct taf_buf *to, const char *a, const char *b, struct taf_err *e)
{
	return combine(to, a, b, 1, e);
}

enum taf_status
taf_unit_per(struct taf_buf *to, const char *a, const char *b, struct taf_err *e)
{
	return combine(to, a, b, -1, e);
}

enum taf_status
taf_unit_along(struct taf_array *a, unsigned k, int power, struct taf_err *e)
{
	const char *own = taf_attr_get(a, "unit", TAF_OF_ARRAY, 0);
	const char *of_dim = taf_attr_get(a, "unit", TAF_OF_DIM, k);
	struct taf_buf unit = { NULL, 0, 0 };
	enum taf_status st;

	st = power > 0 ? taf_unit_times(&unit, own, of_dim, e) :
	    taf_unit_per(&unit, own, of_dim, e);
	if (st == TAF_OK)
		st = taf_attr_set(a, "unit", TAF_OF_ARRAY, 0, unit.data, e);
	taf_buf_free(&unit);
	return st;
}
