/* SPDX-License-Identifier: ISC */
#include "format/converter.h"

#include <string.h>

#include "codec/capture.h"

/* Is the line, of n bytes, a row of numbers? */
static bool
is_row(const char *line, size_t n)
{
	bool digit = false;
	size_t i;

	for (i = 0; i < n; i++) {
		if (memchr("0123456789", line[i], 10) != NULL)
			digit = true;
		else if (memchr(" \t\r,;+-.eE", line[i], 11) == NULL)
			return false;
	}
	return digit;
}

/* Does the line hold a key that only the header of RSF has? */
static bool
is_header(const char *line, size_t n)
{
	static const char *const keys[] = { "in=", "n1=", "esize=", "data_format=" };
	size_t i, k, len;

	for (k = 0; k < sizeof keys / sizeof keys[0]; k++) {
		len = strlen(keys[k]);
		for (i = 0; i + len <= n; i++)
			if ((i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t') &&
			    memcmp(line + i, keys[k], len) == 0)
				return true;
	}
	return false;
}

enum content { HEADER, TABLE, OTHER };

/* What text begins with: a header of RSF, or a table, which has a row before any key. */
static enum content
content_of(const char *p, size_t n)
{
	const char *const nul = memchr(p, '\0', n), *line, *end;
	const size_t len = nul != NULL ? (size_t)(nul - p) : n;

	for (line = p; line < p + len; line = end + 1) {
		end = memchr(line, '\n', (size_t)(p + len - line));
		/* the last line may be cut */
		if (end == NULL && n == TAF_CONVERTER_SEEN)
			return OTHER;
		if (end == NULL)
			end = p + len;
		if (is_header(line, (size_t)(end - line)))
			return HEADER;
		if (nul == NULL && is_row(line, (size_t)(end - line)))
			return TABLE;
	}
	return OTHER;
}

static bool
has_header(const unsigned char *p, size_t n)
{
	return content_of((const char *)p, n) == HEADER;
}

static bool
has_table(const unsigned char *p, size_t n)
{
	return content_of((const char *)p, n) == TABLE;
}

const struct taf_foreign *
taf_converter(const unsigned char *p, size_t n)
{
	static taf_foreign_look *const looks[TAF_LOOKS] = {
		[TAF_LOOK_HEADER] = has_header, [TAF_LOOK_DIG] = taf_dig_sniff,
		[TAF_LOOK_ISF] = taf_isf_sniff, [TAF_LOOK_TABLE] = has_table,
	};

	return taf_foreign(p, n < TAF_CONVERTER_SEEN ? n : TAF_CONVERTER_SEEN, looks);
}
