/* SPDX-License-Identifier: ISC */
/* What the files of kernel/expr share: the text as nodes, and the steps of a program. */
#ifndef TAF_KERNEL_EXPR_EXPR_PRIVATE_H
#define TAF_KERNEL_EXPR_EXPR_PRIVATE_H

#include "kernel/expr/expr.h"

#define EXPR_NONE UINT32_MAX

/* The functions of kernel/func of one argument, but for sqrt. */
#define EXPR_FUNCTIONS(X) \
	X(CBRT, cbrt) X(EXP, exp) X(EXP2, exp2) X(EXPM1, expm1) X(LOG, log) \
	X(LOG2, log2) X(LOG10, log10) X(LOG1P, log1p) X(SIN, sin) X(COS, cos) \
	X(TAN, tan) X(ASIN, asin) X(ACOS, acos) X(ATAN, atan) X(SINH, sinh) \
	X(COSH, cosh) X(TANH, tanh) X(ASINH, asinh) X(ACOSH, acosh) X(ATANH, atanh) \
	X(ERF, erf) X(ERFC, erfc) X(GAMMA, gamma) X(LGAMMA, lgamma)

#define EXPR_WORD(name, function) WORD_##name,
#define EXPR_OP(name, function) OP_##name,

/* What a node of the text is.  Functions and operators that do the same are one. */
enum expr_word {
	WORD_REAL, WORD_INTEGER, WORD_IMAGINARY, WORD_INPUT,
	WORD_COORDINATE, WORD_INDEX, WORD_LENGTH,	/* of dimension index, from 0 */
	WORD_NEGATE, WORD_PLUS, WORD_COMPLEMENT, WORD_NOT,
	WORD_POW, WORD_MUL, WORD_DIV, WORD_FLOORDIV, WORD_MOD, WORD_ADD, WORD_SUB,
	WORD_SHIFT_LEFT, WORD_SHIFT_RIGHT, WORD_BITAND, WORD_BITXOR, WORD_BITOR,
	WORD_LT, WORD_LE, WORD_GT, WORD_GE, WORD_EQ, WORD_NE, WORD_AND, WORD_OR,
	WORD_WHERE, WORD_MIN, WORD_MAX, WORD_FMIN, WORD_FMAX, WORD_CLIP, WORD_ABS,
	WORD_SIGN, WORD_FLOOR, WORD_CEIL, WORD_TRUNC, WORD_ROUND, WORD_FRAC,
	WORD_ISNAN, WORD_ISINF, WORD_ISFINITE, WORD_DEG, WORD_RAD, WORD_SINC,
	WORD_REALPART, WORD_IMAG, WORD_CONJ, WORD_ARG, WORD_COMPLEX, WORD_POLAR,
	WORD_RAND, WORD_RANDN, WORD_ATAN2, WORD_HYPOT, WORD_COPYSIGN,
	/* those with a kernel of their own */
	WORD_SQRT, EXPR_FUNCTIONS(EXPR_WORD)
};

/* Nodes stand behind their arguments, so no one who walks over them needs a stack. */
struct expr_node {
	enum expr_word word;
	uint32_t column;	/* from 1 */
	uint32_t arg, narg;	/* its arguments are expr->arg[arg .. arg + narg) */
	uint32_t index;		/* of an input or a dimension */
	double real;
	uint64_t integer;
};

struct taf_expr {
	struct expr_node *node;
	uint32_t nnode, result;
	uint32_t *arg;		/* numbers of nodes */
	uint32_t narg;
	bool used[TAF_EXPR_INPUTS];
};

/* Parse a formula of real inputs a, b, c, d, which knows copysign too. */
TAF_MUST enum taf_status taf_expr_formula(struct taf_expr **x, const char *text,
    struct taf_err *e);

/* The name of an operator or a function, for messages. */
const char *taf_expr_word_name(enum expr_word word);

/* Operations with a loop of their own; I is of int64_t, U of uint64_t. */
#define EXPR_LOOPS(X) \
	X(FILL) X(COPY) X(GIVE_TRUTH) X(GIVE_PAIR) X(SELECT) X(I_TO_R) X(U_TO_R) \
	/* of these there may be no result */ \
	X(I_TO_U) X(ADD_I) X(SUB_I) X(MUL_I) X(FLOORDIV_I) X(MOD_I) X(SHIFT_I) X(ABS_I) \
	X(U_TO_I) X(ADD_U) X(SUB_U) X(MUL_U) X(FLOORDIV_U) X(MOD_U) X(SHIFT_U) \
	X(MIN_I) X(MAX_I) X(LT_I) X(LE_I) X(MIN_U) X(MAX_U) X(LT_U) X(LE_U) \
	X(EQ_I) X(NE_I) X(AND) X(OR) X(XOR) \
	X(ADD) X(SUB) X(MUL) X(DIV) X(FLOORDIV) X(MOD) X(MIN) X(MAX) X(FMIN) X(FMAX) \
	X(LT) X(LE) X(EQ) X(NE) X(NEGATE) X(ABS) X(SIGN) X(FLOOR) X(CEIL) X(TRUNC) \
	X(ROUND) X(ISNAN) X(ISINF) X(ISFINITE) X(COPYSIGN) X(POW) X(ATAN2) X(HYPOT) \
	X(SQRT)

