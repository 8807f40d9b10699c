#include "kernel/calculus.h"

#include "config.h"
#include "base/attr.h"
#include "base/num.h"
#include "kernel/fast.h"
#include "kernel/two.h"

TAF_WIDE_VOID(subtract, (double *restrict out, const double *restrict x, size_t apart,
    size_t n), (out, x, apart, n))
{
	size_t i;

	for (i = 0; i < n; i++)
		out[i] = x[i + apart] - x[i];
}

void
taf_differences(double *out, const double *x, size_t n)
{
	subtract(out, x, 1, n);
}

/* The slope at the first of three points, or, with sign -1, at the last, which p is. */
static double
end_slope(const double *p, int sign, double step)
{
	return sign * ((4 * p[sign] - 3 * p[0]) - p[2 * sign]) / (2 * step);
}

void
taf_gradient(double *out, uint64_t at, size_t n, const struct taf_points_at *points,
    double step, bool rough)
{
	const double *x = points->p + (at - points->first);
	const uint64_t last = points->len - 1;

	if (last == 1) {
		for (; n > 0; n--)
			*out++ = (points->p[1] - points->p[0]) / step;
		return;
	}
	if (at == 0) {
		*out++ = end_slope(x++, 1, step);
		at++;
		n--;
	}
	if (n > 0 && at + n == last + 1) {
		n--;
		out[n] = end_slope(x + n, -1, step);
	}
	if (n == 0)
		return;
	subtract(out, x - 1, 2, n);
	taf_divide(out, n, 2 * step, rough);
}

/* What is summed between point i and the next; six times the integral of the parabola. */
static double
simpson(const struct taf_points_at *points, uint64_t i)
{
	const double *x = points->p + (i - points->first);

	if (points->len == 2)
		return 6 * (x[0] + x[1]);
	return i % 2 == 0 && i + 2 < points->len ? (5 * x[0] + 8 * x[1]) - x[2] :
	    (8 * x[0] + 5 * x[1]) - x[-1];
}

/* A sum and what is added last; the lower part means nothing beside an infinity. */
static double
total(const struct taf_two *s, double more)
{
	const double hi = s->hi + more;

	return taf_is_finite(hi) ? hi + s->lo : hi;
}

void
taf_integrate(const struct taf_integral *how, struct taf_sum_so_far *sum, double *out,
    uint64_t at, size_t n, const struct taf_points_at *points)
{
	const double *x = points->p + (at - points->first);
	struct taf_two s = { sum->hi, sum->lo };
	double scale = how->step;
	size_t i = 0;

	if (at == 0 && n > 0 && how->rule != TAF_RULE_SUM) {
		s.hi = how->rule == TAF_RULE_TRAPEZOID ? x[0] / 2 : 0;
		out[i++] = 0;
	}
	switch (how->rule) {
	case TAF_RULE_TRAPEZOID:
		/* half of a point is in its own result, all of it in the next one */
		for (; i < n; i++) {
			out[i] = total(&s, x[i] / 2);
			taf_two_add(&s, x[i]);
		}
		break;
	case TAF_RULE_SUM:
		for (; i < n; i++) {
			taf_two_add(&s, x[i]);
			out[i] = total(&s, 0);
		}
		break;
	case TAF_RULE_SIMPSON:
		scale /= 12;
		for (; i < n; i++) {
			taf_two_add(&s, simpson(points, at + i - 1));
			out[i] = total(&s, 0);
		}
		break;
	}
	for (i = 0; i < n; i++)
		out[i] = how->start + scale * out[i];
	sum->hi = s.hi;
	sum->lo = s.lo;
}
