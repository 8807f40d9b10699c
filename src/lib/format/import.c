#include "format/import.h"

enum taf_status
taf_import_begin(struct taf_import *im, const struct taf_array *a, enum taf_next more,
    bool *wanted, struct taf_err *e)
{
	enum taf_status st = taf_array_check(a, e);

	im->number++;
	*wanted = im->pick == 0 || im->pick == im->number;
	if (st != TAF_OK || !*wanted)
		return st;
	im->done = im->pick != 0;
	if (im->say != NULL)
		im->say(im->ctx, a);
	return taf_writer_begin(im->w, a, im->done ? TAF_NEXT_NO : !im->last ? TAF_NEXT_YES :
	    more, e);
}
