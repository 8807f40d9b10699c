/* SPDX-License-Identifier: ISC */
#include "format/segy_export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/endian.h"
#include "base/need.h"
#include "base/num.h"
#include "io/spool.h"
#include "kernel/number/convert_private.h"
#include "kernel/number/samples.h"
#include "stream/values.h"

enum { PIECE = 65536, TEXT_MOST = 65536 };

/* Headers of traces that come as an array. */
struct given {
	struct taf_reader *r;
	struct taf_values *v;
	struct taf_array a;
	struct taf_segy_choice keys;	/* none: they are bytes */
	unsigned rows;
	bool big;
	int64_t *word;
	unsigned char *bytes;
};

struct job {
	const struct taf_segy_export *how;
	const struct taf_service *service;
	struct taf_array *a;
	struct taf_out *out;
	struct taf_segy s;	/* what is written, as reading will find it */
	bool found;		/* its reel is that of a file */
	struct taf_in *like;
	struct given given;
	uint64_t ns, ntraces;
	double dt;		/* us, 0: none */
	double begin;		/* ms */
	unsigned dim_key[TAF_MAX_DIM];	/* words that the grids become */
	bool fix_dt, fix_begin;	/* of headers that come */
	unsigned char *header;
	struct taf_convert_count count;
};

static const char *
attr(const struct taf_array *a, const char *key)
{
	return taf_attr_get(a, key, TAF_OF_ARRAY, 0);
}

/* The number that an attribute is, or other. */
static unsigned
attr_number(const struct taf_array *a, const char *key, unsigned other)
{
	const char *v = attr(a, key);
	uint64_t n;

	return v != NULL && taf_parse_u64(v, strlen(v), &n) && n < 256 ? (unsigned)n :
	    other;
}

/* What a file of another name is like. */
static enum taf_status
open_like(struct job *j, struct taf_err *e)
{
	const struct taf_segy_how how = { .su = j->how->su, .order = j->how->order };
	enum taf_status st = taf_in_open(&j->like, j->how->like, e);

	if (st == TAF_OK)
		st = taf_spool_rest(&j->like, e);
	if (st == TAF_OK)
		st = taf_segy_open(&j->s, j->like, &how, e);
	if (st == TAF_OK && j->s.su && !j->how->su)
		st = taf_fail(e, TAF_EDATA,
		    "traces of SU have no headers of a reel: --su writes such");
	if (st == TAF_OK && j->s.ntraces != j->ntraces)
		st = taf_fail(e, TAF_EDATA, "%llu traces, but the array has %llu",
		    (unsigned long long)j->s.ntraces, (unsigned long long)j->ntraces);
	j->found = true;
	taf_err_name(e, j->how->like);
	return st;
}

/* Bytes of an attribute; nothing where there is none. */
static enum taf_status
attr_bytes(const struct taf_array *a, const char *key, struct taf_buf *to,
    struct taf_err *e)
{
	const char *v = attr(a, key);

	if (v == NULL || taf_base64_get(to, v, e) == TAF_OK)
		return TAF_OK;
	return taf_fail(e, e->code, "attribute %s is no base64", key);
}

/* The headers of the file that the array was read from, by its attributes. */
static enum taf_status
recall(struct job *j, struct taf_err *e)
{
	const char *order = attr(j->a, "segy/order");
	const bool little = order != NULL && strcmp(order, "little") == 0;
	struct taf_buf b = { 0 };
	enum taf_status st;

	j->s.big = j->how->order != 0 ? j->how->order == TAF_SEGY_BIG :
	    order == NULL && j->how->su ? taf_host_is_big() : !little;
	j->s.revision = attr_number(j->a, "segy/revision", 3);
	j->s.header = TAF_SEGY_HEADER;
	if (j->how->su)
		return TAF_OK;
	st = attr_bytes(j->a, "segy/binary", &b, e);
	if (st == TAF_OK && b.len == TAF_SEGY_BINARY && j->s.big == !little &&
	    j->s.revision <= 2 &&
	    (j->how->revision == 0 || j->how->revision == j->s.revision)) {
		memcpy(j->s.binary, b.data, b.len);
		j->found = true;
		st = taf_segy_reel(&j->s, e);
	}
	if (st == TAF_OK && j->found) {
		st = attr_bytes(j->a, "segy/extended", &j->s.extended, e);
	}
	if (st == TAF_OK && j->s.extended.len % TAF_SEGY_TEXT != 0)
		st = taf_fail(e, TAF_EDATA, "segy/extended is no whole text headers");
	taf_buf_free(&b);
	return st;
}

