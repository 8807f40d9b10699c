/* SPDX-License-Identifier: ISC */
#include "codec/textline.h"

#include <string.h>

#include "base/decimal.h"

const unsigned char taf_textline_ends[256] = {
	[' '] = TAF_BETWEEN_BLANK,
	['\t'] = TAF_BETWEEN_BLANK,
	['\r'] = TAF_BETWEEN_RETURN,
	[','] = TAF_BETWEEN_COMMA,
	[';'] = TAF_BETWEEN_SEMICOLON,
	['\n'] = TAF_BETWEEN_FEED,
};

const unsigned char taf_textline_comma_ends[256] = {
	[' '] = TAF_BETWEEN_BLANK,
	['\t'] = TAF_BETWEEN_BLANK,
	['\r'] = TAF_BETWEEN_RETURN,
	[';'] = TAF_BETWEEN_SEMICOLON,
	['\n'] = TAF_BETWEEN_FEED,
};

const char *
taf_textline_skip_all(const unsigned char *ends, const char *s, const char *end,
    unsigned *between)
{
	const unsigned blank = TAF_BETWEEN_BLANK;
	unsigned seen = 0, twice = 0, c;

	for (; s < end; s++) {
		c = ends[(unsigned char)*s];
		if (c == 0 || c == TAF_BETWEEN_FEED)
			break;
		twice |= seen & c;
		seen |= c;
	}
	*between = (seen & ~blank) | (twice & TAF_BETWEEN_MARKS) << TAF_BETWEEN_TWICE;
	return s;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A letter, a byte of one beyond ASCII, or a sign that begins a comment. */
static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '#' || c == '%' ||
	    (unsigned char)c >= 0x80;
}

/* What stands in front of the next field. */
struct gap {
	unsigned between;
	size_t marks;
};

static const char *
skip(const unsigned char *ends, const char *s, const char *end, struct gap *g)
{
	const char *p = s;

	s = taf_textline_skip(ends, s, end, &g->between);
	for (g->marks = 0; p < s; p++)
		g->marks += (ends[(unsigned char)*p] & TAF_BETWEEN_MARKS) != 0;
	return s;
}

bool
taf_textline_missing(const char *s, size_t n)
{
	/* those that R, pandas, spreadsheets and databases write */
	static const char *const words[] = {
		"\"\"", "''", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NULL", "null",
		"None",
	};
	size_t i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i]) == n && memcmp(s, words[i], n) == 0)
			return true;
	return false;
}

bool
taf_textline_remark(const char *s, size_t n)
{
	return n > 0 && (*s == '#' || *s == '%') &&
	    (n == 1 || s[1] == ' ' || s[1] == '\t' || s[1] == '\r');
}

bool
taf_textline_names(const char *s, size_t n)
{
	bool begun = false;
	size_t i;

	for (i = 0; i < n; i++) {
		if (taf_textline_ends[(unsigned char)s[i]] != 0)
			begun = false;
		else if (!begun && is_letter(s[i]) && s[i] != '#' && s[i] != '%')
			return true;
		else if (is_digit(s[i]))
			begun = true;
	}
	return false;
}

/* A field; what begins as a number and goes on as something else is none. */
static const char *
take_field(struct taf_textline *l, const unsigned char *ends, bool words,
    const char *start, const char *s, const char *end)
{
	const char *field = s;
	double x;

	s += taf_scan_f64(s, end, &x);
	if (s > field && (s == end || ends[(unsigned char)*s] != 0)) {
		l->numbers++;
		return s;
	}
	for (s = field; s < end && ends[(unsigned char)*s] == 0; s++)
		continue;
	if (words && taf_textline_missing(field, (size_t)(s - field))) {
		l->numbers++;
		return s;
	}
	if (l->other == 0) {
		l->other = l->columns;
		l->other_at = (size_t)(field - start);
	}
	for (s = field; s < end && ends[(unsigned char)*s] == 0; s++)
		l->words = l->words || is_letter(*s);
	return s;
}

void
taf_textline_look(struct taf_textline *l, const unsigned char *ends, bool words,
    const char *s, size_t n)
{
	const char *const start = s, *const end = s + n;
	const unsigned blanks = TAF_BETWEEN_BLANK, comma = TAF_BETWEEN_COMMA;
	unsigned seen = 0, kinds;
	struct gap g;

	memset(l, 0, sizeof *l);
	s = skip(ends, s, end, &g);
	l->marks = g.marks;
	l->columns = 1 + g.marks;
	l->missing = g.marks > 0;
	seen = g.between & TAF_BETWEEN_MARKS;
	while (s < end) {
		s = take_field(l, ends, words, start, s, end);
		s = skip(ends, s, end, &g);
		l->marks += g.marks;
		if (l->missing == 0 && g.marks > 1)
			l->missing = l->columns + 1;
		l->columns += g.marks > 1 ? g.marks : 1;
		l->marked_end = s == end && g.marks > 0;
		kinds = g.between & TAF_BETWEEN_MARKS;
		if (s < end && (kinds == 0 || (g.between & TAF_BETWEEN_RETURN) != 0))
			kinds |= blanks;
		/* behind numbers with blanks between, a mark may end the line */
		if (s < end || seen != blanks)
			seen |= kinds;
		if (l->mixed == 0 && (((seen & comma) != 0 && seen != comma) ||
		    (s < end && (g.between & TAF_BETWEEN_RETURN) != 0)))
			l->mixed = l->columns;
	}
	l->separator = (seen & comma) != 0 ? comma : (seen & blanks) != 0 ? 0 : seen;
}

bool
taf_textline_word(const struct taf_textline *l, const char *s, size_t n)
{
	const char *end = s + n, *p;

	if (l->other != 1)
		return false;
	for (p = s + l->other_at; p < end && taf_textline_ends[(unsigned char)*p] == 0;
	    p++) {
		if (is_letter(*p) && (unsigned char)*p < 0x80)
			return true;
		if (is_digit(*p))
			return false;
	}
	/* a minus sign beyond ASCII is followed by digits */
	for (p = s + l->other_at; p < end && taf_textline_ends[(unsigned char)*p] == 0;
	    p++)
		if (is_letter(*p))
			return true;
	for (p = s; p < end; p++)
		if (is_digit(*p))
			return false;
	return l->numbers == 0;
}

bool
taf_textline_like(const struct taf_textline *l, size_t columns, unsigned separator)
{
	const size_t fields = separator != 0 ? l->marks + !l->marked_end : l->columns - 1;

	if (l->other == 0 || l->numbers == 0 || fields != columns)
		return false;
	if (!l->words)
		return true;
	/* "12 bit" is none, nor is "Time, 5" */
	return l->other != 1 && l->missing != 1 &&
	    (separator != 0 || 2 * l->numbers > fields);
}

void
taf_textline_exchange(char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		s[i] = s[i] == ',' ? '.' : s[i] == '.' ? ',' : s[i];
}
