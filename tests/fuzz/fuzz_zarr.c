/* SPDX-License-Identifier: ISC */
/* link: jansson zlib zstd blosc bzip2 lzma */
/*
 * Zarr: the first byte says which of its parsers gets the rest: .zarray (with .zattrs
 * behind a NUL) and zarr.json, a chunk, the index of a shard, or a store.  That is files,
 * each a line "%%" and its name, and its bytes; or an archive.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/endian.h"
#include "codec/taf_foreign.h"
#include "codec/zarr/zarr.h"
#include "store_files.h"
#include "target.h"

enum { MOST = 1 << 16 };

/* What it says is sound, and what is made of it is an array. */
static void
meta(const uint8_t *data, size_t size, unsigned version)
{
	static const char usual[] = "{\"n\":[1,NaN],\"_FillValue\":2}";
	const uint8_t *const nul = version == 2 ? memchr(data, '\0', size) : NULL;
	const size_t n = nul != NULL ? (size_t)(nul - data) : size;
	const struct taf_zarr_text text = { (const char *)data, n };
	const struct taf_zarr_text attrs = {
		nul != NULL ? (const char *)nul + 1 : usual,
		nul != NULL ? size - n - 1 : sizeof usual - 1 };
	const uint64_t none[TAF_MAX_DIM] = { 0 };
	struct taf_zarr_array z;
	struct taf_layout l;
	struct taf_err e = { 0 };
	struct taf_str key = { .err = &e };
	unsigned k;
	enum taf_status st = taf_zarr_parse(&z, version, &text,
	    version == 2 ? &attrs : NULL, &e);

	must(st == TAF_OK || st == TAF_END || (st == TAF_EDATA && e.text[0] != '\0'));
	if (st == TAF_OK && z.refused[0] == '\0') {
		must(z.nd.ndim <= TAF_MAX_DIM && z.way.n <= TAF_CHUNK_STEPS);
		for (k = 0; k < z.nd.ndim; k++)
			must(z.chunk[k] > 0 && z.shard[k] >= z.chunk[k] &&
			    z.shard[k] % z.chunk[k] == 0 && z.order[k] < z.nd.ndim);
		must(taf_ndarray_import(&z.nd, version == 2, &l, &e) == TAF_OK);
		st = taf_zarr_describe(&z, version == 2, &l.a, &e);
		must(st == TAF_OK || st == TAF_EDATA);
		taf_array_fini(&l.a);
		taf_zarr_key(&z, none, &key);
		must(key.st == TAF_OK && key.buf.len > 0);
		taf_str_free(&key);
	}
	taf_zarr_array_free(&z);
}

/* Two steps, the size of what is shuffled or added up, and how many bytes there are. */
static void
chunk(const uint8_t *data, size_t size)
{
	static const enum taf_type types[] = { TAF_INT8, TAF_UINT16, TAF_INT32,
	    TAF_UINT64, TAF_FLT32, TAF_FLT64 };
	struct taf_chunk_way way = { .n = 0 };
	unsigned char *p, *to, *work;
	const char *fault;
	size_t bytes;
	unsigned k;

	if (size < 5)
		return;
	way.n = data[0] % 3;
	bytes = (size_t)taf_get16(data + 3, false) + 1;
	for (k = 0; k < way.n; k++) {
		way.step[k].codec = data[k] / 4 % 4;
		way.step[k].packing = data[k] / 16 % 7;
		way.step[k].size = 1 + data[2] % 16;
		way.step[k].type = types[data[2] % 6];
		way.step[k].big = data[2] >= 128;
		if (taf_packing_missing(way.step[k].packing) != NULL)
			return;
	}
	size -= 5;
	p = malloc(size + 1);
	to = malloc(bytes);
	work = malloc(taf_chunk_room(&way, bytes) + 1);
	must(p != NULL && to != NULL && work != NULL);
	memcpy(p, data + 5, size);
	fault = taf_chunk_unpack(&way, p, size, to, bytes, work);
	must(fault == NULL || strlen(fault) < 100);
	free(p);
	free(to);
	free(work);
}

