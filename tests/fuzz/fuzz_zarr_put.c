/* SPDX-License-Identifier: ISC */
/* link: jansson zlib zstd blosc bzip2 lzma */
/*
 * Arrays that are put into a Zarr store: four bytes say what array it is and how it is
 * stored, those behind them are the files of the store, none of them that there is none
 * yet.
 */
#include <sys/resource.h>

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc.h"
#include "base/endian.h"
#include "codec/zarr/zarr.h"
#include "config.h"
#include "format/zarr_import.h"
#include "io/stage.h"
#include "set_attr.h"
#include "store_files.h"
#include "target.h"

enum { RECIPE = 4, MOST = 1 << 16, MANY = (1 << 20) + 1, ENTRY = 16, SUM = 4 };

#ifdef HAVE_JANSSON

/* The second byte of a recipe: what is said of the array. */
enum { GRID = 1, LABELS = 2, ATTRS = 4, MAPPED = 8, COMMENT = 16, LONG = 32, TAKEN = 64,
	EMPTY = 128 };

/* The third: how it is stored. */
enum { THREE = 1, SHARDED = 2, REVERSE = 4, FORCE = 8, PACKED = 16, FASTEST = 128 };

/* The fourth is the name, and what goes wrong. */
enum { NAME = 7, FULL = 16, TORN = 32, LOCKED = 64, ODD = 128, ROOM = 64 };

static const char *const names[] = { "x", "g/x", "a/b/c", "t", "g/a/b/x", "x/y", "g",
	"a/time" };

static char root[sizeof folder + 16];
static bool mixed;	/* the store may be one of both versions */

static void
set_attrs(struct taf_array *a)
{
	struct taf_err e = { 0 };

	set(a, "unit", 0, "mV", false);
	set(a, "label", 0, "Spannung \303\274ber", false);
	set(a, "zarr/note", 0, "", false);
	set(a, "zarr/list", 0, "[1,{\"a\":null}]", false);
	set(a, "zarr/text", 0, "[1, 2]", false);
	set(a, "zarr/count", 0, "17", true);
	set(a, "zarr/_FillValue", 0, "9", true);
	set(a, "zarr/missing_value", 0, "1,2", true);
	set(a, "zarr/units", 0, "s", false);
	set(a, "zarr/taf:key", 0, "v", false);
	set(a, "zarr/", 0, "nothing", false);
	set(a, "hdf/valid_max", 0, "7", true);
	set(a, "hdf/_FillValue", 0, "8", true);
	set(a, "hdf/other", 0, "1", true);
	set(a, "a key@", 0, "odd", false);
	set(a, "number", 0, "1.5", true);
	set(a, "word", 0, "bare", true);
	must(taf_attr_set(a, "unit", TAF_OF_COMPONENT, 1, "A", &e) == TAF_OK);
}

static void
set_dim_attrs(struct taf_array *a)
{
	set(a, "zarr/axis", 1, "X", false);
	set(a, "zarr/actual", 1, "3", true);
	set(a, "own", 1, "4", true);
	set(a, "own", a->ndim, "\"quoted\"", false);
}

/* The array of a recipe. */
static void
make(struct taf_array *a, const uint8_t r[RECIPE])
{
	static const char *const labels[] = { "x", "time", "a/b" };
	/* a single element without a dimension */
	const bool scalar = r[0] >> 4 == 15;
	const unsigned ndim = scalar ? 1 : 1 + (r[0] >> 4) % 3;
	const unsigned said = scalar ? r[1] & ~(unsigned)(GRID | LABELS) : r[1];
	struct taf_err e = { 0 };
	unsigned k;

	taf_array_init(a);
	a->type = (enum taf_type)((r[0] & 15) % TAF_NTYPES);
	for (k = 1; k <= ndim; k++) {
		const uint64_t n = scalar ? 1 : k == 2 && said & (EMPTY | LONG) ? 0 :
		    k == 1 && said & LONG && ndim > 1 ? MANY : k + 1;

		taf_array_add_dim(a, n, said & GRID && k < 3 ? 0.25 * k : 1,
		    said & GRID && k == 1 ? -0.1 : 1);
		if (said & LABELS) {
			set(a, "label", k, labels[said & TAKEN ? 1 : k - 1], false);
			if (!(said & TAKEN))
				set(a, "unit", k, k == 1 ? "s" : "m", false);
		}
	}
	if (scalar)
		set(a, "ndim", 0, "0", true);
	if (said & ATTRS)
		set_attrs(a);
	if (said & ATTRS && !scalar)
		set_dim_attrs(a);
	if (said & ATTRS && said & LABELS && said & GRID)
		set(a, TAF_ZARR_NAME, 1, ".own/name", false);
	if (said & MAPPED && !taf_type_is_pair(a->type)) {
		a->slope = 0.5;
		a->intercept = -3;
	}
	if (said & COMMENT)
		must(taf_comment_add(a, "said", 4, &e) == TAF_OK);
	if (r[3] & ODD && said & COMMENT)
		must(taf_comment_add(a, "\377", 1, &e) == TAF_OK);
	else if (r[3] & ODD)
		set(a, "odd", 0, "\377", false);
}

