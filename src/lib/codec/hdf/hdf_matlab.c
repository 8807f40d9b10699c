/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
#include "codec/hdf/hdf_matlab.h"

#include "config.h"

#ifdef HAVE_HDF5
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf_private.h"
#include "base/endian.h"
#include "base/num.h"
#include "codec/hdf/hdf_describe.h"
#include "codec/hdf/hdf_file.h"

enum { LEAST = 4096 };		/* columns at a time */

static const struct {
	const char *name;
	enum taf_type type;
} classes[] = {
	{ "double", TAF_FLT64 }, { "single", TAF_FLT32 }, { "int8", TAF_INT8 },
	{ "uint8", TAF_UINT8 }, { "int16", TAF_INT16 }, { "uint16", TAF_UINT16 },
	{ "int32", TAF_INT32 }, { "uint32", TAF_UINT32 }, { "int64", TAF_INT64 },
	{ "uint64", TAF_UINT64 }, { "logical", TAF_UINT8 }, { "char", TAF_UINT16 },
};
enum { CLASSES = sizeof classes / sizeof classes[0], LOGICAL = 10 };

static bool
says(hid_t object, const char *name, const char *text, struct taf_err *e)
{
	return taf_hdf_says(object, name, text, strlen(text) + 1, e);
}

bool
taf_hdf_is_archive(int64_t file, struct taf_err *e)
{
	const hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
	const bool yes = root >= 0 && says(root, "FileFormat", "SDA", e);

	taf_hdf_let(root);
	return yes;
}

bool
taf_hdf_record_type(int64_t object, struct taf_str *to)
{
	return taf_hdf_text(object, "RecordType", to);
}

bool
taf_hdf_record_simple(const char *type)
{
	static const char *const simple[] = { "numeric", "logical", "character",
		"function", "file" };
	size_t k;

	for (k = 0; k < sizeof simple / sizeof simple[0]; k++)
		if (strcmp(type, simple[k]) == 0)
			return true;
	return false;
}

static bool
has_dataset(hid_t group, const char *name)
{
	const hid_t there = H5Lexists(group, name, H5P_DEFAULT) > 0 ?
	    H5Oopen(group, name, H5P_DEFAULT) : -1;
	const bool yes = there >= 0 && H5Iget_type(there) == H5I_DATASET;

	taf_hdf_let(there);
	return yes;
}

/* The dataset of a group, which is a record. */
static enum taf_status
record_of(hid_t group, const char *path, struct taf_str *to, struct taf_err *e)
{
	struct taf_str type = { .err = e };
	const char *last = strrchr(path, '/');
	enum taf_status st = TAF_OK;

	last = last != NULL ? last + 1 : path;
	if (!taf_hdf_record_type(group, &type))
		taf_str_puts(&type, "");
	else if (taf_hdf_record_simple(type.buf.data))
		taf_str_printf(to, "/%s", last);
	else if (strcmp(type.buf.data, "structure") == 0 && has_dataset(group, "Data"))
		taf_str_puts(to, "/Data");
	else
		st = taf_fail(e, TAF_EDATA,
		    "%s: a record of type %s: name one of its elements (--list shows them)",
		    path, type.buf.data);
	st = st == TAF_OK && type.st != TAF_OK ? type.st : st;
	taf_str_free(&type);
	return st;
}

enum taf_status
taf_hdf_record(int64_t file, const char *path, struct taf_str *to, struct taf_err *e)
{
	size_t n = strlen(path);
	struct taf_str bare = { .err = e };
	enum taf_status st;
	hid_t object;

	while (n > 0 && path[n - 1] == '/')
		n--;
	taf_str_put(&bare, path, n);
	taf_str_put(to, path, n);
	st = to->st != TAF_OK ? to->st : bare.st;
	if (st == TAF_OK && n > 0) {
		object = H5Oopen(file, bare.buf.data, H5P_DEFAULT);
		if (object >= 0 && H5Iget_type(object) == H5I_GROUP)
			st = record_of(object, bare.buf.data, to, e);
		taf_hdf_let(object);
	}
	taf_str_free(&bare);
	return st == TAF_OK ? to->st : st;
}

