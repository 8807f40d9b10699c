/* Operations on complex values, made of those on their parts. */
#include "kernel/expr/expr_private.h"

#define LN2 0.693147180559945309417
#define PAIR(re, im) (struct expr_pair){ re, im }

static uint32_t
select_step(struct expr_steps *s, uint32_t c, uint32_t x, uint32_t y)
{
	return taf_expr_emit(s, OP_SELECT, c, x, y);
}

static bool
is_number(const struct expr_steps *s, uint32_t k, double value)
{
	return taf_expr_is_const(s, k) && s->step[k].value.u ==
	    (union expr_value){ .r = value }.u;
}

/* Was it made of a real number? */
static bool
is_real(const struct expr_steps *s, struct expr_pair x)
{
	return is_number(s, x.im, 0);
}

static uint32_t
scaled(struct expr_steps *s, uint32_t x, double by)
{
	return taf_expr_two(s, OP_MUL, x, taf_expr_real(s, by));
}

static uint32_t
times(struct expr_steps *s, uint32_t x, uint32_t y)
{
	return taf_expr_two(s, OP_MUL, x, y);
}

static uint32_t
squared(struct expr_steps *s, uint32_t x)
{
	return times(s, x, x);
}

static uint32_t
both(struct expr_steps *s, uint32_t c, uint32_t d)
{
	return taf_expr_two(s, OP_AND, c, d);
}

/* Is x above this number? */
static uint32_t
above(struct expr_steps *s, uint32_t x, double number)
{
	return taf_expr_two(s, OP_LT, taf_expr_real(s, number), x);
}

/* One number if a condition holds, else another. */
static uint32_t
either(struct expr_steps *s, uint32_t c, double x, double y)
{
	return select_step(s, c, taf_expr_real(s, x), taf_expr_real(s, y));
}

/* The larger part, without its sign; an infinite one is larger than NaN. */
static uint32_t
larger_part(struct expr_steps *s, struct expr_pair x)
{
	return taf_expr_two(s, OP_FMAX, taf_expr_one(s, OP_ABS, x.re),
	    taf_expr_one(s, OP_ABS, x.im));
}

/* Is it so large that twice its size may overflow, or so small that digits are lost? */
#define HUGE_PART 0x1p1021
#define TINY_PART 0x1p-960

/* What is large of one value, small of another, and which else is of no influence. */
static uint32_t
by_size(struct expr_steps *s, uint32_t size, double large, double small, double else_)
{
	return select_step(s, above(s, size, HUGE_PART), taf_expr_real(s, large),
	    select_step(s, taf_expr_two(s, OP_LT, size, taf_expr_real(s, TINY_PART)),
	    taf_expr_real(s, small), taf_expr_real(s, else_)));
}

static struct expr_pair
resized(struct expr_steps *s, struct expr_pair x, uint32_t by)
{
	return PAIR(times(s, x.re, by), times(s, x.im, by));
}

static struct expr_pair
add(struct expr_steps *s, enum expr_op op, struct expr_pair x, struct expr_pair y)
{
	return PAIR(taf_expr_two(s, op, x.re, y.re),
	    is_real(s, y) ? x.im : taf_expr_two(s, op, x.im, y.im));
}

static struct expr_pair
negated(struct expr_steps *s, struct expr_pair x)
{
	return PAIR(taf_expr_one(s, OP_NEGATE, x.re), taf_expr_one(s, OP_NEGATE, x.im));
}

static struct expr_pair
multiply(struct expr_steps *s, struct expr_pair x, struct expr_pair y)
{
	if (is_real(s, x))
		return PAIR(taf_expr_two(s, OP_MUL, x.re, y.re),
		    taf_expr_two(s, OP_MUL, x.re, y.im));
	if (is_real(s, y))
		return PAIR(taf_expr_two(s, OP_MUL, x.re, y.re),
		    taf_expr_two(s, OP_MUL, x.im, y.re));
	return PAIR(taf_expr_two(s, OP_SUB, taf_expr_two(s, OP_MUL, x.re, y.re),
	    taf_expr_two(s, OP_MUL, x.im, y.im)),
	    taf_expr_two(s, OP_ADD, taf_expr_two(s, OP_MUL, x.re, y.im),
	    taf_expr_two(s, OP_MUL, x.im, y.re)));
}

