/* SPDX-License-Identifier: ISC */
/* daf2taf - items of FilesDaf stores as TAF or RSF. */
/* link: jansson zlib zstd blosc */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cmd.h"
#include "cli/crash.h"
#include "codec/daf/daf_scan.h"
#include "codec/daf/daf_write.h"
#include "format/daf_elements.h"
#include "kernel/number/convert.h"
#include "stream/writer_private.h"

enum { SPARSE = 256 };

struct intent {
	bool sparse;
};

static const struct cmd_option options[] = {
	{ SPARSE, "sparse", NULL, "sparse items as three columns: row, column, value",
	    SET(FLAG, sparse) },
	{ 0 },
};

static const struct cmd self = {
	"daf2taf", "convert items of FilesDaf stores to TAF",
	"[--sparse] [-J N] [-m SIZE] [-o FILE] STORE ITEM ...",
	options, CMD_STREAM | CMD_TO_TAF | CMD_OPERANDS | CMD_JOBS | CMD_NO_RECIPE |
	    CMD_MENDS | CMD_UNPLANNED,
};

/* The columns of stored entries have one type: the smallest that holds all of them. */
static enum taf_type
column_type(unsigned type)
{
	return type == TAF_FLT32 || type == TAF_FLT64 ? TAF_FLT64 :
	    type == TAF_UINT64 ? TAF_UINT64 : TAF_INT64;
}

static enum taf_status
set(struct taf_array *a, const char *key, const char *value, struct taf_err *e)
{
	return taf_attr_set(a, key, TAF_OF_ARRAY, 0, value, e);
}

/* The array that an item becomes. */
static enum taf_status
describe(const struct taf_daf_item *it, bool entries, struct taf_array *a,
    struct taf_err *e)
{
	unsigned type = it->kind == TAF_DAF_SCALAR ? it->scalar.type : it->d.type;
	char shape[64];
	unsigned k;

	taf_array_init(a);
	a->type = entries ? column_type(type) : taf_daf_element(type);
	taf_array_add_dim(a, entries ? it->d.index.n : it->n[0], 1, 1);
	taf_array_add_dim(a, entries ? 3 : it->n[1], 1, 1);
	(void)snprintf(shape, sizeof shape, "%llu %llu", (unsigned long long)it->n[0],
	    (unsigned long long)it->n[1]);
	if (set(a, "daf/name", it->name, e) != TAF_OK ||
	    ((entries || type == TAF_DAF_BOOL) &&
	    set(a, "daf/type", taf_daf_type_name(type), e) != TAF_OK) ||
	    (it->d.sparse &&
	    set(a, "daf/index", taf_daf_type_name(it->d.index.type), e) != TAF_OK) ||
	    (entries && set(a, "daf/shape", shape, e) != TAF_OK))
		return e->code;
	for (k = 0; k < 2 && !entries && it->axis[k] != NULL; k++)
		if (taf_attr_set(a, "label", TAF_OF_DIM, k + 1, it->axis[k], e) != TAF_OK)
			return e->code;
	return taf_array_check(a, e);
}

static enum taf_status
put(void *ctx, const void *p, size_t n, struct taf_err *e)
{
	return taf_writer_put(ctx, p, n, e);
}

static enum taf_status
move(struct cmd_run *run, const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_array *a, struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st;

	taf_watch(&run->service, w, NULL, taf_array_bytes(a));
	st = taf_daf_elements(&run->service, s, it, put, w, e);
	taf_watch_end(&run->service);
	return st;
}

/* Rows, columns and values of the stored entries, one column after the other. */
static enum taf_status
move_entries(const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_array *a, struct taf_writer *w, struct taf_err *e)
{
	struct taf_daf_sparse m = { 0 };
	uint64_t j, k, number;
	unsigned char cell[8];
	enum taf_status st;
	int column;

	st = taf_daf_elements_sparse(s, it, &m, e);
	for (column = 0; column < 3; column++)
		for (j = 0; j < m.columns; j++)
			for (k = m.ptr[j]; k < m.ptr[j + 1] && st == TAF_OK; k++) {
				number = (column == 0 ? m.row[k] : j) + 1;
				if (column < 2)
					(void)taf_convert(cell, a->type, &number,
					    TAF_UINT64, 1, NULL, true, NULL);
				else
					(void)taf_convert(cell, a->type, m.value +
					    k * taf_daf_size(m.type),
					    taf_daf_element(m.type), 1, NULL, true, NULL);
				st = taf_writer_put(w, cell, 1, e);
			}
	taf_daf_sparse_free(&m);
	return st;
}

