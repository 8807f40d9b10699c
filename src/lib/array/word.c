/* SPDX-License-Identifier: ISC */
#include "array/word.h"

#include <stdio.h>
#include <string.h>

#include "array/region.h"
#include "array/unit.h"
#include "base/num.h"
#include "base/si.h"
#include "base/str.h"

bool
taf_label_may_be(const char *s, size_t n)
{
	return n > 0 && strchr("0123456789+-. ,:=", s[0]) == NULL;
}

static unsigned char
small(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static bool
same_letters(const char *label, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n && label[i] != '\0'; i++)
		if (small(label[i]) != small(s[i]))
			return false;
	return i == n && label[n] == '\0';
}

static const char *
label_of(const struct taf_array *a, unsigned dim)
{
	const char *label = taf_attr_get(a, "label", TAF_OF_DIM, dim);

	return label != NULL ? label : "";
}

bool
taf_label_any(const struct taf_array *a)
{
	unsigned k = 1;

	while (k <= a->ndim && label_of(a, k)[0] == '\0')
		k++;
	return k <= a->ndim;
}

/* How many dimensions have it, and the first and the last of them. */
static unsigned
count(const struct taf_array *a, const char *s, size_t n, bool exact, unsigned found[2])
{
	unsigned k, times = 0;

	for (k = 1; k <= a->ndim; k++) {
		const char *label = label_of(a, k);

		if (exact ? strlen(label) != n || memcmp(label, s, n) != 0 :
		    !same_letters(label, s, n))
			continue;
		found[times == 0 ? 0 : 1] = k;
		times++;
	}
	return times;
}

/* No dimension has the label: say which there are. */
static enum taf_status
no_label(const struct taf_array *a, const char *s, size_t n, struct taf_err *e)
{
	struct taf_err lost = { 0 };
	struct taf_str have = { .err = &lost };
	enum taf_status st;
	unsigned k;

	for (k = 1; k <= a->ndim; k++)
		if (label_of(a, k)[0] != '\0')
			taf_str_printf(&have, "%s%u is %s", have.buf.len > 0 ? ", " : "",
			    k, label_of(a, k));
	if (have.st != TAF_OK || have.buf.len == 0)
		st = taf_fail(e, TAF_EDATA,
		    "no dimension is labelled %.*s: the array has no labels", (int)n, s);
	else
		st = taf_fail(e, TAF_EDATA, "no dimension is labelled %.*s: dimension %s",
		    (int)n, s, have.buf.data);
	taf_str_free(&have);
	return st;
}

enum taf_status
taf_label_find(const struct taf_array *a, const char *label, size_t n, unsigned *dim,
    struct taf_err *e)
{
	unsigned found[2] = { 0, 0 };
	unsigned times = count(a, label, n, true, found);

	if (times == 0)
		times = count(a, label, n, false, found);
	if (times == 0)
		return no_label(a, label, n, e);
	if (times > 1)
		return taf_fail(e, TAF_EDATA,
		    "dimensions %u and %u are both labelled %.*s: say the number",
		    found[0], found[1], (int)n, label);
	*dim = found[0];
	return TAF_OK;
}

enum taf_status
taf_dim_read(const struct taf_array *a, const char *s, size_t n, unsigned *dim,
    struct taf_err *e)
{
	*dim = 0;
	if (!taf_label_may_be(s, n))
		return taf_dim_number(s, n, dim) ? TAF_OK : taf_fail(e, TAF_EUSAGE,
		    memchr(s, ',', n) != NULL ?
		    "%.*s: not a dimension, 1 to %d, or its label: the next one takes another command" :
		    "%.*s: not a dimension, 1 to %d, or its label", (int)n, s,
		    (int)TAF_MAX_DIM);
	return a == NULL ? TAF_OK : taf_label_find(a, s, n, dim, e);
}

/*
 * Length of the unit that follows a number of so many bytes; 0 where what follows is
 * none: there are digits in powers alone.
 */
static size_t
unit_behind(const char *s, size_t n, size_t number)
{
	const char c = number < n ? s[number] : '\0';
	size_t i;

	if (number == 0 || !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (unsigned char)c >= 0x80 || c == '%'))
		return 0;
	for (i = number; i < n; i++)
		if (s[i] >= '0' && s[i] <= '9' && s[i - 1] != '^' && s[i - 1] != '-')
			return 0;
	return n - number;
}

bool
taf_amount_read(struct taf_amount *m, const char *s, size_t n)
{
	const size_t number = taf_si_number(s, n);
	const size_t unit = unit_behind(s, n, number);

	*m = (struct taf_amount){ .text = unit > 0 ? s : NULL, .len = n };
	return taf_parse_f64(s, unit > 0 ? number : n, &m->value);
}

/* Bring number bytes at s from the unit that follows them into another one, of which. */
static enum taf_status
convert(const char *to, const char *which, const char *s, size_t n, double *x,
    struct taf_err *e)
{
	const size_t number = taf_si_number(s, n);
	struct taf_si from, unit;
	int shift = 0;

