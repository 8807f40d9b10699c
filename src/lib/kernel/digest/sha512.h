/* SPDX-License-Identifier: ISC */
/* SHA-512, by FIPS 180-4, section 6.4. */
#ifndef TAF_KERNEL_DIGEST_SHA512_H
#define TAF_KERNEL_DIGEST_SHA512_H

#include <stddef.h>
#include <stdint.h>

enum { TAF_SHA512_BLOCK = 128, TAF_SHA512_TEXT = 129 };

/* A digest on its way. */
struct taf_sha512 {
	uint64_t h[8];
	uint64_t n;		/* bytes so far */
	unsigned char block[TAF_SHA512_BLOCK];	/* the last of them, not digested yet */
};

void taf_sha512_begin(struct taf_sha512 *s);
void taf_sha512_add(struct taf_sha512 *s, const void *p, size_t n);

/* The digest as 128 hexadecimal digits. */
void taf_sha512_end(struct taf_sha512 *s, char text[TAF_SHA512_TEXT]);

#endif
