/* SPDX-License-Identifier: ISC */
/* taf_spectra_blocks() against sums in long double, and its bits by a digest. */
/* link: m */
#include "kernel/fft/spectra.h"

#include <math.h>

#include "feed.h"
#include "roots.h"

enum { BLOCKS = 37, MOST = 8192 };

static double
noise(void)
{
	return (double)draw(1u << 30) / (1 << 29) - 1;
}

/* Results of blocks of x, as doubles; both are of the type's precision. */
static void
spectra(const struct taf_spectra_want *want, double *to, const double *x, size_t blocks)
{
	const size_t in = (blocks - 1) * want->skip + want->points,
	    out = blocks * want->n;
	struct taf_spectra *s;
	/* exactly so many: a sanitizer sees who looks behind them */
	float *narrow = malloc(in * sizeof *narrow),
	    *from_narrow = malloc(out * sizeof *narrow);
	struct taf_spectra_part part = { .to = to, .apart = want->n, .from = x,
		.blocks = blocks };

	must(narrow != NULL && from_narrow != NULL);
	must(taf_spectra_open(&s, want, &e) == TAF_OK);
	part.scratch = aligned_alloc(64, (taf_spectra_scratch(s) + 63) / 64 * 64);
	must(part.scratch != NULL);
	memset(part.scratch, 0xff, taf_spectra_scratch(s));
	if (want->narrow) {
		for (size_t i = 0; i < in; i++)
			narrow[i] = (float)x[i];
		part.from = narrow;
		part.to = from_narrow;
	}
	taf_spectra_blocks(s, &part);
	for (size_t i = 0; i < out && want->narrow; i++)
		to[i] = (double)from_narrow[i];
	taf_spectra_close(s);
	free(part.scratch);
	free(narrow);
	free(from_narrow);
}

/* The square at frequency k of a block, and what the mean is of all squares. */
static long double
naive(const struct taf_spectra_want *want, const double *x, size_t k, long double *all)
{
	const struct root *root = roots_of(want->length);
	long double re = 0, im = 0, mean = 0;
	size_t j;

	*all = 0;
	for (j = 0; j < want->points && want->remove_mean; j++)
		mean += (long double)x[j] / (long double)want->points;
	for (j = 0; j < want->points; j++) {
		const size_t at = j * k % want->length;
		const long double v = ((long double)x[j] - mean) *
		    (long double)want->weight[j];

		re += v * root[at].re;
		im += v * root[at].im;
		*all += v * v;
	}
	*all *= 2;
	return (re * re + im * im) * (want->twice && k > 0 &&
	    2 * k != want->length ? 2 : 1);
}

static double weights[MOST], line[16 * MOST], got[BLOCKS * (MOST / 2 + 1)];

/*
 * Some frequencies of some blocks.  With an error of d in the magnitude, which is about
 * r, that of the square is 2 r d.
 */
static void
compare(struct taf_spectra_want want, size_t blocks, size_t step)
{
	const double eps = want.narrow ? 0x1p-23 : 0x1p-52;
	const double most = 0.6 * eps * (1 + log2((double)want.length));
	long double wrong = 0, all = 0, mean;
	size_t b, k, n = 0;

	want.weight = weights;
	want.n = want.length / 2 + 1;
	spectra(&want, got, line, blocks);
	for (b = 0; b < blocks; b += 5)
		for (k = 0; k < want.n; k += step) {
			const long double v =
			    naive(&want, line + b * want.skip, k, &mean);
			const long double d = (long double)got[b * want.n + k] - v;

			wrong += d * d;
			all += 4 * v * mean + mean * mean * (long double)(most * most);
			n++;
		}
	if (!CHECK(n > 0 && wrong <= all * (long double)(most * most)))
		printf("#   %zu of %zu points, narrow %d: %g eps\n", want.points,
		    want.length, want.narrow, (double)sqrtl(wrong / all) / eps);
}

static void
make_points(double mean)
{
	for (size_t i = 0; i < MOST; i++)
		weights[i] = 1 + noise() / 2;
	for (size_t i = 0; i < 16 * MOST; i++)
		line[i] = (double)(float)(noise() + mean);
}

