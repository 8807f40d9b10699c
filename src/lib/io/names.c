/* SPDX-License-Identifier: ISC */
#include "io/names.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum taf_status
taf_names_add_part(struct taf_names *names, const char *name, size_t n, struct taf_err *e)
{
	char **grown = names->name;

	/* a power of two is full */
	if ((names->n & (names->n - 1)) == 0)
		grown = realloc(names->name,
		    (names->n == 0 ? 1 : 2 * names->n) * sizeof *grown);
	if (grown == NULL)
		return taf_fail_mem(e);
	names->name = grown;
	grown[names->n] = strndup(name, n);
	if (grown[names->n] == NULL)
		return taf_fail_mem(e);
	names->n++;
	return TAF_OK;
}

enum taf_status
taf_names_add(struct taf_names *names, const char *name, struct taf_err *e)
{
	return taf_names_add_part(names, name, strlen(name), e);
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
taf_names_sort(struct taf_names *names)
{
	qsort(names->name, names->n, sizeof names->name[0], compare);
}

enum taf_status
taf_names_read(struct taf_names *names, const char *path, const char *suffix,
    struct taf_err *e)
{
	DIR *dir = opendir(path);
	size_t tail = strlen(suffix), len;
	enum taf_status st = TAF_OK;
	const struct dirent *entry;

	if (dir == NULL && (errno == ENOENT || errno == ENOTDIR))
		return TAF_END;
	if (dir == NULL)
		return taf_fail_sys(e, "%s: cannot list", path);
	while (st == TAF_OK && (errno = 0, entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;

		len = strlen(name);
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && len >= tail &&
		    strcmp(name + len - tail, suffix) == 0)
			st = taf_names_add_part(names, name, len - tail, e);
	}
	if (st == TAF_OK && errno != 0)
		st = taf_fail_sys(e, "%s: cannot list", path);
	(void)closedir(dir);
	if (names->n > 1)
		taf_names_sort(names);
	return st;
}

bool
taf_names_among(const struct taf_names *names, const char *name)
{
	size_t k;

	for (k = 0; k < names->n && strcmp(names->name[k], name) != 0; k++)
		continue;
	return k < names->n;
}

bool
taf_names_has(const struct taf_names *names, const char *name)
{
	return names->n > 0 && bsearch(&name, names->name, names->n,
	    sizeof names->name[0], compare) != NULL;
}

void
taf_names_free(struct taf_names *names)
{
	size_t i;

	for (i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
	names->name = NULL;
	names->n = 0;
}
