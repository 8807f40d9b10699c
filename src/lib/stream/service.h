/* SPDX-License-Identifier: ISC */
/* What a caller lends to work that takes time, and what it hears of it. */
#ifndef TAF_STREAM_SERVICE_H
#define TAF_STREAM_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/buf_private.h"
#include "base/threads.h"
#include "io/out.h"
#include "kernel/number/convert.h"
#include "stream/reader.h"
#include "stream/writer.h"

struct taf_service {
	uint64_t memory;	/* bytes of it that may be taken */
	unsigned jobs;		/* threads; 0: as many as there are processors */
	void *ctx;		/* of the calls below, each of which may be NULL */
	/* Something was dropped, clipped or rounded: a line without its end. */
	void (*remark)(void *ctx, const char *text);
	/* done of total bytes (0 if not known). */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	/*
	 * Bytes go to w, or where that is NULL to out, total in all; until both are NULL.
	 */
	void (*watch)(void *ctx, const struct taf_writer *w, const struct taf_out *out,
	    uint64_t total);
};

/* What an operation is given that makes of an array another one, line by line. */
struct taf_along {
	const struct taf_service *service;
	struct taf_reader *r;		/* its present array a, nothing of it read */
	const struct taf_array *a;
	unsigned dim;			/* that lines run along, from 1 */
	const struct taf_array *out;
	struct taf_writer *w;		/* within it */
	/*
	 * Elements are pairs, and r and w count their parts.  A line has parts of one
	 * kind.  That of the imaginary ones lies beside that of the real ones.
	 */
	bool parts;
};

/* How a, which comes or goes, is cut into lines; and the type of their numbers. */
struct taf_cut taf_along_cut(const struct taf_along *l, const struct taf_array *a);
enum taf_type taf_along_type(const struct taf_along *l, const struct taf_array *a);

/* Are the numbers of this line imaginary parts? */
bool taf_along_imaginary(const struct taf_along *l, uint64_t line);

/* For messages: where in a, which comes or goes, a point of a line is, both from 0. */
struct taf_place_text taf_along_place(const struct taf_along *l,
    const struct taf_array *a, uint64_t line, uint64_t point);

/* Bytes that an operation needs beside elements: once, and for each thread. */
struct taf_need {
	uint64_t shared;	/* which the operation has taken */
	size_t scratch;		/* which its function is given, zeroed nowhere */
};

/* How many threads: asking for the processors reads a file, so only where it is used. */
unsigned taf_threads(const struct taf_service *s);

/*
 * The calls of a service, where they are there; taf_progress may be called at any rate.
 */
void taf_remark(const struct taf_service *s, const char *fmt, ...) TAF_PRINTF(2, 3);
void taf_progress(const struct taf_service *s, uint64_t done, uint64_t total);
void taf_watch(const struct taf_service *s, const struct taf_writer *w,
    const struct taf_out *out, uint64_t total);
void taf_watch_end(const struct taf_service *s);

/* Remark on what a conversion of count elements clipped and rounded. */
void taf_remark_lost(const struct taf_service *service,
    const struct taf_convert_count *lost, uint64_t count, enum taf_type type);

#endif
