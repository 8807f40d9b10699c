/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
#include "codec/hdf/hdf_file.h"

#include "config.h"

#ifdef HAVE_HDF5
#include <errno.h>
#include <hdf5.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/endian.h"

static bool failed, failed_memory;

static herr_t
note_memory(unsigned n, const H5E_error2_t *entry, void *to)
{
	bool *memory = to;

	(void)n;
	*memory = *memory || entry->maj_num == H5E_RESOURCE ||
	    entry->min_num == H5E_NOSPACE || entry->min_num == H5E_CANTALLOC;
	return 0;
}

/* In place of printing it, which the library would do. */
static herr_t
on_failure(hid_t stack, void *ignored)
{
	(void)ignored;
	failed = true;
	/* what unpacks for it had too little: the library says only that it failed */
	failed_memory = failed_memory || errno == ENOMEM;
	(void)H5Ewalk2(stack, H5E_WALK_UPWARD, note_memory, &failed_memory);
	return 0;
}

bool
taf_hdf_troubled(bool *memory)
{
	const bool yes = failed;

	/* without it, the library may go on and be wrong */
	failed_memory = failed_memory || errno == ENOMEM;
	/* nothing makes good what was left out for want of memory */
	*memory = failed_memory;
	failed = false;
	errno = 0;
	return yes;
}

enum taf_status
taf_hdf_begin(struct taf_err *e)
{
	static bool begun;

	/* its own end can hang, or crash, when something has failed before */
	if (!begun)
		(void)H5dont_atexit();
	begun = true;
	errno = 0;
	/* it needs nothing but memory */
	return H5open() >= 0 && H5Eset_auto2(H5E_DEFAULT, on_failure, NULL) >= 0 &&
	    H5PLset_loading_state(0) >= 0 ? TAF_OK : taf_fail_mem(e);
}

void
taf_hdf_let(int64_t id)
{
	if (id >= 0)
		(void)H5Idec_ref(id);
}

int
taf_hdf_extent(int64_t space, uint64_t n[TAF_HDF_RANK])
{
	hsize_t length[TAF_HDF_RANK];
	const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
	int k;

	if (rank < 0 || rank > TAF_HDF_RANK ||
	    H5Sget_simple_extent_dims(space, length, NULL) < 0)
		return -1;
	for (k = 0; k < rank; k++)
		n[k] = length[k];
	return rank;
}

bool
taf_hdf_doubles(int64_t data, uint64_t from, uint64_t n, double *x, bool write)
{
	const hsize_t all = n;
	const hid_t space = H5Dget_space(data);
	const hid_t memory = H5Screate_simple(1, &all, NULL);
	hsize_t start[TAF_HDF_RANK] = { 0 }, count[TAF_HDF_RANK];
	uint64_t length[TAF_HDF_RANK];
	const int rank = taf_hdf_extent(space, length);
	bool done = rank > 0 && memory >= 0;
	int k, at = 0;

	for (k = 0; k < rank; k++) {
		at = length[k] > 1 ? k : at;
		count[k] = 1;
	}
	start[at] = from;
	count[at] = n;
	done = done && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count,
	    NULL) >= 0;

	if (done && write)
		done = H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT,
		    x) >= 0;
	else if (done)
		done = H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT,
		    x) >= 0;
	taf_hdf_let(memory);
	taf_hdf_let(space);
	return done;
}

bool
taf_hdf_fill_set(int64_t data, int64_t type, unsigned char p[16])
{
	const hid_t how = H5Dget_create_plist(data);
	H5D_fill_value_t kind;
	const bool set = how >= 0 && H5Pfill_value_defined(how, &kind) >= 0 &&
	    kind == H5D_FILL_VALUE_USER_DEFINED && H5Pget_fill_value(how, type, p) >= 0;

	taf_hdf_let(how);
	return set;
}

bool
taf_hdf_attr_open(int64_t object, const char *name, struct taf_hdf_opened *a)
{
	*a = (struct taf_hdf_opened){ -1, -1, -1, -1 };
	if (H5Aexists(object, name) > 0)
		a->attr = H5Aopen(object, name, H5P_DEFAULT);
	if (a->attr < 0)
		return false;
	a->type = H5Aget_type(a->attr);
	a->space = H5Aget_space(a->attr);
	a->n = a->space >= 0 ? H5Sget_simple_extent_npoints(a->space) : -1;
	return true;
}