	if (strlen(to) != n - number || memcmp(to, s + number, n - number) != 0) {
		if (!taf_si_parse(s + number, n - number, &from) ||
		    !taf_si_parse(to, strlen(to), &unit) || from.base != unit.base)
			return taf_fail(e, TAF_EDATA,
			    "%.*s: unit %.*s does not fit %s %s",
			    (int)n, s, (int)(n - number), s + number, which, to);
		shift = from.power - unit.power;
	}
	return taf_si_scan(s, number, shift, x) ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "%.*s: too many digits to convert", (int)n, s);
}

/* A number in front of its unit, along a dimension, or a frequency along it. */
static enum taf_status
along(const struct taf_amount *m, const struct taf_array *a, unsigned dim, bool per,
    double *x, struct taf_err *e)
{
	const char *unit = taf_attr_get(a, "unit", TAF_OF_DIM, dim);
	struct taf_buf to = { 0 };
	enum taf_status st;
	char which[80];

	if (taf_dim_there(a, dim, e) != TAF_OK)
		return TAF_EDATA;
	if (unit == NULL || unit[0] == '\0')
		return taf_fail(e, TAF_EDATA,
		    "%.*s has a unit, and dimension %u has none: leave it out, or set one (tafadjust --unit)",
		    (int)m->len, m->text, dim);
	st = per ? taf_unit_inverse(&to, unit, e) : taf_buf_puts(&to, unit, e);
	(void)snprintf(which, sizeof which, per ?
	    "frequencies along dimension %u, which are in" : "dimension %u, whose unit is", dim);
	if (st == TAF_OK)
		st = convert(to.data != NULL ? to.data : "", which, m->text, m->len, x,
		    e);
	taf_buf_free(&to);
	return st;
}

enum taf_status
taf_quantity(const struct taf_array *a, unsigned dim, const char *arg, const char *s,
    size_t n, double *x, struct taf_err *e)
{
	struct taf_amount m;
	const bool number = taf_amount_read(&m, s, n);

	if (m.text != NULL && a != NULL)
		return along(&m, a, dim, false, x, e);
	*x = m.value;
	return number ? TAF_OK : taf_fail(e, TAF_EUSAGE, "%s: not a number", arg);
}

enum taf_status
taf_amount_along(const struct taf_amount *m, const struct taf_array *a, unsigned dim,
    bool per, double *x, struct taf_err *e)
{
	*x = m->value;
	return m->text == NULL ? TAF_OK : along(m, a, dim, per, x, e);
}

enum taf_status
taf_amount_of_values(const struct taf_amount *m, const struct taf_array *a, double *x,
    struct taf_err *e)
{
	const char *unit;

	*x = m->value;
	if (m->text == NULL)
		return TAF_OK;
	unit = taf_attr_get(a, "unit", TAF_OF_ARRAY, 0);
	if (unit == NULL || unit[0] == '\0')
		return taf_fail(e, TAF_EDATA,
		    "%.*s has a unit, and the values have none: leave it out, or set one (tafput unit=)",
		    (int)m->len, m->text);
	return convert(unit, "the values, whose unit is", m->text, m->len, x, e);
}

/* A part of a word, up to a mark or to its end. */
static size_t
part(const char *s, char mark)
{
	const char *end = mark != '\0' ? strchr(s, mark) : NULL;

	return end != NULL ? (size_t)(end - s) : strlen(s);
}

static bool
has_unit(const char *s, size_t n)
{
	return unit_behind(s, n, taf_si_number(s, n)) > 0;
}

/* Does it mean the same in every unit, or nothing at all? */
static bool
needs_no_unit(const char *s, size_t n)
{
	double x;

	return !taf_parse_f64(s, n, &x) || x == 0 || !taf_is_finite(x);
}

bool
taf_word_named(const struct taf_word *w)
{
	const char *s = w->text;
	size_t n = part(s, w->mark);

	if (taf_label_may_be(s, n))
		return true;
	while (s[n] != '\0' && (w->mark != '=' || w->units)) {
		s += n + 1;
		n = part(s, w->mark == '=' ? ':' : w->mark);
		if (w->mark == '=' ? has_unit(s, n) : taf_label_may_be(s, n))
			return true;
	}
	return false;
}

/* Of LO:HI one has a unit, and the other needs one. */
static enum taf_status
check_units(const char *arg, const char *value, char mark, struct taf_err *e)
{
	const size_t n = part(value, mark);
	const char *hi = value + n + 1, *unit;
	size_t lo_digits, hi_digits;
	int len;

	if (value[n] == '\0' || has_unit(value, n) == has_unit(hi, strlen(hi)) ||
	    (has_unit(value, n) ? needs_no_unit(hi, strlen(hi)) :
	    needs_no_unit(value, n)))
		return TAF_OK;
	lo_digits = taf_si_number(value, n);
	hi_digits = taf_si_number(hi, strlen(hi));
	unit = has_unit(value, n) ? value + lo_digits : hi + hi_digits;
	len = (int)(unit < hi ? n - lo_digits : strlen(unit));
	return taf_fail(e, TAF_EUSAGE,
	    "%s: one number has a unit, the other none: write %.*s%.*s%.*s%c%.*s%.*s",
	    arg, (int)(value - arg), arg, (int)lo_digits, value, len, unit, mark,
	    (int)hi_digits, hi, len, unit);
}

