/* SPDX-License-Identifier: ISC */
/* link: hdf5 zlib */
#include "codec/hdf/hdf_write.h"

#include "config.h"

#include <string.h>

#ifdef HAVE_HDF5
#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/chunks.h"
#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/hdf/hdf_attr.h"
#include "codec/hdf/hdf_describe.h"
#include "codec/hdf/hdf_drive.h"
#include "codec/taf_file.h"
#include "codec/hdf/hdf_file.h"
#include "codec/hdf/hdf_scale.h"
#include "io/at.h"
#include "io/in.h"
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum taf_status
taf_hdf_put_name(const char *dataset, struct taf_err *e)
{
	const char *s = dataset + (dataset[0] == '/');
	size_t n;

	for (;; s += n + 1) {
		n = strcspn(s, "/");
		if (n == 0 || (n == 1 && s[0] == '.'))
			return taf_fail(e, TAF_EUSAGE, "\"%s\" is the name of no dataset",
			    dataset);
		if (s[n] == '\0')
			return TAF_OK;
	}
}

#ifndef HAVE_HDF5

static enum taf_status
without(struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA, "this program was built without the HDF5 library");
}

enum taf_status
taf_hdf_put_look(struct taf_hdf_put **p, const char *path, const char *dataset,
    enum taf_hdf_style style, bool force, struct taf_err *e)
{
	(void)path, (void)dataset, (void)style, (void)force;
	*p = NULL;
	return without(e);
}

enum taf_status
taf_hdf_put_begin(struct taf_hdf_put *p, const struct taf_array *a,
    const struct taf_ndarray *nd, const struct taf_hdf_storage *how,
    struct taf_hdf_way *way, struct taf_err *e)
{
	(void)p, (void)a, (void)nd, (void)how, (void)way;
	return without(e);
}

uint64_t
taf_hdf_put_extent(const struct taf_hdf_put *p, uint64_t number)
{
	(void)p, (void)number;
	return 0;
}

enum taf_status
taf_hdf_put_pack(const struct taf_hdf_put *p, struct taf_hdf_block *b, struct taf_err *e)
{
	(void)p, (void)b;
	return without(e);
}

enum taf_status
taf_hdf_put_block(struct taf_hdf_put *p, const struct taf_hdf_block *b, struct taf_err *e)
{
	(void)p, (void)b;
	return without(e);
}

enum taf_status
taf_hdf_put_commit(struct taf_hdf_put *p, struct taf_err *e)
{
	(void)p;
	return without(e);
}

void
taf_hdf_put_discard(struct taf_hdf_put *p)
{
	(void)p;
}

#else

enum { CHUNK = 1 << 20 };	/* bytes of one, where a row is not longer */

struct taf_hdf_put {
	char *path, *name;	/* name has no slash before it */
	enum taf_hdf_style style;
	size_t label;		/* of an archive: where it begins the second time */
	struct taf_in *old;	/* the file that is there, locked; NULL for none */
	bool replaces;		/* a dataset of this name */
	struct taf_out *out;
	struct taf_hdf_drive f;
	hid_t data, type;	/* data: while elements go by blocks; else -1 */
	unsigned ndim;
	hsize_t n[H5S_MAX_RANK], chunk[H5S_MAX_RANK];
	size_t size;		/* bytes of an element */
	int deflate;
	bool shuffle;
};

/* What is there already, at the end of the name. */
static enum taf_status
look_at_last(struct taf_hdf_put *p, hid_t object, bool force, struct taf_err *e)
{
	if (H5Iget_type(object) == H5I_GROUP)
		return taf_fail(e, TAF_EDATA, "%s: is a group", p->name);
	if (H5Iget_type(object) != H5I_DATASET)
		return taf_fail(e, TAF_EDATA, "%s: is a named type", p->name);
	if (!force)
		return taf_fail(e, TAF_EDATA, "%s: is there already (-f replaces it)",
		    p->name);
	if (taf_hdf_is_scale(object, e) && H5Aexists(object, "REFERENCE_LIST") > 0)
		return taf_fail(e, TAF_EDATA,
		    "%s: is a dimension scale that other datasets use", p->name);
	p->replaces = true;
	return TAF_OK;
}

