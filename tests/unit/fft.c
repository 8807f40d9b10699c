/* SPDX-License-Identifier: ISC */
/* taf_fft_lines() against sums in long double, and its bits by a digest. */
/* link: m */
#include "kernel/fft/fft.h"

#include <math.h>

#include "feed.h"
#include "roots.h"

static const struct taf_fft_want no_want;

static double
noise(void)
{
	return (double)draw(1u << 30) / (1 << 29) - 1;
}

static void *
room_of(const struct taf_fft *f)
{
	const size_t bytes = taf_fft_scratch(f);
	void *scratch = aligned_alloc(64, bytes);

	must(scratch != NULL);
	/* what is left there is no number */
	memset(scratch, 0xff, bytes);
	return scratch;
}

/* Numbers of a type, converted from and to doubles. */
static void
transform(const struct taf_fft_want *want, double *to, size_t nto, const double *from,
    size_t nfrom, size_t lines)
{
	float *in = calloc(nfrom * lines, sizeof *in),
	    *out = calloc(nto * lines, sizeof *out);
	struct taf_fft *f;
	void *scratch;

	must(in != NULL && out != NULL && taf_fft_open(&f, want, &e) == TAF_OK);
	scratch = room_of(f);
	if (want->narrow) {
		for (size_t i = 0; i < nfrom * lines; i++)
			in[i] = (float)from[i];
		taf_fft_lines(f, out, in, lines, scratch);
		for (size_t i = 0; i < nto * lines; i++)
			to[i] = (double)out[i];
	} else {
		taf_fft_lines(f, to, from, lines, scratch);
	}
	taf_fft_close(f);
	free(scratch);
	free(in);
	free(out);
}

/* Frequency k of n pairs. */
static void
naive(long double sum[2], const double *x, size_t n, size_t k, bool real)
{
	const struct root *root = roots_of(n);
	size_t at = 0, j;

	sum[0] = sum[1] = 0;
	for (j = 0; j < n; j++) {
		const long double c = root[at].re, s = root[at].im;
		const long double re = (long double)x[real ? j : 2 * j];
		const long double im = real ? 0 : (long double)x[2 * j + 1];

		sum[0] += re * c - im * s;
		sum[1] += re * s + im * c;
		at = (at + k) % n;
	}
}

/*
 * Some frequencies of some lines of length n: the root mean square of the error, and what
 * is left of the way there and back.
 */
static void
compare(size_t n, bool real, bool narrow, size_t step)
{
	enum { LINES = 3 };
	const size_t parts = real ? n : 2 * n, out = 2 * (real ? n / 2 + 1 : n);
	const double eps = narrow ? 0x1p-23 : 0x1p-52, bits = log2((double)n);
	struct taf_fft_want want = no_want;
	double *x = calloc(LINES * parts, sizeof *x), *y = calloc(LINES * out, sizeof *y);
	double *back = calloc(LINES * parts, sizeof *back), most = 0;
	long double wrong = 0, all = 0, sum[2];
	size_t i, k, line;

	must(x != NULL && y != NULL && back != NULL);
	for (i = 0; i < LINES * parts; i++)
		x[i] = narrow ? (double)(float)noise() : noise();
	want.n = n;
	want.narrow = narrow;
	want.kind = real ? TAF_FFT_REAL : TAF_FFT_COMPLEX;
	transform(&want, y, out, x, parts, LINES);
	want.kind = real ? TAF_FFT_HALF : TAF_FFT_COMPLEX;
	want.inverse = true;
	transform(&want, back, parts, y, out, LINES);
	for (line = 0; line < LINES; line += 2)
		for (k = 0; k < out / 2; k += step) {
			const double *got = y + line * out + 2 * k;

			naive(sum, x + line * parts, n, k, real);
			all += sum[0] * sum[0] + sum[1] * sum[1];
			sum[0] -= (long double)got[0];
			sum[1] -= (long double)got[1];
			wrong += sum[0] * sum[0] + sum[1] * sum[1];
		}
	if (!CHECK(wrong <= all * (long double)(0.36 * eps * eps * bits * bits)))
		printf("#   %zu points, real %d, narrow %d: %g eps\n", n, real, narrow,
		    (double)sqrtl(wrong / all) / eps);
	for (i = 0; i < LINES * parts; i++)
		most = fmax(most, fabs(back[i] - x[i]));
	/* NaN is nothing */
	if (!CHECK(most <= 12 * eps))
		printf("#   %zu points and back, real %d, narrow %d: %g eps\n", n, real,
		    narrow, most / eps);
	free(x);
	free(y);
	free(back);
}

