/* SPDX-License-Identifier: ISC */
/*
 * RSF: what a header says: every header, line and word of N bytes at most.  Functions are
 * proven one by one.  A word is memory of its own, so that nothing beside it is looked at; what
 * words say to those that join them (settle_...) may be anything.
 *
 * codec/rsf.c: s/^\(is\|unquoted\|next_pair\|put\|put_attr\|put_comment\|put_more\|flush_attr\)(/real_\1(/
 * codec/rsf.c: s/^\(dim_key\|put_dim\|is_history\|put_history\|note_program\|parse_line\)(/real_\1(/
 * codec/rsf.c: s/^\(settle_unfolded\|settle_end\|settle_array\|fold\|fits_code\)(/real_\1(/
 * codec/rsf.c: s|^	for (last = w|//@ split first - w.s;\n&|
 * codec/rsf.c: s|^		stop = memchr(name + 1.*|{ //@ split end - name;\n& }|
 * codec/rsf.c: s|^	for (; p < end[; ].*|//@ dynamic_split end - p;\n&|
 * codec/rsf.c: s|^	while (p < end) {|//@ dynamic_split end - p;\n&|
 * codec/rsf.c: s|^	while (next_pair(|//@ dynamic_split end - p;\n&|
 * codec/rsf.c: s|^		if (stop - p >= |//@ split end - stop;\n&|
 * codec/rsf.c: s|^		while (next_pair(|//@ dynamic_split stop - s;\n&|
 * codec/rsf.c: /^real_next_pair(/,/^}/{/const char/!s/\*s\>/look(s)/g}
 * codec/rsf.c: /^real_put_history(/,/^}/{/const char/!s/\*\(p++\|p\>\)/look(\1)/g}
 * codec/rsf.c: s|^		\*p = s;|//@ assert *p <= key->s \&\& key->s + key->n < value->s;\n&|
 * codec/rsf.c: s|^		\*p = s;|//@ assert value->s + value->n == s \&\& s <= end;\n&|
 * codec/escape.c: s/\<s\[\([^]]*\)\]/look(s + \1)/g
 * codec/escape.c: s/\<key\[\([^]]*\)\]/look(key + \1)/g
 *
 * eva: -main words -eva-slevel 500 -eva-min-loop-unroll 30 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main pair -eva-slevel 90000 -eva-min-loop-unroll 30 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main escapes -eva-slevel 9000 -eva-min-loop-unroll 30 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main keys -eva-slevel 500 -eva-slevel-function any_state:0,kept:0 -eva-min-loop-unroll 70 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main line -eva-split-return full -eva-slevel 500 -eva-slevel-function any_state:0,kept:0 -eva-min-loop-unroll 70 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main history -eva-slevel 5000 -eva-slevel-function any_state:0,kept:0 -eva-min-loop-unroll 70 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main within -eva-slevel 2000 -eva-split-return full -eva-min-loop-unroll 20 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main header -eva-slevel 500 -eva-slevel-function any_state:0,kept:0 -eva-min-loop-unroll 70 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main type -eva-slevel 9000 -eva-slevel-function any_state:0,kept:0 -eva-min-loop-unroll 70 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 * eva: -main settle -eva-slevel 500 -eva-slevel-function any_state:0,kept:0 -eva-min-loop-unroll 70 -eva-no-alloc-returns-null -eva-alloc-builtin fresh
 *
 * fault: codec/rsf.c: s/= w.s + w.n - 1; last/= w.s + w.n; last/
 * fault: codec/rsf.c: s/s < end \&\& (quoted/s <= end \&\& (quoted/
 * fault: codec/escape.c: s/n - i > 2/n - i > 1/
 * fault: codec/escape.c: s/if (i < 2)/if (i > *n)/
 * fault: codec/rsf.c: s/if (k == 0 \&\& what == 'n')/if (k > TAF_MAX_DIM)/
 * fault: codec/rsf.c: s/what == 'd') \&\& k > 0)/what == 'd'))/
 * fault: codec/rsf.c: s/? (int)w.n : 60/? 60 : (int)w.n/
 * fault: codec/rsf.c: s/end - name - 1)/end - name)/
 * fault: codec/rsf.c: s/next = stop != NULL ? stop + 1 : end/next = stop + 1/
 * fault: codec/rsf.c: s/p = lf != NULL ? lf + 1 : end/p = lf + 1/
 * fault: codec/rsf.c: s/t.n >= sizeof spelled/t.n > sizeof spelled/
 * fault: codec/rsf.c: s/if (s->intercept.s == NULL || s->slope.s == NULL)/if (s->intercept.s == NULL)/
 * fault: codec/rsf.c: s/code.s != NULL \&\& (!taf/(!taf/
 */