/* How samples are stored: as is asked, as they were, or as they are. */
static void
choose_format(struct job *j)
{
	const struct taf_array *a = j->a;
	const enum taf_type type = taf_values_type(a, j->how->raw);
	const struct taf_segy_format *was = j->like != NULL ? j->s.format :
	    taf_segy_format(attr_number(a, "segy/format", 0));
	const bool as_is = taf_type_is_int(type) && taf_type_size(type) <= 4;

	if (j->how->su)
		j->s.format = taf_segy_format(5);
	else if (j->how->format != NULL)
		j->s.format = j->how->format;
	else if (was != NULL && (j->like != NULL || was->type == type))
		j->s.format = was;
	else
		j->s.format = taf_segy_format_of(as_is ? type : TAF_FLT32);
}

/* Revision 1 has formats 1 to 5 and 8, and no other order than big-endian. */
static enum taf_status
choose_revision(struct job *j, struct taf_err *e)
{
	const unsigned code = j->s.format->code;
	const bool old = code <= 5 || code == 8;

	/* what it was read from may have no such samples */
	if (j->found && j->like == NULL && !old && j->s.revision < 2 &&
	    code != attr_number(j->a, "segy/format", 0))
		j->found = false;
	if (j->found)
		return TAF_OK;
	j->s.header = TAF_SEGY_HEADER;
	taf_buf_free(&j->s.extended);
	j->s.revision = j->how->revision != 0 ? j->how->revision :
	    old && (j->s.big || j->how->su) ? 1 : 2;
	return old || j->s.revision == 2 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "revision 1 has no format %u, %s (--revision 2 has)", code,
	    j->s.format->name);
}

/* What one of the unit of dimension 1 is in seconds; 0 for what is no time. */
static double
unit_seconds(const struct taf_array *a)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 } };
	const char *unit = taf_attr_get(a, "unit", TAF_OF_DIM, 1);
	size_t i;

	if (unit == NULL || unit[0] == '\0')
		return 1;
	for (i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strcmp(unit, units[i].name) == 0)
			return units[i].seconds;
	return 0;
}

/* Is x a whole number, but for the rounding of a grid?  Then it becomes that. */
static bool
is_whole(double *x)
{
	const double r = nearbyint(*x);

	if (fabs(*x - r) > 1e-9 * fmax(1, fabs(r)))
		return false;
	*x = r;
	return true;
}

