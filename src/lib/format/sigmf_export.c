/* SPDX-License-Identifier: ISC */
/* link: jansson */
#include "format/sigmf_export.h"

#include "config.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/endian.h"
#include "base/num.h"
#include "codec/jansson.h"
#include "codec/json.h"
#include "codec/sigmf.h"
#include "format/export.h"
#include "io/temp.h"
#include "kernel/digest/sha512.h"

enum { BLOCK = 65536 };

static enum taf_status
digest(const struct taf_in *in, uint64_t left, char text[TAF_SHA512_TEXT],
    struct taf_err *e)
{
	unsigned char block[BLOCK];
	struct taf_sha512 s;
	uint64_t at = 0;
	size_t n;

	taf_sha512_begin(&s);
	for (; left > 0; left -= n, at += n) {
		n = left < BLOCK ? (size_t)left : BLOCK;
		if (taf_in_pread(in, block, n, at, e) != TAF_OK)
			return e->code;
		taf_sha512_add(&s, block, n);
	}
	taf_sha512_end(&s, text);
	return TAF_OK;
}

enum taf_status
taf_sigmf_check(const struct taf_capture *c, struct taf_err *e)
{
	const char *said = taf_sigmf_digest(c);
	char text[TAF_SHA512_TEXT];

	if (said == NULL)
		return taf_fail(e, TAF_EDATA, "no core:sha512 to be checked");
	if (digest(c->in, c->size, text, e) != TAF_OK)
		return e->code;
	return strcasecmp(said, text) == 0 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "the samples have the SHA-512 %.16s..., core:sha512 says %.16s...", text,
	    said);
}

/* How an array lies in a file. */
struct form {
	enum taf_change recode;
	enum taf_type type;	/* of a part */
	bool complex;
	unsigned parts, time;	/* dimensions in front of all others; that of the time */
	uint64_t channels;
	double rate;		/* 0: the time has no unit */
};

/* The rate of which a step is the inverse, a whole number where one is. */
static double
rate_of(double step)
{
	const double rate = 1 / step, whole = rint(rate);

	return taf_same_bits(1 / whole, step) ? whole : rate;
}

static enum taf_status
set_time(const struct taf_array *a, struct form *f, struct taf_err *e)
{
	const char *last = taf_attr_get(a, "unit", TAF_OF_DIM, a->ndim), *unit;

	f->time = a->ndim == f->parts + 2 && last != NULL && strcmp(last, "s") == 0 ?
	    a->ndim - 1 : f->parts;
	unit = taf_attr_get(a, "unit", TAF_OF_DIM, f->time + 1);
	if (unit == NULL || unit[0] == '\0')
		return TAF_OK;
	if (strcmp(unit, "s") != 0)
		return taf_fail(e, TAF_EDATA, "dimension %u: its unit is %s, not s",
		    f->time + 1, unit);
	f->rate = rate_of(a->dim[f->time].step);
	return f->rate > 0 && taf_is_finite(f->rate) ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "dimension %u: a step of %g s is no rate", f->time + 1,
	    a->dim[f->time].step);
}

static enum taf_status
form_of(const struct taf_array *a, struct form *f, struct taf_err *e)
{
	const enum taf_type t = taf_export_type(a, false);
	unsigned k;

	*f = (struct form){ .recode = taf_export_recode(a, false), .channels = 1,
		.type = taf_type_facts(t)->component, .complex = taf_type_is_pair(t) };
	if (taf_sigmf_type_name(f->type) == NULL)
		return taf_fail(e, TAF_EDATA, "elements of type %s (tafcast)",
		    taf_type_name(t));
	f->parts = a->ndim > 1 && a->dim[0].n == 2 && taf_type_is_int(t) &&
	    taf_dim_stands_for(a, 1, TAF_SIGMF_PARTS);
	f->complex = f->complex || f->parts > 0;
	if (set_time(a, f, e) != TAF_OK)
		return e->code;
	for (k = f->parts; k < a->ndim; k++)
		if (k != f->time)
			f->channels *= a->dim[k].n;
	return f->channels > 0 ? TAF_OK : taf_fail(e, TAF_EDATA, "0 channels");
}

enum taf_status
taf_sigmf_fits(const struct taf_array *a, struct taf_err *e)
{
	struct form f;

	return form_of(a, &f, e);
}

/* --- the description --- */

/* Is it JSON but for text?  What came as a number is one.  to fails without memory. */
static bool
is_json(struct taf_str *to, const struct taf_attr *t)
{
	json_t *root;

	if (!t->bare && t->value[0] != '[' && t->value[0] != '{' &&
	    strcmp(t->value, "true") != 0 && strcmp(t->value, "false") != 0 &&
	    strcmp(t->value, "null") != 0)
		return false;
	root = taf_json_alone(to, t->value, false);
	json_decref(root);
	return root != NULL;
}

