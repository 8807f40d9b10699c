/* link: m */
#include "plot/ticks.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/si.h"
#include "plot/label.h"

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
