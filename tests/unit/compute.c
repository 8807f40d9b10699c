/* SPDX-License-Identifier: ISC */
/*
 * stream/compute and stream/lines against naive loops, over
 * shapes, feeds, memory, threads.
 */
#include "stream/compute.h"

#include "feed.h"
#include "stream/lines.h"

enum { MOST = 4096 };		/* elements of a case */

static const uint64_t memories[] = { 200, 4096, 1 << 26 };

/* An array of small int16 under a mapping, or of flt32, as a stream with its values. */
struct input {
	struct taf_array a;
	struct taf_buf stream;
	double value[MOST];
};

static void
make_input(struct input *in, unsigned ndim, const uint64_t n[])
{
	bool floats = draw(2) == 0;
	uint64_t i, count;

	memset(in, 0, sizeof *in);
	in->a = shaped(floats ? TAF_FLT32 : TAF_INT16, ndim, n);
	if (!floats && draw(2) == 0) {
		in->a.intercept = 3;
		in->a.slope = 0.25;
	}
	put_rsf(&in->stream, &in->a, TAF_NEXT_NO);
	count = taf_array_count(&in->a);
	must(count <= MOST);
	for (i = 0; i < count; i++) {
		int16_t s = (int16_t)(draw(20000) - 10000);
		float f = (float)s / 8;

		in->value[i] = floats ? f : s;
		if (taf_array_mapped(&in->a))
			in->value[i] = 3 + 0.25 * s;
		must(taf_buf_put(&in->stream, floats ? (void *)&f : (void *)&s,
		    floats ? sizeof f : sizeof s, &e) == TAF_OK);
	}
}

static void
free_input(struct input *in)
{
	taf_array_fini(&in->a);
	taf_buf_free(&in->stream);
}

/* The elements that a stream in a file ends with. */
static void
check_file(const char *path, const void *elements, size_t bytes)
{
	struct taf_buf file = get_file(path);

	if (CHECK(file.len > bytes))
		CHECK_MEM(file.data + file.len - bytes, elements, bytes);
	taf_buf_free(&file);
	must(unlink(path) == 0);
}

static enum taf_status
weigh(void *ctx, const struct taf_block *b, struct taf_err *err)
{
	const unsigned nin = *(const unsigned *)ctx;
	double *y = b->out;

	(void)err;
	for (size_t i = 0; i < b->n; i++) {
		/* where it is enters too */
		y[i] = (double)(b->first + i);
		for (unsigned k = 0; k < nin; k++)
			y[i] += (k + 1) * ((const double *)b->in[k])[i];
	}
	return TAF_OK;
}

/* Value i of out's shape, of an input that is extended to it. */
static double
extended(const struct input *in, const struct taf_array *out, uint64_t i)
{
	uint64_t at = 0, stride = 1;

	for (unsigned k = 0; k < out->ndim; k++) {
		uint64_t n = k < in->a.ndim ? in->a.dim[k].n : 1;

		at += n == 1 ? 0 : i % out->dim[k].n * stride;
		stride *= n;
		i /= out->dim[k].n;
	}
	return in->value[at];
}

static void
run_compute(const struct input *in, unsigned nin, const struct taf_array *out,
    enum feed feed, uint64_t memory, unsigned threads)
{
	struct taf_operand operand[3] = { { 0 } };
	struct taf_array a[3] = { { 0 } };
	struct taf_writer *w = writer("out", TAF_FORMAT_RSF);
	struct taf_compute how = { .in = operand, .nin = nin, .out = out, .w = w,
		.as = TAF_FLT64, .block = weigh, .ctx = &nin, .memory = memory,
		.threads = threads };

