/* SPDX-License-Identifier: ISC */
/* Inputs and outputs for tests of streams: memory, pipes that dribble, files. */
#ifndef FEED_H
#define FEED_H

#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array/array.h"
#include "base/endian.h"
#include "codec/rsf.h"
#include "codec/taf_file.h"
#include "kernel/number/convert_private.h"
#include "stream/reader.h"
#include "stream/writer.h"
#include "unit.h"

/* The failure of the last call; a test clears it where it goes on after one. */
static struct taf_err e;

/* Elements as they lie in memory become elements as TAF has them, or the reverse. */
static inline void
little(void *p, enum taf_type type, size_t bytes)
{
	size_t word = taf_type_word(type);

	if (taf_host_is_big() && word > 1)
		taf_swap_bytes(p, word, bytes / word);
}

/* How an input comes. */
enum feed { BY_MEMORY, BY_FILE, BY_PIPE, BY_FUNCTION, BY_DRIBBLE, FEEDS };

static inline void
must(bool holds)
{
	if (!holds) {
		printf("# the test itself failed: %s\n", e.text);
		fflush(stdout);
		abort();
	}
}

/* Another process writes the bytes into a pipe, in small pieces if slow. */
static inline int
piped(const void *p, size_t n, bool slow)
{
	const char *from = p;
	int ends[2];

	fflush(stdout);
	must(pipe(ends) == 0);
	if (fork() == 0) {
		close(ends[0]);
		while (n > 0) {
			size_t part = slow ? 1 + (size_t)(unsigned char)from[0] % 7 : n;
			ssize_t r = write(ends[1], from, part < n ? part : n);

			if (r <= 0)
				break;
			from += r;
			n -= (size_t)r;
		}
		_exit(0);
	}
	close(ends[1]);
	return ends[0];
}

/* Wait for all processes of piped(). */
static inline void
reap(void)
{
	while (wait(NULL) > 0)
		;
}

static inline void
put_file(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	must(f != NULL && fwrite(p, 1, n, f) == n && fclose(f) == 0);
}

static inline struct taf_buf
get_file(const char *path)
{
	struct taf_buf b = { 0 };
	char block[4096];
	FILE *f = fopen(path, "rb");
	size_t n;

	must(taf_buf_put(&b, NULL, 0, &e) == TAF_OK);
	if (f == NULL)
		return b;
	while ((n = fread(block, 1, sizeof block, f)) > 0)
		must(taf_buf_put(&b, block, n, &e) == TAF_OK);
	fclose(f);
	return b;
}

/* What a function gives: the bytes of a file, at most seven at once. */
static inline enum taf_status
give(void *ctx, void *buf, size_t n, size_t *got, struct taf_err *err)
{
	(void)err;
	*got = fread(buf, 1, n < 7 ? n : 7, ctx);
	return TAF_OK;
}

static inline struct taf_in *
input(enum feed how, const void *p, size_t n)
{
	static FILE *given[4];
	static size_t ngiven;
	struct taf_in *in = NULL;
	FILE **f;
	int fd;

	switch (how) {
	case BY_FUNCTION:
		f = &given[ngiven++ % 4];
		must(*f == NULL || fclose(*f) == 0);
		must((*f = tmpfile()) != NULL && fwrite(p, 1, n, *f) == n);
		rewind(*f);
		must(taf_in_call(&in, give, *f, "function", &e) == TAF_OK);
		break;
	case BY_FILE:
		put_file("input", p, n);
		fd = open("input", O_RDONLY | O_CLOEXEC);
		must(fd >= 0 && unlink("input") == 0);
		must(taf_in_fd(&in, fd, "input", &e) == TAF_OK);
		break;
	case BY_PIPE:
	case BY_DRIBBLE:
		must(
		    taf_in_fd(&in, piped(p, n, how == BY_DRIBBLE), "pipe", &e) == TAF_OK);
		break;
	case BY_MEMORY:
	case FEEDS:
		must(taf_in_mem(&in, p, n, &e) == TAF_OK);
		break;
	}
	return in;
}

static inline struct taf_reader *
reader(enum feed how, const void *p, size_t n, unsigned flags)
{
	struct taf_reader *r = NULL;

	taf_err_clear(&e);
	must(taf_reader_new(&r, input(how, p, n), NULL, flags, &e) == TAF_OK);
	return r;
}

/* Append a header of a, and leave it to the caller to put the elements behind. */
static inline void
put_rsf(struct taf_buf *to, const struct taf_array *a, enum taf_next next)
{
	struct taf_buf header = { 0 };

	must(taf_rsf_format(a, NULL, next, NULL, &header, &e) == TAF_OK);
	must(taf_buf_put(to, header.data, header.len, &e) == TAF_OK);
	taf_buf_free(&header);
}

static inline void
put_taf(struct taf_buf *to, const struct taf_array *a)
{
	unsigned char header[TAF_HEADER_MAX];

	must(taf_buf_put(to, header, taf_header_format(a, header), &e) == TAF_OK);
}

static inline struct taf_array
shaped(enum taf_type type, unsigned ndim, const uint64_t n[])
{
	struct taf_array a;

	taf_array_init(&a);
	a.type = type;
	for (unsigned k = 0; k < ndim; k++)
		taf_array_add_dim(&a, n[k], k + 0.5, -1.0 - k);
	return a;
}

/* Bytes that tell where they are, so that no two elements are alike for long. */
static inline void
fill(struct taf_buf *to, size_t bytes)
{
	static uint32_t x = 2463534242;

	must(taf_buf_reserve(to, bytes, &e) == TAF_OK);
	while (bytes > 0) {
		size_t n = bytes < 3 ? bytes : 3;

		/* the low byte of such a number repeats too soon */
		x = x * 1664525 + 1013904223;
		memcpy(to->data + to->len, &(uint32_t){ x >> 8 }, n);
		to->len += n;
		bytes -= n;
	}
}

static inline struct taf_writer *
writer(const char *path, enum taf_format format)
{
	const struct taf_sink sink = { .path = path, .format = format };
	struct taf_writer *w = NULL;

	taf_err_clear(&e);
	must(taf_writer_open(&w, &sink, &e) == TAF_OK);
	return w;
}

#endif
