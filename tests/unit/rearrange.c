/* SPDX-License-Identifier: ISC */
/* op/rearrange against a naive loop, over shapes, points, feeds, memory, threads. */
#include "op/move/rearrange.h"

#include "feed.h"

enum { MOST = 400000 };		/* elements of a result */

static const enum taf_type types[] = { TAF_UINT8, TAF_INT16, TAF_FLT32, TAF_FLT64,
	TAF_COMPLEX, TAF_COMPLEX128 };
static const uint64_t memories[] = { 1, 3000, 100000, 1 << 26 };

/* Points of a dimension of length n, as a list too. */
static size_t
make_points(struct taf_points *p, uint64_t n, uint64_t most, uint64_t list[])
{
	size_t count = 0;
	uint64_t i, runs = 1 + draw(draw(3) == 0 ? 40 : 3);

	for (; runs > 0 && count < most; runs--) {
		uint64_t from = n == 0 || draw(8) == 0 ? TAF_POINT_NEW :
		    draw((uint32_t)n);
		int64_t step = (int64_t)draw(7) - 3;
		uint64_t length = 1 + draw(draw(2) == 0 ? 2 : 50);

		if (draw(3) == 0)
			step = draw(2) == 0 ? 1 : -1;
		length = length < most - count ? length : most - count;
		for (i = 0; i < length; i++) {
			int64_t at = (int64_t)from + (int64_t)i * step;

			if (from == TAF_POINT_NEW)
				list[count++] = from;
			else if (at < 0 || at >= (int64_t)n)
				break;
			else
				list[count++] = (uint64_t)at;
		}
		must(taf_points_add(p, from, step, i, &e) == TAF_OK);
	}
	return count;
}

static void
listed(void)
{
	static uint64_t list[300];

	for (int round = 0; round < 2000; round++) {
		struct taf_points p = { 0 };
		size_t count = make_points(&p, 1 + draw(9), 300, list);

		CHECK_EQ(p.count, count);
		CHECK_EQ(p.run[p.runs].at, count);
		for (size_t i = 0; i < count; i++) {
			const struct taf_point_run *r = &p.run[taf_points_find(&p, i)];
			uint64_t from = r->from == TAF_POINT_NEW ? r->from :
			    r->from + (i - r->at) * (uint64_t)r->step;

			CHECK(r->at <= i && i < r[1].at);
			if (!CHECK_EQ(from, list[i]))
				return;
		}
		taf_points_free(&p);
	}
}

/* Runs that go on are one. */
static void
joined(void)
{
	struct taf_points p = { 0 };

	for (uint64_t i = 0; i < 1000; i++)
		must(taf_points_add(&p, 5000 - 3 * i, 0, 1, &e) == TAF_OK);
	CHECK_EQ(p.runs, 1);
	CHECK_INT(p.run[0].step, -3);
	must(taf_points_add(&p, TAF_POINT_NEW, 0, 3, &e) == TAF_OK);
	must(taf_points_add(&p, TAF_POINT_NEW, 0, 4, &e) == TAF_OK);
	CHECK_EQ(p.runs, 2);
	CHECK_EQ(taf_point_run_length(&p, 1), 7);
	CHECK(taf_points_add(&p, 0, 0, UINT64_MAX - 10, &e) == TAF_EDATA);
	taf_points_free(&p);
}

