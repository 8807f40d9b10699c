/* SPDX-License-Identifier: ISC */
/*
 * What POSIX.1-2008 does not have, or not every system that claims it: each with what
 * stands in for it. DESIGN.md lists them. configure --posix builds with the latter alone.
 * Functions return -1 with errno if not said otherwise.
 */
#ifndef TAF_IO_OS_H
#define TAF_IO_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/attr.h"
#include "base/err.h"

/* Where Linux tells of processes and descriptors; elsewhere nothing lies below it. */
#if defined(__linux__) && defined(_GNU_SOURCE)
#define TAF_PROC "/proc"
#else
#define TAF_PROC "/dev/null"
#endif

/*
 * Move n bytes inside the system, at most, between a file and a file, or where one of the
 * two is a pipe. off is where from a file begins, or NULL. ENOSYS: by read and write.
 */
ssize_t taf_os_copy(int from, off_t *off, int to, size_t n);
ssize_t taf_os_splice(int from, off_t *off, int to, size_t n);

/* Let a pipe hold more than a page or two, if it may. */
void taf_os_grow_pipe(int fd);

/* Set room aside on a disk, and write nothing; 0 too where that cannot be done. */
int taf_os_reserve(int fd, off_t base, off_t n);

/* Make a file n bytes long whose bytes all have room on the disk; an error, or 0. */
int taf_os_allocate(int fd, off_t n);

/* What was written outlasts a power cut. */
int taf_os_sync(int fd);

/* Two names change what they lead to: at one moment, or by three renames. */
int taf_os_exchange(const char *a, const char *b);

/* A file without a name: in memory where there is such, else in $TMPDIR. */
TAF_MUST enum taf_status taf_os_memory(const char *name, int *fd, struct taf_err *e);

/* Its length stays as it is, whoever has it; if the system can do that. */
void taf_os_seal(int fd);

/* n zeros that this process and its children share; NULL with e set. */
void *taf_os_share(size_t n, struct taf_err *e);
void taf_os_unshare(void *p, size_t n);

/* A pair of sockets that no other program inherits. */
int taf_os_sockets(int ends[2]);

/*
 * As send and recv, with two descriptors that the other process gets; with[0] and with[1]
 * are left alone where none have come, -1 where they are not two.
 */
ssize_t taf_os_send_with(int fd, const void *p, size_t n, const int with[2]);
ssize_t taf_os_receive_with(int fd, void *p, size_t n, int with[2]);

/* This process gets sig when its parent ends; if the system can do that. */
void taf_os_end_with_parent(int sig);

/* No program that this process starts has more rights; false where that is not known. */
bool taf_os_renounce(void);

/*
 * The name of the regular file behind fd, "" where that cannot be seen: outside Linux, of
 * files in other folders than the one we are in.
 */
void taf_os_file_name(int fd, char *name, size_t size);

/* argv[0] of this process, kept by reference, for the next function. */
void taf_os_called(const char *name);

/* The folder of the program that runs, without a / at its end. */
int taf_os_program(char *folder, size_t size);

/* The last c of n bytes, or NULL. */
const char *taf_os_last(const char *p, char c, size_t n);

/* What a program that is started gets. */
char **taf_os_environment(void);

#endif