void
taf_hdf_attr_close(struct taf_hdf_opened *a)
{
	taf_hdf_let(a->space);
	taf_hdf_let(a->type);
	taf_hdf_let(a->attr);
}

static herr_t
innermost(unsigned n, const H5E_error2_t *entry, void *to)
{
	const char **text = to;

	if (n == 0)
		*text = entry->desc;
	return 0;
}

enum taf_status
taf_hdf_fail(struct taf_err *e, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	const char *why = NULL;
	bool memory = failed_memory;
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	(void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &why);
	(void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_memory, &memory);
	return memory ? taf_fail_mem(e) : taf_fail(e, TAF_EDATA, "%s%s%s", text,
	    why != NULL ? ": " : "", why != NULL ? why : "");
}

/* The element that a float is; false where it is none that IEEE has. */
static bool
float_type(hid_t type, struct taf_hdf_type *t)
{
	const size_t size = H5Tget_size(type);
	size_t sign, exponent, width, mantissa, bits;

	if (H5Tget_precision(type) != 8 * size || H5Tget_fields(type, &sign, &exponent,
	    &width, &mantissa, &bits) < 0 || H5Tget_norm(type) != H5T_NORM_IMPLIED ||
	    H5Tget_order(type) == H5T_ORDER_VAX)
		return false;
	t->half = size == 2;
	t->type = size == 8 ? TAF_FLT64 : TAF_FLT32;
	return sign == 8 * size - 1 && exponent == bits && mantissa == 0 &&
	    ((size == 2 && width == 5 && bits == 10 && H5Tget_ebias(type) == 15) ||
	    (size == 4 && width == 8 && bits == 23 && H5Tget_ebias(type) == 127) ||
	    (size == 8 && width == 11 && bits == 52 && H5Tget_ebias(type) == 1023));
}

static bool
integer_type(hid_t type, bool has_sign, struct taf_hdf_type *t)
{
	static const enum taf_type types[][2] = {
		{ TAF_UINT8, TAF_INT8 }, { TAF_UINT16, TAF_INT16 },
		{ TAF_UINT32, TAF_INT32 }, { TAF_UINT64, TAF_INT64 }
	};
	const size_t size = H5Tget_size(type);
	unsigned k;

	if (H5Tget_precision(type) != 8 * size || H5Tget_offset(type) != 0 ||
	    H5Tget_order(type) == H5T_ORDER_VAX)
		return false;
	for (k = 0; k < 4; k++)
		if (size == (size_t)1 << k) {
			t->type = types[k][has_sign];
			return true;
		}
	return false;
}

/* Two floats named r and i, in this order (h5py), or real and imag (MATLAB). */
static bool
complex_type(hid_t type, struct taf_hdf_type *t)
{
	static const char *const names[2][2] = { { "r", "i" }, { "real", "imag" } };
	struct taf_hdf_type part[2];
	bool fits = H5Tget_nmembers(type) == 2;
	unsigned k;

	memset(part, 0, sizeof part);
	for (k = 0; k < 2 && fits; k++) {
		char *name = H5Tget_member_name(type, k);
		hid_t member = H5Tget_member_type(type, k);

		t->matlab = k > 0 ? t->matlab : name != NULL &&
		    strcmp(name, names[1][0]) == 0;
		fits = name != NULL && strcmp(name, names[t->matlab][k]) == 0 &&
		    member >= 0 && H5Tget_class(member) == H5T_FLOAT &&
		    float_type(member, &part[k]);
		part[k].big = fits && H5Tget_order(member) == H5T_ORDER_BE;
		if (name != NULL)
			(void)H5free_memory(name);
		taf_hdf_let(member);
	}
	if (!fits || part[0].type != part[1].type)
		return false;
	t->type = part[0].type == TAF_FLT64 ? TAF_COMPLEX128 : TAF_COMPLEX;
	t->big = part[0].big;
	t->same = !part[0].half && !part[1].half && part[0].big == part[1].big &&
	    H5Tget_size(type) == taf_type_size(t->type) &&
	    H5Tget_member_offset(type, 0) == 0;
	return true;
}

