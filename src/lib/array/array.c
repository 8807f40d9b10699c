/* SPDX-License-Identifier: ISC */
#include "array/array.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "array/columns.h"
#include "base/num.h"
#include "base/str.h"

enum { MOST_ATTRS = 10000 };

void
taf_array_init(struct taf_array *a)
{
	memset(a, 0, sizeof *a);
	a->type = TAF_FLT32;
	taf_array_unmap(a);
}

void
taf_attrs_clear(struct taf_array *a)
{
	size_t i;

	for (i = 0; i < a->nattrs; i++) {
		free(a->attrs[i].key);
		free(a->attrs[i].value);
	}
	free(a->attrs);
	a->attrs = NULL;
	a->nattrs = 0;
}

void
taf_array_fini(struct taf_array *a)
{
	taf_attrs_clear(a);
	taf_buf_free(&a->comment);
	taf_buf_free(&a->history);
}

static enum taf_status append(struct taf_array *, const struct taf_attr_name *,
    const char *, size_t, struct taf_err *);

enum taf_status
taf_array_copy(struct taf_array *dst, const struct taf_array *src, struct taf_err *e)
{
	struct taf_array new = *src;
	enum taf_status st;
	size_t i;

	memset(&new.comment, 0, sizeof new.comment);
	memset(&new.history, 0, sizeof new.history);
	new.attrs = NULL;
	new.nattrs = 0;
	st = taf_buf_put(&new.comment, src->comment.data, src->comment.len, e);
	if (st == TAF_OK)
		st = taf_buf_put(&new.history, src->history.data, src->history.len, e);
	for (i = 0; i < src->nattrs && st == TAF_OK; i++) {
		const struct taf_attr *t = &src->attrs[i];
		const struct taf_attr_name name = { t->key, t->scope, t->index };

		st = append(&new, &name, t->value, strlen(t->value), e);
		if (st == TAF_OK)
			new.attrs[new.nattrs - 1].bare = t->bare;
	}
	if (st != TAF_OK) {
		taf_array_fini(&new);
		return st;
	}
	taf_array_fini(dst);
	*dst = new;
	return TAF_OK;
}

void
taf_array_move(struct taf_array *dst, struct taf_array *src)
{
	taf_array_fini(dst);
	*dst = *src;
	taf_array_init(src);
}

void
taf_array_add_dim(struct taf_array *a, uint64_t n, double start, double step)
{
	/* taf_array_check refuses what are too many */
	if (a->ndim < TAF_MAX_DIM)
		a->dim[a->ndim] = (struct taf_dim){ n, start, step };
	a->ndim++;
}

bool
taf_array_mapped(const struct taf_array *a)
{
	return taf_is_finite(a->intercept) && taf_is_finite(a->slope);
}

void
taf_array_unmap(struct taf_array *a)
{
	a->intercept = a->slope = DBL_MAX * 2;
}

enum taf_status
taf_array_sound(const struct taf_array *a, struct taf_err *e)
{
	if (!taf_type_known(a->type))
		return taf_fail(e, TAF_EMISUSE, "internal: %d is no type", (int)a->type);
	if (a->ndim < 1 || a->ndim > TAF_MAX_DIM)
		return taf_fail(e, TAF_EMISUSE, "internal: %u dimensions", a->ndim);
	return TAF_OK;
}

enum taf_status
taf_array_grids(const struct taf_array *a, struct taf_err *e)
{
	const struct taf_dim *d;

	for (d = a->dim; d < a->dim + a->ndim; d++)
		if (!taf_is_finite(d->start) || !taf_is_finite(d->step) || d->step == 0)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: its grid would start at %s with step %s",
			    (unsigned)(d - a->dim) + 1, taf_f64(d->start).s,
			    taf_f64(d->step).s);
	return TAF_OK;
}

enum taf_status
taf_array_check(const struct taf_array *a, struct taf_err *e)
{
	uint64_t n = taf_type_size(a->type);
	bool empty = false;
	unsigned k;

	if (!taf_type_known(a->type))
		return taf_array_sound(a, e);
	if (taf_type_is_pair(a->type) && taf_array_mapped(a))
		return taf_fail(e, TAF_EDATA, "%s elements with a mapping",
		    taf_type_name(a->type));
	if (a->ndim < 1 || a->ndim > TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA, "%u dimensions, not 1 to %d", a->ndim,
		    (int)TAF_MAX_DIM);
	for (k = 0; k < a->ndim; k++)
		empty = empty || a->dim[k].n == 0;
	for (k = 0; k < a->ndim; k++) {
		/* 2^62 leaves room for the headers in front of the data */
		if ((!empty && !taf_mul(n, a->dim[k].n, &n)) || n > UINT64_C(1) << 62 ||
		    a->dim[k].n > UINT64_C(1) << 62)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: length %llu makes the array too large", k + 1,
			    (unsigned long long)a->dim[k].n);
	}
	return TAF_OK;
}

