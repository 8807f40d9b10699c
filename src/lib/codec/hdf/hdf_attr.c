/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
#include "codec/hdf/hdf_attr.h"

#include "config.h"

#ifdef HAVE_HDF5
#include <float.h>
#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/escape.h"
#include "codec/hdf/hdf_file.h"

/* --- how they were stored --- */

/* A header line has fewer bytes, and a longer number gets quotes there. */
enum { LONG = 900 };

bool
taf_hdf_guess(const char *text, enum taf_type *type)
{
	bool whole = true, natural = true, narrow = true;
	size_t n;

	for (;; text += n + 1) {
		uint64_t u;
		int64_t i;
		double x;

		n = strcspn(text, ",");
		if (!taf_parse_f64(text, n, &x))
			return false;
		natural = natural && taf_parse_u64(text, n, &u);
		if (taf_parse_i64(text, n, &i))
			narrow = narrow && i >= INT32_MIN && i <= INT32_MAX;
		else
			whole = false;
		if (text[n] == '\0')
			break;
	}
	*type = !whole ? natural ? TAF_UINT64 : TAF_FLT64 :
	    narrow ? TAF_INT32 : TAF_INT64;
	return true;
}

uint64_t
taf_hdf_note_count(const struct taf_hdf_note *note)
{
	uint64_t count = !note->null;
	unsigned k;

	for (k = 0; k < note->rank; k++)
		if (!taf_mul(count, note->n[k], &count))
			return 0;
	return count;
}

void
taf_hdf_note_format(struct taf_str *to, const struct taf_hdf_note *note, const char *text,
    const enum taf_type *usual)
{
	const uint64_t count = taf_hdf_note_count(note);
	/* one number may have a dimension or none, which netCDF does not tell apart */
	const bool plain = !note->null && note->rank <= 1 &&
	    (note->numbers ? count > 0 : count == 1);
	enum taf_type guess;

	if (note->numbers && plain && strlen(text) < LONG && (usual != NULL ?
	    *usual == note->type : taf_hdf_guess(text, &guess) && guess == note->type))
		return;
	if (!note->numbers && plain && !note->escaped)
		return;
	taf_str_puts(to, note->numbers ? taf_type_facts(note->type)->name :
	    note->any_length ? "string" : "text");
	if (!plain) {
		taf_str_puts(to, "[");
		taf_str_list(to, note->n, note->rank);
		taf_str_puts(to, "]");
	}
	if (note->escaped)
		taf_str_puts(to, " escaped");
}

/* Lengths with commas between, up to a bracket; where that is, or NULL. */
static const char *
parse_lengths(struct taf_hdf_note *note, const char *p)
{
	note->null = *p == ']';
	while (*p != ']') {
		const size_t n = strcspn(p, ",]");

		if (note->rank == TAF_HDF_RANK || p[n] == '\0' ||
		    !taf_parse_u64(p, n, &note->n[note->rank++]))
			return NULL;
		p += n + (p[n] == ',');
	}
	return p;
}

bool
taf_hdf_note_parse(struct taf_hdf_note *note, const char *text)
{
	const size_t n = strcspn(text, "[ ");
	const char *rest = text + n;
	char name[16] = "";

	memset(note, 0, sizeof *note);
	if (n < sizeof name)
		memcpy(name, text, n);
	note->any_length = strcmp(name, "string") == 0;
	note->numbers = !note->any_length && strcmp(name, "text") != 0;
	if (note->numbers && (!taf_type_parse(name, &note->type) ||
	    taf_type_facts(note->type)->kind == TAF_PAIR))
		return false;
	if (*rest == '[') {
		rest = parse_lengths(note, rest + 1);
		if (rest == NULL)
			return false;
		rest++;
	}
	note->escaped = strcmp(rest, " escaped") == 0;
	return note->escaped || *rest == '\0';
}

/* --- writing --- */

static hid_t
new_space(const struct taf_hdf_value *value)
{
	const struct taf_hdf_note *note = value->note;
	hsize_t n[TAF_HDF_RANK] = { value->n };
	unsigned k;

	if (note != NULL && note->null)
		return H5Screate(H5S_NULL);
	for (k = 0; note != NULL && k < note->rank; k++)
		n[k] = note->n[k];
	if (note != NULL ? note->rank == 0 : value->n == 0)
		return H5Screate(H5S_SCALAR);
	return H5Screate_simple(note != NULL ? (int)note->rank : 1, n, NULL);
}