#define EXPR_LOOP_OP(name) OP_##name,

/* What a step does; truth is an int64_t, 0 or 1.  Functions are in the order of words. */
enum expr_op {
	OP_CONST, OP_INPUT, OP_INPUT_REAL, OP_INPUT_RE, OP_INPUT_IM,
	OP_COORDINATE, OP_INDEX, OP_INDEX_REAL, OP_RAND,
	EXPR_LOOPS(EXPR_LOOP_OP)
	EXPR_FUNCTIONS(EXPR_OP)
	EXPR_OPS
};

enum { EXPR_ARGS = 3 };

union expr_value {
	double r;
	int64_t i;
	uint64_t u;
};

/* A loop's operands: n values of each, or one that stands for n. */
struct expr_call {
	void *y;
	const void *x[EXPR_ARGS];
	bool one[EXPR_ARGS];
	size_t n;
};

/*
 * True where an element may have overflown, or been rounded: taf_expr_lane tells of
 * which.
 */
typedef bool expr_loop(const struct expr_call *c);

/*
 * NULL for the operations that the machine does itself.  Sums, products and quotients go
 * faster where any NaN is good enough: where it goes into operations alone whose result
 * does not depend on which it is.
 */
expr_loop *taf_expr_loop_of(enum expr_op op, bool any_nan);
bool taf_expr_takes_any_nan(enum expr_op op);

/*
 * One element of a loop that has said true: *y is the result or the nearest there is, and
 * the return value says what is wrong.
 */
enum expr_trap { TRAP_NONE, TRAP_RANGE, TRAP_ZERO, TRAP_ROUNDED };
enum expr_trap taf_expr_lane(enum expr_op op, union expr_value a, union expr_value b,
    union expr_value *y);

/* y = start + (first + i) * step, and as integers. */
void taf_expr_ramp(double *y, double first, double start, double step, size_t n);
void taf_expr_count(int64_t *y, int64_t first, size_t n);

/* Numbers in [0, 1), of a key and their place alone; the key of a seed. */
void taf_expr_rand(double *y, uint64_t key, uint64_t first, size_t n);
uint64_t taf_expr_rand_key(uint64_t seed, uint64_t stream);

/* A step of a program: its result is a block of values, or a constant. */
struct expr_step {
	enum expr_op op;
	uint32_t arg[EXPR_ARGS];	/* numbers of steps */
	uint32_t guard;		/* truth: where it is 0, nobody looks at the result */
	union expr_value value;	/* of a constant; else number of input, dimension, key */
	uint32_t next;		/* with the same hash */
};

/* Steps while they are made: each is made once. */
enum { EXPR_BUCKETS = 4096 };
struct expr_steps {
	struct expr_step *step;
	uint32_t n, cap;
	uint32_t bucket[EXPR_BUCKETS];
	uint32_t guard;		/* of what is made next */
	struct taf_err *err;
	enum taf_status st;	/* the first failure sticks */
};

/* The number of a step; constants are computed at once. */
uint32_t taf_expr_emit(struct expr_steps *s, enum expr_op op, uint32_t a, uint32_t b,
    uint32_t c);
uint32_t taf_expr_leaf(struct expr_steps *s, enum expr_op op, uint64_t value);
uint32_t taf_expr_real(struct expr_steps *s, double value);
uint32_t taf_expr_integer(struct expr_steps *s, int64_t value);
bool taf_expr_is_const(const struct expr_steps *s, uint32_t k);

/* The same for two real operands, and for one. */
uint32_t taf_expr_two(struct expr_steps *s, enum expr_op op, uint32_t a, uint32_t b);
uint32_t taf_expr_one(struct expr_steps *s, enum expr_op op, uint32_t a);

/* A complex value: steps of its parts. */
struct expr_pair {
	uint32_t re, im;
};

/*
 * What word does with complex values, as a formula of their parts; first and second say
 * which operand is real.  NULL where there is no such operation.
 */
const char *taf_expr_complex(enum expr_word word, bool first, bool second);

/* What expr_types.c finds; expr_machine.c makes a program of it. */
struct expr_typed {
	struct expr_steps steps;
	uint32_t result;	/* a step that writes what goes out */
	enum taf_type type, gives;
	enum taf_type takes[TAF_EXPR_INPUTS];
};

TAF_MUST enum taf_status taf_expr_type(struct expr_typed *t, const struct taf_expr *x,
    const struct taf_expr_over *over, struct taf_err *e);
void taf_expr_typed_free(struct expr_typed *t);

#endif
