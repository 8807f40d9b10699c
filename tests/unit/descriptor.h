/* SPDX-License-Identifier: ISC */
/* Are two descriptors the same?  For tests and fuzz targets. */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include <stdbool.h>
#include <string.h>

#include "array/array.h"

/* Bit for bit, but that a NaN in text keeps neither its sign nor its payload. */
static inline bool
same_number(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static inline bool
same_buf(const struct taf_buf *a, const struct taf_buf *b)
{
	return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

static inline bool
same_attr(const struct taf_attr *a, const struct taf_attr *b)
{
	return a->scope == b->scope && a->index == b->index && a->bare == b->bare &&
	    strcmp(a->key, b->key) == 0 && strcmp(a->value, b->value) == 0;
}

/* What is the first difference?  NULL where there is none. */
static inline const char *
descriptor_differs(const struct taf_array *a, const struct taf_array *b)
{
	bool mapped = taf_array_mapped(a);

	if (a->type != b->type)
		return "type";
	if (mapped != taf_array_mapped(b) ||
	    (mapped &&
		(!same_number(a->intercept, b->intercept) ||
		    !same_number(a->slope, b->slope))))
		return "mapping";
	if (a->code != b->code)
		return "type code";
	if (a->ndim != b->ndim)
		return "rank";
	for (unsigned k = 0; k < a->ndim; k++)
		if (a->dim[k].n != b->dim[k].n ||
		    !same_number(a->dim[k].start, b->dim[k].start) ||
		    !same_number(a->dim[k].step, b->dim[k].step))
			return "dimension";
	if (!same_buf(&a->comment, &b->comment))
		return "comment";
	if (!same_buf(&a->history, &b->history))
		return "history";
	if (a->nattrs != b->nattrs)
		return "number of attributes";
	for (size_t i = 0; i < a->nattrs; i++)
		if (!same_attr(&a->attrs[i], &b->attrs[i]))
			return "attribute";
	return NULL;
}

#endif
