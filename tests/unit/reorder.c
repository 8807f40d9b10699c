/* SPDX-License-Identifier: ISC */
/* Elements in another order, and arrays made one, against loops over the elements. */
#include "base/half.h"
#include "stream/reorder_private.h"

#include <math.h>

#include "descriptor.h"
#include "feed.h"
#include "op/move/concat.h"

enum { MEMORY = 20000 };	/* little, so that there are many blocks */

static const struct taf_service quiet;

static enum taf_status
next(struct taf_reader *r, struct taf_array *a)
{
	taf_err_clear(&e);
	return taf_reader_next(r, a, &e);
}

/* Offset of the element at the indices, in elements. */
static uint64_t
offset(const struct taf_array *a, const uint64_t at[])
{
	uint64_t off = 0, stride = 1;

	for (unsigned k = 0; k < a->ndim; k++) {
		off += at[k] * stride;
		stride *= a->dim[k].n;
	}
	return off;
}

static bool
advance(const struct taf_array *a, uint64_t at[])
{
	for (unsigned k = 0; k < a->ndim; k++) {
		if (++at[k] < a->dim[k].n)
			return true;
		at[k] = 0;
	}
	return false;
}

/* to: dimension k is dimension order[k] of from. */
static void
naive_permute(
    const struct taf_array *a, const unsigned order[], const char *from, char *to)
{
	uint64_t at[TAF_MAX_DIM] = { 0 }, there[TAF_MAX_DIM];
	size_t esize = taf_type_size(a->type);
	struct taf_array out = *a;

	if (taf_array_count(a) == 0)
		return;
	for (unsigned k = 0; k < a->ndim; k++)
		out.dim[k] = a->dim[order[k]];
	do {
		for (unsigned k = 0; k < a->ndim; k++)
			there[k] = at[order[k]];
		memcpy(to + offset(&out, there) * esize, from + offset(a, at) * esize,
		    esize);
	} while (advance(a, at));
}

static void
shuffle(unsigned order[], unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		order[k] = k;
	for (unsigned k = n; k > 1; k--) {
		unsigned i = draw(k), t = order[k - 1];

		order[k - 1] = order[i];
		order[i] = t;
	}
}

/* Where the result goes: a file, written at random, or a pipe, written in order. */
enum sink { TO_FILE, TO_TAF, TO_PIPE, TO_OUT, SINKS };

/* What comes out of a descriptor, read by another process into a file. */
static int
drained(const char *path)
{
	int ends[2];

	fflush(stdout);
	must(pipe(ends) == 0);
	if (fork() == 0) {
		char block[65536];
		FILE *f = fopen(path, "wb");
		ssize_t n;

		close(ends[1]);
		while (f != NULL && (n = read(ends[0], block, sizeof block)) > 0)
			if (fwrite(block, 1, (size_t)n, f) != (size_t)n)
				_exit(1);
		_exit(f != NULL && fclose(f) == 0 ? 0 : 1);
	}
	close(ends[0]);
	return ends[1];
}

static enum taf_status
reorder_to(enum sink sink, const struct taf_array *a, const unsigned order[],
    struct taf_reader *r)
{
	struct taf_reorder how = {
		.order = order, .memory = MEMORY, .jobs = 1 + draw(3)
	};
	struct taf_array out = *a;
	enum taf_status st;

	for (unsigned k = 0; k < a->ndim; k++)
		out.dim[k] = a->dim[order[k]];
	if (sink == TO_OUT || sink == TO_PIPE) {
		int fd = sink == TO_PIPE ? drained("out") :
		    open("out", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

		must(fd >= 0 && taf_out_fd(&how.out, fd, "out", &e) == TAF_OK);
		st = taf_reorder(&how, r, a, &e);
		if (st == TAF_OK)
			return taf_out_commit(how.out, &e);
		taf_out_discard(how.out);
		return st;
	}
	how.writer = writer("out", sink == TO_TAF ? TAF_FORMAT_TAF : TAF_FORMAT_RSF);
	must(taf_writer_begin(how.writer, &out, false, &e) == TAF_OK);
	st = taf_reorder(&how, r, a, &e);
	if (st == TAF_OK)
		st = taf_writer_end(how.writer, &out, &e);
	if (st == TAF_OK)
		return taf_writer_close(how.writer, &e);
	taf_writer_discard(how.writer);
	return st;
}

static void
check_reorder(
    enum feed feed, enum sink sink, const struct taf_array *a, const unsigned order[])
{
	size_t bytes = (size_t)taf_array_bytes(a), header;
	struct taf_buf b = { 0 }, file;
	struct taf_array x = { 0 };
	char *want = malloc(bytes + 1);
	struct taf_reader *r;

