/* SPDX-License-Identifier: ISC */
/* Named temporary files: where they are made, and what a signal must remove. */
#ifndef TAF_IO_TEMP_H
#define TAF_IO_TEMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

/* Mode 0600, or that of a new file. */
enum taf_temp_mode { TAF_TEMP_PRIVATE, TAF_TEMP_NEW };

/*
 * Create an empty file beside target, under a name of its own.
 * *path is for the caller to free after taf_temp_forget.
 */
TAF_MUST enum taf_status taf_temp_beside(const char *target, enum taf_temp_mode mode,
    int *fd, char **path, struct taf_err *e);

/* Create a nameless file in $TMPDIR, or /tmp where that is not set. */
TAF_MUST enum taf_status taf_temp_spool(int *fd, struct taf_err *e);

/*
 * n > 0 bytes of zeros that lie in such a file and are mapped: the system may write them
 * there instead of keeping them.  NULL, with e set, where there is no space on the disk.
 */
void *taf_temp_map(size_t n, struct taf_err *e);
void taf_temp_unmap(void *p, size_t n);

/* A list that grows and keeps what it holds; zeroed before. */
struct taf_store {
	void *p;
	size_t size;		/* bytes */
	bool mapped;
};

/*
 * At least count > 0 members of so many bytes: in memory up to bound bytes, beyond that
 * in a mapped temporary file.
 */
TAF_MUST enum taf_status taf_store_grow(struct taf_store *s, uint64_t count, size_t each,
    uint64_t bound, struct taf_err *e);
void taf_store_free(struct taf_store *s);

/* Names were added to a folder or removed from it: make that safe on disk. */
TAF_MUST enum taf_status taf_sync_folder(const char *folder, struct taf_err *e);

/*
 * The same in two parts, for who may have no descriptor left when the names are changed.
 * *fd is -1 for a folder that may not be read: it cannot be synced either.
 */
TAF_MUST enum taf_status taf_folder_open(const char *folder, int *fd, struct taf_err *e);
/* taf_folder_open of the folder that path is in. */
TAF_MUST enum taf_status taf_folder_of(const char *path, int *fd, struct taf_err *e);
TAF_MUST enum taf_status taf_folder_sync(int fd, struct taf_err *e);

/* The same if st is TAF_OK, and close fd; what has failed. */
TAF_MUST enum taf_status taf_folder_settle(int fd, enum taf_status st, struct taf_err *e);

/* Call a file temporary that is about to be made. */
TAF_MUST enum taf_status taf_temp_add(const char *path, struct taf_err *e);

/*
 * A process that is forked from now on, and this one, have one list of temporary files.
 * There is room for a few hundred of them.
 */
TAF_MUST enum taf_status taf_temp_share(struct taf_err *e);

/* Make a folder that is temporary: as mkdir does, -1 with errno. */
int taf_temp_mkdir(const char *path);

/*
 * Between the two no signal comes: names of several files change, and what a handler
 * knows of them.  For the calling thread; pairs may lie in one another.
 */
void taf_signals_hold(void);
void taf_signals_let(void);

/* The file was renamed or removed: a signal must not remove it any more. */
void taf_temp_forget(const char *path);

/* Remove what was not forgotten, folders last; safe in a signal handler. */
void taf_temp_unlink_all(void);

#endif