/* How it is stored, as taf2zarr would say it. */
static void
plan(const struct taf_array *a, const uint8_t r[RECIPE], struct taf_zarr_array *z)
{
	const unsigned ndim = r[0] >> 4 == 15 ? 0 : a->ndim;
	unsigned i;

	*z = (struct taf_zarr_array){ .version = r[2] & THREE ? 3 : 2, .separator = '.',
		.prefixed = (r[2] & THREE) != 0,
		.sharded = (r[2] & SHARDED) && (r[2] & THREE) && ndim > 0 };
	z->nd.type = a->type;
	z->nd.ndim = ndim;
	z->bytes = taf_type_size(a->type);
	for (i = 0; i < ndim; i++) {
		z->nd.n[i] = a->dim[r[2] & REVERSE ? ndim - 1 - i : i].n;
		z->chunk[i] = z->nd.n[i] == MANY ? MANY : 1 + i % 2;
		z->shard[i] = z->chunk[i] * (z->sharded ? 2 : 1);
		z->order[i] = r[2] & FASTEST ? i : ndim - 1 - i;
		z->bytes *= z->chunk[i];
	}
}

static const struct taf_pack *
packing(const struct taf_array *a, const uint8_t r[RECIPE])
{
	static const enum taf_packing packings[] = { TAF_PACKING_ZLIB, TAF_PACKING_ZSTD,
		TAF_PACKING_BLOSC, TAF_PACKING_GZIP };
	static struct taf_pack pack;

	/* version 3 has no zlib */
	pack = (struct taf_pack){ .packing = packings[r[2] >> 5 & 3], .level = 5,
		.codec = "lz4", .size = taf_type_size(a->type) };
	if (pack.packing == TAF_PACKING_ZLIB && r[2] & THREE)
		pack.packing = TAF_PACKING_GZIP;
	return r[2] & PACKED && taf_packing_missing(pack.packing) == NULL ? &pack : NULL;
}

/* The bytes of a chunk, which nobody takes for those of another one. */
static void
chunk(const struct taf_zarr_array *z, const uint64_t number[], uint64_t place,
    unsigned seed, unsigned char *to)
{
	uint64_t at = place + seed, i;
	unsigned k;

	for (k = 0; k < z->nd.ndim; k++)
		at = at * 13 + number[k];
	for (i = 0; i < z->bytes; i++)
		to[i] = (unsigned char)(at * 7 + i * 3);
}

/* The next object of all, false behind the last one. */
static bool
advance(const struct taf_zarr_array *z, uint64_t number[])
{
	unsigned k;

	for (k = 0; k < z->nd.ndim; k++) {
		if (++number[k] * z->shard[k] < z->nd.n[k])
			return true;
		number[k] = 0;
	}
	return false;
}

static uint64_t
entries(const struct taf_zarr_array *z)
{
	uint64_t n = 1;
	unsigned k;

	for (k = 0; k < z->nd.ndim; k++)
		n *= z->shard[k] / z->chunk[k];
	return n;
}

/* One chunk, or a shard with each of its chunks but the second. */
static enum taf_status
put_object(const struct taf_zarr_put *p, const struct taf_zarr_array *z,
    const struct taf_pack *pack, const uint64_t number[], unsigned seed,
    struct taf_err *e)
{
	static unsigned char plain[1024], packed[MOST], index[ENTRY * 64 + SUM];
	const uint64_t all = z->sharded ? entries(z) : 1;
	enum taf_status st;
	struct taf_out *out;
	uint64_t i, at = 0;
	size_t n;

