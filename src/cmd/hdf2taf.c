/* SPDX-License-Identifier: ISC */
/* hdf2taf - datasets of HDF5 and netCDF-4 files as TAF or RSF. */
/* link: hdf5 */
#include <string.h>

#include "base/str.h"
#include "cli/cmd.h"
#include "cli/crash.h"
#include "format/hdf_import.h"
#include "io/spool.h"
#include "stream/writer_private.h"

enum { LIST = 256, TO_NAN, REVERSE };

struct intent {
	struct taf_hdf_import im;
	bool listed;
};

static const struct cmd_option options[] = {
	{ 'x', "index", "DIM=LO:HI[:STEP]", "read these indices of a dimension alone",
	    SET(BOUNDS, im.bounds) },
	{ LIST, "list", NULL, "list the datasets of FILE instead", SET(FLAG, listed) },
	{ TO_NAN, "nan", NULL, "what is missing becomes NaN, and the values floats",
	    SET(FLAG, im.nan) },
	{ REVERSE, "reverse", NULL, "keep the bytes, reverse the dimensions",
	    SET(FLAG, im.reverse) },
	{ 0 },
};

static const struct cmd self = {
	"hdf2taf", "convert datasets of HDF5 and netCDF-4 files to TAF",
	"[-x DIM=LO:HI[:STEP]] [--nan] [--reverse] [-o FILE] FILE [DATASET] | --list FILE",
	options, CMD_STREAM | CMD_TO_TAF | CMD_OPERANDS | CMD_JOBS | CMD_PLACE,
};

static enum taf_status
print(void *ctx, const struct taf_hdf_entry *d, struct taf_err *e)
{
	struct taf_str *lines = ctx;

	(void)e;
	taf_str_puts(lines, "/");
	taf_str_safe(lines, d->path, strlen(d->path));
	taf_str_printf(lines, "\t%s\t%s", d->type, d->lengths);
	if (d->description != NULL) {
		taf_str_puts(lines, "\t");
		taf_str_safe(lines, d->description, strlen(d->description));
	}
	taf_str_puts(lines, "\n");
	return lines->st;
}

static enum taf_status
list(struct cmd_run *run, struct taf_hdf *f)
{
	struct taf_str lines = { .err = &run->err };
	enum taf_status st;

	if (cmd_out(run) == NULL)
		return run->err.code;
	st = taf_hdf_list(f, print, &lines, &run->err);
	if (st == TAF_OK)
		st = taf_out_str(run->out, &lines);
	taf_str_free(&lines);
	return st;
}

/* The datasets that are no scales of others, and the first of them. */
struct choice {
	size_t n;
	struct taf_str path;
};

static enum taf_status
count(void *ctx, const struct taf_hdf_entry *d, struct taf_err *e)
{
	struct choice *c = ctx;

	(void)e;
	if (!d->scale && !d->other && c->n++ == 0)
		taf_str_put(&c->path, d->path, strlen(d->path) + 1);
	return c->path.st;
}

/* The only dataset. */
static enum taf_status
choose(struct choice *c, struct taf_hdf *f, struct taf_err *e)
{
	if (taf_hdf_list(f, count, c, e) != TAF_OK)
		return e->code;
	return c->n == 1 ? TAF_OK : taf_fail(e, TAF_EDATA, c->n == 0 ? "no dataset" :
	    "%zu datasets: name one of those that --list shows", c->n);
}

static enum taf_status
convert(struct cmd_run *run, struct taf_hdf_import *im, const char *path)
{
	struct taf_err *e = &run->err;
	struct choice only = { .path = { .err = e } };
	struct taf_writer *w = NULL;
	struct taf_sink sink;
	enum taf_status st = TAF_OK;

	cmd_sink(run, &sink);
	if (path == NULL) {
		st = choose(&only, im->file, e);
		path = only.path.buf.data;
	}
	if (st == TAF_OK)
		st = taf_hdf_find(im->file, path, im->service->memory, &im->set, e);
	if (st == TAF_OK)
		st = taf_hdf_import_begin(im, e);
	if (st == TAF_OK)
		st = taf_words_settle(&run->words, &im->layout.a, e);
	if (st == TAF_OK) {
		cmd_say_array(run, run->files[0], &im->layout.a);
		st = taf_writer_open(&w, &sink, e);
	}
	if (st == TAF_OK)
		st = taf_hdf_import_write(im, w, e);
	taf_hdf_import_end(im);
	taf_str_free(&only.path);
	return taf_writer_settle(w, st, e);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	struct taf_hdf_import *const im = &want.im;
	enum taf_status st;

	cmd_options(run, &want);
	im->part = cmd_has(run, 'x');
	cmd_named(run);
	if (run->nfiles > 2 - want.listed)
		cmd_usage(run, want.listed ? "--list needs one FILE" :
		    "FILE and DATASET are read (--list FILE shows the datasets)");
	cmd_guard("HDF5", true);
	im->service = &run->service;
	st = cmd_bound(run, &run->err);
	if (st == TAF_OK)
		st = taf_in_open(&im->in, run->files[0], &run->err);
	if (st == TAF_OK)
		st = taf_spool_far(&im->in, &run->err);
	if (st == TAF_OK && !taf_in_seekable(im->in))
		st = taf_fail(&run->err, TAF_EDATA,
		    "not a regular file, which is needed");
	if (st == TAF_OK)
		st = cmd_decode(run, taf_in_name(im->in), NULL, 0, &run->err);
	if (st == TAF_OK)
		st = taf_hdf_open(&im->file, im->in, &run->err);
	if (st == TAF_OK)
		st = want.listed ? list(run, im->file) : convert(run, im,
		    run->nfiles > 1 ? run->files[1] : NULL);
	if (st != TAF_OK)
		cmd_report(run, cmd_given(run->files[0]));
	taf_hdf_close(im->file);
	taf_in_close(im->in);
	return cmd_end(run);
}
