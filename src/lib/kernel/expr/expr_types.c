/* SPDX-License-Identifier: ISC */
/* Nodes to steps: what type each value has, and which loop computes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/expr/expr_private.h"

enum kind { TRUTH, INTEGER, REAL, PAIR };

/* The width of written integers, indices and truth, which widen nothing. */
enum { NO_WIDTH = -1 };

struct value {
	enum kind kind;
	int width;		/* of an integer: the widest type of inputs, or none */
	bool u;			/* an integer that is computed as uint64, not as int64 */
	struct expr_pair at;	/* im is of pairs alone */
};

/* Where a value is looked at: where a condition holds, or does not. */
struct guard {
	uint32_t up, condition;	/* a guard around it; a node */
	uint32_t latest;	/* of its condition and those around it */
	bool holds;
	uint32_t step;
};

enum { NO_GUARD = 0 };		/* the guard of what is always looked at */

struct typer {
	const struct taf_expr *x;
	const struct taf_expr_over *over;
	struct expr_typed *t;
	struct expr_steps *s;
	struct value *value;	/* of each node */
	const uint32_t *given;	/* steps: what the inputs of a formula are, or NULL */
	uint32_t *guarded;	/* the guard of each node, EXPR_NONE: it is not used */
	struct guard *guard;
	uint32_t nguard;
	struct taf_err *err;
};

/* No value; the first failure sticks. */
static struct value
refuse(const struct typer *ty, const struct expr_node *node, const char *what)
{
	if (ty->s->st == TAF_OK)
		ty->s->st = taf_fail(ty->err, TAF_EUSAGE,
		    "expression: column %u: \"%s\" %s", node->column,
		    taf_expr_word_name(node->word), what);
	return (struct value){ .kind = REAL };
}

/* --- guards --- */

static void
reach(struct typer *ty, uint32_t node, uint32_t guard)
{
	uint32_t *g = &ty->guarded[node];

	/* a variable may stand before the condition under which it is used */
	while (guard != NO_GUARD && ty->guard[guard].latest >= node)
		guard = ty->guard[guard].up;
	/* what is used in two places is always looked at */
	*g = *g == EXPR_NONE || *g == guard ? guard : NO_GUARD;
}

static uint32_t
add_guard(struct typer *ty, uint32_t up, uint32_t condition, bool holds)
{
	const uint32_t before = ty->guard[up].latest;

	ty->guard[ty->nguard] = (struct guard){ up, condition,
	    up != NO_GUARD && before > condition ? before : condition, holds, EXPR_NONE };
	return ty->nguard++;
}

/* From the result down: which nodes are used, and where they are looked at. */
static void
reach_all(struct typer *ty)
{
	reach(ty, ty->x->result, NO_GUARD);
	for (uint32_t i = ty->x->result + 1; i-- > 0;) {
		const struct expr_node *node = &ty->x->node[i];
		const uint32_t *arg = ty->x->arg + node->arg, g = ty->guarded[i];
		const bool where = node->word == WORD_WHERE, and = node->word == WORD_AND;
		const bool guards = where || and || node->word == WORD_OR;

		for (uint32_t k = 0; g != EXPR_NONE && k < node->narg; k++)
			reach(ty, arg[k], k == 0 || !guards ? g :
			    add_guard(ty, g, arg[0], where ? k == 1 : and));
	}
}

static uint32_t truth(struct typer *ty, const struct value *v);
static uint32_t negated(struct typer *ty, uint32_t step);

/* The step of truth that a guard is; that of the outer ones comes first. */
static uint32_t
guard_step(struct typer *ty, uint32_t g)
{
	while (g != NO_GUARD && ty->guard[g].step == EXPR_NONE) {
		uint32_t outer = g, step;
		struct guard *now;

		while (ty->guard[outer].up != NO_GUARD &&
		    ty->guard[ty->guard[outer].up].step == EXPR_NONE)
			outer = ty->guard[outer].up;
		now = &ty->guard[outer];
		step = truth(ty, &ty->value[now->condition]);
		if (!now->holds)
			step = negated(ty, step);
		if (now->up != NO_GUARD)
			step = taf_expr_two(ty->s, OP_AND, step, ty->guard[now->up].step);
		now->step = step;
	}
	return g == NO_GUARD ? EXPR_NONE : ty->guard[g].step;
}

/* --- values --- */

static struct value
real_value(uint32_t step)
{
	return (struct value){ .kind = REAL, .width = NO_WIDTH, .at = { step, 0 } };
}

