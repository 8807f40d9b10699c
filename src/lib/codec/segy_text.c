/* SPDX-License-Identifier: ISC */
#include "codec/segy.h"

#include <string.h>

/* EBCDIC, code page 037, as Latin-1: bytes(range(256)).decode('cp037') of Python. */
static const unsigned char latin[256] = {
	0, 1, 2, 3, 156, 9, 134, 127, 151, 141, 142, 11,
	12, 13, 14, 15, 16, 17, 18, 19, 157, 133, 8, 135,
	24, 25, 146, 143, 28, 29, 30, 31, 128, 129, 130, 131,
	132, 10, 23, 27, 136, 137, 138, 139, 140, 5, 6, 7,
	144, 145, 22, 147, 148, 149, 150, 4, 152, 153, 154, 155,
	20, 21, 158, 26, 32, 160, 226, 228, 224, 225, 227, 229,
	231, 241, 162, 46, 60, 40, 43, 124, 38, 233, 234, 235,
	232, 237, 238, 239, 236, 223, 33, 36, 42, 41, 59, 172,
	45, 47, 194, 196, 192, 193, 195, 197, 199, 209, 166, 44,
	37, 95, 62, 63, 248, 201, 202, 203, 200, 205, 206, 207,
	204, 96, 58, 35, 64, 39, 61, 34, 216, 97, 98, 99,
	100, 101, 102, 103, 104, 105, 171, 187, 240, 253, 254, 177,
	176, 106, 107, 108, 109, 110, 111, 112, 113, 114, 170, 186,
	230, 184, 198, 164, 181, 126, 115, 116, 117, 118, 119, 120,
	121, 122, 161, 191, 208, 221, 222, 174, 94, 163, 165, 183,
	169, 167, 182, 188, 189, 190, 91, 93, 175, 168, 180, 215,
	123, 65, 66, 67, 68, 69, 70, 71, 72, 73, 173, 244,
	246, 242, 243, 245, 125, 74, 75, 76, 77, 78, 79, 80,
	81, 82, 185, 251, 252, 249, 250, 255, 92, 247, 83, 84,
	85, 86, 87, 88, 89, 90, 178, 212, 214, 210, 211, 213,
	48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 179, 219,
	220, 217, 218, 159,
};

enum { EBCDIC_BLANK = 0x40, EBCDIC_C = 0xc3, EBCDIC_PAREN = 0x4d };

bool
taf_segy_ebcdic(const unsigned char *text)
{
	size_t i, ebcdic = 0, ascii = 0;

	if (text[0] == EBCDIC_C || text[0] == EBCDIC_PAREN)
		return true;
	if (text[0] == 'C' || text[0] == '(')
		return false;
	for (i = 0; i < TAF_SEGY_TEXT; i++) {
		ebcdic += text[i] == EBCDIC_BLANK;
		ascii += text[i] == ' ';
	}
	return ebcdic > ascii;
}

/* What has no place in ASCII becomes a question mark, and control bytes blanks. */
static char
plain(unsigned char c)
{
	return (char)(c < ' ' || c == 127 ? ' ' : c < 127 ? c : '?');
}

void
taf_segy_cards(const unsigned char *text, struct taf_str *to)
{
	const bool ebcdic = taf_segy_ebcdic(text);
	size_t at, n, i;
	char line[TAF_SEGY_CARD];

	for (at = 0; at < TAF_SEGY_TEXT; at += TAF_SEGY_CARD) {
		for (i = n = 0; i < TAF_SEGY_CARD; i++) {
			line[i] = plain(ebcdic ? latin[text[at + i]] : text[at + i]);
			if (line[i] != ' ')
				n = i + 1;
		}
		taf_str_put(to, line, n);
		taf_str_puts(to, "\n");
	}
}

static unsigned char
to_ebcdic(char c)
{
	const unsigned char *p = memchr(latin, c, sizeof latin);

	return (unsigned char)(p - latin);
}

bool
taf_segy_text(const char *lines, size_t n, bool ebcdic, unsigned char *text)
{
	const char *const end = lines + n;
	bool whole = true;
	size_t card, i;

	memset(text, ebcdic ? EBCDIC_BLANK : ' ', TAF_SEGY_TEXT);
	for (card = 0; lines < end; card++) {
		const char *lf = memchr(lines, '\n', (size_t)(end - lines));
		const size_t len = (size_t)((lf != NULL ? lf : end) - lines);

		for (i = 0; i < len; i++) {
			const char c = plain((unsigned char)lines[i]);

			if (card >= TAF_SEGY_TEXT / TAF_SEGY_CARD || i >= TAF_SEGY_CARD) {
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
