/* SPDX-License-Identifier: ISC */
/* Every array of an input, its data, and what our own writer makes of it. */
/* link: zlib bzip2 lzma */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codec/gta.h"
#include "target.h"

enum { DATA_MAX = 1 << 16, ARRAYS_MAX = 16, PARTS_MAX = 8 };

/* Attributes that are tags are the same in both, and so are dimensions and types. */
static void
compare(const struct taf_array *a, const struct taf_array *b)
{
	size_t i;
	unsigned k;

	must(a->type == b->type && a->ndim == b->ndim);
	for (k = 0; k < a->ndim; k++)
		must(memcmp(&a->dim[k], &b->dim[k], sizeof a->dim[k]) == 0);
	must(a->nattrs == b->nattrs);
	for (i = 0; i < a->nattrs; i++) {
		const struct taf_attr *t = &a->attrs[i];
		const char *v = taf_attr_get(b, t->key, t->scope, t->index);

		must(v != NULL && strcmp(v, t->value) == 0);
	}
}

/* Read an array back from its header and as many zeros as a needs; false if too many. */
static bool
read_back(const struct taf_array *a, struct taf_buf *file, struct taf_array *b)
{
	struct taf_err e = { 0 };
	struct taf_in *in;
	struct taf_gta g;
	size_t n;

	if (taf_array_bytes(a) > DATA_MAX)
		return false;
	n = (size_t)taf_array_bytes(a);
	must(taf_buf_reserve(file, n, &e) == TAF_OK);
	memset(file->data + file->len, 0, n);
	must(taf_in_mem(&in, file->data, file->len + n, &e) == TAF_OK);
	taf_gta_init(&g, in);
	must(taf_gta_next(&g, &e) == TAF_OK);
	must(taf_gta_array(&g, 0, b, &e) == TAF_OK);
	must(taf_gta_next(&g, &e) == TAF_END);
	taf_gta_fini(&g);
	taf_in_close(in);
	return true;
}

/* An array, written and read again, is the same array; and its header the same bytes. */
static void
again(const struct taf_array *a)
{
	struct taf_buf header = { 0 }, second = { 0 };
	struct taf_array b = { 0 };
	struct taf_gta_lost lost;
	struct taf_err e = { 0 };

	must(taf_gta_format(a, &header, &lost, &e) == TAF_OK &&
	    lost.attributes + lost.grids == 0);
	if (read_back(a, &header, &b)) {
		compare(a, &b);
		must(taf_gta_format(&b, &second, &lost, &e) == TAF_OK);
		must(second.len == header.len &&
		    memcmp(second.data, header.data, header.len) == 0);
	}
	taf_array_fini(&b);
	taf_buf_free(&header);
	taf_buf_free(&second);
}

/* Other grids, labels and units come back as they were given. */
static void
change(struct taf_array *a)
{
	struct taf_buf file = { 0 };
	struct taf_array b = { 0 };
	struct taf_err e = { 0 };
	struct taf_gta_lost lost;
	unsigned k;

	for (k = 1; k <= a->ndim; k++) {
		a->dim[k - 1].start = k + 0.5;
		a->dim[k - 1].step = k == 2 ? 1 : -0.25 * k;
		must(taf_attr_set(a, "label", TAF_OF_DIM, k, "changed", &e) == TAF_OK);
		must(taf_attr_set(a, "unit", TAF_OF_DIM, k, k == 2 ? NULL : "mm", &e) ==
		    TAF_OK);
	}
	must(taf_gta_format(a, &file, &lost, &e) == TAF_OK);
	if (read_back(a, &file, &b)) {
		must(b.type == a->type && b.ndim == a->ndim);
		for (k = 1; k <= a->ndim; k++) {
			const char *unit = taf_attr_get(&b, "unit", TAF_OF_DIM, k);
			const char *label = taf_attr_get(&b, "label", TAF_OF_DIM, k);

			must(memcmp(&a->dim[k - 1], &b.dim[k - 1], sizeof a->dim[0]) ==
			    0);
			must(k == 2 ? unit == NULL :
			    unit != NULL && strcmp(unit, "mm") == 0);
			must(label != NULL && strcmp(label, "changed") == 0);
		}
	}
	taf_array_fini(&b);
	taf_buf_free(&file);
}

static void
use(const struct taf_gta *g)
{
	size_t n = taf_gta_uniform(g) ? 0 : g->ncomponents, k;

	for (k = 0; k < g->ncomponents; k++) {
		const struct taf_gta_component *c = &g->components[k];

		must(c->size % taf_gta_word(c) == 0);
	}
	for (k = n > 0; k <= n && k <= PARTS_MAX; k++) {
		struct taf_array a = { 0 };
		struct taf_err e = { 0 };

		if (taf_gta_array(g, k, &a, &e) == TAF_OK) {
			again(&a);
			change(&a);
		}
		if (a.ndim > 0)
			change(&a);
		taf_array_fini(&a);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char block[64];
	struct taf_err e = { 0 };
	struct taf_in *in;
	struct taf_gta g;
	int i;

	if (taf_in_mem(&in, data, size, &e) != TAF_OK)
		return 0;
	taf_gta_init(&g, in);
	for (i = 0; i < ARRAYS_MAX && taf_gta_next(&g, &e) == TAF_OK; i++) {
		enum taf_status st = TAF_OK;
		uint64_t read = 0;

		use(&g);
		/* some is read, some passed over, unseen at last */
		while (g.left > 0 && st == TAF_OK && read < DATA_MAX) {
			size_t n = g.left < sizeof block ? (size_t)g.left : sizeof block;

			st = read % (3 * sizeof block) == sizeof block ?
			    taf_gta_read(&g, NULL, n, &e) : taf_gta_read(&g, block, n, &e);
			read += n;
		}
		if (st != TAF_OK)
			break;
	}
	taf_gta_fini(&g);
	taf_in_close(in);
	return 0;
}
