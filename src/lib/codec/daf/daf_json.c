/* SPDX-License-Identifier: ISC */
/* link: jansson */
#include "codec/daf/daf_json.h"

#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

#include "base/decimal.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/json.h"

static const struct {
	const char *name;
	unsigned type;
} names[] = {
	{ "Int8", TAF_INT8 }, { "UInt8", TAF_UINT8 }, { "Int16", TAF_INT16 },
	{ "UInt16", TAF_UINT16 }, { "Int32", TAF_INT32 }, { "UInt32", TAF_UINT32 },
	{ "Int64", TAF_INT64 }, { "UInt64", TAF_UINT64 }, { "Float32", TAF_FLT32 },
	{ "Float64", TAF_FLT64 }, { "Bool", TAF_DAF_BOOL }, { "String", TAF_DAF_STRING },
	{ "Int", TAF_INT64 },
};

enum { NAMES = sizeof names / sizeof names[0] };

const char *
taf_daf_type_name(unsigned type)
{
	size_t k = 0;

	while (k < NAMES - 1 && names[k].type != type)
		k++;
	return names[k].name;
}

/* Is name the type's own spelling, or that in small letters? */
static bool
is_named(const char *name, const char *type)
{
	size_t i = 0;

	if (strcmp(name, type) == 0)
		return true;
	while (type[i] != '\0' && name[i] == (type[i] >= 'A' && type[i] <= 'Z' ?
	    type[i] + 32 : type[i]))
		i++;
	return type[i] == '\0' && name[i] == '\0';
}

bool
taf_daf_type_parse(const char *name, unsigned *type)
{
	size_t k = 0;

	while (k < NAMES && !is_named(name, names[k].name))
		k++;
	if (k < NAMES)
		*type = names[k].type;
	return k < NAMES;
}

enum taf_type
taf_daf_element(unsigned type)
{
	return type == TAF_DAF_BOOL ? TAF_UINT8 : (enum taf_type)type;
}

size_t
taf_daf_size(unsigned type)
{
	return taf_type_size(taf_daf_element(type));
}

#ifndef HAVE_JANSSON

static enum taf_status
missing(struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA,
	    "a FilesDaf store, which this program was built without jansson for");
}

enum taf_status
taf_daf_parse_version(const char *text, size_t n, unsigned *minor, struct taf_err *e)
{
	(void)text, (void)n, (void)minor;
	return missing(e);
}

enum taf_status
taf_daf_parse_scalar(const char *text, size_t n, struct taf_daf_scalar *s,
    struct taf_err *e)
{
	(void)text, (void)n, (void)s;
	return missing(e);
}

enum taf_status
taf_daf_parse_descriptor(const char *text, size_t n, bool matrix,
    struct taf_daf_descriptor *d, struct taf_err *e)
{
	(void)text, (void)n, (void)matrix, (void)d;
	return missing(e);
}

enum taf_status
taf_daf_notes_parse(struct taf_daf_notes **notes, const char *text, size_t n,
    struct taf_err *e)
{
	(void)notes, (void)text, (void)n;
	return missing(e);
}

enum taf_status
taf_daf_notes_take(struct taf_daf_notes *notes, const char *key, const char *text,
    size_t n, bool *same, struct taf_err *e)
{
	(void)notes, (void)key, (void)text, (void)n, (void)same;
	return missing(e);
}

const char *
taf_daf_notes_left(struct taf_daf_notes *notes)
{
	(void)notes;
	return NULL;
}

void
taf_daf_notes_free(struct taf_daf_notes *notes)
{
	(void)notes;
}

#else

enum taf_status
taf_daf_parse_version(const char *text, size_t n, unsigned *minor, struct taf_err *e)
{
	json_t *root = taf_json_load(text, n, 0, e), *version;
	enum taf_status st = TAF_OK;
	json_int_t first, second;

	if (root == NULL)
		return e->code;
	version = json_object_get(root, "version");
	if (json_array_size(version) != 2 ||
	    !json_is_integer(json_array_get(version, 0)) ||
	    !json_is_integer(json_array_get(version, 1))) {
		json_decref(root);
		return taf_fail(e, TAF_EDATA, "no \"version\" of two integers");
	}
	first = json_integer_value(json_array_get(version, 0));
	second = json_integer_value(json_array_get(version, 1));
	if (first != 1 || second < 0 || second > 1)
		st = taf_fail(e, TAF_EDATA,
		    "version [%lld,%lld], known are [1,0] and [1,1]", (long long)first,
		    (long long)second);
	else
		*minor = (unsigned)second;
	json_decref(root);
	return st;
}

