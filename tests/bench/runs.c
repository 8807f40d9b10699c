/* SPDX-License-Identifier: ISC */
/*
 * Time commands: runs N INTERLEAVED -- COMMAND ... -- COMMAND ... [-- ...].  Every
 * command is run N times, in turn, so that all meet the same machine.  Prints for each
 * the median of wall time, of user and system time (seconds), and the peak memory (KiB).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

enum { MOST = 16 };

static double
of_time(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int
main(int argc, char **argv)
{
	double *wall[MOST], *cpu[MOST];
	long peak[MOST] = { 0 }, n;
	char **command[MOST];
	int count = 0, i, k;

	if (argc < 4 || (n = strtol(argv[1], NULL, 10)) < 1)
		return 2;
	for (i = 2; i < argc; i++)
		if (strcmp(argv[i], "--") == 0) {
			argv[i] = NULL;
			if (count == MOST || i + 1 >= argc)
				return 2;
			command[count++] = argv + i + 1;
		}
	for (k = 0; k < count; k++) {
		wall[k] = calloc((size_t)n, sizeof(double));
		cpu[k] = calloc((size_t)n, sizeof(double));
		if (wall[k] == NULL || cpu[k] == NULL)
			return 4;
	}
	for (i = 0; i < n; i++)
		for (k = 0; k < count; k++) {
			double start = seconds(CLOCK_MONOTONIC);
			struct rusage use;
			pid_t pid = fork();
			int status;

			if (pid == 0) {
				int null = open("/dev/null", O_WRONLY);

				dup2(null, 1);
				execvp(command[k][0], command[k]);
				_exit(127);
			}
			if (pid < 0 || wait4(pid, &status, 0, &use) < 0 || status != 0) {
				fprintf(stderr, "%s failed\n", command[k][0]);
				return 1;
			}
			wall[k][i] = seconds(CLOCK_MONOTONIC) - start;
			cpu[k][i] = of_time(use.ru_utime) + of_time(use.ru_stime);
			if (use.ru_maxrss > peak[k])
				peak[k] = use.ru_maxrss;
		}
	for (k = 0; k < count; k++) {
		printf("%.6f %.6f %ld\n", median(wall[k], (size_t)n),
		    median(cpu[k], (size_t)n), peak[k]);
		free(wall[k]);
		free(cpu[k]);
	}
	return 0;
}
