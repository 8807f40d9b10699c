/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
#include "codec/hdf/hdf_drive.h"

#include "config.h"

#ifdef HAVE_HDF5
#include <errno.h>
#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/endian.h"
#include "codec/hdf/hdf_file.h"
#include "codec/taf_foreign.h"
#include "io/at.h"

/* The library's driver of a file. */
struct drive {
	H5FD_t pub;		/* its part, first */
	struct taf_hdf_drive *f;
	haddr_t end;		/* of what it has claimed */
};

static H5FD_t *
drive_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
	struct taf_hdf_drive *const *f = H5Pget_driver_info(access);
	struct drive *d;

	(void)name, (void)flags, (void)most;
	if (f == NULL || (*f)->open)
		return NULL;
	d = calloc(1, sizeof *d);
	if (d == NULL) {
		(void)taf_fail_mem(&(*f)->err);
		return NULL;
	}
	(*f)->open = true;
	d->f = *f;
	return &d->pub;
}

static herr_t
drive_close(H5FD_t *file)
{
	free(file);
	return 0;
}

static haddr_t
drive_get_end(const H5FD_t *file, H5FD_mem_t type)
{
	(void)type;
	return ((const struct drive *)file)->end;
}

static herr_t
drive_set_end(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
	(void)type;
	((struct drive *)file)->end = end;
	return 0;
}

static haddr_t
size_of(const struct taf_hdf_drive *f)
{
	struct stat st;

	return f->in != NULL ? f->size : fstat(f->fd, &st) == 0 ? (haddr_t)st.st_size : 0;
}

static haddr_t
drive_get_size(const H5FD_t *file, H5FD_mem_t type)
{
	(void)type;
	return size_of(((const struct drive *)file)->f);
}

/* Bytes behind the end are zero, as in the library's own drivers. */
static bool
read_at(struct taf_hdf_drive *f, haddr_t size, haddr_t off, size_t n, void *buf)
{
	size_t there = off >= size ? 0 : n < size - off ? n : (size_t)(size - off);

	memset((char *)buf + there, 0, n - there);
	return (f->in != NULL ? taf_in_pread(f->in, buf, there, f->base + off, &f->err) :
	    taf_read_at(f->fd, buf, there, off, &f->err)) == TAF_OK;
}

static herr_t
drive_read(H5FD_t *file, H5FD_mem_t type, hid_t how, haddr_t off, size_t n, void *buf)
{
	(void)how;
	return read_at(((struct drive *)file)->f, drive_get_size(file, type), off, n,
	    buf) ? 0 : -1;
}

/* A failure is kept, and ends the work when the library has gone on and done its part. */
static herr_t
drive_write(H5FD_t *file, H5FD_mem_t type, hid_t how, haddr_t off, size_t n,
    const void *buf)
{
	struct taf_hdf_drive *f = ((struct drive *)file)->f;

	(void)type, (void)how;
	if (f->err.code == TAF_OK && taf_write_at(f->fd, buf, n, off, &f->err) != TAF_OK)
		f->mode = TAF_HDF_READ;
	return 0;
}

/* The file is as long as what the library has claimed, elements that others write too. */
static herr_t
drive_truncate(H5FD_t *file, hid_t how, hbool_t closing)
{
	struct drive *d = (struct drive *)file;
	struct taf_hdf_drive *f = d->f;

	(void)how, (void)closing;
	if (f->mode != TAF_HDF_READ && drive_get_size(file, H5FD_MEM_DEFAULT) != d->end &&
	    ftruncate(f->fd, (off_t)d->end) != 0)
		(void)taf_fail_sys(&f->err, "cannot write");
	return 0;
}

static const H5FD_class_t class = {
#ifdef H5FD_CLASS_VERSION
	.version = H5FD_CLASS_VERSION,
	.value = 510,
#endif
	.name = "taf_fd",
	.maxaddr = (haddr_t)1 << 62,
	.fc_degree = H5F_CLOSE_STRONG,
	.fapl_size = sizeof(struct taf_hdf_drive *),
	.open = drive_open,
	.close = drive_close,
	.get_eoa = drive_get_end,
	.set_eoa = drive_set_end,
	.get_eof = drive_get_size,
	.read = drive_read,
	.write = drive_write,
	.truncate = drive_truncate,
	.fl_map = H5FD_FLMAP_SINGLE,
};

bool
taf_hdf_keep(int64_t list, bool group)
{
	const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;

	return (!group || H5Pset_link_creation_order(list, order) >= 0) &&
	    H5Pset_attr_creation_order(list, order) >= 0 &&
	    H5Pset_obj_track_times(list, 0) >= 0;
}

/* Attributes may be of any size by version 1.8. */
static hid_t
open_file(struct taf_hdf_drive *f, hid_t access, hid_t create)
{
	f->driver = H5FDregister(&class);
	if (access < 0 || create < 0 || f->driver < 0 ||
	    H5Pset_driver(access, f->driver, &f) < 0 ||
	    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) < 0 ||
	    !taf_hdf_keep(create, true) || (f->mode == TAF_HDF_NEW_BEHIND &&
	    H5Pset_userblock(create, TAF_HDF_BLOCK) < 0))
		return -1;
	if (f->mode >= TAF_HDF_NEW)
		return H5Fcreate("file", H5F_ACC_TRUNC, create, access);
	return H5Fopen("file", f->mode == TAF_HDF_READ ? H5F_ACC_RDONLY : H5F_ACC_RDWR,
	    access);
}

