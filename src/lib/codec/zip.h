/* SPDX-License-Identifier: ISC */
/*
 * Zip archives, by their central directory: members that are stored or deflated, zip64
 * included.  What a field means is from PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.
 */
#ifndef TAF_CODEC_ZIP_H
#define TAF_CODEC_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "io/in.h"

enum { TAF_ZIP_STORED = 0, TAF_ZIP_DEFLATED = 8 };

struct taf_zip_member {
	const char *name;	/* of a file, or of a folder where it ends with a slash */
	uint64_t packed, n;	/* bytes in the archive, and of the member itself */
	uint64_t header;	/* absolute offset of what stands in front of it */
	uint32_t crc;		/* CRC-32 of the n bytes */
	unsigned method, flags;
};

/* An open archive; zero-initialised is none.  Members are in the directory's order. */
struct taf_zip {
	const struct taf_in *in;
	struct taf_zip_member *member;
	size_t n;
	/* for taf_zip_find, and the end of members */
	const struct taf_zip_member **sorted;
	struct taf_buf directory;
	uint64_t begin, end;
};

/* CRC-32 of some bytes and n more, as taf_crc32, but fast where zlib is. */
uint32_t taf_zip_crc(uint32_t crc, const void *p, size_t n);

/* Do the first n bytes begin an archive? */
bool taf_zip_sniff(const unsigned char *p, size_t n);

/*
 * Read the directory of the archive that begins where in is, which is seekable
 * (taf_spool_rest) and ends with it.  in is lent until taf_zip_close, and is only read
 * at offsets: several threads may read members.  TAF_EDATA for what is no such archive.
 */
TAF_MUST enum taf_status taf_zip_open(struct taf_zip *z, const struct taf_in *in,
    struct taf_err *e);

/* Also after a failure, and of none. */
void taf_zip_close(struct taf_zip *z);

/* The member of this name, the last if it is there more than once; NULL if it is not. */
const struct taf_zip_member *taf_zip_find(const struct taf_zip *z, const char *name);

/* A name that two members have, or NULL. */
const char *taf_zip_twice(const struct taf_zip *z);

/* Absolute offset of the first of the packed bytes, all of which are there. */
TAF_MUST enum taf_status taf_zip_place(const struct taf_zip *z,
    const struct taf_zip_member *m, uint64_t *off, struct taf_err *e);

/*
 * Append the whole of a member to a buffer; TAF_EDATA where it has more than most bytes,
 * or not the check that the directory says.
 */
TAF_MUST enum taf_status taf_zip_read(const struct taf_zip *z,
    const struct taf_zip_member *m, uint64_t most, struct taf_buf *to, struct taf_err *e);

/*
 * A member as an input that is read like a pipe, and fails before its last byte is given
 * where length or check are wrong.  z and m stay until taf_zip_end, which closes it, and
 * may be called of NULL.
 */
struct taf_zip_part;
TAF_MUST enum taf_status taf_zip_begin(struct taf_zip_part **part,
    const struct taf_zip *z, const struct taf_zip_member *m, struct taf_err *e);
struct taf_in *taf_zip_in(const struct taf_zip_part *part);
void taf_zip_end(struct taf_zip_part *part);

#endif