/* The interval and the length, as far as the revision has places for them. */
static enum taf_status
check_grid(struct job *j, struct taf_err *e)
{
	const struct taf_dim *d = &j->a->dim[0];
	const double seconds = unit_seconds(j->a);
	const bool many = j->s.revision == 2 && !j->how->su;
	const char *const unit = taf_attr_get(j->a, "unit", TAF_OF_DIM, 1);
	bool whole;

	if (seconds == 0)
		return taf_fail(e, TAF_EDATA, "dimension 1 has unit %s, not s, ms or us",
		    unit);
	j->dt = d->step * seconds * 1e6;
	j->begin = d->start * seconds * 1e3;
	if (j->found && unit == NULL && d->step == 1 && j->s.dt_reel == 0)
		j->dt = 0;
	whole = is_whole(&j->dt);
	if (!taf_is_finite(j->begin) || !(j->dt >= 0) || !taf_is_finite(j->dt) ||
	    (j->dt == 0 && !j->found))
		return taf_fail(e, TAF_EDATA, "dimension 1 has a step of %s s",
		    taf_f64(d->step * seconds).s);
	if (!many && (!whole || j->dt > (j->how->su ? UINT16_MAX : INT16_MAX)))
		return taf_fail(e, TAF_EDATA,
		    "a step of %s us has no place in a word%s", taf_f64(j->dt).s,
		    j->how->su ? "" : " (--revision 2 has one)");
	if (j->ns == 0 || j->ns > (many ? UINT32_MAX : UINT16_MAX))
		return taf_fail(e, TAF_EDATA, "traces of %llu samples%s",
		    (unsigned long long)j->ns, j->ns > 0 && !many && !j->how->su ?
		    " (--revision 2 has a place for that number)" : "");
	return TAF_OK;
}

/* The lines of the text header: of a file, of the comment, or of our own. */
static enum taf_status
find_lines(const struct job *j, bool cards, struct taf_str *to)
{
	const struct taf_buf *c = &j->a->comment;
	struct taf_in *in = NULL;
	const unsigned char *p;
	unsigned card = 1;
	size_t got, i;

	if (j->how->text != NULL) {
		if (taf_in_open(&in, j->how->text, to->err) != TAF_OK ||
		    taf_in_peek(in, TEXT_MOST, &p, &got, to->err) != TAF_OK)
			to->st = to->err->code;
		else
			taf_str_put(to, p, got);
		taf_err_name(to->err, j->how->text);
		taf_in_close(in);
	} else if (cards) {
		taf_str_put(to, c->data, c->len);
	} else {
		taf_str_puts(to, c->len > 0 ? "C 1 " : "C 1 made by taf2segy\n");
		for (i = 0; i < c->len; i++) {
			taf_str_put(to, c->data + i, 1);
			if (c->data[i] == '\n' && i + 1 < c->len)
				taf_str_printf(to, "C%2u ", ++card);
		}
	}
	return to->st;
}

/* Is the text still what these bytes of a text header say?  Then they are kept. */
static bool
keep_text(struct job *j, const char *as, const struct taf_buf *lines, struct taf_err *e)
{
	struct taf_str was = { .err = e };
	struct taf_buf b = { 0 };
	bool same = false;

	if (taf_base64_get(&b, as, e) == TAF_OK && b.len == TAF_SEGY_TEXT) {
		taf_segy_cards((unsigned char *)b.data, &was);
		same = was.st == TAF_OK && was.buf.len == lines->len &&
		    memcmp(was.buf.data, lines->data, lines->len) == 0;
		if (same)
			memcpy(j->s.text, b.data, b.len);
	}
	taf_buf_free(&b);
	taf_str_free(&was);
	return same;
}

static enum taf_status
make_text(struct job *j, struct taf_err *e)
{
	const char *as = attr(j->a, "segy/text");
	const bool ascii = as != NULL && strcmp(as, "ascii") == 0;
	const bool bytes = as != NULL && !ascii && strcmp(as, "ebcdic") != 0;
	struct taf_str lines = { .err = e };
	enum taf_status st = find_lines(j, as != NULL, &lines);

	if (st == TAF_OK && !(bytes && keep_text(j, as, &lines.buf, e)) &&
	    !taf_segy_text(lines.buf.data, lines.buf.len, !ascii, j->s.text))
		taf_remark(j->service,
		    "a text header has 40 lines of 80 characters of ASCII: the rest is left out");
	taf_str_free(&lines);
	return st == TAF_OK ? e->code : st;
}

