/* SPDX-License-Identifier: ISC */
#include "base/base64.h"

#include <stdint.h>
#include <string.h>

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void
taf_base64_put(struct taf_str *to, const void *p, size_t n)
{
	const unsigned char *from = p;
	char four[4];
	size_t i, k;

	for (i = 0; i < n; i += 3) {
		uint32_t w = (uint32_t)from[i] << 16;

		if (n - i > 1)
			w |= (uint32_t)from[i + 1] << 8;
		if (n - i > 2)
			w |= from[i + 2];
		for (k = 0; k < 4; k++)
			four[k] = k > n - i ? '=' : digits[w >> (18 - 6 * k) & 63];
		taf_str_put(to, four, sizeof four);
	}
}

enum taf_status
taf_base64_get(struct taf_buf *to, const char *text, struct taf_err *e)
{
	size_t n = strlen(text), pads = 0, k;

	while (pads < 2 && pads < n && text[n - 1 - pads] == '=')
		pads++;
	if (n % 4 != 0)
		return taf_fail(e, TAF_EDATA, "no base64: %zu characters", n);
	for (; n > 0; text += 4, n -= 4) {
		const size_t given = n > 4 ? 4 : 4 - pads;
		unsigned char three[3];
		uint32_t w = 0;

		for (k = 0; k < 4; k++) {
			const char *d = k < given ? strchr(digits, text[k]) : digits;

			if (d == NULL)
				return taf_fail(e, TAF_EDATA,
				    "no base64: a character of code %u",
				    (unsigned char)text[k]);
			w = w << 6 | (uint32_t)(d - digits);
		}
		for (k = 0; k < 3; k++)
			three[k] = (unsigned char)(w >> (16 - 8 * k));
		if (taf_buf_put(to, three, given - 1, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}
