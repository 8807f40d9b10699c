/* SPDX-License-Identifier: ISC */
/*
 * replay -- run one fuzz target over files, without a fuzzer
 *
 * Operands are files and folders of files. Each file is given to the target
 * whole, then every prefix of it up to PREFIX_MAX bytes; the empty input comes
 * first of all. Each input lies in memory of its own exact size, so that a
 * sanitizer sees the first byte read beyond it.
 */
#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target.h"

enum {
	PREFIX_MAX = 1024,
	PATH_LEN = 4096,
	INPUT_SECONDS = 20 /* an input that takes longer hangs */
};

static char current[PATH_LEN + 64];
static unsigned long nfiles, ninputs;

static void
die_naming_input(int sig)
{
	ssize_t n = write(STDOUT_FILENO, current, strlen(current));

	(void)n;
	signal(sig, SIG_DFL);
	raise(sig);
}

static int
fail(const char *path)
{
	printf("# %s: %s\n", path, strerror(errno));
	return -1;
}

static int
run(const char *path, const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		return fail(path);
	/* the sanitizers cannot see a read of byte 0 of an empty input otherwise */
	if (!size) {
		free(copy);
		copy = NULL;
	} else {
		memcpy(copy, data, size);
	}
	snprintf(current, sizeof current, "# died on the first %zu bytes of %s\n", size,
	    path);
	alarm(INPUT_SECONDS);
	LLVMFuzzerTestOneInput(copy, size);
	alarm(0);
	ninputs++;
	free(copy);
	return 0;
}

static int
replay_file(const char *path, size_t size)
{
	size_t limit = size < PREFIX_MAX ? size : PREFIX_MAX;
	uint8_t *data = malloc(size ? size : 1);
	FILE *f = fopen(path, "rb");
	int r = -1;

	if (!data || !f || fread(data, 1, size, f) != size) {
		fail(path);
		goto out;
	}
	nfiles++;
	r = run(path, data, size);
	for (size_t n = 1; r == 0 && n < limit; n++)
		r = run(path, data, n);
out:
	if (f)
		fclose(f);
	free(data);
	return r;
}

static int
replay(const char *path)
{
	char inner[PATH_LEN];
	struct dirent *entry;
	struct stat st;
	DIR *dir;
	int r = 0;

	if (stat(path, &st) < 0)
		return fail(path);
	if (!S_ISDIR(st.st_mode))
		return replay_file(path, (size_t)st.st_size);
	dir = opendir(path);
	if (!dir)
		return fail(path);
	while (r == 0 && (entry = readdir(dir))) {
		int n = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);

		if (entry->d_name[0] == '.')
			continue;
		if (n < 0 || (size_t)n >= sizeof inner) {
			errno = ENAMETOOLONG;
			r = fail(path);
		} else {
			r = replay(inner);
		}
	}
	closedir(dir);
	return r;
}

int
main(int argc, char **argv)
{
	static const int deadly[] = { SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV };
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash ? slash + 1 : argv[0];
	int r;

	for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
		signal(deadly[i], die_naming_input);
	r = run("nothing", NULL, 0);
	for (int i = 1; r == 0 && i < argc; i++)
		r = replay(argv[i]);
	printf("%sok 1 - %s: %lu inputs from %lu files\n1..1\n", r ? "not " : "", name,
	    ninputs, nfiles);
	return r || fflush(stdout) ? 1 : 0;
}
