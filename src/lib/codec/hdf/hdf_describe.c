/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
#include "codec/hdf/hdf_describe.h"

#include "config.h"

#include <string.h>

#include "array/missing.h"
#include "array/uniform.h"
#include "codec/escape.h"

unsigned
taf_hdf_quotes(const char *text)
{
	size_t n = strlen(text);
	unsigned pairs = 0;

	for (; n > 2 && text[0] == '"' && text[n - 1] == '"'; n -= 2, text++)
		pairs++;
	return taf_is_number(text, n) ? pairs : 0;
}

#ifdef HAVE_HDF5
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "base/decimal.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/hdf/hdf_file.h"
#include "codec/tag.h"
#include "codec/hdf/hdf_attr.h"
#include "codec/hdf/hdf_matlab.h"
#include "codec/hdf/hdf_scale.h"

enum { MOST = 1 << 20, PATH_MOST = 1024 };

/* An attribute as text. */
struct value {
	struct taf_str text;
	bool known;		/* it can be text */
	struct taf_hdf_note note;
};

/* A number as taf_hdf_native has it. */
static void
spell(struct taf_str *to, enum taf_type type, const unsigned char *p)
{
	char digits[TAF_DECIMAL_MAX];
	uint64_t u;
	float f;
	double x;

	if (type == TAF_FLT32) {
		memcpy(&f, p, sizeof f);
		taf_str_put(to, digits, taf_print_f32(digits, f));
	} else if (type == TAF_FLT64) {
		memcpy(&x, p, sizeof x);
		taf_str_f64(to, x);
	} else {
		memcpy(&u, p, sizeof u);
		if (taf_type_facts(type)->kind == TAF_UNSIGNED)
			taf_str_u64(to, u);
		else
			taf_str_i64(to, (int64_t)u);
	}
}

static void
get_numbers(hid_t attr, enum taf_type type, size_t n, struct value *v)
{
	size_t size;
	const hid_t memory = taf_hdf_native(type, &size);
	unsigned char *p = taf_alloc(n > 0 ? n : 1, size);
	size_t k;

	if (p == NULL)
		v->text.st = taf_fail_mem(v->text.err);
	if (p != NULL && taf_type_facts(type)->kind != TAF_PAIR &&
	    (n == 0 || H5Aread(attr, memory, p) >= 0)) {
		v->known = v->note.numbers = true;
		v->note.type = type;
		for (k = 0; k < n; k++) {
			if (k > 0)
				taf_str_puts(&v->text, ",");
			spell(&v->text, type, p + k * size);
		}
	}
	free(p);
}

/* Strings as they were read: n of them, of any length or of size bytes each. */
struct strings {
	char *p;
	size_t n, size;
	bool any_length, blanks;
};

/* One of them, without what fills it up; cut where it has a NUL. */
static const char *
string(const struct strings *s, size_t k, bool cut, size_t *n)
{
	const char *p = s->p + k * s->size, *nul;

	if (s->any_length) {
		memcpy(&p, s->p + k * s->size, sizeof p);
		p = p != NULL ? p : "";
	}
	*n = s->any_length ? strlen(p) : s->size;
	nul = cut && *n > 0 ? memchr(p, '\0', *n) : NULL;
	if (nul != NULL)
		*n = (size_t)(nul - p);
	while (*n > 0 && p[*n - 1] == '\0')
		--*n;
	while (s->blanks && *n > 0 && p[*n - 1] == ' ')
		--*n;
	return p;
}

static void
put_strings(struct value *v, const struct strings *s, bool cut)
{
	size_t k, n;

	for (k = 0; k < s->n && !v->note.escaped && !cut; k++) {
		const char *p = string(s, k, cut, &n);

		v->note.escaped = n > 0 && (memchr(p, '\0', n) != NULL ||
		    (s->n > 1 && memchr(p, '\n', n) != NULL));
	}
	for (k = 0; k < s->n; k++) {
		const char *p = string(s, k, cut, &n);

		if (k > 0)
			taf_str_puts(&v->text, "\n");
		if (v->note.escaped)
			taf_escape(&v->text, p, n, false);
		else
			taf_str_put(&v->text, p, n);
	}
}

