/* SPDX-License-Identifier: ISC */
/* taf2daf - an array as an item of a FilesDaf store. */
/* link: jansson zlib zstd blosc */
#include "cli/cmd.h"
#include "cli/crash.h"
#include "format/daf_change.h"

enum { CREATE = 256, AXIS, SPARSE, CLIP, PACK, RELAYOUT, STRINGS };

struct intent {
	struct taf_daf_change change;
	bool relayout;
};

static const struct cmd_option options[] = {
	{ 'f', "force", NULL, "overwrite the item if it is there",
	    SET(FLAG, change.force) },
	{ 't', "type", "TYPE", "element type, Bool and the names of Julia too",
	    SET(PARSED, change), .parse = taf_daf_change_type },
	{ AXIS, "axis", "AXIS=FILE", "add an axis, its entries the lines of FILE",
	    SET(PARSED, change), .parse = taf_daf_change_axis },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does",
	    SET(FLAG, change.put.clip) },
	{ CREATE, "create", NULL, "make the store if it is not there",
	    SET(FLAG, change.create) },
	{ PACK, "pack", "blosc|zstd|gzip", "store long columns in packed chunks",
	    SET(PARSED, change.put.packing), .parse = taf_daf_packing_parse },
	{ RELAYOUT, "relayout", NULL, "write the layout that a matrix lacks",
	    SET(FLAG, relayout) },
	{ SPARSE, "sparse", NULL, "store what is not zero, and where",
	    SET(FLAG, change.put.sparse) },
	{ STRINGS, "strings", NULL, "write the lines of file as a vector of strings",
	    SET(FLAG, change.put.text) },
	{ 0 },
};

static const struct cmd self = {
	"taf2daf", "write an array as an item of a FilesDaf store",
	"[--create] [--axis AXIS=FILE] [--sparse | --strings] [--pack WAY] [-t TYPE]\n"
	"       [--clip] [-f] [-N K] STORE [ITEM [file]]\n"
	"       --relayout [--pack WAY] [-f] STORE ITEM",
	options, CMD_PICK | CMD_OPERANDS | CMD_UNPLANNED | CMD_INTO,
};

/* No array is read: the store has the matrix. */
static enum taf_status
relayout(struct cmd_run *run, struct taf_daf_change *want, struct taf_err *e)
{
	struct taf_daf_item *it = &want->put.item;

	if (run->pick != 0 || want->create || want->naxes > 0 || want->put.sparse ||
	    want->put.text || want->put.typed || want->put.clip || run->nfiles != 2)
		cmd_usage(run, "--relayout takes a STORE, an ITEM, --pack and -f alone");
	cmd_check(run, taf_daf_item_parse(it, run->files[1], e));
	if (it->kind != TAF_DAF_MATRIX)
		cmd_usage(run, "--relayout needs a matrix, ROWS/COLUMNS/NAME");
	return taf_daf_relayout(run->files[0], &want->put, want->force, &run->service, e);
}

/* The one array of a file. */
static enum taf_status
take(struct cmd_run *run, struct taf_daf_given *p, const char *file, struct taf_err *e)
{
	struct taf_arrays all = cmd_arrays(run, &file, 1);
	enum taf_status st = taf_arrays_next(&all, e);

	if (st == TAF_OK)
		st = taf_daf_take(&run->service, p, all.r, &all.a, e);
	if (st == TAF_OK)
		st = taf_arrays_last(&all, e);
	if (st == TAF_OK)
		st = taf_daf_taken(&run->service, p, &all.a, e);
	taf_err_name(e, taf_in_called(file));
	taf_arrays_close(&all);
	return st;
}

/* The lines of a file, in place of an array. */
static enum taf_status
take_lines(struct taf_daf_given *p, const char *file, struct taf_err *e)
{
	struct taf_in *in = NULL;
	enum taf_status st = taf_in_open(&in, file, e);

	if (st == TAF_OK)
		st = taf_daf_take_lines(p, in, e);
	taf_err_name(e, taf_in_called(file));
	taf_in_close(in);
	return st;
}

/* All is read and looked at before anything is changed. */
static enum taf_status
put(struct cmd_run *run, struct taf_daf_change *want, struct taf_err *e)
{
	const char *store = run->files[0], *file = run->nfiles > 2 ? run->files[2] : NULL;

	if (taf_daf_change_look(want, store, e) != TAF_OK ||
	    (want->item && (want->put.text ? take_lines(&want->put, file, e) :
	    take(run, &want->put, file, e)) != TAF_OK))
		return e->code;
	return taf_daf_change_make(want, store, &run->service, e);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent intent = { .relayout = false };
	struct taf_daf_change *const want = &intent.change;

	cmd_options(run, &intent);
	cmd_guard("packed chunks", false);
	if (intent.relayout) {
		if (cmd_decode(run, run->files[0], NULL, 0, &run->err) != TAF_OK ||
		    relayout(run, want, &run->err) != TAF_OK)
			cmd_report(run, run->files[0]);
		taf_daf_change_free(want);
		return cmd_end(run);
	}
	if (run->nfiles > 3)
		cmd_usage(run, "%s: one file at most", run->files[3]);
	if (run->nfiles > 1)
		cmd_check(run, taf_daf_change_item(want, run->files[1], &run->err));
	else if (!want->create && want->naxes == 0)
		cmd_usage(run, "a STORE and an ITEM are needed");
	if (want->put.text && (run->pick != 0 || want->put.sparse || want->put.typed ||
	    want->put.clip))
		cmd_usage(run,
		    "--strings writes lines: --clip, -N, --sparse and -t say nothing of those");
	if (want->put.text && (!want->item || want->put.item.kind != TAF_DAF_VECTOR))
		cmd_usage(run, "--strings needs a vector, AXIS/NAME");
	if (cmd_decode(run, run->files[0], run->files + 2, run->nfiles - 2, &run->err) !=
	    TAF_OK || put(run, want, &run->err) != TAF_OK)
		cmd_report(run, run->files[0]);
	taf_daf_change_free(want);
	return cmd_end(run);
}
