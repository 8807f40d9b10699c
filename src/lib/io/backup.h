/* SPDX-License-Identifier: ISC */
/* Copies of files in a folder of their own. */
#ifndef TAF_IO_BACKUP_H
#define TAF_IO_BACKUP_H

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"

/*
 * Copy n files into a new folder backup_YYYYMMDD_HHMMSS (local time) inside dir, with
 * their modes and times, each synced; a clone where the file system can.  *name becomes
 * the folder's path (the caller frees it).  All files are opened before the folder is
 * made, and what fails leaves no folder.  Two files of one name are TAF_EUSAGE.
 */
TAF_MUST enum taf_status taf_backup(const char *dir, const char *const *files, int n,
    struct taf_buf *name, struct taf_err *e);

#endif
