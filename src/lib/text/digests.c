/* SPDX-License-Identifier: ISC */
#include "text/digests.h"

#include <string.h>
#include <unistd.h>

#include "base/num.h"

enum { DIGITS = 64 };

static const char special[] = "\n\\";

void
taf_digest_put(struct taf_str *s, const char *digest, const char *name, uint64_t number)
{
	if (digest != NULL)
		taf_str_printf(s, "%s%s  ", strpbrk(name, special) != NULL ? "\\" : "",
		    digest);
	for (; *name != '\0'; name++)
		if (*name == '\n')
			taf_str_puts(s, "\\n");
		else if (*name == '\\')
			taf_str_puts(s, "\\\\");
		else if (digest == NULL)
			taf_str_safe(s, name, 1);
		else
			taf_str_put(s, name, 1);
	if (number > 1)
		taf_str_printf(s, "#%llu", (unsigned long long)number);
}

/* The next line with a NUL in the place of its end; TAF_END where there is none. */
static enum taf_status
read_line(struct taf_digests *d, struct taf_err *e)
{
	const unsigned char *p, *end;
	enum taf_status st;
	size_t got, n;

	d->line.len = 0;
	do {
		st = taf_in_peek(d->in, 1, &p, &got, e);
		if (st != TAF_OK || (got == 0 && d->line.len == 0))
			return st != TAF_OK ? st : TAF_END;
		end = got > 0 ? memchr(p, '\n', got) : NULL;
		n = end != NULL ? (size_t)(end - p) : got;
		st = taf_buf_put(&d->line, p, n, e);
		if (st == TAF_OK)
			st = taf_in_skip(d->in, n + (end != NULL), e);
	} while (st == TAF_OK && end == NULL && got > 0);
	d->lines++;
	return st == TAF_OK ? taf_buf_put(&d->line, "", 1, e) : st;
}

/* Undo the escapes of a name; false where one is none. */
static bool
unescape(char *name)
{
	char *to = name;

	for (; *name != '\0'; name++) {
		if (*name != '\\') {
			*to++ = *name;
			continue;
		}
		name++;
		if (*name != 'n' && *name != '\\')
			return false;
		*to++ = *name == 'n' ? '\n' : '\\';
	}
	*to = '\0';
	return true;
}

/* Split NAME#N, unless a file is called so; 1 where there is no number. */
static uint64_t
split(char *name)
{
	char *const mark = strrchr(name, '#');
	uint64_t n;

	if (mark == NULL || mark == name || access(name, F_OK) == 0 ||
	    !taf_parse_u64(mark + 1, strlen(mark + 1), &n) || n < 1)
		return 1;
	*mark = '\0';
	return n;
}

/* A name behind the digits, two blanks, or a blank and the star of binary files. */
static bool
parse(struct taf_digests *d)
{
	char *line = d->line.data, *name;
	const bool escaped = *line == '\\';

	line += escaped;
	name = line + DIGITS + 2;
	if (strlen(line) != d->line.len - 1 - escaped ||
	    strspn(line, "0123456789abcdef") != DIGITS || line[DIGITS] != ' ' ||
	    (line[DIGITS + 1] != ' ' && line[DIGITS + 1] != '*') || *name == '\0')
		return false;
	line[DIGITS] = '\0';
	d->digest = line;
	d->name = name;
	if (escaped && !unescape(name))
		return false;
	d->number = split(name);
	return true;
}

enum taf_status
taf_digests_next(struct taf_digests *d, struct taf_err *e)
{
	const enum taf_status st = read_line(d, e);

	if (st != TAF_OK || parse(d))
		return st;
	return taf_fail(e, TAF_EDATA,
	    "%s: line %llu is no digest, two blanks, and a name", taf_in_name(d->in),
	    d->lines);
}

void
taf_digests_free(struct taf_digests *d)
{
	taf_buf_free(&d->line);
}