static void
get_strings(const struct taf_hdf_opened *a, bool cut, struct value *v)
{
	struct strings s = { .n = (size_t)a->n,
	    .any_length = H5Tis_variable_str(a->type) > 0,
	    .blanks = H5Tget_strpad(a->type) == H5T_STR_SPACEPAD };
	const hid_t memory = H5Tcopy(a->type);

	s.size = s.any_length ? sizeof(char *) : H5Tget_size(a->type);
	s.p = taf_alloc(s.n > 0 ? s.n : 1, s.size);
	if (s.p == NULL)
		v->text.st = taf_fail_mem(v->text.err);
	if (s.p != NULL && memory >= 0) {
		memset(s.p, 0, s.n * s.size);
		if (s.n == 0 || H5Aread(a->attr, memory, s.p) >= 0) {
			v->known = true;
			v->note.any_length = s.any_length;
			put_strings(v, &s, cut);
			if (s.any_length && s.n > 0)
				(void)H5Dvlen_reclaim(memory, a->space, H5P_DEFAULT, s.p);
		}
	}
	free(s.p);
	taf_hdf_let(memory);
}

/* The text of an attribute, where it can have one; strings cut where they have a NUL. */
static enum taf_status
get_value(hid_t object, const char *name, bool cut, struct value *v, struct taf_err *e)
{
	struct taf_err of_type = { 0 };
	struct taf_hdf_opened a;
	struct taf_hdf_type t;
	int rank;

	memset(v, 0, sizeof *v);
	v->text.err = e;
	if (!taf_hdf_attr_open(object, name, &a))
		return TAF_OK;
	rank = taf_hdf_extent(a.space, v->note.n);
	v->note.rank = rank > 0 ? (unsigned)rank : 0;
	v->note.null = rank >= 0 && H5Sget_simple_extent_type(a.space) == H5S_NULL;
	if (v->note.null)
		a.n = 0;
	if (a.type >= 0 && rank >= 0 && a.n >= 0 && a.n <= MOST &&
	    H5Aget_storage_size(a.attr) <= MOST) {
		if (H5Tget_class(a.type) == H5T_STRING)
			get_strings(&a, cut, v);
		else if (taf_hdf_type(a.type, &t, &of_type) == TAF_OK)
			get_numbers(a.attr, t.type, (size_t)a.n, v);
	}
	taf_hdf_attr_close(&a);
	return v->text.st;
}

static const char *
text_of(const struct value *v)
{
	return v->text.buf.len > 0 ? v->text.buf.data : "";
}

/* Is there a string of this name?  Then its text is in v, to be freed. */
static bool
get_string(hid_t object, const char *name, struct value *v, struct taf_err *e)
{
	if (get_value(object, name, true, v, e) != TAF_OK)
		return false;
	if (v->known && !v->note.numbers)
		return true;
	taf_str_free(&v->text);
	return false;
}

/* Are there n numbers of this name, all finite? */
static bool
get_finite(hid_t object, const char *name, unsigned n, double *x)
{
	struct taf_err of_type = { 0 };
	struct taf_hdf_opened a;
	struct taf_hdf_type t;
	bool found;

	if (!taf_hdf_attr_open(object, name, &a))
		return false;
	found = a.type >= 0 && a.n == (int64_t)n &&
	    taf_hdf_type(a.type, &t, &of_type) == TAF_OK &&
	    taf_type_facts(t.type)->kind != TAF_PAIR &&
	    H5Aread(a.attr, H5T_NATIVE_DOUBLE, x) >= 0 && taf_is_finite(x[0]) &&
	    taf_is_finite(x[n - 1]);
	taf_hdf_attr_close(&a);
	return found;
}

bool
taf_hdf_says(hid_t object, const char *name, const char *text, size_t n,
    struct taf_err *e)
{
	struct value v;
	const bool yes = get_string(object, name, &v, e) &&
	    strncmp(text_of(&v), text, n) == 0;