/* Chunks of a shard of three dimensions; all places lie in it and none overlap. */
static void
shard(const uint8_t *data, size_t size)
{
	struct taf_zarr_array z = { .nd.ndim = 3 };
	struct taf_zarr_shard s = { 0 };
	struct taf_err e = { 0 };
	struct taf_in *in;
	uint64_t k, i;

	if (size < 4)
		return;
	for (k = 0; k < 3; k++) {
		z.chunk[k] = 1 + data[k] % 16 / 4;
		z.shard[k] = z.chunk[k] * (1 + data[k] % 4);
	}
	z.index_first = data[3] % 2 == 1;
	z.index_big = data[3] / 2 % 2 == 1;
	z.index.n = data[3] / 4 % 2;
	z.index.step[0].codec = TAF_CHUNK_CRC32C;
	must(taf_in_mem(&in, data + 4, size - 4, &e) == TAF_OK);
	if (taf_zarr_shard_read(&z, in, &s, &e) == TAF_OK)
		for (k = 0; k < s.n; k++) {
			const uint64_t at = s.place[2 * k], n = s.place[2 * k + 1];

			if (at == UINT64_MAX && n == UINT64_MAX)
				continue;
			must(at <= size - 4 && n <= size - 4 - at);
			for (i = 0; i < k; i++)
				must(n == 0 || s.place[2 * i + 1] == 0 ||
				    s.place[2 * i] == UINT64_MAX ||
				    at + n <= s.place[2 * i] ||
				    s.place[2 * i] + s.place[2 * i + 1] <= at);
		}
	taf_zarr_shard_free(&s);
	taf_in_close(in);
}

/* --- stores --- */

/* What a store lists: a line for each array. */
struct list {
	const struct taf_objects *s;
	struct taf_str lines;
};

/* The first object of an array: read where it lies it has the same bytes. */
static void
object(const struct taf_objects *s, const char *path, const struct taf_zarr_array *z)
{
	static unsigned char bytes[2][MOST];
	const uint64_t first[TAF_MAX_DIM] = { 0 };
	struct taf_err e = { 0 };
	struct taf_str key = { .err = &e };
	enum taf_status st[2];
	size_t n[2] = { 0 };
	struct taf_in *in;
	unsigned k;

	taf_str_printf(&key, "%s%s", path, path[0] != '\0' ? "/" : "");
	taf_zarr_key(z, first, &key);
	must(key.st == TAF_OK);
	for (k = 0; k < 2; k++) {
		st[k] = taf_objects_get(s, key.buf.data, MOST, k == 1, &in, &e);
		must(st[k] == TAF_END || st[k] == e.code);
		taf_err_clear(&e);
		if (st[k] != TAF_OK)
			continue;
		n[k] = (size_t)taf_in_left(in);
		must(n[k] <= MOST);
		st[k] = taf_in_pread(in, bytes[k], n[k], taf_in_offset(in), &e);
		must(st[k] == TAF_OK);
		taf_in_close(in);
	}
	/* the check of a member is compared where it is read at once */
	must(st[0] != TAF_OK || (st[1] == TAF_OK && n[0] == n[1] &&
	    memcmp(bytes[0], bytes[1], n[0]) == 0));
	taf_str_free(&key);
}

/*
 * What is listed is looked for by its path.  Consolidated metadata may say something
 * else than the array's own, which count.
 */
static enum taf_status
listed(void *ctx, const char *path, const struct taf_zarr_array *z, struct taf_err *e)
{
	struct list *const l = ctx;
	struct taf_err why = { 0 };
	struct taf_zarr_array again;
	enum taf_status st = taf_zarr_find(l->s, path, &again, &why);

	(void)e;
	must(z->nd.ndim <= TAF_MAX_DIM);
	must(st == TAF_OK ? again.refused[0] == '\0' && again.bytes > 0 :
	    st == TAF_END || why.text[0] != '\0');
	taf_str_printf(&l->lines, "%s %u %d\n", path, z->nd.ndim, (int)st);
	if (st == TAF_OK) {
		must(taf_zarr_unchanged(l->s, path, &again, &why) == TAF_OK);
		object(l->s, path, &again);
	}
	taf_zarr_array_free(&again);
	taf_err_clear(&why);
	st = taf_zarr_look(l->s, path, &again, &why);
	must(st == TAF_END || st == why.code);
	if (st != TAF_OK || again.version != z->version)
		must(taf_zarr_unchanged(l->s, path, z, &why) != TAF_OK ||
		    l->s->in != NULL);
	taf_zarr_array_free(&again);
	return TAF_OK;
}