/* The headers of --headers: an array of words by their keys, or of bytes. */
static enum taf_status
open_given(struct job *j, struct taf_err *e)
{
	struct given *g = &j->given;
	struct taf_recode how;
	const char *keys;
	enum taf_status st = taf_reader_open(&g->r, j->how->headers, 0, e);

	if (st == TAF_OK)
		st = taf_reader_next(g->r, &g->a, e);
	if (st != TAF_OK)
		return st;
	keys = attr(&g->a, "segy/keys");
	g->big = attr(&g->a, "segy/order") == NULL ||
	    strcmp(attr(&g->a, "segy/order"), "big") == 0;
	g->rows = (unsigned)g->a.dim[0].n;
	if (keys == NULL && (g->a.type != TAF_UINT8 || g->rows == 0 ||
	    g->a.dim[0].n % TAF_SEGY_HEADER != 0 || g->a.dim[0].n > UINT16_MAX * 240))
		return taf_fail(e, TAF_EDATA,
		    "neither words of trace headers, which segy/keys names, nor whole ones");
	if (keys != NULL && (taf_segy_keys(&g->keys, keys, e) != TAF_OK ||
	    g->keys.n != g->a.dim[0].n)) {
		taf_err_clear(e);
		return taf_fail(e, TAF_EDATA, "segy/keys does not name %llu words",
		    (unsigned long long)g->a.dim[0].n);
	}
	if (taf_array_count(&g->a) / g->a.dim[0].n != j->ntraces)
		return taf_fail(e, TAF_EDATA,
		    "headers of %llu traces, but there are %llu",
		    (unsigned long long)(taf_array_count(&g->a) / g->a.dim[0].n),
		    (unsigned long long)j->ntraces);
	if (keys == NULL && g->rows > TAF_SEGY_HEADER) {
		if (j->s.revision < 2 || g->big != j->s.big)
			return taf_fail(e, TAF_EDATA,
			    "further headers need revision 2, and the order that they have");
		j->s.header = g->rows;
	}
	g->word = taf_alloc(g->rows, sizeof *g->word);
	g->bytes = taf_alloc(g->rows, 1);
	if (g->word == NULL || g->bytes == NULL)
		return taf_fail_mem(e);
	st = taf_values_plan(&how, &g->a, keys != NULL ? TAF_INT64 : TAF_UINT8, false,
	    false, e);
	return st == TAF_OK ? taf_values_open(&g->v, g->r, &g->a, NULL, &how, e) : st;
}

static void
close_given(struct given *g)
{
	taf_values_close(g->v);
	taf_reader_close(g->r);
	taf_array_fini(&g->a);
	free(g->word);
	free(g->bytes);
}

/* Coordinate i, from 0, of dimension k, if the grid has whole ones; else its index. */
static int64_t
coordinate(const struct taf_dim *d, uint64_t i)
{
	const double last = d->start + (double)d->n * d->step;

	if (d->start == nearbyint(d->start) && d->step == nearbyint(d->step) &&
	    fabs(d->start) < INT32_MAX && fabs(last) < INT32_MAX)
		return (int64_t)d->start + (int64_t)i * (int64_t)d->step;
	return (int64_t)i + 1;
}

/* Which words the grids of the other dimensions become: those that they are called by. */
static void
choose_keys(struct job *j)
{
	static const unsigned fallback[2][2] = { { TAF_SEGY_XLINE, TAF_SEGY_ILINE },
	    { TAF_SEGY_TRACF, TAF_SEGY_FLDR } };
	unsigned k;

	for (k = 1; k < j->a->ndim; k++) {
		const char *label = taf_attr_get(j->a, "label", TAF_OF_DIM, k + 1);

		j->dim_key[k] = label == NULL ? TAF_SEGY_KEYS :
		    taf_segy_key(label, strlen(label));
		if (j->dim_key[k] < TAF_SEGY_KEYS)
			continue;
		if (j->a->ndim == 2)
			j->dim_key[k] = TAF_SEGY_CDP;
		else if (k < 3)
			j->dim_key[k] = fallback[j->how->su][k - 1];
	}
}

