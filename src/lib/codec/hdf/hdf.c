/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
#include "codec/hdf/hdf.h"

#include "config.h"

#include <string.h>

#ifdef HAVE_HDF5
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf_private.h"
#include "base/num.h"
#include "codec/hdf/hdf_describe.h"
#include "codec/hdf/hdf_drive.h"
#include "codec/hdf/hdf_file.h"
#include "codec/hdf/hdf_matlab.h"
#include "codec/hdf/hdf_scale.h"
#endif

#ifndef HAVE_HDF5

static enum taf_status
absent(struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA, "this program was built without HDF5's library");
}

enum taf_status
taf_hdf_open(struct taf_hdf **f, struct taf_in *in, struct taf_err *e)
{
	(void)f, (void)in;
	return absent(e);
}

void
taf_hdf_close(struct taf_hdf *f)
{
	(void)f;
}

enum taf_status
taf_hdf_find(struct taf_hdf *f, const char *path, uint64_t memory,
    const struct taf_hdf_set **set, struct taf_err *e)
{
	(void)f, (void)path, (void)memory, (void)set;
	return absent(e);
}

enum taf_status
taf_hdf_describe(struct taf_hdf *f, struct taf_array *a, const struct taf_hdf_how *how,
    struct taf_err *e)
{
	(void)f, (void)a, (void)how;
	return absent(e);
}

enum taf_status
taf_hdf_read(struct taf_hdf *f, const struct taf_region *part, uint64_t memory,
    struct taf_hdf_bands *bands, struct taf_in **in, struct taf_err *e)
{
	(void)f, (void)part, (void)memory, (void)bands, (void)in;
	return absent(e);
}

enum taf_status
taf_hdf_list(struct taf_hdf *f, enum taf_status (*each)(void *ctx,
    const struct taf_hdf_entry *d, struct taf_err *e), void *ctx, struct taf_err *e)
{
	(void)f, (void)each, (void)ctx;
	return absent(e);
}

#else

enum { RANK = TAF_HDF_RANK, LEAST = 64 * 1024, PLAIN = 4 * 1024 * 1024,
	LISTED = 1 << 28,	/* memory for a look at one that is sparse */
	NOTED = 8 * 1024 };	/* bytes the library keeps of each chunk that it reads */

struct taf_hdf {
	struct taf_hdf_drive drive;
	struct taf_in *in;
	hid_t data, space, type;
	struct taf_hdf_type element;
	struct taf_hdf_set set;
	hsize_t stored[RANK];	/* lengths; those of set are longer where others are */
	struct taf_hdf_lengths lengths;
	bool archive;		/* of SDA */
	struct taf_str path;	/* of the dataset, in an archive */
	struct taf_hdf_matlab matlab;
	hsize_t chunk[RANK];	/* lengths; all 0 where the dataset has none */
	/* of taf_hdf_read */
	hid_t memory;
	hsize_t first[RANK], step[RANK], count[RANK], band[RANK], at[RANK];
	unsigned order[RANK];	/* of indices, the fastest first, in which bands follow */
	unsigned char fill[16];	/* an element that is not stored */
	unsigned char *block;
	size_t filled, used;
	bool end;
	struct taf_err e;
};

enum taf_status
taf_hdf_open(struct taf_hdf **result, struct taf_in *in, struct taf_err *e)
{
	struct taf_hdf *f = calloc(1, sizeof *f);
	unsigned char p[4] = { 0 };
	size_t got;

	if (f == NULL)
		return taf_fail_mem(e);
	f->drive.file = f->drive.driver = -1;
	f->data = f->space = f->type = f->memory = -1;
	f->in = in;
	got = taf_in_left(in) < sizeof p ? (size_t)taf_in_left(in) : sizeof p;
	if (taf_in_pread(in, p, got, 0, e) == TAF_OK && memcmp(p, "CDF", 3) == 0)
		(void)taf_fail(e, TAF_EDATA,
		    "a netCDF file of the classic format, not HDF5 (nccopy -k nc4 makes that of it)");
	if (e->code != TAF_OK ||
	    taf_hdf_drive_read(&f->drive, in, 0, taf_in_left(in), e) != TAF_OK) {
		taf_hdf_close(f);
		return e->code;
	}
	f->archive = taf_hdf_is_archive(f->drive.file, e);
	if (e->code != TAF_OK) {
		taf_hdf_close(f);
		return e->code;
	}
	*result = f;
	return TAF_OK;
}

