/* SPDX-License-Identifier: ISC */
/* link: hdf5 zlib */
/* Datasets of HDF5 and netCDF-4: all that are listed, what is said of them, elements. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/hdf/hdf.h"
#include "config.h"
#include "hdf_options.h"
#include "target.h"

enum { SOME = 80, READ = 1 << 20, MEMORY = 1 << 22, LITTLE = 1 << 16 };

struct paths {
	char *path[SOME];
	size_t n;
};

static enum taf_status
keep(void *ctx, const struct taf_hdf_entry *d, struct taf_err *e)
{
	struct paths *p = ctx;

	if (p->n == SOME)
		return taf_fail(e, TAF_EDATA, "enough");
	p->path[p->n] = strdup(d->path);
	must(p->path[p->n] != NULL && d->type != NULL && d->lengths != NULL);
	p->n++;
	return TAF_OK;
}

static void
remark(void *ctx, const char *text)
{
	*(size_t *)ctx += strlen(text);
}

/* At most READ bytes, by bands where size is not 0; *whole is what there would be. */
static void
read_all(struct taf_hdf *f, const struct taf_region *part, size_t size, uint64_t whole)
{
	struct taf_hdf_bands bands = { .size = size };
	static unsigned char room[64 * 1024];
	struct taf_err e = { 0 };
	struct taf_in *in = NULL;
	uint64_t done = 0;
	size_t got = 1;
	enum taf_status st;
	unsigned k;

	for (k = 0; k < part->ndim; k++)
		bands.order[k] = k;
	st = taf_hdf_read(f, part, LITTLE, size > 0 ? &bands : NULL, &in, &e);

	while (st == TAF_OK && got > 0 && done < READ) {
		st = taf_in_read_part(in, room, sizeof room, &got, &e);
		done += got;
	}
	must(st == e.code);
	must(st != TAF_OK || done == whole || (done >= READ && done < whole));
	taf_in_close(in);
}

static void
one(struct taf_hdf *f, const char *path, size_t size)
{
	struct taf_err e = { 0 };
	struct taf_region all, part;
	struct taf_layout l;
	uint64_t bytes, whole = 1;
	const struct taf_hdf_set *set;
	struct taf_ndarray nd;
	size_t said = 0;
	struct taf_hdf_how how = { false, true, remark, &said };
	unsigned k;

	if (taf_hdf_find(f, path, MEMORY, &set, &e) != TAF_OK)
		return;
	nd = set->nd;
	if (set->plain) {
		must(taf_ndarray_bytes(&nd, &bytes, &e) == TAF_OK);
		must(set->offset <= size &&
		    bytes / (nd.half ? 2 : 1) <= size - set->offset);
	}
	nd.half = nd.big = false;
	if (taf_ndarray_import(&nd, (size & 1) != 0, &l, &e) != TAF_OK)
		return;
	how.reverse = (size & 1) != 0;
	if (taf_hdf_describe(f, &l.a, &how, &e) == TAF_OK)
		must(taf_array_check(&l.a, &e) == TAF_OK);
	taf_array_fini(&l.a);
	all.ndim = part.ndim = nd.ndim;
	for (k = 0; k < nd.ndim; k++) {
		all.first[k] = 0;
		all.step[k] = 1;
		all.count[k] = nd.n[k];
		part.first[k] = nd.n[k] > 1 ? 1 : 0;
		part.step[k] = 2;
		part.count[k] = (nd.n[k] + 1) / 2 - (nd.n[k] > 1 && nd.n[k] % 2 == 1);
		whole *= part.count[k];
	}
	must(taf_ndarray_bytes(&nd, &bytes, &e) == TAF_OK);
	read_all(f, &all, 0, bytes);
	read_all(f, &all, taf_type_size(nd.type), bytes);
	read_all(f, &part, 0, whole * taf_type_size(nd.type));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* what is no dataset, or is not listed */
	static const char *const others[] = { "elsewhere", "/", "", "packed", "loop",
		"nothing", "i2le/x" };
	struct taf_err e = { 0 };
	struct paths paths = { .n = 0 };
	struct taf_hdf *f = NULL;
	struct taf_in *in;
	size_t k;

	must(taf_in_mem(&in, data, size, &e) == TAF_OK);
	if (taf_hdf_open(&f, in, &e) == TAF_OK &&
	    taf_hdf_list(f, keep, &paths, &e) != TAF_OK)
		must(e.text[0] != '\0');
	for (k = 0; k < paths.n; k++) {
		one(f, paths.path[k], size);
		free(paths.path[k]);
	}
	for (k = 0; f != NULL && k < sizeof others / sizeof others[0]; k++)
		one(f, others[k], size);
	taf_hdf_close(f);
	taf_in_close(in);
	return 0;
}
