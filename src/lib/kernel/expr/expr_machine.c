/* SPDX-License-Identifier: ISC */
/*
 * A program: steps in a row over blocks of values that stay in cache.  Results lie in
 * registers, of which there are as many as are needed at once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "kernel/expr/expr_private.h"

enum { BLOCK = TAF_EXPR_BLOCK, WORD_BYTES = 8 };

struct operand {
	enum { NONE, CONSTANT, INPUT, REGISTER, OUTPUT } kind;
	uint32_t k;		/* of an input or a register */
	union expr_value value;	/* of a constant */
};

struct instruction {
	enum expr_op op;
	expr_loop *loop;
	struct operand to, from[EXPR_ARGS], guard;
	union expr_value value;
};

struct taf_program {
	struct instruction *code;
	uint32_t ncode, nregister;
	enum taf_type type, gives, takes[TAF_EXPR_INPUTS];
	bool clip;
	struct taf_array shape;		/* has nothing but dimensions */
	uint64_t inner[TAF_MAX_DIM];	/* values between two of a dimension */
};

/* --- making one --- */

/* While a program is made of steps. */
struct maker {
	struct taf_program *p;
	struct expr_typed *t;
	const struct taf_expr_over *over;
	struct made {
		uint32_t last;	/* the last step that uses it, 0 for none */
		bool exact;	/* does it matter which NaN it gives? */
		struct operand at;
	} *of;			/* each step */
	uint32_t *idle;		/* registers */
	uint32_t nidle;
};

static void
use(struct maker *m, uint32_t step, uint32_t by, bool exact)
{
	if (step == EXPR_NONE)
		return;
	if (m->of[step].last == 0)
		m->of[step].last = by;
	m->of[step].exact = m->of[step].exact || exact;
}

/* Which steps are used, by which last; what the inputs are taken as. */
static void
look_back(struct maker *m)
{
	struct expr_typed *t = m->t;
	const struct expr_step *step = t->steps.step;
	uint32_t i, k;

	for (k = 0; k < m->over->nin; k++)
		t->takes[k] = taf_type_is_pair(m->over->in[k]->type) ? TAF_COMPLEX128 :
		    TAF_FLT64;
	use(m, t->result, t->result + 1, true);
	for (i = t->result + 1; i-- > 0;) {
		const struct expr_step *s = &step[i];

		/* of an input that comes as doubles there are no integers */
		if (m->of[i].last == 0 ||
		    (s->op == OP_INPUT_REAL && m->of[s->arg[0]].last == 0))
			continue;
		if (s->op == OP_INPUT) {
			const struct taf_array *a = m->over->in[s->value.u];

			if (taf_type_is_int(a->type) && !taf_array_mapped(a))
				t->takes[s->value.u] = a->type == TAF_UINT64 ?
				    TAF_UINT64 : TAF_INT64;
		}
		for (k = 0; k < EXPR_ARGS; k++)
			use(m, s->arg[k], i, !taf_expr_takes_any_nan(s->op));
		use(m, s->guard, i, false);
	}
}

static struct operand
operand_of(const struct maker *m, uint32_t step)
{
	static const struct operand none = { .kind = NONE };

	return step == EXPR_NONE ? none : m->of[step].at;
}

static void
release(struct maker *m, uint32_t step, uint32_t now)
{
	if (step == EXPR_NONE || m->of[step].last != now)
		return;
	if (m->of[step].at.kind == REGISTER)
		m->idle[m->nidle++] = m->of[step].at.k;
	m->of[step].last = now + 1;
}

static void
make_instruction(struct maker *m, uint32_t i)
{
	const struct expr_step *s = &m->t->steps.step[i];
	struct instruction *c = &m->p->code[m->p->ncode++];
	uint32_t k;

	c->op = s->op == OP_INPUT_REAL ? OP_I_TO_R : s->op;
	c->loop = taf_expr_loop_of(c->op, !m->of[i].exact);
	c->value = s->value;
	for (k = 0; k < EXPR_ARGS; k++)
		c->from[k] = operand_of(m, s->arg[k]);
	c->guard = operand_of(m, s->guard);
	/* a result never lies where an operand does */
	c->to.kind = i == m->t->result ? OUTPUT : REGISTER;
	if (c->to.kind == REGISTER)
		c->to.k = m->nidle > 0 ? m->idle[--m->nidle] : m->p->nregister++;
	m->of[i].at = c->to;
	for (k = 0; k < EXPR_ARGS; k++)
		release(m, s->arg[k], i);
	release(m, s->guard, i);
}

static void
make_code(struct maker *m)
{
	const struct expr_step *step = m->t->steps.step;

	for (uint32_t i = 0; i <= m->t->result; i++) {
		const struct expr_step *s = &step[i];
		const bool as_reals = s->op == OP_INPUT_REAL &&
		    m->of[s->arg[0]].last == 0;

		if (m->of[i].last == 0)
			continue;
		if (s->op == OP_CONST)
			m->of[i].at = (struct operand){ CONSTANT, 0, s->value };
		else if (s->op == OP_INPUT || as_reals)
			m->of[i].at = (struct operand){ INPUT, (uint32_t)
			    (as_reals ? &step[s->arg[0]] : s)->value.u, { 0 } };
		else
			make_instruction(m, i);
	}
}