static void
drop(struct taf_hdf *f)
{
	taf_hdf_let(f->memory);
	taf_hdf_let(f->type);
	taf_hdf_let(f->space);
	taf_hdf_let(f->data);
	f->data = f->space = f->type = f->memory = -1;
	free(f->block);
	f->block = NULL;
	taf_hdf_matlab_free(&f->matlab);
	taf_str_free(&f->path);
}

void
taf_hdf_close(struct taf_hdf *f)
{
	if (f == NULL)
		return;
	drop(f);
	taf_hdf_drive_drop(&f->drive);
	free(f);
}

/* The link at the end of path, which is there: an external one is refused. */
static enum taf_status
check_link(hid_t file, const char *path, struct taf_err *e)
{
	const char *to = NULL, *in = NULL;
	char value[512];
	H5L_info_t info;
	unsigned flags;

	if (H5Lget_info(file, path, &info, H5P_DEFAULT) < 0)
		return taf_hdf_fail(e, "%s: a link that cannot be read", path);
	if (info.type == H5L_TYPE_HARD || info.type == H5L_TYPE_SOFT)
		return TAF_OK;
	if (info.type == H5L_TYPE_EXTERNAL && info.u.val_size <= sizeof value &&
	    H5Lget_val(file, path, value, sizeof value, H5P_DEFAULT) >= 0 &&
	    H5Lunpack_elink_val(value, info.u.val_size, &flags, &in, &to) >= 0)
		return taf_fail(e, TAF_EDATA,
		    "%s: an external link, to %s in the file %s", path, to, in);
	return taf_fail(e, TAF_EDATA, "%s: a link of another kind", path);
}

/* Each link on the way is in this file. */
static enum taf_status
check_path(hid_t file, const char *path, struct taf_err *e)
{
	char *part = strdup(path), *p;
	enum taf_status st = TAF_OK;

	if (part == NULL)
		return taf_fail_mem(e);
	for (p = part; st == TAF_OK && *p != '\0'; ) {
		char *end = p + strspn(p, "/");
		char kept;

		end += strcspn(end, "/");
		kept = *end;
		*end = '\0';
		if (strspn(p, "/") == strlen(p))
			break;
		if (H5Lexists(file, part, H5P_DEFAULT) <= 0)
			st = taf_fail(e, TAF_EDATA, "%s: there is no such dataset", path);
		else
			st = check_link(file, part, e);
		*end = kept;
		p = end;
	}
	free(part);
	return st;
}

/* Elements elsewhere, or packed in a way that cannot be undone. */
static enum taf_status
check_storage(struct taf_hdf *f, const char *path, hid_t how, uint64_t memory,
    struct taf_err *e)
{
	const H5D_layout_t layout = H5Pget_layout(how);
	const int filters = H5Pget_nfilters(how);
	uint64_t bytes = f->type >= 0 ? H5Tget_size(f->type) : 0;
	unsigned k;
	int i;

