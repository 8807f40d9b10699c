/* SPDX-License-Identifier: ISC */
/* link: archive */
/* Tar archives of TenBin: every member of an input, and what its descriptions say. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/tar.h"
#include "codec/ten.h"
#include "config.h"
#include "target.h"

const char *__lsan_default_suppressions(void);

/* An archive that could not be written keeps its last block. */
const char *
__lsan_default_suppressions(void)
{
	return "leak:libarchive\n";
}

/* An input that is sparse may be long: what is passed over is. */
enum { MOST = 1 << 20, LONG = 256 * 1024, FULL = 68 * 1024 };

static const uint8_t zeros[LONG];

static enum taf_status
read_member(struct taf_tar *tar, struct taf_err *e)
{
	struct taf_in *member;
	enum taf_status st;
	struct taf_ten t;

	must(taf_tar_member(tar, &member, e) == TAF_OK);
	while ((st = taf_ten_read(member, &t, e)) == TAF_OK) {
		if (t.bytes > MOST)
			break;
		st = taf_in_skip(member, t.bytes, e);
		if (st == TAF_OK)
			st = taf_ten_pad(member, t.bytes, e);
		if (st != TAF_OK)
			break;
	}
	must(st == TAF_OK || st == TAF_END || st == e->code);
	taf_in_close(member);
	return st;
}

/* Every member, up to the first that is all TenBin, or the first failure. */
static enum taf_status
read_all(struct taf_in *in, struct taf_err *e)
{
	struct taf_tar *tar = NULL;
	enum taf_tar_kind kind;
	enum taf_status st;
	const char *name;

	st = taf_tar_open(&tar, in, e);
	if (st != TAF_OK)
		return st;
	while ((st = taf_tar_next(tar, &name, &kind, e)) == TAF_OK) {
		must(name != NULL);
		if (kind == TAF_TAR_FILE && read_member(tar, e) == TAF_OK)
			break;
		taf_err_clear(e);
	}
	must(st == TAF_OK || st == TAF_END || st == e->code);
	taf_tar_close(tar);
	return st;
}

/* Bytes, of which the last ones cannot be read. */
struct broken {
	const uint8_t *p;
	size_t left;
	bool met;
};

static enum taf_status
read_broken(void *ctx, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	struct broken *from = ctx;

	*got = n < from->left ? n : from->left;
	if (*got == 0) {
		from->met = true;
		return taf_fail(e, TAF_ESYS, "it cannot be read");
	}
	memcpy(buf, from->p, *got);
	from->p += *got;
	from->left -= *got;
	return TAF_OK;
}

/* An input that fails is no archive that ends. */
static void
check_broken(const uint8_t *data, size_t size)
{
	struct broken from = { data, size - size / 3, false };
	struct taf_err e = { 0 };
	struct taf_in *in;

	must(taf_in_call(&in, read_broken, &from, "broken", &e) == TAF_OK);
	must(read_all(in, &e) != TAF_END || !from.met);
	taf_in_close(in);
}

/* A member that cannot be written is not: no such length, too few bytes. */
static void
check_unwritten(const uint8_t *data, size_t size)
{
	const uint64_t wrong[] = { UINT64_MAX, (uint64_t)size + 1 };
	struct taf_tar_out *to;
	struct taf_err e = { 0 };
	enum taf_status st;
	struct taf_in *in;
	struct taf_out *out;

	for (int i = 0; i < 2; i++) {
		must(taf_in_mem(&in, data, size, &e) == TAF_OK);
		must(taf_out_fd(&out, open("/dev/null", O_WRONLY), "null", &e) == TAF_OK);
		must(taf_tar_begin(&to, out, &e) == TAF_OK);
		st = taf_tar_put(to, "x", in, wrong[i], &e);
		must(st != TAF_OK && taf_tar_end(to, st, &e) == st && st == e.code);
		taf_out_discard(out);
		taf_in_close(in);
		taf_err_clear(&e);
	}
}