/* An enumeration of FALSE and TRUE, as 0 and 1 (h5py). */
static bool
logical_type(hid_t type)
{
	static const char *const names[] = { "FALSE", "TRUE" };
	signed char value = 0;
	bool fits = H5Tget_nmembers(type) == 2 && H5Tget_size(type) == 1;
	unsigned k;

	for (k = 0; k < 2 && fits; k++) {
		char *name = H5Tget_member_name(type, k);

		fits = name != NULL && strcmp(name, names[k]) == 0 &&
		    H5Tget_member_value(type, k, &value) >= 0 && value == (signed char)k;
		if (name != NULL)
			(void)H5free_memory(name);
	}
	return fits;
}

const char *
taf_hdf_class(hid_t type)
{
	switch (H5Tget_class(type)) {
	case H5T_STRING:
		return "strings";
	case H5T_COMPOUND:
		return "a compound other than two floats named r and i or real and imag";
	case H5T_REFERENCE:
		return "references";
	case H5T_OPAQUE:
		return "opaque bytes";
	case H5T_VLEN:
		return "sequences of variable length";
	case H5T_ARRAY:
		return "arrays within an element";
	case H5T_TIME:
		return "times";
	case H5T_FLOAT:
		return "floats";
	case H5T_INTEGER:
	case H5T_BITFIELD:
		return "integers";
	default:
		return "of a class that is not known here";
	}
}

enum taf_status
taf_hdf_type(hid_t type, struct taf_hdf_type *t, struct taf_err *e)
{
	const H5T_class_t class = H5Tget_class(type);
	enum taf_status st;
	bool fits = false;
	hid_t base;

	memset(t, 0, sizeof *t);
	if (class == H5T_ENUM) {
		base = H5Tget_super(type);
		if (base < 0)
			return taf_hdf_fail(e, "an enumeration without a type");
		st = taf_hdf_type(base, t, e);
		taf_hdf_let(base);
		if (st == TAF_OK && t->type == TAF_INT8 && logical_type(type))
			t->type = TAF_UINT8;
		return st;
	}
	t->same = true;
	t->big = H5Tget_order(type) == H5T_ORDER_BE;
	if (class == H5T_INTEGER)
		fits = integer_type(type, H5Tget_sign(type) == H5T_SGN_2, t);
	else if (class == H5T_BITFIELD)
		fits = integer_type(type, false, t);
	else if (class == H5T_FLOAT)
		fits = float_type(type, t);
	else if (class == H5T_COMPOUND)
		fits = complex_type(type, t);
	if (fits)
		return TAF_OK;
	if (class != H5T_FLOAT && class != H5T_INTEGER && class != H5T_BITFIELD)
		return taf_fail(e, TAF_EDATA, "elements are %s", taf_hdf_class(type));
	return taf_fail(e, TAF_EDATA,
	    "elements are %s of %llu bytes, %llu bits of them used: no type of an array",
	    taf_hdf_class(type),
	    (unsigned long long)H5Tget_size(type),
	    (unsigned long long)H5Tget_precision(type));
}

void
taf_hdf_default_fill(enum taf_type type, unsigned char p[16])
{
	/* NC_FILL_SHORT and so on, of netcdf.h */
	static const uint64_t fill[TAF_NTYPES] = { [TAF_INT8] = 0x81, [TAF_UINT8] = 0xff,
		[TAF_INT16] = 0x8001, [TAF_UINT16] = 0xffff, [TAF_INT32] = 0x80000001,
		[TAF_UINT32] = 0xffffffff, [TAF_INT64] = 0x8000000000000002,
		[TAF_UINT64] = 0xfffffffffffffffe, [TAF_FLT32] = 0x7cf00000,
		[TAF_FLT64] = 0x479e000000000000 };

	memset(p, 0, 16);
	taf_put64(p, fill[type], false);
}

/*
 * Is a chunk missing that has elements of the part, of which there are some?  Each is
 * asked for: what the library says of all together counts packed bytes.
 */
static bool
chunk_missing(hid_t data, const hsize_t chunk[TAF_HDF_RANK],
    const struct taf_region *part)
{
#if H5_VERSION_GE(1, 10, 5)
	hsize_t at[TAF_HDF_RANK] = { 0 }, offset[TAF_HDF_RANK], next, size;
	haddr_t place;
	unsigned mask, k;

	do {
		for (k = 0; k < part->ndim; k++)
			offset[k] = (part->first[k] + at[k] * part->step[k]) / chunk[k] *
			    chunk[k];
		if (H5Dget_chunk_info_by_coord(data, offset, &mask, &place, &size) < 0 ||
		    place == HADDR_UNDEF)
			return true;
		for (k = part->ndim; k > 0; k--) {
			next = offset[k - 1] + chunk[k - 1] - part->first[k - 1];
			at[k - 1] = (next - 1) / part->step[k - 1] + 1;
			if (at[k - 1] < part->count[k - 1])
				break;
			at[k - 1] = 0;
		}
	} while (k > 0);
	return false;
#else
	(void)data, (void)chunk, (void)part;
	return true;
#endif
}