uint64_t
taf_array_count(const struct taf_array *a)
{
	uint64_t n = 1;
	unsigned k;

	for (k = 0; k < a->ndim && k < TAF_MAX_DIM; k++)
		n *= a->dim[k].n;
	return n;
}

uint64_t
taf_array_bytes(const struct taf_array *a)
{
	return taf_array_count(a) * taf_type_size(a->type);
}

static struct taf_attr *
find(const struct taf_array *a, const char *key, enum taf_scope scope, unsigned index)
{
	size_t i;

	if (scope == TAF_OF_ARRAY)
		index = 0;
	for (i = 0; i < a->nattrs; i++) {
		struct taf_attr *t = &a->attrs[i];

		if (t->scope == scope && t->index == index && strcmp(t->key, key) == 0)
			return t;
	}
	return NULL;
}

const char *
taf_attr_get(const struct taf_array *a, const char *key, enum taf_scope scope,
    unsigned index)
{
	const struct taf_attr *t = find(a, key, scope, index);

	return t != NULL ? t->value : NULL;
}

static void
remove_at(struct taf_array *a, size_t i)
{
	free(a->attrs[i].key);
	free(a->attrs[i].value);
	a->nattrs--;
	memmove(a->attrs + i, a->attrs + i + 1, (a->nattrs - i) * sizeof *a->attrs);
}

/* Add to the list without looking for the key. */
static enum taf_status
append(struct taf_array *a, const struct taf_attr_name *name, const char *value, size_t n,
    struct taf_err *e)
{
	struct taf_attr *t = a->attrs;
	char *k, *v;

	/* hostile headers: looking for a key costs as much as there are keys */
	if (a->nattrs >= MOST_ATTRS)
		return taf_fail(e, TAF_EDATA, "more than %d attributes", (int)MOST_ATTRS);
	/* room grows by doubling: full where the number is a power of two */
	if ((a->nattrs & (a->nattrs - 1)) == 0) {
		t = realloc(t, (a->nattrs != 0 ? a->nattrs * 2 : 1) * sizeof *t);
		if (t == NULL)
			return taf_fail_mem(e);
		a->attrs = t;
	}
	k = strdup(name->key);
	v = malloc(n + 1);
	if (k == NULL || v == NULL) {
		free(k);
		free(v);
		return taf_fail_mem(e);
	}
	memcpy(v, value, n);
	v[n] = '\0';
	t += a->nattrs++;
	t->scope = name->scope;
	t->index = name->scope == TAF_OF_ARRAY ? 0 : name->index;
	t->bare = false;
	t->key = k;
	t->value = v;
	return TAF_OK;
}

enum taf_status
taf_attr_setn(struct taf_array *a, const struct taf_attr_name *name, const char *value,
    size_t n, struct taf_err *e)
{
	struct taf_attr *t = find(a, name->key, name->scope, name->index);
	char *v;

	if (value == NULL) {
		if (t != NULL)
			remove_at(a, (size_t)(t - a->attrs));
		return TAF_OK;
	}
	if (name->scope != TAF_OF_ARRAY && name->scope != TAF_OF_DIM &&
	    name->scope != TAF_OF_COMPONENT)
		return taf_fail(e, TAF_EMISUSE, "internal: an attribute of nothing");
	if (name->key[0] == '\0')
		return taf_fail(e, TAF_EDATA, "an attribute without a name");
	if (memchr(value, '\0', n) != NULL)
		return taf_fail(e, TAF_EDATA, "attribute %s: its value holds a NUL",
		    name->key);
	if (t == NULL)
		return append(a, name, value, n, e);
	v = realloc(t->value, n + 1);
	if (v == NULL)
		return taf_fail_mem(e);
	memcpy(v, value, n);
	v[n] = '\0';
	t->value = v;
	t->bare = false;
	return TAF_OK;
}

void
taf_attr_bare(struct taf_array *a, const char *key, enum taf_scope scope, unsigned index)
{
	struct taf_attr *t = find(a, key, scope, index);

	if (t != NULL)
		t->bare = true;
}

