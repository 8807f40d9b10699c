/*
 * The text of an expression as nodes, by two stacks: no operator, however many stand in a
 * row, takes a call.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/nearest.h"
#include "base/str.h"
#include "kernel/expr/expr_private.h"

static const struct function {
	const char *name;
	enum expr_word word;
	uint32_t least, most;		/* arguments */
} functions[] = {
	{ "abs", WORD_ABS, 1, 1 }, { "sign", WORD_SIGN, 1, 1 },
	{ "sqrt", WORD_SQRT, 1, 1 },
	{ "cbrt", WORD_CBRT, 1, 1 }, { "exp", WORD_EXP, 1, 1 },
	{ "exp2", WORD_EXP2, 1, 1 },
	{ "expm1", WORD_EXPM1, 1, 1 }, { "log", WORD_LOG, 1, 1 },
	{ "log2", WORD_LOG2, 1, 1 },
	{ "log10", WORD_LOG10, 1, 1 }, { "log1p", WORD_LOG1P, 1, 1 },
	{ "sin", WORD_SIN, 1, 1 }, { "cos", WORD_COS, 1, 1 }, { "tan", WORD_TAN, 1, 1 },
	{ "asin", WORD_ASIN, 1, 1 }, { "acos", WORD_ACOS, 1, 1 },
	{ "atan", WORD_ATAN, 1, 1 },
	{ "atan2", WORD_ATAN2, 2, 2 }, { "sinh", WORD_SINH, 1, 1 },
	{ "cosh", WORD_COSH, 1, 1 },
	{ "tanh", WORD_TANH, 1, 1 }, { "asinh", WORD_ASINH, 1, 1 },
	{ "acosh", WORD_ACOSH, 1, 1 }, { "atanh", WORD_ATANH, 1, 1 },
	{ "hypot", WORD_HYPOT, 2, 2 }, { "pow", WORD_POW, 2, 2 },
	{ "erf", WORD_ERF, 1, 1 },
	{ "erfc", WORD_ERFC, 1, 1 }, { "gamma", WORD_GAMMA, 1, 1 },
	{ "lgamma", WORD_LGAMMA, 1, 1 }, { "floor", WORD_FLOOR, 1, 1 },
	{ "ceil", WORD_CEIL, 1, 1 }, { "trunc", WORD_TRUNC, 1, 1 },
	{ "round", WORD_ROUND, 1, 1 }, { "frac", WORD_FRAC, 1, 1 },
	{ "mod", WORD_MOD, 2, 2 },
	{ "min", WORD_MIN, 2, UINT32_MAX }, { "max", WORD_MAX, 2, UINT32_MAX },
	{ "fmin", WORD_FMIN, 2, UINT32_MAX }, { "fmax", WORD_FMAX, 2, UINT32_MAX },
	{ "clip", WORD_CLIP, 3, 3 }, { "where", WORD_WHERE, 3, 3 },
	{ "isnan", WORD_ISNAN, 1, 1 }, { "isinf", WORD_ISINF, 1, 1 },
	{ "isfinite", WORD_ISFINITE, 1, 1 }, { "deg", WORD_DEG, 1, 1 },
	{ "rad", WORD_RAD, 1, 1 }, { "sinc", WORD_SINC, 1, 1 },
	{ "real", WORD_REALPART, 1, 1 }, { "imag", WORD_IMAG, 1, 1 },
	{ "conj", WORD_CONJ, 1, 1 }, { "arg", WORD_ARG, 1, 1 },
	{ "complex", WORD_COMPLEX, 2, 2 }, { "polar", WORD_POLAR, 2, 2 },
	{ "bitand", WORD_BITAND, 2, 2 }, { "bitor", WORD_BITOR, 2, 2 },
	{ "bitxor", WORD_BITXOR, 2, 2 }, { "shift", WORD_SHIFT_LEFT, 2, 2 },
	{ "rand", WORD_RAND, 1, 1 }, { "randn", WORD_RANDN, 1, 1 },
	{ "copysign", WORD_COPYSIGN, 2, 2 },	/* in formulas alone */
};

enum { NFUNCTIONS = sizeof functions / sizeof *functions - 1 };

/* Binding, from loose to tight. */
enum {
	BIND_WHERE = 1, BIND_OR, BIND_AND, BIND_NOT, BIND_COMPARE, BIND_BITOR,
	    BIND_BITXOR,
	BIND_BITAND, BIND_SHIFT, BIND_SUM, BIND_PRODUCT, BIND_SIGN, BIND_POWER
};

