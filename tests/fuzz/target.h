/* SPDX-License-Identifier: ISC */
/* What a fuzz target is, and how it says that something is wrong. */
#ifndef TAF_FUZZ_TARGET_H
#define TAF_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void
must(bool holds)
{
	if (!holds)
		abort();
}

#endif
