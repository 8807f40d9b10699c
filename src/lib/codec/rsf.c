/* SPDX-License-Identifier: ISC */
#include "codec/rsf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/escape.h"
#include "codec/taf_file.h"
#include "codec/taf_foreign.h"

static const char terminator[] = "\f\f\004";

/* The last lines of a header that has its elements behind it. */
static const char announcement[] = "\ttaf_next=1\n";
static const char tail[] = "\tin=\"stdin\"\n\n\f\f\004";

enum {
	MOST_SET = 12000,
	LARGE_COMMENT = 64 * 1024,
	/* what stands behind comment and attributes is shorter than this difference */
	HEADER_MOST = TAF_RSF_HEADER_MAX - 8192
};

/*
 * RSF has no name for these pairs: they go as twice as many numbers of their component,
 * in a first dimension of 2.
 */
static bool
is_unfolded(enum taf_type t)
{
	return taf_type_facts(t)->rsf == NULL;
}

/* What Madagascar leaves of native_ and the name of a type. */
static enum taf_type
left_of(enum taf_type t)
{
	const struct taf_type_facts *f = taf_type_facts(t);
	unsigned i;

	if (is_unfolded(t))
		return f->component;
	for (i = 0; f->kind == TAF_UNSIGNED && f->bits > 8 && i < TAF_NTYPES; i++)
		if (taf_type_facts((enum taf_type)i)->kind == TAF_SIGNED &&
		    taf_type_facts((enum taf_type)i)->bits == f->bits)
			return (enum taf_type)i;
	return t;
}

void
taf_rsf_fini(struct taf_rsf *rsf)
{
	taf_buf_free(&rsf->in);
}

bool
taf_rsf_end(const char *p, size_t n, size_t from, size_t *length)
{
	size_t at = from;

	while (n - at >= TAF_RSF_TERMINATOR) {
		const char *ff = memchr(p + at, '\f', n - at - (TAF_RSF_TERMINATOR - 1));

		if (ff == NULL)
			return false;
		at = (size_t)(ff - p);
		if ((at == from || p[at - 1] == '\n') &&
		    memcmp(ff, terminator, TAF_RSF_TERMINATOR) == 0) {
			*length = at;
			return true;
		}
		at++;
	}
	return false;
}

/* A piece of the header, lent from its text. */
struct word {
	const char *s;
	size_t n;
};

/*
 * Programs of Madagascar that move the elements of one input and change none, so that
 * what we have said of them stays true.
 */
static const char *const movers[] = {
	"sfcp", "sfmv", "sfput", "sfwindow", "sftransp", "sfreverse", "sfrotate",
	"sfspray", "sfheaderwindow", "sfheadersort", "sfget", "sfin",
};

/* So many of them keep pairs together, if the first dimension is still theirs. */
enum { KEEP_PAIRS = 4 };
static const char pairs[] = "real, imaginary";		/* its label */

/* What the lines have said so far, before it is put together. */
struct state {
	struct taf_array *a;
	struct taf_rsf *rsf;
	struct taf_err *e;
	const char *text;	/* of the whole header */
	size_t length;
	struct word format, intercept, slope, taf_format, order, code, next, end, esize,
	    in;
	bool ours;		/* a key has come that our programs write */
	/* data_format came twice, and in= and a length once: a header may be over */
	bool again;
	bool has_n[TAF_MAX_DIM];
	double start[TAF_MAX_DIM], step[TAF_MAX_DIM];
	uint64_t n[TAF_MAX_DIM];
	bool comments;
	unsigned attrs;		/* set so far, again or for the first time */
	bool known;		/* a key that only they write: taf_... */
	struct word between;	/* the first program behind those that is no mover */
	struct word moved;	/* the first that may have moved a first dimension of 2 */
	bool unfolded;		/* pairs of this type are two numbers each */
	enum taf_type pair;
	/* what taf_more continues */
	bool in_comment, in_attr;
	struct taf_buf key, value;
	enum taf_scope scope;
	unsigned index;
	bool bare;
};

static bool
is(struct word w, const char *s)
{
	return w.n == strlen(s) && memcmp(w.s, s, w.n) == 0;
}

/* The text between the first and the last quote, or all of it where there are none. */
static struct word
unquoted(struct word w)
{
	const char *first = w.n > 0 ? memchr(w.s, '"', w.n) : NULL, *last;

	if (first == NULL)
		return w;
	for (last = w.s + w.n - 1; last > first && *last != '"'; last--)
		;
	w.s = first + 1;
	w.n = last > first ? (size_t)(last - first - 1) : 0;
	return w;
}

