/* SPDX-License-Identifier: ISC */
/* Values to text or bytes, in pieces that several threads work on. */
#ifndef TAF_TEXT_SPELL_H
#define TAF_TEXT_SPELL_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "io/out.h"
#include "stream/service.h"

struct taf_spell {
	void *ctx;
	size_t esize;		/* bytes of a value */
	uint64_t count;		/* of all values */
	/*
	 * The next values, lent until the next call; *n is 0 at the end.  One call at a
	 * time.
	 */
	enum taf_status (*read)(void *ctx, const void **p, size_t *n, struct taf_err *e);
	/*
	 * Append what n values become, the first of them number first of all, from 0 on.
	 * Called from several threads at once; n may be any.
	 */
	enum taf_status (*put)(const void *ctx, struct taf_buf *b, const void *p,
	    size_t n, uint64_t first, struct taf_err *e);
};

/*
 * Write what all values become to out, in their order, with the threads of the service.
 * The first failure is that of the first piece that fails; all before it is written.
 */
TAF_MUST enum taf_status taf_spell(const struct taf_service *service, struct taf_out *out,
    const struct taf_spell *how, struct taf_err *e);

#endif