/* A link on the way to the dataset, the first n bytes of its name. */
static enum taf_status
look_at(struct taf_hdf_put *p, const char *part, bool last, bool force, bool *there,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	htri_t r = H5Lexists(p->f.file, part, H5P_DEFAULT);
	H5L_info_t link;
	hid_t object;

	*there = r > 0;
	if (r == 0)
		return TAF_OK;
	if (r < 0 || H5Lget_info(p->f.file, part, &link, H5P_DEFAULT) < 0)
		return taf_hdf_drive_failed(&p->f, e, part, "cannot be looked for");
	if (link.type != H5L_TYPE_HARD)
		return taf_fail(e, TAF_EDATA, "%s: is a link of another kind than hard",
		    part);
	object = H5Oopen(p->f.file, part, H5P_DEFAULT);
	if (object < 0)
		return taf_hdf_drive_failed(&p->f, e, part, "cannot be opened");
	if (last)
		st = look_at_last(p, object, force, e);
	else if (H5Iget_type(object) != H5I_GROUP)
		st = taf_fail(e, TAF_EDATA, "%s: is no group", part);
	(void)H5Oclose(object);
	return st;
}

static enum taf_status
look_at_all(struct taf_hdf_put *p, bool force, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	bool there = true;
	char *s = p->name;

	while (st == TAF_OK && there && s != NULL) {
		s = strchr(s, '/');
		if (s != NULL)
			*s = '\0';
		st = look_at(p, p->name, s == NULL, force, &there, e);
		if (s != NULL)
			*s++ = '/';
	}
	return st;
}

/* From now on nobody changes it who asks for a lock; and it still has its name. */
static enum taf_status
lock(struct taf_hdf_put *p, struct taf_err *e)
{
	int fd = taf_in_descriptor(p->old);
	struct stat held, there;

	if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return taf_fail(e, TAF_ESYS, "another program has it open");
	if (fstat(fd, &held) != 0 || stat(p->path, &there) != 0)
		return taf_fail_sys(e, "cannot read");
	if (held.st_dev != there.st_dev || held.st_ino != there.st_ino)
		return taf_fail(e, TAF_EDATA, "another program has replaced it");
	return TAF_OK;
}

/* An array in the place of the HDF5 file: the operands have another order. */
static void
hint_order(struct taf_in *in, struct taf_err *e)
{
	const size_t used = strlen(e->text);
	struct taf_err none = { 0 };
	const unsigned char *p;
	size_t got;

	if (taf_in_peek(in, 4, &p, &got, &none) == TAF_OK && taf_sniff(p, got))
		(void)snprintf(e->text + used, sizeof e->text - used,
		    "; the array stands behind FILE and DATASET");
}

static enum taf_status
look(struct taf_hdf_put *p, bool force, struct taf_err *e)
{
	enum taf_status st;
	struct stat sb;

	if (stat(p->path, &sb) != 0)
		return errno == ENOENT ? TAF_OK : taf_fail_sys(e, "cannot read");
	if (!S_ISREG(sb.st_mode))
		return taf_fail(e, TAF_EDATA, "is no regular file");
	if (taf_in_open(&p->old, p->path, e) != TAF_OK || lock(p, e) != TAF_OK)
		return e->code;
	st = taf_hdf_drive_open(&p->f, taf_in_descriptor(p->old), TAF_HDF_READ, e);
	if (st == TAF_OK) {
		st = taf_hdf_style_look(p->style, p->f.file, p->name + p->label,
		    taf_in_descriptor(p->old), e);
		return taf_hdf_drive_close(&p->f, st == TAF_OK ?
		    look_at_all(p, force, e) : st, e);
	}
	if (st == TAF_EDATA)
		hint_order(p->old, e);
	return st;
}

