/* SPDX-License-Identifier: ISC */
/* link: hdf5 zlib */
/*
 * Datasets that are put into an HDF5 file: four bytes say what array it is and how it is
 * stored, those behind them are the file, none of them that there is none yet.
 */
#include <sys/file.h>
#include <sys/resource.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/hdf/hdf.h"
#include "codec/hdf/hdf_write.h"
#include "config.h"
#include "hdf_options.h"
#include "set_attr.h"
#include "target.h"

enum { MEMORY = 1 << 22, MANY = 300000, RECIPE = 4 };

#ifdef HAVE_HDF5

/* The second byte of a recipe: what is said of the array. */
enum { GRID = 1, LABELS = 2, ATTRS = 4, MAPPED = 8, COMMENT = 16, LONG = 32, TAKEN = 64,
	EMPTY = 128 };

/* The third: how it is stored; and what goes wrong between the first look and the end. */
enum { DEFLATE = 1, SHUFFLE = 2, REVERSE = 4, FORCE = 8, GROWS = 16, LOCKED = 32,
	REPLACED = 64, TORN = 128 };

/* The fourth is the name, the style, and that no file gets longer than a few bytes. */
enum { NAME = 31, STYLE = 32, FULL = 128, ROOM = 64 };

static const char *const names[] = { "x", "g/x", "/a/b/c", "i32", "grp/deep/f64", "x/y",
	"soft", "type", "lat", "temp", "time", "group" };

static char folder[] = "/tmp/fuzz_hdf_put.XXXXXX", path[64], aside[64];

static void
leave(void)
{
	(void)unlink(path);
	(void)unlink(aside);
	(void)rmdir(folder);
}

static void
enter(void)
{
	if (path[0] != '\0')
		return;
	must(mkdtemp(folder) != NULL);
	(void)snprintf(path, sizeof path, "%s/file.h5", folder);
	(void)snprintf(aside, sizeof aside, "%s/aside", folder);
	must(atexit(leave) == 0);
}

static void
store(const char *to, const uint8_t *data, size_t size)
{
	FILE *f = fopen(to, "wb");

	must(f != NULL && fwrite(data, 1, size, f) == size && fclose(f) == 0);
}

static void
set_attrs(struct taf_array *a)
{
	struct taf_err e = { 0 };

	set(a, "unit", 0, "mV", false);
	set(a, "label", 0, "Spannung \303\274ber", false);
	set(a, "hdf/note", 0, "", false);
	set(a, "hdf/count", 0, "1,2,3", true);
	set(a, "hdftype/count", 0, "uint16", true);
	set(a, "hdf/low", 0, "-5", true);
	set(a, "hdftype/low", 0, "int8", true);
	set(a, "hdf/high", 0, "300", true);
	set(a, "hdftype/high", 0, "uint8", true);
	set(a, "hdf/short", 0, "1.5,-2.5", true);
	set(a, "hdftype/short", 0, "flt32", true);
	set(a, "hdf/odd", 0, "1,two", true);
	set(a, "hdf/valid_max", 0, "7", true);
	set(a, "hdf/_FillValue", 0, "9", true);
	set(a, "hdf/units", 0, "s", false);
	set(a, "hdf/NAME", 0, "n", false);
	set(a, "hdf/lines", 0, "one\n\nthree", false);
	set(a, "hdftype/lines", 0, "string[3]", false);
	set(a, "hdf/fixed", 0, "one\ntwo", false);
	set(a, "hdftype/fixed", 0, "text[1,2]", false);
	set(a, "hdf/escaped", 0, "a%00b", false);
	set(a, "hdftype/escaped", 0, "text escaped", false);
	set(a, "hdf/nothing", 0, "", false);
	set(a, "hdftype/nothing", 0, "text[]", false);
	set(a, "hdf/fewer", 0, "one", false);
	set(a, "hdftype/fewer", 0, "text[2]", false);
	set(a, "hdf/table", 0, "1,2,3,4,5,6", true);
	set(a, "hdftype/table", 0, "int16[2,3]", true);
	set(a, "hdf/none", 0, "", true);
	set(a, "hdftype/none", 0, "flt32[0]", true);
	set(a, "hdf/broken", 0, "1", true);
	set(a, "hdftype/broken", 0, "int16[2,", true);
	set(a, "hdf/unknown", 0, "1", true);
	set(a, "hdftype/unknown", 0, "complex", true);
	set(a, "hdf/large", 0, "1e300", true);
	set(a, "hdftype/large", 0, "flt32", true);
	set(a, "hdf/fraction", 0, "1.5", true);
	set(a, "hdftype/fraction", 0, "int16", true);
	set(a, "hdf/missing_value", 0, "1e300", true);
	/* it would change the type of signed integers */
	if (!taf_type_is_signed(a->type))
		set(a, "hdf/_Unsigned", 0, "true", false);
	set(a, "other", 0, "bare", true);
	must(taf_attr_set(a, "unit", TAF_OF_COMPONENT, 1, "A", &e) == TAF_OK);
	set(a, "hdf/axis", 1, "X", false);
	set(a, "hdf/actual", 1, "1,2.25", true);
}

