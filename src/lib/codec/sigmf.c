/* SPDX-License-Identifier: ISC */
/*
 * Keys and types are those of the SigMF specification, version 1: "SigMF Dataset Format",
 * "Global Object", "Captures Array", "Annotations Array".
 */
/* link: jansson */
#include "codec/sigmf.h"

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "codec/jansson.h"
#include "codec/json.h"
#include "codec/tag.h"

static const struct {
	const char *name;
	enum taf_type type;
} types[] = {
	{ "i8", TAF_INT8 }, { "u8", TAF_UINT8 }, { "i16", TAF_INT16 },
	{ "u16", TAF_UINT16 }, { "i32", TAF_INT32 }, { "u32", TAF_UINT32 },
	{ "f32", TAF_FLT32 }, { "f64", TAF_FLT64 },
};

const char *
taf_sigmf_type_name(enum taf_type type)
{
	size_t i;

	for (i = 0; i < sizeof types / sizeof types[0]; i++)
		if (types[i].type == type)
			return types[i].name;
	return NULL;
}

bool
taf_sigmf_type_parse(const char *text, struct taf_sigmf_type *t)
{
	size_t i, n;

	t->complex = text[0] == 'c';
	for (i = 0; i < sizeof types / sizeof types[0]; i++) {
		n = strlen(types[i].name);
		if ((text[0] != 'c' && text[0] != 'r') ||
		    strncmp(text + 1, types[i].name, n) != 0)
			continue;
		t->type = types[i].type;
		t->big = strcmp(text + 1 + n, "_be") == 0;
		if (strcmp(text + 1 + n, n > 2 ? t->big ? "_be" : "_le" : "") == 0)
			return true;
	}
	return false;
}

bool
taf_sigmf_known(const char *key)
{
	static const char *const known[] = { "", "core:datatype", "core:sample_rate",
		"core:num_channels", "core:version", "core:sha512", "core:dataset",
		"core:metadata_only", "core:trailing_bytes", "core:header_bytes",
		"core:sample_start" };
	size_t k;

	for (k = 0; k < sizeof known / sizeof known[0]; k++)
		if (strcmp(key, known[k]) == 0)
			return true;
	return false;
}

/* Samples of a capture, whose first frame is one of the recording. */
struct part {
	const json_t *capture;	/* NULL: what is before the first one */
	uint64_t first, n, offset;
};

struct sigmf {
	json_t *root;
	const json_t *global;
	struct taf_in *data;
	struct taf_sigmf_type type;
	uint64_t channels;
	double rate;		/* 0: not known */
	struct part *part;
};

/* A number of an object that counts something; where it is not there, it is as it was. */
static enum taf_status
get_count(const json_t *object, const char *key, uint64_t *v, struct taf_err *e)
{
	const json_t *j = json_object_get(object, key);
	const char *p = taf_json_number(j);

	if (j == NULL || (p != NULL && taf_json_element(p, strlen(p), TAF_UINT64, v)))
		return TAF_OK;
	return taf_fail(e, TAF_EDATA, "%s is not a number from 0", key);
}

static enum taf_status
get_global(struct sigmf *s, struct taf_err *e)
{
	const json_t *type = json_object_get(s->global, "core:datatype");
	const json_t *rate = json_object_get(s->global, "core:sample_rate");
	const char *text = json_string_value(type);

	if (!json_is_object(s->global) || text == NULL)
		return taf_fail(e, TAF_EDATA, "no core:datatype");
	if (!taf_sigmf_type_parse(text, &s->type))
		return taf_fail(e, TAF_EDATA, "core:datatype is %.40s", text);
	if (rate != NULL && (!taf_json_real(rate, &s->rate) || !(s->rate > 0)))
		return taf_fail(e, TAF_EDATA, "core:sample_rate is not a number above 0");
	s->channels = 1;
	if (get_count(s->global, "core:num_channels", &s->channels, e) != TAF_OK)
		return e->code;
	if (json_is_true(json_object_get(s->global, "core:metadata_only")))
		return taf_fail(e, TAF_EDATA, "core:metadata_only: there are no samples");
	if (json_object_get(s->global, "core:dataset") != NULL)
		return taf_fail(e, TAF_EDATA, "core:dataset: the samples are elsewhere");
	return s->channels > 0 ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "core:num_channels is 0");
}

