/* SPDX-License-Identifier: ISC */
/*
 * npy: every header, but of its literal N characters at most, from the place on that is looked
 * at.  Functions are proven one by one.  What the names stand for that real_ was put before,
 * keeps what was proven of them.
 *
 * codec/npy.c: s/^\(string\|length\|descr\|shape\|parse\)(/real_\1(/
 * codec/npy.c: /^\(blanks\|real_string\|real_length\)(/,/^{/s|^{|{ //@ dynamic_split s->end - s->at;|
 * codec/npy.c: s|^	\*n = (size_t).*|& //@ assert *p + *n + 1 == s->at;|
 * codec/npy.c: s|^	order = n > 0|//@ split n;\n&|
 * codec/npy.c: s|^		for (i = 0; i < NKEYS|//@ split n;\n&|
 * codec/ndarray.c: /^taf_ndarray_import(/,/^{/s|^{|{ //@ split nd->ndim;|
 *
 * eva: -main words -eva-slevel 300 -eva-min-loop-unroll 30
 * eva: -main literal -eva-slevel 20 -eva-slevel-function string:5000,real_parse:300 -eva-split-return auto -eva-slevel-merge-after-loop real_parse
 * eva: -main values -eva-slevel 20 -eva-slevel-function real_descr:5000,string:5000 -eva-split-return auto
 * eva: -main file -eva-slevel 300 -eva-split-return full
 * eva: -main strings -eva-slevel-function real_string:5000,strings:5000 -eva-min-loop-unroll 30 -eva-split-return auto
 * eva: -main lengths -eva-slevel-function real_length:5000,lengths:5000 -eva-min-loop-unroll 30
 * eva: -main layout -eva-slevel 300 -eva-auto-loop-unroll 100
 *
 * fault: codec/npy.c: s/s->at < s->end \&\& (\*s->at == ' '/s->at <= s->end \&\& (*s->at == ' '/
 * fault: codec/npy.c: s/== '0' \&\& s->at > p + 1/== '0' || s->at[1] == '0'/
 * fault: codec/npy.c: s/ndim == TAF_MAX_DIM/ndim > TAF_MAX_DIM/
 * fault: codec/npy.c: s/(s->at++ - \*p)/(++s->at - *p)/
 */
#include "input.h"

#include "codec/ndarray.h"

struct scan;
static enum taf_status string(struct scan *, const char *, const char **, size_t *);
static enum taf_status length(struct scan *);
static enum taf_status descr(struct scan *);
static enum taf_status shape(struct scan *);
static enum taf_status parse(struct scan *);
static enum taf_status bytes_of(const struct taf_ndarray *, uint64_t *, struct taf_err *);
static bool parse_u64(const char *, size_t, uint64_t *);
static bool named(struct taf_ndarray *, const char *, size_t);

#include "array/array.c"
#include "array/type.c"
#include "base/num.c"
#define taf_array_check(a, e) ends(e)
#include "codec/ndarray.c"
#define taf_ndarray_bytes bytes_of
#define taf_ndarray_named named
#define taf_parse_u64 parse_u64
#define types npy_types
#include "codec/npy.c"

enum { N = 24 };

static char memory[N];
static struct taf_ndarray nd;
static struct taf_err err;

/* Any place of a literal. */
static struct scan
any(void)
{
	struct scan s = { memory, memory, memory + N, &nd, false, &err };

	Frama_C_make_unknown(memory, sizeof memory);
	s.at += Frama_C_size_t_interval(0, N);
	s.old = Frama_C_interval(0, 1) != 0;
	nd.ndim = Frama_C_unsigned_int_interval(0, TAF_MAX_DIM);
	return s;
}

static enum taf_status
string(struct scan *s, const char *wanted, const char **p, size_t *n)
{
	if (Frama_C_interval(0, 1))
		return wrong(s, wanted);
	*n = Frama_C_size_t_interval(0, N - 2);
	//@ split *n;
	*p = memory + Frama_C_size_t_interval(1, N - 1 - *n);
	s->at = memory + Frama_C_size_t_interval(2 + *n, N);
	return TAF_OK;
}