static enum taf_hdf_style
style_of(const uint8_t r[RECIPE])
{
	return (enum taf_hdf_style)(r[3] / STYLE % 4 % 3);
}

/* The array of a recipe. */
static void
make(struct taf_array *a, const uint8_t r[RECIPE])
{
	static const char *const labels[] = { "x", "time", "a/b" };
	const unsigned ndim = r[0] >> 4 == 15 ? 33 : 1 + (r[0] >> 4) % 3;
	struct taf_err e = { 0 };
	unsigned k;

	taf_array_init(a);
	a->type = (enum taf_type)((r[0] & 15) % TAF_NTYPES);
	for (k = 1; k <= ndim; k++) {
		uint64_t n = ndim > 3 ? 1 : k == 1 && (r[1] & LONG) ? MANY :
		    k == 2 && (r[1] & EMPTY) ? 0 : k + 1;

		taf_array_add_dim(a, n, r[1] & GRID && k < 3 ? 0.25 * k : 1,
		    r[1] & GRID && k == 1 ? -0.1 : 1);
		if (r[1] & LABELS && k <= 3) {
			set(a, "label", k, labels[r[1] & TAKEN ? 0 : k - 1], false);
			if (!(r[1] & TAKEN))
				set(a, "unit", k, k == 1 ? "s" : "m", false);
		}
	}
	if (r[1] & ATTRS)
		set_attrs(a);
	if (r[1] & ATTRS && a->type == TAF_UINT8)
		set(a, "matlab/class", 0, "logical", false);
	if (r[1] & ATTRS && a->type == TAF_UINT16)
		set(a, "matlab/class", 0, "char", false);
	/* other styles have the values, which are not the bytes that are compared here */
	if (r[1] & MAPPED && style_of(r) == TAF_HDF_NETCDF && taf_type_facts(a->type)->kind != TAF_PAIR) {
		a->slope = 0.5;
		a->intercept = -3;
	}
	if (r[1] & COMMENT)
		must(taf_comment_add(a, r[1] & TAKEN ? "a\0b" : "said", 3, &e) == TAF_OK);
}

static unsigned char
byte(uint64_t i)
{
	return (unsigned char)(i * 7 + i / 251);
}

/* All elements, in the order of the file. */
static enum taf_status
put_elements(struct taf_hdf_put *p, const struct taf_hdf_way *way,
    const struct taf_array *a, struct taf_err *e)
{
	const uint64_t bytes = taf_array_bytes(a), size = taf_type_size(a->type);
	unsigned char *all = malloc(bytes > 0 ? bytes : 1);
	enum taf_status st = TAF_OK;
	uint64_t i, done = 0;
	struct taf_hdf_block b = { .number = 0 };

	must(all != NULL);
	for (i = 0; i < bytes; i++)
		all[i] = byte(i);
	if (way->out != NULL) {
		st = taf_out_write(way->out, all, bytes, e);
		done = bytes;
	}
	while (way->out == NULL && st == TAF_OK && b.number < way->blocks) {
		const size_t room = way->room;

		b.n = taf_hdf_put_extent(p, b.number);
		b.elements = calloc(1, room);
		b.packed = malloc(room);
		must(b.elements != NULL && b.packed != NULL && b.n * size <= room &&
		    b.n * size <= bytes - done);
		memcpy(b.elements, all + done, b.n * size);
		done += b.n * size;
		st = taf_hdf_put_pack(p, &b, e);
		if (st == TAF_OK)
			st = taf_hdf_put_block(p, &b, e);
		free(b.elements);
		free(b.packed);
		b.number++;
	}
	must(st != TAF_OK || done == bytes);
	free(all);
	return st;
}