/* The dataset of a record of an archive, which has its label. */
static char *
twice(const char *label)
{
	const size_t n = strlen(label);
	char *name = malloc(2 * n + 2);

	if (name != NULL) {
		memcpy(name, label, n);
		name[n] = '/';
		memcpy(name + n + 1, label, n + 1);
	}
	return name;
}

enum taf_status
taf_hdf_put_look(struct taf_hdf_put **result, const char *path, const char *dataset,
    enum taf_hdf_style style, bool force, struct taf_err *e)
{
	const bool archive = style == TAF_HDF_SDA;
	struct taf_hdf_put *p = calloc(1, sizeof *p);
	enum taf_status st = TAF_OK;

	*result = p;
	if (p == NULL)
		return taf_fail_mem(e);
	p->f.file = p->f.driver = p->data = p->type = -1;
	p->style = style;
	p->path = strdup(path);
	p->name = archive ? twice(dataset) : strdup(dataset + (dataset[0] == '/'));
	p->label = archive ? strlen(dataset) + 1 : 0;
	st = p->path != NULL && p->name != NULL ? look(p, force, e) : taf_fail_mem(e);
	taf_err_name(e, path);
	if (st != TAF_OK) {
		taf_hdf_put_discard(p);
		*result = NULL;
	}
	return st;
}

/* A file of its own beside the target, with what that holds. */
static enum taf_status
copy(struct taf_hdf_put *p, struct taf_err *e)
{
	if (taf_out_create(&p->out, p->path, e) != TAF_OK)
		return e->code;
	if (p->old == NULL) {
		taf_out_fresh(p->out);
		return TAF_OK;
	}
	taf_out_locked(p->out);
	taf_in_seek(p->old, 0);
	if (taf_out_copy(p->out, p->old, taf_in_left(p->old), e) != TAF_OK)
		return e->code;
	return taf_out_flush(p->out, e);
}

/* The group of the dataset, and its name there; groups that are missing are made. */
static hid_t
open_group(struct taf_hdf_put *p, const char **name)
{
	hid_t how = H5Pcreate(H5P_GROUP_CREATE), group = -1;
	char *s = strrchr(p->name, '/');

	*name = s != NULL ? s + 1 : p->name;
	if (how >= 0 && taf_hdf_keep(how, true))
		group = H5Gopen2(p->f.file, "/", H5P_DEFAULT);
	for (s = strchr(p->name, '/'); s != NULL && group >= 0; s = strchr(s + 1, '/')) {
		hid_t next;

		*s = '\0';
		next = H5Lexists(p->f.file, p->name, H5P_DEFAULT) > 0 ?
		    H5Gopen2(p->f.file, p->name, H5P_DEFAULT) :
		    H5Gcreate2(p->f.file, p->name, H5P_DEFAULT, how, H5P_DEFAULT);
		*s = '/';
		(void)H5Gclose(group);
		group = next;
	}
	taf_hdf_let(how);
	return group;
}

/*
 * Chunks that are one run of elements each, in their order: dimensions from the last on
 * are whole, up to one that is cut into equal parts; those before it have length 1.
 * Returned is how many they are.
 */
static uint64_t
plan_chunks(struct taf_hdf_put *p)
{
	uint64_t room = CHUNK / p->size;
	uint64_t count = 1;
	unsigned k;

	for (k = p->ndim; k-- > 0;) {
		p->chunk[k] = taf_chunks_length(p->n[k], &room);
		count *= (p->n[k] + p->chunk[k] - 1) / p->chunk[k];
	}
	return count;
}

/* How it is stored, as its list says; -1 where the library cannot do that. */
static hid_t
storage(struct taf_hdf_put *p, const struct taf_hdf_storage *how)
{
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);
	bool done = list >= 0 && taf_hdf_keep(list, false) &&
	    /* none is set; with NEVER netCDF would not look for those that are missing */
	    H5Pset_fill_time(list, H5D_FILL_TIME_IFSET) >= 0;

	if (how->deflate < 0 || p->ndim == 0)
		done = done && H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) >= 0;
	else
		done = done && H5Pset_chunk(list, (int)p->ndim, p->chunk) >= 0 &&
		    (!how->shuffle || H5Pset_shuffle(list) >= 0) &&
		    H5Pset_deflate(list, (unsigned)how->deflate) >= 0;
	if (!done && list >= 0)
		(void)H5Pclose(list);
	return done ? list : -1;
}

