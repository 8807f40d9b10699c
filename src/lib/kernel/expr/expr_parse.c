/* SPDX-License-Identifier: ISC */
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

#define REFUSE(p, text, ...) \
	taf_fail((p)->err, TAF_EUSAGE, "expression: column %u: " text, __VA_ARGS__)

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* A function of n values; of n or more. */
#define EXACTLY(n, name, word) { #name, WORD_##word, n, n }
#define OR_MORE(n, name, word) { #name, WORD_##word, n, UINT32_MAX }

static const struct function {
	const char *name;
	enum expr_word word;
	uint32_t least, most;		/* arguments */
} functions[] = {
	EXACTLY(1, abs, ABS), EXACTLY(1, sign, SIGN), EXACTLY(1, sqrt, SQRT),
	EXACTLY(1, cbrt, CBRT), EXACTLY(1, exp, EXP), EXACTLY(1, exp2, EXP2),
	EXACTLY(1, expm1, EXPM1), EXACTLY(1, log, LOG), EXACTLY(1, log2, LOG2),
	EXACTLY(1, log10, LOG10), EXACTLY(1, log1p, LOG1P), EXACTLY(1, sin, SIN),
	EXACTLY(1, cos, COS), EXACTLY(1, tan, TAN), EXACTLY(1, asin, ASIN),
	EXACTLY(1, acos, ACOS), EXACTLY(1, atan, ATAN), EXACTLY(2, atan2, ATAN2),
	EXACTLY(1, sinh, SINH), EXACTLY(1, cosh, COSH), EXACTLY(1, tanh, TANH),
	EXACTLY(1, asinh, ASINH), EXACTLY(1, acosh, ACOSH), EXACTLY(1, atanh, ATANH),
	EXACTLY(2, hypot, HYPOT), EXACTLY(2, pow, POW), EXACTLY(1, erf, ERF),
	EXACTLY(1, erfc, ERFC), EXACTLY(1, gamma, GAMMA), EXACTLY(1, lgamma, LGAMMA),
	EXACTLY(1, floor, FLOOR), EXACTLY(1, ceil, CEIL), EXACTLY(1, trunc, TRUNC),
	EXACTLY(1, round, ROUND), EXACTLY(1, frac, FRAC), EXACTLY(2, mod, MOD),
	OR_MORE(2, min, MIN), OR_MORE(2, max, MAX), OR_MORE(2, fmin, FMIN),
	OR_MORE(2, fmax, FMAX), EXACTLY(3, clip, CLIP), EXACTLY(3, where, WHERE),
	EXACTLY(1, isnan, ISNAN), EXACTLY(1, isinf, ISINF),
	EXACTLY(1, isfinite, ISFINITE), EXACTLY(1, deg, DEG), EXACTLY(1, rad, RAD),
	EXACTLY(1, sinc, SINC), EXACTLY(1, real, REALPART), EXACTLY(1, imag, IMAG),
	EXACTLY(1, conj, CONJ), EXACTLY(1, arg, ARG), EXACTLY(2, complex, COMPLEX),
	EXACTLY(2, polar, POLAR), EXACTLY(2, bitand, BITAND), EXACTLY(2, bitor, BITOR),
	EXACTLY(2, bitxor, BITXOR), EXACTLY(2, shift, SHIFT_LEFT),
	EXACTLY(1, rand, RAND), EXACTLY(1, randn, RANDN),
	EXACTLY(2, copysign, COPYSIGN),	/* in formulas alone */
};

enum { NFUNCTIONS = COUNT(functions) - 1 };

