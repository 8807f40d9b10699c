/* SPDX-License-Identifier: ISC */
#include "kernel/number/recode_private.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/num.h"
#include "base/str.h"
#include "kernel/number/convert_private.h"

enum { BLOCK = 512 };		/* values that stay in the first cache */

bool
taf_recode_same_mapping(const struct taf_recode *how)
{
	return how->from_mapped == how->to_mapped && (!how->to_mapped ||
	    (taf_same_bits(how->from_map[0], how->to_map[0]) &&
	    taf_same_bits(how->from_map[1], how->to_map[1])));
}

bool
taf_recode_is_copy(const struct taf_recode *how)
{
	return how->from == how->to && taf_recode_same_mapping(how);
}

/* Values as floats under a mapping; the number of the first that does not fit. */
static size_t
to_floats(const struct taf_recode *how, void *dst, const double *value, size_t n,
    uint64_t *clipped)
{
	double back[BLOCK];
	size_t i;

	for (i = 0; i < n; i++) {
		back[i] = (value[i] - how->to_map[0]) / how->to_map[1];
		/* the quotient of finite numbers may be larger than all of them */
		if (!taf_is_finite(value[i]) || taf_is_finite(back[i]))
			continue;
		if (!how->clip)
			break;
		back[i] = back[i] < 0 ? -DBL_MAX : DBL_MAX;
		++*clipped;
	}
	return taf_convert(dst, how->to, back, TAF_FLT64, i, NULL, how->clip, NULL);
}

/* The first of n values that an integer does not hold under its mapping. */
static size_t
first_clipped(const struct taf_recode *how, const double *value, size_t n)
{
	unsigned char one[sizeof(double)];
	uint64_t clipped = 0;
	size_t i;

	for (i = 0; i < n && clipped == 0; i++)
		(void)taf_quantize(one, how->to, &value[i], TAF_FLT64, 1, how->to_map[0],
		    how->to_map[1], &clipped);
	return clipped > 0 ? i - 1 : n;
}

static bool
is_float(enum taf_type type)
{
	return type == TAF_FLT32 || type == TAF_FLT64;
}

/* n <= BLOCK elements under a mapping that is not their own. */
static size_t
unmap(const struct taf_recode *how, void *dst, const void *src, size_t n,
    struct taf_convert_count *count)
{
	double value[BLOCK], back[BLOCK];
	uint64_t clipped = 0, rounded = 0, nan = 0;
	size_t i, good = n;

	if (how->rough && how->clip && !how->from_mapped && is_float(how->from) &&
	    taf_type_is_int(how->to)) {
		/* the values themselves are not looked at again */
		(void)taf_quantize(dst, how->to, src, how->from, n, how->to_map[0],
		    how->to_map[1], &clipped);
		if (count != NULL)
			count->clipped += clipped;
		return n;
	}
	/* counted: no double has all the digits of a large int64 */
	(void)taf_convert(value, TAF_FLT64, src, how->from, n,
	    how->from_mapped ? how->from_map : NULL, false, how->rough ? NULL : count);
	if (!taf_type_is_int(how->to))
		good = to_floats(how, dst, value, n, &clipped);
	else
		(void)taf_quantize(dst, how->to, value, TAF_FLT64, n, how->to_map[0],
		    how->to_map[1], &clipped);
	if (good < n)
		return good;
	if (clipped > 0 && !how->clip)
		return first_clipped(how, value, n);
	if (count == NULL)
		return n;
	count->clipped += clipped;
	if (how->rough)
		return n;
	(void)taf_convert(back, TAF_FLT64, dst, how->to, n, how->to_map, false, NULL);
	for (i = 0; i < n; i++) {
		/* a NaN is not equal to itself; integers have none */
		nan += value[i] != value[i];
		rounded += back[i] != value[i] && value[i] == value[i];
	}
	clipped -= taf_type_is_int(how->to) ? nan : 0;
	count->rounded += rounded - clipped;
	return n;
}

size_t
taf_recode(const struct taf_recode *how, void *dst, const void *src, size_t n,
    struct taf_convert_count *count)
{
	const size_t dsize = taf_type_size(how->to), ssize = taf_type_size(how->from);
	const bool same = taf_recode_same_mapping(how);
	unsigned char *d = dst;
	const unsigned char *s = src;
	size_t at, part, good;

