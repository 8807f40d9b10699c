/* link: hdf5 */
#include "codec/hdf_attr.h"

#include "config.h"

#ifdef HAVE_HDF5
#include <hdf5.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/escape.h"
#include "codec/hdf_file.h"

bool
taf_hdf_attr_put(int64_t object, const char *name, const struct taf_hdf_value *value)
{
	hsize_t n = value->n;
	hid_t space = n > 0 ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR),
	    attr = -1;
	bool done = H5Aexists(object, name) <= 0 || H5Adelete(object, name) >= 0;

	if (done && space >= 0)
		attr = H5Acreate2(object, name, value->type, space, H5P_DEFAULT,
		    H5P_DEFAULT);
	done = attr >= 0 && H5Awrite(attr, value->memory, value->v) >= 0;
	if (attr >= 0 && H5Aclose(attr) < 0)
		done = false;
	if (space >= 0)
		(void)H5Sclose(space);
	return done;
}

bool
taf_hdf_attr_text(int64_t object, const char *name, const char *text, size_t n)
{
	hid_t type = H5Tcopy(H5T_C_S1);
	const struct taf_hdf_value value = { .type = type, .memory = type,
		.v = n > 0 ? text : "" };
	bool ascii = true, done;
	size_t i;

	for (i = 0; i < n; i++)
		ascii = ascii && (unsigned char)text[i] < 0x80;
	done = type >= 0 && H5Tset_size(type, n > 0 ? n : 1) >= 0 &&
	    (ascii || H5Tset_cset(type, H5T_CSET_UTF8) >= 0) &&
	    taf_hdf_attr_put(object, name, &value);
	if (type >= 0)
		(void)H5Tclose(type);
	return done;
}

bool
taf_hdf_attr_flt64(int64_t object, const char *name, uint64_t n, const double *v)
{
	const struct taf_hdf_value value = { H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n, v };

	return taf_hdf_attr_put(object, name, &value);
}

