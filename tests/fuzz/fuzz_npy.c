/* SPDX-License-Identifier: ISC */
/* NumPy's .npy: every array of an input, its header written anew. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codec/npy.h"
#include "target.h"

enum { SMALL = 4096 };	/* elements of more bytes are not written */

/* An array, described in any order of its dimensions, is imported as it was. */
static void
check_export(const struct taf_array *a)
{
	unsigned order[TAF_MAX_DIM], how, k;
	struct taf_err e = { 0 };
	struct taf_ndarray nd;
	struct taf_layout l;

	for (how = 0; how < 4; how++) {
		bool reverse = (how & 1) != 0, c_order = (how & 2) != 0;

		taf_ndarray_export(a, a->type, c_order, reverse, &nd, order);
		must(taf_ndarray_import(&nd, reverse, &l, &e) == TAF_OK);
		must(l.a.type == a->type && l.a.ndim == a->ndim);
		for (k = 0; k < a->ndim; k++) {
			must(l.a.dim[k].n == a->dim[k].n);
			/* what is written kth is what is found stored as kth */
			must(l.order[order[k]] == k);
		}
	}
}

static void
check_layout(const struct taf_ndarray *nd, uint64_t bytes, bool reverse)
{
	struct taf_err e = { 0 };
	struct taf_layout l;
	unsigned k;

	if (taf_ndarray_import(nd, reverse, &l, &e) != TAF_OK) {
		must(e.code == TAF_EDATA);
		return;
	}
	must(taf_array_bytes(&l.stored) == bytes);
	for (k = 0; k < l.a.ndim; k++)
		must(l.a.dim[k].n == l.stored.dim[l.order[k]].n);
	check_export(&l.a);
}

/* Written and read again it is the same, but that a header says less than it could. */
static void
check_written(const struct taf_ndarray *nd, uint64_t bytes)
{
	struct taf_ndarray again;
	struct taf_buf file = { 0 };
	struct taf_err e = { 0 };
	uint64_t found, k;
	struct taf_in *in;

	if (nd->half || bytes > SMALL)
		return;
	must(taf_npy_format(nd, &file, &e) == TAF_OK);
	must(file.len % 64 == 0 && file.data[file.len - 1] == '\n');
	for (k = 0; k < bytes; k++)
		must(taf_buf_put(&file, "", 1, &e) == TAF_OK);
	must(taf_in_mem(&in, file.data, file.len, &e) == TAF_OK);
	must(taf_npy_read(in, &again, &found, &e) == TAF_OK);
	must(found == bytes && taf_in_left(in) == bytes);
	must(again.type == nd->type && again.ndim == nd->ndim);
	must(memcmp(again.n, nd->n, sizeof again.n) == 0);
	must(!again.big || taf_type_size(again.type) == 1);
	must(nd->fortran || !again.fortran);
	taf_in_close(in);
	taf_buf_free(&file);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_err e = { 0 };
	struct taf_ndarray nd;
	enum taf_status st;
	struct taf_in *in;
	uint64_t bytes;

	must(taf_in_mem(&in, data, size, &e) == TAF_OK);
	while ((st = taf_npy_read(in, &nd, &bytes, &e)) == TAF_OK) {
		must(bytes <= taf_in_left(in));
		check_layout(&nd, bytes, false);
		check_layout(&nd, bytes, true);
		check_written(&nd, bytes);
		must(taf_in_skip(in, bytes, &e) == TAF_OK);
	}
	must(st == e.code && st != TAF_OK);
	taf_in_close(in);
	return 0;
}
