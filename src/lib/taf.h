/* libtaf: numeric arrays in TAF files and RSF streams.  libtaf(3) is its manual. */
#ifndef TAF_TAF_H
#define TAF_TAF_H

#include "array/array.h"
#include "array/region.h"
#include "array/type.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/decimal.h"
#include "base/err.h"
#include "base/num.h"
#include "codec/rsf.h"
#include "codec/taf.h"
#include "io/in.h"
#include "io/out.h"
#include "kernel/convert.h"
#include "kernel/strided.h"
#include "stream/concat.h"
#include "stream/edit.h"
#include "stream/reader.h"
#include "stream/reorder.h"
#include "stream/scale.h"
#include "stream/select.h"
#include "stream/spool.h"
#include "stream/values.h"
#include "stream/writer.h"

#endif