#include "prove.h"

#include <limits.h>

#include "array/array.h"
#include "codec/rsf.h"

struct state;
struct word;
static struct word unquoted(struct word);
static bool is(struct word, const char *);
static char dim_key(struct word, unsigned *);
static bool next_pair(const char **, const char *, struct word *, struct word *);
static bool is_history(const char *, const char *);
static enum taf_status put(struct state *, struct word, struct word);
static enum taf_status put_attr(struct state *, struct word, struct word);
static enum taf_status put_comment(struct state *, struct word);
static enum taf_status put_more(struct state *, struct word);
static enum taf_status put_dim(struct state *, struct word, struct word, char, unsigned);
static enum taf_status flush_attr(struct state *);
static enum taf_status put_history(struct state *, const char *, const char *);
static void note_program(struct state *, const char *, const char *);
static enum taf_status parse_line(struct state *, const char *, const char *);
static enum taf_status settle_unfolded(struct state *, enum taf_type);
static enum taf_status settle_end(struct state *);
static enum taf_status settle_array(struct state *);
static enum taf_status fold(struct state *);
static bool fits_code(const struct taf_array *);

static char look(const char *);

#define taf_type_parse_any real_parse_any
#include "array/type.c"
#undef taf_type_parse_any
bool taf_type_parse_any(const char *, enum taf_type *);
#define taf_unescape real_unescape
#define plain is_plain
#include "codec/escape.c"
#undef taf_unescape
enum taf_status taf_unescape(struct taf_buf *, const char *, size_t, bool, struct taf_err *);
#include "codec/rsf.c"

enum { N = 12, LONG = 20, FEW = 6 };

static struct taf_array array;
static struct taf_rsf rsf;
static struct taf_err err;
static char memory[N];

/* Memory that has so many bytes, which may be any, and none around them. */
static char *
bytes(size_t n)
{
	char *p = malloc(n);

	Frama_C_make_unknown(p, n);
	return p;
}

static struct word
any(size_t most)
{
	struct word w = { NULL, Frama_C_size_t_interval(0, most) };

	//@ split w.n;
	w.s = bytes(w.n);
	return w;
}

static enum taf_status
ends(struct taf_err *e)
{
	if (Frama_C_interval(0, 1))
		return TAF_OK;
	return taf_fail(e, TAF_EDATA, "refused");
}

static void
may_read(const char *s, size_t n)
{
	/*@ assert \valid_read(s + (0 .. n - 1)); */
}

/* A character, which may be another one when it is looked at again. */
static char
look(const char *p)
{
	may_read(p, 1);
	return (char)Frama_C_char_interval(CHAR_MIN, CHAR_MAX);
}

bool
taf_type_parse_any(const char *name, enum taf_type *type)
{
	(void)strlen(name);
	*type = Frama_C_unsigned_int_interval(0, TAF_NTYPES - 1);
	return chance();
}

static bool
is(struct word w, const char *s)
{
	may_read(w.s, w.n);
	(void)s;
	return chance();
}

static struct word
unquoted(struct word w)
{
	return w;
}

bool
taf_parse_u64(const char *s, size_t n, uint64_t *r)
{
	may_read(s, n);
	*r = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	return chance();
}

bool
taf_parse_f64(const char *s, size_t n, double *r)
{
	may_read(s, n);
	Frama_C_make_unknown((char *)r, sizeof *r);
	return chance();
}

/* what it takes is exactly what there is */
enum taf_status
taf_buf_reserve(struct taf_buf *b, size_t n, struct taf_err *e)
{
	b->data = bytes(b->len + n + 1);
	return ends(e);
}

enum taf_status
taf_buf_put(struct taf_buf *b, const void *p, size_t n, struct taf_err *e)
{
	may_read(p, n);
	return ends(e);
}

void
taf_buf_free(struct taf_buf *b)
{
	*b = (struct taf_buf){ 0 };
}

void
taf_str_put(struct taf_str *s, const void *p, size_t n)
{
	may_read(p, n);
	s->st = ends(s->err);
}

void
taf_str_puts(struct taf_str *s, const char *text)
{
	(void)text;
	s->st = ends(s->err);
}

enum taf_status
taf_unescape(struct taf_buf *to, const char *s, size_t n, bool key, struct taf_err *e)
{
	(void)key;
	may_read(s, n);
	to->data = memory;
	to->len = N;
	return ends(e);
}

enum taf_status
taf_attr_setn(struct taf_array *a, const struct taf_attr_name *name, const char *value,
    size_t n, struct taf_err *e)
{
	may_read(value, n);
	return ends(e);
}