	taf_str_free(&v.text);
	return yes;
}

bool
taf_hdf_text(hid_t object, const char *name, struct taf_str *to)
{
	struct value v;
	const bool yes = get_string(object, name, &v, to->err);

	if (yes)
		taf_str_puts(to, text_of(&v));
	taf_str_free(&v.text);
	return yes && to->st == TAF_OK;
}

bool
taf_hdf_is_scale(hid_t object, struct taf_err *e)
{
	static const char class[] = "DIMENSION_SCALE";

	return taf_hdf_says(object, "CLASS", class, sizeof class, e);
}

bool
taf_hdf_unsigned(hid_t data, struct taf_err *e)
{
	struct value v;
	const bool yes = get_string(data, "_Unsigned", &v, e) &&
	    strcasecmp(text_of(&v), "true") == 0;

	taf_str_free(&v.text);
	return yes;
}

enum taf_type
taf_hdf_as_unsigned(enum taf_type type)
{
	return type == TAF_INT8 ? TAF_UINT8 : type == TAF_INT16 ? TAF_UINT16 :
	    type == TAF_INT32 ? TAF_UINT32 : type == TAF_INT64 ? TAF_UINT64 : type;
}

/* Where the attributes of an object go. */
struct sink {
	struct taf_array *a;
	enum taf_scope scope;
	unsigned index;
	bool scale;		/* the object is a scale */
	bool grid;		/* of a dimension, to which its unit belongs */
	bool mapped;		/* the mapping is that of the array, or in the grid */
	bool unpacked;		/* the grid is none of stored coordinates */
	const struct taf_hdf_described *d;
	struct taf_err *e;
};

bool
taf_hdf_is_link(const char *name)
{
	static const char *const names[] = { "DIMENSION_LIST", "REFERENCE_LIST",
		"DIMENSION_LABELS", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_nc3_strict",
		"_NCProperties", TAF_HDF_GRID };
	size_t k;

	for (k = 0; k < sizeof names / sizeof names[0]; k++)
		if (strcmp(name, names[k]) == 0)
			return true;
	return false;
}

/* What ties objects together, or was read already. */
static bool
bookkeeping(const struct sink *s, const char *name)
{
	if (taf_hdf_is_link(name))
		return true;
	if (s->scale && (strcmp(name, "CLASS") == 0 || strcmp(name, "NAME") == 0))
		return true;
	/* said by the type */
	if (s->scope == TAF_OF_ARRAY && strcmp(name, "_Unsigned") == 0 &&
	    taf_type_facts(s->d->type)->kind == TAF_UNSIGNED)
		return true;
	if (s->scope == TAF_OF_ARRAY && s->d->turned && taf_hdf_matlab_name(name))
		return true;
	/* they say something of coordinates as they were stored */
	if (s->unpacked && (strcmp(name, "_Unsigned") == 0 || taf_missing_name(name)))
		return true;
	return s->mapped && (strcmp(name, "scale_factor") == 0 ||
	    strcmp(name, "add_offset") == 0);
}

static enum taf_status
set(const struct sink *s, const char *prefix, const char *key, const struct value *v)
{
	struct taf_str whole = { .err = s->e };
	enum taf_status st;

	taf_str_puts(&whole, prefix);
	taf_str_puts(&whole, key);
	st = whole.st;
	if (st == TAF_OK)
		st = taf_attr_set(s->a, whole.buf.data, s->scope, s->index, text_of(v),
		    s->e);
	if (st == TAF_OK && v->note.numbers && v->text.buf.len > 0)
		taf_attr_bare(s->a, whole.buf.data, s->scope, s->index);
	taf_str_free(&whole);
	return st;
}

