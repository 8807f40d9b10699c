/* SPDX-License-Identifier: ISC */
/*
 * What a plain program does with as many bytes: the references of run.sh.
 *   ref zeros N     write N bytes of zero
 *   ref sum FILE    add up the flt32 of a file, four sums at once
 *   ref copy N      copy N bytes of memory, and print GB/s
 *   ref widen N     the same of mapped uint8 that become N bytes of flt32
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "kernel/number/convert.h"

enum { BLOCK = 256 * 1024, TIMES = 9 };

static int
zeros(size_t n)
{
	static unsigned char block[BLOCK];

	while (n > 0) {
		ssize_t r = write(1, block, n < BLOCK ? n : BLOCK);

		if (r < 0)
			return 1;
		n -= (size_t)r;
	}
	return 0;
}

static int
sum(const char *path)
{
	static float block[BLOCK / sizeof(float)];
	double s[4] = { 0 };
	int fd = open(path, O_RDONLY);
	ssize_t r;

	if (fd < 0)
		return 1;
	while ((r = read(fd, block, sizeof block)) > 0)
		for (size_t i = 0; i + 4 <= (size_t)r / sizeof(float); i += 4)
			for (size_t k = 0; k < 4; k++)
				s[k] += (double)block[i + k];
	printf("%g\n", s[0] + s[1] + s[2] + s[3]);
	return r < 0;
}

/* Memory to memory, the median of the processor's time, the first one left out. */
static int
kernel(size_t n, bool widen)
{
	const double mapping[2] = { 1, 0.5 };
	unsigned char *from = malloc(n), *to = malloc(n);
	double took[TIMES];

	if (from == NULL || to == NULL)
		return 1;
	memset(from, 1, n);
	memset(to, 2, n);
	for (int i = -1; i < TIMES; i++) {
		double start = seconds(CLOCK_PROCESS_CPUTIME_ID);

		if (widen)
			(void)taf_convert(to, TAF_FLT32, from, TAF_UINT8, n / 4, mapping,
			    false, NULL);
		else
			memcpy(to, from, n);
		if (i >= 0)
			took[i] = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
	}
	printf("%.2f %u\n", (double)n / median(took, TIMES) * 1e-9, to[n / 2]);
	free(from);
	free(to);
	return 0;
}

int
main(int argc, char **argv)
{
	size_t n;

	if (argc != 3)
		return 2;
	if (strcmp(argv[1], "sum") == 0)
		return sum(argv[2]);
	n = (size_t)strtoull(argv[2], NULL, 10);
	if (strcmp(argv[1], "zeros") == 0)
		return zeros(n);
	return kernel(n, strcmp(argv[1], "widen") == 0);
}
