/* SPDX-License-Identifier: ISC */
#include "op/digest/tree.h"

#include <stdbool.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "io/in.h"
#include "io/out.h"

enum { NODE = TAF_BLAKE3_BYTES, LINE = 128 };

static const char mark[] = "taf-tree 1 ";

void
taf_tree_free(struct taf_tree *t)
{
	taf_buf_free(&t->nodes);
}

bool
taf_tree_has(const struct taf_tree *t, uint64_t k, const struct taf_blake3_node *node)
{
	unsigned char bytes[NODE];

	taf_blake3_put(bytes, node);
	return k < t->nodes.len / NODE &&
	    memcmp(t->nodes.data + k * NODE, bytes, NODE) == 0;
}

enum taf_status
taf_tree_add(struct taf_tree *t, const struct taf_blake3_node *node, struct taf_err *e)
{
	unsigned char bytes[NODE];

	taf_blake3_put(bytes, node);
	return taf_buf_put(&t->nodes, bytes, sizeof bytes, e);
}

enum taf_status
taf_tree_write(const struct taf_tree *t, const char *path, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	struct taf_tree end = { 0 };
	struct taf_blake3_node all;
	struct taf_out *out = NULL;
	enum taf_status st;

	taf_str_printf(&s, "%s%llu %s\n", mark, (unsigned long long)t->bytes, t->data);
	taf_str_put(&s, t->nodes.data, t->nodes.len);
	st = s.st;
	if (st == TAF_OK) {
		all = taf_blake3(s.buf.data, s.buf.len);
		st = taf_tree_add(&end, &all, e);
	}
	if (st == TAF_OK)
		st = taf_out_create(&out, path, e);
	if (st == TAF_OK)
		st = taf_out_write(out, s.buf.data, s.buf.len, e);
	if (st == TAF_OK)
		st = taf_out_write(out, end.nodes.data, end.nodes.len, e);
	if (st == TAF_OK)
		st = taf_out_commit(out, e);
	else
		taf_out_discard(out);
	taf_str_free(&s);
	taf_tree_free(&end);
	return st;
}

/* How many bytes the line p of n says that the data have, and their digest. */
static bool
parse(const char *p, size_t n, uint64_t *bytes, const char **digest)
{
	const size_t head = sizeof mark - 1;
	const char *const blank = n > head ? memchr(p + head, ' ', n - head) : NULL;

	if (blank == NULL || memcmp(p, mark, head) != 0 ||
	    !taf_parse_u64(p + head, (size_t)(blank - p) - head, bytes))
		return false;
	*digest = blank + 1;
	return (size_t)(p + n - *digest) == TAF_BLAKE3_TEXT - 1;
}

/* All of the file at path. */
static enum taf_status
read_all(const char *path, struct taf_buf *to, struct taf_err *e)
{
	struct taf_in *in = NULL;
	enum taf_status st = taf_in_open(&in, path, e);
	const unsigned char *p;
	size_t got = 1;

	while (st == TAF_OK && got > 0) {
		st = taf_in_peek(in, 1, &p, &got, e);
		if (st == TAF_OK)
			st = taf_buf_put(to, p, got, e);
		if (st == TAF_OK)
			st = taf_in_skip(in, got, e);
	}
	taf_in_close(in);
	return st;
}

/* Are there as many nodes, between the line of n bytes and the digest, as it says? */
static bool
whole(const struct taf_tree *t, size_t n, size_t body)
{
	return body >= n && (body - n) % NODE == 0 && (body - n) / NODE ==
	    t->bytes / TAF_BLAKE3_PIECE + (t->bytes % TAF_BLAKE3_PIECE > 0);
}

enum taf_status
taf_tree_parse(struct taf_tree *t, const void *p, size_t size, struct taf_err *e)
{
	const char *const from = p;
	const char *const line = size > NODE ?
	    memchr(from, '\n', size < LINE ? size : LINE) : NULL;
	const size_t n = line != NULL ? (size_t)(line - from) + 1 : 0;
	const size_t body = size > NODE ? size - NODE : 0;
	struct taf_tree end = { 0 };
	struct taf_blake3_node all;
	const char *digest;
	enum taf_status st = TAF_END;

	*t = (struct taf_tree){ 0 };
	if (line != NULL && parse(from, n - 1, &t->bytes, &digest) && whole(t, n, body)) {
		memcpy(t->data, digest, TAF_BLAKE3_TEXT - 1);
		all = taf_blake3(from, body);
		st = taf_tree_add(&end, &all, e);
		if (st == TAF_OK && memcmp(from + body, end.nodes.data, NODE) != 0)
			st = TAF_END;
	}
	if (st == TAF_OK)
		st = taf_buf_put(&t->nodes, from + n, body - n, e);
	taf_tree_free(&end);
	return st != TAF_END ? st :
	    taf_fail(e, TAF_EDATA, "no tree of digests, or one that is damaged");
}

enum taf_status
taf_tree_read(struct taf_tree *t, const char *path, struct taf_err *e)
{
	struct taf_buf file = { 0 };
	enum taf_status st = read_all(path, &file, e);

	if (st == TAF_OK)
		st = taf_tree_parse(t, file.data, file.len, e);
	taf_err_name(e, path);
	taf_buf_free(&file);
	return st;
}

uint64_t
taf_tree_differs(const struct taf_tree *a, const struct taf_tree *b)
{
	uint64_t k = 0;

	while ((k + 1) * NODE <= a->nodes.len && (k + 1) * NODE <= b->nodes.len &&
	    memcmp(a->nodes.data + k * NODE, b->nodes.data + k * NODE, NODE) == 0)
		k++;
	return k * TAF_BLAKE3_PIECE;
}
