/* SPDX-License-Identifier: ISC */
#include "format/daf_change.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/daf/daf_write.h"
#include "format/daf_elements.h"
#include "io/in.h"

struct taf_daf_axis {
	char *name;
	const char *file;
	struct taf_daf_strings entries;
	bool known;		/* the store has just these entries already */
};

static struct taf_daf_axis *
find_axis(const struct taf_daf_change *c, const char *name)
{
	size_t k;

	for (k = 0; k < c->naxes; k++)
		if (strcmp(c->axis[k].name, name) == 0)
			return &c->axis[k];
	return NULL;
}

enum taf_status
taf_daf_change_axis(void *to, const char *arg, struct taf_err *e)
{
	struct taf_daf_change *const c = to;
	const char *equals = strchr(arg, '=');
	struct taf_daf_axis *grown, a = { 0 };
	enum taf_status st;

	if (equals == NULL || equals[1] == '\0')
		return taf_fail(e, TAF_EUSAGE, "%s: not AXIS=FILE", arg);
	grown = realloc(c->axis, (c->naxes + 1) * sizeof *grown);
	if (grown == NULL)
		return taf_fail_mem(e);
	c->axis = grown;
	a.file = equals + 1;
	a.name = strndup(arg, (size_t)(equals - arg));
	if (a.name == NULL)
		return taf_fail_mem(e);
	st = taf_daf_new_name(a.name, false, e);
	if (st == TAF_OK && find_axis(c, a.name) != NULL)
		st = taf_fail(e, TAF_EUSAGE, "%s: given twice", a.name);
	if (st != TAF_OK)
		free(a.name);
	else
		c->axis[c->naxes++] = a;
	return st;
}

enum taf_status
taf_daf_change_item(struct taf_daf_change *c, const char *arg, struct taf_err *e)
{
	struct taf_daf_item *it = &c->put.item;

	c->item = true;
	if (taf_daf_item_parse(it, arg, e) != TAF_OK)
		return e->code;
	return taf_daf_new_name(it->name, it->kind == TAF_DAF_VECTOR, e);
}

enum taf_status
taf_daf_change_type(void *to, const char *arg, struct taf_err *e)
{
	struct taf_daf_change *const c = to;
	struct taf_daf_given *p = &c->put;
	enum taf_type t;

	p->typed = true;
	if (taf_daf_type_parse(arg, &p->type) && p->type != TAF_DAF_STRING)
		return TAF_OK;
	if (!taf_type_parse(arg, &t) || taf_type_is_pair(t))
		return taf_fail(e, TAF_EUSAGE, "%s: not an element type of a store", arg);
	p->type = t;
	return TAF_OK;
}

/* Open the store, if it is there, or must be. */
static enum taf_status
open_store(struct taf_daf_change *c, const char *path, struct taf_err *e)
{
	struct taf_buf sentinel = { 0 };
	bool there;

	if (taf_buf_printf(&sentinel, e, "%s/daf.json", path) != TAF_OK)
		return e->code;
	there = !c->create || access(sentinel.data, F_OK) == 0;
	taf_buf_free(&sentinel);
	if (!there)
		return TAF_OK;
	return taf_daf_open(&c->store, path, e) != TAF_OK ? e->code :
	    taf_daf_recover(&c->store, e);
}

static enum taf_status
read_entries(struct taf_daf_axis *a, struct taf_err *e)
{
	struct taf_in *in;
	enum taf_status st = taf_in_open(&in, a->file, e);

	if (st != TAF_OK)
		return st;
	st = taf_daf_entries_read(in, &a->entries, e);
	taf_err_name(e, taf_in_name(in));
	taf_in_close(in);
	return st;
}

static bool
are_same(const struct taf_daf_strings *a, const struct taf_daf_strings *b)
{
	/* where there are none, there may be no list either */
	return a->n == b->n && a->bytes.len == b->bytes.len &&
	    (a->n == 0 || memcmp(a->at, b->at, ((size_t)a->n + 1) * sizeof a->at[0]) ==
	    0) && (a->bytes.len == 0 || memcmp(a->bytes.data, b->bytes.data,
	    a->bytes.len) == 0);
}

/* Axes of a store never change: one that it has must be the same. */
static enum taf_status
compare_entries(const struct taf_daf *s, const struct taf_daf_axis *a, struct taf_err *e)
{
	struct taf_daf_strings there = { 0 };
	enum taf_status st = taf_daf_axis_entries(s, a->name, &there, e);

	if (st == TAF_OK && !are_same(&there, &a->entries))
		st = taf_fail(e, TAF_EDATA, "axis %s is there with other entries",
		    a->name);
	taf_daf_strings_free(&there);
	return st;
}