static enum taf_status
put(struct job *j, unsigned key, int64_t v, uint64_t trace, struct taf_err *e)
{
	return taf_segy_put(j->header, key, v, j->s.big) ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "trace %llu: %lld does not fit the word %s",
	    (unsigned long long)trace + 1, (long long)v, taf_segy_key_name(key));
}

/* The delay as a word, and its scale if scales are there to choose; false where none. */
static bool
put_begin(struct job *j, bool made)
{
	static const int scales[] = { 0, -10, -100, -1000, -10000 };
	const int has = j->how->su ? 0 : taf_segy_get(j->header, TAF_SEGY_TSCALAR,
	    j->s.big);
	const size_t n = made && !j->how->su && j->s.revision > 0 ? 5 : 1;
	size_t i;

	for (i = 0; i < n; i++) {
		const int scale = made ? scales[i] : has;
		double v = scale > 0 ? j->begin / scale :
		    scale < 0 ? j->begin * -scale : j->begin;

		if (!is_whole(&v) || fabs(v) > INT16_MAX ||
		    !taf_segy_put(j->header, TAF_SEGY_DELRT, (int64_t)v, j->s.big))
			continue;
		return !made || scale == 0 ||
		    taf_segy_put(j->header, TAF_SEGY_TSCALAR, scale, j->s.big);
	}
	return false;
}

/* A header of our own. */
static enum taf_status
make_header(struct job *j, uint64_t trace, struct taf_err *e)
{
	uint64_t rest = trace;
	unsigned k;

	memset(j->header, 0, j->s.header);
	for (k = 1; k < j->a->ndim; k++) {
		const struct taf_dim *d = &j->a->dim[k];

		if (j->dim_key[k] < TAF_SEGY_KEYS && put(j, j->dim_key[k],
		    coordinate(d, rest % d->n), trace, e) != TAF_OK)
			return e->code;
		rest /= d->n;
	}
	if (put(j, TAF_SEGY_TRACL, (int64_t)trace + 1, trace, e) != TAF_OK ||
	    put(j, TAF_SEGY_TRACR, (int64_t)trace + 1, trace, e) != TAF_OK)
		return e->code;
	return put(j, TAF_SEGY_TRID, 1, trace, e);
}

/* What --headers says of this trace. */
static enum taf_status
give_header(struct job *j, uint64_t trace, struct taf_err *e)
{
	struct given *g = &j->given;
	enum taf_status st;
	unsigned k;

	if (g->keys.n == 0) {
		st = taf_values_get(g->v, g->bytes, g->rows, e);
		if (st == TAF_OK && g->rows <= j->s.header)
			memcpy(j->header, g->bytes, g->rows);
		for (k = 0; st == TAF_OK && k < TAF_SEGY_KEYS && g->big != j->s.big; k++)
			st = put(j, k, taf_segy_get(g->bytes, k, g->big), trace, e);
		return st;
	}
	st = taf_values_get(g->v, g->word, g->rows, e);
	for (k = 0; st == TAF_OK && k < g->keys.n; k++)
		st = put(j, g->keys.key[k], g->word[k], trace, e);
	return st;
}

static bool
gives(const struct given *g, unsigned key)
{
	unsigned k;

	for (k = 0; k < g->keys.n; k++)
		if (g->keys.key[k] == key)
			return true;
	return g->r != NULL && g->keys.n == 0;
}

/*
 * The words that the array decides.  Where the first header comes with other ones, all
 * get the array's: else the traces may differ, as they do in their file.
 */