/* What is said of the array. */
static enum taf_status
describe(struct taf_hdf_put *p, const struct taf_array *a,
    const struct taf_hdf_styled *s, struct taf_err *e)
{
	const struct taf_buf *c = &a->comment;
	const bool netcdf = p->style == TAF_HDF_NETCDF;

	if ((netcdf && !taf_hdf_packing(p->data, a)) || (!netcdf &&
	    !taf_hdf_style_describe(s)) || (c->len > 0 && p->style != TAF_HDF_SDA &&
	    !taf_hdf_attr_text(p->data, "comment", c->data, c->len)))
		return taf_hdf_drive_failed(&p->f, e, p->name, "cannot be described");
	return taf_hdf_attrs(&p->f, p->data, a, 0, e);
}

/* The dataset that is in its place. */
static enum taf_status
drop_old(struct taf_hdf_put *p, hid_t group, const char *name, struct taf_err *e)
{
	struct taf_hdf_user old = { .f = &p->f, .group = group, .name = name };
	enum taf_status st;

	if (!p->replaces)
		return TAF_OK;
	old.data = H5Dopen2(group, name, H5P_DEFAULT);
	if (old.data < 0)
		return taf_hdf_drive_failed(&p->f, e, p->name, "cannot be opened");
	st = taf_hdf_scales_drop(&old, e);
	(void)H5Dclose(old.data);
	if (st == TAF_OK && H5Ldelete(group, name, H5P_DEFAULT) < 0)
		st = taf_hdf_drive_failed(&p->f, e, p->name, "cannot be replaced");
	return st;
}

static enum taf_status
make(struct taf_hdf_put *p, const struct taf_array *a, const struct taf_hdf_storage *how,
    enum taf_type type, hid_t list, struct taf_err *e)
{
	struct taf_hdf_user user = { .f = &p->f, .a = a, .reverse = how->reverse };
	struct taf_hdf_styled s = { .style = p->style, .file = p->f.file, .a = a,
		.type = type, .new = p->old == NULL, .deflate = how->deflate,
		.date = how->date };
	hid_t space = p->ndim > 0 ? H5Screate_simple((int)p->ndim, p->n, NULL) :
	    H5Screate(H5S_SCALAR);
	enum taf_status st;

	user.group = open_group(p, &user.name);
	if (user.group < 0)
		st = taf_hdf_drive_failed(&p->f, e, p->name, "its group cannot be made");
	else
		st = drop_old(p, user.group, user.name, e);
	if (st == TAF_OK)
		p->data = H5Dcreate2(user.group, user.name, p->type, space, H5P_DEFAULT,
		    list, H5P_DEFAULT);
	user.data = p->data;
	s.group = user.group;
	s.data = p->data;
	if (st == TAF_OK && p->data < 0)
		st = taf_hdf_drive_failed(&p->f, e, p->name, "cannot be made");
	if (st == TAF_OK)
		st = describe(p, a, &s, e);
	if (st == TAF_OK && p->ndim > 0 && p->style == TAF_HDF_NETCDF)
		st = taf_hdf_scales_add(&user, e);
	taf_hdf_let(user.group);
	taf_hdf_let(space);
	return st;
}

/* Elements that are not packed are written as bytes of the file. */
static enum taf_status
settle(struct taf_hdf_put *p, bool blocks, uint64_t count, struct taf_err *e)
{
	haddr_t at;

	if (blocks)
		return TAF_OK;
	at = H5Dget_offset(p->data);
	if (H5Dclose(p->data) < 0 || (at == HADDR_UNDEF && count > 0))
		return taf_hdf_drive_failed(&p->f, e, p->name,
		    "has no place in the file");
	p->data = -1;
	if (taf_hdf_drive_close(&p->f, TAF_OK, e) != TAF_OK)
		return e->code;
	return count > 0 ? taf_out_seek(p->out, at, e) : TAF_OK;
}