/* The first that fits counts, so longer ones come first. */
static const struct {
	const char *text;
	enum expr_word word;
	int bind;
} operators[] = {
	{ "**", WORD_POW, BIND_POWER }, { "//", WORD_FLOORDIV, BIND_PRODUCT },
	{ "<<", WORD_SHIFT_LEFT, BIND_SHIFT }, { ">>", WORD_SHIFT_RIGHT, BIND_SHIFT },
	{ "<=", WORD_LE, BIND_COMPARE }, { ">=", WORD_GE, BIND_COMPARE },
	{ "==", WORD_EQ, BIND_COMPARE }, { "!=", WORD_NE, BIND_COMPARE },
	{ "<", WORD_LT, BIND_COMPARE }, { ">", WORD_GT, BIND_COMPARE },
	{ "^", WORD_POW, BIND_POWER }, { "*", WORD_MUL, BIND_PRODUCT },
	{ "/", WORD_DIV, BIND_PRODUCT }, { "%", WORD_MOD, BIND_PRODUCT },
	{ "+", WORD_ADD, BIND_SUM }, { "-", WORD_SUB, BIND_SUM },
	{ "&", WORD_BITAND, BIND_BITAND }, { "|", WORD_BITOR, BIND_BITOR },
	{ "xor", WORD_BITXOR, BIND_BITXOR }, { "and", WORD_AND, BIND_AND },
	{ "or", WORD_OR, BIND_OR },
};

enum { NOPERATORS = sizeof operators / sizeof *operators };

/* What was written in place of what there is. */
static const struct {
	const char *text, *instead;
} mistakes[] = {
	{ "&&", "\"and\"" }, { "||", "\"or\"" }, { "!", "\"not\"" },
	{ "=", "\"==\" to compare, or NAME = ...; before the result" },
};

enum { NMISTAKES = sizeof mistakes / sizeof *mistakes };

static const char *const reserved[] = {
	"not", "and", "or", "xor", "pi", "e", "inf", "nan", "I", "input"
};

enum { NRESERVED = sizeof reserved / sizeof *reserved };

/* What another command does. */
static const char *const reductions[] = {
	"sum", "mean", "std", "var", "rms", "median", "prod", "range", "absmax", "count",
	"any", "all", "quantile", "argmin", "argmax"
};

enum { NREDUCTIONS = sizeof reductions / sizeof *reductions };

/* What stands on the stack of operators. */
enum pending { OPERATOR, GROUP, CALL, CONDITION, CHOICE };

struct operator {
	enum pending kind;
	enum expr_word word;
	int bind;
	bool prefix;
	uint32_t column;
	const struct function *function;	/* that is called */
	uint32_t narg;
};

struct variable {
	const char *name;
	size_t size;
	uint32_t node;
};

struct parser {
	const char *text, *at, *end;
	const char *counted;	/* in column number, from 1 */
	uint32_t number;
	const char *const *names;
	unsigned nnames;
	bool formula;
	struct taf_expr *x;
	struct operator *pending;
	uint32_t *value;	/* nodes that no operator has taken */
	struct variable *variable;
	size_t npending, nvalue, nvariable;
	unsigned depth;
	struct taf_err *err;
};

const char *
taf_expr_word_name(enum expr_word word)
{
	size_t k;

	for (k = 0; k < NOPERATORS; k++)
		if (operators[k].word == word && word != WORD_POW)
			return operators[k].text;
	for (k = 0; k < NFUNCTIONS; k++)
		if (functions[k].word == word)
			return functions[k].name;
	return word == WORD_NEGATE ? "-" : word == WORD_PLUS ? "+" :
	    word == WORD_COMPLEMENT ? "~" : "not";
}

/* The number of a character, from 1. */
static uint32_t
column(struct parser *p, const char *at)
{
	if (at < p->counted || p->counted == NULL) {
		p->counted = p->text;
		p->number = 1;
	}
	for (; p->counted < at; p->counted++)
		p->number += ((unsigned char)*p->counted & 0xc0) != 0x80;
	return p->number;
}

static bool
letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t
word_size(const struct parser *p)
{
	size_t n = 0;

	if (p->at < p->end && letter(*p->at))
		while (p->at + n < p->end && (letter(p->at[n]) || digit(p->at[n])))
			n++;
	return n;
}