	must(want != NULL);
	put_rsf(&b, a, false);
	header = b.len;
	fill(&b, bytes);
	naive_permute(a, order, b.data + header, want);
	if (sink != TO_FILE)
		little(want, a->type, bytes);
	r = reader(feed, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	CHECK(reorder_to(sink, a, order, r) == TAF_OK);
	taf_reader_close(r);
	reap();
	file = get_file("out");
	if (CHECK(file.len >= bytes)) {
		/* behind the elements TAF has a tail, where there is one dimension */
		const char *at = file.data + (sink == TO_TAF ?
		    1056 + 24 * (a->ndim > 1 ? a->ndim : 2) : file.len - bytes);

		CHECK((size_t)(file.data + file.len - at) >= bytes);
		CHECK_MEM(at, want, bytes);
	}
	CHECK(sink < TO_PIPE || file.len == bytes);
	must(unlink("out") == 0);
	free(want);
	taf_array_fini(&x);
	taf_buf_free(&file);
	taf_buf_free(&b);
}

static void
small_arrays(void)
{
	static const enum taf_type types[] = { TAF_UINT8, TAF_INT16, TAF_FLT32,
		TAF_FLT64 };

	for (int i = 0; i < 160; i++) {
		uint64_t n[5];
		unsigned order[5], ndim = 1 + draw(5);
		struct taf_array a;

		for (unsigned k = 0; k < ndim; k++)
			n[k] = draw(30) ? 1 + draw(7) : 0;
		a = shaped(types[draw(4)], ndim, n);
		shuffle(order, ndim);
		check_reorder(i % 9 == 0 ? BY_PIPE : (enum feed)draw(2),
		    (enum sink)(i % SINKS), &a, order);
	}
}

/* Larger than the memory by far. */
static void
large_arrays(void)
{
	static const struct {
		uint64_t n[3];
		unsigned order[3];
	} t[] = {
		{ { 301, 157, 1 }, { 1, 0, 2 } }, { { 107, 3, 101 }, { 2, 1, 0 } },
		{ { 3, 20021, 1 }, { 1, 0, 2 } }, { { 20021, 3, 1 }, { 1, 0, 2 } },
		{ { 33, 39, 41 }, { 1, 2, 0 } }, { { 33, 39, 41 }, { 0, 2, 1 } },
		{ { 33, 39, 41 }, { 0, 1, 2 } },
	};

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct taf_array a = shaped(i % 2 ? TAF_FLT32 : TAF_UINT16, 3, t[i].n);

		for (int sink = 0; sink < SINKS; sink++)
			check_reorder(sink % 2 ? BY_PIPE : BY_FILE, (enum sink)sink, &a,
			    t[i].order);
	}
}

static void
does_anything_move(void)
{
	static const uint64_t n[] = { 4, 1, 5 };
	static const unsigned same[] = { 0, 1, 2 }, ones[] = { 1, 0, 2 },
			      last[] = { 0, 2, 1 }, turned[] = { 2, 1, 0 };
	struct taf_array a = shaped(TAF_INT8, 3, n);

	CHECK(!taf_reorder_moves(&a, NULL) && !taf_reorder_moves(&a, same));
	CHECK(!taf_reorder_moves(&a, ones) && !taf_reorder_moves(&a, last));
	CHECK(taf_reorder_moves(&a, turned));
	a.dim[1].n = 0;
	CHECK(!taf_reorder_moves(&a, turned));
}

/* Complex elements through TAF, whose parts are apart, in both directions. */
static void
complex_elements(void)
{
	static const uint64_t n[] = { 37, 23 };
	static const unsigned order[] = { 1, 0 };
	struct taf_array a = shaped(TAF_COMPLEX, 2, n), x = { 0 };
	struct taf_buf b = { 0 }, file;
	struct taf_reader *r;
	char want[8 * 37 * 23];
	size_t header;

	put_rsf(&b, &a, false);
	header = b.len;
	fill(&b, sizeof want);
	naive_permute(&a, order, b.data + header, want);
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK && reorder_to(TO_TAF, &a, order, r) == TAF_OK);
	taf_reader_close(r);
	file = get_file("out");
	r = reader(BY_MEMORY, file.data, file.len, 0);
	CHECK(next(r, &x) == TAF_OK && x.type == TAF_COMPLEX && x.dim[0].n == 23);
	CHECK(reorder_to(TO_OUT, &x, order, r) == TAF_OK);
	taf_reader_close(r);
	taf_buf_free(&file);
	file = get_file("out");
	CHECK(file.len == sizeof want);
	little(file.data, TAF_COMPLEX, file.len);
	CHECK_MEM(file.data, b.data + header, sizeof want);
	must(unlink("out") == 0);
	taf_array_fini(&x);
	taf_buf_free(&file);
	taf_buf_free(&b);
}

