/*
 * Writing packed payloads of FilesDaf stores, as codec/daf/daf_pack.h reads them: an index,
 * and a ZIP archive of the chunks, since some readers take the one and some the other.
 */
#ifndef TAF_CODEC_DAF_DAF_SEAL_H
#define TAF_CODEC_DAF_DAF_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf_pack.h"
#include "io/out.h"

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
