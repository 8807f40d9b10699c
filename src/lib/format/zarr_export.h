/* SPDX-License-Identifier: ISC */
/* An array on its way to a Zarr store. */
#ifndef TAF_FORMAT_ZARR_EXPORT_H
#define TAF_FORMAT_ZARR_EXPORT_H

#include "codec/zarr/zarr.h"
#include "stream/reader.h"
#include "stream/service.h"

/* By dimension; none where they follow from the array. */
struct taf_zarr_lengths {
	uint64_t n[TAF_MAX_DIM];
	unsigned count;
};

/* How it is stored. */
struct taf_zarr_export {
	const struct taf_service *service;
	unsigned version;
	bool reverse;
	struct taf_zarr_lengths chunk, shard;
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