static void
put_key(struct taf_str *s, const char *key)
{
	const bool first = s->buf.len > 0 && s->buf.data[s->buf.len - 1] == '{';

	taf_str_puts(s, first ? "\n      " : ",\n      ");
	taf_str_json(s, key, strlen(key));
	taf_str_puts(s, ": ");
}

static void
put_text(struct taf_str *s, const char *key, const char *text, size_t n)
{
	put_key(s, key);
	taf_str_json(s, text, n);
}

/* Is it of a room, and no key that is written otherwise? */
static bool
is_in(const struct taf_attr *t, const char *room)
{
	const size_t n = strlen(room), all = strlen(TAF_SIGMF_GLOBAL);
	const bool global = strncmp(t->key, TAF_SIGMF_GLOBAL, all) == 0;

	return t->scope == TAF_OF_ARRAY && strncmp(t->key, room, n) == 0 &&
	    global == (n == all) && !taf_sigmf_known(t->key + n) &&
	    strcmp(t->key + n, global ? "core:description" : "core:datetime") != 0;
}

/* The attributes of a room, which are gone then. */
static enum taf_status
put_room(struct taf_str *s, struct taf_array *a, const char *room, struct taf_err *e)
{
	size_t i = 0;

	while (s->st == TAF_OK && i < a->nattrs) {
		const struct taf_attr *t = &a->attrs[i];

		if (!is_in(t, room)) {
			i++;
			continue;
		}
		put_key(s, t->key + strlen(room));
		if (is_json(s, t))
			taf_str_puts(s, t->value);
		else
			taf_str_json(s, t->value, strlen(t->value));
		if (s->st == TAF_OK)
			s->st = taf_attr_set(a, t->key, TAF_OF_ARRAY, 0, NULL, e);
	}
	return s->st;
}

/* Annotations that are a list; "[]" where there are none. */
static enum taf_status
take_annotations(struct taf_str *s, struct taf_array *a, struct taf_err *e)
{
	size_t i;

	for (i = 0; i < a->nattrs; i++)
		if (strcmp(a->attrs[i].key, TAF_SIGMF_ANNOTATIONS) == 0 &&
		    a->attrs[i].value[0] == '[' && is_json(s, &a->attrs[i])) {
			taf_str_puts(s, a->attrs[i].value);
			return s->st != TAF_OK ? s->st : taf_attr_set(a,
			    TAF_SIGMF_ANNOTATIONS, TAF_OF_ARRAY, 0, NULL, e);
		}
	taf_str_puts(s, "[]");
	return s->st;
}

static enum taf_status
describe(struct taf_str *s, struct taf_array *a, const struct form *f,
    const char *sum, struct taf_err *e)
{
	const char *date = taf_attr_get(a, "date", TAF_OF_ARRAY, 0);
	struct taf_str notes = { .err = e };

	if (take_annotations(&notes, a, e) == TAF_OK) {
		taf_str_printf(s,
		    "{\n  \"global\": {\n      \"core:datatype\": \"%c%s%s\"",
		    f->complex ? 'c' : 'r', taf_sigmf_type_name(f->type),
		    taf_type_size(f->type) == 1 ? "" :
		    taf_host_is_big() ? "_be" : "_le");
		put_text(s, "core:version", "1.0.0", 5);
		put_text(s, "core:sha512", sum, strlen(sum));
	}
	if (f->rate > 0) {
		put_key(s, "core:sample_rate");
		taf_str_f64(s, f->rate);
	}
	if (f->channels > 1) {
		put_key(s, "core:num_channels");
		taf_str_u64(s, f->channels);
	}
	if (a->comment.len > 0)
		put_text(s, "core:description", a->comment.data, a->comment.len);
	if (e->code == TAF_OK && put_room(s, a, TAF_SIGMF_GLOBAL, e) == TAF_OK)
		taf_str_puts(s,
		    "\n  },\n  \"captures\": [\n    {\n      \"core:sample_start\": 0");
	if (date != NULL)
		put_text(s, "core:datetime", date, strlen(date));
	if (e->code == TAF_OK && put_room(s, a, TAF_SIGMF_KEY, e) == TAF_OK)
		taf_str_printf(s, "\n    }\n  ],\n  \"annotations\": %s\n}\n",
		    notes.buf.data);
	taf_str_free(&notes);
	return e->code;
}

