/* SPDX-License-Identifier: ISC */
/*
 * The loops of a program.  Each does one simple thing to all elements, without branches,
 * because that is what compilers vectorise, and says whether any needs another look.
 */
#include "config.h"

#include <math.h>

#include "base/bits.h"
#include "kernel/expr/expr_private.h"
#include "kernel/func/func.h"
#include "kernel/number/fast.h"
#include "kernel/number/two.h"

/* y[i] = result of the operands, all i; not 0 where a trap may have something to say. */
#define LOOP(name, R, params, args, operands, result, trap) \
TAF_FAST(uint64_t, name, params, args) \
{ \
	uint64_t t = 0; \
\
	for (size_t i = 0; i < n; i++) { \
		operands; \
		const R r = (R)(result); \
\
		y[i] = r; \
		t |= (uint64_t)(trap); \
	} \
	return t; \
}

/* y = result of p and q: many of both, or one of them for all. */
#define BINARY(name, T, R, result, trap) \
LOOP(name##_many, R, \
    (R *restrict y, const T *restrict a, const T *restrict b, size_t n), \
    (y, a, b, n), const T p = a[i]; const T q = b[i], result, trap) \
LOOP(name##_right, R, (R *restrict y, const T *restrict a, T q, size_t n), \
    (y, a, q, n), const T p = a[i], result, trap) \
LOOP(name##_left, R, (R *restrict y, T p, const T *restrict b, size_t n), \
    (y, p, b, n), const T q = b[i], result, trap) \
\
static bool \
loop_##name(const struct expr_call *c) \
{ \
	if (c->one[1] && c->n > 1) \
		return name##_right(c->y, c->x[0], *(const T *)c->x[1], c->n) != 0; \
	if (c->one[0] && c->n > 1) \
		return name##_left(c->y, *(const T *)c->x[0], c->x[1], c->n) != 0; \
	return name##_many(c->y, c->x[0], c->x[1], c->n) != 0; \
}

#define UNARY(name, T, R, result, trap) \
LOOP(name##_many, R, (R *restrict y, const T *restrict a, size_t n), (y, a, n), \
    const T p = a[i], result, trap) \
\
static bool \
loop_##name(const struct expr_call *c) \
{ \
	return name##_many(c->y, c->x[0], c->n) != 0; \
}

/* --- doubles --- */

/* The sums of whole numbers from here on have no fraction. */
#define WHOLE 0x1p52

/* Processors and compilers differ in the NaN that they make. */
static TAF_INLINE double
one_nan(double r)
{
	return r == r ? r : (double)NAN;
}

static TAF_INLINE double
nearest(double p)
{
	const double a = fabs(p), r = (a + WHOLE) - WHOLE;

	return a < WHOLE ? copysign(r, p) : p;
}

static TAF_INLINE double
down(double p)
{
	const double r = nearest(p);

	return copysign(r > p ? r - 1 : r, p);
}

static TAF_INLINE double
up(double p)
{
	const double r = nearest(p);

	return copysign(r < p ? r + 1 : r, p);
}

static TAF_INLINE double
cut(double p)
{
	return copysign(down(fabs(p)), p);
}

BINARY(ADD, double, double, one_nan(p + q), 0)
BINARY(SUB, double, double, one_nan(p - q), 0)
BINARY(MUL, double, double, one_nan(p * q), 0)
BINARY(DIV, double, double, one_nan(p / q), 0)
BINARY(ADD_ANY, double, double, p + q, 0)
BINARY(SUB_ANY, double, double, p - q, 0)
BINARY(MUL_ANY, double, double, p * q, 0)
BINARY(DIV_ANY, double, double, p / q, 0)
BINARY(MIN, double, double, ((p <= q) | (p != p)) ? p : q, 0)
BINARY(MAX, double, double, ((p >= q) | (p != p)) ? p : q, 0)
BINARY(FMIN, double, double, ((p <= q) | (q != q)) ? p : q, 0)
BINARY(FMAX, double, double, ((p >= q) | (q != q)) ? p : q, 0)
BINARY(LT, double, int64_t, p < q, 0)
BINARY(LE, double, int64_t, p <= q, 0)
BINARY(EQ, double, int64_t, p == q, 0)
BINARY(NE, double, int64_t, p != q, 0)
BINARY(COPYSIGN, double, double, copysign(p, q), 0)
UNARY(NEGATE, double, double, one_nan(-p), 0)
UNARY(ABS, double, double, one_nan(fabs(p)), 0)
UNARY(SQRT, double, double, one_nan(sqrt(p)), 0)
UNARY(SIGN, double, double, p > 0 ? 1 : p < 0 ? -1 : p, 0)
UNARY(FLOOR, double, double, down(p), 0)
UNARY(CEIL, double, double, up(p), 0)
UNARY(TRUNC, double, double, cut(p), 0)
UNARY(ROUND, double, double, nearest(p), 0)
UNARY(ISNAN, double, int64_t, p != p, 0)
UNARY(ISINF, double, int64_t, fabs(p) > 0x1.fffffffffffffp1023, 0)
UNARY(ISFINITE, double, int64_t, fabs(p) <= 0x1.fffffffffffffp1023, 0)