/* One of ours: as in a TAF file, text that reads as a number has quotes. */
static enum taf_status
set_ours(const struct sink *s, const char *key, const struct value *v)
{
	struct taf_attr_name name = { NULL, s->scope, s->index };
	const char *text = text_of(v);
	size_t n = strlen(text), size = strlen(key);
	const bool quoted = taf_hdf_quotes(text) > 0;
	enum taf_scope scope;
	unsigned index;

	taf_scope_parse(key, &size, &scope, &index);
	if (scope == TAF_OF_COMPONENT) {
		name.scope = scope;
		name.index = index;
	}
	return taf_tag_escaped(s->a, &name, key, scope == TAF_OF_DIM ? strlen(key) : size,
	    text + quoted, n - 2 * quoted, !quoted && taf_is_number(text, n), s->e);
}

/* How it was stored, where the attribute does not show it. */
static enum taf_status
set_note(const struct sink *s, const char *name, const struct value *v)
{
	/* coordinates are stored as doubles again */
	const enum taf_type type = s->scope == TAF_OF_DIM ? TAF_FLT64 : s->d->type;
	struct value note = { .text = { .err = s->e } };
	enum taf_status st;

	taf_hdf_note_format(&note.text, &v->note, text_of(v), taf_missing_name(name) &&
	    !taf_type_is_pair(type) ? &type : NULL);
	st = note.text.st;
	if (st == TAF_OK && note.text.buf.len > 0)
		st = set(s, TAF_HDF_TYPE_KEY, name, &note);
	taf_str_free(&note.text);
	return st;
}

/* A text up to its first NUL; behind that there may be more of it, or anything. */
static enum taf_status
set_first(const struct sink *s, const char *key, const struct value *v)
{
	struct value first = { .text = { .err = s->e } };
	struct taf_str text = { .err = s->e };
	enum taf_status st = taf_unescape(&first.text.buf, text_of(v), v->text.buf.len,
	    false, s->e);

	if (st == TAF_OK)
		taf_str_puts(&text, text_of(&first));
	taf_str_free(&first.text);
	first.text = text;
	st = st == TAF_OK ? text.st : st;
	if (st == TAF_OK && text.buf.len > 0)
		st = set(s, "", key, &first);
	taf_str_free(&first.text);
	return st;
}

/* The attribute that one text of the file becomes; *done where there is no other one. */
static enum taf_status
place_text(const struct sink *s, const char *name, const struct value *v, bool *done)
{
	const size_t ours = strlen(TAF_HDF_OURS);
	const char *key = NULL;

	*done = !v->note.escaped && v->text.buf.len > 0;
	if (strcmp(name, "units") == 0 && s->grid)
		key = "unit";
	/* that of a scale is known by now (set_name) */
	if (strcmp(name, "long_name") == 0 && s->scope == TAF_OF_ARRAY)
		key = "label";
	else if (strcmp(name, "long_name") == 0)
		*done = true;
	else if (strcmp(name, "comment") == 0 && s->scope == TAF_OF_ARRAY &&
	    v->text.buf.len > 0) {
		*done = true;
		return v->note.escaped ? taf_unescape(&s->a->comment, text_of(v),
		    v->text.buf.len, false, s->e) :
		    taf_buf_puts(&s->a->comment, text_of(v), s->e);
	} else if (strncmp(name, TAF_HDF_OURS, ours) == 0 && name[ours] != '\0') {
		*done = true;
		return set_ours(s, name + ours, v);
	} else if (key == NULL) {
		*done = false;
	}
	return key == NULL ? TAF_OK : v->note.escaped ? set_first(s, key, v) :
	    *done ? set(s, "", key, v) : TAF_OK;
}

/* The attribute that one of the file becomes. */
static enum taf_status
place(const struct sink *s, const char *name, const struct value *v)
{
	bool done = false;

	if (!v->note.numbers && v->note.rank <= 1 && taf_hdf_note_count(&v->note) == 1 &&
	    place_text(s, name, v, &done) != TAF_OK)
		return s->e->code;
	if (done || set(s, TAF_HDF_KEY, name, v) != TAF_OK)
		return s->e->code;
	return set_note(s, name, v);
}

/*
 * What compares with elements that are taken as unsigned has been stored with a sign, as
 * they were.
 */