/* Which of the classes a dataset has; CLASSES where it has none, or another. */
static unsigned
find_class(hid_t object, struct taf_err *e)
{
	unsigned k = 0;

	while (k < CLASSES && !says(object, "MATLAB_class", classes[k].name, e))
		k++;
	return k;
}

enum taf_status
taf_hdf_matlab_check(int64_t object, const char *path, bool archive, struct taf_err *e)
{
	struct taf_str type = { .err = e };
	enum taf_status st = TAF_OK;

	if (taf_hdf_text(object, "MATLAB_class", &type) && find_class(object, e) ==
	    CLASSES)
		st = taf_fail(e, TAF_EDATA, "%s: a %s of MATLAB, no array of numbers",
		    path, type.buf.data);
	else if (H5Aexists(object, "MATLAB_sparse") > 0)
		st = taf_fail(e, TAF_EDATA, "%s: a sparse matrix of MATLAB", path);
	taf_str_free(&type);
	if (st == TAF_OK && archive && taf_hdf_record_type(object, &type) &&
	    strcmp(type.buf.data, "numeric") != 0 &&
	    strcmp(type.buf.data, "logical") != 0)
		st = taf_fail(e, TAF_EDATA,
		    "%s: a record of type %s, no array of numbers",
		    path, type.buf.data);
	taf_str_free(&type);
	return st == TAF_OK ? e->code : st;
}

/* --- what the array is --- */

/* Lengths in MATLAB's order become those by index; *count is their product. */
static enum taf_status
set_lengths(struct taf_hdf_set *set, const char *path, const double *n, unsigned rank,
    uint64_t *count, struct taf_err *e)
{
	unsigned k;

	*count = 1;
	set->nd.ndim = rank;
	set->plain = false;
	for (k = 0; k < rank; k++) {
		if (!(n[k] >= 0 && n[k] <= 0x1p53) || (double)(uint64_t)n[k] < n[k])
			return taf_fail(e, TAF_EDATA, "%s: a length of %g", path, n[k]);
		set->nd.n[rank - 1 - k] = (uint64_t)n[k];
	}
	for (k = 0; k < rank; k++)
		*count = set->nd.n[k] == 0 ? 0 : *count;
	for (k = 0; k < rank; k++)
		if (!taf_mul(*count, set->nd.n[k], count))
			return taf_fail(e, TAF_EDATA, "%s: more bytes than a file holds",
			    path);
	return TAF_OK;
}

/* A dataset that has the lengths of an array without elements, of this type. */
static enum taf_status
look_at_empty(struct taf_hdf_matlab *m, const char *path, enum taf_type type,
    struct taf_hdf_set *set, struct taf_err *e)
{
	double n[TAF_MAX_DIM];
	uint64_t rank = set->nd.n[0], count;

	if (set->nd.ndim != 1 || rank == 0 || rank > TAF_MAX_DIM ||
	    taf_type_is_pair(set->nd.type) ||
	    !taf_hdf_doubles(m->data, 0, rank, n, false))
		return taf_fail(e, TAF_EDATA,
		    "%s: MATLAB_empty, but these are no lengths", path);
	m->way = TAF_HDF_EMPTY;
	set->nd.type = type;
	if (set_lengths(set, path, n, (unsigned)rank, &count, e) != TAF_OK)
		return e->code;
	return count == 0 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "%s: MATLAB_empty, but its lengths say %llu elements",
	    path, (unsigned long long)count);
}

/* Two rows, and the lengths of the array in ArraySize. */
static enum taf_status
look_at_rows(struct taf_hdf_matlab *m, const char *path, struct taf_hdf_set *set,
    struct taf_err *e)
{
	struct taf_hdf_opened a;
	double n[TAF_MAX_DIM];
	uint64_t count = 0;
	bool there;

