/* SPDX-License-Identifier: ISC */
#include "format/export.h"

#include <string.h>

#include "base/need.h"
#include "stream/reorder_private.h"

bool
taf_export_use(struct taf_array *a, const char *key, const char *value)
{
	const char *is = taf_attr_get(a, key, TAF_OF_ARRAY, 0);
	struct taf_err e;

	/* nothing can fail where nothing is added */
	return is != NULL && strcmp(is, value) == 0 &&
	    taf_attr_set(a, key, TAF_OF_ARRAY, 0, NULL, &e) == TAF_OK;
}

void
taf_dropped_note(struct taf_dropped *d, const struct taf_array *a)
{
	unsigned k;

	d->comment = d->comment || a->comment.len > 0;
	/* RSF counts from 0 where nothing is said, TAF from 1 */
	for (k = 0; k < a->ndim; k++)
		if ((a->dim[k].start != 0 && a->dim[k].start != 1) || a->dim[k].step != 1)
			d->grid = true;
	d->attributes = d->attributes || a->nattrs > 0;
}

void
taf_dropped_remark(const struct taf_service *service, const struct taf_dropped *d,
    const char *format, const char *also)
{
	const char *const what[] = { d->grid ? "grid" : NULL,
	    d->comment ? "comment" : NULL, d->attributes ? "attributes" : NULL };
	char text[64] = "";
	size_t i;

	for (i = 0; i < sizeof what / sizeof what[0]; i++)
		if (what[i] != NULL) {
			(void)strcat(text, text[0] != '\0' ? ", " : "");
			(void)strcat(text, what[i]);
		}
	if (text[0] != '\0')
		taf_remark(service, "%s has no place for: %s%s%s", format, text,
		    also != NULL ? "; " : "", also != NULL ? also : "");
	else if (also != NULL)
		taf_remark(service, "%s", also);
}

enum taf_change
taf_export_recode(const struct taf_array *a, bool raw)
{
	return !raw && !taf_type_is_pair(a->type) &&
	    taf_array_mapped(a) ? TAF_CHANGE_MAP : TAF_CHANGE_NONE;
}

enum taf_type
taf_export_type(const struct taf_array *a, bool raw)
{
	return taf_export_recode(a, raw) == TAF_CHANGE_MAP ? TAF_FLT64 : a->type;
}

enum taf_status
taf_export_fits(struct taf_reader *r, const struct taf_array *a,
    bool (*holds)(const void *p, size_t n), bool *fits, struct taf_err *e)
{
	const uint64_t count = taf_array_count(a);
	enum taf_status st = taf_reader_random(r, e);
	unsigned char block[32768];
	uint64_t first;
	size_t n;

	*fits = true;
	for (first = 0; first < count && st == TAF_OK && *fits; first += n) {
		n = sizeof block / taf_type_size(a->type);
		if (n > count - first)
			n = (size_t)(count - first);
		st = taf_reader_at(r, block, first, n, e);
		if (st == TAF_OK)
			*fits = holds(block, n);
	}
	return st;
}

enum taf_status
taf_export_elements(const struct taf_service *service, const struct taf_export *to,
    struct taf_reader *r, const struct taf_array *a, struct taf_err *e)
{
	const struct taf_reorder how = { .order = to->order, .recode = to->recode,
	    .out = to->out, .memory = service->memory, .jobs = taf_threads(service) };
	enum taf_status st;

	taf_need_output(taf_array_count(a) * taf_reorder_size(&how, a));
	taf_watch(service, NULL, to->out, taf_array_count(a) * taf_reorder_size(&how, a));
	st = taf_reorder(&how, r, a, e);
	taf_watch_end(service);
	return st;
}
