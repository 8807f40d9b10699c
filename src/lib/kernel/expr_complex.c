/* Operations on complex values, made of those on their parts. */
#include "kernel/expr_private.h"

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
squared(struct expr_steps *s, uint32_t x)
{
	return taf_expr_two(s, OP_MUL, x, x);
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
	uint32_t flat, large, small, ratio, below, re, im, none, size;

	if (is_real(s, y))
		return PAIR(taf_expr_two(s, OP_DIV, x.re, y.re),
		    taf_expr_two(s, OP_DIV, x.im, y.re));
	size = taf_expr_one(s, OP_ABS, y.re);
	flat = taf_expr_two(s, OP_LE, taf_expr_one(s, OP_ABS, y.im), size);
	large = select_step(s, flat, y.re, y.im);
	small = select_step(s, flat, y.im, y.re);
	ratio = taf_expr_two(s, OP_DIV, small, large);
	below = taf_expr_two(s, OP_ADD, large, taf_expr_two(s, OP_MUL, small, ratio));
	/* flat: (re + im r, im - re r); else (re r + im, im r - re) */
	re = select_step(s, flat,
	    taf_expr_two(s, OP_ADD, x.re, taf_expr_two(s, OP_MUL, x.im, ratio)),
	    taf_expr_two(s, OP_ADD, taf_expr_two(s, OP_MUL, x.re, ratio), x.im));
	im = select_step(s, flat,
	    taf_expr_two(s, OP_SUB, x.im, taf_expr_two(s, OP_MUL, x.re, ratio)),
	    taf_expr_two(s, OP_SUB, taf_expr_two(s, OP_MUL, x.im, ratio), x.re));
	none = taf_expr_two(s, OP_EQ, large, taf_expr_real(s, 0));
	return PAIR(
	    select_step(s, none, taf_expr_two(s, OP_DIV, x.re, size),
	    taf_expr_two(s, OP_DIV, re, below)),
	    select_step(s, none, taf_expr_two(s, OP_DIV, x.im, size),
	    taf_expr_two(s, OP_DIV, im, below)));
}

static struct expr_pair
exponential(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t size = taf_expr_one(s, OP_EXP, x.re);
	const uint32_t zero = taf_expr_two(s, OP_EQ, x.im, taf_expr_real(s, 0));

	/* an infinity of a real number stays one */
	return PAIR(taf_expr_two(s, OP_MUL, size, taf_expr_one(s, OP_COS, x.im)),
	    select_step(s, zero, x.im,
	    taf_expr_two(s, OP_MUL, size, taf_expr_one(s, OP_SIN, x.im))));
}

static struct expr_pair
logarithm(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t re = taf_expr_one(s, OP_ABS, x.re),
	    im = taf_expr_one(s, OP_ABS, x.im);
	const uint32_t size = taf_expr_two(s, OP_HYPOT, x.re, x.im);
	const uint32_t large = taf_expr_two(s, OP_MAX, re, im);
	const uint32_t small = taf_expr_two(s, OP_MIN, re, im);
	const uint32_t one = taf_expr_real(s, 1);
	const uint32_t near = taf_expr_two(s, OP_AND,
	    taf_expr_two(s, OP_LT, taf_expr_real(s, 0.5), size),
	    taf_expr_two(s, OP_LT, size, taf_expr_real(s, 2)));
	/* |x|^2 - 1, which keeps its digits near 1 */
	const uint32_t more = taf_expr_two(s, OP_ADD, taf_expr_two(s, OP_MUL,
	    taf_expr_two(s, OP_SUB, large, one), taf_expr_two(s, OP_ADD, large, one)),
	    squared(s, small));

	return PAIR(select_step(s, near, scaled(s, taf_expr_one(s, OP_LOG1P, more), 0.5),
	    taf_expr_one(s, OP_LOG, size)), taf_expr_two(s, OP_ATAN2, x.im, x.re));
}

static struct expr_pair
root(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t zero = taf_expr_real(s, 0);
	const uint32_t half = taf_expr_two(s, OP_ADD,
	    scaled(s, taf_expr_one(s, OP_ABS, x.re), 0.5),
	    scaled(s, taf_expr_two(s, OP_HYPOT, x.re, x.im), 0.5));
	const uint32_t t = taf_expr_one(s, OP_SQRT, half);
	const uint32_t other = taf_expr_two(s, OP_DIV, x.im, scaled(s, t, 2));
	const uint32_t none = taf_expr_two(s, OP_EQ, t, zero);
	const uint32_t right = taf_expr_two(s, OP_LE, zero, x.re);
	const uint32_t tall = taf_expr_one(s, OP_ISINF, x.im);
	const uint32_t re = select_step(s, right, t, taf_expr_one(s, OP_ABS, other));
	const uint32_t im = select_step(s, right, other, taf_expr_two(s, OP_COPYSIGN, t,
	    x.im));

	return PAIR(select_step(s, none, zero,
	    select_step(s, tall, taf_expr_one(s, OP_ABS, x.im),
	    re)), select_step(s, none, x.im, select_step(s, tall, x.im, im)));
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

static struct expr_pair
hyperbolic(struct expr_steps *s, enum expr_op f, enum expr_op g, struct expr_pair x)
{
	return PAIR(taf_expr_two(s, OP_MUL, taf_expr_one(s, f, x.re),
	    taf_expr_one(s, OP_COS, x.im)), taf_expr_two(s, OP_MUL,
	    taf_expr_one(s, g, x.re), taf_expr_one(s, OP_SIN, x.im)));
}

/* (tanh a + i tan b) / (1 + i tanh a tan b) */
static struct expr_pair
hyperbolic_tangent(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t re = taf_expr_one(s, OP_TANH, x.re),
	    im = taf_expr_one(s, OP_TAN, x.im);

	return divide(s, PAIR(re, im), PAIR(taf_expr_real(s, 1),
	    taf_expr_two(s, OP_MUL, re, im)));
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

	return PAIR(taf_expr_two(s, OP_ATAN2, x.re, re), taf_expr_one(s, OP_ASINH, im));
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

	return PAIR(scaled(s, taf_expr_two(s, OP_ATAN2, below.re, above.re), 2),
	    taf_expr_one(s, OP_ASINH, im));
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

	return PAIR(taf_expr_one(s, OP_ASINH, re),
	    scaled(s, taf_expr_two(s, OP_ATAN2, below.im, above.re), 2));
}

static struct expr_pair
hyperbolic_arc_tangent(struct expr_steps *s, struct expr_pair x)
{
	const uint32_t one = taf_expr_real(s, 1), y2 = squared(s, x.im);
	const uint32_t less = taf_expr_two(s, OP_SUB, one, x.re);
	const uint32_t near = taf_expr_two(s, OP_ADD, squared(s, less), y2);
	const uint32_t across = taf_expr_two(s, OP_SUB, taf_expr_two(s, OP_MUL, less,
	    taf_expr_two(s, OP_ADD, one, x.re)), y2);

	return PAIR(scaled(s, taf_expr_one(s, OP_LOG1P, taf_expr_two(s, OP_DIV,
	    scaled(s, x.re, 4),
	    near)), 0.25), scaled(s, taf_expr_two(s, OP_ATAN2, scaled(s, x.im, 2),
	    across), 0.5));
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