	m->way = TAF_HDF_ROWS;
	m->part = set->nd.type;
	m->columns = set->nd.n[1];
	if (set->nd.ndim != 2 || set->nd.n[0] != 2 ||
	    taf_type_facts(m->part)->kind != TAF_FLOAT)
		return taf_fail(e, TAF_EDATA, "%s: Complex, but not two rows of floats",
		    path);
	there = taf_hdf_attr_open(m->data, "ArraySize", &a);
	there = there && a.n > 0 && a.n <= TAF_MAX_DIM && a.type >= 0 &&
	    (H5Tget_class(a.type) == H5T_FLOAT || H5Tget_class(a.type) == H5T_INTEGER) &&
	    H5Aread(a.attr, H5T_NATIVE_DOUBLE, n) >= 0;
	taf_hdf_attr_close(&a);
	if (!there)
		return taf_fail(e, TAF_EDATA, "%s: Complex, and without ArraySize", path);
	set->nd.type = m->part == TAF_FLT64 ? TAF_COMPLEX128 : TAF_COMPLEX;
	if (set_lengths(set, path, n, (unsigned)a.n, &count, e) != TAF_OK)
		return e->code;
	return count == m->columns ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "%s: %llu complex numbers, but ArraySize says %llu",
	    path, (unsigned long long)m->columns, (unsigned long long)count);
}

/* Rows of a part of a dataset that has two dimensions. */
static bool
read_rows(const struct taf_hdf_matlab *m, hid_t memory, unsigned rows, uint64_t from,
    uint64_t n, void *to)
{
	const hsize_t start[2] = { 0, from }, count[2] = { rows, n };
	const hid_t space = H5Dget_space(m->data);
	const hid_t target = H5Screate_simple(2, count, NULL);
	const bool done = space >= 0 && target >= 0 && memory >= 0 &&
	    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
	    H5Dread(m->data, memory, target, space, H5P_DEFAULT, to) >= 0;

	taf_hdf_let(target);
	taf_hdf_let(space);
	return done;
}

/* The largest of n indices from 1; 0 where one is none. */
static double
largest(const double *index, uint64_t n)
{
	double most = 0;
	uint64_t k;

	for (k = 0; k < n; k++) {
		if (!(index[k] >= 1 && index[k] <= 0x1p53) ||
		    (double)(uint64_t)index[k] < index[k])
			return 0;
		most = index[k] > most ? index[k] : most;
	}
	return most;
}

/* Three rows; the array is as large as its largest indices. */
static enum taf_status
look_at_sparse(struct taf_hdf_matlab *m, const char *path, uint64_t memory,
    struct taf_hdf_set *set, struct taf_err *e)
{
	const uint64_t n = set->nd.ndim == 2 ? set->nd.n[1] : 0;
	double length[2] = { 0, 0 };
	uint64_t count, bytes;

	m->way = TAF_HDF_SPARSE;
	m->columns = n;
	if (set->nd.ndim != 2 || set->nd.n[0] != 3 || taf_type_is_pair(set->nd.type))
		return taf_fail(e, TAF_EDATA, "%s: Sparse, but not three rows of numbers",
		    path);
	if (!taf_mul(n, 3 * sizeof(double), &bytes) || !taf_memory_fits(memory, bytes, 2))
		return taf_fail(e, TAF_EDATA,
		    "%s: %llu sparse numbers, and -m allows %llu",
		    path, (unsigned long long)n, (unsigned long long)memory);
	m->sparse = taf_alloc((size_t)n + 1, 3 * sizeof(double));
	if (m->sparse == NULL)
		return taf_fail_mem(e);
	if (n > 0 && !read_rows(m, H5T_NATIVE_DOUBLE, 3, 0, n, m->sparse))
		return taf_hdf_fail(e, "%s: its elements cannot be read", path);
	length[0] = largest(m->sparse, n);
	length[1] = largest(m->sparse + n, n);
	if (n > 0 && (length[0] < 1 || length[1] < 1))
		return taf_fail(e, TAF_EDATA, "%s: Sparse, with indices that are none",
		    path);
	set->nd.type = TAF_FLT64;
	if (set_lengths(set, path, length, 2, &count, e) != TAF_OK)
		return e->code;
	if (!taf_mul(count, sizeof(double), &m->bytes) ||
	    !taf_memory_fits(memory, m->bytes, 2))
		return taf_fail(e, TAF_EDATA,
		    "%s: a sparse matrix of %llu x %llu, and -m allows %llu",
		    path, (unsigned long long)length[0], (unsigned long long)length[1],
		    (unsigned long long)memory);
	return TAF_OK;
}

