/* SPDX-License-Identifier: ISC */
/*
 * GTA: the loops over headers, chunks and tags of any length end, by WP.  Libraries that
 * decompress are thought to take no more than there is.
 * by hand: make prove stays below two minutes so; 2026-11-28
 *
 * codec/gta.c: /^struct taf_gta_chunks {/,/^};/s|^};|&\n#include "gta_chunks.h"|
 * codec/gta.c: /^struct scan {/,/^};/s|^};|&\n#include "gta_scan.h"|
 * codec/gta.c: s/d->begin(c)/begun()/; s/d->step(c, p, &nin, buf + \*got, /any_step(\&nin, /
 * codec/gta.c: s|^		memset(&c->u, .*|		;|
 * codec/gta.c: s/return s->e->code;/return failed(s->e, TAF_EDATA);/
 * codec/gta.c: s/g->components\[g->ncomponents++\] = c/g->ncomponents++/
 * codec/gta.c: /^scan_header(/,/^}/s/scan_tags(&s, [^)]*)/scan_tags(\&s, \&unused)/
 * codec/gta.c: s|^	while (\*got < n .*|//@ loop invariant *got <= n; loop assigns *got, c->packed, c->done; loop variant n - *got + c->packed + (c->done ? 0 : 1);\n&|
 * codec/gta.c: /^scan_components(/,/^}/s|^	for (;;) {|//@ loop invariant s->at <= s->n; loop invariant \\at(s->at, Pre) <= s->at; loop assigns s->at, *g, cap; loop variant s->n - s->at;\n&|
 * codec/gta.c: s|^	for (g->ndim = 0;.*|//@ loop invariant s->at <= s->n; loop invariant \\at(s->at, Pre) <= s->at; loop assigns s->at, *g, n, bytes; loop variant s->n - s->at;\n&|
 * codec/gta.c: s|^	while (i < n) {|//@ loop invariant i <= n; loop assigns i; loop variant n - i;\n&|
 * codec/gta.c: s|^		for (; more > 0.*|//@ loop invariant i + more <= n; loop invariant \\at(i, LoopEntry) <= i; loop assigns i, more; loop variant more;\n&|
 * codec/gta.c: /^scan_tags(/,/^}/s|^	do|//@ loop invariant s->at <= s->n; loop invariant \\at(s->at, Pre) <= s->at; loop assigns s->at, name, value; loop variant s->n - s->at;\n&|
 * codec/gta.c: /^scan_header(/,/^}/s|^	for (i = 0; i < g->\([a-z]*\).*|//@ loop invariant i <= g->\1 \&\& s.at <= s.n; loop assigns i, s.at, unused; loop variant g->\1 - i;\n&|
 * codec/gta.c: s|^	for (h->len = 0;;.*|//@ loop invariant h->len <= HEADER_MAX; loop assigns h->len, h->data, *c, n; loop variant HEADER_MAX - h->len;\n&|
 * codec/gta.c: s|^		for (; c->left > 0; h->len.*|//@ loop invariant h->len + c->left == \\at(h->len + c->left, LoopEntry); loop assigns h->len, h->data, *c, n; loop variant c->left;\n&|
 * codec/gta.c: s|^	for (; n > 0; n -= part.*|//@ loop assigns n, part, FIELDS; loop variant n;\n&|
 * codec/gta.c: /^chunk_pass(/,/^}/{s|^//@ |&loop invariant n <= c->left; |; s|FIELDS|c->left, c->packed, c->open, c->done|}
 * codec/gta.c: s|^//@ loop assigns n, part, FIELDS|//@ loop assigns n, part, to, g->left, *c|
 *
 * wp: -wp-no-rte -wp-model Typed+ref -wp-fct decode,chunk_read,scan_u64,scan_component,scan_components,scan_dims,tag_text,scan_text,scan_tag,scan_tags,scan_header,read_header,chunk_pass,taf_gta_read
 *
 * fault: codec/gta.c: s/s->at += 8;/s->at += 0;/
 * fault: codec/gta.c: s/unsigned c = p\[i++\]/unsigned c = p[i]/
 * fault: codec/gta.c: s/(size_t)(nul - p) + 1/(size_t)(nul - p)/
 * fault: codec/gta.c: s/step == MORE \&\& nin == some/step == MORE \&\& nin < some/
 * fault: codec/gta.c: s/if (c->left == 0 || c->left > g->left)/if (c->left > g->left)/
 */
#include "prove.h"

#include "base/endian.h"
#include "base/num.h"
#include "codec/gta.h"
#include "io/in.h"

/* the record of a failure is beside all that is looked at */
#undef taf_fail
#undef taf_fail_mem
/*@ assigns \nothing; ensures \result == what; */
enum taf_status failed(struct taf_err *e, enum taf_status what);
#define taf_fail(e, what, ...) failed(e, what)
#define taf_fail_mem(e) failed(e, TAF_ESYS)

/*@ assigns \nothing; */
bool begun(void);

/*@ assigns \nothing; ensures \result == \null || (\base_addr(\result) == \base_addr(p) &&
  @     0 <= \result - p < n); */
const unsigned char *look_for(const unsigned char *p, int c, size_t n);
#define memchr(p, c, n) look_for(p, c, n)

/*@ assigns \nothing; */
void *grown_to(size_t n);
#define realloc(p, n) grown_to(n)

/*@ assigns \nothing; */
uint64_t number(const unsigned char *p);
#define taf_get64(p, big) number(p)

/*@ assigns *r; */
bool product(uint64_t a, uint64_t b, uint64_t *r);
#define taf_mul product
#define taf_add product

/*@ assigns b->data; */
enum taf_status reserve(struct taf_buf *b);
#define taf_buf_reserve(b, n, e) reserve(b)

/*@ assigns *p, *got; */
enum taf_status peek(const unsigned char **p, size_t *got);
#define taf_in_peek(in, n, p, got, e) peek(p, got)

/*@ assigns \nothing; */
enum taf_status skip(void);
#define taf_in_skip(in, n, e) skip()
#define taf_in_read(in, p, n, e) skip()

/*@ requires \separated(g, g->chunks); */
static enum taf_status read_header(struct taf_gta *g, struct taf_err *e);

#include "codec/gta.c"