static bool
same_word(const char *at, size_t n, const char *name)
{
	return strncmp(at, name, n) == 0 && name[n] == '\0';
}

static void
skip_blanks(struct parser *p)
{
	while (p->at < p->end && (*p->at == ' ' || (*p->at >= '\t' && *p->at <= '\r')))
		p->at++;
}

/* How many of n bytes a message shows. */
static int
shown(const char *at, size_t n)
{
	size_t whole = n < 40 ? n : 40;

	while (whole < n && whole > 0 && ((unsigned char)at[whole] & 0xc0) == 0x80)
		whole--;
	return (int)whole;
}

/* What stands at p: a word, a number, a character. */
static int
shown_here(const struct parser *p)
{
	size_t n = word_size(p);

	while (n == 0 && p->at + n < p->end && digit(p->at[n]))
		n++;
	for (n += n == 0; p->at + n < p->end && ((unsigned char)p->at[n] & 0xc0) ==
	    0x80; n++)
		;
	return shown(p->at, n);
}

static enum taf_status
expected(struct parser *p, const char *what)
{
	const unsigned at = column(p, p->at);
	size_t k;

	if (p->at == p->end)
		return taf_fail(p->err, TAF_EUSAGE,
		    "expression: column %u: it ends where %s is "
		    "expected", at, what);
	for (k = 0; k < NMISTAKES && p->at[1] != '='; k++)
		if (strncmp(p->at, mistakes[k].text, strlen(mistakes[k].text)) == 0)
			return taf_fail(p->err, TAF_EUSAGE,
			    "expression: column %u: \"%s\" is "
			    "not known: it is %s", at, mistakes[k].text,
			    mistakes[k].instead);
	return taf_fail(p->err, TAF_EUSAGE,
	    "expression: column %u: \"%.*s\" stands where %s is "
	    "expected", at, shown_here(p), p->at, what);
}

/* --- nodes --- */

static struct expr_node *
add_node(struct parser *p, enum expr_word word, uint32_t col, uint32_t narg)
{
	struct taf_expr *x = p->x;
	struct expr_node *node = &x->node[x->nnode];

	*node = (struct expr_node){ .word = word, .column = col, .arg = x->narg,
	    .narg = narg };
	p->nvalue -= narg;
	memcpy(x->arg + x->narg, p->value + p->nvalue, narg * sizeof *x->arg);
	x->narg += narg;
	p->value[p->nvalue++] = x->nnode++;
	return node;
}

/* Operators that bind more tightly than bind make nodes, down to an open bracket. */
static void
reduce(struct parser *p, int bind)
{
	while (p->npending > 0) {
		const struct operator *o = &p->pending[p->npending - 1];

		if ((o->kind != OPERATOR && o->kind != CHOICE) || o->bind < bind)
			return;
		p->npending--;
		if (o->kind == CHOICE) {
			(void)add_node(p, WORD_WHERE, o->column, 3);
			continue;
		}
		p->depth -= o->prefix;
		if (o->word != WORD_PLUS)
			(void)add_node(p, o->word, o->column, o->prefix ? 1 : 2);
	}
}

static enum taf_status
push(struct parser *p, const struct operator *o)
{
	const bool deeper = o->prefix || o->kind == GROUP || o->kind == CALL;

	if (deeper && ++p->depth > TAF_EXPR_DEPTH)
		return taf_fail(p->err, TAF_EUSAGE,
		    "expression: column %u: more than %d levels "
		    "of parentheses, calls and signs", o->column, (int)TAF_EXPR_DEPTH);
	p->pending[p->npending++] = *o;
	return TAF_OK;
}

/* --- names --- */

/* x12 and its like: *dim is then 11. */
static bool
numbered(const char *at, size_t n, uint32_t *dim)
{
	uint32_t k = 0;
	size_t i;

	if (n < 2 || n > 3 || (at[0] != 'x' && at[0] != 'i' && at[0] != 'n') || at[1] ==
	    '0')
		return false;
	for (i = 1; i < n; i++) {
		if (!digit(at[i]))
			return false;
		k = 10 * k + (uint32_t)(at[i] - '0');
	}
	*dim = k - 1;
	return k <= TAF_MAX_DIM;
}

static bool
is_reserved(const char *at, size_t n)
{
	uint32_t dim;
	size_t k;

	for (k = 0; k < NFUNCTIONS; k++)
		if (same_word(at, n, functions[k].name))
			return true;
	for (k = 0; k < NRESERVED; k++)
		if (same_word(at, n, reserved[k]))
			return true;
	return numbered(at, n, &dim);
}