/* Binding, from loose to tight. */
enum {
	BIND_WHERE = 1, BIND_OR, BIND_AND, BIND_NOT, BIND_COMPARE, BIND_BITOR,
	BIND_BITXOR, BIND_BITAND, BIND_SHIFT, BIND_SUM, BIND_PRODUCT, BIND_SIGN,
	BIND_POWER
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

/* What is written in other languages, and what is written here. */
static const struct {
	const char *text, *instead;
} mistakes[] = {
	{ "&&", "it is \"and\"" }, { "||", "it is \"or\"" },
	{ "!", "it is \"not\"" },
	{ "=", "it is \"==\" to compare, or NAME = ...; before the result" },
	{ "[", "tafcrop -x and tafselect choose elements, before" },
	{ "if", "it is where(CONDITION, THEN, ELSE)" },
	{ ".", "decimals follow a digit, and operators are \"*\", \"/\" and \"^\"" },
	{ ",", "decimals follow a point, and values of functions stand in parentheses" },
	{ "(", "functions have names, and \"*\" stands between factors" },
};

/* The same for names. */
static const struct taf_said others[] = {
	{ "sum mean std var rms median prod range absmax count any all quantile",
	    "tafreduce computes it (tafreduce OP -d 1 FILE | tafmath 'a - b' FILE -)" },
	{ "percentile argmin argmax", "tafreduce computes it" },
	{ "np numpy math cmath torch", "functions have no prefix, as in sqrt(a)" },
	{ "if lambda", "it is where(CONDITION, THEN, ELSE)" },
	{ "cumsum cumtrapz trapz integrate", "tafintegrate computes it" },
	{ "diff gradient derivative", "tafdifferentiate computes it" },
	{ "fft ifft rfft", "taffft computes it" }, { "sort sorted", "tafsort does it" },
	{ "sind cosd tand", "angles are in radians, as in sin(rad(a))" },
	{ "deg2rad radians", "it is rad" }, { "rad2deg degrees", "it is deg" },
	{ "square sqr", "it is a^2" }, { "sec csc cot", "it is 1/cos, 1/sin, 1/tan" },
	{ "rint", "it is round" }, { "random", "it is rand(SEED)" },
	{ "normal gauss gaussian", "it is randn(SEED)" },
	{ "nanmean nansum nanmax nanmin norm", "tafreduce computes it" },
	{ "zeros ones linspace arange", "-n and -a make an array" },
	{ "len length size shape", "the lengths are n1, n2 and so on" },
	{ "true True TRUE", "it is 1" }, { "false False FALSE", "it is 0" },
	{ "unwrap", "tafhilbert --phase --unwrap does it" },
	{ "reshape", "tafreshape does it" }, { "transpose", "tafpermute does it" },
	{ "roll", "tafroll does it" }, { "interp interp1", "tafregrid does it" },
	{ "smooth convolve", "tafsmooth does it" }, { "hist", "tafhist does it" },
	{ "int fix", "it is trunc" }, { "float double astype", "-t names the type" },
	{ "ln", "it is log" }, { "power", "it is pow" }, { "sgn", "it is sign" },
	{ "arcsin", "it is asin" }, { "arccos", "it is acos" },
	{ "arctan", "it is atan" }, { "arctan2", "it is atan2" },
	{ "maximum", "it is max" }, { "minimum", "it is min" },
	{ "angle phase", "it is arg" }, { "fmod remainder", "it is mod" },
	{ "PI Pi", "it is pi" }, { "NaN NAN", "it is nan" },
	{ "Inf INF infinity", "it is inf" },
	{ "j i", "the imaginary unit is I, an index along dimension 1 is i1" },
	{ "x t", "coordinates along dimension 1 are x1" },
	{ "y", "coordinates along dimension 2 are x2" },
	{ "A", "the first file is a" }, { "B", "the second file is b" },
};

static const char *const reserved[] = {
	"not", "and", "or", "xor", "pi", "e", "inf", "nan", "I", "input"
};

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

	for (k = 0; k < COUNT(operators); k++)
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
blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
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

	/* a NUL ends the text */
	while (letter(p->at[n]) || (n > 0 && digit(p->at[n])))
		n++;
	return n;
}

static bool
same_word(const char *at, size_t n, const char *name)
{
	return strncmp(at, name, n) == 0 && name[n] == '\0';
}

static bool
is_one_of(const char *at, size_t n, const char *const words[], size_t count)
{
	while (count > 0 && !same_word(at, n, words[count - 1]))
		count--;
	return count > 0;
}

