#include "base/str.h"

#include <stdarg.h>
#include <string.h>

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

void
taf_str_u64(struct taf_str *s, uint64_t v)
{
	char text[TAF_DECIMAL_MAX];

	taf_str_put(s, text, taf_print_u64(text, v));
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

void
taf_str_safe(struct taf_str *s, const char *text, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < 0x20 || c == 0x7f)
			taf_str_printf(s, "\\x%02x", c);
		else
			taf_str_put(s, &c, 1);
	}
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
