/* SPDX-License-Identifier: ISC */
/* Elements of one type and mapping as elements of another. */
#ifndef TAF_KERNEL_NUMBER_RECODE_H
#define TAF_KERNEL_NUMBER_RECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* y = map[0] + map[1] * x; on says whether there is one. */
struct taf_recode {
	enum taf_type from, to;
	bool from_mapped, to_mapped;
	double from_map[2], to_map[2];	/* the slope of to_map is not 0 */
	bool clip;		/* what does not fit is stored as the nearest that does */
	bool rough;		/* what is rounded under a mapping is not counted */
};

/* Is there no mapping on either side, or the same? */
bool taf_recode_same_mapping(const struct taf_recode *how);

/* Do the elements stay as they are, byte for byte? */
bool taf_recode_is_copy(const struct taf_recode *how);

/*
 * Recode n elements of the host's byte order from any address, without overlap: values
 * are kept as nearly as the target allows.  Without clip the first value that does not
 * fit ends it, and its index is returned; else n.  With clip only a pair that is to
 * become real ends it, if its imaginary part is not 0.  count (which may be NULL) grows
 * by what was clipped and rounded; it costs a second look at what goes under a mapping.
 */
size_t taf_recode(const struct taf_recode *how, void *dst, const void *src, size_t n,
    struct taf_convert_count *count);

#ifdef __cplusplus
}
#endif

#endif