static enum taf_status
length(struct scan *s)
{
	s->at = memory + Frama_C_size_t_interval(1, N);
	if (Frama_C_interval(0, 1) || s->nd->ndim == TAF_MAX_DIM)
		return wrong(s, "a length");
	s->nd->ndim++;
	return TAF_OK;
}

static enum taf_status
descr(struct scan *s)
{
	s->at = memory + Frama_C_size_t_interval(1, N);
	s->nd->type = Frama_C_unsigned_int_interval(0, TAF_NTYPES - 1);
	return ends(s->e);
}

static enum taf_status
shape(struct scan *s)
{
	s->at = memory + Frama_C_size_t_interval(1, N);
	s->nd->ndim = Frama_C_unsigned_int_interval(0, TAF_MAX_DIM);
	return ends(s->e);
}

static enum taf_status
bytes_of(const struct taf_ndarray *of, uint64_t *bytes, struct taf_err *e)
{
	*bytes = of->ndim + Frama_C_unsigned_long_interval(0, INT64_MAX);
	return ends(e);
}

static bool
parse_u64(const char *s, size_t n, uint64_t *r)
{
	/*@ assert \valid_read(s + (0 .. n - 1)); */
	*r = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	return Frama_C_interval(0, 1) != 0;
}

static bool
named(struct taf_ndarray *to, const char *name, size_t n)
{
	/*@ assert \valid_read(name + (0 .. n - 1)); */
	to->type = Frama_C_unsigned_int_interval(0, TAF_NTYPES - 1);
	to->half = Frama_C_interval(0, 1) != 0;
	to->logical = Frama_C_interval(0, 1) != 0;
	return Frama_C_interval(0, 1) != 0;
}

static enum taf_status
parse(struct scan *s)
{
	s->nd->ndim = Frama_C_unsigned_int_interval(0, TAF_MAX_DIM);
	Frama_C_make_unknown((char *)s->nd->n, sizeof s->nd->n);
	s->nd->fortran = Frama_C_interval(0, 1) != 0;
	return ends(s->e);
}

void
strings(void)
{
	struct scan s = any();
	const char *p;
	size_t n;

	s.at = memory;
	//@ dynamic_split s.end - s.at;
	if (real_string(&s, "a string", &p, &n) != TAF_OK)
		return;
	/*@ assert (char const *)memory < p; */
}

void
lengths(void)
{
	struct scan s = any();
	const char *from;

	//@ split s.at - memory;
	from = s.at;
	//@ dynamic_split s.end - s.at;
	if (real_length(&s) == TAF_OK)
		/*@ assert from < s.at; */
		;
	/*@ assert nd.ndim <= TAF_MAX_DIM; */
	/*@ assert s.at <= s.end; */
}

void
literal(void)
{
	struct scan s = any();

	(void)real_parse(&s);
}

void
values(void)
{
	struct scan s = any();

	(void)(Frama_C_interval(0, 1) ? real_descr(&s) : real_shape(&s));
	/*@ assert nd.ndim <= TAF_MAX_DIM; */
	/*@ assert s.at <= s.end; */
}

void
file(void)
{
	struct taf_in in;
	uint64_t bytes;

	(void)taf_npy_read(&in, &nd, &bytes, &err);
}

void
layout(void)
{
	struct taf_layout l;

	(void)any();
	nd.type = Frama_C_unsigned_int_interval(0, TAF_NTYPES - 1);
	Frama_C_make_unknown((char *)nd.n, sizeof nd.n);
	nd.fortran = Frama_C_interval(0, 1) != 0;
	(void)taf_ndarray_import(&nd, false, &l, &err);
}

#undef taf_ndarray_named
#undef taf_parse_u64

void
words(void)
{
	size_t n = Frama_C_size_t_interval(0, N);
	uint64_t v;

	(void)any();
	//@ split n;
	(void)taf_parse_u64(memory + (N - n), n, &v);
	(void)taf_ndarray_named(&nd, memory + (N - n), n);
}
