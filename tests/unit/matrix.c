/* SPDX-License-Identifier: ISC */
/* Rows and stored values, in little memory, against loops. */
#include "feed.h"
#include "op/move/rows.h"
#include "stream/values.h"

enum { LITTLE = 1, MUCH = 64 << 20 };

static enum taf_status
next(struct taf_reader *r, struct taf_array *a)
{
	taf_err_clear(&e);
	return taf_reader_next(r, a, &e);
}

/* A stream of one array of these lengths, its elements at *header. */
static struct taf_buf
stream(const struct taf_array *a, size_t *header)
{
	struct taf_buf b = { 0 };

	put_rsf(&b, a, false);
	*header = b.len;
	fill(&b, (size_t)taf_array_bytes(a));
	return b;
}

static void
check_rows(enum feed how, const struct taf_array *a, bool raw, uint64_t memory)
{
	size_t header, esize = taf_type_size(a->type), n = 1, at = 0;
	struct taf_buf b = stream(a, &header);
	struct taf_reader *r = reader(how, b.data, b.len, 0);
	struct taf_rows *rows = NULL;
	struct taf_array x = { 0 };
	uint64_t count = taf_array_count(a),
		 columns = count > 0 ? count / a->dim[0].n : 0;
	/* elements as they come, their values where those differ, and turned */
	const bool mapped = !raw && taf_array_mapped(a);
	const uint64_t cost = mapped ? esize + 16 : 2 * esize;
	const uint64_t most = memory > 64 << 10 ? memory : 64 << 10;
	bool same = true;

	CHECK(next(r, &x) == TAF_OK &&
	    taf_rows_open(&rows, r, &x, raw, memory, &e) == TAF_OK);
	for (; n > 0; at += n) {
		const void *p;

		if (!CHECK(taf_rows_read(rows, &p, &n, &e) == TAF_OK) ||
		    !CHECK(n <= count - at) ||
		    !CHECK(n * cost <= most || count * cost <= 16 << 20))
			break;
		for (size_t i = 0; i < n; i++) {
			const char *from = b.data + header +
			    ((at + i) / columns + (at + i) % columns * a->dim[0].n) *
				esize;

			if (!mapped) {
				same = same &&
				    memcmp((const char *)p + i * esize, from, esize) == 0;
			} else {
				double got, want;
				int16_t v;

				memcpy(&v, from, sizeof v);
				memcpy(&got, (const char *)p + i * sizeof got,
				    sizeof got);
				want = a->intercept + a->slope * v;
				same = same && got == want;
			}
		}
	}
	CHECK(same);
	CHECK_EQ(at, count);
	taf_rows_close(rows);
	taf_reader_close(r);
	taf_array_fini(&x);
	taf_buf_free(&b);
}

static void
rows(void)
{
	static const uint64_t n[][3] = { { 7, 5, 3 }, { 1, 9, 1 }, { 9, 1, 1 },
		{ 0, 4, 1 }, { 4, 0, 1 }, { 1501, 61, 1 }, { 3, 300, 150 },
		{ 50021, 2, 1 }, { 2, 60013, 1 }, { 5, 1, 7 },
		{ 1501, 701, 1 } };

	for (size_t i = 0; i < sizeof n / sizeof n[0]; i++)
		for (int k = 0; k < 8; k++) {
			struct taf_array a =
			    shaped(k & 4 ? TAF_INT16 : TAF_FLT64, 3, n[i]);

			if (k & 4) {
				a.intercept = 0.3;
				a.slope = -1e-3;
			}
			check_rows(k & 1 ? BY_PIPE : BY_FILE, &a, i % 2,
			    k & 2 ? LITTLE : MUCH);
		}
	reap();
	taf_rows_close(NULL);
}

/* Rows go in, so many at a time as there is room for; columns come out. */
static enum taf_status
open_as(struct taf_values **v, struct taf_reader *r, const struct taf_array *a,
    const struct taf_array *target, bool clip)
{
	struct taf_recode how;
	enum taf_status st = taf_values_plan_as(&how, a, target, clip, &e);

	return st == TAF_OK ? taf_values_open(v, r, a, NULL, &how, &e) : st;
}

