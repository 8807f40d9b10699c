/* SPDX-License-Identifier: ISC */
/*
 * npy: the loops over a header of any length end, by WP.
 * by hand: make prove stays below two minutes so; 2026-11-28
 *
 * codec/npy.c: /^	struct taf_err \*e;/,/^};/s|^};|&\n#include "npy_scan.h"|
 * codec/npy.c: s/s->at < s->end/s->end - s->at > 0/; s/s->at == s->end/s->end - s->at == 0/; s/s->at == p\>/s->at - p == 0/
 * codec/npy.c: s|^	while (s->end - s->at > 0.*|//@ loop invariant within(s); loop invariant left(s) <= \\at(left(s), Pre); loop assigns s->at; loop variant left(s);\n&|
 * codec/npy.c: s|^	while (!take(s, ')')|//@ loop invariant within(s); loop invariant left(s) <= \\at(left(s), Pre); loop assigns s->at, *s->nd, comma; loop variant left(s);\n&|
 * codec/npy.c: s|^	while (!take(s, '}')|//@ loop invariant within(s); loop assigns s->at, *s->nd, comma, n, i, seen[0 .. 2]; loop variant left(s);\n&|
 * codec/npy.c: s|^	*for (i = 0; i < NKEYS|//@ loop invariant i <= NKEYS; loop assigns i; loop variant NKEYS - i;\n&|
 * codec/npy.c: s/keys\[i\]\.value(s)/any_value(s)/
 *
 * wp: -wp-no-rte -wp-model Typed+ref -wp-fct blanks,take,take_word,string,descr,fortran_order,length,shape,parse
 *
 * fault: codec/npy.c: s/^		s->at++;/		s->at += 0;/
 * fault: codec/npy.c: s/if (s->at == p || /if (/
 * fault: codec/npy.c: s/i < NKEYS; i++/i < NKEYS; i += seen[i]/
 */
#include "prove.h"

#include "base/endian.h"
#include "base/num.h"
#include "codec/npy.h"

/* the record of a failure is beside all that is looked at */
#undef taf_fail
/*@ assigns \nothing; ensures \result == what; */
enum taf_status failed(struct taf_err *e, enum taf_status what);
#define taf_fail(e, what, ...) failed(e, what)

/*@ assigns \nothing; */
int same(const void *p, const void *with, size_t n);
#define memcmp(p, with, n) same(p, with, n)

/*@ assigns \nothing; */
const char *look_for(const char *p, int c, size_t n);
#define memchr(p, c, n) look_for(p, c, n)

/*@ assigns \nothing; */
size_t length_of(const char *word);
#define strlen length_of

/*@ assigns *r; */
bool parse_u64(const char *s, size_t n, uint64_t *r);
#define taf_parse_u64 parse_u64

/*@ assigns to->type, to->half, to->logical; */
bool named(struct taf_ndarray *to, const char *name, size_t n);
#define taf_ndarray_named named

/*@ assigns \nothing; */
bool host_is_big(void);
#define taf_host_is_big host_is_big

#include "codec/npy.c"