/* Captures in their order; bytes in front of each are no samples. */
static enum taf_status
get_parts(struct taf_capture *c, struct sigmf *s, struct taf_err *e)
{
	const json_t *all = json_object_get(s->root, "captures"), *one;
	const size_t n = json_array_size(all);
	uint64_t first = 0, header, left = c->size, trailing = 0, frame;
	struct part *p = calloc(n + 1, sizeof *p);
	size_t k;

	s->part = p;
	if (p == NULL)
		return taf_fail_mem(e);
	if (get_count(s->global, "core:trailing_bytes", &trailing, e) != TAF_OK)
		return e->code;
	if (trailing > left || !taf_mul(s->channels, taf_type_size(s->type.type) *
	    (1 + s->type.complex), &frame))
		return taf_fail(e, TAF_ETRUNC,
		    "core:trailing_bytes or core:num_channels is too large");
	left -= trailing;
	for (k = 0; k < n; k++, p++) {
		one = json_array_get(all, k);
		header = 0;
		if (get_count(one, "core:sample_start", &first, e) != TAF_OK ||
		    get_count(one, "core:header_bytes", &header, e) != TAF_OK)
			return e->code;
		p += k == 0 && first > 0;
		if (header > left || first > (left - header) / frame ||
		    (p > s->part && first < p[-1].first))
			return taf_fail(e, TAF_ETRUNC,
			    "capture %zu begins with sample %llu behind %llu bytes: there are fewer, or it is not behind the last one",
			    k + 1, (unsigned long long)first, (unsigned long long)header);
		left -= header;
		*p = (struct part){ .capture = one, .first = first,
			.offset = first * frame + c->size - trailing - left };
	}
	c->nrecords = (uint64_t)(p - s->part) + (n == 0);
	if (left % frame != 0)
		return taf_fail(e, TAF_ETRUNC,
		    "the samples end with %llu of the %llu bytes of one",
		    (unsigned long long)(left % frame), (unsigned long long)frame);
	for (k = 0; k < c->nrecords; k++)
		s->part[k].n = (k + 1 < c->nrecords ? s->part[k + 1].first :
		    left / frame) - s->part[k].first;
	return TAF_OK;
}

/* --- attributes --- */

/* All that an object says but what the array says by itself. */
static void
set_all(struct taf_array *a, const char *room, const json_t *object, struct taf_err *e)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)object, key, v) {
		const bool text = json_is_string(v) && taf_json_number(v) == NULL;
		struct taf_str name = { .err = e };

		if (e->code != TAF_OK)
			return;
		taf_str_printf(&name, "%s%s", room, key);
		if (strcmp(key, "core:datetime") == 0 && json_is_string(v))
			(void)taf_tag(a, 0, "date", json_string_value(v), e);
		else if (strcmp(key, "core:description") == 0 && a->comment.len == 0 &&
		    text && json_string_length(v) > 0)
			(void)taf_tag_comment(a, json_string_value(v),
			    json_string_length(v), e);
		else if (!taf_sigmf_known(key))
			(void)taf_json_tag(a, 0, name.buf.data, v, e);
		taf_str_free(&name);
	}
}

/* Append an annotation, whose sample counts from the begin of the array. */
static void
print_annotation(struct taf_str *text, const json_t *object, uint64_t first)
{
	const char *key;
	json_t *v;

	taf_str_puts(text, text->buf.len > 0 ? ",{" : "[{");
	taf_str_puts(text, "\"core:sample_start\":");
	taf_str_u64(text, first);
	json_object_foreach((json_t *)(uintptr_t)object, key, v) {
		if (strcmp(key, "core:sample_start") == 0)
			continue;
		taf_str_puts(text, ",\"");
		taf_str_json_part(text, key, strlen(key));
		taf_str_puts(text, "\":");
		taf_json_print(text, v);
	}
	taf_str_puts(text, "}");
}

/* Annotations go with the samples that they begin in. */
static enum taf_status
set_annotations(const struct sigmf *s, const struct part *p, bool last,
    struct taf_array *a, struct taf_err *e)
{
	const json_t *all = json_object_get(s->root, "annotations"), *one;
	struct taf_str text = { .err = e };
	uint64_t first;
	size_t k;

