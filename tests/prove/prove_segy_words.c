/* SPDX-License-Identifier: ISC */
/*
 * SEG-Y: how a tag of a layout is read.  Tags and names have N bytes at most.  Functions are proven
 * one by one.
 *
 * codec/segy_layout.c: s/^\(value_of\|find\)(/real_\1(/
 * codec/segy_layout.c: s|^			v.p = to != NULL|if (to != NULL) { //@ split end - to;\n }\n&|
 * codec/segy_layout.c: s#^	return v;#//@ assert v.p == \\null || v.p + v.n < end;\n&#
 * codec/segy_layout.c: /^struct part {/,/^};/s|^};|&\n#include "segy_parts.h"|
 *
 * eva: -main value -eva-slevel 20000 -eva-min-loop-unroll 30 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main name -eva-slevel 2000 -eva-min-loop-unroll 100 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main tag -eva-slevel 2000 -eva-min-loop-unroll 30 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 *
 * fault: codec/segy_layout.c: s/(size_t)(end - p) > n; p++/(size_t)(end - p) >= n; p++/
 * fault: codec/segy_layout.c: s/(size_t)(end - p) - n - 1/(size_t)(end - p) - n/
 * fault: codec/segy_layout.c: s/name.p == NULL || //
 * fault: codec/segy_layout.c: s/as != NULL \&\& //
 */
#include "prove.h"

#include "codec/segy_layout.c"

enum { N = 10 };

/* Memory that has so many bytes, which may be any, and none around them. */
static struct part
any(void)
{
	const size_t n = Frama_C_size_t_interval(0, N);
	char *p;

	//@ split n;
	p = malloc(n);
	Frama_C_make_unknown(p, n);
	return (struct part){ p, n };
}

/* The value of an attribute, of which only the length matters here. */
static const char other[N];

bool
taf_parse_u64(const char *s, size_t n, uint64_t *r)
{
	/*@ assert \valid_read(s + (0 .. n - 1)); */
	*r = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	return chance();
}

static struct part
value_of(const char *p, const char *end, const char *key)
{
	return chance() ? (struct part){ NULL, 0 } : (struct part){ other, N };
}

static const char *
find(const char *list, struct part name, uint64_t *at)
{
	/*@ assert \valid_read(name.p + (0 .. name.n - 1)); */
	*at = Frama_C_unsigned_long_interval(0, 240);
	return chance() ? NULL : "4 ";
}

void
value(void)
{
	const struct part tag = any();

	(void)real_value_of(tag.p, tag.p + tag.n, "BYTE=");
}

void
name(void)
{
	const struct part w = any();
	uint64_t at = 1;

	(void)real_find(words, w, &at);
	(void)real_find(types, w, &at);
}

void
tag(void)
{
	static char text[N];

	(void)is_in_place(text, text + N);
}
