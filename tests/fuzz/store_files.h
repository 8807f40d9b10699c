/* SPDX-License-Identifier: ISC */
/*
 * A store in a private folder: files of an input, each a line "%%" and its name, and its
 * bytes.  They are made below the folder, and in an archive, too.
 */
#ifndef FUZZ_STORE_FILES_H
#define FUZZ_STORE_FILES_H

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/zip_write.h"
#include "target.h"

/* in memory, if that can be: thousands of files are made */
static const char elsewhere[] = "/tmp/fuzz_zarr.XXXXXX";
static char folder[sizeof elsewhere] = "/dev/shm/zarrs.XXXXXX";

static inline int
remove_one(const char *path, const struct stat *sb, int kind, struct FTW *walk)
{
	(void)sb, (void)kind;
	return walk->level > 0 ? remove(path) : 0;
}

/* All that is in it goes. */
static inline void
empty_folder(void)
{
	must(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

static inline void
leave(void)
{
	(void)rmdir(folder);
}

static inline void
enter(void)
{
	static bool entered;

	if (entered)
		return;
	entered = true;
	if (mkdtemp(folder) == NULL) {
		memcpy(folder, elsewhere, sizeof folder);
		must(mkdtemp(folder) != NULL);
	}
	must(atexit(leave) == 0);
}

static inline bool
write_file(const char *path, const uint8_t *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL)
		return false;
	must(fwrite(p, 1, n, f) == n);
	must(fclose(f) == 0);
	return true;
}

/*
 * A file of the store, in up to three folders whose names are letters, digits, '.', '_'.
 * False where it cannot be that.
 */
static inline bool
put_file(const char *root, const char *name, size_t len, const uint8_t *p, size_t n)
{
	const size_t begin = strlen(root) + 1;
	char path[sizeof folder + 128];
	unsigned depth = 0;
	size_t k;

	if (len == 0 || len > 48 || name[0] == '/' || name[len - 1] == '/')
		return false;
	(void)snprintf(path, sizeof path, "%s/%.*s", root, (int)len, name);
	if (strstr(path, "..") != NULL || strstr(path, "//") != NULL ||
	    strlen(path) != begin + len)
		return false;
	for (k = begin; path[k] != '\0'; k++)
		if (path[k] == '/') {
			path[k] = '\0';
			if (++depth > 3 || (mkdir(path, 0777) != 0 && errno != EEXIST))
				return false;
			path[k] = '/';
		} else if (strchr("abcdefghijklmnopqrstuvwxyz0123456789._", path[k]) ==
		    NULL) {
			return false;
		}
	return write_file(path, p, n);
}

/* May it be below a folder that is called as metadata are? */
static inline bool
hides(const char *name, size_t len)
{
	bool hidden = false;
	size_t k, part = 0;

	for (k = 0; k < len; k++)
		if (name[k] == '/') {
			hidden = hidden || name[part] == '.' || name[part] == 'z';
			part = k + 1;
		}
	return hidden;
}

static inline bool
put_member(struct taf_zip_out *z, const char *name, size_t len, const uint8_t *p,
    size_t n)
{
	char key[64];
	struct taf_err e = { 0 };
	struct taf_in *in;
	bool put;

	(void)snprintf(key, sizeof key, "%.*s", (int)len, name);
	must(taf_in_mem(&in, p, n, &e) == TAF_OK);
	put = taf_zip_put(z, key, in, &e) == TAF_OK;
	taf_in_close(in);
	return put;
}

/*
 * The files of an input; false where some could not be made, or two have one name.  z may
 * be NULL.
 */
static inline bool
put_files(const char *root, struct taf_zip_out *z, const uint8_t *data, size_t size)
{
	const uint8_t *const end = data + size, *line, *next;
	unsigned files = 0;
	bool all = true;

	while (size > 2 && memcmp(data, "%%", 2) == 0 && files++ < 16 &&
	    (line = memchr(data, '\n', size)) != NULL) {
		const char *const name = (const char *)data + 2;
		const size_t len = (size_t)(line - data) - 2;

		for (next = line + 1; next < end; next++)
			if (next[-1] == '\n' && end - next > 2 &&
			    memcmp(next, "%%", 2) == 0)
				break;
		all = all && !hides(name, len);
		if (!put_file(root, name, len, line + 1, (size_t)(next - line) - 1) ||
		    (z != NULL && !put_member(z, name, len, line + 1,
		    (size_t)(next - line) - 1)))
			all = false;
		data = next;
		size = (size_t)(end - next);
	}
	return all;
}

#endif