static struct value
integer_value(uint32_t step, int width, bool u)
{
	return (struct value){ .kind = INTEGER, .width = width, .u = u,
	    .at = { step, 0 } };
}

static struct value
pair_value(uint32_t re, uint32_t im)
{
	return (struct value){ .kind = PAIR, .width = NO_WIDTH, .at = { re, im } };
}

static struct value
truth_value(uint32_t step)
{
	return (struct value){ .kind = TRUTH, .width = NO_WIDTH, .at = { step, 0 } };
}

static bool
is_whole(const struct value *v)
{
	return v->kind == TRUTH || v->kind == INTEGER;
}

/* Is a step constant? *value is then its value. */
static bool
constant(const struct typer *ty, uint32_t step, union expr_value *value)
{
	if (!taf_expr_is_const(ty->s, step))
		return false;
	*value = ty->s->step[step].value;
	return true;
}

static bool
is_zero(const struct typer *ty, uint32_t step)
{
	union expr_value c;

	return constant(ty, step, &c) && c.u == 0;
}

/* Has the input of these elements less than 64 bits? */
static bool
is_small(const struct typer *ty, uint32_t step)
{
	const struct expr_step *s = &ty->s->step[step];

	return ty->s->st == TAF_OK && s->op == OP_INPUT &&
	    taf_type_size(ty->over->in[s->value.u]->type) < 8;
}

/* The value as doubles; of a pair, its real part. */
static uint32_t
real(struct typer *ty, const struct value *v)
{
	const uint32_t at = v->at.re;

	if (!is_whole(v))
		return at;
	/* what is small may come as doubles from the beginning */
	if (is_small(ty, at))
		return taf_expr_emit(ty->s, OP_INPUT_REAL, at, EXPR_NONE, EXPR_NONE);
	if (ty->s->st == TAF_OK && ty->s->step[at].op == OP_INDEX)
		return taf_expr_leaf(ty->s, OP_INDEX_REAL, ty->s->step[at].value.u);
	return taf_expr_one(ty->s, v->u ? OP_U_TO_R : OP_I_TO_R, at);
}

static struct expr_pair
pair(struct typer *ty, const struct value *v)
{
	return v->kind == PAIR ? v->at :
	    (struct expr_pair){ real(ty, v), taf_expr_real(ty->s, 0) };
}

/* Is it not 0? */
static uint32_t
truth(struct typer *ty, const struct value *v)
{
	uint32_t zero;

	if (v->kind == TRUTH)
		return v->at.re;
	if (v->kind == INTEGER)
		return taf_expr_two(ty->s, OP_NE_I, v->at.re, taf_expr_integer(ty->s, 0));
	zero = taf_expr_two(ty->s, OP_NE, v->at.re, taf_expr_real(ty->s, 0));
	return v->kind == REAL ? zero : taf_expr_two(ty->s, OP_OR, zero,
	    taf_expr_two(ty->s, OP_NE, v->at.im, taf_expr_real(ty->s, 0)));
}

/* Of truth */
static uint32_t
negated(struct typer *ty, uint32_t step)
{
	return taf_expr_two(ty->s, OP_XOR, step, taf_expr_integer(ty->s, 1));
}

/* The widest of two types of integers; int64 where one has a sign and one has not. */
static int
wider(int a, int b)
{
	if (a == NO_WIDTH || b == NO_WIDTH)
		return a == NO_WIDTH ? b : a;
	if (taf_type_is_signed((enum taf_type)a) != taf_type_is_signed((enum taf_type)b))
		return TAF_INT64;
	return taf_type_size((enum taf_type)a) >= taf_type_size((enum taf_type)b) ? a : b;
}

/* An integer as int64 or uint64, where it fits that. */
static uint32_t
integer_as(struct typer *ty, const struct value *v, bool u)
{
	return v->u == u ? v->at.re :
	    taf_expr_one(ty->s, u ? OP_I_TO_U : OP_U_TO_I, v->at.re);
}

/* Are two integers computed with as uint64? */
static bool
as_uint64(const struct value *a, const struct value *b)
{
	const int width = wider(a->width, b->width);

	return (a->u || b->u) &&
	    (width == NO_WIDTH || !taf_type_is_signed((enum taf_type)width));
}

/* --- operators --- */

static struct value type_node(struct typer *ty, const struct expr_node *node);