	for (unsigned k = 0; k < nin; k++) {
		operand[k].r = reader(feed, in[k].stream.data, in[k].stream.len, 0);
		must(taf_reader_next(operand[k].r, &a[k], &e) == TAF_OK);
		operand[k].a = &a[k];
		operand[k].as = TAF_FLT64;
	}
	must(taf_writer_begin(w, out, TAF_NEXT_NO, &e) == TAF_OK);
	CHECK(taf_compute(&how, &e) == TAF_OK);
	CHECK(taf_writer_end(w, out, &e) == TAF_OK && taf_writer_close(w, &e) == TAF_OK);
	for (unsigned k = 0; k < nin; k++) {
		taf_reader_close(operand[k].r);
		taf_array_fini(&a[k]);
	}
	reap();
}

static void
computed(void)
{
	static struct input in[3];
	static double want[MOST];

	for (int round = 0; round < 60; round++) {
		unsigned nin = 1 + draw(3), ndim = 1 + draw(3);
		uint64_t n[3] = { 1 + draw(40), 1 + draw(10), 1 + draw(9) };
		struct taf_array out = { 0 };
		uint64_t count;

		for (unsigned k = 0; k < nin; k++) {
			uint64_t own[3];

			for (unsigned d = 0; d < ndim; d++)
				own[d] = draw(3) == 0 ? 1 : n[d];
			make_input(&in[k], 1 + draw(ndim), own);
			if (k == 0)
				must(taf_array_copy(&out, &in[0].a, &e) == TAF_OK);
			CHECK(taf_array_extend(&out, &in[k].a, &e) == TAF_OK);
		}
		out.type = TAF_FLT64;
		taf_array_unmap(&out);
		count = taf_array_count(&out);
		for (uint64_t i = 0; i < count; i++) {
			want[i] = (double)i;
			for (unsigned k = 0; k < nin; k++)
				want[i] += (k + 1) * extended(&in[k], &out, i);
		}
		for (unsigned m = 0; m < 3; m++) {
			run_compute(in, nin, &out, (enum feed)draw(FEEDS), memories[m],
			    1 + draw(4));
			check_file("out", want, (size_t)count * sizeof *want);
		}
		for (unsigned k = 0; k < nin; k++)
			free_input(&in[k]);
		taf_array_fini(&out);
	}
}

/* More than a thread takes at once, a trace that comes again, and a scalar. */
static void
computed_in_pieces(void)
{
	static const uint64_t all[] = { 1000, 700 }, trace[] = { 1000 }, one[] = { 1 };
	struct taf_array a[3] = { shaped(TAF_UINT8, 2, all), shaped(TAF_UINT8, 1, trace),
		shaped(TAF_UINT8, 1, one) }, x[3] = { { 0 } },
		    out = shaped(TAF_FLT64, 2, all);
	struct taf_buf b[3] = { { 0 } }, file;
	struct taf_operand in[3] = { { 0 } };
	unsigned nin = 3;
	size_t header[3];

	for (unsigned k = 0; k < 3; k++) {
		put_rsf(&b[k], &a[k], TAF_NEXT_NO);
		header[k] = b[k].len;
		fill(&b[k], (size_t)taf_array_count(&a[k]));
	}
	for (unsigned threads = 1; threads < 4; threads++) {
		struct taf_writer *w = writer("out", TAF_FORMAT_RSF);
		struct taf_compute how = { .in = in, .nin = nin, .out = &out, .w = w,
			.as = TAF_FLT64, .block = weigh, .ctx = &nin, .memory = 1 << 20,
			.threads = threads };
		bool same = true;

		for (unsigned k = 0; k < 3; k++) {
			in[k].r = reader(threads == 3 ? BY_FILE : BY_PIPE, b[k].data,
			    b[k].len, 0);
			must(taf_reader_next(in[k].r, &x[k], &e) == TAF_OK);
			in[k].a = &x[k];
			in[k].as = TAF_FLT64;
		}
		must(taf_writer_begin(w, &out, TAF_NEXT_NO, &e) == TAF_OK);
		CHECK(taf_compute(&how, &e) == TAF_OK);
		CHECK(taf_writer_end(w, &out, &e) == TAF_OK &&
		    taf_writer_close(w, &e) == TAF_OK);
		file = get_file("out");
		for (size_t i = 0; i < 700000 && file.len > 8 * 700000; i++) {
			double got, want = (double)i;

			memcpy(&got, file.data + file.len - 8 * (700000 - i), 8);
			want += (unsigned char)b[0].data[header[0] + i];
			want += 2 * (unsigned char)b[1].data[header[1] + i % 1000];
			want += 3 * (unsigned char)b[2].data[header[2]];
			same = same && got == want;
		}
		CHECK(file.len > 8 * 700000 && same);
		taf_buf_free(&file);
		for (unsigned k = 0; k < 3; k++)
			taf_reader_close(in[k].r);
		reap();
	}
	must(unlink("out") == 0);
	for (unsigned k = 0; k < 3; k++) {
		taf_array_fini(&x[k]);
		taf_buf_free(&b[k]);
	}
}