	if (H5Pget_external_count(how) > 0)
		return taf_fail(e, TAF_EDATA,
		    "%s: its elements are in other files (external storage)", path);
	if (layout == H5D_VIRTUAL)
		return taf_fail(e, TAF_EDATA, "%s: a virtual dataset, of parts of others",
		    path);
	for (i = 0; i < filters; i++) {
		char name[64] = "";
		unsigned flags;
		size_t none = 0;
		const H5Z_filter_t id = H5Pget_filter2(how, (unsigned)i, &flags, &none,
		    NULL, sizeof name, name, NULL);

		if (id < 0 || H5Zfilter_avail(id) <= 0)
			return taf_fail(e, TAF_EDATA,
			    "%s: packed by filter %d%s%s, which HDF5's library does not have here",
			    path, (int)id,
			    name[0] != '\0' ? ", " : "", name);
	}
	memset(f->chunk, 0, sizeof f->chunk);
	if (layout != H5D_CHUNKED)
		return TAF_OK;
	if (H5Pget_chunk(how, RANK, f->chunk) != (int)f->set.nd.ndim)
		return taf_hdf_fail(e, "%s: its chunks cannot be read", path);
	for (k = 0; k < f->set.nd.ndim; k++)
		if (f->chunk[k] == 0 || !taf_mul(bytes, f->chunk[k], &bytes))
			return taf_fail(e, TAF_EDATA, "%s: chunks that are none", path);
	if (!taf_memory_fits(memory, bytes, 1))
		return taf_fail(e, TAF_EDATA,
		    "%s: chunks of %llu bytes, and -m allows %llu",
		    path, (unsigned long long)bytes, (unsigned long long)memory);
	return TAF_OK;
}

static enum taf_status
look_at_type(struct taf_hdf *f, const char *path, struct taf_err *e)
{
	struct taf_err of_type = { 0 };

	f->type = H5Dget_type(f->data);
	if (f->type < 0)
		return taf_hdf_fail(e, "%s: the type of its elements cannot be read",
		    path);
	if (taf_hdf_type(f->type, &f->element, &of_type) != TAF_OK)
		return taf_fail(e, of_type.code, "%s: %s", path, of_type.text);
	f->set.nd.type = f->element.type;
	return TAF_OK;
}

static enum taf_status
look_at_space(struct taf_hdf *f, const char *path, struct taf_err *e)
{
	int rank, k;

	f->space = H5Dget_space(f->data);
	if (f->space < 0)
		return taf_hdf_fail(e, "%s: its lengths cannot be read", path);
	if (H5Sget_simple_extent_type(f->space) == H5S_NULL)
		return taf_fail(e, TAF_EDATA,
		    "%s: an empty dataset (a null dataspace): it has no shape", path);
	rank = taf_hdf_extent(f->space, f->set.nd.n);
	if (rank < 0)
		return taf_hdf_fail(e, "%s: its lengths cannot be read", path);
	f->set.nd.ndim = (unsigned)rank;
	for (k = 0; k < rank; k++)
		f->stored[k] = f->set.nd.n[k];
	return taf_hdf_grow(f->data, f->set.nd.ndim, f->set.nd.n, &f->lengths, e);
}

/*
 * Do the elements lie in the file as they are?  Then they need no library.  The offset of
 * those that nobody wrote is none, but the library adds the length of a user block to it.
 */
static enum taf_status
look_for_plain(struct taf_hdf *f, const char *path, hid_t how, struct taf_err *e)
{
	H5D_space_status_t status;
	haddr_t at = HADDR_UNDEF;
	uint64_t bytes, end;

	if (taf_ndarray_bytes(&f->set.nd, &bytes, e) != TAF_OK)
		return taf_fail(e, TAF_EDATA, "%s: more bytes than a file holds", path);
	if (H5Pget_layout(how) == H5D_CONTIGUOUS && H5Pget_nfilters(how) == 0 &&
	    f->element.same && bytes > 0 && H5Dget_space_status(f->data, &status) >= 0 &&
	    status == H5D_SPACE_STATUS_ALLOCATED)
		at = H5Dget_offset(f->data);
	if (at == HADDR_UNDEF)
		return TAF_OK;
	if (f->element.half)
		bytes /= 2;
	if (!taf_add(at, bytes, &end) || end > f->drive.size)
		return taf_fail(e, TAF_EDATA,
		    "%s: %llu bytes from offset %llu on, but the file has %llu",
		    path, (unsigned long long)bytes,
		    (unsigned long long)at, (unsigned long long)f->drive.size);
	f->set.plain = true;
	f->set.offset = at;
	return TAF_OK;
}