/* List a store; TAF_ESYS where it cannot be opened. */
static enum taf_status
list(const char *path, struct taf_str *lines)
{
	struct list l = { .lines = *lines };
	struct taf_err e = { 0 };
	struct taf_zarr_array z;
	struct taf_objects s;
	enum taf_status st = taf_objects_open(&s, path, &e), found;

	l.s = &s;
	must(st == e.code && (st == TAF_OK || e.text[0] != '\0'));
	if (st == TAF_OK) {
		st = taf_zarr_list(&s, listed, &l, &e);
		must(st == e.code && (st == TAF_OK || e.text[0] != '\0'));
		taf_err_clear(&e);
		found = taf_zarr_find(&s, "", &z, &e);
		must(found == TAF_OK || found == TAF_END || found == TAF_EDATA ||
		    found == TAF_ESYS);
		taf_zarr_array_free(&z);
	}
	taf_objects_close(&s);
	*lines = l.lines;
	must(lines->st == TAF_OK);
	return st;
}

/* Is one of the files there by which a folder is known as a store? */
static bool
is_store(const char *root)
{
	static const char *const names[] = { ".zarray", ".zgroup", "zarr.json",
		".zmetadata" };
	char path[sizeof folder + 32];
	struct stat sb;
	unsigned k;

	for (k = 0; k < 4; k++) {
		(void)snprintf(path, sizeof path, "%s/%s", root, names[k]);
		if (stat(path, &sb) == 0)
			return true;
	}
	return false;
}

/* An archive of the same files lists the same. */
static void
store(const uint8_t *data, size_t size)
{
	char root[sizeof folder + 8], archive[sizeof folder + 8];
	struct taf_err e = { 0 };
	struct taf_str in_folder = { .err = &e }, in_archive = { .err = &e };
	struct taf_zip_out z = { 0 };
	enum taf_status st;
	bool all;

	enter();
	(void)snprintf(root, sizeof root, "%s/d", folder);
	(void)snprintf(archive, sizeof archive, "%s/z.zip", folder);
	must(mkdir(root, 0777) == 0);
	must(taf_out_create(&z.out, archive, &e) == TAF_OK);
	all = put_files(root, &z, data, size) && z.n > 0;
	must(taf_zip_finish(&z, &e) == TAF_OK && taf_out_commit(z.out, &e) == TAF_OK);
	taf_zip_out_free(&z);
	must((taf_foreign_folder(root) != NULL) == is_store(root));
	st = list(root, &in_folder);
	must(st != TAF_OK || is_store(root));
	if (all) {
		must(list(archive, &in_archive) == st);
		must(in_folder.buf.len == in_archive.buf.len &&
		    (in_folder.buf.len == 0 || strcmp(in_folder.buf.data,
		    in_archive.buf.data) == 0));
	}
	taf_str_free(&in_folder);
	taf_str_free(&in_archive);
	empty_folder();
}

/* Is "." or ".." a part of a path? */
static bool
has_dots(const char *path)
{
	char whole[16];

	(void)snprintf(whole, sizeof whole, "/%s/", path);
	return strstr(whole, "/./") != NULL || strstr(whole, "/../") != NULL;
}

/* A file that may be an archive; its first bytes are a path, too. */
static void
archive(const uint8_t *data, size_t size)
{
	char path[sizeof folder + 8], name[8] = "";
	struct taf_err e = { 0 };
	struct taf_str lines = { .err = &e };

	enter();
	memcpy(name, data, size < sizeof name - 1 ? size : sizeof name - 1);
	must((taf_objects_path_check(name, &e) == TAF_OK) == (name[0] != '\0' &&
	    name[0] != '/' && name[strlen(name) - 1] != '/' &&
	    strstr(name, "//") == NULL && !has_dots(name)));
	taf_err_clear(&e);
	(void)snprintf(path, sizeof path, "%s/z", folder);
	must(write_file(path, data, size));
	(void)list(path, &lines);
	taf_str_free(&lines);
	empty_folder();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1 || size > MOST)
		return 0;
	switch (data[0]) {
	case '2':
		meta(data + 1, size - 1, 2);
		break;
	case '3':
		meta(data + 1, size - 1, 3);
		break;
	case 'c':
		chunk(data + 1, size - 1);
		break;
	case 'd':
		store(data + 1, size - 1);
		break;
	case 'z':
		archive(data + 1, size - 1);
		break;
	case 's':
		shard(data + 1, size - 1);
		break;
	}
	return 0;
}