static bool
whole(hid_t data, struct taf_region *r)
{
	const hid_t space = H5Dget_space(data);
	const int rank = taf_hdf_extent(space, r->count);
	int k;

	taf_hdf_let(space);
	r->ndim = rank > 0 ? (unsigned)rank : 0;
	for (k = 0; k < rank; k++) {
		r->first[k] = 0;
		r->step[k] = 1;
	}
	return rank >= 0;
}

bool
taf_hdf_undefined(int64_t data, const struct taf_region *part)
{
	const hid_t how = H5Dget_create_plist(data);
	struct taf_region all;
	H5D_fill_time_t when;
	H5D_fill_value_t fill;
	H5D_space_status_t stored;
	hsize_t chunk[TAF_HDF_RANK];
	bool missing = how >= 0 && H5Pget_fill_time(how, &when) >= 0 &&
	    H5Pfill_value_defined(how, &fill) >= 0 && (when == H5D_FILL_TIME_NEVER ||
	    fill == H5D_FILL_VALUE_UNDEFINED) && (part != NULL || whole(data, &all)) &&
	    H5Dget_space_status(data, &stored) >= 0;
	unsigned k;

	if (part == NULL)
		part = &all;
	for (k = 0; missing && k < part->ndim; k++)
		missing = part->count[k] > 0;
	if (missing && H5Pget_layout(how) == H5D_CHUNKED &&
	    stored != H5D_SPACE_STATUS_NOT_ALLOCATED)
		missing = H5Pget_chunk(how, TAF_HDF_RANK, chunk) != (int)part->ndim ||
		    chunk_missing(data, chunk, part);
	else if (missing)
		missing = stored != H5D_SPACE_STATUS_ALLOCATED;
	taf_hdf_let(how);
	return missing;
}

static hid_t
pair_type(enum taf_type type, bool matlab)
{
	const size_t size = taf_type_size(type) / 2;
	const hid_t part = size == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
	hid_t pair = H5Tcreate(H5T_COMPOUND, 2 * size);

	if (pair < 0 || H5Tinsert(pair, matlab ? "real" : "r", 0, part) < 0 ||
	    H5Tinsert(pair, matlab ? "imag" : "i", size, part) < 0)
		return -1;
	return pair;
}

hid_t
taf_hdf_memory_type(enum taf_type type)
{
	const hid_t single[] = {
		[TAF_INT8] = H5T_STD_I8LE, [TAF_UINT8] = H5T_STD_U8LE,
		[TAF_INT16] = H5T_STD_I16LE, [TAF_UINT16] = H5T_STD_U16LE,
		[TAF_INT32] = H5T_STD_I32LE, [TAF_UINT32] = H5T_STD_U32LE,
		[TAF_INT64] = H5T_STD_I64LE, [TAF_UINT64] = H5T_STD_U64LE,
		[TAF_FLT32] = H5T_IEEE_F32LE, [TAF_FLT64] = H5T_IEEE_F64LE,
	};

	if (taf_type_is_pair(type))
		return pair_type(type, false);
	return H5Tcopy(single[type]);
}

hid_t
taf_hdf_native(enum taf_type type, size_t *size)
{
	*size = type == TAF_FLT32 ? 4 : 8;
	return type == TAF_FLT32 ? H5T_NATIVE_FLOAT : type == TAF_FLT64 ?
	    H5T_NATIVE_DOUBLE : taf_type_facts(type)->kind == TAF_UNSIGNED ?
	    H5T_NATIVE_UINT64 : H5T_NATIVE_INT64;
}

hid_t
taf_hdf_read_type(hid_t type, const struct taf_hdf_type *t)
{
	hid_t copy;

	/* the library converts members by name */
	if (t->matlab)
		return pair_type(t->type, true);
	/* the library makes no integers of bits */
	if (H5Tget_class(type) != H5T_BITFIELD)
		return taf_hdf_memory_type(t->type);
	copy = H5Tcopy(type);
	if (copy >= 0)
		(void)H5Tset_order(copy, H5T_ORDER_LE);
	return copy;
}
#endif
