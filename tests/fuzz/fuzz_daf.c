/* SPDX-License-Identifier: ISC */
/*
 * FilesDaf: the first byte says which of its parsers gets the rest: JSON texts, the lines
 * of an axis, packed chunks, what is to be packed, sparse indices.
 */
/* link: jansson zlib zstd blosc bzip2 lzma */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/endian.h"
#include "codec/daf/daf.h"
#include "codec/daf/daf_pack.h"
#include "target.h"

enum {
	MOST = 1 << 16,		/* elements that are decoded */
	CHUNK = 8192		/* bytes of a column that is long enough to be packed */
};

/* What was read is written, and read again it is the same. */
static void
scalar(const struct taf_buf *text)
{
	struct taf_daf_scalar s = { 0 }, again = { 0 };
	struct taf_err e = { 0 };
	struct taf_buf to = { 0 };

	if (taf_daf_parse_scalar(text->data, text->len, &s, &e) == TAF_OK &&
	    s.type != TAF_DAF_STRING && taf_daf_format_scalar(&s, &to, &e) == TAF_OK) {
		must(taf_daf_parse_scalar(to.data, to.len, &again, &e) == TAF_OK);
		must(s.type == again.type && memcmp(s.value, again.value, 8) == 0);
	}
	taf_buf_free(&s.text);
	taf_buf_free(&to);
}

static void
descriptor(const struct taf_buf *text, bool matrix)
{
	struct taf_daf_descriptor d, again;
	struct taf_err e = { 0 };
	struct taf_buf to = { 0 };

	if (taf_daf_parse_descriptor(text->data, text->len, matrix, &d, &e) != TAF_OK) {
		must(e.code == TAF_EDATA && e.text[0] != '\0');
		return;
	}
	must(taf_daf_format_descriptor(&d, matrix, !d.sparse || d.index.counted, &to,
	    &e) == TAF_OK);
	must(taf_daf_parse_descriptor(to.data, to.len, matrix, &again, &e) == TAF_OK);
	must(d.type == again.type && d.sparse == again.sparse &&
	    d.value.n == again.value.n && d.index.n == again.index.n &&
	    d.colptr.n == again.colptr.n);
	taf_buf_free(&to);
}

static void
entries(struct taf_in *in)
{
	struct taf_daf_strings t = { 0 };
	struct taf_err e = { 0 };
	size_t k;
	struct taf_in *again;

	must(taf_in_again(&again, in, 0, &e) == TAF_OK);
	if (taf_daf_strings_read(again, &t, &e) == TAF_OK)
		for (k = 0; k < t.n; k++)
			must(t.at[k] <= t.at[k + 1]);
	taf_daf_strings_free(&t);
	memset(&t, 0, sizeof t);
	taf_err_clear(&e);
	taf_in_close(again);
	if (taf_daf_entries_read(in, &t, &e) == TAF_OK)
		for (k = 0; k < t.n; k++)
			must(t.at[k] < t.at[k + 1]);
	taf_daf_strings_free(&t);
	taf_in_close(in);
}

/* The first bytes: type and packing, columns, rows and elements of a chunk. */
static void
chunks(const uint8_t *data, size_t size)
{
	static const char *const codec[] = { "gzip", "zstd", "blosc_zstd_bitshuffle",
	    "blosc_lz4_bitshuffle" };
	struct taf_daf_part p = { .there = true, .packed = true };
	unsigned char room[1024];
	struct taf_daf_flow *f;
	struct taf_err e = { 0 };
	enum taf_status st;
	struct taf_in *in;
	uint64_t left, rows;
	size_t n;

	if (size < 6)
		return;
	p.type = data[0] % 11 == 10 ? TAF_DAF_BOOL : data[0] % 11;
	(void)snprintf(p.codec, sizeof p.codec, "%s", codec[data[0] / 11 % 4]);
	rows = taf_get16(data + 2, false);
	p.chunk = taf_get16(data + 4, false) + UINT64_C(1);
	left = rows * (data[1] % 16);
	must(taf_in_mem(&in, data + 6, size - 6, &e) == TAF_OK);
	st = taf_daf_flow_new(&f, in, &p, rows, data[1] % 16, &e);
	if (st != TAF_OK)
		return;
	for (; left > 0 && st == TAF_OK; left -= n) {
		n = left < sizeof room / 8 ? (size_t)left : sizeof room / 8;
		st = taf_daf_flow_read(f, room, n, &e);
	}
	taf_daf_flow_close(f);
}

