/* SPDX-License-Identifier: ISC */
/* An array on its way to a Zarr store. */
#ifndef TAF_FORMAT_ZARR_EXPORT_H
#define TAF_FORMAT_ZARR_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/chunk/pack.h"
#include "codec/zarr/zarr_put.h"
#include "stream/reader.h"
#include "stream/service.h"

/* How it is stored. */
struct taf_zarr_export {
	const struct taf_service *service;
	unsigned version;
	bool reverse;
	/* lengths by dimension; 0 of them where they follow from the array */
	uint64_t chunk[TAF_MAX_DIM], shard[TAF_MAX_DIM];
	unsigned chunks, shards;
	bool packs;
	struct taf_pack pack;
};

/*
 * All of r's present array a, none of which was read, goes to p.  What comes late of a is
 * known then.
 */
TAF_MUST enum taf_status taf_zarr_export(const struct taf_zarr_export *x,
    struct taf_zarr_put *p, struct taf_reader *r, struct taf_array *a,
    struct taf_err *e);

#endif