/* p - n q for a whole n, exact where it is near 0. */
static TAF_INLINE double
remainder_of(double p, double n, double q)
{
	const struct taf_two product = taf_two_product(n, q);

	return (p - product.hi) - product.lo;
}

/* Do the quotient, rounded, and the product with it say enough? */
static TAF_INLINE bool
is_far(double p, double q)
{
	return !((fabs(p / q) < WHOLE) & (fabs(p) < 0x1p990) & (fabs(q) < 0x1p990));
}

/* The remainder that has the sign of q. */
static TAF_INLINE double
near_mod(double p, double q)
{
	const double r = remainder_of(p, cut(p / q), q);
	const double wrapped = ((r != 0) & ((r < 0) != (q < 0))) ? r + q : r;

	return r == 0 ? copysign(0, q) : wrapped;
}

static TAF_INLINE double
near_floordiv(double p, double q)
{
	const double n = cut(p / q), r = remainder_of(p, n, q);

	return ((r != 0) & ((r < 0) != (q < 0))) ? n - 1 : n;
}

/* The bits of a finite number above 0 as a whole number; where its last one stands. */
static uint64_t
taken_apart(double p, int *last)
{
	uint64_t m = taf_bits64(p);

	*last = (int)(m >> 52);
	m &= (UINT64_C(1) << 52) - 1;
	if (*last == 0)
		*last = 1;
	else
		m |= UINT64_C(1) << 52;
	return m;
}

/* 2^k of a normal number. */
static double
power_of_two(int k)
{
	return taf_of_bits64((uint64_t)(k + 1023) << 52);
}

/* What is left of p when whole numbers of q are taken from it; it has the sign of p. */
static double
rest(double p, double q)
{
	uint64_t m, n;
	int from, to, step;
	double r;

	if (!(p - p == 0) || q != q || q == 0)
		return (p - p) / (p - p);
	if (fabs(p) < fabs(q))
		return p;
	m = taken_apart(fabs(p), &from);
	n = taken_apart(fabs(q), &to);
	/* 11 bits are free */
	for (; from > to; from -= step) {
		step = from - to < 11 ? from - to : 11;
		m = (m % n) << step;
	}
	r = (double)(m % n);
	/* the last bit of 1, whose number is 1023, stands for 2^-52 */
	r *= power_of_two(to > 100 ? to - 1075 : -1000);
	if (to <= 100)
		r *= power_of_two(to - 75);
	return copysign(r, p);
}

static double
far_mod(double p, double q)
{
	const double r = rest(p, q);

	return r == 0 ? copysign(0, q) : (r < 0) != (q < 0) && r == r ? r + q : r;
}

static double
far_floordiv(double p, double q)
{
	const double r = rest(p, q);
	double n = (p - r) / q;

	if (q == 0)
		return p / q;
	if (r != 0 && (r < 0) != (q < 0))
		n -= 1;
	return n == 0 ? copysign(0, p / q) : nearest(n);
}

BINARY(NEAR_MOD, double, double, near_mod(p, q), is_far(p, q))
BINARY(NEAR_FLOORDIV, double, double, near_floordiv(p, q), is_far(p, q))

/* Another look at the elements that the quick way is not for. */
static bool
look_far(const struct expr_call *c, double (*f)(double p, double q))
{
	const double *a = c->x[0], *b = c->x[1];
	double *y = c->y;
	size_t i;

	for (i = 0; i < c->n; i++) {
		const double p = a[c->one[0] ? 0 : i], q = b[c->one[1] ? 0 : i];

		if (is_far(p, q))
			y[i] = one_nan(f(p, q));
	}
	return false;
}

static bool
loop_MOD(const struct expr_call *c)
{
	return loop_NEAR_MOD(c) && look_far(c, far_mod);
}

static bool
loop_FLOORDIV(const struct expr_call *c)
{
	return loop_NEAR_FLOORDIV(c) && look_far(c, far_floordiv);
}

