/* SPDX-License-Identifier: ISC */
/* zarr2taf - arrays of Zarr stores as TAF or RSF. */
/* link: jansson zlib zstd blosc bzip2 lzma */
#include <string.h>

#include "cli/cmd.h"
#include "cli/crash.h"
#include "format/zarr_import.h"
#include "stream/writer_private.h"

enum { LIST = 256, TO_NAN, REVERSE };

struct intent {
	struct taf_zarr_import im;
	bool listed;
};

static const struct cmd_option options[] = {
	{ 'x', "index", "DIM=LO:HI[:STEP]", "read these indices of a dimension alone",
	    SET(BOUNDS, im.bounds) },
	{ LIST, "list", NULL, "list the arrays of STORE instead", SET(FLAG, listed) },
	{ TO_NAN, "nan", NULL, "what is missing becomes NaN, and the values floats",
	    SET(FLAG, im.nan) },
	{ REVERSE, "reverse", NULL, "reverse the dimensions",
	    SET(FLAG, im.reverse) },
	{ 0 },
};

static const struct cmd self = {
	"zarr2taf", "convert arrays of Zarr stores to TAF",
	"[-x DIM=LO:HI[:STEP]] [--nan] [--reverse] [-o FILE] STORE [ARRAY] | --list STORE",
	options, CMD_STREAM | CMD_TO_TAF | CMD_OPERANDS | CMD_JOBS | CMD_NO_RECIPE,
};

static enum taf_status
print(void *ctx, const char *path, const struct taf_zarr_array *z, struct taf_err *e)
{
	const char *packing = z->packing[0] != '\0' ? z->packing : "none";
	struct taf_str *s = ctx;

	(void)e;
	taf_str_puts(s, "/");
	taf_str_safe(s, path, strlen(path));
	taf_str_puts(s, "\t");
	taf_str_safe(s, z->type, strlen(z->type));
	taf_str_puts(s, "\t");
	taf_str_list(s, z->nd.n, z->nd.ndim);
	taf_str_puts(s, "\t");
	taf_str_list(s, z->chunk, z->nd.ndim);
	taf_str_puts(s, "\t");
	taf_str_safe(s, packing, strlen(packing));
	taf_str_puts(s, "\n");
	return s->st;
}

static enum taf_status
list(struct cmd_run *run, const struct taf_objects *store)
{
	struct taf_str lines = { .err = &run->err };
	enum taf_status st;

	if (cmd_out(run) == NULL)
		return run->err.code;
	st = taf_zarr_list(store, print, &lines, &run->err);
	if (st == TAF_OK)
		st = taf_out_str(run->out, &lines);
	taf_str_free(&lines);
	return st;
}

static enum taf_status
convert(struct cmd_run *run, struct taf_zarr_import *im)
{
	struct taf_err *e = &run->err;
	struct taf_writer *w = NULL;
	struct taf_sink sink;
	enum taf_status st;

	cmd_sink(run, &sink);
	st = taf_zarr_import_begin(im, e);
	if (st == TAF_OK)
		st = taf_words_settle(&run->words, &im->layout.a, e);
	if (st == TAF_OK) {
		cmd_say_array(run, cmd_given(run->files[0]), &im->layout.a);
		st = taf_writer_open(&w, &sink, e);
	}
	if (st == TAF_OK)
		st = taf_zarr_import_write(im, w, e);
	taf_zarr_import_end(im);
	return taf_writer_settle(w, st, e);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	struct taf_zarr_import *const im = &want.im;
	struct taf_objects store = { 0 };
	enum taf_status st;

	cmd_options(run, &want);
	cmd_named(run);
	if (run->nfiles > 2 - want.listed)
		cmd_usage(run, want.listed ? "--list needs one STORE" :
		    "STORE and ARRAY are read (--list STORE shows the arrays)");
	im->path = run->nfiles > 1 ? run->files[1] + (run->files[1][0] == '/') : "";
	if (im->path[0] != '\0')
		cmd_check(run, taf_objects_path_check(im->path, &run->err));
	cmd_guard("packed chunks", true);
	im->store = &store;
	im->service = &run->service;
	st = cmd_decode(run, cmd_given(run->files[0]), run->files, 1, &run->err);
	if (st == TAF_OK)
		st = taf_objects_open(&store, run->files[0], &run->err);
	if (st == TAF_OK)
		st = want.listed ? list(run, &store) : convert(run, im);
	if (st != TAF_OK)
		cmd_report(run, cmd_given(run->files[0]));
	taf_objects_close(&store);
	return cmd_end(run);
}
