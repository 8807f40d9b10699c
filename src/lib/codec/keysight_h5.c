/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
/*
 * There is no document; the layout is that of files of Infiniium oscilloscopes, and as
 * SMASH and SLAM read it.
 */
#include "codec/capture.h"

#include "config.h"

#include <string.h>

#ifdef HAVE_HDF5
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "codec/hdf/hdf_drive.h"
#include "codec/hdf/hdf_file.h"
#endif

static bool
is_hdf5(const unsigned char *p, size_t n)
{
	return n >= 8 && memcmp(p, "\211HDF\r\n\032\n", 8) == 0;
}

bool
taf_keysight_h5_sniff(const unsigned char *p, size_t n)
{
	return taf_keysight_sniff(p, n) || is_hdf5(p, n);
}

#ifndef HAVE_HDF5

static enum taf_status
decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	(void)c, (void)in;
	return taf_fail(e, TAF_EDATA,
	    "an HDF5 file (*.h5), which this program was built without the library for");
}

#else

enum {
	BLOCK = 64 * 1024,	/* samples read at a time */
	RATIO = 1100,		/* deflate does not make more of a byte than this */
	NAME = 300,
	TEXT = 256
};

/* A dataset: a source, or one segment of it. */
struct source {
	char *group, *name;
	uint64_t segment;	/* 0: not segmented */
};

struct h5 {
	struct taf_hdf_drive drive;
	struct source *source;
	size_t n;
};

/* Digits count as the number they are, so that 2 comes before 10. */
static int
natural_order(const char *a, const char *b)
{
	while (*a != '\0' && *b != '\0') {
		size_t m = strspn(a, "0123456789"), n = strspn(b, "0123456789");
		int d;

		if (m > 0 && n > 0) {
			for (; m > 1 && *a == '0'; m--)
				a++;
			for (; n > 1 && *b == '0'; n--)
				b++;
			d = m != n ? (m < n ? -1 : 1) : memcmp(a, b, m);
			if (d != 0)
				return d;
			a += m;
			b += n;
			continue;
		}
		if (*a != *b)
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		a++;
		b++;
	}
	return (*a != '\0') - (*b != '\0');
}

static int
by_source(const void *a, const void *b)
{
	const struct source *x = a, *y = b;
	int d = natural_order(x->group, y->group);

	if (d == 0)
		d = strcmp(x->group, y->group);
	return d != 0 ? d : x->segment < y->segment ? -1 : x->segment > y->segment;
}