bool
taf_hdf_attr_put(int64_t object, const char *name, const struct taf_hdf_value *value)
{
	hid_t space = new_space(value), attr = -1;
	const bool some = value->note == NULL || taf_hdf_note_count(value->note) > 0;
	bool done = H5Aexists(object, name) <= 0 || H5Adelete(object, name) >= 0;

	if (done && space >= 0)
		attr = H5Acreate2(object, name, value->type, space, H5P_DEFAULT,
		    H5P_DEFAULT);
	done = attr >= 0 && (!some || H5Awrite(attr, value->memory, value->v) >= 0);
	if (attr >= 0 && H5Aclose(attr) < 0)
		done = false;
	taf_hdf_let(space);
	return done;
}

/* The type of strings of size bytes; text, of n bytes, says if ASCII will do. */
static hid_t
text_type(const char *text, size_t n, size_t size)
{
	hid_t type = H5Tcopy(H5T_C_S1);
	bool ascii = true;
	size_t i;

	for (i = 0; i < n; i++)
		ascii = ascii && (unsigned char)text[i] < 0x80;
	if (type >= 0 && (H5Tset_size(type, size) < 0 ||
	    (!ascii && H5Tset_cset(type, H5T_CSET_UTF8) < 0))) {
		(void)H5Tclose(type);
		return -1;
	}
	return type;
}

/* Bytes that are made of the strings of one attribute. */
enum { MOST = 1 << 26 };

bool
taf_hdf_attr_text(int64_t object, const char *name, const char *text, size_t n)
{
	hid_t type = text_type(text, n, n > 0 ? n : 1);
	const struct taf_hdf_value value = { .type = type, .memory = type,
		.v = n > 0 ? text : "" };
	bool done = type >= 0;

	/* others end it at a NUL */
	if (done && n > 1 && memchr(text, '\0', n - 1) != NULL)
		done = H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0;
	done = done && taf_hdf_attr_put(object, name, &value);
	taf_hdf_let(type);
	return done;
}

bool
taf_hdf_attr_flt64(int64_t object, const char *name, uint64_t n, const double *v)
{
	const struct taf_hdf_value value = { H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n, v,
		NULL };

	return taf_hdf_attr_put(object, name, &value);
}

/* What others keep for their own bookkeeping, or we for ours. */
static bool
is_reserved(const struct taf_attr *t, const char *name)
{
	/* of a scale that is made anew */
	static const char *const of_scale[] = { "CLASS", "NAME", "scale_factor",
	    "add_offset" };
	size_t i;

	for (i = 0; t->scope == TAF_OF_DIM && i < sizeof of_scale / sizeof of_scale[0];
	    i++)
		if (strcmp(name, of_scale[i]) == 0)
			return true;
	/* it would make other things of them */
	if (t->scope == TAF_OF_DIM && strcmp(name, "units") == 0 && !t->bare)
		return true;
	if (strcmp(name, "CLASS") == 0 && strcmp(t->value, "DIMENSION_SCALE") == 0)
		return true;
	return name[0] == '\0' || strncmp(name, TAF_HDF_OURS, 4) == 0 ||
	    taf_hdf_is_link(name);
}

/* One number of n bytes as type has it, to p; false where it is none of that type. */
static bool
parse_number(const char *text, size_t n, enum taf_type type, unsigned char *p)
{
	const struct taf_type_facts *facts = taf_type_facts(type);
	uint64_t u;
	int64_t i;
	double x;
	float f;

	if (type == TAF_FLT32) {
		if (n == 0 || taf_scan_f32(text, text + n, &f) != n)
			return false;
		memcpy(p, &f, sizeof f);
	} else if (type == TAF_FLT64) {
		if (!taf_parse_f64(text, n, &x))
			return false;
		memcpy(p, &x, sizeof x);
	} else if (facts->kind == TAF_UNSIGNED) {
		if (!taf_parse_u64(text, n, &u) || u > facts->max)
			return false;
		memcpy(p, &u, sizeof u);
	} else {
		if (!taf_parse_i64(text, n, &i) || i < facts->min ||
		    (i > 0 && (uint64_t)i > facts->max))
			return false;
		memcpy(p, &i, sizeof i);
	}
	return true;
}

/* Where an attribute goes. */
struct target {
	hid_t object;
	const char *name;		/* in the file */
	const struct taf_attr *t;
	const struct taf_hdf_note *note;	/* how it is stored, or NULL */
	struct taf_err *e;
};

/*
 * Numbers with commas between them, in the lengths of note or, where it is NULL, in one
 * line; *put is false where they are not all of this type, or not so many.
 */
