/* SPDX-License-Identifier: ISC */
#include "op/digest/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "base/str.h"
#include "io/in.h"
#include "io/url.h"
#include "kernel/number/convert_private.h"
#include "op/digest/checksum.h"
#include "op/digest/tree.h"

enum { WORKSPACE = 16 << 20 };

struct guard {
	struct taf_tree tree;
	char *name;		/* of the tree, for messages */
	enum taf_type type;
	bool swaps;		/* bytes are not little-endian */
	unsigned char *swapped;
};

static void
release(void *ctx)
{
	struct guard *g = ctx;

	taf_tree_free(&g->tree);
	free(g->name);
	free(g->swapped);
	free(g);
}

static enum taf_status
check(void *ctx, uint64_t k, const void *p, size_t n, struct taf_err *e)
{
	struct guard *g = ctx;
	const size_t size = taf_type_size(g->type);
	const uint64_t first = k * TAF_BLAKE3_PIECE / size;
	struct taf_blake3_node node;

	if (g->swaps) {
		memcpy(g->swapped, p, n);
		taf_swap_elements(g->swapped, g->type, n / size);
		p = g->swapped;
	}
	node = taf_blake3_piece(p, n, k, n == g->tree.bytes);
	if (taf_tree_has(&g->tree, k, &node))
		return TAF_OK;
	return taf_fail(e, TAF_EDATA,
	    "of elements %llu to %llu, counted in their order, one or more are not as %s says",
	    (unsigned long long)first + 1, (unsigned long long)(first + n / size),
	    g->name);
}

/* All elements at once, by another reader. */
static enum taf_status
check_all(const struct guard *g, const char *path, struct taf_err *e)
{
	const struct taf_service service = { .memory = WORKSPACE };
	const struct taf_checksum_want want = { .values = false };
	struct taf_checksum sum = { .tree = { .bytes = 0 } };
	struct taf_array a = { 0 };
	struct taf_reader *r = NULL;
	enum taf_status st = taf_reader_open(&r, path,
	    TAF_READ_SILENTLY | TAF_READ_UNGUARDED, e);

	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK)
		st = taf_checksum(&service, r, &a, &want, &sum, e);
	if (st == TAF_OK && strcmp(sum.tree.data, g->tree.data) != 0)
		st = taf_fail(e, TAF_EDATA,
		    "from element %llu on, counted in their order, elements are not as %s says",
		    (unsigned long long)(taf_tree_differs(&sum.tree, &g->tree) /
		    taf_type_size(g->type)) + 1, g->name);
	taf_checksum_free(&sum);
	taf_reader_close(r);
	taf_array_fini(&a);
	return st;
}

/* The name of the tree beside a file, or beside an object. */
static enum taf_status
name_tree(const char *path, struct taf_str *s)
{
	const size_t n = taf_is_url(path) ? strcspn(path, "?#") : strlen(path);

	taf_str_put(s, path, n);
	taf_str_puts(s, ".b3");
	taf_str_puts(s, path + n);
	return s->st;
}

/* Does the tree have as many bytes as the elements?  Then they are guarded. */
static enum taf_status
begin(struct guard *g, const struct taf_guarded *what, struct taf_err *e)
{
	const uint64_t bytes = taf_array_bytes(what->a);
	const struct taf_guard guard = { .check = check, .release = release, .ctx = g,
		.n = bytes, .piece = TAF_BLAKE3_PIECE };

	g->type = what->a->type;
	g->swaps = what->in != NULL && taf_swap_needed(g->type, false) != what->swapped;
	g->swapped = g->swaps ? malloc(TAF_BLAKE3_PIECE) : NULL;
	if (g->tree.bytes != bytes)
		(void)taf_fail(e, TAF_EDATA, "%llu bytes of elements, and %s is of %llu",
		    (unsigned long long)bytes, g->name,
		    (unsigned long long)g->tree.bytes);
	else if (g->swaps && g->swapped == NULL)
		(void)taf_fail_mem(e);
	else if (what->in != NULL)
		return taf_in_guard(what->in, &guard, e);
	else
		(void)check_all(g, what->path, e);
	release(g);
	return e->code;
}

enum taf_status
taf_guard(const struct taf_guarded *what, struct taf_err *e)
{
	struct taf_str name = { .err = e };
	struct taf_err why = { 0 };
	struct guard *g;
	enum taf_status st = name_tree(what->path, &name);

	if (st != TAF_OK)
		return st;
	g = calloc(1, sizeof *g);
	if (g == NULL || (g->name = strdup(taf_in_called(name.buf.data))) == NULL) {
		free(g);
		taf_str_free(&name);
		return taf_fail_mem(e);
	}
	st = taf_tree_read(&g->tree, name.buf.data, &why);
	taf_str_free(&name);
	if (st == TAF_OK)
		return begin(g, what, e);
	release(g);
	if (why.sys == ENOENT)
		return TAF_OK;
	*e = why;
	return st;
}
