/* SPDX-License-Identifier: ISC */
/* taf2hdf - an array as a dataset of an HDF5 or netCDF-4 file. */
/* link: hdf5 zlib */
#include <stdio.h>

#include "base/num.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "cli/crash.h"
#include "codec/hdf/hdf_write.h"
#include "format/hdf_export.h"
#include "text/history.h"

enum { DEFLATE = 256, MATLAB, REVERSE, SDA, SHUFFLE };
enum { DATE = 32 };		/* bytes of one as text */

struct intent {
	struct taf_hdf_storage how;
};

static const struct cmd_option options[] = {
	{ 'f', "force", NULL, "replace the dataset if it is there",
	    .kind = CMD_SET_COMMON },
	{ DEFLATE, "deflate", "N", "store chunks packed by deflate, 0 to 9", OWN },
	{ MATLAB, "matlab", NULL, "write a variable of a file of MATLAB 7.3",
	    SET(VALUE, how.style), .value = TAF_HDF_MATLAB,
	    .one = "--matlab and --sda exclude each other" },
	{ REVERSE, "reverse", NULL, "keep the order of bytes, reverse the dimensions",
	    SET(FLAG, how.reverse) },
	{ SDA, "sda", NULL, "write a record of a Sandia data archive",
	    SET(VALUE, how.style), .value = TAF_HDF_SDA,
	    .one = "--matlab and --sda exclude each other" },
	{ SHUFFLE, "shuffle", NULL, "with --deflate: bytes of equal weight together",
	    SET(FLAG, how.shuffle) },
	{ 0 },
};

static const struct cmd self = {
	"taf2hdf", "write an array as a dataset of an HDF5 or netCDF-4 file",
	"[--deflate N [--shuffle]] [--matlab | --sda] [--reverse] [-f] [-J N]\n"
	"       [-m SIZE] [-N K] FILE DATASET [file]",
	options, CMD_PICK | CMD_OPERANDS | CMD_JOBS | CMD_UNPLANNED | CMD_INTO,
};

/* The one array of a file. */
static enum taf_status
take(struct cmd_run *run, struct taf_hdf_put *p, const struct taf_hdf_storage *how,
    const char *file, struct taf_err *e)
{
	struct taf_arrays all = cmd_arrays(run, &file, 1);
	enum taf_status st = taf_arrays_next(&all, e);

	if (st == TAF_OK && run->pick == 0 && taf_arrays_more(&all) == TAF_NEXT_YES)
		st = taf_arrays_last(&all, e);
	if (st == TAF_OK)
		st = taf_hdf_export(&run->service, p, how, all.r, &all.a, e);
	if (st == TAF_OK)
		st = taf_arrays_last(&all, e);
	taf_err_name(e, taf_in_called(file));
	taf_arrays_close(&all);
	return st;
}

/* The place is looked at before the array is read, and nothing changes before its end. */
static enum taf_status
put(struct cmd_run *run, const struct taf_hdf_storage *how, struct taf_err *e)
{
	const char *file = run->nfiles > 2 ? run->files[2] : NULL;
	struct taf_hdf_put *p;

	if (taf_hdf_put_look(&p, run->files[0], run->files[1], how->style,
	    run->force, e) != TAF_OK)
		return e->code;
	if (take(run, p, how, file, e) == TAF_OK)
		return taf_hdf_put_commit(p, e);
	taf_hdf_put_discard(p);
	return e->code;
}

/* The time, as MATLAB writes it: 18-Nov-2016 14:08:16. */
static const char *
date(char text[DATE])
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct taf_err e = { 0 };
	struct taf_str now = { .err = &e };
	uint64_t month = 0;

	taf_put_time(&now);
	if (now.buf.len == 20 && taf_parse_u64(now.buf.data + 5, 2, &month))
		(void)snprintf(text, DATE, "%.2s-%.3s-%.4s %.8s", now.buf.data + 8,
		    months + 3 * (month - 1) % 36, now.buf.data, now.buf.data + 11);
	else
		text[0] = '\0';
	taf_str_free(&now);
	return text;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .how = { .deflate = -1 } };
	struct taf_hdf_storage *const how = &want.how;
	char text[DATE];
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0) {
		if (arg[0] < '0' || arg[0] > '9' || arg[1] != '\0')
			cmd_value(run, "%s is none of 0 to 9", arg);
		how->deflate = arg[0] - '0';
	}
	if (run->nfiles < 2)
		cmd_usage(run, "a FILE and a DATASET are needed");
	if (run->nfiles > 3)
		cmd_usage(run, "%s: one file at most", run->files[3]);
	if (how->shuffle && how->deflate < 0)
		cmd_usage(run, "--shuffle is for --deflate");
	cmd_check(run, how->style == TAF_HDF_NETCDF ? taf_hdf_put_name(run->files[1],
	    &run->err) : taf_hdf_style_name(how->style, run->files[1], &run->err));
	how->date = date(text);
	cmd_guard("HDF5", true);
	if (cmd_decode(run, run->files[0], run->files + 2, run->nfiles - 2, &run->err) !=
	    TAF_OK || put(run, how, &run->err) != TAF_OK)
		cmd_report(run, run->files[0]);
	return cmd_end(run);
}