static bool
put_numbers(const struct target *to, const struct taf_hdf_note *note, enum taf_type type,
    bool *put)
{
	const char *const text = to->t->value;
	struct taf_hdf_value value = { .note = note };
	size_t size, n, count = text[0] != '\0', k = 0;
	unsigned char *all;
	const char *p;
	bool done = true;

	value.memory = taf_hdf_native(type, &size);
	for (p = strchr(text, ','); p != NULL; p = strchr(p + 1, ','))
		count++;
	all = taf_alloc(count > 0 ? count : 1, size);
	if (all == NULL)
		return taf_fail_mem(to->e) == TAF_OK;
	*put = count == (note != NULL ? taf_hdf_note_count(note) : count);
	for (p = text; *put && k < count; p += n + 1) {
		n = strcspn(p, ",");
		*put = parse_number(p, n, type, all + k++ * size);
	}
	if (*put) {
		value.type = taf_hdf_memory_type(type);
		value.v = all;
		value.n = count > 1 ? count : 0;
		done = value.type >= 0 && taf_hdf_attr_put(to->object, to->name, &value);
		taf_hdf_let(value.type);
	}
	free(all);
	return done;
}

/* The line of text from p on, without %XX where it has them. */
static enum taf_status
get_line(const struct taf_hdf_note *note, const char *p, struct taf_buf *line,
    struct taf_err *e)
{
	const size_t n = note->rank > 0 ? strcspn(p, "\n") : strlen(p);

	line->len = 0;
	return note->escaped ? taf_unescape(line, p, n, false, e) :
	    taf_buf_put(line, p, n, e);
}

/* The lines of a text. */
struct lines {
	uint64_t n;
	size_t longest;		/* its bytes */
};

/* Count them; where all is not NULL, put each there, size bytes apart. */
static enum taf_status
get_lines(const struct taf_hdf_note *note, const char *text, struct lines *l, char *all,
    size_t size, struct taf_err *e)
{
	struct taf_buf line = { 0 };
	enum taf_status st = TAF_OK;
	bool more = true;

	for (*l = (struct lines){ 0 }; more && st == TAF_OK; l->n++) {
		st = get_line(note, text, &line, e);
		if (st == TAF_OK && line.len > 0 && all != NULL)
			memcpy(all + l->n * size, line.data, line.len);
		l->longest = line.len > l->longest ? line.len : l->longest;
		text += note->rank > 0 ? strcspn(text, "\n") : strlen(text);
		more = *text != '\0';
		text += more;
	}
	taf_buf_free(&line);
	return st;
}

/* Strings of size bytes each, or of any length, in the lengths of note. */
static bool
put_strings(const struct target *to, char *all, uint64_t count, size_t size)
{
	const struct taf_hdf_note *note = to->note;
	struct taf_hdf_value value = { .note = note, .v = all };
	char **each = taf_alloc((size_t)count + 1, sizeof *each);
	bool done;
	uint64_t k;

	if (each == NULL)
		return taf_fail_mem(to->e) == TAF_OK;
	value.type = value.memory = text_type(all, (size_t)count * size,
	    note->any_length ? H5T_VARIABLE : size);
	/* others end it at a NUL */
	if (value.type >= 0 && !note->any_length)
		(void)H5Tset_strpad(value.type, H5T_STR_NULLPAD);
	for (k = 0; k < count; k++)
		each[k] = all + k * size;
	if (note->any_length)
		value.v = each;
	done = value.type >= 0 && taf_hdf_attr_put(to->object, to->name, &value);
	taf_hdf_let(value.type);
	free(each);
	return done;
}

/* Text as note says; *put is false where it has other lines, or too much of them. */
static bool
put_texts(const struct target *to, bool *put)
{
	const struct taf_hdf_note *note = to->note;
	const char *const text = to->t->value;
	const uint64_t count = taf_hdf_note_count(note);
	struct lines l;
	char *all;
	size_t size;
	bool done;

	if (get_lines(note, text, &l, NULL, 0, to->e) != TAF_OK)
		return false;
	*put = (l.n == count || (count == 0 && l.n == 1 && l.longest == 0)) &&
	    (l.longest + 1) * l.n <= MOST;
	if (!*put)
		return true;
	/* one that has its length has no NUL behind it, as netCDF writes it */
	size = l.longest + (note->any_length || l.longest == 0);
	all = taf_alloc((size_t)count + 1, size);
	if (all == NULL)
		return taf_fail_mem(to->e) == TAF_OK;
	memset(all, 0, ((size_t)count + 1) * size);
	done = get_lines(note, text, &l, all, size, to->e) == TAF_OK &&
	    put_strings(to, all, count, size);
	free(all);
	return done;
}

