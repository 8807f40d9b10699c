/* SPDX-License-Identifier: ISC */
/* TenBin: every array of an input, its description written anew, its name as text. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codec/ten.h"
#include "target.h"

enum { SMALL = 4096 };	/* elements of more bytes are not written */

static void
check_layout(const struct taf_ten *t, bool reverse)
{
	bool seen[TAF_MAX_DIM] = { false };
	struct taf_err e = { 0 };
	struct taf_layout l;
	unsigned k;

	if (taf_ndarray_import(&t->nd, reverse, &l, &e) != TAF_OK) {
		must(e.code == TAF_EDATA);
		return;
	}
	must(taf_array_bytes(&l.stored) == t->bytes);
	must(taf_array_count(&l.a) == taf_array_count(&l.stored));
	must(l.a.ndim == l.stored.ndim);
	for (k = 0; k < l.a.ndim; k++) {
		must(l.order[k] < l.a.ndim && !seen[l.order[k]]);
		seen[l.order[k]] = true;
		must(l.a.dim[k].n == l.stored.dim[l.order[k]].n);
	}
}

static void
check_name(const struct taf_ten *t)
{
	struct taf_buf text = { 0 };
	struct taf_err e = { 0 };
	char name[TAF_TEN_NAME];

	must(taf_ten_name_text(t->name, &text, &e) == TAF_OK);
	must(taf_ten_name_parse(text.len > 0 ? text.data : "", name, &e) == TAF_OK);
	must(memcmp(name, t->name, sizeof name) == 0);
	taf_buf_free(&text);
}

static void
check_written(const struct taf_ten *t)
{
	unsigned char file[TAF_TEN_PREFIX_MAX + SMALL] = { 0 };
	unsigned char prefix[TAF_TEN_PREFIX_MAX];
	struct taf_ten copy = *t, again;
	struct taf_err e = { 0 };
	struct taf_in *in;
	size_t n;

	if (taf_ten_format(&copy, prefix, &n, &e) != TAF_OK) {
		must(t->nd.ndim > TAF_TEN_WRITE_DIM);
		return;
	}
	must(n <= sizeof prefix && copy.bytes == t->bytes);
	if (t->bytes > SMALL)
		return;
	memcpy(file, prefix, n);
	must(taf_in_mem(&in, file, n + (size_t)t->bytes, &e) == TAF_OK);
	must(taf_ten_read(in, &again, &e) == TAF_OK);
	must(memcmp(&again, t, sizeof again) == 0);
	must(taf_in_left(in) == t->bytes);
	taf_in_close(in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_err e = { 0 };
	struct taf_in *in;
	enum taf_status st;
	struct taf_ten t;

	must(taf_in_mem(&in, data, size, &e) == TAF_OK);
	while ((st = taf_ten_read(in, &t, &e)) == TAF_OK) {
		must(t.bytes <= taf_in_left(in));
		check_layout(&t, false);
		check_layout(&t, true);
		check_name(&t);
		check_written(&t);
		st = taf_in_skip(in, t.bytes, &e);
		if (st == TAF_OK)
			st = taf_ten_pad(in, t.bytes, &e);
		must(st == TAF_OK);
	}
	must(st == TAF_END ? e.code == TAF_OK && taf_in_left(in) == 0 : st == e.code);
	taf_in_close(in);
	return 0;
}