void
taf_attr_bare(struct taf_array *a, const char *key, enum taf_scope scope, unsigned index)
{
}

const char *
taf_attr_get(const struct taf_array *a, const char *key, enum taf_scope scope,
    unsigned index)
{
	return chance() ? NULL : "label";
}

void
taf_array_init(struct taf_array *a)
{
	*a = (struct taf_array){ 0 };
}

void
taf_array_fini(struct taf_array *a)
{
	*a = (struct taf_array){ 0 };
}

void
taf_array_add_dim(struct taf_array *a, uint64_t n, double start, double step)
{
	/*@ assert a->ndim < TAF_MAX_DIM; */
	a->ndim++;
}

enum taf_status
taf_array_check(const struct taf_array *a, struct taf_err *e)
{
	return ends(e);
}

bool
taf_array_mapped(const struct taf_array *a)
{
	return chance();
}

void
taf_array_unmap(struct taf_array *a)
{
}

bool
taf_foreign_text(const unsigned char *p, size_t n, char text[TAF_FOREIGN_TEXT])
{
	may_read((const char *)p, n);
	text[0] = '\0';
	return chance();
}

static bool
is_history(const char *p, const char *end)
{
	may_read(p, (size_t)(end - p));
	return p < end && chance();
}

static bool unterminated;	/* a string may be */

/* The words are others than those of the line. */
static bool
next_pair(const char **p, const char *end, struct word *key, struct word *value)
{
	const size_t left = (size_t)(end - *p);

	may_read(*p, left);
	*key = *value = (struct word){ memory, N };
	if (left == 0 || chance()) {
		*p = unterminated && chance() ? NULL : end;
		return false;
	}
	*p += 1;
	return true;
}

static enum taf_status
put(struct state *s, struct word key, struct word value)
{
	may_read(key.s, key.n);
	may_read(value.s, value.n);
	return ends(s->e);
}

static enum taf_status
put_attr(struct state *s, struct word key, struct word value)
{
	return put(s, key, value);
}

static enum taf_status
put_comment(struct state *s, struct word value)
{
	return put(s, value, value);
}

static enum taf_status
put_more(struct state *s, struct word value)
{
	return put(s, value, value);
}

static enum taf_status
put_dim(struct state *s, struct word key, struct word value, char what, unsigned k)
{
	/*@ assert k <= TAF_MAX_DIM; */
	/*@ assert k > 0 || what == 'n'; */
	return put(s, key, value);
}

static enum taf_status
flush_attr(struct state *s)
{
	return ends(s->e);
}

static char
dim_key(struct word key, unsigned *k)
{
	may_read(key.s, key.n);
	*k = Frama_C_unsigned_int_interval(0, TAF_MAX_DIM);
	//@ split *k > 0;
	return "nodlu"[Frama_C_interval(0, 5)];
}

static enum taf_status
put_history(struct state *s, const char *p, const char *end)
{
	may_read(p, (size_t)(end - p));
	return ends(s->e);
}

static void
note_program(struct state *s, const char *line, const char *end)
{
	may_read(line, (size_t)(end - line));
}

static enum taf_status
parse_line(struct state *s, const char *p, const char *end)
{
	return put_history(s, p, end);
}

static enum taf_status
settle_unfolded(struct state *s, enum taf_type type)
{
	return ends(s->e);
}

static enum taf_status
settle_end(struct state *s)
{
	return ends(s->e);
}

static enum taf_status
settle_array(struct state *s)
{
	return ends(s->e);
}

static enum taf_status
fold(struct state *s)
{
	return ends(s->e);
}

static bool
fits_code(const struct taf_array *a)
{
	return chance();
}

/* A word of a state is none, or so many bytes as there are. */
static struct word
kept(void)
{
	return (struct word){ chance() ? NULL : memory, N };
}

