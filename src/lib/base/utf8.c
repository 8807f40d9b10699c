/* SPDX-License-Identifier: ISC */
#include "base/utf8.h"

size_t
taf_utf8_length(const unsigned char *s, size_t n)
{
	size_t len, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (n < len)
		return 0;
	for (i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

bool
taf_utf8_text(const char *s, size_t n)
{
	size_t i, len;

	for (i = 0; i < n; i += len) {
		len = taf_utf8_length((const unsigned char *)s + i, n - i);
		if (len == 0 || s[i] == '\0')
			return false;
	}
	return true;
}