/* What others keep for their own bookkeeping, or we for ours. */
static bool
is_reserved(const char *name)
{
	static const char *const names[] = { "CLASS", "NAME", "REFERENCE_LIST",
	    "DIMENSION_LIST", "DIMENSION_LABELS", "_Netcdf4Dimid",
	    "_Netcdf4Coordinates", "_nc3_strict", "_NCProperties", TAF_HDF_GRID,
	    "units", "long_name", "scale_factor", "add_offset", "comment" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return name[0] == '\0' || strncmp(name, TAF_HDF_OURS, 4) == 0;
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

/* What parse_number makes of a number of this type. */
static hid_t
type_in_memory(enum taf_type type, size_t *size)
{
	*size = type == TAF_FLT32 ? 4 : 8;
	return type == TAF_FLT32 ? H5T_NATIVE_FLOAT : type == TAF_FLT64 ?
	    H5T_NATIVE_DOUBLE : taf_type_facts(type)->kind == TAF_UNSIGNED ?
	    H5T_NATIVE_UINT64 : H5T_NATIVE_INT64;
}

/* Numbers with commas between them; *put is false where they are not all of this type. */
static bool
put_numbers(hid_t object, const char *name, const char *text, enum taf_type type,
    bool *put)
{
	struct taf_hdf_value value = { .n = 0 };
	size_t size, n, count = 1, k = 0;
	unsigned char *all;
	const char *p;
	bool done = true;

	value.memory = type_in_memory(type, &size);
	for (p = strchr(text, ','); p != NULL; p = strchr(p + 1, ','))
		count++;
	all = taf_alloc(count, size);
	*put = all != NULL;
	for (p = text; *put && k < count; p += n + 1) {
		n = strcspn(p, ",");
		*put = parse_number(p, n, type, all + k++ * size);
	}
	if (*put) {
		value.type = taf_hdf_memory_type(type);
		value.v = all;
		value.n = count > 1 ? count : 0;
		done = value.type >= 0 && taf_hdf_attr_put(object, name, &value);
		if (value.type >= 0)
			(void)H5Tclose(value.type);
	}
	free(all);
	return done;
}

/* The attribute prefix/NAME of what t belongs to, or NULL. */
static const char *
other(const struct taf_array *a, const struct taf_attr *t, const char *prefix,
    const char *name)
{
	struct taf_err ignored = { 0 };
	struct taf_str key = { .err = &ignored };
	const char *value = NULL;

	taf_str_puts(&key, prefix);
	taf_str_puts(&key, name);
	if (key.st == TAF_OK)
		value = taf_attr_get(a, key.buf.data, t->scope, t->index);
	taf_str_free(&key);
	return value;
}

/* The type of the numbers of t, whose name in the file this is. */
static bool
type_of_numbers(const struct taf_array *a, const struct taf_attr *t, const char *name,
    enum taf_type *type)
{
	const char *given = other(a, t, TAF_HDF_TYPE_KEY, name);

	*type = t->scope == TAF_OF_DIM ? TAF_FLT64 : a->type;
	if (taf_hdf_is_stored(name) && taf_type_facts(*type)->kind != TAF_PAIR)
		return true;
	if (given != NULL && taf_type_parse(given, type) &&
	    taf_type_facts(*type)->kind != TAF_PAIR)
		return true;
	return taf_hdf_guess(t->value, type);
}

/* Does t only say the type of another attribute, with which it goes? */
static bool
is_type(const struct taf_array *a, const struct taf_attr *t)
{
	const size_t n = strlen(TAF_HDF_TYPE_KEY);

	return strncmp(t->key, TAF_HDF_TYPE_KEY, n) == 0 &&
	    other(a, t, TAF_HDF_KEY, t->key + n) != NULL;
}

/* The name of t in the file, where it is one that it can have there as it is. */
static const char *
own_name(const struct taf_attr *t)
{
	if (t->scope == TAF_OF_COMPONENT)
		return NULL;
	if (strcmp(t->key, "unit") == 0)
		return "units";
	if (strcmp(t->key, "label") == 0)
		return "long_name";
	return strncmp(t->key, TAF_HDF_KEY, 4) == 0 &&
	    !is_reserved(t->key + 4) ? t->key + 4 : NULL;
}

/* taf:KEY, and @cN behind it for a component. */
static bool
put_other(hid_t object, const struct taf_attr *t, struct taf_err *e)
{
	struct taf_str name = { .err = e };
	struct taf_attr key = *t;
	bool done;

	if (t->scope == TAF_OF_DIM)
		key.scope = TAF_OF_ARRAY;
	taf_str_puts(&name, TAF_HDF_OURS);
	taf_key_format(&name, &key);
	done = name.st == TAF_OK &&
	    taf_hdf_attr_text(object, name.buf.data, t->value, strlen(t->value));
	taf_str_free(&name);
	return done;
}

static bool
put(hid_t object, const struct taf_array *a, const struct taf_attr *t, struct taf_err *e)
{
	const char *name = own_name(t);
	enum taf_type type;
	bool numbers = false;

	if (is_type(a, t))
		return true;
	if (name == NULL || H5Aexists(object, name) != 0)
		return put_other(object, t, e);
	if (!t->bare)
		return taf_hdf_attr_text(object, name, t->value, strlen(t->value));
	if (type_of_numbers(a, t, name, &type) &&
	    !put_numbers(object, name, t->value, type, &numbers))
		return false;
	return numbers || put_other(object, t, e);
}

enum taf_status
taf_hdf_attrs(const struct taf_hdf_drive *f, int64_t object, const struct taf_array *a,
    unsigned k, struct taf_err *e)
{
	size_t i;

	for (i = 0; i < a->nattrs; i++) {
		const struct taf_attr *t = &a->attrs[i];
		bool ours = k == 0 ? t->scope != TAF_OF_DIM : t->scope == TAF_OF_DIM &&
		    t->index == k && strcmp(t->key, "label") != 0;

		if (!ours)
			continue;
		if (!put(object, a, t, e))
			return taf_hdf_drive_failed(f, e, t->key, "cannot be written");
	}
	return TAF_OK;
}

#endif
