/* SPDX-License-Identifier: ISC */
#include "text/number.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "kernel/number/convert.h"

enum {
	CHUNK = 512,		/* integers converted at a time */
	LONGEST = 340		/* of a number, but for width and precision */
};

/* Up to three digits at *s; false where there are more. */
static bool
take_digits(const char **s, size_t *value)
{
	size_t n;

	*value = 0;
	for (n = 0; **s >= '0' && **s <= '9'; n++)
		*value = *value * 10 + (size_t)(*(*s)++ - '0');
	return n <= 3;
}

static bool
wants_integers(const struct taf_number *f)
{
	return f->conversion != '\0' && strchr("doxX", f->conversion) != NULL;
}

/* The conversion whose % is behind *s; the format has *n bytes so far. */
static enum taf_status
take_conversion(struct taf_number *f, const char *text, const char **s, size_t *n,
    struct taf_err *e)
{
	const char *start = *s, *p = start + strspn(start, "-+ #0");
	const bool alternative = memchr(start, '#', (size_t)(p - start)) != NULL;
	size_t width, precision = 0;
	bool few;

	if (f->conversion != '\0')
		return taf_fail(e, TAF_EUSAGE, "%s: more than one conversion", text);
	few = take_digits(&p, &width);
	if (*p == '.') {
		p++;
		few = take_digits(&p, &precision) && few;
	}
	if (!few)
		return taf_fail(e, TAF_EUSAGE,
		    "%s: a number of more than three digits", text);
	/* what # would mean for decimal integers is not defined */
	if (*p == '\0' || strchr("diouxXeEfFgGaA", *p) == NULL ||
	    (alternative && strchr("diu", *p) != NULL))
		return taf_fail(e, TAF_EUSAGE,
		    "%s: after %% stand flags, width, precision and one of diouxXeEfFgGaA",
		    text);
	f->conversion = *p == 'i' || *p == 'u' ? 'd' : *p;
	f->most = strlen(text) + width + precision + LONGEST;
	memcpy(f->format + *n, start, (size_t)(p - start));
	*n += (size_t)(p - start);
	if (wants_integers(f)) {
		memcpy(f->format + *n, "ll", 2);
		*n += 2;
	}
	f->letter = *n;
	f->format[(*n)++] = f->conversion;
	*s = p + 1;
	return TAF_OK;
}

enum taf_status
taf_number_parse(void *to, const char *text, struct taf_err *e)
{
	struct taf_number *const f = to;
	enum taf_status st = TAF_OK;
	const char *s = text;
	size_t n = 0;

	f->conversion = '\0';
	/* the length modifier and the final NUL are to fit, too */
	if (strlen(text) > TAF_NUMBER_FORMAT - 3)
		return taf_fail(e, TAF_EUSAGE, "%s: more than %d bytes", text,
		    TAF_NUMBER_FORMAT - 3);
	while (*s != '\0' && st == TAF_OK) {
		f->format[n++] = *s++;
		if (s[-1] != '%')
			continue;
		if (*s == '%')
			f->format[n++] = *s++;
		else
			st = take_conversion(f, text, &s, &n, e);
	}
	f->format[n] = '\0';
	if (st == TAF_OK && f->conversion == '\0')
		st = taf_fail(e, TAF_EUSAGE, "%s: no conversion", text);
	return st;
}

enum taf_status
taf_number_check(const struct taf_number *f, enum taf_type type, struct taf_err *e)
{
	if (wants_integers(f) && !taf_type_is_int(type))
		return taf_fail(e, TAF_EDATA,
		    "--printf: %%%c is for integers, the values are %s", f->conversion,
		    taf_type_name(type));
	return TAF_OK;
}

static void
put_floats(struct taf_buf *b, bool single, const unsigned char *p, size_t n, char even,
    char odd)
{
	char *to = b->data + b->len;
	double x;
	float f;
	size_t i;

	for (i = 0; i < n; i++) {
		if (single) {
			memcpy(&f, p + i * sizeof f, sizeof f);
			to += taf_print_f32(to, f);
		} else {
			memcpy(&x, p + i * sizeof x, sizeof x);
			to += taf_print_f64(to, x);
		}
		*to++ = i % 2 == 0 ? even : odd;
	}
	b->len = (size_t)(to - b->data);
}

