/* SPDX-License-Identifier: ISC */
/*
 * Rows of the table for a single transform on one thread.  FFTW with ESTIMATE is beside
 * it if its libraries are there; no program is linked with them.  A time is the least
 * processor time of some rounds in turn.
 *   fft MOST    2^8 to 2^MOST points, and 100003
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "kernel/fft/fft.h"

enum { ROUNDS = 15, POINTS = 400000, FORWARD = -1, ESTIMATE = 64 };

/* FFTW of one type; execute is NULL without it. */
struct fftw {
	void *(*complex)(int n, void *in, void *out, int sign, unsigned flags);
	void *(*real)(int n, void *in, void *out, unsigned flags);
	void (*execute)(void *plan);
	void (*destroy)(void *plan);
};

/* ISO C has no conversion from an object to a function. */
static void
find(void *library, const char *prefix, const char *name, void *function)
{
	char symbol[64];
	void *p;

	snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
	p = dlsym(library, symbol);
	memcpy(function, &p, sizeof p);
}

static void
load(struct fftw *w, bool narrow)
{
	const char *const prefix = narrow ? "fftwf" : "fftw";
	void *library = dlopen(narrow ? "libfftw3f.so.3" : "libfftw3.so.3", RTLD_NOW);

	memset(w, 0, sizeof *w);
	if (library == NULL)
		return;
	find(library, prefix, "plan_dft_1d", &w->complex);
	find(library, prefix, "plan_dft_r2c_1d", &w->real);
	find(library, prefix, "destroy_plan", &w->destroy);
	find(library, prefix, "execute", &w->execute);
	if (w->complex == NULL || w->real == NULL || w->destroy == NULL)
		w->execute = NULL;
}

static void *
memory(size_t bytes)
{
	void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);

	if (p == NULL)
		exit(4);
	return p;
}

static void
fill(void *x, size_t n, bool narrow)
{
	uint32_t state = 1;

	for (size_t i = 0; i < n; i++) {
		state = state * 1664525u + 1013904223u;
		if (narrow)
			((float *)x)[i] = (float)(state >> 8) * 0x1p-24f;
		else
			((double *)x)[i] = (double)state * 0x1p-32;
	}
}

static void
row(size_t n, bool real, bool narrow, const struct fftw *w)
{
	const struct taf_fft_want want = { .n = n, .narrow = narrow,
		.kind = real ? TAF_FFT_REAL : TAF_FFT_COMPLEX };
	const size_t word = narrow ? sizeof(float) : sizeof(double);
	const size_t in = real ? n : 2 * n;
	const size_t times = POINTS / n + 1;
	void *x = memory(in * word), *y = memory(2 * n * word + 64), *plan = NULL, *scratch;
	double ours = 1e9, other = 1e9, start, took;
	struct taf_err e;
	struct taf_fft *f;

	if (taf_fft_open(&f, &want, &e) != TAF_OK)
		exit(4);
	scratch = memory(taf_fft_scratch(f));
	if (w->execute != NULL)
		plan = real ? w->real((int)n, x, y, ESTIMATE) :
		    w->complex((int)n, x, y, FORWARD, ESTIMATE);
	fill(x, in, narrow);
	for (int k = 0; k < ROUNDS; k++) {
		start = seconds(CLOCK_PROCESS_CPUTIME_ID);
		for (size_t i = 0; i < times; i++)
			taf_fft_lines(f, y, x, 1, scratch);
		took = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
		ours = took < ours ? took : ours;
		start = seconds(CLOCK_PROCESS_CPUTIME_ID);
		for (size_t i = 0; i < times && plan != NULL; i++)
			w->execute(plan);
		took = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
		other = took < other ? took : other;
	}
	printf("| one transform | %zu %s %s | %.3g | ", n, narrow ? "flt32" : "flt64",
	    real ? "numbers" : "pairs", ours / (double)times);
	if (plan != NULL)
		printf("FFTW, ESTIMATE | %.3g | %.2f | |\n", other / (double)times,
		    ours / other);
	else
		printf("no FFTW | | | |\n");
	if (plan != NULL)
		w->destroy(plan);
	taf_fft_close(f);
	free(scratch);
	free(x);
	free(y);
}

int
main(int argc, char **argv)
{
	const long most = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
	struct fftw w;

	if (most < 8 || most > 26)
		return 2;
	for (int k = 0; k < 4; k++) {
		load(&w, k < 2);
		for (long bits = 8; bits <= most; bits++)
			row((size_t)1 << bits, k % 2, k < 2, &w);
		row(100003, k % 2, k < 2, &w);
	}
	return 0;
}
