#include "format/converter.h"

#include <string.h>

#include "codec/dig.h"
#include "codec/isf.h"
#include "codec/lecroy.h"
#include "codec/taf_foreign.h"
#include "codec/wfm.h"

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

const char *
taf_converter(const unsigned char *p, size_t n)
{
	const struct taf_foreign *f;
	enum content content;

	if (n > TAF_CONVERTER_SEEN)
		n = TAF_CONVERTER_SEEN;
	/* what a comment or the history says is no mark of a format */
	content = content_of((const char *)p, n);
	if (content == HEADER || (n >= 3 && memcmp(p, "TAF", 3) == 0))
		return NULL;
	if (taf_wfm_sniff(p, n))
		return "tek2taf";
	if (taf_dig_sniff(p, n))
		return "dig2taf";
	if (taf_lecroy_sniff(p, n))
		return "lecroy2taf";
	if (taf_isf_sniff(p, n))
		return "tek2taf";
	f = taf_foreign(p, n);
	/* hdf2taf needs the name of a dataset, too: what needs none is a capture */
	if (f != NULL && f->command != NULL && strcmp(f->command, "hdf2taf") == 0)
		return "keysight2taf";
	if (f != NULL)
		return f->command;
	return content == TABLE ? "txt2taf" : NULL;
}