static void
drop_sign(const struct sink *s, const char *name, struct value *v)
{
	const enum taf_type type = s->d->type;
	const uint64_t mask = taf_type_facts(type)->max;
	struct taf_str text = { .err = s->e };
	const char *p = text_of(v);
	size_t n;

	if (s->scope != TAF_OF_ARRAY || !v->note.numbers || v->note.type == type ||
	    taf_hdf_as_unsigned(v->note.type) != type || !taf_missing_name(name) ||
	    !taf_hdf_unsigned(s->d->data, s->e))
		return;
	for (;; p += n + 1) {
		int64_t i;

		n = strcspn(p, ",");
		if (taf_parse_i64(p, n, &i))
			taf_str_u64(&text, (uint64_t)i & mask);
		if (p[n] == '\0')
			break;
		taf_str_puts(&text, ",");
	}
	taf_str_free(&v->text);
	v->text = text;
	v->note.type = type;
}

/* Frees text. */
static enum taf_status
remark(const struct taf_hdf_described *d, struct taf_str *text)
{
	if (text->st == TAF_OK)
		d->how->remark(d->how->ctx, text->buf.data);
	taf_str_free(text);
	return text->st;
}

static herr_t
take_attr(hid_t object, const char *name, const H5A_info_t *info, void *to)
{
	const struct sink *s = to;
	struct taf_str text = { .err = s->e };
	struct value v;
	enum taf_status st;

	(void)info;
	if (name[0] == '\0' || bookkeeping(s, name))
		return 0;
	st = get_value(object, name, false, &v, s->e);
	drop_sign(s, name, &v);
	if (st == TAF_OK && v.known)
		st = v.text.st == TAF_OK ? place(s, name, &v) : v.text.st;
	else if (st == TAF_OK) {
		taf_str_puts(&text, "attribute ");
		taf_str_safe(&text, name, strlen(name));
		taf_str_puts(&text, ": neither text nor numbers: left out");
		st = remark(s->d, &text);
	}
	taf_str_free(&v.text);
	return st == TAF_OK ? 0 : -1;
}

static enum taf_status
take_attrs(struct sink *s, hid_t object)
{
	s->scale = taf_hdf_is_scale(object, s->e);
	if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, take_attr, s) < 0 &&
	    s->e->code == TAF_OK)
		return taf_hdf_fail(s->e, "its attributes cannot be read");
	return s->e->code;
}

static bool
read_coordinates(void *ctx, uint64_t from, size_t n, double *x)
{
	const hid_t *data = ctx;

	return taf_hdf_doubles(*data, from, n, x, false);
}

/* What CF says of coordinates that are not there, and netCDF of those never written. */
static void
read_missing(hid_t data, struct taf_coordinates *c)
{
	const hid_t type = taf_hdf_memory_type(c->type);
	unsigned char p[16], usual[16] = { 0 };

	c->missing[0] = c->missing[1] = NAN;
	taf_hdf_default_fill(c->type, p);
	/* netCDF says its default to the library; of others it may be a coordinate */
	if (!get_finite(data, "_FillValue", 1, &c->missing[0]) && type >= 0 &&
	    taf_hdf_fill_set(data, type, usual) && memcmp(p, usual, sizeof p) == 0 &&
	    H5Tconvert(type, H5T_NATIVE_DOUBLE, 1, p, NULL, H5P_DEFAULT) >= 0)
		memcpy(&c->missing[0], p, sizeof c->missing[0]);
	if (!get_finite(data, "missing_value", 1, &c->missing[1]))
		c->missing[1] = NAN;
	taf_hdf_let(type);
}

/* The mapping that netCDF's packing is; false where it is none, *there where it is. */
static bool
read_packing(hid_t data, double *slope, double *intercept, bool *there)
{
	const bool factor = H5Aexists(data, "scale_factor") > 0;
	const bool offset = H5Aexists(data, "add_offset") > 0;

	*slope = 1;
	*intercept = 0;
	*there = factor || offset;
	/* half of it is odd, where the other half is there and no number */
	return *there && (!factor || get_finite(data, "scale_factor", 1, slope)) &&
	    (!offset || get_finite(data, "add_offset", 1, intercept));
}

