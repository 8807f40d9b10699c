/* SPDX-License-Identifier: ISC */
#include "format/segy_convert.h"

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

/* The word that the grid of a dimension becomes, if it is not TAF_SEGY_KEYS. */
struct axis {
	unsigned key;
	int64_t start, step;
};

struct job {
	const struct taf_segy_export *how;
	const struct taf_service *service;
	struct taf_array *a;
	struct taf_out *out;
	struct taf_segy s;	/* what is written, as reading will find it */
	bool found;		/* its reel is that of a file */
	struct taf_in *like;
	/* headers that come as an array, if r is not NULL: these words, or bytes */
	struct taf_reader *r;
	struct taf_array given;
	struct taf_segy_choice keys;
	struct taf_values *column;
	bool given_big;
	uint64_t ns, ntraces;
	double dt;		/* us, 0: none */
	double begin;		/* ms */
	struct axis axis[TAF_MAX_DIM];
	bool fix_dt, fix_begin;	/* of headers that come */
	unsigned char *header;
	void *values;		/* of a column of headers, of a piece of a trace */
	unsigned char *bytes;	/* that these become */
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

	j->found = true;
	if (taf_in_open(&j->like, j->how->like, e) != TAF_OK ||
	    taf_spool_rest(&j->like, e) != TAF_OK ||
	    taf_segy_open(&j->s, j->like, &how, e) != TAF_OK)
		;
	else if (j->s.su && !j->how->su)
		(void)taf_fail(e, TAF_EDATA,
		    "traces of SU have no headers of a reel: --su writes such");
	else if (j->s.ntraces != j->ntraces)
		(void)taf_fail(e, TAF_EDATA, "%llu traces, but the array has %llu",
		    (unsigned long long)j->s.ntraces, (unsigned long long)j->ntraces);
	taf_err_name(e, j->how->like);
	return e->code;
}

/* The headers of the file that the array was read from, by its attributes. */
static enum taf_status
recall(struct job *j, struct taf_err *e)
{
	const struct taf_segy_export *how = j->how;
	const char *const order = attr(j->a, "segy/order"),
	    *const binary = attr(j->a, "segy/binary"),
	    *const extended = attr(j->a, "segy/extended");
	const bool little = order != NULL && strcmp(order, "little") == 0;
	struct taf_segy *const s = &j->s;
	struct taf_buf b = { 0 };

	s->big = how->order != 0 ? how->order == TAF_SEGY_BIG :
	    order == NULL && how->su ? taf_host_is_big() : !little;
	s->revision = attr_number(j->a, "segy/revision", 3);
	s->header = TAF_SEGY_HEADER;
	if (how->su || binary == NULL || taf_base64_get(&b, binary, e) != TAF_OK)
		return e->code;
	j->found = b.len == sizeof s->binary && s->big == !little && s->revision <= 2 &&
	    (how->revision == 0 || how->revision == s->revision);
	if (j->found) {
		memcpy(s->binary, b.data, b.len);
		if (taf_segy_reel(s, e) == TAF_OK && extended != NULL &&
		    taf_base64_get(&s->extended, extended, e) == TAF_OK &&
		    s->extended.len % TAF_SEGY_TEXT != 0)
			(void)taf_fail(e, TAF_EDATA,
			    "segy/extended is no whole text headers");
	}
	taf_buf_free(&b);
	return e->code;
}

