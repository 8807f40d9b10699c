/* link: zlib */
#include "codec/daf/daf_compare.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/num.h"
#include "base/str.h"

enum {
	MOST = 64 << 20,	/* bytes of elements, or of their places */
	TILE = 32
};

/* All elements, zeros included, in the layout that is stored; they are at most MOST. */
static enum taf_status
load(const struct taf_daf *s, const struct taf_daf_item *it, unsigned char **p,
    struct taf_err *e)
{
	size_t n = (size_t)(it->n[0] * it->n[1]);
	struct taf_daf_sparse m = { 0 };
	struct taf_daf_flow *f = NULL;
	enum taf_status st;

	*p = malloc(n * taf_daf_size(it->d.type) + 1);
	if (*p == NULL)
		return taf_fail_mem(e);
	if (it->d.sparse) {
		st = taf_daf_sparse_load(s, it, &m, e);
		if (st == TAF_OK)
			taf_daf_sparse_fill(&m, 0, n, *p);
		taf_daf_sparse_free(&m);
		return st;
	}
	st = taf_daf_dense(s, it, &f, e);
	if (st == TAF_OK)
		st = taf_daf_flow_read(f, *p, n, e);
	taf_daf_flow_close(f);
	return st;
}

/* Is b, columns x rows, the transpose of a, both of elements of size bytes? */
static bool
is_turned(const unsigned char *a, const unsigned char *b, size_t rows, size_t columns,
    size_t size)
{
	size_t i, j, k, l;

	for (j = 0; j < columns; j += TILE)
		for (i = 0; i < rows; i += TILE)
			for (l = j; l < columns && l < j + TILE; l++)
				for (k = i; k < rows && k < i + TILE; k++)
					if (memcmp(a + (l * rows + k) * size,
					    b + (k * columns + l) * size, size) != 0)
						return false;
	return true;
}

static enum taf_status
compare_elements(const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_item *other, bool *differ, struct taf_err *e)
{
	unsigned char *a = NULL, *b = NULL;

	if (load(s, it, &a, e) == TAF_OK && load(s, other, &b, e) == TAF_OK)
		*differ = !is_turned(a, b, (size_t)it->n[0], (size_t)it->n[1],
		    taf_daf_size(it->d.type));
	free(a);
	free(b);
	return e->code;
}

/*
 * The next entry from k on that is not zero, *column being where k is; m->n if none is.
 */
static uint64_t
next_entry(const struct taf_daf_sparse *m, uint64_t k, uint64_t *column)
{
	static const unsigned char zero[8];
	size_t size = taf_daf_size(m->type);

	while (k < m->n && memcmp(m->value + k * size, zero, size) == 0)
		k++;
	while (k < m->n && m->ptr[*column + 1] <= k)
		++*column;
	return k;
}

/* A stored zero is none. */
static bool
same_entries(const struct taf_daf_sparse *a, const struct taf_daf_sparse *b)
{
	uint64_t i = 0, k = 0, column[2] = { 0, 0 };
	size_t size = taf_daf_size(a->type);

	for (;; i++, k++) {
		i = next_entry(a, i, &column[0]);
		k = next_entry(b, k, &column[1]);
		if (i == a->n || k == b->n)
			return i == a->n && k == b->n;
		if (column[0] != column[1] || a->row[i] != b->row[k] ||
		    memcmp(a->value + i * size, b->value + k * size, size) != 0)
			return false;
	}
}

static enum taf_status
compare_sparse(const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_item *other, bool *differ, struct taf_err *e)
{
	struct taf_daf_sparse a = { 0 }, b = { 0 }, turned = { 0 };

	if (taf_daf_sparse_load(s, it, &a, e) == TAF_OK &&
	    taf_daf_sparse_load(s, other, &b, e) == TAF_OK &&
	    taf_daf_sparse_turn(&b, &turned, e) == TAF_OK)
		*differ = !same_entries(&a, &turned);
	taf_daf_sparse_free(&a);
	taf_daf_sparse_free(&b);
	taf_daf_sparse_free(&turned);
	return e->code;
}

static enum taf_status
compare_strings(const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_item *other, bool *differ, struct taf_err *e)
{
	struct taf_daf_strings a = { 0 }, b = { 0 };
	struct taf_daf_item turned = *it;

	turned.d = other->d;
	turned.turned = true;
	if (taf_daf_strings_load(s, it, &a, e) == TAF_OK &&
	    taf_daf_strings_load(s, &turned, &b, e) == TAF_OK)
		*differ = !taf_daf_strings_same(&a, &b);
	taf_daf_strings_free(&a);
	taf_daf_strings_free(&b);
	return e->code;
}

enum taf_status
taf_daf_compare(const struct taf_daf *s, const struct taf_daf_item *it, bool *differ,
    struct taf_err *e)
{
	struct taf_daf_item other = { .kind = it->kind,
	    .axis = { it->axis[1], it->axis[0] },
		.name = it->name };
	struct taf_err ignored = { 0 };
	uint64_t on, all = it->n[0] * it->n[1];
	bool strings = it->d.type == TAF_DAF_STRING;
	enum taf_status st;

	*differ = false;
	st = taf_daf_find(s, &other, &ignored);
	if (st == TAF_OK && !other.turned)
		st = taf_daf_check(s, &other, &on, &ignored);
	/* none, or faulty by itself */
	if (st != TAF_OK || other.turned || taf_daf_foreign(it) != NULL ||
	    taf_daf_foreign(&other) != NULL)
		return st == TAF_ESYS ? taf_fail(e, st, "%s", ignored.text) : TAF_OK;
	*differ = it->d.type != other.d.type;
	if (*differ)
		return TAF_OK;
	if (!strings && it->d.sparse && other.d.sparse)
		return compare_sparse(s, it, &other, differ, e);
	if (all > MOST / (strings ? 2 * sizeof(size_t) : taf_daf_size(it->d.type)))
		return TAF_OK;
	return strings ? compare_strings(s, it, &other, differ, e) :
	    compare_elements(s, it, &other, differ, e);
}

/* Is it the file of a payload? */
static bool
is_part(const struct taf_daf_item *it, const char *suffix)
{
	const struct taf_daf_part *part[] = { &it->d.value, &it->d.index, &it->d.colptr };
	size_t k;

	for (k = 0; k < 3; k++)
		if (part[k]->there && strcmp(taf_daf_suffix(it, part[k]), suffix) == 0)
			return true;
	return false;
}

enum taf_status
taf_daf_stale(const struct taf_daf *s, const struct taf_daf_item *it, struct taf_buf *to,
    struct taf_err *e)
{
	struct taf_str path = { .err = e }, list = { *to, e, TAF_OK };
	char relative[TAF_DAF_PATH];
	struct stat sb;
	size_t i;

	for (i = 1; i < TAF_DAF_SUFFIXES; i++) {
		const char *suffix = taf_daf_suffixes[i];

		path.buf.len = 0;
		taf_daf_item_path(it, suffix, relative);
		taf_str_printf(&path, "%s/%s", s->real, relative);
		if (path.st == TAF_OK && !is_part(it, suffix) &&
		    lstat(path.buf.data, &sb) == 0)
			taf_str_printf(&list, "%s%s", list.buf.len > 0 ? ", " : "",
			    suffix);
	}
	taf_str_free(&path);
	*to = list.buf;
	return path.st != TAF_OK ? path.st : list.st;
}