/* What the description has said is gone from a, and so is what it says by itself. */
static enum taf_status
forget(struct taf_array *a, const struct form *f, struct taf_err *e)
{
	a->comment.len = 0;
	if (f->rate > 0)
		a->dim[f->time].step = 1;
	/* there is no dimension 0 */
	if (taf_attr_set(a, "label", TAF_OF_DIM, f->parts, NULL, e) != TAF_OK ||
	    taf_attr_set(a, "label", TAF_OF_DIM, f->time + 1, NULL, e) != TAF_OK ||
	    taf_attr_set(a, "unit", TAF_OF_DIM, f->time + 1, NULL, e) != TAF_OK)
		return e->code;
	return taf_attr_set(a, "date", TAF_OF_ARRAY, 0, NULL, e);
}

/* --- the files --- */

static enum taf_status
put_samples(const struct taf_service *service, struct taf_reader *r,
    const struct taf_array *a, const struct form *f, struct taf_out *out,
    char sum[TAF_SHA512_TEXT], struct taf_err *e)
{
	unsigned order[TAF_MAX_DIM], k;
	const struct taf_export to = { .out = out, .recode = f->recode, .order = order };
	struct taf_in *in = NULL;
	enum taf_status st;

	for (k = 0; k < a->ndim; k++)
		order[k] = k < f->parts || f->time + 1 == a->ndim ? k :
		    k + 1 < a->ndim ? k + 1 : f->time;
	if (taf_export_elements(service, &to, r, a, e) != TAF_OK ||
	    taf_out_flush(out, e) != TAF_OK)
		return e->code;
	if (!taf_out_seekable(out))
		return taf_fail(e, TAF_EDATA, "the samples' file is no regular file");
	st = taf_in_fd(&in, dup(taf_out_descriptor(out)), "samples", e);
	if (st == TAF_OK)
		st = digest(in, taf_out_moved(out), sum, e);
	taf_in_close(in);
	return st;
}

static enum taf_status
open_file(struct taf_out **out, const char *name, size_t n, const char *end,
    struct taf_err *e)
{
	struct taf_str path = { .err = e };
	enum taf_status st;

	taf_str_put(&path, name, n);
	taf_str_put(&path, end, strlen(end) + 1);
	st = path.st == TAF_OK ? taf_out_create(out, path.buf.data, e) : path.st;
	taf_str_free(&path);
	return st;
}

enum taf_status
taf_sigmf_export(const struct taf_service *service, struct taf_reader *r,
    struct taf_array *a, const char *name, struct taf_sigmf_files *to, struct taf_err *e)
{
	const size_t end = strlen(TAF_SIGMF_META), all = strlen(name);
	const size_t n = all > end && (taf_ends(name, TAF_SIGMF_META) ||
	    taf_ends(name, TAF_SIGMF_DATA)) ? all - end : all;
	struct taf_str text = { .err = e };
	char sum[TAF_SHA512_TEXT];
	struct form f;
	enum taf_status st = form_of(a, &f, e);

	if (st == TAF_OK)
		st = open_file(&to->data, name, n, TAF_SIGMF_DATA, e);
	if (st == TAF_OK)
		st = open_file(&to->meta, name, n, TAF_SIGMF_META, e);
	if (st == TAF_OK)
		st = put_samples(service, r, a, &f, to->data, sum, e);
	if (st == TAF_OK)
		st = describe(&text, a, &f, sum, e);
	if (st == TAF_OK)
		st = taf_out_str(to->meta, &text);
	taf_str_free(&text);
	return st == TAF_OK ? forget(a, &f, e) : st;
}

/* The description does not appear before the samples, nor do these alone. */
enum taf_status
taf_sigmf_end(struct taf_sigmf_files *to, enum taf_status st, struct taf_err *e)
{
	struct taf_out *const both[] = { to->data, to->meta };
	size_t n = 2;

	if (st == TAF_OK && (taf_outs_apart(both, 2, e) != TAF_OK ||
	    taf_out_finish(to->data, e) != TAF_OK ||
	    taf_out_finish(to->meta, e) != TAF_OK))
		st = e->code;
	if (st == TAF_OK)
		st = taf_outs_claim(both, &n, e);
	if (st != TAF_OK) {
		taf_out_discard(to->data);
		taf_out_discard(to->meta);
		return st;
	}
	taf_signals_hold();
	st = taf_out_appear_before(to->data, to->meta, e);
	if (st == TAF_OK)
		st = taf_out_commit(to->meta, e);
	else
		taf_out_discard(to->meta);
	st = taf_out_settle(to->data, st, e);
	taf_signals_let();
	return st;
}
