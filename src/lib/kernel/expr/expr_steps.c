/* SPDX-License-Identifier: ISC */
/* Steps of a program: each is made once, and what is constant is computed at once. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/expr/expr_private.h"

/* A failed emit gives some step; st says that it means nothing. */
enum { ANY_STEP = 0 };

static uint32_t
hash(const struct expr_step *k)
{
	const uint64_t part[6] = { (uint64_t)k->op, k->arg[0], k->arg[1], k->arg[2],
	    k->guard, k->value.u };
	uint64_t h = 0;
	size_t i;

	for (i = 0; i < 6; i++) {
		h = (h ^ part[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return (uint32_t)(h % EXPR_BUCKETS);
}

static bool
same(const struct expr_step *a, const struct expr_step *b)
{
	return a->op == b->op && memcmp(a->arg, b->arg, sizeof a->arg) == 0 &&
	    a->guard == b->guard && a->value.u == b->value.u;
}

static uint32_t
find_or_add(struct expr_steps *s, const struct expr_step *k)
{
	const uint32_t b = hash(k);
	uint32_t i;

	if (s->st != TAF_OK)
		return ANY_STEP;
	if (s->n == 0)
		memset(s->bucket, 0xff, sizeof s->bucket);
	for (i = s->bucket[b]; i != EXPR_NONE; i = s->step[i].next)
		if (same(&s->step[i], k))
			return i;
	if (s->n == s->cap) {
		const uint32_t cap = s->cap > 0 ? 2 * s->cap : 64;
		struct expr_step *more = taf_alloc(cap, sizeof *more);

		if (more == NULL) {
			s->st = taf_fail_mem(s->err);
			return ANY_STEP;
		}
		if (s->n > 0)
			memcpy(more, s->step, s->n * sizeof *more);
		free(s->step);
		s->step = more;
		s->cap = cap;
	}
	s->step[s->n] = *k;
	s->step[s->n].next = s->bucket[b];
	s->bucket[b] = s->n;
	return s->n++;
}

uint32_t
taf_expr_leaf(struct expr_steps *s, enum expr_op op, uint64_t value)
{
	return find_or_add(s, &(struct expr_step){ .op = op, .value = { .u = value },
	    .arg = { EXPR_NONE, EXPR_NONE, EXPR_NONE }, .guard = EXPR_NONE });
}

uint32_t
taf_expr_real(struct expr_steps *s, double value)
{
	return taf_expr_leaf(s, OP_CONST, (union expr_value){ .r = value }.u);
}

uint32_t
taf_expr_integer(struct expr_steps *s, int64_t value)
{
	return taf_expr_leaf(s, OP_CONST, (union expr_value){ .i = value }.u);
}

bool
taf_expr_is_const(const struct expr_steps *s, uint32_t k)
{
	return s->st == TAF_OK && s->step[k].op == OP_CONST;
}

/* Can a result of it not be there? */
static bool
may_trap(enum expr_op op)
{
	return op >= OP_I_TO_U && op <= OP_SHIFT_U;
}

/* Compute a step of constants; false where there is no result. */
static bool
fold(const struct expr_steps *s, const struct expr_step *k, union expr_value *y)
{
	struct expr_call c = { .y = y, .one = { true, true, true }, .n = 1 };
	unsigned i;

	/* those up to it have no loop, or give what goes out */
	if (k->op <= OP_GIVE_PAIR)
		return false;
	for (i = 0; i < EXPR_ARGS && k->arg[i] != EXPR_NONE; i++) {
		if (s->step[k->arg[i]].op != OP_CONST)
			return false;
		c.x[i] = &s->step[k->arg[i]].value;
	}
	return i > 0 && (!taf_expr_loop_of(k->op, false)(&c) || !may_trap(k->op));
}

uint32_t
taf_expr_emit(struct expr_steps *s, enum expr_op op, uint32_t a, uint32_t b, uint32_t c)
{
	const struct expr_step k = { .op = op, .arg = { a, b, c },
	    .guard = may_trap(op) ? s->guard : EXPR_NONE };
	union expr_value y = { .u = 0 };

	if (s->st != TAF_OK)
		return ANY_STEP;
	if (op == OP_SELECT && taf_expr_is_const(s, a))
		return s->step[a].value.i != 0 ? b : c;
	if (fold(s, &k, &y))
		return taf_expr_leaf(s, OP_CONST, y.u);
	return find_or_add(s, &k);
}

/* As many values as there are in a block. */
static uint32_t
filled(struct expr_steps *s, uint32_t a)
{
	return taf_expr_is_const(s, a) ? taf_expr_emit(s, OP_FILL, a, EXPR_NONE,
	    EXPR_NONE) : a;
}

uint32_t
taf_expr_two(struct expr_steps *s, enum expr_op op, uint32_t a, uint32_t b)
{
	/* functions take no single values in place of many */
	if ((op == OP_POW || op == OP_ATAN2 || op == OP_HYPOT || op == OP_GIVE_PAIR) &&
	    !(op != OP_GIVE_PAIR && taf_expr_is_const(s, a) && taf_expr_is_const(s, b))) {
		a = filled(s, a);
		b = filled(s, b);
	}
	return taf_expr_emit(s, op, a, b, EXPR_NONE);
}

uint32_t
taf_expr_one(struct expr_steps *s, enum expr_op op, uint32_t a)
{
	return taf_expr_emit(s, op, op == OP_GIVE_TRUTH ? filled(s, a) : a, EXPR_NONE,
	    EXPR_NONE);
}