bool
taf_amounts_read(struct taf_amount m[2], const char *s, char mark, struct taf_err *e)
{
	const size_t n = part(s, mark);

	return s[n] != '\0' && taf_amount_read(&m[0], s, n) &&
	    taf_amount_read(&m[1], s + n + 1, strlen(s + n + 1)) &&
	    check_units(s, s, mark, e) == TAF_OK;
}

enum taf_status
taf_amounts_range(struct taf_amount m[2], const char *text, struct taf_err *e)
{
	struct taf_err half = { 0 };

	if (taf_amounts_read(m, text, ':', &half))
		return TAF_OK;
	return half.code != TAF_OK ? taf_fail(e, half.code, "%s", half.text) :
	    taf_fail(e, TAF_EUSAGE, "%s: not LO:HI", text);
}

struct taf_amount_text
taf_amount_typed(const struct taf_amount *m)
{
	struct taf_amount_text t;

	if (m->text != NULL)
		(void)snprintf(t.s, sizeof t.s, "%.*s", (int)m->len, m->text);
	else
		(void)snprintf(t.s, sizeof t.s, "%s", taf_f64(m->value).s);
	return t;
}

enum taf_status
taf_quantities(const struct taf_array *a, unsigned dim, const char *arg, double x[2],
    struct taf_err *e)
{
	const char *value = arg + part(arg, '=') + 1;
	const size_t n = part(value, ':');

	if (value[n] == '\0')
		return taf_fail(e, TAF_EUSAGE, "%s: not DIM=MIN:MAX", arg);
	if (check_units(arg, value, ':', e) != TAF_OK ||
	    taf_quantity(a, dim, arg, value, n, &x[0], e) != TAF_OK ||
	    taf_quantity(a, dim, arg, value + n + 1, strlen(value + n + 1), &x[1],
	    e) != TAF_OK)
		return e->code;
	return TAF_OK;
}

/* The value behind a dimension, its numbers in the unit of that. */
static enum taf_status
put_value(struct taf_str *to, const struct taf_word *w, const char *value,
    const struct taf_array *a, unsigned dim)
{
	size_t n;
	double x;

	to->st = check_units(w->text, value, ':', to->err);
	for (; to->st == TAF_OK; value += n + 1) {
		n = part(value, ':');
		if (has_unit(value, n)) {
			to->st = taf_quantity(a, dim, w->text, value, n, &x, to->err);
			taf_str_f64(to, x);
		} else {
			taf_str_put(to, value, n);
		}
		if (value[n] == '\0')
			break;
		taf_str_put(to, ":", 1);
	}
	return to->st;
}

/* Is this one of the dimensions that a list names by number? */
static bool
lists(const char *s, unsigned number)
{
	unsigned dim;
	size_t n;

	for (;; s += n + 1) {
		n = part(s, ',');
		if (taf_dim_number(s, n, &dim) && dim == number)
			return true;
		if (s[n] == '\0')
			return false;
	}
}

/*
 * A number in the place of the label at this place, so that all of a word are different;
 * those of a list are the lowest that it leaves, in order.
 */
static unsigned
stand_in(const struct taf_word *w, const char *at)
{
	unsigned k = 1, before = 0;
	const char *s;

	if (w->mark != ',')
		return w->stand_in;
	for (s = w->text; s < at; s += part(s, ',') + 1)
		before += taf_label_may_be(s, part(s, ','));
	for (; before > 0 || lists(w->text, k); k++)
		if (!lists(w->text, k))
			before--;
	return k;
}

enum taf_status
taf_word_plain(struct taf_buf *to, const struct taf_word *w, const struct taf_array *a,
    struct taf_err *e)
{
	struct taf_str out = { .err = e };
	const char *s = w->text;
	unsigned dim = 0;
	size_t n;

	for (;; s += n + 1) {
		n = part(s, w->mark);
		if (!taf_label_may_be(s, n)) {
			taf_str_put(&out, s, n);
			if (!taf_dim_number(s, n, &dim))
				dim = 0;
		} else {
			if (a == NULL)
				dim = stand_in(w, s);
			else if (out.st == TAF_OK)
				out.st = taf_label_find(a, s, n, &dim, e);
			taf_str_u64(&out, dim);
		}
		if (s[n] == '\0' || out.st != TAF_OK)
			break;
		taf_str_put(&out, &w->mark, 1);
		if (w->mark != '=')
			continue;
		if (w->units)
			out.st = put_value(&out, w, s + n + 1, a, dim);
		else
			taf_str_puts(&out, s + n + 1);
		break;
	}
	if (out.st == TAF_OK)
		out.st = taf_buf_put(to, out.buf.data, out.buf.len, e);
	taf_str_free(&out);
	return out.st;
}