/* By Smith's rule, so that squares do not overflow. */
static struct expr_pair
divide(struct expr_steps *s, struct expr_pair x, struct expr_pair y)
{
	uint32_t flat, large, small, ratio, below, re, im, none, size, less, lesser;

	if (is_real(s, y))
		return PAIR(taf_expr_two(s, OP_DIV, x.re, y.re),
		    taf_expr_two(s, OP_DIV, x.im, y.re));
	/* neither do sums, and what is tiny keeps its digits */
	less = by_size(s, larger_part(s, x), 0.125, 0x1p600, 1);
	lesser = by_size(s, larger_part(s, y), 0.125, 0x1p600, 1);
	x = resized(s, x, less);
	y = resized(s, y, lesser);
	lesser = taf_expr_two(s, OP_DIV, lesser, less);
	size = taf_expr_one(s, OP_ABS, y.re);
	flat = taf_expr_two(s, OP_LE, taf_expr_one(s, OP_ABS, y.im), size);
	large = select_step(s, flat, y.re, y.im);
	small = select_step(s, flat, y.im, y.re);
	ratio = taf_expr_two(s, OP_DIV, small, large);
	below = taf_expr_two(s, OP_ADD, large, times(s, small, ratio));
	/* flat: (re + im r, im - re r); else (re r + im, im r - re) */
	re = select_step(s, flat,
	    taf_expr_two(s, OP_ADD, x.re, times(s, x.im, ratio)),
	    taf_expr_two(s, OP_ADD, times(s, x.re, ratio), x.im));
	im = select_step(s, flat,
	    taf_expr_two(s, OP_SUB, x.im, times(s, x.re, ratio)),
	    taf_expr_two(s, OP_SUB, times(s, x.im, ratio), x.re));
	none = taf_expr_two(s, OP_EQ, large, taf_expr_real(s, 0));
	return resized(s, PAIR(
	    select_step(s, none, taf_expr_two(s, OP_DIV, x.re, size),
	    taf_expr_two(s, OP_DIV, re, below)),
	    select_step(s, none, taf_expr_two(s, OP_DIV, x.im, size),
	    taf_expr_two(s, OP_DIV, im, below))), lesser);
}

/*
 * Where exp, sinh or cosh of x overflows, though its product with a sine may not, x is
 * brought nearer to 0, where they are powers of e still: *more, twice, is what that takes
 * from them.
 */
static uint32_t
nearer(struct expr_steps *s, uint32_t x, bool mirrored, uint32_t more[2])
{
	static const double step = 680, by = 0x1.05db0a762c9acp+981;
	const uint32_t size = mirrored ? taf_expr_one(s, OP_ABS, x) : x;
	const uint32_t far = above(s, size, 709), farther = above(s, size, 709 + step);
	uint32_t shift = select_step(s, farther, taf_expr_real(s, 2 * step),
	    either(s, far, step, 0));

	if (mirrored)
		shift = taf_expr_two(s, OP_COPYSIGN, shift, x);
	more[0] = either(s, far, by, 1);
	more[1] = either(s, farther, by, 1);
	/* -0 - 0 is -0, but 0 - -0 is not */
	return select_step(s, far, taf_expr_two(s, OP_SUB, x, shift), x);
}

/* size times wave, a cosine or sine, and what was taken from the size. */
static uint32_t
product(struct expr_steps *s, uint32_t size, uint32_t wave, const uint32_t more[2])
{
	return times(s, times(s, times(s, size, wave), more[0]), more[1]);
}

/* Is x infinite, and the angle none that a sine has? */
static uint32_t
endless(struct expr_steps *s, struct expr_pair x)
{
	return both(s, taf_expr_one(s, OP_ISINF, x.re), taf_expr_two(s, OP_XOR,
	    taf_expr_one(s, OP_ISFINITE, x.im), taf_expr_integer(s, 1)));
}

static struct expr_pair
exponential(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t zero = taf_expr_real(s, 0);
	const uint32_t none = taf_expr_two(s, OP_EQ, x.im, zero);
	const uint32_t end = endless(s, x), low = taf_expr_two(s, OP_LT, x.re, zero);
	uint32_t more[2], size, re, im;

	size = taf_expr_one(s, OP_EXP, nearer(s, x.re, false, more));
	re = product(s, size, taf_expr_one(s, OP_COS, x.im), more);
	im = product(s, size, taf_expr_one(s, OP_SIN, x.im), more);
	/* an infinity of a real number stays one */
	return PAIR(select_step(s, end, size, re), select_step(s, none, x.im,
	    select_step(s, both(s, end, low), taf_expr_two(s, OP_COPYSIGN, zero, x.im),
	    im)));
}