static void
every_length(void)
{
	for (size_t n = 1; n <= 300; n++)
		for (unsigned k = 0; k < 4; k++)
			compare(n, k % 2, k / 2, 1 + n / 7);
}

/* Each way through the code: large primes, matrices with and without full vectors. */
static void
long_lines(void)
{
	static const size_t lengths[] = { 509, 961, 1024, 2187, 3600, 4096, 5041, 7919,
	    10007,
		16384, 20011, 32768, 30030, 65536, 59049 };

	const size_t most = unit_emulated() ? 5000 : 65536;

	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
		for (unsigned k = 0; k < 4 && lengths[i] <= most; k++)
			compare(lengths[i], k % 2, k / 2, 1 + lengths[i] / 3);
}

static uint64_t
digest(uint64_t h, const double *y, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t bits;
		/* without the sign of 0 */
		const double v = y[i] + 0.0;

		memcpy(&bits, &v, sizeof bits);
		h = (h ^ bits) * 1099511628211u;
		h ^= h >> 29;
	}
	return h;
}

/* The digest is a constant, for all machines and compilers. */
static void
same_bits_everywhere(void)
{
	static const size_t lengths[] = { 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 30, 61, 64, 67,
	    97, 100,
		128, 243, 256, 343, 1000, 1331, 4096, 6006, 20000, 65536 };
	static double x[2 * 65536], y[2 * 65537];
	uint64_t h = 14695981039346656037u, state = 88172645463325252u;

	for (size_t i = 0; i < 2 * 65536; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		x[i] = (double)(float)((double)(state >> 40) * 0x1p-23 - 1);
	}
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
		for (unsigned k = 0; k < 6; k++) {
			const struct taf_fft_want want = { .n = lengths[i],
				.kind = (enum taf_fft_kind)(k / 2), .narrow = k % 2 };
			const size_t n = want.n, half = 2 * (n / 2 + 1);
			const size_t from = k < 2 ? 2 * n : k < 4 ? n : half;
			const size_t to = k < 2 ? 2 * n : k < 4 ? half : n;

			transform(&want, y, to, x, from, 1);
			h = digest(h, y, to);
		}
	CHECK_EQ(h, 0xe1c0445c766af780u);
}

/* A line alone, and among others at any place. */
static void
neighbours_do_not_matter(void)
{
	enum { LINES = 37 };

	for (size_t n = 1; n < 40; n++)
		for (unsigned k = 0; k < 4; k++) {
			const struct taf_fft_want want = { .n = n, .narrow = k % 2,
				.kind = (enum taf_fft_kind)(k / 2) };
			const size_t out = k < 2 ? 2 * n : 2 * (n / 2 + 1),
			    in = k < 2 ? 2 * n : n;
			double x[LINES * 80], y[LINES * 80], one[80];

			for (size_t i = 0; i < LINES * in; i++)
				x[i] = noise();
			transform(&want, y, out, x, in, LINES);
			for (size_t i = 0; i < LINES; i++) {
				transform(&want, one, out, x + i * in, in, 1);
				CHECK_MEM(one, y + i * out, out * sizeof *one);
			}
		}
}

/*
 * Lines side by side, and the same one behind the other: the same bits.  Frequencies are
 * moved by shift; points from points on are zeros, or are not written.
 */
static void
compare_side(const struct taf_fft_want *want, size_t points, size_t shift)
{
	enum { LINES = 11, STEP = 13 };
	static const unsigned char kept[16] = { 0 };	/* what is not written */
	const size_t n = want->n, half = n / 2 + 1;
	const bool real = want->kind == TAF_FFT_REAL, back = want->kind == TAF_FFT_HALF;
	const size_t in = real ? n : back ? half : n, out = real ? half : n;
	const size_t from = real ? 1 : 2, to = back ? 1 : 2;	/* numbers of a point */
	const size_t word = want->narrow ? sizeof(float) : sizeof(double);
	const bool zeros = !want->inverse && !back;
	unsigned char *x = calloc(in * LINES, from * word),
	    *y = calloc(out * LINES, to * word);
	unsigned char *u = calloc(in * STEP, from * word),
	    *v = calloc(out * STEP, to * word);
	struct taf_fft_side side = { .to_step = STEP, .from_step = STEP, .lines = LINES,
	    .points = points, .shift = shift };
	size_t i, k, at, same = 0;
	struct taf_fft *f;
	void *scratch;

	must(x != NULL && y != NULL && u != NULL && v != NULL);
	must(taf_fft_open(&f, want, &e) == TAF_OK);
	side.from = u;
	side.to = v;
	for (k = 0; k < LINES; k++)
		for (i = 0; i < in; i++) {
			double value[2] = { noise(), noise() };
			const float narrow[2] = { (float)value[0], (float)value[1] };

			if (zeros && i >= points)
				continue;
			at = want->inverse ? (i + shift) % n : i;
			memcpy(x + (k * in + i) * from * word, want->narrow ?
			    (const void *)narrow : value, from * word);
			memcpy(u + (at * STEP + k) * from * word, want->narrow ?
			    (const void *)narrow : value, from * word);
		}
	scratch = room_of(f);
	taf_fft_lines(f, y, x, LINES, scratch);
	free(scratch);
	scratch = aligned_alloc(64, taf_fft_side_scratch(f));
	must(scratch != NULL);
	memset(scratch, 0xff, taf_fft_side_scratch(f));
	taf_fft_side(f, &side, scratch);
	for (i = 0; i < out; i++)
		for (k = 0; k < STEP; k++) {
			const bool there = k < LINES && (zeros || i < points);

			at = zeros ? (i + shift) % n : i;
			same += memcmp(v + (at * STEP + k) * to * word, there ?
			    y + (k * out + i) * to * word : kept, to * word) == 0;
		}
	if (!CHECK_EQ(same, out * STEP))
		printf("#   %zu points, kind %d, inverse %d, narrow %d\n", n,
		    (int)want->kind, want->inverse, want->narrow);
	taf_fft_close(f);
	free(scratch);
	free(x);
	free(y);
	free(u);
	free(v);
}

