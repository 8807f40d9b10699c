/* SPDX-License-Identifier: ISC */
/* What a FilesDaf store holds, as a page for people and as JSON. */
#ifndef TAF_TEXT_DAF_PAGE_H
#define TAF_TEXT_DAF_PAGE_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"
#include "io/out.h"
#include "stream/service.h"

/* How the elements of an item are had: as taf_daf_elements of format/daf_elements.h. */
typedef enum taf_status taf_daf_source(const struct taf_service *service,
    const struct taf_daf *s, const struct taf_daf_item *it, taf_daf_some *put, void *ctx,
    struct taf_err *e);

struct taf_daf_page {
	const struct taf_daf *s;
	struct taf_out *out;
	const struct taf_service *service;
	taf_daf_source *elements;
	bool json, entries;
	/* *e is a fault of the store, and is to be cleared: the page goes on. */
	void (*fault)(void *ctx, struct taf_err *e);
	void *ctx;
};

/*
 * Write all of a store.  A faulty property is shown as such and said, and the others
 * follow; what is returned is a failure of the output alone.
 */
TAF_MUST enum taf_status taf_daf_page(const struct taf_daf_page *how, struct taf_err *e);

/*
 * Write one item, or the axis of that name; with entries those alone, one a line, where
 * the output is no JSON.
 */
TAF_MUST enum taf_status taf_daf_page_item(const struct taf_daf_page *how,
    const char *item, struct taf_err *e);

#endif