static int
shown(struct word w)
{
	return w.n < 60 ? (int)w.n : 60;
}

static enum taf_status
bad(struct state *s, const char *key, size_t n, const char *what, struct word w)
{
	return taf_fail(s->e, TAF_EDATA, "header: %.*s: %s: %.*s", (int)(n < 40 ? n : 40),
	    key, what, shown(w), w.s);
}

static enum taf_status
flush_attr(struct state *s)
{
	const struct taf_attr_name name = { s->key.data, s->scope, s->index };

	if (!s->in_attr)
		return TAF_OK;
	s->in_attr = false;
	if (memchr(s->key.data, '\0', s->key.len) != NULL)
		return taf_fail(s->e, TAF_EDATA,
		    "header: an attribute's name holds a NUL");
	/* attributes of dimensions that may not exist are settled at the end */
	if (taf_attr_setn(s->a, &name, s->value.data, s->value.len, s->e) != TAF_OK)
		return s->e->code;
	if (s->bare)
		taf_attr_bare(s->a, s->key.data, s->scope, s->index);
	return TAF_OK;
}

static enum taf_status
put_attr(struct state *s, struct word key, struct word value)
{
	struct word v = unquoted(value);

	s->key.len = s->value.len = 0;
	taf_scope_parse(key.s, &key.n, &s->scope, &s->index);
	s->bare = v.s == value.s && v.n > 0 &&
	    taf_escape_fit(v.s, v.n, false, v.n) == v.n;
	s->in_attr = true;
	if (taf_unescape(&s->key, key.s, key.n, true, s->e) != TAF_OK)
		return s->e->code;
	return taf_unescape(&s->value, v.s, v.n, false, s->e);
}

static enum taf_status
put_comment(struct state *s, struct word value)
{
	if (s->comments && taf_buf_put(&s->a->comment, "\n", 1, s->e) != TAF_OK)
		return s->e->code;
	s->comments = true;
	s->in_comment = true;
	value = unquoted(value);
	return taf_unescape(&s->a->comment, value.s, value.n, false, s->e);
}

static enum taf_status
put_more(struct state *s, struct word value)
{
	value = unquoted(value);
	if (s->in_comment)
		return taf_unescape(&s->a->comment, value.s, value.n, false, s->e);
	s->bare = false;
	if (s->in_attr)
		return taf_unescape(&s->value, value.s, value.n, false, s->e);
	return bad(s, "taf_more", 8, "nothing to continue", value);
}

static bool
all_digits(const char *s, size_t n)
{
	while (n > 0 && s[n - 1] >= '0' && s[n - 1] <= '9')
		n--;
	return n == 0;
}

/*
 * Is key one of n# o# d# label# unit#, # a dimension number?  Sets what it is (its
 * first letter) and the number, 0 where it is beyond what we have.
 */
static char
dim_key(struct word key, unsigned *k)
{
	static const char *const stems[] = { "n", "o", "d", "label", "unit" };
	uint64_t v;
	size_t i;

	for (i = 0; i < sizeof stems / sizeof stems[0]; i++) {
		const size_t len = strlen(stems[i]);

		if (key.n <= len || memcmp(key.s, stems[i], len) != 0 ||
		    key.s[len] == '0' || !all_digits(key.s + len, key.n - len))
			continue;
		*k = taf_parse_u64(key.s + len, key.n - len, &v) &&
		    v <= TAF_MAX_DIM ? (unsigned)v : 0;
		return stems[i][0];
	}
	return '\0';
}

static enum taf_status
put_dim(struct state *s, struct word key, struct word value, char what, unsigned k)
{
	if (k == 0 && what == 'n')
		return bad(s, key.s, key.n, "more than 64 dimensions", value);
	k--;
	if (what == 'l' || what == 'u') {
		/* at once, so that attributes keep their order; not escaped */
		value = unquoted(value);
		return taf_attr_setn(s->a, &(struct taf_attr_name){ what == 'l' ?
		    "label" : "unit", TAF_OF_DIM, k + 1 }, value.s, value.n, s->e);
	}
	if (what == 'n' ? !taf_parse_u64(value.s, value.n, &s->n[k]) :
	    !taf_parse_f64(value.s, value.n, what == 'o' ? &s->start[k] : &s->step[k]))
		return bad(s, key.s, key.n, what == 'n' ? "not a length" : "not a number",
		    value);
	s->has_n[k] = s->has_n[k] || what == 'n';
	return TAF_OK;
}

