/* SPDX-License-Identifier: ISC */
/*
 * SEG-Y: the loops over traces end, in files of every length.  They are proven by WP.
 *
 * codec/segy.c: s|^	while (taf_segy_step|//@ loop invariant s->start <= at <= s->start + s->left; loop assigns at, said, *e; loop variant s->start + s->left - at;\n&|
 * codec/segy.c: s|^	for (; more|//@ loop invariant s->start <= at <= s->start + s->left; loop assigns more, at, said, k, *e; loop variant s->start + s->left - at + (more ? 1 : 0);\n&|
 * codec/segy.c: s|^	\*at += stride_of|//@ ghost uint64_t rest = left - s->header, size = s->format->bytes;\n//@ assert ns <= rest / size;\n//@ assert ns * size <= rest / size * size <= rest;\n&|
 *
 * wp: -wp-fct taf_segy_step,words_fit,refuse_size
 *
 * fault: codec/segy.c: s/at += stride_of(s, ns)/at += stride_of(s, ns) - s->header/
 * fault: codec/segy.c: s/more = taf_segy_step/(void)taf_segy_step/
 */
#include "prove.h"

#include "codec/segy.h"
#include "io/in.h"

#undef taf_fail
/*@ assigns *e; */
enum taf_status failed(struct taf_err *e, enum taf_status what);
#define taf_fail(e, what, ...) failed(e, what)

/*@
	predicate found(struct taf_segy *s, struct taf_err *e) =
	    \valid_read(s) && \valid_read(s->format) && \valid(e) &&
	    \separated(s, s->format, e) && 240 <= s->header <= 240 * 32768 &&
	    1 <= s->format->bytes <= 8 && s->left <= INT64_MAX && s->start <= INT64_MAX;
*/

/*@ assigns buf[0 .. n - 1], *e; */
enum taf_status read_bytes(const struct taf_in *in, unsigned char *buf, size_t n,
    uint64_t off, struct taf_err *e);
#define taf_in_pread read_bytes

/*@ assigns \nothing; ensures \result <= 65535; */
uint64_t taf_segy_samples(const struct taf_segy *s, const unsigned char *header);

/*@ requires \valid_read(s) && \valid_read(s->format); assigns \nothing;
  @ ensures ns <= 4294967295 ==> \result == s->header + ns * s->format->bytes; */
static uint64_t stride_of(const struct taf_segy *s, uint64_t ns);

/*@ requires found(s, e) && \valid(at) && \valid(said) &&
  @     \separated(s, s->format, e, at, said) && s->start <= *at <= s->start + s->left &&
  @     none_said <= 4294967295;
  @ assigns *at, *said, *e;
  @ ensures \old(*at) <= *at <= s->start + s->left && (\result ==> \old(*at) < *at); */
bool taf_segy_step(const struct taf_segy *s, const struct taf_in *in, uint64_t none_said,
    uint64_t *at, uint64_t *said, struct taf_err *e);

/*@ requires found(s, e); */
static bool words_fit(const struct taf_segy *s, struct taf_in *in, struct taf_err *e);

/*@ requires found(s, e) && s->ns <= 4294967295; */
static enum taf_status refuse_size(const struct taf_segy *s, struct taf_in *in,
    struct taf_err *e);

#include "codec/segy.c"