/* Can there be such a dataset? */
static enum taf_status
check(const struct taf_array *a, const struct taf_hdf_storage *how, struct taf_err *e)
{
	if (a->ndim > H5S_MAX_RANK)
		return taf_fail(e, TAF_EDATA, "%u dimensions, HDF5 has at most %d",
		    a->ndim, (int)H5S_MAX_RANK);
	if (a->comment.len > 0 && a->comment.data[a->comment.len - 1] == '\0')
		return taf_fail(e, TAF_EDATA, "its comment ends in a NUL");
#ifndef HAVE_ZLIB
	if (how->deflate >= 0)
		return taf_fail(e, TAF_EDATA, "this program was built without zlib");
#endif
	(void)how;
	return TAF_OK;
}

/* Bytes of a block that is whole, as all are in the file. */
static size_t
whole(const struct taf_hdf_put *p)
{
	size_t bytes = p->size;
	unsigned k;

	for (k = 0; k < p->ndim; k++)
		bytes *= (size_t)p->chunk[k];
	return bytes;
}

static size_t
room_of_block(const struct taf_hdf_put *p)
{
#ifdef HAVE_ZLIB
	return compressBound((uLong)whole(p));
#else
	return whole(p);
#endif
}

/* What stands before the HDF5 file in a new one of MATLAB. */
static enum taf_status
put_block(struct taf_hdf_put *p, struct taf_err *e)
{
	unsigned char block[TAF_HDF_BLOCK];

	taf_hdf_style_block(block);
	return taf_write_at(taf_out_descriptor(p->out), block, sizeof block, 0, e);
}

/* Its lengths by index; MATLAB has no fewer than two; the second is the first index. */
static void
set_lengths(struct taf_hdf_put *p, const struct taf_array *a,
    const struct taf_ndarray *nd)
{
	const bool matlab = p->style != TAF_HDF_NETCDF;
	unsigned k;

	p->ndim = !matlab && taf_hdf_is_scalar(a) ? 0 : nd->ndim;
	for (k = 0; k < p->ndim; k++)
		p->n[k] = nd->n[k];
	if (matlab && p->ndim == 1) {
		p->n[1] = p->n[0];
		p->n[0] = 1;
		p->ndim = 2;
	}
}

enum taf_status
taf_hdf_put_begin(struct taf_hdf_put *p, const struct taf_array *a,
    const struct taf_ndarray *nd, const struct taf_hdf_storage *how,
    struct taf_hdf_way *way, struct taf_err *e)
{
	const struct taf_hdf_type pair = { .type = nd->type, .matlab = true };
	hid_t list = -1;
	enum taf_status st;

	if (check(a, how, e) != TAF_OK || taf_hdf_style_check(p->style, a,
	    how->deflate >= 0, e) != TAF_OK)
		return e->code;
	st = copy(p, e);
	set_lengths(p, a, nd);
	p->size = taf_type_size(nd->type);
	p->deflate = how->deflate;
	p->shuffle = how->shuffle;
	way->blocks = plan_chunks(p);
	way->room = room_of_block(p);
	if (st == TAF_OK)
		st = taf_hdf_drive_open(&p->f, taf_out_descriptor(p->out), p->old !=
		    NULL ? TAF_HDF_CHANGE : p->style == TAF_HDF_MATLAB ?
		    TAF_HDF_NEW_BEHIND : TAF_HDF_NEW, e);
	if (st == TAF_OK && p->old == NULL && p->style == TAF_HDF_MATLAB)
		st = put_block(p, e);
	if (st == TAF_OK) {
		p->type = p->style == TAF_HDF_MATLAB && taf_type_is_pair(nd->type) ?
		    taf_hdf_read_type(-1, &pair) : taf_hdf_memory_type(nd->type);
		list = storage(p, how);
		st = p->type >= 0 && list >= 0 ? make(p, a, how, nd->type, list, e) :
		    taf_hdf_drive_failed(&p->f, e, p->name,
		    "the library cannot store it so");
	}
	taf_hdf_let(list);
	if (st == TAF_OK)
		st = settle(p, how->deflate >= 0 && p->ndim > 0, taf_array_count(a), e);
	way->out = p->data < 0 ? p->out : NULL;
	taf_err_name(e, p->path);
	return st;
}

