#include "stream/stored.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"

enum { PIECE = 16 * 1024 };	/* elements at a time */

struct taf_stored {
	struct taf_reader *r;
	enum taf_type from, to;
	double from_map[2], to_map[2];
	bool from_mapped, to_mapped, as_is, clip, repeat;
	struct taf_convert_count count;
	uint64_t done;
	unsigned char *in;	/* PIECE elements as they come */
	double *value, *back;	/* and their values, before and after */
};

enum taf_status
taf_stored_open(struct taf_stored **result, struct taf_reader *r, const struct taf_array *a,
    const struct taf_array *target, bool repeat, bool clip, struct taf_err *e)
{
	struct taf_stored *s;
	bool same;

	if ((a->type == TAF_COMPLEX) != (target->type == TAF_COMPLEX))
		return taf_fail(e, TAF_EDATA, "%s elements do not convert to %s",
		    taf_type_name(a->type), taf_type_name(target->type));
	s = calloc(1, sizeof *s);
	if (s == NULL || (s->in = taf_alloc(PIECE, sizeof(double))) == NULL ||
	    (s->value = taf_alloc(PIECE, sizeof(double))) == NULL ||
	    (s->back = taf_alloc(PIECE, sizeof(double))) == NULL) {
		taf_stored_close(s);
		return taf_fail_mem(e);
	}
	s->r = r;
	s->from = a->type;
	s->to = target->type;
	s->from_mapped = taf_array_mapped(a);
	s->to_mapped = taf_array_mapped(target);
	s->from_map[0] = a->intercept;
	s->from_map[1] = a->slope;
	s->to_map[0] = target->intercept;
	s->to_map[1] = target->slope;
	same = s->from_mapped == s->to_mapped &&
	    (!s->to_mapped || memcmp(s->from_map, s->to_map, sizeof s->to_map) == 0);
	if (s->to_mapped && !same && target->slope == 0) {
		taf_stored_close(s);
		return taf_fail(e, TAF_EDATA, "its slope is 0: all its values are one");
	}
	s->as_is = same;
	s->clip = clip;
	s->repeat = repeat;
	if (repeat) {
		enum taf_status st = taf_reader_read(r, s->in, 1, e);
		size_t esize = taf_type_size(a->type), i;

		if (st != TAF_OK) {
			taf_stored_close(s);
			return st;
		}
		for (i = 1; i < PIECE; i++)
			memcpy(s->in + i * esize, s->in, esize);
	}
	*result = s;
	return TAF_OK;
}

void
taf_stored_close(struct taf_stored *s)
{
	if (s == NULL)
		return;
	free(s->in);
	free(s->value);
	free(s->back);
	free(s);
}

static enum taf_status
does_not_fit(const struct taf_stored *s, size_t at, struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA, "value %llu does not fit %s%s",
	    (unsigned long long)(s->done + at + 1), taf_type_name(s->to),
	    s->to_mapped ? " under its mapping" : "");
}

/* The first of n values that an integer does not hold. */
static size_t
first_clipped(const struct taf_stored *s, size_t n)
{
	unsigned char one[sizeof(double)];
	uint64_t clipped = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		(void)taf_quantize(one, s->to, &s->value[i], TAF_FLT64, 1, s->to_map[0],
		    s->to_map[1], &clipped);
		if (clipped > 0)
			break;
	}
	return i;
}

/* Through values: taken back afterwards to count those that are not what they were. */
static enum taf_status
unmap(struct taf_stored *s, void *to, size_t n, struct taf_err *e)
{
	uint64_t clipped = 0;
	size_t i, good;

	/* counted: no double has all the digits of a large int64 */
	(void)taf_convert(s->value, TAF_FLT64, s->in, s->from, n,
	    s->from_mapped ? s->from_map : NULL, false, &s->count);
	if (taf_type_is_int(s->to)) {
		(void)taf_quantize(to, s->to, s->value, TAF_FLT64, n, s->to_map[0],
		    s->to_map[1], &clipped);
	} else {
		for (i = 0; i < n; i++) {
			s->back[i] = (s->value[i] - s->to_map[0]) / s->to_map[1];
			/* the quotient of finite numbers may be larger than all of them */
			if (!taf_is_finite(s->value[i]) || taf_is_finite(s->back[i]))
				continue;
			if (!s->clip)
				break;
			s->back[i] = s->back[i] < 0 ? -DBL_MAX : DBL_MAX;
			clipped++;
		}
		good = taf_convert(to, s->to, s->back, TAF_FLT64, i, NULL, s->clip, NULL);
		if (good < n)
			return does_not_fit(s, good, e);
	}
	if (clipped > 0 && !s->clip)
		return does_not_fit(s, first_clipped(s, n), e);
	(void)taf_convert(s->back, TAF_FLT64, to, s->to, n, s->to_map, false, NULL);
	for (i = 0; i < n; i++)
		/* NaN stays NaN, and is not equal to itself */
		if (s->back[i] != s->value[i] && s->value[i] == s->value[i])
			s->count.rounded++;
	s->count.clipped += clipped;
	s->count.rounded -= clipped < s->count.rounded ? clipped : s->count.rounded;
	return TAF_OK;
}

static enum taf_status
read_piece(struct taf_stored *s, void *to, size_t n, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t good;

	if (!s->repeat)
		st = taf_reader_read(s->r, s->in, n, e);
	if (st != TAF_OK)
		return st;
	/* with no mapping to reach, or the same one, the conversion is direct */
	if (s->to_mapped && !s->as_is)
		return unmap(s, to, n, e);
	good = taf_convert(to, s->to, s->in, s->from, n,
	    s->from_mapped && !s->as_is ? s->from_map : NULL, s->clip, &s->count);
	return good < n ? does_not_fit(s, good, e) : TAF_OK;
}

enum taf_status
taf_stored_read(struct taf_stored *s, void *to, size_t n, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned char *p = to;

	while (n > 0 && st == TAF_OK) {
		size_t part = n < PIECE ? n : PIECE;

		st = read_piece(s, p, part, e);
		s->done += part;
		p += part * taf_type_size(s->to);
		n -= part;
	}
	return st;
}

const struct taf_convert_count *
taf_stored_count(const struct taf_stored *s)
{
	return &s->count;
}