/* Find an item, of which all is sound. */
static enum taf_status
find(const struct taf_daf *s, struct taf_daf_item *it, struct taf_err *e)
{
	struct taf_daf_sum sum;
	const char *foreign;

	if (taf_daf_find(s, it, e) != TAF_OK || taf_daf_avoid_foreign(s, it, e) != TAF_OK)
		return e->code;
	if ((it->kind == TAF_DAF_SCALAR ? it->scalar.type : it->d.type) == TAF_DAF_STRING)
		return taf_fail(e, TAF_EDATA,
		    "%s: strings are no numbers (dafls --entries prints them)", it->name);
	foreign = taf_daf_foreign(it);
	if (foreign != NULL)
		return taf_fail(e, TAF_EDATA,
		    "%s: compressed with %s, which this program does not read", it->name,
		    foreign);
	return taf_daf_check(s, it, 0, &sum, e);
}

/* What can be known of the items is refused before the first byte goes out. */
static enum taf_status
look_ahead(const struct taf_daf *s, struct taf_daf_item *items, size_t n, bool sparse,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct taf_array a;
	size_t k;

	for (k = 0; k < n && st == TAF_OK; k++) {
		if (find(s, &items[k], e) != TAF_OK)
			return e->code;
		st = describe(&items[k], sparse && items[k].d.sparse, &a, e);
		taf_array_fini(&a);
	}
	return st;
}

static enum taf_status
convert(struct cmd_run *run, const struct taf_daf *s, const struct taf_daf_item *items,
    size_t n, bool sparse, struct taf_writer *w)
{
	struct taf_err *e = &run->err;
	enum taf_status st = TAF_OK;
	struct taf_array a;
	size_t k;

	for (k = 0; k < n && st == TAF_OK; k++) {
		bool entries = sparse && items[k].d.sparse;

		if (describe(&items[k], entries, &a, e) != TAF_OK ||
		    taf_writer_begin(w, &a, k + 1 < n ? TAF_NEXT_YES : TAF_NEXT_NO, e) !=
		    TAF_OK || (entries ? move_entries(s, &items[k], &a, w, e) :
		    move(run, s, &items[k], &a, w, e)) != TAF_OK ||
		    taf_daf_unchanged(s, &items[k], e) != TAF_OK)
			st = e->code;
		else
			st = taf_writer_end(w, &a, e);
		taf_array_fini(&a);
	}
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_writer *w = NULL;
	struct taf_daf s = { 0 };
	struct taf_daf_item *items;
	struct taf_sink sink;
	enum taf_status st;
	struct intent want = { false };
	size_t n, k;

	cmd_options(run, &want);
	if (run->nfiles < 2)
		cmd_usage(run,
		    "a STORE and an ITEM are needed (dafls STORE lists its items)");
	n = (size_t)run->nfiles - 1;
	items = calloc(n, sizeof *items);
	st = items == NULL ? taf_fail_mem(&run->err) : TAF_OK;
	for (k = 0; k < n && st == TAF_OK; k++)
		cmd_check(run, taf_daf_item_parse(&items[k], run->files[k + 1],
		    &run->err));
	cmd_sink(run, &sink);
	cmd_guard("packed chunks", false);
	if (st == TAF_OK)
		st = cmd_decode(run, run->files[0], NULL, 0, &run->err);
	if (st == TAF_OK && (taf_daf_open(&s, run->files[0], &run->err) != TAF_OK ||
	    taf_daf_recover(&s, &run->err) != TAF_OK ||
	    look_ahead(&s, items, n, want.sparse, &run->err) != TAF_OK ||
	    taf_writer_open(&w, &sink, &run->err) != TAF_OK ||
	    convert(run, &s, items, n, want.sparse, w) != TAF_OK))
		st = run->err.code;
	if (taf_writer_settle(w, st, &run->err) != TAF_OK)
		cmd_report(run, run->files[0]);
	for (k = 0; k < n && items != NULL; k++)
		taf_daf_item_free(&items[k]);
	free(items);
	taf_daf_close(&s);
	return cmd_end(run);
}