bool
taf_expr_is_name(const char *name)
{
	const struct parser p = { .at = name, .end = name + strlen(name) };

	return p.at < p.end && word_size(&p) == (size_t)(p.end - p.at) &&
	    !is_reserved(name, strlen(name));
}

static unsigned
find_input(const struct parser *p, const char *at, size_t n)
{
	unsigned k;

	for (k = 0; k < p->nnames; k++)
		if (same_word(at, n, p->names[k]) ||
		    (same_word(at, n, "input") && strcmp(p->names[k], "a") == 0))
			break;
	return k;
}

static struct variable *
find_variable(const struct parser *p, const char *at, size_t n)
{
	size_t k;

	for (k = 0; k < p->nvariable; k++)
		if (p->variable[k].size == n && memcmp(p->variable[k].name, at, n) == 0)
			return &p->variable[k];
	return NULL;
}

/* A word that means nothing, as the name of a function or not. */
static enum taf_status
unknown(struct parser *p, size_t n, bool function)
{
	const char *const what = function ? "function" : "name";
	struct taf_str known = { .err = p->err };
	const unsigned at = column(p, p->at);
	enum taf_status st;
	const char *near = NULL;
	size_t k, slips, best = SIZE_MAX;

	for (k = 0; k < NREDUCTIONS; k++)
		if (same_word(p->at, n, reductions[k]))
			return taf_fail(p->err, TAF_EUSAGE,
			    "expression: column %u: unknown %s "
			    "\"%s\": tafreduce computes it", at, what, reductions[k]);
	for (k = 0; k < NFUNCTIONS && function; k++) {
		slips = taf_slips(p->at, n, functions[k].name);
		if (slips < best) {
			best = slips;
			near = functions[k].name;
		}
	}
	if (near != NULL)
		return taf_fail(p->err, TAF_EUSAGE,
		    "expression: column %u: unknown function \"%.*s\"; did you mean %s?",
		    at, shown(p->at, n), p->at, near);
	for (k = 0; k < NFUNCTIONS && function; k++)
		taf_str_printf(&known, " %s", functions[k].name);
	for (k = 0; k < p->nnames && !function; k++)
		taf_str_printf(&known, " %s", p->names[k]);
	for (k = 0; k < p->nvariable && k < 8 && !function; k++)
		taf_str_printf(&known, " %.*s", shown(p->variable[k].name,
		    p->variable[k].size), p->variable[k].name);
	if (!function)
		taf_str_puts(&known, " x1 i1 n1 and so on, pi e inf nan I");
	if (known.st != TAF_OK)
		return known.st;
	st = taf_fail(p->err, TAF_EUSAGE,
	    "expression: column %u: unknown %s \"%.*s\" (known:%s)",
	    at, what, shown(p->at, n), p->at, known.buf.data);
	taf_str_free(&known);
	return st;
}

/* NULL where there is none of that name. */
static const struct function *
find_function(const struct parser *p, const char *at, size_t n)
{
	for (size_t k = 0; k < NFUNCTIONS + (size_t)p->formula; k++)
		if (same_word(at, n, functions[k].name))
			return &functions[k];
	return NULL;
}

static enum taf_status
begin_call(struct parser *p, size_t n, const struct function *f)
{
	const struct operator o = { .kind = CALL, .column = column(p, p->at),
	    .word = f->word, .function = f };

	p->at += n;
	skip_blanks(p);
	p->at++;
	return push(p, &o);
}