static void
run(const struct taf_buf *stream, const struct taf_array *out,
    const struct taf_arrangement *as, enum feed feed, const struct taf_buf *want)
{
	const uint64_t memory = memories[draw(4)];
	struct taf_reader *r = reader(feed, stream->data, stream->len, 0);
	struct taf_writer *w = writer("out", TAF_FORMAT_RSF);
	struct taf_array a = { 0 };
	struct taf_buf file;
	struct taf_rearrange how = { .as = as, .type = out->type, .r = r, .w = w,
		.memory = memory, .threads = 1 + draw(3) };

	must(taf_reader_next(r, &a, &e) == TAF_OK);
	must(taf_writer_begin(w, out, TAF_NEXT_NO, &e) == TAF_OK);
	CHECK(taf_rearrange(&how, &e) == TAF_OK);
	CHECK(taf_reader_finish(r, &a, &e) == TAF_OK);
	CHECK(taf_writer_end(w, out, &e) == TAF_OK && taf_writer_close(w, &e) == TAF_OK);
	taf_reader_close(r);
	taf_array_fini(&a);
	reap();
	file = get_file("out");
	if (CHECK(file.len > want->len))
		CHECK_MEM(file.data + file.len - want->len, want->data, want->len);
	taf_buf_free(&file);
	must(unlink("out") == 0);
}

static void
one_case(unsigned ndim, const uint64_t n[], uint64_t most)
{
	static uint64_t list[3][MOST];
	static const unsigned char new[16] = "abcdefghijklmno";
	static struct taf_arrangement as;
	uint64_t m[3] = { 1, 1, 1 }, i[3], stride[3] = { 1, 1, 1 };
	enum taf_type type = types[draw(6)];
	const size_t esize = taf_type_size(type);
	struct taf_array a = shaped(type, ndim, n), out;
	struct taf_buf stream = { 0 }, want = { 0 };
	size_t elements;

	taf_arrangement_begin(&as, &a);
	memcpy(as.fill, new, sizeof new);
	for (unsigned k = 0; k < ndim; k++) {
		m[k] = n[k];
		if (draw(3) > 0 || n[k] == 0)
			m[k] = make_points(&as.points[k], n[k], most, list[k]);
		else
			for (uint64_t at = 0; at < n[k]; at++)
				list[k][at] = at;
		stride[k] = k > 0 ? stride[k - 1] * n[k - 1] : 1;
	}
	out = shaped(type, ndim, m);
	put_rsf(&stream, &a, TAF_NEXT_NO);
	elements = stream.len;
	fill(&stream, (size_t)taf_array_bytes(&a));
	must(taf_buf_put(&want, NULL, 0, &e) == TAF_OK);
	for (i[2] = 0; i[2] < m[2]; i[2]++)
		for (i[1] = 0; i[1] < m[1]; i[1]++)
			for (i[0] = 0; i[0] < m[0]; i[0]++) {
				const void *from = new;
				uint64_t at = 0;
				bool old = true;

				for (unsigned k = 0; k < ndim; k++) {
					old = old && list[k][i[k]] != TAF_POINT_NEW;
					at += list[k][i[k]] * stride[k];
				}
				if (old)
					from = stream.data + elements + at * esize;
				must(taf_buf_put(&want, from, esize, &e) == TAF_OK);
			}
	for (enum feed feed = BY_MEMORY; feed < FEEDS; feed++)
		if (feed != BY_DRIBBLE || stream.len < 3000)
			run(&stream, &out, &as, feed, &want);
	taf_arrangement_end(&as);
	taf_array_fini(&a);
	taf_array_fini(&out);
	taf_buf_free(&stream);
	taf_buf_free(&want);
}

static void
small(void)
{
	for (int round = 0; round < 150; round++)
		one_case(1 + draw(3), (uint64_t[3]){ draw(20), 1 + draw(9), 1 + draw(9) },
		    40);
}

/* Larger than a slab, and than a piece. */
static void
large(void)
{
	for (int round = 0; round < 6; round++) {
		one_case(1, (uint64_t[3]){ 50000 + draw(150000) }, 100000);
		one_case(2, (uint64_t[3]){ 1 + draw(70), 1000 + draw(3000) }, 2000);
		one_case(3, (uint64_t[3]){ 1 + draw(300), 1 + draw(40), 1 + draw(20) },
		    60);
	}
}

int
main(void)
{
	UNIT(listed);
	UNIT(joined);
	UNIT(small);
	UNIT(large);
	return unit_end();
}