/* The attribute prefix/NAME of what t belongs to, or NULL; it takes no memory. */
static const char *
other(const struct taf_array *a, const struct taf_attr *t, const char *prefix,
    const char *name)
{
	const size_t n = strlen(prefix);
	size_t i;

	for (i = 0; i < a->nattrs; i++) {
		const struct taf_attr *o = &a->attrs[i];

		if (o->scope == t->scope && o->index == t->index &&
		    strncmp(o->key, prefix, n) == 0 && strcmp(o->key + n, name) == 0)
			return o->value;
	}
	return NULL;
}

/* What the attribute beside t, whose name in the file this is, says of it. */
static bool
get_note(const struct taf_array *a, const struct taf_attr *t, const char *name,
    struct taf_hdf_note *note)
{
	const char *text = other(a, t, TAF_HDF_TYPE_KEY, name);

	return text != NULL && taf_hdf_note_parse(note, text);
}

/* Does t only say the type of another attribute, with which it goes? */
static bool
is_type(const struct taf_array *a, const struct taf_attr *t)
{
	const size_t n = strlen(TAF_HDF_TYPE_KEY);

	if (strncmp(t->key, TAF_HDF_TYPE_KEY, n) != 0)
		return false;
	return strcmp(t->key + n, "scale_factor") == 0 ||
	    strcmp(t->key + n, "add_offset") == 0 ||
	    other(a, t, TAF_HDF_KEY, t->key + n) != NULL;
}

/* Is a finite number exactly one of this type? */
static bool
holds(enum taf_type type, double v)
{
	const struct taf_type_facts *facts = taf_type_facts(type);

	if (type == TAF_FLT32)
		return fabs(v) <= FLT_MAX && (double)(float)v == v;
	/* beyond that not every whole number is one of doubles */
	return facts->kind == TAF_FLOAT || (fabs(v) <= 0x1p53 &&
	    v == (double)(int64_t)v && v >= (double)facts->min &&
	    v <= (double)facts->max);
}

/* A number of the mapping; as it was stored, where that still holds it. */
static bool
put_packing(hid_t object, const struct taf_array *a, const char *name, double v,
    double usual)
{
	struct taf_attr t = { .scope = TAF_OF_ARRAY };
	const char *note = other(a, &t, TAF_HDF_TYPE_KEY, name);
	struct taf_hdf_value value = { .memory = H5T_NATIVE_DOUBLE, .v = &v };
	enum taf_type type = TAF_FLT64;
	bool done;

	if (note != NULL && strcmp(note, TAF_HDF_NONE) == 0 && v == usual)
		return true;
	if (note != NULL && taf_type_parse(note, &type) && !holds(type, v))
		type = TAF_FLT64;
	value.type = taf_hdf_memory_type(type);
	done = value.type >= 0 && taf_hdf_attr_put(object, name, &value);
	taf_hdf_let(value.type);
	return done;
}

bool
taf_hdf_packing(int64_t object, const struct taf_array *a)
{
	return !taf_array_mapped(a) ||
	    (put_packing(object, a, "scale_factor", a->slope, 1) &&
	    put_packing(object, a, "add_offset", a->intercept, 0));
}

/* Is it unit or label, which have other names in the file? */
static bool
is_ours(const struct taf_attr *t)
{
	return t->scope != TAF_OF_COMPONENT && (strcmp(t->key, "unit") == 0 ||
	    strcmp(t->key, "label") == 0);
}

/* The name of t in the file, where it is one that it can have there as it is. */
static const char *
own_name(const struct taf_attr *t)
{
	if (t->scope == TAF_OF_COMPONENT)
		return NULL;
	if (is_ours(t))
		return t->key[0] == 'u' ? "units" : "long_name";
	return strncmp(t->key, TAF_HDF_KEY, 4) == 0 &&
	    !is_reserved(t, t->key + 4) ? t->key + 4 : NULL;
}

/* taf:KEY, and @cN behind it for a component. */
static bool
put_other(hid_t object, const struct taf_attr *t, struct taf_err *e)
{
	struct taf_str name = { .err = e }, value = { .err = e };
	struct taf_attr key = *t;
	/* as a TAF file says what is text */
	const char *quote = taf_hdf_quotes(t->value) > 0 || (!t->bare &&
	    taf_is_number(t->value, strlen(t->value))) ? "\"" : "", *text;
	bool done;

	if (t->scope == TAF_OF_DIM)
		key.scope = TAF_OF_ARRAY;
	taf_str_puts(&name, TAF_HDF_OURS);
	taf_key_format(&name, &key);
	taf_str_printf(&value, "%s%s%s", quote, t->value, quote);
	text = value.buf.len > 0 ? value.buf.data : "";
	done = name.st == TAF_OK && value.st == TAF_OK && taf_hdf_attr_text(object,
	    name.buf.data, text, value.buf.len);
	taf_str_free(&name);
	taf_str_free(&value);
	return done;
}

