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

int
main(void)
{
	UNIT(short_lines);
	UNIT(lines_of_some_calls);
	UNIT(long_lines);
	return unit_end();
}