/* A word in the place of a value. */
static enum taf_status
name(struct parser *p, size_t n, bool *value)
{
	const char *at = p->at;
	const uint32_t col = column(p, at);
	const char *behind = at + n;
	const struct function *function;
	const struct variable *v;
	struct expr_node *node;
	uint32_t dim = 0;
	unsigned k;
	bool call;

	if (same_word(at, n, "not")) {
		const struct operator o = { .kind = OPERATOR, .word = WORD_NOT, .prefix =
		    true,
		    .bind = BIND_NOT, .column = col };

		p->at += n;
		return push(p, &o);
	}
	while (behind < p->end && (*behind == ' ' || (*behind >= '\t' && *behind <=
	    '\r')))
		behind++;
	call = behind < p->end && *behind == '(';
	function = find_function(p, at, n);
	if (call && function != NULL)
		return begin_call(p, n, function);
	*value = true;
	v = find_variable(p, at, n);
	k = find_input(p, at, n);
	if (v != NULL) {
		p->value[p->nvalue++] = v->node;
	} else if (k < p->nnames) {
		p->x->used[k] = true;
		add_node(p, WORD_INPUT, col, 0)->index = k;
	} else if (numbered(at, n, &dim)) {
		node = add_node(p, *at == 'x' ? WORD_COORDINATE : *at == 'i' ?
		    WORD_INDEX :
		    WORD_LENGTH, col, 0);
		node->index = dim;
	} else if (same_word(at, n, "pi")) {
		add_node(p, WORD_REAL, col, 0)->real = 0x1.921fb54442d18p+1;
	} else if (same_word(at, n, "e")) {
		add_node(p, WORD_REAL, col, 0)->real = 0x1.5bf0a8b145769p+1;
	} else if (same_word(at, n, "inf") || same_word(at, n, "nan")) {
		(void)taf_scan_f64(at, at + n, &add_node(p, WORD_REAL, col, 0)->real);
	} else if (same_word(at, n, "I")) {
		(void)add_node(p, WORD_IMAGINARY, col, 0);
	} else if (function != NULL) {
		return taf_fail(p->err, TAF_EUSAGE, "expression: column %u: %.*s is a "
		    "function: its values stand in parentheses", col, (int)n, at);
	} else if (is_reserved(at, n)) {
		return expected(p, "a value");
	} else {
		return unknown(p, n, call);
	}
	p->at += n;
	return TAF_OK;
}

/* --- values and operators --- */

