/* TAF files beside the files that they are made from, named after them. */
#ifndef TAF_CLI_BESIDE_H
#define TAF_CLI_BESIDE_H

#include "base/buf.h"
#include "cli/cmd.h"

/*
 * The name of a file without its extension; in directory, if that is not NULL.  NULL
 * where there is no memory; the caller frees it.
 */
char *cmd_beside_stem(const char *file, const char *directory);

/*
 * Open a writer for n arrays: to STEM.taf, or STEM-1.taf, STEM-2.taf and so on.  What is
 * there already is refused unless run->force, and the source always.  path is room for
 * the name: the caller frees it after the writer.
 */
TAF_MUST enum taf_status cmd_beside_open(const struct cmd_run *run, const char *stem,
    const char *source, uint64_t n, struct taf_buf *path, struct taf_writer **w,
    struct taf_err *e);

#endif
