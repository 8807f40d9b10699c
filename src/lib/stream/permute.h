/* Permuting the dimensions of an array from one file to another. */
#ifndef TAF_STREAM_PERMUTE_H
#define TAF_STREAM_PERMUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_permute_io {
	void *ctx;
	const void *map;
	enum taf_status (*read)(void *ctx, void *buf, uint64_t off, size_t n,
	    struct taf_err *e);
	enum taf_status (*write)(void *ctx, const void *buf, uint64_t off, size_t n,
	    struct taf_err *e);
	bool sequential;
};

TAF_MUST enum taf_status taf_permute(const struct taf_permute_io *io, size_t esize,
    unsigned ndim, const uint64_t n[], const unsigned order[], size_t memory,
    unsigned threads, struct taf_err *e);

bool taf_permute_wants_random_output(size_t esize, unsigned ndim, const uint64_t n[],
    const unsigned order[], size_t memory, unsigned threads);

#ifdef __cplusplus
}
#endif

#endif
