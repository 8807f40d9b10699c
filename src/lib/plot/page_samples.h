/* SPDX-License-Identifier: ISC */
/* All samples of curves, which a page has behind its script. */
#ifndef TAF_PLOT_PAGE_SAMPLES_H
#define TAF_PLOT_PAGE_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "io/out.h"
#include "io/spool.h"

/* Samples of a piece: a browser decodes those that are seen. */
enum { TAF_SAMPLES_PIECE = 49152 };

/* What waits in a temporary file. */
struct taf_samples {
	struct taf_spool spool;
	enum taf_type type;
	bool there;
};

TAF_MUST enum taf_status taf_samples_begin(struct taf_samples *s,
    const struct taf_array *a, struct taf_err *e);

/* n more elements of a, in the host's byte order. */
TAF_MUST enum taf_status taf_samples_add(struct taf_samples *s, const struct taf_array *a,
    const void *values, size_t n, struct taf_err *e);

/* Write the pieces of so many curves of n samples, little-endian, as parts of a page. */
TAF_MUST enum taf_status taf_samples_put(struct taf_samples *s, size_t curves, uint64_t n,
    struct taf_out *out, struct taf_err *e);

/* Also of a zeroed one. */
void taf_samples_free(struct taf_samples *s);

#endif
