/* SPDX-License-Identifier: ISC */
/* taf_tone_blocks() against the normal equations in long double, and blocks alone. */
/* link: m */
#include "kernel/tone/tone.h"

#include <math.h>

#include "feed.h"
#include "kernel/fft/taper.h"

enum { BLOCKS = 21, MOST = 301, COLUMNS = 2 + 2 * 2 + 4 * 2 };

static double
uniform(void)
{
	return (double)draw(1u << 30) / (1 << 30);
}

/* About normal: a sum of twelve. */
static double
noise(void)
{
	double sum = -6;
	unsigned k;

	for (k = 0; k < 12; k++)
		sum += uniform();
	return sum;
}

struct trial {
	struct taf_tone_want want;
	double weight[MOST], known[2];
	struct taf_tone_noise density;
	double d[1];
	double x[BLOCKS * MOST * 2];
	double out[BLOCKS * 2 * TAF_TONE_ROWS];
	struct taf_tone_count count;
};

/* Tones of amplitude 1 and 0.5, 4 bins apart at least, in noise; a line that is known. */
static void
make(struct trial *t, size_t points, bool pair, unsigned count, double bin)
{
	const double n = (double)points, d = 0.25;
	size_t i, b, parts = pair ? 2 : 1;
	unsigned k;

	memset(t, 0, sizeof *t);
	taf_taper(t->weight, points, draw(2) ? TAF_TAPER_HANN : TAF_TAPER_BLACKMAN,
	    false);
	t->known[0] = 0.31 / d;
	t->d[0] = 2e-4 * d;
	t->density = (struct taf_tone_noise){ t->d, 1, 0, 1 };
	t->want = (struct taf_tone_want){ .points = points, .pair = pair,
		.weight = t->weight, .step = d, .count = count, .chance = 1e-3,
		.low = 0.5 / (n * d), .high = 0.48 / d, .known = t->known, .nknown = 1,
		.noise = &t->density };
	for (b = 0; b < BLOCKS; b++) {
		double phase[3] = { 7 * uniform(), 7 * uniform(), 7 * uniform() };

		for (i = 0; i < points; i++) {
			double re = 2 + 0.01 * noise(), im = 0.01 * noise();

			for (k = 0; k < count + 1; k++) {
				const double f = k == count ? 0.31 :
				    (bin + 0.01 * (double)b + 6 * k) / n;
				const double a = k == 1 ? 0.5 : 1;
				const double h = 6.283185307179586 * f * (double)i +
				    phase[k];

				re += a * cos(h);
				im += a * sin(h);
			}
			t->x[(b * points + i) * parts] = re;
			if (pair)
				t->x[(b * points + i) * parts + 1] = im;
		}
	}
}

static void
run(const struct taf_tone *tone, const double *from, size_t blocks, double *to,
    struct taf_tone_count *count, const struct trial *t)
{
	void *scratch = malloc(taf_tone_scratch(tone));
	const struct taf_tone_part part = { .to = to, .from = from, .blocks = blocks,
		.skip = t->want.points, .count = count, .scratch = scratch };

	must(scratch != NULL);
	memset(scratch, 0xff, taf_tone_scratch(tone));
	taf_tone_blocks(tone, &part);
	free(scratch);
}

/* Derivatives by all numbers of the model at time u, of one part; its tones. */
static long double
derive(const struct trial *t, const double *rows, long double u, unsigned part,
    long double *to)
{
	const long double turn = 2 * acosl(-1), line = turn * t->known[0] * u;
	long double sum = 0;
	size_t n = 0;
	unsigned k, parts = t->want.pair ? 2 : 1;

	for (k = 0; k < parts; k++)
		to[n++] = k == part;
	to[n++] = part == 0 ? cosl(line) : sinl(line);
	to[n++] = part == 0 ? -sinl(line) : cosl(line);
	for (k = 0; k < t->want.count; k++, rows += TAF_TONE_ROWS) {
		const long double h = rows[TAF_TONE_PHASE] + turn * u *
		    (rows[TAF_TONE_FREQUENCY] + rows[TAF_TONE_SLOPE] * u / 2);
		const long double a = rows[TAF_TONE_AMPLITUDE];
		const long double c = part == 0 ? cosl(h) : sinl(h);
		const long double s = part == 0 ? -sinl(h) : cosl(h);

		sum += a * c;
		to[n++] = c;
		to[n++] = a * s;
		to[n++] = a * s * turn * u;
		to[n++] = a * s * turn * u * u / 2;
	}
	return sum;
}

