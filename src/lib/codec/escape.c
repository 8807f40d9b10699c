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

enum taf_status
taf_escape(struct taf_buf *to, const char *s, size_t n, bool key, struct taf_err *e)
{
	static const char hex[] = "0123456789ABCDEF";
	enum taf_status st = TAF_OK;
	size_t i = 0;

	while (i < n && st == TAF_OK) {
		size_t run = i;
		char code[3];

		while (run < n && plain((unsigned char)s[run], key))
			run++;
		st = taf_buf_put(to, s + i, run - i, e);
		i = run;
		if (i < n && st == TAF_OK) {
			code[0] = '%';
			code[1] = hex[(unsigned char)s[i] >> 4];
			code[2] = hex[(unsigned char)s[i] & 15];
			st = taf_buf_put(to, code, 3, e);
			i++;
		}
	}
	return st;
}

size_t
taf_escape_fit(const char *s, size_t n, bool key, size_t room)
{
	size_t i;

	for (i = 0; i < n; i++) {
		size_t w = plain((unsigned char)s[i], key) ? 1 : 3;

		if (w > room)
			break;
		room -= w;
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
	enum taf_status st = taf_buf_reserve(to, 0, e);
	size_t i = 0;

	while (i < n && st == TAF_OK) {
		const char *p = memchr(s + i, '%', n - i);
		size_t run = p != NULL ? (size_t)(p - s) : n;

		st = taf_buf_put(to, s + i, run - i, e);
		i = run;
		if (i < n && st == TAF_OK) {
			int hi = n - i > 2 ? hex_digit(s[i + 1]) : -1;
			int lo = n - i > 2 ? hex_digit(s[i + 2]) : -1;
			unsigned char c = '%';
			size_t used = 1;

			/* in a key any byte: see how a name of the header's own is hidden */
			if (hi >= 0 && lo >= 0 &&
			    (key || !plain((unsigned char)(hi * 16 + lo), false))) {
				c = (unsigned char)(hi * 16 + lo);
				used = 3;
			}
			st = taf_buf_put(to, &c, 1, e);
			i += used;
		}
	}
	return st;
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

enum taf_status
taf_key_format(struct taf_buf *to, const struct taf_attr *t, struct taf_err *e)
{
	enum taf_status st = taf_escape(to, t->key, strlen(t->key), true, e);

	if (st == TAF_OK && t->scope != TAF_OF_ARRAY)
		st = taf_buf_printf(to, e, t->scope == TAF_OF_DIM ? "@%u" : "@c%u", t->index);
	return st;
}