static void
shapes_that_do_not_fit(void)
{
	static const uint64_t n[] = { 4, 3 }, other[] = { 4, 2 }, more[] = { 4, 1, 5 };
	struct taf_array a = shaped(TAF_FLT32, 2, n), b = shaped(TAF_FLT32, 2, other);
	struct taf_array c = shaped(TAF_FLT32, 3, more);

	taf_err_clear(&e);
	CHECK(taf_array_extend(&a, &b, &e) == TAF_EDATA);
	CHECK(strstr(e.text, "length 2") != NULL && strstr(e.text, "have 3") != NULL);
	taf_err_clear(&e);
	CHECK(taf_array_extend(&a, &c, &e) == TAF_OK);
	CHECK(a.ndim == 3 && a.dim[1].n == 3 && a.dim[2].n == 5);
}

/* What a block function says, and a result that does not fit, end it. */
static enum taf_status
refuse(void *ctx, const struct taf_block *b, struct taf_err *err)
{
	(void)ctx;
	for (size_t i = 0; i < b->n; i++)
		((double *)b->out)[i] = 1000;
	return b->first > 0 ? taf_fail(err, TAF_EDATA, "refused") : TAF_OK;
}

static void
failures(void)
{
	static const uint64_t n[] = { 3000 };
	struct taf_array x = { 0 }, out = shaped(TAF_UINT8, 1, n);
	struct taf_buf b = { 0 };
	struct taf_convert_count count = { 0, 0 };

	out.type = TAF_FLT32;
	put_rsf(&b, &out, TAF_NEXT_NO);
	fill(&b, 12000);
	for (int clip = 0; clip < 2; clip++) {
		struct taf_reader *r = reader(BY_MEMORY, b.data, b.len, 0);
		struct taf_operand in = { r, &x, TAF_FLT64 };
		struct taf_writer *w = writer("out", TAF_FORMAT_RSF);
		struct taf_compute how = { .in = &in, .nin = 1, .out = &out, .w = w,
			.as = TAF_FLT64, .clip = clip != 0, .block = refuse, .threads = 2,
			.memory = 1 << 20, .count = &count };

		must(taf_reader_next(r, &x, &e) == TAF_OK);
		out.type = TAF_UINT8;
		must(taf_writer_begin(w, &out, TAF_NEXT_NO, &e) == TAF_OK);
		CHECK(taf_compute(&how, &e) == TAF_EDATA);
		CHECK(strstr(e.text, clip ? "refused" :
		    "element [1]: value 1000 does not fit uint8 (0 to 255)") != NULL);
		taf_err_clear(&e);
		taf_writer_discard(w);
		taf_reader_close(r);
	}
	CHECK_EQ(count.clipped, 1024);
	taf_array_fini(&x);
	taf_buf_free(&b);
}

static enum taf_status
sums(void *ctx, const struct taf_line *l, struct taf_err *err)
{
	(void)ctx;
	(void)err;
	for (size_t k = 0; k < l->lines; k++) {
		const double *x = (const double *)l->in + k * l->in_len;
		double *y = (double *)l->out + k * l->out_len, sum = 0;

		for (size_t i = 0; i < l->in_len; i++) {
			sum += x[i];
			y[2 * i] = sum;
			y[2 * i + 1] = (double)(l->first + k);
		}
	}
	return TAF_OK;
}

