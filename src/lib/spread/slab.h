/* SPDX-License-Identifier: ISC */
/* One slab: its part of the input through the pipeline, and the result to its place. */
#ifndef TAF_SPREAD_SLAB_H
#define TAF_SPREAD_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "spread/plan.h"

/* What became of a slab. */
struct taf_slab {
	uint64_t placed;	/* in the file of data; else it is a file of its own */
	struct taf_array a;	/* no elements: the result's descriptor */
	struct taf_buf header;	/* the same as text */
	uint64_t digest;	/* of its bytes, as taf_slab_digest has it */
	/* Placed: where in the file of data, and its bytes in pages that others share */
	uint64_t at, bytes;
	uint64_t first;		/* of all elements' bytes the one at this place */
	struct taf_buf head, tail;
	struct taf_buf nodes;	/* of taf_subtree_put, if the plan asks for a checksum */
	struct taf_identity input;	/* what it was made from */
};
void taf_slab_fini(struct taf_slab *s);

/*
 * Do slab k, unless it is done.  It may be done twice at once, on any machine: both write
 * the same.  TAF_EDATA where another try would fail, too; TAF_ESYS where it may not.
 */
TAF_MUST enum taf_status taf_slab_do(const struct taf_plan *p, uint64_t k,
    struct taf_err *e);

/* What is known of slab k; TAF_END where it is not done. */
TAF_MUST enum taf_status taf_slab_look(const struct taf_plan *p, uint64_t k,
    struct taf_slab *s, struct taf_err *e);

/* Is it done, and, if it is a file, as that is now? */
TAF_MUST enum taf_status taf_slab_done(const struct taf_plan *p, uint64_t k, bool *is,
    struct taf_err *e);

/*
 * Make the record of slab k.  Another process may have made it before: TAF_EDATA where it
 * has had another result.
 */
TAF_MUST enum taf_status taf_slab_keep(const struct taf_plan *p, uint64_t k,
    struct taf_slab *s, struct taf_err *e);

/*
 * The descriptor of the first result that came: those of its type and mapping alone have
 * a place in the file of data.  TAF_END where none is known.
 */
TAF_MUST enum taf_status taf_slab_layout(const struct taf_plan *p, struct taf_slab *s,
    struct taf_err *e);

/* This result is the first one, if no other has come. */
TAF_MUST enum taf_status taf_slab_be_first(const struct taf_plan *p, struct taf_slab *s,
    struct taf_err *e);

/* It has to be done again. */
TAF_MUST enum taf_status taf_slab_forget(const struct taf_plan *p, uint64_t k,
    struct taf_err *e);

/* Bytes of a run of so many at offset at of the file that are in pages of their own. */
void taf_slab_pages(uint64_t at, uint64_t bytes, uint64_t *first, uint64_t *n);

enum {
	TAF_SLAB_PAGE = 4096,	/* two machines do not write one at once */
	/* a digest is made of so many bytes at a time, which stay in the cache */
	TAF_SLAB_BLOCK = 256 * 1024
};

/* The file of slab k that is not placed, and the one with what its pipeline has said. */
struct taf_path taf_slab_part(const struct taf_plan *p, uint64_t k);
struct taf_path taf_slab_messages(const struct taf_plan *p, uint64_t k);

#endif