/* Elements without a header, of either byte order, recoded on the way. */
static void
recoded(void)
{
	static const uint64_t n[] = { 3, 2 };
	static const unsigned order[] = { 1, 0 };
	/* 1, -2, 0.5, inf, 65504, the smallest denormal: IEEE 754 binary16 */
	static const uint16_t half[] = { 0x3c00, 0xc000, 0x3800, 0x7c00, 0x7bff, 0x0001 };
	static const float is[] = { 1, -2, 0.5F, INFINITY, 65504,
		5.9604644775390625e-8F };
	struct taf_array a = shaped(TAF_UINT16, 2, n);
	struct taf_buf file;

	a.intercept = 10;
	a.slope = 0.25;
	for (int i = 0; i < 32; i++) {
		bool big = i & 1, moves = i & 2, map = i & 4, to_pipe = i & 8,
		     from_pipe = i & 16;
		struct taf_reorder how = { .order = moves ? order : NULL,
			.memory = MEMORY,
			.jobs = 1,
			.recode = map ? TAF_CHANGE_MAP : TAF_CHANGE_HALF };
		unsigned char raw[13];
		struct taf_in *in;
		int fd;

		for (int k = 0; k < 6; k++) {
			raw[2 * k] = (unsigned char)(big ? half[k] >> 8 : half[k]);
			raw[2 * k + 1] = (unsigned char)(big ? half[k] : half[k] >> 8);
		}
		raw[12] = 'x';
		in = input(from_pipe ? BY_PIPE : BY_MEMORY, raw, sizeof raw);
		fd = to_pipe ? drained("out")
			     : open("out", O_RDWR | O_CREAT | O_TRUNC, 0666);
		taf_err_clear(&e);
		must(taf_out_fd(&how.out, fd, "out", &e) == TAF_OK);
		CHECK(taf_reorder_in(&how, in, &a, big, &e) == TAF_OK);
		CHECK(taf_out_commit(how.out, &e) == TAF_OK);
		/* the input is behind them */
		CHECK(taf_in_read(in, raw, 1, &e) == TAF_OK && raw[0] == 'x');
		taf_in_close(in);
		reap();
		file = get_file("out");
		CHECK_EQ(file.len, map ? 48 : 24);
		for (int k = 0; k < 6 && file.len == (map ? 48U : 24U); k++) {
			/* transposed, 3 x 2 becomes 2 x 3 */
			int at = moves ? k / 2 + 3 * (k % 2) : k;

			if (map)
				CHECK(taf_getf64(file.data + 8 * k, false) ==
				    10 + 0.25 * half[at]);
			else
				CHECK(taf_getf32(file.data + 4 * k, false) == is[at]);
		}
		taf_buf_free(&file);
		must(unlink("out") == 0);
	}
}