/* Running sums, each with the number of its line behind it. */
static void
lines(void)
{
	static struct input in;
	static double want[2 * MOST];

	for (int round = 0; round < 60; round++) {
		unsigned ndim = 1 + draw(3), dim = 1 + draw(ndim);
		uint64_t n[3] = { 1 + draw(20), 1 + draw(14), 1 + draw(14) };
		struct taf_array out = { 0 };
		struct taf_cut c;

		make_input(&in, ndim, n);
		c = taf_array_cut(&in.a, dim);
		CHECK_EQ(c.inner * c.len * c.outer, taf_array_count(&in.a));
		must(taf_array_copy(&out, &in.a, &e) == TAF_OK);
		out.dim[dim - 1].n *= 2;
		out.type = TAF_FLT64;
		taf_array_unmap(&out);
		for (uint64_t line = 0; line < c.inner * c.outer; line++) {
			uint64_t i = line % c.inner, o = line / c.inner;
			double sum = 0;

			for (uint64_t p = 0; p < c.len; p++) {
				sum += in.value[(o * c.len + p) * c.inner + i];
				want[(o * 2 * c.len + 2 * p) * c.inner + i] = sum;
				want[(o * 2 * c.len + 2 * p + 1) * c.inner + i] =
				    (double)line;
			}
		}
		for (unsigned m = 0; m < 3; m++) {
			struct taf_array a = { 0 };
			struct taf_reader *r =
			    reader((enum feed)draw(FEEDS), in.stream.data, in.stream.len,
			    0);
			struct taf_writer *w = writer("out", TAF_FORMAT_RSF);
			struct taf_lines how =
			    { .r = r, .a = &a, .dim = dim, .as = TAF_FLT64,
				.out = &out, .w = w, .give = TAF_FLT64, .line = sums,
				.memory = memories[m] * 8, .threads = 1 + draw(4) };

			must(taf_reader_next(r, &a, &e) == TAF_OK);
			must(taf_writer_begin(w, &out, TAF_NEXT_NO, &e) == TAF_OK);
			CHECK(taf_lines(&how, &e) == TAF_OK);
			CHECK(taf_writer_end(w, &out, &e) == TAF_OK &&
			    taf_writer_close(w, &e) == TAF_OK);
			check_file("out", want, (size_t)taf_array_bytes(&out));
			taf_reader_close(r);
			taf_array_fini(&a);
			reap();
		}
		free_input(&in);
		taf_array_fini(&out);
	}
}

static void
a_line_larger_than_memory(void)
{
	static const uint64_t n[] = { 3, 100000 };
	struct taf_array a = shaped(TAF_FLT64, 2, n), x = { 0 };
	struct taf_buf b = { 0 };
	struct taf_reader *r;
	struct taf_lines how = { .a = &x, .dim = 2, .as = TAF_FLT64, .out = &x,
		.give = TAF_FLT64, .line = sums, .memory = 4096, .threads = 1 };

	put_rsf(&b, &a, TAF_NEXT_NO);
	fill(&b, 2400000);
	how.r = r = reader(BY_MEMORY, b.data, b.len, 0);
	must(taf_reader_next(r, &x, &e) == TAF_OK);
	CHECK(taf_lines(&how, &e) == TAF_EDATA && strstr(e.text, "-m") != NULL);
	taf_err_clear(&e);
	taf_reader_close(r);
	taf_array_fini(&x);
	taf_buf_free(&b);
}

int
main(void)
{
	char folder[] = "/tmp/computeXXXXXX";

	must(mkdtemp(folder) != NULL && chdir(folder) == 0);
	UNIT(computed);
	UNIT(computed_in_pieces);
	UNIT(shapes_that_do_not_fit);
	UNIT(failures);
	UNIT(lines);
	UNIT(a_line_larger_than_memory);
	must(chdir("/") == 0 && rmdir(folder) == 0);
	return unit_end();
}