/* Has a dataspace n elements along one dimension? */
static bool
is_line(hid_t space, uint64_t n)
{
	uint64_t length[TAF_HDF_RANK];
	const int rank = taf_hdf_extent(space, length);
	int k, longer = 0;

	for (k = 0; k < rank; k++)
		longer += length[k] != 1;
	return rank > 0 && longer <= 1 && H5Sget_simple_extent_npoints(space) ==
	    (hssize_t)n;
}

/* Is the dataset a grid of n coordinates? */
static bool
read_grid(struct sink *sink, hid_t data, uint64_t n, struct taf_dim *dim)
{
	struct taf_coordinates c = { .n = n, .read = read_coordinates, .ctx = &data };
	struct taf_err of_type = { 0 };
	struct taf_hdf_type t;
	double grid[2];
	const hid_t type = H5Dget_type(data), space = H5Dget_space(data);
	bool there, yes = type >= 0 && is_line(space, n) &&
	    taf_hdf_type(type, &t, &of_type) == TAF_OK &&
	    taf_type_facts(t.type)->kind != TAF_PAIR && !taf_hdf_undefined(data, NULL);

	if (yes) {
		c.type = t.type;
		c.half = t.half;
		read_missing(data, &c);
		if (taf_hdf_unsigned(data, sink->e) && taf_hdf_as_unsigned(t.type) !=
		    t.type)
			c.wrap = 1 + (double)taf_type_facts(
			    taf_hdf_as_unsigned(t.type))->max;
		c.grid = get_finite(data, TAF_HDF_GRID, 2, grid) ? grid : NULL;
		c.mapped = read_packing(data, &c.slope, &c.intercept, &there);
		yes = c.mapped == there && taf_uniform(&c, dim);
	}
	sink->mapped = yes && c.mapped;
	sink->unpacked = yes && (c.mapped || c.wrap != 0);
	taf_hdf_let(type);
	taf_hdf_let(space);
	return yes;
}

/* Is it the name of a dataset, "_dim" and a number? */
static bool
made_up(hid_t data, const char *name)
{
	char path[PATH_MOST] = "";
	const char *own, *rest;

	if (H5Iget_name(data, path, sizeof path) <= 0)
		return false;
	own = strrchr(path, '/');
	own = own != NULL ? own + 1 : path;
	if (strncmp(name, own, strlen(own)) != 0)
		return false;
	rest = name + strlen(own);
	return strncmp(rest, "_dim", 4) == 0 && rest[4] != '\0' &&
	    rest[4 + strspn(rest + 4, "0123456789_")] == '\0';
}

/* Is it the label, with a number behind it that taf2hdf gave it beside another one? */
static bool
is_named_so(hid_t scale, const char *name, const char *label)
{
	const size_t n = label != NULL ? strlen(label) : 0;

	if (label == NULL || strncmp(name, label, n) != 0)
		return false;
	return name[n] == '\0' || (name[n] == '_' && name[n + 1] != '\0' &&
	    name[n + 1 + strspn(name + n + 1, "0123456789")] == '\0' &&
	    H5Aexists(scale, TAF_HDF_GRID) > 0);
}

bool
taf_hdf_grid(hid_t scale, uint64_t n, struct taf_dim *dim, struct taf_err *e)
{
	struct sink s = { .scope = TAF_OF_DIM, .e = e };

	return read_grid(&s, scale, n, dim);
}

/*
 * What a scale is called: its long_name, its NAME, or else the name of the dataset,
 * which is kept where it is not that.  One that taf2hdf has made for a dimension without
 * a label has a name that says nothing.
 */