/*
 * The digits of the number called key in a valid object: the library has kept none
 * of them.  0 where they are not found, as with a key that is spelt by escapes.
 */
static size_t
number_text(const char *text, size_t n, const char *key, const char **p)
{
	size_t i, start, depth = 0, len = strlen(key);
	bool found = false;

	for (i = 0; i < n; i++) {
		if (text[i] == '"') {
			start = i + 1;
			i = taf_json_string_end(text, n, i) - 1;
			if (depth == 1 && i - start == len &&
			    memcmp(text + start, key, len) == 0) {
				for (i++; text[i] != ':' && text[i] != ',' &&
				    text[i] != '}'; i++)
					;
				found = text[i] == ':';
			}
		} else if (found && memchr("-0123456789", text[i], 11) != NULL) {
			*p = text + i;
			return strspn(*p, "+-.0123456789eE");
		} else if (text[i] == '{' || text[i] == '[') {
			depth++;
		} else if (text[i] == '}' || text[i] == ']') {
			depth--;
		}
	}
	return 0;
}

static enum taf_status
scalar(const char *text, size_t n, const json_t *root, struct taf_daf_scalar *s,
    struct taf_err *e)
{
	const json_t *type = json_object_get(root, "type");
	const json_t *value = json_object_get(root, "value");
	const char *p;
	size_t len;
	bool good;

	if (!json_is_string(type) || !taf_daf_type_parse(json_string_value(type),
	    &s->type))
		return taf_fail(e, TAF_EDATA, "no \"type\" that is known");
	if (value == NULL)
		return taf_fail(e, TAF_EDATA, "no \"value\"");
	if (s->type == TAF_DAF_STRING) {
		if (!json_is_string(value))
			return taf_fail(e, TAF_EDATA, "a String whose value is none");
		return taf_buf_put(&s->text, json_string_value(value),
		    json_string_length(value), e);
	}
	if (json_is_number(value)) {
		len = number_text(text, n, "value", &p);
		good = len > 0 && taf_json_element(p, len, taf_daf_element(s->type),
		    s->value) && (s->type != TAF_DAF_BOOL || s->value[0] <= 1);
	} else if (s->type == TAF_DAF_BOOL) {
		good = json_is_boolean(value);
		s->value[0] = json_is_true(value);
	} else {
		good = (json_is_null(value) || json_is_string(value)) &&
		    taf_json_not_finite(json_is_null(value) ? "NaN" :
		    json_string_value(value), taf_daf_element(s->type), s->value);
	}
	return good ? TAF_OK : taf_fail(e, TAF_EDATA, "the value is no %s",
	    taf_daf_type_name(s->type));
}

enum taf_status
taf_daf_parse_scalar(const char *text, size_t n, struct taf_daf_scalar *s,
    struct taf_err *e)
{
	/* so that integers beyond 63 bits are no fault */
	json_t *root = taf_json_load(text, n, JSON_DECODE_INT_AS_REAL, e);
	enum taf_status st;

	if (root == NULL)
		return e->code;
	st = scalar(text, n, root, s, e);
	json_decref(root);
	return st;
}

static enum taf_status
element_type(const json_t *o, const char *key, unsigned *type, struct taf_err *e)
{
	const json_t *v = json_object_get(o, key);

	return json_is_string(v) && taf_daf_type_parse(json_string_value(v), type) ?
	    TAF_OK : taf_fail(e, TAF_EDATA, "no \"%s\" that is known", key);
}

static enum taf_status
index_type(const json_t *o, const char *key, unsigned *type, struct taf_err *e)
{
	if (element_type(o, key, type, e) != TAF_OK)
		return e->code;
	return *type <= TAF_FLT64 && taf_type_is_int((enum taf_type)*type) ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "indices of type %s", taf_daf_type_name(*type));
}

/* Is o's key the string, where it is there? */
static bool
says(const json_t *o, const char *key, const char *value)
{
	const json_t *v = json_object_get(o, key);

	return json_is_string(v) && strcmp(json_string_value(v), value) == 0;
}

