/* SPDX-License-Identifier: ISC */
/* Read every element of every array of an input in memory, in pieces. */
#ifndef DRAIN_H
#define DRAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "io/in.h"
#include "stream/reader.h"

/* A declared failure and a recorded one are the same, and TAF_END records none. */
static inline void
must_agree(enum taf_status st, const struct taf_err *e)
{
	if (st == TAF_END ? e->code != TAF_OK : st != e->code)
		abort();
}

static inline enum taf_status
drain_array(struct taf_reader *r, size_t piece, struct taf_err *e)
{
	unsigned char block[8 * 512];
	enum taf_status st = TAF_OK;

	while (taf_reader_left(r) > 0 && st == TAF_OK) {
		uint64_t left = taf_reader_left(r);
		size_t n = left < piece ? (size_t)left : piece;

		st = taf_reader_read(r, block, n, e);
		if (st == TAF_OK && taf_reader_left(r) != left - n)
			abort();
	}
	return st;
}

static inline void
drain(const void *p, size_t n, size_t piece)
{
	struct taf_err e = { 0 };
	struct taf_reader *r;
	struct taf_array a;
	struct taf_in *in;
	enum taf_status st;

	taf_array_init(&a);
	if (taf_in_mem(&in, p, n, &e) != TAF_OK ||
	    taf_reader_new(&r, in, NULL, TAF_NO_RECOVER, &e) != TAF_OK)
		abort();
	while ((st = taf_reader_next(r, &a, &e)) == TAF_OK) {
		if (taf_array_check(&a, &e) != TAF_OK ||
		    taf_reader_left(r) != taf_array_count(&a))
			abort();
		st = drain_array(r, piece, &e);
		if (st == TAF_OK)
			st = taf_reader_finish(r, &a, &e);
		if (st != TAF_OK)
			break;
	}
	must_agree(st, &e);
	taf_reader_close(r);
	taf_array_fini(&a);
}

#endif
