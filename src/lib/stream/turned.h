/* Lines along any dimension as lines along the first, if need be through files. */
#ifndef TAF_STREAM_TURNED_H
#define TAF_STREAM_TURNED_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/out.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_turned {
	const struct taf_service *service;
	struct taf_reader *r;		/* its present array in, nothing of it read */
	const struct taf_array *in;
	const struct taf_array *out;	/* its type and its length along dim count */
	size_t record;			/* each result is so many numbers, 0 for 1 */
	unsigned dim;			/* from 1 */
	struct taf_writer *w;		/* results go there, within out, */
	struct taf_out *to;		/* or, unless it is NULL, there: little-endian */
	/*
	 * Work on all lines of r's array a, along its first dimension; results go one
	 * behind the other to to, in the order of the host, or where it is NULL to w.
	 */
	enum taf_status (*lines)(void *ctx, struct taf_reader *r,
	    const struct taf_array *a, struct taf_out *to, struct taf_err *e);
	void *ctx;
};

/*
 * Lines come together in a file, their results in another one, and go apart again.  Each
 * file is as large as its array.  Lines that lie together already need no file.
 */
TAF_MUST enum taf_status taf_turned(const struct taf_turned *t, struct taf_err *e);

#endif
