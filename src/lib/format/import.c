/* SPDX-License-Identifier: ISC */
#include "format/import.h"

#include "base/need.h"
#include "io/spool.h"
#include "io/where.h"
#include "op/operand/arrays.h"

enum taf_status
taf_import_open(struct taf_in **in, const char *file, struct taf_err *e)
{
	const unsigned char *p;
	size_t got;

	if (taf_in_open(in, file, e) != TAF_OK ||
	    taf_in_peek(*in, 1, &p, &got, e) != TAF_OK)
		return e->code;
	return got > 0 ? TAF_OK : taf_fail(e, TAF_EDATA, "empty input");
}

/* The input is decoded from here on; those from next on are opened later. */
static enum taf_status
begin_decoding(const struct taf_import *im, const struct taf_in *in, int next,
    struct taf_err *e)
{
	return im->decode(im->ctx, taf_in_name(in), im->files + next, im->nfiles - next,
	    e);
}

enum taf_status
taf_import_begin(struct taf_import *im, const struct taf_array *a, enum taf_next more,
    bool *wanted, struct taf_err *e)
{
	im->number++;
	*wanted = im->pick == 0 || im->pick == im->number;
	if (taf_array_check(a, e) != TAF_OK || !*wanted)
		return e->code;
	im->done = im->pick != 0;
	if (im->say != NULL)
		im->say(im->ctx, im->files[im->at], a);
	if (taf_writer_begin(im->w, a, im->done ? TAF_NEXT_NO : !im->last ? TAF_NEXT_YES :
	    more, e) != TAF_OK && !taf_need_goes_on(e->code, e))
		return e->code;
	taf_watch(im->service, im->w, NULL, taf_array_bytes(a));
	return TAF_OK;
}

enum taf_status
taf_import_end(struct taf_import *im, const struct taf_array *a, enum taf_status st,
    struct taf_err *e)
{
	taf_watch_end(im->service);
	return st == TAF_OK ? taf_writer_end(im->w, a, e) : st;
}

enum taf_status
taf_import_look(const struct taf_import *im, taf_import_check *check, void *ctx,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	int i;

	for (i = 0; i < im->nfiles && st == TAF_OK; i++) {
		struct taf_in *in = NULL;

		if (!taf_file_twice(im->files[i])) {
			if (im->pick != 0)
				break;
			continue;
		}
		st = taf_import_open(&in, im->files[i], e);
		if (st == TAF_OK)
			st = begin_decoding(im, in, 0, e);
		if (st == TAF_OK)
			st = check(ctx, im, in, e);
		taf_err_name(e, taf_in_called(im->files[i]));
		taf_in_close(in);
	}
	return st;
}

enum taf_status
taf_import_all(struct taf_import *im, taf_import_each *each, void *ctx, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	for (im->at = 0; im->at < im->nfiles && st == TAF_OK && !im->done; im->at++) {
		struct taf_in *in = NULL;

		im->last = im->at + 1 == im->nfiles;
		im->looked = taf_file_twice(im->files[im->at]);
		if (taf_import_open(&in, im->files[im->at], e) != TAF_OK ||
		    begin_decoding(im, in, im->at + 1, e) != TAF_OK ||
		    each(ctx, im, &in, e) != TAF_OK ||
		    (in != NULL && taf_in_unchanged(in, e) != TAF_OK))
			st = e->code;
		if (in != NULL)
			taf_err_name(e, taf_in_name(in));
		taf_in_close(in);
	}
	return st == TAF_OK && im->pick != 0 && !im->done ?
	    taf_arrays_few(im->pick, im->number, im->files[im->nfiles - 1],
	    im->nfiles > 1, e) : st;
}

enum taf_status
taf_import_list(const struct taf_import *im, taf_import_lister *lister,
    struct taf_str *lines, struct taf_err *e)
{
	const char *const file = im->files[im->at];
	struct taf_in *in = NULL;
	enum taf_status st = taf_import_open(&in, file, e);

	if (st == TAF_OK)
		st = taf_spool_rest(&in, e);
	if (st == TAF_OK)
		st = begin_decoding(im, in, im->at + 1, e);
	if (st == TAF_OK)
		st = lister(in, lines, e);
	taf_err_name(e, taf_in_called(file));
	taf_in_close(in);
	return st;
}