static void
lines_side_by_side(void)
{
	static const size_t lengths[] = { 1, 2, 3, 4, 7, 15, 16, 30, 63, 64, 66, 75, 99,
		128, 130, 225, 243, 250, 256, 400, 1000, 1331, 4096, 6006, 20000, 32768 };
	const size_t most = unit_emulated() ? 1331 : 32768;

	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
		for (unsigned k = 0; k < 8 && lengths[i] <= most; k++) {
			const size_t n = lengths[i];
			const struct taf_fft_want want = { .n = n, .narrow = k % 2,
				.kind = k < 4 ? TAF_FFT_COMPLEX : k < 6 ? TAF_FFT_REAL :
				TAF_FFT_HALF, .inverse = k / 2 == 1 };

			compare_side(&want, n, 0);
			compare_side(&want, n - n / 3, k < 4 ? n / 2 : 0);
		}
}

/* What caches do not hold, or has a large prime, goes line by line. */
static void
some_have_no_side(void)
{
	static const struct { size_t n; bool side; } cases[] =
	    { { 8192, true }, { 127, false },
		{ 254, false }, { 1 << 20, false } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct taf_fft_want want =
		    { .n = cases[i].n, .kind = TAF_FFT_REAL };
		struct taf_fft *f;

		must(taf_fft_open(&f, &want, &e) == TAF_OK);
		CHECK_EQ(taf_fft_has_side(f), cases[i].side);
		taf_fft_close(f);
	}
}

/* There and back, flt32 is as near as one rounding each way: all between is flt64. */
static void
flt32_is_rounded_once(void)
{
	static const size_t lengths[] = { 8, 61, 100, 1000, 1021, 8192, 65536 };
	static double x[65536], y[65538], back[65536];

	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		struct taf_fft_want want = { .n = lengths[i], .kind = TAF_FFT_REAL,
			.narrow = true };
		const size_t n = want.n, half = 2 * (n / 2 + 1);
		double most = 0, wrong = 0;

		for (size_t k = 0; k < n; k++) {
			x[k] = (double)(float)noise();
			most = fmax(most, fabs(x[k]));
		}
		transform(&want, y, half, x, n, 1);
		want.kind = TAF_FFT_HALF;
		transform(&want, back, n, y, half, 1);
		for (size_t k = 0; k < n; k++)
			wrong = fmax(wrong, fabs(back[k] - x[k]));
		if (!CHECK(wrong <= 1e-7 * most))
			printf("#   %zu points: %g\n", n, wrong / most);
	}
}

static void
fast_lengths(void)
{
	CHECK_EQ(taf_fft_fast(1), 1);
	CHECK_EQ(taf_fft_fast(11), 12);
	CHECK_EQ(taf_fft_fast(13), 14);
	CHECK_EQ(taf_fft_fast(101), 105);
	CHECK_EQ(taf_fft_fast(1 << 20), 1 << 20);
	CHECK_EQ(taf_fft_fast(100003), 100352);
}

int
main(void)
{
	UNIT(every_length);
	UNIT(long_lines);
	UNIT(same_bits_everywhere);
	UNIT(neighbours_do_not_matter);
	UNIT(lines_side_by_side);
	UNIT(some_have_no_side);
	UNIT(flt32_is_rounded_once);
	UNIT(fast_lengths);
	return unit_end();
}