static struct expr_pair
logarithm(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t re = taf_expr_one(s, OP_ABS, x.re),
	    im = taf_expr_one(s, OP_ABS, x.im), part = larger_part(s, x);
	const struct expr_pair y = resized(s, x, by_size(s, part, 0x1p-4, 0x1p600, 1));
	const uint32_t size = taf_expr_two(s, OP_HYPOT, y.re, y.im);
	const uint32_t large = taf_expr_two(s, OP_MAX, re, im);
	const uint32_t small = taf_expr_two(s, OP_MIN, re, im);
	const uint32_t one = taf_expr_real(s, 1);
	const uint32_t near = both(s, taf_expr_two(s, OP_LT, taf_expr_real(s, 0.5), size),
	    taf_expr_two(s, OP_LT, size, taf_expr_real(s, 2)));
	/* |x|^2 - 1, which keeps its digits near 1 */
	const uint32_t more = taf_expr_two(s, OP_ADD, times(s,
	    taf_expr_two(s, OP_SUB, large, one), taf_expr_two(s, OP_ADD, large, one)),
	    squared(s, small));

	return PAIR(select_step(s, near, scaled(s, taf_expr_one(s, OP_LOG1P, more), 0.5),
	    taf_expr_two(s, OP_ADD, taf_expr_one(s, OP_LOG, size),
	    by_size(s, part, 4 * LN2, -600 * LN2, 0))),
	    taf_expr_two(s, OP_ATAN2, x.im, x.re));
}

static struct expr_pair
root(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t zero = taf_expr_real(s, 0), part = larger_part(s, x);
	const struct expr_pair y = resized(s, x, by_size(s, part, 0x1p-4, 0x1p600, 1));
	const uint32_t half = taf_expr_two(s, OP_ADD,
	    scaled(s, taf_expr_one(s, OP_ABS, y.re), 0.5),
	    scaled(s, taf_expr_two(s, OP_HYPOT, y.re, y.im), 0.5));
	const uint32_t t = taf_expr_one(s, OP_SQRT, half);
	const uint32_t other = taf_expr_two(s, OP_DIV, y.im, scaled(s, t, 2));
	const uint32_t none = taf_expr_two(s, OP_EQ, t, zero);
	const uint32_t right = taf_expr_two(s, OP_LE, zero, x.re);
	const uint32_t tall = taf_expr_one(s, OP_ISINF, x.im);
	const uint32_t re = select_step(s, right, t, taf_expr_one(s, OP_ABS, other));
	const uint32_t im = select_step(s, right, other, taf_expr_two(s, OP_COPYSIGN, t,
	    x.im));
	const struct expr_pair z = resized(s, PAIR(re, im),
	    by_size(s, part, 0x1p2, 0x1p-300, 1));

	return PAIR(select_step(s, none, zero,
	    select_step(s, tall, taf_expr_one(s, OP_ABS, x.im), z.re)),
	    select_step(s, none, x.im, select_step(s, tall, x.im, z.im)));
}

/* A whole power by products. */
static struct expr_pair
whole_power(struct expr_steps *s, struct expr_pair x, unsigned n)
{
	struct expr_pair y = { taf_expr_real(s, 1), taf_expr_real(s, 0) };

	for (; n > 0; n /= 2) {
		if (n % 2 > 0)
			y = multiply(s, y, x);
		if (n > 1)
			x = multiply(s, x, x);
	}
	return y;
}

static struct expr_pair
power(struct expr_steps *s, struct expr_pair x, struct expr_pair y)
{
	const struct expr_pair one = { taf_expr_real(s, 1), taf_expr_real(s, 0) };
	uint32_t none, nothing;
	struct expr_pair z;

	for (int n = -64; n <= 64; n++)
		if (is_real(s, y) && is_number(s, y.re, n)) {
			z = whole_power(s, x, (unsigned)(n < 0 ? -n : n));
			return n < 0 ? divide(s, one, z) : z;
		}
	none = taf_expr_two(s, OP_AND, taf_expr_two(s, OP_EQ, x.re, one.im),
	    taf_expr_two(s, OP_EQ, x.im, one.im));
	nothing = taf_expr_two(s, OP_AND, taf_expr_two(s, OP_EQ, y.re, one.im),
	    taf_expr_two(s, OP_EQ, y.im, one.im));
	z = exponential(s, multiply(s, y, logarithm(s, x)));
	return PAIR(select_step(s, nothing, one.re, select_step(s, none, one.im, z.re)),
	    select_step(s, taf_expr_two(s, OP_OR, none, nothing), one.im, z.im));
}