/* The value of a formula; its inputs are real numbers, these steps. */
static struct value
formula(const struct typer *outer, const char *text, const uint32_t given[])
{
	struct typer ty = { .s = outer->s, .given = given, .err = outer->err };
	struct value y = { .kind = REAL };
	struct taf_expr *x;

	if (ty.s->st == TAF_OK)
		ty.s->st = taf_expr_formula(&x, text, ty.err);
	if (ty.s->st != TAF_OK)
		return y;
	ty.x = x;
	ty.value = calloc(x->nnode, sizeof *ty.value);
	if (ty.value == NULL)
		ty.s->st = taf_fail_mem(ty.err);
	for (uint32_t i = 0; i < x->nnode && ty.s->st == TAF_OK; i++)
		ty.value[i] = type_node(&ty, &x->node[i]);
	if (ty.s->st == TAF_OK)
		y = ty.value[x->result];
	free(ty.value);
	taf_expr_free(x);
	return y;
}

/* An operation on integers: op is that on int64, and above that on uint64. */
static struct value
whole(struct typer *ty, enum expr_op on_i, enum expr_op on_u, const struct value *a,
    const struct value *b)
{
	const bool u = as_uint64(a, b);

	return integer_value(taf_expr_two(ty->s, u ? on_u : on_i, integer_as(ty, a, u),
	    integer_as(ty, b, u)), wider(a->width, b->width), u);
}

/* A written 2^63: without its sign int64 does not hold it. */
static bool
negate_most(struct typer *ty, struct value *v)
{
	union expr_value c;

	if (!v->u || !constant(ty, v->at.re, &c) || c.u != UINT64_C(1) << 63)
		return false;
	v->at.re = taf_expr_integer(ty->s, INT64_MIN);
	v->u = false;
	return true;
}

/* Sums with a written negative number: as differences they are in uint64, too. */
static bool
negate_written(struct typer *ty, struct value *b)
{
	union expr_value c;

	if (b->u || !constant(ty, b->at.re, &c) || c.i >= 0 || c.i == INT64_MIN)
		return false;
	b->at.re = taf_expr_integer(ty->s, -c.i);
	return true;
}

static struct value
whole_sum(struct typer *ty, bool minus, const struct value *a, const struct value *b)
{
	struct value other;

	if (!minus && b->u && !a->u) {
		const struct value *first = a;

		a = b;
		b = first;
	}
	other = *b;
	if (a->u ? negate_written(ty, &other) : minus && negate_most(ty, &other))
		minus = !minus;
	return minus ? whole(ty, OP_SUB_I, OP_SUB_U, a, &other) :
	    whole(ty, OP_ADD_I, OP_ADD_U, a, &other);
}

/* a < b or a <= b of integers, exact where one is int64 and the other uint64. */
static uint32_t
whole_less(struct typer *ty, bool equal, const struct value *a, const struct value *b)
{
	struct expr_steps *s = ty->s;
	const uint32_t zero = taf_expr_integer(s, 0);
	uint32_t bits;

	if (!a->u && !b->u)
		return taf_expr_two(s, equal ? OP_LE_I : OP_LT_I, a->at.re, b->at.re);
	bits = taf_expr_two(s, equal ? OP_LE_U : OP_LT_U, a->at.re, b->at.re);
	if (a->u && b->u)
		return bits;
	return a->u ? taf_expr_two(s, OP_AND, taf_expr_two(s, OP_LE_I, zero, b->at.re),
	    bits) : taf_expr_two(s, OP_OR, taf_expr_two(s, OP_LT_I, a->at.re, zero),
	    bits);
}

static uint32_t
whole_equal(struct typer *ty, const struct value *a, const struct value *b)
{
	const uint32_t bits = taf_expr_two(ty->s, OP_EQ_I, a->at.re, b->at.re);

	if (a->u == b->u)
		return bits;
	return taf_expr_two(ty->s, OP_AND, taf_expr_two(ty->s, OP_LE_I,
	    taf_expr_integer(ty->s, 0), a->u ? b->at.re : a->at.re), bits);
}