/* Where there is no room, writing or its end fails, whatever fills the last buffer. */
static void
check_full(const uint8_t *data, size_t size)
{
	const size_t before = FULL + size / 4 % 8 * 512;
	int fd = open("/dev/full", O_WRONLY);
	struct taf_tar_out *to;
	struct taf_err e = { 0 };
	enum taf_status st;
	struct taf_in *in, *first;
	struct taf_out *out;

	if (fd < 0)
		return;
	must(taf_in_mem(&in, data, size, &e) == TAF_OK);
	must(taf_in_mem(&first, zeros, before, &e) == TAF_OK);
	must(taf_out_fd(&out, fd, "full", &e) == TAF_OK);
	must(taf_tar_begin(&to, out, &e) == TAF_OK);
	st = taf_tar_put(to, "first", first, before, &e);
	if (st == TAF_OK)
		st = taf_tar_put(to, "x", in, size, &e);
	st = taf_tar_end(to, st, &e);
	must(st == TAF_ESYS && e.code == TAF_ESYS);
	taf_out_discard(out);
	taf_in_close(first);
	taf_in_close(in);
}

/*
 * The bytes as a member of an archive are those that are read from it, those behind them
 * are another; the first one may be long, and is passed over.
 */
static void
check_written(const uint8_t *data, size_t size)
{
	const size_t before = size % 64 == 0 ? LONG : 1, half = size / 2;
	struct taf_tar_out *to;
	struct taf_err e = { 0 };
	FILE *file = tmpfile();
	enum taf_tar_kind kind;
	struct taf_in *in, *first, *member;
	struct taf_out *out;
	struct taf_tar *tar;
	const uint8_t *p;
	const char *name;
	size_t got;

	must(file != NULL);
	must(taf_in_mem(&in, data, size, &e) == TAF_OK);
	must(taf_in_mem(&first, zeros, before, &e) == TAF_OK);
	must(taf_out_fd(&out, dup(fileno(file)), "file", &e) == TAF_OK);
	must(taf_tar_begin(&to, out, &e) == TAF_OK);
	must(taf_tar_put(to, "first", first, before, &e) == TAF_OK);
	must(taf_tar_put(to, "x/y", in, half, &e) == TAF_OK);
	must(taf_tar_end(to, taf_tar_put(to, "z", in, size - half, &e), &e) == TAF_OK);
	must(taf_out_commit(out, &e) == TAF_OK);
	taf_in_close(first);
	taf_in_close(in);
	rewind(file);
	must(taf_in_fd(&in, dup(fileno(file)), "file", &e) == TAF_OK);
	must(taf_tar_open(&tar, in, &e) == TAF_OK);
	must(taf_tar_next(tar, &name, &kind, &e) == TAF_OK && kind == TAF_TAR_FILE);
	must(strcmp(name, "first") == 0);
	for (int k = 0; k < 2; k++) {
		const uint8_t *want = k == 0 ? data : size > 0 ? data + half : data;
		const size_t n = k == 0 ? half : size - half;

		must(taf_tar_next(tar, &name, &kind, &e) == TAF_OK);
		must(kind == TAF_TAR_FILE && strcmp(name, k == 0 ? "x/y" : "z") == 0);
		must(taf_tar_member(tar, &member, &e) == TAF_OK);
		must(taf_in_peek(member, n + 1, &p, &got, &e) == TAF_OK);
		must(got == n && (n == 0 || memcmp(p, want, n) == 0));
		taf_in_close(member);
	}
	must(taf_tar_next(tar, &name, &kind, &e) == TAF_END);
	taf_tar_close(tar);
	taf_in_close(in);
	must(fclose(file) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t tried;
	struct taf_err e = { 0 };
	struct taf_in *in;

	must(taf_in_mem(&in, data, size, &e) == TAF_OK);
	if (taf_tar_sniff(data, size < TAF_TAR_SEEN ? size : TAF_TAR_SEEN)) {
		(void)read_all(in, &e);
		check_broken(data, size);
	}
	taf_in_close(in);
#ifdef HAVE_ARCHIVE
	check_written(data, size);
	/* once of each length: what libarchive does not free is lost */
	if (size < 32 && size % 4 == 0 && (tried & 1U << size) == 0) {
		tried |= 1U << size;
		check_unwritten(data, size);
		check_full(data, size);
	}
	/* NULL is nothing to end */
	must(taf_tar_end(NULL, TAF_EDATA, &e) == TAF_EDATA);
	taf_tar_close(NULL);
#else
	(void)tried;
	(void)check_written;
	(void)check_unwritten;
	(void)check_full;
#endif
	return 0;
}
