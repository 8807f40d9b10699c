/* SPDX-License-Identifier: ISC */
#include "text/maps.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/npy.h"
#include "codec/npz_member.h"
#include "codec/taf_file.h"
#include "codec/zip.h"
#include "io/in.h"
#include "stream/reader.h"

/* The arrays of a file that are being added. */
struct adding {
	struct taf_maps *all;
	const char *file;
	bool reverse;
	struct taf_err *e;
};

/* Add what was found, which owns its array, in a file; n bytes of called are its name. */
static enum taf_status
add(const struct adding *to, struct taf_map *found, const char *file,
    const char *called, size_t n)
{
	struct taf_map *p = realloc(to->all->map, (to->all->n + 1) * sizeof *p);
	unsigned order[TAF_MAX_DIM], k;

	if (p == NULL) {
		taf_array_fini(&found->a);
		return taf_fail_mem(to->e);
	}
	to->all->map = p;
	p += to->all->n++;
	*p = *found;
	p->c_order = found->c_order != to->reverse && p->a.ndim > 1;
	for (k = 0; k < p->a.ndim; k++)
		order[k] = p->a.ndim - 1 - k;
	if (to->reverse)
		taf_array_permute(&p->a, order);
	p->file = strdup(file);
	p->called = strndup(called, n);
	if (p->file == NULL || p->called == NULL)
		return taf_fail_mem(to->e);
	return taf_array_count(&p->a) > 0 ? TAF_OK :
	    taf_fail(to->e, TAF_EDATA, "no elements to map");
}

/* The same, called as the operand is. */
static enum taf_status
add_called(const struct adding *to, struct taf_map *found, const char *file)
{
	const char *slash = strrchr(to->file, '/');
	const char *base = slash != NULL ? slash + 1 : to->file;

	return add(to, found, file != NULL ? file : to->file, base, strcspn(base, "."));
}

/* An array as its TAF file has it, attributes apart. */
static enum taf_status
as_in_file(struct taf_array *a, struct taf_err *e)
{
	struct taf_array shape = { 0 };
	enum taf_status st = taf_file_shape(a, &shape, e);

	a->type = shape.type;
	a->ndim = shape.ndim;
	memcpy(a->dim, shape.dim, sizeof shape.dim);
	return st;
}

static enum taf_status
add_ours(const struct adding *to, const char *path)
{
	struct taf_reader *r = NULL;
	struct taf_map found = { 0 };
	struct taf_reader_place at;
	enum taf_status st = taf_reader_open(&r, path, 0, to->e);

	while (st == TAF_OK && (st = taf_reader_next(r, &found.a, to->e)) == TAF_OK) {
		if (!taf_reader_place(r, &at))
			st = taf_fail(to->e, TAF_EDATA,
			    "its elements are text: they are mapped from a TAF file (tafcrop -o NAME.taf)");
		else if (taf_reader_source(r) != NULL)
			st = as_in_file(&found.a, to->e);
		found.offset = at.offset;
		found.nd = (struct taf_ndarray){ .type = found.a.type, .big = at.big };
		if (st != TAF_OK)
			break;
		st = add_called(to, &found, at.file);
		found.a = (struct taf_array){ .ndim = 0 };
	}
	taf_array_fini(&found.a);
	taf_reader_close(r);
	return st == TAF_END ? TAF_OK : st;
}

/* Read what NumPy says of an array: of a member of z, or at the next byte of in. */
static enum taf_status
describe(const struct adding *to, struct taf_in *in, const struct taf_zip *z,
    const struct taf_zip_member *m, struct taf_map *found, uint64_t *bytes)
{
	struct taf_layout l;
	uint64_t header = 0;

	if ((z != NULL ? taf_npz_describe(z, m, &found->nd, &header, to->e) :
	    taf_npy_read(in, &found->nd, bytes, to->e)) != TAF_OK ||
	    taf_ndarray_import(&found->nd, false, &l, to->e) != TAF_OK ||
	    (z != NULL && taf_zip_place(z, m, &found->offset, to->e) != TAF_OK))
		return to->e->code;
	found->offset = z != NULL ? found->offset + header : taf_in_offset(in);
	found->a = l.a;
	found->a.type = l.stored.type;
	found->c_order = !found->nd.fortran;
	return TAF_OK;
}