static enum taf_status
set_name(const struct sink *s, hid_t scale, bool named)
{
	char path[PATH_MOST] = "";
	const char *last = NULL, *label;
	struct value v = { .known = false };
	enum taf_status st = TAF_OK;

	if (H5Iget_name(scale, path, sizeof path) > 0) {
		last = strrchr(path, '/');
		last = last != NULL ? last + 1 : path;
		if (last[0] == '\0' || made_up(s->d->data, last))
			last = NULL;
	}

	/* an empty one says that there is no label */
	if (get_string(scale, "long_name", &v, s->e))
		st = v.text.buf.len > 0 ? set(s, "", "label", &v) : TAF_OK;
	else if (named && get_string(scale, "NAME", &v, s->e) && v.text.buf.len > 0)
		st = set(s, "", "label", &v);
	else if (last != NULL)
		st = taf_attr_set(s->a, "label", s->scope, s->index, last, s->e);
	taf_str_free(&v.text);
	label = taf_attr_get(s->a, "label", s->scope, s->index);
	if (st == TAF_OK && last != NULL && !is_named_so(scale, last, label))
		st = taf_attr_set(s->a, TAF_HDF_NAME_KEY, s->scope, s->index, last,
		    s->e);
	return st != TAF_OK ? st : s->e->code;
}

bool
taf_hdf_no_coordinates(hid_t scale, struct taf_err *e)
{
	/* the length of the dimension stands behind it */
	return taf_hdf_says(scale, "NAME", TAF_HDF_NO_VARIABLE,
	    strlen(TAF_HDF_NO_VARIABLE), e);
}

/* The scale of dimension k of the array, from 1; *odd where it is no grid. */
static enum taf_status
take_scale(const struct taf_hdf_described *d, struct taf_array *a, unsigned k,
    hid_t scale, bool *odd, struct taf_err *e)
{
	struct sink s = { .a = a, .scope = TAF_OF_DIM, .index = k, .d = d, .e = e };
	const bool empty = taf_hdf_no_coordinates(scale, e);

	if (!empty)
		s.grid = read_grid(&s, scale, a->dim[k - 1].n, &a->dim[k - 1]);
	*odd = !empty && !s.grid;
	if (e->code != TAF_OK || set_name(&s, scale, !empty) != TAF_OK)
		return e->code;
	return empty ? TAF_OK : take_attrs(&s, scale);
}

/* The dimension of the array, from 1, that an index of the dataset is. */
static unsigned
dimension(const struct taf_hdf_described *d, unsigned index)
{
	return d->how->reverse ? d->rank - index : index + 1;
}

/* Labels that dimensions have besides scales (H5DSset_label). */
static enum taf_status
take_labels(const struct taf_hdf_described *d, struct taf_array *a, struct taf_err *e)
{
	struct value v;
	char *p, *end;
	unsigned k;

	if (!get_string(d->data, "DIMENSION_LABELS", &v, e))
		return e->code;
	p = v.text.buf.data;
	for (k = 0; k < d->rank && p != NULL; k++) {
		const unsigned dim = dimension(d, k);

		end = strchr(p, '\n');
		if (end != NULL)
			*end++ = '\0';
		if (p[0] != '\0' && taf_attr_get(a, "label", TAF_OF_DIM, dim) == NULL &&
		    taf_attr_set(a, "label", TAF_OF_DIM, dim, p, e) != TAF_OK)
			break;
		p = end;
	}
	taf_str_free(&v.text);
	return e->code;
}

static enum taf_status
take_scales(const struct taf_hdf_described *d, struct taf_array *a, struct taf_err *e)
{
	struct taf_str text = { .err = e };
	int64_t scale[TAF_HDF_RANK];
	bool odd[TAF_HDF_RANK] = { false }, any = false;
	unsigned k;

	if (taf_hdf_scales_open(d->data, d->rank, scale, e) != TAF_OK)
		return e->code;
	for (k = 0; k < d->rank; k++) {
		const unsigned dim = dimension(d, k);

		if (scale[k] >= 0 && e->code == TAF_OK)
			(void)take_scale(d, a, dim, scale[k], &odd[dim - 1], e);
		any = any || odd[dim - 1];
		taf_hdf_let(scale[k]);
	}
	if (e->code == TAF_OK && any) {
		taf_uniform_remark(&text, odd, d->rank);
		(void)remark(d, &text);
	}
	return e->code != TAF_OK ? e->code : take_labels(d, a, e);
}

