/* SPDX-License-Identifier: ISC */
#include "base/num.h"

#include <string.h>

#include "base/decimal.h"

bool
taf_mul(uint64_t a, uint64_t b, uint64_t *r)
{
	if (a != 0 && b > UINT64_MAX / a)
		return false;
	*r = a * b;
	return true;
}

bool
taf_add(uint64_t a, uint64_t b, uint64_t *r)
{
	if (b > UINT64_MAX - a)
		return false;
	*r = a + b;
	return true;
}

bool
taf_to_size(uint64_t a, size_t *r)
{
	if (a > SIZE_MAX)
		return false;
	*r = (size_t)a;
	return true;
}

bool
taf_parse_u64(const char *s, size_t n, uint64_t *r)
{
	uint64_t v = 0;
	size_t i;

	if (n == 0)
		return false;
	for (i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		if (!taf_mul(v, 10, &v) || !taf_add(v, (uint64_t)(s[i] - '0'), &v))
			return false;
	}
	*r = v;
	return true;
}

bool
taf_parse_hex(const char *s, size_t n, uint64_t *r)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = digits;
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < n && at != NULL; i++) {
		at = memchr(digits, s[i], sizeof digits - 1);
		v = v << 4 | (uint64_t)(at != NULL ? (at - digits) % 16 : 0);
	}
	if (n == 0 || n > 16 || at == NULL)
		return false;
	*r = v;
	return true;
}

bool
taf_parse_i64(const char *s, size_t n, int64_t *r)
{
	bool minus = n > 0 && s[0] == '-';
	uint64_t v;

	if (n > 0 && (s[0] == '-' || s[0] == '+')) {
		s++;
		n--;
	}
	if (!taf_parse_u64(s, n, &v) || v > (uint64_t)INT64_MAX + (minus ? 1u : 0u))
		return false;
	if (minus)
		*r = v > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)v;
	else
		*r = (int64_t)v;
	return true;
}

bool
taf_parse_f64(const char *s, size_t n, double *r)
{
	double v;

	if (n == 0 || taf_scan_f64(s, s + n, &v) != n)
		return false;
	*r = v;
	return true;
}

bool
taf_parse_size(const char *s, uint64_t *r)
{
	size_t n = strlen(s);
	unsigned shift = 0;
	uint64_t v;

	if (n > 0 && (s[n - 1] == 'k' || s[n - 1] == 'K'))
		shift = 10;
	else if (n > 0 && s[n - 1] == 'M')
		shift = 20;
	else if (n > 0 && s[n - 1] == 'G')
		shift = 30;
	if (!taf_parse_u64(s, shift != 0 ? n - 1 : n, &v))
		return false;
	return taf_mul(v, UINT64_C(1) << shift, r);
}