enum taf_status
taf_attr_set(struct taf_array *a, const char *key, enum taf_scope scope, unsigned index,
    const char *value, struct taf_err *e)
{
	const struct taf_attr_name name = { key, scope, index };

	return taf_attr_setn(a, &name, value, value != NULL ? strlen(value) : 0, e);
}

bool
taf_dim_stands_for(const struct taf_array *a, unsigned k, const char *label)
{
	const char *is = taf_attr_get(a, "label", TAF_OF_DIM, k);
	size_t i;

	if (is == NULL || strcmp(is, label) != 0)
		return false;
	for (i = 0; i < a->nattrs; i++)
		if (a->attrs[i].scope == TAF_OF_DIM && a->attrs[i].index == k &&
		    strchr(a->attrs[i].key, '/') != NULL)
			return false;
	return true;
}

bool
taf_dim_plain(const struct taf_dim *d)
{
	return d->start == 1 && d->step == 1;
}

bool
taf_dim_told(const struct taf_array *a, unsigned k, const char *but)
{
	size_t i;

	if (!taf_dim_plain(&a->dim[k - 1]))
		return true;
	for (i = 0; i < a->nattrs; i++)
		if (a->attrs[i].scope == TAF_OF_DIM && a->attrs[i].index == k &&
		    strcmp(a->attrs[i].key, "label") != 0 &&
		    strcmp(a->attrs[i].key, but) != 0)
			return true;
	return false;
}

enum taf_status
taf_array_called(const struct taf_array *a, struct taf_buf *to, struct taf_err *e)
{
	const char *label = taf_attr_get(a, "label", TAF_OF_ARRAY, 0);
	const char *channel = taf_attr_get(a, "channel", TAF_OF_ARRAY, 0);
	const size_t n = channel != NULL ? strlen(channel) : 0;
	const bool longer = n > 0 && label != NULL && strncmp(label, channel, n) == 0 &&
	    !(label[n] >= 'a' && label[n] <= 'z');

	if (n == 0 || (label != NULL && label[0] != '\0' && !longer))
		return label != NULL ? taf_buf_puts(to, label, e) : TAF_OK;
	return taf_buf_printf(to, e, channel[strspn(channel, "0123456789")] == '\0' ?
	    "channel %s" : "%s", channel);
}

void
taf_attr_renumber(struct taf_array *a, const unsigned to[TAF_MAX_DIM])
{
	size_t i = 0;

	/* the names of its points do not go elsewhere */
	if (to[1] != 2)
		taf_columns_drop(a);
	while (i < a->nattrs) {
		struct taf_attr *t = &a->attrs[i];

		if (t->scope == TAF_OF_DIM) {
			unsigned k = t->index >= 1 && t->index <= TAF_MAX_DIM ?
			    to[t->index - 1] : 0;

			if (k == 0) {
				remove_at(a, i);
				continue;
			}
			t->index = k;
		}
		i++;
	}
}

void
taf_array_permute(struct taf_array *a, const unsigned order[])
{
	unsigned to[TAF_MAX_DIM] = { 0 }, k;
	struct taf_dim old[TAF_MAX_DIM];

	memcpy(old, a->dim, sizeof old);
	for (k = 0; k < a->ndim; k++) {
		/* who goes on with it hears that it has no dimensions */
		if (k == TAF_MAX_DIM || order[k] >= a->ndim || to[order[k]] != 0) {
			a->ndim = 0;
			return;
		}
		a->dim[k] = old[order[k]];
		to[order[k]] = k + 1;
	}
	/* and an attribute of none of them stays */
	for (; k < TAF_MAX_DIM; k++)
		to[k] = k + 1;
	taf_attr_renumber(a, to);
	/* trailing lengths of 1 do not count */
	for (k = a->ndim; k > 2 && a->dim[k - 1].n == 1; k--)
		;
	if (k == 2 && order[0] == 1 && order[1] == 0 &&
	    (a->code == TAF_CODE_COLUMN || a->code == TAF_CODE_ROW))
		a->code = a->code == TAF_CODE_COLUMN ? TAF_CODE_ROW : TAF_CODE_COLUMN;
}

enum taf_status
taf_comment_add(struct taf_array *a, const char *text, size_t n, struct taf_err *e)
{
	struct taf_buf *c = &a->comment;
	enum taf_status st = TAF_OK;

	if (c->len > 0 && c->data[c->len - 1] != '\n')
		st = taf_buf_put(c, "\n", 1, e);
	if (st == TAF_OK)
		st = taf_buf_put(c, text, n, e);
	if (st == TAF_OK)
		st = taf_buf_put(c, "\n", 1, e);
	return st;
}