static enum taf_status
settle(const struct taf_hdf *f, enum taf_status st, struct taf_err *e)
{
	return taf_hdf_drive_settle(&f->drive, st,
	    "what it says of the dataset cannot be read", e);
}

static enum taf_status
find(struct taf_hdf *f, const char *path, uint64_t memory, struct taf_err *e)
{
	const char *name = path;
	H5I_type_t kind;
	unsigned k;
	hid_t how;

	drop(f);
	memset(&f->set.nd, 0, sizeof f->set.nd);
	f->set.plain = false;
	if (check_path(f->drive.file, path, e) != TAF_OK)
		return e->code;
	f->path = (struct taf_str){ .err = e };
	if (f->archive) {
		if (taf_hdf_record(f->drive.file, path, &f->path, e) != TAF_OK ||
		    check_path(f->drive.file, f->path.buf.data, e) != TAF_OK)
			return e->code;
		path = f->path.buf.data;
	}
	f->data = H5Oopen(f->drive.file, path[0] != '\0' ? path : "/", H5P_DEFAULT);
	if (f->data < 0)
		return taf_hdf_fail(e, "%s: it cannot be opened", path);
	kind = H5Iget_type(f->data);
	if (taf_hdf_matlab_check(f->data, name, f->archive, e) != TAF_OK) {
		(void)H5Oclose(f->data);
		f->data = -1;
		return e->code;
	}
	if (kind != H5I_DATASET) {
		(void)H5Oclose(f->data);
		f->data = -1;
		return taf_fail(e, TAF_EDATA,
		    "%s: %s, not a dataset (--list shows those)",
		    path, kind == H5I_GROUP ? "a group" : "a named type");
	}
	how = H5Dget_create_plist(f->data);
	if (how < 0)
		return taf_hdf_fail(e, "%s: how it is stored cannot be read", path);
	if (look_at_type(f, path, e) == TAF_OK && look_at_space(f, path, e) == TAF_OK &&
	    check_storage(f, path, how, memory, e) == TAF_OK)
		(void)look_for_plain(f, path, how, e);
	(void)H5Pclose(how);
	if (e->code == TAF_OK && taf_hdf_unsigned(f->data, e))
		f->set.nd.type = taf_hdf_as_unsigned(f->set.nd.type);
	for (k = 0; k < f->set.nd.ndim; k++)
		f->set.plain = f->set.plain && f->set.nd.n[k] == f->stored[k];
	if (e->code != TAF_OK || taf_hdf_matlab_look(&f->matlab, f->data, name,
	    f->archive, memory, &f->set, e) != TAF_OK)
		return e->code;
	f->set.nd.half = f->set.plain && f->element.half;
	f->set.nd.big = f->set.plain && f->element.big;
	return e->code;
}

enum taf_status
taf_hdf_find(struct taf_hdf *f, const char *path, uint64_t memory,
    const struct taf_hdf_set **set, struct taf_err *e)
{
	bool ignored;

	(void)taf_hdf_troubled(&ignored);
	*set = &f->set;
	return settle(f, find(f, path, memory, e), e);
}

enum taf_status
taf_hdf_describe(struct taf_hdf *f, struct taf_array *a, const struct taf_hdf_how *how,
    struct taf_err *e)
{
	const struct taf_hdf_described d = { f->drive.file, f->data, f->set.nd.type,
		f->set.nd.ndim, how, f->matlab.turned };
	enum taf_status st = taf_hdf_describe_set(&d, a, e);

	if (st == TAF_OK && f->matlab.class != NULL)
		st = taf_attr_set(a, TAF_HDF_CLASS_KEY, TAF_OF_ARRAY, 0, f->matlab.class,
		    e);
	if (st == TAF_OK && f->archive)
		st = taf_hdf_archive_describe(f->drive.file, f->path.buf.data, a, e);
	return settle(f, st, e);
}

