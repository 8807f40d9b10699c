/* SPDX-License-Identifier: ISC */
/* What there is to say of an array: one value, a JSON object, a page for people. */
#ifndef TAF_TEXT_DESCRIBE_H
#define TAF_TEXT_DESCRIBE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/str.h"
#include "stream/reader.h"

struct taf_describe {
	const char *file;
	const struct taf_array *a;
	const struct taf_source *taf;	/* NULL for RSF */
	uint64_t offset;		/* of the data */
	bool json;			/* values as JSON has them */
	struct taf_str *to;		/* text is appended here, failures stick there */
};

/* Append a number; null where JSON, which json asks for, has none. */
void taf_describe_number(double v, bool json, struct taf_str *to);

/*
 * The value called key and an LF: one of the fixed keys, n1 o1 d1 label1 unit1 n2 ..., or
 * an attribute.  TAF_EDATA where there is none.
 */
void taf_describe_value(const struct taf_describe *f, const char *key);

/*
 * The same of several keys, with commas between: a line of values with tabs between, and
 * control bytes in them as escapes.
 */
void taf_describe_values(const struct taf_describe *f, const char *keys);

/* One JSON object with all of them and an LF; json must be set. */
void taf_describe_json(const struct taf_describe *f);

/* One without an LF, of what there is to say before the array is anywhere. */
void taf_describe_shape(const struct taf_describe *f);

/* A line for each dimension, behind indent: for people. */
void taf_describe_dims(const struct taf_describe *f, const char *indent);

/* A page for people. */
void taf_describe_page(const struct taf_describe *f);

#endif
