/* SPDX-License-Identifier: ISC */
#include "io/kept.h"

#include "base/digest.h"

static enum taf_status
digest(const struct taf_in *in, uint64_t at, uint64_t n, uint64_t *d, struct taf_err *e)
{
	unsigned char p[4096];
	size_t part;

	for (*d = 0; n > 0; at += part, n -= part) {
		part = n < sizeof p ? (size_t)n : sizeof p;
		if (taf_in_pread(in, p, part, at, e) != TAF_OK)
			return e->code;
		*d = taf_digest(*d, p, part);
	}
	return TAF_OK;
}

enum taf_status
taf_keep(struct taf_kept *k, const struct taf_in *in, uint64_t at, uint64_t n,
    struct taf_err *e)
{
	k->at = at;
	k->n = n;
	return digest(in, at, n, &k->digest, e);
}

enum taf_status
taf_kept_same(const struct taf_kept *k, const struct taf_in *in, struct taf_err *e)
{
	uint64_t now;
	enum taf_status st = digest(in, k->at, k->n, &now, e);

	if (st == TAF_OK && now != k->digest)
		st = taf_fail(e, TAF_EDATA,
		    "offset %llu: %llu bytes have changed since they were read",
		    (unsigned long long)k->at, (unsigned long long)k->n);
	taf_err_name(e, taf_in_name(in));
	return st;
}
