/* SPDX-License-Identifier: ISC */
/*
 * SEG-Y: the loop over the tags of a layout ends, and looks at nothing outside, in text of
 * every length, by WP.  What ends a tag or a comment does not begin with the character that
 * begins one.  Words of tags are not looked at.
 *
 * codec/segy_layout.c: s/more = strstr(/more = find_close(/
 * codec/segy_layout.c: s/strstr(/find_text(/
 * codec/segy_layout.c: s/memchr(p, /look_for(p, /
 * codec/segy_layout.c: s/strlen(p)/length_of(p)/
 * codec/segy_layout.c: s/more >= end/more - end >= 0/
 * codec/segy_layout.c: s|^	while ((p = |//@ loop invariant \\base_addr(p) == \\base_addr(end) \&\& 0 <= end - p \&\& \\valid_read(p + (0 .. end - p - 1)); loop assigns p, more, found, other; loop variant end - p;\n&|
 *
 * wp: -wp-fct taf_segy_layout_is_standard
 *
 * fault: codec/segy_layout.c: s|^		p = more;|		p = more - 1;|
 * fault: codec/segy_layout.c: s|(size_t)(end - p))) != NULL) {|(size_t)(end - p) + 1)) != NULL) {|
 * fault: codec/segy_layout.c: s|more >= end|more >= end + 9|
 */
#include "prove.h"

#include "codec/segy.h"

/*@ requires \valid_read(p + (0 .. n - 1)); assigns \nothing;
  @ ensures \result == \null || (\base_addr(\result) == \base_addr(p) &&
  @     0 <= \result - p < n && p + (\result - p) == \result); */
const char *look_for(const char *p, int c, size_t n);

/*@ assigns \nothing; ensures \result == \null || (\base_addr(\result) == \base_addr(p) &&
  @     0 <= \result - p && \valid_read(p + (0 .. \result - p - 1))); */
const char *find_text(const char *p, const char *with);

/*@ assigns \nothing; ensures \result == \null || (\base_addr(\result) == \base_addr(p) &&
  @     1 <= \result - p && p + (\result - p) == \result); */
const char *find_close(const char *p, const char *with);

/*@ assigns \nothing; ensures \valid_read(p + (0 .. \result - 1)) && \result <= INT64_MAX; */
size_t length_of(const char *p);

/*@ assigns \nothing; */
static bool begins(const char *p, const char *with);

/*@ assigns \nothing; */
static bool is_in_place(const char *p, const char *end);

#include "codec/segy_layout.c"
