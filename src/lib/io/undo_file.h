/* SPDX-License-Identifier: ISC */
/*
 * The undo file of a change in place, as it is on disk, and the mark that names it.  It
 * lies beside the file (name + ".undo") and holds every byte about to be overwritten.
 */
#ifndef TAF_IO_UNDO_FILE_H
#define TAF_IO_UNDO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

enum {
	/* the mark is a line of text that ends before this offset */
	TAF_UNDO_MARK = 1024,
	/* bytes for the name of an undo file, without its folder */
	TAF_UNDO_NAME = 256,
	TAF_UNDO_ID = 16,	/* hexadecimal digits of a digest */
	TAF_UNDO_HEAD = 48,	/* bytes before the records */
	TAF_UNDO_RECORD = 16,	/* bytes of a record before those that were saved */
	TAF_UNDO_END = TAF_UNDO_RECORD + 8,
	/* what is saved is digested in pieces of this size */
	TAF_UNDO_BLOCK = 64 * 1024,
	/* of the mark; a sector, which is written whole */
	TAF_UNDO_PLACE = TAF_UNDO_MARK / 2,
	TAF_UNDO_ROOM = TAF_UNDO_MARK - TAF_UNDO_PLACE	/* for the mark */
};

/*
 * Do the first n bytes of a file say that a change of it is not finished?  If so, name is
 * set to the name of the undo file.
 */
bool taf_undo_marked(const unsigned char *p, size_t n, char name[TAF_UNDO_NAME]);

/* Where the undo file of a file lies. */
struct taf_undo_place {
	char *path;
	char *folder;
};

/* False with errno, and p is empty, where that cannot be told.  The caller frees p. */
bool taf_undo_place(struct taf_undo_place *p, const char *path);
void taf_undo_place_free(struct taf_undo_place *p);

/* Remove the undo file, if it is there, and sync its folder. */
TAF_MUST enum taf_status taf_undo_remove(const struct taf_undo_place *p,
    struct taf_err *e);

/* Continue the digest h with n bytes, or with n bytes of a file from offset at on. */
uint64_t taf_undo_digest(uint64_t h, const unsigned char *p, size_t n);
TAF_MUST enum taf_status taf_undo_digest_file(int fd, uint64_t at, uint64_t n,
    uint64_t *h, struct taf_err *e);

/* What an undo file says, beyond its records. */
struct taf_undo_facts {
	uint64_t size, new_size;	/* of the file */
	uint64_t header;		/* bytes of it that the digests are of */
	uint64_t digest, new_digest;
	char id[TAF_UNDO_ID + 1];	/* digest of the undo file, as text */
};

/* Make its first bytes; id is not among them. */
void taf_undo_format_head(const struct taf_undo_facts *f, unsigned char p[TAF_UNDO_HEAD]);

/* Make the mark that names an undo file of such a digest; how many bytes it has. */
size_t taf_undo_format_mark(const char *path, uint64_t digest, char mark[TAF_UNDO_ROOM]);

/* The mark of a file. */
struct taf_undo_found {
	bool marked;
	char name[TAF_UNDO_NAME];
	char id[TAF_UNDO_ID + 1];
};
TAF_MUST enum taf_status taf_undo_find_mark(int fd, struct taf_undo_found *m,
    struct taf_err *e);

/* What kind of file lies where an undo file would. */
enum taf_undo_kind {
	TAF_UNDO_STRANGE,	/* none of ours */
	/* not even its first bytes reached the disk: nothing was begun */
	TAF_UNDO_EMPTY,
	TAF_UNDO_CUT,		/* the same of those behind */
	TAF_UNDO_OLDER,		/* of another version */
	TAF_UNDO_WHOLE		/* f is set */
};
TAF_MUST enum taf_status taf_undo_look_at(int from, enum taf_undo_kind *kind,
    struct taf_undo_facts *f, struct taf_err *e);

/*
 * Put all that was saved back to file fd, except in the place of the mark, cut the file
 * to size and sync it.  from is a whole undo file.
 */
TAF_MUST enum taf_status taf_undo_restore(int from, int fd, uint64_t size,
    struct taf_err *e);

/* Put the bytes back in whose place the mark stands, and sync the file. */
TAF_MUST enum taf_status taf_undo_unmark(int from, int fd, struct taf_err *e);

#endif