/* How many of what is read along an index a chunk has. */
static uint64_t
rows_of_chunk(const struct taf_hdf *f, unsigned i)
{
	/* a step of the region passes over chunks, too */
	return f->chunk[i] > f->step[i] ? f->chunk[i] / f->step[i] : 1;
}

/* So many elements, or those of so many chunks where these are fewer. */
static uint64_t
of_chunks(const struct taf_hdf *f, uint64_t chunks, uint64_t most)
{
	uint64_t n = chunks;
	unsigned k;

	for (k = 0; k < f->set.nd.ndim && n < most; k++)
		n = taf_mul(n, rows_of_chunk(f, k), &n) ? n : most;
	return f->chunk[0] > 0 && n < most ? n : most;
}

/*
 * How many elements are read at a time, of most bytes with size for each: whole rows of
 * chunks where they fit, so that no chunk is unpacked twice, and no more chunks than the
 * library has memory for.  Indices behind the band's last go one by one.
 */
static size_t
plan_band(struct taf_hdf *f, uint64_t most, size_t size)
{
	const uint64_t some = of_chunks(f, most / NOTED, most / size);
	uint64_t n = 1;
	unsigned k, i;
	bool cut = false;

	for (k = 0; k < f->set.nd.ndim; k++) {
		i = f->order[k];
		if (cut)
			f->band[i] = 1;
		else if (n * f->count[i] <= some)
			f->band[i] = f->count[i];
		else {
			const uint64_t rows = rows_of_chunk(f, i), all = most / size / n;
			uint64_t fit = some / n;

			if (fit < rows)
				fit = all < rows ? all : rows;
			fit -= fit > rows ? fit % rows : 0;
			f->band[i] = fit > 0 ? fit : 1;
			cut = true;
		}
		n *= f->band[i];
	}
	return (size_t)n;
}

/* The same by the bands that are wanted, if no chunk is then unpacked again and again. */
static size_t
plan_bands(struct taf_hdf *f, struct taf_hdf_bands *bands, uint64_t most)
{
	size_t n;
	unsigned k;

	if (f->chunk[0] == 0 || f->end)
		return 0;
	for (k = 0; k < f->set.nd.ndim; k++)
		f->order[k] = bands->order[k];
	n = plan_band(f, most, bands->size);
	for (k = 0; k < f->set.nd.ndim; k++) {
		if (f->band[k] < f->count[k] && f->band[k] < rows_of_chunk(f, k))
			return 0;
		bands->n[k] = f->band[k];
	}
	bands->used = true;
	return n;
}

/* How many of count elements from start on, in steps, stand before n. */
static hsize_t
before(hsize_t n, hsize_t start, hsize_t step, hsize_t count)
{
	const hsize_t all = start < n ? (n - start - 1) / step + 1 : 0;

	return all < count ? all : count;
}

/* The elements of a band that are stored go to where they belong in f->block. */
static bool
read_stored(struct taf_hdf *f, const hsize_t start[RANK], const hsize_t count[RANK],
    const hsize_t stored[RANK])
{
	static const hsize_t origin[RANK];
	/* of the rank of the file: the library fails at 32 dimensions of chunks from 1 */
	const hid_t target = H5Screate_simple((int)f->set.nd.ndim, count, NULL);
	bool done = target >= 0;

	if (f->set.nd.ndim > 0)
		done = done && H5Sselect_hyperslab(target, H5S_SELECT_SET, origin, NULL,
		    stored, NULL) >= 0 && H5Sselect_hyperslab(f->space, H5S_SELECT_SET,
		    start, f->step, stored, NULL) >= 0;
	done = done && H5Dread(f->data, f->memory, target, f->space, H5P_DEFAULT,
	    f->block) >= 0;
	taf_hdf_let(target);
	return done;
}

