/* SPDX-License-Identifier: ISC */
#include "io/numbered.h"

#include <limits.h>
#include <string.h>

#include "base/num.h"

/* The place of a number in a pattern, and how many digits it shall have at least. */
static const char *
find_number(const char *path, const char **end, int *width)
{
	const char *p;

	for (p = strchr(path, '%'); p != NULL; p = strchr(p + 1, '%')) {
		const char *q = p + 1;

		*width = 0;
		if (q[0] == '0' && q[1] >= '1' && q[1] <= '9') {
			*width = q[1] - '0';
			q += 2;
		}
		if (*q == 'd') {
			*end = q + 1;
			return p;
		}
	}
	return NULL;
}

bool
taf_numbered(const char *path)
{
	const char *end;
	int width;

	return find_number(path, &end, &width) != NULL;
}

void
taf_numbered_name(const char *pattern, unsigned long n, struct taf_str *s)
{
	const char *number, *end;
	int width;

	number = find_number(pattern, &end, &width);
	taf_str_printf(s, "%.*s%0*lu%s", (int)(number - pattern), pattern, width, n, end);
}

/*
 * Append to path what the pattern is for the number in name, which is in the folder of
 * the first at bytes; false where the pattern gives no such name there.
 */
static bool
find_name(const char *pattern, size_t at, const char *name, struct taf_str *path)
{
	const char *end, *number;
	int width;
	uint64_t n;
	size_t lead, len = strlen(name);

	number = find_number(pattern, &end, &width);
	lead = (size_t)(number - pattern) - at;
	if (len <= lead || !taf_parse_u64(name + lead, strspn(name + lead, "0123456789"),
	    &n) || n < 1 || n > ULONG_MAX)
		return false;
	taf_numbered_name(pattern, (unsigned long)n, path);
	return path->st == TAF_OK && strncmp(path->buf.data + at, name, len) == 0 &&
	    strchr("/", path->buf.data[at + len]) != NULL;
}

enum taf_status
taf_numbered_there(const char *pattern, struct taf_names *paths, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	struct taf_names all = { 0 };
	const char *end, *at;
	enum taf_status st;
	int width;
	size_t i;

	at = find_number(pattern, &end, &width);
	while (at > pattern && at[-1] != '/')
		at--;
	taf_str_printf(&s, "%.*s.", (int)(at - pattern), pattern);
	st = s.st == TAF_OK ? taf_names_read(&all, s.buf.data, "", e) : s.st;
	for (i = 0; i < all.n && st == TAF_OK; i++) {
		s.buf.len = 0;
		if (find_name(pattern, (size_t)(at - pattern), all.name[i], &s))
			st = taf_names_add(paths, s.buf.data, e);
		else
			st = s.st;
	}
	taf_names_free(&all);
	taf_str_free(&s);
	return st == TAF_END ? TAF_OK : st;
}