static enum taf_status
make(struct taf_program *p, struct expr_typed *t, const struct taf_expr_over *over,
    struct taf_err *e)
{
	const size_t n = t->result + 1;
	struct maker m = { .p = p, .t = t, .over = over };
	enum taf_status st = TAF_OK;

	p->code = calloc(n, sizeof *p->code);
	m.of = calloc(n, sizeof *m.of);
	m.idle = calloc(n, sizeof *m.idle);
	if (p->code == NULL || m.of == NULL || m.idle == NULL) {
		st = taf_fail_mem(e);
	} else {
		look_back(&m);
		make_code(&m);
	}
	free(m.of);
	free(m.idle);
	return st;
}

enum taf_status
taf_program_make(struct taf_program **to, const struct taf_expr *x,
    const struct taf_expr_over *over, struct taf_err *e)
{
	struct taf_program *p = calloc(1, sizeof *p);
	struct expr_typed t = { .result = 0 };
	enum taf_status st;
	uint64_t inner = 1;
	unsigned k;

	if (p == NULL)
		return taf_fail_mem(e);
	st = taf_expr_type(&t, x, over, e);
	if (st == TAF_OK)
		st = make(p, &t, over, e);
	p->type = t.type;
	p->gives = t.gives;
	memcpy(p->takes, t.takes, sizeof p->takes);
	p->clip = over->clip;
	for (k = 0; k < over->shape->ndim; k++) {
		const struct taf_dim *d = &over->shape->dim[k];

		taf_array_add_dim(&p->shape, d->n, d->start, d->step);
		p->inner[k] = inner;
		inner *= d->n;
	}
	taf_expr_typed_free(&t);
	if (st == TAF_OK)
		*to = p;
	else
		taf_program_free(p);
	return st;
}

void
taf_program_free(struct taf_program *p)
{
	if (p == NULL)
		return;
	free(p->code);
	free(p);
}

enum taf_type
taf_program_type(const struct taf_program *p)
{
	return p->type;
}

enum taf_type
taf_program_takes(const struct taf_program *p, unsigned k)
{
	return p->takes[k];
}

enum taf_type
taf_program_gives(const struct taf_program *p)
{
	return p->gives;
}

size_t
taf_program_workspace(const struct taf_program *p)
{
	return (size_t)p->nregister * BLOCK * WORD_BYTES;
}

/* --- running it --- */

/* A run over a block. */
struct run {
	const struct taf_program *p;
	unsigned char *workspace;
	const struct taf_program_block *b;
	struct taf_program_count *count;
	struct taf_err *err;
};

/* NULL for none. */
static void *
address(const struct run *r, const struct operand *at)
{
	/* nothing writes to constants and inputs */
	union { const void *from; void *to; } p = { .to = NULL };

	switch (at->kind) {
	case NONE:
		break;
	case CONSTANT:
		p.from = &at->value;
		break;
	case INPUT:
		p.from = r->b->in[at->k];
		break;
	case REGISTER:
		p.to = r->workspace + (size_t)at->k * BLOCK * WORD_BYTES;
		break;
	case OUTPUT:
		p.to = r->b->out;
		break;
	}
	return p.to;
}

/* Grid values or indices of dimension k, run by run; start and step give the former. */
static void
coordinates(const struct run *r, enum expr_op op, void *y, uint64_t k)
{
	const struct taf_dim *dim = &r->p->shape.dim[k];
	const bool grid = op == OP_COORDINATE;
	const double start = grid ? dim->start : 1, step = grid ? dim->step : 1;
	const uint64_t inner = r->p->inner[k];
	size_t at = 0, run;

	for (; at < r->b->n; at += run) {
		const uint64_t place = r->b->first + at;
		const uint64_t index = place / inner % dim->n;
		const uint64_t left = k == 0 ? dim->n - index : inner - place % inner;
		double value = start + (double)index * step;
		int64_t number = (int64_t)index + 1;

		run = left < r->b->n - at ? (size_t)left : r->b->n - at;
		if (k == 0 && op != OP_INDEX)
			taf_expr_ramp((double *)y + at, (double)index, start, step, run);
		else if (k == 0)
			taf_expr_count((int64_t *)y + at, number, run);
		else
			taf_expr_loop_of(OP_FILL, false)(&(struct expr_call){
			    .y = (double *)y + at, .one = { true }, .n = run, .x =
			    { op == OP_INDEX ? (void *)&number : (void *)&value } });
	}
}

