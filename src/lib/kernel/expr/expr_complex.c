/* SPDX-License-Identifier: ISC */
/*
 * Operations on complex values as formulas of real ones, in the language of expressions
 * with copysign.  The first operand is (a, b), the second (c, d).
 */
#include "kernel/expr/expr_private.h"

#define LN2 "0.693147180559945309417"

/*
 * Of a value that is so large that twice its size may overflow, of one that is so small
 * that digits are lost, and of others.
 */
#define BY_SIZE(size, large, small, other) \
	"(" size " > 2**1021 ? " large " : " size " < 2**-960 ? " small " : " other ")"

/* The larger part, without its sign; an infinite one is larger than NaN. */
#define LARGER(re, im) "fmax(abs(" re "), abs(" im "))"

/* Is it infinite, and the angle none that a sine has? */
#define ENDLESS "end = isinf(a) and not isfinite(b);"

/*
 * Where exp, sinh or cosh of a overflows, though its product with a sine may not, at is
 * nearer to 0, where they are powers of e still: their products with more and most are
 * those of a.
 */
#define NEARER(size) \
	"far = " size " > 709; farther = " size " > 1389;" \
	"step = farther ? 1360.0 : far ? 680.0 : 0.0;" \
	"more = far ? 2.090488073610356e+295 : 1.0;" \
	"most = farther ? 2.090488073610356e+295 : 1.0;"

#define HYPERBOLIC \
	ENDLESS NEARER("abs(a)") \
	/* -0 - 0 is -0, but 0 - -0 is not */ \
	"at = far ? a - copysign(step, a) : a;" \
	"middle = not isfinite(b) and a == 0;"

/* After W. Kahan, Branch cuts for complex elementary functions (1987). */
#define ROOTS(p, q) \
	"p = sqrt(complex(" p ")); q = sqrt(complex(" q "));" \
	/* where products of roots would overflow, arcs are the logarithm of twice it */ \
	"far = " LARGER("a", "b") " > 2**1021;" \
	"twice = real(log(complex(a, b))) + " LN2 ";"

#define ROTATED(f) "z = " f "(complex(-b, a)); complex(imag(z), -real(z))"