/* i x, and x / i */
static struct expr_pair
times_i(struct expr_steps *s, struct expr_pair x)
{
	return PAIR(taf_expr_one(s, OP_NEGATE, x.im), x.re);
}

static struct expr_pair
over_i(struct expr_steps *s, struct expr_pair x)
{
	return PAIR(x.im, taf_expr_one(s, OP_NEGATE, x.re));
}

/* sinh: f is that, and g cosh; cosh: the other way. */
static struct expr_pair
hyperbolic(struct expr_steps *s, enum expr_op f, enum expr_op g, struct expr_pair x)
{
	const uint32_t zero = taf_expr_real(s, 0), one = taf_expr_real(s, 1);
	const uint32_t end = endless(s, x), none = taf_expr_two(s, OP_EQ, x.im, zero);
	/* of the real axis, and of infinite angles at 0 */
	const uint32_t sign = taf_expr_two(s, OP_COPYSIGN, one, x.re);
	const uint32_t flat = g == OP_COSH ? x.im : times(s, sign, x.im);
	const uint32_t wild = taf_expr_two(s, OP_XOR, taf_expr_one(s, OP_ISFINITE, x.im),
	    taf_expr_integer(s, 1));
	const uint32_t middle = both(s, wild, taf_expr_two(s, OP_EQ, x.re, zero));
	uint32_t more[2], at, size, other, re, im;

	at = nearer(s, x.re, true, more);
	size = taf_expr_one(s, f, at);
	other = taf_expr_one(s, g, at);
	re = product(s, size, taf_expr_one(s, OP_COS, x.im), more);
	im = product(s, other, taf_expr_one(s, OP_SIN, x.im), more);
	if (f == OP_SINH)
		re = select_step(s, middle, x.re, re);
	else
		im = select_step(s, middle, zero, im);
	return PAIR(select_step(s, end, size, re), select_step(s, none, flat, im));
}

/* After W. Kahan, as it keeps the digits of the imaginary part. */
static struct expr_pair
hyperbolic_tangent(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t zero = taf_expr_real(s, 0), one = taf_expr_real(s, 1);
	const uint32_t t = taf_expr_one(s, OP_TANH, x.re);
	const uint32_t y = taf_expr_one(s, OP_TAN, x.im);
	const uint32_t c = taf_expr_two(s, OP_DIV, one, taf_expr_one(s, OP_COSH, x.re));
	const uint32_t below = taf_expr_two(s, OP_ADD, one, squared(s, times(s, t, y)));
	const uint32_t re = taf_expr_two(s, OP_DIV, times(s, t,
	    taf_expr_two(s, OP_ADD, one, squared(s, y))), below);
	const uint32_t im = times(s, times(s, taf_expr_two(s, OP_DIV, y, below), c), c);
	const uint32_t end = endless(s, x), none = taf_expr_two(s, OP_EQ, x.im, zero);

	/* at 0 the real part is 0, whatever the angle is */
	return PAIR(select_step(s, taf_expr_two(s, OP_EQ, x.re, zero), x.re,
	    select_step(s, end, t, re)), select_step(s, none, x.im,
	    select_step(s, end, taf_expr_two(s, OP_COPYSIGN, zero, x.im), im)));
}

/* Where products of two roots would overflow, arcs are those of the logarithm of 2 x. */
struct far {
	uint32_t is, log;
};

static struct far
far_out(struct expr_steps *s, struct expr_pair x)
{
	return (struct far){ above(s, larger_part(s, x), HUGE_PART),
		taf_expr_two(s, OP_ADD, logarithm(s, x).re, taf_expr_real(s, LN2)) };
}