	must(z->bytes <= sizeof plain && all <= 64 &&
	    taf_pack_room(sizeof plain) <= sizeof packed);
	st = taf_zarr_put_object(p, p->path, z, number, &out, e);
	if (st != TAF_OK)
		return st;
	memset(index, 0xff, sizeof index);
	for (i = 0; i < all && st == TAF_OK; i++) {
		if (i == 1)
			continue;
		chunk(z, number, i, seed, plain);
		n = (size_t)z->bytes;
		if (pack != NULL)
			n = taf_pack(pack, plain, n, packed);
		must(n > 0);
		st = taf_out_write(out, pack != NULL ? packed : plain, n, e);
		taf_put64(index + i * ENTRY, at, false);
		taf_put64(index + i * ENTRY + 8, n, false);
		at += n;
	}
	n = (size_t)all * ENTRY;
	taf_put32(index + n, taf_crc32c(0, index, n), false);
	if (st == TAF_OK && z->sharded)
		st = taf_out_write(out, index, n + SUM, e);
	return taf_stage_settle(out, st, e);
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

/* Another one that makes the same array has to wait. */
static void
check_locked(const char *name, const uint8_t r[RECIPE])
{
	struct taf_zarr_put p;
	struct taf_err e = { 0 };

	must(taf_zarr_put_look(&p, root, name, r[2] & THREE ? 3 : 2, true, &e) == TAF_OK);
	must(taf_zarr_put_begin(&p, &e) == TAF_ESYS && e.text[0] != '\0');
	taf_zarr_put_discard(&p);
}

/* As taf2zarr; force replaces what is there. */
static enum taf_status
put(const struct taf_array *a, const char *name, const uint8_t r[RECIPE], bool force,
    unsigned seed)
{
	uint64_t number[TAF_MAX_DIM] = { 0 };
	const struct taf_pack *pack = packing(a, r);
	struct taf_err e = { 0 };
	struct taf_zarr_array z;
	struct taf_zarr_put p;
	enum taf_status st;
	struct stat sb;

	plan(a, r, &z);
	st = taf_zarr_put_look(&p, root, name, z.version, force, &e);
	if (st == TAF_OK)
		st = taf_zarr_put_begin(&p, &e);
	if (st == TAF_OK && r[3] & LOCKED)
		check_locked(name, r);
	if (st == TAF_OK && taf_array_count(a) > 0)
		do
			st = put_object(&p, &z, pack, number, seed, &e);
		while (st == TAF_OK && advance(&z, number));
	if (st == TAF_OK)
		st = taf_zarr_put_describe(&p, &z, pack, (r[2] & REVERSE) != 0, a, &e);
	if (st == TAF_OK && !(r[3] & TORN))
		st = taf_zarr_put_commit(&p, &e);
	else if (st == TAF_OK)
		st = taf_fail(&e, TAF_EDATA, "torn");
	must(st == e.code && (st == TAF_OK || e.text[0] != '\0'));
	if (p.stage != NULL) {
		char *stage = strdup(p.stage);

		taf_zarr_put_discard(&p);
		/* a file in its place is somebody else's */
		must(stage != NULL && (stat(stage, &sb) != 0 || !S_ISDIR(sb.st_mode)));
		free(stage);
	}
	taf_zarr_put_discard(&p);
	return st;
}

/* --- what was put is read --- */

/* Bytes of a chunk as they are stored, from in, and what they should be. */
static void
same_chunk(const struct taf_zarr_array *z, const struct taf_in *in, uint64_t at,
    size_t n, const unsigned char *wanted)
{
	const size_t bytes = (size_t)z->bytes;
	unsigned char *p = malloc(n + 1), *to = malloc(bytes);
	unsigned char *work = malloc(taf_chunk_room(&z->way, bytes) + 1);
	struct taf_err e = { 0 };

	must(p != NULL && to != NULL && work != NULL);
	must(taf_in_pread(in, p, n, at, &e) == TAF_OK);
	if (z->way.n == 0) {
		must(n == bytes && memcmp(p, wanted, n) == 0);
	} else {
		must(taf_chunk_unpack(&z->way, p, n, to, bytes, work) == NULL);
		must(memcmp(to, wanted, bytes) == 0);
	}
	free(p);
	free(to);
	free(work);
}

static void
same_object(const struct taf_zarr_import *im, const uint64_t number[], unsigned seed)
{
	static unsigned char wanted[1024];
	const struct taf_zarr_array *z = &im->z;
	struct taf_zarr_shard shard = { 0 };
	struct taf_err e = { 0 };
	struct taf_str key = { .err = &e };
	struct taf_in *in;
	uint64_t i;

	taf_str_printf(&key, "%s/", im->path);
	taf_zarr_key(z, number, &key);
	must(key.st == TAF_OK);
	must(taf_objects_get(im->store, key.buf.data, MOST, z->sharded, &in, &e) ==
	    TAF_OK);
	if (z->sharded) {
		must(taf_zarr_shard_read(z, in, &shard, &e) == TAF_OK);
		must(shard.n == entries(z));
	}
	for (i = 0; i < (z->sharded ? shard.n : 1); i++) {
		chunk(z, number, i, seed, wanted);
		if (i == 1)
			must(shard.place[2] == UINT64_MAX &&
			    shard.place[3] == UINT64_MAX);
		else
			same_chunk(z, in, z->sharded ? shard.place[2 * i] : 0,
			    z->sharded ? (size_t)shard.place[2 * i + 1] :
			    (size_t)taf_in_left(in), wanted);
	}
	taf_zarr_shard_free(&shard);
	taf_in_close(in);
	taf_str_free(&key);
}

/*
 * Which only says what a dimension is called in the store.  A dimension that is too long
 * for coordinates has no other label.
 */
static bool
is_name(const struct taf_array *a, const struct taf_attr *t)
{
	return t->scope == TAF_OF_DIM && (strcmp(t->key, TAF_ZARR_NAME) == 0 ||
	    (strcmp(t->key, "label") == 0 && taf_zarr_too_long(a, t->index)));
}

static void
same_attr(const struct taf_array *b, const struct taf_attr *t)
{
	/* what says which elements are missing has one name in a store */
	const char *key = strcmp(t->key, "hdf/valid_max") == 0 ? "zarr/valid_max" :
	    t->key;
	const char *is = taf_attr_get(b, key, t->scope, t->index);

	must(is != NULL && strcmp(is, t->value) == 0);
}

static size_t
count_attrs(const struct taf_array *a)
{
	size_t n = 0, i;

	for (i = 0; i < a->nattrs; i++)
		n += !is_name(a, &a->attrs[i]);
	return n;
}

/* All that is said of a is said of b, which was read. */
static void
same_array(const struct taf_array *a, const struct taf_array *b)
{
	unsigned k;
	size_t i;

	must(taf_array_mapped(a) == taf_array_mapped(b));
	must(!taf_array_mapped(a) || memcmp(&a->slope, &b->slope, sizeof a->slope) == 0);
	must(!taf_array_mapped(a) ||
	    memcmp(&a->intercept, &b->intercept, sizeof a->intercept) == 0);
	must(a->comment.len == b->comment.len && (a->comment.len == 0 ||
	    memcmp(a->comment.data, b->comment.data, a->comment.len) == 0));
	for (k = 0; k < a->ndim; k++) {
		must(memcmp(&a->dim[k].start, &b->dim[k].start, sizeof(double)) == 0);
		must(memcmp(&a->dim[k].step, &b->dim[k].step, sizeof(double)) == 0);
	}
	for (i = 0; i < a->nattrs; i++)
		if (!is_name(a, &a->attrs[i]))
			same_attr(b, &a->attrs[i]);
	must(count_attrs(a) == count_attrs(b));
}

/* The array that is looked for in a list. */
struct seen {
	const struct taf_zarr_import *im;
	bool found;
};

static enum taf_status
look_for(void *ctx, const char *path, const struct taf_zarr_array *z, struct taf_err *e)
{
	struct seen *const seen = ctx;
	const struct taf_zarr_array *const is = &seen->im->z;

	(void)e;
	if (strcmp(path, seen->im->path) == 0) {
		must(z->nd.ndim == is->nd.ndim && z->nd.type == is->nd.type);
		must(memcmp(z->nd.n, is->nd.n, sizeof z->nd.n) == 0);
		seen->found = true;
	}
	return TAF_OK;
}

/* With ours nobody else has put anything into the store. */
static void
check(const struct taf_array *a, const char *name, const uint8_t r[RECIPE], bool ours,
    unsigned seed)
{
	const struct taf_service service = { .memory = 1 << 24, .jobs = 1 };
	struct taf_zarr_import im = { .path = name, .service = &service,
		.reverse = (r[2] & REVERSE) != 0 };
	struct seen seen = { &im, false };
	uint64_t number[TAF_MAX_DIM] = { 0 };
	struct taf_err e = { 0 };
	struct taf_zarr_array z;
	enum taf_status st;
	struct taf_objects s;
	unsigned k;

	must(taf_objects_path_check(name, &e) == TAF_OK);
	must(taf_objects_open(&s, root, &e) == TAF_OK);
	im.store = &s;
	must(taf_zarr_import_begin(&im, &e) == TAF_OK || !ours);
	taf_err_clear(&e);
	plan(a, r, &z);
	must(im.z.version == z.version && im.z.sharded == z.sharded &&
	    im.z.bytes == z.bytes && im.z.nd.ndim == z.nd.ndim &&
	    im.z.nd.type == a->type);
	for (k = 0; k < z.nd.ndim; k++)
		must(im.z.nd.n[k] == z.nd.n[k] && im.z.chunk[k] == z.chunk[k] &&
		    im.z.shard[k] == z.shard[k] && (z.nd.ndim == 1 ||
		    im.z.order[k] == z.order[k]));
	if (taf_array_count(a) > 0)
		do
			same_object(&im, number, seed);
		while (advance(&z, number));
	if (ours)
		same_array(a, &im.layout.a);
	/* consolidated metadata tell of it, too, where they are of its version */
	st = taf_zarr_list(&s, look_for, &seen, &e);
	must(ours ? st == TAF_OK && seen.found : st != TAF_OK || seen.found || mixed);
	taf_zarr_import_end(&im);
	taf_objects_close(&s);
}

/* Into the store, beside it, and in its place where that went well. */
static void
put_some(const uint8_t r[RECIPE], bool ours)
{
	const char *name = names[r[3] & NAME];
	const char *slash = strrchr(name, '/');
	const bool fails = r[3] & (TORN | ODD);
	struct taf_array a;
	char beside[32];
	enum taf_status st;
	rlim_t before = 0;

	(void)snprintf(beside, sizeof beside, "%.*sbeside",
	    slash != NULL ? (int)(slash + 1 - name) : 0, name);
	make(&a, r);
	if (r[3] & FULL)
		before = allow(ROOM);
	st = put(&a, name, r, (r[2] & FORCE) != 0, 1);
	if (r[3] & FULL) {
		(void)allow(before);
		must(st != TAF_OK);
	}
	must(!ours || (st == TAF_OK) == !(fails || r[3] & FULL));
	if (st == TAF_OK) {
		check(&a, name, r, ours, 1);
		must(put(&a, name, r, false, 2) == TAF_EDATA);
		check(&a, name, r, ours, 1);
		st = put(&a, beside, r, true, 3);
		must(!ours || st == TAF_OK);
		if (st == TAF_OK)
			check(&a, beside, r, ours, 3);
		st = put(&a, name, r, true, 4);
		must(!ours || st == TAF_OK);
		if (st == TAF_OK)
			check(&a, name, r, ours, 4);
	}
	taf_array_fini(&a);
}

static bool
holds(const uint8_t *data, size_t size, const char *text)
{
	const size_t n = strlen(text);
	size_t i;

	for (i = 0; i + n <= size; i++)
		if (memcmp(data + i, text, n) == 0)
			return true;
	return false;
}

/* What is no store that can be written. */
static void
check_refused(void)
{
	struct taf_zarr_put p;
	struct taf_err e = { 0 };

	must(taf_zarr_put_look(&p, "a.zip", "x", 2, true, &e) == TAF_EUSAGE);
	taf_zarr_put_discard(&p);
	taf_err_clear(&e);
	(void)snprintf(root, sizeof root, "%s/file", folder);
	must(write_file(root, (const uint8_t *)"", 0));
	must(taf_zarr_put_look(&p, root, "x", 2, true, &e) == TAF_EDATA);
	taf_zarr_put_discard(&p);
	taf_err_clear(&e);
	(void)snprintf(root, sizeof root, "%s/file/s", folder);
	must(taf_zarr_put_look(&p, root, "x", 2, true, &e) == TAF_ESYS);
	taf_zarr_put_discard(&p);
	taf_zarr_put_discard(&p);
}

#endif

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef HAVE_JANSSON
	uint8_t r[RECIPE] = { 0 };

	enter();
	if (size == 0)
		check_refused();
	else
		memcpy(r, data, size < RECIPE ? size : RECIPE);
	(void)snprintf(root, sizeof root, "%s/s/", folder);
	if (size > RECIPE) {
		must(mkdir(root, 0777) == 0);
		root[strlen(root) - 1] = '\0';
		(void)put_files(root, NULL, data + RECIPE, size - RECIPE);
	}
	mixed = (holds(data, size, "/.z") || holds(data, size, "%.z")) &&
	    holds(data, size, "zarr.json");
	put_some(r, size <= RECIPE);
	empty_folder();
#else
	(void)data, (void)size;
	(void)must;
#endif
	return 0;
}