static enum taf_status
fix_header(struct job *j, uint64_t trace, struct taf_err *e)
{
	const bool whole = j->like != NULL, big = j->s.big;
	const bool dt = whole || gives(&j->given, TAF_SEGY_DT);
	const bool begin = whole || gives(&j->given, TAF_SEGY_DELRT);
	const int64_t us = j->dt <= UINT16_MAX && j->dt == nearbyint(j->dt) ?
	    (int64_t)j->dt : 0, ns = j->ns <= UINT16_MAX ? (int64_t)j->ns : 0;
	double there;

	if (trace == 0) {
		const int64_t has = taf_segy_get(j->header, TAF_SEGY_DT, big);

		there = taf_segy_begin(&j->s, j->header) * 1e3;
		j->fix_dt = !dt || (has != us && has != 0);
		j->fix_begin = !begin ||
		    fabs(there - j->begin) > 1e-9 * fmax(1, fabs(there));
	}
	if ((whole || gives(&j->given, TAF_SEGY_NS)) &&
	    taf_segy_get(j->header, TAF_SEGY_NS, big) == 0)
		;
	else if (put(j, TAF_SEGY_NS, ns, trace, e) != TAF_OK)
		return e->code;
	if (j->fix_dt && put(j, TAF_SEGY_DT, us, trace, e) != TAF_OK)
		return e->code;
	if (!j->fix_begin || put_begin(j, !begin && !gives(&j->given, TAF_SEGY_TSCALAR)))
		return TAF_OK;
	return taf_fail(e, TAF_EDATA,
	    "trace %llu: a start of %s ms does not fit the word delrt",
	    (unsigned long long)trace + 1, taf_f64(j->begin).s);
}

static enum taf_status
write_header(struct job *j, uint64_t trace, struct taf_err *e)
{
	enum taf_status st;

	if (j->like != NULL)
		st = taf_in_pread(j->like, j->header, j->s.header,
		    j->s.start + trace * j->s.stride, e);
	else
		st = make_header(j, trace, e);
	if (st == TAF_OK && j->given.r != NULL)
		st = give_header(j, trace, e);
	if (st == TAF_OK)
		st = fix_header(j, trace, e);
	return st == TAF_OK ? taf_out_write(j->out, j->header, j->s.header, e) : st;
}

/* n values as bytes of the file; how many fit. */
static size_t
encode(struct job *j, unsigned char *to, void *v, size_t n)
{
	const struct taf_segy_format *f = j->s.format;

	if (f->kind == TAF_SEGY_IBM)
		return taf_ibm_put(to, v, n, j->s.big, &j->count);
	if (f->kind == TAF_SEGY_INT24)
		return taf_int24_put(to, v, n, j->s.big, taf_type_is_signed(f->type));
	memcpy(to, v, n * f->bytes);
	if (taf_swap_needed(f->type, j->s.big))
		taf_swap_elements(to, f->type, n);
	return n;
}