/* More than is read at a time, to elements twice as large and four times. */
static void
recoded_in_blocks(void)
{
	enum { ROWS = 2049, COLUMNS = 151 };
	static const uint64_t n[] = { ROWS, COLUMNS };
	static const unsigned order[] = { 1, 0 };
	struct taf_array a = shaped(TAF_UINT16, 2, n);
	size_t count = ROWS * COLUMNS;
	uint16_t *raw = malloc(count * sizeof *raw);
	struct taf_buf file;

	must(raw != NULL);
	a.intercept = 3;
	a.slope = 0.5;
	for (int i = 0; i < 16; i++) {
		bool big = i & 1, moves = i & 2, map = i & 4, from_pipe = i & 8;
		struct taf_reorder how = { .order = moves ? order : NULL,
			.memory = from_pipe ? 1 << 20 : 8 << 20, .jobs = 2,
			.recode = map ? TAF_CHANGE_MAP : TAF_CHANGE_HALF };
		size_t size = map ? 8 : 4;
		struct taf_in *in;
		bool same = true;

		for (size_t k = 0; k < count; k++) {
			raw[k] = (uint16_t)(k * 37 % 0x7c00);
			if (big != taf_host_is_big())
				raw[k] = taf_swap16(raw[k]);
		}
		in = input(from_pipe ? BY_PIPE : BY_FILE, raw, count * sizeof *raw);
		taf_err_clear(&e);
		must(taf_out_create(&how.out, "out", &e) == TAF_OK);
		CHECK(taf_reorder_in(&how, in, &a, big, &e) == TAF_OK);
		CHECK(taf_out_commit(how.out, &e) == TAF_OK);
		taf_in_close(in);
		reap();
		file = get_file("out");
		CHECK_EQ(file.len, count * size);
		for (size_t k = 0; k < count && file.len == count * size; k++) {
			size_t at = moves ? k / COLUMNS + ROWS * (k % COLUMNS) : k;
			const char *got = file.data + k * size;
			int h = (int)(at * 37 % 0x7c00), f = h & 1023;
			float half = h < 1024 ? ldexpf((float)f, -24) :
			    ldexpf((float)(1024 + f), (h >> 10) - 25);

			same = same && (map ? taf_getf64(got, false) == 3 + 0.5 * h :
			    taf_getf32(got, false) == half);
		}
		CHECK(same);
		taf_buf_free(&file);
		must(unlink("out") == 0);
	}
	free(raw);
}

/*
 * Every float of 16 bits is found again in the flt32 that it became, and no other is one.
 */
static void
narrowed(void)
{
	uint16_t half[1024], back[1024];
	float wide[1024], near;
	uint32_t bits;

	for (unsigned i = 0; i < 64; i++) {
		for (unsigned k = 0; k < 1024; k++)
			half[k] = (uint16_t)(1024 * i + k);
		taf_half_to_flt32(wide, half, 1024);
		CHECK(taf_half_holds(wide, 1024));
		taf_half_from_flt32(back, wide, 1024);
		CHECK_MEM(back, half, sizeof half);
		for (unsigned k = 0; k < 1024; k++)
			for (unsigned bit = 0; bit < 13; bit++) {
				memcpy(&bits, &wide[k], sizeof bits);
				bits ^= UINT32_C(1) << bit;
				memcpy(&near, &bits, sizeof near);
				CHECK(!taf_half_holds(&near, 1));
			}
	}
}

/* What is between two halves, above them all or below. */
static void
not_narrowed(void)
{
	static const float held[] = { 65504, -65504, 0x1p-24F, -0x1p-24F, 0x1p-14F, -0.0F,
		INFINITY, 1 + 0x1p-10F };
	static const float not[] = { 65505, 65536, -65536, 131072, 0x1.ffcp16F, 0x1p127F,
		0x1p-25F, -0x1p-25F, 0x1.8p-24F, 0x1p-126F, 0x1p-149F, 1 + 0x1p-11F };

	for (size_t i = 0; i < sizeof held / sizeof held[0]; i++)
		CHECK(taf_half_holds(&held[i], 1));
	for (size_t i = 0; i < sizeof not / sizeof not[0]; i++)
		CHECK(!taf_half_holds(&not[i], 1));
}

