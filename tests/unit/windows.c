/* SPDX-License-Identifier: ISC */
/* stream/windows: what a function gets of lines, and where its results go. */
#include "stream/windows.h"

#include "feed.h"

enum { LONG = 140000, BEFORE = 3, BEHIND = 5 };

struct sums {
	uint64_t len;
	size_t parts;
};

/* Of each point, and part of it, the sum of those around it that there are. */
static void
sum(const struct sums *s, double *out, const double *in, uint64_t first, uint64_t at)
{
	const uint64_t from = at > BEFORE ? at - BEFORE : 0;
	const uint64_t end = at + BEHIND < s->len ? at + BEHIND + 1 : s->len;

	for (size_t p = 0; p < s->parts; p++) {
		out[p] = 0;
		for (uint64_t i = from; i < end; i++)
			out[p] += in[(i - first) * s->parts + p];
	}
}

static enum taf_status
window(void *ctx, const struct taf_window *w, struct taf_err *err)
{
	const struct sums *s = ctx;

	(void)err;
	for (size_t i = 0; i < w->n; i++)
		sum(s, w->out + i * s->parts, w->in, w->first, w->at + i);
	return TAF_OK;
}

/* Sums along dimension dim of whole numbers, by each feed, in some memory. */
static void
check(enum taf_type type, unsigned dim, const uint64_t n[2], uint64_t memory)
{
	const struct taf_array a = shaped(type, 2, n);
	const size_t parts = taf_type_is_pair(type) ? 2 : 1;
	const size_t count = (size_t)(n[0] * n[1]), inner = dim == 1 ? 1 : (size_t)n[0];
	struct sums s = { n[dim - 1], parts };
	const struct taf_service service = { .memory = memory, .jobs = 2 };
	const size_t all = count * parts * sizeof(double), point = parts * sizeof(double);
	double *x = malloc(all), *want = malloc(all), one[2];
	double *line = malloc((size_t)s.len * point);
	struct taf_buf stream = { 0 };

	must(x != NULL && want != NULL && line != NULL);
	for (size_t i = 0; i < count * parts; i++)
		x[i] = draw(2000);
	for (size_t l = 0; l < count / s.len; l++) {
		const size_t base = dim == 1 ? l * (size_t)s.len : l;

		for (size_t i = 0; i < s.len; i++)
			memcpy(line + i * parts, x + (base + i * inner) * parts, point);
		for (size_t i = 0; i < s.len; i++) {
			sum(&s, one, line, 0, i);
			memcpy(want + (base + i * inner) * parts, one, point);
		}
	}
	put_rsf(&stream, &a, TAF_NEXT_NO);
	must(taf_buf_put(&stream, x, all, &e) == TAF_OK);
	for (enum feed how = BY_MEMORY; how < BY_DRIBBLE; how++) {
		struct taf_reader *r = reader(how, stream.data, stream.len, 0);
		struct taf_writer *w = writer("out.rsf", TAF_FORMAT_RSF);
		struct taf_array in = { 0 };
		const struct taf_along along = { &service, r, &in, dim, &a, w,
			false };
		const struct taf_reach reach = { s.len, BEFORE, BEHIND };
		const struct taf_windows windows = { .along = &along, .reach = &reach,
		    .window = window, .blocks = how != BY_MEMORY, .ctx = &s };
		struct taf_buf got;

		must(taf_reader_next(r, &in, &e) == TAF_OK);
		must(taf_writer_begin(w, &a, TAF_NEXT_NO, &e) == TAF_OK);
		CHECK_EQ(taf_windows(&windows, &e), TAF_OK);
		must(taf_writer_end(w, &a, &e) == TAF_OK);
		must(taf_writer_close(w, &e) == TAF_OK);
		got = get_file("out.rsf");
		must(unlink("out.rsf") == 0);
		if (CHECK(got.len > all))
			CHECK_MEM(got.data + got.len - all, want, all);
		taf_buf_free(&got);
		taf_array_fini(&in);
		taf_reader_close(r);
		reap();
	}
	taf_buf_free(&stream);
	free(x);
	free(want);
	free(line);
}

static void
short_lines(void)
{
	for (unsigned dim = 1; dim <= 2; dim++) {
		check(TAF_FLT64, dim, (uint64_t[]){ 37, 23 }, 1 << 20);
		check(TAF_COMPLEX128, dim, (uint64_t[]){ 37, 23 }, 1 << 20);
	}
}