static struct value
compare(struct typer *ty, const struct expr_node *node, const struct value *a,
    const struct value *b)
{
	const bool swap = node->word == WORD_GT || node->word == WORD_GE;
	const bool equal = node->word == WORD_LE || node->word == WORD_GE;
	const struct value *l = swap ? b : a, *r = swap ? a : b;
	const bool integers = is_whole(a) && is_whole(b);

	if (a->kind == PAIR || b->kind == PAIR)
		return refuse(ty, node, "of complex values: compare abs, real or imag");
	if (node->word != WORD_EQ && node->word != WORD_NE)
		return truth_value(integers ? whole_less(ty, equal, l, r) :
		    taf_expr_two(ty->s, equal ? OP_LE : OP_LT, real(ty, l), real(ty, r)));
	if (!integers)
		return truth_value(taf_expr_two(ty->s,
		    node->word == WORD_EQ ? OP_EQ : OP_NE, real(ty, a), real(ty, b)));
	return truth_value(node->word == WORD_EQ ? whole_equal(ty, a, b) :
	    negated(ty, whole_equal(ty, a, b)));
}

static const char no_integers[] = "of numbers that are no integers";

static struct value
bits(struct typer *ty, const struct expr_node *node, enum expr_op op,
    const struct value *a, const struct value *b)
{
	const bool u = as_uint64(a, b);
	struct value left = *a, right = *b, y;

	if (!is_whole(a) || !is_whole(b))
		return refuse(ty, node, no_integers);
	/* a written number stands for its bits */
	left.u = taf_expr_is_const(ty->s, left.at.re) ? u : left.u;
	right.u = taf_expr_is_const(ty->s, right.at.re) ? u : right.u;
	y = integer_value(taf_expr_two(ty->s, op, integer_as(ty, &left, u),
	    integer_as(ty, &right, u)), wider(a->width, b->width), u);
	if (a->kind == TRUTH && b->kind == TRUTH)
		y.kind = TRUTH;
	return y;
}

/* Complement within the type, where that has no sign. */
static struct value
complement(struct typer *ty, const struct expr_node *node, const struct value *a)
{
	uint64_t ones = UINT64_MAX;
	struct value y = *a;

	if (!is_whole(a))
		return refuse(ty, node, no_integers);
	if (a->kind == TRUTH)
		ones = 1;
	else if (a->width != NO_WIDTH && !taf_type_is_signed((enum taf_type)a->width))
		ones = taf_type_facts((enum taf_type)a->width)->max;
	y.at.re = taf_expr_two(ty->s, OP_XOR, a->at.re,
	    taf_expr_leaf(ty->s, OP_CONST, ones));
	return y;
}

/*
 * Towards higher bits; a count below 0 goes the other way.  As int64 its sign may be
 * changed: what is beyond that shifts everything out, too.
 */
static struct value
shift(struct typer *ty, const struct expr_node *node, const struct value *a,
    const struct value *b)
{
	struct expr_steps *s = ty->s;
	uint32_t by;

	if (!is_whole(a) || !is_whole(b))
		return refuse(ty, node, no_integers);
	by = b->u ? taf_expr_two(s, OP_MIN_U, b->at.re, taf_expr_integer(s, INT64_MAX)) :
	    taf_expr_two(s, OP_MAX_I, b->at.re, taf_expr_integer(s, -INT64_MAX));
	if (node->word == WORD_SHIFT_RIGHT)
		by = taf_expr_two(s, OP_SUB_I, taf_expr_integer(s, 0), by);
	return integer_value(taf_expr_two(s, a->u ? OP_SHIFT_U : OP_SHIFT_I,
	    a->at.re, by), a->width, a->u);
}

/* One of two values: their common kind. */
static struct value
choose(struct typer *ty, const uint32_t arg[])
{
	struct expr_steps *s = ty->s;
	const struct value *a = &ty->value[arg[1]], *b = &ty->value[arg[2]];
	const uint32_t outer = s->guard, which = truth(ty, &ty->value[arg[0]]);
	const enum kind kind = a->kind > b->kind ? a->kind : b->kind;
	struct value y = { .kind = kind, .width = NO_WIDTH };
	struct expr_pair l = a->at, r = b->at;

	if (kind == INTEGER) {
		y.width = wider(a->width, b->width);
		y.u = as_uint64(a, b);
		s->guard = guard_step(ty, ty->guarded[arg[1]]);
		l.re = integer_as(ty, a, y.u);
		s->guard = guard_step(ty, ty->guarded[arg[2]]);
		r.re = integer_as(ty, b, y.u);
		s->guard = outer;
	} else if (kind != TRUTH) {
		l = pair(ty, a);
		r = pair(ty, b);
	}
	if (kind == PAIR)
		y.at.im = taf_expr_emit(s, OP_SELECT, which, l.im, r.im);
	y.at.re = taf_expr_emit(s, OP_SELECT, which, l.re, r.re);
	return y;
}