static enum taf_status
packing(const json_t *o, struct taf_daf_part *p, struct taf_err *e)
{
	static const char *const known[] = { "gzip", "gzip_shuffle", "zstd",
		"zstd_bitshuffle", "blosc_zstd_bitshuffle", "blosc_lz4_bitshuffle" };
	const json_t *shape = json_object_get(o, "chunk_shape");
	const json_t *rows = json_array_get(shape, 0);
	size_t k, dims = json_array_size(shape);

	p->packed = true;
	for (k = 0; k < sizeof known / sizeof known[0]; k++)
		if (says(o, "compression", known[k]))
			memcpy(p->codec, known[k], strlen(known[k]) + 1);
	if (p->codec[0] == '\0')
		return taf_fail(e, TAF_EDATA,
		    "packed by no \"compression\" that is known");
	if (!says(o, "packed_format", "indexed+zipped") ||
	    !says(o, "index_location", "start"))
		return taf_fail(e, TAF_EDATA,
		    "packed, but not as indexed+zipped with the index at the start");
	if ((dims != 1 && dims != 2) || !json_is_integer(rows) ||
	    json_integer_value(rows) < 1 || (dims == 2 &&
	    json_integer_value(json_array_get(shape, 1)) != 1))
		return taf_fail(e, TAF_EDATA, "chunk_shape is not a part of a column");
	p->chunk = (uint64_t)json_integer_value(rows);
	return TAF_OK;
}

/* The object o of a payload, of elements; counted where it must say how many. */
static enum taf_status
part(const json_t *o, bool counted, struct taf_daf_part *p, struct taf_err *e)
{
	const json_t *n = json_object_get(o, "n_elements");

	if (element_type(o, "eltype", &p->type, e) != TAF_OK)
		return e->code;
	p->there = true;
	p->counted = counted;
	if (counted && (!says(o, "format", "dense") || !json_is_integer(n) ||
	    json_integer_value(n) < 0))
		return taf_fail(e, TAF_EDATA, "a component without its \"n_elements\"");
	if (counted)
		p->n = (uint64_t)json_integer_value(n);
	return json_object_get(o, "packed_format") != NULL ? packing(o, p, e) : TAF_OK;
}

/* The form of [1,0]: whether there are values, their file says. */
static enum taf_status
old_sparse(const json_t *root, bool matrix, struct taf_daf_descriptor *d,
    struct taf_err *e)
{
	if (element_type(root, "eltype", &d->type, e) != TAF_OK ||
	    index_type(root, "indtype", &d->index.type, e) != TAF_OK)
		return e->code;
	d->index.there = d->value.there = true;
	d->value.type = d->type;
	d->colptr = d->index;
	d->colptr.there = matrix;
	return TAF_OK;
}

static enum taf_status
new_sparse(const json_t *root, bool matrix, struct taf_daf_descriptor *d,
    struct taf_err *e)
{
	const json_t *index = json_object_get(root, matrix ? "rowval" : "nzind");
	const json_t *value = json_object_get(root, "nzval");
	const json_t *colptr = json_object_get(root, "colptr");

	if (part(index, true, &d->index, e) != TAF_OK ||
	    index_type(index, "eltype", &d->index.type, e) != TAF_OK ||
	    (matrix && (part(colptr, true, &d->colptr, e) != TAF_OK ||
	    index_type(colptr, "eltype", &d->colptr.type, e) != TAF_OK)))
		return e->code;
	d->type = TAF_DAF_BOOL;
	if (value == NULL)
		return TAF_OK;
	if (part(value, true, &d->value, e) != TAF_OK)
		return e->code;
	d->type = d->value.type;
	return d->value.n == d->index.n ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "%llu stored values, but %llu indices",
	    (unsigned long long)d->value.n, (unsigned long long)d->index.n);
}

enum taf_status
taf_daf_parse_descriptor(const char *text, size_t n, bool matrix,
    struct taf_daf_descriptor *d, struct taf_err *e)
{
	json_t *root = taf_json_load(text, n, 0, e);
	enum taf_status st;

	memset(d, 0, sizeof *d);
	if (root == NULL)
		return e->code;
	d->sparse = says(root, "format", "sparse");
	if (d->sparse) {
		st = json_object_get(root, "eltype") != NULL ?
		    old_sparse(root, matrix, d, e) : new_sparse(root, matrix, d, e);
	} else if (says(root, "format", "dense")) {
		st = part(root, false, &d->value, e);
		d->type = d->value.type;
	} else {
		st = taf_fail(e, TAF_EDATA, "the \"format\" is neither dense nor sparse");
	}
	json_decref(root);
	return st;
}

/* --- notes --- */

struct taf_daf_notes {
	json_t *root;
};

enum taf_status
taf_daf_notes_parse(struct taf_daf_notes **notes, const char *text, size_t n,
    struct taf_err *e)
{
	struct taf_daf_notes *made = malloc(sizeof *made);

	if (made == NULL)
		return taf_fail_mem(e);
	made->root = taf_json_load(text, n, 0, e);
	if (made->root == NULL) {
		free(made);
		return e->code;
	}
	*notes = made;
	return TAF_OK;
}