/* After W. Kahan, Branch cuts for complex elementary functions (1987). */
static struct expr_pair
arc_sine(struct expr_steps *s, struct expr_pair x)
{
	const struct expr_pair one = { taf_expr_real(s, 1), taf_expr_real(s, 0) };
	const struct expr_pair below = root(s, PAIR(taf_expr_two(s, OP_SUB, one.re, x.re),
	    taf_expr_one(s, OP_NEGATE, x.im)));
	const struct expr_pair above = root(s, PAIR(taf_expr_two(s, OP_ADD, one.re, x.re),
	    x.im));
	const uint32_t re = taf_expr_two(s, OP_SUB,
	    taf_expr_two(s, OP_MUL, below.re, above.re),
	    taf_expr_two(s, OP_MUL, below.im, above.im));
	const uint32_t im = taf_expr_two(s, OP_SUB,
	    taf_expr_two(s, OP_MUL, below.re, above.im),
	    taf_expr_two(s, OP_MUL, below.im, above.re));

	const struct far far = far_out(s, x);

	return PAIR(taf_expr_two(s, OP_ATAN2, x.re, select_step(s, far.is,
	    taf_expr_one(s, OP_ABS, x.im), re)), select_step(s, far.is,
	    taf_expr_two(s, OP_COPYSIGN, far.log, x.im), taf_expr_one(s, OP_ASINH, im)));
}

static struct expr_pair
arc_cosine(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t one = taf_expr_real(s, 1);
	const struct expr_pair below = root(s, PAIR(taf_expr_two(s, OP_SUB, one, x.re),
	    taf_expr_one(s, OP_NEGATE, x.im)));
	const struct expr_pair above = root(s, PAIR(taf_expr_two(s, OP_ADD, one, x.re),
	    x.im));
	const uint32_t im = taf_expr_two(s, OP_SUB,
	    taf_expr_two(s, OP_MUL, above.re, below.im),
	    taf_expr_two(s, OP_MUL, above.im, below.re));

	const struct far far = far_out(s, x);
	const uint32_t angle = taf_expr_two(s, OP_ATAN2, taf_expr_one(s, OP_ABS, x.im),
	    x.re);
	const uint32_t down = taf_expr_one(s, OP_NEGATE, taf_expr_two(s, OP_COPYSIGN,
	    far.log, x.im));

	return PAIR(select_step(s, far.is, angle,
	    scaled(s, taf_expr_two(s, OP_ATAN2, below.re, above.re), 2)),
	    select_step(s, far.is, down, taf_expr_one(s, OP_ASINH, im)));
}

static struct expr_pair
hyperbolic_arc_cosine(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t one = taf_expr_real(s, 1);
	const struct expr_pair below = root(s, PAIR(taf_expr_two(s, OP_SUB, x.re, one),
	    x.im));
	const struct expr_pair above = root(s, PAIR(taf_expr_two(s, OP_ADD, x.re, one),
	    x.im));
	const uint32_t re = taf_expr_two(s, OP_ADD,
	    taf_expr_two(s, OP_MUL, below.re, above.re),
	    taf_expr_two(s, OP_MUL, below.im, above.im));

	const struct far far = far_out(s, x);

	return PAIR(select_step(s, far.is, far.log, taf_expr_one(s, OP_ASINH, re)),
	    select_step(s, far.is, taf_expr_two(s, OP_ATAN2, x.im, x.re),
	    scaled(s, taf_expr_two(s, OP_ATAN2, below.im, above.re), 2)));
}