	for (k = 0; e->code == TAF_OK && k < json_array_size(all); k++) {
		one = json_array_get(all, k);
		first = 0;
		if (get_count(one, "core:sample_start", &first, e) == TAF_OK &&
		    json_is_object(one) && first >= p->first &&
		    (last || first - p->first < p->n))
			print_annotation(&text, one, first - p->first);
	}
	if (text.buf.len > 0) {
		taf_str_puts(&text, "]");
		(void)taf_tag_str(a, 0, TAF_SIGMF_ANNOTATIONS, &text, false, e);
	}
	taf_str_free(&text);
	return e->code;
}

/* --- records --- */

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	const struct sigmf *s = c->state;
	const struct part *p = &s->part[k];
	struct taf_array *const a = &r->array;
	const bool parts = s->type.complex && !c->complex &&
	    taf_type_is_int(s->type.type);
	unsigned time;

	r->stored = s->type.type;
	a->type = s->type.complex && !parts ? taf_type_computed_pair(s->type.type) :
	    s->type.type;
	if (!taf_type_is_int(r->stored))
		r->stored = a->type;
	r->empty = true;
	r->big = s->type.big;
	r->offset = p->offset;
	if (parts)
		taf_array_add_dim(a, 2, 1, 1);
	if (s->channels > 1)
		taf_array_add_dim(a, s->channels, 1, 1);
	taf_array_add_dim(a, p->n, 1, 1);
	time = a->ndim;
	if (s->rate > 0) {
		a->dim[time - 1].step = 1 / s->rate;
		a->dim[time - 1].start = (double)p->first / s->rate;
	}
	if (parts)
		(void)taf_tag(a, 1, "label", TAF_SIGMF_PARTS, e);
	if (s->rate > 0) {
		(void)taf_tag(a, time, "label", "Time", e);
		(void)taf_tag(a, time, "unit", "s", e);
	}
	set_all(a, TAF_SIGMF_GLOBAL, s->global, e);
	set_all(a, TAF_SIGMF_KEY, p->capture, e);
	return set_annotations(s, p, k + 1 == c->nrecords, a, e);
}

static void
release(void *state)
{
	struct sigmf *s = state;

	json_decref(s->root);
	taf_in_close(s->data);
	free(s->part);
	free(s);
}

enum taf_status
taf_sigmf_open(struct taf_capture *c, struct taf_in *in, struct taf_in *data,
    struct taf_err *e)
{
	struct sigmf *s = taf_capture_begin(c, in, sizeof *s, describe, e);
	char *text = NULL;
	const size_t n = (size_t)c->size;

	if (s == NULL) {
		taf_in_close(data);
		return TAF_ESYS;
	}
	c->release = release;
	s->data = data;
	if (!taf_in_seekable(data))
		return taf_fail(e, TAF_EDATA, "%s: not a regular file",
		    taf_in_name(data));
	if (c->size > TAF_JSON_MOST)
		return taf_fail(e, TAF_EDATA, "JSON of %llu bytes, more than %d",
		    (unsigned long long)c->size, (int)TAF_JSON_MOST);
	text = malloc(n + 1);
	if (text == NULL)
		return taf_fail_mem(e);
	if (taf_capture_read(c, 0, text, n, "JSON", e) == TAF_OK)
		s->root = taf_json_load_numbers(text, n, e);
	free(text);
	if (s->root == NULL)
		return e->code;
	s->global = json_object_get(s->root, "global");
	c->in = data;
	c->base = taf_in_offset(data);
	c->size = taf_in_left(data);
	return get_global(s, e) == TAF_OK ? get_parts(c, s, e) : e->code;
}

const char *
taf_sigmf_digest(const struct taf_capture *c)
{
	const struct sigmf *s = c->state;

	return json_string_value(json_object_get(s->global, "core:sha512"));
}

enum taf_status
taf_sigmf_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	const char *name = taf_in_name(in);
	struct taf_str path = { .err = e };
	struct taf_in *data = NULL;
	enum taf_status st;

	if (!taf_ends(name, TAF_SIGMF_META))
		return taf_fail(e, TAF_EDATA,
		    "the description of a recording is called NAME" TAF_SIGMF_META);
	taf_str_put(&path, name, strlen(name) - strlen(TAF_SIGMF_META));
	taf_str_put(&path, TAF_SIGMF_DATA, sizeof TAF_SIGMF_DATA);
	st = path.st == TAF_OK ? taf_in_open(&data, path.buf.data, e) : path.st;
	if (st == TAF_OK)
		st = taf_sigmf_open(c, in, data, e);
	taf_str_free(&path);
	return st;
}
