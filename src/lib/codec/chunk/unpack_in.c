/* SPDX-License-Identifier: ISC */
/* link: zlib zstd blosc */
#include "codec/chunk/unpack_in.h"

#include <stdlib.h>

enum {
	BLOCK = 64 * 1024,
	RATIO = 1032	/* deflating makes no byte out of more (zlib's text) */
};

struct taf_unpack_in {
	struct taf_in *in;
	const struct taf_in *from;
	struct taf_unpack *unpack;
	enum taf_packing packing;
	uint64_t at, left;		/* not read yet */
	const unsigned char *next;	/* read, and not unpacked yet */
	size_t have;
	bool ended;
	unsigned char block[BLOCK];
};

static enum taf_status
unpack_some(void *ctx, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	struct taf_unpack_in *const u = ctx;
	enum taf_unpacked how;

	for (*got = 0; *got == 0 && !u->ended; ) {
		if (u->have == 0 && u->left > 0) {
			u->have = u->left < BLOCK ? (size_t)u->left : BLOCK;
			if (taf_in_pread(u->from, u->block, u->have, u->at, e) != TAF_OK)
				return e->code;
			u->next = u->block;
			u->at += u->have;
			u->left -= u->have;
		}
		*got = n;
		how = taf_unpack_some(u->unpack, &u->next, &u->have, buf, got);
		if (how == TAF_NO_MEMORY)
			return taf_fail_mem(e);
		if (how == TAF_BROKEN)
			return taf_fail(e, TAF_EDATA, "packed bytes are damaged");
		if (how == TAF_GOING && *got == 0 && u->have + u->left == 0)
			return taf_fail(e, TAF_ETRUNC, "packed bytes are cut");
		u->ended = how == TAF_ENDED &&
		    (u->packing != TAF_PACKING_GZIP || u->have + u->left == 0);
		if (how == TAF_ENDED && !u->ended &&
		    taf_unpack_begin(u->unpack, 0, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

enum taf_status
taf_unpack_in_begin(struct taf_unpack_in **result, enum taf_packing packing,
    const struct taf_in *from, uint64_t at, uint64_t n, struct taf_err *e)
{
	const char *missing = taf_packing_missing(packing);
	struct taf_unpack_in *u;

	if (missing != NULL)
		return taf_fail(e, TAF_EDATA,
		    "packed, and this program was built without %s", missing);
	u = calloc(1, sizeof *u);
	if (u == NULL)
		return taf_fail_mem(e);
	u->from = from;
	u->at = at;
	u->left = n;
	u->packing = packing;
	u->unpack = taf_unpack_new(packing);
	if (u->unpack == NULL)
		(void)taf_fail_mem(e);
	else if (taf_unpack_begin(u->unpack, 0, e) == TAF_OK && taf_in_call(&u->in,
	    unpack_some, u, taf_in_name(from), e) == TAF_OK) {
		*result = u;
		return TAF_OK;
	}
	taf_unpack_in_end(u);
	return e->code;
}

struct taf_in *
taf_unpack_in(const struct taf_unpack_in *u)
{
	return u->in;
}

uint64_t
taf_unpack_in_at(const struct taf_unpack_in *u)
{
	return u->at - u->have;
}

void
taf_unpack_in_end(struct taf_unpack_in *u)
{
	if (u == NULL)
		return;
	taf_in_close(u->in);
	taf_unpack_free(u->unpack);
	free(u);
}

bool
taf_unpack_in_can(uint64_t n, uint64_t become)
{
	return become / RATIO <= n;
}
