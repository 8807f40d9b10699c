#include "stream/values.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "stream/select.h"

struct taf_values {
	struct taf_select *select;
	enum taf_type from, to;
	bool mapped, clip;
	double mapping[2];
	struct taf_convert_count count;
	uint64_t done;		/* values given so far */
	void *room;		/* for converted ones */
	size_t most;
};

enum taf_type
taf_values_type(const struct taf_array *a, bool raw)
{
	return raw || !taf_array_mapped(a) ? a->type : TAF_FLT64;
}

enum taf_status
taf_values_shape(struct taf_array *a, enum taf_type type, bool raw, struct taf_err *e)
{
	if ((a->type == TAF_COMPLEX) != (type == TAF_COMPLEX))
		return taf_fail(e, TAF_EDATA, "%s elements do not convert to %s",
		    taf_type_name(a->type), taf_type_name(type));
	if (!raw || type != a->type)
		taf_array_unmap(a);
	a->type = type;
	return TAF_OK;
}

enum taf_status
taf_values_open(struct taf_values **result, struct taf_reader *r, const struct taf_array *a,
    const struct taf_region *region, enum taf_type type, bool raw, bool clip,
    struct taf_err *e)
{
	struct taf_values *v = calloc(1, sizeof *v);
	static const struct taf_bounds all;
	struct taf_region whole;
	enum taf_status st = TAF_OK;

	if (v == NULL)
		return taf_fail_mem(e);
	v->from = a->type;
	v->to = type;
	v->clip = clip;
	v->mapped = !raw && taf_array_mapped(a);
	v->mapping[0] = a->intercept;
	v->mapping[1] = a->slope;
	if ((v->from == TAF_COMPLEX) != (type == TAF_COMPLEX))
		st = taf_fail(e, TAF_EDATA, "%s elements do not convert to %s",
		    taf_type_name(v->from), taf_type_name(type));
	if (st == TAF_OK && region == NULL) {
		st = taf_bounds_resolve(&all, a, &whole, e);
		region = &whole;
	}
	if (st == TAF_OK)
		st = taf_select_open(&v->select, r, a, region, e);
	if (st != TAF_OK) {
		free(v);
		return st;
	}
	*result = v;
	return TAF_OK;
}

void
taf_values_close(struct taf_values *v)
{
	if (v == NULL)
		return;
	taf_select_close(v->select);
	free(v->room);
	free(v);
}

static bool
as_stored(const struct taf_values *v)
{
	return v->from == v->to && !v->mapped;
}

enum taf_status
taf_values_read(struct taf_values *v, const void **p, size_t *n, struct taf_err *e)
{
	enum taf_status st = taf_select_read(v->select, p, n, e);
	size_t good;

	if (st != TAF_OK || *n == 0 || as_stored(v)) {
		v->done += *n;
		return st;
	}
	if (*n > v->most) {
		free(v->room);
		v->room = taf_alloc(*n, taf_type_size(v->to));
		v->most = v->room != NULL ? *n : 0;
		if (v->room == NULL)
			return taf_fail_mem(e);
	}
	good = taf_convert(v->room, v->to, *p, v->from, *n, v->mapped ? v->mapping : NULL,
	    v->clip, &v->count);
	if (good < *n)
		return taf_fail(e, TAF_EDATA, "value %llu does not fit %s",
		    (unsigned long long)(v->done + good + 1), taf_type_name(v->to));
	v->done += *n;
	*p = v->room;
	return TAF_OK;
}

enum taf_status
taf_values_copy(struct taf_values *v, struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (as_stored(v))
		return taf_select_copy(v->select, w, e);
	while (st == TAF_OK) {
		const void *p;
		size_t n;

		st = taf_values_read(v, &p, &n, e);
		if (st != TAF_OK || n == 0)
			break;
		st = taf_writer_put(w, p, n, e);
	}
	return st;
}

const struct taf_convert_count *
taf_values_count(const struct taf_values *v)
{
	return &v->count;
}
