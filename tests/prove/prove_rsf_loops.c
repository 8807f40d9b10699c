/* SPDX-License-Identifier: ISC */
/*
 * RSF: the loops over headers of any length end, by WP.  Those over programs (note_program) and
 * dimensions (settle_dims) count up to a constant, and are not looked at.
 * by hand: make prove stays below two minutes so; 2026-11-28
 *
 * codec/rsf.c: /^static const char pairs/,/^is(/s|^	bool bare;|&\n#define IN_STATE|
 * codec/rsf.c: /IN_STATE/,/^};/s|^};|&\n#include "rsf_words.h"|
 * codec/rsf.c: s/\<\(p\|s\) < end\>/end - \1 > 0/; s/\<end > p\>/end - p > 0/; s/\<p == end\>/end - p == 0/; s/last > first/last - first > 0/
 * codec/rsf.c: s/return s->e->code;/return failed(s->e, TAF_EDATA);/
 * codec/rsf.c: s|^	s->a->history = .*|	;|; s|^	s->rsf->foreign = true;|	;|
 * codec/rsf.c: /^left_of(/,/^}/s|^	for|//@ loop invariant i <= TAF_NTYPES; loop assigns i; loop variant TAF_NTYPES - i;\n&|
 * codec/rsf.c: s|^	while (n - at >= .*|//@ loop invariant at <= n; loop assigns at, *length; loop variant n - at;\n&|
 * codec/rsf.c: s|^	for (last = .*|//@ loop invariant \\base_addr(first) == \\base_addr(last) \&\& 0 <= last - first; loop assigns last; loop variant last - first;\n&|
 * codec/rsf.c: /^all_digits(/,/^}/s|^	while|//@ loop assigns n; loop variant n;\n&|
 * codec/rsf.c: /^dim_key(/,/^}/s|^	for|//@ loop invariant i <= 5; loop assigns i; loop variant 5 - i;\n&|
 * codec/rsf.c: /^plain_key(/,/^}/s|^	for|//@ loop invariant i <= 10; loop assigns i; loop variant 10 - i;\n&|
 * codec/rsf.c: /^is_history(/,/^}/s|^	while|//@ loop invariant along(p, end); loop assigns p; loop variant end - p;\n&|
 * codec/rsf.c: /^put_history(/,/^}/s|^	while (end - p > 0 .*|//@ loop invariant along(p, end); loop assigns end; loop variant end - p;\n&|
 * codec/rsf.c: /^put_history(/,/^}/s|^	while (end - p > 0) .*|//@ loop invariant along(p, end); loop assigns p, h; loop variant end - p;\n&|
 * codec/rsf.c: /^put_history(/,/^}/s|^		while|//@ loop invariant along(p, end); loop invariant end - p <= \\at(end - p, LoopEntry); loop assigns p; loop variant end - p;\n&|
 * codec/rsf.c: /^next_pair(/,/^}/s|^	while|//@ loop invariant along(s, end); loop invariant end - s <= \\at(end - *p, Pre); loop assigns s, *key; loop variant end - s;\n&|
 * codec/rsf.c: /^next_pair(/,/^}/s|^		while|//@ loop invariant along(s, end); loop invariant end - s <= \\at(end - s, LoopEntry); loop assigns s; loop variant end - s;\n&|
 * codec/rsf.c: /^next_pair(/,/^}/s|^		for|//@ loop invariant along(s, end); loop invariant (s == \\at(s, LoopEntry) \&\& !quoted \&\& eq == \\null) \|\| end - s < \\at(end - s, LoopEntry); loop assigns s, quoted, eq; loop variant end - s;\n&|
 * codec/rsf.c: /^parse_line(/,/^}/s|^	while|//@ loop invariant along(p, end); loop assigns p, key, value, *s; loop variant end - p;\n&|
 * codec/rsf.c: /^taf_rsf_within(/,/^}/s|^	for|//@ loop invariant along(p, end); loop assigns p, stop, next, type, length, in, *at; loop variant end - p;\n&|
 * codec/rsf.c: /^taf_rsf_within(/,/^}/s|^		while|//@ loop invariant along(s, stop); loop assigns s, key, value, type, length, in; loop variant stop - s;\n&|
 * codec/rsf.c: /^rsf_type(/,/^}/s|^	for|//@ loop invariant i <= TAF_NTYPES; loop assigns i, *type; loop variant TAF_NTYPES - i;\n&|
 * codec/rsf.c: /^settle_end(/,/^}/s|^	for|//@ loop invariant k <= TAF_MAX_DIM; loop assigns k; loop variant TAF_MAX_DIM - k;\n&|
 * codec/rsf.c: /^parse_lines(/,/^}/s|^	for|//@ loop invariant along(p, end); loop assigns p, lf, *s; loop variant end - p;\n&|
 * codec/escape.c: s/\*at++ = /at++; /
 * codec/escape.c: /^taf_escape_fit(/,/^}/s|^	for|//@ loop invariant i <= n; loop assigns i, most; loop variant n - i;\n&|
 * codec/escape.c: /^taf_unescape(/,/^}/s|^	while|//@ loop invariant i <= n; loop assigns i, at; loop variant n - i;\n&|
 * codec/escape.c: /^taf_scope_parse(/,/^}/s|^	while|//@ loop assigns i; loop variant i;\n&|
 *
 * wp: -wp-no-rte -wp-model Typed+ref -wp-fct left_of,taf_rsf_end,unquoted,all_digits,dim_key,plain_key,is_history,put_history,next_pair,parse_line,taf_rsf_within,rsf_type,settle_end,parse_lines,taf_escape_fit,taf_unescape,taf_scope_parse
 *
 * fault: codec/rsf.c: s/^		at++;/		;/
 * fault: codec/rsf.c: s/while (s < end \&\& blank(\*s))/while (s < end \&\& *s == ' ')/
 * fault: codec/rsf.c: s/next = stop != NULL ? stop + 1 : end/next = stop != NULL ? stop : end/
 * fault: codec/escape.c: s/i += 3;/i += 4;/
 */
