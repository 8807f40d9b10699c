/* SPDX-License-Identifier: ISC */
/* Arrays in files as a Zarr store that refers to them: kerchunk's JSON, version 1. */
#ifndef TAF_TEXT_KERCHUNK_H
#define TAF_TEXT_KERCHUNK_H

#include <stdint.h>

#include "base/str.h"
#include "text/maps.h"

struct taf_kerchunk {
	struct taf_maps *all;	/* which get their names */
	const char *prefix;	/* stands before names of files, or NULL */
	uint64_t chunk;		/* most bytes of one, 0 for 4 MiB */
};

/*
 * Append the document; what xarray makes of it has the values, names, units and
 * coordinates.
 */
enum taf_status taf_kerchunk_put(const struct taf_kerchunk *k, struct taf_str *to);

#endif
