/* SPDX-License-Identifier: ISC */
/* Tables of numbers in text: every type, each in one of the ways to read them, in pieces. */
#include <stdint.h>
#include <stdlib.h>

#include "codec/text.h"
#include "drain.h"
#include "target.h"

/* Read all rows, by parts of some bytes; the number of them in *rows. */
static enum taf_status
read_all(struct taf_text *t, size_t some, uint64_t *rows, struct taf_err *e)
{
	struct taf_text_part *part = NULL;
	const void *values = NULL;
	enum taf_status st;
	bool more = false;
	size_t n;

	*rows = 0;
	do {
		st = taf_text_take(t, &part, some, &more, e);
		if (st == TAF_OK && more)
			st = taf_text_parse(t, part, e);
		if (st == TAF_OK && more)
			st = taf_text_give(t, part, &values, &n, e);
		if (st == TAF_OK && more)
			*rows += n;
	} while (st == TAF_OK && more);
	taf_text_part_free(part);
	return st;
}

/* Names of columns come all, or not at all: commas are between them. */
static void
check_names(const struct taf_array *a)
{
	const char *channel = taf_attr_get(a, "channel", TAF_OF_ARRAY, 0);
	uint64_t n = 1;

	for (; channel != NULL && *channel != '\0'; channel++)
		n += *channel == ',';
	if (channel != NULL && n != a->dim[1].n)
		abort();
}

static void
read_as(const uint8_t *data, size_t size, const struct taf_text_how *how)
{
	struct taf_err e = { 0 };
	struct taf_text *t = NULL;
	struct taf_array a;
	struct taf_in *in;
	enum taf_status st;
	uint64_t rows = 0;

	taf_array_init(&a);
	if (taf_in_mem(&in, data, size, &e) != TAF_OK)
		abort();
	st = taf_text_open(&t, in, how, &e);
	if (st == TAF_OK)
		st = read_all(t, 1 + size % 7 * 5, &rows, &e);
	if (st == TAF_OK) {
		st = taf_text_array(t, &a, &e);
		if (st == TAF_OK && (rows == 0 || a.ndim != 2 || a.dim[0].n != rows ||
		    a.dim[1].n != taf_text_columns(t) || taf_in_left(in) != 0 ||
		    !(a.dim[0].step > 0 || a.dim[0].step < 0)))
			abort();
		if (st == TAF_OK)
			check_names(&a);
	}
	must_agree(st, &e);
	taf_text_close(t);
	taf_in_close(in);
	taf_array_fini(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum taf_type types[] = {
		TAF_FLT32, TAF_FLT64, TAF_INT8, TAF_UINT16, TAF_INT32, TAF_INT64,
		TAF_UINT64
	};
	struct taf_text_how how = { .clip = size % 2 == 1,
		.tolerance = size % 3 == 0 ? 2 : TAF_TEXT_TOLERANCE };
	unsigned i, ways = 0;

	/* the bytes choose the way of each type: all of them would be 16 times as slow */
	for (i = 0; i < size; i++)
		ways = ways * 31 + data[i];
	for (i = 0; i < sizeof types / sizeof types[0]; i++, ways >>= 1) {
		how.type = types[i];
		how.grid = ways & 1;
		how.trailer = ways & 2;
		how.missing = ways & 4;
		how.comma = ways & 8;
		read_as(data, size, &how);
	}
	return 0;
}
