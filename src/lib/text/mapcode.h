/* How to map the data of a TAF file, in words and in several languages. */
#ifndef TAF_TEXT_MAPCODE_H
#define TAF_TEXT_MAPCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/str.h"

struct taf_mapcode {
	const char *file;
	uint64_t offset;		/* of the first element of the file, in bytes */
	struct taf_array array;		/* as it lies in the file */
	struct taf_region region;
};

/* Is it c numpy matlab octave julia shell or json? */
bool taf_mapcode_language(const char *lang);

/*
 * Append the code; words where lang is NULL.  Code maps the file, selects the region,
 * and prints its first and its last value, mapping applied.  In numpy's a function
 * returns the grids and the values of the region.
 */
void taf_mapcode_put(const struct taf_mapcode *m, const char *lang, struct taf_str *to);

#endif
