/* Nodes to steps: what type each value has, and which loop computes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/expr/expr_private.h"

enum kind { TRUTH, INTEGER, REAL, PAIR };

enum { NO_WIDTH = -1 };		/* of written integers, indices, truth:
    they widen nothing */

struct value {
	enum kind kind;
	int width;		/* of an integer: the widest type of its inputs,
	    or NO_WIDTH */
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
	uint32_t *guarded;	/* the guard of each node,
	    or EXPR_NONE where it is not used */
	struct guard *guard;
	uint32_t nguard;
	struct taf_err *err;
};

static enum taf_status
refuse(const struct typer *ty, const struct expr_node *node, const char *what)
{
	return taf_fail(ty->err, TAF_EUSAGE, "expression: column %u: \"%s\" %s",
	    node->column,
	    taf_expr_word_name(node->word), what);
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
	uint32_t i, k;

	reach(ty, ty->x->result, NO_GUARD);
	for (i = ty->x->result + 1; i-- > 0;) {
		const struct expr_node *node = &ty->x->node[i];
		const uint32_t *arg = ty->x->arg + node->arg, g = ty->guarded[i];

		if (g == EXPR_NONE)
			continue;
		for (k = 0; k < node->narg; k++) {
			uint32_t inner = g;

			if (k > 0 && (node->word == WORD_WHERE || node->word ==
			    WORD_AND ||
			    node->word == WORD_OR))
				inner = add_guard(ty, g, arg[0], node->word ==
				    WORD_WHERE ?
				    k == 1 : node->word == WORD_AND);
			reach(ty, arg[k], inner);
		}
	}
}

static uint32_t truth(struct typer *ty, const struct value *v);

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
			step = taf_expr_two(ty->s, OP_XOR, step,
			    taf_expr_integer(ty->s, 1));
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
	return (struct value){ .kind = INTEGER, .width = width, .u = u, .at =
	    { step, 0 } };
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

static const union expr_value *
constant(const struct typer *ty, uint32_t step)
{
	return taf_expr_is_const(ty->s, step) ? &ty->s->step[step].value : NULL;
}

