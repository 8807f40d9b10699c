#include "format/import.h"

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
		im->say(im->ctx, a);
	if (taf_writer_begin(im->w, a, im->done ? TAF_NEXT_NO : !im->last ? TAF_NEXT_YES :
	    more, e) != TAF_OK)
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