/* --- integers: the sign bit of a trap is set where the result is another --- */

#define SIGN(x) ((uint64_t)(x) >> 63)
#define BITS(x) ((uint64_t)(x))

/* Are both factors so small that no product overflows? */
#define LARGE(p, q) \
	(((BITS(p) + (UINT64_C(1) << 31)) | (BITS(q) + (UINT64_C(1) << 31))) >> 32)

static TAF_INLINE int64_t
shifted_down(int64_t p, int64_t by)
{
	return p < 0 ? ~(~p >> by) : p >> by;
}

static TAF_INLINE int64_t
most_63(int64_t by)
{
	return by < -63 ? 63 : by > 63 ? 63 : by < 0 ? -by : by;
}

static TAF_INLINE int64_t
shifted(int64_t p, int64_t by)
{
	return by < 0 ? shifted_down(p, most_63(by)) : (int64_t)(BITS(p) << most_63(by));
}

static TAF_INLINE uint64_t
shifted_u(uint64_t p, uint64_t count)
{
	const int64_t by = (int64_t)count;

	return by < -63 ? 0 : by < 0 ? p >> most_63(by) : p << most_63(by);
}

/* Is there a quotient; what can be divided by where there is none. */
#define NO_QUOTIENT(p, q) (((q) == 0) | (((q) == -1) & ((p) == INT64_MIN)))
#define DIVISOR(p, q) (NO_QUOTIENT(p, q) ? 1 : (q))

static TAF_INLINE int64_t
floor_quotient(int64_t p, int64_t q)
{
	return p / q - ((p % q != 0) & ((p < 0) != (q < 0)));
}

static TAF_INLINE int64_t
floor_remainder(int64_t p, int64_t q)
{
	const int64_t r = p % q;

	return ((r != 0) & ((r < 0) != (q < 0))) ? r + q : r;
}

BINARY(ADD_I, int64_t, int64_t, BITS(p) + BITS(q),
    SIGN((BITS(p) ^ BITS(r)) & (BITS(q) ^ BITS(r))))
BINARY(SUB_I, int64_t, int64_t, BITS(p) - BITS(q),
    SIGN((BITS(p) ^ BITS(q)) & (BITS(p) ^ BITS(r))))
BINARY(MUL_I, int64_t, int64_t, BITS(p) * BITS(q), LARGE(p, q))
BINARY(FLOORDIV_I, int64_t, int64_t, floor_quotient(p, DIVISOR(p, q)), NO_QUOTIENT(p, q))
BINARY(MOD_I, int64_t, int64_t, floor_remainder(p, ((q == 0) | (q == -1)) ? 1 : q), q ==
    0)
BINARY(MIN_I, int64_t, int64_t, p < q ? p : q, 0)
BINARY(MAX_I, int64_t, int64_t, p > q ? p : q, 0)
BINARY(SHIFT_I, int64_t, int64_t, shifted(p, q),
    (q > 0) & ((shifted_down(r, most_63(q)) != p) | ((q > 63) & (p != 0))))
BINARY(LT_I, int64_t, int64_t, p < q, 0)
BINARY(LE_I, int64_t, int64_t, p <= q, 0)
BINARY(EQ_I, int64_t, int64_t, p == q, 0)
BINARY(NE_I, int64_t, int64_t, p != q, 0)
UNARY(ABS_I, int64_t, int64_t, p < 0 ? 0 - BITS(p) : BITS(p), p == INT64_MIN)

BINARY(ADD_U, uint64_t, uint64_t, p + q, r < p)
BINARY(SUB_U, uint64_t, uint64_t, p - q, p < q)
BINARY(MUL_U, uint64_t, uint64_t, p * q, (p | q) >> 32)
BINARY(FLOORDIV_U, uint64_t, uint64_t, p / (q == 0 ? 1 : q), q == 0)
BINARY(MOD_U, uint64_t, uint64_t, p % (q == 0 ? 1 : q), q == 0)
BINARY(MIN_U, uint64_t, uint64_t, p < q ? p : q, 0)
BINARY(MAX_U, uint64_t, uint64_t, p > q ? p : q, 0)
BINARY(SHIFT_U, uint64_t, uint64_t, shifted_u(p, q), ((int64_t)q > 0) &
    ((shifted_u(r, 0 - q) != p) | (((int64_t)q > 63) & (p != 0))))
BINARY(LT_U, uint64_t, int64_t, p < q, 0)
BINARY(LE_U, uint64_t, int64_t, p <= q, 0)