/* Is what elements that nobody wrote read as the value that netCDF gives them? */
static bool
is_default_fill(hid_t data, hid_t type, const unsigned char *usual, size_t size)
{
	const hid_t how = H5Dget_create_plist(data);
	H5D_fill_time_t when;
	unsigned char fill[16];
	const bool yes = how >= 0 && H5Pget_fill_time(how, &when) >= 0 &&
	    when != H5D_FILL_TIME_NEVER && taf_hdf_fill_set(data, type, fill) &&
	    memcmp(fill, usual, size) == 0;

	taf_hdf_let(how);
	return yes;
}

/*
 * Where nothing says which elements are missing, those are that netCDF calls never
 * written: a gets the attribute that says so.  Bytes have no such value.
 */
static enum taf_status
mark_unwritten(hid_t data, struct taf_array *a, struct taf_err *e)
{
	const size_t size = taf_type_size(a->type);
	size_t native;
	struct taf_str number = { .err = e };
	unsigned char usual[16];
	hid_t type;

	if (size == 1 || taf_type_is_pair(a->type) || H5Aexists(data, "_FillValue") > 0)
		return TAF_OK;
	type = taf_hdf_memory_type(a->type);
	taf_hdf_default_fill(a->type, usual);
	if (type >= 0 && is_default_fill(data, type, usual, size) &&
	    H5Tconvert(type, taf_hdf_native(a->type, &native), 1, usual, NULL,
	    H5P_DEFAULT) >= 0)
		spell(&number, a->type, usual);
	taf_hdf_let(type);
	if (number.st == TAF_OK && number.buf.len > 0)
		number.st = taf_missing_set(a, TAF_HDF_KEY "_FillValue", number.buf.data,
		    e);
	taf_str_free(&number);
	return number.st;
}

/* How a number of the mapping is stored, if not as a double. */
static enum taf_status
note_packing(const struct sink *s, hid_t data, const char *name)
{
	struct value v, note = { .text = { .err = s->e } };
	enum taf_status st = TAF_OK;

	if (H5Aexists(data, name) <= 0) {
		taf_str_puts(&note.text, TAF_HDF_NONE);
	} else {
		st = get_value(data, name, true, &v, s->e);
		if (st == TAF_OK && v.known && v.note.type != TAF_FLT64)
			taf_str_puts(&note.text, taf_type_facts(v.note.type)->name);
		taf_str_free(&v.text);
	}
	if (st == TAF_OK)
		st = note.text.st;
	if (st == TAF_OK && note.text.buf.len > 0)
		st = set(s, TAF_HDF_TYPE_KEY, name, &note);
	taf_str_free(&note.text);
	return st;
}

enum taf_status
taf_hdf_describe_set(const struct taf_hdf_described *d, struct taf_array *a,
    struct taf_err *e)
{
	struct sink s = { .a = a, .scope = TAF_OF_ARRAY, .grid = true, .d = d, .e = e };
	double slope, intercept;
	bool there;

	s.mapped = read_packing(d->data, &slope, &intercept, &there) &&
	    taf_type_facts(a->type)->kind != TAF_PAIR;
	if (s.mapped) {
		a->slope = slope;
		a->intercept = intercept;
		if (note_packing(&s, d->data, "scale_factor") != TAF_OK ||
		    note_packing(&s, d->data, "add_offset") != TAF_OK)
			return e->code;
	} else if (there) {
		d->how->remark(d->how->ctx,
		    "scale_factor and add_offset make no mapping: they stay attributes");
	}
	if (take_attrs(&s, d->data) != TAF_OK)
		return e->code;
	if (d->rank == 0 && taf_attr_set(a, TAF_HDF_NDIM_KEY, TAF_OF_ARRAY, 0, "0", e) ==
	    TAF_OK)
		taf_attr_bare(a, TAF_HDF_NDIM_KEY, TAF_OF_ARRAY, 0);
	if (e->code != TAF_OK || take_scales(d, a, e) != TAF_OK || !d->how->unwritten)
		return e->code;
	return mark_unwritten(d->data, a, e);
}
#endif
