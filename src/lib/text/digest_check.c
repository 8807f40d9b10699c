/* SPDX-License-Identifier: ISC */
#include "text/digest_check.h"

#include <string.h>
#include <unistd.h>

/* Go to an array of a file; those of a file that follow each other are read once. */
static enum taf_status
go_to(struct taf_digest_check *c, const char *name, uint64_t number, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (c->file == NULL || strcmp(c->name.data, name) != 0 || c->all.r == NULL ||
	    c->all.number >= number) {
		taf_arrays_close(&c->all);
		c->name.len = 0;
		if (taf_buf_put(&c->name, name, strlen(name) + 1, e) != TAF_OK)
			return e->code;
		c->file = c->name.data;
		c->all = c->like;
		c->all.files = &c->file;
		c->all.nfiles = 1;
	}
	while (st == TAF_OK && c->all.number < number)
		st = taf_arrays_next(&c->all, e);
	return st == TAF_END ? taf_arrays_few(number, c->all.number, name, false, e) : st;
}

/* Where the data differ, if a tree beside the file tells of it. */
static enum taf_status
put_where(struct taf_digest_check *c, const struct taf_checksum *sum, struct taf_str *s,
    struct taf_err *e)
{
	const struct taf_array *const a = &c->all.a;
	const size_t size = taf_type_size(a->type);
	struct taf_buf path = { 0 };
	struct taf_tree tree = { 0 };
	uint64_t first, last;
	enum taf_status st = taf_buf_printf(&path, e, "%s.b3", c->file);

	if (st == TAF_OK && (c->want.values || access(path.data, F_OK) != 0)) {
		taf_buf_free(&path);
		return TAF_OK;
	}
	if (st == TAF_OK)
		st = taf_tree_read(&tree, path.data, e);
	if (st == TAF_OK && tree.bytes != sum->tree.bytes) {
		taf_str_puts(s, ", of another length");
	} else if (st == TAF_OK && strcmp(tree.data, sum->tree.data) == 0) {
		taf_str_puts(s, ", but the data agree");
	} else if (st == TAF_OK) {
		first = taf_tree_differs(&tree, &sum->tree) / size;
		last = first + TAF_BLAKE3_PIECE / size - 1;
		if (last > taf_array_count(a) - 1)
			last = taf_array_count(a) - 1;
		taf_str_printf(s, ", first in %s to %s", taf_array_place(a, first).s,
		    taf_array_place(a, last).s);
	}
	taf_tree_free(&tree);
	taf_buf_free(&path);
	return st;
}

static enum taf_status
answer(struct taf_digest_check *c, const struct taf_checksum *sum, bool *same,
    struct taf_str *to, struct taf_err *e)
{
	char text[TAF_BLAKE3_TEXT];
	enum taf_status st = TAF_OK;

	taf_blake3_text(c->data ? &sum->data : &sum->array, text);
	*same = strcmp(text, c->list.digest) == 0;
	taf_digest_put(to, NULL, c->list.name, c->list.number);
	taf_str_puts(to, *same ? ": OK" : ": FAILED");
	if (!*same && c->list.number == 1)
		st = put_where(c, sum, to, e);
	taf_str_puts(to, "\n");
	return st != TAF_OK ? st : to->st;
}

enum taf_status
taf_digest_check(struct taf_digest_check *c, bool *same, struct taf_str *to,
    struct taf_err *e)
{
	struct taf_checksum sum = { .tree = { 0 } };
	enum taf_status st = taf_digests_next(&c->list, e);

	if (st != TAF_OK)
		return st;
	st = go_to(c, c->list.name, c->list.number, e);
	if (st == TAF_OK)
		st = taf_checksum(c->service, c->all.r, &c->all.a, &c->want, &sum, e);
	if (st == TAF_OK)
		st = answer(c, &sum, same, to, e);
	if (st != TAF_OK) {
		taf_err_name(e, c->list.name);
		taf_arrays_close(&c->all);
		c->file = NULL;
	}
	taf_checksum_free(&sum);
	return st;
}

void
taf_digest_check_free(struct taf_digest_check *c)
{
	taf_arrays_close(&c->all);
	taf_buf_free(&c->name);
	taf_digests_free(&c->list);
}
