/* SPDX-License-Identifier: ISC */
/*
 * TAF: the loops over headers, and over text of any length behind the data, end, by WP; so
 * does that of whole numbers.
 *
 * codec/taf_file.c: s/\<p < end\>/end - p > 0/; s/\<end > name\>/end - name > 0/; s/\<c < eq\>/eq - c > 0/
 * codec/taf_file.c: s|^		\*--end = '.0';|		end--;|
 * codec/taf_file.c: /^taf_field_opening(/,/^}/s|^	for (|//@ loop invariant i <= TAF_AT_TYPE; loop assigns i, form->synopsis; loop variant TAF_AT_TYPE - i;\n&|
 * codec/taf_file.c: /^taf_field_type(/,/^}/s|^	while|//@ loop invariant along(name, end); loop assigns end; loop variant end - name;\n&|
 * codec/taf_file.c: /^taf_field_dims(/,/^}/s|^	for|//@ loop assigns ndim, d, *a; loop variant ndim;\n&|
 * codec/taf_file.c: /^taf_code_rank(/,/^}/s|^	while|//@ loop assigns n; loop variant n;\n&|
 * codec/taf_file.c: /^taf_tail_text(/,/^}/s|^	for|//@ loop invariant i <= n; loop assigns i, len; loop variant n - i;\n&|
 * codec/taf_file.c: /^find_header(/,/^}/s|^	for|//@ loop invariant along(p, end) \&\& n == end - p; loop assigns p, n; loop variant n;\n&|
 * codec/taf_file.c: /^all_pairs(/,/^}/s|^	while|//@ loop invariant along(p, end); loop assigns p; loop variant end - p;\n&|
 * codec/taf_file.c: /^all_pairs(/,/^}/s|^		for|//@ loop invariant along(c, eq); loop assigns c; loop variant eq - c;\n&|
 * codec/taf_file.c: /^find_block(/,/^}/s|^	for|//@ loop invariant at <= n - len + 1; loop assigns at; loop variant at;\n&|
 * codec/taf_file.c: /^taf_tail_parse(/,/^}/s|^	for|//@ loop invariant p == \\null \|\| along(p, end); loop assigns p, one, complex, set, st; loop variant end - p;\n&|
 * base/num.c: /^taf_parse_u64(/,/^}/s|^	for|//@ loop invariant i <= n; loop assigns i, v; loop variant n - i;\n&|
 *
 * wp: -wp-no-rte -wp-model Typed+ref -wp-fct taf_field_opening,taf_field_type,taf_field_dims,taf_code_rank,taf_tail_text,find_header,all_pairs,find_block,taf_tail_parse,taf_parse_u64
 *
 * fault: codec/taf_file.c: s/(size_t)(end - ++p)/(size_t)(end - p)/
 * fault: codec/taf_file.c: s/if (len == 0 || c == 0x7f/if (c == 0x7f/
 * fault: codec/taf_file.c: s/p = lf != NULL ? lf + 1 : end/p = lf != NULL ? lf : end/
 * fault: base/num.c: s/i < n; i++/i < n; i += n == 7 ? 0 : 1/
 */
#include "prove.h"

#include "base/decimal.h"
#include "base/endian.h"
#include "base/utf8.h"
#include "codec/escape.h"
#include "codec/rsf.h"
#include "codec/taf_file.h"

/* p and end are in the same text */
#define along(p, end) (\base_addr(p) == \base_addr(end) && 0 <= (end) - (p) && \
    (end) - (p) <= INT64_MAX)

/* the record of a failure is beside all that is looked at */
#undef taf_fail
/*@ assigns \nothing; ensures \result == what; */
enum taf_status failed(struct taf_err *e, enum taf_status what);
#define taf_fail(e, what, ...) failed(e, what)

/*@ assigns \nothing; ensures \result == \null || (\base_addr(\result) == \base_addr(p) &&
  @     0 <= \result - p < n); */
const char *look_for(const char *p, int c, size_t n);
#define memchr(p, c, n) look_for((const char *)(p), c, n)

/*@ assigns \nothing; */
int same_text(const char *p, const char *with);
#define memcmp(p, with, n) same_text((const char *)(p), with)
#define strcmp(p, with) same_text(p, with)

/*@ assigns \nothing; ensures \result <= INT64_MAX; */
size_t length_of(const char *word);
#define strlen length_of

/*@ assigns \nothing; */
uint64_t number(const unsigned char *p);
#define taf_get64(p, big) number(p)
/*@ assigns \nothing; */
double real(const unsigned char *p);
#define taf_getf64(p, big) real(p)

/*@ assigns *a; */
void add_dim(struct taf_array *a, uint64_t n, double start, double step);
#define taf_array_add_dim add_dim

/*@ assigns \nothing; ensures \result <= n; */
size_t taf_utf8_length(const unsigned char *s, size_t n);

#define memcpy(to, from, n) ((void)0)

/*@ requires \valid(r); assigns *r; */
bool taf_mul(uint64_t a, uint64_t b, uint64_t *r);
/*@ requires \valid(r); assigns *r; */
bool taf_add(uint64_t a, uint64_t b, uint64_t *r);

/* what is made of a pair has no part in where the next line is */
/*@ assigns \nothing; */
static enum taf_status parse_pair(const char *p, const char *stop, struct taf_array *a,
    struct taf_err *e);
/*@ assigns \nothing; */
static bool line_is(const char *p, const char *stop, const char *text);
/*@ assigns \nothing; */
static bool is_header(const unsigned char *p, size_t n);

/*@ requires n <= INT64_MAX; */
static const char *find_header(const char *p, size_t n);

/*@ requires along(p, end); assigns \nothing; */
static bool all_pairs(const char *p, const char *end);

/*@ requires n <= INT64_MAX; assigns \nothing;
  @ ensures \result == \null || along(\result, p + n); */
static const char *find_block(const char *p, size_t n);

/*@ requires n <= INT64_MAX; */
enum taf_status taf_tail_parse(const char *p, size_t n, struct taf_array *a,
    struct taf_err *e);

#include "array/type.c"
#include "base/num.c"
#include "codec/taf_file.c"