/* The next band into f->block. */
static enum taf_status
read_band(struct taf_hdf *f, struct taf_err *e)
{
	const size_t size = taf_type_size(f->element.type);
	hsize_t start[RANK], count[RANK], stored[RANK], n = 1, there = 1, i;
	bool ignored;
	unsigned k;

	for (k = 0; k < f->set.nd.ndim; k++) {
		const hsize_t left = f->count[k] - f->at[k];

		start[k] = f->first[k] + f->at[k] * f->step[k];
		count[k] = left < f->band[k] ? left : f->band[k];
		stored[k] = before(f->stored[k], start[k], f->step[k], count[k]);
		n *= count[k];
		there *= stored[k];
	}
	for (i = 0; there < n && i < n; i++)
		memcpy(f->block + i * size, f->fill, size);
	/* what has failed elsewhere does not count */
	(void)taf_hdf_troubled(&ignored);
	if (there > 0 && !read_stored(f, start, count, stored))
		return taf_hdf_drive_failed(&f->drive, e, NULL,
		    "elements cannot be read");
	f->filled = (size_t)n * size;
	f->used = 0;
	for (k = 0; k < f->set.nd.ndim; k++) {
		const unsigned next = f->order[k];

		f->at[next] += f->band[next];
		if (f->at[next] < f->count[next])
			break;
		f->at[next] = 0;
	}
	f->end = k == f->set.nd.ndim;
	return TAF_OK;
}

static enum taf_status
give(void *ctx, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	struct taf_hdf *f = ctx;

	*got = 0;
	if (f->used == f->filled && !f->end && read_band(f, e) != TAF_OK)
		return e->code;
	*got = n < f->filled - f->used ? n : f->filled - f->used;
	if (*got > 0)
		memcpy(buf, f->block + f->used, *got);
	f->used += *got;
	return TAF_OK;
}

/* Nothing is given for what nobody wrote but its fill value. */
static enum taf_status
look_at_values(struct taf_hdf *f, const struct taf_region *part, struct taf_err *e)
{
	struct taf_region stored = *part;
	const hid_t how = H5Dget_create_plist(f->data);
	H5D_fill_value_t fill = H5D_FILL_VALUE_UNDEFINED;
	unsigned k;
	bool done;

	for (k = 0; k < part->ndim; k++)
		stored.count[k] = before(f->stored[k], part->first[k], part->step[k],
		    part->count[k]);
	taf_hdf_default_fill(f->element.type, f->fill);
	done = how >= 0 && H5Pfill_value_defined(how, &fill) >= 0 &&
	    (fill != H5D_FILL_VALUE_USER_DEFINED ||
	    H5Pget_fill_value(how, f->memory, f->fill) >= 0);
	taf_hdf_let(how);
	if (!done)
		return taf_hdf_drive_failed(&f->drive, e, NULL,
		    "its fill value cannot be read");
	return taf_hdf_undefined(f->data, &stored) ? taf_hdf_drive_settle(&f->drive,
	    taf_fail(e, TAF_EDATA,
	    "elements that were never written and have no fill value (-x reads others)"), NULL, e) : TAF_OK;
}

enum taf_status
taf_hdf_read(struct taf_hdf *f, const struct taf_region *part, uint64_t memory,
    struct taf_hdf_bands *bands, struct taf_in **in, struct taf_err *e)
{
	const size_t size = taf_type_size(f->element.type);
	size_t n = 0;
	uint64_t most = taf_memory_share(memory, TAF_BATCH);
	unsigned k;

	if (f->matlab.way != TAF_HDF_AS_IS)
		return taf_hdf_matlab_read(&f->matlab, &f->set, part, memory,
		    taf_in_name(f->in), in, e);
	if (most < LEAST)
		most = LEAST;
	/* more would save nothing where there are no chunks */
	if (most > PLAIN && f->chunk[0] == 0)
		most = PLAIN;
	f->end = false;
	f->filled = f->used = 0;
	for (k = 0; k < f->set.nd.ndim; k++) {
		f->first[k] = part->first[k];
		f->step[k] = part->step[k];
		f->count[k] = part->count[k];
		f->at[k] = 0;
		f->end = f->end || part->count[k] == 0;
	}
	if (bands != NULL)
		n = plan_bands(f, bands, most);
	for (k = 0; k < f->set.nd.ndim && n == 0; k++)
		f->order[k] = f->set.nd.ndim - 1 - k;
	if (n == 0)
		n = plan_band(f, most, size);
	free(f->block);
	f->block = f->end ? NULL : malloc(n * size);
	if (f->block == NULL && !f->end)
		return taf_fail_mem(e);
	f->memory = taf_hdf_read_type(f->type, &f->element);
	if (f->memory < 0)
		return taf_hdf_drive_failed(&f->drive, e, NULL,
		    "elements cannot be read");
	if (look_at_values(f, part, e) != TAF_OK)
		return e->code;
	return taf_in_call(in, give, f, taf_in_name(f->in), e);
}

