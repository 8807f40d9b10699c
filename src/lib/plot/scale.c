/* link: m */
#include "plot/scale.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/num.h"
#include "plot/label.h"

enum { LEAST = -18, MOST = 18 };

/*
 * Nobody says kiloseconds or megametres.  C may be Celsius, and F Fahrenheit: large ones
 * stay, and no temperature is so small that it would be taken for a charge.
 */
static const struct { const char *base; int most; } limits[] = {
	{ "s", 0 }, { "K", 0 }, { "C", 0 }, { "F", 0 }, { "S", 0 }, { "H", 0 },
	{ "T", 0 }, { "mol", 0 }, { "cd", 0 }, { "rad", 0 }, { "sr", 0 },
	{ "m", 3 }, { "g", 3 }, { "bar", 3 },
};

static int
most_of(const char *base)
{
	size_t i;

	for (i = 0; i < sizeof limits / sizeof limits[0]; i++)
		if (strcmp(limits[i].base, base) == 0)
			return limits[i].most;
	return MOST;
}

static bool
parse(const char *unit, struct taf_si *u)
{
	return unit != NULL && taf_si_parse(unit, strlen(unit), u);
}

bool
taf_scale_base(const char *unit, struct taf_si *u, int *most)
{
	if (!parse(unit, u))
		return false;
	*most = most_of(u->base);
	return true;
}

void
taf_scale_choose(struct taf_scale *s, const char *unit, double lo, double hi, bool log)
{
	/* the longest number; of a logarithmic axis, one in the middle */
	const double size = log ? sqrt(lo) * sqrt(hi) : fabs(lo) > fabs(hi) ? fabs(lo) :
	    fabs(hi);
	struct taf_si u;
	int power, most;

	s->shift = 0;
	s->letters = false;
	if (!taf_scale_base(unit, &u, &most) || !(size > 0) || !taf_is_finite(size))
		return;
	power = (int)floor(log10(size)) + u.power;
	if (power < LEAST || power > MOST + 2)
		return;
	if (log && hi / lo > 1000 * (1 + 1e-6)) {
		s->letters = most == MOST;
		s->shift = s->letters ? -u.power : 0;
		return;
	}
	if (size >= 1 && size < 1000)
		return;
	/* down to a multiple of 3 */
	power = power - ((power % 3) + 3) % 3;
	s->shift = (power > most ? most : power) - u.power;
}

double
taf_scale_power(double v, int power)
{
	double p = 1, base = 10;
	int k;

	/* powers of ten by squares: exact as long as they are doubles */
	for (k = power < 0 ? -power : power; k > 0; k /= 2, base *= base)
		if (k % 2 == 1)
			p *= base;
	return power < 0 ? v / p : v * p;
}

double
taf_scale_shown(const struct taf_scale *s, double v)
{
	return s->shift == 0 ? v : taf_scale_power(v, -s->shift);
}

void
taf_scale_unit(struct taf_str *to, const struct taf_scale *s, const char *unit)
{
	const char *prefix;
	struct taf_si u;

	if (unit == NULL)
		return;
	if (s->shift == 0 || !parse(unit, &u)) {
		taf_plot_text(to, unit);
		return;
	}
	prefix = taf_si_prefix(u.power + s->shift);
	taf_str_puts(to, strcmp(prefix, "u") == 0 ? "µ" : prefix);
	taf_str_puts(to, u.base);
}

bool
taf_scale_between(const char *from, const char *to, int *power)
{
	struct taf_si a, b;

	*power = 0;
	if (from == NULL || to == NULL || from[0] == '\0' || to[0] == '\0' ||
	    strcmp(from, to) == 0)
		return true;
	if (!parse(from, &a) || !parse(to, &b) || a.base != b.base)
		return false;
	*power = a.power - b.power;
	return true;
}
