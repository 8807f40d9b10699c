/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
#include "codec/hdf/hdf_style.h"

#include "config.h"

#include <string.h>

enum taf_status
taf_hdf_style_name(enum taf_hdf_style style, const char *name, struct taf_err *e)
{
	static const char letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char others[] = "_0123456789";
	size_t n = strlen(name), k;
	bool fits = n > 0 && n < 64 && strchr(letters, name[0]) != NULL;

	if (style == TAF_HDF_SDA)
		return n > 0 && strchr(name, '/') == NULL && strcmp(name, ".") != 0 ?
		    TAF_OK : taf_fail(e, TAF_EUSAGE,
		    "\"%s\" is the label of no record", name);
	for (k = 0; k < n; k++)
		fits = fits && (strchr(letters, name[k]) != NULL ||
		    strchr(others, name[k]) != NULL);
	return fits ? TAF_OK : taf_fail(e, TAF_EUSAGE,
	    "\"%s\" is the name of no variable of MATLAB", name);
}

enum taf_status
taf_hdf_style_check(enum taf_hdf_style style, const struct taf_array *a, bool packed,
    struct taf_err *e)
{
	if (style == TAF_HDF_NETCDF)
		return TAF_OK;
	if (taf_array_count(a) == 0)
		return taf_fail(e, TAF_EDATA, "an array without elements");
	if (style == TAF_HDF_SDA && taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA,
		    "complex elements are not written to an archive (tafmath 'real(a)' makes others of them)");
	if (packed && taf_array_mapped(a) && !taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA,
		    "an array with a mapping is not packed (tafcast -t flt64 makes values of it)");
	return TAF_OK;
}

#ifdef HAVE_HDF5
#include <hdf5.h>

#include "base/str.h"
#include "codec/hdf/hdf_attr.h"
#include "codec/hdf/hdf_describe.h"
#include "codec/hdf/hdf_matlab.h"
#include "io/at.h"

static const char matlab[] = "MATLAB 7.3 MAT-file";

static enum taf_status
look_at_archive(int64_t file, const char *label, struct taf_err *e)
{
	struct taf_str type = { .err = e };
	enum taf_status st = TAF_OK;
	hid_t object;

	if (!taf_hdf_is_archive(file, e))
		return taf_fail(e, TAF_EDATA, "no Sandia data archive");
	object = H5Gopen2(file, "/", H5P_DEFAULT);
	if (object < 0 || taf_hdf_says(object, "Writable", "no", 3, e))
		st = taf_fail(e, TAF_EDATA, "an archive that is not writable");
	taf_hdf_let(object);
	if (st != TAF_OK || H5Lexists(file, label, H5P_DEFAULT) <= 0)
		return st == TAF_OK ? e->code : st;
	object = H5Oopen(file, label, H5P_DEFAULT);
	if (object < 0 || !taf_hdf_record_type(object, &type) ||
	    strcmp(type.buf.data, "numeric") != 0)
		st = taf_fail(e, TAF_EDATA, "%s: is no numeric record", label);
	taf_hdf_let(object);
	taf_str_free(&type);
	return st;
}

enum taf_status
taf_hdf_style_look(enum taf_hdf_style style, int64_t file, const char *label, int fd,
    struct taf_err *e)
{
	char p[sizeof matlab - 1];

	if (style == TAF_HDF_SDA)
		return look_at_archive(file, label, e);
	if (style == TAF_HDF_NETCDF || taf_read_at(fd, p, sizeof p, 0, e) != TAF_OK)
		return e->code;
	return memcmp(p, matlab, sizeof p) == 0 ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "no file of MATLAB 7.3");
}

void
taf_hdf_style_block(unsigned char block[TAF_HDF_BLOCK])
{
	/* text up to byte 116, then no subsystem, version 2.0, and the order of bytes */
	memset(block, 0, TAF_HDF_BLOCK);
	memset(block, ' ', 116);
	memcpy(block, matlab, sizeof matlab - 1);
	memcpy(block + sizeof matlab - 1, ", made by taf2hdf, HDF5 schema 1.00 .", 37);
	memcpy(block + 124, "\0\2IM", 4);
}

static bool
put(hid_t object, const char *name, const char *text)
{
	return taf_hdf_attr_text(object, name, text, strlen(text));
}

static bool
put_int(hid_t object, const char *name, int v)
{
	const struct taf_hdf_value value = { H5T_STD_I32LE, H5T_NATIVE_INT, 0, &v, NULL };

	return taf_hdf_attr_put(object, name, &value);
}

static bool
describe_matlab(const struct taf_hdf_styled *s)
{
	static const char *const names[TAF_NTYPES] = { [TAF_INT8] = "int8",
		[TAF_UINT8] = "uint8", [TAF_INT16] = "int16", [TAF_UINT16] = "uint16",
		[TAF_INT32] = "int32", [TAF_UINT32] = "uint32", [TAF_INT64] = "int64",
		[TAF_UINT64] = "uint64", [TAF_FLT32] = "single", [TAF_FLT64] = "double",
		[TAF_COMPLEX] = "single", [TAF_COMPLEX128] = "double" };
	const char *class = taf_attr_get(s->a, TAF_HDF_CLASS_KEY, TAF_OF_ARRAY, 0);

	if (class != NULL && s->type == TAF_UINT8 && strcmp(class, "logical") == 0)
		return put(s->data, "MATLAB_class", class) &&
		    put_int(s->data, "MATLAB_int_decode", 1);
	if (class != NULL && s->type == TAF_UINT16 && strcmp(class, "char") == 0)
		return put(s->data, "MATLAB_class", class) &&
		    put_int(s->data, "MATLAB_int_decode", 2);
	return put(s->data, "MATLAB_class", names[s->type]);
}

static bool
describe_archive(const struct taf_hdf_styled *s)
{
	const struct taf_buf *c = &s->a->comment;
	const double deflate = s->deflate > 0 ? s->deflate : 0;
	const hid_t root = H5Gopen2(s->file, "/", H5P_DEFAULT);
	bool done = root >= 0 && put(root, "Updated", s->date);

	if (done && s->new)
		done = put(root, "FileFormat", "SDA") &&
		    put(root, "FormatVersion", "1.1") && put(root, "Writable", "yes") &&
		    put(root, "Created", s->date);
	taf_hdf_let(root);
	return done && put(s->group, "RecordType", "numeric") &&
	    put(s->group, "Empty", "no") &&
	    taf_hdf_attr_flt64(s->group, "Deflate", 1, &deflate) &&
	    taf_hdf_attr_text(s->group, "Description", c->data, c->len) &&
	    put(s->data, "RecordType", "numeric") && put(s->data, "Empty", "no") &&
	    put(s->data, "Complex", "no") && put(s->data, "Sparse", "no");
}

bool
taf_hdf_style_describe(const struct taf_hdf_styled *s)
{
	return s->style == TAF_HDF_MATLAB ? describe_matlab(s) : describe_archive(s);
}
#endif
