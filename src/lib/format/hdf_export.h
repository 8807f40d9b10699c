/* SPDX-License-Identifier: ISC */
/* An array on its way to a dataset of an HDF5 file. */
#ifndef TAF_FORMAT_HDF_EXPORT_H
#define TAF_FORMAT_HDF_EXPORT_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/hdf/hdf_write.h"
#include "stream/reader.h"
#include "stream/service.h"

/* All of r's present array a, none of which was read, goes to p. */
TAF_MUST enum taf_status taf_hdf_export(const struct taf_service *service,
    struct taf_hdf_put *p, const struct taf_hdf_storage *how, struct taf_reader *r,
    struct taf_array *a, struct taf_err *e);

#endif