static struct expr_pair
hyperbolic_arc_tangent(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t zero = taf_expr_real(s, 0), one = taf_expr_real(s, 1);
	const uint32_t a = taf_expr_one(s, OP_ABS, x.re);
	const uint32_t b = taf_expr_one(s, OP_ABS, x.im);
	const uint32_t less = taf_expr_two(s, OP_SUB, one, a), y2 = squared(s, x.im);
	const uint32_t around = taf_expr_two(s, OP_ADD, squared(s, less), y2);
	const uint32_t across = taf_expr_two(s, OP_SUB, times(s, less,
	    taf_expr_two(s, OP_ADD, one, a)), y2);
	const uint32_t usual = scaled(s, taf_expr_one(s, OP_LOG1P, taf_expr_two(s, OP_DIV,
	    scaled(s, a, 4), around)), 0.25);
	/* beside the pole at 1 the square of the way there is 0: log(2 / b) / 2 */
	const uint32_t beside = both(s, taf_expr_two(s, OP_EQ, a, one),
	    taf_expr_two(s, OP_LT, b, taf_expr_real(s, 0x1p-511)));
	const uint32_t pole = scaled(s, taf_expr_two(s, OP_SUB, taf_expr_real(s, LN2),
	    taf_expr_one(s, OP_LOG, b)), 0.5);
	/* far out squares overflow: a / |x|^2 */
	const uint32_t end = taf_expr_one(s, OP_ISINF, larger_part(s, x));
	const uint32_t far = taf_expr_two(s, OP_OR, end,
	    above(s, taf_expr_two(s, OP_MAX, a, b), 0x1p510));
	const uint32_t half = taf_expr_two(s, OP_HYPOT, scaled(s, a, 0.5),
	    scaled(s, b, 0.5));
	const uint32_t small = taf_expr_two(s, OP_DIV, taf_expr_two(s, OP_DIV,
	    scaled(s, a, 0.25), half), half);
	const uint32_t re = select_step(s, end, zero, select_step(s, far, small,
	    select_step(s, beside, pole, usual)));
	const uint32_t right = select_step(s, taf_expr_one(s, OP_ISNAN, x.im), x.im,
	    taf_expr_two(s, OP_COPYSIGN, taf_expr_real(s, 0x1.921fb54442d18p+0), x.im));
	const uint32_t im = select_step(s, far, right, scaled(s, taf_expr_two(s, OP_ATAN2,
	    scaled(s, x.im, 2), across), 0.5));

	return PAIR(taf_expr_two(s, OP_COPYSIGN, re, x.re), im);
}

bool
taf_expr_complex(struct expr_steps *s, enum expr_word word, const struct expr_pair *x,
    struct expr_pair *y, bool *real)
{
	*real = false;
	switch ((int)word) {
	case WORD_ADD:
		*y = add(s, OP_ADD, x[0], x[1]);
		return true;
	case WORD_SUB:
		*y = add(s, OP_SUB, x[0], x[1]);
		return true;
	case WORD_MUL:
		*y = multiply(s, x[0], x[1]);
		return true;
	case WORD_DIV:
		*y = divide(s, x[0], x[1]);
		return true;
	case WORD_POW:
		*y = power(s, x[0], x[1]);
		return true;
	case WORD_NEGATE:
		*y = negated(s, x[0]);
		return true;
	case WORD_CONJ:
		*y = PAIR(x[0].re, taf_expr_one(s, OP_NEGATE, x[0].im));
		return true;
	case WORD_EXP:
		*y = exponential(s, x[0]);
		return true;
	case WORD_LOG:
		*y = logarithm(s, x[0]);
		return true;
	case WORD_SQRT:
		*y = root(s, x[0]);
		return true;
	case WORD_SIN:
		*y = over_i(s, hyperbolic(s, OP_SINH, OP_COSH, times_i(s, x[0])));
		return true;
	case WORD_COS:
		*y = hyperbolic(s, OP_COSH, OP_SINH, times_i(s, x[0]));
		return true;
	case WORD_TAN:
		*y = over_i(s, hyperbolic_tangent(s, times_i(s, x[0])));
		return true;
	case WORD_SINH:
		*y = hyperbolic(s, OP_SINH, OP_COSH, x[0]);
		return true;
	case WORD_COSH:
		*y = hyperbolic(s, OP_COSH, OP_SINH, x[0]);
		return true;
	case WORD_TANH:
		*y = hyperbolic_tangent(s, x[0]);
		return true;
	case WORD_ASIN:
		*y = arc_sine(s, x[0]);
		return true;
	case WORD_ACOS:
		*y = arc_cosine(s, x[0]);
		return true;
	case WORD_ATAN:
		*y = over_i(s, hyperbolic_arc_tangent(s, times_i(s, x[0])));
		return true;
	case WORD_ASINH:
		*y = over_i(s, arc_sine(s, times_i(s, x[0])));
		return true;
	case WORD_ACOSH:
		*y = hyperbolic_arc_cosine(s, x[0]);
		return true;
	case WORD_ATANH:
		*y = hyperbolic_arc_tangent(s, x[0]);
		return true;
	}
	*real = true;
	y->im = taf_expr_real(s, 0);
	switch ((int)word) {
	case WORD_ABS:
		y->re = taf_expr_two(s, OP_HYPOT, x->re, x->im);
		return true;
	case WORD_ARG:
		y->re = taf_expr_two(s, OP_ATAN2, x->im, x->re);
		return true;
	case WORD_REALPART:
		y->re = x->re;
		return true;
	case WORD_IMAG:
		y->re = x->im;
		return true;
	}
	return false;
}