/* How samples are stored: as is asked, as they were, or as they are. */
static void
choose_format(struct job *j)
{
	const enum taf_type type = taf_values_type(j->a, j->how->raw);
	const struct taf_segy_format *was = j->like != NULL ? j->s.format :
	    taf_segy_format(attr_number(j->a, "segy/format", 0));
	const bool as_is = taf_type_is_int(type) && taf_type_size(type) <= 4;

	j->s.format = j->how->su ? taf_segy_format(5) :
	    j->how->format != NULL ? j->how->format :
	    was != NULL && (j->like != NULL || was->type == type) ? was :
	    taf_segy_format_named(taf_type_name(as_is ? type : TAF_FLT32));
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
	const char *const unit = taf_attr_get(j->a, "unit", TAF_OF_DIM, 1);
	const double seconds = unit == NULL || unit[0] == '\0' ||
	    strcmp(unit, "s") == 0 ? 1 : strcmp(unit, "ms") == 0 ? 1e-3 :
	    strcmp(unit, "us") == 0 ? 1e-6 : 0;
	const bool many = j->s.revision == 2 && !j->how->su;
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

/* The text header: the bytes that came if the text still is what they say. */
static enum taf_status
make_text(struct job *j, struct taf_err *e)
{
	const char *as = attr(j->a, "segy/text");
	const bool ascii = as != NULL && strcmp(as, "ascii") == 0;
	struct taf_str lines = { .err = e }, was = { .err = e };
	struct taf_buf b = { 0 };

	if (find_lines(j, as != NULL, &lines) == TAF_OK && as != NULL && !ascii &&
	    strcmp(as, "ebcdic") != 0 && taf_base64_get(&b, as, e) == TAF_OK &&
	    b.len == sizeof j->s.text)
		taf_segy_cards((unsigned char *)b.data, TAF_SEGY_CARDS, false, &was);
	if (was.buf.len > 0 && was.buf.len == lines.buf.len &&
	    memcmp(was.buf.data, lines.buf.data, was.buf.len) == 0)
		memcpy(j->s.text, b.data, b.len);
	else if (e->code == TAF_OK &&
	    !taf_segy_text(lines.buf.data, lines.buf.len, !ascii, j->s.text))
		taf_remark(j->service,
		    "a text header has 40 lines of 80 characters of ASCII: the rest is left out");
	taf_str_free(&was);
	taf_str_free(&lines);
	taf_buf_free(&b);
	return e->code;
}

/* The headers of --headers: an array of words by their keys, or of bytes. */
static enum taf_status
open_given(struct job *j, struct taf_err *e)
{
	struct taf_array *const a = &j->given;
	struct taf_recode how;
	const char *keys, *order;
	uint64_t rows, n;

	if (taf_reader_open(&j->r, j->how->headers, 0, e) != TAF_OK ||
	    taf_reader_next(j->r, a, e) != TAF_OK)
		return e->code;
	rows = a->dim[0].n;
	keys = attr(a, "segy/keys");
	order = attr(a, "segy/order");
	j->given_big = order == NULL || strcmp(order, "big") == 0;
	if (keys == NULL && (a->type != TAF_UINT8 || rows == 0 ||
	    rows % TAF_SEGY_HEADER != 0 || rows > UINT16_MAX * TAF_SEGY_HEADER))
		return taf_fail(e, TAF_EDATA,
		    "neither words of trace headers, which segy/keys names, nor whole ones");
	if (keys != NULL &&
	    (taf_segy_keys(&j->keys, keys, e) != TAF_OK || j->keys.n != rows)) {
		taf_err_clear(e);
		return taf_fail(e, TAF_EDATA, "segy/keys does not name %llu words",
		    (unsigned long long)rows);
	}
	n = taf_array_count(a) / rows;
	if (n != j->ntraces)
		return taf_fail(e, TAF_EDATA,
		    "headers of %llu traces, but there are %llu",
		    (unsigned long long)n, (unsigned long long)j->ntraces);
	if (keys == NULL && rows > TAF_SEGY_HEADER) {
		if (j->s.revision < 2 || j->given_big != j->s.big)
			return taf_fail(e, TAF_EDATA,
			    "further headers need revision 2, and the order that they have");
		j->s.header = (unsigned)rows;
	}
	return taf_values_plan(&how, a, keys != NULL ? TAF_INT64 : TAF_UINT8, false,
	    false, e) == TAF_OK ? taf_values_open(&j->column, j->r, a, NULL, &how, e) :
	    e->code;
}

/* Dimensions behind the first: the words they are called by, and whole numbers. */
static void
choose_keys(struct job *j)
{
	static const unsigned fallback[2][2] = { { TAF_SEGY_XLINE, TAF_SEGY_ILINE },
	    { TAF_SEGY_TRACF, TAF_SEGY_FLDR } };
	unsigned k;

	for (k = 1; k < j->a->ndim; k++) {
		const struct taf_dim *d = &j->a->dim[k];
		const double last = d->start + (double)d->n * d->step;
		const bool whole = d->start == nearbyint(d->start) &&
		    d->step == nearbyint(d->step) && fabs(d->start) < INT32_MAX &&
		    fabs(last) < INT32_MAX;
		const char *label = taf_attr_get(j->a, "label", TAF_OF_DIM, k + 1);
		unsigned key = label == NULL ? TAF_SEGY_KEYS :
		    taf_segy_key(label, strlen(label));

		if (key == TAF_SEGY_KEYS && k < 3)
			key = j->a->ndim == 2 ? TAF_SEGY_CDP :
			    fallback[j->how->su][k - 1];
		j->axis[k] = (struct axis){ key, whole ? (int64_t)d->start : 1,
			whole ? (int64_t)d->step : 1 };
	}
}

static enum taf_status
put(struct job *j, unsigned key, int64_t v, uint64_t trace, struct taf_err *e)
{
	return taf_segy_put(j->header, key, v, j->s.big) ? e->code :
	    taf_fail(e, TAF_EDATA, "trace %llu: %lld does not fit the word %s",
	    (unsigned long long)trace + 1, (long long)v, taf_segy_key_name(key));
}

/* The delay as a word, and its scale if scales are there to choose; false where none. */
static bool
put_begin(struct job *j, bool made)
{
	static const int scales[] = { 0, -10, -100, -1000, -10000 };
	const bool scaled = made && !j->how->su && j->s.revision > 0;
	const int has = made || j->how->su ? 0 :
	    taf_segy_get(j->header, TAF_SEGY_TSCALAR, j->s.big);
	size_t i;

	for (i = 0; i < (scaled ? 5 : 1); i++) {
		const int scale = has + scales[i];
		double v = scale > 0 ? j->begin / scale :
		    scale < 0 ? j->begin * -scale : j->begin;

		if (is_whole(&v) && fabs(v) <= INT16_MAX &&
		    taf_segy_put(j->header, TAF_SEGY_DELRT, (int64_t)v, j->s.big))
			return !scaled || scale == 0 ||
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
	for (k = 1; k < j->a->ndim; rest /= j->a->dim[k].n, k++)
		if (j->axis[k].key < TAF_SEGY_KEYS)
			(void)put(j, j->axis[k].key, j->axis[k].start +
			    (int64_t)(rest % j->a->dim[k].n) * j->axis[k].step,
			    trace, e);
	(void)put(j, TAF_SEGY_TRACL, (int64_t)trace + 1, trace, e);
	(void)put(j, TAF_SEGY_TRACR, (int64_t)trace + 1, trace, e);
	return put(j, TAF_SEGY_TRID, 1, trace, e);
}

/* What --headers says of this trace. */
static enum taf_status
give_header(struct job *j, uint64_t trace, struct taf_err *e)
{
	const size_t rows = (size_t)j->given.dim[0].n;
	const int64_t *const word = j->values;
	enum taf_status st = taf_values_get(j->column, j->values, rows, e);
	unsigned k;

	for (k = 0; st == TAF_OK && k < j->keys.n; k++)
		st = put(j, j->keys.key[k], word[k], trace, e);
	if (st != TAF_OK || j->keys.n > 0)
		return st;
	if (rows <= j->s.header)
		memcpy(j->header, j->values, rows);
	for (k = 0; st == TAF_OK && k < TAF_SEGY_KEYS && j->given_big != j->s.big; k++)
		st = put(j, k, taf_segy_get(j->values, k, j->given_big), trace, e);
	return st;
}

/* Does the word come from a file? */
static bool
comes(const struct job *j, unsigned key)
{
	unsigned k;

	for (k = 0; k < j->keys.n; k++)
		if (j->keys.key[k] == key)
			return true;
	return j->like != NULL || (j->r != NULL && j->keys.n == 0);
}

/*
 * The words that the array decides.  Where the first header comes with other ones, all
 * get the array's: else the traces may differ, as they do in their file.
 */
static enum taf_status
fix_header(struct job *j, uint64_t trace, struct taf_err *e)
{
	const bool big = j->s.big, delrt = comes(j, TAF_SEGY_DELRT);
	const int64_t us = j->dt <= UINT16_MAX && j->dt == nearbyint(j->dt) ?
	    (int64_t)j->dt : 0, ns = j->ns <= UINT16_MAX ? (int64_t)j->ns : 0;

	if (trace == 0) {
		const int64_t has = taf_segy_get(j->header, TAF_SEGY_DT, big);
		const double there = taf_segy_begin(&j->s, j->header) * 1e3;

		j->fix_dt = !comes(j, TAF_SEGY_DT) || (has != us && has != 0);
		j->fix_begin = !delrt ||
		    fabs(there - j->begin) > 1e-9 * fmax(1, fabs(there));
	}
	if (!comes(j, TAF_SEGY_NS) || taf_segy_get(j->header, TAF_SEGY_NS, big) != 0)
		(void)put(j, TAF_SEGY_NS, ns, trace, e);
	if (j->fix_dt)
		(void)put(j, TAF_SEGY_DT, us, trace, e);
	if (!j->fix_begin || put_begin(j, !delrt && !comes(j, TAF_SEGY_TSCALAR)))
		return e->code;
	return taf_fail(e, TAF_EDATA,
	    "trace %llu: a start of %s ms does not fit the word delrt",
	    (unsigned long long)trace + 1, taf_f64(j->begin).s);
}

/* A trace: its header, and n values as bytes of the file. */
static enum taf_status
write_trace(struct job *j, struct taf_values *v, uint64_t trace, struct taf_err *e)
{
	const struct taf_segy *s = &j->s;
	const struct taf_segy_format *f = s->format;
	uint64_t i;
	size_t n, good;

	if ((j->like != NULL ? taf_in_pread(j->like, j->header, s->header,
	    s->start + trace * s->stride, e) : make_header(j, trace, e)) != TAF_OK ||
	    (j->r != NULL && give_header(j, trace, e) != TAF_OK) ||
	    fix_header(j, trace, e) != TAF_OK ||
	    taf_out_write(j->out, j->header, s->header, e) != TAF_OK)
		return e->code;
	for (i = 0; i < j->ns; i += n) {
		good = n = j->ns - i < PIECE ? (size_t)(j->ns - i) : PIECE;
		if (taf_values_get(v, j->values, n, e) != TAF_OK)
			return e->code;
		if (f->kind == TAF_SEGY_IBM)
			good = taf_ibm_put(j->bytes, j->values, n, s->big, &j->count);
		else if (f->kind == TAF_SEGY_INT24)
			good = taf_int24_put(j->bytes, j->values, n, s->big,
			    taf_type_is_signed(f->type));
		else
			memcpy(j->bytes, j->values, n * f->bytes);
		if (good < n)
			return taf_fail(e, TAF_EDATA,
			    "trace %llu, sample %llu has no place in format %u, %s",
			    (unsigned long long)trace + 1,
			    (unsigned long long)(i + good + 1), f->code, f->name);
		if (f->kind == TAF_SEGY_PLAIN && taf_swap_needed(f->type, s->big))
			taf_swap_elements(j->bytes, f->type, n);
		if (taf_out_write(j->out, j->bytes, n * f->bytes, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* The headers of the reel, then traces. */
static enum taf_status
write(struct job *j, struct taf_reader *r, struct taf_err *e)
{
	struct taf_segy *const s = &j->s;
	const enum taf_type type = s->format->kind == TAF_SEGY_IBM ? TAF_FLT64 :
	    s->format->type;
	struct taf_values *v = NULL;
	struct taf_recode how;
	uint64_t t;

	taf_segy_set_reel(s, j->ns, j->dt, j->ntraces, !j->found);
	if (!j->how->su && (taf_out_write(j->out, s->text, sizeof s->text, e) != TAF_OK ||
	    taf_out_write(j->out, s->binary, sizeof s->binary, e) != TAF_OK ||
	    (s->extended.len > 0 && taf_out_write(j->out, s->extended.data,
	    s->extended.len, e) != TAF_OK)))
		return e->code;
	if (taf_values_plan(&how, j->a, type, j->how->raw, false, e) != TAF_OK ||
	    taf_values_open(&v, r, j->a, NULL, &how, e) != TAF_OK)
		return e->code;
	for (t = 0; t < j->ntraces && write_trace(j, v, t, e) == TAF_OK; t++)
		continue;
	j->count.rounded += taf_values_count(v)->rounded;
	taf_values_close(v);
	return e->code;
}

/* All that can be refused before a byte goes out. */
static enum taf_status
begin(struct job *j, struct taf_err *e)
{
	const struct taf_segy_export *how = j->how;

	if ((how->like != NULL ? open_like(j, e) : recall(j, e)) != TAF_OK)
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
	    (j->r == NULL || j->given.dim[0].n != j->s.header))
		return taf_fail(e, TAF_EDATA,
		    "each trace has %u bytes of headers (--headers or --like gives them)",
		    j->s.header);
	if (!how->su && (how->like == NULL || how->text != NULL) &&
	    make_text(j, e) != TAF_OK)
		return e->code;
	j->header = taf_alloc(j->s.header, 1);
	j->values = taf_alloc(PIECE + j->s.header, 8);
	j->bytes = taf_alloc(PIECE, 8);
	return j->header != NULL && j->values != NULL && j->bytes != NULL ? TAF_OK :
	    taf_fail_mem(e);
}

enum taf_status
taf_segy_export(const struct taf_segy_export *how, const struct taf_service *service,
    struct taf_reader *r, struct taf_array *a, struct taf_out *out, struct taf_err *e)
{
	struct job j = { .how = how, .service = service, .a = a, .out = out,
	    .ns = a->dim[0].n };
	uint64_t bytes;

	if (taf_array_count(a) == 0)
		return taf_fail(e, TAF_EDATA, "no samples");
	j.ntraces = taf_array_count(a) / j.ns;
	if (begin(&j, e) == TAF_OK) {
		bytes = j.ntraces * (j.s.header + j.ns * j.s.format->bytes);
		taf_need_output(bytes);
		taf_watch(service, NULL, out, bytes);
		(void)write(&j, r, e);
		taf_watch_end(service);
	}
	if (e->code == TAF_OK && (j.r == NULL || taf_reader_last(j.r, e) == TAF_OK) &&
	    (j.like == NULL || taf_in_unchanged(j.like, e) == TAF_OK))
		taf_remark_lost(service, &j.count, taf_array_count(a), j.s.format->type);
	taf_values_close(j.column);
	taf_reader_close(j.r);
	taf_array_fini(&j.given);
	taf_segy_fini(&j.s);
	taf_in_close(j.like);
	free(j.header);
	free(j.values);
	free(j.bytes);
	return e->code;
}