/*
 * Is it an HDF5 file, and as long as it says?  What the library fails to open then may
 * be damaged, but it is no other file, and was not cut.  (Superblock: section II.A of the
 * format's description.)
 */
static enum taf_status
look_at_superblock(struct taf_hdf_drive *f, struct taf_err *e)
{
	enum { SIGNATURE = 8, LEAST = 512, BYTES = 128 };
	const haddr_t size = size_of(f);
	unsigned char p[BYTES] = { 0 };
	unsigned width, at;
	haddr_t place = 0, end;
	char other[TAF_FOREIGN_TEXT];
	bool known = false;

	do {
		if (!read_at(f, size, place, sizeof p, p))
			return taf_hdf_drive_failed(f, e, NULL, "");
		if (memcmp(p, "\211HDF\r\n\032\n", SIGNATURE) == 0)
			break;
		known = known || (place == 0 && taf_foreign_text(p, sizeof p, other));
		place = place == 0 ? LEAST : 2 * place;
	} while (place < size);
	if (place >= size)
		return taf_fail(e, TAF_EDATA, "%s%sno HDF5 file", known ? other : "",
		    known ? ", " : "");
	/* bytes of an address; the end is behind the base address and one other */
	width = p[SIGNATURE] < 2 ? p[13] : p[9];
	at = p[SIGNATURE] == 0 ? 24 : p[SIGNATURE] == 1 ? 28 : 12;
	if (p[SIGNATURE] > 3 || (width != 4 && width != 8))
		return TAF_OK;
	at += 2 * width;
	end = width == 4 ? taf_get32(p + at, false) : taf_get64(p + at, false);
	return end <= size ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "truncated: %llu bytes of %llu",
	    (unsigned long long)size, (unsigned long long)end);
}

static enum taf_status
begin(struct taf_hdf_drive *f, struct taf_err *e)
{
	hid_t access, create;

	f->file = f->driver = -1;
	if (f->mode < TAF_HDF_NEW && look_at_superblock(f, e) != TAF_OK)
		return e->code;
	if (taf_hdf_begin(e) != TAF_OK)
		return e->code;
	access = H5Pcreate(H5P_FILE_ACCESS);
	create = H5Pcreate(H5P_FILE_CREATE);
	f->file = open_file(f, access, create);
	if (create >= 0)
		(void)H5Pclose(create);
	if (access >= 0)
		(void)H5Pclose(access);
	if (f->file >= 0)
		return TAF_OK;
	return taf_hdf_drive_close(f, taf_hdf_drive_failed(f, e, NULL,
	    f->mode >= TAF_HDF_NEW ? "cannot be made" : "a damaged HDF5 file"), e);
}

enum taf_status
taf_hdf_drive_open(struct taf_hdf_drive *f, int fd, enum taf_hdf_mode mode,
    struct taf_err *e)
{
	memset(f, 0, sizeof *f);
	f->fd = fd;
	f->mode = mode;
	return begin(f, e);
}

enum taf_status
taf_hdf_drive_read(struct taf_hdf_drive *f, const struct taf_in *in, uint64_t base,
    uint64_t size, struct taf_err *e)
{
	memset(f, 0, sizeof *f);
	f->fd = -1;
	f->in = in;
	f->base = base;
	f->size = size;
	return begin(f, e);
}

enum taf_status
taf_hdf_drive_failed(const struct taf_hdf_drive *f, struct taf_err *e, const char *place,
    const char *what)
{
	/* memory of ours, where the library has not failed */
	if (f->err.code == TAF_OK && errno == ENOMEM)
		return taf_fail_mem(e);
	if (f->err.code == TAF_OK)
		return taf_hdf_fail(e, "%s%s%s", place != NULL ? place : "",
		    place != NULL ? ": " : "", what);
	if (e->code == TAF_OK)
		*e = f->err;
	return e->code;
}

enum taf_status
taf_hdf_drive_settle(const struct taf_hdf_drive *f, enum taf_status st, const char *doubt,
    struct taf_err *e)
{
	bool memory;
	const bool troubled = taf_hdf_troubled(&memory);

	if (f->err.code != TAF_OK) {
		*e = f->err;
		return e->code;
	}
	if (memory) {
		taf_err_clear(e);
		return taf_fail_mem(e);
	}
	return troubled && st == TAF_OK && doubt != NULL ?
	    taf_fail(e, TAF_EDATA, "%s", doubt) : st;
}

enum taf_status
taf_hdf_drive_close(struct taf_hdf_drive *f, enum taf_status st, struct taf_err *e)
{
	const bool closed = f->file < 0 || H5Fclose(f->file) >= 0;
	bool memory;

	f->file = -1;
	(void)taf_hdf_troubled(&memory);
	taf_hdf_drive_drop(f);
	/* what could not be looked at was taken for what is not there */
	if (st == TAF_OK && memory)
		st = taf_fail_mem(e);
	if (st == TAF_OK && !closed)
		st = taf_hdf_drive_failed(f, e, NULL, "cannot be closed");
	if (st == TAF_OK && f->err.code != TAF_OK)
		st = taf_hdf_drive_failed(f, e, NULL, "");
	return st;
}

void
taf_hdf_drive_drop(struct taf_hdf_drive *f)
{
	if (f->file >= 0)
		(void)H5Fclose(f->file);
	if (f->driver >= 0)
		(void)H5FDunregister(f->driver);
	f->file = f->driver = -1;
}

#endif
