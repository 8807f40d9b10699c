/* SPDX-License-Identifier: ISC */
/* Lines that lie side by side, put one behind the other in a temporary file, and back. */
#ifndef TAF_STREAM_TRANSPOSE_H
#define TAF_STREAM_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"
#include "io/out.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

/*
 * *lines becomes r's present array a, nothing of which was read, with dimension dim
 * first; what it owns is a's. *to reads it, or is NULL where r's elements lie so.
 */
TAF_MUST enum taf_status taf_transpose_open(const struct taf_service *service,
    struct taf_reader *r, const struct taf_array *a, unsigned dim,
    struct taf_array *lines, struct taf_reader **to, struct taf_err *e);

/* Work on whole lines, which needs them one behind the other. */
struct taf_transposed {
	/* of its out only the type and the length along dim are looked at */
	const struct taf_along *along;
	size_t record;			/* each result is so many numbers, 0 for 1 */
	struct taf_out *to;		/* where results go, unless it is NULL */
	/*
	 * Work on all lines of r's array a, along its first dimension.  Results go one
	 * behind the other to to, or where it is NULL to w.
	 */
	enum taf_status (*lines)(void *ctx, struct taf_reader *r,
	    const struct taf_array *a, struct taf_out *to, struct taf_err *e);
	void *ctx;
};

/*
 * Lines along any dimension: through two temporary files, each as large as its array,
 * where lines lie side by side.  All bytes have the order of the host.
 */
TAF_MUST enum taf_status taf_transposed(const struct taf_transposed *t,
    struct taf_err *e);

#endif