static void
lines_of_some_calls(void)
{
	check(TAF_FLT64, 1, (uint64_t[]){ 3001, 7 }, 1 << 20);
	check(TAF_FLT64, 2, (uint64_t[]){ 3, 3001 }, 1 << 20);
	check(TAF_COMPLEX128, 1, (uint64_t[]){ 3001, 7 }, 1 << 20);
}

static void
long_lines(void)
{
	check(TAF_FLT64, 1, (uint64_t[]){ LONG, 2 }, 1 << 20);
	check(TAF_FLT64, 2, (uint64_t[]){ 3, LONG }, 1 << 20);
	check(TAF_COMPLEX128, 1, (uint64_t[]){ LONG, 2 }, 1 << 20);
	check(TAF_COMPLEX128, 2, (uint64_t[]){ 2, LONG }, 1 << 20);
}

enum { POINTS = 400000, RESULTS = 60000, LEAST_MEMORY = 1 << 20 };

/* Points that lie near one another in the middle, and far apart elsewhere. */
static uint64_t
place(uint64_t i)
{
	return i < 2000 ? i * 100 : i < 58000 ? 200000 + (i - 2000) / 100 :
	    200560 + (i - 58000) * 99;
}

static void
uneven_span(const void *ctx, uint64_t at, uint64_t n, uint64_t span[2])
{
	(void)ctx;
	span[0] = place(at);
	span[1] = place(at + n - 1) + 1;
}

/* No window takes more than the memory. */
static enum taf_status
uneven_window(void *ctx, const struct taf_window *w, struct taf_err *err)
{
	(void)ctx;
	(void)err;
	CHECK(w->n_in * sizeof(double) < LEAST_MEMORY);
	for (size_t i = 0; i < w->n; i++)
		w->out[i] = w->in[place(w->at + i) - w->first];
	return TAF_OK;
}

static void
uneven_results(void)
{
	const struct taf_array a = shaped(TAF_FLT64, 1, (uint64_t[]){ POINTS }),
	    out = shaped(TAF_FLT64, 1, (uint64_t[]){ RESULTS });
	const struct taf_service service = { .memory = LEAST_MEMORY, .jobs = 1 };
	double *x = malloc(POINTS * sizeof *x);
	struct taf_array in = { 0 };
	struct taf_buf stream = { 0 }, got;
	struct taf_reader *r;
	struct taf_writer *w = writer("out.rsf", TAF_FORMAT_RSF);
	struct taf_along along = { .service = &service, .a = &in, .dim = 1, .out = &out,
		.w = w };
	const struct taf_windows windows = { .along = &along, .span = uneven_span,
	    .window = uneven_window, .uneven = true };

	must(x != NULL);
	for (size_t i = 0; i < POINTS; i++)
		x[i] = (double)i;
	put_rsf(&stream, &a, TAF_NEXT_NO);
	must(taf_buf_put(&stream, x, POINTS * sizeof *x, &e) == TAF_OK);
	along.r = r = reader(BY_PIPE, stream.data, stream.len, 0);
	must(taf_reader_next(r, &in, &e) == TAF_OK);
	must(taf_writer_begin(w, &out, TAF_NEXT_NO, &e) == TAF_OK);
	CHECK_EQ(taf_windows(&windows, &e), TAF_OK);
	must(taf_writer_end(w, &out, &e) == TAF_OK);
	must(taf_writer_close(w, &e) == TAF_OK);
	got = get_file("out.rsf");
	must(unlink("out.rsf") == 0);
	for (size_t i = 0; i < RESULTS; i++)
		x[i] = (double)place(i);
	if (CHECK(got.len > RESULTS * sizeof *x))
		CHECK_MEM(got.data + got.len - RESULTS * sizeof *x, x,
		    RESULTS * sizeof *x);
	taf_buf_free(&got);
	taf_buf_free(&stream);
	taf_array_fini(&in);
	taf_reader_close(r);
	reap();
	free(x);
}

int
main(void)
{
	UNIT(short_lines);
	UNIT(lines_of_some_calls);
	UNIT(long_lines);
	UNIT(uneven_results);
	return unit_end();
}
