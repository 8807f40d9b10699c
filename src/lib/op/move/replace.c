/* SPDX-License-Identifier: ISC */
#include "op/move/replace.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/move/strided.h"
#include "stream/select_private.h"

enum taf_status
taf_replace_check(const struct taf_region *r, const struct taf_array *a,
    struct taf_err *e)
{
	unsigned i = 0, k = 0;

	for (;;) {
		while (i < r->ndim && r->count[i] == 1)
			i++;
		while (k < a->ndim && a->dim[k].n == 1)
			k++;
		if (i == r->ndim && k == a->ndim)
			return TAF_OK;
		if (i == r->ndim || k == a->ndim || r->count[i] != a->dim[k].n)
			break;
		i++;
		k++;
	}
	return taf_fail(e, TAF_EDATA,
	    "the new array has another shape than the region: length %llu, not %llu",
	    k < a->ndim ? (unsigned long long)a->dim[k].n : 1ull,
	    i < r->ndim ? (unsigned long long)r->count[i] : 1ull);
}

/* Every byte that will be overwritten goes to the undo file first. */
static enum taf_status
save(struct taf_edit *ed, const struct taf_region *region, struct taf_err *e)
{
	struct taf_select *s = NULL;
	struct taf_box box;
	enum taf_status st;

	st = taf_select_open(&s, NULL, taf_edit_array(ed), region, e);
	while (st == TAF_OK && taf_select_box(s, &box))
		st = taf_edit_save(ed, box.first, box.span, e);
	taf_select_close(s);
	return st != TAF_OK ? st : taf_edit_seal(ed, e);
}

/* Memory for n elements, used again for box after box. */
struct room {
	unsigned char *p;
	size_t n;
};

/* The change under way. */
struct change {
	struct taf_edit *ed;
	struct taf_select *s;
	const struct taf_replacement *by;
	size_t size;		/* bytes of an element */
	struct room old, next;
	unsigned char element[sizeof(double)];	/* the one for all, when done > 0 */
	uint64_t done;
};

static enum taf_status
make_room(struct room *r, size_t n, size_t size, struct taf_err *e)
{
	if (n <= r->n)
		return TAF_OK;
	free(r->p);
	r->p = taf_alloc(n, size);
	r->n = r->p != NULL ? n : 0;
	return r->p != NULL ? TAF_OK : taf_fail_mem(e);
}

/* The next n new elements to to. */
static enum taf_status
give(struct change *c, unsigned char *to, size_t n, struct taf_err *e)
{
	size_t i;

	if (!c->by->one)
		return taf_values_get(c->by->values, to, n, e);
	if (c->done == 0 && taf_values_get(c->by->values, c->element, 1, e) != TAF_OK)
		return e->code;
	for (i = 0; i < n; i++)
		memcpy(to + i * c->size, c->element, c->size);
	c->done += n;
	return TAF_OK;
}

/* The elements of a box lie in one run, among others that stay. */
static enum taf_status
put_between(struct change *c, const struct taf_box *box, struct taf_err *e)
{
	ptrdiff_t step[TAF_MAX_DIM];
	size_t bytes = c->size;
	unsigned k;

	if (make_room(&c->old, box->span, c->size, e) != TAF_OK ||
	    taf_edit_read(c->ed, c->old.p, box->first, box->span, e) != TAF_OK)
		return e->code;
	for (k = 0; k < box->nd; k++) {
		step[k] = (ptrdiff_t)bytes;
		bytes *= box->count[k];
	}
	taf_strided_copy(c->old.p, c->next.p, &(struct taf_strided){ c->size, box->nd,
	    box->count, box->step, step });
	return taf_edit_overwrite(c->ed, c->old.p, box->first, box->span, e);
}

static enum taf_status
overwrite(struct change *c, struct taf_err *e)
{
	enum taf_status st;
	struct taf_box box;

	while (taf_select_box(c->s, &box)) {
		if (make_room(&c->next, box.total, c->size, e) != TAF_OK ||
		    give(c, c->next.p, box.total, e) != TAF_OK)
			return e->code;
		st = box.total == box.span ?
		    taf_edit_overwrite(c->ed, c->next.p, box.first, box.span, e) :
		    put_between(c, &box, e);
		if (st != TAF_OK)
			return st;
	}
	return TAF_OK;
}

enum taf_status
taf_replace(struct taf_edit *ed, const struct taf_region *region,
    const struct taf_replacement *by, struct taf_err *e)
{
	const struct taf_array *a = taf_edit_array(ed);
	struct change c = { .ed = ed, .by = by, .size = taf_type_size(a->type) };
	enum taf_status st;

	if (taf_array_count(a) == 0)
		return TAF_OK;
	st = save(ed, region, e);
	if (st == TAF_OK)
		st = taf_select_open(&c.s, NULL, a, region, e);
	if (st == TAF_OK)
		st = overwrite(&c, e);
	taf_select_close(c.s);
	free(c.old.p);
	free(c.next.p);
	return st;
}
