/* SPDX-License-Identifier: ISC */
#include "codec/escape.h"

#include <stdint.h>
#include <string.h>

#include "base/num.h"

static bool
plain(unsigned char c, bool key)
{
	if (c < 0x20 || c == 0x7f || c == '"' || c == '%')
		return false;
	return !key || (c != ' ' && c != '=' && c != '@');
}

void
taf_escape(struct taf_str *to, const char *s, size_t n, bool key)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t i = 0, run;

	for (;;) {
		char code[3] = "%";

		for (run = i; run < n && plain((unsigned char)s[run], key); run++)
			;
		taf_str_put(to, s + i, run - i);
		if (run == n)
			return;
		code[1] = hex[(unsigned char)s[run] >> 4];
		code[2] = hex[(unsigned char)s[run] & 15];
		taf_str_put(to, code, 3);
		i = run + 1;
	}
}

size_t
taf_escape_fit(const char *s, size_t n, bool key, size_t most)
{
	size_t i;

	for (i = 0; i < n; i++) {
		size_t w = plain((unsigned char)s[i], key) ? 1 : 3;

		if (w > most)
			break;
		most -= w;
	}
	return i;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

enum taf_status
taf_unescape(struct taf_buf *to, const char *s, size_t n, bool key, struct taf_err *e)
{
	size_t i = 0;
	char *at;

	/* it gets no longer */
	if (taf_buf_reserve(to, n, e) != TAF_OK)
		return e->code;
	at = to->data + to->len;
	while (i < n) {
		int hi = s[i] == '%' && n - i > 2 ? hex_digit(s[i + 1]) : -1;
		int lo = hi >= 0 ? hex_digit(s[i + 2]) : -1;

		/* in a key any byte: see how a name of the header's own is hidden */
		if (lo >= 0 && (key || !plain((unsigned char)(hi * 16 + lo), false))) {
			*at++ = (char)(hi * 16 + lo);
			i += 3;
		} else {
			*at++ = s[i++];
		}
	}
	*at = '\0';
	to->len = (size_t)(at - to->data);
	return TAF_OK;
}

bool
taf_is_number(const char *s, size_t n)
{
	const char *const end = s + n;
	const char *p, *stop;

	for (;; s = stop + 1) {
		uint64_t times;
		double v;

		stop = memchr(s, ',', (size_t)(end - s));
		if (stop == NULL)
			stop = end;
		for (p = s; p < stop && *p != 'x' && *p != '*'; p++)
			;
		if (p < stop && taf_parse_u64(s, (size_t)(p - s), &times))
			s = p + 1;
		if (!taf_parse_f64(s, (size_t)(stop - s), &v))
			return false;
		if (stop == end)
			return true;
	}
}

bool
taf_number_quoted(const char *s, size_t n)
{
	return n > 2 && s[0] == '"' && s[n - 1] == '"' && taf_is_number(s + 1, n - 2);
}

void
taf_scope_parse(const char *key, size_t *n, enum taf_scope *scope, unsigned *index)
{
	size_t i = *n, digits;
	bool component;
	uint64_t v;

	*scope = TAF_OF_ARRAY;
	*index = 0;
	while (i > 0 && key[i - 1] != '@')
		i--;
	if (i < 2)
		return;
	component = i < *n && key[i] == 'c';
	digits = i + (component ? 1 : 0);
	if (digits >= *n || key[digits] == '0' ||
	    !taf_parse_u64(key + digits, *n - digits, &v) ||
	    v > (component ? 1000000 : TAF_MAX_DIM))
		return;
	*scope = component ? TAF_OF_COMPONENT : TAF_OF_DIM;
	*index = (unsigned)v;
	*n = i - 1;
}

void
taf_scope_format(struct taf_str *to, const struct taf_attr *t)
{
	if (t->scope != TAF_OF_ARRAY)
		taf_str_printf(to, t->scope == TAF_OF_DIM ? "@%u" : "@c%u", t->index);
}

void
taf_key_format(struct taf_str *to, const struct taf_attr *t)
{
	taf_escape(to, t->key, strlen(t->key), true);
	taf_scope_format(to, t);
}