/* Something happens to the file while it is at work. */
static void
disturb(unsigned how)
{
	FILE *f;

	if (how & GROWS && (f = fopen(path, "ab")) != NULL)
		must(fputc('x', f) == 'x' && fclose(f) == 0);
	if (how & REPLACED && access(path, F_OK) == 0) {
		store(aside, (const uint8_t *)"other", 5);
		must(rename(aside, path) == 0);
	}
}

/* As on a disk that is full: a file can get so long. */
static rlim_t
allow(rlim_t most)
{
	struct rlimit l;
	rlim_t before;

	must(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && getrlimit(RLIMIT_FSIZE, &l) == 0);
	before = l.rlim_cur;
	l.rlim_cur = most;
	must(setrlimit(RLIMIT_FSIZE, &l) == 0);
	return before;
}

/* As taf2hdf; force replaces what is there. */
static enum taf_status
put(const struct taf_array *a, const char *name, const uint8_t r[RECIPE], bool force)
{
	const struct taf_hdf_storage how = { r[2] & DEFLATE ? 6 : -1,
	    (r[2] & SHUFFLE) != 0, (r[2] & REVERSE) != 0, style_of(r),
	    "27-Nov-2026 16:00:00" };
	const bool turned = how.reverse != (how.style != TAF_HDF_NETCDF);
	unsigned order[TAF_MAX_DIM];
	struct taf_hdf_put *p;
	struct taf_err e = { 0 };
	struct taf_hdf_way way;
	struct taf_ndarray nd;
	enum taf_status st;
	bool old;

	must(taf_hdf_put_name(name, &e) == TAF_OK);
	if (how.style != TAF_HDF_NETCDF &&
	    taf_hdf_style_name(how.style, name, &e) != TAF_OK) {
		must(strchr(name, '/') != NULL && e.code == TAF_EUSAGE);
		return e.code;
	}
	if (taf_hdf_put_look(&p, path, name, how.style, force, &e) != TAF_OK) {
		must(p == NULL && e.text[0] != '\0');
		return e.code;
	}
	old = access(path, F_OK) == 0;
	taf_ndarray_export(a, a->type, true, turned, &nd, order);
	st = taf_hdf_put_begin(p, a, &nd, &how, &way, &e);
	if (st == TAF_OK && !(r[2] & TORN))
		st = put_elements(p, &way, a, &e);
	disturb(r[2]);
	if (st == TAF_OK && !(r[2] & TORN)) {
		st = taf_hdf_put_commit(p, &e);
		must(st != TAF_OK || !old || !(r[2] & (GROWS | REPLACED)));
	} else {
		taf_hdf_put_discard(p);
	}
	must(st == e.code);
	return r[2] & TORN && st == TAF_OK ? TAF_EDATA : st;
}

static void
remark(void *ctx, const char *text)
{
	*(size_t *)ctx += strlen(text);
}

static void
same_attr(const struct taf_array *a, const struct taf_array *b, const char *key,
    enum taf_scope scope, unsigned k)
{
	const char *p = taf_attr_get(a, key, scope, k),
	    *q = taf_attr_get(b, key, scope, k);

	must(p == NULL ? q == NULL : q != NULL && strcmp(p, q) == 0);
}

/* What is said of a is said of b, which was read. */
static void
same_array(const struct taf_array *a, const struct taf_array *b)
{
	unsigned k;

	must(a->type == b->type && a->ndim == b->ndim);
	must(taf_array_mapped(a) == taf_array_mapped(b));
	must(!taf_array_mapped(a) ||
	    (a->slope == b->slope && a->intercept == b->intercept));
	same_attr(a, b, "unit", TAF_OF_ARRAY, 0);
	same_attr(a, b, "label", TAF_OF_ARRAY, 0);
	same_attr(a, b, "hdf/count", TAF_OF_ARRAY, 0);
	same_attr(a, b, "hdf/low", TAF_OF_ARRAY, 0);
	for (k = 1; k <= a->ndim; k++) {
		must(a->dim[k - 1].n == b->dim[k - 1].n);
		must(a->dim[k - 1].start == b->dim[k - 1].start);
		must(a->dim[k - 1].step == b->dim[k - 1].step);
		same_attr(a, b, "label", TAF_OF_DIM, k);
		same_attr(a, b, "unit", TAF_OF_DIM, k);
	}
}

