/* SPDX-License-Identifier: ISC */
/* link: m */
#include "plot/axis.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/num.h"
#include "base/utf8.h"

enum { DIGITS = 7, MOST_DIGITS = 15 };

void
taf_plot_text(struct taf_str *to, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t n = strlen(s), len;

	for (; n > 0; p += len, n -= len) {
		len = taf_utf8_length(p, n);
		/* C1 controls do to terminals what the others do */
		if ((len <= 1 && (*p < 0x20 || (*p >= 0x7f && *p < 0xa0))) ||
		    (len == 2 && *p == 0xc2 && p[1] < 0xa0))
			taf_str_puts(to, " ");
		else if (len > 0)
			taf_str_put(to, p, len);
		else
			taf_str_printf(to, "%c%c", 0xc0 | *p >> 6, 0x80 | (*p & 0x3f));
		len = len > 0 ? len : 1;
	}
}

double
taf_plot_round(double v, int digits)
{
	int e;
	double m;

	/* no -0 */
	if (v == 0 || !taf_is_finite(v))
		return v + 0;
	e = (int)floor(log10(fabs(v))) - digits + 1;
	m = e < -290 || e > 290 ? 0 : rint(v / pow(10, e));
	return m == 0 || fabs(m) > 1e15 ? v : taf_plot_decimal((int64_t)m, e);
}

double
taf_plot_decimal(int64_t m, int e)
{
	char text[2 * TAF_DECIMAL_MAX];
	double v = 0;
	size_t n = taf_print_i64(text, m);

	text[n++] = 'e';
	n += taf_print_i64(text + n, e);
	(void)taf_scan_f64(text, text + n, &v);
	return v;
}

static int
digits_of(const struct taf_plot_axis *x)
{
	const double size = fabs(x->lo) > fabs(x->hi) ? fabs(x->lo) : fabs(x->hi);
	const double digits = x->dim > 0 && x->step != 0 ?
	    log10(size / fabs(x->step)) + 2 : 0;

	return !(digits > DIGITS) ? DIGITS : digits < MOST_DIGITS ? (int)digits :
	    MOST_DIGITS;
}

void
taf_plot_number(struct taf_str *to, const struct taf_plot_axis *x, double v)
{
	taf_str_f64(to, taf_plot_round(taf_scale_shown(&x->scale, v), digits_of(x)));
}

/* --- units --- */

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

static double
finite_or(double x, double other)
{
	return taf_is_finite(x) ? x : other;
}

void
taf_plot_room(const struct taf_plot_axis *x, double *lo, double *hi)
{
	const double more = x->log ? pow(x->hi / x->lo, 0.03) :
	    x->hi * 0.03 - x->lo * 0.03;
	const double from = x->lo, to = x->hi;

	*lo = !x->log ? finite_or(from - more, from) : from / more > 0 ? from / more :
	    from;
	*hi = finite_or(x->log ? to * more : to + more, to);
}

/* --- marks --- */

double
taf_plot_where(const struct taf_plot_axis *x, double v)
{
	if (x->log)
		return log(v / x->lo) / log(x->hi / x->lo);
	/* no difference overflows */
	return (v / 2 - x->lo / 2) / (x->hi / 2 - x->lo / 2);
}

double
taf_plot_place(const struct taf_plot_axis *x, double v)
{
	const double at = taf_plot_where(x, v);

	return at < 0 ? 0 : at > 1 ? 1 : at;
}

void
taf_tick_text(struct taf_str *to, const struct taf_tick *t)
{
	const size_t n = strcspn(t->text, "u");

	taf_str_put(to, t->text, n);
	taf_str_puts(to, t->text[n] == 'u' ? "µ" : "");
}

static void
set_tick(struct taf_tick *t, const struct taf_plot_axis *x, double v)
{
	const char *prefix = "";
	size_t n;
	int e;

	t->at = taf_plot_place(x, v);
	t->value = v;
	if (x->scale.letters) {
		e = 3 * (int)floor(log10(v) / 3 + 1e-9);
		prefix = taf_si_prefix(e) != NULL ? taf_si_prefix(e) : "";
		v = prefix[0] != '\0' ? taf_scale_power(v, -e) : v;
	}
	n = taf_print_f64(t->text, v);
	memcpy(t->text + n, prefix, strlen(prefix) + 1);
}

/* Round numbers of 1, 2 or 5 times a power of ten apart, at most most of them. */
static unsigned
even_ticks(const struct taf_plot_axis *x, unsigned most, struct taf_tick *t)
{
	static const int steps[] = { 1, 2, 5, 10 };
	const double span = x->hi / 2 - x->lo / 2, apart = span / most * 2;
	const int e = (int)floor(log10(apart));
	int64_t i, m = 10, first;
	unsigned n = 0;
	size_t k;
	double v;

	if (e < -290)
		return 0;
	for (k = 0; k < sizeof steps / sizeof steps[0]; k++)
		if (taf_plot_decimal(steps[k], e) >= apart) {
			m = steps[k];
			break;
		}
	v = ceil(x->lo / taf_plot_decimal(m, e));
	/* beyond what doubles count by 1 there are no round numbers */
	if (!(fabs(v) < 4e14))
		return 0;
	for (first = (int64_t)v - 1, i = 0; i < (int64_t)most + 3 && n < TAF_TICKS; i++) {
		v = taf_plot_decimal((first + i) * m, e);
		if (v >= x->lo && v <= x->hi)
			set_tick(&t[n++], x, v);
	}
	return n;
}

/* Powers of ten, or, where there are less than two, also their multiples by 2 and 5. */
static unsigned
log_ticks(const struct taf_plot_axis *x, unsigned most, struct taf_tick *t)
{
	const int lo = (int)floor(log10(x->lo)), hi = (int)ceil(log10(x->hi));
	int every = 1, e, m;
	unsigned n = 0;

	while ((hi - lo) / every + 1 > (int)most)
		every++;
	for (e = lo - lo % every - every; e <= hi; e += every)
		for (m = 1; m < 10; m += m == 1 ? 1 : m == 2 ? 3 : 5) {
			double v = taf_plot_decimal(m, e);

			if ((m > 1 && (every > 1 || hi - lo > 3 ||
			    3 * (hi - lo) > (int)most)) || n == TAF_TICKS)
				continue;
			if (v >= x->lo && v <= x->hi)
				set_tick(&t[n++], x, v);
		}
	return n;
}

unsigned
taf_ticks(const struct taf_plot_axis *axis, unsigned most, struct taf_tick *t)
{
	struct taf_plot_axis shown = *axis, *x = &shown;
	unsigned n;

	x->lo = taf_scale_shown(&axis->scale, axis->lo);
	x->hi = taf_scale_shown(&axis->scale, axis->hi);

	/* so few may lie badly */
	for (n = 0; n < 2 && most < TAF_TICKS; most++)
		n = x->log ? log_ticks(x, most, t) : even_ticks(x, most, t);
	if (n < 2) {
		set_tick(&t[0], x, x->lo);
		set_tick(&t[1], x, x->hi);
		n = 2;
	}
	return n;
}