static uint64_t
length_of(const struct taf_array *a, unsigned k)
{
	return k < a->ndim && k < TAF_MAX_DIM ? a->dim[k].n : 1;
}

enum taf_status
taf_array_insert_dim(struct taf_array *a, unsigned k, struct taf_dim dim,
    struct taf_err *e)
{
	unsigned to[TAF_MAX_DIM] = { 0 }, i;

	if (taf_array_sound(a, e) != TAF_OK)
		return e->code;
	if (a->ndim == TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA,
		    "no other dimension: the array has %d, the most", (int)TAF_MAX_DIM);
	if (k == 0 || k > a->ndim + 1)
		return taf_fail(e, TAF_EDATA, "no new dimension %u: the array has %u", k,
		    a->ndim);
	for (i = 0; i < a->ndim; i++)
		to[i] = i + 1 < k ? i + 1 : i + 2;
	taf_attr_renumber(a, to);
	memmove(&a->dim[k], &a->dim[k - 1], (a->ndim + 1 - k) * sizeof a->dim[0]);
	a->dim[k - 1] = dim;
	a->ndim++;
	return TAF_OK;
}

enum taf_status
taf_array_drop_dim(struct taf_array *a, unsigned k, struct taf_err *e)
{
	unsigned to[TAF_MAX_DIM] = { 0 }, i;

	if (taf_array_sound(a, e) != TAF_OK)
		return e->code;
	if (k == 0 || k > a->ndim || a->ndim == 1)
		return taf_fail(e, TAF_EDATA, "dimension %u: the array has %u", k,
		    a->ndim);
	for (i = 0; i < a->ndim; i++)
		to[i] = i + 1 < k ? i + 1 : i + 1 == k ? 0 : i;
	taf_attr_renumber(a, to);
	memmove(&a->dim[k - 1], &a->dim[k], (a->ndim - k) * sizeof a->dim[0]);
	a->ndim--;
	return TAF_OK;
}

bool
taf_grid_near(double a, double b, double step)
{
	const double apart = a > b ? a - b : b - a, most = step < 0 ? -step : step;

	return a == b || apart <= 1e-6 * most || (a != a && b != b);
}

bool
taf_array_same_shape(const struct taf_array *a, const struct taf_array *b)
{
	unsigned k;

	for (k = 0; k < a->ndim || k < b->ndim; k++)
		if (length_of(a, k) != length_of(b, k))
			return false;
	return true;
}

bool
taf_array_same_grid(const struct taf_array *a, const struct taf_array *b, unsigned k,
    double tolerance)
{
	const struct taf_dim *x = &a->dim[k - 1], *y = &b->dim[k - 1];
	double n, room, off;

	if (k > a->ndim || k > b->ndim)
		return true;
	n = (double)(x->n > y->n ? x->n : y->n);
	room = tolerance * (x->step < 0 ? -x->step : x->step);
	off = x->start - y->start;
	if (!(off <= room && -off <= room))
		return false;
	off += (n - 1) * (x->step - y->step);
	return n <= 1 || (off <= room && -off <= room);
}

struct taf_cut
taf_array_cut(const struct taf_array *a, unsigned k)
{
	struct taf_cut cut = { 1, 1, 1 };
	unsigned i;

	for (i = 1; i <= a->ndim; i++)
		if (k == 0 || i < k)
			cut.inner *= a->dim[i - 1].n;
		else if (i == k)
			cut.len = a->dim[i - 1].n;
		else
			cut.outer *= a->dim[i - 1].n;
	return cut;
}

enum taf_status
taf_array_extend(struct taf_array *out, const struct taf_array *a, struct taf_err *e)
{
	unsigned k;

	if (taf_array_sound(a, e) != TAF_OK || taf_array_sound(out, e) != TAF_OK)
		return e->code;
	for (k = 0; k < a->ndim; k++) {
		if (k == out->ndim)
			taf_array_add_dim(out, 1, a->dim[k].start, a->dim[k].step);
		if (out->dim[k].n == a->dim[k].n || a->dim[k].n == 1)
			continue;
		if (out->dim[k].n != 1)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: length %llu, but the arrays before have %llu",
			    k + 1,
			    (unsigned long long)a->dim[k].n,
			    (unsigned long long)out->dim[k].n);
		out->dim[k] = a->dim[k];
	}
	return taf_array_check(out, e);
}

void
taf_array_lengths(const struct taf_array *a, struct taf_str *to)
{
	unsigned k;

	for (k = 0; k < a->ndim; k++) {
		taf_str_puts(to, k > 0 ? "," : "");
		taf_str_u64(to, a->dim[k].n);
	}
}