struct list {
	struct taf_hdf *f;
	enum taf_status (*each)(void *ctx, const struct taf_hdf_entry *d,
	    struct taf_err *e);
	void *ctx;
	struct taf_err *e;
	bool full;		/* stopped by us */
};

/* Its lengths, and the type that set has, where MATLAB has made another one of it. */
static enum taf_status
list_lengths(struct list *l, hid_t data, struct taf_hdf_set *set,
    struct taf_hdf_entry *entry, struct taf_buf *to)
{
	struct taf_ndarray *const nd = &set->nd;
	struct taf_err of_look = { 0 };
	struct taf_hdf_matlab m = { 0 };
	const hid_t space = H5Dget_space(data);
	const int rank = taf_hdf_extent(space, nd->n);
	const bool null = space >= 0 && H5Sget_simple_extent_type(space) == H5S_NULL;
	enum taf_status st = TAF_OK;
	unsigned k;

	taf_hdf_let(space);
	if (null || rank < 0)
		return taf_buf_puts(to, null ? "null" : "?", l->e);
	nd->ndim = (unsigned)rank;
	set->turned = l->f->archive || H5Aexists(data, "MATLAB_class") > 0;
	st = taf_hdf_grow(data, nd->ndim, nd->n, &l->f->lengths, l->e);
	if (st == TAF_OK && !entry->other && taf_hdf_matlab_look(&m, data, entry->path,
	    l->f->archive, LISTED, set, &of_look) != TAF_OK) {
		entry->type = "?";
		entry->other = true;
	} else if (m.way != TAF_HDF_AS_IS) {
		entry->type = taf_type_facts(nd->type)->name;
	}
	taf_hdf_matlab_free(&m);
	if (of_look.code == TAF_ESYS)
		return taf_fail_mem(l->e);
	for (k = 0; k < nd->ndim && st == TAF_OK; k++)
		st = taf_buf_printf(to, l->e, "%s%llu", k > 0 ? "," : "",
		    (unsigned long long)nd->n[set->turned ? nd->ndim - 1 - k : k]);
	return st;
}

/* The group of a path, or its own path where it is the record that has the dataset. */
static enum taf_status
list_record(struct list *l, hid_t data, struct taf_hdf_entry *entry, struct taf_str *path,
    struct taf_str *type, struct taf_str *description)
{
	const char *last = strrchr(entry->path, '/'), *before;
	hid_t group;

	if (taf_hdf_record_type(data, type) && strcmp(type->buf.data, "numeric") != 0 &&
	    strcmp(type->buf.data, "logical") != 0) {
		entry->type = type->buf.data;
		entry->other = true;
	}
	if (H5Iget_type(data) == H5I_GROUP) {
		if (taf_hdf_text(data, "Description", description))
			entry->description = description->buf.data;
		return l->e->code;
	}
	if (last == NULL)
		return l->e->code;
	taf_str_put(path, entry->path, (size_t)(last - entry->path));
	before = path->st == TAF_OK ? strrchr(path->buf.data, '/') : NULL;
	before = before != NULL ? before + 1 : path->buf.data;
	if (path->st != TAF_OK || strcmp(before, last + 1) != 0)
		return path->st;
	group = H5Oopen(l->f->drive.file, path->buf.data, H5P_DEFAULT);
	if (group >= 0 && taf_hdf_text(group, "Description", description))
		entry->description = description->buf.data;
	taf_hdf_let(group);
	entry->path = path->buf.data;
	return l->e->code;
}

