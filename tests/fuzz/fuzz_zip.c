/* SPDX-License-Identifier: ISC */
/* link: zlib */
/* Zip archives: every member of an input, in pieces, whole, and as an array of .npz. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc.h"
#include "codec/npy.h"
#include "codec/npz_member.h"
#include "codec/zip.h"
#include "codec/zip_write.h"
#include "target.h"

enum { MOST = 1 << 20, PIECE = 4000 };

/* All bytes of a member, or what is wrong with it; true where it is sound. */
static bool
read_pieces(const struct taf_zip *z, const struct taf_zip_member *m, struct taf_buf *to)
{
	struct taf_zip_part *part = NULL;
	struct taf_err e = { 0 };
	unsigned char p[PIECE];
	enum taf_status st;
	uint64_t sum = 0;
	size_t got = 1;

	st = taf_zip_begin(&part, z, m, &e);
	while (st == TAF_OK && got > 0 && sum <= MOST) {
		st = taf_in_read_part(taf_zip_in(part), p, sizeof p, &got, &e);
		if (st == TAF_OK) {
			must(taf_buf_put(to, p, got, &e) == TAF_OK);
			sum += got;
			must(sum <= m->n);
		}
	}
	must(st == e.code);
	must(st != TAF_OK || sum > MOST || sum == m->n);
	taf_zip_end(part);
	return st == TAF_OK && sum <= MOST;
}

static void
check_member(const struct taf_zip *z, const struct taf_zip_member *m, size_t size)
{
	struct taf_buf pieces = { 0 }, whole = { 0 };
	struct taf_err e = { 0 };
	uint64_t off;
	bool sound;

	must(taf_zip_find(z, m->name) >= m);
	must(strcmp(taf_zip_find(z, m->name)->name, m->name) == 0);
	if (taf_zip_place(z, m, &off, &e) == TAF_OK)
		must(off <= size && m->packed <= size - off);
	taf_err_clear(&e);
	sound = read_pieces(z, m, &pieces);
	if (m->n <= MOST)
		must((taf_zip_read(z, m, MOST, &whole, &e) == TAF_OK) == sound);
	if (m->n <= MOST && sound) {
		must(whole.len == m->n && pieces.len == m->n);
		must(m->n == 0 || memcmp(whole.data, pieces.data, whole.len) == 0);
		must(taf_crc32(0, whole.data, whole.len) == m->crc);
	}
	taf_buf_free(&pieces);
	taf_buf_free(&whole);
}

/* As an array: its header, read from the whole member, says the same. */
static void
check_array(const struct taf_zip *z, const struct taf_zip_member *m)
{
	const size_t n = taf_npz_name_length(m);
	struct taf_buf whole = { 0 };
	struct taf_ndarray nd, again;
	struct taf_err e = { 0 };
	uint64_t header, bytes;
	struct taf_in *in;
	enum taf_status st;

	must(n == 0 || strcmp(m->name + n, ".npy") == 0);
	must(taf_npz_in_member(m, &e) == TAF_OK && e.text[0] == '\0');
	st = taf_npz_describe(z, m, &nd, &header, &e);
	must(st == e.code);
	must(st == TAF_OK || strncmp(e.text, "member ", 7) == 0);
	taf_err_clear(&e);
	if (st == TAF_OK && taf_zip_read(z, m, MOST, &whole, &e) == TAF_OK) {
		must(taf_in_mem(&in, whole.data, whole.len, &e) == TAF_OK);
		must(taf_npy_read(in, &again, &bytes, &e) == TAF_OK);
		must(taf_in_offset(in) == header && header + bytes == m->n);
		must(again.type == nd.type && again.ndim == nd.ndim);
		must(memcmp(again.n, nd.n, nd.ndim * sizeof nd.n[0]) == 0);
		taf_in_close(in);
	}
	taf_buf_free(&whole);
}

/* What is written is read again: its members have their bytes, and begin aligned. */
static void
check_again(const uint8_t *data, size_t n, const struct taf_zip_out *made)
{
	struct taf_zip z = { 0 };
	struct taf_err e = { 0 };
	struct taf_in *in;
	size_t k;

	must(taf_in_mem(&in, data, n, &e) == TAF_OK);
	must(taf_zip_open(&z, in, &e) == TAF_OK && z.n == made->n);
	for (k = 0; k < z.n; k++)
		check_member(&z, &z.member[k], n);
	taf_zip_close(&z);
	taf_in_close(in);
}

/* An archive of two members, halves of the input, called by its first letters. */
static void
write_again(const uint8_t *data, size_t size)
{
	struct taf_zip_out z = { 0 };
	struct taf_err e = { 0 };
	unsigned char *p = NULL;
	struct taf_in *in;
	size_t k, n;
	FILE *f = tmpfile();

	must(f != NULL && taf_out_fd(&z.out, dup(fileno(f)), "archive", &e) == TAF_OK);
	for (k = 0; k < 2; k++) {
		char name[] = "0.npy";

		name[0] = (char)('a' + (size > k ? data[k] % 3 : 0));
		must(taf_in_mem(&in, data + k * (size / 2), size / 2, &e) == TAF_OK);
		if (taf_zip_put(&z, name, in, &e) != TAF_OK)
			must(e.code == TAF_EDATA && k == 1);
		taf_err_clear(&e);
		taf_in_close(in);
	}
	must(taf_zip_finish(&z, &e) == TAF_OK && taf_out_commit(z.out, &e) == TAF_OK);
	must(fseek(f, 0, SEEK_END) == 0 && ftell(f) > 0);
	n = (size_t)ftell(f);
	p = malloc(n);
	rewind(f);
	must(p != NULL && fread(p, 1, n, f) == n);
	check_again(p, n, &z);
	free(p);
	taf_zip_out_free(&z);
	(void)fclose(f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_zip z = { 0 };
	struct taf_err e = { 0 };
	enum taf_status st;
	struct taf_in *in;
	size_t k;

	(void)taf_zip_sniff(data, size);
	write_again(data, size);
	must(taf_in_mem(&in, data, size, &e) == TAF_OK);
	st = taf_zip_open(&z, in, &e);
	must(st == e.code);
	for (k = 0; st == TAF_OK && k < z.n && k < 100; k++) {
		check_member(&z, &z.member[k], size);
		check_array(&z, &z.member[k]);
	}
	if (st == TAF_OK) {
		must(taf_zip_find(&z, "") == NULL);
		must(taf_zip_twice(&z) == NULL || z.n > 1);
	}
	taf_zip_close(&z);
	taf_zip_end(NULL);
	taf_in_close(in);
	return 0;
}