static void
same_elements(struct taf_hdf *f, const struct taf_ndarray *nd, uint64_t bytes)
{
	static unsigned char room[64 * 1024];
	struct taf_region all = { .ndim = nd->ndim };
	struct taf_err e = { 0 };
	struct taf_in *in;
	uint64_t done = 0;
	size_t got, i;
	unsigned k;

	for (k = 0; k < nd->ndim; k++) {
		all.step[k] = 1;
		all.count[k] = nd->n[k];
	}
	must(taf_hdf_read(f, &all, MEMORY, NULL, &in, &e) == TAF_OK);
	do {
		must(taf_in_read_part(in, room, sizeof room, &got, &e) == TAF_OK);
		for (i = 0; i < got; i++)
			must(room[i] == byte(done + i));
		done += got;
	} while (got > 0);
	must(done == bytes);
	taf_in_close(in);
}

/* A file that we have made has what was put into it. */
static void
check(const struct taf_array *a, const char *name, const uint8_t r[RECIPE])
{
	const bool reverse = (r[2] & REVERSE) != 0;
	struct taf_err e = { 0 };
	struct taf_ndarray nd;
	struct taf_layout l;
	struct taf_hdf *f;
	struct taf_in *in;
	size_t said = 0;
	const struct taf_hdf_how how = { reverse, false, remark, &said };
	const struct taf_hdf_set *set;

	must(taf_in_open(&in, path, &e) == TAF_OK);
	must(taf_hdf_open(&f, in, &e) == TAF_OK);
	must(taf_hdf_find(f, name, MEMORY, &set, &e) == TAF_OK);
	nd = set->nd;
	must(taf_ndarray_import(&nd, reverse, &l, &e) == TAF_OK);
	must(taf_hdf_describe(f, &l.a, &how, &e) == TAF_OK);
	/* the others keep neither grids nor attributes, and have two dimensions at least */
	if (style_of(r) == TAF_HDF_NETCDF)
		same_array(a, &l.a);
	must(l.a.type == a->type && taf_array_bytes(&l.a) == taf_array_bytes(a));
	same_elements(f, &nd, taf_array_bytes(a));
	taf_array_fini(&l.a);
	taf_hdf_close(f);
	taf_in_close(in);
}

/* Into the file, beside it, and in its place where that went well. */
static void
put_some(const uint8_t r[RECIPE], bool ours)
{
	const char *name = names[(r[3] & NAME) % (sizeof names / sizeof names[0])];
	struct taf_array a;
	enum taf_status st;
	rlim_t before = 0;
	int fd = r[2] & LOCKED ? open(path, O_RDONLY) : -1;

	make(&a, r);
	if (fd >= 0)
		must(flock(fd, LOCK_EX) == 0);
	if (r[3] & FULL)
		before = allow(ROOM);
	st = put(&a, name, r, (r[2] & FORCE) != 0);
	if (r[3] & FULL) {
		(void)allow(before);
		must(st != TAF_OK);
	}
	if (fd >= 0) {
		must(st != TAF_OK && close(fd) == 0);
	} else if (st == TAF_OK) {
		if (ours)
			check(&a, name, r);
		must(!ours || put(&a, name, r, false) == TAF_EDATA);
		st = put(&a, "beside", r, true);
		if (ours && !(r[2] & (GROWS | REPLACED)))
			must(st == TAF_OK);
		if (ours && st == TAF_OK)
			check(&a, "beside", r);
		st = put(&a, name, r, true);
		if (ours && st == TAF_OK)
			check(&a, name, r);
	}
	taf_array_fini(&a);
}

/* What is no name, and no file. */
static void
check_refused(void)
{
	static const char *const wrong[] = { "", "/", "a//b", ".", "a/./b", "a/" };
	struct taf_hdf_put *p;
	struct taf_err e = { 0 };
	size_t i;

	for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		must(taf_hdf_put_name(wrong[i], &e) == TAF_EUSAGE);
		taf_err_clear(&e);
	}
	must(taf_hdf_put_look(&p, folder, "x", TAF_HDF_NETCDF, true, &e) == TAF_EDATA &&
	    p == NULL);
	taf_hdf_put_discard(NULL);
}

#endif

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef HAVE_HDF5
	uint8_t r[RECIPE] = { 0 };

	enter();
	if (size == 0)
		check_refused();
	else
		memcpy(r, data, size < RECIPE ? size : RECIPE);
	(void)unlink(path);
	if (size > RECIPE)
		store(path, data + RECIPE, size - RECIPE);
	put_some(r, size <= RECIPE);
#else
	(void)data, (void)size;
	(void)must;
#endif
	return 0;
}
