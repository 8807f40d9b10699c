/* SPDX-License-Identifier: ISC */
/*
 * SEG-Y: text headers of any bytes become cards, and text of every length becomes one.  That
 * both read and write nothing outside, and end, is proven by WP; that every character of
 * ASCII has a place in EBCDIC, by EVA.
 *
 * codec/segy_text.c: /^taf_segy_ebcdic(/,/^}/s|^	for|//@ loop invariant 0 <= i <= TAF_SEGY_TEXT \&\& ebcdic <= i \&\& ascii <= i; loop assigns i, ebcdic, ascii; loop variant TAF_SEGY_TEXT - i;\n&|
 * codec/segy_text.c: s|^	for (at = 0|//@ loop invariant at <= end \&\& at % TAF_SEGY_CARD == 0; loop assigns at, n, i, ebcdic, line[0 .. TAF_SEGY_CARD - 1], *to; loop variant end - at;\n&|
 * codec/segy_text.c: s|^		for (i = n|//@ loop invariant n <= i <= TAF_SEGY_CARD; loop assigns n, i, line[0 .. TAF_SEGY_CARD - 1]; loop variant TAF_SEGY_CARD - i;\n&|
 * codec/segy_text.c: s/memchr(lines/look_for(lines/
 * codec/segy_text.c: s/; lines < end;/; end - lines > 0;/
 * codec/segy_text.c: s/memset(text/fill(text/
 * codec/segy_text.c: s|^	for (card|//@ loop invariant \\base_addr(lines) == \\base_addr(end) \&\& 0 <= end - lines <= n \&\& lines + (end - lines) == \\at(lines, Pre) + n; loop assigns card, i, lines, whole, text[0 .. TAF_SEGY_TEXT - 1]; loop variant end - lines;\n&|
 * codec/segy_text.c: s|^		for (i = 0; i < len|//@ loop invariant i <= len; loop assigns i, whole, text[0 .. TAF_SEGY_TEXT - 1]; loop variant len - i;\n&|
 *
 * wp: -wp-fct taf_segy_ebcdic,taf_segy_cards,taf_segy_text
 * eva: -main ebcdic -eva-slevel 300
 *
 * fault: codec/segy_text.c: s/i < TAF_SEGY_CARD; i/i <= TAF_SEGY_CARD; i/
 * fault: codec/segy_text.c: s/lines = lf != NULL ? lf + 1/lines = lf != NULL ? lf/
 * fault: codec/segy_text.c: s/|| i >= TAF_SEGY_CARD/|| i > TAF_SEGY_CARD/
 * fault: codec/segy_text.c: s/at += TAF_SEGY_CARD)/at += TAF_SEGY_CARD - 1)/
 * fault: codec/segy_text.c: s/; i < TAF_SEGY_TEXT; i++/; i < TAF_SEGY_TEXT; i += 0/
 * fault: codec/segy_text.c: s/STUVWXYZ/STUVWXY?/
 */
#include "prove.h"

#include "codec/segy.h"

/*@ requires \valid_read(p + (0 .. n - 1)); assigns \nothing;
  @ ensures \result == \null || (\base_addr(\result) == \base_addr(p) &&
  @     0 <= \result - p < n); */
const char *look_for(const char *p, int c, size_t n);

/*@ requires \valid(p + (0 .. n - 1)); assigns p[0 .. n - 1]; */
void fill(unsigned char *p, int c, size_t n);

/*@ requires \valid_read(p + (0 .. n - 1)); assigns *to; */
void put(struct taf_str *to, const char *p, size_t n);
/*@ assigns *to; */
void puts_to(struct taf_str *to, const char *s);
#define taf_str_put put
#define taf_str_puts puts_to

/*@ requires \valid_read(text + (0 .. TAF_SEGY_TEXT - 1)); assigns \nothing; */
bool taf_segy_ebcdic(const unsigned char *text);

/* cards lie in whole text headers */
/*@ requires \exists integer texts; 0 <= texts <= TAF_SEGY_KEPT &&
  @     cards <= texts * TAF_SEGY_CARDS &&
  @     \valid_read(text + (0 .. texts * TAF_SEGY_TEXT - 1)) && \valid(to) &&
  @     \separated(to, text + (0 .. texts * TAF_SEGY_TEXT - 1)); assigns *to; */
void taf_segy_cards(const unsigned char *text, size_t cards, bool squeeze,
    struct taf_str *to);

/*@ requires \valid_read(lines + (0 .. n - 1)) && \valid(text + (0 .. TAF_SEGY_TEXT - 1)) &&
  @     \separated(lines + (0 .. n - 1), text + (0 .. TAF_SEGY_TEXT - 1)); */
bool taf_segy_text(const char *lines, size_t n, bool ebcdic, unsigned char *text);

/*@ assigns \nothing; */
static unsigned char to_ebcdic(char c);
/*@ assigns \nothing; */
static char plain(unsigned char c);

#include "codec/segy_text.c"

void
ebcdic(void)
{
	int c;

	for (c = ' '; c < 127; c++)
		(void)to_ebcdic((char)c);
}