/* The inverse of a, n rows of COLUMNS, by elimination. */
static void
invert(long double (*a)[COLUMNS], long double (*to)[COLUMNS], size_t n)
{
	size_t i, j, k;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			to[i][j] = i == j;
	for (i = 0; i < n; i++) {
		const long double pivot = a[i][i];

		for (j = 0; j < n; j++) {
			a[i][j] /= pivot;
			to[i][j] /= pivot;
		}
		for (k = 0; k < n; k++) {
			const long double by = a[k][i];

			for (j = 0; j < n && k != i; j++) {
				a[k][j] -= by * a[i][j];
				to[k][j] -= by * to[i][j];
			}
		}
	}
}

/* A block's tones are where no step is left, and sigma is that of the equations. */
static void
look_at(const struct trial *t, const double *x, const double *rows)
{
	const size_t parts = t->want.pair ? 2 : 1, points = t->want.points;
	const size_t n = parts + 2 + 4 * t->want.count;
	static long double g[COLUMNS][COLUMNS], h[COLUMNS][COLUMNS];
	static long double inverse[COLUMNS][COLUMNS];
	long double right[COLUMNS] = { 0 }, row[COLUMNS];
	size_t i, j, k;
	unsigned part, tone, which;

	memset(g, 0, sizeof g);
	memset(h, 0, sizeof h);
	for (i = 0; i < points; i++)
		for (part = 0; part < parts; part++) {
			const long double u = ((long double)i -
			    ((long double)points - 1) / 2) * t->want.step;
			const long double w = t->weight[i];
			const long double left = x[i * parts + part] -
			    derive(t, rows, u, part, row);

			for (j = 0; j < n; j++) {
				right[j] += w * row[j] * left;
				for (k = 0; k < n; k++) {
					g[j][k] += w * row[j] * row[k];
					h[j][k] += w * w * row[j] * row[k];
				}
			}
		}
	invert(g, inverse, n);
	for (tone = 0; tone < t->want.count; tone++) {
		const double *const r = rows + tone * TAF_TONE_ROWS;

		for (which = 0; which < 2; which++) {
			const size_t at = parts + 2 + 4 * tone + 2 + which;
			const double sigma = r[which == 0 ? TAF_TONE_SIGMA :
			    TAF_TONE_SLOPE_SIGMA];
			/* real: D / (2 d); of pairs each part has half of D / d */
			const long double s2 = t->d[0] / t->want.step / 2;
			long double step = 0, c = 0;

			for (j = 0; j < n; j++) {
				step += inverse[at][j] * right[j];
				for (k = 0; k < n; k++)
					c += inverse[at][j] * h[j][k] * inverse[at][k];
			}
			c *= s2 * (1 + 3 / r[TAF_TONE_RATIO]) *
			    (r[TAF_TONE_MISFIT] > 1.5 ? r[TAF_TONE_MISFIT] *
			    r[TAF_TONE_MISFIT] : 1);
			CHECK(fabsl(step) < 2e-3L * sigma);
			/* it is that of the place before the last step */
			CHECK(fabsl(sigma / sqrtl(c) - 1) < 5e-3L);
		}
	}
}

static void
trial(size_t points, bool pair, unsigned count, double bin)
{
	static struct trial t;
	struct taf_tone_count once = { 0, 0 };
	double alone[2 * TAF_TONE_ROWS];
	struct taf_tone *tone;
	size_t b, all = (size_t)count * TAF_TONE_ROWS, found = 0;

	make(&t, points, pair, count, bin);
	must(taf_tone_open(&tone, &t.want, &e) == TAF_OK);
	run(tone, t.x, BLOCKS, t.out, &t.count, &t);
	CHECK_EQ(t.count.wrong, 0);
	for (b = 0; b < BLOCKS; b++) {
		const double *const x = t.x + b * points * (pair ? 2 : 1);
		const double *const rows = t.out + b * all;

		/* the same bits, whoever is beside it */
		run(tone, x, 1, alone, &once, &t);
		CHECK(memcmp(alone, rows, all * sizeof *rows) == 0);
		if (rows[0] != rows[0] ||
		    rows[all - TAF_TONE_ROWS] != rows[all - TAF_TONE_ROWS])
			continue;
		look_at(&t, x, rows);
		found++;
	}
	CHECK(found >= BLOCKS - 2);
	taf_tone_close(tone);
}

static void
real_tones(void)
{
	trial(200, false, 1, 17.3);
	trial(301, false, 2, 40.2);
	trial(97, false, 1, 12);
	trial(40, false, 1, 5.2);
}

static void
near_zero_and_known_lines(void)
{
	trial(128, false, 1, 1.6);
	trial(128, false, 2, 2.1);
	/* the line is at 0.31 of 200 */
	trial(200, false, 1, 62 - 1.3);
	trial(200, false, 1, 62 + 0.8);
}

static void
complex_tones(void)
{
	trial(128, true, 1, 20.4);
	trial(150, true, 2, 2.3);
	trial(33, true, 1, 4);
}

int
main(void)
{
	UNIT(real_tones);
	UNIT(near_zero_and_known_lines);
	UNIT(complex_tones);
	return unit_end();
}