static void
skip_blanks(struct parser *p)
{
	while (blank(*p->at))
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

/* What stands at p: a word, or a character. */
static int
shown_here(const struct parser *p)
{
	size_t n = word_size(p);

	for (n += n == 0; ((unsigned char)p->at[n] & 0xc0) == 0x80; n++)
		;
	return shown(p->at, n);
}

static enum taf_status
expected(struct parser *p, const char *what)
{
	const unsigned at = column(p, p->at);
	const size_t word = word_size(p);
	size_t k, n;

	if (p->at == p->end)
		return REFUSE(p, "it ends where %s is expected", at, what);
	for (k = 0; k < COUNT(mistakes) && p->at[1] != '='; k++) {
		n = strlen(mistakes[k].text);
		if (strncmp(p->at, mistakes[k].text, n) == 0 && (word == 0 || word == n))
			return REFUSE(p, "\"%s\" is not known: %s", at,
			    mistakes[k].text, mistakes[k].instead);
	}
	return REFUSE(p, "\"%.*s\" stands where %s is expected", at, shown_here(p), p->at,
	    what);
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
		return REFUSE(p, "more than %d levels of parentheses, calls and signs",
		    o->column, (int)TAF_EXPR_DEPTH);
	p->pending[p->npending++] = *o;
	return TAF_OK;
}

/* --- names --- */

/* x12 and its like: *dim is then 11. */
static bool
numbered(const char *at, size_t n, uint32_t *dim)
{
	uint32_t k = 0;

	if (n < 2 || n > 3 || (at[0] != 'x' && at[0] != 'i' && at[0] != 'n') ||
	    at[1] == '0')
		return false;
	for (size_t i = 1; i < n; i++) {
		if (!digit(at[i]))
			return false;
		k = 10 * k + (uint32_t)(at[i] - '0');
	}
	*dim = k - 1;
	return k <= TAF_MAX_DIM;
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

static bool
is_reserved(const struct parser *p, const char *at, size_t n)
{
	uint32_t dim;

	return find_function(p, at, n) != NULL ||
	    is_one_of(at, n, reserved, COUNT(reserved)) || numbered(at, n, &dim);
}

bool
taf_expr_is_name(const char *name)
{
	const struct parser p = { .at = name };
	const size_t n = word_size(&p);

	return n > 0 && name[n] == '\0' && !is_reserved(&p, name, n);
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

/* Inputs that are called by the letters from a on. */
static unsigned
lettered(const struct parser *p)
{
	unsigned k = 0;

	while (k < p->nnames && p->names[k][0] == (char)('a' + k) &&
	    p->names[k][1] == '\0')
		k++;
	return k;
}

/* A word that means nothing, as the name of a function or not. */
static enum taf_status
unknown(struct parser *p, size_t n, bool function)
{
	const char *const what = function ? "function" : "name";
	struct taf_str known = { .err = p->err };
	const unsigned at = column(p, p->at);
	enum taf_status st;
	struct taf_nearest near = { .word = p->at, .n = n };
	const char *const instead = taf_said_of(others, COUNT(others), p->at, n);
	const unsigned files = lettered(p);
	size_t k;

	if (instead != NULL)
		return REFUSE(p, "unknown %s \"%.*s\": %s", at, what, (int)n, p->at,
		    instead);
	if (n == 1 && !function && files > 0 && *p->at >= 'b' && *p->at <= 'h')
		return REFUSE(p,
		    "unknown name \"%c\": it is file %d, and there %s %u", at,
		    *p->at, *p->at - 'a' + 1, files == 1 ? "is" : "are", files);
	for (k = 0; k < NFUNCTIONS && function; k++)
		taf_nearest_try(&near, functions[k].name);
	if (near.name != NULL)
		return REFUSE(p, "unknown function \"%.*s\"; did you mean %s?", at,
		    shown(p->at, n), p->at, near.name);
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
	st = REFUSE(p, "unknown %s \"%.*s\" (known:%s)", at, what, shown(p->at, n), p->at,
	    known.buf.data);
	taf_str_free(&known);
	return st;
}

/* A word in the place of a value. */
static enum taf_status
name(struct parser *p, size_t n, bool *value)
{
	const char *at = p->at;
	const uint32_t col = column(p, at);
	const struct function *function = find_function(p, at, n);
	const struct variable *v;
	uint32_t dim = 0;
	unsigned k;
	bool call;

	p->at += n;
	if (same_word(at, n, "not"))
		return push(p, &(struct operator){ .kind = OPERATOR, .word = WORD_NOT,
		    .prefix = true, .bind = BIND_NOT, .column = col });
	skip_blanks(p);
	call = *p->at == '(';
	if (call && function != NULL) {
		p->at++;
		return push(p, &(struct operator){ .kind = CALL, .column = col,
		    .word = function->word, .function = function });
	}
	p->at = at;
	*value = true;
	v = find_variable(p, at, n);
	k = find_input(p, at, n);
	if (v != NULL) {
		p->value[p->nvalue++] = v->node;
	} else if (k < p->nnames) {
		p->x->used[k] = true;
		add_node(p, WORD_INPUT, col, 0)->index = k;
	} else if (numbered(at, n, &dim)) {
		add_node(p, *at == 'x' ? WORD_COORDINATE : *at == 'i' ? WORD_INDEX :
		    WORD_LENGTH, col, 0)->index = dim;
	} else if (same_word(at, n, "pi")) {
		add_node(p, WORD_REAL, col, 0)->real = 0x1.921fb54442d18p+1;
	} else if (same_word(at, n, "e")) {
		add_node(p, WORD_REAL, col, 0)->real = 0x1.5bf0a8b145769p+1;
	} else if (same_word(at, n, "inf") || same_word(at, n, "nan")) {
		(void)taf_scan_f64(at, at + n, &add_node(p, WORD_REAL, col, 0)->real);
	} else if (same_word(at, n, "I")) {
		(void)add_node(p, WORD_IMAGINARY, col, 0);
	} else if (function != NULL) {
		return REFUSE(p, "%.*s is a function: its values stand in parentheses",
		    col, (int)n, at);
	} else if (is_reserved(p, at, n)) {
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
		return REFUSE(p,
		    "an integer above %llu; with a point it is a real number", col,
		    (unsigned long long)UINT64_MAX);
	} else {
		add_node(p, WORD_INTEGER, col, 0)->integer = u;
		p->at = c;
	}
	if (p->at < p->end && letter(*p->at))
		return REFUSE(p,
		    "\"%.*s\" follows a number: \"*\" stands between, and the imaginary unit is I",
		    column(p, p->at), shown_here(p), p->at);
	if (p->at < p->end && digit(*p->at))
		return expected(p, "an operator");
	return TAF_OK;
}

/* Something that stands before a value, or one; *value says that it was one. */
static enum taf_status
take_value(struct parser *p, bool *value)
{
	static const char signs[] = "-+~";
	static const enum expr_word words[] = { WORD_NEGATE, WORD_PLUS, WORD_COMPLEMENT };
	struct operator o = { .kind = OPERATOR, .prefix = true, .bind = BIND_SIGN,
	    .column = column(p, p->at) };
	const size_t n = word_size(p);
	const char *sign;

	if (n > 0)
		return name(p, n, value);
	if (p->at == p->end)
		return expected(p, "a value");
	if (digit(*p->at) || (*p->at == '.' && p->at + 1 < p->end && digit(p->at[1]))) {
		*value = true;
		return number(p);
	}
	sign = strchr(signs, *p->at);
	if (sign != NULL)
		o.word = words[sign - signs];
	else if (*p->at == '(')
		o = (struct operator){ .kind = GROUP, .column = o.column };
	else
		return expected(p, "a value");
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
		return REFUSE(p,
		    "%s takes %u values or more, 1 is given; that of all elements tafreduce computes",
		    o->column, f->name,
		    f->least);
	if (narg < f->least || narg > f->most)
		return REFUSE(p, "%s takes %u value%s, %u %s given", o->column, f->name,
		    f->least, f->least == 1 ? "" : "s", narg, narg == 1 ? "is" : "are");
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

/* ":" behind a condition, or a comma in a call */
static enum taf_status
take_separator(struct parser *p, enum pending within)
{
	struct operator *o = open_bracket(p);
	const bool condition = o != NULL && o->kind == CONDITION;

	if (o == NULL || o->kind != within)
		return expected(p, condition ? "\":\" of \"?\"" : "an operator");
	o->narg++;
	if (condition) {
		o->kind = CHOICE;
		o->bind = BIND_WHERE;
	}
	p->at++;
	return TAF_OK;
}

static enum taf_status
take_binary(struct parser *p)
{
	struct operator o = { .kind = OPERATOR };
	const size_t n = word_size(p);
	size_t k, size = 0;

	for (k = 0; k < COUNT(operators); k++) {
		size = strlen(operators[k].text);
		if (strncmp(p->at, operators[k].text, size) == 0 && (n == 0 || n == size))
			break;
	}
	if (k == COUNT(operators) || strncmp(p->at, "&&", 2) == 0 ||
	    strncmp(p->at, "||", 2) == 0)
		return expected(p, "an operator");
	o.word = operators[k].word;
	o.bind = operators[k].bind;
	o.column = column(p, p->at);
	reduce(p, o.bind + (o.bind == BIND_POWER || o.bind == BIND_COMPARE));
	if (o.bind == BIND_COMPARE && p->npending > 0 &&
	    p->pending[p->npending - 1].kind == OPERATOR &&
	    p->pending[p->npending - 1].bind == BIND_COMPARE)
		return REFUSE(p, "comparisons do not chain: a<b and b<c", o.column);
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
	case ':':
		return take_separator(p, CONDITION);
	case ',':
		return take_separator(p, CALL);
	case '?':
		reduce(p, BIND_WHERE + 1);
		p->at++;
		return push(p, &(struct operator){ .kind = CONDITION,
		    .column = column(p, p->at - 1) });
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
		return REFUSE(p, "\"%s\" has no \"%s\"", o->column,
		    o->kind == CONDITION ? "?" : "(", o->kind == CONDITION ? ":" : ")");
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
	if (is_reserved(p, begin, size) || find_input(p, begin, size) < p->nnames)
		return REFUSE(p,
		    "\"%.*s\" is taken, and cannot be defined (\"==\" compares)",
		    column(p, begin), shown(begin, size), begin);
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
			return REFUSE(p, "before \";\" stands NAME = ...",
			    column(p, p->at));
		if (n == 0) {
			p->x->result = p->value[p->nvalue];
			return TAF_OK;
		}
		if (p->at == p->end)
			return REFUSE(p, "it ends without a result: NAME = ...; RESULT",
			    column(p, p->at));
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
		    "expression: %zu bytes, at most %d can be", size,
		    (int)TAF_EXPR_LENGTH);
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