enum taf_status
taf_daf_notes_take(struct taf_daf_notes *notes, const char *key, const char *text,
    size_t n, bool *same, struct taf_err *e)
{
	const json_t *noted = json_object_get(notes->root, key);
	json_t *true_one;

	if (noted == NULL)
		return TAF_END;
	true_one = taf_json_load(text, n, 0, e);
	if (true_one == NULL)
		return e->code;
	*same = json_equal(noted, true_one) != 0;
	json_decref(true_one);
	(void)json_object_del(notes->root, key);
	return TAF_OK;
}

const char *
taf_daf_notes_left(struct taf_daf_notes *notes)
{
	return json_object_iter_key(json_object_iter(notes->root));
}

void
taf_daf_notes_free(struct taf_daf_notes *notes)
{
	if (notes != NULL)
		json_decref(notes->root);
	free(notes);
}

#endif

enum taf_status
taf_daf_format_scalar(const struct taf_daf_scalar *s, struct taf_buf *to,
    struct taf_err *e)
{
	const enum taf_type type = taf_daf_element(s->type);
	char digits[TAF_DECIMAL_MAX];
	double d = 0;
	size_t n;
	float f;

	if (type == TAF_FLT32) {
		memcpy(&f, s->value, sizeof f);
		d = (double)f;
		n = taf_print_f32(digits, f);
	} else if (type == TAF_FLT64) {
		memcpy(&d, s->value, sizeof d);
		n = taf_print_f64(digits, d);
	} else if (taf_type_is_signed(type)) {
		n = taf_print_i64(digits, (int64_t)taf_type_load(type, s->value));
	} else {
		n = taf_print_u64(digits, taf_type_load(type, s->value));
	}
	if (!isfinite(d))
		return taf_fail(e, TAF_EDATA,
		    "a scalar of %.*s has no spelling that every reader knows", (int)n,
		    digits);
	if (s->type == TAF_DAF_BOOL)
		return taf_buf_printf(to, e, "{\"type\":\"Bool\",\"value\":%s}\n",
		    s->value[0] != 0 ? "true" : "false");
	/* a float is one to every reader */
	return taf_buf_printf(to, e, "{\"type\":\"%s\",\"value\":%.*s%s}\n",
	    taf_daf_type_name(s->type), (int)n, digits,
	    s->type >= TAF_FLT32 && memchr(digits, '.', n) == NULL &&
	    memchr(digits, 'e', n) == NULL ? ".0" : "");
}

/* How a component is packed, if it is; a chunk of a matrix is of one column. */
static void
put_packing(struct taf_str *to, const struct taf_daf_part *p, bool matrix)
{
	if (p->packed)
		taf_str_printf(to,
		    ",\"packed_format\":\"indexed+zipped\",\"chunk_shape\":[%llu%s],"
		    "\"compression\":\"%s\",\"compression_level\":%d,"
		    "\"index_location\":\"start\"", (unsigned long long)p->chunk,
		    matrix ? ",1" : "", p->codec, TAF_DAF_LEVEL);
}

static void
put_part(struct taf_str *to, const char *name, const struct taf_daf_part *p)
{
	if (!p->there)
		return;
	taf_str_printf(to,
	    ",\"%s\":{\"format\":\"dense\",\"eltype\":\"%s\",\"n_elements\":%llu", name,
	    taf_daf_type_name(p->type), (unsigned long long)p->n);
	put_packing(to, p, false);
	taf_str_puts(to, "}");
}

enum taf_status
taf_daf_format_descriptor(const struct taf_daf_descriptor *d, bool matrix, unsigned minor,
    struct taf_buf *to, struct taf_err *e)
{
	struct taf_str s = { *to, e, TAF_OK };

	taf_str_printf(&s, "{\"format\":\"%s\"", d->sparse ? "sparse" : "dense");
	if (!d->sparse || minor == 0)
		taf_str_printf(&s, ",\"eltype\":\"%s\"", taf_daf_type_name(d->type));
	if (!d->sparse) {
		put_packing(&s, &d->value, matrix);
	} else if (minor == 0) {
		taf_str_printf(&s, ",\"indtype\":\"%s\"",
		    taf_daf_type_name(d->index.type));
	} else {
		put_part(&s, "colptr", &d->colptr);
		put_part(&s, matrix ? "rowval" : "nzind", &d->index);
		put_part(&s, "nzval", &d->value);
	}
	taf_str_puts(&s, "}\n");
	*to = s.buf;
	return s.st;
}