/* What is packed is read again as it was: bytes over and over, as elements of a size. */
static void
sealed(const uint8_t *data, size_t size)
{
	static const char *const words[] = { "gzip", "zstd", "blosc", "none" };
	struct taf_daf_payload payload = { 0 };
	struct taf_daf_part part = { .there = true };
	struct taf_err e = { 0 };
	enum taf_daf_packing packing;
	struct taf_daf_seal *seal;
	unsigned char room[512];
	struct taf_daf_flow *f;
	struct taf_out *out;
	struct taf_in *in;
	uint64_t all, at, k;
	FILE *file;
	size_t n;

	if (size < 5 || taf_daf_packing_parse(&packing, words[data[0] % 4], &e) != TAF_OK)
		return;
	payload.size = (size_t)1 << data[1] % 4;
	payload.rows = CHUNK / payload.size + data[2] % 7 * 320;
	payload.columns = 1 + data[3] % 3;
	payload.matrix = payload.columns > 1;
	part.type = (unsigned)(payload.size == 1 ? TAF_UINT8 : payload.size == 2 ?
	    TAF_UINT16 : payload.size == 4 ? TAF_UINT32 : TAF_UINT64);
	all = payload.rows * payload.columns * payload.size;
	must(taf_daf_packs(packing, &payload, &part));
	file = tmpfile();
	must(file != NULL && taf_out_fd(&out, dup(fileno(file)), "file", &e) == TAF_OK);
	payload.rows /= 32;
	must(taf_daf_seal_new(&seal, out, packing, &payload, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	payload.rows *= 32;
	must(taf_daf_seal_new(&seal, out, packing, &payload, &e) == TAF_OK);
	for (at = 0; at < all; at += n) {
		n = all - at < size - 4 ? (size_t)(all - at) : size - 4;
		must(taf_daf_seal_write(seal, data + 4, n, &e) == TAF_OK);
	}
	must(taf_daf_seal_write(seal, data + 4, 1, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	must(taf_daf_seal_end(seal, &e) == TAF_OK);
	taf_daf_seal_free(seal);
	must(taf_out_commit(out, &e) == TAF_OK);
	rewind(file);
	must(taf_in_fd(&in, dup(fileno(file)), "file", &e) == TAF_OK);
	must(taf_daf_flow_new(&f, in, &part, payload.rows, payload.columns, &e) ==
	    TAF_OK);
	for (at = 0; at < all; at += n) {
		n = all - at < sizeof room ? (size_t)(all - at) : sizeof room;
		must(taf_daf_flow_read(f, room, n / payload.size, &e) == TAF_OK);
		/* elements come in the order of this machine */
		for (k = 0; k < n; k++)
			must(taf_host_is_big() ||
			    room[k] == data[4 + (at + k) % (size - 4)]);
	}
	taf_daf_flow_close(f);
	must(fclose(file) == 0);
}

/* Small numbers as column pointers and rows. */
static void
sparse(const uint8_t *data, size_t size)
{
	struct taf_daf_sparse m = { .type = TAF_UINT8 }, t, back;
	unsigned char *all, *turned;
	struct taf_err e = { 0 };
	uint64_t i, j;

	if (size < 2 || size < 3 + (size_t)data[1] % 32)
		return;
	m.rows = data[0] % 32;
	m.columns = data[1] % 32;
	m.n = size - 3 - m.columns;
	m.ptr = calloc((size_t)m.columns + 1, sizeof m.ptr[0]);
	m.row = calloc((size_t)m.n + 1, sizeof m.row[0]);
	m.value = malloc((size_t)m.n + 1);
	all = malloc((size_t)(m.rows * m.columns) + 1);
	turned = malloc((size_t)(m.rows * m.columns) + 1);
	must(m.ptr != NULL && m.row != NULL && m.value != NULL && all != NULL &&
	    turned != NULL);
	for (i = 0; i <= m.columns; i++)
		m.ptr[i] = data[2 + i];
	for (i = 0; i < m.n; i++) {
		m.row[i] = data[3 + m.columns + i];
		m.value[i] = (unsigned char)(i + 1);
	}
	if (taf_daf_sparse_check(&m, &e) == TAF_OK) {
		must(taf_daf_sparse_transpose(&m, &t, &e) == TAF_OK);
		must(taf_daf_sparse_check(&t, &e) == TAF_OK);
		must(taf_daf_sparse_transpose(&t, &back, &e) == TAF_OK);
		must(memcmp(back.row, m.row, (size_t)m.n * sizeof m.row[0]) == 0);
		must(memcmp(back.value, m.value, (size_t)m.n) == 0);
		taf_daf_sparse_fill(&m, 0, (size_t)(m.rows * m.columns), all);
		/* in two pieces */
		taf_daf_sparse_fill(&t, 0, (size_t)(m.rows * m.columns) / 3, turned);
		taf_daf_sparse_fill(&t, m.rows * m.columns / 3,
		    (size_t)(m.rows * m.columns) - (size_t)(m.rows * m.columns) / 3,
		    turned + m.rows * m.columns / 3);
		for (j = 0; j < m.columns; j++)
			for (i = 0; i < m.rows; i++)
				must(all[j * m.rows + i] == turned[i * m.columns + j]);
		taf_daf_sparse_free(&t);
		taf_daf_sparse_free(&back);
	}
	taf_daf_sparse_free(&m);
	free(all);
	free(turned);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_err e = { 0 };
	struct taf_buf text = { 0 };
	struct taf_in *in;
	unsigned minor = 0;

	if (size < 1 || size > MOST)
		return 0;
	must(taf_buf_put(&text, data + 1, size - 1, &e) == TAF_OK);
	switch (data[0]) {
	case 'v':
		if (taf_daf_parse_version(text.data, text.len, &minor, &e) == TAF_OK)
			must(minor <= 1);
		break;
	case 's':
		scalar(&text);
		break;
	case 'd':
		descriptor(&text, false);
		break;
	case 'm':
		descriptor(&text, true);
		break;
	case 'a':
		must(taf_in_mem(&in, data + 1, size - 1, &e) == TAF_OK);
		entries(in);
		break;
	case 'z':
		chunks(data + 1, size - 1);
		break;
	case 'w':
		sealed(data + 1, size - 1);
		break;
	case 'i':
		sparse(data + 1, size - 1);
		break;
	}
	taf_buf_free(&text);
	return 0;
}