BINARY(AND, uint64_t, uint64_t, p & q, 0)
BINARY(OR, uint64_t, uint64_t, p | q, 0)
BINARY(XOR, uint64_t, uint64_t, p ^ q, 0)

/* --- from one to the other --- */

UNARY(I_TO_R, int64_t, double, p, (p < 0 ? 0 - BITS(p) : BITS(p)) >> 53)
UNARY(U_TO_R, uint64_t, double, p, p >> 53)
UNARY(I_TO_U, int64_t, uint64_t, p, p < 0)
UNARY(U_TO_I, uint64_t, int64_t, p, p >> 63)
UNARY(GIVE_TRUTH, int64_t, uint8_t, p, 0)
UNARY(COPY, uint64_t, uint64_t, p, 0)

static bool
loop_FILL(const struct expr_call *c)
{
	const uint64_t x = *(const uint64_t *)c->x[0];
	uint64_t *y = c->y;
	size_t i;

	for (i = 0; i < c->n; i++)
		y[i] = x;
	return false;
}

TAF_FAST_VOID(pairs, (double *restrict y, const double *restrict re,
    const double *restrict im, size_t n), (y, re, im, n))
{
	for (size_t i = 0; i < n; i++) {
		y[2 * i] = re[i];
		y[2 * i + 1] = im[i];
	}
}

static bool
loop_GIVE_PAIR(const struct expr_call *c)
{
	pairs(c->y, c->x[0], c->x[1], c->n);
	return false;
}

/* y = condition ? a : b, by their bits; sa and sb are 0 where there is one for all. */
#define SELECT(name, left, right) \
TAF_FAST_VOID(name, (uint64_t *restrict y, const int64_t *restrict c, \
    const uint64_t *restrict a, const uint64_t *restrict b, size_t n), (y, c, a, b, n)) \
{ \
	const uint64_t a0 = *a, b0 = *b; \
\
	(void)a0, (void)b0; \
	for (size_t i = 0; i < n; i++) { \
		const uint64_t p = left, q = right; \
\
		y[i] = c[i] != 0 ? p : q; \
	} \
}

SELECT(select_many, a[i], b[i])
SELECT(select_left, a0, b[i])
SELECT(select_right, a[i], b0)
SELECT(select_both, a0, b0)

static bool
loop_SELECT(const struct expr_call *c)
{
	if (c->n == 1 || (!c->one[1] && !c->one[2]))
		select_many(c->y, c->x[0], c->x[1], c->x[2], c->n);
	else if (!c->one[2])
		select_left(c->y, c->x[0], c->x[1], c->x[2], c->n);
	else if (!c->one[1])
		select_right(c->y, c->x[0], c->x[1], c->x[2], c->n);
	else
		select_both(c->y, c->x[0], c->x[1], c->x[2], c->n);
	return false;
}

/* --- functions --- */

#define FUNCTION(op, name) \
static bool \
loop_##op(const struct expr_call *c) \
{ \
	taf_func_##name(c->y, c->x[0], c->n); \
	return false; \
}

#define FUNCTION2(op, name) \
static bool \
loop_##op(const struct expr_call *c) \
{ \
	taf_func_##name(c->y, c->x[0], c->x[1], c->n); \
	return false; \
}

EXPR_FUNCTIONS(FUNCTION)
FUNCTION2(POW, pow) FUNCTION2(ATAN2, atan2) FUNCTION2(HYPOT, hypot)

#define OF_LOOP(op) [OP_##op] = loop_##op,
#define OF_FUNCTION(op, name) [OP_##op] = loop_##op,

static expr_loop *const loops[EXPR_OPS] = {
	EXPR_LOOPS(OF_LOOP)
	EXPR_FUNCTIONS(OF_FUNCTION)
};

expr_loop *
taf_expr_loop_of(enum expr_op op, bool any_nan)
{
	static expr_loop *const faster[EXPR_OPS] = {
		[OP_ADD] = loop_ADD_ANY, [OP_SUB] = loop_SUB_ANY,
		[OP_MUL] = loop_MUL_ANY, [OP_DIV] = loop_DIV_ANY,
	};

	return any_nan && faster[op] != NULL ? faster[op] : loops[op];
}

bool
taf_expr_takes_any_nan(enum expr_op op)
{
	switch ((int)op) {
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_NEGATE: case OP_ABS:
	case OP_SQRT: case OP_LT: case OP_LE: case OP_EQ: case OP_NE: case OP_ISNAN:
	case OP_ISINF: case OP_ISFINITE:
		return true;
	}
	return false;
}