static enum taf_status
read_axes(struct taf_daf_change *c, struct taf_err *e)
{
	size_t i;

	for (i = 0; i < c->naxes; i++) {
		struct taf_daf_axis *a = &c->axis[i];

		if (read_entries(a, e) != TAF_OK)
			return e->code;
		a->known = c->store.real != NULL && taf_daf_has_axis(&c->store, a->name);
		if (a->known && compare_entries(&c->store, a, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* The lengths that the item must have. */
static enum taf_status
find_lengths(struct taf_daf_change *c, struct taf_err *e)
{
	struct taf_daf_item *it = &c->put.item;
	const struct taf_daf_axis *a;
	size_t i;

	for (i = 0; i < 2 && it->axis[i] != NULL; i++) {
		a = find_axis(c, it->axis[i]);
		if (a != NULL)
			it->n[i] = a->entries.n;
		else if (c->store.real == NULL)
			return taf_fail(e, TAF_EDATA,
			    "%s: no such axis (--axis adds one)", it->axis[i]);
		else if (taf_daf_axis_length(&c->store, it->axis[i], &it->n[i], e) !=
		    TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

enum taf_status
taf_daf_change_look(struct taf_daf_change *c, const char *path, struct taf_err *e)
{
	const struct taf_daf_put_how how = { c->force, false, c->put.packing };
	size_t i;

	if (open_store(c, path, e) != TAF_OK || read_axes(c, e) != TAF_OK ||
	    (c->item && find_lengths(c, e) != TAF_OK) || c->store.real == NULL)
		return e->code;
	/* what is in the way */
	for (i = 0; i < c->naxes; i++)
		if (!c->axis[i].known && taf_daf_prepare_axis(&c->store, TAF_DAF_LOOK,
		    c->axis[i].name, e) != TAF_OK)
			return e->code;
	return !c->item ? TAF_OK :
	    taf_daf_put_begin(NULL, &c->store, &c->put.item, &how, e);
}

/* With the lock held. */
static enum taf_status
make(struct taf_daf_change *c, const struct taf_service *service, struct taf_err *e)
{
	size_t i;

	for (i = 0; i < c->naxes; i++) {
		const struct taf_daf_axis *a = &c->axis[i];

		if (!a->known &&
		    taf_daf_add_axis(&c->store, a->name, &a->entries, e) != TAF_OK)
			return e->code;
	}
	return c->item ? taf_daf_give(service, &c->put, &c->store, c->force, e) : TAF_OK;
}

enum taf_status
taf_daf_change_make(struct taf_daf_change *c, const char *path,
    const struct taf_service *service, struct taf_err *e)
{
	enum taf_status st;
	int lock;

	if (c->store.real == NULL && (taf_daf_create(path, e) != TAF_OK ||
	    taf_daf_open(&c->store, path, e) != TAF_OK))
		return e->code;
	if (taf_daf_lock(&c->store, &lock, e) != TAF_OK)
		return e->code;
	st = make(c, service, e);
	(void)close(lock);
	return st;
}

void
taf_daf_change_free(struct taf_daf_change *c)
{
	size_t k;

	for (k = 0; k < c->naxes; k++) {
		taf_daf_strings_free(&c->axis[k].entries);
		free(c->axis[k].name);
	}
	free(c->axis);
	taf_daf_given_free(&c->put);
	taf_daf_close(&c->store);
}

/* --- the other layout of a matrix --- */

/* Find what there is; the item is then that layout. */
static enum taf_status
find_layout(const struct taf_daf *s, struct taf_daf_item *it, bool force,
    struct taf_err *e)
{
	bool both = true;
	int k;

	for (k = 0; k < 2; k++, it->transposed = !it->transposed)
		if (both && taf_daf_item_has(s, it, ".json", &both, e) != TAF_OK)
			return e->code;
	if (both && !force)
		return taf_fail(e, TAF_EDATA,
		    "%s: both layouts are there (-f writes %s/%s anew)",
		    it->name, it->axis[1], it->axis[0]);
	if (taf_daf_find(s, it, e) == TAF_OK && it->transposed)
		taf_daf_item_transpose(it);
	return e->code;
}

/* What is damaged is found here, before anything changes. */
static enum taf_status
take_layout(struct taf_daf_given *p, const struct taf_daf *s, struct taf_err *e)
{
	struct taf_daf_item *it = &p->item;
	enum taf_status st;

	p->type = it->d.type;
	p->index = it->d.index.type;
	p->sparse = it->d.sparse;
	p->text = !p->sparse && p->type == TAF_DAF_STRING;
	if (p->text) {
		taf_daf_item_transpose(it);
		st = taf_daf_strings_load(s, it, &p->strings, e);
		taf_daf_item_transpose(it);
		return st;
	}
	if (!p->sparse)
		return taf_daf_elements_stored(s, it, &p->values, e);
	st = taf_daf_sparse_load(s, it, &p->m, e);
	if (st == TAF_OK && p->type == TAF_DAF_STRING)
		st = taf_daf_strings_stored(s, it, &p->strings, e);
	p->m.text = &p->strings;
	return st;
}

enum taf_status
taf_daf_relayout(const char *store, struct taf_daf_given *p, bool force,
    const struct taf_service *service, struct taf_err *e)
{
	struct taf_daf_item *it = &p->item;
	struct taf_daf s = { 0 };
	enum taf_status st;
	int lock = -1;

	if (strcmp(it->axis[0], it->axis[1]) == 0)
		return taf_fail(e, TAF_EDATA, "%s: %s by %s has no other layout",
		    it->name, it->axis[0], it->axis[1]);
	p->other = true;
	st = taf_daf_open(&s, store, e);
	/* from here on nobody else changes what is read */
	if (st == TAF_OK)
		st = taf_daf_lock(&s, &lock, e);
	if (st == TAF_OK) {
		st = find_layout(&s, it, force, e);
		if (st == TAF_OK)
			st = take_layout(p, &s, e);
		if (st == TAF_OK)
			st = taf_daf_give(service, p, &s, true, e);
		(void)close(lock);
	}
	taf_daf_close(&s);
	return st;
}
