/* SPDX-License-Identifier: ISC */
/* How to map the data of a file, in words and in several languages. */
#ifndef TAF_TEXT_MAPCODE_H
#define TAF_TEXT_MAPCODE_H

#include <stdbool.h>

#include "array/region.h"
#include "base/str.h"
#include "text/maps.h"

struct taf_mapcode {
	struct taf_map *map;	/* which gets its names */
	struct taf_region region;
};

/* Is it c json julia matlab numpy octave r shell or xarray? */
bool taf_mapcode_language(const char *lang);

/*
 * Append the code; words where lang is NULL.  Code maps the file, selects the region,
 * and prints its first and its last value, mapping applied.  In numpy's a function
 * returns the grids and the values of the region, in those of xarray and r an array that
 * knows its grids.  TAF_EDATA for elements that a language does not have.
 */
enum taf_status taf_mapcode_put(const struct taf_mapcode *m, const char *lang,
    struct taf_str *to);

#endif