static const char *
symbol(enum expr_op op)
{
	switch ((int)op) {
	case OP_ADD_I: case OP_ADD_U:
		return "+";
	case OP_SUB_I: case OP_SUB_U:
		return "-";
	case OP_MUL_I: case OP_MUL_U:
		return "*";
	case OP_FLOORDIV_I: case OP_FLOORDIV_U:
		return "//";
	case OP_MOD_I: case OP_MOD_U:
		return "%";
	}
	return "<<";
}

static void
print(char *to, size_t size, bool u, union expr_value v)
{
	if (u)
		(void)snprintf(to, size, "%" PRIu64, v.u);
	else
		(void)snprintf(to, size, "%" PRId64, v.i);
}

static enum taf_status
fail_at(const struct run *r, const struct instruction *c, size_t i, enum expr_trap trap,
    union expr_value a, union expr_value b)
{
	const bool u = c->op >= OP_U_TO_I && c->op <= OP_SHIFT_U;
	const struct taf_place_text at = taf_array_place(&r->p->shape, r->b->first + i);
	char left[24], right[24];

	print(left, sizeof left, u, a);
	print(right, sizeof right, u && c->op != OP_SHIFT_U, b);
	if (trap == TRAP_ZERO)
		return taf_fail(r->err, TAF_EDATA, "element %s: %s %s 0", at.s, left,
		    symbol(c->op));
	if (c->op == OP_ABS_I || c->op == OP_I_TO_U || c->op == OP_U_TO_I)
		return taf_fail(r->err, TAF_EDATA, "element %s: %s%s%s does not fit %s",
		    at.s, c->op == OP_ABS_I ? "abs(" : "", left,
		    c->op == OP_ABS_I ? ")" : "",
		    taf_type_limits(c->op == OP_I_TO_U ? TAF_UINT64 : TAF_INT64).s);
	return taf_fail(r->err, TAF_EDATA, "element %s: %s %s %s does not fit %s", at.s,
	    left, symbol(c->op), right, taf_type_limits(u ? TAF_UINT64 : TAF_INT64).s);
}

/* Element i of an operand, or the only one. */
static union expr_value
element(const struct expr_call *call, unsigned k, size_t i)
{
	union expr_value v = { .u = 0 };

	if (call->x[k] != NULL)
		memcpy(&v, (const char *)call->x[k] + (call->one[k] ? 0 : i) * sizeof v,
		    sizeof v);
	return v;
}

/* Some elements of a loop may not be what they should. */
static enum taf_status
look_at_each(const struct run *r, const struct instruction *c,
    const struct expr_call *call)
{
	const struct expr_call guard = { .x = { address(r, &c->guard) },
	    .one = { c->guard.kind == CONSTANT } };
	size_t i;

	for (i = 0; i < call->n; i++) {
		const union expr_value a = element(call, 0, i), b = element(call, 1, i);
		union expr_value y;
		const enum expr_trap trap = taf_expr_lane(c->op, a, b, &y);

		memcpy((char *)call->y + i * sizeof y, &y, sizeof y);
		if (trap == TRAP_NONE ||
		    (guard.x[0] != NULL && element(&guard, 0, i).u == 0))
			continue;
		if (trap == TRAP_ROUNDED)
			r->count->rounded++;
		else if (r->p->clip)
			r->count->clipped++;
		else
			return fail_at(r, c, i, trap, a, b);
	}
	return TAF_OK;
}

static enum taf_status
run_loop(const struct run *r, const struct instruction *c, void *y)
{
	struct expr_call call = { .y = y, .n = r->b->n };
	bool all = c->op != OP_FILL;
	unsigned k;

	for (k = 0; k < EXPR_ARGS && c->from[k].kind != NONE; k++) {
		call.x[k] = address(r, &c->from[k]);
		call.one[k] = c->from[k].kind == CONSTANT;
		all = all && call.one[k];
	}
	/* of constants alone: what has no result for all of them */
	if (all)
		return look_at_each(r, c, &call);
	return c->loop(&call) ? look_at_each(r, c, &call) : TAF_OK;
}

/* A part of the pairs of an input. */
static void
part(double *y, const double *pairs, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		y[i] = pairs[2 * i];
}

enum taf_status
taf_program_run(const struct taf_program *p, void *workspace,
    const struct taf_program_block *b, struct taf_program_count *count, struct taf_err *e)
{
	const struct run r = { p, workspace, b, count, e };
	enum taf_status st = TAF_OK;
	uint32_t i;

	for (i = 0; i < p->ncode && st == TAF_OK; i++) {
		const struct instruction *c = &p->code[i];
		void *y = address(&r, &c->to);

		if (c->op == OP_COORDINATE || c->op == OP_INDEX || c->op == OP_INDEX_REAL)
			coordinates(&r, c->op, y, c->value.u);
		else if (c->op == OP_RAND)
			taf_expr_rand(y, c->value.u, b->first, b->n);
		else if (c->op == OP_INPUT_RE || c->op == OP_INPUT_IM)
			part(y, (const double *)b->in[c->value.u] +
			    (c->op == OP_INPUT_IM), b->n);
		else
			st = run_loop(&r, c, y);
	}
	return st;
}