static enum taf_status
write_samples(struct job *j, struct taf_values *v, void *values, unsigned char *bytes,
    uint64_t trace, struct taf_err *e)
{
	uint64_t i;
	size_t n, good;

	for (i = 0; i < j->ns; i += n) {
		n = j->ns - i < PIECE ? (size_t)(j->ns - i) : PIECE;
		if (taf_values_get(v, values, n, e) != TAF_OK)
			return e->code;
		good = encode(j, bytes, values, n);
		if (good < n)
			return taf_fail(e, TAF_EDATA,
			    "trace %llu, sample %llu has no place in format %u, %s",
			    (unsigned long long)trace + 1,
			    (unsigned long long)(i + good + 1),
			    j->s.format->code, j->s.format->name);
		if (taf_out_write(j->out, bytes, n * j->s.format->bytes, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

static enum taf_status
write_traces(struct job *j, struct taf_reader *r, struct taf_err *e)
{
	const size_t most = j->ns < PIECE ? (size_t)j->ns : PIECE;
	const enum taf_type type = j->s.format->kind == TAF_SEGY_IBM ? TAF_FLT64 :
	    j->s.format->type;
	void *const values = taf_alloc(most, taf_type_size(type));
	unsigned char *const bytes = taf_alloc(most, j->s.format->bytes);
	struct taf_values *v = NULL;
	struct taf_recode how;
	enum taf_status st = TAF_OK;
	uint64_t t;

	j->header = taf_alloc(j->s.header, 1);
	if (values == NULL || bytes == NULL || j->header == NULL)
		st = taf_fail_mem(e);
	if (st == TAF_OK)
		st = taf_values_plan(&how, j->a, type, j->how->raw, false, e);
	if (st == TAF_OK)
		st = taf_values_open(&v, r, j->a, NULL, &how, e);
	for (t = 0; t < j->ntraces && st == TAF_OK; t++) {
		st = write_header(j, t, e);
		if (st == TAF_OK)
			st = write_samples(j, v, values, bytes, t, e);
	}
	if (v != NULL)
		j->count.rounded += taf_values_count(v)->rounded;
	taf_values_close(v);
	free(values);
	free(bytes);
	free(j->header);
	return st;
}

static enum taf_status
write_reel(struct job *j, struct taf_err *e)
{
	if (j->how->su)
		return TAF_OK;
	taf_segy_set_reel(&j->s, j->ns, j->dt, j->ntraces, !j->found);
	if (taf_out_write(j->out, j->s.text, sizeof j->s.text, e) != TAF_OK ||
	    taf_out_write(j->out, j->s.binary, sizeof j->s.binary, e) != TAF_OK)
		return e->code;
	return j->s.extended.len == 0 ? TAF_OK :
	    taf_out_write(j->out, j->s.extended.data, j->s.extended.len, e);
}

/* All that can be refused before a byte goes out. */
static enum taf_status
begin(struct job *j, struct taf_err *e)
{
	const struct taf_segy_export *how = j->how;

	if (how->like != NULL ? open_like(j, e) != TAF_OK : recall(j, e) != TAF_OK)
		return e->code;
	choose_format(j);
	choose_keys(j);
	if (choose_revision(j, e) != TAF_OK || check_grid(j, e) != TAF_OK)
		return e->code;
	if (how->headers != NULL && open_given(j, e) != TAF_OK) {
		taf_err_name(e, how->headers);
		return e->code;
	}
	if (j->found && how->like == NULL && j->s.header > TAF_SEGY_HEADER &&
	    (j->given.r == NULL || j->given.rows != j->s.header))
		return taf_fail(e, TAF_EDATA,
		    "each trace has %u bytes of headers (--headers or --like gives them)",
		    j->s.header);
	if (how->su || (how->like != NULL && how->text == NULL))
		return TAF_OK;
	return make_text(j, e);
}

enum taf_status
taf_segy_export(const struct taf_segy_export *how, const struct taf_service *service,
    struct taf_reader *r, struct taf_array *a, struct taf_out *out, struct taf_err *e)
{
	struct job j = { .how = how, .service = service, .a = a, .out = out,
	    .ns = a->dim[0].n };
	enum taf_status st = TAF_OK;

	if (taf_array_count(a) == 0)
		return taf_fail(e, TAF_EDATA, "no samples");
	j.ntraces = taf_array_count(a) / j.ns;
	st = begin(&j, e);
	if (st == TAF_OK) {
		taf_need_output(j.ntraces * (j.s.header + j.ns * j.s.format->bytes));
		taf_watch(service, NULL, out, j.ntraces *
		    (j.s.header + j.ns * j.s.format->bytes));
		st = write_reel(&j, e);
		if (st == TAF_OK)
			st = write_traces(&j, r, e);
		taf_watch_end(service);
	}
	if (st == TAF_OK && j.given.r != NULL)
		st = taf_reader_last(j.given.r, e);
	if (st == TAF_OK && j.like != NULL)
		st = taf_in_unchanged(j.like, e);
	if (st == TAF_OK)
		taf_remark_lost(service, &j.count, taf_array_count(a), j.s.format->type);
	close_given(&j.given);
	taf_segy_fini(&j.s);
	taf_in_close(j.like);
	return st;
}
