/* SPDX-License-Identifier: ISC */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/utf8.h"

void
taf_str_put(struct taf_str *s, const void *p, size_t n)
{
	if (s->st == TAF_OK)
		s->st = taf_buf_put(&s->buf, p, n, s->err);
}

void
taf_str_puts(struct taf_str *s, const char *text)
{
	taf_str_put(s, text, strlen(text));
}

void
taf_str_printf(struct taf_str *s, const char *fmt, ...)
{
	va_list ap;

	if (s->st != TAF_OK)
		return;
	va_start(ap, fmt);
	s->st = taf_buf_vprintf(&s->buf, s->err, fmt, ap);
	va_end(ap);
}

bool
taf_ends(const char *text, const char *end)
{
	const size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

void
taf_str_u64(struct taf_str *s, uint64_t v)
{
	char text[TAF_DECIMAL_MAX];

	taf_str_put(s, text, taf_print_u64(text, v));
}

void
taf_str_list(struct taf_str *s, const uint64_t v[], unsigned n)
{
	unsigned k;

	for (k = 0; k < n; k++) {
		taf_str_puts(s, k > 0 ? "," : "");
		taf_str_u64(s, v[k]);
	}
}

void
taf_str_i64(struct taf_str *s, int64_t v)
{
	char text[TAF_DECIMAL_MAX];

	taf_str_put(s, text, taf_print_i64(text, v));
}

void
taf_str_f64(struct taf_str *s, double v)
{
	char text[TAF_DECIMAL_MAX];

	taf_str_put(s, text, taf_print_f64(text, v));
}

size_t
taf_byte_safe(char to[4], char byte)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char c = (unsigned char)byte;

	to[0] = byte;
	if (c >= 0x20 && c != 0x7f)
		return 1;
	to[0] = '\\';
	to[1] = 'x';
	to[2] = hex[c >> 4];
	to[3] = hex[c & 15];
	return 4;
}

void
taf_str_safe(struct taf_str *s, const char *text, size_t n)
{
	char safe[4];
	size_t i;

	for (i = 0; i < n; i++)
		taf_str_put(s, safe, taf_byte_safe(safe, text[i]));
}

void
taf_str_json_part(struct taf_str *s, const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t i, len;

	for (i = 0; i < n; i += len > 1 ? len : 1) {
		len = taf_utf8_length(p + i, n - i);
		if (p[i] == '"' || p[i] == '\\')
			taf_str_printf(s, "\\%c", p[i]);
		else if (p[i] == '\n')
			taf_str_puts(s, "\\n");
		else if (len == 0 || p[i] < 0x20 || p[i] == 0x7f)
			taf_str_printf(s, "\\u%04x", p[i]);
		else
			taf_str_put(s, p + i, len);
	}
}

void
taf_str_json(struct taf_str *s, const char *text, size_t n)
{
	taf_str_puts(s, "\"");
	taf_str_json_part(s, text, n);
	taf_str_puts(s, "\"");
}

void
taf_str_name(struct taf_str *s, const char *name)
{
	taf_str_puts(s, s->buf.len > 0 && s->buf.data[s->buf.len - 1] != '{' ? "," : "");
	taf_str_json(s, name, strlen(name));
	taf_str_puts(s, ":");
}

void
taf_str_member(struct taf_str *s, const char *name, const char *text)
{
	if (text == NULL)
		return;
	taf_str_name(s, name);
	taf_str_json(s, text, strlen(text));
}

void
taf_str_item(struct taf_str *s, const char *text)
{
	taf_str_puts(s, s->buf.len > 0 ? "," : "[");
	taf_str_json(s, text, strlen(text));
}

void
taf_str_free(struct taf_str *s)
{
	taf_buf_free(&s->buf);
}

struct taf_f64_text
taf_f64(double v)
{
	struct taf_f64_text text;

	text.s[taf_print_f64(text.s, v)] = '\0';
	return text;
}

/* The number behind the e of a printed one, 0 where that is NULL. */
static int
exponent_of(const char *e, const char *end)
{
	int64_t power;

	return e != NULL && taf_parse_i64(e + 1, (size_t)(end - e - 1), &power) ?
	    (int)power : 0;
}

/*
 * What the shortest digits of a number become if they are rounded to so many, halves up.
 */
static double
rounded(double v, unsigned digits)
{
	char text[3 * TAF_DECIMAL_MAX];
	size_t n = taf_print_f64(text, v), i;
	const char *end = memchr(text, 'e', n);
	uint64_t m = 0, unit = 1;
	int power = 0, behind = 0;
	unsigned have = 0;

	/* no -0 */
	if (v == 0 || !taf_is_finite(v))
		return v + 0;
	for (i = 0; i < n && text + i != end; i++) {
		if (text[i] == '.')
			behind = 1;
		if (text[i] < '0' || text[i] > '9')
			continue;
		m = m * 10 + (uint64_t)(text[i] - '0');
		have += m > 0;
		power -= behind;
	}
	if (have <= digits)
		return v;
	for (; have > digits; have--, power++)
		unit *= 10;
	m = (m + unit / 2) / unit;
	i = (size_t)snprintf(text + n, sizeof text - n, "%s%llue%d", v < 0 ? "-" : "",
	    (unsigned long long)m, power + exponent_of(end, text + n));
	(void)taf_scan_f64(text + n, text + n + i, &v);
	return v;
}

struct taf_f64_text
taf_brief(double v)
{
	return taf_brief_beside(v, v);
}

struct taf_f64_text
taf_brief_beside(double v, double other)
{
	const unsigned most = 17;
	unsigned digits = 7;

	while (digits < most && (v < other || v > other) &&
	    taf_same_bits(rounded(v, digits), rounded(other, digits)))
		digits++;
	return taf_f64(rounded(v, digits));
}