static void
put_integers(struct taf_buf *b, enum taf_type type, const unsigned char *p, size_t n,
    char after)
{
	const size_t esize = taf_type_size(type);
	char *to = b->data + b->len;
	int64_t block[CHUNK];
	uint64_t u;
	size_t i, part;

	for (; n > 0; n -= part, p += part * esize) {
		part = n < CHUNK ? n : CHUNK;
		if (type == TAF_UINT64) {
			for (i = 0; i < part; i++) {
				memcpy(&u, p + i * sizeof u, sizeof u);
				to += taf_print_u64(to, u);
				*to++ = after;
			}
			continue;
		}
		/* int64 holds all that the others do */
		(void)taf_convert(block, TAF_INT64, p, type, part, NULL, false, NULL);
		for (i = 0; i < part; i++) {
			to += taf_print_i64(to, block[i]);
			*to++ = after;
		}
	}
	b->len = (size_t)(to - b->data);
}

/* The program never sets a locale, so that printf's is that of C. */
static enum taf_status
format_integer(struct taf_buf *b, const struct taf_number *f, enum taf_type type,
    const unsigned char *p, struct taf_err *e)
{
	const unsigned spare = (unsigned)(8 - taf_type_size(type)) * 8;
	char unsigned_format[TAF_NUMBER_FORMAT];
	const char *format = f->format;
	const uint64_t u = taf_type_load(type, p);
	int n;

	if (f->conversion == 'd' && (type != TAF_UINT64 || u <= INT64_MAX)) {
		n = snprintf(b->data + b->len, f->most, format, (long long)u);
	} else {
		/* the bits of the element alone; in decimal, what no signed one holds */
		if (f->conversion == 'd') {
			memcpy(unsigned_format, format, sizeof unsigned_format);
			unsigned_format[f->letter] = 'u';
			format = unsigned_format;
		}
		n = snprintf(b->data + b->len, f->most, format,
		    (unsigned long long)(u & UINT64_MAX >> spare));
	}
	if (n < 0 || (size_t)n >= f->most)
		return taf_fail(e, TAF_EMISUSE, "internal: a number of %d bytes", n);
	b->len += (size_t)n;
	return TAF_OK;
}

static enum taf_status
format_real(struct taf_buf *b, const struct taf_number *f, enum taf_type type,
    const unsigned char *p, struct taf_err *e)
{
	struct taf_convert_count count = { 0 };
	char exact[TAF_DECIMAL_MAX];
	struct taf_buf text = { exact, 0, sizeof exact };
	double x;
	int n;

	(void)taf_convert(&x, TAF_FLT64, p, type, 1, NULL, false, &count);
	if (count.rounded > 0) {
		put_integers(&text, type, p, 1, '\0');
		return taf_fail(e, TAF_EDATA,
		    "--printf: %s is not exact as a double: use an integer conversion",
		    exact);
	}
	n = snprintf(b->data + b->len, f->most, f->format, x);
	if (n < 0 || (size_t)n >= f->most)
		return taf_fail(e, TAF_EMISUSE, "internal: a number of %d bytes", n);
	b->len += (size_t)n;
	return TAF_OK;
}

/* By the format, which may make a number long: space is for one and what is behind it. */
static enum taf_status
put_formatted(struct taf_buf *b, const struct taf_number *f, enum taf_type type,
    const unsigned char *p, struct taf_err *e)
{
	if (taf_buf_reserve(b, f->most + 1, e) != TAF_OK)
		return e->code;
	return wants_integers(f) ? format_integer(b, f, type, p, e) :
	    format_real(b, f, type, p, e);
}

enum taf_status
taf_number_put(struct taf_buf *b, const struct taf_number *f, enum taf_type type,
    const void *p, size_t n, struct taf_err *e)
{
	const char between = taf_type_is_pair(type) ? f->between : f->after;
	const unsigned char *from = p;
	enum taf_status st;
	size_t i;

	n *= taf_type_facts(type)->components;
	type = taf_type_facts(type)->component;
	for (i = 0; i < n && f->conversion != '\0'; i++) {
		if (put_formatted(b, f, type, from + i * taf_type_size(type), e) !=
		    TAF_OK)
			return e->code;
		b->data[b->len++] = i % 2 == 0 ? between : f->after;
		b->data[b->len] = '\0';
	}
	if (f->conversion != '\0')
		return TAF_OK;
	st = n < SIZE_MAX / (TAF_DECIMAL_MAX + 1) ?
	    taf_buf_reserve(b, n * (TAF_DECIMAL_MAX + 1), e) : taf_fail_mem(e);
	if (st != TAF_OK)
		return st;
	if (taf_type_is_int(type))
		put_integers(b, type, p, n, f->after);
	else
		put_floats(b, type == TAF_FLT32, p, n, between, f->after);
	b->data[b->len] = '\0';
	return TAF_OK;
}