/* Numbers of t, with the type and the lengths that are noted, or that it shows. */
static bool
put_as_numbers(const struct target *to, const struct taf_array *a, bool *put)
{
	const struct taf_hdf_note *note = to->note;
	const struct taf_attr *t = to->t;
	const bool shaped = note != NULL && (note->null || note->rank > 0);
	enum taf_type type = t->scope == TAF_OF_DIM ? TAF_FLT64 : a->type;
	bool done = true;

	*put = false;
	if (note != NULL)
		type = note->type;
	else if ((!taf_missing_name(to->name) || taf_type_is_pair(type)) &&
	    !taf_hdf_guess(t->value, &type))
		return true;
	if (shaped)
		done = put_numbers(to, note, type, put);
	/* another command may have changed how many they are */
	if (done && !*put && t->value[0] != '\0')
		done = put_numbers(to, NULL, type, put);
	return done;
}

/*
 * Is t the beginning, up to a NUL, of a text that hdf/NAME has as it was?  Then that goes
 * into the file.
 */
static bool
is_beginning(const struct taf_array *a, const struct taf_attr *t, const char *name,
    struct taf_err *e)
{
	const char *whole = other(a, t, TAF_HDF_KEY, name);
	struct taf_buf text = { 0 };
	struct taf_hdf_note note;
	bool yes = whole != NULL && get_note(a, t, name, &note) && note.escaped &&
	    !note.numbers && taf_unescape(&text, whole, strlen(whole), false, e) ==
	    TAF_OK;

	yes = yes && strcmp(text.data, t->value) == 0;
	taf_buf_free(&text);
	return yes;
}

static bool
put(hid_t object, const struct taf_array *a, const struct taf_attr *t, struct taf_err *e)
{
	const char *name = own_name(t);
	struct target to = { object, name, t, NULL, e };
	struct taf_hdf_note note;
	bool done = false;

	/* the dataset shows what ndim says */
	if (is_type(a, t) || (strcmp(t->key, TAF_HDF_NDIM_KEY) == 0 &&
	    t->scope == TAF_OF_ARRAY && strcmp(t->value, "0") == 0))
		return true;
	if (name == NULL || H5Aexists(object, name) != 0)
		return put_other(object, t, e);
	if (is_ours(t))
		return is_beginning(a, t, name, e) || (e->code == TAF_OK &&
		    taf_hdf_attr_text(object, name, t->value, strlen(t->value)));
	if (get_note(a, t, name, &note))
		to.note = &note;
	if (to.note != NULL && !note.numbers && !t->bare && !put_texts(&to, &done))
		return false;
	if (!done && (to.note != NULL ? note.numbers : t->bare) &&
	    !put_as_numbers(&to, a, &done))
		return false;
	if (done)
		return true;
	return t->bare ? put_other(object, t, e) :
	    taf_hdf_attr_text(object, name, t->value, strlen(t->value));
}

bool
taf_hdf_is_scalar(const struct taf_array *a)
{
	const char *ndim = taf_attr_get(a, TAF_HDF_NDIM_KEY, TAF_OF_ARRAY, 0);
	bool yes = ndim != NULL && strcmp(ndim, "0") == 0 && a->ndim == 1 &&
	    a->dim[0].n == 1 && a->dim[0].start == 1 && a->dim[0].step == 1;
	size_t i;

	for (i = 0; i < a->nattrs; i++)
		yes = yes && a->attrs[i].scope != TAF_OF_DIM;
	return yes;
}

enum taf_status
taf_hdf_attrs(const struct taf_hdf_drive *f, int64_t object, const struct taf_array *a,
    unsigned k, struct taf_err *e)
{
	size_t i;

	/* units and long_name are there before others of that name */
	for (i = 0; i < 2 * a->nattrs; i++) {
		const struct taf_attr *t = &a->attrs[i % a->nattrs];
		bool ours = k == 0 ? t->scope != TAF_OF_DIM : t->scope == TAF_OF_DIM &&
		    t->index == k && strcmp(t->key, "label") != 0 &&
		    strcmp(t->key, TAF_HDF_NAME_KEY) != 0;

		if (!ours || is_ours(t) != (i < a->nattrs))
			continue;
		if (!put(object, a, t, e))
			return e->code != TAF_OK ? e->code :
			    taf_hdf_drive_failed(f, e, t->key, "cannot be written");
	}
	return TAF_OK;
}

#endif