	if (!taf_type_known(how->to) || !taf_type_known(how->from))
		return 0;
	/* with no mapping to reach, or the same one, the conversion is direct */
	if (same || !how->to_mapped)
		return taf_convert(dst, how->to, src, how->from, n,
		    how->from_mapped && !same ? how->from_map : NULL, how->clip, count);
	for (at = 0; at < n; at += part) {
		part = n - at < BLOCK ? n - at : BLOCK;
		good = unmap(how, d + at * dsize, s + at * ssize, part, count);
		if (good < part)
			return at + good;
	}
	return n;
}

/* What a mapping makes of the limits of a type. */
static void
print_limits(const struct taf_recode *how, char *to, size_t size)
{
	const struct taf_type_facts *f = taf_type_facts(how->to);
	const double low = taf_type_is_int(how->to) ? (double)f->min :
	    f->bits == 32 ? -FLT_MAX : -DBL_MAX;
	const double high = taf_type_is_int(how->to) ? (double)f->max : -low;
	const double a = how->to_map[0] + how->to_map[1] * low;
	const double b = how->to_map[0] + how->to_map[1] * high;

	(void)snprintf(to, size, "%s under its mapping (%s to %s)", f->name,
	    taf_brief(a < b ? a : b).s, taf_brief(a < b ? b : a).s);
}

/* The value of an element, with all digits. */
static void
print_value(const struct taf_recode *how, const void *src, char *to, size_t size)
{
	const enum taf_type from = how->from;
	double v[2];

	if (taf_type_is_pair(from)) {
		(void)taf_convert(v, TAF_COMPLEX128, src, from, 1, NULL, false, NULL);
		(void)snprintf(to, size, "%s,%s", taf_f64(v[0]).s, taf_f64(v[1]).s);
	} else if (how->from_mapped || !taf_type_is_int(from)) {
		(void)taf_convert(v, TAF_FLT64, src, from, 1,
		    how->from_mapped ? how->from_map : NULL, true, NULL);
		(void)snprintf(to, size, "%s", taf_f64(v[0]).s);
	} else if (taf_type_is_signed(from)) {
		(void)snprintf(to, size, "%" PRId64, (int64_t)taf_type_load(from, src));
	} else {
		(void)snprintf(to, size, "%" PRIu64, taf_type_load(from, src));
	}
}

struct element {
	char s[TAF_ERR_TEXT];
};

/* How a message begins that names an element; nothing where there is no place. */
static struct element
element(const char *place)
{
	struct element t;

	(void)snprintf(t.s, sizeof t.s, place[0] != '\0' ? "element %s: " : "%s", place);
	return t;
}

enum taf_status
taf_recode_misfit(const struct taf_recode *how, const void *src, const char *place,
    struct taf_err *e)
{
	char value[2 * TAF_DECIMAL_MAX + 2], limits[128];
	double part[2] = { 0, 0 };

	if (taf_type_is_pair(how->from) && !taf_type_is_pair(how->to))
		(void)taf_convert(part, TAF_COMPLEX128, src, how->from, 1, NULL, false,
		    NULL);
	if (!(part[1] == 0))
		return taf_fail(e, TAF_EDATA,
		    "%sits imaginary part is %s, not 0: tafmath 'real(a)' takes real parts",
		    element(place).s, taf_f64(part[1]).s);
	print_value(how, src, value, sizeof value);
	if (how->to_mapped)
		print_limits(how, limits, sizeof limits);
	else
		(void)snprintf(limits, sizeof limits, "%s", taf_type_limits(how->to).s);
	return taf_fail(e, TAF_EDATA, "%svalue %s does not fit %s", element(place).s,
	    value, limits);
}

enum taf_status
taf_recode_overflow(enum taf_type type, const char *place, struct taf_err *e)
{
	const bool narrow = type == TAF_FLT32 || type == TAF_COMPLEX;

	return taf_fail(e, TAF_EDATA, "%sa result does not fit %s%s", element(place).s,
	    taf_type_limits(narrow ? TAF_FLT32 : TAF_FLT64).s,
	    narrow ? ": make flt64 of it first (tafcast -t flt64)" : "");
}