/* min, max and their like, of two. */
static struct value
extreme(struct typer *ty, const struct expr_node *node, enum expr_word word,
    const struct value *a, const struct value *b)
{
	static const enum expr_op of[][3] = {	/* int64, uint64, doubles */
		{ OP_MIN_I, OP_MIN_U, OP_MIN }, { OP_MAX_I, OP_MAX_U, OP_MAX },
		{ OP_MIN_I, OP_MIN_U, OP_FMIN }, { OP_MAX_I, OP_MAX_U, OP_FMAX },
	};
	const enum expr_op *op = of[word - WORD_MIN];

	if (a->kind == PAIR || b->kind == PAIR)
		return refuse(ty, node, "takes no complex values");
	if (is_whole(a) && is_whole(b))
		return whole(ty, op[0], op[1], a, b);
	return real_value(taf_expr_two(ty->s, op[2], real(ty, a), real(ty, b)));
}

static struct value
extremes(struct typer *ty, const struct expr_node *node)
{
	const uint32_t *arg = ty->x->arg + node->arg;
	struct value y = ty->value[arg[0]];

	if (node->word == WORD_CLIP) {
		y = extreme(ty, node, WORD_MAX, &y, &ty->value[arg[1]]);
		return extreme(ty, node, WORD_MIN, &y, &ty->value[arg[2]]);
	}
	for (uint32_t k = 1; k < node->narg; k++)
		y = extreme(ty, node, node->word, &y, &ty->value[arg[k]]);
	return y;
}

static struct value
power(struct typer *ty, const struct value *a, const struct value *b)
{
	const uint32_t x = real(ty, a), y = real(ty, b);
	union expr_value c;

	/* a square is a product to the last bit */
	return real_value(constant(ty, y, &c) && c.r == 2 ?
	    taf_expr_two(ty->s, OP_MUL, x, x) : taf_expr_two(ty->s, OP_POW, x, y));
}

static struct value
noise(struct typer *ty, const struct expr_node *node, const struct value *a)
{
	union expr_value seed;
	uint32_t given[2];

	if (!is_whole(a) || !constant(ty, a->at.re, &seed))
		return refuse(ty, node, "takes a seed that is a written integer");
	given[0] = taf_expr_leaf(ty->s, OP_RAND, taf_expr_rand_key(seed.u, 0));
	given[1] = taf_expr_leaf(ty->s, OP_RAND, taf_expr_rand_key(seed.u, 1));
	/* Box and Muller: the logarithm is of a number above 0 */
	return formula(ty, node->word == WORD_RAND ? "a" :
	    "sqrt(-2*log(1 - a))*cos(2*pi*b)", given);
}

/* An operation on real numbers, or a formula of them. */
static struct value
on_reals(struct typer *ty, const struct expr_node *node, const struct value *a,
    const struct value *b)
{
	static const struct {
		enum expr_word word;
		enum expr_op op;
		const char *formula;
	} known[] = {
		{ WORD_ADD, OP_ADD, NULL }, { WORD_SUB, OP_SUB, NULL },
		{ WORD_MUL, OP_MUL, NULL }, { WORD_DIV, OP_DIV, NULL },
		{ WORD_FLOORDIV, OP_FLOORDIV, NULL }, { WORD_MOD, OP_MOD, NULL },
		{ WORD_ATAN2, OP_ATAN2, NULL }, { WORD_HYPOT, OP_HYPOT, NULL },
		{ WORD_COPYSIGN, OP_COPYSIGN, NULL }, { WORD_NEGATE, OP_NEGATE, NULL },
		{ WORD_ABS, OP_ABS, NULL }, { WORD_SIGN, OP_SIGN, NULL },
		{ WORD_FLOOR, OP_FLOOR, NULL }, { WORD_CEIL, OP_CEIL, NULL },
		{ WORD_TRUNC, OP_TRUNC, NULL }, { WORD_ROUND, OP_ROUND, NULL },
		{ WORD_FRAC, EXPR_OPS, "a - floor(a)" },
		{ WORD_DEG, EXPR_OPS, "a*57.29577951308232" },
		{ WORD_RAD, EXPR_OPS, "a*0.017453292519943295" },
		{ WORD_SINC, EXPR_OPS, "t = pi*a; a == 0 ? 1.0 : sin(t)/t" },
		{ WORD_REALPART, EXPR_OPS, "a" }, { WORD_CONJ, EXPR_OPS, "a" },
		{ WORD_IMAG, EXPR_OPS, "0.0" }, { WORD_ARG, EXPR_OPS, "atan2(0.0, a)" },
		{ WORD_COMPLEX, EXPR_OPS, NULL },
		{ WORD_POLAR, EXPR_OPS, "complex(a*cos(b), a*sin(b))" },
	};
	const uint32_t x[] = { real(ty, a), real(ty, b) };
	enum expr_op op = (enum expr_op)(OP_SQRT + (node->word - WORD_SQRT));

	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		if (known[k].word != node->word)
			continue;
		if (known[k].formula != NULL)
			return formula(ty, known[k].formula, x);
		op = known[k].op;
	}
	if (op == EXPR_OPS)
		return pair_value(x[0], x[1]);
	return real_value(node->narg == 2 ? taf_expr_two(ty->s, op, x[0], x[1]) :
	    taf_expr_one(ty->s, op, x[0]));
}