/* Where a block begins, and how many elements it has. */
static uint64_t
place(const struct taf_hdf_put *p, uint64_t number, hsize_t at[H5S_MAX_RANK])
{
	uint64_t count = 1, parts, left;
	unsigned k;

	for (k = p->ndim; k-- > 0; number /= parts) {
		parts = (p->n[k] + p->chunk[k] - 1) / p->chunk[k];
		at[k] = number % parts * p->chunk[k];
		left = p->n[k] - at[k];
		count *= left < p->chunk[k] ? left : p->chunk[k];
	}
	return count;
}

uint64_t
taf_hdf_put_extent(const struct taf_hdf_put *p, uint64_t number)
{
	hsize_t at[H5S_MAX_RANK];

	return place(p, number, at);
}

/* First bytes of all n elements, then all second ones, ... (the library's shuffle). */
static void
shuffle(unsigned char *to, const unsigned char *from, size_t size, size_t n)
{
	size_t k, i;

	for (k = 0; k < size; k++)
		for (i = 0; i < n; i++)
			*to++ = from[i * size + k];
}

enum taf_status
taf_hdf_put_pack(const struct taf_hdf_put *p, struct taf_hdf_block *b, struct taf_err *e)
{
	const size_t all = whole(p), part = (size_t)b->n * p->size;
	unsigned char *from = b->elements;
#ifdef HAVE_ZLIB
	uLongf bytes = (uLongf)room_of_block(p);
#endif

	memset(from + part, 0, all - part);
	if (p->shuffle) {
		shuffle(b->packed, from, p->size, all / p->size);
		b->elements = b->packed;
		b->packed = from;
		from = b->elements;
	}
#ifdef HAVE_ZLIB
	if (compress2(b->packed, &bytes, from, (uLong)all, p->deflate) != Z_OK)
		return taf_fail_mem(e);
	b->bytes = bytes;
#endif
	(void)e;
	return TAF_OK;
}

enum taf_status
taf_hdf_put_block(struct taf_hdf_put *p, const struct taf_hdf_block *b, struct taf_err *e)
{
	hsize_t at[H5S_MAX_RANK];

	(void)place(p, b->number, at);
	/* each thread has its own way to hear of failures */
	if (taf_hdf_begin(e) == TAF_OK && H5Dwrite_chunk(p->data, H5P_DEFAULT, 0, at,
	    b->bytes, b->packed) >= 0 && p->f.err.code == TAF_OK)
		return TAF_OK;
	taf_err_name(e, p->path);
	return e->code != TAF_OK ? e->code :
	    taf_hdf_drive_failed(&p->f, e, p->name, "cannot be written");
}

/* Everything but the file itself. */
static void
release(struct taf_hdf_put *p)
{
	taf_hdf_let(p->type);
	taf_in_close(p->old);
	free(p->path);
	free(p->name);
	free(p);
}

enum taf_status
taf_hdf_put_commit(struct taf_hdf_put *p, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (p->f.file >= 0)
		st = taf_hdf_drive_close(&p->f, TAF_OK, e);
	if (st == TAF_OK && p->old != NULL)
		st = taf_in_unchanged(p->old, e);
	if (st == TAF_OK && p->old != NULL)
		st = lock(p, e);
	if (st == TAF_OK)
		st = taf_out_commit(p->out, e);
	else
		taf_out_discard(p->out);
	taf_err_name(e, p->path);
	release(p);
	return st;
}

void
taf_hdf_put_discard(struct taf_hdf_put *p)
{
	struct taf_err e = { 0 };

	if (p == NULL)
		return;
	if (p->f.file >= 0 && taf_hdf_drive_close(&p->f, TAF_OK, &e) != TAF_OK)
		taf_err_clear(&e);
	taf_out_discard(p->out);
	release(p);
}

#endif
