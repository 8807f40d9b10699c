/* SPDX-License-Identifier: ISC */
/* Whether paths lead to one file, however they are spelled. */
#ifndef TAF_IO_WHERE_H
#define TAF_IO_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/attr.h"
#include "base/err.h"

/*
 * What a path leads to: a file, or a name in a folder that no file has yet.  It is the
 * same for all paths that lead there.  name points into the path.
 */
struct taf_where {
	dev_t dev;
	ino_t ino;
	const char *name;	/* "" for a file that is there */
};

/* What target, which is no link, leads to.  False, and zeros, if there is no folder. */
bool taf_where_of(struct taf_where *p, char *target);

/* As strcmp. */
int taf_where_compare(const struct taf_where *x, const struct taf_where *y);

/* Are both there, and one file? */
bool taf_same_file(const char *a, const char *b);

/*
 * Can taf_in_open open it twice, and read it from the beginning each time?  True of what
 * it cannot open at all, too: to open it gives the error.  A URL is read once.
 */
bool taf_file_twice(const char *path);

/* The regular files of some paths.  taf_files_has tells whether a path leads to one. */
struct taf_files {
	struct taf_where *at;
	size_t n;
};

/* A path that is NULL or "-" is standard input.  The caller frees f, also on failure. */
TAF_MUST enum taf_status taf_files_of(struct taf_files *f, const char *const *path,
    size_t n, struct taf_err *e);
bool taf_files_has(const struct taf_files *f, const char *path);
void taf_files_free(struct taf_files *f);

/* --- what a descriptor is --- */

/*
 * Open what is closed of 0, 1 and 2, so that no file gets its number; what it stands for
 * fails still.
 */
void taf_fd_guard(void);

/* Room for the name of a file. */
struct taf_fd_name {
	char s[4096];
};

/* Is it a regular file?  Then its name, "" where that cannot be seen. */
bool taf_fd_file(int fd, struct taf_fd_name *name);

/* Is it the regular file that path leads to? */
bool taf_fd_is(int fd, const char *path);

/* Does path lead to what it is of? */
bool taf_fd_leads(int fd, const char *path);

/* Is it a pipe or a socket? */
bool taf_fd_pipe(int fd);

/* Is path a name of the descriptor itself, as /dev/stdout is of 1, or a link to one? */
bool taf_fd_called(int fd, const char *path);

#endif