/* An operation that has a rule of its own for integers; false where there is none. */
static bool
on_integers(struct typer *ty, enum expr_word word, const struct value *a,
    const struct value *b, struct value *y)
{
	const struct value zero = integer_value(taf_expr_integer(ty->s, 0), NO_WIDTH,
	    false);
	struct value other = *a;

	switch ((int)word) {
	case WORD_ADD:
	case WORD_SUB:
		*y = whole_sum(ty, word == WORD_SUB, a, b);
		return true;
	case WORD_MUL:
		*y = whole(ty, OP_MUL_I, OP_MUL_U, a, b);
		return true;
	case WORD_FLOORDIV:
		*y = whole(ty, OP_FLOORDIV_I, OP_FLOORDIV_U, a, b);
		return true;
	case WORD_MOD:
		*y = whole(ty, OP_MOD_I, OP_MOD_U, a, b);
		return true;
	case WORD_NEGATE:
		*y = other;
		if (a->width == NO_WIDTH && negate_most(ty, y))
			return true;
		other.at.re = integer_as(ty, a, false);
		other.u = false;
		*y = whole(ty, OP_SUB_I, OP_SUB_U, &zero, &other);
		return true;
	case WORD_ABS:
		*y = integer_value(a->u ? a->at.re :
		    taf_expr_one(ty->s, OP_ABS_I, a->at.re), a->width, a->u);
		return true;
	}
	return false;
}

/* An operation on pairs, or on one and a real number. */
static struct value
on_pairs(struct typer *ty, const struct expr_node *node, enum expr_word word,
    const struct value *a, const struct value *b)
{
	const struct expr_pair p = pair(ty, a), q = pair(ty, b);
	const uint32_t given[] = { p.re, p.im, q.re, q.im };
	const char *text = taf_expr_complex(word, is_zero(ty, p.im), is_zero(ty, q.im));

	return text == NULL ? refuse(ty, node, "takes no complex values") :
	    formula(ty, text, given);
}

/* A small whole power by products. */
static struct value
pair_power(struct typer *ty, const struct expr_node *node, const struct value *a,
    const struct value *b)
{
	const struct expr_pair q = pair(ty, b);
	const struct value one = pair_value(taf_expr_real(ty->s, 1),
	    taf_expr_real(ty->s, 0));
	struct value x = *a, y = one;
	union expr_value c;

	if (!constant(ty, q.re, &c) || !is_zero(ty, q.im) || !(fabs(c.r) <= 64) ||
	    c.r != (int)c.r)
		return on_pairs(ty, node, WORD_POW, a, b);
	for (int n = abs((int)c.r); n > 0; n /= 2) {
		if (n % 2 > 0)
			y = on_pairs(ty, node, WORD_MUL, &y, &x);
		if (n > 1)
			x = on_pairs(ty, node, WORD_MUL, &x, &x);
	}
	return c.r >= 0 ? y : on_pairs(ty, node, WORD_DIV, &one, &y);
}

/* --- nodes --- */

static struct value
input(struct typer *ty, uint32_t k)
{
	const struct taf_array *a;

	if (ty->given != NULL)
		return real_value(ty->given[k]);
	a = ty->over->in[k];
	if (taf_type_is_pair(a->type))
		return pair_value(taf_expr_leaf(ty->s, OP_INPUT_RE, k),
		    taf_expr_leaf(ty->s, OP_INPUT_IM, k));
	if (taf_type_is_int(a->type) && !taf_array_mapped(a))
		return integer_value(taf_expr_leaf(ty->s, OP_INPUT, k), (int)a->type,
		    a->type == TAF_UINT64);
	return real_value(taf_expr_leaf(ty->s, OP_INPUT, k));
}