#include "prove.h"

#include "array/array.h"
#include "base/num.h"
#include "codec/escape.h"
#include "codec/rsf.h"

/* the record of a failure is beside all that is looked at */
#undef taf_fail
#undef taf_fail_mem
/*@ assigns \nothing; ensures \result == what; */
enum taf_status failed(struct taf_err *e, enum taf_status what);
#define taf_fail(e, what, ...) failed(e, what)
#define taf_fail_mem(e) failed(e, TAF_ESYS)

/*@ assigns \nothing; ensures \result == \null || (\base_addr(\result) == \base_addr(p) &&
  @     0 <= \result - p < n); */
const char *look_for(const char *p, int c, size_t n);
#define memchr(p, c, n) look_for((const char *)(p), c, n)

/*@ assigns \nothing; */
int same(const char *p, const char *with, size_t n);
#define memcmp(p, with, n) same(p, with, n)

/*@ assigns \nothing; ensures \result <= INT64_MAX; */
size_t length_of(const char *word);
#define strlen length_of

/*@ assigns *r; */
bool number(uint64_t *r);
#define taf_parse_u64(s, n, r) number(r)

/*@ assigns \nothing; */
const struct taf_type_facts *facts_of(enum taf_type t);
#define taf_type_facts(t) facts_of(t)

/*@ assigns *to; */
void put_to(struct taf_str *to, const char *p);
#define taf_str_put(to, p, n) put_to(to, p)
#define taf_str_puts(to, p) put_to(to, p)

/*@ assigns \nothing; */
enum taf_status some(void);
#define taf_array_add_dim(a, n, start, step) some()
#define taf_array_check(a, e) some()
#define taf_array_fini(a) some()
#define taf_array_init(a) some()
#define taf_buf_reserve(b, n, e) some()

/*@ requires from <= n <= INT64_MAX; */
bool taf_rsf_end(const char *p, size_t n, size_t from, size_t *length);

/*@ requires n <= INT64_MAX; */
bool taf_rsf_within(const char *p, size_t n, bool first, size_t *at);

/*@ assigns \nothing; */
static bool is_plain(unsigned char c, bool key);
/*@ assigns \nothing; */
static int hex_digit(char c);
/*@ assigns \nothing; */
static bool is_unfolded(enum taf_type t);

#define plain is_plain
#include "codec/escape.c"
/* static functions of both sources */
#include "codec/rsf.c"
