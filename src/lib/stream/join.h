/* Runs of several arrays in turn, which become one array. */
#ifndef TAF_STREAM_JOIN_H
#define TAF_STREAM_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"
#include "stream/values.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An array that gives so many elements to each row of the result. */
struct taf_join_part {
	const struct taf_array *a;
	const char *name;	/* of its file, for messages */
	uint64_t run;
	bool rounds;		/* its values may be rounded */
	/* at a's first element; NULL where taf_join shall find it */
	struct taf_reader *r;
	struct taf_values *v;	/* NULL at first; closed by the caller, before r */
};

struct taf_join {
	struct taf_join_part *part;
	size_t parts;
	uint64_t rows;
	const struct taf_array *out;	/* its type and mapping are those of the result */
	struct taf_writer *w;		/* within an array of that type */
	uint64_t memory;		/* bound in bytes */
	unsigned threads;		/* 1 or more */
	/*
	 * Where readers are NULL: give part k one whose next element is number at, and
	 * later, when a run was read, be told so; it may be taken away then.
	 */
	enum taf_status (*find)(void *ctx, size_t k, uint64_t at, struct taf_err *e);
	enum taf_status (*leave)(void *ctx, size_t k, enum taf_status st,
	    struct taf_err *e);
	void *ctx;
};

/*
 * All rows to w.  Elements of another type or mapping are converted; TAF_EDATA where one
 * does not convert exactly.  A plain file whose reader is given is read by all threads.
 */
TAF_MUST enum taf_status taf_join(const struct taf_join *how, struct taf_err *e);

/* Do elements of a mean the same as those of b, as they are? */
bool taf_join_alike(const struct taf_array *a, const struct taf_array *b);

/*
 * Open p's values, if its elements are not those of out as they are; r is at its element.
 */
TAF_MUST enum taf_status taf_join_begin(struct taf_join_part *p,
    const struct taf_array *out, struct taf_err *e);

/* The next n elements of a part, as they are in out. */
TAF_MUST enum taf_status taf_join_read(struct taf_join_part *p,
    const struct taf_array *out, void *to, size_t n, struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