static struct value
dimension(struct typer *ty, const struct expr_node *node)
{
	const struct taf_array *shape = ty->over->shape;

	if (node->index >= shape->ndim) {
		ty->s->st = taf_fail(ty->err, TAF_EDATA,
		    "expression: column %u: %c%u, but the result has %u dimension%s",
		    node->column, node->word == WORD_COORDINATE ? 'x' :
		    node->word == WORD_INDEX ? 'i' : 'n', node->index + 1, shape->ndim,
		    shape->ndim == 1 ? "" : "s");
		return real_value(0);
	}
	if (node->word == WORD_COORDINATE)
		return real_value(taf_expr_leaf(ty->s, OP_COORDINATE, node->index));
	return integer_value(node->word == WORD_INDEX ?
	    taf_expr_leaf(ty->s, OP_INDEX, node->index) :
	    taf_expr_integer(ty->s, (int64_t)shape->dim[node->index].n), NO_WIDTH, false);
}

/* What has no arguments. */
static struct value
leaf(struct typer *ty, const struct expr_node *node)
{
	switch ((int)node->word) {
	case WORD_REAL:
		return real_value(taf_expr_real(ty->s, node->real));
	case WORD_INTEGER:
		return integer_value(taf_expr_leaf(ty->s, OP_CONST, node->integer),
		    NO_WIDTH, node->integer > INT64_MAX);
	case WORD_IMAGINARY:
		return pair_value(taf_expr_real(ty->s, 0), taf_expr_real(ty->s, 1));
	case WORD_INPUT:
		return input(ty, node->index);
	}
	return dimension(ty, node);
}

static struct value
operation(struct typer *ty, const struct expr_node *node)
{
	const uint32_t *arg = ty->x->arg + node->arg;
	const struct value *a = &ty->value[arg[0]];
	const struct value *b = node->narg > 1 ? &ty->value[arg[1]] : a;
	const bool pairs = a->kind == PAIR || b->kind == PAIR;
	struct expr_steps *s = ty->s;
	struct value y;

	/* those that take values of several kinds */
	switch ((int)node->word) {
	case WORD_WHERE:
		return choose(ty, arg);
	case WORD_AND:
		return truth_value(taf_expr_two(s, OP_AND, truth(ty, a), truth(ty, b)));
	case WORD_OR:
		return truth_value(taf_expr_two(s, OP_OR, truth(ty, a), truth(ty, b)));
	case WORD_NOT:
		return truth_value(negated(ty, truth(ty, a)));
	case WORD_LT: case WORD_LE: case WORD_GT: case WORD_GE:
	case WORD_EQ: case WORD_NE:
		return compare(ty, node, a, b);
	case WORD_BITAND:
		return bits(ty, node, OP_AND, a, b);
	case WORD_BITOR:
		return bits(ty, node, OP_OR, a, b);
	case WORD_BITXOR:
		return bits(ty, node, OP_XOR, a, b);
	case WORD_COMPLEMENT:
		return complement(ty, node, a);
	case WORD_SHIFT_LEFT: case WORD_SHIFT_RIGHT:
		return shift(ty, node, a, b);
	case WORD_RAND: case WORD_RANDN:
		return noise(ty, node, a);
	case WORD_MIN: case WORD_MAX: case WORD_FMIN: case WORD_FMAX: case WORD_CLIP:
		return extremes(ty, node);
	case WORD_POW:
		return pairs ? pair_power(ty, node, a, b) : power(ty, a, b);
	case WORD_ISNAN: case WORD_ISINF: case WORD_ISFINITE:
		if (is_whole(a))
			return truth_value(taf_expr_integer(s,
			    node->word == WORD_ISFINITE));
		if (a->kind == REAL)
			return truth_value(taf_expr_one(s, (enum expr_op)
			    (OP_ISNAN + (node->word - WORD_ISNAN)), a->at.re));
		break;
	}
	if (pairs)
		return on_pairs(ty, node, node->word, a, b);
	if (is_whole(a) && is_whole(b) && on_integers(ty, node->word, a, b, &y))
		return y;
	return on_reals(ty, node, a, b);
}

static struct value
type_node(struct typer *ty, const struct expr_node *node)
{
	return node->narg == 0 ? leaf(ty, node) : operation(ty, node);
}

