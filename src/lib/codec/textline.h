/* SPDX-License-Identifier: ISC */
/*
 * A line of a table in text: numbers, and what stands between them.  Where the comma is
 * the decimal sign, the bytes seen here have points and commas exchanged.
 */
#ifndef TAF_CODEC_TEXTLINE_H
#define TAF_CODEC_TEXTLINE_H

#include <stdbool.h>
#include <stddef.h>

/* What ends a number; 0 is what does not. */
enum {
	TAF_BETWEEN_BLANK = 1,		/* or a tab */
	TAF_BETWEEN_RETURN = 2,		/* within a line it is the end of one elsewhere */
	TAF_BETWEEN_COMMA = 4,
	TAF_BETWEEN_SEMICOLON = 8,
	TAF_BETWEEN_FEED = 16,
	TAF_BETWEEN_MARKS = TAF_BETWEEN_COMMA | TAF_BETWEEN_SEMICOLON,
	/* bits that a mark moves up where it is repeated */
	TAF_BETWEEN_TWICE = 4
};

/* Of each byte; the second one where the comma is a decimal sign. */
extern const unsigned char taf_textline_ends[256], taf_textline_comma_ends[256];

/* Over all that stands between numbers; all but blanks of it in *between. */
const char *taf_textline_skip_all(const unsigned char *ends, const char *s,
    const char *end, unsigned *between);

/* The same: mostly that is a single byte, or none. */
static inline const char *
taf_textline_skip(const unsigned char *ends, const char *s, const char *end,
    unsigned *between)
{
	const unsigned feed = TAF_BETWEEN_FEED, blank = TAF_BETWEEN_BLANK;
	unsigned c;

	*between = 0;
	if (s == end || ((c = ends[(unsigned char)*s]) & ~feed) == 0)
		return s;
	if (s + 1 == end || (ends[(unsigned char)s[1]] & ~feed) != 0)
		return taf_textline_skip_all(ends, s, end, between);
	*between = c & ~blank;
	return s + 1;
}

/* What a line is; columns count fields from 1, and are 0 where there is none. */
struct taf_textline {
	size_t numbers;			/* and words for missing ones, if these count */
	size_t marks;			/* commas and semicolons */
	unsigned separator;		/* the mark between numbers, 0: blanks too */
	bool marked_end;		/* a mark ends it */
	bool words;			/* beside numbers there are letters */
	/* the first that is no number: its column, offset */
	size_t other, other_at;
	size_t missing;			/* the first column that is empty */
	size_t mixed;			/* a comma, and other separators, up to it */
	size_t columns;			/* and where the line would go on */
};

/* words: what stands for a missing number counts as one. */
void taf_textline_look(struct taf_textline *l, const unsigned char *ends, bool words,
    const char *s, size_t n);

/* Is a field one of the words for a missing number: NA, null, "" ...? */
bool taf_textline_missing(const char *s, size_t n);

/* Does a field of a line begin with a letter, whatever signs stand before that? */
bool taf_textline_names(const char *s, size_t n);

/* Does a line of a header begin with # or % and a blank, as no row can? */
bool taf_textline_remark(const char *s, size_t n);

/*
 * Does a line, as it is in the file, begin with a word: not with a number, nor with what
 * may stand for one?  A line without a digit does, if it has no number either.
 */
bool taf_textline_word(const struct taf_textline *l, const char *s, size_t n);

/* Is a line, which is no row, likely to be one, of a table with such rows? */
bool taf_textline_like(const struct taf_textline *l, size_t columns, unsigned separator);

/* Exchange points and commas. */
void taf_textline_exchange(char *s, size_t n);

#endif
