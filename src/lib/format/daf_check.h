/* SPDX-License-Identifier: ISC */
/* Is a FilesDaf store what its readers expect, and nothing else? */
#ifndef TAF_FORMAT_DAF_CHECK_H
#define TAF_FORMAT_DAF_CHECK_H

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"
#include "stream/service.h"

struct taf_daf_findings {
	const struct taf_daf *s;
	const struct taf_service *service;	/* hears what could not be looked at */
	/*
	 * Take a finding, a line without its end but for what names of files have in
	 * them; a failure of it is the end.
	 */
	enum taf_status (*say)(void *ctx, const char *finding, struct taf_err *e);
	void *ctx;
};

/*
 * Say all that is wrong with an open store, one finding after the other.  Nothing is
 * changed, not even what an interrupted change has left.  Entries of an axis are held in
 * memory, and packed strings.  What is returned is a failure of the system or of say.
 */
TAF_MUST enum taf_status taf_daf_find_faults(const struct taf_daf_findings *to,
    struct taf_err *e);

#endif
