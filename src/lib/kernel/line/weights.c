/* SPDX-License-Identifier: ISC */
#include "kernel/line/weights.h"

#include "kernel/func/func.h"

enum { BLOCK = 256 };

void
taf_weights_gauss(double *weight, size_t half, double sigma)
{
	const size_t width = 2 * half + 1;
	double sum = 0;
	size_t i, n;

	for (i = 0; i < width; i++) {
		const double x = ((double)i - (double)half) / sigma;

		weight[i] = -0.5 * x * x;
	}
	for (i = 0; i < width; i += n) {
		n = width - i < BLOCK ? width - i : BLOCK;
		taf_func_exp(weight + i, weight + i, n);
	}
	/* from the outside: the small ones first */
	for (i = 0; i < half; i++)
		sum += weight[i] + weight[width - 1 - i];
	sum += weight[half];
	for (i = 0; i < width; i++)
		weight[i] /= sum;
}

/* The discrete orthogonal (Gram) polynomial number k at a place, and its derivative. */
struct gram {
	double value, slope;
};

/* The next of them: b is number k - 1, a the one before it. */
static struct gram
next_gram(struct gram a, struct gram b, unsigned k, double half, double place)
{
	const double up = (4.0 * k - 2) / (k * (2 * half - k + 1));
	const double down = (k - 1) * (2 * half + k) / (k * (2 * half - k + 1));
	struct gram c;

	c.value = up * place * b.value - down * a.value;
	c.slope = up * (place * b.slope + b.value) - down * a.slope;
	return c;
}

void
taf_weights_polynomial(double *weight, size_t half, const struct taf_polynomial *p)
{
	const double h = (double)half;
	size_t i;

	for (i = 0; i <= 2 * half; i++) {
		struct gram a = { 0, 0 }, b = { 1, 0 }, c, at_a = a, at_b = b;
		double norm = 1 / (2 * h + 1), sum = 0;
		unsigned k;

		for (k = 0;; k++) {
			sum += (2.0 * k + 1) * norm * b.value *
			    (p->derivative == 0 ? at_b.value : at_b.slope);
			if (k == p->order)
				break;
			norm *= (2 * h - k) / (2 * h + k + 2);
			c = next_gram(a, b, k + 1, h, (double)i - h);
			a = b;
			b = c;
			c = next_gram(at_a, at_b, k + 1, h, p->place);
			at_a = at_b;
			at_b = c;
		}
		weight[i] = sum;
	}
}