/* Float values into stored elements of another type under its mapping. */
static void
stored(void)
{
	static const uint64_t n[] = { 5 }, one[] = { 1 };
	static const double in[] = { 10, 10.5, 9, 10.7, -1e9 };
	struct taf_array a = shaped(TAF_FLT64, 1, n), to = shaped(TAF_INT16, 1, n),
			 x = { 0 };
	struct taf_values *s = NULL;
	struct taf_recode how;
	struct taf_buf b = { 0 };
	struct taf_reader *r;
	int16_t v[5];
	float f[5];

	to.intercept = 10;
	to.slope = 0.5;
	put_rsf(&b, &a, false);
	must(taf_buf_put(&b, in, sizeof in, &e) == TAF_OK);
	r = reader(BY_PIPE, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK && open_as(&s, r, &x, &to, false) == TAF_OK);
	CHECK(taf_values_get(s, v, 4, &e) == TAF_OK);
	CHECK(v[0] == 0 && v[1] == 1 && v[2] == -2 && v[3] == 1);
	CHECK_EQ(taf_values_count(s)->rounded, 1);
	CHECK(taf_values_get(s, v, 1, &e) == TAF_EDATA &&
	    strstr(e.text, "[5]: value -1") != NULL);
	taf_values_close(s);
	taf_reader_close(r);
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK && open_as(&s, r, &x, &to, true) == TAF_OK);
	CHECK(taf_values_get(s, v, 5, &e) == TAF_OK && v[3] == 1 && v[4] == INT16_MIN);
	CHECK_EQ(taf_values_count(s)->clipped, 1);
	CHECK_EQ(taf_values_count(s)->rounded, 1);
	taf_values_close(s);
	taf_reader_close(r);
	/* to floats under a mapping, and what is too large for them */
	to.type = TAF_FLT32;
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK && open_as(&s, r, &x, &to, false) == TAF_OK);
	CHECK(taf_values_get(s, f, 3, &e) == TAF_OK && f[0] == 0 && f[1] == 1 &&
	    f[2] == -2);
	taf_values_close(s);
	taf_reader_close(r);
	to.slope = 1e-300;
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK && open_as(&s, r, &x, &to, false) == TAF_OK);
	CHECK(taf_values_get(s, f, 2, &e) == TAF_EDATA);
	taf_values_close(s);
	taf_reader_close(r);
	/* what can hold nothing, or is of another kind */
	to.intercept = to.slope = 0;
	CHECK(taf_values_plan_as(&how, &a, &to, false, &e) == TAF_EDATA);
	to = shaped(TAF_COMPLEX, 1, one);
	taf_err_clear(&e);
	CHECK(taf_values_plan_as(&how, &a, &to, false, &e) == TAF_EDATA);
	reap();
	taf_array_fini(&x);
	taf_buf_free(&b);
}

/* More than are converted at a time, from elements wider and narrower than stored. */
static void
stored_in_pieces(void)
{
	enum { COUNT = 40000 };
	static const enum taf_type from[] = { TAF_FLT64, TAF_INT8 };
	static const uint64_t n[] = { COUNT };
	struct taf_array a, to = shaped(TAF_INT16, 1, n), x = { 0 };
	int16_t *v = malloc(COUNT * sizeof *v);
	struct taf_values *s = NULL;
	struct taf_buf b = { 0 };
	struct taf_reader *r;
	bool same = true;

	must(v != NULL);
	for (int wide = 0; wide < 2; wide++) {
		a = shaped(from[wide], 1, n);
		b.len = 0;
		put_rsf(&b, &a, false);
		for (int i = 0; i < COUNT; i++) {
			const int8_t small = (int8_t)(i % 251 - 125);
			const double large = small;

			must(taf_buf_put(&b, wide == 0 ? (const void *)&large : &small,
				 taf_type_size(from[wide]), &e) == TAF_OK);
		}
		r = reader(BY_MEMORY, b.data, b.len, 0);
		CHECK(next(r, &x) == TAF_OK && open_as(&s, r, &x, &to, false) == TAF_OK);
		CHECK(taf_values_get(s, v, COUNT, &e) == TAF_OK);
		for (int i = 0; i < COUNT; i++)
			same = same && v[i] == i % 251 - 125;
		CHECK(same);
		taf_values_close(s);
		taf_reader_close(r);
	}
	free(v);
	taf_array_fini(&x);
	taf_buf_free(&b);
}

int
main(void)
{
	UNIT(rows);
	UNIT(stored);
	UNIT(stored_in_pieces);
	return unit_end();
}
