/* SPDX-License-Identifier: ISC */
/*
 * libtaf: numeric arrays in TAF files and RSF streams.  libtaf(3) is its manual.  The
 * headers that are installed are this one and those that it includes.
 */
#ifndef TAF_TAF_H
#define TAF_TAF_H

#include "array/array.h"
#include "array/region.h"
#include "array/type.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "io/in.h"
#include "io/out.h"
#include "kernel/number/convert.h"
#include "kernel/number/recode.h"
#include "stream/compute.h"
#include "stream/edit.h"
#include "stream/lines.h"
#include "stream/reader.h"
#include "stream/reorder.h"
#include "stream/select.h"
#include "stream/values.h"
#include "stream/writer.h"

#endif
