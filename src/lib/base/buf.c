/* SPDX-License-Identifier: ISC */
#include "base/buf_private.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/num.h"

enum {
	SMALL = 1 << 20,	/* bytes that nobody misses */
	LARGE = 64 * 1024,
	PAGE = 4096,
	LARGE_PAGE = 2 * 1024 * 1024
};

enum taf_status
taf_buf_reserve(struct taf_buf *b, size_t n, struct taf_err *e)
{
	size_t cap = b->cap != 0 ? b->cap : 64;
	char *p;

	if (n >= SIZE_MAX / 2 - b->len)
		return taf_fail_mem(e);
	while (cap < b->len + n + 1)
		cap *= 2;
	if (cap == b->cap)
		return TAF_OK;
	p = realloc(b->data, cap);
	if (p == NULL)
		return taf_fail_mem(e);
	b->data = p;
	b->cap = cap;
	b->data[b->len] = '\0';
	return TAF_OK;
}

enum taf_status
taf_buf_put(struct taf_buf *b, const void *p, size_t n, struct taf_err *e)
{
	enum taf_status st = taf_buf_reserve(b, n, e);

	if (st != TAF_OK)
		return st;
	if (n > 0)
		memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
	return TAF_OK;
}

enum taf_status
taf_buf_puts(struct taf_buf *b, const char *s, struct taf_err *e)
{
	return taf_buf_put(b, s, strlen(s), e);
}

enum taf_status
taf_buf_vprintf(struct taf_buf *b, struct taf_err *e, const char *fmt, va_list ap)
{
	enum taf_status st;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return taf_fail(e, TAF_ESYS, "cannot format text");
	st = taf_buf_reserve(b, (size_t)n, e);
	if (st != TAF_OK)
		return st;
	(void)vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
	return TAF_OK;
}

enum taf_status
taf_buf_printf(struct taf_buf *b, struct taf_err *e, const char *fmt, ...)
{
	enum taf_status st;
	va_list ap;

	va_start(ap, fmt);
	st = taf_buf_vprintf(b, e, fmt, ap);
	va_end(ap);
	return st;
}

void
taf_buf_free(struct taf_buf *b)
{
	free(b->data);
	b->data = NULL;
	b->len = b->cap = 0;
}

void *
taf_alloc(size_t n, size_t size)
{
	size_t bytes;

	if (size != 0 && n > (SIZE_MAX - PAGE) / size)
		return NULL;
	bytes = n * size;
	if (bytes < LARGE)
		return malloc(bytes != 0 ? bytes : 1);
	/*
	 * Files and pipes hold their data in pages.  Where memory begins a few bytes
	 * further within a page than they, some processors copy at a fifth of their
	 * speed.
	 */
	return aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
}

void *
taf_alloc_far(size_t n, size_t size)
{
#ifdef MADV_HUGEPAGE
	size_t bytes;
	void *p;

	if (size == 0 || n > (SIZE_MAX - LARGE_PAGE) / size || n * size < 2 * LARGE_PAGE)
		return taf_alloc(n, size);
	bytes = (n * size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
	p = aligned_alloc(LARGE_PAGE, bytes);
	if (p != NULL)
		(void)madvise(p, bytes, MADV_HUGEPAGE);
	return p;
#else
	return taf_alloc(n, size);
#endif
}

uint64_t
taf_memory_for(uint64_t memory, uint64_t need)
{
	return need > memory && need <= SMALL ? need : memory;
}

bool
taf_memory_fits(uint64_t memory, uint64_t n, uint64_t each)
{
	uint64_t need;

	return taf_mul(n, each, &need) && need <= taf_memory_for(memory, need);
}

uint64_t
taf_memory_share(uint64_t memory, enum taf_share what)
{
	static const unsigned parts[] = { [TAF_HELD] = 2, [TAF_BATCH] = 4,
	    [TAF_AHEAD] = 8, [TAF_MANY] = 16 };

	return memory / parts[what];
}