enum taf_status
taf_hdf_matlab_look(struct taf_hdf_matlab *m, int64_t data, const char *path,
    bool archive, uint64_t memory, struct taf_hdf_set *set, struct taf_err *e)
{
	static const double none[2];
	const unsigned class = find_class(data, e);
	uint64_t ignored;

	m->data = data;
	m->turned = archive || class < CLASSES;
	set->turned = m->turned;
	if (class >= LOGICAL && class < CLASSES)
		m->class = classes[class].name;
	if (archive && says(data, "RecordType", "logical", e))
		m->class = classes[LOGICAL].name;
	if (e->code != TAF_OK)
		return e->code;
	if (class < CLASSES && H5Aexists(data, "MATLAB_empty") > 0)
		return look_at_empty(m, path, classes[class].type, set, e);
	if (!archive)
		return TAF_OK;
	if (says(data, "Empty", "yes", e)) {
		m->way = TAF_HDF_EMPTY;
		return set_lengths(set, path, none, 2, &ignored, e);
	}
	if (says(data, "Sparse", "yes", e))
		return look_at_sparse(m, path, memory, set, e);
	return says(data, "Complex", "yes", e) ? look_at_rows(m, path, set, e) : e->code;
}

/* --- its elements --- */

void
taf_hdf_matlab_free(struct taf_hdf_matlab *m)
{
	free(m->block);
	free(m->rows);
	free(m->sparse);
	*m = (struct taf_hdf_matlab){ 0 };
}

/* The next columns as pairs. */
static enum taf_status
fill_pairs(struct taf_hdf_matlab *m, struct taf_err *e)
{
	const uint64_t left = m->columns - m->at, n = left < m->most ? left : m->most;
	const size_t size = taf_type_size(m->part);
	const hid_t memory = taf_hdf_memory_type(m->part);
	const bool done = read_rows(m, memory, 2, m->at, n, m->rows);
	size_t k;

	taf_hdf_let(memory);
	if (!done)
		return taf_hdf_fail(e, "elements cannot be read");
	for (k = 0; k < n; k++) {
		memcpy(m->block + 2 * k * size, m->rows + k * size, size);
		memcpy(m->block + (2 * k + 1) * size, m->rows + (n + k) * size, size);
	}
	m->at += n;
	m->filled = 2 * n * size;
	m->used = 0;
	return TAF_OK;
}

static enum taf_status
give(void *ctx, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	struct taf_hdf_matlab *m = ctx;
	uint64_t left;

	*got = 0;
	if (m->used == m->filled && m->way == TAF_HDF_ROWS && m->at < m->columns &&
	    fill_pairs(m, e) != TAF_OK)
		return e->code;
	left = m->filled - m->used;
	*got = n < left ? n : (size_t)left;
	if (*got > 0)
		memcpy(buf, m->block + m->used, *got);
	m->used += *got;
	return TAF_OK;
}