/* A dataset, or in an archive a record of several. */
static enum taf_status
list_one(struct list *l, const char *name, hid_t object)
{
	struct taf_hdf_entry entry = { .path = name, .type = "?", .lengths = "" };
	struct taf_str path = { .err = l->e }, kind = { .err = l->e };
	struct taf_str description = { .err = l->e };
	const bool group = H5Iget_type(object) == H5I_GROUP;
	const hid_t type = group ? -1 : H5Dget_type(object);
	struct taf_hdf_set set = { .plain = false };
	struct taf_err of_type = { 0 };
	struct taf_buf lengths = { 0 };
	struct taf_hdf_type t;
	enum taf_status st = TAF_OK;

	if (type >= 0 && taf_hdf_type(type, &t, &of_type) == TAF_OK) {
		set.nd.type = taf_hdf_unsigned(object, l->e) ?
		    taf_hdf_as_unsigned(t.type) : t.type;
		entry.type = t.half ? "flt16" : taf_type_facts(set.nd.type)->name;
	} else if (type >= 0) {
		entry.type = taf_hdf_class(type);
		entry.other = l->f->archive || H5Aexists(object, "MATLAB_class") > 0;
	}
	if (l->f->archive)
		st = list_record(l, object, &entry, &path, &kind, &description);
	if (st == TAF_OK && !group)
		st = list_lengths(l, object, &set, &entry, &lengths);
	if (lengths.len > 0)
		entry.lengths = lengths.data;
	entry.scale = !group && taf_hdf_is_scale(object, l->e);
	/* what cells have: a part of them */
	entry.other = entry.other || strncmp(name, "#refs#/", 7) == 0;
	if (st == TAF_OK)
		st = l->each(l->ctx, &entry, l->e);
	taf_buf_free(&lengths);
	taf_str_free(&description);
	taf_str_free(&kind);
	taf_str_free(&path);
	taf_hdf_let(type);
	return st;
}

/* Is it a record of several arrays, which is told beside them? */
static bool
is_composite(struct list *l, hid_t group)
{
	struct taf_str type = { .err = l->e };
	const bool yes = l->f->archive && H5Iget_type(group) == H5I_GROUP &&
	    taf_hdf_record_type(group, &type) && !taf_hdf_record_simple(type.buf.data);

	taf_str_free(&type);
	return yes;
}

static herr_t
visit(hid_t group, const char *name, const H5L_info_t *info, void *to)
{
	struct list *l = to;
	enum taf_status st = TAF_OK;
	bool memory;
	hid_t object;

	if (info->type != H5L_TYPE_HARD && info->type != H5L_TYPE_SOFT)
		return 0;
	object = H5Oopen(group, name, H5P_DEFAULT);
	/* a link to nothing is no dataset */
	if (object < 0 && taf_hdf_troubled(&memory) && memory)
		st = taf_fail_mem(l->e);
	l->full = st != TAF_OK;
	if (object < 0)
		return l->full ? -1 : 0;
	if (H5Iget_type(object) == H5I_DATASET || is_composite(l, object))
		st = list_one(l, name, object);
	(void)H5Oclose(object);
	l->full = st != TAF_OK;
	return st == TAF_OK ? 0 : -1;
}

enum taf_status
taf_hdf_list(struct taf_hdf *f, enum taf_status (*each)(void *ctx,
    const struct taf_hdf_entry *d, struct taf_err *e), void *ctx, struct taf_err *e)
{
	struct list l = { f, each, ctx, e, false };
	bool ignored;

	(void)taf_hdf_troubled(&ignored);
	if (H5Lvisit(f->drive.file, H5_INDEX_NAME, H5_ITER_INC, visit, &l) < 0 && !l.full)
		(void)taf_hdf_fail(e, "the groups cannot be read");
	return settle(f, e->code, e);
}

#endif