/* Keys that stand for themselves; NULL for an attribute. */
static struct word *
plain_key(struct state *s, struct word key)
{
	const struct {
		const char *name;
		struct word *slot;
	} keys[] = {
		{ "in", &s->in }, { "data_format", &s->format }, { "esize", &s->esize },
		{ "taf_format", &s->taf_format }, { "taf_intercept", &s->intercept },
		{ "taf_slope", &s->slope }, { "taf_order", &s->order },
		{ "taf_code", &s->code }, { "taf_next", &s->next },
		{ "taf_end", &s->end },
	};
	size_t i;

	for (i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (is(key, keys[i].name))
			return keys[i].slot;
	return NULL;
}

static enum taf_status
put(struct state *s, struct word key, struct word value)
{
	struct word *slot;
	unsigned k;
	char what;

	s->known = s->known || (key.n > 4 && memcmp(key.s, "taf_", 4) == 0);
	s->ours = s->ours || s->known || is(key, "data_format");
	if (is(key, "taf_more"))
		return put_more(s, value);
	s->in_comment = false;
	if (flush_attr(s) != TAF_OK)
		return s->e->code;
	if (is(key, "taf_comment"))
		return put_comment(s, value);
	slot = plain_key(s, key);
	/*
	 * a program in between writes data_format behind ours again, but never taf_order
	 */
	s->again = s->again || (slot == &s->format && s->format.s != NULL &&
	    s->in.s != NULL && s->has_n[0]);
	if (slot == &s->order && (s->again || (s->order.s != NULL && s->in.s != NULL)))
		return bad(s, "in", 2,
		    "another header follows, and nothing ends this one", s->in);
	if (slot != NULL) {
		*slot = value;
		return TAF_OK;
	}
	what = dim_key(key, &k);
	if (what == 'n' || ((what == 'o' || what == 'd') && k > 0))
		return put_dim(s, key, value, what, k);
	/* each attribute is looked for among the ones before it */
	if (++s->attrs > MOST_SET)
		return taf_fail(s->e, TAF_EDATA, "header: more than %d keys",
		    (int)MOST_SET);
	return what != '\0' && k > 0 ? put_dim(s, key, value, what, k) :
	    put_attr(s, key, value);
}

static bool
blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A line of history does not begin with a blank, and its first word has no '='. */
static bool
is_history(const char *p, const char *end)
{
	if (p == end || blank(*p))
		return false;
	while (p < end && !blank(*p) && *p != '=')
		p++;
	return p == end || *p != '=';
}

/*
 * A line behind our keys is of a program that does not know them: ours stand before.
 * Madagascar's are VERSION, PROGRAM, FOLDER:, USER@HOST and DATE, with tabs between; of
 * others it is not known what they do.
 */
static void
note_program(struct state *s, const char *line, const char *end)
{
	const char *name = memchr(line, '\t', (size_t)(end - line)), *stop = NULL;
	struct word w = { line, (size_t)(end - line) };
	size_t i;

	s->rsf->foreign = true;
	if (!s->known)
		return;
	if (name != NULL)
		stop = memchr(name + 1, '\t', (size_t)(end - name - 1));
	if (stop != NULL) {
		w.s = name + 1;
		w.n = (size_t)(stop - w.s);
		for (i = 0; i < sizeof movers / sizeof movers[0]; i++)
			if (is(w, movers[i]))
				break;
		if (s->moved.s == NULL && i >= KEEP_PAIRS)
			s->moved = w;
		if (i < sizeof movers / sizeof movers[0])
			return;
	}
	if (s->moved.s == NULL)
		s->moved = w;
	if (s->between.s == NULL)
		s->between = w;
}

/*
 * Keep a line of history.  Madagascar would read keys in it, and would read no header
 * with an odd '"'; so neither goes on.
 */
static enum taf_status
put_history(struct state *s, const char *p, const char *end)
{
	struct taf_str h = { s->a->history, s->e, TAF_OK };

	while (end > p && end[-1] == '\r')
		end--;
	if (s->ours)
		note_program(s, p, end);
	while (p < end) {
		const char *run = p;

		while (p < end && *p != '=' && *p != '"')
			p++;
		taf_str_put(&h, run, (size_t)(p - run));
		if (p < end)
			taf_str_puts(&h, *p++ == '=' ? "%3D" : "%22");
	}
	taf_str_puts(&h, "\n");
	s->a->history = h.buf;
	return h.st;
}

/*
 * The next key=value of a line that is no history; false behind the last.  A string that
 * does not end makes p NULL.
 */
static bool
next_pair(const char **p, const char *end, struct word *key, struct word *value)
{
	const char *s = *p;

	while (s < end) {
		const char *eq = NULL;
		bool quoted = false;

		while (s < end && blank(*s))
			s++;
		key->s = s;
		for (; s < end && (quoted || !blank(*s)); s++) {
			if (*s == '"')
				quoted = !quoted;
			else if (*s == '=' && eq == NULL && !quoted)
				eq = s;
		}
		if (quoted) {
			*p = NULL;
			return false;
		}
		if (eq == NULL || eq == key->s)
			continue;
		key->n = (size_t)(eq - key->s);
		if (memchr(key->s, '"', key->n) != NULL)
			continue;
		value->s = eq + 1;
		value->n = (size_t)(s - value->s);
		*p = s;
		return true;
	}
	return false;
}

/* One line: its key=value words, or a line of history. */
static enum taf_status
parse_line(struct state *s, const char *p, const char *end)
{
	const char *line = p;
	struct word key, value;

	if (is_history(p, end))
		return put_history(s, p, end);
	while (next_pair(&p, end, &key, &value))
		if (put(s, key, value) != TAF_OK)
			return s->e->code;
	if (p == NULL)
		return taf_fail(s->e, TAF_EDATA, "header: unterminated string: %.*s",
		    (int)(end - line < 60 ? end - line : 60), line);
	return TAF_OK;
}

/* Is it that key?  The text before a header may end without a line feed. */
static bool
ends_in(struct word key, const char *s)
{
	const size_t n = strlen(s);

	return key.n >= n && memcmp(key.s + key.n - n, s, n) == 0;
}

bool
taf_rsf_within(const char *p, size_t n, bool first, size_t *at)
{
	const char *const text = p, *const end = p + n;
	bool type = false, length = false, in = false;
	const char *stop, *next;

	for (; p < end && !(type && length && in); p = next) {
		struct word key, value;
		const char *s = p;

		stop = memchr(p, '\n', (size_t)(end - p));
		next = stop != NULL ? stop + 1 : end;
		stop = stop != NULL ? stop : end;
		if (stop - p >= TAF_RSF_TERMINATOR &&
		    memcmp(p, terminator, TAF_RSF_TERMINATOR) == 0)
			type = length = in = false;
		if (is_history(p, stop))
			continue;
		if (!type && !length && !in)
			*at = (size_t)(p - text);
		while (next_pair(&s, stop, &key, &value)) {
			type = type || ends_in(key, "data_format") ||
			    is(key, "taf_format") || (is(key, "esize") && is(value, "0"));
			length = length || ends_in(key, "n1");
			in = in || is(key, "in");
			if (first)
				break;
		}
	}
	return type && length && in;
}

/* What a program has made of elements that it took for others. */
static enum taf_status
took_wrong(const struct state *s, const char *what)
{
	return taf_fail(s->e, TAF_EDATA,
	    "header: %.*s has taken %s for values: put taf2rsf before it",
	    shown(s->between), s->between.s, what);
}

/* The type of a name behind native_, xdr_ or ascii_. */
static bool
rsf_type(struct word name, enum taf_type *type)
{
	unsigned i;

	if (is(name, "byte"))
		name = (struct word){ "uchar", 5 };
	for (i = 0; i < TAF_NTYPES; i++) {
		*type = (enum taf_type)i;
		if (!is_unfolded(*type) && is(name, taf_type_facts(*type)->rsf))
			return true;
	}
	return false;
}

/* Pairs in a first dimension of 2: until that is dropped they are their components. */
static enum taf_status
settle_unfolded(struct state *s, enum taf_type type)
{
	const struct taf_type_facts *f = taf_type_facts(type);
	const char *label = taf_attr_get(s->a, "label", TAF_OF_DIM, 1);

	if (s->moved.s != NULL)
		return taf_fail(s->e, TAF_EDATA,
		    "header: %.*s may have taken complex elements apart: put taf2rsf before it",
		    shown(s->moved), s->moved.s);
	/*
	 * sfwindow may have taken one part, and another dimension of 2 come to its place
	 */
	if (s->rsf->foreign && (label == NULL || strcmp(label, pairs) != 0))
		return taf_fail(s->e, TAF_EDATA,
		    "header: the first dimension is not that of the parts of %s elements any more",
		    f->name);
	if (s->a->type != f->component || !s->has_n[0] || s->n[0] != 2)
		return taf_fail(s->e, TAF_EDATA,
		    "header: taf_format %s takes data_format native_%s and n1=2: a program has taken parts of complex elements for values",
		    f->name, taf_type_facts(f->component)->rsf);
	return TAF_OK;
}

/* Join parts to pairs again. */
static enum taf_status
fold(struct state *s)
{
	if (s->a->ndim == 1 &&
	    taf_array_insert_dim(s->a, 2, (struct taf_dim){ 1, 0, 1 }, s->e) != TAF_OK)
		return s->e->code;
	s->a->type = s->pair;
	return taf_array_drop_dim(s->a, 1, s->e);
}

enum taf_status
taf_rsf_fail_foreign(const char *name, const char *p, size_t n, struct taf_err *e)
{
	const unsigned char *const bytes = (const unsigned char *)p;
	char text[TAF_FOREIGN_TEXT];

	if (taf_foreign_text(bytes, n, text))
		return taf_fail(e, TAF_EDATA, "neither TAF nor RSF, but %s", text);
	if (taf_foreign_named(name, bytes, n) != NULL)
		return taf_fail(e, TAF_EDATA,
		    "neither TAF nor RSF, but traces of SU (use segy2taf)");
	return taf_fail(e, TAF_EDATA, n > 0 && memchr(p, '\0', n) != NULL ?
	    "neither TAF nor RSF, as it holds a NUL: other formats have converters, see taf(7)" :
	    "neither TAF nor RSF, as its text has no data_format: use txt2taf for a table");
}

/* data_format and taf_format give the element type and the form. */
static enum taf_status
settle_type(struct state *s, bool *fits)
{
	struct word f = unquoted(s->format), t = unquoted(s->taf_format), name;
	enum taf_type type;
	char spelled[16];

	*fits = true;
	if (f.s == NULL && s->esize.s != NULL && is(s->esize, "0")) {
		f.s = "ascii_float";
		f.n = strlen(f.s);
	}
	if (f.s == NULL)
		return taf_rsf_fail_foreign("", s->text, s->length, s->e);
	name = f;
	if (f.n > 7 && memcmp(f.s, "native_", 7) == 0) {
		s->rsf->form = TAF_RSF_NATIVE;
		name.s += 7;
	} else if (f.n > 4 && memcmp(f.s, "xdr_", 4) == 0) {
		s->rsf->form = TAF_RSF_XDR;
		name.s += 4;
	} else if (f.n > 6 && memcmp(f.s, "ascii_", 6) == 0) {
		s->rsf->form = TAF_RSF_ASCII;
		name.s += 6;
	}
	name.n -= (size_t)(name.s - f.s);
	if (name.s == f.s || !rsf_type(name, &s->a->type))
		return bad(s, "data_format", 11, "unknown", f);
	if (t.s == NULL)
		return TAF_OK;
	if (t.n >= sizeof spelled)
		return bad(s, "taf_format", 10, "unknown", t);
	memcpy(spelled, t.s, t.n);
	spelled[t.n] = '\0';
	if (!taf_type_parse_any(spelled, &type))
		return bad(s, "taf_format", 10, "unknown", t);
	s->unfolded = is_unfolded(type);
	s->pair = type;
	if (s->unfolded)
		return settle_unfolded(s, type);
	if (left_of(type) != type && s->between.s != NULL)
		return took_wrong(s, "the bits of unsigned integers");
	*fits = s->a->type == type || s->a->type == left_of(type);
	if (*fits)
		s->a->type = type;
	return TAF_OK;
}

static enum taf_status
settle_mapping(struct state *s, bool fits)
{
	struct taf_array *a = s->a;

	taf_array_unmap(a);
	if (s->intercept.s == NULL && s->slope.s == NULL)
		return TAF_OK;
	if (s->intercept.s == NULL || s->slope.s == NULL)
		return taf_fail(s->e, TAF_EDATA, "header: %s: half a mapping",
		    s->slope.s == NULL ? "taf_intercept without taf_slope" :
		    "taf_slope without taf_intercept");
	if (!taf_parse_f64(s->intercept.s, s->intercept.n, &a->intercept))
		return bad(s, "taf_intercept", 13, "not a number", s->intercept);
	if (!taf_parse_f64(s->slope.s, s->slope.n, &a->slope))
		return bad(s, "taf_slope", 9, "not a number", s->slope);
	if (taf_is_finite(a->intercept) != taf_is_finite(a->slope))
		return taf_fail(s->e, TAF_EDATA,
		    "header: taf_%s is not finite: half a mapping",
		    taf_is_finite(a->slope) ? "intercept" : "slope");
	if (!taf_array_mapped(a)) {
		taf_array_unmap(a);
		return TAF_OK;
	}
	if (s->between.s != NULL)
		return took_wrong(s, "stored numbers under a mapping");
	if (taf_type_is_pair(a->type) || s->unfolded)
		return taf_fail(s->e, TAF_EDATA,
		    "header: complex elements with a mapping");
	if (!fits)
		return taf_fail(s->e, TAF_EDATA,
		    "header: data_format %.*s does not fit taf_format %.*s: a program has computed on stored integers; put taf2rsf before it",
		    shown(unquoted(s->format)), unquoted(s->format).s,
		    shown(unquoted(s->taf_format)), unquoted(s->taf_format).s);
	return TAF_OK;
}

static enum taf_status
settle_dims(struct state *s)
{
	unsigned k, last = 0;
	struct taf_array *a = s->a;

	for (k = 0; k < TAF_MAX_DIM; k++)
		if (s->has_n[k])
			last = k + 1;
	if (last == 0)
		return taf_fail(s->e, TAF_EDATA, "header: no n1");
	for (k = 0; k < last; k++) {
		if (!s->has_n[k])
			return taf_fail(s->e, TAF_EDATA, "header: n%u but no n%u", last,
			    k + 1);
		taf_array_add_dim(a, s->n[k], s->start[k], s->step[k]);
	}
	if (s->unfolded && fold(s) != TAF_OK)
		return s->e->code;
	return taf_array_check(a, s->e);
}

/* Does the type code go with the array as a file has it? */
static bool
fits_code(const struct taf_array *a)
{
	struct taf_array file;
	struct taf_err none = { 0 };

	return taf_file_shape(a, &file, &none) == TAF_OK &&
	    taf_code_fits(a->code, taf_code_rank(&file));
}

static enum taf_status
settle_rest(struct state *s)
{
	struct word order = unquoted(s->order), in = unquoted(s->in), code = s->code;
	const struct word next = unquoted(s->next);
	uint64_t v = 0;

	s->rsf->big = taf_host_is_big();
	if (order.s != NULL && s->rsf->form == TAF_RSF_NATIVE) {
		if (!is(order, "big") && !is(order, "little"))
			return bad(s, "taf_order", 9, "unknown", order);
		s->rsf->big = is(order, "big");
		if (s->between.s != NULL && s->rsf->big != taf_host_is_big() &&
		    taf_type_word(s->a->type) > 1)
			return took_wrong(s, "elements of the other byte order");
	} else if (s->rsf->form == TAF_RSF_XDR) {
		s->rsf->big = true;
		/* its sfdd swaps pairs of them with what lies beside */
		if (s->rsf->foreign && s->a->type == TAF_INT16)
			return taf_fail(s->e, TAF_EDATA,
			    "header: xdr_short: Madagascar's programs write such elements wrong: let them write native ones");
	}
	if (code.s != NULL && (!taf_parse_u64(code.s, code.n, &v) || v > 255))
		return bad(s, "taf_code", 8, "not a type code", code);
	s->a->code = (unsigned char)v;
	if (s->rsf->foreign && !fits_code(s->a))
		s->a->code = TAF_CODE_GENERIC;
	if (next.s != NULL && !is(next, "1") && !is(next, "0") && !is(next, "unknown"))
		return bad(s, "taf_next", 8, "neither 1 nor unknown", next);
	if (next.s != NULL)
		s->rsf->next = is(next, "1") ? TAF_NEXT_YES : is(next, "0") ?
		    TAF_NEXT_NO : TAF_NEXT_UNKNOWN;
	if (in.s == NULL || in.n == 0)
		return taf_fail(s->e, TAF_EDATA, "header: no in=");
	s->rsf->here = is(in, "stdin");
	return taf_buf_put(&s->rsf->in, in.s, in.n, s->e);
}

/* The record that ends a stream. */
static enum taf_status
settle_end(struct state *s)
{
	struct word in = unquoted(s->in);
	unsigned k;

	taf_array_fini(s->a);
	taf_array_init(s->a);
	s->rsf->ends = s->rsf->here = true;
	if (!taf_parse_u64(s->end.s, s->end.n, &s->rsf->count))
		return bad(s, "taf_end", 7, "not a number of arrays", s->end);
	for (k = 0; k < TAF_MAX_DIM && !s->has_n[k]; k++)
		;
	if (k < TAF_MAX_DIM || s->format.s != NULL || (in.s != NULL && !is(in, "stdin")))
		return bad(s, "taf_end", 7, "the end of a stream, with elements", s->end);
	return TAF_OK;
}

/* The keys of an array. */
static enum taf_status
settle_array(struct state *s)
{
	bool fits;

	return settle_type(s, &fits) != TAF_OK || settle_mapping(s, fits) != TAF_OK ||
	    settle_dims(s) != TAF_OK ? s->e->code : settle_rest(s);
}

static enum taf_status
parse_lines(struct state *s, const char *p, const char *end)
{
	const char *lf;

	for (; p < end; p = lf != NULL ? lf + 1 : end) {
		lf = memchr(p, '\n', (size_t)(end - p));
		if (parse_line(s, p, lf != NULL ? lf : end) != TAF_OK)
			return s->e->code;
	}
	if (flush_attr(s) != TAF_OK)
		return s->e->code;
	return s->end.s != NULL ? settle_end(s) : settle_array(s);
}

enum taf_status
taf_rsf_parse(const char *p, size_t n, struct taf_array *a, struct taf_rsf *rsf,
    struct taf_err *e)
{
	enum taf_status st;
	struct state *s;
	unsigned k;

	if (n > 0 && memchr(p, '\0', n) != NULL)
		return taf_rsf_fail_foreign("", p, n, e);
	s = calloc(1, sizeof *s);
	if (s == NULL)
		return taf_fail_mem(e);
	s->a = a;
	s->rsf = rsf;
	s->e = e;
	s->text = p;
	s->length = n;
	for (k = 0; k < TAF_MAX_DIM; k++)
		s->step[k] = 1;
	st = parse_lines(s, p, n > 0 ? p + n : p);
	taf_buf_free(&s->key);
	taf_buf_free(&s->value);
	free(s);
	return st;
}

bool
taf_rsf_key_is_framing(const char *key)
{
	const struct word w = { key, strlen(key) };
	struct state s = { 0 };
	unsigned k;

	return plain_key(&s, w) != NULL || strncmp(key, "taf_", 4) == 0 ||
	    dim_key(w, &k) != '\0';
}

bool
taf_rsf_label_ok(const char *text)
{
	const char *c;

	for (c = text; *c != '\0'; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f || *c == '"')
			return false;
	return (size_t)(c - text) < TAF_RSF_LINE_MAX - 100;
}

/* key="value" over as many lines as it takes, the key escaped already. */
static void
format_long(struct taf_str *to, const char *key, const char *value, size_t n)
{
	/* of the longer one of key and taf_more */
	size_t most = TAF_RSF_LINE_MAX - (strlen(key) > 8 ? strlen(key) : 8) - 8, part;

	do {
		part = taf_escape_fit(value, n, false, most);
		taf_str_printf(to, "\t%s=\"", key);
		taf_escape(to, value, part, false);
		taf_str_puts(to, "\"\n");
		value += part;
		n -= part;
		key = "taf_more";
	} while (n > 0);
}

static void
format_attr(struct taf_str *to, const struct taf_attr *t)
{
	struct taf_str key = { .err = to->err };
	struct state none = { 0 };
	struct word w;
	unsigned k;

	if (t->scope == TAF_OF_DIM && taf_rsf_label_ok(t->value) &&
	    (strcmp(t->key, "label") == 0 || strcmp(t->key, "unit") == 0)) {
		taf_str_printf(to, "\t%s%u=\"%s\"\n", t->key, t->index, t->value);
		return;
	}
	taf_key_format(&key, t);
	w = (struct word){ key.buf.data, key.buf.len };
	if (key.st == TAF_OK && (plain_key(&none, w) != NULL || dim_key(w, &k) != '\0' ||
	    is(w, "taf_comment") || is(w, "taf_more"))) {
		/* an attribute that is called like a key of the header's own */
		struct taf_str hidden = { .err = to->err };

		taf_str_printf(&hidden, "%%%02X%s", (unsigned)(unsigned char)w.s[0],
		    w.s + 1);
		taf_str_free(&key);
		key = hidden;
	}
	if (key.st == TAF_OK && key.buf.len > TAF_RSF_LINE_MAX / 2)
		key.st = taf_fail(to->err, TAF_EDATA,
		    "attribute %.40s...: a name of %zu bytes is too long for a header line",
		    key.buf.data, key.buf.len);
	if (key.st != TAF_OK)
		to->st = key.st;
	else if (t->bare && strlen(t->value) < TAF_RSF_LINE_MAX / 4)
		taf_str_printf(to, "\t%s=%s\n", key.buf.data, t->value);
	else
		format_long(to, key.buf.data, t->value, strlen(t->value));
	taf_str_free(&key);
}

/*
 * The end of the piece of a comment that begins at p: the next LF, or end.  Of a large
 * comment several lines share one, so that a header of many LFs is not many times as
 * long.
 */
static const char *
piece_end(const char *p, const char *end, bool large)
{
	const char *stop = memchr(p, '\n', (size_t)(end - p));
	size_t n;

	if (stop == NULL || !large)
		return stop != NULL ? stop : end;
	n = taf_escape_fit(p, (size_t)(end - p), false, TAF_RSF_LINE_MAX - 20);
	if (n == (size_t)(end - p))
		return end;
	while (n > 0 && p[n - 1] != '\n')
		n--;
	return n > 0 ? p + n - 1 : stop;
}

/* Behind the comment and behind the attributes. */
static void
check_length(const struct taf_array *a, struct taf_str *to)
{
	if (to->st == TAF_OK && to->buf.len > HEADER_MOST)
		to->st = taf_fail(to->err, TAF_EDATA,
		    "with a comment of %zu bytes and %zu attributes the header has more than %d bytes",
		    a->comment.len, a->nattrs, (int)TAF_RSF_HEADER_MAX);
}

static void
format_comment(const struct taf_array *a, struct taf_str *to)
{
	const char *p = a->comment.data, *end, *stop;

	if (a->comment.len == 0)
		return;
	for (end = p + a->comment.len; to->st == TAF_OK; p = stop + 1) {
		stop = piece_end(p, end, a->comment.len > LARGE_COMMENT);
		format_long(to, "taf_comment", p, (size_t)(stop - p));
		check_length(a, to);
		if (stop == end)
			break;
	}
}

static void
format_dim(struct taf_str *to, unsigned k, struct taf_dim dim)
{
	taf_str_printf(to, "\tn%u=%llu\n\to%u=%s\n\td%u=%s\n", k,
	    (unsigned long long)dim.n, k, taf_f64(dim.start).s, k, taf_f64(dim.step).s);
}

static void
format_head(const struct taf_array *a, struct taf_str *to)
{
	const bool unfolded = is_unfolded(a->type);
	const enum taf_type type = unfolded ? taf_type_facts(a->type)->component :
	    a->type;
	unsigned k;

	taf_str_printf(to, "\tdata_format=\"native_%s\"\n\tesize=%zu\n"
	    "\ttaf_order=\"%s\"\n\ttaf_format=\"%s\"\n", taf_type_facts(type)->rsf,
	    taf_type_size(type), taf_host_is_big() ? "big" : "little",
	    taf_type_name(a->type));
	if (taf_array_mapped(a))
		taf_str_printf(to, "\ttaf_intercept=%s\n\ttaf_slope=%s\n",
		    taf_f64(a->intercept).s, taf_f64(a->slope).s);
	if (a->code != 0)
		taf_str_printf(to, "\ttaf_code=%u\n", (unsigned)a->code);
	if (unfolded) {
		format_dim(to, 1, (struct taf_dim){ 2, 0, 1 });
		taf_str_printf(to, "\tlabel1=\"%s\"\n", pairs);
	}
	for (k = 0; k < a->ndim; k++)
		format_dim(to, k + 1 + unfolded, a->dim[k]);
}

enum taf_status
taf_rsf_format(const struct taf_array *a, const char *history, enum taf_next next,
    const char *in, struct taf_buf *to, struct taf_err *e)
{
	struct taf_str s = { *to, e, TAF_OK };
	size_t i;

	s.buf.len = to->len = 0;
	if (taf_array_sound(a, e) != TAF_OK)
		return e->code;
	if (is_unfolded(a->type) && a->ndim == TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA,
		    "%s elements of %d dimensions need one more than a header has",
		    taf_type_name(a->type), (int)TAF_MAX_DIM);
	taf_str_put(&s, a->history.data, a->history.len);
	if (history != NULL)
		taf_str_printf(&s, "%s\n", history);
	format_head(a, &s);
	for (i = 0; i < a->nattrs && s.st == TAF_OK; i++) {
		struct taf_attr t = a->attrs[i];

		t.index += t.scope == TAF_OF_DIM && is_unfolded(a->type);
		format_attr(&s, &t);
	}
	format_comment(a, &s);
	check_length(a, &s);
	if (next != TAF_NEXT_NO)
		taf_str_puts(&s, next == TAF_NEXT_YES ? announcement :
		    "\ttaf_next=\"unknown\"\n");
	if (in == NULL)
		taf_str_puts(&s, tail);
	else if (s.st == TAF_OK && !taf_rsf_label_ok(in))
		s.st = taf_fail(e, TAF_EDATA, "a header cannot name the file %.60s", in);
	else
		taf_str_printf(&s, "\tin=\"%s\"\n", in);
	*to = s.buf;
	return s.st;
}

enum taf_status
taf_rsf_announce(struct taf_buf *header, struct taf_err *e)
{
	header->len -= strlen(tail);
	if (taf_buf_puts(header, announcement, e) != TAF_OK)
		return e->code;
	return taf_buf_puts(header, tail, e);
}

enum taf_status
taf_rsf_format_end(uint64_t count, struct taf_buf *to, struct taf_err *e)
{
	to->len = 0;
	return taf_buf_printf(to, e, "\ttaf_end=%llu\n%s", (unsigned long long)count,
	    tail);
}
