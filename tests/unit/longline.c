/* SPDX-License-Identifier: ISC */
/* taf_longline_get() against taf_fft_lines() of the same line. */
/* link: m */
#include "op/fft/longline.h"

#include <math.h>

#include "feed.h"
#include "kernel/fft/fft.h"

struct line {
	const double *x;
	size_t parts;
};

static double
noise(void)
{
	return (double)draw(1u << 30) / (1 << 29) - 1;
}

static enum taf_status
get(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *err)
{
	const struct line *l = ctx;

	(void)err;
	memcpy(to, l->x + first * l->parts, n * l->parts * sizeof *to);
	return TAF_OK;
}

/* All results, in pieces that do not fit anything. */
static void
collect(const struct taf_longline *l, double *y, size_t results, size_t parts)
{
	double piece[2 * 1300 + 2];
	size_t at, n;

	for (at = 0; at < results; at += n) {
		n = 1 + draw(1299);
		n += parts == 1 && n % 2 == 1;
		n = n < results - at ? n : results - at;
		must(taf_longline_get(l, piece, at, n, &e) == TAF_OK);
		memcpy(y + at * parts, piece, n * parts * sizeof *y);
	}
}

static void
compare(size_t n, enum taf_fft_kind kind, bool inverse, bool narrow)
{
	const size_t half = n / 2 + 1, in = kind == TAF_FFT_REAL ? n : kind ==
	    TAF_FFT_HALF ? 2 * half : 2 * n;
	const size_t out = kind == TAF_FFT_REAL ? 2 * half : kind == TAF_FFT_HALF ? n :
	    2 * n;
	const size_t parts = kind == TAF_FFT_HALF ? 1 : 2;
	const struct taf_fft_want fft = { .n = n, .kind = kind, .inverse = inverse };
	double *x = calloc(in, sizeof *x), *y = calloc(out, sizeof *y);
	double *want = calloc(out, sizeof *y), most = 0, largest = 0;
	struct line line = { x, kind == TAF_FFT_REAL ? 1 : 2 };
	struct taf_longline_want how = { .n = n, .kind = kind, .inverse = inverse,
	    .narrow = narrow, .memory = 150000, .threads = 1 + narrow, .get = get,
	    .ctx = &line, .passes = true };
	double *again = calloc(out, sizeof *y);
	struct taf_longline *l;
	struct taf_fft *f;
	void *scratch;
	size_t i;

	must(x != NULL && y != NULL && want != NULL && again != NULL &&
	    taf_fft_open(&f, &fft, &e) == TAF_OK);
	scratch = aligned_alloc(64, taf_fft_scratch(f));
	must(scratch != NULL);
	for (i = 0; i < in; i++)
		x[i] = noise();
	taf_fft_lines(f, want, x, 1, scratch);
	must(taf_longline_open(&l, &how, &e) == TAF_OK);
	collect(l, y, out / parts, parts);
	for (i = 0; i < out; i++) {
		most = fmax(most, fabs(y[i] - want[i]));
		largest = fmax(largest, fabs(want[i]));
	}
	/* NaN is nothing */
	if (!CHECK(most <= largest * (narrow ? 0x1p-21 : 0x1p-49)))
		printf("#   %zu points, kind %d, inverse %d, narrow %d: %g of %g\n", n,
		    (int)kind, (int)inverse, (int)narrow, most, largest);
	taf_longline_close(l);
	/* no bit depends on the memory, or on threads */
	how.memory = 20000000;
	how.threads = 3;
	must(taf_longline_open(&l, &how, &e) == TAF_OK);
	collect(l, again, out / parts, parts);
	CHECK(memcmp(again, y, out * sizeof *y) == 0);
	taf_longline_close(l);
	/* without two passes it is the transform of a line in memory */
	how.passes = false;
	how.memory = 1;
	must(taf_longline_open(&l, &how, &e) == TAF_OK);
	collect(l, again, out / parts, parts);
	CHECK(memcmp(again, want, out * sizeof *y) == 0);
	taf_longline_close(l);
	free(again);
	taf_fft_close(f);
	free(scratch);
	free(x);
	free(y);
	free(want);
}

/* Squares, two factors that are far apart, primes and twice a prime, a single column. */
static void
lengths(void)
{
	static const size_t n[] = { 1, 2, 3, 8, 17, 4096, 30030, 7 * 3001, 10007,
	    2 * 10007, 65536,
		2187 };

	const size_t most = unit_emulated() ? 10007 : 65536;

	for (size_t i = 0; i < sizeof n / sizeof n[0]; i++)
		for (unsigned k = 0; k < 2 && n[i] <= most; k++) {
			compare(n[i], TAF_FFT_COMPLEX, false, k == 1);
			compare(n[i], TAF_FFT_COMPLEX, true, k == 1);
			compare(n[i], TAF_FFT_REAL, false, k == 1);
			compare(n[i], TAF_FFT_HALF, true, k == 1);
		}
}

struct heard {
	uint64_t calls, last, total;
	bool back;
};

static void
hear(void *ctx, uint64_t done, uint64_t total)
{
	struct heard *h = ctx;

	h->back = h->back || done < h->last || (h->calls > 0 && total != h->total);
	h->calls++;
	h->last = done;
	h->total = total;
}

/* It goes on in both passes, while nothing comes out. */
static void
progress(void)
{
	double *x = calloc(2 * 65536, sizeof *x);
	struct line line = { x, 2 };
	struct heard heard = { 0 };
	const struct taf_service service = { .ctx = &heard, .progress = hear };
	struct taf_longline_want how = { .service = &service, .n = 65536,
	    .memory = 150000, .threads = 2, .get = get, .ctx = &line, .passes = true };
	struct taf_longline *l = NULL;

	must(x != NULL && taf_longline_open(&l, &how, &e) == TAF_OK);
	CHECK(heard.calls > 10);
	CHECK(!heard.back);
	CHECK_EQ(heard.total, (uint64_t)65536 * 2 * 2 * sizeof *x);
	CHECK_EQ(heard.last, heard.total);
	taf_longline_close(l);
	free(x);
}

/* A failure to read is one of the transform. */
static enum taf_status
fail(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *err)
{
	(void)ctx;
	memset(to, 0, n * 2 * sizeof *to);
	return first > 5000 ? taf_fail(err, TAF_ETRUNC, "ends") : TAF_OK;
}

static void
failures(void)
{
	struct taf_longline_want how = { .n = 10000, .memory = 150000, .threads = 2,
	    .get = fail, .passes = true };
	struct taf_longline *l;

	CHECK_EQ(taf_longline_open(&l, &how, &e), TAF_ETRUNC);
	taf_err_clear(&e);
	how.n = 10007;
	CHECK_EQ(taf_longline_open(&l, &how, &e), TAF_ETRUNC);
	taf_err_clear(&e);
	how.passes = false;
	CHECK_EQ(taf_longline_open(&l, &how, &e), TAF_ETRUNC);
	taf_err_clear(&e);
}

int
main(void)
{
	UNIT(lengths);
	UNIT(progress);
	UNIT(failures);
	return unit_end();
}