/* In the order that they have: through the kernel, swapped, or recoded. */
static void
in_order(void)
{
	static const uint64_t n[] = { 4, 2 };
	struct taf_array a = shaped(TAF_UINT16, 2, n);

	a.intercept = 1;
	a.slope = 2;
	for (int i = 0; i < 16; i++) {
		bool big = i & 1, by_writer = i & 2, by_reader = i & 4, map = i & 8;
		struct taf_reorder how = { .memory = MEMORY, .jobs = 1,
		    .recode = map ? TAF_CHANGE_MAP : TAF_CHANGE_NONE };
		struct taf_in *in =
		    input(i % 3 ? BY_FILE : BY_PIPE, "0123456789abcdef", 16);
		struct taf_array out = a;
		struct taf_reader *r;
		struct taf_buf file;
		size_t bytes = map ? 64 : 16;

		taf_err_clear(&e);
		if (by_writer) {
			out.type = map ? TAF_FLT64 : a.type;
			how.writer = writer("out", TAF_FORMAT_RSF);
			must(taf_writer_begin(how.writer, &out, false, &e) == TAF_OK);
		} else {
			must(taf_out_create(&how.out, "out", &e) == TAF_OK);
		}
		if (by_reader) {
			must(taf_reader_raw(&r, in, &a, big, &e) == TAF_OK);
			CHECK(taf_reorder(&how, r, &a, &e) == TAF_OK);
			taf_reader_close(r);
		} else {
			CHECK(taf_reorder_in(&how, in, &a, big, &e) == TAF_OK);
			taf_in_close(in);
		}
		if (by_writer)
			CHECK(taf_writer_end(how.writer, &out, &e) == TAF_OK &&
			    taf_writer_close(how.writer, &e) == TAF_OK);
		else
			CHECK(taf_out_commit(how.out, &e) == TAF_OK);
		file = get_file("out");
		CHECK(by_writer ? file.len > bytes : file.len == bytes);
		for (size_t k = 0; k < 8 && file.len >= bytes; k++) {
			const char *at = file.data + file.len - bytes + k * bytes / 8;
			uint16_t want = taf_get16(&"0123456789abcdef"[2 * k], big);
			/* as RSF has them, or TAF */
			bool order = by_writer && taf_host_is_big();

			CHECK(map ? taf_getf64(at, order) == 1 + 2.0 * want :
			    taf_get16(at, order) == want);
		}
		taf_buf_free(&file);
		must(unlink("out") == 0);
	}
	reap();
}