static int
hex_digit(char c)
{
	return digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 :
	    c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A number, which has a digit at p or behind the point there. */
static enum taf_status
number(struct parser *p)
{
	const uint32_t col = column(p, p->at);
	const bool hex = p->end - p->at > 2 && p->at[0] == '0' &&
	    (p->at[1] == 'x' || p->at[1] == 'X') && hex_digit(p->at[2]) >= 0;
	const uint64_t base = hex ? 16 : 10;
	const char *c = p->at + (hex ? 2 : 0);
	bool large = false;
	uint64_t u = 0;
	double real = 0;
	size_t n;

	for (; c < p->end && (hex ? hex_digit(*c) >= 0 : digit(*c)); c++) {
		const uint64_t d = (uint64_t)hex_digit(*c);

		large = large || u > (UINT64_MAX - d) / base;
		u = u * base + d;
	}
	n = hex ? 0 : taf_scan_f64(p->at, p->end, &real);
	if (n > (size_t)(c - p->at)) {
		add_node(p, WORD_REAL, col, 0)->real = real;
		p->at += n;
	} else if (large) {
		return taf_fail(p->err, TAF_EUSAGE,
		    "expression: column %u: an integer above "
		    "%llu; with a point it is a real number", col,
		    (unsigned long long)UINT64_MAX);
	} else {
		add_node(p, WORD_INTEGER, col, 0)->integer = u;
		p->at = c;
	}
	if (p->at < p->end && (letter(*p->at) || digit(*p->at)))
		return expected(p, "an operator");
	return TAF_OK;
}

/* Something that stands before a value, or one; *value says that it was one. */
static enum taf_status
take_value(struct parser *p, bool *value)
{
	struct operator o = { .kind = OPERATOR, .prefix = true, .bind = BIND_SIGN,
	    .column = column(p, p->at) };
	const size_t n = word_size(p);

	if (n > 0)
		return name(p, n, value);
	if (p->at == p->end)
		return expected(p, "a value");
	if (digit(*p->at) || (*p->at == '.' && p->at + 1 < p->end && digit(p->at[1]))) {
		*value = true;
		return number(p);
	}
	switch (*p->at) {
	case '(':
		o.kind = GROUP;
		o.prefix = false;
		break;
	case '-':
		o.word = WORD_NEGATE;
		break;
	case '+':
		o.word = WORD_PLUS;
		break;
	case '~':
		o.word = WORD_COMPLEMENT;
		break;
	default:
		return expected(p, "a value");
	}
	p->at++;
	return push(p, &o);
}

/* The bracket that is open, or NULL. */
static struct operator *
open_bracket(struct parser *p)
{
	reduce(p, 0);
	return p->npending > 0 ? &p->pending[p->npending - 1] : NULL;
}

static enum taf_status
end_call(struct parser *p, const struct operator *o)
{
	const uint32_t narg = o->narg + 1;
	const struct function *f = o->function;

	if (f->most == UINT32_MAX && narg == 1)
		return taf_fail(p->err, TAF_EUSAGE, "expression: column %u: %s takes %u "
		    "values or more, 1 is given; that of all elements tafreduce computes",
		    o->column, f->name, f->least);
	if (narg < f->least || narg > f->most)
		return taf_fail(p->err, TAF_EUSAGE,
		    "expression: column %u: %s takes %u value%s, "
		    "%u %s given", o->column, f->name, f->least,
		    f->least == 1 ? "" : "s", narg, narg == 1 ? "is" : "are");
	(void)add_node(p, o->word, o->column, narg);
	return TAF_OK;
}

static enum taf_status
close_bracket(struct parser *p)
{
	struct operator *o = open_bracket(p);

	if (o != NULL && o->kind == CONDITION)
		return expected(p, "\":\" of \"?\"");
	if (o == NULL)
		return expected(p, "an operator or the end");
	p->npending--;
	p->depth--;
	p->at++;
	return o->kind == CALL ? end_call(p, o) : TAF_OK;
}

static enum taf_status
take_condition(struct parser *p)
{
	const struct operator o = { .kind = CONDITION, .column = column(p, p->at) };

	reduce(p, BIND_WHERE + 1);
	p->at++;
	return push(p, &o);
}

static enum taf_status
take_choice(struct parser *p)
{
	struct operator *o = open_bracket(p);

	if (o == NULL || o->kind != CONDITION)
		return expected(p, "an operator");
	o->kind = CHOICE;
	o->bind = BIND_WHERE;
	p->at++;
	return TAF_OK;
}

static enum taf_status
take_comma(struct parser *p)
{
	struct operator *o = open_bracket(p);

	if (o == NULL || o->kind != CALL)
		return expected(p, o != NULL && o->kind == CONDITION ? "\":\" of \"?\"" :
		    "an operator");
	o->narg++;
	p->at++;
	return TAF_OK;
}

static enum taf_status
take_binary(struct parser *p)
{
	struct operator o = { .kind = OPERATOR };
	const size_t n = word_size(p);
	size_t k, size = 0;

	for (k = 0; k < NOPERATORS; k++) {
		size = strlen(operators[k].text);
		if (strncmp(p->at, operators[k].text, size) == 0 && (n == 0 || n == size))
			break;
	}
	if (k == NOPERATORS || strncmp(p->at, "&&", 2) == 0 || strncmp(p->at, "||", 2) ==
	    0)
		return expected(p, "an operator");
	o.word = operators[k].word;
	o.bind = operators[k].bind;
	o.column = column(p, p->at);
	reduce(p, o.bind + (o.bind == BIND_POWER || o.bind == BIND_COMPARE));
	if (o.bind == BIND_COMPARE && p->npending > 0 &&
	    p->pending[p->npending - 1].kind == OPERATOR &&
	    p->pending[p->npending - 1].bind == BIND_COMPARE)
		return taf_fail(p->err, TAF_EUSAGE,
		    "expression: column %u: comparisons do not "
		    "chain: a<b and b<c", o.column);
	p->at += size;
	return push(p, &o);
}

/* What stands behind a value; *value says that another one must come. */
static enum taf_status
take_operator(struct parser *p, bool *value)
{
	*value = *p->at != ')';
	switch (*p->at) {
	case ')':
		return close_bracket(p);
	case '?':
		return take_condition(p);
	case ':':
		return take_choice(p);
	case ',':
		return take_comma(p);
	}
	return take_binary(p);
}

/* A value with all that stands behind it, up to ";" or the end. */
static enum taf_status
whole_value(struct parser *p)
{
	bool wanted = true;
	const struct operator *o;
	enum taf_status st;

	for (;;) {
		bool value = false;

		skip_blanks(p);
		if (wanted) {
			st = take_value(p, &value);
			wanted = !value;
		} else if (p->at == p->end || *p->at == ';') {
			break;
		} else {
			st = take_operator(p, &wanted);
		}
		if (st != TAF_OK)
			return st;
	}
	o = open_bracket(p);
	if (o != NULL)
		return taf_fail(p->err, TAF_EUSAGE,
		    "expression: column %u: \"%s\" has no \"%s\"",
		    o->column, o->kind == CONDITION ? "?" : "(", o->kind == CONDITION ?
		    ":" :
		    ")");
	return TAF_OK;
}

/* NAME = before a value: its name at *at, n bytes; 0 where there is none. */
static enum taf_status
take_name(struct parser *p, const char **at, size_t *n)
{
	const char *begin = p->at;
	const size_t size = word_size(p);

	*at = begin;
	*n = 0;
	p->at += size;
	skip_blanks(p);
	if (size == 0 || p->at == p->end || *p->at != '=' ||
	    (p->at + 1 < p->end && p->at[1] == '=')) {
		p->at = begin;
		return TAF_OK;
	}
	if (is_reserved(begin, size) || find_input(p, begin, size) < p->nnames)
		return taf_fail(p->err, TAF_EUSAGE,
		    "expression: column %u: \"%.*s\" is taken, "
		    "and cannot be defined (\"==\" compares)", column(p, begin),
		    shown(begin, size), begin);
	p->at++;
	*n = size;
	return TAF_OK;
}

/* Statements, the last of which is the result. */
static enum taf_status
whole_text(struct parser *p)
{
	for (;;) {
		const char *at;
		size_t n;
		struct variable *v;
		enum taf_status st;

		skip_blanks(p);
		st = take_name(p, &at, &n);
		if (st == TAF_OK)
			st = whole_value(p);
		if (st != TAF_OK)
			return st;
		p->nvalue--;
		if (n == 0 && p->at < p->end)
			return taf_fail(p->err, TAF_EUSAGE,
			    "expression: column %u: before \";\" "
			    "stands NAME = ...", column(p, p->at));
		if (n == 0) {
			p->x->result = p->value[p->nvalue];
			return TAF_OK;
		}
		if (p->at == p->end)
			return taf_fail(p->err, TAF_EUSAGE,
			    "expression: column %u: it ends "
			    "without a result: NAME = ...; RESULT", column(p, p->at));
		p->at++;
		v = find_variable(p, at, n);
		if (v == NULL)
			v = &p->variable[p->nvariable++];
		*v = (struct variable){ at, n, p->value[p->nvalue] };
	}
}

/* The names, their number and the error are in p. */
static enum taf_status
parse(struct taf_expr **to, struct parser p, const char *text)
{
	const size_t size = strlen(text);
	struct taf_expr *x;
	enum taf_status st;

	if (size > TAF_EXPR_LENGTH)
		return taf_fail(p.err, TAF_EUSAGE,
		    "expression: %zu bytes, at most %d can be", size, (int)TAF_EXPR_LENGTH);
	p.text = p.at = text;
	p.end = text + size;
	x = p.x = calloc(1, sizeof *x);
	/* a byte of text makes one of each at most */
	if (x != NULL) {
		x->node = taf_alloc(size + 1, sizeof *x->node);
		x->arg = taf_alloc(size + 1, sizeof *x->arg);
	}
	p.pending = taf_alloc(size + 1, sizeof *p.pending);
	p.value = taf_alloc(size + 1, sizeof *p.value);
	p.variable = taf_alloc(size + 1, sizeof *p.variable);
	if (x == NULL || x->node == NULL || x->arg == NULL || p.pending == NULL ||
	    p.value == NULL || p.variable == NULL)
		st = taf_fail_mem(p.err);
	else
		st = whole_text(&p);
	free(p.pending);
	free(p.value);
	free(p.variable);
	if (st == TAF_OK)
		*to = x;
	else
		taf_expr_free(x);
	return st;
}

enum taf_status
taf_expr_parse(struct taf_expr **to, const char *text, const char *const names[],
    unsigned n, struct taf_err *e)
{
	return parse(to, (struct parser){ .names = names, .nnames = n, .err = e }, text);
}

enum taf_status
taf_expr_formula(struct taf_expr **to, const char *text, struct taf_err *e)
{
	static const char *const names[] = { "a", "b", "c", "d" };

	return parse(to, (struct parser){ .names = names, .nnames = 4, .formula = true,
	    .err = e }, text);
}

bool
taf_expr_uses(const struct taf_expr *x, unsigned k)
{
	return x->used[k];
}

bool
taf_expr_is_input(const struct taf_expr *x, unsigned k)
{
	const struct expr_node *n = &x->node[x->result];

	return n->word == WORD_INPUT && n->index == k;
}

void
taf_expr_free(struct taf_expr *x)
{
	if (x == NULL)
		return;
	free(x->node);
	free(x->arg);
	free(x);
}