/* --- the result --- */

/* Does flt32 hold the values of all inputs? */
static bool
all_short(const struct taf_expr_over *over)
{
	unsigned k;

	for (k = 0; k < over->nin; k++)
		if (taf_type_computed(over->in[k]->type) != TAF_FLT32)
			return false;
	return true;
}

/* The widest type of all inputs, where they are integers; else int64. */
static enum taf_type
widest_input(const struct taf_expr_over *over)
{
	int width = NO_WIDTH;
	unsigned k;

	for (k = 0; k < over->nin; k++) {
		if (!taf_type_is_int(over->in[k]->type) || taf_array_mapped(over->in[k]))
			return TAF_INT64;
		width = wider(width, (int)over->in[k]->type);
	}
	return width == NO_WIDTH ? TAF_INT64 : (enum taf_type)width;
}

static void
settle_type(struct typer *ty, const struct value *y)
{
	const bool small = all_short(ty->over);
	struct expr_typed *t = ty->t;

	switch (y->kind) {
	case TRUTH:
		t->type = t->gives = TAF_UINT8;
		break;
	case INTEGER:
		t->gives = y->u ? TAF_UINT64 : TAF_INT64;
		t->type = ty->over->nin == 0 ? TAF_FLT32 : y->width != NO_WIDTH ?
		    (enum taf_type)y->width : widest_input(ty->over);
		break;
	case REAL:
		t->gives = TAF_FLT64;
		t->type = small ? TAF_FLT32 : TAF_FLT64;
		break;
	case PAIR:
		t->gives = TAF_COMPLEX128;
		t->type = small ? TAF_COMPLEX : TAF_COMPLEX128;
		break;
	}
}

/* The step that writes what goes out. */
static void
give(struct typer *ty, const struct value *y)
{
	struct expr_typed *t = ty->t;
	struct value v = *y;

	if (ty->over->pair && v.kind != PAIR)
		v = (struct value){ .kind = PAIR, .at = pair(ty, y) };
	settle_type(ty, &v);
	t->result = v.at.re;
	if (ty->s->st != TAF_OK)
		return;
	if (v.kind == PAIR)
		t->result = taf_expr_two(ty->s, OP_GIVE_PAIR, v.at.re, v.at.im);
	else if (v.kind == TRUTH)
		t->result = taf_expr_one(ty->s, OP_GIVE_TRUTH, v.at.re);
	else if (taf_expr_is_const(ty->s, v.at.re))
		t->result = taf_expr_one(ty->s, OP_FILL, v.at.re);
	else if (ty->s->step[v.at.re].op == OP_INPUT ||
	    ty->s->step[v.at.re].op == OP_INPUT_REAL)
		t->result = taf_expr_one(ty->s, OP_COPY, v.at.re);
}

static void
type_all(struct typer *ty)
{
	reach_all(ty);
	for (uint32_t i = 0; i <= ty->x->result && ty->s->st == TAF_OK; i++) {
		if (ty->guarded[i] == EXPR_NONE)
			continue;
		ty->s->guard = guard_step(ty, ty->guarded[i]);
		ty->value[i] = type_node(ty, &ty->x->node[i]);
	}
	ty->s->guard = EXPR_NONE;
	if (ty->s->st == TAF_OK)
		give(ty, &ty->value[ty->x->result]);
}

enum taf_status
taf_expr_type(struct expr_typed *t, const struct taf_expr *x,
    const struct taf_expr_over *over, struct taf_err *e)
{
	const size_t n = x->result + 1;
	struct typer ty = { .x = x, .over = over, .t = t, .s = &t->steps, .nguard = 1,
	    .err = e };

	t->steps.err = e;
	ty.value = calloc(n, sizeof *ty.value);
	ty.guarded = taf_alloc(n, sizeof *ty.guarded);
	/* a node has two at most */
	ty.guard = calloc(2 * n + 1, sizeof *ty.guard);
	if (ty.value == NULL || ty.guarded == NULL || ty.guard == NULL) {
		ty.s->st = taf_fail_mem(e);
	} else {
		memset(ty.guarded, 0xff, n * sizeof *ty.guarded);
		type_all(&ty);
	}
	free(ty.value);
	free(ty.guarded);
	free(ty.guard);
	return ty.s->st;
}

void
taf_expr_typed_free(struct expr_typed *t)
{
	free(t->steps.step);
}