/* Several threads at once, and what they do where the output has no room. */
static void
threads(void)
{
	static const uint64_t n[] = { 1000, 900 };
	static const unsigned order[] = { 1, 0 };
	struct taf_array a = shaped(TAF_FLT32, 2, n), x = { 0 };
	struct taf_reorder how = { .order = order, .memory = 1 << 20, .jobs = 3 };
	struct taf_buf b = { 0 }, file;
	struct taf_reader *r;
	char *want = malloc((size_t)taf_array_bytes(&a));
	size_t header;

	must(want != NULL);
	put_rsf(&b, &a, false);
	header = b.len;
	fill(&b, (size_t)taf_array_bytes(&a));
	naive_permute(&a, order, b.data + header, want);
	little(want, a.type, (size_t)taf_array_bytes(&a));
	for (int by_pipe = 0; by_pipe < 2; by_pipe++) {
		r = reader(by_pipe ? BY_PIPE : BY_FILE, b.data, b.len, 0);
		CHECK(next(r, &x) == TAF_OK);
		must(taf_out_fd(&how.out, by_pipe ? drained("out") :
		    open("out", O_RDWR | O_CREAT | O_TRUNC, 0666), "out", &e) == TAF_OK);
		CHECK(taf_reorder(&how, r, &x, &e) == TAF_OK &&
		    taf_out_commit(how.out, &e) == TAF_OK);
		taf_reader_close(r);
		reap();
		file = get_file("out");
		CHECK_EQ(file.len, taf_array_bytes(&a));
		CHECK(file.len == taf_array_bytes(&a) &&
		    memcmp(file.data, want, file.len) == 0);
		taf_buf_free(&file);
		must(unlink("out") == 0);
	}
	r = reader(BY_FILE, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	must(taf_out_fd(&how.out, open("/dev/full", O_WRONLY), "full", &e) == TAF_OK);
	CHECK(taf_reorder(&how, r, &x, &e) == TAF_ESYS && e.sys == ENOSPC);
	taf_out_discard(how.out);
	taf_reader_close(r);
	free(want);
	taf_array_fini(&x);
	taf_buf_free(&b);
}

static void
no_order(void)
{
	static const uint64_t n[] = { 3, 2 };
	static const unsigned twice[] = { 1, 1 }, beyond[] = { 0, 2 };
	struct taf_array a = shaped(TAF_UINT8, 2, n);
	struct taf_reorder how = { .memory = MEMORY, .jobs = 1 };
	struct taf_reader *r;
	struct taf_in *in = input(BY_MEMORY, "abcdef", 6);

	taf_err_clear(&e);
	must(taf_reader_raw(&r, in, &a, false, &e) == TAF_OK);
	must(taf_out_fd(&how.out, open("/dev/null", O_WRONLY), "null", &e) == TAF_OK);
	how.order = twice;
	CHECK(taf_reorder(&how, r, &a, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	how.order = beyond;
	CHECK(taf_reorder(&how, r, &a, &e) == TAF_EMISUSE);
	taf_out_discard(how.out);
	taf_reader_close(r);
}

/* --- several arrays made one --- */

/* A file of an array of these lengths; its elements are also at *data, which is freed. */
static struct taf_array
part(const char *path, enum taf_type type, unsigned ndim, const uint64_t n[], bool as_taf,
    char **data)
{
	struct taf_array a = shaped(type, ndim, n);
	struct taf_buf b = { 0 };
	size_t header;

	if (as_taf && ndim > 1)
		put_taf(&b, &a);
	else
		put_rsf(&b, &a, false);
	header = b.len;
	fill(&b, (size_t)taf_array_bytes(&a));
	put_file(path, b.data, b.len);
	*data = malloc((size_t)taf_array_bytes(&a) + 1);
	must(*data != NULL);
	memcpy(*data, b.data + header, (size_t)taf_array_bytes(&a));
	if (as_taf && ndim > 1)
		little(*data, type, (size_t)taf_array_bytes(&a));
	taf_buf_free(&b);
	return a;
}

static enum taf_status
concat(const char *const path[], unsigned count, unsigned dim, size_t memory,
    struct taf_array *out)
{
	struct taf_writer *w = writer("out", TAF_FORMAT_RSF);
	struct taf_concat *c = NULL;
	enum taf_status st;

	taf_err_clear(&e);
	st = taf_concat_open(&c, &dim, memory, &e);
	for (unsigned i = 0; i < count && st == TAF_OK; i++)
		st = taf_concat_add(c, path[i], &e);
	if (st == TAF_OK)
		st = taf_concat_shape(c, out, &quiet, &e);
	if (st == TAF_OK)
		CHECK(taf_concat_is_last(c) == (dim == 0 || dim >= out->ndim));
	if (st == TAF_OK)
		st = taf_writer_begin(w, out, false, &e);
	if (st == TAF_OK)
		st = taf_concat_write(c, w, &e);
	if (st == TAF_OK)
		st = taf_writer_end(w, out, &e);
	if (st == TAF_OK)
		st = taf_writer_close(w, &e);
	else
		taf_writer_discard(w);
	taf_concat_close(c);
	return st;
}

static void
check_concat(unsigned ndim, const uint64_t n[], unsigned dim, size_t memory)
{
	static const char *const path[] = { "p0", "p1", "p2" };
	enum taf_type type = draw(2) ? TAF_UINT16 : TAF_FLT64;
	size_t esize = taf_type_size(type);
	struct taf_array in[3], out = { 0 };
	struct taf_buf file;
	uint64_t at[TAF_MAX_DIM], base = 0;
	char *data[3];

	for (int i = 0; i < 3; i++) {
		uint64_t m[TAF_MAX_DIM];

		memcpy(m, n, ndim * sizeof *n);
		if (dim <= ndim)
			m[dim - 1] = draw(9) ? 1 + draw(6) : 0;
		in[i] = part(path[i], type, ndim, m, draw(2), &data[i]);
	}
	if (CHECK(concat(path, 3, dim, memory, &out) == TAF_OK)) {
		size_t bytes = (size_t)taf_array_bytes(&out);
		bool same = true;

		file = get_file("out");
		CHECK(file.len >= bytes && out.ndim == (dim > ndim ? dim : ndim));
		for (int i = 0; i < 3 && file.len >= bytes; i++) {
			memset(at, 0, sizeof at);
			if (taf_array_count(&in[i]) > 0)
				do {
					uint64_t there[TAF_MAX_DIM] = { 0 };

					memcpy(there, at, ndim * sizeof *at);
					there[dim - 1] += base;
					same = same &&
					    memcmp(file.data + file.len - bytes +
						    offset(&out, there) * esize,
						data[i] + offset(&in[i], at) * esize,
						esize) == 0;
				} while (advance(&in[i], at));
			base += dim > ndim ? 1 : in[i].dim[dim - 1].n;
		}
		CHECK(same);
		CHECK_EQ(out.dim[dim - 1].n, base);
		taf_buf_free(&file);
		must(unlink("out") == 0);
	}
	for (int i = 0; i < 3; i++) {
		free(data[i]);
		must(unlink(path[i]) == 0);
	}
	taf_array_fini(&out);
}

static void
joined(void)
{
	for (int i = 0; i < 40; i++) {
		uint64_t n[4];
		unsigned ndim = 1 + draw(3);

		for (unsigned k = 0; k < ndim; k++)
			n[k] = draw(30) ? 1 + draw(7) : 0;
		/* one dimension more stacks them, of the same lengths */
		check_concat(ndim, n, 1 + draw(ndim + 1),
		    i % 3 == 0	     ? 1
			: i % 3 == 1 ? 500
				     : 1 << 20);
	}
}

/* A file with one array of these float64 values. */
static void
numbers(const char *path, enum taf_type type, const void *p, uint64_t n, double intercept,
    double slope)
{
	struct taf_array a = shaped(type, 1, &n);
	struct taf_buf b = { 0 };

	a.intercept = intercept;
	a.slope = slope;
	put_rsf(&b, &a, false);
	must(taf_buf_put(&b, p, (size_t)taf_array_bytes(&a), &e) == TAF_OK);
	put_file(path, b.data, b.len);
	taf_buf_free(&b);
}

/* Of another type or mapping: exactly as the first one's, or not at all. */
static void
conversions(void)
{
	static const char *const ab[] = { "a", "b" };
	static const int16_t shorts[] = { 100, -2, 7 };
	static const float exact[] = { 3, -4 }, inexact[] = { 3, 0.5F };
	static const double physical[] = { 10.5, 9 }, between[] = { 10.5, 10.25 };
	struct taf_array out = { 0 };
	struct taf_buf file;
	int16_t v[5];

	numbers("a", TAF_INT16, shorts, 3, INFINITY, INFINITY);
	numbers("b", TAF_FLT32, exact, 2, INFINITY, INFINITY);
	CHECK(concat(ab, 2, 1, 1000, &out) == TAF_OK && out.type == TAF_INT16 &&
	    out.dim[0].n == 5);
	file = get_file("out");
	memcpy(v, file.data + file.len - sizeof v, sizeof v);
	CHECK(v[0] == 100 && v[2] == 7 && v[3] == 3 && v[4] == -4);
	taf_buf_free(&file);
	must(unlink("out") == 0);
	numbers("b", TAF_FLT32, inexact, 2, INFINITY, INFINITY);
	CHECK(concat(ab, 2, 1, 1000, &out) == TAF_EDATA && access("out", F_OK) != 0);
	/* 10 + 0.5 x: 10.5 is 1, 9 is -2, and 10.25 nothing */
	numbers("a", TAF_INT16, shorts, 3, 10, 0.5);
	numbers("b", TAF_FLT64, physical, 2, INFINITY, INFINITY);
	CHECK(concat(ab, 2, 1, 1000, &out) == TAF_OK && out.intercept == 10 &&
	    out.slope == 0.5);
	file = get_file("out");
	memcpy(v, file.data + file.len - sizeof v, sizeof v);
	CHECK(v[1] == -2 && v[3] == 1 && v[4] == -2);
	taf_buf_free(&file);
	must(unlink("out") == 0);
	numbers("b", TAF_FLT64, between, 2, INFINITY, INFINITY);
	CHECK(concat(ab, 2, 1, 1000, &out) == TAF_EDATA && access("out", F_OK) != 0);
	/* values too far for the type */
	numbers("a", TAF_INT16, shorts, 3, 0, 1e-6);
	numbers("b", TAF_FLT64, physical, 2, INFINITY, INFINITY);
	CHECK(concat(ab, 2, 1, 1000, &out) == TAF_EDATA && access("out", F_OK) != 0);
	must(unlink("a") == 0 && unlink("b") == 0);
	taf_array_fini(&out);
}

static void
arrays_that_do_not_join(void)
{
	static const char *const path[] = { "a", "b", "missing" };
	static const uint64_t n[] = { 3, 4, 2 }, m[] = { 3, 5, 2 };
	struct taf_array out = { 0 };
	char *data;

	(void)part("a", TAF_INT16, 2, n, true, &data);
	free(data);
	(void)part("b", TAF_INT16, 2, m, true, &data);
	free(data);
	CHECK(concat(path, 2, 2, 1000, &out) == TAF_OK && out.dim[1].n == 9);
	must(unlink("out") == 0);
	CHECK(concat(path, 2, 0, 1000, &out) == TAF_OK && out.dim[1].n == 9);
	must(unlink("out") == 0);
	CHECK(concat(path, 2, 1, 1000, &out) == TAF_EDATA);
	CHECK_STR(e.name, "b");
	CHECK(strstr(e.text, "5") != NULL && strstr(e.text, "4") != NULL);
	CHECK(concat(path, 2, 3, 1000, &out) == TAF_EDATA);
	CHECK(concat(path, 2, 4, 1000, &out) == TAF_EDATA);
	CHECK(concat(path, 2, 65, 1000, &out) == TAF_EDATA);
	CHECK(concat(path, 3, 2, 1000, &out) == TAF_ESYS);
	CHECK_STR(e.name, "missing");
	(void)part("b", TAF_INT16, 3, n, true, &data);
	free(data);
	CHECK(concat(path, 2, 2, 1000, &out) == TAF_EDATA);
	(void)part("b", TAF_COMPLEX, 2, n, false, &data);
	free(data);
	CHECK(concat(path, 2, 2, 1000, &out) == TAF_EDATA);
	CHECK(access("out", F_OK) != 0);
	must(unlink("a") == 0 && unlink("b") == 0);
	taf_array_fini(&out);
}

/* A stream of several arrays from a pipe counts as all of them, and is read twice. */
static void
joined_from_a_pipe(void)
{
	static const char *const path[] = { "a", "-" };
	static const uint64_t n[] = { 3, 2 };
	struct taf_array a = shaped(TAF_UINT8, 2, n), out = { 0 };
	struct taf_buf b = { 0 }, file;
	int in, saved;

	put_rsf(&b, &a, false);
	must(taf_buf_puts(&b, "ABCDEF", &e) == TAF_OK);
	put_file("a", b.data, b.len);
	b.len = 0;
	put_rsf(&b, &a, true);
	must(taf_buf_puts(&b, "abcdef", &e) == TAF_OK);
	put_rsf(&b, &a, false);
	must(taf_buf_puts(&b, "ghijkl", &e) == TAF_OK);
	in = piped(b.data, b.len, false);
	saved = dup(0);
	must(saved >= 0 && dup2(in, 0) == 0 && close(in) == 0);
	CHECK(concat(path, 2, 1, 1000, &out) == TAF_OK && out.dim[0].n == 9);
	must(dup2(saved, 0) == 0 && close(saved) == 0);
	file = get_file("out");
	CHECK(file.len > 18 &&
	    memcmp(file.data + file.len - 18, "ABCabcghiDEFdefjkl", 18) == 0);
	must(unlink("out") == 0 && unlink("a") == 0);
	reap();
	taf_array_fini(&out);
	taf_buf_free(&file);
	taf_buf_free(&b);
}

/* A file that another program has written anew between its header and its elements. */
static void
changed_meanwhile(void)
{
	static const uint64_t n[] = { 3, 2 }, more[] = { 3, 4 };
	const unsigned last = 0;
	struct taf_writer *w = writer("out", TAF_FORMAT_RSF);
	struct taf_concat *c = NULL;
	struct taf_array out = { 0 };
	char *data;

	(void)part("a", TAF_INT16, 2, n, false, &data);
	free(data);
	taf_err_clear(&e);
	CHECK(taf_concat_open(&c, &last, MEMORY, &e) == TAF_OK &&
	    taf_concat_add(c, "a", &e) == TAF_OK &&
	    taf_concat_shape(c, &out, &quiet, &e) == TAF_OK);
	CHECK(taf_writer_begin(w, &out, false, &e) == TAF_OK);
	(void)part("a", TAF_INT16, 2, more, false, &data);
	free(data);
	CHECK(taf_concat_write(c, w, &e) == TAF_EDATA);
	CHECK_STR(e.name, "a");
	taf_writer_discard(w);
	taf_concat_close(c);
	taf_array_fini(&out);
	must(unlink("a") == 0);
}

int
main(void)
{
	UNIT(small_arrays);
	UNIT(large_arrays);
	UNIT(does_anything_move);
	UNIT(complex_elements);
	UNIT(recoded);
	UNIT(recoded_in_blocks);
	UNIT(narrowed);
	UNIT(not_narrowed);
	UNIT(in_order);
	UNIT(threads);
	UNIT(no_order);
	UNIT(joined);
	UNIT(conversions);
	UNIT(arrays_that_do_not_join);
	UNIT(joined_from_a_pipe);
	UNIT(changed_meanwhile);
	return unit_end();
}