/* All of a sparse matrix; numbers for one place are added, as MATLAB's sparse does. */
static enum taf_status
fill_sparse(struct taf_hdf_matlab *m, uint64_t rows, struct taf_err *e)
{
	const double *const i = m->sparse, *const j = i + m->columns;
	const double *const value = j + m->columns;
	double *full = calloc((size_t)m->bytes + 1, 1);
	uint64_t k;

	if (full == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < m->columns; k++)
		full[(uint64_t)i[k] - 1 + ((uint64_t)j[k] - 1) * rows] += value[k];
	for (k = 0; k < m->bytes / sizeof *full; k++)
		taf_putf64(&full[k], full[k], false);
	m->block = (unsigned char *)full;
	m->filled = m->bytes;
	return TAF_OK;
}

enum taf_status
taf_hdf_matlab_read(struct taf_hdf_matlab *m, const struct taf_hdf_set *set,
    const struct taf_region *part, uint64_t memory, const char *name, struct taf_in **in,
    struct taf_err *e)
{
	const size_t size = 2 * taf_type_size(m->part);
	unsigned k;

	for (k = 0; k < part->ndim; k++)
		if (part->count[k] != set->nd.n[k])
			return taf_fail(e, TAF_EDATA,
			    "no part is read (-x) of what is stored as complex, sparse or empty record");
	free(m->block);
	free(m->rows);
	m->block = m->rows = NULL;
	m->at = m->used = m->filled = 0;
	m->most = taf_memory_share(memory, TAF_BATCH) / (2 * size);
	if (m->most < LEAST)
		m->most = LEAST;
	if (m->most > m->columns)
		m->most = m->columns;
	if (m->way == TAF_HDF_ROWS) {
		m->block = taf_alloc((size_t)m->most + 1, size);
		m->rows = taf_alloc((size_t)m->most + 1, size);
		if (m->block == NULL || m->rows == NULL)
			return taf_fail_mem(e);
	} else if (m->way == TAF_HDF_SPARSE &&
	    fill_sparse(m, set->nd.n[1], e) != TAF_OK) {
		return e->code;
	}
	return taf_in_call(in, give, m, name, e);
}

/* --- what is said of it --- */

bool
taf_hdf_matlab_name(const char *name)
{
	static const char *const names[] = { "H5PATH", "RecordType", "Empty", "Sparse",
		"Complex", "ArraySize" };
	size_t k;

	for (k = 0; k < sizeof names / sizeof names[0]; k++)
		if (strcmp(name, names[k]) == 0)
			return true;
	return strncmp(name, "MATLAB_", 7) == 0;
}

/* The grid of dimension 1, if a field of the record is one. */
static enum taf_status
take_grid(hid_t group, struct taf_array *a, struct taf_err *e)
{
	const hid_t grid = has_dataset(group, "Grid") ?
	    H5Dopen2(group, "Grid", H5P_DEFAULT) : -1;

	if (grid >= 0 && a->ndim > 0)
		(void)taf_hdf_grid(grid, a->dim[0].n, &a->dim[0], e);
	taf_hdf_let(grid);
	return e->code;
}

enum taf_status
taf_hdf_archive_describe(int64_t file, const char *path, struct taf_array *a,
    struct taf_err *e)
{
	const char *last = strrchr(path, '/');
	struct taf_str group = { .err = e }, text = { .err = e };
	enum taf_status st = TAF_OK;
	hid_t object;

	if (last == NULL || last == path)
		return TAF_OK;
	taf_str_put(&group, path, (size_t)(last - path));
	object = group.st == TAF_OK ? H5Oopen(file, group.buf.data, H5P_DEFAULT) : -1;
	if (object >= 0 && H5Iget_type(object) == H5I_GROUP) {
		st = taf_hdf_text(object, "Description", &text) && text.buf.len > 0 ?
		    taf_comment_add(a, text.buf.data, text.buf.len, e) : e->code;
		if (st == TAF_OK && strcmp(last, "/Data") == 0)
			st = take_grid(object, a, e);
	}
	if (st == TAF_OK)
		st = group.st != TAF_OK ? group.st : text.st;
	taf_hdf_let(object);
	taf_str_free(&text);
	taf_str_free(&group);
	return st;
}
#endif
