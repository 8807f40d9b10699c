/* SPDX-License-Identifier: ISC */
/*
 * Packed payloads of FilesDaf stores (DataAxesFormats.jl 0.3, dafr 0.4): chunks of a
 * column's elements, down each column, then the next column.  Each one is compressed for
 * itself.
 */
#ifndef TAF_CODEC_DAF_DAF_PACK_H
#define TAF_CODEC_DAF_DAF_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf_json.h"
#include "io/in.h"
#include "io/out.h"

/* What compresses chunks; all but the last are written, too. */
enum taf_daf_packing {
	TAF_DAF_PLAIN = 0,
	TAF_DAF_GZIP = 1,
	TAF_DAF_ZSTD = 2,
	TAF_DAF_BLOSC = 3,	/* zstd, after a shuffle of bits */
	TAF_DAF_BLOSC_LZ4 = 4
};

/*
 * Into an enum taf_daf_packing: what a word means. TAF_EUSAGE where it is none of them,
 * TAF_EDATA where this program was built without what it takes.
 */
TAF_MUST enum taf_status taf_daf_packing_parse(void *to, const char *word,
    struct taf_err *e);

/* As a descriptor names it. */
const char *taf_daf_packing_name(enum taf_daf_packing p);

/* Can chunks of that compression, as a descriptor names it, be read here? */
bool taf_daf_packing_known(const char *codec);

/* One chunk is open at a time. */
struct taf_daf_chunks;

/*
 * The chunks of in, which stays the caller's: columns of rows elements.  TAF_EDATA where
 * its index is damaged, or places chunks where none can be.
 */
TAF_MUST enum taf_status taf_daf_chunks_new(struct taf_daf_chunks **c, struct taf_in *in,
    const struct taf_daf_part *p, uint64_t rows, uint64_t columns, struct taf_err *e);

/* NULL is allowed. */
void taf_daf_chunks_free(struct taf_daf_chunks *c);

/* How many there are. */
uint64_t taf_daf_chunks_count(const struct taf_daf_chunks *c);

/* Open the next one; *absent where it is not stored, for all of it is zero. */
TAF_MUST enum taf_status taf_daf_chunk_open(struct taf_daf_chunks *c, bool *absent,
    struct taf_err *e);

/* Exactly n decoded bytes of the open one. */
TAF_MUST enum taf_status taf_daf_chunk_read(struct taf_daf_chunks *c, void *to, size_t n,
    struct taf_err *e);

/* Pass over skip bytes, which must be all that is left of it. */
TAF_MUST enum taf_status taf_daf_chunk_close(struct taf_daf_chunks *c, uint64_t skip,
    struct taf_err *e);

/* Say which chunk of which file a failure is about: TAF_EDATA. */
enum taf_status taf_daf_chunk_fail(const struct taf_daf_chunks *c, const char *what,
    struct taf_err *e);

/*
 * --- writing: an index, and a ZIP archive of the chunks, since some readers take the one
 * and some the other ---
 */

/* Columns of rows elements of size bytes. */
struct taf_daf_payload {
	uint64_t rows, columns;
	size_t size;		/* TAF_DAF_STRING_SIZE of strings, however long */
	bool matrix;		/* not a vector, which has one column */
	bool strings;
};

/* The bytes that all writers count for a string where they decide how to pack. */
enum { TAF_DAF_STRING_SIZE = 16 };

/*
 * Is such a payload packed?  Short columns are not.  Then *part says how, for the
 * descriptor.
 */
bool taf_daf_packs(enum taf_daf_packing packing, const struct taf_daf_payload *payload,
    struct taf_daf_part *part);

/*
 * Pack a payload into a new file: all of its bytes, little-endian, one column after the
 * other, then the end.  out stays the caller's.
 */
struct taf_daf_seal;
TAF_MUST enum taf_status taf_daf_seal_new(struct taf_daf_seal **s, struct taf_out *out,
    enum taf_daf_packing packing, const struct taf_daf_payload *payload,
    struct taf_err *e);
TAF_MUST enum taf_status taf_daf_seal_write(struct taf_daf_seal *s, const void *p,
    size_t n, struct taf_err *e);

/* The same of strings, one by one. */
TAF_MUST enum taf_status taf_daf_seal_string(struct taf_daf_seal *s, const char *p,
    size_t n, struct taf_err *e);
TAF_MUST enum taf_status taf_daf_seal_end(struct taf_daf_seal *s, struct taf_err *e);

/* NULL is allowed. */
void taf_daf_seal_free(struct taf_daf_seal *s);

#endif