/* --- elements one by one --- */

static enum expr_trap
lane_of_product(int64_t a, int64_t b, int64_t *y)
{
	const bool minus = (a < 0) != (b < 0);
	const uint64_t p = a < 0 ? 0 - BITS(a) : BITS(a), q = b < 0 ? 0 - BITS(b) :
	    BITS(b);
	const uint64_t most = BITS(INT64_MAX) + minus;

	if (q != 0 && p > most / q) {
		*y = minus ? INT64_MIN : INT64_MAX;
		return TRAP_RANGE;
	}
	*y = (int64_t)(minus ? 0 - p * q : p * q);
	return TRAP_NONE;
}

static enum expr_trap
lane_of_quotient(int64_t a, int64_t b, int64_t *y)
{
	if (b == 0) {
		*y = a > 0 ? INT64_MAX : a < 0 ? INT64_MIN : 0;
		return TRAP_ZERO;
	}
	*y = NO_QUOTIENT(a, b) ? INT64_MAX : floor_quotient(a, b);
	return NO_QUOTIENT(a, b) ? TRAP_RANGE : TRAP_NONE;
}

static bool
is_exact(enum expr_op op, union expr_value of, double y)
{
	return op == OP_I_TO_R ? y < 0x1p63 && (int64_t)y == of.i :
	    y < 0x1p64 && (uint64_t)y == of.u;
}

enum expr_trap
taf_expr_lane(enum expr_op op, union expr_value a, union expr_value b,
    union expr_value *y)
{
	const struct expr_call c = { .y = y, .x = { &a, &b }, .n = 1 };

	if (!loops[op](&c))
		return TRAP_NONE;
	switch ((int)op) {
	case OP_I_TO_R:
	case OP_U_TO_R:
		return is_exact(op, a, y->r) ? TRAP_NONE : TRAP_ROUNDED;
	case OP_MUL_I:
		return lane_of_product(a.i, b.i, &y->i);
	case OP_FLOORDIV_I:
		return lane_of_quotient(a.i, b.i, &y->i);
	case OP_FLOORDIV_U:
		y->u = a.u > 0 ? UINT64_MAX : 0;
		return TRAP_ZERO;
	case OP_MOD_I:
	case OP_MOD_U:
		y->u = 0;
		return TRAP_ZERO;
	case OP_I_TO_U:
	case OP_SUB_U:
		y->u = 0;
		return TRAP_RANGE;
	case OP_U_TO_I:
	case OP_ABS_I:
		y->i = INT64_MAX;
		return TRAP_RANGE;
	case OP_MUL_U:
		if (b.u == 0 || a.u <= UINT64_MAX / b.u)
			return TRAP_NONE;
		y->u = UINT64_MAX;
		return TRAP_RANGE;
	case OP_ADD_U:
	case OP_SHIFT_U:
		y->u = UINT64_MAX;
		return TRAP_RANGE;
	}
	/* sums, differences and shifts of int64 */
	y->i = a.i < 0 ? INT64_MIN : INT64_MAX;
	return TRAP_RANGE;
}

/* --- what comes from a place --- */

TAF_FAST_VOID(ramp, (double *y, double first, double start, double step, size_t n),
    (y, first, start, step, n))
{
	for (size_t i = 0; i < n; i++)
		y[i] = start + (first + (double)(int32_t)i) * step;
}

void
taf_expr_ramp(double *y, double first, double start, double step, size_t n)
{
	ramp(y, first, start, step, n);
}

void
taf_expr_count(int64_t *y, int64_t first, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		y[i] = first + (int64_t)i;
}

#define STRIDE UINT64_C(0x9e3779b97f4a7c15)

/* The mixing function of SplitMix64 (Steele, Lea, Flood 2014; constants of S. Vigna). */
static TAF_INLINE uint64_t
mixed(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t
taf_expr_rand_key(uint64_t seed, uint64_t stream)
{
	return mixed(mixed(seed + STRIDE) + stream);
}

TAF_FAST_VOID(noise, (double *y, uint64_t key, uint64_t first, size_t n),
    (y, key, first, n))
{
	for (size_t i = 0; i < n; i++) {
		/* 52 bits behind the point of a number in [1, 2) */
		const uint64_t u = mixed(key + (first + i + 1) * STRIDE) >> 12 |
		    UINT64_C(0x3ff0000000000000);

		y[i] = taf_of_bits64(u) - 1;
	}
}

void
taf_expr_rand(double *y, uint64_t key, uint64_t first, size_t n)
{
	noise(y, key, first, n);
}
