/* SPDX-License-Identifier: ISC */
#include "op/digest/checksum.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/endian.h"
#include "base/str.h"
#include "codec/escape.h"
#include "kernel/number/convert_private.h"
#include "kernel/number/recode.h"
#include "stream/tiles.h"
#include "stream/values.h"

struct job {
	struct taf_recode recode;
	bool values;
	bool copies;			/* bytes are not those that are stored here */
	size_t size;			/* bytes of an element that is digested */
	uint64_t taken, count;
	struct taf_convert_count lost;	/* integers that a double does not hold */
	struct taf_blake3 join;
	struct taf_tree *tree;
};

/* Of scratch memory: the node of a piece, and its bytes where they are not at hand. */
struct piece {
	struct taf_blake3_node node;
	uint64_t number;
	struct taf_convert_count lost;
	unsigned char bytes[];
};

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;

	t->scratch_size = sizeof(struct piece) + (j->copies ? TAF_BLAKE3_PIECE : 0);
	return taf_tile_piece(t, 1, &j->taken, j->count, TAF_BLAKE3_PIECE / j->size);
}

/* One NaN, and one zero, stand for all. */
static void
settle(double *v, size_t n)
{
	const double nan = taf_of_bits64(UINT64_C(0x7ff8000000000000));
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = v[i] != v[i] ? nan : v[i] == 0 ? 0 : v[i];
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	const struct job *j = ctx;
	struct piece *const p = t->scratch;
	const void *bytes = t->raw[0];

	(void)e;
	p->lost = (struct taf_convert_count){ 0 };
	if (j->copies) {
		/* each value has a double */
		(void)taf_recode(&j->recode, p->bytes, bytes, t->out.n, &p->lost);
		if (j->values)
			settle((double *)(void *)p->bytes,
			    t->out.n * j->size / sizeof(double));
		if (taf_swap_needed(j->recode.to, false))
			taf_swap_elements(p->bytes, j->recode.to, t->out.n);
		bytes = p->bytes;
	}
	p->number = t->out.first * j->size / TAF_BLAKE3_PIECE;
	p->node = taf_blake3_piece(bytes, t->out.n * j->size, p->number,
	    t->out.n == j->count);
	return TAF_OK;
}

static enum taf_status
give(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	const struct piece *const p = t->scratch;
	struct job *j = ctx;

	j->lost.rounded += p->lost.rounded;
	taf_blake3_join(&j->join, &p->node);
	return taf_tree_add(j->tree, &p->node, e);
}

static enum taf_status
digest_data(const struct taf_service *service, struct taf_reader *r,
    const struct taf_array *a, bool values, struct taf_checksum *to, struct taf_err *e)
{
	const enum taf_type type = !values ? a->type :
	    taf_type_is_pair(a->type) ? TAF_COMPLEX128 : TAF_FLT64;
	const size_t esize = taf_type_size(a->type);
	struct job j = { .values = values, .size = taf_type_size(type),
		.copies = values || taf_swap_needed(type, false),
		.count = taf_array_count(a), .tree = &to->tree };
	const struct taf_tiles tiles = { .r = &r, .esize = &esize, .nin = 1,
		.count = j.count, .threads = taf_threads_for(taf_threads(service),
		    j.count * j.size / TAF_BLAKE3_PIECE), .ctx = &j,
		.next = next, .work = work, .give = give };
	enum taf_status st = taf_values_plan(&j.recode, a, type, !values, false, e);

	j.recode.rough = true;
	if (st == TAF_OK)
		st = taf_tiles(&tiles, e);
	if (st != TAF_OK)
		return st;
	taf_remark_lost(service, &j.lost, j.count, type);
	to->data = j.count > 0 ? taf_blake3_end(&j.join) : taf_blake3(NULL, 0);
	to->tree.bytes = j.count * j.size;
	taf_blake3_text(&to->data, to->tree.data);
	return TAF_OK;
}

/* A double as the digits of its bits, so that no program has to print it as another. */
static void
put_number(struct taf_str *s, char before, double v)
{
	taf_str_printf(s, "%c%016llx", before,
	    (unsigned long long)taf_bits64(v == 0 ? 0 : v));
}

/* A line for a text of a dimension, where there is one. */
static void
put_text(struct taf_str *s, const struct taf_array *a, unsigned k, const char *key)
{
	const char *text = taf_attr_get(a, key, TAF_OF_DIM, k);

	if (text == NULL)
		return;
	taf_str_printf(s, "%s %u ", key, k);
	taf_escape(s, text, strlen(text), false);
	taf_str_puts(s, "\n");
}

