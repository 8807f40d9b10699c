/* SPDX-License-Identifier: ISC */
#include "codec/segy.h"

#include <string.h>

enum { BLANK = 0x40, PAREN = 0x4d, QUESTION = 0x6f, LETTER_C = 0xc3 };	/* EBCDIC */

/* What has no place in ASCII becomes a question mark, and control bytes blanks. */
static char
plain(unsigned char c)
{
	return (char)(c < ' ' || c == 127 ? ' ' : c < 127 ? c : '?');
}

/* So are bytes of EBCDIC, code page 037: bytes(range(256)).decode('cp037') of Python. */
static const char ebcdic_plain[] =
	"    ? ? ???         ?? ?  ??    ?????   ?????   ?? ???? ????  ? "
	" ??????????.<(+|&?????????"	/* a literal with ??! in it would have a | there */
	"!$*);?-/?????????,%_>??????????`:#@'=\""
	"?abcdefghi???????jklmnopqr???????~stuvwxyz??????^?????????[]????"
	"{ABCDEFGHI??????}JKLMNOPQR??????\\?STUVWXYZ??????0123456789??????";

static unsigned char
to_ebcdic(char c)
{
	const char *p = c == '?' ? ebcdic_plain + QUESTION :
	    memchr(ebcdic_plain + BLANK, c, 256 - BLANK);

	return (unsigned char)(p - ebcdic_plain);
}

bool
taf_segy_ebcdic(const unsigned char *text)
{
	size_t i, ebcdic = 0, ascii = 0;

	if (text[0] == LETTER_C || text[0] == PAREN)
		return true;
	if (text[0] == 'C' || text[0] == '(')
		return false;
	for (i = 0; i < TAF_SEGY_TEXT; i++) {
		ebcdic += text[i] == BLANK;
		ascii += text[i] == ' ';
	}
	return ebcdic > ascii;
}

void
taf_segy_cards(const unsigned char *text, size_t cards, bool squeeze, struct taf_str *to)
{
	const size_t end = cards * TAF_SEGY_CARD;
	char line[TAF_SEGY_CARD];
	bool ebcdic = false;
	size_t at, n, i;

	for (at = 0; at < end; at += TAF_SEGY_CARD) {
		if (at % TAF_SEGY_TEXT == 0)
			ebcdic = taf_segy_ebcdic(text + at);
		for (i = n = 0; i < TAF_SEGY_CARD; i++) {
			const unsigned char b = text[at + i];
			char c = ebcdic ? ebcdic_plain[b] : plain(b);

			if (squeeze && c >= 'a' && c <= 'z')
				c = (char)(c - 'a' + 'A');
			line[squeeze ? n : i] = c;
			if (c != ' ')
				n = squeeze ? n + 1 : i + 1;
		}
		taf_str_put(to, line, n);
		if (!squeeze)
			taf_str_puts(to, "\n");
	}
}

bool
taf_segy_text(const char *lines, size_t n, bool ebcdic, unsigned char *text)
{
	const char *const end = lines + n;
	bool whole = true;
	size_t card, i;

	memset(text, ebcdic ? BLANK : ' ', TAF_SEGY_TEXT);
	for (card = 0; lines < end; card++) {
		const char *lf = memchr(lines, '\n', (size_t)(end - lines));
		const size_t len = (size_t)((lf != NULL ? lf : end) - lines);

		for (i = 0; i < len; i++) {
			const char c = plain((unsigned char)lines[i]);

			if (card >= TAF_SEGY_CARDS || i >= TAF_SEGY_CARD) {
				whole = whole && c == ' ';
				continue;
			}
			whole = whole && c == lines[i];
			text[card * TAF_SEGY_CARD + i] = ebcdic ? to_ebcdic(c) :
			    (unsigned char)c;
		}
		lines = lf != NULL ? lf + 1 : end;
	}
	return whole;
}
