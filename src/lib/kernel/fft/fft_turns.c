/* Points of the unit circle, as exact as their type holds. */
#include "config.h"

#include "kernel/fft/fft_private.h"
#include "kernel/func/func_trig.h"

/* 2 pi r / n of an angle in the first octant */
static struct taf_two
angle(uint64_t r, uint64_t n)
{
	const struct taf_two two_pi = { 0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52 };
	const double x = (double)r;
	struct taf_two p = taf_func_product(x, two_pi.hi), q;

	p.lo += x * two_pi.lo;
	q = taf_func_quotient(p, (struct taf_two){ (double)n, 0 });
	return taf_func_sum(q.hi, q.lo);
}

/* exp(-2 pi i k / n), k < n < 2^53 */
static void
turn(double pair[2], uint64_t k, uint64_t n)
{
	const bool low = 2 * k > n;			/* below the axis: mirrored */
	const uint64_t half = low ? n - k : k;
	const bool left = 4 * half > n;
	const uint64_t up = left ? n - 2 * half : 2 * half;	/* of 2 n */
	const bool steep = 4 * up > n;
	/* of 4 n */
	const struct taf_two t = angle(steep ? n - 2 * up : 2 * up, 4 * n);
	const double s = taf_func_sine(t).hi, c = taf_func_cosine(t).hi;
	const double re = steep ? s : c, im = steep ? c : s;

	pair[0] = left ? -re : re;
	pair[1] = low ? im : -im;
}

void
taf_fft_turns(double *pairs, size_t count, uint64_t first, uint64_t step, uint64_t n)
{
	uint64_t k = first % n;

	step %= n;
	for (size_t i = 0; i < count; i++, pairs += 2) {
		turn(pairs, k, n);
		k = n - k > step ? k + step : k + step - n;
	}
}
