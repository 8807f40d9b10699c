/* SPDX-License-Identifier: ISC */
#include "io/below.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum taf_status
taf_below_root(const char *path, char **root, struct taf_err *e)
{
	*root = realpath(path, NULL);
	return *root != NULL ? TAF_OK : errno == ENOMEM ? taf_fail_mem(e) :
	    taf_fail_sys(e, "cannot open");
}

/* The real path of what is behind a symbolic link, if that is below the store. */
static enum taf_status
follow(const char *root, const char *path, char **real, struct taf_err *e)
{
	const char *relative = path + strlen(root) + 1;
	size_t n = strlen(root);

	*real = realpath(path, NULL);
	if (*real == NULL)
		return errno == ENOENT || errno == ENOTDIR ? TAF_END :
		    errno == ENOMEM ? taf_fail_mem(e) : errno == ELOOP ?
		    taf_fail(e, TAF_EDATA, "%s: symbolic links in a circle", relative) :
		    taf_fail_sys(e, "%s: cannot open", relative);
	/* the root folder is the only one that ends in '/' */
	if (n == 1 || (strncmp(*real, root, n) == 0 &&
	    ((*real)[n] == '/' || (*real)[n] == '\0')))
		return TAF_OK;
	free(*real);
	return taf_fail(e, TAF_EDATA, "%s: a symbolic link leaves the store", relative);
}

/*
 * Is a part of path behind its first bytes a symbolic link, or does it lead upwards?
 * TAF_END where one is not there.
 */
static enum taf_status
find_link(char *path, size_t first, bool *found)
{
	char *part = path + first, *stop, c;
	struct stat sb;
	int r;

	for (;; part = stop + 1) {
		stop = part + strcspn(part, "/");
		c = *stop;
		*stop = '\0';
		r = lstat(path, &sb);
		*found = r != 0 || S_ISLNK(sb.st_mode) || strcmp(part, "..") == 0;
		*stop = c;
		if (r != 0 && (errno == ENOENT || errno == ENOTDIR))
			return TAF_END;
		if (*found || c == '\0')
			return TAF_OK;
	}
}

enum taf_status
taf_below_path(const char *root, const char *relative, char **real, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st;
	bool link;

	if (taf_buf_printf(&path, e, "%s/%s", root, relative) != TAF_OK)
		return e->code;
	st = find_link(path.data, strlen(root) + 1, &link);
	/* nearly always there is none */
	if (st == TAF_OK && !link) {
		*real = path.data;
		return TAF_OK;
	}
	if (st == TAF_OK)
		st = follow(root, path.data, real, e);
	taf_buf_free(&path);
	return st;
}

enum taf_status
taf_below_open(const char *root, const char *relative, struct taf_in **in,
    struct taf_err *e)
{
	enum taf_status st;
	struct stat sb;
	char *real;
	int fd;

	st = taf_below_path(root, relative, &real, e);
	if (st != TAF_OK)
		return st;
	/* a FIFO must not hold us */
	fd = open(real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	free(real);
	if (fd < 0)
		return taf_fail_sys(e, "%s: cannot open", relative);
	if (fstat(fd, &sb) != 0)
		st = taf_fail_sys(e, "%s: cannot read", relative);
	else if (!S_ISREG(sb.st_mode))
		st = taf_fail(e, TAF_EDATA, "%s: not a regular file", relative);
	else
		st = taf_in_fd(in, fd, relative, e);
	if (st != TAF_OK)
		(void)close(fd);
	return st;
}

enum taf_status
taf_below_text(const char *root, const char *relative, size_t most, struct taf_buf *to,
    struct taf_err *e)
{
	struct taf_in *in;
	const enum taf_status st = taf_below_open(root, relative, &in, e);

	return st == TAF_OK ? taf_below_read(in, most, to, e) : st;
}

enum taf_status
taf_below_read(struct taf_in *in, size_t most, struct taf_buf *to, struct taf_err *e)
{
	const uint64_t n = taf_in_left(in);
	enum taf_status st = n > most ? taf_fail(e, TAF_EDATA, "%s: %llu bytes of JSON",
	    taf_in_name(in), (unsigned long long)n) : taf_buf_reserve(to, (size_t)n, e);

	if (st == TAF_OK)
		st = taf_in_read(in, to->data, (size_t)n, e);
	taf_in_close(in);
	if (st != TAF_OK)
		return st;
	to->len = (size_t)n;
	to->data[n] = '\0';
	return TAF_OK;
}
