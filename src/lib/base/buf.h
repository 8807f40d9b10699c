/* SPDX-License-Identifier: ISC */
/* A growable run of bytes. */
#ifndef TAF_BASE_BUF_H
#define TAF_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Zero-initialised is empty.  After any successful call data[len] is a NUL that
 * len does not count; data is NULL while nothing was ever put in.
 */
struct taf_buf {
	char *data;
	size_t len;
	size_t cap;
};

/* Append bytes, a string, text as printf makes it.  TAF_ESYS where memory fails. */
TAF_MUST enum taf_status taf_buf_put(struct taf_buf *b, const void *p, size_t n,
    struct taf_err *e);
TAF_MUST enum taf_status taf_buf_puts(struct taf_buf *b, const char *s,
    struct taf_err *e);
TAF_MUST enum taf_status taf_buf_printf(struct taf_buf *b, struct taf_err *e,
    const char *fmt, ...) TAF_PRINTF(3, 4);
TAF_MUST enum taf_status taf_buf_vprintf(struct taf_buf *b, struct taf_err *e,
    const char *fmt, va_list ap) TAF_PRINTF(3, 0);

/* Reserve memory for n more bytes, to be written at data + len by the caller. */
TAF_MUST enum taf_status taf_buf_reserve(struct taf_buf *b, size_t n, struct taf_err *e);

/* Free what it has; it is empty again. */
void taf_buf_free(struct taf_buf *b);

/*
 * Memory, for free(), of n elements of the given size; NULL where the product or the
 * memory fails.  Much of it begins with a page: for blocks that are read from files and
 * written.
 */
void *taf_alloc(size_t n, size_t size);

#ifdef __cplusplus
}
#endif

#endif
