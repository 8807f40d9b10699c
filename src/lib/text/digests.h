/* SPDX-License-Identifier: ISC */
/* Lines of digests, as b3sum and its like write them: digest, two blanks, name. */
#ifndef TAF_TEXT_DIGESTS_H
#define TAF_TEXT_DIGESTS_H

#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "io/in.h"

/*
 * Append the line of array number, from 1, of a file, without its LF: the digest, unless
 * that is NULL, and NAME or NAME#N.  In a name a backslash and an LF are escaped, and the
 * line then begins with a backslash; without a digest other control bytes are, too.
 */
void taf_digest_put(struct taf_str *s, const char *digest, const char *name,
    uint64_t number);

/* A reader of such lines.  The caller sets in, which stays his, and zeroes the rest. */
struct taf_digests {
	struct taf_in *in;
	struct taf_buf line;
	unsigned long long lines;
	/* of the line that was read; lent until the next one */
	const char *digest, *name;
	uint64_t number;
};

/* The next line: TAF_END where there is none, TAF_EDATA where it is another. */
TAF_MUST enum taf_status taf_digests_next(struct taf_digests *d, struct taf_err *e);

void taf_digests_free(struct taf_digests *d);

#endif
