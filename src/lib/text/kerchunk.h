/* A TAF file as a Zarr store that refers to it: kerchunk's JSON, version 1. */
#ifndef TAF_TEXT_KERCHUNK_H
#define TAF_TEXT_KERCHUNK_H

#include "array/array.h"
#include "base/str.h"
#include "text/mapcode.h"

/*
 * Append the document for all of m->array, whose dimensions and attributes are
 * described's; what xarray makes of it has its values, names, units and coordinates.
 */
void taf_kerchunk_put(const struct taf_mapcode *m, const struct taf_array *described,
    struct taf_str *to);

#endif
