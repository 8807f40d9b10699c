/* SPDX-License-Identifier: ISC */
/*
 * RSF: where a header ends, and how a line of history, a number and a key are told, in N bytes
 * at most.
 *
 * codec/rsf.c: /^taf_rsf_end(/,/^}/s|^	while|//@ dynamic_split at;\n&|
 * codec/rsf.c: /^is_history(/,/^{/s|^{|{ //@ split end - p;|
 * codec/rsf.c: /^all_digits(/,/^{/s|^{|{ //@ split n;|
 *
 * eva: -main ending -eva-slevel 200 -eva-min-loop-unroll 20
 * eva: -main pieces -eva-slevel 200 -eva-min-loop-unroll 20 -eva-split-return full
 *
 * fault: codec/rsf.c: s/n - at - (TAF_RSF_TERMINATOR - 1)/n - at - (TAF_RSF_TERMINATOR - 2)/
 * fault: codec/rsf.c: s/while (p < end \&\& !blank(\*p) \&\& /while (p <= end \&\& !blank(*p) \&\& /
 * fault: codec/rsf.c: s/while (n > 0 \&\& s\[n - 1\]/while (s[n - 1]/
 * fault: codec/rsf.c: s/return key.n >= n \&\& /return /
 */
#include "prove.h"

#include "array/type.c"
#include "base/num.c"
#include "codec/rsf.c"

enum { N = 16 };

static char memory[N];

static size_t
any(void)
{
	Frama_C_make_unknown(memory, sizeof memory);
	return Frama_C_size_t_interval(0, N);
}

void
ending(void)
{
	size_t n = any(), length;

	//@ split n;
	(void)taf_rsf_end(memory + (N - n), n, 0, &length);
}

void
pieces(void)
{
	struct word w = { memory, any() };

	//@ split w.n;
	w.s += N - w.n;
	(void)is_history(w.s, memory + N);
	(void)all_digits(w.s, w.n);
	(void)is(w, "taf_comment");
	w.s = memory;
	(void)ends_in(w, "data_format");
}