static bool
is_zero(const struct typer *ty, uint32_t step)
{
	const union expr_value *c = constant(ty, step);

	return c != NULL && c->u == 0;
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

static enum taf_status type_node(struct typer *ty, const struct expr_node *node,
    struct value *y);

/* The value of a formula; its inputs are real numbers, these steps. */
static enum taf_status
formula(const struct typer *outer, const char *text, const uint32_t given[],
    struct value *y)
{
	struct typer ty = { .s = outer->s, .given = given, .err = outer->err };
	struct taf_expr *x;
	enum taf_status st = taf_expr_formula(&x, text, ty.err);

	if (st != TAF_OK)
		return st;
	ty.x = x;
	ty.value = calloc(x->nnode, sizeof *ty.value);
	if (ty.value == NULL)
		st = taf_fail_mem(ty.err);
	for (uint32_t i = 0; st == TAF_OK && i < x->nnode; i++)
		st = type_node(&ty, &x->node[i], &ty.value[i]);
	if (st == TAF_OK)
		*y = ty.value[x->result];
	free(ty.value);
	taf_expr_free(x);
	return st;
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
	const union expr_value *c = constant(ty, v->at.re);

	if (!v->u || c == NULL || (uint64_t)c->i != UINT64_C(1) << 63)
		return false;
	v->at.re = taf_expr_integer(ty->s, INT64_MIN);
	v->u = false;
	return true;
}

/* Sums with a written negative number: as differences they are in uint64, too. */
static bool
negate_written(struct typer *ty, struct value *b)
{
	const union expr_value *c = constant(ty, b->at.re);

	if (b->u || c == NULL || c->i >= 0 || c->i == INT64_MIN)
		return false;
	b->at.re = taf_expr_integer(ty->s, -c->i);
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

static enum taf_status
compare(struct typer *ty, const struct expr_node *node, const struct value *a,
    const struct value *b, struct value *y)
{
	struct expr_steps *s = ty->s;
	const bool swap = node->word == WORD_GT || node->word == WORD_GE;
	const bool equal = node->word == WORD_LE || node->word == WORD_GE;
	const struct value *l = swap ? b : a, *r = swap ? a : b;
	const bool integers = is_whole(a) && is_whole(b);

	if (a->kind == PAIR || b->kind == PAIR)
		return refuse(ty, node, "of complex values: compare abs, real or imag");
	if (node->word != WORD_EQ && node->word != WORD_NE) {
		y->at.re = integers ? whole_less(ty, equal, l, r) :
		    taf_expr_two(s, equal ? OP_LE : OP_LT, real(ty, l), real(ty, r));
	} else if (integers) {
		y->at.re = whole_equal(ty, a, b);
		if (node->word == WORD_NE)
			y->at.re = taf_expr_two(s, OP_XOR, y->at.re,
			    taf_expr_integer(s, 1));
	} else {
		y->at.re = taf_expr_two(s, node->word == WORD_EQ ? OP_EQ : OP_NE,
		    real(ty, a), real(ty, b));
	}
	*y = truth_value(y->at.re);
	return TAF_OK;
}

static enum taf_status
bits(struct typer *ty, const struct expr_node *node, enum expr_op op,
    const struct value *a,
    const struct value *b, struct value *y)
{
	const bool u = as_uint64(a, b);
	struct value left = *a, right = *b;

	if (!is_whole(a) || !is_whole(b))
		return refuse(ty, node, "of numbers that are no integers");
	/* a written number stands for its bits */
	left.u = constant(ty, left.at.re) != NULL ? u : left.u;
	right.u = constant(ty, right.at.re) != NULL ? u : right.u;
	*y = integer_value(taf_expr_two(ty->s, op, integer_as(ty, &left, u),
	    integer_as(ty, &right, u)), wider(a->width, b->width), u);
	if (a->kind == TRUTH && b->kind == TRUTH)
		y->kind = TRUTH;
	return TAF_OK;
}

/* Complement within the type, where that has no sign. */
static enum taf_status
complement(struct typer *ty, const struct expr_node *node, const struct value *a,
    struct value *y)
{
	uint64_t ones = UINT64_MAX;

	if (!is_whole(a))
		return refuse(ty, node, "of numbers that are no integers");
	if (a->kind == TRUTH)
		ones = 1;
	else if (a->width != NO_WIDTH && !taf_type_is_signed((enum taf_type)a->width))
		ones = taf_type_facts((enum taf_type)a->width)->max;
	*y = *a;
	y->at.re = taf_expr_two(ty->s, OP_XOR, a->at.re,
	    taf_expr_leaf(ty->s, OP_CONST, ones));
	return TAF_OK;
}

/*
 * A count of bits as int64, whose sign may be changed: what is beyond that shifts
 * everything out, too.
 */
static uint32_t
bits_to_shift(struct typer *ty, const struct value *b)
{
	const uint32_t most = taf_expr_integer(ty->s, INT64_MAX);

	return b->u ? taf_expr_two(ty->s, OP_MIN_U, b->at.re, most) :
	    taf_expr_two(ty->s, OP_MAX_I, b->at.re, taf_expr_integer(ty->s, -INT64_MAX));
}

/* Towards higher bits; a count below 0 goes the other way. */
static enum taf_status
shift(struct typer *ty, const struct expr_node *node, const struct value *a,
    const struct value *b, struct value *y)
{
	uint32_t by;

	if (!is_whole(a) || !is_whole(b))
		return refuse(ty, node, "of numbers that are no integers");
	by = bits_to_shift(ty, b);
	if (node->word == WORD_SHIFT_RIGHT)
		by = taf_expr_two(ty->s, OP_SUB_I, taf_expr_integer(ty->s, 0), by);
	*y = integer_value(taf_expr_two(ty->s, a->u ? OP_SHIFT_U : OP_SHIFT_I, a->at.re,
	    by), a->width, a->u);
	return TAF_OK;
}

/* One of two values: their common kind. */
static void
choose(struct typer *ty, const uint32_t arg[], const struct value *c, struct value *y)
{
	struct expr_steps *s = ty->s;
	const struct value *a = &ty->value[arg[1]], *b = &ty->value[arg[2]];
	const uint32_t outer = s->guard, which = truth(ty, c);
	struct expr_pair l, r;

	*y = (struct value){ .kind = a->kind > b->kind ? a->kind : b->kind,
	    .width = NO_WIDTH };
	if (y->kind == INTEGER) {
		y->width = wider(a->width, b->width);
		y->u = as_uint64(a, b);
		s->guard = guard_step(ty, ty->guarded[arg[1]]);
		l.re = integer_as(ty, a, y->u);
		s->guard = guard_step(ty, ty->guarded[arg[2]]);
		r.re = integer_as(ty, b, y->u);
		s->guard = outer;
	} else if (y->kind == PAIR) {
		l = pair(ty, a);
		r = pair(ty, b);
		y->at.im = taf_expr_emit(s, OP_SELECT, which, l.im, r.im);
	} else {
		l.re = y->kind == TRUTH ? a->at.re : real(ty, a);
		r.re = y->kind == TRUTH ? b->at.re : real(ty, b);
	}
	y->at.re = taf_expr_emit(s, OP_SELECT, which, l.re, r.re);
}

/* min, max and their like, of two. */
static enum taf_status
extreme(struct typer *ty, const struct expr_node *node, enum expr_word word,
    const struct value *a, const struct value *b, struct value *y)
{
	const bool least = word == WORD_MIN || word == WORD_FMIN;
	const bool wins = word == WORD_MIN || word == WORD_MAX;

	if (a->kind == PAIR || b->kind == PAIR)
		return refuse(ty, node, "takes no complex values");
	if (is_whole(a) && is_whole(b))
		*y = whole(ty, least ? OP_MIN_I : OP_MAX_I, least ? OP_MIN_U : OP_MAX_U,
		    a, b);
	else
		*y = real_value(taf_expr_two(ty->s, least ? wins ? OP_MIN : OP_FMIN :
		    wins ? OP_MAX : OP_FMAX, real(ty, a), real(ty, b)));
	return TAF_OK;
}

static struct value
negate_whole(struct typer *ty, const struct value *a)
{
	struct value other = *a;

	if (a->width == NO_WIDTH && negate_most(ty, &other))
		return other;
	other.at.re = integer_as(ty, a, false);
	other.u = false;
	return whole(ty, OP_SUB_I, OP_SUB_U, &(struct value){ .kind = INTEGER,
	    .width = NO_WIDTH, .at = { taf_expr_integer(ty->s, 0), 0 } }, &other);
}

static struct value
power(struct typer *ty, const struct value *a, const struct value *b)
{
	const uint32_t x = real(ty, a), y = real(ty, b);
	const union expr_value *c = constant(ty, y);

	/* a square is a product to the last bit */
	return real_value(c != NULL && c->r == 2 ? taf_expr_two(ty->s, OP_MUL, x, x) :
	    taf_expr_two(ty->s, OP_POW, x, y));
}

static enum taf_status
noise(struct typer *ty, const struct expr_node *node, const struct value *a,
    struct value *y)
{
	struct expr_steps *s = ty->s;
	const union expr_value *seed = constant(ty, a->at.re);
	uint32_t given[4] = { 0 };

	if (s->st != TAF_OK)
		return s->st;
	if (!is_whole(a) || seed == NULL)
		return refuse(ty, node, "takes a seed that is a written integer");
	given[0] = taf_expr_leaf(s, OP_RAND, taf_expr_rand_key(seed->u, 0));
	given[1] = taf_expr_leaf(s, OP_RAND, taf_expr_rand_key(seed->u, 1));
	/* Box and Muller: the logarithm is of a number above 0 */
	return formula(ty, node->word == WORD_RAND ? "a" :
	    "sqrt(-2*log(1 - a))*cos(2*pi*b)", given, y);
}

/* What a word does with one or two real numbers: an operation, or a formula of them. */
static const struct {
	enum expr_word word;
	enum expr_op op;
	const char *formula;
} on_reals[] = {
	{ WORD_ADD, OP_ADD, NULL }, { WORD_SUB, OP_SUB, NULL }, { WORD_MUL, OP_MUL, NULL },
	{ WORD_DIV, OP_DIV, NULL }, { WORD_FLOORDIV, OP_FLOORDIV, NULL },
	{ WORD_MOD, OP_MOD, NULL }, { WORD_ATAN2, OP_ATAN2, NULL },
	{ WORD_HYPOT, OP_HYPOT, NULL }, { WORD_COPYSIGN, OP_COPYSIGN, NULL },
	{ WORD_NEGATE, OP_NEGATE, NULL }, { WORD_ABS, OP_ABS, NULL },
	{ WORD_SIGN, OP_SIGN, NULL }, { WORD_FLOOR, OP_FLOOR, NULL },
	{ WORD_CEIL, OP_CEIL, NULL }, { WORD_TRUNC, OP_TRUNC, NULL },
	{ WORD_ROUND, OP_ROUND, NULL },
	{ WORD_FRAC, EXPR_OPS, "a - floor(a)" },
	{ WORD_DEG, EXPR_OPS, "a*57.29577951308232" },
	{ WORD_RAD, EXPR_OPS, "a*0.017453292519943295" },
	{ WORD_SINC, EXPR_OPS, "t = pi*a; a == 0 ? 1.0 : sin(t)/t" },
	{ WORD_REALPART, EXPR_OPS, "a" }, { WORD_CONJ, EXPR_OPS, "a" },
	{ WORD_IMAG, EXPR_OPS, "0.0" },
	{ WORD_ARG, EXPR_OPS, "atan2(0.0, a)" },
	{ WORD_POLAR, EXPR_OPS, "complex(a*cos(b), a*sin(b))" },
};

static enum taf_status
operate(struct typer *ty, const struct expr_node *node, const struct value *a,
    const struct value *b, struct value *y)
{
	const enum expr_word word = node->word;
	const uint32_t x[] = { real(ty, a), real(ty, b) };

	enum expr_op op = word < WORD_SQRT ? EXPR_OPS :
	    (enum expr_op)(OP_SQRT + (word - WORD_SQRT));

	for (size_t k = 0; k < sizeof on_reals / sizeof *on_reals; k++) {
		if (on_reals[k].word != word)
			continue;
		if (on_reals[k].formula != NULL)
			return formula(ty, on_reals[k].formula, x, y);
		op = on_reals[k].op;
	}
	if (op == EXPR_OPS)
		return taf_fail(ty->err, TAF_EMISUSE,
		    "internal: an operation without a loop");
	*y = real_value(node->narg == 2 ? taf_expr_two(ty->s, op, x[0], x[1]) :
	    taf_expr_one(ty->s, op, x[0]));
	return TAF_OK;
}

/* An operation that has a rule of its own for integers. */
static bool
on_integers(struct typer *ty, enum expr_word word, const struct value *a,
    const struct value *b, struct value *y)
{
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
		*y = negate_whole(ty, a);
		return true;
	case WORD_ABS:
		*y = integer_value(a->u ? a->at.re : taf_expr_one(ty->s, OP_ABS_I, a->at.re),
		    a->width, a->u);
		return true;
	}
	return false;
}

/* --- nodes --- */

static enum taf_status
input(struct typer *ty, uint32_t k, struct value *y)
{
	const struct taf_array *a;

	if (ty->given != NULL) {
		*y = real_value(ty->given[k]);
		return TAF_OK;
	}
	a = ty->over->in[k];
	if (taf_type_is_pair(a->type)) {
		*y = (struct value){ .kind = PAIR, .width = NO_WIDTH,
		    .at = { taf_expr_leaf(ty->s, OP_INPUT_RE, k),
		    taf_expr_leaf(ty->s, OP_INPUT_IM, k) } };
	} else if (taf_type_is_int(a->type) && !taf_array_mapped(a)) {
		*y = integer_value(taf_expr_leaf(ty->s, OP_INPUT, k), (int)a->type,
		    a->type == TAF_UINT64);
	} else {
		*y = real_value(taf_expr_leaf(ty->s, OP_INPUT, k));
	}
	return TAF_OK;
}

static enum taf_status
dimension(struct typer *ty, const struct expr_node *node, struct value *y)
{
	const struct taf_array *shape = ty->over->shape;

	if (node->index >= shape->ndim)
		return taf_fail(ty->err, TAF_EDATA,
		    "expression: column %u: %c%u, but the result "
		    "has %u dimension%s", node->column, node->word == WORD_COORDINATE ?
		    'x' :
		    node->word == WORD_INDEX ? 'i' : 'n', node->index + 1, shape->ndim,
		    shape->ndim == 1 ? "" : "s");
	if (node->word == WORD_COORDINATE)
		*y = real_value(taf_expr_leaf(ty->s, OP_COORDINATE, node->index));
	else
		*y = integer_value(node->word == WORD_INDEX ?
		    taf_expr_leaf(ty->s, OP_INDEX, node->index) :
		    taf_expr_integer(ty->s, (int64_t)shape->dim[node->index].n), NO_WIDTH,
		    false);
	return TAF_OK;
}

/* What has no arguments. */
static enum taf_status
leaf(struct typer *ty, const struct expr_node *node, struct value *y)
{
	switch ((int)node->word) {
	case WORD_REAL:
		*y = real_value(taf_expr_real(ty->s, node->real));
		return TAF_OK;
	case WORD_INTEGER:
		*y = integer_value(taf_expr_leaf(ty->s, OP_CONST, node->integer),
		    NO_WIDTH, node->integer > INT64_MAX);
		return TAF_OK;
	case WORD_IMAGINARY:
		*y = (struct value){ .kind = PAIR, .width = NO_WIDTH,
		    .at = { taf_expr_real(ty->s, 0), taf_expr_real(ty->s, 1) } };
		return TAF_OK;
	case WORD_INPUT:
		return input(ty, node->index, y);
	}
	return dimension(ty, node, y);
}

/* Some operations take values of several kinds, and have a place of their own. */
static enum taf_status
special(struct typer *ty, const struct expr_node *node, struct value *y, bool *done)
{
	const uint32_t *arg = ty->x->arg + node->arg;
	const struct value *a = &ty->value[arg[0]];
	const struct value *b = node->narg > 1 ? &ty->value[arg[1]] : a;

	*done = true;
	switch ((int)node->word) {
	case WORD_WHERE:
		choose(ty, arg, a, y);
		return TAF_OK;
	case WORD_AND:
	case WORD_OR:
		*y = truth_value(taf_expr_two(ty->s,
		    node->word == WORD_AND ? OP_AND : OP_OR, truth(ty, a), truth(ty, b)));
		return TAF_OK;
	case WORD_NOT:
		*y = truth_value(taf_expr_two(ty->s, OP_XOR, truth(ty, a),
		    taf_expr_integer(ty->s, 1)));
		return TAF_OK;
	case WORD_LT:
	case WORD_LE:
	case WORD_GT:
	case WORD_GE:
	case WORD_EQ:
	case WORD_NE:
		return compare(ty, node, a, b, y);
	case WORD_BITAND:
		return bits(ty, node, OP_AND, a, b, y);
	case WORD_BITOR:
		return bits(ty, node, OP_OR, a, b, y);
	case WORD_BITXOR:
		return bits(ty, node, OP_XOR, a, b, y);
	case WORD_COMPLEMENT:
		return complement(ty, node, a, y);
	case WORD_SHIFT_LEFT:
	case WORD_SHIFT_RIGHT:
		return shift(ty, node, a, b, y);
	case WORD_ISNAN:
	case WORD_ISINF:
	case WORD_ISFINITE:
		if (is_whole(a))
			*y = truth_value(taf_expr_integer(ty->s, node->word == WORD_ISFINITE));
		else if (a->kind == REAL)
			*y = truth_value(taf_expr_one(ty->s, (enum expr_op)
			    (OP_ISNAN + (node->word - WORD_ISNAN)), a->at.re));
		else
			break;
		return TAF_OK;
	case WORD_RAND:
	case WORD_RANDN:
		return noise(ty, node, a, y);
	}
	*done = false;
	return TAF_OK;
}

static enum taf_status
extremes(struct typer *ty, const struct expr_node *node, struct value *y)
{
	const uint32_t *arg = ty->x->arg + node->arg;
	enum taf_status st = TAF_OK;
	uint32_t k;

	*y = ty->value[arg[0]];
	if (node->word == WORD_CLIP) {
		const struct value x = *y;
		struct value low;

		st = extreme(ty, node, WORD_MAX, &x, &ty->value[arg[1]], &low);
		return st != TAF_OK ? st :
		    extreme(ty, node, WORD_MIN, &low, &ty->value[arg[2]], y);
	}
	for (k = 1; k < node->narg && st == TAF_OK; k++) {
		const struct value x = *y;

		st = extreme(ty, node, node->word, &x, &ty->value[arg[k]], y);
	}
	return st;
}

/* An operation on pairs, or on one and a real number. */
static enum taf_status
on_pairs(struct typer *ty, const struct expr_node *node, enum expr_word word,
    const struct value *a, const struct value *b, struct value *y)
{
	const struct expr_pair p = pair(ty, a), q = pair(ty, b);
	const uint32_t given[] = { p.re, p.im, q.re, q.im };
	const char *text = taf_expr_complex(word, is_zero(ty, p.im), is_zero(ty, q.im));

	if (text == NULL)
		return refuse(ty, node, "takes no complex values");
	return formula(ty, text, given, y);
}

/* A small whole power by products. */
static enum taf_status
pair_power(struct typer *ty, const struct expr_node *node, const struct value *a,
    const struct value *b, struct value *y)
{
	const struct expr_pair q = pair(ty, b);
	const union expr_value *c = constant(ty, q.re);
	const struct value one = { .kind = PAIR, .width = NO_WIDTH,
	    .at = { taf_expr_real(ty->s, 1), taf_expr_real(ty->s, 0) } };
	struct value x = *a;
	enum taf_status st = TAF_OK;

	if (c == NULL || !is_zero(ty, q.im) || !(fabs(c->r) <= 64) || c->r != (int)c->r)
		return on_pairs(ty, node, WORD_POW, a, b, y);
	*y = one;
	for (int n = abs((int)c->r); n > 0 && st == TAF_OK; n /= 2) {
		if (n % 2 > 0)
			st = on_pairs(ty, node, WORD_MUL, y, &x, y);
		if (n > 1 && st == TAF_OK)
			st = on_pairs(ty, node, WORD_MUL, &x, &x, &x);
	}
	return st != TAF_OK || c->r >= 0 ? st : on_pairs(ty, node, WORD_DIV, &one, y, y);
}

static enum taf_status
type_node(struct typer *ty, const struct expr_node *node, struct value *y)
{
	const uint32_t *arg = ty->x->arg + node->arg;
	const struct value *a, *b;
	enum taf_status st;
	bool done;

	if (node->narg == 0)
		return leaf(ty, node, y);
	st = special(ty, node, y, &done);
	if (st != TAF_OK || done)
		return st;
	a = &ty->value[arg[0]];
	b = node->narg > 1 ? &ty->value[arg[1]] : a;
	if (node->word >= WORD_MIN && node->word <= WORD_CLIP)
		return extremes(ty, node, y);
	if (a->kind == PAIR || b->kind == PAIR)
		return node->word == WORD_POW ? pair_power(ty, node, a, b, y) :
		    on_pairs(ty, node, node->word, a, b, y);
	if (node->word == WORD_COMPLEX) {
		*y = (struct value){ .kind = PAIR, .width = NO_WIDTH,
		    .at = { real(ty, a), real(ty, b) } };
		return TAF_OK;
	}
	if (node->word == WORD_POW) {
		*y = power(ty, a, b);
		return TAF_OK;
	}
	if (is_whole(a) && is_whole(b) && on_integers(ty, node->word, a, b, y))
		return TAF_OK;
	return operate(ty, node, a, b, y);
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
	else if (constant(ty, v.at.re) != NULL)
		t->result = taf_expr_one(ty->s, OP_FILL, v.at.re);
	else if (ty->s->step[v.at.re].op == OP_INPUT ||
	    ty->s->step[v.at.re].op == OP_INPUT_REAL)
		t->result = taf_expr_one(ty->s, OP_COPY, v.at.re);
}

static enum taf_status
type_all(struct typer *ty)
{
	enum taf_status st = TAF_OK;
	uint32_t i;

	reach_all(ty);
	for (i = 0; i <= ty->x->result && st == TAF_OK; i++) {
		if (ty->guarded[i] == EXPR_NONE)
			continue;
		ty->s->guard = guard_step(ty, ty->guarded[i]);
		st = type_node(ty, &ty->x->node[i], &ty->value[i]);
		if (st == TAF_OK)
			st = ty->s->st;
	}
	if (st != TAF_OK)
		return st;
	ty->s->guard = EXPR_NONE;
	give(ty, &ty->value[ty->x->result]);
	return ty->s->st;
}

enum taf_status
taf_expr_type(struct expr_typed *t, const struct taf_expr *x,
    const struct taf_expr_over *over,
    struct taf_err *e)
{
	const size_t n = x->result + 1;
	struct typer ty = { .x = x, .over = over, .t = t, .s = &t->steps, .nguard = 1,
	    .err = e };
	enum taf_status st;

	t->steps.err = e;
	ty.value = calloc(n, sizeof *ty.value);
	ty.guarded = taf_alloc(n, sizeof *ty.guarded);
	/* a node has two at most */
	ty.guard = calloc(2 * n + 1, sizeof *ty.guard);
	if (ty.value == NULL || ty.guarded == NULL || ty.guard == NULL) {
		st = taf_fail_mem(e);
	} else {
		memset(ty.guarded, 0xff, n * sizeof *ty.guarded);
		st = type_all(&ty);
	}
	free(ty.value);
	free(ty.guarded);
	free(ty.guard);
	return st;
}

void
taf_expr_typed_free(struct expr_typed *t)
{
	free(t->steps.step);
}
