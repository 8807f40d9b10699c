/* link: jansson zlib zstd blosc bzip2 lzma */
/*
 * Zarr: the first byte says which of its parsers gets the rest: .zarray (with .zattrs
 * behind a NUL) and zarr.json, a chunk, the index of a shard, or a store.  That is files,
 * each a line "%%" and its name, and its bytes; they are made below a private folder.
 */
#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/endian.h"
#include "codec/zarr/zarr.h"
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

/* in memory, if that can be: thousands of files are made */
static const char elsewhere[] = "/tmp/fuzz_zarr.XXXXXX";
static char folder[sizeof elsewhere] = "/dev/shm/zarrs.XXXXXX";

static int
remove_one(const char *path, const struct stat *sb, int kind, struct FTW *walk)
{
	(void)sb, (void)kind;
	return walk->level > 0 ? remove(path) : 0;
}

static void
leave(void)
{
	(void)rmdir(folder);
}

static void
enter(void)
{
	static bool entered;

	if (entered)
		return;
	entered = true;
	if (mkdtemp(folder) == NULL) {
		memcpy(folder, elsewhere, sizeof folder);
		must(mkdtemp(folder) != NULL);
	}
	must(atexit(leave) == 0);
}

/* A file of the store, in up to three folders whose names are letters, digits, '.', '_'. */
static void
put_file(const char *name, size_t len, const uint8_t *p, size_t n)
{
	char path[sizeof folder + 64];
	unsigned depth = 0;
	size_t k;
	FILE *f;

	if (len == 0 || len > 48 || name[0] == '/' || name[len - 1] == '/')
		return;
	(void)snprintf(path, sizeof path, "%s/%.*s", folder, (int)len, name);
	if (strstr(path, "..") != NULL || strlen(path) != sizeof folder + len)
		return;
	for (k = sizeof folder; path[k] != '\0'; k++)
		if (path[k] == '/') {
			path[k] = '\0';
			if (++depth > 3 || (mkdir(path, 0777) != 0 && errno != EEXIST))
				return;
			path[k] = '/';
		} else if (strchr("abcdefghijklmnopqrstuvwxyz0123456789._", path[k]) ==
		    NULL) {
			return;
		}
	f = fopen(path, "wb");
	if (f != NULL)
		must(fwrite(p, 1, n, f) == n && fclose(f) == 0);
}

/*
 * What is listed is looked for by its path.  Consolidated metadata may say something
 * else than the array's own, which count.
 */
static enum taf_status
listed(void *ctx, const char *path, const struct taf_zarr_array *z, struct taf_err *e)
{
	const struct taf_zarr *const s = ctx;
	struct taf_err why = { 0 };
	struct taf_zarr_array again;
	const enum taf_status st = taf_zarr_find(s, path, &again, &why);

	(void)e;
	must(z->nd.ndim <= TAF_MAX_DIM);
	must(st == TAF_OK ? again.refused[0] == '\0' && again.bytes > 0 :
	    st == TAF_END || why.text[0] != '\0');
	taf_zarr_array_free(&again);
	return TAF_OK;
}

static void
store(const uint8_t *data, size_t size)
{
	const uint8_t *const end = data + size, *line, *next;
	struct taf_zarr_array z;
	struct taf_err e = { 0 };
	struct taf_zarr s;
	unsigned files = 0;
	enum taf_status st;

	enter();
	while (size > 2 && memcmp(data, "%%", 2) == 0 && files++ < 16 &&
	    (line = memchr(data, '\n', size)) != NULL) {
		for (next = line + 1; next < end; next++)
			if (next[-1] == '\n' && end - next > 2 &&
			    memcmp(next, "%%", 2) == 0)
				break;
		put_file((const char *)data + 2, (size_t)(line - data) - 2, line + 1,
		    (size_t)(next - line) - 1);
		data = next;
		size = (size_t)(end - next);
	}
	must(taf_zarr_open(&s, folder, &e) == TAF_OK);
	st = taf_zarr_list(&s, listed, &s, &e);
	must(st == e.code && (st == TAF_OK || e.text[0] != '\0'));
	taf_err_clear(&e);
	st = taf_zarr_find(&s, "", &z, &e);
	must(st == TAF_OK || st == TAF_END || st == TAF_EDATA || st == TAF_ESYS);
	taf_zarr_array_free(&z);
	taf_zarr_close(&s);
	must(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
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
	case 's':
		shard(data + 1, size - 1);
		break;
	}
	return 0;
}