static const struct {
	enum expr_word word;
	bool first, second;	/* only where these operands are real */
	const char *text;
} formulas[] = {
	{ WORD_ABS, 0, 0, "hypot(a, b)" },
	{ WORD_ARG, 0, 0, "atan2(b, a)" },
	{ WORD_REALPART, 0, 0, "a" },
	{ WORD_IMAG, 0, 0, "b" },
	{ WORD_CONJ, 0, 0, "complex(a, -b)" },
	{ WORD_NEGATE, 0, 0, "complex(-a, -b)" },
	{ WORD_ISNAN, 0, 0, "isnan(a) or isnan(b)" },
	{ WORD_ISINF, 0, 0, "isinf(a) or isinf(b)" },
	{ WORD_ISFINITE, 0, 0, "isfinite(a) and isfinite(b)" },
	{ WORD_ADD, 0, 1, "complex(a + c, b)" },
	{ WORD_ADD, 0, 0, "complex(a + c, b + d)" },
	{ WORD_SUB, 0, 1, "complex(a - c, b)" },
	{ WORD_SUB, 0, 0, "complex(a - c, b - d)" },
	{ WORD_MUL, 1, 0, "complex(a*c, a*d)" },
	{ WORD_MUL, 0, 1, "complex(a*c, b*c)" },
	{ WORD_MUL, 0, 0, "complex(a*c - b*d, a*d + b*c)" },
	{ WORD_DIV, 0, 1, "complex(a/c, b/c)" },
	/* by Smith's rule, so that squares do not overflow */
	{ WORD_DIV, 0, 0,
		/* neither do sums, and what is tiny keeps its digits */
		"u = " LARGER("a", "b") "; v = " LARGER("c", "d") ";"
		"less = " BY_SIZE("u", "0.125", "2**600", "1.0") ";"
		"lesser = " BY_SIZE("v", "0.125", "2**600", "1.0") ";"
		"p = a*less; q = b*less; r = c*lesser; s = d*lesser; back = lesser/less;"
		"size = abs(r); flat = abs(s) <= size;"
		"large = flat ? r : s; small = flat ? s : r;"
		"ratio = small/large; below = large + small*ratio;"
		"re = flat ? p + q*ratio : p*ratio + q;"
		"im = flat ? q - p*ratio : q*ratio - p;"
		"none = large == 0;"
		"complex((none ? p/size : re/below)*back,"
		"    (none ? q/size : im/below)*back)" },
	{ WORD_POW, 0, 0,
		"z = exp(complex(c, d)*log(complex(a, b)));"
		"one = c == 0 and d == 0; none = a == 0 and b == 0;"
		"complex(one ? 1.0 : none ? 0.0 : real(z),"
		"    none or one ? 0.0 : imag(z))" },
	{ WORD_EXP, 0, 0,
		ENDLESS NEARER("a") "size = exp(far ? a - step : a);"
		"re = size*cos(b)*more*most; im = size*sin(b)*more*most;"
		/* an infinity of a real number stays one */
		"complex(end ? size : re,"
		"    b == 0 ? b : end and a < 0 ? copysign(0.0, b) : im)" },
	{ WORD_LOG, 0, 0,
		"u = abs(a); v = abs(b); part = fmax(u, v);"
		"by = " BY_SIZE("part", "2**-4", "2**600", "1.0") ";"
		"size = hypot(a*by, b*by);"
		"large = max(u, v); small = min(u, v); near = 0.5 < size and size < 2;"
		/* |x|^2 - 1, which keeps its digits near 1 */
		"square = (large - 1)*(large + 1) + small*small;"
		"complex(near ? log1p(square)*0.5 : log(size) + "
		BY_SIZE("part", "4*" LN2, "-600*" LN2, "0.0") ", atan2(b, a))" },
	{ WORD_SQRT, 0, 0,
		"part = " LARGER("a", "b") ";"
		"by = " BY_SIZE("part", "2**-4", "2**600", "1.0") "; p = a*by; q = b*by;"
		"back = " BY_SIZE("part", "4.0", "2**-300", "1.0") ";"
		"t = sqrt(abs(p)*0.5 + hypot(p, q)*0.5); other = q/(t*2);"
		"right = 0 <= a; re = right ? t : abs(other);"
		"im = right ? other : copysign(t, b); none = t == 0; tall = isinf(b);"
		"complex(none ? 0.0 : tall ? abs(b) : re*back,"
		"    none ? b : tall ? b : im*back)" },
	{ WORD_SINH, 0, 0,
		HYPERBOLIC "size = sinh(at); re = size*cos(b)*more*most;"
		"im = cosh(at)*sin(b)*more*most;"
		"complex(end ? size : middle ? a : re, b == 0 ? b : im)" },
	{ WORD_COSH, 0, 0,
		HYPERBOLIC "size = cosh(at); re = size*cos(b)*more*most;"
		"im = sinh(at)*sin(b)*more*most;"
		"complex(end ? size : re,"
		"    b == 0 ? copysign(1.0, a)*b : middle ? 0.0 : im)" },
	/* after W. Kahan, as it keeps the digits of the imaginary part */
	{ WORD_TANH, 0, 0,
		ENDLESS "t = tanh(a); y = tan(b); z = 1/cosh(a);"
		"u = t*y; below = 1 + u*u; re = t*(1 + y*y)/below; im = y/below*z*z;"
		/* at 0 the real part is 0, whatever the angle is */
		"complex(a == 0 ? a : end ? t : re,"
		"    b == 0 ? b : end ? copysign(0.0, b) : im)" },
	{ WORD_SIN, 0, 0, ROTATED("sinh") },
	{ WORD_COS, 0, 0, "cosh(complex(-b, a))" },
	{ WORD_TAN, 0, 0, ROTATED("tanh") },
	{ WORD_ASIN, 0, 0,
		ROOTS("1 - a, -b", "1 + a, b")
		"re = real(p)*real(q) - imag(p)*imag(q);"
		"im = real(p)*imag(q) - imag(p)*real(q);"
		"complex(atan2(a, far ? abs(b) : re),"
		"    far ? copysign(twice, b) : asinh(im))" },
	{ WORD_ACOS, 0, 0,
		ROOTS("1 - a, -b", "1 + a, b")
		"im = real(q)*imag(p) - imag(q)*real(p);"
		"complex(far ? atan2(abs(b), a) : atan2(real(p), real(q))*2,"
		"    far ? -copysign(twice, b) : asinh(im))" },
	{ WORD_ATAN, 0, 0, ROTATED("atanh") },
	{ WORD_ASINH, 0, 0, ROTATED("asin") },
	{ WORD_ACOSH, 0, 0,
		ROOTS("a - 1, b", "a + 1, b")
		"re = real(p)*real(q) + imag(p)*imag(q);"
		"complex(far ? twice : asinh(re),"
		"    far ? atan2(b, a) : atan2(imag(p), real(q))*2)" },
	{ WORD_ATANH, 0, 0,
		"u = abs(a); v = abs(b); less = 1 - u; square = b*b;"
		"around = less*less + square; across = less*(1 + u) - square;"
		"usual = log1p(u*4/around)*0.25;"
		/* beside the pole at 1 the square of the way is 0: log(2 / v) / 2 */
		"beside = u == 1 and v < 2**-511; pole = (" LN2 " - log(v))*0.5;"
		/* far out squares overflow: u / |x|^2 */
		"end = isinf(fmax(u, v)); far = end or max(u, v) > 2**510;"
		"half = hypot(u*0.5, v*0.5); small = u*0.25/half/half;"
		"re = end ? 0.0 : far ? small : beside ? pole : usual;"
		"right = isnan(b) ? b : copysign(pi/2, b);"
		"complex(copysign(re, a), far ? right : atan2(b*2, across)*0.5)" },
};

const char *
taf_expr_complex(enum expr_word word, bool first, bool second)
{
	for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++)
		if (formulas[k].word == word && (first || !formulas[k].first) &&
		    (second || !formulas[k].second))
			return formulas[k].text;
	return NULL;
}