/* All arrays that numpy.save has put into a file. */
static enum taf_status
add_npy(const struct adding *to, struct taf_in *in)
{
	struct taf_map found = { 0 };
	const unsigned char *p;
	uint64_t bytes = 0;
	size_t got = 1;

	while (got > 0)
		if (describe(to, in, NULL, NULL, &found, &bytes) != TAF_OK ||
		    add_called(to, &found, NULL) != TAF_OK ||
		    taf_in_skip(in, bytes, to->e) != TAF_OK ||
		    taf_in_peek(in, 1, &p, &got, to->e) != TAF_OK)
			return to->e->code;
	return TAF_OK;
}

static enum taf_status
add_npz(const struct adding *to, struct taf_in *in)
{
	struct taf_map found = { 0 };
	struct taf_zip z = { 0 };
	enum taf_status st = taf_zip_open(&z, in, to->e);
	size_t k, n;

	if (st == TAF_OK && z.n == 0)
		st = taf_fail(to->e, TAF_EDATA, "an .npz archive without arrays");
	for (k = 0; k < z.n && st == TAF_OK; k++) {
		n = taf_npz_name_length(&z.member[k]);
		if (n == 0)
			st = taf_fail(to->e, TAF_EDATA, "it is not called .npy");
		else if (z.member[k].method != TAF_ZIP_STORED)
			st = taf_fail(to->e, TAF_EDATA,
			    "it is packed: it is mapped from a TAF file (npy2taf -o NAME.taf)");
		else
			st = describe(to, NULL, &z, &z.member[k], &found, NULL);
		if (st == TAF_OK)
			st = add(to, &found, to->file, z.member[k].name, n);
		(void)taf_npz_in_member(&z.member[k], to->e);
	}
	taf_zip_close(&z);
	return st;
}

static enum taf_status
add_raw(const struct adding *to, const struct taf_raw *raw, struct taf_in *in)
{
	struct taf_map found = { .nd = { .type = raw->type, .big = raw->big } };

	taf_array_init(&found.a);
	found.a.type = raw->type;
	return taf_size_settle(&raw->size, raw->type, taf_in_left(in), true, &found.a,
	    to->e) == TAF_OK ? add_called(to, &found, NULL) : to->e->code;
}

enum taf_status
taf_maps_add(struct taf_maps *all, const char *file, const struct taf_raw *raw,
    bool reverse, struct taf_err *e)
{
	const struct adding to = { all, file != NULL ? file : "/dev/stdin", reverse, e };
	const unsigned char *p;
	struct taf_in *in = NULL;
	enum taf_status st = taf_in_open(&in, file, e);
	size_t got;

	if (st == TAF_OK)
		st = taf_in_peek(in, 6, &p, &got, e);
	if (st == TAF_OK && !taf_in_seekable(in))
		st = taf_fail(e, TAF_EDATA, "no regular file: it cannot be mapped");
	if (st == TAF_OK && raw != NULL)
		st = add_raw(&to, raw, in);
	else if (st == TAF_OK && got >= 6 && memcmp(p, "\x93NUMPY", 6) == 0)
		st = add_npy(&to, in);
	else if (st == TAF_OK && taf_zip_sniff(p, got))
		st = add_npz(&to, in);
	else if (st == TAF_OK)
		st = add_ours(&to, file);
	taf_in_close(in);
	taf_err_name(e, taf_in_called(file));
	return st;
}

bool
taf_map_told(const struct taf_map *p, unsigned k)
{
	const struct taf_dim *d = &p->a.dim[k];

	return !(d->start >= 1 && d->start <= 1 && d->step >= 1 && d->step <= 1) ||
	    taf_attr_get(&p->a, "label", TAF_OF_DIM, k + 1) != NULL ||
	    taf_attr_get(&p->a, "unit", TAF_OF_DIM, k + 1) != NULL;
}

void
taf_map_dtype(const struct taf_map *p, struct taf_str *to)
{
	taf_str_puts(to, taf_type_size(p->a.type) == 1 ? "|" : p->nd.big ? ">" : "<");
	taf_str_puts(to, taf_ndarray_name(&p->nd));
}

/* A name that is given, or what a dimension is and its name. */
struct naming {
	char *key, *name;
	uint64_t next;		/* number behind the next one like it */
};

static int
compare(const void *x, const void *y)
{
	return strcmp(((const struct naming *)x)->key, ((const struct naming *)y)->key);
}