static int
compare_lines(const void *a, const void *b)
{
	const struct taf_buf *const x = a, *const y = b;
	const size_t n = x->len < y->len ? x->len : y->len;
	const int order = memcmp(x->data, y->data, n);

	return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

/* Attributes, but labels and units of dimensions, in the order of their bytes. */
static enum taf_status
put_attributes(struct taf_str *s, const struct taf_array *a, struct taf_err *e)
{
	struct taf_buf *line = calloc(a->nattrs + 1, sizeof *line);
	enum taf_status st = line == NULL ? taf_fail_mem(e) : TAF_OK;
	size_t n = 0, i;

	for (i = 0; i < a->nattrs && st == TAF_OK; i++) {
		const struct taf_attr *const t = &a->attrs[i];
		struct taf_str one = { .err = e };

		if (t->scope == TAF_OF_DIM && (strcmp(t->key, "label") == 0 ||
		    strcmp(t->key, "unit") == 0))
			continue;
		taf_key_format(&one, t);
		taf_str_puts(&one, "=");
		taf_escape(&one, t->value, strlen(t->value), false);
		st = one.st;
		line[n++] = one.buf;
	}
	if (st == TAF_OK)
		qsort(line, n, sizeof *line, compare_lines);
	for (i = 0; i < n; i++) {
		taf_str_puts(s, "attribute ");
		taf_str_put(s, line[i].data, line[i].len);
		taf_str_puts(s, "\n");
		taf_buf_free(&line[i]);
	}
	free(line);
	return st;
}

static enum taf_status
put_header(struct taf_str *s, const struct taf_array *a, struct taf_err *e)
{
	const struct taf_blake3_node node = taf_blake3(a->comment.data, a->comment.len);
	char text[TAF_BLAKE3_TEXT];
	enum taf_status st;
	unsigned k;

	for (k = 1; k <= a->ndim; k++) {
		put_text(s, a, k, "label");
		put_text(s, a, k, "unit");
	}
	st = put_attributes(s, a, e);
	taf_blake3_text(&node, text);
	taf_str_printf(s, "comment %s\n", text);
	return st;
}

/* What the digest of an array is of. */
static enum taf_status
describe(const struct taf_array *a, const struct taf_checksum_want *want,
    const struct taf_blake3_node *data, struct taf_str *s, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	char text[TAF_BLAKE3_TEXT];
	unsigned ndim = a->ndim, k;

	/* lengths of 1 at the end do not count: a column has the digest of a line */
	while (ndim > 1 && a->dim[ndim - 1].n == 1)
		ndim--;
	taf_str_printf(s, "taf-array 1\ntype %s\nlengths", want->values ? "values" :
	    taf_type_name(a->type));
	for (k = 0; k < ndim; k++)
		taf_str_printf(s, "%c%llu", k == 0 ? ' ' : ',',
		    (unsigned long long)a->dim[k].n);
	taf_str_puts(s, "\n");
	if (!want->values && taf_array_mapped(a)) {
		taf_str_puts(s, "mapping");
		put_number(s, ' ', a->intercept);
		put_number(s, ',', a->slope);
		taf_str_puts(s, "\n");
	}
	for (k = 0; k < ndim; k++) {
		taf_str_puts(s, "grid");
		put_number(s, ' ', a->dim[k].start);
		put_number(s, ',', a->dim[k].step);
		taf_str_puts(s, "\n");
	}
	if (want->header)
		st = put_header(s, a, e);
	taf_blake3_text(data, text);
	taf_str_printf(s, "data %s\n", text);
	return st != TAF_OK ? st : s->st;
}

enum taf_status
taf_checksum_array(const struct taf_array *a, const struct taf_checksum_want *want,
    const struct taf_blake3_node *data, struct taf_blake3_node *to, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	const enum taf_status st = describe(a, want, data, &s, e);

	if (st == TAF_OK)
		*to = taf_blake3(s.buf.data, s.buf.len);
	taf_str_free(&s);
	return st;
}

enum taf_status
taf_checksum(const struct taf_service *service, struct taf_reader *r, struct taf_array *a,
    const struct taf_checksum_want *want, struct taf_checksum *to, struct taf_err *e)
{
	enum taf_status st;

	memset(to, 0, sizeof *to);
	st = digest_data(service, r, a, want->values, to, e);
	if (st == TAF_OK)
		st = taf_reader_finish(r, a, e);
	return st != TAF_OK ? st :
	    taf_checksum_array(a, want, &to->data, &to->array, e);
}

void
taf_checksum_free(struct taf_checksum *c)
{
	taf_tree_free(&c->tree);
}