static void
every_length(void)
{
	make_points(0);
	for (size_t n = 2; n <= 300; n++)
		for (unsigned narrow = 0; narrow < 2; narrow++)
			compare((struct taf_spectra_want){ .points = n, .length = n,
			    .skip = 1 + n / 3, .narrow = narrow }, 11, 1 + n / 9);
}

/* Primes by a convolution with and without zeros, and alone or with other factors. */
static void
long_lengths(void)
{
	static const size_t lengths[] = { 401, 402, 503, 802, 1024, 1203, 1509, 2000,
	    3375, 4001,
		4095, 4733, 6007, 7919, 8021, 8191, 8192 };

	const size_t most = unit_emulated() ? 2000 : MOST;

	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
		for (unsigned narrow = 0; narrow < 2 && lengths[i] <= most; narrow++)
			compare((struct taf_spectra_want){ .points = lengths[i],
			    .length = lengths[i], .skip = 1 + lengths[i] / 2,
			    .narrow = narrow, .twice = i % 2 }, 17, lengths[i] / 3);
}

static void
blocks_of_all_kinds(void)
{
	make_points(0.2);
	for (size_t skip = 1; skip < 90; skip += skip < 40 ? 1 : 7)
		for (unsigned k = 0; k < 8; k++)
			compare((struct taf_spectra_want){ .points = 35 + k, .skip = skip,
			    .length = k % 4 == 3 ? 67 : 42, .twice = k % 2,
			    .remove_mean = k / 2 % 2, .narrow = k / 4 }, BLOCKS - k, 3);
}

static void
neighbours_do_not_matter(void)
{
	static double one[MOST / 2 + 1];
	struct taf_spectra_want want = { .weight = weights, .first = 7, .n = 41,
	    .skip = 20 };

	for (unsigned k = 0; k < 8; k++) {
		want.points = want.length = k < 4 ? 130 : 101;
		want.narrow = k % 2;
		want.remove_mean = k / 2 % 2;
		spectra(&want, got, line, BLOCKS);
		for (size_t b = 0; b < BLOCKS; b++) {
			spectra(&want, one, line + b * want.skip, 1);
			CHECK_MEM(one, got + b * want.n, want.n * sizeof *one);
		}
	}
}

static void
lengths_that_fit(void)
{
	CHECK(!taf_spectra_fit(0) && !taf_spectra_fit(1) && taf_spectra_fit(2));
	CHECK(taf_spectra_fit(8191) && taf_spectra_fit(8192) && !taf_spectra_fit(8193));
	/* one large prime factor, but not two */
	CHECK(taf_spectra_fit(67 * 61) && !taf_spectra_fit(67 * 67) &&
	    !taf_spectra_fit(71 * 67));
}

/* The digest is a constant, for all machines and compilers. */
static void
same_bits_everywhere(void)
{
	static const size_t lengths[] = { 2, 3, 4, 5, 7, 30, 61, 64, 67, 97, 101, 343,
	    401, 802,
		1024, 2027, 6006 };
	uint64_t h = 14695981039346656037u, state = 88172645463325252u, bits;

	for (size_t i = 0; i < 16 * MOST; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		line[i] = (double)(float)((double)(state >> 40) * 0x1p-23 - 1);
		weights[i % MOST] = line[i];
	}
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
		for (unsigned narrow = 0; narrow < 2; narrow++) {
			const size_t n = lengths[i];
			const struct taf_spectra_want want = { .points = n, .length = n,
				.skip = n, .weight = weights, .narrow = narrow,
				    .n = n / 2 + 1,
				.remove_mean = i % 2, .twice = i % 3 == 0 };

			spectra(&want, got, line, 9);
			for (size_t k = 0; k < 9 * want.n; k++) {
				memcpy(&bits, &got[k], sizeof bits);
				h = (h ^ bits) * 1099511628211u;
				h ^= h >> 29;
			}
		}
	CHECK_EQ(h, 0xa42d796f84dade2cu);
}

int
main(void)
{
	UNIT(every_length);
	UNIT(long_lengths);
	UNIT(blocks_of_all_kinds);
	UNIT(neighbours_do_not_matter);
	UNIT(lengths_that_fit);
	UNIT(same_bits_everywhere);
	return unit_end();
}