/* The entry of a key; *fresh says that it is a new one.  Ends key. */
static struct naming *
look_up(void **tree, struct taf_str *key, bool *fresh)
{
	struct naming *x = calloc(1, sizeof *x), **there = NULL;

	if (x != NULL && key->st == TAF_OK) {
		x->key = key->buf.data;
		there = tsearch(x, tree, compare);
	}
	*fresh = there != NULL && *there == x;
	if (*fresh)
		return x;
	free(x);
	taf_str_free(key);
	if (there == NULL)
		(void)taf_fail_mem(key->err);
	return there != NULL ? *there : NULL;
}

/* The text as a name; with a number behind it, if that is given already. */
static char *
unique(void **tree, const char *text, struct taf_err *e)
{
	struct naming *first = NULL, *x = NULL;
	bool fresh = false;
	size_t i;

	while (!fresh) {
		struct taf_str s = { .err = e };

		taf_str_puts(&s, "=");
		for (i = 0; text[i] != '\0'; i++)
			taf_str_put(&s, text[i] == '/' || (i == 0 && text[i] == '.') ?
			    "_" : text + i, 1);
		if (first != NULL)
			taf_str_printf(&s, "_%llu",
			    (unsigned long long)(++first->next + 1));
		x = look_up(tree, &s, &fresh);
		if (x == NULL)
			return NULL;
		first = first != NULL ? first : x;
	}
	return strdup(x->key + 1);
}

static const char *
label_of(const struct taf_map *p, unsigned k, const char *none)
{
	const char *label = taf_attr_get(&p->a, "label", TAF_OF_DIM, k + 1);

	return label != NULL && label[0] != '\0' ? label : none;
}

/* Dimension k of p, from 0: what it is tells which others have its name. */
static enum taf_status
name_dim(void **tree, struct taf_map *p, unsigned k, struct taf_err *e)
{
	const char *unit = taf_attr_get(&p->a, "unit", TAF_OF_DIM, k + 1);
	const struct taf_dim *d = &p->a.dim[k];
	struct taf_str key = { .err = e };
	unsigned j, same = 0;
	struct naming *x;
	char none[32];

	(void)snprintf(none, sizeof none, "dim_%u", k + 1);
	for (j = 0; j < k; j++)
		same += strcmp(label_of(p, j, ""), label_of(p, k, none)) == 0;
	taf_str_printf(&key, "%u %d %llu %s %s %s\n", same, taf_map_told(p, k),
	    (unsigned long long)d->n, taf_f64(d->start).s, taf_f64(d->step).s,
	    unit != NULL ? unit : "");
	taf_str_puts(&key, label_of(p, k, none));
	x = look_up(tree, &key, &p->first[k]);
	if (x != NULL && p->first[k])
		x->name = unique(tree, label_of(p, k, none), e);
	p->dim[k] = x != NULL && x->name != NULL ? strdup(x->name) : NULL;
	return p->dim[k] != NULL ? TAF_OK : taf_fail_mem(e);
}

enum taf_status
taf_maps_name(struct taf_maps *all, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	void *tree = NULL;
	unsigned k;
	size_t i;

	/* an array keeps its name if a dimension is called so, too */
	for (i = 0; i < all->n && st == TAF_OK; i++) {
		const char *called = all->map[i].called;

		all->map[i].name = unique(&tree, called[0] != '\0' ? called : "array",
		    e);
		st = all->map[i].name != NULL ? TAF_OK : taf_fail_mem(e);
	}
	for (i = 0; i < all->n; i++)
		for (k = 0; k < all->map[i].a.ndim && st == TAF_OK; k++)
			st = name_dim(&tree, &all->map[i], k, e);
	while (tree != NULL) {
		struct naming *x = *(struct naming **)tree;

		(void)tdelete(x, &tree, compare);
		free(x->key);
		free(x->name);
		free(x);
	}
	return st;
}

void
taf_maps_free(struct taf_maps *all)
{
	unsigned k;
	size_t i;

	for (i = 0; i < all->n; i++) {
		struct taf_map *p = &all->map[i];

		free(p->file);
		free(p->called);
		free(p->name);
		for (k = 0; k < TAF_MAX_DIM; k++)
			free(p->dim[k]);
		taf_array_fini(&p->a);
	}
	free(all->map);
	*all = (struct taf_maps){ NULL, 0 };
}
