/* SPDX-License-Identifier: ISC */
/* An array on its way to a WAVE file. */
#ifndef TAF_FORMAT_WAV_EXPORT_H
#define TAF_FORMAT_WAV_EXPORT_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/wav.h"
#include "io/out.h"
#include "stream/reader.h"
#include "stream/service.h"

/*
 * The form that a has there: dimension 1 is the channels where there are two dimensions
 * and the second has the unit s; else dimension 1 is the time, and each line a channel.
 * bits is 24 for int32 of so many, else 0.  TAF_EDATA where it has none.
 */
TAF_MUST enum taf_status taf_wav_form_of(const struct taf_array *a, unsigned bits,
    struct taf_wav_form *form, struct taf_err *e);

/* All of r's present array a, none of which was read, to out. */
TAF_MUST enum taf_status taf_wav_export(const struct taf_service *service,
    struct taf_reader *r, const struct taf_array *a, unsigned bits, struct taf_out *out,
    struct taf_err *e);

#endif