static bool
has_link(hid_t at, const char *name)
{
	H5L_info_t info;

	return H5Lexists(at, name, H5P_DEFAULT) > 0 &&
	    H5Lget_info(at, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

/*
 * What a number in the file is here, ours and the library's; false where it is not one as
 * processors have them.  A type whose bits lie outside its bytes makes the library
 * (1.10.8 at least) write outside of its own.
 */
static bool
number_type(hid_t stored, enum taf_type *type, hid_t *memory)
{
	const hid_t natives[] = {
		[TAF_INT8] = H5T_NATIVE_INT8, [TAF_UINT8] = H5T_NATIVE_UINT8,
		[TAF_INT16] = H5T_NATIVE_INT16, [TAF_UINT16] = H5T_NATIVE_UINT16,
		[TAF_INT32] = H5T_NATIVE_INT32, [TAF_UINT32] = H5T_NATIVE_UINT32,
		[TAF_INT64] = H5T_NATIVE_INT64, [TAF_UINT64] = H5T_NATIVE_UINT64,
		[TAF_FLT32] = H5T_NATIVE_FLOAT, [TAF_FLT64] = H5T_NATIVE_DOUBLE,
	};
	const H5T_class_t class = H5Tget_class(stored);
	struct taf_err ignored = { 0 };
	struct taf_hdf_type t;

	if ((class != H5T_INTEGER && class != H5T_FLOAT) ||
	    taf_hdf_type(stored, &t, &ignored) != TAF_OK || t.half)
		return false;
	*type = t.type;
	*memory = natives[t.type];
	return true;
}

/* A number or a text among the attributes; false where it is none. */
static bool
get_number(hid_t object, const char *name, double *v)
{
	struct taf_hdf_opened a;
	enum taf_type type;
	hid_t memory;
	bool good;

	if (!taf_hdf_attr_open(object, name, &a))
		return false;
	good = a.type >= 0 && a.n == 1 && number_type(a.type, &type, &memory) &&
	    H5Aread(a.attr, H5T_NATIVE_DOUBLE, v) >= 0;
	taf_hdf_attr_close(&a);
	return good;
}

static bool
get_text(hid_t object, const char *name, char text[TEXT + 1])
{
	struct taf_hdf_opened a;
	char *heap = NULL;
	bool good;

	memset(text, 0, TEXT + 1);
	if (!taf_hdf_attr_open(object, name, &a))
		return false;
	good = a.type >= 0 && a.n == 1 && H5Tget_class(a.type) == H5T_STRING;
	if (good && H5Tis_variable_str(a.type) > 0) {
		good = H5Aread(a.attr, a.type, &heap) >= 0 && heap != NULL &&
		    strlen(heap) <= TEXT;
		if (good)
			strcpy(text, heap);
		(void)H5free_memory(heap);
	} else {
		good = good && H5Tget_size(a.type) <= TEXT &&
		    H5Aread(a.attr, a.type, text) >= 0;
	}
	taf_hdf_attr_close(&a);
	return good;
}

/* Which segment of its group a dataset is: 0 for the whole, false where it is neither. */
static bool
parse_name(const char *group, const char *name, uint64_t *segment)
{
	size_t g = strlen(group), n = strlen(name);

	if (n < g + 4 || memcmp(name, group, g) != 0 || strcmp(name + n - 4, "Data") != 0)
		return false;
	*segment = 0;
	if (n == g + 4)
		return true;
	return n > g + 8 && memcmp(name + g, " Seg", 4) == 0 &&
	    taf_parse_u64(name + g + 4, n - g - 8, segment) && *segment > 0;
}

/* The walk through /Waveforms. */
struct walk {
	struct taf_capture *c;
	struct h5 *h;
	const char *group;	/* the present one, of /Waveforms */
	struct taf_err *e;
};

static enum taf_status
add_source(const struct walk *w, const char *name, uint64_t segment)
{
	struct h5 *h = w->h;
	struct source *s;

	if ((h->n & (h->n - 1)) == 0) {
		s = realloc(h->source, (h->n != 0 ? 2 * h->n : 1) * sizeof *s);
		if (s == NULL)
			return taf_fail_mem(w->e);
		h->source = s;
	}
	s = &h->source[h->n++];
	*s = (struct source){ strdup(w->group), strdup(name), segment };
	return s->group != NULL && s->name != NULL ? TAF_OK : taf_fail_mem(w->e);
}

/* A dataset of a group.  Links to elsewhere are passed over: they would name files. */
static herr_t
note_source(hid_t group, const char *name, const H5L_info_t *info, void *to)
{
	const struct walk *w = to;
	uint64_t segment;

	(void)group;
	if (info->type == H5L_TYPE_HARD && parse_name(w->group, name, &segment))
		return add_source(w, name, segment) == TAF_OK ? 0 : -1;
	w->c->left[TAF_LEFT_OBJECTS]++;
	return 0;
}

static herr_t
note_group(hid_t waves, const char *name, const H5L_info_t *info, void *to)
{
	struct walk *w = to;
	const size_t before = w->h->n;
	hid_t g = info->type == H5L_TYPE_HARD ? H5Gopen2(waves, name, H5P_DEFAULT) : -1;
	double segments;

	/* what is no group is nothing of ours */
	if (g < 0) {
		w->c->left[TAF_LEFT_OBJECTS]++;
		return 0;
	}
	w->group = name;
	if (H5Literate(g, H5_INDEX_NAME, H5_ITER_INC, NULL, note_source, w) < 0 &&
	    w->e->code == TAF_OK)
		(void)taf_fail(w->e, TAF_EDATA, "%s: cannot be listed", name);
	if (w->e->code == TAF_OK && get_number(g, "NumSegments", &segments) &&
	    segments > 1 && (double)(w->h->n - before) < segments)
		(void)taf_fail(w->e, TAF_EDATA, "%s: %zu datasets, but %ld segments",
		    name, w->h->n - before, (long)segments);
	taf_hdf_let(g);
	return w->e->code == TAF_OK ? 0 : -1;
}

static enum taf_status
list_sources(struct taf_capture *c, struct h5 *h, struct taf_err *e)
{
	struct walk w = { c, h, NULL, e };
	double wanted;
	hid_t waves;

	waves = has_link(h->drive.file, "Waveforms") ?
	    H5Gopen2(h->drive.file, "Waveforms", H5P_DEFAULT) : -1;
	if (waves < 0)
		return taf_fail(e, TAF_EDATA,
		    "an HDF5 file without /Waveforms, not a Keysight capture (hdf2taf reads its datasets)");
	if (H5Literate(waves, H5_INDEX_NAME, H5_ITER_INC, NULL, note_group, &w) < 0 &&
	    e->code == TAF_OK)
		(void)taf_fail(e, TAF_EDATA, "/Waveforms: cannot be listed");
	if (e->code == TAF_OK && h->n == 0)
		(void)taf_fail(e, TAF_EDATA, "/Waveforms: no data");
	if (e->code == TAF_OK && get_number(waves, "NumWaveforms", &wanted) &&
	    (double)h->n < wanted)
		(void)taf_fail(e, TAF_EDATA, "/Waveforms: %zu datasets, not %ld", h->n,
		    (long)wanted);
	if (e->code == TAF_OK)
		qsort(h->source, h->n, sizeof h->source[0], by_source);
	taf_hdf_let(waves);
	return e->code;
}

/* What a record is made from. */
struct handles {
	hid_t group, data, type, space, list;
	enum taf_type sample;
	hid_t memory;		/* the library's name of it */
	hsize_t n;
};

static void
close_source(struct handles *h)
{
	taf_hdf_let(h->list);
	taf_hdf_let(h->space);
	taf_hdf_let(h->type);
	taf_hdf_let(h->data);
	taf_hdf_let(h->group);
}

/* Bytes of a chunk of the dataset; 0 where it has none. */
static uint64_t
chunk_bytes(const struct handles *h)
{
	hsize_t n = 0;
	uint64_t bytes;

	if (H5Pget_layout(h->list) != H5D_CHUNKED || H5Pget_chunk(h->list, 1, &n) != 1)
		return 0;
	return taf_mul(n, H5Tget_size(h->type), &bytes) ? bytes : UINT64_MAX;
}

/* What a dataset takes must be in proportion to what is stored of it. */
static enum taf_status
check_size(const struct taf_capture *c, const struct handles *h, const char *name,
    struct taf_err *e)
{
	uint64_t stored = H5Dget_storage_size(h->data), bytes, most;

	if (H5Pget_external_count(h->list) != 0 || H5Pget_layout(h->list) == H5D_VIRTUAL)
		return taf_fail(e, TAF_EDATA, "%s: its data are in another file", name);
	if (!taf_mul(h->n, H5Tget_size(h->type), &bytes) ||
	    !taf_mul(stored < c->size ? stored : c->size, RATIO, &most) || bytes > most ||
	    chunk_bytes(h) > c->size * RATIO)
		return taf_fail(e, TAF_EDATA,
		    "%s: %llu samples, but %llu bytes are stored", name,
		    (unsigned long long)h->n, (unsigned long long)stored);
	if (taf_hdf_undefined(h->data, NULL))
		return taf_fail(e, TAF_EDATA, "%s: samples that were never written",
		    name);
	return TAF_OK;
}

static enum taf_status
open_source(const struct taf_capture *c, const struct source *s, struct handles *h,
    struct taf_err *e)
{
	const struct h5 *f = c->state;
	char path[NAME];
	enum taf_status st = TAF_OK;
	hid_t access;
	int n;

	h->group = h->data = h->type = h->space = h->list = -1;
	n = snprintf(path, sizeof path, "/Waveforms/%s", s->group);
	if (n < 0 || (size_t)n >= sizeof path)
		return taf_fail(e, TAF_EDATA, "a name of more than %d bytes", (int)NAME);
	h->group = H5Gopen2(f->drive.file, path, H5P_DEFAULT);
	if (h->group >= 0)
		h->data = H5Dopen2(h->group, s->name, H5P_DEFAULT);
	if (h->data >= 0) {
		h->list = H5Dget_create_plist(h->data);
		h->type = H5Dget_type(h->data);
		h->space = H5Dget_space(h->data);
	}
	if (h->list < 0 || h->type < 0 || h->space < 0)
		st = taf_fail(e, TAF_EDATA, "%s: cannot be opened", s->name);
	else if (H5Sget_simple_extent_ndims(h->space) != 1 ||
	    H5Sget_simple_extent_dims(h->space, &h->n, NULL) != 1)
		st = taf_fail(e, TAF_EDATA, "%s: %d dimensions, not 1", s->name,
		    H5Sget_simple_extent_ndims(h->space));
	else if (!number_type(h->type, &h->sample, &h->memory))
		st = taf_fail(e, TAF_EDATA, "%s: its samples are no plain numbers",
		    s->name);
	else
		st = check_size(c, h, s->name, e);
	/* again, with a cache for the chunk that is read, so that it is unpacked once */
	if (st == TAF_OK && chunk_bytes(h) > 0) {
		access = H5Pcreate(H5P_DATASET_ACCESS);
		(void)H5Pset_chunk_cache(access, 1, (size_t)chunk_bytes(h), 1);
		(void)H5Dclose(h->data);
		h->data = H5Dopen2(h->group, s->name, access);
		(void)H5Pclose(access);
		if (h->data < 0)
			st = taf_fail(e, TAF_EDATA, "%s: cannot be opened", s->name);
	}
	if (st != TAF_OK)
		close_source(h);
	return st;
}

/* A text of the compound dataset /Frame/TheFrame, as an attribute. */
static void
put_member(hid_t frame, hid_t type, const char *member, const char *key,
    struct taf_record *r)
{
	int i = H5Tget_member_index(type, member);
	hid_t text = i >= 0 ? H5Tget_member_type(type, (unsigned)i) : -1, memory = -1;
	char value[TEXT + 1] = { 0 };

	if (text >= 0 && H5Tget_class(text) == H5T_STRING &&
	    H5Tis_variable_str(text) == 0 && H5Tget_size(text) <= TEXT)
		memory = H5Tcreate(H5T_COMPOUND, H5Tget_size(text));
	if (memory >= 0 && H5Tinsert(memory, member, 0, text) >= 0 &&
	    H5Dread(frame, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0)
		taf_record_text(r, key, value, TEXT);
	taf_hdf_let(memory);
	taf_hdf_let(text);
}

static void
put_frame(const struct h5 *h, struct taf_record *r)
{
	hid_t frame = -1, type, space;

	if (has_link(h->drive.file, "Frame") && has_link(h->drive.file, "Frame/TheFrame"))
		frame = H5Dopen2(h->drive.file, "Frame/TheFrame", H5P_DEFAULT);
	if (frame < 0)
		return;
	type = H5Dget_type(frame);
	space = H5Dget_space(frame);
	if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_COMPOUND &&
	    H5Sget_simple_extent_npoints(space) == 1) {
		put_member(frame, type, "Model", "instrument", r);
		put_member(frame, type, "Serial", "serial", r);
		put_member(frame, type, "Date", "date", r);
	}
	taf_hdf_let(space);
	taf_hdf_let(type);
	taf_hdf_let(frame);
}

static void
put_attributes(const struct h5 *f, const struct source *s, const struct handles *h,
    struct taf_record *r)
{
	char text[TEXT + 1];
	double v;

	put_frame(f, r);
	taf_record_text(r, "channel", s->group, strlen(s->group));
	if (s->segment > 0)
		taf_record_number(r, "segment", (double)s->segment);
	if (s->segment > 0 && get_number(h->data, "SegmentedTimeTag", &v))
		taf_record_number(r, "time_tag", v);
	if (get_text(h->group, "YUnits", text))
		taf_record_text(r, "unit", strcmp(text, "Volt") == 0 ? "V" : text, TEXT);
	if (!get_text(h->group, "XUnits", text) || strcmp(text, "Second") == 0)
		text[0] = '\0';
	taf_record_axis(r, text, TEXT);
}

static enum taf_status
look_at_record(const struct taf_capture *c, uint64_t k, struct taf_record *r,
    struct taf_err *e)
{
	const struct h5 *f = c->state;
	const struct source *s = &f->source[k];
	double start, step, own, n;
	struct handles h;
	enum taf_status st = TAF_OK;

	if (open_source(c, s, &h, e) != TAF_OK)
		return e->code;
	if (!get_number(h.group, "XOrg", &start) || !get_number(h.group, "XInc", &step))
		st = taf_fail(e, TAF_EDATA, "%s: no XOrg and XInc", s->group);
	if (st == TAF_OK && s->segment == 0 && get_number(h.group, "NumPoints", &n) &&
	    (double)h.n < n)
		st = taf_fail(e, TAF_ETRUNC, "%s: %llu samples, but NumPoints is %.0f",
		    s->name, (unsigned long long)h.n, n);
	if (st == TAF_OK) {
		if (s->segment > 0 && get_number(h.data, "SegmentedXOrg", &own))
			start = own;
		taf_record_shape(r, h.sample, h.n, 1, start, step);
		r->packed = true;
		/* floats are in volts already */
		if (taf_type_is_int(h.sample) &&
		    (!get_number(h.group, "YOrg", &r->array.intercept) ||
		    !get_number(h.group, "YInc", &r->array.slope) ||
		    !taf_array_mapped(&r->array)))
			st = taf_fail(e, TAF_EDATA, "%s: no YOrg and YInc", s->group);
	}
	if (st == TAF_OK)
		put_attributes(f, s, &h, r);
	close_source(&h);
	return st;
}

/* What is not there for the library may be what could not be read. */
static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	const struct h5 *f = c->state;
	bool ignored;

	(void)taf_hdf_troubled(&ignored);
	return taf_hdf_drive_settle(&f->drive, look_at_record(c, k, r, e), NULL, e);
}

static enum taf_status
unpack_samples(const struct taf_capture *c, uint64_t k, const struct taf_record *r,
    struct taf_out *out, struct taf_err *e)
{
	const struct h5 *f = c->state;
	size_t size = taf_type_size(r->stored);
	struct handles h;
	enum taf_status st = TAF_OK;
	hsize_t at = 0;
	hid_t memory;
	void *block;

	if (open_source(c, &f->source[k], &h, e) != TAF_OK)
		return e->code;
	block = taf_alloc(BLOCK, size);
	if (block == NULL)
		st = taf_fail_mem(e);
	while (st == TAF_OK && at < h.n) {
		hsize_t part = h.n - at < BLOCK ? h.n - at : BLOCK;

		memory = H5Screate_simple(1, &part, NULL);
		if (memory < 0 || H5Sselect_hyperslab(h.space, H5S_SELECT_SET, &at, NULL,
		    &part, NULL) < 0 || H5Dread(h.data, h.memory, memory, h.space,
		    H5P_DEFAULT, block) < 0)
			st = taf_fail(e, TAF_EDATA,
			    "%s: samples from %llu on cannot be read", f->source[k].name,
			    (unsigned long long)at + 1);
		taf_hdf_let(memory);
		if (st == TAF_OK)
			st = taf_out_write(out, block, (size_t)part * size, e);
		at += part;
	}
	free(block);
	close_source(&h);
	return st;
}

static enum taf_status
unpack(const struct taf_capture *c, uint64_t k, const struct taf_record *r,
    struct taf_out *out, struct taf_err *e)
{
	const struct h5 *f = c->state;
	bool ignored;

	(void)taf_hdf_troubled(&ignored);
	return taf_hdf_drive_settle(&f->drive, unpack_samples(c, k, r, out, e), NULL, e);
}

static void
release(void *state)
{
	struct h5 *h = state;
	size_t i;

	for (i = 0; i < h->n; i++) {
		free(h->source[i].group);
		free(h->source[i].name);
	}
	free(h->source);
	taf_hdf_drive_drop(&h->drive);
	free(h);
}

static enum taf_status
decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	struct h5 *h = taf_capture_begin(c, in, sizeof *h, describe, e);
	enum taf_status st;

	if (h == NULL)
		return TAF_ESYS;
	h->drive.file = h->drive.driver = -1;
	c->release = release;
	c->unpack = unpack;
	if (taf_hdf_drive_read(&h->drive, c->in, c->base, c->size, e) != TAF_OK)
		return e->code;
	st = taf_hdf_drive_settle(&h->drive, list_sources(c, h, e), NULL, e);
	c->nrecords = h->n;
	return st;
}

#endif

enum taf_status
taf_keysight_h5_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	unsigned char p[8];
	size_t got;

	taf_capture_init(c, in);
	if (taf_capture_peek(c, 0, p, sizeof p, &got, e) != TAF_OK)
		return e->code;
	return is_hdf5(p, got) ? decode(c, in, e) : taf_keysight_decode(c, in, e);
}
