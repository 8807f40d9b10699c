/* SPDX-License-Identifier: ISC */
/* The unit of a result: by what it is made of. */
#include <stdlib.h>
#include <string.h>

#include "kernel/expr/expr_private.h"

/*
 * The unit of a value: name to the power of half / 2.  Without a name it is a number,
 * which goes with every unit; OTHER is one that only several names or other powers could
 * say.
 */
struct unit {
	const char *name;
	int half;
};

static const struct unit number = { NULL, 0 };

enum { OTHER = -1000, MOST = 64 };	/* no half of a power is beyond MOST */

static struct unit
power(struct unit u, double by)
{
	const double half = u.half * by;

	if (u.name == NULL || half == 0)
		return number;
	u.half = u.half != OTHER && half >= -MOST && half <= MOST && half == (int)half ?
	    (int)half : OTHER;
	return u;
}

/* Of a sum, a choice and their like. */
static struct unit
together(struct unit a, struct unit b)
{
	if (a.name == NULL || b.name == NULL)
		return a.name == NULL ? b : a;
	if (a.half != b.half || strcmp(a.name, b.name) != 0)
		a.half = OTHER;
	return a;
}

static struct unit
product(struct unit a, struct unit b)
{
	if (a.name == NULL || b.name == NULL)
		return a.name == NULL ? b : a;
	if (a.half == OTHER || b.half == OTHER || strcmp(a.name, b.name) != 0 ||
	    abs(a.half + b.half) > MOST)
		a.half = OTHER;
	else
		a.half += b.half;
	return a.half == 0 ? number : a;
}

static struct unit
of_array(const struct taf_array *a, enum taf_scope scope, unsigned dim)
{
	const struct unit u = { taf_attr_get(a, "unit", scope, dim), 2 };

	return u.name == NULL || u.name[0] == '\0' ? number : u;
}

/* Of x[0] to x[n - 1], the operands; value is that of a written exponent, or 0. */
static struct unit
of_operation(enum expr_word word, const struct unit *x, uint32_t n, double value)
{
	struct unit u;
	uint32_t i;

	switch ((int)word) {
	case WORD_NEGATE: case WORD_PLUS: case WORD_COMPLEMENT: case WORD_ABS:
	case WORD_FLOOR: case WORD_CEIL: case WORD_TRUNC: case WORD_ROUND:
	case WORD_FRAC: case WORD_REALPART: case WORD_IMAG: case WORD_CONJ:
	case WORD_SHIFT_LEFT: case WORD_SHIFT_RIGHT: case WORD_POLAR:
		return x[0];
	case WORD_MUL:
		return product(x[0], x[1]);
	case WORD_DIV: case WORD_FLOORDIV:
		return product(x[0], power(x[1], -1));
	case WORD_SQRT:
		return power(x[0], 0.5);
	case WORD_POW:
		/* 0.3 is none that comes out */
		return power(x[0], value != 0 ? value : 0.3);
	case WORD_WHERE:
		return together(x[1], x[2]);
	case WORD_ADD: case WORD_SUB: case WORD_MOD: case WORD_MIN: case WORD_MAX:
	case WORD_FMIN: case WORD_FMAX: case WORD_CLIP: case WORD_HYPOT:
	case WORD_COMPLEX: case WORD_BITAND: case WORD_BITOR: case WORD_BITXOR:
		u = x[0];
		for (i = 1; i < n; i++)
			u = together(u, x[i]);
		return u;
	}
	/* truth, angles, logarithms and all that is no multiple of its operands */
	return number;
}

/* The number that a node writes, 0 for any other. */
static double
written(const struct taf_expr *x, const struct expr_node *node)
{
	const double sign = node->word == WORD_NEGATE ? -1 : 1;

	if (sign < 0)
		node = &x->node[x->arg[node->arg]];
	return node->word == WORD_REAL ? sign * node->real :
	    node->word == WORD_INTEGER ? sign * (double)node->integer : 0;
}

static struct unit
of_node(const struct taf_expr *x, const struct taf_expr_over *over,
    const struct expr_node *node, const struct unit *unit)
{
	struct unit operand[EXPR_ARGS], u;
	uint32_t i;

	if (node->word == WORD_INPUT)
		return of_array(over->in[node->index], TAF_OF_ARRAY, 0);
	if (node->word == WORD_COORDINATE)
		return of_array(over->shape, TAF_OF_DIM, node->index + 1);
	if (node->narg == 0)
		return number;
	for (i = 0; i < node->narg && i < EXPR_ARGS; i++)
		operand[i] = unit[x->arg[node->arg + i]];
	u = of_operation(node->word, operand, i, i == 2 ?
	    written(x, &x->node[x->arg[node->arg + 1]]) : 0);
	/* min and max have any number, and do not mind the order */
	for (; i < node->narg; i++)
		u = together(u, unit[x->arg[node->arg + i]]);
	return u;
}

enum taf_status
taf_expr_unit(struct taf_buf *to, const struct taf_expr *x,
    const struct taf_expr_over *over, struct taf_err *e)
{
	struct unit *unit = calloc(x->nnode, sizeof *unit), *u;
	enum taf_status st = TAF_OK;
	uint32_t i;

	if (unit == NULL)
		return taf_fail_mem(e);
	for (i = 0; i <= x->result; i++)
		unit[i] = of_node(x, over, &x->node[i], unit);
	u = &unit[x->result];
	if (u->name != NULL && u->half == 2)
		st = taf_buf_puts(to, u->name, e);
	free(unit);
	return st;
}