static struct state
any_state(void)
{
	struct state s = { 0 };

	s.a = &array;
	s.rsf = &rsf;
	s.e = &err;
	s.text = memory;
	s.length = N;
	s.format = kept();
	s.intercept = kept();
	s.slope = kept();
	s.taf_format = kept();
	s.order = kept();
	s.code = kept();
	s.next = kept();
	s.end = kept();
	s.esize = kept();
	s.between = kept();
	s.moved = kept();
	s.in = kept();
	s.again = chance();
	s.ours = chance();
	s.known = chance();
	s.comments = chance();
	s.in_comment = chance();
	s.in_attr = chance();
	s.bare = chance();
	s.unfolded = chance();
	s.pair = Frama_C_unsigned_int_interval(0, TAF_NTYPES - 1);
	s.attrs = Frama_C_unsigned_int_interval(0, MOST_SET);
	s.scope = Frama_C_unsigned_int_interval(0, TAF_OF_COMPONENT);
	s.index = Frama_C_unsigned_int_interval(0, 1000000);
	s.key = s.value = (struct taf_buf){ memory, Frama_C_size_t_interval(0, N), N };
	Frama_C_make_unknown(memory, sizeof memory);
	Frama_C_make_unknown((char *)s.n, sizeof s.n);
	Frama_C_make_unknown((char *)s.start, sizeof s.start);
	Frama_C_make_unknown((char *)s.step, sizeof s.step);
	for (unsigned k = 0; k < TAF_MAX_DIM; k++)
		s.has_n[k] = chance();
	rsf.form = Frama_C_unsigned_int_interval(0, TAF_RSF_ASCII);
	rsf.foreign = chance();
	array.type = Frama_C_unsigned_int_interval(0, TAF_NTYPES - 1);
	return s;
}

void
words(void)
{
	struct word w = any(N), u;
	enum taf_type type;
	unsigned k = 0;

	u = real_unquoted(w);
	/*@ assert w.s <= u.s; */
	/*@ assert u.s + u.n <= w.s + w.n; */
	(void)real_is(w, "taf_comment");
	(void)ends_in(w, "data_format");
	(void)rsf_type(w, &type);
	(void)real_dim_key(w, &k);
	/*@ assert k <= TAF_MAX_DIM; */
	(void)real_is_history(w.s, w.s + w.n);
}

void
pair(void)
{
	const size_t n = Frama_C_size_t_interval(0, N);
	struct word key, value;
	const char *p;

	//@ split n;
	p = memory + (N - n);
	(void)real_next_pair(&p, memory + N, &key, &value);
}

void
escapes(void)
{
	struct word w = any(N);
	struct taf_buf to = { 0 };
	enum taf_scope scope;
	unsigned index;
	size_t n = w.n;

	to.len = Frama_C_size_t_interval(0, 2);
	//@ split to.len;
	(void)real_unescape(&to, w.s, w.n, chance(), &err);
	taf_scope_parse(w.s, &n, &scope, &index);
	/*@ assert n <= w.n; */
	(void)taf_escape_fit(w.s, w.n, chance(), Frama_C_size_t_interval(0, SIZE_MAX));
}

void
keys(void)
{
	struct state s = any_state();
	struct word key = any(N), value = { memory, N };
	char what = "nodlu"[Frama_C_interval(0, 4)];

	//@ split what;
	//@ split s.again;
	if (s.again)
		s.in.s = memory;
	switch (Frama_C_interval(0, 5)) {
	case 0:
		(void)real_put(&s, key, value);
		break;
	case 1:
		(void)real_put_attr(&s, key, value);
		break;
	case 2:
		(void)real_put_comment(&s, value);
		break;
	case 3:
		(void)real_put_more(&s, value);
		break;
	case 4:
		(void)real_put_dim(&s, key, value, what,
		    Frama_C_unsigned_int_interval(what != 'n', TAF_MAX_DIM));
		break;
	default:
		(void)real_flush_attr(&s);
	}
}

void
line(void)
{
	struct state s = any_state();
	struct word w = any(N);

	unterminated = true;
	(void)real_parse_line(&s, w.s, w.s + w.n);
}

void
history(void)
{
	struct state s = any_state();
	struct word w = any(N);

	if (chance())
		real_note_program(&s, w.s, w.s + w.n);
	else if (w.n > 0 && !blank(*w.s))
		(void)real_put_history(&s, w.s, w.s + w.n);
}

void
within(void)
{
	struct word w = any(FEW);
	size_t first;

	(void)taf_rsf_within(w.s, w.n, chance(), &first);
}

void
header(void)
{
	struct word w = any(N);

	(void)taf_rsf_parse(w.s, w.n, &array, &rsf, &err);
}

void
type(void)
{
	struct state s = any_state();
	bool fits;

	s.format = any(LONG);
	s.taf_format = any(LONG);
	if (chance())
		s.format = s.taf_format = (struct word){ NULL, 0 };
	(void)settle_type(&s, &fits);
}

void
settle(void)
{
	struct state s = any_state();
	const bool fits = chance();

	switch (Frama_C_interval(0, 4)) {
	case 0:
		if (!fits)
			s.format.s = s.taf_format.s = memory;
		(void)settle_mapping(&s, fits);
		break;
	case 1:
		(void)settle_dims(&s);
		break;
	case 2:
		(void)settle_rest(&s);
		break;
	case 3:
		(void)real_settle_unfolded(&s, s.pair);
		break;
	default:
		s.end.s = memory;
		(void)real_settle_end(&s);
	}
}
